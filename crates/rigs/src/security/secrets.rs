//! S9: twenty secrets are given to a queue manager, and looked for afterwards in every place but the one that
//! is theirs.
//!
//! Passwords that are right and wrong, passwords of definitions, private keys and bodies of messages. Looked
//! through are the files, what the process was started with, and for the passwords of logins its memory.
//! Files are for their owner alone under any umask, and the process leaves no core.
//!
//! Controls: a secret that is put into the error log, and one that is in memory for certain, are found.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use client::{Connection, Credentials, Secret};
use mqi::{
    MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, PutFlags, PutOptions, Reason, Verbs as _,
};
use platform::simulated::Random;
use rustix::fs::Mode;

use super::super::installation::Broken;
use super::super::{Outcome, Size};
use super::of_cases;
use super::secured::{self, ANY, QUEUE, Secured, add_user, bundle, credentials, refusal, tls, without_key};

/// Letters of a secret: more than stand anywhere by chance.
const SECRET_LETTERS: usize = 24;
/// The folder of keys, users and secrets of definitions.
const KEY_STORE: &str = "security";
/// Folders of what messages are in.
const MESSAGES: [&str; 3] = ["log", "store", "spill"];
/// Longest mapping of memory that is looked through at once.
const PART_BYTES: usize = 1 << 20;
const CHANNEL: &str = "SECRETS";

/// A kind of secret: the place that is its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    /// Nowhere: only its hash is kept.
    None,
    /// The same, and it came by TLS, whose library keeps what it opened in memory of its own.
    OpenedByTls,
    /// The key store.
    KeyStore,
    /// The files with messages.
    Messages,
}

struct Canary {
    what: String,
    text: Vec<u8>,
    home: Home,
}

/// Hides secrets and looks for them.
#[must_use]
pub fn canaries(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut random = Random::stream(size.seed, "S9");
    of_cases("secrets", folder, size, |place, outcome| {
        // Whatever a person's umask is, files are for their owner.
        let umask = rustix::process::umask(Mode::empty());
        let done = run(ferry, place, &mut random, outcome);
        rustix::process::umask(umask);
        done
    })
}

/// The secrets so far.
struct Hidden<'a> {
    canaries: Vec<Canary>,
    random: &'a mut Random,
}

impl Hidden<'_> {
    /// Makes a secret.
    fn make(&mut self, what: &str, home: Home) -> String {
        const LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
        let letters = (0..SECRET_LETTERS).map(|_| char::from(LETTERS[self.random.index(LETTERS.len())]));
        let text: String = letters.collect();
        self.note(what, text.as_bytes(), home);
        text
    }

    fn note(&mut self, what: &str, text: &[u8], home: Home) {
        self.canaries.push(Canary { what: what.to_owned(), text: text.to_vec(), home });
    }
}

fn run(ferry: &Path, place: &Path, random: &mut Random, outcome: &mut Outcome) -> Result<(), Broken> {
    let mut hidden = Hidden { canaries: Vec::new(), random };
    let users: Vec<(String, String)> = (0..4)
        .map(|number| {
            (format!("user{number}"), hidden.make(&format!("password of user{number}"), home_of(number)))
        })
        .collect();
    let mut files = Vec::new();
    let settings = "[listener]\ntls = \"allowed\"\n";
    let mut secured = Secured::start(ferry, place, settings, |installation| {
        secured::make_keys(installation)?;
        files.push(bundle(installation, "app1")?);
        users.iter().try_for_each(|(user, password)| add_user(installation, user, password))
    })?;
    hide(&mut secured, &users, &files, &mut hidden)?;
    let canaries = hidden.canaries;
    let process = secured.server.process();
    let data = secured.installation.data().to_owned();
    // What the files of programs have is theirs: they are the store of their keys.
    let spared = files;
    outcome.case("files while it runs", none(&search(&data, &spared, &canaries)?));
    outcome.case("modes while it runs", none(&open_to_others(&data)?));
    let mut told = Vec::new();
    for file in ["environ", "cmdline"] {
        let bytes = fs::read(format!("/proc/{process}/{file}")).map_err(|error| error.to_string())?;
        let shown = canaries.iter().filter(|one| holds(&bytes, &one.text));
        told.extend(shown.map(|one| format!("{} in {file}", one.what)));
    }
    outcome.case("environment and command line", none(&told));
    outcome.case("core", no_core(process));
    outcome.case("memory", memory(process, &canaries));
    let name = secured.installation.name().to_owned();
    secured::ferry(&secured.installation, &["qmgr", "stop", &name], "")?;
    outcome.case("files after its end", none(&search(&data, &spared, &canaries)?));
    outcome.case("modes after its end", none(&open_to_others(&data)?));
    outcome.case("control: a secret in the error log", planted(&data, &name, &canaries));
    outcome.note(format!("{} secrets", canaries.len()));
    Ok(())
}

