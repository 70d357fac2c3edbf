//! A link: its credit, and the message that is on its way in.
//!
//! Always: numbers of deliveries are compared as serial numbers, so that they may wrap; credit is never
//! negative, and never above [`CREDIT_MAX`].

use crate::error::{Condition, Fault, Scope};
use crate::performative::{Flow, Transfer};

/// Most credit that counts: more is as good as this.
pub const CREDIT_MAX: u32 = i32::MAX as u32;

/// The delivery-count with which a link begins that sends to the client.
pub(super) const INITIAL_DELIVERY_COUNT: u32 = 0;

/// Longest name of a delivery.
pub const TAG_BYTES_MAX: usize = 32;

/// The end of a link that is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Messages go to the client.
    Sender,
    /// Messages come from the client.
    Receiver,
}

/// Credit as the sender counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sending {
    /// Deliveries so far.
    pub delivery_count: u32,
    /// Deliveries that may follow.
    pub credit: u32,
    /// Says whether credit is to be used up.
    pub drain: bool,
}

impl Sending {
    /// Hears of the receiver: how many deliveries it knew of, and how many may follow from there.
    pub fn hear(&mut self, flow: &Flow<'_>) {
        let Some(credit) = flow.link_credit else { return };
        // A receiver that has not seen our attach counts from the beginning (AMQP 2.6.7): what was sent since
        // then uses up its credit.
        let known = flow.delivery_count.unwrap_or(INITIAL_DELIVERY_COUNT);
        // A receiver cannot know of more deliveries than there were.
        let on_the_way = self.delivery_count.wrapping_sub(known);
        let on_the_way = if on_the_way > CREDIT_MAX { 0 } else { on_the_way };
        self.credit = credit.min(CREDIT_MAX).saturating_sub(on_the_way);
        self.drain = flow.drain;
    }

    /// Counts a delivery; false without credit, unless it goes in any case, as a message off its queue must.
    pub fn deliver(&mut self, goes_in_any_case: bool) -> bool {
        if self.credit == 0 && !goes_in_any_case {
            return false;
        }
        self.credit = self.credit.saturating_sub(1);
        self.delivery_count = self.delivery_count.wrapping_add(1);
        true
    }

    /// Uses up what credit is left.
    pub fn use_up(&mut self) {
        self.delivery_count = self.delivery_count.wrapping_add(self.credit);
        self.credit = 0;
        self.drain = false;
    }
}

/// Credit as the receiver counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Receiving {
    /// Deliveries so far.
    pub delivery_count: u32,
    /// Deliveries that may follow.
    pub credit: u32,
}

impl Receiving {
    /// Hears of the sender, which may have used up credit.
    pub fn hear(&mut self, flow: &Flow<'_>) {
        let Some(count) = flow.delivery_count else { return };
        let used_up = count.wrapping_sub(self.delivery_count);
        if used_up <= self.credit {
            self.delivery_count = count;
            self.credit -= used_up;
        }
    }

    /// Counts a delivery; false without credit.
    pub fn receive(&mut self) -> bool {
        let Some(left) = self.credit.checked_sub(1) else { return false };
        self.credit = left;
        self.delivery_count = self.delivery_count.wrapping_add(1);
        true
    }
}

/// A part of a message that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// The number of the delivery in its session.
    pub delivery_id: u32,
    /// Says whether it is the first part.
    pub is_first: bool,
    /// Says whether it is the last.
    pub is_last: bool,
    /// Says whether the message is not coming after all.
    pub is_aborted: bool,
    /// Says whether the delivery is settled.
    pub is_settled: bool,
    /// The bytes of the message.
    pub payload: &'a [u8],
}

/// A message on its way in.
#[derive(Clone, Debug)]
struct Arriving {
    delivery_id: u32,
    tag: [u8; TAG_BYTES_MAX],
    tag_bytes: usize,
    bytes: u64,
    is_settled: bool,
}

