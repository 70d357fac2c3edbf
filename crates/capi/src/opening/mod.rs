//! Making a connection of what a program asks for: by the local socket of a queue manager of this machine, in
//! this process, or over the network.
//!
//! Lives here: which of them, and what is tried in which order. Lives elsewhere: what the program, its
//! environment and its files say (`calls::connecting`, [`places`](crate::places)), the connections themselves
//! (`client`, `server`).
//!
//! Always: an ordinary connection of a library named `libmqm…` goes to a queue manager of this machine when
//! there is one of that name, and over the network when there is none; that of one named `libmqic…` or
//! `libmqdc…` over the network.

use crate::connections::Reach;
use crate::places::choice::{self, ChoiceError, OfProgram, Settings, Wanted};
use crate::places::client_file::ClientFile;
use crate::places::security::{self, Security};
use crate::places::{ClientChannel, log};
use crate::process;
use client::{Alternative, CompressionOffer, ConnectError, Credentials, Options};
use mqi::{AccountingChoice, Binding, QueueManagerName, Reason, Reconnect};
use server::DataDirectory;
use server::embedded::{Listeners, QueueManager};
use server::instances::{self, Instance};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, Once, PoisonError};

/// The user that a program connects as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// The user that the system knows its process as.
    OfProcess,
    /// The user of credentials; those of a token are for connections over the network alone.
    Proved(Credentials),
}

impl Identity {
    fn is_of_token(&self) -> bool {
        matches!(self, Self::Proved(Credentials::Token(_)))
    }
}

/// Request of a program.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) wanted: Wanted,
    pub(crate) binding: Binding,
    pub(crate) reconnect: Reconnect,
    /// The name shown for it; empty for that of its executable.
    pub(crate) application: String,
    pub(crate) identity: Identity,
    /// Its choice of accounting, where the queue manager lets it choose.
    pub(crate) accounting: AccountingChoice,
    /// True if other connections of the program may go over the same socket.
    pub(crate) shares_socket: bool,
    /// The settings that it gives for connections over the network. A fault in them counts only when such a
    /// connection is made.
    pub(crate) of_program: Result<OfProgram, Reason>,
}

impl Asked {
    /// Returns a text that tells the place it connects to from other places.
    pub(crate) fn place(&self) -> String {
        format!("{:?} {:?} {:?}", self.wanted, self.binding, self.of_program)
    }
}

/// The variable that names the queue manager of this machine that is meant when a program names none.
const DEFAULT_QUEUE_MANAGER: &str = "FERRY_QMGR";

/// Connects.
///
/// # Errors
/// The reason of the connect call.
pub(crate) fn open(asked: &Asked) -> Result<Reach, Reason> {
    let settings = Settings::of_process().map_err(refused)?;
    log::note_unknown(&settings);
    match binding(asked, &settings) {
        Binding::Client => over_the_network(asked, &settings),
        Binding::Standard => locally(asked, &settings),
        Binding::Fastpath => in_this_process(asked, &settings),
        Binding::Default => match locally(asked, &settings) {
            // There is none of that name here: it may be elsewhere.
            Err(Reason::Q_MGR_NAME_ERROR | Reason::Q_MGR_NOT_AVAILABLE) if is_elsewhere(asked, &settings) => {
                over_the_network(asked, &settings)
            }
            outcome => outcome,
        },
    }
}

/// The binding that is meant. MQ_CONNECT_TYPE says it for ordinary connections, and may take the fastpath
/// away.
fn binding(asked: &Asked, settings: &Settings) -> Binding {
    let kind = settings.environment.connect_type.as_deref().map(str::to_ascii_uppercase);
    match (asked.binding, kind.as_deref()) {
        (Binding::Default, Some("CLIENT")) => Binding::Client,
        (Binding::Default, Some("LOCAL" | "STANDARD")) | (Binding::Fastpath, Some("STANDARD")) => {
            Binding::Standard
        }
        (Binding::Default, _) if is_library_of_clients(&process::library_name()) => Binding::Client,
        (binding, _) => binding,
    }
}

/// The reason of what cannot be used, which the log has in words.
#[expect(clippy::needless_pass_by_value, reason = "as errors are mapped")]
fn refused(error: ChoiceError) -> Reason {
    log::note(&error.to_string());
    error.reason()
}

fn is_library_of_clients(name: &str) -> bool {
    ["libmqic", "libmqdc", "libmqcxa"].iter().any(|of_clients| name.starts_with(of_clients))
}

/// True if any setting names another place of a queue manager.
fn is_elsewhere(asked: &Asked, settings: &Settings) -> bool {
    asked.of_program.as_ref().is_ok_and(|program| channels(asked, program, settings).is_ok())
}

fn channels(asked: &Asked, program: &OfProgram, settings: &Settings) -> Result<Vec<ClientChannel>, Reason> {
    choice::channels(program, settings, &asked.wanted, client::draw, client::draw_once).map_err(refused)
}

