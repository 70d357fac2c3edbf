//! The engine's part of the faults of `storage::planted`, where that takes more than a line. Only with the
//! feature `planted`.

use bytes::Bytes;
use storage::planted::{Fault, is, strikes, untrue_proof};
use storage::{Durable, Storage};

/// Proof of all appended records as durable, under the fault that counts them so.
pub fn durable(storage: &Storage) -> Option<Durable> {
    is(Fault::AckBeforeFlush).then(|| untrue_proof(storage.appended()))
}

/// Changes the last byte of some bodies.
pub(crate) fn change(body: &mut Bytes) {
    if !body.is_empty() && strikes(Fault::WrongBody) {
        let mut changed = body.to_vec();
        if let Some(last) = changed.last_mut() {
            *last ^= 1;
        }
        *body = changed.into();
    }
}
