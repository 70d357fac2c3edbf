//! `ferry container`: a queue manager as the one program of a container.
//!
//! Lives here: what a container has instead of an administrator: settings and definitions as files, a log on
//! standard output, health for probes from outside. Lives elsewhere: the server.
//!
//! Always: each start does the same with what is there: it makes the queue manager where it is absent, takes
//! the settings anew and runs the definitions, which are to be such that a second time does no harm. Where
//! the group of the process is 0, any other user of this group can start it again.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use mqi::QueueManagerName;
use objects::messages::DEFINITION_REFUSED;
use platform::os::{private, users};
use server::{Audience, Configuration, DataDirectory, Folder, Server, configuration};
use server::{errors, instances};

use super::queue_manager::{self, Listening};
use super::settings;
use crate::bounded_input;
use terminal::common::Common;
use terminal::connect::{self, Place, Session};
use terminal::failure::{Exit, Failure, Result};

/// Where the files of a container are.
#[derive(Debug, Args)]
pub(crate) struct ContainerArguments {
    /// Settings, read at each start; without the file the settings of a container: health on all addresses,
    /// the log as JSON on standard output
    #[arg(long, value_name = "FILE", default_value = "/etc/ferrymq/ferry.toml")]
    settings: PathBuf,
    /// Folder of MQSC files, run by name at each start
    #[arg(long, value_name = "DIRECTORY", default_value = "/etc/ferrymq/mqsc")]
    mqsc: PathBuf,
}

/// The queue manager that runs where none is named.
const NAME: &str = "QM1";

/// Most bytes of a file of MQSC.
const MQSC_BYTES_MAX: usize = 4 << 20;

/// Most files of MQSC.
const MQSC_FILES_MAX: usize = 1_000;

/// Most faults of a file of MQSC that are told: the first ones say what is wrong with it.
const FAULTS_MAX: usize = 20;

/// Makes the queue manager where it is absent, and serves.
pub(crate) fn run(common: &Common, arguments: &ContainerArguments) -> Result<()> {
    let data = connect::data_directory(common)?;
    let name =
        connect::queue_manager_name(common)?.map_or_else(|| connect::parse_queue_manager_name(NAME), Ok)?;
    let text = settings_text(&name, &arguments.settings)?;
    // Read before anything is made, so that a file that is missing a letter makes nothing.
    let scripts = scripts(&arguments.mqsc)?;
    let audience = audience();
    match instances::find(&data, &name) {
        Ok(instance) => {
            if audience == Audience::GroupZero {
                share(instance.folder.path())?;
            }
            take_settings(&instance.folder, &text)?;
        }
        Err(instances::Error::Absent { .. }) => {
            if audience == Audience::GroupZero && !data.path().exists() {
                private::make_directories(data.path()).and_then(|()| private::share(data.path()))?;
            }
            instances::create_for(&data, &name, Some(&text), audience)?;
        }
        Err(error) => return Err(error.into()),
    }
    let owner = queue_manager::serve(&data, &name, Listening::AsConfigured, None)
        .map_err(|error| queue_manager::start_failure(&data, &name, None, error))?;
    let defined = define(&data, &name, owner.server(), &scripts);
    if let Err(failure) = defined
        && !owner.server().ending().is_asked()
    {
        return Err(failure);
    }
    owner.run(|_| Ok(()))?;
    Ok(())
}

/// The users that the queue manager is for. A platform that gives a container another user at each start
/// gives it group 0 each time.
fn audience() -> Audience {
    if users::current_group() == 0 { Audience::GroupZero } else { Audience::Owner }
}

/// Shares a folder that an earlier start, of an earlier release, made for its user alone.
fn share(folder: &Path) -> Result<()> {
    private::share(folder).map_err(|error| {
        Failure::new(Exit::Failed, format!("cannot share {} with group 0: {error}", folder.display()))
            .next(connect::next_of_system(&error))
    })
}

/// The settings of the file, or those of a container.
fn settings_text(name: &QueueManagerName, path: &Path) -> Result<String> {
    let text = if path.try_exists().is_ok_and(|is_there| !is_there) {
        let text = configuration::default_file(name.as_str());
        let text = settings::with(&text, "health", "address", "\"0.0.0.0:9414\"");
        let text = settings::with(&text, "errors", "also", "\"stdout\"");
        settings::with(&text, "errors", "format", "\"json\"")
    } else {
        bounded_input::read_text(path, "file of settings", configuration::FILE_BYTES_MAX)?
    };
    match Configuration::parse(&text, path) {
        Ok(configuration) => {
            errors::say_as_events(&configuration.errors);
            Ok(text)
        }
        Err(error) => Err(Failure::usage(error.to_string()).in_lines().next(connect::CORRECT_SETTINGS)),
    }
}

/// Puts settings in the place of those that are there, all or nothing.
fn take_settings(folder: &Folder, text: &str) -> Result<()> {
    let path = folder.settings();
    if fs::read_to_string(&path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    private::replace(&path, text.as_bytes()).map_err(|error| {
        Failure::new(Exit::Failed, format!("cannot write {}: {error}", path.display()))
            .next(connect::next_of_system(&error))
    })
}

/// The files of MQSC by name, each with its text.
fn scripts(folder: &Path) -> Result<Vec<(PathBuf, String)>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            return Err(Failure::new(Exit::Failed, format!("cannot read {}: {error}", folder.display()))
                .next("name a folder of MQSC files that this user may read: --mqsc DIRECTORY"));
        }
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "mqsc") {
            paths.push(path);
        }
    }
    paths.sort();
    if paths.len() > MQSC_FILES_MAX {
        let what = format!("{} has {} files of MQSC", folder.display(), paths.len());
        return Err(Failure::usage(what).next(format!("join them: {MQSC_FILES_MAX} are read at most")));
    }
    let read = |path: PathBuf| {
        let text = bounded_input::read_text(&path, "file of MQSC", MQSC_BYTES_MAX)?;
        Ok((path, text))
    };
    paths.into_iter().map(read).collect()
}

/// Runs the scripts. A statement that fails is told and does not keep the queue manager from serving:
/// everything that was there before is there.
fn define(
    data: &DataDirectory,
    name: &QueueManagerName,
    server: &Server,
    scripts: &[(PathBuf, String)],
) -> Result<()> {
    if scripts.is_empty() {
        return Ok(());
    }
    let listens: Vec<String> = server.listens().iter().map(ToString::to_string).collect();
    let addresses = connect::addresses(&data.folder(name), &listens);
    let address = addresses.into_iter().next().ok_or_else(|| {
        Failure::new(Exit::Failed, format!("queue manager {name} listens nowhere, so no MQSC can be run"))
            .next("set listener.local_socket to true")
    })?;
    let mut session = Session::connect(&Place::named(address, *name))?;
    for (path, text) in scripts {
        let response = session.command(text)?;
        let faults = response.messages.iter().filter(|message| message.id.ends_with('E'));
        for fault in faults.take(FAULTS_MAX) {
            let inserts = [path.display().to_string(), format!("{} {}", fault.id, fault.text)];
            server.errors().write_and_say(&DEFINITION_REFUSED, inserts);
        }
    }
    session.disconnect()
}
