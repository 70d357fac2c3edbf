//! A put whose options name message handles: the message it makes of them.
//!
//! | action | properties from the original handle | descriptor, when the program gives none |
//! |---|---|---|
//! | new | all | the original's |
//! | forward | those copied when a message is forwarded | the original's |
//! | reply | those copied to replies | that of a reply to the original |
//! | report | those copied to reports | that of a report about the original |
//!
//! Properties of the new handle stand over those of the original, and one without a value removes the
//! original's; so do fields of the descriptor that the program has set in the new handle. After the put the
//! new handle has what was put.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use mqi::properties::PropertyValue;
use mqi::{
    CorrelationId, Expiry, MessageDescriptor, MessageFlags, MessageHandle, MessageId, MessageType, PutAction,
    PutFlags, PutOptions, Rare, Reason, ReportOptions, constants,
};

use super::super::{By, Property, folder, put_before_as};
use super::content::Content;
use super::{Handles, Loan};
use crate::headers::Place;

/// A put as the queue manager is asked for it, with what the handles say in the message.
#[derive(Debug)]
pub struct Prepared {
    /// The descriptor, which describes the header of properties.
    pub descriptor: MessageDescriptor,
    /// The options, which name no handle.
    pub options: PutOptions,
    /// Properties and body.
    pub body: Bytes,
    properties: Vec<Property>,
    place: Place,
    returns: Option<Loan>,
}

impl Handles {
    /// Prepares the message of a put whose options name handles; none when they do not.
    ///
    /// # Errors
    /// `MQRC_HMSG_ERROR`, `MQRC_MSG_HANDLE_IN_USE`; `MQRC_MD_ERROR` when a descriptor is only for output and
    /// no handle has one; the reason that properties cannot stand before this body.
    pub fn for_put(
        &self,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        body: &Bytes,
    ) -> Result<Option<Box<Prepared>>, Reason> {
        let PutOptions { original_message_handle, new_message_handle, .. } = *options;
        let is_only_output = options.flags.contains(PutFlags::MD_FOR_OUTPUT_ONLY);
        if !options.uses_message_handles() {
            return Ok(None);
        }
        if (original_message_handle, new_message_handle) == (MessageHandle::NONE, MessageHandle::NONE) {
            return Err(Reason::MD_ERROR);
        }
        let named = |handle| match handle {
            MessageHandle::NONE => Ok(None),
            handle => self.lend(handle).map(Some),
        };
        let mut returns = named(new_message_handle)?;
        // One handle may be both.
        let mut original = match original_message_handle == new_message_handle {
            true => None,
            false => named(original_message_handle)?,
        };
        let new = returns.as_mut().map(|loan| &*loan.content());
        let original = original.as_mut().map(|loan| &*loan.content());
        let mut descriptor = match is_only_output {
            true => composed_descriptor(options.action, original, new),
            false => descriptor.clone(),
        };
        let (properties, others) = composed(options.action, original, new);
        let place = Place::of(&descriptor);
        let mut folders = folder::write(&properties.iter().collect::<Vec<_>>());
        folders.extend(others);
        let (whole, body) = put_before_as(folders, By::Handle, &place, body)?;
        whole.describe(&mut descriptor);
        let mut options = PutOptions {
            original_message_handle: MessageHandle::NONE,
            new_message_handle: MessageHandle::NONE,
            action: PutAction::New,
            ..options.clone()
        };
        options.flags.remove(PutFlags::MD_FOR_OUTPUT_ONLY);
        Ok(Some(Box::new(Prepared { descriptor, options, body, properties, place, returns })))
    }
}

/// Puts a message, or what its handles make of it.
///
/// # Errors
/// The reason of the put.
pub fn put(
    prepared: Option<Box<Prepared>>,
    descriptor: &mut MessageDescriptor,
    options: &mut PutOptions,
    body: Bytes,
    put: impl FnOnce(&mut MessageDescriptor, &mut PutOptions, Bytes) -> Result<(), Reason>,
) -> Result<(), Reason> {
    let Some(mut prepared) = prepared else { return put(descriptor, options, body) };
    let body = std::mem::take(&mut prepared.body);
    put(&mut prepared.descriptor, &mut prepared.options, body)?;
    prepared.done(descriptor, options);
    Ok(())
}

