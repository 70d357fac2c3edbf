//! The command server: commands as messages, as inquiry tools send them.

use bytes::Bytes;
use mqi::constants::*;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, MessageType, ObjectDescriptor, ObjectHandle, ObjectName,
    OpenOptions, PutFlags, PutOptions, Reason, Text, Verbs, Wait,
};
use objects::pcf::{ByteOrder, Content, Header, Message, Parameter};
use server::embedded::{Connection, Listeners, QueueManager};
use server::{DataDirectory, instances};

use crate::published_form::{self, Value};

const ORDER: ByteOrder = ByteOrder::Little;

/// A tool that asks: a connection, and a queue of its own for the answers.
struct Tool {
    connection: Connection,
    answers: ObjectHandle,
    answers_name: ObjectName,
}

impl Tool {
    fn new(queue_manager: &QueueManager) -> Self {
        let mut connection = queue_manager.connect("tool").unwrap();
        let model = ObjectDescriptor::queue("SYSTEM.DEFAULT.MODEL.QUEUE".parse().unwrap());
        let opened = connection.open(&model, OpenOptions::INPUT_EXCLUSIVE).unwrap();
        Self { connection, answers: opened.handle, answers_name: opened.object_name }
    }

    /// Puts a command and gets the answers to it, the last included.
    fn ask(&mut self, command: i32, parameters: Vec<Parameter>) -> Vec<Message> {
        let answers = self.ask_for_bytes(command, parameters);
        answers.iter().map(|answer| Message::decode(answer, ORDER).unwrap()).collect()
    }

    /// The same, as the bytes that came.
    fn ask_for_bytes(&mut self, command: i32, parameters: Vec<Parameter>) -> Vec<Bytes> {
        self.ask_naming(None, command, parameters)
    }

    /// The same of a command whose putter names a user by its right to set identities.
    fn ask_naming(&mut self, user: Option<&str>, command: i32, parameters: Vec<Parameter>) -> Vec<Bytes> {
        let sent = self.send_naming(user, command, parameters);
        let mut answers: Vec<Bytes> = Vec::new();
        let is_last = |answer: &Bytes| published_form::read(answer).header[3] == MQCFC_LAST;
        while !answers.last().is_some_and(is_last) {
            let mut answer = MessageDescriptor::default();
            let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Milliseconds(20_000));
            let got = self.connection.get(self.answers, &mut answer, &mut options, 1 << 20).unwrap();
            assert_eq!(answer.correlation_id.0, sent.message_id.0);
            assert_eq!(answer.message_type, MessageType::REPLY);
            answers.push(got.body);
        }
        answers
    }

    /// Puts a command, and waits for no answer.
    fn send_naming(
        &mut self,
        user: Option<&str>,
        command: i32,
        parameters: Vec<Parameter>,
    ) -> MessageDescriptor {
        let body = Message { header: Header::command(command), parameters }.encode(ORDER);
        let mut descriptor = MessageDescriptor {
            message_type: MessageType::REQUEST,
            format: Text::from_padded(MQFMT_ADMIN.as_bytes()),
            reply_to_queue: self.answers_name.into(),
            user_identifier: user.map_or(Text::BLANK, Text::truncated),
            ..MessageDescriptor::default()
        };
        let queue = ObjectDescriptor::queue("SYSTEM.ADMIN.COMMAND.QUEUE".parse().unwrap());
        let context = if user.is_some() { PutFlags::SET_IDENTITY_CONTEXT } else { PutFlags::EMPTY };
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | context);
        self.connection.put1(&queue, &mut descriptor, &mut options, Bytes::from(body)).unwrap();
        descriptor
    }

    /// The user that its messages say they are of.
    fn user(&mut self) -> String {
        let queue = ObjectDescriptor::queue("ORDERS".parse().unwrap());
        let mut descriptor = MessageDescriptor::default();
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        self.connection.put1(&queue, &mut descriptor, &mut options, Bytes::new()).unwrap();
        descriptor.user_identifier.as_str().to_owned()
    }

    /// The reason of the only answer, or of the last line of an escaped command.
    fn reason(&mut self, command: i32, parameters: Vec<Parameter>) -> i32 {
        let answers = self.ask(command, parameters);
        assert!(answers.len() == 1 || command == MQCMD_ESCAPE, "{answers:?}");
        answers.last().expect("an answer").header.reason
    }
}

