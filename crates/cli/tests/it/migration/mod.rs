//! Configurations of the family on a queue manager of ours.

mod msmq;
mod names;
mod secrets;

use crate::support::Ferry;

const SYSTEM_OBJECTS: &str = include_str!("system_objects.mqsc");

#[test]
fn a_new_queue_manager_has_the_system_objects_of_the_family_with_their_attributes() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let said = ferry.with_input(&["config", "diff", "-"], SYSTEM_OBJECTS.as_bytes());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let without_description = |line: &str| match line.split_once(" DESCR(' ')") {
        Some((before, after)) => format!("{before}{after}"),
        None => line.to_owned(),
    };
    let changes = said.stdout.lines().map(without_description);
    let changes: Vec<String> = changes.filter(|change| change.contains(") ")).collect();
    // Programs of this machine need no password here; default objects have the defaults that the reference
    // names.
    let expected = [
        "ALTER AUTHINFO('SYSTEM.DEFAULT.AUTHINFO.IDPWLDAP') AUTHTYPE(IDPWLDAP) ADOPTCTX(YES)",
        "ALTER AUTHINFO('SYSTEM.DEFAULT.AUTHINFO.IDPWOS') AUTHTYPE(IDPWOS) CHCKCLNT(REQDADM)",
        "ALTER TOPIC('SYSTEM.ADMIN.TOPIC') CAPEXPRY(ASPARENT)",
        "ALTER TOPIC('SYSTEM.BASE.TOPIC') CAPEXPRY(ASPARENT)",
    ];
    let type_alone = |change: &String| change.ends_with(')') && change.matches(") ").count() == 1;
    let typed = ["AUTHINFO", "CHANNEL"].map(|word| format!("ALTER {word}("));
    let is_empty = |change: &String| type_alone(change) && typed.iter().any(|word| change.starts_with(word));
    let told: Vec<&String> = changes.iter().filter(|change| !is_empty(change)).collect();
    assert_eq!(told, expected.iter().collect::<Vec<_>>());
}

#[test]
fn a_dump_of_the_family_runs_over_a_new_queue_manager_without_an_error() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let shown = ferry.ok(&["mqsc", "-e", "DISPLAY QLOCAL(SYSTEM.ADMIN.COMMAND.QUEUE) DEFSOPT SHARE IPPROCS"]);
    for field in ["DEFSOPT(EXCL)", "NOSHARE", "IPPROCS(0)"] {
        assert!(shown.contains(field), "{field} in {shown}");
    }
    let run = ferry.with_input(&["mqsc"], SYSTEM_OBJECTS.as_bytes());
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let again = ferry.with_input(&["config", "diff", "-"], SYSTEM_OBJECTS.as_bytes());
    assert_eq!((again.code, again.stdout.as_str()), (0, ""), "{}", again.stderr);
    let deleted = ferry.run(&["mqsc", "-e", "DELETE QLOCAL(SYSTEM.ADMIN.COMMAND.QUEUE)"]);
    assert_ne!(deleted.code, 0, "the command server has it open: {}", deleted.stdout);
}

#[test]
fn a_system_object_that_is_missing_comes_with_the_next_start_and_what_is_there_stays() {
    let ferry = Ferry::new();
    let script = "DELETE QLOCAL(SYSTEM.REST.REPLY.QUEUE)\nDELETE SERVICE(SYSTEM.AMQP.SERVICE)\n\
        DEFINE QALIAS(SYSTEM.REST.REPLY.QUEUE) TARGET(MINE)\nDELETE CHANNEL(SYSTEM.DEF.SVRCONN)\n\
        ALTER QLOCAL(SYSTEM.AUTH.DATA.QUEUE) MAXDEPTH(7)\n";
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0"]);
    let server = ferry.start(&["qmgr", "start", "QM1"]);
    let run = ferry.with_input(&["mqsc"], script.as_bytes());
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    ferry.ok(&["stop", "--immediate"]);
    assert_eq!(server.wait(), 0);
    let _server = ferry.start(&["qmgr", "start", "QM1"]);
    let shown = ferry.ok(&[
        "mqsc",
        "-e",
        "DISPLAY SERVICE(SYSTEM.AMQP.SERVICE)",
        "-e",
        "DISPLAY QUEUE(SYSTEM.REST*) TYPE",
        "-e",
        "DISPLAY QLOCAL(SYSTEM.AUTH.DATA.QUEUE) MAXDEPTH",
    ]);
    for field in ["SERVICE(SYSTEM.AMQP.SERVICE)", "TYPE(QALIAS)", "MAXDEPTH(7)"] {
        assert!(shown.contains(field), "{field} in {shown}");
    }
    let gone = ferry.run(&["mqsc", "-e", "DISPLAY CHANNEL(SYSTEM.DEF.SVRCONN)"]);
    assert_ne!(gone.code, 0, "a channel that was deleted stays deleted: {}", gone.stdout);
}

/// The parameters that the report of 2015 on publish/subscribe prints, as it prints them.
const QM_INI: &str = include_str!("qm.ini");

