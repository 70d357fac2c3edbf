//! `ferry doctor`: each finding made on purpose, and mended by the command that it names.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::guides::shell;
use crate::support::Ferry;

/// The findings of a name, as a look prints them.
fn found(ferry: &Ferry, name: &str) -> Vec<Value> {
    let said = ferry.run(&["doctor", "QM1", "-o", "json"]);
    let findings: Vec<Value> = said.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(said.code, i32::from(!findings.is_empty()), "{}{}", said.stdout, said.stderr);
    findings.into_iter().filter(|finding| finding["name"] == name).collect()
}

/// Mends the findings of a name, each by its command, after which there are none; the first of them.
fn mended(ferry: &Ferry, name: &str) -> Value {
    let findings = found(ferry, name);
    assert!(!findings.is_empty(), "{name} is not found");
    for finding in &findings {
        let mend = finding["mend"].as_str().unwrap();
        let output = shell(ferry, mend).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{mend}: {}{said}", String::from_utf8_lossy(&output.stdout));
    }
    // A running queue manager looks at its files every half second.
    let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while !found(ferry, name).is_empty() {
        assert!(std::time::Instant::now() < until, "{findings:?} are not mended");
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    findings[0].clone()
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn folder(ferry: &Ferry) -> PathBuf {
    ferry.data().join("QM1")
}

#[test]
fn files_keys_and_users_that_are_wrong_are_found_and_mended() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "listener.tls=required"]);
    mended(&ferry, "keys.none");
    let (folder, security) = (folder(&ferry), folder(&ferry).join("security"));
    let key = security.join("keys/ibmwebspheremqqm1.key");
    for (path, wrong, wanted) in [
        (key.clone(), 0o644, 0o640),
        (security.join("authority/ca.key"), 0o606, 0o600),
        (folder.clone(), 0o755, 0o750),
        (folder.join("ferry.toml"), 0o666, 0o644),
    ] {
        mode(&path, wrong);
        mended(&ferry, "files.mode");
        let now = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(now, wanted, "{}", path.display());
    }
    ferry.ok(&["tls", "issue", "QM1", "app1", "--days", "5"]);
    let finding = mended(&ferry, "keys.expiry");
    assert!(finding["value"].as_str().unwrap().starts_with("app1: "), "{finding}");
    fs::copy(security.join("keys/app1.key"), &key).unwrap();
    mended(&ferry, "keys.read");
    fs::remove_file(security.join("keys/app1.key")).unwrap();
    mended(&ferry, "keys.read");
    fs::write(security.join("trust/other.pem"), "no certificate").unwrap();
    mended(&ferry, "keys.read");
    let add = ["user", "add", "QM1", "root"];
    assert_eq!(ferry.with_input(&add, b"open sesame\n").code, 0);
    mended(&ferry, "users.double");
    mode(&security.join("users.toml"), 0o640);
    mended(&ferry, "files.mode");
    fs::write(security.join("users.toml"), "[[").unwrap();
    mended(&ferry, "users.read");
    let owner = std::os::unix::fs::MetadataExt::uid(&fs::metadata(&folder).unwrap());
    match std::os::unix::fs::chown(&key, Some(owner + 12_345), None) {
        Ok(()) => drop(mended(&ferry, "files.owner")),
        Err(_) => eprintln!("SKIPPED: only root gives files away"),
    }
    // The clock itself is the machine's: the test puts the file back instead.
    let file = fs::File::options().write(true).open(folder.join("ferry.toml")).unwrap();
    let now = std::time::SystemTime::now();
    file.set_modified(now + std::time::Duration::from_secs(3_600)).unwrap();
    assert_eq!(found(&ferry, "clock.back").len(), 1);
    file.set_modified(now).unwrap();
    assert_eq!(found(&ferry, "clock.back").len(), 0);
}

#[test]
fn settings_that_leave_no_room_are_found_and_mended() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1"]);
    let settings = folder(&ferry).join("ferry.toml");
    let usual = fs::read_to_string(&settings).unwrap();
    for (name, text) in [
        ("memory.budget", "[memory]\nbudget = \"1TiB\"\n"),
        ("memory.rings", "[listener]\nlocal_socket = false\n"),
        ("disk.space", "[log]\nextent_size = \"1GiB\"\nsecondary_extents = 1024\n"),
    ] {
        fs::write(&settings, text).unwrap();
        let said = ferry.run(&["doctor", "QM1", "-o", "json"]);
        if name == "disk.space" && !said.stdout.contains(name) {
            eprintln!("SKIPPED: the disk has room for a log of a TiB");
            continue;
        }
        mended(&ferry, name);
    }
    fs::write(&settings, usual).unwrap();
}

