//! Gets: what is asked for, which message that is, and giving it out.

use mqi::{
    GetFlags, GetOptions, MatchOptions, MessageDescriptor, MessageFlags, OpenOptions, Persistence, Reason,
    Wait as Patience,
};

use super::calls::{Handle, Replied, Wait};
use super::converting::{self, Place as Form, Target};
use super::groups::{Calls, Manner, Next, Ready};
use super::properties::{folder, folder_of_publication, header_length};
use super::queue::{Message, Place, QueueId, State, Wanted};
use super::reports::Kind as ReportKind;
use super::{Manager, Outcome, Version, refused};
use crate::Expected;
use crate::fields::FieldExpected;

/// Demands of a get.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) handle: u64,
    wanted: Wanted,
    flags: GetFlags,
    bytes_max: usize,
    grouping: Option<Grouping>,
    /// The handle for the message's properties.
    message_handle: Option<String>,
    /// Target of the body's conversion.
    conversion: Option<Target>,
}

/// Its demands on groups.
#[derive(Clone, Debug)]
pub(super) struct Grouping {
    in_order: bool,
    joins: bool,
    ready: Ready,
    /// In logical order, what the handle is in the middle of.
    next: Option<Next>,
}

/// Where a browser is, and whether the message there is one that it may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    place: Place,
    is_on_message: bool,
}

/// Options that say in which form properties are wanted, of which one may be given.
const FORMS: GetFlags = GetFlags::PROPERTIES_IN_HANDLE
    .union(GetFlags::PROPERTIES_FORCE_MQRFH2)
    .union(GetFlags::NO_PROPERTIES)
    .union(GetFlags::PROPERTIES_COMPATIBILITY);
const OF_GROUPS: GetFlags = GetFlags::LOGICAL_ORDER
    .union(GetFlags::COMPLETE_MSG)
    .union(GetFlags::ALL_MSGS_AVAILABLE)
    .union(GetFlags::ALL_SEGMENTS_AVAILABLE);
const SHARED_MARKS: GetFlags = GetFlags::MARK_BROWSE_CO_OP.union(GetFlags::UNMARK_BROWSE_CO_OP);
const OWN_MARKS: GetFlags = GetFlags::MARK_BROWSE_HANDLE.union(GetFlags::UNMARK_BROWSE_HANDLE);

impl Asked {
    pub(super) fn has(&self, flag: GetFlags) -> bool {
        self.flags.contains(flag)
    }

    fn browses(&self) -> bool {
        is_browse(self.flags)
    }

    fn is_at_cursor(&self) -> bool {
        is_at_cursor(self.flags)
    }

    fn in_order(&self) -> bool {
        self.grouping.as_ref().is_some_and(|grouping| grouping.in_order)
    }

    /// True if it gives the properties to its handle.
    fn fills(&self) -> bool {
        let otherwise = FORMS.without(GetFlags::PROPERTIES_IN_HANDLE);
        self.message_handle.is_some() && !self.flags.intersects(otherwise)
    }

    fn joins(&self) -> bool {
        self.grouping.as_ref().is_some_and(|grouping| grouping.joins)
    }

    fn looks_for(&self, message: &Message) -> bool {
        if self.in_order() { self.wanted.names(message) } else { self.wanted.is(message) }
    }
}

fn is_browse(flags: GetFlags) -> bool {
    flags.intersects(GetFlags::BROWSE_FIRST | GetFlags::BROWSE_NEXT | GetFlags::BROWSE_MSG_UNDER_CURSOR)
}

fn is_at_cursor(flags: GetFlags) -> bool {
    flags.intersects(GetFlags::MSG_UNDER_CURSOR | GetFlags::BROWSE_MSG_UNDER_CURSOR)
}

