//! The tokens of waits: each names a request or a delivery of a conversation.

use crate::streams::STREAM_MAX;
use channel::Conversation;
use queue_manager::WaitToken;

/// Subject of a wait, packed into its token: a get by its request, or a delivery of a stream by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    Get { conversation: Conversation, request: u32 },
    Delivery { conversation: Conversation, stream: u16, number: u32 },
}

const DELIVERY: u64 = 1 << 47;

impl Wait {
    pub(super) fn token(self) -> WaitToken {
        WaitToken(match self {
            Self::Get { conversation, request } => u64::from(conversation.0) << 48 | u64::from(request),
            Self::Delivery { conversation, stream, number } => {
                u64::from(conversation.0) << 48
                    | DELIVERY
                    | u64::from(stream & STREAM_MAX) << 32
                    | u64::from(number)
            }
        })
    }

    pub(super) fn of(token: WaitToken) -> Self {
        let conversation = Conversation((token.0 >> 48) as u16);
        if token.0 & DELIVERY == 0 {
            Self::Get { conversation, request: token.0 as u32 }
        } else {
            let stream = (token.0 >> 32) as u16 & STREAM_MAX;
            Self::Delivery { conversation, stream, number: token.0 as u32 }
        }
    }

    pub(super) fn conversation(self) -> Conversation {
        match self {
            Self::Get { conversation, .. } | Self::Delivery { conversation, .. } => conversation,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_reads_back_from_its_token() {
        let conversation = Conversation(u16::MAX);
        for wait in [
            Wait::Get { conversation, request: u32::MAX },
            Wait::Get { conversation: Conversation(1), request: 0 },
            Wait::Delivery { conversation, stream: STREAM_MAX, number: u32::MAX },
            Wait::Delivery { conversation: Conversation(7), stream: 0, number: 9 },
        ] {
            assert_eq!(Wait::of(wait.token()), wait);
        }
    }
}