#[test]
fn a_queue_manager_is_created_with_the_settings_of_a_qm_ini() {
    let ferry = Ferry::new();
    let path = ferry.data().join("qm.ini");
    std::fs::write(&path, QM_INI).unwrap();
    let path = path.to_str().unwrap();
    let log = format!("log.directory={}", ferry.data().join("log").display());
    let create =
        ["qmgr", "create", "QM1", "--ini", path, "--port", "0", "--set", "log.extent_size=1MiB", "--set"];
    let said = ferry.ok(&[&create[..], &[&log]].concat());
    for line in
        ["line 2: Channels MQIBindType=FASTPATH has no effect", "Service EntryPoints=14 has no effect"]
    {
        assert_eq!(said.matches(line).count(), 1, "{line} in {said}");
    }
    let settings = std::fs::read_to_string(ferry.data().join("QM1/ferry.toml")).unwrap();
    for line in [
        "channels_max = 5000",
        "active_channels_max = 5000",
        "primary_extents = 16",
        "secondary_extents = 2",
        "kind = \"circular\"",
    ] {
        assert!(settings.lines().any(|found| found == line), "{line} in {settings}");
    }
    assert!(settings.contains("block_size_max = \"64 KiB\""), "{settings}");
    assert!(settings.contains("#   Log LogWriteIntegrity=TripleWrite: "), "{settings}");
    let _server = ferry.start(&["qmgr", "start", "QM1"]);
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(Q)"]);
    let printed = ferry.ok(&["config", "from-ini", path]);
    for line in ["extent_size = \"64 MiB\"", "directory = \"/var/mqm/log\""] {
        assert!(printed.contains(line), "{line} in {printed}");
    }
    let told = ferry.with_input(&["config", "from-ini", "-", "-o", "json"], QM_INI.as_bytes()).stdout;
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["without_effect"].as_array().unwrap().len(), 21);
}

#[test]
fn the_configurations_of_both_reports_are_taken_as_printed() {
    const OF_2025: &str = include_str!("qm-2025.ini");
    const MQSC: &str = include_str!("reports.mqsc");
    for ini in [QM_INI, OF_2025] {
        let ferry = Ferry::new();
        let path = ferry.data().join("qm.ini");
        std::fs::write(&path, ini).unwrap();
        let path = path.to_str().unwrap();
        let log = format!("log.directory={}", ferry.data().join("log").display());
        let create =
            ["qmgr", "create", "QM1", "--ini", path, "--port", "0", "--set", "log.extent_size=1MiB", "--set"];
        ferry.ok(&[&create[..], &[&log]].concat());
        let _server = ferry.start(&["qmgr", "start", "QM1"]);
        let applied = ferry.with_input(&["config", "apply", "-"], MQSC.as_bytes());
        assert_eq!(applied.code, 0, "{}{}", applied.stdout, applied.stderr);
        assert!(!applied.stdout.contains("Left out"), "{}", applied.stdout);
        let again = ferry.with_input(&["config", "diff", "-"], MQSC.as_bytes());
        assert_eq!((again.code, again.stdout.as_str()), (0, ""), "all of it is there");
        let shown = ferry.ok(&["mqsc", "-e", "DISPLAY TOPIC(TOPIC1) NPMSGDLV USEDLQ"]);
        assert!(shown.contains("NPMSGDLV(ALLAVAIL)") && shown.contains("USEDLQ(YES)"), "{shown}");
    }
}

#[test]
fn a_qm_ini_that_is_wrong_creates_nothing() {
    let ferry = Ferry::new();
    for (text, expected) in [
        ("Log:\n  LogTyp=CIRCULAR\n", "line 2: there is no key LogTyp in Log: did you mean LogType?"),
        ("Log:\n  LogType=LINEAR\nLog:\n  LogPath=/x\n", "line 3: the stanza Log is there twice"),
        ("Log:\n  LogType=\n", "line 2: Log LogType has no value"),
        ("Log:\n  LogPath=/a\0b\n", "line 2: character 13 of the line is the control character U+0000"),
    ] {
        let said = ferry.with_input(&["qmgr", "create", "QM1", "--ini", "-"], text.as_bytes());
        assert_eq!(said.code, 2, "{text}{}", said.stderr);
        assert!(said.stderr.contains(expected), "{}", said.stderr);
        assert!(!ferry.data().join("QM1").exists(), "{text}");
    }
    let long = format!("Log:\nLogPath={}\n", "x".repeat(1 << 20));
    let said = ferry.with_input(&["config", "from-ini", "-"], long.as_bytes());
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    assert!(
        said.stderr.contains("line 2: the line has 1048584 bytes") && said.stderr.len() < 500,
        "{}",
        said.stderr
    );
}

#[test]
fn the_environment_gives_the_threshold_of_slow_log_writes() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0"]);
    let start = |variables: &[(&str, &str)]| {
        let mut command = ferry.command(&["qmgr", "start", "QM1", "--detach"]);
        command.envs(variables.iter().copied());
        command.output().unwrap()
    };
    let refused = start(&[("AMQ_IODELAY", "soon")]);
    assert!(!refused.status.success());
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(words.contains("AMQ_IODELAY=soon"), "{words}");
    // A write of the log takes longer than a microsecond on any disk.
    let started = start(&[("AMQ_IODELAY", "1"), ("AMQ_IODELAY_INMS", "YES"), ("AMQ_USE_ZLIBNX", "1")]);
    assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(Q) DEFPSIST(YES)"]);
    ferry.ok(&["put", "Q", "a message"]);
    ferry.ok(&["stop", "--immediate"]);
    let errors = ferry.data().join("QM1/errors");
    let files = std::fs::read_dir(errors).unwrap().map(|entry| entry.unwrap().path());
    let log: String = files.filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    assert!(log.contains("FRY6729W") && log.contains("more than 1 are reported"), "{log}");
    assert_eq!(log.matches("AMQ_USE_ZLIBNX, which has no effect").count(), 1, "{log}");
}
