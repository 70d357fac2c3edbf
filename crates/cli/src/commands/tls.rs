//! `ferry tls`: keys and certificates of a queue manager, and of programs that come to it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use ca::{Authority, CERTIFICATE_DAYS, IssueError, Purpose, Request};
use clap::{Args, Subcommand};
use client::Address;
use objects::configuration::openings::Opening;
use serde_json::json;
use server::configuration::ListenerTls;
use server::{Configuration, bounded_input, instances};
use tls::bundle::Way;
use tls::pem::FILE_BYTES_MAX;
use tls::{Certificate, KeyStore, expiry};

use super::{exposing, lists, open_rules, openings};
use crate::clock::now;
use crate::columns;
use crate::own_folder;
use crate::stores::Whose;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::next_step::NextStep;
use terminal::output::{self, Format, harmless};

/// A work on keys and certificates.
#[derive(Debug, Subcommand)]
pub(crate) enum TlsCommand {
    /// Make a certificate authority for a queue manager, and the queue manager's own key
    Init(InitArguments),
    /// Issue a certificate, for a program unless a host is named
    Issue(IssueArguments),
    /// Issue a certificate again, for the same name, with a new key
    Renew(RenewArguments),
    /// Revoke every certificate of a label
    Revoke(LabelArguments),
    /// Make another certificate authority; the former one is trusted beside it until it is retired
    Roll(StoreArguments),
    /// Stop trusting the former certificate authority
    Retire(StoreArguments),
    /// Give up the lost list of revoked certificates of an authority: its certificates are accepted without a
    /// list
    GiveUp(GiveUpArguments),
    /// Import a key with its certificate, or certificates to trust
    Import(ImportArguments),
    /// List keys and trusted certificates, with the days until they expire
    Show(StoreArguments),
    /// Write the file that a program connects with: address, channel, key and authority
    Bundle(BundleArguments),
}

/// The queue manager.
#[derive(Debug, Args)]
pub(crate) struct StoreArguments {
    /// Queue manager; -m NAME means the same
    #[arg(value_name = "QM")]
    name: String,
}

/// A label of a queue manager's keys.
#[derive(Debug, Args)]
pub(crate) struct LabelArguments {
    #[command(flatten)]
    store: StoreArguments,
    /// Label of the key
    label: String,
}

#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    #[command(flatten)]
    store: StoreArguments,
    /// Host name or address by which programs connect; may be repeated
    #[arg(long = "host", value_name = "NAME", default_value = "localhost")]
    hosts: Vec<String>,
    /// Let a program of this name in as well: its certificate, channel and rule, and the file NAME.ferry
    #[arg(long, value_name = "NAME")]
    client: Option<String>,
    /// Listen on this port of every address from the next start on, for TLS alone
    #[arg(long, value_name = "PORT", requires = "client", value_parser = clap::value_parser!(u16).range(1..))]
    expose: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct IssueArguments {
    #[command(flatten)]
    of: LabelArguments,
    /// Host name or address that the certificate is for, which makes it one of a queue manager; may be
    /// repeated
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Organization in the certificate's name
    #[arg(long, value_name = "NAME")]
    organization: Option<String>,
    /// Unit of the organization in the certificate's name
    #[arg(long, value_name = "NAME")]
    unit: Option<String>,
    /// Days until it expires
    #[arg(long, value_name = "N", default_value_t = CERTIFICATE_DAYS, value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: u32,
}

