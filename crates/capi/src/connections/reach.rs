//! A way to a queue manager, whichever it is.

use mqi::listen::{OnEvent, Wake};
use mqi::{Forwards, Getter, Heard, Listen, Reason, Verbs};
use std::time::Duration;

/// A connection over a socket, or to the queue manager in this process.
pub(crate) struct Reach(pub(crate) Box<dyn Listen + Send>);

impl Forwards for Reach {
    fn forward<T>(&mut self, call: impl FnOnce(&mut dyn Verbs) -> Result<T, Reason>) -> Result<T, Reason> {
        call(&mut *self.0)
    }
}

impl Listen for Reach {
    fn check_getter(&mut self, getter: &Getter) -> Result<(), Reason> {
        self.0.check_getter(getter)
    }

    fn check_quiescing(&mut self) -> Result<(), Reason> {
        self.0.check_quiescing()
    }

    fn listen(
        &mut self,
        getters: &[Getter],
        first: usize,
        timeout: Option<Duration>,
    ) -> Result<Option<Heard>, Reason> {
        self.0.listen(getters, first, timeout)
    }

    fn event(&mut self) -> Option<Reason> {
        self.0.event()
    }

    fn when_not_listened_to(&mut self, on_event: OnEvent) {
        self.0.when_not_listened_to(on_event);
    }

    fn waker(&self) -> Wake {
        self.0.waker()
    }

    fn has_unit(&self) -> bool {
        self.0.has_unit()
    }
}
