//! `ferry support`: what is in the archive, and what is not.

use std::path::Path;
use std::process::Command;

use crate::support::{Ferry, Said};

/// Unpacks an archive; all its text, each file under its name.
fn unpacked(archive: &Path) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let status = Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(folder.path()).status();
    assert!(status.expect("tar runs").success());
    let listed = Command::new("tar").arg("-tf").arg(archive).output().expect("tar runs").stdout;
    let names = String::from_utf8(listed).expect("names");
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("a file of the archive");
    names.lines().map(|name| (name.to_owned(), String::from_utf8_lossy(&read(name)).into_owned())).collect()
}

/// The places where secrets are planted, each with a secret of its own.
const PLACES: [&str; 26] = [
    "body of a persistent message",
    "body of a message in memory",
    "body of a dead letter",
    "property of a message",
    "password of a user",
    "comment of the settings",
    "STARTARG of a service",
    "ENVRDATA of a process",
    "USERDATA of a process",
    "TRIGDATA of a queue",
    "URL in DESCR",
    "password in DESCR",
    "bearer in the error log",
    "URL in the error log",
    "JSON in the error log",
    "hash in the error log",
    "token in a failure record",
    "key in a failure record",
    "key of the queue manager",
    "file of the person in the folder",
    "LDAPPWD of a directory",
    "KEYRPWD of the queue manager",
    "hash in the file of users",
    "file of client channels",
    "line of the journal in the error log",
    "record of a refusal",
];

fn secret(place: usize) -> String {
    format!("Gh{place:02}xQ7tVn")
}

