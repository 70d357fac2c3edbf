//! S8: every way to shake hands that must fail, and those that must not, judged by `openssl`.
//!
//! Old versions, weak suites, no certificate and wrong ones, plain bytes, renegotiation, half a handshake,
//! and a key that is renewed while the queue manager runs. The table has cells that are let in beside those
//! that are refused, so that neither a queue manager that lets everything in nor one that refuses all passes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use channel::Hello;
use client::{Connection, Options};
use mqi::Reason;

use super::super::installation::{Broken, Installation};
use super::super::looks::wait_until;
use super::super::{Outcome, Size};
use super::of_cases;
use super::secured::{self, ANY, Secured, TLS_ALONE, bundle, make_keys, opening, socket, tls, without_key};

/// A login that does not go on is closed after so long, and this much later at most.
const LOGIN_SECONDS: u64 = 2;
const SLACK: Duration = Duration::from_millis(1_500);
/// A renewed key is used within this, without a command; with one at once.
const RENEWED_MAX: Duration = Duration::from_secs(15);
/// The seconds that a handshake of the judge may take.
const JUDGE_SECONDS: &str = "20";
const OPTIONAL: &str = "COVER.OPTIONAL";
const REQUIRED: &str = "COVER.REQUIRED";
const NAMED: &str = "COVER.NAMED";

/// A handshake of the judge.
struct Handshake {
    what: &'static str,
    arguments: &'static [&'static str],
    /// Words that the judge prints.
    expected: &'static str,
    is_let_in: bool,
}

const fn refused(
    what: &'static str,
    arguments: &'static [&'static str],
    expected: &'static str,
) -> Handshake {
    Handshake { what, arguments, expected, is_let_in: false }
}

