//! TLS as a program asks for it: MQSCO, and the name of the partner in MQCD.

use crate::layout::{MQCD, MQCNO, MQSCO};
use crate::memory::Structure;
use crate::places::log;
use crate::places::security::{Security, Unmet};
use crate::translate::text;
use mqi::Reason;
use mqi::constants::{
    MQ_CERT_VAL_POLICY_ANY, MQ_DISTINGUISHED_NAME_LENGTH, MQ_SUITE_B_NONE, MQ_SUITE_B_NOT_AVAILABLE,
    MQSSL_FIPS_NO, MQSSL_FIPS_YES,
};

/// The highest policy of validation; each of them is met, since every certificate is proved.
const VALIDATION_POLICY_MAX: i32 = 2;

/// Most bytes between two resets of keys.
const KEY_RESET_MAX: i32 = 999_999_999;

/// The MQSCO that the options of a connect call name.
pub(super) fn read(program: &Structure<MQCNO>) -> Result<Security, Reason> {
    if !program.SSLConfigPtr.is_null() && program.SSLConfigOffset != 0 {
        return Err(Reason::SSL_CONFIG_ERROR);
    }
    let pointer = program.other(program.SSLConfigPtr, program.SSLConfigOffset);
    if pointer.is_null() {
        return Ok(Security::default());
    }
    let options = Structure::read(pointer, MQSCO::DEFAULT, Reason::SCO_ERROR)?;
    check(&options)?;
    if has_password(&options)? {
        log::note("the password of the key store in MQSCO has no effect, since keys are read without one");
    }
    Ok(Security {
        key_store: text::padded(&options.KeyRepository),
        label: text::padded(&options.CertificateLabel),
        unmet: unmet(&options),
    })
}

/// Refuses values that no library takes.
fn check(options: &MQSCO) -> Result<(), Reason> {
    if options.AuthInfoRecCount < 0 {
        return Err(Reason::AUTH_INFO_REC_COUNT_ERROR);
    }
    if !(0..=KEY_RESET_MAX).contains(&options.KeyResetCount) {
        return Err(Reason::SSL_KEY_RESET_ERROR);
    }
    if ![MQSSL_FIPS_NO, MQSSL_FIPS_YES].contains(&options.FipsRequired) {
        return Err(Reason::SSL_CONFIG_ERROR);
    }
    if !(MQ_CERT_VAL_POLICY_ANY..=VALIDATION_POLICY_MAX).contains(&options.CertificateValPolicy) {
        return Err(Reason::CERT_VAL_POLICY_ERROR);
    }
    Ok(())
}

fn has_password(options: &Structure<MQSCO>) -> Result<bool, Reason> {
    let MQSCO { KeyRepoPasswordPtr, KeyRepoPasswordOffset, KeyRepoPasswordLength, .. } = **options;
    let (place, error) = (KeyRepoPasswordPtr.cast(), Reason::KEY_REPOSITORY_ERROR);
    options.named_length(place, KeyRepoPasswordOffset, KeyRepoPasswordLength, error).map(|length| length > 0)
}

fn unmet(options: &MQSCO) -> Option<Unmet> {
    let is_none = |policy: &i32| [MQ_SUITE_B_NOT_AVAILABLE, MQ_SUITE_B_NONE].contains(policy);
    let demands = [
        (options.FipsRequired == MQSSL_FIPS_YES, Unmet::Fips),
        (!options.EncryptionPolicySuiteB.iter().all(is_none), Unmet::SuiteB),
        (!text::padded(&options.CryptoHardware).is_empty(), Unmet::Hardware),
        (options.AuthInfoRecCount > 0, Unmet::Revocation),
    ];
    demands.into_iter().find_map(|(is_made, unmet)| is_made.then_some(unmet))
}

/// The name that MQCD wants the queue manager's certificate to have.
pub(super) fn peer(channel: &Structure<MQCD>) -> Result<String, Reason> {
    let MQCD { SSLPeerNamePtr, SSLPeerNameLength, .. } = **channel;
    let (place, error) = (SSLPeerNamePtr.cast(), Reason::SSL_PEER_NAME_ERROR);
    let length = channel.named_length(place, 0, SSLPeerNameLength, error)?;
    if length > MQ_DISTINGUISHED_NAME_LENGTH {
        return Err(error);
    }
    let name = channel.bytes(place, 0, SSLPeerNameLength, error)?;
    let name = text::decode(&name, text::NATIVE_CCSID, error)?;
    Ok(name.trim_end_matches([' ', '\0']).to_owned())
}
