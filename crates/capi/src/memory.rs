//! The program's memory: everything that is read from it and written to it goes through here.
//!
//! Lives here: what a call was given, as values that know how far they reach: numbers ([`Pointer`]), buffers
//! ([`Buffer`], [`Source`]), structures by their version ([`Structure`]), texts by pointer or offset
//! ([`Structure::variable`]). Lives elsewhere: what the fields mean (`translate`).
//!
//! Always: nothing is read or written behind the length that a call or a version states; no reference into
//! the program's memory outlives a line, but for the body of a message on its way into the buffer of a socket
//! ([`Source::lend`]), because other threads of the program may write there; a field is written only when its
//! bytes change, or with others of its structure ([`Structure::replace`]), so that what lies in memory for
//! reading can be passed where nothing is returned.

#![allow(unsafe_code, reason = "the one place where the program's memory is touched")]

use crate::layout::{MQCHARV, MQLONG, Versioned};
use bytes::Bytes;
use mqi::{Reason, constants};
use std::marker::PhantomData;

/// Where a call takes or leaves a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pointer<T: Copy>(*mut T);

impl<T: Copy> Pointer<T> {
    /// Takes a parameter of a call.
    ///
    /// # Safety
    /// It is null, or the program may read and write a `T` there until the call ends, any bytes being a `T`.
    pub(crate) unsafe fn new(pointer: *mut T) -> Self {
        Self(pointer)
    }

    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    pub(crate) fn read(self) -> Option<T> {
        // SAFETY: not null here, so by the promise of `new` there is a value; it need not be aligned.
        (!self.0.is_null()).then(|| unsafe { self.0.read_unaligned() })
    }

    /// Leaves a value there, if there is a place for it.
    pub(crate) fn write(self, value: T) {
        if !self.0.is_null() {
            // SAFETY: not null here, so by the promise of `new` there is room for a value.
            unsafe { self.0.write_unaligned(value) };
        }
    }
}

/// Bytes a call is given to read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    start: *const u8,
    length: usize,
}

impl Source {
    /// Takes a buffer and its length, as the program states it.
    ///
    /// # Errors
    /// `length_error` for a negative length, `buffer_error` for no buffer where there should be one.
    ///
    /// # Safety
    /// It is null, or the program may read so many bytes there until the call ends.
    pub(crate) unsafe fn new(
        start: *const u8,
        length: MQLONG,
        length_error: Reason,
        buffer_error: Reason,
    ) -> Result<Self, Reason> {
        let length = usize::try_from(length).map_err(|_| length_error)?;
        if start.is_null() && length > 0 {
            return Err(buffer_error);
        }
        Ok(Self { start, length })
    }

    /// A copy of the bytes.
    pub(crate) fn copy(self) -> Bytes {
        self.lend(Bytes::copy_from_slice)
    }

    /// Lends the bytes to be copied.
    pub(crate) fn lend<T>(self, copy: impl FnOnce(&[u8]) -> T) -> T {
        if self.length == 0 {
            return copy(&[]);
        }
        // SAFETY: so many bytes are there by the promise of `new`, until the call ends; nothing follows from
        // what they are.
        copy(unsafe { std::slice::from_raw_parts(self.start, self.length) })
    }

    /// The numbers that lie there, one behind the other.
    pub(crate) fn numbers(self) -> Vec<MQLONG> {
        self.copy()
            .chunks_exact(4)
            .map(|number| i32::from_ne_bytes([number[0], number[1], number[2], number[3]]))
            .collect()
    }
}

/// Room a call is given to write into.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer {
    start: *mut u8,
    length: usize,
}

impl Buffer {
    /// As [`Source::new`], for writing.
    ///
    /// # Errors
    /// `length_error` for a negative length, `buffer_error` for no buffer where there should be one.
    ///
    /// # Safety
    /// It is null, or the program may write so many bytes there until the call ends.
    pub(crate) unsafe fn new(
        start: *mut u8,
        length: MQLONG,
        length_error: Reason,
        buffer_error: Reason,
    ) -> Result<Self, Reason> {
        let length = usize::try_from(length).map_err(|_| length_error)?;
        if start.is_null() && length > 0 {
            return Err(buffer_error);
        }
        Ok(Self { start, length })
    }

    /// Length in bytes.
    pub(crate) fn length(self) -> usize {
        self.length
    }

    /// Copies the content.
    pub(crate) fn copy(self) -> Bytes {
        Source { start: self.start, length: self.length }.copy()
    }

