//! Every option of MQCB and MQCTL, taken, and refused beside one that is none.

use callbacks::{CallbackOptions, CallbackType, Connection, Description, Operation};
use mqi::constants::{
    MQCBDO_DEREGISTER_CALL, MQCBDO_EVENT_CALL, MQCBDO_FAIL_IF_QUIESCING, MQCBDO_MC_EVENT_CALL,
    MQCBDO_REGISTER_CALL, MQCBDO_START_CALL, MQCBDO_STOP_CALL, MQCTLO_FAIL_IF_QUIESCING,
    MQCTLO_THREAD_AFFINITY,
};
use mqi::{GetFlags, Listen, MessageDescriptor, OpenOptions, Reason, Wait};

use crate::support::*;

const OF_CALLBACKS: [i32; 7] = [
    MQCBDO_START_CALL,
    MQCBDO_STOP_CALL,
    MQCBDO_REGISTER_CALL,
    MQCBDO_DEREGISTER_CALL,
    MQCBDO_FAIL_IF_QUIESCING,
    MQCBDO_EVENT_CALL,
    MQCBDO_MC_EVENT_CALL,
];

/// Bits of the options of a callback that mean nothing.
const OF_NOTHING: [i32; 3] = [2, 1 << 20, i32::MIN];

struct Registering {
    besides: i32,
    expected: Result<(), Reason>,
}

impl OnEvery for Registering {
    fn run<V: Listen + Send + 'static>(self, _: &Bench, mut connection: Connection<V>) {
        let handle = open_queue(&mut connection, "A", OpenOptions::INPUT_SHARED);
        let usual = any(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        let descriptor = MessageDescriptor::default();
        for option in OF_CALLBACKS {
            let description = Description::consumer(|_, _| {}).with(CallbackOptions(option | self.besides));
            let registered =
                connection.callback(Operation::REGISTER, Some(description), handle, &descriptor, &usual);
            assert_eq!(registered, self.expected, "{option:#x} beside {:#x}", self.besides);
        }
    }
}

#[test]
fn a_callback_may_have_each_option() {
    on_every("DEFINE QLOCAL(A)", || Registering { besides: 0, expected: Ok(()) });
}

#[test]
fn a_callback_has_no_option_that_is_none() {
    for besides in OF_NOTHING {
        on_every("DEFINE QLOCAL(A)", || Registering { besides, expected: Err(Reason::CBD_OPTIONS_ERROR) });
    }
}

struct Controlling {
    besides: i32,
    expected: Result<(), Reason>,
}

impl OnEvery for Controlling {
    fn run<V: Listen + Send + 'static>(self, _: &Bench, mut connection: Connection<V>) {
        let handle = open_queue(&mut connection, "A", OpenOptions::INPUT_SHARED);
        register(&connection, handle, Description::consumer(|_, _| {}), GetFlags::NO_SYNCPOINT);
        for option in [MQCTLO_THREAD_AFFINITY, MQCTLO_FAIL_IF_QUIESCING] {
            for operation in [Operation::START, Operation::SUSPEND, Operation::RESUME, Operation::STOP] {
                let done = connection.control(operation, option | self.besides).map(drop);
                assert_eq!(done, self.expected, "{operation:?} {option:#x} beside {:#x}", self.besides);
            }
        }
    }
}

#[test]
fn consumers_are_controlled_with_each_option() {
    on_every("DEFINE QLOCAL(A)", || Controlling { besides: 0, expected: Ok(()) });
}

#[test]
fn consumers_are_not_controlled_with_an_option_that_is_none() {
    for besides in OF_NOTHING {
        on_every("DEFINE QLOCAL(A)", || Controlling { besides, expected: Err(Reason::OPTIONS_ERROR) });
    }
}

struct Operating;

impl OnEvery for Operating {
    fn run<V: Listen + Send + 'static>(self, _: &Bench, mut connection: Connection<V>) {
        let handle = open_queue(&mut connection, "A", OpenOptions::INPUT_SHARED);
        let usual = any(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        let descriptor = MessageDescriptor::default();
        for operation in [
            Operation::REGISTER,
            Operation::SUSPEND,
            Operation::RESUME,
            Operation::DEREGISTER,
            Operation::REGISTER,
        ] {
            let description = (operation == Operation::REGISTER).then(|| Description::consumer(|_, _| {}));
            let done = connection.callback(operation, description, handle, &descriptor, &usual);
            assert_eq!(done, Ok(()), "{operation:?}");
        }
        for operation in [Operation::START, Operation::SUSPEND, Operation::RESUME, Operation::STOP] {
            assert_eq!(connection.control(operation, 0), Ok(None), "{operation:?}");
        }
    }
}

#[test]
fn each_operation_is_done() {
    on_every("DEFINE QLOCAL(A)", || Operating);
}

struct Contradicting;

impl OnEvery for Contradicting {
    fn run<V: Listen + Send + 'static>(self, _: &Bench, mut connection: Connection<V>) {
        let handle = open_queue(&mut connection, "A", OpenOptions::INPUT_SHARED);
        register(&connection, handle, Description::consumer(|_, _| {}), GetFlags::NO_SYNCPOINT);
        let usual = any(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        let refused = Err(Reason::OPERATION_ERROR);
        for (one, other) in [
            (Operation::REGISTER, Operation::DEREGISTER),
            (Operation::DEREGISTER, Operation::SUSPEND),
            (Operation::SUSPEND, Operation::RESUME),
        ] {
            let both = one.and(other);
            let description = Some(Description::consumer(|_, _| {}));
            let done = connection.callback(both, description, handle, &MessageDescriptor::default(), &usual);
            assert_eq!(done, refused, "{both:?}");
        }
        for (one, other) in [
            (Operation::START, Operation::STOP),
            (Operation::START_WAIT, Operation::STOP),
            (Operation::SUSPEND, Operation::RESUME),
        ] {
            let both = one.and(other);
            assert_eq!(connection.control(both, 0).map(drop), refused, "{both:?}");
        }
    }
}

#[test]
fn no_operation_is_done_beside_one_that_contradicts_it() {
    on_every("DEFINE QLOCAL(A)", || Contradicting);
}

#[test]
fn a_callback_is_for_messages_or_for_events() {
    assert_eq!(CallbackType::from_code(1), Ok(CallbackType::MessageConsumer));
    assert_eq!(CallbackType::from_code(2), Ok(CallbackType::EventHandler));
    for code in [0, 3, -1, i32::MIN] {
        assert_eq!(CallbackType::from_code(code), Err(Reason::CALLBACK_TYPE_ERROR), "{code}");
    }
}
