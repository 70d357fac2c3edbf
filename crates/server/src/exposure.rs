//! Listeners that other machines reach.
//!
//! Lives here: the conditions on which one starts, and its encryption. Lives elsewhere: keys (`tls`), users
//! (`identity`), the rules of channels (`queue-manager`).
//!
//! Always: beyond loopback a listener has TLS alone, and a proof that tells a partner from a stranger, unless
//! an administrator started the queue manager with `--insecure`.

use std::net::SocketAddr;
use std::path::PathBuf;

use identity::UsersFile;
use tls::KeyStore;

use crate::configuration::ListenerTls;

/// The conditions of one queue manager.
#[derive(Clone)]
pub(crate) struct Exposure {
    /// The name of the queue manager, for the commands that mend what is missing.
    pub(crate) name: String,
    /// The folder of keys and trusted certificates.
    pub(crate) security: PathBuf,
    pub(crate) users: UsersFile,
    /// Started with `--insecure`.
    pub(crate) is_insecure: bool,
}

/// A listener that may not start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "it cannot listen on {address}, which other machines reach: {why}; or choose an address of 127.0.0.0/8 or ::1"
)]
pub struct Exposed {
    /// The address.
    pub address: SocketAddr,
    /// The condition that is missing, with the command that mends it.
    pub why: String,
}

impl Exposure {
    /// Judges an address for a listener that is to have this encryption; none is the queue manager's choice.
    /// Returns the encryption that it gets.
    ///
    /// # Errors
    /// When other machines reach the address, and the queue manager is not ready for them.
    pub(crate) fn judge(
        &self,
        address: SocketAddr,
        usual: ListenerTls,
        asked: Option<ListenerTls>,
    ) -> Result<ListenerTls, Exposed> {
        if address.ip().to_canonical().is_loopback() || self.is_insecure {
            return Ok(asked.unwrap_or(usual));
        }
        let exposed = |why: String| Exposed { address, why };
        if asked.is_some_and(|asked| asked != ListenerTls::Required) {
            return Err(exposed("it has TLS alone there, so give it TLS(REQUIRED) or TLS(AUTO)".to_owned()));
        }
        self.check().map_err(exposed)?;
        Ok(ListenerTls::Required)
    }

    /// Tells if a queue manager that listens beyond loopback does so without what it should have.
    pub(crate) fn is_open(&self, addresses: impl IntoIterator<Item = SocketAddr>) -> bool {
        let is_far = |address: SocketAddr| !address.ip().to_canonical().is_loopback();
        self.is_insecure && addresses.into_iter().any(is_far)
    }

    fn check(&self) -> Result<(), String> {
        let Self { name, security, users, .. } = self;
        // A folder that is not there has no keys; one that does not read says why.
        let store = if security.is_dir() {
            KeyStore::read(security).map_err(|error| error.to_string())?
        } else {
            KeyStore::default()
        };
        if store.keys.is_empty() {
            return Err(format!(
                "there is no key for TLS: ferry tls init {name} --host NAME makes one for the host name that programs use"
            ));
        }
        let has_users = users.read().is_ok_and(|users| users.all().next().is_some());
        if !has_users && store.trust.is_empty() {
            return Err(format!(
                "there are neither users nor trusted certificates of programs, so that nobody could be told from a \
                 stranger: ferry user add {name} USER, or ferry tls issue {name} PROGRAM"
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exposure(folder: &std::path::Path, is_insecure: bool) -> Exposure {
        let users = UsersFile::at(folder.join("users.toml"));
        Exposure { name: "QM1".to_owned(), security: folder.to_owned(), users, is_insecure }
    }

    #[test]
    fn loopback_in_any_form_needs_nothing_and_has_the_usual_encryption() {
        let folder = tempfile::tempdir().unwrap();
        let exposure = exposure(folder.path(), false);
        for address in ["127.0.0.1:1", "127.255.0.9:1", "[::1]:1", "[::ffff:127.0.0.1]:1"] {
            let address = address.parse().unwrap();
            assert_eq!(exposure.judge(address, ListenerTls::No, None), Ok(ListenerTls::No));
            let asked = Some(ListenerTls::Required);
            assert_eq!(exposure.judge(address, ListenerTls::No, asked), Ok(ListenerTls::Required));
        }
    }

    #[test]
    fn beyond_loopback_a_key_and_somebody_known_are_needed_and_tls_alone_is_spoken() {
        let folder = tempfile::tempdir().unwrap();
        let closed = exposure(folder.path(), false);
        for address in ["0.0.0.0:1", "[::]:1", "192.0.2.1:1", "[2001:db8::1]:1", "[::ffff:10.0.0.1]:1"] {
            let address: SocketAddr = address.parse().unwrap();
            let refused = closed.judge(address, ListenerTls::Required, None).unwrap_err();
            assert!(refused.to_string().contains("ferry tls init QM1"), "{refused}");
            let asked = Some(ListenerTls::Allowed);
            let refused = closed.judge(address, ListenerTls::Required, asked).unwrap_err();
            assert!(refused.why.contains("TLS alone"), "{refused}");
            let open = exposure(folder.path(), true);
            assert_eq!(open.judge(address, ListenerTls::No, None), Ok(ListenerTls::No));
            assert!(open.is_open([address]) && !closed.is_open([address]));
        }
        assert!(!exposure(folder.path(), true).is_open(["127.0.0.1:1".parse().unwrap()]));
    }
}
