//! S6: what definitions lend. Each attribute that names something needs its right, however the definition
//! comes about: by DEFINE, ALTER, REPLACE, LIKE, or the object that defaults are taken from.

use mqi::{ObjectDescriptor, OpenOptions, PutFlags, PutOptions, Reason};
use objects::{Response, mqsc};
use queue_manager::{Identity, Issuer, Principal};

use crate::support::{Bench, open, principal};

/// One attribute that lends something.
#[derive(Clone, Copy)]
struct Row {
    /// The type, as DEFINE names it, and the object that its defaults come from.
    object: (&'static str, &'static str),
    /// Values that the definition needs beside it, and the subtype.
    beside: &'static str,
    /// The attribute.
    attribute: &'static str,
    /// The keyword that the refusal names.
    keyword: &'static str,
    /// The right: a type, a profile and authorities.
    right: (&'static str, &'static str, &'static str),
    /// True where ALTER may give it.
    is_altered: bool,
}

const QUEUE: (&str, &str) = ("QLOCAL", "SYSTEM.DEFAULT.LOCAL.QUEUE");
const MODEL: (&str, &str) = ("QMODEL", "SYSTEM.DEFAULT.MODEL.QUEUE");
const ALIAS: (&str, &str) = ("QALIAS", "SYSTEM.DEFAULT.ALIAS.QUEUE");
const REMOTE: (&str, &str) = ("QREMOTE", "SYSTEM.DEFAULT.REMOTE.QUEUE");
const TOPIC: (&str, &str) = ("TOPIC", "SYSTEM.DEFAULT.TOPIC");
const SUBSCRIPTION: (&str, &str) = ("SUB", "SYSTEM.DEFAULT.SUB");
const LISTENER: (&str, &str) = ("LISTENER", "SYSTEM.DEFAULT.LISTENER.TCP");
const SENDER: (&str, &str) = ("CHANNEL", "SYSTEM.DEF.SENDER");
const SERVER: (&str, &str) = ("CHANNEL", "SYSTEM.DEF.SERVER");
const RECEIVER: (&str, &str) = ("CHANNEL", "SYSTEM.DEF.RECEIVER");
const REQUESTER: (&str, &str) = ("CHANNEL", "SYSTEM.DEF.REQUESTER");
const CLIENTS: (&str, &str) = ("CHANNEL", "SYSTEM.DEF.SVRCONN");
const AMQP: (&str, &str) = ("CHANNEL", "SYSTEM.DEF.AMQP");

const fn row(
    object: (&'static str, &'static str),
    beside: &'static str,
    attribute: &'static str,
    keyword: &'static str,
    right: (&'static str, &'static str, &'static str),
) -> Row {
    Row { object, beside, attribute, keyword, right, is_altered: true }
}

const fn defined_alone(row: Row) -> Row {
    Row { is_altered: false, ..row }
}

const ALTUSR: (&str, &str, &str) = ("QMGR", "", "ALTUSR");
const CHG: (&str, &str, &str) = ("QMGR", "", "CHG");
const SETID: (&str, &str, &str) = ("QMGR", "", "SETID");

#[rustfmt::skip]
const ROWS: &[Row] = &[
    row(QUEUE, "", "BOQNAME(PAYROLL)", "BOQNAME", ("QUEUE", "PAYROLL", "PUT")),
    row(MODEL, "", "BOQNAME(PAYROLL)", "BOQNAME", ("QUEUE", "PAYROLL", "PUT")),
    row(QUEUE, "", "INITQ(PAYROLL)", "INITQ", ("QUEUE", "PAYROLL", "PUT")),
    row(MODEL, "", "INITQ(PAYROLL)", "INITQ", ("QUEUE", "PAYROLL", "PUT")),
    row(QUEUE, "", "STREAMQ(PAYROLL)", "STREAMQ", ("QUEUE", "PAYROLL", "PUT")),
    row(MODEL, "", "STREAMQ(PAYROLL)", "STREAMQ", ("QUEUE", "PAYROLL", "PUT")),
    // Put is no right to have the messages of others start something.
    row(QUEUE, "", "STREAMQ(SYSTEM.ADMIN.COMMAND.QUEUE)", "STREAMQ", CHG),
    row(MODEL, "", "STREAMQ(SYSTEM.ADMIN.COMMAND.QUEUE)", "STREAMQ", CHG),
    row(QUEUE, "", "STREAMQ(COMMANDS)", "STREAMQ", CHG),
    row(QUEUE, "", "STREAMQ(SYSTEM.DEFAULT.INITIATION.QUEUE)", "STREAMQ", CHG),
    row(QUEUE, "", "BOQNAME(SYSTEM.ADMIN.COMMAND.QUEUE)", "BOQNAME", CHG),
    row(MODEL, "", "BOQNAME(SYSTEM.CHANNEL.INITQ)", "BOQNAME", CHG),
    row(QUEUE, "", "PROCESS(WORK)", "PROCESS", ("PROCESS", "WORK", "INQ")),
    row(MODEL, "", "PROCESS(WORK)", "PROCESS", ("PROCESS", "WORK", "INQ")),
    row(QUEUE, "", "USAGE(XMITQ) TRIGDATA(TO.PARTNER)", "TRIGDATA", ("CHANNEL", "TO.PARTNER", "CTRL")),
    row(QUEUE, "TRIGDATA(TO.PARTNER)", "USAGE(XMITQ)", "TRIGDATA", ("CHANNEL", "TO.PARTNER", "CTRL")),
    row(ALIAS, "", "TARGET(PAYROLL)", "TARGET", ("QUEUE", "PAYROLL", "ALLMQI")),
    row(ALIAS, "TARGTYPE(TOPIC)", "TARGET(SALARIES)", "TARGET", ("TOPIC", "SALARIES", "PUB")),
    row(REMOTE, "RNAME(THERE)", "RQMNAME(PARTNER)", "RQMNAME", ("RQMNAME", "PARTNER", "PUT")),
    row(REMOTE, "", "RQMNAME(PARTNER)", "RQMNAME", ("RQMNAME", "PARTNER", "PUT")),
    row(REMOTE, "", "RQMNAME(TEST)", "RQMNAME", CHG),
    row(REMOTE, "RQMNAME(AT.HAND)", "XMITQ(PAYROLL)", "XMITQ", ("QUEUE", "PAYROLL", "PUT")),
    row(TOPIC, "TOPICSTR('own/x')", "MDURMDL(PAYROLL)", "MDURMDL", ("QUEUE", "PAYROLL", "DSP,PUT,GET,BROWSE")),
    row(TOPIC, "TOPICSTR('own/x')", "MNDURMDL(PAYROLL)", "MNDURMDL", ("QUEUE", "PAYROLL", "DSP,PUT,GET,BROWSE")),
    defined_alone(row(TOPIC, "TOPICSTR('own/x')", "TOPICSTR('salaries/june')", "TOPICSTR", ("TOPIC", "SALARIES", "ALLMQI"))),
    defined_alone(row(SUBSCRIPTION, "TOPICSTR('own') DEST(AT.HAND)", "TOPICSTR('salaries/june')", "TOPICSTR", ("TOPIC", "SALARIES", "SUB"))),
    defined_alone(row(SUBSCRIPTION, "TOPICSTR('own') DEST(AT.HAND)", "TOPICOBJ(SALARIES)", "TOPICSTR", ("TOPIC", "SALARIES", "SUB"))),
    row(SUBSCRIPTION, "TOPICSTR('own') DEST(AT.HAND)", "DEST(PAYROLL)", "DEST", ("QUEUE", "PAYROLL", "PUT")),
    row(SUBSCRIPTION, "TOPICSTR('own') DEST(AT.HAND)", "DESTQMGR(PARTNER)", "DEST", ("RQMNAME", "PARTNER", "PUT")),
    row(SUBSCRIPTION, "TOPICSTR('own') DEST(AT.HAND)", "SUBUSER('boss')", "SUBUSER", ALTUSR),
    row(SUBSCRIPTION, "TOPICSTR('own') DEST(AT.HAND)", "PUBAPPID('boss')", "PUBAPPID", SETID),
    row(SUBSCRIPTION, "TOPICSTR('own') DEST(AT.HAND)", "PUBACCT(0102)", "PUBACCT", SETID),
    row(LISTENER, "TRPTYPE(TCP)", "AMQPCHL(CLIENTS)", "AMQPCHL", ("CHANNEL", "CLIENTS", "CTRL")),
    row(SENDER, "CHLTYPE(SDR) CONNAME('partner(1414)') XMITQ(AT.HAND)", "XMITQ(PAYROLL)", "XMITQ", ("QUEUE", "PAYROLL", "GET")),
    row(SERVER, "CHLTYPE(SVR) XMITQ(AT.HAND)", "XMITQ(PAYROLL)", "XMITQ", ("QUEUE", "PAYROLL", "GET")),
    row(SENDER, "CHLTYPE(SDR) CONNAME('partner(1414)') XMITQ(AT.HAND)", "CERTLABL('boss')", "CERTLABL", CHG),
    row(RECEIVER, "CHLTYPE(RCVR)", "CERTLABL('boss')", "CERTLABL", CHG),
    row(CLIENTS, "CHLTYPE(SVRCONN)", "CERTLABL('boss')", "CERTLABL", CHG),
    row(CLIENTS, "CHLTYPE(SVRCONN)", "MCAUSER('boss')", "MCAUSER", ALTUSR),
    row(AMQP, "CHLTYPE(AMQP)", "MCAUSER('boss')", "MCAUSER", ALTUSR),
    row(RECEIVER, "CHLTYPE(RCVR)", "MCAUSER('boss')", "MCAUSER", ALTUSR),
    row(REQUESTER, "CHLTYPE(RQSTR) CONNAME('partner(1414)')", "MCAUSER('boss')", "MCAUSER", ALTUSR),
];

/// A queue manager whose user `part` has all rights but those that the rows are about.
pub(crate) fn part() -> Bench {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(PAYROLL)\nDEFINE QLOCAL(AT.HAND)\nDEFINE PROCESS(WORK)\n\
         DEFINE TOPIC(SALARIES) TOPICSTR('salaries')\nDEFINE TOPIC(OWN) TOPICSTR('own')\n\
         DEFINE QLOCAL(PARTNER) USAGE(XMITQ)\n\
         DEFINE QALIAS(COMMANDS) TARGET(SYSTEM.ADMIN.COMMAND.QUEUE)\n\
         SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('part') AUTHADD(CONNECT,DSP)",
    );
    for object_type in ["QUEUE", "TOPIC", "CHANNEL", "LISTENER", "PROCESS"] {
        give(&bench, (object_type, "@CLASS", "CRT"));
        for profile in ["SYSTEM.DEF.*", "SYSTEM.DEFAULT.**", "NEW", "OLD", "LIKE.IT"] {
            give(&bench, (object_type, profile, "DSP,CHG"));
        }
    }
    for queue in
        ["COMMANDS", "SYSTEM.ADMIN.COMMAND.QUEUE", "SYSTEM.CHANNEL.INITQ", "SYSTEM.DEFAULT.INITIATION.QUEUE"]
    {
        give(&bench, ("QUEUE", queue, "PUT"));
    }
    give(&bench, ("TOPIC", "OWN", "ALLMQI,DSP"));
    give(&bench, ("TOPIC", "SALARIES", "DSP"));
    give(&bench, ("QUEUE", "AT.HAND", "ALLMQI"));
    give(&bench, ("RQMNAME", "AT.HAND", "PUT"));
    bench.mqsc("SET AUTHREC PROFILE(OWN) OBJTYPE(TOPIC) PRINCIPAL('boss') AUTHADD(SUB)");
    bench
}

fn set(bench: &Bench, (object_type, profile, _): (&str, &str, &str), words: &str) {
    let profile = if profile.is_empty() { String::new() } else { format!("PROFILE('{profile}')") };
    bench.mqsc(&format!("SET AUTHREC {profile} OBJTYPE({object_type}) PRINCIPAL('part') {words}"));
}

pub(crate) fn give(bench: &Bench, right: (&str, &str, &str)) {
    set(bench, right, &format!("AUTHADD({})", right.2));
}

pub(crate) fn take(bench: &Bench, right: (&str, &str, &str)) {
    set(bench, right, &format!("AUTHRMV({})", right.2));
}

/// The answer to a command of the user `part`.
pub(crate) fn told(bench: &Bench, text: &str) -> Response {
    let issuer = Issuer { principal: principal("part"), ..Issuer::default() };
    let command = &mqsc::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))[0];
    bench.open(bench.manager.execute_for(&issuer, command))
}

