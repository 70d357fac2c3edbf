//! Steps at random, written in the language of the scenarios, so that a course that fails is one.

use platform::simulated::Random;

use super::topics;

/// Commands at the beginning of a course: queues that differ for the verbs.
pub(super) const PRELUDE: [&str; 10] = [
    "DEFINE QLOCAL(PRIO) DEFPRTY(3)",
    "DEFINE QLOCAL(FIFO) MSGDLVSQ(FIFO) DEFPSIST(YES)",
    "DEFINE QLOCAL(SMALL) MAXDEPTH(3) MAXMSGL(100)",
    "DEFINE QLOCAL(ALONE) NOSHARE DEFSOPT(EXCL)",
    "DEFINE QLOCAL(REPLIES)",
    "DEFINE QALIAS(ALIAS) TARGET(PRIO) DEFPRTY(7) DEFPSIST(YES)",
    "DEFINE QALIAS(ASTRAY) TARGET(NOWHERE)",
    "DEFINE QMODEL(TEMPORARY) DEFTYPE(TEMPDYN) DEFSOPT(SHARED) SHARE",
    "DEFINE QMODEL(PERMANENT) DEFTYPE(PERMDYN) DEFSOPT(SHARED) SHARE",
    "DEFINE QLOCAL(OTHER)",
];

const CLIENTS: [&str; 4] = ["one", "two", "three", "four"];
/// Names of queues: those that are there more often than those that are not, or not always.
const QUEUES: [&str; 14] = [
    "PRIO",
    "PRIO",
    "PRIO",
    "FIFO",
    "FIFO",
    "FIFO",
    "SMALL",
    "SMALL",
    "ALONE",
    "ALIAS",
    "ALIAS",
    "REPLIES",
    "OTHER",
    "DYNAMIC.1",
];
const RARE_QUEUES: [&str; 4] = ["NOWHERE", "ASTRAY", "DYNAMIC.2", "SYSTEM.DEFAULT.LOCAL.QUEUE"];
const IDENTIFIERS: [&str; 4] = ["a", "b", "c", "d"];

/// One way to go on: how often of a thousand, and what it writes.
pub(super) type Way = (u64, fn(&mut Writer<'_>));

const STEPS: [Way; 33] = [
    (290, put),
    (50, put1),
    (260, get),
    (80, browse),
    (60, open),
    (30, close),
    (10, |writer| writer.say("begin")),
    (70, |writer| writer.say("commit")),
    (40, |writer| writer.say("back")),
    (20, |writer| writer.say("prepare")),
    (14, |writer| writer.say("decide commit")),
    (7, |writer| writer.say("decide back")),
    (8, |writer| writer.say("disconnect")),
    (4, connect),
    (30, consume),
    (6, control),
    (40, inquire),
    (20, set),
    (25, under_cursor),
    (10, stat),
    (8, unlock),
    (30, command),
    (14, create_handle),
    (5, delete_handle),
    (60, set_property),
    (50, inquire_property),
    (12, delete_property),
    (12, from_buffer),
    (12, to_buffer),
    (10, convert),
    (20, |writer| writer.instead("clock", CLOCK)),
    (3, |writer| writer.instead("manager", "restart")),
    (3, |writer| writer.instead("manager", "crash")),
];

/// Step of time: not in line with the lifetimes of messages, so that expired ones are swept before the next
/// step.
const CLOCK: &str = "+160ms";

/// A step as text: a command, or who and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Command(String),
    Step(String),
}

/// One of some ways, each as often as it says.
pub(super) fn draw(random: &mut Random, ways: &[Way]) -> fn(&mut Writer<'_>) {
    let total: u64 = ways.iter().map(|(weight, _)| weight).sum();
    let mut drawn = random.below(total);
    let way = ways.iter().find(|(weight, _)| match drawn.checked_sub(*weight) {
        Some(left) => {
            drawn = left;
            false
        }
        None => true,
    });
    way.expect("what is drawn is below the sum").1
}

/// Theme of a course: few names and few clients, so that their calls meet.
#[derive(Clone, Debug)]
pub(super) struct Theme {
    queues: [&'static str; 2],
    clients: &'static [&'static str],
    /// Further beginning of a course about topics.
    topics: Option<Vec<Line>>,
}

impl Theme {
    pub(super) fn of(random: &mut Random) -> Self {
        let clients = if random.percent(60) { &CLIENTS[..2] } else { &CLIENTS[..] };
        let queues = [*random.pick(&QUEUES), *random.pick(&QUEUES)];
        Self { queues, clients, topics: topics::opening(random, clients) }
    }

    /// Opens handles for its clients at the start: queues to get from and to browse by the same handle.
    pub(super) fn opening(&self, random: &mut Random) -> Vec<Line> {
        let mut lines = self.topics.clone().unwrap_or_default();
        for client in self.clients {
            for queue in self.queues {
                if random.percent(50) {
                    let together = if random.percent(50) { " +MQOO_CO_OP" } else { "" };
                    let saves = if random.percent(50) { " +MQOO_SAVE_ALL_CONTEXT" } else { "" };
                    lines.push(Line::Step(format!(
                        "{client}: open {queue} input+browse shared{together}{saves}"
                    )));
                }
            }
        }
        lines
    }
}

/// Calls that go through the handle of an object.
const DIRECTED: [&str; 7] = ["put", "get", "browse", "unlock", "close", "inquire", "set"];

/// Handles instead of the one that fits.
const CHOSEN: [&str; 11] = [
    "through 0",
    "through -1",
    "through 999999",
    "through 1",
    "through 2",
    "through 3",
    "through input",
    "through output",
    "through browse",
    "through inquire",
    "through set",
];

/// Writes one step.
pub(super) struct Writer<'a> {
    pub(super) random: &'a mut Random,
    theme: &'a Theme,
    who: &'static str,
    words: Vec<String>,
    command: bool,
}

