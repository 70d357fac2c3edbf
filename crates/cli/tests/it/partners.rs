//! Two queue managers that meet by TLS, each with keys of its own: which of them lets the other in, by which
//! rule, and the words of both ends where one does not.

use std::time::{Duration, Instant};

use crate::support::{Ferry, Server};

/// Longest time for something to be seen: handshakes on a machine with other work.
const PATIENCE: Duration = Duration::from_secs(60);

/// PARIS, which sends, and LYON, whose listener takes calls with TLS and without.
struct Partners {
    lyon: Server,
    _paris: Server,
    ferry: Ferry,
}

/// Rights of the user that messages of PARIS are put as.
const RIGHTS_ON_ORDERS: &str = "PROFILE(ORDERS) OBJTYPE(QUEUE) PRINCIPAL('paris') AUTHADD(PUT,SETALL)";

/// Bearers of the keys that `ferry tls init` makes.
const OF_PARIS: &str = "CN=ibmwebspheremqparis";
const OF_LYON: &str = "CN=ibmwebspheremqlyon";

impl Partners {
    fn new() -> Self {
        Self::that_trust(&["PARIS", "LYON"])
    }

    /// Of these two each trusts the authority of the other.
    fn that_trust(trusting: &[&str]) -> Self {
        let ferry = Ferry::new();
        ferry.ok(&["qmgr", "create", "PARIS", "--port", "0"]);
        let listener = ["--set", "listener.addresses=[\"127.0.0.1:0\"]", "--set", "listener.tls=allowed"];
        ferry.ok(&[&["qmgr", "create", "LYON"], &listener[..]].concat());
        for name in ["PARIS", "LYON"] {
            ferry.ok(&["tls", "init", name]);
        }
        trusting.iter().for_each(|name| trust(&ferry, name));
        let (lyon, paris) =
            (ferry.start(&["qmgr", "start", "LYON"]), ferry.start(&["qmgr", "start", "PARIS"]));
        let partners = Self { lyon, _paris: paris, ferry };
        let to = partners.lyon.port();
        partners.mqsc("LYON", "DEFINE QLOCAL(ORDERS)");
        partners.mqsc("LYON", "DEFINE CHANNEL(PARIS.LYON) CHLTYPE(RCVR) SSLCIPH(ANY_TLS13)");
        partners.mqsc("PARIS", "DEFINE QLOCAL(LYON) USAGE(XMITQ)");
        partners.mqsc("PARIS", "DEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME(LYON)");
        partners.mqsc(
            "PARIS",
            &format!(
                "DEFINE CHANNEL(PARIS.LYON) CHLTYPE(SDR) CONNAME('localhost({to})') XMITQ(LYON) SSLCIPH(ANY_TLS13)"
            ),
        );
        partners
    }

    /// Lets PARIS in by its certificate, as user `paris`.
    fn lets_paris_in(&self) {
        let rule = format!("SET CHLAUTH(PARIS.LYON) TYPE(SSLPEERMAP) SSLPEER('{OF_PARIS}') MCAUSER('paris')");
        self.mqsc("LYON", &rule);
        for rights in ["OBJTYPE(QMGR) PRINCIPAL('paris') AUTHADD(CONNECT,SETALL)", RIGHTS_ON_ORDERS] {
            self.mqsc("LYON", &format!("SET AUTHREC {rights}"));
        }
    }

    fn mqsc(&self, name: &str, command: &str) -> String {
        self.ferry.ok(&["mqsc", name, "-e", command])
    }

    fn errors(&self, name: &str) -> String {
        std::fs::read_to_string(self.ferry.data().join(name).join("errors/errors.log")).unwrap_or_default()
    }

    fn status(&self, name: &str) -> String {
        self.ferry.run(&["mqsc", name, "-e", "DISPLAY CHSTATUS(PARIS.LYON) ALL"]).stdout
    }

