//! crtmqm, strmqm, endmqm, dltmqm, dspmq: queue managers from their creation to their end.

use std::path::Path;
use std::time::Duration;

use client::StopMode;
use mqi::QueueManagerName;
use server::instances::{self, Instance};
use server::{Configuration, DataDirectory, Mode, State, configuration};

use super::words::Typed;
use super::{Answer, Tool, Trouble, common, ended, note};
use crate::commands::{queue_manager, settings};
use terminal::connect::{self, Place, Session};
use terminal::output::{self, harmless};

pub(super) const CREATE: Tool = Tool {
    name: "crtmqm",
    usage: "[-q] [-p PORT] [-u DEADQ] [-d XMITQ] [-c TEXT] [-lc | -ll] [-lf PAGES] [-lp FILES] [-ls FILES] QMGR",
    options: &["q", "p=", "u=", "d=", "c=", "lc", "ll", "lf=", "lp=", "ls="],
    misuse: ended::MISUSED,
    run: create,
};

pub(super) const START: Tool =
    Tool { name: "strmqm", usage: "[QMGR]", options: &[], misuse: ended::MISUSED, run: start };

pub(super) const END: Tool = Tool {
    name: "endmqm",
    usage: "[-c | -w | -i | -p] [-t SECONDS] QMGR",
    options: &["c", "w", "i", "p", "t="],
    misuse: ended::MISUSED,
    run: end,
};

pub(super) const DELETE: Tool =
    Tool { name: "dltmqm", usage: "QMGR", options: &[], misuse: ended::MISUSED, run: delete };

pub(super) const DISPLAY: Tool = Tool {
    name: "dspmq",
    usage: "[-m QMGR] [-s] [-o status | -o all]",
    options: &["m=", "s", "o="],
    // The one of these whose code for misuse is its own.
    misuse: 36,
    run: display,
};

/// Log files are counted in pages by those who know these commands.
const PAGE_BYTES: u64 = 4096;
const MEGABYTE: u64 = 1 << 20;

/// Waits no longer than the queue manager itself would.
const END_PATIENCE: Duration = Duration::from_secs(24 * 3600);

fn misused(words: String) -> Trouble {
    Trouble::new(ended::MISUSED, words)
}

fn name_typed(text: &str) -> Result<QueueManagerName, Trouble> {
    connect::parse_queue_manager_name(text).map_err(Trouble::of(ended::NAME))
}

fn named(typed: &Typed) -> Result<QueueManagerName, Trouble> {
    let word = typed.only_word().map_err(misused)?;
    name_typed(word.ok_or_else(|| misused("the name of a queue manager is missing".into()))?)
}

/// The one named, or the only one there is.
fn named_or_only(typed: &Typed, data: &DataDirectory) -> Result<QueueManagerName, Trouble> {
    match typed.only_word().map_err(misused)? {
        Some(word) => name_typed(word),
        None => queue_manager::name_or_only(&common(None), None, data).map_err(Trouble::of(ended::ABSENT)),
    }
}

fn data_directory() -> DataDirectory {
    connect::data_directory(&common(None))
}

fn create(typed: &Typed) -> Answer {
    let name = named(typed)?;
    let data = data_directory();
    let text = settings_typed(typed, &configuration::default_file(name.as_str()))?;
    if let Err(error) = Configuration::parse(&text, Path::new("")) {
        return Err(misused(queue_manager::faults(&error)));
    }
    let folder = instances::create(&data, &name, Some(&text))?;
    output::print_line(format!(
        "Queue manager '{name}' created.\nDirectory '{}' created.",
        folder.path().display()
    ))?;
    if typed.has("q") {
        note(
            "-q: no queue manager is the default; FERRY_QMGR names one, and the only one there is needs no name",
        );
    }
    let attributes = attributes_typed(typed);
    if !attributes.is_empty() {
        alter(&data, &name, &attributes)?;
    }
    output::print_line("Setup completed.")?;
    Ok(ended::OK)
}

