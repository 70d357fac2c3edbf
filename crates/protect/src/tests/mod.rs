//! Tests of both directions.
//!
//! Lives here: round trips, changes of every kind, bounds, policies. `party` makes certificates and keys,
//! `openssl` has messages to and from another implementation.

use std::time::{Duration, Instant};

use cms::signed_data::SignedData;
use der::asn1::{Any, OctetString};
use der::{Decode as _, Encode as _};
use proptest::prelude::*;
use security::distinguished_name::Pattern;
use tls::Certificate;

use crate::structure::{AUTH_ENVELOPED_DATA, SIGNED_DATA, content_info, content_of};
use crate::*;

mod openssl;
mod party;
use party::{Authority, Kind, NOW, Party};

fn pattern(text: &str) -> Pattern {
    text.parse().unwrap()
}

fn signed(digest: Digest) -> Policy {
    Policy::none().signed(Some(digest), Vec::new()).unwrap()
}

fn encrypted(policy: Policy, recipients: &[&str]) -> Policy {
    let recipients = recipients.iter().map(|name| pattern(name)).collect();
    policy.encrypted(Some(Encryption::Aes256), recipients).unwrap()
}

/// An authority, a signer and a reader, with keys of one kind.
struct Case {
    authority: Authority,
    signer: Party,
    reader: Party,
}

impl Case {
    fn new(kind: Kind) -> Self {
        let authority = Authority::new("Bank");
        let (signer, reader) = (authority.issue("alice", kind), authority.issue("bob", kind));
        Self { authority, signer, reader }
    }

    fn protect(&self, policy: &Policy, body: &[u8]) -> Result<Vec<u8>, ProtectError> {
        let known = Recipients::new(vec![self.reader.certificate.clone(), self.signer.certificate.clone()]);
        protect(policy, Some(&self.signer.identity), &known, NOW, body)
    }

    fn open(&self, policy: &Policy, message: &[u8]) -> Result<Opened, OpenError> {
        let trust = Trust::new(vec![self.authority.certificate.clone()], Vec::new());
        open(policy, Some(&self.reader.identity), &trust, NOW, message)
    }

    /// Signed data of a body, to be changed.
    fn signed_data(&self, body: &[u8]) -> SignedData {
        let message = self.protect(&signed(Digest::Sha256), body).unwrap();
        SignedData::from_der(content_of(&message).unwrap().1).unwrap()
    }
}

/// The policies that there are for a kind of key.
fn policies(kind: Kind) -> Vec<Policy> {
    let digests = match kind {
        Kind::P256 => &[Digest::Sha256][..],
        Kind::Rsa => &Digest::ALL,
    };
    let signed_ones = digests.iter().map(|digest| signed(*digest));
    let both = digests.iter().map(|digest| encrypted(signed(*digest), &["CN=bob"]));
    signed_ones.chain(both).chain([encrypted(Policy::none(), &["CN=bob"])]).collect()
}

#[test]
fn a_body_comes_back_whole_with_its_signer() {
    for kind in [Kind::P256, Kind::Rsa] {
        let case = Case::new(kind);
        for policy in policies(kind) {
            for body in [Vec::new(), b"x".to_vec(), vec![0xA5; 70_000], vec![7; 5 << 20]] {
                let message = case.protect(&policy, &body).unwrap();
                let around = message.len() - body.len();
                assert!((100..4_096).contains(&around), "{around} bytes around {} of {policy:?}", body.len());
                let opened = case.open(&policy, &message).unwrap();
                assert_eq!(opened.body, body);
                let signer = opened.signer.map(|signer| signer.certificate);
                let expected = policy.signature().map(|_| case.signer.certificate.clone());
                assert_eq!(signer, expected, "{policy:?}");
                if policy.encryption().is_some() && body.len() > 20 {
                    assert!(
                        !message.windows(20).any(|part| part == &body[..20]),
                        "{policy:?} shows the body"
                    );
                }
            }
        }
    }
}

