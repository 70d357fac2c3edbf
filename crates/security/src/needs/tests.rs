//! `facts/needs.csv` is a second writing of what calls need, and stands in no way of the product: here it
//! judges it.

use std::collections::BTreeMap;

use mqi::{CloseOptions, OpenOptions, PutFlags, SubscribeOptions};

use super::{
    AnotherUsers, By, Command, Destination, Kind, Needs, On, Subscription, close, command, connect, open,
};
use super::{put_one, subscribe};
use crate::authority::{Authorities, Authority, Entity, ObjectType, Record, Scope, Set, What, Who};
use crate::profile::Profile;

type Table = BTreeMap<(On, By), Set>;

/// One line of the second writing.
#[derive(Clone, Debug)]
struct Line {
    call: &'static str,
    case: &'static str,
    option: &'static str,
    on: On,
    by: By,
    needed: Set,
}

fn lines() -> Vec<Line> {
    let text = include_str!("../../facts/needs.csv");
    text.lines().skip(1).map(line).collect()
}

fn line(text: &'static str) -> Line {
    let [call, case, option, on, by, needed] = text.split(',').collect::<Vec<_>>()[..] else {
        panic!("six fields: {text}")
    };
    let on = match on {
        "object" => On::Object,
        "qmgr" => On::QueueManager,
        "topic" => On::TopicOfAlias,
        "dynamic" => On::DynamicQueue,
        "destination" => On::Destination,
        "like" => On::Like,
        _ => panic!("{text}"),
    };
    let by = match by {
        "user" => By::User,
        "caller" => By::Caller,
        _ => panic!("{text}"),
    };
    let needed = needed.split(' ').map(|word| Authority::by_keyword(word).expect(text).set());
    Line { call, case, option, on, by, needed: needed.fold(Set::EMPTY, Set::with) }
}

const KINDS: [(&str, Kind); 9] = [
    ("queue", Kind::Queue),
    ("transmission", Kind::TransmissionQueue),
    ("model", Kind::ModelQueue),
    ("alias", Kind::AliasOfTopic),
    ("topic", Kind::Topic),
    ("remote", Kind::RemoteQueueManager),
    ("process", Kind::Process),
    ("namelist", Kind::Namelist),
    ("qmgr", Kind::QueueManager),
];

const OPEN: [(&str, OpenOptions); 13] = [
    ("INQUIRE", OpenOptions::INQUIRE),
    ("SET", OpenOptions::SET),
    ("BROWSE", OpenOptions::BROWSE),
    ("INPUT_AS_Q_DEF", OpenOptions::INPUT_AS_Q_DEF),
    ("INPUT_SHARED", OpenOptions::INPUT_SHARED),
    ("INPUT_EXCLUSIVE", OpenOptions::INPUT_EXCLUSIVE),
    ("SAVE_ALL_CONTEXT", OpenOptions::SAVE_ALL_CONTEXT),
    ("OUTPUT", OpenOptions::OUTPUT),
    ("PASS_IDENTITY_CONTEXT", OpenOptions::PASS_IDENTITY_CONTEXT),
    ("PASS_ALL_CONTEXT", OpenOptions::PASS_ALL_CONTEXT),
    ("SET_IDENTITY_CONTEXT", OpenOptions::SET_IDENTITY_CONTEXT),
    ("SET_ALL_CONTEXT", OpenOptions::SET_ALL_CONTEXT),
    ("ALTERNATE_USER_AUTHORITY", OpenOptions::ALTERNATE_USER_AUTHORITY),
];

const PUT: [(&str, PutFlags); 5] = [
    ("PASS_IDENTITY_CONTEXT", PutFlags::PASS_IDENTITY_CONTEXT),
    ("PASS_ALL_CONTEXT", PutFlags::PASS_ALL_CONTEXT),
    ("SET_IDENTITY_CONTEXT", PutFlags::SET_IDENTITY_CONTEXT),
    ("SET_ALL_CONTEXT", PutFlags::SET_ALL_CONTEXT),
    ("ALTERNATE_USER_AUTHORITY", PutFlags::ALTERNATE_USER_AUTHORITY),
];

