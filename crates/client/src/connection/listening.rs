//! Waiting for a message through several handles.
//!
//! Messages that are to be taken come by credit, one at a time unless the handle is read ahead, and are only
//! reserved until they are heard. A browser has a get under way; a getter with demands on groups has a look
//! under way, and gets when that has found something.

use super::administration::refusal;
use super::bell::{Bell, WAKING, WaitsAt, ask_for_a_sign};
use super::breaks::{Aside, Known};
use super::reach::ReadAhead;
use super::read_ahead::{Stream, Terms};
use super::verbs::gets;
use super::{Connection, Unanswered};
use crate::inbox::{Answer, Arrived};
use crate::link::SILENCES_MAX;
use ::channel::client;
use ::channel::{Flags, Header, Kind, Request, RequestNumber};
use bytes::Bytes;
use mqi::listen::{OnEvent, Wake};
use mqi::{
    GetFlags, GetOptions, Getter, Got, Heard, Listen, MatchOptions, ObjectHandle, OpenOptions, Reason,
    RequestOptions, Wait, constants,
};
use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Read-ahead of a handle that is not read ahead: one message.
const ONE: ReadAhead = ReadAhead { messages: 1, bytes: 1 << 20 };

/// The handles that are listened to.
#[derive(Debug, Default)]
pub(super) struct Listening {
    handles: Vec<Listened>,
    pub(super) bell: Arc<Bell>,
    pub(super) known: Known,
    pub(super) aside: Aside,
    pub(super) called_off: CalledOff,
}

impl Listening {
    /// True if this is the get of a browser, or the look, that is under way: it may stay so while other
    /// requests are numbered from the start again.
    pub(super) fn awaits(&self, request: RequestNumber) -> bool {
        self.handles.iter().any(|listened| listened.asked.is_some_and(|(asked, _)| asked == request))
    }
}

/// When it is not wanted to begin a lost conversation again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum CalledOff {
    /// A call of the program waits for it.
    #[default]
    Never,
    /// A listener looks up when the bell rings, in any wait.
    WhenRung,
    /// A listener that stops needs no conversation: reserved messages go back when it is lost.
    Always,
}

/// A handle that is listened to.
#[derive(Debug)]
struct Listened {
    getter: Getter,
    /// The get of a browser, or the look, and in which beginning of the conversation it was sent.
    asked: Option<(RequestNumber, u64)>,
    /// The answer that came for a browser after listening had ended.
    kept: Option<Answer>,
    /// True if messages come by credit only to be listened to.
    is_temporary: bool,
}

impl Connection {
    /// Lets the handles go that are not among these getters: what is reserved for them goes back.
    fn let_go_but(&mut self, getters: &[Getter]) -> Result<(), Reason> {
        let mut place = 0;
        while let Some(listened) = self.listening.handles.get_mut(place) {
            let is_listened_to = getters.contains(&listened.getter);
            let is_done_with = listened.asked.is_none() && listened.kept.is_some();
            if is_listened_to || is_done_with {
                place += 1;
                continue;
            }
            let (handle, is_temporary, asked) =
                (listened.getter.handle, listened.is_temporary, listened.asked.take());
            if let Some((request, generation)) = asked {
                let kept = self.end_ask(request, generation);
                if kept.is_some() {
                    self.listening.handles[place].kept = kept;
                    continue;
                }
            }
            self.listening.handles.remove(place);
            if self.handle(handle).is_ok_and(|open| open.stream.is_some()) {
                match self.give_back_ahead(handle) {
                    // What was sent for good is given to the next get; what was lost with the link has gone
                    // back.
                    Ok(()) | Err(Reason::OPTIONS_CHANGED | Reason::RECONNECTING) => {}
                    Err(reason) => return Err(reason),
                }
            }
            if is_temporary && let Ok(open) = self.known(handle) {
                open.stream = None;
            }
        }
        Ok(())
    }

