//! `ferry browse`: the messages of a queue, left where they are.

use std::io::{self, IsTerminal as _, Write as _};

use clap::Args;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectHandle, ObjectName, OpenOptions, Persistence, Reason,
    Verbs, Wait,
};

use super::get::{Chosen, Condition, Printer};
use crate::body_summary::gist;
use crate::message::{self, BodyForm, MESSAGE_BYTES_MAX, Message, RawArgument};
use terminal::common::Common;
use terminal::failure::{Failure, Result};
use terminal::output::{self, Format, Output, Paint};
use terminal::{connect, units};

/// Browses a queue.
#[derive(Debug, Args)]
pub(crate) struct BrowseArguments {
    /// Queue to look at
    queue: String,
    /// Maximum number of messages to show
    #[arg(short = 'n', long, value_name = "MESSAGES", default_value_t = u64::MAX, hide_default_value = true)]
    count: u64,
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    condition: Condition,
    /// Print only the bodies, one a line
    #[arg(long, conflicts_with = "describe")]
    bodies: bool,
    /// Print the whole descriptor and the properties before each body
    #[arg(short, long)]
    describe: bool,
    #[command(flatten)]
    raw: RawArgument,
}

/// Shows the messages.
pub(crate) fn run(common: &Common, arguments: &BrowseArguments) -> Result<()> {
    let name = connect::queue_name(&arguments.queue)?;
    let mut session = connect::session(common)?;
    let open = OpenOptions::BROWSE | OpenOptions::FAIL_IF_QUIESCING;
    let opened = session.open_selecting(name, open, &arguments.condition.condition)?;
    let queue = format!("{name} at {}", session.queue_manager());
    let printer = Printer {
        format: common.output,
        describe: arguments.describe,
        form: arguments.raw.form(),
        is_terminal: io::stdout().is_terminal(),
    };
    let whole = arguments.bodies || arguments.describe;
    let table = (common.output == Format::Table && !whole && printer.form == BodyForm::Apart)
        .then(|| Paint::for_stream(printer.is_terminal));
    let mut browser = Browser {
        verbs: session.verbs(),
        handle: opened.handle,
        pattern: arguments.chosen.descriptor(),
        printer,
        table,
        output: output::standard(),
        shown: 0,
    };
    if let Some(reason) = browser.browse(arguments.count)? {
        return Err(Failure::of_call(format!("cannot browse {queue}"), reason));
    }
    if browser.shown == 0 && common.output == Format::Table {
        say_nothing_is_there(&name, arguments)?;
    }
    session.disconnect()
}

fn say_nothing_is_there(name: &ObjectName, arguments: &BrowseArguments) -> Result<()> {
    let is_all = arguments.chosen.is_all() && arguments.condition.condition.is_empty();
    output::say(format!("{name} has no {}message", if is_all { "" } else { "such " }));
    Ok(())
}

struct Browser<'a> {
    verbs: &'a mut dyn Verbs,
    handle: ObjectHandle,
    pattern: MessageDescriptor,
    printer: Printer,
    /// Paint of a table with one line for each message; none prints messages whole.
    table: Option<Paint>,
    output: Output,
    shown: u64,
}

impl Browser<'_> {
    /// Shows so many messages; answers the reason when a call was refused for another cause than the end.
    fn browse(&mut self, count: u64) -> io::Result<Option<Reason>> {
        let mut flags = GetFlags::BROWSE_FIRST;
        while self.shown < count {
            let mut descriptor = self.pattern.clone();
            let mut options = GetOptions::with(flags | self.printer.flags(), Wait::No);
            match self.verbs.get(self.handle, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
                Ok(got) => self.show(&Message { descriptor, body: got.body })?,
                Err(Reason::NO_MSG_AVAILABLE) => break,
                Err(reason) => {
                    self.output.flush()?;
                    return Ok(Some(reason));
                }
            }
            flags = GetFlags::BROWSE_NEXT;
        }
        self.output.flush()?;
        Ok(None)
    }

    fn show(&mut self, message: &Message) -> io::Result<()> {
        self.shown += 1;
        let Some(paint) = &self.table else { return self.printer.print(&mut self.output, message) };
        if self.shown == 1 {
            writeln!(self.output, "{}", paint.dim(HEADING))?;
        }
        writeln!(self.output, "{}", row(self.shown, message))
    }
}

const HEADING: &str = "     #  put                     pri  pers      size  body";

/// Most characters of a body in a table.
const PREVIEW_CHARACTERS: usize = 48;

fn row(number: u64, message: &Message) -> String {
    let descriptor = &message.descriptor;
    let put = message::put_time(descriptor);
    let gist = gist(descriptor, &message.body, PREVIEW_CHARACTERS);
    format!(
        "{number:>6}  {:22}  {:>3}  {:4}  {:>8}  {}",
        put.trim_end_matches(" UTC"),
        descriptor.priority.code(),
        if descriptor.persistence == Persistence::Persistent { "yes" } else { "no" },
        units::bytes(gist.bytes as u64),
        gist.line
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_stands_under_its_heading() {
        let descriptor = MessageDescriptor {
            put_date: mqi::Text::truncated("20261120"),
            put_time: mqi::Text::truncated("09265312"),
            persistence: Persistence::Persistent,
            priority: mqi::Priority::new(4),
            ..MessageDescriptor::default()
        };
        let message = Message { descriptor, body: "hello".into() };
        insta::assert_snapshot!(format!("{HEADING}\n{}", row(1, &message)), @r"
             #  put                     pri  pers      size  body
             1  2026-11-20 09:26:53.12    4  yes        5 B  hello
        ");
    }
}
