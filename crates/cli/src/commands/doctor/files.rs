//! Files, keys, certificates and users of a queue manager.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use terminal::next_step;

use ca::Authority;
use identity::UsersFile;
use platform::os::private;
use server::configuration::ListenerTls;
use tls::store::REVOKED;
use tls::{KeyStore, expiry};

use super::finding::{Finding, Patient, word};

/// Days before its end from which on a certificate is a finding.
const DAYS_LEFT_MIN: i64 = expiry::WARNED_DAYS[0];

/// Looks at the files.
pub(super) fn look(patient: &Patient<'_>) -> Vec<Finding> {
    let mut findings = modes(patient);
    findings.extend(keys(patient));
    findings.extend(users(patient));
    findings.extend(clock(patient));
    findings
}

/// Permissions and owners: everything in the folder is for its owner alone, or for group 0 as well in a
/// container. A group may read keys, since orchestrators hand them over so.
fn modes(patient: &Patient<'_>) -> Vec<Finding> {
    let folder = &patient.instance.folder;
    let Ok(own) = fs::metadata(folder.path()) else { return Vec::new() };
    let mut findings = Vec::new();
    let security = folder.security();
    let mut paths = vec![(folder.path().to_owned(), 0o027), (security.clone(), 0o027)];
    for place in ["keys", "authority", "trust", "crl"] {
        paths.push((security.join(place), 0o022));
    }
    let secret = |path: &Path| path.extension().is_some_and(|it| it == "key");
    for place in ["keys", "authority"] {
        let files = fs::read_dir(security.join(place)).into_iter().flatten().flatten();
        let of_keys = files.map(|file| file.path()).filter(|path| secret(path));
        paths.extend(of_keys.map(|path| (path, 0o037)));
    }
    paths.push((folder.users(), 0o077));
    paths.extend([(folder.settings(), 0o022), (folder.audit(), 0o077), (folder.errors(), 0o022)]);
    paths.retain(|(path, _)| path.exists());
    let is_shared = private::is_shared(folder.path());
    for (path, refused) in paths {
        let Ok(found) = fs::metadata(&path) else { continue };
        let (mode, path) = (found.mode() & 0o777, path.display().to_string());
        let is_for_group = is_shared && private::is_of_container(found.gid());
        let refused = if is_for_group { refused & !0o070 } else { refused };
        if mode & refused != 0 {
            findings.push(Finding {
                name: "files.mode",
                value: format!("{path} has mode {mode:04o}"),
                wanted: format!("{:04o}", mode & !refused),
                why: "other users of this machine can read or change these files",
                mend: format!("chmod {:o} {}", mode & !refused, word(&path)),
            });
        }
        if found.uid() != own.uid() && found.uid() != 0 && !is_for_group {
            findings.push(Finding {
                name: "files.owner",
                value: format!("{path} belongs to user {}", found.uid()),
                wanted: format!("user {}, who owns the queue manager", own.uid()),
                why: "its owner can change it, whatever its mode is",
                mend: format!("chown {} {}", own.uid(), word(&path)),
            });
        }
    }
    findings
}

fn keys(patient: &Patient<'_>) -> Vec<Finding> {
    let folder = patient.instance.folder.security();
    let qm = word(&patient.name);
    if !folder.is_dir() {
        return no_key(patient).into_iter().collect();
    }
    let store = match KeyStore::read(&folder) {
        Ok(store) => store,
        // A mode or an owner that is wrong is a finding of its own.
        Err(tls::StoreError::Mode { .. } | tls::StoreError::Owner { .. }) => return Vec::new(),
        Err(error) => {
            if let Some(list) = list_in(&error, &folder) {
                return vec![unread_list(patient, list, &error)];
            }
            let mend = match &error {
                tls::StoreError::Pair { label, .. } => {
                    next_step!("ferry tls renew {qm} {}", word(label)).at(&patient.common.typed)
                }
                tls::StoreError::NoKey { path, .. }
                | tls::StoreError::NoCertificate { path }
                | tls::StoreError::Pem { path, .. }
                | tls::StoreError::Certificate { path, .. }
                | tls::StoreError::Label { path } => {
                    let path = path.display().to_string();
                    format!("mv {} {}", word(&path), word(&format!("{path}.unread")))
                }
                _ => format!("ls -l {}", word(&folder.display().to_string())),
            };
            return vec![Finding {
                name: "keys.read",
                value: error.to_string(),
                wanted: "a key store that can be read".to_owned(),
                why: "the queue manager keeps the keys that it has, but does not start again without them",
                mend,
            }];
        }
    };
    let mut findings: Vec<Finding> = Vec::new();
    if store.keys.is_empty() {
        findings.extend(no_key(patient));
    }
    let issued = Authority::open(&folder).and_then(|authority| authority.issued()).unwrap_or_default();
    for (shown, certificate) in store.certificates() {
        let left = match expiry::left(certificate, patient.now) {
            expiry::Left::Days(days) if days >= DAYS_LEFT_MIN => continue,
            expiry::Left::Days(days) => format!("{days} days left"),
            expiry::Left::Expired => "expired".to_owned(),
            expiry::Left::NotYet => "does not hold yet".to_owned(),
        };
        let mend = match store.keys.contains_key(&shown) {
            true if issued.iter().any(|one| one.label == shown) => {
                next_step!("ferry tls renew {qm} {}", word(&shown))
            }
            true => next_step!("ferry tls import {qm} {} --certificates FILE --key FILE", word(&shown)),
            false => next_step!("ferry tls import {qm} NAME --certificates FILE"),
        };
        let mend = mend.at(&patient.common.typed);
        findings.push(Finding {
            name: "keys.expiry",
            value: format!("{shown}: {left}"),
            wanted: format!("{DAYS_LEFT_MIN} days left"),
            why: "partners refuse a certificate that is expired or not yet valid",
            mend,
        });
    }
    findings
}

