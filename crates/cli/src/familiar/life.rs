//! strmqm, endmqm, dltmqm, dspmq, dspmqinf: queue managers from their start to their end; `creation` has
//! crtmqm.

use std::time::Duration;

use client::StopMode;
use mqi::QueueManagerName;
use server::instances::{self, Instance};
use server::{DataDirectory, Mode, State};

use super::tool::{Answer, Tool, Trouble, common, ended, note};
use super::versions::{self, INSTALLATION, VERSION};
use super::words::Typed;
use crate::commands::open_rules;
use crate::commands::queue_manager::{self, Listening};
use terminal::connect;
use terminal::output;

pub(super) const START: Tool = Tool {
    name: "strmqm",
    usage: "[-ns] [-d none | minimal | all] [-z] [QMGR]",
    options: &["ns", "d=", "z", "si", "ss", "a", "c", "e=", "f", "r", "x"],
    misuse: ended::MISUSED,
    run: start,
};

pub(super) const END: Tool = Tool {
    name: "endmqm",
    usage: "[-c | -w | -i | -p] [-t SECONDS] [-z] QMGR",
    options: &["c", "w", "i", "p", "t=", "z", "r", "s", "x"],
    misuse: ended::MISUSED,
    run: end,
};

pub(super) const DELETE: Tool =
    Tool { name: "dltmqm", usage: "[-z] QMGR", options: &["z"], misuse: ended::MISUSED, run: delete };

/// Reasons that several options share.
const STANDBY: &str = "there are no standby instances; the guide to failover has what there is";
const BACKUP: &str = "no queue manager replays the log of another; the guide to backups has what there is";

/// Options that ask for what there is not, and what there is instead.
const START_REFUSED: [(&str, &str); 6] = [
    ("a", BACKUP),
    ("r", BACKUP),
    ("x", STANDBY),
    ("c", "default objects are not made again; the guide to scripts has what brings definitions back"),
    ("e", "there is no command level to choose; a start takes the files of an earlier release on"),
    ("f", "a start makes no folders again; the guide to backups has what does"),
];
const END_REFUSED: [(&str, &str); 3] =
    [("s", STANDBY), ("x", STANDBY), ("r", "a client reconnects if its own options say so, after any end")];

/// Refuses the first of these options that was typed.
fn refuse(typed: &Typed, refused: &[(&str, &str)]) -> Result<(), Trouble> {
    match refused.iter().find(|(option, _)| typed.has(option)) {
        Some((option, why)) => Err(misused(format!("-{option} is not done here: {why}"))),
        None => Ok(()),
    }
}

pub(super) const DISPLAY: Tool = Tool {
    name: "dspmq",
    usage: "[-m QMGR] [-a] [-c] [-n] [-s] [-x] [-o all | default | installation | standby | status]...",
    options: &["m=", "a", "c", "n", "s", "x", "o="],
    // The one of these whose code for misuse is its own.
    misuse: 36,
    run: display,
};

pub(super) const INFORMATION: Tool = Tool {
    name: "dspmqinf",
    usage: "[-s QueueManager] [-o stanza | -o command] QMGR",
    options: &["s=", "o="],
    misuse: ended::MISUSED,
    run: information,
};

/// Waits no longer than the queue manager itself would.
pub(super) const END_PATIENCE: Duration = Duration::from_secs(24 * 3600);

pub(super) fn misused(words: String) -> Trouble {
    Trouble::new(ended::MISUSED, words)
}

fn name_typed(text: &str) -> Result<QueueManagerName, Trouble> {
    connect::parse_queue_manager_name(text).map_err(Trouble::of(ended::NAME))
}

