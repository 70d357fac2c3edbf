//! The course of a connection: from a header to its end, frame by frame.

use std::collections::BTreeMap;

use super::link::{Link, Part};
use super::session::Session;
use crate::error::{Condition, Fault, Scope};
use crate::frame::{FRAME_BYTES_MIN, Frame, FrameType, HEADER_BYTES, Protocol};
use crate::performative::{Attach, Begin, Disposition, Flow, Open, Performative, Transfer};
use crate::sasl::{self, SASL_FRAME_BYTES_MAX, SASL_FRAMES_MAX};
use crate::types::read::descriptor_ahead;
use crate::types::{Descriptor, Raw};

/// Longest frame that is taken before Open.
pub(super) const LOGIN_FRAME_BYTES_MAX: u32 = 4 * 1024;

/// Most bytes of the fields of an attach: filters and properties of any use fit, and little is held for them.
pub(super) const ATTACH_BYTES_MAX: usize = 64 * 1024;

/// Bounds of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest frame that it takes or sends.
    pub frame_bytes_max: u32,
    /// Highest channel.
    pub channel_max: u16,
    /// Highest handle of a session.
    pub handle_max: u32,
    /// Longest message that a link takes.
    pub message_bytes_max: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            frame_bytes_max: 256 * 1024,
            channel_max: 255,
            handle_max: 255,
            message_bytes_max: 100 * 1024 * 1024,
        }
    }
}

/// The stage of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// No header has come.
    Start,
    /// Its client logs in; so many frames of the login came.
    Login(u32),
    /// Its client is let in, and sends the header of AMQP.
    LetIn,
    /// The Open comes next.
    Opening,
    /// Sessions may begin.
    Open,
    /// Its client said Close.
    Closed,
}

