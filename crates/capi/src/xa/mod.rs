//! The queue manager as the resource manager of a transaction manager (XA).
//!
//! Lives here: the parts alone. The switches and the functions in them (`switch`), the text that opens a
//! resource manager (`string`), the resource managers that a thread has open (`association`), the transaction
//! manager's own functions (`dynamic`). Lives elsewhere: the branches (`queues::unit_of_work::branches`).
//!
//! Always: a thread of control has connections of its own, which are neither shared nor made anew; the queue
//! manager knows what is associated with what, and the library asks it.

mod association;
mod dynamic;
pub mod string;
pub mod switch;
pub mod xid;

pub(crate) use association::{closed, connection_of, enlist, has_ended, is_resource, leave, opened};
