//! Message channels: a partner's call is accepted, the host is told where to call, an agent is connected.

use std::sync::Arc;

use mqi::ObjectName;
use objects::{ConnectionName, LocalAddress};
use platform::Monotonic;
use queues::gate::{Gated, Outcome};
use queues::queue::getter::Completions;
use queues::state_objects::ChannelState;
use security::{Identity, Part, Principal};
use storage::{ObjectId, SyncObject};

use crate::Connection;
use crate::channel_seats::ChannelLimits;
use crate::conversation::{ConnectRequest, Conversation};
use crate::engine::Engine;
use crate::manager::{ConnectKind, QueueManager};
use crate::message_channels::{CallRefusal, ChannelAsk, ChannelCall, ChannelEnd, ChannelRun};
use crate::verbs::outbound::Tracer;

/// The program that a channel is shown as.
const APPLICATION: &str = "message channel";

/// A call that the host is to make.
#[derive(Debug)]
pub struct Dial {
    /// The instance that the connection is for.
    pub run: ChannelRun,
    /// The partner's addresses, to be tried in turn.
    pub connection_names: Vec<ConnectionName>,
    /// The address of this machine to call from.
    pub local: LocalAddress,
}

/// The calls that the host is to make now.
#[derive(Debug)]
pub struct Dials {
    /// The calls.
    pub dials: Vec<Dial>,
    /// The time to ask again at the latest.
    pub next: Monotonic,
}

/// The ways and limits of channels that the host chooses at its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelWays {
    /// AdoptNewMCA: a new connection of a partner ends its older one, which keeps its place otherwise.
    pub adopts_partners: bool,
    /// Messages on transmission queues start their channels; otherwise not before START CHINIT.
    pub starts_for_messages: bool,
    /// The limits of channels of every type.
    pub limits: ChannelLimits,
}

impl Default for ChannelWays {
    fn default() -> Self {
        Self { adopts_partners: true, starts_for_messages: true, limits: ChannelLimits::default() }
    }
}

/// The channels of a queue manager: their connections and calls, their states, their encryption.
#[derive(Clone, Copy, Debug)]
pub struct Channels<'manager>(&'manager QueueManager);

impl QueueManager {
    /// The channels of clients and partners.
    #[must_use]
    pub const fn channels(&self) -> Channels<'_> {
        Channels(self)
    }
}

