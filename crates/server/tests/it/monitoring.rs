//! The topics below `$SYS`, read as tools of the family read them: from the classes to the elements, then the
//! figures. The reader is `published_form`, which shares nothing with the writer.

use std::path::Path;

use mqi::constants::*;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Reason,
    SubscribeOptions, SubscriptionDescriptor, Verbs, Wait,
};
use server::Mode;
use server::directory::DataDirectory;
use server::embedded::{Connection, QueueManager};
use server::instances;

use crate::published_form::{self, Structure, Told, Value, groups, number, text};

/// Far longer than figures let wait for themselves.
pub(crate) const WAIT: Wait = Wait::Milliseconds(30_000);

const ROOT: &str = "$SYS/MQ/INFO/QMGR/QM1/Monitor";

pub(crate) fn subscribe(connection: &mut Connection, topic: &str) -> ObjectHandle {
    let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
    connection.subscribe(&SubscriptionDescriptor::to(topic, options), None).unwrap().queue.unwrap()
}

pub(crate) fn next(connection: &mut Connection, queue: ObjectHandle, wait: Wait) -> Result<Told, Reason> {
    let mut descriptor = MessageDescriptor::default();
    let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT | GetFlags::NO_PROPERTIES, wait);
    let got = connection.get(queue, &mut descriptor, &mut options, 1 << 20)?;
    assert_eq!(descriptor.format.as_str().trim_end(), MQFMT_ADMIN.trim_end());
    let told = published_form::read(&got.body);
    assert_eq!((told.kind, told.header[0]), (MQCFT_STATISTICS, MQCFH_VERSION_3));
    Ok(told)
}

/// Structures of a topic of metadata: at once, since they are retained.
fn told(connection: &mut Connection, topic: &str) -> Vec<Structure> {
    let queue = subscribe(connection, topic);
    next(connection, queue, WAIT).unwrap().structures
}

/// A type of figures as its metadata describe it.
#[derive(Clone, Debug)]
pub(crate) struct Described {
    pub(crate) class: String,
    pub(crate) kind: String,
    /// Where its figures are; `%s` stands for a queue.
    pub(crate) topic: String,
    /// The number, the name and the unit of each element.
    pub(crate) elements: Vec<(i32, String, i64)>,
}

/// The parameters of structures, in order.
fn parameters(structures: &[Structure]) -> Vec<i32> {
    structures.iter().map(|structure| structure.parameter).collect()
}

/// Every type that the metadata describe, each message in the published order.
pub(crate) fn described(connection: &mut Connection) -> Vec<Described> {
    let mut all = Vec::new();
    let classes = told(connection, &format!("{ROOT}/METADATA/CLASSES"));
    assert!(parameters(&classes).iter().all(|parameter| *parameter == MQGACF_MONITOR_CLASS));
    for class in groups(&classes, MQGACF_MONITOR_CLASS) {
        let name = text(class, MQCAMO_MONITOR_CLASS).unwrap().to_owned();
        let flags = number(class, MQIAMO_MONITOR_FLAGS).unwrap();
        let types = told(connection, text(class, MQCA_TOPIC_STRING).unwrap());
        let order = parameters(&types);
        assert_eq!(order[..2], [MQIAMO_MONITOR_CLASS, MQIAMO_MONITOR_FLAGS], "{name}");
        assert!(order[2..].iter().all(|parameter| *parameter == MQGACF_MONITOR_TYPE), "{name}");
        assert_eq!(number(&types, MQIAMO_MONITOR_FLAGS), Some(flags), "{name}");
        assert_eq!(number(&types, MQIAMO_MONITOR_CLASS), number(class, MQIAMO_MONITOR_CLASS), "{name}");
        for kind in groups(&types, MQGACF_MONITOR_TYPE) {
            let called = text(kind, MQCAMO_MONITOR_TYPE).unwrap().to_owned();
            let elements = told(connection, text(kind, MQCA_TOPIC_STRING).unwrap());
            let order = parameters(&elements);
            assert_eq!(order[..2], [MQIAMO_MONITOR_CLASS, MQIAMO_MONITOR_TYPE], "{name} {called}");
            assert_eq!(order.last(), Some(&MQCA_TOPIC_STRING), "{name} {called}");
            let between = &order[2..order.len() - 1];
            assert!(between.iter().all(|parameter| *parameter == MQGACF_MONITOR_ELEMENT), "{name} {called}");
            let topic = text(&elements, MQCA_TOPIC_STRING).unwrap().to_owned();
            assert_eq!(topic.contains("/%s/"), flags == i64::from(MQIAMO_MONITOR_FLAGS_OBJNAME), "{topic}");
            let named = groups(&elements, MQGACF_MONITOR_ELEMENT).into_iter().map(|group| {
                let element = i32::try_from(number(group, MQIAMO_MONITOR_ELEMENT).unwrap()).unwrap();
                let unit = number(group, MQIAMO_MONITOR_DATATYPE).unwrap();
                assert!(unit > 0);
                (element, text(group, MQCAMO_MONITOR_DESC).unwrap().to_owned(), unit)
            });
            all.push(Described { class: name.clone(), kind: called, topic, elements: named.collect() });
        }
    }
    all
}

