//! The statements of one command text, executed one after the other, and the parts of their answer.
//!
//! Lives here: what has been answered, and what comes next. Lives elsewhere: on which thread, and how many
//! parts are on their way (`administration`).
//!
//! Always: no more of an answer is held than a part, or the whole that one frame may have.

use std::sync::{Arc, Weak};

use channel::RequestNumber;
use channel::client::{CommandMessage, CommandResponse};
use objects::Command;
use objects::mqsc::Statements;
use platform::sync::Mutex;
use queue_manager::{
    CommandHold, CommandRoom, Course, Gated, Issuer, Piece, PlaceInLine, QueueManager, Waiter,
};

/// Bytes of an answer behind which a part ends, about: one object may take as much again.
const PART_BYTES: usize = 128 << 10;

/// Bytes of the answer to a program that takes no parts, behind which the rest is left out.
const WHOLE_BYTES: usize = 4 << 20;

/// Longest text that may be run while others wait: a few dozen commands.
const SHORT_TEXT_BYTES: usize = 4 << 10;

/// Form of the answer to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Parts of any number.
    Parts,
    /// One, which is cut at its largest size.
    Whole,
}

impl Form {
    /// Bytes of a part.
    const fn bytes(self) -> usize {
        match self {
            Self::Parts => PART_BYTES,
            Self::Whole => WHOLE_BYTES,
        }
    }

    /// Bytes that are held for a part before it is made.
    pub(super) const fn place(self) -> usize {
        match self {
            Self::Parts => 2 * PART_BYTES,
            Self::Whole => WHOLE_BYTES,
        }
    }
}

/// State of a text behind a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    Working,
    /// A part is full, or the answer is whole.
    Answers,
}

/// A text under way.
pub(super) struct Script {
    issuer: Issuer,
    left: Statements,
    form: Form,
    /// The room of its text.
    text: CommandHold,
    /// The statement that is not at its end.
    course: Option<Course>,
    answered: Gated<objects::Response>,
    /// Bytes of that on its way, about.
    bytes: usize,
    is_over: bool,
}

impl Script {
    /// The text whose first line has this number.
    pub(super) fn new(issuer: Issuer, text: &str, first_line: usize, form: Form, hold: CommandHold) -> Self {
        let left = Statements::of(text, first_line);
        let answered = Gated::free(objects::Response::default());
        Self { issuer, left, form, text: hold, course: None, answered, bytes: 0, is_over: false }
    }

    /// True if it takes long, so that others should not wait for it.
    pub(super) fn is_long(text: &str, queue_manager: &QueueManager) -> bool {
        let mut commands = Statements::of(text, 1).filter_map(|statement| statement.command.ok());
        text.len() > SHORT_TEXT_BYTES || commands.any(|command| Course::is_long(&command, queue_manager))
    }

    /// The form of its answer.
    pub(super) fn form(&self) -> Form {
        self.form
    }

    /// True if nothing is left to do or to answer.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Does a statement, or a piece of one.
    pub(super) fn go_on(&mut self, queue_manager: &QueueManager) -> Progress {
        if self.is_full() && self.form == Form::Parts {
            return Progress::Answers;
        }
        let course = match &mut self.course {
            Some(course) => course,
            None => match self.left.next().map(|statement| statement.command) {
                None => {
                    self.is_over = true;
                    return Progress::Answers;
                }
                Some(Err(error)) => {
                    let messages = vec![error.into()];
                    self.gather(Gated::free(objects::Response { messages, ..objects::Response::default() }));
                    return Progress::Working;
                }
                Some(Ok(command)) => self.course.insert(Course::new(self.issuer.clone(), command)),
            },
        };
        if self.bytes >= self.form.bytes() && is_question(course.command()) {
            self.course = None;
            self.gather(Gated::free(objects::Response::default()));
            return Progress::Working;
        }
        match course.go_on(queue_manager, self.form.bytes().saturating_sub(self.bytes)) {
            Piece::Working => {}
            Piece::Part(response) => {
                self.gather(response);
                if self.is_full() && self.form == Form::Whole {
                    self.end_early();
                }
            }
            Piece::Last(response) => {
                self.course = None;
                self.gather(response);
            }
        }
        Progress::Working
    }

    /// Takes what has been answered since the last part.
    pub(super) fn take_answer(&mut self) -> Gated<CommandResponse> {
        self.text.shrink(self.left.left());
        self.bytes = 0;
        let free = Gated::free(objects::Response::default());
        std::mem::replace(&mut self.answered, free).map(|answered| rendered(&answered))
    }

    fn is_full(&self) -> bool {
        self.bytes >= self.form.bytes()
    }

    /// Ends a question whose answer has no room for more.
    fn end_early(&mut self) {
        let Some(course) = self.course.take() else { return };
        let is_page = matches!(course.command(), Command::Display(display) if display.page.limit.is_some());
        let free = Gated::free(objects::Response::default());
        self.answered = std::mem::replace(&mut self.answered, free).map(move |all| all.ended(is_page));
    }

    /// Adds to what has been answered: all of it leaves with the highest need.
    fn gather(&mut self, response: Gated<objects::Response>) {
        let before = std::mem::replace(&mut self.answered, Gated::free(objects::Response::default()));
        if self.is_full() {
            self.answered = before.and_beyond(response);
            return;
        }
        self.bytes += response.weight();
        self.answered = before.and(response);
    }
}

/// A text under way, with the room for the parts of its answer.
///
/// Of a text one part is made, or on its way; the next is begun when the program has read that. A text that
/// waits for room holds none for an answer.
pub(super) struct Underway {
    pub(super) request: RequestNumber,
    pub(super) script: Arc<Mutex<Script>>,
    pub(super) is_long: bool,
    step: Step,
}

/// Step of a text.
enum Step {
    /// It waits for room for its next part.
    Waits(Option<PlaceInLine>),
    /// A part of its answer is made, or waits to be read.
    Answers(Weak<CommandHold>),
}

impl Underway {
    pub(super) fn new(request: RequestNumber, script: Script, is_long: bool) -> Self {
        Self { request, script: Arc::new(Mutex::new(script)), is_long, step: Step::Waits(None) }
    }

    /// Room for the next part, once the one before was read.
    pub(super) fn take_room(&mut self, room: &Arc<CommandRoom>, waiter: &Waiter) -> Option<Arc<CommandHold>> {
        if let Step::Answers(part) = &self.step {
            if part.strong_count() > 0 {
                return None;
            }
            self.step = Step::Waits(None);
        }
        let Step::Waits(place) = &mut self.step else { return None };
        let bytes = self.script.lock().form().place();
        let hold = Arc::new(room.hold_answer(bytes, place, waiter)?);
        self.step = Step::Answers(Arc::downgrade(&hold));
        Some(hold)
    }
}

/// Returns true for a command that changes nothing.
fn is_question(command: &Command) -> bool {
    matches!(command, Command::Display(_))
}

/// A response as data and as text.
fn rendered(response: &objects::Response) -> CommandResponse {
    let messages = response
        .messages
        .iter()
        .map(|message| CommandMessage { id: message.row().id(), text: message.text() })
        .collect();
    let rows = response
        .rows
        .iter()
        .map(|row| {
            let shown = |field: &objects::Field| {
                (field.attribute.keyword.to_string(), field.value.shown(field.attribute))
            };
            row.fields.iter().map(shown).collect()
        })
        .collect();
    CommandResponse {
        failed: !response.is_ok(),
        messages,
        rows,
        json: response.to_json(),
        text: response.to_string(),
    }
}
