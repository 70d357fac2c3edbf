//! Commands and their answers; displays of many objects are asked for a page at a time.
//!
//! Lives elsewhere: what a page is (`objects`, AFTER and LIMIT of DISPLAY).
//!
//! Always: the queue manager holds a page of an answer and not all of it; the pages of a display make one
//! answer, which has its messages once.

use std::io::{self, Write};

use client::CommandResponse;
use mqi::Reason;
use objects::messages;
use objects::mqsc::{self, Command, Display, Page};

use terminal::connect::Session;
use terminal::failure::Result;
use terminal::next_step::NextStep;
use terminal::output::{Format, harmless_lines};

/// Objects in a page.
const PAGE_OBJECTS: u32 = 2_000;

/// Executor of commands.
pub(crate) trait Commands {
    /// The queue manager that they are for.
    fn queue_manager(&self) -> &str;

    /// Describes its queue manager for people.
    fn described(&self) -> String {
        format!("queue manager {}", self.queue_manager())
    }

    /// True if commands with a syntax error are not worth sending.
    fn takes_only_ours(&self) -> bool {
        true
    }

    /// Runs one.
    fn command(&mut self, mqsc: &str) -> Result<CommandResponse>;
}

impl Commands for Session {
    fn queue_manager(&self) -> &str {
        self.queue_manager()
    }

    fn command(&mut self, mqsc: &str) -> Result<CommandResponse> {
        self.command(mqsc)
    }
}

/// The place of a page in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) is_first: bool,
    pub(crate) is_last: bool,
}

/// Runs a command and hands on the answer: of a display of many objects a page after the other, of any other
/// the whole. Returns true if it failed.
///
/// # Errors
/// When the queue manager does not answer, or the receiver of the pages fails.
pub(crate) fn ask(
    commands: &mut dyn Commands,
    text: &str,
    take: &mut dyn FnMut(&CommandResponse, Place) -> Result<()>,
) -> Result<bool> {
    let Some(display) = of_many(text).filter(|_| commands.takes_only_ours()) else {
        let response = commands.command(text)?;
        take(&response, Place { is_first: true, is_last: true })?;
        return Ok(response.failed);
    };
    let mut page = next_page(commands, &display, None)?;
    let mut is_first = true;
    loop {
        let next = match end_of(&page) {
            None => None,
            Some(name) => Some(next_page(commands, &display, Some(&name))?),
        };
        // The objects that followed may be gone by now.
        let next = next.filter(|next| next.failed || !next.rows.is_empty());
        take(&page, Place { is_first, is_last: next.is_none() })?;
        is_first = false;
        match next {
            Some(next) => page = next,
            None => return Ok(page.failed),
        }
    }
}

/// Prints a page as a part of one answer: as a person reads it, or as a line of JSON.
pub(crate) fn write(
    output: &mut impl Write,
    format: Format,
    page: &CommandResponse,
    place: Place,
) -> io::Result<()> {
    match format {
        Format::Table if place.is_last => output.write_all(harmless_lines(&page.text).as_bytes()),
        Format::Table => output.write_all(harmless_lines(objects_of(page)).as_bytes()),
        Format::Json => {
            let Some((messages, objects)) = parts(&page.json) else {
                return writeln!(output, "{}", page.json);
            };
            match place.is_first {
                true => write!(output, "{{\"messages\":[{messages}],\"objects\":[{objects}")?,
                false if objects.is_empty() => {}
                false => write!(output, ",{objects}")?,
            }
            if place.is_last { writeln!(output, "]}}") } else { Ok(()) }
        }
    }
}

/// The display in a text of one command, if it may be about more objects than a page has.
fn of_many(text: &str) -> Option<Display> {
    let mut commands = mqsc::parse(text).ok()?;
    match (commands.pop(), commands.is_empty()) {
        (Some(Command::Display(display)), true) if display.in_page(first_page()).is_some() => Some(display),
        _ => None,
    }
}

fn first_page() -> Page {
    Page::of(PAGE_OBJECTS, None)
}

fn next_page(commands: &mut dyn Commands, display: &Display, after: Option<&str>) -> Result<CommandResponse> {
    let page = display.in_page(Page::of(PAGE_OBJECTS, after)).unwrap_or_else(|| display.clone());
    commands.command(&Command::Display(page).to_string())
}

