//! The beginning of a connection: one login for all its conversations.
//!
//! The client says what it can and what it will not do, the server chooses. Hello and Welcome begin with
//! the versions and may grow at their end, so that any two releases understand each other well enough to
//! refuse.
//!
//! Lives here: Hello, Welcome, Refused. Lives elsewhere: credentials, which follow a Hello (`identify`),
//! what bounds a connection (`limits`), the names of compressions (`compression`), `versions`.

mod compression;
mod identify;
mod limits;
mod versions;

pub use compression::{COMPRESSIONS_MAX, Compression, Compressions};
pub use identify::{Credentials, IDENTIFY_FRAME_BYTES_MAX, Secret};
pub use limits::Limits;
pub use versions::{VERSION_OF_EXTENSIONS, VERSION_OF_PARTS, VERSIONS, Versions};

use crate::frame::{self, Header, Kind};
use crate::{Conversation, Error, RequestNumber};
use mqi::Reason;
use mqi::constants::MQ_CHANNEL_NAME_LENGTH;
use wire::fields::{Fields, put_i32, put_long_text, put_short_text, put_u16, put_u32};

/// Most addresses of a Welcome: as many as fit, at their longest, into a frame before anything was agreed,
/// with room for its other fields.
pub const ADDRESSES_MAX: usize = 8;

/// The bit that announces credentials.
const IDENTIFIES: u8 = 1;

/// Requests that a side refuses in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refusals(pub u32);

impl Refusals {
    /// Puts without a reply.
    pub const ASYNCHRONOUS_PUT: Self = Self(1);
    /// Messages before they are asked for.
    pub const READ_AHEAD: Self = Self(1 << 1);
    /// More than one conversation.
    pub const SHARED_CONVERSATIONS: Self = Self(1 << 2);
    /// MQSC commands.
    pub const COMMANDS: Self = Self(1 << 3);

    /// True if all of `other` is refused.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Requests that either side refuses.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Requests that a queue manager takes and that an earlier release does not know: to one of that the kind of
/// their frames is the end of the connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offers(pub u32);

impl Offers {
    /// None of them: an earlier release.
    pub const NONE: Self = Self(0);
    /// Calls on branches of transactions.
    pub const BRANCHES: Self = Self(1);
    /// Copies of the messages that prepared branches have got.
    pub const PREPARED_MESSAGES: Self = Self(2);

    /// All of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// True if all of `other` is offered.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// The first words of a client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    /// The versions it speaks.
    pub versions: Versions,
    /// Says that the next frame has [`Credentials`].
    pub identifies: bool,
    /// Requests that it refuses.
    pub refuses: Refusals,
    /// Limits that it can bear.
    pub limits: Limits,
    /// Tells this client from every other; the same after it reconnects.
    pub instance: [u8; 16],
    /// The process it says it is; 0 for none.
    pub process: u32,
    /// The channel it comes by; empty for the default.
    pub channel: String,
    /// The queue manager it wants; empty for any.
    pub queue_manager: String,
    /// The program.
    pub application: String,
    /// The user it says it runs as.
    pub user: String,
    /// The compressions of bodies it can do, the preferred one first.
    pub body_compressions: Compressions,
    /// The compressions of heads it can do, the preferred one first.
    pub head_compressions: Compressions,
}

impl Hello {
    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let start = begin(out, Kind::Hello);
        put_u16(out, self.versions.least);
        put_u16(out, self.versions.most);
        out.push(if self.identifies { IDENTIFIES } else { 0 });
        put_u32(out, self.refuses.0);
        self.limits.put(out);
        out.extend_from_slice(&self.instance);
        put_u32(out, self.process);
        put_short_text(out, &self.channel);
        put_short_text(out, &self.queue_manager);
        put_short_text(out, &self.application);
        put_short_text(out, &self.user);
        self.body_compressions.put(out);
        self.head_compressions.put(out);
        frame::finish(out, start, 0);
    }

