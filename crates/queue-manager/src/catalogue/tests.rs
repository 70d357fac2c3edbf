use std::collections::{BTreeMap, BTreeSet};

use mqi::constants::*;
use mqi::{AttributeValue, Reason, Selector};
use objects::{Moment, Value};
use proptest::prelude::*;

use super::testing::*;
use super::*;

struct Queue;

impl LocalQueue for Queue {
    fn attributes_changed(&self, _current: &Current) {}
}

fn catalogue() -> (Arc<MemoryLog>, Catalogue<Queue>) {
    let log = Arc::new(MemoryLog::default());
    let catalogue = new_catalogue(&log, || Queue);
    (log, catalogue)
}

fn name(text: &str) -> ObjectName {
    text.parse().unwrap()
}

fn local(text: &str) -> Definition {
    Definition::new(ObjectType::LocalQueue, name(text), NOW)
}

fn define(catalogue: &Catalogue<Queue>, definition: Definition) -> Result<Changed<Queue>, ChangeError> {
    catalogue.define(definition, Existing::Refuse, Lifetime::Logged, |_, _| Queue)
}

fn remove(catalogue: &Catalogue<Queue>, text: &str) -> Result<Lsn, RemoveError<()>> {
    catalogue.remove(&name(text), None, |_, log| {
        log();
        Ok(())
    })
}

fn set_depth(catalogue: &Catalogue<Queue>, text: &str, depth: i32) -> Result<Changed<Queue>, ChangeError> {
    catalogue.alter(&name(text), None, |definition| {
        let row = objects::attributes::by_selector(definition.object_type(), MQIA_MAX_Q_DEPTH).unwrap();
        Ok(definition.set(row, Value::Integer(depth))?)
    })
}

/// Every object by identifier, and the identifier the next one gets.
fn contents(catalogue: &Catalogue<Queue>) -> (BTreeMap<ObjectId, Definition>, ObjectId) {
    let objects = catalogue.all().into_iter();
    let objects = objects.filter(|object| object.lifetime() == Lifetime::Logged);
    let definitions = objects.map(|object| (object.id(), object.current().definition.clone())).collect();
    (definitions, catalogue.changes.lock().next_id)
}

fn restart(restored: Restored) -> Catalogue<Queue> {
    Catalogue::new(restored, Arc::new(MemoryLog::default()), unbounded(), limits(), |_, _| Queue)
}

#[test]
fn what_is_found_and_what_is_missing_both_name_the_record_they_depend_on() {
    let (log, catalogue) = catalogue();
    assert_eq!(catalogue.find(&name("A")).need, Lsn::ZERO);
    let made = define(&catalogue, local("A")).unwrap();
    assert_eq!(made.need, Lsn(log.records.lock().len() as u64 * 10));
    let found = catalogue.find(&name("A"));
    assert_eq!((found.object.unwrap().id(), found.need), (made.object.id(), made.need));

    let altered = set_depth(&catalogue, "A", 5).unwrap();
    assert_eq!(catalogue.find(&name("A")).need, altered.need);
    assert!(altered.need > made.need);

    let removed = remove(&catalogue, "A").unwrap();
    let missing = catalogue.find(&name("A"));
    assert!(missing.object.is_none());
    assert_eq!(missing.need, removed);
    assert!(removed > altered.need);
}

#[test]
fn a_handle_sees_at_once_what_alter_changes() {
    let (_, catalogue) = catalogue();
    let held = define(&catalogue, local("A")).unwrap().object;
    assert_eq!(held.current().attributes.depth_max, 5_000);
    set_depth(&catalogue, "A", 7).unwrap();
    assert_eq!(held.current().attributes.depth_max, 7);
}

