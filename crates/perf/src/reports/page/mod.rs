//! The page: one file of HTML with its style and its charts, which needs nothing else to be read or printed.
//!
//! Lives here: the page as a whole, its head, machine and summary. Lives elsewhere: the first page
//! (`headlines`), an exhibit (`exhibits`),
//! a chart (`chart`, `scale`), the distance to the machine's least (`distance`), the differences of published
//! figures (`varying`), pieces of HTML (`html`), the look (`style.css`).
//!
//! Always: every number of ours on it is one of the rows behind it or the middle of several; a missing run is
//! named.

mod builds;
mod chart;
mod distance;
mod exhibits;
mod headlines;
mod html;
mod scale;
mod varying;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::Result;

use super::exhibit::Report;
use super::results::{Results, Run};
use super::shapes::{self, Judged, Verdict};
use crate::floors::Floors;
use exhibits::State;
#[cfg(test)]
pub(super) use headlines::of_reports as headlines;
use html::{Kind, Table, escape};

const STYLE: &str = include_str!("style.css");

/// Runs shorter than this say how the page looks and not how fast anything is.
const SECONDS_MIN: f64 = 1.0;

/// Part of the processors used by others before a queue manager was started above which the page warns, the
/// middle of all runs: a single look may have met a moment of the system's own work, or of none.
const BUSY: f64 = 0.25;

/// Returns true if the runs were made while others used the machine.
pub(super) fn is_busy(results: &Results) -> bool {
    let mut looks: Vec<f64> = results.runs().filter_map(|run| run.machine.busy).collect();
    looks.sort_by(f64::total_cmp);
    looks.len().checked_sub(1).is_some_and(|last| looks[last / 2] > BUSY)
}

/// The making of the page, as the page tells it.
#[derive(Clone, Debug)]
pub struct Made {
    /// When.
    pub when: String,
    /// By which command.
    pub command: String,
    /// Failures meanwhile, whose figures are missing.
    pub failures: Vec<String>,
}

/// One report as it stands on the page.
struct Section<'a> {
    number: usize,
    report: &'a Report,
    shapes: Vec<Judged>,
}

/// The page of these reports.
///
/// # Errors
/// When a file that it is made from is wrong.
pub(super) fn render(reports: &[Report], results: &Results, made: &Made) -> Result<String> {
    let sections: Result<Vec<Section<'_>>> = reports
        .iter()
        .enumerate()
        .map(|(index, report)| {
            Ok(Section { number: index + 1, report, shapes: shapes::judge(&report.report, results)? })
        })
        .collect();
    let sections = sections?;
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>FerryMQ performance report</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"
    );
    page.push_str(&head(reports, results, made));
    page.push_str(&headlines::html(&reports.iter().collect::<Vec<_>>(), results)?);
    page.push_str(&summary(&sections, results)?);
    if results.runs().next().is_some() {
        page.push_str(&machines(results));
    }
    page.push_str(&distance::html(results));
    page.push_str(&builds::html(results));
    page.push_str(READING);
    for section in &sections {
        page.push_str(&section.html(results)?);
    }
    page.push_str("</main>\n</body>\n</html>\n");
    Ok(page)
}

/// Instructions for reading the page.
const READING: &str = "<section>\n<h2>How to read it</h2>\n<ul class=\"reading\">\n\
<li>Ours is the <b>median</b> of the runs of a point. <b>Spread</b> is the distance from the lowest to the highest run in per cent of it; \
on charts a thin line goes from one to the other. Markers of ours are filled, those of published figures hollow.</li>\n\
<li>Published figures come from machines of their years, clients often on machines of their own, and ours has server and clients on one. \
<b>Ours ÷ it</b> says how far apart the figures are, not which product is how much better.</li>\n\
<li>Durability is that of a queue manager as delivered: what is persistent or recoverable is forced to the disk before it is confirmed. \
A run whose messages were not all accounted for is not kept.</li>\n\
<li>A dash has its reason below the table; <b>not run</b> is what a campaign would measure and this one did not, or what waits for a part of the product. \
A figure that follows from those of several points has no spread. In the rows a dash is what a run does not have: processor time of a server that is in the \
process of its clients, memory of idle connections where there are none, flushes that the disk does not count.</li>\n\
<li>Processor time, bytes of log and forced writes in the rows are for each round trip, or for each message where messages go one way.</li>\n\
</ul>\n</section>\n";

