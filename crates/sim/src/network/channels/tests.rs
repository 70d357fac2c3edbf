//! The same seed is the same course, and what must occur does.

use std::collections::BTreeMap;
use std::time::Duration;

use mqi::{MessageDescriptor, ObjectDescriptor, Persistence, ReportOptions, constants};
use platform::simulated::Random;
use queue_manager::Settings;

use super::run::{Plan, simulate_plan};
use super::site::{DEAD, QUEUE, Site, Terms, settings};
use super::*;

fn plan(seed: u64) -> Plan {
    Plan::new(&mut Random::stream(seed, "channels"))
}

#[test]
fn messages_reach_every_queue_manager_of_a_ring_without_faults() {
    for seed in 0..3 {
        let plan = Plan { cuts: 0, crashes: 0, closings: 0, ..plan(seed) };
        let relay = simulate_plan(seed, plan);
        assert!(relay.problems.is_empty(), "seed {seed}: {:#?}", relay.problems);
        assert!(relay.judged.delivered > 20, "{relay:?}");
        assert_eq!((relay.judged.dropped, relay.judged.dead), (0, 0), "{relay:?}");
    }
}

#[test]
fn nothing_is_lost_doubled_or_inverted_when_links_and_power_fail() {
    let mut met = Relay::default();
    for seed in 0..12 {
        let relay = simulate_channels(seed);
        assert!(relay.problems.is_empty(), "seed {seed}: {:#?}", relay.problems);
        (met.cuts, met.crashes) = (met.cuts + relay.cuts, met.crashes + relay.crashes);
        met.judged.delivered += relay.judged.delivered;
        met.judged.dead += relay.judged.dead;
        met.judged.unpromised += relay.judged.unpromised;
        met.healed_in = met.healed_in.max(relay.healed_in);
    }
    println!("{met:?}");
    assert!(met.cuts > 30 && met.crashes > 10, "{met:?}");
    assert!(met.judged.delivered > 500 && met.judged.unpromised > 0, "{met:?}");
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    let relay = simulate_channels(1);
    assert_eq!(relay, simulate_channels(1));
    assert_ne!(relay.digest, simulate_channels(101).digest);
}

/// The control: messages that were acknowledged are taken away, and that is seen.
#[test]
fn disks_that_lie_about_flushes_are_found_out() {
    let found_out = (0..20).any(|seed| {
        let plan = Plan { disks_lie: true, crashes: 40, turns: 3_000, ..plan(seed) };
        let judged = std::panic::catch_unwind(|| simulate_plan(seed, plan));
        judged.map_or(true, |relay| !relay.problems.is_empty())
    });
    assert!(found_out);
}

#[test]
fn a_queue_manager_that_is_restored_from_a_copy_doubles_nothing_and_says_what_differs() {
    let (mut stopped, mut went_on) = (0, 0);
    for seed in 0..24 {
        let relay = simulate_restore(seed);
        assert!(relay.problems.is_empty(), "seed {seed}: {:#?}", relay.problems);
        if relay.stopped > 0 { stopped += 1 } else { went_on += 1 }
    }
    println!("{stopped} stopped, {went_on} went on");
    assert!(stopped > 3 && went_on > 3, "both occur: {stopped} stopped, {went_on} went on");
}

/// Two queue managers, each with a channel to the other.
pub(super) struct Pair {
    pub(super) sites: Vec<Site>,
    links: BTreeMap<u64, (crate::network::link::Link, usize, usize)>,
    links_made: u64,
    random: Random,
}

impl Pair {
    fn new(is_fast: bool, tries: u32) -> Self {
        Self::with(Terms { batch: 3, in_flight: 4, is_fast, tries, disconnect_seconds: 0 })
    }

    pub(super) fn with(terms: Terms) -> Self {
        Self::of((0..2).map(|number| Site::new(7, number, 2, terms).unwrap()).collect())
    }

    fn of(sites: Vec<Site>) -> Self {
        Self { sites, links: BTreeMap::new(), links_made: 0, random: Random::new(7) }
    }

    /// Both work for so many steps of 50 ms.
    pub(super) fn run(&mut self, steps: usize) {
        self.run_sites(&[0, 1], steps);
    }

