//! Listeners with TLS, channels that ask for it, and programs that come with it or without.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64ct::{Base64, Encoding as _};
use ca::{Authority, Purpose, Request, remove_key};
use client::{ConnectError, Connection, Options, Tls};
use identity::{Cost, HashMemory, Users, UsersFile};
use mqi::{GetFlags, OpenOptions, Persistence, PutFlags, Reason, Verbs};
use server::Server;
use tls::bundle::Way;

use crate::message_channels::figure;
use crate::running::{NO_PASSWORD_AT_LOOPBACK, Place, RIGHTS_OF_ALL, command, eventually, get, open, put};

pub(crate) const ANY: &str = "ANY_TLS12_OR_HIGHER";

fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

fn request(label: &str, purpose: Purpose) -> Request {
    let hosts = match purpose {
        Purpose::QueueManager => vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "qm1.test".to_owned()],
        Purpose::Program => Vec::new(),
    };
    let (unit, organization) = (Some("Payments".to_owned()), Some("Bank".to_owned()));
    Request { label: label.to_owned(), unit, organization, hosts, purpose, days: 30 }
}

/// A queue manager whose listener has TLS, and a program's files.
pub(crate) struct Covered {
    pub(crate) place: Place,
    authority: Authority,
}

impl Covered {
    pub(crate) fn new(listener_tls: &str) -> Self {
        Self::with_settings(listener_tls, "")
    }

    /// The same with more settings of the listener.
    pub(crate) fn with_settings(listener_tls: &str, settings: &str) -> Self {
        let place = Place::with_settings(&format!(
            "[listener]\naddresses = [\"127.0.0.1:0\"]\ntls = \"{listener_tls}\"\n{settings}"
        ));
        let authority = Authority::create(&place.folder().join("security"), "QM1", seconds()).unwrap();
        authority.issue(&request("qm1", Purpose::QueueManager), seconds()).unwrap();
        Self { place, authority }
    }

    /// Starts it, and gives commands by the local socket.
    pub(crate) fn start(&self, commands: &[&str]) -> (Server, Connection) {
        let server = self.place.start();
        let local = format!("unix:{}", self.place.folder().join("socket").display());
        let mut administrator = Connection::connect(Options::to(local.parse().unwrap())).unwrap();
        for text in RIGHTS_OF_ALL.iter().chain([&NO_PASSWORD_AT_LOOPBACK]).chain(commands) {
            command(&mut administrator, text);
        }
        (server, administrator)
    }

    /// The file of a program with a key of this label.
    pub(crate) fn program(&self, label: &str) -> PathBuf {
        self.authority.issue(&request(label, Purpose::Program), seconds()).unwrap();
        let path = self.place.folder().join(format!("{label}.ferry"));
        self.authority.bundle(label, &Way::default(), &path).unwrap();
        remove_key(&self.place.folder().join("security"), label).unwrap();
        path
    }

    /// The file of a program that has no key.
    fn without_key(&self) -> PathBuf {
        self.place.folder().join("security/authority/ca.pem")
    }
}

/// The options of a user that is no administrator, which no channel lets in without a proof.
fn program(options: Options) -> Options {
    Options { user: "program".into(), ..options }
}

fn connect(server: &Server, key_store: &Path, cipherspec: &str) -> Result<Connection, ConnectError> {
    let port = server.address().unwrap().port();
    let tls = Tls { key_store: key_store.to_owned(), cipherspec: cipherspec.to_owned(), ..Tls::default() };
    Connection::connect(program(Options::to(format!("localhost({port})").parse().unwrap()).tls(tls).alone()))
}

fn in_the_clear(server: &Server) -> Result<Connection, ConnectError> {
    let port = server.address().unwrap().port();
    Connection::connect(program(Options::to(format!("127.0.0.1({port})").parse().unwrap()).alone()))
}

fn refusal(refused: Result<Connection, ConnectError>) -> (Reason, String) {
    let Err(error) = refused else { panic!("the connection is made") };
    (error.reason(), error.to_string())
}

/// Checks that a program without a certificate is told no cause, and that the error log has it.
fn is_told_nothing(covered: &Covered, refused: Result<Connection, ConnectError>, cause: &str) {
    let (reason, text) = refusal(refused);
    assert!(reason == Reason::NOT_AUTHORIZED && !text.contains(cause), "{text}");
    let last = || covered.place.error_log().lines().rfind(|line| line.contains("FRY5020")).map(str::to_owned);
    eventually("the cause is in the log", || last().is_some_and(|line| line.contains(cause)));
}

const ALTER: &str = "ALTER CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(SVRCONN)";

#[test]
fn messages_go_in_and_out_over_tls_1_3_and_1_2() {
    let covered = Covered::new("required");
    let optional = format!("{ALTER} SSLCIPH({ANY}) SSLCAUTH(OPTIONAL)");
    let (server, _administrator) = covered.start(&["DEFINE QLOCAL(Q)", &optional]);
    for cipherspec in [
        "TLS_AES_256_GCM_SHA384",
        "TLS_CHACHA20_POLY1305_SHA256",
        "ECDHE_ECDSA_AES_256_GCM_SHA384",
        "ECDHE_ECDSA_AES_128_GCM_SHA256",
        "ANY_TLS12",
        ANY,
    ] {
        let mut one = connect(&server, &covered.without_key(), cipherspec).unwrap();
        let to = open(&mut one, "Q", OpenOptions::OUTPUT);
        let from = open(&mut one, "Q", OpenOptions::INPUT_SHARED);
        for length in [0, 5, 2_048, 70_000, 1_000_000] {
            let body = vec![u8::try_from(length % 251).unwrap(); length];
            for persistence in [Persistence::NotPersistent, Persistence::Persistent] {
                put(&mut one, to, &body, persistence, PutFlags::EMPTY).unwrap();
                let got = get(&mut one, from, Duration::ZERO, GetFlags::EMPTY).unwrap();
                assert!(got == body, "{cipherspec}, {length} bytes");
            }
        }
        one.disconnect().unwrap();
    }
}

