//! `ferry channel`: message channels, as a person looks at them and works on them.
//!
//! Always: each work is one command of MQSC, which the queue manager judges like any other; a look is made of
//! what DISPLAY CHANNEL and DISPLAY CHSTATUS show.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand, ValueEnum};
use objects::quoted;
use serde_json::{Value, json};
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::next_step::NextStep;
use terminal::output::{self, Format, Paint, harmless, harmless_lines};
use terminal::units;

use super::answer::{is_absent, shown};

/// Time between two looks at a channel that is waited for.
const LOOK: Duration = Duration::from_millis(100);

/// A look at message channels, or a work on one.
#[derive(Debug, Subcommand)]
pub(crate) enum ChannelCommand {
    /// List the message channels with their state, partner and last fault
    List(ListChannelsArguments),
    /// Show one channel: its state, the numbers kept in the log for each partner, its last fault and the next
    /// step
    Show(ChannelArguments),
    /// Wait until a channel is in a state
    Wait(WaitArguments),
    #[command(flatten)]
    Work(Work),
}

/// A work that is one command of MQSC.
#[derive(Debug, Subcommand)]
pub(crate) enum Work {
    /// Start a channel: it tries at once, and a stop by command no longer counts
    Start(ChannelArguments),
    /// Stop a channel after the batch under way, or at once
    Stop(StopArguments),
    /// Call the partner without a message, and show the time that it took
    Ping(PingArguments),
    /// Reset the message numbers of a channel, at both ends
    Reset(ResetArguments),
    /// Decide the batches in doubt by hand; only where the partner never comes back
    Resolve(ResolveArguments),
    /// Forget the message numbers that the log keeps for the partners of a channel
    Forget(ChannelArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ListChannelsArguments {
    /// Names of channels, which may end in an asterisk
    #[arg(default_value = "*")]
    names: String,
}

/// The channel.
#[derive(Debug, Args)]
pub(crate) struct ChannelArguments {
    /// Channel
    name: String,
}

#[derive(Debug, Args)]
pub(crate) struct StopArguments {
    #[command(flatten)]
    channel: ChannelArguments,
    /// Do not wait for the batch under way: it is resolved when the ends meet again
    #[arg(long)]
    force: bool,
    /// Let new messages start it again
    #[arg(long)]
    inactive: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PingArguments {
    #[command(flatten)]
    channel: ChannelArguments,
    /// Bytes to send there and back
    #[arg(long, value_name = "BYTES", default_value_t = 16)]
    size: u32,
}

#[derive(Debug, Args)]
pub(crate) struct ResetArguments {
    #[command(flatten)]
    channel: ChannelArguments,
    /// Number of the next message
    #[arg(long, value_name = "N", default_value_t = 1)]
    sequence: u32,
}

/// The way in which batches in doubt end.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Decision {
    /// The partner has them: they leave the transmission queue
    Commit,
    /// The partner has not: they are sent again
    Backout,
}

#[derive(Debug, Args)]
pub(crate) struct ResolveArguments {
    #[command(flatten)]
    channel: ChannelArguments,
    /// Decision
    decision: Decision,
}

#[derive(Debug, Args)]
pub(crate) struct WaitArguments {
    #[command(flatten)]
    channel: ChannelArguments,
    /// State to wait for: running, inactive, retrying, stopped, paused
    #[arg(long, value_name = "STATE", default_value = "running")]
    state: String,
    /// Longest wait (such as 500ms, 5s)
    #[arg(long = "for", value_parser = units::parse_duration, value_name = "TIME", default_value = "30s")]
    time: Duration,
}

/// Runs the command.
pub(crate) fn run(common: &Common, command: &ChannelCommand) -> Result<()> {
    match command {
        ChannelCommand::List(ListChannelsArguments { names }) => list(common, names),
        ChannelCommand::Show(ChannelArguments { name }) => show(common, name),
        ChannelCommand::Wait(arguments) => wait(common, arguments),
        ChannelCommand::Work(work) => carry_out(common, work),
    }
}

/// The command of MQSC.
fn text_of(work: &Work) -> String {
    let of = |verb: &str, ChannelArguments { name }: &ChannelArguments, rest: &str| {
        format!("{verb} CHANNEL({}){rest}", quoted(name))
    };
    match work {
        Work::Start(channel) => of("START", channel, ""),
        Work::Stop(StopArguments { channel, force, inactive }) => {
            let mode = if *force { " MODE(FORCE)" } else { "" };
            let status = if *inactive { " STATUS(INACTIVE)" } else { "" };
            of("STOP", channel, &format!("{mode}{status}"))
        }
        Work::Ping(PingArguments { channel, size }) => of("PING", channel, &format!(" DATALEN({size})")),
        Work::Reset(ResetArguments { channel, sequence }) => {
            of("RESET", channel, &format!(" SEQNUM({sequence})"))
        }
        Work::Resolve(ResolveArguments { channel, decision }) => {
            let action = match decision {
                Decision::Commit => "COMMIT",
                Decision::Backout => "BACKOUT",
            };
            of("RESOLVE", channel, &format!(" ACTION({action})"))
        }
        Work::Forget(channel) => of("RESOLVE", channel, " ACTION(FORGET)"),
    }
}

impl Work {
    fn channel(&self) -> &str {
        let (Self::Start(channel)
        | Self::Stop(StopArguments { channel, .. })
        | Self::Ping(PingArguments { channel, .. })
        | Self::Reset(ResetArguments { channel, .. })
        | Self::Resolve(ResolveArguments { channel, .. })
        | Self::Forget(channel)) = self;
        &channel.name
    }
}

fn carry_out(common: &Common, work: &Work) -> Result<()> {
    let mut session = connect::session(common)?;
    let response = session.command(&text_of(work))?;
    if response.failed {
        let (exit, next) = if is_absent(&response.json) {
            (Exit::NotFound, NextStep::of("ferry channel list shows the channels there are"))
        } else {
            (Exit::Refused, step_after_refusal(&mut session, work))
        };
        session.disconnect()?;
        return Err(Failure::new(exit, response.text.trim_end()).in_lines().next(next));
    }
    session.disconnect()?;
    match common.output {
        Format::Json => output::print_line(&response.json)?,
        Format::Table => output::print_line(harmless_lines(&response.text).trim_end())?,
    }
    Ok(())
}

/// The step that the state of a channel asks for, where a work on it was refused.
fn step_after_refusal(session: &mut Session, work: &Work) -> NextStep {
    let name = work.channel();
    let show = next_step!("ferry channel show {name} shows its state");
    let Ok(found) = one(session, name) else { return show };
    let ends_first = matches!(work, Work::Ping(_) | Work::Reset(_) | Work::Resolve(_) | Work::Forget(_));
    match found.next_step() {
        Some(step) => step.line(),
        None if ends_first && !found.now.is_empty() => next_step!("ferry channel stop {name} ends it first"),
        None => show,
    }
}

/// The types of channels between queue managers.
const TYPES: [&str; 4] = ["SDR", "SVR", "RCVR", "RQSTR"];

/// A channel as one queue manager sees it.
struct Seen {
    defined: Value,
    /// Its instances, or the channel itself where it waits or is stopped.
    now: Vec<Value>,
    /// The state that is kept, one for each partner.
    kept: Vec<Value>,
}

/// A step that a person may take: the reason for it, and the commands in their order.
#[derive(Debug, PartialEq, Eq)]
struct Step {
    why: String,
    commands: Vec<NextStep>,
}

impl Step {
    fn new(why: impl Into<String>, commands: Vec<NextStep>) -> Self {
        Self { why: why.into(), commands }
    }

    /// In one line.
    fn line(self) -> NextStep {
        let commands = self.commands.into_iter().reduce(|before, next| before.and(", then ", &next));
        let why = NextStep::from(self.why);
        match commands {
            None => why,
            Some(commands) => why.and(": ", &commands),
        }
    }
}

impl Seen {
    /// The states of its instances; INACTIVE where there is none.
    fn states(&self) -> Vec<String> {
        let states: Vec<String> = self.now.iter().map(|row| field(row, "status")).collect();
        if states.is_empty() { vec!["INACTIVE".to_owned()] } else { states }
    }

    fn last_error(&self) -> Option<String> {
        self.now.iter().map(|row| field(row, "lasterr")).find(|text| !text.is_empty())
    }

    fn partners(&self) -> String {
        let mut partners: Vec<String> =
            self.now.iter().chain(&self.kept).map(|row| field(row, "rqmname")).collect();
        partners.retain(|name| !name.is_empty());
        partners.sort_unstable();
        partners.dedup();
        partners.join(",")
    }

    fn is_in_doubt(&self) -> bool {
        self.now.iter().chain(&self.kept).any(|row| field(row, "indoubt") == "YES")
    }

    fn waiting(&self) -> String {
        self.now.iter().map(|row| field(row, "xqmsgsa")).next().unwrap_or_default()
    }

    /// The step that a person may take.
    fn next_step(&self) -> Option<Step> {
        let name = field(&self.defined, "channel");
        let here = |command: &str| next_step!("ferry channel {command} {name}");
        let states = self.states();
        let has = |state: &str| states.iter().any(|own| own == state);
        let fault = self.last_error();
        let is_in_doubt = self.is_in_doubt();
        if has("STOPPED") {
            let Some(fault) = fault else {
                return Some(Step::new("a command stopped it", vec![here("start")]));
            };
            let (why, mut commands) = self.settling(&fault);
            commands.push(here("start"));
            return Some(Step::new(why, commands));
        }
        if has("RETRYING") {
            let is_stopped_there = fault.is_some_and(|fault| fault.contains("START CHANNEL"));
            if is_stopped_there {
                let why = "the other end is stopped; start it there, and this end, which tries again, runs";
                return Some(Step::new(why, vec![self.there("start")]));
            }
            return Some(Step::new("it tries again by itself; at once by", vec![here("start")]));
        }
        if has("PAUSED") {
            let why = "a queue at the receiving end takes no messages now: make room there";
            return Some(Step::new(why, Vec::new()));
        }
        if has("INACTIVE") && is_in_doubt {
            let why = "the ends agree on the batch in doubt when they meet";
            return Some(Step::new(why, vec![here("start")]));
        }
        fault.filter(|_| has("INACTIVE")).map(|_| {
            let why = "mend the fault above; this end waits for the other, which has the next step";
            Step::new(why, vec![self.there("show")])
        })
    }

    /// The commands that end what a channel stopped for, before it is started, and what is to be known first.
    fn settling(&self, fault: &str) -> (String, Vec<NextStep>) {
        let name = field(&self.defined, "channel");
        let is_in_doubt = self.is_in_doubt();
        let (has_messages, why) = match fault {
            fault if fault.contains("ACTION(BACKOUT)") => {
                (false, "compare both ends; the partner has not the messages in doubt, which are sent again")
            }
            fault if fault.contains("ACTION(COMMIT)") => {
                (true, "compare both ends; the partner has the messages in doubt")
            }
            fault if fault.contains("correct CONNAME") && is_in_doubt => (
                false,
                "if the queue manager of the batches moved, correct CONNAME and start; if not, they are sent to the one that \
                 answers: say commit where the first has them",
            ),
            fault if fault.contains("RESOLVE CHANNEL") && is_in_doubt => {
                (false, "the messages in doubt are sent again; say commit where the partner has them")
            }
            fault if fault.contains("RESET CHANNEL") => (false, "compare both ends; then"),
            _ => (false, "mend the fault above; then"),
        };
        let mut commands = Vec::new();
        if is_in_doubt && fault.contains("RESOLVE CHANNEL") {
            let decision = if has_messages { "commit" } else { "backout" };
            commands.push(next_step!("ferry channel resolve {name} {decision}"));
        }
        if fault.contains("RESET CHANNEL") {
            commands.push(next_step!("ferry channel reset {name}"));
        }
        let ahead = batches_ahead(fault).map(|(first, last)| {
            let queue = field(&self.defined, "xmitq");
            format!(
                "; remove from {queue} the messages of batches {first} to {last}, which the partner has; then"
            )
        });
        let why = match ahead {
            Some(ahead) => format!("{}{ahead}", why.trim_end_matches("; then")),
            None => why.to_owned(),
        };
        (why, commands)
    }

    /// A command at the other end.
    fn there(&self, command: &str) -> NextStep {
        let name = field(&self.defined, "channel");
        let failed = self.now.iter().filter(|row| !field(row, "lasterr").is_empty());
        let mut partners = failed.chain(&self.now).chain(&self.kept).map(|row| field(row, "rqmname"));
        let partner = partners.find(|partner| !partner.is_empty());
        next_step!("ferry -m {} channel {command} {name}", partner.as_deref().unwrap_or("PARTNER"))
    }
}

/// The batches, first and last, that the receiver has and that were neither confirmed nor sent here: this end
/// was restored.
fn batches_ahead(fault: &str) -> Option<(u64, u64)> {
    let number = |text: &str| text.split(' ').next()?.parse::<u64>().ok();
    let (_, rest) = fault.split_once("the last batch is ")?;
    let (_, here) = rest.split_once("at the receiver, and ")?;
    let (confirmed, sent) = here.split_once(" confirmed")?;
    let sent = sent.strip_prefix(" and ").and_then(number);
    let (there, here) = (number(rest)?, sent.or_else(|| number(confirmed))?);
    (there > here).then_some((here + 1, there))
}

fn harmless_text(text: &str) -> String {
    harmless(text.trim()).into_owned()
}

/// The text of a field; blank where there is none.
pub(super) fn field(row: &Value, name: &str) -> String {
    match &row[name] {
        Value::String(text) => harmless_text(text),
        Value::Null => String::new(),
        Value::Array(values) => {
            let values =
                values.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), harmless_text));
            values.filter(|value| !value.is_empty()).collect::<Vec<_>>().join(",")
        }
        other => other.to_string(),
    }
}

