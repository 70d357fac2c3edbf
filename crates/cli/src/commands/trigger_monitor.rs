//! `ferry trigger-monitor`: gets trigger messages from an initiation queue and starts the programs they name.
//!
//! A program is started as `APPLICID 'MQTMC2' ENVRDATA`, as the user who runs this command: the trigger
//! message in characters is one argument, and `&` at the end of ENVRDATA lets it run beside this command,
//! which otherwise waits for its end.
//!
//! Always: a trigger message names a process and nothing else that is run: program, environment and user
//! data are those of the PROCESS object, by MQINQ, so that only the administrator who defines processes says
//! which programs run. No shell reads any of it (`command_line`). A trigger message is got in a unit of
//! work, and gone once its program was started; one that cannot be read, or whose program cannot be started,
//! goes to the dead-letter queue.

use std::collections::VecDeque;
use std::io::IsTerminal as _;
use std::os::unix::ffi::OsStringExt as _;
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

use bytes::Bytes;
use clap::Args;
use formats::headers::{Place, TriggerMessage};
use mqi::constants::{
    MQAT_UNIX, MQCA_APPL_ID, MQCA_ENV_DATA, MQCA_USER_DATA, MQFB_APPL_CANNOT_BE_STARTED,
    MQFB_APPL_TYPE_ERROR, MQFB_TM_ERROR, MQFMT_TRIGGER, MQIA_APPL_TYPE,
};
use mqi::{
    AttributeValue, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, ObjectName,
    ObjectType, OpenOptions, PutFlags, PutOptions, Reason, Selector, Text, Verbs, Wait,
};
use serde_json::json;

use super::poison_messages::{PoisonMessages, dead_letter_queue};
use crate::command_line::CommandLine;
use crate::interrupt::Interrupt;
use crate::message::MESSAGE_BYTES_MAX;
use terminal::common::Common;
use terminal::failure::{Failure, Result};
use terminal::output::{self, Format, harmless};
use terminal::{connect, units};

/// Where to listen.
#[derive(Debug, Args)]
pub(crate) struct TriggerMonitorArguments {
    /// Initiation queue
    #[arg(short, long, value_name = "QUEUE", default_value = "SYSTEM.DEFAULT.INITIATION.QUEUE")]
    queue: String,
    /// Queue manager; not needed when only one runs
    #[arg(value_name = "QMGR")]
    queue_manager: Option<String>,
    /// End after this number of trigger messages
    #[arg(short = 'n', long, value_name = "MESSAGES", default_value_t = u64::MAX, hide_default_value = true)]
    count: u64,
    /// End when no trigger message came within this time
    #[arg(short, long, value_parser = units::parse_duration, value_name = "TIME")]
    wait: Option<Duration>,
}

impl TriggerMonitorArguments {
    /// A monitor that runs until it is told to end.
    pub(crate) fn endless(queue: &str) -> Self {
        Self { queue: queue.to_owned(), queue_manager: None, count: u64::MAX, wait: None }
    }
}

/// Interval at which a wait checks for a wanted end, and for programs that have ended.
const LOOK: Duration = Duration::from_millis(250);

/// Most programs that run beside this command; the next waits for the oldest to end.
const PROGRAMS_MAX: usize = 64;

/// Starts programs until told to end.
pub(crate) fn run(common: &Common, arguments: &TriggerMonitorArguments) -> Result<()> {
    let common = common.named(arguments.queue_manager.as_deref())?;
    let name = connect::queue_name(&arguments.queue)?;
    let mut session = connect::session(&common)?;
    let opened = session.open_queue(name, OpenOptions::INPUT_AS_Q_DEF | OpenOptions::FAIL_IF_QUIESCING)?;
    let queue = format!("{name} at {}", session.queue_manager());
    let queue_manager = session.queue_manager().to_owned();
    let interrupt = Interrupt::listen()?;
    if std::io::stderr().is_terminal() && common.output == Format::Table {
        output::say(format!("starting programs for {queue}; Ctrl-C ends"));
    }
    let mut monitor = Monitor { queue: name, queue_manager, format: common.output, running: VecDeque::new() };
    let mut done = 0;
    while done < arguments.count {
        let next = next_message(session.verbs(), opened.handle, arguments.wait, &interrupt, &mut monitor)
            .map_err(|reason| Failure::of_call(format!("cannot get from {queue}"), reason))?;
        let Some((descriptor, body)) = next else { break };
        monitor.serve(session.verbs(), &descriptor, &body)?;
        done += 1;
    }
    monitor.look_after_programs()?;
    session.disconnect()
}

