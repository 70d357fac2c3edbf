//! Sets of option bits.
//!
//! Always: bits without a name are kept, so that the judge of options can refuse them.

/// Defines a set of named bits over the number a C program passes.
macro_rules! bit_set {
    ($(#[$meta:meta])* $name:ident { $($(#[$bit_meta:meta])* $bit:ident = $value:expr,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(i32);

        impl $name {
            $(
                $(#[$bit_meta])*
                pub const $bit: Self = Self({
                    #[allow(unused_imports, reason = "a value may be a number")]
                    use $crate::constants::*;
                    $value
                });
            )*
            /// No bit set.
            pub const EMPTY: Self = Self(0);
            /// Every bit that has a name.
            pub const KNOWN: Self = Self(0 $(| Self::$bit.0)*);
            const NAMES: &'static [(i32, &'static str)] =
                &[$((Self::$bit.0, stringify!($bit)),)*];

            /// Takes the number a program passed, unknown bits included.
            #[must_use]
            pub const fn from_bits(bits: i32) -> Self {
                Self(bits)
            }

            /// The number as a C program knows it.
            #[must_use]
            pub const fn bits(self) -> i32 {
                self.0
            }

            /// True if all of `other` is in here.
            #[must_use]
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// True if any of `other` is in here.
            #[must_use]
            pub const fn intersects(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// True if no bit is set.
            #[must_use]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Both sets together; `|` for constants.
            #[must_use]
            pub const fn union(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// This set without `other`.
            #[must_use]
            pub const fn without(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            /// The bits that have no name.
            #[must_use]
            pub const fn unknown(self) -> Self {
                self.without(Self::KNOWN)
            }

            /// Adds `other`.
            pub const fn insert(&mut self, other: Self) {
                self.0 |= other.0;
            }

            /// Takes `other` away.
            pub const fn remove(&mut self, other: Self) {
                self.0 &= !other.0;
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                self.union(other)
            }
        }

        impl std::ops::BitOrAssign for $name {
            fn bitor_assign(&mut self, other: Self) {
                self.insert(other);
            }
        }

        impl std::ops::BitAnd for $name {
            type Output = Self;

            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }

        impl std::ops::Sub for $name {
            type Output = Self;

            fn sub(self, other: Self) -> Self {
                self.without(other)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::bit_set::write_names(self.0, Self::NAMES, formatter)
            }
        }
    };
}

pub(crate) use bit_set;

/// Writes `INPUT_SHARED | BROWSE`, and what has no name as a number.
pub(crate) fn write_names(
    bits: i32,
    names: &[(i32, &str)],
    formatter: &mut std::fmt::Formatter<'_>,
) -> std::fmt::Result {
    let mut rest = bits;
    let mut separator = "";
    for (value, name) in names.iter().filter(|(value, _)| value.count_ones() > 0) {
        if rest & value == *value {
            write!(formatter, "{separator}{name}")?;
            separator = " | ";
            rest &= !value;
        }
    }
    if rest != 0 || bits == 0 {
        write!(formatter, "{separator}{rest:#x}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
