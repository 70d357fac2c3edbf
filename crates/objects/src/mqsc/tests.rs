use super::*;
use crate::attributes::{Attribute, StatusType, Subject};
use crate::definition::tests::{object_type, settings_of, value_of};
use crate::value::Value;
use crate::{Definition, Family, Moment, ObjectType, attributes};
use mqi::constants::MQSCA_NEVER_REQUIRED;
use mqi::{NamePattern, ObjectName};
use proptest::prelude::*;
use security::authority::{self, EntityName, Set};

fn one(source: &str) -> Command {
    let mut commands = parse(source).unwrap_or_else(|errors| panic!("{source}\n{errors}"));
    assert_eq!(commands.len(), 1, "{source}");
    commands.remove(0)
}

fn refused(source: &str) -> SyntaxError {
    let mut errors = parse(source).expect_err(source).0;
    assert_eq!(errors.len(), 1, "{source}");
    errors.remove(0)
}

fn settings(source: &str) -> Vec<(&'static str, String)> {
    let settings = match one(source) {
        Command::Define(define) => define.settings,
        Command::Alter(alter) => alter.settings,
        other => panic!("{other:?}"),
    };
    settings
        .into_iter()
        .map(|setting| (setting.attribute.keyword, setting.value.shown(setting.attribute)))
        .collect()
}

#[test]
fn words_fold_to_capitals_and_quoted_text_stays() {
    let Command::Define(define) = one("define ql(orders) descr('It''s for orders')") else { panic!() };
    assert_eq!(define.name, "ORDERS");
    assert_eq!(define.settings[0].value, Value::from("It's for orders"));
    let Command::Define(define) = one("DEF QLOCAL('orders.New')") else { panic!() };
    assert_eq!(define.name, "orders.New");
}

#[test]
fn abbreviations_and_blanks_between_signs_are_the_same_command() {
    for (short, long) in [
        ("DEF QL(A)", "DEFINE QLOCAL(A)"),
        ("DEF QA(A) TARGQ(B)", "DEFINE QALIAS(A) TARGET(B)"),
        ("ALT QM(A) NOSHARE", "ALTER QMODEL ( A ) NOSHARE"),
        ("DIS Q(*)", "DISPLAY QUEUE(*)"),
        ("dis qs(a) type(handle) all", "DISPLAY QSTATUS('A') TYPE(HANDLE) ALL"),
        ("CLEAR QL(A);", "CLEAR QLOCAL(A)"),
        ("clear topicstr('a/b') scope(local) clrtype(retained)", "CLEAR TOPICSTR('a/b') CLRTYPE(RETAINED)"),
        ("DIS TPS('a/#') TYPE(PUB)", "DISPLAY TPSTATUS('a/#') TYPE(PUB)"),
        ("DIS TPS(A) NUMMSGS TYPE(SUB)", "DISPLAY TPSTATUS('A') TYPE(SUB) NUMMSGS"),
        ("DIS SBS('a*') ALL", "DISPLAY SBSTATUS('a*') ALL"),
        ("DEF QL(A) NOREPLACE", "DEFINE QLOCAL(A) NOREPLACE"),
        ("\u{FEFF}DEF QL(A)", "DEF QL(A)"),
    ] {
        assert_eq!(one(short), one(long), "{short}");
    }
}

#[test]
fn values_of_every_kind_are_read() {
    assert_eq!(
        settings("ALTER QLOCAL(A) MAXDEPTH(10) GET(disabled) SHARE DESCR('x') BOQNAME(b) CAPEXPRY(NOLIMIT)"),
        [
            ("MAXDEPTH", "10".into()),
            ("GET", "DISABLED".into()),
            ("SHARE", "SHARE".into()),
            ("DESCR", "x".into()),
            ("BOQNAME", "B".into()),
            ("CAPEXPRY", "NOLIMIT".into()),
        ]
    );
    assert_eq!(settings("ALTER QMGR SUITEB(128_BIT, 192_BIT)"), [("SUITEB", "128_BIT,192_BIT".into())]);
    let Command::Display(display) = one("DISPLAY QMGR WHERE(SUITEB EQ 128_BIT, 192_BIT)") else { panic!() };
    assert_eq!(display.filter.unwrap().operand, Value::Integer(6));
    for blank in ["BOQNAME(' ')", "BOQNAME('')"] {
        assert_eq!(settings(&format!("ALTER QL(A) {blank}")), [("BOQNAME", String::new())], "{blank}");
    }
}

#[test]
fn lines_continue_at_the_first_character_or_at_the_first_column() {
    for (source, text) in [
        ("DEFINE +\n   QLOCAL(A)", "DEFINE QLOCAL(A)"),
        ("DEFINE QLO+\n   CAL(A)", "DEFINE QLOCAL(A)"),
        ("DEFINE QLOCAL(A) DESCR('one +\n   two')", "DEFINE QLOCAL(A) DESCR('one two')"),
        ("DEFINE QLOCAL(A) DESCR('one-\n   two')", "DEFINE QLOCAL(A) DESCR('one   two')"),
        ("DEFINE QLOCAL(A) +\n* a comment between\n\n  SHARE", "DEFINE QLOCAL(A) SHARE"),
        ("  * indented\nDEFINE QLOCAL(A) SHARE", "DEFINE QLOCAL(A) SHARE"),
        ("DISPLAY QLOCAL(+\n   *) CURDEPTH", "DISPLAY QLOCAL(*) CURDEPTH"),
        ("DEFINE QLOCAL(A) DESCR('5+\n  * 7')", "DEFINE QLOCAL(A) DESCR('5* 7')"),
        ("DEFINE QLOCAL(A) DESCR('5-\n * 7')", "DEFINE QLOCAL(A) DESCR('5 * 7')"),
        ("  DEFINE QLOCAL(A) +  \r\n  SHARE\r\n", "DEFINE QLOCAL(A) SHARE"),
    ] {
        let statements = statements(source);
        assert_eq!(statements.len(), 1, "{source:?}");
        assert_eq!(statements[0].text, text, "{source:?}");
        assert_eq!(statements[0].command, Ok(one(text)), "{source:?}");
    }
    assert!(is_continued("DEFINE QLOCAL(A) +\n") && is_continued("DEFINE -"));
    assert!(!is_continued("DEFINE QLOCAL(A)") && !is_continued("* comment +"));
    assert!(is_continued("DISPLAY QLOCAL(+\n* comment") && !is_continued("DISPLAY QLOCAL(+\n *)"));
}

