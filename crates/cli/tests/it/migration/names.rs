//! Commands under familiar names that bring a configuration along, print one, or watch.

use crate::familiar::{Prefix, told};

#[test]
fn crtmqm_takes_settings_and_definitions_along() {
    let prefix = Prefix::new();
    let folder = prefix.ferry.data();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    std::fs::create_dir(folder.join("mqsc")).expect("a folder");
    write(
        "qm.ini",
        "Log:\n  LogPrimaryFiles=3\n  LogFilePages=256\n  LogBufferPages=16\n  LogManagement=Manual\n",
    );
    write("mqsc/2.mqsc", "ALTER QLOCAL(ORDERS) MAXDEPTH(7)\nSTART CHANNEL(TO.QM2)\n");
    write("mqsc/1.mqsc", "DEFINE QLOCAL(ORDERS) LIKE(MODEL)\nDEFINE QLOCAL(MODEL) GET(DISABLED)\nEXIT\n");
    write("mqsc/ignored.txt", "nonsense");
    let ini = folder.join("qm.ini");
    let log = folder.join("log");
    let created = prefix.run(
        "crtmqm",
        &[
            "-p0",
            "-ii",
            ini.to_str().unwrap(),
            "-ic",
            folder.join("mqsc").to_str().unwrap(),
            "-h",
            "9",
            "-t",
            "70",
            "-x",
            "80",
            "-md",
            "/var/mqm/qmgrs",
            "-ld",
            log.to_str().unwrap(),
            "-g",
            "mqm",
            "QM1",
        ],
    );
    assert_eq!(created.code, 0, "{}{}", created.stdout, created.stderr);
    assert!(created.stdout.contains("* Left out, line 2: START CHANNEL('TO.QM2')"), "{}", created.stdout);
    for words in ["LogManagement=Manual has no effect", "-md has no effect", "-g has no effect"] {
        assert_eq!(created.stderr.matches(words).count(), 1, "{words} in {}", created.stderr);
    }
    let settings = std::fs::read_to_string(prefix.data().join("QM1/ferry.toml")).expect("settings");
    assert!(log.join("QM1").is_dir(), "the log has its folder in the directory of -ld");
    for setting in [
        "primary_extents = 3",
        "extent_size = \"1 MiB\"",
        "block_size_max = \"64 KiB\"",
        "addresses = [\"127.0.0.1:0\"]",
    ] {
        assert!(settings.lines().any(|line| line == setting), "{setting} in {settings}");
    }
    assert_eq!(prefix.run("strmqm", &[]).code, 0);
    let script = "DISPLAY QMGR MAXHANDS TRIGINT MAXUMSGS\nDISPLAY QLOCAL(ORDERS) GET MAXDEPTH\n";
    let shown = prefix.with_input("runmqsc", &["QM1"], script).stdout;
    for field in ["MAXHANDS(9)", "TRIGINT(70)", "MAXUMSGS(80)", "GET(DISABLED)", "MAXDEPTH(7)"] {
        assert!(shown.contains(field), "{field} in {shown}");
    }
}

#[test]
fn crtmqm_creates_nothing_of_files_that_are_wrong() {
    let prefix = Prefix::new();
    let folder = prefix.ferry.data();
    std::fs::write(folder.join("wrong.ini"), "Log:\n  LogTyp=LINEAR\n").expect("written");
    std::fs::write(folder.join("wrong.mqsc"), "DEFINE QLOCAL(A)\nDEFIN QLOCAL(B)\n").expect("written");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    write("cut.mqsc", "DEFINE QLOCAL(A) +\n  MAXDEPTH(5) +\n");
    write("undone.mqsc", "DEFINE QLOCAL(A)\nDELETE QLOCAL(A)\nALTER QLOCAL(A) MAXDEPTH(9)\n");
    for (option, file, words) in [
        ("-ii", "wrong.ini", "line 2: there is no key LogTyp"),
        ("-ii", "missing.ini", "cannot read"),
        ("-ic", "cut.mqsc", "ends within the command of line 1"),
        ("-ic", "undone.mqsc", "QM1 is removed again: line 3: ALTER QLOCAL('A') MAXDEPTH(9) names an object"),
        ("-ic", "wrong.mqsc", "Line 2"),
        ("-ic", "missing.mqsc", "cannot read"),
    ] {
        let refused = prefix.run("crtmqm", &["-p0", option, file, "QM1"]);
        assert_eq!(refused.code, 39, "{option} {file}: {}", refused.stderr);
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
        assert!(!prefix.data().join("QM1").exists(), "{option} {file}");
    }
}

