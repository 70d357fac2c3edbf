//! TLS of a client channel: the key store and the key in it.
//!
//! Lives here: which of MQSCO, the channel, the environment and the file of client settings counts. Lives
//! elsewhere: MQSCO as bytes (`calls::tls_options`), key stores (`tls`), the handshake (`client`).
//!
//! Always: a demand that this library does not meet is refused, never passed over.

use super::ClientChannel;
use super::client_file::ClientFile;
use super::environment::Environment;
use super::found::Found;
use client::Tls;
use mqi::Reason;
use server::foreign;
use std::path::Path;

/// The structure of TLS that a program passes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Security {
    /// The folder or file of keys and trusted certificates; empty where it names none.
    pub key_store: String,
    /// The label of the key to show; empty where it names none.
    pub label: String,
    /// The first demand that this library does not meet.
    pub unmet: Option<Unmet>,
}

/// A demand on TLS that this library does not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unmet {
    /// Certified cryptography.
    #[error("FIPS-certified cryptography is asked for, and this build has none: ask for none")]
    Fips,
    /// Suite B.
    #[error("Suite B is asked for: ask for none, and name the CipherSpec in SSLCipherSpec")]
    SuiteB,
    /// Cryptographic hardware.
    #[error("cryptographic hardware is asked for, and keys are read from files alone: ask for none")]
    Hardware,
    /// Servers that know of revoked certificates.
    #[error(
        "MQSCO has records of authentication information: leave them out, and add lists of revoked certificates \
         to the key store"
    )]
    Revocation,
}

impl Unmet {
    /// The reason code of the connect call.
    #[must_use]
    pub const fn reason(self) -> Reason {
        match self {
            Self::Fips => Reason::SSL_INITIALIZATION_ERROR,
            Self::SuiteB => Reason::SUITE_B_ERROR,
            Self::Hardware => Reason::CRYPTO_HARDWARE_ERROR,
            Self::Revocation => Reason::AUTH_INFO_REC_ERROR,
        }
    }
}

/// Why a channel cannot be used by TLS.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecurityError {
    /// Nothing names a key store.
    #[error(
        "the channel {0} asks for TLS and nothing names a key store: set KeyRepository of MQSCO, MQSSLKEYR, or \
         SSLKeyRepository of mqclient.ini"
    )]
    NoKeyStore(String),
    /// The key store is in the folder that the program runs in, and other users may change it.
    #[error(transparent)]
    Found(#[from] Found),
    /// A demand is not met.
    #[error(transparent)]
    Unmet(#[from] Unmet),
}

impl SecurityError {
    /// The reason code of the connect call.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        match self {
            Self::NoKeyStore(_) | Self::Found(_) => Reason::KEY_REPOSITORY_ERROR,
            Self::Unmet(unmet) => unmet.reason(),
        }
    }
}

/// The TLS of a channel; none where it is in the clear. The key store is that of MQSCO, else of
/// MQSSLKEYR, else of the file of client settings. The label is that of the channel, else in the same order.
///
/// # Errors
/// When there is no key store, or a demand is not met.
pub fn tls(
    channel: &ClientChannel,
    program: &Security,
    environment: &Environment,
    file: &ClientFile,
) -> Result<Option<Tls>, SecurityError> {
    if channel.cipher.is_empty() {
        return Ok(None);
    }
    let wants_fips = match &environment.fips {
        Some(text) => !text.eq_ignore_ascii_case("NO"),
        None => file.wants_fips,
    };
    if let Some(unmet) = program.unmet.or_else(|| wants_fips.then_some(Unmet::Fips)) {
        return Err(unmet.into());
    }
    let first = |texts: &[Option<&String>]| {
        texts.iter().flatten().find(|text| !text.is_empty()).map(|text| (*text).clone())
    };
    let stores = [Some(&program.key_store), environment.key_store.as_ref(), file.key_store.as_ref()];
    let labels =
        [Some(&channel.label), Some(&program.label), environment.label.as_ref(), file.label.as_ref()];
    let key_store = first(&stores).ok_or_else(|| SecurityError::NoKeyStore(channel.name.clone()))?;
    let is_named = Path::new(&key_store).is_absolute() || first(&stores[..2]).is_some();
    if !is_named {
        let remedy = "name it by MQSSLKEYR, or by its whole path in SSLKeyRepository";
        let place = Path::new(&key_store);
        foreign::check(place).map_err(|foreign| Found::new(place, foreign, remedy))?;
    }
    Ok(Some(Tls {
        key_store: key_store.into(),
        cipherspec: channel.cipher.clone(),
        label: first(&labels).unwrap_or_default(),
        peer: channel.peer.clone(),
    }))
}

