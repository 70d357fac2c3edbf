//! The five published reports, and what we measure beside them: `ferry report`.
//!
//! Lives here: the list of reports, and a report's way from runs to a page. Lives elsewhere: the published
//! figures (`published`), our workloads beside them (`exhibit`, from `perf/reports`), runs (`results`),
//! tables (`comparison`), judging curves (`shapes`, those of publish/subscribe in
//! `publishing`, their `steps`), the look
//! (`page`), today's brokers beside ours (`peers`), paper (`pdf`), and running it all (`campaign`).
//!
//! Always: a run that was not made is shown as missing, and no number is typed in here.

mod campaign;
mod comparison;
mod exhibit;
mod page;
mod pdf;
mod peers;
mod published;
mod publishing;
mod results;
mod shapes;
mod steps;
#[cfg(test)]
mod tests;

use anyhow::{Result, bail};

use exhibit::Report;
pub use page::Made;

pub use campaign::{Campaign, Scope, quick_times};
pub use pdf::Browser;
pub use peers::Peers;
pub use results::Results;

macro_rules! built_in {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../../perf/reports/", $name, ".toml")))
    };
}

/// Name and text of the exhibits of every report, in the order of the page.
const REPORTS: &[(&str, &str)] = &[
    built_in!("mqseries51"),
    built_in!("mq94"),
    built_in!("mq8-pubsub"),
    built_in!("msmq2000"),
    built_in!("bridge"),
];

/// Returns the names of the reports.
pub fn names() -> impl Iterator<Item = &'static str> {
    REPORTS.iter().map(|(name, _)| *name)
}

/// The reports of a scope.
fn reports(scope: &Scope) -> Result<Vec<Report>> {
    let is_meant = |name: &str| scope.report().is_none_or(|one| one == name);
    let chosen = REPORTS.iter().filter(|(name, _)| is_meant(name));
    let reports = chosen.map(|(name, text)| Report::parse(name, text)).collect::<Result<Vec<_>>>()?;
    if reports.is_empty() {
        bail!("there is no report {scope}: {}", names().collect::<Vec<_>>().join(", "));
    }
    Ok(reports)
}

/// Returns true if others used the machine while these results were made, of which a page and its name warn.
#[must_use]
pub fn is_busy(results: &Results) -> bool {
    page::is_busy(results)
}

/// The page of these results as one file of HTML.
///
/// # Errors
/// When what it is made from is wrong.
pub fn page(scope: &Scope, results: &Results, made: &Made) -> Result<String> {
    page::render(&reports(scope)?, results, made)
}