const COMMANDS: [(&str, Command, ObjectType); 15] = [
    ("define", Command::Define, ObjectType::Queue),
    ("replace", Command::Replace, ObjectType::Queue),
    ("alter", Command::Alter, ObjectType::Channel),
    ("delete", Command::Delete, ObjectType::Topic),
    ("clear", Command::Clear, ObjectType::Queue),
    ("move", Command::Move, ObjectType::Queue),
    ("display", Command::Display, ObjectType::Listener),
    ("reset statistics", Command::ResetStatistics, ObjectType::Queue),
    ("control", Command::Control, ObjectType::Channel),
    ("control extended", Command::ControlExtended, ObjectType::Channel),
    ("display queue manager", Command::DisplayQueueManager, ObjectType::QueueManager),
    ("administer", Command::Administer, ObjectType::QueueManager),
    ("define subscription", Command::DefineSubscription, ObjectType::Topic),
    ("define subscription of another", Command::DefineSubscriptionOfAnother, ObjectType::Topic),
    ("delete subscription", Command::DeleteSubscription, ObjectType::Topic),
];

fn subscribe_options(words: &str) -> SubscribeOptions {
    words.split(' ').fold(SubscribeOptions::EMPTY, |options, word| {
        options
            | match word {
                "CREATE" => SubscribeOptions::CREATE,
                "ALTER" => SubscribeOptions::ALTER,
                "RESUME" => SubscribeOptions::RESUME,
                "SET_IDENTITY_CONTEXT" => SubscribeOptions::SET_IDENTITY_CONTEXT,
                "ALTERNATE_USER_AUTHORITY" => SubscribeOptions::ALTERNATE_USER_AUTHORITY,
                _ => panic!("{word}"),
            }
    })
}

/// The product's needs of a case, and the type of the object.
fn product(call: &str, case: &str, option: &str) -> (Needs, ObjectType) {
    match call {
        "connect" => (connect(case == "part"), ObjectType::QueueManager),
        "open" => {
            let (_, kind) = KINDS.iter().find(|(name, _)| *name == case).expect(case);
            let options = OPEN.iter().find(|(name, _)| *name == option);
            (open(*kind, options.map_or(OpenOptions::EMPTY, |(_, options)| *options)), kind.object_type())
        }
        "close" => match option {
            "DELETE" => (close(CloseOptions::DELETE, false), ObjectType::Queue),
            "DELETE_PURGE" => (close(CloseOptions::DELETE_PURGE, false), ObjectType::Queue),
            "REMOVE_SUB" => (close(CloseOptions::REMOVE_SUB, false), ObjectType::Topic),
            _ => panic!("{option}"),
        },
        "subscribe" => {
            let (destination, subscription) = case.split_once(' ').expect(case);
            let destination = match destination {
                "managed" => Destination::Managed,
                "given" => Destination::Given,
                "returned" => Destination::Returned,
                _ => panic!("{case}"),
            };
            let subscription = if subscription == "new" { Subscription::New } else { Subscription::Open };
            let needs = subscribe(subscribe_options(option), destination, subscription);
            (needs.expect("it is not fixed to another"), ObjectType::Topic)
        }
        "command" => {
            let (_, own, object_type) = COMMANDS.iter().find(|(name, ..)| *name == case).expect(case);
            (command(*own), *object_type)
        }
        _ => panic!("{call}"),
    }
}

fn table(needs: &Needs) -> Table {
    let table: Table = needs.iter().map(|need| ((need.on, need.by), need.set)).collect();
    assert_eq!(table.len(), needs.iter().count(), "each object and user once");
    table
}

