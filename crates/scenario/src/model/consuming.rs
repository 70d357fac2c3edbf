//! Consumers: functions that are called with one message after the other.
//!
//! A consumer is one who gets, without waiting, until it has had enough or is told that there is no more.

use mqi::{GetFlags, GetOptions, Reason, Wait, constants};

use super::Manager;
use super::calls::Replied;
use crate::consuming::{Consume, Control};
use crate::{Call, Expected};

/// Every option that a callback may have.
const OPTIONS: i32 = 1 | 4 | 0x100 | 0x200 | 0x2000 | 0x4000 | 0x8000;

/// Options of a get for one who asks for a certain message.
const NOT_FOR_CONSUMERS: GetFlags = GetFlags::MSG_UNDER_CURSOR
    .union(GetFlags::BROWSE_MSG_UNDER_CURSOR)
    .union(GetFlags::UNLOCK)
    .union(GetFlags::SET_SIGNAL);

/// Checks a registration; true if the consumer is suspended from the start.
fn check(asked: Consume, flags: GetFlags) -> Result<bool, Reason> {
    let (register, suspend, resume) =
        (constants::MQOP_REGISTER, constants::MQOP_SUSPEND, constants::MQOP_RESUME);
    let is_suspended = match asked.operation {
        operation if operation == register || operation == register | resume => false,
        operation if operation == register | suspend => true,
        operation if [constants::MQOP_DEREGISTER, suspend, resume].contains(&operation) => {
            return Err(Reason::CALLBACK_NOT_REGISTERED);
        }
        _ => return Err(Reason::OPERATION_ERROR),
    };
    if asked.options & !OPTIONS != 0 {
        return Err(Reason::CBD_OPTIONS_ERROR);
    }
    if flags.intersects(NOT_FOR_CONSUMERS) { Err(Reason::OPTIONS_ERROR) } else { Ok(is_suspended) }
}

/// Returns the result of MQCTL where there is no consumer.
pub(super) fn control(asked: Control) -> Result<(), Reason> {
    if asked.options & !(1 | 0x2000) != 0 {
        return Err(Reason::OPTIONS_ERROR);
    }
    match asked.operation {
        constants::MQOP_STOP => Ok(()),
        constants::MQOP_SUSPEND | constants::MQOP_RESUME => Err(Reason::OPERATION_NOT_ALLOWED),
        _ => Err(Reason::OPERATION_ERROR),
    }
}

impl Manager {
    pub(super) fn consume(&mut self, client: &str, handle: u64, get: &Call, asked: Consume) -> Replied {
        let Call::Get { descriptor, options, bytes_max, .. } = get else {
            unreachable!("a consumer gets, and does not {get:?}")
        };
        let is_suspended = check(asked, options.flags)?;
        let options = GetOptions { wait: Wait::No, ..options.clone() };
        self.judge_get(client, handle, (descriptor, &options), None)?;
        let queue = self.client(client).handles[&handle].queue;
        self.check_unit(queue, options.flags)?;
        if is_suspended {
            return Err(Reason::NO_CALLBACKS_ACTIVE);
        }
        let (mut messages, mut need) = (Vec::new(), self.first_version);
        let reason = loop {
            let got = match self.get(client, handle, (descriptor, &options), (*bytes_max, None)) {
                Err(reason) => break Some(reason),
                Ok(None) => unreachable!("a get that does not wait has an outcome"),
                Ok(Some((got, of_get))) => {
                    need = need.max(of_get);
                    got
                }
            };
            if got.body.is_none() {
                break got.reason;
            }
            messages.push(got);
            if messages.len() >= asked.messages_max {
                break None;
            }
        };
        Ok(Some((Expected { messages, reason, ..Expected::default() }, need)))
    }
}
