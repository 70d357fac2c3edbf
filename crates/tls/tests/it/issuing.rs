//! The small certificate authority.

use std::fs;
use std::os::unix::fs::MetadataExt;

use ca::{Authority, IssueError, import_key, import_trust};
use tls::bundle::{BundleError, Way};
use tls::expiry::{self, Left};
use tls::store::StoreError;
use tls::{Certificate, KeyStore};

use crate::line::{DAY, NOW, Stores, for_program, for_queue_manager};

#[test]
fn an_authority_is_made_once_and_its_files_are_for_their_owner_alone() {
    let stores = Stores::new();
    let store = stores.path().join("qm");
    let again = Authority::create(&store, "QM1", NOW).unwrap_err();
    assert!(matches!(again, IssueError::HasAuthority(_)), "{again}");
    let none = Authority::open(stores.path()).unwrap_err().to_string();
    assert!(none.contains("ferry tls init"), "{none}");
    for name in ["authority/ca.key", "authority/ca.pem", "authority/issued", "keys/qm1.key", "keys/qm1.pem"] {
        assert_eq!(fs::metadata(store.join(name)).unwrap().mode() & 0o777, 0o600, "{name}");
    }
    for name in ["", "authority", "keys", "trust", "crl"] {
        assert_eq!(fs::metadata(store.join(name)).unwrap().mode() & 0o777, 0o700, "{name}");
    }
}

#[test]
fn a_certificate_says_what_was_asked_for() {
    let stores = Stores::new();
    let mut request = for_queue_manager("qm2");
    request.unit = Some("High".to_owned());
    request.hosts = vec!["mq.example.com".to_owned(), "10.1.2.3".to_owned(), "::1".to_owned()];
    let made = stores.authority.issue(&request, NOW).unwrap();
    let serial = made.serial_text();
    assert_eq!(made.subject.to_string(), format!("SERIALNUMBER={serial},CN=qm2,OU=High,O=Bank"));
    assert!(made.issuer.to_string().starts_with("CN=QM1 certificate authority "), "{}", made.issuer);
    assert_eq!(made.hosts, request.hosts);
    assert!(!made.is_authority && made.holds_at(NOW) && !made.holds_at(NOW + 30 * DAY + 1));
    assert_eq!(expiry::left(&made, NOW), Left::Days(30));
    let taken = stores.authority.issue(&request, NOW).unwrap_err();
    assert!(matches!(&taken, IssueError::LabelTaken(label) if label == "qm2"), "{taken}");
    for label in ["", "../qm1", "a/b", ".hidden", "a b", &"x".repeat(65)] {
        let refused = stores.authority.issue(&for_program(label), NOW).unwrap_err();
        assert!(matches!(refused, IssueError::Label(_)), "{refused}");
    }
}

#[test]
fn renewing_keeps_the_subject_and_makes_another_key() {
    let stores = Stores::new();
    let before = stores.queue_manager().keys["qm1"].certificate.clone();
    let after = stores.authority.renew("qm1", 90, NOW + DAY).unwrap();
    assert_eq!((&after.hosts, &after.subject_der), (&before.hosts, &before.subject_der));
    assert_ne!(after.serial, before.serial);
    assert_eq!(expiry::left(&after, NOW + DAY), Left::Days(90));
    assert_eq!(stores.queue_manager().keys["qm1"].certificate, after);
    assert!(matches!(stores.authority.renew("nobody", 1, NOW), Err(IssueError::Unknown(_))));
    let issued = stores.authority.issued().unwrap();
    assert_eq!(issued.iter().map(|one| one.label.as_str()).collect::<Vec<_>>(), ["qm1", "qm1"]);
}

#[test]
fn revoking_lists_every_certificate_of_the_label_once() {
    let stores = Stores::new();
    stores.authority.issue(&for_program("app1"), NOW).unwrap();
    stores.authority.renew("app1", 30, NOW).unwrap();
    assert_eq!(stores.authority.revoke("app1", NOW).unwrap(), 2);
    assert_eq!(stores.authority.revoke("app1", NOW).unwrap(), 0);
    assert!(matches!(stores.authority.revoke("nobody", NOW), Err(IssueError::Unknown(_))));
    assert_eq!(stores.queue_manager().revocations.len(), 1, "one list of the authority");
    let revoked = stores.authority.issued().unwrap().into_iter().filter(|one| one.revoked_at.is_some());
    assert!(revoked.map(|one| one.label).eq(["app1", "app1"]));
}