fn seen(session: &mut Session, names: &str) -> Result<Vec<Seen>> {
    let names = quoted(names);
    let defined = shown(session, &format!("DISPLAY CHANNEL({names}) ALL"))?;
    let now = shown(session, &format!("DISPLAY CHSTATUS({names}) ALL"))?;
    let kept = shown(session, &format!("DISPLAY CHSTATUS({names}) SAVED ALL"))?;
    let is_between = |row: &Value| TYPES.contains(&field(row, "chltype").as_str());
    let of = |rows: &[Value], name: &str| -> Vec<Value> {
        rows.iter().filter(|row| field(row, "channel") == name).cloned().collect()
    };
    let found = defined.into_iter().filter(is_between).map(|defined| {
        let name = field(&defined, "channel");
        Seen { now: of(&now, &name), kept: of(&kept, &name), defined }
    });
    Ok(found.collect())
}

const HEADING: [&str; 6] = ["channel", "type", "state", "partner", "waiting", "last fault"];

fn line(fields: &[&str; 6]) -> String {
    let [channel, kind, state, partner, waiting, fault] = fields;
    format!("{channel:20}  {kind:5}  {state:12}  {partner:16}  {waiting:>7}  {fault}").trim_end().to_owned()
}

fn list(common: &Common, names: &str) -> Result<()> {
    let mut session = connect::session(common)?;
    let found = seen(&mut session, names)?;
    session.disconnect()?;
    let mut output = output::standard();
    if common.output == Format::Table && found.is_empty() {
        output::say("no message channel is defined by this name");
    } else if common.output == Format::Table {
        let paint = Paint::for_stream(io::stdout().is_terminal());
        writeln!(output, "{}", paint.dim(line(&HEADING)))?;
    }
    for channel in &found {
        let [name, kind] = ["channel", "chltype"].map(|name| field(&channel.defined, name));
        let (states, partners, waiting) = (channel.states(), channel.partners(), channel.waiting());
        let fault = channel.last_error().unwrap_or_default();
        match common.output {
            Format::Json => output::json_line(&mut output, &as_json(channel))?,
            Format::Table => {
                // Beside instances, a partner whose channel ended by a fault is INACTIVE.
                let run = states.iter().filter(|state| *state != "INACTIVE").count();
                let state = match (states.len(), run) {
                    (1, _) => states[0].clone(),
                    (_, count) => format!("{count} run"),
                };
                writeln!(output, "{}", line(&[&name, &kind, &state, &partners, &waiting, &fault]))?;
            }
        }
    }
    Ok(output.flush()?)
}