#[test]
fn replacing_keeps_the_identifier_and_the_time_of_making() {
    let (_, catalogue) = catalogue();
    let first = define(&catalogue, local("A")).unwrap().object;
    set_depth(&catalogue, "A", 7).unwrap();
    assert!(matches!(define(&catalogue, local("A")), Err(ChangeError::Exists(_))));
    let later = Definition::new(ObjectType::LocalQueue, name("A"), Moment(NOW.0 + 60));
    let again = catalogue
        .define(later, Existing::Replace, Lifetime::Logged, |_, _| panic!("no second queue"))
        .unwrap();
    assert_eq!(again.object.id(), first.id());
    let current = first.current();
    assert_eq!((current.attributes.depth_max, current.definition.created()), (5_000, NOW));
    assert_eq!(current.definition.altered(), Moment(NOW.0 + 60));
}

#[test]
fn a_name_belongs_to_one_queue_of_whatever_type() {
    let (_, catalogue) = catalogue();
    define(&catalogue, local("A")).unwrap();
    let alias = Definition::new(ObjectType::AliasQueue, name("A"), NOW);
    let refused = catalogue.define(alias, Existing::Replace, Lifetime::Logged, |_, _| Queue);
    assert!(matches!(refused, Err(ChangeError::OtherType { found: ObjectType::LocalQueue, .. })));
    let refused = catalogue.alter(&name("A"), Some(ObjectType::AliasQueue), |_| Ok(()));
    assert!(matches!(refused, Err(ChangeError::OtherType { .. })));
}

#[test]
fn a_refused_removal_logs_nothing_and_keeps_the_object() {
    let (log, catalogue) = catalogue();
    define(&catalogue, local("A")).unwrap();
    let before = log.records.lock().len();
    let refused = catalogue.remove(&name("A"), None, |_, _| Err("busy"));
    assert!(matches!(refused, Err(RemoveError::Refused("busy"))));
    assert!(catalogue.find(&name("A")).object.is_some());
    assert_eq!(log.records.lock().len(), before);
}

#[test]
fn a_full_log_refuses_what_adds_and_lets_go_what_removes() {
    let (log, catalogue) = catalogue();
    define(&catalogue, local("A")).unwrap();
    *log.full.lock() = true;
    let before = contents(&catalogue);
    assert!(matches!(define(&catalogue, local("B")), Err(ChangeError::OutOfSpace(_))));
    assert!(matches!(set_depth(&catalogue, "A", 1), Err(ChangeError::OutOfSpace(_))));
    assert_eq!(contents(&catalogue), before);
    remove(&catalogue, "A").unwrap();
    assert!(catalogue.find(&name("A")).object.is_none());
}

#[test]
fn a_temporary_queue_is_never_in_the_log_nor_in_the_snapshot() {
    let (log, catalogue) = catalogue();
    let before = log.records.lock().len();
    let made = catalogue.define(local("AMQ.1"), Existing::Refuse, Lifetime::ThisRun, |_, _| Queue).unwrap();
    assert_eq!(made.need, Lsn::ZERO);
    set_depth(&catalogue, "AMQ.1", 3).unwrap();
    assert_eq!(log.records.lock().len(), before);
    let again = restart(Restored::from_snapshot(manager_name(), &snapshot(&catalogue)).unwrap());
    assert!(again.find(&name("AMQ.1")).object.is_none());
    // Its identifier is used up all the same.
    assert!(define(&again, local("B")).unwrap().object.id() > made.object.id());
    assert_eq!(remove(&catalogue, "AMQ.1").unwrap(), Lsn::ZERO);
}

#[test]
fn identifiers_are_never_given_twice_also_not_after_a_restart() {
    let (log, catalogue) = catalogue();
    let mut seen = BTreeSet::new();
    for _ in 0..3 {
        assert!(seen.insert(define(&catalogue, local("A")).unwrap().object.id()));
        remove(&catalogue, "A").unwrap();
    }
    for again in [
        restart(replay(Restored::empty(manager_name()), &log.records.lock())),
        restart(Restored::from_snapshot(manager_name(), &snapshot(&catalogue)).unwrap()),
    ] {
        assert!(!seen.contains(&define(&again, local("A")).unwrap().object.id()));
    }
}