/// The name of the object that a page ends with, where more follow.
fn end_of(page: &CommandResponse) -> Option<String> {
    let ends = page.messages.iter().any(|message| message.id == messages::PAGE_ENDS.id());
    // The first attribute of an object is its name.
    let name = page.rows.last().and_then(|row| row.first()).map(|(_, name)| name.clone());
    name.filter(|_| ends)
}

/// Returns true for the answer to a search that found nothing. The text says so by any way that commands go.
pub(crate) fn finds_nothing(page: &CommandResponse) -> bool {
    let [queue, other] = [&messages::NO_QUEUE_MATCHES, &messages::NOTHING_MATCHES].map(|row| row.id() + ": ");
    page.text.lines().any(|line| line.starts_with(&queue) || line.starts_with(&other))
}

/// The next steps after the refusals of a page, each once.
pub(crate) fn next_steps(page: &CommandResponse) -> Vec<NextStep> {
    let mut steps: Vec<NextStep> = Vec::new();
    for message in page.messages.iter().filter(|_| page.failed) {
        let step = next_step_of(&message.id, &message.text);
        let step = step.map(NextStep::of).filter(|step| !steps.contains(step));
        steps.extend(step);
    }
    steps
}

/// The beginning of a remedy that is in the text of the message.
const IN_TEXT: &str = "Do what the text says";

/// The remedy of a message of a refusal, if it has one beside its text: that of its reason, if it names one.
fn next_step_of(id: &str, text: &str) -> Option<&'static str> {
    let row = messages::find(id).filter(|row| row.severity == messages::Severity::Error)?;
    let digits = |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect::<String>();
    let code = text.split_once(" failed: ").and_then(|(_, rest)| digits(rest).parse().ok());
    let reason = code.map(Reason::from_code).filter(|reason| reason.is_defined());
    let action = reason.map_or(row.action, Reason::action);
    (!action.starts_with("None.") && !action.starts_with(IN_TEXT)).then_some(action)
}

/// The objects of a page as a person reads them, without the messages that follow them.
fn objects_of(page: &CommandResponse) -> &str {
    page.messages.iter().rev().fold(&*page.text, |text, message| {
        text.strip_suffix(&*format!("{}: {}\n", message.id, message.text)).unwrap_or(text)
    })
}

