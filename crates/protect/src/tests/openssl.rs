//! Messages to and from `openssl cms`, an implementation of others. `FERRY_CMS_MESSAGES` sets how many go
//! each way; `cargo xtask interop cms` asks for 200.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;

/// Messages each way, unless set.
const MESSAGES: usize = 9;

/// A folder with the certificates and keys of a case, and the program.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    /// None where the program is not installed, or is too old for authenticated encryption.
    fn new(cases: &[(&str, &Case)]) -> Option<Self> {
        let version = Command::new("openssl").arg("version").output().ok()?;
        let version = String::from_utf8_lossy(&version.stdout).into_owned();
        if !version.starts_with("OpenSSL 3") {
            println!("SKIPPED: {version:?} is no OpenSSL 3");
            return None;
        }
        println!("with {}", version.trim());
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        for (name, case) in cases {
            desk.write(&format!("{name}-ca.der"), &case.authority.certificate.der);
            for (who, party) in [("signer", &case.signer), ("reader", &case.reader)] {
                desk.write(&format!("{name}-{who}.der"), &party.certificate.der);
                desk.write(&format!("{name}-{who}.key"), &party.key);
            }
            for certificate in ["ca", "signer", "reader"] {
                let (der, pem) = (format!("{name}-{certificate}.der"), format!("{name}-{certificate}.pem"));
                desk.run(&["x509", "-inform", "DER", "-in", &der, "-out", &pem]);
            }
        }
        Some(desk)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn run(&self, arguments: &[&str]) {
        let output =
            Command::new("openssl").args(arguments).current_dir(self.folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "openssl {}\n{said}", arguments.join(" "));
    }

    /// Signs the file `body` into `signed`.
    fn sign(&self, name: &str, kind: Kind, digest: &str) {
        let (certificate, key) = (format!("{name}-signer.pem"), format!("{name}-signer.key"));
        let mut arguments = vec!["cms", "-sign", "-binary", "-nodetach", "-in", "body", "-outform", "DER"];
        arguments.extend(["-out", "signed", "-md", digest, "-signer", &certificate]);
        arguments.extend(["-inkey", &key, "-keyform", "DER"]);
        if kind == Kind::Rsa {
            arguments.extend(["-keyopt", "rsa_padding_mode:pss", "-keyopt", "rsa_pss_saltlen:digest"]);
        }
        self.run(&arguments);
    }

    /// Encrypts a file into `encrypted`.
    fn encrypt(&self, from: &str, name: &str, kind: Kind, cipher: &str) {
        let certificate = format!("{name}-reader.pem");
        let mut arguments = vec!["cms", "-encrypt", "-binary", cipher, "-in", from, "-outform", "DER"];
        arguments.extend(["-out", "encrypted", "-recip", &certificate]);
        // Ciphers that can be broken.
        arguments.extend(["-provider", "legacy", "-provider", "default"]);
        arguments.extend(match kind {
            Kind::P256 => &["-keyopt", "ecdh_kdf_md:sha256"][..],
            Kind::Rsa => &["-keyopt", "rsa_padding_mode:oaep", "-keyopt", "rsa_oaep_md:sha256"],
        });
        self.run(&arguments);
    }

    /// Decrypts the file `encrypted` into a file.
    fn decrypt(&self, to: &str, name: &str) {
        let (certificate, key) = (format!("{name}-reader.pem"), format!("{name}-reader.key"));
        let mut arguments =
            vec!["cms", "-decrypt", "-binary", "-inform", "DER", "-in", "encrypted", "-out", to];
        arguments.extend(["-recip", &certificate, "-inkey", &key, "-keyform", "DER"]);
        self.run(&arguments);
    }

    /// Proves the file `signed`, with its body into `body`.
    fn verify(&self, name: &str) {
        let authority = format!("{name}-ca.pem");
        let at = NOW.to_string();
        let mut arguments =
            vec!["cms", "-verify", "-binary", "-inform", "DER", "-in", "signed", "-out", "body"];
        arguments.extend(["-CAfile", &authority, "-purpose", "any", "-attime", &at]);
        self.run(&arguments);
    }
}

/// The number of messages each way.
fn messages() -> usize {
    std::env::var("FERRY_CMS_MESSAGES").map_or(MESSAGES, |count| count.parse().unwrap())
}

/// Bodies of many sizes, none the same as another.
fn body(number: usize) -> Vec<u8> {
    const SIZES: [usize; 6] = [1, 17, 1_000, 4_096, 65_537, 300_000];
    let size = SIZES[number % SIZES.len()] + number;
    (0..size).map(|at| (at.wrapping_mul(31) ^ number).to_le_bytes()[0]).collect()
}

/// Combinations of keys, digests and halves of the protection.
fn combinations() -> Vec<(&'static str, Kind, Policy, &'static str)> {
    let mut combinations = Vec::new();
    for (name, kind) in [("p256", Kind::P256), ("rsa", Kind::Rsa)] {
        for policy in policies(kind) {
            let digest = match policy.signature() {
                Some(Digest::Sha384) => "sha384",
                Some(Digest::Sha512) => "sha512",
                _ => "sha256",
            };
            combinations.push((name, kind, policy, digest));
        }
    }
    combinations
}

