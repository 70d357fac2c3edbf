//! Files for programs: the way to a queue manager, with a key that the authority issued.

use std::path::Path;

use tls::bundle::Way;
use tls::pem::{self, LABEL};
use tls::store::{CERTIFICATE, KEY, KEYS};

use crate::authority::Authority;
use crate::error::IssueError;
use crate::files::{self, file};

impl Authority {
    /// Writes the bundle of a label that this authority issued, for its owner alone.
    ///
    /// # Errors
    /// When the label has no key in the store, or the system refuses. Nothing is left of the file then.
    pub fn bundle(&self, label: &str, way: &Way, path: &Path) -> Result<(), IssueError> {
        if !pem::is_label(label) {
            return Err(IssueError::Label(label.to_owned()));
        }
        self.issued_under(label)?;
        let keys = self.store.join(KEYS);
        let [certificate, key] = [CERTIFICATE, KEY].map(|ending| file(&keys, label, ending));
        if !key.exists() && !certificate.exists() {
            return Err(IssueError::KeyInBundle(label.to_owned()));
        }
        let certificate = files::read(&certificate)?;
        let key = zeroize::Zeroizing::new(files::read(&key)?);
        let name = format!("{LABEL} {label}\n");
        let text = [&way.head(), &certificate, &name, &key[..], &self.trusted_pem()?].concat();
        let text = zeroize::Zeroizing::new(text);
        files::write(path, text.as_bytes())
    }

    /// Writes the file of a program that has no key and proves its user by a password: the way, and the
    /// certificates of the authority.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn bundle_without_key(&self, way: &Way, path: &Path) -> Result<(), IssueError> {
        files::write(path, [way.head(), self.trusted_pem()?].concat().as_bytes())
    }
}