type Case = (&'static str, &'static str, &'static str);

fn cases(lines: &[Line]) -> BTreeMap<Case, Table> {
    let mut cases: BTreeMap<Case, Table> = BTreeMap::new();
    for line in lines {
        let set = cases
            .entry((line.call, line.case, line.option))
            .or_default()
            .entry((line.on, line.by))
            .or_default();
        *set = set.with(line.needed);
    }
    cases
}

/// The cases in which both writings differ.
fn differences(lines: &[Line]) -> Vec<Case> {
    let differs =
        |((call, case, option), expected): &(Case, Table)| table(&product(call, case, option).0) != *expected;
    cases(lines).into_iter().filter(differs).map(|(case, _)| case).collect()
}

#[test]
fn calls_need_what_the_second_writing_says() {
    let lines = lines();
    assert_eq!(differences(&lines), []);
    let cases = cases(&lines);
    for (name, _) in KINDS {
        let options = cases.keys().filter(|(call, case, _)| *call == "open" && *case == name).count();
        assert!(options >= 6, "{name} has cases");
    }
    for (name, ..) in COMMANDS {
        assert!(cases.contains_key(&("command", name, "")), "{name}");
    }
}

#[test]
fn a_flip_in_any_line_is_noticed() {
    let lines = lines();
    let mut flips = 0;
    for at in 0..lines.len() {
        for authority in Authority::ALL {
            let mut flipped = lines.clone();
            let has = flipped[at].needed.contains(authority.set());
            let needed = &mut flipped[at].needed;
            *needed = if has { needed.without(authority.set()) } else { needed.with(authority.set()) };
            let line = &lines[at];
            assert_eq!(
                differences(&flipped),
                [(line.call, line.case, line.option)],
                "{line:?} {authority:?}"
            );
            flips += 1;
        }
        let mut moved = lines.clone();
        moved[at].by = if moved[at].by == By::User { By::Caller } else { By::User };
        assert_eq!(differences(&moved).len(), 1, "{:?}", lines[at]);
        let mut gone = lines.clone();
        let without = gone.remove(at);
        let is_only_one = !cases(&gone).contains_key(&(without.call, without.case, without.option));
        assert!(is_only_one || differences(&gone).len() == 1, "{without:?}");
    }
    assert!(flips > 4000, "{flips}");
}

#[test]
fn options_together_need_what_each_needs() {
    let cases = cases(&lines());
    let of = |name: &'static str, option: &'static str| cases.get(&("open", name, option));
    let mut judged = 0;
    for (name, kind) in KINDS {
        let known: Vec<_> = OPEN.iter().filter(|(option, _)| of(name, option).is_some()).collect();
        for chosen in 0..1_u32 << known.len() {
            let options =
                known.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, row)| **row);
            let mut expected = of(name, "").cloned().unwrap_or_default();
            let mut together = OpenOptions::EMPTY;
            for (option, bits) in options {
                together |= bits;
                for (place, set) in of(name, option).unwrap() {
                    let own = expected.entry(*place).or_default();
                    *own = own.with(*set);
                }
            }
            assert_eq!(table(&open(kind, together)), expected, "{name} {together:?}");
            judged += 1;
        }
    }
    assert!(judged > 40_000, "{judged}");
}

#[test]
fn a_put_without_handle_needs_what_opening_for_it_needs() {
    for (name, kind) in KINDS {
        for chosen in 0..1_u32 << PUT.len() {
            let rows = PUT.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, row)| *row);
            let (mut flags, mut options) = (PutFlags::EMPTY, OpenOptions::OUTPUT);
            for (word, flag) in rows {
                flags |= flag;
                options |= OPEN.iter().find(|(own, _)| *own == word).unwrap().1;
            }
            assert_eq!(put_one(kind, flags), open(kind, options), "{name} {flags:?}");
        }
    }
}

#[test]
fn makers_close_without_a_right_and_others_alter_no_fixed_subscription() {
    for options in [CloseOptions::DELETE, CloseOptions::DELETE_PURGE, CloseOptions::REMOVE_SUB] {
        assert_eq!(close(options, true), Needs::default());
    }
    for options in [CloseOptions::EMPTY, CloseOptions::KEEP_SUB, CloseOptions::QUIESCE] {
        assert_eq!(close(options, false), Needs::default());
    }
    let fixed = subscribe(SubscribeOptions::RESUME, Destination::Managed, Subscription::FixedToAnother);
    assert_eq!(fixed, Err(AnotherUsers));
}

/// Names of the objects of a case; each need is met on one of its own.
fn named(on: On, object_type: ObjectType) -> (ObjectType, &'static str) {
    match on {
        On::Object => (object_type, "PAY.IN"),
        On::QueueManager => (ObjectType::QueueManager, "QM1"),
        On::TopicOfAlias => (ObjectType::Topic, "PAY.NEWS"),
        On::DynamicQueue => (ObjectType::Queue, "PAY.5A"),
        On::Destination => (ObjectType::Queue, "PAY.OUT"),
        On::Like => (object_type, "PAY.MODEL"),
    }
}

