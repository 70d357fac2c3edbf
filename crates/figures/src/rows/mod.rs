//! The rows. Names and units are those that tools of the family know.

mod calls;
mod machine;
mod queue;

use crate::row::Class;

/// Every class.
pub static CLASSES: &[Class] = &[machine::PROCESSOR, machine::DISK, calls::CLASS, queue::CLASS];

/// A part of a whole, in hundredths of a per cent.
pub(crate) fn share(part: u64, whole: u64) -> u64 {
    let share = (u128::from(part) * 10_000).checked_div(u128::from(whole));
    u64::try_from(share.unwrap_or_default()).unwrap_or(u64::MAX)
}

fn mean(sum: u64, count: u64) -> u64 {
    sum.checked_div(count).unwrap_or_default()
}
