use super::{
    Action, Address, Certificate, Check, CheckError, ClientCheck, CredentialCheck, Judgement, LIST_MAX,
    Login, Map, Mapped, Partner, RECORDS_MAX, Record, Refusal, Rule, RuleError, Rules, UserSource,
};
use crate::distinguished_name::{Name, Pattern};
use crate::wildcard::Wildcard;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn wildcard(text: &str) -> Wildcard {
    Wildcard::new(text).unwrap()
}

fn source(text: &str) -> UserSource {
    match text {
        "CHANNEL" => UserSource::Channel,
        "NOACCESS" => UserSource::NoAccess,
        user => UserSource::Map(user.to_owned()),
    }
}

fn map(channel: &str, partner: Mapped, address: &str, user: &str) -> Record {
    let address = (!address.is_empty()).then(|| Address::parse(address).unwrap());
    let rule = Rule::Map(Map { partner, address, source: source(user), check: ClientCheck::AsQueueManager });
    Record { channel: wildcard(channel), rule, warns: false }
}

fn peer(subject: &str, issuer: &str) -> Mapped {
    let pattern = |text: &str| text.parse::<Pattern>().unwrap();
    let issuer = (!issuer.is_empty()).then(|| pattern(issuer));
    Mapped::Certificate { subject: pattern(subject), issuer }
}

fn user(name: &str) -> Mapped {
    Mapped::User(name.to_owned())
}

fn queue_manager(name: &str) -> Mapped {
    Mapped::QueueManager(wildcard(name))
}

fn block_users(channel: &str, users: &[&str]) -> Record {
    let rule = Rule::BlockUsers(users.iter().map(|user| (*user).to_owned()).collect());
    Record { channel: wildcard(channel), rule, warns: false }
}

fn block_addresses(addresses: &[&str]) -> Record {
    let rule = Rule::BlockAddresses(addresses.iter().map(|address| address.parse().unwrap()).collect());
    Record { channel: wildcard("*"), rule, warns: false }
}

fn with_check(mut record: Record, asked: ClientCheck) -> Record {
    if let Rule::Map(map) = &mut record.rule {
        map.check = asked;
    }
    record
}

fn warning(record: Record) -> Record {
    Record { warns: true, ..record }
}

fn rules(records: &[Record]) -> Rules {
    let mut rules = Rules::default();
    for record in records {
        rules.set(record.clone(), Action::Add).unwrap_or_else(|error| panic!("{error}: {record:?}"));
    }
    rules
}

fn program<'a>(asserted: &'a str) -> Partner<'a> {
    Partner::Program { asserted, adopted: None, is_proved: false }
}

fn is_administrator(user: &str) -> bool {
    user == "root"
}

fn login<'a>(channel: &'a str, address: &str, partner: Partner<'a>) -> Login<'a> {
    Login {
        channel,
        channel_user: "",
        address: address.parse().unwrap(),
        hosts: &[],
        certificate: None,
        partner,
        check: CredentialCheck::Optional,
        is_administrator: &is_administrator,
    }
}

fn verdict(judgement: Judgement<'_>) -> Result<String, Refusal> {
    judgement.user
}

#[test]
fn the_family_s_three_rules_and_the_backstop_let_in_what_they_should() {
    let rules = rules(&[
        block_users("*", &["*MQADMIN"]),
        map("SYSTEM.*", Mapped::Any, "*", "NOACCESS"),
        map("SYSTEM.ADMIN.SVRCONN", Mapped::Any, "*", "CHANNEL"),
        map("*", Mapped::Any, "*", "NOACCESS"),
    ]);
    for (channel, asserted, expected) in [
        ("SYSTEM.ADMIN.SVRCONN", "ann", Ok("ann")),
        ("SYSTEM.ADMIN.SVRCONN", "root", Err(Refusal::User)),
        ("SYSTEM.ADMIN.SVRCONN", "", Ok("nobody")),
        ("SYSTEM.DEF.SVRCONN", "ann", Err(Refusal::NoAccess)),
        ("APP", "ann", Err(Refusal::NoAccess)),
    ] {
        let user = verdict(rules.judge(&login(channel, "10.0.0.1", program(asserted))));
        assert_eq!(user, expected.map(str::to_owned), "{asserted} on {channel}");
    }
}