/// The verdict of `openssl verify` on a certificate by an authority; none where it is not here.
fn openssl_verifies(authority: &std::path::Path, certificate: &std::path::Path) -> Option<bool> {
    let mut command = std::process::Command::new("openssl");
    command.args(["verify", "-attime", &(NOW + 60).to_string(), "-CAfile"]).args([authority, certificate]);
    match command.output() {
        Ok(output) => Some(output.status.success()),
        Err(_) => {
            eprintln!("SKIPPED: openssl is not here");
            None
        }
    }
}

#[test]
fn two_authorities_are_trusted_at_once_until_the_former_one_is_retired() {
    let stores = Stores::new();
    let store = stores.path().join("qm");
    let former_pem = stores.authority.certificate_pem().to_owned();
    stores.authority.issue(&for_program("app1"), NOW).unwrap();
    stores.authority.issue(&for_program("app2"), NOW).unwrap();
    stores.authority.issue(&for_program("gone"), NOW).unwrap();
    stores.authority.revoke("gone", NOW).unwrap();
    assert!(matches!(Authority::retire(&store), Err(IssueError::NoFormer(_))));
    let present = Authority::roll(&store, "QM1", NOW).unwrap();
    assert_ne!(present.certificate_pem(), former_pem);
    assert!(matches!(Authority::roll(&store, "QM1", NOW), Err(IssueError::HasFormer(_))));
    assert_eq!(stores.queue_manager().trust.len(), 2, "both are trusted");
    let [trust, former, key] = ["trust/ca.pem", "trust/former.pem", "keys/app1.pem"].map(|it| store.join(it));
    if let Some(verdict) = openssl_verifies(&former, &key) {
        assert!(verdict && openssl_verifies(&trust, &key) == Some(false), "the key is the former one's");
    }
    // The former one's certificates are renewed by the present one, and revoked as well.
    present.renew("app1", 30, NOW).unwrap();
    if let Some(verdict) = openssl_verifies(&trust, &key) {
        assert!(verdict && openssl_verifies(&former, &key) == Some(false), "the key is the present one's");
    }
    assert_eq!(present.revoke("app1", NOW).unwrap(), 2);
    assert_eq!(stores.queue_manager().revocations.len(), 2, "a list of each");
    let bundle = stores.path().join("app1.ferry");
    present.bundle("app1", &Way::default(), &bundle).unwrap();
    assert_eq!(KeyStore::read(&bundle).unwrap().trust.len(), 2, "a program trusts both");
    assert!(matches!(Authority::retire(&store), Err(IssueError::FormerInUse(label)) if label == "app2"));
    present.renew("app2", 30, NOW).unwrap();
    present.renew("qm1", 30, NOW).unwrap();
    Authority::retire(&store).expect("a key that was revoked holds no authority back");
    let read = stores.queue_manager();
    assert_eq!((read.trust.len(), read.revocations.len()), (1, 1));
    assert!(matches!(present.renew("nobody", 30, NOW), Err(IssueError::Unknown(_))));
    Authority::roll(&store, "QM1", NOW).unwrap();
}

#[test]
fn a_roll_over_that_was_cut_off_goes_on() {
    for gone in [&["issued"][..], &["issued", "ca.pem"], &[]] {
        let stores = Stores::new();
        let store = stores.path().join("qm");
        stores.authority.issue(&for_program("app1"), NOW).unwrap();
        // As it is after the copies, and after some of the files of the present one are gone.
        let (own, former) = (store.join("authority"), store.join("authority/former"));
        fs::create_dir(&former).unwrap();
        for name in ["ca.key", "issued", "ca.pem"] {
            fs::copy(own.join(name), former.join(name)).unwrap();
        }
        fs::copy(store.join("trust/ca.pem"), store.join("trust/former.pem")).unwrap();
        for name in gone {
            fs::remove_file(own.join(name)).unwrap();
        }
        let present = Authority::roll(&store, "QM1", NOW).unwrap();
        assert_eq!(stores.queue_manager().trust.len(), 2, "{gone:?}");
        if gone.is_empty() {
            present.renew("app1", 30, NOW).unwrap();
        }
    }
}

#[test]
fn a_list_with_a_line_that_does_not_read_is_named() {
    let stores = Stores::new();
    let path = stores.path().join("qm/authority/issued");
    let text = fs::read_to_string(&path).unwrap();
    for line in ["", "é\tx", "00\ta\tprogram\tsoon\t-\t-\t-\t-", "0\ta\tprogram\t1\t-\t-\t-\t-"] {
        fs::write(&path, format!("{text}{line}\n")).unwrap();
        let error = stores.authority.issue(&for_program("app1"), NOW).unwrap_err();
        assert!(matches!(error, IssueError::Ledger { line: 2, .. }), "{line:?}: {error}");
    }
    assert!(!stores.path().join("qm/keys/app1.pem").exists());
}

