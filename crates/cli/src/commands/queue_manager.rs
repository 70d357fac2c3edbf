//! `ferry qmgr`: create, start, stop, delete and list the queue managers of the data directory.

use std::error::Error;
use std::io::{self, IsTerminal as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use client::StopMode;
use mqi::QueueManagerName;
use serde_json::json;
use server::configuration::ServiceAddress;
use server::instances::{self, Instance};
use server::process::Owner;
use server::{Configuration, DataDirectory, Folder, Mode, Running, Server, State, configuration};

use super::{control, instance_list, open_rules, settings};
use crate::bounded_input;
use crate::ports::is_taken;
use terminal::common::Common;
use terminal::connect::{self, Place};
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::next_step::NextStep;
use terminal::output::{self, Format, Paint};
use terminal::units;

/// Manages queue managers.
#[derive(Debug, Subcommand)]
pub(crate) enum QueueManagerCommand {
    /// Create a queue manager: its folder, settings, log and system objects
    Create(CreateArguments),
    /// Run a queue manager, in the foreground without --detach
    Start(StartArguments),
    /// Stop a queue manager
    Stop(StopArguments),
    /// Delete a queue manager with all its messages
    Delete(DeleteArguments),
    /// List the queue managers of the data directory
    List,
}

/// Creates a queue manager.
#[derive(Debug, Args)]
pub(crate) struct CreateArguments {
    /// Its name: at most 48 of A-Z a-z 0-9 . _ / %; -m NAME means the same
    name: Option<String>,
    /// Settings to begin with: a ferry.toml of at most 1 MiB; - is standard input
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Settings of the qm.ini of another queue manager; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "settings")]
    ini: Option<PathBuf>,
    /// Listen on this port of this machine (0 lets the system choose); 1414 unless set
    #[arg(short, long, value_name = "PORT")]
    port: Option<u16>,
    /// Change one setting, such as log.extent_size="16 MiB" (may be repeated)
    #[arg(long = "set", value_name = "SECTION.KEY=VALUE")]
    set: Vec<String>,
}

/// Starts a queue manager.
#[derive(Debug, Args)]
pub(crate) struct StartArguments {
    /// Its name; not needed when there is only one
    name: Option<String>,
    /// Start it in the background, and end when it is ready
    #[arg(short, long)]
    detach: bool,
    /// Listen on this port of this machine instead of what its settings say (0 lets the system choose)
    #[arg(short, long, value_name = "PORT")]
    port: Option<u16>,
    /// Listen beyond loopback even without TLS, users or certificates; every DISPLAY warns
    #[arg(long)]
    insecure: bool,
    /// Listen on no address and start neither listeners nor channels: only programs of this machine connect,
    /// until START LISTENER and START CHINIT
    #[arg(long, conflicts_with_all = ["port", "insecure"])]
    local_only: bool,
    /// Internal: end at once when standard input ends, as it does when the process that started this one is
    /// gone
    #[arg(long, hide = true, conflicts_with = "detach")]
    ends_with_input: bool,
}

/// Stops a queue manager.
#[derive(Debug, Args)]
pub(crate) struct StopArguments {
    /// Its name; not needed when only one runs
    name: Option<String>,
    /// Wait until its programs have disconnected (this is the default)
    #[arg(short, long, group = "mode")]
    quiesce: bool,
    /// End when the calls in progress have ended
    #[arg(short, long, group = "mode")]
    immediate: bool,
    /// End at once; what was acknowledged is safe
    #[arg(long, group = "mode")]
    preemptive: bool,
    /// Do not wait for the end
    #[arg(long)]
    no_wait: bool,
}

/// Deletes a queue manager.
#[derive(Debug, Args)]
pub(crate) struct DeleteArguments {
    /// Its name; -m NAME means the same
    name: Option<String>,
    /// Do not ask for confirmation
    #[arg(short, long)]
    yes: bool,
}

/// Runs the command.
pub(crate) fn run(common: &Common, command: &QueueManagerCommand) -> Result<()> {
    match command {
        QueueManagerCommand::Create(arguments) => create(common, arguments),
        QueueManagerCommand::Start(arguments) => start(common, arguments),
        QueueManagerCommand::Stop(arguments) => stop(common, arguments),
        QueueManagerCommand::Delete(arguments) => delete(common, arguments),
        QueueManagerCommand::List => instance_list::list(common),
    }
}