impl Row {
    fn named(&self, verb: &str, name: &str) -> String {
        format!("{verb} {}({name}) {}", self.object.0, self.beside)
    }

    /// CHLTYPE and its like, without which a command does not read.
    fn subtype(&self) -> &'static str {
        let is_subtype = |word: &&str| word.starts_with("CHLTYPE(") || word.starts_with("TRPTYPE(");
        self.beside.split(' ').find(is_subtype).unwrap_or_default()
    }

    fn short(&self, verb: &str, name: &str) -> String {
        format!("{verb} {}({name}) {}", self.object.0, self.subtype())
    }

    /// The ways to the definition: commands of an administrator, and the one that is judged.
    fn ways(&self) -> Vec<(&'static str, Vec<String>, String)> {
        let Self { attribute, .. } = self;
        let define = |name| self.named("DEFINE", name);
        // A subscription of another is not to be touched, whatever it is given.
        let own = if self.object == SUBSCRIPTION { " SUBUSER('part')" } else { "" };
        let old = || define("OLD") + own;
        // A value that is given twice is the later one alone.
        let with = |command: String| {
            let keyword = attribute.split('(').next().unwrap();
            let mut words: Vec<&str> = command.split(' ').collect();
            words.retain(|word| !word.starts_with(&format!("{keyword}(")));
            format!("{} {attribute}", words.join(" "))
        };
        let mut ways = vec![
            ("DEFINE", vec![], with(define("NEW"))),
            ("REPLACE", vec![old()], format!("{} REPLACE", with(define("OLD")))),
        ];
        // Two topic objects have no place in common.
        let is_of_author = self.keyword == "SUBUSER";
        if !(self.object == TOPIC && self.keyword == "TOPICSTR" || is_of_author) {
            let apart = if self.object == TOPIC { " TOPICSTR('own/y')" } else { "" };
            let like = format!("{} LIKE(LIKE.IT){apart}", self.short("DEFINE", "NEW"));
            ways.push(("LIKE", vec![with(define("LIKE.IT"))], like));
        }
        if self.is_altered {
            let alter = format!("{} {attribute}", self.short("ALTER", "OLD"));
            ways.push(("ALTER", vec![old()], alter));
            // Subscriptions and topics have their place from their own definition.
            let default = format!("{} {attribute}", self.short("ALTER", self.object.1));
            let is_of_default =
                !["DEST(", "DESTQMGR(", "SUBUSER("].iter().any(|word| attribute.starts_with(word));
            if is_of_default && self.object.1 != "SYSTEM.DEF.SENDER" && self.object.1 != "SYSTEM.DEF.SERVER" {
                ways.push(("defaults", vec![default], define("NEW")));
            }
        }
        ways
    }
}