#[test]
fn limits_are_found_and_mended_for_a_queue_manager_that_runs_and_for_one_about_to() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "listener.addresses=[\"127.0.0.1:0\"]"]);
    let bash = |commands: &str| {
        let output = shell(&ferry, commands).output().unwrap();
        (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code().unwrap())
    };
    let small = "ulimit -n 256; ulimit -S -c unlimited";
    let (told, code) = bash(&format!("{small}; ferry doctor QM1 -o json"));
    assert!(code == 1 && told.contains("limits.files") && !told.contains("limits.core"), "{told}");
    let mends: Vec<String> = told
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|finding| finding["name"].as_str().unwrap().starts_with("limits."))
        .map(|finding| finding["mend"].as_str().unwrap().to_owned())
        .collect();
    if bash("id -u").0.trim() == "0" {
        let (told, _) = bash(&format!("{small}; {}; ferry doctor QM1 -o json || true", mends.join("; ")));
        assert!(!told.contains("limits."), "{mends:?}: {told}");
    } else {
        eprintln!("SKIPPED: only root raises a hard limit");
    }
    let (told, code) = bash(&format!("{small}; ferry qmgr start QM1 --detach 2>&1"));
    assert!(code == 0 && told.contains("the process may open 256 files and keeps "), "{told}");
    let room = told.split("there is room for ").nth(1).and_then(|rest| rest.split(' ').next());
    let room: u32 = room.unwrap_or_else(|| panic!("{told}")).parse().unwrap();
    assert!((100..256).contains(&room), "{room} connections");
    assert!(found(&ferry, "limits.core").is_empty(), "a start sets its own limit");
    mended(&ferry, "limits.files");
    ferry.ok(&["qmgr", "stop", "QM1"]);
    assert_eq!(bash("ulimit -S -n 256; ferry qmgr start QM1 --detach").1, 0);
    assert!(found(&ferry, "limits.files").is_empty(), "a start raises the soft limit");
    let listed = ferry.ok(&["qmgr", "list", "-o", "json"]);
    let process = serde_json::from_str::<Value>(listed.lines().next().unwrap()).unwrap()["process"].clone();
    assert_eq!(bash(&format!("prlimit --pid {process} --core=unlimited:")).1, 0);
    mended(&ferry, "limits.core");
    ferry.ok(&["qmgr", "stop", "QM1"]);
}