/// A secret that is in the error log is found there.
fn planted(data: &Path, name: &str, canaries: &[Canary]) -> Result<(), Broken> {
    let log = data.join(name).join("errors/errors.log");
    let told = fs::read(&log).map_err(|error| format!("{}: {error}", log.display()))?;
    fs::write(&log, [&told[..], &canaries[0].text].concat()).map_err(|error| error.to_string())?;
    let found = search(data, &[], canaries)?;
    if found.iter().any(|told| told.contains("errors.log")) {
        Ok(())
    } else {
        Err("it is not found".to_owned())
    }
}

/// Every other user comes by TLS.
fn home_of(number: usize) -> Home {
    if number.is_multiple_of(2) { Home::None } else { Home::OpenedByTls }
}

/// Gives the queue manager all kinds of secrets.
fn hide(
    secured: &mut Secured,
    users: &[(String, String)],
    files: &[PathBuf],
    hidden: &mut Hidden<'_>,
) -> Result<(), Broken> {
    secured.tell_all(&[
        &format!("DEFINE CHANNEL({CHANNEL}) CHLTYPE(SVRCONN)"),
        &format!("SET CHLAUTH({CHANNEL}) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)"),
        &format!("DEFINE CHANNEL({CHANNEL}.TLS) CHLTYPE(SVRCONN) SSLCIPH({ANY}) SSLCAUTH(OPTIONAL)"),
        &format!("SET CHLAUTH({CHANNEL}.TLS) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)"),
    ])?;
    let authority = without_key(&secured.installation);
    for (number, (user, password)) in users.iter().enumerate() {
        secured.grant(user)?;
        let options = match home_of(number) {
            Home::OpenedByTls => secured.options(&format!("{CHANNEL}.TLS")).tls(tls(&authority, ANY)),
            _ => secured.options(CHANNEL),
        };
        let right = options.clone().credentials(credentials(user, password)?);
        let mut one = Connection::connect(right).map_err(|error| format!("{user}: {error}"))?;
        for persistence in [Persistence::Persistent, Persistence::NotPersistent] {
            let body = hidden.make(&format!("{persistence:?} body of {user}"), Home::Messages);
            put(&mut one, body, persistence).map_err(|reason| format!("{user}: {reason}"))?;
        }
        let wrong = hidden.make(&format!("wrong password of {user}"), home_of(number));
        let (reason, told) = refusal(options.credentials(credentials(user, &wrong)?))?;
        if reason != Reason::NOT_AUTHORIZED {
            return Err(format!("{user} with a wrong password: {told}"));
        }
    }
    let token = hidden.make("token", Home::None);
    let token = Credentials::token(Secret::new(token.into_bytes())).map_err(|error| error.to_string())?;
    refusal(secured.options(CHANNEL).credentials(token))?;
    let ldap = hidden.make("LDAPPWD", Home::KeyStore);
    secured.tell(&format!(
        "DEFINE AUTHINFO(LDAP.ONE) AUTHTYPE(IDPWLDAP) CONNAME('127.0.0.1(1)') BASEDNU('o=x') CLASSUSR('person') \
         USRFIELD('uid') SHORTUSR('sn') LDAPUSER('cn=reader') LDAPPWD('{ldap}')"
    ))?;
    let key = hidden.make("KEYRPWD", Home::KeyStore);
    secured.tell(&format!("ALTER QMGR KEYRPWD('{key}')"))?;
    let changed = hidden.make("changed password", Home::None);
    let name = secured.installation.name().to_owned();
    secured::ferry(&secured.installation, &["user", "passwd", &name, &users[0].0], &format!("{changed}\n"))?;
    let keys = secured.installation.folder().join(KEY_STORE).join("keys");
    let mut private: Vec<PathBuf> = files.to_vec();
    for entry in fs::read_dir(&keys).map_err(|error| format!("{}: {error}", keys.display()))?.flatten() {
        private.push(entry.path());
    }
    let mut count = 0;
    for path in private {
        let text = fs::read_to_string(&path).unwrap_or_default();
        if let Some(line) = text.split("PRIVATE KEY-----").nth(1).and_then(|rest| rest.lines().nth(2)) {
            count += 1;
            hidden.note(&format!("key in {}", path.display()), line.as_bytes(), Home::KeyStore);
        }
    }
    if count < 2 { Err(format!("{count} private keys are in {}", keys.display())) } else { Ok(()) }
}

