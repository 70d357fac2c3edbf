//! One exhibit on the page: what it shows, its chart, its table, what is missing, and the rows behind it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::Result;

use super::chart::{Axis, Chart, Course, Line, Point, Whose};
use super::html::{self, Kind, Table, escape};
use super::varying::{COLUMNS, Varying};
use crate::reports::comparison::{self, Ours, Part};
use crate::reports::exhibit::{Chart as Form, Exhibit, Over, Report};
use crate::reports::published::{self, Figure};
use crate::reports::results::{Measured, Results};

/// The completeness of an exhibit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    Complete,
    /// Complete but for what cannot be run yet, for this reason.
    CompleteBut(String),
    /// So many of so many points.
    Part(usize, usize),
    NotRun,
    /// It cannot be run yet, for this reason.
    Waits(String),
}

impl State {
    pub(super) fn of(exhibit: &Exhibit, results: &Results) -> Result<Self> {
        let (mut made, mut all, mut reason) = (0, 0, None);
        for workload in &exhibit.workloads {
            let measured = results.workload(workload)?;
            made += measured.made();
            all += measured.points.len();
            reason = reason.or_else(|| measured.not_yet());
        }
        Ok(match (made, all, reason) {
            (_, 0, Some(reason)) => Self::Waits(reason.to_owned()),
            (0, ..) => Self::NotRun,
            (made, all, _) if made < all => Self::Part(made, all),
            (.., Some(reason)) => Self::CompleteBut(reason.to_owned()),
            _ => comparison::Table::of(exhibit, results)?.gap().map_or(Self::Complete, Self::CompleteBut),
        })
    }

    fn html(&self) -> String {
        let (class, text) = match self {
            Self::Complete => ("made", "run".to_owned()),
            Self::CompleteBut(reason) => ("part", format!("run as far as it can be: {}", escape(reason))),
            Self::Part(made, all) => ("part", format!("{made} of {all} points run")),
            Self::NotRun => ("missing", "not run".to_owned()),
            Self::Waits(reason) => ("missing", format!("not run: {}", escape(reason))),
        };
        format!("<span class=\"state {class}\">{text}</span>")
    }
}

/// The section of an exhibit.
pub(super) fn html(report: &Report, number: &str, exhibit: &Exhibit, results: &Results) -> Result<String> {
    let state = State::of(exhibit, results)?;
    let mut html = format!(
        "<section class=\"exhibit\">\n<h3><span class=\"no\">{number}</span> {} {}</h3>\n<p class=\"items\">{}</p>\n",
        escape(&exhibit.title),
        state.html(),
        items(report, exhibit)?
    );
    if let Some(note) = &exhibit.note {
        let _ = writeln!(html, "<p class=\"note\">{}</p>", escape(note));
    }
    for form in &exhibit.charts {
        html.push_str(&chart(exhibit, form, results)?);
    }
    html.push_str(&table(exhibit, results)?);
    html.push_str(&missing(exhibit, results)?);
    html.push_str(&changed(exhibit, results)?);
    html.push_str(&rows(exhibit, results)?);
    html.push_str("</section>\n");
    Ok(html)
}

/// The tables and charts of the report, by number and title.
fn items(report: &Report, exhibit: &Exhibit) -> Result<String> {
    let index = published::items()?;
    let named = exhibit.items.iter().map(|short| {
        let name = published::item_name(short);
        let item = index.iter().find(|item| item.report == report.report && item.item == name);
        item.map_or_else(|| escape(&name), |item| format!("<b>{}</b> {}", escape(&name), escape(&item.title)))
    });
    Ok(named.collect::<Vec<_>>().join(" · "))
}

fn chart(exhibit: &Exhibit, form: &Form, results: &Results) -> Result<String> {
    let mut lines = our_lines(exhibit, form, results)?;
    let title = form.title.as_ref().unwrap_or(&exhibit.title);
    if lines.is_empty() {
        let which = form.title.as_ref().map_or_else(String::new, |title| format!(" “{}”", escape(title)));
        return Ok(format!("<p class=\"nothing\">No chart{which}: none of its points was run.</p>\n"));
    }
    lines.extend(published_lines(exhibit, form)?);
    let axis =
        |title: &str, name: &str| Axis { title: title.to_owned(), logarithmic: form.is_logarithmic(name) };
    let chart = Chart {
        title: title.clone(),
        is_titled: form.title.is_some(),
        x: axis(&form.x_title, "x"),
        y: axis(&form.y_title, "y"),
        lines,
    };
    Ok(chart.html())
}

