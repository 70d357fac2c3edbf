//! `ferry dev`: a queue manager to try things on, made when absent, in the foreground.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use clap::Args;
use mqi::QueueManagerName;
use serde_json::json;
use server::{DataDirectory, Folder, Server, instances};

use super::queue_manager::{self, Listening};
use super::{instance_list, open_rules, settings};
use crate::message::MESSAGE_BYTES_MAX;
use terminal::common::Common;
use terminal::connect::{self, Place, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::next_step::NextStep;
use terminal::output::{self, Format, Paint};
use terminal::units;

/// Where to listen.
#[derive(Debug, Args)]
pub(crate) struct DevArguments {
    /// Listen on this port of this machine (0 lets the system choose); a new queue manager keeps it in its
    /// ferry.toml [default: 1414 for a new one, else what its ferry.toml says]
    #[arg(short, long, value_name = "PORT")]
    port: Option<u16>,
    /// Serve figures at /metrics on this address of this machine; auto is port 9443, or another where that is
    /// taken; none serves none
    #[arg(long, value_name = "ADDRESS", default_value = "auto")]
    http: String,
}

/// The queue manager made when none is named.
const NAME: &str = "QM1";

/// Queues to try things on.
const QUEUES: [&str; 3] = ["DEV.QUEUE.1", "DEV.QUEUE.2", "DEV.QUEUE.3"];

/// Channels that programs for development name.
const CHANNELS: [&str; 2] = ["DEV.APP.SVRCONN", "DEV.ADMIN.SVRCONN"];

/// Longest wait for the control process to say where it listens.
const CONTROL_WITHIN: Duration = Duration::from_secs(2);

/// The channel that clients of AMQP come by.
const AMQP_CHANNEL: &str = "DEV.AMQP";

/// The model of queues that clients of AMQP name and that are not there, and the names for which that holds:
/// tests of clients name queues of their own. Elsewhere a misspelt name is no queue.
const AMQP_MODEL: &str = "DEV.AMQP.MODEL";
const AMQP_PATTERNS: [&str; 3] = ["DEV.*", "test.*", "qit.*"];

/// The description of that model, which its queues take over. Earlier releases made it without one, and for
/// one consumer at a time.
const AMQP_DESCRIPTION: &str = "Made when a client of AMQP names it";

/// Attributes of queues that several consumers share, as clients of AMQP and JMS expect.
const SHARED: &str = "SHARE DEFSOPT(SHARED)";

/// Queue for messages that cannot be delivered.
const DEAD_LETTER_QUEUE: &str = "DEV.DEAD.LETTER.QUEUE";

/// Makes what is missing, starts, says what there is, and serves.
pub(crate) fn run(common: &Common, arguments: &DevArguments) -> Result<()> {
    let begun = Instant::now();
    let data = match &common.data {
        Some(named) => DataDirectory::at(named),
        None => DataDirectory::of_development()?,
    };
    let name =
        connect::queue_manager_name(common)?.map_or_else(|| connect::parse_queue_manager_name(NAME), Ok)?;
    let is_new = create_when_absent(&data, &name, arguments.port.unwrap_or(client::PORT))?;
    let http = server::configuration::service_address(&arguments.http)
        .map_err(|allowed| Failure::usage(format!("--http {}: it must be {allowed}", arguments.http)))?;
    let owner = queue_manager::serve(&data, &name, Listening::at(arguments.port), Some(http));
    // The start has read the settings, which have the form of words.
    if !is_new {
        queue_manager::say_foreign(&data.folder(&name));
    }
    let owner = owner.map_err(|error| {
        let failure = queue_manager::start_failure(&data, &name, Some(NextStep::of("ferry dev")), error);
        if is_new {
            failure.after(format!("created {name} in {}", data.folder(&name).path().display()))
        } else {
            failure
        }
    })?;
    let folder = data.folder(&name);
    let made = match complete(&folder, owner.server()).and_then(|made| {
        share_automatic_queues(&folder, owner.server())?;
        Ok(made)
    }) {
        // It was told to end before: the next start makes what is missing.
        Err(_) if owner.server().ending().is_asked() => Vec::new(),
        made => made?,
    };
    let after = begun.elapsed();
    owner
        .run(|server| announce(common, &Started { name: &name, data: &data, server, is_new, made, after }))?;
    queue_manager::say_ended(common.output.beside_events(), &name);
    Ok(())
}

fn create_when_absent(data: &DataDirectory, name: &QueueManagerName, port: u16) -> Result<bool> {
    match instances::find(data, name) {
        Ok(_) => Ok(false),
        Err(instances::Error::Absent { .. }) => {
            let text = server::configuration::default_file(name.as_str());
            let text = settings::with_port(&text, port);
            // Small log files are made quickly; a first start should not take longer than a blink.
            let text = settings::with(&text, "log", "extent_size", "\"16 MiB\"");
            let text = settings::with(&text, "listener", "amqp_channel", &format!("\"{AMQP_CHANNEL}\""));
            instances::create_incomplete(data, name, Some(&text))?;
            Ok(true)
        }
        Err(error) => Err(error.into()),
    }
}

/// Makes what there is to try things on, of one that is new or was not given all of it at its first start;
/// the queues made.
fn complete(folder: &Folder, server: &Server) -> Result<Vec<&'static str>> {
    if !instances::is_incomplete(folder) {
        return Ok(Vec::new());
    }
    define_objects(folder, server)?;
    instances::complete(folder)?;
    Ok(QUEUES.to_vec())
}

