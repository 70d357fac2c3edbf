//! One move from its first message to its last.

use bytes::Bytes;
use mqi::constants::MQIA_CURRENT_Q_DEPTH;
use mqi::{
    AttributeValue, CloseOptions, CorrelationId, GetFlags, GetOptions, MessageDescriptor, MessageId,
    ObjectDescriptor, ObjectHandle, ObjectName, OpenOptions, Opened, PutFlags, PutOptions, QueueManagerName,
    Reason, ReportOptions, Selector, Verbs, Wait,
};

/// Most bytes of a message: the interface's own limit.
pub const MESSAGE_BYTES_MAX: usize = 100 << 20;

/// Most messages of one unit of work: a unit of more would hold the log back without moving faster.
pub const BATCH_MAX: u32 = 1_000;

/// Most bytes of one unit of work; the message that passes them is its last.
const BATCH_BYTES_MAX: usize = 16 << 20;

/// The greatest depth of a queue, where its own cannot be inquired.
const DEPTH_MAX: u64 = 999_999_999;

/// Messages to move, and where to.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The queue that has them.
    pub from: ObjectName,
    /// The queue that gets them.
    pub to: ObjectName,
    /// The queue manager of that queue; blank for the one connected to.
    pub to_queue_manager: QueueManagerName,
    /// Only the message with this identifier, unless it is none.
    pub message_id: MessageId,
    /// Only messages with this correlation identifier, unless it is none.
    pub correlation_id: CorrelationId,
    /// Only messages that this condition is true of; empty for all.
    pub selector: String,
    /// At most so many.
    pub most: u64,
    /// Messages of one unit of work, at most [`BATCH_MAX`].
    pub batch: u32,
    /// True if the messages stay where they are, too.
    pub copies: bool,
}

impl Plan {
    /// A plan for all messages of a queue.
    #[must_use]
    pub fn between(from: ObjectName, to: ObjectName) -> Self {
        Self {
            from,
            to,
            to_queue_manager: QueueManagerName::BLANK,
            message_id: MessageId::NONE,
            correlation_id: CorrelationId::NONE,
            selector: String::new(),
            most: u64::MAX,
            batch: 100,
            copies: false,
        }
    }

    fn pattern(&self) -> MessageDescriptor {
        MessageDescriptor {
            message_id: self.message_id,
            correlation_id: self.correlation_id,
            ..MessageDescriptor::default()
        }
    }
}

/// The caller's answer to progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// Move on.
    On,
    /// End after the unit of work that was just committed.
    Stop,
}

/// The outcome of a move; everything in it is committed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Messages that are on the other queue.
    pub messages: u64,
    /// Bytes of their bodies.
    pub bytes: u64,
    /// Messages among them whose report options asked for a report of arrival or delivery: the move made one.
    pub reported: u64,
    /// True if the caller ended the move before its last message.
    pub is_cut_off: bool,
}

/// The cause of an early end. What [`Moved`] counts is done; the rest is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MovesError {
    /// Both names lead to the same queue.
    #[error("source and target are the same queue, {queue}")]
    SameQueue {
        /// The queue behind both.
        queue: ObjectName,
    },
    /// A queue cannot be opened.
    #[error("cannot open {queue}: {reason}")]
    Open {
        /// The queue.
        queue: ObjectName,
        /// The cause.
        reason: Reason,
    },
    /// A message cannot be read.
    #[error("cannot get from {queue}: {reason}")]
    Get {
        /// The queue.
        queue: ObjectName,
        /// The cause.
        reason: Reason,
        /// The messages moved before.
        moved: Moved,
    },
    /// The other queue does not take a message.
    #[error("cannot put message {message} on {queue}: {reason}")]
    Put {
        /// The queue.
        queue: ObjectName,
        /// The message, which is where it was.
        message: MessageId,
        /// The cause.
        reason: Reason,
        /// The messages moved before.
        moved: Moved,
    },
    /// The end of a unit of work failed.
    #[error("cannot commit: {reason}")]
    Commit {
        /// The cause. Unless it is `BACKED_OUT`, the unit may be committed.
        reason: Reason,
        /// The messages moved before, without those of the unit.
        moved: Moved,
        /// Messages of the unit.
        in_doubt: u64,
    },
}