#[test]
fn the_largest_body_of_a_message_is_protected() {
    let case = Case::new(Kind::P256);
    let policy = encrypted(signed(Digest::Sha256), &["CN=bob"]);
    let body = vec![0x42; bounds::BODY_BYTES_MAX];
    let message = case.protect(&policy, &body).unwrap();
    assert!(message.len() < PROTECTED_BYTES_MAX);
    assert!(case.open(&policy, &message).unwrap().body == body);
}

#[test]
fn a_flipped_bit_anywhere_is_refused() {
    for kind in [Kind::P256, Kind::Rsa] {
        let case = Case::new(kind);
        // The other digests differ in no form.
        for policy in
            policies(kind).into_iter().filter(|one| one.signature().is_none_or(|one| one == Digest::Sha256))
        {
            let mut message = case.protect(&policy, b"100 EUR for Bob").unwrap();
            // An operation with a private key of RSA takes a while: every third bit, so that each byte
            // has two.
            let step = if kind == Kind::Rsa { 3 } else { 1 };
            for bit in (0..message.len() * 8).step_by(step) {
                message[bit / 8] ^= 1 << (bit % 8);
                let opened = case.open(&policy, &message);
                assert!(opened.is_err(), "bit {bit} of {} by {policy:?}: {opened:?}", message.len() * 8);
                message[bit / 8] ^= 1 << (bit % 8);
            }
            assert!(case.open(&policy, &message).is_ok());
        }
    }
}

#[test]
fn a_message_that_is_cut_or_has_more_behind_it_is_refused() {
    let case = Case::new(Kind::P256);
    for policy in policies(Kind::P256) {
        let message = case.protect(&policy, b"a body").unwrap();
        for length in 0..message.len() {
            assert!(case.open(&policy, &message[..length]).is_err(), "{length} bytes of {policy:?}");
        }
        assert!(case.open(&policy, &[&message[..], b"\0"].concat()).is_err());
    }
}