    /// Reads the payload; bytes that a later release appended are skipped.
    ///
    /// # Errors
    /// When a field is cut or has a value it cannot have, or no version is common; the latter before the
    /// fields it might have changed.
    pub fn decode(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(payload);
        let versions = Versions { least: fields.u16("oldest version")?, most: fields.u16("newest version")? };
        if VERSIONS.common(versions).is_none() {
            return Err(Error::Version { theirs: versions, ours: VERSIONS });
        }
        Ok(Self {
            versions,
            identifies: fields.u8("what follows")? & IDENTIFIES != 0,
            refuses: Refusals(fields.u32("refusals")?),
            limits: Limits::decode(&mut fields)?,
            instance: fields.array("client instance")?,
            process: fields.u32("process")?,
            channel: channel_name(&mut fields)?,
            queue_manager: fields.short_text("queue manager name")?.to_owned(),
            application: fields.short_text("application name")?.to_owned(),
            user: fields.short_text("user")?.to_owned(),
            body_compressions: Compressions::decode(&mut fields, "compressions of bodies")?,
            head_compressions: Compressions::decode(&mut fields, "compressions of heads")?,
        })
    }
}

fn channel_name(fields: &mut Fields<'_>) -> Result<String, Error> {
    let name = fields.short_text("channel name")?;
    Error::check_length("channel name", name.len(), MQ_CHANNEL_NAME_LENGTH)?;
    Ok(name.to_owned())
}

/// The answer of the server to a client that it lets in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Welcome {
    /// The version spoken from here on.
    pub version: u16,
    /// Requests that either side refuses.
    pub refused: Refusals,
    /// Limits that were agreed.
    pub limits: Limits,
    /// The compression of bodies that was agreed.
    pub body_compression: Option<Compression>,
    /// The compression of heads that was agreed.
    pub head_compression: Option<Compression>,
    /// The queue manager's name.
    pub queue_manager: String,
    /// The program that runs it, with its version.
    pub product: String,
    /// Other places where this queue manager answers; at most [`ADDRESSES_MAX`].
    pub addresses: Vec<String>,
    /// Requests that an earlier release does not know.
    pub offers: Offers,
}

impl Welcome {
    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let start = begin(out, Kind::Welcome);
        put_u16(out, self.version);
        put_u32(out, self.refused.0);
        self.limits.put(out);
        for agreed in [self.body_compression, self.head_compression] {
            out.push(agreed.map_or(0, Compression::number));
        }
        put_short_text(out, &self.queue_manager);
        put_short_text(out, &self.product);
        let addresses = &self.addresses[..self.addresses.len().min(ADDRESSES_MAX)];
        out.push(addresses.len() as u8);
        for address in addresses {
            put_short_text(out, address);
        }
        put_u32(out, self.offers.0);
        frame::finish(out, start, 0);
    }

    /// Reads the payload; bytes that a later release appended are skipped.
    ///
    /// # Errors
    /// When a field is cut or has a value it cannot have.
    pub fn decode(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(payload);
        Ok(Self {
            version: fields.u16("version")?,
            refused: Refusals(fields.u32("refusals")?),
            limits: Limits::decode(&mut fields)?,
            body_compression: Compression::agreed_in(&mut fields, "compression of bodies")?,
            head_compression: Compression::agreed_in(&mut fields, "compression of heads")?,
            queue_manager: fields.short_text("queue manager name")?.to_owned(),
            product: fields.short_text("product")?.to_owned(),
            addresses: {
                let count = usize::from(fields.u8("addresses")?);
                Error::check_length("list of addresses", count, ADDRESSES_MAX)?;
                (0..count)
                    .map(|_| fields.short_text("address").map(str::to_owned))
                    .collect::<Result<_, _>>()?
            },
            offers: if fields.ahead().is_empty() { Offers::NONE } else { Offers(fields.u32("offers")?) },
        })
    }
}

/// The reason why the server does not let a client in, or ends its connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The words for a program.
    pub reason: Reason,
    /// The words for a person.
    pub text: String,
}

impl Refused {
    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let start = begin(out, Kind::Refused);
        put_i32(out, self.reason.code());
        put_long_text(out, &self.text);
        frame::finish(out, start, 0);
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When a field is cut.
    pub fn decode(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(payload);
        Ok(Self {
            reason: Reason::from_code(fields.i32("reason")?),
            text: fields.long_text("text")?.to_owned(),
        })
    }
}

fn begin(out: &mut Vec<u8>, kind: Kind) -> usize {
    frame::begin(out, Header::new(kind, Conversation::CONNECTION, RequestNumber(0)))
}

#[cfg(test)]
mod tests;