/// Why options make no sense, alone or together.
fn check(flags: GetFlags, opened: OpenOptions) -> Result<(), Reason> {
    let count = |options: &[GetFlags]| options.iter().filter(|option| flags.contains(**option)).count();
    let browses = is_browse(flags);
    let ways = [GetFlags::SYNCPOINT, GetFlags::SYNCPOINT_IF_PERSISTENT];
    let places = [
        GetFlags::BROWSE_FIRST,
        GetFlags::BROWSE_NEXT,
        GetFlags::BROWSE_MSG_UNDER_CURSOR,
        GetFlags::MSG_UNDER_CURSOR,
    ];
    let outside = usize::from(flags.contains(GetFlags::NO_SYNCPOINT));
    let marks = flags.intersects(SHARED_MARKS | OWN_MARKS | GetFlags::UNMARKED_BROWSE_MSG);
    let locks = flags.contains(GetFlags::LOCK);
    let contradicts = count(&ways) + outside > 1
        || count(&places) > 1
        || !flags.unknown().is_empty()
        // Of other systems.
        || flags.intersects(GetFlags::SET_SIGNAL | GetFlags::MARK_SKIP_BACKOUT)
        || browses && count(&ways) > 0
        || (marks || locks) && !browses
        || marks && (locks || flags.intersects(OF_GROUPS))
        || flags.contains(SHARED_MARKS)
        || flags.contains(OWN_MARKS)
        || flags.intersects(SHARED_MARKS) && !opened.contains(OpenOptions::CO_OP);
    if contradicts { Err(Reason::OPTIONS_ERROR) } else { Ok(()) }
}

/// Returns the message that the fields name; a field of zeros names any.
fn wanted(descriptor: &MessageDescriptor, options: &GetOptions, last: Option<u64>) -> Result<Wanted, Reason> {
    let matches = |option| options.match_options.contains(option);
    let by_token = matches(MatchOptions::MATCH_MSG_TOKEN);
    if by_token && options.wait != Patience::No {
        return Err(Reason::MSG_TOKEN_ERROR);
    }
    if !options.match_options.unknown().is_empty() {
        return Err(Reason::MATCH_OPTIONS_ERROR);
    }
    let MessageDescriptor { message_id, correlation_id, group_id, .. } = descriptor;
    Ok(Wanted {
        message_id: (matches(MatchOptions::MATCH_MSG_ID) && !message_id.is_none()).then_some(*message_id),
        correlation_id: (matches(MatchOptions::MATCH_CORREL_ID) && !correlation_id.is_none())
            .then_some(*correlation_id),
        group_id: (matches(MatchOptions::MATCH_GROUP_ID) && !group_id.is_none()).then_some(group_id.0),
        sequence: matches(MatchOptions::MATCH_MSG_SEQ_NUMBER).then_some(descriptor.message_sequence_number),
        offset: matches(MatchOptions::MATCH_OFFSET).then_some(descriptor.offset),
        token: by_token.then(|| last.unwrap_or_default()),
    })
}

impl Handle {
    /// Returns the demands of a get on groups, by the place of the handle.
    fn grouping(&self, options: &GetOptions) -> Result<Option<Grouping>, Reason> {
        let flags = options.flags;
        let in_order = flags.contains(GetFlags::LOGICAL_ORDER);
        let goes_on = flags.contains(GetFlags::BROWSE_NEXT);
        let browses = is_browse(flags);
        let course = &self.courses[if browses { Calls::Browses } else { Calls::Gets } as usize];
        if goes_on && in_order != course.in_order && self.cursor.is_some() {
            return Err(Reason::INCONSISTENT_BROWSE);
        }
        if !flags.intersects(OF_GROUPS) {
            return Ok(None);
        }
        let joins = flags.contains(GetFlags::COMPLETE_MSG);
        let depends = flags.contains(GetFlags::SYNCPOINT_IF_PERSISTENT);
        if joins && depends {
            return Err(Reason::OPTIONS_ERROR);
        }
        if joins && options.match_options.contains(MatchOptions::MATCH_OFFSET) {
            return Err(Reason::MATCH_OPTIONS_ERROR);
        }
        let next = course.next.as_ref().filter(|_| in_order);
        let within = flags.contains(GetFlags::SYNCPOINT);
        if !browses && !depends && next.is_some_and(|next| next.manner.within != within) {
            return Err(Reason::INCONSISTENT_UOW);
        }
        let at_cursor = flags.intersects(GetFlags::MSG_UNDER_CURSOR | GetFlags::BROWSE_MSG_UNDER_CURSOR);
        let next = next.filter(|_| !at_cursor && (goes_on || !browses)).cloned();
        let of_message = joins || flags.contains(GetFlags::ALL_SEGMENTS_AVAILABLE);
        let ready = match &next {
            // Its first segment was given out when all were there.
            Some(next) if next.in_message && !joins => Ready::Itself,
            None if flags.contains(GetFlags::ALL_MSGS_AVAILABLE) => Ready::Group,
            _ if of_message => Ready::LogicalMessage,
            _ => Ready::Itself,
        };
        Ok(Some(Grouping { in_order, joins, ready, next }))
    }
}

