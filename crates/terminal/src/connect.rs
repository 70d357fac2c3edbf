//! The queue manager that is meant, and a connection to it.
//!
//! In this order: the address given (`--connect`, `FERRY_CONNECT`); the context named or chosen; the queue
//! manager named (`-m`) or the only one running in the data directory, by its local socket; port 1414 of this
//! machine.

use std::io;
use std::path::Path;

use client::{Address, Channel, CommandResponse, ConnectError, Connection, Statistics, StopMode};
use mqi::{Listen as _, ObjectDescriptor, ObjectName, OpenOptions, Opened, QueueManagerName, Reason, Verbs};
use rustix::io::Errno;
use server::directory::Unnamed;
use server::instances::{self, Instance};
use server::{DataDirectory, Folder, Mode, State, bounded_input, configuration};
use tls::pem::FILE_BYTES_MAX;

use crate::common::Common;
use crate::contexts;
use crate::failure::{Exit, Failure, Result};
use crate::next_step;
use crate::next_step::NextStep;
use crate::password;
use crate::unconnected;
use crate::units;

/// Advice about settings that are wrong.
pub const CORRECT_SETTINGS: &str = "correct it; docs/reference/settings.md lists the settings";

/// A connection to a queue manager, and what to call that queue manager.
pub struct Session {
    connection: Connection,
    queue_manager: String,
}

impl Session {
    /// Connects to one of these addresses.
    pub fn connect(place: &Place) -> Result<Self> {
        Self::open(place, "ferry").map_err(|error| place.explain(&error))
    }

    /// Connects under the name of an application.
    pub fn open(place: &Place, application: &str) -> std::result::Result<Self, ConnectError> {
        let connection = Connection::connect(place.options(application))?;
        let queue_manager = connection.channel().queue_manager();
        Ok(Self { connection, queue_manager })
    }

    /// The verbs.
    pub fn verbs(&mut self) -> &mut dyn Verbs {
        &mut self.connection
    }

    /// The connection, for what the verbs do not have.
    pub fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }

    /// Its name, for people.
    pub fn queue_manager(&self) -> &str {
        &self.queue_manager
    }

    /// Opens a queue, or says why not and what to do.
    pub fn open_queue(&mut self, name: ObjectName, options: OpenOptions) -> Result<Opened> {
        self.open_selecting(name, options, "")
    }

    /// Opens a queue to get the messages that a condition is true of; a blank one is true of all.
    pub fn open_selecting(
        &mut self,
        name: ObjectName,
        options: OpenOptions,
        condition: &str,
    ) -> Result<Opened> {
        let selection_string = condition.to_owned();
        let object = ObjectDescriptor { selection_string, ..ObjectDescriptor::queue(name) };
        self.connection.open(&object, options).map_err(|reason| {
            let failure =
                Failure::of_call(format!("cannot open queue {name} at {}", self.queue_manager), reason);
            match reason {
                Reason::UNKNOWN_OBJECT_NAME => failure.next(self.next_of_unknown(name.as_str())),
                Reason::SELECTOR_SYNTAX_ERROR => failure.next(NEXT_OF_CONDITION),
                _ => failure,
            }
        })
    }

    /// The next step after the name of a queue that is not there: often it was typed in small letters.
    fn next_of_unknown(&mut self, name: &str) -> NextStep {
        let capitals = name.to_ascii_uppercase();
        let asked = (capitals != name).then(|| format!("DISPLAY QUEUE({}) TYPE", in_mqsc(&capitals)));
        let shown = asked.and_then(|display| self.connection.command(&display).ok());
        if shown.is_some_and(|shown| !shown.failed) {
            return next_step!("use {capitals}, which is there: capitals and small letters differ in a name");
        }
        next_step!(
            "ferry mqsc -e \"DEFINE QLOCAL({})\" makes it, ferry mqsc -e \"DISPLAY QUEUE(*)\" lists those there \
             are",
            in_mqsc(name)
        )
    }

    /// Runs an administration command.
    pub fn command(&mut self, mqsc: &str) -> Result<CommandResponse> {
        let outcome = self.connection.command(mqsc);
        outcome.map_err(|reason| {
            Failure::of_call(format!("{} cannot run the command", self.queue_manager), reason)
        })
    }

    /// The counters of the queue manager.
    pub fn statistics(&mut self) -> Result<Statistics> {
        let outcome = self.connection.statistics();
        outcome.map_err(|reason| {
            Failure::of_call(format!("{} does not tell its counters", self.queue_manager), reason)
        })
    }

    /// Fails when the queue manager is about to end, and waits for its programs.
    pub fn fail_if_quiescing(&mut self) -> Result<()> {
        let outcome = self.connection.check_quiescing();
        outcome
            .map_err(|reason| Failure::of_call(format!("{} cannot be watched", self.queue_manager), reason))
    }

    /// Ends the connection in order.
    pub fn disconnect(mut self) -> Result<()> {
        self.connection.disconnect().map_err(|reason| {
            Failure::of_call(format!("cannot disconnect from {}", self.queue_manager), reason)
        })
    }
}