#[test]
fn empty_brackets_are_a_value_of_lists_alone() {
    assert_eq!(settings("ALTER NAMELIST(N) NAMES()"), [("NAMES", String::new())]);
    assert_eq!(settings("ALTER NAMELIST(N) NAMES( , )"), [("NAMES", String::new())]);
    for (empty, hint) in [
        ("ALTER QL(A) BOQNAME()", "Write BOQNAME(' ') for blank."),
        ("ALTER QL(A) DESCR( )", "Write DESCR(' ') for blank."),
        ("ALTER QL(A) DESCR(,)", "Write DESCR(' ') for blank."),
        ("ALTER QMGR MAXMSGL()", "It takes a number from 32768 to 104857600."),
        ("ALTER QL(A) GET()", "It takes ENABLED or DISABLED."),
        ("DEFINE QL(A) LIKE()", ""),
        ("DEFINE QL()", ""),
        ("DEFINE SUB(S) TOPICSTR()", "Write TOPICSTR(' ') for blank."),
        ("DISPLAY QL()", ""),
        ("DISPLAY QL(*) WHERE()", ""),
    ] {
        let error = refused(empty);
        assert!(hint.is_empty() || error.hint.as_deref() == Some(hint), "{empty}: {error}");
    }
}

#[test]
fn what_follows_a_semicolon_and_an_asterisk_is_a_comment() {
    for (source, texts) in [
        ("DISPLAY QMGR; * all of it; DISPLAY QL(*)", &["DISPLAY QMGR"][..]),
        ("DISPLAY QMGR;* it's no quote\nPING QMGR", &["DISPLAY QMGR", "PING QMGR"]),
        ("DISPLAY QMGR ; * no continuation +\nPING QMGR -\n", &["DISPLAY QMGR", "PING QMGR"]),
        ("DISPLAY +\n  QMGR; * it\n", &["DISPLAY QMGR"]),
        ("ALTER QMGR DESCR('a; * b')", &["ALTER QMGR DESCR('a; * b')"]),
        ("ALTER QMGR DESCR('a+\n ; * b')", &["ALTER QMGR DESCR('a; * b')"]),
        ("ALTER QMGR DESCR('it''s; * b'); * c", &["ALTER QMGR DESCR('it''s; * b')"]),
        ("DISPLAY QL( ; PING QMGR; *", &["DISPLAY QL(", "PING QMGR"]),
    ] {
        let found: Vec<String> = statements(source).into_iter().map(|statement| statement.text).collect();
        assert_eq!(found, texts, "{source}");
    }
    assert!(!is_continued("DISPLAY QMGR; * comment +"));
    assert!(is_continued("ALTER QMGR DESCR('a; * b +"));
}

#[test]
fn a_word_on_a_line_of_its_own_ends_the_input() {
    for line in ["END", " exit ", "Quit;", "quit ;", "STOP"] {
        assert!(is_end(line), "{line}");
    }
    for line in ["EXITS", "* END", "END QLOCAL(A)", "STOP LISTENER(A)", ""] {
        assert!(!is_end(line), "{line}");
    }
}

#[test]
fn a_script_is_read_to_its_end_whatever_is_wrong_in_it() {
    let source =
        "* queues\nDEFINE QLOCAL(A); DEFINE QLOCAL(B) ;\n\nDEFIN QLOCAL(C)\nDEFINE QLOCAL(D) DESCR('a;b')\n";
    let statements = statements(source);
    let lines: Vec<(usize, bool)> =
        statements.iter().map(|statement| (statement.line, statement.command.is_ok())).collect();
    assert_eq!(lines, [(2, true), (2, true), (4, false), (5, true)]);
    assert_eq!(parse(source).unwrap_err().0.len(), 1);
}

#[test]
fn an_error_points_into_the_line_the_word_stands_on() {
    let error = refused("DEFINE QLOCAL(A) +\n   MAXDEPHT(5) +\n   SHARE");
    assert_eq!((error.line, error.column, error.length), (2, 4, 8));
    assert_eq!(error.hint.as_deref(), Some("Did you mean MAXDEPTH?"));
    let error = refused("DEFINE QLOCAL(A) DESCR('äöü') MAXDEPHT(5)");
    assert_eq!((error.line, error.column), (1, 31));
    let error = refused("CLEAR QLOCAL(A); CLEAR QLOCAL");
    assert_eq!((error.line, error.column), (1, 30));
}

#[test]
fn display_takes_conditions_attributes_and_types() {
    let Command::Display(display) =
        one("DISPLAY QUEUE(DEV.*) WHERE(CURDEPTH GT 0) CURDEPTH MAXDEPTH NOSHARE TYPE(QLOCAL)")
    else {
        panic!()
    };
    let expected = Target::Objects {
        family: Family::Queue,
        names: "DEV.*".parse::<NamePattern>().unwrap().into(),
        object_type: Some(ObjectType::LocalQueue),
    };
    assert_eq!(display.target, expected);
    let filter = display.filter.clone().unwrap();
    assert_eq!((filter.keyword, filter.operator), ("CURDEPTH", Operator::Greater));
    assert!(filter.matches(&Value::Integer(1)) && !filter.matches(&Value::Integer(0)));
    let shown = display.attributes(Subject::Object(ObjectType::LocalQueue));
    let shown: Vec<&str> = shown.iter().map(|row| row.keyword).collect();
    assert_eq!(shown, ["QUEUE", "TYPE", "CURDEPTH", "MAXDEPTH", "SHARE"]);
}

