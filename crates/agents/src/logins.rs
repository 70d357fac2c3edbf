//! Judgement of logins by the host, as an agent asks for it.
//!
//! Lives here: the question, the verdict, and the state of a login. Lives elsewhere: users and
//! their passwords (the host), the frames that carry credentials (`channel`).
//!
//! Always: a verdict that takes time comes from another thread, once; an agent that is gone is told nothing.

use std::net::IpAddr;
use std::sync::{Arc, Weak};

use channel::Credentials;
use mqi::Reason;
use queue_manager::{CallFault, Caller, LoginCall, LoginFault, LoginNumber};
use security::cover::Encryption;
use security::{NameError, Principal, check_name};

use crate::agent::LocalUser;

/// A login, by what the program or the partner says and what the host knows of it.
#[derive(Clone, Debug)]
pub struct Login {
    /// The user that the system vouches for.
    pub local: Option<LocalUser>,
    /// The address of a program that comes by a network.
    pub address: Option<IpAddr>,
    /// The encryption of the connection, with the names in a certificate that was proved.
    pub encryption: Encryption,
    /// True for one that comes by a network.
    pub is_by_network: bool,
    /// The party that logs in.
    pub caller: Caller,
    /// The queue manager that the program wants; blank for any.
    pub wanted: String,
    /// The channel that the program names; blank for the default.
    pub channel: String,
    /// The user that the program asserts.
    pub asserted: String,
    /// The proof of a user, if the program gives one.
    pub credentials: Option<Credentials>,
    /// The name that a queue manager says to have; none for a program.
    pub queue_manager: Option<String>,
    /// The name that a program says to have, for an administrator; blank where it says none.
    pub application: String,
}

impl Login {
    /// Checks the names of users in it, before any of them is looked at further.
    ///
    /// # Errors
    /// When no rule and no record could mean one of them.
    pub fn check_names(&self) -> Result<(), NameError> {
        let proved = self.credentials.as_ref().and_then(Credentials::proof).map_or("", |(user, _)| user);
        let vouched = self.local.as_ref().map_or("", |user| &user.name);
        [&self.asserted, proved, vouched].into_iter().try_for_each(check_name)
    }

    /// The login, as far as it is judged without its user.
    #[must_use]
    pub fn call(&self) -> LoginCall<'_> {
        LoginCall {
            caller: self.caller,
            queue_manager: &self.wanted,
            channel: &self.channel,
            encryption: &self.encryption,
            is_by_network: self.is_by_network,
        }
    }

    /// The refusal for a fact beside the user, told as it is.
    #[must_use]
    pub fn denied(&self, fault: CallFault) -> Box<Denial> {
        let CallFault { reason, text, kind } = fault;
        let cause = match &self.queue_manager {
            Some(name) => format!("queue manager {name}: {text}"),
            None => text.clone(),
        };
        Box::new(Denial {
            reason,
            told: text,
            channel: self.channel.clone(),
            user: self.asserted.clone(),
            cause,
            kind,
            certificate: self.encryption.subject(),
        })
    }
}

/// Work that would hold a reactor up.
pub type Work = Box<dyn FnOnce() + Send>;

/// The judge of logins: a host that has users.
pub trait Logins: Send + Sync {
    /// Judges a login, at once or on a thread that may take its time.
    fn judge(&self, login: Login, waits: Weak<dyn AwaitsVerdict>) -> Judging;

    /// Takes work that would hold a reactor up, to be done soon on a thread that may take its time.
    ///
    /// # Errors
    /// With the work, where there is no such thread or too much waits for it.
    fn take_work(&self, work: Work) -> Result<(), Work> {
        Err(work)
    }
}

/// The state of a judgement.
#[derive(Debug)]
pub enum Judging {
    /// The login is judged.
    Done(Verdict),
    /// The verdict comes later.
    Later,
}

/// The place for a verdict that comes later.
pub trait AwaitsVerdict: Send + Sync {
    /// Takes the verdict.
    fn take(&self, verdict: Verdict);
}

/// The verdict on a login.
pub type Verdict = Result<Admission, Box<Denial>>;

/// A login that is let in.
#[derive(Clone)]
pub struct Admission {
    /// The user that acts.
    pub principal: Principal,
    /// The state of the login, where that may end.
    pub standing: Option<Arc<dyn Standing>>,
}

impl std::fmt::Debug for Admission {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Admission").field(&self.principal).finish()
    }
}

/// The state of a login: its user may be locked, expire or be removed, its certificate be revoked, and a rule
/// may refuse it by now.
pub trait Standing: Send + Sync {
    /// Returns true while the login lets in. Called about once a second.
    fn holds(&self) -> bool;
    /// The number by which the host knows the login, where it keeps logins.
    fn number(&self) -> Option<LoginNumber> {
        None
    }
}

/// A login that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denial {
    /// The reason that the program is given.
    pub reason: Reason,
    /// The words that the program is given: the same for every fault of credentials.
    pub told: String,
    /// The channel that the program named, for the record.
    pub channel: String,
    /// The user, for the error log.
    pub user: String,
    /// The cause, for the error log.
    pub cause: String,
    /// The kind of cause, for an event.
    pub kind: LoginFault,
    /// The name in the certificate of the program; blank without one.
    pub certificate: String,
}