/// Tells of addresses that another program has now, so that a start does not come as a surprise.
fn say_taken(common: &Common, folder: &Folder) {
    let Ok(settings) = Configuration::read(&folder.settings()) else { return };
    for address in settings.listener.addresses.0.iter().filter(|address| is_taken(address)) {
        let start = next_step!("ferry qmgr start {} --port 0", folder.name()).at(&common.typed);
        let settings = folder.settings();
        output::say(format!(
            "{address} is in use by another program now: change listener.addresses in {}, or take a free port by {start}",
            settings.display()
        ));
    }
}

fn create(common: &Common, arguments: &CreateArguments) -> Result<()> {
    let data = connect::data_directory(common)?;
    let name = name_of(common, arguments.name.as_deref(), NextStep::of("ferry qmgr create QM1"))?;
    let mut without_effect = Vec::new();
    let mut text = match (&arguments.settings, &arguments.ini) {
        (_, Some(path)) => {
            let from_ini = settings::from_ini(std::slice::from_ref(path), name.as_str())?;
            without_effect = from_ini.without_effect;
            from_ini.text
        }
        (Some(path), None) => {
            let text = bounded_input::read_text(path, "file of settings", configuration::FILE_BYTES_MAX)?;
            Configuration::parse(&text, path)
                .map_err(|error| Failure::usage(error.to_string()).next(connect::CORRECT_SETTINGS))?;
            text
        }
        (None, None) => configuration::default_file(name.as_str()),
    };
    // The file of a new queue manager names its port, so that a copy of it says what it is about to take.
    let is_ours = arguments.settings.is_none() && arguments.ini.is_none();
    if let Some(port) = arguments.port.or_else(|| is_ours.then_some(client::PORT)) {
        text = settings::with_port(&text, port);
    }
    for change in &arguments.set {
        text = settings::apply(&text, change)?;
        if let Err(error) = Configuration::parse(&text, Path::new("")) {
            return Err(
                Failure::usage(format!("--set {change}: {}", faults(&error))).next(connect::CORRECT_SETTINGS)
            );
        }
    }
    let folder = instances::create(&data, &name, Some(&text))?;
    say_taken(common, &folder);
    match common.output {
        Format::Json => {
            let without_effect: Vec<String> = without_effect.iter().map(settings::shown).collect();
            output::print_json(&json!({
                "created": name.as_str(), "folder": folder.path(), "settings": folder.settings(),
                "without_effect": without_effect,
            }))?;
        }
        Format::Table => {
            output::print_line(format!("created queue manager {name} in {}", folder.path().display()))?;
            for key in &without_effect {
                output::print_line(format!("  {}", settings::shown(key)))?;
            }
            output::print_line(format!("  settings  {}", folder.settings().display()))?;
            output::print_line(format!(
                "  start it  {}",
                next_step!("ferry qmgr start {name}").at(&common.typed)
            ))?;
        }
    }
    Ok(())
}

