//! A table: published figures, ours beside them, and the ratio.

use anyhow::Result;

use super::exhibit::{Exhibit, Match, Selection};
use super::published::Figure;
use super::results::{Middle, Results};

/// A table of one exhibit.
#[derive(Debug)]
pub(super) struct Table<'a> {
    /// The products that were measured, in the order they come.
    pub(super) products: Vec<String>,
    pub(super) lines: Vec<Line<'a>>,
}

/// A place with the figures that any product measured there.
#[derive(Debug)]
pub(super) struct Line<'a> {
    selection: Option<Selection<'a>>,
    /// A figure of each product that printed one.
    pub(super) figures: Vec<Option<Figure>>,
    pub(super) ours: Ours,
}

/// Our side of published figures.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ours {
    /// This was found, by all the points it is taken of or by some of them.
    Found(Middle, Part),
    /// There are points for it, and none of them was run.
    NotRun,
    /// Nothing can be run yet, for this reason.
    Waits(String),
    /// We have nothing to set beside it, for this reason.
    Nothing(String),
}

/// So many of so many points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) made: usize,
    pub(super) all: usize,
}

impl<'a> Table<'a> {
    /// The table of an exhibit from what was run.
    pub(super) fn of(exhibit: &'a Exhibit, results: &Results) -> Result<Self> {
        let mut table = Self { products: Vec::new(), lines: Vec::new() };
        for figure in exhibit.figures()? {
            let rule = exhibit.rule_of(&figure)?;
            let selection = rule.map(|rule| rule.selection(&figure)).transpose()?.flatten();
            let product = table.product(&figure);
            if let Some(line) =
                table.lines.iter_mut().find(|line| line.is_beside(&figure, selection.as_ref()))
            {
                line.put(product, figure);
                continue;
            }
            let ours = match &selection {
                Some(selection) => found(exhibit, selection, results)?,
                None => nothing(exhibit, rule, results)?,
            };
            let mut line = Line { selection, figures: Vec::new(), ours };
            line.put(product, figure);
            table.lines.push(line);
        }
        table.order();
        let products = table.products.len();
        table.lines.iter_mut().for_each(|line| line.figures.resize(products, None));
        Ok(table)
    }

    /// Why a figure of ours is missing although every point was run; none where none is.
    pub(super) fn gap(&self) -> Option<String> {
        self.lines.iter().find_map(|line| match &line.ours {
            Ours::Waits(reason) => Some(reason.clone()),
            Ours::Nothing(reason) if is_general(reason) => Some(format!("{}: {reason}", line.first().metric)),
            Ours::NotRun => Some(format!("{}: not run", line.first().metric)),
            Ours::Found(..) | Ours::Nothing(_) => None,
        })
    }

    /// Puts what has the same metric together, in the order in which the metrics come.
    fn order(&mut self) {
        let mut metrics: Vec<String> = Vec::new();
        for line in &self.lines {
            if !metrics.contains(&line.first().metric) {
                metrics.push(line.first().metric.clone());
            }
        }
        self.lines.sort_by_key(|line| metrics.iter().position(|metric| *metric == line.first().metric));
    }

    fn product(&mut self, figure: &Figure) -> usize {
        let product = figure.product();
        let known = self.products.iter().position(|known| *known == product);
        known.unwrap_or_else(|| {
            self.products.push(product);
            self.products.len() - 1
        })
    }
}

impl Line<'_> {
    /// Returns true if a figure of another product belongs here: ours beside it is the same or, where there
    /// is none of ours, its description is.
    fn is_beside(&self, figure: &Figure, selection: Option<&Selection<'_>>) -> bool {
        let first = self.first();
        let is_alike = match (&self.selection, selection) {
            (Some(one), Some(other)) => one.is_alike(other),
            (None, None) => {
                let words = |figure: &Figure| {
                    [&figure.mode, &figure.variant, &figure.size_bytes, &figure.clients, &figure.threads]
                        .map(Clone::clone)
                };
                words(first) == words(figure)
            }
            _ => false,
        };
        let product = figure.product();
        let is_there = self.figures.iter().flatten().any(|there| there.product() == product);
        is_alike && first.metric == figure.metric && first.unit == figure.unit && !is_there
    }

    fn put(&mut self, product: usize, figure: Figure) {
        if self.figures.len() <= product {
            self.figures.resize(product + 1, None);
        }
        self.figures[product] = Some(figure);
    }

    /// The first figure of the line, which describes it.
    pub(super) fn first(&self) -> &Figure {
        self.figures.iter().flatten().next().expect("a line begins with a figure")
    }

    /// Returns our figure divided by that of a product.
    pub(super) fn ratio(&self, product: usize) -> Option<f64> {
        let Ours::Found(ours, _) = &self.ours else { return None };
        let published = self.figures.get(product)?.as_ref()?.value.filter(|value| *value != 0.0)?;
        Some(ours.median / published)
    }
}

/// Why nothing stands beside a figure of settings that no point has.
const NO_POINT: &str = "no point with these settings is measured";

/// Why nothing stands beside a figure although there are points for it.
const NOT_TOLD: &str = "the runs do not tell it";

/// Returns true if a reason is one of those used where the report's file gives none of its own.
pub(super) fn is_general(reason: &str) -> bool {
    [NO_POINT, NOT_TOLD].contains(&reason)
}

fn found(exhibit: &Exhibit, selection: &Selection<'_>, results: &Results) -> Result<Ours> {
    let mut points = Vec::new();
    for workload in &exhibit.workloads {
        let of_workload = &results.workload(workload)?.points;
        points.extend(of_workload.iter().filter(|point| selection.takes(point)));
    }
    let made = points.iter().filter(|point| !point.runs.is_empty()).count();
    Ok(match selection.found(&points) {
        Some(middle) => Ours::Found(middle, Part { made, all: points.len() }),
        None if points.is_empty() => Ours::Nothing(NO_POINT.to_owned()),
        None if made > 0 => Ours::Nothing(NOT_TOLD.to_owned()),
        None => Ours::NotRun,
    })
}

/// Why there is nothing of ours.
fn nothing(exhibit: &Exhibit, rule: Option<&Match>, results: &Results) -> Result<Ours> {
    let not_yet = |workload: &str| results.workload(workload).map(|measured| measured.not_yet());
    if let Some(reason) = rule.and_then(|rule| rule.nothing.as_ref()) {
        return Ok(Ours::Nothing(reason.clone()));
    }
    match rule.map(|rule| &rule.waits_for) {
        Some(Some(reason)) => {
            // The name of a workload that says why itself, or the reason.
            let said = not_yet(reason).ok().flatten();
            Ok(Ours::Waits(said.unwrap_or(reason).to_owned()))
        }
        Some(None) => Ok(Ours::Nothing(NOT_TOLD.to_owned())),
        None => {
            let reasons: Result<Vec<_>> =
                exhibit.workloads.iter().map(|workload| not_yet(workload)).collect();
            let reason = reasons?.into_iter().flatten().next();
            Ok(reason
                .map_or_else(|| Ours::Nothing(NO_POINT.to_owned()), |reason| Ours::Waits(reason.to_owned())))
        }
    }
}