fn put(one: &mut Connection, body: String, persistence: Persistence) -> Result<(), Reason> {
    let queue = ObjectDescriptor::queue(QUEUE.parse().expect("a name"));
    let handle = one.open(&queue, OpenOptions::OUTPUT)?.handle;
    let mut descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
    one.put(handle, &mut descriptor, &mut PutOptions::with(PutFlags::NO_SYNCPOINT), body.into())
}

fn none(found: &[String]) -> Result<(), Broken> {
    if found.is_empty() { Ok(()) } else { Err(found.join("; ")) }
}

fn holds(bytes: &[u8], text: &[u8]) -> bool {
    let mut seen = Vec::new();
    let one = Canary { what: String::new(), text: text.to_vec(), home: Home::None };
    each_found(bytes, std::slice::from_ref(&one), |canary| seen.push(canary.home));
    !seen.is_empty()
}

/// Calls with each secret that is in the bytes, once for each place. All are looked for in one pass.
fn each_found<'a>(bytes: &[u8], canaries: &'a [Canary], mut found: impl FnMut(&'a Canary)) {
    let mut begins = [false; 256];
    for canary in canaries {
        begins[usize::from(canary.text[0])] = true;
    }
    for (place, byte) in bytes.iter().enumerate() {
        if begins[usize::from(*byte)] {
            canaries.iter().filter(|one| bytes[place..].starts_with(&one.text)).for_each(&mut found);
        }
    }
}

/// Looks through all files; each secret that is where it should not be.
fn search(data: &Path, spared: &[PathBuf], canaries: &[Canary]) -> Result<Vec<String>, Broken> {
    let mut found = Vec::new();
    for path in all_files(data)? {
        if spared.contains(&path) {
            continue;
        }
        let is_in = |folder: &str| path.components().any(|part| part.as_os_str() == folder);
        let of_messages = MESSAGES.iter().any(|folder| is_in(folder));
        // A socket cannot be read, and a file may be gone by now.
        let Ok(bytes) = fs::read(&path) else { continue };
        each_found(&bytes, canaries, |canary| {
            let is_home = match canary.home {
                Home::None | Home::OpenedByTls => false,
                Home::KeyStore => is_in(KEY_STORE),
                Home::Messages => of_messages,
            };
            if !is_home {
                found.push(format!("{} in {}", canary.what, path.display()));
            }
        });
    }
    Ok(found)
}

/// Every file of a folder, at any depth.
fn all_files(folder: &Path) -> Result<Vec<PathBuf>, Broken> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files.extend(all_files(&path)?),
            Ok(kind) if kind.is_file() => files.push(path),
            _ => {}
        }
    }
    Ok(files)
}

