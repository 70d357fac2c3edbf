//! MQGET, destructive or browsing.
//!
//! Lives here: its checks, the request to the queue, and the end of a wait. Lives elsewhere: the messages that
//! are only set aside (`reserved`), locks and marks (`browse`), groups (`grouped_get`), the queue's part
//! (`queue::delivery`).

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
use queues::queue::getter::Get;
use queues::queue::getter::{Concluded, Reserve, Series, WaitToken};
use queues::queue::got_message::GotMessage;
use queues::queue::request::{Action, Criteria, HandleMemo, Request, Start, Syncpoint};
use storage::Lsn;

use super::grouped_get::Asked;
use crate::catalogue::Object;
use crate::connection::{Connection, Handle, Target};
use crate::verbs::browse::{looking, token};

/// Options that this release does not act on and so refuses, rather than giving what was not asked for.
const NOT_SUPPORTED: GetFlags =
    GetFlags::from_bits(GetFlags::SET_SIGNAL.bits() | GetFlags::MARK_SKIP_BACKOUT.bits());

/// Manner of getting a message.
struct How<'a> {
    series: Series,
    purpose: Purpose,
    goes_on: bool,
    /// Receiver of all but the last message of the series that are there.
    take: Option<Take<'a>>,
}

impl How<'_> {
    fn of(series: Series, purpose: Purpose) -> Self {
        Self { series, purpose, goes_on: false, take: None }
    }
}

/// Purpose of searching the queue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Get,
    /// These messages are only reserved.
    Reserve(Reserve),
    Look,
    /// A browse of a link.
    BrowseForLink,
}

impl Connection {
    /// MQGET, destructive or browsing. `token` names the wait if there is one; also a get that was not to wait for a
    /// message may wait for one to be read back from the disk.
    pub fn get(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
        bytes_max: usize,
        token: WaitToken,
    ) -> Get {
        self.get_as(handle, descriptor, options, bytes_max, How::of(token.into(), Purpose::Get))
    }

    /// Browses for a link, with options of a browse: its wait outlasts an inhibition of gets.
    pub fn browse_for_link(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
        bytes_max: usize,
        token: WaitToken,
    ) -> Get {
        self.get_as(handle, descriptor, options, bytes_max, How::of(token.into(), Purpose::BrowseForLink))
    }

    /// Waits until a get with these options, which are not those of a browse, would be given something. It is given nothing: the
    /// outcome has no body, changes nothing, and the message may be gone before it is got.
    pub fn look(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
        token: WaitToken,
    ) -> Get {
        self.get_as(handle, descriptor, options, 0, How::of(token.into(), Purpose::Look))
    }

    /// As [`get`](Self::get), for as many messages of a series as are there already and in memory. All but
    /// the last go to `take`, which is called under the queue's lock and so only notes them; the last is the
    /// answer. A get that waits is for one message.
    pub fn get_series(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
        bytes_max: usize,
        series: Series,
        take: &mut dyn FnMut(Outcome<GotMessage>),
    ) -> Get {
        let how = How { take: Some(take), ..How::of(series, Purpose::Get) };
        self.get_as(handle, descriptor, options, bytes_max, how)
    }

    /// MQGET for read-ahead (rules 4 and 5): as `get`, but the message is only reserved, under the token of its wait: locked in
    /// memory, nothing logged, until `take_reserved` or `give_back`. The flags in `options` say where taking it
    /// puts it: into the unit of work, or outside. A non-persistent message is taken at once when `which` says so. A wait
    /// may be for several messages, a [`Series`]; of those that are there already one is given.
    pub fn reserve(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
        bytes_max: usize,
        waits: impl Into<Series>,
        which: Reserve,
    ) -> Get {
        let how = How::of(waits.into(), Purpose::Reserve(which));
        self.get_as(handle, descriptor, options, bytes_max, how)
    }

    /// As [`reserve`](Self::reserve), for as many messages of a series as are there already: each but the last goes to `take`, which
    /// is called under the queue's lock and so only notes it, the last is what the call answers.
    pub fn reserve_series(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
        bytes_max: usize,
        (series, which): (Series, Reserve),
        take: &mut dyn FnMut(Outcome<GotMessage>),
    ) -> Get {
        let how = How { take: Some(take), ..How::of(series, Purpose::Reserve(which)) };
        self.get_as(handle, descriptor, options, bytes_max, how)
    }

    /// Reserves as [`reserve`](Self::reserve) does, for a handle that was given a message a moment ago and
    /// takes several at a time: if it must wait, it comes before longer waiters, for a moment.
    pub fn reserve_next(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
        bytes_max: usize,
        waits: impl Into<Series>,
        which: Reserve,
    ) -> Get {
        let how = How { goes_on: true, ..How::of(waits.into(), Purpose::Reserve(which)) };
        self.get_as(handle, descriptor, options, bytes_max, how)
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
        self.request((handle, self.handle(handle)?), descriptor, options, 0, Purpose::Get).map(drop)
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
        !self.conversation.party.unit.lent().lock().operations.is_empty()
    }

    /// Ends a wait early. True when it was still waiting (it will not complete any more); false when an outcome
    /// is on its way.
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

    fn get_as(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
        bytes_max: usize,
        how: How<'_>,
    ) -> Get {
        if options.flags.contains(GetFlags::UNLOCK) {
            return Get::Done(self.unlock(handle, options));
        }
        self.get_with(handle, descriptor, options, bytes_max, how)
    }