/// The next step after a condition that is none.
const NEXT_OF_CONDITION: &str = "write properties and values as in \"colour = 'red' AND size > 3\": names without quotes, texts in single \
     quotes";

/// Where to connect, and why there.
#[derive(Debug)]
pub struct Place {
    /// The address.
    pub address: Address,
    /// The queue manager that must answer, if one is meant.
    pub name: Option<QueueManagerName>,
    /// The channel of it to come by; empty for the default.
    channel: String,
    /// TLS with it.
    tls: Option<client::Tls>,
    /// The proof of the user to connect as.
    credentials: Option<client::Credentials>,
    /// The process that serves there, when it is one of this machine's data directory.
    pub process: Option<u32>,
    /// The data directory that was searched without finding one, if it was.
    searched: Option<DataDirectory>,
    /// The context that gave it, if one did.
    context: Option<contexts::Used>,
}

impl Place {
    /// A queue manager at an address.
    pub fn named(address: Address, name: QueueManagerName) -> Self {
        let place = Self::at(address);
        Self { name: Some(name), ..place }
    }

    fn at(address: Address) -> Self {
        let (name, channel, tls, credentials) = (None, String::new(), None, None);
        Self { address, name, channel, tls, credentials, process: None, searched: None, context: None }
    }

    /// Options to connect there under the name of an application.
    pub fn options(&self, application: &str) -> client::Options {
        let options =
            client::Options::to(self.address.clone()).channel(self.channel.as_str()).application(application);
        let options = match &self.tls {
            Some(tls) => options.tls(tls.clone()),
            None => options,
        };
        let options = client::Options { credentials: self.credentials.clone(), ..options };
        match &self.name {
            Some(name) => options.queue_manager(name.as_str()),
            None => options,
        }
    }

    /// Has the password of a user replaced, by a login with the one that holds; the queue manager's name.
    fn change_password(mut self, user: &str, old: String, new: String) -> Result<String> {
        let secret = |text: String| client::Secret::new(text.into_bytes());
        let change = client::Credentials::change(user, secret(old), secret(new));
        self.credentials = Some(change.map_err(|error| Failure::usage(error.to_string()))?);
        let channel = Channel::connect(self.options("ferry")).map_err(|error| self.explain(&error))?;
        Ok(channel.queue_manager())
    }

    /// Asks the queue manager there to end, which one hears as well that lets no programs in since it ends
    /// already; its name.
    pub fn ask_to_end(&self, mode: StopMode) -> Result<String> {
        let channel = Channel::connect(self.options("ferry")).map_err(|error| self.explain(&error))?;
        let name = channel.queue_manager();
        match channel.stop(mode) {
            Ok(()) => Ok(name),
            Err(reason) => Err(Failure::of_call(format!("{name} does not take the wish to end"), reason)),
        }
    }

    fn explain(&self, error: &ConnectError) -> Failure {
        if let (Some(context), ConnectError::Unreachable { .. }, None) =
            (&self.context, error, &self.searched)
        {
            return Failure::new(Exit::Failed, format!("{error}: {}", context.origin())).next(context.next());
        }
        match (error, &self.searched) {
            (ConnectError::Unreachable { address, .. }, Some(data)) => {
                let what = format!("no queue manager runs in {data}, and none answers at {address}");
                none_found(data, Exit::Failed, what).next_unless_said(unconnected::START_ONE)
            }
            (ConnectError::Refused { reason: Reason::Q_MGR_NAME_ERROR, .. }, _) => {
                Failure::new(Exit::NotFound, error.to_string())
                    .next(NextStep::of("ferry qmgr list shows the queue managers of this machine"))
            }
            (ConnectError::Refused { .. }, _) => {
                Failure::new(Exit::Refused, error.to_string()).next(unconnected::next(error))
            }
            (ConnectError::Conversation(reason), _) => {
                let who = self.name.map_or_else(|| self.address.to_string(), |name| name.to_string());
                Failure::of_call(format!("{who} does not let programs in"), *reason)
            }
            _ => Failure::new(Exit::Failed, error.to_string()).next(unconnected::next(error)),
        }
    }
}