#[derive(Debug, Args)]
pub(crate) struct RenewArguments {
    #[command(flatten)]
    store: StoreArguments,
    /// Label of the key
    #[arg(required_unless_present = "all")]
    label: Option<String>,
    /// Renew each key of the queue manager that its authority issued and that is not revoked
    #[arg(long, conflicts_with = "label")]
    all: bool,
    /// Days until it expires
    #[arg(long, value_name = "N", default_value_t = CERTIFICATE_DAYS, value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: u32,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    #[command(flatten)]
    of: LabelArguments,
    /// File with the certificates, as PEM
    #[arg(long, value_name = "FILE")]
    certificates: PathBuf,
    /// File with the key, as PEM; without it the certificates are trusted
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Trust certificates that rules could take for those of an authority that is trusted already
    #[arg(long, conflicts_with = "key")]
    accept: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GiveUpArguments {
    #[command(flatten)]
    store: StoreArguments,
    /// Name of the authority, as the message about the missing list has it
    issuer: String,
}

#[derive(Debug, Args)]
pub(crate) struct BundleArguments {
    #[command(flatten)]
    of: LabelArguments,
    /// File to write
    file: PathBuf,
    /// Address of the queue manager, as programs reach it; without it localhost and the port that it listens
    /// on
    #[arg(long, value_name = "HOST(PORT)")]
    address: Option<String>,
    /// CipherSpec of the channel
    #[arg(long, value_name = "NAME", default_value = "ANY_TLS12_OR_HIGHER")]
    cipherspec: String,
}

/// Runs the command.
pub(crate) fn run(whose: &Whose<'_>, command: &TlsCommand) -> Result<()> {
    match command {
        TlsCommand::Init(arguments) => {
            init(whose, arguments)?;
            open_rules::say_of(whose.data, &arguments.store.name);
            Ok(())
        }
        TlsCommand::Issue(arguments) => issue(whose, arguments),
        TlsCommand::Renew(arguments) => renew(whose, arguments),
        TlsCommand::Roll(store) => {
            let made = Authority::roll(&folder(whose, store)?, &store.name, now())?;
            output::say(format!("made another authority: {}", made.certificate().subject));
            let next = next_step!(
                "for each program ferry tls renew {0} LABEL and ferry tls bundle {0} LABEL FILE; when all have \
                 theirs, ferry tls renew {0} --all and ferry tls retire {0}",
                store.name
            );
            output::say(format!("next: {}", next.at(&whose.common.typed)));
            Ok(())
        }
        TlsCommand::Retire(store) => {
            Authority::retire(&folder(whose, store)?)?;
            output::say("the former authority is trusted no more");
            Ok(())
        }
        TlsCommand::Revoke(LabelArguments { store, label }) => {
            let count = authority(whose, store)?.revoke(label, now())?;
            let what = if count == 1 { "certificate" } else { "certificates" };
            output::say(format!("revoked {count} {what} of {label}"));
            Ok(())
        }
        TlsCommand::Import(arguments) => {
            import(whose, arguments)?;
            open_rules::say_of(whose.data, &arguments.of.store.name);
            Ok(())
        }
        TlsCommand::GiveUp(arguments) => lists::give_up(whose.data, &arguments.store.name, &arguments.issuer),
        TlsCommand::Show(store) => show(whose, store),
        TlsCommand::Bundle(arguments) => bundle(whose, arguments),
    }
}

fn folder(whose: &Whose<'_>, StoreArguments { name }: &StoreArguments) -> Result<PathBuf> {
    let name = name.parse().map_err(|error: mqi::NameError| Failure::usage(error.to_string()))?;
    Ok(instances::find(whose.data, &name)?.folder.security())
}

fn authority(whose: &Whose<'_>, store: &StoreArguments) -> Result<Authority> {
    Ok(Authority::open(&folder(whose, store)?)?)
}

fn init(whose: &Whose<'_>, arguments: &InitArguments) -> Result<()> {
    let InitArguments { store, hosts, client, expose } = arguments;
    let folder = folder(whose, store)?;
    let client = match client.as_deref() {
        Some(label) => Some((label, exposing::channel_of(label)?)),
        None => None,
    };
    if client.is_some() {
        must_be_stopped(whose, store)?;
    }
    let port = match (&client, expose) {
        (Some(_), None) => own_port(whose, store)?,
        (_, port) => port.unwrap_or_default(),
    };
    if let Some((label, _)) = &client {
        own_folder::check(&exposing::bundle_of(label))?;
    }
    let authority = first_authority(&folder, &store.name, hosts)?;
    let Some((label, channel)) = client else {
        output::say(format!("next: {}", next_of_init(whose, store)?.at(&whose.common.typed)));
        return Ok(());
    };
    let request = Request {
        label: label.to_owned(),
        unit: None,
        organization: None,
        hosts: Vec::new(),
        purpose: Purpose::Program,
        days: CERTIFICATE_DAYS,
    };
    authority.issue(&request, now())?;
    let name = store.name.parse().map_err(|error: mqi::NameError| Failure::usage(error.to_string()))?;
    exposing::let_in(whose.data.path(), &name, (label, &channel), *expose)?;
    let way = Way {
        queue_manager: store.name.clone(),
        address: format!("{}({port})", hosts[0]),
        channel: channel.clone(),
        cipherspec: exposing::CIPHERSPEC.to_owned(),
    };
    let file = exposing::bundle_of(label);
    authority.bundle(label, &way, &file)?;
    ca::remove_key(&folder, label)?;
    output::say(format!(
        "{label} connects by channel {channel} with {}, which has its key: keep it secret",
        file.display()
    ));
    output::say(format!(
        "next: {}, and on the other machine {}",
        next_step!("ferry qmgr start {}", store.name).at(&whose.common.typed),
        next_step!("ferry put QUEUE --with {}", file.display()).elsewhere()
    ));
    Ok(())
}

/// Makes the authority of a queue manager that has none, and the key that it is known by.
fn first_authority(folder: &Path, name: &str, hosts: &[String]) -> Result<Authority> {
    let authority = Authority::create(folder, name, now())?;
    // The label that a queue manager looks for without CERTLABL, so that other keys may lie beside it.
    let label = format!("ibmwebspheremq{}", name.to_lowercase().replace(['/', '%'], "-"));
    let request = Request {
        label: label.clone(),
        unit: None,
        organization: None,
        hosts: hosts.to_vec(),
        purpose: Purpose::QueueManager,
        days: CERTIFICATE_DAYS,
    };
    authority.issue(&request, now())?;
    output::say(format!("made a certificate authority and the key {label} in {}", folder.display()));
    Ok(authority)
}

/// Has a user with a password come from another machine, by the protocol of `ferry` and by AMQP: keys where
/// there are none, channels, a rule, rights, a listener, and the file that its programs connect with.
pub(super) fn expose_user(
    whose: &Whose<'_>,
    name: &str,
    user: &str,
    host: Option<&str>,
    port: u16,
) -> Result<()> {
    let store = StoreArguments { name: name.to_owned() };
    let folder = folder(whose, &store)?;
    let host = host.unwrap_or("localhost");
    let authority = match Authority::open(&folder) {
        Ok(authority) => authority,
        Err(_) if KeyStore::read(&folder).map_or(true, |found| found.keys.is_empty()) => {
            first_authority(&folder, name, &[host.to_owned()])?
        }
        Err(error) => return Err(error.into()),
    };
    let parsed = name.parse().map_err(|error: mqi::NameError| Failure::usage(error.to_string()))?;
    exposing::let_user_in(whose.data.path(), &parsed, user, port)?;
    let [channel, amqp] = exposing::PASSWORD_CHANNELS;
    let way = Way {
        queue_manager: name.to_owned(),
        address: format!("{host}({port})"),
        channel: channel.to_owned(),
        cipherspec: exposing::CIPHERSPEC.to_owned(),
    };
    let file = exposing::bundle_of(user);
    authority.bundle_without_key(&way, &file)?;
    output::say(format!(
        "{user} connects by channel {channel} with {}, and by AMQP at amqps://{host}:{port} (channel {amqp}); the file \
         has the certificate to trust, and no secret",
        file.display()
    ));
    output::say(format!(
        "next: {}, and on the other machine {}",
        next_step!("ferry qmgr start {name}").at(&whose.common.typed),
        next_step!("ferry put QUEUE --with {} --user {user}", file.display()).elsewhere()
    ));
    Ok(())
}

/// The port that a queue manager listens on: now, if it runs, else as its settings say.
fn own_port(whose: &Whose<'_>, StoreArguments { name }: &StoreArguments) -> Result<u16> {
    let parsed = name.parse().map_err(|error: mqi::NameError| Failure::usage(error.to_string()))?;
    let instance = instances::find(whose.data, &parsed)?;
    let running = instance.running.iter().flat_map(|running| &running.listens);
    let now = running.filter_map(|address| address.parse::<SocketAddr>().ok()).next();
    let settings = Configuration::read(&instance.folder.settings());
    let set = settings.ok().and_then(|found| found.listener.addresses.0.first().copied());
    let port = now.or(set).map(|address| address.port()).filter(|port| *port != 0);
    port.ok_or_else(|| {
        let what = format!("queue manager {name} has no port of its own in listener.addresses");
        Failure::usage(format!("{what}, so that the file for the program cannot name it"))
            .next(NextStep::of("set the port in its ferry.toml, or give --expose PORT to ferry tls init, --address HOST(PORT) to ferry tls bundle"))
    })
}

/// The step after a queue manager has keys, as far as it is not done already.
fn next_of_init(whose: &Whose<'_>, StoreArguments { name }: &StoreArguments) -> Result<NextStep> {
    let parsed = name.parse().map_err(|error: mqi::NameError| Failure::usage(error.to_string()))?;
    let instance = instances::find(whose.data, &parsed)?;
    let settings = instance.folder.settings();
    let has_tls = Configuration::read(&settings).is_ok_and(|found| found.listener.tls != ListenerTls::No);
    let set =
        if has_tls { String::new() } else { format!("set listener.tls in {}, then ", settings.display()) };
    let start = match instance.running {
        Some(_) => next_step!("ferry qmgr stop {name} and ferry qmgr start {name}"),
        None => next_step!("ferry qmgr start {name}"),
    };
    let then = NextStep::of("programs use TLS on channels with SSLCIPH");
    Ok(NextStep::from(set).and("", &start).and("; ", &then))
}

/// Refuses what changes files that a running queue manager holds.
fn must_be_stopped(whose: &Whose<'_>, StoreArguments { name }: &StoreArguments) -> Result<()> {
    stopped(whose, name)
}

/// Refuses what changes keys and definitions of a queue manager that runs.
pub(super) fn stopped(whose: &Whose<'_>, name: &str) -> Result<()> {
    let parsed = name.parse().map_err(|error: mqi::NameError| Failure::usage(error.to_string()))?;
    match instances::find(whose.data, &parsed)?.running {
        None => Ok(()),
        Some(_) => {
            let text = format!("queue manager {name} runs, and reads its keys at its start");
            Err(Failure::new(Exit::Failed, text).next(next_step!("ferry qmgr stop {name}")))
        }
    }
}

fn renew(whose: &Whose<'_>, RenewArguments { store, label, days, all }: &RenewArguments) -> Result<()> {
    let authority = authority(whose, store)?;
    let labels: Vec<String> = match label {
        Some(label) => vec![label.clone()],
        None => KeyStore::read(&folder(whose, store)?)?.keys.into_keys().collect(),
    };
    for label in labels {
        if *all && authority.newest(&label).is_ok_and(|newest| newest.revoked_at.is_some()) {
            output::say(format!("left {label} as it is: it was revoked"));
            continue;
        }
        match authority.renew(&label, *days, now()) {
            Ok(certificate) => output::say(format!("renewed {label}: {}", certificate.subject)),
            Err(IssueError::Unknown(_)) if *all => {
                output::say(format!("left {label} as it is: another authority issued it"));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn issue(whose: &Whose<'_>, arguments: &IssueArguments) -> Result<()> {
    let IssueArguments { of, hosts, organization, unit, days } = arguments;
    let purpose = if hosts.is_empty() { Purpose::Program } else { Purpose::QueueManager };
    let request = Request {
        label: of.label.clone(),
        unit: unit.clone(),
        organization: organization.clone(),
        hosts: hosts.clone(),
        purpose,
        days: *days,
    };
    let certificate = authority(whose, &of.store)?.issue(&request, now())?;
    output::say(format!("issued {}: {}", of.label, certificate.subject));
    Ok(())
}

fn import(whose: &Whose<'_>, arguments: &ImportArguments) -> Result<()> {
    let ImportArguments { of, certificates: file, key, accept } = arguments;
    let folder = folder(whose, &of.store)?;
    let certificates = read(file)?;
    match key {
        Some(key) => {
            let taken = ca::import_key(&folder, &of.label, &certificates, &read(key)?)?;
            output::say(format!("took in the key {}: {}", of.label, harmless(&taken.subject.to_string())));
        }
        None => {
            let namesakes = ca::namesakes(&folder, &of.label, &certificates)?;
            let openings: Vec<Opening> =
                namesakes.iter().map(|(new, namesake)| opening_of(new, namesake)).collect();
            openings::say(&mut output::standard(), whose.common.output, &openings)?;
            openings::accepted(&openings, *accept, file)?;
            for taken in ca::import_trust(&folder, &of.label, &certificates)? {
                output::say(format!("trusts {}", harmless(&taken.subject.to_string())));
            }
        }
    }
    Ok(())
}

/// The point in which the queue manager is opened by a certificate with the name of a trusted authority.
fn opening_of(new: &Certificate, namesake: &Certificate) -> Opening {
    let (subject, known_as) = (&new.subject, namesake.subject.without_serial_number());
    if new.is_authority {
        let what = format!("authority {subject} has the name of the trusted authority {known_as}");
        return Opening::asking(what, "rules with SSLCERTI for one let in what the other issues");
    }
    let what = format!(
        "certificate {subject} names {known_as} as its issuer, a trusted authority that did not issue it"
    );
    Opening::asking(what, "rules with SSLCERTI for that authority let its bearer in")
}

fn show(whose: &Whose<'_>, store: &StoreArguments) -> Result<()> {
    let store = KeyStore::read(&folder(whose, store)?)?;
    let now = now();
    let mut rows = vec![["LABEL", "USE", "HOLDS", "CERTIFICATE"].map(str::to_owned)];
    for (name, certificate) in store.certificates() {
        let left = match expiry::left(certificate, now) {
            expiry::Left::NotYet => "does not hold yet".to_owned(),
            expiry::Left::Days(days) => format!("{days} days left"),
            expiry::Left::Expired => "has expired".to_owned(),
        };
        if whose.common.output == Format::Json {
            output::print_json(&json!({
                "name": name,
                "subject": certificate.subject.to_string(),
                "issuer": certificate.issuer.to_string(),
                "hosts": certificate.hosts,
                "not_after": certificate.not_after,
                "left": left,
            }))?;
            continue;
        }
        let (label, usage) =
            if store.keys.contains_key(&name) { (name.as_str(), "key") } else { ("", "trusted") };
        let subject = harmless(&certificate.subject.to_string()).into_owned();
        rows.push([label.to_owned(), usage.to_owned(), left, subject]);
    }
    if whose.common.output == Format::Table {
        for line in columns::of_words(&rows) {
            output::print_line(line)?;
        }
    }
    Ok(())
}

fn bundle(whose: &Whose<'_>, arguments: &BundleArguments) -> Result<()> {
    let BundleArguments { of, file, address, cipherspec } = arguments;
    let channel = whose.channel.unwrap_or("SYSTEM.DEF.SVRCONN").to_owned();
    let way = Way {
        queue_manager: of.store.name.clone(),
        address: match address {
            Some(address) => network_addresses(address)?,
            None => format!("localhost({})", own_port(whose, &of.store)?),
        },
        channel,
        cipherspec: cipherspec.clone(),
    };
    own_folder::check(file)?;
    authority(whose, &of.store)?.bundle(&of.label, &way, file).map_err(|error| {
        let is_in_bundle = matches!(error, IssueError::KeyInBundle(_));
        let failure = Failure::from(error);
        if !is_in_bundle {
            return failure;
        }
        let (name, label) = (&of.store.name, &of.label);
        failure.next(next_step!(
            "use that bundle, or make another key by ferry tls renew {name} {label} and give the command again; where \
             the bundle is lost, ferry tls revoke {name} {label} before that"
        ))
    })?;
    output::say(format!("wrote {}, which has the key of the program: keep it secret", file.display()));
    Ok(())
}

/// The addresses in a list, as typed; each must be of a network, since no key is asked for at a socket.
fn network_addresses(list: &str) -> Result<String> {
    let addresses = Address::list(list).map_err(|error| Failure::usage(error.to_string()))?;
    if addresses.iter().any(|address| !matches!(address, Address::Tcp { .. })) {
        return Err(Failure::usage(format!(
            "{list} names a socket of this machine, and a bundle is for TLS"
        ))
        .next("write host(port), as programs on other machines reach the queue manager"));
    }
    Ok(list.to_owned())
}

fn read(path: &Path) -> Result<String> {
    bounded_input::read_text(path, "file of certificates", FILE_BYTES_MAX)
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot read {}: {error}", path.display())))
}
