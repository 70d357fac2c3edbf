//! The same seed is the same course, and what must occur does.

use platform::simulated::Random;

use super::run::{Plan, simulate_plan};
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