/// Makes the failure when no queue manager fits the description in `what`; or none that this user may look
/// into, and then the text adds that.
pub fn none_found(data: &DataDirectory, exit: Exit, what: String) -> Failure {
    // The directory was read by now, to look for one.
    let closed = instances::closed(data).unwrap_or_default();
    let Some((name, error)) = closed.first() else { return Failure::new(exit, what) };
    let others = match closed.len() - 1 {
        0 => String::new(),
        others => format!(", and into {} neither", units::counted(others as u64, "other folder")),
    };
    let folder = data.folder(name);
    Failure::new(
        Exit::Failed,
        format!(
            "{what}, as far as can be seen: cannot look into {}: {error}{others}",
            folder.path().display()
        ),
    )
    .next("do it as the user who owns it, or name where it listens: --connect HOST:PORT")
}

/// A name as a command has to say it: outside quotes small letters would become capitals, and another name.
pub fn in_mqsc(name: &str) -> String {
    if name.bytes().any(|letter| letter.is_ascii_lowercase()) {
        objects::quoted(name)
    } else {
        name.to_owned()
    }
}

/// The data directory the arguments mean.
pub fn data_directory(common: &Common) -> Result<DataDirectory> {
    match &of_named_context(common)?.data {
        Some(named) => Ok(DataDirectory::at(named)),
        None => Ok(DataDirectory::of_commands()?),
    }
}

/// The queue manager named, if one is.
pub fn queue_manager_name(common: &Common) -> Result<Option<QueueManagerName>> {
    of_named_context(common)?.qmgr.as_deref().map(parse_queue_manager_name).transpose()
}

/// The arguments with the context that `--context` or the environment names. One that is chosen leads to
/// connections alone: commands that work on files are not for a place that nobody names.
fn of_named_context(common: &Common) -> Result<Common> {
    if common.context.is_some() { contexts::applied(common) } else { Ok(common.clone()) }
}

/// A queue manager's name as typed.
pub fn parse_queue_manager_name(text: &str) -> Result<QueueManagerName> {
    let name: QueueManagerName =
        text.parse().map_err(|error: mqi::NameError| Failure::usage(error.to_string()))?;
    if name.is_blank() {
        return Err(Failure::usage("the name of the queue manager is empty"));
    }
    Ok(name)
}

/// A queue's name as typed.
pub fn queue_name(text: &str) -> Result<ObjectName> {
    let name: ObjectName = text.parse().map_err(|error: mqi::NameError| Failure::usage(error.to_string()))?;
    if name.is_blank() {
        return Err(Failure::usage("the name of the queue is empty"));
    }
    Ok(name)
}

/// Has the password of the user to connect as replaced; the name of the queue manager.
pub fn change_password(common: &Common, user: &str, new: impl FnOnce() -> Result<String>) -> Result<String> {
    let (place, common) = place_by_context(common)?;
    let old = password::of(user, common.password.as_ref())?;
    place.change_password(user, old, new()?)
}

/// Finds the place the arguments mean, and the user to connect as.
pub fn place(common: &Common) -> Result<Place> {
    let (place, common) = place_by_context(common)?;
    let credentials = match common.credentials {
        Some(credentials) => Some(credentials),
        None => password::credentials(common.as_user.as_deref(), common.password.as_ref())?,
    };
    Ok(Place { credentials, ..place })
}

/// Where to connect, without the proof of a user, and the arguments with the context that counts for them.
fn place_by_context(typed: &Common) -> Result<(Place, Common)> {
    let (common, context) = contexts::resolved(typed)?;
    Ok((Place { context, ..place_alone(&common)? }, common))
}

