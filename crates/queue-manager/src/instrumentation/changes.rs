//! Events about changes of definitions, and about commands.
//!
//! A change is two messages with one correlation identifier: the object as it was and as it is. What a queue
//! manager changes by itself, a trigger or an event that switches itself off, is no change in this sense; nor
//! are dynamic queues.

use mqi::constants::*;
use mqi::{CorrelationId, ObjectName};
use objects::mqsc::Name;
use objects::pcf::{self, Content, Parameter};
use objects::{Command, CommandEvents, Definition, NameSpace, ObjectType};
use queues::message::context::Origin;
use security::Principal;
use storage::Lsn;

use super::{COMMAND_EVENTS, CONFIGURATION_EVENTS, Came, Event, Issuer};
use crate::directory::Directory;

/// Author of a change.
#[derive(Clone, Copy)]
pub(crate) enum Changer<'a> {
    /// The issuer of a command.
    Command(&'a Issuer),
    /// A program with MQSET.
    Program(&'a Principal, &'a Origin),
}

impl Directory {
    /// Tells that a command was executed, if that is to be told.
    pub(crate) fn tell_of_command(
        &self,
        events: CommandEvents,
        issuer: &Issuer,
        command: &Command,
        need: Lsn,
    ) {
        let is_told = match events {
            CommandEvents::None => false,
            _ if matches!(issuer.came, Came::ForLaterPage) => false,
            CommandEvents::ButDisplays => !matches!(command, Command::Display(_)),
            CommandEvents::All => true,
        };
        if is_told {
            self.tell_command(issuer, command, need);
        }
    }

    pub(crate) fn definition(&self, (space, name): &(Option<NameSpace>, String)) -> Option<Definition> {
        match space {
            None => Some(self.catalogue.manager().definition.clone()),
            Some(space) if space.family() == objects::Family::Queue => {
                let name: ObjectName = name.parse().ok()?;
                Some(self.catalogue.find(&name).object?.current().definition.clone())
            }
            Some(space) => Some(self.catalogue.find_defined(*space, name).0?.current().definition.clone()),
        }
    }

    /// Reports an object as it is, on request.
    pub(crate) fn tell_refreshed(&self, issuer: &Issuer, definition: &Definition, need: Lsn) -> Lsn {
        let parameters = self.told_definition(Changer::Command(issuer), definition);
        let reason = MQRC_CONFIG_REFRESH_OBJECT;
        self.tell_event(&Event::new(CONFIGURATION_EVENTS, MQCMD_CONFIG_EVENT, reason, parameters), need)
    }

    fn told_definition(&self, changer: Changer<'_>, definition: &Definition) -> Vec<Parameter> {
        let mut parameters = self.who(changer);
        let object_type = match definition.object_type() {
            queue if queue.is_queue() => MQOT_Q,
            other => other.mqot(),
        };
        parameters.push(Parameter::integer(MQIACF_OBJECT_TYPE, object_type));
        parameters.extend(pcf::definition_parameters(definition));
        parameters
    }

    /// Tells that an object was made, changed or removed.
    pub(crate) fn tell_change(
        &self,
        changer: Changer<'_>,
        before: Option<&Definition>,
        after: Option<&Definition>,
        need: Lsn,
    ) {
        if !self.catalogue.manager().attributes.events.configuration
            && matches!(changer, Changer::Program(..))
        {
            return;
        }
        let correlation_id = CorrelationId(self.identifiers.next().0);
        let tell = |reason, definition: &Definition, part| {
            let parameters = self.told_definition(changer, definition);
            let event = Event::new(CONFIGURATION_EVENTS, MQCMD_CONFIG_EVENT, reason, parameters);
            self.tell_event(&Event { part, correlation_id, ..event }, need);
        };
        match (before, after) {
            (None, Some(made)) => tell(MQRC_CONFIG_CREATE_OBJECT, made, (1, true)),
            (Some(gone), None) => tell(MQRC_CONFIG_DELETE_OBJECT, gone, (1, true)),
            (Some(before), Some(after)) => {
                tell(MQRC_CONFIG_CHANGE_OBJECT, before, (1, false));
                tell(MQRC_CONFIG_CHANGE_OBJECT, after, (2, true));
            }
            (None, None) => {}
        }
    }