#[test]
fn a_channel_that_retries_with_messages_or_that_a_fault_stopped_is_found_and_one_that_a_command_stopped_is_not()
 {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1"]);
    ferry.ok(&["qmgr", "start", "QM1", "--detach"]);
    let mqsc = |text: &str| ferry.ok(&["mqsc", "QM1", "-e", text]);
    mqsc("DEFINE QLOCAL(X) USAGE(XMITQ)");
    mqsc("DEFINE CHANNEL(QM1.X) CHLTYPE(SDR) CONNAME('127.0.0.1(1)') XMITQ(X) SHORTTMR(999999)");
    mqsc("DEFINE QREMOTE(R) RNAME(Q) RQMNAME(X)");
    mqsc("START CHANNEL(QM1.X)");
    ferry.ok(&["channel", "wait", "QM1.X", "--state", "retrying", "-m", "QM1"]);
    assert!(found(&ferry, "channel.retrying").is_empty(), "nothing waits for it");
    ferry.ok(&["put", "R", "x", "-m", "QM1"]);
    let findings = found(&ferry, "channel.retrying");
    assert_eq!(findings.len(), 1, "{findings:?}");
    let of = |finding: &Value, field: &str| finding[field].as_str().unwrap().to_owned();
    assert!(
        of(&findings[0], "value").starts_with("QM1.X retries, messages waiting: 1, last fault: 2"),
        "{findings:?}"
    );
    let shown = shell(&ferry, &of(&findings[0], "mend")).output().unwrap();
    assert!(String::from_utf8_lossy(&shown.stdout).contains("RETRYING"), "{shown:?}");
    // Figures are a second old at most while they are asked for.
    let checks = |code: i32, words: &str| {
        let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
        loop {
            let check = ferry.run(&["check", "channels", "-m", "QM1"]);
            if check.code == code && check.stdout.contains(words) {
                return;
            }
            assert!(std::time::Instant::now() < until, "{words}: {}", check.stdout);
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
    };
    checks(1, "1 retrying while messages wait");
    mqsc("STOP CHANNEL(QM1.X)");
    ferry.ok(&["channel", "wait", "QM1.X", "--state", "stopped", "-m", "QM1"]);
    for name in ["channel.retrying", "channel.stopped", "channel.in-doubt"] {
        assert!(found(&ferry, name).is_empty(), "{name}: a command stopped it");
    }
    mqsc("ALTER CHANNEL(QM1.X) CHLTYPE(SDR) SHORTRTY(0) LONGRTY(0)");
    mqsc("START CHANNEL(QM1.X)");
    ferry.ok(&["channel", "wait", "QM1.X", "--state", "stopped", "-m", "QM1"]);
    let findings = found(&ferry, "channel.stopped");
    assert!(of(&findings[0], "value").starts_with("QM1.X is stopped: 2"), "{findings:?}");
    checks(2, "1 stopped by a fault");
    ferry.ok(&["qmgr", "stop", "QM1"]);
}

#[test]
fn what_users_have_almost_used_up_is_found_with_the_commands_that_list_and_end_it() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "growth.dynamic_queues_max=10"]);
    ferry.ok(&["qmgr", "start", "QM1", "--detach"]);
    ferry.ok(&["mqsc", "QM1", "-e", "DEFINE QMODEL(PERM) DEFTYPE(PERMDYN)"]);
    let opened = |count: usize| (0..count).for_each(|_| drop(ferry.ok(&["put", "PERM", "x", "-m", "QM1"])));
    opened(8);
    assert!(found(&ferry, "growth.near").is_empty());
    opened(1);
    let findings = found(&ferry, "growth.near");
    assert_eq!(findings.len(), 1, "{findings:?}");
    let of = |field: &str| findings[0][field].as_str().unwrap().to_owned();
    assert!(of("value").contains("there are 9 permanent dynamic queues"), "{findings:?}");
    assert!(of("value").contains("growth.dynamic_queues_max"), "{findings:?}");
    assert!(of("wanted").contains("DELETE QLOCAL(name) PURGE"), "{findings:?}");
    let listed = shell(&ferry, &of("mend")).output().unwrap();
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert_eq!(listed.matches("MAKER(").count(), 9, "{listed}");
    opened(1);
    let said = ferry.run(&["put", "PERM", "x", "-m", "QM1"]);
    assert!(said.code != 0 && said.stderr.contains("2102"), "{}", said.stderr);
    // The log has a thread of its own.
    let log = || fs::read_to_string(folder(&ferry).join("errors/errors.log")).unwrap_or_default();
    let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while !log().contains("FRY7483W") {
        assert!(std::time::Instant::now() < until, "{}", log());
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert!(log().contains("growth.dynamic_queues_max"), "{}", log());
    let name = listed.split("QUEUE(").nth(1).unwrap().split(')').next().unwrap();
    ferry.ok(&["mqsc", "QM1", "-e", &format!("DELETE QLOCAL({name}) PURGE")]);
    opened(1);
    ferry.ok(&["qmgr", "stop", "QM1"]);
}

#[test]
fn a_quota_that_the_longest_message_never_fits_is_found_and_mended() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1"]);
    ferry.ok(&["qmgr", "start", "QM1", "--detach"]);
    ferry.ok(&["mqsc", "QM1", "-e", "DEFINE QLOCAL(FITS) QUOTA(2) MAXMSGL(1536)"]);
    assert!(found(&ferry, "quota.message").is_empty());
    ferry.ok(&["mqsc", "QM1", "-e", "DEFINE QLOCAL(ORDERS) QUOTA(2) MAXMSGL(1537)"]);
    let finding = mended(&ferry, "quota.message");
    assert_eq!(finding["value"], "queue ORDERS with QUOTA(2) and MAXMSGL(1537)");
    let shown = ferry.ok(&["mqsc", "QM1", "-e", "DISPLAY QLOCAL(ORDERS) MAXMSGL"]);
    assert!(shown.contains("MAXMSGL(1536)"), "{shown}");
    ferry.ok(&["qmgr", "stop", "QM1"]);
}

