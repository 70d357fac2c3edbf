//! Fields that few messages have.
//!
//! Always: a field at its default takes no memory besides its place, and copies of a descriptor share one
//! that is not. A queue keeps the descriptor of every message in memory, so that each byte of it counts.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;

use crate::{GroupId, ObjectName, QueueManagerName, Text, TextError};

/// Value of a field that is at its default in most descriptors.
///
/// It reads like the value itself, and is made of one by `From`.
pub struct Rare<T: Usual>(Option<Arc<T>>);

/// The value that most descriptors have in a field.
pub trait Usual: PartialEq + 'static {
    /// That value.
    const USUAL: &'static Self;
}

impl<const N: usize> Usual for Text<N> {
    const USUAL: &'static Self = &Self::BLANK;
}

impl Usual for GroupId {
    const USUAL: &'static Self = &Self::NONE;
}

impl<T: Usual> Rare<T> {
    /// The default of the field.
    pub const USUAL: Self = Self(None);

    /// True for the default of the field.
    #[must_use]
    #[inline]
    pub fn is_usual(&self) -> bool {
        self.0.is_none()
    }

    #[cold]
    fn replace(&mut self, source: &Self) {
        *self = source.clone();
    }

    /// Memory that the value takes beside its place: none at its default.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        /// Counts of holders, and the bytes of the allocator.
        const BESIDE: usize = 3 * size_of::<usize>();
        if self.0.is_some() { size_of::<T>() + BESIDE } else { 0 }
    }
}

impl<T: Usual> Clone for Rare<T> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        if !(self.is_usual() & source.is_usual()) {
            self.replace(source);
        }
    }
}

impl<T: Usual> From<T> for Rare<T> {
    #[inline]
    fn from(value: T) -> Self {
        if value == *T::USUAL { Self::USUAL } else { Self(Some(Arc::new(value))) }
    }
}

impl<const N: usize> FromStr for Rare<Text<N>> {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        text.parse::<Text<N>>().map(Self::from)
    }
}

impl From<ObjectName> for Rare<Text<48>> {
    fn from(name: ObjectName) -> Self {
        Text::from(name).into()
    }
}

impl From<QueueManagerName> for Rare<Text<48>> {
    fn from(name: QueueManagerName) -> Self {
        Text::from(name).into()
    }
}

impl<T: Usual> Default for Rare<T> {
    fn default() -> Self {
        Self::USUAL
    }
}

impl<T: Usual> Deref for Rare<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or(T::USUAL)
    }
}

impl<T: Usual> PartialEq for Rare<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            _ => **self == **other,
        }
    }
}

impl<T: Usual + Eq> Eq for Rare<T> {}

impl<T: Usual> PartialEq<T> for Rare<T> {
    fn eq(&self, other: &T) -> bool {
        **self == *other
    }
}

impl<const N: usize> PartialEq<&str> for Rare<Text<N>> {
    fn eq(&self, other: &&str) -> bool {
        **self == *other
    }
}

impl<const N: usize> AsRef<str> for Rare<Text<N>> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl<T: Usual + fmt::Display> fmt::Display for Rare<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

impl<T: Usual + fmt::Debug> fmt::Debug for Rare<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}