#[test]
fn the_most_specific_mapping_decides_by_channel_then_certificate_then_name_then_address() {
    let records = [
        map("APP.ONE", Mapped::Any, "*", "channel-exact"),
        map("APP.*", peer("SERIALNUMBER=01", ""), "", "serial"),
        map("APP.*", peer("CN=app1,OU=pay", "CN=root-ca"), "", "issuer"),
        map("APP.*", peer("CN=app1,OU=pay", "CN=*"), "", "any-issuer"),
        map("APP.*", peer("CN=app1,OU=pay", ""), "", "name-and-unit"),
        map("APP.*", peer("CN=app1", ""), "10.0.0.1", "name-and-address"),
        map("APP.*", peer("CN=app1", ""), "", "name"),
        map("APP.*", peer("CN=app*", ""), "", "generic-name"),
        map("APP.*", user("ann"), "10.0.0.1", "user-and-address"),
        map("APP.*", user("ann"), "10.0.0.*", "user-and-net"),
        map("APP.*", user("ann"), "", "user"),
        map("APP.*", Mapped::Any, "10.0.0.1", "address"),
        map("APP.*", Mapped::Any, "10.0.0.*", "net"),
        map("APP.*", Mapped::Any, "*", "everywhere"),
        map("APP.*", Mapped::Any, "app1.example.com", "host"),
        map("APP.*", Mapped::Any, "*.example.com", "hosts"),
        map("A*", peer("SERIALNUMBER=01", ""), "10.0.0.1", "shorter-channel"),
        map("*", user("ann"), "10.0.0.1", "any-channel"),
    ];
    let mut subject = Name::new();
    subject.add_serial_number(&[1]);
    subject.add("2.5.4.11", Ok("pay"));
    subject.add("2.5.4.3", Ok("app1"));
    let mut issuer = Name::new();
    issuer.add("2.5.4.3", Ok("root-ca"));
    let login = Login {
        hosts: &["APP1.example.com"],
        certificate: Some(Certificate { subject: &subject, issuer: &issuer }),
        ..login("APP.ONE", "10.0.0.1", program("ann"))
    };
    // Whichever way they were set, the first of those that are left decides.
    for is_reversed in [false, true] {
        for from in 0..records.len() {
            let mut left = records[from..].to_vec();
            if is_reversed {
                left.reverse();
            }
            let rules = rules(&left);
            let judgement = rules.judge(&login);
            let Rule::Map(Map { source: UserSource::Map(expected), .. }) = &records[from].rule else {
                unreachable!()
            };
            assert_eq!(judgement.user.as_ref(), Ok(expected), "{is_reversed}");
            assert_eq!(judgement.mapping, Some(&records[from]));
        }
    }
    assert_eq!(verdict(Rules::default().judge(&login)), Ok("nobody".to_owned()));
}

#[test]
fn a_record_matches_partners_of_its_kind_alone() {
    let rules = rules(&[
        map("*", user("QM1"), "", "by-user"),
        map("*", queue_manager("QM1"), "", "by-manager"),
        map("*", queue_manager("QM*"), "", "by-managers"),
    ]);
    for (partner, expected) in [
        (program("QM1"), "by-user"),
        (program("qm1"), "nobody"),
        (Partner::QueueManager("QM1"), "by-manager"),
        (Partner::QueueManager("QM2"), "by-managers"),
        (Partner::QueueManager("X"), "nobody"),
        (Partner::Program { asserted: "ann", adopted: Some("QM1"), is_proved: true }, "by-user"),
        (Partner::Program { asserted: "QM1", adopted: Some("ann"), is_proved: true }, "ann"),
    ] {
        assert_eq!(
            verdict(rules.judge(&login("A", "10.0.0.1", partner))),
            Ok(expected.to_owned()),
            "{partner:?}"
        );
    }
}

#[test]
fn the_later_source_of_a_user_wins_and_an_asserted_one_needs_a_rule() {
    let adopted = Partner::Program { asserted: "said", adopted: Some("proved"), is_proved: true };
    let channel = map("*", Mapped::Any, "*", "CHANNEL");
    let asking = with_check(channel.clone(), ClientCheck::RequiredForAdministrators);
    for (records, channel_user, partner, expected) in [
        (vec![], "", program("said"), "nobody"),
        (vec![], "own", program("said"), "own"),
        (vec![], "own", adopted, "proved"),
        (vec![channel.clone()], "", program("said"), "said"),
        (vec![channel.clone()], "own", program("said"), "own"),
        (vec![channel.clone()], "own", adopted, "proved"),
        (vec![asking.clone()], "", program("said"), "nobody"),
        (vec![asking], "", adopted, "proved"),
        (vec![map("*", Mapped::Any, "*", "ruled")], "own", adopted, "ruled"),
        (vec![channel], "", Partner::QueueManager("said"), "nobody"),
    ] {
        let login = Login { channel_user, ..login("A", "10.0.0.1", partner) };
        assert_eq!(
            verdict(rules(&records).judge(&login)),
            Ok(expected.to_owned()),
            "{records:?} {partner:?}"
        );
    }
}