#[test]
fn rules_and_rights_that_let_strangers_in_are_found_and_mended() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "DEFINE CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN)"]);
    assert_eq!(found(&ferry, "rights.open").len(), 1);
    mended(&ferry, "loopback.open");
    assert_eq!(found(&ferry, "rights.open").len(), 0, "from the first key on requests are judged");
    let bare = Ferry::new();
    let _bare = bare.dev();
    mended(&bare, "rights.open");
    bare.run(&["doctor"]);
    assert_eq!(bare.ok(&["why", "QM1"]), "", "the questions of doctor are no refusals of programs");
    mended(&ferry, "channel.clear");
    for (name, command) in [
        ("chlauth.disabled", "ALTER QMGR CHLAUTH(DISABLED)"),
        ("connauth.blank", "ALTER QMGR CONNAUTH(' ')"),
        ("connauth.none", "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKCLNT(NONE)"),
        ("connauth.adopt", "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) ADOPTCTX(NO)"),
        ("keys.label", "ALTER CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN) CERTLABL('absent')"),
        ("keys.label", "ALTER QMGR CERTLABL('gone')"),
        ("chlauth.warn", "SET CHLAUTH(A.*) TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(NOACCESS) WARN(YES)"),
        ("chlauth.warn", "SET CHLAUTH(A.*) TYPE(BLOCKUSER) USERLIST('ada','bob') WARN(YES)"),
        ("chlauth.unproved", "SET CHLAUTH(A.*) TYPE(USERMAP) CLNTUSER('ada') MCAUSER('bob') DESCR('it''s')"),
        ("chlauth.unproved", "SET CHLAUTH(B.*) TYPE(ADDRESSMAP) ADDRESS('10.1.*') MCAUSER('bob')"),
    ] {
        ferry.ok(&["mqsc", "-e", command]);
        mended(&ferry, name);
    }
    let said = ferry.with_input(&["user", "add", "QM1", "boss", "--group", "ferrymq"], b"first\n");
    assert_eq!(said.code, 0, "{}", said.stderr);
    ferry.ok(&["mqsc", "-e", "REFRESH SECURITY TYPE(AUTHSERV)"]);
    for map in ["TYPE(USERMAP) CLNTUSER('ada') CHCKCLNT(REQUIRED)", "TYPE(SSLPEERMAP) SSLPEER('CN=ada')"] {
        ferry.ok(&["mqsc", "-e", &format!("SET CHLAUTH(D.*) {map} MCAUSER('boss')")]);
        mended(&ferry, "chlauth.administrator");
    }
    ferry.ok(&["mqsc", "-e", "SET CHLAUTH(C) TYPE(SSLPEERMAP) SSLPEER('CN=app1') MCAUSER('app1')"]);
    assert_eq!(found(&ferry, "chlauth.issuer").len(), 0, "its own authority alone is trusted");
    for (name, commands) in [
        ("chlauth.asserted", "SET CHLAUTH(D) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)"),
        ("chlauth.asserted", "SET CHLAUTH(D) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)"),
        ("chlauth.partner", "SET CHLAUTH(E) TYPE(QMGRMAP) QMNAME('LYON') MCAUSER('lyon')"),
        (
            "chlauth.partner",
            "DEFINE CHANNEL(F) CHLTYPE(RCVR)\nSET CHLAUTH(F) TYPE(QMGRMAP) QMNAME('LYON') USERSRC(CHANNEL)",
        ),
    ] {
        let said = ferry.with_input(&["mqsc"], commands.as_bytes());
        assert_eq!(said.code, 0, "{}", said.stdout);
        mended(&ferry, name);
    }
    let other = Ferry::new();
    other.ok(&["qmgr", "create", "QM2"]);
    other.ok(&["tls", "init", "QM2"]);
    let authority = other.data().join("QM2/security/authority/ca.pem");
    ferry.ok(&["tls", "import", "QM1", "theirs", "--certificates", authority.to_str().unwrap()]);
    mended(&ferry, "chlauth.issuer");
    for grant in [
        &["ada", "setall,connect", "--type", "qmgr"][..],
        &["staff", "altusr", "--group", "--type", "qmgr"],
        &["o'hara; id", "put,dsp", "**"],
    ] {
        ferry.ok(&[&["auth", "grant"], grant].concat());
        mended(&ferry, "rights.wide");
    }
    assert_eq!(ferry.run(&["auth", "check", "ada", "QM1", "connect"]).code, 0, "the harmless right is left");
}

#[test]
fn a_queue_manager_that_is_open_or_trusts_loopback_is_found_and_mended() {
    let ferry = Ferry::new();
    let address = "listener.addresses=[\"0.0.0.0:0\"]";
    ferry.ok(&["qmgr", "create", "QM1", "--set", address, "--set", "security.loopback=trusted"]);
    ferry.ok(&["qmgr", "start", "QM1", "--detach", "--insecure"]);
    mended(&ferry, "loopback.trusted");
    mended(&ferry, "listener.insecure");
    ferry.ok(&["qmgr", "stop", "QM1"]);
    let said = ferry.run(&["doctor", "QM1"]);
    assert!(said.stderr.contains("QM1 does not run"), "{}", said.stderr);
}

