//! Requests that were answered, by route and status.
//!
//! Always: a route is one of a table, so that a request cannot add series.

use std::collections::BTreeMap;
use std::sync::Mutex;

use figures::metrics::{Kind, Label, Printer};

/// The name of paths that are not served.
pub(crate) const OTHER: &str = "other";

/// Counts of requests.
#[derive(Default)]
pub(crate) struct Counted {
    requests: Mutex<BTreeMap<(&'static str, u16), u64>>,
}

impl Counted {
    pub(crate) fn add(&self, route: &'static str, status: u16) {
        let mut requests = self.requests.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        *requests.entry((route, status)).or_default() += 1;
    }

    /// Writes them as a family.
    pub(crate) fn print(&self, printer: &mut Printer, manager: Label<'_>) {
        let requests = self.requests.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        printer.family("http_requests", Kind::Counter, "Requests that the control process answered.");
        for ((route, status), count) in requests.iter() {
            let status = status.to_string();
            let labels = [manager, ("route", *route), ("status", status.as_str())];
            #[expect(clippy::cast_precision_loss, reason = "monitoring systems count in floating point")]
            printer.sample(("http_requests", Kind::Counter, ""), &labels, *count as f64);
        }
    }
}
