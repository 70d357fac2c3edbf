//! A progress line on a terminal for work that takes its time.

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work shorter than this shows no progress.
const QUIET_FOR: Duration = Duration::from_millis(700);

/// Counts what is done; draws on standard error if that is a terminal, at most ten times a second.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: std::time::Instant,
    shown: bool,
}

impl Progress {
    /// Work of a known (`Some`) or unknown number of steps, each of them a `unit`.
    pub(crate) fn new(total: Option<u64>, unit: &str) -> Self {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let template = match total {
            Some(_) => {
                format!("  {{bar:32}} {{human_pos}} of {{human_len}} {unit}  {{per_sec}}  {{eta}} left")
            }
            None => format!("  {{spinner}} {{human_pos}} {unit}  {{per_sec}}  {{elapsed}}"),
        };
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        Self { bar, started: std::time::Instant::now(), shown: false }
    }

    /// Adds steps that were done.
    pub(crate) fn add(&mut self, steps: u64) {
        self.bar.inc(steps);
        if !self.shown && self.started.elapsed() > QUIET_FOR && io::stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
            self.shown = true;
        }
    }

    /// Removes the line.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}
