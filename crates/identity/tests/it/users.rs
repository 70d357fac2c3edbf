//! Users and their file.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use identity::{
    Cost, FileError, Hash, HashError, HashMemory, PASSWORD_BYTES_MAX, ProofError, SALT_BYTES, Users,
    UsersError, UsersFile,
};
use proptest::prelude::*;

const SALT: [u8; SALT_BYTES] = *b"sixteen bytes it";
const NOW: u64 = 1_790_000_000;

fn alice() -> Users {
    let mut users = Users::default();
    users
        .add(
            "alice",
            b"open sesame",
            vec!["payments".to_owned()],
            &SALT,
            Cost::LEAST,
            &mut HashMemory::default(),
        )
        .unwrap();
    users
}

#[test]
fn a_password_proves_its_user_and_nobody_else() {
    let mut users = alice();
    users.add("Alice", b"another", Vec::new(), &SALT, Cost::LEAST, &mut HashMemory::default()).unwrap();
    assert_eq!(
        users.prove("alice", b"open sesame", NOW, &mut HashMemory::default()).unwrap().groups,
        ["payments"]
    );
    for (name, password, expected) in [
        ("alice", &b"another"[..], ProofError::Password),
        ("alice", b"open sesame ", ProofError::Password),
        ("alice", b" open sesame", ProofError::Password),
        ("alice", b"Open sesame", ProofError::Password),
        ("alice", b"", ProofError::Password),
        ("Alice", b"open sesame", ProofError::Password),
        ("ALICE", b"open sesame", ProofError::Unknown),
        ("alice ", b"open sesame", ProofError::Unknown),
        ("", b"", ProofError::Unknown),
    ] {
        assert_eq!(
            users.prove(name, password, NOW, &mut HashMemory::default()).unwrap_err(),
            expected,
            "{name:?} {password:?}"
        );
    }
}

#[test]
fn a_user_that_is_locked_expired_or_removed_is_proved_no_more() {
    let mut users = alice();
    let proof = |users: &Users, now| {
        users.prove("alice", b"open sesame", now, &mut HashMemory::default()).map(|_| ()).err()
    };
    users.lock("alice", true).unwrap();
    assert_eq!(proof(&users, NOW), Some(ProofError::Locked));
    assert_eq!(
        users.prove("alice", b"wrong", NOW, &mut HashMemory::default()).unwrap_err(),
        ProofError::Password,
        "told to nobody else"
    );
    users.lock("alice", false).unwrap();
    users.expire("alice", Some(NOW)).unwrap();
    assert_eq!((proof(&users, NOW - 1), proof(&users, NOW)), (None, Some(ProofError::Expired)));
    users.expire("alice", None).unwrap();
    users.set_password("alice", b"new", &SALT, Cost::LEAST, &mut HashMemory::default()).unwrap();
    assert_eq!(proof(&users, NOW), Some(ProofError::Password));
    users.remove("alice").unwrap();
    assert_eq!(proof(&users, NOW), Some(ProofError::Unknown));
    let unknown = Err(UsersError::Unknown("alice".to_owned()));
    assert_eq!(users.lock("alice", true), unknown);
    assert_eq!(users.expire("alice", None), unknown);
    assert_eq!(users.set_password("alice", b"x", &SALT, Cost::LEAST, &mut HashMemory::default()), unknown);
    assert_eq!(users.remove("alice"), unknown);
}

#[test]
fn names_and_passwords_that_cannot_be_are_refused() {
    let mut users = alice();
    let mut add = |name: &str, password: &[u8]| {
        users.add(name, password, Vec::new(), &SALT, Cost::LEAST, &mut HashMemory::default())
    };
    for name in ["", " alice", "alice ", "al\"ice", "al\\ice", "al\nice", "nobody", &"x".repeat(65)] {
        assert_eq!(add(name, b"x"), Err(UsersError::Name(name.to_owned())), "{name:?}");
    }
    assert_eq!(add("alice", b"x"), Err(UsersError::Exists("alice".to_owned())));
    let hash = |error| Err(UsersError::Hash { user: "bob".to_owned(), error });
    assert_eq!(add("bob", b""), hash(HashError::Empty));
    assert_eq!(add("bob", &vec![b'x'; PASSWORD_BYTES_MAX + 1]), hash(HashError::TooLong));
    assert_eq!(add("bob", &vec![b'x'; PASSWORD_BYTES_MAX]), Ok(()));
    assert_eq!(add(&"ä".repeat(32), b"x"), Ok(()));
}

