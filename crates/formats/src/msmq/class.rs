//! Classes of messages, which say what a message reports, and the reports that a message asks for.

use mqi::constants::*;
use mqi::{Feedback, ReportOptions};

/// A class of a message. Those that the family does not name are numbers like the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Class(pub u16);

/// The content of a report: its feedback, and the class where the feedback alone does not tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Feedback of the descriptor.
    pub feedback: Feedback,
    /// Property `Class`, for the classes that share a feedback with another.
    pub class: Option<Class>,
}

/// Feedback of a class without a counterpart is this and the class: within the range of applications.
const FEEDBACK_OF_CLASSES: i32 = 910_000_000;

/// Classes and the feedback that means the same. Of several with one feedback the first is meant where
/// nothing else tells.
const COUNTERPARTS: [(Class, i32); 13] = [
    (Class::NORMAL, MQFB_NONE),
    (Class::REACHED, MQFB_COA),
    (Class::RECEIVED, MQFB_COD),
    (Class::BAD_DESTINATION, MQRC_UNKNOWN_OBJECT_NAME),
    (Class::RECEIVE_TIMEOUT, MQFB_EXPIRATION),
    (Class::REACH_TIMEOUT, MQFB_EXPIRATION),
    (Class::QUOTA_EXCEEDED, MQRC_Q_FULL),
    (Class::ACCESS_DENIED, MQRC_NOT_AUTHORIZED),
    (Class::HOPS_EXCEEDED, MQFB_MAX_ACTIVITIES),
    (Class::BAD_SIGNATURE, MQRC_SECURITY_ERROR),
    (Class::BAD_ENCRYPTION, MQRC_SECURITY_ERROR),
    (Class::UNSUPPORTED_PROVIDER, MQRC_SECURITY_ERROR),
    (Class::REJECTED, MQFB_NAN),
];

impl Class {
    /// A message of a program.
    pub const NORMAL: Self = Self(0x0000);
    /// A report of the way that a message took. Feedback without a class travels by it.
    pub const REPORT: Self = Self(0x0001);
    /// The message is on its queue.
    pub const REACHED: Self = Self(0x0002);
    /// A program took the message.
    pub const RECEIVED: Self = Self(0x4000);
    /// Its queue is not there.
    pub const BAD_DESTINATION: Self = Self(0x8000);
    /// Its time to reach the queue was over.
    pub const REACH_TIMEOUT: Self = Self(0x8002);
    /// Its queue is full.
    pub const QUOTA_EXCEEDED: Self = Self(0x8003);
    /// Its sender may not put there.
    pub const ACCESS_DENIED: Self = Self(0x8004);
    /// It went through too many queue managers.
    pub const HOPS_EXCEEDED: Self = Self(0x8005);
    /// Its signature does not hold.
    pub const BAD_SIGNATURE: Self = Self(0x8006);
    /// It cannot be decrypted.
    pub const BAD_ENCRYPTION: Self = Self(0x8007);
    /// Its algorithms are not known.
    pub const UNSUPPORTED_PROVIDER: Self = Self(0x800B);
    /// Its time to be received was over.
    pub const RECEIVE_TIMEOUT: Self = Self(0xC002);
    /// A program rejected it.
    pub const REJECTED: Self = Self(0xC004);

    /// The report in our words.
    #[must_use]
    pub fn report(self) -> Report {
        match COUNTERPARTS.iter().find(|(class, _)| *class == self) {
            Some((_, feedback)) => {
                let feedback = Feedback(*feedback);
                let class = (Self::meant_by(feedback) != Some(self)).then_some(self);
                Report { feedback, class }
            }
            None => Report { feedback: Feedback(FEEDBACK_OF_CLASSES + i32::from(self.0)), class: None },
        }
    }

    /// The class that is meant by a feedback alone; none has no class of its own.
    fn meant_by(feedback: Feedback) -> Option<Self> {
        let known = COUNTERPARTS.iter().find(|(_, known)| *known == feedback.code());
        known.map(|(class, _)| *class).or_else(|| {
            let class = Self(u16::try_from(feedback.code().checked_sub(FEEDBACK_OF_CLASSES)?).ok()?);
            // One with a counterpart has that alone, so that each class has one way here.
            COUNTERPARTS.iter().all(|(known, _)| *known != class).then_some(class)
        })
    }
}

impl Report {
    /// The report that a class and the property `Feedback` beside it mean, the inverse of [`Report::class`].
    /// The property counts beside [`Class::REPORT`] alone: any other class has a feedback of its own.
    #[must_use]
    pub fn of(class: Class, said: Option<Feedback>) -> Self {
        match said {
            Some(feedback) if class == Class::REPORT => Self { feedback, class: None },
            _ => class.report(),
        }
    }

    /// The class, and the property `Feedback` for a feedback that has none: its class is
    /// [`Class::REPORT`] then. A property `Class` counts where that class shares the feedback.
    #[must_use]
    pub fn class(self) -> (Class, Option<Feedback>) {
        if let Some(class) = self.class.filter(|class| class.report().feedback == self.feedback) {
            return (class, None);
        }
        match Class::meant_by(self.feedback) {
            Some(class) => (class, None),
            None => (Class::REPORT, Some(self.feedback)),
        }
    }
}

/// The acknowledgements that a message asks for, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acknowledge(pub u8);

impl Acknowledge {
    /// The message is on its queue.
    pub const ARRIVED: u8 = 1;
    /// A program took it.
    pub const RECEIVED: u8 = 2;
    /// It does not reach its queue.
    pub const NOT_ARRIVED: u8 = 4;
    /// Nobody takes it.
    pub const NOT_RECEIVED: u8 = 8;

    /// The report options in our words, with the whole message or without data. Bits that the family does
    /// not have ask for nothing.
    #[must_use]
    pub fn report_options(self, with_data: bool) -> ReportOptions {
        let either = |plain, whole| if with_data { whole } else { plain };
        let exception = either(ReportOptions::EXCEPTION, ReportOptions::EXCEPTION_WITH_FULL_DATA);
        let expiration = either(ReportOptions::EXPIRATION, ReportOptions::EXPIRATION_WITH_FULL_DATA);
        let counterparts = [
            (Self::ARRIVED, either(ReportOptions::COA, ReportOptions::COA_WITH_FULL_DATA)),
            (Self::RECEIVED, either(ReportOptions::COD, ReportOptions::COD_WITH_FULL_DATA)),
            (Self::NOT_ARRIVED, exception | expiration),
            (Self::NOT_RECEIVED, ReportOptions::NAN | expiration),
        ];
        let asked = counterparts.into_iter().filter(|(bit, _)| self.0 & bit != 0);
        asked.fold(ReportOptions::EMPTY, |all, (_, options)| all | options)
    }

    /// The bits that report options mean. Expiry alone has none: it belongs to both refusals.
    #[must_use]
    pub fn of(options: ReportOptions) -> Self {
        let counterparts = [
            (Self::ARRIVED, ReportOptions::COA),
            (Self::RECEIVED, ReportOptions::COD),
            (Self::NOT_ARRIVED, ReportOptions::EXCEPTION),
            (Self::NOT_RECEIVED, ReportOptions::NAN),
        ];
        let asked = counterparts.into_iter().filter(|(_, option)| options.contains(*option));
        Self(asked.map(|(bit, _)| bit).sum())
    }
}