#[test]
fn credentials_are_asked_for_by_the_stricter_of_both() {
    use ClientCheck::{AsQueueManager, Required as Always, RequiredForAdministrators as Administrators};
    use CredentialCheck::{None, Optional, Required, RequiredForAdministrators};
    for (own, asked, ann, root) in [
        (None, AsQueueManager, Ok(()), Ok(())),
        (Optional, AsQueueManager, Ok(()), Ok(())),
        (RequiredForAdministrators, AsQueueManager, Ok(()), Err(Refusal::Credentials)),
        (Required, AsQueueManager, Err(Refusal::Credentials), Err(Refusal::Credentials)),
        (None, Administrators, Err(Refusal::NoProvider), Err(Refusal::NoProvider)),
        (Optional, Administrators, Ok(()), Err(Refusal::Credentials)),
        (RequiredForAdministrators, Administrators, Ok(()), Err(Refusal::Credentials)),
        (Required, Administrators, Err(Refusal::Credentials), Err(Refusal::Credentials)),
        (None, Always, Err(Refusal::NoProvider), Err(Refusal::NoProvider)),
        (Optional, Always, Err(Refusal::Credentials), Err(Refusal::Credentials)),
        (RequiredForAdministrators, Always, Err(Refusal::Credentials), Err(Refusal::Credentials)),
        (Required, Always, Err(Refusal::Credentials), Err(Refusal::Credentials)),
    ] {
        for (name, expected) in [("ann", ann), ("root", root)] {
            let rules = rules(&[with_check(map("*", Mapped::Any, "*", name), asked)]);
            let judge = |partner| {
                let login = Login { check: own, ..login("A", "10.0.0.1", partner) };
                verdict(rules.judge(&login)).map(|_| ())
            };
            assert_eq!(judge(program("x")), expected, "{own:?} {asked:?} {name}");
            let proved = judge(Partner::Program { asserted: "x", adopted: Option::None, is_proved: true });
            let expected = if expected == Err(Refusal::NoProvider) { expected } else { Ok(()) };
            assert_eq!(proved, expected, "{own:?} {asked:?} {name}, proved");
        }
    }
    assert_eq!((Refusal::NoProvider.code(), Refusal::Credentials.code()), (2063, 2035));
}

#[test]
fn a_blocked_user_stays_blocked_by_the_list_of_the_nearest_channel_name() {
    let records = [
        block_users("*", &["*MQADMIN", "alice", "nobody"]),
        block_users("ADMIN.*", &["eve"]),
        map("*", Mapped::Any, "*", "CHANNEL"),
        map("*", user("boss"), "", "root"),
        map("ADMIN.*", Mapped::Any, "*", "CHANNEL"),
    ];
    let rules = rules(&records);
    for (channel, asserted, expected) in [
        ("APP", "bob", Ok("bob")),
        ("APP", "alice", Err(Refusal::User)),
        ("APP", "ALICE", Err(Refusal::User)),
        ("APP", "alice2", Ok("alice2")),
        ("APP", "root", Err(Refusal::User)),
        ("APP", "boss", Err(Refusal::User)),
        ("APP", "", Err(Refusal::User)),
        ("ADMIN.ONE", "root", Ok("root")),
        ("ADMIN.ONE", "alice", Ok("alice")),
        ("ADMIN.ONE", "eve", Err(Refusal::User)),
    ] {
        let judgement = rules.judge(&login(channel, "10.0.0.1", program(asserted)));
        assert_eq!(judgement.user, expected.map(str::to_owned), "{asserted} on {channel}");
        let list = if channel == "APP" { &records[0] } else { &records[1] };
        assert_eq!(judgement.blocking, expected.is_err().then_some(list));
    }
    // Lists are for programs; a queue manager's channel names its own user.
    let login = Login { channel_user: "root", ..login("APP", "10.0.0.1", Partner::QueueManager("QM1")) };
    assert_eq!(verdict(rules.judge(&login)), Ok("root".to_owned()));
}

#[test]
fn a_blocked_address_is_turned_away_in_every_spelling() {
    let rules = rules(&[block_addresses(&["10.0.0.1-8", "2001:DB8::*".replace("::*", ":*").as_str()])]);
    for (address, is_blocked) in [
        ("10.0.0.8", true),
        ("::ffff:10.0.0.8", true),
        ("10.0.0.9", false),
        ("2001:db8::7", true),
        ("2001:db9::7", false),
    ] {
        let address_value = address.parse().unwrap();
        assert_eq!(rules.blocking_address(address_value).is_some(), is_blocked, "{address}");
        let user = verdict(rules.judge(&login("A", address, program("ann"))));
        assert_eq!(user.is_err(), is_blocked, "{address}");
        assert_eq!(user == Err(Refusal::Address), is_blocked, "{address}");
    }
}

#[test]
fn a_record_that_warns_lets_pass_and_is_reported() {
    let (addresses, none, users) = (
        warning(block_addresses(&["10.0.0.1"])),
        warning(map("*", Mapped::Any, "*", "NOACCESS")),
        warning(block_users("*", &["ann"])),
    );
    let own = rules(&[addresses.clone(), none.clone(), users.clone()]);
    let judgement = own.judge(&login("A", "10.0.0.1", program("ann")));
    assert_eq!(judgement.user, Ok("ann".to_owned()));
    assert_eq!(judgement.warnings, [&addresses, &none, &users]);
    assert_eq!((judgement.mapping, judgement.blocking), (Some(&none), None));
    let judgement = own.judge(&login("A", "10.0.0.2", program("bob")));
    assert_eq!((judgement.user, judgement.warnings), (Ok("bob".to_owned()), vec![&none]));
    // A warning of one record does not lift the refusal of another.
    let strict = rules(&[addresses.clone(), map("*", Mapped::Any, "*", "NOACCESS")]);
    let judgement = strict.judge(&login("A", "10.0.0.1", program("ann")));
    assert_eq!((judgement.user, judgement.warnings), (Err(Refusal::NoAccess), vec![&addresses]));
}

