//! The channel that a transmission queue wants, and the terms on which a channel may call.
//!
//! Lives here: from a queue with messages to the channel that takes them away. Lives elsewhere: the schedule
//! (`message_channels`), the triggers (`triggers`), the calls (the host).
//!
//! Always: no trigger message is made where the queue manager runs the channels itself, so none can be lost.

use mqi::ours::IS_AUTOMATIC;
use std::sync::Arc;
use std::time::Duration;

use mqi::constants::{
    MQCHAD_ENABLED, MQIA_CHANNEL_AUTO_DEF, MQRC_RESOURCE_PROBLEM, MQRCCF_CHANNEL_NOT_FOUND,
    MQRCCF_COMMAND_FAILED,
};
use mqi::{ObjectName, Reason};
use objects::{
    ChannelAttributes, ChannelKind, ConnectionName, Family, LocalAddress, ObjectType, Trigger, Usage, Value,
};
use queues::ground::explanation::is_of_system;
use queues::ground::growth::GrowthRefusal;
use queues::queue::Queue;
use queues::unit_of_work::prepared::PreparedPurpose;
use storage::Lsn;

use crate::catalogue::{ChangeError, Existing, Lifetime};
use crate::directory::Directory;
use crate::message_channels::ChannelCall;

/// The queue whose trigger messages are for the queue manager itself.
const INITIATION_QUEUE: &str = "SYSTEM.CHANNEL.INITQ";

/// The model of receivers that partners have defined.
const AUTOMATIC_RECEIVER: &str = "SYSTEM.AUTO.RECEIVER";

/// The time between two looks for queues with messages and no channel.
const SWEEP: Duration = Duration::from_secs(10);

/// A fault of a definition that keeps a channel from calling.
pub(crate) type Unfit = (Reason, String);

impl Directory {
    /// The attributes of a message channel; none where there is none of this name.
    pub(crate) fn message_channel(&self, name: &str) -> (Option<ChannelAttributes>, Lsn) {
        let space = ObjectType::SenderChannel.name_space();
        let (channel, need) = self.catalogue.find_defined(space, name);
        let current = channel.map(|channel| channel.current());
        (current.and_then(|current| ChannelAttributes::of(&current.definition)), need)
    }

    /// Every message channel, by name.
    pub(crate) fn message_channels_defined(&self) -> Vec<ChannelAttributes> {
        let defined = self.catalogue.all_defined(Family::Channel);
        let attributes =
            defined.iter().filter_map(|channel| ChannelAttributes::of(&channel.current().definition));
        attributes.collect()
    }

    /// CHAD: defines a receiver for a partner that calls by a channel that is not there, like
    /// SYSTEM.AUTO.RECEIVER. None where that is not wanted, another object has the name, or it is one of the
    /// system's, which no partner chooses. Partners that call at once share the definition of the first.
    ///
    /// # Errors
    /// When as many were made so as may be.
    pub(crate) fn define_receiver(
        &self,
        call: &ChannelCall<'_>,
    ) -> Result<Option<ChannelAttributes>, GrowthRefusal> {
        let manager = self.catalogue.manager();
        if manager.definition.integer(MQIA_CHANNEL_AUTO_DEF) != MQCHAD_ENABLED || !call.sends {
            return Ok(None);
        }
        let Ok(name) = call.channel.parse::<ObjectName>() else { return Ok(None) };
        let space = ObjectType::ReceiverChannel.name_space();
        if is_of_system(name.as_str()) {
            return Ok(None);
        }
        if self.catalogue.find_defined(space, name.as_str()).0.is_some() {
            return Ok(self.message_channel(name.as_str()).0);
        }
        let model = self.catalogue.find_defined(space, AUTOMATIC_RECEIVER).0;
        let model = model.filter(|model| model.object_type() == ObjectType::ReceiverChannel);
        let (defined, refusal) = match model {
            Some(model) => {
                let mut definition = model.current().definition.copy(name, self.time_of_day());
                definition.set_internal(IS_AUTOMATIC, Value::Integer(1));
                match self.catalogue.define_other(definition, Existing::Refuse, Lifetime::Logged) {
                    Ok(_) => (Ok(()), None),
                    Err(error) => {
                        if let Some(of_another_call) = self.message_channel(name.as_str()).0 {
                            return Ok(Some(of_another_call));
                        }
                        match error {
                            ChangeError::Beyond(refusal) => (Err(MQRC_RESOURCE_PROBLEM), Some(refusal)),
                            _ => (Err(MQRCCF_COMMAND_FAILED), None),
                        }
                    }
                }
            }
            None => (Err(MQRCCF_CHANNEL_NOT_FOUND), None),
        };
        self.message_channels.note_defined(name, call.address, defined.err());
        match refusal {
            Some(refusal) => Err(refusal),
            None => Ok(defined.ok().and_then(|()| self.message_channel(name.as_str()).0)),
        }
    }

