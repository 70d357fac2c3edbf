//! Parameters of functions that programs find by name.
//!
//! Always: used in functions whose callers promise that each pointer is null or leads to what the interface
//! says.

/// Takes a parameter.
macro_rules! at {
    ($pointer:expr) => {
        // SAFETY: as promised by the program (see the module).
        unsafe { $crate::memory::Pointer::new($pointer.cast()) }
    };
}

/// Takes a buffer with its length, in bytes, and the reasons for one that makes no sense.
macro_rules! buffer {
    ($kind:ident, $start:expr, $length:expr, $length_error:ident, $buffer_error:ident) => {
        // SAFETY: as promised by the program (see the module).
        unsafe {
            $crate::memory::$kind::new(
                $start.cast(),
                $length,
                mqi::Reason::$length_error,
                mqi::Reason::$buffer_error,
            )
        }
    };
}

/// Takes an array of numbers.
macro_rules! numbers {
    ($kind:ident, $start:expr, $count:expr, $length_error:ident, $buffer_error:ident) => {
        match $count.checked_mul(size_of::<$crate::layout::MQLONG>() as $crate::layout::MQLONG) {
            Some(length) => buffer!($kind, $start, length, $length_error, $buffer_error),
            None => Err(mqi::Reason::$length_error),
        }
    };
}

/// Takes the last two parameters of every call.
macro_rules! outcome {
    ($completion:expr, $reason:expr) => {
        $crate::boundary::Outcome { completion: at!($completion), reason: at!($reason) }
    };
}

/// Takes a text of a length, or one that ends with a NUL, as bytes.
macro_rules! text {
    ($start:expr, $length:expr) => {
        // SAFETY: as promised by the program (see the module).
        unsafe { $crate::memory::text($start.cast(), $length) }
    };
}

/// Takes bytes of a length.
macro_rules! bytes {
    ($start:expr, $length:expr) => {
        buffer!(Source, $start, $length, BUFFER_LENGTH_ERROR, BUFFER_ERROR).map($crate::memory::Source::copy)
    };
}

pub(super) use {at, buffer, bytes, numbers, outcome, text};