#[cfg(test)]
mod tests {
    use super::{Security, SecurityError, Unmet};
    use crate::places::ClientChannel;
    use crate::places::choice::Settings;
    use client::Tls;
    use std::path::Path;

    fn tls(
        channel: &ClientChannel,
        program: &Security,
        settings: &Settings,
    ) -> Result<Option<Tls>, SecurityError> {
        super::tls(channel, program, &settings.environment, &settings.file)
    }

    fn channel() -> ClientChannel {
        ClientChannel { cipher: "ANY_TLS13".into(), ..ClientChannel::to("C", Vec::new()) }
    }

    #[test]
    fn the_key_store_and_the_label_are_those_nearest_to_the_program() {
        let mut channel = ClientChannel { label: "of-channel".into(), ..channel() };
        let mut program =
            Security { key_store: "/of/program".into(), label: "of-program".into(), unmet: None };
        let mut settings = Settings::default();
        settings.environment.key_store = Some("/of/environment".into());
        settings.environment.label = Some("of-environment".into());
        settings.file.key_store = Some("/of/file".into());
        settings.file.label = Some("of-file".into());
        let mut expect = |store: &str, label: &str, change: &mut dyn FnMut(&mut Security, &mut Settings)| {
            let found = tls(&channel, &program, &settings).unwrap().unwrap();
            assert_eq!((found.key_store.as_path(), found.label.as_str()), (Path::new(store), label));
            channel.label.clear();
            change(&mut program, &mut settings);
        };
        expect("/of/program", "of-channel", &mut |_, _| {});
        expect("/of/program", "of-program", &mut |program, _| *program = Security::default());
        expect("/of/environment", "of-environment", &mut |_, settings| {
            (settings.environment.key_store, settings.environment.label) = (None, None);
        });
        expect("/of/file", "of-file", &mut |_, settings| *settings = Settings::default());
        let refused = tls(&channel, &program, &settings).unwrap_err();
        assert_eq!(refused.reason(), mqi::Reason::KEY_REPOSITORY_ERROR);
        let clear = ClientChannel { cipher: String::new(), ..channel };
        assert_eq!(tls(&clear, &program, &settings).unwrap(), None);
    }

    #[test]
    fn a_demand_that_is_not_met_refuses_a_channel_with_tls_and_no_other() {
        let store = || Security { key_store: "/k".into(), ..Security::default() };
        for (unmet, code) in
            [(Unmet::Fips, 2393), (Unmet::SuiteB, 2592), (Unmet::Hardware, 2382), (Unmet::Revocation, 2384)]
        {
            let program = Security { unmet: Some(unmet), ..store() };
            let refused = tls(&channel(), &program, &Settings::default()).unwrap_err();
            assert_eq!(refused.reason().code(), code, "{refused}");
            let clear = ClientChannel::to("C", Vec::new());
            assert_eq!(tls(&clear, &program, &Settings::default()).unwrap(), None);
        }
        let mut settings = Settings::default();
        settings.file.wants_fips = true;
        assert_eq!(tls(&channel(), &store(), &settings).unwrap_err().reason().code(), 2393);
        settings.environment.fips = Some("no".into());
        assert!(tls(&channel(), &store(), &settings).is_ok());
        settings.environment.fips = Some("YES".into());
        assert_eq!(tls(&channel(), &store(), &settings).unwrap_err().reason().code(), 2393);
    }
}
