//! One conversation with a queue manager, and its verbs.
//!
//! Lives here: a conversation, the sending of a request and the wait for its answer. `verbs` has the verbs,
//! `read_ahead` messages that come before they are asked for, `opening` the parts of a message that a get
//! returns, `reconnect` the recovery from a broken link, `breaks` the events of that for a listener,
//! `subscribing` subscriptions, `branches` the calls of a coordinator, `administration` commands and
//! counters, `pace` the guess if the next call is near, `row` the guess if puts are a stream, `unheard` puts
//! with an unknown outcome.
//!
//! Always: handles are this side's own numbers, so that they outlive a link; an outcome that is not known is
//! answered as not known.

mod administration;
mod bell;
mod branches;
mod breaks;
mod listening;
mod numbers;
mod opening;
mod pace;
mod reach;
mod read_ahead;
mod reconnect;
mod row;
mod subscribing;
mod unheard;
mod verbs;

pub(crate) use administration::refusal;
pub use reach::ReadAhead;

use crate::inbox::{Answer, Inbox};
use crate::link::Link;
use crate::mailboxes::Broken;
use crate::random::random;
use crate::sharing;
use crate::{Channel, ConnectError, Options};
use ::channel::client::{DeltaReader, DeltaWriter};
use ::channel::{Conversation, Flags, Output, Request, RequestNumber};
use formats::properties::handle::{Handles, Loan};
use listening::Listening;
use mqi::{AccountingChoice, ObjectDescriptor, ObjectHandle, ObjectName, OpenOptions, PutStatus, Reason};
use numbers::Numbers;
use pace::Pace;
use read_ahead::Stream;
use row::Row;
use std::sync::Arc;
use unheard::Unheard;

/// The number of the request that begins a conversation.
const BEGIN: RequestNumber = RequestNumber(1);

/// Places for handles before one is taken again: enough that a program notices a handle which it closed long
/// before its number means something else, and few enough to look through when a link is made again.
const PLACES_LEAST: usize = 256;

/// A conversation with a queue manager. Dropping it backs out its unit of work.
#[derive(Debug)]
pub struct Connection {
    channel: Arc<Channel>,
    link: Arc<Link>,
    number: Conversation,
    inbox: Arc<Inbox>,
    /// Names this conversation to the queue manager, also after it reconnects by the same channel.
    instance: [u8; 16],
    /// The channel that the instance began by, to which it belongs.
    began_by: Arc<str>,
    /// Number of its beginnings, so that a beginning left behind on an earlier link cannot pass for the
    /// latest.
    generation: u64,
    /// True if the queue manager has ended it, while the link may be whole.
    is_ended_there: bool,
    numbers: Numbers,
    /// By number less one.
    handles: Vec<Option<Handle>>,
    /// True if some of them could not be opened again.
    are_refused: bool,
    /// Behind the place that was taken last.
    next_place: usize,
    /// Number of the last commit that succeeded, or may have.
    committed: u64,
    unit: Unit,
    /// Puts without a reply since the last status, outside units of work.
    unheard: Unheard,
    /// Puts within the unit of work without a known outcome; the end of the unit answers them.
    unheard_in_unit: Unheard,
    /// Outcomes known of puts without a reply that a broken link took with it.
    lost: PutStatus,
    /// Why the link broke and why it could not be made again, when that was so.
    reconnection: Option<(Reason, Reason)>,
    pace: Pace,
    row: Row,
    /// Handles that are listened to.
    listening: Listening,
    has_ended: bool,
    message_handles: Handles,
    /// Content of the last put.
    said: Box<DeltaWriter>,
    /// Content of the last answer to a get.
    seen: Box<DeltaReader>,
    /// The message handle that the get under way names.
    lent: Option<Loan>,
}

/// The identity of a conversation at its queue manager.
///
/// A conversation ends the earlier one of its instance, whose open units of work are backed out; work that it
/// prepared stays, and its next call fails with 2009. While the latest one is there, an earlier generation
/// is refused. Any program that knows an instance can begin under it: draw its bytes at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The instance; zeros are none.
    pub instance: [u8; 16],
    /// Number of its beginnings; a connection that makes its link anew counts on from here.
    pub generation: u64,
}