fn head(reports: &[Report], results: &Results, made: &Made) -> String {
    let versions: BTreeSet<String> = results.runs().map(Run::program).collect();
    let version = versions.into_iter().collect::<Vec<_>>().join(" and ");
    let times: BTreeSet<&str> = results.runs().filter_map(|run| run.when.as_deref()).collect();
    let mut html = String::from("<header>\n<p class=\"brand\">FerryMQ</p>\n<h1>Performance report</h1>\n");
    let of = match reports {
        [one] => escape(&one.title),
        several => format!("{} published reports", several.len()),
    };
    let _ = writeln!(html, "<p class=\"sub\">Tables and charts measured again: {of}</p>");
    let mut table = Table::new("facts");
    table.column("", Kind::Text);
    table.column("", Kind::Text);
    let mut fact = |name: &str, value: &str| table.row(vec![escape(name), value.to_owned()]);
    fact("Version measured", &if version.is_empty() { "none".to_owned() } else { escape(&version) });
    if let (Some(first), Some(last)) = (times.first(), times.last()) {
        fact("Runs", &format!("{} from {} to {}", results.runs().count(), minute(first), minute(last)));
    }
    fact("Page made", &format!("{} by <code>{}</code>", minute(&made.when), escape(&made.command)));
    html.push_str(&table.html());
    html.push_str("</header>\n");
    let failed = made.failures.iter().map(|failure| format!("Failed, and missing below: {failure}"));
    for warning in warnings(results).into_iter().chain(failed) {
        let _ = writeln!(html, "<p class=\"warning\">{}</p>", escape(&warning));
    }
    html
}

/// A time to the minute.
fn minute(time: &str) -> String {
    let text = time.get(..16).unwrap_or(time).replace('T', " ");
    format!("{} UTC", escape(&text))
}

/// Returns the warnings that a reader needs before the first number.
fn warnings(results: &Results) -> Vec<String> {
    let mut warnings = Vec::new();
    if is_busy(results) {
        warnings.push("The machine was busy with other work: these are figures of both.".to_owned());
    }
    let short = |run: &&Run| run.seconds().is_some_and(|seconds| seconds < SECONDS_MIN);
    let count = results.runs().filter(short).count();
    if results.runs().next().is_none() {
        warnings.push("Nothing was run: the page shows what would stand where.".to_owned());
    }
    if count > 0 {
        warnings.push(format!(
            "{count} of {} runs were measured for less than a second. They show that every table and chart can be made; \
             they are no figures.",
            results.runs().count()
        ));
    }
    if results.strangers > 0 {
        warnings.push(format!(
            "{} runs are of points that no workload has; they are left out.",
            results.strangers
        ));
    }
    if results.doubles > 0 {
        warnings.push(format!("{} line(s) of runs that were there already count once.", results.doubles));
    }
    let machines: BTreeSet<String> = results.runs().map(machine).collect();
    if machines.len() > 1 {
        warnings.push(
            "The runs are from several machines: figures of different points cannot be compared.".to_owned(),
        );
    }
    warnings
}

fn machine(run: &Run) -> String {
    let machine = &run.machine;
    format!("{} x {}, {}", machine.processors, machine.processor, machine.system)
}