fn place_alone(common: &Common) -> Result<Place> {
    let name = queue_manager_name(common)?;
    let channel = common.channel.clone().unwrap_or_default();
    if let Some(path) = &common.with {
        return place_of_bundle(path, name, channel);
    }
    if common.tls.is_some() && common.key_store.is_none() {
        return Err(Failure::usage("--tls needs keys and trusted certificates, and --key-store names none")
            .next("give --key-store PATH, a folder or one file"));
    }
    let tls = common.tls.as_ref().zip(common.key_store.as_ref()).map(|(cipherspec, key_store)| client::Tls {
        key_store: key_store.clone(),
        cipherspec: cipherspec.clone(),
        ..client::Tls::default()
    });
    if let Some(text) = &common.connect {
        let address =
            text.parse().map_err(|error: client::AddressError| Failure::usage(error.to_string()))?;
        return Ok(Place { name, channel, tls, ..Place::at(address) });
    }
    let data = data_directory(common)?;
    if let Some(name) = name {
        let instance = instances::find(&data, &name)?;
        let address = reachable(&instance)?;
        let process = instance.running.map(|running| running.process);
        return Ok(Place { name: Some(name), channel, tls, process, ..Place::at(address) });
    }
    let running: Vec<Instance> =
        instances::list(&data)?.into_iter().filter(|instance| instance.running.is_some()).collect();
    match &running[..] {
        [] => {
            let address = Address::Tcp { host: "127.0.0.1".to_owned(), port: common.last_port()? };
            Ok(Place { channel, tls, searched: Some(data), ..Place::at(address) })
        }
        [only] => {
            let name = Some(*only.folder.name());
            let address = reachable(only)?;
            let process = only.running.as_ref().map(|running| running.process);
            Ok(Place { name, channel, tls, process, ..Place::at(address) })
        }
        several => {
            let names: Vec<String> =
                several.iter().map(|instance| instance.folder.name().to_string()).collect();
            Err(Failure::usage(format!("several queue managers run in {data}: {}", names.join(", ")))
                .next(format!("say which one: -m {}", names[0])))
        }
    }
}

/// The place that a file of `ferry tls bundle` leads to; what was typed stands over it.
fn place_of_bundle(path: &Path, name: Option<QueueManagerName>, channel: String) -> Result<Place> {
    let wrong = |why: String| Failure::new(Exit::Failed, format!("{}: {why}", path.display()));
    let text = bounded_input::read_text(path, "bundle", FILE_BYTES_MAX).map_err(|error| {
        let what = format!("cannot read the file {}: {error}", path.display());
        Failure::new(Exit::NotFound, what).next(NextStep::of("name a file that `ferry tls bundle` made"))
    })?;
    let way = tls::bundle::Way::read(&text).map_err(|error| wrong(error.to_string()))?;
    let address = match way.address.parse() {
        // By a socket of this machine the caller would be itself, and no key would be asked for.
        Ok(Address::Unix(_) | Address::Rings(_)) => {
            return Err(wrong("its address is a socket of this machine, and a bundle is for TLS".to_owned()));
        }
        parsed => parsed.map_err(|error: client::AddressError| wrong(error.to_string()))?,
    };
    let name = match name {
        Some(name) => name,
        None => parse_queue_manager_name(&way.queue_manager)?,
    };
    let tls =
        client::Tls { key_store: path.to_owned(), cipherspec: way.cipherspec, ..client::Tls::default() };
    let channel = if channel.is_empty() { way.channel } else { channel };
    Ok(Place { name: Some(name), channel, tls: Some(tls), ..Place::at(address) })
}

/// Where a queue manager is reached; or why it is not.
fn reachable(instance: &Instance) -> Result<Address> {
    let name = instance.folder.name();
    let running = instance.running.as_ref().ok_or(instances::Error::NotRunning(*name))?;
    let (is, next) = match running.state {
        State::Starting => ("is starting", NextStep::of("try again in a moment")),
        State::Ending(Mode::Immediate | Mode::Preemptive) | State::Ended(_) => {
            ("is ending", next_step!("ferry qmgr start {name} starts it again when it has ended"))
        }
        State::Running | State::Ending(Mode::Quiesce) => {
            if let Some(address) = address_of(instance) {
                return Ok(address);
            }
            let next = match running.in_program {
                true => "it is inside a program, which says whether it listens",
                false => "give it an address or a local socket in its ferry.toml, and start it again",
            };
            ("listens nowhere", NextStep::of(next))
        }
    };
    Err(Failure::new(Exit::Failed, format!("queue manager {name} {is}")).next(next))
}

