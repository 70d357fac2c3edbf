//! Message tokens: what names one message of a queue as long as it is there.
//!
//! ```text
//!  0                  8        12       16
//!  +------------------+--------+--------+
//!  | sequence         | slot   | queue  |
//!  +------------------+--------+--------+
//! ```
//!
//! Always: sequences begin with 1, so no token is all zeros; none names two messages, ever. After a restart a
//! message may have another slot, and then its old token names nothing.

use mqi::MessageToken;
use storage::ObjectId;

use crate::queues::slot::{NONE, Slot};

/// The message of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub(crate) slot: Slot,
    pub(crate) sequence: u64,
}

impl Token {
    /// Returns the token for a program.
    pub(crate) fn to_message_token(self, queue: ObjectId) -> MessageToken {
        let places = u128::from(self.slot) | u128::from(queue.0 as u32) << 32;
        MessageToken((u128::from(self.sequence) | places << 64).to_le_bytes())
    }

    /// Reads a token from a program; a token of another queue names nothing here.
    pub fn of(token: &MessageToken, queue: ObjectId) -> Self {
        let [s0, s1, s2, s3, s4, s5, s6, s7, p0, p1, p2, p3, q0, q1, q2, q3] = token.0;
        if u32::from_le_bytes([q0, q1, q2, q3]) != queue.0 as u32 {
            return Self { slot: NONE, sequence: 0 };
        }
        let sequence = u64::from_le_bytes([s0, s1, s2, s3, s4, s5, s6, s7]);
        Self { slot: u32::from_le_bytes([p0, p1, p2, p3]), sequence }
    }
}

#[cfg(test)]
mod tests {
    use super::{NONE, Token};
    use mqi::MessageToken;
    use storage::ObjectId;

    #[test]
    fn a_token_names_its_message_on_its_queue_alone() {
        let token = Token { slot: 7, sequence: 1 << 40 };
        let given = token.to_message_token(ObjectId(3));
        assert_eq!(Token::of(&given, ObjectId(3)), token);
        assert_eq!(Token::of(&given, ObjectId(4)).slot, NONE);
        assert_eq!(Token::of(&MessageToken::NONE, ObjectId(3)).slot, NONE);
    }
}
