//! The calls from a host to the agent of a connection, in any protocol, and the types they exchange besides
//! bytes.

use amqp::Condition;
use bytes::{Bytes, BytesMut};
use channel::{Conversation, RequestNumber, Statistics, StopMode};
use mqi::Reason;
use platform::Monotonic;
use security::Principal;
use security::cover::Encryption;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use storage::{Durable, Lsn};
use wire::Output;

use crate::logins::Denial;

/// The agent of one connection.
///
/// Bytes from the socket go to [`receive`](Self::receive), which the host calls again while
/// [`has_more`](Self::has_more). At the end of the tick [`release`](Self::release), with proof of durability,
/// fills the connection's output for the host to write. [`Wake`] says that another thread completed
/// something, so that `release` is due. On an error the host calls [`farewell`](Self::farewell), writes what
/// it can and drops the agent.
///
/// The answers given here are those of an agent that has nothing to send, holds no request back and asks
/// nothing of the host, as of a connection whose protocol is not known yet.
pub trait Agent {
    /// Decodes whole frames and runs them, up to the bound of one call. An incomplete frame stays in `input`.
    ///
    /// # Errors
    /// When the connection is at its end.
    fn receive(&mut self, input: &mut BytesMut) -> Result<(), Close>;

    /// Returns true if `input` may still have whole frames that the last call had no turn for, and there is
    /// room for their output.
    fn has_more(&self) -> bool {
        false
    }

    /// Returns true once the program has logged in.
    fn is_let_in(&self) -> bool;

    /// Returns true if the host should read more from the socket: not while too much waits to be written, nor
    /// while the first request waits (see [`is_paced`](Self::is_paced)).
    fn wants_input(&self) -> bool {
        true
    }

    /// Returns true while the request at the front of the input waits: a put for room in the log or for the
    /// put before it, or a request for the outcome of a wait. The host calls [`receive`](Self::receive) again
    /// soon, without more input.
    fn is_paced(&self) -> bool {
        false
    }

    /// Returns true if the last call of `receive` left a request at the front of the input, even if what it
    /// waited for has come since: more input alone does not bring it another turn.
    fn holds_back(&self) -> bool {
        false
    }

    /// Returns true if requests were put aside: the host calls [`release`](Self::release) again soon.
    fn has_put_aside(&self) -> bool {
        false
    }

    /// Returns true if a request waits some microseconds for one that is about to come: the host looks at its
    /// sockets again at once, and calls [`receive`](Self::receive) and [`release`](Self::release) again.
    fn expects_getter(&self) -> bool {
        false
    }

    /// Sends what may be known outside, as far as the log is durable and `output` has room. Returns true if
    /// it must be called again once `output` was written.
    fn release(&mut self, _proof: Durable, _output: &mut Output) -> bool {
        false
    }

    /// The least position the log must reach before something more can be sent.
    fn lowest_need(&self) -> Option<Lsn> {
        None
    }

    /// Programs that wait until the log is durable further.
    fn waiting_for_log(&self) -> usize {
        0
    }

    /// Takes what other connections left, and waits for more where messages come by credit: for a host with
    /// many putters in one tick. Sending is left to [`release`](Self::release).
    fn go_on(&mut self) {}

    /// Time passes: heartbeats and limits of patience. Call about once a second, and `release` after it.
    ///
    /// # Errors
    /// When the connection is at its end.
    fn tick(&mut self, now: Monotonic) -> Result<(), Close>;

    /// The time of the next thing that is due by the clock, where it may come before the next
    /// [`tick`](Self::tick): the host calls `tick` and [`release`](Self::release) then.
    fn due(&self) -> Option<Monotonic> {
        None
    }

    /// Returns the reason to end the connection, once everything is out, if an administrator ended all that
    /// goes over it.
    fn stopped(&self) -> Option<Close> {
        None
    }

    /// Writes a last word on why the connection ends.
    fn farewell(&mut self, _close: &Close, _output: &mut Output) {}

    /// The next thing only the host can do.
    fn take_control(&mut self) -> Option<Control> {
        None
    }

    /// Answers it.
    fn answer(&mut self, _control: &Control, _answer: &Answer) {}

    /// The silence after which the system is to probe the other end, told once. Asked for about once a
    /// second.
    fn take_keep_alive(&mut self) -> Option<Duration> {
        None
    }

    /// Ends all that goes over the connection without a word of its programs: cancels waits, returns
    /// undelivered messages to their queues, backs out open units of work. Dropping does the same.
    fn close(self)
    where
        Self: Sized,
    {
    }
}

/// Wakes the writer of a connection's output.
pub trait Wake: Send + Sync {
    /// Reports that the connection has completions to send. Called from other threads, under locks of the
    /// engine: note it and wake the thread that calls [`release`](Agent::release), nothing else.
    fn wake(&self);
}

/// Facts about the other side that the host knows without asking it.
#[derive(Clone, Debug, Default)]
pub struct PeerInfo {
    /// Where it is, as shown by DISPLAY CONN: `tcp 127.0.0.1:4711`, `unix`.
    pub origin: String,
    /// The user the operating system vouches for; stands over what the client says.
    pub user: Option<LocalUser>,
    /// The process the operating system vouches for; stands over what the client says.
    pub process: Option<u32>,
    /// True for a program that comes by a network, of this machine or another: it comes by a channel, and
    /// by the default one where it names none.
    pub is_by_network: bool,
    /// The address of a program that comes by a network.
    pub address: Option<IpAddr>,
    /// The address of this end of such a connection.
    pub local: Option<SocketAddr>,
    /// The encryption of the connection.
    pub encryption: Encryption,
    /// When it connected, from which the time for its login counts, whichever agents it has had; the first
    /// tick where that is not known.
    pub accepted: Option<Monotonic>,
    /// The limit of connections, where all places are taken: the program is told so once its login is proved.
    pub beyond: Option<usize>,
}