impl Manager {
    pub(super) fn get(
        &mut self,
        client: &str,
        handle: u64,
        (descriptor, options): (&MessageDescriptor, &GetOptions),
        (bytes_max, message_handle): (usize, Option<&str>),
    ) -> Replied {
        let flags = options.flags;
        if flags.contains(GetFlags::UNLOCK) {
            return self.unlock(client, handle, options);
        }
        let (wanted, grouping) = self.judge_get(client, handle, (descriptor, options), message_handle)?;
        let opened = self.client(client).handles[&handle].clone();
        let browses = is_browse(flags);
        let at_cursor = is_at_cursor(flags);
        self.still_leads(&opened.name, opened.queue)?;
        let base = self.definition_of(opened.queue).expect("a queue has a definition");
        if self.objects[&opened.name].is("GET", "DISABLED") || base.is("GET", "DISABLED") {
            return Err(Reason::GET_INHIBITED);
        }
        self.check_unit(opened.queue, flags)?;
        let message_handle = message_handle.map(str::to_owned);
        let conversion = flags.contains(GetFlags::CONVERT).then(|| Target {
            encoding: descriptor.encoding,
            character_set: converting::own(descriptor.coded_character_set),
        });
        let asked = Asked { handle, wanted, flags, bytes_max, grouping, message_handle, conversion };
        if let Some(found) = self.find(&opened, &asked) {
            return Ok(Some(self.deliver(client, opened.queue, &asked, found)));
        }
        let need = self.queues[&opened.queue].changed;
        if at_cursor {
            return Ok(Some((refused(Reason::NO_MSG_UNDER_CURSOR), need)));
        }
        if browses {
            self.release_lock(opened.queue, handle);
        }
        let deadline = match options.wait {
            Patience::No => return Ok(Some((refused(Reason::NO_MSG_AVAILABLE), need))),
            Patience::Milliseconds(wait) => Some(self.now + u64::from(wait)),
            Patience::Unlimited => None,
        };
        let number = self.number();
        self.client(client).wait = Some(Wait { queue: opened.queue, deadline, number, asked });
        Ok(None)
    }

    /// Checks that a get of a queue that requires units of work is in one, whatever the message. A deleted
    /// queue requires nothing: its gets have a reason of their own.
    pub(super) fn check_unit(&self, queue: QueueId, flags: GetFlags) -> Result<(), Reason> {
        let Some(base) = self.definition_of(queue) else { return Ok(()) };
        let is_outside = !is_browse(flags) && !flags.contains(GetFlags::SYNCPOINT);
        if base.requires_unit() && is_outside { Err(Reason::UNIT_OF_WORK_NOT_STARTED) } else { Ok(()) }
    }

    /// Returns the demands of a get; or the reason for refusing it, apart from the content of the queue.
    pub(super) fn judge_get(
        &mut self,
        client: &str,
        handle: u64,
        (descriptor, options): (&MessageDescriptor, &GetOptions),
        message_handle: Option<&str>,
    ) -> Result<(Wanted, Option<Grouping>), Reason> {
        let (flags, last) = (options.flags, self.client(client).last);
        let opened = &self.client(client).handles[&handle];
        check(flags, opened.options)?;
        if !is_browse(flags) && !opened.gets() {
            return Err(Reason::NOT_OPEN_FOR_INPUT);
        }
        if (is_browse(flags) || is_at_cursor(flags)) && !opened.options.contains(OpenOptions::BROWSE) {
            return Err(Reason::NOT_OPEN_FOR_BROWSE);
        }
        let wanted = match is_at_cursor(flags) {
            true => Wanted::default(),
            false => wanted(descriptor, options, last)?,
        };
        let grouping = opened.grouping(options)?;
        if (flags & FORMS).bits().count_ones() > 1 {
            return Err(Reason::OPTIONS_ERROR);
        }
        if flags.contains(GetFlags::PROPERTIES_IN_HANDLE) && message_handle.is_none() {
            return Err(Reason::HMSG_ERROR);
        }
        Ok((wanted, grouping))
    }

