//! `ferry dlq`: dead letters, looked at, sent where they belong, or removed.
//!
//! Always: a letter leaves the dead-letter queue in the unit of work that puts it elsewhere; what cannot be
//! put stays. A letter that was refused by rights is replayed only where that is asked for: the rights of the
//! user who replays would do what its own user may not.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use moves::dead_letters::handler::{Go, INTERVAL_MIN, Passed, SystemQueues};
use moves::dead_letters::rules::{Authority, ForwardManager, ForwardQueue, Number, Waiting, Words};
use moves::dead_letters::{Action, Done, Handler, Letter, Obstacle, Outcome, Pattern, Rule, RulesTable};
use mqi::{
    AttributeValue, CloseOptions, MessageId, ObjectDescriptor, ObjectName, ObjectType, OpenOptions,
    QueueManagerName, Reason, Selector, constants,
};
use serde_json::json;

use super::route;
use crate::body_summary::gist;
use crate::interrupt::Interrupt;
use crate::message::{self, BodyForm, Message, RawArgument};
use crate::{bounded_input, identifier};
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::next_step::NextStep;
use terminal::output::{self, Format, Output, Paint, harmless};
use terminal::units;

/// Handles dead letters.
#[derive(Debug, Subcommand)]
pub(crate) enum DlqCommand {
    /// List dead letters: why each is there, and where it was going
    List(ListDeadLettersArguments),
    /// Show dead letters whole: header, descriptor, properties and body
    Show(ListDeadLettersArguments),
    /// Put dead letters on the queues they were for, without the header
    #[command(after_help = "\
Letters that rights refused (2035) stay unless --refused is given: they are put by the rights of the user who replays, \
which their own user did not have.")]
    Replay(ReplayArguments),
    /// Put dead letters on another queue
    Move(MoveArguments),
    /// Remove dead letters for good
    Purge(PurgeArguments),
    /// Handle dead letters by a table of rules
    Rules(RulesArguments),
}

/// Choice of letters.
#[derive(Debug, Args)]
pub(crate) struct Chosen {
    /// Dead-letter queue; without it, the one the queue manager names (DEADQ)
    #[arg(long, value_name = "QUEUE")]
    queue: Option<String>,
    /// Only letters with this reason: 2053, MQRC_Q_FULL
    #[arg(long, value_parser = parse_reason, value_name = "CODE")]
    reason: Option<i32>,
    /// Only letters for this queue; * and ? stand for any characters and one
    #[arg(long, value_name = "PATTERN")]
    destination: Option<String>,
    /// Only letters for this queue manager; * and ? stand for any characters and one
    #[arg(long, value_name = "PATTERN")]
    destination_qmgr: Option<String>,
    /// Only the letter with this message identifier: a text, or 48 hexadecimal digits
    #[arg(long, value_parser = identifier::parse, value_name = "ID")]
    message_id: Option<[u8; 24]>,
    /// Maximum number of letters
    #[arg(short = 'n', long, value_name = "LETTERS", default_value_t = u64::MAX, hide_default_value = true)]
    count: u64,
}

/// Lists letters.
#[derive(Debug, Args)]
pub(crate) struct ListDeadLettersArguments {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    raw: RawArgument,
}

/// Replays letters.
#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Also put letters that rights refused (2035), with the rights of the user of this command
    #[arg(long)]
    refused: bool,
    #[command(flatten)]
    system: SystemArguments,
}

/// An action on the letters that are chosen.
#[derive(Debug)]
struct Act {
    action: Action,
    system: SystemQueues,
    /// Letters that were refused by rights stay.
    spares_refused: bool,
    /// The action in the past tense.
    done: &'static str,
}

/// The choice about letters that name a queue of the system.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct SystemArguments {
    /// Also put letters on queues whose names begin with SYSTEM., if those are their destination
    #[arg(long)]
    system: bool,
}

impl From<SystemArguments> for SystemQueues {
    fn from(arguments: SystemArguments) -> Self {
        if arguments.system { Self::Allowed } else { Self::Spared }
    }
}

