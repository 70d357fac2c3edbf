//! MQGET, destructive or browsing.
//!
//! Lives here: its checks, the request to the queue, and the end of a wait. Lives elsewhere: the request
//! that it is (`ask`), messages that are only set aside (`reserved`), locks and marks (`browse`), groups
//! (`grouped_get`), the queue's part (`queue::delivery`).

use std::sync::Arc;

use formats::convert;
use mqi::{
    CorrelationId, GetFlags, GetOptions, GroupId, MatchOptions, MessageDescriptor, MessageId, ObjectHandle,
    OpenOptions, Reason, Wait, constants,
};
use objects::ObjectType;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::message::presentation;
use queues::queue::Queue;
use queues::queue::delivery::{Asking, Take};
use queues::queue::getter::{Concluded, Get, Reserve, WaitToken};
use queues::queue::got_message::GotMessage;
use queues::queue::request::{Action, Criteria, HandleMemo, Request, Start, Syncpoint};
use storage::Lsn;

use super::ask::{Ask, GetPurpose};
use super::grouped_get::Asked;
use crate::catalogue::Object;
use crate::connection::{Connection, Handle, Target};
use crate::verbs::browse::{concerns_marks, looking, token};

/// Options that this release does not act on and so refuses, rather than giving what was not asked for.
const NOT_SUPPORTED: GetFlags =
    GetFlags::from_bits(GetFlags::SET_SIGNAL.bits() | GetFlags::MARK_SKIP_BACKOUT.bits());

impl Connection {
    /// Gets a message as it is asked for, has it wait, or refuses it. The outcome of a get that waits goes to
    /// [`Completions`](crate::Completions) under the token of its wait.
    ///
    /// # Errors
    /// In the outcome: the reason of MQGET, with the position on which it depends.
    pub fn get(&mut self, mut ask: Ask<'_>) -> Get {
        if ask.options.flags.contains(GetFlags::UNLOCK) {
            return Get::Done(self.unlock(&ask));
        }
        self.get_with(&mut ask)
    }

    /// Checks that a get like this would not be refused, apart from the content of the queue and from
    /// quiescing.
    ///
    /// # Errors
    /// The reason.
    pub fn check_get(
        &self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
    ) -> Result<(), Reason> {
        self.usable(false)?;
        let ask = Ask::new(handle, descriptor, options, 0, WaitToken(0));
        let found = self.handle(handle)?;
        let request = self.request(&ask, found)?;
        match &found.target {
            Target::Queue { queue, .. } => queue.allows(&request),
            _ => Ok(()),
        }
    }

    /// Checks that a call with a fail-if-quiescing option would still be made.
    ///
    /// # Errors
    /// The reason they are not.
    pub fn check_quiescing(&self) -> Result<(), Reason> {
        self.usable(true)
    }

    /// True if the unit of work has any operation.
    #[must_use]
    pub fn has_unit(&self) -> bool {
        !self.unit_slot().lock().operations.is_empty()
    }

    /// Ends a wait early. True when it was still waiting (it will not complete any more); false when an
    /// outcome is on its way.
    pub fn cancel(&mut self, token: WaitToken) -> bool {
        let Some((queue, ticket)) = self.conversation.party.wait(token) else { return false };
        let is_cancelled = queue.cancel(ticket).is_some();
        if is_cancelled {
            self.conversation.party.forget_wait(token);
        }
        is_cancelled
    }

    /// Ends a wait that has found a message as soon as it is read, with it or without. Returns the state of
    /// the wait.
    pub fn conclude(&mut self, token: WaitToken) -> Concluded {
        let found = self.conversation.party.wait(token).and_then(|(queue, ticket)| queue.conclude(ticket));
        found.unwrap_or(Concluded::IsOver)
    }

    /// Ends a wait that has found nothing; one that has found a message ends when that is read. Returns its
    /// state.
    pub fn stop(&mut self, token: WaitToken) -> Concluded {
        let Some((queue, ticket)) = self.conversation.party.wait(token) else { return Concluded::IsOver };
        let stopped = queue.stop(ticket).unwrap_or(Concluded::IsOver);
        if stopped == Concluded::HasNothing {
            self.conversation.party.forget_wait(token);
        }
        stopped
    }

    /// A get that is refused before its queue is asked.
    fn refused_get(&self, ask: &Ask<'_>, need: Lsn, reason: Reason) -> Get {
        let is_get = matches!(ask.purpose, GetPurpose::Get | GetPurpose::BrowseForLink);
        if is_get && self.conversation.party.calls.is_any_counted() {
            self.count_refused_get(ask.options, reason);
        }
        Get::Done(Gated::new(need, Err(reason)))
    }

    /// Counts the end of a get, where gets are counted.
    fn count_got(&self, request: &Request, outcome: &Outcome<GotMessage>) {
        if let Some(tallies) = &request.tallies {
            self.conversation.party.count_got(tallies, request.action, outcome.value());
        }
    }

