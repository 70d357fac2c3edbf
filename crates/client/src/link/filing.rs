//! Filing of the socket's input into the mailboxes of its conversations.
//!
//! Messages with bodies that are kept come one behind the other for the same handle: each conversation is
//! sent what there is for it in turn. They are gathered before their mailbox is locked, once for all of them.
//!
//! Lives here: the owner of a frame. Lives elsewhere: reading (`reader`), waking (`lead`), the content of a
//! mailbox (`inbox`).
//!
//! Always: gathered input is in its mailbox before any later input is filed, and before any owner is told.

use super::Link;
use crate::inbox::{Arrived, Inbox};
use crate::lead::Told;
use crate::letters::Letters;
use crate::mailboxes::{Broken, Mailboxes};
use crate::reader::Reader;
use ::channel::body_cache::Parted;
use ::channel::{BodyCache, Conversation, Error, Flags, Frame, Header, Kind, Reply};
use mqi::{MessageDescriptor, ObjectHandle};
use platform::sync::atomic::Ordering;
use std::sync::Arc;

/// Mailboxes that are kept at hand while frames are filed: those of as many conversations as mostly share a
/// socket.
pub(super) const KNOWN_MAX: usize = 16;

/// The reading half.
#[derive(Debug)]
pub(super) struct Receiving {
    pub(super) reader: Reader,
    /// Descriptor over which the next result of a put is read.
    filled: Box<MessageDescriptor>,
    /// Bodies that messages may have which are on their way.
    kept: BodyCache,
    /// The frame that a compressed one stands for.
    expanded: Vec<u8>,
    /// Empty but while frames are filed.
    gathered: Gathered,
}

impl Receiving {
    pub(super) fn new(reader: Reader) -> Self {
        Self {
            reader,
            filled: Box::default(),
            kept: BodyCache::default(),
            expanded: Vec::new(),
            gathered: Gathered::default(),
        }
    }
}

/// Messages for one handle of one conversation that came one behind the other.
#[derive(Debug, Default)]
struct Gathered {
    to: Option<(Conversation, ObjectHandle)>,
    letters: Letters,
}

/// State kept from frame to frame, and from read to read, while input is filed.
pub(super) struct Filing<'a> {
    told: &'a mut Told,
    pub(super) known: Known,
}

impl<'a> Filing<'a> {
    pub(super) fn telling(told: &'a mut Told) -> Self {
        Self { told, known: Known::default() }
    }
}

/// The mailboxes that frames were filed in, each at the place of its number: what is published comes to every
/// conversation in turn, and again.
#[derive(Default)]
pub(super) struct Known([Option<(Conversation, Arc<Inbox>)>; KNOWN_MAX]);

impl Known {
    /// The mailbox of a conversation, unless it was forgotten.
    pub(super) fn mailbox(
        &mut self,
        conversation: Conversation,
        mailboxes: &Mailboxes,
    ) -> Option<&Arc<Inbox>> {
        let place = self.place(conversation);
        if place.as_ref().is_none_or(|(known, _)| *known != conversation) {
            *place = mailboxes.of(conversation).map(|inbox| (conversation, inbox));
        }
        place.as_ref().map(|(_, inbox)| inbox)
    }

    /// A conversation has ended: its number may be another's by the next frame.
    pub(super) fn forget(&mut self, conversation: Conversation) {
        *self.place(conversation) = None;
    }

    fn place(&mut self, conversation: Conversation) -> &mut Option<(Conversation, Arc<Inbox>)> {
        &mut self.0[usize::from(conversation.0) % KNOWN_MAX]
    }
}

impl Link {
    /// Puts whole frames into the mailboxes of their conversations.
    pub(super) fn file(&self, receiving: &mut Receiving, filing: &mut Filing<'_>) -> Result<(), Broken> {
        let Receiving { reader, filled, kept, expanded, gathered } = receiving;
        let filed = self.file_frames(reader, filled, kept, expanded, gathered, filing);
        // Also when the link broke: what came before the end counts.
        let gathered = self.file_gathered(gathered, filing);
        filed.and(gathered)
    }

