//! The types of the descriptor's numeric fields.

use crate::{Reason, constants};
use std::fmt;

/// Time for which a message is worth delivering, in tenths of a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expiry(i32);

impl Expiry {
    /// The message does not expire.
    pub const UNLIMITED: Self = Self(constants::MQEI_UNLIMITED);

    /// A limit in tenths of a second; a limit too long to write down is none.
    #[must_use]
    pub const fn tenths(tenths: u32) -> Self {
        match tenths {
            0 => Self(1),
            1..=0x7FFF_FFFF => Self(tenths as i32),
            _ => Self::UNLIMITED,
        }
    }

    /// Takes the number a program passed.
    ///
    /// # Errors
    /// `MQRC_EXPIRY_ERROR` for zero or a negative number other than "unlimited".
    pub const fn from_code(code: i32) -> Result<Self, Reason> {
        match code {
            constants::MQEI_UNLIMITED | 1.. => Ok(Self(code)),
            _ => Err(Reason::EXPIRY_ERROR),
        }
    }

    /// The number of the interface.
    #[must_use]
    pub const fn code(self) -> i32 {
        self.0
    }

    /// The limit in tenths of a second, when there is one.
    #[must_use]
    pub const fn limit(self) -> Option<u32> {
        if self.0 < 0 { None } else { Some(self.0 as u32) }
    }
}

impl Default for Expiry {
    fn default() -> Self {
        Self::UNLIMITED
    }
}

/// The order of delivery: 9 is first, 0 last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(i32);

impl Priority {
    /// Delivered last.
    pub const LOWEST: Self = Self(0);
    /// Delivered first.
    pub const HIGHEST: Self = Self(9);
    /// As the queue says (`DEFPRTY`).
    pub const AS_Q_DEF: Self = Self(constants::MQPRI_PRIORITY_AS_Q_DEF);

    /// A priority by number; one above 9 is kept as it is and treated as 9 by the queue manager.
    #[must_use]
    pub const fn new(level: u8) -> Self {
        Self(level as i32)
    }

    /// Takes the number a program passed.
    ///
    /// # Errors
    /// `MQRC_PRIORITY_ERROR` for a negative number other than "as the queue says".
    pub const fn from_code(code: i32) -> Result<Self, Reason> {
        match code {
            constants::MQPRI_PRIORITY_AS_Q_DEF | 0.. => Ok(Self(code)),
            _ => Err(Reason::PRIORITY_ERROR),
        }
    }

    /// The number of the interface.
    #[must_use]
    pub const fn code(self) -> i32 {
        self.0
    }

    /// The level to file the message under, at most 9; `None` when the queue decides.
    #[must_use]
    pub const fn level(self) -> Option<u8> {
        match self.0 {
            ..0 => None,
            0..=9 => Some(self.0 as u8),
            10.. => Some(9),
        }
    }

    /// True if the program asked for more than the highest priority, which is worth a warning.
    #[must_use]
    pub const fn exceeds_maximum(self) -> bool {
        self.0 > 9
    }
}

impl Default for Priority {
    fn default() -> Self {
        Self::AS_Q_DEF
    }
}

/// Persistence: a persistent message outlives a restart of the queue manager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Persistence {
    /// Kept in memory only.
    NotPersistent,
    /// Logged: it survives a restart.
    Persistent,
    /// As the queue says (`DEFPSIST`).
    #[default]
    AsQueueDefault,
}

impl Persistence {
    /// Takes the number a program passed.
    ///
    /// # Errors
    /// `MQRC_PERSISTENCE_ERROR` for a number without a meaning here.
    pub const fn from_code(code: i32) -> Result<Self, Reason> {
        match code {
            constants::MQPER_NOT_PERSISTENT => Ok(Self::NotPersistent),
            constants::MQPER_PERSISTENT => Ok(Self::Persistent),
            constants::MQPER_PERSISTENCE_AS_Q_DEF => Ok(Self::AsQueueDefault),
            _ => Err(Reason::PERSISTENCE_ERROR),
        }
    }

