//! The descriptor of a message as its putter is shown it.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use mqi::MessageDescriptor;

use super::Payload;

/// A descriptor that is the message's own for as long as nobody changes it: what a putter is told is mostly what is on the queue, and a
/// copy for each would be a good part of what a put costs.
#[derive(Clone, Debug)]
pub struct SharedDescriptor(Arc<Payload>);

impl SharedDescriptor {
    pub(crate) fn of(payload: &Arc<Payload>) -> Self {
        Self(Arc::clone(payload))
    }
}

impl Deref for SharedDescriptor {
    type Target = MessageDescriptor;

    fn deref(&self) -> &MessageDescriptor {
        &self.0.descriptor
    }
}

impl DerefMut for SharedDescriptor {
    /// Whoever changes it has a copy from then on, unless it is nobody else's.
    fn deref_mut(&mut self) -> &mut MessageDescriptor {
        &mut Arc::make_mut(&mut self.0).descriptor
    }
}