    fn file_frames(
        &self,
        reader: &mut Reader,
        filled: &mut MessageDescriptor,
        kept: &mut BodyCache,
        expanded: &mut Vec<u8>,
        gathered: &mut Gathered,
        filing: &mut Filing<'_>,
    ) -> Result<(), Broken> {
        let limits = self.limits();
        loop {
            let frame = match reader.frame(limits.frame_bytes_max) {
                Ok(Some(frame)) => frame,
                Ok(None) => return Ok(()),
                Err(_) => return Err(self.break_off()),
            };
            let bytes = frame.bytes();
            let whole;
            let frame = match frame.header.kind {
                Kind::Compressed => {
                    whole = self.expand(&frame, expanded)?;
                    &whole
                }
                _ => &frame,
            };
            match kept.part(frame) {
                Ok(Some(parted)) => self.gather(&parted, gathered, filing)?,
                Ok(None) => {
                    self.file_gathered(gathered, filing)?;
                    self.file_frame(frame, limits.message_bytes_max, filled, filing)?;
                }
                Err(_) => return Err(self.break_off()),
            }
            reader.consume(bytes);
        }
    }

    /// Returns the frame that a compressed one stands for.
    #[cold]
    fn expand<'a>(&self, frame: &Frame<'_>, expanded: &'a mut Vec<u8>) -> Result<Frame<'a>, Broken> {
        expanded.clear();
        let bytes_max = self.limits().frame_bytes_max;
        let measured = self.ways.expand(frame.payload, bytes_max, expanded);
        match measured.and_then(|_| Frame::decode(expanded, bytes_max)) {
            Ok(Some(whole)) => Ok(whole),
            Ok(None) | Err(_) => Err(self.break_off()),
        }
    }

    /// Gathers a message that was parted from its body with those before it.
    fn gather(
        &self,
        parted: &Parted<'_>,
        gathered: &mut Gathered,
        filing: &mut Filing<'_>,
    ) -> Result<(), Broken> {
        let to = Some(parted.to());
        if gathered.to != to {
            self.file_gathered(gathered, filing)?;
            gathered.to = to;
        }
        gathered.letters.push_parted(parted);
        Ok(())
    }

    /// Files what is gathered.
    fn file_gathered(&self, gathered: &mut Gathered, filing: &mut Filing<'_>) -> Result<(), Broken> {
        let Gathered { to, letters } = gathered;
        let Some((conversation, handle)) = to.take() else { return Ok(()) };
        let filed = self.file_for(conversation, filing, |arrived: &mut Arrived| {
            arrived.file_delivered(handle, letters);
            Ok(true)
        });
        // There still if the conversation is gone.
        letters.clear();
        filed
    }

    fn file_frame(
        &self,
        frame: &Frame<'_>,
        message_bytes_max: u32,
        filled: &mut MessageDescriptor,
        filing: &mut Filing<'_>,
    ) -> Result<(), Broken> {
        if is_message(&frame.header) {
            let file = |arrived: &mut Arrived| arrived.file_message(frame, message_bytes_max);
            return self.file_for(frame.header.conversation, filing, file);
        }
        match Reply::decode(frame, message_bytes_max, filled) {
            Ok(Reply::Heartbeat) => self.is_asked.store(true, Ordering::Relaxed),
            Ok(Reply::Refused(refused)) => {
                *self.farewell.lock() = Some(refused.reason);
                return Err(self.break_off());
            }
            Ok(reply) => {
                let conversation = frame.header.conversation;
                let file = |arrived: &mut Arrived| arrived.file(frame.header, reply, filled);
                self.file_for(conversation, filing, file)?;
                if frame.header.kind == Kind::Ended {
                    // Not before: what is said to one that was given up is nothing to the next under its
                    // number.
                    self.mailboxes.has_ended(conversation);
                    filing.known.forget(conversation);
                }
            }
            Err(_) => return Err(self.break_off()),
        }
        Ok(())
    }

    /// Files something in the mailbox of a conversation, whose owner is to be told when it is whole.
    fn file_for(
        &self,
        conversation: Conversation,
        filing: &mut Filing<'_>,
        file: impl FnOnce(&mut Arrived) -> Result<bool, Error>,
    ) -> Result<(), Broken> {
        let Filing { told, known } = filing;
        // A conversation that was given up may still be spoken to.
        let Some(inbox) = known.mailbox(conversation, &self.mailboxes) else {
            return Ok(());
        };
        let mut arrived = inbox.lock();
        match file(&mut arrived) {
            Ok(true) => self.reader.tell(inbox, arrived, told),
            Ok(false) => {}
            Err(_) => {
                drop(arrived);
                return Err(self.break_off());
            }
        }
        Ok(())
    }
}

/// True if a frame is a message, which its receiver decodes.
fn is_message(header: &Header) -> bool {
    matches!(header.kind, Kind::Delivered | Kind::Got) && !header.flags.contains(Flags::FAILED)
}
