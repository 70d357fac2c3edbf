//! `ferry report`: the tables and charts of published reports measured again, as a page to read and to print.
//! Their requirements are printed by `rows`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use perf::interrupt;
use perf::program::Program;
use perf::reports::{self, Browser, Campaign, Made, Peers, Results, Scope};
use perf::workloads;

use terminal::common::Common;
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format};
use terminal::units;

use crate::rows;

/// Subjects of a report that nothing is measured for.
#[derive(Debug, Subcommand)]
enum Subject {
    /// Show the requirements of the published reports, each with its state and the commands that show it
    Rows(rows::RowsArguments),
}

/// Options of `report`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ReportArguments {
    #[command(subcommand)]
    subject: Option<Subject>,
    /// quick: all reports in about five minutes; full: every point, in about two and a half hours; or one
    /// report: mqseries51, mq94, mq8-pubsub, msmq2000, bridge
    #[arg(value_name = "CAMPAIGN", default_value = "quick", value_parser = scope)]
    campaign: Scope,
    /// First, middle and last point along each list only, in less than a minute for one report; as the
    /// campaign quick
    #[arg(long, conflicts_with = "from")]
    quick: bool,
    /// Measure nothing and show what is kept in this directory or file
    #[arg(long, value_name = "RESULTS")]
    from: Option<PathBuf>,
    /// Write report.html, report.pdf and results/ here; report-of-a-busy-machine.html, where others used the
    /// machine
    #[arg(long, value_name = "DIRECTORY", default_value = "ferry-report")]
    out: PathBuf,
    /// Show today's brokers beside ours, as the peers.jsonl of this directory has them
    #[arg(long, value_name = "DIRECTORY")]
    peers: Option<PathBuf>,
    /// Make only the runs that results/ there does not keep yet, so that a long campaign can be made in
    /// pieces
    #[arg(long, conflicts_with = "from")]
    resume: bool,
    /// Time to measure each point in each repetition [default: 5s; quick: as long as a report then takes less
    /// than a minute]
    #[arg(short, long, value_parser = units::parse_duration, value_name = "TIME", conflicts_with = "from")]
    time: Option<Duration>,
    /// Repetitions of each point [default: 3; quick: 1]
    #[arg(short, long, value_name = "TIMES", conflicts_with = "from")]
    repeat: Option<usize>,
    /// Time to run each point before measuring [default: 1s; quick: a fifth of the time that is measured]
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME", conflicts_with = "from")]
    warm_up: Option<Duration>,
    /// Chromium or a browser made from it, which prints the PDF [default: the first that is installed]
    #[arg(long, value_name = "PROGRAM")]
    browser: Option<PathBuf>,
    /// Write no PDF
    #[arg(long, conflicts_with = "browser")]
    no_pdf: bool,
}

fn scope(text: &str) -> std::result::Result<Scope, String> {
    match text {
        "quick" => Ok(Scope::Quick),
        "full" => Ok(Scope::Full),
        name if reports::names().any(|known| known == name) => Ok(Scope::Report(name.to_owned())),
        _ => Err(format!("give quick, full, or one of {}", reports::names().collect::<Vec<_>>().join(", "))),
    }
}

/// A browser that does not end so long after Ctrl-C is ended.
const GRACE: Duration = Duration::from_secs(5);

/// Makes a report.
pub(crate) fn run(common: &Common, arguments: &ReportArguments) -> Result<()> {
    if let Some(Subject::Rows(arguments)) = &arguments.subject {
        return rows::run(common, arguments);
    }
    fs::create_dir_all(&arguments.out)
        .with_context(|| format!("cannot make the directory {}", arguments.out.display()))?;
    let Some(from) = &arguments.from else { return measure(common, arguments) };
    interrupt::listen(Some(GRACE))?;
    let results = Results::read(from)?.beside(peers(arguments)?);
    write(common, arguments, &results, &[])
}

/// The comparison with today's brokers; an empty one where none is given.
fn peers(arguments: &ReportArguments) -> Result<Peers> {
    Ok(arguments.peers.as_deref().map(Peers::read).transpose()?.unwrap_or_default())
}

fn measure(common: &Common, arguments: &ReportArguments) -> Result<()> {
    let interrupt = interrupt::listen(None)?;
    let kept = arguments.out.join("results");
    let quick = arguments.quick || arguments.campaign == Scope::Quick;
    let (warm_up, measure) = match quick {
        true => reports::quick_times(&arguments.campaign)?,
        false => (Duration::from_secs(1), Duration::from_secs(5)),
    };
    let options = workloads::Options {
        warm_up: arguments.warm_up.unwrap_or(warm_up),
        measure: arguments.time.unwrap_or(measure),
        repetitions: arguments.repeat.unwrap_or(if quick { 1 } else { 3 }),
        quick,
        results: Some(kept.clone()),
        resume: arguments.resume,
        format: None,
        ferry: Program::ferry()?,
    };
    let failures = Campaign::new(&arguments.campaign, &options)?.run(&interrupt)?;
    let failures: Vec<String> = failures.iter().map(|error| format!("{error:#}")).collect();
    // What there is although somebody or something ended it is worth a page.
    let results = if kept.is_dir() { Results::read(&kept)? } else { Results::none()? };
    let results = results.beside(peers(arguments)?);
    write(common, arguments, &results, &failures)?;
    if let Some(first) = failures.first() {
        let count = failures.len();
        return Err(Failure::new(
            Exit::Failed,
            format!("{count} point(s) failed, the page names them; the first: {first}"),
        ));
    }
    if interrupt.load(Ordering::Relaxed) {
        return Err(Failure::new(Exit::Failed, "interrupted: the page shows what there was until then"));
    }
    Ok(())
}

/// Names the page: one that was measured while others used the machine says so.
fn name(results: &Results) -> &'static str {
    if reports::is_busy(results) { "report-of-a-busy-machine" } else { "report" }
}

/// Writes the page, on the screen and on paper.
fn write(common: &Common, arguments: &ReportArguments, results: &Results, failures: &[String]) -> Result<()> {
    let command = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let when = jiff::Timestamp::now().to_string();
    let made = Made { when, command: format!("ferry {command}"), failures: failures.to_vec() };
    let page = reports::page(&arguments.campaign, results, &made)?;
    let html = arguments.out.join(format!("{}.html", name(results)));
    fs::write(&html, page).with_context(|| format!("cannot write {}", html.display()))?;
    let pdf = print(arguments, &html)?;
    match common.output {
        Format::Json => output::print_json(&serde_json::json!({"html": html, "pdf": pdf}))?,
        Format::Table => {
            output::print_line(html.display())?;
            if let Some(pdf) = pdf {
                output::print_line(pdf.display())?;
            }
        }
    }
    Ok(())
}

/// Prints the page where there is a browser to print it.
fn print(arguments: &ReportArguments, html: &Path) -> Result<Option<PathBuf>> {
    if arguments.no_pdf {
        return Ok(None);
    }
    let Some(browser) = arguments.browser.clone().map(Browser::at).or_else(Browser::installed) else {
        output::say(
            "no PDF: it is printed by Chromium or a browser made from it, and none is installed; \
             --browser says where one is, --no-pdf that none is wanted",
        );
        return Ok(None);
    };
    let pdf = html.with_extension("pdf");
    browser.print(html, &pdf)?;
    Ok(Some(pdf))
}
