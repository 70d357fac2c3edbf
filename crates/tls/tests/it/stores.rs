//! Key stores: folders and files that read, and those that do not.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use tls::store::{KeyStore, LabelError, StoreError};

use crate::line::{NOW, Stores, for_program, for_queue_manager};

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_label_picks_the_key_and_without_one_the_usual_or_only_key() {
    let stores = Stores::new();
    let store = stores.queue_manager();
    assert_eq!(store.pick([None, None], "QM1").unwrap().label, "qm1");
    assert_eq!(store.pick([Some("  "), Some("qm1 ")], "QM1").unwrap().label, "qm1");
    stores.authority.issue(&for_queue_manager("other"), NOW).unwrap();
    let store = stores.queue_manager();
    assert_eq!(store.pick([Some("other"), Some("qm1")], "QM1").unwrap().label, "other");
    assert_eq!(store.pick([None, Some("qm1")], "QM1").unwrap().label, "qm1");
    let several = store.pick([None, None], "QM1").unwrap_err();
    assert_eq!(several, LabelError::Several { present: "other, qm1".to_owned() });
    let unknown = store.pick([Some("third"), Some("qm1")], "QM1").unwrap_err().to_string();
    assert!(unknown.contains("no key third; it has other, qm1"), "{unknown}");
    stores.authority.issue(&for_queue_manager("ibmwebspheremqqm1"), NOW).unwrap();
    let store = stores.queue_manager();
    assert_eq!(store.pick([None, None], "QM1  ").unwrap().label, "ibmwebspheremqqm1");
    assert_eq!(KeyStore::default().pick([None, None], "QM1").unwrap_err(), LabelError::Empty);
}

#[test]
fn a_file_is_found_by_the_label_of_its_key_and_by_its_own_name() {
    let stores = Stores::new();
    stores.program("app1");
    let bundle = fs::read_to_string(stores.path().join("app1.ferry")).unwrap();
    let exported =
        bundle.replace("friendlyName: app1", "Bag Attributes\r\n    friendlyName: ibmwebspheremqada\r");
    let unlabelled = bundle.replace("friendlyName: app1\n", "");
    let wrong = bundle.replace("friendlyName: app1", "friendlyName: ../app1");
    let of_authority =
        unlabelled.clone() + "friendlyName: root\n-----BEGIN OTHER-----\n-----END OTHER-----\n";
    let (own, file, none) = (Ok("app1".to_owned()), Ok("store".to_owned()), Err(()));
    let exported_label = Ok("ibmwebspheremqada".to_owned());
    for (text, name, label, expected) in [
        (&bundle, "store.pem", "app1", &own),
        (&bundle, "store.pem", "store", &own),
        (&bundle, "app1.pem", "app1", &own),
        (&bundle, "store.pem", "", &own),
        (&bundle, "store.pem", "app2", &none),
        (&bundle, "My keys (1)", "app1", &own),
        (&exported, "store.pem", "ibmwebspheremqada", &exported_label),
        (&exported, "store.pem", "store", &exported_label),
        (&exported, "store.pem", "app1", &none),
        (&unlabelled, "store.pem", "store", &file),
        (&unlabelled, "store.pem", "app1", &none),
        (&unlabelled, "My keys (1)", "", &Ok("My keys (1)".to_owned())),
        (&wrong, "store.pem", "../app1", &none),
        (&of_authority, "store.pem", "root", &none),
    ] {
        let path = stores.path().join(name);
        fs::write(&path, text).unwrap();
        mode(&path, 0o600);
        let store = KeyStore::read(&path).unwrap();
        let picked = store.pick([Some(label), None], "").map(|pair| pair.label.clone()).map_err(|_| ());
        assert_eq!(&picked, expected, "{label:?} in {name}");
    }
}

#[test]
fn a_key_that_others_may_read_or_change_is_refused() {
    let stores = Stores::new();
    let key = stores.path().join("qm/keys/qm1.key");
    for refused in [0o644, 0o604, 0o620, 0o666] {
        mode(&key, refused);
        let error = KeyStore::read(&stores.path().join("qm")).unwrap_err();
        assert!(matches!(error, StoreError::Mode { mode, .. } if mode == refused), "{error}");
    }
    for allowed in [0o600, 0o400, 0o640, 0o440] {
        mode(&key, allowed);
        KeyStore::read(&stores.path().join("qm")).unwrap();
    }
    // The same for a file that has all.
    stores.program("app1");
    let file = stores.path().join("app1.ferry");
    mode(&file, 0o644);
    assert!(matches!(KeyStore::read(&file), Err(StoreError::Mode { .. })));
}

