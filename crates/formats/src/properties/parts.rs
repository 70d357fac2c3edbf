//! A body taken apart.

use bytes::Bytes;

use crate::headers::Place;

/// A body taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// The folders that were properties, in their order.
    pub folders: Vec<String>,
    /// The form of the rest.
    pub place: Place,
    /// The rest.
    pub body: Bytes,
}
