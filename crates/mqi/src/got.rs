//! The result of a get call.

use bytes::Bytes;

use crate::{GetOptions, MessageDescriptor, MessageToken, ObjectName, Reason};

/// Result of a get call; the descriptor and the options are filled beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Got {
    /// As much of the message as was asked for.
    pub body: Bytes,
    /// Length of the message, however much of it is in `body`.
    pub data_length: usize,
    /// A remark on a get that succeeded, such as `TRUNCATED_MSG_ACCEPTED`.
    pub warning: Option<Reason>,
    /// The queue the message was on.
    pub resolved_queue_name: ObjectName,
    /// Token that names the message while it is on the queue.
    pub message_token: MessageToken,
}

impl Got {
    /// Does as [`returned`](Self::returned), and shows the part that fits of a message that is too long and
    /// stays.
    ///
    /// # Errors
    /// As `returned`.
    #[inline]
    pub fn returned_showing(
        self,
        descriptor: &MessageDescriptor,
        options: &mut GetOptions,
        show: impl FnOnce(&[u8]),
    ) -> Result<Self, Reason> {
        if self.warning == Some(Reason::TRUNCATED_MSG_FAILED) {
            show(&self.body);
        }
        self.returned(descriptor, options)
    }

    /// Tells the options what the call returned; a message that was too long and stayed where it was is a
    /// refusal.
    ///
    /// # Errors
    /// `TRUNCATED_MSG_FAILED`, with the length of the message in the options.
    #[inline]
    pub fn returned(self, descriptor: &MessageDescriptor, options: &mut GetOptions) -> Result<Self, Reason> {
        options.resolved_queue_name = self.resolved_queue_name;
        options.message_token = self.message_token;
        options.describe_group(descriptor.message_flags);
        let has_stayed = self.warning == Some(Reason::TRUNCATED_MSG_FAILED);
        let length = if has_stayed { self.data_length } else { self.body.len() };
        options.returned_length = i32::try_from(length).unwrap_or(i32::MAX);
        if has_stayed { Err(Reason::TRUNCATED_MSG_FAILED) } else { Ok(self) }
    }
}