/// Moves letters to a queue.
#[derive(Debug, Args)]
pub(crate) struct MoveArguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Queue to put them on
    #[arg(long, value_name = "QUEUE")]
    to: String,
    /// Queue manager that has that queue; without it, the one connected to
    #[arg(long, value_name = "QM")]
    to_qmgr: Option<String>,
    /// Take the dead-letter header off
    #[arg(long)]
    strip: bool,
}

/// Removes letters.
#[derive(Debug, Args)]
pub(crate) struct PurgeArguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Remove all letters, when no other option chooses some
    #[arg(long)]
    all: bool,
}

/// Rules for dead letters.
#[derive(Debug, Args)]
pub(crate) struct RulesArguments {
    /// File with the table; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Dead-letter queue, instead of the table's INPUTQ
    #[arg(long, value_name = "QUEUE")]
    queue: Option<String>,
    /// Only check the table for errors
    #[arg(long)]
    check: bool,
    /// End when there is nothing to do, whatever the table says with WAIT
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    system: SystemArguments,
}

impl RulesArguments {
    /// The rules of standard input, for a queue that is named or that of the rules.
    pub(crate) fn of_standard_input(queue: Option<&str>) -> Self {
        Self {
            file: "-".into(),
            queue: queue.map(str::to_owned),
            check: false,
            once: false,
            system: SystemArguments::default(),
        }
    }
}

/// Runs the command.
pub(crate) fn run(common: &Common, command: &DlqCommand) -> Result<()> {
    match command {
        DlqCommand::List(arguments) => show(common, arguments, false),
        DlqCommand::Show(arguments) => show(common, arguments, true),
        DlqCommand::Replay(arguments) => {
            let act = Act {
                action: Action::Retry { authority: Authority::Own },
                system: arguments.system.into(),
                spares_refused: !arguments.refused,
                done: "replayed",
            };
            act.carry_out(common, &arguments.chosen)
        }
        DlqCommand::Move(arguments) => {
            let queue_manager = arguments.to_qmgr.as_deref().map(connect::parse_queue_manager_name);
            let action = Action::Forward {
                queue: ForwardQueue::Named(connect::queue_name(&arguments.to)?),
                queue_manager: ForwardManager::Named(
                    queue_manager.transpose()?.unwrap_or(QueueManagerName::BLANK),
                ),
                keeps_header: !arguments.strip,
                authority: Authority::Own,
            };
            Act::on_all(action, "moved").carry_out(common, &arguments.chosen)
        }
        DlqCommand::Purge(arguments) => {
            if !arguments.all && arguments.chosen.says_nothing() {
                return Err(Failure::usage("no letters are chosen")
                    .next("choose letters by --reason, --destination, --message-id or -n, or remove all of them with --all"));
            }
            Act::on_all(Action::Discard, "removed").carry_out(common, &arguments.chosen)
        }
        DlqCommand::Rules(arguments) => rules(common, arguments),
    }
}

fn parse_reason(text: &str) -> std::result::Result<i32, String> {
    let number = text.parse().ok().or_else(|| Reason::by_name(text).map(Reason::code));
    let number = number.or_else(|| constants::number_of(text).filter(|_| text.starts_with("MQFB_")));
    number.ok_or_else(|| format!("\"{text}\" is no reason; write 2053 or MQRC_Q_FULL"))
}

impl Chosen {
    fn says_nothing(&self) -> bool {
        self.count == u64::MAX && self.message_id.is_none() && self.of_header()
    }

    /// True if the choice uses no field that only a header has.
    fn of_header(&self) -> bool {
        self.reason.is_none() && self.destination.is_none() && self.destination_qmgr.is_none()
    }

    fn pattern(&self) -> Pattern {
        let words = |text: &Option<String>| text.as_deref().map_or_else(Words::default, Words::from);
        Pattern {
            reason: self.reason.map_or(Number::Any, Number::Is),
            destination_queue: words(&self.destination),
            destination_queue_manager: words(&self.destination_qmgr),
            message_id: self.message_id.map(MessageId::from_bytes),
            takes_headerless: self.of_header(),
            ..Pattern::default()
        }
    }
}

/// The queue whose letters are meant.
#[derive(Clone, Copy)]
struct Source {
    queue: ObjectName,
    /// True if the queue manager names it, and not the person.
    is_in_deadq: bool,
}