#[test]
fn a_program_by_mutual_tls_is_shown_with_its_names_its_bytes_its_calls_and_its_step() {
    let covered = Covered::new("required");
    let demand = format!("{ALTER} SSLCIPH({ANY}) SSLCAUTH(REQUIRED)");
    let (server, mut administrator) = covered.start(&["DEFINE QLOCAL(Q)", &demand]);
    let mut one = connect(&server, &covered.program("app"), "TLS_AES_256_GCM_SHA384").unwrap();
    let mut shown = || command(&mut administrator, "DISPLAY CHSTATUS(SYSTEM.DEF.SVRCONN) ALL");
    let to = open(&mut one, "Q", OpenOptions::OUTPUT);
    for persistence in [Persistence::NotPersistent, Persistence::Persistent] {
        put(&mut one, to, &[7; 5_000], persistence, PutFlags::EMPTY).unwrap();
    }
    let status = shown();
    for part in [
        "CURRENT",
        "SECPROT(TLSV13)",
        "SSLCIPH(TLS_AES_256_GCM_SHA384)",
        "CN=app,OU=Payments,O=Bank",
        "SSLCERTI(",
        "SUBSTATE(RECEIVE)",
    ] {
        assert!(status.contains(part), "{part}: {status}");
    }
    let number = |status: &str, keyword: &str| -> u64 { figure(status, keyword).parse().unwrap() };
    assert!(number(&status, "BYTSRCVD") > 10_000, "two bodies: {status}");
    assert!((100..10_000).contains(&number(&status, "BYTSSENT")), "two answers: {status}");
    assert!(number(&status, "MSGS") >= 3 && number(&status, "BUFSRCVD") >= 3, "{status}");
    eventually("the time of the last call is told", || {
        let status = shown();
        !figure(&status, "LSTMSGTI").is_empty() && !figure(&status, "LSTMSGDA").is_empty()
    });
    let waits = std::thread::spawn(move || {
        let from = open(&mut one, "Q", OpenOptions::INPUT_SHARED);
        (0..3)
            .map(|_| get(&mut one, from, Duration::from_secs(20), GetFlags::EMPTY))
            .filter(Result::is_ok)
            .count()
    });
    eventually("it waits for the third message", || shown().contains("SUBSTATE(MQGET)"));
    let to = open(&mut administrator, "Q", OpenOptions::OUTPUT);
    put(&mut administrator, to, b"third", Persistence::NotPersistent, PutFlags::EMPTY).unwrap();
    assert_eq!(waits.join().unwrap(), 3);
}

#[test]
fn a_getter_that_waits_and_many_putters_share_a_socket_under_tls() {
    let covered = Covered::new("required");
    let optional = format!("{ALTER} SSLCIPH({ANY}) SSLCAUTH(OPTIONAL) SHARECNV(10)");
    let (server, _administrator) = covered.start(&["DEFINE QLOCAL(Q)", &optional]);
    let port = server.address().unwrap().port();
    let tls = Tls { key_store: covered.without_key(), cipherspec: ANY.to_owned(), ..Tls::default() };
    let options = program(Options::to(format!("localhost({port})").parse().unwrap()).tls(tls));
    std::thread::scope(|scope| {
        for number in 0..4_u8 {
            let options = options.clone();
            scope.spawn(move || {
                let mut putter = Connection::connect(options).unwrap();
                let to = open(&mut putter, "Q", OpenOptions::OUTPUT);
                for _ in 0..200 {
                    put(&mut putter, to, &[number; 3_000], Persistence::NotPersistent, PutFlags::EMPTY)
                        .unwrap();
                }
            });
        }
        let mut getter = Connection::connect(options.clone()).unwrap();
        let from = open(&mut getter, "Q", OpenOptions::INPUT_SHARED);
        let mut counts = [0; 4];
        for _ in 0..800 {
            let got = get(&mut getter, from, Duration::from_secs(20), GetFlags::EMPTY).unwrap();
            assert_eq!(got, [got[0]; 3_000]);
            counts[usize::from(got[0])] += 1;
        }
        assert_eq!(counts, [200; 4]);
    });
}

#[test]
fn a_connection_that_is_not_encrypted_as_its_channel_asks_is_refused_in_words() {
    let covered = Covered::new("allowed");
    let (server, mut administrator) = covered.start(&[]);
    let program = covered.program("app1");
    let mut alter = |rest: &str| command(&mut administrator, &format!("{ALTER} {rest}"));
    // The channel does not encrypt: in the clear alone.
    in_the_clear(&server).unwrap();
    let (reason, text) = refusal(connect(&server, &program, ANY));
    assert!(reason == Reason::CHANNEL_CONFIG_ERROR && text.contains("has no SSLCIPH"), "{text}");
    // It does: not in the clear, and not with another CipherSpec.
    alter("SSLCIPH(TLS_AES_128_GCM_SHA256)");
    is_told_nothing(&covered, in_the_clear(&server), "asks for TLS");
    let (reason, text) = refusal(connect(&server, &program, "TLS_AES_256_GCM_SHA384"));
    assert!(reason == Reason::UNSUPPORTED_CIPHER_SUITE, "{text}");
    assert!(text.contains("TLS_AES_256_GCM_SHA384") && text.contains("TLS_AES_128_GCM_SHA256"), "{text}");
    connect(&server, &program, "TLS_AES_128_GCM_SHA256").unwrap();
    // SSLCAUTH asks for a certificate.
    is_told_nothing(&covered, connect(&server, &covered.without_key(), "ANY_TLS13"), "CipherSpec");
    alter("SSLCIPH(ANY_TLS12_OR_HIGHER) SSLCAUTH(REQUIRED)");
    is_told_nothing(&covered, connect(&server, &covered.without_key(), ANY), "showed none");
    alter("SSLCAUTH(OPTIONAL)");
    connect(&server, &covered.without_key(), ANY).unwrap();
    // SSLPEER asks for a name.
    alter("SSLPEER('CN=app*,OU=Payments')");
    connect(&server, &program, ANY).unwrap();
    let other = covered.program("batch");
    let (reason, text) = refusal(connect(&server, &other, ANY));
    assert!(reason == Reason::SSL_PEER_NAME_MISMATCH && text.contains("CN=batch"), "{text}");
    // SSLPEER asks for a certificate.
    is_told_nothing(&covered, connect(&server, &covered.without_key(), ANY), "showed none");
    // Programs of the machine come in as before.
    command(&mut administrator, "DISPLAY QMGR");
}

