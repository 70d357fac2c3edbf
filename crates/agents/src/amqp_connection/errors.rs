//! Conditions of AMQP for the reasons of the interface.

use amqp::{Condition, ErrorField};
use mqi::Reason;
use mqi::branch::{BranchRefusal, RollbackCause, XA_RDONLY};
use queue_manager::ChannelBusy;

/// Reasons, and the condition for each; any other is an internal error.
const ROWS: &[(Reason, Condition)] = &[
    (Reason::NOT_AUTHORIZED, Condition::UnauthorizedAccess),
    // The subscription is that of another user.
    (Reason::IDENTITY_MISMATCH, Condition::UnauthorizedAccess),
    (Reason::UNKNOWN_CHANNEL_NAME, Condition::NotFound),
    (Reason::CHANNEL_CONFIG_ERROR, Condition::NotAllowed),
    (Reason::SSL_INITIALIZATION_ERROR, Condition::NotAllowed),
    (Reason::UNSUPPORTED_CIPHER_SUITE, Condition::NotAllowed),
    (Reason::SSL_PEER_NAME_MISMATCH, Condition::NotAllowed),
    (Reason::SSL_PEER_NAME_ERROR, Condition::NotAllowed),
    (Reason::UNKNOWN_OBJECT_NAME, Condition::NotFound),
    (Reason::NO_SUBSCRIPTION, Condition::NotFound),
    (Reason::UNKNOWN_ALIAS_BASE_Q, Condition::NotFound),
    (Reason::UNKNOWN_REMOTE_Q_MGR, Condition::NotFound),
    (Reason::OBJECT_NAME_ERROR, Condition::NotFound),
    (Reason::TOPIC_STRING_ERROR, Condition::NotFound),
    (Reason::Q_FULL, Condition::ResourceLimitExceeded),
    (Reason::Q_SPACE_NOT_AVAILABLE, Condition::ResourceLimitExceeded),
    (Reason::STORAGE_NOT_AVAILABLE, Condition::ResourceLimitExceeded),
    (Reason::HANDLE_NOT_AVAILABLE, Condition::ResourceLimitExceeded),
    (Reason::MAX_CONNS_LIMIT_REACHED, Condition::ResourceLimitExceeded),
    (Reason::RESOURCE_PROBLEM, Condition::ResourceLimitExceeded),
    (Reason::STORAGE_MEDIUM_FULL, Condition::ResourceLimitExceeded),
    (Reason::MSG_TOO_BIG_FOR_Q, Condition::MessageSizeExceeded),
    (Reason::MSG_TOO_BIG_FOR_Q_MGR, Condition::MessageSizeExceeded),
    (Reason::PROPERTIES_TOO_BIG, Condition::ResourceLimitExceeded),
    (Reason::PUT_INHIBITED, Condition::NotAllowed),
    (Reason::GET_INHIBITED, Condition::NotAllowed),
    (Reason::OPTION_NOT_VALID_FOR_TYPE, Condition::NotAllowed),
    (Reason::DURABILITY_NOT_ALLOWED, Condition::NotAllowed),
    (Reason::FUNCTION_NOT_SUPPORTED, Condition::NotImplemented),
    (Reason::Q_DELETED, Condition::ResourceDeleted),
    (Reason::OBJECT_CHANGED, Condition::ResourceDeleted),
    (Reason::OBJECT_IN_USE, Condition::ResourceLocked),
    (Reason::SUBSCRIPTION_IN_USE, Condition::ResourceLocked),
    (Reason::FORMAT_ERROR, Condition::DecodeError),
    (Reason::OPTIONS_ERROR, Condition::InvalidField),
    (Reason::TRUNCATED_MSG_FAILED, Condition::MessageSizeExceeded),
    (Reason::SELECTOR_SYNTAX_ERROR, Condition::InvalidField),
    (Reason::SELECTION_STRING_ERROR, Condition::InvalidField),
    (Reason::UNIT_OF_WORK_NOT_STARTED, Condition::PreconditionFailed),
    (Reason::BACKED_OUT, Condition::TransactionRollback),
    (Reason::SYNCPOINT_LIMIT_REACHED, Condition::TransactionRollback),
    (Reason::Q_MGR_QUIESCING, Condition::ConnectionForced),
    (Reason::Q_MGR_STOPPING, Condition::ConnectionForced),
    (Reason::CONNECTION_BROKEN, Condition::ConnectionForced),
];

/// The words behind the refusal of a name that no queue can have.
const QUEUE_NAMES: &str = "; the name of a queue has 1 to 48 letters, digits and any of . / _ %, and AMQPNAME of a \
    queue or a topic leads another name to it";

/// The condition of a reason.
pub(super) fn condition(reason: Reason) -> Condition {
    ROWS.iter().find(|(known, _)| *known == reason).map_or(Condition::InternalError, |row| row.1)
}