    /// Writes as many bytes as fit; how many.
    pub(crate) fn write(self, bytes: &[u8]) -> usize {
        let count = bytes.len().min(self.length);
        if count > 0 {
            // SAFETY: so many bytes are there by the promise of `new`, and `bytes` are ours and elsewhere.
            unsafe { std::ptr::copy(bytes.as_ptr(), self.start, count) };
        }
        count
    }

    /// Fills what lies behind the first so many bytes.
    pub(crate) fn fill_behind(self, count: usize, with: u8) {
        if count < self.length {
            // SAFETY: it is within the bytes that are there by the promise of `new`.
            unsafe { self.start.add(count).write_bytes(with, self.length - count) };
        }
    }

    /// Writes numbers one behind the other, as many as fit.
    pub(crate) fn write_numbers(self, numbers: &[MQLONG]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
        self.write(&bytes);
    }
}

/// The character set of what we return in fields of variable length.
const UTF8_CCSID: MQLONG = 1208;

/// Where a structure of the program is, and how long it is in its version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<T> {
    at: *mut u8,
    length: usize,
    of: PhantomData<T>,
}

impl<T: Versioned> Found<T> {
    /// Looks at what a structure begins with.
    ///
    /// # Errors
    /// `error` when there is none, it begins with something else, or its version is not known.
    pub(crate) fn at(pointer: Pointer<T>, error: Reason) -> Result<Self, Reason> {
        let at = pointer.0.cast::<u8>();
        if at.is_null() {
            return Err(error);
        }
        if let Some(identifier) = T::IDENTIFIER {
            // SAFETY: the program promises a structure; every structure with an identifier begins with it.
            if unsafe { at.cast::<[u8; 4]>().read_unaligned() } != identifier {
                return Err(error);
            }
        }
        // SAFETY: every version of the structure has the field that says which it is.
        let version = unsafe { at.add(T::VERSION_OFFSET).cast::<MQLONG>().read_unaligned() };
        let length = T::length_of(version).ok_or(error)?.min(size_of::<T>());
        Ok(Self { at, length, of: PhantomData })
    }

    /// Finds a structure that may be absent.
    ///
    /// # Errors
    /// As of [`at`](Self::at).
    pub(crate) fn at_or_none(pointer: Pointer<T>, error: Reason) -> Result<Self, Reason> {
        match pointer.is_null() {
            true => Ok(Self { at: std::ptr::null_mut(), length: 0, of: PhantomData }),
            false => Self::at(pointer, error),
        }
    }

    /// Copies it; fields that its version does not have are those of `initial`.
    pub(crate) fn read(self, initial: T) -> Structure<T> {
        let Self { at, length, .. } = self;
        let mut value = initial;
        if length > 0 {
            // SAFETY: the program promises as many bytes as the version has, which are not more than a `T`
            // has; any bytes are a valid value of every field, as they are numbers, characters and pointers.
            unsafe { std::ptr::copy(at, (&raw mut value).cast::<u8>(), length) };
        }
        Structure { at, length, value }
    }
}

/// A structure of the program: a copy of what its version has, and where it came from.
#[derive(Debug)]
pub(crate) struct Structure<T: Versioned> {
    at: *mut u8,
    length: usize,
    value: T,
}

impl<T: Versioned> std::ops::Deref for Structure<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Versioned> Structure<T> {
    /// Reads a structure; fields that its version does not have are those of `initial`.
    ///
    /// # Errors
    /// `error` when there is none, it begins with something else, or its version is not known.
    pub(crate) fn read(pointer: Pointer<T>, initial: T, error: Reason) -> Result<Self, Reason> {
        Ok(Found::at(pointer, error)?.read(initial))
    }

    /// Reads a structure, or takes the initial one when there is none.
    ///
    /// # Errors
    /// As of [`read`](Self::read).
    pub(crate) fn read_or(pointer: Pointer<T>, initial: T, error: Reason) -> Result<Self, Reason> {
        Ok(Found::at_or_none(pointer, error)?.read(initial))
    }

    /// Writes all behind the version, as far as the version goes.
    pub(crate) fn replace(&self, value: &T) {
        let from = T::VERSION_OFFSET + size_of::<MQLONG>();
        if from < self.length {
            // SAFETY: what is written lies within the length that the program's version states, which is not
            // more than a `T` has.
            unsafe {
                let value = (&raw const *value).cast::<u8>().add(from);
                std::ptr::copy(value, self.at.add(from), self.length - from);
            }
        }
    }

