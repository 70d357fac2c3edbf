//! Files of certificates and keys, which administrators and partners hand in.

use tls::Certificate;
use tls::bundle::Way;
use tls::pem::{self, Pem};

/// A file of PEM, or one certificate as a partner shows it.
pub fn pem(bytes: &[u8]) {
    let read = |der: &[u8]| match Certificate::read(der) {
        Ok(certificate) => {
            let texts = [certificate.subject.to_string(), certificate.issuer.to_string()];
            assert!(
                !texts.iter().any(|text| text.chars().any(char::is_control)),
                "nothing acts on a terminal"
            );
            assert_eq!(certificate.der.as_ref(), der, "no byte is lost");
        }
        Err(error) => drop(error.to_string()),
    };
    read(bytes);
    if let Some(issuer) = tls::revocation::issuer_of(bytes) {
        assert!(!issuer.to_string().chars().any(char::is_control), "nothing acts on a terminal");
    }
    let text = String::from_utf8_lossy(bytes);
    match Pem::read(bytes) {
        Ok(pem) => pem.certificates.iter().for_each(|der| read(der)),
        Err(error) => drop(error.to_string()),
    }
    let kept = pem::keep(&text, pem::is_certificate);
    assert_eq!(pem::keep(&kept, pem::is_certificate), kept, "what is kept is kept again");
    match Way::read(&text) {
        Ok(way) => {
            let again = Way::read(&format!("{}-----BEGIN CERTIFICATE-----", way.head()));
            assert_eq!(again, Ok(way), "what is written is read back");
        }
        Err(error) => drop(error.to_string()),
    }
}