/// The error of a reason.
pub(super) fn error(reason: Reason) -> ErrorField {
    ErrorField::new(condition(reason), format!("{} {}: {}", reason.code(), reason.name(), reason.text()))
}

/// Makes the error about an object.
pub(super) fn error_about(reason: Reason, object: Option<&str>) -> ErrorField {
    let mut error = error(reason);
    if reason == Reason::OBJECT_NAME_ERROR {
        error.text.push_str(QUEUE_NAMES);
    }
    match object.filter(|object| !object.is_empty()) {
        Some(object) => ErrorField { text: format!("{object}: {}", error.text), ..error },
        None => error,
    }
}

/// The error of a transaction that was backed out. Its condition is never that of a rollback, which clients
/// take for a commit whose outcome is in doubt.
pub(super) fn of_discharge(reason: Reason) -> ErrorField {
    let error = error(reason);
    let condition = match (error.condition, reason) {
        (Condition::TransactionRollback, Reason::SYNCPOINT_LIMIT_REACHED) => Condition::ResourceLimitExceeded,
        (Condition::TransactionRollback, _) => Condition::PreconditionFailed,
        (condition, _) => condition,
    };
    ErrorField { condition, ..error }
}

/// The error of a call on a branch. Its words have the number of the X/Open XA specification.
pub(super) fn of_branch(refusal: BranchRefusal) -> ErrorField {
    let condition = match refusal {
        BranchRefusal::RolledBack(RollbackCause::NoRoom) | BranchRefusal::Failed => {
            Condition::ResourceLimitExceeded
        }
        BranchRefusal::RolledBack(_) => Condition::PreconditionFailed,
        BranchRefusal::Unknown => Condition::NotFound,
        BranchRefusal::Invalid => Condition::InvalidField,
        BranchRefusal::Duplicate => Condition::ResourceLocked,
        BranchRefusal::Lost => Condition::ConnectionForced,
        BranchRefusal::ByHand(_) | BranchRefusal::Protocol | BranchRefusal::Outside => {
            Condition::IllegalState
        }
    };
    ErrorField::new(condition, refusal.to_string())
}

/// The number and the error of a transaction that cannot be prepared, because something in it failed before.
pub(super) fn of_doomed(reason: Reason) -> (i32, ErrorField) {
    let cause = match reason {
        Reason::BACKED_OUT => RollbackCause::NoRoom,
        _ => RollbackCause::Other,
    };
    let refusal = BranchRefusal::RolledBack(cause);
    let error = of_branch(refusal);
    let why = format!("{} {}: {}", reason.code(), reason.name(), reason.text());
    (refusal.code(), ErrorField { text: format!("{}, since it failed before: {why}", error.text), ..error })
}

/// The answer to the preparation of a transaction that did nothing.
pub(super) fn of_read_only() -> ErrorField {
    let text = format!("nothing was put or taken in the transaction: it is over (XA {XA_RDONLY})");
    ErrorField::new(Condition::PreconditionFailed, text)
}

/// The condition of a channel that takes no more clients.
pub(super) fn of_busy(busy: &ChannelBusy) -> Condition {
    match busy {
        ChannelBusy::Stopped(_) => Condition::ConnectionForced,
        ChannelBusy::Client { .. } => Condition::InvalidField,
        ChannelBusy::Instances { .. } | ChannelBusy::OfClient { .. } | ChannelBusy::Full(_) => {
            Condition::ResourceLimitExceeded
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_reason_has_two_conditions_and_the_number_is_in_the_words() {
        for (place, (reason, _)) in ROWS.iter().enumerate() {
            assert!(ROWS[..place].iter().all(|(other, _)| other != reason), "{reason:?}");
            assert!(error(*reason).text.contains(&reason.code().to_string()), "{reason:?}");
        }
        assert!(error_about(Reason::Q_FULL, Some("ORDERS")).text.starts_with("ORDERS: 2053 MQRC_Q_FULL"));
        assert_eq!(error_about(Reason::Q_FULL, Some("")), error(Reason::Q_FULL));
        assert_eq!(condition(Reason::UNEXPECTED_ERROR), Condition::InternalError);
    }

    #[test]
    fn a_discharge_is_never_told_as_a_rollback() {
        for (reason, expected) in [
            (Reason::SYNCPOINT_LIMIT_REACHED, Condition::ResourceLimitExceeded),
            (Reason::BACKED_OUT, Condition::PreconditionFailed),
            (Reason::Q_FULL, Condition::ResourceLimitExceeded),
        ] {
            assert_eq!(of_discharge(reason).condition, expected, "{reason:?}");
        }
        for (reason, _) in ROWS {
            assert_ne!(of_discharge(*reason).condition, Condition::TransactionRollback, "{reason:?}");
        }
    }
}
