//! Where each handle is in a group: what MQPMO_LOGICAL_ORDER and MQGMO_LOGICAL_ORDER remember between calls.
//!
//! A handle has three *courses*, which know nothing of each other: its puts, its gets and its browses. A
//! course is in the middle of a group, of a logical message, of both, or of neither; each call that succeeds
//! moves it, whether the call asked for logical order or not, so that a program can start in the middle after
//! a failure.
//!
//! - **In logical order** the next message must go on where the course is, with the same persistence (puts)
//!   and inside or outside units of work as the first (puts and gets); else the call is refused.
//! - **Out of order**, after a call in order, a message that does not go on is put or got with a warning.
//! - **A browse** is judged by nothing but whether it goes on in the order in which it began.
//! - **A unit of work that is backed out** has the courses of its puts and gets go on where they were before
//!   its first call through their handle, so that a group may be spread over several; a call outside of it
//!   since is where it goes on from.
//!
//! Lives here: courses, and the numbering of puts. Lives elsewhere: the choice of a get's message
//! (`queue::logical`).
//!
//! Always: a message without group passes by at the cost of a flag, while no course of its connection is in
//! anything.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use mqi::{GroupId, MessageDescriptor, MessageFlags, MessageType, Reason, constants};
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicBool, Ordering};
use storage::GroupHead;

use crate::message::group_place::{self, Key};
use crate::queue::request::Cursor;

/// Greatest number of a message in its group, and offset of the end of a segment in its message.
pub const GROUP_NUMBER_MAX: i32 = 999_999_999;

/// Kind of a handle's calls that a course follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// Puts.
    Puts,
    /// Gets that take.
    Gets,
    /// Gets that browse.
    Browses,
}

/// Where the calls of a handle are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Course {
    /// True if the last call asked for logical order.
    pub in_order: bool,
    /// The place of the last message, while a group or a message goes on.
    pub current: Option<Current>,
    /// For browses in logical order: the head of the group browsed last, where the next is looked for behind.
    pub head: Option<Cursor>,
}

/// A group or logical message that is not at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Current {
    pub(crate) key: Key,
    /// The number of the message that comes next.
    pub(crate) sequence_number: i32,
    /// Where it begins.
    pub(crate) offset: i32,
    /// True if it is the next segment of a logical message.
    pub in_message: bool,
    /// Membership in a group, and for a segment in the last message of one.
    group: Membership,
    /// True inside units of work.
    pub within_unit: bool,
    persistent: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Membership {
    NotInGroup,
    InGroup,
    InLast,
}

impl Membership {
    fn of(flags: MessageFlags) -> Self {
        if flags.contains(MessageFlags::LAST_MSG_IN_GROUP) {
            Self::InLast
        } else if flags.contains(MessageFlags::MSG_IN_GROUP) {
            Self::InGroup
        } else {
            Self::NotInGroup
        }
    }
}

/// Options of a put or get, as far as all of a group must be the same.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// True in logical order.
    pub in_order: bool,
    /// True inside units of work.
    pub within_unit: bool,
    /// True for persistent messages.
    pub persistent: bool,
}

impl Current {
    /// Returns the reason for refusing a call that does not go on here.
    fn unfinished(&self) -> Reason {
        if self.in_message { Reason::INCOMPLETE_MSG } else { Reason::INCOMPLETE_GROUP }
    }

    /// Where a course is after a message at a place.
    fn after(key: Key, place: &GroupHead, manner: Manner) -> Option<Self> {
        let flags = group_place::flags(place);
        let group = Membership::of(flags);
        let in_message = flags.contains(MessageFlags::SEGMENT) && !flags.contains(MessageFlags::LAST_SEGMENT);
        let in_group = group == Membership::InGroup;
        let (sequence_number, offset) = match (in_message, in_group) {
            (true, _) => (place.sequence_number, place.offset.saturating_add(place.length)),
            (false, true) => (place.sequence_number.saturating_add(1), 0),
            (false, false) => return None,
        };
        let Manner { within_unit, persistent, .. } = manner;
        Some(Self { key, sequence_number, offset, in_message, group, within_unit, persistent })
    }
}

/// Numbering of a put's message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// None when it gets a new one.
    group_id: Option<GroupId>,
    sequence_number: i32,
    offset: i32,
    warning: Option<Reason>,
}

