//! Asynchronous puts, until their outcome is known.
//!
//! Lives here: how many there are, and to what the first of them was. Lives elsewhere: what became of those
//! that the queue manager has told of (`PutStatus`).

use ::channel::client::Target;
use mqi::{PutObject, PutStatus, Reason};

use super::Connection;

/// Puts without a reply that nothing is known of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unheard {
    puts: u32,
    /// The object of the first put.
    first: PutObject,
}

impl Unheard {
    /// None, with all there were.
    pub(super) fn take(&mut self) -> Self {
        std::mem::take(self)
    }
}

impl Connection {
    /// A put without a reply is about to be made.
    pub(super) fn note_unheard(&mut self, target: &Target, is_in_unit: bool) {
        let puts = if is_in_unit { self.unheard_in_unit.puts } else { self.unheard.puts };
        let first = (puts == 0).then(|| self.put_object(target));
        let unheard = if is_in_unit { &mut self.unheard_in_unit } else { &mut self.unheard };
        unheard.puts = puts.saturating_add(1);
        if let Some(first) = first {
            unheard.first = first;
        }
    }

    /// Returns the object of a put, as the program named it.
    #[cold]
    fn put_object(&self, target: &Target) -> PutObject {
        let (object, name) = match target {
            Target::Object(object) => (&**object, object.object_name),
            Target::Handle(server) => {
                let found = self.handles.iter().flatten().find(|open| open.server == *server);
                let Some(open) = found else { return PutObject::default() };
                (&open.object, open.name)
            }
        };
        PutObject {
            object_type: Some(object.object_type),
            object_name: name,
            object_queue_manager_name: object.object_queue_manager_name,
            ..PutObject::default()
        }
    }

    /// Puts without a reply may not have happened: a broken link took them with it.
    pub(super) fn note_lost_puts(&mut self, lost: Unheard) {
        let Unheard { puts: 1.., first } = lost else { return };
        if self.lost.failures == 0 {
            self.lost =
                PutStatus { reason: Some(Reason::CONNECTION_BROKEN), object: first, ..PutStatus::default() };
        }
        self.lost.failures = self.lost.failures.saturating_add(lost.puts);
    }
}
