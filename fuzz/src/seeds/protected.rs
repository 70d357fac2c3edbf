//! Seeds of protected messages: one for each policy, each with new keys of its own.

use anyhow::Result;
use protect::{Identity, Recipients, protect};
use tls::Certificate;

use super::keep;

/// Keeps a message of Alice by each policy.
pub(super) fn record() -> Result<()> {
    let certificate = Certificate::read(include_bytes!("../../keys/alice.der"))?;
    let alice = Identity::new(&[certificate.der], include_bytes!("../../keys/alice.key"))?;
    let readers = [&include_bytes!("../../keys/bob.der")[..], include_bytes!("../../keys/carol.der")];
    let readers = readers.into_iter().map(Certificate::read).collect::<Result<Vec<_>, _>>()?;
    let recipients = Recipients::new(readers);
    for (name, policy) in ["signed", "both", "encrypted"].into_iter().zip(fuzz::policies()) {
        let message = protect(&policy, Some(&alice), &recipients, fuzz::NOW, fuzz::BODY)?;
        keep("protected", name, &message)?;
    }
    Ok(())
}
