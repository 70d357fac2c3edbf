//! Room on queues: MAXDEPTH and QUOTA, and QUOTA of the queue manager.

use mqi::Reason;

use super::Manager;
use super::definitions::Definition;
use super::queue::{Message, QueueId};

/// Bytes that a message counts besides its body.
const BESIDE_BODY: u64 = 512;

fn bytes_of(length: usize) -> u64 {
    BESIDE_BODY + length as u64
}

impl Manager {
    /// Checks that a queue has room for messages with bodies of these lengths.
    pub(super) fn check_room(&self, queue: QueueId, lengths: &[usize]) -> Result<(), Reason> {
        self.check_room_behind(queue, &[], lengths)
    }

    /// Checks the same behind messages that are put first, those among them that go to this queue.
    pub(super) fn check_room_behind(
        &self,
        queue: QueueId,
        before: &[(QueueId, Message)],
        lengths: &[usize],
    ) -> Result<(), Reason> {
        let before: Vec<u64> = (before.iter().filter(|(to, _)| *to == queue))
            .map(|(_, message)| bytes_of(message.body.len()))
            .collect();
        let definition = self.definition_of(queue).expect("a queue has a definition");
        let (depth_max, bytes_max) = (definition.number("MAXDEPTH"), definition.bytes_max());
        let lying = &self.queues[&queue];
        let depth = lying.depth() + before.len();
        let bytes: u64 =
            lying.messages.iter().map(|message| bytes_of(message.body.len())).chain(before).sum();
        let more: u64 = lengths.iter().map(|length| bytes_of(*length)).sum();
        if depth >= depth_max {
            Err(Reason::Q_FULL)
        } else if bytes_max.is_some_and(|most| bytes + more > most) {
            Err(Reason::Q_SPACE_NOT_AVAILABLE)
        } else if depth + lengths.len() > depth_max {
            Err(Reason::Q_FULL)
        } else {
            Ok(())
        }
    }
}

impl Manager {
    /// Checks that all queues together have room for a program's messages with bodies of these lengths.
    pub(super) fn check_quota(&self, lengths: &[usize]) -> Result<(), Reason> {
        let Some(most) = self.settings.bytes_max else { return Ok(()) };
        let lying = self.queues.values().flat_map(|queue| &queue.messages);
        let bytes: u64 = lying.map(|message| bytes_of(message.body.len())).sum();
        let more: u64 = lengths.iter().map(|length| bytes_of(*length)).sum();
        if bytes + more > most { Err(Reason::STORAGE_MEDIUM_FULL) } else { Ok(()) }
    }
}

impl Definition {
    /// The most bytes of messages: MAXFSIZE, or QUOTA if that is less, its own or that in CUSTOM. Nothing
    /// here reaches the bound that DEFAULT stands for.
    fn bytes_max(&self) -> Option<u64> {
        let number = |value: Option<&str>| value.and_then(|value| value.parse::<u64>().ok());
        let quota = number(self.limit("QUOTA")).map(|kilobytes| kilobytes << 10);
        let file =
            number(self.attributes.get("MAXFSIZE").map(String::as_str)).map(|megabytes| megabytes << 20);
        quota.into_iter().chain(file).min()
    }
}
