//! `ferry backup`, `restore` and `recover`, and the parts of `ferry log` about images: copies of a queue
//! manager's files.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use mqi::{ObjectName, QueueManagerName};
use serde_json::{Value, json};
use server::backups::{self, Error};
use server::configuration::ListenerTls;
use server::{Configuration, Folder, configuration, instances};
use storage::copy::{Copied, Proved};

use super::{openings, queue_manager, recoverable, settings};
use crate::bounded_input;
use crate::ports::is_taken;
use crate::progress::Progress;
use terminal::common::Common;
use terminal::connect;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::next_step::NextStep;
use terminal::output::{self, Format, Paint, harmless};
use terminal::units;

/// Where to.
#[derive(Debug, Args)]
pub(crate) struct BackupArguments {
    /// A directory that is absent or empty; the queue manager is chosen by -m
    directory: PathBuf,
}

/// Where from.
#[derive(Debug, Args)]
pub(crate) struct RestoreArguments {
    /// The directory of a backup
    directory: PathBuf,
    /// Listen on this port of this machine instead of the address in the backup's settings
    #[arg(short, long, value_name = "PORT")]
    port: Option<u16>,
    /// Restore a backup that opens the queue manager further: rules that are off, administrators, paths
    #[arg(long)]
    accept: bool,
}

/// The queue manager.
#[derive(Debug, Args)]
pub(crate) struct Whose {
    /// Queue manager; not needed when there is only one, or only one runs
    #[arg(value_name = "QM")]
    name: Option<String>,
}

/// Of what.
#[derive(Debug, Args)]
pub(crate) struct ImageArguments {
    #[command(flatten)]
    whose: Whose,
    /// Take it only if this queue has IMGRCOVQ(YES); an image has the whole queue manager
    #[arg(long, value_name = "QUEUE")]
    queue: Option<String>,
}

/// Number of images to keep.
#[derive(Debug, Args)]
pub(crate) struct PruneArguments {
    #[command(flatten)]
    whose: Whose,
    /// Images to keep; the log since the oldest of them stays
    #[arg(long, value_name = "IMAGES", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    keep: u16,
}

/// From which image.
#[derive(Debug, Args)]
pub(crate) struct RecoverArguments {
    #[command(flatten)]
    whose: Whose,
    /// Start from this image (a directory of QM/images) instead of the newest usable one
    #[arg(long, value_name = "IMAGE", value_parser = |text: &str| u64::from_str_radix(text, 16))]
    image: Option<u64>,
    /// Restore the damaged messages of one queue while the queue manager runs
    #[arg(long, value_name = "QUEUE", conflicts_with = "image")]
    queue: Option<String>,
}

/// Takes a backup.
pub(crate) fn backup(common: &Common, arguments: &BackupArguments) -> Result<()> {
    let folder = folder(common, None)?;
    let target = &arguments.directory;
    let made = with_progress(|progress| backups::backup(&folder, target, progress));
    let (copied, proved) = made.map_err(|error| match &error {
        Error::Instance(instances::Error::Io { path, .. }) if path.starts_with(target) => failure(error)
            .next(NextStep::of("name a directory that this user can make: ferry backup DIRECTORY")),
        _ => failure(error),
    })?;
    let place = arguments.directory.display().to_string();
    let counted = backups::contents(&arguments.directory, folder.name()).map_err(failure)?;
    said_of_copy(common, &folder, "backup", &place, (&copied, &proved), Some(&counted))
}