#[test]
fn making_a_queue_manager_that_was_cut_short_is_done_again() {
    let (log, _) = catalogue();
    let records = log.records.lock().clone();
    for kept in 0..=records.len() {
        let restored = replay(Restored::empty(manager_name()), &records[..kept]);
        assert_eq!(restored.is_complete(), kept == records.len(), "{kept}");
        let again = restart(restored);
        again.complete(NOW, |_, _| Queue).unwrap();
        let expected = system_definitions(NOW);
        let others: usize = objects::Family::all().map(|family| again.all_defined(family).len()).sum();
        assert_eq!(again.all().len() + others, expected.len(), "{kept}");
        for definition in expected {
            let object_type = definition.object_type();
            let found = match object_type.is_queue() {
                true => again.find(definition.name()).object.map(|object| object.object_type()),
                false => {
                    let name = definition.shown_name();
                    let found = again.find_defined(object_type.name_space(), name).0;
                    found.map(|object| object.object_type())
                }
            };
            assert_eq!(found, Some(object_type), "{} after {kept} records", definition.name());
        }
    }
}

#[test]
fn every_type_that_can_be_defined_has_its_default_object() {
    for object_type in ObjectType::all() {
        let Some(default) = object_type.default_object() else { continue };
        let definitions = system_definitions(NOW);
        let is_default = |found: &&Definition| {
            found.shown_name() == default && found.object_type().name_space() == object_type.name_space()
        };
        let found = definitions.iter().find(is_default);
        assert_eq!(found.map(Definition::object_type), Some(object_type), "{default}");
        // DEFINE takes from it what the attributes say, but for the limits of channels of programs.
        let limits: &[&str] = match object_type {
            ObjectType::ServerConnectionChannel => &["MAXINST", "MAXINSTC"],
            ObjectType::AmqpChannel => &["MAXINST"],
            _ => &[],
        };
        let changed = found.into_iter().flat_map(|found| found.changed());
        let others: Vec<_> =
            changed.filter(|(row, _)| row.is_settable()).map(|(row, _)| row.keyword).collect();
        assert_eq!(others, limits, "{default}");
    }
}

#[test]
fn a_queue_manager_of_an_earlier_release_gains_the_system_objects_that_it_lacks() {
    let (log, catalogue) = catalogue();
    let (missing, older) = ("SYSTEM.REST.REPLY.QUEUE", "SYSTEM.CHANNEL.INITQ");
    for text in [missing, older] {
        remove(&catalogue, text).unwrap();
    }
    let logged = || log.records.lock().len();
    let before = logged();
    *log.full.lock() = true;
    catalogue.gain(NOW, |_, _| Queue);
    assert_eq!(logged(), before, "a log without room keeps nothing from starting");
    *log.full.lock() = false;
    catalogue.gain(NOW, |_, _| Queue);
    assert!(catalogue.find(&name(missing)).object.is_some(), "a later release brought it");
    assert!(catalogue.find(&name(older)).object.is_none(), "an administrator deleted it");
    assert_eq!(logged(), before + 1);
    catalogue.gain(NOW, |_, _| Queue);
    assert_eq!(logged(), before + 1, "nothing is made twice");
    // Each name of the list is that of a system object.
    let all = system::added_definitions(NOW, |_| false);
    assert!(all.len() == 17 && system::added_definitions(NOW, |_| true).is_empty(), "{}", all.len());
}

#[test]
fn the_identifier_of_a_queue_manager_fits_whatever_its_name() {
    let long = "Q".repeat(48);
    let catalogue: Catalogue<Queue> = Catalogue::new(
        Restored::empty(long.parse().unwrap()),
        Arc::new(MemoryLog::default()),
        unbounded(),
        limits(),
        |_, _| Queue,
    );
    catalogue.complete(NOW, |_, _| Queue).unwrap();
    let manager = catalogue.manager();
    let row = objects::attributes::by_selector(ObjectType::QueueManager, MQCA_Q_MGR_IDENTIFIER).unwrap();
    let identifier = manager.definition.value(row).unwrap();
    assert!(identifier.as_text().unwrap().ends_with("Q_2026-11-21_09.20.11"), "{identifier:?}");
    assert_eq!(manager.definition.name().as_str(), long);
}

