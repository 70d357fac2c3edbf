//! The issuers of certificates that had a list of revoked ones: logged like a definition, so that a list that
//! is lost is missed.
//!
//! Lives elsewhere: the lists themselves, which are files (the host).
//!
//! Always: an issuer is there until an administrator gives its list up.

use objects::attributes::{REVOKERS, REVOKERS_MAX};
use objects::{Definition, Value};

use crate::catalogue::ChangeError;
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

impl QueueManager {
    /// The issuers that had a list, each by the bytes of its name in figures.
    #[must_use]
    pub fn revokers(&self) -> Vec<String> {
        revokers(&self.engine().catalogue.manager().definition)
    }

    /// Remembers that an issuer has a list.
    ///
    /// # Errors
    /// When there are too many, or the log has no room.
    pub fn remember_revoker(&self, issuer: &str) -> Result<(), RevokerError> {
        let mut issuers = self.revokers();
        if issuers.len() >= REVOKERS_MAX {
            return Err(RevokerError::TooMany);
        }
        issuers.push(issuer.to_owned());
        self.set_revokers(&issuers)
    }

    /// Forgets that an issuer had a list.
    ///
    /// # Errors
    /// When the log has no room.
    pub fn forget_revoker(&self, issuer: &str) -> Result<(), RevokerError> {
        let mut issuers = self.revokers();
        issuers.retain(|own| own != issuer);
        self.set_revokers(&issuers)
    }

    fn set_revokers(&self, issuers: &[String]) -> Result<(), RevokerError> {
        let value = Value::Texts(issuers.iter().map(|issuer| issuer.as_str().into()).collect());
        self.engine().catalogue.alter_manager(|definition| {
            definition.set_internal(REVOKERS, value);
            Ok(())
        })?;
        Ok(())
    }
}

fn revokers(manager: &Definition) -> Vec<String> {
    manager.texts(REVOKERS).iter().map(ToString::to_string).collect()
}