#[test]
fn a_listener_for_tls_alone_refuses_the_clear_and_another_refuses_tls() {
    let covered = Covered::new("required");
    let (server, _administrator) = covered.start(&[]);
    is_told_nothing(&covered, in_the_clear(&server), "for TLS alone");
    // A login that proves its user is told the cause.
    let mut users = Users::default();
    let (cost, memory) = (Cost::LEAST, &mut HashMemory::default());
    users.add("ada", b"open sesame", Vec::new(), &[7; 16], cost, memory).unwrap();
    UsersFile::at(covered.place.folder().join("security/users.toml")).write(&users).unwrap();
    for (password, expected) in
        [("open sesame", Reason::SSL_INITIALIZATION_ERROR), ("wrong", Reason::NOT_AUTHORIZED)]
    {
        let secret = client::Secret::new(password.as_bytes().to_vec());
        let credentials = client::Credentials::password("ada", secret).unwrap();
        let port = server.address().unwrap().port();
        let to = program(Options::to(format!("127.0.0.1({port})").parse().unwrap()).alone());
        let (reason, text) = refusal(Connection::connect(to.credentials(credentials)));
        assert_eq!(reason, expected, "{password}: {text}");
    }
    let plain = Place::new();
    let without = plain.start();
    let (reason, text) = refusal(connect(&without, &covered.without_key(), ANY));
    assert_eq!(reason, Reason::SSL_INITIALIZATION_ERROR, "{text}");
    let words =
        "the listener at that port does not use TLS; connect without TLS, or to a listener that has it";
    assert!(text.contains(words), "{text}");
    // A program of another library is told that no TLS is spoken, not that no suite is in common.
    let address = without.address().unwrap().to_string();
    let mut asks = Command::new("timeout");
    asks.args(["20", "openssl", "s_client", "-connect", &address]).stdin(Stdio::null());
    let told = String::from_utf8_lossy(&asks.output().expect("coreutils are here").stderr).into_owned();
    assert!(!told.contains("handshake failure") && told.contains("error:"), "{told}");
}

#[test]
fn a_listener_that_is_started_by_command_has_tls_too() {
    let covered = Covered::new("required");
    let (_server, mut administrator) = covered.start(&[&format!("{ALTER} SSLCIPH({ANY})")]);
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    command(&mut administrator, &format!("DEFINE LISTENER(L) TRPTYPE(TCP) IPADDR('127.0.0.1') PORT({free})"));
    command(&mut administrator, "START LISTENER(L)");
    let key_store = covered.program("app1");
    let tls = Tls { key_store, cipherspec: ANY.to_owned(), ..Tls::default() };
    let to = |host: &str| program(Options::to(format!("{host}({free})").parse().unwrap()).alone());
    let mut patience = 100;
    while let Err(error) = Connection::connect(to("localhost").tls(tls.clone())) {
        patience -= 1;
        assert!(patience > 0, "{error}");
        std::thread::sleep(Duration::from_millis(50));
    }
    is_told_nothing(&covered, Connection::connect(to("127.0.0.1")), "for TLS alone");
}