/// The messages of an answer in JSON but the one that a page ends with, and its objects.
fn parts(json: &str) -> Option<(&str, &str)> {
    // A quote within a text has a backslash before it, so that this is found in no text.
    let (messages, objects) = json.split_once("],\"objects\":[")?;
    let messages = messages.strip_prefix("{\"messages\":[")?;
    let end = messages.find(&format!("{{\"id\":\"{}\"", messages::PAGE_ENDS.id()));
    let messages = end.map_or(messages, |end| messages[..end].trim_end_matches(','));
    Some((messages, objects.trim_end().strip_suffix("]}")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use client::CommandMessage;

    /// A queue manager with these queues, a few to a page; one of them goes away between two pages.
    struct Few {
        names: Vec<&'static str>,
        goes: Option<&'static str>,
        asked: Vec<String>,
    }

    impl Few {
        const IN_A_PAGE: usize = 2;

        fn with(names: &[&'static str]) -> Self {
            Self { names: names.to_vec(), goes: None, asked: Vec::new() }
        }

        /// All that is printed for a command.
        fn printed(&mut self, text: &str, format: Format) -> String {
            let mut output = Vec::new();
            let failed = ask(self, text, &mut |page, place| Ok(write(&mut output, format, page, place)?));
            assert!(!failed.expect("it answers"));
            String::from_utf8(output).expect("text")
        }
    }

    impl Commands for Few {
        fn queue_manager(&self) -> &str {
            "QM1"
        }

        fn command(&mut self, text: &str) -> Result<CommandResponse> {
            self.asked.push(text.to_owned());
            let commands = mqsc::parse(text).expect("a command");
            let [Command::Display(display)] = &commands[..] else { panic!("{text}") };
            let left: Vec<_> = self.names.iter().filter(|name| !display.page.is_behind(name)).collect();
            let shown = &left[..left.len().min(Self::IN_A_PAGE)];
            let nag = objects::Message::new(&messages::EXPOSED, ["QM1"]);
            let ends = (shown.len() < left.len())
                .then(|| objects::Message::new(&messages::PAGE_ENDS, [shown[shown.len() - 1]]));
            let told: Vec<_> = std::iter::once(nag).chain(ends).collect();
            let objects: Vec<_> = shown.iter().map(|name| format!("{{\"queue\":\"{name}\"}}")).collect();
            let said: Vec<_> = told
                .iter()
                .map(|message| {
                    format!("{{\"id\":\"{}\",\"severity\":\"x\",\"text\":\"-\"}}", message.row().id())
                })
                .collect();
            let lines = shown.iter().map(|name| format!("   QUEUE({name})\n"));
            let response = CommandResponse {
                failed: false,
                messages: told
                    .iter()
                    .map(|message| CommandMessage { id: message.row().id(), text: message.text() })
                    .collect(),
                rows: shown.iter().map(|name| vec![("QUEUE".to_owned(), (**name).to_owned())]).collect(),
                json: format!("{{\"messages\":[{}],\"objects\":[{}]}}", said.join(","), objects.join(",")),
                text: lines.chain(told.iter().map(|message| format!("{message}\n"))).collect(),
            };
            if let Some(gone) = self.goes {
                self.names.retain(|name| *name != gone);
            }
            Ok(response)
        }
    }

    #[test]
    fn the_pages_of_a_display_are_printed_as_one_answer() {
        let nag = objects::Message::new(&messages::EXPOSED, ["QM1"]).to_string();
        for (names, pages) in [
            (&[][..], 1),
            (&["A"][..], 1),
            (&["A", "B"], 1),
            (&["A", "B", "C"], 2),
            (&["A", "B", "C", "D", "E"], 3),
        ] {
            let mut few = Few::with(names);
            let lines: String = names.iter().map(|name| format!("   QUEUE({name})\n")).collect();
            assert_eq!(few.printed("DISPLAY QLOCAL(*)", Format::Table), format!("{lines}{nag}\n"));
            assert_eq!(few.asked.len(), pages, "{:?}", few.asked);
            let json = Few::with(names).printed("DISPLAY QLOCAL(*)", Format::Json);
            assert_eq!(json.lines().count(), 1, "{json}");
            let answer: serde_json::Value = serde_json::from_str(&json).expect("JSON");
            let told: Vec<_> = answer["objects"].as_array().expect("objects").clone();
            let told: Vec<_> = told.iter().map(|object| object["queue"].as_str().expect("a name")).collect();
            assert_eq!(told, names);
            assert_eq!(answer["messages"].as_array().expect("messages").len(), 1, "{json}");
        }
    }

    #[test]
    fn objects_that_are_gone_when_their_page_is_asked_for_are_no_page() {
        for format in [Format::Table, Format::Json] {
            let mut few = Few { goes: Some("C"), ..Few::with(&["A", "B", "C"]) };
            let printed = few.printed("DISPLAY QLOCAL(*)", format);
            assert_eq!(few.asked.len(), 2, "{:?}", few.asked);
            assert!(printed.contains('B') && !printed.contains("(C)"), "{printed}");
            if format == Format::Json {
                serde_json::from_str::<serde_json::Value>(&printed).expect("JSON");
            }
        }
    }

    #[test]
    fn a_refusal_has_the_next_step_of_its_reason_or_of_its_message() {
        for (row, text, expected) in [
            (
                &messages::QUEUE_NOT_EMPTY,
                "Queue Q cannot be deleted; messages on it: 1.",
                Some("Get the messages"),
            ),
            (&messages::OBJECT_OPEN, "Queue Q is in use; handles open on it: 1.", Some("DISPLAY QSTATUS(")),
            (
                &messages::COMMAND_FAILED,
                "CLEAR QLOCAL(Q) failed: 2016 MQRC_GET_INHIBITED.",
                Some(Reason::GET_INHIBITED.action()),
            ),
            (&messages::COMMAND_FAILED, "ALTER Q failed: it is odd; write an even one.", None),
            (&messages::NO_QUEUE_MATCHES, "No queue matches A*.", None),
            (&messages::QUEUE_MANAGER_CHANGED, "Queue manager QM1 changed.", None),
        ] {
            let step = next_step_of(&row.id(), text);
            let is_expected = step.map(|step| expected.is_some_and(|expected| step.starts_with(expected)));
            assert_eq!(is_expected, expected.map(|_| true), "{text}: {step:?}");
        }
        assert_eq!(next_step_of("FRY0000E", "no message"), None);
    }

    #[test]
    fn a_display_of_one_object_or_of_a_page_is_asked_for_as_it_is_written() {
        for text in ["dis ql(A)", "DISPLAY QLOCAL(*) LIMIT(1)", "DISPLAY CONN(*)"] {
            let mut few = Few::with(&["A"]);
            few.printed(text, Format::Table);
            assert_eq!(few.asked, [text]);
        }
    }
}
