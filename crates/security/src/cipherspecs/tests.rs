use super::{Build, Choice, CipherSpec, Protocol, Provider, Refusal, Weakness};

fn names(name: &str, build: Build) -> Vec<&'static str> {
    Choice::find(name).unwrap().suites(build).map(|spec| spec.name).collect()
}

const TLS13: [&str; 3] = ["TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"];
const TLS12: [&str; 4] = [
    "ECDHE_ECDSA_AES_256_GCM_SHA384",
    "ECDHE_RSA_AES_256_GCM_SHA384",
    "ECDHE_ECDSA_AES_128_GCM_SHA256",
    "ECDHE_RSA_AES_128_GCM_SHA256",
];
const CBC: [&str; 4] = [
    "ECDHE_ECDSA_AES_256_CBC_SHA384",
    "ECDHE_RSA_AES_256_CBC_SHA384",
    "ECDHE_ECDSA_AES_128_CBC_SHA256",
    "ECDHE_RSA_AES_128_CBC_SHA256",
];

#[test]
fn every_name_stands_for_the_suite_that_the_registry_of_tls_numbers_so() {
    for (name, number) in [
        ("TLS_AES_128_GCM_SHA256", 0x1301),
        ("TLS_AES_256_GCM_SHA384", 0x1302),
        ("TLS_CHACHA20_POLY1305_SHA256", 0x1303),
        ("TLS_AES_128_CCM_SHA256", 0x1304),
        ("TLS_AES_128_CCM_8_SHA256", 0x1305),
        ("ECDHE_ECDSA_AES_128_CBC_SHA256", 0xC023),
        ("ECDHE_ECDSA_AES_256_CBC_SHA384", 0xC024),
        ("ECDHE_RSA_AES_128_CBC_SHA256", 0xC027),
        ("ECDHE_RSA_AES_256_CBC_SHA384", 0xC028),
        ("ECDHE_ECDSA_AES_128_GCM_SHA256", 0xC02B),
        ("ECDHE_ECDSA_AES_256_GCM_SHA384", 0xC02C),
        ("ECDHE_RSA_AES_128_GCM_SHA256", 0xC02F),
        ("ECDHE_RSA_AES_256_GCM_SHA384", 0xC030),
    ] {
        let Ok(Choice::One(spec)) = Choice::find(name) else { panic!("{name} stands for one suite") };
        assert_eq!(spec.number, number, "{name}");
        assert_eq!(CipherSpec::by_number(number), Some(spec), "{name}");
        assert_eq!(Choice::One(spec).name(), name);
    }
    assert_eq!(CipherSpec::all().len(), 13);
    assert_eq!(CipherSpec::by_number(0x009D), None);
}

#[test]
fn a_name_for_several_offers_the_strongest_first() {
    for name in ["ANY", "ANY_TLS12_OR_HIGHER"] {
        for build in [Build::Standard, Build::Legacy] {
            assert_eq!(names(name, build), [&TLS13[..], &TLS12].concat(), "{name} {build:?}");
        }
    }
    for name in ["ANY_TLS13", "ANY_TLS13_OR_HIGHER"] {
        assert_eq!(names(name, Build::Standard), TLS13, "{name}");
        assert_eq!(names(name, Build::Legacy), [&TLS13[..], &["TLS_AES_128_CCM_SHA256"]].concat(), "{name}");
    }
    assert_eq!(names("ANY_TLS12", Build::Standard), TLS12);
    assert_eq!(names("ANY_TLS12", Build::Legacy), [&TLS12[..], &CBC].concat());
}

#[test]
fn a_suite_of_openssl_needs_the_build_that_has_it() {
    for spec in CipherSpec::all() {
        let is_standard = spec.provider == Provider::Standard;
        assert_eq!(spec.available(Build::Standard).is_ok(), is_standard, "{}", spec.name);
        assert_eq!(spec.available(Build::Legacy), Ok(()), "{}", spec.name);
        assert_eq!(names(spec.name, Build::Standard).len(), usize::from(is_standard), "{}", spec.name);
        assert_eq!(spec.protocol == Protocol::Tls13, spec.number >> 8 == 0x13, "{}", spec.name);
    }
    let Err(refusal) = CipherSpec::by_number(0xC028).unwrap().available(Build::Standard) else {
        panic!("a suite with CBC is not in every build")
    };
    assert_eq!(
        refusal.to_string(),
        "CipherSpec ECDHE_RSA_AES_256_CBC_SHA384 is not supported; give the channel another one, such as \
         ANY_TLS12_OR_HIGHER"
    );
}

#[test]
fn a_weak_suite_is_refused_and_the_refusal_says_why() {
    for (name, expected) in [
        ("TLS_RSA_WITH_AES_256_GCM_SHA384", Weakness::NoForwardSecrecy),
        ("TLS_RSA_WITH_AES_128_CBC_SHA256", Weakness::NoForwardSecrecy),
        ("tls_rsa_with_aes_128_cbc_sha", Weakness::NoForwardSecrecy),
        ("TLS_RSA_WITH_3DES_EDE_CBC_SHA", Weakness::OldCipher),
        ("TRIPLE_DES_SHA_US", Weakness::OldCipher),
        ("ECDHE_RSA_3DES_EDE_CBC_SHA256", Weakness::OldCipher),
        ("ECDHE_ECDSA_RC4_128_SHA256", Weakness::OldCipher),
        ("RC4_MD5_US", Weakness::OldCipher),
        ("RC2_MD5_EXPORT", Weakness::OldCipher),
        ("FIPS_WITH_DES_CBC_SHA", Weakness::OldCipher),
        ("TLS_RSA_WITH_NULL_SHA256", Weakness::NoEncryption),
        ("ECDHE_RSA_NULL_SHA256", Weakness::NoEncryption),
        ("NULL_MD5", Weakness::NoEncryption),
        ("AES_SHA_US", Weakness::OldProtocol),
        ("ANY_TLS11_OR_HIGHER", Weakness::OldProtocol),
    ] {
        let Err(Refusal::Weak { name: shown, weakness }) = Choice::find(name) else {
            panic!("{name} is refused as weak")
        };
        assert_eq!((shown.as_str(), weakness), (name, expected));
    }
}

#[test]
fn another_spelling_is_refused_with_the_one_that_is_meant() {
    for (name, meant) in [
        ("TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "ECDHE_RSA_AES_256_GCM_SHA384"),
        ("ecdhe_rsa_aes_256_gcm_sha384", "ECDHE_RSA_AES_256_GCM_SHA384"),
        ("any_tls13", "ANY_TLS13"),
    ] {
        let expected = Refusal::Spelling { name: name.to_owned(), meant };
        assert_eq!(Choice::find(name), Err(expected));
    }
}

#[test]
fn an_unknown_name_is_refused_cut_and_escaped() {
    for name in ["", " ", "ANY_TLS14", "*", "ECDHE_RSA_AES_256_GCM_SHA384 "] {
        assert_eq!(Choice::find(name), Err(Refusal::Unknown { name: name.to_owned() }));
    }
    let Err(refusal) = Choice::find(&"\u{1b}[2J".repeat(1000)) else { panic!("this is no name") };
    let text = refusal.to_string();
    assert!(text.len() < 500 && !text.contains('\u{1b}'), "{text}");
}