#[test]
fn openssl_reads_ours_and_its_own_are_read() {
    let (p256, rsa) = (Case::new(Kind::P256), Case::new(Kind::Rsa));
    let Some(desk) = Desk::new(&[("p256", &p256), ("rsa", &rsa)]) else { return };
    let case = |kind| if kind == Kind::P256 { &p256 } else { &rsa };
    let combinations = combinations();
    let all = combinations.iter().cycle().take(messages().max(combinations.len())).enumerate();
    for (number, (name, kind, policy, digest)) in all {
        let body = body(number);
        let (is_signed, is_encrypted) = (policy.signature().is_some(), policy.encryption().is_some());

        let message = case(*kind).protect(policy, &body).unwrap();
        desk.write(if is_encrypted { "encrypted" } else { "signed" }, &message);
        if is_encrypted {
            desk.decrypt(if is_signed { "signed" } else { "body" }, name);
        }
        if is_signed {
            desk.verify(name);
        }
        assert_eq!(desk.read("body"), body, "ours, number {number}: {policy:?}");

        desk.write("body", &body);
        if is_signed {
            desk.sign(name, *kind, digest);
        }
        if is_encrypted {
            desk.encrypt(if is_signed { "signed" } else { "body" }, name, *kind, "-aes-256-gcm");
        }
        let message = desk.read(if is_encrypted { "encrypted" } else { "signed" });
        let opened = case(*kind).open(policy, &message);
        let opened = opened.unwrap_or_else(|error| panic!("number {number}, {policy:?}: {error}"));
        assert_eq!(opened.body, body, "of openssl, number {number}: {policy:?}");
        assert_eq!(opened.signer.is_some(), is_signed);
    }
    let count = messages().max(combinations.len());
    println!("{count} messages of ours and {count} of openssl, in {} combinations", combinations.len());
}

#[test]
fn a_flipped_bit_of_a_message_of_openssl_is_refused() {
    let case = Case::new(Kind::P256);
    let Some(desk) = Desk::new(&[("p256", &case)]) else { return };
    desk.write("body", b"100 EUR for Bob");
    desk.sign("p256", Kind::P256, "sha512");
    desk.encrypt("signed", "p256", Kind::P256, "-aes-256-gcm");
    let of_both = encrypted(signed(Digest::Sha256), &["CN=bob"]);
    for (policy, mut message) in
        [(signed(Digest::Sha256), desk.read("signed")), (of_both, desk.read("encrypted"))]
    {
        assert!(case.open(&policy, &message).is_ok());
        for bit in 0..message.len() * 8 {
            message[bit / 8] ^= 1 << (bit % 8);
            let opened = case.open(&policy, &message);
            assert!(opened.is_err(), "bit {bit} of {}: {opened:?}", message.len() * 8);
            message[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn weak_algorithms_of_openssl_are_refused() {
    let case = Case::new(Kind::Rsa);
    let Some(desk) = Desk::new(&[("rsa", &case)]) else { return };
    desk.write("body", b"body");
    let (of_both, of_signature) = (
        encrypted(Policy::none(), &["CN=bob"]),
        Policy::none().signed(Some(Digest::Sha256), Vec::new()).unwrap(),
    );
    let refused = |policy: &Policy, name: &str| case.open(policy, &desk.read(name)).unwrap_err().to_string();
    for digest in ["sha1", "md5", "sha224"] {
        // The program makes no PSS with MD5, and signs by PKCS #1 for the kind that has no options.
        desk.sign("rsa", Kind::P256, digest);
        let words = refused(&of_signature, "signed");
        assert!(
            words.contains("too weak or not supported; have its putter use SHA-256"),
            "{digest}: {words}"
        );
    }
    for cipher in ["-des3", "-des", "-rc2-128", "-aes-256-cbc", "-aes-128-gcm", "-aes-192-gcm"] {
        desk.encrypt("body", "rsa", Kind::Rsa, cipher);
        let words = refused(&of_both, "encrypted");
        assert!(words.contains("too weak or not supported"), "{cipher}: {words}");
    }
    let certificate = desk.path("rsa-reader.pem");
    let encrypt = |options: &[&str]| {
        let start = [
            "cms",
            "-encrypt",
            "-binary",
            "-aes-256-gcm",
            "-in",
            "body",
            "-outform",
            "DER",
            "-out",
            "encrypted",
        ];
        desk.run(&[&start[..], &["-recip", Path::new(&certificate).to_str().unwrap()], options].concat());
        refused(&of_both, "encrypted")
    };
    let sha1 = ["-keyopt", "rsa_padding_mode:oaep", "-keyopt", "rsa_oaep_md:sha1"];
    for words in [encrypt(&[]), encrypt(&sha1)] {
        assert!(words.contains("a key for this program by the algorithm"), "{words}");
    }
    // A signature of PKCS #1, and one with a salt of another length.
    let sign = |options: &[&str]| {
        let start =
            ["cms", "-sign", "-binary", "-nodetach", "-in", "body", "-outform", "DER", "-out", "signed"];
        let of_signer =
            ["-md", "sha256", "-signer", "rsa-signer.pem", "-inkey", "rsa-signer.key", "-keyform", "DER"];
        desk.run(&[&start[..], &of_signer, options].concat());
        refused(&of_signature, "signed")
    };
    for words in [sign(&[]), sign(&["-keyopt", "rsa_padding_mode:pss", "-keyopt", "rsa_pss_saltlen:20"])] {
        assert!(words.contains("a signature by the algorithm"), "{words}");
    }
}