impl PeerInfo {
    /// Refuses a program or a partner for which there is no place.
    pub(crate) fn check_place(&self) -> Result<(), Close> {
        let Some(connections_max) = self.beyond else { return Ok(()) };
        let text = format!("{connections_max} connections are there, and no more are allowed");
        Err(Close::Refused { reason: Reason::MAX_CONNS_LIMIT_REACHED, text })
    }
}

/// A user of this machine.
#[derive(Clone, Debug)]
pub struct LocalUser {
    /// The name.
    pub name: String,
    /// True for the user that the process of the queue manager runs as: its login is one of an administrator.
    pub is_owner: bool,
}

/// Something only the host can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// End the queue manager.
    Stop(StopMode, Ticket),
    /// Tell this reader the counters of queue manager and process, and of the queues that it may display.
    Statistics(Principal, Ticket),
    /// Tell this reader the figures of the board, and of the objects that it may display.
    Figures(Principal, Ticket),
}

/// Names the request a host answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    pub(crate) conversation: Conversation,
    pub(crate) request: RequestNumber,
    /// The position that the right to ask depends on.
    pub(crate) need: Lsn,
}

impl Ticket {
    /// A request of a conversation, whose right its answer depends on by itself.
    pub(crate) fn of_request(conversation: Conversation, request: RequestNumber) -> Self {
        Self { conversation, request, need: Lsn::ZERO }
    }

    /// The request of a link, whose attach a job answers.
    pub(crate) fn of_link(link: u32, need: Lsn) -> Self {
        Self { conversation: Conversation::CONNECTION, request: RequestNumber(link), need }
    }

    /// The link.
    pub(crate) fn link(&self) -> u32 {
        self.request.0
    }
}

/// The host's answer to a [`Control`].
#[derive(Clone, Debug)]
pub enum Answer {
    /// The stop is under way.
    Stopping,
    /// The counters.
    Statistics(Statistics),
    /// The figures, as bytes; none where none are made yet.
    Figures(Bytes),
    /// It cannot be done.
    Failed(Reason),
}

/// Why a connection is at its end.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Close {
    /// The client said so.
    #[error("the client disconnected")]
    Disconnected,
    /// The input does not follow the protocol.
    #[error("{0}")]
    Protocol(#[from] channel::Error),
    /// A client of AMQP is at fault.
    #[error("{0}")]
    Fault(amqp::Fault),
    /// An administrator ended all its conversations.
    #[error("the connection was ended by STOP CONN")]
    Stopped,
    /// An administrator ended the instance of its channel.
    #[error("the connection was ended by STOP CHANNEL")]
    ChannelStopped,
    /// A message channel ended as it should.
    #[error("the message channel ended")]
    ChannelEnded,
    /// A message channel ended by a fault, of which the partner was told.
    #[error("{text}")]
    ChannelFailed {
        /// The channel.
        channel: String,
        /// The reason.
        reason: Reason,
        /// The words for a person.
        text: String,
    },
    /// The client was not let in.
    #[error("{text}")]
    Refused {
        /// Reason that the program is given.
        reason: Reason,
        /// The words for a person.
        text: String,
    },
    /// Its login was judged, and refused.
    #[error("{}", .0.cause)]
    Denied(Box<Denial>),
    /// Its login would not let it in any more.
    #[error(
        "its login does not let it in any more: its user is locked, has expired or was removed, or a rule refuses it"
    )]
    UserEnded,
    /// The client began a frame, or the login, and did not finish it.
    #[error("the client did not finish {what} within {seconds} seconds")]
    Unfinished {
        /// The part that it began.
        what: &'static str,
        /// Time that it had.
        seconds: u16,
    },
    /// The client does not read, and others wait until it has what they put.
    #[error("the client has read nothing for {seconds} seconds while others wait for it")]
    Stalled {
        /// Time without progress.
        seconds: u64,
    },
    /// The client asks for nothing.
    #[error("the client has asked for nothing for {seconds} seconds, the DISCINT of its channel")]
    Idle {
        /// DISCINT.
        seconds: u32,
    },
    /// The client does not answer.
    #[error("the client has not answered a heartbeat for {seconds} seconds")]
    Silent {
        /// Time without a sign.
        seconds: u64,
    },
}

impl Close {
    /// The reason, where its words do not say it.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Self::Refused { reason, .. } | Self::ChannelFailed { reason, .. } => Some(*reason),
            _ => None,
        }
    }

    /// Returns true if what the other side sent breaks its protocol; false where this side ends it for a
    /// bound, a right or a time.
    #[must_use]
    pub fn breaks_protocol(&self) -> bool {
        match self {
            // Releases without a version in common.
            Self::Protocol(channel::Error::Version { .. }) => false,
            Self::Protocol(_) => true,
            Self::Fault(fault) => !matches!(
                fault.condition,
                Condition::InternalError
                    | Condition::NotFound
                    | Condition::UnauthorizedAccess
                    | Condition::ResourceLimitExceeded
                    | Condition::ResourceLocked
                    | Condition::ResourceDeleted
                    | Condition::ConnectionForced
                    | Condition::Stolen
            ),
            _ => false,
        }
    }

    /// Returns true if the other side speaks another protocol.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        matches!(self, Self::Protocol(channel::Error::Foreign(_)))
    }
}