fn as_json(Seen { defined, now, kept }: &Seen) -> Value {
    json!({ "channel": field(defined, "channel"), "definition": defined, "now": now, "kept": kept })
}

/// One channel of this name.
fn one(session: &mut Session, name: &str) -> Result<Seen> {
    let mut found = seen(session, name)?;
    found.retain(|channel| field(&channel.defined, "channel") == name);
    found.pop().ok_or_else(|| {
        Failure::new(Exit::NotFound, format!("no message channel has the name {name}"))
            .next(NextStep::of("ferry channel list shows them"))
    })
}

/// Fields that are shown of an instance.
const OF_INSTANCE: [&str; 23] = [
    "conname", "rqmname", "rqmid", "chstada", "chstati", "msgs", "batches", "bytssent", "bytsrcvd",
    "lstmsgda", "lstmsgti", "curluwid", "curmsgs", "curseqno", "lstluwid", "lstseqno", "indoubt", "nettime",
    "xqtime", "mcauser", "sslciph", "sslpeer", "nexttry",
];

/// Fields that are shown of the state towards one partner.
const OF_PARTNER: [&str; 8] =
    ["rqmname", "rqmid", "lstluwid", "lstseqno", "curluwid", "curmsgs", "curseqno", "indoubt"];

fn show(common: &Common, name: &str) -> Result<()> {
    let mut session = connect::session(common)?;
    let found = one(&mut session, name)?;
    session.disconnect()?;
    if common.output == Format::Json {
        return Ok(output::print_json(&as_json(&found))?);
    }
    let mut output = output::standard();
    let of_channel = |name| field(&found.defined, name);
    writeln!(output, "channel     {} CHLTYPE({})", of_channel("channel"), of_channel("chltype"))?;
    for (label, name) in [("calls", "conname"), ("takes from", "xmitq"), ("encrypts", "sslciph")] {
        let value = of_channel(name);
        if !value.is_empty() {
            writeln!(output, "{label:11} {value}")?;
        }
    }
    if found.now.is_empty() {
        writeln!(output, "state       INACTIVE")?;
    }
    let mut fields = |heading: String, row: &Value, names: &[&str]| -> io::Result<()> {
        writeln!(output, "{heading}")?;
        for name in names {
            let value = field(row, name);
            if !value.is_empty() && value != "0" {
                writeln!(output, "  {:9} {value}", name.to_uppercase())?;
            }
        }
        Ok(())
    };
    for row in &found.now {
        fields(format!("state       {}", field(row, "status")), row, &OF_INSTANCE)?;
    }
    for row in &found.kept {
        fields(format!("kept in the log for {}", field(row, "rqmname")), row, &OF_PARTNER)?;
    }
    if let Some(error) = found.last_error() {
        writeln!(output, "last fault  {error}")?;
    }
    if let Some(Step { why, commands }) = found.next_step() {
        let colon = if commands.is_empty() { "" } else { ":" };
        writeln!(output, "next        {why}{colon}")?;
        for command in commands {
            writeln!(output, "            {}", command.at(&common.typed))?;
        }
    }
    Ok(output.flush()?)
}

