//! Which options a call names, so that it can be counted which of them scenarios show.

use mqi::{Wait, constants};

use super::Call;

/// The option sets of a call, each with the prefix of its constants.
#[must_use]
pub fn options_of(call: &Call) -> Vec<(&'static str, i32)> {
    match call.plain() {
        Call::Open { options, .. } => vec![("MQOO", options.bits())],
        Call::Close { options, .. } => vec![("MQCO", options.bits())],
        Call::Put { descriptor, options, .. } | Call::Put1 { descriptor, options, .. } => vec![
            ("MQPMO", options.flags.bits()),
            ("MQRO", descriptor.report.bits()),
            ("MQMF", descriptor.message_flags.bits()),
        ],
        Call::Get { options, .. } => {
            let wait = if options.wait == Wait::No { 0 } else { constants::MQGMO_WAIT };
            vec![("MQGMO", options.flags.bits() | wait), ("MQMO", options.match_options.bits())]
        }
        Call::Handle(call) => vec![call.options()],
        _ => Vec::new(),
    }
}
