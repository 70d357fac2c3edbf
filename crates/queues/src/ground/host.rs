//! The demands of the engine on its host.

use std::panic::Location;

use mqi::Reason;
use objects::Message;
use platform::WallTime;
use security::Principal;
use security::authority::Entity;

use super::explanation::Explanation;
use super::request::{Carried, ListenerState, Request};

/// The host that runs the engine: a reactor, an application's own threads, the simulator. Called under engine
/// locks: implementations only note the fact and wake a thread.
pub trait Host: Send + Sync {
    /// Reports that the log has work and no known driver: a thread must call `QueueManager::drive`.
    fn log_has_work(&self);
    /// The log is durable further than before: gated output may be released.
    fn durable_advanced(&self);
    /// Reports that a [`Job`] waits in `QueueManager::take_job`: a thread that may block must run it.
    fn job_waits(&self);
    /// The earliest thing housekeeping must do moved nearer: call `QueueManager::tick` soon.
    fn tick_wanted(&self);
    /// Something an administrator should know: one numbered event for the error log.
    fn event(&self, event: &Event);
    /// A request that the rules refused, for the record of an administrator. A host that keeps none loses it.
    /// Returns the number by which it is found: its own, or one for a refusal that is counted with its like.
    fn audit(&self, refusal: &Refusal) -> u64 {
        refusal.id
    }
    /// The groups of a user that is only named: an alternate user, or the user of a message. Called on any
    /// thread, and does not wait; a user that is not known has none.
    fn groups(&self, user: &str) -> Vec<Box<str>> {
        let _ = user;
        Vec::new()
    }
    /// The one user whose messages carry this UserIdentifier; none where it is not known, or there are
    /// several.
    fn user_of_identifier(&self, identifier: &str) -> Option<Box<str>> {
        let _ = identifier;
        None
    }
    /// Returns true where [`groups`](Self::groups) knows the users of logins: their groups are then asked
    /// for at each judgement, and those that a login found do not count.
    fn has_users(&self) -> bool {
        false
    }
    /// Carries out a request of a command. Called without locks, on a thread that may block. A host that has
    /// no listeners has nothing to stop, and starts none.
    fn request(&self, request: &Request) -> Carried {
        match request {
            Request::StopListener(_) => Carried::RunsNot,
            // A host without users and keys has none to read.
            Request::RefreshSecurity(_) => Carried::Refreshed,
            Request::KeepSecrets(_) => {
                Carried::Refused("the process of the queue manager keeps no secrets".to_owned())
            }
            Request::AwaitPing(_) => {
                Carried::Refused("the process of the queue manager runs no message channels".to_owned())
            }
            Request::StartListener(_) | Request::ChangeListener(_) => {
                Carried::Refused("the process of the queue manager accepts no connections".to_owned())
            }
        }
    }
    /// Returns true for a user that a login makes an administrator. A host that has no users knows none.
    fn is_administrator(&self, user: &str) -> bool {
        let _ = user;
        false
    }
    /// Returns true where a login can prove a user of this name, or a user can be in a group of this name. A
    /// host that has no users cannot tell, and misses none. Called without locks.
    fn knows(&self, entity: Entity<'_>) -> bool {
        let _ = entity;
        true
    }
    /// Returns true while other machines reach the queue manager without the protection that requires.
    fn is_exposed(&self) -> bool {
        false
    }
    /// Warnings about its keys and certificates, for answers about the queue manager.
    fn security_warnings(&self) -> Vec<Message> {
        Vec::new()
    }
    /// The programs and partners that are connected, and the last that were, each with the verdict of the
    /// rules as they are now; as if there were a user, key or authority record, where `is_judging` says so.
    /// The connection that asks is left out, and is not kept once it has ended. Called without locks of
    /// logins. A host without users lets in everybody.
    fn judged_logins(&self, is_judging: bool, asker: Option<LoginNumber>) -> Vec<JudgedLogin> {
        let _ = (is_judging, asker);
        Vec::new()
    }
    /// Returns true where it has a key of this label. A host without a key store is asked nothing of it.
    fn has_key(&self, label: &str) -> bool {
        let _ = label;
        true
    }
    /// Returns true for a host that keeps secrets of definitions apart from them.
    fn keeps_secrets(&self) -> bool {
        false
    }
    /// The listeners that run, by name.
    fn listeners(&self) -> Vec<ListenerState> {
        Vec::new()
    }
    /// True for a host that dials for message channels and serves those that partners call.
    fn runs_channels(&self) -> bool {
        false
    }
    /// A message channel is to call, or something is to be told of one: call `Channels::dials`
    /// soon.
    fn channel_wanted(&self) {}
    /// The number of the process; 0 where it has none.
    fn process(&self) -> u32 {
        0
    }
    /// The name of the machine; blank where it has none.
    fn machine(&self) -> String {
        String::new()
    }
    /// The log failed. Nothing more becomes durable; end the process with a first-failure record.
    fn failed(&self, failure: &storage::Fatal);
}

/// The number of a login that a host let in: no two have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoginNumber(pub u64);

/// A login that was let in before, judged again.
#[derive(Debug)]
pub struct JudgedLogin {
    /// The channel that it comes by.
    pub channel: String,
    /// The program or partner, its user and its origin, for an administrator.
    pub words: String,
    /// The user that it would act as, or the cause of a refusal.
    pub verdict: Result<Principal, String>,
}

/// One event for the error log.
#[derive(Clone, Debug)]
pub struct Event {
    /// Number and severity as in `objects::messages`, for example `FRY6729W`.
    pub id: &'static str,
    /// The values the message text names, in order.
    pub inserts: Vec<String>,
    /// The place in the program where it was noted.
    pub source: &'static Location<'static>,
}

impl Event {
    /// An event that is noted where this is called.
    #[must_use]
    #[track_caller]
    pub fn new(id: &'static str, inserts: Vec<String>) -> Self {
        Self { id, inserts, source: Location::caller() }
    }
}

/// A request that was refused, as the audit record has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A random number, by which the record is found.
    pub id: u64,
    /// The time of the request.
    pub at: WallTime,
    /// The user, and the source of the identity.
    pub user: Principal,
    /// The object: its kind, its name, and the text behind it.
    pub object: String,
    /// The verb or command, with its options.
    pub options: String,
    /// The reason that the program was given.
    pub reason: Reason,
    /// The right that is missing, where authority records decided.
    pub explanation: Option<Explanation>,
    /// The facts about a login that was refused; none for a request of a program that is let in.
    pub login: Option<LoginFacts>,
}

/// A login that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginFacts {
    /// The place that it came from.
    pub origin: String,
    /// The cause, with the record of channel rules that decided, if one did.
    pub cause: String,
}

/// Work that may block on the disk (reading an evicted body back) and so is not done by a reactor.
pub struct Job(pub Box<dyn FnOnce() + Send>);

impl Job {
    /// Runs the job.
    pub fn run(self) {
        (self.0)();
    }
}