    /// True if the program's structure reaches over a field.
    fn has(&self, offset: usize, length: usize) -> bool {
        offset + length <= self.length
    }

    /// Writes a field at its offset, if the version has it.
    pub(crate) fn write<F: Copy>(&self, offset: usize, field: F) {
        if !self.has(offset, size_of::<F>()) {
            return;
        }
        // SAFETY: the field lies within the length that the program's version states.
        let place = unsafe { self.at.add(offset) };
        let field = (&raw const field).cast::<u8>();
        // SAFETY: both are fields without padding, one in the program's memory and one of ours.
        let (old, new) = unsafe {
            (
                std::slice::from_raw_parts(place, size_of::<F>()),
                std::slice::from_raw_parts(field, size_of::<F>()),
            )
        };
        if old != new {
            // SAFETY: as above; the bytes change, so the program must have meant them to be written.
            unsafe { std::ptr::copy(field, place, size_of::<F>()) };
        }
    }

    /// Where a part of the program's memory is that a field names by pointer, or by offset from the
    /// structure.
    fn place(&self, pointer: *mut u8, offset: MQLONG) -> *mut u8 {
        if !pointer.is_null() || offset == 0 || self.at.is_null() {
            return pointer;
        }
        self.at.wrapping_offset(offset as isize)
    }

    /// Another structure that a field names by pointer or offset.
    pub(crate) fn other<O: Versioned>(&self, pointer: *mut O, offset: MQLONG) -> Pointer<O> {
        Pointer(self.place(pointer.cast(), offset).cast())
    }

    /// Bytes that fields name by pointer or offset and length; none when there is no pointer.
    ///
    /// # Errors
    /// `error` when the length is negative, or there is a length and no pointer.
    pub(crate) fn bytes(
        &self,
        pointer: *mut u8,
        offset: MQLONG,
        length: MQLONG,
        error: Reason,
    ) -> Result<Bytes, Reason> {
        let start = self.place(pointer, offset);
        // SAFETY: the program promises that what its structure names is there.
        Ok(unsafe { Source::new(start, length, error, error) }?.copy())
    }

    /// Returns the length of the bytes that fields name by pointer or offset and length, without reading
    /// them.
    ///
    /// # Errors
    /// As of [`bytes`](Self::bytes).
    pub(crate) fn named_length(
        &self,
        pointer: *mut u8,
        offset: MQLONG,
        length: MQLONG,
        error: Reason,
    ) -> Result<usize, Reason> {
        match usize::try_from(length) {
            Ok(length) if length == 0 || !self.place(pointer, offset).is_null() => Ok(length),
            _ => Err(error),
        }
    }

    /// A text that a variable-length field holds, in its bytes.
    ///
    /// # Errors
    /// `error` when its length makes no sense, there is a length and no text, or it names a place in two
    /// ways.
    pub(crate) fn variable(&self, field: &MQCHARV, error: Reason) -> Result<Bytes, Reason> {
        check_place(field, error)?;
        let start = self.place(field.VSPtr.cast(), field.VSOffset);
        if field.VSLength == constants::MQVS_NULL_TERMINATED {
            return if start.is_null() { Ok(Bytes::new()) } else { Ok(until_nul(start)) };
        }
        // SAFETY: the program promises that what its structure names is there.
        Ok(unsafe { Source::new(start, field.VSLength, error, error) }?.copy())
    }

    /// True if a field that is to be filled names room. Its length is left from the last call, and
    /// says nothing.
    ///
    /// # Errors
    /// `error` when it names a place in two ways, or one without saying how much room is there.
    pub(crate) fn check_room(&self, field: &MQCHARV, error: Reason) -> Result<(), Reason> {
        check_place(field, error)?;
        let is_none = field.VSPtr.is_null() && field.VSOffset == 0;
        if is_none || field.VSBufSize > 0 { Ok(()) } else { Err(error) }
    }

    /// Fills a variable-length field at an offset: as much as there is room for, and how long it is in all.
    pub(crate) fn fill_variable(&self, offset: usize, field: &MQCHARV, text: &[u8]) {
        self.fill_variable_in(offset, field, text, UTF8_CCSID);
    }