#[test]
fn a_queue_manager_that_is_well_has_no_finding() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1"]);
    let well = "ulimit -S -c 0; ulimit -S -n 12000 || ulimit -n 12000; ferry doctor QM1";
    let output = shell(&ferry, well).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!((output.status.code(), &*told), (Some(0), "no faults were found at QM1\n"));
}

#[test]
fn each_check_of_the_hardening_guide_is_answered_and_its_commands_meet_it() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "listener.addresses=[\"127.0.0.1:0\"]"]);
    let _server = ferry.start(&["qmgr", "start", "QM1"]);
    let look = || -> (i32, Vec<Value>) {
        let said = ferry.run(&["doctor", "QM1", "--hardening", "-o", "json"]);
        let lines = said.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        (said.code, lines)
    };
    for channel in
        ["IN) CHLTYPE(RCVR)", "ASKS) CHLTYPE(RQSTR) CONNAME('far')", "JMS) CHLTYPE(AMQP) MAXINST(999999999)"]
    {
        ferry.ok(&["mqsc", "-e", &format!("DEFINE CHANNEL({channel}")]);
    }
    let (code, before) = look();
    assert_eq!((code, before.len()), (1, 43));
    let proposed = |check: &str, command: &str| {
        let finding = before.iter().find(|line| line["check"] == check).unwrap();
        assert!(finding["mend"].to_string().contains(command), "{check}: {command}: {finding}");
    };
    for kind in ["IN'\\\\'') CHLTYPE(RCVR)", "ASKS'\\\\'') CHLTYPE(RQSTR)", "JMS'\\\\'') CHLTYPE(AMQP)"] {
        proposed("V-255780", &format!("{kind} SSLCIPH"));
    }
    proposed("V-255787", "JMS'\\\\'') CHLTYPE(AMQP) MAXINST(5000)");
    let findings: Vec<&Value> = before.iter().filter(|line| line["state"] == "finding").collect();
    assert!(findings.len() > 10, "{findings:?}");
    let commands: std::collections::BTreeSet<&str> = findings
        .iter()
        .flat_map(|finding| finding["mend"].as_array().unwrap())
        .filter_map(Value::as_str)
        .collect();
    for command in commands {
        let output = shell(&ferry, command).output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stdout));
    }
    let (code, after) = look();
    assert_eq!((code, after.len()), (0, 43), "{after:?}");
    assert!(after.iter().all(|line| line["state"] != "finding"), "{after:?}");
    ferry.ok(&["mqsc", "-e", "ALTER QMGR CHLEV(DISABLED)"]);
    let (code, again) = look();
    let open: Vec<&Value> = again.iter().filter(|line| line["state"] == "finding").collect();
    assert_eq!((code, open.len()), (1, 1), "{open:?}");
    assert_eq!(open[0]["check"], "V-255803");
}

#[test]
fn rules_that_ask_for_no_password_are_found_one_by_one_and_mended() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1"]);
    let server = ferry.start(&["qmgr", "start", "QM1"]);
    assert_eq!(found(&ferry, "chlauth.asserted").len(), 0, "the rules of birth ask for one");
    for rule in [
        "SET CHLAUTH(SYSTEM.DEF.SVRCONN) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL) ACTION(REPLACE)",
        "SET CHLAUTH(SYSTEM.ADMIN.SVRCONN) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) ACTION(REPLACE)",
        "SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(CHANNEL)",
        "SET CHLAUTH('APP.*') TYPE(USERMAP) CLNTUSER('kim') USERSRC(CHANNEL)",
        "SET CHLAUTH('TO.*') TYPE(QMGRMAP) QMNAME('QM2') USERSRC(CHANNEL)",
    ] {
        ferry.ok(&["mqsc", "QM1", "-e", rule]);
    }
    assert_eq!(found(&ferry, "chlauth.asserted").len(), 4, "a partner names no user");
    // The first user is told of those of an earlier release, and so is a start, and the first record.
    let said = ferry.with_input(&["user", "add", "QM1", "ada"], b"open sesame\n");
    assert_eq!((said.code, said.stderr.matches("CHCKCLNT(REQUIRED)").count()), (0, 2), "{}", said.stderr);
    drop(server);
    let said = ferry.run(&["qmgr", "start", "QM1", "--detach"]);
    assert_eq!((said.code, said.stderr.matches("CHCKCLNT(REQUIRED)").count()), (0, 2), "{}", said.stderr);
    mended(&ferry, "chlauth.asserted");
    ferry.ok(&["qmgr", "stop", "QM1"]);
    let said = ferry.run(&["qmgr", "start", "QM1", "--detach"]);
    assert!(!said.stderr.contains("CHCKCLNT"), "{}", said.stderr);
    ferry.ok(&["qmgr", "stop", "QM1"]);
}