    /// A get that is refused before its queue is asked.
    fn refused_get(&self, options: &GetOptions, purpose: Purpose, need: Lsn, reason: Reason) -> Get {
        let is_get = matches!(purpose, Purpose::Get | Purpose::BrowseForLink);
        if is_get && self.conversation.party.calls.is_any_counted() {
            self.count_refused_get(options, reason);
        }
        Get::Done(Gated::new(need, Err(reason)))
    }

    fn get_with(
        &self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
        bytes_max: usize,
        How { series, purpose, goes_on, take }: How<'_>,
    ) -> Get {
        let refused = |need, reason| self.refused_get(options, purpose, need, reason);
        let fail_if_quiescing = options.flags.contains(GetFlags::FAIL_IF_QUIESCING);
        let found = match self.usable(fail_if_quiescing).and_then(|()| self.handle(handle)) {
            Ok(found) => found,
            Err(reason) => return refused(Lsn::ZERO, reason),
        };
        // Looked at where it is: moving it out would copy it.
        let request = self.request((handle, found), descriptor, options, bytes_max, purpose);
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
        let limit = options.wait.limit();
        let mut counted = take.map(|take| {
            move |outcome: Outcome<GotMessage>| {
                self.conversation.party.count_got(request, outcome.value());
                take(outcome);
            }
        });
        let asking = Asking {
            party: &self.conversation.party,
            request,
            // What an alias says is looked at for each message.
            series: if request.alias.is_some() { series.token.into() } else { series },
            waits: options.wait != Wait::No,
            deadline: limit.map(|limit| self.engine.ground().now().after(limit)),
            goes_on,
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
                self.conversation.party.count_got(request, outcome.value());
            }
            Get::Waiting => self.engine.queues.look_after_parked(),
        }
        answer
    }

    /// Makes the request to the queue from the options, when they make sense together and with those of the
    /// open.
    fn request(
        &self,
        (handle, found): (ObjectHandle, &Handle),
        descriptor: &MessageDescriptor,
        options: &GetOptions,
        bytes_max: usize,
        purpose: Purpose,
    ) -> Result<Request, Reason> {
        let flags = options.flags;
        let syncpoint = syncpoint(flags)?;
        let (start, browses) = start(flags)?;
        if !flags.unknown().is_empty() || flags.intersects(NOT_SUPPORTED) {
            return Err(Reason::OPTIONS_ERROR);
        }
        let in_unit = syncpoint != Syncpoint::Outside;
        let may_browse = matches!(purpose, Purpose::Get | Purpose::BrowseForLink);
        if (browses && (in_unit || !may_browse)) || (!browses && purpose == Purpose::BrowseForLink) {
            return Err(Reason::OPTIONS_ERROR);
        }
        let looking = looking(flags, browses, found.options)?;
        let of_input = OpenOptions::INPUT_AS_Q_DEF | OpenOptions::INPUT_SHARED | OpenOptions::INPUT_EXCLUSIVE;
        if !browses && !found.options.intersects(of_input) {
            return Err(Reason::NOT_OPEN_FOR_INPUT);
        }
        if (browses || start == Start::AtCursor) && !found.options.contains(OpenOptions::BROWSE) {
            return Err(Reason::NOT_OPEN_FOR_BROWSE);
        }
        let action = match (browses, purpose) {
            // What is looked for stays where it is.
            (true, _) | (false, Purpose::Look | Purpose::BrowseForLink) => Action::Browse,
            (false, Purpose::Get) => Action::Take(syncpoint),
            (false, Purpose::Reserve(which)) => Action::Reserve(syncpoint, which),
        };
        let Target::Queue { opened, queue, .. } = &found.target else {
            return Err(Reason::NOT_OPEN_FOR_INPUT);
        };
        let criteria = match start {
            Start::AtCursor => Criteria::default(),
            Start::First | Start::AfterCursor => {
                Criteria { token: token(options, queue)?, ..criteria(descriptor, options)? }
            }
        };
        // A handle that may browse is given what it takes as any other: all queues of subscriptions are opened so.
        let is_plain = !browses && start == Start::First;
        let minds = |memo: &&Arc<HandleMemo>| !is_plain || memo.minds_plain_gets();
        let asked = Asked { options, start, action, browses };
        let grouping = self.grouping(handle, found, &asked)?;
        let is_for_link = matches!(
            purpose,
            Purpose::Reserve(Reserve::ForLink | Reserve::NoneForLink) | Purpose::BrowseForLink
        );
        let alias = (opened.object_type() == ObjectType::AliasQueue).then(|| Arc::clone(opened));
        let property_control = alias.as_ref().map(|alias| alias.current().attributes.property_control);
        Ok(Request {
            criteria,
            handle: handle.0,
            grouping,
            action,
            start,
            only_looks: purpose == Purpose::Look,
            looking,
            bytes_max,
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
            tallies: (purpose != Purpose::Look).then(|| self.tallies_for(handle)).flatten(),
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
        self.engine.catalogue.manager().attributes.coded_character_set
    }
}

fn syncpoint(flags: GetFlags) -> Result<Syncpoint, Reason> {
    let within = flags.contains(GetFlags::SYNCPOINT);
    let outside = flags.contains(GetFlags::NO_SYNCPOINT);
    let if_persistent = flags.contains(GetFlags::SYNCPOINT_IF_PERSISTENT);
    match (within, if_persistent, outside) {
        (true, false, false) => Ok(Syncpoint::Within),
        (false, true, false) => Ok(Syncpoint::WithinIfPersistent),
        (false, false, _) => Ok(Syncpoint::Outside),
        _ => Err(Reason::OPTIONS_ERROR),
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
