//! Texts of identifiers that requests had, for the answers of programs, which have 24 bytes of each.
//!
//! Always: the last so many requests of a connection are known, and no more.

use std::collections::{BTreeMap, VecDeque};

use mqi::{CorrelationId, MessageId};

/// Most requests whose identifiers are known: as many as one client waits for at a time.
const KNOWN_MAX: usize = 1_024;

/// Identifiers of requests of a connection, by the bytes that stand for them.
#[derive(Debug, Default)]
pub(super) struct Identifiers {
    texts: BTreeMap<[u8; 24], String>,
    order: VecDeque<[u8; 24]>,
}

impl Identifiers {
    /// Notes the identifier of a request.
    pub(super) fn note(&mut self, id: MessageId, text: String) {
        if self.texts.insert(id.0, text).is_some() {
            return;
        }
        self.order.push_back(id.0);
        if self.order.len() > KNOWN_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.texts.remove(&oldest);
        }
    }

    /// The text that the correlation identifier of an answer stands for.
    pub(super) fn text(&self, id: &CorrelationId) -> Option<String> {
        self.texts.get(&id.0).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_requests_are_known_and_no_more() {
        let mut known = Identifiers::default();
        let bytes = |number: usize| {
            let mut bytes = [0; 24];
            bytes[..8].copy_from_slice(&number.to_be_bytes());
            bytes
        };
        for number in 0..=KNOWN_MAX {
            known.note(MessageId(bytes(number)), number.to_string());
            known.note(MessageId(bytes(number)), number.to_string());
        }
        assert_eq!(known.text(&CorrelationId(bytes(0))), None);
        assert_eq!(known.text(&CorrelationId(bytes(1))), Some("1".to_owned()));
        assert_eq!((known.order.len(), known.texts.len()), (KNOWN_MAX, KNOWN_MAX));
    }
}