impl Prepared {
    /// The message was put, and its descriptor filled: the program's own describes its body, and the new
    /// handle the message.
    pub fn done(mut self, descriptor: &mut MessageDescriptor, options: &mut PutOptions) {
        let mut place = self.place;
        if place.coded_character_set == constants::MQCCSI_Q_MGR {
            place.coded_character_set = self.descriptor.coded_character_set;
        }
        place.describe(&mut self.descriptor);
        if let Some(mut new) = self.returns.take() {
            new.content().reflect(self.descriptor.clone(), std::mem::take(&mut self.properties));
        }
        *descriptor = self.descriptor;
        options.resolved_queue_name = self.options.resolved_queue_name;
        options.resolved_queue_manager_name = self.options.resolved_queue_manager_name;
        options.warning = self.options.warning;
    }
}

/// The properties of the message, and folders that go with it as they are.
fn composed(
    action: PutAction,
    original: Option<&Content>,
    new: Option<&Content>,
) -> (Vec<Property>, Vec<String>) {
    let Some(original) = original else {
        let new = new.expect("a put that is prepared names a handle");
        return (new.properties.clone(), new.passed_on(PutAction::New).cloned().collect());
    };
    let inherited = original.properties.iter().filter(|property| property.descriptor.copy.apply_to(action));
    let of_original = original.passed_on(action);
    let Some(new) = new else { return (inherited.cloned().collect(), of_original.cloned().collect()) };
    let mut of_new: BTreeMap<&str, Vec<&Property>> = BTreeMap::new();
    for property in &new.properties {
        of_new.entry(&property.name).or_default().push(property);
    }
    let mut properties: Vec<Property> = Vec::new();
    let mut placed: BTreeSet<&str> = BTreeSet::new();
    for property in inherited {
        match of_new.get(property.name.as_str()) {
            None => properties.push(property.clone()),
            Some(same) if placed.insert(&property.name) => {
                let valued = same.iter().filter(|property| property.value != PropertyValue::Null);
                properties.extend(valued.copied().cloned());
            }
            Some(_) => {}
        }
    }
    let is_further = |property: &&Property| !placed.contains(property.name.as_str());
    properties.extend(new.properties.iter().filter(is_further).cloned());
    (properties, of_original.chain(new.passed_on(PutAction::New)).cloned().collect())
}

fn composed_descriptor(
    action: PutAction,
    original: Option<&Content>,
    new: Option<&Content>,
) -> MessageDescriptor {
    let (original, new) = match (original, new) {
        (Some(original), new) => (&original.descriptor, new),
        (None, Some(new)) => (&new.descriptor, Some(new)),
        (None, None) => unreachable!("a put that is prepared names a handle"),
    };
    let mut descriptor = match action {
        PutAction::New | PutAction::Forward => original.clone(),
        PutAction::Reply => answering(original, MessageType::REPLY),
        PutAction::Report => answering(original, MessageType::REPORT),
    };
    if let Some(new) = new {
        for field in &new.fields_set {
            let set = field.set(&mut descriptor, &field.value(&new.descriptor));
            assert!(set.is_ok(), "a field takes the value it was set to before");
        }
    }
    descriptor
}

/// The descriptor of a message that answers another, as the report options of that one say.
fn answering(original: &MessageDescriptor, message_type: MessageType) -> MessageDescriptor {
    let asked = original.report;
    let passes = asked.contains(ReportOptions::PASS_DISCARD_AND_EXPIRY);
    let discards = passes && asked.contains(ReportOptions::DISCARD_MSG);
    let passes_message_id = asked.contains(ReportOptions::PASS_MSG_ID);
    MessageDescriptor {
        report: if discards { ReportOptions::DISCARD_MSG } else { ReportOptions::EMPTY },
        message_type,
        expiry: if passes { original.expiry } else { Expiry::UNLIMITED },
        feedback: mqi::Feedback::NONE,
        message_id: if passes_message_id { original.message_id } else { MessageId::NONE },
        correlation_id: match asked.contains(ReportOptions::PASS_CORREL_ID) {
            true => original.correlation_id,
            false => CorrelationId(original.message_id.0),
        },
        backout_count: 0,
        reply_to_queue: Rare::USUAL,
        reply_to_queue_manager: Rare::USUAL,
        group_id: Rare::USUAL,
        message_sequence_number: 1,
        offset: 0,
        message_flags: MessageFlags::EMPTY,
        original_length: constants::MQOL_UNDEFINED,
        ..original.clone()
    }
}