    /// The message that a get is given now.
    pub(super) fn find(&self, handle: &Handle, asked: &Asked) -> Option<u64> {
        let queue = &self.queues[&handle.queue];
        let is_hidden = |message: &Message| {
            let shared = message.marked_until.is_some_and(|until| until > self.now);
            let is_marked = message.marked_by.contains(&asked.handle) || handle.co_operates() && shared;
            asked.has(GetFlags::UNMARKED_BROWSE_MSG) && is_marked
        };
        let sees = |message: &&Message| message.state == State::Available && !is_hidden(message);
        let found = if asked.is_at_cursor() {
            let on = handle.cursor.filter(|cursor| cursor.is_on_message);
            let number = on.map(|cursor| cursor.place.1);
            let there = queue.messages.iter().filter(sees).find(|message| Some(message.number) == number);
            there.filter(|message| {
                let joins = asked.joins() && message.is_segment() && message.part().1 == 0;
                !joins || queue.is_ready(message, Ready::LogicalMessage)
            })
        } else if let Some(Grouping { next: Some(next), joins, ready, .. }) = &asked.grouping {
            let there = queue.member(next.key, next.part).filter(sees);
            there.filter(|message| (!joins || message.part().1 == 0) && queue.is_ready(message, *ready))
        } else {
            let after = handle.goes_on_after(asked);
            let in_sight = queue.messages.iter().filter(sees);
            let in_sight = in_sight.filter(|message| after.is_none_or(|after| queue.place(message) > after));
            let fits = in_sight.filter(|message| {
                asked.looks_for(message) && asked.is_ready(queue, message) && handle.selects(message)
            });
            fits.min_by_key(|message| queue.place(message))
        };
        // What this handle has locked is there for it, though in no group.
        let locked = queue.messages.iter().find(|message| message.state == State::LockedBy(asked.handle));
        let locked = locked.filter(|message| {
            let in_sight = match handle.cursor {
                _ if asked.is_at_cursor() => {
                    handle.cursor.is_some_and(|on| on.is_on_message && on.place.1 == message.number)
                }
                Some(cursor) if asked.has(GetFlags::BROWSE_NEXT) => queue.place(message) > cursor.place,
                _ => true,
            };
            in_sight
                && message.expires.is_none_or(|at| at > self.now)
                && asked.looks_for(message)
                && asked.may_be_unlocked(message)
                && handle.selects(message)
                && !is_hidden(message)
        });
        let first = found.into_iter().chain(locked).min_by_key(|message| queue.place(message));
        first.map(|message| message.number)
    }

