//! A bridge to a queue manager that takes TLS and passwords alone, and the places that show no password.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::installation::{Bridge, Installation, passes};

const PASSWORD: &str = "a pass phrase that is longer than twelve";

/// A queue manager that takes a user by TLS and a password, with the trusted certificate for it.
struct Guarded {
    installation: Installation,
    trust: PathBuf,
    port: u16,
}

impl Guarded {
    fn new() -> Self {
        let mut installation = Installation::new("RIGHT");
        installation.define(&[
            "DEFINE QLOCAL(IN)",
            "DEFINE QLOCAL(LEAVING)",
            "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('mover') AUTHADD(CONNECT,INQ,DSP,SETALL)",
            "SET AUTHREC PROFILE(SYSTEM.FERRY.BRIDGE.STATE) OBJTYPE(QUEUE) PRINCIPAL('mover') AUTHADD(GET,BROWSE,PUT)",
            "SET AUTHREC PROFILE(IN) OBJTYPE(QUEUE) PRINCIPAL('mover') AUTHADD(PUT,SETALL)",
            "SET AUTHREC PROFILE(LEAVING) OBJTYPE(QUEUE) PRINCIPAL('mover') AUTHADD(GET,BROWSE)",
        ]);
        installation.kill();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let file = installation.folder().join("password");
        write_secret(&file, PASSWORD);
        let (file, expose) = (file.display().to_string(), port.to_string());
        let add = ["user", "add", "RIGHT", "mover", "--password-file", &file, "--host", "127.0.0.1"];
        installation.run(&[&add[..], &["--expose", &expose]].concat());
        installation.start();
        let trust = installation.folder().join("security").join("authority").join("ca.pem");
        Self { installation, trust, port }
    }
}

fn write_secret(file: &Path, text: &str) {
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(file).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// Bytes of the files below a folder that have a text, by their names.
fn files_with(folder: &Path, text: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            if bytes.windows(text.len()).any(|window| window == text) {
                found.push(path.file_name().unwrap().to_string_lossy().into_owned());
            }
        }
    }
    found
}

#[test]
fn messages_go_both_ways_by_tls_and_a_password_that_nothing_shows() {
    let right = Guarded::new();
    let left = Installation::new("LEFT");
    let bridge = format!(
        "DEFINE BRIDGE(K1) CONNAME('127.0.0.1({})') CHANNEL(PASSWORD.SVRCONN) USERID('mover') PASSWORD('{PASSWORD}')",
        right.port
    );
    left.define(&[
        "DEFINE QLOCAL(K1) USAGE(XMITQ)",
        "DEFINE QREMOTE(THERE) RNAME(IN) RQMNAME(K1)",
        "DEFINE QLOCAL(ARRIVED)",
        &bridge,
        "DEFINE PIPE(K1.OUT) BRIDGE(K1) QUEUE(K1) FOREIGN('*')",
        "DEFINE PIPE(K1.IN) BRIDGE(K1) DIRECT(IN) QUEUE(ARRIVED) FOREIGN('LEAVING')",
    ]);
    let mut process = Bridge::with_keys(&left, &right.trust);
    process.wait_for("runs");
    process.wait_for("runs");
    let mut here = left.connect();
    let mut there = right.installation.connect_locally();
    passes(&mut here, "THERE", &mut there, "IN", b"out");
    passes(&mut there, "LEAVING", &mut here, "ARRIVED", b"in");

    // Another password is refused, and the pipes try again with it.
    left.define(&["ALTER BRIDGE(K1) PASSWORD('wrong and long enough')"]);
    process.wait_for("tries again");
    // One that was altered to another address has none, and does not go there with the former one.
    left.define(&["ALTER BRIDGE(K1) CONNAME('127.0.0.1(1)')"]);
    assert_eq!(left.shown("DISPLAY BRIDGE(K1) PASSWORD", "PASSWORD"), [""]);

    for displayed in ["DISPLAY BRIDGE(*) ALL", "DISPLAY PIPE(*) ALL", "DISPLAY CONN(*) TYPE(ALL) ALL"] {
        let shown = left.connect().command(displayed).unwrap();
        assert!(!shown.text.contains(PASSWORD) && !shown.json.contains(PASSWORD), "{displayed}");
    }
    let dump = left.command(&["config", "dump", "LEFT"]).output().unwrap();
    assert!(dump.status.success(), "{}", String::from_utf8_lossy(&dump.stderr));
    let dump = String::from_utf8_lossy(&dump.stdout);
    assert!(dump.contains("BRIDGE('K1')") || dump.contains("BRIDGE(K1)"), "{dump}");
    assert!(!dump.contains(PASSWORD), "{dump}");
    assert!(!process.said.contains(PASSWORD), "{}", process.said);
    drop((process, here));
    // Log, error log and audit of this side; the file of the former password is gone.
    assert_eq!(files_with(&left.folder(), PASSWORD.as_bytes()), [""; 0]);
}

#[test]
fn the_password_is_kept_in_its_file_alone() {
    let left = Installation::new("LEFT");
    left.define(&[&format!("DEFINE BRIDGE(K1) CONNAME('far(1414)') USERID('mover') PASSWORD('{PASSWORD}')")]);
    let kept = || files_with(&left.folder(), PASSWORD.as_bytes());
    assert_eq!(kept(), ["BRIDGE-K1-PASSWORD"]);
    left.define(&["ALTER BRIDGE(K1) CHANNEL(C) DESCR('the same place')"]);
    assert_eq!(kept(), ["BRIDGE-K1-PASSWORD"]);
    // One that leads elsewhere, or by another key, does not take it there.
    for elsewhere in ["CONNAME('farther(1414)')", "CERTLABL('another')", "TLS(NO)"] {
        left.define(&[&format!("ALTER BRIDGE(K1) {elsewhere}")]);
        assert_eq!(kept(), [""; 0], "{elsewhere}");
        left.define(&[&format!("ALTER BRIDGE(K1) PASSWORD('{PASSWORD}')")]);
        assert_eq!(kept(), ["BRIDGE-K1-PASSWORD"], "{elsewhere}");
    }
    left.define(&["DELETE BRIDGE(K1)"]);
    assert_eq!(kept(), [""; 0]);
}

#[test]
fn a_bridge_does_not_go_to_a_queue_manager_whose_certificate_is_not_trusted_or_of_another_name() {
    let right = Guarded::new();
    let left = Installation::new("LEFT");
    let define = |address: String| {
        format!(
            "DEFINE BRIDGE(K1) REPLACE CONNAME('{address}') CHANNEL(PASSWORD.SVRCONN) USERID('mover') PASSWORD('{PASSWORD}')"
        )
    };
    left.define(&[
        "DEFINE QLOCAL(K1)",
        &define(format!("127.0.0.1({})", right.port)),
        "DEFINE PIPE(K1.OUT) BRIDGE(K1) QUEUE(K1) FOREIGN('IN')",
    ]);
    let stranger = Installation::new("OTHER");
    stranger.run(&["tls", "init", "OTHER", "--host", "127.0.0.1"]);
    let other = stranger.folder().join("security").join("authority").join("ca.pem");
    let mut process = Bridge::with_keys(&left, &other);
    process.wait_for("tries again");
    assert!(process.said.contains("certificate"), "{}", process.said);
    drop(process);
    left.define(&[&define(format!("127.0.0.2({})", right.port))]);
    let mut process = Bridge::with_keys(&left, &right.trust);
    process.wait_for("tries again");
    assert!(process.said.contains("127.0.0.2"), "{}", process.said);
    assert!(!process.said.contains(" runs"), "{}", process.said);
}