/// Over the network: the first channel that leads to a queue manager which lets us in.
fn over_the_network(asked: &Asked, settings: &Settings) -> Result<Reach, Reason> {
    let mut outcome = Err(Reason::HOST_NOT_AVAILABLE);
    let program = asked.of_program.as_ref().map_err(|reason| *reason)?;
    let channels = channels(asked, program, settings)?;
    for channel in &channels {
        outcome = by_channel(asked, &program.security, settings, channel, &channels);
        if outcome.is_ok() {
            break;
        }
    }
    outcome
}

/// By one of several channels that lead to what is wanted. When the connection breaks, all of them will do.
fn by_channel(
    asked: &Asked,
    security: &Security,
    settings: &Settings,
    channel: &ClientChannel,
    channels: &[ClientChannel],
) -> Result<Reach, Reason> {
    let (environment, file) = (&settings.environment, &settings.file);
    let tls = |channel| security::tls(channel, security, environment, file);
    // A channel that asks for TLS is never used without it.
    let own_tls = tls(channel).map_err(|error| refused(error.into()))?;
    let Some(first) = channel.addresses.first().cloned() else {
        return Err(Reason::CHANNEL_CONFIG_ERROR);
    };
    let mut options = Options::to(first).queue_manager(asked.wanted.required());
    options.addresses.clone_from(&channel.addresses);
    options.channel.clone_from(&channel.name);
    options.limits = channel.limits();
    options.compression = compression(channel, &settings.file);
    options.tls = own_tls;
    introduce(asked, settings, &mut options);
    options.keep_alive = settings.file.keep_alive;
    if let Some(limit) = settings.file.connect_timeout {
        options.connect_timeout = limit;
    }
    let reconnect = reconnection(asked.reconnect, channel.reconnect, settings.file.reconnect);
    if matches!(reconnect, Reconnect::AnyQueueManager | Reconnect::SameQueueManager) {
        if asked.identity.is_of_token() {
            // It may no longer be good when the connection is made again.
            return Err(Reason::RECONNECT_INCOMPATIBLE);
        }
        let same_queue_manager = reconnect == Reconnect::SameQueueManager;
        let mut how = client::Reconnect { same_queue_manager, ..client::Reconnect::default() };
        if let Some(limit) = settings.file.reconnect_timeout {
            how.give_up_after = limit;
        }
        options = options.reconnecting(how);
        options.reconnect_delays.clone_from(&settings.file.reconnect_delays);
        let usable = channels.iter().filter_map(|channel| {
            let compression = compression(channel, &settings.file);
            Some(Alternative { compression, ..channel.alternative(tls(channel).ok()?) })
        });
        options.alternatives = usable.collect();
        // Connections that went over one of them share its socket, in whichever order all were drawn.
        options.alternatives.sort_by(|one, other| one.name.cmp(&other.name));
    }
    options.read_ahead_bytes = settings.file.read_ahead_bytes;
    let ccsid = settings.ccsid().map_err(refused)?;
    let put1_waits = settings.file.put1_waits.unwrap_or(true);
    connect(options).map(|reach| reach.with(ccsid, put1_waits))
}

/// The compressions of a channel, where it says none those of the file of client settings.
fn compression(channel: &ClientChannel, file: &ClientFile) -> CompressionOffer {
    match channel.compression == CompressionOffer::default() {
        true => file.compression.clone(),
        false => channel.compression.clone(),
    }
}

/// The course of a connection that breaks. The file of client settings comes before the channel, and a
/// program before both, except where the one that counts forbids it.
fn reconnection(program: Reconnect, channel: Reconnect, file: Option<Reconnect>) -> Reconnect {
    let default = file.unwrap_or(channel);
    match program {
        _ if default == Reconnect::Disabled => default,
        Reconnect::AsDefault => default,
        asked => asked,
    }
}

/// The name shown for a program, if it or its environment gives one.
fn application<'a>(asked: &'a Asked, settings: &'a Settings) -> Option<&'a str> {
    let said = Some(asked.application.as_str()).filter(|name| !name.is_empty());
    said.or(settings.environment.application.as_deref())
}

fn introduce(asked: &Asked, settings: &Settings, options: &mut Options) {
    if let Some(name) = application(asked, settings) {
        name.clone_into(&mut options.application);
    }
    if let Identity::Proved(credentials) = &asked.identity {
        options.credentials = Some(credentials.clone());
    }
    options.accounting = asked.accounting;
    options.is_shared = asked.shares_socket;
}

fn connect(options: Options) -> Result<Reach, Reason> {
    match client::Connection::connect(options) {
        Ok(connection) => Ok(Reach::over(connection)),
        Err(error) => {
            // The words say more than the reason, and the program is given that alone.
            let has_words = matches!(
                error,
                ConnectError::Refused { .. } | ConnectError::Unprotected { .. } | ConnectError::Tls { .. }
            );
            if has_words {
                log::note(&error.to_string());
            }
            Err(error.reason())
        }
    }
}

