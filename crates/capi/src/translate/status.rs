//! MQSTS.

use super::text::NATIVE_CCSID;
use crate::layout::{MQCHARV, MQSTS};
use crate::memory::{Structure, give};
use mqi::{PutObject, Status, constants};

/// Leaves a status with the program.
pub(crate) fn give_status(program: &Structure<MQSTS>, status: &Status) {
    let object = &status.object;
    let first = MQSTS::DEFAULT;
    // Fields about an object have their initial values where there is none to tell of.
    let is_told = *object != PutObject::default();
    let name = |padded: [u8; 48]| if is_told { padded } else { first.ObjectName };
    give!(
        program,
        MQSTS {
            CompCode: status.completion.code(),
            Reason: status.reason.map_or(constants::MQRC_NONE, mqi::Reason::code),
            PutSuccessCount: i32::try_from(status.put_success_count).unwrap_or(i32::MAX),
            PutWarningCount: i32::try_from(status.put_warning_count).unwrap_or(i32::MAX),
            PutFailureCount: i32::try_from(status.put_failure_count).unwrap_or(i32::MAX),
            ObjectType: object.object_type.map_or(first.ObjectType, mqi::ObjectType::code),
            ObjectName: name(object.object_name.to_padded()),
            ObjectQMgrName: name(object.object_queue_manager_name.to_padded()),
            ResolvedObjectName: name(object.resolved_object_name.to_padded()),
            ResolvedQMgrName: name(object.resolved_queue_manager_name.to_padded()),
            OpenOptions: status.open_options.bits(),
            SubOptions: status.subscription_options,
        }
    );
    let fill = |offset: usize, field: &MQCHARV, text: &str| {
        let ccsid = if text.is_empty() { MQCHARV::DEFAULT.VSCCSID } else { NATIVE_CCSID };
        program.fill_variable_in(offset, field, text.as_bytes(), ccsid);
    };
    fill(std::mem::offset_of!(MQSTS, ObjectString), &program.ObjectString, &status.object_string);
    fill(std::mem::offset_of!(MQSTS, SubName), &program.SubName, &status.subscription_name);
}
