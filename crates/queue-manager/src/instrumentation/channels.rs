//! Events about message channels: that one was activated, started, stopped.

use mqi::constants::*;
use objects::pcf::Parameter;
use storage::Lsn;

use super::Event;
use crate::directory::Directory;
use crate::message_channels::{Event as ChannelEvent, EventKind, MessageChannels};

const CHANNEL_EVENTS: &str = "SYSTEM.ADMIN.CHANNEL.EVENT";

impl Directory {
    /// Tells of the channels that were activated, started or stopped meanwhile, as CHLEV asks.
    pub(crate) fn tell_channel_events(&self, channels: &MessageChannels) {
        let events = channels.take_events();
        if events.is_empty() {
            return;
        }
        let manager = self.catalogue.manager();
        let wanted = manager.definition.integer(MQIA_CHANNEL_EVENT);
        let tells_defined = manager.definition.integer(MQIA_CHANNEL_AUTO_DEF_EVENT) == MQEVR_ENABLED;
        let is_wanted = |event: &&ChannelEvent| match wanted {
            _ if matches!(event.kind, EventKind::Defined { .. }) => tells_defined,
            MQEVR_ENABLED => true,
            MQEVR_EXCEPTION => event.kind.is_exception(),
            _ => false,
        };
        for event in events.iter().filter(is_wanted) {
            self.tell_event(&self.channel_event(event), Lsn::ZERO);
        }
    }

    fn channel_event(&self, event: &ChannelEvent) -> Event {
        let ChannelEvent { kind, channel, connection_name, transmission_queue, error } = event;
        let mut parameters = vec![self.named_queue_manager()];
        let qualifier = match kind {
            EventKind::Stopped(qualifier) => Some(*qualifier),
            EventKind::StoppedByUser => Some(MQRQ_CHANNEL_STOPPED_DISABLED),
            EventKind::Started
            | EventKind::Activated
            | EventKind::NotActivated
            | EventKind::NotConverted { .. }
            | EventKind::Defined { .. } => None,
        };
        parameters.extend(qualifier.map(|value| Parameter::integer(MQIACF_REASON_QUALIFIER, value)));
        if let EventKind::NotConverted { reason, .. } = kind {
            parameters.push(Parameter::integer(MQIACF_CONV_REASON_CODE, *reason));
        }
        parameters.push(Parameter::text(MQCACH_CHANNEL_NAME, channel.as_str()));
        if let EventKind::NotConverted { format, .. } = kind {
            parameters.push(Parameter::text(MQCACH_FORMAT_NAME, &**format));
        }
        if let EventKind::Defined { error } = kind {
            parameters.push(Parameter::integer(MQIACH_CHANNEL_TYPE, MQCHT_RECEIVER));
            let fault = error.map(|reason| Parameter::integer(MQIACF_ERROR_IDENTIFIER, reason));
            parameters.extend(fault);
        }
        if let EventKind::Stopped(_) = kind {
            let (number, text) = match error {
                Some(error) => (error.reason.code(), error.text.as_str()),
                None => (0, ""),
            };
            parameters.push(Parameter::integer(MQIACF_ERROR_IDENTIFIER, number));
            parameters.push(Parameter::integer(MQIACF_AUX_ERROR_DATA_INT_1, 0));
            parameters.push(Parameter::integer(MQIACF_AUX_ERROR_DATA_INT_2, 0));
            parameters.push(Parameter::text(MQCACF_AUX_ERROR_DATA_STR_1, text));
            parameters.push(Parameter::text(MQCACF_AUX_ERROR_DATA_STR_2, ""));
            parameters.push(Parameter::text(MQCACF_AUX_ERROR_DATA_STR_3, ""));
        }
        if *kind != EventKind::StoppedByUser {
            let queue = transmission_queue.map(|queue| Parameter::text(MQCACH_XMIT_Q_NAME, queue.as_str()));
            parameters.extend(queue);
            if !connection_name.is_empty() {
                parameters.push(Parameter::text(MQCACH_CONNECTION_NAME, connection_name));
            }
        }
        Event::new(CHANNEL_EVENTS, MQCMD_CHANNEL_EVENT, kind.reason(), parameters)
    }
}
