//! `ferry user add … --expose`: a user with a password from another machine, by the protocol of `ferry` and
//! by AMQP.

use std::io::{IoSlice, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::BytesMut;
use security::cipherspecs::Choice;
use tls::KeyStore;
use tls::client::{ClientContext, ClientTls};

use crate::support::{Ferry, Said, free_port};

/// The command that adds a user, its password from standard input, run in the data directory.
fn add(ferry: &Ferry, words: &[&str], password: &str) -> Said {
    let mut command = ferry.command(&[&["user", "add", "QM1"], words].concat());
    command.current_dir(ferry.data());
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(child.stdin.take().unwrap(), "{password}").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said { code: output.status.code().unwrap(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

/// Runs a command from another machine, as far as this one can be another: by TLS and a password alone.
fn from_afar(ferry: &Ferry, password: &str, words: &[&str]) -> Said {
    let file = ferry.data().join("password");
    std::fs::write(&file, format!("{password}\n")).unwrap();
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let bundle = ferry.data().join("ada.ferry");
    let mut command = ferry.command(words);
    command.args(["--with", bundle.to_str().unwrap(), "--user", "ada"]).env("FERRY_PASSWORD_FILE", &file);
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said { code: output.status.code().unwrap(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

/// The outcome of SASL PLAIN over TLS: 0 is let in, 1 is refused.
fn plain_over_amqp(bundle: &Path, port: u16, user: &str, password: &str) -> u8 {
    let store = KeyStore::read(bundle).unwrap();
    let how = ClientTls {
        suites: Choice::find("ANY_TLS12_OR_HIGHER").unwrap(),
        label: None,
        peer: None,
        channel: None,
        user: String::new(),
    };
    let clock = tls::Clock::new(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs());
    let mut session = ClientContext::new(&store, &how, &clock).unwrap().session("localhost").unwrap();
    let mut socket = TcpStream::connect(("127.0.0.1", port)).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let response = [b"\0", user.as_bytes(), b"\0", password.as_bytes()].concat();
    let mut fields = vec![0xa3, 5];
    fields.extend_from_slice(b"PLAIN");
    fields.extend_from_slice(&[0xa0, response.len() as u8]);
    fields.extend_from_slice(&response);
    let mut begin = b"AMQP\x03\x01\x00\x00".to_vec();
    begin.extend_from_slice(&(8 + 3 + 3 + fields.len() as u32).to_be_bytes());
    begin.extend_from_slice(&[2, 1, 0, 0, 0x00, 0x53, 0x41, 0xc0, fields.len() as u8 + 1, 2]);
    begin.extend_from_slice(&fields);
    let (mut sealed, mut plain, mut reply) = (BytesMut::new(), BytesMut::new(), BytesMut::new());
    let mut is_said = false;
    loop {
        let opened = session.open(&mut sealed, &mut plain, &mut reply).unwrap();
        if matches!(opened, tls::client::Opened::Done(_)) && !is_said {
            session.seal(&[IoSlice::new(&begin)], &mut reply).unwrap();
            is_said = true;
        }
        socket.write_all(&reply).unwrap();
        reply.clear();
        let outcome = plain.windows(3).position(|found| found == [0x00, 0x53, 0x44]);
        if let Some(code) = outcome.and_then(|at| plain.get(at + 7)) {
            return *code;
        }
        let mut piece = [0; 4096];
        let read = socket.read(&mut piece).unwrap();
        assert!(read > 0, "the connection ended before the outcome");
        sealed.extend_from_slice(&piece[..read]);
    }
}

#[test]
fn a_user_with_a_password_comes_from_another_machine_and_by_amqp_after_one_command() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "listener.addresses=[\"127.0.0.1:0\"]"]);
    let port = free_port();
    let words = ["ada", "--expose", &port.to_string(), "--host", "localhost"];
    let said = add(&ferry, &words, "correct horse");
    assert_eq!(said.code, 0, "{}", said.stderr);
    for expected in
        ["ada.ferry", &format!("amqps://localhost:{port}"), "ferry put QUEUE --with ada.ferry --user ada"]
    {
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    }
    let bundle = ferry.data().join("ada.ferry");
    assert!(!std::fs::read_to_string(&bundle).unwrap().contains("PRIVATE KEY"));
    let _server = ferry.start(&["qmgr", "start", "QM1"]);
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(DEV.Q)", "-e", "DEFINE QLOCAL(PAY)"]);
    let put = from_afar(&ferry, "correct horse", &["put", "DEV.Q", "from afar"]);
    assert_eq!(put.code, 0, "{}", put.stderr);
    assert_eq!(ferry.ok(&["get", "DEV.Q"]), "from afar\n");
    assert_eq!(plain_over_amqp(&bundle, port, "ada", "correct horse"), 0);
    // Another password, another user and another queue are refused.
    let refused = from_afar(&ferry, "wrong", &["put", "DEV.Q", "x"]);
    assert_eq!(refused.code, 4, "{}", refused.stderr);
    for expected in ["next: give the right user and password", "FRY5020W"] {
        assert!(refused.stderr.contains(expected), "{}", refused.stderr);
    }
    assert_eq!(plain_over_amqp(&bundle, port, "ada", "wrong"), 1);
    assert_eq!(plain_over_amqp(&bundle, port, "eve", "correct horse"), 1);
    let refused = from_afar(&ferry, "correct horse", &["put", "PAY", "x"]);
    assert!(refused.code == 4 && refused.stderr.contains("2035"), "{}", refused.stderr);
}

#[test]
fn a_second_user_keeps_the_keys_and_what_cannot_be_finished_changes_nothing() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "listener.addresses=[\"127.0.0.1:0\"]"]);
    let port = free_port().to_string();
    let first = add(&ferry, &["ada", "--expose", &port, "--host", "localhost"], "one");
    assert_eq!(first.code, 0, "{}", first.stderr);
    let second = add(&ferry, &["bob.2", "--expose", &port, "--host", "localhost"], "two");
    assert!(second.code == 0 && !second.stderr.contains("made a certificate"), "{}", second.stderr);
    let read = |name: &str| std::fs::read_to_string(ferry.data().join(name)).unwrap();
    assert_eq!(read("ada.ferry"), read("bob.2.ferry"));
    for (words, expected) in [
        (&["a/b", "--expose", &port][..], "cannot be that of a file"),
        (&["../x", "--expose", &port], "cannot be that of a file"),
        (&["eve", "--expose", "0"], "0 is not in"),
        (&["eve", "--host", "localhost"], "--expose"),
    ] {
        let refused = add(&ferry, words, "three");
        assert!(refused.code == 2 && refused.stderr.contains(expected), "{}", refused.stderr);
    }
    let _server = ferry.start(&["qmgr", "start", "QM1"]);
    let refused = add(&ferry, &["eve", "--expose", &port], "three");
    assert!(refused.code == 1 && refused.stderr.contains("ferry qmgr stop QM1"), "{}", refused.stderr);
    assert!(!ferry.ok(&["user", "list", "QM1"]).contains("eve"));
}