    /// Returns the parameters of an event that name the author of a change.
    fn who(&self, changer: Changer<'_>) -> Vec<Parameter> {
        let (user, origin) = match changer {
            Changer::Command(issuer) => match &issuer.came {
                Came::AsText | Came::ForLaterPage => (issuer.principal.name(), MQEVO_CONSOLE),
                Came::AsMessage { .. } => (issuer.principal.name(), MQEVO_MSG),
            },
            Changer::Program(user, _) => (user.name(), MQEVO_MQSET),
        };
        let mut parameters = vec![
            Parameter::text(MQCACF_EVENT_USER_ID, user),
            Parameter::integer(MQIACF_EVENT_ORIGIN, origin),
            Parameter::text(MQCACF_EVENT_Q_MGR, self.name.as_str()),
        ];
        if let Changer::Program(_, origin) = changer {
            let accounting_token = Content::Bytes(vec![0; MQ_ACCOUNTING_TOKEN_LENGTH]);
            parameters.push(Parameter::new(MQBACF_EVENT_ACCOUNTING_TOKEN, accounting_token));
            parameters.push(Parameter::text(MQCACF_EVENT_APPL_IDENTITY, ""));
            let kind = origin.application_type.code();
            parameters.push(Parameter::integer(MQIACF_EVENT_APPL_TYPE, kind));
            let name = origin.application.as_str();
            parameters.push(Parameter::text(MQCACF_EVENT_APPL_NAME, name));
            parameters.push(Parameter::text(MQCACF_EVENT_APPL_ORIGIN, ""));
        }
        if let Changer::Command(Issuer { came: Came::AsMessage { context, .. }, .. }) = changer {
            let accounting_token = Content::Bytes(context.accounting_token.0.to_vec());
            parameters.push(Parameter::new(MQBACF_EVENT_ACCOUNTING_TOKEN, accounting_token));
            let text = |identifier, text: &str| Parameter::text(identifier, text);
            parameters.push(text(MQCACF_EVENT_APPL_IDENTITY, context.application_identity_data.as_str()));
            let kind = context.put_application_type.code();
            parameters.push(Parameter::integer(MQIACF_EVENT_APPL_TYPE, kind));
            parameters.push(text(MQCACF_EVENT_APPL_NAME, context.put_application_name.as_str()));
            parameters.push(text(MQCACF_EVENT_APPL_ORIGIN, context.application_origin_data.as_str()));
        }
        parameters
    }

    fn tell_command(&self, issuer: &Issuer, command: &Command, need: Lsn) {
        let mut context = self.who(Changer::Command(issuer));
        let binary = match &issuer.came {
            Came::AsMessage { binary, .. } => binary.as_deref(),
            Came::AsText | Came::ForLaterPage => None,
        };
        let number = binary.map_or_else(|| command.number(), |binary| binary.header.command);
        context.push(Parameter::integer(MQIACF_COMMAND, number));
        let (reason, data) = match binary {
            Some(binary) => (MQRC_COMMAND_PCF, pcf::without_secrets(&binary.parameters)),
            None => {
                let text = command.without_secrets().to_string();
                (MQRC_COMMAND_MQSC, vec![Parameter::text(MQCACF_COMMAND_MQSC, text)])
            }
        };
        let parameters = vec![
            Parameter::new(MQGACF_COMMAND_CONTEXT, Content::Group(context)),
            Parameter::new(MQGACF_COMMAND_DATA, Content::Group(data)),
        ];
        let event = Event::new(COMMAND_EVENTS, MQCMD_COMMAND_EVENT, reason, parameters);
        self.tell_event(&event, need);
    }
}

/// The object that a command makes, changes or removes; no name space for the queue manager.
pub(crate) fn subject(command: &Command) -> Option<(Option<NameSpace>, String)> {
    let named = |space: NameSpace, name: &Name| match name {
        Name::Object(name) => Some((Some(space), name.to_string())),
        Name::Subscription(text) => Some((Some(space), text.to_string())),
        Name::SubscriptionIdentifier(_) => None,
    };
    match command {
        Command::Alter(alter) if alter.object_type == ObjectType::QueueManager => Some((None, String::new())),
        Command::Define(define) => named(define.object_type.name_space(), &define.name),
        Command::Alter(alter) => named(alter.object_type.name_space(), &alter.name),
        Command::Delete(delete) => named(delete.name_space(), &delete.name),
        _ => None,
    }
}
