//! The descriptor of a message as its getter is shown it, and as its putter is.
//!
//! Always: copies of a publication that share their payload are shown as if each had one of its own; a
//! descriptor is made for one of them only when a caller reads it as a whole.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use formats::headers::Place;
use mqi::{CorrelationId, MessageDescriptor, Persistence};

use super::{Payload, ReportRights};

/// A descriptor that shares the message's own until the putter changes it: a putter is mostly returned the
/// descriptor on the queue, and a copy for each would be a good part of the cost of a put.
#[derive(Clone, Debug)]
pub struct SharedDescriptor(Arc<Payload>);

impl SharedDescriptor {
    /// The descriptor of a message on a queue.
    pub fn of(payload: &Arc<Payload>) -> Self {
        Self(Arc::clone(payload))
    }

    /// A copy that no message has.
    pub fn copied(descriptor: &MessageDescriptor) -> Self {
        Self(Payload::in_place(descriptor, Bytes::new()))
    }
}

impl Deref for SharedDescriptor {
    type Target = MessageDescriptor;

    fn deref(&self) -> &MessageDescriptor {
        &self.0.descriptor
    }
}

impl DerefMut for SharedDescriptor {
    /// A putter that changes it has a copy from then on, where others have it too.
    fn deref_mut(&mut self) -> &mut MessageDescriptor {
        &mut Arc::make_mut(&mut self.0).descriptor
    }
}

/// A descriptor that shares the message's own until it is changed: a getter is mostly given the descriptor on
/// the queue, and a copy for each would be a good part of the cost of a get.
#[derive(Clone, Debug)]
pub struct GotDescriptor {
    payload: Arc<Payload>,
    /// Fields of a copy of a publication that it does not share with the others.
    own: Option<Own>,
}

/// Fields that a copy of a publication has for itself.
#[derive(Clone, Debug)]
struct Own {
    correlation_id: CorrelationId,
    /// True if its getter is given the body without the properties in front of it, and the description of the
    /// bytes behind them.
    is_behind_front: bool,
    /// The whole descriptor, once a caller has read it.
    whole: OnceLock<Box<MessageDescriptor>>,
}

/// A host's encoding of the descriptor of copies.
#[derive(Clone, Debug)]
pub(super) struct Written {
    is_behind_front: bool,
    bytes: Bytes,
}

impl GotDescriptor {
    /// The descriptor of a message that has this correlation identifier on its queue.
    pub(super) fn of_copy(payload: Arc<Payload>, correlation_id: &[u8; 24]) -> Self {
        let own = payload.is_common.then(|| Own {
            correlation_id: CorrelationId(*correlation_id),
            is_behind_front: false,
            whole: OnceLock::new(),
        });
        Self { payload, own }
    }

    /// Sets the description of the bytes behind the properties in front of the body, which are left out.
    pub(crate) fn leave_front_out(&mut self, following: Place) {
        match &mut self.own {
            Some(own) => (own.is_behind_front, own.whole) = (true, OnceLock::new()),
            None => following.describe(self),
        }
    }

    /// True if the message is persistent; this makes no descriptor.
    #[must_use]
    pub fn is_persistent(&self) -> bool {
        self.payload.descriptor.persistence == Persistence::Persistent
    }

    /// True if the message is a command whose context was made by this queue manager, for an administrator's
    /// login.
    #[must_use]
    pub fn is_of_administrator(&self) -> bool {
        self.payload.is_of_administrator
    }

    /// Rights of the reports about the message.
    pub fn report_rights(&self) -> ReportRights {
        self.payload.report_rights
    }

    /// Makes another descriptor say the same.
    pub fn copy_to(&self, descriptor: &mut MessageDescriptor) {
        descriptor.clone_from(&self.payload.descriptor);
        if let Some(own) = &self.own {
            own.say_in(descriptor, &self.payload);
        }
    }

    /// Returns a host's encoding of copies of a publication, and the correlation identifier of this one. The
    /// first copy that is asked makes the encoding, from a descriptor without correlation identifier, always
    /// by the same function. None for a message that shares nothing, and for one whose body differs in form
    /// from the first.
    pub fn written_once(
        &self,
        write: impl FnOnce(&MessageDescriptor) -> Vec<u8>,
    ) -> Option<(&Bytes, &CorrelationId)> {
        let own = self.own.as_ref()?;
        let written = self.payload.made().written.get_or_init(|| {
            let mut common = self.payload.descriptor.clone();
            own.say_in(&mut common, &self.payload);
            common.correlation_id = CorrelationId::NONE;
            Written { is_behind_front: own.is_behind_front, bytes: write(&common).into() }
        });
        (written.is_behind_front == own.is_behind_front).then_some((&written.bytes, &own.correlation_id))
    }
}

impl Own {
    /// All of the descriptor of this copy.
    fn whole(&self, common: &Payload) -> MessageDescriptor {
        let mut whole = common.descriptor.clone();
        self.say_in(&mut whole, common);
        whole
    }

    fn say_in(&self, descriptor: &mut MessageDescriptor, common: &Payload) {
        descriptor.correlation_id = self.correlation_id;
        if let Some(front) = common.front.as_ref().filter(|_| self.is_behind_front) {
            front.following.describe(descriptor);
        }
    }
}

impl Deref for GotDescriptor {
    type Target = MessageDescriptor;

    fn deref(&self) -> &MessageDescriptor {
        let Some(own) = &self.own else { return &self.payload.descriptor };
        own.whole.get_or_init(|| Box::new(own.whole(&self.payload)))
    }
}

impl DerefMut for GotDescriptor {
    /// A change makes a copy first, unless the descriptor is shared with no other message.
    fn deref_mut(&mut self) -> &mut MessageDescriptor {
        if let Some(own) = self.own.take() {
            let own = Payload::new(own.whole(&self.payload), Bytes::new());
            let own = own.with_report_rights(self.payload.report_rights);
            *self = Self { payload: Arc::new(own), own: None };
        }
        &mut Arc::make_mut(&mut self.payload).descriptor
    }
}

impl From<MessageDescriptor> for GotDescriptor {
    fn from(descriptor: MessageDescriptor) -> Self {
        Self { payload: Arc::new(Payload::new(descriptor, Bytes::new())), own: None }
    }
}