/// A session with the queue manager that this process serves.
fn session(folder: &Folder, server: &Server) -> Result<Session> {
    let name = folder.name();
    let listens: Vec<String> = server.listens().iter().map(ToString::to_string).collect();
    let address = connect::addresses(folder, &listens)
        .into_iter()
        .next()
        .ok_or_else(|| Failure::new(Exit::Failed, format!("queue manager {name} listens nowhere")))?;
    Session::connect(&Place::named(address, *name))
}

/// Has consumers share the queues that an earlier release made for clients of AMQP, and the model of such
/// queues. An attribute that was changed since then stays: the description says which release made them.
fn share_automatic_queues(folder: &Folder, server: &Server) -> Result<()> {
    let mut session = session(folder, server)?;
    let is_old = |row: &[(String, String)]| {
        let is = |name: &str, value: &str| row.iter().any(|(of, is)| of == name && is.trim() == value);
        is("SHARE", "NOSHARE") && is("DEFSOPT", "EXCL") && is("DESCR", "")
    };
    let shown = format!("DISPLAY QMODEL({AMQP_MODEL}) SHARE DEFSOPT DESCR");
    if session.command(&shown)?.rows.iter().any(|row| is_old(row)) {
        for pattern in AMQP_PATTERNS {
            let shown = format!("DISPLAY QLOCAL('{pattern}') WHERE(DEFTYPE EQ PERMDYN) SHARE DEFSOPT DESCR");
            for row in session.command(&shown)?.rows.iter().filter(|row| is_old(row)) {
                if let Some((_, queue)) = row.iter().find(|(name, _)| name == "QUEUE") {
                    command(&mut session, &format!("ALTER QLOCAL('{}') {SHARED}", queue.trim()))?;
                }
            }
        }
        // The model last: without it the next start begins again.
        let model = format!("ALTER QMODEL({AMQP_MODEL}) {SHARED} DESCR('{AMQP_DESCRIPTION}')");
        command(&mut session, &model)?;
    }
    session.disconnect()
}

