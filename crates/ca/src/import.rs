//! Keys and trusted certificates of others, taken into a store.

use std::path::{Path, PathBuf};

use rustls::crypto::aws_lc_rs;
use rustls::sign::CertifiedKey;

use crate::error::IssueError;
use crate::files::{file, make_folder, write};
use tls::pem::{self, Pem};
use tls::store::{CERTIFICATE, KEY, KEYS, StoreError, TRUST};
use tls::{Certificate, is_issued_by};

/// Takes a key with its certificate and chain into a store, under a label. Both texts are PEM; they may be
/// the same.
///
/// # Errors
/// When the two do not fit, the label is none, or the system refuses. What was there stays.
pub fn import_key(
    store: &Path,
    label: &str,
    certificates: &str,
    key: &str,
) -> Result<Certificate, IssueError> {
    if !pem::is_label(label) {
        return Err(IssueError::Label(label.to_owned()));
    }
    let certificate_path = file(&store.join(KEYS), label, CERTIFICATE);
    let key_path = file(&store.join(KEYS), label, KEY);
    let chain = read(&certificate_path, certificates)?.certificates;
    let Some(private) = read(&key_path, key)?.key else {
        return Err(StoreError::NoKey { path: certificate_path, key: key_path }.into());
    };
    let Some(first) = chain.first() else {
        return Err(StoreError::NoCertificate { path: certificate_path }.into());
    };
    let certificate = Certificate::read(first)
        .map_err(|source| StoreError::Certificate { path: certificate_path.clone(), source })?;
    CertifiedKey::from_der(chain, private, &aws_lc_rs::default_provider())
        .map_err(|error| StoreError::Pair { label: label.to_owned(), reason: error.to_string() })?;
    make_folder(&store.join(KEYS))?;
    write(&key_path, pem::keep(key, pem::is_key).as_bytes())?;
    write(&certificate_path, pem::keep(certificates, pem::is_certificate).as_bytes())?;
    Ok(certificate)
}

/// Certificates that would be trusted, which a rule could take for those of an authority that is trusted
/// already: authorities with its name, and single certificates with it as the name of their issuer, which it
/// has not issued. Each is with that authority.
///
/// # Errors
/// When there are none, or the name is no label.
pub fn namesakes(
    store: &Path,
    name: &str,
    certificates: &str,
) -> Result<Vec<(Certificate, Certificate)>, IssueError> {
    let (_, to_take) = to_trust(store, name, certificates)?;
    let trusted = authorities(&store.join(TRUST));
    let found = to_take.into_iter().filter_map(|new| {
        let bears = |old: &&Certificate| {
            let known_as = old.subject.without_serial_number();
            if new.is_authority {
                old.der != new.der && new.subject.has_all_of(&known_as)
            } else {
                new.issuer.has_all_of(&known_as) && !is_issued_by(&new, old)
            }
        };
        let namesake = trusted.iter().find(bears)?.clone();
        Some((new, namesake))
    });
    Ok(found.collect())
}

/// The authorities in a folder of trusted certificates. A file that does not read has none that counts.
fn authorities(folder: &Path) -> Vec<Certificate> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let texts = files.filter_map(|path| std::fs::read(path).ok());
    let pems = texts.filter_map(|text| Pem::read(&text).ok());
    let certificates = pems.flat_map(|pem| pem.certificates).filter_map(|der| Certificate::read(&der).ok());
    certificates.filter(|certificate| certificate.is_authority).collect()
}

/// Takes trusted certificates into a store, under a name.
///
/// # Errors
/// When there are none, the name is no label, or the system refuses.
pub fn import_trust(store: &Path, name: &str, certificates: &str) -> Result<Vec<Certificate>, IssueError> {
    let (path, taken) = to_trust(store, name, certificates)?;
    make_folder(&store.join(TRUST))?;
    write(&path, pem::keep(certificates, pem::is_certificate).as_bytes())?;
    Ok(taken)
}

/// The place of certificates to trust, and the certificates.
fn to_trust(store: &Path, name: &str, text: &str) -> Result<(PathBuf, Vec<Certificate>), IssueError> {
    if !pem::is_label(name) {
        return Err(IssueError::Label(name.to_owned()));
    }
    let path = file(&store.join(TRUST), name, CERTIFICATE);
    let found = read(&path, text)?.certificates;
    if found.is_empty() {
        return Err(StoreError::NoCertificate { path }.into());
    }
    let read = found.iter().map(|der| Certificate::read(der)).collect::<Result<Vec<_>, _>>();
    let read = read.map_err(|source| StoreError::Certificate { path: path.clone(), source })?;
    Ok((path, read))
}

fn read(path: &Path, text: &str) -> Result<Pem, StoreError> {
    Pem::read(text.as_bytes()).map_err(|source| StoreError::Pem { path: path.to_owned(), source })
}
