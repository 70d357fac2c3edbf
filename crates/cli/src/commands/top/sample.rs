//! One look at a queue manager, and the rates since the look before.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use client::Counter;
use serde::Serialize;

use crate::commands::pages;
use crate::interrupt::Interrupt;
use terminal::connect::Session;
use terminal::failure::{Exit, Failure, Result};
use terminal::units;

/// Interval at which a wait checks if the queue manager is about to end, which waits for its programs.
pub(super) const LOOK_FOR_END: Duration = Duration::from_millis(500);

/// Figures shown.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Sample {
    pub(crate) queue_manager: String,
    pub(crate) uptime_seconds: u64,
    pub(crate) connections: u64,
    pub(crate) resident_bytes: u64,
    pub(crate) log_bytes_free: u64,
    #[serde(serialize_with = "units::serialize_rate")]
    pub(crate) log_bytes_per_second: f64,
    #[serde(serialize_with = "units::serialize_rate")]
    pub(crate) forces_per_second: f64,
    /// Mean time of a force since the look before, if there was one.
    pub(crate) force_microseconds: Option<f64>,
    pub(crate) queues: Vec<QueueRow>,
}

impl Sample {
    /// The sum of the queues shown, and the age of their oldest message.
    pub(crate) fn total(&self) -> QueueRow {
        let name = format!("all {}", units::counted(self.queues.len() as u64, "queue"));
        self.queues.iter().fold(QueueRow { name, ..QueueRow::default() }, |total, queue| QueueRow {
            name: total.name,
            depth: total.depth + queue.depth,
            change_per_second: total.change_per_second + queue.change_per_second,
            puts_per_second: total.puts_per_second + queue.puts_per_second,
            gets_per_second: total.gets_per_second + queue.gets_per_second,
            uncommitted: total.uncommitted + queue.uncommitted,
            getters: total.getters + queue.getters,
            putters: total.putters + queue.putters,
            oldest_seconds: total.oldest_seconds.max(queue.oldest_seconds),
        })
    }
}

/// A queue.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct QueueRow {
    pub(crate) name: String,
    pub(crate) depth: u64,
    #[serde(serialize_with = "units::serialize_rate")]
    pub(crate) change_per_second: f64,
    #[serde(serialize_with = "units::serialize_rate")]
    pub(crate) puts_per_second: f64,
    #[serde(serialize_with = "units::serialize_rate")]
    pub(crate) gets_per_second: f64,
    pub(crate) uncommitted: u64,
    pub(crate) getters: u64,
    pub(crate) putters: u64,
    pub(crate) oldest_seconds: Option<u64>,
}

/// Asks again and again.
pub(crate) struct Sampler {
    session: Session,
    shows_system: bool,
    prefix: String,
    /// The condition of MQSC that queues are shown by; empty for all.
    condition: String,
    before: Option<Before>,
}

/// The look before.
struct Before {
    at: Instant,
    counters: BTreeMap<String, u64>,
    depths: BTreeMap<String, u64>,
    used: BTreeMap<String, Used>,
}

/// Use counts of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Used {
    puts: u64,
    gets: u64,
}

impl Used {
    fn of(counters: &[Counter]) -> Self {
        let value = |name: &str| {
            counters.iter().find(|counter| counter.name == name).map_or(0, |counter| counter.value)
        };
        Self { puts: value("puts"), gets: value("gets") }
    }
}

impl Sampler {
    pub(crate) fn new(session: Session, shows_system: bool, prefix: String) -> Self {
        Self { session, shows_system, prefix, condition: String::new(), before: None }
    }

    /// Only queues that a condition of MQSC is true of.
    pub(crate) fn only(self, condition: &str) -> Result<Self> {
        let wrong = condition.contains([';', '\n', '(', ')']);
        if wrong || condition.split_whitespace().count() < 3 {
            return Err(Failure::usage(format!("\"{condition}\" is no condition"))
                .next("write a keyword, an operator and a value, such as \"CURDEPTH GT 0\""));
        }
        Ok(Self { condition: format!(" WHERE({condition})"), ..self })
    }

    /// Fails when the queue manager is about to end.
    pub(crate) fn fail_if_quiescing(&mut self) -> Result<()> {
        self.session.fail_if_quiescing()
    }

    /// Waits between two looks, or until an end is wanted; fails when the queue manager is about to end.
    pub(crate) fn pause(&mut self, interval: Duration, interrupt: &Interrupt) -> Result<()> {
        let until = Instant::now() + interval;
        loop {
            self.fail_if_quiescing()?;
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || interrupt.is_wanted() {
                return Ok(());
            }
            interrupt.pause(left.min(LOOK_FOR_END));
        }
    }

