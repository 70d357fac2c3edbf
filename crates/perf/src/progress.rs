//! Bars on standard error that say how far long work is; nothing where that is no terminal.

use std::io::{self, Write as _};
use std::sync::LazyLock;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// All bars of this process, one below the other; redrawn ten times a second at most.
static BARS: LazyLock<MultiProgress> =
    LazyLock::new(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(10)));

/// One bar; it goes when this is dropped.
#[derive(Debug)]
pub struct Bar(ProgressBar);

impl Bar {
    /// Of so many of these, with how long they will still take.
    #[must_use]
    pub fn of(total: u64, what: &'static str) -> Self {
        Self::styled(total, what, "{bar:32} {human_pos} of {human_len} {msg}, {eta} left {prefix}")
    }

    /// Of work that takes so long.
    #[must_use]
    pub fn of_time(whole: Duration, what: &'static str) -> Self {
        Self::styled(milliseconds(whole), what, "{bar:32} {msg} {prefix}")
    }

    /// Of much work that takes about so long, with how long it will still take.
    #[must_use]
    pub fn of_work(expected: Duration, what: &'static str) -> Self {
        Self::styled(milliseconds(expected), what, "{bar:32} {percent} % of {msg}, {eta} left {prefix}")
    }

    fn styled(total: u64, what: &'static str, template: &str) -> Self {
        let bar = BARS.add(ProgressBar::new(total)).with_message(what);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Names the present work.
    pub fn name(&self, what: &str) {
        self.0.set_prefix(what.to_owned());
    }

    /// So many are done.
    pub fn done(&self, count: u64) {
        self.0.set_position(count);
    }

    /// So much more of it is done.
    pub fn more(&self, expected: Duration) {
        self.0.inc(milliseconds(expected));
    }

    /// So much time has passed.
    pub fn passed(&self, time: Duration) {
        self.0.set_position(milliseconds(time));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
        BARS.remove(&self.0);
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Says something on standard error, above the bars.
pub fn say(text: &str) {
    // Where the terminal is gone, or what takes its place is full, nobody listens.
    let _ = if BARS.is_hidden() { writeln!(io::stderr(), "{text}") } else { BARS.println(text) };
}

/// Writes somewhere else on the same terminal, where the bars are not meanwhile.
pub fn apart<T>(write: impl FnOnce() -> T) -> T {
    BARS.suspend(write)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_where_its_work_is() {
        let bar = Bar::of(200, "points");
        bar.done(50);
        assert_eq!((bar.0.position(), bar.0.length()), (50, Some(200)));
        let time = Bar::of_time(Duration::from_secs(2), "measuring");
        time.passed(Duration::from_millis(500));
        assert_eq!((time.0.position(), time.0.length()), (500, Some(2000)));
    }
}
