//! Proof that the judge of histories finds what it must: faults put into the running engine, one at a time.
//!
//! Lives here: [`hunt`], which runs the engine with a fault on the simulated disk, with and without a power
//! failure, until its clients' history alone convicts it. Lives elsewhere: the faults and their places in the
//! engine (`storage::planted`), the clients (`clients`), the judge (`testing::history`).
//!
//! Always: no model is asked, and a start that is refused or a broken assertion convicts nobody: what counts
//! is what clients were told.
//!
//! Only with the feature `planted`.

mod clients;

use platform::simulated::{CrashPolicy, Random};
use storage::planted::{Fault, plant_here};
use testing::history::{Class, Verdict, check};

use crate::torture::{Maker, Shape, Workload};
use clients::{Clients, aftermath};

/// Progress of a hunt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunt {
    /// Histories judged.
    pub cases: u64,
    /// Lives that ended before they could be judged: refused starts, broken assertions.
    pub unjudged: u64,
    /// Conviction of the last history, if there was one.
    pub found: Option<Found>,
}

/// Conviction of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The seed of the workload.
    pub seed: u64,
    /// Of which kind the first fault in it is.
    pub class: Class,
    /// Its text.
    pub text: String,
}

/// Power failures tried of each workload, half of them while a checkpoint is taken or just was: these are few
/// moments of all, and what a checkpoint says of the log is right or wrong there alone.
const CRASHES: usize = 12;

/// Runs seeds with a fault planted until a history is convicted, at most so many histories. A hunt without a
/// fault must find nothing.
#[must_use]
pub fn hunt(maker: &dyn Maker, fault: Option<Fault>, cases_max: u64) -> Hunt {
    let mut hunt = Hunt::default();
    for seed in 0.. {
        run_seed(maker, seed, fault, &mut hunt);
        plant_here(None);
        if hunt.found.is_some() || hunt.cases + hunt.unjudged >= cases_max {
            break;
        }
    }
    hunt
}

fn run_seed(maker: &dyn Maker, seed: u64, fault: Option<Fault>, hunt: &mut Hunt) {
    let mut random = Random::stream(seed, "planted");
    let shape = match seed % 4 {
        0 => Shape::varied(&mut random),
        1 => Shape::long(&mut random),
        // Units of work long enough that a checkpoint moves their beginning while their end is not durable.
        2 => Shape { in_units: 70, ..Shape::storing(&mut random) },
        _ => Shape::lapping(&mut random),
    };
    // Only where somebody waits is anything handed over.
    let hands_over = fault.is_none_or(|fault| fault == Fault::AckBeforeReceipt);
    let shape = if hands_over { shape.waiting(&mut random) } else { shape };
    let prepares = fault.is_none_or(|fault| fault == Fault::PrepareForgotten);
    let shape = if prepares { shape.preparing(&mut random) } else { shape };
    let workload = Workload::new(shape, Random::stream(seed, "workload"));
    let Some(mut clients) = clients::guarded(|| Clients::start(maker, seed, fault)) else {
        hunt.unjudged += 1;
        return;
    };
    let worked = clients::guarded(|| clients.work(workload));
    let images = clients.images();
    let of_checkpoints = Vec::from_iter(images.iter().filter(|left| left.is_of_checkpoint));
    for crash in 0..CRASHES.min(images.len()) {
        let left = match crash % 2 {
            0 if !of_checkpoints.is_empty() => *random.pick(&of_checkpoints),
            _ => random.pick(&images),
        };
        let policy = CrashPolicy::random(&mut random);
        let disk = left.image.crash(&mut random, policy);
        let before = clients.events_at(left.known);
        let decided = clients.decided_by(left);
        hunt.judge(seed, clients::guarded(|| aftermath(maker, disk, before, &decided)));
        if hunt.found.is_some() {
            return;
        }
    }
    if worked.is_some() {
        let told = clients::guarded(move || clients.leave());
        hunt.judge(seed, told);
    }
}

impl Hunt {
    fn judge(&mut self, seed: u64, history: Option<Vec<testing::history::Event>>) {
        let Some(history) = history else {
            self.unjudged += 1;
            return;
        };
        self.cases += 1;
        let Verdict { faults, .. } = check(&history);
        self.found =
            faults.into_iter().next().map(|fault| Found { seed, class: fault.class, text: fault.text });
    }
}
