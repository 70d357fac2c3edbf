//! The topics below `$SYS`, read as tools of the family read them: from the classes to the elements, then the figures.

use std::path::Path;

use bytes::Bytes;
use mqi::constants::*;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence,
    PutFlags, PutOptions, Reason, SubscribeOptions, SubscriptionDescriptor, Verbs, Wait,
};
use objects::pcf::{ByteOrder, Content, Message, Parameter};
use server::Mode;
use server::directory::DataDirectory;
use server::embedded::{Connection, QueueManager};
use server::instances;

/// Far longer than figures let wait for themselves.
const WAIT: Wait = Wait::Milliseconds(30_000);

fn subscribe(connection: &mut Connection, topic: &str) -> ObjectHandle {
    let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
    connection.subscribe(&SubscriptionDescriptor::to(topic, options), None).unwrap().queue.unwrap()
}

fn next(connection: &mut Connection, queue: ObjectHandle, wait: Wait) -> Result<Message, Reason> {
    let mut descriptor = MessageDescriptor::default();
    let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT | GetFlags::NO_PROPERTIES, wait);
    let got = connection.get(queue, &mut descriptor, &mut options, 1 << 20)?;
    assert_eq!(descriptor.format.as_str().trim_end(), MQFMT_ADMIN.trim_end());
    let order = ByteOrder::of_encoding(descriptor.encoding.0).unwrap();
    Ok(Message::decode(&got.body, order).unwrap())
}

/// What is told of a topic of metadata: at once, since it is retained.
fn told(connection: &mut Connection, topic: &str) -> Message {
    let queue = subscribe(connection, topic);
    next(connection, queue, WAIT).unwrap()
}

fn content(parameters: &[Parameter], identifier: i32) -> Option<&Content> {
    parameters.iter().find(|parameter| parameter.identifier == identifier).map(|found| &found.content)
}

fn text(parameters: &[Parameter], identifier: i32) -> Option<&str> {
    match content(parameters, identifier)? {
        Content::Text(text) => Some(text.trim_end()),
        _ => None,
    }
}

fn number(parameters: &[Parameter], identifier: i32) -> Option<i64> {
    match content(parameters, identifier)? {
        Content::Integer(number) => Some((*number).into()),
        Content::Integer64(number) => Some(*number),
        _ => None,
    }
}

fn groups(message: &Message, identifier: i32) -> Vec<&[Parameter]> {
    let groups = message.parameters.iter().filter(|parameter| parameter.identifier == identifier);
    groups
        .filter_map(|group| match &group.content {
            Content::Group(parameters) => Some(&parameters[..]),
            _ => None,
        })
        .collect()
}

/// The topic of a type's figures, and the numbers of its elements by what they are called.
fn find(connection: &mut Connection, class: &str, kind: &str) -> (String, Vec<(String, i32)>) {
    let classes = told(connection, "$SYS/MQ/INFO/QMGR/QM1/Monitor/METADATA/CLASSES");
    let classes = groups(&classes, MQGACF_MONITOR_CLASS);
    let found = classes.iter().find(|group| text(group, MQCAMO_MONITOR_CLASS) == Some(class)).unwrap();
    let types = told(connection, text(found, MQCA_TOPIC_STRING).unwrap());
    let types = groups(&types, MQGACF_MONITOR_TYPE);
    let found = types.iter().find(|group| text(group, MQCAMO_MONITOR_TYPE) == Some(kind)).unwrap();
    let elements = told(connection, text(found, MQCA_TOPIC_STRING).unwrap());
    let topic = text(&elements.parameters, MQCA_TOPIC_STRING).unwrap().to_owned();
    let named = groups(&elements, MQGACF_MONITOR_ELEMENT).into_iter().map(|group| {
        let element = number(group, MQIAMO_MONITOR_ELEMENT).unwrap();
        assert!(number(group, MQIAMO_MONITOR_DATATYPE) > Some(0));
        (text(group, MQCAMO_MONITOR_DESC).unwrap().to_owned(), i32::try_from(element).unwrap())
    });
    (topic, named.collect())
}

fn figure(message: &Message, elements: &[(String, i32)], name: &str) -> i64 {
    let (_, element) = elements.iter().find(|(called, _)| called == name).unwrap();
    number(&message.parameters, *element).unwrap()
}

/// A queue manager with such settings, of its monitoring.
fn open(data: &Path, settings: &str) -> QueueManager {
    let name = "QM1".parse().unwrap();
    let settings = format!("[monitoring]\n{settings}\n");
    instances::create(&DataDirectory::at(data), &name, Some(&settings)).unwrap();
    QueueManager::open(data, &name).unwrap()
}