    /// Gives a message to a client, as it asked.
    fn deliver(&mut self, client: &str, id: QueueId, asked: &Asked, number: u64) -> (Expected, Version) {
        let queue = &self.queues[&id];
        let seen = queue.changed;
        let message = queue.messages.iter().find(|message| message.number == number);
        let message = message.expect("what was found is there").clone();
        let handle = self.client(client).handles[&asked.handle].clone();
        let browses = asked.browses();
        let if_persistent = asked.has(GetFlags::SYNCPOINT_IF_PERSISTENT) && message.persistent;
        let within = !browses && (asked.has(GetFlags::SYNCPOINT) || if_persistent);
        let course = &handle.courses[if browses { Calls::Browses } else { Calls::Gets } as usize];
        let judged = if browses { Ok(None) } else { course.judge(&message, asked.in_order(), within) };
        let remark = match judged {
            Err(reason) => return (refused(reason), seen),
            Ok(_) if asked.joins() && message.is_segment() && message.part().1 > 0 => {
                return (refused(Reason::INVALID_MSG_UNDER_CURSOR), seen);
            }
            Ok(_) if asked.in_order() && !asked.is_at_cursor() && !asked.wanted.is(&message) => {
                return (refused(Reason::MATCH_OPTIONS_ERROR), seen);
            }
            Ok(remark) => remark,
        };
        let Some(given) = self.join(id, asked, &message) else {
            return (refused(Reason::NO_MSG_UNDER_CURSOR), seen);
        };
        let are_told = !asked.fills() && !asked.has(GetFlags::NO_PROPERTIES);
        let own = folder(&given.message.properties);
        // Programs that know none of it are not given what a publication says of itself alone.
        let is_known = own.is_some() || asked.has(GetFlags::PROPERTIES_FORCE_MQRFH2);
        let of_publication = folder_of_publication(&given.message.published).filter(|_| is_known);
        let folders: Vec<String> = of_publication.into_iter().chain(own).filter(|_| are_told).collect();
        let header = header_length(&folders);
        let length = header + given.message.body.len();
        let is_cut = length > asked.bytes_max;
        if is_cut && !asked.has(GetFlags::ACCEPT_TRUNCATED_MSG) {
            return (refused(Reason::TRUNCATED_MSG_FAILED), seen);
        }
        if asked.has(GetFlags::MARK_BROWSE_CO_OP)
            && message.marked_until.is_some_and(|until| until > self.now)
        {
            return (refused(Reason::MSG_MARKED_BROWSE_CO_OP), seen);
        }
        let lasts = given.parts.iter().any(|part| self.queue(id).message(*part).persistent);
        if !browses && lasts && !within && given.parts.len() > 1 && !self.client(client).unit.is_empty() {
            return (refused(Reason::UOW_NOT_AVAILABLE), seen);
        }
        let cut = is_cut.then_some(Reason::TRUNCATED_MSG_ACCEPTED);
        let of_body = cut.or(given.remark);
        // What is not all there is given as it is.
        let (shown_message, warning) = match asked.conversion.filter(|_| of_body.is_none()) {
            Some(target) => converted(&given.message, target, header, asked.bytes_max),
            None => (given.message.clone(), None),
        };
        let mut reply = shown(&shown_message, given.is_joined, header > 0);
        let most = asked.bytes_max.max(header) - header;
        reply.body = Some(shown_message.body.slice(..shown_message.body.len().min(most)));
        reply.folders = folders;
        // The header of what was cut says less than it did.
        reply.is_cut_in_header = is_cut && header > 0;
        reply.length = Some(header + shown_message.body.len());
        reply.reason = warning.or(of_body).or(remark);
        self.moved(client, id, asked, &given.message, within);
        self.client(client).given = Some(given.message.number);
        if let Some(handle) = asked.message_handle.as_deref().filter(|_| asked.fills()) {
            let all = given.message.published.iter().chain(&given.message.properties).cloned();
            self.stand_for(handle, all.collect());
        }
        if browses {
            self.look_at(id, asked, number);
            return (reply, seen);
        }
        let need = self.take(client, id, &given.parts, within);
        (reply, need)
    }

    /// Where the handle is after a message.
    fn moved(&mut self, client: &str, id: QueueId, asked: &Asked, message: &Message, within: bool) {
        let place = self.queues[&id].place(message);
        let browses = asked.browses();
        let handle = self.client(client).handles.get_mut(&asked.handle).expect("it is open");
        let is_led = asked.grouping.as_ref().is_some_and(|grouping| grouping.next.is_some());
        let head = (browses && asked.in_order() && !is_led).then_some(place);
        if !browses {
            handle.keep_course(Calls::Gets, within);
        }
        let course = &mut handle.courses[if browses { Calls::Browses } else { Calls::Gets } as usize];
        let manner = Manner { persistent: message.persistent, within };
        course.moved(message, asked.in_order(), manner, head);
        if browses || asked.is_at_cursor() {
            handle.cursor = Some(Cursor { place, is_on_message: browses });
        }
        if !browses && handle.options.contains(OpenOptions::SAVE_ALL_CONTEXT) {
            handle.saved = Some(message.shown.clone());
        }
    }

