//! Certificates and lists as they are read here, beside another reader.

use tls::{Certificate, IssuerName};
use x509_parser::prelude::{FromDer, GeneralName, ParsedExtension, X509Certificate};

use crate::line::{NOW, Stores, for_queue_manager};

/// The parts of a certificate that both readers tell.
#[derive(Debug, PartialEq)]
struct Parts {
    serial: Vec<u8>,
    version: u32,
    dates: (i64, i64),
    names: [Vec<u8>; 2],
    is_authority: bool,
    hosts: Vec<String>,
}

fn here(der: &[u8]) -> Option<Parts> {
    let read = Certificate::read(der).ok()?;
    Some(Parts {
        serial: read.serial,
        version: read.version,
        dates: (read.not_before, read.not_after),
        names: [read.subject_der, read.issuer_der],
        is_authority: read.is_authority,
        hosts: read.hosts,
    })
}

fn elsewhere(der: &[u8]) -> Option<Parts> {
    let (rest, read) = X509Certificate::from_der(der).ok()?;
    let mut hosts = Vec::new();
    for extension in read.extensions() {
        let ParsedExtension::SubjectAlternativeName(names) = extension.parsed_extension() else { continue };
        hosts.extend(names.general_names.iter().filter_map(|name| match name {
            GeneralName::DNSName(host) => Some((*host).to_owned()),
            GeneralName::IPAddress([a, b, c, d]) => Some(format!("{a}.{b}.{c}.{d}")),
            GeneralName::IPAddress(octets) => {
                <[u8; 16]>::try_from(*octets).ok().map(|octets| std::net::Ipv6Addr::from(octets).to_string())
            }
            _ => None,
        }));
    }
    rest.is_empty().then(|| Parts {
        serial: read.raw_serial().to_vec(),
        version: read.version().0 + 1,
        dates: (read.validity().not_before.timestamp(), read.validity().not_after.timestamp()),
        names: [read.subject().as_raw().to_vec(), read.issuer().as_raw().to_vec()],
        is_authority: read.is_ca(),
        hosts,
    })
}

#[test]
fn a_certificate_with_any_byte_changed_or_cut_is_read_as_another_reader_does_or_not_at_all() {
    let stores = Stores::new();
    let mut request = for_queue_manager("qm2");
    request.hosts = ["mq.example.com", "10.1.2.3", "::1"].map(str::to_owned).to_vec();
    let leaf = stores.authority.issue(&request, NOW).unwrap().der.to_vec();
    let authority = stores.queue_manager().trust[0].der.to_vec();
    let (mut both, mut neither, mut stricter, mut alone) = (0, 0, 0, 0);
    for whole in [leaf, authority] {
        assert!(here(&whole).is_some());
        assert_eq!(here(&whole), elsewhere(&whole));
        let changed = (0..whole.len()).flat_map(|at| {
            let whole = &whole;
            [0x01_u8, 0x20, 0x80, 0xFF].map(|bits| {
                let mut bytes = whole.clone();
                bytes[at] ^= bits;
                bytes
            })
        });
        let cut = (0..whole.len()).map(|length| whole[..length].to_vec());
        for bytes in changed.chain(cut) {
            match (here(&bytes), elsewhere(&bytes)) {
                (Some(here), Some(mut elsewhere)) => {
                    // It shows no host of a list in which one has another form.
                    if elsewhere.hosts.is_empty() {
                        elsewhere.hosts.clone_from(&here.hosts);
                    }
                    assert_eq!(here, elsewhere, "{bytes:02X?}");
                    both += 1;
                }
                (None, None) => neither += 1,
                (None, Some(_)) => stricter += 1,
                // Algorithms, keys and most extensions are left to the proof.
                (read, None) => {
                    assert_eq!(read, here(&whole), "it is read here alone: {bytes:02X?}");
                    alone += 1;
                }
            }
        }
    }
    assert!(both > 1_000 && neither > 500, "both {both}, neither {neither}");
    assert!(stricter < both / 4 && alone < both / 10, "elsewhere alone {stricter}, here alone {alone}");
}

#[test]
fn the_name_of_an_issuer_is_shown_as_certificates_have_it_and_others_as_figures() {
    let stores = Stores::new();
    let authority = &stores.queue_manager().trust[0];
    let shown = IssuerName::new(&authority.subject_der).to_string();
    assert!(shown.starts_with("CN=QM1 certificate authority "), "{shown}");
    for bytes in [&b""[..], b"\x30\x02\x31", b"\x1B[2J"] {
        let name = IssuerName::new(bytes);
        assert_eq!(name.to_string(), name.to_hex());
    }
}