/// Where a running queue manager is reached: by its local socket if it has one.
pub fn address_of(instance: &Instance) -> Option<Address> {
    let listens = &instance.running.as_ref()?.listens;
    addresses(&instance.folder, listens).into_iter().next()
}

/// The addresses that a queue manager listens on, the local socket first.
pub fn addresses(folder: &Folder, listens: &[String]) -> Vec<Address> {
    let (sockets, ports): (Vec<&String>, Vec<&String>) = listens.iter().partition(|text| text.contains('/'));
    // The folder is known under the path it has here, which may be another than where the server was started.
    let sockets = sockets.iter().map(|_| Address::Unix(folder.socket()));
    sockets.chain(ports.iter().filter_map(|text| text.parse().ok())).collect()
}

/// Connects to the queue manager the arguments mean.
pub fn session(common: &Common) -> Result<Session> {
    Session::connect(&place(common)?)
}

impl From<Unnamed> for Failure {
    fn from(error: Unnamed) -> Self {
        Self::new(Exit::Refused, error.to_string()).next(
            "name it if it is meant, by --data ./ferry-data or FERRY_DATA; else work in another directory, or name another",
        )
    }
}

impl From<instances::Error> for Failure {
    fn from(error: instances::Error) -> Self {
        let exit = match error {
            instances::Error::Absent { .. } => Exit::NotFound,
            instances::Error::NoName => Exit::Usage,
            _ => Exit::Failed,
        };
        // What a queue manager said that was started in the background is a failure of `ferry` already.
        if let instances::Error::DidNotStart { reason, .. } = &error
            && let Some(said) = reason.strip_prefix("ferry: ")
        {
            return match said.split_once("\n  next: ") {
                Some((what, next)) => Self::new(exit, what).in_lines().next(next),
                None => Self::new(exit, said).in_lines(),
            };
        }
        let failure = Self::new(exit, error.to_string());
        let failure = match error {
            instances::Error::DidNotStart { .. } | instances::Error::Configuration(_) => failure.in_lines(),
            _ => failure,
        };
        match next_of(&error) {
            Some(next) => failure.next(next),
            None => failure,
        }
    }
}

/// The next step, where the error does not say so itself.
fn next_of(error: &instances::Error) -> Option<NextStep> {
    match error {
        instances::Error::Exists { name, .. } => {
            Some(next_step!("ferry qmgr start {name} starts it; another one needs another name"))
        }
        instances::Error::Starts(_) => Some(NextStep::of("ferry qmgr list shows when it runs")),
        instances::Error::NotRunning(name) => Some(next_step!("ferry qmgr start {name} starts it")),
        instances::Error::Io { source, .. } => Some(NextStep::of(next_of_system(source))),
        instances::Error::Configuration(configuration::Error::Faults { .. }) => {
            Some(NextStep::of(CORRECT_SETTINGS))
        }
        _ => None,
    }
}

/// Returns true if the process, or the machine, has no more files to open (EMFILE, ENFILE).
fn is_of_open_files(error: &io::Error) -> bool {
    let none_left = [Errno::MFILE, Errno::NFILE].map(Errno::raw_os_error);
    error.raw_os_error().is_some_and(|number| none_left.contains(&number))
}

/// The next step about a part of a queue manager's folder that the system refused.
pub fn next_of_system(refused: &io::Error) -> &'static str {
    if is_of_open_files(refused) {
        return "raise the limit of open files: ulimit -n, or LimitNOFILE of the service";
    }
    match refused.kind() {
        io::ErrorKind::PermissionDenied => {
            "do it as the user who owns it, or use a directory of your own: --data DIRECTORY, or set FERRY_DATA"
        }
        io::ErrorKind::StorageFull => "make room there, and try again",
        _ => {
            "see that it is what it should be, or name another directory: --data DIRECTORY, or set FERRY_DATA"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_of_the_system_has_the_step_of_its_cause() {
        for (error, expected) in [
            (Errno::MFILE.into(), "raise the limit of open files"),
            (Errno::NFILE.into(), "raise the limit of open files"),
            (Errno::ACCESS.into(), "do it as the user who owns it"),
            (Errno::NOSPC.into(), "make room there"),
            (Errno::NOTDIR.into(), "see that it is what it should be"),
            (io::ErrorKind::PermissionDenied.into(), "do it as the user who owns it"),
        ] {
            assert!(next_of_system(&error).starts_with(expected), "{error}");
        }
    }
}
