//! The descriptor of a property (`MQPD`): the support it needs, the context it belongs to, and the messages
//! made from its message that inherit it.

use crate::bit_set::bit_set;
use crate::{PutAction, Reason, constants};

bit_set! {
    /// Kinds of messages that inherit a property (`MQCOPY_`).
    CopyOptions {
        /// All.
        ALL = MQCOPY_ALL,
        /// One that passes the message on.
        FORWARD = MQCOPY_FORWARD,
        /// A publication to a subscriber.
        PUBLISH = MQCOPY_PUBLISH,
        /// A reply.
        REPLY = MQCOPY_REPLY,
        /// A report.
        REPORT = MQCOPY_REPORT,
    }
}

impl CopyOptions {
    /// Forward, publish and report (`MQCOPY_DEFAULT`).
    pub const DEFAULT: Self = Self::from_bits(constants::MQCOPY_DEFAULT);

    /// True if subscribers are given the property.
    #[must_use]
    pub const fn is_published(self) -> bool {
        self.contains(Self::ALL) || self.contains(Self::PUBLISH)
    }

    /// True if a message made by this action inherits the property.
    #[must_use]
    pub const fn apply_to(self, action: PutAction) -> bool {
        let wanted = match action {
            PutAction::New => return true,
            PutAction::Forward => Self::FORWARD,
            PutAction::Reply => Self::REPLY,
            PutAction::Report => Self::REPORT,
        };
        self.contains(Self::ALL) || self.contains(wanted)
    }
}

/// The property descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropertyDescriptor {
    /// Support that a queue manager must have for the property (`MQPD_SUPPORT_`).
    pub support: i32,
    /// True if it belongs to the user's context and travels with it.
    pub is_user_context: bool,
    /// Kinds of messages that inherit it.
    pub copy: CopyOptions,
}

impl Default for PropertyDescriptor {
    fn default() -> Self {
        Self { support: constants::MQPD_SUPPORT_OPTIONAL, is_user_context: false, copy: CopyOptions::DEFAULT }
    }
}

impl PropertyDescriptor {
    /// Takes the numbers of a program's structure.
    ///
    /// # Errors
    /// `MQRC_PD_ERROR` for an option, context or copy option without a meaning, `MQRC_UNSUPPORTED_PROPERTY`
    /// for support that no queue manager of this release gives.
    pub fn from_codes(options: i32, support: i32, context: i32, copy: i32) -> Result<Self, Reason> {
        let copy = CopyOptions::from_bits(copy);
        let is_user_context = match context {
            constants::MQPD_NO_CONTEXT => false,
            constants::MQPD_USER_CONTEXT => true,
            _ => return Err(Reason::PD_ERROR),
        };
        if options != constants::MQPD_NONE || !copy.unknown().is_empty() {
            return Err(Reason::PD_ERROR);
        }
        let known = [
            constants::MQPD_SUPPORT_OPTIONAL,
            constants::MQPD_SUPPORT_REQUIRED,
            constants::MQPD_SUPPORT_REQUIRED_IF_LOCAL,
        ];
        // A bit of the accepting masks asks for nothing; one of the rejecting mask must be understood.
        if !known.contains(&support) && support & constants::MQPD_REJECT_UNSUP_MASK != 0 {
            return Err(Reason::UNSUPPORTED_PROPERTY);
        }
        Ok(Self { support, is_user_context, copy })
    }
}

#[cfg(test)]
mod tests {
    use super::{CopyOptions, PropertyDescriptor};
    use crate::{PutAction, Reason, constants};

    #[test]
    fn a_descriptor_is_taken_from_its_numbers() {
        let default = PropertyDescriptor::from_codes(0, 1, 0, 22);
        assert_eq!(default, Ok(PropertyDescriptor::default()));
        assert_eq!(PropertyDescriptor::from_codes(0, 1, 2, 22), Err(Reason::PD_ERROR));
        assert_eq!(PropertyDescriptor::from_codes(0, 1, 0, 64), Err(Reason::PD_ERROR));
        assert_eq!(PropertyDescriptor::from_codes(5, 1, 0, 22), Err(Reason::PD_ERROR));
        assert_eq!(PropertyDescriptor::from_codes(0, i32::MIN, 0, 22), Err(Reason::UNSUPPORTED_PROPERTY));
        assert!(PropertyDescriptor::from_codes(0, constants::MQPD_SUPPORT_REQUIRED, 1, 0).is_ok());
    }

    const SUPPORTS: [i32; 3] = [
        constants::MQPD_SUPPORT_OPTIONAL,
        constants::MQPD_SUPPORT_REQUIRED,
        constants::MQPD_SUPPORT_REQUIRED_IF_LOCAL,
    ];
    const COPIES: [i32; 6] = [
        constants::MQCOPY_ALL,
        constants::MQCOPY_FORWARD,
        constants::MQCOPY_PUBLISH,
        constants::MQCOPY_REPLY,
        constants::MQCOPY_REPORT,
        constants::MQCOPY_DEFAULT,
    ];

    #[test]
    fn each_option_of_a_descriptor_is_taken() {
        for support in SUPPORTS {
            for (context, copy) in [0, constants::MQPD_USER_CONTEXT].into_iter().zip(COPIES) {
                let taken = PropertyDescriptor::from_codes(0, support, context, copy).unwrap();
                assert_eq!((taken.support, taken.is_user_context), (support, context != 0));
            }
        }
        for copy in COPIES {
            assert_eq!(PropertyDescriptor::from_codes(0, 1, 0, copy).unwrap().copy.bits(), copy);
        }
    }

    #[test]
    fn no_option_of_a_descriptor_is_taken_beside_what_is_none() {
        let unknown = 1 << 9;
        for support in SUPPORTS {
            let rejecting = 1 << 21;
            let refused = PropertyDescriptor::from_codes(0, support | rejecting, 0, 0);
            assert_eq!(refused, Err(Reason::UNSUPPORTED_PROPERTY), "{support:#x}");
            assert_eq!(PropertyDescriptor::from_codes(unknown, support, 0, 0), Err(Reason::PD_ERROR));
        }
        for copy in COPIES {
            let refused = PropertyDescriptor::from_codes(0, 1, 0, copy | unknown);
            assert_eq!(refused, Err(Reason::PD_ERROR), "{copy:#x}");
        }
        let context = constants::MQPD_USER_CONTEXT | unknown;
        assert_eq!(PropertyDescriptor::from_codes(0, 1, context, 0), Err(Reason::PD_ERROR));
    }

    #[test]
    fn who_inherits_is_said_by_the_copy_options() {
        for (action, expected) in [
            (PutAction::New, true),
            (PutAction::Forward, true),
            (PutAction::Reply, false),
            (PutAction::Report, true),
        ] {
            assert_eq!(CopyOptions::DEFAULT.apply_to(action), expected, "{action:?}");
            assert!(CopyOptions::ALL.apply_to(action));
        }
    }
}