/// The next step of a course.
pub(super) fn line(random: &mut Random, theme: &Theme) -> Line {
    let is_about_topics = theme.topics.is_some() && random.percent(topics::STEPS_PERCENT);
    let write = if is_about_topics { topics::write } else { draw(random, &STEPS) };
    let who = *random.pick(theme.clients);
    let mut writer = Writer { random, theme, who, words: Vec::new(), command: false };
    write(&mut writer);
    // The language does not take both at once.
    let names_handles = writer.words.iter().any(|word| word.ends_with("handle"));
    if DIRECTED.contains(&writer.words[0].as_str()) && !names_handles && theme.topics.is_none() {
        writer.perhaps(3, &CHOSEN);
    }
    let text = writer.words.join(" ");
    if writer.command { Line::Command(text) } else { Line::Step(format!("{}: {text}", writer.who)) }
}

impl Writer<'_> {
    pub(super) fn say(&mut self, word: impl Into<String>) {
        self.words.push(word.into());
    }

    /// The words, in so many of a hundred.
    pub(super) fn perhaps(&mut self, percent: u8, words: &[&str]) {
        if self.random.percent(percent) {
            let word = *self.random.pick(words);
            self.say(word);
        }
    }

    fn instead(&mut self, who: &'static str, what: &str) {
        self.who = who;
        self.say(what);
    }

    fn queue(&mut self) {
        let names: &[&str] = match self.random.below(100) {
            0..3 => &RARE_QUEUES,
            3..60 => &self.theme.queues,
            _ => &QUEUES,
        };
        let name = *self.random.pick(names);
        self.say(name);
    }

    /// A message handle: mostly the client's own.
    fn handle(&mut self) {
        let name = match self.random.below(100) {
            0..3 => "none".to_owned(),
            3..5 => "unusable".to_owned(),
            5..12 => format!("H{}", self.random.pick(&CLIENTS)),
            _ => format!("H{}", self.who),
        };
        self.say(name);
    }

    pub(super) fn identified(&mut self, percent: u8, what: &str) {
        if self.random.percent(percent) {
            let identifier = *self.random.pick(&IDENTIFIERS);
            self.say(format!("{what} {identifier}"));
        }
    }

    /// A command instead of a call.
    pub(super) fn order(&mut self, command: String) {
        self.command = true;
        self.say(command);
    }
}

fn put(writer: &mut Writer<'_>) {
    writer.say("put");
    what_is_put(writer);
}

fn put1(writer: &mut Writer<'_>) {
    writer.say("put1");
    what_is_put(writer);
}

