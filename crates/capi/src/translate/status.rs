//! MQSTS.

use crate::layout::MQSTS;
use crate::memory::{Structure, give};
use mqi::{Status, constants};

/// Leaves a status with the program.
pub(crate) fn give_status(program: &Structure<MQSTS>, status: &Status) {
    let object = &status.object;
    give!(
        program,
        MQSTS {
            CompCode: status.completion.code(),
            Reason: status.reason.map_or(constants::MQRC_NONE, mqi::Reason::code),
            PutSuccessCount: i32::try_from(status.put_success_count).unwrap_or(i32::MAX),
            PutWarningCount: i32::try_from(status.put_warning_count).unwrap_or(i32::MAX),
            PutFailureCount: i32::try_from(status.put_failure_count).unwrap_or(i32::MAX),
            ObjectType: object.object_type.map_or(0, mqi::ObjectType::code),
            ObjectName: object.object_name.to_padded(),
            ObjectQMgrName: object.object_queue_manager_name.to_padded(),
            ResolvedObjectName: object.resolved_object_name.to_padded(),
            ResolvedQMgrName: object.resolved_queue_manager_name.to_padded(),
            OpenOptions: status.open_options.bits(),
            SubOptions: status.subscription_options,
        }
    );
    let (string, name) = (std::mem::offset_of!(MQSTS, ObjectString), std::mem::offset_of!(MQSTS, SubName));
    program.fill_variable(string, &program.ObjectString, status.object_string.as_bytes());
    program.fill_variable(name, &program.SubName, status.subscription_name.as_bytes());
}