#[test]
fn one_object_shows_all_and_several_show_what_they_are() {
    let count = |source: &str| {
        let Command::Display(display) = one(source) else { panic!() };
        display.attributes(display.target.subjects()[0]).len()
    };
    let all = attributes::of(Subject::Object(ObjectType::LocalQueue)).count();
    assert_eq!(count("DISPLAY QLOCAL(A)"), all);
    assert_eq!(count("DISPLAY QLOCAL(A*)"), 2);
    assert_eq!(count("DISPLAY QLOCAL(A*) ALL"), all);
    assert_eq!(count("DISPLAY QLOCAL(*) WHERE(PUT EQ ENABLED)"), 3);
    assert_eq!(count("DISPLAY QSTATUS(*) MONITOR"), 9);
    assert_eq!(count("DISPLAY QMSTATUS LOG"), 1 + attributes::LOG_ATTRIBUTES.len());
    assert_eq!(count("DISPLAY QMGR DEADQ"), 2);
    assert_eq!(count("DISPLAY QSTATUS(A) APPLTAG PID TYPE(HANDLE)"), 4);
}

#[test]
fn conditions_compare_numbers_words_and_patterns() {
    for (condition, value, expected) in [
        ("MAXDEPTH EQ 5", Value::Integer(5), true),
        ("MAXDEPTH NE 5", Value::Integer(5), false),
        ("MAXDEPTH LT 5", Value::Integer(4), true),
        ("MAXDEPTH LE 5", Value::Integer(6), false),
        ("MAXDEPTH GE 5", Value::Integer(5), true),
        ("GET EQ DISABLED", Value::Integer(1), true),
        ("SHARE EQ YES", Value::Integer(1), true),
        ("SHARE EQ NOSHARE", Value::Integer(1), false),
        ("DESCR LK 'ord*'", Value::from("orders"), true),
        ("DESCR NL 'ord*'", Value::from("orders"), false),
        ("DESCR EQ ' '", Value::from(""), true),
        ("ALTDATE GT '2026-01-01'", Value::from("2026-11-21"), true),
    ] {
        let Command::Display(display) = one(&format!("DISPLAY QLOCAL(*) WHERE({condition})")) else {
            panic!()
        };
        assert_eq!(display.filter.unwrap().matches(&value), expected, "{condition}");
    }
}

#[test]
fn a_condition_takes_the_words_of_every_type_it_looks_at() {
    let source = "DISPLAY CHANNEL(*) WHERE(SSLCAUTH EQ NEVER)";
    let command = one(source);
    assert_eq!(command.to_string(), source.replace("*", "'*'"));
    let Command::Display(display) = command else { panic!("{source}") };
    assert_eq!(display.filter.unwrap().operand, Value::Integer(MQSCA_NEVER_REQUIRED));
}

#[test]
fn commas_and_blanks_stand_for_each_other_between_words_and_in_lists() {
    for (written, meant) in [
        ("DEFINE QLOCAL(A), REPLACE, MAXDEPTH(5)", "DEFINE QLOCAL(A) REPLACE MAXDEPTH(5)"),
        ("DEFINE,QLOCAL,(A),,MAXDEPTH,(5),", "DEFINE QLOCAL(A) MAXDEPTH(5)"),
        ("DEFINE NAMELIST(N) NAMES(A B C)", "DEFINE NAMELIST(N) NAMES(A,B,C)"),
        ("DEFINE NAMELIST(N) NAMES(,A,,'b' C,)", "DEFINE NAMELIST(N) NAMES(A,'b',C)"),
        (
            "ALTER CHANNEL(C) CHLTYPE(SDR) COMPMSG(RLE ZLIBFAST)",
            "ALTER CHANNEL(C) CHLTYPE(SDR) COMPMSG(RLE,ZLIBFAST)",
        ),
        ("DISPLAY QL(A) MAXDEPTH,DESCR", "DISPLAY QL(A) MAXDEPTH DESCR"),
        ("DISPLAY QL(*) WHERE(MAXDEPTH,EQ,5)", "DISPLAY QL(*) WHERE(MAXDEPTH EQ 5)"),
        ("DELETE QL(A),PURGE", "DELETE QL(A) PURGE"),
    ] {
        assert_eq!(one(written), one(meant), "{written}");
    }
    assert_eq!(
        one("SET AUTHREC PROFILE(A) OBJTYPE(QUEUE), GROUP('g') AUTHADD(PUT GET,BROWSE)"),
        one("SET AUTHREC GROUP('g') AUTHADD(GET,BROWSE,PUT) PROFILE(A) SERVCOMP('x') OBJTYPE(QUEUE)"),
    );
    let about_what_is_absent = one("DISPLAY SVSTATUS(*) WHERE(STATUS EQ RUNNING)");
    assert!(matches!(about_what_is_absent, Command::Absent(_)));
    let text = refused("DEFINE QLOCAL(A) DESCR(two words)");
    assert!(text.hint.is_some_and(|hint| hint.contains("single quotes")));
}

#[test]
fn completion_offers_the_words_that_fit() {
    assert_eq!(completions("DEF"), ["DEFINE"]);
    assert_eq!(completions("PING "), ["QMGR", "CHANNEL"]);
    assert_eq!(completions("DEFINE QLOCAL(A) MAXD"), ["MAXDEPTH"]);
    assert_eq!(completions("DEFINE QLOCAL(A) GET("), ["ENABLED", "DISABLED"]);
    assert_eq!(completions("dis qs(A) TYPE(h"), ["HANDLE"]);
    assert_eq!(completions("DELETE QLOCAL(A) "), ["PURGE", "NOPURGE", "IGNSTATE", "AUTHREC"]);
    assert!(completions("DISPLAY QUEUE(*) CUR").contains(&"CURDEPTH".to_owned()));
    assert!(completions("").contains(&"DISPLAY".to_owned()));
    assert!(completions("DEFINE QLOCAL(").is_empty());
}

