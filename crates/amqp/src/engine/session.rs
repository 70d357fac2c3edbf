//! A session: its windows, its deliveries and its links.
//!
//! Always: a transfer is only sent while the client's window has room, and only taken while ours has.

use std::collections::BTreeMap;

use super::link::{Link, Part, Role};
use crate::error::{Condition, Fault, Scope};
use crate::performative::{Attach, Begin, Flow, Transfer};

/// Transfers that a session takes before its window is renewed, which happens in every turn.
pub const INCOMING_WINDOW: u32 = 2048;

/// The number of the first transfer, and delivery, that a session sends.
const FIRST_OUTGOING: u32 = 0;

/// A session.
#[derive(Debug)]
pub struct Session {
    /// The number of the next transfer that comes.
    next_incoming_id: u32,
    /// Transfers that may come.
    incoming_window: u32,
    /// The number of the next transfer that goes.
    next_outgoing_id: u32,
    /// Transfers that the client takes.
    peer_incoming_window: u32,
    /// The number of the last delivery that came.
    last_delivery_id: Option<u32>,
    /// The number of the next delivery that goes.
    next_delivery_id: u32,
    links: BTreeMap<u32, Link>,
    /// Highest handle that the client takes.
    peer_handle_max: u32,
    /// Says whether it ended here, and its client has not said so.
    is_over: bool,
}

impl Session {
    pub(super) fn new(begin: &Begin<'_>) -> Self {
        Self {
            next_incoming_id: begin.next_outgoing_id,
            incoming_window: INCOMING_WINDOW,
            next_outgoing_id: FIRST_OUTGOING,
            peer_incoming_window: begin.incoming_window,
            last_delivery_id: None,
            next_delivery_id: FIRST_OUTGOING,
            links: BTreeMap::new(),
            peer_handle_max: begin.handle_max,
            is_over: false,
        }
    }

    /// Says whether it ended here.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Transfers that the client takes.
    #[must_use]
    pub fn outgoing_room(&self) -> u32 {
        self.peer_incoming_window
    }

    /// Says whether so many transfers came that its window should be renewed.
    #[must_use]
    pub fn wants_window(&self) -> bool {
        self.incoming_window <= INCOMING_WINDOW / 2
    }

    pub(super) fn end(&mut self) {
        self.is_over = true;
        self.links.clear();
    }

    pub(super) fn link_mut(&mut self, handle: u32) -> Option<&mut Link> {
        self.links.get_mut(&handle)
    }

    pub(super) fn link(&self, handle: u32) -> Option<&Link> {
        self.links.get(&handle)
    }

    pub(super) fn attach(
        &mut self,
        scope: Scope,
        attach: &Attach<'_>,
        message_bytes_max: u64,
    ) -> Result<(), Fault> {
        let handle = attach.handle;
        if self.links.contains_key(&handle) {
            let text = format!("the handle {handle} is that of a link already");
            return Err(Fault::new(scope, Condition::HandleInUse, text));
        }
        if handle > self.peer_handle_max {
            let text = format!("the handle {handle} is above the {} of its peer", self.peer_handle_max);
            return Err(Fault::of_connection(Condition::FramingError, text));
        }
        let role = if attach.is_receiver { Role::Sender } else { Role::Receiver };
        let first = attach.initial_delivery_count.unwrap_or(0);
        if role == Role::Receiver && attach.initial_delivery_count.is_none() {
            let text = "the attach of a sender has no initial-delivery-count";
            return Err(Fault::new(scope, Condition::InvalidField, text));
        }
        self.links.insert(handle, Link::new(role, first, message_bytes_max));
        Ok(())
    }

    fn unattached(scope: Scope, handle: u32) -> Fault {
        Fault::new(scope, Condition::UnattachedHandle, format!("no link has the handle {handle}"))
    }