    /// Ends the get of a browser; what it brought if it came first.
    fn end_ask(&mut self, request: RequestNumber, generation: u64) -> Option<Answer> {
        if generation != self.generation {
            return None;
        }
        self.ask_plainly(&Request::Cancel { get: request }).ok()?;
        let answer = self.inbox.lock().take(request)?;
        matches!(answer, Answer::Got(_)).then_some(answer)
    }

    /// Takes the result that has come for a getter; asks for one if that was not done yet.
    fn hear(&mut self, getter: &Getter) -> Result<Option<Heard>, Reason> {
        let mut heard = Heard {
            getter: 0,
            descriptor: getter.descriptor.clone(),
            options: getter.options.clone(),
            got: Err(Reason::NONE),
            shown: Bytes::new(),
            is_last_ahead: false,
        };
        let usable = self.usable(getter.handle).map(drop);
        match usable.and_then(|()| self.message_handles.for_get(&getter.options)) {
            Ok(loan) => self.lent = loan,
            Err(reason) => {
                heard.got = Err(reason);
                return Ok(Some(heard));
            }
        }
        let heard_now = if getter.options.browses() {
            self.hear_browser(getter, &mut heard)
        } else if getter.options.match_options.contains(MatchOptions::MATCH_MSG_TOKEN) {
            self.hear_named(getter, &mut heard).map(Some)
        } else if getter.options.concern_groups() {
            self.hear_member(getter, &mut heard)
        } else {
            self.hear_taker(getter, &mut heard)
        };
        self.lent = None;
        heard.got = match heard_now {
            Ok(None) => return Ok(None),
            Ok(Some(got)) => Ok(got),
            Err(reason) => Err(reason),
        };
        Ok(Some(heard))
    }

    fn hear_taker(&mut self, getter: &Getter, heard: &mut Heard) -> Result<Option<Got>, Reason> {
        let terms = Terms::of(&getter.descriptor, &getter.options, getter.bytes_max);
        if terms.may_be_in_unit() && self.unit.is_lost {
            return Err(Reason::BACKED_OUT);
        }
        let open = self.handle(getter.handle)?;
        let is_temporary = open.stream.is_none();
        if is_temporary {
            open.stream = Some(Stream::that_calls(ONE));
        }
        let listened = self.listened(getter);
        listened.is_temporary |= is_temporary;
        let comes_ahead = !listened.is_temporary;
        self.agree(getter.handle, &terms, &getter.descriptor, &getter.options)?;
        // Of the first message of a unit of work the queue manager takes it that its program has heard it,
        // where that listens to no other.
        let is_expected = terms.is_in_unit() && !self.unit.is_open && self.listening.handles.len() == 1;
        let generation = self.generation;
        let Heard { descriptor, options, .. } = heard;
        let taken = self.take(getter.handle, descriptor, options, getter.bytes_max, &mut None);
        match taken {
            Ok(Some(_)) => {}
            // It went back with the link, which the listener is told of.
            Ok(None) if self.generation != generation => return Err(Reason::CONNECTION_BROKEN),
            // Only its length came; what fits of it, and its descriptor, are had where it is.
            Err(Reason::TRUNCATED_MSG_FAILED) => {
                if self.has_ahead(getter.handle) {
                    self.give_back_ahead(getter.handle)?;
                }
                return match self.get_shown(getter, heard) {
                    // Another was faster.
                    Err(Reason::NO_MSG_AVAILABLE) => self.hear_taker(getter, heard),
                    got => got.map(Some),
                };
            }
            taken => return taken,
        }
        if comes_ahead {
            heard.is_last_ahead = self.is_none_ahead(getter.handle)?;
        } else if terms.may_be_in_unit() {
            // Before its consumer is called: should the program end in it, the message was backed out once
            // more.
            self.confirm_unit();
            if !is_expected {
                // That the link is broken, the next call finds.
                let _ = self.flush_soon();
            }
        }
        taken
    }

    /// True if no message that came ahead is left for a handle.
    fn is_none_ahead(&mut self, handle: ObjectHandle) -> Result<bool, Reason> {
        let inbox = Arc::clone(&self.inbox);
        let open = self.handle(handle)?;
        let Some(stream) = &mut open.stream else { return Ok(true) };
        stream.collect(&mut inbox.lock(), open.server);
        Ok(!stream.has_messages())
    }