#[test]
fn what_is_wrong_is_shown_and_what_would_be_right() {
    let wrong = [
        "DEFIN QLOCAL(A)",
        "START CHANEL(A)",
        "START CHANNEL",
        "DEFINE CHANNEL(A)",
        "DEFINE CHANNEL(A) CHLTYPE(SENDER)",
        "DEFINE CHANNEL(A) CHLTYPE(RCVR) CHLTYPE(SDR)",
        "DEFINE CHANNEL(A) CHLTYPE(RCVR) XMITQ(B)",
        "DEFINE CHANNEL(A.NAME.OF.MORE.THAN.20) CHLTYPE(RCVR)",
        "DEFINE CHANNEL(A) CHLTYPE(SDR) COMPMSG(RLE,ZIP)",
        "DEFINE NAMELIST(A) NAMES(B,'C D')",
        "ALTER TOPIC(A) TOPICSTR('b')",
        "DEFINE SUB(A) DESTCORL(XY)",
        "DISPLAY SUB SUBID(12)",
        "DISPLAY CHANNEL(*) CHLTYPE(ABC)",
        "DISPLAY NAMELIST(*) WHERE(NAMES EQ A)",
        "DISPLAY NAMELIST(*) WHERE(DESCR CT A)",
        "DISPLAY AUTHREC(X)",
        "DISPLAY LOG(X)",
        "MOVE QLOCAL(A)",
        "DEFINE QLOCL(A)",
        "DEFINE QMGR",
        "DEFINE QLOCAL",
        "DEFINE QLOCAL A",
        "DEFINE QLOCAL()",
        "DEFINE QLOCAL(A B)",
        "DEFINE QLOCAL('A B')",
        "DEFINE QLOCAL(\"a\")",
        "DEFINE QLOCAL(ABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHI)",
        "DEFINE QLOCAL(A) MAXDEPHT(5)",
        "DEFINE QLOCAL(A) MAXDEPTH",
        "DEFINE QLOCAL(A) MAXDEPTH()",
        "DEFINE QLOCAL(A) MAXDEPTH(5",
        "DEFINE QLOCAL(A) MAXDEPTH(1000000000)",
        "DEFINE QLOCAL(A) MAXDEPTH(five)",
        "DEFINE QLOCAL(A) CAPEXPRY(0)",
        "DEFINE QLOCAL(A) GET(ON)",
        "DEFINE QLOCAL(A) GET(ENABLD)",
        "DEFINE QLOCAL(A) SHARE(YES)",
        "DEFINE QLOCAL(A) SHARE NOSHARE",
        "DEFINE QLOCAL(A) CURDEPTH(0)",
        "DEFINE QLOCAL(A) TARGET(B)",
        "DEFINE QLOCAL(A) DESCR(two words)",
        "DEFINE QLOCAL(A) DESCR('not closed)",
        "DEFINE QLOCAL(A) DESCR('1234567890123456789012345678901234567890123456789012345678901234567890')",
        "DEFINE QLOCAL(A) REPLACE REPLACE",
        "DEFINE QLOCAL(A) (B)",
        "DEFINE QLOCAL(A) )",
        "DELETE QALIAS(A) PURGE",
        "DISPLAY QUEUES(*)",
        "DISPLAY QUEUE",
        "DISPLAY QUEUE(*) WHERE(CURDEPTH IS 5)",
        "DISPLAY QUEUE(*) WHERE(CURDEPTH GT)",
        "DISPLAY QUEUE(*) WHERE(CURDEPTH LK 5)",
        "DISPLAY QUEUE(*) WHERE(GET GT ENABLED)",
        "DISPLAY QUEUE(*) WHERE CURDEPTH GT 0",
        "DISPLAY QUEUE(*) WHERE(DESCR LK 'a*b')",
        "DISPLAY QUEUE(*) TYPE(QREMOT)",
        "DISPLAY QUEUE(A*B)",
        "DISPLAY CONN(XYZ)",
        "DISPLAY TPSTATUS(A) TYPE(HANDLE)",
        "DISPLAY TPSTATUS(A) NUMPUBS",
        "CLEAR TOPICSTR(A)",
        "CLEAR TOPICSTR() CLRTYPE(RETAINED)",
        "DISPLAY QMGR(QM1)",
        "PING",
        "PING QMGR NOW",
    ];
    let mut shown = String::new();
    for source in wrong {
        shown.push_str(&refused(source).to_string());
        shown.push_str("\n\n");
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn the_examples_in_the_documentation_are_commands() {
    let page = include_str!("../../../../docs/reference/commands.md");
    let blocks: Vec<&str> =
        page.split("```mqsc\n").skip(1).filter_map(|block| block.split("```").next()).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let commands = parse(block).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(commands.len(), block.lines().count());
    }
}

#[test]
fn a_statement_beyond_the_limit_is_refused() {
    let source = format!("DEFINE QLOCAL(A) DESCR('{}')", "x".repeat(STATEMENT_BYTES_MAX));
    assert!(refused(&source).problem.contains("at most 32768"));
}

fn name() -> impl Strategy<Value = ObjectName> {
    "[A-Za-z0-9._/%]{1,48}".prop_map(|text| text.parse().unwrap())
}

fn pattern() -> impl Strategy<Value = NamePattern> {
    "[A-Za-z0-9._/%]{1,20}[*]?".prop_map(|text| text.parse().unwrap())
}

/// A name that an object of the type can have.
fn name_of(object_type: ObjectType) -> BoxedStrategy<Name> {
    match object_type.family() {
        Family::QueueManager => Just(Name::Object(ObjectName::BLANK)).boxed(),
        Family::Subscription => "[ -~äß]{1,60}"
            .prop_filter("not blank", |text| !text.trim().is_empty())
            .prop_map(|text| Name::Subscription(text.trim_end_matches(' ').into()))
            .boxed(),
        _ => {
            let length_max = object_type.name_length_max();
            name()
                .prop_map(move |name| {
                    let text = name.as_str();
                    Name::Object(text[..text.len().min(length_max)].parse().unwrap())
                })
                .boxed()
        }
    }
}

fn changing_command() -> impl Strategy<Value = Command> {
    let defined =
        || object_type().prop_filter("no queue manager", |found| *found != ObjectType::QueueManager);
    let replace = proptest::sample::select(&[Replace::Unsaid, Replace::Yes, Replace::No]);
    let define = (defined(), replace).prop_flat_map(|(object_type, replace)| {
        let like = proptest::option::of(name_of(object_type));
        (name_of(object_type), like, settings_of(object_type)).prop_map(move |(name, like, settings)| {
            Command::Define(Define { object_type, name, replace, like, settings })
        })
    });
    let alter = (object_type(), any::<bool>()).prop_flat_map(|(object_type, force)| {
        (name_of(object_type), settings_of(object_type)).prop_map(move |(name, mut settings)| {
            settings.retain(|setting| setting.attribute.access == attributes::Access::Alterable);
            Command::Alter(Alter { object_type, name, force, settings })
        })
    });
    let delete =
        (defined(), any::<bool>(), any::<bool>()).prop_flat_map(|(object_type, purge, ignore_missing)| {
            name_of(object_type).prop_map(move |name| {
                let purge = purge && object_type == ObjectType::LocalQueue;
                let is_told = object_type.family().selector().is_none()
                    || object_type == ObjectType::ClientConnectionChannel;
                let family = object_type.family();
                let object_type = is_told.then_some(object_type);
                Command::Delete(Delete { family, object_type, name, purge, ignore_missing })
            })
        });
    let clear = name().prop_map(|name| Command::Clear(Clear { name }));
    let moved =
        (name(), name(), any::<bool>()).prop_map(|(from, to, add)| Command::Move(Move { from, to, add }));
    let recover = name().prop_map(|name| Command::Recover(Recover { name }));
    let listen = (name(), any::<bool>(), any::<bool>()).prop_map(|(name, ignore_state, starts)| {
        let step = ListenerStep { name, ignore_state };
        if starts { Command::StartListener(step) } else { Command::StopListener(step) }
    });
    let address = proptest::option::of("[0-9.]{1,15}".prop_map(Into::into));
    let queue_manager = proptest::option::of(name().prop_map(Into::into));
    let mode = proptest::sample::select(vec![
        StopChannelMode::Quiesce,
        StopChannelMode::Force,
        StopChannelMode::Terminate,
    ]);
    let stop = (name(), mode, any::<bool>(), address, queue_manager, any::<bool>()).prop_map(
        |(name, mode, stays_open, address, queue_manager, ignores_state)| {
            Command::StopChannel(StopChannel {
                name,
                mode,
                stays_open,
                address,
                queue_manager,
                ignores_state,
            })
        },
    );
    let start = (name(), any::<bool>())
        .prop_map(|(name, ignores_state)| Command::StartChannel(StartChannel { name, ignores_state }));
    let ping_channel =
        (name(), 16_u32..=32_768).prop_map(|(name, bytes)| Command::PingChannel(PingChannel { name, bytes }));
    let reset = (name(), 1_u32..=999_999_999)
        .prop_map(|(name, sequence)| Command::ResetChannel(ResetChannel { name, sequence }));
    let resolution =
        proptest::sample::select(vec![Resolution::Commit, Resolution::Backout, Resolution::Forget]);
    let resolve = (name(), resolution)
        .prop_map(|(name, resolution)| Command::ResolveChannel(ResolveChannel { name, resolution }));
    let initiate = any::<bool>()
        .prop_map(|starts| if starts { Command::StartInitiator } else { Command::StopInitiator });
    let run = prop_oneof![start, stop, ping_channel, reset, resolve, initiate];
    let ping = Just(Command::PingQueueManager);
    let rights = (authority_records(), any::<bool>(), any::<u32>(), any::<u32>()).prop_map(
        |(records, deletes, add, remove)| {
            let set = |bits: u32| {
                let fitting = records.object_type.fitting().iter();
                let chosen = fitting.enumerate().filter(|(at, _)| bits & 1 << at != 0);
                chosen.fold(Set::EMPTY, |set, (_, one)| set.with(one.set()))
            };
            let (add, remove) = (Some(set(add)), (remove % 2 == 0).then(|| set(remove)));
            match deletes {
                true => Command::DeleteAuthority(records),
                false => Command::SetAuthority(SetAuthority { records, add, remove }),
            }
        },
    );
    let actions = [RuleAction::Add, RuleAction::Replace, RuleAction::Remove, RuleAction::RemoveAll];
    let actions = proptest::sample::select(actions.to_vec());
    let rule = ("[A-Z.*]{1,20}", 1..=6, actions, settings_of(ObjectType::ChannelRule));
    let set = rule.prop_map(|(profile, rule_type, action, mut settings)| {
        settings.retain(|setting| !["CHLAUTH", "TYPE"].contains(&setting.attribute.keyword));
        Command::SetChannelRule(SetChannelRule { profile: profile.into(), rule_type, action, settings })
    });
    prop_oneof![
        2 => rights,
        4 => define, 4 => alter, 2 => delete, 1 => clear, 1 => moved, 1 => recover, 1 => listen, 1 => run, 1 => ping,
        2 => set,
    ]
}

fn record_type() -> impl Strategy<Value = authority::ObjectType> {
    proptest::sample::select(authority::ObjectType::all().collect::<Vec<_>>())
}

fn entity() -> impl Strategy<Value = EntityName> {
    (any::<bool>(), "[ -)+-.0-~äß]{0,20}[a-z][']?")
        .prop_map(|(is_group, name)| EntityName { is_group, name: name.into() })
}

fn authority_records() -> impl Strategy<Value = AuthorityRecords> {
    let scope = prop_oneof!["[A-Z.?]{1,20}[*]?", Just("@CLASS".to_owned()), Just("**".to_owned())];
    (record_type(), scope, proptest::collection::btree_set(entity(), 1..5)).prop_map(
        |(object_type, scope, entities)| {
            let scope = authority::Scope::parse(object_type, &scope).unwrap();
            AuthorityRecords { object_type, scope, entities: entities.into_iter().collect() }
        },
    )
}

fn authority_target() -> impl Strategy<Value = Target> {
    let matching = proptest::sample::select(vec![
        Matching::Profile,
        Matching::Membership,
        Matching::Exact,
        Matching::Wildcard,
    ]);
    let profile = proptest::option::of("[A-Za-z.?*]{1,20}".prop_map(Into::into));
    let choice = (profile, proptest::option::of(record_type()), proptest::option::of(entity()), matching);
    let records = choice.prop_map(|(profile, object_type, entity, matching)| {
        Target::AuthorityRecords(AuthorityChoice { profile, object_type, entity, matching })
    });
    let request = proptest::option::of(proptest::sample::select(CheckedRequest::ALL));
    let of_entity =
        (entity(), record_type(), name(), request).prop_map(|(entity, object_type, name, check)| {
            let check = check.filter(|_| !entity.is_group);
            Target::EntityAuthority(EntityChoice { entity, object_type, name, check })
        });
    prop_oneof![records, of_entity, Just(Target::AuthorityService)]
}

fn target() -> impl Strategy<Value = Target> {
    let kinds = proptest::sample::select(vec![StatusType::Queue, StatusType::QueueHandle]);
    let answers = proptest::sample::select(vec![
        ConnectionAnswers::Connection,
        ConnectionAnswers::Handles,
        ConnectionAnswers::All,
    ]);
    let objects = object_type().prop_filter("no queue manager", |found| *found != ObjectType::QueueManager);
    prop_oneof![
        4 => (objects, pattern(), any::<bool>()).prop_map(|(found, names, is_told)| {
            let family = found.family();
            let names = match family {
                Family::Subscription => Names::Subscriptions(names.to_string().into()),
                _ => names.into(),
            };
            let is_told = is_told && found.subtype().is_some();
            Target::Objects { family, names, object_type: is_told.then_some(found) }
        }),
        2 => authority_target(),
        1 => Just(Target::QueueManager),
        1 => Just(Target::QueueManagerStatus),
        1 => ("[A-Z.]{1,20}", "[A-Z]{0,10}").prop_map(|(queue, manager)| Target::Route {
            queue: queue.parse().unwrap(),
            queue_manager: manager.parse().unwrap(),
        }),
        1 => proptest::sample::select(vec![Relation::All, Relation::Local, Relation::Child])
            .prop_map(|of| Target::PublishSubscribe { of }),
        1 => pattern().prop_map(|names| Target::ListenerStatus { names }),
        1 => (pattern(), any::<bool>()).prop_map(|(names, saved)| {
            let instances = if saved { ChannelInstances::Saved } else { ChannelInstances::Current };
            Target::ChannelStatus { names, instances }
        }),
        1 => ("[A-Z.*]{1,20}", proptest::sample::select(vec![RuleMatch::Generic, RuleMatch::Exact, RuleMatch::All]))
            .prop_map(|(profile, matching)| Target::ChannelRules { profile: profile.into(), matching }),
        1 => (pattern(), kinds).prop_map(|(names, kind)| Target::QueueStatus { names, kind }),
        1 => ("[0-9A-F]{0,15}[*]", answers)
            .prop_map(|(identifiers, answers)| Target::Connections { identifiers, answers }),
    ]
}

fn display_command() -> impl Strategy<Value = Command> {
    target().prop_flat_map(|target| {
        let rows: Vec<_> = target.subjects().into_iter().flat_map(attributes::of).collect();
        // As a word of a command it says which status is asked for, and is shown with either.
        let is_shown_always = |keyword: &&str| *keyword == "CURRENT";
        let keywords = rows.iter().map(|row| row.keyword).filter(|keyword| !is_shown_always(keyword));
        let keywords: Vec<&'static str> = keywords.collect();
        let comparable: Vec<_> = rows.into_iter().filter(|row| !row.is_list()).collect();
        let filter = proptest::sample::select(comparable).prop_flat_map(|row| {
            // What is shown blank because it was not measured is nothing to compare with.
            let is_told = move |operand: &Value| !operand.shown(row).split(',').all(|part| part == " ");
            value_of(row).prop_filter("not measured", is_told).prop_map(move |operand| Filter {
                keyword: row.keyword,
                operator: Operator::NotEqual,
                operand,
            })
        });
        let shown = prop_oneof![
            Just(Shown::Usual),
            Just(Shown::All),
            proptest::sample::subsequence(keywords, 1..4).prop_map(Shown::Listed),
        ];
        let page = (proptest::option::of("[A-Za-z.']{1,20}"), proptest::option::of(1_u32..2_000));
        (proptest::option::of(filter), shown, page).prop_map(move |(filter, shown, (after, limit))| {
            let page = match target.has_pages() {
                true => Page { after: after.map(Into::into), limit, part: None },
                false => Page::default(),
            };
            let selection = Vec::new();
            let open_type = OpenType::All;
            Command::Display(Display { target: target.clone(), selection, open_type, filter, page, shown })
        })
    })
}

#[test]
fn a_page_is_asked_for_by_a_name_and_a_number_where_objects_have_an_order() {
    let Command::Display(display) = one("DISPLAY QLOCAL(*) LIMIT(20) AFTER(orders) WHERE(MAXDEPTH GT 5)")
    else {
        panic!("a display")
    };
    assert_eq!(display.page, Page::of(20, Some("ORDERS")));
    assert_eq!(display.in_page(Page::of(5, None)), None, "a page of a page is not asked for");
    let text = "DISPLAY QSTATUS(*) AFTER('orders') CURDEPTH";
    let Command::Display(display) = one(text) else { panic!("a display") };
    assert_eq!(display.page, Page { after: Some("orders".into()), ..Page::default() });
    for (text, problem) in [
        ("DISPLAY QLOCAL(*) LIMIT(0)", "LIMIT takes a number from 1 to"),
        ("DISPLAY QLOCAL(*) LIMIT(-1)", "LIMIT takes a number from 1 to"),
        ("DISPLAY QLOCAL(*) LIMIT(1000000000)", "LIMIT takes a number from 1 to"),
        ("DISPLAY QLOCAL(*) LIMIT(ten)", "LIMIT takes a number from 1 to"),
        ("DISPLAY QLOCAL(*) LIMIT()", "LIMIT"),
        ("DISPLAY QLOCAL(*) LIMIT(1) LIMIT(2)", "LIMIT is given twice"),
        ("DISPLAY QLOCAL(*) AFTER('')", "AFTER needs the name"),
        ("DISPLAY QLOCAL(*) AFTER(A) AFTER(B)", "AFTER is given twice"),
        ("DISPLAY CONN(*) LIMIT(5)", "LIMIT"),
        ("DISPLAY QSTATUS(*) TYPE(HANDLE) LIMIT(5)", "LIMIT"),
    ] {
        let error = statements(text).remove(0).command.expect_err(text).to_string();
        assert!(error.contains(problem), "{text}: {error}");
    }
}

proptest! {
    #[test]
    fn a_command_that_changes_reads_back_as_it_was_written(command in changing_command()) {
        prop_assert_eq!(one(&command.to_string()), command);
    }

    #[test]
    fn a_command_that_asks_reads_back_as_it_was_written(command in display_command()) {
        prop_assert_eq!(one(&command.to_string()), command);
    }

    #[test]
    fn no_text_makes_the_parser_panic(source in "\\PC{0,200}") {
        check_errors(&source);
    }

    #[test]
    fn no_text_that_looks_like_commands_makes_the_parser_panic(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "DEFINE", "DISPLAY", "ALTER", "QLOCAL", "QUEUE", "CONN", "QMGR", "WHERE", "MAXDEPTH", "SHARE", "GET",
                "TYPE", "DESCR", "ALL", "EQ", "(", ")", "'", "''", "*", "+\n", "-\n", "\n", ";", " ", ",", "5",
                "ENABLED", "A", "ä", "\u{1}", "\t",
            ]),
            0..30,
        )
    ) {
        check_errors(&words.join(" "));
        check_errors(&words.concat());
    }
}

