//! A session of an AMQP client: frames out and in, and the windows of transfers.

use amqp::Value;
use amqp::frame::{Frame, Protocol};
use amqp::performative::{Attach, Begin, Disposition, Flow, Open, Performative, Transfer};
use amqp::sections::{DATA, Header, Sections};
use amqp::terminus::{Coordinator, Source, Target};
use amqp::transaction::{Declare, Discharge};
use amqp::types::write::{Composite, put_binary, put_boolean, put_descriptor, put_ubyte};
use amqp::types::{Raw, one};
use bytes::{Buf, BytesMut};
use channel::Output;
use platform::simulated::Random;

/// Bytes of a transfer beside its payload at most.
const TRANSFER_BYTES: usize = 96;
/// The longest frame of the queue manager's.
const FRAME_BYTES_MAX: u32 = 256 << 10;
/// The descriptor of the value of a message.
const VALUE: u64 = 0x77;

/// A session with its connection.
#[derive(Debug, Default)]
pub(super) struct Line {
    input: BytesMut,
    pub(super) output: Output,
    is_greeted: bool,
    /// The longest frame that is sent.
    frame_bytes: usize,
    /// The window that is granted, and transfers that came since.
    window: u32,
    came_in_window: u32,
    next_incoming: u32,
    next_outgoing: u32,
    /// Transfers that the queue manager takes.
    room: u32,
    next_delivery: u32,
}

impl Line {
    /// Begins a connection with its session.
    pub(super) fn begin(container: &str, random: &mut Random) -> Self {
        let frame_bytes = *random.pick(&[600, 4_096, 60_000]);
        let window = *random.pick(&[8, 100, 2_000]);
        let mut line = Self { frame_bytes, window, ..Self::default() };
        line.output.cork().extend_from_slice(&Protocol::Amqp.header());
        let max_frame_size = *random.pick(&[512, 4_096, FRAME_BYTES_MAX]);
        line.say(Open { container_id: container, max_frame_size, ..Open::default() });
        line.say(Begin { incoming_window: window, outgoing_window: 2_000, ..Begin::default() });
        line
    }

