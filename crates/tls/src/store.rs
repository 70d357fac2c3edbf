//! Stores of keys and trust: the folder of a queue manager, or one file of a program.
//!
//! A folder has `keys/LABEL.pem` (the certificate, then its chain) beside `keys/LABEL.key`, `trust/*.pem`
//! (authorities, and single certificates that are trusted themselves) and `crl/*.pem`. A file has all that
//! one behind the other, with at most one key. Its label is in the lines before it
//! ([`LABEL`](crate::pem::LABEL)); the name of the file without the ending is taken as well.
//!
//! Always: a store reads whole or not at all; read again, a file that does not read stays as it was; a key
//! whose file others may read is refused.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use platform::os::private::{self, Exposure};
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;

use crate::certificate::{Certificate, CertificateError};
use crate::issuer::IssuerName;
use crate::pem::{FILE_BYTES_MAX, LABEL_BYTES_MAX, Pem, PemError, is_label};
use crate::revocation::{self, List};
use crate::words;

/// The folder of keys in a store.
pub const KEYS: &str = "keys";
/// The folder of trusted certificates.
pub const TRUST: &str = "trust";
/// The folder of lists of revoked certificates.
pub const REVOKED: &str = "crl";
/// The ending of files of certificates.
pub const CERTIFICATE: &str = "pem";
/// The ending of files of keys.
pub const KEY: &str = "key";

/// Most files in a folder of a store.
pub const FILES_MAX: usize = 1_000;

/// Endings of key stores in forms that are not read.
const OTHER_ENDINGS: [&str; 4] = [".kdb", ".p12", ".pfx", ".jks"];

/// Permissions that a key's file must not give: a group may read it, since orchestrators hand keys over so.
const KEY_MODE_REFUSED: u32 = 0o037;

/// Why a store does not read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("cannot read {path}: {source}; give the path of a key store, or make one by `ferry tls init`")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file is not well formed.
    #[error("{path} does not read: {source}")]
    Pem {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: PemError,
    },
    /// A file of another form lies where the path leads with an ending added.
    #[error(
        "{path} is not there and {other} is: {}; then give the path of that PEM file",
        PemError::OtherForm
    )]
    OtherForm {
        /// The path.
        path: PathBuf,
        /// The file.
        other: PathBuf,
    },
    /// A certificate is not well formed.
    #[error("a certificate in {path} does not read: {source}")]
    Certificate {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: CertificateError,
    },
    /// A list of revoked certificates cannot be used.
    #[error(
        "a list of revoked certificates in {path} does not read, {reason}: have its authority issue it again, whole and of \
         version 2"
    )]
    List {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// Others may read or change a key.
    #[error("{path} has mode {mode:04o}, so that others may read or change it: set it by `chmod 600 {path}`")]
    Mode {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// Another user owns the file.
    #[error("{path} belongs to user {owner}: it must belong to the user of this process, or to root")]
    Owner {
        /// The file.
        path: PathBuf,
        /// The number of its owner.
        owner: u32,
    },
    /// A certificate lies there without its key.
    #[error("{path} has no key beside it: add {key}, or move the certificate to the folder trust")]
    NoKey {
        /// The certificate's file.
        path: PathBuf,
        /// The file that the key would be in.
        key: PathBuf,
    },
    /// A key lies there without its certificate.
    #[error("{path} has a key and no certificate: add the certificate in front of it")]
    NoCertificate {
        /// The file.
        path: PathBuf,
    },
    /// A key is not that of the certificate beside it.
    #[error("the key of {label} does not fit its certificate ({reason}): replace both files together")]
    Pair {
        /// The label.
        label: String,
        /// The library's reason.
        reason: String,
    },
    /// A certificate cannot be used.
    #[error("the certificate of {label} cannot be used: {reason}")]
    Unusable {
        /// The label.
        label: String,
        /// The reason.
        reason: String,
    },
    /// A key cannot be used.
    #[error(
        "the key of {label} cannot be used ({reason}): keys are of RSA with 2048 to 8192 bits, of ECDSA on P-256, P-384 or \
         P-521, or of Ed25519; make another by `ferry tls issue`, or have another issued"
    )]
    Key {
        /// The label.
        label: String,
        /// The library's reason.
        reason: String,
    },
    /// A name is no label.
    #[error(
        "{path} is no label: use at most {LABEL_BYTES_MAX} letters, figures, dots, hyphens and underscores"
    )]
    Label {
        /// The file.
        path: PathBuf,
    },
    /// A folder has too many files.
    #[error("{path} has more than {FILES_MAX} files: put several certificates in one")]
    TooMany {
        /// The folder.
        path: PathBuf,
    },
}