/// The unit of work as this side knows it.
#[derive(Clone, Copy, Debug, Default)]
struct Unit {
    /// True if it has any puts or gets.
    is_open: bool,
    /// True if it was lost with a link, which the program is still to be told.
    is_lost: bool,
    /// True if it is a branch of a transaction.
    is_branch: bool,
}

/// Role of a handle in a subscription.
#[derive(Debug, Default)]
enum Role {
    /// Nothing: it was opened by itself.
    #[default]
    Object,
    /// The queue of this subscription.
    Subscription(Box<subscribing::Subscription>),
    /// It came with an open subscription, to get from the queue of that.
    Managed,
}

/// An open object.
#[derive(Debug)]
struct Handle {
    object: ObjectDescriptor,
    options: OpenOptions,
    /// Its number at the queue manager.
    server: ObjectHandle,
    /// Why it is not open there, when it could not be opened again.
    refused: Option<Reason>,
    /// Its name, which for a model queue is that of the dynamic queue.
    name: ObjectName,
    stream: Option<Stream>,
    /// True if puts whose options leave the response to the object are asynchronous.
    puts_asynchronously: bool,
    /// Its role in a subscription, if it has one.
    role: Role,
}

/// Why a request has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unanswered {
    /// It was not executed: the link or the conversation had ended before.
    NotDone,
    /// It may or may not have been executed.
    Unknown,
}

impl Connection {
    /// Connects, over a socket shared with others of this process unless the options ask for one alone.
    ///
    /// # Errors
    /// When no address leads to a queue manager that lets us in.
    pub fn connect(options: Options) -> Result<Self, ConnectError> {
        if options.is_shared {
            return sharing::connect(options);
        }
        Channel::connect(options)?.conversation().map_err(ConnectError::Conversation)
    }

    /// Begins on a channel as it is: a broken one is not made again.
    pub(crate) fn begin_once(channel: &Arc<Channel>) -> Result<Self, Reason> {
        Self::begin_as(channel, Identity { instance: random(), generation: 1 })
    }

    /// Begins on a channel as it is, under this identity.
    pub(crate) fn begin_as(channel: &Arc<Channel>, identity: Identity) -> Result<Self, Reason> {
        let link = channel.link();
        let Identity { instance, generation } = identity;
        match begin_on(&link, instance, generation, channel.accounting()) {
            Ok((number, inbox, last_commit)) => {
                let channel = Arc::clone(channel);
                let mut begun = Self::begun(channel, link, number, inbox, instance, generation);
                // Commits are counted for each instance.
                begun.committed = last_commit.unwrap_or_default();
                Ok(begun)
            }
            Err(Begin::Broken) => Err(link.reason()),
            Err(Begin::Refused(reason)) => Err(reason),
        }
    }

    pub(crate) fn begin(channel: Arc<Channel>) -> Result<Self, Reason> {
        let link = channel.link();
        let instance = random();
        let (number, inbox, link, generation) = match begin_on(&link, instance, 1, channel.accounting()) {
            Ok((number, inbox, _)) => (number, inbox, link, 1),
            Err(Begin::Broken) => {
                let link = channel.reconnect(&link, &|| false)?;
                let (number, inbox, _) =
                    begin_on(&link, instance, 2, channel.accounting()).map_err(|begin| match begin {
                        Begin::Broken => Reason::CONNECTION_BROKEN,
                        Begin::Refused(reason) => reason,
                    })?;
                (number, inbox, link, 2)
            }
            Err(Begin::Refused(reason)) => return Err(reason),
        };
        Ok(Self::begun(channel, link, number, inbox, instance, generation))
    }