impl Source {
    fn named(queue: ObjectName) -> Self {
        Self { queue, is_in_deadq: false }
    }
}

/// The queue meant, or the one the queue manager puts dead letters on.
fn source_of(session: &mut Session, said: Option<&str>) -> Result<Source> {
    if let Some(said) = said {
        return connect::queue_name(said).map(Source::named);
    }
    let object = ObjectDescriptor {
        object_type: ObjectType::QueueManager,
        ..ObjectDescriptor::queue(ObjectName::BLANK)
    };
    let verbs = session.verbs();
    let asked = verbs.open(&object, OpenOptions::INQUIRE).and_then(|opened| {
        let inquired = verbs.inquire(opened.handle, &[Selector(constants::MQCA_DEAD_LETTER_Q_NAME)]);
        verbs.close(opened.handle, CloseOptions::EMPTY).and(inquired)
    });
    let inquired = asked.map_err(|reason| {
        Failure::of_call(format!("{} does not tell its dead-letter queue", session.queue_manager()), reason)
    })?;
    match inquired.values.first() {
        Some(AttributeValue::Text(name)) if !name.trim().is_empty() => {
            Ok(Source { queue: connect::queue_name(name.trim())?, is_in_deadq: true })
        }
        _ => Err(Failure::new(
            Exit::NotFound,
            format!("{} has no dead-letter queue", session.queue_manager()),
        )
        .next(
            NextStep::of("ferry mqsc -e \"ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)\" gives it one; --queue names another"),
        )),
    }
}

fn open<'a>(session: &'a mut Session, source: Source, takes: bool) -> Result<Handler<'a>> {
    let Source { queue, is_in_deadq } = source;
    let at = format!("{queue} at {}", session.queue_manager());
    Handler::open(session.verbs(), queue, takes).map_err(|reason| {
        let failure = Failure::of_call(format!("cannot open dead-letter queue {at}"), reason);
        match reason {
            Reason::UNKNOWN_OBJECT_NAME if is_in_deadq => failure.next(next_step!(
                "DEADQ of the queue manager names {queue}: ferry mqsc -e \"DEFINE QLOCAL('{queue}')\" makes it"
            )),
            Reason::UNKNOWN_OBJECT_NAME => failure.next(NextStep::of(
                "ferry queues lists the queues; where none is named, the one in DEADQ of the queue manager is read",
            )),
            _ => failure,
        }
    })
}

fn show(common: &Common, arguments: &ListDeadLettersArguments, whole: bool) -> Result<()> {
    let (chosen, form) = (&arguments.chosen, arguments.raw.form());
    let mut session = connect::session(common)?;
    let source = source_of(&mut session, chosen.queue.as_deref())?;
    let queue = source.queue;
    let mut handler = open(&mut session, source, false)?;
    let (pattern, paint) = (chosen.pattern(), Paint::for_stream(io::stdout().is_terminal()));
    let mut output = output::standard();
    let mut shown = 0;
    let mut written = Ok(());
    let browsed = handler.each(|letter| {
        if shown == chosen.count {
            return Go::Stop;
        }
        if pattern.matches(letter) {
            shown += 1;
            written = match (common.output, whole) {
                (Format::Json, _) => output::json_line(&mut output, &to_json(letter, form)),
                (Format::Table, true) => write_whole(&mut output, shown, letter, Style { form, paint }),
                (Format::Table, false) => write_row(&mut output, shown, letter, paint),
            };
        }
        if written.is_ok() { Go::On } else { Go::Stop }
    });
    written?;
    output.flush()?;
    browsed.map_err(|reason| Failure::of_call(format!("cannot browse {queue}"), reason))?;
    if shown == 0 && common.output == Format::Table {
        output::say(format!("{queue} has no {}letter", if chosen.says_nothing() { "" } else { "such " }));
    }
    session.disconnect()
}

/// Why a letter is there, in words.
fn why(code: i32) -> String {
    let reason = Reason::from_code(code);
    if reason.is_defined() { format!("{code} {}", reason.name()) } else { code.to_string() }
}

const HEADING: &str = "     #  put                     reason                            user          for                             size  body";

