//! Every kind of event the engine tells its host, with how many inserts its message has.
//!
//! The words of a message are a row of [`objects::messages`]; the host writes them down.

use crate::ground::host::Event;

/// One kind of event.
pub struct Kind<const INSERTS: usize>(&'static str);

impl<const INSERTS: usize> Kind<INSERTS> {
    /// An event of this kind, with its inserts in the order of the message.
    #[track_caller]
    pub fn with(&self, inserts: [String; INSERTS]) -> Event {
        Event::new(self.0, inserts.into())
    }
}

macro_rules! events {
    ($($name:ident = $id:literal, $inserts:literal;)*) => {
        $(
            #[doc = concat!("Message ", $id, ".")]
            pub const $name: Kind<$inserts> = Kind($id);
        )*

        #[cfg(test)]
        const ALL: &[(&str, usize)] = &[$(($id, $inserts)),*];
    };
}

events! {
    SLOW_LOG = "FRY6729W", 4;
    NO_ROOM_FOR_EXTENT = "FRY7463W", 1;
    CHECKPOINT_NOT_TAKEN = "FRY7464W", 1;
    OLD_UNIT_BACKED_OUT = "FRY7469W", 2;
    REPORT_DROPPED = "FRY7473W", 5;
    TRIGGER_DROPPED = "FRY7474W", 3;
    MESSAGE_UNREADABLE = "FRY7472E", 3;
    NOT_KEPT = "FRY7475W", 1;
    KEPT_UNREADABLE = "FRY7476W", 3;
    IMAGE_TAKEN = "FRY7477I", 3;
    IMAGE_NOT_TAKEN = "FRY7478W", 1;
    IMAGE_NOT_REMOVED = "FRY7479W", 1;
    IMAGE_WITHOUT = "FRY7480W", 1;
    IMAGE_FOREIGN = "FRY7481W", 1;
    PUTS_REFUSED = "FRY7482W", 2;
    GROWTH_REFUSED = "FRY7483W", 1;
    GROWTH_NEAR = "FRY7484W", 6;
    OLD_BRANCH_ROLLED_BACK = "FRY7485W", 2;
    BRANCH_WAITS = "FRY7486W", 5;
    CHANNEL_ENDS_DIFFER = "FRY7490W", 2;
    MESSAGES_DROPPED = "FRY7491W", 2;
    ATTRIBUTE_ABOVE_SETTING = "FRY8090W", 4;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_has_a_message_with_as_many_inserts() {
        for (id, inserts) in ALL {
            let row = objects::messages::find(id).unwrap_or_else(|| panic!("{id} has no message"));
            assert_eq!((row.id().as_str(), row.insert_count()), (*id, *inserts));
        }
    }
}