#[test]
fn a_program_is_told_what_is_wrong_with_its_own_files() {
    let covered = Covered::new("required");
    let (server, _administrator) = covered.start(&[&format!("{ALTER} SSLCIPH({ANY})")]);
    let program = covered.program("app1");
    let missing = covered.place.folder().join("nothing.pem");
    let port = server.address().unwrap().port();
    let with = |change: &dyn Fn(&mut Tls)| {
        let mut tls = Tls { key_store: program.clone(), cipherspec: ANY.to_owned(), ..Tls::default() };
        change(&mut tls);
        let options = Options::to(format!("localhost({port})").parse().unwrap()).tls(tls).alone();
        Connection::connect(self::program(options)).map(drop).map_err(|error| error.reason())
    };
    assert_eq!(with(&|_| ()), Ok(()));
    assert_eq!(with(&|tls| tls.key_store.clone_from(&missing)), Err(Reason::KEY_REPOSITORY_ERROR));
    assert_eq!(with(&|tls| tls.label = "other".to_owned()), Err(Reason::CERT_LABEL_NOT_ALLOWED));
    assert_eq!(with(&|tls| tls.label = "app1".to_owned()), Ok(()));
    assert_eq!(with(&|tls| tls.cipherspec = "RC4".to_owned()), Err(Reason::UNSUPPORTED_CIPHER_SUITE));
    assert_eq!(with(&|tls| tls.peer = "CN".to_owned()), Err(Reason::SSL_PEER_NAME_ERROR));
    assert_eq!(with(&|tls| tls.peer = "CN=other".to_owned()), Err(Reason::SSL_PEER_NAME_MISMATCH));
    assert_eq!(with(&|tls| tls.peer = "CN=qm1,O=Bank".to_owned()), Ok(()));
    fs::set_permissions(&program, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(with(&|_| ()), Err(Reason::KEY_REPOSITORY_ERROR));
}

#[test]
fn a_queue_manager_does_not_start_with_tls_and_without_keys() {
    let place = Place::with_settings("[listener]\naddresses = [\"127.0.0.1:0\"]\ntls = \"required\"\n");
    let error = Server::start(&place.options()).err().expect("there are no keys").to_string();
    assert!(error.contains("are to have TLS") && error.contains("ferry tls init"), "{error}");
    let authority = Authority::create(&place.folder().join("security"), "QM1", seconds()).unwrap();
    let error = Server::start(&place.options()).err().expect("there is no key").to_string();
    assert!(error.contains("has no key"), "{error}");
    authority.issue(&request("qm1", Purpose::QueueManager), seconds()).unwrap();
    place.start();
}

#[test]
fn a_certificate_that_is_renewed_or_revoked_counts_while_the_queue_manager_runs() {
    let covered = Covered::new("required");
    let (server, _administrator) = covered.start(&[&format!("{ALTER} SSLCIPH({ANY})")]);
    let (program, other) = (covered.program("app1"), covered.program("app2"));
    let mut before = connect(&server, &other, ANY).unwrap();
    covered.authority.renew("qm1", 60, seconds()).unwrap();
    covered.authority.revoke("app1", seconds()).unwrap();
    let until = std::time::Instant::now() + Duration::from_secs(60);
    let reason = loop {
        match connect(&server, &program, ANY) {
            Ok(mut connection) => connection.disconnect().unwrap(),
            Err(error) => break error.reason(),
        }
        assert!(std::time::Instant::now() < until, "the files are not read again");
        std::thread::sleep(Duration::from_millis(500));
    };
    assert_eq!(reason, Reason::SSL_CERTIFICATE_REVOKED);
    command(&mut before, "DISPLAY QMGR");
    let log = || covered.place.error_log();
    eventually("the error log says so", || log().contains("was read again: 1 keys"));
    eventually("and of the one that was refused", || log().contains("The connection from tcp 127.0.0.1:"));
}

#[test]
fn openssl_shakes_hands_with_a_listener_and_is_asked_for_a_certificate() {
    let covered = Covered::new("required");
    let (server, _administrator) = covered.start(&[&format!("{ALTER} SSLCIPH({ANY})")]);
    for (version, expected) in [
        ("-tls1_3", "New, TLSv1.3, Cipher is TLS_AES_256_GCM_SHA384"),
        ("-tls1_2", "New, TLSv1.2, Cipher is ECDHE-ECDSA-AES256-GCM-SHA384"),
    ] {
        let child = Command::new("timeout")
            .args(["20", "openssl", "s_client", "-connect", &server.address().unwrap().to_string(), version])
            .args(["-verify_hostname", "localhost", "-verify_return_error", "-CAfile"])
            .arg(covered.without_key())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.expect("coreutils are here");
        let mut input = child.stdin.take();
        // No login of ours: the queue manager answers in words under the cover, and ends.
        let _ = input.as_mut().unwrap().write_all(b"GET / HTTP/1.1\r\n\r\n");
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let text: String = lines.map(|line| line.unwrap_or_default() + "\n").collect();
        drop(input);
        if child.wait().unwrap().code() == Some(127) {
            eprintln!("SKIPPED: openssl is not here");
            return;
        }
        for expected in [expected, "Verification: OK", "Acceptable client certificate CA names", "HTTP/1.1 "]
        {
            assert!(text.contains(expected), "{version} {expected}: {text}");
        }
    }
}

#[test]
fn a_record_maps_the_bearer_of_a_certificate_to_a_user_by_its_name_and_its_issuer() {
    let covered = Covered::new("required");
    let (server, mut administrator) = covered.start(&[
        "ALTER QMGR SSLEV(ENABLED) CHLEV(ENABLED)",
        &format!("{ALTER} SSLCIPH({ANY}) SSLCAUTH(OPTIONAL)"),
        "SET CHLAUTH('SYSTEM.DEF.SVRCONN') TYPE(ADDRESSMAP) ACTION(REMOVEALL)",
        "SET CHLAUTH('SYSTEM.DEF.SVRCONN') TYPE(SSLPEERMAP) SSLPEER('O=Bank') SSLCERTI('CN=other') MCAUSER('wrong')",
        "SET CHLAUTH('SYSTEM.DEF.SVRCONN') TYPE(SSLPEERMAP) SSLPEER('CN=app*,OU=Payments,O=Bank') MCAUSER('payer')",
        "SET CHLAUTH('SYSTEM.DEF.SVRCONN') TYPE(SSLPEERMAP) SSLPEER('CN=app2') USERSRC(NOACCESS)",
    ]);
    let mut acts_as = |label: &str| {
        let program = covered.program(label);
        let connection = connect(&server, &program, ANY).map_err(|error| error.reason())?;
        let shown =
            command(&mut administrator, "DISPLAY CONN(*) WHERE(CHANNEL EQ SYSTEM.DEF.SVRCONN) USERID");
        drop(connection);
        let (_, rest) = shown.split_once("USERID(").expect("it is there");
        Ok(rest.split(')').next().unwrap().trim().to_owned())
    };
    assert_eq!(acts_as("app1"), Ok("payer".to_owned()));
    assert_eq!(acts_as("app2"), Err(Reason::NOT_AUTHORIZED), "the more specific name");
    assert_eq!(
        acts_as("other"),
        Err(Reason::NOT_AUTHORIZED),
        "no record is about it but the one that closes"
    );
    let (reason, _) = refusal(connect(&server, &covered.without_key(), ANY));
    assert_eq!(reason, Reason::NOT_AUTHORIZED, "no certificate, no record");
    let records = || {
        let log = covered.place.error_log();
        log.lines().filter(|line| line.contains("FRY5020")).map(str::to_owned).collect::<Vec<_>>()
    };
    eventually("each refusal is in the error log", || records().len() == 3);
    let records = records();
    assert!(records[0].contains("TYPE(SSLPEERMAP) SSLPEER(CN=app2) decides"), "{}", records[0]);
}

#[test]
fn a_record_makes_an_administrator_of_the_bearer_of_its_certificate_and_of_nobody_else() {
    let me = platform::os::users::current();
    let covered = Covered::new("required");
    let (server, mut administrator) = covered.start(&[
        &format!("{ALTER} SSLCIPH({ANY}) SSLCAUTH(OPTIONAL)"),
        "SET CHLAUTH('SYSTEM.DEF.SVRCONN') TYPE(ADDRESSMAP) ACTION(REMOVEALL)",
        "SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHRMV(ALL)",
    ]);
    let mut told = |text: &str| command(&mut administrator, text);
    let (bearer, other, none) = (covered.program("app1"), covered.program("app2"), covered.without_key());
    let may_everything = |key_store: &Path| {
        let mut connection = connect(&server, key_store, ANY).map_err(|error| error.reason())?;
        Ok::<bool, Reason>(!connection.command("ALTER QMGR DESCR('by an administrator')")?.failed)
    };
    let map =
        format!("SET CHLAUTH('SYSTEM.DEF.SVRCONN') TYPE(SSLPEERMAP) SSLPEER('CN=app1') MCAUSER('{me}')");
    let refused = Err(Reason::NOT_AUTHORIZED);
    assert!(!told(&map).contains("FRY8882W"), "a certificate proves its bearer");
    assert_eq!(may_everything(&bearer), refused, "the list of birth blocks administrators");
    told("SET CHLAUTH('SYSTEM.DEF.SVRCONN') TYPE(BLOCKUSER) USERLIST('nobody')");
    assert_eq!(may_everything(&bearer), Ok(true));
    for key_store in [&other, &none] {
        assert_eq!(may_everything(key_store), refused, "{}", key_store.display());
    }
    // The same name of another issuer, and the same address without a certificate that a record names.
    told(&format!("{map} ACTION(REMOVE)"));
    told(&format!("{map} SSLCERTI('CN=other')"));
    assert_eq!(may_everything(&bearer), refused, "of another issuer");
    let map =
        format!("SET CHLAUTH('SYSTEM.DEF.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('127.0.0.*') MCAUSER('{me}')");
    assert!(told(&map).contains("FRY8882W"), "it is said");
    for key_store in [&bearer, &other, &none] {
        assert_eq!(may_everything(key_store), refused, "{}", key_store.display());
    }
}

#[test]
fn the_demand_for_a_certificate_is_the_one_of_the_last_alter() {
    let covered = Covered::new("required");
    let (program, none) = (covered.program("app1"), covered.without_key());
    let (server, administrator) = covered.start(&[
        &format!("DEFINE CHANNEL(APP) CHLTYPE(SVRCONN) SSLCIPH({ANY}) SSLCAUTH(REQUIRED)"),
        "SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)",
    ]);
    drop((administrator, server));
    // From here on the channel is one that the listener has known from its start.
    let (server, mut administrator) = covered.start(&[]);
    let by_channel = |key_store: &Path, cipherspec: &str| {
        let port = server.address().unwrap().port();
        let tls =
            Tls { key_store: key_store.to_owned(), cipherspec: cipherspec.to_owned(), ..Tls::default() };
        let options = Options::to(format!("localhost({port})").parse().unwrap()).channel("APP").tls(tls);
        Connection::connect(self::program(options.alone()))
    };
    let mut alter =
        |rest: &str| command(&mut administrator, &format!("ALTER CHANNEL(APP) CHLTYPE(SVRCONN) {rest}"));
    for _ in 0..3 {
        alter("SSLCAUTH(OPTIONAL)");
        by_channel(&none, ANY).unwrap();
        alter("SSLCAUTH(REQUIRED)");
        is_told_nothing(&covered, by_channel(&none, ANY), "showed none");
        by_channel(&program, ANY).unwrap();
    }
    for (suites, spoken, other) in [
        ("TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"),
        ("TLS_AES_256_GCM_SHA384", "ANY_TLS13", "TLS_AES_128_GCM_SHA256"),
        ("ANY_TLS12", ANY, "ANY_TLS13"),
    ] {
        alter(&format!("SSLCIPH({suites})"));
        by_channel(&program, spoken).unwrap();
        let (reason, text) = refusal(by_channel(&program, other));
        let in_words = reason == Reason::UNSUPPORTED_CIPHER_SUITE && text.contains(suites);
        // A program that has no version in common hears no words.
        assert!(in_words || suites == "ANY_TLS12", "{suites}: {reason:?} {text}");
    }
}

#[test]
fn a_certificate_that_is_revoked_ends_its_connection_and_a_new_key_ends_none() {
    let covered = Covered::new("required");
    let (server, mut administrator) = covered.start(&[&format!("{ALTER} SSLCIPH({ANY}) SSLCAUTH(REQUIRED)")]);
    let (one, two) = (covered.program("app1"), covered.program("app2"));
    let (mut first, mut second) =
        (connect(&server, &one, ANY).unwrap(), connect(&server, &two, ANY).unwrap());
    let is_there = |connection: &mut Connection| connection.command("PING QMGR").is_ok();
    covered.authority.renew("qm1", 30, seconds()).unwrap();
    command(&mut administrator, "REFRESH SECURITY TYPE(SSL)");
    eventually("the new key is read", || covered.place.error_log().contains("FRY9007I"));
    std::thread::sleep(Duration::from_millis(1_500));
    assert!(is_there(&mut first) && is_there(&mut second), "a new key of the queue manager ends nobody");
    drop(connect(&server, &one, ANY).unwrap());
    covered.authority.revoke("app1", seconds()).unwrap();
    command(&mut administrator, "REFRESH SECURITY TYPE(SSL)");
    eventually("the bearer of the revoked certificate is ended", || !is_there(&mut first));
    assert!(is_there(&mut second), "another stays");
    let (reason, _) = refusal(connect(&server, &one, ANY));
    assert_eq!(reason, Reason::SSL_CERTIFICATE_REVOKED);
    let records = || covered.place.error_log().matches("judged again while it is connected").count();
    eventually("the refusal is one record", || records() == 1);
}

#[test]
fn a_key_half_replaced_or_open_to_others_leaves_the_pair_that_was_read_and_lets_nothing_start() {
    let covered = Covered::new("required");
    let keys = covered.place.folder().join("security/keys");
    let [pem, key] = ["qm1.pem", "qm1.key"].map(|name| keys.join(name));
    let pair = [fs::read(&pem).unwrap(), fs::read(&key).unwrap()];
    let mode = |mode| fs::set_permissions(&key, fs::Permissions::from_mode(mode)).unwrap();
    for (way, expected) in [("half", "key of qm1 does not fit"), ("open", "mode 0644")] {
        let (server, mut administrator) =
            covered.start(&[&format!("{ALTER} SSLCIPH({ANY}) SSLCAUTH(OPTIONAL)")]);
        match way {
            "half" => {
                covered.authority.renew("qm1", 30, seconds()).unwrap();
                fs::write(&key, &pair[1]).unwrap();
            }
            _ => mode(0o644),
        }
        let answer = administrator.command("REFRESH SECURITY TYPE(SSL)").unwrap();
        assert!(answer.failed && answer.text.contains(expected), "{expected}: {}", answer.text);
        connect(&server, &covered.without_key(), ANY).expect("the pair that was read serves on");
        drop((administrator, server));
        let error = Server::start(&covered.place.options()).err().expect("no start").to_string();
        assert!(error.contains(expected), "{error}");
        fs::write(&pem, &pair[0]).unwrap();
        mode(0o600);
    }
    drop(covered.start(&[]));
}

/// A line to the queue manager, and the end of it that is to be cut.
fn line(server: &Server) -> (u16, std::sync::mpsc::Receiver<TcpStream>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (port, to) = (listener.local_addr().unwrap().port(), server.address().unwrap());
    let (cuts, ends) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let (inner, _) = listener.accept().unwrap();
        let outer = TcpStream::connect(to).unwrap();
        cuts.send(outer.try_clone().unwrap()).unwrap();
        let (mut back, mut forth) = (outer.try_clone().unwrap(), inner.try_clone().unwrap());
        std::thread::spawn(move || std::io::copy(&mut back, &mut forth));
        let (mut inner, mut outer) = (inner, outer);
        let _ = std::io::copy(&mut inner, &mut outer);
    });
    (port, ends)
}