fn write_row(output: &mut Output, number: u64, letter: &Letter, paint: Paint) -> io::Result<()> {
    if number == 1 {
        writeln!(output, "{}", paint.dim(HEADING))?;
    }
    let (reason, destination) = match &letter.header {
        Ok(header) => (why(header.reason), destination(letter)),
        Err(_) => ("(no dead-letter header)".to_owned(), String::new()),
    };
    let (descriptor, body) = letter.original();
    let gist = gist(&descriptor, &body, 40);
    writeln!(
        output,
        "{number:>6}  {:22}  {reason:32}  {:12}  {destination:24}  {:>10}  {}",
        message::put_time(&letter.descriptor).trim_end_matches(" UTC"),
        harmless(letter.descriptor.user_identifier.as_str()),
        units::bytes(gist.bytes as u64),
        gist.line
    )
}

/// Where a letter was going.
fn destination(letter: &Letter) -> String {
    let Ok(header) = &letter.header else { return "nowhere".to_owned() };
    let queue = harmless(header.destination_queue.as_str());
    match header.destination_queue_manager.as_str() {
        _ if header.destination_queue_manager.is_blank() => queue.into_owned(),
        queue_manager => format!("{queue} at {}", harmless(queue_manager)),
    }
}

/// Form in which a letter is shown whole.
#[derive(Clone, Copy)]
struct Style {
    form: BodyForm,
    paint: Paint,
}

fn write_whole(
    output: &mut Output,
    number: u64,
    letter: &Letter,
    Style { form, paint }: Style,
) -> io::Result<()> {
    if number > 1 {
        writeln!(output)?;
    }
    match &letter.header {
        Ok(header) => {
            writeln!(output, "{}", paint.strong(format!("{number}: {}", why(header.reason))))?;
            writeln!(output, "  {:16}{}", "for", destination(letter))?;
            if !header.put_application_name.is_blank() {
                let name = harmless(header.put_application_name.as_str());
                writeln!(output, "  {:16}{name}", "put here by")?;
            }
        }
        Err(error) => writeln!(output, "{}", paint.strong(format!("{number}: {error}")))?,
    }
    let (descriptor, body) = letter.original();
    let message = Message { descriptor, body };
    let parts = message.parts(form);
    output.write_all(parts.description().as_bytes())?;
    parts.write_body(output, io::stdout().is_terminal())
}

fn to_json(letter: &Letter, form: BodyForm) -> serde_json::Value {
    let (descriptor, body) = letter.original();
    let mut value = Message { descriptor, body }.parts(form).to_json();
    value["dead_letter"] = match &letter.header {
        Ok(header) => json!({
            "reason": header.reason,
            "name": Some(Reason::from_code(header.reason)).filter(|reason| reason.is_defined()).map(Reason::name),
            "destination_queue": header.destination_queue.as_str(),
            "destination_queue_manager": header.destination_queue_manager.as_str(),
            "put_by": header.put_application_name.as_str(),
            "put_date": header.put_date.as_str(),
            "put_time": header.put_time.as_str(),
        }),
        Err(_) => serde_json::Value::Null,
    };
    value
}

impl Act {
    /// An action on letters whatever refused them.
    fn on_all(action: Action, done: &'static str) -> Self {
        Self { action, system: SystemQueues::Spared, spares_refused: false, done }
    }

    /// The rules for the letters that are chosen; the first of them spares letters, if any are spared.
    fn rules(&self, chosen: &Chosen) -> Vec<Rule> {
        let mut pattern = chosen.pattern();
        // A message that says nowhere that it was going is not sent there.
        pattern.takes_headerless &= !matches!(self.action, Action::Retry { .. });
        let mut rules = Vec::new();
        if self.spares_refused && chosen.reason.is_none_or(|reason| reason == Reason::NOT_AUTHORIZED.code()) {
            let refused = Number::Is(Reason::NOT_AUTHORIZED.code());
            let spared = Pattern { reason: refused, takes_headerless: false, ..pattern.clone() };
            rules.push(Rule::once(spared, Action::Ignore));
        }
        rules.push(Rule::once(pattern, self.action.clone()));
        rules
    }