#[test]
fn a_definition_lends_nothing_that_its_author_does_not_have() {
    let mut wrong = Vec::new();
    let mut cells = 0;
    for row in ROWS {
        for (way, before, command) in row.ways() {
            let bench = part();
            for command in &before {
                bench.mqsc(command);
            }
            let display = format!("DISPLAY {}(*) ALL", row.object.0);
            let shown = bench.told(&display);
            let said = format!("{way}: {command}");
            bench.host.refusals.lock().clear();
            let refused = told(&bench, &command);
            let records = bench.host.refusals.lock().len();
            let is_told = refused.to_string().contains("FRY8135E");
            let mut note = |what: &str| wrong.push(format!("{said}: {what}"));
            if !is_told || records != 1 {
                note(&format!("without the right, {records} records: {refused}"));
            }
            let of_topic = row.object == SUBSCRIPTION && way == "DEFINE" && row.keyword == "TOPICSTR";
            if !of_topic
                && way != "REPLACE"
                && !refused.to_string().contains(row.keyword)
                && row.keyword != "DEST"
            {
                note(&format!("another attribute: {refused}"));
            }
            if bench.told(&display) != shown {
                note("a refused command changed something");
            }
            give(&bench, row.right);
            let done = told(&bench, &command);
            if !done.is_ok() {
                note(&format!("with the right: {done}"));
            }
            // What stands there is not asked again, by any way.
            take(&bench, row.right);
            let name = if command.contains("(OLD)") { "OLD" } else { "NEW" };
            // One who alters a subscription is judged for its topic and its user each time.
            if row.object != SUBSCRIPTION {
                let altered = told(&bench, &format!("{} DESCR('x')", row.short("ALTER", name)));
                if !altered.is_ok() {
                    note(&format!("what stood there was asked again: {altered}"));
                }
            }
            cells += 3;
        }
    }
    println!("{cells} cells");
    assert!(wrong.is_empty(), "{} of {cells}: {wrong:#?}", wrong.len());
    assert!(cells >= 400, "{cells} cells");
}

