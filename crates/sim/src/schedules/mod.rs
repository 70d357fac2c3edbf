//! Threads of the engine in schedules chosen one by one: each seed gives one, and gives it again.
//!
//! Lives here: [`SUBJECTS`] (what is run so: clients that do as chance has it, and `interplays` of two or
//! three things that meet at one queue), [`Subject::run`] (one of them in the schedules of some seeds). Lives
//! elsewhere: the locks and atomics at which threads are switched (`platform::sync`), small parts in every
//! order there is (the modules `models` of the crates that have them).
//!
//! Always: what threads do and in which order they do it follows from the seed and the subject, and from
//! nothing else.

mod actor;
mod branches;
mod interplays;
mod ledger;
mod order;
mod stage;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use shuttle::{Config, FailurePersistence, MaxSteps, Runner};

use crate::concurrent::{self, Finding, Prepared, Size};
use order::Orders;
use stage::Files;

/// Threads of a schedule run on stacks of this size, as those of programs do; the engine's deepest calls need
/// a part of it.
const STACK_BYTES: usize = 2 << 20;
/// A schedule with more steps than this has threads that wait for each other.
const STEPS_MAX: usize = 1_000_000;

/// Something that is run in schedules.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// Its name in results.
    pub name: &'static str,
    does: Does,
}

#[derive(Clone, Copy, Debug)]
enum Does {
    /// Clients whose calls chance chooses, and an order that explains what they were told.
    Clients,
    /// A scene; it panics when something is wrong.
    Scene(fn(&Files, u64)),
}

const fn scene(name: &'static str, plays: fn(&Files, u64)) -> Subject {
    Subject { name, does: Does::Scene(plays) }
}

/// All of them.
pub const SUBJECTS: &[Subject] = &[
    Subject { name: "clients", does: Does::Clients },
    scene("wait-put", interplays::wait_and_put),
    scene("commit-cancel", interplays::commit_and_cancel),
    scene("prepare-decide", interplays::prepare_and_decide),
    scene("expire-get", interplays::expire_and_get),
    scene("end-deliver", interplays::end_and_deliver),
    scene("stop-deliver", interplays::stop_and_deliver),
    scene("trigger-open", interplays::trigger_and_open),
    scene("answer-power", interplays::answer_and_lose_power),
    scene("checkpoint-get", interplays::checkpoint_and_get),
    scene("quiesce-wait", interplays::quiesce_and_wait),
    scene("work-return", interplays::work_and_return),
    scene("batch-return", interplays::batch_and_return),
    scene("alter-wait", interplays::alter_and_wait),
    scene("burst-wait", interplays::burst_and_wait),
    scene("series-wait", interplays::series_and_wait),
    scene("delete-open", interplays::delete_and_open),
    scene("retain-subscribe", interplays::retain_and_subscribe),
    scene("unsubscribe-publish", interplays::unsubscribe_and_publish),
    scene("branch-stop", branches::join_and_stop),
    scene("branch-work", branches::work_and_decide),
    scene("branch-forget", branches::decide_and_forget),
];

impl Subject {
    /// Runs it in the schedules of these seeds until one shows a fault.
    #[must_use]
    pub fn run(self, seeds: Range<u64>) -> Option<Failure> {
        match self.does {
            Does::Clients => {
                let prepared = prepare(Prepared::make);
                run(seeds, move |seed| match concurrent::run(&prepared, seed, Size::of_schedule(seed)) {
                    Finding::Wrong(problem) => panic!("{problem}"),
                    Finding::Undecided => panic!("the search for an order was given up"),
                    Finding::Explained => {}
                })
            }
            Does::Scene(plays) => {
                let files = prepare(Files::make);
                run(seeds, move |seed| plays(&files, seed))
            }
        }
    }
}

/// A schedule that showed a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Gives the schedule again.
    pub seed: u64,
    /// Description of the fault.
    pub problem: String,
}

fn config() -> Config {
    let mut config = Config::new();
    config.stack_size = STACK_BYTES;
    config.max_steps = MaxSteps::FailAfter(STEPS_MAX);
    config.failure_persistence = FailurePersistence::None;
    config.silence_warnings = true;
    config
}

/// Runs the body in the schedule of each seed until one panics.
fn run(seeds: Range<u64>, body: impl Fn(u64) + Send + Sync + 'static) -> Option<Failure> {
    let current = Arc::new(AtomicU64::new(seeds.start));
    let orders = Orders::new(seeds, Arc::clone(&current));
    let seed = Arc::clone(&current);
    let ran = catch_unwind(AssertUnwindSafe(|| {
        Runner::new(orders, config()).run(move || body(seed.load(Ordering::Relaxed)))
    }));
    let panic = ran.err()?;
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    Some(Failure { seed: current.load(Ordering::Relaxed), problem: text.unwrap_or_default() })
}

/// Makes something that can be made only within a schedule, where the engine's locks exist.
fn prepare<T: Send + 'static>(make: impl Fn() -> T + Send + Sync + 'static) -> T {
    let made = Arc::new(Mutex::new(None));
    let place = Arc::clone(&made);
    let failure = run(0..1, move |_| *place.lock() = Some(make()));
    let made = made.lock().take();
    made.unwrap_or_else(|| panic!("cannot prepare: {failure:?}"))
}