    fn carry_out(&self, common: &Common, chosen: &Chosen) -> Result<()> {
        let mut session = connect::session(common)?;
        let source = source_of(&mut session, chosen.queue.as_deref())?;
        let queue = source.queue;
        let rules = self.rules(chosen);
        let acting = rules.len() - 1;
        let mut handler = open(&mut session, source, true)?.with_system_queues(self.system);
        let interrupt = Interrupt::listen()?;
        let mut after = After { queue, handled: 0, spared: 0, refused: BTreeMap::new() };
        let passed = if chosen.count == 0 {
            Ok(Passed::default())
        } else {
            handler.pass(&rules, INTERVAL_MIN, Instant::now(), |_, outcome| {
                match &outcome.result {
                    Ok(Done::Stays) if outcome.rule.is_some_and(|rule| rule < acting) => after.spared += 1,
                    Ok(Done::Stays) => {}
                    Ok(_) => after.handled += 1,
                    Err(obstacle) => *after.refused.entry(*obstacle).or_default() += 1,
                }
                if after.handled >= chosen.count || interrupt.is_wanted() { Go::Stop } else { Go::On }
            })
        };
        passed.map_err(|reason| {
            let what = format!(
                "{} {}, then the queue manager refused",
                self.done,
                units::counted(after.handled, "letter")
            );
            Failure::of_call(what, reason)
        })?;
        session.disconnect()?;
        after.print(common.output, self.done)?;
        self.answer(&after)
    }

    /// Success, or the failure to report: letters that could not be handled, or were spared.
    fn answer(&self, after: &After) -> Result<()> {
        let After { queue, spared, refused, .. } = after;
        let left = units::counted(*spared, "letter");
        let Some((obstacle, _)) = refused.first_key_value() else {
            if *spared == 0 {
                return Ok(());
            }
            let what = format!("left {left} on {queue} that rights refused (2035)");
            return Err(Failure::new(Exit::Refused, what).next(SPARED));
        };
        let stay: u64 = refused.values().sum();
        let kinds = refused.len() - 1;
        let others = match kinds {
            0 => String::new(),
            kinds => format!(", and {}", units::counted(kinds as u64, "other reason")),
        };
        let also = if *spared > 0 {
            format!("; left {left} there that rights refused (2035)")
        } else {
            String::new()
        };
        let what = format!(
            "{} could not be {} and stay on {queue}{also}{others}",
            units::counted(stay, "letter"),
            self.done
        );
        let Some(reason) = obstacle.reason() else {
            return Err(Failure::usage(format!("{what}: {obstacle}")).next(SAME_QUEUE));
        };
        let failure = Failure::of_call(what, reason);
        Err(match reason {
            Reason::NOT_AUTHORIZED if self.system == SystemQueues::Spared => failure.next(
                NextStep::of("ferry dlq show shows them; --system replays letters for queues of the system, and a right that is \
                 missing ferry why explains"),
            ),
            _ if *spared > 0 => failure.next(SPARED),
            _ => failure,
        })
    }
}

/// The next step about letters that would come back.
const SAME_QUEUE: NextStep = NextStep::of("name another queue; ferry route shows where a name leads");

/// The next step about letters that were spared.
const SPARED: NextStep = NextStep::of(
    "ferry dlq list --reason 2035 shows their users; give a user the right and have it send again, or ferry dlq \
                      replay --refused puts them by your rights",
);

/// The state of a queue after an action.
#[derive(Debug)]
struct After {
    queue: ObjectName,
    handled: u64,
    /// Letters that stay since rights refused them.
    spared: u64,
    /// Letters that could not be handled, by cause.
    refused: BTreeMap<Obstacle, u64>,
}

impl After {
    fn print(&self, format: Format, done: &str) -> io::Result<()> {
        match format {
            Format::Json => {
                let key = |obstacle: Obstacle| {
                    obstacle
                        .reason()
                        .map_or_else(|| "same_queue".to_owned(), |reason| reason.code().to_string())
                };
                let refused: BTreeMap<String, u64> =
                    self.refused.iter().map(|(obstacle, count)| (key(*obstacle), *count)).collect();
                output::print_json(
                    &json!({ "done": self.handled, "refused": refused, "spared": self.spared }),
                )
            }
            Format::Table => output::print_line(format!("{done} {}", units::counted(self.handled, "letter"))),
        }
    }
}