/// No key has the label, or none was named and there are several.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabelError {
    /// The label is not there.
    #[error("the key store has no key {label}; it has {present}: set CERTLABL to one of these")]
    Unknown {
        /// The label that was asked for.
        label: String,
        /// The labels that are there.
        present: String,
    },
    /// Several are there.
    #[error("the key store has several keys ({present}): set CERTLABL to one of these")]
    Several {
        /// The labels that are there.
        present: String,
    },
    /// None is there.
    #[error("the key store has no key: make one by `ferry tls issue`, or import one by `ferry tls import`")]
    Empty,
}

/// A key with its certificate.
#[derive(Clone, Debug)]
pub struct KeyPair {
    /// The name that CERTLABL takes.
    pub label: String,
    /// The certificate.
    pub certificate: Certificate,
    /// The certificates behind it.
    pub chain: Vec<CertificateDer<'static>>,
    pub(crate) certified: Arc<CertifiedKey>,
    /// The key's bytes, to notice that they were replaced.
    fingerprint: PrivateKeyBytes,
}

/// A key's bytes, which are cleared when they are no longer needed.
#[derive(Clone, PartialEq, Eq)]
struct PrivateKeyBytes(zeroize::Zeroizing<Vec<u8>>);

impl std::fmt::Debug for PrivateKeyBytes {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("********")
    }
}

impl PartialEq for KeyPair {
    fn eq(&self, other: &Self) -> bool {
        let Self { label, certificate, chain, fingerprint, certified: _ } = self;
        (label, certificate, chain, fingerprint)
            == (&other.label, &other.certificate, &other.chain, &other.fingerprint)
    }
}

/// Keys, trusted certificates and lists of revoked ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyStore {
    /// The keys, by their labels.
    pub keys: BTreeMap<String, KeyPair>,
    /// The name of the file without the ending, where the store is one file: another label of its key.
    pub file_label: Option<String>,
    /// Trusted certificates: authorities, and single ones.
    pub trust: Vec<Certificate>,
    /// Lists of revoked certificates.
    pub revocations: Vec<CertificateRevocationListDer<'static>>,
    /// Issuers whose lists are lost: none of their certificates is let in.
    pub unlisted: BTreeSet<IssuerName>,
}

impl KeyStore {
    /// The lists of the store by their issuers.
    #[must_use]
    pub fn lists(&self) -> BTreeMap<IssuerName, Vec<List>> {
        let mut lists: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for list in &self.revocations {
            if let Some(issuer) = revocation::issuer_of(list) {
                lists.entry(issuer).or_default().push(list.clone());
            }
        }
        lists
    }

    /// Reads a store: a folder, or one file. Symbolic links are followed.
    ///
    /// # Errors
    /// When any part of it does not read.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        let found = fs::metadata(path).map_err(|source| absent(path, source))?;
        if found.is_dir() { Self::read_folder(path) } else { Self::read_file(path) }
    }

    fn read_folder(folder: &Path) -> Result<Self, StoreError> {
        let mut parts = Parts::default();
        parts.read_again(folder).map_err(|unread| unread.error)?;
        Ok(parts.store())
    }

    /// Reads a file that has all. The certificate of the key stands first, with its chain; authorities among
    /// the others are trusted.
    fn read_file(path: &Path) -> Result<Self, StoreError> {
        let Pem { certificates, key, label, revocations } = read(path)?;
        let file_label = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let label = label.or_else(|| file_label.clone()).unwrap_or_default();
        let revocations = checked(path, revocations)?;
        let mut store = Self { revocations, file_label, ..Self::default() };
        let own = usize::from(key.is_some());
        if let Some(key) = key {
            check_owner(path)?;
            let pair = pair(label, path, &certificates, &key)?;
            store.keys.insert(pair.label.clone(), pair);
        }
        store.trust = trusted(path, &certificates[own.min(certificates.len())..])?;
        Ok(store)
    }

    /// Picks the key for a channel: the channel's CERTLABL, else the queue manager's, else the one named for
    /// the queue manager, else the only one there is.
    ///
    /// # Errors
    /// When a label names none, or there is not exactly one to fall back on.
    pub fn pick(&self, labels: [Option<&str>; 2], queue_manager: &str) -> Result<&KeyPair, LabelError> {
        if let Some(label) = labels.into_iter().flatten().find(|label| !label.trim().is_empty()) {
            let label = label.trim();
            let unknown = || LabelError::Unknown { label: label.to_owned(), present: self.labels() };
            let by_file = || self.keys.values().next().filter(|_| self.file_label.as_deref() == Some(label));
            return self.keys.get(label).or_else(by_file).ok_or_else(unknown);
        }
        let usual = format!("ibmwebspheremq{}", queue_manager.trim().to_lowercase());
        if let Some(pair) = self.keys.get(&usual) {
            return Ok(pair);
        }
        let mut keys = self.keys.values();
        match (keys.next(), keys.next()) {
            (Some(only), None) => Ok(only),
            (Some(_), Some(_)) => Err(LabelError::Several { present: self.labels() }),
            (None, _) => Err(LabelError::Empty),
        }
    }

    fn labels(&self) -> String {
        let labels: Vec<&str> = self.keys.keys().map(String::as_str).collect();
        if labels.is_empty() { "none".to_owned() } else { labels.join(", ") }
    }

    /// Every certificate, with the name by which people know it.
    pub fn certificates(&self) -> impl Iterator<Item = (String, &Certificate)> {
        let own = self.keys.values().map(|pair| (pair.label.clone(), &pair.certificate));
        own.chain(self.trust.iter().map(|trusted| (format!("trust: {}", trusted.subject), trusted)))
    }
}

