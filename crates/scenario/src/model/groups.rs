//! Groups and segments: what belongs together, what of it is there, and where each handle is in it.
//!
//! A group is found by looking at every message of its queue. What a handle is in the middle of is its
//! *course*; its puts, its gets and its browses each have one.

use mqi::{GroupId, MessageDescriptor, MessageFlags, MessageType, Rare, Reason, constants};

use super::queue::{Message, Place, Queue, State};

/// Identity of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupName {
    /// Of what is in no group.
    None,
    Given([u8; 24]),
    /// One that the queue manager made up.
    Made(u64),
}

/// Reports about segments are a group of their own, which the feedback tells from the group that they are
/// about.
pub(super) type Key = (GroupName, i32);

/// Messages that must be there before one is given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ready {
    Itself,
    LogicalMessage,
    Group,
}

const NUMBER_MAX: i32 = 999_999_999;

impl Message {
    fn flags(&self) -> MessageFlags {
        self.shown.message_flags
    }

    pub(super) fn is_segment(&self) -> bool {
        self.flags().contains(MessageFlags::SEGMENT)
    }

    /// Its group, of a message in a group and of a segment.
    pub(super) fn group_key(&self) -> Option<Key> {
        let is_member = self.flags().intersects(MessageFlags::MSG_IN_GROUP | MessageFlags::SEGMENT);
        is_member.then_some((self.group, self.report_feedback()))
    }

    fn report_feedback(&self) -> i32 {
        if self.shown.message_type == MessageType::REPORT { self.shown.feedback.code() } else { 0 }
    }

    /// Its place in the group.
    pub(super) fn part(&self) -> (i32, i32) {
        (self.shown.message_sequence_number, self.shown.offset)
    }

    /// Number of bytes of its logical message that it covers.
    pub(super) fn covers(&self) -> i32 {
        let reported = self.shown.original_length;
        if self.shown.message_type == MessageType::REPORT && reported >= 0 {
            return reported;
        }
        i32::try_from(self.body.len()).expect("a short message")
    }

    fn ends_group(&self) -> bool {
        let flags = self.flags();
        flags.contains(MessageFlags::LAST_MSG_IN_GROUP) || !flags.contains(MessageFlags::MSG_IN_GROUP)
    }
}

impl Queue {
    /// The message at a place of a group: of several the one that is first in the queue.
    pub(super) fn member(&self, key: Key, part: (i32, i32)) -> Option<&Message> {
        let members = self.messages.iter().filter(|message| message.state == State::Available);
        let there = members.filter(|message| message.group_key() == Some(key) && message.part() == part);
        there.min_by_key(|message| self.place(message))
    }

    /// The messages that make up a logical message, when all of them are there.
    pub(super) fn whole(&self, key: Key, sequence: i32) -> Option<Vec<u64>> {
        let mut parts = Vec::new();
        let mut offset = 0;
        loop {
            let part = self.member(key, (sequence, offset))?;
            if !part.is_segment() {
                return parts.is_empty().then(|| vec![part.number]);
            }
            parts.push(part.number);
            if part.flags().contains(MessageFlags::LAST_SEGMENT) {
                return Some(parts);
            }
            if part.covers() <= 0 {
                return None;
            }
            offset += part.covers();
        }
    }

    /// True if all logical messages of a group are there, up to the first that is marked as the last.
    fn is_complete(&self, key: Key) -> bool {
        let members = self.messages.iter().filter(|message| message.state == State::Available);
        let ends = members.filter(|message| message.group_key() == Some(key) && message.ends_group());
        let last = ends.map(|message| message.part().0).min();
        last.is_some_and(|last| (1..=last).all(|sequence| self.whole(key, sequence).is_some()))
    }

    /// True if so much of a message's group is there.
    pub(super) fn is_ready(&self, message: &Message, ready: Ready) -> bool {
        let Some(key) = message.group_key() else { return true };
        match ready {
            Ready::Itself => true,
            Ready::LogicalMessage => self.whole(key, message.part().0).is_some(),
            Ready::Group => self.is_complete(key),
        }
    }

    /// True if a message is the one that counts at its place in its group.
    pub(super) fn counts(&self, message: &Message) -> bool {
        let Some(key) = message.group_key() else { return true };
        self.member(key, message.part()).is_some_and(|found| found.number == message.number)
    }
}

/// The calls of a handle that a course is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    Puts,
    Gets,
    Browses,
}

/// Where a handle is.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    /// True if its last call asked for logical order.
    pub(super) in_order: bool,
    /// Next place when it is in the middle of a group or message.
    pub(super) next: Option<Next>,
    /// For browses in logical order: where in the queue the group begins that was browsed last.
    pub(super) head: Option<Place>,
}

#[derive(Clone, Debug)]
pub(super) struct Next {
    pub(super) key: Key,
    pub(super) part: (i32, i32),
    pub(super) in_message: bool,
    belonging: Belonging,
    pub(super) manner: Manner,
}

/// Options that all messages of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Manner {
    pub(super) persistent: bool,
    pub(super) within: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Belonging {
    Alone,
    InGroup,
    InLast,
}

fn belonging(flags: MessageFlags) -> Belonging {
    if flags.contains(MessageFlags::LAST_MSG_IN_GROUP) {
        Belonging::InLast
    } else if flags.contains(MessageFlags::MSG_IN_GROUP) {
        Belonging::InGroup
    } else {
        Belonging::Alone
    }
}

impl Next {
    /// Returns the reason for refusing another message next.
    fn unfinished(&self) -> Reason {
        if self.in_message { Reason::INCOMPLETE_MSG } else { Reason::INCOMPLETE_GROUP }
    }