impl MovesError {
    /// The reason that a call gave, if one did.
    #[must_use]
    pub const fn reason(&self) -> Option<Reason> {
        match self {
            Self::SameQueue { .. } => None,
            Self::Open { reason, .. }
            | Self::Get { reason, .. }
            | Self::Put { reason, .. }
            | Self::Commit { reason, .. } => Some(*reason),
        }
    }

    /// The messages that were moved before.
    #[must_use]
    pub fn moved(&self) -> Moved {
        match self {
            Self::SameQueue { .. } | Self::Open { .. } => Moved::default(),
            Self::Get { moved, .. } | Self::Put { moved, .. } | Self::Commit { moved, .. } => *moved,
        }
    }
}

/// Moves messages as planned; `told` hears what is committed after each unit of work.
///
/// No more messages are moved than were on the queue at the beginning, so that a way back to it cannot go on
/// for ever.
///
/// # Errors
/// The cause of an early end.
pub fn run(
    verbs: &mut dyn Verbs,
    plan: &Plan,
    mut told: impl FnMut(Moved) -> Go,
) -> Result<Moved, MovesError> {
    let way = if plan.copies { OpenOptions::BROWSE } else { OpenOptions::INPUT_AS_Q_DEF };
    let source =
        ObjectDescriptor { selection_string: plan.selector.clone(), ..ObjectDescriptor::queue(plan.from) };
    let source = open(verbs, &source, way)?;
    let target = ObjectDescriptor {
        object_queue_manager_name: plan.to_queue_manager,
        ..ObjectDescriptor::queue(plan.to)
    };
    let outcome = match open(verbs, &target, OpenOptions::OUTPUT | OpenOptions::SET_ALL_CONTEXT) {
        Ok(target) => {
            let outcome = move_between(verbs, plan, &source, &target, &mut told);
            // The outcome of the move is what there is to say.
            let _ = verbs.close(target.handle, CloseOptions::EMPTY);
            outcome
        }
        Err(error) => Err(error),
    };
    let _ = verbs.close(source.handle, CloseOptions::EMPTY);
    outcome
}

fn open(
    verbs: &mut dyn Verbs,
    object: &ObjectDescriptor,
    options: OpenOptions,
) -> Result<Opened, MovesError> {
    let opened = verbs.open(object, options | OpenOptions::FAIL_IF_QUIESCING);
    opened.map_err(|reason| MovesError::Open { queue: object.object_name, reason })
}

fn move_between(
    verbs: &mut dyn Verbs,
    plan: &Plan,
    source: &Opened,
    target: &Opened,
    told: &mut impl FnMut(Moved) -> Go,
) -> Result<Moved, MovesError> {
    let place = |opened: &Opened| (opened.resolved_queue_manager_name, opened.resolved_queue_name);
    if target.topic_string.is_none() && place(source) == place(target) {
        let queue = source.resolved_queue_name;
        return Err(MovesError::SameQueue { queue });
    }
    let most = plan.most.min(depth(verbs, source.resolved_queue_name).unwrap_or(DEPTH_MAX));
    let mut mover =
        Mover { verbs, plan, source: source.handle, target: target.handle, moved: Moved::default() };
    let mut batch = u64::from(plan.batch.clamp(1, BATCH_MAX));
    while mover.moved.messages < most {
        let before = mover.moved.messages;
        match mover.unit(batch.min(most - before))? {
            Unit::Last => return Ok(mover.moved),
            Unit::Full => batch = u64::from(plan.batch.clamp(1, BATCH_MAX)),
            // The messages before the one that was refused go in a unit of their own.
            Unit::Refused { after } => {
                batch = after;
                continue;
            }
        }
        if told(mover.moved) == Go::Stop {
            mover.moved.is_cut_off = mover.moved.messages < most;
            return Ok(mover.moved);
        }
    }
    Ok(mover.moved)
}