/// By the rings of a queue manager of this machine, or where it offers none by its socket.
fn locally(asked: &Asked, settings: &Settings) -> Result<Reach, Reason> {
    let instance = of_this_machine(asked)?;
    refuse_token(asked)?;
    let name = *instance.folder.name();
    if instance.running.is_none() {
        // Another user's queue manager may look as if nobody ran it; its socket tells.
        if !instance.folder.socket().exists() {
            return Err(Reason::Q_MGR_NOT_AVAILABLE);
        }
    }
    let rings = client::Address::Rings(instance.folder.rings());
    let mut options = Options::to(rings).queue_manager(name.as_str());
    options.addresses.push(client::Address::Unix(instance.folder.socket()));
    introduce(asked, settings, &mut options);
    connect(options).map_err(|reason| match reason {
        // A socket that nobody answers at, or that went away.
        Reason::HOST_NOT_AVAILABLE => Reason::Q_MGR_NOT_AVAILABLE,
        reason => reason,
    })
}

/// Refuses a token: on this machine the system names a program's user.
fn refuse_token(asked: &Asked) -> Result<(), Reason> {
    if asked.identity.is_of_token() { Err(Reason::CSP_ERROR) } else { Ok(()) }
}

/// The data directory of this machine.
fn data_directory() -> Result<DataDirectory, Reason> {
    DataDirectory::of_commands().map_err(|refused| {
        log::note(&format!("{refused}; set FERRY_DATA to the directory that is meant"));
        Reason::Q_MGR_NOT_AVAILABLE
    })
}

/// The queue manager of this machine that is meant: the one named, that of `FERRY_QMGR`, or the only one that
/// runs.
fn of_this_machine(asked: &Asked) -> Result<Instance, Reason> {
    let data = data_directory()?;
    let by_default = || std::env::var(DEFAULT_QUEUE_MANAGER).unwrap_or_default();
    let name = if asked.wanted.name.is_empty() { by_default() } else { asked.wanted.name.clone() };
    let name: QueueManagerName = name.parse().map_err(|_| Reason::Q_MGR_NAME_ERROR)?;
    if !name.is_blank() {
        return instances::find(&data, &name).map_err(|_| Reason::Q_MGR_NAME_ERROR);
    }
    let all = instances::list(&data).map_err(|_| Reason::Q_MGR_NOT_AVAILABLE)?;
    let mut running = all.into_iter().filter(|instance| instance.running.is_some());
    match (running.next(), running.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(Reason::Q_MGR_NOT_AVAILABLE),
        (Some(_), Some(_)) => Err(Reason::Q_MGR_NAME_ERROR),
    }
}

/// The queue managers that this process runs for its own connections, by folder, of each generation of forked
/// processes: a child has none of its parent's.
static OPENED: LazyLock<Mutex<BTreeMap<(usize, PathBuf), QueueManager>>> = LazyLock::new(Mutex::default);

/// Ends in order the queue managers that this program runs, when the program itself ends in order:
/// non-persistent messages of queues with NPMCLASS(HIGH) are kept. Queue managers of a parent process are
/// left alone.
extern "C" fn end_opened() {
    let ended = std::panic::catch_unwind(|| {
        // A thread that opens one as its program ends is not waited for.
        let Ok(mut opened) = OPENED.try_lock() else { return };
        let generation = process::generation();
        let own: Vec<_> = opened.keys().filter(|(of, _)| *of == generation).cloned().collect();
        for queue_manager in own.iter().filter_map(|key| opened.remove(key)) {
            queue_manager.close(server::Mode::Immediate);
        }
    });
    // What is lost by it is what a program loses that is killed.
    drop(ended);
}

/// In this process: it runs the queue manager itself, unless another process does, whose socket is used then.
///
/// The process keeps running it after the last connection ends, since programs often connect again. It ends
/// in order with a program that ends so. Otherwise it stops as with its machine: committed work is there at
/// the next start.
fn in_this_process(asked: &Asked, settings: &Settings) -> Result<Reach, Reason> {
    let instance = of_this_machine(asked)?;
    refuse_token(asked)?;
    let name = *instance.folder.name();
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (process::generation(), instance.folder.path().to_owned());
    if !opened.contains_key(&key) {
        if instance.running.is_some() {
            drop(opened);
            return locally(asked, settings);
        }
        let data = data_directory()?;
        // Where it should listen somebody else may: then it is this program's alone.
        let start = |listeners| QueueManager::open_with(data.path(), &name, listeners);
        let started =
            process::without_signals(|| start(Listeners::AsConfigured).or_else(|_| start(Listeners::None)));
        let Ok(queue_manager) = started else {
            // Somebody else was quicker, or it cannot be opened: then no socket answers either.
            drop(opened);
            return locally(asked, settings);
        };
        static ENDS: Once = Once::new();
        ENDS.call_once(|| process::at_exit(end_opened));
        opened.insert(key.clone(), queue_manager);
    }
    let queue_manager = opened.get(&key).ok_or(Reason::Q_MGR_NOT_AVAILABLE)?;
    let of_program = || Options::to(client::Address::Unix(PathBuf::new())).application;
    let application = application(asked, settings).map_or_else(of_program, str::to_owned);
    Ok(Reach::over(queue_manager.connect_choosing(&application, asked.accounting)?))
}

#[cfg(test)]
mod tests;