    /// A message of a group is got when it is there: what else must be there could not be reserved with it.
    fn hear_member(&mut self, getter: &Getter, heard: &mut Heard) -> Result<Option<Got>, Reason> {
        if self.handle(getter.handle)?.stream.is_some() {
            self.give_back_ahead(getter.handle)?;
        }
        loop {
            match self.answer_to(getter, Flags::LOOK)? {
                None => return Ok(None),
                Some(Answer::Got(_)) => {}
                Some(answer) => return Err(refused(&answer, &mut heard.options)),
            }
            match self.get_shown(getter, heard) {
                // Another was faster.
                Err(Reason::NO_MSG_AVAILABLE) => {}
                got => return got.map(Some),
            }
        }
    }

    /// A message that is named is there or it is not.
    fn hear_named(&mut self, getter: &Getter, heard: &mut Heard) -> Result<Got, Reason> {
        self.get_shown(getter, heard).map_err(|reason| match reason {
            Reason::NO_MSG_AVAILABLE => Reason::MSG_TOKEN_ERROR,
            reason => reason,
        })
    }

    /// Gets for a getter; what fits of a message that is too long and stays is noted.
    fn get_shown(&mut self, getter: &Getter, heard: &mut Heard) -> Result<Got, Reason> {
        let Heard { descriptor, options, shown, .. } = heard;
        let mut show = |part: &[u8]| *shown = Bytes::copy_from_slice(part);
        self.get_plainly(getter.handle, descriptor, options, getter.bytes_max, &mut Some(&mut show))
    }

    fn hear_browser(&mut self, getter: &Getter, heard: &mut Heard) -> Result<Option<Got>, Reason> {
        match self.answer_to(getter, Flags::LISTENS)? {
            None => Ok(None),
            Some(Answer::Got(letters)) => {
                let Heard { descriptor, options, shown, .. } = heard;
                let mut show = |part: &[u8]| *shown = Bytes::copy_from_slice(part);
                self.answered_with(letters, descriptor, options, &mut Some(&mut show)).transpose()
            }
            Some(answer) => Err(refused(&answer, &mut heard.options)),
        }
    }

    /// The answer to the get of a getter whose header has these flags, if it has come; asks if that was not
    /// done yet.
    fn answer_to(&mut self, getter: &Getter, flags: Flags) -> Result<Option<Answer>, Reason> {
        let server = self.handle(getter.handle)?.server;
        let (generation, inbox) = (self.generation, Arc::clone(&self.inbox));
        let listened = self.listened(getter);
        let mut answer = listened.kept.take();
        if answer.is_none() {
            listened.asked.take_if(|(_, asked_in)| *asked_in != generation);
            if let Some((request, _)) = listened.asked {
                answer = inbox.lock().take(request);
                if answer.is_some() {
                    listened.asked = None;
                }
                if matches!(answer, Some(Answer::Failed { reason: Reason::CONNECTION_BROKEN, .. })) {
                    self.is_ended_there = true;
                }
            } else {
                let request = self.next_request();
                let (link, number) = (Arc::clone(&self.link), self.number);
                let options = GetOptions { wait: Wait::Unlimited, ..getter.options.clone() };
                let bytes_max = u32::try_from(getter.bytes_max).unwrap_or(u32::MAX);
                let get = link.get(server, options, bytes_max);
                // A broken link shows when the answer is waited for.
                let header = Header::new(Kind::Get, number, request).with(flags);
                let _ = link.cork(|output| {
                    client::get_with(output.cork(), header, &get, &getter.descriptor);
                });
                self.listened(getter).asked = Some((request, generation));
            }
        }
        Ok(answer)
    }

    /// The place where a getter is noted.
    fn listened(&mut self, getter: &Getter) -> &mut Listened {
        let handles = &mut self.listening.handles;
        let place = handles.iter().position(|listened| listened.getter == *getter).unwrap_or_else(|| {
            let getter = getter.clone();
            handles.push(Listened { getter, asked: None, kept: None, is_temporary: false });
            handles.len() - 1
        });
        &mut handles[place]
    }