#[test]
fn a_subscription_by_the_pattern_of_another_is_its_authors() {
    let bench = part();
    bench.mqsc("DEFINE SUB(LIKE.IT) TOPICSTR('own') DEST(AT.HAND) SUBUSER('boss')");
    bench.mqsc("ALTER SUB(SYSTEM.DEFAULT.SUB) SUBUSER('boss')");
    for (text, name) in [
        ("DEFINE SUB(ONE) TOPICSTR('own') DEST(AT.HAND) LIKE(LIKE.IT)", "ONE"),
        ("DEFINE SUB(TWO) TOPICSTR('own') DEST(AT.HAND)", "TWO"),
    ] {
        let done = told(&bench, text);
        assert!(done.is_ok(), "{text}: {done}");
        let shown = bench.told(&format!("DISPLAY SUB({name}) SUBUSER"));
        assert!(shown.contains("SUBUSER(part)"), "{text}: {shown}");
    }
}

/// A refusal is one record, and leaves every definition as it was.
fn refuses_and_changes_nothing(bench: &Bench, command: &str) {
    let all = || {
        let objects = ["QUEUE(*)", "CHANNEL(*)", "QMGR", "CHLAUTH(*)"];
        objects.map(|objects| bench.told(&format!("DISPLAY {objects} ALL"))).concat()
    };
    let before = all();
    bench.host.refusals.lock().clear();
    let refused = told(bench, command);
    assert!(refused.to_string().contains("FRY8135E"), "{command}: {refused}");
    assert_eq!(bench.host.refusals.lock().len(), 1, "{command}");
    assert!(all() == before, "{command}: a refused command changed something");
}