/// A link.
#[derive(Clone, Debug)]
pub struct Link {
    role: Role,
    /// Credit, where messages go to the client.
    pub sending: Sending,
    /// Credit, where they come from it.
    pub receiving: Receiving,
    message_bytes_max: u64,
    arriving: Option<Arriving>,
    /// Says whether it ended here, and its client has not said so.
    is_over: bool,
}

impl Link {
    pub(super) fn new(role: Role, initial_delivery_count: u32, message_bytes_max: u64) -> Self {
        let receiving = Receiving { delivery_count: initial_delivery_count, credit: 0 };
        let sending = Sending { delivery_count: INITIAL_DELIVERY_COUNT, ..Sending::default() };
        Self { role, sending, receiving, message_bytes_max, arriving: None, is_over: false }
    }

    /// The end that is ours.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// Says whether it ended here.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) fn end(&mut self) {
        self.is_over = true;
        self.arriving = None;
    }

    pub(super) fn hear(&mut self, flow: &Flow<'_>) {
        match self.role {
            Role::Sender => self.sending.hear(flow),
            Role::Receiver => self.receiving.hear(flow),
        }
    }

    /// Says whether the next transfer begins a delivery, be it one that is aborted at once.
    pub(super) fn begins(&self) -> bool {
        self.arriving.is_none()
    }

    /// Takes a transfer. A fault of the session's numbers has the scope of the session.
    pub(super) fn transfer<'a>(
        &mut self,
        (channel, handle): (u16, u32),
        transfer: &Transfer<'a>,
        payload: &'a [u8],
    ) -> Result<Part<'a>, Fault> {
        let invalid = |text| Fault::new(Scope::Session(channel), Condition::InvalidField, text);
        let of_link = |condition, text: String| Fault::new(Scope::Link(channel, handle), condition, text);
        let is_first = self.begins();
        let mut arriving = match self.arriving.take() {
            Some(arriving) => {
                if transfer.delivery_id.is_some_and(|id| id != arriving.delivery_id) {
                    return Err(invalid("the delivery-id changes within a delivery"));
                }
                if transfer.delivery_tag.is_some_and(|tag| *tag != arriving.tag[..arriving.tag_bytes]) {
                    return Err(invalid("the delivery-tag changes within a delivery"));
                }
                arriving
            }
            None => {
                let delivery_id = transfer
                    .delivery_id
                    .ok_or_else(|| invalid("the first transfer of a delivery has no delivery-id"))?;
                let tag = transfer
                    .delivery_tag
                    .ok_or_else(|| invalid("the first transfer of a delivery has no delivery-tag"))?;
                if tag.len() > TAG_BYTES_MAX {
                    return Err(invalid("a delivery-tag has more than 32 bytes"));
                }
                if !self.receiving.receive() {
                    let text = "a transfer came without credit; wait for a flow".to_owned();
                    return Err(of_link(Condition::TransferLimitExceeded, text));
                }
                let mut kept = [0; TAG_BYTES_MAX];
                kept[..tag.len()].copy_from_slice(tag);
                Arriving { delivery_id, tag: kept, tag_bytes: tag.len(), bytes: 0, is_settled: false }
            }
        };
        arriving.is_settled |= transfer.settled.unwrap_or(false);
        arriving.bytes += payload.len() as u64;
        let (delivery_id, is_settled) = (arriving.delivery_id, arriving.is_settled);
        let is_aborted = transfer.aborted;
        if arriving.bytes > self.message_bytes_max && !is_aborted {
            let text = format!(
                "a message is longer than the {} bytes that its target takes",
                self.message_bytes_max
            );
            return Err(of_link(Condition::MessageSizeExceeded, text));
        }
        let is_last = !transfer.more || is_aborted;
        if !is_last {
            self.arriving = Some(arriving);
        }
        Ok(Part { delivery_id, is_first, is_last, is_aborted, is_settled, payload })
    }
}
