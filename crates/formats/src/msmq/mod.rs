//! The words of MSMQ, the second family, and ours for them.
//!
//! Lives here: the classes of its messages and the acknowledgements that its programs ask for (`class`), the
//! names of its queues (`name`). Lives elsewhere: what a queue manager does with a message that asks for
//! them (`queue-manager`), the messages of its network (a bridge).
//!
//! Always: each way is total. A number or a name without a counterpart passes as it is, or is refused in
//! words; it never becomes that of something else. Source of the facts: the published documents MS-MQMQ and
//! MS-MQDMPR.

mod class;
mod name;
#[cfg(test)]
mod tests;

pub use class::{Acknowledge, Class, Report};
pub use name::{FormatName, Guid, NameFault, Part, Place, Protocol, parse_format_names, parse_path_name};