    pub(super) fn say<'a>(&mut self, performative: impl Into<Performative<'a>>) {
        performative.into().put(self.output.cork(), 0);
    }

    pub(super) fn attach_target(&mut self, handle: u32, queue: Option<&str>) {
        let mut target = Vec::new();
        match queue {
            Some(queue) => Target { address: Some(queue), ..Target::default() }.write(&mut target),
            None => Coordinator::default().write(&mut target),
        }
        let name = format!("link {handle}");
        let target = Some(Raw(&target));
        self.say(Attach {
            name: &name,
            handle,
            target,
            initial_delivery_count: Some(0),
            ..Attach::default()
        });
    }

    pub(super) fn attach_source(&mut self, handle: u32, queue: &str, (sender, receiver): (u8, u8)) {
        let mut source = Vec::new();
        Source { address: Some(queue), ..Source::default() }.write(&mut source);
        self.say(Attach {
            name: &format!("link {handle}"),
            handle,
            is_receiver: true,
            snd_settle_mode: sender,
            rcv_settle_mode: receiver,
            source: Some(Raw(&source)),
            ..Attach::default()
        });
    }

    /// Tells the credit of a link that receives, and the window.
    pub(super) fn flow(&mut self, handle: u32, (count, credit): (u32, u32), drain: bool) {
        let (handle, delivery_count, link_credit) = (Some(handle), Some(count), Some(credit));
        self.say_flow(Flow { handle, delivery_count, link_credit, drain, ..Flow::default() });
    }

    fn say_flow(&mut self, flow: Flow<'_>) {
        self.came_in_window = 0;
        self.say(Flow {
            next_incoming_id: Some(self.next_incoming),
            incoming_window: self.window,
            next_outgoing_id: self.next_outgoing,
            outgoing_window: 2_000,
            ..flow
        });
    }

    /// A transfer came; the window is granted anew before it is used up.
    pub(super) fn count_transfer(&mut self) -> Result<(), String> {
        if self.came_in_window == self.window {
            return Err(format!("a transfer beyond the window of {}", self.window));
        }
        self.next_incoming = self.next_incoming.wrapping_add(1);
        self.came_in_window += 1;
        if self.came_in_window * 2 >= self.window {
            self.say_flow(Flow::default());
        }
        Ok(())
    }

    /// The queue manager says how many transfers it takes.
    pub(super) fn hear_window(&mut self, next_incoming: Option<u32>, window: u32) {
        let known = next_incoming.unwrap_or(0);
        self.room = known.wrapping_add(window).wrapping_sub(self.next_outgoing);
    }

    /// Says whether a message of this length fits the window.
    pub(super) fn takes(&self, length: usize) -> bool {
        let frames = length / (self.frame_bytes - TRANSFER_BYTES) + 1;
        frames <= usize::try_from(self.room).expect("a window")
    }

    /// Sends a message; returns the number of its delivery.
    pub(super) fn transfer(
        &mut self,
        handle: u32,
        settled: bool,
        state: Option<&[u8]>,
        message: &[u8],
    ) -> u32 {
        let id = self.next_delivery;
        self.next_delivery = id.wrapping_add(1);
        let tag = id.to_be_bytes();
        let mut parts = message.chunks(self.frame_bytes - TRANSFER_BYTES).peekable();
        let mut is_first = true;
        while let Some(part) = parts.next() {
            let transfer = Transfer {
                handle,
                delivery_id: is_first.then_some(id),
                delivery_tag: is_first.then_some(&tag[..]),
                settled: Some(settled),
                more: parts.peek().is_some(),
                state: state.map(Raw),
                ..Transfer::default()
            };
            amqp::frame::put_frame(self.output.cork(), amqp::frame::FrameType::Amqp, 0, |out| {
                transfer.write(out);
                out.extend_from_slice(part);
            });
            self.next_outgoing = self.next_outgoing.wrapping_add(1);
            self.room -= 1;
            is_first = false;
        }
        id
    }

    /// Tells the state of deliveries that came.
    pub(super) fn settle(&mut self, (first, last): (u32, u32), settled: bool, state: &[u8]) {
        let state = Some(Raw(state));
        let last = Some(last);
        self.say(Disposition { is_receiver: true, first, last, settled, state, ..Disposition::default() });
    }

    pub(super) fn arrive(&mut self, bytes: &[u8]) {
        self.input.extend_from_slice(bytes);
    }

    /// The body of the next frame, if it is here; that of a frame which only shows life is empty.
    pub(super) fn next(&mut self) -> Result<Option<BytesMut>, String> {
        if !self.is_greeted {
            match Protocol::of(&self.input).map_err(|fault| format!("{fault:?}"))? {
                None => return Ok(None),
                Some(Protocol::Sasl) => return Err("the header of a login".to_owned()),
                Some(Protocol::Amqp) => self.input.advance(Protocol::Amqp.header().len()),
            }
            self.is_greeted = true;
        }
        let Some(frame) =
            Frame::decode(&self.input, FRAME_BYTES_MAX).map_err(|fault| format!("{fault:?}"))?
        else {
            return Ok(None);
        };
        let (whole, head) = (frame.bytes, frame.bytes - frame.body.len());
        let mut body = self.input.split_to(whole);
        body.advance(head);
        Ok(Some(body))
    }
}

/// A message with a body of bytes.
pub(super) fn message(body: &[u8], is_durable: bool, priority: u8) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() + 32);
    let mut fields = Composite::begin(&mut out, Header::CODE);
    fields.put(|out| put_boolean(out, is_durable));
    fields.put(|out| put_ubyte(out, priority));
    fields.end();
    put_descriptor(&mut out, DATA);
    put_binary(&mut out, body);
    out
}

/// The bytes of the body of a message.
pub(super) fn body(message: &[u8]) -> Result<Vec<u8>, String> {
    let sections = Sections::of(message).map_err(|error| format!("a message that is none: {error}"))?;
    Ok(sections.parts().flat_map(|part| part.content.to_vec()).collect())
}

/// A request to begin a transaction.
pub(super) fn declare() -> Vec<u8> {
    let mut out = Vec::new();
    put_descriptor(&mut out, VALUE);
    Declare::default().write(&mut out);
    out
}

/// A request to end one.
pub(super) fn discharge(txn_id: &[u8], fail: bool) -> Vec<u8> {
    let mut out = Vec::new();
    put_descriptor(&mut out, VALUE);
    Discharge { txn_id, fail }.write(&mut out);
    out
}

/// The name of a transaction that was declared.
pub(super) fn declared(state: Raw<'_>) -> Option<Vec<u8>> {
    let Ok((Value::Described(_, fields), _)) = one(state.0) else { return None };
    let Ok((Value::List(mut fields), _)) = one(fields) else { return None };
    match fields.next()? {
        Value::Binary(name) => Some(name.to_vec()),
        _ => None,
    }
}