    fn begun(
        channel: Arc<Channel>,
        link: Arc<Link>,
        number: Conversation,
        inbox: Arc<Inbox>,
        instance: [u8; 16],
        generation: u64,
    ) -> Self {
        let began_by = Arc::clone(link.channel());
        Self {
            channel,
            link,
            number,
            inbox,
            instance,
            began_by,
            generation,
            is_ended_there: false,
            numbers: Numbers::behind(BEGIN),
            handles: Vec::new(),
            are_refused: false,
            next_place: 0,
            committed: 0,
            unit: Unit::default(),
            unheard: Unheard::default(),
            unheard_in_unit: Unheard::default(),
            lost: PutStatus::default(),
            reconnection: None,
            pace: Pace::default(),
            row: Row::default(),
            listening: Listening::default(),
            has_ended: false,
            message_handles: Handles::default(),
            said: Box::default(),
            seen: Box::default(),
            lent: None,
        }
    }

    /// The channel, for more conversations over the same socket.
    #[must_use]
    pub fn channel(&self) -> &Arc<Channel> {
        &self.channel
    }

    /// Sends what is corked: puts without a reply, confirmations, credit.
    ///
    /// # Errors
    /// When the connection is broken.
    pub fn flush(&mut self) -> Result<(), Reason> {
        self.link.flush().map_err(|Broken| self.link.reason())
    }

    /// Sends what is corked, with what other threads are about to send over the same socket.
    fn flush_soon(&self) -> Result<(), Reason> {
        self.link.flush_soon().map_err(|Broken| self.link.reason())
    }

    fn next_request(&mut self) -> RequestNumber {
        let Self { listening, handles, .. } = self;
        let comes = |number| {
            handles
                .iter()
                .flatten()
                .any(|open| open.stream.as_ref().is_some_and(|stream| stream.comes_by(number)))
        };
        self.numbers.next(|number| listening.awaits(number) || comes(number))
    }

    /// Sends a request with all that is corked, and waits for its answer.
    fn ask(
        &mut self,
        encode: impl FnOnce(&mut Output, Conversation, RequestNumber),
    ) -> Result<Answer, Unanswered> {
        let request = self.next_request();
        let number = self.number;
        if self.is_lost_by_now() {
            return Err(Unanswered::NotDone);
        }
        let sent = self.link.send(|output| encode(output, number, request));
        let answer = sent.and_then(|()| self.link.wait(&self.inbox, request));
        self.answered(answer)
    }

    /// True if the conversation has ended under us, with its link or by itself.
    fn is_lost(&self) -> bool {
        self.is_ended_there || self.link.is_broken()
    }

    /// Like [`is_lost`](Self::is_lost), but also notices an end that came while the program made no call.
    /// Called before a program that reconnects sends something; any other hears of the break anyway.
    fn is_lost_by_now(&self) -> bool {
        self.is_lost() || self.channel.reconnects() && self.link.notices_end(&self.inbox)
    }

    /// Returns an answer as it came, unless it says that the conversation is gone: then the request was
    /// refused for that.
    fn answered(&mut self, answer: Result<Answer, Broken>) -> Result<Answer, Unanswered> {
        match answer {
            Ok(Answer::Failed { reason: Reason::CONNECTION_BROKEN, .. }) => {
                self.is_ended_there = true;
                Err(Unanswered::NotDone)
            }
            Ok(answer) => Ok(answer),
            Err(Broken) => Err(Unanswered::Unknown),
        }
    }

    /// Asks something without body or descriptor.
    fn ask_plainly(&mut self, request: &Request<'_>) -> Result<Answer, Unanswered> {
        self.ask(|output, conversation, number| {
            request.encode(output.cork(), conversation, number, Flags::NONE);
        })
    }

    /// Asks something that may as well be asked twice: in a new conversation when the old one is lost.
    fn ask_again(
        &mut self,
        mut ask: impl FnMut(&mut Self) -> Result<Answer, Unanswered>,
    ) -> Result<Answer, Reason> {
        loop {
            match ask(self) {
                Ok(answer) => return Ok(answer),
                Err(_) => self.reconnect()?,
            }
        }
    }

