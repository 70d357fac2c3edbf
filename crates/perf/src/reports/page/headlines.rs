//! The first page: headline figures, each with the direction that is better, ours beside the published figure
//! and today's brokers.
//!
//! Lives here: the lines and their order. Lives elsewhere: the choice of lines (`perf/headlines.toml`),
//! figures and ours beside them (`comparison`), turns beside brokers (`peers`).
//!
//! Always: the lines that were not run come last, each with its reason.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::html::{self, Kind, Table, escape};
use crate::reports::comparison::{self, Line, Ours};
use crate::reports::exhibit::Report;
use crate::reports::peers::Beside;
use crate::reports::published::Figure;
use crate::reports::results::Results;

/// Brokers that a line names; the nearest come first.
const BROKERS_MAX: usize = 4;

const FILE: &str = include_str!("../../../../../perf/headlines.toml");

/// The file of headlines.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "headline")]
    headlines: Vec<Headline>,
}

/// A line of the first page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Headline {
    says: String,
    better: Better,
    report: String,
    item: String,
    metric: String,
    #[serde(default, rename = "where")]
    filter: BTreeMap<String, String>,
    peers: Option<String>,
}

/// The direction that is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Better {
    Higher,
    Lower,
}

impl Better {
    fn html(self) -> &'static str {
        match self {
            Self::Higher => "<span class=\"better\">▲ higher is better</span>",
            Self::Lower => "<span class=\"better\">▼ lower is better</span>",
        }
    }
}

/// The section; nothing for reports that no headline is of.
pub(super) fn html(reports: &[&Report], results: &Results) -> Result<String> {
    let file: File = toml::from_str(FILE).context("perf/headlines.toml")?;
    let (mut run, mut not_run) = (Vec::new(), Vec::new());
    for headline in &file.headlines {
        let Some(report) = reports.iter().find(|report| report.name == headline.report) else { continue };
        let (is_run, cells) = headline.cells(report, results)?;
        if is_run { &mut run } else { &mut not_run }.push(cells);
    }
    if run.is_empty() && not_run.is_empty() {
        return Ok(String::new());
    }
    let mut table = Table::new("headlines");
    for (heading, kind) in [
        ("figure", Kind::Text),
        ("ours", Kind::Ours),
        ("published", Kind::Number),
        ("ours ÷ it", Kind::Number),
        ("today's brokers: ours ÷ theirs", Kind::Text),
    ] {
        table.column(heading, kind);
    }
    run.into_iter().chain(not_run).for_each(|cells| table.row(cells));
    let mut html = format!("<section class=\"first\">\n<h2>At a glance</h2>\n{}", table.html());
    let brokers = match results.peers().last_day() {
        Some(day) => format!(
            "Brokers were measured beside ours in turns of their own, the last on {day}, with the nearest workload of the comparison."
        ),
        None => {
            "No comparison with today's brokers was given: <code>--peers DIRECTORY</code> takes one that \
                 <code>cargo xtask peers --results DIRECTORY</code> made."
                .to_owned()
        }
    };
    let _ = writeln!(
        html,
        "<p class=\"note\">Published figures are of machines of their years. {brokers} Above 1, a rate of ours is the higher one; \
         of a time, the lower the ratio the better.</p>\n</section>"
    );
    Ok(html)
}

impl Headline {
    /// The cells of its line, and true where ours was run.
    fn cells(&self, report: &Report, results: &Results) -> Result<(bool, Vec<String>)> {
        let named = || format!("the headline {:?}: {} has no such figure", self.says, self.report);
        let has_item = |item: &String| *item == self.item;
        let exhibit =
            report.exhibits.iter().find(|exhibit| exhibit.items.iter().any(has_item)).with_context(named)?;
        let table = comparison::Table::of(exhibit, results)?;
        let line = table.lines.iter().find(|line| self.is_of(line)).with_context(named)?;
        let (column, figure) = self.published(line).with_context(named)?;
        let value = figure.value.with_context(named)?;
        let (is_run, ours) = match &line.ours {
            Ours::Found(middle, _) => (true, html::measured(middle.median)),
            Ours::NotRun => (false, "<span class=\"missing\">not run</span>".to_owned()),
            Ours::Waits(reason) | Ours::Nothing(reason) => {
                (false, format!("<span class=\"missing\">not run: {}</span>", escape(reason)))
            }
        };
        let ratio = line.ratio(column).map_or_else(|| "–".to_owned(), html::ratio);
        let published = format!("{} <small>{}</small>", html::printed(value), escape(&figure.product()));
        let says = format!(
            "{} <small>{}</small><br>{}",
            escape(&self.says),
            escape(html::unit(&figure.unit)),
            self.better.html()
        );
        Ok((is_run, vec![says, ours, published, ratio, self.brokers(results)]))
    }

    fn is_of(&self, line: &Line<'_>) -> bool {
        line.figures.iter().flatten().any(|figure| self.means(figure))
    }

    fn means(&self, figure: &Figure) -> bool {
        let has = |(column, text): (&String, &String)| {
            figure.column(column).is_ok_and(|found| match column.as_str() {
                "variant" => found.contains(text.as_str()),
                _ => found == text,
            })
        };
        figure.metric == self.metric && self.filter.iter().all(has)
    }

    /// The best published figure of a line.
    fn published<'a>(&self, line: &'a Line<'_>) -> Option<(usize, &'a Figure)> {
        let figures = line.figures.iter().enumerate();
        let meant = figures.filter_map(|(column, figure)| Some((column, figure.as_ref()?)));
        meant.filter(|(_, figure)| figure.value.is_some() && self.means(figure)).max_by(
            |(_, one), (_, other)| {
                let order = one.value.partial_cmp(&other.value).unwrap_or(std::cmp::Ordering::Equal);
                if self.better == Better::Higher { order } else { order.reverse() }
            },
        )
    }

    fn brokers(&self, results: &Results) -> String {
        let Some(workload) = &self.peers else { return "–".to_owned() };
        let beside = results.peers().beside(workload);
        if beside.is_empty() {
            return "–".to_owned();
        }
        let shown = |one: &Beside| {
            format!("{}&nbsp;{}", escape(&one.peer), html::ratio(one.ratio).replace(' ', "&nbsp;"))
        };
        beside.iter().take(BROKERS_MAX).map(shown).collect::<Vec<_>>().join(" · ")
    }
}

/// The names of the reports that headlines are of, for tests.
#[cfg(test)]
pub(in crate::reports) fn of_reports() -> Vec<(String, String)> {
    let file: File = toml::from_str(FILE).expect("perf/headlines.toml is right");
    file.headlines.into_iter().map(|headline| (headline.report, headline.says)).collect()
}
