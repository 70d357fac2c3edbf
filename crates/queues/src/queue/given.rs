//! The part of a message that a getter is given: its form, and its length.

use std::sync::Arc;

use formats::headers::Place;
use mqi::Reason;
use objects::PropertyControl;
use platform::Monotonic;

use super::entry::{Entry, Slot};
use super::got_message::GotMessage;
use super::got_message::Wanted;
use super::request::{Action, Request};
use super::token::Token;
use super::{Queue, State};
use crate::message::presentation::{self, Form};
use crate::message::{self, context::Saved, extension};

/// A message that is given out, with the facts that decide its form.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub(super) slot: Slot,
    pub(super) entry: &'a Entry,
    /// PROPCTL of its queue.
    pub(super) property_control: PropertyControl,
    /// The time from which it has failed too often: its backout count has reached BOTHRESH.
    pub(super) fails_from: Option<Monotonic>,
}

impl State {
    /// A message to be given out from its place.
    pub(super) fn given(&self, slot: Slot) -> Given<'_> {
        let entry = &self.slab[slot];
        let fails_from = if entry.backout_count > 0 { self.fails_from(entry) } else { None };
        Given { slot, entry, property_control: self.attributes.property_control, fails_from }
    }

    #[cold]
    fn fails_from(&self, entry: &Entry) -> Option<Monotonic> {
        let most = self.attributes.backout_threshold;
        (most > 0 && entry.backout_count >= most).then_some(self.failing_stay_until)
    }

    /// In which form a getter is given the properties of a message; none for a message that has none.
    pub(super) fn form(&self, payload: &message::Payload, request: &Request) -> Option<Form> {
        form(payload, request, self.attributes.property_control)
    }
}

#[inline]
fn form(payload: &message::Payload, request: &Request, control: PropertyControl) -> Option<Form> {
    let has_any = presentation::may_have(&payload.descriptor);
    (has_any || request.properties.has_handle()).then(|| request.properties.form(control))
}

impl Given<'_> {
    /// True if it is longer than its getter takes, in the form for that getter.
    #[expect(
        clippy::inline_always,
        reason = "a call, with a copy of these facts, is 26 instructions of a get"
    )]
    #[inline(always)]
    pub(super) fn is_too_long(self, request: &Request) -> bool {
        let in_front = if request.extension.is_some() { self.length_in_front(request) } else { 0 };
        self.entry.body_length as usize + in_front > request.bytes_max
            && self.is_too_long_as_given(request, in_front)
    }

    fn length_in_front(self, request: &Request) -> usize {
        let payload = self.entry.payload.as_ref().expect("a message is given out from memory");
        request.extension_length(&payload.descriptor)
    }

    fn is_too_long_as_given(self, request: &Request, in_front: usize) -> bool {
        let Self { entry, property_control, .. } = self;
        let payload = entry.payload.as_ref().expect("a message is given out from memory");
        form(payload, request, property_control).is_none_or(|form| {
            let length = match payload.left_out(form) {
                Some(front) => payload.body.len() - front.length(),
                None => form.present(&Place::of(&payload.descriptor), &payload.body).body.len(),
            };
            length + in_front > request.bytes_max
        })
    }
}

impl Queue {
    /// A copy for a getter; the message keeps its payload.
    pub(super) fn copy_of(
        &self,
        state: &State,
        slot: Slot,
        request: &Request,
        now: Monotonic,
        warning: Option<Reason>,
    ) -> GotMessage {
        let given = state.given(slot);
        let payload = Arc::clone(given.entry.payload.as_ref().expect("a message is given out from memory"));
        self.finish_copy(payload, given, request, now, warning)
    }

    /// Makes the getter's copy of a message that has left its payload.
    pub(super) fn finish_copy(
        &self,
        payload: Arc<message::Payload>,
        Given { slot, entry, property_control, fails_from }: Given<'_>,
        request: &Request,
        now: Monotonic,
        warning: Option<Reason>,
    ) -> GotMessage {
        let mut form = form(&payload, request, property_control);
        let left_out = form.filter(|_| request.grouping.is_none()).and_then(|form| payload.left_out(form));
        if left_out.is_some() {
            form = None;
        }
        let left_out = left_out.copied();
        let extension = request.extension.filter(|_| extension::is_needed(&payload.descriptor));
        let (descriptor, mut body) = message::for_getter(payload, entry.queue_fields(), now, left_out);
        #[cfg(feature = "planted")]
        crate::planted::change(&mut body);
        let data_length = body.len();
        // One whose properties change their form is cut when they have.
        if form.is_none() {
            body.truncate(request.bytes_max);
        }
        if let Some(memo) = request.memo.as_ref().filter(|memo| memo.saves_context)
            && request.action != Action::Browse
        {
            memo.state.lock().context = Some(Box::new(Saved::of(&descriptor)));
        }
        let resolved_queue_name = request.resolved_queue_name;
        let message_token = Token { slot, sequence: entry.sequence }.to_message_token(self.id);
        // What was cut is given as it is.
        let conversion = request.conversion.filter(|_| warning.is_none());
        let is_as_wanted = form.is_none() && conversion.is_none() && extension.is_none();
        let wanted = Wanted { form, conversion, extension, bytes_max: request.bytes_max };
        let wanted = (!is_as_wanted).then(|| Box::new(wanted));
        let properties = None;
        GotMessage {
            descriptor,
            body,
            data_length,
            warning,
            resolved_queue_name,
            message_token,
            arrived: entry.arrived(),
            properties,
            wanted,
            segments: None,
            receipt: None,
            waits_on: false,
            has_failed_enough: fails_from.is_some_and(|from| from <= now),
        }
    }
}
