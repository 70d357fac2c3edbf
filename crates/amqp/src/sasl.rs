//! Frames of a login by SASL.
//!
//! Always: a password is in the input alone; its reader overwrites it.

use crate::error::{Condition, DecodeError, Fault};
use crate::frame::{FrameType, put_frame};
use crate::performative::composites;
use crate::types::field::Symbol;
use crate::types::read::described_list;
use crate::types::value::Descriptor;
use crate::types::write::{Composite, put_symbols, put_ubyte};

/// Longest frame of a login: a token at its longest, with room for the rest.
pub const SASL_FRAME_BYTES_MAX: u32 = 10 * 1024;

/// Most frames of a login.
pub const SASL_FRAMES_MAX: u32 = 8;

/// The descriptor of the mechanisms that are offered.
const MECHANISMS: u64 = 0x40;

/// The descriptor of an outcome.
const OUTCOME: u64 = 0x44;

composites! {
    /// The mechanism that a client has chosen, and its first word.
    Init 0x41 "amqp:sasl-init:list" {
        /// The mechanism.
        mechanism: must Symbol<'a>,
        /// The first word.
        initial_response: may &'a [u8],
        /// The host that the client wants to talk to.
        hostname: may &'a str,
    }
    /// A further word of the client.
    Response 0x43 "amqp:sasl-response:list" {
        /// The word.
        response: must &'a [u8],
    }
}

/// The outcome of a login.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The client is let in.
    Ok = 0,
    /// Its credentials do not prove a user, or the mechanism is not there.
    Auth = 1,
}

/// A frame of a client that logs in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step<'a> {
    /// The client has chosen a mechanism.
    Init(Init<'a>),
    /// It says more.
    Response(Response<'a>),
}

impl<'a> Step<'a> {
    /// Reads the body of a frame.
    ///
    /// # Errors
    /// When it is no step of a client, or has a fault.
    pub fn decode(body: &'a [u8]) -> Result<Self, Fault> {
        let (descriptor, items, behind) = described_list(body)?;
        let step = match descriptor {
            Descriptor::Code(Init::CODE) | Descriptor::Name(Init::SYMBOL) => Self::Init(Init::of(items)?),
            Descriptor::Code(Response::CODE) | Descriptor::Name(Response::SYMBOL) => {
                Self::Response(Response::of(items)?)
            }
            _ => {
                let text = "a client that logs in begins with sasl-init, and no other frame of it is known";
                return Err(Fault::of_connection(Condition::NotImplemented, text));
            }
        };
        if behind.is_empty() { Ok(step) } else { Err(DecodeError::Trailing.into()) }
    }
}

/// Appends the frame that offers mechanisms.
pub fn put_mechanisms(out: &mut Vec<u8>, mechanisms: &[&str]) {
    put_frame(out, FrameType::Sasl, 0, |out| {
        let mut fields = Composite::begin(out, MECHANISMS);
        fields.put(|out| put_symbols(out, mechanisms));
        fields.end();
    });
}

/// Appends the frame with the outcome.
pub fn put_outcome(out: &mut Vec<u8>, outcome: Outcome) {
    put_frame(out, FrameType::Sasl, 0, |out| {
        let mut fields = Composite::begin(out, OUTCOME);
        fields.put(|out| put_ubyte(out, outcome as u8));
        fields.end();
    });
}

/// The parts of a first word of the mechanism PLAIN.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Plain<'a> {
    /// The user.
    pub user: &'a str,
    /// The password.
    pub password: &'a [u8],
}

impl<'a> Plain<'a> {
    /// Reads `authorisation NUL user NUL password`; none of anything else. An identity to act as is not
    /// granted unless it is the user's own.
    #[must_use]
    pub fn of(word: &'a [u8]) -> Option<Self> {
        let mut parts = word.splitn(3, |byte| *byte == 0);
        let acts_as = std::str::from_utf8(parts.next()?).ok()?;
        let user = std::str::from_utf8(parts.next()?).ok()?;
        let password = parts.next()?;
        let fits = !user.is_empty() && (acts_as.is_empty() || acts_as == user);
        fits.then_some(Self { user, password })
    }
}

impl std::fmt::Debug for Plain<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Plain").field("user", &self.user).finish_non_exhaustive()
    }
}
