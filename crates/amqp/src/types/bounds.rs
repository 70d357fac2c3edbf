//! Bounds of values.

/// Deepest nesting of lists, maps, arrays and described values: deeper than any message that is made to be
/// read, shallow enough for a stack of fixed size.
pub const NESTING_MAX: usize = 32;

/// Most elements of an array whose elements have no bytes: such an array costs its sender nothing.
pub const EMPTY_ELEMENTS_MAX: u32 = 4096;

/// Most pairs of a map: all its keys are held at once to find one that is there twice, 32 bytes each.
pub const MAP_PAIRS_MAX: usize = 1 << 20;