#[test]
fn the_first_key_and_the_first_record_name_the_rules_of_an_earlier_release_that_ask_for_no_password() {
    let open =
        "SET CHLAUTH(SYSTEM.DEF.SVRCONN) TYPE(ADDRESSMAP) ADDRESS('::1') USERSRC(CHANNEL) ACTION(REPLACE)";
    let record = ["auth", "grant", "ada", "put", "Q", "-m", "QM1"];
    let key = ["tls", "init", "QM1"];
    for first in [&record[..], &key[..]] {
        let ferry = Ferry::new();
        ferry.ok(&["qmgr", "create", "QM1"]);
        let _server = ferry.start(&["qmgr", "start", "QM1"]);
        ferry.ok(&["mqsc", "QM1", "-e", open]);
        let said = ferry.run(first);
        let closing = "CHCKCLNT(REQUIRED) USERSRC(CHANNEL) ADDRESS('::1')";
        assert!(said.code == 0 && (said.stdout + &said.stderr).contains(closing), "{first:?}");
    }
}

#[test]
fn a_lost_list_of_revoked_certificates_is_found_and_given_up_by_the_command_alone() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "listener.tls=required"]);
    ferry.ok(&["tls", "init", "QM1"]);
    ferry.ok(&["tls", "issue", "QM1", "app1"]);
    ferry.ok(&["tls", "revoke", "QM1", "app1"]);
    let list = folder(&ferry).join("security/crl/ca.pem");
    let server = ferry.start(&["qmgr", "start", "QM1"]);
    assert_eq!(found(&ferry, "crl.missing").len(), 0);
    for wrong in ["CN=nobody", "", "a\nb"] {
        let said = ferry.run(&["tls", "give-up", "QM1", wrong]);
        assert!(said.code != 0 && !said.stderr.contains("gave up"), "{wrong}: {}", said.stderr);
    }
    drop(server);
    fs::remove_file(&list).unwrap();
    let server = ferry.start(&["qmgr", "start", "QM1"]);
    let finding = mended(&ferry, "crl.missing");
    assert!(
        finding["value"].as_str().unwrap().contains("no certificate of this issuer is let in"),
        "{finding}"
    );
    drop(server);
    let _server = ferry.start(&["qmgr", "start", "QM1"]);
    assert_eq!(found(&ferry, "crl.missing").len(), 0);
}

#[test]
fn a_list_of_revoked_certificates_that_does_not_read_is_replaced_and_not_given_up() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1"]);
    ferry.ok(&["tls", "init", "QM1"]);
    // What was issued since under a label that was revoked is not revoked with it.
    ferry.ok(&["tls", "issue", "QM1", "app0"]);
    ferry.ok(&["tls", "revoke", "QM1", "app0"]);
    for file in ["app0.key", "app0.pem"] {
        fs::remove_file(folder(&ferry).join("security/keys").join(file)).unwrap();
    }
    ferry.ok(&["tls", "issue", "QM1", "app0"]);
    ferry.ok(&["tls", "issue", "QM1", "app1"]);
    ferry.ok(&["tls", "revoke", "QM1", "app1"]);
    let lists = folder(&ferry).join("security/crl");
    let good = fs::read_to_string(lists.join("ca.pem")).unwrap();
    let bad = [
        "no list",
        "-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n",
        "-----BEGIN X509 CRL-----\n\x1b[2J\u{202e}')\n-----END X509 CRL-----\n",
    ];
    for bad in bad {
        fs::write(lists.join("ca.pem"), bad).unwrap();
        let finding = mended(&ferry, "crl.read");
        assert_eq!(finding["mend"], "ferry tls revoke QM1 app1");
        let written = fs::read_to_string(lists.join("ca.pem")).unwrap();
        assert_eq!(written.lines().count(), good.lines().count(), "it has the same certificates");
    }
    let other = lists.join("other's.pem");
    for bad in bad {
        fs::write(&other, bad).unwrap();
        let findings = found(&ferry, "crl.read");
        let mend = findings[0]["mend"].as_str().unwrap();
        assert!(findings.len() == 1 && mend.starts_with("cp FILE '"), "{findings:?}");
        assert!(
            shell(&ferry, &mend.replace("FILE", "ca.pem")).current_dir(&lists).status().unwrap().success()
        );
        assert_eq!(found(&ferry, "crl.read").len(), 0);
    }
}