    /// Some work, and the others are silent.
    pub(super) fn run_sites(&mut self, sites: &[usize], steps: usize) {
        for _ in 0..steps {
            for index in sites.iter().copied() {
                let before = self.links_made;
                self.sites[index].dial(&mut self.links_made, &mut self.links);
                for id in before + 1..=self.links_made {
                    let to = self.links[&id].2;
                    self.sites[to].accept(id);
                }
                for id in self.sites[index].ends() {
                    let Some((link, _, _)) = self.links.get_mut(&id) else { continue };
                    self.sites[index].release(id, link, &mut self.random).unwrap();
                    self.sites[index].receive(id, link, &mut self.random).unwrap();
                }
                self.sites[index].drive();
                while self.sites[index].run_job() {}
                self.sites[index].pass(Duration::from_millis(50)).unwrap();
            }
        }
    }

    /// Time passes, and checkpoints are taken.
    fn settle(&mut self) {
        for site in &mut self.sites {
            site.pass(Duration::from_secs(1)).unwrap();
            while site.run_job() {}
        }
    }

    pub(super) fn expect_refusals(&mut self) {
        self.sites.iter_mut().for_each(|site| site.expects_refusals = true);
    }

    pub(super) fn depths(&self, site: usize) -> (u64, u64) {
        (self.sites[site].depth(QUEUE), self.sites[site].depth(DEAD))
    }
}

pub(super) fn persistent() -> MessageDescriptor {
    MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() }
}

pub(super) fn fast() -> MessageDescriptor {
    MessageDescriptor { persistence: Persistence::NotPersistent, ..MessageDescriptor::default() }
}

pub(super) fn there() -> ObjectDescriptor {
    ObjectDescriptor::queue("TO.1".parse().unwrap())
}

#[test]
fn a_message_for_a_queue_that_is_not_there_is_a_dead_letter_and_those_behind_it_go_on() {
    let mut pair = Pair::new(true, 3);
    let nowhere = ObjectDescriptor {
        object_queue_manager_name: "S1".parse().unwrap(),
        ..ObjectDescriptor::queue("NOWHERE".parse().unwrap())
    };
    pair.sites[0].put_to(&nowhere, &persistent(), "for nobody");
    pair.sites[0].put_to(&there(), &persistent(), "0 1 1 ");
    pair.sites[0].put_to(&nowhere, &fast(), "for nobody, fast");
    pair.run(100);
    assert_eq!(pair.depths(1), (1, 2));
    assert_eq!(pair.sites[0].depth("S1"), 0);
}

#[test]
fn a_queue_that_is_closed_or_full_for_two_minutes_gets_its_messages_by_the_same_connection() {
    for (closed, open) in [("PUT(DISABLED)", "PUT(ENABLED)"), ("MAXDEPTH(0)", "MAXDEPTH(5000)")] {
        for descriptor in [persistent(), fast()] {
            let mut pair = Pair::new(true, 10_000);
            pair.sites[1].command(&format!("ALTER QLOCAL({QUEUE}) {closed}")).unwrap();
            for _ in 0..5 {
                pair.sites[0].put_to(&there(), &descriptor, "0 1 1 ");
            }
            pair.run(20);
            let connections = pair.links_made;
            pair.run(2_400);
            assert_eq!(pair.depths(1), (0, 0), "{closed}: it waits");
            for site in &pair.sites {
                let status = site.told("DISPLAY CHSTATUS(S0.S1) STATUS");
                assert!(status.contains("PAUSED"), "{closed}: {status}");
            }
            pair.sites[1].command(&format!("ALTER QLOCAL({QUEUE}) {open}")).unwrap();
            pair.run(50);
            assert_eq!(pair.depths(1), (5, 0), "{closed}");
            assert_eq!(pair.links_made, connections, "{closed}: no connection was made anew");
            assert!(pair.sites[0].told("DISPLAY CHSTATUS(S0.S1) STATUS").contains("RUNNING"));
        }
    }
}

/// The channel ends by DISCINT, or by a STOP of either end, while messages outside batches wait at the
/// receiver.
#[test]
fn messages_outside_batches_that_wait_at_the_receiver_hold_up_the_end_of_their_channel() {
    for (disconnect_seconds, stops) in [(2, None), (0, Some(0)), (0, Some(1))] {
        let terms = Terms { batch: 3, in_flight: 4, is_fast: true, tries: 10_000, disconnect_seconds };
        let mut pair = Pair::with(terms);
        pair.sites[1].command(&format!("ALTER QLOCAL({QUEUE}) PUT(DISABLED)")).unwrap();
        for _ in 0..5 {
            pair.sites[0].put_to(&there(), &fast(), "0 1 1 ");
        }
        pair.run(20);
        if let Some(site) = stops {
            pair.sites[site].command("STOP CHANNEL(S0.S1)").unwrap();
        }
        pair.run(200);
        assert_eq!(pair.sites[0].depth("S1"), 0, "all are on their way");
        let status = pair.sites[1].told("DISPLAY CHSTATUS(S0.S1) STATUS");
        assert!(!status.contains("INACTIVE"), "{stops:?}: {status}");
        pair.sites[1].command(&format!("ALTER QLOCAL({QUEUE}) PUT(ENABLED)")).unwrap();
        pair.run(100);
        assert_eq!(pair.depths(1), (5, 0), "{stops:?}");
        let status = pair.sites[0].told("DISPLAY CHSTATUS(S0.S1) STATUS");
        let ended = if stops == Some(0) { "STATUS(STOPPED)" } else { "FRY8155I" };
        assert!(status.contains(ended), "{stops:?}: {status}");
    }
}