    /// Messages leave together: the new version if it is not in a unit of work.
    fn take(&mut self, client: &str, id: QueueId, parts: &[u64], within: bool) -> Version {
        let seen = self.queue(id).changed;
        let mut taken = Vec::new();
        for part in parts {
            let message = self.queue(id).message(*part);
            taken.push(message.clone());
            (message.marked_until, message.state) = (None, State::GotBy(client.to_owned()));
            message.marked_by.clear();
            if within {
                self.client(client).unit.push((id, *part, false));
            } else {
                self.queue(id).remove(*part);
            }
        }
        let unit = within.then_some(client);
        let reports = taken.iter().flat_map(|message| self.report(ReportKind::Delivery, message, unit));
        let reports: Vec<QueueId> = reports.collect();
        if within {
            return self.fire_due().max(seen);
        }
        let mut due = std::mem::take(&mut self.due);
        let fired = self.fire_each(&mut due);
        let lasts = fired.lasts || taken.iter().any(|message| message.persistent);
        let need = if lasts { self.changed(id) } else { seen };
        for reports in reports {
            let queue = self.queue(reports);
            queue.changed = queue.changed.max(need);
            self.offer(reports);
        }
        self.offer_fired(&fired, need);
        need.max(self.fire_all(due))
    }

    /// Serves those who wait on a queue, while there is something for any of them; the first who waited
    /// first.
    pub(super) fn offer(&mut self, id: QueueId) {
        loop {
            let mut waits: Vec<(u64, String, Asked)> = Vec::new();
            for (name, client) in &self.clients {
                if let Some(wait) = client.wait.as_ref().filter(|wait| wait.queue == id) {
                    waits.push((wait.number, name.clone(), wait.asked.clone()));
                }
            }
            waits.sort_by_key(|(number, ..)| *number);
            let served = waits.into_iter().find_map(|(_, name, asked)| {
                let found = self.find(&self.clients[&name].handles[&asked.handle], &asked)?;
                Some((name, asked, found))
            });
            let Some((name, asked, found)) = served else { return };
            self.client(&name).wait = None;
            let (reply, need) = self.deliver(&name, id, &asked, found);
            let client = self.client(&name);
            client.outcome = Some(Outcome { reply: Some(reply), need });
        }
    }

    /// The message that is given out when this one is found: itself, or all of its segments joined.
    fn join(&self, id: QueueId, asked: &Asked, message: &Message) -> Option<Given> {
        if !asked.joins() || !message.is_segment() {
            let parts = vec![message.number];
            return Some(Given { message: message.clone(), parts, remark: None, is_joined: false });
        }
        let queue = &self.queues[&id];
        // What its own handle has locked is in no group, but may be all of its message.
        let is_all =
            message.part().1 == 0 && message.shown.message_flags.contains(MessageFlags::LAST_SEGMENT);
        let numbers = match message.state {
            State::LockedBy(_) if is_all => vec![message.number],
            _ => queue.whole(message.group_key()?, message.part().0)?,
        };
        let of = |number: &u64| queue.messages.iter().find(|message| message.number == *number);
        let all: Vec<&Message> = numbers.iter().filter_map(of).collect();
        let mut joined = all[0].clone();
        let (mut parts, mut remark, mut body) = (Vec::new(), None, Vec::new());
        for part in all {
            if part.shown.coded_character_set != joined.shown.coded_character_set {
                remark = Some(Reason::INCONSISTENT_CCSIDS);
            } else if part.shown.encoding != joined.shown.encoding {
                remark = Some(Reason::INCONSISTENT_ENCODINGS);
            }
            if remark.is_some() {
                break;
            }
            parts.push(part.number);
            body.extend_from_slice(&part.body);
            // A report has some of the data of what it is about; the rest is made up of zeros.
            let more = usize::try_from(part.covers()).unwrap_or_default().saturating_sub(part.body.len());
            body.resize(body.len() + more, 0);
        }
        joined.body = body.into();
        joined.shown.original_length = -1;
        if remark.is_none() {
            joined.shown.message_flags |= MessageFlags::LAST_SEGMENT;
        }
        Some(Given { message: joined, parts, remark, is_joined: true })
    }
}