impl Channels<'_> {
    pub(crate) const fn engine(&self) -> &Arc<Engine> {
        self.0.engine()
    }

    /// The generation of a connection of a channel: higher than that of any before, of earlier starts too.
    #[must_use]
    pub fn next_generation(&self) -> u64 {
        let engine = self.engine();
        u64::from(engine.ground().storage.epoch()) << 32
            | u64::from(engine.message_channels.next_connection())
    }

    /// Begins an instance of a channel for a partner that called and was let in.
    ///
    /// # Errors
    /// When the channel is not defined, does not go with the caller's, or takes no call now.
    pub fn accept(&self, call: &ChannelCall<'_>) -> Result<ChannelRun, CallRefusal> {
        let engine = self.engine();
        if engine.is_quiescing() {
            return Err(CallRefusal::Ends);
        }
        if !engine.ground().host.runs_channels() {
            return Err(CallRefusal::NoChannels);
        }
        let unknown = || CallRefusal::Unknown(call.channel.to_owned());
        let attributes = match engine.directory.message_channel(call.channel).0 {
            Some(known) => known,
            None => {
                let channel = call.channel.to_owned();
                let defined = engine.directory.define_receiver(call);
                defined.map_err(|refusal| CallRefusal::Beyond { channel, refusal })?.ok_or_else(unknown)?
            }
        };
        let judged = attributes.cover().and_then(|terms| terms.judge(call.encryption));
        call.encryption.judge_channel(call.channel).and(judged).map_err(CallRefusal::Cover)?;
        engine.judge_line(call, attributes.kind)?;
        engine.message_channels.accept(attributes, call)
    }

    /// Judges the certificate of a partner that was called, by the line that the channel has with it.
    ///
    /// # Errors
    /// When the line began with another.
    pub fn judge_called(&self, run: &ChannelRun, call: &ChannelCall<'_>) -> Result<(), CallRefusal> {
        self.engine().judge_line(call, run.attributes().kind)
    }

    /// Connects the agent of an instance: as the user that a login gave it, else as that of MCAUSER, else as
    /// the part of the queue manager that moves messages between queue managers. A channel that sends acts as
    /// that part in any case. Of two connections of one `instance` the newer ends the older first.
    pub fn connect(
        &self,
        run: &ChannelRun,
        (instance, generation): ([u8; 16], u64),
        let_in_as: Option<&Principal>,
        completions: Arc<dyn Completions>,
    ) -> Outcome<Connection> {
        let attributes = run.attributes();
        let user = attributes.user.as_ref();
        let principal = match let_in_as {
            _ if attributes.kind.sends() => Ok(Principal::of_part(Part::MessageChannel)),
            Some(principal) => Ok(principal.clone()),
            None if user.is_empty() => Ok(Principal::of_part(Part::MessageChannel)),
            None => Principal::new(user, Identity::Proved),
        };
        let Ok(principal) = principal else {
            return Gated::free(Err(mqi::Reason::CHANNEL_CONFIG_ERROR));
        };
        let request = ConnectRequest {
            application: APPLICATION.to_owned(),
            origin: run.address().to_owned(),
            channel: attributes.name,
            process: self.engine().ground().host.process(),
            instance,
            generation,
            principal,
            accounting: mqi::AccountingChoice::default(),
            completions,
        };
        self.0.connect_as(request, ConnectKind::Channel)
    }

    /// Takes the ways and limits of channels into use. Instances that are there stay.
    pub fn set_ways(&self, ways: ChannelWays) {
        self.engine().channel_seats.limit(ways.limits);
        let channels = &self.engine().message_channels;
        channels.adopt(ways.adopts_partners);
        channels.stop_initiator(!ways.starts_for_messages);
    }

    /// The calls that the host is to make now. It asks again when told ([`crate::Host::channel_wanted`]), and
    /// at the time returned.
    #[must_use]
    pub fn dials(&self) -> Dials {
        let engine = self.engine();
        let sweep = engine.directory.sweep_channels();
        let mut dials = Vec::new();
        let due = if engine.is_quiescing() { Vec::new() } else { engine.message_channels.take_due() };
        for channel in due {
            let Some(attributes) = engine.directory.message_channel(channel.as_str()).0 else {
                engine.message_channels.forget(&channel);
                continue;
            };
            // One that a trigger names may be no caller, and one that called before may have become another.
            if !attributes.calls() && attributes.kind.is_called() {
                engine.message_channels.awaits_call(channel);
                continue;
            }
            match engine.directory.call_terms(&attributes) {
                Ok((connection_names, local)) => {
                    if let Some(run) = engine.message_channels.dial(attributes) {
                        dials.push(Dial { run, connection_names, local });
                    }
                }
                Err((reason, text)) => engine.message_channels.halt(channel, reason, text),
            }
        }
        for run in engine.message_channels.take_pings() {
            match engine.directory.call_terms(run.attributes()) {
                Ok((connection_names, local)) => dials.push(Dial { run, connection_names, local }),
                Err((reason, text)) => run.end(ChannelEnd::Failed { reason, text }),
            }
        }
        engine.directory.tell_channel_events(&engine.message_channels);
        let latest = engine.ground().now().after(sweep);
        let next = engine.message_channels.next().map_or(latest, |next| next.min(latest));
        Dials { dials, next }
    }

    /// The end of the ping of this number: the microseconds that it took, or why there was no answer. None
    /// while it is under way.
    #[must_use]
    pub fn ping_end(&self, number: u64) -> Option<Result<u64, String>> {
        match self.engine().message_channels.take_ping_end(number)? {
            ChannelEnd::Pinged { micros } => Some(Ok(micros)),
            ChannelEnd::Failed { text, .. } | ChannelEnd::Halted { text, .. } => Some(Err(text)),
            ChannelEnd::Inactive | ChannelEnd::Stopped => Some(Err("it was stopped".to_owned())),
        }
    }

    /// Ends every message channel, as the queue manager ends: after the batch under way, or now.
    pub fn end(&self, ask: ChannelAsk) {
        self.engine().message_channels.stop_all(ask);
    }

    /// Returns true if a client instance is in use by another user, or by another channel, which it belongs
    /// to.
    #[must_use]
    pub fn is_instance_of_another(
        &self,
        instance: &[u8; 16],
        principal: &Principal,
        channel: ObjectName,
    ) -> bool {
        let conversations = self.engine().conversations.lock();
        let old = Conversation::of_instance(&conversations, instance);
        old.iter().any(|old| !old.is_of(principal, channel))
    }

    /// Defines the state that a message channel keeps towards a partner: of an object that is there, with the
    /// state that the caller has read, or a new one. 2041 where another connection of the channel changed it.
    pub fn define_state(
        &self,
        known: Option<(ObjectId, &SyncObject)>,
        sync: SyncObject,
    ) -> Outcome<ObjectId> {
        self.engine().define_sync(known, sync)
    }

    /// Defines the state of a message channel that begins a line, with the number before its first message.
    pub fn begin_line(
        &self,
        known: Option<(ObjectId, &SyncObject)>,
        sync: SyncObject,
        before_first: u32,
    ) -> Outcome<ObjectId> {
        self.engine().begin_line(known, sync, before_first)
    }

    /// Forgets the state of a message channel; 2042 while a batch of it is in doubt.
    pub fn forget_state(&self, object: ObjectId) -> Outcome<()> {
        self.engine().forget_sync(object)
    }

    /// The state of every message channel.
    pub fn states(&self) -> Gated<Vec<ChannelState>> {
        self.engine().channel_states()
    }

    /// The queue manager as its channels tell activities of it.
    pub fn tracer(&self) -> Tracer {
        Tracer(Arc::clone(self.engine()))
    }

    /// Starts the listeners that start with the queue manager. Returns the names of those that cannot, with
    /// the reason. Blocks.
    pub fn start_listeners(&self) -> Vec<(ObjectName, String)> {
        self.engine().start_listeners()
    }
}