#[test]
fn one_queue_that_stays_closed_costs_its_tries_once_and_the_others_go_on() {
    let mut pair = Pair::new(true, 4);
    pair.sites[1].command(&format!("ALTER QLOCAL({QUEUE}) PUT(DISABLED)")).unwrap();
    pair.sites[1].command("DEFINE QLOCAL(GOOD)").unwrap();
    let good = ObjectDescriptor {
        object_queue_manager_name: "S1".parse().unwrap(),
        ..ObjectDescriptor::queue("GOOD".parse().unwrap())
    };
    for _ in 0..20 {
        pair.sites[0].put_to(&there(), &persistent(), "0 1 1 ");
        pair.sites[0].put_to(&good, &persistent(), "0 1 1 ");
    }
    // Four tries of half a second, once; without that each of twenty messages would take two seconds.
    pair.run(80);
    assert_eq!(pair.depths(1), (0, 20), "dead letters");
    assert_eq!(pair.sites[1].depth("GOOD"), 20);
}

#[test]
fn a_batch_that_can_be_kept_nowhere_goes_back_and_the_end_that_sends_stops() {
    let mut pair = Pair::new(true, 0);
    pair.sites[1].command("ALTER QMGR DEADQ(' ')").unwrap();
    pair.sites[1].command(&format!("ALTER QLOCAL({QUEUE}) PUT(DISABLED)")).unwrap();
    for _ in 0..4 {
        pair.sites[0].put_to(&there(), &persistent(), "0 1 1 ");
    }
    pair.expect_refusals();
    pair.run(100);
    assert_eq!(pair.depths(1), (0, 0));
    assert_eq!((pair.sites[0].depth("S1"), pair.sites[0].in_doubt()), (4, 0), "they wait at the sender");
    let status = pair.sites[0].told("DISPLAY CHSTATUS(S0.S1) STATUS LASTERR");
    assert!(status.contains("STOPPED") && status.matches("2051").count() == 1, "{status}");
    let status = pair.sites[1].told("DISPLAY CHSTATUS(S0.S1) STATUS LASTERR RQMNAME");
    assert!(status.contains("STATUS(INACTIVE)") && status.contains("2051"), "{status}");
    // Nothing starts it but a command.
    pair.sites[1].command(&format!("ALTER QLOCAL({QUEUE}) PUT(ENABLED)")).unwrap();
    pair.run(300);
    assert_eq!(pair.depths(1), (0, 0));
    pair.sites[0].command("START CHANNEL(S0.S1)").unwrap();
    pair.run(100);
    assert_eq!(pair.depths(1), (4, 0));
}

#[test]
fn a_transmission_queue_that_gives_no_messages_is_named_with_the_next_step() {
    let mut pair = Pair::new(true, 0);
    pair.sites[0].put_to(&there(), &persistent(), "0 1 1 ");
    pair.run(20);
    pair.sites[0].command("ALTER QLOCAL(S1) GET(DISABLED)").unwrap();
    pair.expect_refusals();
    pair.run(20);
    let status = pair.sites[0].told("DISPLAY CHSTATUS(S0.S1) STATUS LASTERR");
    let words = status.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("STATUS(RETRYING)") && words.contains("from transmission queue S1: "), "{words}");
    assert!(words.contains("GET(ENABLED)"), "{words}");
    pair.sites[0].command("ALTER QLOCAL(S1) GET(ENABLED)").unwrap();
    pair.sites[0].put_to(&there(), &persistent(), "0 1 1 ");
    pair.run(200);
    assert_eq!(pair.depths(1), (2, 0));
}

