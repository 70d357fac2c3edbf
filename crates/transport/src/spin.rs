//! Whether to spin for the next event instead of sleeping.
//!
//! Waking a processor that halted costs about 30 µs, asking the kernel again less than one. So a reactor that has
//! lately found work within microseconds asks again for a while before it sleeps. It learns without spinning, from
//! how short its sleeps were, and stops when spins do not pay or when the scheduler took the processor away: on a
//! busy machine a spinning thread only delays the one it waits for.

use std::time::{Duration, Instant};

/// Longest spin. Longer ones cost more processor than the sleep they save.
pub const SPIN_MAX: Duration = Duration::from_micros(20);

/// A sleep shorter than this would have been a spin that paid: the wake-up itself was most of it.
const SHORT_SLEEP: Duration = Duration::from_micros(60);

/// One step of a spin that took longer than this was not ours alone: the scheduler ran another thread.
const SWITCHED_OUT: Duration = Duration::from_micros(150);

/// How long no spin is tried after an involuntary switch.
const COOL_DOWN: Duration = Duration::from_millis(10);

const SCORE_MAX: i32 = 16;
const SCORE_TO_SPIN: i32 = 4;

/// Learns whether spinning pays.
#[derive(Debug)]
pub struct Spin {
    possible: bool,
    score: i32,
    cool_until: Option<Instant>,
}

impl Spin {
    /// Nothing learnt yet. With one processor it never spins: whoever it waits for needs that processor.
    #[must_use]
    pub fn new(processors: usize) -> Self {
        Self { possible: processors >= 2, score: 0, cool_until: None }
    }

    /// Whether to spin now.
    #[must_use]
    pub fn worth_it(&self, now: Instant) -> bool {
        self.possible && self.score >= SCORE_TO_SPIN && self.cool_until.is_none_or(|until| now >= until)
    }

    /// A spin ended; `step` is its longest step.
    pub fn spun(&mut self, found: bool, step: Duration, now: Instant) {
        if step > SWITCHED_OUT {
            self.score = 0;
            self.cool_until = Some(now + COOL_DOWN);
        } else if found {
            self.score = (self.score + 1).min(SCORE_MAX);
        } else {
            self.score -= 2;
        }
    }

    /// A sleep ended after `slept` because there was work.
    pub fn slept(&mut self, slept: Duration) {
        if slept < SHORT_SLEEP {
            self.score = (self.score + 1).min(SCORE_MAX);
        } else {
            self.score = (self.score - 1).max(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Duration = Duration::from_micros(1);

    #[test]
    fn short_sleeps_teach_it_to_spin_and_idle_ones_to_stop() {
        let now = Instant::now();
        let mut spin = Spin::new(2);
        assert!(!spin.worth_it(now));
        for _ in 0..4 {
            spin.slept(Duration::from_micros(30));
        }
        assert!(spin.worth_it(now));
        spin.spun(false, STEP, now);
        assert!(!spin.worth_it(now));
    }

    #[test]
    fn spins_that_pay_survive_a_few_that_do_not() {
        let now = Instant::now();
        let mut spin = Spin::new(2);
        for _ in 0..20 {
            spin.slept(STEP);
        }
        for _ in 0..5 {
            spin.spun(false, STEP, now);
            assert!(spin.worth_it(now));
        }
    }

    #[test]
    fn an_involuntary_switch_cools_it_down() {
        let now = Instant::now();
        let mut spin = Spin::new(2);
        for _ in 0..20 {
            spin.slept(STEP);
        }
        spin.spun(true, Duration::from_millis(4), now);
        for _ in 0..20 {
            spin.slept(STEP);
        }
        assert!(!spin.worth_it(now));
        assert!(spin.worth_it(now + Duration::from_millis(11)));
    }

    #[test]
    fn one_processor_never_spins() {
        let mut spin = Spin::new(1);
        for _ in 0..20 {
            spin.slept(STEP);
        }
        assert!(!spin.worth_it(Instant::now()));
    }
}
