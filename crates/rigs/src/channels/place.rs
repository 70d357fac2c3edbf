//! Names and bounds that all parts of a course know.

use std::time::Duration;

/// The queue of questions at each queue manager, and that of answers.
pub(super) const QUESTIONS: &str = "QUESTIONS";
pub(super) const REPLIES: &str = "REPLIES";

/// Larger than any message.
pub(super) const BODY_BYTES_MAX: usize = 1 << 20;

/// Longest time within which a channel that was cut carries bytes again, and in which one message more must
/// arrive once there are no faults: a retry each second, beside other work of the machine.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// Pause between two looks.
pub(super) const LOOK_EACH: Duration = Duration::from_millis(20);

/// A queue manager as programs know it.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) number: usize,
    pub(super) name: String,
    pub(super) address: String,
}

/// The name of the queue manager of this number.
pub(super) fn name(number: usize) -> String {
    format!("R11.{}", char::from(b'A' + number as u8))
}