impl Course {
    /// Numbers a message put now: its place by the rules of the interface, or the reason for refusing it.
    pub fn number(&self, given: &MessageDescriptor, manner: Manner) -> Result<Numbered, Reason> {
        let flags = given.message_flags;
        let group = Membership::of(flags);
        let in_group = group != Membership::NotInGroup;
        let is_segment = flags.intersects(MessageFlags::SEGMENT | MessageFlags::LAST_SEGMENT);
        let is_named = in_group || is_segment || flags.contains(MessageFlags::SEGMENTATION_ALLOWED);
        if let Some(current) = self.current.filter(|_| manner.in_order) {
            let goes_on = if current.in_message { is_segment && group == current.group } else { in_group };
            if !goes_on {
                return Err(current.unfinished());
            }
            current.agrees(manner)?;
            return Ok(Numbered {
                group_id: Some(GroupId(current.key.group_id)),
                sequence_number: current.sequence_number,
                offset: current.offset,
                warning: None,
            });
        }
        if manner.in_order {
            let group_id = if is_named { None } else { Some(GroupId::NONE) };
            return Ok(Numbered { group_id, sequence_number: 1, offset: 0, warning: None });
        }
        let sequence_number = if in_group { given.message_sequence_number } else { 1 };
        let offset = if is_segment { given.offset } else { 0 };
        let group_id = if is_named {
            Some(*given.group_id).filter(|given| !given.is_none())
        } else {
            Some(GroupId::NONE)
        };
        let warning = self.current.filter(|_| self.in_order).and_then(|current| {
            let goes_on = group_id == Some(GroupId(current.key.group_id))
                && (sequence_number, offset) == (current.sequence_number, current.offset)
                && (!current.in_message || (is_segment && group == current.group));
            if goes_on { current.agrees(manner).err() } else { Some(current.unfinished()) }
        });
        Ok(Numbered { group_id, sequence_number, offset, warning })
    }

    /// Judges a message that is about to be got; a warning, or why it is refused.
    fn judge_get(
        &self,
        key: Option<Key>,
        place: &GroupHead,
        manner: Manner,
    ) -> Result<Option<Reason>, Reason> {
        let Some(current) = &self.current else { return Ok(None) };
        let is_alike = current.within_unit == manner.within_unit;
        if manner.in_order {
            return if is_alike { Ok(None) } else { Err(Reason::INCONSISTENT_UOW) };
        }
        if !self.in_order {
            return Ok(None);
        }
        let goes_on = key == Some(current.key)
            && (place.sequence_number, place.offset) == (current.sequence_number, current.offset);
        Ok(match (goes_on, is_alike) {
            (true, true) => None,
            (true, false) => Some(Reason::INCONSISTENT_UOW),
            (false, _) => Some(current.unfinished()),
        })
    }
}

impl Current {
    fn agrees(&self, manner: Manner) -> Result<(), Reason> {
        if self.persistent != manner.persistent {
            Err(Reason::INCONSISTENT_PERSISTENCE)
        } else if self.within_unit != manner.within_unit {
            Err(Reason::INCONSISTENT_UOW)
        } else {
            Ok(())
        }
    }
}

impl Numbered {
    /// Writes the place into the descriptor that the message keeps; a remark on it, if there is one.
    ///
    /// # Errors
    /// The reason a place or a length is not one that a message may have.
    pub fn fill(
        self,
        filled: &mut MessageDescriptor,
        length: usize,
        new_group_id: impl FnOnce() -> GroupId,
    ) -> Result<Option<Reason>, Reason> {
        filled.message_sequence_number = self.sequence_number;
        filled.offset = self.offset;
        let length = i32::try_from(length).unwrap_or(i32::MAX);
        let is_last = filled.message_flags.contains(MessageFlags::LAST_SEGMENT);
        if is_last {
            filled.message_flags |= MessageFlags::SEGMENT;
        }
        if filled.message_flags.contains(MessageFlags::LAST_MSG_IN_GROUP) {
            filled.message_flags |= MessageFlags::MSG_IN_GROUP;
        }
        let is_segment = filled.message_flags.contains(MessageFlags::SEGMENT);
        let is_report = filled.message_type == MessageType::REPORT;
        filled.original_length = match (is_segment, is_report) {
            (false, _) => constants::MQOL_UNDEFINED,
            (true, false) => length,
            (true, true) => filled.original_length,
        };
        if is_segment && is_report {
            let least = length.max(i32::from(!is_last));
            if filled.original_length < least {
                return Err(Reason::ORIGINAL_LENGTH_ERROR);
            }
        } else if is_segment && length == 0 && !is_last {
            return Err(Reason::SEGMENT_LENGTH_ZERO);
        }
        if self.sequence_number > GROUP_NUMBER_MAX {
            return Err(Reason::MSG_SEQ_NUMBER_ERROR);
        }
        let end = self.offset.saturating_add(if is_segment { filled.original_length } else { 0 });
        if end > GROUP_NUMBER_MAX {
            return Err(Reason::OFFSET_ERROR);
        }
        filled.group_id = self.group_id.unwrap_or_else(new_group_id).into();
        Ok(self.warning)
    }
}