/// Summarizes each report in a table.
fn summary(sections: &[Section<'_>], results: &Results) -> Result<String> {
    let mut table = Table::new("summary");
    table.column("", Kind::Number);
    table.column("report", Kind::Text);
    for heading in ["exhibits", "run", "in part", "not run", "wait for a part of the product"] {
        table.column(heading, Kind::Number);
    }
    for verdict in Verdict::ALL {
        table.column(&format!("shapes: {}", verdict.text()), Kind::Number);
    }
    for section in sections {
        let states: Result<Vec<State>> =
            section.report.exhibits.iter().map(|exhibit| State::of(exhibit, results)).collect();
        let states = states?;
        let count = |is: fn(&State) -> bool| states.iter().filter(|state| is(state)).count().to_string();
        let mut cells = vec![
            section.number.to_string(),
            format!("<a href=\"#{}\">{}</a>", section.report.name, escape(&section.report.title)),
            states.len().to_string(),
            count(|state| *state == State::Complete),
            count(|state| matches!(state, State::Part(..) | State::CompleteBut(_))),
            count(|state| *state == State::NotRun),
            count(|state| matches!(state, State::Waits(_))),
        ];
        cells.extend(Verdict::ALL.map(|verdict| {
            section.shapes.iter().filter(|judged| judged.verdict == verdict).count().to_string()
        }));
        table.row(cells);
    }
    Ok(format!("<section>\n<h2>Reports</h2>\n{}</section>\n", table.html()))
}

/// The machine, what it does without a queue manager, and how it was measured.
fn machines(results: &Results) -> String {
    let mut html = String::from("<section>\n<h2>Machine and configuration</h2>\n");
    let mut facts = Table::new("facts");
    facts.column("", Kind::Text);
    facts.column("", Kind::Text);
    let mut several = |name: &str, of: &dyn Fn(&Run) -> String| {
        let values: BTreeSet<String> = results.runs().map(of).filter(|value| !value.is_empty()).collect();
        let values: Vec<String> = values.iter().map(|value| escape(value)).collect();
        facts.row(vec![
            escape(name),
            if values.is_empty() { "not told".to_owned() } else { values.join("<br>") },
        ]);
    };
    several("Processors", &|run| format!("{} × {}", run.machine.processors, run.machine.processor));
    several("Memory", &|run| format!("{:.0} GiB", run.machine.memory_bytes as f64 / f64::from(1 << 30)));
    several("System", &|run| run.machine.system.clone());
    several("Files and log", &|run| run.machine.disk.clone());
    several("Queue manager", &|run| {
        format!("FerryMQ {} as delivered; server and clients share the processors", run.program())
    });
    several("Measured for", &|run| {
        run.seconds().map_or_else(String::new, |seconds| format!("{} s a run", html::printed(seconds)))
    });
    let busy = || results.runs().filter_map(|run| run.machine.busy);
    let range = busy().reduce(f64::min).zip(busy().reduce(f64::max));
    facts.row(vec![
        "Processors used by others before a queue manager was started".to_owned(),
        range.map_or_else(
            || "the system does not tell".to_owned(),
            |(low, high)| format!("{:.0} to {:.0} %", low * 100.0, high * 100.0),
        ),
    ]);
    html.push_str(&facts.html());
    html.push_str(&floors(results));
    html.push_str("</section>\n");
    html
}

/// The floors of the machine by disk.
fn floors(results: &Results) -> String {
    let mut disks: BTreeMap<&str, Vec<&Floors>> = BTreeMap::new();
    for run in results.runs() {
        if let Some(floors) = &run.machine.floors {
            let known = disks.entry(&run.machine.disk).or_default();
            // All runs against one queue manager carry what was measured once.
            if !known.contains(&floors) {
                known.push(floors);
            }
        }
    }
    if disks.is_empty() {
        return "<p class=\"nothing\">The floors of the machine were not measured.</p>\n".to_owned();
    }
    let mut table = Table::new("figures");
    table.column("floor of the machine", Kind::Text);
    for disk in disks.keys() {
        table.column(&format!("median, files on {disk}"), Kind::Ours);
        table.column("lowest", Kind::Number);
        table.column("highest", Kind::Number);
    }
    for (name, of) in FLOORS {
        let missing = if *name == FORCED_RATE { "not measured" } else { "not possible" };
        let mut cells = vec![escape(name)];
        for measured in disks.values() {
            let mut values: Vec<f64> = measured.iter().filter_map(|floors| of(floors)).collect();
            values.sort_by(f64::total_cmp);
            let text = |value: Option<&f64>| {
                value.map_or_else(|| missing.to_owned(), |value| html::measured(*value))
            };
            cells.push(text(values.get(values.len() / 2)));
            cells.push(text(values.first()));
            cells.push(text(values.last()));
        }
        table.row(cells);
    }
    format!(
        "<h3>What the machine does without a queue manager</h3>\n\
         <p class=\"note\">Measured in the same run, just before each queue manager was started; the middle of all of them. \
         A persistent round trip of one client cannot be faster than the forced writes and the ways over the socket that it needs.</p>\n{}",
        table.html()
    )
}

type Of = fn(&Floors) -> Option<f64>;

/// The floor that runs of earlier builds do not have.
const FORCED_RATE: &str = "1 MiB written and forced at a time, GB/s";

const FLOORS: &[(&str, Of)] = &[
    ("1 byte there and back over TCP, p50 µs", |floors| Some(floors.ping_pong_1_byte_us.p50)),
    ("2 KiB there and back over TCP, p50 µs", |floors| Some(floors.ping_pong_2_kib_us.p50)),
    ("4 KiB written past the cache and forced (O_DIRECT, O_DSYNC), p50 µs", |floors| {
        floors.direct_write_us.map(|time| time.p50)
    }),
    ("the same, p99 µs", |floors| floors.direct_write_us.map(|time| time.p99)),
    ("4 KiB written and forced by fdatasync, p50 µs", |floors| Some(floors.fdatasync_us.p50)),
    ("the same, p99 µs", |floors| Some(floors.fdatasync_us.p99)),
    (FORCED_RATE, |floors| floors.forced_bytes_per_second.map(|rate| rate / 1e9)),
    ("copy of 2 KiB, GB/s", |floors| Some(floors.copy_2_kib_bytes_per_second / 1e9)),
    ("copy of 64 MiB, GB/s", |floors| Some(floors.copy_64_mib_bytes_per_second / 1e9)),
];

impl Section<'_> {
    fn html(&self, results: &Results) -> Result<String> {
        let mut html = format!(
            "<section class=\"report\" id=\"{}\">\n<h2><span class=\"no\">{}</span> {}</h2>\n\
             <p class=\"note\">Published on: {}. Run again alone by <code>ferry report {}</code>.</p>\n",
            self.report.name,
            self.number,
            escape(&self.report.title),
            escape(&self.report.machine),
            self.report.name
        );
        for (index, exhibit) in self.report.exhibits.iter().enumerate() {
            let number = format!("{}.{}", self.number, index + 1);
            html.push_str(&exhibits::html(self.report, &number, exhibit, results)?);
        }
        html.push_str(&self.shapes());
        html.push_str("</section>\n");
        Ok(html)
    }

    fn shapes(&self) -> String {
        let mut table = Table::new("shapes");
        for (heading, kind) in [
            ("shape", Kind::Text),
            ("of", Kind::Text),
            ("what was published", Kind::Text),
            ("how it is judged", Kind::Text),
            ("ours", Kind::Text),
            ("what was found", Kind::Text),
        ] {
            table.column(heading, kind);
        }
        for Judged { shape, verdict, found } in &self.shapes {
            let class = match verdict {
                Verdict::Holds => "made",
                Verdict::BeatenByDesign => "beaten",
                Verdict::DoesNotHold => "failed",
                Verdict::NotRun => "missing",
            };
            table.row(vec![
                escape(&shape.id),
                escape(&shape.item),
                escape(&shape.claim),
                escape(&shape.test),
                format!("<span class=\"state {class}\">{}</span>", verdict.text()),
                escape(found),
            ]);
        }
        format!(
            "<h3><span class=\"no\">{}.{}</span> Shapes of the curves</h3>\n{}",
            self.number,
            self.report.exhibits.len() + 1,
            table.html()
        )
    }
}
