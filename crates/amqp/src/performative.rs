//! The performatives of a connection, as a table.
//!
//! Lives here: the fields of each in their order, with their defaults, and the macro that makes a type of a
//! row. Lives elsewhere: values of fields (`types`), termini (`terminus`), states of deliveries (`outcome`).

use crate::error::{Condition, DecodeError, Fault};
use crate::frame::{FrameType, put_frame};
use crate::types::field::{Field, Fields, Raw, Symbols};
use crate::types::read::described_list;
use crate::types::value::{Descriptor, Items};

/// Reads the fields of a list in their order. The list was not walked over: a field is checked as it is read,
/// so that the bytes of a frame are gone over once.
pub(crate) struct Row<'a>(Items<'a>);

impl<'a> Row<'a> {
    pub(crate) fn of(items: Items<'a>) -> Self {
        Self(items)
    }

    /// The bytes of the next field; none where it has no value.
    #[inline]
    pub(crate) fn next_raw(&mut self) -> Result<Option<Raw<'a>>, DecodeError> {
        if self.0.pass_nothing() {
            return Ok(None);
        }
        self.0.next_checked().map(|(_, own)| Some(Raw(own)))
    }

    /// The next field; none where it has no value.
    #[inline]
    pub(crate) fn next<F: Field<'a>>(&mut self, name: &'static str) -> Result<Option<F>, DecodeError> {
        if self.0.pass_nothing() {
            return Ok(None);
        }
        let (value, _) = self.0.next_checked()?;
        F::of(value).map(Some).ok_or(DecodeError::Field(name))
    }

    /// Checks that no field is left, and no byte.
    pub(crate) fn end(self) -> Result<(), DecodeError> {
        match (self.0.is_empty(), self.0.bytes().is_empty()) {
            (true, true) => Ok(()),
            (true, false) => Err(DecodeError::Size),
            (false, _) => Err(DecodeError::Fields),
        }
    }
}

