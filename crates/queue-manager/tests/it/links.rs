//! Subscriptions of links: shared by several, and without the publications of their own client.

use bytes::Bytes;
use mqi::{
    CloseOptions, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, PutFlags, PutOptions,
    Reason, SubscribeOptions, Subscribed, SubscriptionDescriptor, Wait,
};
use platform::simulated::Survival;
use queue_manager::{GotMessage, LinkSubscription};

use crate::support::*;

const CREATE: SubscribeOptions = SubscribeOptions::CREATE;
const MANAGED: SubscribeOptions = SubscribeOptions::MANAGED;
const DURABLE: SubscribeOptions = SubscribeOptions::DURABLE;
const RESUME: SubscribeOptions = SubscribeOptions::RESUME;
const SHARED: LinkSubscription =
    LinkSubscription { is_shared: true, excludes_own: false, begins_anew: false, terms: None };
const WITHOUT_OWN: LinkSubscription =
    LinkSubscription { is_shared: false, excludes_own: true, begins_anew: false, terms: None };

fn named(name: &str, options: SubscribeOptions) -> SubscriptionDescriptor {
    SubscriptionDescriptor {
        name: name.to_owned(),
        ..SubscriptionDescriptor::to("t", CREATE | RESUME | MANAGED | options)
    }
}

fn subscribe(
    session: &mut Session,
    wanted: &SubscriptionDescriptor,
    of_link: LinkSubscription,
) -> Result<Subscribed, Reason> {
    let begun = session.connection.begin_to_subscribe_for_link(wanted, None, of_link);
    let queue_manager::Begun::Done(subscribed) = begun else { panic!("nothing is retained") };
    open(&session.manager, subscribed)
}

fn publish(session: &mut Session, body: &str) {
    let body = Bytes::copy_from_slice(body.as_bytes());
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    let put = session.connection.put1(&ObjectDescriptor::topic("t"), &message(true), &options, body);
    open(&session.manager, put).unwrap();
}

fn take(session: &mut Session, subscribed: &Subscribed) -> Result<String, Reason> {
    let options = GetOptions::with(mqi::GetFlags::NO_SYNCPOINT, Wait::No);
    let queue = subscribed.queue.expect("a managed queue is opened");
    let got = session.get_with(queue, &MessageDescriptor::default(), &options, 1 << 20);
    got.map(GotMessage::converted).map(|got| text(&got))
}

fn close(session: &mut Session, handle: ObjectHandle, options: CloseOptions) -> Result<(), Reason> {
    let closed = session.connection.close(handle, options);
    open(&session.manager, closed).map(drop)
}

fn managed_queues(bench: &Bench) -> usize {
    let all = bench.manager.figures().queue_counters();
    all.iter().filter(|(name, _)| name.as_str().starts_with("SYSTEM.MANAGED.")).count()
}

#[test]
fn each_message_of_a_shared_subscription_goes_to_one_of_those_who_share_it() {
    for options in [SubscribeOptions::EMPTY, DURABLE] {
        let bench = Bench::new();
        let (mut one, mut two, mut publisher) = (bench.connect(), bench.connect(), bench.connect());
        let of_one = subscribe(&mut one, &named("S", options), SHARED).unwrap();
        let of_two = subscribe(&mut two, &named("S", options), SHARED).unwrap();
        assert_eq!(managed_queues(&bench), 1);
        for body in ["a", "b", "c"] {
            publish(&mut publisher, body);
        }
        assert_eq!(take(&mut one, &of_one).as_deref(), Ok("a"));
        assert_eq!(take(&mut two, &of_two).as_deref(), Ok("b"));
        close(&mut one, of_one.subscription, CloseOptions::EMPTY).unwrap();
        drop(one);
        publish(&mut publisher, "d");
        assert_eq!(take(&mut two, &of_two).as_deref(), Ok("c"));
        assert_eq!(take(&mut two, &of_two).as_deref(), Ok("d"), "the other goes on");
    }
}

#[test]
fn a_shared_subscription_that_is_not_durable_ends_with_the_last_who_shares_it() {
    for ends_by_connection in [false, true] {
        let bench = Bench::new();
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let of_one = subscribe(&mut one, &named("S", SubscribeOptions::EMPTY), SHARED).unwrap();
        let again = subscribe(&mut one, &named("S", SubscribeOptions::EMPTY), SHARED).unwrap();
        let of_two = subscribe(&mut two, &named("S", SubscribeOptions::EMPTY), SHARED).unwrap();
        close(&mut two, of_two.subscription, CloseOptions::EMPTY).unwrap();
        close(&mut one, again.subscription, CloseOptions::EMPTY).unwrap();
        assert_eq!(managed_queues(&bench), 1, "one handle is left");
        match ends_by_connection {
            true => drop(one),
            false => close(&mut one, of_one.subscription, CloseOptions::EMPTY).unwrap(),
        }
        assert_eq!(managed_queues(&bench), 0);
        let anew = subscribe(&mut two, &named("S", SubscribeOptions::EMPTY), LinkSubscription::default());
        assert!(anew.is_ok(), "the name is free");
    }
}