#[test]
fn snapshots_that_are_cut_or_of_a_later_release_are_refused() {
    let (_, catalogue) = catalogue();
    let snapshot = snapshot(&catalogue);
    for length in 0..snapshot.len() {
        assert!(Restored::from_snapshot(manager_name(), &snapshot[..length]).is_err(), "{length}");
    }
    let mut later = snapshot;
    later[0] = 2;
    let refused = Restored::from_snapshot(manager_name(), &later).err().unwrap();
    assert!(refused.to_string().contains("format version 2"), "{refused}");
}

#[test]
fn objects_that_another_build_wrote_are_refused_with_what_to_do_next() {
    let (_, catalogue) = catalogue();
    let snapshot = snapshot(&catalogue);
    let mut later = snapshot.clone();
    later[0] = 2;
    let of_snapshot = |bytes: &[u8]| Restored::from_snapshot(manager_name(), bytes).err().unwrap();
    // The version of a definition, and its type.
    let of_definition =
        |bytes: &[u8]| Restored::empty(manager_name()).define(ObjectId(7), bytes).map(drop).unwrap_err();
    for (refused, words) in [
        (of_snapshot(&later), "release or build that wrote it"),
        (of_snapshot(&snapshot[..snapshot.len() - 1]), "restore a backup"),
        (of_definition(&[2, 1]), "unreleased build wrote it"),
        (of_definition(&[1, 200, 0]), "unreleased build wrote it"),
    ] {
        let text = refused.to_string();
        assert!(text.contains(words) && text.ends_with("restore a backup"), "{text}");
    }
}

#[test]
fn inquire_answers_by_the_tables() {
    let definition = local("A");
    let selectors = [MQIA_CURRENT_Q_DEPTH, MQCA_Q_NAME, MQIA_MAX_Q_DEPTH, MQCA_BASE_Q_NAME].map(Selector);
    let inquired = inquire(&definition, &selectors, |_| Some(3)).unwrap();
    assert_eq!(
        inquired.values,
        [
            AttributeValue::Integer(3),
            AttributeValue::Text("A".into()),
            AttributeValue::Integer(5_000),
            AttributeValue::Text("*".repeat(MQ_Q_NAME_LENGTH))
        ]
    );
    assert_eq!(inquired.warning, Some(Reason::SELECTOR_NOT_FOR_TYPE));
    assert_eq!(inquire(&definition, &[Selector(MQIA_MAX_HANDLES)], |_| None), Err(Reason::SELECTOR_ERROR));
    assert_eq!(inquire(&definition, &[Selector(-5)], |_| None), Err(Reason::SELECTOR_ERROR));
}

#[test]
fn set_changes_what_programs_may_change_or_nothing() {
    let mut definition = local("A");
    let inhibit = (Selector(MQIA_INHIBIT_PUT), AttributeValue::Integer(MQQA_PUT_INHIBITED));
    let wrong = (Selector(MQIA_INHIBIT_GET), AttributeValue::Integer(9));
    let fixed = (Selector(MQIA_MAX_Q_DEPTH), AttributeValue::Integer(9));
    assert_eq!(set(&mut definition, &[inhibit.clone(), wrong]), Err(Reason::INHIBIT_VALUE_ERROR));
    assert_eq!(set(&mut definition, &[inhibit.clone(), fixed]), Err(Reason::SELECTOR_ERROR));
    assert_eq!(definition, local("A"));
    set(&mut definition, &[inhibit]).unwrap();
    assert_eq!(definition.integer(MQIA_INHIBIT_PUT), MQQA_PUT_INHIBITED);
}