#[test]
fn a_command_has_the_rights_of_the_administrator_who_put_it_and_not_of_one_that_it_names() {
    let (_directory, queue_manager) = opened();
    let mut tool = Tool::new(&queue_manager);
    let local = || Parameter::integer(MQIA_Q_TYPE, MQQT_LOCAL);
    assert_eq!(tool.reason(MQCMD_CREATE_Q, vec![queue("ORDERS"), local()]), MQRC_NONE);
    let rule = "SET AUTHREC PRINCIPAL('ada') OBJTYPE(QMGR) AUTHADD(CONNECT)";
    let escape = |text: &str| {
        vec![Parameter::integer(MQIACF_ESCAPE_TYPE, MQET_MQSC), Parameter::text(MQCACF_ESCAPE_TEXT, text)]
    };
    assert_eq!(tool.reason(MQCMD_ESCAPE, escape(rule)), MQRC_NONE);
    // An answer goes where the user of the command may put: the next one that comes is another's.
    tool.send_naming(Some("ada"), MQCMD_PING_Q_MGR, vec![]);
    assert_eq!(tool.reason(MQCMD_PING_Q_MGR, vec![]), MQRC_NONE);
    let answers = tool.answers_name;
    let rule = format!("SET AUTHREC PROFILE('{answers}') OBJTYPE(QUEUE) GROUP('nobody') AUTHADD(PUT)");
    let itself = tool.user();
    assert_eq!(tool.reason(MQCMD_ESCAPE, escape(&rule)), MQRC_NONE);

    // From the first record on, requests are judged.
    assert_eq!(tool.reason(MQCMD_CREATE_Q, vec![queue("AFTER"), local()]), MQRC_NONE);
    for named in [itself.trim_end(), "ada"] {
        let answers = tool.ask_naming(Some(named), MQCMD_CREATE_Q, vec![queue("NAMED"), local()]);
        let answer = Message::decode(&answers[0], ORDER).unwrap();
        assert_eq!(answer.header.reason, MQRC_NOT_AUTHORIZED, "naming {named}");
    }
    let absent = tool.ask(MQCMD_INQUIRE_Q, vec![queue("NAMED")]);
    assert_eq!(absent[0].header.reason, MQRC_UNKNOWN_OBJECT_NAME);
}

fn find(message: &Message, identifier: i32) -> &Content {
    let found = message.parameters.iter().find(|parameter| parameter.identifier == identifier);
    &found.unwrap_or_else(|| panic!("no {identifier} in {message:?}")).content
}

fn queue(name: &str) -> Parameter {
    Parameter::text(MQCA_Q_NAME, name)
}

fn opened() -> (tempfile::TempDir, QueueManager) {
    let directory = tempfile::tempdir().unwrap();
    let queue_manager = QueueManager::open(directory.path(), &"QM1".parse().unwrap()).unwrap();
    (directory, queue_manager)
}

