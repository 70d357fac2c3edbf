//! MQMD.

use crate::layout::MQMD;
use crate::memory::{Structure, give};
use mqi::{
    AccountingToken, CorrelationId, Encoding, Expiry, Feedback, GroupId, MessageDescriptor, MessageFlags,
    MessageId, MessageType, ObjectName, Persistence, Priority, PutApplicationType, QueueManagerName, Reason,
    ReportOptions, Text,
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
        reply_to_queue: ObjectName::from_padded(&program.ReplyToQ).map_err(|_| Reason::MD_ERROR)?,
        reply_to_queue_manager: QueueManagerName::from_padded(&program.ReplyToQMgr)
            .map_err(|_| Reason::MD_ERROR)?,
        user_identifier: Text::from_padded(&program.UserIdentifier),
        accounting_token: AccountingToken(program.AccountingToken),
        application_identity_data: Text::from_padded(&program.ApplIdentityData),
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

/// What a get looks at: what to match, and what to convert to. Other fields may hold anything.
pub(crate) fn for_get(program: &MQMD) -> MessageDescriptor {
    MessageDescriptor {
        encoding: Encoding(program.Encoding),
        coded_character_set: program.CodedCharSetId,
        message_id: MessageId(program.MsgId),
        correlation_id: CorrelationId(program.CorrelId),
        group_id: GroupId(program.GroupId),
        message_sequence_number: program.MsgSeqNumber,
        offset: program.Offset,
        ..MessageDescriptor::default()
    }
}

/// The descriptor as a C program knows it, in its second version.
pub(crate) fn written(descriptor: &MessageDescriptor) -> MQMD {
    MQMD {
        Version: mqi::constants::MQMD_VERSION_2,
        Report: descriptor.report.bits(),
        MsgType: descriptor.message_type.code(),
        Expiry: descriptor.expiry.code(),
        Feedback: descriptor.feedback.code(),
        Encoding: descriptor.encoding.code(),
        CodedCharSetId: descriptor.coded_character_set,
        Format: descriptor.format.to_padded(),
        Priority: descriptor.priority.code(),
        Persistence: descriptor.persistence.code(),
        MsgId: descriptor.message_id.0,
        CorrelId: descriptor.correlation_id.0,
        BackoutCount: descriptor.backout_count,
        ReplyToQ: descriptor.reply_to_queue.to_padded(),
        ReplyToQMgr: descriptor.reply_to_queue_manager.to_padded(),
        UserIdentifier: descriptor.user_identifier.to_padded(),
        AccountingToken: descriptor.accounting_token.0,
        ApplIdentityData: descriptor.application_identity_data.to_padded(),
        PutApplType: descriptor.put_application_type.code(),
        PutApplName: descriptor.put_application_name.to_padded(),
        PutDate: descriptor.put_date.to_padded(),
        PutTime: descriptor.put_time.to_padded(),
        ApplOriginData: descriptor.application_origin_data.to_padded(),
        GroupId: descriptor.group_id.0,
        MsgSeqNumber: descriptor.message_sequence_number,
        Offset: descriptor.offset,
        MsgFlags: descriptor.message_flags.bits(),
        OriginalLength: descriptor.original_length,
        ..MQMD::DEFAULT
    }
}

/// Leaves the descriptor of a message with the program.
pub(crate) fn give_all(program: &Structure<MQMD>, descriptor: &MessageDescriptor) {
    let new = written(descriptor);
    macro_rules! fields {
        ($($field:ident)*) => { give!(program, MQMD { $($field: new.$field),* }) };
    }
    fields!(Report MsgType Expiry Feedback Encoding CodedCharSetId Format Priority Persistence MsgId CorrelId
        BackoutCount ReplyToQ ReplyToQMgr UserIdentifier AccountingToken ApplIdentityData PutApplType PutApplName
        PutDate PutTime ApplOriginData GroupId MsgSeqNumber Offset MsgFlags OriginalLength);
}

/// Leaves with the program what a call has changed of its descriptor; what the program wrote in other words stays as it is.
pub(crate) fn give_changed(program: &Structure<MQMD>, before: &MessageDescriptor, after: &MessageDescriptor) {
    let (old, new) = (written(before), written(after));
    macro_rules! fields {
        ($($field:ident)*) => {
            $(if old.$field != new.$field { give!(program, MQMD { $field: new.$field }) })*
        };
    }
    fields!(Report MsgType Expiry Feedback Encoding CodedCharSetId Format Priority Persistence MsgId CorrelId
        BackoutCount ReplyToQ ReplyToQMgr UserIdentifier AccountingToken ApplIdentityData PutApplType PutApplName
        PutDate PutTime ApplOriginData GroupId MsgSeqNumber Offset MsgFlags OriginalLength);
}
