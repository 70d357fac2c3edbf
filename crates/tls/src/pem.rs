//! PEM: blocks of base64 between lines that name them. Text around the blocks is passed over, but for the
//! label of a key ([`label`]).

use platform::os::text::without_mark;
use rustls::pki_types::pem::{PemObject, SectionKind};
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};

/// Most bytes of a file: a list of revoked certificates is the longest there is.
pub const FILE_BYTES_MAX: usize = 16 << 20;

/// Most blocks of a file: the trust store of an operating system has some hundreds.
pub const BLOCKS_MAX: usize = 2_000;

/// The blocks of a file that matter to TLS.
#[derive(Debug, Default)]
pub struct Pem {
    /// Certificates, in their order.
    pub certificates: Vec<CertificateDer<'static>>,
    /// The private key, if there is one.
    pub key: Option<PrivateKeyDer<'static>>,
    /// The label of the key, where the lines before it have one.
    pub label: Option<String>,
    /// Lists of revoked certificates.
    pub revocations: Vec<CertificateRevocationListDer<'static>>,
}

/// Why bytes are no PEM of ours.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PemError {
    /// There are too many bytes or blocks.
    #[error("it has more than {FILE_BYTES_MAX} bytes or {BLOCKS_MAX} blocks; split it")]
    TooLong,
    /// A block is not well formed.
    #[error("a block is not well formed ({0}); export it again as PEM")]
    Malformed(String),
    /// There are two keys.
    #[error("it has two private keys; keep one key a file")]
    TwoKeys,
    /// The key is encrypted.
    #[error("its private key is encrypted; write it without by `openssl pkey -in FILE -out LABEL.key`")]
    EncryptedKey,
    /// It is a key store of another form.
    #[error(
        "it is no PEM; if it is a KDB or JKS store, export PKCS#12 from it, then write PEM by `openssl pkcs12 -in \
         FILE -out FILE.pem -nodes`"
    )]
    OtherForm,
}

impl Pem {
    /// Reads the blocks of a file.
    ///
    /// # Errors
    /// When a block is not well formed, there are too many, or there are none in a file that is not empty.
    pub fn read(bytes: &[u8]) -> Result<Self, PemError> {
        if bytes.len() > FILE_BYTES_MAX {
            return Err(PemError::TooLong);
        }
        let mut pem = Self::default();
        let blocks = <(SectionKind, Vec<u8>) as PemObject>::pem_slice_iter(without_mark(bytes));
        let mut count = 0;
        for block in blocks {
            let (kind, der) = block.map_err(|error| PemError::Malformed(format!("{error:?}")))?;
            count += 1;
            if count > BLOCKS_MAX {
                return Err(PemError::TooLong);
            }
            pem.add(kind, der)?;
        }
        if pem.key.is_none() && has(bytes, b"ENCRYPTED PRIVATE KEY") {
            return Err(PemError::EncryptedKey);
        }
        if count == 0 && !bytes.trim_ascii().is_empty() {
            return Err(PemError::OtherForm);
        }
        if pem.key.is_some() {
            pem.label = label(bytes);
        }
        Ok(pem)
    }

    fn add(&mut self, kind: SectionKind, der: Vec<u8>) -> Result<(), PemError> {
        match kind {
            SectionKind::Certificate => self.certificates.push(der.into()),
            SectionKind::Crl => self.revocations.push(der.into()),
            kind => {
                let Some(key) = PrivateKeyDer::from_pem(kind, der) else { return Ok(()) };
                if self.key.replace(key).is_some() {
                    return Err(PemError::TwoKeys);
                }
            }
        }
        Ok(())
    }
}

/// Begins the line with the label of the key behind it. OpenSSL writes that line when it exports PKCS#12
/// as PEM.
pub const LABEL: &str = "friendlyName:";

/// The label in the lines between the private key and the block before it.
fn label(bytes: &[u8]) -> Option<String> {
    let mut label = None;
    for line in bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii) {
        if line.starts_with(b"-----BEGIN ") && line.ends_with(b"PRIVATE KEY-----") {
            return label;
        }
        if line.starts_with(b"-----") {
            label = None;
        } else if let Some(name) = line.strip_prefix(LABEL.as_bytes()) {
            label = String::from_utf8(name.trim_ascii().to_vec()).ok().filter(|name| is_label(name));
        }
    }
    None
}

/// Most bytes of a label.
pub const LABEL_BYTES_MAX: usize = 64;

/// Tells if a text may be a label, which is also the name of a file.
#[must_use]
pub fn is_label(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    (1..=LABEL_BYTES_MAX).contains(&text.len()) && text.bytes().all(is_allowed) && !text.starts_with('.')
}

fn has(bytes: &[u8], words: &[u8]) -> bool {
    bytes.windows(words.len()).any(|window| window == words)
}

/// The blocks of a text whose kind is wanted, without what is around them.
#[must_use]
pub fn keep(text: &str, is_wanted: impl Fn(&str) -> bool) -> String {
    let mut kept = String::new();
    let mut is_inside = false;
    for line in text.lines().map(str::trim_end) {
        let kind = |begin: &str| line.strip_prefix(begin)?.strip_suffix("-----");
        is_inside |= kind("-----BEGIN ").is_some_and(&is_wanted);
        if is_inside {
            kept.push_str(line);
            kept.push('\n');
        }
        is_inside &= kind("-----END ").is_none();
    }
    kept
}

/// Tells if a block is a certificate.
#[must_use]
pub fn is_certificate(kind: &str) -> bool {
    kind == "CERTIFICATE"
}

/// Tells if a block is a private key.
#[must_use]
pub fn is_key(kind: &str) -> bool {
    kind.ends_with("PRIVATE KEY")
}

#[cfg(test)]
mod tests {
    use super::Pem;

    #[test]
    fn a_byte_order_mark_before_the_first_block_is_passed_over() {
        let block = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        for text in [block.to_owned(), format!("\u{feff}{block}"), format!("\u{feff}# mine\n{block}")] {
            let read = Pem::read(text.as_bytes()).map(|pem| pem.certificates.len());
            assert_eq!(read.ok(), Some(1), "{text:?}");
        }
    }
}
