//! One pass over the bytes of a value, which checks all of it: nesting, sizes, counts, texts.
//!
//! Always: the cost is that of the bytes, not of their claims; open values are on a stack of fixed size.

use wire::Fields;

use super::bounds::{EMPTY_ELEMENTS_MAX, NESTING_MAX};
use super::codes::{self, ARRAY_1, ARRAY_4, DESCRIBED, LIST_1, LIST_4, MAP_1, MAP_4};
use super::scalar::{descriptor, element_constructor, scalar, size_and_count};
use crate::error::DecodeError;

/// A compound value that the walk is in.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Bytes of the input that are left where it must end; none for a described value, which ends where its
    /// value does.
    ends_at: Option<usize>,
    /// Values to come.
    left: u32,
    /// The constructor of its elements, if it is an array.
    element: Option<u8>,
}

/// Goes over the value at the front of `bytes`; how many bytes it has.
///
/// # Errors
/// The fault of the bytes.
pub fn walk(bytes: &[u8]) -> Result<usize, DecodeError> {
    let mut rest = Fields::of(bytes);
    // The body of a message is one value most often, which needs no stack.
    let code = rest.u8("constructor")?;
    if codes::has_parts(code) {
        return walk_parts(bytes);
    }
    pass_over(&mut rest, code)?;
    Ok(bytes.len() - rest.ahead().len())
}

/// Passes over a value that is made of no others.
fn pass_over(rest: &mut Fields<'_>, code: u8) -> Result<(), DecodeError> {
    match codes::width_of_any(code) {
        Some(width) => rest.take(width, "value").map(drop)?,
        None => scalar(rest, code).map(drop)?,
    }
    Ok(())
}

fn walk_parts(bytes: &[u8]) -> Result<usize, DecodeError> {
    let mut rest = Fields::of(bytes);
    let mut around = [Level::default(); NESTING_MAX];
    let mut depth = 0;
    let mut level = Level { ends_at: None, left: 1, element: None };
    loop {
        while level.left == 0 {
            if level.ends_at.is_some_and(|ends_at| rest.ahead().len() != ends_at) {
                return Err(DecodeError::Size);
            }
            if depth == 0 {
                return Ok(bytes.len() - rest.ahead().len());
            }
            depth -= 1;
            level = around[depth];
        }
        level.left -= 1;
        let code = match level.element {
            Some(code) => code,
            None => rest.u8("constructor")?,
        };
        let inner = match code {
            DESCRIBED => {
                descriptor(&mut rest)?;
                Level { ends_at: None, left: 1, element: None }
            }
            LIST_1 | MAP_1 | ARRAY_1 | LIST_4 | MAP_4 | ARRAY_4 => compound(&mut rest, code)?,
            _ => {
                pass_over(&mut rest, code)?;
                continue;
            }
        };
        *around.get_mut(depth).ok_or(DecodeError::Nesting)? = level;
        depth += 1;
        level = inner;
    }
}

/// The level that a list, map or array begins.
fn compound(rest: &mut Fields<'_>, code: u8) -> Result<Level, DecodeError> {
    let (size, left) = size_and_count(rest, code)?;
    let ends_at = rest.ahead().len().checked_sub(size).ok_or(DecodeError::Cut)?;
    if matches!(code, MAP_1 | MAP_4) && left % 2 != 0 {
        return Err(DecodeError::OddMap);
    }
    let mut element = None;
    if matches!(code, ARRAY_1 | ARRAY_4) {
        let code = element_constructor(rest)?;
        if codes::has_no_bytes(code) && left > EMPTY_ELEMENTS_MAX {
            return Err(DecodeError::EmptyElements);
        }
        // Numbers are passed over together: a message may be an array of a hundred million bytes.
        if let Some(width) = codes::width_of_any(code) {
            rest.take((left as usize).saturating_mul(width), "elements")?;
            return Ok(Level { ends_at: Some(ends_at), left: 0, element: None });
        }
        element = Some(code);
    } else if left as usize > size {
        // A value has at least its constructor.
        return Err(DecodeError::Size);
    }
    Ok(Level { ends_at: Some(ends_at), left, element })
}