/// The file of a list of revoked certificates that an error is about.
fn list_in<'error>(error: &'error tls::StoreError, store: &Path) -> Option<&'error Path> {
    let (tls::StoreError::List { path, .. }
    | tls::StoreError::Pem { path, .. }
    | tls::StoreError::Certificate { path, .. }) = error
    else {
        return None;
    };
    path.starts_with(store.join(REVOKED)).then_some(path)
}

/// A list of revoked certificates that does not read. To take its file away would give the list up: a good
/// list goes into its place. The queue manager's own authority writes its list again with each certificate
/// that it revokes, a revoked one too.
fn unread_list(patient: &Patient<'_>, path: &Path, error: &tls::StoreError) -> Finding {
    let store = patient.instance.folder.security();
    let own = Authority::open(&store).ok().filter(|own| own.list() == path);
    let issued = own.and_then(|own| own.issued().ok()).unwrap_or_default();
    let is_gone = |label: &str| issued.iter().all(|one| one.label != label || one.revoked_at.is_some());
    // To revoke a label again revokes what was issued under it since.
    let revoked = issued.iter().find(|one| is_gone(&one.label));
    let path = word(&path.display().to_string());
    Finding {
        name: "crl.read",
        value: error.to_string(),
        wanted: "the last list that its authority issued".to_owned(),
        why: "the last list that was read stays in force, and without one the queue manager does not start; without its file \
              a list is given up",
        mend: match revoked {
            Some(one) => next_step!("ferry tls revoke {} {}", word(&patient.name), word(&one.label))
                .at(&patient.common.typed),
            None => format!("cp FILE {path}"),
        },
    }
}

/// Listeners that are to speak TLS, and no key for it.
fn no_key(patient: &Patient<'_>) -> Option<Finding> {
    (patient.configuration.listener.tls != ListenerTls::No).then(|| Finding {
        name: "keys.none",
        value: "no key, and listener.tls asks for TLS".to_owned(),
        wanted: "a key".to_owned(),
        why: "the queue manager does not start",
        mend: next_step!("ferry tls init {}", word(&patient.name)).at(&patient.common.typed),
    })
}

fn users(patient: &Patient<'_>) -> Vec<Finding> {
    let file = UsersFile::at(patient.instance.folder.users());
    let users = match file.read() {
        Ok(users) => users,
        Err(identity::FileError::Mode { .. } | identity::FileError::Owner { .. }) => return Vec::new(),
        Err(error) => {
            let path = word(&file.path().display().to_string());
            return vec![Finding {
                name: "users.read",
                value: error.to_string(),
                wanted: "a file of users that can be read".to_owned(),
                why: "the last users that were read stay in force; after a start no user can log in",
                mend: format!("mv {path} {path}.unread"),
            }];
        }
    };
    let machine = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let is_of_machine = |name: &str| machine.lines().any(|line| line.split(':').next() == Some(name));
    let doubled = users.all().map(|(name, _)| name).filter(|name| is_of_machine(name));
    doubled
        .map(|name| Finding {
            name: "users.double",
            value: format!("{name} is a user of the queue manager and one of this machine"),
            wanted: "different names".to_owned(),
            why: "over the local socket each has the rights of the other",
            mend: next_step!("ferry user remove {} {}", word(&patient.name), word(name))
                .at(&patient.common.typed),
        })
        .collect()
}

/// Seconds by which a file may seem to come from the future.
const AHEAD_SECONDS_MAX: u64 = 60;

/// A file that was written later than now: the clock went back.
fn clock(patient: &Patient<'_>) -> Option<Finding> {
    let folder = &patient.instance.folder;
    let written = [folder.settings(), folder.errors(), folder.lock(), folder.path().join("log")]
        .iter()
        .filter_map(|path| u64::try_from(fs::metadata(path).ok()?.mtime()).ok())
        .max()?;
    let ahead = written.saturating_sub(patient.now);
    (ahead > AHEAD_SECONDS_MAX).then(|| Finding {
        name: "clock.back",
        value: format!("files of the queue manager were written {ahead} seconds later than now"),
        wanted: "a clock that never goes back".to_owned(),
        why: "the expiry of messages, certificates and users depends on the clock",
        mend: "timedatectl set-ntp true".to_owned(),
    })
}