/// Describes faults of settings that have no visible lines.
pub(crate) fn faults(error: &configuration::Error) -> String {
    match error {
        configuration::Error::Faults { faults, .. } => {
            faults.iter().map(|fault| fault.what.as_str()).collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}

fn start(common: &Common, arguments: &StartArguments) -> Result<()> {
    let data = connect::data_directory(common)?;
    let name = name_or_only(common, arguments.name.as_deref(), &data)?;
    let known = instances::find(&data, &name).ok();
    if arguments.detach {
        if let Some(instance) = &known {
            instance_list::say_unexpected_end(instance);
            say_foreign(&instance.folder);
        }
        return start_detached(common, &data, &name, arguments);
    }
    // Looked at before the start notes that it runs, and said after it has read the settings, which have the
    // form of words.
    let end = known.as_ref().and_then(instance_list::unexpected_end);
    let owner = serve(&data, &name, arguments.listening(), None);
    if let Some(instance) = &known {
        end.iter().for_each(|end| instance_list::say_end(instance, end));
        say_foreign(&instance.folder);
    }
    let owner = owner
        .map_err(|error| start_failure(&data, &name, Some(next_step!("ferry qmgr start {name}")), error))?;
    if arguments.ends_with_input {
        end_with_input(owner.server());
    }
    owner.run(|server| announce(common, &name, &data, server))?;
    say_ended(common.output.beside_events(), &name);
    Ok(())
}

/// Says that a queue manager of this process has ended. By then the reader may be gone, which is no fault.
pub(crate) fn say_ended(format: Format, name: &QueueManagerName) {
    if format == Format::Table {
        let _ = output::print_line(format!("{name} has ended"));
    }
}

/// Says that other users may change the files of a queue manager that is there.
pub(crate) fn say_foreign(folder: &Folder) {
    if let Some(foreign) = server::foreign_folder(folder.path()) {
        output::say(foreign.to_string());
    }
}

/// Where a queue manager listens in this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listening {
    /// As its settings and definitions say.
    AsConfigured,
    /// On this port of this machine in place of the addresses of its settings.
    At(u16),
    /// Beyond loopback even without the protection that requires; on this port of this machine, if there is
    /// one.
    Insecure(Option<u16>),
    /// For programs of this machine alone.
    LocalOnly,
}

impl Listening {
    /// On this port of this machine, if there is one.
    pub(crate) fn at(port: Option<u16>) -> Self {
        port.map_or(Self::AsConfigured, Self::At)
    }

    fn port(self) -> Option<u16> {
        match self {
            Self::At(port) => Some(port),
            Self::Insecure(port) => port,
            Self::AsConfigured | Self::LocalOnly => None,
        }
    }
}

impl StartArguments {
    fn listening(&self) -> Listening {
        match (self.local_only, self.insecure) {
            (true, _) => Listening::LocalOnly,
            (false, true) => Listening::Insecure(self.port),
            (false, false) => Listening::at(self.port),
        }
    }
}

/// Starts the server in this process, which is its own.
pub(crate) fn serve(
    data: &DataDirectory,
    name: &QueueManagerName,
    listening: Listening,
    http: Option<ServiceAddress>,
) -> std::result::Result<Owner, server::StartError> {
    let mut options = server::Options::new(data.clone(), *name);
    options.http = http;
    options.insecure = matches!(listening, Listening::Insecure(_));
    options.local_only = listening == Listening::LocalOnly;
    let control = control::command(data, name);
    options.control = Some(control.map_err(|source| server::StartError::Io {
        what: "find the program that runs".to_owned(),
        source,
    })?);
    options.ends_process = true;
    options.addresses = listening.port().map(|port| vec![SocketAddr::from((Ipv4Addr::LOCALHOST, port))]);
    Owner::start(&options)
}

/// Ends the server when standard input does.
fn end_with_input(server: &Server) {
    let ending = server.ending();
    std::thread::spawn(move || {
        // An input that cannot be read is over too.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        ending.ask(Mode::Preemptive, "the end of its input");
    });
}

/// The failure of a start; `command` is the one to give again, where it takes a port.
pub(crate) fn start_failure(
    data: &DataDirectory,
    name: &QueueManagerName,
    command: Option<NextStep>,
    error: server::StartError,
) -> Failure {
    if let Some(taken) = error.taken() {
        let what = format!(
            "queue manager {name} cannot start: port {} of {} is in use by another program",
            taken.port(),
            taken.ip()
        );
        return Failure::new(Exit::Failed, what).next(next_of_port(&data.folder(name), command, taken));
    }
    match error {
        server::StartError::Instance(error) => error.into(),
        server::StartError::Configuration(error @ configuration::Error::Faults { .. }) => {
            Failure::new(Exit::Failed, format!("queue manager {name} cannot start: {error}"))
                .in_lines()
                .next(connect::CORRECT_SETTINGS)
        }
        // Why nobody can connect says itself what can be done.
        other => {
            let failure = Failure::new(Exit::Failed, format!("queue manager {name} cannot start: {other}"));
            match of_system(&other).filter(|_| !matches!(other, server::StartError::Bind(_))) {
                Some(refused) => failure.next(connect::next_of_system(refused)),
                None => failure,
            }
        }
    }
}

/// The next step where another program has a port: one for this time, and one for all.
fn next_of_port(folder: &Folder, command: Option<NextStep>, taken: SocketAddr) -> NextStep {
    let settings = folder.settings();
    let is_of_health = Configuration::read(&settings)
        .is_ok_and(|configuration| configuration.health.address == ServiceAddress::At(taken));
    let file = settings.display();
    match command {
        _ if is_of_health => next_step!("change health.address in {file}, or end that program"),
        None => next_step!("change listener.addresses in {file}, or end that program"),
        Some(command) => command.and(
            " ",
            &next_step!(
                "--port 0 takes a free port this time; to keep another port, change listener.addresses in {file}"
            ),
        ),
    }
}

/// Returns the system's refusal, where that is the cause.
fn of_system<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e io::Error> {
    let mut reasons = std::iter::successors(Some(error), |&error| error.source());
    reasons.find_map(|reason| reason.downcast_ref::<io::Error>())
}

fn announce(
    common: &Common,
    name: &QueueManagerName,
    data: &DataDirectory,
    server: &Server,
) -> io::Result<()> {
    let listens: Vec<String> = server.listens().iter().map(ToString::to_string).collect();
    let ready_after = server.ready_after();
    match common.output.beside_events() {
        Format::Json => output::print_json(&json!({
            "queue_manager": name.as_str(),
            "process": std::process::id(),
            "listens": listens,
            "listeners": server.listeners(),
            "failed_listeners": server.failed_listeners(),
            "health": server.health().map(|address| address.to_string()),
            "seconds": ready_after.as_secs_f64(),
            "folder": data.folder(name).path(),
        }))?,
        Format::Table => {
            let paint = Paint::for_stream(io::stdout().is_terminal());
            output::print_painted(format!(
                "{} is ready after {}",
                paint.strong(name),
                units::duration(ready_after)
            ))?;
            for address in &listens {
                output::print_line(format!("  listens on  {address}"))?;
            }
            for (name, address) in server.listeners() {
                output::print_line(format!("  listener    {name} on {address}"))?;
            }
            if let Some(health) = server.health() {
                output::print_line(format!("  health      http://{health}/livez, /readyz, /healthz"))?;
            }
            output::print_line(format!("  data        {}", data.folder(name).path().display()))?;
            output::print_line("  Ctrl-C stops it in order, a second Ctrl-C at once")?;
        }
    }
    instance_list::say_failed_listeners(common, name, server.failed_listeners());
    instance_list::say_few_files(name, server.few_files());
    open_rules::say(&data.folder(name), &listens);
    Ok(())
}

fn start_detached(
    common: &Common,
    data: &DataDirectory,
    name: &QueueManagerName,
    arguments: &StartArguments,
) -> Result<()> {
    let command = command_to_start(data, name, arguments.listening())?;
    let begun = std::time::Instant::now();
    let running = instances::start_in_background(data, name, command)?;
    match common.output {
        Format::Json => output::print_json(&json!({
            "queue_manager": name.as_str(), "process": running.process, "listens": running.listens,
            "listeners": running.listeners, "failed_listeners": running.failed_listeners, "seconds": begun.elapsed().as_secs_f64(), "folder": data.folder(name).path(),
        }))?,
        Format::Table => output::print_line(format!(
            "{name} runs as process {} after {}, on {}{}",
            running.process,
            units::duration(begun.elapsed()),
            running.listens.join(" and "),
            of_listeners(&running),
        ))?,
    }
    instance_list::say_failed_listeners(common, name, &running.failed_listeners);
    instance_list::say_few_files(name, running.few_files.as_deref());
    open_rules::say(&data.folder(name), &running.listens);
    Ok(())
}

/// The LISTENER objects that a start opened, behind the addresses of its settings.
fn of_listeners(running: &Running) -> String {
    let listeners = running.listeners.iter();
    listeners.map(|(name, address)| format!("; listener {name} on {address}")).collect()
}

/// The command that runs a queue manager in the foreground.
pub(crate) fn command_to_start(
    data: &DataDirectory,
    name: &QueueManagerName,
    listening: Listening,
) -> io::Result<std::process::Command> {
    let mut command = std::process::Command::new(std::env::current_exe()?);
    command.args(["qmgr", "start", name.as_str(), "--data"]).arg(data.path());
    if let Some(port) = listening.port() {
        command.args(["--port", &port.to_string()]);
    }
    match listening {
        Listening::Insecure(_) => _ = command.arg("--insecure"),
        Listening::LocalOnly => _ = command.arg("--local-only"),
        Listening::AsConfigured | Listening::At(_) => {}
    }
    Ok(command)
}

/// Waits no longer than the queue manager itself would.
const END_PATIENCE: Duration = Duration::from_secs(24 * 3600);

/// Time after which a wait for programs is told; by then the error log has their names.
const TOLD_AFTER: Duration = Duration::from_millis(1_500);

/// Stops the queue manager the arguments mean.
pub(crate) fn stop(common: &Common, arguments: &StopArguments) -> Result<()> {
    let mode = match (arguments.immediate, arguments.preemptive) {
        (true, _) => StopMode::Immediate,
        (_, true) => StopMode::Preemptive,
        _ => StopMode::Quiesce,
    };
    let common = common.named(arguments.name.as_deref())?;
    if common.connect.is_some() || common.context.is_some() {
        let name = connect::place(&common)?.ask_to_end(mode)?;
        return say_stopped(common.output, &name, false);
    }
    let data = connect::data_directory(&common)?;
    let instance = running_instance(&common, &data)?;
    let name = *instance.folder.name();
    ask_to_end(&instance, mode)?;
    let waits = !arguments.no_wait;
    if waits && mode == StopMode::Quiesce && !instances::wait_until_ended(&instance, TOLD_AFTER) {
        output::say(format!(
            "{name} waits for its programs to disconnect; its error log names them (FRY5095I), and --immediate does \
             not wait for them"
        ));
    }
    if waits && !instances::wait_until_ended(&instance, END_PATIENCE) {
        return Err(Failure::new(Exit::TimedOut, format!("queue manager {name} has not ended yet"))
            .next(next_step!("ferry qmgr stop {name} --immediate")));
    }
    say_stopped(common.output, name.as_str(), waits)
}

/// By its socket, or by a signal when it does not answer.
pub(crate) fn ask_to_end(instance: &Instance, mode: StopMode) -> Result<()> {
    let place = connect::address_of(instance).map(|address| Place::named(address, *instance.folder.name()));
    if place.is_some_and(|place| place.ask_to_end(mode).is_ok()) {
        return Ok(());
    }
    // As it is now: it may have come to its end since it was found, or so near to it that it lets nobody in.
    let mode = mode.into();
    let process = instance.running.as_ref().map(|running| running.process);
    let running = instances::running(&instance.folder).filter(|now| Some(now.process) == process);
    let is_under_way = match running.as_ref().map(|running| running.state) {
        None => true,
        Some(State::Ending(under_way) | State::Ended(under_way)) => {
            mode != Mode::Preemptive && under_way >= mode
        }
        Some(State::Starting | State::Running) => false,
    };
    if !is_under_way {
        instances::signal(&Instance { running, ..instance.clone() }, mode)?;
    }
    Ok(())
}

fn say_stopped(format: Format, name: &str, ended: bool) -> Result<()> {
    match format {
        Format::Json => output::print_json(&json!({"queue_manager": name, "ended": ended}))?,
        Format::Table if ended => output::print_line(format!("{name} has ended"))?,
        Format::Table => output::print_line(format!("{name} is ending"))?,
    }
    Ok(())
}

fn running_instance(common: &Common, data: &DataDirectory) -> Result<Instance> {
    if let Some(name) = connect::queue_manager_name(common)? {
        let instance = instances::find(data, &name)?;
        if instance.running.is_none() {
            return Err(instances::Error::NotRunning(name).into());
        }
        return Ok(instance);
    }
    let mut running: Vec<Instance> =
        instances::list(data)?.into_iter().filter(|instance| instance.running.is_some()).collect();
    match running.len() {
        1 => Ok(running.remove(0)),
        0 => Err(connect::none_found(data, Exit::NotFound, format!("no queue manager runs in {data}"))
            .next_unless_said(NextStep::of(
                "ferry qmgr list shows those there are; --data names another directory",
            ))),
        _ => Err(several(data, &running)),
    }
}

fn several(data: &DataDirectory, instances: &[Instance]) -> Failure {
    let names: Vec<&str> = instances.iter().map(|instance| instance.folder.name().as_str()).collect();
    Failure::usage(format!("there are several queue managers in {data}: {}", names.join(", ")))
        .next(format!("say which one: -m {}", names[0]))
}

/// The queue manager that must be named, by a word or by -m.
fn name_of(common: &Common, given: Option<&str>, example: NextStep) -> Result<QueueManagerName> {
    connect::queue_manager_name(&common.named(given)?)?
        .ok_or_else(|| Failure::usage("no queue manager is named").next(example))
}

/// The queue manager named, or the only one there is.
pub(crate) fn name_or_only(
    common: &Common,
    given: Option<&str>,
    data: &DataDirectory,
) -> Result<QueueManagerName> {
    if let Some(name) = connect::queue_manager_name(&common.named(given)?)? {
        return Ok(name);
    }
    let instances = instances::list(data)?;
    match &instances[..] {
        [only] => Ok(*only.folder.name()),
        [] => Err(connect::none_found(data, Exit::NotFound, format!("there is no queue manager in {data}"))
            .next_unless_said(NextStep::of(
                "ferry qmgr create QM1 makes one; ferry dev makes and starts one",
            ))),
        _ => Err(several(data, &instances)),
    }
}

/// The queue manager named, or the only one that runs, or the only one there is.
pub(crate) fn name_or_running(
    common: &Common,
    given: Option<&str>,
    data: &DataDirectory,
) -> Result<QueueManagerName> {
    if common.qmgr.is_none() && given.is_none() {
        let instances = instances::list(data)?;
        let mut running = instances.iter().filter(|instance| instance.running.is_some());
        if let (Some(only), None) = (running.next(), running.next()) {
            return Ok(*only.folder.name());
        }
    }
    name_or_only(common, given, data)
}

fn delete(common: &Common, arguments: &DeleteArguments) -> Result<()> {
    let data = connect::data_directory(common)?;
    let name = name_of(common, arguments.name.as_deref(), NextStep::of("ferry qmgr delete QM1"))?;
    // What an earlier deletion left, or an unfinished creation, is no queue manager, and nobody is asked
    // about it.
    if let Ok(instance) = instances::find(&data, &name)
        && instance.running.is_none()
        && !arguments.yes
        && !confirm(&name, &instance)?
    {
        return Err(Failure::new(Exit::Failed, format!("queue manager {name} was not deleted")));
    }
    instances::delete(&data, &name)?;
    match common.output {
        Format::Json => output::print_json(&json!({"deleted": name.as_str()}))?,
        Format::Table => output::print_line(format!("deleted queue manager {name}"))?,
    }
    Ok(())
}

fn confirm(name: &QueueManagerName, instance: &Instance) -> Result<bool> {
    if !io::stdin().is_terminal() {
        return Err(Failure::usage(format!(
            "deleting {name} cannot be undone, and nobody can be asked here"
        ))
        .next(next_step!("ferry qmgr delete {name} --yes")));
    }
    let mut asked = io::stderr();
    write!(
        asked,
        "Delete {name} with all its messages ({})? Type its name: ",
        instance.folder.path().display()
    )?;
    asked.flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(answer.trim() == name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_started_it_again_meanwhile_is_not_told_to_end() {
        let place = tempfile::tempdir().unwrap();
        let folder = DataDirectory::at(place.path()).folder(&"QM1".parse().unwrap());
        std::fs::create_dir(folder.path()).unwrap();
        let _again = server::durable_files::disk(folder.path()).lock(Path::new("storage.lock")).unwrap();
        let now = instances::running(&folder).expect("this process holds its lock");
        let before = Running { process: now.process + 1, ..now };
        ask_to_end(&Instance { folder, running: Some(before) }, StopMode::Quiesce).unwrap();
    }
}