/// Makes a type of each row: its descriptor, and its fields, each of which `must` be there, `may` be, has a
/// value where none is said (`or`), or is kept as bytes (`raw`).
macro_rules! composites {
    ($(
        $(#[$meta:meta])*
        $name:ident $code:literal $symbol:literal {
            $($(#[$field_meta:meta])* $field:ident: $kind:ident $type:ty $(= $default:expr)?,)+
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name<'a> {
            $($(#[$field_meta])* pub $field: $crate::performative::composites!(@type $kind $type),)+
        }

        impl Default for $name<'_> {
            fn default() -> Self {
                Self {
                    $($field: $crate::performative::composites!(@default $kind $(($default))?),)+
                }
            }
        }

        impl<'a> $name<'a> {
            /// The number of its type.
            pub const CODE: u64 = $code;

            /// The symbol of its type.
            pub const SYMBOL: &'static str = $symbol;

            /// Reads its fields.
            ///
            /// # Errors
            /// The fault of a field.
            pub fn of(items: $crate::types::value::Items<'a>) -> Result<Self, $crate::error::DecodeError> {
                let mut row = $crate::performative::Row::of(items);
                $(let $field =
                    $crate::performative::composites!(@read row $kind $(($default))? stringify!($field));)+
                row.end()?;
                Ok(Self { $($field,)+ })
            }

            /// Appends it.
            pub fn write(&self, out: &mut Vec<u8>) {
                let mut fields = $crate::types::write::Composite::begin(out, Self::CODE);
                $($crate::performative::composites!(@write fields $kind $(($default))? self.$field);)+
                fields.end();
            }
        }
    )+};
    (@type must $type:ty) => { $type };
    (@type may $type:ty) => { Option<$type> };
    (@type or $type:ty) => { $type };
    (@type raw $type:ty) => { Option<$type> };
    (@default must) => { Default::default() };
    (@default may) => { None };
    (@default or ($default:expr)) => { $default };
    (@default raw) => { None };
    (@read $row:ident must $name:expr) => {
        $row.next($name)?.ok_or($crate::error::DecodeError::Missing($name))?
    };
    (@read $row:ident may $name:expr) => { $row.next($name)? };
    (@read $row:ident or ($default:expr) $name:expr) => { $row.next($name)?.unwrap_or($default) };
    (@read $row:ident raw $name:expr) => { $row.next_raw()? };
    (@write $fields:ident must $field:expr) => {
        $fields.put(|out| $crate::types::field::Field::write(&$field, out))
    };
    (@write $fields:ident may $field:expr) => {
        $fields.put_or_null($field, |out, field| $crate::types::field::Field::write(&field, out))
    };
    (@write $fields:ident or ($default:expr) $field:expr) => {
        $fields.put_or_null(Some($field).filter(|field| *field != $default), |out, field| {
            $crate::types::field::Field::write(&field, out);
        })
    };
    (@write $fields:ident raw $field:expr) => {
        $fields.put_or_null($field, |out, field| out.extend_from_slice(field.0))
    };
}
pub(crate) use composites;

composites! {
    /// Begins a connection.
    Open 0x10 "amqp:open:list" {
        /// The name of the peer.
        container_id: must &'a str,
        /// The host that the peer wants to talk to.
        hostname: may &'a str,
        /// Longest frame that it takes.
        max_frame_size: or u32 = u32::MAX,
        /// Highest channel that it takes.
        channel_max: or u16 = u16::MAX,
        /// Milliseconds of silence after which it ends the connection.
        idle_time_out: may u32,
        /// Languages of texts that it sends.
        outgoing_locales: may Symbols<'a>,
        /// Languages of texts that it takes.
        incoming_locales: may Symbols<'a>,
        /// Extensions that it has.
        offered_capabilities: may Symbols<'a>,
        /// Extensions that it asks for.
        desired_capabilities: may Symbols<'a>,
        /// Properties of the connection.
        properties: may Fields<'a>,
    }
    /// Begins a session.
    Begin 0x11 "amqp:begin:list" {
        /// The channel of the begin that this one answers.
        remote_channel: may u16,
        /// The number of the first transfer that it sends.
        next_outgoing_id: must u32,
        /// Transfers that it takes.
        incoming_window: must u32,
        /// Transfers that it may send.
        outgoing_window: must u32,
        /// Highest handle that it takes.
        handle_max: or u32 = u32::MAX,
        /// Extensions that it has.
        offered_capabilities: may Symbols<'a>,
        /// Extensions that it asks for.
        desired_capabilities: may Symbols<'a>,
        /// Properties of the session.
        properties: may Fields<'a>,
    }
    /// Attaches a link.
    Attach 0x12 "amqp:attach:list" {
        /// The name of the link.
        name: must &'a str,
        /// The number by which it is meant from now on.
        handle: must u32,
        /// True for the end that receives.
        is_receiver: must bool,
        /// Says when the sender settles: 0 unsettled, 1 settled, 2 both.
        snd_settle_mode: or u8 = 2,
        /// Says when the receiver settles: 0 first, 1 second.
        rcv_settle_mode: or u8 = 0,
        /// Where messages come from.
        source: raw Raw<'a>,
        /// Where they go.
        target: raw Raw<'a>,
        /// States of deliveries from before.
        unsettled: raw Raw<'a>,
        /// Says whether that map is cut.
        incomplete_unsettled: or bool = false,
        /// The number of the first delivery; of senders.
        initial_delivery_count: may u32,
        /// Longest message that it takes; 0 for any.
        max_message_size: or u64 = 0,
        /// Extensions that it has.
        offered_capabilities: may Symbols<'a>,
        /// Extensions that it asks for.
        desired_capabilities: may Symbols<'a>,
        /// Properties of the link.
        properties: may Fields<'a>,
    }
    /// Tells the state of a session's windows, and of a link's credit.
    Flow 0x13 "amqp:flow:list" {
        /// The number of the next transfer that it expects.
        next_incoming_id: may u32,
        /// Transfers that it takes.
        incoming_window: must u32,
        /// The number of the next transfer that it sends.
        next_outgoing_id: must u32,
        /// Transfers that it may send.
        outgoing_window: must u32,
        /// The link, if it is about one.
        handle: may u32,
        /// Deliveries of the link so far.
        delivery_count: may u32,
        /// Deliveries that it may bring from there.
        link_credit: may u32,
        /// Messages that there are to bring.
        available: may u32,
        /// Says whether credit is to be used up.
        drain: or bool = false,
        /// Says whether it is to be answered.
        echo: or bool = false,
        /// Properties of the flow.
        properties: may Fields<'a>,
    }
    /// Brings a message, or a part of one.
    Transfer 0x14 "amqp:transfer:list" {
        /// The link.
        handle: must u32,
        /// The number of the delivery in its session.
        delivery_id: may u32,
        /// The name of the delivery on its link.
        delivery_tag: may &'a [u8],
        /// The format of the message.
        message_format: may u32,
        /// Says whether it is settled as it is sent.
        settled: may bool,
        /// Says whether more of the message follows.
        more: or bool = false,
        /// The way this delivery is settled.
        rcv_settle_mode: may u8,
        /// The state of the delivery.
        state: raw Raw<'a>,
        /// Says whether it goes on with a delivery from before.
        resume: or bool = false,
        /// Says whether the message is not coming after all.
        aborted: or bool = false,
        /// Says whether what follows it can wait.
        batchable: or bool = false,
    }
    /// Tells the state of deliveries.
    Disposition 0x15 "amqp:disposition:list" {
        /// True where it is the receiver of the deliveries that tells.
        is_receiver: must bool,
        /// The first of them.
        first: must u32,
        /// The last of them, where it is not the first.
        last: may u32,
        /// Says whether they are settled.
        settled: or bool = false,
        /// Their state.
        state: raw Raw<'a>,
        /// Says whether an answer can wait.
        batchable: or bool = false,
    }
    /// Detaches a link.
    Detach 0x16 "amqp:detach:list" {
        /// The link.
        handle: must u32,
        /// Says whether its terminus ends with it.
        closed: or bool = false,
        /// Why.
        error: raw Raw<'a>,
    }
    /// Ends a session.
    End 0x17 "amqp:end:list" {
        /// Why.
        error: raw Raw<'a>,
    }
    /// Ends a connection.
    Close 0x18 "amqp:close:list" {
        /// Why.
        error: raw Raw<'a>,
    }
}

/// Makes the type of all performatives.
macro_rules! performatives {
    ($($name:ident)+) => {
        /// A performative.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Performative<'a> {
            $(#[doc = concat!("[`", stringify!($name), "`].")] $name($name<'a>),)+
        }

        impl<'a> Performative<'a> {
            /// Reads the performative at the front of a frame's body; the payload behind it.
            ///
            /// # Errors
            /// When it is none that there is, or has a fault.
            pub fn decode(body: &'a [u8]) -> Result<(Self, &'a [u8]), Fault> {
                let (descriptor, items, payload) = described_list(body)?;
                let performative = match descriptor {
                    $(Descriptor::Code($name::CODE) | Descriptor::Name($name::SYMBOL) => {
                        Self::$name($name::of(items)?)
                    })+
                    other => {
                        let text = format!("there is no performative with the descriptor {other:?}");
                        return Err(Fault::of_connection(Condition::NotImplemented, text));
                    }
                };
                Ok((performative, payload))
            }

            /// Appends it in a frame.
            pub fn put(&self, out: &mut Vec<u8>, channel: u16) {
                put_frame(out, FrameType::Amqp, channel, |out| match self {
                    $(Self::$name(performative) => performative.write(out),)+
                });
            }
        }

        $(impl<'a> From<$name<'a>> for Performative<'a> {
            fn from(performative: $name<'a>) -> Self {
                Self::$name(performative)
            }
        })+
    };
}

performatives! { Open Begin Attach Flow Transfer Disposition Detach End Close }