#[test]
fn dmpmqcfg_prints_what_its_options_choose() {
    let prefix = Prefix::running();
    let script = "DEFINE QLOCAL(ORDERS.IN) MAXDEPTH(7) PUT(DISABLED)\nDEFINE QALIAS(ORDERS.OUT) TARGET(ORDERS.IN)\n\
        DEFINE SUB(S) TOPICSTR(a) DEST(ORDERS.IN)\nDEFINE CHANNEL(APPS) CHLTYPE(SVRCONN)\n";
    assert_eq!(prefix.with_input("runmqsc", &["QM1"], script).code, 0);
    let dump = |options: &[&str]| {
        let dumped = prefix.run("dmpmqcfg", &[&["-m", "QM1"][..], options].concat());
        assert_eq!(dumped.code, 0, "{options:?}: {}", dumped.stderr);
        let defined = dumped.stdout.lines().filter(|line| !line.starts_with('*'));
        defined.map(|line| format!("{}\n", line.trim_end())).collect::<String>()
    };
    let local = "DEFINE QLOCAL('ORDERS.IN') REPLACE MAXDEPTH(7) PUT(DISABLED)\n";
    let alias = "DEFINE QALIAS('ORDERS.OUT') REPLACE TARGET('ORDERS.IN')\n";
    for (options, expected) in [
        (&["-n", "ORDERS.*", "-o", "1line"][..], format!("{local}{alias}")),
        (&["-n", "ORDERS.IN", "-t", "qlocal", "-o", "1line"], local.to_owned()),
        (&["-n", "ORDERS.*", "-t", "qa", "-o", "1line"], alias.to_owned()),
        (&["-x", "sub", "-t", "queue"], String::new()),
        (&["-x", "authrec"], String::new()),
        (
            &["-n", "APPS", "-t", "chl", "-o", "1line"],
            "DEFINE CHANNEL('APPS') CHLTYPE(SVRCONN) REPLACE\n".into(),
        ),
        (
            &["-n", "APPS", "-t", "svrconn", "-o", "1line"],
            "DEFINE CHANNEL('APPS') CHLTYPE(SVRCONN) REPLACE\n".into(),
        ),
        (
            &["-n", "ORDERS.IN", "-o", "2line"],
            "DEFINE QLOCAL('ORDERS.IN') REPLACE +\n       MAXDEPTH(7) PUT(DISABLED)\n".into(),
        ),
    ] {
        assert_eq!(dump(options), expected, "{options:?}");
    }
    assert!(dump(&["-x", "sub", "-o", "1line"]).contains("DEFINE SUB('S') REPLACE"));
    assert!(!dump(&["-x", "object", "-o", "1line"]).contains("DEFINE SUB"));
    let all = dump(&["-a", "-n", "ORDERS.IN", "-o", "1line"]);
    assert!(all.contains(" GET(ENABLED)") && all.contains(" MAXMSGL(4194304)"), "{all}");
    assert_eq!(all.lines().count(), 1, "{all}");
    // Everything in its longest form makes the same definitions again, over those that are there.
    let everything = prefix.run("dmpmqcfg", &["-m", "QM1", "-a"]).stdout;
    let again = prefix.with_input("runmqsc", &["QM1"], &everything);
    assert_eq!(again.code, 0, "{}", again.stdout);
    let port = prefix.run("dspmq", &["-o", "all"]).stdout;
    let port =
        port.split("127.0.0.1:").nth(1).and_then(|rest| rest.split([')', ',']).next()).expect("a port");
    let definition =
        format!("DEFINE CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(CLNTCONN) CONNAME('127.0.0.1({port})')");
    let as_client = prefix.run("dmpmqcfg", &["-n", "ORDERS.IN", "-o", "1line", "-c", &definition]);
    assert!(as_client.stdout.contains(local), "{}{}", as_client.stdout, as_client.stderr);
    for (options, words) in [
        (&["-o", "3line"][..], "-o 3line is not there"),
        (&["-t", "queues"], "-t QUEUES is no type"),
        (&["-x", "some"], "-x some is not there"),
        (&["-n", "A B"], "-n A B"),
        (&["-c", "ALTER QMGR"], "is not DEFINE CHANNEL"),
        (&["default"], "what is default?"),
    ] {
        let refused = prefix.run("dmpmqcfg", &[&["-m", "QM1"][..], options].concat());
        assert_eq!(refused.code, 20, "{options:?}: {}", refused.stdout);
        assert!(refused.stderr.contains(words), "{options:?}: {}", refused.stderr);
    }
}