#[test]
fn tools_find_what_there_is_and_are_told_the_figures() {
    let directory = tempfile::tempdir().unwrap();
    let queue_manager = open(directory.path(), "interval_seconds = 1");
    queue_manager.command("DEFINE QLOCAL(ORDERS)").unwrap();
    let mut tool = queue_manager.connect("tool").unwrap();
    let (processor_topic, processor) = find(&mut tool, "CPU", "SystemSummary");
    let (log_topic, log) = find(&mut tool, "DISK", "Log");
    let (put_topic, put) = find(&mut tool, "STATMQI", "PUT");
    let (queue_topic, queue) = find(&mut tool, "STATQ", "PUT");
    assert_eq!(processor_topic, "$SYS/MQ/INFO/QMGR/QM1/Monitor/CPU/SystemSummary");
    assert_eq!(queue_topic, "$SYS/MQ/INFO/QMGR/QM1/Monitor/STATQ/%s/PUT");
    let everything = subscribe(&mut tool, "#");
    let [from_processor, from_log, from_put, from_queue] =
        [processor_topic, log_topic, put_topic, queue_topic.replace("%s", "ORDERS")]
            .map(|topic| subscribe(&mut tool, &topic));

    // With the first figures of the calls begins the time of the next.
    next(&mut tool, from_put, WAIT).unwrap();
    let orders = ObjectDescriptor::queue("ORDERS".parse().unwrap());
    for _ in 0..7 {
        let mut descriptor =
            MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() };
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        tool.put1(&orders, &mut descriptor, &mut options, Bytes::from_static(b"ten bytes.")).unwrap();
    }
    let (mut calls, mut bytes, mut of_queue) = (0, 0, 0);
    while calls < 7 || of_queue < 7 {
        let told = next(&mut tool, from_put, WAIT).unwrap();
        assert_eq!(text(&told.parameters, MQCA_Q_MGR_NAME), Some("QM1"));
        assert!(number(&told.parameters, MQIAMO64_MONITOR_INTERVAL) > Some(500_000));
        calls += figure(&told, &put, "Persistent message MQPUT1 count");
        bytes += figure(&told, &put, "Put persistent messages - byte count");
        let told = next(&mut tool, from_queue, WAIT).unwrap();
        assert_eq!(text(&told.parameters, MQCA_Q_NAME), Some("ORDERS"));
        of_queue += figure(&told, &queue, "MQPUT/MQPUT1 count");
    }
    assert_eq!((calls, bytes, of_queue), (7, 70, 7), "each is told once");
    let of_processor = next(&mut tool, from_processor, WAIT).unwrap();
    assert!(figure(&of_processor, &processor, "RAM total bytes") > 0);
    let free = figure(&of_processor, &processor, "RAM free percentage");
    assert!((1..=10_000).contains(&free), "{free} hundredths of a per cent");
    let of_log = next(&mut tool, from_log, WAIT).unwrap();
    assert!(figure(&of_log, &log, "Log - bytes max") > figure(&of_log, &log, "Log - bytes in use"));
    let nothing = next(&mut tool, everything, Wait::No);
    assert_eq!(nothing, Err(Reason::NO_MSG_AVAILABLE), "# does not reach below $SYS");
}

#[test]
fn nothing_is_told_where_the_settings_say_so() {
    let directory = tempfile::tempdir().unwrap();
    let queue_manager = open(directory.path(), "system_topics = false");
    let mut tool = queue_manager.connect("tool").unwrap();
    let classes = subscribe(&mut tool, "$SYS/MQ/INFO/QMGR/QM1/Monitor/METADATA/CLASSES");
    let nothing = next(&mut tool, classes, Wait::Milliseconds(1_000));
    assert_eq!(nothing, Err(Reason::NO_MSG_AVAILABLE));
}

/// What there is on the queue of statistics last.
fn statistics(connection: &mut Connection) -> Message {
    let queue = ObjectDescriptor::queue("SYSTEM.ADMIN.STATISTICS.QUEUE".parse().unwrap());
    let queue = connection.open(&queue, OpenOptions::INPUT_AS_Q_DEF).unwrap().handle;
    let told = std::iter::from_fn(|| next(connection, queue, Wait::No).ok());
    told.last().unwrap()
}

#[test]
fn what_the_queue_manager_publishes_of_itself_is_not_counted_as_a_call_of_a_program() {
    let directory = tempfile::tempdir().unwrap();
    let queue_manager = open(directory.path(), "interval_seconds = 1");
    queue_manager.command("ALTER QMGR STATMQI(ON)").unwrap();
    queue_manager.close(Mode::Immediate);
    let queue_manager = QueueManager::open(directory.path(), &"QM1".parse().unwrap()).unwrap();
    let mut tool = queue_manager.connect("tool").unwrap();
    find(&mut tool, "STATQ", "PUT");
    queue_manager.command("RESET QMGR TYPE(STATISTICS)").unwrap();
    let told = statistics(&mut tool);
    let put = content(&told.parameters, MQIAMO_PUT1S);
    assert!(matches!(put, Some(Content::Integers(numbers)) if numbers[..] == [0, 0]), "{put:?}");
}
