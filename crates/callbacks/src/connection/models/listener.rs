//! A connection over which messages are heard and nothing else is done.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mqi::listen::Wake;
use mqi::{Forwards, Getter, Got, Heard, Listen, Reason, Verbs};
use platform::sync::{Condvar, Mutex};

/// A queue that messages come to, and how many were taken from it.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<Messages>,
    changed: Condvar,
}

#[derive(Default)]
pub(super) struct Messages {
    pub(super) here: usize,
    pub(super) taken: usize,
    /// The consumer stops with this one, if any.
    pub(super) last: usize,
    is_rung: bool,
    /// The connection has ended.
    has_ended: bool,
}

impl Queue {
    /// Waits until so many were taken.
    pub(super) fn wait(&self, taken: usize) {
        let mut messages = self.state.lock();
        while messages.taken < taken {
            self.changed.wait(&mut messages);
        }
    }

    pub(super) fn taken(&self) -> usize {
        self.state.lock().taken
    }

    pub(super) fn is_last(&self) -> bool {
        let messages = self.state.lock();
        messages.taken == messages.last
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Messages)) {
        change(&mut self.state.lock());
        self.changed.notify_all();
    }
}

/// A connection to it. Of the verbs only what starting and ending needs.
pub(super) struct Listener(pub(super) Arc<Queue>);

impl Listen for Listener {
    fn check_getter(&mut self, _: &Getter) -> Result<(), Reason> {
        Ok(())
    }

    fn check_quiescing(&mut self) -> Result<(), Reason> {
        Ok(())
    }

    fn listen(
        &mut self,
        getters: &[Getter],
        _: usize,
        timeout: Option<Duration>,
    ) -> Result<Option<Heard>, Reason> {
        let mut messages = self.0.state.lock();
        loop {
            if let Some(getter) = getters.first().filter(|_| messages.here > 0) {
                messages.here -= 1;
                let (descriptor, options) = (getter.descriptor.clone(), getter.options.clone());
                return Ok(Some(Heard {
                    getter: 0,
                    descriptor,
                    options,
                    got: Ok(Got::default()),
                    shown: Bytes::new(),
                    is_last_ahead: false,
                }));
            }
            if std::mem::take(&mut messages.is_rung) || timeout.is_some() {
                return Ok(None);
            }
            self.0.changed.wait(&mut messages);
        }
    }

    fn waker(&self) -> Wake {
        let queue = Arc::clone(&self.0);
        Box::new(move || queue.change(|messages| messages.is_rung = true))
    }

    fn has_unit(&self) -> bool {
        false
    }
}

/// Answers each call; a model sees by it that its call reached the connection.
pub(super) const ANSWER: Reason = Reason::ENVIRONMENT_ERROR;

impl Forwards for Listener {
    fn forward<T>(&mut self, _: impl FnOnce(&mut dyn Verbs) -> Result<T, Reason>) -> Result<T, Reason> {
        Err(if self.0.state.lock().has_ended { Reason::HCONN_ERROR } else { ANSWER })
    }

    fn forward_disconnect(&mut self) -> Result<(), Reason> {
        if std::mem::replace(&mut self.0.state.lock().has_ended, true) {
            return Err(Reason::HCONN_ERROR);
        }
        Ok(())
    }
}
