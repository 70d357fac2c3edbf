//! `ferry guarantees`: what is promised, and what a crash can take with the settings a queue manager has.

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use clap::Args;
use serde_json::{Value, json};
use server::configuration::LogKind;
use server::promises::{Holder, NOT_PROMISED, PROMISES, Window, Writes, windows};
use server::{Configuration, instances};

use super::queue_manager;
use terminal::common::Common;
use terminal::connect;
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format, Paint};
use terminal::units;

/// The queue manager.
#[derive(Debug, Args)]
pub(crate) struct GuaranteesArguments {
    /// Queue manager, running or not; not needed when there is only one, or only one runs
    #[arg(value_name = "QM")]
    name: Option<String>,
    /// Name the tests that hold each promise too
    #[arg(long)]
    tests: bool,
}

/// Widest line of text.
const WIDTH: usize = 100;

/// Prints them.
pub(crate) fn run(common: &Common, arguments: &GuaranteesArguments) -> Result<()> {
    let data = connect::data_directory(common)?;
    let name = queue_manager::name_or_running(common, arguments.name.as_deref(), &data)?;
    let folder = instances::find(&data, &name)?.folder;
    let configuration = Configuration::read(&folder.settings())
        .map_err(|error| Failure::new(Exit::Failed, error.to_string()))?;
    let writes = writes(&folder.path().join("log")).map_err(|error| {
        let log = folder.path().join("log");
        Failure::new(Exit::Failed, format!("cannot look at the log of {name} in {}: {error}", log.display()))
    })?;
    let windows = windows(&configuration);
    if common.output == Format::Json {
        return Ok(output::print_json(&as_json(name.as_str(), &configuration, writes, &windows))?);
    }
    let paint = Paint::for_stream(io::stdout().is_terminal());
    let mut out = output::standard();
    writeln!(out, "{}   {}", paint.strong(name), log_line(&configuration, writes))?;
    writeln!(out)?;
    for promise in PROMISES {
        writeln!(out, "{}", paint.strong(format!("{} {}", promise.id, promise.title)))?;
        paragraph(&mut out, "  ", promise.text)?;
        for holder in promise.held_by.iter().filter(|_| arguments.tests) {
            writeln!(out, "  {} {}", paint.dim("held by"), held(holder))?;
        }
    }
    writeln!(out, "\n{}", paint.strong("Losses that a crash can cause"))?;
    for window in &windows {
        let answered = match window.answered {
            "" => String::new(),
            answered => paint.dim(format!("  answered {answered}")),
        };
        writeln!(out, "  {}{answered}", window.class)?;
        paragraph(&mut out, "      ", &format!("lost: {}", window.lost))?;
    }
    writeln!(out, "\n{}", paint.strong("Not promised"))?;
    for sentence in NOT_PROMISED {
        paragraph(&mut out, "  ", sentence)?;
    }
    Ok(out.flush()?)
}

/// Returns the way of writing the log, read from its first file.
fn writes(log: &Path) -> io::Result<Writes> {
    for entry in fs::read_dir(log)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "seg") {
            let direct = platform::os::takes_direct_writes(&path)?;
            return Ok(if direct { Writes::Direct } else { Writes::Forced });
        }
    }
    Err(io::Error::new(io::ErrorKind::NotFound, "it has no files"))
}

fn log_line(configuration: &Configuration, writes: Writes) -> String {
    let log = &configuration.log;
    format!(
        "{} log of {} to {} files of {}, {}",
        kind(log.kind),
        log.primary_extents,
        log.primary_extents + log.secondary_extents,
        units::bytes(log.extent_size.0),
        writes.text()
    )
}

fn kind(kind: LogKind) -> &'static str {
    match kind {
        LogKind::Circular => "circular",
        LogKind::Linear => "linear",
    }
}

fn held(holder: &Holder) -> String {
    match holder {
        Holder::Test { path, name } => format!("{name} ({path})"),
        Holder::Figure { id, path } => format!("cargo xtask torture --id {id} ({path})"),
        Holder::Scenarios { path } => (*path).to_owned(),
    }
}

fn as_json(name: &str, configuration: &Configuration, writes: Writes, windows: &[Window]) -> Value {
    let log = &configuration.log;
    let promises: Vec<Value> = PROMISES
        .iter()
        .map(|promise| {
            json!({
                "id": promise.id, "title": promise.title, "text": promise.text,
                "held_by": promise.held_by.iter().map(held).collect::<Vec<_>>(),
            })
        })
        .collect();
    let classes: Vec<Value> = windows
        .iter()
        .map(|window| json!({ "class": window.class, "answered": window.answered, "lost": window.lost }))
        .collect();
    json!({
        "queue_manager": name,
        "log": {
            "kind": kind(log.kind),
            "writes": if writes == Writes::Direct { "direct" } else { "forced" },
            "file_bytes": log.extent_size.0,
            "files": log.primary_extents,
            "files_max": log.primary_extents + log.secondary_extents,
        },
        "promises": promises,
        "classes": classes,
        "not_promised": NOT_PROMISED,
    })
}

/// Text in lines of bearable length.
fn paragraph(out: &mut impl io::Write, indent: &str, text: &str) -> io::Result<()> {
    let mut line = indent.to_owned();
    for word in text.split_whitespace() {
        if line.len() > indent.len() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            writeln!(out, "{line}")?;
            indent.clone_into(&mut line);
        }
        if line.len() > indent.len() {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(out, "{line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_keeps_every_word_and_its_width() {
        let mut out = Vec::new();
        paragraph(&mut out, "  ", PROMISES[0].text).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.lines().count() > 1
                && text.lines().all(|line| line.len() <= WIDTH && line.starts_with("  "))
        );
        assert_eq!(
            text.split_whitespace().collect::<Vec<_>>(),
            PROMISES[0].text.split_whitespace().collect::<Vec<_>>()
        );
    }
}
