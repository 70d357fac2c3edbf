//! MQMD.

use crate::layout::MQMD;
use crate::memory::Structure;
use mqi::{
    AccountingToken, CorrelationId, Encoding, Expiry, Feedback, GetFlags, GetOptions, GroupId,
    MessageDescriptor, MessageFlags, MessageId, MessageType, Persistence, Priority, PutApplicationType,
    Reason, ReportOptions, Text, constants,
};

/// The descriptor of a message that a program puts.
///
/// # Errors
/// The reason that names the field whose value has no meaning.
pub(crate) fn for_put(program: &MQMD) -> Result<MessageDescriptor, Reason> {
    Ok(MessageDescriptor {
        report: ReportOptions::from_bits(program.Report),
        message_type: MessageType(program.MsgType),
        expiry: Expiry::from_code(program.Expiry)?,
        feedback: Feedback(program.Feedback),
        format: Text::from_padded(&program.Format),
        priority: Priority::from_code(program.Priority)?,
        persistence: Persistence::from_code(program.Persistence)?,
        backout_count: program.BackoutCount,
        reply_to_queue: Text::from_padded(&program.ReplyToQ).into(),
        reply_to_queue_manager: Text::from_padded(&program.ReplyToQMgr).into(),
        user_identifier: Text::from_padded(&program.UserIdentifier),
        accounting_token: AccountingToken(program.AccountingToken),
        application_identity_data: Text::from_padded(&program.ApplIdentityData).into(),
        put_application_type: PutApplicationType(program.PutApplType),
        put_application_name: Text::from_padded(&program.PutApplName),
        put_date: Text::from_padded(&program.PutDate),
        put_time: Text::from_padded(&program.PutTime),
        application_origin_data: Text::from_padded(&program.ApplOriginData),
        message_flags: MessageFlags::from_bits(program.MsgFlags),
        original_length: program.OriginalLength,
        ..for_get(program)
    })
}

/// Reads the fields that a get uses: values to match, and the target of a conversion. Other fields may hold
/// anything.
pub(crate) fn for_get(program: &MQMD) -> MessageDescriptor {
    MessageDescriptor {
        encoding: Encoding(program.Encoding),
        coded_character_set: program.CodedCharSetId,
        message_id: MessageId(program.MsgId),
        correlation_id: CorrelationId(program.CorrelId),
        group_id: GroupId(program.GroupId).into(),
        message_sequence_number: program.MsgSeqNumber,
        offset: program.Offset,
        ..MessageDescriptor::default()
    }
}

/// Asks for the fields of groups and segments before the body (MQMDE), for a program whose descriptor has
/// none of them.
pub(crate) fn ask_for_extension(program: &MQMD, options: &mut GetOptions) {
    if program.Version < constants::MQMD_VERSION_2 {
        options.flags.insert(GetFlags::DESCRIPTOR_EXTENSION);
    }
}

/// Says of each field that a call leaves with the program what it is made of.
macro_rules! each_field {
    ($with:ident!($($given:tt)*)) => {
        $with! { ($($given)*)
            Report: report[.bits()],
            MsgType: message_type[.code()],
            Expiry: expiry[.code()],
            Feedback: feedback[.code()],
            Encoding: encoding[.code()],
            CodedCharSetId: coded_character_set[],
            Format: format[.to_padded()],
            Priority: priority[.code()],
            Persistence: persistence[.code()],
            MsgId: message_id[.0],
            CorrelId: correlation_id[.0],
            BackoutCount: backout_count[],
            ReplyToQ: reply_to_queue[.to_padded()],
            ReplyToQMgr: reply_to_queue_manager[.to_padded()],
            UserIdentifier: user_identifier[.to_padded()],
            AccountingToken: accounting_token[.0],
            ApplIdentityData: application_identity_data[.to_padded()],
            PutApplType: put_application_type[.code()],
            PutApplName: put_application_name[.to_padded()],
            PutDate: put_date[.to_padded()],
            PutTime: put_time[.to_padded()],
            ApplOriginData: application_origin_data[.to_padded()],
            GroupId: group_id[.0],
            MsgSeqNumber: message_sequence_number[],
            Offset: offset[],
            MsgFlags: message_flags[.bits()],
            OriginalLength: original_length[],
        }
    };
}

/// The descriptor as a C program knows it, in its second version.
pub(crate) fn written(descriptor: &MessageDescriptor) -> MQMD {
    macro_rules! all {
        (($from:ident) $($field:ident: $own:ident[$($how:tt)*],)*) => {
            MQMD {
                Version: constants::MQMD_VERSION_2,
                $($field: $from.$own $($how)*,)*
                ..MQMD::DEFAULT
            }
        };
    }
    each_field!(all!(descriptor))
}

/// The descriptor that a consumer is given, in the version of the one it was registered with.
pub(crate) fn written_as_asked(descriptor: &MessageDescriptor, options: &GetOptions) -> MQMD {
    let written = written(descriptor);
    if options.flags.contains(GetFlags::DESCRIPTOR_EXTENSION) {
        MQMD { Version: constants::MQMD_VERSION_1, ..written }
    } else {
        written
    }
}

/// Leaves the descriptor of a message with the program.
pub(crate) fn give_all(program: &Structure<MQMD>, descriptor: &MessageDescriptor) {
    program.replace(&written(descriptor));
}

/// Leaves with the program what a call has changed of its descriptor; what the program wrote in other words
/// stays as it is.
pub(crate) fn give_changed(program: &Structure<MQMD>, before: &MessageDescriptor, after: &MessageDescriptor) {
    let (mut value, mut has_changed) = (**program, false);
    macro_rules! change {
        (($to:ident $old:ident $new:ident) $($field:ident: $own:ident[$($how:tt)*],)*) => {
            $(if $old.$own != $new.$own {
                $to.$field = $new.$own $($how)*;
                has_changed = true;
            })*
        };
    }
    each_field!(change!(value before after));
    if has_changed {
        program.replace(&value);
    }
}