#[derive(Clone, Debug)]
enum Step {
    Define(u8),
    Replace(u8),
    Alter(u8, i32),
    Remove(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (0..6u8).prop_map(Step::Define),
        (0..6u8).prop_map(Step::Replace),
        (0..6u8, 0..100i32).prop_map(|(index, depth)| Step::Alter(index, depth)),
        (0..6u8).prop_map(Step::Remove),
    ];
    proptest::collection::vec(step, 0..40)
}

fn take_step(catalogue: &Catalogue<Queue>, step: &Step) {
    let queue = |index: &u8| format!("Q{index}");
    match step {
        Step::Define(index) => drop(define(catalogue, local(&queue(index)))),
        Step::Replace(index) => {
            drop(catalogue.define(local(&queue(index)), Existing::Replace, Lifetime::Logged, |_, _| Queue))
        }
        Step::Alter(index, depth) => drop(set_depth(catalogue, &queue(index), *depth)),
        Step::Remove(index) => drop(remove(catalogue, &queue(index))),
    }
}

proptest! {
    #[test]
    fn log_and_snapshot_both_bring_the_catalogue_back(steps in steps(), cut in any::<prop::sample::Index>()) {
        let (log, catalogue) = catalogue();
        let cut = cut.index(steps.len() + 1);
        steps[..cut].iter().for_each(|step| take_step(&catalogue, step));
        let snapshot = snapshot(&catalogue);
        let logged_before = log.records.lock().len();
        steps[cut..].iter().for_each(|step| take_step(&catalogue, step));
        let records = log.records.lock().clone();
        let expected = contents(&catalogue);

        prop_assert_eq!(&contents(&restart(replay(Restored::empty(manager_name()), &records))), &expected);
        let from_snapshot = || Restored::from_snapshot(manager_name(), &snapshot).unwrap();
        prop_assert_eq!(&contents(&restart(replay(from_snapshot(), &records[logged_before..]))), &expected);
        // Records that the snapshot holds already may come again.
        let earlier = logged_before / 2;
        let again = replay(from_snapshot(), &records[earlier..]);
        prop_assert_eq!(&contents(&restart(again)), &expected);
        // Replaying the tail twice is replaying it once.
        let twice = replay(replay(from_snapshot(), &records[logged_before..]), &records[logged_before..]);
        prop_assert_eq!(contents(&restart(twice)), expected);
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the catalogue is changed and read by many threads")]
fn many_threads_leave_a_log_that_tells_what_happened() {
    let (log, catalogue) = catalogue();
    std::thread::scope(|scope| {
        for thread in 0..4u32 {
            let (log, catalogue) = (&log, &catalogue);
            scope.spawn(move || {
                for round in 0..300u32 {
                    let text = format!("Q{}", (round * 7 + thread * 3) % 10);
                    let found = catalogue.find(&name(&text));
                    assert!(
                        found.need.0 <= log.records.lock().len() as u64 * 10,
                        "seen before it was logged"
                    );
                    match (round + thread) % 3 {
                        0 => drop(define(catalogue, local(&text))),
                        1 => drop(set_depth(catalogue, &text, round as i32)),
                        _ => drop(remove(catalogue, &text)),
                    }
                }
            });
        }
    });
    let records = log.records.lock().clone();
    assert_eq!(contents(&restart(replay(Restored::empty(manager_name()), &records))), contents(&catalogue));
}

#[test]
fn what_an_earlier_tree_says_stands_until_the_next_change() {
    let (_, catalogue) = catalogue();
    let mut topic = Definition::new(ObjectType::Topic, name("PRICES"), NOW);
    let row = objects::attributes::by_selector(ObjectType::Topic, MQCA_TOPIC_STRING).unwrap();
    topic.set(row, Value::Text("price".into())).unwrap();
    let before = catalogue.topics().tree.generation();
    assert_eq!(catalogue.topics_unchanged_since(before), Some(catalogue.topics().need));
    define(&catalogue, local("A")).unwrap();
    assert!(catalogue.topics_unchanged_since(before).is_some(), "a queue is no part of it");

    let defined = catalogue.define_other(topic, Existing::Refuse, Lifetime::Logged).unwrap();
    assert_eq!(catalogue.topics_unchanged_since(before), None);
    let between = catalogue.topics().tree.generation();
    assert_eq!(catalogue.topics_unchanged_since(between), Some(defined));

    let removed = catalogue.remove_other(ObjectType::Topic.name_space(), "PRICES", None).unwrap();
    assert_eq!(catalogue.topics_unchanged_since(between), None);
    assert_eq!(catalogue.topics_unchanged_since(catalogue.topics().tree.generation()), Some(removed));
}

/// At most 1 KiB each is what 100,000 subscriptions may take. Most of it is here, and in the texts that they
/// say; the nodes of the topic tree are held to their size by tests of `topic`, what is really taken is what
/// `ferry bench subscriptions` measures.
#[test]
fn what_is_kept_of_a_subscription_is_small() {
    for (what, bytes, bytes_max) in [
        ("how it stands in the tree", size_of::<topic::Subscription<Subscriber>>(), 216),
        ("its place in the catalogue", size_of::<Defined>(), 24),
        ("how it is defined", size_of::<DefinedCurrent>(), 96),
        ("what it was given", size_of::<crate::passed::Passed>(), 24),
    ] {
        assert!(bytes <= bytes_max, "{what}: {bytes} bytes, {bytes_max} at most");
    }
}

fn set_amqp_name(definition: &mut Definition, to: &str) -> Result<(), SettingError> {
    let subject = objects::attributes::Subject::Object(definition.object_type());
    let row = objects::attributes::by_keyword(subject, "AMQPNAME").unwrap();
    definition.set(row, Value::from(to))
}

fn named(text: &str, amqp_name: &str) -> Definition {
    let mut definition = local(text);
    set_amqp_name(&mut definition, amqp_name).unwrap();
    definition
}

fn topic(text: &str, amqp_name: &str) -> Definition {
    let mut definition = Definition::new(ObjectType::Topic, name(text), NOW);
    definition.set_internal(MQCA_TOPIC_STRING, Value::from("a/b"));
    set_amqp_name(&mut definition, amqp_name).unwrap();
    definition
}

/// The name of a queue or the topic string that a name leads to, and its need.
fn led(catalogue: &Catalogue<Queue>, amqp_name: &str) -> (Option<String>, Lsn) {
    let (found, need) = catalogue.find_by_amqp_name(amqp_name);
    let text = |found: ObjectDescriptor| {
        if found.object_string.is_empty() { found.object_name.to_string() } else { found.object_string }
    };
    (found.map(text), need)
}

#[test]
fn a_name_in_amqp_leads_to_one_object_as_it_changes_and_over_restarts() {
    let (_, catalogue) = catalogue();
    assert_eq!(led(&catalogue, "orders-in"), (None, Lsn::ZERO));
    let made = define(&catalogue, named("A", "orders-in")).unwrap().need;
    assert_eq!(led(&catalogue, "orders-in"), (Some("A".into()), made));
    define(&catalogue, local("B")).unwrap();
    assert_eq!(led(&catalogue, "orders-in").1, made, "a queue without such a name changes nothing");

    // A second one is refused, whatever the object, by DEFINE and by ALTER.
    let refused = |result: Result<Lsn, ChangeError>| match result {
        Err(error @ ChangeError::AmqpName { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let words = "AMQPNAME('orders-in') leads to QLOCAL(A) already; ALTER QLOCAL(A) AMQPNAME(' ') first, or choose \
                 another name";
    assert_eq!(refused(define(&catalogue, named("C", "orders-in")).map(|made| made.need)), words);
    let topics = |definition| catalogue.define_other(definition, Existing::Refuse, Lifetime::Logged);
    assert_eq!(refused(topics(topic("A", "orders-in"))), words);
    let alter = |text: &str, to: &str| {
        let changed = catalogue.alter(&name(text), None, |queue| Ok(set_amqp_name(queue, to)?));
        changed.map(|changed| changed.need)
    };
    assert_eq!(refused(alter("B", "orders-in")), words);
    assert!(catalogue.find(&name("C")).object.is_none());

    // It moves, it changes, and it goes with its object.
    alter("A", "orders-out").unwrap();
    assert_eq!(led(&catalogue, "orders-in").0, None);
    let moved = alter("B", "orders-in").unwrap();
    assert_eq!(led(&catalogue, "orders-in"), (Some("B".into()), moved));
    topics(topic("T", "prices-eu")).unwrap();
    assert_eq!(led(&catalogue, "prices-eu").0, Some("a/b".into()));
    let replaced = catalogue.define(local("A"), Existing::Replace, Lifetime::Logged, |_, _| Queue).unwrap();
    assert_eq!(led(&catalogue, "orders-out"), (None, replaced.need));

    let mut snapshot = Vec::new();
    catalogue.write_snapshot(&mut snapshot);
    let restored = Restored::from_snapshot("QM1".parse().unwrap(), &snapshot).unwrap();
    let again = restart(restored);
    for (amqp_name, object) in [("orders-in", Some("B")), ("prices-eu", Some("a/b")), ("orders-out", None)] {
        assert_eq!(led(&again, amqp_name).0.as_deref(), object);
    }

    let gone = remove(&catalogue, "B").unwrap();
    assert_eq!(led(&catalogue, "orders-in"), (None, gone));
    catalogue.remove_other(ObjectType::Topic.name_space(), "T", None).unwrap();
    assert_eq!(led(&catalogue, "prices-eu").0, None);
}

#[test]
fn the_limits_of_queues_follow_the_definition_of_the_queue_manager_below_the_setting() {
    let limits = Arc::new(Limits::below(20_000));
    let log = Arc::new(MemoryLog::default());
    let restored = Restored::empty(manager_name());
    let catalogue: Catalogue<Queue> =
        Catalogue::new(restored, log.clone(), unbounded(), Arc::clone(&limits), |_, _| Queue);
    catalogue.complete(NOW, |_, _| Queue).unwrap();
    let alter = |selector: i32, value: i32| {
        catalogue.alter_manager(|definition| {
            let row = objects::attributes::by_selector(ObjectType::QueueManager, selector).unwrap();
            Ok(definition.set(row, Value::Integer(value))?)
        })
    };
    let now = || (limits.uncommitted_max(), limits.mark_interval(), limits.trigger_interval());
    let (seconds, most) = (std::time::Duration::from_secs, std::time::Duration::from_millis(999_999_999));
    assert_eq!(now(), (10_000, Some(seconds(5)), most), "a new queue manager");
    alter(MQIA_MAX_UNCOMMITTED_MSGS, 3).unwrap();
    alter(MQIA_MSG_MARK_BROWSE_INTERVAL, 60_000).unwrap();
    alter(MQIA_TRIGGER_INTERVAL, 1_000).unwrap();
    assert_eq!(now(), (3, Some(seconds(60)), seconds(1)));
    alter(MQIA_MAX_UNCOMMITTED_MSGS, 30_000).unwrap();
    alter(MQIA_MSG_MARK_BROWSE_INTERVAL, -1).unwrap();
    assert_eq!(now(), (20_000, None, seconds(1)));
    let records = std::mem::take(&mut *log.records.lock());
    let limits = Arc::new(Limits::below(20_000));
    let restored = replay(Restored::empty(manager_name()), &records);
    let _found = Catalogue::new(restored, log, unbounded(), Arc::clone(&limits), |_, _| Queue);
    assert_eq!((limits.uncommitted_max(), limits.mark_interval()), (20_000, None), "after a restart");
}