fn what_is_put(writer: &mut Writer<'_>) {
    writer.queue();
    match writer.random.below(100) {
        0..3 => writer.say("150 bytes"),
        3..5 => writer.say("70000 bytes"),
        5 => writer.say("\"\""),
        _ => {
            let number = writer.random.below(1_000_000);
            writer.say(format!("\"m{number}\""));
            // Bytes that are no text are not converted in a way that the model knows.
            writer.perhaps(20, &["md.Format MQSTR"]);
        }
    }
    writer.perhaps(55, &["persistent", "persistent", "nonpersistent"]);
    if writer.random.percent(30) {
        let priority = writer.random.below(10);
        writer.say(format!("priority {priority}"));
    }
    writer.perhaps(1, &["priority 10", "priority -1"]);
    writer.perhaps(12, &["expiry 100ms", "expiry 400ms", "expiry 2s"]);
    writer.identified(20, "message-id");
    writer.identified(30, "correlation-id");
    writer.perhaps(35, &["syncpoint"]);
    writer.perhaps(4, &["+MQPMO_NO_SYNCPOINT", "+MQPMO_DEFAULT_CONTEXT", "+MQPMO_NO_CONTEXT"]);
    writer.perhaps(10, &["+MQPMO_NONE"]);
    writer.perhaps(10, &["reply-to REPLIES"]);
    if writer.random.percent(15) {
        return with_properties(writer);
    }
    if writer.random.percent(6) {
        writer.perhaps(90, &["reply-to REPLIES"]);
        for _ in 0..writer.random.between(1, 3) {
            writer.perhaps(100, &REPORTS);
        }
    }
    writer.perhaps(3, &DESCRIPTORS);
    writer.perhaps(2, &["md.CodedCharSetId 819", "md.Encoding 273"]);
    writer.perhaps(5, &["+MQPMO_ASYNC_RESPONSE"]);
    writer.perhaps(3, &PUT_OPTIONS);
    if writer.random.percent(30) {
        grouped(writer);
    }
}

/// Properties that a message carries: as a header that the program wrote, or from its handles.
fn with_properties(writer: &mut Writer<'_>) {
    if writer.random.percent(40) {
        return writer.perhaps(100, &FOLDERS);
    }
    for role in ["new-handle", "original-handle"] {
        if writer.random.percent(60) {
            writer.say(role);
            writer.handle();
        }
    }
    writer.perhaps(30, &["action MQACTP_FORWARD", "action MQACTP_REPLY", "action MQACTP_REPORT"]);
}

const FOLDERS: [&str; 3] = [
    "folder \"<usr><colour>red</colour></usr>\"",
    "folder \"<usr><size dt='i4'>7</size><colour>blue</colour></usr>\"",
    "folder \"<usr><fragile dt='boolean'>1</fragile></usr>\"",
];

fn create_handle(writer: &mut Writer<'_>) {
    writer.say("create-handle");
    let name = format!("H{}", writer.who);
    writer.say(name);
    let options = [
        "+MQCMHO_VALIDATE",
        "+MQCMHO_NO_VALIDATION",
        "+MQCMHO_VALIDATE +MQCMHO_NO_VALIDATION",
        "+MQCMHO_0x4",
        "version 2",
    ];
    writer.perhaps(40, &options);
}

fn delete_handle(writer: &mut Writer<'_>) {
    writer.say("delete-handle");
    writer.handle();
    writer.perhaps(20, &["+MQDMHO_0x1", "version 0"]);
}

const NAMES: [&str; 3] = ["colour", "size", "fragile"];

fn set_property(writer: &mut Writer<'_>) {
    writer.say("set-property");
    writer.handle();
    let names: &[&str] = if writer.random.percent(5) { &["\"a b\"", "\"\"", "Between"] } else { &NAMES };
    writer.perhaps(100, names);
    let values = ["string red", "string blue", "int32 7", "int32 -3", "boolean TRUE", "boolean FALSE"];
    writer.perhaps(100, &values);
    let options = [
        "+MQSMPO_SET_FIRST",
        "+MQSMPO_SET_PROP_UNDER_CURSOR",
        "+MQSMPO_SET_PROP_AFTER_CURSOR",
        "+MQSMPO_SET_PROP_BEFORE_CURSOR",
        "+MQSMPO_APPEND_PROPERTY",
    ];
    writer.perhaps(50, &options);
    let copies = [
        "pd.CopyOptions MQCOPY_ALL",
        "pd.CopyOptions MQCOPY_FORWARD",
        "pd.CopyOptions MQCOPY_PUBLISH",
        "pd.CopyOptions MQCOPY_REPLY",
        "pd.CopyOptions MQCOPY_REPORT",
        "pd.CopyOptions MQCOPY_NONE",
    ];
    writer.perhaps(30, &copies);
    let support = ["pd.Support MQPD_SUPPORT_REQUIRED", "pd.Support MQPD_SUPPORT_REQUIRED_IF_LOCAL"];
    writer.perhaps(10, &support);
    writer.perhaps(10, &["pd.Context MQPD_USER_CONTEXT"]);
    writer.perhaps(5, &["+MQSMPO_APPEND_PROPERTY", "+MQSMPO_0x10", "version 2", "pd.Version 2", "length -2"]);
}