/// Makes the queue manager of a backup again.
pub(crate) fn restore(common: &Common, arguments: &RestoreArguments) -> Result<()> {
    let data = connect::data_directory(common)?;
    let label = backups::label(&arguments.directory).map_err(failure)?;
    if let Some(name) =
        common.qmgr.as_deref().filter(|name| !common.is_of_environment && *name != label.queue_manager)
    {
        let (directory, found) = (arguments.directory.display(), &label.queue_manager);
        let what = format!("the backup {directory} is of queue manager {found}, and -m names {name}");
        return Err(Failure::usage(what).next("a queue manager is restored under its own name: leave out -m"));
    }
    let openings = backups::openings(&arguments.directory, &openings::is_administrator).map_err(failure)?;
    openings::say(&mut output::standard(), common.output, &openings)?;
    openings::accepted(&openings, arguments.accept, &arguments.directory)?;
    let (folder, copied) =
        with_progress(|progress| backups::restore(&data, &arguments.directory, progress)).map_err(failure)?;
    if let Some(port) = arguments.port {
        let text =
            bounded_input::read_text(&folder.settings(), "file of settings", configuration::FILE_BYTES_MAX)?;
        std::fs::write(folder.settings(), settings::with_port(&text, port))?;
    }
    let listener = Configuration::read(&folder.settings())
        .map_err(|error| Failure::new(Exit::Failed, error.to_string()))?
        .listener;
    let lacks_keys = listener.tls != ListenerTls::No && !folder.security().exists();
    let listens = listener.addresses.0;
    let taken: Vec<String> =
        listens.iter().filter(|address| is_taken(address)).map(ToString::to_string).collect();
    if common.output == Format::Json {
        let listens: Vec<String> = listens.iter().map(ToString::to_string).collect();
        return Ok(output::print_json(&json!({
            "queue_manager": folder.name().as_str(), "directory": folder.path(), "taken_at": label.taken_at,
            "bytes": copied.bytes, "end": copied.end.to_string(), "passed_over": passed_over(&copied),
            "will_listen": listens, "ports_in_use": taken,
        }))?);
    }
    let paint = Paint::for_stream(io::stdout().is_terminal());
    output::print_painted(format!(
        "restored {} as of {}, in {} ({})\nnext: {}",
        paint.strong(folder.name()),
        label.taken_at,
        folder.path().display(),
        units::bytes(copied.bytes),
        next_step!("ferry qmgr start {}", folder.name()).at(&common.typed),
    ))?;
    let listens: Vec<String> = listens.iter().map(|address| will_listen(*address)).collect();
    if !listens.is_empty() {
        output::print_line(format!("  will listen on {}, as its ferry.toml says", listens.join(" and ")))?;
    }
    if lacks_keys {
        output::say(format!(
            "its listener is to have TLS, and a backup has no keys: before it starts, copy the folder security of the \
             old queue manager's folder to {}, or make new keys by {}",
            folder.security().display(),
            next_step!("ferry tls init {}", folder.name()).at(&common.typed)
        ));
    }
    for address in taken {
        output::say(format!(
            "{address} is in use by another process now; give the copy a port of its own before it starts: \
             listener.addresses in {}",
            folder.settings().display()
        ));
    }
    say_passed_over(&copied)
}

/// The address in a line for people: port 0 is a free one.
fn will_listen(address: SocketAddr) -> String {
    match address.port() {
        0 => format!("a free port of {}", address.ip()),
        _ => address.to_string(),
    }
}

/// Takes an image.
pub(crate) fn image(common: &Common, arguments: &ImageArguments) -> Result<()> {
    let folder = folder(common, arguments.whose.name.as_deref())?;
    if let Some(queue) = &arguments.queue {
        backups::linear(&folder).map_err(failure)?;
        may_be_recovered(common, folder.name(), queue)?;
    }
    let (copied, proved) = with_progress(|progress| backups::image(&folder, progress)).map_err(failure)?;
    let name = format!("images/{:08x}", copied.generation);
    said_of_copy(common, &folder, "image", &name, (&copied, &proved), None)
}

/// Removes what newer images make unnecessary.
pub(crate) fn prune(common: &Common, arguments: &PruneArguments) -> Result<()> {
    let folder = folder(common, arguments.whose.name.as_deref())?;
    let pruned = backups::prune(&folder, arguments.keep.into()).map_err(failure)?;
    let foreign = backups::foreign_images(&folder).map_err(failure)?;
    let foreign: Vec<String> = foreign.iter().map(|(_, error)| error.to_string()).collect();
    if common.output == Format::Json {
        return Ok(output::print_json(&json!({
            "queue_manager": folder.name().as_str(), "images_kept": pruned.kept,
            "images_removed": pruned.images, "log_files_removed": pruned.extents, "bytes": pruned.bytes,
            "passed_over": foreign,
        }))?);
    }
    output::print_line(format!(
        "{}: {} kept, {} removed; {} of the log removed ({})",
        folder.name(),
        units::counted(pruned.kept as u64, "image"),
        pruned.images,
        units::counted(pruned.extents, "file"),
        units::bytes(pruned.bytes),
    ))?;
    for error in foreign {
        output::print_line(format!("passed over: {error}"))?;
    }
    Ok(())
}

