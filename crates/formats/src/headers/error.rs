//! Faults of headers.

use mqi::Reason;

/// Why bytes are not the header their format says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{header} at byte {offset}: {fault}")]
pub struct HeaderError {
    /// The structure, such as `MQDLH`.
    pub header: &'static str,
    /// Where in the body it goes wrong.
    pub offset: usize,
    /// The fault at that place.
    pub fault: Fault,
}

/// Fault of a header.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The bytes end in the middle of a field.
    #[error("the message ends in the middle of {0}")]
    Cut(&'static str),
    /// The structure begins with something else.
    #[error("the structure identifier is not {0:?}")]
    Identifier(&'static str),
    /// A version that is not known.
    #[error("version {0} is not known")]
    Version(i32),
    /// A length that the structure cannot have.
    #[error("{field} is {length}, which it cannot be")]
    Length {
        /// The field.
        field: &'static str,
        /// The length it gives.
        length: i32,
    },
    /// A character set in which fields cannot be read.
    #[error("the fields cannot be in character set {0}")]
    CharacterSet(i32),
    /// An encoding in which numbers cannot be read.
    #[error("numbers cannot be in encoding {0}")]
    Encoding(i32),
    /// More headers than a message may have.
    #[error("more than {0} headers stand before the data")]
    TooMany(usize),
    /// The name-value string or folder makes no sense.
    #[error("{0}")]
    Content(&'static str),
}

impl HeaderError {
    /// The reason a verb gives for it.
    #[must_use]
    pub fn reason(&self) -> Reason {
        match (self.header, &self.fault) {
            (_, Fault::CharacterSet(_)) => Reason::SOURCE_CCSID_ERROR,
            (_, Fault::Encoding(_)) => Reason::SOURCE_INTEGER_ENC_ERROR,
            ("MQDLH", _) => Reason::DLH_ERROR,
            ("MQMDE", _) => Reason::MDE_ERROR,
            ("MQXQH", _) => Reason::XQH_ERROR,
            ("MQIIH", _) => Reason::IIH_ERROR,
            ("MQCIH", _) => Reason::HEADER_ERROR,
            ("MQTM", _) => Reason::TM_ERROR,
            ("MQTMC2", _) => Reason::TMC_ERROR,
            ("MQRFH", Fault::Content(_)) => Reason::RFH_STRING_ERROR,
            ("MQRFH2", Fault::Content(_)) => Reason::RFH_FORMAT_ERROR,
            _ => Reason::RFH_ERROR,
        }
    }
}