fn inquire_property(writer: &mut Writer<'_>) {
    writer.say("inquire-property");
    writer.handle();
    let names: &[&str] = if writer.random.percent(50) { &["%", "%", "c%"] } else { &NAMES };
    writer.perhaps(100, names);
    writer.perhaps(60, &["+MQIMPO_INQ_NEXT", "+MQIMPO_INQ_NEXT", "+MQIMPO_INQ_PROP_UNDER_CURSOR"]);
    writer.perhaps(15, &["buffer 2", "buffer 3", "+MQIMPO_QUERY_LENGTH buffer 0", "+MQIMPO_CONVERT_VALUE"]);
    writer.perhaps(10, &["type string +MQIMPO_CONVERT_TYPE"]);
    writer.perhaps(5, &["+MQIMPO_0x1", "version 2", "buffer -1", "+MQIMPO_INQ_PROP_UNDER_CURSOR"]);
}

fn delete_property(writer: &mut Writer<'_>) {
    writer.say("delete-property");
    writer.handle();
    writer.perhaps(100, &["colour", "size", "fragile", "%"]);
    writer.perhaps(30, &["+MQDMPO_DEL_PROP_UNDER_CURSOR"]);
    writer.perhaps(5, &["+MQDMPO_0x2", "version 2"]);
}

fn from_buffer(writer: &mut Writer<'_>) {
    writer.say("buffer-to-handle");
    writer.handle();
    writer.say("data");
    writer.perhaps(100, &FOLDERS);
    writer.perhaps(50, &["+MQBMHO_DELETE_PROPERTIES"]);
    writer.perhaps(10, &["+MQBMHO_0x2", "version 2"]);
}

fn to_buffer(writer: &mut Writer<'_>) {
    writer.say("handle-to-buffer");
    writer.handle();
    writer.perhaps(100, &["%", "colour", "size"]);
    writer.perhaps(95, &["+MQMHBO_PROPERTIES_IN_MQRFH2"]);
    writer.perhaps(20, &["+MQMHBO_DELETE_PROPERTIES"]);
    writer.perhaps(10, &["buffer 10", "buffer -1", "version 2", "+MQMHBO_0x4"]);
}

const PUT_OPTIONS: [&str; 17] = [
    "+MQPMO_SYNC_RESPONSE",
    "+MQPMO_NEW_MSG_ID",
    "+MQPMO_NEW_CORREL_ID",
    "+MQPMO_SET_ALL_CONTEXT md.ApplOriginData orig",
    "+MQPMO_SET_ALL_CONTEXT md.UserIdentifier somebody",
    "+MQPMO_SET_IDENTITY_CONTEXT md.ApplIdentityData mine",
    "+MQPMO_PASS_ALL_CONTEXT context PRIO",
    "+MQPMO_PASS_IDENTITY_CONTEXT context FIFO",
    "+MQPMO_ALTERNATE_USER_AUTHORITY",
    "+MQPMO_FAIL_IF_QUIESCING",
    "+MQPMO_RESOLVE_LOCAL_Q",
    "+MQPMO_WARN_IF_NO_SUBS_MATCHED",
    "+MQPMO_RETAIN",
    "+MQPMO_SCOPE_QMGR",
    "+MQPMO_SUPPRESS_REPLYTO",
    "+MQPMO_NOT_OWN_SUBS",
    "+MQPMO_MD_FOR_OUTPUT_ONLY",
];