/// The number of messages on a local queue, if it tells.
fn depth(verbs: &mut dyn Verbs, queue: ObjectName) -> Option<u64> {
    let options = OpenOptions::INQUIRE | OpenOptions::FAIL_IF_QUIESCING;
    let handle = verbs.open(&ObjectDescriptor::queue(queue), options).ok()?.handle;
    let inquired = verbs.inquire(handle, &[Selector(MQIA_CURRENT_Q_DEPTH)]);
    let _ = verbs.close(handle, CloseOptions::EMPTY);
    match inquired.ok()?.values.first()? {
        AttributeValue::Integer(depth) => u64::try_from(*depth).ok(),
        AttributeValue::Text(_) => None,
    }
}

/// The end of a unit of work.
enum Unit {
    /// Committed, and there may be more.
    Full,
    /// Committed, and nothing is left.
    Last,
    /// Backed out: the message behind so many was refused.
    Refused { after: u64 },
}

struct Mover<'a> {
    verbs: &'a mut dyn Verbs,
    plan: &'a Plan,
    source: ObjectHandle,
    target: ObjectHandle,
    moved: Moved,
}

impl Mover<'_> {
    /// Moves at most so many messages in one unit of work.
    fn unit(&mut self, most: u64) -> Result<Unit, MovesError> {
        let mut unit = Moved::default();
        let mut is_last = false;
        while unit.messages < most && unit.bytes < BATCH_BYTES_MAX as u64 {
            let is_first = self.moved.messages + unit.messages == 0;
            let (mut descriptor, body) = match self.next(is_first) {
                Ok(Some(message)) => message,
                Ok(None) => {
                    is_last = true;
                    break;
                }
                Err(reason) if unit.messages > 0 && reason == Reason::SYNCPOINT_LIMIT_REACHED => break,
                Err(reason) => {
                    let _ = self.verbs.back();
                    return Err(MovesError::Get { queue: self.plan.from, reason, moved: self.moved });
                }
            };
            let asks = ReportOptions::COA | ReportOptions::COD;
            let is_reported = descriptor.report.intersects(asks);
            let message = descriptor.message_id;
            let bytes = body.len() as u64;
            let flags = PutFlags::SYNCPOINT
                | PutFlags::SYNC_RESPONSE
                | PutFlags::SET_ALL_CONTEXT
                | PutFlags::FAIL_IF_QUIESCING;
            let put = self.verbs.put(self.target, &mut descriptor, &mut PutOptions::with(flags), body);
            if let Err(reason) = put {
                // A connection that broke has backed out by itself.
                let _ = self.verbs.back();
                // A copy cannot go back to a message that it has read past.
                if unit.messages > 0 && !self.plan.copies && !ends(reason) {
                    return Ok(Unit::Refused { after: unit.messages });
                }
                return Err(MovesError::Put { queue: self.plan.to, message, reason, moved: self.moved });
            }
            unit.messages += 1;
            unit.bytes += bytes;
            unit.reported += u64::from(is_reported);
        }
        if unit.messages > 0 {
            self.verbs.commit().map_err(|reason| MovesError::Commit {
                reason,
                moved: self.moved,
                in_doubt: unit.messages,
            })?;
        }
        self.moved.messages += unit.messages;
        self.moved.bytes += unit.bytes;
        self.moved.reported += unit.reported;
        Ok(if is_last { Unit::Last } else { Unit::Full })
    }

    /// The next message, if there is one.
    fn next(&mut self, is_first: bool) -> Result<Option<(MessageDescriptor, Bytes)>, Reason> {
        let way = match (self.plan.copies, is_first) {
            (false, _) => GetFlags::SYNCPOINT,
            (true, true) => GetFlags::BROWSE_FIRST,
            (true, false) => GetFlags::BROWSE_NEXT,
        };
        let flags = way | GetFlags::PROPERTIES_FORCE_MQRFH2 | GetFlags::FAIL_IF_QUIESCING;
        let mut descriptor = self.plan.pattern();
        let mut options = GetOptions::with(flags, Wait::No);
        match self.verbs.get(self.source, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
            Ok(got) => Ok(Some((descriptor, got.body))),
            Err(Reason::NO_MSG_AVAILABLE) => Ok(None),
            Err(reason) => Err(reason),
        }
    }
}

/// Returns true if nothing more can be done on the connection, or with the queue.
fn ends(reason: Reason) -> bool {
    reason.ends_connection() || matches!(reason, Reason::HCONN_ERROR | Reason::BACKED_OUT)
}