#[test]
fn a_key_half_replaced_does_not_read_and_the_whole_pair_does() {
    let stores = Stores::new();
    let keys = stores.path().join("qm/keys");
    let old_key = fs::read(keys.join("qm1.key")).unwrap();
    let before = stores.queue_manager();
    stores.authority.renew("qm1", 30, NOW).unwrap();
    let new_key = fs::read(keys.join("qm1.key")).unwrap();
    fs::write(keys.join("qm1.key"), old_key).unwrap();
    let error = KeyStore::read(&stores.path().join("qm")).unwrap_err();
    assert!(matches!(&error, StoreError::Pair { label, .. } if label == "qm1"), "{error}");
    fs::write(keys.join("qm1.key"), new_key).unwrap();
    assert_ne!(stores.queue_manager(), before);
    assert_eq!(stores.queue_manager(), stores.queue_manager(), "nothing changed between two readings");
}

/// As orchestrators hand files over: links into a folder that is replaced as one.
#[test]
fn files_replaced_by_a_symbolic_link_are_read_again() {
    let stores = Stores::new();
    let keys = stores.path().join("qm/keys");
    let version = |number: u32| {
        let folder = keys.join(format!("..version-{number}"));
        fs::create_dir(&folder).unwrap();
        for ending in ["pem", "key"] {
            fs::copy(keys.join(format!("qm1.{ending}")), folder.join(format!("qm1.{ending}"))).unwrap();
        }
        folder
    };
    let first = version(1);
    stores.authority.renew("qm1", 30, NOW).unwrap();
    let second = version(2);
    symlink(&first, keys.join("..data")).unwrap();
    for ending in ["pem", "key"] {
        let name = keys.join(format!("qm1.{ending}"));
        fs::remove_file(&name).unwrap();
        symlink(format!("..data/qm1.{ending}"), &name).unwrap();
    }
    let before = stores.queue_manager();
    symlink(&second, keys.join("..data-new")).unwrap();
    fs::rename(keys.join("..data-new"), keys.join("..data")).unwrap();
    let after = stores.queue_manager();
    assert_ne!(before.keys["qm1"], after.keys["qm1"]);
    assert_eq!(before.keys.len(), 1, "what begins with a dot is passed over");
}

#[test]
fn a_file_that_is_not_right_is_named_with_the_way_on() {
    let stores = Stores::new();
    let folder = stores.path().join("qm");
    let refused = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        mode(&path, 0o600);
        let error = KeyStore::read(&folder).unwrap_err().to_string();
        fs::remove_file(&path).unwrap();
        assert!(error.contains(name.rsplit('/').next().unwrap()), "{error}");
        error
    };
    let certificate = fs::read(folder.join("keys/qm1.pem")).unwrap();
    let key = fs::read(folder.join("keys/qm1.key")).unwrap();
    stores.authority.issue(&for_program("app1"), NOW).unwrap();
    stores.authority.revoke("app1", NOW).unwrap();
    let list = stores.queue_manager().revocations[0].to_vec();
    let encrypted = b"-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n";
    for (name, bytes, expected) in [
        ("keys/a.pem", &certificate[..], "has no key beside it"),
        ("keys/a.pem", &key[..], "has a key and no certificate"),
        ("keys/a.pem", &[&certificate[..], &key, &key].concat(), "has two private keys"),
        ("keys/a.pem", &[&certificate[..], encrypted].concat(), "openssl pkey"),
        ("keys/a b.pem", &[&certificate[..], &key].concat(), "is no label"),
        ("trust/a.pem", b"\xfe\xed\xfe\xed a store of another form", "export PKCS#12"),
        ("trust/a.pem", b"-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n", "no X.509"),
        ("trust/a.pem", b"-----BEGIN CERTIFICATE-----\n", "not well formed"),
        ("crl/a.pem", b"no list", "it is no PEM"),
        ("crl/a.pem", b"-----BEGIN X509 CRL-----\n", "not well formed"),
        ("crl/a.pem", b"-----BEGIN X509 CRL-----\n????\n-----END X509 CRL-----\n", "not well formed"),
        ("crl/a.pem", b"-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----\n", "list of revoked"),
        ("crl/a.pem", pem("X509 CRL", &list[..list.len() - 1]).as_bytes(), "list of revoked"),
        ("crl/a.pem", pem("X509 CRL", &[&list, &[0][..]].concat()).as_bytes(), "list of revoked"),
        ("trust/a.pem", b"-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----\n", "list of revoked"),
    ] {
        let error = refused(name, bytes);
        assert!(error.contains(expected), "{error} for {expected}");
    }
    KeyStore::read(&folder).unwrap();
    let missing = KeyStore::read(&stores.path().join("nowhere")).unwrap_err().to_string();
    assert!(missing.contains("nowhere") && missing.contains("ferry tls init"), "{missing}");
}

