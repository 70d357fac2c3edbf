//! Room for the commands of a user and for the answers to them, while they are in memory. Programs whose
//! user nothing proves share the room of their address: their names are their own choice.
//!
//! Lives here: the bounds, those who wait, and their turns. Lives elsewhere: the parts of an answer
//! (`course`), sending them (`agents`).
//!
//! Always: all connections that share a room together hold no more than `BYTES_MAX`. An answer takes its
//! place before it is made, and waits for it without another; so those who wait never wait for one another. A
//! text may wait with none at all. Places are given in the order in which they are asked for.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Weak};

use platform::sync::Mutex;
use security::address::network_of;
use security::{Identity, Principal};

/// Wakes the one who waits for room.
pub type Waiter = Arc<dyn Fn() + Send + Sync>;

/// Most bytes of one user's commands and answers.
const BYTES_MAX: usize = 8 << 20;

/// Most bytes of texts: their programs send the next behind the answer to the one before.
const TEXT_BYTES_MAX: usize = 3 << 20;

/// Most bytes among these of texts in several frames: a program that does not finish one leaves room for
/// those in one frame.
const LONG_TEXT_BYTES_MAX: usize = 2 << 20;

/// Most bytes of answers that their programs have yet to read.
const ANSWER_BYTES_MAX: usize = BYTES_MAX - TEXT_BYTES_MAX;

/// Least bytes that a text counts: as much is kept of a short one beside its letters.
const TEXT_BYTES_LEAST: usize = 1 << 10;

/// The rooms of those that have commands under way.
#[derive(Default)]
pub struct CommandRooms(Mutex<BTreeMap<Holder, Weak<CommandRoom>>>);

/// The owner of a room.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    /// A user that is proved.
    User(Box<str>),
    /// The programs of an address that prove nothing; none for this machine.
    Unproved(Option<IpAddr>),
}

impl Holder {
    fn of(principal: &Principal) -> Self {
        match principal.identity() {
            Identity::Asserted | Identity::Message => Self::Unproved(principal.address().map(network_of)),
            Identity::Proved | Identity::Kernel | Identity::Process | Identity::Part(_) => {
                Self::User(principal.name().into())
            }
        }
    }
}

/// The room of a user.
#[derive(Default)]
pub struct CommandRoom {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    texts: usize,
    long_texts: usize,
    answers: usize,
    /// The line of answers that wait for room.
    line: VecDeque<(u64, Waiter)>,
    next: u64,
}

/// Content of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Text,
    LongText,
    Answer,
}

/// Bytes that are held in a room until this is dropped. Then the agent of the program whose answer it was is
/// woken.
pub struct CommandHold {
    room: Arc<CommandRoom>,
    content: Content,
    bytes: Mutex<usize>,
    waiter: Option<Waiter>,
}

/// A place in the line of those who wait.
pub struct PlaceInLine {
    room: Arc<CommandRoom>,
    number: u64,
}

impl CommandRooms {
    /// The room of a login.
    pub fn of(&self, principal: &Principal) -> Arc<CommandRoom> {
        let holder = Holder::of(principal);
        let mut rooms = self.0.lock();
        if let Some(room) = rooms.get(&holder).and_then(Weak::upgrade) {
            return room;
        }
        rooms.retain(|_, room| room.strong_count() > 0);
        let room = Arc::new(CommandRoom::default());
        rooms.insert(holder, Arc::downgrade(&room));
        room
    }
}

impl CommandRoom {
    /// Returns true if there is room for a text in one frame.
    pub fn takes_text(&self, bytes: usize) -> bool {
        self.state.lock().takes_text(bytes)
    }

    /// Holds a text in one frame.
    pub fn hold_text(self: &Arc<Self>, bytes: usize) -> Option<CommandHold> {
        let mut state = self.state.lock();
        let bytes = bytes.max(TEXT_BYTES_LEAST);
        if !state.takes_text(bytes) {
            return None;
        }
        state.texts += bytes;
        drop(state);
        Some(self.held(Content::Text, bytes, None))
    }