/// Our points, a line for each value of the settings that tell lines apart and for each measure of the
/// metric.
fn our_lines(exhibit: &Exhibit, form: &Form, results: &Results) -> Result<Vec<Line>> {
    let of_rules = exhibit.matches.iter().filter_map(|rule| rule.measure_of(&form.y));
    let measures: BTreeSet<&str> = of_rules.chain(form.measure.as_deref()).collect();
    // By label and workload: points of two workloads are two lines, even if nothing else tells the lines
    // apart.
    let mut lines: Vec<(String, &String, Vec<Point>)> = Vec::new();
    for workload in &exhibit.workloads {
        for measure in &measures {
            for point in results.workload(workload)?.points.iter().filter(|point| form.takes(point)) {
                let (Some(x), Some(middle)) = (point.number(&form.x), point.measure(measure)) else {
                    continue;
                };
                let mut label = vec!["FerryMQ".to_owned()];
                if measures.len() > 1 {
                    label.push(direction(measure).to_owned());
                }
                label.extend(form.lines.iter().map(|name| setting(name, &point.text(name))));
                let label = label.join(", ");
                let point = Point { x, y: middle.median, runs: Some((middle.low, middle.high)) };
                match lines.iter_mut().find(|(known, of, _)| *known == label && *of == workload) {
                    Some((.., points)) => points.push(point),
                    None => lines.push((label, workload, vec![point])),
                }
            }
        }
    }
    let labels: Vec<String> = lines.iter().map(|(label, ..)| label.clone()).collect();
    let is_alone = |label: &String| labels.iter().filter(|other| *other == label).count() == 1;
    let mut rules = exhibit.matches.iter().filter(|rule| rule.measure_of(&form.y).is_some());
    let is_of_peaks = rules.any(|rule| rule.over == Over::Max);
    let line = |(label, workload, mut points): (String, &String, Vec<Point>)| {
        points.sort_by(|one, other| one.x.total_cmp(&other.x).then(other.y.total_cmp(&one.y)));
        if is_of_peaks {
            points.dedup_by(|lower, highest| lower.x == highest.x);
        }
        let label = if is_alone(&label) { label } else { format!("{label}, {workload}") };
        Line { label, whose: Whose::Ours, course: Course::Joined, points }
    };
    Ok(lines.into_iter().map(line).collect())
}

/// Names the direction that a measure counts, where a chart has several.
fn direction(measure: &str) -> &'static str {
    if measure.starts_with("get") { "received" } else { "sent" }
}

/// A setting as it stands in a legend.
fn setting(name: &str, value: &str) -> String {
    match (name, value) {
        ("units", "none") => "outside syncpoint".to_owned(),
        ("ending", "none") => "ended by the program".to_owned(),
        ("ending", "two-phase") => "two phases by a coordinator".to_owned(),
        ("units", "responders") => "responders in syncpoint".to_owned(),
        ("units", "all") => "all in syncpoint".to_owned(),
        ("mode", "round-trips") => "every call a round trip".to_owned(),
        ("mode", "pipelined") => "asynchronous put and read-ahead".to_owned(),
        ("transport", "unix") => "local socket".to_owned(),
        ("transport", "tcp") => "TCP".to_owned(),
        ("transport", "embedded") => "in process".to_owned(),
        ("log", "disk") => "log on disk".to_owned(),
        ("log", "memory") => "log in memory".to_owned(),
        ("log", "apart") => "log alone in memory".to_owned(),
        ("log", "slowed") => "log on disk, writes slowed down".to_owned(),
        ("topics", "shared") => "one topic".to_owned(),
        ("topics", "own") => "a topic each".to_owned(),
        ("topics", "objects") => "a topic object each".to_owned(),
        ("subscribers_by", "tcp") => "subscribers over TCP".to_owned(),
        ("subscribers_by", "unix") => "subscribers by the local socket".to_owned(),
        ("queues", "none") => "one request queue".to_owned(),
        ("queues", count) => format!("{count} request queues"),
        ("through", way) => if way == "topic" { "by topics" } else { "by queues" }.to_owned(),
        ("persistent", value) => if value == "true" { "persistent" } else { "non-persistent" }.to_owned(),
        ("unit", count) => format!("{count} a transaction"),
        ("bytes", bytes) => format!("{bytes} bytes"),
        ("threads", threads) => format!("{threads} thread(s)"),
        ("clients", clients) => format!("{clients} client(s)"),
        (name, value) => format!("{name} {value}"),
    }
}