/// Writes the group options of a put: in logical order the queue manager numbers, otherwise the program does.
fn grouped(writer: &mut Writer<'_>) {
    let in_order = writer.random.percent(50);
    if in_order {
        writer.say("+MQPMO_LOGICAL_ORDER");
    } else {
        writer.perhaps(80, &["md.GroupId g1", "md.GroupId g2", "md.GroupId g3"]);
        writer.perhaps(90, &["md.MsgSeqNumber 1", "md.MsgSeqNumber 2", "md.MsgSeqNumber 3"]);
        writer.perhaps(30, &["md.Offset 2", "md.Offset 7", "md.Offset 14"]);
    }
    writer.perhaps(60, &["+MQMF_MSG_IN_GROUP", "+MQMF_MSG_IN_GROUP", "+MQMF_LAST_MSG_IN_GROUP"]);
    writer.perhaps(40, &["+MQMF_SEGMENT", "+MQMF_LAST_SEGMENT"]);
    // Segments without number fill the log, which the model does not know.
    if !writer.words.iter().any(|word| word == "70000 bytes") {
        writer.perhaps(15, &["+MQMF_SEGMENTATION_ALLOWED"]);
    }
}

const REPORTS: [&str; 20] = [
    "+MQRO_COA",
    "+MQRO_COA_WITH_DATA",
    "+MQRO_COA_WITH_FULL_DATA",
    "+MQRO_COD",
    "+MQRO_COD_WITH_DATA",
    "+MQRO_COD_WITH_FULL_DATA",
    "+MQRO_EXPIRATION",
    "+MQRO_EXPIRATION_WITH_DATA",
    "+MQRO_EXCEPTION",
    "+MQRO_PASS_CORREL_ID",
    "+MQRO_PASS_MSG_ID",
    "+MQRO_DISCARD_MSG",
    "+MQRO_EXPIRATION_WITH_FULL_DATA",
    "+MQRO_EXCEPTION_WITH_DATA",
    "+MQRO_EXCEPTION_WITH_FULL_DATA",
    "+MQRO_PASS_DISCARD_AND_EXPIRY",
    "+MQRO_PAN",
    "+MQRO_NAN",
    "+MQRO_ACTIVITY",
    "+MQRO_0x600",
];

const DESCRIPTORS: [&str; 9] = [
    "md.MsgType MQMT_REQUEST",
    "md.MsgType 0",
    "md.MsgType 70000",
    "md.Feedback 65600",
    "md.Feedback -1",
    "md.MsgSeqNumber 0",
    "md.Offset -1",
    "+MQRO_0x2000000",
    "+MQMF_0x40",
];

fn get(writer: &mut Writer<'_>) {
    writer.say("get");
    writer.queue();
    writer.perhaps(10, &["+MQGMO_NONE"]);
    writer.perhaps(35, &["syncpoint"]);
    writer.perhaps(8, &["+MQGMO_SYNCPOINT_IF_PERSISTENT"]);
    writer.perhaps(1, &["+MQGMO_NO_SYNCPOINT", "+MQGMO_SET_SIGNAL", "+MQGMO_MARK_SKIP_BACKOUT"]);
    what_is_wanted(writer);
}

fn connect(writer: &mut Writer<'_>) {
    writer.say("connect");
    writer.perhaps(70, &["+MQCNO_ACCOUNTING_MQI_DISABLED", "+MQCNO_ACCOUNTING_Q_DISABLED"]);
}

fn consume(writer: &mut Writer<'_>) {
    writer.say("consume");
    writer.queue();
    writer.perhaps(100, &["1", "2", "3", "9"]);
    writer.perhaps(35, &["syncpoint"]);
    writer.perhaps(10, &["+MQGMO_BROWSE_NEXT", "+MQGMO_BROWSE_FIRST"]);
    writer.perhaps(10, &["wait 50ms", "wait 1s"]);
    writer.identified(8, "message-id");
    writer.identified(12, "correlation-id");
    writer.perhaps(6, &["buffer 2", "buffer 0", "buffer 100"]);
    writer.perhaps(6, &["accept-truncated"]);
    writer.perhaps(5, &OF_GROUPS);
    writer.perhaps(3, &GET_OPTIONS);
    writer.perhaps(30, &CALLBACK_OPTIONS);
    writer.perhaps(5, &["+MQOP_SUSPEND", "+MQOP_RESUME", "+MQOP_DEREGISTER"]);
    writer.perhaps(3, &["operation MQOP_DEREGISTER", "operation MQOP_SUSPEND", "operation MQOP_RESUME"]);
}

const CALLBACK_OPTIONS: [&str; 8] = [
    "+MQCBDO_START_CALL",
    "+MQCBDO_STOP_CALL",
    "+MQCBDO_REGISTER_CALL",
    "+MQCBDO_DEREGISTER_CALL",
    "+MQCBDO_FAIL_IF_QUIESCING",
    "+MQCBDO_EVENT_CALL",
    "+MQCBDO_MC_EVENT_CALL",
    "+MQCBDO_0x2",
];