#[test]
fn an_inquiry_tool_finds_its_way() {
    let (_directory, queue_manager) = opened();
    let mut tool = Tool::new(&queue_manager);
    assert_eq!(tool.reason(MQCMD_PING_Q_MGR, vec![]), MQRC_NONE);

    let manager = tool.ask(MQCMD_INQUIRE_Q_MGR, vec![]);
    assert_eq!(find(&manager[0], MQCA_Q_MGR_NAME), &Content::Text("QM1".into()));
    assert_eq!(find(&manager[0], MQIA_PLATFORM), &Content::Integer(MQPL_UNIX));
    let status = tool.ask(MQCMD_INQUIRE_Q_MGR_STATUS, vec![]);
    assert_eq!(find(&status[0], MQIACF_CMD_SERVER_STATUS), &Content::Integer(MQSVC_STATUS_RUNNING));

    let local = || Parameter::integer(MQIA_Q_TYPE, MQQT_LOCAL);
    let depth = |depth| Parameter::integer(MQIA_MAX_Q_DEPTH, depth);
    assert_eq!(tool.reason(MQCMD_CREATE_Q, vec![queue("ORDERS"), local(), depth(7)]), MQRC_NONE);
    assert_eq!(tool.reason(MQCMD_CREATE_Q, vec![queue("ORDERS"), local()]), MQRCCF_OBJECT_ALREADY_EXISTS);
    assert_eq!(tool.reason(MQCMD_CHANGE_Q, vec![queue("ORDERS"), local(), depth(8)]), MQRC_NONE);
    let copy = vec![
        Parameter::text(MQCACF_FROM_Q_NAME, "ORDERS"),
        Parameter::text(MQCACF_TO_Q_NAME, "ORDERS.COPY"),
        local(),
    ];
    assert_eq!(tool.reason(MQCMD_COPY_Q, copy), MQRC_NONE);

    let found = tool.ask(MQCMD_INQUIRE_Q, vec![queue("ORDERS*"), local()]);
    assert_eq!(found.len(), 2);
    for (index, (answer, name)) in found.iter().zip(["ORDERS", "ORDERS.COPY"]).enumerate() {
        assert_eq!(find(answer, MQCA_Q_NAME), &Content::Text(name.into()));
        assert_eq!(find(answer, MQIA_MAX_Q_DEPTH), &Content::Integer(8));
        assert_eq!(answer.header.sequence, index as i32 + 1);
    }
    let names = tool.ask(MQCMD_INQUIRE_Q_NAMES, vec![queue("ORDERS*")]);
    assert_eq!(find(&names[0], MQCACF_Q_NAMES), &Content::Texts(vec!["ORDERS".into(), "ORDERS.COPY".into()]));
    let status = tool.ask(MQCMD_INQUIRE_Q_STATUS, vec![queue("ORDERS")]);
    assert_eq!(find(&status[0], MQIA_CURRENT_Q_DEPTH), &Content::Integer(0));

    assert_eq!(tool.reason(MQCMD_CLEAR_Q, vec![queue("ORDERS")]), MQRC_NONE);
    assert_eq!(tool.reason(MQCMD_DELETE_Q, vec![queue("ORDERS")]), MQRC_NONE);
    assert_eq!(tool.reason(MQCMD_INQUIRE_Q, vec![queue("ORDERS")]), MQRC_UNKNOWN_OBJECT_NAME);
}

#[test]
fn channels_and_other_objects_are_asked_for_alike() {
    let (_directory, queue_manager) = opened();
    let mut tool = Tool::new(&queue_manager);
    let name = |name: &str| Parameter::text(MQCACH_CHANNEL_NAME, name);
    let server = || Parameter::integer(MQIACH_CHANNEL_TYPE, MQCHT_SVRCONN);
    assert_eq!(tool.reason(MQCMD_CREATE_CHANNEL, vec![name("APPS"), server()]), MQRC_NONE);
    let channels = tool.ask(MQCMD_INQUIRE_CHANNEL, vec![name("APPS")]);
    assert_eq!(find(&channels[0], MQIACH_SHARING_CONVERSATIONS), &Content::Integer(10));
    assert_eq!(tool.reason(MQCMD_INQUIRE_CHANNEL, vec![name("NONE")]), MQRCCF_CHANNEL_NOT_FOUND);
    assert_eq!(tool.reason(MQCMD_STOP_CHANNEL, vec![name("APPS")]), MQRC_NONE);
    assert_eq!(tool.reason(MQCMD_START_CHANNEL, vec![name("APPS")]), MQRC_NONE);
    assert_eq!(tool.reason(MQCMD_START_CHANNEL, vec![name("NONE")]), MQRCCF_CHANNEL_NOT_FOUND);
    assert_eq!(tool.reason(MQCMD_INQUIRE_CHANNEL_STATUS, vec![name("*")]), MQRCCF_CHL_STATUS_NOT_FOUND);
    let receiver = Parameter::integer(MQIACH_CHANNEL_TYPE, MQCHT_RECEIVER);
    assert_eq!(tool.reason(MQCMD_CREATE_CHANNEL, vec![name("FROM.QM2"), receiver]), MQRC_NONE);
    assert_eq!(tool.reason(MQCMD_START_CHANNEL, vec![name("FROM.QM2")]), MQRCCF_CHANNEL_NOT_STARTED);
    let list = vec![
        Parameter::text(MQCA_NAMELIST_NAME, "LIST"),
        Parameter::new(MQCA_NAMES, Content::Texts(vec!["A".into(), "B.C".into()])),
    ];
    assert_eq!(tool.reason(MQCMD_CREATE_NAMELIST, list), MQRC_NONE);
    let lists = tool.ask(MQCMD_INQUIRE_NAMELIST, vec![Parameter::text(MQCA_NAMELIST_NAME, "LIST")]);
    assert_eq!(find(&lists[0], MQCA_NAMES), &Content::Texts(vec!["A".into(), "B.C".into()]));

    let escape = vec![
        Parameter::integer(MQIACF_ESCAPE_TYPE, MQET_MQSC),
        Parameter::text(MQCACF_ESCAPE_TEXT, "DISPLAY CHANNEL(APPS) SHARECNV"),
    ];
    let answers = tool.ask(MQCMD_ESCAPE, escape);
    let Content::Text(text) = find(&answers[0], MQCACF_ESCAPE_TEXT) else { panic!() };
    assert!(text.contains("SHARECNV(10)"), "{text}");
}