    /// More credit for handles that wait for want of it.
    fn extend_reach(&mut self, getters: &[Getter]) -> Result<(), Reason> {
        for getter in getters {
            let Ok(open) = self.handle(getter.handle) else {
                continue;
            };
            let more = open.stream.as_mut().map_or(0, Stream::extend);
            if more > 0 {
                self.grant(getter.handle, more)?;
            }
        }
        Ok(())
    }

    /// Waits until something came for any handle; false when the time is over or the bell rang. The queue
    /// manager sends nothing to a listener without requests, so it is asked for a sign then.
    fn wait_for_any(&mut self, deadline: Option<Instant>) -> Result<bool, Unanswered> {
        if self.is_lost() {
            return Err(Unanswered::NotDone);
        }
        let (link, inbox) = (Arc::clone(&self.link), Arc::clone(&self.inbox));
        let bell = Arc::clone(&self.listening.bell);
        bell.wait_at(WaitsAt { link: Arc::clone(&link), number: self.number, inbox: Arc::clone(&inbox) });
        let (listened, quiesce, handles) =
            (&self.listening.handles, &mut self.listening.known.quiesce, &mut self.handles);
        let is_spoken_to = listened.iter().any(|one| {
            let open = handles.get(one.getter.handle.0 as usize - 1).and_then(Option::as_ref);
            one.asked.is_some() || open.is_some_and(|open| open.stream.is_some())
        });
        let is_answered = Cell::new(true);
        let mut look = |arrived: &mut Arrived| {
            while arrived.take(WAKING).is_some() {
                is_answered.set(true);
            }
            let mut has_come = quiesce.notice(arrived);
            for one in listened {
                if let Some((request, _)) = one.asked {
                    has_come |= arrived.has(request);
                }
                let place = one.getter.handle.0 as usize - 1;
                if let Some(Some(open)) = handles.get_mut(place)
                    && let Some(stream) = &mut open.stream
                {
                    stream.collect(arrived, open.server);
                    has_come |= stream.has_news();
                }
            }
            if has_come {
                Some(true)
            } else if bell.take() {
                Some(false)
            } else {
                None
            }
        };
        let waited = link.flush_soon().and_then(|()| match link.heartbeat().filter(|_| !is_spoken_to) {
            None => link.wait_until(&inbox, deadline, look),
            Some(interval) => {
                let mut silences = 0;
                loop {
                    let next = Instant::now() + interval;
                    let until = deadline.map_or(next, |deadline| deadline.min(next));
                    let found = link.wait_until(&inbox, Some(until), &mut look)?;
                    if found.is_some() || deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                        return Ok(found);
                    }
                    silences = if is_answered.replace(false) { 0 } else { silences + 1 };
                    if silences == SILENCES_MAX {
                        return Err(link.break_off());
                    }
                    ask_for_a_sign(&link, self.number)?;
                }
            }
        });
        self.listening.bell.wait_no_more();
        match waited {
            Ok(has_come) => Ok(has_come.unwrap_or(false)),
            Err(_) => Err(Unanswered::Unknown),
        }
    }
}

/// Why a getter is given nothing.
fn refused(answer: &Answer, options: &mut GetOptions) -> Reason {
    let Answer::Failed { reason, data_length } = answer else { return Reason::UNEXPECTED_ERROR };
    options.returned_length = *data_length as i32;
    *reason
}

impl Listen for Connection {
    fn check_getter(&mut self, getter: &Getter) -> Result<(), Reason> {
        self.check_order(getter.options.flags.contains(GetFlags::LOGICAL_ORDER))?;
        let browses = getter.options.browses();
        let open = self.known(getter.handle)?;
        match browses {
            true if !open.options.contains(OpenOptions::BROWSE) => Err(Reason::NOT_OPEN_FOR_BROWSE),
            false if !gets(open.options) => Err(Reason::NOT_OPEN_FOR_INPUT),
            _ => Ok(()),
        }
    }

