//! Commands between two steps of the host.

use std::sync::Arc;

use objects::{ChannelAttributes, Definition, Moment, ObjectType};
use platform::simulated::Machine;

use super::*;
use crate::catalogue::testing::NoHost;

#[test]
fn a_channel_that_a_command_stops_just_before_its_call_does_not_call() {
    let name = "TO.B".parse().unwrap();
    let definition = Definition::new(ObjectType::SenderChannel, name, Moment(0));
    let attributes = ChannelAttributes::of(&definition).unwrap();
    let channels = MessageChannels::new(&Machine::new(1).world(), Arc::new(NoHost), Arc::default());
    let stop =
        Stopping { ask: ChannelAsk::Quiesce, standing: Standing::Stopped, partner: None, address: None };
    channels.start(name);
    assert_eq!(channels.take_due(), [name]);
    channels.stop(&name, &stop);
    assert!(channels.dial(attributes.clone()).is_none());
    assert_eq!(channels.schedule(&name).standing, Standing::Stopped);
    channels.start(name);
    assert_eq!(channels.take_due(), [name]);
    assert!(channels.dial(attributes).is_some());
}