    /// The addresses to which a channel is to call.
    ///
    /// # Errors
    /// The attribute that is not right, and the way to mend it.
    pub(crate) fn call_terms(
        &self,
        attributes: &ChannelAttributes,
    ) -> Result<(Vec<ConnectionName>, LocalAddress), Unfit> {
        let wrong = |text: String| (Reason::CHANNEL_CONFIG_ERROR, text);
        let name = attributes.name;
        if attributes.kind == ChannelKind::Receiver {
            return Err(wrong(format!("{name} is a receiver, which its partner calls: start it there")));
        }
        attributes.cover().map_err(|refusal| wrong(refusal.to_string()))?;
        let names = attributes.connection_names().map_err(|problem| wrong(problem.to_string()))?;
        if names.is_empty() {
            return Err(wrong(format!(
                "{name} has no CONNAME, so that its partner calls it: start it there"
            )));
        }
        let local = attributes.local_address().map_err(|problem| wrong(problem.to_string()))?;
        if attributes.kind.sends() {
            self.check_transmission_queue(attributes)?;
        }
        Ok((names, local))
    }

    fn check_transmission_queue(&self, attributes: &ChannelAttributes) -> Result<(), Unfit> {
        let name = attributes.transmission_queue.unwrap_or(ObjectName::BLANK);
        let found = self.catalogue.find(&name).object;
        let Some(found) = found else {
            let text = format!("its XMITQ {name} does not exist: define it with USAGE(XMITQ)");
            return Err((Reason::UNKNOWN_XMIT_Q, text));
        };
        match found.queue().map(|queue| queue.attributes().usage) {
            Some(Usage::Transmission) => Ok(()),
            Some(Usage::Normal) => {
                let text = format!("its XMITQ {name} has USAGE(NORMAL): alter it to USAGE(XMITQ)");
                Err((Reason::XMIT_Q_USAGE_ERROR, text))
            }
            None => Err((Reason::XMIT_Q_TYPE_ERROR, format!("its XMITQ {name} is no local queue: name one"))),
        }
    }

    /// True when the trigger of a queue is for its channel, which the queue manager starts itself.
    pub(crate) fn starts_channel(&self, queue: &Queue, trigger: &Trigger) -> bool {
        let is_ours = trigger.initiation_queue.is_some_and(|name| name.as_str() == INITIATION_QUEUE);
        is_ours && queue.attributes().usage == Usage::Transmission && self.message_channels.initiates()
    }

    /// Wishes for the channel of a transmission queue: the one that TRIGDATA names, else the first by name.
    pub(crate) fn wish_for_channel_of(&self, queue: &Queue, trigger: &Trigger) {
        let named = trigger.data.trim();
        let channel = if named.is_empty() {
            let takes = |channel: &ChannelAttributes| {
                channel.transmission_queue == Some(queue.name) && channel.kind.sends() && channel.calls()
            };
            self.message_channels_defined().into_iter().find(takes).map(|channel| channel.name)
        } else {
            named.parse().ok()
        };
        if let Some(channel) = channel {
            self.message_channels.wish(channel);
        }
    }

    /// Looks, from time to time, for queues with messages and no channel, and for batches in doubt. Returns
    /// the time between two looks.
    pub(crate) fn sweep_channels(&self) -> Duration {
        if !self.message_channels.initiates() || !self.message_channels.sweep_is_due(SWEEP) {
            return SWEEP;
        }
        for queue in self.queues.all() {
            let trigger = queue.attributes().trigger.clone();
            let Some(trigger) = trigger else { continue };
            if self.starts_channel(&queue, &trigger) && self.waits_for_channel(&queue) {
                self.wish_for_channel_of(&queue, &trigger);
            }
        }
        let (prepared, _) = self.queues.units.prepared();
        for unit in prepared {
            let PreparedPurpose::Channel(batch) = &unit.purpose else { continue };
            let channel = {
                let table = self.queues.state_objects.lock();
                table.sync(batch.sync_object).and_then(|(sync, _)| sync.channel.parse::<ObjectName>().ok())
            };
            if let Some(channel) = channel
                && self.message_channel(channel.as_str()).0.is_some_and(|attributes| attributes.calls())
            {
                self.message_channels.wish(channel);
            }
        }
        SWEEP
    }

    fn waits_for_channel(&self, queue: &Arc<Queue>) -> bool {
        !queue.attributes().get_inhibited && !queue.has_getters() && queue.depth() > 0
    }
}
