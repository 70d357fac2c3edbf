//! C programs that connect over TLS, rightly and wrongly.

use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use ca::{Authority, Purpose, Request, remove_key};
use mqi::Reason;
use tls::bundle::Way;

use crate::running::{Place, compiled, goes_on_after_a_restart};

const ANY: &str = "ANY_TLS12_OR_HIGHER";

fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

fn request(label: &str, purpose: Purpose) -> Request {
    let hosts = match purpose {
        Purpose::QueueManager => vec!["localhost".to_owned(), "127.0.0.1".to_owned()],
        Purpose::Program => Vec::new(),
    };
    let (unit, organization) = (Some("Payments".to_owned()), Some("Bank".to_owned()));
    Request { label: label.to_owned(), unit, organization, hosts, purpose, days: 30 }
}

/// A queue manager whose listener has TLS and whose channel DEV.APP asks for it.
struct Secured {
    place: Place,
    security: PathBuf,
    authority: Authority,
}

impl Secured {
    fn new() -> Self {
        let mut made = None;
        let place = Place::prepared("tls = \"allowed\"\n", |folder| {
            let security = folder.join("security");
            let authority = Authority::create(&security, "QM1", seconds()).unwrap();
            authority.issue(&request("qm1", Purpose::QueueManager), seconds()).unwrap();
            made = Some((security, authority));
        });
        let (security, authority) = made.unwrap();
        place.command_text(&format!("ALTER CHANNEL(DEV.APP) CHLTYPE(SVRCONN) SSLCIPH({ANY}) MCAUSER('app')"));
        place.command_text("SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(ALL)");
        place.command_text("SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) GROUP('nobody') AUTHADD(ALL)");
        Self { place, security, authority }
    }

    fn alter(&self, rest: &str) {
        self.place.command_text(&format!("ALTER CHANNEL(DEV.APP) CHLTYPE(SVRCONN) {rest}"));
    }

    /// The file of a program with a key of this label.
    fn program(&self, label: &str) -> String {
        self.authority.issue(&request(label, Purpose::Program), seconds()).unwrap();
        let path = self.place.folder().join(format!("{label}.pem"));
        self.authority.bundle(label, &Way::default(), &path).unwrap();
        remove_key(&self.security, label).unwrap();
        path.display().to_string()
    }

    /// The file of a program that has no key.
    fn without_key(&self) -> String {
        self.security.join("authority/ca.pem").display().to_string()
    }

    fn port(&self) -> String {
        self.place.address().rsplit_once(':').unwrap().1.to_owned()
    }

    /// The arguments of a program that connects by MQCD.
    fn by_channel(&self, cipher: &str, more: &[String]) -> Vec<String> {
        let at = format!("at=localhost({})", self.port());
        let mut arguments = vec![at, "channel=DEV.APP".to_owned(), format!("cipher={cipher}")];
        arguments.extend_from_slice(more);
        arguments
    }

    /// Writes a table whose channel has these keys of TLS beside its CipherSpec; its address.
    fn write_table(&self, security: &str) -> String {
        let port = self.port();
        let text = format!(
            r#"{{"channel":[{{"name":"DEV.APP","type":"clientConnection",
               "clientConnection":{{"connection":[{{"host":"localhost","port":{port}}}],"queueManager":"QM1"}},
               "transmissionSecurity":{{"cipherSpecification":"{ANY}"{security}}}}}]}}"#
        );
        let table = self.place.folder().join("ccdt.json");
        std::fs::write(&table, text).unwrap();
        format!("file://{}", table.display())
    }

    /// Runs the program; returns its output and the words in its log.
    #[track_caller]
    fn run(&self, arguments: &[String], environment: &[(&str, &str)]) -> (String, String) {
        let log = self.place.folder().join("client.log");
        let _ = std::fs::remove_file(&log);
        let mut command: Command = self.place.command(&compiled("secure"), environment);
        let output = command.env("FERRY_CLIENT_LOG", &log).args(arguments).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?} {environment:?}: {told}");
        let words = std::fs::read_to_string(&log).unwrap_or_default();
        (String::from_utf8(output.stdout).unwrap().trim().to_owned(), words)
    }

    #[track_caller]
    fn connects(&self, arguments: &[String], environment: &[(&str, &str)]) {
        let (said, words) = self.run(arguments, environment);
        assert!(said.starts_with("put and got as "), "{arguments:?} {environment:?}: {said} {words}");
    }

    /// A program is given a reason, and its log has these words.
    #[track_caller]
    fn refused(&self, arguments: &[String], environment: &[(&str, &str)], reason: Reason, expected: &str) {
        let (said, words) = self.run(arguments, environment);
        assert_eq!(said, reason.code().to_string(), "{arguments:?} {environment:?}: {words}");
        assert!(words.contains(expected), "{expected:?} is not in {words:?}");
    }
}

