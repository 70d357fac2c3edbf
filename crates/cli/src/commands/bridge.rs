//! `ferry bridge`: bridges to other messaging systems, and the process that serves them.
//!
//! Always: definitions are made by commands of MQSC, which the queue manager judges like any other. Those
//! that were made are deleted again if a later one is refused.

use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use clap::{Args, Subcommand};
use client::Address;
use objects::quoted;
use serde_json::{Value, json};
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step::NextStep;
use terminal::output::{self, Format, harmless_lines};
use terminal::password;

use super::answer::shown;
use super::channel::field;

/// The program of the process, beside this one.
const PROGRAM: &str = "ferry-bridge";

/// Names of objects of the system's own.
const SYSTEM: &str = "SYSTEM.";

/// A work on bridges.
#[derive(Debug, Subcommand)]
pub(crate) enum BridgeCommand {
    /// Define a bridge to another FerryMQ: connector queue, bridge and pipes
    Add(AddArguments),
    /// List the bridges with their pipes
    List,
    /// Move messages until Ctrl-C: run the process of bridges in the place of this one
    Run(RunArguments),
}

#[derive(Debug, Args)]
pub(crate) struct AddArguments {
    /// Bridge; its connector queue has the same name
    name: String,
    /// Address of the other queue manager, as host(port)
    #[arg(long, value_name = "ADDRESS")]
    at: String,
    /// Channel of the other queue manager to come by; without it, its default
    #[arg(long = "by", value_name = "NAME")]
    by: Option<String>,
    /// User at the other queue manager
    #[arg(long = "as", value_name = "NAME")]
    act_as: Option<String>,
    /// File with the password of that user in its first line; without it, no password is given
    #[arg(long, value_name = "FILE", requires = "act_as")]
    password_file: Option<PathBuf>,
    /// Connect without encryption; a password goes no farther than this machine then
    #[arg(long)]
    no_tls: bool,
    /// Queue at the other queue manager whose messages come in
    #[arg(long, value_name = "THEIRS", requires = "to")]
    from: Option<String>,
    /// Queue here that they are put on
    #[arg(long, value_name = "QUEUE", requires = "from")]
    to: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Folder or file of keys and trusted certificates; needed for bridges with TLS
    #[arg(long, value_name = "PATH")]
    keys: Option<PathBuf>,
    /// Serve the bridges of this group; without it, those without a group
    #[arg(long, value_name = "GROUP", conflicts_with = "bridge")]
    group: Option<String>,
    /// Serve this bridge, whatever its group; may be given several times
    #[arg(long, value_name = "BRIDGE")]
    bridge: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(common: &Common, command: &BridgeCommand) -> Result<()> {
    match command {
        BridgeCommand::Add(arguments) => add(common, arguments),
        BridgeCommand::List => list(common),
        BridgeCommand::Run(arguments) => serve(common, arguments),
    }
}

/// A definition, and the command that takes it back.
struct Defining {
    define: String,
    delete: String,
}

impl Defining {
    fn new(object: &str, name: &str, attributes: &str) -> Self {
        let object = format!("{object}({})", quoted(name));
        Self { define: format!("DEFINE {object} {attributes}"), delete: format!("DELETE {object}") }
    }
}

fn definitions(arguments: &AddArguments, password: Option<&str>) -> Vec<Defining> {
    let AddArguments { name, at, by, act_as, no_tls, from, to, .. } = arguments;
    let mut bridge = format!("CONNAME({})", quoted(at));
    for (keyword, value) in
        [("CHANNEL", by.as_deref()), ("USERID", act_as.as_deref()), ("PASSWORD", password)]
    {
        bridge += &value.map_or_else(String::new, |value| format!(" {keyword}({})", quoted(value)));
    }
    if *no_tls {
        bridge += " TLS(NO)";
    }
    let of_bridge = format!("BRIDGE({})", quoted(name));
    let mut all = vec![
        Defining::new("QLOCAL", name, "USAGE(XMITQ)"),
        Defining::new("BRIDGE", name, &bridge),
        Defining::new(
            "PIPE",
            &format!("{name}.OUT"),
            &format!("{of_bridge} QUEUE({}) FOREIGN('*')", quoted(name)),
        ),
    ];
    if let Some((from, to)) = from.as_ref().zip(to.as_ref()) {
        let attributes = format!("{of_bridge} DIRECT(IN) QUEUE({}) FOREIGN({})", quoted(to), quoted(from));
        all.push(Defining::new("PIPE", &format!("{name}.IN"), &attributes));
    }
    all
}

fn add(common: &Common, arguments: &AddArguments) -> Result<()> {
    let name = &arguments.name;
    let password = match (&arguments.act_as, &arguments.password_file) {
        (Some(user), Some(file)) => Some(password::new_of(user, Some(file))?),
        _ => None,
    };
    let mut session = connect::session(common)?;
    let mut made: Vec<Defining> = Vec::new();
    for defining in definitions(arguments, password.as_deref()) {
        let response = session.command(&defining.define)?;
        if response.failed {
            for before in made.iter().rev() {
                session.command(&before.delete)?;
            }
            session.disconnect()?;
            let said = harmless_lines(&response.text);
            return Err(Failure::new(Exit::Refused, said.trim_end()).in_lines());
        }
        made.push(defining);
    }
    session.disconnect()?;
    match common.output {
        Format::Json => output::print_json(&json!({ "bridge": name, "at": arguments.at }))?,
        Format::Table => {
            output::print_line(format!(
                "bridge {name} leads to {}: DEFINE QREMOTE(…) RNAME(…) RQMNAME({name}) gives programs a queue there",
                arguments.at
            ))?;
            let next = NextStep::of("ferry bridge run moves its messages");
            output::say(format!("next: {}", next.at(&common.typed)));
        }
    }
    Ok(())
}

fn list(common: &Common) -> Result<()> {
    let mut session = connect::session(common)?;
    let bridges = of_people(&mut session, "BRIDGE")?;
    let pipes = of_people(&mut session, "PIPE")?;
    session.disconnect()?;
    let mut output = output::standard();
    if bridges.is_empty() && common.output == Format::Table {
        output::say("no bridge is defined");
    }
    for bridge in &bridges {
        let [name, system, address, cover, group] =
            ["bridge", "system", "conname", "tls", "group"].map(|keyword| field(bridge, keyword));
        let own: Vec<&Value> = pipes.iter().filter(|pipe| field(pipe, "bridge") == name).collect();
        if common.output == Format::Json {
            let line = json!({ "bridge": name, "system": system, "conname": address, "tls": cover, "group": group, "pipes": own });
            output::json_line(&mut output, &line)?;
            continue;
        }
        writeln!(output, "{name}  {system} at {address}, TLS({cover})")?;
        for pipe in own {
            let [name, direction, service, queue, foreign] =
                ["pipe", "direct", "service", "queue", "foreign"].map(|keyword| field(pipe, keyword));
            let (from, to) = if direction == "IN" { (foreign, queue) } else { (queue, foreign) };
            writeln!(output, "  {name}  {direction} {service}, from {from} to {to}")?;
        }
    }
    Ok(output.flush()?)
}

/// The bridges or pipes besides those of the system's own.
fn of_people(session: &mut Session, keyword: &str) -> Result<Vec<Value>> {
    let mut objects = shown(session, &format!("DISPLAY {keyword}(*) ALL"))?;
    objects.retain(|row| !field(row, &keyword.to_lowercase()).starts_with(SYSTEM));
    Ok(objects)
}

fn serve(common: &Common, arguments: &RunArguments) -> Result<()> {
    let place = connect::place(common)?;
    let session = Session::connect(&place)?;
    let name = session.queue_manager().to_owned();
    session.disconnect()?;
    let mut command = Command::new(program());
    command.arg("--qmgr").arg(&name);
    match &place.address {
        // The rings of a place are offered at its socket.
        Address::Unix(socket) | Address::Rings(socket) => {
            command.arg("--connect").arg(format!("unix:{}", socket.display()));
            if let Some(folder) = socket.parent() {
                command.arg("--secrets").arg(folder.join("security").join("secrets"));
            }
        }
        address @ Address::Tcp { .. } => {
            command.arg("--connect").arg(address.to_string());
        }
    }
    let RunArguments { keys, group, bridge } = arguments;
    if let Some(keys) = keys {
        command.arg("--keys").arg(keys);
    }
    if let Some(group) = group {
        command.arg("--group").arg(group);
    }
    for bridge in bridge {
        command.arg("--bridge").arg(bridge);
    }
    let error = command.exec();
    Err(Failure::new(Exit::Failed, format!("cannot run {PROGRAM}: {error}"))
        .next(format!("install {PROGRAM} beside ferry")))
}

/// The program beside this one, or any of its name.
fn program() -> OsString {
    let own = std::env::current_exe().ok();
    let beside = own.map(|own| own.with_file_name(PROGRAM)).filter(|beside| beside.exists());
    beside.map_or_else(|| PROGRAM.into(), Into::into)
}
