//! The parts of an attach that are known as long as its link is there, and its answer.

use amqp::Attach;
use amqp::engine::{Connection, Role};
use amqp::outcome::{DeliveryState, OUTCOMES, put_modified_failed};
use amqp::terminus::{Source, Target};
use amqp::types::{Raw, Symbols};
use mqi::{Opened, Reason, Subscribed};

use super::errors;
use super::filters::Filters;
use super::owner::Owner;
use super::subscription_life::SubscriptionLife;

/// Most bytes that a message has when it is sent beside those that it has on its queue.
const HEADER_BYTES_MAX: u64 = 1024;

/// The end of a link at the queue manager.
#[derive(Clone, Debug)]
pub(super) enum At {
    /// An object that was opened.
    Object(Opened),
    /// A subscription, and how long it lasts.
    Subscription(Box<Subscribed>, SubscriptionLife),
    /// Nothing that is opened.
    Nothing,
}

impl At {
    /// The address by which others know it.
    fn address(&self) -> Option<String> {
        match self {
            Self::Object(Opened { topic_string: Some(topic), .. }) => Some(topic.clone()),
            Self::Object(opened) => Some(opened.object_name.to_string()),
            Self::Subscription(subscribed, _) => Some(subscribed.topic_string.clone()),
            Self::Nothing => None,
        }
    }
}

/// The parts of an attach that its answer repeats, or that hold for its link.
#[derive(Debug)]
pub(super) struct Attachment {
    name: String,
    role: Role,
    /// Says whether deliveries are settled as they are sent.
    pub(super) is_settled: bool,
    is_dynamic: bool,
    snd_settle_mode: u8,
    rcv_settle_mode: u8,
    source: Option<Vec<u8>>,
    target: Option<Vec<u8>>,
    pub(super) filters: Filters,
    message_bytes_max: u64,
    /// The longest message that its client takes; none for any.
    pub(super) peer_bytes_max: Option<u64>,
    /// The outcome of deliveries that are settled without one, encoded.
    default_outcome: Vec<u8>,
}

impl Attachment {
    pub(super) fn new(
        attach: &Attach<'_>,
        role: Role,
        is_settled: bool,
        filters: &Filters,
        message_bytes_max: u64,
    ) -> Self {
        let source = attach.source.and_then(|source| Source::decode(source.0).ok());
        let target = attach.target.and_then(|target| match amqp::terminus::TargetEnd::decode(target.0) {
            Ok(amqp::terminus::TargetEnd::Node(target)) => Some(target),
            _ => None,
        });
        let mut default_outcome = Vec::new();
        match source.as_ref().and_then(|source| source.default_outcome) {
            Some(asked) => default_outcome.extend_from_slice(asked.0),
            None => put_modified_failed(&mut default_outcome),
        }
        Self {
            name: attach.name.to_owned(),
            role,
            is_settled,
            is_dynamic: match role {
                Role::Sender => source.is_some_and(|source| source.dynamic),
                Role::Receiver => target.is_some_and(|target| target.dynamic),
            },
            snd_settle_mode: if is_settled { 1 } else { attach.snd_settle_mode },
            // What comes is settled here first, whatever its client asks.
            rcv_settle_mode: if role == Role::Sender { attach.rcv_settle_mode.min(1) } else { 0 },
            source: attach.source.map(|source| source.0.to_vec()),
            target: attach.target.map(|target| target.0.to_vec()),
            filters: filters.clone(),
            message_bytes_max,
            peer_bytes_max: Some(attach.max_message_size).filter(|most| *most > 0),
            default_outcome,
        }
    }

    /// The outcome of a delivery that is settled without one.
    pub(super) fn default_outcome(&self) -> Option<DeliveryState<'_>> {
        DeliveryState::decode(&self.default_outcome).ok()
    }

    /// The longest body of a message that is taken off its queue before it is sent: with its header it must
    /// fit what the client takes.
    pub(super) fn taken_bytes_max(&self) -> Option<usize> {
        let most = self.peer_bytes_max.filter(|_| self.is_settled)?;
        usize::try_from(most.saturating_sub(HEADER_BYTES_MAX)).ok()
    }

    /// The address that its client named; that of a subscription is the name of the link.
    pub(super) fn about(&self) -> Option<&str> {
        match self.role {
            Role::Sender => match self.source.as_deref() {
                Some(source) => Source::decode(source).ok()?.address,
                None => Some(&self.name),
            },
            Role::Receiver => match amqp::terminus::TargetEnd::decode(self.target.as_deref()?) {
                Ok(amqp::terminus::TargetEnd::Node(target)) => target.address,
                _ => None,
            },
        }
    }

    /// Appends the answer: that of the terminus, or one without it and the detach with the reason.
    pub(super) fn answer(
        &self,
        engine: &mut Connection,
        out: &mut Vec<u8>,
        owner: Owner,
        result: Result<&At, Reason>,
    ) {
        let Owner { channel, handle, .. } = owner;
        let (source, target) = match (self.role, result) {
            (Role::Sender, Ok(at)) => (Some(self.source_at(at)), self.target.clone()),
            (Role::Sender, Err(_)) => (None, self.target.clone()),
            (Role::Receiver, Ok(at)) => (self.source.clone(), self.target_at(at)),
            (Role::Receiver, Err(_)) => (self.source.clone(), None),
        };
        let attach = Attach {
            name: &self.name,
            handle,
            is_receiver: self.role == Role::Receiver,
            snd_settle_mode: self.snd_settle_mode,
            rcv_settle_mode: self.rcv_settle_mode,
            source: source.as_deref().map(Raw),
            target: target.as_deref().map(Raw),
            max_message_size: self.message_bytes_max,
            ..Attach::default()
        };
        engine.put_attach(out, channel, attach);
        if let Err(reason) = result {
            let about = self.about();
            engine.put_detach(out, (channel, handle), true, Some(&errors::error_about(reason, about)));
        }
    }

    /// The source of the answer, with the outcomes that its deliveries may have.
    fn source_at(&self, at: &At) -> Vec<u8> {
        let came = self.source.as_deref().and_then(|source| Source::decode(source).ok());
        let told = if self.is_dynamic || came.is_none() { at.address() } else { None };
        let known = came.unwrap_or_default();
        let source = Source {
            address: told.as_deref().or(known.address),
            default_outcome: Some(Raw(&self.default_outcome)),
            outcomes: Some(Symbols::Ours(OUTCOMES)),
            filter: self.filters.told(),
            ..known
        };
        let source = match at {
            At::Subscription(_, lasting) => lasting.told(source),
            At::Object(_) | At::Nothing => source,
        };
        let mut bytes = Vec::new();
        source.write(&mut bytes);
        bytes
    }

    fn target_at(&self, at: &At) -> Option<Vec<u8>> {
        let Some(made) = at.address().filter(|_| self.is_dynamic) else { return self.target.clone() };
        let Ok(amqp::terminus::TargetEnd::Node(target)) =
            amqp::terminus::TargetEnd::decode(self.target.as_deref()?)
        else {
            return None;
        };
        let mut bytes = Vec::new();
        Target { address: Some(&made), ..target }.write(&mut bytes);
        Some(bytes)
    }
}
