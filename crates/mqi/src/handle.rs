//! Handles: what a program holds for a connection, an open object or a set of properties.

/// Defines a handle type over the number the interface gives it.
macro_rules! handle {
    ($(#[$meta:meta])* $name:ident($number:ty), none = $none:expr) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $number);

        impl $name {
            /// The value that names nothing.
            pub const NONE: Self = Self($none);
        }

        impl Default for $name {
            fn default() -> Self {
                Self::NONE
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(formatter)
            }
        }
    };
}

handle! {
    /// A connection to a queue manager.
    ConnectionHandle(i32), none = crate::constants::MQHC_UNUSABLE_HCONN
}
handle! {
    /// An object that was opened on a connection.
    ObjectHandle(i32), none = crate::constants::MQHO_NONE
}
handle! {
    /// A set of message properties.
    MessageHandle(i64), none = crate::constants::MQHM_NONE
}

impl MessageHandle {
    /// Value of a handle after it was deleted.
    pub const UNUSABLE: Self = Self(crate::constants::MQHM_UNUSABLE_HMSG);
}
