//! The demands of a get on groups and segments, from its options and the place of its handle.

use mqi::{GetFlags, GetOptions, MatchOptions, ObjectHandle, Reason};
use queues::grouping::Calls;
use queues::queue::groups::Readiness;
use queues::queue::request::{Action, Grouping, Start, Syncpoint};

use crate::connection::{Connection, Handle};

/// A get as far as it is known.
pub(super) struct Asked<'a> {
    pub(super) options: &'a GetOptions,
    pub(super) start: Start,
    pub(super) action: Action,
    pub(super) browses: bool,
}

impl Connection {
    /// Returns the demands of a get on groups; none when it has none.
    #[expect(clippy::inline_always, reason = "most gets ask for no group, and pay for a call")]
    #[inline(always)]
    pub(super) fn grouping(
        &self,
        handle: ObjectHandle,
        found: &Handle,
        asked: &Asked<'_>,
    ) -> Result<Option<Box<Grouping>>, Reason> {
        if asked.options.concern_groups() || self.conversation.party.courses.are_used() {
            self.grouping_by_place(handle, found, asked)
        } else {
            Ok(None)
        }
    }

    /// The demands by the options and the place of the handle.
    #[inline(never)]
    fn grouping_by_place(
        &self,
        handle: ObjectHandle,
        found: &Handle,
        asked: &Asked<'_>,
    ) -> Result<Option<Box<Grouping>>, Reason> {
        let Asked { options, start, action, browses } = *asked;
        let flags = options.flags;
        let asks = options.concern_groups();
        let courses = &self.conversation.party.courses;
        let in_order = flags.contains(GetFlags::LOGICAL_ORDER);
        let calls = if browses { Calls::Browses } else { Calls::Gets };
        let course = courses.of(handle.0, calls);
        let goes_on = start == Start::AfterCursor;
        if calls == Calls::Browses && goes_on && in_order != course.in_order {
            let has_browsed = found.memo.as_ref().is_some_and(|memo| memo.state.lock().cursor.is_some());
            if has_browsed {
                return Err(Reason::INCONSISTENT_BROWSE);
            }
        }
        if !asks {
            return Ok(None);
        }
        let joins = flags.contains(GetFlags::COMPLETE_MSG);
        let syncpoint = match action {
            Action::Reserve(..) => return Err(Reason::OPTIONS_ERROR),
            Action::Take(Syncpoint::WithinIfPersistent) if joins => return Err(Reason::OPTIONS_ERROR),
            Action::Take(syncpoint) => Some(syncpoint),
            Action::Browse => None,
        };
        if joins && options.match_options.contains(MatchOptions::MATCH_OFFSET) {
            return Err(Reason::MATCH_OPTIONS_ERROR);
        }
        let begins_anew = start == Start::AtCursor || (calls == Calls::Browses && !goes_on);
        let next = course.current.filter(|_| in_order && !begins_anew);
        if let (Some(current), Some(syncpoint)) = (course.current.filter(|_| in_order), syncpoint) {
            let within = syncpoint == Syncpoint::Within;
            if syncpoint != Syncpoint::WithinIfPersistent && within != current.within_unit {
                return Err(Reason::INCONSISTENT_UOW);
            }
        }
        let of_message = joins || flags.contains(GetFlags::ALL_SEGMENTS_AVAILABLE);
        let readiness = match next {
            Some(current) if current.in_message && !joins => Readiness::First,
            None if flags.contains(GetFlags::ALL_MSGS_AVAILABLE) => Readiness::Group,
            _ if of_message => Readiness::Message,
            _ => Readiness::First,
        };
        let after = course.head.filter(|_| goes_on && in_order);
        Ok(Some(Box::new(Grouping { in_order, joins, readiness, next, after })))
    }
}
