//! The report of MQSTAT: on puts without a reply, and on reconnection.

use crate::{CompletionCode, ObjectName, ObjectType, OpenOptions, QueueManagerName, Reason, constants};

/// Subject of a program's question (`MQSTAT_TYPE_`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StatusType {
    /// Puts without a reply.
    AsyncError,
    /// Why a connection broke that is being made again, or could not be.
    Reconnection,
    /// Why it could not be made again.
    ReconnectionError,
}

impl StatusType {
    /// Takes the number a program passed.
    ///
    /// # Errors
    /// `MQRC_STAT_TYPE_ERROR` for a number without a meaning.
    pub const fn from_code(code: i32) -> Result<Self, Reason> {
        match code {
            constants::MQSTAT_TYPE_ASYNC_ERROR => Ok(Self::AsyncError),
            constants::MQSTAT_TYPE_RECONNECTION => Ok(Self::Reconnection),
            constants::MQSTAT_TYPE_RECONNECTION_ERROR => Ok(Self::ReconnectionError),
            _ => Err(Reason::STAT_TYPE_ERROR),
        }
    }
}

/// An object that something was put to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PutObject {
    /// Its type (`MQOT_`); none while no put has failed.
    pub object_type: Option<ObjectType>,
    /// Its name as it was opened.
    pub object_name: ObjectName,
    /// Where it was looked for.
    pub object_queue_manager_name: QueueManagerName,
    /// The queue the name led to.
    pub resolved_object_name: ObjectName,
    /// The queue manager that has that queue.
    pub resolved_queue_manager_name: QueueManagerName,
}

/// Outcomes of puts without a reply, since the last report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PutStatus {
    /// Puts that succeeded.
    pub puts: u32,
    /// Puts that succeeded with a warning.
    pub warnings: u32,
    /// Puts that failed.
    pub failures: u32,
    /// Why the first of them failed, or was warned about when none failed.
    pub reason: Option<Reason>,
    /// The object of that put.
    pub object: PutObject,
}

impl PutStatus {
    /// Counts a put: one that succeeded, perhaps with a warning, or failed. The first failure stands, over a
    /// warning too.
    pub fn count(&mut self, result: Result<Option<Reason>, Reason>, object: impl FnOnce() -> PutObject) {
        let told = match result {
            Ok(None) => {
                self.puts = self.puts.saturating_add(1);
                return;
            }
            Ok(Some(warning)) => {
                self.warnings = self.warnings.saturating_add(1);
                if self.reason.is_some() {
                    return;
                }
                warning
            }
            Err(failure) => {
                self.failures = self.failures.saturating_add(1);
                if self.failures > 1 {
                    return;
                }
                failure
            }
        };
        self.reason = Some(told);
        self.object = object();
    }
}

/// Result of MQSTAT (`MQSTS`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Outcome of the first put that did not simply succeed, or of the connection's last reconnection.
    pub completion: CompletionCode,
    /// Why.
    pub reason: Option<Reason>,
    /// Puts that succeeded.
    pub put_success_count: u32,
    /// Puts that succeeded with a warning.
    pub put_warning_count: u32,
    /// Puts that failed.
    pub put_failure_count: u32,
    /// The object concerned.
    pub object: PutObject,
    /// Its topic string or other long name.
    pub object_string: String,
    /// The subscription concerned.
    pub subscription_name: String,
    /// Options with which the object was opened.
    pub open_options: OpenOptions,
    /// Options with which the subscription was made (`MQSO_`).
    pub subscription_options: i32,
}

impl Default for Status {
    fn default() -> Self {
        Self {
            completion: CompletionCode::Ok,
            reason: None,
            put_success_count: 0,
            put_warning_count: 0,
            put_failure_count: 0,
            object: PutObject::default(),
            object_string: String::new(),
            subscription_name: String::new(),
            open_options: OpenOptions::EMPTY,
            subscription_options: 0,
        }
    }
}

impl From<PutStatus> for Status {
    fn from(status: PutStatus) -> Self {
        let completion = match status {
            PutStatus { failures: 1.., .. } => CompletionCode::Failed,
            PutStatus { warnings: 1.., .. } => CompletionCode::Warning,
            PutStatus { .. } => CompletionCode::Ok,
        };
        Self {
            completion,
            reason: status.reason,
            put_success_count: status.puts,
            put_warning_count: status.warnings,
            put_failure_count: status.failures,
            object: status.object,
            ..Self::default()
        }
    }
}

impl Status {
    /// The state of a reconnection that failed for this reason, or of one that did not.
    #[must_use]
    pub fn of_reconnection(failure: Option<Reason>) -> Self {
        let completion = if failure.is_some() { CompletionCode::Failed } else { CompletionCode::Ok };
        Self { completion, reason: failure, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::{PutObject, PutStatus, Status, StatusType};
    use crate::{CompletionCode, Reason};

    #[test]
    fn the_first_failure_is_told_over_an_earlier_warning() {
        let object = |name: &str| PutObject { object_name: name.parse().unwrap(), ..PutObject::default() };
        let mut status = PutStatus::default();
        status.count(Ok(None), || unreachable!("nothing is to be told"));
        status.count(Ok(Some(Reason::PRIORITY_EXCEEDS_MAXIMUM)), || object("A"));
        assert_eq!(Status::from(status).completion, CompletionCode::Warning);
        status.count(Err(Reason::Q_FULL), || object("B"));
        status.count(Err(Reason::PUT_INHIBITED), || object("C"));
        status.count(Ok(Some(Reason::UNKNOWN_REPORT_OPTION)), || object("D"));
        let told = Status::from(status);
        assert_eq!((told.completion, told.reason), (CompletionCode::Failed, Some(Reason::Q_FULL)));
        assert_eq!((told.put_success_count, told.put_warning_count, told.put_failure_count), (1, 2, 2));
        assert_eq!(told.object.object_name.as_str(), "B");
    }

    #[test]
    fn a_status_type_is_one_of_three() {
        assert_eq!(StatusType::from_code(1), Ok(StatusType::Reconnection));
        assert_eq!(StatusType::from_code(3), Err(Reason::STAT_TYPE_ERROR));
    }
}