#[test]
fn a_name_that_no_rule_can_mean_becomes_no_user_and_a_file_that_has_it_is_read() {
    let mut users = alice();
    for name in ["*", "*MQADMIN", "al*", "../x", "/", "al\u{202e}ice", "al\u{200b}ice"] {
        let mut add = |name: &str, group: &str| {
            let groups = vec![group.to_owned()];
            let added = users.add(name, b"x", groups, &SALT, Cost::LEAST, &mut HashMemory::default());
            matches!(added, Err(UsersError::GivenName(_)))
        };
        assert!(add(name, "g") && add("bob", name), "{name:?}");
    }
    assert_eq!(users.all().count(), 1);
    let older = users.text().replace("alice", "../x");
    assert!(Users::read(&older).unwrap().get("../x").is_some(), "nobody is locked out by a new release");
}

#[test]
fn a_user_whose_messages_would_pass_for_those_of_another_is_not_added() {
    let mut users = Users::default();
    let mut add =
        |name: &str| users.add(name, b"x", Vec::new(), &SALT, Cost::LEAST, &mut HashMemory::default());
    assert_eq!(add("payments-east"), Ok(()));
    let alike =
        |user: &str| Err(UsersError::Alike { user: user.to_owned(), other: "payments-east".to_owned() });
    assert_eq!(add("payments-eas"), alike("payments-eas"), "the other's UserIdentifier itself");
    assert_eq!(add("payments-easter"), alike("payments-easter"));
    assert_eq!(add("payments-west"), Ok(()));
    assert_eq!(add("Payments-eas"), Ok(()), "names are exact");
    assert_eq!(users.by_short("payments-eas"), Some("payments-east"));
    assert_eq!((users.by_short("payments-east"), users.by_short("payments")), (None, None));
    assert_eq!(users.alike().count(), 0);
    // A file that was made before is read, and the users are named.
    let text = users.text().replace("payments-west", "payments-eas");
    let users = Users::read(&text).unwrap();
    assert_eq!(users.by_short("payments-eas"), None, "neither of two");
    assert_eq!(
        users.alike().collect::<Vec<_>>(),
        [("payments-eas", "payments-east"), ("payments-east", "payments-eas"),]
    );
}

#[test]
fn a_hash_is_of_the_common_form_and_asks_for_no_more_than_it_may() {
    let hash = Hash::new(b"password", &SALT, Cost { memory_kib: 64, passes: 3 }, &mut HashMemory::default())
        .unwrap();
    let text = hash.to_string();
    assert!(text.starts_with("$argon2id$v=19$m=64,t=3,p=1$c2l4dGVlbiBieXRlcyBpdA$"), "{text}");
    let read: Hash = text.parse().unwrap();
    assert!(
        read == hash
            && read.is_of(b"password", &mut HashMemory::default())
            && !read.is_of(b"Password", &mut HashMemory::default())
    );
    assert_eq!(format!("{hash:?}"), "********", "a hash is not in a log by accident");
    for (from, to, expected) in [
        ("m=64", "m=262145", HashError::Cost),
        ("t=3", "t=17", HashError::Cost),
        ("m=64", "m=7", HashError::Form),
        ("m=64", "m=4294967296", HashError::Form),
        ("argon2id", "argon2i", HashError::Form),
        ("v=19", "v=16", HashError::Form),
        ("p=1", "p=4", HashError::Form),
        ("$c2l4dGVlbiBieXRlcyBpdA$", "$c2l4$", HashError::Form),
        ("$c2l4dGVlbiBieXRlcyBpdA$", "$!!!!$", HashError::Form),
    ] {
        assert_eq!(text.replace(from, to).parse::<Hash>(), Err(expected), "{from} {to}");
    }
    assert_eq!(text[..text.len() - 4].parse::<Hash>(), Err(HashError::Form));
    assert_eq!("".parse::<Hash>(), Err(HashError::Form));
}