/// The published figures of the chart's metric that have a place on it, or stand for all of it; a line for
/// each product and variant.
fn published_lines(exhibit: &Exhibit, form: &Form) -> Result<Vec<Line>> {
    let figures = exhibit.figures()?;
    let mut placed: Vec<(&Figure, Option<f64>, f64)> = Vec::new();
    for figure in &figures {
        let Some(rule) = exhibit.rule_of(figure)? else { continue };
        let selection = rule.selection(figure)?;
        if !selection.is_some_and(|selection| form.shows(&selection)) {
            continue;
        }
        let same_metric = rule.growth.is_none()
            && rule.loss.is_none()
            && rule.measure_of(&figure.metric).is_some()
            && rule.measure_of(&figure.metric) == rule.measure_of(&form.y);
        let place = rule.place(form, figure)?;
        if let (true, Some(y)) = (same_metric && (place.is_some() || rule.level), figure.value) {
            placed.push((figure, place, y));
        }
    }
    let drawn: Vec<&Figure> = placed.iter().map(|(figure, ..)| *figure).collect();
    // Tables of a report say the same in words of their own.
    let of_table = |table: &str| -> Vec<&Figure> {
        placed.iter().map(|(figure, ..)| *figure).filter(|figure| figure.table == table).collect()
    };
    let mut lines: Vec<Line> = Vec::new();
    for (figure, x, y) in &placed {
        let told = Varying::of_parts(&drawn, &of_table(&figure.table)).told(figure, &form.x);
        let course = match x {
            None => Course::Level,
            Some(_) if form.joined => Course::Joined,
            Some(_) => Course::Apart,
        };
        let what = (course == Course::Level).then(|| figure.metric.clone());
        let label = std::iter::once(figure.product()).chain(told).chain(what).collect::<Vec<_>>().join(", ");
        let point = Point { x: x.unwrap_or_default(), y: *y, runs: None };
        match lines.iter_mut().find(|line| line.label == label) {
            Some(line) => line.points.push(point),
            None => lines.push(Line { label, whose: Whose::Published, course, points: vec![point] }),
        }
    }
    for line in &mut lines {
        line.points.sort_by(|one, other| one.x.total_cmp(&other.x));
        line.points.dedup_by(|one, other| one.x == other.x && one.y == other.y);
    }
    Ok(lines)
}

fn table(exhibit: &Exhibit, results: &Results) -> Result<String> {
    let compared = comparison::Table::of(exhibit, results)?;
    if compared.lines.is_empty() {
        return Ok(
            "<p class=\"nothing\">The report prints no figures for it: its curves were pictures.</p>\n"
                .to_owned(),
        );
    }
    let firsts: Vec<&Figure> = compared.lines.iter().map(comparison::Line::first).collect();
    let varying = Varying::of(&firsts);
    // Tables of a report say the same in words of their own.
    let variant = |figure: &Figure| {
        let of_table = firsts.iter().copied().filter(|other| other.table == figure.table).collect::<Vec<_>>();
        Varying::of(&of_table).variant(figure)
    };
    let has_variants = firsts.iter().any(|figure| !variant(figure).is_empty());
    let mut table = Table::new("figures");
    table.column("measured", Kind::Text);
    for (name, heading) in COLUMNS {
        if varying.columns.contains(name) {
            table.column(heading, if *name == "mode" { Kind::Text } else { Kind::Number });
        }
    }
    if has_variants {
        table.column("how", Kind::Text);
    }
    table.column("FerryMQ", Kind::Ours);
    table.column("spread", Kind::Number);
    for product in &compared.products {
        table.column(product, Kind::Number);
        table.column("ours ÷ it", Kind::Number);
    }
    let mut notes = Notes::default();
    for line in &compared.lines {
        let first = line.first();
        let mut cells = vec![escape(&format!("{}, {}", first.metric, html::unit(&first.unit)))];
        for name in &varying.columns {
            let value = first.column(name)?;
            cells.push(value.parse().map_or_else(|_| escape(value), |number: f64| html::printed(number)));
        }
        if has_variants {
            cells.push(escape(&variant(first)));
        }
        let (ours, spread) = match &line.ours {
            Ours::Found(middle, Part { made, all }) => {
                let mark = if made == all {
                    String::new()
                } else {
                    notes.mark(&format!("{made} of {all} points run"))
                };
                (format!("{}{mark}", html::measured(middle.median)), middle.spread())
            }
            Ours::NotRun => ("<span class=\"missing\">not run</span>".to_owned(), None),
            Ours::Waits(reason) => {
                (format!("<span class=\"missing\">not run{}</span>", notes.mark(reason)), None)
            }
            Ours::Nothing(reason) => (format!("–{}", notes.mark(reason)), None),
        };
        cells.push(ours);
        cells.push(spread.map_or_else(String::new, |spread| format!("{spread:.0} %")));
        for (product, figure) in line.figures.iter().enumerate() {
            let published = figure.as_ref().and_then(|figure| Some((figure, figure.value?)));
            cells.push(published.map_or_else(String::new, |(figure, value)| {
                let mark = notes.of_figure(figure);
                format!("{}{mark}", html::printed(value))
            }));
            cells.push(line.ratio(product).map_or_else(String::new, html::ratio));
        }
        table.row(cells);
    }
    Ok(table.html() + &notes.html())
}

