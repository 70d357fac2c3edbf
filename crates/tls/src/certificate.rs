//! One certificate, taken apart as far as rules and people ask.

use rustls::pki_types::CertificateDer;
use security::distinguished_name::{Name, Unreadable};
use x509_parser::asn1_rs::{Any, Tag};
use x509_parser::prelude::{FromDer, GeneralName, ParsedExtension, X509Certificate};
use x509_parser::x509::X509Name;

/// A certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Its bytes.
    pub der: CertificateDer<'static>,
    /// The name of its subject, with the serial number.
    pub subject: Name,
    /// The name of its issuer.
    pub issuer: Name,
    /// The bytes of the subject's name.
    pub subject_der: Vec<u8>,
    /// The bytes of the issuer's name.
    pub issuer_der: Vec<u8>,
    /// The serial number, as its bytes stand there.
    pub serial: Vec<u8>,
    /// Its version of X.509.
    pub version: u32,
    /// The first second in which it holds, since 1970.
    pub not_before: i64,
    /// The last second in which it holds, since 1970.
    pub not_after: i64,
    /// It may sign other certificates.
    pub is_authority: bool,
    /// The host names and addresses that it names.
    pub hosts: Vec<String>,
}

/// Why bytes are no certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is no X.509 certificate: {0}")]
pub struct CertificateError(String);

impl Certificate {
    /// Takes a certificate apart.
    ///
    /// # Errors
    /// When the bytes are none, or have others behind it.
    pub fn read(der: &[u8]) -> Result<Self, CertificateError> {
        let (rest, parsed) =
            X509Certificate::from_der(der).map_err(|error| CertificateError(error.to_string()))?;
        if !rest.is_empty() {
            return Err(CertificateError(format!("{} bytes are behind it", rest.len())));
        }
        let mut subject = name(parsed.subject());
        subject.add_serial_number(parsed.raw_serial());
        Ok(Self {
            subject,
            issuer: name(parsed.issuer()),
            subject_der: parsed.subject().as_raw().to_vec(),
            issuer_der: parsed.issuer().as_raw().to_vec(),
            serial: parsed.raw_serial().to_vec(),
            version: parsed.version().0 + 1,
            not_before: parsed.validity().not_before.timestamp(),
            not_after: parsed.validity().not_after.timestamp(),
            is_authority: parsed.is_ca(),
            hosts: hosts(&parsed),
            der: CertificateDer::from(der.to_vec()),
        })
    }

    /// The serial number as people and patterns write it, such as `4C:D0:49`.
    #[must_use]
    pub fn serial_text(&self) -> String {
        let pairs: Vec<String> = self.serial.iter().map(|byte| format!("{byte:02X}")).collect();
        pairs.join(":")
    }

    /// Tells if it holds at this second.
    #[must_use]
    pub fn holds_at(&self, seconds: u64) -> bool {
        i64::try_from(seconds).is_ok_and(|now| (self.not_before..=self.not_after).contains(&now))
    }
}

pub(crate) fn name(parsed: &X509Name<'_>) -> Name {
    let mut name = Name::new();
    for attribute in parsed.iter_attributes() {
        name.add(&attribute.attr_type().to_id_string(), text(attribute.attr_value()));
    }
    name
}

/// The text of a value, for the three kinds that have one character set.
fn text<'a>(value: &Any<'a>) -> Result<&'a str, Unreadable> {
    const PRINTABLE: &str = " '()+,-./:=?";
    let text = std::str::from_utf8(value.data).map_err(|_| Unreadable)?;
    let is_printable = |character: char| character.is_ascii_alphanumeric() || PRINTABLE.contains(character);
    let is_right = match value.tag() {
        Tag::Utf8String => true,
        Tag::Ia5String => text.is_ascii(),
        Tag::PrintableString => text.chars().all(is_printable),
        _ => false,
    };
    if is_right { Ok(text) } else { Err(Unreadable) }
}

fn hosts(parsed: &X509Certificate<'_>) -> Vec<String> {
    let extensions = parsed.extensions().iter();
    let names = extensions.filter_map(|extension| match extension.parsed_extension() {
        ParsedExtension::SubjectAlternativeName(names) => Some(&names.general_names),
        _ => None,
    });
    let texts = names.flatten().filter_map(|name| match name {
        GeneralName::DNSName(host) => Some((*host).to_owned()),
        GeneralName::IPAddress(octets) => address(octets),
        _ => None,
    });
    texts.collect()
}

fn address(octets: &[u8]) -> Option<String> {
    if let Ok(octets) = <[u8; 4]>::try_from(octets) {
        return Some(std::net::Ipv4Addr::from(octets).to_string());
    }
    <[u8; 16]>::try_from(octets).ok().map(|octets| std::net::Ipv6Addr::from(octets).to_string())
}