#[test]
fn a_unit_of_work_is_backed_out_where_its_connection_ends_without_a_last_word() {
    let covered = Covered::new("required");
    let (server, mut administrator) =
        covered.start(&["DEFINE QLOCAL(Q)", &format!("{ALTER} SSLCIPH({ANY}) SSLCAUTH(OPTIONAL)")]);
    let (port, ends) = line(&server);
    let tls = Tls { key_store: covered.without_key(), cipherspec: ANY.to_owned(), ..Tls::default() };
    let options = Options::to(format!("localhost({port})").parse().unwrap()).tls(tls).alone();
    let mut one = Connection::connect(program(options)).unwrap();
    let to = open(&mut one, "Q", OpenOptions::OUTPUT);
    let from = open(&mut one, "Q", OpenOptions::INPUT_SHARED);
    put(&mut one, to, b"before", Persistence::Persistent, PutFlags::NO_SYNCPOINT).unwrap();
    assert_eq!(get(&mut one, from, Duration::ZERO, GetFlags::SYNCPOINT).unwrap(), b"before");
    put(&mut one, to, b"within", Persistence::Persistent, PutFlags::SYNCPOINT).unwrap();
    ends.recv().unwrap().shutdown(Shutdown::Both).unwrap();
    eventually("the connection is over", || {
        let shown = command(&mut administrator, "DISPLAY QSTATUS(Q) CURDEPTH UNCOM IPPROCS");
        shown.contains("CURDEPTH(1)") && shown.contains("UNCOM(NO)") && shown.contains("IPPROCS(0)")
    });
    let from = open(&mut administrator, "Q", OpenOptions::INPUT_SHARED);
    assert_eq!(get(&mut administrator, from, Duration::ZERO, GetFlags::NO_SYNCPOINT).unwrap(), b"before");
    assert!(get(&mut administrator, from, Duration::ZERO, GetFlags::NO_SYNCPOINT).is_err());
}

