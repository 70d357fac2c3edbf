//! CONNAUTH of the queue manager: the credentials that it asks of programs.

use std::time::Duration;

use mqi::constants::{
    MQCA_CONN_AUTH, MQCHK_NONE, MQCHK_OPTIONAL, MQCHK_REQUIRED, MQIA_ADOPT_CONTEXT,
    MQIA_AUTHENTICATION_FAIL_DELAY, MQIA_CHECK_CLIENT_BINDING, MQIA_CHECK_LOCAL_BINDING,
};
use objects::{Definition, ObjectType};
use security::channel_rules::CredentialCheck;

use crate::channels::Logins;
use crate::engine::Engine;

/// The credentials that a queue manager asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnAuth {
    /// CHCKCLNT
    pub client: CredentialCheck,
    /// CHCKLOCL
    pub local: CredentialCheck,
    /// ADOPTCTX: a proved user is the one to act as.
    pub adopts: bool,
    /// FAILDLAY: the time until wrong credentials are answered.
    pub fail_delay: Duration,
}

impl ConnAuth {
    /// CONNAUTH(' '): credentials are not looked at.
    pub const NONE: Self = Self {
        client: CredentialCheck::None,
        local: CredentialCheck::None,
        adopts: false,
        fail_delay: Duration::ZERO,
    };
}

/// CONNAUTH names nothing that judges credentials.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "CONNAUTH({name}) of the queue manager names no AUTHINFO with AUTHTYPE(IDPWOS): define it, or ALTER QMGR \
     CONNAUTH"
)]
pub struct NoProvider {
    /// The name.
    pub name: String,
}

impl Logins<'_> {
    /// The credentials that the queue manager asks for now.
    ///
    /// # Errors
    /// When CONNAUTH names no object that judges them: then no network login is accepted.
    pub fn conn_auth(&self) -> Result<ConnAuth, NoProvider> {
        self.engine().conn_auth()
    }
}

impl Engine {
    /// The credentials that the queue manager asks for now.
    ///
    /// # Errors
    /// When CONNAUTH names nothing that judges them.
    pub(crate) fn conn_auth(&self) -> Result<ConnAuth, NoProvider> {
        let catalogue = &self.directory.catalogue;
        let name = catalogue.manager().definition.text(MQCA_CONN_AUTH).trim().to_owned();
        if name.is_empty() {
            return Ok(ConnAuth::NONE);
        }
        let object_type = ObjectType::SystemAuthentication;
        let found = catalogue.find_defined(object_type.name_space(), &name).0;
        match found.filter(|found| found.object_type() == object_type) {
            Some(found) => Ok(of(&found.current().definition)),
            None => Err(NoProvider { name }),
        }
    }
}

fn of(definition: &Definition) -> ConnAuth {
    let check = |selector| match definition.integer(selector) {
        MQCHK_NONE => CredentialCheck::None,
        MQCHK_OPTIONAL => CredentialCheck::Optional,
        MQCHK_REQUIRED => CredentialCheck::Required,
        _ => CredentialCheck::RequiredForAdministrators,
    };
    let delay = u64::try_from(definition.integer(MQIA_AUTHENTICATION_FAIL_DELAY)).unwrap_or_default();
    ConnAuth {
        client: check(MQIA_CHECK_CLIENT_BINDING),
        local: check(MQIA_CHECK_LOCAL_BINDING),
        adopts: definition.integer(MQIA_ADOPT_CONTEXT) == 1,
        fail_delay: Duration::from_secs(delay),
    }
}