fn store(path: &str) -> String {
    format!("store={path}")
}

#[test]
fn programs_put_and_get_over_tls_1_3_and_1_2_with_and_without_a_certificate() {
    let secured = Secured::new();
    let (program, none) = (secured.program("app1"), secured.without_key());
    let ciphers = ["TLS_AES_256_GCM_SHA384", "ANY_TLS13", "ECDHE_ECDSA_AES_128_GCM_SHA256", "ANY_TLS12", ANY];
    for cipher in ciphers {
        secured.connects(&secured.by_channel(cipher, &[store(&program)]), &[]);
    }
    let no_certificate = |cipher| secured.by_channel(cipher, &[store(&none)]);
    for cipher in ["ANY_TLS13", "ANY_TLS12"] {
        let (said, words) = secured.run(&no_certificate(cipher), &[]);
        assert_eq!(said, Reason::NOT_AUTHORIZED.code().to_string(), "{cipher}: {words}");
        assert!(words.contains("certificate"), "{words}");
    }
    secured.alter("SSLCAUTH(OPTIONAL)");
    for cipher in ciphers {
        secured.connects(&no_certificate(cipher), &[]);
    }
}

/// SSLCIPH is in the text for xa_open; the keys are where those of other programs are.
#[test]
fn a_transaction_manager_connects_over_tls() {
    let secured = Secured::new();
    let keys = secured.program("app1");
    let open = |cipher: &str| {
        let port = secured.port();
        let text = format!("QMNAME=QM1,CHANNEL=DEV.APP,CONNAME=localhost({port}){cipher}");
        let mut command = secured.place.command(&compiled("xa_codes"), &[("MQSSLKEYR", &keys)]);
        let expected = if cipher.is_empty() { "opens -3" } else { "opens 0" };
        let output = command.args([expected, &text]).output().unwrap();
        assert!(output.status.success(), "{cipher}: {}", String::from_utf8_lossy(&output.stderr));
    };
    open(",SSLCIPH=ANY_TLS13");
    open(",sslciph=ECDHE_ECDSA_AES_128_GCM_SHA256");
    open("");
}

#[test]
fn a_bundle_is_found_by_its_label_whatever_its_file_is_called() {
    let secured = Secured::new();
    let bundle = secured.program("app1");
    let renamed = secured.place.folder().join("My keys (1).pem").display().to_string();
    std::fs::rename(&bundle, &renamed).unwrap();
    let with = |more: &str| secured.by_channel(ANY, &[store(&renamed), more.to_owned()]);
    secured.connects(&with("label=app1"), &[]);
    secured.connects(&with("certlabl=app1"), &[]);
    secured.connects(&with("label="), &[("MQCERTLABL", "app1")]);
    let other = Reason::CERT_LABEL_NOT_ALLOWED;
    secured.refused(&with("label=other"), &[], other, "the key store has no key other; it has app1");
}

