//! One certificate, taken apart as far as rules and people ask.

use rustls::pki_types::CertificateDer;
use security::distinguished_name::{Name, Unreadable};

use crate::der::{
    BIT_STRING, BOOLEAN, IA5_STRING, INTEGER, Malformed, OBJECT_IDENTIFIER, OCTET_STRING, PRINTABLE_STRING,
    SEQUENCE, SET, UTF8_STRING, Value, Values, dotted, part, plain_part,
};

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
        Self::taken_apart(der).map_err(|malformed| CertificateError(malformed.to_string()))
    }

    fn taken_apart(der: &[u8]) -> Result<Self, Malformed> {
        let mut signed = signed_part(der)?;
        let version = match signed.take_if(part(0), "its version")? {
            Some(version) => match version.inside().take(INTEGER, "its version")?.content {
                [version @ 0..=2] => u32::from(*version) + 1,
                _ => return Err(Malformed::Other("its version")),
            },
            None => 1,
        };
        let serial = signed.take(INTEGER, "its serial number")?.content;
        signed.take(SEQUENCE, "its algorithm")?;
        let issuer = signed.take(SEQUENCE, ISSUER)?;
        let mut dates = signed.take(SEQUENCE, "its dates")?.inside();
        let (not_before, not_after) = (dates.moment("its first date")?, dates.moment("its last date")?);
        dates.end("its dates")?;
        let subject = signed.take(SEQUENCE, "its subject")?;
        signed.take(SEQUENCE, "its key")?;
        signed.take_if(plain_part(1), "the mark of its issuer")?;
        signed.take_if(plain_part(2), "the mark of its subject")?;
        let extensions = match signed.take_if(part(3), "its extensions")? {
            Some(extensions) => Extensions::read(&extensions)?,
            None => Extensions::default(),
        };
        signed.end("its extensions")?;
        let mut subject_name = name(&subject)?;
        subject_name.add_serial_number(serial);
        Ok(Self {
            subject: subject_name,
            issuer: name(&issuer)?,
            subject_der: subject.bytes.to_vec(),
            issuer_der: issuer.bytes.to_vec(),
            serial: serial.to_vec(),
            version,
            not_before,
            not_after,
            is_authority: extensions.is_authority,
            hosts: extensions.hosts,
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

/// The part under the signature of a certificate, or of a list of revoked ones.
pub(crate) fn signed_part(der: &[u8]) -> Result<Values<'_>, Malformed> {
    let mut whole = Values::of(der);
    let mut parts = whole.take(SEQUENCE, "the whole")?.inside();
    whole.end("it")?;
    let signed = parts.take(SEQUENCE, "what is signed")?.inside();
    parts.take(SEQUENCE, "the algorithm of its signature")?;
    parts.take(BIT_STRING, "its signature")?;
    parts.end("its signature")?;
    Ok(signed)
}

/// The part of that name in certificates and lists.
pub(crate) const ISSUER: &str = "its issuer";

/// A name as a certificate has it.
pub(crate) fn name(value: &Value<'_>) -> Result<Name, Malformed> {
    const WHAT: &str = "a name";
    let mut name = Name::new();
    let mut sets = value.inside();
    while !sets.is_empty() {
        let mut attributes = sets.take(SET, WHAT)?.inside();
        while !attributes.is_empty() {
            let mut attribute = attributes.take(SEQUENCE, WHAT)?.inside();
            let kind = dotted(attribute.take(OBJECT_IDENTIFIER, WHAT)?.content, WHAT)?;
            name.add(&kind, text(&attribute.any(WHAT)?));
            attribute.end(WHAT)?;
        }
    }
    Ok(name)
}

/// The text of a value, for the three kinds that have one character set.
fn text<'a>(value: &Value<'a>) -> Result<&'a str, Unreadable> {
    const PRINTABLE: &str = " '()+,-./:=?";
    let text = std::str::from_utf8(value.content).map_err(|_| Unreadable)?;
    let is_printable = |character: char| character.is_ascii_alphanumeric() || PRINTABLE.contains(character);
    let is_right = match value.tag {
        UTF8_STRING => true,
        IA5_STRING => text.is_ascii(),
        PRINTABLE_STRING => text.chars().all(is_printable),
        _ => false,
    };
    if is_right { Ok(text) } else { Err(Unreadable) }
}