/// Reads everything a start would need.
pub(crate) fn verify(common: &Common, arguments: &Whose) -> Result<()> {
    let folder = folder(common, arguments.name.as_deref())?;
    let proved = backups::verify(folder.path()).map_err(failure)?;
    let counted = backups::contents(folder.path(), folder.name()).map_err(failure)?;
    if common.output == Format::Json {
        let more = json!({ "messages": proved.messages, "queues": by_queue(&counted) });
        return Ok(output::print_json(&proved_as_json(&folder, &proved, more))?);
    }
    output::print_line(format!(
        "{} is whole: {}, {} of the last checkpoint",
        folder.name(),
        proved_log(&proved),
        units::counted(proved.messages, "message"),
    ))?;
    say_contents(&counted)
}

/// Gives messages of one queue back; or leads the next start back to an image.
pub(crate) fn recover(common: &Common, arguments: &RecoverArguments) -> Result<()> {
    if let Some(queue) = &arguments.queue {
        return recover_queue(common, arguments.whose.name.as_deref(), queue);
    }
    let data = connect::data_directory(common)?;
    // One that runs starts from no image.
    let name = queue_manager::name_or_only(common, arguments.whose.name.as_deref(), &data)?;
    let folder = instances::find(&data, &name)?.folder;
    if let Some(running) = instances::running(&folder) {
        let name = *folder.name();
        return Err(instances::Error::Runs { name, process: running.process }.into());
    }
    let (image, proved) =
        with_progress(|progress| backups::recover(&folder, arguments.image, progress)).map_err(failure)?;
    if common.output == Format::Json {
        let more = json!({ "image": format!("{image:08x}") });
        return Ok(output::print_json(&proved_as_json(&folder, &proved, more))?);
    }
    output::print_line(format!(
        "{} starts from image {image:08x} and replays {}\nnext: {}",
        folder.name(),
        proved_log(&proved),
        next_step!("ferry qmgr start {}", folder.name()).at(&common.typed),
    ))?;
    Ok(())
}

/// The log that was proved, in JSON, and more about it.
fn proved_as_json(folder: &Folder, proved: &Proved, more: Value) -> Value {
    let mut told = json!({
        "queue_manager": folder.name().as_str(), "records": proved.records,
        "replay_from": proved.log.0.to_string(), "end": proved.log.1.to_string(),
    });
    if let (Value::Object(told), Value::Object(more)) = (&mut told, more) {
        told.extend(more);
    }
    told
}

/// The log that was proved, in words.
fn proved_log(proved: &Proved) -> String {
    let records = units::counted(proved.records, "record");
    format!("{records} of the log from {} to {}", proved.log.0, proved.log.1)
}

/// Refuses the name of a queue that is not there or may not be recovered.
fn may_be_recovered(common: &Common, name: &QueueManagerName, queue: &str) -> Result<()> {
    let queue = connect::queue_name(queue)?;
    let mut session = connect::session(&common.named(Some(name.as_str()))?)?;
    let found = recoverable::queues(&mut session, queue.as_str())?;
    session.disconnect()?;
    match found.first() {
        Some(found) if found.is_recoverable => Ok(()),
        Some(_) => Err(Failure::new(Exit::Refused, format!("queue {queue} is not recovered from images"))
            .next(next_step!(
                "ferry mqsc -e \"ALTER QLOCAL({}) IMGRCOVQ(YES)\" changes that",
                connect::in_mqsc(queue.as_str())
            ))),
        None => Err(Failure::new(Exit::NotFound, format!("there is no local queue {queue}"))),
    }
}

fn recover_queue(common: &Common, name: Option<&str>, queue: &str) -> Result<()> {
    let queue = connect::queue_name(queue)?;
    let mut session = connect::session(&common.named(name)?)?;
    let response = session.command(&format!("RECOVER QLOCAL('{queue}')"))?;
    session.disconnect()?;
    let answer: Value = serde_json::from_str(&response.json).unwrap_or_default();
    let said = answer["messages"][0]["text"].as_str().unwrap_or_else(|| response.text.trim());
    if response.failed {
        return Err(Failure::new(Exit::Refused, said.trim_end_matches('.')).in_lines());
    }
    match common.output {
        Format::Json => Ok(output::print_json(&answer)?),
        Format::Table => Ok(output::print_line(said)?),
    }
}

fn folder(common: &Common, name: Option<&str>) -> Result<Folder> {
    let data = connect::data_directory(common)?;
    let name = queue_manager::name_or_running(common, name, &data)?;
    Ok(instances::find(&data, &name)?.folder)
}