/// The courses of a handle.
#[derive(Debug, Default)]
struct OfHandle {
    now: [Course; 3],
    /// Courses before the open unit of work moved them; no browse belongs to a unit.
    before_unit: [Option<Course>; 2],
}

/// The courses of a connection's handles.
#[derive(Debug, Default)]
pub struct Courses {
    /// True if any handle has a course that is not as at the start.
    used: AtomicBool,
    of_handles: Mutex<BTreeMap<i32, OfHandle>>,
}

impl Courses {
    /// True if any course is worth a look.
    pub fn are_used(&self) -> bool {
        self.used.load(Ordering::Acquire)
    }

    /// A course of a handle.
    pub fn of(&self, handle: i32, calls: Calls) -> Course {
        if !self.are_used() {
            return Course::default();
        }
        let of_handles = self.of_handles.lock();
        of_handles.get(&handle).map_or_else(Course::default, |courses| courses.now[calls as usize])
    }

    /// Judges a message that is about to be got by a handle.
    pub(crate) fn judge_get(
        &self,
        handle: i32,
        key: Option<Key>,
        place: &GroupHead,
        manner: Manner,
    ) -> Result<Option<Reason>, Reason> {
        self.of(handle, Calls::Gets).judge_get(key, place, manner)
    }

    /// A call of a handle succeeded with a message at this place; `head` is where a browse in logical order
    /// goes on from.
    pub fn note(
        &self,
        (handle, calls): (i32, Calls),
        key: Option<Key>,
        place: &GroupHead,
        manner: Manner,
        head: Option<Cursor>,
    ) {
        let current = key.and_then(|key| Current::after(key, place, manner));
        if current.is_none() && !manner.in_order && !self.are_used() {
            return;
        }
        let mut of_handles = self.of_handles.lock();
        let OfHandle { now, before_unit } = of_handles.entry(handle).or_default();
        let course = &mut now[calls as usize];
        if let Some(before) = before_unit.get_mut(calls as usize) {
            *before = manner.within_unit.then(|| before.unwrap_or(*course));
        }
        *course = Course { in_order: manner.in_order, current, head: head.or(course.head) };
        self.used.store(true, Ordering::Release);
    }

    /// The unit of work of the connection stands, or is backed out.
    pub fn end_unit(&self, stands: bool) {
        if !self.are_used() {
            return;
        }
        for OfHandle { now, before_unit } in self.of_handles.lock().values_mut() {
            for (now, before) in now.iter_mut().zip(before_unit) {
                *now = before.take().filter(|_| !stands).unwrap_or(*now);
            }
        }
    }

    /// A handle is closed; a remark when it leaves a group, or a message, that it put or got in order, in the
    /// middle.
    pub fn close(&self, handle: i32) -> Option<Reason> {
        if !self.are_used() {
            return None;
        }
        let mut of_handles = self.of_handles.lock();
        let [puts, gets, _] = of_handles.remove(&handle)?.now;
        self.used.store(!of_handles.is_empty(), Ordering::Release);
        let left =
            [puts, gets].into_iter().filter(|course| course.in_order).filter_map(|course| course.current);
        // A message is remarked on rather than a group.
        let left: Vec<Reason> = left.map(|current| current.unfinished()).collect();
        left.iter().find(|reason| **reason == Reason::INCOMPLETE_MSG).or_else(|| left.first()).copied()
    }
}