#[test]
fn an_inquiry_of_connections_tells_the_channel_by_which_each_came() {
    let directory = tempfile::tempdir().unwrap();
    let data = DataDirectory::at(directory.path());
    let name = "QM1".parse().unwrap();
    instances::create(&data, &name, Some("[listener]\naddresses = []\n")).unwrap();
    let queue_manager = QueueManager::open_with(directory.path(), &name, Listeners::AsConfigured).unwrap();
    let mut tool = Tool::new(&queue_manager);
    let defined = queue_manager.command("DEFINE CHANNEL(APPS) CHLTYPE(SVRCONN)").unwrap();
    assert!(defined.iter().all(objects::Response::is_ok), "{defined:?}");
    let socket = client::Address::Unix(data.folder(&name).socket());
    let options = |program: &str| client::Options::to(socket.clone()).application(program);
    let _named = client::Connection::connect(options("named").channel("APPS")).unwrap();
    let _unnamed = client::Connection::connect(options("unnamed")).unwrap();
    let all = Parameter::new(MQBACF_GENERIC_CONNECTION_ID, Content::Bytes(Vec::new()));
    let answers = tool.ask(MQCMD_INQUIRE_CONNECTION, vec![all]);
    let text = |answer: &Message, identifier| match find(answer, identifier) {
        Content::Text(text) => text.trim_end().to_owned(),
        other => panic!("{other:?}"),
    };
    for (program, channel) in [("named", "APPS"), ("unnamed", "")] {
        let of_program = |answer: &&Message| text(answer, MQCACF_APPL_TAG) == program;
        let shown: Vec<_> =
            answers.iter().filter(of_program).map(|answer| text(answer, MQCACH_CHANNEL_NAME)).collect();
        assert_eq!(shown, [channel], "{program}");
    }
}