#[test]
fn a_record_that_cannot_be_is_refused_with_its_reason_code() {
    let many = |count: usize| (0..count).map(|number| format!("user{number}")).collect::<Vec<_>>();
    let list =
        |users: Vec<String>| Record { channel: wildcard("*"), rule: Rule::BlockUsers(users), warns: false };
    let asking = |record| with_check(record, ClientCheck::Required);
    let of_channel = Record { channel: wildcard("A"), ..block_addresses(&["10.0.0.1"]) };
    for (record, error, code) in [
        (of_channel, RuleError::Channel, 3349),
        (list(many(LIST_MAX + 1)), RuleError::List, 3344),
        (list(Vec::new()), RuleError::List, 3344),
        (list(vec![String::new()]), RuleError::User, 3335),
        (list(vec!["u".repeat(65)]), RuleError::User, 3335),
        (map("*", user("a*"), "", "x"), RuleError::ClientUser, 3348),
        (map("*", user(""), "", "x"), RuleError::User, 3335),
        (map("*", user("a"), "", ""), RuleError::User, 3335),
        (map("*", Mapped::Any, "*", &"u".repeat(65)), RuleError::User, 3335),
        (asking(map("*", queue_manager("QM1"), "", "x")), RuleError::Check, 3370),
        (asking(map("*", Mapped::Any, "*", "NOACCESS")), RuleError::Check, 3370),
        (warning(map("*", Mapped::Any, "*", "x")), RuleError::Warn, 3341),
        (warning(map("*", user("a"), "", "CHANNEL")), RuleError::Warn, 3341),
        (map("*", Mapped::Any, "", "x"), RuleError::Address, 3345),
    ] {
        for action in [Action::Add, Action::Replace, Action::Remove] {
            let mut rules = Rules::default();
            let refused = rules.set(record.clone(), action).unwrap_err();
            assert_eq!((refused.code(), &refused), (code, &error), "{record:?}");
            assert!(rules.records().is_empty());
        }
    }
    assert!(Rules::default().set(list(many(LIST_MAX)), Action::Add).is_ok());
    for (text, is_host) in [
        ("app1.example.com", Some(true)),
        ("*.example.com", Some(true)),
        ("10.0.0.*", Some(false)),
        ("2001:DB8::1", Some(false)),
        ("*", Some(false)),
        ("app 1", None),
        ("10.0.0", None),
        ("app\u{1b}", None),
        ("", None),
    ] {
        let parsed = Address::parse(text).ok();
        assert_eq!(parsed.as_ref().map(|address| matches!(address, Address::Host(_))), is_host, "{text}");
        assert!(parsed.is_none_or(|address| address.to_string() == text.replace("::1", ":0:0:0:0:0:1")));
    }
}

#[test]
fn ranges_of_one_channel_profile_do_not_cross() {
    let first = map("A.*", Mapped::Any, "10.0.0.1-8", "x");
    for (channel, address, crosses) in [
        ("A.*", "10.0.0.5-12", true),
        ("A.*", "10.0.0.2-7", false),
        ("A.*", "10.0.0.*", false),
        ("A.*", "10.0.1.5-12", false),
        ("B.*", "10.0.0.5-12", false),
    ] {
        for partner in [Mapped::Any, user("ann"), queue_manager("QM1"), peer("CN=a", "")] {
            let mut rules = rules(std::slice::from_ref(&first));
            let second = map(channel, partner, address, "y");
            let set = rules.set(second.clone(), Action::Add);
            assert_eq!(set.is_err(), crosses, "{channel} {address}");
            if let Err(error) = set {
                assert_eq!((error.code(), rules.records().len()), (3343, 1));
                assert!(
                    error.to_string().contains("10.0.0.5-12") && error.to_string().contains("10.0.0.1-8")
                );
                assert_eq!(rules.set(second, Action::Replace).unwrap_err().code(), 3343);
            }
        }
    }
}

