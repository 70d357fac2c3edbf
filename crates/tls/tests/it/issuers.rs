//! Issuers between an authority and a certificate, under names that are not theirs.

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DistinguishedName, DnType, ExtendedKeyUsagePurpose,
    IsCa, KeyPair, PKCS_ECDSA_P256_SHA256,
};
use tls::{Certificate, KeyStore};

use crate::line::{Hands, Serving, Stores};

type Issuer = CertifiedIssuer<'static, KeyPair>;
type Attributes<'a> = &'a [(DnType, &'a str)];

fn key() -> KeyPair {
    KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).unwrap()
}

fn params(name: Attributes<'_>) -> CertificateParams {
    let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
    params.distinguished_name = DistinguishedName::new();
    for (attribute, value) in name {
        params.distinguished_name.push(attribute.clone(), *value);
    }
    params.not_before = rcgen::date_time_ymd(2026, 9, 1);
    params.not_after = rcgen::date_time_ymd(2027, 9, 1);
    params
}

/// An authority of this name, below another or on its own.
fn authority(name: Attributes<'_>, above: Option<&Issuer>) -> Issuer {
    let mut params = params(name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    match above {
        Some(above) => Issuer::signed_by(params, key(), above).unwrap(),
        None => Issuer::self_signed(params, key()).unwrap(),
    }
}

/// The chain of a program of this issuer, with the certificates between it and its authority.
fn program(issuer: &Issuer, between: &[&Issuer]) -> Vec<Vec<u8>> {
    let mut params = params(&[(DnType::CommonName, "app1")]);
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    let own = params.signed_by(&key(), issuer).unwrap();
    std::iter::once(own.der().to_vec()).chain(between.iter().map(|issuer| issuer.der().to_vec())).collect()
}

/// A rule with SSLCERTI tells authorities apart by their names: one that is trusted could else let its
/// programs in under the name of another.
#[test]
fn an_issuer_has_the_name_of_a_trusted_authority_only_below_that_authority() {
    const ORGANIZATION: DnType = DnType::OrganizationName;
    const NAME: DnType = DnType::CommonName;
    let (stores, hands) = (Stores::new(), Hands::default());
    let (partner, bank) = (authority(&[(NAME, "Partner")], None), authority(&[(ORGANIZATION, "Bank")], None));
    let mut store: KeyStore = stores.queue_manager();
    let own = store.trust[0].subject.values(security::distinguished_name::AttributeType::CommonName);
    let own = own.map(str::to_owned).next().unwrap();
    for trusted in [&partner, &bank] {
        store.trust.push(Certificate::read(trusted.der()).unwrap());
    }
    let serving = Serving::start(&store, &[], &hands);
    let proved = |chain: &[Vec<u8>]| serving.contexts.prove_again(chain);

    // Names of its own are the authority's affair, and names of its own authority with more in them.
    assert_eq!(proved(&[stores.program("app1").keys["app1"].certificate.der.to_vec()]), Ok(()));
    assert_eq!(proved(&program(&partner, &[])), Ok(()));
    let issuing = authority(&[(NAME, "Partner issuing")], Some(&partner));
    assert_eq!(proved(&program(&issuing, &[&issuing])), Ok(()));
    let issuing = authority(&[(ORGANIZATION, "Bank"), (NAME, "Issuing")], Some(&bank));
    assert_eq!(proved(&program(&issuing, &[&issuing])), Ok(()));

    let loud = own.to_uppercase();
    for name in [
        &[(NAME, own.as_str())][..],
        &[(NAME, loud.as_str())],
        &[(NAME, own.as_str()), (ORGANIZATION, "Evil")],
        &[(ORGANIZATION, "Evil"), (NAME, own.as_str())],
        &[(ORGANIZATION, "Bank"), (NAME, "Issuing")],
    ] {
        let forged = authority(name, Some(&partner));
        let refused = proved(&program(&forged, &[&forged])).unwrap_err();
        assert!(refused.contains("has the name of a trusted authority"), "{name:?}: {refused}");
        let between = authority(&[(NAME, "Between")], Some(&partner));
        let forged = authority(name, Some(&between));
        let refused = proved(&program(&forged, &[&forged, &between])).unwrap_err();
        assert!(
            refused.contains("has the name of a trusted authority"),
            "{name:?}, further below: {refused}"
        );
    }
}
