//! The last phase of a start: reactors and threads serve, and a keeper waits for the wish to end.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use mqi::ObjectName;
use objects::messages::{FEW_FILES, LISTENER_START_FAILED, LISTENING, QUEUE_MANAGER_STARTED};
use platform::{Clock as _, os::OsClock};
use transport::{Listener, ListenerId, Reactor};

use super::bind::Bound;
use super::cover::Covered;
use super::open::Opened;
use super::start::{Start, StartError, refused};
use crate::configuration::{Configuration, ServiceAddress};
use crate::counted::Counting;
use crate::covers::ListenerCovers;
use crate::driving::Driving;
use crate::ending::{Ending, Mode, Phase};
use crate::errors;
use crate::files::Room;
use crate::gathering::CommitDelay;
use crate::host::{self, Seen};
use crate::keeper::Keeper;
use crate::listeners::Accepting;
use crate::runtime_state::{Notes, Running, State};
use crate::serving::{self, Common};
use crate::threads::Threads;

/// A start whose programs are served.
pub(super) struct Serving {
    pub(super) keeper: Keeper,
    pub(super) listens: Vec<transport::ListenAddress>,
    pub(super) room: Room,
    /// The LISTENER objects that it was to open and could not, with the reason.
    not_started: Vec<(ObjectName, String)>,
    pub(super) http: ServiceAddress,
}

impl Serving {
    pub(super) fn begin(start: &Start<'_>, covered: Covered) -> Result<Self, StartError> {
        let &Start { options, folder, configuration, .. } = start;
        let (common, covers) = (common(start, &covered), covered.covers.clone());
        let Covered { listens, listeners, opened, .. } = covered;
        // It is known once.
        let _ = common.board.listeners.set(listeners.len());
        let http = options.http.unwrap_or(configuration.http.address);
        let (reactors, room) = start_reactors(&common, configuration, listeners)?;
        let since = errors::utc(OsClock.wall());
        let counting = Counting::begin(&folder.counted(), since.clone());
        let is_asked_for_figures = http != ServiceAddress::Nowhere;
        let threads = Threads::start(&common, configuration, counting, covers, is_asked_for_figures)
            .map_err(refused("start threads"))?;
        let listening = listens.iter().map(transport::ListenAddress::to_string).collect();
        let running =
            Running { few_files: room.words(), ..Running::here(!options.ends_process, listening, since) };
        let notes = Arc::new(Notes::of(running, folder.clone()));
        common.host.keep_notes(&notes);
        let not_started =
            if options.local_only { Vec::new() } else { common.queue_manager.channels().start_listeners() };
        let keeper = Keeper {
            common,
            name: options.name,
            reactors,
            threads,
            notes,
            quiesce_within: Duration::from_secs(configuration.stop.quiesce_seconds.into()),
            is_own_process: options.ends_process,
            control: None,
            service: opened.bound.service,
        };
        Self { keeper, listens, room, not_started, http }.entered(start)
    }

    /// Enters the queue manager among those that run; where it cannot be, it ends.
    fn entered(self, &Start { folder, .. }: &Start<'_>) -> Result<Self, StartError> {
        let host = &self.keeper.common.host;
        if let Err(error) = self.keeper.notes.enter(State::Running, || host.listeners.overview()) {
            self.keeper.common.ending.ask(Mode::Immediate, "its start, which failed");
            self.keeper.keep();
            return Err(refused(format!("write {}", folder.running().display()))(error));
        }
        Ok(self)
    }

    /// Writes to the error log that the queue manager has started, and where it listens.
    pub(super) fn tell(&self, &Start { options, errors, .. }: &Start<'_>, ready_after: Duration) {
        let name = || options.name.to_string();
        errors.write(&QUEUE_MANAGER_STARTED, [name(), ready_after.as_millis().to_string()]);
        for bound in &self.listens {
            errors.write(&LISTENING, [name(), bound.to_string()]);
        }
        if let Some(words) = self.room.words() {
            errors.write(&FEW_FILES, [name(), words]);
        }
        for (listener, why) in &self.not_started {
            errors.write(&LISTENER_START_FAILED, [listener.to_string(), why.clone()]);
        }
        self.keeper.common.health.started();
    }
}

