//! MQOD.

use super::text;
use crate::layout::MQOD;
use crate::memory::{Structure, give};
use mqi::{
    ObjectDescriptor, ObjectName, ObjectType, Opened, PutFlags, PutOptions, QueueManagerName, Reason, Text,
    constants,
};

/// Reads the object that a program wants to open.
///
/// # Errors
/// The reason that names the field whose value has no meaning; `MQRC_RECS_PRESENT_ERROR` for a list of
/// queues, as there are no distribution lists.
pub(crate) fn for_open(program: &Structure<MQOD>) -> Result<ObjectDescriptor, Reason> {
    if program.RecsPresent != 0 {
        return Err(Reason::RECS_PRESENT_ERROR);
    }
    program.check_room(&program.ResObjectString, Reason::RES_OBJECT_STRING_ERROR)?;
    let object_name = ObjectName::from_padded(&program.ObjectName);
    let queue_manager_name = QueueManagerName::from_padded(&program.ObjectQMgrName);
    Ok(ObjectDescriptor {
        object_type: ObjectType::from_code(program.ObjectType),
        object_name: object_name.map_err(|_| Reason::UNKNOWN_OBJECT_NAME)?,
        object_queue_manager_name: queue_manager_name.map_err(|_| Reason::UNKNOWN_REMOTE_Q_MGR)?,
        dynamic_queue_name: Text::from_padded(&program.DynamicQName),
        alternate_user_identifier: Text::from_padded(&program.AlternateUserId),
        object_string: text::object_string(program, &program.ObjectString)?,
        selection_string: text::of_field(program, &program.SelectionString, Reason::SELECTION_STRING_ERROR)?,
    })
}

/// Leaves with the program what was opened.
pub(crate) fn give_opened(program: &Structure<MQOD>, asked: &ObjectDescriptor, opened: &Opened) {
    if opened.object_name != asked.object_name {
        // It asked for a model queue and has a dynamic one.
        give!(
            program,
            MQOD {
                ObjectName: opened.object_name.to_padded(),
                ObjectQMgrName: opened.resolved_queue_manager_name.to_padded(),
            }
        );
    }
    let (queue, queue_manager) = (opened.resolved_queue_name, opened.resolved_queue_manager_name);
    give_resolved(program, asked, queue, queue_manager, opened.topic_string.as_deref());
}

/// Leaves with the program what a put by MQPUT1 went to. The whole topic string is asked for with `whole`,
/// where the program has room for it and a name may have a part of it.
pub(crate) fn give_put1(
    program: &Structure<MQOD>,
    asked: &ObjectDescriptor,
    options: &PutOptions,
    whole: impl FnOnce() -> Option<String>,
) {
    let (queue, queue_manager) = (options.resolved_queue_name, options.resolved_queue_manager_name);
    // Nobody waited for the name of the queue that an asynchronous put went to.
    let is_queue = asked.object_type == ObjectType::Queue
        && (!queue.is_blank() || options.flags.contains(PutFlags::ASYNC_RESPONSE));
    let topic_string = match asked.object_type {
        _ if is_queue => None,
        ObjectType::Topic if asked.object_name.is_blank() => Some(asked.object_string.clone()),
        _ if program.ResObjectString.VSBufSize > 0 => Some(whole().unwrap_or_default()),
        _ => Some(String::new()),
    };
    give_resolved(program, asked, queue, queue_manager, topic_string.as_deref());
}

/// Leaves with the program which queue or topic its name led to.
fn give_resolved(
    program: &Structure<MQOD>,
    asked: &ObjectDescriptor,
    queue: ObjectName,
    queue_manager: QueueManagerName,
    topic_string: Option<&str>,
) {
    let resolved_type = match asked.object_type {
        ObjectType::Queue if topic_string.is_none() => constants::MQOT_Q,
        ObjectType::Queue | ObjectType::Topic => constants::MQOT_TOPIC,
        _ => constants::MQOT_NONE,
    };
    give!(
        program,
        MQOD {
            ResolvedQName: queue.to_padded(),
            ResolvedQMgrName: queue_manager.to_padded(),
            ResolvedType: resolved_type,
        }
    );
    let place = std::mem::offset_of!(MQOD, ResObjectString);
    if resolved_type == constants::MQOT_TOPIC {
        let whole = topic_string.unwrap_or_default();
        program.fill_variable(place, &program.ResObjectString, whole.as_bytes());
    }
}