    fn get_with(&self, ask: &mut Ask<'_>) -> Get {
        let take = ask.take.take();
        let ask = &*ask;
        let refused = |need, reason| self.refused_get(ask, need, reason);
        let fail_if_quiescing = ask.options.flags.contains(GetFlags::FAIL_IF_QUIESCING);
        let found = match self.usable(fail_if_quiescing).and_then(|()| self.handle(ask.handle)) {
            Ok(found) => found,
            Err(reason) => return refused(Lsn::ZERO, reason),
        };
        // Looked at where it is: moving it out would copy it.
        let request = self.request(ask, found);
        let request = match &request {
            Ok(request) => request,
            Err(reason) => return refused(Lsn::ZERO, *reason),
        };
        let Target::Queue { opened, queue, .. } = &found.target else {
            return refused(Lsn::ZERO, Reason::NOT_OPEN_FOR_INPUT);
        };
        if let Err((need, reason)) = self.may_use(found) {
            return refused(need, reason);
        }
        if request.action != Action::Browse && self.engine.ground().storage.has_failed() {
            return refused(Lsn::ZERO, Reason::Q_MGR_NOT_AVAILABLE);
        }
        let limit = ask.options.wait.limit();
        let mut counted = take.map(|take| {
            move |outcome: Outcome<GotMessage>| {
                self.count_got(request, &outcome);
                take(outcome);
            }
        });
        let asking = Asking {
            party: &self.conversation.party,
            request,
            // What an alias says is looked at for each message.
            series: if request.alias.is_some() { ask.series.token.into() } else { ask.series },
            waits: ask.options.wait != Wait::No,
            deadline: limit.map(|limit| self.engine.ground().now().after(limit)),
            goes_on: ask.goes_on,
            take: counted.as_mut().map(|take| take as Take<'_>),
        };
        self.ask(opened, queue, asking)
    }

    /// Asks the queue, whose answer is looked at where its caller has it: a move would copy a message.
    #[inline]
    fn ask(&self, opened: &Object<Arc<Queue>>, queue: &Arc<Queue>, asking: Asking<'_>) -> Get {
        let request = asking.request;
        let answer = queue.get(&self.engine.queues, asking);
        match &answer {
            Get::Done(outcome) => {
                if outcome.value().as_ref().err() == Some(&Reason::GET_INHIBITED) {
                    self.tell_inhibited(*opened.name(), Reason::GET_INHIBITED, outcome.need());
                }
                self.count_got(request, outcome);
            }
            Get::Waiting => self.engine.queues.look_after_parked(),
        }
        answer
    }

    /// Makes the request to the queue from the options, when they make sense together and with those of the
    /// open.
    fn request(&self, ask: &Ask<'_>, found: &Handle) -> Result<Request, Reason> {
        let Ask { options, descriptor, purpose, .. } = *ask;
        let flags = options.flags;
        let syncpoint = ask.syncpoint()?;
        let (start, browses) = start(flags)?;
        if !flags.unknown().is_empty() || flags.intersects(NOT_SUPPORTED) {
            return Err(Reason::OPTIONS_ERROR);
        }
        let in_unit = syncpoint != Syncpoint::Outside;
        let may_browse = matches!(purpose, GetPurpose::Get | GetPurpose::BrowseForLink);
        if (browses && (in_unit || !may_browse)) || (!browses && purpose == GetPurpose::BrowseForLink) {
            return Err(Reason::OPTIONS_ERROR);
        }
        let looking =
            if concerns_marks(flags) { looking(flags, browses, found.options)? } else { GetFlags::EMPTY };
        let of_input = OpenOptions::INPUT_AS_Q_DEF | OpenOptions::INPUT_SHARED | OpenOptions::INPUT_EXCLUSIVE;
        if !browses && !found.options.intersects(of_input) {
            return Err(Reason::NOT_OPEN_FOR_INPUT);
        }
        if (browses || start == Start::AtCursor) && !found.options.contains(OpenOptions::BROWSE) {
            return Err(Reason::NOT_OPEN_FOR_BROWSE);
        }
        let action = match (browses, purpose) {
            // What is looked for stays where it is.
            (true, _) | (false, GetPurpose::Look | GetPurpose::BrowseForLink) => Action::Browse,
            (false, GetPurpose::Get) => Action::Take(syncpoint),
            (false, GetPurpose::Reserve(which)) => Action::Reserve(syncpoint, which),
        };
        let Target::Queue { opened, queue, .. } = &found.target else {
            return Err(Reason::NOT_OPEN_FOR_INPUT);
        };
        let criteria = match start {
            Start::AtCursor => Criteria::default(),
            Start::First | Start::AfterCursor => {
                let by_token = options.match_options.contains(MatchOptions::MATCH_MSG_TOKEN);
                let token = if by_token { Some(token(options, queue)?) } else { None };
                Criteria { token, ..criteria(descriptor, options)? }
            }
        };
        // A handle that may browse is given what it takes as any other: all queues of subscriptions are
        // opened so.
        let is_plain = !browses && start == Start::First;
        let minds = |memo: &&Arc<HandleMemo>| !is_plain || memo.minds_plain_gets();
        let asked = Asked { options, start, action, browses };
        let grouping = self.grouping(ask.handle, found, &asked)?;
        let is_for_link = matches!(
            purpose,
            GetPurpose::Reserve(Reserve::ForLink | Reserve::NoneForLink) | GetPurpose::BrowseForLink
        );
        let is_counted = purpose != GetPurpose::Look && self.conversation.party.calls.is_any_counted();
        let alias = (opened.object_type() == ObjectType::AliasQueue).then(|| Arc::clone(opened));
        let property_control = alias.as_ref().map(|alias| alias.current().attributes.property_control);
        Ok(Request {
            criteria,
            handle: ask.handle.0,
            unit: ask.slot(&self.engine)?.or_else(|| self.slot_of_branch()),
            grouping,
            action,
            start,
            only_looks: purpose == GetPurpose::Look,
            looking,
            bytes_max: ask.bytes_max,
            accept_truncated: flags.contains(GetFlags::ACCEPT_TRUNCATED_MSG),
            fail_if_quiescing: flags.contains(GetFlags::FAIL_IF_QUIESCING),
            outlasts_inhibition: is_for_link,
            memo: found.memo.as_ref().filter(minds).map(Arc::clone),
            alias,
            resolved_queue_name: queue.name,
            properties: if is_for_link {
                presentation::Asked::KEPT
            } else {
                presentation::Asked::of(options, property_control)?
            },
            conversion: flags.contains(GetFlags::CONVERT).then(|| self.target(descriptor)),
            extension: flags.contains(GetFlags::DESCRIPTOR_EXTENSION).then(|| self.own_character_set()),
            selector: found.selector.as_ref().map(Arc::clone),
            tallies: if is_counted { self.tallies_for(ask.handle) } else { None },
        })
    }
}

impl Connection {
    /// Returns the target of a conversion, from the descriptor given to the get.
    fn target(&self, descriptor: &MessageDescriptor) -> convert::Target {
        let coded_character_set = match descriptor.coded_character_set {
            constants::MQCCSI_Q_MGR => self.own_character_set(),
            asked_for => asked_for,
        };
        convert::Target { encoding: descriptor.encoding, coded_character_set }
    }