/// Returns the next trigger message, in a unit of work; none when an end is wanted or nothing came.
fn next_message(
    verbs: &mut dyn Verbs,
    handle: ObjectHandle,
    wait: Option<Duration>,
    interrupt: &Interrupt,
    monitor: &mut Monitor,
) -> std::result::Result<Option<(MessageDescriptor, Bytes)>, Reason> {
    let until = wait.map(|wait| std::time::Instant::now() + wait);
    loop {
        let left = until.map(|until| until.saturating_duration_since(std::time::Instant::now()));
        if interrupt.is_wanted() {
            return Ok(None);
        }
        let mut descriptor = MessageDescriptor::default();
        let wait = Wait::from(left.unwrap_or(LOOK).min(LOOK));
        let mut options = GetOptions::with(GetFlags::SYNCPOINT | GetFlags::FAIL_IF_QUIESCING, wait);
        match verbs.get(handle, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
            Ok(got) => return Ok(Some((descriptor, got.body))),
            Err(Reason::NO_MSG_AVAILABLE) if left.is_some_and(|left| left.is_zero()) => return Ok(None),
            Err(Reason::NO_MSG_AVAILABLE) => {
                // What cannot be printed is no reason to stop starting programs.
                let _ = monitor.look_after_programs();
            }
            Err(reason) => return Err(reason),
        }
    }
}

/// One trigger monitor.
struct Monitor {
    queue: ObjectName,
    queue_manager: String,
    format: Format,
    /// Programs that run beside this command, oldest first.
    running: VecDeque<Program>,
}

/// A program that was started.
struct Program {
    what: String,
    process: Child,
}

/// A program, and whether it runs beside this command.
struct Started {
    program: Program,
    is_beside: bool,
}

/// Why a trigger message starts nothing, and the feedback that says so.
struct Unserved {
    feedback: i32,
    why: String,
}

impl Monitor {
    /// Starts the program of a trigger message, or puts the message on the dead-letter queue.
    fn serve(&mut self, verbs: &mut dyn Verbs, descriptor: &MessageDescriptor, body: &Bytes) -> Result<()> {
        match self.start(verbs, descriptor, body) {
            Ok(started) => {
                commit(verbs)?;
                self.tell("started", &started.program.what)?;
                self.wait_for(started);
                Ok(())
            }
            Err(unserved) => {
                self.tell("not started", &unserved.why)?;
                self.keep_dead(verbs, descriptor, body, unserved.feedback)?;
                commit(verbs)
            }
        }
    }

    fn start(
        &self,
        verbs: &mut dyn Verbs,
        descriptor: &MessageDescriptor,
        body: &Bytes,
    ) -> std::result::Result<Started, Unserved> {
        let unserved = |feedback, why: String| Unserved { feedback, why };
        let place = Place::of(descriptor);
        if !place.is(MQFMT_TRIGGER) {
            let why = format!("message {} is no trigger message", descriptor.message_id);
            return Err(unserved(MQFB_TM_ERROR, why));
        }
        let said = TriggerMessage::read(&place, body)
            .map_err(|error| unserved(MQFB_TM_ERROR, format!("a trigger message cannot be read: {error}")))?;
        let of = format!("queue {} (process {})", said.queue, said.process);
        let trigger = defined(verbs, &said).map_err(|why| {
            unserved(MQFB_APPL_CANNOT_BE_STARTED, format!("{of}: its process is not to be had: {why}"))
        })?;
        if trigger.application_type != MQAT_UNIX {
            let kind = trigger.application_type;
            let why = format!("{of}: programs of type {kind} do not run here; APPLTYPE(UNIX) do");
            return Err(unserved(MQFB_APPL_TYPE_ERROR, why));
        }
        let line = CommandLine::read(&trigger.application_id, trigger.environment_data.as_str())
            .map_err(|error| unserved(MQFB_APPL_CANNOT_BE_STARTED, format!("{of}: {error}")))?;
        let argument = trigger
            .to_characters(&self.queue_manager, UTF_8)
            .map_err(|reason| unserved(MQFB_TM_ERROR, format!("{of}: {reason}")))?;
        let CommandLine { program, before, after, is_beside } = line;
        let process = Command::new(&program)
            .args(before)
            .arg(std::ffi::OsString::from_vec(argument))
            .args(after)
            .spawn()
            .map_err(|error| {
                let why = format!("{of}: {program} cannot be started: {error}");
                unserved(MQFB_APPL_CANNOT_BE_STARTED, why)
            })?;
        Ok(Started { program: Program { what: format!("{program} for {of}"), process }, is_beside })
    }