/// The settings with what was said about port and log.
fn settings_typed(typed: &Typed, text: &str) -> Result<String, Trouble> {
    let number = |option: &str| -> Result<Option<u64>, Trouble> {
        let value = typed.value(option);
        value
            .map(|text| text.parse().map_err(|_| misused(format!("-{option} {text} is no number"))))
            .transpose()
    };
    let mut text = text.to_owned();
    if let Some(port) = typed.value("p") {
        let port: u16 = port.parse().map_err(|_| misused(format!("-p {port} is no port from 0 to 65535")))?;
        text = settings::with(&text, "listener", "addresses", &format!("[\"127.0.0.1:{port}\"]"));
    }
    if typed.has("ll") {
        text = settings::with(&text, "log", "kind", "\"linear\"");
    }
    if let Some(pages) = number("lf")? {
        let megabytes = pages.saturating_mul(PAGE_BYTES).div_ceil(MEGABYTE);
        text = settings::with(&text, "log", "extent_size", &format!("\"{megabytes} MiB\""));
    }
    for (option, key) in [("lp", "primary_extents"), ("ls", "secondary_extents")] {
        if let Some(files) = number(option)? {
            text = settings::with(&text, "log", key, &files.to_string());
        }
    }
    Ok(text)
}

/// What was said about attributes of the queue manager, as MQSC.
fn attributes_typed(typed: &Typed) -> Vec<String> {
    [("u", "DEADQ"), ("d", "DEFXMITQ"), ("c", "DESCR")]
        .iter()
        .filter_map(|(option, keyword)| {
            let value = typed.value(option)?;
            Some(format!("{keyword}('{}')", value.replace('\'', "''")))
        })
        .collect()
}

/// Attributes are altered by the queue manager itself, which runs for as long as that takes, at no port of its own.
fn alter(data: &DataDirectory, name: &QueueManagerName, attributes: &[String]) -> Result<(), Trouble> {
    start_in_background(data, name, Some(0))?;
    let instance = instances::find(data, name)?;
    let command = format!("ALTER QMGR {}", attributes.join(" "));
    let response = session(&instance).and_then(|mut session| session.command(&command));
    queue_manager::ask_to_end(&instance, StopMode::Quiesce).map_err(Trouble::of(ended::UNEXPECTED))?;
    let _ended = instances::wait_until_ended(&instance, END_PATIENCE);
    let response = response.map_err(Trouble::of(ended::UNEXPECTED))?;
    if response.failed {
        let (command, why) = (harmless(&command), response.text.trim());
        let words = format!("queue manager {name} is created, but {command} was refused: {why}");
        return Err(Trouble::in_lines(ended::MISUSED, words));
    }
    Ok(())
}

fn session(instance: &Instance) -> terminal::failure::Result<Session> {
    let address =
        connect::address_of(instance).ok_or_else(|| instances::Error::NotRunning(*instance.folder.name()))?;
    Session::connect(&Place::named(address, *instance.folder.name()))
}

fn start_in_background(
    data: &DataDirectory,
    name: &QueueManagerName,
    port: Option<u16>,
) -> Result<(), Trouble> {
    let command = queue_manager::command_to_start(data, name, port)?;
    instances::start_in_background(data, name, command)?;
    Ok(())
}

fn start(typed: &Typed) -> Answer {
    let data = data_directory();
    let name = named_or_only(typed, &data)?;
    if let Some(running) = instances::find(&data, &name)?.running {
        return Err(instances::Error::Runs { name, process: running.process }.into());
    }
    output::print_line(format!("Queue manager '{name}' starting."))?;
    start_in_background(&data, &name, None)?;
    output::print_line(format!("Queue manager '{name}' started using V{}.", env!("CARGO_PKG_VERSION")))?;
    Ok(ended::OK)
}