/// Files of a store's folder, each as it was read last.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    keys: BTreeMap<PathBuf, KeyPair>,
    trust: BTreeMap<PathBuf, (Vec<Certificate>, Vec<List>)>,
    lists: BTreeMap<PathBuf, Vec<List>>,
}

/// A fault of a folder's files.
#[derive(Debug)]
pub struct Unread {
    /// The first fault.
    pub error: StoreError,
    /// False where a file that may have lists of revoked certificates does not read.
    pub has_all_lists: bool,
}

impl Parts {
    /// Reads each file again. One that does not read stays as it was read before, and keeps no other from
    /// taking effect: a revocation waits for nothing.
    ///
    /// # Errors
    /// The first fault, when any file does not read.
    pub fn read_again(&mut self, folder: &Path) -> Result<(), Unread> {
        fs::metadata(folder)
            .map_err(|source| Unread { error: absent(folder, source), has_all_lists: false })?;
        let keys = renew(&mut self.keys, &folder.join(KEYS), read_key);
        let trust = renew(&mut self.trust, &folder.join(TRUST), |path| {
            let Pem { certificates, revocations, .. } = read(path)?;
            Ok((trusted(path, &certificates)?, checked(path, revocations)?))
        });
        let lists =
            renew(&mut self.lists, &folder.join(REVOKED), |path| checked(path, read(path)?.revocations));
        let has_all_lists = trust.is_none() && lists.is_none();
        match keys.or(trust).or(lists) {
            Some(error) => Err(Unread { error, has_all_lists }),
            None => Ok(()),
        }
    }

    /// The store of all files.
    #[must_use]
    pub fn store(&self) -> KeyStore {
        let keys = self.keys.values().map(|pair| (pair.label.clone(), pair.clone())).collect();
        let mut store = KeyStore { keys, ..KeyStore::default() };
        for (certificates, lists) in self.trust.values() {
            store.trust.extend(certificates.iter().cloned());
            store.revocations.extend(lists.iter().cloned());
        }
        store.revocations.extend(self.lists.values().flatten().cloned());
        store
    }
}

/// Reads the files of a folder again; one that does not read stays as it was. Returns the first fault.
fn renew<T>(
    parts: &mut BTreeMap<PathBuf, T>,
    folder: &Path,
    read: impl Fn(&Path) -> Result<T, StoreError>,
) -> Option<StoreError> {
    let paths = match files(folder, CERTIFICATE) {
        Ok(paths) => paths,
        Err(error) => return Some(error),
    };
    let (mut renewed, mut fault) = (BTreeMap::new(), None);
    for path in paths {
        let part = match read(&path) {
            Ok(part) => Some(part),
            Err(error) => {
                fault.get_or_insert(error);
                parts.remove(&path)
            }
        };
        renewed.extend(part.map(|part| (path, part)));
    }
    *parts = renewed;
    fault
}

fn read_key(path: &Path) -> Result<KeyPair, StoreError> {
    let label = label_of(path)?;
    let key_path = path.with_extension(KEY);
    let mut pem = read(path)?;
    if key_path.exists() {
        check_owner(&key_path)?;
        pem.key = read(&key_path)?.key;
    } else if pem.key.is_some() {
        check_owner(path)?;
    }
    let Some(key) = pem.key else { return Err(StoreError::NoKey { path: path.to_owned(), key: key_path }) };
    pair(label, path, &pem.certificates, &key)
}

/// Lists of a file, each of which proofs accept.
fn checked(path: &Path, lists: Vec<List>) -> Result<Vec<List>, StoreError> {
    match lists.iter().find_map(|list| revocation::check(list).err()) {
        Some(reason) => Err(StoreError::List { path: path.to_owned(), reason }),
        None => Ok(lists),
    }
}