/// Changes by which an author reaches more through a name that stood there.
#[test]
fn a_change_that_opens_what_a_definition_names_is_judged_by_that_name() {
    for (before, command, right) in [
        (
            "DEFINE CHANNEL(OLD) CHLTYPE(SDR) CONNAME('partner(1414)') XMITQ(PAYROLL)",
            "ALTER CHANNEL(OLD) CHLTYPE(SDR) CONNAME('mine(1414)')",
            ("QUEUE", "PAYROLL", "GET"),
        ),
        (
            "DEFINE CHANNEL(OLD) CHLTYPE(SVR) SSLPEER('CN=partner') XMITQ(PAYROLL)",
            "ALTER CHANNEL(OLD) CHLTYPE(SVR) SSLPEER('CN=mine')",
            ("QUEUE", "PAYROLL", "GET"),
        ),
        (
            "DEFINE CHANNEL(OLD) CHLTYPE(SDR) CONNAME('partner(1414)') XMITQ(PAYROLL) SSLCIPH(ANY_TLS13)",
            "ALTER CHANNEL(OLD) CHLTYPE(SDR) SSLCIPH(' ')",
            ("QUEUE", "PAYROLL", "GET"),
        ),
        (
            "DEFINE CHANNEL(OLD) CHLTYPE(RQSTR) CONNAME('partner(1414)') MCAUSER('boss')",
            "ALTER CHANNEL(OLD) CHLTYPE(RQSTR) CONNAME('mine(1414)')",
            ALTUSR,
        ),
        (
            "DEFINE CHANNEL(OLD) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS13) SSLPEER('CN=boss') MCAUSER('boss')",
            "ALTER CHANNEL(OLD) CHLTYPE(SVRCONN) SSLPEER(' ')",
            ALTUSR,
        ),
        (
            "DEFINE CHANNEL(OLD) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS13) MCAUSER('boss')",
            "ALTER CHANNEL(OLD) CHLTYPE(SVRCONN) SSLCAUTH(OPTIONAL)",
            ALTUSR,
        ),
        // Without a user of its own the channel takes the name that programs say.
        (
            "DEFINE CHANNEL(OLD) CHLTYPE(SVRCONN) MCAUSER('low')",
            "ALTER CHANNEL(OLD) CHLTYPE(SVRCONN) MCAUSER(' ')",
            ALTUSR,
        ),
        (
            "DEFINE CHANNEL(OLD) CHLTYPE(SVRCONN) MCAUSER('low')",
            "DEFINE CHANNEL(OLD) CHLTYPE(SVRCONN) REPLACE",
            ALTUSR,
        ),
        (
            "DEFINE CHANNEL(OLD) CHLTYPE(RCVR) PUTAUT(DEF) MCAUSER('boss')",
            "ALTER CHANNEL(OLD) CHLTYPE(RCVR) PUTAUT(CTX)",
            ALTUSR,
        ),
        (
            "DEFINE QLOCAL(OLD) USAGE(XMITQ) TRIGDATA(TO.PARTNER) NOTRIGGER",
            "ALTER QLOCAL(OLD) TRIGGER",
            ("CHANNEL", "TO.PARTNER", "CTRL"),
        ),
        (
            "DEFINE QREMOTE(OLD) RNAME(THERE) RQMNAME(PARTNER)",
            "ALTER QREMOTE(OLD) RNAME(OTHERS)",
            ("RQMNAME", "PARTNER", "PUT"),
        ),
        ("DEFINE QREMOTE(OLD) RNAME(THERE) RQMNAME(TEST)", "ALTER QREMOTE(OLD) RNAME(' ')", CHG),
        (
            "DEFINE QALIAS(OLD) TARGET(PAYROLL) TARGTYPE(TOPIC)",
            "ALTER QALIAS(OLD) TARGTYPE(QUEUE)",
            ("QUEUE", "PAYROLL", "ALLMQI"),
        ),
    ] {
        let bench = part();
        bench.mqsc(before);
        refuses_and_changes_nothing(&bench, command);
        give(&bench, right);
        let done = told(&bench, command);
        assert!(done.is_ok(), "{command}: {done}");
    }
}

