//! Commands in binary form: each is judged like the same command in text.
//!
//! A user without rights tries a command, is given the right that the refusal names, and tries again until
//! nothing more is missing. Both forms climb the same steps.

use mqi::constants::*;
use mqi::ours::*;
use objects::pcf::{self, Content, Header, Message, Parameter};
use objects::{Command, mqsc};
use queue_manager::Issuer;
use security::authority::{ObjectType, Set};

use crate::support::{Bench, principal};

/// Most rights that one command can lack.
const STEPS_MAX: usize = 12;

/// A command: its number and parameters, and its text.
type Case = (i32, Vec<Parameter>, String);

/// The commands on the objects of a family.
struct Family {
    /// Inquire, inquire names, create, change, copy, delete; zero for one there is not.
    numbers: [i32; 6],
    /// The parameters of a name, of the object copied and of the copy.
    names: [i32; 3],
    /// The type, where the family has several.
    kind: Option<(i32, i32)>,
    /// The word of the type, its name among others.
    word: &'static str,
    /// The rest of a definition, in both forms.
    rest: (&'static str, Vec<Parameter>),
    /// The parameter of the description, and its word.
    changed: (i32, &'static str),
}

fn families() -> Vec<Family> {
    let (text, integer) = (Parameter::text, Parameter::integer);
    let plain = |numbers, names, word, changed| Family {
        numbers,
        names,
        kind: None,
        word,
        rest: ("", Vec::new()),
        changed,
    };
    vec![
        Family {
            kind: Some((MQIA_Q_TYPE, MQQT_LOCAL)),
            ..plain(
                [
                    MQCMD_INQUIRE_Q,
                    MQCMD_INQUIRE_Q_NAMES,
                    MQCMD_CREATE_Q,
                    MQCMD_CHANGE_Q,
                    MQCMD_COPY_Q,
                    MQCMD_DELETE_Q,
                ],
                [MQCA_Q_NAME, MQCACF_FROM_Q_NAME, MQCACF_TO_Q_NAME],
                "QLOCAL",
                (MQCA_Q_DESC, "DESCR"),
            )
        },
        Family {
            kind: Some((MQIACH_CHANNEL_TYPE, MQCHT_SVRCONN)),
            rest: (" CHLTYPE(SVRCONN)", Vec::new()),
            ..plain(
                [
                    MQCMD_INQUIRE_CHANNEL,
                    MQCMD_INQUIRE_CHANNEL_NAMES,
                    MQCMD_CREATE_CHANNEL,
                    MQCMD_CHANGE_CHANNEL,
                    MQCMD_COPY_CHANNEL,
                    MQCMD_DELETE_CHANNEL,
                ],
                [MQCACH_CHANNEL_NAME, MQCACF_FROM_CHANNEL_NAME, MQCACF_TO_CHANNEL_NAME],
                "CHANNEL",
                (MQCACH_DESC, "DESCR"),
            )
        },
        Family {
            kind: Some((MQIA_AUTH_INFO_TYPE, MQAIT_CRL_LDAP)),
            rest: (
                " AUTHTYPE(CRLLDAP) CONNAME('dir(389)')",
                vec![text(MQCA_AUTH_INFO_CONN_NAME, "dir(389)")],
            ),
            ..plain(
                [
                    MQCMD_INQUIRE_AUTH_INFO,
                    MQCMD_INQUIRE_AUTH_INFO_NAMES,
                    MQCMD_CREATE_AUTH_INFO,
                    MQCMD_CHANGE_AUTH_INFO,
                    MQCMD_COPY_AUTH_INFO,
                    MQCMD_DELETE_AUTH_INFO,
                ],
                [MQCA_AUTH_INFO_NAME, MQCACF_FROM_AUTH_INFO_NAME, MQCACF_TO_AUTH_INFO_NAME],
                "AUTHINFO",
                (MQCA_AUTH_INFO_DESC, "DESCR"),
            )
        },
        plain(
            [
                MQCMD_INQUIRE_PROCESS,
                MQCMD_INQUIRE_PROCESS_NAMES,
                MQCMD_CREATE_PROCESS,
                MQCMD_CHANGE_PROCESS,
                MQCMD_COPY_PROCESS,
                MQCMD_DELETE_PROCESS,
            ],
            [MQCA_PROCESS_NAME, MQCACF_FROM_PROCESS_NAME, MQCACF_TO_PROCESS_NAME],
            "PROCESS",
            (MQCA_PROCESS_DESC, "DESCR"),
        ),
        plain(
            [
                MQCMD_INQUIRE_NAMELIST,
                MQCMD_INQUIRE_NAMELIST_NAMES,
                MQCMD_CREATE_NAMELIST,
                MQCMD_CHANGE_NAMELIST,
                MQCMD_COPY_NAMELIST,
                MQCMD_DELETE_NAMELIST,
            ],
            [MQCA_NAMELIST_NAME, MQCACF_FROM_NAMELIST_NAME, MQCACF_TO_NAMELIST_NAME],
            "NAMELIST",
            (MQCA_NAMELIST_DESC, "DESCR"),
        ),
        Family {
            rest: (" TOPICSTR('a/b')", vec![text(MQCA_TOPIC_STRING, "a/b")]),
            ..plain(
                [
                    MQCMD_INQUIRE_TOPIC,
                    MQCMD_INQUIRE_TOPIC_NAMES,
                    MQCMD_CREATE_TOPIC,
                    MQCMD_CHANGE_TOPIC,
                    MQCMD_COPY_TOPIC,
                    MQCMD_DELETE_TOPIC,
                ],
                [MQCA_TOPIC_NAME, MQCACF_FROM_TOPIC_NAME, MQCACF_TO_TOPIC_NAME],
                "TOPIC",
                (MQCA_TOPIC_DESC, "DESCR"),
            )
        },
        Family {
            rest: (
                " TOPICSTR('top/x') DEST(PAY.IN)",
                vec![text(MQCA_TOPIC_STRING, "top/x"), text(MQCACF_DESTINATION, "PAY.IN")],
            ),
            ..plain(
                [
                    MQCMD_INQUIRE_SUBSCRIPTION,
                    0,
                    MQCMD_CREATE_SUBSCRIPTION,
                    MQCMD_CHANGE_SUBSCRIPTION,
                    MQCMD_COPY_SUBSCRIPTION,
                    MQCMD_DELETE_SUBSCRIPTION,
                ],
                [MQCACF_SUB_NAME, MQCACF_FROM_SUB_NAME, MQCACF_TO_SUB_NAME],
                "SUB",
                (MQCACF_SUB_USER_DATA, "USERDATA"),
            )
        },
        Family {
            rest: (
                " TRPTYPE(TCP) PORT(0)",
                vec![integer(MQIACH_XMIT_PROTOCOL_TYPE, MQXPT_TCP), integer(MQIACH_PORT, 0)],
            ),
            ..plain(
                [
                    MQCMD_INQUIRE_LISTENER,
                    0,
                    MQCMD_CREATE_LISTENER,
                    MQCMD_CHANGE_LISTENER,
                    MQCMD_COPY_LISTENER,
                    MQCMD_DELETE_LISTENER,
                ],
                [MQCACH_LISTENER_NAME, MQCACF_FROM_LISTENER_NAME, MQCACF_TO_LISTENER_NAME],
                "LISTENER",
                (MQCACH_LISTENER_DESC, "DESCR"),
            )
        },
        plain(
            [
                MQCMD_INQUIRE_SERVICE,
                0,
                MQCMD_CREATE_SERVICE,
                MQCMD_CHANGE_SERVICE,
                MQCMD_COPY_SERVICE,
                MQCMD_DELETE_SERVICE,
            ],
            [MQCA_SERVICE_NAME, MQCACF_FROM_SERVICE_NAME, MQCACF_TO_SERVICE_NAME],
            "SERVICE",
            (MQCA_SERVICE_DESC, "DESCR"),
        ),
        plain(
            [
                MQCMD_INQUIRE_COMM_INFO,
                0,
                MQCMD_CREATE_COMM_INFO,
                MQCMD_CHANGE_COMM_INFO,
                MQCMD_COPY_COMM_INFO,
                MQCMD_DELETE_COMM_INFO,
            ],
            [MQCA_COMM_INFO_NAME, MQCACF_FROM_COMM_INFO_NAME, MQCACF_TO_COMM_INFO_NAME],
            "COMMINFO",
            (MQCA_COMM_INFO_DESC, "DESCR"),
        ),
        Family {
            rest: (" CONNAME('there(1414)')", vec![text(MQCACH_CONNECTION_NAME, "there(1414)")]),
            ..plain(
                [INQUIRE_BRIDGE, 0, CREATE_BRIDGE, CHANGE_BRIDGE, COPY_BRIDGE, DELETE_BRIDGE],
                [BRIDGE_NAME, FROM_BRIDGE, TO_BRIDGE],
                "BRIDGE",
                (BRIDGE_DESC, "DESCR"),
            )
        },
        Family {
            rest: (
                " BRIDGE(THEIRS) QUEUE(PAY.IN) FOREIGN('X')",
                vec![text(BRIDGE_NAME, "THEIRS"), text(PIPE_QUEUE, "PAY.IN"), text(PIPE_FOREIGN, "X")],
            ),
            ..plain(
                [INQUIRE_PIPE, 0, CREATE_PIPE, CHANGE_PIPE, COPY_PIPE, DELETE_PIPE],
                [PIPE_NAME, FROM_PIPE, TO_PIPE],
                "PIPE",
                (BRIDGE_DESC, "DESCR"),
            )
        },
    ]
}

impl Family {
    /// Each command that the family has, in both forms.
    fn cases(&self) -> Vec<Case> {
        let [name, from, to] = self.names;
        let (rest, more) = &self.rest;
        let kind = || self.kind.map(|(number, value)| Parameter::integer(number, value));
        let word = self.word;
        let of_type =
            rest.split(' ').find(|word| word.starts_with("CHLTYPE") || word.starts_with("AUTHTYPE"));
        let of_type = of_type.map(|word| format!(" {word}")).unwrap_or_default();
        let texts = |texts: &[(i32, &str)]| -> Vec<Parameter> {
            texts.iter().map(|(number, text)| Parameter::text(*number, *text)).collect()
        };
        let (number, changed) = self.changed;
        let make = |own: &[(i32, &str)], more: &[Parameter]| {
            [texts(own), kind().into_iter().collect(), more.to_vec()].concat()
        };
        let asked = format!("DISPLAY {}(THEIRS)", self.word);
        [
            (make(&[(name, "THEIRS")], &[]), asked.clone()),
            (make(&[(name, "THEIRS")], &[]), asked),
            (make(&[(name, "MINE")], more), format!("DEFINE {word}(MINE){rest}")),
            (
                make(&[(name, "THEIRS"), (number, "x")], &[]),
                format!("ALTER {word}(THEIRS){of_type} {changed}('x')"),
            ),
            (
                make(&[(from, "THEIRS"), (to, "MINE")], &[]),
                format!("DEFINE {word}(MINE){of_type} LIKE(THEIRS)"),
            ),
            (make(&[(name, "THEIRS")], &[]), format!("DELETE {word}(THEIRS)")),
        ]
        .into_iter()
        .zip(self.numbers)
        .filter(|(_, number)| *number != 0)
        .map(|((parameters, text), number)| (number, parameters, text))
        .collect()
    }
}

/// The commands that are about no definition.
fn others() -> Vec<Case> {
    let (text, integer, new) = (Parameter::text, Parameter::integer, Parameter::new);
    let queue = |name| text(MQCA_Q_NAME, name);
    let channel = |name| text(MQCACH_CHANNEL_NAME, name);
    let any_connection = new(MQBACF_GENERIC_CONNECTION_ID, Content::Bytes(vec![0; 24]));
    let connection = || new(MQBACF_CONNECTION_ID, Content::Bytes(b"\0\0\0\0\0\0\0\x01".to_vec()));
    let record = || {
        vec![
            text(MQCACF_AUTH_PROFILE_NAME, "THEIRS"),
            integer(MQIACF_OBJECT_TYPE, MQOT_Q),
            new(MQCACF_PRINCIPAL_ENTITY_NAMES, Content::Texts(vec!["low".into()])),
        ]
    };
    vec![
        (MQCMD_CLEAR_Q, vec![queue("THEIRS")], "CLEAR QLOCAL(THEIRS)".into()),
        (
            MQCMD_MOVE_Q,
            vec![text(MQCACF_FROM_Q_NAME, "THEIRS"), text(MQCACF_TO_Q_NAME, "PAY.IN")],
            "MOVE QLOCAL(THEIRS) TOQLOCAL(PAY.IN)".into(),
        ),
        (MQCMD_RESET_Q_STATS, vec![queue("THEIRS")], "RESET QSTATS(THEIRS)".into()),
        (MQCMD_INQUIRE_Q_STATUS, vec![queue("THEIRS")], "DISPLAY QSTATUS(THEIRS)".into()),
        (MQCMD_START_CHANNEL, vec![channel("THEIRS")], "START CHANNEL(THEIRS)".into()),
        (MQCMD_STOP_CHANNEL, vec![channel("THEIRS")], "STOP CHANNEL(THEIRS)".into()),
        (MQCMD_PING_CHANNEL, vec![channel("THEIRS")], "PING CHANNEL(THEIRS)".into()),
        (MQCMD_RESET_CHANNEL, vec![channel("THEIRS")], "RESET CHANNEL(THEIRS)".into()),
        (
            MQCMD_RESOLVE_CHANNEL,
            vec![channel("THEIRS"), integer(MQIACH_IN_DOUBT, MQIDO_BACKOUT)],
            "RESOLVE CHANNEL(THEIRS) ACTION(BACKOUT)".into(),
        ),
        (MQCMD_INQUIRE_CHANNEL_STATUS, vec![channel("THEIRS")], "DISPLAY CHSTATUS(THEIRS)".into()),
        (MQCMD_START_CHANNEL_INIT, vec![], "START CHINIT".into()),
        (MQCMD_STOP_CHANNEL_INIT, vec![], "STOP CHINIT".into()),
        (
            MQCMD_START_CHANNEL_LISTENER,
            vec![text(MQCACH_LISTENER_NAME, "THEIRS")],
            "START LISTENER(THEIRS)".into(),
        ),
        (
            MQCMD_STOP_CHANNEL_LISTENER,
            vec![text(MQCACH_LISTENER_NAME, "THEIRS")],
            "STOP LISTENER(THEIRS)".into(),
        ),
        (
            MQCMD_INQUIRE_LISTENER_STATUS,
            vec![text(MQCACH_LISTENER_NAME, "THEIRS")],
            "DISPLAY LSSTATUS(THEIRS)".into(),
        ),
        (
            MQCMD_SET_CHLAUTH_REC,
            vec![
                channel("THEIRS"),
                integer(MQIACF_CHLAUTH_TYPE, MQCAUT_ADDRESSMAP),
                text(MQCACH_CONNECTION_NAME, "*"),
                integer(MQIACH_USER_SOURCE, MQUSRC_CHANNEL),
            ],
            "SET CHLAUTH(THEIRS) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)".into(),
        ),
        (MQCMD_INQUIRE_CHLAUTH_RECS, vec![channel("THEIRS")], "DISPLAY CHLAUTH(THEIRS)".into()),
        (
            MQCMD_SET_AUTH_REC,
            [record(), vec![new(MQIACF_AUTH_ADD_AUTHS, Content::Integers(vec![MQAUTH_INPUT]))]].concat(),
            "SET AUTHREC PROFILE(THEIRS) OBJTYPE(QUEUE) PRINCIPAL('low') AUTHADD(GET)".into(),
        ),
        (
            MQCMD_DELETE_AUTH_REC,
            record(),
            "DELETE AUTHREC PROFILE(THEIRS) OBJTYPE(QUEUE) PRINCIPAL('low')".into(),
        ),
        (
            MQCMD_INQUIRE_AUTH_RECS,
            vec![
                integer(MQIACF_AUTH_OPTIONS, MQAUTHOPT_NAME_ALL_MATCHING),
                text(MQCACF_AUTH_PROFILE_NAME, "THEIRS"),
                integer(MQIACF_OBJECT_TYPE, MQOT_Q),
            ],
            "DISPLAY AUTHREC PROFILE(THEIRS) OBJTYPE(QUEUE)".into(),
        ),
        (
            MQCMD_INQUIRE_ENTITY_AUTH,
            vec![
                text(MQCACF_ENTITY_NAME, "ada"),
                integer(MQIACF_ENTITY_TYPE, MQZAET_PRINCIPAL),
                integer(MQIACF_OBJECT_TYPE, MQOT_Q),
                text(MQCACF_OBJECT_NAME, "THEIRS"),
            ],
            "DISPLAY ENTAUTH PRINCIPAL('ada') OBJTYPE(QUEUE) OBJNAME(THEIRS)".into(),
        ),
        (MQCMD_INQUIRE_AUTH_SERVICE, vec![], "DISPLAY AUTHSERV".into()),
        (MQCMD_PING_Q_MGR, vec![], "PING QMGR".into()),
        (MQCMD_CHANGE_Q_MGR, vec![text(MQCA_Q_MGR_DESC, "x")], "ALTER QMGR DESCR('x')".into()),
        (
            MQCMD_RESET_Q_MGR,
            vec![integer(MQIACF_ACTION, MQACT_ADVANCE_LOG)],
            "RESET QMGR TYPE(ADVANCELOG)".into(),
        ),
        (
            MQCMD_REFRESH_Q_MGR,
            vec![integer(MQIACF_REFRESH_TYPE, MQRT_CONFIGURATION)],
            "REFRESH QMGR TYPE(CONFIGEV)".into(),
        ),
        (MQCMD_INQUIRE_Q_MGR, vec![], "DISPLAY QMGR".into()),
        (MQCMD_INQUIRE_Q_MGR_STATUS, vec![], "DISPLAY QMSTATUS".into()),
        (MQCMD_REFRESH_SECURITY, vec![], "REFRESH SECURITY".into()),
        (
            MQCMD_CLEAR_TOPIC_STRING,
            vec![text(MQCA_TOPIC_STRING, "top/x"), integer(MQIACF_CLEAR_TYPE, MQCLRT_RETAINED)],
            "CLEAR TOPICSTR('top/x') CLRTYPE(RETAINED)".into(),
        ),
        (
            MQCMD_INQUIRE_TOPIC_STATUS,
            vec![text(MQCA_TOPIC_STRING, "top/x")],
            "DISPLAY TPSTATUS('top/x')".into(),
        ),
        (MQCMD_INQUIRE_PUBSUB_STATUS, vec![], "DISPLAY PUBSUB".into()),
        (MQCMD_INQUIRE_SUB_STATUS, vec![text(MQCACF_SUB_NAME, "THEIRS")], "DISPLAY SBSTATUS(THEIRS)".into()),
        (MQCMD_STOP_CONNECTION, vec![connection()], "STOP CONN(0000000000000001)".into()),
        (
            MQCMD_RESOLVE_INDOUBT,
            vec![connection(), integer(MQIACH_IN_DOUBT, MQIDO_COMMIT)],
            "RESOLVE INDOUBT(0000000000000001) ACTION(COMMIT)".into(),
        ),
        (MQCMD_INQUIRE_CONNECTION, vec![any_connection], "DISPLAY CONN(*)".into()),
        (INQUIRE_ROUTE, vec![queue("THEIRS")], "DISPLAY ROUTE(THEIRS)".into()),
    ]
}

/// One of each object that the commands are about.
fn judged() -> Bench {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(THEIRS)\nDEFINE QLOCAL(PAY.IN)\nDEFINE CHANNEL(THEIRS) CHLTYPE(SVRCONN)\n\
         DEFINE AUTHINFO(THEIRS) AUTHTYPE(CRLLDAP) CONNAME('dir(389)')\nDEFINE PROCESS(THEIRS)\n\
         DEFINE NAMELIST(THEIRS)\nDEFINE TOPIC(THEIRS) TOPICSTR('top')\nDEFINE LISTENER(THEIRS) TRPTYPE(TCP)\n\
         DEFINE SUB(THEIRS) TOPICSTR('top/x') DEST(PAY.IN)\nDEFINE SERVICE(THEIRS)\nDEFINE COMMINFO(THEIRS)\n\
         DEFINE BRIDGE(THEIRS) CONNAME('there')\nDEFINE PIPE(THEIRS) BRIDGE(THEIRS) QUEUE(PAY.IN) FOREIGN('X')\n\
         SET AUTHREC PROFILE(NONE) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(GET)",
    );
    bench
}

/// The rights that a user without any is refused for, one after the other, until the command is done or fails
/// by itself.
fn missing_rights(command: &Command) -> Vec<String> {
    let bench = judged();
    let issuer = Issuer { principal: principal("low"), ..Issuer::default() };
    let mut missing = Vec::new();
    for _ in 0..STEPS_MAX {
        let told = bench.open(bench.manager.execute_for(&issuer, command)).to_string();
        let refusal = bench.host.refusals.lock().pop();
        assert_eq!(refusal.is_some(), told.contains("FRY8135E"), "{command}: {told}");
        let Some(refusal) = refusal else { return missing };
        let lacks = refusal.explanation.unwrap_or_else(|| panic!("{command}: {told}"));
        let name = match lacks.object_type {
            ObjectType::QueueManager => "SELF",
            _ if lacks.needed.contains(Set::CRT) => "@CLASS",
            _ => &*lacks.name,
        };
        let keyword = lacks.object_type.keyword();
        let right = format!("PROFILE('{name}') OBJTYPE({keyword}) AUTHADD({})", lacks.needed);
        bench.mqsc(&format!("SET AUTHREC {right} PRINCIPAL('low')"));
        missing.push(right);
    }
    panic!("{command} is refused {STEPS_MAX} times: {missing:?}")
}

fn command_of(number: i32, parameters: Vec<Parameter>) -> Command {
    let message = Message { header: Header::command(number), parameters };
    match pcf::request(&message).unwrap_or_else(|refusal| panic!("{number}: {refusal:?}")) {
        pcf::Request::Command(command) => command,
        pcf::Request::Names(names) => names.command,
        pcf::Request::Escape(text) => panic!("{number} is text: {text}"),
    }
}

#[test]
fn each_command_in_binary_form_needs_the_rights_that_it_needs_as_text() {
    let cases = families().iter().flat_map(Family::cases).chain(others()).collect::<Vec<Case>>();
    let commands = cases.into_iter().map(|(number, parameters, text)| {
        let as_text = mqsc::parse(&text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        (command_of(number, parameters), as_text.into_iter().next().expect("one command"))
    });
    let mut wrong = Vec::new();
    for (binary, text) in commands.collect::<Vec<_>>() {
        let (needs, needs_as_text) = (missing_rights(&binary), missing_rights(&text));
        if needs.is_empty() || needs != needs_as_text {
            wrong.push(format!("{binary} needs {needs:?}, and as text {text} {needs_as_text:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Questions about things of which there are none: everybody has the same answer.
const ABOUT_NOTHING: [i32; 4] = [
    MQCMD_INQUIRE_SERVICE_STATUS,
    MQCMD_INQUIRE_CLUSTER_Q_MGR,
    MQCMD_INQUIRE_APPL_STATUS,
    MQCMD_INQUIRE_PROT_POLICY,
];

#[test]
fn no_command_in_binary_form_is_left_out_of_that_comparison() {
    const REFUSED: [i32; 2] = [MQRCCF_CFH_COMMAND_ERROR, MQRCCF_FUNCTION_RESTRICTED];
    let of_families = families().into_iter().flat_map(|family| family.numbers);
    let compared: Vec<i32> = of_families.chain(others().iter().map(|case| case.0)).collect();
    for number in (1..1_000).chain([INQUIRE_ROUTE]) {
        let message = Message { header: Header::command(number), parameters: Vec::new() };
        let is_none = matches!(pcf::request(&message), Err(refusal) if REFUSED.contains(&refusal.reason));
        // The commands in the text of an Escape are judged as text.
        let is_other = number == MQCMD_ESCAPE || number == MQCMD_SET_LOG || ABOUT_NOTHING.contains(&number);
        assert!(is_none || is_other || compared.contains(&number), "{number} is not compared");
    }
}