    /// Waits for the end of a program, unless it runs beside this command.
    fn wait_for(&mut self, started: Started) {
        let Started { mut program, is_beside } = started;
        if !is_beside {
            let ended = program.process.wait();
            let _ = self.ended(&program.what, ended);
            return;
        }
        if self.running.len() >= PROGRAMS_MAX
            && let Some(mut oldest) = self.running.pop_front()
        {
            let ended = oldest.process.wait();
            let _ = self.ended(&oldest.what, ended);
        }
        self.running.push_back(program);
    }

    /// Says which programs have ended meanwhile.
    fn look_after_programs(&mut self) -> Result<()> {
        let mut index = 0;
        while index < self.running.len() {
            let ended = self.running[index].process.try_wait();
            if matches!(ended, Ok(None)) {
                index += 1;
                continue;
            }
            if let Some(program) = self.running.remove(index) {
                self.ended(&program.what, ended.map(Option::unwrap_or_default))?;
            }
        }
        Ok(())
    }

    fn ended(&self, what: &str, how: std::io::Result<ExitStatus>) -> Result<()> {
        match how {
            Ok(status) if status.success() => self.tell("ended", what),
            Ok(status) => self.tell("failed", &format!("{what}: {status}")),
            Err(error) => self.tell("lost", &format!("{what}: {error}")),
        }
    }

    fn tell(&self, event: &str, what: &str) -> Result<()> {
        match self.format {
            Format::Json => output::print_json(&json!({ "event": event, "what": what }))?,
            Format::Table => output::print_line(format!("{event}: {}", harmless(what)))?,
        }
        Ok(())
    }

    /// Puts a trigger message that starts nothing on the dead-letter queue, in the unit of work that got it.
    fn keep_dead(
        &self,
        verbs: &mut dyn Verbs,
        descriptor: &MessageDescriptor,
        body: &Bytes,
        feedback: i32,
    ) -> Result<()> {
        let Some(dead) = dead_letter_queue(verbs) else {
            // Without one it would come back for ever: what there was to say was said.
            return self.tell("dropped", "the queue manager has no dead-letter queue (ALTER QMGR DEADQ)");
        };
        let aside = PoisonMessages {
            queue: self.queue,
            handle: None,
            queue_manager: &self.queue_manager,
            feedback,
            program: "ferry trigger-monitor",
        };
        let failed = |reason| Failure::of_call(format!("cannot put on the dead-letter queue {dead}"), reason);
        let (mut copy, body) = aside.dead_letter(descriptor, body).map_err(failed)?;
        let mut options =
            PutOptions::with(PutFlags::SYNCPOINT | PutFlags::SYNC_RESPONSE | PutFlags::FAIL_IF_QUIESCING);
        verbs.put1(&ObjectDescriptor::queue(dead), &mut copy, &mut options, body).map_err(failed)
    }
}

fn commit(verbs: &mut dyn Verbs) -> Result<()> {
    verbs.commit().map_err(|reason| Failure::of_call("cannot commit", reason))
}

/// The character set of what is handed to programs.
const UTF_8: i32 = 1208;

/// Returns the trigger message with program, environment and user data as its PROCESS object defines them.
/// Any program that may put on the initiation queue writes the fields of a trigger message.
fn defined(verbs: &mut dyn Verbs, said: &TriggerMessage) -> std::result::Result<TriggerMessage, Reason> {
    let name: ObjectName = said.process.as_str().trim_end().parse().map_err(|_| Reason::OBJECT_NAME_ERROR)?;
    if name.is_blank() {
        return Err(Reason::OBJECT_NAME_ERROR);
    }
    let process = ObjectDescriptor { object_type: ObjectType::Process, ..ObjectDescriptor::queue(name) };
    let handle = verbs.open(&process, OpenOptions::INQUIRE | OpenOptions::FAIL_IF_QUIESCING)?.handle;
    let selectors = [MQIA_APPL_TYPE, MQCA_APPL_ID, MQCA_ENV_DATA, MQCA_USER_DATA].map(Selector);
    let inquired = verbs.inquire(handle, &selectors);
    let _ = verbs.close(handle, mqi::CloseOptions::EMPTY);
    let mut values = inquired?.values.into_iter();
    let Some(AttributeValue::Integer(application_type)) = values.next() else {
        return Err(Reason::UNEXPECTED_ERROR);
    };
    let mut text = || match values.next() {
        Some(AttributeValue::Text(text)) => Ok(text.trim_end().to_owned()),
        _ => Err(Reason::UNEXPECTED_ERROR),
    };
    Ok(TriggerMessage {
        application_type,
        application_id: text()?,
        environment_data: Text::truncated(&text()?),
        user_data: Text::truncated(&text()?),
        ..said.clone()
    })
}
