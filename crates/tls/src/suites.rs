//! The suites, versions and groups of a session, from the name that SSLCIPH takes.

use std::sync::Arc;

use rustls::SupportedProtocolVersion;
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::version::{TLS12, TLS13};
use security::cipherspecs::{Build, Choice, Protocol, Refusal};

/// Why a choice of suites makes no session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuiteError {
    /// The name is refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// No suite of the choice is in this build.
    #[error("no suite of CipherSpec {0} is supported; use ANY_TLS12_OR_HIGHER")]
    Empty(&'static str),
}

/// The suites of a choice, and the versions of the protocol that they belong to.
pub(crate) struct Suites {
    pub(crate) provider: Arc<CryptoProvider>,
    pub(crate) versions: Vec<&'static SupportedProtocolVersion>,
}

impl Suites {
    pub(crate) fn of(choice: Choice) -> Result<Self, SuiteError> {
        if let Choice::One(spec) = choice {
            spec.available(Build::Standard)?;
        }
        let specs: Vec<_> = choice.suites(Build::Standard).collect();
        let all = aws_lc_rs::default_provider();
        let suite = |number: u16| all.cipher_suites.iter().find(|suite| u16::from(suite.suite()) == number);
        let suites: Vec<_> = specs.iter().filter_map(|spec| suite(spec.number)).copied().collect();
        let versions = [(Protocol::Tls13, &TLS13), (Protocol::Tls12, &TLS12)];
        let has = |protocol| specs.iter().any(|spec| spec.protocol == protocol);
        let versions: Vec<_> =
            versions.into_iter().filter(|(protocol, _)| has(*protocol)).map(|(_, version)| version).collect();
        if suites.is_empty() {
            return Err(SuiteError::Empty(choice.name()));
        }
        Ok(Self { provider: Arc::new(CryptoProvider { cipher_suites: suites, ..all }), versions })
    }

    /// The suites of a choice first, and after them the others of this build: a program that has none of the
    /// choice is refused by the login then, in words. A choice of TLS 1.2 has no newer suites behind it: the
    /// newest version that both sides have would win.
    pub(crate) fn preferring(choice: Choice) -> Result<Self, SuiteError> {
        let (first, all) = (Self::of(choice)?, Self::of(any())?);
        let versions = if first.versions.contains(&&TLS13) { all.versions } else { first.versions };
        let mut suites = first.provider.cipher_suites.clone();
        for other in &all.provider.cipher_suites {
            let is_spoken = versions.contains(&other.version());
            if is_spoken && !suites.iter().any(|suite| suite.suite() == other.suite()) {
                suites.push(*other);
            }
        }
        let provider = CryptoProvider { cipher_suites: suites, ..(*first.provider).clone() };
        Ok(Self { provider: Arc::new(provider), versions })
    }
}

/// Every suite that this build has.
pub(crate) fn any() -> Choice {
    Choice::find("ANY_TLS12_OR_HIGHER").expect("a name of the table")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_come_after_those_of_the_choice_and_none_is_newer() {
        let preferring = |name: &str| Suites::preferring(Choice::find(name).unwrap()).unwrap();
        let one = preferring("TLS_AES_128_GCM_SHA256");
        let numbers: Vec<u16> = one.provider.cipher_suites.iter().map(|suite| suite.suite().into()).collect();
        assert!(numbers[0] == 0x1301 && numbers.len() == of("ANY_TLS12_OR_HIGHER").unwrap().len());
        assert_eq!(one.versions.len(), 2);
        let old = preferring("ANY_TLS12");
        assert_eq!(old.versions, [&TLS12]);
        assert_eq!(old.provider.cipher_suites.len(), of("ANY_TLS12").unwrap().len());
    }

    fn of(name: &str) -> Result<Vec<u16>, SuiteError> {
        let suites = Suites::of(Choice::find(name).unwrap())?;
        Ok(suites.provider.cipher_suites.iter().map(|suite| suite.suite().into()).collect())
    }

    #[test]
    fn a_cipherspec_is_its_suite_and_a_name_for_several_all_in_order() {
        assert_eq!(of("TLS_AES_128_GCM_SHA256"), Ok(vec![0x1301]));
        assert_eq!(of("ECDHE_RSA_AES_256_GCM_SHA384"), Ok(vec![0xC030]));
        assert_eq!(of("ANY_TLS13"), Ok(vec![0x1302, 0x1301, 0x1303]));
        assert_eq!(of("ANY_TLS12"), Ok(vec![0xC02C, 0xC030, 0xC02B, 0xC02F]));
        let all = Ok(vec![0x1302, 0x1301, 0x1303, 0xC02C, 0xC030, 0xC02B, 0xC02F]);
        assert_eq!(of("ANY_TLS12_OR_HIGHER"), all);
    }

    #[test]
    fn every_suite_of_the_table_that_is_for_every_build_is_in_this_one() {
        use security::cipherspecs::{CipherSpec, Provider};
        for spec in CipherSpec::all() {
            let expected = spec.provider == Provider::Standard;
            assert_eq!(of(spec.name).is_ok(), expected, "{}", spec.name);
        }
    }

    #[test]
    fn a_suite_of_another_build_is_refused_with_the_way_on() {
        let refused = of("ECDHE_RSA_AES_256_CBC_SHA384").unwrap_err().to_string();
        assert!(refused.contains("is not supported"), "{refused}");
    }
}