    /// Hears of the client's windows, and of a link's credit. Returns false where the link ended here.
    pub(super) fn flow(&mut self, scope: Scope, flow: &Flow<'_>) -> Result<bool, Fault> {
        // A client that has not seen our begin counts from its beginning.
        let expected = flow.next_incoming_id.unwrap_or(FIRST_OUTGOING);
        let on_the_way = self.next_outgoing_id.wrapping_sub(expected);
        let on_the_way = if on_the_way > i32::MAX as u32 { 0 } else { on_the_way };
        self.peer_incoming_window = flow.incoming_window.saturating_sub(on_the_way);
        let Some(handle) = flow.handle else { return Ok(true) };
        let link = self.links.get_mut(&handle).ok_or_else(|| Self::unattached(scope, handle))?;
        link.hear(flow);
        Ok(!link.is_over())
    }

    /// Takes a transfer; none where its link ended here.
    pub(super) fn transfer<'a>(
        &mut self,
        channel: u16,
        transfer: &Transfer<'a>,
        payload: &'a [u8],
    ) -> Result<Option<Part<'a>>, Fault> {
        let scope = Scope::Session(channel);
        let Some(left) = self.incoming_window.checked_sub(1) else {
            let text = "more transfers came than the window of the session has; wait for a flow";
            return Err(Fault::new(scope, Condition::WindowViolation, text));
        };
        self.incoming_window = left;
        self.next_incoming_id = self.next_incoming_id.wrapping_add(1);
        let handle = transfer.handle;
        let link = self.links.get_mut(&handle).ok_or_else(|| Self::unattached(scope, handle))?;
        if link.role() == Role::Sender {
            let text = "a transfer came by a link on which the client receives";
            return Err(Fault::new(scope, Condition::IllegalState, text));
        }
        if link.is_over() {
            // Its deliveries count all the same: those of other links go on from there. A late part of one
            // that is counted may repeat its number, which is then no step forward.
            let is_forward = |id: &u32| self.last_delivery_id.is_none_or(|last| is_later(*id, last));
            self.last_delivery_id = transfer.delivery_id.filter(is_forward).or(self.last_delivery_id);
            return Ok(None);
        }
        if link.begins()
            && let Some(id) = transfer.delivery_id
        {
            if let Some(last) = self.last_delivery_id
                && id != last.wrapping_add(1)
            {
                let text = format!("the delivery-id {id} does not follow {last}");
                return Err(Fault::new(scope, Condition::InvalidField, text));
            }
            // It counts even if its link ends by it: the session and its other links go on.
            self.last_delivery_id = Some(id);
        }
        link.transfer((channel, handle), transfer, payload).map(Some)
    }

    /// Takes the end of a link; false where it had ended here.
    pub(super) fn detach(&mut self, scope: Scope, handle: u32) -> Result<bool, Fault> {
        let link = self.links.remove(&handle).ok_or_else(|| Self::unattached(scope, handle))?;
        Ok(!link.is_over())
    }

    /// The number of a delivery that begins.
    pub fn begin_delivery(&mut self) -> u32 {
        let id = self.next_delivery_id;
        self.next_delivery_id = id.wrapping_add(1);
        id
    }

    /// Counts a transfer that goes; false where the client takes none.
    pub fn count_transfer(&mut self) -> bool {
        let Some(left) = self.peer_incoming_window.checked_sub(1) else { return false };
        self.peer_incoming_window = left;
        self.next_outgoing_id = self.next_outgoing_id.wrapping_add(1);
        true
    }

    /// The state of its windows, as a flow tells it.
    pub(super) fn windows(&self) -> Flow<'static> {
        Flow {
            next_incoming_id: Some(self.next_incoming_id),
            incoming_window: self.incoming_window,
            next_outgoing_id: self.next_outgoing_id,
            outgoing_window: INCOMING_WINDOW,
            ..Flow::default()
        }
    }

    pub(super) fn renew_window(&mut self) {
        self.incoming_window = INCOMING_WINDOW;
    }
}

/// Says whether a number comes after another, as serial numbers compare (RFC 1982).
fn is_later(number: u32, other: u32) -> bool {
    (1..=i32::MAX as u32).contains(&number.wrapping_sub(other))
}
