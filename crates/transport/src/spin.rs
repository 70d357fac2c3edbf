//! Spinning for the next event instead of sleeping.
//!
//! Waking a processor that halted costs about 30 µs, asking the kernel again less than one. So a reactor that
//! has lately found work within microseconds asks again for a while before it sleeps. It learns without
//! spinning, from how short its sleeps were, and stops when spins do not pay or when others took the
//! processor for long.
//!
//! Between two looks it gives way: the thread it waits for may have been woken on this very processor, where
//! it would otherwise stand behind the spin until that ends
//! ([0021](../../../docs/decisions/0021-spinning-threads-yield-between-polls.md)).

use std::time::{Duration, Instant};

/// Longest spin: the two sleeps and wake-ups of another program that it takes to answer, on a machine where
/// each costs 40 µs.
pub const SPIN_MAX: Duration = Duration::from_micros(100);

/// A sleep shorter than this would have been a spin that paid: wake-ups, its own too, were most of it.
const SHORT_SLEEP: Duration = Duration::from_micros(200);

/// One step of a spin that took longer than this was not ours alone: another thread had the processor for
/// long.
const SWITCHED_OUT: Duration = Duration::from_micros(150);

/// Time without spins after an involuntary switch. Twice as long after each that follows soon: where threads
/// stand in line for the processors, one that gives way goes behind all of them, for a millisecond and more.
const COOL_DOWN: Duration = Duration::from_millis(10);

/// Longest time without spins: long enough that 99 of 100 answers of a lone program do not meet such a
/// switch, short enough that spins are soon back when the others are gone.
const COOL_DOWN_MAX: Duration = Duration::from_millis(160);

/// After so many spins without such a switch the next one is the first again.
const SPINS_TO_FORGET: u32 = 1000;

const SCORE_MAX: i32 = 16;
const SCORE_TO_SPIN: i32 = 4;

/// Lets other threads run that are ready on this processor; between two looks of a spin.
pub fn give_way() {
    std::thread::yield_now();
}

/// Gives way until so much time has passed, or longer if others want it.
pub fn give_way_for(time: Duration) {
    let until = Instant::now() + time;
    while Instant::now() < until {
        give_way();
    }
}

/// Learns whether spinning pays.
#[derive(Debug)]
pub struct Spin {
    possible: bool,
    score: i32,
    cool_until: Option<Instant>,
    /// The length of the next pause.
    cool_down: Duration,
    /// Spins since the last one.
    spins: u32,
}

impl Spin {
    /// Nothing learnt yet. With one processor it never spins: the thread it waits for needs that processor.
    #[must_use]
    pub fn new(processors: usize) -> Self {
        let possible = processors >= 2;
        Self { possible, score: 0, cool_until: None, cool_down: COOL_DOWN, spins: 0 }
    }

    /// Returns true if spinning now is worth it.
    #[must_use]
    pub fn worth_it(&self, now: Instant) -> bool {
        self.possible && self.score >= SCORE_TO_SPIN && self.cool_until.is_none_or(|until| now >= until)
    }

    /// A spin ended; `step` is its longest step.
    pub fn spun(&mut self, found: bool, step: Duration, now: Instant) {
        self.spins = self.spins.saturating_add(1);
        if step > SWITCHED_OUT {
            let is_first = self.spins > SPINS_TO_FORGET;
            let pause = if is_first { COOL_DOWN } else { self.cool_down };
            (self.score, self.spins) = (0, 0);
            self.cool_until = Some(now + pause);
            self.cool_down = COOL_DOWN_MAX.min(2 * pause);
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
        // As long as the answer of a program takes that had to be woken, on a slow machine.
        for _ in 0..4 {
            spin.slept(Duration::from_micros(150));
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
    fn switches_that_follow_each_other_cool_it_down_for_longer_each_time() {
        let mut now = Instant::now();
        let mut spin = Spin::new(2);
        let mut pauses = Vec::new();
        let mut switch = |spin: &mut Spin| {
            spin.spun(true, Duration::from_millis(2), now);
            (0..20).for_each(|_| spin.slept(STEP));
            let begun = now;
            while !spin.worth_it(now) {
                now += Duration::from_millis(1);
            }
            (now - begun).as_millis()
        };
        pauses.extend((0..9).map(|_| switch(&mut spin)));
        assert_eq!(pauses, [10, 20, 40, 80, 160, 160, 160, 160, 160]);
        for _ in 0..=SPINS_TO_FORGET {
            spin.spun(true, STEP, Instant::now());
        }
        assert_eq!(switch(&mut spin), 10, "the processor had long been its own");
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
