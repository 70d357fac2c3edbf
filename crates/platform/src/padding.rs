//! Memory that several processors use at once: [`CachePadded`].

use std::ops::Deref;

/// A value in cache lines of its own.
///
/// A value that has cache lines of its own. A processor that writes a line all the time takes the rest of
/// that line away from the others, though they only read it. So a value written by each call of many threads
/// stands apart from values that each of them reads. Two lines, since processors fetch them in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct CachePadded<T>(T);

impl<T> CachePadded<T> {
    /// A value that stands apart.
    pub const fn new(value: T) -> Self {
        Self(value)
    }
}

impl<T> Deref for CachePadded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::CachePadded;

    #[test]
    fn neighbours_share_no_pair_of_lines() {
        let pair = [CachePadded::new(1_u8), CachePadded::new(2)];
        let lines = pair.each_ref().map(|value| std::ptr::from_ref::<u8>(value).addr() / 128);
        assert_ne!(lines[0], lines[1]);
        assert_eq!((*pair[0], *pair[1]), (1, 2));
    }
}