fn end(typed: &Typed) -> Answer {
    let name = named(typed)?;
    let modes = ["c", "w", "i", "p"];
    if modes.iter().filter(|mode| typed.has(mode)).count() > 1 {
        return Err(misused("-c, -w, -i and -p exclude each other".into()));
    }
    let patience = match typed.value("t") {
        None => END_PATIENCE,
        Some(text) => Duration::from_secs(
            text.parse().map_err(|_| misused(format!("-t {text} is no number of seconds")))?,
        ),
    };
    let mode = match (typed.has("i"), typed.has("p")) {
        (true, _) => StopMode::Immediate,
        (_, true) => StopMode::Preemptive,
        _ => StopMode::Quiesce,
    };
    let instance = instances::find(&data_directory(), &name)?;
    if instance.running.is_none() {
        return Err(instances::Error::NotRunning(name).into());
    }
    queue_manager::ask_to_end(&instance, mode).map_err(Trouble::of(ended::UNEXPECTED))?;
    let waits = mode != StopMode::Quiesce || typed.has("w") || typed.value("t").is_some();
    if !waits {
        output::print_line(format!("Queue manager '{name}' ends when its programs have disconnected."))?;
        return Ok(ended::OK);
    }
    output::print_line(format!("Waiting for queue manager '{name}' to end."))?;
    if !instances::wait_until_ended(&instance, patience) {
        // The time was given for an orderly end; what was acknowledged is safe in any.
        queue_manager::ask_to_end(&instance, StopMode::Preemptive).map_err(Trouble::of(ended::UNEXPECTED))?;
        let _ended = instances::wait_until_ended(&instance, END_PATIENCE);
    }
    output::print_line(format!("Queue manager '{name}' ended."))?;
    Ok(ended::OK)
}

fn delete(typed: &Typed) -> Answer {
    let name = named(typed)?;
    instances::delete(&data_directory(), &name)?;
    output::print_line(format!("Queue manager '{name}' deleted."))?;
    Ok(ended::OK)
}

/// The widest a name is shown, so that what follows stands in one column: 48 characters and what is around them.
const NAME_WIDTH: usize = "QMNAME()".len() + 48;

fn display(typed: &Typed) -> Answer {
    if let Some(word) = typed.rest.first() {
        return Err(Trouble::new(DISPLAY.misuse, format!("what is {word}? A queue manager is named by -m")));
    }
    let shows_all = match typed.value("o") {
        None | Some("status") => false,
        Some("all") => true,
        Some(other) => {
            return Err(Trouble::new(
                DISPLAY.misuse,
                format!("-o {other} is not shown; -o status and -o all are"),
            ));
        }
    };
    let data = data_directory();
    let instances = match typed.value("m") {
        Some(name) => vec![instances::find(&data, &name_typed(name)?)?],
        None => {
            for (name, error) in instances::closed(&data)? {
                note(&format!("cannot look into {}: {error}", data.folder(&name).path().display()));
            }
            instances::list(&data)?
        }
    };
    for instance in &instances {
        let name = format!("QMNAME({})", instance.folder.name());
        let mut line = format!("{name:NAME_WIDTH$}  STATUS({})", status(instance));
        if shows_all {
            line.push_str(&format!(" DATADIR({})", instance.folder.path().display()));
            if let Some(running) = &instance.running {
                line.push_str(&format!(" PID({}) LISTENS({})", running.process, running.listens.join(",")));
            }
        }
        output::print_line(line)?;
    }
    Ok(ended::OK)
}

/// In the words of the documentation of the command.
fn status(instance: &Instance) -> &'static str {
    match (instance.running.as_ref().map(|running| running.state), instances::ended(&instance.folder)) {
        (Some(State::Starting), _) => "Starting",
        (Some(State::Running), _) => "Running",
        (Some(State::Ending(mode) | State::Ended(mode)), _) => match mode {
            Mode::Quiesce => "Quiescing",
            Mode::Immediate => "Ending immediately",
            Mode::Preemptive => "Ending pre-emptively",
        },
        (None, Some(Mode::Quiesce)) => "Ended normally",
        (None, Some(Mode::Immediate)) => "Ended immediately",
        (None, Some(Mode::Preemptive)) => "Ended pre-emptively",
        (None, None) => "Ended unexpectedly",
    }
}