#[test]
fn what_is_wrong_with_tls_has_its_reason_and_its_words() {
    let secured = Secured::new();
    let program = secured.program("app1");
    let with = |more: &[&str]| {
        let more: Vec<String> = more.iter().map(|text| (*text).to_owned()).chain([store(&program)]).collect();
        secured.by_channel(ANY, &more)
    };
    let at_store = |path: &Path| secured.by_channel(ANY, &[store(&path.display().to_string())]);
    let folder = secured.place.folder();
    // The key store: none is named, it is not there, its key may be read by others, it is in another form.
    let unnamed = secured.by_channel(ANY, &[]);
    secured.refused(&unnamed, &[], Reason::KEY_REPOSITORY_ERROR, "set KeyRepository of MQSCO, MQSSLKEYR");
    let absent = at_store(&folder.join("absent.pem"));
    secured.refused(&absent, &[], Reason::KEY_REPOSITORY_ERROR, "absent.pem");
    let open = folder.join("open.pem");
    std::fs::copy(&program, &open).unwrap();
    std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o644)).unwrap();
    secured.refused(&at_store(&open), &[], Reason::KEY_REPOSITORY_ERROR, "chmod 600");
    let foreign = folder.join("key.kdb");
    std::fs::write(&foreign, b"\0\0\0\x01KDB").unwrap();
    secured.refused(&at_store(&foreign), &[], Reason::KEY_REPOSITORY_ERROR, "openssl pkcs12");
    // Families of products name a KDB file without its ending.
    secured.refused(&at_store(&folder.join("key")), &[], Reason::KEY_REPOSITORY_ERROR, "openssl pkcs12");
    // The label, the CipherSpec, the names.
    let label = Reason::CERT_LABEL_NOT_ALLOWED;
    secured.refused(&with(&["label=other"]), &[], label, "the key store has no key other; it has app1");
    secured.refused(&with(&["certlabl=other"]), &[], label, "other");
    secured.refused(&with(&["cipher=RC4"]), &[], Reason::UNSUPPORTED_CIPHER_SUITE, "RC4");
    secured.refused(&with(&["peer=CN"]), &[], Reason::SSL_PEER_NAME_ERROR, "SSLPEER is not right");
    let peer = Reason::SSL_PEER_NAME_MISMATCH;
    secured.refused(&with(&["peer=CN=other"]), &[], peer, "does not match SSLPEER");
    secured.connects(&with(&["peer=CN=qm1,O=Bank", "label=app1"]), &[]);
    // The queue manager's authority is not trusted.
    let stranger = folder.join("stranger");
    Authority::create(&stranger, "QM2", seconds()).unwrap();
    let initialization = Reason::SSL_INITIALIZATION_ERROR;
    secured.refused(&at_store(&stranger), &[], initialization, "trust its authority");
    // Both ends differ.
    // Without a certificate it is a stranger, and is told no cause.
    secured.refused(&with(&["cipher="]), &[], Reason::NOT_AUTHORIZED, "does not let the program in");
    secured.refused(&with(&["channel=B"]), &[], Reason::CHANNEL_CONFIG_ERROR, "has no SSLCIPH");
    secured.alter("SSLCIPH(TLS_AES_128_GCM_SHA256)");
    let other = with(&["cipher=TLS_AES_256_GCM_SHA384"]);
    secured.refused(&other, &[], Reason::UNSUPPORTED_CIPHER_SUITE, "TLS_AES_128_GCM_SHA256");
    secured.alter(&format!("SSLCIPH({ANY}) SSLPEER('CN=batch*')"));
    secured.refused(&with(&[]), &[], peer, "CN=app1");
    secured.alter("SSLPEER(' ')");
    // Demands that are not met.
    secured.refused(&with(&["fips=1"]), &[], initialization, "FIPS");
    secured.refused(&with(&[]), &[("MQSSLFIPS", "YES")], initialization, "FIPS");
    secured.refused(&with(&["suiteb=2"]), &[], Reason::SUITE_B_ERROR, "Suite B");
    secured.refused(&with(&["hardware=GSK_PKCS11"]), &[], Reason::CRYPTO_HARDWARE_ERROR, "hardware");
    secured.refused(&with(&["records=1"]), &[], Reason::AUTH_INFO_REC_ERROR, "authentication information");
    let (said, words) = secured.run(&with(&["password=secret"]), &[]);
    assert!(said.starts_with("put and got") && words.contains("has no effect"), "{said} {words}");
    assert!(!words.contains("secret"), "{words}");
}