fn define_objects(folder: &Folder, server: &Server) -> Result<()> {
    let mut session = session(folder, server)?;
    // Nobody who tries things should be stopped by the usual limits of 5,000 messages and 4 MiB.
    command(&mut session, &format!("ALTER QMGR MAXMSGL({MESSAGE_BYTES_MAX})"))?;
    for queue in QUEUES.iter().chain([&DEAD_LETTER_QUEUE]) {
        // Messages that are lost with the process are a surprise to somebody who tries a queue manager.
        let limits = format!("MAXDEPTH(999999999) MAXMSGL({MESSAGE_BYTES_MAX}) DEFPSIST(YES)");
        command(&mut session, &format!("DEFINE QLOCAL({queue}) {limits} REPLACE"))?;
    }
    for channel in CHANNELS {
        command(&mut session, &format!("DEFINE CHANNEL({channel}) CHLTYPE(SVRCONN) REPLACE"))?;
    }
    let limits = format!("DEFTYPE(PERMDYN) MAXMSGL({MESSAGE_BYTES_MAX}) DEFPSIST(YES) {SHARED}");
    let model = format!("DEFINE QMODEL({AMQP_MODEL}) {limits} DESCR('{AMQP_DESCRIPTION}') REPLACE");
    command(&mut session, &model)?;
    let names = AMQP_PATTERNS.map(|pattern| format!("'{pattern}'")).join(",");
    let queues = format!("AUTOMDL({AMQP_MODEL}) AUTOPRF({names})");
    command(&mut session, &format!("DEFINE CHANNEL({AMQP_CHANNEL}) CHLTYPE(AMQP) {queues} REPLACE"))?;
    command(&mut session, &format!("ALTER QMGR DEADQ({DEAD_LETTER_QUEUE})"))?;
    session.disconnect()
}

fn command(session: &mut Session, mqsc: &str) -> Result<()> {
    let response = session.command(mqsc)?;
    if response.failed {
        let what = format!("{mqsc} failed: {}", response.text.trim());
        return Err(Failure::new(Exit::Failed, what).in_lines());
    }
    Ok(())
}

struct Started<'a> {
    name: &'a QueueManagerName,
    data: &'a DataDirectory,
    server: &'a Server,
    is_new: bool,
    made: Vec<&'static str>,
    after: Duration,
}

fn announce(common: &Common, started: &Started<'_>) -> io::Result<()> {
    let format = common.output.beside_events();
    let Started { name, data, server, is_new, made, after } = started;
    let folder = data.folder(name);
    let listens: Vec<String> = server.listens().iter().map(ToString::to_string).collect();
    instance_list::say_failed_listeners(common, name, server.failed_listeners());
    instance_list::say_few_files(name, server.few_files());
    open_rules::say(&folder, &listens);
    let health = server.health().map(|address| address.to_string());
    let metrics = server.control(CONTROL_WITHIN).map(|address| format!("http://{address}/metrics"));
    if format == Format::Json {
        return output::print_json(&json!({
            "queue_manager": name.as_str(), "process": std::process::id(), "created": is_new, "queues": made,
            "listens": listens, "listeners": server.listeners(), "failed_listeners": server.failed_listeners(), "health": health, "metrics": metrics, "seconds": after.as_secs_f64(),
            "folder": folder.path(),
        }));
    }
    let paint = Paint::for_stream(io::stdout().is_terminal());
    let did = if *is_new { "created and started" } else { "started" };
    let mut lines = vec![format!("{} {did} in {}", paint.strong(name), units::duration(*after))];
    if !made.is_empty() {
        lines.push(format!("  made      {}, {DEAD_LETTER_QUEUE}", made.join(", ")));
    }
    lines.push(format!("  listens   {} (this machine only)", listens.join(" and ")));
    for (name, address) in server.listeners() {
        lines.push(format!("  listener  {name} on {address}"));
    }
    if let Some(health) = health {
        lines.push(format!("  health    http://{health}/livez, /readyz, /healthz"));
    }
    if let Some(metrics) = metrics {
        lines.push(format!("  figures   {metrics}"));
    }
    lines.push(format!("  data      {}", folder.path().display()));
    lines.push(format!(
        "  try       {}",
        paint.strong(next_step!("ferry put {} hello", QUEUES[0]).at(&common.typed))
    ));
    let others = next_step!("ferry get {}, ferry top, ferry mqsc, ferry explain 2033", QUEUES[0]);
    lines.push(format!("            {}", others.at(&common.typed)));
    lines.push("  Ctrl-C stops it in order, a second Ctrl-C at once; persistent messages stay".to_owned());
    output::print_painted(lines.join("\n"))
}