#[test]
fn an_archive_for_support_has_what_helps_and_none_of_the_secrets_that_are_planted() {
    let ferry = Ferry::new();
    let s = |place: &str| secret(PLACES.iter().position(|known| *known == place).expect("a place"));
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0"]);
    let folder = ferry.data().join("QM1");
    let settings = folder.join("ferry.toml");
    let text = std::fs::read_to_string(&settings).expect("the settings");
    std::fs::write(&settings, format!("# ldap: {}\n{text}", s("comment of the settings")))
        .expect("they can be written");
    ferry.ok(&["tls", "init", "QM1"]);
    let added = ferry
        .with_input(&["user", "add", "QM1", "anna"], format!("{}\n", s("password of a user")).as_bytes());
    assert_eq!(added.code, 0, "{}", added.stderr);
    let key = std::fs::read_dir(folder.join("security/keys")).expect("keys").next();
    let key = key.expect("a key").expect("a key").path();
    let file = if key.is_dir() { key.join("planted.pem") } else { key.with_file_name("planted.pem") };
    let pem = |secret: &str| format!("-----BEGIN PRIVATE KEY-----\n{secret}\n-----END PRIVATE KEY-----\n");
    std::fs::write(file, pem(&s("key of the queue manager"))).expect("a key can be written");
    std::fs::write(folder.join("notes.txt"), s("file of the person in the folder"))
        .expect("a file can be written");
    let users = folder.join("security/users.toml");
    let known = std::fs::read_to_string(&users).expect("users");
    std::fs::write(&users, format!("{known}\n# $6$salt${}\n", s("hash in the file of users")))
        .expect("they can be written");
    let table =
        format!(r#"{{"channel": [{{"name": "C", "password": "{}"}}]}}"#, s("file of client channels"));
    std::fs::write(folder.join("AMQCLCHL.json"), table).expect("a file can be written");
    let server = ferry.start(&["qmgr", "start", "QM1", "--port", "0"]);
    let define = |mqsc: &str| ferry.ok(&["mqsc", "-e", mqsc]);
    define("DEFINE QLOCAL(ORDERS) DESCR('of the shop')");
    define("ALTER QMGR DEADQ(DEAD)");
    define("DEFINE QLOCAL(DEAD)");
    define(&format!("DEFINE QLOCAL(T) TRIGDATA('{}')", s("TRIGDATA of a queue")));
    define(&format!("DEFINE QLOCAL(D) DESCR('password={}')", s("password in DESCR")));
    define(&format!("DEFINE SERVICE(S) STARTCMD('/bin/x') STARTARG('-p {}')", s("STARTARG of a service")));
    define(&format!(
        "DEFINE PROCESS(P) ENVRDATA('KEY={}') USERDATA('{}')",
        s("ENVRDATA of a process"),
        s("USERDATA of a process")
    ));
    define(&format!(
        "DEFINE AUTHINFO(L) AUTHTYPE(IDPWLDAP) CONNAME('ldap') SHORTUSR('sn') USRFIELD('uid') LDAPUSER('cn=mq') LDAPPWD('{}')",
        s("LDAPPWD of a directory")
    ));
    define(&format!("ALTER QMGR KEYRPWD('{}')", s("KEYRPWD of the queue manager")));
    define(&format!("DEFINE QLOCAL(U) DESCR('amqp://anna:{}@mq/x')", s("URL in DESCR")));
    ferry.ok(&["put", "-P", "ORDERS", &s("body of a persistent message")]);
    ferry.ok(&["put", "-N", "ORDERS", &s("body of a message in memory")]);
    ferry.ok(&["put", "-P", "DEAD", &s("body of a dead letter")]);
    let line = format!(
        r#"{{"md": {{}}, "properties": ["<usr><p>{}</p></usr>"], "body": "b"}}"#,
        s("property of a message")
    );
    let put = ferry.with_input(&["import", "ORDERS"], line.as_bytes());
    assert_eq!(put.code, 0, "{}", put.stderr);
    let errors = folder.join("errors");
    let log = errors.join("errors.log");
    let mut text = std::fs::read_to_string(&log).expect("the error log");
    text.push_str(&format!("x Authorization: Bearer {}\n", s("bearer in the error log")));
    text.push_str(&format!("x amqp://anna:{}@mq/x\n", s("URL in the error log")));
    text.push_str(&format!("{{\"password\": \"{}\"}}\n", s("JSON in the error log")));
    text.push_str(&format!("x $argon2id$v=19$m=8,t=1,p=1$c2FsdA${}\n", s("hash in the error log")));
    text.push_str(&format!(
        "Nov 26 10:00:00 mq ferry[7]: LDAP bind as cn=mq with ldappwd '{}' failed\n",
        s("line of the journal in the error log")
    ));
    std::fs::write(&log, text).expect("the log can be written");
    let refusals = folder.join("audit");
    std::fs::create_dir_all(&refusals).expect("a folder");
    std::fs::write(refusals.join("audit.log"), format!(r#"{{"token": "{}"}}"#, s("record of a refusal")))
        .expect("a record can be written");
    let record = format!("token={}\n{}", s("token in a failure record"), pem(&s("key in a failure record")));
    std::fs::write(errors.join("failure-1.txt"), record).expect("a record can be written");

    let archive = ferry.data().join("it.tar");
    let to = archive.to_str().expect("a path");
    let said: Said = ferry.run(&["support", "--seconds", "1", "--to", to, "-o", "json"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(archive.metadata().expect("it is there").permissions().mode() & 0o777, 0o600);
    let files = unpacked(&archive);
    let of = |name: &str| {
        &files.iter().find(|(found, _)| found == name).unwrap_or_else(|| panic!("{name}: {files:?}")).1
    };
    assert!(
        of("definitions.mqsc").contains("DEFINE QLOCAL('ORDERS')")
            || of("definitions.mqsc").contains("ORDERS")
    );
    assert!(of("ferry.toml").contains("[listener]"), "{}", of("ferry.toml"));
    assert!(of("status/queues.txt").contains("ORDERS"));
    assert!(of("figures-2.txt").contains("ferry_up{qmgr=\"QM1\"} 1"));
    assert!(of("errors/errors.log").contains("FRY5001I"));
    assert!(of("errors/failure-1.txt").contains("left out"));
    assert!(of("files.txt").contains("notes.txt") && of("about.txt").contains("Queue manager QM1"));
    for (place, name) in PLACES.iter().enumerate() {
        for (file, text) in &files {
            assert!(!text.contains(&secret(place)), "{file} has the secret of: {name}");
        }
    }
    let again = ferry.run(&["support", "--seconds", "0", "--to", to]);
    assert!(again.code == 1 && again.stderr.contains("--to FILE"), "{}", again.stderr);
    drop(server);
    // One that does not run has its files.
    let stopped = ferry.data().join("stopped.tar");
    ferry.ok(&["support", "QM1", "--to", stopped.to_str().expect("a path")]);
    let files = unpacked(&stopped);
    let about = files.iter().find(|(name, _)| name == "about.txt").expect("a page about it");
    assert!(about.1.contains("status: the queue manager does not run"), "{}", about.1);
    assert_eq!(ferry.run(&["support", "NONE"]).code, 3);
}
