//! Files for programs: the way to a queue manager, with a key that the authority issued.

use std::path::Path;

use tls::bundle::Way;
use tls::store::{self, CERTIFICATE, KEY, KEYS};

use crate::authority::Authority;
use crate::error::IssueError;
use crate::files::{self, file};

impl Authority {
    /// Writes the bundle of a label that this authority issued, for its owner alone.
    ///
    /// # Errors
    /// When the label has no key in the store, or the system refuses.
    pub fn bundle(&self, label: &str, way: &Way, path: &Path) -> Result<(), IssueError> {
        if !store::is_label(label) {
            return Err(IssueError::Label(label.to_owned()));
        }
        self.issued_under(label)?;
        let keys = self.store.join(KEYS);
        let certificate = files::read(&file(&keys, label, CERTIFICATE))?;
        let key = zeroize::Zeroizing::new(files::read(&file(&keys, label, KEY))?);
        let text =
            zeroize::Zeroizing::new([&way.head(), &certificate, &key[..], &self.trusted_pem()?].concat());
        files::write(path, text.as_bytes())
    }
}
