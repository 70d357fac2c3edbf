//! The descriptor of a message: all of it apart from the body.
//!
//! Lives here: the descriptor and the types of its numeric fields.
//! Lives elsewhere: filling the fields (`queue-manager`), the C structure.

mod fields;
mod put_moment;
mod rare;
#[cfg(test)]
mod tests;

pub use fields::{Encoding, Expiry, Feedback, MessageType, Persistence, Priority, PutApplicationType};
pub use put_moment::put_milliseconds;
pub use rare::{Rare, Usual};

use crate::{
    AccountingToken, CorrelationId, GroupId, MessageFlags, MessageId, ObjectDescriptor, ReportOptions, Text,
    constants,
};

/// The message descriptor, version 2.
///
/// Defaults are those of `MQMD_DEFAULT`: a datagram that never expires, with persistence and priority as the
/// queue says.
#[derive(Debug, PartialEq, Eq)]
pub struct MessageDescriptor {
    /// Reports asked for.
    pub report: ReportOptions,
    /// Request, reply, datagram, report or a type of the application.
    pub message_type: MessageType,
    /// Time for which the message is worth delivering.
    pub expiry: Expiry,
    /// Subject of a report.
    pub feedback: Feedback,
    /// Representation of numbers in the body.
    pub encoding: Encoding,
    /// The character set of the body.
    pub coded_character_set: i32,
    /// Format of the body, such as `MQSTR`; blank when only the application knows.
    pub format: Text<8>,
    /// Messages of higher priority are delivered first.
    pub priority: Priority,
    /// Persistence: a persistent message outlives a restart.
    pub persistence: Persistence,
    /// Tells this message from every other.
    pub message_id: MessageId,
    /// Ties this message to another.
    pub correlation_id: CorrelationId,
    /// Number of times that the message was got and backed out.
    pub backout_count: i32,
    /// Queue for the answer: any text of the putter, which need not be a name.
    pub reply_to_queue: Rare<Text<48>>,
    /// The queue manager that has the reply queue; likewise.
    pub reply_to_queue_manager: Rare<Text<48>>,
    /// Identity context: the user who caused the message.
    pub user_identifier: Text<12>,
    /// Identity context: the account that is charged.
    pub accounting_token: AccountingToken,
    /// Identity context: free for the application.
    pub application_identity_data: Rare<Text<32>>,
    /// Origin context: the kind of program that put the message.
    pub put_application_type: PutApplicationType,
    /// Origin context: the program that put the message.
    pub put_application_name: Text<28>,
    /// Origin context: the day it was put, `YYYYMMDD` in UTC.
    pub put_date: Text<8>,
    /// Origin context: the time it was put, `HHMMSSTH` in UTC.
    pub put_time: Text<8>,
    /// Origin context: free for the application.
    pub application_origin_data: Text<4>,
    /// The group or logical message this is part of.
    pub group_id: Rare<GroupId>,
    /// Place in the group, from 1.
    pub message_sequence_number: i32,
    /// Place of a segment's first byte in the logical message.
    pub offset: i32,
    /// Group and segment flags.
    pub message_flags: MessageFlags,
    /// Length of the message a report segment is about; `MQOL_UNDEFINED` otherwise.
    pub original_length: i32,
}

/// Copies of a descriptor: one that is copied onto another takes over its fields in their places.
macro_rules! copied_by_fields {
    (rare $($rare:ident)*; plain $($plain:ident)*) => {
        impl Clone for MessageDescriptor {
            #[inline]
            fn clone(&self) -> Self {
                Self { $($rare: self.$rare.clone(),)* $($plain: self.$plain),* }
            }

            #[inline]
            fn clone_from(&mut self, source: &Self) {
                // One test for all: each has its default in nearly every message.
                if !(self.is_usual() & source.is_usual()) {
                    self.take_rare(source);
                }
                $(self.$plain = source.$plain;)*
            }
        }

        impl MessageDescriptor {
            #[inline]
            fn is_usual(&self) -> bool {
                true $(& self.$rare.is_usual())*
            }

            /// Memory that its fields take beside it.
            #[must_use]
            #[inline]
            pub fn bytes_beside(&self) -> usize {
                0 $(+ self.$rare.bytes())*
            }

            #[cold]
            fn take_rare(&mut self, source: &Self) {
                $(self.$rare.clone_from(&source.$rare);)*
            }
        }
    };
}

copied_by_fields! {
    rare reply_to_queue reply_to_queue_manager application_identity_data group_id;
    plain report message_type expiry feedback encoding coded_character_set format priority
        persistence message_id correlation_id backout_count user_identifier accounting_token
        put_application_type put_application_name put_date put_time application_origin_data
        message_sequence_number offset message_flags original_length
}

impl Default for MessageDescriptor {
    fn default() -> Self {
        Self {
            report: ReportOptions::EMPTY,
            message_type: MessageType::DATAGRAM,
            expiry: Expiry::UNLIMITED,
            feedback: Feedback::NONE,
            encoding: Encoding::NATIVE,
            coded_character_set: constants::MQCCSI_Q_MGR,
            format: Text::BLANK,
            priority: Priority::AS_Q_DEF,
            persistence: Persistence::AsQueueDefault,
            message_id: MessageId::NONE,
            correlation_id: CorrelationId::NONE,
            backout_count: 0,
            reply_to_queue: Rare::USUAL,
            reply_to_queue_manager: Rare::USUAL,
            user_identifier: Text::BLANK,
            accounting_token: AccountingToken::NONE,
            application_identity_data: Rare::USUAL,
            put_application_type: PutApplicationType::NO_CONTEXT,
            put_application_name: Text::BLANK,
            put_date: Text::BLANK,
            put_time: Text::BLANK,
            application_origin_data: Text::BLANK,
            group_id: Rare::USUAL,
            message_sequence_number: 1,
            offset: 0,
            message_flags: MessageFlags::EMPTY,
            original_length: constants::MQOL_UNDEFINED,
        }
    }
}

impl MessageDescriptor {
    /// Where answers go. What is no name of a queue or of a queue manager leads nowhere, as no name does.
    #[must_use]
    pub fn reply_to(&self) -> ObjectDescriptor {
        match ((*self.reply_to_queue).try_into(), (*self.reply_to_queue_manager).try_into()) {
            (Ok(queue), Ok(queue_manager)) => ObjectDescriptor {
                object_queue_manager_name: queue_manager,
                ..ObjectDescriptor::queue(queue)
            },
            _ => ObjectDescriptor::default(),
        }
    }

    /// The format of text, `MQSTR`.
    #[must_use]
    pub fn string_format() -> Text<8> {
        Text::from_padded(constants::MQFMT_STRING.as_bytes())
    }
}