/// A message as a getter wants it, of which as many bytes as its header has come before the body; or as it
/// was, with why.
fn converted(
    message: &Message,
    target: Target,
    header: usize,
    bytes_max: usize,
) -> (Message, Option<Reason>) {
    let shown = &message.shown;
    let place = Form {
        encoding: shown.encoding,
        character_set: shown.coded_character_set,
        format: shown.format.as_str(),
    };
    let mut as_wanted = message.clone();
    match converting::body(&place, &message.body, target, header > 0) {
        Err(reason) => (as_wanted, Some(reason)),
        Ok(None) => (as_wanted, None),
        Ok(Some(body)) if header + body.len() > bytes_max => (as_wanted, Some(Reason::CONVERTED_MSG_TOO_BIG)),
        Ok(Some(body)) => {
            as_wanted.body = body.into();
            as_wanted.shown.encoding = target.encoding;
            as_wanted.shown.coded_character_set = target.character_set;
            (as_wanted, None)
        }
    }
}

/// A message as it is given out.
struct Given {
    message: Message,
    /// The messages that it is made of.
    parts: Vec<u64>,
    remark: Option<Reason>,
    is_joined: bool,
}

impl Asked {
    /// True if enough of a message's group is there for a getter that is not in the middle of it.
    fn is_ready(&self, queue: &super::queue::Queue, message: &Message) -> bool {
        let Some(Grouping { in_order, joins, ready, .. }) = &self.grouping else { return true };
        if message.group_key().is_none() {
            return true;
        }
        let begins = match (in_order, joins) {
            (true, _) => message.part() == (1, 0),
            (false, true) => message.part().1 == 0,
            (false, false) => true,
        };
        let is_itself = *ready == Ready::Itself && !in_order;
        begins && (is_itself || queue.is_ready(message, *ready) && queue.counts(message))
    }

    /// True if a message that the handle has locked, and so is in no group, may be given out to it.
    fn may_be_unlocked(&self, message: &Message) -> bool {
        let Some(Grouping { joins, ready, next, .. }) = &self.grouping else { return true };
        if self.is_at_cursor() {
            return true;
        }
        match (message.group_key(), next) {
            (None, next) => next.is_none(),
            (Some(key), Some(next)) => !joins && (key, message.part()) == (next.key, next.part),
            (Some(_), None) => *ready == Ready::Itself && message.part() == (1, 0),
        }
    }
}

impl Handle {
    /// Where a browse goes on that does not begin anew.
    fn goes_on_after(&self, asked: &Asked) -> Option<Place> {
        if !asked.has(GetFlags::BROWSE_NEXT) {
            return None;
        }
        if asked.in_order() {
            return self.courses[Calls::Browses as usize].head;
        }
        self.cursor.map(|cursor| cursor.place)
    }
}

/// The fields of a descriptor that its getter is shown as the model knows them.
const SHOWN: [&str; 15] = [
    "Report",
    "MsgType",
    "Feedback",
    "Format",
    "ReplyToQ",
    "Encoding",
    "CodedCharSetId",
    "UserIdentifier",
    "AccountingToken",
    "ApplIdentityData",
    "PutApplType",
    "ApplOriginData",
    "MsgSeqNumber",
    "Offset",
    "MsgFlags",
];
/// Application type in the descriptor of a queue manager's own messages.
const PUT_BY_QUEUE_MANAGER: i32 = 7;

/// Returns the fields of a message that a getter is shown, besides its body.
fn shown(message: &Message, is_joined: bool, has_header: bool) -> Expected {
    let mut fields = SHOWN.to_vec();
    if has_header {
        fields.retain(|field| !["Format", "Encoding", "CodedCharSetId"].contains(field));
    }
    let shown = &message.shown;
    let is_own = shown.put_application_type.code() == PUT_BY_QUEUE_MANAGER;
    let more = [
        ("PutApplName", !is_own),
        ("OriginalLength", !is_joined),
        ("GroupId", !matches!(message.group, super::groups::GroupName::Made(_))),
        ("MsgId", !message.message_id.is_none()),
    ];
    fields.extend(more.into_iter().filter(|(_, is_known)| *is_known).map(|(field, _)| field));
    let shown = MessageDescriptor { message_id: message.message_id, ..(**shown).clone() };
    Expected {
        priority: Some(message.priority),
        backout: Some(message.backout),
        persistence: Some(match message.persistent {
            true => Persistence::Persistent,
            false => Persistence::NotPersistent,
        }),
        correlation_id: message.correlation_id,
        fields: fields.into_iter().map(|field| FieldExpected::of(&shown, field)).collect(),
        ..Expected::default()
    }
}