/// Reads, and shows every error; each points into a line of the source.
fn check_errors(source: &str) {
    let _ = completions(source);
    for statement in statements(source) {
        let Err(error) = statement.command else { continue };
        let line = source.lines().nth(error.line - 1).expect("the line exists");
        assert_eq!(line, error.source);
        assert!(error.column <= line.chars().count() + 1, "{error:?}");
        assert!(error.to_string().contains('^'));
    }
}

#[test]
fn a_syntax_error_shows_no_secret_wherever_its_lines_end() {
    let define = "DEFINE AUTHINFO(L) AUTHTYPE(IDPWLDAP) CONNAME('ldap')";
    for rest in [
        "LDAPPWD( +\n'hunter2') BADATTR(1)",
        "LDAPPWD('hun-\nter2') BADATTR(1)",
        "LDAPPWD('hun+\n   ter2') BADATTR(1)",
        "LDAPPWD +\n* with a comment\n  ('hunter2') BADATTR(1)",
        "LDAP-\nPWD('hunter2') BADATTR(1)",
        "LDAPPWD( +\n'hunter2'); BADATTR(1)",
        "LDAPPWD('hun' 'hunter2')",
        "LDAPPWD('x'hunter2') DESCR('d')",
        "LDAPPWD('hunter2 DESCR(d)",
        "LDAPPWD(x hunter2)",
        "LDAPPWD 'hunter2'",
        "LDAPPWD hunter2)",
        "BADATTR(1) ;* LDAPPWD('hunter2')",
    ] {
        let script = format!("{define} {rest}");
        let shown = parse(&script).expect_err(rest).to_string();
        assert!(!shown.to_lowercase().contains("ter2") && !shown.contains("hun"), "{shown}");
    }
    let error = refused("DEFINE AUTHINFO(L) AUTHTYPE(IDPWLDAP) LDAPPWD( +\n'hunter2') BADATTR(1)");
    assert_eq!((error.line, error.column), (2, 12));
    assert!(error.pointer().starts_with("     '*******') BADATTR(1)\n                ^^^^^^^"), "{error}");
}

