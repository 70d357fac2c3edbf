//! The process as a whole: it follows the definitions, and keeps a thread for each pipe.
//!
//! Always: a pipe whose definition changed ends, with its batch finished, before it starts by the new one.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use client::{Address, Credentials, Options, Secret, Tls};

use crate::definitions::{self, BridgeDefinition, Cover, Definitions, PipeDefinition, Selection};
use crate::door::ClientDoor;
use crate::running::{RunningPipe, Standing, Tell, Ways};

/// Time between two looks at the definitions.
const LOOK: Duration = Duration::from_secs(5);

/// Time between two looks while the queue manager cannot be asked.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Time between two looks if the process is to end.
const STEP: Duration = Duration::from_millis(50);

/// Longest time that pipes have to finish their batches at the end.
const END_PATIENCE: Duration = Duration::from_secs(10);

/// CipherSpec of connections to the other system: whatever both sides take.
const CIPHERS: &str = "ANY_TLS12_OR_HIGHER";

/// Settings of the process.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The way to the queue manager.
    pub local: Options,
    /// The bridges to serve.
    pub selection: Selection,
    /// Host and process, for seats.
    pub host: String,
    /// The folder of secrets.
    pub secrets: Option<PathBuf>,
    /// The folder or file of keys and trusted certificates.
    pub keys: Option<PathBuf>,
}

/// Serves until `ends` is set. `say` takes lines for people.
pub fn run(settings: &Settings, ends: &AtomicBool, say: &(dyn Fn(&str) + Sync)) {
    std::thread::scope(|scope| {
        let (lines, said) = std::sync::mpsc::channel::<String>();
        scope.spawn(move || said.iter().for_each(|line| say(&line)));
        let tell: Tell = {
            let lines = lines.clone();
            Arc::new(move |pipe, standing| {
                let words = match standing {
                    Standing::Running => "runs".to_owned(),
                    Standing::Retrying(why) => format!("tries again: {why}"),
                    Standing::Stopped(why) => format!("is stopped: {why}"),
                };
                // The receiver outlives every pipe.
                let _ = lines.send(format!("pipe {pipe} {words}"));
            })
        };
        let mut supervisor =
            Supervisor { settings, tell, lines, pipes: BTreeMap::new(), told: BTreeMap::new() };
        supervisor.follow(ends);
        supervisor.end();
    });
}

struct Supervisor<'a> {
    settings: &'a Settings,
    tell: Tell,
    lines: std::sync::mpsc::Sender<String>,
    pipes: BTreeMap<String, Served>,
    /// Faults that were told, so that each is told once.
    told: BTreeMap<String, String>,
}

/// A pipe with the time of the password that it was started with.
struct Served {
    running: RunningPipe,
    password_of: Option<SystemTime>,
}

