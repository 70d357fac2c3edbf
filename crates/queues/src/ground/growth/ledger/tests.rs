use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::testing::{Listener, ledger};
use super::*;
use crate::ground::growth::GrowthBound;

const QUEUES: Growth = Growth::DynamicQueues;

fn bounds(user_max: u64, all_max: u64) -> GrowthBounds {
    GrowthBounds::default().with(QUEUES, GrowthBound { user_max: Some(user_max), all_max })
}

fn take(ledger: &Ledger, maker: &str, count: usize) {
    (0..count).for_each(|_| ledger.take(QUEUES, maker).unwrap());
}

#[test]
fn one_user_has_a_bound_and_others_and_administrators_go_on_to_that_of_all() {
    let ledger = ledger(bounds(3, 8));
    take(&ledger, "eve", 3);
    let refusal = ledger.take(QUEUES, "eve").unwrap_err();
    assert_eq!((refusal.owner, refusal.bound), (Owner::User("eve".into()), 3));
    assert_eq!(refusal.setting, "growth.dynamic_queues_user_max");
    take(&ledger, "ada", 1);
    take(&ledger, "", 4);
    for maker in ["ada", "", "bob"] {
        let refusal = ledger.take(QUEUES, maker).unwrap_err();
        assert_eq!((refusal.owner, refusal.setting), (Owner::All, "growth.dynamic_queues_max"), "{maker}");
    }
    ledger.give_back(QUEUES, "eve");
    take(&ledger, "eve", 1);
    assert_eq!(ledger.count(QUEUES, Some("eve")), 3);
}

#[test]
fn a_refusal_names_the_owner_the_bound_the_command_and_the_setting() {
    let ledger = ledger(bounds(0, 8));
    let text = ledger.check(QUEUES, "e\x1bve").unwrap_err().to_string();
    for part in ["user e\\u{1b}ve has 0 ", "DELETE QLOCAL(name)", "growth.dynamic_queues_user_max"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn one_that_has_more_at_the_start_may_have_twice_that_and_others_what_the_setting_says() {
    let ledger = ledger(bounds(3, 8));
    (0..5).for_each(|_| ledger.note(QUEUES, "eve"));
    (0..4).for_each(|_| ledger.note(QUEUES, ""));
    ledger.begin();
    take(&ledger, "eve", 5);
    assert_eq!(ledger.take(QUEUES, "eve").unwrap_err().bound, 10);
    take(&ledger, "ada", 3);
    assert_eq!(ledger.take(QUEUES, "ada").unwrap_err().bound, 3);
    take(&ledger, "", 1);
    assert_eq!(ledger.take(QUEUES, "").unwrap_err().bound, 18);
}

#[test]
fn a_count_is_told_when_it_comes_near_its_bound_and_when_one_more_is_refused() {
    let listener = Arc::new(Listener::default());
    let host: Arc<dyn Host> = Arc::<Listener>::clone(&listener);
    let ledger = Ledger::new(bounds(10, 1_000), host);
    take(&ledger, "eve", 8);
    assert!(listener.0.lock().is_empty() && ledger.near().is_empty());
    take(&ledger, "eve", 2);
    ledger.take(QUEUES, "eve").unwrap_err();
    let told: Vec<_> = listener.0.lock().iter().map(|event| (event.id, event.inserts[0].clone())).collect();
    assert_eq!(told[0], ("FRY7484W", "user eve has 9".to_owned()));
    assert_eq!((told.len(), told[1].0), (2, "FRY7483W"));
    let near = ledger.near();
    assert_eq!((near.len(), near[0].count, near[0].bound), (1, 10, 10));
    let inserts = near[0].inserts();
    assert_eq!(inserts[4], "DISPLAY QLOCAL(*) WHERE(DEFTYPE EQ PERMDYN) MAKER");
}

#[test]
fn a_bound_of_nothing_refuses_the_first_and_is_not_near_while_there_is_nothing() {
    let ledger = ledger(bounds(0, 0));
    assert!(ledger.near().is_empty() && !ledger.is_far(QUEUES, 0) && !ledger.has_room(QUEUES));
    ledger.take(QUEUES, "").unwrap_err();
    assert!(ledger.near().is_empty());
}

#[test]
fn nothing_is_kept_of_a_user_that_has_nothing_any_more() {
    let ledger = ledger(bounds(3, 8));
    for round in 0..1_000 {
        let user = format!("user{round}");
        take(&ledger, &user, 2);
        (0..2).for_each(|_| ledger.give_back(QUEUES, &user));
    }
    assert!(ledger.counts.lock().users.iter().all(|users| users.is_empty()));
}

proptest! {
    #[test]
    fn counts_are_those_of_a_list_and_a_refusal_changes_nothing(
        steps in prop::collection::vec((any::<bool>(), 0..Growth::ALL.len(), 0usize..4), 0..200),
    ) {
        let small = GrowthBounds::of_each(|growth| GrowthBound {
            user_max: growth.user_setting().map(|_| 4),
            all_max: 9,
        });
        let ledger = ledger(small);
        let makers = ["", "ada", "bob", "eve"];
        let mut model: BTreeMap<(Growth, &str), u64> = BTreeMap::new();
        for (makes, kind, maker) in steps {
            let (growth, maker) = (Growth::ALL[kind], makers[maker]);
            let of_all: u64 = model.iter().filter(|((of, _), _)| *of == growth).map(|(_, count)| count).sum();
            let own = model.entry((growth, maker)).or_default();
            if makes {
                let is_bound = growth.user_setting().is_some() && !maker.is_empty();
                let fits = of_all < 9 && (!is_bound || *own < 4);
                prop_assert_eq!(ledger.take(growth, maker).is_ok(), fits);
                *own += u64::from(fits);
            } else if *own > 0 {
                ledger.give_back(growth, maker);
                *own -= 1;
            }
        }
        for growth in Growth::ALL {
            let of_all: u64 = model.iter().filter(|((of, _), _)| *of == growth).map(|(_, count)| count).sum();
            prop_assert_eq!(ledger.count(growth, None), of_all);
            for maker in &makers[1..] {
                let own = model.get(&(growth, *maker)).copied().unwrap_or_default();
                prop_assert_eq!(ledger.count(growth, Some(maker)), own);
            }
        }
    }
}
