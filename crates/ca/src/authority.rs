//! The authority: it issues, renews and revokes.

use std::path::{Path, PathBuf};

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, DnType, ExtendedKeyUsagePurpose,
    IsCa, Issuer, KeyIdMethod, KeyPair, KeyUsagePurpose, PKCS_ECDSA_P256_SHA256, RevokedCertParams,
    SerialNumber,
};
use time::OffsetDateTime;

use crate::error::IssueError;
use crate::files::{self, file, make_folder, write};
use crate::ledger::{self, Issued};
use crate::request::{ISSUED_MAX, Purpose, Request};
use tls::Certificate;
use tls::IssuerName;
use tls::pem::{self, Pem};
use tls::revocation;
use tls::store::{self, CERTIFICATE, KEY, KEYS, KeyStore, REVOKED, StoreError, TRUST};

const AUTHORITY: &str = "authority";
const AUTHORITY_NAME: &str = "ca";

/// The folder, and the name of files in other folders, of the authority before the present one.
const FORMER: &str = "former";

/// The list of certificates that an authority issued.
const LEDGER: &str = "issued";

/// Days for which an authority's own certificate holds.
pub const AUTHORITY_DAYS: u32 = 3_650;

/// Seconds before now at which certificates begin to hold: clocks of partners differ.
const BEFORE_SECONDS: u64 = 300;

const SECONDS_A_DAY: u64 = 86_400;

/// A certificate authority in the folder of a key store.
#[derive(Debug)]
pub struct Authority {
    pub(crate) store: PathBuf,
    /// The folder of its files.
    folder: PathBuf,
    /// The name of its files in the folders of trust and of lists of revoked certificates.
    name: &'static str,
    certificate_pem: String,
    certificate: Certificate,
    key_pem: zeroize::Zeroizing<String>,
}