/// Most bytes of a table of rules: ten thousand rules of the usual length.
const RULES_BYTES_MAX: usize = 1 << 20;

/// Time that a wait lasts before it checks for an end.
const GLANCE: Duration = Duration::from_millis(500);

fn rules(common: &Common, arguments: &RulesArguments) -> Result<()> {
    let path = &arguments.file;
    let text = bounded_input::read_text(path, "table of rules", RULES_BYTES_MAX)?;
    let table = RulesTable::parse(&text).map_err(|error| {
        Failure::new(
            Exit::Usage,
            format!("{} cannot be used as a table of rules:\n{error}", harmless(&path.to_string_lossy())),
        )
        .in_lines()
        .next("correct these lines; nothing was done. docs/reference/dead-letters.md describes the rules")
    })?;
    let named = arguments.queue.as_deref().map(connect::queue_name).transpose()?.or(table.control.queue);
    if let Some(queue) = named {
        refuse_circle(path, &table, queue, table.control.queue_manager)?;
    }
    let mut common = common.clone();
    if let (None, Some(name)) = (&common.qmgr, &table.control.queue_manager) {
        common.qmgr = Some(name.to_string());
    }
    if arguments.check {
        return check(&common, path, &table, named);
    }
    let mut session = connect::session(&common)?;
    let source = source_named(&mut session, named)?;
    refuse_circle(path, &table, source.queue, session.queue_manager().parse().ok())?;
    // Where ways are not shown, the destination is judged at each letter.
    refuse_way_back(path, source.queue, way_back(&mut session, &table, source.queue).unwrap_or(None))?;
    let interrupt = Interrupt::listen()?;
    let mut handler = open(&mut session, source, true)?.with_system_queues(arguments.system.into());
    let handled = handle(&common, &mut handler, &table, arguments.once, &interrupt)?;
    session.disconnect()?;
    if common.output == Format::Table {
        output::say(format!("ended; {} handled", units::counted(handled, "letter")));
    }
    Ok(())
}

/// Checks a table, and by a queue manager that answers, where its names lead.
fn check(common: &Common, path: &Path, table: &RulesTable, named: Option<ObjectName>) -> Result<()> {
    if table.forwards().next().is_some() {
        let looked_up = connect::session(common).and_then(|mut session| {
            let source = source_named(&mut session, named)?;
            let here = session.queue_manager().parse().ok();
            let way_back = way_back(&mut session, table, source.queue)?;
            session.disconnect()?;
            Ok((source.queue, here, way_back))
        });
        match looked_up {
            Ok((queue, here, way_back)) => {
                refuse_circle(path, table, queue, here)?;
                refuse_way_back(path, queue, way_back)?;
            }
            Err(failure) => {
                let why = failure.what();
                output::say(format!("not checked: where the names in FWDQ lead, as an alias does ({why})"));
            }
        }
    }
    let rules = units::counted(table.rules.len() as u64, "rule");
    Ok(output::print_line(format!("{} has no errors: {rules}", path.display()))?)
}

/// The queue that a table reads, or the one in DEADQ of the queue manager.
fn source_named(session: &mut Session, named: Option<ObjectName>) -> Result<Source> {
    named.map_or_else(|| source_of(session, None), |queue| Ok(Source::named(queue)))
}

/// Refuses a table with a rule that forwards to the queue that it reads.
fn refuse_circle(
    path: &Path,
    table: &RulesTable,
    queue: ObjectName,
    queue_manager: Option<QueueManagerName>,
) -> Result<()> {
    let is_here = |manager| manager == QueueManagerName::BLANK || Some(manager) == queue_manager;
    let mut circles = table.forwards().filter(|(_, name, manager)| *name == queue && is_here(*manager));
    let Some((rule, ..)) = circles.next() else { return Ok(()) };
    Err(circle(path, rule, format_args!("forwards to {queue}, the queue that it reads")))
}

fn circle(path: &Path, rule: usize, what: std::fmt::Arguments<'_>) -> Failure {
    let path = harmless(&path.to_string_lossy()).into_owned();
    let number = rule + 1;
    Failure::usage(format!("{path} cannot be used as a table of rules: rule {number} {what}"))
        .next("name another queue in FWDQ, or ACTION(IGNORE) to leave such letters; nothing was done")
}

