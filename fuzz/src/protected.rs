//! Messages that are signed and encrypted, for two programs whose keys lie in `fuzz/keys`.
//!
//! The keys are for this alone: `fuzz/keys/make.sh` makes them, and `fuzz-seeds protected` the seeds by them.

use std::sync::LazyLock;

use protect::{Digest, Encryption, Identity, Policy, Trust, open};
use tls::Certificate;

/// The body of every seed.
pub const BODY: &[u8] = b"100 EUR for Bob";

/// The moment at which messages are opened: the certificates hold then.
pub const NOW: u64 = 1_800_000_000;

/// Keys and policies.
struct Desk {
    readers: [Identity; 2],
    trust: Trust,
    policies: [Policy; 3],
}

static DESK: LazyLock<Desk> = LazyLock::new(|| {
    let reader = |certificate: &[u8], key: &[u8]| {
        let certificate = Certificate::read(certificate).expect("a certificate of ours");
        Identity::new(&[certificate.der], key).expect("a key of ours")
    };
    let authority = include_bytes!("../keys/authority.der");
    let authority = Certificate::read(authority).expect("a certificate of ours");
    Desk {
        readers: [
            reader(include_bytes!("../keys/bob.der"), include_bytes!("../keys/bob.key")),
            reader(include_bytes!("../keys/carol.der"), include_bytes!("../keys/carol.key")),
        ],
        trust: Trust::new(vec![authority], Vec::new()),
        policies: policies(),
    }
});

/// A signature, both, and encryption alone, for Bob and Carol.
#[must_use]
pub fn policies() -> [Policy; 3] {
    let signed = Policy::none().signed(Some(Digest::Sha256), Vec::new()).expect("a policy");
    let encrypted = |policy: Policy| {
        let recipients = ["CN=bob", "CN=carol"].map(|name| name.parse().expect("a pattern"));
        policy.encrypted(Some(Encryption::Aes256), recipients.into()).expect("a policy")
    };
    [signed.clone(), encrypted(signed), encrypted(Policy::none())]
}

/// True if the bytes are opened by a policy. Without the keys nobody makes one with another body.
#[must_use]
pub fn opens(bytes: &[u8]) -> bool {
    let Desk { readers, trust, policies } = &*DESK;
    let mut is_opened = false;
    for (reader, policy) in
        readers.iter().flat_map(|reader| policies.iter().map(move |policy| (reader, policy)))
    {
        match open(policy, Some(reader), trust, NOW, bytes) {
            Ok(opened) => {
                // A policy for encryption alone leaves a signature within where it is.
                let is_within = policy.signature().is_none() && opened.body.first() == Some(&0x30);
                assert!(is_within || opened.body == BODY, "{:?} by {policy:?}", opened.body);
                assert_eq!(opened.signer.is_some(), policy.signature().is_some());
                is_opened = true;
            }
            Err(error) => drop(error.to_string()),
        }
    }
    is_opened
}

/// A message in the form of CMS.
pub fn protected(bytes: &[u8]) {
    let _ = opens(bytes);
}
