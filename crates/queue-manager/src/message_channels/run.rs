//! One instance of a message channel: the words between commands and its agent.
//!
//! Always: a run's own lock is never held while the table's is taken.

use std::fmt;
use std::sync::{Arc, Weak};

use mqi::constants::*;
use mqi::{ObjectName, Reason};
use objects::{ChannelAttributes, Moment};
use platform::sync::Mutex;
use queues::ground::growth::GrowthRefusal;
use security::cover::Encryption;

use super::progress::{ChannelProgress, RunningState};
use super::tally::{ChannelTally, Tallied};
use super::wanted::{LastError, Partner, Standing};
use crate::channel_seats::{ChannelsFull, Seat};

/// The table that an instance is in.
pub(super) trait Table: Send + Sync {
    /// An instance met its partner, or began to run.
    fn proceeds(&self, run: &Run, met: Option<&str>, runs_now: bool);

    /// An instance is over.
    fn over(&self, run: &Arc<Run>);

    /// An instance goes on with a fault, or without it again.
    fn note_fault(&self, run: &Run, fault: Option<LastError>);

    /// An event is to be told.
    fn tell(&self, event: Event);
}

/// The request of a partner that called.
#[derive(Clone, Copy, Debug)]
pub struct ChannelCall<'a> {
    /// The channel that it names.
    pub channel: &'a str,
    /// The place that it comes from, as the host has it: `tcp 10.0.0.7:4711`.
    pub address: &'a str,
    /// Its name.
    pub partner: &'a str,
    /// Its QMID.
    pub partner_identifier: &'a str,
    /// True when the caller sends messages; else it asks for them.
    pub sends: bool,
    /// The user that its login let it in as; none where nothing is judged.
    pub user: Option<&'a str>,
    /// The encryption of its connection.
    pub encryption: &'a Encryption,
}

/// The reason for which a partner's call is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallRefusal {
    /// The channel is not defined.
    #[error("there is no channel {0:?} here: check its name, upper and lower case included, or define it")]
    Unknown(String),
    /// The channel is not defined, and the calls of partners have made as many as they may.
    #[error("there is no channel {channel:?} here, and none is made: {refusal}")]
    Beyond {
        /// The channel.
        channel: String,
        /// The bound.
        refusal: GrowthRefusal,
    },
    /// It is of a type that does not fit the caller's.
    #[error("the channel {name} has CHLTYPE({}), which does not go with the caller's", kind.subtype().unwrap_or_default())]
    OfOtherType {
        /// The channel.
        name: ObjectName,
        /// Its type.
        kind: objects::ObjectType,
    },
    /// A command stopped it.
    #[error("the channel {0} is stopped: START CHANNEL lets it run again")]
    Stopped(ObjectName),
    /// It runs already.
    #[error("the channel {0} runs already, and has one connection with each partner")]
    Runs(ObjectName),
    /// A partner at another address has its place, and is asked for a sign.
    #[error(
        "{} has the channel {channel} under this QMID, {identifier}, and is asked for a sign: {} takes its place if \
         none comes. If both answer, one is a copy of the other: end the copy",
        addresses[0],
        addresses[1]
    )]
    Elsewhere {
        /// The channel.
        channel: ObjectName,
        /// The QMID.
        identifier: String,
        /// The address that has the channel, and that of the caller.
        addresses: Box<[String; 2]>,
    },
    /// The line with this partner began with another certificate.
    #[error(
        "the line of channel {channel} with queue manager {partner} began with the certificate of {}, and {} is shown: \
         RESET CHANNEL({channel}) begins a new line, with the certificate that comes next",
        names[0],
        shown_words(&names[1])
    )]
    OtherCertificate {
        /// The channel.
        channel: String,
        /// The name that the partner says to have.
        partner: String,
        /// The name in that certificate, and the name in the one that is shown.
        names: Box<[String; 2]>,
    },
    /// A partner that acts as another user has its place.
    #[error(
        "a partner that acts as another user is connected by channel {channel} under this QMID, {identifier}: give each \
         queue manager a channel of its own"
    )]
    OfAnother {
        /// The channel.
        channel: ObjectName,
        /// The QMID.
        identifier: String,
    },
    /// As many run as may.
    #[error("{0}")]
    TooMany(ChannelsFull),
    /// The channel is a sender, which calls back.
    #[error("the channel {0} is a sender: it calls the requester itself, at its CONNAME")]
    CallsBack(ObjectName),
    /// Its connection is not encrypted as the channel asks.
    #[error("{0}")]
    Cover(security::cover::Refusal),
    /// The queue manager ends.
    #[error("the queue manager ends: the channel is tried again")]
    Ends,
    /// The process of the queue manager runs none.
    #[error("the process of the queue manager runs no message channels")]
    NoChannels,
}