#[test]
fn dmpmqcfg_chooses_records_by_profile_and_type_as_it_does_objects() {
    let prefix = Prefix::running();
    let set = |profile: &str, of: &str| {
        format!("SET AUTHREC PROFILE('{profile}') OBJTYPE({of}) GROUP('root') AUTHADD(DSP)\n")
    };
    let rule =
        "SET CHLAUTH('PAY.IN') TYPE(ADDRESSMAP) ACTION(REPLACE) ADDRESS('10.0.0.1') USERSRC(NOACCESS)\n";
    let (queues, topics, other) = (set("PAY.**", "QUEUE"), set("PAY.T", "TOPIC"), set("OTHER", "QUEUE"));
    let script = format!("{queues}{topics}{other}{rule}");
    assert_eq!(prefix.with_input("runmqsc", &["QM1"], &script).code, 0);
    for (options, expected) in [
        (&["-n", "PAY*"][..], [rule, &queues, &topics].concat()),
        (&["-n", "PAY*", "-x", "all"], [rule, &queues, &topics].concat()),
        (&["-n", "PAY*", "-t", "queue"], queues.clone()),
        (&["-n", "PAY*", "-t", "channel"], rule.to_owned()),
        (&["-n", "PAY*", "-x", "object"], String::new()),
        (&["-n", "PAY*", "-x", "chlauth"], rule.to_owned()),
        (&["-x", "authrec"], [&other[..], &queues, &topics].concat()),
        (&["-x", "authrec", "-n", "PAY*"], [&queues[..], &topics].concat()),
        (&["-x", "authrec", "-n", "ZZZ*"], String::new()),
        (&["-x", "authrec", "-t", "topic"], topics.clone()),
        (&["-x", "authrec", "-t", "qlocal"], [&other[..], &queues].concat()),
        (&["-x", "chlauth", "-t", "queue"], String::new()),
        (&["-x", "chlauth", "-n", "ZZZ*"], String::new()),
        (&["-x", "object", "-t", "sub"], String::new()),
    ] {
        let dumped = prefix.run("dmpmqcfg", &[&["-m", "QM1", "-o", "1line"][..], options].concat());
        assert_eq!(dumped.code, 0, "{options:?}: {}", dumped.stderr);
        let commands = dumped.stdout.lines().filter(|line| !line.starts_with('*'));
        let commands = commands.map(|line| format!("{line}\n")).collect::<String>();
        assert_eq!(commands, expected, "{options:?}");
    }
}

#[test]
fn dspmqinf_shows_where_a_queue_manager_is() {
    let prefix = Prefix::new();
    assert_eq!(prefix.run("crtmqm", &["-p0", "QM1"]).code, 0);
    let folder = prefix.data().join("QM1").display().to_string();
    let stanza = prefix.run("dspmqinf", &["QM1"]);
    assert_eq!(stanza.code, 0, "{}", stanza.stderr);
    let head = "QueueManager:\n   Name=QM1\n   Directory=QM1\n   Prefix=";
    assert!(stanza.stdout.starts_with(head), "{}", stanza.stdout);
    assert!(stanza.stdout.ends_with(&format!("   DataPath={folder}\n")), "{}", stanza.stdout);
    let command = prefix.run("dspmqinf", &["-o", "command", "QM1"]).stdout;
    assert!(command.starts_with("addmqinf -s QueueManager -v Name=QM1 -v Directory=QM1 "), "{command}");
    assert_eq!(prefix.run("dspmqinf", &["QM2"]).code, 44);
    assert_eq!(prefix.run("dspmqinf", &["-o", "json", "QM1"]).code, 39);
    assert_eq!(prefix.run("dspmqinf", &[]).code, 39);
}