/// Something that arrived.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'a> {
    /// No event to act on.
    Nothing,
    /// A header, which is to be answered by the same.
    Header(Protocol),
    /// A step of a login.
    Login(sasl::Step<'a>),
    /// The connection opens.
    Open(Open<'a>),
    /// A session begins on a channel.
    Begin(u16, Begin<'a>),
    /// A link is attached on a channel.
    Attach(u16, Attach<'a>),
    /// Windows have changed, and the credit of a link if it names one.
    Flow(u16, Flow<'a>),
    /// A part of a message arrived by a link.
    Transfer(u16, Transfer<'a>, Part<'a>),
    /// The client tells states of deliveries.
    Disposition(u16, Disposition<'a>),
    /// A link ends: its channel and handle, and whether its terminus ends with it.
    Detach(u16, u32, bool),
    /// A session ends.
    End(u16),
    /// The connection ends, perhaps with an error.
    Close(Option<Raw<'a>>),
}

/// A piece of the input that was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'a> {
    /// Bytes of it.
    pub bytes: usize,
    /// The event that they tell.
    pub event: Event<'a>,
}

/// A connection.
#[derive(Debug)]
pub struct Connection {
    pub(super) limits: Limits,
    pub(super) stage: Stage,
    /// Longest frame that its client takes.
    peer_frame_bytes_max: u32,
    peer_channel_max: u16,
    sessions: BTreeMap<u16, Session>,
}

impl Connection {
    /// A connection that was accepted.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            stage: Stage::Start,
            peer_frame_bytes_max: FRAME_BYTES_MIN,
            peer_channel_max: 0,
            sessions: BTreeMap::new(),
        }
    }

    /// Its stage.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Its bounds.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Has links take no longer messages than so, where that is less.
    pub fn take_no_longer_than(&mut self, message_bytes_max: u64) {
        self.limits.message_bytes_max = self.limits.message_bytes_max.min(message_bytes_max);
    }

    /// Bytes of the longest frame that may be sent.
    #[must_use]
    pub fn frame_bytes_max(&self) -> usize {
        self.peer_frame_bytes_max.min(self.limits.frame_bytes_max) as usize
    }

    /// The session of a channel.
    #[must_use]
    pub fn session(&self, channel: u16) -> Option<&Session> {
        self.sessions.get(&channel)
    }

    /// The session of a channel.
    pub fn session_mut(&mut self, channel: u16) -> Option<&mut Session> {
        self.sessions.get_mut(&channel)
    }

    /// The link of a channel and handle.
    pub fn link_mut(&mut self, channel: u16, handle: u32) -> Option<&mut Link> {
        self.sessions.get_mut(&channel)?.link_mut(handle)
    }

    /// The channels of sessions.
    pub fn channels(&self) -> impl Iterator<Item = u16> + '_ {
        self.sessions.keys().copied()
    }

    /// Its client is let in.
    pub fn let_in(&mut self) {
        self.stage = Stage::LetIn;
    }

    /// Takes what is at the front of the input; none while that is not whole.
    ///
    /// # Errors
    /// The fault of what arrived. The bytes of a fault that ends a session or a link are those of one frame,
    /// [`frame_bytes`](Self::frame_bytes), and the connection goes on behind them.
    pub fn step<'a>(&mut self, input: &'a [u8]) -> Result<Option<Step<'a>>, Fault> {
        if matches!(self.stage, Stage::Start | Stage::LetIn) {
            return self.header(input);
        }
        let frame_bytes_max = match self.stage {
            Stage::Login(_) => SASL_FRAME_BYTES_MAX,
            Stage::Opening => LOGIN_FRAME_BYTES_MAX.min(self.limits.frame_bytes_max),
            _ => self.limits.frame_bytes_max,
        };
        let Some(frame) = Frame::decode(input, frame_bytes_max)? else { return Ok(None) };
        let event = match (self.stage, frame.frame_type) {
            (Stage::Closed, _) => Event::Nothing,
            (Stage::Login(frames), FrameType::Sasl) => {
                if frames >= SASL_FRAMES_MAX {
                    let text = format!("a login has more than {SASL_FRAMES_MAX} frames");
                    return Err(Fault::of_connection(Condition::FramingError, text));
                }
                self.stage = Stage::Login(frames + 1);
                Event::Login(sasl::Step::decode(frame.body)?)
            }
            (Stage::Opening | Stage::Open, FrameType::Amqp) => self.frame(&frame)?,
            _ => {
                let text = "a frame of this type does not come at this point of a connection";
                return Err(Fault::of_connection(Condition::IllegalState, text));
            }
        };
        Ok(Some(Step { bytes: frame.bytes, event }))
    }

    /// Says whether the frame at the front of the input attaches a link, as far as its type is there.
    #[must_use]
    pub fn is_attach(input: &[u8]) -> bool {
        let offset = input.get(4).map_or(0, |words| usize::from(*words) * 4);
        let body = input.get(offset..).unwrap_or_default();
        let is_it = |descriptor| match descriptor {
            Descriptor::Code(code) => code == Attach::CODE,
            Descriptor::Name(name) => name == Attach::SYMBOL,
        };
        descriptor_ahead(body).is_ok_and(is_it)
    }

    /// Bytes of the frame at the front of the input, which has been whole before.
    #[must_use]
    pub fn frame_bytes(input: &[u8]) -> usize {
        input.first_chunk::<4>().map_or(0, |size| u32::from_be_bytes(*size) as usize).min(input.len())
    }

    fn header<'a>(&mut self, input: &'a [u8]) -> Result<Option<Step<'a>>, Fault> {
        let Some(protocol) = Protocol::of(input)? else { return Ok(None) };
        self.stage = match (self.stage, protocol) {
            (Stage::Start, Protocol::Sasl) => Stage::Login(0),
            (_, Protocol::Amqp) => Stage::Opening,
            (_, Protocol::Sasl) => {
                let text = "a login comes once, before everything else";
                return Err(Fault::of_connection(Condition::IllegalState, text));
            }
        };
        Ok(Some(Step { bytes: HEADER_BYTES, event: Event::Header(protocol) }))
    }

    fn frame<'a>(&mut self, frame: &Frame<'a>) -> Result<Event<'a>, Fault> {
        if frame.body.is_empty() {
            return Ok(Event::Nothing);
        }
        let channel = frame.channel;
        let (performative, payload) = Performative::decode(frame.body)?;
        if let Performative::Open(open) = performative {
            return self.open(open);
        }
        if self.stage != Stage::Open {
            let text = "a connection begins with an open";
            return Err(Fault::of_connection(Condition::IllegalState, text));
        }
        if channel > self.limits.channel_max {
            let text = format!("the channel {channel} is above the {} agreed", self.limits.channel_max);
            return Err(Fault::of_connection(Condition::FramingError, text));
        }
        match performative {
            Performative::Close(close) => {
                self.stage = Stage::Closed;
                return Ok(Event::Close(close.error));
            }
            Performative::Begin(begin) => return self.begin(channel, begin),
            _ => {}
        }
        let handle_max = self.limits.handle_max;
        let Some(session) = self.sessions.get_mut(&channel) else {
            let text = format!("no session has begun on channel {channel}");
            return Err(Fault::of_connection(Condition::IllegalState, text));
        };
        if session.is_over() {
            if matches!(performative, Performative::End(_)) {
                self.sessions.remove(&channel);
            }
            return Ok(Event::Nothing);
        }
        let scope = Scope::Session(channel);
        match performative {
            Performative::Attach(attach) => {
                if frame.body.len() > ATTACH_BYTES_MAX {
                    let text = format!("an attach has more than {ATTACH_BYTES_MAX} bytes");
                    return Err(Fault::new(scope, Condition::ResourceLimitExceeded, text));
                }
                if attach.handle > handle_max {
                    let text = format!("the handle {} is above the {handle_max} agreed", attach.handle);
                    return Err(Fault::of_connection(Condition::FramingError, text));
                }
                session.attach(scope, &attach, self.limits.message_bytes_max)?;
                Ok(Event::Attach(channel, attach))
            }
            Performative::Flow(flow) => {
                let is_told = session.flow(scope, &flow)?;
                Ok(if is_told { Event::Flow(channel, flow) } else { Event::Nothing })
            }
            Performative::Transfer(transfer) => match session.transfer(channel, &transfer, payload)? {
                Some(part) => Ok(Event::Transfer(channel, transfer, part)),
                None => Ok(Event::Nothing),
            },
            Performative::Disposition(disposition) => {
                let last = disposition.last.unwrap_or(disposition.first);
                if last.wrapping_sub(disposition.first) > i32::MAX as u32 {
                    let text = "the last delivery of a disposition is before its first";
                    return Err(Fault::new(scope, Condition::InvalidField, text));
                }
                Ok(Event::Disposition(channel, disposition))
            }
            Performative::Detach(detach) => match session.detach(scope, detach.handle)? {
                true => Ok(Event::Detach(channel, detach.handle, detach.closed)),
                false => Ok(Event::Nothing),
            },
            Performative::End(_) => {
                self.sessions.remove(&channel);
                Ok(Event::End(channel))
            }
            Performative::Open(_) | Performative::Begin(_) | Performative::Close(_) => Ok(Event::Nothing),
        }
    }

    fn open<'a>(&mut self, open: Open<'a>) -> Result<Event<'a>, Fault> {
        if self.stage != Stage::Opening {
            return Err(Fault::of_connection(Condition::IllegalState, "a connection is opened once"));
        }
        if open.max_frame_size < FRAME_BYTES_MIN {
            let text = format!("a peer must take frames of {FRAME_BYTES_MIN} bytes");
            return Err(Fault::of_connection(Condition::InvalidField, text));
        }
        self.stage = Stage::Open;
        self.peer_frame_bytes_max = open.max_frame_size;
        self.peer_channel_max = open.channel_max;
        Ok(Event::Open(open))
    }

    fn begin<'a>(&mut self, channel: u16, begin: Begin<'a>) -> Result<Event<'a>, Fault> {
        if begin.remote_channel.is_some() {
            let text = "a begin answers one of ours, and there is none";
            return Err(Fault::of_connection(Condition::IllegalState, text));
        }
        if self.sessions.contains_key(&channel) {
            let text = format!("the channel {channel} has a session already");
            return Err(Fault::of_connection(Condition::IllegalState, text));
        }
        if channel > self.peer_channel_max {
            let text = format!("the channel {channel} is above the {} of its peer", self.peer_channel_max);
            return Err(Fault::of_connection(Condition::FramingError, text));
        }
        self.sessions.insert(channel, Session::new(&begin));
        Ok(Event::Begin(channel, begin))
    }
}