#[test]
fn an_expired_certificate_of_either_end_is_2393_and_named_with_its_day() {
    const DAY: u64 = 24 * 60 * 60;
    let secured = Secured::new();
    let program = secured.program("app1");
    let arguments = secured.by_channel(ANY, &[store(&program)]);
    secured.connects(&arguments, &[]);
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    secured.authority.renew("qm1", 30, seconds() - 60 * DAY).unwrap();
    let words = loop {
        let (said, words) = secured.run(&arguments, &[]);
        if said == Reason::SSL_INITIALIZATION_ERROR.code().to_string() {
            break words;
        }
        assert!(said.starts_with("put and got"), "{said} {words}");
        assert!(std::time::Instant::now() < until, "the keys are not read again");
        std::thread::sleep(std::time::Duration::from_millis(500));
    };
    for expected in
        ["CN=qm1", "expired at ", "30 days ago; renew it there, or mend the clock of this machine"]
    {
        assert!(words.contains(expected), "{expected}: {words}");
    }
    secured.authority.renew("qm1", 30, seconds()).unwrap();
    secured.authority.renew("app1", 30, seconds() - 60 * DAY).unwrap();
    let late = secured.place.folder().join("late.pem");
    secured.authority.bundle("app1", &Way::default(), &late).unwrap();
    // With two keys and no label the queue manager would keep the one that it has.
    remove_key(&secured.security, "app1").unwrap();
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    loop {
        let (said, words) = secured.run(&arguments, &[]);
        if said.starts_with("put and got") {
            break;
        }
        assert!(std::time::Instant::now() < until, "the keys are not read again: {said} {words}");
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
    let by_late = secured.by_channel(ANY, &[store(&late.display().to_string())]);
    let (said, words) = secured.run(&by_late, &[]);
    assert_eq!(said, Reason::SSL_INITIALIZATION_ERROR.code().to_string(), "{words}");
    for expected in ["does not accept this program's certificate", "CN=app1", "30 days ago"] {
        assert!(words.contains(expected), "{expected}: {words}");
    }
}

#[test]
fn a_certificate_that_was_revoked_is_2401() {
    let secured = Secured::new();
    let program = secured.program("app1");
    let arguments = secured.by_channel(ANY, &[store(&program)]);
    secured.connects(&arguments, &[]);
    secured.authority.revoke("app1", seconds()).unwrap();
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let words = loop {
        let (said, words) = secured.run(&arguments, &[]);
        if said == Reason::SSL_CERTIFICATE_REVOKED.code().to_string() {
            break words;
        }
        assert!(said.starts_with("put and got"), "{said} {words}");
        assert!(std::time::Instant::now() < until, "the list is not read again");
        std::thread::sleep(std::time::Duration::from_millis(500));
    };
    assert!(words.contains("was revoked"), "{words}");
}

#[test]
fn the_environment_the_file_and_the_table_say_how_tls_is_used() {
    let secured = Secured::new();
    let (program, none) = (secured.program("app1"), secured.without_key());
    let folder = secured.place.folder();
    let write = |security: &str| secured.write_table(security);
    let url = write("");
    let by_table = ("MQCCDTURL", url.as_str());
    let by_variable = [by_table, ("MQSSLKEYR", program.as_str())];
    secured.refused(&[], &[by_table], Reason::KEY_REPOSITORY_ERROR, "DEV.APP asks for TLS");
    secured.connects(&[], &by_variable);
    let labelled = [by_table, ("MQSSLKEYR", &program), ("MQCERTLABL", "other")];
    secured.refused(&[], &labelled, Reason::CERT_LABEL_NOT_ALLOWED, "other");
    write(r#","certificateLabel":"app1""#);
    secured.connects(&[], &labelled);
    write(r#","certificatePeerName":"CN=other""#);
    secured.refused(&[], &by_variable, Reason::SSL_PEER_NAME_MISMATCH, "CN=other");
    write(r#","certificatePeerName":"CN=qm1""#);
    secured.connects(&[], &by_variable);
    // The variable comes before the file, and MQSCO before the variable.
    let file = folder.join("mqclient.ini");
    std::fs::write(&file, format!("SSL:\nSSLKeyRepository={program}\nCertificateLabel=app1\n")).unwrap();
    secured.connects(&[], &[by_table]);
    let no_key = [by_table, ("MQSSLKEYR", none.as_str())];
    secured.refused(&[], &no_key, Reason::CERT_LABEL_NOT_ALLOWED, "has no key app1");
    secured.connects(&[store(&program)], &no_key);
    std::fs::write(&file, format!("SSL:\nSSLKeyRepository={program}\nSSLFipsRequired=YES\n")).unwrap();
    secured.refused(&[], &[by_table], Reason::SSL_INITIALIZATION_ERROR, "FIPS");
}

#[test]
fn a_connection_is_made_again_over_tls() {
    let mut secured = Secured::new();
    let (program, url) = (secured.program("app1"), secured.write_table(r#","certificateLabel":"app1""#));
    goes_on_after_a_restart(&mut secured.place, &[("MQCCDTURL", &url), ("MQSSLKEYR", &program)]);
}

/// Passes connections from an address of this machine in a network on to a port of its own; none where it is
/// in no network.
fn relay(to: String) -> Option<std::net::SocketAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    let host = socket.local_addr().ok()?.ip();
    let listener = TcpListener::bind((host, 0)).ok()?;
    let address = listener.local_addr().ok()?;
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let server = TcpStream::connect(&to).unwrap();
            for (from, into) in [(&client, &server), (&server, &client)] {
                let (mut from, mut into) = (from.try_clone().unwrap(), into.try_clone().unwrap());
                std::thread::spawn(move || {
                    let _ = std::io::copy(&mut from, &mut into);
                    let _ = into.shutdown(std::net::Shutdown::Write);
                });
            }
        }
    });
    Some(address)
}

#[test]
fn credentials_leave_the_machine_over_tls_alone() {
    let secured = Secured::new();
    secured.alter("SSLCAUTH(OPTIONAL) MCAUSER(' ')");
    let Some(address) = relay(secured.place.address()) else { return };
    let at = |cipher: &str, channel: &str| {
        let host = format!("at={}({})", address.ip(), address.port());
        let named = ["peer=CN=qm1", "user=ada"].map(str::to_owned);
        let own =
            [host, format!("channel={channel}"), format!("cipher={cipher}"), store(&secured.without_key())];
        own.into_iter().chain(named).collect::<Vec<_>>()
    };
    secured.refused(&at("", "B"), &[], Reason::PASSWORD_PROTECTION_ERROR, "is not encrypted");
    for cipher in ["ANY_TLS12", "ANY_TLS13"] {
        let (said, words) = secured.run(&at(cipher, "DEV.APP"), &[]);
        assert_eq!(said, "put and got as ada", "{words}");
    }
}
