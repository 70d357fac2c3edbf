//! The protocol AMQP 1.0. Pure: bytes in, events and bytes out.
//!
//! Lives here: the type system (`types`), frames, the table of performatives, SASL frames, the sections of a
//! message, termini, outcomes, the requests of a coordinator, conditions of errors, and the state of a
//! connection with its sessions and links (`engine`).
//!
//! Lives elsewhere: what a terminus or a message means to a queue manager (`agents`, `formats`), sockets
//! (`transport`).
//!
//! Always: any bytes are answered with a value or an error. A value borrows the input, and reading one
//! neither recurses nor allocates for a length that was not checked first.

pub mod engine;
pub mod error;
pub mod error_field;
pub mod frame;
pub mod outcome;
pub mod performative;
pub mod sasl;
pub mod sections;
pub mod terminus;
pub mod transaction;
pub mod types;

pub use error::{Condition, DecodeError, Fault, Scope};
pub use error_field::ErrorField;
pub use outcome::DeliveryState;
pub use performative::{Attach, Begin, Close, Detach, Disposition, End, Flow, Open, Performative, Transfer};
pub use sections::Sections;
pub use terminus::{Source, Target};
pub use types::Value;