pub(super) fn named(typed: &Typed) -> Result<QueueManagerName, Trouble> {
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

pub(super) fn data_directory() -> Result<DataDirectory, Trouble> {
    connect::data_directory(&common(None)).map_err(Trouble::of(ended::UNEXPECTED))
}

pub(super) fn start_in_background(
    data: &DataDirectory,
    name: &QueueManagerName,
    listening: Listening,
) -> Result<(), Trouble> {
    let command = queue_manager::command_to_start(data, name, listening)?;
    queue_manager::say_foreign(&data.folder(name));
    let running = instances::start_in_background(data, name, command)?;
    open_rules::say(&data.folder(name), &running.listens);
    Ok(())
}

fn start(typed: &Typed) -> Answer {
    refuse(typed, &START_REFUSED)?;
    if let Some(told) = typed.value("d")
        && !["none", "minimal", "all"].contains(&told)
    {
        return Err(misused(format!("-d {told} is not there; none, minimal and all are, without effect")));
    }
    let listening = if typed.has("ns") { Listening::LocalOnly } else { Listening::AsConfigured };
    let data = data_directory()?;
    let name = named_or_only(typed, &data)?;
    let instance = instances::find(&data, &name)?;
    if let Some(running) = &instance.running {
        let runs = instances::Error::Runs { name, process: running.process };
        return Err(while_running(&instance, runs));
    }
    output::print_line(format!("Queue manager '{name}' starting."))?;
    start_in_background(&data, &name, listening)?;
    output::print_line(format!("Queue manager '{name}' started using V{}.", env!("CARGO_PKG_VERSION")))?;
    Ok(ended::OK)
}

/// Trouble about a queue manager that runs: one that is about to end has a code of its own.
fn while_running(instance: &Instance, error: instances::Error) -> Trouble {
    let state = instance.running.as_ref().map(|running| running.state);
    let is_ending = matches!(state, Some(State::Ending(_) | State::Ended(_)));
    match error {
        instances::Error::Runs { .. } if is_ending => Trouble::of(ended::ENDING)(error.into()),
        error => error.into(),
    }
}

fn end(typed: &Typed) -> Answer {
    refuse(typed, &END_REFUSED)?;
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
    let instance = instances::find(&data_directory()?, &name)?;
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
    let data = data_directory()?;
    instances::delete(&data, &name).map_err(|error| match instances::find(&data, &name) {
        Ok(instance) => while_running(&instance, error),
        Err(_) => error.into(),
    })?;
    output::print_line(format!("Queue manager '{name}' deleted."))?;
    Ok(ended::OK)
}

/// The widest a name is shown, so that what follows stands in one column: 48 characters and what is around
/// them.
const NAME_WIDTH: usize = "QMNAME()".len() + 48;

fn display(typed: &Typed) -> Answer {
    if let Some(word) = typed.rest.first() {
        return Err(Trouble::new(DISPLAY.misuse, format!("what is {word}? A queue manager is named by -m")));
    }
    let shown = shown(typed)?;
    let data = data_directory()?;
    let mut instances = match typed.value("m") {
        Some(name) => vec![instances::find(&data, &name_typed(name)?).map_err(|error| match error {
            // As the commands about rights, it tells of an absent queue manager by the code for a name.
            instances::Error::Absent { .. } => Trouble::of(ended::NAME)(error.into()),
            error => error.into(),
        })?],
        None => {
            for (name, error) in instances::closed(&data)? {
                note(&format!("cannot look into {}: {error}", data.folder(&name).path().display()));
            }
            instances::list(&data)?
        }
    };
    if typed.has("a") {
        instances.retain(|instance| instance.running.is_some());
    }
    for instance in &instances {
        let name = format!("QMNAME({})", instance.folder.name());
        let details: Vec<String> = shown.iter().map(|detail| detail.of(instance)).collect();
        output::print_line(format!("{name:NAME_WIDTH$}  {}", details.join(" ")))?;
        let Some(running) = &instance.running else { continue };
        if typed.has("x") {
            let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
            output::print_line(format!("    INSTANCE({}) MODE(Active)", machine.trim()))?;
        }
        if typed.has("c") {
            output::print_line(format!("    QMGR PID({})", running.process))?;
        }
    }
    // By its documentation -a tells so that something was found.
    Ok(if typed.has("a") && !instances.is_empty() { ended::RUNS } else { ended::OK })
}

/// A part of the line of a queue manager.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Status,
    Default,
    Standby,
    Installation,
    /// Place, process and addresses: details of ours.
    Place,
}

impl Detail {
    fn of(self, instance: &Instance) -> String {
        match self {
            Self::Status => format!("STATUS({})", status(instance)),
            Self::Default => "DEFAULT(no)".to_owned(),
            Self::Standby => "STANDBY(Not permitted)".to_owned(),
            Self::Installation => format!(
                "INSTNAME({INSTALLATION}) INSTPATH({}) INSTVER({VERSION})",
                versions::installation().display()
            ),
            Self::Place => {
                let place = format!("DATADIR({})", instance.folder.path().display());
                match &instance.running {
                    None => place,
                    Some(running) => {
                        format!("{place} PID({}) LISTENS({})", running.process, running.listens.join(","))
                    }
                }
            }
        }
    }
}

/// The details that -o and -s choose, each once; without a choice the status.
fn shown(typed: &Typed) -> Result<Vec<Detail>, Trouble> {
    let mut shown = Vec::new();
    for word in typed.values("o").chain(typed.has("s").then_some("status")) {
        let chosen: &[Detail] = match word {
            "status" => &[Detail::Status],
            "default" => &[Detail::Default],
            "standby" => &[Detail::Standby],
            "installation" => &[Detail::Installation],
            "all" => &[Detail::Status, Detail::Default, Detail::Standby, Detail::Installation, Detail::Place],
            other => {
                let words = "all, default, installation, standby and status are";
                return Err(Trouble::new(DISPLAY.misuse, format!("-o {other} is not shown; {words}")));
            }
        };
        let new: Vec<Detail> = chosen.iter().copied().filter(|detail| !shown.contains(detail)).collect();
        shown.extend(new);
    }
    Ok(if shown.is_empty() { vec![Detail::Status] } else { shown })
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

/// Shows where a queue manager is, as its entry in a file of such entries or as the command that would write
/// one.
fn information(typed: &Typed) -> Answer {
    if let Some(stanza) = typed.value("s").filter(|stanza| !stanza.eq_ignore_ascii_case("QueueManager")) {
        return Err(misused(format!("-s {stanza} is not there; QueueManager is")));
    }
    let as_command = match typed.value("o") {
        None | Some("stanza") => false,
        Some("command") => true,
        Some(other) => {
            return Err(misused(format!("-o {other} is not there; -o stanza and -o command are")));
        }
    };
    let name = named(typed)?;
    let data = data_directory()?;
    let instance = match instances::find(&data, &name) {
        Err(error @ instances::Error::Absent { .. }) => {
            return Err(Trouble::of(ended::NO_STANZA)(error.into()));
        }
        found => found?,
    };
    let folder = instance.folder.path();
    let entries = [
        ("Name", name.to_string()),
        ("Directory", folder.file_name().unwrap_or_default().to_string_lossy().into_owned()),
        ("Prefix", data.path().display().to_string()),
        ("DataPath", folder.display().to_string()),
    ];
    if as_command {
        let entries: Vec<String> = entries.iter().map(|(key, value)| format!("-v {key}={value}")).collect();
        output::print_line(format!("addmqinf -s QueueManager {}", entries.join(" ")))?;
    } else {
        output::print_line("QueueManager:")?;
        for (key, value) in entries {
            output::print_line(format!("   {key}={value}"))?;
        }
    }
    Ok(ended::OK)
}