#[test]
fn actions_add_replace_and_remove() {
    let mut rules = Rules::default();
    let one = map("A", user("ann"), "10.0.0.1", "x");
    let other = map("A", user("ann"), "10.0.0.1", "y");
    rules.set(one.clone(), Action::Add).unwrap();
    rules.set(one.clone(), Action::Add).unwrap();
    assert_eq!(rules.records(), std::slice::from_ref(&one), "the same once more is no fault");
    assert_eq!(rules.set(other.clone(), Action::Add), Err(RuleError::Exists));
    assert_eq!(rules.set(map("A", user("ann"), "", "z"), Action::Remove), Err(RuleError::Absent));
    rules.set(other.clone(), Action::Replace).unwrap();
    assert_eq!(rules.records(), std::slice::from_ref(&other));
    rules.set(one, Action::Remove).unwrap();
    assert!(rules.records().is_empty());

    rules.set(block_users("A", &["ann", "bob"]), Action::Add).unwrap();
    rules.set(warning(block_users("A", &["bob", "eve", "eve"])), Action::Add).unwrap();
    assert_eq!(rules.records(), [warning(block_users("A", &["ann", "bob", "eve"]))]);
    assert_eq!(rules.set(block_users("A", &["ann", "joe"]), Action::Remove), Err(RuleError::Absent));
    rules.set(block_users("A", &["ann"]), Action::Remove).unwrap();
    assert_eq!(rules.records(), [warning(block_users("A", &["bob", "eve"]))]);
    rules.set(block_users("A", &["eve", "bob"]), Action::Remove).unwrap();
    assert!(rules.records().is_empty());

    rules.set(block_addresses(&["10.0.0.1"]), Action::Add).unwrap();
    rules.set(block_addresses(&["10.0.0.2"]), Action::Add).unwrap();
    assert_eq!(rules.records(), [block_addresses(&["10.0.0.1", "10.0.0.2"])]);
    let fill: Vec<String> = (0..LIST_MAX - 1).map(|number| format!("10.1.0.{number}")).collect();
    let fill = block_addresses(&fill.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(rules.set(fill.clone(), Action::Add), Err(RuleError::List));
    rules.set(fill, Action::Replace).unwrap();
    rules.set(map("A", Mapped::Any, "*", "x"), Action::Add).unwrap();
    assert_eq!(rules.remove_all(|record| matches!(record.rule, Rule::BlockAddresses(_))), 1);
    assert_eq!(rules.records(), [map("A", Mapped::Any, "*", "x")]);
}

#[test]
fn records_have_a_bound() {
    let mut rules = Rules::default();
    for number in 0..RECORDS_MAX {
        rules.records_mut().push(map("A", user(&format!("user{number}")), "", "x"));
    }
    assert_eq!(rules.set(map("A", user("more"), "", "x"), Action::Add), Err(RuleError::TooMany));
    assert_eq!(rules.set(map("A", user("user7"), "", "y"), Action::Replace), Ok(()));
}

fn check<'a>(channel: &'a str, address: &'a str, partner: Partner<'a>) -> Check<'a> {
    Check {
        channel,
        channel_user: "",
        address,
        partner,
        subject: None,
        issuer: None,
        check: CredentialCheck::Optional,
        is_administrator: &is_administrator,
    }
}

#[test]
fn a_check_asks_about_one_login() {
    let rules = rules(&[
        map("A", peer("CN=app1", "CN=ca"), "", "by-certificate"),
        map("A", user("ann"), "", "by-user"),
    ]);
    let ann = check("A", "10.0.0.1", program("ann"));
    assert_eq!(rules.run_check(&ann).map(verdict), Ok(Ok("by-user".to_owned())));
    let bearer = Check { subject: Some("CN=app1,O=Bank"), issuer: Some("CN=ca"), ..ann };
    assert_eq!(rules.run_check(&bearer).map(verdict), Ok(Ok("by-certificate".to_owned())));
    let other = Check { issuer: Some("CN=other"), ..bearer };
    assert_eq!(rules.run_check(&other).map(verdict), Ok(Ok("by-user".to_owned())));
    for (asked, keyword) in [
        (Check { channel: "A*", ..ann }, "CHLAUTH"),
        (Check { channel: "", ..ann }, "CHLAUTH"),
        (Check { address: "10.0.0.*", ..ann }, "ADDRESS"),
        (Check { address: "10.0.0.1-2", ..ann }, "ADDRESS"),
        (Check { address: "app1.example.com", ..ann }, "ADDRESS"),
        (Check { partner: program("a*"), ..ann }, "CLNTUSER"),
        (Check { partner: program(""), ..ann }, "CLNTUSER"),
        (Check { partner: Partner::QueueManager("QM*"), ..ann }, "QMNAME"),
        (Check { subject: Some("CN=a*"), ..ann }, "SSLPEER"),
        (Check { subject: Some("nonsense"), ..ann }, "SSLPEER"),
        (Check { issuer: Some("CN=*"), ..bearer }, "SSLCERTI"),
    ] {
        let refused = rules.run_check(&asked).unwrap_err();
        assert_eq!((refused, refused.code()), (CheckError { keyword }, 3350));
    }
}

/// The second writing: records and logins as texts, and the rules as they are said, one after the other.
mod naive {
    use super::BTreeMap;

    #[derive(Clone, Debug)]
    pub(super) struct Row {
        pub(super) channel: String,
        /// `subject`, `issuer`, `user`, `manager`, `address`, `block`: a value for each that the record has.
        pub(super) parts: BTreeMap<&'static str, String>,
        pub(super) source: String,
        pub(super) check: u8,
        pub(super) warns: bool,
    }