fn shown_words(name: &str) -> String {
    if name.is_empty() { "none".to_owned() } else { format!("that of {name}") }
}

impl CallRefusal {
    /// The words for the partner, which is not told the name of another.
    #[must_use]
    pub fn told(&self) -> String {
        match self {
            Self::OtherCertificate { channel, names, .. } => format!(
                "the line of channel {channel} began with another certificate, and {} is shown: a person at this end \
                 has to begin a new line",
                shown_words(&names[1])
            ),
            refusal => refusal.to_string(),
        }
    }

    /// The reason for the partner.
    #[must_use]
    pub fn reason(&self) -> Reason {
        match self {
            Self::Unknown(_) => Reason::UNKNOWN_CHANNEL_NAME,
            Self::Beyond { .. } => Reason::RESOURCE_PROBLEM,
            Self::Ends => Reason::Q_MGR_QUIESCING,
            Self::OfOtherType { .. } => Reason::CHANNEL_CONFIG_ERROR,
            Self::Cover(refusal) => Reason::from_code(refusal.code()),
            Self::OtherCertificate { .. } => Reason::SSL_PEER_NAME_MISMATCH,
            Self::OfAnother { .. } => Reason::NOT_AUTHORIZED,
            Self::Stopped(_)
            | Self::Runs(_)
            | Self::Elsewhere { .. }
            | Self::TooMany(_)
            | Self::CallsBack(_)
            | Self::NoChannels => Reason::CHANNEL_NOT_AVAILABLE,
        }
    }
}

/// The wish of a command, told to the agent of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChannelAsk {
    /// To end after the batch under way.
    Quiesce,
    /// To end now.
    Force,
    /// To be dropped.
    Terminate,
}

/// The purpose of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelPurpose {
    /// Messages.
    Transfer,
    /// PING CHANNEL: a bind without messages, and so many bytes there and back.
    Ping {
        /// The bytes.
        bytes: u32,
    },
}

/// The end of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChannelEnd {
    /// It ended as it should: nothing was there to send.
    Inactive,
    /// It ended as a command asked.
    Stopped,
    /// The ping went there and back in so many microseconds.
    Pinged {
        /// The microseconds.
        micros: u64,
    },
    /// It failed; the next try may work.
    Failed {
        /// The reason.
        reason: Reason,
        /// The words for a person.
        text: String,
    },
    /// It failed, and no try works until a person did something.
    Halted {
        /// The reason.
        reason: Reason,
        /// The words for a person.
        text: String,
    },
}

/// An event that is to be told.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) kind: EventKind,
    pub(crate) channel: ObjectName,
    pub(crate) connection_name: String,
    pub(crate) transmission_queue: Option<ObjectName>,
    pub(crate) error: Option<LastError>,
}

impl Event {
    /// One of a channel that has no connection.
    pub(super) fn of(channel: ObjectName, kind: EventKind) -> Self {
        Self { kind, channel, connection_name: String::new(), transmission_queue: None, error: None }
    }
}

/// The kinds of channel events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EventKind {
    Started,
    /// With an MQRQ_ value.
    Stopped(i32),
    StoppedByUser,
    Activated,
    NotActivated,
    /// A message of this format could not be converted, for an MQRC_ value.
    NotConverted {
        reason: i32,
        format: Box<str>,
    },
    /// A channel was defined by the call of a partner, or could not be.
    Defined {
        error: Option<i32>,
    },
}

impl EventKind {
    /// The MQRC_ value.
    pub(crate) fn reason(&self) -> i32 {
        match self {
            Self::Started => MQRC_CHANNEL_STARTED,
            Self::Stopped(_) => MQRC_CHANNEL_STOPPED,
            Self::StoppedByUser => MQRC_CHANNEL_STOPPED_BY_USER,
            Self::Activated => MQRC_CHANNEL_ACTIVATED,
            Self::NotActivated => MQRC_CHANNEL_NOT_ACTIVATED,
            Self::NotConverted { .. } => MQRC_CHANNEL_CONV_ERROR,
            Self::Defined { error: None } => MQRC_CHANNEL_AUTO_DEF_OK,
            Self::Defined { error: Some(_) } => MQRC_CHANNEL_AUTO_DEF_ERROR,
        }
    }