fn control(writer: &mut Writer<'_>) {
    writer.say("control");
    writer.perhaps(100, &["MQOP_START", "MQOP_START_WAIT", "MQOP_STOP", "MQOP_SUSPEND", "MQOP_RESUME"]);
    writer.perhaps(40, &["+MQCTLO_THREAD_AFFINITY", "+MQCTLO_FAIL_IF_QUIESCING", "+MQCTLO_0x2"]);
}

fn what_is_wanted(writer: &mut Writer<'_>) {
    writer.perhaps(15, &["wait 50ms", "wait 100ms", "wait 1s"]);
    writer.identified(8, "message-id");
    writer.identified(12, "correlation-id");
    writer.perhaps(6, &["buffer 2", "buffer 0", "buffer 100"]);
    writer.perhaps(6, &["accept-truncated"]);
    if writer.random.percent(25) {
        for _ in 0..writer.random.between(1, 2) {
            writer.perhaps(100, &OF_GROUPS);
        }
        writer.perhaps(10, &["+MQMO_MATCH_GROUP_ID md.GroupId g1", "+MQMO_MATCH_GROUP_ID md.GroupId g2"]);
        writer
            .perhaps(5, &["+MQMO_MATCH_MSG_SEQ_NUMBER md.MsgSeqNumber 2", "+MQMO_MATCH_OFFSET md.Offset 0"]);
    }
    writer.perhaps(2, &["+MQGMO_BROWSE_HANDLE", "+MQGMO_BROWSE_CO_OP"]);
    writer.perhaps(2, &["token", "token", "+MQMO_0x40"]);
    if writer.random.percent(15) {
        writer.say("handle");
        writer.handle();
        writer.perhaps(40, &["+MQGMO_PROPERTIES_IN_HANDLE"]);
    }
    writer.perhaps(2, &GET_OPTIONS);
    if writer.random.percent(15) {
        writer.say("+MQGMO_CONVERT");
        writer.perhaps(70, &CONVERTED_TO);
        writer.perhaps(20, &["md.Encoding 273", "md.Encoding 546", "md.Encoding 15"]);
    }
}

const CONVERTED_TO: [&str; 7] = [
    "md.CodedCharSetId 37",
    "md.CodedCharSetId 500",
    "md.CodedCharSetId 819",
    "md.CodedCharSetId 1200",
    "md.CodedCharSetId 1208",
    "md.CodedCharSetId 1252",
    "md.CodedCharSetId 4711",
];

/// Characters, the set they are in, and what else is said of them.
const CHARACTERS: [(&str, &str); 5] = [
    ("\"red 7\" 819", ""),
    ("\"blue\" 0", "+MQDCC_SOURCE_ENC_REVERSED"),
    ("\"x\" 4711", ""),
    ("hex C1C2F1 37", ""),
    ("hex 00410042 1200", "+MQDCC_SOURCE_ENC_NORMAL"),
];

fn convert(writer: &mut Writer<'_>) {
    let (characters, said) = *writer.random.pick(&CHARACTERS);
    writer.say(format!("convert {characters}"));
    writer.perhaps(100, &["37", "500", "819", "1200", "1208", "0", "4711"]);
    if !said.is_empty() {
        writer.say(said);
    }
    writer.perhaps(30, &["buffer 2", "buffer 7", "buffer 40"]);
    let filled = "+MQDCC_FILL_TARGET_BUFFER";
    writer.perhaps(30, &["+MQDCC_DEFAULT_CONVERSION", "+MQDCC_INT_DEFAULT_CONVERSION", filled]);
    writer.perhaps(30, &["+MQDCC_TARGET_ENC_NORMAL", "+MQDCC_TARGET_ENC_REVERSED"]);
    writer.perhaps(3, &["+MQDCC_0x8", "+MQDCC_0x300"]);
}

const OF_GROUPS: [&str; 5] = [
    "+MQGMO_LOGICAL_ORDER",
    "+MQGMO_LOGICAL_ORDER",
    "+MQGMO_COMPLETE_MSG",
    "+MQGMO_ALL_MSGS_AVAILABLE",
    "+MQGMO_ALL_SEGMENTS_AVAILABLE",
];