#[test]
fn each_recipient_reads_the_message_and_a_change_of_the_entry_of_another_changes_nothing_for_it() {
    let authority = Authority::new("Bank");
    let signer = authority.issue("alice", Kind::P256);
    let readers: Vec<Party> = [("r1", Kind::P256), ("r2", Kind::Rsa), ("r3", Kind::P256)]
        .map(|(name, kind)| authority.issue(name, kind))
        .into();
    let policy = encrypted(signed(Digest::Sha256), &["CN=r*"]);
    let known = Recipients::new(readers.iter().map(|reader| reader.certificate.clone()).collect());
    let trust = Trust::new(vec![authority.certificate.clone()], Vec::new());
    let mut message = protect(&policy, Some(&signer.identity), &known, NOW, b"for three").unwrap();
    for reader in &readers {
        let opened = open(&policy, Some(&reader.identity), &trust, NOW, &message).unwrap();
        assert_eq!(
            (opened.body, opened.signer.unwrap().name),
            (b"for three".to_vec(), signer.certificate.subject.clone())
        );
    }
    let stranger = authority.issue("stranger", Kind::P256);
    assert_eq!(open(&policy, Some(&stranger.identity), &trust, NOW, &message), Err(OpenError::NotForUs));
    assert_eq!(open(&policy, None, &trust, NOW, &message), Err(OpenError::NotForUs));
    for bit in (0..message.len() * 8).step_by(3) {
        message[bit / 8] ^= 1 << (bit % 8);
        if let Ok(opened) = open(&policy, Some(&readers[0].identity), &trust, NOW, &message) {
            assert_eq!(opened.body, b"for three", "bit {bit}");
            assert!(opened.signer.is_some());
        }
        message[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn a_message_that_is_not_as_the_policy_asks_is_refused() {
    let case = Case::new(Kind::Rsa);
    let (strong, plain) = (signed(Digest::Sha512), signed(Digest::Sha256));
    let (both, hidden) = (encrypted(plain.clone(), &["CN=bob"]), encrypted(Policy::none(), &["CN=bob"]));
    let sent = |policy: &Policy| case.protect(policy, b"body").unwrap();
    for (policy, message, expected) in [
        (&plain, b"body".to_vec(), OpenError::NotProtected),
        (&both, Vec::new(), OpenError::NotProtected),
        (&both, sent(&plain), OpenError::NotEncrypted),
        (&both, sent(&hidden), OpenError::NotSigned),
        (&plain, sent(&hidden), OpenError::Encrypted),
        (&plain, sent(&both), OpenError::Encrypted),
        (&strong, sent(&plain), OpenError::WeakerDigest),
    ] {
        assert_eq!(case.open(policy, &message), Err(expected), "{policy:?}");
    }
    assert!(case.open(&plain, &sent(&strong)).is_ok(), "a stronger digest than is asked for");
    // A policy that asks for nothing passes everything by.
    assert!(case.open(&Policy::none(), &sent(&both)).unwrap().body.len() > 100);
}

#[test]
fn unprotected_messages_are_opened_where_they_are_tolerated_and_broken_ones_are_not() {
    let case = Case::new(Kind::P256);
    let policy = signed(Digest::Sha256).with_unprotected(Unprotected::Accepted);
    let opened = case.open(&policy, b"plain").unwrap();
    assert_eq!((opened.body.as_slice(), opened.signer), (&b"plain"[..], None));
    let mut message = case.protect(&policy, b"body").unwrap();
    let last = message.len() - 1;
    message[last] ^= 1;
    assert_eq!(case.open(&policy, &message), Err(OpenError::Signature));
}

#[test]
fn a_signer_must_be_trusted_valid_and_let_in() {
    let case = Case::new(Kind::P256);
    let policy = signed(Digest::Sha256);
    let message = case.protect(&policy, b"body").unwrap();
    let by = |trust: Vec<Certificate>, now: u64| {
        open(&policy, None, &Trust::new(trust, Vec::new()), now, &message)
    };
    let reason = |opened: Result<Opened, OpenError>| match opened.unwrap_err() {
        OpenError::Untrusted { name, reason } => {
            assert!(name.contains("CN=alice"), "{name}");
            reason
        }
        other => panic!("{other}"),
    };
    assert!(reason(by(Vec::new(), NOW)).contains("UnknownIssuer"));
    let of_the_same_name = reason(by(vec![Authority::new("Bank").certificate], NOW));
    assert!(of_the_same_name.contains("Signature"), "{of_the_same_name}");
    let authority = || vec![case.authority.certificate.clone()];
    assert!(by(authority(), NOW).is_ok());
    assert!(reason(by(authority(), NOW + 400 * 86_400)).contains("Expired"));
    assert!(reason(by(authority(), NOW - 400 * 86_400)).contains("NotValidYet"));
    // One that is trusted itself.
    assert!(by(vec![case.signer.certificate.clone()], NOW).is_ok());
    assert!(
        reason(by(vec![case.signer.certificate.clone()], NOW + 400 * 86_400)).contains("does not hold now")
    );
    let revoked = case.authority.revoke(&case.signer);
    let trust = Trust::new(authority(), vec![revoked]);
    assert!(reason(open(&policy, None, &trust, NOW, &message)).contains("Revoked"));
    let let_in = |name: &str| Policy::none().signed(Some(Digest::Sha256), vec![pattern(name)]).unwrap();
    assert!(case.open(&let_in("CN=al*"), &message).is_ok());
    assert!(
        matches!(case.open(&let_in("CN=carol"), &message), Err(OpenError::Signer { name }) if name.contains("alice"))
    );
}

#[test]
fn a_chain_comes_with_the_message_and_nothing_else_does() {
    let root = Authority::new("Root");
    let below = root.authority("Issuing");
    let signer = below.issue("alice", Kind::P256);
    let with_chain = signer.with_chain(&[&below.certificate]);
    let policy = signed(Digest::Sha256);
    let sent =
        |identity: &Identity| protect(&policy, Some(identity), &Recipients::default(), NOW, b"body").unwrap();
    let trust = Trust::new(vec![root.certificate.clone()], Vec::new());
    let opened = |message: &[u8]| open(&policy, None, &trust, NOW, message);
    assert!(opened(&sent(&with_chain)).is_ok());
    assert!(matches!(opened(&sent(&signer.identity)), Err(OpenError::Untrusted { .. })));
    let unneeded = signer.with_chain(&[&below.certificate, &root.certificate]);
    assert!(
        matches!(opened(&sent(&unneeded)), Err(OpenError::Malformed { what }) if what.contains("nothing needs"))
    );
}

#[test]
fn parts_under_no_signature_are_refused() {
    let case = Case::new(Kind::P256);
    let policy = signed(Digest::Sha256);
    let opened = |data: &SignedData| case.open(&policy, &content_info(SIGNED_DATA, data).unwrap());
    assert!(opened(&case.signed_data(b"body")).is_ok());
    let mut data = case.signed_data(b"body");
    let mut signer = data.signer_infos.0.as_slice()[0].clone();
    signer.unsigned_attrs = signer.signed_attrs.clone();
    data.signer_infos.0 = vec![signer].try_into().unwrap();
    assert!(matches!(opened(&data), Err(OpenError::Malformed { what }) if what.contains("no signature")));
    let mut data = case.signed_data(b"body");
    data.crls = Some(cms::revocation::RevocationInfoChoices(Default::default()));
    assert!(matches!(opened(&data), Err(OpenError::Malformed { what }) if what.contains("no signature")));
    let mut data = case.signed_data(b"body");
    data.signer_infos.0 = Default::default();
    assert_eq!(opened(&data), Err(OpenError::NotSigned));
    let mut data = case.signed_data(b"body");
    data.encap_content_info.econtent = None;
    assert!(matches!(opened(&data), Err(OpenError::Malformed { .. })));
}

/// The least time of several tries: others run beside.
fn quickest(mut refuse: impl FnMut()) -> Duration {
    let tries = (0..50).map(|_| {
        let start = Instant::now();
        refuse();
        start.elapsed()
    });
    tries.min().unwrap()
}

#[test]
fn messages_beyond_the_bounds_are_refused_within_a_millisecond() {
    let case = Case::new(Kind::P256);
    let policy = signed(Digest::Sha256);
    let whole = |data: &SignedData| content_info(SIGNED_DATA, data).unwrap();

    let mut signers = case.signed_data(b"body");
    let one = signers.signer_infos.0.as_slice()[0].clone();
    let many = (0..100_u8).map(|number| {
        let signature = OctetString::new([&[number], one.signature.as_bytes()].concat()).unwrap();
        cms::signed_data::SignerInfo { signature, ..one.clone() }
    });
    signers.signer_infos.0 = many.collect::<Vec<_>>().try_into().unwrap();

    let mut large = case.signed_data(b"body");
    let choice = large.certificates.unwrap().0.into_vec().remove(0);
    let cms::cert::CertificateChoices::Certificate(mut certificate) = choice else { panic!("a certificate") };
    let extensions = certificate.tbs_certificate.extensions.get_or_insert_default();
    let extension = x509_cert::ext::Extension {
        extn_id: SIGNED_DATA,
        critical: false,
        extn_value: OctetString::new(vec![0; 1 << 20]).unwrap(),
    };
    extensions.push(extension);
    let choice = cms::cert::CertificateChoices::Certificate(certificate.clone());
    large.certificates = Some(cms::signed_data::CertificateSet(vec![choice].try_into().unwrap()));

    let mut certificates = case.signed_data(b"body");
    let many = (0..100).map(|number| case.authority.issue(&format!("c{number}"), Kind::P256).structure());
    let many = many.map(cms::cert::CertificateChoices::Certificate).collect::<Vec<_>>();
    certificates.certificates = Some(cms::signed_data::CertificateSet(many.try_into().unwrap()));

    let mut deep = case.signed_data(b"body");
    let mut value = Any::null();
    for _ in 0..40 {
        value = Any::new(der::Tag::Sequence, value.to_der().unwrap()).unwrap();
    }
    deep.digest_algorithms =
        vec![spki::AlgorithmIdentifierOwned { oid: SIGNED_DATA, parameters: Some(value) }]
            .try_into()
            .unwrap();

    for (name, message, expected) in [
        ("100 signers", whole(&signers), "more signers, and at most 1 are"),
        ("a certificate of 1 MiB", whole(&large), "bytes in one of its certificates, and at most 16384 are"),
        ("100 certificates", whole(&certificates), "more certificates, and at most 10 are"),
        ("40 levels", whole(&deep), "more levels of values, and at most 20 are"),
    ] {
        let refused = case.open(&policy, &message).unwrap_err().to_string();
        assert!(refused.contains(expected), "{name}: {refused}");
        let time = quickest(|| drop(case.open(&policy, &message)));
        println!("{name}: {} bytes refused in {time:?}", message.len());
        assert!(time <= Duration::from_millis(1), "{name}: {time:?}");
    }
}

#[test]
fn forty_messages_within_each_other_are_opened_once() {
    let case = Case::new(Kind::P256);
    let (only_signed, both) = (signed(Digest::Sha256), encrypted(signed(Digest::Sha256), &["CN=bob"]));
    let hidden = encrypted(Policy::none(), &["CN=bob"]);
    let nested = |policy: &Policy| {
        (0..40).fold(b"body".to_vec(), |message, _| case.protect(policy, &message).unwrap())
    };
    // The body of the outermost is bytes, whatever they are.
    let opened = case.open(&only_signed, &nested(&only_signed)).unwrap();
    assert!(content_of(&opened.body).is_some_and(|(kind, _)| kind == SIGNED_DATA));
    let message = nested(&hidden);
    assert_eq!(case.open(&both, &message), Err(OpenError::NotSigned));
    let time = quickest(|| drop(case.open(&both, &message)));
    println!("40 messages within each other: {} bytes refused in {time:?}", message.len());
}

#[test]
fn many_recipients_of_a_message_are_refused() {
    let case = Case::new(Kind::P256);
    let policy = encrypted(Policy::none(), &["CN=bob"]);
    let message = case.protect(&policy, b"body").unwrap();
    let mut data = structure::AuthEnvelopedData::from_der(content_of(&message).unwrap().1).unwrap();
    let cms::enveloped_data::RecipientInfo::Kari(one) = data.recipients.0.as_slice()[0].clone() else {
        panic!("ECDH")
    };
    let many = (0..=RECIPIENTS_MAX).map(|number| {
        let ukm = Some(OctetString::new(number.to_be_bytes()).unwrap());
        cms::enveloped_data::RecipientInfo::Kari(cms::enveloped_data::KeyAgreeRecipientInfo {
            ukm,
            ..one.clone()
        })
    });
    data.recipients.0 = many.collect::<Vec<_>>().try_into().unwrap();
    let message = content_info(AUTH_ENVELOPED_DATA, &data).unwrap();
    let refused = case.open(&policy, &message).unwrap_err().to_string();
    assert!(refused.contains("more recipients, and at most 64 are"), "{refused}");
}

#[test]
fn what_cannot_be_protected_is_refused_in_words() {
    let case = Case::new(Kind::P256);
    let refused = |policy: &Policy, own: Option<&Identity>, known: &[&Party], now: u64| {
        let known = Recipients::new(known.iter().map(|one| one.certificate.clone()).collect());
        protect(policy, own, &known, now, b"body").unwrap_err()
    };
    let own = Some(&case.signer.identity);
    assert_eq!(refused(&signed(Digest::Sha256), None, &[], NOW), ProtectError::NoKey);
    assert_eq!(refused(&signed(Digest::Sha384), own, &[], NOW), ProtectError::DigestOfKey);
    let policy = encrypted(signed(Digest::Sha256), &["CN=bob", "CN=carol"]);
    let no_certificate = refused(&policy, own, &[&case.reader], NOW).to_string();
    assert!(no_certificate.contains("RECIP('CN=carol')"), "{no_certificate}");
    let policy = encrypted(Policy::none(), &["CN=bob"]);
    let expired = refused(&policy, None, &[&case.reader], NOW + 400 * 86_400).to_string();
    assert!(expired.contains("CN=bob") && expired.contains("does not hold now"), "{expired}");
    let known = Recipients::default();
    let body = vec![0; (100 << 20) + 1];
    let large = protect(&Policy::none(), None, &known, NOW, &body).unwrap_err();
    assert_eq!(large, ProtectError::TooLarge { bytes: body.len(), most: body.len() - 1 });
}

#[test]
fn weak_algorithms_make_no_policy() {
    for word in ["MD5", "SHA1", "sha-1", "DES", "RC2"] {
        assert!(matches!(Digest::by_word(word), Err(PolicyError::Weak { .. })), "{word}");
        assert!(matches!(Encryption::by_word(word), Err(PolicyError::Weak { .. })), "{word}");
    }
    let words = Encryption::by_word("RC2").unwrap_err().to_string();
    assert_eq!(words, "ENCALG(RC2) is too weak to protect anything; use AES256 or NONE");
    assert!(matches!(Digest::by_word("SHA224"), Err(PolicyError::Unknown { .. })));
    assert!(matches!(Encryption::by_word("AES128"), Err(PolicyError::Unknown { .. })));
    assert_eq!(Digest::by_word("sha384"), Ok(Some(Digest::Sha384)));
    assert_eq!((Digest::by_word("NONE"), Encryption::by_word("none")), (Ok(None), Ok(None)));
    let names = || vec![pattern("CN=bob")];
    assert_eq!(Policy::none().signed(None, names()), Err(PolicyError::SignersOfNothing));
    assert_eq!(Policy::none().encrypted(None, names()), Err(PolicyError::RecipientsOfNothing));
    assert_eq!(
        Policy::none().encrypted(Some(Encryption::Aes256), Vec::new()),
        Err(PolicyError::NoRecipients)
    );
    let many = vec![pattern("CN=bob"); 65];
    assert!(matches!(
        Policy::none().encrypted(Some(Encryption::Aes256), many.clone()),
        Err(PolicyError::TooMany { keyword: "RECIP", count: 65, most: 64 })
    ));
    assert!(Policy::none().signed(Some(Digest::Sha256), many).is_err());
}

#[test]
fn keys_that_do_not_belong_together_or_are_of_another_kind_are_refused() {
    let authority = Authority::new("Bank");
    let (one, other) = (authority.issue("one", Kind::P256), authority.issue("other", Kind::P256));
    let chain = [one.certificate.der.clone()];
    assert_eq!(Identity::new(&chain, &other.key).unwrap_err(), KeyError::Pair);
    assert_eq!(Identity::new(&[], &one.key).unwrap_err(), KeyError::NoCertificate);
    assert_eq!(Identity::new(&chain, b"no key").unwrap_err(), KeyError::Kind);
    let many = vec![one.certificate.der.clone(); CERTIFICATES_MAX + 1];
    assert_eq!(Identity::new(&many, &one.key).unwrap_err(), KeyError::TooMany { count: 11 });
    let shown = format!("{:?}", one.identity);
    assert!(shown.contains("CN=one") && shown.contains("********"), "{shown}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn bytes_that_are_changed_or_made_up_are_never_opened(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        thread_local!(static CASE: Case = Case::new(Kind::P256));
        CASE.with(|case| {
            let policy = encrypted(signed(Digest::Sha256), &["CN=bob"]);
            let message = case.protect(&policy, b"body").unwrap();
            let mut changed = message.clone();
            for (index, byte) in &edits {
                let at = index.index(changed.len());
                changed[at] = *byte;
            }
            changed.rotate_left(cut.index(2));
            if changed != message {
                prop_assert!(case.open(&policy, &changed).is_err());
            }
            Ok(())
        })?;
    }
}