#[test]
fn a_message_that_is_no_command_is_gone_and_the_next_is_served() {
    let (_directory, queue_manager) = opened();
    let mut tool = Tool::new(&queue_manager);
    let commands = ObjectDescriptor::queue("SYSTEM.ADMIN.COMMAND.QUEUE".parse().unwrap());
    for body in [&b"no command"[..], b""] {
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        let mut descriptor = MessageDescriptor::default();
        let body = Bytes::copy_from_slice(body);
        tool.connection.put1(&commands, &mut descriptor, &mut options, body).unwrap();
    }
    assert_eq!(tool.reason(MQCMD_PING_Q_MGR, vec![]), MQRC_NONE);
    let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let nothing = tool.connection.get(tool.answers, &mut MessageDescriptor::default(), &mut options, 1_000);
    assert_eq!(nothing.err(), Some(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn events_tell_whose_commands_came_as_messages_and_as_text() {
    let (_directory, queue_manager) = opened();
    queue_manager.command("CLEAR QLOCAL(SYSTEM.ADMIN.COMMAND.EVENT)").unwrap();
    queue_manager.command("CLEAR QLOCAL(SYSTEM.ADMIN.CONFIG.EVENT)").unwrap();
    queue_manager.command("ALTER QMGR CMDEV(NODISPLAY) CONFIGEV(ENABLED)").unwrap();
    let mut tool = Tool::new(&queue_manager);
    let parameters = vec![queue("ORDERS"), Parameter::integer(MQIA_Q_TYPE, MQQT_LOCAL)];
    assert_eq!(tool.reason(MQCMD_CREATE_Q, parameters.clone()), MQRC_NONE);
    let text = "DEFINE QLOCAL(INVOICES)";
    let escape =
        vec![Parameter::integer(MQIACF_ESCAPE_TYPE, MQET_MQSC), Parameter::text(MQCACF_ESCAPE_TEXT, text)];
    tool.ask(MQCMD_ESCAPE, escape);
    let mut reader = queue_manager.connect("reader").unwrap();
    let mut events = |name: &str| -> Vec<Message> {
        let queue = ObjectDescriptor::queue(name.parse().unwrap());
        let handle = reader.open(&queue, OpenOptions::INPUT_SHARED).unwrap().handle;
        let mut events = Vec::new();
        loop {
            let mut descriptor = MessageDescriptor::default();
            let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            match reader.get(handle, &mut descriptor, &mut options, 1 << 20) {
                Ok(got) => events.push(Message::decode(&got.body, ORDER).unwrap()),
                Err(reason) => {
                    assert_eq!(reason, Reason::NO_MSG_AVAILABLE);
                    return events;
                }
            }
        }
    };
    let group = |event: &Message, identifier: i32| match find(event, identifier) {
        Content::Group(parameters) => parameters.clone(),
        other => panic!("{other:?}"),
    };
    let commands = events("SYSTEM.ADMIN.COMMAND.EVENT");
    let reasons: Vec<i32> = commands.iter().map(|event| event.header.reason).collect();
    assert_eq!(reasons, [MQRC_COMMAND_PCF, MQRC_COMMAND_MQSC]);
    assert_eq!(group(&commands[0], MQGACF_COMMAND_DATA), parameters);
    let user = Parameter::text(MQCACF_EVENT_USER_ID, tool.user().trim_end());
    for event in &commands {
        let context = group(event, MQGACF_COMMAND_CONTEXT);
        assert!(context.contains(&user), "{user:?} in {context:?}");
        assert!(context.contains(&Parameter::integer(MQIACF_EVENT_ORIGIN, MQEVO_MSG)), "{context:?}");
        assert!(context.contains(&Parameter::integer(MQIACF_COMMAND, MQCMD_CREATE_Q)), "{context:?}");
    }
    let made = events("SYSTEM.ADMIN.CONFIG.EVENT");
    assert_eq!(made.len(), 2);
    for event in &made {
        assert_eq!(event.header.reason, MQRC_CONFIG_CREATE_OBJECT);
        assert_eq!(*find(event, MQCACF_EVENT_USER_ID), user.content);
    }
}

/// The lengths of all texts of a parameter, wherever they stand.
fn lengths_of(structures: &[published_form::Structure], parameter: i32) -> Vec<usize> {
    let mut found = Vec::new();
    for structure in structures {
        match &structure.value {
            Value::Text(text) if structure.parameter == parameter => found.push(text.len()),
            Value::Texts(texts) if structure.parameter == parameter => {
                found.extend(texts.iter().map(String::len));
            }
            Value::Condition { text, operator: MQCFOP_NOT_LIKE } if structure.parameter == parameter => {
                found.push(text.len());
            }
            Value::Group(inner) => found.extend(lengths_of(inner, parameter)),
            _ => {}
        }
    }
    found
}

#[test]
fn answers_events_and_statistics_have_texts_of_the_length_of_their_parameter() {
    let (_directory, queue_manager) = opened();
    let run = |command: &str| {
        let answers = queue_manager.command(command).unwrap();
        assert!(answers.iter().all(objects::Response::is_ok), "{command}: {answers:?}");
    };
    for name in ["SYSTEM.ADMIN.COMMAND.EVENT", "SYSTEM.ADMIN.CONFIG.EVENT", "SYSTEM.ADMIN.PERFM.EVENT"] {
        run(&format!("CLEAR QLOCAL({name})"));
    }
    run("ALTER QMGR CMDEV(ENABLED) CONFIGEV(ENABLED) PERFMEV(ENABLED) STATQ(ON) STATMQI(ON)");
    run("DEFINE QLOCAL(ORDERS) MAXDEPTH(1) QDPMAXEV(ENABLED) STATQ(ON)");
    run("DEFINE NAMELIST(LIST) NAMES(A,B.C)");
    run("DEFINE CHANNEL(APPS) CHLTYPE(SVRCONN) SENDEXIT('e(x)') SENDDATA('x')");
    let mut tool = Tool::new(&queue_manager);
    let orders = ObjectDescriptor::queue("ORDERS".parse().unwrap());
    let puts = [(); 2].map(|()| {
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        tool.connection.put1(&orders, &mut MessageDescriptor::default(), &mut options, Bytes::new())
    });
    assert_eq!(puts, [Ok(()), Err(Reason::Q_FULL)]);
    let filter = Parameter::new(MQCA_Q_DESC, Content::TextFilter(MQCFOP_NOT_LIKE, "x*".into()));
    for (command, parameters, expected) in [
        (MQCMD_INQUIRE_Q_NAMES, vec![queue("*")], vec![(MQCACF_Q_NAMES, 48)]),
        (MQCMD_INQUIRE_Q, vec![queue("ORDERS"), filter], vec![(MQCA_Q_NAME, 48), (MQCA_Q_DESC, 64)]),
        (
            MQCMD_INQUIRE_NAMELIST,
            vec![Parameter::text(MQCA_NAMELIST_NAME, "LIST")],
            vec![(MQCA_NAMES, 48), (MQCA_NAMELIST_NAME, 48)],
        ),
        (
            MQCMD_INQUIRE_CHANNEL,
            vec![Parameter::text(MQCACH_CHANNEL_NAME, "APPS")],
            vec![
                (MQCACH_CHANNEL_NAME, 20),
                (MQCACH_SEND_EXIT_NAME, 128),
                (MQCACH_SEND_EXIT_USER_DATA, 32),
                (MQCA_ALTERATION_DATE, 12),
            ],
        ),
        (
            MQCMD_INQUIRE_CHANNEL_NAMES,
            vec![Parameter::text(MQCACH_CHANNEL_NAME, "APPS")],
            vec![(MQCACH_CHANNEL_NAMES, 20)],
        ),
    ] {
        let answers = tool.ask_for_bytes(command, parameters);
        let answer = published_form::read(&answers[0]).structures;
        for (parameter, length) in expected {
            let found = lengths_of(&answer, parameter);
            assert!(
                !found.is_empty() && found.iter().all(|found| *found == length),
                "{parameter}: {found:?}"
            );
        }
    }
    run("RESET QMGR TYPE(STATISTICS)");
    for (name, expected) in [
        (
            "SYSTEM.ADMIN.COMMAND.EVENT",
            vec![(MQCACF_EVENT_USER_ID, 12), (MQCA_Q_NAME, 48), (MQCA_Q_DESC, 64)],
        ),
        ("SYSTEM.ADMIN.CONFIG.EVENT", vec![(MQCACF_EVENT_Q_MGR, 48), (MQCA_NAMES, 48)]),
        ("SYSTEM.ADMIN.PERFM.EVENT", vec![(MQCA_BASE_OBJECT_NAME, 48), (MQCA_Q_MGR_NAME, 48)]),
        (
            "SYSTEM.ADMIN.STATISTICS.QUEUE",
            vec![(MQCA_Q_NAME, 48), (MQCAMO_START_DATE, 12), (MQCAMO_END_TIME, 8), (MQCA_CREATION_DATE, 12)],
        ),
    ] {
        let queue = ObjectDescriptor::queue(name.parse().unwrap());
        let handle = tool.connection.open(&queue, OpenOptions::INPUT_SHARED).unwrap().handle;
        let mut got = Vec::new();
        loop {
            let mut descriptor = MessageDescriptor::default();
            let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            let Ok(message) = tool.connection.get(handle, &mut descriptor, &mut options, 1 << 20) else {
                break;
            };
            got.extend(published_form::read(&message.body).structures);
        }
        for (parameter, length) in expected {
            let found = lengths_of(&got, parameter);
            assert!(
                !found.is_empty() && found.iter().all(|found| *found == length),
                "{name} {parameter}: {found:?}"
            );
        }
    }
}

#[test]
fn subscriptions_that_are_not_there_or_are_have_reasons_of_their_own() {
    let (_directory, queue_manager) = opened();
    queue_manager.command("DEFINE QLOCAL(ORDERS)").unwrap();
    let mut tool = Tool::new(&queue_manager);
    let name = |name: &str| Parameter::text(MQCACF_SUB_NAME, name);
    let made = |sub: &str| {
        vec![
            name(sub),
            Parameter::text(MQCA_TOPIC_STRING, "price"),
            Parameter::text(MQCACF_DESTINATION, "ORDERS"),
        ]
    };
    assert_eq!(tool.reason(MQCMD_CREATE_SUBSCRIPTION, made("one")), MQRC_NONE);
    for (command, parameters, expected) in [
        (MQCMD_CREATE_SUBSCRIPTION, made("one"), MQRCCF_SUB_ALREADY_EXISTS),
        (MQCMD_INQUIRE_SUBSCRIPTION, vec![name("none")], MQRC_NO_SUBSCRIPTION),
        (MQCMD_INQUIRE_SUBSCRIPTION, vec![name("none*")], MQRC_NO_SUBSCRIPTION),
        (
            MQCMD_INQUIRE_SUBSCRIPTION,
            vec![Parameter::new(MQBACF_SUB_ID, Content::Bytes(vec![7; 24]))],
            MQRC_NO_SUBSCRIPTION,
        ),
        (MQCMD_INQUIRE_SUB_STATUS, vec![name("none")], MQRC_NO_SUBSCRIPTION),
        (MQCMD_CHANGE_SUBSCRIPTION, vec![name("none")], MQRC_NO_SUBSCRIPTION),
        (MQCMD_DELETE_SUBSCRIPTION, vec![name("none")], MQRC_NO_SUBSCRIPTION),
        (
            MQCMD_COPY_SUBSCRIPTION,
            vec![Parameter::text(MQCACF_FROM_SUB_NAME, "none"), Parameter::text(MQCACF_TO_SUB_NAME, "two")],
            MQRC_NO_SUBSCRIPTION,
        ),
        (
            MQCMD_COPY_SUBSCRIPTION,
            vec![Parameter::text(MQCACF_FROM_SUB_NAME, "one"), Parameter::text(MQCACF_TO_SUB_NAME, "one")],
            MQRCCF_SUB_ALREADY_EXISTS,
        ),
        (MQCMD_DELETE_SUBSCRIPTION, vec![name("one")], MQRC_NONE),
        (MQCMD_DELETE_SUBSCRIPTION, vec![name("one")], MQRC_NO_SUBSCRIPTION),
    ] {
        assert_eq!(tool.reason(command, parameters.clone()), expected, "{command} {parameters:?}");
    }
}

#[test]
fn the_status_of_the_queue_manager_names_its_host() {
    let (_directory, queue_manager) = opened();
    let mut tool = Tool::new(&queue_manager);
    let status = tool.ask(MQCMD_INQUIRE_Q_MGR_STATUS, vec![]);
    let machine = rustix::system::uname().nodename().to_string_lossy().into_owned();
    assert!(!machine.is_empty());
    assert_eq!(find(&status[0], MQCACF_HOST_NAME), &Content::Text(machine.clone()));
    let shown = queue_manager.command("DISPLAY QMSTATUS HOSTNAME").unwrap();
    assert!(shown[0].to_string().contains(&format!("HOSTNAME({machine})")), "{}", shown[0]);
}