/// A rule, and its name that leads to the queue that the table reads.
type WayBack = (usize, ObjectName);

fn refuse_way_back(path: &Path, queue: ObjectName, way_back: Option<WayBack>) -> Result<()> {
    let Some((rule, name)) = way_back else { return Ok(()) };
    Err(circle(
        path,
        rule,
        format_args!("forwards to {name}, which leads to {queue}, the queue that it reads"),
    ))
}

/// Finds the first rule with a name that leads back, as aliases of queues and of queue managers do.
fn way_back(session: &mut Session, table: &RulesTable, queue: ObjectName) -> Result<Option<WayBack>> {
    let Some(read) = route::local_end(session, queue.as_str(), "")? else { return Ok(None) };
    let mut leads_back = BTreeMap::new();
    for (rule, name, manager) in table.forwards() {
        let names = (name.to_string(), manager.to_string());
        let leads_back = match leads_back.get(&names) {
            Some(known) => *known,
            None => {
                let end = route::local_end(session, &names.0, &names.1)?;
                *leads_back.entry(names).or_insert_with(|| end.is_some_and(|end| end == read))
            }
        };
        if leads_back {
            return Ok(Some((rule, name)));
        }
    }
    Ok(None)
}

/// Goes through the queue until no letter is left to handle, or an end is wanted.
fn handle(
    common: &Common,
    handler: &mut Handler<'_>,
    table: &RulesTable,
    once: bool,
    interrupt: &Interrupt,
) -> Result<u64> {
    let interval = table.control.retry_interval;
    let wait = if once { Waiting::For(Duration::ZERO) } else { table.control.wait };
    let mut handled = 0;
    let mut idle_since = Instant::now();
    loop {
        let mut told = Ok(());
        let passed = handler.pass(&table.rules, interval, Instant::now(), |letter, outcome| {
            told = tell(common, letter, outcome);
            if told.is_err() || interrupt.is_wanted() { Go::Stop } else { Go::On }
        });
        told?;
        let passed =
            passed.map_err(|reason| Failure::of_call("the dead letters cannot be gone through", reason))?;
        handled += passed.handled;
        if passed.handled > 0 || passed.pending > 0 {
            idle_since = Instant::now();
        }
        let is_over = |wait: Waiting| matches!(wait, Waiting::For(most) if idle_since.elapsed() >= most);
        let pass_again = Instant::now() + interval;
        while !interrupt.is_wanted() && Instant::now() < pass_again {
            if passed.pending == 0 && is_over(wait) {
                return Ok(handled);
            }
            let came = handler.wait(GLANCE);
            if came.map_err(|reason| Failure::of_call("dead letters cannot be waited for", reason))? {
                break;
            }
        }
        if interrupt.is_wanted() {
            return Ok(handled);
        }
    }
}

fn tell(common: &Common, letter: &Letter, outcome: &Outcome) -> io::Result<()> {
    let (rule, what) = (outcome.rule.map(|rule| rule + 1), &outcome.result);
    let said = match what {
        Ok(Done::Discarded) => "discarded".to_owned(),
        Ok(Done::Put(queue, manager)) if manager.is_blank() => format!("put on {queue}"),
        Ok(Done::Put(queue, manager)) => format!("put on {queue} at {manager}"),
        Ok(Done::Stays) => "stays".to_owned(),
        Err(obstacle) => format!("not done: {obstacle}"),
    };
    match common.output {
        Format::Json => output::print_json(&json!({
            "message_id": letter.descriptor.message_id.to_string(),
            "rule": rule,
            "done": what.is_ok(),
            "outcome": said,
            "reason": what.as_ref().err().and_then(|obstacle| obstacle.reason()).map(Reason::code),
        })),
        Format::Table => {
            let id = letter.descriptor.message_id;
            output::print_line(match (rule, &letter.header) {
                (Some(rule), _) => format!("{id} for {}: rule {rule}: {said}", destination(letter)),
                (None, Ok(_)) => format!("{id} for {}: no rule: {said}", destination(letter)),
                // No rule is for such.
                (None, Err(none)) => format!("{id}: {none}: {said}"),
            })
        }
    }
}