#[test]
fn a_message_too_long_without_a_dead_letter_queue_stops_the_end_that_sends_alone() {
    let mut pair = Pair::new(true, 0);
    pair.sites[0].command("ALTER QMGR DEADQ(' ')").unwrap();
    pair.sites[1].command("ALTER CHANNEL(S0.S1) CHLTYPE(RCVR) MAXMSGL(10)").unwrap();
    pair.sites[0].put_to(&there(), &persistent(), "0 1 1 ");
    pair.sites[0].put_to(&there(), &persistent(), "0 1 1 is longer than ten bytes");
    pair.expect_refusals();
    pair.run(100);
    let status = pair.sites[0].told("DISPLAY CHSTATUS(S0.S1) STATUS LASTERR");
    assert!(status.contains("STATUS(STOPPED)") && status.contains("LASTERR(2218: message "), "{status}");
    let facts = format!("for queue {QUEUE} has 30 bytes, more than the 10 that the channel takes (MAXMSGL)");
    let words = status.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains(&facts) && words.matches("2218: ").count() == 1 && !words.contains("reason"),
        "{words}"
    );
    let status = pair.sites[1].told("DISPLAY CHSTATUS(S0.S1) STATUS LASTERR RQMNAME");
    assert!(status.contains("STATUS(INACTIVE)") && status.contains("2218"), "{status}");
    pair.sites[1].command("ALTER CHANNEL(S0.S1) CHLTYPE(RCVR) MAXMSGL(100)").unwrap();
    pair.sites[0].command("START CHANNEL(S0.S1)").unwrap();
    pair.run(100);
    assert_eq!((pair.depths(1), pair.sites[0].depth("S1")), ((2, 0), 0), "both arrive, once");
}

/// Outside batches no unit of work has the message: it waits at the sender.
#[test]
fn a_message_outside_batches_that_can_neither_go_nor_be_kept_holds_its_channel_up() {
    for (closes, opens) in [
        ("ALTER QMGR DEADQ(' ')", "ALTER QMGR DEADQ(DLQ)"),
        ("ALTER CHANNEL(S0.S1) CHLTYPE(SDR) USEDLQ(NO)", "ALTER CHANNEL(S0.S1) CHLTYPE(SDR) USEDLQ(YES)"),
    ] {
        let mut pair = Pair::new(true, 0);
        pair.sites[0].command(closes).unwrap();
        pair.sites[1].command("ALTER CHANNEL(S0.S1) CHLTYPE(RCVR) MAXMSGL(10)").unwrap();
        pair.sites[0].put_to(&there(), &fast(), "0 1 1 is longer than ten bytes");
        pair.sites[0].put_to(&there(), &fast(), "0 1 1 ");
        pair.run(100);
        let status = pair.sites[0].told("DISPLAY CHSTATUS(S0.S1) STATUS LASTERR");
        assert!(status.contains("STATUS(PAUSED)") && status.contains("LASTERR(2218: message "), "{status}");
        pair.sites[0].put_to(&there(), &fast(), "0 1 1 ");
        pair.run(20);
        assert_eq!((pair.depths(0), pair.sites[0].depth("S1")), ((0, 0), 1), "{closes}: it waits");
        pair.sites[0].command(opens).unwrap();
        pair.run(100);
        assert_eq!((pair.depths(0), pair.depths(1)), ((0, 1), (2, 0)), "{opens}: kept, and the next arrive");
        let status = pair.sites[0].told("DISPLAY CHSTATUS(S0.S1) STATUS LASTERR");
        assert!(status.contains("STATUS(RUNNING)") && status.contains("LASTERR( )"), "{status}");
    }
}

#[test]
fn a_putter_that_asks_is_told_and_has_its_message_back_where_it_wants_it_discarded() {
    let whole = constants::MQRO_EXCEPTION_WITH_FULL_DATA;
    for (report, dead) in [(constants::MQRO_EXCEPTION, 1), (whole | constants::MQRO_DISCARD_MSG, 0)] {
        let mut pair = Pair::new(true, 0);
        pair.sites[1].command(&format!("ALTER QLOCAL({QUEUE}) PUT(DISABLED)")).unwrap();
        let descriptor = MessageDescriptor {
            report: ReportOptions::from_bits(report),
            reply_to_queue: QUEUE.parse().unwrap(),
            ..persistent()
        };
        pair.sites[0].put_to(&there(), &descriptor, "0 1 1 ");
        pair.run(100);
        assert_eq!(pair.depths(1), (0, dead), "report options {report}");
        assert_eq!(pair.depths(0), (1, 0), "the report came back to the putter");
    }
}

