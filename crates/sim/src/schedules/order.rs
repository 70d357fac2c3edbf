//! The choice of the next thread: one order for each seed.
//!
//! Three ways, by the seed. Any thread at each step, which mixes thoroughly. The same thread for a while and
//! then any, which leaves calls whole more often. And the thread of highest priority, where priorities change
//! at a few steps (Burckhardt and others, ASPLOS 2010), which finds what needs one thread to be held up in
//! one place for very long.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use platform::simulated::Random;
use shuttle::scheduler::{Schedule, Scheduler, Task, TaskId};

/// Steps at which the thread of highest priority becomes the one of lowest.
const CHANGES_MAX: u64 = 5;
/// Bits of the last step at which that may be: the longest schedules have some thousands.
const CHANGE_BITS_MAX: u64 = 13;

#[derive(Debug)]
enum Way {
    Any,
    Sticky { percent: u8 },
    Priorities { of: Vec<u64>, lowest: u64, changes: Vec<u64> },
}

/// Makes the orders of one seed after the other.
#[derive(Debug)]
pub(super) struct Orders {
    next: u64,
    end: u64,
    /// The seed of the order under way, for threads that run in it.
    current: Arc<AtomicU64>,
    random: Random,
    way: Way,
    steps: u64,
}

impl Orders {
    /// Orders for these seeds; `current` says which one is under way.
    pub(super) fn new(seeds: std::ops::Range<u64>, current: Arc<AtomicU64>) -> Self {
        Self { next: seeds.start, end: seeds.end, current, random: Random::new(0), way: Way::Any, steps: 0 }
    }
}

impl Scheduler for Orders {
    fn new_execution(&mut self) -> Option<Schedule> {
        if self.next == self.end {
            return None;
        }
        let seed = self.next;
        self.next += 1;
        self.current.store(seed, Ordering::Relaxed);
        self.random = Random::stream(seed, "order");
        self.steps = 0;
        self.way = match seed % 3 {
            0 => Way::Any,
            1 => Way::Sticky { percent: *self.random.pick(&[50, 75, 90, 97]) },
            _ => {
                let changes = self.random.between(0, CHANGES_MAX);
                let step = |random: &mut Random| {
                    let bits = random.between(1, CHANGE_BITS_MAX);
                    random.below(1 << bits)
                };
                let changes = (0..changes).map(|_| step(&mut self.random)).collect();
                Way::Priorities { of: Vec::new(), lowest: u64::MAX / 2, changes }
            }
        };
        Some(Schedule::new(seed))
    }

    fn next_task(
        &mut self,
        runnable: &[&Task],
        current: Option<TaskId>,
        is_yielding: bool,
    ) -> Option<TaskId> {
        self.steps += 1;
        if let [only] = runnable {
            return Some(only.id());
        }
        let random = &mut self.random;
        let chosen = match &mut self.way {
            Way::Any => runnable[random.index(runnable.len())].id(),
            Way::Sticky { percent } => {
                let goes_on = !is_yielding && random.percent(*percent);
                let same = runnable.iter().find(|task| Some(task.id()) == current).filter(|_| goes_on);
                same.unwrap_or_else(|| &runnable[random.index(runnable.len())]).id()
            }
            Way::Priorities { of, lowest, changes } => {
                let highest = runnable.iter().map(|task| usize::from(task.id())).max().unwrap_or(0);
                while of.len() <= highest {
                    of.push(u64::MAX / 2 + 1 + random.below(u64::MAX / 4));
                }
                if let Some(current) = current.filter(|_| is_yielding || changes.contains(&self.steps)) {
                    *lowest -= 1;
                    of[usize::from(current)] = *lowest;
                }
                let first = runnable.iter().max_by_key(|task| of[usize::from(task.id())]);
                first.expect("some thread can go on").id()
            }
        };
        Some(chosen)
    }

    fn next_u64(&mut self) -> u64 {
        self.random.next_u64()
    }
}