    #[derive(Clone, Debug)]
    pub(super) struct Asking {
        pub(super) channel: String,
        pub(super) octets: [u8; 4],
        pub(super) subject: BTreeMap<String, String>,
        pub(super) issuer: String,
        pub(super) user: Option<String>,
        pub(super) manager: String,
        pub(super) adopted: Option<String>,
        pub(super) is_proved: bool,
        pub(super) channel_user: String,
        pub(super) check: u8,
    }

    fn starred(pattern: &str, text: &str) -> bool {
        match pattern.split_once('*') {
            None => pattern == text,
            Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
                (0..=rest.len()).any(|at| rest.is_char_boundary(at) && starred(after, &rest[at..]))
            }),
        }
    }

    fn octet(part: &str, octet: u8) -> bool {
        match part.split_once('-') {
            Some((first, last)) => (first.parse().unwrap()..=last.parse().unwrap()).contains(&octet),
            None => part == "*" || part.parse() == Ok(octet),
        }
    }

    fn address(pattern: &str, octets: [u8; 4]) -> bool {
        pattern == "*" || pattern.split('.').zip(octets).all(|(part, own)| octet(part, own))
    }

    fn attributes(pattern: &str) -> BTreeMap<String, String> {
        let pair = |part: &str| part.split_once('=').map(|(word, value)| (word.to_owned(), value.to_owned()));
        pattern.split(',').filter_map(pair).collect()
    }

    fn name(pattern: &str, name: &BTreeMap<String, String>) -> bool {
        attributes(pattern).iter().all(|(word, value)| name.get(word).is_some_and(|own| starred(value, own)))
    }

    /// Smaller is more specific: for each place in the order, absence, then openness, then shortness.
    fn rank(row: &Row) -> Vec<i64> {
        let starred_rank = |text: &str| {
            let stars = text.matches('*').count() as i64;
            let first = text.find('*').map_or(0, |at| -(at as i64));
            [i64::from(stars > 0), stars - text.len() as i64, stars, first]
        };
        let mut rank = starred_rank(&row.channel).to_vec();
        let name_rank = |text: Option<&String>| {
            let mut rank = Vec::from([i64::from(text.is_none())]);
            let attributes = text.map(|text| attributes(text)).unwrap_or_default();
            for word in ["CN", "OU", "O"] {
                match attributes.get(word) {
                    Some(value) => {
                        let [open, shortness, ..] = starred_rank(value);
                        rank.extend([0, open, shortness]);
                    }
                    None => rank.extend([1, 0, 0]),
                }
            }
            rank
        };
        rank.extend(name_rank(row.parts.get("subject")));
        rank.extend(name_rank(row.parts.get("issuer")));
        let named = ["user", "manager"].iter().find_map(|key| row.parts.get(key));
        rank.push(i64::from(named.is_none()));
        rank.extend(row.parts.get("manager").map_or([0; 4], |text| starred_rank(text)));
        match row.parts.get("address").map(String::as_str) {
            None => rank.push(2),
            Some("*") => rank.push(1),
            Some(text) => {
                rank.push(0);
                rank.extend(text.split('.').map(|part| match part.split_once('-') {
                    Some((first, last)) => last.parse::<i64>().unwrap() - first.parse::<i64>().unwrap(),
                    None => {
                        if part == "*" {
                            255
                        } else {
                            0
                        }
                    }
                }));
            }
        }
        rank
    }

    fn is_mapping(row: &Row, asking: &Asking) -> bool {
        let has = |key: &str, fits: &dyn Fn(&str) -> bool| row.parts.get(key).is_none_or(|value| fits(value));
        let acting = [&asking.adopted, &asking.user].into_iter().find_map(Clone::clone);
        !row.parts.contains_key("block")
            && !row.parts.contains_key("block addresses")
            && starred(&row.channel, &asking.channel)
            && has("subject", &|value| !asking.subject.is_empty() && name(value, &asking.subject))
            && has("issuer", &|value| {
                name(value, &BTreeMap::from([("CN".to_owned(), asking.issuer.clone())]))
            })
            && has("user", &|value| asking.user.is_some() && acting.as_deref() == Some(value))
            && has("manager", &|value| asking.user.is_none() && starred(value, &asking.manager))
            && has("address", &|value| address(value, asking.octets))
    }

    /// The user, or the name of the rule that refuses.
    pub(super) fn judge(rows: &[Row], asking: &Asking) -> Result<String, &'static str> {
        for row in rows.iter().filter(|row| !row.warns) {
            if row
                .parts
                .get("block addresses")
                .is_some_and(|list| list.split(' ').any(|pattern| address(pattern, asking.octets)))
            {
                return Err("address");
            }
        }
        let mut mapping: Vec<&Row> = rows.iter().filter(|row| is_mapping(row, asking)).collect();
        mapping.sort_by_key(|row| rank(row));
        let deciding = mapping.first();
        let source = deciding.map_or("", |row| row.source.as_str());
        if source == "NOACCESS" && !deciding.unwrap().warns {
            return Err("no access");
        }
        let is_program = asking.user.is_some();
        let user = match source {
            "" | "CHANNEL" | "NOACCESS" => {
                let asserted = asking.user.clone().filter(|_| deciding.is_some_and(|row| row.check == 0));
                let channel = Some(asking.channel_user.clone());
                let found = asking.adopted.clone().into_iter().chain(channel).chain(asserted);
                { found }.find(|name| !name.is_empty()).unwrap_or_else(|| "nobody".to_owned())
            }
            mapped => mapped.to_owned(),
        };
        if is_program {
            let asked = deciding.map_or(0, |row| row.check);
            if asked > 0 && asking.check == 0 {
                return Err("no provider");
            }
            let level = asking.check.max(if asked > 0 { asked + 1 } else { 0 });
            if !asking.is_proved && (level == 3 || level == 2 && user == "root") {
                return Err("credentials");
            }
            let mut lists: Vec<&Row> = rows
                .iter()
                .filter(|row| row.parts.contains_key("block") && starred(&row.channel, &asking.channel))
                .collect();
            lists.sort_by_key(|row| rank(row));
            if let Some(row) = lists.first().filter(|row| !row.warns) {
                let is_blocked = |entry: &str| match entry {
                    "*MQADMIN" => user == "root",
                    entry => entry.eq_ignore_ascii_case(&user),
                };
                if row.parts["block"].split(' ').any(is_blocked) {
                    return Err("user");
                }
            }
        }
        Ok(user)
    }
}

