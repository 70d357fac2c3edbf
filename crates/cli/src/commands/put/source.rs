//! Where messages to put come from: arguments, files, standard input.

use std::fs::File;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::sync::mpsc::Receiver;

use bytes::Bytes;

use super::Bodies;
use crate::bounded_input;
use crate::lines::{self, Unread};
use crate::message::MESSAGE_BYTES_MAX;
use terminal::failure::{Exit, Failure, Result};
use terminal::output;

/// Where messages come from.
pub(in crate::commands) enum BodySource {
    /// These, as often as was asked for.
    Fixed(Vec<Bytes>),
    /// The lines of standard input.
    Lines,
}

impl BodySource {
    /// Opens the source that the arguments choose; files and whole inputs are read here.
    pub(in crate::commands) fn of(arguments: &Bodies) -> Result<Self> {
        if !arguments.texts.is_empty() {
            return Ok(Self::Fixed(arguments.texts.iter().map(|text| Bytes::from(text.clone())).collect()));
        }
        if !arguments.files.is_empty() {
            return Ok(Self::Fixed(
                arguments.files.iter().map(|path| read_file(path)).collect::<Result<_>>()?,
            ));
        }
        if arguments.whole {
            return Ok(Self::Fixed(vec![read_whole(io::stdin().lock())?]));
        }
        if arguments.repeat != 1 {
            return Err(Failure::usage("lines of standard input can be put only once")
                .next("give the message as an argument, before --repeat"));
        }
        if io::stdin().is_terminal() {
            output::say("One message a line; Ctrl-D ends.");
        }
        Ok(Self::Lines)
    }
}

fn read_file(path: &Path) -> Result<Bytes> {
    match File::open(path).and_then(read_whole) {
        Ok(body) => Ok(body),
        Err(error) => {
            let exit = if error.kind() == io::ErrorKind::NotFound { Exit::NotFound } else { Exit::Failed };
            Err(Failure::new(exit, format!("cannot read the file {}: {error}", path.display()))
                .next("check the path; to put the text itself, leave out --file"))
        }
    }
}

/// All of an input that may be a message.
fn read_whole(input: impl io::Read) -> io::Result<Bytes> {
    bounded_input::read(input, "message", MESSAGE_BYTES_MAX).map(Bytes::from)
}

/// The lines of standard input, each a message.
pub(super) fn read_lines() -> Receiver<std::result::Result<Vec<Vec<u8>>, Unread>> {
    lines::read_ahead(Box::new(io::stdin()), MESSAGE_BYTES_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_without_end_is_no_message_and_does_not_fill_the_memory() {
        let error = read_whole(io::repeat(b'x')).unwrap_err();
        assert!(error.to_string().ends_with("has more than 100 MiB, which no message has"), "{error}");
    }
}