    /// The character set of the queue manager.
    fn own_character_set(&self) -> i32 {
        self.engine.directory.catalogue.manager().attributes.coded_character_set
    }
}

/// Where to begin, and whether the message stays.
fn start(flags: GetFlags) -> Result<(Start, bool), Reason> {
    let choices = [
        (GetFlags::BROWSE_FIRST, (Start::First, true)),
        (GetFlags::BROWSE_NEXT, (Start::AfterCursor, true)),
        (GetFlags::BROWSE_MSG_UNDER_CURSOR, (Start::AtCursor, true)),
        (GetFlags::MSG_UNDER_CURSOR, (Start::AtCursor, false)),
    ];
    let mut chosen = choices.iter().filter(|(flag, _)| flags.contains(*flag));
    match (chosen.next(), chosen.next()) {
        (None, _) => Ok((Start::First, false)),
        (Some((_, choice)), None) => Ok(*choice),
        (Some(_), Some(_)) => Err(Reason::OPTIONS_ERROR),
    }
}

/// The fields to agree with; all zeros agree with any message.
fn criteria(descriptor: &MessageDescriptor, options: &GetOptions) -> Result<Criteria, Reason> {
    let wanted = options.match_options;
    if !wanted.unknown().is_empty() {
        return Err(Reason::MATCH_OPTIONS_ERROR);
    }
    let MessageId(message_id) = descriptor.message_id;
    let CorrelationId(correlation_id) = descriptor.correlation_id;
    let GroupId(group_id) = *descriptor.group_id;
    let key = |option, key: [u8; 24]| (wanted.contains(option) && key != [0; 24]).then_some(key);
    Ok(Criteria {
        message_id: key(MatchOptions::MATCH_MSG_ID, message_id),
        correlation_id: key(MatchOptions::MATCH_CORREL_ID, correlation_id),
        group_id: key(MatchOptions::MATCH_GROUP_ID, group_id),
        message_sequence_number: wanted
            .contains(MatchOptions::MATCH_MSG_SEQ_NUMBER)
            .then_some(descriptor.message_sequence_number),
        offset: wanted.contains(MatchOptions::MATCH_OFFSET).then_some(descriptor.offset),
        token: None,
    })
}