const fn let_in(what: &'static str, arguments: &'static [&'static str], expected: &'static str) -> Handshake {
    Handshake { what, arguments, expected, is_let_in: true }
}

/// Versions and suites.
const HANDSHAKES: [Handshake; 20] = [
    let_in("TLS 1.3", &["-tls1_3"], "TLS_AES_256_GCM_SHA384"),
    let_in(
        "AES-128 of 1.3",
        &["-tls1_3", "-ciphersuites", "TLS_AES_128_GCM_SHA256"],
        "TLS_AES_128_GCM_SHA256",
    ),
    let_in(
        "ChaCha20 of 1.3",
        &["-tls1_3", "-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256"],
        "TLS_CHACHA20_POLY1305_SHA256",
    ),
    let_in("TLS 1.2", &["-tls1_2"], "ECDHE-ECDSA-AES256-GCM-SHA384"),
    let_in(
        "AES-128 of 1.2",
        &["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"],
        "ECDHE-ECDSA-AES128-GCM-SHA256",
    ),
    refused("TLS 1.1", &["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], "alert protocol version"),
    refused("TLS 1.0", &["-tls1", "-cipher", "ALL:@SECLEVEL=0"], "alert protocol version"),
    refused("CCM of 1.3", &["-tls1_3", "-ciphersuites", "TLS_AES_128_CCM_SHA256"], "alert handshake failure"),
    refused("short CCM of 1.3", &["-tls1_3", "-ciphersuites", "TLS_AES_128_CCM_8_SHA256:@SECLEVEL=0"], ""),
    refused(
        "CBC with SHA-384",
        &["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-SHA384"],
        "alert handshake failure",
    ),
    refused(
        "CBC with SHA-1",
        &["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-SHA:@SECLEVEL=0"],
        "alert handshake failure",
    ),
    refused("key by RSA", &["-tls1_2", "-cipher", "AES256-GCM-SHA384"], "alert handshake failure"),
    refused(
        "CBC with a key by RSA",
        &["-tls1_2", "-cipher", "AES128-SHA:@SECLEVEL=0"],
        "alert handshake failure",
    ),
    refused("finite fields", &["-tls1_2", "-cipher", "DHE-RSA-AES256-GCM-SHA384"], "alert handshake failure"),
    refused(
        "nobody's key",
        &["-tls1_2", "-cipher", "ADH-AES256-GCM-SHA384:@SECLEVEL=0"],
        "alert handshake failure",
    ),
    refused(
        "no encryption",
        &["-tls1_2", "-cipher", "ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0"],
        "alert handshake failure",
    ),
    refused(
        "keys that are shared",
        &["-tls1_2", "-cipher", "PSK-AES256-GCM-SHA384", "-psk", "00112233"],
        "alert handshake failure",
    ),
    refused("a curve that is too short", &["-tls1_2", "-curves", "secp224r1"], "alert handshake failure"),
    refused("a curve of nobody's", &["-tls1_3", "-curves", "secp256k1"], ""),
    let_in("the curve P-384", &["-tls1_3", "-curves", "secp384r1"], "TLS_AES_256_GCM_SHA384"),
];

/// Shakes hands in every way, each once a case.
#[must_use]
pub fn handshakes(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    if Command::new("openssl").arg("version").stdout(Stdio::null()).status().is_err() {
        return Outcome::skipped("openssl (package openssl)");
    }
    of_cases("handshakes", folder, size, |place, outcome| run(ferry, place, outcome))
}

fn run(ferry: &Path, place: &Path, outcome: &mut Outcome) -> Result<(), Broken> {
    let settings = format!("[limits]\nlogin_seconds = {LOGIN_SECONDS}\n{TLS_ALONE}");
    let mut secured = Secured::start(ferry, &place.join("here"), &settings, make_keys)?;
    // Another authority, which has made a key for a program of the same name.
    let other = Installation::create(ferry, &place.join("other/data"), "")?;
    make_keys(&other)?;
    let foreign = bundle(&other, "app1")?;
    let own = bundle(&secured.installation, "app1")?;
    let second = bundle(&secured.installation, "app2")?;
    let revoked = bundle(&secured.installation, "app3")?;
    let expired = expired(&secured.installation)?;
    for (channel, rest) in
        [(OPTIONAL, "SSLCAUTH(OPTIONAL)"), (REQUIRED, "SSLCAUTH(REQUIRED)"), (NAMED, "SSLPEER('CN=app1')")]
    {
        secured.let_in(channel, "app")?;
        secured.tell(&format!("ALTER CHANNEL({channel}) CHLTYPE(SVRCONN) SSLCIPH({ANY}) {rest}"))?;
    }
    secured.let_in("COVER.ONE", "app")?;
    secured.tell(
        "ALTER CHANNEL(COVER.ONE) CHLTYPE(SVRCONN) SSLCIPH(TLS_AES_128_GCM_SHA256) SSLCAUTH(OPTIONAL)",
    )?;
    let name = secured.installation.name().to_owned();
    secured::ferry(&secured.installation, &["tls", "revoke", &name, "app3"], "")?;
    secured.tell("REFRESH SECURITY TYPE(SSL)")?;
    let port = secured.server.port();
    let authority = without_key(&secured.installation);
    for Handshake { what, arguments, expected, is_let_in } in &HANDSHAKES {
        let told = openssl(port, &authority, arguments, "")?;
        let is_done = told.contains("Verify return code: 0 (ok)")
            && told.contains("Cipher is ")
            && !told.contains("Cipher is (NONE)");
        let right = is_done == *is_let_in && told.contains(expected);
        outcome
            .case(what, if right { Ok(()) } else { Err(format!("{expected:?} is not the answer: {told}")) });
    }
    let none = without_key(&secured.installation);
    let by =
        |channel: &str, file: &Path, cipherspec: &str| secured.options(channel).tls(tls(file, cipherspec));
    let cells: [(&str, Options, &[Reason]); 12] = [
        ("its own certificate", by(REQUIRED, &own, ANY), &[]),
        ("no certificate, and none is needed", by(OPTIONAL, &none, ANY), &[]),
        ("the name that is asked for", by(NAMED, &own, ANY), &[]),
        ("the one suite of the channel", by("COVER.ONE", &none, "TLS_AES_128_GCM_SHA256"), &[]),
        // A program without a certificate is a stranger, and is told no cause.
        ("no certificate", by(REQUIRED, &none, ANY), &[Reason::NOT_AUTHORIZED]),
        ("another name", by(NAMED, &second, ANY), &[Reason::SSL_PEER_NAME_MISMATCH]),
        ("a revoked certificate", by(REQUIRED, &revoked, ANY), &[Reason::SSL_CERTIFICATE_REVOKED]),
        (
            "a revoked certificate, and none is needed",
            by(OPTIONAL, &revoked, ANY),
            &[Reason::SSL_CERTIFICATE_REVOKED],
        ),
        ("an expired certificate", by(REQUIRED, &expired, ANY), &[Reason::SSL_INITIALIZATION_ERROR]),
        ("another authority's", by(REQUIRED, &foreign, ANY), &[Reason::SSL_INITIALIZATION_ERROR]),
        (
            "another suite than the channel's",
            by("COVER.ONE", &own, "TLS_AES_256_GCM_SHA384"),
            &[Reason::UNSUPPORTED_CIPHER_SUITE],
        ),
        ("no TLS at all", secured.options(OPTIONAL), &[Reason::NOT_AUTHORIZED]),
    ];
    for (what, options, reasons) in cells {
        let told = Connection::connect(options);
        let right = match (&told, reasons) {
            (Ok(_), []) => Ok(()),
            (Err(error), reasons) if reasons.contains(&error.reason()) => Ok(()),
            (Ok(_), _) => Err("it is let in".to_owned()),
            (Err(error), _) => Err(error.to_string()),
        };
        outcome.case(what, right);
    }
    // The foreign file trusts its own authority alone, so that its program refuses; the queue manager must
    // too.
    let told = openssl(
        port,
        &authority,
        &[
            "-tls1_3",
            "-alpn",
            &format!("ferry/2/{REQUIRED}"),
            "-cert",
            path(&foreign)?,
            "-key",
            path(&foreign)?,
        ],
        "",
    )?;
    let right = if told.contains("alert") { Ok(()) } else { Err(told) };
    outcome.case("another authority's, shown by the judge", right);
    let told = openssl(port, &authority, &["-tls1_2"], "R\n")?;
    let is_refused = told.contains("no renegotiation")
        || told.contains("unexpected message")
        || told.contains("RENEGOTIATING") && told.contains("alert");
    outcome.case("renegotiation", if is_refused { Ok(()) } else { Err(told) });
    outcome.case("plain bytes", plain(port));
    outcome.case("half a handshake", half(port, &authority));
    outcome.case("a key that is renewed", renewed(&mut secured, &authority));
    outcome.note(format!("{} handshakes by openssl, 12 by a program", HANDSHAKES.len() + 3));
    secured.end();
    Ok(())
}

fn path(path: &Path) -> Result<&str, Broken> {
    path.to_str().ok_or_else(|| "the folder of the torture is no text".to_owned())
}

/// Has the judge shake hands and say a line; all that it prints.
fn openssl(port: u16, authority: &Path, arguments: &[&str], line: &str) -> Result<String, Broken> {
    let failed = |error: std::io::Error| format!("openssl: {error}");
    let mut command = Command::new("timeout");
    command.args([JUDGE_SECONDS, "openssl", "s_client", "-connect", &format!("127.0.0.1:{port}"), "-CAfile"]);
    command.args([path(authority)?, "-verify_ip", "127.0.0.1", "-verify_return_error"]).args(arguments);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut input = child.stdin.take();
    let mut text = String::new();
    let output = child.stdout.take().ok_or("openssl says nothing")?;
    for read in BufReader::new(output).split(b'\n') {
        let read = String::from_utf8_lossy(&read.map_err(failed)?).into_owned() + "\n";
        // It has printed how it went; what it is told next is the end, or a word for it.
        if read.contains("Verify return code")
            && let Some(to_child) = &mut input
        {
            let _ = to_child.write_all(line.as_bytes());
            let _ = to_child.flush();
            if line.is_empty() {
                input = None;
            }
        }
        let is_answered = !line.is_empty() && read.contains("RENEGOTIATING");
        text += &read;
        if is_answered {
            thread::sleep(Duration::from_millis(500));
            input = None;
        }
    }
    drop(input);
    let mut errors = String::new();
    if let Some(mut from) = child.stderr.take() {
        let _ = from.read_to_string(&mut errors);
    }
    let _ = child.wait();
    Ok(text + &errors)
}

/// A client in the clear is refused by an alert, or in words, and closed at once.
fn plain(port: u16) -> Result<(), Broken> {
    let mut one = socket(port)?;
    one.write_all(&opening(&Hello { channel: OPTIONAL.to_owned(), ..Hello::default() }))
        .map_err(|error| error.to_string())?;
    let begun = Instant::now();
    let mut answer = Vec::new();
    let _ = one.read_to_end(&mut answer);
    let code = Reason::NOT_AUTHORIZED.code().to_le_bytes();
    let is_refused = answer.windows(code.len()).any(|window| window == code);
    if is_refused && begun.elapsed() < Duration::from_secs(1) {
        return Ok(());
    }
    Err(format!("it is answered with {answer:02X?} after {:.1?}", begun.elapsed()))
}

/// A handshake that stops half-way is closed with the time of a login; others shake hands meanwhile.
fn half(port: u16, authority: &Path) -> Result<(), Broken> {
    let begun = Instant::now();
    let mut sockets = Vec::new();
    for _ in 0..20 {
        let mut one = socket(port)?;
        one.write_all(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03").map_err(|error| error.to_string())?;
        sockets.push(one);
    }
    let told = openssl(port, authority, &["-tls1_3"], "")?;
    if !told.contains("Verify return code: 0 (ok)") {
        return Err(format!("nobody else is let in: {told}"));
    }
    for mut one in sockets {
        // A reset is an end as well.
        let _ = one.read_to_end(&mut Vec::new());
    }
    let took = begun.elapsed();
    let most = Duration::from_secs(LOGIN_SECONDS) + SLACK;
    if took <= most { Ok(()) } else { Err(format!("they are closed after {took:.1?}")) }
}

/// The serial number that the judge is shown.
fn serial(port: u16, authority: &Path) -> Result<String, Broken> {
    let told = openssl(port, authority, &["-tls1_3", "-showcerts"], "")?;
    let shown =
        told.split_once("-----BEGIN CERTIFICATE-----").and_then(|(_, rest)| rest.split_once("-----END"));
    shown.map(|(certificate, _)| certificate.to_owned()).ok_or(told)
}

/// A renewed key is shown without a restart, and a connection from before goes on.
fn renewed(secured: &mut Secured, authority: &Path) -> Result<(), Broken> {
    let port = secured.server.port();
    let mut before = Connection::connect(secured.options(OPTIONAL).tls(tls(authority, ANY)))
        .map_err(|error| error.to_string())?;
    let first = serial(port, authority)?;
    let name = secured.installation.name().to_owned();
    secured::ferry(&secured.installation, &["tls", "renew", &name, "--all"], "")?;
    secured.tell("REFRESH SECURITY TYPE(SSL)")?;
    let process = secured.server.process();
    let mut shown = Ok(first.clone());
    wait_until("the renewed key is shown", RENEWED_MAX, || {
        shown = serial(port, authority);
        shown.as_ref().is_ok_and(|shown| *shown != first)
    })?;
    if secured.server.process() != process || !secured.server.lives() {
        return Err("the queue manager was started again".to_owned());
    }
    let queue = mqi::ObjectDescriptor::queue(secured::QUEUE.parse().expect("a name"));
    let opened = mqi::Verbs::open(&mut before, &queue, mqi::OpenOptions::OUTPUT);
    opened.map(drop).map_err(|reason| format!("a connection from before: {reason}"))
}

/// The file of a program whose certificate is of this authority, and out of its time.
fn expired(installation: &Installation) -> Result<PathBuf, Broken> {
    let authority = installation.folder().join("security/authority");
    let work = installation.data().join("expired");
    std::fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let script = r#"set -e
openssl ecparam -name prime256v1 -genkey -noout -out key.pem
openssl req -new -key key.pem -subj /CN=app1 -out request.pem
: > index.txt
printf '[ca]\ndefault_ca=one\n[one]\ndatabase=index.txt\nrand_serial=yes\ndefault_md=sha256\npolicy=any\nnew_certs_dir=.\nx509_extensions=program\n[any]\ncommonName=supplied\n[program]\nbasicConstraints=CA:FALSE\nextendedKeyUsage=clientAuth\n' > ca.cnf
openssl ca -batch -notext -config ca.cnf -cert "$1/ca.pem" -keyfile "$1/ca.key" -in request.pem -out expired.pem -startdate 20200101000000Z -enddate 20210101000000Z
openssl pkcs8 -topk8 -nocrypt -in key.pem -out key8.pem
cat expired.pem key8.pem "$1/ca.pem" > expired.ferry
chmod 600 expired.ferry"#;
    let output = Command::new("sh")
        .args(["-c", script, "sh", path(&authority)?])
        .current_dir(&work)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("sh: {error}"))?;
    if !output.status.success() {
        return Err(format!("an expired certificate: {}", String::from_utf8_lossy(&output.stderr)));
    }
    // It is refused, by whichever word.
    let file = work.join("expired.ferry");
    if file.exists() { Ok(file) } else { Err("there is no expired certificate".to_owned()) }
}
