//! crtmqm: the creation of a queue manager, with settings and definitions that were brought along.
//!
//! Always: a file or a number that is wrong creates nothing.

use std::path::{Path, PathBuf};

use client::StopMode;
use mqi::QueueManagerName;
use objects::configuration::script::ScriptLine;
use server::instances::{self, Instance};
use server::{Configuration, DataDirectory, configuration};

use super::life::{END_PATIENCE, data_directory, misused, named, start_in_background};
use super::tool::{Answer, Tool, Trouble, ended, note};
use super::words::Typed;
use crate::commands::queue_manager::{self, Listening};
use crate::commands::{config, settings};
use terminal::connect::{self, Place, Session};
use terminal::output::{self, Format, harmless};

pub(super) const CREATE: Tool = Tool {
    name: "crtmqm",
    usage: "[-q] [-p PORT] [-u DEADQ] [-d XMITQ] [-c TEXT] [-h HANDLES] [-t TRIGINT] [-x MESSAGES] [-lc | -ll] \
            [-lf PAGES] [-lp FILES] [-ls FILES] [-ii INI] [-ic MQSC] [-md DIR] [-ld DIR] [-g GROUP] [-z] QMGR",
    options: &[
        "q", "p=", "u=", "d=", "c=", "h=", "t=", "x=", "lc", "ll", "lla", "lln", "lf=", "lp=", "ls=", "ii=",
        "ic=", "md=", "ld=", "g=", "z",
    ],
    misuse: ended::MISUSED,
    run: create,
};

/// Pages of log files, in which these commands count them.
const PAGE_BYTES: u64 = 4096;
const MEGABYTE: u64 = 1 << 20;

/// Most files of a folder that is named instead of one file.
const FILES_MAX: usize = 1_000;

/// Options without effect, and the reason.
const WITHOUT_EFFECT: [(&str, &str); 3] = [
    ("q", "no queue manager is the default; FERRY_QMGR names one, and the only one there is needs no name"),
    ("md", "the folder of the queue manager is in the data directory, which FERRY_DATA names"),
    ("g", "programs of any group may connect; users and their rights are named to the queue manager"),
];

fn create(typed: &Typed) -> Answer {
    let name = named(typed)?;
    let data = data_directory()?;
    let script = script_typed(typed)?;
    let attributes = attributes_typed(typed)?;
    let text = match typed.value("ii") {
        None => configuration::default_file(name.as_str()),
        Some(path) => {
            let paths = files_of(Path::new(path), "ini")?;
            let from_ini = settings::from_ini(&paths, name.as_str()).map_err(Trouble::of(ended::MISUSED))?;
            for key in &from_ini.without_effect {
                note(&settings::shown(key));
            }
            from_ini.text
        }
    };
    let text = settings_typed(typed, &text)?;
    if let Err(error) = Configuration::parse(&text, Path::new("")) {
        return Err(misused(queue_manager::faults(&error)));
    }
    let folder = instances::create(&data, &name, Some(&text))?;
    output::print_line(format!(
        "Queue manager '{name}' created.\nDirectory '{}' created.",
        folder.path().display()
    ))?;
    for (option, reason) in WITHOUT_EFFECT.into_iter().filter(|(option, _)| typed.has(option)) {
        note(&format!("-{option} has no effect: {reason}"));
    }
    if !attributes.is_empty() || !script.is_empty() {
        define(&data, &name, &attributes, &script)?;
    }
    output::print_line("Setup completed.")?;
    Ok(ended::OK)
}

/// The settings with what was said about port and log. Without a port there is no listener, so that several
/// queue managers run together.
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
        text = settings::with_port(&text, port);
    } else if configuration::place_of(&text, "listener", "addresses").is_none() {
        text = settings::with(&text, "listener", "addresses", "[]");
    }
    if ["ll", "lla", "lln"].iter().any(|option| typed.has(option)) {
        text = settings::with(&text, "log", "kind", "\"linear\"");
    }
    if let Some(pages) = number("lf")? {
        let megabytes = pages.saturating_mul(PAGE_BYTES).div_ceil(MEGABYTE);
        text = settings::with(&text, "log", "extent_size", &format!("\"{megabytes} MiB\""));
    }
    if let Some(directory) = typed.value("ld") {
        text = settings::with(&text, "log", "directory", &format!("{directory:?}"));
    }
    for (option, key) in [("lp", "primary_extents"), ("ls", "secondary_extents")] {
        if let Some(files) = number(option)? {
            text = settings::with(&text, "log", key, &files.to_string());
        }
    }
    Ok(text)
}