fn trusted(path: &Path, certificates: &[CertificateDer<'static>]) -> Result<Vec<Certificate>, StoreError> {
    certificates.iter().map(|der| certificate(path, der)).collect()
}

/// The error of a path that leads nowhere. Settings of other products name a store without its ending.
fn absent(path: &Path, source: io::Error) -> StoreError {
    let with = |ending| {
        let mut other = path.as_os_str().to_owned();
        other.push(ending);
        PathBuf::from(other)
    };
    match OTHER_ENDINGS.into_iter().map(with).find(|other| other.exists()) {
        Some(other) => StoreError::OtherForm { path: path.to_owned(), other },
        None => StoreError::Io { path: path.to_owned(), source },
    }
}

fn label_of(path: &Path) -> Result<String, StoreError> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).filter(|stem| is_label(stem));
    stem.map(str::to_owned).ok_or_else(|| StoreError::Label { path: path.to_owned() })
}

/// The files of a folder with an ending, by their names; none if there is no folder. Names that begin with a
/// dot are passed over: orchestrators keep the folders there that their symbolic links lead to.
fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, StoreError> {
    let refused = |source| StoreError::Io { path: folder.to_owned(), source };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(refused)?,
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(refused)?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if !is_hidden && path.extension().is_some_and(|own| own == ending) {
            paths.push(path);
        }
        if paths.len() > FILES_MAX {
            return Err(StoreError::TooMany { path: folder.to_owned() });
        }
    }
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<Pem, StoreError> {
    let attempt = || -> io::Result<_> {
        let mut bytes = zeroize::Zeroizing::new(Vec::new());
        fs::File::open(path)?.take(FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = attempt().map_err(|source| StoreError::Io { path: path.to_owned(), source })?;
    Pem::read(&bytes).map_err(|source| StoreError::Pem { path: path.to_owned(), source })
}

/// Refuses a key's file that others may read or change, or that another user owns.
fn check_owner(path: &Path) -> Result<(), StoreError> {
    let found = fs::metadata(path).map_err(|source| StoreError::Io { path: path.to_owned(), source })?;
    match private::exposure(path, &found, KEY_MODE_REFUSED) {
        Some(Exposure::Mode(mode)) => Err(StoreError::Mode { path: path.to_owned(), mode }),
        Some(Exposure::Owner(owner)) => Err(StoreError::Owner { path: path.to_owned(), owner }),
        None => Ok(()),
    }
}

fn certificate(path: &Path, der: &CertificateDer<'_>) -> Result<Certificate, StoreError> {
    Certificate::read(der).map_err(|source| StoreError::Certificate { path: path.to_owned(), source })
}

fn pair(
    label: String,
    path: &Path,
    chain: &[CertificateDer<'static>],
    key: &PrivateKeyDer<'static>,
) -> Result<KeyPair, StoreError> {
    let first = chain.first().ok_or_else(|| StoreError::NoCertificate { path: path.to_owned() })?;
    let certificate = certificate(path, first)?;
    let own = chain_of(&certificate, chain);
    let fingerprint = PrivateKeyBytes(zeroize::Zeroizing::new(key.secret_der().to_vec()));
    match CertifiedKey::from_der(own.clone(), key.clone_key(), &aws_lc_rs::default_provider()) {
        Ok(certified) => {
            let chain = own[1..].to_vec();
            Ok(KeyPair { label, certificate, chain, certified: Arc::new(certified), fingerprint })
        }
        Err(error @ rustls::Error::InconsistentKeys(_)) => {
            Err(StoreError::Pair { label, reason: error.to_string() })
        }
        Err(rustls::Error::InvalidCertificate(_)) if certificate.version < 3 => {
            Err(StoreError::Unusable { label, reason: words::OLD_VERSION.to_owned() })
        }
        Err(error @ rustls::Error::InvalidCertificate(_)) => {
            Err(StoreError::Unusable { label, reason: words::of(&error) })
        }
        Err(error) => Err(StoreError::Key { label, reason: error.to_string() }),
    }
}

/// The certificates that a partner is sent: the own one and each that signed the one before, without the
/// root, which a partner trusts or not.
fn chain_of(own: &Certificate, all: &[CertificateDer<'static>]) -> Vec<CertificateDer<'static>> {
    let mut sent = vec![own.der.clone()];
    let mut issuer = own.issuer_der.clone();
    for der in &all[1..] {
        let Ok(next) = Certificate::read(der) else { break };
        let is_root = next.issuer_der == next.subject_der;
        if next.subject_der != issuer || is_root {
            break;
        }
        issuer = next.issuer_der;
        sent.push(der.clone());
    }
    sent
}