/// Remarks below a table, each once.
#[derive(Default)]
struct Notes(Vec<String>);

impl Notes {
    fn mark(&mut self, note: &str) -> String {
        let known = self.0.iter().position(|known| known == note);
        let number = known.unwrap_or_else(|| {
            self.0.push(note.to_owned());
            self.0.len() - 1
        });
        format!("<sup>{}</sup>", number + 1)
    }

    /// Returns the remark on a published figure; nothing for most.
    fn of_figure(&mut self, figure: &Figure) -> String {
        match (figure.trust.as_str(), figure.note.as_str()) {
            ("ok", "") => String::new(),
            ("ok", note) => self.mark(note),
            (trust, "") => self.mark(trust),
            (trust, note) => self.mark(&format!("{trust}: {note}")),
        }
    }

    fn html(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let notes: String = self.0.iter().map(|note| format!("<li>{}</li>", escape(note))).collect();
        format!("<ol class=\"notes\">{notes}</ol>\n")
    }
}

/// Points that were not run, where others were.
fn missing(exhibit: &Exhibit, results: &Results) -> Result<String> {
    let mut html = String::new();
    for workload in &exhibit.workloads {
        let measured = results.workload(workload)?;
        let missing: Vec<String> = measured
            .points
            .iter()
            .filter(|point| point.runs.is_empty())
            .map(|point| escape(&point.label))
            .collect();
        if missing.is_empty() {
            continue;
        }
        let which = if measured.made() == 0 { "all its points".to_owned() } else { missing.join("; ") };
        let _ = writeln!(
            html,
            "<p class=\"absent\"><b>Not run</b> of <code>{}</code>: {which}.</p>",
            escape(workload)
        );
    }
    Ok(html)
}

/// Points whose runs were made with other settings than their workload has now.
fn changed(exhibit: &Exhibit, results: &Results) -> Result<String> {
    let mut html = String::new();
    for workload in &exhibit.workloads {
        let mut points: Vec<String> = Vec::new();
        for point in &results.workload(workload)?.points {
            let changed = point.changed();
            if !changed.is_empty() {
                let changed: Vec<String> = changed.into_iter().collect();
                points.push(escape(&format!("{}: {}", point.label, changed.join(", "))));
            }
        }
        if !points.is_empty() {
            let _ = writeln!(
                html,
                "<p class=\"absent\"><b>Run with other settings</b> than <code>{}</code> has now: {}.</p>",
                escape(workload),
                points.join("; ")
            );
        }
    }
    Ok(html)
}

/// Every run behind it.
fn rows(exhibit: &Exhibit, results: &Results) -> Result<String> {
    let mut html = String::new();
    for workload in &exhibit.workloads {
        let measured = results.workload(workload)?;
        if measured.made() == 0 {
            continue;
        }
        let runs: usize = measured.points.iter().map(|point| point.runs.len()).sum();
        let _ = write!(
            html,
            "<details><summary>Rows behind it: {runs} runs of <code>{}</code></summary>\n{}</details>\n",
            escape(workload),
            raw(measured)
        );
    }
    Ok(html)
}

fn raw(measured: &Measured) -> String {
    let mut table = Table::new("raw");
    table.column("point", Kind::Text);
    table.column("run", Kind::Number);
    for column in measured.columns {
        table.column(&column.name.replace('_', " "), Kind::Number);
    }
    table.column("accounted for", Kind::Number);
    for point in &measured.points {
        for run in &point.runs {
            let mut cells = vec![escape(&point.label), run.run.to_string()];
            for column in measured.columns {
                let value = run.found(column.name);
                cells.push(
                    value.map_or_else(|| "–".to_owned(), |value| crate::report::number(value, column.digits)),
                );
            }
            cells.push(run.found("accounted").map_or_else(|| "–".to_owned(), html::printed));
            table.row(cells);
        }
    }
    table.html()
}