#[test]
fn a_message_that_is_too_long_for_the_partner_is_a_dead_letter_of_the_sender() {
    let mut pair = Pair::new(true, 0);
    pair.sites[1].command("ALTER CHANNEL(S0.S1) CHLTYPE(RCVR) MAXMSGL(100)").unwrap();
    pair.sites[0].put_to(&there(), &persistent(), &"x".repeat(101));
    pair.sites[0].put_to(&there(), &persistent(), &"x".repeat(100));
    pair.run(100);
    assert_eq!((pair.depths(0), pair.depths(1)), ((0, 1), (1, 0)));
    assert_eq!((pair.sites[0].depth("S1"), pair.sites[0].in_doubt()), (0, 0));
}

#[test]
fn a_message_without_a_transmission_header_is_a_dead_letter_of_the_sender() {
    let mut pair = Pair::new(true, 0);
    let transmission = ObjectDescriptor::queue("S1".parse().unwrap());
    pair.sites[0].put_to(&transmission, &persistent(), "no header");
    pair.sites[0].put_to(&transmission, &fast(), "no header");
    pair.run(50);
    assert_eq!((pair.depths(0), pair.depths(1)), ((0, 2), (0, 0)));
    assert_eq!(pair.sites[0].depth("S1"), 0);
}

#[test]
fn ends_with_another_wrap_of_sequence_numbers_refuse_each_other_in_words() {
    let mut pair = Pair::new(true, 0);
    pair.sites[1].command("ALTER CHANNEL(S0.S1) CHLTYPE(RCVR) SEQWRAP(1000)").unwrap();
    pair.sites[0].put_to(&there(), &persistent(), "0 1 1 ");
    pair.expect_refusals();
    pair.run(30);
    let status = pair.sites[0].told("DISPLAY CHSTATUS(S0.S1) LASTERR");
    assert!(status.contains("SEQWRAP"), "{status}");
    assert_eq!((pair.sites[0].depth("S1"), pair.depths(1)), (1, (0, 0)));
}

#[test]
fn a_thousand_idle_senders_leave_the_log_to_putters_and_then_all_send() {
    const CHANNELS: usize = 1_000;
    let terms = Terms { batch: 50, in_flight: 4, is_fast: true, tries: 0, disconnect_seconds: 0 };
    let sites = (0..2).map(|number| {
        let log = storage::Settings {
            extent_bytes: 1 << 20,
            primary_extents: 8,
            secondary_extents: 0,
            ..storage::Settings::default()
        };
        let settings = Settings {
            connections_max: 2 * CHANNELS as u32 + 100,
            memory_budget_bytes: 64 << 20,
            storage: log,
            ..settings(number)
        };
        Site::with(settings, 7, (number, 2), terms).unwrap()
    });
    let mut pair = Pair::of(sites.collect());
    for number in 0..CHANNELS {
        pair.sites[1].command(&format!("DEFINE CHANNEL(IDLE.{number}) CHLTYPE(RCVR)")).unwrap();
        pair.sites[0].command(&format!("DEFINE QLOCAL(X.{number}) USAGE(XMITQ)")).unwrap();
        let sender =
            format!("DEFINE CHANNEL(IDLE.{number}) CHLTYPE(SDR) CONNAME('S1') XMITQ(X.{number}) DISCINT(0)");
        pair.sites[0].command(&sender).unwrap();
        pair.sites[0].command(&format!("START CHANNEL(IDLE.{number})")).unwrap();
        if number % 50 == 0 {
            pair.settle();
        }
    }
    let running =
        |site: &Site| site.told("DISPLAY CHSTATUS(IDLE.*) STATUS").matches("STATUS(RUNNING)").count();
    let all_run = |pair: &mut Pair| {
        pair.run(5);
        pair.sites.iter().all(|site| running(site) == CHANNELS)
    };
    assert!(
        (0..60).any(|_| all_run(&mut pair)),
        "{} and {}",
        running(&pair.sites[0]),
        running(&pair.sites[1])
    );
    pair.settle();
    let here = ObjectDescriptor::queue(QUEUE.parse().unwrap());
    for _ in 0..200 {
        pair.sites[0].put_to(&here, &persistent(), &"x".repeat(4_000));
    }
    for number in 0..CHANNELS {
        // The partner does not know the name, and keeps a dead letter.
        let there = ObjectDescriptor {
            object_queue_manager_name: format!("X.{number}").parse().unwrap(),
            ..here.clone()
        };
        pair.sites[0].put_to(&there, &persistent(), "for the other");
        // A hundred channels have a batch open at once.
        if number % 100 == 99 {
            pair.run(12);
        }
    }
    pair.run(50);
    assert_eq!((pair.sites[0].depth(QUEUE), pair.sites[0].in_doubt()), (200, 0));
    assert_eq!(pair.depths(1), (0, CHANNELS as u64));
}