    /// Starts the channel, and waits until PARIS shows these words and LYON's error log has those.
    fn is_refused(&self, shown: &str, logged: &str) {
        let before = self.errors("LYON").len();
        self.mqsc("PARIS", "START CHANNEL(PARIS.LYON)");
        self.eventually(&format!("PARIS shows {shown:?} and LYON logs {logged:?}"), || {
            let told = one_line(&self.status("PARIS"));
            told.contains(shown)
                && told.contains("STATUS(RETRYING)")
                && self.errors("LYON")[before..].contains(logged)
        });
        self.mqsc("PARIS", "STOP CHANNEL(PARIS.LYON) STATUS(INACTIVE)");
        let come = self.ferry.run(&["get", "ORDERS", "--qmgr", "LYON", "--wait", "0"]);
        assert_eq!(come.code, 5, "nothing has come over: {}{}", come.stdout, come.stderr);
    }

    fn eventually(&self, what: &str, holds: impl Fn() -> bool) {
        let until = Instant::now() + PATIENCE;
        while !holds() {
            assert!(
                Instant::now() < until,
                "{what}:\n{}\n{}\n{}",
                self.status("PARIS"),
                self.errors("PARIS"),
                self.errors("LYON")
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Has a queue manager trust the authority of the other.
fn trust(ferry: &Ferry, name: &str) {
    let other = if name == "PARIS" { "LYON" } else { "PARIS" };
    let authority = format!("{other}/security/authority/ca.pem");
    ferry.ok(&["tls", "import", name, other, "--certificates", &authority]);
}

/// A display without the breaks within its texts.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_message_goes_over_mutual_tls_and_both_ends_show_by_what_name() {
    let partners = Partners::new();
    partners.lets_paris_in();
    partners.ferry.ok(&["put", "ORDERS", "two of each", "--qmgr", "PARIS"]);
    partners.mqsc("PARIS", "START CHANNEL(PARIS.LYON)");
    let got = partners.ferry.run(&["get", "ORDERS", "--qmgr", "LYON", "--wait", "30s"]);
    assert_eq!(got.stdout, "two of each\n", "{}\n{}", partners.status("PARIS"), partners.errors("LYON"));
    let (sends, receives) = (one_line(&partners.status("PARIS")), one_line(&partners.status("LYON")));
    for shown in ["STATUS(RUNNING)", "SECPROT(TLSV13)", "SSLCIPH(TLS_AES_256_GCM_SHA384)", OF_LYON] {
        assert!(sends.contains(shown), "{shown}: {sends}");
    }
    for shown in
        ["STATUS(RUNNING)", "SECPROT(TLSV13)", OF_PARIS, "MCAUSER(paris)", "PARIS certificate authority"]
    {
        assert!(receives.contains(shown), "{shown}: {receives}");
    }
}

#[test]
fn a_partner_without_the_right_certificate_name_or_encryption_is_refused_in_words_at_both_ends() {
    let partners = Partners::new();
    partners.ferry.ok(&["put", "ORDERS", "waits", "--qmgr", "PARIS"]);
    // No rule opens the channel.
    partners.is_refused("lets no partner like this one in", "queue manager PARIS: the most specific record");
    partners.lets_paris_in();
    // One end encrypts, and the other does not.
    let alter = |name: &str, kind: &str, attributes: &str| {
        partners.mqsc(name, &format!("ALTER CHANNEL(PARIS.LYON) CHLTYPE({kind}) {attributes}"));
    };
    alter("PARIS", "SDR", "SSLCIPH(' ')");
    partners.is_refused("lets no partner like this one in", "SSLCIPH asks for TLS");
    alter("PARIS", "SDR", "SSLCIPH(ANY_TLS13)");
    alter("LYON", "RCVR", "SSLCIPH(' ')");
    partners.is_refused("the channel has no SSLCIPH", "the channel has no SSLCIPH");
    alter("LYON", "RCVR", "SSLCIPH(TLS_AES_128_GCM_SHA256)");
    alter("PARIS", "SDR", "SSLCIPH(TLS_AES_256_GCM_SHA384)");
    partners.is_refused("CipherSpec", "CipherSpec");
    alter("LYON", "RCVR", "SSLCIPH(ANY_TLS13)");
    // Names in certificates.
    alter("PARIS", "SDR", "SSLPEER('CN=marseille')");
    partners.is_refused("does not match SSLPEER CN=marseille", "TLS handshake failed");
    alter("PARIS", "SDR", &format!("SSLPEER('{OF_LYON}')"));
    alter("LYON", "RCVR", "SSLPEER('CN=marseille')");
    partners.is_refused("does not match the channel's SSLPEER", "does not match the channel's SSLPEER");
    alter("LYON", "RCVR", "SSLPEER(' ')");
    // A name of a key that is not there.
    alter("PARIS", "SDR", "CERTLABL('nothing')");
    partners.mqsc("PARIS", "START CHANNEL(PARIS.LYON)");
    partners.eventually("PARIS names the label", || one_line(&partners.status("PARIS")).contains("nothing"));
    partners.mqsc("PARIS", "STOP CHANNEL(PARIS.LYON) STATUS(INACTIVE)");
    alter("PARIS", "SDR", "CERTLABL(' ')");
    // All is right again.
    partners.mqsc("PARIS", "START CHANNEL(PARIS.LYON)");
    assert_eq!(partners.ferry.ok(&["get", "ORDERS", "--qmgr", "LYON", "--wait", "30s"]), "waits\n");
}

/// The rule of LYON lets any bearer of its authorities in, and the line is for the one that began it.
#[test]
fn a_partner_that_shows_another_certificate_than_its_line_began_with_is_refused_until_a_person_resets_it() {
    let partners = Partners::new();
    partners.lets_paris_in();
    partners.mqsc("LYON", "SET CHLAUTH(PARIS.LYON) TYPE(SSLPEERMAP) SSLPEER('CN=*') MCAUSER('paris')");
    partners.ferry.ok(&["put", "ORDERS", "first", "--qmgr", "PARIS"]);
    partners.mqsc("PARIS", "START CHANNEL(PARIS.LYON)");
    assert_eq!(partners.ferry.ok(&["get", "ORDERS", "--qmgr", "LYON", "--wait", "30s"]), "first\n");
    partners.mqsc("PARIS", "STOP CHANNEL(PARIS.LYON) STATUS(INACTIVE)");
    partners.ferry.ok(&["tls", "issue", "PARIS", "other", "--host", "localhost"]);
    partners.mqsc("PARIS", "ALTER CHANNEL(PARIS.LYON) CHLTYPE(SDR) CERTLABL('other')");
    partners.ferry.ok(&["put", "ORDERS", "second", "--qmgr", "PARIS"]);
    let logged = format!("began with the certificate of {OF_PARIS}, and that of CN=other");
    partners.is_refused("began with another certificate, and that of CN=other", &logged);
    assert!(!partners.status("PARIS").contains(&format!("certificate of {OF_PARIS}")), "it is not told");
    partners.mqsc("LYON", "RESET CHANNEL(PARIS.LYON)");
    partners.mqsc("PARIS", "START CHANNEL(PARIS.LYON)");
    assert_eq!(partners.ferry.ok(&["get", "ORDERS", "--qmgr", "LYON", "--wait", "30s"]), "second\n");
}

#[test]
fn an_authority_that_an_end_does_not_trust_is_refused_by_that_end_in_words_of_both() {
    for (who, shown, logged) in [
        ("PARIS", "the queue manager's certificate is not accepted", "TLS handshake failed"),
        ("LYON", "does not accept this program's certificate", "TLS handshake failed"),
    ] {
        let partners = Partners::that_trust(&[if who == "PARIS" { "LYON" } else { "PARIS" }]);
        partners.lets_paris_in();
        partners.ferry.ok(&["put", "ORDERS", "waits", "--qmgr", "PARIS"]);
        partners.is_refused(shown, logged);
        trust(&partners.ferry, who);
        // Files are read again at each call, and for listeners every 10 s.
        partners.eventually("it reads its keys again", || {
            who == "PARIS" || partners.errors(who).contains("FRY9007I")
        });
        partners.mqsc("PARIS", "START CHANNEL(PARIS.LYON)");
        assert_eq!(partners.ferry.ok(&["get", "ORDERS", "--qmgr", "LYON", "--wait", "30s"]), "waits\n");
    }
}