/// The list of revoked certificates of the authority.
fn list(covered: &Covered) -> PathBuf {
    covered.place.folder().join("security/crl/ca.pem")
}

#[test]
fn a_list_that_is_deleted_stays_in_force_and_after_a_restart_none_of_its_issuer_comes_in_until_it_is_given_up()
 {
    let covered = Covered::new("required");
    let (revoked, other) = (covered.program("app1"), covered.program("app2"));
    covered.authority.revoke("app1", seconds()).unwrap();
    let list = list(&covered);
    let text = fs::read(&list).unwrap();
    let told = |id: &str| covered.place.error_log().matches(id).count();
    {
        let (server, mut administrator) = covered.start(&[&format!("{ALTER} SSLCIPH({ANY})")]);
        connect(&server, &other, ANY).unwrap();
        for way in ["deleted", "empty", "with its folder"] {
            match way {
                "deleted" => fs::remove_file(&list).unwrap(),
                "empty" => fs::write(&list, "").unwrap(),
                _ => fs::remove_dir_all(list.parent().unwrap()).unwrap(),
            }
            let before = told("FRY5034W");
            command(&mut administrator, "REFRESH SECURITY TYPE(SSL)");
            let (reason, text_of) = refusal(connect(&server, &revoked, ANY));
            assert_eq!(reason, Reason::SSL_CERTIFICATE_REVOKED, "{way}: {text_of}");
            connect(&server, &other, ANY).unwrap();
            eventually("the error log tells of it", || told("FRY5034W") == before + 1);
            let shown = command(&mut administrator, "DISPLAY QMGR QMNAME");
            assert!(shown.contains("stays in force") && shown.contains("ferry tls give-up QM1"), "{shown}");
            fs::create_dir_all(list.parent().unwrap()).unwrap();
            fs::write(&list, &text).unwrap();
            command(&mut administrator, "REFRESH SECURITY TYPE(SSL)");
            eventually("it is there again", || told("FRY5035I") == before + 1);
            assert!(!command(&mut administrator, "DISPLAY QMGR QMNAME").contains("FRY5034W"));
        }
        fs::remove_file(&list).unwrap();
    }
    let (server, mut administrator) = covered.start(&[]);
    for program in [&revoked, &other] {
        assert!(connect(&server, program, ANY).is_err());
    }
    let log = || covered.place.error_log();
    eventually("the cause is in the error log", || {
        log().contains("list of revoked certificates of its issuer")
    });
    let shown = command(&mut administrator, "DISPLAY QMGR QMNAME");
    assert!(shown.contains("no certificate of this issuer is let in"), "{shown}");
    // Only the command gives it up, and by the name of the issuer alone.
    let security = covered.place.folder().join("security");
    let issuer = covered.authority.certificate().subject.to_string();
    let issuer = issuer.split_once(',').map_or(issuer.as_str(), |(serial, name)| {
        assert!(serial.starts_with("SERIALNUMBER"), "{issuer}");
        name
    });
    for wrong in ["CN=nobody", "", &issuer[1..]] {
        tls::revocation::give_up(&security, wrong).unwrap();
        command(&mut administrator, "REFRESH SECURITY TYPE(SSL)");
        assert!(connect(&server, &other, ANY).is_err(), "{wrong}");
    }
    // A file that others may change says nothing.
    tls::revocation::give_up(&security, issuer).unwrap();
    let path = tls::revocation::given_up(&security);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    command(&mut administrator, "REFRESH SECURITY TYPE(SSL)");
    assert!(connect(&server, &other, ANY).is_err());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    command(&mut administrator, "REFRESH SECURITY TYPE(SSL)");
    eventually("it is given up", || told("FRY5036W") == 1);
    connect(&server, &other, ANY).unwrap();
    assert!(!path.exists());
    drop((administrator, server));
    let (server, _administrator) = covered.start(&[]);
    connect(&server, &other, ANY).unwrap();
}