/// The attributes of the queue manager that were typed, as MQSC.
fn attributes_typed(typed: &Typed) -> Result<Vec<String>, Trouble> {
    let texts =
        [("u", "DEADQ"), ("d", "DEFXMITQ"), ("c", "DESCR")].into_iter().filter_map(|(option, keyword)| {
            let value = typed.value(option)?;
            Some(Ok(format!("{keyword}('{}')", value.replace('\'', "''"))))
        });
    let numbers = [("h", "MAXHANDS"), ("t", "TRIGINT"), ("x", "MAXUMSGS")].into_iter();
    let numbers = numbers.filter_map(|(option, keyword)| {
        let value = typed.value(option)?;
        let number = value.parse::<u32>().map_err(|_| misused(format!("-{option} {value} is no number")));
        Some(number.map(|number| format!("{keyword}({number})")))
    });
    texts.chain(numbers).collect()
}

/// The definitions of the files that were brought along.
fn script_typed(typed: &Typed) -> Result<Vec<ScriptLine>, Trouble> {
    let Some(path) = typed.value("ic") else { return Ok(Vec::new()) };
    let mut script = Vec::new();
    for path in files_of(Path::new(path), "mqsc")? {
        script.extend(config::read(&path).map_err(Trouble::of(ended::MISUSED))?);
    }
    Ok(script)
}

/// The file that is named, or those of a folder with this ending, by name.
fn files_of(path: &Path, extension: &str) -> Result<Vec<PathBuf>, Trouble> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let unreadable =
        |error: std::io::Error| misused(format!("cannot read the folder {}: {error}", path.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if file.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension)) {
            files.push(file);
        }
        if files.len() > FILES_MAX {
            return Err(misused(format!("the folder {} has more than {FILES_MAX} files", path.display())));
        }
    }
    files.sort();
    Ok(files)
}

/// Makes definitions by the queue manager itself: it runs for as long as that takes, at no port of its own.
/// Where they are refused it is removed again, so that the corrected command finds nothing half done.
fn define(
    data: &DataDirectory,
    name: &QueueManagerName,
    attributes: &[String],
    script: &[ScriptLine],
) -> Result<(), Trouble> {
    start_in_background(data, name, Listening::At(0))?;
    let instance = instances::find(data, name)?;
    let made = make(&instance, attributes, script);
    queue_manager::ask_to_end(&instance, StopMode::Quiesce).map_err(Trouble::of(ended::UNEXPECTED))?;
    let _ended = instances::wait_until_ended(&instance, END_PATIENCE);
    made.map_err(|trouble| {
        let fate = match instances::delete(data, name) {
            Ok(()) => "removed again".to_owned(),
            Err(error) => format!("created, and cannot be removed ({error})"),
        };
        Trouble::in_lines(trouble.code, format!("queue manager {name} is {fate}: {}", trouble.words))
    })
}

fn make(instance: &Instance, attributes: &[String], script: &[ScriptLine]) -> Result<(), Trouble> {
    let mut session = session(instance).map_err(Trouble::of(ended::UNEXPECTED))?;
    if !attributes.is_empty() {
        let command = format!("ALTER QMGR {}", attributes.join(" "));
        let response = session.command(&command).map_err(Trouble::of(ended::UNEXPECTED))?;
        if response.failed {
            let (command, why) = (harmless(&command), response.text.trim());
            return Err(Trouble::in_lines(ended::MISUSED, format!("{command} was refused: {why}")));
        }
    }
    if !script.is_empty() {
        config::apply_script(&mut session, Format::Table, script).map_err(Trouble::of(ended::MISUSED))?;
    }
    session.disconnect().map_err(Trouble::of(ended::UNEXPECTED))
}

fn session(instance: &Instance) -> terminal::failure::Result<Session> {
    let address =
        connect::address_of(instance).ok_or_else(|| instances::Error::NotRunning(*instance.folder.name()))?;
    Session::connect(&Place::named(address, *instance.folder.name()))
}
