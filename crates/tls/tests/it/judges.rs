//! The judges: `openssl s_client` and Python's `ssl`, which know nothing of us.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use tls::PeerCheck;

use crate::line::{Hands, Serving, Stores, channel};

/// Runs `openssl s_client` with these arguments, a line for it to send, and returns all that it printed; none
/// where it is not here.
fn openssl(serving: &Serving, stores: &Stores, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("timeout");
    command.args(["20", "openssl", "s_client", "-connect", &serving.address.to_string(), "-CAfile"]);
    command.arg(stores.path().join("qm/authority/ca.pem"));
    // The queue manager's clock stands in 2026; the judge looks at another.
    command.args(["-verify_hostname", "localhost", "-attime", &(crate::line::NOW + 60).to_string()]);
    command.args(["-verify_return_error", "-servername", "localhost"]).args(arguments);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("coreutils are here");
    let mut input = child.stdin.take();
    // Without a handshake it is gone already.
    let _ = input.as_mut().unwrap().write_all(format!("{SENT}\n").as_bytes());
    let mut text = String::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        if line == SENT {
            // It ends with its input.
            input = None;
        }
        text += &(line + "\n");
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    if output.status.code() == Some(127) {
        eprintln!("SKIPPED: openssl is not here");
        return None;
    }
    Some(text + &String::from_utf8_lossy(&output.stderr))
}

/// A line for the queue manager's end to give back.
const SENT: &str = "come back";

#[test]
fn openssl_shakes_hands_in_both_versions_and_is_asked_for_a_certificate() {
    let (stores, hands) = (Stores::new(), Hands::default());
    let channels = [channel("APP.SVRCONN", "ANY_TLS12_OR_HIGHER", PeerCheck::Optional)];
    let serving = Serving::start(&stores.queue_manager(), &channels, &hands);
    for (arguments, expected) in [
        (&["-tls1_3"][..], "New, TLSv1.3, Cipher is TLS_AES_256_GCM_SHA384"),
        (&["-tls1_2"], "New, TLSv1.2, Cipher is ECDHE-ECDSA-AES256-GCM-SHA384"),
        (
            &["-tls1_3", "-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256"],
            "New, TLSv1.3, Cipher is TLS_CHACHA20_POLY1305_SHA256",
        ),
        (&["-tls1_3", "-alpn", "ferry/2/APP.SVRCONN"], "ALPN protocol: ferry/2/APP.SVRCONN"),
    ] {
        let Some(text) = openssl(&serving, &stores, arguments) else { return };
        assert!(text.contains(expected), "{arguments:?}: {text}");
        assert!(text.contains("Verification: OK") && text.contains("Verified peername: localhost"), "{text}");
        assert!(text.contains("QM1 certificate authority"), "it is asked for a certificate: {text}");
        assert!(text.contains("Acceptable client certificate CA names"), "{text}");
        assert!(text.lines().any(|line| line == SENT), "{text}");
        assert!(!text.contains("Reused, ") && text.contains("Secure Renegotiation IS"), "{text}");
    }
}

#[test]
fn openssl_is_refused_below_tls_1_2_and_without_a_suite_in_common() {
    let (stores, hands) = (Stores::new(), Hands::default());
    let serving = Serving::start(&stores.queue_manager(), &[], &hands);
    for (arguments, expected) in [
        (&["-tls1", "-cipher", "ALL:@SECLEVEL=0"][..], "protocol version"),
        (&["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], "protocol version"),
        (&["-tls1_2", "-cipher", "AES256-SHA"], "handshake failure"),
        (&["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-SHA384"], "handshake failure"),
        (&["-tls1_3", "-ciphersuites", "TLS_AES_128_CCM_SHA256"], "handshake failure"),
    ] {
        let Some(text) = openssl(&serving, &stores, arguments) else { return };
        assert!(text.contains(&format!("alert {expected}")), "{arguments:?}: {text}");
        assert!(!text.lines().any(|line| line == SENT), "{text}");
    }
}

#[test]
fn openssl_shows_a_certificate_and_hears_of_no_resumption() {
    let (stores, hands) = (Stores::new(), Hands::default());
    stores.program("app1");
    let required = [channel("APP.SVRCONN", "ANY_TLS12_OR_HIGHER", PeerCheck::Required)];
    let serving = Serving::start(&stores.queue_manager(), &required, &hands);
    let own = stores.path().join("app1.ferry");
    let own = own.to_str().unwrap();
    for version in ["-tls1_3", "-tls1_2"] {
        let with = [version, "-alpn", "ferry/2/APP.SVRCONN", "-cert", own, "-key", own];
        let Some(text) = openssl(&serving, &stores, &with) else { return };
        assert!(text.lines().any(|line| line == SENT), "{text}");
        assert!(!text.contains("Post-Handshake New Session Ticket"), "{text}");
        let told = serving.news(|news| news.facts.pop()).unwrap().unwrap();
        let shown = tls::Certificate::read(&told.certificates[0]).unwrap();
        assert!(shown.subject.to_string().ends_with("CN=app1,OU=Payments,O=Bank"), "{}", shown.subject);
        let without = [version, "-alpn", "ferry/2/APP.SVRCONN"];
        let Some(text) = openssl(&serving, &stores, &without) else { return };
        assert!(!text.lines().any(|line| line == SENT), "{text}");
        // TLS 1.2 has no alert of its own for that.
        assert!(
            text.contains("alert certificate required") || text.contains("alert handshake failure"),
            "{text}"
        );
    }
}

const PYTHON: &str = r"
import socket, ssl, sys
address, port, authority, own = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
for version in (ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_2):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(authority)
    context.load_cert_chain(own, own)
    context.minimum_version = context.maximum_version = version
    context.set_alpn_protocols(['ferry/2/APP.SVRCONN'])
    with socket.create_connection((address, port)) as plain:
        with context.wrap_socket(plain, server_hostname='localhost') as covered:
            body = bytes(i % 251 for i in range(300_000))
            covered.sendall(body)
            back = b''
            while len(back) < len(body):
                back += covered.recv(65536)
            assert back == body
            print(covered.version(), covered.cipher()[0], covered.selected_alpn_protocol(),
                  covered.getpeercert()['subject'][-1][0][1], covered.session_reused)
            covered.unwrap()
";

#[test]
fn python_shakes_hands_and_has_its_bytes_back() {
    let hands = Hands::default();
    // Python looks at the machine's clock.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    hands.0.store(now, std::sync::atomic::Ordering::SeqCst);
    let stores = Stores::new_at(now);
    stores.program_at("app1", now);
    let required = [channel("APP.SVRCONN", "ANY_TLS12_OR_HIGHER", PeerCheck::Required)];
    let serving = Serving::start(&stores.queue_manager(), &required, &hands);
    let output = Command::new("python3")
        .args(["-c", PYTHON, &serving.address.ip().to_string(), &serving.address.port().to_string()])
        .args([stores.path().join("qm/authority/ca.pem"), stores.path().join("app1.ferry")])
        .output();
    let output = match output {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("SKIPPED: python3 is not here");
            return;
        }
        output => output.unwrap(),
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    let lines = String::from_utf8_lossy(&output.stdout);
    let expected = "TLSv1.3 TLS_AES_256_GCM_SHA384 ferry/2/APP.SVRCONN qm1 False\n\
                    TLSv1.2 ECDHE-ECDSA-AES256-GCM-SHA384 ferry/2/APP.SVRCONN qm1 False\n";
    assert_eq!(lines, expected, "{errors}");
    serving.closed(2);
    assert_eq!(serving.news(|news| std::mem::take(&mut news.errors)), [], "both ended by a word");
}
