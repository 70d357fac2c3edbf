//! The thread that waits for the wish to end and brings the end about, in order: applications, connections,
//! threads, engine.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mqi::QueueManagerName;
use objects::messages::{QUEUE_MANAGER_ENDED, QUEUE_MANAGER_ENDS};
use queue_manager::{ChannelAsk, Quiesce};

use crate::control::Keeping;
use crate::ending::{Mode, Phase};
use crate::health::Service;
use crate::running::{Notes, State};
use crate::serving::Common;
use crate::threads::Threads;

/// Time that an immediate end waits for the last answers to be taken.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Interval at which an end checks if connections are gone.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// Waits for the end and brings it about.
pub(crate) struct Keeper {
    pub(crate) common: Common,
    pub(crate) name: QueueManagerName,
    pub(crate) reactors: Vec<JoinHandle<()>>,
    pub(crate) threads: Threads,
    pub(crate) notes: Arc<Notes>,
    pub(crate) quiesce_within: Duration,
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
            self.common.queue_manager.end_channels(ChannelAsk::Quiesce);
            mode = self.wait_for_disconnects();
        }
        if mode != Mode::Preemptive {
            ending.enter(Phase::Refuses);
            self.common.queue_manager.quiesce(Quiesce::Immediate);
            self.common.queue_manager.end_channels(ChannelAsk::Force);
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
        if self.common.queue_manager.holds_its_files() {
            self.notes.leave(mode);
        }
        // Asked until now.
        let was_served = self.service.take().is_some();
        if was_served && self.common.queue_manager.holds_its_files() {
            // One that is left behind names a process that is gone.
            let _ = std::fs::remove_file(self.notes.own_folder().health());
        }
        self.common.errors.write(&QUEUE_MANAGER_ENDED, [self.name.to_string()]);
        // The process may end before the thread that writes comes to it.
        self.common.errors.flush();
    }

    fn say_ending(&self, mode: Mode, by: &str) {
        self.common.errors.write(&QUEUE_MANAGER_ENDS, [self.name.as_str(), mode.word(), by]);
        if !self.common.queue_manager.holds_its_files() {
            return;
        }
        // Where it cannot be written, it seems to run until it is gone.
        let _ = self.notes.enter(State::Ending(mode), || self.common.host.listeners.states());
    }

    /// Waits until all programs have disconnected; longer than allowed, or a more urgent wish, is a more
    /// urgent end.
    fn wait_for_disconnects(&self) -> Mode {
        let until = Instant::now() + self.quiesce_within;
        while self.common.queue_manager.connections() > 0 {
            if let Some((mode, by)) = self.common.ending.more_urgent_than(Mode::Quiesce) {
                self.say_ending(mode, &by);
                return mode;
            }
            if Instant::now() >= until {
                self.say_ending(Mode::Immediate, "the limit of stop.quiesce_seconds");
                return Mode::Immediate;
            }
            std::thread::sleep(LOOK_AGAIN);
        }
        Mode::Quiesce
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
