//! The number of an entry in the slab of its queue.

/// The place of an entry in its queue's slab.
pub type Slot = u32;

/// No slot.
pub(crate) const NONE: Slot = u32::MAX;
