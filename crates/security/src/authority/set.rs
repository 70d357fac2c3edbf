//! Authorities, and sets of them.

use std::fmt;

use mqi::constants;

/// Defines the authorities: each with its keyword and its number, and a constant of the same keyword for a
/// set of it.
macro_rules! authorities {
    ($($(#[$meta:meta])* $authority:ident $keyword:ident $number:ident,)*) => {
        /// One right to do something with an object.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Authority { $($(#[$meta])* $authority,)* }

        impl Authority {
            /// Every authority.
            pub const ALL: &'static [Self] = &[$(Self::$authority),*];

            /// The keyword of MQSC.
            #[must_use]
            pub const fn keyword(self) -> &'static str {
                match self { $(Self::$authority => stringify!($keyword),)* }
            }

            /// The number of it in commands in binary form.
            #[must_use]
            pub const fn number(self) -> i32 {
                match self { $(Self::$authority => constants::$number,)* }
            }
        }

        impl Set {
            $($(#[$meta])* pub const $keyword: Self = Self(1 << Authority::$authority as u32);)*
        }
    };
}

authorities! {
    /// Use another user's authorities.
    AlternateUser ALTUSR MQAUTH_ALT_USER_AUTHORITY,
    /// Look at messages.
    Browse BROWSE MQAUTH_BROWSE,
    /// Change attributes.
    Change CHG MQAUTH_CHANGE,
    /// Take every message away.
    Clear CLR MQAUTH_CLEAR,
    /// Connect.
    Connect CONNECT MQAUTH_CONNECT,
    /// Define objects.
    Create CRT MQAUTH_CREATE,
    /// Delete.
    Delete DLT MQAUTH_DELETE,
    /// Display.
    Display DSP MQAUTH_DISPLAY,
    /// Get messages.
    Get GET MQAUTH_INPUT,
    /// Inquire attributes.
    Inquire INQ MQAUTH_INQUIRE,
    /// Put messages.
    Put PUT MQAUTH_OUTPUT,
    /// Pass the context of a message on.
    PassAllContext PASSALL MQAUTH_PASS_ALL_CONTEXT,
    /// Pass the identity in a message on.
    PassIdentityContext PASSID MQAUTH_PASS_IDENTITY_CONTEXT,
    /// Set attributes by MQSET.
    SetAttributes SET MQAUTH_SET,
    /// Set the context of a message.
    SetAllContext SETALL MQAUTH_SET_ALL_CONTEXT,
    /// Set the identity in a message.
    SetIdentityContext SETID MQAUTH_SET_IDENTITY_CONTEXT,
    /// Start, stop and ping.
    Control CTRL MQAUTH_CONTROL,
    /// Reset and resolve.
    ControlExtended CTRLX MQAUTH_CONTROL_EXTENDED,
    /// Publish.
    Publish PUB MQAUTH_PUBLISH,
    /// Subscribe.
    Subscribe SUB MQAUTH_SUBSCRIBE,
    /// Resume subscriptions.
    Resume RESUME MQAUTH_RESUME,
    /// Act as a part of the queue manager.
    System SYSTEM MQAUTH_SYSTEM,
}

impl Authority {
    /// The authority of a keyword, in letters of any case.
    #[must_use]
    pub fn by_keyword(keyword: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|authority| authority.keyword().eq_ignore_ascii_case(keyword))
    }

    /// The authority of a number.
    #[must_use]
    pub fn by_number(number: i32) -> Option<Self> {
        Self::ALL.iter().copied().find(|authority| authority.number() == number)
    }

    /// The set of it alone.
    #[must_use]
    pub const fn set(self) -> Set {
        Set(1 << self as u32)
    }
}

/// A set of authorities.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Set(u32);

impl Set {
    /// No authority.
    pub const EMPTY: Self = Self(0);

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// This set without another.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Tells if all of another set is in here.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Tells if nothing is in here.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The authorities, in the order of their keywords' list.
    pub fn iter(self) -> impl Iterator<Item = Authority> {
        Authority::ALL.iter().copied().filter(move |authority| self.contains(authority.set()))
    }
}

impl fmt::Display for Set {
    /// The keywords, as AUTHADD takes them.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return formatter.write_str("NONE");
        }
        for (index, authority) in self.iter().enumerate() {
            let separator = if index == 0 { "" } else { "," };
            write!(formatter, "{separator}{}", authority.keyword())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Set({self})")
    }
}
