//! MQPMO.

use crate::layout::MQPMO;
use crate::memory::{Structure, give};
use mqi::{MessageHandle, ObjectHandle, PutAction, PutFlags, PutOptions, Reason};

/// The options that name a handle whose context goes with the message.
const PASSING: PutFlags = PutFlags::PASS_IDENTITY_CONTEXT.union(PutFlags::PASS_ALL_CONTEXT);

/// Reads the options of a put.
///
/// # Errors
/// `MQRC_RECS_PRESENT_ERROR` for a list of records, `MQRC_ACTION_ERROR`.
pub(crate) fn for_put(program: &MQPMO) -> Result<PutOptions, Reason> {
    if program.RecsPresent != 0 {
        return Err(Reason::RECS_PRESENT_ERROR);
    }
    let flags = PutFlags::from_bits(program.Options);
    Ok(PutOptions {
        flags,
        context: flags.intersects(PASSING).then_some(ObjectHandle(program.Context)),
        original_message_handle: MessageHandle(program.OriginalMsgHandle),
        new_message_handle: MessageHandle(program.NewMsgHandle),
        action: PutAction::from_code(program.Action)?,
        publication_level: program.PubLevel,
        ..PutOptions::default()
    })
}

/// Leaves with the program where the message went.
pub(crate) fn give_put(program: &Structure<MQPMO>, options: &PutOptions) {
    give!(
        program,
        MQPMO {
            ResolvedQName: options.resolved_queue_name.to_padded(),
            ResolvedQMgrName: options.resolved_queue_manager_name.to_padded(),
        }
    );
    if options.new_message_handle.0 != program.NewMsgHandle {
        give!(program, MQPMO { NewMsgHandle: options.new_message_handle.0 });
    }
}