    /// Looks.
    pub(crate) fn sample(&mut self) -> Result<Sample> {
        let statistics = self.session.statistics()?;
        let question = format!("DISPLAY QSTATUS(*){} CURDEPTH IPPROCS OPPROCS UNCOM MSGAGE", self.condition);
        let mut queues: Vec<QueueRow> = Vec::new();
        pages::ask(&mut self.session, &question, &mut |page, _| {
            if page.failed && !page.messages.iter().all(|message| message.id.starts_with("FRY8147")) {
                let said = page.text.trim().trim_end_matches('.');
                return Err(
                    Failure::new(Exit::Failed, format!("the queues are not shown: {said}")).in_lines()
                );
            }
            let rows = page.rows.iter().map(|row| row.iter().cloned().collect::<BTreeMap<_, _>>());
            queues.extend(rows.filter_map(|row| queue_row(&row)));
            Ok(())
        })?;
        let at = Instant::now();
        let counters: BTreeMap<String, u64> =
            statistics.counters.into_iter().map(|counter| (counter.name, counter.value)).collect();
        queues.retain(|queue| {
            let begins_so = queue.name.get(..self.prefix.len());
            (self.shows_system || !queue.name.starts_with("SYSTEM."))
                && begins_so.is_some_and(|begins| begins.eq_ignore_ascii_case(&self.prefix))
        });
        let depths = queues.iter().map(|queue| (queue.name.clone(), queue.depth)).collect();
        let used = statistics.queues.iter().map(|queue| (queue.name.clone(), Used::of(&queue.counters)));
        let used = used.collect();
        let before = self.before.replace(Before { at, counters, depths, used });
        let now = self.before.as_ref();
        let value = |name: &str| now.and_then(|now| now.counters.get(name)).copied().unwrap_or(0);
        let seconds =
            before.as_ref().map_or(f64::INFINITY, |before| (at - before.at).as_secs_f64().max(1e-6));
        let grown = |name: &str| {
            before
                .as_ref()
                .and_then(|before| before.counters.get(name))
                .map_or(0.0, |then| value(name).saturating_sub(*then) as f64)
        };
        for queue in &mut queues {
            if let Some(then) = before.as_ref().and_then(|before| before.depths.get(&queue.name)) {
                queue.change_per_second = (queue.depth as f64 - *then as f64) / seconds;
            }
            let used = |look: Option<&Before>| look.and_then(|look| look.used.get(&queue.name)).copied();
            // A queue made since then, or anew under its name, began at nothing.
            if let (Some(then), Some(now)) = (used(before.as_ref()), used(now)) {
                queue.puts_per_second = now.puts.saturating_sub(then.puts) as f64 / seconds;
                queue.gets_per_second = now.gets.saturating_sub(then.gets) as f64 / seconds;
            }
        }
        let forces = grown("log_writes");
        Ok(Sample {
            queue_manager: self.session.queue_manager().to_owned(),
            uptime_seconds: value("uptime_seconds"),
            connections: value("connections"),
            resident_bytes: value("resident_bytes"),
            log_bytes_free: value("log_bytes_free"),
            log_bytes_per_second: grown("log_bytes_written") / seconds,
            forces_per_second: forces / seconds,
            force_microseconds: (forces > 0.0).then(|| grown("log_write_microseconds") / forces),
            queues,
        })
    }
}

/// A queue from its attributes as MQSC writes them; none without a name.
fn queue_row(attributes: &BTreeMap<String, String>) -> Option<QueueRow> {
    let number = |keyword: &str| attributes.get(keyword).and_then(|value| value.trim().parse().ok());
    Some(QueueRow {
        name: attributes.get("QUEUE")?.clone(),
        depth: number("CURDEPTH").unwrap_or(0),
        uncommitted: number("UNCOM").unwrap_or(0),
        getters: number("IPPROCS").unwrap_or(0),
        putters: number("OPPROCS").unwrap_or(0),
        oldest_seconds: number("MSGAGE").filter(|_| number("CURDEPTH").is_some_and(|depth| depth > 0)),
        ..QueueRow::default()
    })
}

#[cfg(test)]
mod tests {
    use super::queue_row;
    use std::collections::BTreeMap;

    #[test]
    fn the_rates_of_the_queues_add_up_to_the_total() {
        let queue = |puts_per_second, oldest_seconds| super::QueueRow {
            puts_per_second,
            oldest_seconds,
            depth: 2,
            ..Default::default()
        };
        let sample =
            super::Sample { queues: vec![queue(1.5, None), queue(2.5, Some(3))], ..Default::default() };
        let total = sample.total();
        assert_eq!(total.name, "all 2 queues");
        assert_eq!((total.depth, total.oldest_seconds), (4, Some(3)));
        assert!((total.puts_per_second - 4.0).abs() < 1e-9);
    }

    #[test]
    fn an_age_is_shown_only_where_there_is_a_message() {
        let row = |depth: &str| {
            let attributes = [("QUEUE", "Q"), ("CURDEPTH", depth), ("MSGAGE", "7")];
            let attributes: BTreeMap<String, String> =
                attributes.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
            queue_row(&attributes).unwrap()
        };
        assert_eq!((row("3").depth, row("3").oldest_seconds), (3, Some(7)));
        assert_eq!(row("0").oldest_seconds, None);
        assert!(queue_row(&BTreeMap::new()).is_none());
    }
}