impl Authority {
    /// Makes an authority, which the store trusts from then on.
    ///
    /// # Errors
    /// When there is one, or the system refuses.
    pub fn create(store: &Path, name: &str, now: u64) -> Result<Self, IssueError> {
        let folder = store.join(AUTHORITY);
        if file(&folder, AUTHORITY_NAME, CERTIFICATE).exists() {
            return Err(IssueError::HasAuthority(store.to_owned()));
        }
        for part in
            [store.to_owned(), folder.clone(), store.join(KEYS), store.join(TRUST), store.join(REVOKED)]
        {
            make_folder(&part)?;
        }
        let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
        let mut params = params(now, AUTHORITY_DAYS)?;
        // Two authorities of one name would be taken for each other.
        let identifier: String =
            params.key_identifier(&key)[..4].iter().map(|byte| format!("{byte:02X}")).collect();
        let common_name = format!("{name} certificate authority {identifier}");
        params.distinguished_name.push(DnType::CommonName, common_name);
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(1));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let made = params.self_signed(&key)?.pem();
        write(&file(&folder, AUTHORITY_NAME, KEY), key.serialize_pem().as_bytes())?;
        write(&file(&store.join(TRUST), AUTHORITY_NAME, CERTIFICATE), made.as_bytes())?;
        // Last: with it the authority is there.
        write(&file(&folder, AUTHORITY_NAME, CERTIFICATE), made.as_bytes())?;
        Self::open(store)
    }

    /// The authority of a store.
    ///
    /// # Errors
    /// When there is none, or it does not read.
    pub fn open(store: &Path) -> Result<Self, IssueError> {
        let present = Self::read(store, store.join(AUTHORITY), AUTHORITY_NAME)?;
        present.ok_or_else(|| IssueError::NoAuthority(store.to_owned()))
    }

    /// The authority before the present one, which is trusted until it is retired; none where there is none.
    ///
    /// # Errors
    /// When it does not read.
    pub fn former(store: &Path) -> Result<Option<Self>, IssueError> {
        Self::read(store, store.join(AUTHORITY).join(FORMER), FORMER)
    }

    fn read(store: &Path, folder: PathBuf, name: &'static str) -> Result<Option<Self>, IssueError> {
        let path = file(&folder, AUTHORITY_NAME, CERTIFICATE);
        if !path.exists() {
            return Ok(None);
        }
        let certificate_pem = files::read(&path)?;
        let key_pem = files::read(&file(&folder, AUTHORITY_NAME, KEY))?;
        let certificate = first_certificate(&path, &certificate_pem)?;
        let key_pem = zeroize::Zeroizing::new(key_pem);
        Ok(Some(Self { store: store.to_owned(), folder, name, certificate_pem, certificate, key_pem }))
    }

    /// Makes another authority beside the present one, which is the former from then on. Both are trusted;
    /// the new one issues. After a crash the same call goes on.
    ///
    /// # Errors
    /// When there is a former one already, or the system refuses.
    pub fn roll(store: &Path, name: &str, now: u64) -> Result<Self, IssueError> {
        let former = Self::former(store)?;
        let present = match Self::open(store) {
            // Cut off before the new one was made.
            Err(IssueError::NoAuthority(_)) if former.is_some() => return Self::create(store, name, now),
            present => present?,
        };
        if former.is_some_and(|former| former.certificate.der != present.certificate.der) {
            return Err(IssueError::HasFormer(store.to_owned()));
        }
        let (own, former) = (&present.folder, present.folder.join(FORMER));
        make_folder(&former)?;
        let copy = |from: PathBuf, to: PathBuf| {
            if from.exists() {
                write(&to, zeroize::Zeroizing::new(files::read(&from)?).as_bytes())
            } else {
                Ok(())
            }
        };
        for part in [TRUST, REVOKED] {
            let folder = store.join(part);
            copy(file(&folder, AUTHORITY_NAME, CERTIFICATE), file(&folder, FORMER, CERTIFICATE))?;
        }
        copy(own.join(LEDGER), former.join(LEDGER))?;
        copy(file(own, AUTHORITY_NAME, KEY), file(&former, AUTHORITY_NAME, KEY))?;
        // Last: with it the former is there.
        copy(file(own, AUTHORITY_NAME, CERTIFICATE), file(&former, AUTHORITY_NAME, CERTIFICATE))?;
        for path in [
            file(own, AUTHORITY_NAME, CERTIFICATE),
            own.join(LEDGER),
            file(&store.join(REVOKED), AUTHORITY_NAME, CERTIFICATE),
        ] {
            files::remove(&path)?;
        }
        Self::create(store, name, now)
    }

    /// Trusts the former authority no more: certificates that it issued are refused from then on.
    ///
    /// # Errors
    /// When there is none, keys of the store are still its, or the system refuses.
    pub fn retire(store: &Path) -> Result<(), IssueError> {
        let former = Self::former(store)?.ok_or_else(|| IssueError::NoFormer(store.to_owned()))?;
        let is_used = |pair: &&store::KeyPair| {
            let is_revoked = former.issued_under(&pair.label).is_ok_and(|newest| newest.revoked_at.is_some());
            pair.certificate.issuer_der == former.certificate.subject_der && !is_revoked
        };
        if let Some(pair) = KeyStore::read(store)?.keys.values().find(is_used) {
            return Err(IssueError::FormerInUse(pair.label.clone()));
        }
        let list = file(&store.join(REVOKED), FORMER, CERTIFICATE);
        let had_list = list.exists();
        // First: without it nothing of the former is trusted.
        files::remove(&file(&store.join(TRUST), FORMER, CERTIFICATE))?;
        files::remove(&list)?;
        if had_list {
            // Its list goes with it: nobody is to miss that.
            let issuer = IssuerName::new(&former.certificate.subject_der).to_string();
            let noted = revocation::give_up(store, &issuer);
            noted.map_err(|source| IssueError::Io {
                what: "write",
                path: revocation::given_up(store),
                source,
            })?;
        }
        files::remove(&file(&former.folder, AUTHORITY_NAME, CERTIFICATE))?;
        files::remove(&file(&former.folder, AUTHORITY_NAME, KEY))?;
        files::remove(&former.folder.join(LEDGER))
    }

    /// The certificates of both authorities, as PEM, for programs that are to trust each.
    pub(crate) fn trusted_pem(&self) -> Result<String, IssueError> {
        let former = Self::former(&self.store)?;
        let former = former.map(|former| former.certificate_pem).unwrap_or_default();
        Ok([self.certificate_pem.as_str(), &former].concat())
    }

    /// The authority's own certificate, as PEM.
    #[must_use]
    pub fn certificate_pem(&self) -> &str {
        &self.certificate_pem
    }

    /// The authority's own certificate.
    #[must_use]
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Issues a certificate under a label that has none, into the store's keys.
    ///
    /// # Errors
    /// When the label is taken or is none, or the system refuses.
    pub fn issue(&self, request: &Request, now: u64) -> Result<Certificate, IssueError> {
        if !pem::is_label(&request.label) {
            return Err(IssueError::Label(request.label.clone()));
        }
        if file(&self.store.join(KEYS), &request.label, CERTIFICATE).exists() {
            return Err(IssueError::LabelTaken(request.label.clone()));
        }
        self.make(request, now)
    }

    /// Issues a certificate in place of the one of a label, for the same subject and hosts, with a new key.
    /// The one before it stays valid until its end.
    ///
    /// # Errors
    /// When the label has none of this authority, or the system refuses.
    pub fn renew(&self, label: &str, days: u32, now: u64) -> Result<Certificate, IssueError> {
        let request = Request { days, ..self.newest(label)?.request() };
        self.make(&request, now)
    }

    /// The newest certificate of a label, which may be of the former authority.
    ///
    /// # Errors
    /// When neither issued one, or a ledger does not read.
    pub fn newest(&self, label: &str) -> Result<Issued, IssueError> {
        match (self.issued_under(label), Self::former(&self.store)?) {
            (Err(IssueError::Unknown(_)), Some(former)) => former.issued_under(label),
            (own, _) => own,
        }
    }

    /// Revokes every certificate of a label that holds, those of the former authority among them, and writes
    /// the lists of those that are revoked. Returns how many.
    ///
    /// # Errors
    /// When the label has none, or the system refuses.
    pub fn revoke(&self, label: &str, now: u64) -> Result<usize, IssueError> {
        let former = Self::former(&self.store)?;
        let of_former = match former.filter(|former| former.issued_under(label).is_ok()) {
            Some(former) => Some(former.revoke_own(label, now)?),
            None => None,
        };
        match (self.issued_under(label), of_former) {
            (Err(IssueError::Unknown(_)), Some(count)) => Ok(count),
            (Err(error), _) => Err(error),
            (Ok(_), count) => Ok(self.revoke_own(label, now)? + count.unwrap_or_default()),
        }
    }

    fn revoke_own(&self, label: &str, now: u64) -> Result<usize, IssueError> {
        let mut issued = self.issued()?;
        let mut count = 0;
        for one in issued.iter_mut().filter(|one| one.label == label && one.revoked_at.is_none()) {
            one.revoked_at = Some(now);
            count += 1;
        }
        ledger::write(&self.ledger(), &issued)?;
        self.write_revoked(&issued, now)?;
        Ok(count)
    }

    /// Every certificate that was issued, in order.
    ///
    /// # Errors
    /// When the list does not read.
    pub fn issued(&self) -> Result<Vec<Issued>, IssueError> {
        ledger::read(&self.ledger())
    }

    pub(crate) fn issued_under(&self, label: &str) -> Result<Issued, IssueError> {
        let found = self.issued()?.into_iter().rfind(|one| one.label == label);
        found.ok_or_else(|| IssueError::Unknown(label.to_owned()))
    }

    fn ledger(&self) -> PathBuf {
        self.folder.join(LEDGER)
    }

    fn issuer(&self) -> Result<Issuer<'static, KeyPair>, IssueError> {
        Ok(Issuer::from_ca_cert_pem(&self.certificate_pem, KeyPair::from_pem(&self.key_pem)?)?)
    }

    fn make(&self, request: &Request, now: u64) -> Result<Certificate, IssueError> {
        let mut issued = self.issued()?;
        if issued.len() >= ISSUED_MAX {
            return Err(IssueError::Full);
        }
        let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
        let mut params = params(now, request.days)?;
        let host_params = CertificateParams::new(request.hosts.clone())?;
        params.subject_alt_names = host_params.subject_alt_names;
        let name = &mut params.distinguished_name;
        if let Some(organization) = &request.organization {
            name.push(DnType::OrganizationName, organization.as_str());
        }
        if let Some(unit) = &request.unit {
            name.push(DnType::OrganizationalUnitName, unit.as_str());
        }
        name.push(DnType::CommonName, request.label.as_str());
        params.is_ca = IsCa::ExplicitNoCa;
        params.use_authority_key_identifier_extension = true;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = match request.purpose {
            Purpose::QueueManager => {
                vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth]
            }
            Purpose::Program => vec![ExtendedKeyUsagePurpose::ClientAuth],
        };
        let made = params.signed_by(&key, &self.issuer()?)?;
        let certificate = Certificate::read(made.der())
            .map_err(|source| StoreError::Certificate { path: self.store.clone(), source })?;
        issued.push(Issued::new(request, &certificate));
        ledger::write(&self.ledger(), &issued)?;
        // The two files of a pair change one after the other: a reader between them finds that they do not
        // fit, and keeps what it has.
        let keys = self.store.join(KEYS);
        write(&file(&keys, &request.label, KEY), key.serialize_pem().as_bytes())?;
        write(&file(&keys, &request.label, CERTIFICATE), made.pem().as_bytes())?;
        Ok(certificate)
    }

    /// Writes the list of revoked certificates. It holds as long as the authority: each revocation writes it
    /// again, and nothing would renew it between.
    fn write_revoked(&self, issued: &[Issued], now: u64) -> Result<(), IssueError> {
        let revoked = issued.iter().filter_map(|one| {
            Some(RevokedCertParams {
                serial_number: SerialNumber::from_slice(&one.serial),
                revocation_time: moment(one.revoked_at?),
                reason_code: None,
                invalidity_date: None,
            })
        });
        let next_update = OffsetDateTime::from_unix_timestamp(self.certificate.not_after)
            .unwrap_or(OffsetDateTime::UNIX_EPOCH);
        let params = CertificateRevocationListParams {
            this_update: moment(now.saturating_sub(BEFORE_SECONDS)),
            next_update,
            crl_number: SerialNumber::from(now),
            issuing_distribution_point: None,
            revoked_certs: revoked.collect(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        let list = params.signed_by(&self.issuer()?)?.pem()?;
        write(&self.list(), list.as_bytes())
    }

    /// The file with its list of revoked certificates.
    #[must_use]
    pub fn list(&self) -> PathBuf {
        file(&self.store.join(REVOKED), self.name, CERTIFICATE)
    }
}

fn moment(seconds: u64) -> OffsetDateTime {
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

fn params(now: u64, days: u32) -> Result<CertificateParams, IssueError> {
    let mut params = CertificateParams::new(Vec::<String>::new())?;
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.not_before = moment(now.saturating_sub(BEFORE_SECONDS));
    params.not_after = moment(now + u64::from(days) * SECONDS_A_DAY);
    Ok(params)
}

fn first_certificate(path: &Path, text: &str) -> Result<Certificate, IssueError> {
    let path = path.to_owned();
    let pem = Pem::read(text.as_bytes()).map_err(|source| StoreError::Pem { path: path.clone(), source })?;
    let Some(first) = pem.certificates.first() else { return Err(StoreError::NoCertificate { path }.into()) };
    Ok(Certificate::read(first).map_err(|source| StoreError::Certificate { path, source })?)
}

/// Removes the key of a label from a store; what was issued stays valid until it is revoked.
///
/// # Errors
/// When the system refuses.
pub fn remove_key(store: &Path, label: &str) -> Result<(), IssueError> {
    if !pem::is_label(label) {
        return Err(IssueError::Label(label.to_owned()));
    }
    for ending in [CERTIFICATE, KEY] {
        files::remove(&file(&store.join(KEYS), label, ending))?;
    }
    Ok(())
}