fn said_of_copy(
    common: &Common,
    folder: &Folder,
    kind: &str,
    place: &str,
    (copied, proved): (&Copied, &Proved),
    counted: Option<&BTreeMap<ObjectName, u64>>,
) -> Result<()> {
    if common.output == Format::Json {
        return Ok(output::print_json(&json!({
            "queue_manager": folder.name().as_str(), "kind": kind, "place": place, "bytes": copied.bytes,
            "replay_from": copied.replay_from.to_string(), "end": copied.end.to_string(),
            "records": proved.records, "messages": proved.messages, "passed_over": passed_over(copied),
            "queues": counted.map(by_queue),
        }))?);
    }
    let paint = Paint::for_stream(io::stdout().is_terminal());
    let log = match kind {
        "image" => format!("the log from {} on goes with it", copied.replay_from),
        _ => format!("{} of the log to {}", units::counted(proved.records, "record"), copied.end),
    };
    output::print_painted(format!(
        "{kind} of {} in {place}: {}, {} of the last checkpoint, {log}; proved",
        paint.strong(folder.name()),
        units::bytes(copied.bytes),
        units::counted(proved.messages, "message"),
    ))?;
    if let Some(counted) = counted {
        say_contents(counted)?;
    }
    say_passed_over(copied)
}

/// Queues that are listed; the others are counted together.
const QUEUES_LISTED: usize = 40;

/// Prints the messages of each queue, the deepest first.
fn say_contents(counted: &BTreeMap<ObjectName, u64>) -> Result<()> {
    let messages = counted.values().sum();
    if counted.is_empty() {
        return Ok(output::print_line("  a start finds no messages")?);
    }
    let queues = units::counted(counted.len() as u64, "queue");
    output::print_line(format!("  a start finds {} on {queues}", units::counted(messages, "message")))?;
    let mut deepest: Vec<_> = counted.iter().collect();
    deepest.sort_by_key(|(name, messages)| (Reverse(**messages), **name));
    for (name, messages) in deepest.iter().take(QUEUES_LISTED) {
        output::print_line(format!("  {:>12}  {}", units::count(**messages), harmless(name.as_str())))?;
    }
    let rest = &deepest[deepest.len().min(QUEUES_LISTED)..];
    if !rest.is_empty() {
        let messages = units::count(rest.iter().map(|(_, messages)| **messages).sum());
        let queues = units::counted(rest.len() as u64, "queue");
        output::print_line(format!("  {messages:>12}  on {queues} more; -o json lists all"))?;
    }
    Ok(())
}

/// The messages of each queue, for programs.
fn by_queue(counted: &BTreeMap<ObjectName, u64>) -> Value {
    Value::Object(counted.iter().map(|(name, messages)| (name.to_string(), (*messages).into())).collect())
}

fn passed_over(copied: &Copied) -> Vec<String> {
    copied.passed_over.iter().map(ToString::to_string).collect()
}

/// Names what could not be read and is not in the copy.
fn say_passed_over(copied: &Copied) -> Result<()> {
    for passed_over in passed_over(copied) {
        output::print_line(format!("passed over: {passed_over}; look at the device"))?;
    }
    Ok(())
}

/// Runs long work under a progress line that counts kibibytes.
fn with_progress<T>(
    work: impl FnOnce(&mut dyn FnMut(storage::copy::Progress)) -> std::result::Result<T, Error>,
) -> std::result::Result<T, Error> {
    let mut line: Option<Progress> = None;
    let mut shown = 0;
    work(&mut |progress| {
        let line = line.get_or_insert_with(|| Progress::new(Some(progress.total >> 10), "KiB"));
        line.add((progress.bytes >> 10) - shown);
        shown = progress.bytes >> 10;
    })
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Instance(error) => error.into(),
        Error::NotEmpty(_) | Error::Circular(_) => Failure::new(Exit::Refused, error.to_string()),
        Error::Foreign { .. } => Failure::new(Exit::Refused, error.to_string()).next(NextStep::of(
            "name a directory in a folder that only this user may change, and copy it from there",
        )),
        Error::NoBackup { .. } => Failure::new(Exit::NotFound, error.to_string())
            .next(NextStep::of("name the directory that ferry backup filled, or take another backup")),
        Error::NoImage(..) => Failure::new(Exit::NotFound, error.to_string()),
        Error::Storage { .. } => Failure::new(Exit::Failed, error.to_string()).next(NextStep::of(
            "see that there is room and that the files are whole (ferry log verify), and try again",
        )),
        other => Failure::new(Exit::Failed, other.to_string()),
    }
}
