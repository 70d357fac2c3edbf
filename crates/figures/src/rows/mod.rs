//! The rows. Names and units are those that tools of the family know.

mod calls;
mod machine;
mod queue;

use crate::row::Class;

/// Every class.
pub static CLASSES: &[Class] = &[machine::PROCESSOR, machine::DISK, calls::CLASS, queue::CLASS];
