//! Bodies that travel in more than one frame.
//!
//! The first frame says how long the body is and carries as much as fits; frames that name the same owner (a
//! request, a delivery) bring the rest in order.

use crate::Error;
use bytes::{Bytes, BytesMut};

/// A body some of which has arrived.
#[derive(Debug)]
pub struct Assembly<Owner> {
    owner: Owner,
    length: usize,
    body: BytesMut,
}

impl<Owner: Copy + PartialEq> Assembly<Owner> {
    /// Begins with what the first frame brought of a body of `length` bytes.
    ///
    /// # Errors
    /// When the length is beyond what was agreed, or the frame brought more than it announced. Checked before
    /// anything is allocated.
    pub fn begin(owner: Owner, length: u32, first: &[u8], message_bytes_max: u32) -> Result<Self, Error> {
        check_length(length, first.len(), message_bytes_max)?;
        let mut body = BytesMut::with_capacity(length as usize);
        body.extend_from_slice(first);
        Ok(Self { owner, length: length as usize, body })
    }

    /// Bytes of the whole body.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// Bytes of it that have arrived.
    #[must_use]
    pub fn arrived(&self) -> usize {
        self.body.len()
    }

    /// Takes the next fragment; the body when it is whole.
    ///
    /// # Errors
    /// When it belongs to another request or brings more than was announced.
    pub fn add(&mut self, owner: Owner, fragment: &[u8]) -> Result<Option<Bytes>, Error> {
        if owner != self.owner {
            return Err(Error::Piece("it belongs to another request than the body on its way"));
        }
        if fragment.is_empty() || fragment.len() > self.length - self.body.len() {
            return Err(Error::Piece("it brings nothing, or more than the body has left"));
        }
        self.body.extend_from_slice(fragment);
        Ok((self.body.len() == self.length).then(|| std::mem::take(&mut self.body).freeze()))
    }
}

/// Checks that a body may have this length and that `first` bytes of it may be here.
///
/// # Errors
/// When the length is beyond what was agreed, or more bytes are here than were announced.
pub fn check_length(length: u32, first: usize, message_bytes_max: u32) -> Result<(), Error> {
    if length > message_bytes_max {
        return Err(Error::MessageLength { length, length_max: message_bytes_max });
    }
    if first > length as usize {
        return Err(Error::Trailing(first - length as usize));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_whole_when_its_last_fragment_arrives() {
        let request = 3_u32;
        let mut assembly = Assembly::begin(request, 5, b"ab", 100).unwrap();
        assert_eq!(assembly.add(request, b"cd"), Ok(None));
        assert_eq!(assembly.add(request, b"e"), Ok(Some(Bytes::from_static(b"abcde"))));
    }

    #[test]
    fn what_was_not_announced_is_refused() {
        let request = 3_u32;
        assert!(matches!(
            Assembly::begin(request, 101, b"", 100),
            Err(Error::MessageLength { length: 101, length_max: 100 })
        ));
        assert!(matches!(Assembly::begin(request, u32::MAX, b"", 100), Err(Error::MessageLength { .. })));
        let mut assembly = Assembly::begin(request, 5, b"ab", 100).unwrap();
        assert!(assembly.add(4, b"c").is_err(), "another request");
        assert!(assembly.add(request, b"cdef").is_err(), "too much");
        assert!(assembly.add(request, b"").is_err(), "nothing");
    }
}
