//! Messages that the queue manager makes itself: trigger messages, events, accounting and statistics.

use formats::headers::Place;
use mqi::{Encoding, MessageDescriptor, MessageType, ObjectDescriptor, Persistence, Priority, Reason, Text};
use objects::DefinitionType;
use queues::message::report::Report;
use queues::queue::Queue;

use crate::directory::Directory;

/// The character set of such a message when the queue manager's own has no table.
const UTF_8: i32 = 1208;

impl Directory {
    /// Makes a message of the queue manager's own for a queue, with the queue's defaults and without an
    /// identity.
    pub(crate) fn own_message(
        &self,
        to: &Queue,
        format: &str,
        body: impl Fn(&Place) -> Result<Vec<u8>, Reason>,
    ) -> Report {
        let attributes = to.attributes();
        let ccsid = self.catalogue.manager().attributes.coded_character_set;
        let format = Text::truncated(format.trim_end());
        let place = Place { encoding: Encoding::NATIVE, coded_character_set: ccsid, format };
        let (place, body) = match body(&place) {
            Ok(body) => (place, body),
            Err(_) => {
                let place = Place { coded_character_set: UTF_8, ..place };
                (place, body(&place).expect("everything can be written in UTF-8"))
            }
        };
        // A temporary queue takes none that last.
        let is_persistent =
            attributes.default_persistent && attributes.definition_type != DefinitionType::TemporaryDynamic;
        let mut descriptor = MessageDescriptor {
            message_type: MessageType::DATAGRAM,
            priority: Priority::new(attributes.default_priority),
            persistence: if is_persistent { Persistence::Persistent } else { Persistence::NotPersistent },
            message_id: self.identifiers.next(),
            reply_to_queue_manager: self.name.into(),
            ..MessageDescriptor::default()
        };
        place.describe(&mut descriptor);
        self.own_origin().fill_origin(&mut descriptor, self.ground().world.clock.wall());
        Report::of_message(descriptor, body.into(), ObjectDescriptor::queue(to.name))
    }
}