    /// Asks for the publications of nothing, which is refused with this reason first.
    fn check_quiescing(&mut self) -> Result<(), Reason> {
        if self.has_ended {
            return Err(Reason::HCONN_ERROR);
        }
        let asked = Request::RequestPublications {
            subscription: ObjectHandle::NONE,
            action: constants::MQSR_ACTION_PUBLICATION,
            options: RequestOptions::FAIL_IF_QUIESCING,
        };
        match self.ask_again(|connection| connection.ask_plainly(&asked))? {
            Answer::Failed { reason: Reason::HOBJ_ERROR, .. } => Ok(()),
            answer => Err(refusal(&answer)),
        }
    }

    fn listen(
        &mut self,
        getters: &[Getter],
        first: usize,
        timeout: Option<Duration>,
    ) -> Result<Option<Heard>, Reason> {
        if self.has_ended {
            return Err(Reason::HCONN_ERROR);
        }
        let stops = getters.is_empty() && timeout == Some(Duration::ZERO);
        self.listening.called_off = if stops { CalledOff::Always } else { CalledOff::WhenRung };
        let heard = if stops { self.stop_listening() } else { self.listen_to(getters, first, timeout) };
        self.listening.called_off = CalledOff::Never;
        if matches!(heard, Err(Reason::RECONNECTING)) {
            self.listening.bell.take();
            return Ok(None);
        }
        heard
    }

    fn event(&mut self) -> Option<Reason> {
        self.tell()
    }

    fn when_not_listened_to(&mut self, on_event: OnEvent) {
        self.tell_aside(on_event);
    }

    fn waker(&self) -> Wake {
        let bell = Arc::clone(&self.listening.bell);
        Box::new(move || bell.ring())
    }

    fn has_unit(&self) -> bool {
        self.unit.is_open
    }
}

impl Connection {
    /// Stops listening: messages that lie ready go back.
    fn stop_listening(&mut self) -> Result<Option<Heard>, Reason> {
        self.let_go_but(&[])?;
        self.end_telling();
        Ok(None)
    }

    /// Listens to these; `RECONNECTING` when the bell rang while the conversation was lost.
    fn listen_to(
        &mut self,
        getters: &[Getter],
        first: usize,
        timeout: Option<Duration>,
    ) -> Result<Option<Heard>, Reason> {
        let deadline = timeout.map(|timeout| Instant::now() + timeout);
        self.let_go_but(getters)?;
        self.begin_to_tell();
        'listening: loop {
            self.return_once_told()?;
            self.watch();
            if self.untold().is_some() {
                return Ok(None);
            }
            for turn in 0..getters.len() {
                let getter = (first + turn) % getters.len();
                if let Some(heard) = self.hear(&getters[getter])? {
                    if self.breaks_with(&heard) {
                        continue 'listening;
                    }
                    if matches!(heard.got, Err(Reason::RECONNECTING)) {
                        return Err(Reason::RECONNECTING);
                    }
                    self.listening.known.quiesce.notice_refusal(&heard);
                    return Ok(Some(Heard { getter, ..heard }));
                }
            }
            self.extend_reach(getters)?;
            match self.wait_for_any(deadline) {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(_) if self.untold().is_some() => {}
                Err(_) => self.reconnect()?,
            }
        }
    }

    /// Forgets a look through a handle after a get through it, since another message may now fit; the next
    /// look asks anew.
    pub(super) fn forget_look(&mut self, handle: ObjectHandle) {
        let is_look = |listened: &Listened| {
            listened.getter.handle == handle
                && listened.getter.options.concern_groups()
                && !listened.getter.options.browses()
        };
        while let Some(place) = self.listening.handles.iter().position(is_look) {
            let listened = self.listening.handles.remove(place);
            if let Some((request, generation)) = listened.asked {
                let _ = self.end_ask(request, generation);
            }
        }
    }

    /// A handle is closed: nothing that came for a browser of it is kept.
    pub(super) fn forget_listened(&mut self, handle: ObjectHandle) {
        self.listening.handles.retain(|listened| listened.getter.handle != handle);
    }
}
