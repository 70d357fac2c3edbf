//! Frames of a connection, as its server sends them.

use super::connection::{Connection, Stage};
use super::link::{INITIAL_DELIVERY_COUNT, Role};
use crate::error::Scope;
use crate::error_field::ErrorField;
use crate::frame::{FrameType, put_frame, put_frame_before};
use crate::performative::{
    Attach, Begin, Close, Detach, Disposition, End, Flow, Open, Performative, Transfer,
};
use crate::types::field::Raw;
use crate::types::write::{Composite, put_binary, put_boolean, put_null, put_uint};

/// The fields of a transfer that goes.
#[derive(Clone, Copy, Debug)]
pub struct TransferHead<'a> {
    /// The link.
    pub handle: u32,
    /// The number and the name of the delivery, with its first transfer.
    pub delivery: Option<(u32, &'a [u8])>,
    /// Says whether it is settled as it is sent.
    pub is_settled: bool,
    /// Says whether more of the message follows.
    pub more: bool,
}

impl TransferHead<'_> {
    /// Appends the frame up to its payload of so many bytes.
    #[inline]
    pub fn put(&self, out: &mut Vec<u8>, channel: u16, payload_bytes: usize) {
        put_frame_before(out, FrameType::Amqp, channel, payload_bytes, |out| {
            let mut fields = Composite::begin(out, Transfer::CODE);
            fields.put(|out| put_uint(out, self.handle));
            let (id, tag) = self.delivery.unzip();
            fields.put_or_null(id, put_uint);
            fields.put_or_null(tag, put_binary);
            match self.delivery {
                Some(_) => fields.put(|out| put_uint(out, 0)),
                None => fields.put(put_null),
            }
            fields.put_or_null(self.delivery.is_some().then_some(self.is_settled), put_boolean);
            fields.put_or_null(self.more.then_some(true), put_boolean);
            fields.end();
        });
    }
}

impl Connection {
    /// Appends the Open that answers the client's.
    pub fn put_open(&self, out: &mut Vec<u8>, open: Open<'_>) {
        let open = Open {
            max_frame_size: self.limits.frame_bytes_max,
            channel_max: self.limits.channel_max,
            ..open
        };
        Performative::Open(open).put(out, 0);
    }

    /// Appends the Begin that answers the client's.
    pub fn put_begin(&self, out: &mut Vec<u8>, channel: u16) {
        let Some(session) = self.session(channel) else { return };
        let windows = session.windows();
        let begin = Begin {
            remote_channel: Some(channel),
            next_outgoing_id: windows.next_outgoing_id,
            incoming_window: windows.incoming_window,
            outgoing_window: windows.outgoing_window,
            handle_max: self.limits.handle_max,
            ..Begin::default()
        };
        Performative::Begin(begin).put(out, channel);
    }

    /// Appends the Attach that answers the client's. A sender's says where its count of deliveries begins.
    pub fn put_attach(&self, out: &mut Vec<u8>, channel: u16, attach: Attach<'_>) {
        let initial_delivery_count = (!attach.is_receiver).then_some(INITIAL_DELIVERY_COUNT);
        let attach = Attach { initial_delivery_count, ..attach };
        Performative::Attach(attach).put(out, channel);
    }

    /// Appends a flow of a session, which renews its window.
    pub fn put_window(&mut self, out: &mut Vec<u8>, channel: u16) {
        let Some(session) = self.session_mut(channel).filter(|session| !session.is_over()) else { return };
        session.renew_window();
        Performative::Flow(session.windows()).put(out, channel);
    }

    /// Appends a flow of a link, with its credit, and renews the window of its session.
    pub fn put_credit(&mut self, out: &mut Vec<u8>, channel: u16, handle: u32) {
        let Some(session) = self.session_mut(channel) else { return };
        session.renew_window();
        let windows = session.windows();
        let Some(link) = session.link(handle).filter(|link| !link.is_over()) else { return };
        let (delivery_count, credit, drain) = match link.role() {
            Role::Sender => (link.sending.delivery_count, link.sending.credit, link.sending.drain),
            Role::Receiver => (link.receiving.delivery_count, link.receiving.credit, false),
        };
        let flow = Flow {
            handle: Some(handle),
            delivery_count: Some(delivery_count),
            link_credit: Some(credit),
            drain,
            ..windows
        };
        Performative::Flow(flow).put(out, channel);
    }

    /// Appends the states of deliveries from `first` to `last`, which `state` appends.
    pub fn put_disposition(
        &self,
        out: &mut Vec<u8>,
        channel: u16,
        (role, first, last): (Role, u32, u32),
        is_settled: bool,
        state: Option<&[u8]>,
    ) {
        let disposition = Disposition {
            is_receiver: role == Role::Receiver,
            first,
            last: (last != first).then_some(last),
            settled: is_settled,
            state: state.map(Raw),
            ..Disposition::default()
        };
        Performative::Disposition(disposition).put(out, channel);
    }

    /// Appends the Detach that answers the client's, or the one that ends a link here.
    pub fn put_detach(
        &mut self,
        out: &mut Vec<u8>,
        (channel, handle): (u16, u32),
        closed: bool,
        error: Option<&ErrorField>,
    ) {
        if let Some(link) = self.link_mut(channel, handle) {
            link.end();
        }
        let error = error.map(written);
        let detach = Detach { handle, closed, error: error.as_deref().map(Raw) };
        Performative::Detach(detach).put(out, channel);
    }

    /// Appends the End that answers the client's, or the one that ends a session here.
    pub fn put_end(&mut self, out: &mut Vec<u8>, channel: u16, error: Option<&ErrorField>) {
        if let Some(session) = self.session_mut(channel) {
            session.end();
        }
        let error = error.map(written);
        Performative::End(End { error: error.as_deref().map(Raw) }).put(out, channel);
    }

    /// Appends the Close that answers the client's, or the one that ends the connection here.
    pub fn put_close(&self, out: &mut Vec<u8>, error: Option<&ErrorField>) {
        let error = error.map(written);
        Performative::Close(Close { error: error.as_deref().map(Raw) }).put(out, 0);
    }

    /// Says whether a Close may be sent: an Open is sent before it.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Open | Stage::Closed)
    }

    /// Appends an empty frame, which says that the server is there.
    pub fn put_empty(out: &mut Vec<u8>) {
        put_frame(out, FrameType::Amqp, 0, |_| ());
    }

    /// The scope of a link, or of its session where that has none.
    #[must_use]
    pub fn scope(&self, channel: u16, handle: u32) -> Scope {
        match self.session(channel).and_then(|session| session.link(handle)) {
            Some(_) => Scope::Link(channel, handle),
            None => Scope::Session(channel),
        }
    }
}

fn written(error: &ErrorField) -> Vec<u8> {
    let mut bytes = Vec::new();
    error.write(&mut bytes);
    bytes
}
