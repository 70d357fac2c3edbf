//! Requests of commands to the process that runs the engine.
//!
//! Lives here: the requests and their answers. Lives elsewhere: carrying them out (the host), the commands
//! that make them (`command`).
//!
//! Always: a request is made without any lock held, on a thread that may block: by a job, or by the caller
//! that has the queue manager in its own process.

use std::fmt;

use mqi::ObjectName;
use objects::mqsc::Refreshing;
use objects::{Family, ListenerAttributes, Moment};

/// A request to the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Accept connections as a listener says.
    StartListener(ListenerAttributes),
    /// Accept no more by a listener.
    StopListener(ObjectName),
    /// Go on as the definition of a listener that runs says now.
    ChangeListener(ListenerAttributes),
    /// Await the outcome of the ping of a channel, which has this number among those that the host dials for.
    AwaitPing(u64),
    /// Keep secrets of an object, or forget them.
    KeepSecrets(SecretChanges),
    /// Read users or keys again, and judge the connections that are there by what holds now.
    RefreshSecurity(Refreshing),
}

/// Changes of the secrets of one object.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretChanges {
    /// The kind of the object.
    pub family: Family,
    /// Its name; blank for the queue manager.
    pub name: String,
    /// Attributes, each with the secret to keep; with none, what was kept of it is forgotten.
    pub changes: Vec<(&'static str, Option<String>)>,
}

impl fmt::Debug for SecretChanges {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keywords: Vec<&str> = self.changes.iter().map(|(keyword, _)| *keyword).collect();
        write!(formatter, "SecretChanges({:?} {} {keywords:?})", self.family, self.name)
    }
}

/// The outcome of a request that the host carried out or refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carried {
    /// Connections are accepted at this address.
    Listens(String),
    /// The listener ran already, at this address.
    Ran(String),
    /// The listener has stopped.
    Stopped,
    /// The listener does not run.
    RunsNot,
    /// The partner answered after so many microseconds.
    Pinged(u64),
    /// Connections are judged again.
    Refreshed,
    /// The secrets are kept, and those to be forgotten are gone.
    Kept,
    /// The host could not do it, and why.
    Refused(String),
}

/// The state of a listener that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListenerState {
    /// The attributes that it runs with.
    pub attributes: ListenerAttributes,
    /// The address and port that it accepts connections on.
    pub address: std::net::SocketAddr,
    /// The time at which it started.
    pub started: Moment,
}