#[test]
fn a_name_is_that_of_a_shared_subscription_or_of_another() {
    let bench = Bench::new();
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let plain = LinkSubscription::default();
    for (name, first, second) in [("A", SHARED, plain), ("B", plain, SHARED), ("C", plain, plain)] {
        let held = subscribe(&mut one, &named(name, DURABLE), first).unwrap();
        let refused = subscribe(&mut two, &named(name, DURABLE), second);
        assert_eq!(refused.map(drop), Err(Reason::SUBSCRIPTION_IN_USE), "{name} is in use");
        let refused = two.connection.subscribe(&named(name, DURABLE), None);
        assert_eq!(bench.open(refused).map(drop), Err(Reason::SUBSCRIPTION_IN_USE), "by MQSUB too");
        close(&mut one, held.subscription, CloseOptions::KEEP_SUB).unwrap();
        let again = subscribe(&mut two, &named(name, DURABLE), second);
        let expected = if first == second { Ok(()) } else { Err(Reason::SUBSCRIPTION_IN_USE) };
        assert_eq!(again.map(drop), expected, "{name} is free, and of the one kind or the other");
    }
    assert_eq!(subscribe(&mut one, &named("", DURABLE), SHARED).map(drop), Err(Reason::SUB_NAME_ERROR));
    let unnamed = SubscriptionDescriptor::to("t", CREATE | MANAGED);
    assert_eq!(subscribe(&mut one, &unnamed, SHARED).map(drop), Err(Reason::SUB_NAME_ERROR));
}

#[test]
fn a_durable_shared_subscription_is_removed_by_the_only_one_who_uses_it() {
    let bench = Bench::new();
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let of_one = subscribe(&mut one, &named("S", DURABLE), SHARED).unwrap();
    let of_two = subscribe(&mut two, &named("S", DURABLE), SHARED).unwrap();
    let refused = close(&mut one, of_one.subscription, CloseOptions::REMOVE_SUB);
    assert_eq!(refused, Err(Reason::SUBSCRIPTION_IN_USE));
    let refused = bench.refused("DELETE SUB(S)");
    assert!(refused.contains('S'), "{refused}");
    close(&mut two, of_two.subscription, CloseOptions::EMPTY).unwrap();
    drop(two);
    close(&mut one, of_one.subscription, CloseOptions::REMOVE_SUB).unwrap();
    assert_eq!(managed_queues(&bench), 0);
}

#[test]
fn a_durable_subscription_stays_shared_and_without_own_publications_after_a_crash() {
    let bench = Bench::new();
    let mut one = bench.connect();
    one.connection.set_client("c1").unwrap();
    subscribe(&mut one, &named("S", DURABLE), SHARED).unwrap();
    subscribe(&mut one, &named("N", DURABLE), WITHOUT_OWN).unwrap();
    let bench = bench.crash(Survival::Nothing);
    let (mut one, mut two) = (bench.connect(), bench.connect());
    for session in [&mut one, &mut two] {
        let refused = subscribe(session, &named("S", DURABLE), LinkSubscription::default());
        assert_eq!(refused.map(drop), Err(Reason::SUBSCRIPTION_IN_USE));
        subscribe(session, &named("S", DURABLE), SHARED).unwrap();
    }
    one.connection.set_client("c1").unwrap();
    two.connection.set_client("c2").unwrap();
    publish(&mut one, "own");
    publish(&mut two, "other's");
    let plain = subscribe(&mut one, &named("N", DURABLE), LinkSubscription::default());
    assert_eq!(plain.map(drop), Err(Reason::SELECTOR_NOT_ALTERABLE), "it leaves out what is one's own");
    let others = subscribe(&mut two, &named("N", DURABLE), WITHOUT_OWN);
    assert_eq!(others.map(drop), Err(Reason::SELECTOR_NOT_ALTERABLE), "it is another's own");
    let held = subscribe(&mut one, &named("N", DURABLE), WITHOUT_OWN).unwrap();
    assert_eq!(take(&mut one, &held).as_deref(), Ok("other's"));
    assert_eq!(take(&mut one, &held), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn publications_of_the_own_client_are_left_out_however_they_come() {
    let bench = Bench::new();
    let (mut one, mut two, mut other) = (bench.connect(), bench.connect(), bench.connect());
    let unnamed = SubscriptionDescriptor::to("t", CREATE | MANAGED);
    let refused = subscribe(&mut one, &unnamed, WITHOUT_OWN);
    assert_eq!(refused.map(drop), Err(Reason::OPTIONS_ERROR), "nobody said whose are one's own");
    one.connection.set_client("client").unwrap();
    two.connection.set_client("client").unwrap();
    other.connection.set_client("another").unwrap();
    let without = subscribe(&mut one, &unnamed, WITHOUT_OWN).unwrap();
    publish(&mut one, "alone, by the same connection");
    publish(&mut two, "alone, by another of the client");
    let all = subscribe(&mut one, &unnamed, LinkSubscription::default()).unwrap();
    publish(&mut two, "to two");
    let topic = one.connection.open(&ObjectDescriptor::topic("t"), OUTPUT);
    let topic = bench.open(topic).unwrap().handle;
    one.put_within(topic, true, "in a unit");
    one.commit().unwrap();
    publish(&mut other, "another's");
    let mut nameless = bench.connect();
    publish(&mut nameless, "nobody's");
    for expected in ["another's", "nobody's"] {
        assert_eq!(take(&mut one, &without).as_deref(), Ok(expected));
    }
    assert_eq!(take(&mut one, &without), Err(Reason::NO_MSG_AVAILABLE));
    for expected in ["to two", "in a unit", "another's", "nobody's"] {
        assert_eq!(take(&mut one, &all).as_deref(), Ok(expected));
    }
    one.connection.set_client(&"x".repeat(1_000)).unwrap();
    assert_eq!(one.connection.set_client(&"x".repeat(1_001)), Err(Reason::RESOURCE_PROBLEM));
}