#[test]
fn documented_forms_of_display_are_understood_and_read_back() {
    for (text, again) in [
        ("DIS QUEUE(*) CLUSINFO", "DISPLAY QUEUE('*')"),
        ("DIS Q(*) CLUSQMGR CLUSQT QMID", "DISPLAY QUEUE('*') CLUSQMGR CLUSQT QMID"),
        ("DIS QL(Q) CLUSDATE CLUSTIME", "DISPLAY QLOCAL('Q') CLUSDATE CLUSTIME"),
        ("DIS TOPIC(T) CLSTATE CLUSQMGR", "DISPLAY TOPIC('T') CLSTATE CLUSQMGR"),
        ("DIS TOPIC(*) WHERE(CLSTATE EQ ACTIVE)", "DISPLAY TOPIC('*') WHERE(CLSTATE EQ ACTIVE)"),
        ("DIS Q(*) WHERE(CLUSQMGR LK 'QM*')", "DISPLAY QUEUE('*') WHERE(CLUSQMGR LK 'QM*')"),
        ("DIS QMGR VERSION", "DISPLAY QMGR VERSION"),
        ("DIS QUEUE(*) CLUSTER(*)", "DISPLAY QUEUE('*') CLUSTER('*')"),
        ("DIS CHSTATUS(*) XMITQ('X')", "DISPLAY CHSTATUS('*') XMITQ('X')"),
        ("DIS CHSTATUS(*) CONNAME('x')", "DISPLAY CHSTATUS('*') CONNAME('x')"),
        ("DIS CONN(*) TYPE(*)", "DISPLAY CONN(*) TYPE(ALL)"),
        ("DIS QSTATUS(Q) TYPE(HANDLE) OPENTYPE(INPUT)", "DISPLAY QSTATUS('Q') TYPE(HANDLE) OPENTYPE(INPUT)"),
        ("DIS QSTATUS(Q) OPENTYPE(ALL) TYPE(HANDLE)", "DISPLAY QSTATUS('Q') TYPE(HANDLE)"),
        ("DIS SUB(*) SUMMARY", "DISPLAY SUB('*') DEST DESTCORL DESTQMGR SUB SUBID SUBTYPE TOPICSTR"),
        (
            "DIS CHSTATUS(*) MONITOR",
            "DISPLAY CHSTATUS('*') COMPRATE COMPTIME EXITTIME MONCHL NETTIME XBATCHSZ XQMSGSA XQTIME",
        ),
        (
            "DIS QMGR EVENT",
            "DISPLAY QMGR AUTHOREV CHLEV CMDEV CONFIGEV INHIBTEV LOCALEV LOGGEREV PERFMEV REMOTEEV SSLEV STRSTPEV",
        ),
        (
            "DIS QMGR CLUSTER",
            "DISPLAY QMGR CLWLDATA CLWLEXIT CLWLLEN CLWLMRUC CLWLUSEQ DEFCLXQ MONACLS QMID REPOS REPOSNL",
        ),
        ("DIS QMGR PUBSUB", "DISPLAY QMGR PARENT PSCLUS PSMODE PSNPMSG PSNPRES PSRTYCNT PSSYNCPT TREELIFE"),
    ] {
        assert_eq!(one(text).to_string(), again, "{text}");
        assert_eq!(one(again), one(text), "{text}");
    }
    for word in ["SYSTEM", "CHINIT"] {
        let Command::Display(Display { shown: Shown::Listed(listed), .. }) = one(&format!("DIS QMGR {word}"))
        else {
            panic!("{word}: a display of a list");
        };
        assert!(listed.len() > 15 && listed.contains(&"DEADQ"), "{word}: {listed:?}");
    }
    for text in [
        "DIS QCLUSTER(*)",
        "DIS QC(*) CLUSTER",
        "DIS QUEUE(*) TYPE(QCLUSTER)",
        "DIS Q(*) ALL QTYPE(QCLUSTER)",
    ] {
        assert!(
            matches!(one(text), Command::Absent(absent) if absent.command.subject == "QCLUSTER"),
            "{text}"
        );
    }
    let topics = one("DIS TOPIC(*) TYPE(CLUSTER)");
    assert!(matches!(&topics, Command::Absent(absent) if absent.command.subject == "TCLUSTER"), "{topics}");
    assert_eq!(one(&topics.to_string()), topics);
    for text in ["DIS TOPIC(*) TYPE(LOCAL)", "DIS TOPIC(*) TYPE(ALL)", "DIS QUEUE(*) TYPE(QLOCAL)"] {
        assert!(matches!(one(text), Command::Display(_)), "{text}");
    }
}