fn any_row() -> impl Strategy<Value = naive::Row> {
    let channel = || prop::sample::select(vec!["*", "A*", "A.*", "A.B", "A.C", "*B", "A.*B"]);
    let address = prop::sample::select(vec![
        "",
        "*",
        "10.0.0.*",
        "10.0.0.1",
        "10.0.0.2",
        "10.0.0.1-2",
        "10.0.*.1",
        "10.0.0.2-3",
        "10.*.0.1",
        "10.0.0-1.1",
    ]);
    let partner = prop::sample::select(vec![
        ("subject", "CN=a"),
        ("subject", "CN=a*"),
        ("subject", "CN=a,OU=u"),
        ("subject", "CN=*,OU=u"),
        ("subject", "O=o"),
        ("subject", "OU=*u,O=*"),
        ("user", "ann"),
        ("user", "root"),
        ("manager", "QM1"),
        ("manager", "QM*"),
        ("manager", "*"),
        ("", ""),
        ("", ""),
        ("", ""),
    ]);
    let source = prop::sample::select(vec!["CHANNEL", "NOACCESS", "mapped", "root", "alice"]);
    let issuer = prop::sample::select(vec!["", "CN=ca", "CN=c*"]);
    let map = (channel(), partner, issuer, address, source, 0..3_u8, any::<bool>()).prop_map(
        |(channel, (key, value), issuer, address, source, check, warns)| {
            let address = if key.is_empty() && address.is_empty() { "*" } else { address };
            let issuer = if key == "subject" { issuer } else { "" };
            let pairs = [(key, value), ("issuer", issuer), ("address", address)];
            let parts = pairs.into_iter().filter(|(_, value)| !value.is_empty());
            naive::Row {
                channel: channel.to_owned(),
                parts: parts.map(|(key, value)| (key, value.to_owned())).collect(),
                source: source.to_owned(),
                check: if key == "manager" || source == "NOACCESS" { 0 } else { check },
                warns: warns && source == "NOACCESS",
            }
        },
    );
    let lists = vec!["*MQADMIN", "alice", "Ann nobody", "mapped *MQADMIN"];
    let block = (channel(), prop::sample::select(lists), any::<bool>()).prop_map(|(channel, list, warns)| {
        naive::Row {
            channel: channel.to_owned(),
            parts: BTreeMap::from([("block", list.to_owned())]),
            source: String::new(),
            check: 0,
            warns,
        }
    });
    let addresses = (prop::sample::select(vec!["10.0.0.3", "10.1.*.*", "10.0.1.1 10.0.0.3"]), any::<bool>())
        .prop_map(|(list, warns)| naive::Row {
            channel: "*".to_owned(),
            parts: BTreeMap::from([("block addresses", list.to_owned())]),
            source: String::new(),
            check: 0,
            warns,
        });
    prop_oneof![8 => map, 2 => block, 1 => addresses]
}

fn record(row: &naive::Row) -> Record {
    let words = |list: &str| list.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let rule = if let Some(list) = row.parts.get("block") {
        Rule::BlockUsers(words(list))
    } else if let Some(list) = row.parts.get("block addresses") {
        Rule::BlockAddresses(words(list).iter().map(|text| text.parse().unwrap()).collect())
    } else {
        let part = |key: &str| row.parts.get(key).map_or("", String::as_str);
        let partner = match row.parts.keys().find(|key| ["subject", "user", "manager"].contains(key)) {
            Some(&"subject") => peer(part("subject"), part("issuer")),
            Some(&"user") => user(part("user")),
            Some(_) => queue_manager(part("manager")),
            None => Mapped::Any,
        };
        let Record { rule, .. } = map("*", partner, part("address"), &row.source);
        let Rule::Map(map) = rule else { unreachable!() };
        let check =
            [ClientCheck::AsQueueManager, ClientCheck::RequiredForAdministrators, ClientCheck::Required];
        Rule::Map(Map { check: check[usize::from(row.check)], ..map })
    };
    Record { channel: wildcard(&row.channel), rule, warns: row.warns }
}