#[test]
fn a_file_that_has_all_is_a_store_and_roots_are_not_sent() {
    let stores = Stores::new();
    let store = stores.program("app1");
    assert_eq!(store.keys.keys().collect::<Vec<_>>(), ["app1"]);
    assert_eq!((store.trust.len(), store.trust[0].is_authority), (1, true));
    assert_eq!(store.keys["app1"].chain, [], "the authority's own certificate is not in the chain");
    let names: Vec<String> = store.certificates().map(|(name, _)| name).collect();
    assert!(names[0] == "app1" && names[1].starts_with("trust: "), "{names:?}");
    stores.authority.issue(&for_program("app2"), NOW).unwrap();
}

/// A certificate as one of version 1: without its version and its extensions. Its signature is not looked at.
pub(crate) fn of_version_1(der: &[u8]) -> Vec<u8> {
    fn take(bytes: &[u8]) -> (&[u8], &[u8], &[u8]) {
        let (head, length) = match bytes[1] {
            short if short < 0x80 => (2, usize::from(short)),
            0x81 => (3, usize::from(bytes[2])),
            _ => (4, usize::from(bytes[2]) << 8 | usize::from(bytes[3])),
        };
        (&bytes[..head + length], &bytes[head..head + length], &bytes[head + length..])
    }
    fn sequence(content: &[u8]) -> Vec<u8> {
        let head = match u16::try_from(content.len()).unwrap().to_be_bytes() {
            [0, length @ 0..0x80] => vec![0x30, length],
            [0, length] => vec![0x30, 0x81, length],
            [high, low] => vec![0x30, 0x82, high, low],
        };
        [&head, content].concat()
    }
    let (_, outer, _) = take(der);
    let (_, inner, signature) = take(outer);
    let (_, _, mut rest) = take(inner);
    let mut kept = Vec::new();
    while !rest.is_empty() {
        let (whole, _, behind) = take(rest);
        if whole[0] != 0xA3 {
            kept.extend_from_slice(whole);
        }
        rest = behind;
    }
    sequence(&[sequence(&kept).as_slice(), signature].concat())
}

fn pem(kind: &str, der: &[u8]) -> String {
    const FIGURES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for bytes in der.chunks(3) {
        let group =
            bytes.iter().fold(0_u32, |group, byte| group << 8 | u32::from(*byte)) << (8 * (3 - bytes.len()));
        for place in 0..4 {
            let is_there = place <= bytes.len();
            let figure = FIGURES[(group >> (18 - 6 * place) & 63) as usize];
            text.push(if is_there { char::from(figure) } else { '=' });
        }
    }
    let lines: Vec<&str> =
        text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN {kind}-----\n{}\n-----END {kind}-----\n", lines.join("\n"))
}

#[test]
fn a_certificate_or_key_that_cannot_be_used_is_named_as_such_and_not_as_a_pair_that_does_not_fit() {
    let stores = Stores::new();
    let folder = stores.path().join("qm");
    let keys = folder.join("keys");
    let certificate = stores.queue_manager().keys["qm1"].certificate.clone();
    assert_eq!(certificate.version, 3);
    fs::write(keys.join("qm1.pem"), pem("CERTIFICATE", &of_version_1(&certificate.der))).unwrap();
    let error = KeyStore::read(&folder).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, StoreError::Unusable { .. }), "{text}");
    assert!(
        text.contains("certificate of qm1") && text.contains("version 1") && !text.contains("fit"),
        "{text}"
    );
    fs::write(keys.join("qm1.pem"), pem("CERTIFICATE", &certificate.der)).unwrap();
    assert!(KeyStore::read(&folder).is_ok());
    // Keys that the library does not use: one that is none, one that is too short, one of another kind.
    let key = fs::read_to_string(keys.join("qm1.key")).unwrap();
    for bytes in [&[0x30, 0x03, 0x02, 0x01, 0x00][..], &[], &[0xFF; 40]] {
        fs::write(keys.join("qm1.key"), pem("PRIVATE KEY", bytes)).unwrap();
        let text = KeyStore::read(&folder).unwrap_err().to_string();
        assert!(text.contains("key of qm1 cannot be used") && text.contains("2048"), "{text}");
    }
    fs::write(keys.join("qm1.key"), key).unwrap();
    assert!(KeyStore::read(&folder).is_ok());
}
