use super::{
    Authorities, Authority, AuthorityError, ENTITY_LENGTH_MAX, Entity, ObjectType, RECORDS_MAX, Record,
    Scope, Set, What, Who,
};
use mqi::constants;
use proptest::prelude::*;

fn record<'a>(object_type: ObjectType, profile: &str, entity: Entity<'a>, keywords: &str) -> Record<'a> {
    let set = keywords.split(' ').map(|word| object_type.named(word).unwrap()).fold(Set::EMPTY, Set::with);
    Record { object_type, scope: Scope::parse(object_type, profile).unwrap(), entity, set }
}

fn authorities(records: &[(ObjectType, &str, Entity<'_>, &str)]) -> Authorities {
    let mut authorities = Authorities::default();
    for (object_type, profile, entity, keywords) in records {
        authorities.set(record(*object_type, profile, *entity, keywords)).unwrap();
    }
    authorities
}

fn who(user: &str) -> Who<'_> {
    Who { user, groups: &[], is_administrator: false }
}

const QUEUE: ObjectType = ObjectType::Queue;
const MANAGER: ObjectType = ObjectType::QueueManager;
const FRED: Entity<'static> = Entity::User("fred");

/// Typed by hand from the public pages of the family's commands, apart from `facts/authorities.csv`: the
/// authorities, and the types that they fit.
const FITS: [(&str, i32, &[&str]); 22] = [
    ("ALTUSR", 1, &["QMGR"]),
    ("BROWSE", 2, &["QUEUE"]),
    (
        "CHG",
        3,
        &[
            "QUEUE", "QMGR", "TOPIC", "PROCESS", "NAMELIST", "AUTHINFO", "CHANNEL", "CLNTCONN", "LISTENER",
            "SERVICE", "COMMINFO", "BRIDGE", "PIPE", "RQMNAME",
        ],
    ),
    ("CLR", 4, &["QUEUE", "TOPIC"]),
    ("CONNECT", 5, &["QMGR"]),
    (
        "CRT",
        6,
        &[
            "QUEUE", "QMGR", "TOPIC", "PROCESS", "NAMELIST", "AUTHINFO", "CHANNEL", "CLNTCONN", "LISTENER",
            "SERVICE", "COMMINFO", "BRIDGE", "PIPE", "RQMNAME",
        ],
    ),
    (
        "DLT",
        7,
        &[
            "QUEUE", "QMGR", "TOPIC", "PROCESS", "NAMELIST", "AUTHINFO", "CHANNEL", "CLNTCONN", "LISTENER",
            "SERVICE", "COMMINFO", "BRIDGE", "PIPE", "RQMNAME",
        ],
    ),
    (
        "DSP",
        8,
        &[
            "QUEUE", "QMGR", "TOPIC", "PROCESS", "NAMELIST", "AUTHINFO", "CHANNEL", "CLNTCONN", "LISTENER",
            "SERVICE", "COMMINFO", "BRIDGE", "PIPE", "RQMNAME",
        ],
    ),
    ("GET", 9, &["QUEUE"]),
    ("INQ", 10, &["QUEUE", "QMGR", "PROCESS", "NAMELIST", "AUTHINFO"]),
    ("PUT", 11, &["QUEUE", "RQMNAME"]),
    ("PASSALL", 12, &["QUEUE", "TOPIC"]),
    ("PASSID", 13, &["QUEUE", "TOPIC"]),
    ("SET", 14, &["QUEUE", "QMGR", "PROCESS", "AUTHINFO"]),
    ("SETALL", 15, &["QUEUE", "QMGR", "TOPIC"]),
    ("SETID", 16, &["QUEUE", "QMGR", "TOPIC"]),
    ("CTRL", 17, &["QMGR", "TOPIC", "CHANNEL", "LISTENER", "SERVICE", "BRIDGE", "PIPE"]),
    ("CTRLX", 18, &["QMGR", "CHANNEL"]),
    ("PUB", 19, &["TOPIC"]),
    ("SUB", 20, &["TOPIC"]),
    ("RESUME", 21, &["TOPIC"]),
    ("SYSTEM", 22, &["QMGR"]),
];

#[test]
fn authorities_fit_the_types_that_public_pages_and_scripts_give_them_for() {
    let mut cells = 0;
    for (keyword, number, types) in FITS {
        let authority = Authority::by_keyword(keyword).unwrap();
        assert_eq!((authority.keyword(), authority.number()), (keyword, number));
        assert_eq!(Authority::by_number(number), Some(authority));
        assert_eq!(Authority::by_keyword(&keyword.to_lowercase()), Some(authority));
        for object_type in ObjectType::all() {
            let fits = types.contains(&object_type.keyword());
            let scope = Scope::parse(object_type, "A.B").unwrap();
            let set =
                Authorities::default().set(Record { object_type, scope, entity: FRED, set: authority.set() });
            let refused = AuthorityError::Unfit { unfit: authority.set(), object_type };
            assert_eq!(set, if fits { Ok(None) } else { Err(refused) }, "{keyword} on {object_type:?}");
            cells += 1;
        }
    }
    assert_eq!((cells, Authority::ALL.len()), (22 * 14, 22));
}

#[test]
fn types_have_their_keywords_and_numbers() {
    for (keyword, number) in [
        ("QUEUE", constants::MQOT_Q),
        ("QMGR", constants::MQOT_Q_MGR),
        ("TOPIC", constants::MQOT_TOPIC),
        ("PROCESS", constants::MQOT_PROCESS),
        ("NAMELIST", constants::MQOT_NAMELIST),
        ("AUTHINFO", constants::MQOT_AUTH_INFO),
        ("CHANNEL", constants::MQOT_CHANNEL),
        ("CLNTCONN", constants::MQOT_CLNTCONN_CHANNEL),
        ("LISTENER", constants::MQOT_LISTENER),
        ("SERVICE", constants::MQOT_SERVICE),
        ("COMMINFO", constants::MQOT_COMM_INFO),
        ("BRIDGE", mqi::ours::OBJECT_TYPE_BRIDGE),
        ("PIPE", mqi::ours::OBJECT_TYPE_PIPE),
        ("RQMNAME", constants::MQOT_REMOTE_Q_MGR_NAME),
    ] {
        let object_type = ObjectType::by_keyword(keyword).unwrap();
        assert_eq!((object_type.keyword(), object_type.number()), (keyword, number));
        assert_eq!(ObjectType::by_number(number), Some(object_type));
    }
    assert_eq!((ObjectType::all().count(), ObjectType::by_keyword("QLOCAL")), (14, None));
}

#[test]
fn words_for_several_stand_for_what_fits_without_crt_and_system() {
    for (object_type, keyword, expected) in [
        (QUEUE, "ALLMQI", "BROWSE,GET,INQ,PUT,PASSALL,PASSID,SET,SETALL,SETID"),
        (QUEUE, "ALLADM", "CHG,CLR,DLT,DSP"),
        (QUEUE, "all", "BROWSE,CHG,CLR,DLT,DSP,GET,INQ,PUT,PASSALL,PASSID,SET,SETALL,SETID"),
        (MANAGER, "ALLMQI", "ALTUSR,CONNECT,INQ,SET,SETALL,SETID"),
        (MANAGER, "ALLADM", "CHG,DLT,DSP,CTRL,CTRLX"),
        (ObjectType::Topic, "ALLMQI", "PASSALL,PASSID,SETALL,SETID,PUB,SUB,RESUME"),
        (ObjectType::Channel, "ALLMQI", "NONE"),
        (ObjectType::Channel, "ALL", "CHG,DLT,DSP,CTRL,CTRLX"),
        (ObjectType::RemoteQueueManager, "ALL", "CHG,DLT,DSP,PUT"),
        (ObjectType::RemoteQueueManager, "ALLADM", "CHG,DLT,DSP"),
        (QUEUE, "NONE", "NONE"),
        (QUEUE, "CRT", "CRT"),
        (MANAGER, "SYSTEM", "SYSTEM"),
    ] {
        assert_eq!(object_type.named(keyword).unwrap().to_string(), expected, "{keyword} on {object_type:?}");
    }
    assert_eq!(QUEUE.named("EVERYTHING"), None);
}

#[test]
fn the_most_specific_profile_of_an_entity_alone_counts() {
    let authorities = authorities(&[(QUEUE, "AB.*", FRED, "PUT"), (QUEUE, "AB.C*", FRED, "GET")]);
    assert_eq!(authorities.held(who("fred"), QUEUE, "AB.CD"), Set::GET);
    assert_eq!(authorities.held(who("fred"), QUEUE, "AB.XY"), Set::PUT);
    assert_eq!(authorities.held(who("fred"), QUEUE, "AB.C.D"), Set::EMPTY);
    assert_eq!(authorities.held(who("Fred"), QUEUE, "AB.CD"), Set::EMPTY);
    assert_eq!(authorities.held(who("fred"), ObjectType::Topic, "AB.CD"), Set::EMPTY);
}

#[test]
fn an_empty_record_takes_away_what_a_wider_profile_gives() {
    let authorities = authorities(&[(QUEUE, "**", FRED, "PUT GET"), (QUEUE, "SYSTEM.**", FRED, "NONE")]);
    assert_eq!(authorities.held(who("fred"), QUEUE, "SYSTEM.ADMIN.COMMAND.QUEUE"), Set::EMPTY);
    let what = What { object_type: QUEUE, name: "SYSTEM.A", needed: Set::PUT };
    let verdict = authorities.judge(who("fred"), what);
    assert_eq!((verdict.is_granted(), verdict.missing()), (false, Set::PUT));
    assert_eq!(verdict.deciding.map(|record| record.scope.to_string()).as_deref(), Some("SYSTEM.**"));
}

#[test]
fn rights_of_the_user_its_groups_and_everybody_add_up() {
    let authorities = authorities(&[
        (QUEUE, "A", FRED, "PUT"),
        (QUEUE, "**", Entity::Group("staff"), "GET"),
        (QUEUE, "A", Entity::Group("other"), "SET"),
        (QUEUE, "*", Entity::Group("nobody"), "INQ"),
        (QUEUE, "A", Entity::User("nobody"), "BROWSE"),
        (QUEUE, "A", Entity::User("staff"), "SETALL"),
    ]);
    let groups: Vec<Box<str>> = vec!["staff".into(), "nobody".into(), "absent".into()];
    let fred = Who { user: "fred", groups: &groups, is_administrator: false };
    assert_eq!(authorities.held(fred, QUEUE, "A"), Set::PUT.with(Set::GET).with(Set::INQ));
    assert_eq!(authorities.held(who("fred"), QUEUE, "A"), Set::PUT.with(Set::INQ));
    assert_eq!(authorities.held(who(""), QUEUE, "A"), Set::BROWSE.with(Set::INQ));
    assert_eq!(authorities.held(who("ann"), QUEUE, "A"), Set::INQ);
    let what = What { object_type: QUEUE, name: "A", needed: Set::PUT.with(Set::GET) };
    let verdict = authorities.judge(fred, what);
    assert!(verdict.is_granted());
    assert_eq!(verdict.deciding, Some(record(QUEUE, "**", Entity::Group("staff"), "GET")));
    let what = What { needed: Set::PUT, ..what };
    assert_eq!(authorities.judge(fred, what).deciding, Some(record(QUEUE, "A", FRED, "PUT")));
    let verdict = authorities.judge(who("ann"), what);
    assert_eq!(verdict.deciding, Some(record(QUEUE, "*", Entity::Group("nobody"), "INQ")));
    assert_eq!(Authorities::default().judge(fred, what).deciding, None);
}

#[test]
fn an_administrator_by_login_needs_no_record_and_one_by_name_does() {
    let authorities = Authorities::default();
    let what = What { object_type: MANAGER, name: "", needed: Set::CONNECT };
    let verdict = authorities.judge(Who { is_administrator: true, ..who("fred") }, what);
    assert_eq!((verdict.is_granted(), verdict.had, verdict.missing()), (true, Set::EMPTY, Set::EMPTY));
    for user in ["root", "mqm", "ferrymq", "SYSTEM", "*MQADMIN"] {
        assert!(!authorities.judge(who(user), what).is_granted(), "{user}");
    }
}

#[test]
fn the_queue_manager_has_one_profile_whatever_it_is_called() {
    let mut authorities = authorities(&[(MANAGER, "", FRED, "CONNECT")]);
    for name in ["QM1", "", "SELF", "ANOTHER"] {
        assert_eq!(authorities.held(who("fred"), MANAGER, name), Set::CONNECT, "{name}");
    }
    for profile in ["SELF", "QM1", "self", "**", "not a profile"] {
        let before = authorities.set(record(MANAGER, profile, FRED, "CONNECT")).unwrap();
        assert_eq!(before, Some(Set::CONNECT), "{profile}");
    }
    assert_eq!(authorities.len(), 1);
}

#[test]
fn objects_are_created_by_a_right_for_all_types_or_for_one() {
    let create = |authorities: &Authorities, user: &str, object_type| {
        authorities.judge(who(user), What { object_type, name: "A", needed: Set::CRT }).is_granted()
    };
    let authorities = authorities(&[
        (MANAGER, "", FRED, "CRT"),
        (QUEUE, "@CLASS", Entity::User("ann"), "CRT"),
        (QUEUE, "A", Entity::User("joe"), "CRT"),
        (QUEUE, "**", Entity::User("joe"), "CRT"),
        (QUEUE, "@class", Entity::User("sue"), "CRT GET"),
    ]);
    for object_type in ObjectType::all().filter(|object_type| object_type.fitting().contains(Set::CRT)) {
        assert!(create(&authorities, "fred", object_type), "{object_type:?}");
        assert_eq!(create(&authorities, "ann", object_type), object_type == QUEUE, "{object_type:?}");
    }
    // A profile of names says nothing of what may be defined, and a class gives nothing else.
    assert!(!create(&authorities, "joe", QUEUE));
    assert_eq!(authorities.held(who("sue"), QUEUE, "A"), Set::CRT);
    assert_eq!(authorities.held(who("fred"), QUEUE, "A"), Set::CRT);
    assert_eq!(authorities.held(who("joe"), QUEUE, "A"), Set::EMPTY);
}

#[test]
fn an_object_that_is_deleted_takes_its_own_records_along() {
    let mut authorities = authorities(&[
        (QUEUE, "A.B", FRED, "GET"),
        (QUEUE, "A.B", Entity::Group("staff"), "GET"),
        (QUEUE, "A.*", FRED, "PUT"),
        (QUEUE, "A.C", FRED, "GET"),
        (ObjectType::Topic, "A.B", FRED, "SUB"),
    ]);
    assert_eq!(authorities.object_deleted(QUEUE, "A.B"), 2);
    assert_eq!(authorities.object_deleted(QUEUE, "A.B"), 0);
    assert_eq!(authorities.object_deleted(QUEUE, "A.*"), 0);
    assert_eq!(authorities.len(), 3);
    assert_eq!(authorities.held(who("fred"), QUEUE, "A.B"), Set::PUT);
}

#[test]
fn a_copy_keeps_what_the_other_changes() {
    let before = authorities(&[(QUEUE, "A", FRED, "GET"), (QUEUE, "B*", FRED, "PUT")]);
    let mut after = before.clone();
    let scope = Scope::parse(QUEUE, "A").unwrap();
    assert_eq!(after.delete(QUEUE, &scope, FRED), Some(Set::GET));
    assert_eq!(after.delete(QUEUE, &scope, FRED), None);
    assert_eq!(after.delete(QUEUE, &Scope::Class, FRED), None);
    after.set(record(QUEUE, "B*", FRED, "INQ")).unwrap();
    assert_eq!((before.len(), after.len()), (2, 1));
    assert_eq!(before.held(who("fred"), QUEUE, "A"), Set::GET);
    assert_eq!(before.held(who("fred"), QUEUE, "BC"), Set::PUT);
    assert_eq!(after.held(who("fred"), QUEUE, "BC"), Set::INQ);
}

#[test]
fn a_record_that_cannot_be_is_refused() {
    let mut authorities = Authorities::default();
    let error = authorities.set(record(ObjectType::Namelist, "A", FRED, "PUT GET INQ")).unwrap_err();
    assert_eq!(error.to_string(), "GET,PUT cannot be given on NAMELIST; it has CHG,CRT,DLT,DSP,INQ");
    let longest = "a".repeat(ENTITY_LENGTH_MAX);
    assert_eq!(authorities.set(record(QUEUE, "A", Entity::User(&longest), "GET")), Ok(None));
    for name in ["", "a\nb", &format!("{longest}a")] {
        for entity in [Entity::User(name), Entity::Group(name)] {
            assert_eq!(
                authorities.set(record(QUEUE, "A", entity, "GET")),
                Err(AuthorityError::Entity),
                "{name:?}"
            );
        }
    }
    assert!(Scope::parse(QUEUE, "A**").is_err() && Scope::parse(QUEUE, "").is_err());
    assert_eq!((authorities.len(), authorities.records().count()), (1, 1));
}

#[test]
fn records_have_a_bound_that_replacing_does_not_reach() {
    let mut authorities = authorities(&[(QUEUE, "A", FRED, "GET")]);
    authorities.count = RECORDS_MAX;
    assert_eq!(authorities.set(record(QUEUE, "B", FRED, "GET")), Err(AuthorityError::TooMany));
    assert_eq!(authorities.set(record(QUEUE, "A", FRED, "PUT")), Ok(Some(Set::GET)));
}

/// The cost of a judgement among 100,000 profiles; the least of several rounds, which no load of the machine
/// lengthens.
#[test]
#[ignore = "it measures the machine: cargo test --release -p security -- --ignored"]
#[expect(clippy::disallowed_methods, reason = "the test measures")]
fn a_judgement_among_a_hundred_thousand_profiles_is_short() {
    /// Two microseconds is the promise for a release; a build for tests is slower by far.
    const NANOSECONDS_MAX: u128 = if cfg!(debug_assertions) { 40_000 } else { 2_000 };
    let mut authorities = Authorities::default();
    for number in 0..100_000 {
        let (user, group) = (format!("user{}", number % 7), format!("group{}", number % 5));
        let entity = if number % 2 == 0 { Entity::User(&user) } else { Entity::Group(&group) };
        authorities.set(record(QUEUE, &format!("APP{number:05}.**"), entity, "GET")).unwrap();
    }
    let groups: Vec<Box<str>> = (0..5).map(|number| format!("group{number}").into()).collect();
    let user = Who { user: "user3", groups: &groups, is_administrator: false };
    let what = What { object_type: QUEUE, name: "APP77777.REQUESTS.IN", needed: Set::GET };
    let round = || {
        let start = std::time::Instant::now();
        for _ in 0..100 {
            assert!(std::hint::black_box(&authorities).judge(user, what).is_granted());
        }
        start.elapsed().as_nanos() / 100
    };
    let least = (0..20).map(|_| round()).min().unwrap();
    println!("{least} ns");
    assert!(least <= NANOSECONDS_MAX, "{least} ns");
}

/// A search through them would take a thousand times as long as one through a hundred.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test measures")]
fn a_judgement_among_a_hundred_thousand_profiles_is_no_search_through_them() {
    let least = |profiles: usize| {
        let mut authorities = Authorities::default();
        for number in 0..profiles {
            let user = format!("user{}", number % 7);
            let profile = format!("APP{number:05}.**");
            authorities.set(record(QUEUE, &profile, Entity::User(&user), "GET")).unwrap();
        }
        let last = profiles - 1;
        let (user, name) = (format!("user{}", last % 7), format!("APP{last:05}.REQUESTS.IN"));
        let who = Who { user: &user, groups: &[], is_administrator: false };
        let what = What { object_type: QUEUE, name: &name, needed: Set::GET };
        let stranger = Who { user: "stranger", ..who };
        let round = || {
            let start = std::time::Instant::now();
            for _ in 0..20 {
                assert!(std::hint::black_box(&authorities).judge(who, what).is_granted());
                assert!(!std::hint::black_box(&authorities).judge(stranger, what).is_granted());
            }
            start.elapsed()
        };
        (0..50).map(|_| round()).min().unwrap()
    };
    let (few, many) = (least(100), least(100_000));
    assert!(many < few * 30, "{many:?} among 100,000, and {few:?} among 100");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Records in a list, and the rules as they are said: of each entity the most specific, then all
    /// together.
    #[test]
    fn a_verdict_agrees_with_a_list_of_records(
        rows in prop::collection::vec((0..3_usize, "[AB*]{1,2}(\\.[AB?*]{1,2})?", 0..5_usize, 0..1 << 13_u32), 0..25),
        name in "[AB]{1,2}(\\.[AB]{1,2})?",
        needed in 0..13_usize,
    ) {
        let entities: [Entity<'static>; 5] =
            [FRED, Entity::Group("staff"), Entity::Group("nobody"), Entity::User("ann"), Entity::Group("other")];
        let types = [QUEUE, ObjectType::Topic, MANAGER];
        let mut authorities = Authorities::default();
        let mut list: Vec<Record<'static>> = Vec::new();
        for (object_type, profile, entity, bits) in rows {
            let object_type = types[object_type];
            let Ok(scope) = Scope::parse(object_type, &profile) else { continue };
            let fitting = object_type.fitting().iter().enumerate();
            let set = fitting.filter(|(at, _)| bits >> at & 1 == 1).map(|(_, authority)| authority.set());
            let record = Record { object_type, scope, entity: entities[entity], set: set.fold(Set::EMPTY, Set::with) };
            authorities.set(record).unwrap();
            list.retain(|own| (own.object_type, own.scope, own.entity) != (object_type, scope, record.entity));
            list.push(record);
        }
        prop_assert_eq!(authorities.len(), list.len());
        let mut all: Vec<_> = authorities.records().collect();
        let key = |record: &Record<'static>| (record.object_type, record.entity, record.scope);
        list.sort_by_key(key);
        all.sort_by(|one, other| {
            (one.object_type, one.entity, one.scope).cmp(&(other.object_type, other.entity, other.scope))
        });
        prop_assert_eq!(&all, &list);
        let groups: Vec<Box<str>> = vec!["staff".into()];
        let fred = Who { user: "fred", groups: &groups, is_administrator: false };
        for object_type in types {
            let best = |entity: Entity<'_>, object_type: ObjectType| {
                let name = if object_type == MANAGER { "SELF" } else { &name };
                let own = list.iter().filter(|record| record.entity == entity && record.object_type == object_type);
                let matching = own.filter_map(|record| match record.scope {
                    Scope::Names(profile) => profile.matches(name).then_some((profile, record.set)),
                    Scope::Class => None,
                });
                let best = matching.min_by(|one, other| one.0.by_specificity(&other.0));
                best.map_or(Set::EMPTY, |(_, set)| set)
            };
            let mut expected = Set::EMPTY;
            for entity in &entities[..3] {
                expected = expected.with(best(*entity, object_type).without(Set::CRT));
                if best(*entity, MANAGER).contains(Set::CRT) {
                    expected = expected.with(Set::CRT);
                }
            }
            prop_assert_eq!(authorities.held(fred, object_type, &name), expected);
            let needed = Authority::ALL[needed].set();
            let verdict = authorities.judge(fred, What { object_type, name: &name, needed });
            prop_assert_eq!(verdict.is_granted(), expected.contains(needed));
            if verdict.is_granted() {
                let deciding = verdict.deciding.expect("a record decides");
                prop_assert!(deciding.set.contains(needed), "{:?}", deciding);
            }
        }
    }
}
