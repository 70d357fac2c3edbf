//! MQGMO.

use crate::layout::MQGMO;
use crate::memory::{Structure, give};
use mqi::{GetFlags, GetOptions, MatchOptions, MessageHandle, MessageToken, Reason, Wait, constants};

/// Reads the options of a get.
///
/// # Errors
/// `MQRC_WAIT_INTERVAL_ERROR`, `MQRC_OPTIONS_ERROR` for a number that is no option of a C program.
pub(crate) fn for_get(program: &MQGMO) -> Result<GetOptions, Reason> {
    let flags = GetFlags::from_bits(program.Options & !constants::MQGMO_WAIT);
    if flags.contains(GetFlags::DESCRIPTOR_EXTENSION) {
        return Err(Reason::OPTIONS_ERROR);
    }
    Ok(GetOptions {
        flags,
        wait: Wait::from_code(program.Options, program.WaitInterval)?,
        match_options: MatchOptions::from_bits(program.MatchOptions),
        message_token: MessageToken(program.MsgToken),
        message_handle: MessageHandle(program.MsgHandle),
        ..GetOptions::default()
    })
}

/// Leaves with the program what the get found.
pub(crate) fn give_got(program: &Structure<MQGMO>, options: &GetOptions) {
    give!(
        program,
        MQGMO {
            ResolvedQName: options.resolved_queue_name.to_padded(),
            GroupStatus: options.group_status,
            SegmentStatus: options.segment_status,
            Segmentation: options.segmentation,
            MsgToken: options.message_token.0,
            ReturnedLength: options.returned_length,
        }
    );
}

/// The options as a consumer is given them, in their latest version.
pub(crate) fn written(options: &GetOptions) -> MQGMO {
    let (wait, interval) = match options.wait {
        Wait::No => (0, 0),
        Wait::Milliseconds(limit) => (constants::MQGMO_WAIT, i32::try_from(limit).unwrap_or(i32::MAX)),
        Wait::Unlimited => (constants::MQGMO_WAIT, constants::MQWI_UNLIMITED),
    };
    MQGMO {
        Version: constants::MQGMO_CURRENT_VERSION,
        Options: options.flags.without(GetFlags::DESCRIPTOR_EXTENSION).bits() | wait,
        WaitInterval: interval,
        ResolvedQName: options.resolved_queue_name.to_padded(),
        MatchOptions: options.match_options.bits(),
        GroupStatus: options.group_status,
        SegmentStatus: options.segment_status,
        Segmentation: options.segmentation,
        MsgToken: options.message_token.0,
        ReturnedLength: options.returned_length,
        MsgHandle: options.message_handle.0,
        ..MQGMO::DEFAULT
    }
}