#[test]
fn attributes_of_clusters_are_asked_for_and_never_set_or_shown() {
    for text in ["ALTER QLOCAL(Q) CLUSQMGR(QM2)", "DEFINE TOPIC(T) CLSTATE(ACTIVE)", "DIS CHANNEL(*) CLSTATE"]
    {
        assert!(parse(text).is_err(), "{text}");
    }
    let Command::Display(display) = one("DIS QUEUE(Q) CLUSQMGR QMID DESCR") else { panic!("a display") };
    let queue = Definition::new(ObjectType::LocalQueue, "Q".parse().unwrap(), Moment::default());
    let subject = Subject::Object(ObjectType::LocalQueue);
    let row = display.row(subject, &crate::messages::QUEUE_DETAILS, |row| queue.value(row)).unwrap();
    let keywords: Vec<&str> = row.fields.iter().map(|field| field.attribute.keyword).collect();
    assert_eq!(keywords, ["QUEUE", "TYPE", "DESCR"]);
    let Command::Display(display) = one("DIS QUEUE(*) WHERE(CLUSQMGR NE 'QM2')") else { panic!("a display") };
    assert!(display.row(subject, &crate::messages::QUEUE_DETAILS, |row| queue.value(row)).is_none());
}

#[test]
fn a_value_in_parentheses_chooses_as_documented() {
    let is_shown = |text: &str, subject, values: &[(&str, Value)]| {
        let Command::Display(display) = one(text) else { panic!("{text}: a display") };
        let value = |row: &'static Attribute| {
            values.iter().find(|(keyword, _)| *keyword == row.keyword).map(|(_, value)| value.clone())
        };
        display.row(subject, &crate::messages::OBJECT_CREATED, value).is_some()
    };
    let text = |keyword, value: &str| [(keyword, Value::from(value))];
    let local = Subject::Object(ObjectType::LocalQueue);
    for (asked, values, expected) in [
        ("DIS QUEUE(*) CLUSTER(*)", &text("CLUSTER", "")[..], true),
        ("DIS QUEUE(*) CLUSTER(C*)", &text("CLUSTER", "C1"), true),
        ("DIS QUEUE(*) CLUSTER(C)", &text("CLUSTER", "C1"), false),
        // A model queue has none, and is shown.
        ("DIS QUEUE(*) CLUSTER(C)", &[], true),
    ] {
        assert_eq!(is_shown(asked, local, values), expected, "{asked} {values:?}");
    }
    let channel = Subject::Status(StatusType::Channel);
    assert!(is_shown("DIS CHS(*) XMITQ(X)", channel, &text("XMITQ", "X")));
    assert!(!is_shown("DIS CHS(*) XMITQ(X)", channel, &text("XMITQ", "Y")));
    assert!(!is_shown("DIS CHS(*) CONNAME('x')", channel, &text("CONNAME", "y")));
    let handle = Subject::Status(StatusType::QueueHandle);
    let (no, yes) = (Value::Integer(mqi::constants::MQQSO_NO), Value::Integer(mqi::constants::MQQSO_YES));
    let getter = [("INPUT", Value::Integer(mqi::constants::MQQSO_SHARED)), ("OUTPUT", no.clone())];
    let putter = [("INPUT", no), ("OUTPUT", yes)];
    for (open_type, gets, puts) in [("INPUT", true, false), ("OUTPUT", false, true), ("ALL", true, true)] {
        let asked = format!("DIS QSTATUS(Q) TYPE(HANDLE) OPENTYPE({open_type})");
        assert_eq!(is_shown(&asked, handle, &getter), gets, "{asked}");
        assert_eq!(is_shown(&asked, handle, &putter), puts, "{asked}");
        let asked = format!("DIS QSTATUS(*) OPENTYPE({open_type})");
        let queue = [("IPPROCS", Value::Integer(1)), ("OPPROCS", Value::Integer(0))];
        assert_eq!(is_shown(&asked, Subject::Status(StatusType::Queue), &queue), gets, "{asked}");
    }
}

#[test]
fn the_statements_of_a_script_read_one_by_one_are_those_of_the_whole_with_their_lines() {
    let text = "* first\nDEFINE QLOCAL(A) +\n* within\n  MAXDEPTH(5); PING QMGR\n\nNONSENSE (\nALTER QLOCAL(A) -\nMAXDEPTH(x)\n\
                DIS QL(*)\r\nDEFINE QLOCAL(B) +";
    let whole = statements(text);
    assert_eq!(whole.len(), 6);
    let one_by_one: Vec<Statement> = Statements::of(text, 1).collect();
    assert_eq!(one_by_one, whole);
    let mut later = Statements::of(text, 1_001);
    let before = later.left();
    for statement in whole {
        let moved = later.next().unwrap();
        assert_eq!((moved.line, &moved.text), (statement.line + 1_000, &statement.text));
        let lines = [moved.command, statement.command].map(|command| command.err().map(|error| error.line));
        assert_eq!(lines[0], lines[1].map(|line| line + 1_000));
        assert!(later.left() < before);
    }
    assert_eq!((later.next(), later.left()), (None, 0));
}
