//! The choice of a message for a get, the time to wait for it, and the result.

use crate::{
    GetFlags, MatchOptions, MessageFlags, MessageHandle, MessageToken, ObjectName, Reason, constants,
};
use std::time::Duration;

/// Time that a get waits for a message to arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wait {
    /// Not at all.
    #[default]
    No,
    /// At most so long.
    Milliseconds(u32),
    /// Until there is one.
    Unlimited,
}

impl Wait {
    /// Reads the `MQGMO_WAIT` bit and the wait interval of a C program.
    ///
    /// # Errors
    /// `MQRC_WAIT_INTERVAL_ERROR` for a negative interval other than "unlimited".
    pub const fn from_code(options: i32, interval: i32) -> Result<Self, Reason> {
        if options & constants::MQGMO_WAIT == 0 {
            return Ok(Self::No);
        }
        match interval {
            constants::MQWI_UNLIMITED => Ok(Self::Unlimited),
            0.. => Ok(Self::Milliseconds(interval as u32)),
            _ => Err(Reason::WAIT_INTERVAL_ERROR),
        }
    }

    /// The longest time to wait; `None` for as long as it takes.
    #[must_use]
    pub const fn limit(self) -> Option<Duration> {
        match self {
            Self::No => Some(Duration::ZERO),
            Self::Milliseconds(milliseconds) => Some(Duration::from_millis(milliseconds as u64)),
            Self::Unlimited => None,
        }
    }
}

impl From<Duration> for Wait {
    /// Whole milliseconds, rounded up; a time too long to write down is unlimited.
    fn from(duration: Duration) -> Self {
        u32::try_from(duration.as_nanos().div_ceil(1_000_000)).map_or(Self::Unlimited, Self::Milliseconds)
    }
}

/// The get-message options; the last fields are filled by the call.
///
/// By default a get matches the message and correlation identifier of the descriptor, where all zeros match
/// any message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GetOptions {
    /// Options of the get.
    pub flags: GetFlags,
    /// Time to wait.
    pub wait: Wait,
    /// Fields of the descriptor that a message must agree with.
    pub match_options: MatchOptions,
    /// The token to match; filled by the call with that of the message returned.
    pub message_token: MessageToken,
    /// Where properties go, with `PROPERTIES_IN_HANDLE`.
    pub message_handle: MessageHandle,
    /// Filled by the call: the queue the message was on.
    pub resolved_queue_name: ObjectName,
    /// Filled by the call: `MQGS_`, whether the message is in a group.
    pub group_status: u8,
    /// Filled by the call: `MQSS_`, whether the message is a segment.
    pub segment_status: u8,
    /// Filled by the call: `MQSEG_`, whether the message may be split further.
    pub segmentation: u8,
    /// Filled by the call: bytes returned; `MQRL_UNDEFINED` before.
    pub returned_length: i32,
}

impl Default for GetOptions {
    fn default() -> Self {
        Self {
            flags: GetFlags::EMPTY,
            wait: Wait::No,
            match_options: MatchOptions::MATCH_MSG_ID | MatchOptions::MATCH_CORREL_ID,
            message_token: MessageToken::NONE,
            message_handle: MessageHandle::NONE,
            resolved_queue_name: ObjectName::BLANK,
            group_status: constants::MQGS_NOT_IN_GROUP,
            segment_status: constants::MQSS_NOT_A_SEGMENT,
            segmentation: constants::MQSEG_INHIBITED,
            returned_length: constants::MQRL_UNDEFINED,
        }
    }
}

impl GetOptions {
    /// Defaults with these flags and this wait.
    #[must_use]
    pub fn with(flags: GetFlags, wait: Wait) -> Self {
        Self { flags, wait, ..Self::default() }
    }

    /// True if it looks at a message and leaves it on the queue.
    #[must_use]
    pub const fn browses(&self) -> bool {
        let browsing =
            GetFlags::BROWSE_FIRST.union(GetFlags::BROWSE_NEXT).union(GetFlags::BROWSE_MSG_UNDER_CURSOR);
        self.flags.bits() & browsing.bits() != 0
    }

    /// True if the outcome depends on other messages of a group, or other segments of a message, on the
    /// queue.
    #[must_use]
    pub const fn concern_groups(&self) -> bool {
        let of_groups = GetFlags::LOGICAL_ORDER
            .union(GetFlags::COMPLETE_MSG)
            .union(GetFlags::ALL_MSGS_AVAILABLE)
            .union(GetFlags::ALL_SEGMENTS_AVAILABLE);
        self.flags.bits() & of_groups.bits() != 0
    }

    /// Says what the flags of a message that was got tell of its group and of its segments.
    pub fn describe_group(&mut self, flags: MessageFlags) {
        self.group_status = match flags {
            flags if flags.contains(MessageFlags::LAST_MSG_IN_GROUP) => constants::MQGS_LAST_MSG_IN_GROUP,
            flags if flags.contains(MessageFlags::MSG_IN_GROUP) => constants::MQGS_MSG_IN_GROUP,
            _ => constants::MQGS_NOT_IN_GROUP,
        };
        self.segment_status = match flags {
            flags if flags.contains(MessageFlags::LAST_SEGMENT) => constants::MQSS_LAST_SEGMENT,
            flags if flags.contains(MessageFlags::SEGMENT) => constants::MQSS_SEGMENT,
            _ => constants::MQSS_NOT_A_SEGMENT,
        };
        self.segmentation = match flags.contains(MessageFlags::SEGMENTATION_ALLOWED) {
            true => constants::MQSEG_ALLOWED,
            false => constants::MQSEG_INHIBITED,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{GetOptions, Wait};
    use crate::{MessageFlags, Reason, constants};
    use std::time::Duration;

    #[test]
    fn what_a_message_is_in_its_group_is_told_from_its_flags() {
        use MessageFlags as Flags;
        for (flags, expected) in [
            (Flags::EMPTY, [b' ', b' ', b' ']),
            (Flags::MSG_IN_GROUP | Flags::SEGMENTATION_ALLOWED, [b'G', b' ', b'A']),
            (Flags::MSG_IN_GROUP | Flags::LAST_MSG_IN_GROUP | Flags::SEGMENT, [b'L', b'S', b' ']),
            (Flags::SEGMENT | Flags::LAST_SEGMENT, [b' ', b'L', b' ']),
        ] {
            let mut options = GetOptions::default();
            options.describe_group(flags);
            assert_eq!([options.group_status, options.segment_status, options.segmentation], expected);
        }
    }

    #[test]
    fn a_wait_is_read_from_the_option_and_the_interval() {
        assert_eq!(Wait::from_code(0, 5), Ok(Wait::No));
        assert_eq!(Wait::from_code(constants::MQGMO_WAIT, 5), Ok(Wait::Milliseconds(5)));
        assert_eq!(Wait::from_code(constants::MQGMO_WAIT, -1), Ok(Wait::Unlimited));
        assert_eq!(Wait::from_code(constants::MQGMO_WAIT, -2), Err(Reason::WAIT_INTERVAL_ERROR));
        assert_eq!(Wait::from(Duration::from_micros(1001)), Wait::Milliseconds(2));
    }
}