/// A command that names no data directory, in this directory.
fn unnamed(place: &Path, words: &[&str]) -> std::process::Command {
    let mut command = crate::support::ferry(words);
    command.current_dir(place).stdin(std::process::Stdio::null());
    command
}

#[test]
fn a_data_directory_that_nothing_names_and_others_may_change_is_not_used() {
    use std::os::unix::process::CommandExt as _;
    let ferry = Ferry::new();
    let place = ferry.data().join("place");
    let elsewhere = ferry.data().join("elsewhere");
    let data = place.join("ferry-data");
    fs::create_dir(&place).unwrap();
    fs::create_dir(&elsewhere).unwrap();
    let created = unnamed(&place, &["--data", "ferry-data", "qmgr", "create", "QM1"]).output().unwrap();
    assert!(created.status.success(), "{}", String::from_utf8_lossy(&created.stderr));
    let usual = fs::metadata(&data).unwrap().permissions().mode() & 0o7777;
    let refused = |why: &str| {
        for words in [
            &["qmgr", "list"][..],
            &["list"],
            &["put", "Q", "x"],
            &["mqsc", "QM1", "-e", "DISPLAY QMGR"],
            &["why", "QM1"],
            &["doctor", "QM1"],
            &["user", "list", "QM1"],
            &["tls", "show", "QM1"],
            &["qmgr", "start", "QM1", "--port", "0", "--detach"],
            &["dev", "--port", "0"],
            &["backup", "copy"],
        ] {
            let said = unnamed(&place, words).output().unwrap();
            let words_said = String::from_utf8_lossy(&said.stderr);
            assert_eq!(said.status.code(), Some(4), "{words:?} {why}: {words_said}");
            let is_told = words_said.contains("./ferry-data is not used, since nothing names it")
                && words_said.contains(why);
            assert!(is_told && words_said.contains("--data ./ferry-data"), "{words:?}: {words_said}");
        }
        let tool = unnamed(&place, &[]).arg0("dspmq").output().unwrap();
        let said = String::from_utf8_lossy(&tool.stderr);
        assert!(!tool.status.success() && said.contains("./ferry-data is not used"), "{said}");
    };
    let passes = |command: &mut std::process::Command| {
        let said = command.output().unwrap();
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        assert!(String::from_utf8_lossy(&said.stdout).contains("QM1"));
    };
    passes(&mut unnamed(&place, &["qmgr", "list"]));
    mode(&data, 0o777);
    refused("ferry-data may be changed by every user");
    passes(&mut unnamed(&place, &["--data", "ferry-data", "qmgr", "list"]));
    passes(unnamed(&place, &["qmgr", "list"]).env("FERRY_DATA", "./ferry-data"));
    mode(&data, usual);
    // So for a folder above it, which may be replaced with it, and for one that a link leads to.
    mode(&place, 0o777);
    refused("place may be changed by every user");
    mode(&place, 0o755);
    passes(&mut unnamed(&place, &["qmgr", "list"]));
    fs::rename(&data, elsewhere.join("data")).unwrap();
    std::os::unix::fs::symlink(elsewhere.join("data"), &data).unwrap();
    passes(&mut unnamed(&place, &["qmgr", "list"]));
    mode(&elsewhere, 0o777);
    refused("elsewhere may be changed by every user");
    match std::os::unix::fs::lchown(&data, Some(4_000_000), None) {
        Ok(()) => refused("ferry-data belongs to user 4000000"),
        Err(_) => eprintln!("SKIPPED: only root gives files away"),
    }
}