    /// Holds a text in several frames from its first on.
    pub fn hold_long_text(self: &Arc<Self>, bytes: usize) -> Option<CommandHold> {
        let mut state = self.state.lock();
        if state.long_texts + bytes > LONG_TEXT_BYTES_MAX {
            return None;
        }
        state.long_texts += bytes;
        drop(state);
        Some(self.held(Content::LongText, bytes, None))
    }

    /// Holds room for an answer that is about to be made. Without room now the caller has a place in the
    /// line; `waiter` is woken when its turn has come.
    pub fn hold_answer(
        self: &Arc<Self>,
        bytes: usize,
        place: &mut Option<PlaceInLine>,
        waiter: &Waiter,
    ) -> Option<CommandHold> {
        let mut state = self.state.lock();
        let is_first = match place {
            Some(place) => state.line.front().is_some_and(|(number, _)| *number == place.number),
            None => state.line.is_empty(),
        };
        if is_first && state.answers + bytes <= ANSWER_BYTES_MAX {
            state.answers += bytes;
            drop(state);
            // The next in the line may have room as well.
            *place = None;
            return Some(self.held(Content::Answer, bytes, Some(Arc::clone(waiter))));
        }
        if place.is_none() {
            let number = state.next;
            state.next += 1;
            state.line.push_back((number, Arc::clone(waiter)));
            *place = Some(PlaceInLine { room: Arc::clone(self), number });
        }
        None
    }

    /// Returns true if an answer waits for the room of others.
    pub fn is_waited_for(&self) -> bool {
        !self.state.lock().line.is_empty()
    }

    /// Bytes that are held.
    pub fn bytes(&self) -> usize {
        let state = self.state.lock();
        state.texts + state.long_texts + state.answers
    }

    fn held(self: &Arc<Self>, content: Content, bytes: usize, waiter: Option<Waiter>) -> CommandHold {
        CommandHold { room: Arc::clone(self), content, bytes: Mutex::new(bytes), waiter }
    }

    fn give_back(&self, content: Content, bytes: usize) {
        let mut state = self.state.lock();
        match content {
            Content::Text => state.texts -= bytes,
            Content::LongText => state.long_texts -= bytes,
            Content::Answer => state.answers -= bytes,
        }
        drop(state);
        self.wake();
    }

    /// Wakes the first in the line.
    fn wake(&self) {
        let first = self.state.lock().line.front().map(|(_, waiter)| Arc::clone(waiter));
        if let Some(waiter) = first {
            waiter();
        }
    }
}

impl State {
    fn takes_text(&self, bytes: usize) -> bool {
        self.texts + bytes.max(TEXT_BYTES_LEAST) <= TEXT_BYTES_MAX - LONG_TEXT_BYTES_MAX
    }
}

impl CommandHold {
    /// Gives back all but so many bytes.
    pub fn shrink(&self, to: usize) {
        let mut bytes = self.bytes.lock();
        let less = bytes.saturating_sub(to);
        *bytes -= less;
        drop(bytes);
        if less > 0 {
            self.room.give_back(self.content, less);
        }
    }
}

impl Drop for CommandHold {
    fn drop(&mut self) {
        self.shrink(0);
        if let Some(waiter) = &self.waiter {
            waiter();
        }
    }
}

impl Drop for PlaceInLine {
    fn drop(&mut self) {
        self.room.state.lock().line.retain(|(number, _)| *number != self.number);
        self.room.wake();
    }
}

impl fmt::Debug for CommandRooms {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("CommandRooms")
    }
}

impl fmt::Debug for CommandRoom {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "CommandRoom({} bytes)", self.bytes())
    }
}

impl fmt::Debug for CommandHold {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "CommandHold({:?}, {} bytes)", self.content, *self.bytes.lock())
    }
}