    fn disagrees(&self, manner: Manner) -> Option<Reason> {
        if self.manner.persistent != manner.persistent {
            Some(Reason::INCONSISTENT_PERSISTENCE)
        } else if self.manner.within != manner.within {
            Some(Reason::INCONSISTENT_UOW)
        } else {
            None
        }
    }
}

impl Course {
    /// A call succeeded with a message.
    pub(super) fn moved(&mut self, message: &Message, in_order: bool, manner: Manner, head: Option<Place>) {
        let (sequence, offset) = message.part();
        let flags = message.flags();
        let in_message = message.is_segment() && !flags.contains(MessageFlags::LAST_SEGMENT);
        let belonging = belonging(flags);
        let part = if in_message {
            Some((sequence, offset + message.covers()))
        } else {
            (belonging == Belonging::InGroup).then_some((sequence + 1, 0))
        };
        self.next = message.group_key().zip(part).map(|(key, part)| Next {
            key,
            part,
            in_message,
            belonging,
            manner,
        });
        self.in_order = in_order;
        self.head = head.or(self.head);
    }

    /// Judges a message about to be got: a remark, or why not.
    pub(super) fn judge(
        &self,
        message: &Message,
        in_order: bool,
        within: bool,
    ) -> Result<Option<Reason>, Reason> {
        let Some(next) = &self.next else { return Ok(None) };
        let is_alike = next.manner.within == within;
        if in_order {
            return if is_alike { Ok(None) } else { Err(Reason::INCONSISTENT_UOW) };
        }
        if !self.in_order {
            return Ok(None);
        }
        let goes_on = message.group_key() == Some(next.key) && message.part() == next.part;
        Ok(match (goes_on, is_alike) {
            (true, true) => None,
            (true, false) => Some(Reason::INCONSISTENT_UOW),
            (false, _) => Some(next.unfinished()),
        })
    }

    /// Returns the warning of closing the handle.
    pub(super) fn left(&self) -> Option<Reason> {
        self.next.as_ref().filter(|_| self.in_order).map(Next::unfinished)
    }

    /// Gives a message that is put its place: its group, which may be a new one, and a remark. The descriptor
    /// is filled.
    pub(super) fn number(
        &self,
        shown: &mut MessageDescriptor,
        length: usize,
        in_order: bool,
        manner: Manner,
        new: GroupName,
    ) -> Result<(GroupName, Option<Reason>), Reason> {
        let flags = shown.message_flags;
        let belongs = belonging(flags);
        let is_segment = flags.intersects(MessageFlags::SEGMENT | MessageFlags::LAST_SEGMENT);
        let in_group = belongs != Belonging::Alone;
        let is_named = in_group || is_segment || flags.contains(MessageFlags::SEGMENTATION_ALLOWED);
        let given = match shown.group_id.0 {
            _ if !is_named => GroupName::None,
            [0, .., 0] if shown.group_id.is_none() => new,
            id => GroupName::Given(id),
        };
        let (name, (sequence, offset), remark) = match (&self.next, in_order) {
            (Some(next), true) => {
                let goes_on =
                    if next.in_message { is_segment && belongs == next.belonging } else { in_group };
                if !goes_on {
                    return Err(next.unfinished());
                }
                if let Some(reason) = next.disagrees(manner) {
                    return Err(reason);
                }
                (next.key.0, next.part, None)
            }
            (None, true) => (if is_named { new } else { GroupName::None }, (1, 0), None),
            (next, false) => {
                let sequence = if in_group { shown.message_sequence_number } else { 1 };
                let offset = if is_segment { shown.offset } else { 0 };
                let remark = next.as_ref().filter(|_| self.in_order).and_then(|next| {
                    let goes_on = given == next.key.0
                        && (sequence, offset) == next.part
                        && (!next.in_message || is_segment && belongs == next.belonging);
                    if goes_on { next.disagrees(manner) } else { Some(next.unfinished()) }
                });
                (given, (sequence, offset), remark)
            }
        };
        (shown.message_sequence_number, shown.offset) = (sequence, offset);
        complete(shown, length)?;
        shown.group_id = match name {
            GroupName::None | GroupName::Made(_) => Rare::USUAL,
            GroupName::Given(id) => GroupId::from_bytes(id).into(),
        };
        Ok((name, remark))
    }
}

/// Fills flags and the original length, when the place is one that a message may have.
fn complete(shown: &mut MessageDescriptor, length: usize) -> Result<(), Reason> {
    let is_last = shown.message_flags.contains(MessageFlags::LAST_SEGMENT);
    if is_last {
        shown.message_flags |= MessageFlags::SEGMENT;
    }
    if shown.message_flags.contains(MessageFlags::LAST_MSG_IN_GROUP) {
        shown.message_flags |= MessageFlags::MSG_IN_GROUP;
    }
    let length = i32::try_from(length).expect("a short message");
    let is_segment = shown.message_flags.contains(MessageFlags::SEGMENT);
    if !is_segment {
        shown.original_length = constants::MQOL_UNDEFINED;
    } else if shown.message_type != MessageType::REPORT {
        shown.original_length = length;
        if length == 0 && !is_last {
            return Err(Reason::SEGMENT_LENGTH_ZERO);
        }
    } else if shown.original_length < length || !is_last && shown.original_length < 1 {
        return Err(Reason::ORIGINAL_LENGTH_ERROR);
    }
    if shown.message_sequence_number > NUMBER_MAX {
        return Err(Reason::MSG_SEQ_NUMBER_ERROR);
    }
    let end = i64::from(shown.offset) + if is_segment { i64::from(shown.original_length) } else { 0 };
    if end > i64::from(NUMBER_MAX) { Err(Reason::OFFSET_ERROR) } else { Ok(()) }
}