#[test]
fn messages_are_browsed_and_events_printed() {
    let prefix = Prefix::running();
    let script = "DEFINE QLOCAL(ORDERS)\nALTER QMGR CONFIGEV(ENABLED)\nDEFINE QLOCAL(NEW) DESCR('a thing')\n";
    assert_eq!(prefix.with_input("runmqsc", &["QM1"], script).code, 0);
    assert_eq!(prefix.with_input("amqsput", &["ORDERS", "QM1"], "first\nsecond\n\n").code, 0);
    for _ in 0..2 {
        let browsed = prefix.run("amqsgbr", &["ORDERS", "QM1"]);
        assert_eq!(browsed.code, 0, "{}", browsed.stderr);
        let expected = "Sample AMQSGBR0 (browse) start\nMessages for ORDERS\n1 <first>\n2 <second>\nno more messages\n\
            Sample AMQSGBR0 (browse) end\n";
        assert_eq!(browsed.stdout, expected);
    }
    let queue = "SYSTEM.ADMIN.CONFIG.EVENT";
    let browsed = prefix.run("amqsevt", &["-m", "QM1", "-q", queue, "-b", "-w", "0"]);
    assert_eq!(browsed.code, 0, "{}", browsed.stderr);
    assert!(browsed.stdout.contains("**** Message #1 ("), "{}", browsed.stdout);
    let told = prefix.run("amqsevt", &["-m", "QM1", "-q", queue, "-w", "0", "-o", "json_compact"]);
    let events: Vec<serde_json::Value> =
        told.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let made = events.iter().find(|event| event["eventData"]["queueName"] == "NEW").expect("an event of NEW");
    assert_eq!(made["eventReason"]["value"], 2367, "{made}");
    assert_eq!(made["eventSource"]["objectName"], queue);
    assert!(made["eventData"].to_string().contains("a thing"), "{made}");
    let gone = prefix.run("amqsevt", &["-m", "QM1", "-q", queue, "-w", "0"]);
    assert_eq!((gone.code, gone.stdout.as_str()), (0, ""), "an event is printed once");
    let not_binary = prefix.run("amqsevt", &["-m", "QM1", "-q", "ORDERS", "-b", "-w", "0"]);
    assert_eq!(not_binary.stdout, "");
    assert!(not_binary.stderr.contains("message 2 on ORDERS is not in binary form"), "{}", not_binary.stderr);
}

#[test]
fn figures_are_printed_by_class_and_type() {
    let prefix = Prefix::new();
    assert_eq!(prefix.run("crtmqm", &["-p0", "QM1"]).code, 0);
    let path = prefix.data().join("QM1/ferry.toml");
    let settings = std::fs::read_to_string(&path).expect("settings");
    let settings = settings.replace("#interval_seconds = 10", "interval_seconds = 1");
    std::fs::write(&path, settings).expect("written");
    assert_eq!(prefix.run("strmqm", &[]).code, 0);
    let classes = prefix.run("amqsrua", &["-m", "QM1"]);
    assert!(
        classes.stdout.lines().any(|line| line.starts_with("CPU : ")),
        "{}{}",
        classes.stdout,
        classes.stderr
    );
    let types = prefix.run("amqsrua", &["-m", "QM1", "-c", "cpu"]).stdout;
    assert!(types.lines().any(|line| line.starts_with("SystemSummary : ")), "{types}");
    let figures = prefix.run("amqsrua", &["-m", "QM1", "-c", "CPU", "-t", "SystemSummary", "-n", "1"]);
    assert_eq!(figures.code, 0, "{}", figures.stderr);
    assert!(figures.stdout.starts_with("Publication received Interval:"), "{}", figures.stdout);
    assert!(
        figures.stdout.contains("\nRAM total bytes ") && figures.stdout.contains("MB\n"),
        "{}",
        figures.stdout
    );
    for (options, words) in [
        (&["-c", "NONE"][..], "there is no class NONE"),
        (&["-c", "STATQ", "-t", "PUT"], "name it with -o QUEUE"),
        (&["-t", "PUT"], "-t and -o go with -c CLASS"),
    ] {
        let refused = prefix.run("amqsrua", &[&["-m", "QM1"][..], options].concat());
        assert_eq!(refused.code, 71, "{options:?}");
        assert!(refused.stderr.contains(words), "{options:?}: {}", refused.stderr);
    }
}

#[test]
fn letters_are_handled_by_rules_and_programs_started_until_an_end_is_wanted() {
    let prefix = Prefix::running();
    let script = "DEFINE QLOCAL(DEAD)\nDEFINE QLOCAL(KEPT)\nALTER QMGR DEADQ(DEAD)\n";
    assert_eq!(prefix.with_input("runmqsc", &["QM1"], script).code, 0);
    let handled =
        prefix.with_input("runmqdlq", &["DEAD", "QM1"], "WAIT(NO)\nACTION(FWD) FWDQ(KEPT) HEADER(NO)\n");
    assert_eq!(handled.code, 0, "{}", handled.stderr);
    let wrong = prefix.with_input("runmqdlq", &["DEAD", "QM1"], "ACTION(LOSE)\n");
    assert_eq!(wrong.code, 71, "{}", wrong.stderr);
    assert_eq!(prefix.run("runmqdlq", &["A", "B", "C"]).code, 39);
    let mut monitor = prefix.command("runmqtrm", &["-m", "QM1"]).spawn().expect("it runs");
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert!(monitor.try_wait().expect("asked").is_none(), "it waits for trigger messages");
    crate::support::signal(monitor.id(), "INT");
    assert!(monitor.wait().expect("it ends").success());
    assert_eq!(prefix.run("runmqtrm", &["-m", "QM1", "-q", "NONE"]).code, 20);
    assert_eq!(told(prefix.command("runmqtrm", &["NONE"]), "").code, 20);
}
