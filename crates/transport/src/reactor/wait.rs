//! The one place where a reactor waits.

use std::io;
use std::time::{Duration, Instant};

use super::Reactor;
use crate::handler::Handler;
use crate::spin::{SPIN_MAX, give_way};

/// Beside busy rings the kernel is asked at least as often: of some only it knows that they wait.
const KERNEL_ASKED_EVERY: Duration = Duration::from_micros(20);

/// Looks at rings before the kernel is asked.
const LOOKS_AT_RINGS: u32 = 8;

impl<H: Handler> Reactor<H> {
    /// Waits until something is ready, another thread wakes the reactor, or the deadline; not at all when
    /// work is left.
    pub(super) fn wait(&mut self, again: bool, deadline: Option<Instant>) -> io::Result<()> {
        if again || self.table.ready_count() > 0 || self.shared.is_pending() {
            self.table.look_at_rings();
            self.poll(Some(Duration::ZERO))?;
            self.note_events();
            return Ok(());
        }
        let now = Instant::now();
        let timeout = self.timeout(now, deadline);
        let found = self.spin.worth_it(now) && self.spin_for(now, timeout)?;
        if !found {
            self.sleep(now, timeout)?;
        }
        self.note_events();
        Ok(())
    }

    fn timeout(&self, now: Instant, deadline: Option<Instant>) -> Option<Duration> {
        let paused = self.listeners.iter().flatten().filter_map(|listening| listening.pause_until).min();
        let due = self.table.first_deadline();
        let unfinished = self.listeners.iter().flatten().any(|it| it.ready && it.pause_until.is_none());
        let first = [deadline, paused, due, unfinished.then_some(now)].into_iter().flatten().min();
        first.map(|moment| moment.saturating_duration_since(now))
    }

    /// Looks at rings and asks the kernel, again and again for a few microseconds. Returns whether that found
    /// something.
    fn spin_for(&mut self, start: Instant, timeout: Option<Duration>) -> io::Result<bool> {
        let until = start + timeout.unwrap_or(SPIN_MAX).min(SPIN_MAX);
        let (mut now, mut longest) = (start, Duration::ZERO);
        self.events.clear();
        loop {
            let mut found = self.look_at_rings();
            if !found || now - self.polled_at >= KERNEL_ASKED_EVERY {
                self.poll(Some(Duration::ZERO))?;
                self.polled_at = now;
                found |= !self.events.is_empty() || self.shared.is_pending();
            }
            let step_end = Instant::now();
            longest = longest.max(step_end - now);
            now = step_end;
            if found || now >= until {
                self.spin.spun(found, longest, now);
                return Ok(found);
            }
            give_way();
        }
    }

    /// Looks at the rings that are watched, a few times as that costs so much less than to ask the kernel.
    fn look_at_rings(&mut self) -> bool {
        (0..LOOKS_AT_RINGS).any(|_| {
            std::hint::spin_loop();
            self.table.look_at_rings()
        })
    }

    fn sleep(&mut self, now: Instant, timeout: Option<Duration>) -> io::Result<()> {
        if !self.table.look_away() || !self.shared.may_sleep() {
            return self.poll(Some(Duration::ZERO));
        }
        // The kernel counts in milliseconds: a deadline within the next one is met a little late, not by
        // turning.
        let outcome = self.poll(timeout);
        self.shared.awake();
        if !self.events.is_empty() {
            self.spin.slept(now.elapsed());
        }
        outcome
    }

    fn poll(&mut self, timeout: Option<Duration>) -> io::Result<()> {
        match self.table.poll(&mut self.events, timeout) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                self.events.clear();
                Ok(())
            }
            outcome => outcome,
        }
    }
}