fn any_asking() -> impl Strategy<Value = naive::Asking> {
    let subject = prop::sample::select(vec!["", "CN=a", "CN=ab,OU=u", "CN=a,OU=u,O=o", "OU=xu,O=o"]);
    let users = prop::sample::select(vec!["ann", "root", "alice", "bob"]);
    let adopted = prop::option::of(prop::sample::select(vec!["ann", "root", "alice"]));
    (
        prop::sample::select(vec!["A.B", "A.C", "AB", "X"]),
        prop::sample::select(vec![[10, 0, 0, 1], [10, 0, 0, 2], [10, 0, 0, 3], [10, 0, 1, 1], [10, 1, 0, 1]]),
        subject,
        prop::option::of(users),
        adopted,
        any::<bool>(),
        prop::sample::select(vec!["", "own", "root"]),
        0..4_u8,
    )
        .prop_map(|(channel, octets, subject, user, adopted, is_proved, channel_user, check)| {
            let pair =
                |part: &str| part.split_once('=').map(|(word, value)| (word.to_owned(), value.to_owned()));
            // Queue managers log in without a password.
            let adopted = adopted.filter(|_| user.is_some());
            naive::Asking {
                channel: channel.to_owned(),
                octets,
                subject: subject.split(',').filter_map(pair).collect(),
                issuer: "ca".to_owned(),
                user: user.map(str::to_owned),
                manager: "QM1".to_owned(),
                is_proved: is_proved || adopted.is_some(),
                adopted: adopted.map(str::to_owned),
                channel_user: channel_user.to_owned(),
                check,
            }
        })
}

fn refusal(name: &str) -> Refusal {
    match name {
        "address" => Refusal::Address,
        "no access" => Refusal::NoAccess,
        "no provider" => Refusal::NoProvider,
        "credentials" => Refusal::Credentials,
        "user" => Refusal::User,
        _ => unreachable!(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn logins_and_checks_agree_with_the_second_writing(
        rows in prop::collection::vec(any_row(), 0..14), asking in prop::collection::vec(any_asking(), 1..4),
    ) {
        let mut rules = Rules::default();
        let mut kept: Vec<naive::Row> = Vec::new();
        for row in rows {
            // A second record for the same partner, and ranges that cross, are refused: both writings leave
            // them out.
            let same = |own: &naive::Row| {
                let is_list = |row: &naive::Row| row.parts.keys().any(|key| key.starts_with("block"));
                let keys = |row: &naive::Row| row.parts.keys().copied().collect::<Vec<_>>();
                own.channel == row.channel && (own.parts == row.parts || is_list(own) && keys(own) == keys(&row))
            };
            if kept.iter().any(same) || rules.set(record(&row), Action::Add).is_err() {
                continue;
            }
            kept.push(row);
        }
        prop_assert_eq!(rules.records().len(), kept.len());
        for asking in asking {
            let subject_text: Vec<String> = asking.subject.iter().map(|(word, value)| format!("{word}={value}")).collect();
            let subject_text = subject_text.join(",");
            let subject = (!asking.subject.is_empty()).then(|| subject_text.parse::<Pattern>().unwrap().name().unwrap());
            let issuer = "CN=ca".parse::<Pattern>().unwrap().name().unwrap();
            let partner = match &asking.user {
                Some(asserted) => {
                    Partner::Program { asserted, adopted: asking.adopted.as_deref(), is_proved: asking.is_proved }
                }
                None => Partner::QueueManager(&asking.manager),
            };
            let levels = [
                CredentialCheck::None,
                CredentialCheck::Optional,
                CredentialCheck::RequiredForAdministrators,
                CredentialCheck::Required,
            ];
            let login = Login {
                channel: &asking.channel,
                channel_user: &asking.channel_user,
                address: asking.octets.into(),
                hosts: &[],
                certificate: subject.as_ref().map(|subject| Certificate { subject, issuer: &issuer }),
                partner,
                check: levels[usize::from(asking.check)],
                is_administrator: &is_administrator,
            };
            let judgement = rules.judge(&login);
            let expected = naive::judge(&kept, &asking).map_err(refusal);
            prop_assert_eq!(&judgement.user, &expected, "{:?} of {:?}", asking, kept);
            let address = asking.octets.map(|octet| octet.to_string()).join(".");
            let check = Check {
                channel: &asking.channel,
                channel_user: &asking.channel_user,
                address: &address,
                partner,
                subject: subject.as_ref().map(|_| subject_text.as_str()),
                issuer: Some("CN=ca"),
                check: login.check,
                is_administrator: &is_administrator,
            };
            prop_assert_eq!(rules.run_check(&check), Ok(judgement));
        }
    }
}
