//! The facts of a login beside its user, judged in one order for every protocol.
//!
//! Lives here: the queue manager that a caller wants, its channel, the encryption of its connection. Lives
//! elsewhere: the decision who is told of it (the host's judge of logins), instances and their limits.
//!
//! Always: nothing is made, and no instance begins.

use mqi::Reason;
use mqi::constants::{MQCHAD_ENABLED, MQIA_CHANNEL_AUTO_DEF};
use queues::ground::login::LoginFault;
use security::cover::{Encryption, Refusal};

use super::client::CLIENT_CHANNEL;
use super::logins::Logins;
use crate::message_channels::CallRefusal;

/// The kind of party that logs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A program, by the channel protocol.
    Program,
    /// A client of AMQP.
    AmqpClient,
    /// A queue manager, for a message channel.
    QueueManager {
        /// True when it sends messages; else it asks for them.
        sends: bool,
    },
}

/// A login, as far as it is judged without its user.
#[derive(Clone, Copy, Debug)]
pub struct LoginCall<'a> {
    /// The party.
    pub caller: Caller,
    /// The queue manager that it wants; blank for any.
    pub queue_manager: &'a str,
    /// The channel that it names; blank for the default.
    pub channel: &'a str,
    /// The encryption of its connection.
    pub encryption: &'a Encryption,
    /// True for one that comes by a network.
    pub is_by_network: bool,
}

/// A fact for which a login is refused, whatever its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallFault {
    /// The reason.
    pub reason: Reason,
    /// The fact in words.
    pub text: String,
    /// The kind of fact, for an event.
    pub kind: LoginFault,
}

impl CallFault {
    fn other(reason: Reason, text: String) -> Self {
        Self { reason, text, kind: LoginFault::Other }
    }

    fn of_cover(channel: &str, refusal: &Refusal) -> Self {
        let text = format!("channel {channel}: {refusal}");
        Self { reason: Reason::from_code(refusal.code()), text, kind: LoginFault::Cover(refusal.into()) }
    }
}

impl Logins<'_> {
    /// Judges a login by all but its user: first the name of the queue manager, then the channel of the
    /// handshake, the channel and its type, and its encryption.
    ///
    /// # Errors
    /// The first fact for which the login is refused.
    pub fn judge(&self, call: &LoginCall<'_>) -> Result<(), CallFault> {
        let name = self.queue_manager().name();
        if !call.queue_manager.is_empty() && name != call.queue_manager {
            let text = format!(
                "this is queue manager {name}, not {}; connect to it by its name or without one",
                call.queue_manager
            );
            return Err(CallFault::other(Reason::Q_MGR_NAME_ERROR, text));
        }
        let channel = match call.channel {
            // A program of the machine that names no channel comes by none.
            "" if call.caller == Caller::Program && !call.is_by_network => return Ok(()),
            "" if call.caller == Caller::Program => CLIENT_CHANNEL,
            channel => channel,
        };
        let uncovered = |refusal: Refusal| CallFault::of_cover(channel, &refusal);
        call.encryption.judge_channel(channel).map_err(uncovered)?;
        let terms = match call.caller {
            Caller::Program | Caller::AmqpClient => {
                let found = match call.caller {
                    Caller::Program => self.client_terms(channel).map(drop),
                    _ => self.amqp_terms(channel).map(drop),
                };
                found.map_err(|refusal| CallFault::other(refusal.reason(), refusal.to_string()))?;
                self.queue_manager().channels().cover(channel).map(|cover| cover.terms)
            }
            Caller::QueueManager { sends } => {
                let refused = |refusal: CallRefusal| CallFault::other(refusal.reason(), refusal.to_string());
                match self.engine().directory.message_channel(channel).0 {
                    // One that is made for the caller is made after the rules let it in.
                    None if sends && self.defines_receivers() => None,
                    None => return Err(refused(CallRefusal::Unknown(channel.to_owned()))),
                    Some(found) if found.kind.sends() == sends => {
                        let kind = found.kind.object_type();
                        return Err(refused(CallRefusal::OfOtherType { name: found.name, kind }));
                    }
                    Some(found) => Some(found.cover()),
                }
            }
        };
        let judged = terms.map_or(Ok(()), |terms| terms.and_then(|terms| terms.judge(call.encryption)));
        judged.map_err(uncovered)
    }

    /// Says if receivers are made for partners that name a channel which is not there.
    fn defines_receivers(&self) -> bool {
        let manager = self.engine().directory.catalogue.manager();
        manager.definition.integer(MQIA_CHANNEL_AUTO_DEF) == MQCHAD_ENABLED
    }
}