#[test]
fn a_list_that_is_malformed_is_named_and_the_one_that_was_read_before_stays_in_force() {
    let covered = Covered::new("required");
    let (revoked, other) = (covered.program("app1"), covered.program("app2"));
    covered.authority.revoke("app1", seconds()).unwrap();
    let list = list(&covered);
    let text = fs::read_to_string(&list).unwrap();
    let (server, mut administrator) = covered.start(&[&format!("{ALTER} SSLCIPH({ANY})")]);
    let block = |content: &str| format!("-----BEGIN X509 CRL-----\n{content}\n-----END X509 CRL-----\n");
    for malformed in [
        "no list".to_owned(),
        text.replace("-----END", ""),
        block("????"),
        block("MAA="),
        // The bytes of the list, and some behind them.
        text.lines().filter(|line| !line.contains("---")).collect::<String>()[..200].to_owned(),
        block(&text.lines().filter(|line| !line.contains("---")).collect::<String>()[..200]),
    ] {
        fs::write(&list, &malformed).unwrap();
        let answer = administrator.command("REFRESH SECURITY TYPE(SSL)").unwrap();
        assert!(answer.failed && answer.text.contains("crl/ca.pem"), "{malformed}: {}", answer.text);
        let (reason, _) = refusal(connect(&server, &revoked, ANY));
        assert_eq!(reason, Reason::SSL_CERTIFICATE_REVOKED, "{malformed}");
        connect(&server, &other, ANY).unwrap();
    }
    let log = || covered.place.error_log();
    eventually("the error log names it", || {
        log().lines().any(|line| line.contains("FRY9006") && line.contains("crl/ca.pem"))
    });
    // A queue manager does not begin with less than it was given.
    drop((administrator, server));
    let error = Server::start(&covered.place.options()).err().expect("the list does not read").to_string();
    assert!(error.contains("crl/ca.pem"), "{error}");
    fs::write(&list, &text).unwrap();
    let (server, _administrator) = covered.start(&[]);
    assert_eq!(refusal(connect(&server, &revoked, ANY)).0, Reason::SSL_CERTIFICATE_REVOKED);
}