fn wait(common: &Common, WaitArguments { channel, state, time }: &WaitArguments) -> Result<()> {
    let mut session = connect::session(common)?;
    let wanted = state.to_uppercase();
    let until = Instant::now() + *time;
    loop {
        let found = one(&mut session, &channel.name)?;
        if found.states().contains(&wanted) {
            session.disconnect()?;
            return match common.output {
                Format::Json => Ok(output::print_json(&as_json(&found))?),
                Format::Table => Ok(output::print_line(format!("{} is {wanted}", channel.name))?),
            };
        }
        if Instant::now() >= until {
            let states = found.states().join(", ");
            let fault = found.last_error().map(|error| format!(": {error}")).unwrap_or_default();
            let text = format!(
                "channel {} was not {wanted} within {}; it is {states}{fault}",
                channel.name,
                units::duration(*time)
            );
            let step = found.next_step().map(Step::line);
            let next = step.unwrap_or_else(|| next_step!("ferry channel show {} tells more", channel.name));
            return Err(Failure::new(Exit::TimedOut, text).next(next));
        }
        session.fail_if_quiescing()?;
        std::thread::sleep(LOOK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel() -> ChannelArguments {
        ChannelArguments { name: "A.B".to_owned() }
    }

    #[test]
    fn each_work_is_one_command() {
        let stop = |force, inactive| Work::Stop(StopArguments { channel: channel(), force, inactive });
        for (work, text) in [
            (Work::Start(channel()), "START CHANNEL('A.B')"),
            (stop(false, false), "STOP CHANNEL('A.B')"),
            (stop(true, true), "STOP CHANNEL('A.B') MODE(FORCE) STATUS(INACTIVE)"),
            (Work::Ping(PingArguments { channel: channel(), size: 64 }), "PING CHANNEL('A.B') DATALEN(64)"),
            (
                Work::Reset(ResetArguments { channel: channel(), sequence: 7 }),
                "RESET CHANNEL('A.B') SEQNUM(7)",
            ),
            (
                Work::Resolve(ResolveArguments { channel: channel(), decision: Decision::Backout }),
                "RESOLVE CHANNEL('A.B') ACTION(BACKOUT)",
            ),
            (Work::Forget(channel()), "RESOLVE CHANNEL('A.B') ACTION(FORGET)"),
        ] {
            assert_eq!(text_of(&work), text);
        }
    }

    #[test]
    fn the_next_step_follows_from_the_state_and_the_last_fault() {
        let start = "ferry channel start A.B";
        for (now, in_doubt, why, commands) in [
            (json!({ "status": "STOPPED" }), "YES", "a command stopped it", &[start][..]),
            (
                json!({ "status": "STOPPED", "lasterr": "2059: no" }),
                "YES",
                "mend the fault above; then",
                &[start],
            ),
            (
                json!({ "status": "STOPPED", "lasterr": "2537: compare both ends, then enter RESET CHANNEL" }),
                "NO",
                "compare both ends; then",
                &["ferry channel reset A.B", start],
            ),
            (
                json!({ "status": "STOPPED", "lasterr": "2537: enter RESOLVE CHANNEL ACTION(BACKOUT) and RESET CHANNEL" }),
                "YES",
                "compare both ends; the partner has not the messages in doubt, which are sent again",
                &["ferry channel resolve A.B backout", "ferry channel reset A.B", start],
            ),
            (
                json!({ "status": "STOPPED", "lasterr": "2537: enter RESOLVE CHANNEL ACTION(COMMIT) and RESET CHANNEL" }),
                "YES",
                "compare both ends; the partner has the messages in doubt",
                &["ferry channel resolve A.B commit", "ferry channel reset A.B", start],
            ),
            (
                json!({ "status": "STOPPED", "lasterr": "2537: enter RESOLVE CHANNEL ACTION(BACKOUT) and RESET CHANNEL" }),
                "NO",
                "compare both ends; the partner has not the messages in doubt, which are sent again",
                &["ferry channel reset A.B", start],
            ),
            (
                json!({ "status": "STOPPED", "lasterr": "2537: if it moved, correct CONNAME; else RESOLVE CHANNEL(A.B)" }),
                "YES",
                "if the queue manager of the batches moved, correct CONNAME and start; if not, they are sent to the one \
                 that answers: say commit where the first has them",
                &["ferry channel resolve A.B backout", start],
            ),
            (
                json!({ "status": "STOPPED", "lasterr": "2537: in doubt: enter RESOLVE CHANNEL, then start" }),
                "YES",
                "the messages in doubt are sent again; say commit where the partner has them",
                &["ferry channel resolve A.B backout", start],
            ),
            (
                json!({ "status": "RETRYING", "lasterr": "2059: no" }),
                "NO",
                "it tries again by itself; at once by",
                &[start],
            ),
            (
                json!({ "status": "RETRYING", "lasterr": "2537: is stopped: START CHANNEL lets it run again" }),
                "NO",
                "the other end is stopped; start it there, and this end, which tries again, runs",
                &["ferry -m B channel start A.B"],
            ),
            (
                json!({ "status": "INACTIVE" }),
                "YES",
                "the ends agree on the batch in doubt when they meet",
                &[start],
            ),
            (
                json!({ "status": "INACTIVE", "lasterr": "2085: no place", "rqmname": "A2" }),
                "NO",
                "mend the fault above; this end waits for the other, which has the next step",
                &["ferry -m A2 channel show A.B"],
            ),
        ] {
            let seen = Seen {
                defined: json!({ "channel": "A.B" }),
                now: vec![now.clone()],
                kept: vec![json!({ "indoubt": in_doubt, "rqmname": "B" })],
            };
            let step = seen.next_step().unwrap();
            let told: Vec<&str> = step.commands.iter().map(NextStep::elsewhere).collect();
            assert_eq!((&*step.why, &*told), (why, commands), "{now}");
        }
        let numbers = |sent: &str| {
            format!(
                "2537: the last batch is 5 (chain 0a) at the receiver, and 2 (chain 0b) confirmed{sent} here; compare"
            )
        };
        assert_eq!(batches_ahead(&numbers("")), Some((3, 5)));
        assert_eq!(batches_ahead(&numbers(" and 4 (chain 0c) sent")), Some((5, 5)));
        assert_eq!(batches_ahead(&numbers(" and 5 (chain 0c) sent")), None);
        assert_eq!(batches_ahead("2537: the last batch is x"), None);
        let runs = json!({ "status": "RUNNING" });
        let running = Seen { defined: json!({ "channel": "A.B" }), now: vec![runs], kept: Vec::new() };
        assert_eq!(running.next_step(), None);
    }
}