impl Supervisor<'_> {
    fn follow(&mut self, ends: &AtomicBool) {
        let mut door = ClientDoor::new(self.settings.local.clone());
        let mut next = Instant::now();
        while !ends.load(Ordering::Acquire) {
            if Instant::now() < next {
                std::thread::sleep(STEP);
                continue;
            }
            let read = definitions::read(&mut door, &self.settings.selection);
            next = Instant::now() + if read.is_ok() { LOOK } else { LOOK_AGAIN };
            match read {
                Ok(read) => {
                    self.told.remove("");
                    self.take(read);
                }
                Err(why) => self.say_once("", &format!("the definitions cannot be read: {why}")),
            }
        }
    }

    fn take(&mut self, read: Definitions) {
        let is_told =
            |subject: &String| subject.is_empty() || read.faults.iter().any(|(fault, _)| fault == subject);
        self.told.retain(|subject, _| is_told(subject));
        for (subject, why) in &read.faults {
            self.say_once(subject, &format!("{subject} is not served: {why}"));
        }
        let is_wanted = |served: &Served| {
            let definition = &served.running.definition;
            let password_of = password_time(&definition.bridge, self.settings);
            served.password_of == password_of && read.pipes.contains(definition)
        };
        let unwanted = self.pipes.iter().filter(|(_, served)| !is_wanted(served));
        let unwanted: Vec<String> = unwanted.map(|(name, _)| name.clone()).collect();
        for name in unwanted {
            drop(self.pipes.remove(&name));
        }
        for definition in read.pipes {
            if !self.pipes.contains_key(&definition.name) {
                self.start(definition);
            }
        }
    }

    fn start(&mut self, definition: PipeDefinition) {
        let name = definition.name.clone();
        let subject = format!("PIPE {name}");
        // One that is changed meanwhile has another time at the next look.
        let password_of = password_time(&definition.bridge, self.settings);
        let foreign = match foreign_options(&definition.bridge, self.settings) {
            Ok(options) => options,
            Err(why) => return self.say_once(&subject, &format!("{subject} is not served: {why}")),
        };
        let ways = Ways { local: self.settings.local.clone(), foreign };
        match RunningPipe::start(definition, ways, self.settings.host.clone(), Arc::clone(&self.tell)) {
            Ok(running) => drop(self.pipes.insert(name, Served { running, password_of })),
            Err(error) => self.say_once(&subject, &format!("{subject} has no thread: {error}")),
        }
    }

    /// Ends all pipes at a time, and leaves those alone that do not end: the next start settles their
    /// batches.
    fn end(&mut self) {
        self.pipes.values().for_each(|served| served.running.ask_to_end());
        let until = Instant::now() + END_PATIENCE;
        while !self.pipes.values().all(|served| served.running.is_over()) {
            if Instant::now() >= until {
                let _ =
                    self.lines.send("some pipes do not end in time: the next start settles them".to_owned());
                std::process::exit(0);
            }
            std::thread::sleep(STEP);
        }
        self.pipes.clear();
    }

    fn say_once(&mut self, subject: &str, line: &str) {
        let known = self.told.insert(subject.to_owned(), line.to_owned());
        if known.as_deref() != Some(line) {
            let _ = self.lines.send(line.to_owned());
        }
    }
}

/// The options of connections to the other system.
fn foreign_options(bridge: &BridgeDefinition, settings: &Settings) -> Result<Options, String> {
    let mut addresses = bridge.addresses.iter().cloned();
    let first = addresses.next().ok_or("CONNAME is blank")?;
    let mut options = Options::to(first).application("ferry-bridge").channel(&bridge.channel);
    options.addresses.extend(addresses);
    if !bridge.user.is_empty() {
        options.user.clone_from(&bridge.user);
    }
    match (bridge.cover, &settings.keys) {
        (Cover::None, _) => {}
        (Cover::Required, Some(keys)) => {
            options = options.tls(Tls {
                key_store: keys.clone(),
                cipherspec: CIPHERS.to_owned(),
                label: bridge.key_label.clone(),
                ..Tls::default()
            });
        }
        (Cover::Required, None) => {
            return Err("TLS(REQUIRED) needs certificates to trust: start the process with --keys".to_owned());
        }
    }
    if bridge.has_password {
        if bridge.cover == Cover::None && !bridge.addresses.iter().all(is_of_this_machine) {
            return Err(
                "PASSWORD is not sent without encryption to another machine: give TLS(REQUIRED)".to_owned()
            );
        }
        let password = password_of(bridge, settings)?;
        let credentials = Credentials::password(&bridge.user, password);
        options = options.credentials(credentials.map_err(|error| format!("PASSWORD: {error}"))?);
    }
    Ok(options)
}

/// True for an address that bytes do not leave this machine by. A name may lead anywhere.
fn is_of_this_machine(address: &Address) -> bool {
    match address {
        Address::Unix(_) | Address::Rings(_) => true,
        Address::Tcp { host, .. } => {
            host.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
        }
    }
}

