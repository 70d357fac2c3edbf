//! Keys and trusted certificates of others, taken into a store.

use std::path::Path;

use rustls::crypto::aws_lc_rs;
use rustls::sign::CertifiedKey;

use crate::error::IssueError;
use crate::files::{file, make_folder, write};
use tls::Certificate;
use tls::pem::{self, Pem};
use tls::store::{CERTIFICATE, KEY, KEYS, StoreError, TRUST};

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

/// Takes trusted certificates into a store, under a name.
///
/// # Errors
/// When there are none, the name is no label, or the system refuses.
pub fn import_trust(store: &Path, name: &str, certificates: &str) -> Result<Vec<Certificate>, IssueError> {
    if !pem::is_label(name) {
        return Err(IssueError::Label(name.to_owned()));
    }
    let path = file(&store.join(TRUST), name, CERTIFICATE);
    let trusted = read(&path, certificates)?.certificates;
    if trusted.is_empty() {
        return Err(StoreError::NoCertificate { path }.into());
    }
    let taken = trusted.iter().map(|der| Certificate::read(der)).collect::<Result<Vec<_>, _>>();
    let taken = taken.map_err(|source| StoreError::Certificate { path: path.clone(), source })?;
    make_folder(&store.join(TRUST))?;
    write(&path, pem::keep(certificates, pem::is_certificate).as_bytes())?;
    Ok(taken)
}

fn read(path: &Path, text: &str) -> Result<Pem, StoreError> {
    Pem::read(text.as_bytes()).map_err(|source| StoreError::Pem { path: path.to_owned(), source })
}