/// Files and folders of the queue manager that others may use.
fn open_to_others(folder: &Path) -> Result<Vec<String>, Broken> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        let mode = metadata.permissions().mode() & 0o777;
        if (metadata.is_dir() || metadata.is_file()) && mode & 0o077 != 0 {
            found.push(format!("{} has mode {mode:03o}", entry.path().display()));
        }
        if metadata.is_dir() {
            found.extend(open_to_others(&entry.path())?);
        }
    }
    Ok(found)
}

/// The process leaves no core: one would have everything.
fn no_core(process: u32) -> Result<(), Broken> {
    let path = format!("/proc/{process}/limits");
    let limits = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let row = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap_or_default();
    if row.split_whitespace().nth(4) == Some("0") { Ok(()) } else { Err(row.to_owned()) }
}

/// Looks through the memory of the process for the passwords of logins; the control is a word of its error
/// log's that it must have.
fn memory(process: u32, canaries: &[Canary]) -> Result<(), Broken> {
    let failed = |error: std::io::Error| format!("memory of process {process}: {error}");
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).map_err(failed)?;
    let mut memory = fs::File::open(format!("/proc/{process}/mem")).map_err(failed)?;
    let mut found = Vec::new();
    let mut wanted: Vec<Canary> = canaries
        .iter()
        .filter(|one| one.home == Home::None)
        .map(|one| Canary { what: one.what.clone(), text: one.text.clone(), home: Home::None })
        .collect();
    // The control, which must be there.
    wanted.push(Canary { what: String::new(), text: CHANNEL.into(), home: Home::Messages });
    let (mut looked_at, mut is_readable) = (0, false);
    for line in maps.lines() {
        let mut words = line.split_whitespace();
        let (Some(range), Some(rights)) = (words.next(), words.next()) else { continue };
        if !rights.starts_with("rw") || line.contains("[vvar") {
            continue;
        }
        let numbers: Vec<u64> =
            range.split('-').filter_map(|number| u64::from_str_radix(number, 16).ok()).collect();
        let &[from, to] = &numbers[..] else { continue };
        let mut carried = Vec::new();
        let mut at = from;
        while at < to {
            let length = PART_BYTES.min((to - at) as usize);
            let mut part = vec![0; length];
            if memory.seek(SeekFrom::Start(at)).is_err() || memory.read_exact(&mut part).is_err() {
                break;
            }
            looked_at += length;
            // A secret may lie across two parts.
            let bytes = [&carried[..], &part].concat();
            each_found(&bytes, &wanted, |canary| match canary.home {
                Home::None => found.push(format!("{} at {at:x} of {line}", canary.what)),
                _ => is_readable = true,
            });
            carried = part[length.saturating_sub(SECRET_LETTERS)..].to_vec();
            at += length as u64;
        }
    }
    if !is_readable {
        return Err(format!("the name of the channel is not in {looked_at} bytes of memory, and must be"));
    }
    found.dedup();
    none(&found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_outside_its_home_and_a_file_for_others_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for path in ["QM/security/secrets", "QM/log", "QM/errors"] {
            fs::create_dir_all(at(path)).unwrap();
        }
        let canary = |text: &str, home| Canary { what: text.to_owned(), text: text.into(), home };
        let canaries = [
            canary("aPASSWORD", Home::None),
            canary("aKEY", Home::KeyStore),
            canary("aBODY", Home::Messages),
        ];
        let found = || search(folder.path(), &[], &canaries).unwrap();
        fs::write(at("QM/security/secrets/one"), "xaaKEYx").unwrap();
        fs::write(at("QM/log/0.seg"), "xxaBODY").unwrap();
        assert_eq!(found(), Vec::<String>::new());
        fs::write(at("QM/log/1.seg"), "aKEY aPASSWORD").unwrap();
        fs::write(at("QM/errors/errors.log"), "told aaaBODY").unwrap();
        let told = found().join("; ");
        for expected in ["aKEY in", "aPASSWORD in", "aBODY in"] {
            assert!(told.contains(expected), "{told}");
        }
        fs::write(at("QM/security/users.toml"), "aPASSWORD").unwrap();
        assert_eq!(found().len(), 4, "a password is at home nowhere");
        assert!(!open_to_others(folder.path()).unwrap().is_empty());
    }
}