    /// True for those that CHLEV(EXCEPTION) tells of.
    pub(crate) fn is_exception(&self) -> bool {
        match self {
            Self::Stopped(qualifier) => *qualifier != MQRQ_CHANNEL_STOPPED_OK,
            Self::NotActivated | Self::NotConverted { .. } => true,
            Self::Started | Self::StoppedByUser | Self::Activated | Self::Defined { .. } => false,
        }
    }
}

/// One instance.
pub(super) struct Run {
    pub(super) channels: Weak<dyn Table>,
    pub(super) number: u64,
    /// The definition by which it began.
    pub(super) attributes: ChannelAttributes,
    pub(super) purpose: ChannelPurpose,
    /// True when this side opened the connection.
    pub(super) calls: bool,
    /// The standing of the channel before a ping.
    pub(super) before: Standing,
    pub(super) address: Box<str>,
    pub(super) began: Moment,
    pub(super) inner: Mutex<Inner>,
}

impl Run {
    /// The figures since they were taken last; none where nothing was counted.
    pub(super) fn take_tally(&self) -> Option<Tallied> {
        let mut inner = self.inner.lock();
        let tally = std::mem::take(&mut inner.tally);
        let partner = inner.progress.partner.clone();
        drop(inner);
        (!tally.is_empty()).then(|| Tallied {
            attributes: self.attributes.clone(),
            partner,
            address: self.address.to_string(),
            tally,
        })
    }
}

pub(super) type Wake = Arc<dyn Fn() + Send + Sync>;

#[derive(Default)]
pub(super) struct Inner {
    pub(super) progress: ChannelProgress,
    pub(super) asked: Option<ChannelAsk>,
    /// The standing that a command wants afterwards.
    pub(super) stops_to: Option<Standing>,
    pub(super) wake: Option<Wake>,
    pub(super) end: Option<ChannelEnd>,
    pub(super) ran: bool,
    /// The definition as it was altered since.
    pub(super) altered: Option<Box<ChannelAttributes>>,
    /// The agent has not followed that.
    pub(super) is_altered: bool,
    /// Statistics are collected.
    pub(super) is_counted: bool,
    pub(super) tally: ChannelTally,
    /// Its seat until it is over.
    pub(super) seat: Option<Seat>,
    /// A sign of its partner is wanted, as another address called in its name.
    pub(super) wants_sign: bool,
}

/// An instance as it is displayed.
#[derive(Clone, Debug)]
pub(crate) struct RunState {
    pub(crate) number: u64,
    pub(crate) attributes: ChannelAttributes,
    pub(crate) calls: bool,
    pub(crate) address: Box<str>,
    pub(crate) began: Moment,
    pub(crate) asked: Option<ChannelAsk>,
    pub(crate) progress: ChannelProgress,
}

/// An instance that an agent holds. It is over when this is dropped; without a word of its end before, it
/// failed.
pub struct ChannelRun {
    pub(super) run: Arc<Run>,
    /// The attributes that hold for it now.
    attributes: ChannelAttributes,
}

/// The way for a host to say why the connection of an instance ended, where its agent cannot know.
#[derive(Clone)]
pub struct ChannelFailure(Weak<Run>);

impl fmt::Debug for ChannelRun {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ChannelRun({} {})", self.run.number, self.run.attributes.name)
    }
}

impl ChannelRun {
    pub(super) fn of(run: Arc<Run>) -> Self {
        let attributes = run.attributes.clone();
        Self { run, attributes }
    }

    /// Follows the definition where it was altered, as far as a connection can. Returns true where it was.
    pub fn follow(&mut self) -> bool {
        let altered = {
            let mut inner = self.run.inner.lock();
            if !std::mem::take(&mut inner.is_altered) {
                return false;
            }
            inner.altered.clone()
        };
        if let Some(altered) = altered {
            self.attributes.follow(&altered);
        }
        true
    }

    /// The attributes that hold for this instance.
    #[must_use]
    pub fn attributes(&self) -> &ChannelAttributes {
        &self.attributes
    }

