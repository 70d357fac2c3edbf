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
    let small = "ulimit -S -n 256; ulimit -S -c unlimited";
    let (told, code) = bash(&format!("{small}; ferry doctor QM1 -o json"));
    assert!(code == 1 && told.contains("limits.files") && !told.contains("limits.core"), "{told}");
    let mends: Vec<String> = told
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|finding| finding["name"].as_str().unwrap().starts_with("limits."))
        .map(|finding| finding["mend"].as_str().unwrap().to_owned())
        .collect();
    let (told, _) = bash(&format!("{small}; {}; ferry doctor QM1 -o json || true", mends.join("; ")));
    assert!(!told.contains("limits."), "{mends:?}: {told}");
    assert_eq!(bash(&format!("{small}; ferry qmgr start QM1 --detach")).1, 0);
    assert!(found(&ferry, "limits.core").is_empty(), "a start sets its own limit");
    let files = mended(&ferry, "limits.files");
    let process = files["mend"].as_str().unwrap().split(' ').nth(2).unwrap();
    assert_eq!(bash(&format!("prlimit --pid {process} --core=unlimited:")).1, 0);
    mended(&ferry, "limits.core");
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
    mended(&ferry, "channel.clear");
    for (name, command) in [
        ("chlauth.disabled", "ALTER QMGR CHLAUTH(DISABLED)"),
        ("connauth.blank", "ALTER QMGR CONNAUTH(' ')"),
        ("connauth.none", "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKCLNT(NONE)"),
        ("chlauth.warn", "SET CHLAUTH(A.*) TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(NOACCESS) WARN(YES)"),
        ("chlauth.warn", "SET CHLAUTH(A.*) TYPE(BLOCKUSER) USERLIST('ada','bob') WARN(YES)"),
        ("chlauth.unproved", "SET CHLAUTH(A.*) TYPE(USERMAP) CLNTUSER('ada') MCAUSER('bob') DESCR('it''s')"),
        ("chlauth.unproved", "SET CHLAUTH(B.*) TYPE(ADDRESSMAP) ADDRESS('10.1.*') MCAUSER('bob')"),
    ] {
        ferry.ok(&["mqsc", "-e", command]);
        mended(&ferry, name);
    }
    ferry.ok(&["mqsc", "-e", "SET CHLAUTH(C) TYPE(SSLPEERMAP) SSLPEER('CN=app1') MCAUSER('app1')"]);
    assert_eq!(found(&ferry, "chlauth.issuer").len(), 0, "its own authority alone is trusted");
    for (name, commands) in [
        ("chlauth.unproved", "SET CHLAUTH(D) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)"),
        ("loopback.asserted", "SET CHLAUTH(D) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)"),
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
    assert_eq!((output.status.code(), &*told), (Some(0), "nothing was found at QM1\n"));
}