#[test]
fn names_of_the_queue_manager_and_of_a_channel_rule_need_their_rights_beside_chg() {
    for (command, right) in [
        ("ALTER QMGR DEADQ(PAYROLL)", ("QUEUE", "PAYROLL", "PUT")),
        ("ALTER QMGR DEFXMITQ(PAYROLL)", ("QUEUE", "PAYROLL", "PUT")),
        ("ALTER QMGR CONNAUTH(OTHERS)", ("AUTHINFO", "OTHERS", "DSP")),
        ("SET CHLAUTH('C') TYPE(USERMAP) CLNTUSER('x') USERSRC(MAP) MCAUSER('boss') ACTION(ADD)", ALTUSR),
    ] {
        let bench = part();
        give(&bench, CHG);
        refuses_and_changes_nothing(&bench, command);
        give(&bench, right);
        let done = told(&bench, command);
        assert!(done.is_ok(), "{command}: {done}");
        let again = told(&bench, "ALTER QMGR DESCR('x')");
        assert!(again.is_ok(), "{again}");
        take(&bench, right);
        let again = told(&bench, "ALTER QMGR DESCR('y')");
        assert!(again.is_ok(), "what stood there was asked again: {again}");
    }
}

#[test]
fn an_author_lends_itself_by_its_whole_name_and_no_other_user_of_the_same_beginning() {
    let bench = part();
    for (text, is_done) in [
        ("DEFINE CHANNEL(NEW) CHLTYPE(SVRCONN) MCAUSER('part')", true),
        ("DEFINE CHANNEL(OLD) CHLTYPE(SVRCONN) MCAUSER('Part')", false),
        ("DEFINE SUB('OF.PART') TOPICSTR('own') DEST(AT.HAND) SUBUSER('part')", true),
        ("DEFINE SUB('OF.BOSS') TOPICSTR('own') DEST(AT.HAND) SUBUSER('boss')", false),
    ] {
        let answer = told(&bench, text);
        assert_eq!(answer.is_ok(), is_done, "{text}: {answer}");
    }
    let long = "part-of-the-payroll";
    bench.mqsc(&format!(
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('{long}') AUTHADD(CONNECT,DSP)\n\
         SET AUTHREC PROFILE(@CLASS) OBJTYPE(CHANNEL) PRINCIPAL('{long}') AUTHADD(CRT)\n\
         SET AUTHREC PROFILE('SYSTEM.DEF.*') OBJTYPE(CHANNEL) PRINCIPAL('{long}') AUTHADD(DSP)"
    ));
    let issuer = Issuer { principal: principal(long), ..Issuer::default() };
    // Cut to twelve characters it is the name of somebody else.
    for (user, is_done) in [("part-of-the-", false), (long, true)] {
        let text = format!("DEFINE CHANNEL(LONG) CHLTYPE(SVRCONN) MCAUSER('{user}')");
        let answer = bench.open(bench.manager.execute_for(&issuer, &mqsc::parse(&text).unwrap()[0]));
        assert_eq!(answer.is_ok(), is_done, "{text}: {answer}");
    }
}