    /// A handle that is open at the queue manager, as far as is known.
    fn handle(&mut self, handle: ObjectHandle) -> Result<&mut Handle, Reason> {
        let open = self.known(handle)?;
        match open.refused {
            None => Ok(open),
            Some(reason) => Err(reason),
        }
    }

    /// A handle of the program, open at the queue manager or not.
    fn known(&mut self, handle: ObjectHandle) -> Result<&mut Handle, Reason> {
        if self.has_ended {
            return Err(Reason::HCONN_ERROR);
        }
        let place = usize::try_from(handle.0).ok().and_then(|place| place.checked_sub(1));
        place.and_then(|place| self.handles.get_mut(place)?.as_mut()).ok_or(Reason::HOBJ_ERROR)
    }

    /// A handle that a call is about: one that could not be opened again is tried once more, as what it was
    /// refused for may be over.
    fn usable(&mut self, handle: ObjectHandle) -> Result<&mut Handle, Reason> {
        if !self.are_refused {
            return self.known(handle);
        }
        self.open_if_refused(handle)?;
        self.handle(handle)
    }

    /// Keeps a handle; the place where.
    fn keep(&mut self, handle: Handle) -> usize {
        let place = self.free_place();
        self.handles[place] = Some(handle);
        place
    }

    /// A place for another handle: not at once one that was given up, so that a program which goes on with a
    /// handle that it closed is told so.
    fn free_place(&mut self) -> usize {
        let is_free = |place: &usize| self.handles[*place].is_none();
        let behind = (self.next_place..self.handles.len()).find(is_free);
        let place = match behind {
            None if self.handles.len() >= PLACES_LEAST => (0..self.next_place).find(is_free),
            behind => behind,
        };
        let place = place.unwrap_or_else(|| {
            self.handles.push(None);
            self.handles.len() - 1
        });
        self.next_place = place + 1;
        place
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // One that has ended has left; its number may be somebody else's by now.
        if !self.has_ended {
            self.leave();
        }
    }
}

impl Connection {
    /// Gives the conversation up with its unit of work, once.
    fn leave(&mut self) {
        if !self.link.forget(self.number, false) || self.link.is_broken() {
            return;
        }
        // What was taken counts as backed out.
        self.confirm_unit();
        // Nobody waits for the answers; the server backs the unit of work out and ends the conversation.
        let (back, end) = (self.next_request(), self.next_request());
        let number = self.number;
        let _ = self.link.send(|output| {
            Request::Back.encode(output.cork(), number, back, Flags::NONE);
            Request::End.encode(output.cork(), number, end, Flags::NONE);
        });
    }
}

/// Why a conversation did not begin.
enum Begin {
    Broken,
    Refused(Reason),
}

/// Begins a conversation on a link; with the last commit its instance is known by.
fn begin_on(
    link: &Arc<Link>,
    instance: [u8; 16],
    generation: u64,
    accounting: AccountingChoice,
) -> Result<(Conversation, Arc<Inbox>, Option<u64>), Begin> {
    let (number, inbox) = link.register().map_err(Begin::Refused)?;
    let request = BEGIN;
    let answer = link
        .send(|output| {
            let options = accounting.options();
            let begin = Request::Begin { instance, generation, options };
            begin.encode(output.cork(), number, request, Flags::NONE);
        })
        .and_then(|()| link.wait(&inbox, request));
    match answer {
        Ok(Answer::Begun { last_commit }) => Ok((number, inbox, last_commit)),
        answer => {
            link.forget(number, true);
            Err(match answer {
                Err(Broken) if link.reason() != Reason::CONNECTION_BROKEN => Begin::Refused(link.reason()),
                Err(Broken) => Begin::Broken,
                // One that is newer has begun: the next of ours is newer still.
                Ok(Answer::Failed { reason: Reason::CONNECTION_BROKEN, .. }) => Begin::Broken,
                Ok(Answer::Failed { reason, .. }) => Begin::Refused(reason),
                Ok(_) => Begin::Refused(Reason::UNEXPECTED_ERROR),
            })
        }
    }
}
