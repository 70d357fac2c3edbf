//! The thread that waits for the wish to end and brings the end about, in order: applications, connections,
//! threads, engine.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mqi::QueueManagerName;
use objects::Row;
use objects::messages::{QUEUE_MANAGER_ENDED, QUEUE_MANAGER_ENDS, QUEUE_MANAGER_WAITS};
use queue_manager::{ChannelAsk, Quiesce};

use crate::control::Keeping;
use crate::ending::{Mode, Phase};
use crate::health::Service;
use crate::runtime_state::{Notes, State};
use crate::serving::Common;
use crate::threads::Threads;

/// Time that an immediate end waits for the last answers to be taken.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Interval at which an end checks if connections are gone.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// Time after which an end says for which programs it waits: most leave at once.
const NAMED_AFTER: Duration = Duration::from_secs(1);

/// Most programs that are named: a person reads a handful.
const NAMED_MAX: usize = 5;

/// Waits for the end and brings it about.
pub(crate) struct Keeper {
    pub(crate) common: Common,
    pub(crate) name: QueueManagerName,
    pub(crate) reactors: Vec<JoinHandle<()>>,
    pub(crate) threads: Threads,
    pub(crate) notes: Arc<Notes>,
    pub(crate) quiesce_within: Duration,
    /// True if the process is the queue manager's own: then it may write on standard error.
    pub(crate) is_own_process: bool,
    /// The control process, if there is one.
    pub(crate) control: Option<Keeping>,
    /// The answers to requests for health, if there are any.
    pub(crate) service: Option<Service>,
}

impl Keeper {
    /// Waits for the wish to end and fulfils it.
    pub(crate) fn keep(mut self) {
        let ending = Arc::clone(&self.common.ending);
        let (mut mode, by) = ending.wait();
        self.say_ending(mode, &by);
        // It is a program like others, for whose end a quiescing end waits.
        drop(self.control.take());
        if mode == Mode::Quiesce {
            self.common.queue_manager.quiesce(Quiesce::Controlled);
            self.common.queue_manager.channels().end(ChannelAsk::Quiesce);
            mode = self.wait_for_disconnects();
        }
        if mode != Mode::Preemptive {
            ending.enter(Phase::Refuses);
            self.common.queue_manager.quiesce(Quiesce::Immediate);
            self.common.queue_manager.channels().end(ChannelAsk::Force);
            ending.enter(Phase::Finishes);
            self.wait_for_reactors(Instant::now() + LAST_ANSWERS);
        }
        ending.enter(Phase::Ends);
        for reactor in self.reactors {
            // One that panicked has said so.
            let _ = reactor.join();
        }
        self.threads.end();
        if mode != Mode::Preemptive {
            self.common.queue_manager.close();
        }
        // A folder that is another now is none of its business.
        if self.common.queue_manager.log().holds_its_files() {
            self.notes.leave(mode);
        }
        // Asked until now.
        let was_served = self.service.take().is_some();
        if was_served && self.common.queue_manager.log().holds_its_files() {
            // One that is left behind names a process that is gone.
            let _ = std::fs::remove_file(self.notes.own_folder().health());
        }
        self.common.errors.write(&QUEUE_MANAGER_ENDED, [self.name.to_string()]);
        // The process may end before the thread that writes comes to it.
        self.common.errors.flush();
    }

    fn say_ending(&self, mode: Mode, by: &str) {
        self.common.errors.write(&QUEUE_MANAGER_ENDS, [self.name.as_str(), mode.word(), by]);
        if !self.common.queue_manager.log().holds_its_files() {
            return;
        }
        // Where it cannot be written, it seems to run until it is gone.
        let _ = self.notes.enter(State::Ending(mode), || self.common.host.listeners.overview());
    }

    /// Waits until all programs have disconnected; longer than allowed, or a more urgent wish, is a more
    /// urgent end.
    fn wait_for_disconnects(&self) -> Mode {
        let began = Instant::now();
        let until = began + self.quiesce_within;
        let mut are_named = false;
        while self.common.queue_manager.figures().connections() > 0 {
            if let Some((mode, by)) = self.common.ending.more_urgent_than(Mode::Quiesce) {
                self.say_ending(mode, &by);
                return mode;
            }
            if Instant::now() >= until {
                self.say_ending(Mode::Immediate, "the limit of stop.quiesce_seconds");
                return Mode::Immediate;
            }
            if !are_named && began.elapsed() >= NAMED_AFTER {
                are_named = true;
                self.name_programs();
            }
            std::thread::sleep(LOOK_AGAIN);
        }
        Mode::Quiesce
    }

    /// Says for which programs the end waits, and how long.
    fn name_programs(&self) {
        let Some(programs) = self.programs() else { return };
        let inserts = [self.name.to_string(), self.quiesce_within.as_secs().to_string(), programs];
        if self.is_own_process {
            self.common.errors.write_and_say(&QUEUE_MANAGER_WAITS, inserts);
        } else {
            self.common.errors.write(&QUEUE_MANAGER_WAITS, inserts);
        }
    }

    /// The programs that are connected, in words; none when there are none any more, or the log has failed.
    fn programs(&self) -> Option<String> {
        let display = objects::mqsc::parse("DISPLAY CONN(*) APPLTAG PID").ok()?.pop()?;
        let queue_manager = &self.common.queue_manager;
        let shown =
            self.common.host.waiting.durability.open(queue_manager, queue_manager.execute(&display).map(Ok));
        let programs: Vec<String> = shown.ok()?.ok()?.rows.iter().map(program).collect();
        let (named, rest) = programs.split_at(programs.len().min(NAMED_MAX));
        match (named, rest.len()) {
            ([], _) => None,
            (_, 0) => Some(named.join(", ")),
            (_, more) => Some(format!("{} and {more} more", named.join(", "))),
        }
    }

    fn wait_for_reactors(&self, until: Instant) {
        while Instant::now() < until && self.reactors.iter().any(|thread| !thread.is_finished()) {
            if self.common.ending.more_urgent_than(Mode::Immediate).is_some() {
                return;
            }
            std::thread::sleep(LOOK_AGAIN);
        }
    }
}

/// A program of DISPLAY CONN, with its process where that is known.
fn program(row: &Row) -> String {
    let value = |keyword: &str| {
        let field = row.fields.iter().find(|field| field.attribute.keyword == keyword)?;
        Some(field.value.shown(field.attribute))
    };
    let name = value("APPLTAG").unwrap_or_default();
    match value("PID").filter(|process| process != "0") {
        Some(process) => format!("{name} (process {process})"),
        None => name,
    }
}