fn password_file(bridge: &BridgeDefinition, settings: &Settings) -> Option<PathBuf> {
    let name = format!("BRIDGE-{}-PASSWORD", file_name(&bridge.name));
    settings.secrets.as_ref().map(|folder| folder.join(name))
}

/// The time at which the password of a bridge was put; none without one.
fn password_time(bridge: &BridgeDefinition, settings: &Settings) -> Option<SystemTime> {
    let file = password_file(bridge, settings).filter(|_| bridge.has_password)?;
    std::fs::metadata(file).and_then(|file| file.modified()).ok()
}

fn password_of(bridge: &BridgeDefinition, settings: &Settings) -> Result<Secret, String> {
    let file = password_file(bridge, settings);
    let file =
        file.ok_or("PASSWORD is kept, and the process knows no folder of it: start it with --secrets")?;
    std::fs::read(&file).map(Secret::new).map_err(|error| format!("PASSWORD: {}: {error}", file.display()))
}

/// The name of an object in the name of a file, as the server writes it.
fn file_name(name: &str) -> String {
    let name = name.replace('%', "%25").replace('/', "%2F");
    match name.strip_prefix('.') {
        Some(rest) => format!("%2E{rest}"),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bridge(address: &str, cover: Cover, has_password: bool) -> BridgeDefinition {
        BridgeDefinition {
            name: "K1/X".to_owned(),
            addresses: Address::list(address).unwrap(),
            cover,
            channel: "C".to_owned(),
            key_label: "own".to_owned(),
            user: "ada".to_owned(),
            has_password,
            group: String::new(),
            is_automatic: true,
        }
    }

    fn settings(secrets: Option<PathBuf>, keys: Option<PathBuf>) -> Settings {
        let local = Options::to(Address::Unix("socket".into()));
        Settings { local, selection: Selection::default(), host: "host:1".to_owned(), secrets, keys }
    }

    #[test]
    fn a_password_is_sent_by_tls_or_within_this_machine() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("BRIDGE-K1%2FX-PASSWORD"), "open sesame").unwrap();
        let secrets = Some(folder.path().to_owned());
        let keys = Some(folder.path().to_owned());
        for (address, cover, fault) in [
            ("far(1414)", Cover::Required, ""),
            ("127.0.0.1(1414)", Cover::None, ""),
            ("[::1]:1414", Cover::None, ""),
            ("unix:/run/socket", Cover::None, ""),
            ("far(1414)", Cover::None, "without encryption"),
            ("localhost(1414)", Cover::None, "without encryption"),
            ("127.0.0.1(1414),far(1414)", Cover::None, "without encryption"),
        ] {
            let made =
                foreign_options(&bridge(address, cover, true), &settings(secrets.clone(), keys.clone()));
            match made {
                Ok(options) => {
                    assert_eq!(fault, "", "{address}");
                    assert_eq!(options.tls.is_some(), cover == Cover::Required, "{address}");
                    assert!(options.credentials.is_some(), "{address}");
                    assert!(!format!("{options:?}").contains("sesame"), "{options:?}");
                }
                Err(why) => assert!(!fault.is_empty() && why.contains(fault), "{address}: {why}"),
            }
        }
    }

    #[test]
    fn a_bridge_without_what_its_definition_needs_is_not_served() {
        let folder = tempfile::tempdir().unwrap();
        let known = Some(folder.path().to_owned());
        for (cover, secrets, keys, fault) in [
            (Cover::Required, known.clone(), None, "--keys"),
            (Cover::Required, None, known.clone(), "--secrets"),
            // The file is not there.
            (Cover::Required, known.clone(), known, "BRIDGE-K1%2FX-PASSWORD"),
        ] {
            let why = foreign_options(&bridge("far(1414)", cover, true), &settings(secrets, keys));
            let why = why.expect_err(fault);
            assert!(why.contains(fault), "{why}");
        }
    }
}
