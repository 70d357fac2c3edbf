//! MQSD.

use super::text;
use crate::layout::MQSD;
use crate::memory::{Structure, give};
use mqi::{
    AccountingToken, CorrelationId, Expiry, ObjectName, Reason, SubscribeOptions, Subscribed,
    SubscriptionDescriptor, Text,
};

/// Reads the subscription that a program wants.
///
/// # Errors
/// The reason that names the field whose value has no meaning.
pub(crate) fn for_subscribe(program: &Structure<MQSD>) -> Result<SubscriptionDescriptor, Reason> {
    let string = |field, error| text::of_field(program, field, error);
    program.check_room(&program.ResObjectString, Reason::RES_OBJECT_STRING_ERROR)?;
    let object_name = ObjectName::from_padded(&program.ObjectName);
    Ok(SubscriptionDescriptor {
        options: SubscribeOptions::from_bits(program.Options),
        object_name: object_name.map_err(|_| Reason::UNKNOWN_OBJECT_NAME)?,
        object_string: text::object_string(program, &program.ObjectString)?,
        alternate_user_identifier: Text::from_padded(&program.AlternateUserId),
        name: string(&program.SubName, Reason::SUB_NAME_ERROR)?,
        user_data: string(&program.SubUserData, Reason::SUB_USER_DATA_ERROR)?,
        selection_string: string(&program.SelectionString, Reason::SELECTION_STRING_ERROR)?,
        correlation_id: CorrelationId(program.SubCorrelId),
        priority: program.PubPriority,
        expiry: Expiry::from_code(program.SubExpiry)?,
        accounting_token: AccountingToken(program.PubAccountingToken),
        application_identity_data: Text::from_padded(&program.PubApplIdentityData),
        level: program.SubLevel,
    })
}

/// Leaves with the program what its subscription is. Options and texts that it gives to make one stay as they
/// are.
pub(crate) fn give_subscribed(program: &Structure<MQSD>, subscribed: &Subscribed) {
    let is = &subscribed.is;
    give!(
        program,
        MQSD {
            SubExpiry: is.expiry.code(),
            SubCorrelId: is.correlation_id.0,
            PubPriority: is.priority,
            PubAccountingToken: is.accounting_token.0,
            PubApplIdentityData: is.application_identity_data.to_padded(),
            SubLevel: is.level,
        }
    );
    let whole = std::mem::offset_of!(MQSD, ResObjectString);
    program.fill_variable(whole, &program.ResObjectString, subscribed.topic_string.as_bytes());
    if SubscribeOptions::from_bits(program.Options).contains(SubscribeOptions::RESUME) {
        give!(program, MQSD { Options: is.options.bits() });
        for (place, field, text) in [
            (std::mem::offset_of!(MQSD, SubUserData), &program.SubUserData, &is.user_data),
            (std::mem::offset_of!(MQSD, SelectionString), &program.SelectionString, &is.selection_string),
        ] {
            program.fill_variable(place, field, text.as_bytes());
        }
    }
}