impl fmt::Debug for PlaceInLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PlaceInLine({})", self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn answers_have_places_in_the_order_in_which_they_ask_and_one_that_goes_is_passed_over() {
        let room = Arc::new(CommandRoom::default());
        let woken = Arc::new(AtomicU32::new(0));
        let waiter: Waiter = {
            let woken = Arc::clone(&woken);
            Arc::new(move || {
                woken.fetch_add(1, Ordering::Relaxed);
            })
        };
        let mut none = None;
        let all = room.hold_answer(ANSWER_BYTES_MAX, &mut none, &waiter).expect("an empty room");
        let (mut large, mut gone, mut small) = (None, None, None);
        for (place, bytes) in [(&mut large, 4 << 20), (&mut gone, 1), (&mut small, 1)] {
            assert!(room.hold_answer(bytes, place, &waiter).is_none() && place.is_some());
        }
        all.shrink(2 << 20);
        assert!(woken.load(Ordering::Relaxed) > 0, "the first is woken");
        assert!(room.hold_answer(1, &mut small, &waiter).is_none(), "a small one does not pass a large one");
        assert!(room.hold_answer(4 << 20, &mut large, &waiter).is_none(), "there is too little room yet");
        drop(all);
        let held = room.hold_answer(4 << 20, &mut large, &waiter).expect("its turn has come");
        assert!(room.hold_answer(1, &mut small, &waiter).is_none(), "another is before it");
        drop(gone);
        let last = room.hold_answer(1, &mut small, &waiter).expect("it is the first now");
        assert!(!room.is_waited_for());
        drop((held, last));
        assert_eq!(room.bytes(), 0);
    }

    #[test]
    fn a_name_that_nothing_proves_takes_no_room_of_the_user_and_many_of_them_have_one() {
        let rooms = CommandRooms::default();
        let principal = |name: &str, identity, address: Option<&str>| {
            let address = address.map(|address| address.parse().unwrap());
            Principal::new(name, identity).unwrap().with_address(address)
        };
        let proved = rooms.of(&principal("ada", Identity::Proved, Some("192.0.2.1")));
        let held: Vec<_> = ["ada", "eve", "eve2"]
            .map(|name| rooms.of(&principal(name, Identity::Asserted, Some("192.0.2.1"))))
            .into_iter()
            .flat_map(|room| [room.hold_long_text(LONG_TEXT_BYTES_MAX), room.hold_text(1 << 19)])
            .flatten()
            .collect();
        assert_eq!(held.len(), 3, "the names of one address have one room");
        assert!(proved.takes_text(1 << 19) && proved.bytes() == 0, "{proved:?}");
        for (one, other, is_same) in [
            (("ada", Some("192.0.2.1")), ("ada", Some("192.0.2.2")), false),
            (("ada", Some("2001:db8::1")), ("eve", Some("2001:db8::2")), true),
            (("ada", Some("2001:db8::1")), ("ada", Some("2001:db8:0:1::1")), false),
            (("ada", Some("192.0.2.1")), ("ada", Some("::ffff:192.0.2.1")), true),
            (("ada", None), ("ada", Some("127.0.0.1")), false),
        ] {
            let [one_room, other_room] =
                [one, other].map(|(name, address)| rooms.of(&principal(name, Identity::Asserted, address)));
            assert_eq!(Arc::ptr_eq(&one_room, &other_room), is_same, "{one:?} {other:?}");
        }
        let elsewhere = rooms.of(&principal("ada", Identity::Kernel, None));
        assert!(Arc::ptr_eq(&proved, &elsewhere), "a user that is proved has one room wherever it is");
    }

    #[test]
    fn no_order_of_requests_holds_more_than_the_bound_and_short_texts_have_room_beside_long_ones() {
        let room = Arc::new(CommandRoom::default());
        let waiter: Waiter = Arc::new(|| {});
        let long = room.hold_long_text(LONG_TEXT_BYTES_MAX).expect("an empty room");
        assert!(room.hold_long_text(1).is_none());
        let mut held = Vec::new();
        while let Some(text) = room.hold_text(10) {
            held.push(text);
        }
        assert!(held.len() >= 1_000, "{} short texts", held.len());
        let mut place = None;
        while let Some(answer) = room.hold_answer(100_000, &mut place, &waiter) {
            held.push(answer);
        }
        assert!(room.bytes() <= BYTES_MAX, "{}", room.bytes());
        drop((held, long, place));
        assert_eq!(room.bytes(), 0);
    }
}