/// The state that all reactors share.
fn common(start: &Start<'_>, covered: &Covered) -> Common {
    let &Start { configuration, errors, ref ending, began, .. } = start;
    let Covered { logins, covers, opened: Opened { queue_manager, host, bound, .. }, .. } = covered;
    let Bound { health, board, exposure, .. } = bound;
    Common {
        queue_manager: queue_manager.clone(),
        host: Arc::clone(host),
        errors: errors.clone(),
        ending: Arc::clone(ending),
        limits: agent_limits(configuration),
        driving: Driving {
            writer: configuration.log.writer,
            inline_max: Duration::from_micros(configuration.log.inline_microseconds_max.into()),
        },
        commit_delay: CommitDelay {
            time: Duration::from_micros(configuration.log.commit_delay_microseconds.into()),
            siblings: configuration.log.commit_delay_siblings as usize,
        },
        started: began,
        logins: Arc::clone(logins),
        strangers: Arc::default(),
        listener_tls: configuration.listener.tls,
        amqp_channel: configuration.listener.amqp_channel.0,
        exposure: exposure.clone(),
        listener_covers: covers.as_deref().map(ListenerCovers::covers),
        health: Arc::clone(health),
        board: Arc::clone(board),
    }
}

fn agent_limits(configuration: &Configuration) -> agents::Limits {
    let limits = &configuration.limits;
    agents::Limits {
        login_seconds: u16::try_from(limits.login_seconds).unwrap_or(u16::MAX),
        output_bytes_max: usize::try_from(limits.backlog_size_max.0).unwrap_or(usize::MAX),
        ..agents::Limits::default()
    }
}

fn start_reactors(
    common: &Common,
    configuration: &Configuration,
    listeners: Vec<Listener>,
) -> Result<(Vec<JoinHandle<()>>, Room), StartError> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    // Without listeners there is nothing a reactor could do.
    let count = if listeners.is_empty() { 0 } else { configuration.reactors(processors) };
    let room = Room::find(configuration, count);
    let connections_max = room.of_each(count);
    let limits = transport::Limits { connections_max, ..configuration.transport() };
    let mut reactors = (0..count)
        .map(|_| Reactor::<serving::Serving>::new(limits))
        .collect::<Result<Vec<_>, _>>()
        .map_err(refused("make an event queue"))?;
    let seen: Vec<Seen> = reactors
        .iter()
        .map(|reactor| Seen { remote: reactor.remote(), holds_gated: Arc::default() })
        .collect();
    common.ending.attend(seen.iter().map(|reactor| reactor.remote.clone()).collect());
    for (number, listener) in (0..).zip(listeners) {
        reactors[0].listen(ListenerId(number), listener).map_err(refused("watch a listener"))?;
    }
    if let Some(first) = reactors.first_mut() {
        first.share_with(seen[1..].iter().map(|reactor| reactor.remote.clone()).collect());
    }
    let accepting = |first: &Seen| Accepting {
        reactor: first.remote.clone(),
        usual: common.listener_tls,
        exposure: common.exposure.clone(),
        covers: common.listener_covers.clone(),
    };
    common.host.listeners.attend(seen.first().map(accepting));
    let remotes = seen.iter().map(|reactor| reactor.remote.clone()).collect();
    common.health.attend(common.queue_manager.clone(), remotes);
    let gated: Vec<_> = seen.iter().map(|reactor| Arc::clone(&reactor.holds_gated)).collect();
    common.host.attend(seen);
    let mut threads = Vec::new();
    for (number, (mut reactor, holds_gated)) in reactors.into_iter().zip(gated).enumerate() {
        let common = common.clone();
        let thread = std::thread::Builder::new().name(format!("ferry-reactor-{number}")).spawn(move || {
            let _guard = EndsAll(Arc::clone(&common.ending));
            host::this_thread_is_reactor(number);
            let mut serving = serving::Serving::new(common, holds_gated);
            reactor.run(&mut serving).expect("the system's event queue works");
        });
        threads.push(thread.map_err(refused("start threads"))?);
    }
    Ok((threads, room))
}

/// A reactor that ends, by panic too, ends the queue manager: its connections would wait forever.
struct EndsAll(Arc<Ending>);

impl Drop for EndsAll {
    fn drop(&mut self) {
        if self.0.phase() == Phase::Runs {
            self.0.ask(Mode::Preemptive, "a thread that failed");
        }
    }
}