/// Its blank name is no user, and partners without a user are not itself.
#[test]
fn an_author_without_a_name_opens_no_channel_by_removing_its_user() {
    let bench = part();
    bench.mqsc(
        "SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT,DSP)\n\
         SET AUTHREC PROFILE(OPEN) OBJTYPE(CHANNEL) GROUP('nobody') AUTHADD(CHG)\n\
         DEFINE CHANNEL(OPEN) CHLTYPE(SVRCONN) MCAUSER('boss')",
    );
    for (text, is_done) in [
        ("ALTER CHANNEL(OPEN) CHLTYPE(SVRCONN) MCAUSER(' ')", false),
        ("ALTER CHANNEL(OPEN) CHLTYPE(SVRCONN) DESCR('x')", true),
    ] {
        let issuer = Issuer { principal: principal(""), ..Issuer::default() };
        let answer = bench.open(bench.manager.execute_for(&issuer, &mqsc::parse(text).unwrap()[0]));
        assert_eq!(answer.is_ok(), is_done, "{text}: {answer}");
    }
}

#[test]
fn an_administrator_defines_what_it_likes_and_a_program_that_sets_trigger_data_does_not() {
    let bench = part();
    let administrator = Principal::administrator("root", Identity::Kernel).unwrap();
    let issuer = Issuer { principal: administrator, ..Issuer::default() };
    for text in ["DEFINE QALIAS(ANY) TARGET(PAYROLL)", "DEFINE CHANNEL(ANY) CHLTYPE(SVRCONN) MCAUSER('boss')"]
    {
        let answer = bench.open(bench.manager.execute_for(&issuer, &mqsc::parse(text).unwrap()[0]));
        assert!(answer.is_ok(), "{text}: {answer}");
    }
    give(&bench, ("QUEUE", "PAYROLL", "SET"));
    bench.mqsc("ALTER QLOCAL(PAYROLL) USAGE(XMITQ)");
    let mut session = bench.connect_user("part");
    let handle = session.open("PAYROLL", OpenOptions::SET);
    let mut sets = |channel: &str| {
        let selector = mqi::Selector(mqi::constants::MQCA_TRIGGER_DATA);
        let value = mqi::AttributeValue::Text(channel.to_owned());
        open(&bench.manager, session.connection.set(handle, &[(selector, value)]))
    };
    bench.host.refusals.lock().clear();
    assert_eq!(sets("TO.PARTNER"), Err(Reason::NOT_AUTHORIZED));
    assert_eq!(bench.host.refusals.lock().len(), 1);
    give(&bench, ("CHANNEL", "TO.PARTNER", "CTRL"));
    assert_eq!(sets("TO.PARTNER"), Ok(()));
}