#[test]
fn a_file_is_written_read_back_and_for_its_owner_alone() {
    let place = tempfile::tempdir().unwrap();
    let file = UsersFile::at(place.path().join("users.toml"));
    assert_eq!(file.read().unwrap(), Users::default());
    let mut users = alice();
    users.lock("alice", true).unwrap();
    users.expire("alice", Some(NOW)).unwrap();
    file.write(&users).unwrap();
    assert_eq!(file.read().unwrap(), users);
    assert_eq!(fs::metadata(file.path()).unwrap().mode() & 0o777, 0o600);
    for mode in [0o640, 0o604, 0o620] {
        fs::set_permissions(file.path(), fs::Permissions::from_mode(mode)).unwrap();
        assert!(matches!(file.read(), Err(FileError::Mode { .. })), "{mode:o}");
    }
    file.write(&users).unwrap();
    file.read().unwrap();
}

#[test]
fn a_text_that_is_not_right_is_refused_without_showing_a_hash() {
    let right = alice().text();
    let hash = right.split('"').find(|part| part.starts_with("$argon2id")).unwrap().to_owned();
    for (from, to, expected) in [
        ("hash =", "hsah =", "line 4"),
        ("hash =", "hash", "line 4"),
        ("\"payments\"]", "\"payments\"", "line"),
        ("[users.\"alice\"]", "[users.\" alice\"]", "is no name"),
        ("[\"payments\"]", "[\"pay\\u0000ments\"]", "is no name"),
        ("m=8", "m=9999999", "asks for more"),
        ("[users.\"alice\"]", "[people.\"alice\"]", "line"),
        ("groups", "shell = \"x\"\ngroups", "line"),
    ] {
        let text = right.replace(from, to);
        assert_ne!(text, right, "{from}");
        let error = Users::read(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error} for {expected}");
        assert!(!error.contains(&hash[..40]), "{error}");
    }
    let twice = format!("{right}{right}");
    assert!(Users::read(&twice).is_err());
    assert_eq!(Users::read(""), Ok(Users::default()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_written_is_read_back(
        names in prop::collection::btree_set("[a-zA-Z0-9.@äß\\[\\]=#-][ -!#-&()+-.0-\\[\\]-~ä]{0,20}[a-z]", 0..6),
        groups in prop::collection::vec("[a-z#\\]]{1,8}", 0..4),
        expires in prop::option::of(any::<u32>()),
    ) {
        let mut users = Users::default();
        for name in &names {
            users.add(name, name.as_bytes(), groups.clone(), &SALT, Cost::LEAST, &mut HashMemory::default()).unwrap();
            users.expire(name, expires.map(u64::from)).unwrap();
        }
        prop_assert_eq!(Users::read(&users.text()), Ok(users));
    }

    #[test]
    fn any_text_is_refused_or_read(text in "\\PC{0,80}") {
        if let Ok(users) = Users::read(&text) {
            prop_assert_eq!(Users::read(&users.text()), Ok(users));
        }
    }
}

#[test]
fn hashes_of_a_thread_work_in_one_block_of_the_largest_cost_and_give_back_more() {
    let (small, large) = (Cost { memory_kib: 64, passes: 1 }, Cost { memory_kib: 256, passes: 1 });
    let mut memory = HashMemory::default();
    let mut users = Users::default();
    users.add("ada", b"right", Vec::new(), &SALT, large, &mut memory).unwrap();
    users.add("bob", b"right", Vec::new(), &SALT, small, &mut memory).unwrap();
    for (name, password) in [("ada", b"wrong"), ("bob", b"right"), ("eve", b"wrong"), ("ada", b"right")] {
        let is_proved = users.prove(name, password, NOW, &mut memory).is_ok();
        assert_eq!(is_proved, password == b"right", "{name}: blocks of other passwords are no matter");
        assert_eq!(memory.bytes(), 256 << 10, "{name}");
    }
    memory.shrink_to(large);
    assert_eq!(memory.bytes(), 256 << 10);
    memory.shrink_to(small);
    users.prove("bob", b"right", NOW, &mut memory).unwrap();
    assert_eq!(memory.bytes(), 64 << 10);
    assert_eq!(users.cost_max(), Cost::USUAL, "new passwords have it");
    let above = Cost { memory_kib: 20 << 10, passes: 1 };
    users.set_password("bob", b"other", &SALT, above, &mut memory).unwrap();
    assert_eq!(users.cost_max(), above);
}