    /// The purpose.
    #[must_use]
    pub fn purpose(&self) -> ChannelPurpose {
        self.run.purpose
    }

    /// The address of the partner, as CONNAME has it.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.run.address
    }

    /// True when this side opened the connection.
    #[must_use]
    pub fn calls(&self) -> bool {
        self.run.calls
    }

    /// Sets the way to wake the agent when a command asks something of it. Called from other threads.
    pub fn wake_by(&self, wake: Wake) {
        self.run.inner.lock().wake = Some(wake);
    }

    /// The wish of a command; it stands from then on.
    #[must_use]
    pub fn asked(&self) -> Option<ChannelAsk> {
        self.run.inner.lock().asked
    }

    /// Tells facts about the channel.
    pub fn update(&self, change: impl FnOnce(&mut ChannelProgress)) {
        let (met, runs_now) = {
            let mut inner = self.run.inner.lock();
            let knew_partner = !inner.progress.partner.is_empty();
            change(&mut inner.progress);
            let partner = &inner.progress.partner;
            let met = (!knew_partner && !partner.is_empty()).then(|| partner.clone());
            let runs_now = !inner.ran && inner.progress.state == RunningState::Running;
            inner.ran |= runs_now;
            (met, runs_now)
        };
        if (met.is_some() || runs_now)
            && let Some(channels) = self.run.channels.upgrade()
        {
            channels.proceeds(&self.run, met.as_deref(), runs_now);
        }
    }

    /// Adds to the figures that statistics tell, where they are collected.
    pub fn count(&self, tally: &ChannelTally) {
        let mut inner = self.run.inner.lock();
        if inner.is_counted {
            inner.tally.add(tally);
        }
    }

    /// A message could not be converted for the partner, and is kept as a dead letter.
    pub fn not_converted(&self, reason: i32, format: &str) {
        if let Some(channels) = self.run.channels.upgrade() {
            channels.tell(self.run.event(EventKind::NotConverted { reason, format: format.into() }, None));
        }
    }

    /// Says for what fault the channel waits, which its status shows, or that it goes on.
    pub fn note_fault(&self, fault: Option<(Reason, String)>) {
        let fault = fault.map(|(reason, text)| LastError { reason, text });
        if let Some(channels) = self.run.channels.upgrade() {
            channels.note_fault(&self.run, fault);
        }
    }

    /// The facts that were told.
    #[must_use]
    pub fn progress(&self) -> ChannelProgress {
        self.run.inner.lock().progress.clone()
    }

    /// True, once, where the agent is to ask its partner for a sign, and to end where none comes: another
    /// address called in the name of the partner.
    #[must_use]
    pub fn take_wish_for_sign(&self) -> bool {
        std::mem::take(&mut self.run.inner.lock().wants_sign)
    }

    /// Says how the instance ends; the first word stands.
    pub fn end(&self, end: ChannelEnd) {
        self.run.inner.lock().end.get_or_insert(end);
    }

    /// The way for the host to say why its connection ended.
    #[must_use]
    pub fn failure(&self) -> ChannelFailure {
        ChannelFailure(Arc::downgrade(&self.run))
    }
}

impl Drop for ChannelRun {
    fn drop(&mut self) {
        if let Some(channels) = self.run.channels.upgrade() {
            channels.over(&self.run);
        }
    }
}

impl ChannelFailure {
    /// The connection ended for this reason, unless its agent has said more.
    pub fn note(&self, reason: Reason, text: String) {
        if let Some(run) = self.0.upgrade() {
            run.inner.lock().end.get_or_insert(ChannelEnd::Failed { reason, text });
        }
    }
}

impl Run {
    /// The partner, once it is known.
    pub(super) fn partner(&self) -> Partner {
        let progress = &self.inner.lock().progress;
        Partner {
            identifier: progress.partner_identifier.as_str().into(),
            name: progress.partner.as_str().into(),
        }
    }

    /// Has the agent ask its partner for a sign, at its next tick.
    pub(super) fn ask_for_sign(&self) {
        self.inner.lock().wants_sign = true;
    }

    pub(super) fn event(&self, kind: EventKind, error: Option<LastError>) -> Event {
        let connection_name =
            if self.calls { self.attributes.connection_name.to_string() } else { self.address.to_string() };
        let transmission_queue = self.attributes.transmission_queue;
        Event { kind, channel: self.attributes.name, connection_name, transmission_queue, error }
    }
}