    /// The number of the interface.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::NotPersistent => constants::MQPER_NOT_PERSISTENT,
            Self::Persistent => constants::MQPER_PERSISTENT,
            Self::AsQueueDefault => constants::MQPER_PERSISTENCE_AS_Q_DEF,
        }
    }
}

/// Defines a number with some well-known values, others being allowed.
macro_rules! open_number {
    ($(#[$meta:meta])* $name:ident, default = $default:ident, { $($(#[$value_meta:meta])* $value:ident = $constant:ident,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i32);

        impl $name {
            $(
                $(#[$value_meta])*
                pub const $value: Self = Self(constants::$constant);
            )*

            /// The number of the interface.
            #[must_use]
            pub const fn code(self) -> i32 {
                self.0
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::$default
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                $(
                    if *self == Self::$value {
                        return formatter.write_str(stringify!($value));
                    }
                )*
                write!(formatter, "{}", self.0)
            }
        }
    };
}

open_number! {
    /// Purpose of a message; applications may use 65536 to 999999999.
    MessageType, default = DATAGRAM, {
        /// It asks for a reply.
        REQUEST = MQMT_REQUEST,
        /// It answers a request.
        REPLY = MQMT_REPLY,
        /// It expects no reply.
        DATAGRAM = MQMT_DATAGRAM,
        /// It tells what became of another message.
        REPORT = MQMT_REPORT,
    }
}

impl MessageType {
    /// True if the interface or its range for applications allows this number.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        matches!(
            self.0,
            constants::MQMT_SYSTEM_FIRST..=constants::MQMT_SYSTEM_LAST
                | constants::MQMT_APPL_FIRST..=constants::MQMT_APPL_LAST
        )
    }
}

open_number! {
    /// Subject of a report; a reason code is also a feedback.
    Feedback, default = NONE, {
        /// Nothing.
        NONE = MQFB_NONE,
        /// The receiving program should end.
        QUIT = MQFB_QUIT,
        /// The message expired.
        EXPIRATION = MQFB_EXPIRATION,
        /// The message arrived on its queue.
        COA = MQFB_COA,
        /// The message was got.
        COD = MQFB_COD,
        /// The program could use the message.
        PAN = MQFB_PAN,
        /// The program could not use the message.
        NAN = MQFB_NAN,
    }
}

impl Feedback {
    /// True if the interface or its range for applications allows this number.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        matches!(
            self.0,
            constants::MQFB_NONE
                | constants::MQFB_SYSTEM_FIRST..=constants::MQFB_SYSTEM_LAST
                | constants::MQFB_APPL_FIRST..=constants::MQFB_APPL_LAST
        )
    }
}

open_number! {
    /// Representation of numbers in a body.
    Encoding, default = NATIVE, {
        /// As this machine does: least significant byte first, IEEE floating point.
        NATIVE = MQENC_NATIVE,
        /// Most significant byte first, IEEE floating point.
        NORMAL = MQENC_NORMAL,
        /// As System/390 does.
        S390 = MQENC_S390,
    }
}

open_number! {
    /// The kind of program that put a message.
    PutApplicationType, default = NO_CONTEXT, {
        /// No context.
        NO_CONTEXT = MQAT_NO_CONTEXT,
        /// Not known.
        UNKNOWN = MQAT_UNKNOWN,
        /// A program on a UNIX-like system.
        UNIX = MQAT_UNIX,
        /// A queue manager.
        QMGR = MQAT_QMGR,
        /// A program on Windows.
        WINDOWS_NT = MQAT_WINDOWS_NT,
        /// A program on Java.
        JAVA = MQAT_JAVA,
        /// A message channel agent.
        DQM = MQAT_DQM,
        /// The publish/subscribe engine.
        BROKER = MQAT_BROKER,
        /// An AMQP client.
        AMQP = MQAT_AMQP,
        /// A program of the user.
        USER = MQAT_USER,
    }
}
