//! The request that every get is to the verbs, whichever call makes it.
//!
//! Lives here: [`Ask`], with all that a get can say. Lives elsewhere: its checks and its answer (`get`), the
//! messages that it only set aside (`reserved`), the request as the queue sees it (`queue::request`).

use std::sync::Arc;

use mqi::{GetFlags, GetOptions, MessageDescriptor, ObjectHandle, Reason};
use queues::queue::delivery::Take;
use queues::queue::getter::{Reserve, Series};
use queues::queue::request::Syncpoint;
use queues::unit_of_work::slot::UnitSlot;

use crate::engine::Engine;
use crate::verbs::unit::UnitOfWork;

/// A get as its caller asks for it.
///
/// [`Ask::new`] is an MQGET; struct update adds what MQGET cannot say:
///
/// ```
/// use mqi::{GetFlags, GetOptions, MessageDescriptor, ObjectHandle, Wait};
/// use queue_manager::{Ask, GetPurpose, Reserve, WaitToken};
///
/// let (any, options) = (MessageDescriptor::default(), GetOptions::with(GetFlags::SYNCPOINT, Wait::No));
/// let get = Ask::new(ObjectHandle(1), &any, &options, 4096, WaitToken(1));
/// let ahead = Ask { purpose: GetPurpose::Reserve(Reserve::All), ..get };
/// assert_eq!(ahead.bytes_max, 4096);
/// ```
pub struct Ask<'a> {
    /// The handle of the queue.
    pub handle: ObjectHandle,
    /// The fields that the message must have, and the target of a conversion.
    pub descriptor: &'a MessageDescriptor,
    /// The options: browse or take, the position where the search begins, the wait, and the relation to the
    /// unit of work.
    pub options: &'a GetOptions,
    /// Most bytes of the body.
    pub bytes_max: usize,
    /// The name of its wait, of one message, or of several that it takes one after the other.
    pub series: Series,
    /// The use of the message that is found.
    pub purpose: GetPurpose,
    /// The unit of work of a get that takes its message, where it is one beside a connection.
    ///
    /// The options may then say MQGMO_SYNCPOINT, MQGMO_SYNCPOINT_IF_PERSISTENT or nothing of units, and not
    /// MQGMO_LOGICAL_ORDER: the order of a handle is that of its connection's unit. A message that is only
    /// reserved is taken within a unit later ([`take_reserved`](crate::Connection::take_reserved)).
    pub unit: Option<&'a UnitOfWork>,
    /// True for a handle that was given a message a moment ago and takes several at a time: if it must wait,
    /// it comes before longer waiters, for half a millisecond.
    pub goes_on: bool,
    /// Receiver of all but the last message of the series that are there already and in memory; the last is
    /// the answer. None for a get that is given one of them. It is called under the queue's lock, and so only
    /// notes the message. A get that waits is for one message.
    pub take: Option<Take<'a>>,
}

/// Purpose of searching the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetPurpose {
    /// MQGET, destructive or browsing.
    Get,
    /// Read-ahead (rules 4 and 5): the message is only reserved, under the token of its wait. It is locked in
    /// memory and nothing is logged, until [`take_reserved`](crate::Connection::take_reserved) or
    /// [`give_back`](crate::Connection::give_back). The options say where taking it puts it: into the unit of
    /// work, or outside. A non-persistent message is taken at once if [`Reserve`] says so.
    Reserve(Reserve),
    /// To learn that a get with these options, which are not those of a browse, would be given something. It
    /// is given nothing: the outcome has no body, changes nothing, and the message may be gone before it is
    /// got.
    Look,
    /// A browse of a link: its wait outlasts an inhibition of gets. The options are those of a browse.
    BrowseForLink,
}

impl<'a> Ask<'a> {
    /// An MQGET. The token names its wait, if there is one; also a get that was not to wait for a message may
    /// wait for one to be read back from the disk.
    #[inline]
    pub fn new(
        handle: ObjectHandle,
        descriptor: &'a MessageDescriptor,
        options: &'a GetOptions,
        bytes_max: usize,
        waits: impl Into<Series>,
    ) -> Self {
        Self {
            handle,
            descriptor,
            options,
            bytes_max,
            series: waits.into(),
            purpose: GetPurpose::Get,
            unit: None,
            goes_on: false,
            take: None,
        }
    }

    /// The relation of the get to its unit of work.
    ///
    /// # Errors
    /// 2046 for options that contradict each other, or the unit of work that is named.
    #[inline]
    pub(super) fn syncpoint(&self) -> Result<Syncpoint, Reason> {
        let flags = self.options.flags;
        let of_connection = GetFlags::NO_SYNCPOINT | GetFlags::LOGICAL_ORDER;
        if self.unit.is_some() && (self.purpose != GetPurpose::Get || flags.intersects(of_connection)) {
            return Err(Reason::OPTIONS_ERROR);
        }
        let within = flags.contains(GetFlags::SYNCPOINT);
        let outside = flags.contains(GetFlags::NO_SYNCPOINT);
        let if_persistent = flags.contains(GetFlags::SYNCPOINT_IF_PERSISTENT);
        match (within, if_persistent, outside) {
            (true, false, false) => Ok(Syncpoint::Within),
            (false, true, false) => Ok(Syncpoint::WithinIfPersistent),
            (false, false, _) if self.unit.is_some() => Ok(Syncpoint::Within),
            (false, false, _) => Ok(Syncpoint::Outside),
            _ => Err(Reason::OPTIONS_ERROR),
        }
    }

    /// The slot of its unit of work, where it is one beside a connection.
    ///
    /// # Errors
    /// 2255 for a unit of another queue manager.
    #[inline]
    pub(super) fn slot(&self, engine: &Arc<Engine>) -> Result<Option<Arc<UnitSlot>>, Reason> {
        match self.unit {
            None => Ok(None),
            Some(unit) if unit.is_of(engine) => Ok(Some(Arc::clone(unit.slot()))),
            Some(_) => Err(Reason::UOW_NOT_AVAILABLE),
        }
    }
}
