//! The state that routes share.

use std::sync::Arc;

use crate::counted::Counted;
use crate::source::Source;

/// The queue manager, and the requests that were answered.
pub(super) struct Shared {
    pub(super) source: Arc<Source>,
    pub(super) counted: Counted,
}

impl Shared {
    pub(super) fn new(source: Arc<Source>) -> Self {
        Self { source, counted: Counted::default() }
    }
}
