//! Where messages to put come from: arguments, files, standard input.

use std::fs::File;
use std::io::{self, BufRead as _, IsTerminal as _, Read as _};
use std::path::Path;
use std::sync::mpsc::{self, Receiver};

use bytes::Bytes;

use super::Bodies;
use crate::commands::get::MESSAGE_BYTES_MAX;
use crate::failure::{Exit, Failure, Result};
use crate::{output, whole};

/// Most lines handed over at once: enough that handing over costs nothing.
const LINES_MAX: usize = 256;

/// Most bytes of lines handed over at once.
const LINES_BYTES_MAX: usize = 256 << 10;

/// Most bytes that end a line.
const END_BYTES_MAX: u64 = b"\r\n".len() as u64;

/// Where messages come from.
pub(in crate::commands) enum Source {
    /// These, as often as was asked for.
    Fixed(Vec<Bytes>),
    /// The lines of standard input.
    Lines,
}

impl Source {
    /// What the arguments say; files and whole inputs are read here.
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
    whole::read(input, "message", MESSAGE_BYTES_MAX).map(Bytes::from)
}

/// Lines of standard input without their ends, in handfuls; at most two handfuls wait.
pub(super) fn read_lines() -> Receiver<io::Result<Vec<Bytes>>> {
    let (sender, receiver) = mpsc::sync_channel(2);
    std::thread::spawn(move || {
        let mut input = io::BufReader::with_capacity(LINES_BYTES_MAX, io::stdin().lock());
        loop {
            match read_handful(&mut input) {
                Ok(lines) if lines.is_empty() => return,
                outcome => {
                    let failed = outcome.is_err();
                    if sender.send(outcome).is_err() || failed {
                        return;
                    }
                }
            }
        }
    });
    receiver
}

/// The lines that are there, at least one unless the input ended; waits only for the first.
fn read_handful(input: &mut io::BufReader<impl io::Read>) -> io::Result<Vec<Bytes>> {
    let mut lines = Vec::new();
    let mut bytes = 0;
    loop {
        let mut line = Vec::new();
        // Input without any end of a line must not fill the memory.
        if input.by_ref().take(MESSAGE_BYTES_MAX as u64 + END_BYTES_MAX).read_until(b'\n', &mut line)? == 0 {
            return Ok(lines);
        }
        if line.ends_with(b"\n") {
            line.pop();
        }
        if line.ends_with(b"\r") {
            line.pop();
        }
        if line.len() > MESSAGE_BYTES_MAX {
            return Err(whole::too_long("a line", "message", MESSAGE_BYTES_MAX));
        }
        bytes += line.len();
        lines.push(line.into());
        let more_is_there = input.buffer().contains(&b'\n');
        if lines.len() == LINES_MAX || bytes >= LINES_BYTES_MAX || !more_is_there {
            return Ok(lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_in_handfuls_and_lose_nothing() {
        let text: String =
            (0..1000).map(|number| format!("line {number}\r\n")).collect::<String>() + "\nlast";
        let mut input = io::BufReader::with_capacity(64, text.as_bytes());
        let mut lines = Vec::new();
        loop {
            let handful = read_handful(&mut input).unwrap();
            if handful.is_empty() {
                break;
            }
            assert!(handful.len() <= LINES_MAX);
            lines.extend(handful);
        }
        assert_eq!(lines.len(), 1002);
        assert_eq!(lines[999], "line 999");
        assert_eq!((&lines[1000][..], &lines[1001][..]), (&b""[..], &b"last"[..]));
    }

    #[test]
    fn input_without_end_is_no_message_and_does_not_fill_the_memory() {
        let mut endless = io::BufReader::new(io::repeat(b'x'));
        for outcome in [read_handful(&mut endless).map(drop), read_whole(endless).map(drop)] {
            let error = outcome.unwrap_err();
            assert!(error.to_string().ends_with("has more than 100 MiB, which no message has"), "{error}");
        }
        let most = [&vec![b'x'; MESSAGE_BYTES_MAX][..], b"\r\n"].concat();
        let lines = read_handful(&mut io::BufReader::new(&most[..])).unwrap();
        assert_eq!((lines.len(), lines[0].len()), (1, MESSAGE_BYTES_MAX));
    }
}
