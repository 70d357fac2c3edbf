//! The issuers of certificates that had a list of revoked ones: logged like a definition, so that a list that
//! is lost is missed.
//!
//! Lives elsewhere: the lists themselves, which are files (the host).
//!
//! Always: an issuer is there until an administrator gives its list up.

use mqi::ours::REVOKERS;
use objects::Value;
use objects::attributes::REVOKERS_MAX;

use crate::catalogue::ChangeError;
use crate::channels::Logins;
use crate::manager::QueueManager;

/// Why an issuer was not remembered, or forgotten.
#[derive(Debug, thiserror::Error)]
pub enum RevokerError {
    /// There are too many.
    #[error("{REVOKERS_MAX} issuers are remembered, which is the most; give up the lists of some")]
    TooMany,
    /// The log has no room.
    #[error(transparent)]
    Log(#[from] ChangeError),
}

/// The issuers of a queue manager that had a list.
#[derive(Clone, Copy, Debug)]
pub struct RevocationLists<'manager>(&'manager QueueManager);

impl<'manager> Logins<'manager> {
    /// The lists of revoked certificates that there were.
    #[must_use]
    pub const fn revocation_lists(&self) -> RevocationLists<'manager> {
        RevocationLists(self.queue_manager())
    }
}

impl RevocationLists<'_> {
    /// The issuers, each by the bytes of its name in figures.
    #[must_use]
    pub fn issuers(&self) -> Vec<String> {
        let manager = self.0.engine().directory.catalogue.manager();
        manager.definition.texts(REVOKERS).iter().map(ToString::to_string).collect()
    }

    /// Remembers that an issuer has a list.
    ///
    /// # Errors
    /// When there are too many, or the log has no room.
    pub fn remember(&self, issuer: &str) -> Result<(), RevokerError> {
        let mut issuers = self.issuers();
        if issuers.len() >= REVOKERS_MAX {
            return Err(RevokerError::TooMany);
        }
        issuers.push(issuer.to_owned());
        self.set(&issuers)
    }

    /// Forgets that an issuer had a list.
    ///
    /// # Errors
    /// When the log has no room.
    pub fn forget(&self, issuer: &str) -> Result<(), RevokerError> {
        let mut issuers = self.issuers();
        issuers.retain(|own| own != issuer);
        self.set(&issuers)
    }

    fn set(&self, issuers: &[String]) -> Result<(), RevokerError> {
        let value = Value::Texts(issuers.iter().map(|issuer| issuer.as_str().into()).collect());
        self.0.engine().directory.catalogue.alter_manager(|definition| {
            definition.set_internal(REVOKERS, value);
            Ok(())
        })?;
        Ok(())
    }
}