const GET_OPTIONS: [&str; 7] = [
    "+MQGMO_FAIL_IF_QUIESCING",
    "+MQGMO_PROPERTIES_FORCE_MQRFH2",
    "+MQGMO_NO_PROPERTIES",
    "+MQGMO_PROPERTIES_IN_HANDLE",
    "+MQGMO_PROPERTIES_COMPATIBILITY",
    "+MQGMO_LOCK",
    "+MQGMO_0x10000",
];

fn browse(writer: &mut Writer<'_>) {
    writer.say("browse");
    writer.queue();
    writer.perhaps(100, &["first", "next", "next", "here"]);
    writer.perhaps(20, &["+MQGMO_LOCK"]);
    if writer.random.percent(25) {
        for _ in 0..writer.random.between(1, 2) {
            writer.perhaps(100, &MARKS);
        }
    } else {
        what_is_wanted(writer);
    }
}

const MARKS: [&str; 6] = [
    "+MQGMO_UNMARKED_BROWSE_MSG",
    "+MQGMO_UNMARKED_BROWSE_MSG",
    "+MQGMO_MARK_BROWSE_HANDLE",
    "+MQGMO_MARK_BROWSE_CO_OP",
    "+MQGMO_UNMARK_BROWSE_HANDLE",
    "+MQGMO_UNMARK_BROWSE_CO_OP",
];

fn stat(writer: &mut Writer<'_>) {
    writer.say("stat");
    writer.perhaps(10, &["reconnection", "reconnection-error"]);
}

fn unlock(writer: &mut Writer<'_>) {
    writer.say("unlock");
    writer.queue();
    writer.perhaps(3, &["syncpoint", "wait 1s"]);
}

fn under_cursor(writer: &mut Writer<'_>) {
    writer.say("get");
    writer.queue();
    writer.say("under-cursor");
    writer.perhaps(40, &["syncpoint"]);
    writer.perhaps(20, &OF_GROUPS);
}

const HOW_OPEN: [&str; 9] = [
    "input",
    "output",
    "browse",
    "input+browse",
    "input+browse",
    "input+browse",
    "input+output",
    "inquire",
    "set",
];

fn open(writer: &mut Writer<'_>) {
    writer.say("open");
    if writer.random.percent(35) {
        writer.perhaps(100, &["TEMPORARY input+output dynamic", "PERMANENT input+output+browse dynamic"]);
        writer.perhaps(100, &["DYNAMIC.1", "DYNAMIC.2"]);
        return;
    }
    writer.queue();
    writer.perhaps(100, &HOW_OPEN);
    let how = writer.words.last().cloned().unwrap_or_default();
    if how.starts_with("input") {
        writer.perhaps(40, &["shared", "exclusive"]);
    }
    if how.contains("browse") {
        writer.perhaps(50, &["+MQOO_CO_OP"]);
    }
    if how.contains("input") || how.contains("browse") {
        writer.perhaps(15, &SELECTORS);
        writer.perhaps(20, &["+MQOO_SAVE_ALL_CONTEXT"]);
    }
    if how.contains("output") {
        writer.perhaps(20, &["+MQOO_PASS_ALL_CONTEXT", "+MQOO_PASS_IDENTITY_CONTEXT"]);
        writer.perhaps(20, &["+MQOO_SET_ALL_CONTEXT", "+MQOO_SET_IDENTITY_CONTEXT"]);
    }
    writer.perhaps(5, &OPEN_OPTIONS);
}

const SELECTORS: [&str; 8] = [
    "selector \"colour = 'red'\"",
    "selector \"colour <> 'red' OR size IS NULL\"",
    "selector \"NOT size > 3\"",
    "selector \"size >= 7 AND colour IS NOT NULL\"",
    "selector \"Root.MQMD.Priority > 3\"",
    "selector \"JMSPriority <= 3 OR fragile = TRUE\"",
    "selector \"fragile = TRUE AND NOT colour = 'blue'\"",
    "selector \"Root.MQMD.MsgType = 8\"",
];