#[test]
fn a_message_of_a_subscription_goes_to_the_queue_manager_that_was_judged() {
    let bench = part();
    // By an alias for this queue manager the queue here counts.
    bench.mqsc("DEFINE QREMOTE(SELFALIAS) RQMNAME(TEST)");
    let text = "DEFINE SUB('S') TOPICSTR('own') DEST(PAYROLL) DESTQMGR(SELFALIAS)";
    let refused = told(&bench, text);
    assert!(refused.to_string().contains("FRY8135E"), "{refused}");
    give(&bench, ("RQMNAME", "SELFALIAS", "PUT"));
    assert!(!told(&bench, text).is_ok(), "a record for the name of the alias counts for nothing");
    give(&bench, ("QUEUE", "PAYROLL", "PUT"));
    assert!(told(&bench, text).is_ok());
    let mut session = bench.connect_user("part");
    let topic = ObjectDescriptor::topic("own");
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    let put = session.connection.put1(&topic, &mqi::MessageDescriptor::default(), &options, "x".into());
    open(&bench.manager, put).unwrap();
    assert!(bench.told("DISPLAY QSTATUS(PAYROLL) CURDEPTH").contains("CURDEPTH(1)"));
}

#[test]
fn a_pipe_needs_the_right_on_its_queue_that_its_direction_uses() {
    let bench = part();
    bench.mqsc("DEFINE BRIDGE(FAR) CONNAME('far')");
    for right in
        [("PIPE", "@CLASS", "CRT"), ("PIPE", "SYSTEM.DEFAULT.PIPE", "DSP"), ("BRIDGE", "FAR", "CTRL")]
    {
        give(&bench, right);
    }
    for (direction, queue, right) in [
        ("OUT", "PAYROLL", ("QUEUE", "PAYROLL", "GET")),
        ("IN", "PAYROLL", ("QUEUE", "PAYROLL", "PUT")),
        // Its messages are commands, in the name of the users that put them there.
        ("IN", "SYSTEM.ADMIN.COMMAND.QUEUE", CHG),
    ] {
        let define = format!(
            "DEFINE PIPE(NEW) BRIDGE(FAR) DIRECT({direction}) QUEUE({queue}) FOREIGN('X') DEADQ(AT.HAND)"
        );
        let refused = told(&bench, &define).to_string();
        assert!(refused.contains("FRY8135E") && refused.contains("QUEUE"), "{define}: {refused}");
        give(&bench, right);
        let done = told(&bench, &define).to_string();
        assert!(done.contains("FRY8006I"), "{define}: {done}");
        take(&bench, right);
        bench.mqsc("DELETE PIPE(NEW)");
    }
    give(&bench, ("QUEUE", "PAYROLL", "PUT"));
    let define = "DEFINE PIPE(NEW) BRIDGE(FAR) DIRECT(IN) QUEUE(PAYROLL) FOREIGN('X') MCAUSER('boss')";
    let refused = told(&bench, define).to_string();
    assert!(refused.contains("FRY8135E") && refused.contains("MCAUSER"), "{refused}");
    give(&bench, ALTUSR);
    assert!(told(&bench, define).to_string().contains("FRY8006I"));
}