/// The rights that a case asks for, each alone: an object, a user and an authority.
type Right = (ObjectType, &'static str, By, Authority);

fn rights(table: &Table, object_type: ObjectType) -> Vec<Right> {
    let of_need = |((on, by), set): (&(On, By), &Set)| {
        let ((object_type, name), by) = (named(*on, object_type), *by);
        set.iter().map(move |authority| (object_type, name, by, authority)).collect::<Vec<_>>()
    };
    table.iter().flat_map(of_need).collect()
}

/// Records that give rights, some of them by groups, by `nobody` and by generic profiles.
fn records(rights: &[Right], user: &'static str, caller: &'static str, way: usize) -> Authorities {
    let mut authorities = Authorities::default();
    for (object_type, name, by, authority) in rights {
        let own = if *by == By::User { user } else { caller };
        let entity = match (way, own) {
            (1, "user") => Entity::Group("users"),
            (1, _) => Entity::Group("callers"),
            (2, _) => Entity::Group("nobody"),
            _ => Entity::User(own),
        };
        let generic = ["PAY.**", "**", "PAY.*"][way % 3];
        let is_generic =
            way > 0 && *object_type != ObjectType::QueueManager && *authority != Authority::Create;
        let scope = match *authority {
            Authority::Create if *object_type != ObjectType::QueueManager => Scope::Class,
            _ => Scope::parse(*object_type, if is_generic { generic } else { name }).unwrap(),
        };
        let before = authorities.get(*object_type, &scope, entity).unwrap_or_default();
        let set = before.with(authority.set());
        let record = Record { object_type: *object_type, scope, entity, set };
        // A right that does not fit the type cannot be given: such a case is refused to every caller.
        drop(authorities.set(record));
    }
    authorities
}

fn is_granted(
    authorities: &Authorities,
    needs: &Needs,
    object_type: ObjectType,
    user: Who<'_>,
    caller: Who<'_>,
) -> bool {
    needs.iter().all(|need| {
        let (object_type, name) = named(need.on, object_type);
        let who = if need.by == By::User { user } else { caller };
        authorities.judge(who, What { object_type, name, needed: need.set }).is_granted()
    })
}

fn who<'a>(user: &'a str, groups: &'a [Box<str>]) -> Who<'a> {
    Who { user, groups, is_administrator: false }
}

#[test]
fn every_case_is_granted_with_its_rights_and_refused_without_any_one_of_them() {
    let users: [Box<str>; 1] = ["users".into()];
    let callers: [Box<str>; 1] = ["callers".into()];
    let (user, caller) = (who("user", &users), who("caller", &callers));
    let mut cells = 0;
    for ((call, case, option), expected) in cases(&lines()) {
        let (needs, object_type) = product(call, case, option);
        let all = rights(&expected, object_type);
        let fits =
            all.iter().all(|(object_type, _, _, authority)| object_type.fitting().contains(authority.set()));
        let mut judge =
            |rights: &[Right], way: usize, user: Who<'_>, caller: Who<'_>, granted: bool, said: &str| {
                let authorities = records(rights, "user", "caller", way);
                let verdict = is_granted(&authorities, &needs, object_type, user, caller);
                assert_eq!(verdict, granted, "{call} {case} {option}: {said}, way {way}");
                cells += 1;
            };
        let administrator = Who { is_administrator: true, ..who("root", &[]) };
        judge(&[], 0, administrator, administrator, true, "an administrator");
        judge(&[], 0, user, caller, false, "no record");
        judge(&all, 0, who("other", &[]), who("third", &[]), false, "the records of others");
        judge(&all, 0, who("", &[]), who("", &[]), false, "nobody");
        judge(&all, 0, who("USER", &[]), who("CALLER", &[]), false, "names in other letters");
        for way in 0..3 {
            judge(&all, way, user, caller, fits, "all rights");
            for at in 0..all.len() {
                let mut rest = all.clone();
                let (object_type, _, by, authority) = rest.remove(at);
                // A generic profile, or one group for all, may give the right again.
                let again =
                    rest.iter().any(|right| way > 0 && right.0 == object_type && right.3 == authority)
                        && (way == 2
                            || rest.iter().any(|right| {
                                right.0 == object_type && right.2 == by && right.3 == authority
                            }));
                judge(&rest, way, user, caller, again && fits, "one right less");
            }
        }
        judge(&all, 2, who("other", &[]), who("", &[]), fits, "rights of everybody");
        // The user's rights do not help with what the caller itself needs, nor the other way round.
        let mixed =
            all.iter().any(|right| right.2 == By::User) && all.iter().any(|right| right.2 == By::Caller);
        if mixed {
            judge(&all, 0, caller, user, false, "user and caller changed about");
        }
    }
    println!("{cells} cells");
    assert!(cells >= 1500, "{cells} cells");
}

#[test]
fn the_name_of_a_dynamic_queue_is_judged_where_a_profile_covers_it() {
    let mut authorities = Authorities::default();
    let mut set = |profile: &str| {
        let scope = Scope::Names(profile.parse::<Profile>().unwrap());
        let (object_type, entity) = (ObjectType::Queue, Entity::User("payroll"));
        authorities.set(Record { object_type, scope, entity, set: Set::GET }).unwrap();
        authorities.clone()
    };
    assert!(!set("**").covers(ObjectType::Queue, "PAYROLL.IN"));
    assert!(!set("SALES.**").covers(ObjectType::Queue, "PAYROLL.IN"));
    let covering = set("PAYROLL.*");
    assert!(covering.covers(ObjectType::Queue, "PAYROLL.IN"));
    assert!(!covering.covers(ObjectType::Topic, "PAYROLL.IN"));
}