#[test]
fn a_queue_manager_is_not_made_where_others_may_change_folders_and_one_that_is_there_starts_and_is_told() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1"]);
    let usual = fs::metadata(ferry.data()).unwrap().permissions().mode() & 0o7777;
    mode(ferry.data(), 0o777);
    for words in [&["qmgr", "create", "QM2"][..], &["dev", "--port", "0", "-m", "QM2"]] {
        let said = ferry.run(words);
        assert!(
            said.code != 0 && said.stderr.contains("may be changed by every user"),
            "{words:?}: {}",
            said.stderr
        );
        assert!(said.stderr.contains("chmod o-w"), "{}", said.stderr);
        assert!(!ferry.data().join("QM2").exists());
    }
    let said = ferry.run(&["qmgr", "start", "QM1", "--detach"]);
    assert!(said.code == 0 && said.stderr.contains("may be changed by every user"), "{}", said.stderr);
    let log = fs::read_to_string(folder(&ferry).join("errors/errors.log")).unwrap();
    assert!(log.contains("FRY5039W"), "{log}");
    ferry.ok(&["qmgr", "stop", "QM1"]);
    mended(&ferry, "files.others");
    // So for a part that the settings put elsewhere, and a link on the way to it.
    let (open, link) = (ferry.data().join("open"), ferry.data().join("link"));
    fs::create_dir(&open).unwrap();
    mode(&open, 0o777);
    std::os::unix::fs::symlink(&open, &link).unwrap();
    for directory in [&open, &link] {
        let set = format!("log.directory=\"{}\"", directory.display());
        let said = ferry.run(&["qmgr", "create", "QM2", "--set", &set]);
        assert!(said.code != 0 && said.stderr.contains("may be changed by every user"), "{}", said.stderr);
    }
    mode(&open, 0o755);
    let set = format!("log.directory=\"{}\"", link.display());
    ferry.ok(&["qmgr", "create", "QM3", "--set", &set]);
    mode(&open, 0o777);
    let said = ferry.run(&["qmgr", "start", "QM3", "--detach"]);
    assert!(said.code == 0 && said.stderr.contains("may be changed by every user"), "{}", said.stderr);
    ferry.ok(&["qmgr", "stop", "QM3"]);
    // Sticky folders pass: nobody replaces there what is another's.
    mode(ferry.data(), 0o1777);
    ferry.ok(&["qmgr", "create", "QM2"]);
    mode(ferry.data(), usual);
    // So for a folder of another user, which only root can make.
    if platform::os::users::current() != "root" {
        return;
    }
    std::os::unix::fs::chown(ferry.data(), Some(4_000_000), None).unwrap();
    let said = ferry.run(&["qmgr", "create", "QM4"]);
    assert!(said.code != 0 && said.stderr.contains("belongs to user 4000000"), "{}", said.stderr);
    assert!(said.stderr.contains("--data") && !ferry.data().join("QM4").exists(), "{}", said.stderr);
    let said = ferry.run(&["qmgr", "start", "QM1", "--detach"]);
    assert!(said.code == 0 && said.stderr.contains("belongs to user 4000000"), "{}", said.stderr);
    ferry.ok(&["qmgr", "stop", "QM1"]);
    std::os::unix::fs::chown(ferry.data(), Some(0), None).unwrap();
}

#[test]
fn a_file_of_a_password_that_others_may_read_is_told_of() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1"]);
    let file = ferry.data().join("password");
    fs::write(&file, "open sesame\n").unwrap();
    for (bits, user, is_told) in [(0o644, "ada", true), (0o640, "bob", true), (0o600, "eve", false)] {
        mode(&file, bits);
        let said = ferry.run(&["user", "add", "QM1", user, "--password-file", file.to_str().unwrap()]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert_eq!(
            said.stderr.contains("others may read the password"),
            is_told,
            "{bits:o}: {}",
            said.stderr
        );
        assert!(!said.stderr.contains("sesame"));
    }
}

#[test]
fn settings_that_are_removed_while_it_runs_are_told_until_they_are_back() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0"]);
    ferry.ok(&["qmgr", "start", "QM1", "--detach"]);
    let settings = folder(&ferry).join("ferry.toml");
    let aside = settings.with_extension("aside");
    let told = |number: &str| {
        let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
        let log = || fs::read_to_string(folder(&ferry).join("errors/errors.log")).unwrap_or_default();
        while !log().contains(number) {
            assert!(std::time::Instant::now() < until, "{number} is not in the error log");
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    };
    fs::rename(&settings, &aside).unwrap();
    told("FRY5045W");
    let findings = found(&ferry, "settings.gone");
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0]["value"].as_str().unwrap().contains("ferry.toml is not there"), "{findings:?}");
    ferry.ok(&["put", "SYSTEM.DEFAULT.LOCAL.QUEUE", "it goes on", "-m", "QM1"]);
    fs::rename(&aside, &settings).unwrap();
    told("FRY5046I");
    assert!(found(&ferry, "settings.gone").is_empty());
    fs::remove_file(&settings).unwrap();
    ferry.ok(&["stop"]);
    let refused = ferry.run(&["qmgr", "start", "QM1", "--detach"]);
    assert!(refused.code != 0 && refused.stderr.contains("put them back"), "{}", refused.stderr);
}