#[test]
fn a_key_of_others_is_taken_in_whole_or_not_at_all() {
    let (stores, others) = (Stores::new(), Stores::new());
    let store = stores.path().join("qm");
    let read = |stores: &Stores, name: &str| fs::read_to_string(stores.path().join("qm").join(name)).unwrap();
    let (certificate, key) = (read(&others, "keys/qm1.pem"), read(&others, "keys/qm1.key"));
    let foreign_key = read(&stores, "keys/qm1.key");
    let refused = import_key(&store, "theirs", &certificate, &foreign_key).unwrap_err();
    assert!(matches!(refused, IssueError::Store(StoreError::Pair { .. })), "{refused}");
    assert!(!store.join("keys/theirs.pem").exists() && !store.join("keys/theirs.key").exists());
    let all = format!("a word before\n{certificate}and between\n{key}");
    let taken = import_key(&store, "theirs", &all, &all).unwrap();
    let read_back = KeyStore::read(&store).unwrap();
    assert_eq!(read_back.keys["theirs"].certificate, taken);
    assert!(!fs::read_to_string(store.join("keys/theirs.pem")).unwrap().contains("PRIVATE KEY"));
    let trusted = import_trust(&store, "partner", &read(&others, "authority/ca.pem")).unwrap();
    assert!(trusted[0].is_authority && KeyStore::read(&store).unwrap().trust.contains(&trusted[0]));
    assert!(import_trust(&store, "partner", &key).is_err());
    assert!(import_trust(&store, "../partner", &certificate).is_err());
}

#[test]
fn a_bundle_is_read_back_and_one_with_another_line_is_refused() {
    let stores = Stores::new();
    stores.authority.issue(&for_program("app1"), NOW).unwrap();
    let way = Way {
        queue_manager: "QM1".to_owned(),
        address: "mq.example.com(1414)".to_owned(),
        channel: "DEV.APP.SVRCONN".to_owned(),
        cipherspec: "ANY_TLS12_OR_HIGHER".to_owned(),
    };
    let path = stores.path().join("app1.ferry");
    stores.authority.bundle("app1", &way, &path).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(Way::read(&text), Ok(way));
    assert_eq!(KeyStore::read(&path).unwrap().keys.len(), 1);
    let line = BundleError::Line("command: rm".to_owned());
    assert_eq!(Way::read(&format!("command: rm\n{text}")), Err(line));
    assert_eq!(Way::read(&format!("address: a\n{text}")), Err(BundleError::NotOnce("address")));
    assert_eq!(Way::read(&text[text.find("address").unwrap()..]), Err(BundleError::NotOnce("queue-manager")));
    assert_eq!(Way::read(""), Err(BundleError::TooLong));
    assert_eq!(Way::read(&format!("{}{text}", "\n".repeat(5_000))), Err(BundleError::TooLong));
    assert!(matches!(stores.authority.bundle("nobody", &Way::default(), &path), Err(IssueError::Unknown(_))));
}

#[test]
fn each_step_before_the_end_is_warned_of_once() {
    let stores = Stores::new();
    let certificate: Certificate = stores.authority.issue(&for_program("app1"), NOW).unwrap();
    let at = |days: u64| NOW + days * DAY;
    for (last, now, expected) in [
        (None, at(0) - DAY, None),
        (None, at(0), None),
        (None, at(1), Some(30)),
        (Some(at(0)), at(1), Some(30)),
        (Some(at(1)), at(2), None),
        (Some(at(15)), at(17), Some(14)),
        (Some(at(17)), at(22), None),
        (Some(at(2)), at(24), Some(7)),
        (Some(at(24)), at(29) + 1, Some(1)),
        (Some(at(29) + 1), at(30) + 1, Some(0)),
        (Some(at(30) + 1), at(30) + 2, Some(0)),
    ] {
        let days = |seconds: u64| (seconds as i64 - NOW as i64) / DAY as i64;
        let found = expiry::warning(&certificate, last, now);
        assert_eq!(found, expected, "from {:?} to {}", last.map(days), days(now));
    }
    assert_eq!(expiry::left(&certificate, NOW - DAY), Left::NotYet);
    assert_eq!(expiry::left(&certificate, at(31)), Left::Expired);
}
