//! A message on a dead-letter queue: why it is there, and the message it was.

use bytes::Bytes;
use formats::headers::{self, DeadLetterHeader, Header, HeaderError, Place};
use mqi::{MessageDescriptor, MessageToken};

/// A message on a dead-letter queue.
#[derive(Clone, Debug)]
pub struct Letter {
    /// Its descriptor as it is.
    pub descriptor: MessageDescriptor,
    /// Its body as it is, header and all.
    pub body: Bytes,
    /// Names it as long as it is on its queue.
    pub token: MessageToken,
    /// Why it is there; an error when nothing says so.
    pub header: Result<DeadLetterHeader, NoHeader>,
}

/// Why a message has no dead-letter header that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoHeader {
    /// The message has no dead-letter header.
    #[error("it has no dead-letter header")]
    Absent,
    /// It says it has one.
    #[error("its dead-letter header cannot be read: {0}")]
    Unreadable(HeaderError),
}

/// Bytes of a dead-letter header.
const HEADER_BYTES: usize = 172;

impl Letter {
    /// A message that was browsed or got.
    #[must_use]
    pub fn new(descriptor: MessageDescriptor, body: Bytes, token: MessageToken) -> Self {
        let header = match headers::first(&Place::of(&descriptor), &body) {
            Ok(Some((Header::DeadLetter(header), _))) => Ok(header),
            Ok(_) => Err(NoHeader::Absent),
            Err(error) if error.header == "MQDLH" => Err(NoHeader::Unreadable(error)),
            Err(_) => Err(NoHeader::Absent),
        };
        Self { descriptor, body, token, header }
    }

    /// The message as it was before it died; as it is when it has no header.
    #[must_use]
    pub fn original(&self) -> (MessageDescriptor, Bytes) {
        let mut descriptor = self.descriptor.clone();
        let Ok(header) = &self.header else { return (descriptor, self.body.clone()) };
        let place = Place::of(&self.descriptor);
        let following = header.following;
        let coded_character_set = place.inherited(following.coded_character_set);
        Place { coded_character_set, ..following }.describe(&mut descriptor);
        (descriptor, self.body.slice(HEADER_BYTES.min(self.body.len())..))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::headers::Chain;
    use mqi::{Encoding, PutApplicationType, Text};

    #[test]
    fn a_letter_is_the_message_it_was_behind_its_header() {
        let place = Place { format: Text::truncated("MQSTR"), coded_character_set: 1208, ..Place::default() };
        let header = DeadLetterHeader {
            reason: 2053,
            destination_queue: Text::truncated("ORDERS"),
            destination_queue_manager: Text::truncated("QM1"),
            following: place,
            put_application_type: PutApplicationType::QMGR,
            put_application_name: Text::BLANK,
            put_date: Text::BLANK,
            put_time: Text::BLANK,
        };
        let chain = Chain { headers: vec![Header::DeadLetter(header)], place, data: "text".into() };
        for encoding in [Encoding::NATIVE, Encoding::NORMAL] {
            let (place, body) = chain.write(encoding, 819).unwrap();
            let mut descriptor = MessageDescriptor::default();
            place.describe(&mut descriptor);
            let letter = Letter::new(descriptor.clone(), body.clone(), MessageToken::NONE);
            assert_eq!(letter.header.as_ref().map(|header| header.reason), Ok(2053));
            let (original, data) = letter.original();
            assert_eq!((original.format.as_str(), original.coded_character_set), ("MQSTR", 1208));
            assert_eq!(&data[..], b"text");
            let cut = Letter::new(descriptor, body.slice(..100), MessageToken::NONE);
            assert!(matches!(cut.header, Err(NoHeader::Unreadable(_))));
        }
        let plain = Letter::new(MessageDescriptor::default(), "text".into(), MessageToken::NONE);
        assert_eq!(plain.header, Err(NoHeader::Absent));
        assert_eq!(&plain.original().1[..], b"text");
    }
}