const OPEN_OPTIONS: [&str; 18] = [
    "+MQOO_SAVE_ALL_CONTEXT",
    "+MQOO_PASS_IDENTITY_CONTEXT",
    "+MQOO_PASS_ALL_CONTEXT",
    "+MQOO_SET_IDENTITY_CONTEXT",
    "+MQOO_SET_ALL_CONTEXT",
    "+MQOO_ALTERNATE_USER_AUTHORITY",
    "+MQOO_FAIL_IF_QUIESCING",
    "+MQOO_BIND_ON_OPEN",
    "+MQOO_BIND_NOT_FIXED",
    "+MQOO_BIND_ON_OPEN +MQOO_BIND_NOT_FIXED",
    "+MQOO_BIND_ON_GROUP",
    "+MQOO_CO_OP",
    "+MQOO_NO_READ_AHEAD",
    "+MQOO_READ_AHEAD",
    "+MQOO_RESOLVE_LOCAL_Q",
    "+MQOO_RESOLVE_NAMES",
    "+MQOO_NO_MULTICAST",
    "+MQOO_0x2000000",
];

fn close(writer: &mut Writer<'_>) {
    writer.say("close");
    writer.queue();
    writer.perhaps(
        12,
        &[
            "delete",
            "purge",
            "delete",
            "purge",
            "+MQCO_QUIESCE",
            "+MQCO_0x3",
            "+MQCO_0x400",
            "+MQCO_KEEP_SUB",
            "+MQCO_REMOVE_SUB",
        ],
    );
}

fn inquire(writer: &mut Writer<'_>) {
    writer.say("inquire");
    writer.queue();
    writer.perhaps(
        100,
        &[
            "depth",
            "depth",
            "inputs",
            "outputs",
            "maximum-depth",
            "MQIA_INHIBIT_PUT",
            "MQIA_INHIBIT_GET",
            "MQCA_Q_DESC",
        ],
    );
}

fn set(writer: &mut Writer<'_>) {
    writer.say("set");
    writer.queue();
    writer.perhaps(
        100,
        &[
            "MQIA_INHIBIT_PUT MQQA_PUT_INHIBITED",
            "MQIA_INHIBIT_PUT MQQA_PUT_ALLOWED",
            "MQIA_INHIBIT_PUT MQQA_PUT_ALLOWED",
            "MQIA_INHIBIT_GET MQQA_GET_INHIBITED",
            "MQIA_INHIBIT_GET MQQA_GET_ALLOWED",
            "MQIA_INHIBIT_GET MQQA_GET_ALLOWED",
        ],
    );
}

const ORDERS: [&str; 26] = [
    "ALTER QLOCAL(PRIO) PUT(ENABLED) GET(ENABLED)",
    "ALTER QLOCAL(FIFO) PUT(ENABLED) GET(ENABLED)",
    "ALTER QLOCAL(SMALL) PUT(ENABLED) GET(ENABLED)",
    "ALTER QLOCAL(OTHER) PUT(ENABLED) GET(ENABLED)",
    "ALTER QALIAS(ALIAS) PUT(ENABLED) GET(ENABLED)",
    "ALTER QLOCAL(FIFO) GET(DISABLED)",
    "ALTER QALIAS(ALIAS) PUT(DISABLED)",
    "ALTER QALIAS(ALIAS) TARGET(OTHER)",
    "ALTER QALIAS(ALIAS) TARGET(PRIO) FORCE",
    "ALTER QLOCAL(SMALL) MAXDEPTH(2)",
    "ALTER QLOCAL(SMALL) MAXDEPTH(5) MAXMSGL(200)",
    "ALTER QLOCAL(OTHER) MSGDLVSQ(FIFO)",
    "ALTER QLOCAL(OTHER) MSGDLVSQ(PRIORITY)",
    "ALTER QLOCAL(OTHER) NOSHARE",
    "ALTER QLOCAL(OTHER) SHARE",
    "ALTER QLOCAL(OTHER) DEFPSIST(YES)",
    "ALTER QLOCAL(NOWHERE) DEFPSIST(YES)",
    "DEFINE QLOCAL(OTHER)",
    "DEFINE QLOCAL(OTHER) LIKE(SMALL)",
    "DEFINE QLOCAL(OTHER) REPLACE",
    "DELETE QLOCAL(OTHER)",
    "DELETE QLOCAL(OTHER) PURGE",
    "DELETE QLOCAL(DYNAMIC.1)",
    "CLEAR QLOCAL(FIFO)",
    "CLEAR QLOCAL(OTHER)",
    "DISPLAY QLOCAL(PRIO) CURDEPTH MAXDEPTH DEFPRTY",
];

fn command(writer: &mut Writer<'_>) {
    let order = *writer.random.pick(&ORDERS);
    writer.order(order.to_owned());
}