/// Extensions of a certificate, as far as rules and people ask.
#[derive(Default)]
struct Extensions {
    is_authority: bool,
    hosts: Vec<String>,
}

impl Extensions {
    /// The identifiers, as their bytes stand there.
    const BASIC_CONSTRAINTS: [u8; 3] = [0x55, 0x1D, 0x13];
    const SUBJECT_ALTERNATIVE_NAME: [u8; 3] = [0x55, 0x1D, 0x11];

    fn read(value: &Value<'_>) -> Result<Self, Malformed> {
        const WHAT: &str = "an extension";
        let mut whole = value.inside();
        let mut all = whole.take(SEQUENCE, WHAT)?.inside();
        whole.end("its extensions")?;
        let mut read = Self::default();
        let mut known = Vec::new();
        while !all.is_empty() {
            let mut extension = all.take(SEQUENCE, WHAT)?.inside();
            let identifier = extension.take(OBJECT_IDENTIFIER, WHAT)?.content;
            extension.take_if(BOOLEAN, WHAT)?;
            let mut content = extension.take(OCTET_STRING, WHAT)?.inside();
            extension.end(WHAT)?;
            if known.contains(&identifier) {
                return Err(Malformed::Other("an extension that stands there once"));
            }
            known.push(identifier);
            if identifier == Self::BASIC_CONSTRAINTS {
                let mut constraints = content.take(SEQUENCE, WHAT)?.inside();
                content.end(WHAT)?;
                read.is_authority = match constraints.take_if(BOOLEAN, WHAT)?.map(|value| value.content) {
                    Some([0xFF]) => true,
                    Some([0]) | None => false,
                    Some(_) => return Err(Malformed::Form(WHAT)),
                };
                let length = constraints.take_if(INTEGER, WHAT)?;
                if length.is_some_and(|length| !matches!(length.content, [0x00..=0x7F])) {
                    return Err(Malformed::Form(WHAT));
                }
                constraints.end(WHAT)?;
            } else if identifier == Self::SUBJECT_ALTERNATIVE_NAME {
                read.hosts = hosts(content.take(SEQUENCE, WHAT)?.inside())?;
                content.end(WHAT)?;
            }
        }
        Ok(read)
    }
}

fn hosts(mut names: Values<'_>) -> Result<Vec<String>, Malformed> {
    const WHAT: &str = "a name of its subject";
    const HOST: u8 = plain_part(2);
    const ADDRESS: u8 = plain_part(7);
    /// The same with values inside, which they do not have.
    const NOT_PLAIN: [u8; 2] = [part(2), part(7)];
    let mut hosts = Vec::new();
    while !names.is_empty() {
        let name = names.any(WHAT)?;
        match name.tag {
            HOST => {
                let host = std::str::from_utf8(name.content).ok().filter(|host| host.is_ascii());
                hosts.push(host.ok_or(Malformed::Form(WHAT))?.to_owned());
            }
            ADDRESS => hosts.extend(address(name.content)),
            tag if NOT_PLAIN.contains(&tag) => return Err(Malformed::Form(WHAT)),
            _ => {}
        }
    }
    Ok(hosts)
}

fn address(octets: &[u8]) -> Option<String> {
    if let Ok(octets) = <[u8; 4]>::try_from(octets) {
        return Some(std::net::Ipv4Addr::from(octets).to_string());
    }
    <[u8; 16]>::try_from(octets).ok().map(|octets| std::net::Ipv6Addr::from(octets).to_string())
}