#[test]
fn a_revocation_takes_effect_while_another_part_of_the_key_store_does_not_read() {
    let key = "-----BEGIN PRIVATE KEY-----\n????\n-----END PRIVATE KEY-----\n";
    for (fault, command_before) in [
        ("", "ALTER QMGR CERTLABL('nokey')"),
        ("trust/zz.pem", "DISPLAY QMGR QMNAME"),
        ("keys/zz.pem", "DISPLAY QMGR QMNAME"),
        ("keys/qm1.key", "DISPLAY QMGR QMNAME"),
        ("crl/zz.pem", "DISPLAY QMGR QMNAME"),
    ] {
        let covered = Covered::new("required");
        let (revoked, other) = (covered.program("app1"), covered.program("app2"));
        let security = covered.place.folder().join("security");
        let (server, mut administrator) = covered.start(&[&format!("{ALTER} SSLCIPH({ANY})")]);
        command(&mut administrator, command_before);
        if !fault.is_empty() {
            fs::create_dir_all(security.join("crl")).unwrap();
            fs::write(security.join(fault), key).unwrap();
        }
        connect(&server, &revoked, ANY).unwrap();
        covered.authority.revoke("app1", seconds()).unwrap();
        let answer = administrator.command("REFRESH SECURITY TYPE(SSL)").unwrap();
        assert!(answer.failed, "{fault}: {}", answer.text);
        assert_eq!(refusal(connect(&server, &revoked, ANY)).0, Reason::SSL_CERTIFICATE_REVOKED, "{fault}");
        connect(&server, &other, ANY).unwrap();
        // Trust that is gone is gone as well.
        fs::remove_file(security.join("trust/ca.pem")).unwrap();
        assert!(administrator.command("REFRESH SECURITY TYPE(SSL)").unwrap().failed, "{fault}");
        assert!(connect(&server, &other, ANY).is_err(), "{fault}");
        assert!(!covered.place.error_log().contains("FRY5034W"), "{fault}");
    }
}

/// A list with other bytes in place of these; proofs know fewer forms of lists than there are.
fn changed_list(text: &str, from: &[u8], to: &[u8]) -> String {
    let content: String = text.lines().filter(|line| !line.contains("---")).collect();
    let mut bytes = Base64::decode_vec(&content).unwrap();
    let place = bytes.windows(from.len()).position(|some| some == from).unwrap();
    bytes.splice(place..place + from.len(), to.iter().copied());
    format!("-----BEGIN X509 CRL-----\n{}\n-----END X509 CRL-----\n", Base64::encode_string(&bytes))
}

#[test]
fn a_list_of_a_form_that_no_proof_accepts_leaves_the_rest_of_the_key_store_to_take_effect() {
    // The number of the list becomes what a list of changes is marked by, or names other issuers.
    for (what, from, to) in [
        ("version 2", &[0x02, 0x01, 0x01][..], &[0x02, 0x01, 0x00][..]),
        ("a list of changes", &[0x06, 0x03, 0x55, 0x1d, 0x14], &[0x06, 0x03, 0x55, 0x1d, 0x1b]),
        ("not supported", &[0x06, 0x03, 0x55, 0x1d, 0x14], &[0x06, 0x03, 0x55, 0x1d, 0x1c]),
    ] {
        let covered = Covered::new("required");
        let (first, revoked, other) =
            (covered.program("app0"), covered.program("app1"), covered.program("app2"));
        covered.authority.revoke("app0", seconds()).unwrap();
        let security = covered.place.folder().join("security");
        let (server, mut administrator) = covered.start(&[&format!("{ALTER} SSLCIPH({ANY})")]);
        let list = changed_list(&fs::read_to_string(list(&covered)).unwrap(), from, to);
        fs::write(security.join("crl/zz.pem"), &list).unwrap();
        connect(&server, &revoked, ANY).unwrap();
        covered.authority.revoke("app1", seconds()).unwrap();
        let answer = administrator.command("REFRESH SECURITY TYPE(SSL)").unwrap();
        assert!(answer.failed, "{what}: {}", answer.text);
        assert!(answer.text.contains("crl/zz.pem") && answer.text.contains(what), "{what}: {}", answer.text);
        for program in [&first, &revoked] {
            assert_eq!(refusal(connect(&server, program, ANY)).0, Reason::SSL_CERTIFICATE_REVOKED, "{what}");
        }
        connect(&server, &other, ANY).unwrap();
        // A list in a file that was read before stays as it was.
        fs::write(security.join("crl/ca.pem"), &list).unwrap();
        assert!(administrator.command("REFRESH SECURITY TYPE(SSL)").unwrap().failed, "{what}");
        assert_eq!(refusal(connect(&server, &revoked, ANY)).0, Reason::SSL_CERTIFICATE_REVOKED, "{what}");
        connect(&server, &other, ANY).unwrap();
        drop((administrator, server));
        let error =
            Server::start(&covered.place.options()).err().expect("the list does not read").to_string();
        assert!(error.contains("crl/") && error.contains(what), "{what}: {error}");
    }
}

#[test]
fn a_list_that_is_replaced_by_rename_by_a_link_or_under_another_name_is_no_absence() {
    let covered = Covered::new("required");
    let revoked = covered.program("app1");
    covered.authority.revoke("app1", seconds()).unwrap();
    let list = list(&covered);
    let text = fs::read(&list).unwrap();
    let (server, mut administrator) = covered.start(&[&format!("{ALTER} SSLCIPH({ANY})")]);
    let folder = list.parent().unwrap();
    let renamed = || {
        fs::write(folder.join("new"), &text).unwrap();
        fs::rename(folder.join("new"), &list).unwrap();
    };
    let linked = || {
        fs::create_dir_all(folder.join("..data")).unwrap();
        fs::write(folder.join("..data/list"), &text).unwrap();
        std::os::unix::fs::symlink("..data/list", folder.join("new")).unwrap();
        fs::rename(folder.join("new"), &list).unwrap();
    };
    let named = || fs::rename(&list, folder.join("another.pem")).unwrap();
    for way in ["rename", "link", "another name"] {
        match way {
            "rename" => renamed(),
            "link" => linked(),
            _ => named(),
        }
        command(&mut administrator, "REFRESH SECURITY TYPE(SSL)");
        assert_eq!(refusal(connect(&server, &revoked, ANY)).0, Reason::SSL_CERTIFICATE_REVOKED, "{way}");
        assert!(!covered.place.error_log().contains("FRY5034W"), "{way}");
    }
}