/// A queue manager with such settings, of its monitoring and others.
pub(crate) fn open(data: &Path, settings: &str) -> QueueManager {
    let name = "QM1".parse().unwrap();
    let settings = format!("[monitoring]\n{settings}\n");
    instances::create(&DataDirectory::at(data), &name, Some(&settings)).unwrap();
    QueueManager::open(data, &name).unwrap()
}

#[test]
fn the_metadata_lead_from_the_classes_to_every_topic_of_figures() {
    let directory = tempfile::tempdir().unwrap();
    let queue_manager = open(directory.path(), "interval_seconds = 1");
    let mut tool = queue_manager.connect("tool").unwrap();
    let described = described(&mut tool);
    let topic = |class: &str, kind: &str| {
        let found = described.iter().find(|found| found.class == class && found.kind == kind);
        found.unwrap_or_else(|| panic!("{class} {kind}")).topic.clone()
    };
    assert_eq!(topic("CPU", "SystemSummary"), format!("{ROOT}/CPU/SystemSummary"));
    assert_eq!(topic("STATQ", "GENERAL"), format!("{ROOT}/STATQ/%s/GENERAL"));
    let elements: usize = described.iter().map(|kind| kind.elements.len()).sum();
    assert!(elements >= 120, "{elements}");

    let everything = subscribe(&mut tool, "#");
    let put = subscribe(&mut tool, &topic("STATMQI", "PUT"));
    let first = next(&mut tool, put, WAIT).unwrap().structures;
    let Some(Value::Text(manager)) = published_form::value(&first, MQCA_Q_MGR_NAME) else {
        panic!("{first:?}")
    };
    assert_eq!(*manager, format!("{:48}", "QM1"));
    assert!(number(&first, MQIAMO64_MONITOR_INTERVAL) > Some(500_000));
    let nothing = next(&mut tool, everything, Wait::No).map(|told| told.header);
    assert_eq!(nothing, Err(Reason::NO_MSG_AVAILABLE), "# does not reach below $SYS");
}

#[test]
fn nothing_is_told_where_the_settings_say_so() {
    let directory = tempfile::tempdir().unwrap();
    let queue_manager = open(directory.path(), "system_topics = false");
    let mut tool = queue_manager.connect("tool").unwrap();
    let classes = subscribe(&mut tool, &format!("{ROOT}/METADATA/CLASSES"));
    let nothing = next(&mut tool, classes, Wait::Milliseconds(1_000)).map(|told| told.header);
    assert_eq!(nothing, Err(Reason::NO_MSG_AVAILABLE));
}

/// The last message on the queue of statistics.
fn statistics(connection: &mut Connection) -> Vec<Structure> {
    let queue = ObjectDescriptor::queue("SYSTEM.ADMIN.STATISTICS.QUEUE".parse().unwrap());
    let queue = connection.open(&queue, OpenOptions::INPUT_AS_Q_DEF).unwrap().handle;
    let told = std::iter::from_fn(|| next(connection, queue, Wait::No).ok());
    told.last().unwrap().structures
}

#[test]
fn what_the_queue_manager_publishes_of_itself_is_not_counted_as_a_call_of_a_program() {
    let directory = tempfile::tempdir().unwrap();
    let queue_manager = open(directory.path(), "interval_seconds = 1");
    queue_manager.command("ALTER QMGR STATMQI(ON)").unwrap();
    queue_manager.close(Mode::Immediate);
    let queue_manager = QueueManager::open(directory.path(), &"QM1".parse().unwrap()).unwrap();
    let mut tool = queue_manager.connect("tool").unwrap();
    described(&mut tool);
    queue_manager.command("RESET QMGR TYPE(STATISTICS)").unwrap();
    let told = statistics(&mut tool);
    assert_eq!(published_form::value(&told, MQIAMO_PUT1S), Some(&Value::Numbers(vec![0, 0])));
}