    /// Fills a variable field with a text in this character set.
    pub(crate) fn fill_variable_in(&self, offset: usize, field: &MQCHARV, text: &[u8], ccsid: MQLONG) {
        if !self.has(offset, size_of::<MQCHARV>()) {
            return;
        }
        let start = self.place(field.VSPtr.cast(), field.VSOffset);
        let room = if start.is_null() { 0 } else { usize::try_from(field.VSBufSize).unwrap_or_default() };
        Buffer { start, length: room }.write(text);
        let length = MQLONG::try_from(text.len()).unwrap_or(MQLONG::MAX);
        self.write(offset + std::mem::offset_of!(MQCHARV, VSLength), length);
        self.write(offset + std::mem::offset_of!(MQCHARV, VSCCSID), ccsid);
    }
}

/// A value, of the type of a field.
pub(crate) fn of_type_of<F>(_field: F, value: F) -> F {
    value
}

/// Leaves values in fields of a structure of the program.
macro_rules! give {
    ($structure:expr, $kind:ident { $($field:ident: $value:expr),* $(,)? }) => {{
        $($structure.write(
            std::mem::offset_of!($kind, $field),
            // The type of the field is that of the layout.
            $crate::memory::of_type_of($structure.$field, $value),
        );)*
    }};
}
pub(crate) use give;

/// A variable-length field names its place by a pointer or by an offset.
fn check_place(field: &MQCHARV, error: Reason) -> Result<(), Reason> {
    if field.VSPtr.is_null() || field.VSOffset == 0 { Ok(()) } else { Err(error) }
}

/// A variable-length field that is a parameter by itself, such as the name of a property.
///
/// # Errors
/// `error` when its length makes no sense, when there is a length and no text, and when there is no field.
/// Beside a pointer the offset says nothing: programs that pass a pointer leave it unset, and no reason of a
/// name refuses it.
pub(crate) fn variable(pointer: Pointer<MQCHARV>, error: Reason) -> Result<(Bytes, MQLONG), Reason> {
    let field = pointer.read().ok_or(error)?;
    let at = pointer.0.cast::<u8>();
    let start = if field.VSPtr.is_null() && field.VSOffset != 0 {
        at.wrapping_offset(field.VSOffset as isize)
    } else {
        field.VSPtr.cast()
    };
    let text = if field.VSLength != constants::MQVS_NULL_TERMINATED {
        // SAFETY: the program promises that what the field names is there.
        unsafe { Source::new(start, field.VSLength, error, error) }?.copy()
    } else if start.is_null() {
        return Err(error);
    } else {
        until_nul(start)
    };
    Ok((text, field.VSCCSID))
}

/// A text that ends with a NUL.
fn until_nul(start: *const u8) -> Bytes {
    // SAFETY: the program says that its text ends with a NUL; it is copied before this line ends.
    Bytes::copy_from_slice(unsafe { std::ffi::CStr::from_ptr(start.cast()) }.to_bytes())
}

/// As many bytes of a field of characters as there are before its NUL, at most so many. A name may be passed
/// as a text that ends with a NUL and is shorter than the field.
///
/// # Safety
/// It is null, or the program may read there until a NUL or so many bytes.
pub(crate) unsafe fn characters<const N: usize>(start: *const u8) -> Option<[u8; N]> {
    if start.is_null() {
        return None;
    }
    let mut field = [b' '; N];
    for (place, character) in field.iter_mut().enumerate() {
        // SAFETY: no byte before this one was a NUL, and it is one of the first so many.
        match unsafe { start.add(place).read() } {
            0 => break,
            read => *character = read,
        }
    }
    Some(field)
}

/// A value with a NUL at its end, of a length that the program does not say.
///
/// # Safety
/// It is null, or there is a text with a NUL at its end.
pub(crate) unsafe fn terminated(start: *const u8) -> Option<Bytes> {
    (!start.is_null()).then(|| until_nul(start))
}

/// A text of a length, or with a NUL at its end when the length says so.
///
/// # Errors
/// `MQRC_BUFFER_LENGTH_ERROR` for a negative length, `MQRC_BUFFER_ERROR` for no text where there should be
/// one.
///
/// # Safety
/// It is null, or so many bytes are there, or a NUL is at its end where the length says so.
pub(crate) unsafe fn text(start: *const u8, length: MQLONG) -> Result<Bytes, Reason> {
    if length == constants::MQBL_NULL_TERMINATED {
        return if start.is_null() { Err(Reason::BUFFER_ERROR) } else { Ok(until_nul(start)) };
    }
    // SAFETY: as promised to this function.
    let text = unsafe { Source::new(start, length, Reason::BUFFER_LENGTH_ERROR, Reason::BUFFER_ERROR) };
    text.map(Source::copy)
}
