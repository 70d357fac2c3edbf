//! S10: words of strangers in the error log and the record of refusals: line ends, escapes, percent signs,
//! NUL, bytes that are no text, and ten kilobytes.
//!
//! One event is one line, with no byte in it that a terminal would obey, and no longer than a line may be. A
//! flood of one source is told of ten times a second, and the rest is counted. Controls: lines that a
//! stranger wrote are found by the same judge.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use channel::Hello;

use super::super::installation::Broken;
use super::super::looks::wait_until;
use super::super::{Outcome, Size};
use super::of_cases;
use super::secured::{Secured, credentials, opening, refusal, socket};

/// Most bytes of a line, with all that a stranger may say in it.
const LINE_BYTES_MAX: usize = 4_096;
/// Events of a source that are told in a second.
const REPORTS_MAX: usize = 10;
/// Strangers of the flood.
const FLOOD: usize = 300;
/// A log is written within this.
const WRITTEN_MAX: Duration = Duration::from_secs(10);
const CHANNEL: &str = "LINES";
/// A line that would be taken for one of the log's.
const FORGED: &str = "2026-01-01T00:00:00.000000Z FRY5004I TORTURED forged";

/// Texts that do harm where they are printed as they are.
fn texts() -> Vec<Vec<u8>> {
    let forged = |end: &str| format!("x{end}{FORGED}{end}").into_bytes();
    vec![
        forged("\n"),
        forged("\r"),
        forged("\r\n"),
        forged("\u{2028}"),
        forged("\u{85}"),
        b"\x1b[2J\x1b]0;owned\x07\x1b[31m".to_vec(),
        "\u{9b}2J\u{202e}txet".as_bytes().to_vec(),
        b"%s%n%x%1000000d{}{0}".to_vec(),
        b"before\0behind".to_vec(),
        b"\xff\xfe\x80\xc0\xaf".to_vec(),
        b"\",\"forged\":\"x".to_vec(),
        vec![b'A'; 10 << 10],
    ]
}

/// The name or field that says it.
const FIELDS: [&str; 5] = ["channel", "queue manager", "application", "user", "user of the password"];

/// Has strangers say such words.
#[must_use]
pub fn injected(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    of_cases("lines", folder, size, |place, outcome| run(ferry, place, outcome))
}

fn run(ferry: &Path, place: &Path, outcome: &mut Outcome) -> Result<(), Broken> {
    let mut secured = Secured::start(ferry, place, "[errors]\nflood_max = 100000\n", |_| Ok(()))?;
    secured.let_in(CHANNEL, "lines")?;
    let folder = secured.installation.folder();
    let port = secured.server.port();
    let mut said = 0;
    for (number, text) in texts().iter().enumerate() {
        for field in FIELDS {
            let answer = say(port, field, text)?;
            said += 1;
            outcome.case(&format!("text {number} as {field}"), judge_answer(&answer));
            // Ten in a second are told of: these are, each.
            std::thread::sleep(Duration::from_millis(110));
        }
        // Behind the login, as a program that is let in.
        if let Ok(text) = String::from_utf8(text.iter().copied().take(200).collect()) {
            let options = secured.options(CHANNEL).application(text);
            let connected = client::Connection::connect(options);
            let told = match connected {
                Ok(mut one) => one.command("DISPLAY CONN(*)").map(|told| told.text).unwrap_or_default(),
                Err(refused) => refused.to_string(),
            };
            let told: String = told.lines().filter(|line| line.contains("forged")).collect();
            let whole = if told.starts_with(&FORGED[..10]) { Err(told) } else { Ok(()) };
            outcome.case(&format!("text {number} as the name of a program"), whole);
        }
    }
    // What the words of a login come to is in the log once this is.
    let last = secured.options("NO.SUCH.CHANNEL").credentials(credentials("the.last.one", "x")?);
    refusal(last)?;
    wait_until("the last refusal is in the log", WRITTEN_MAX, || {
        read(&folder, "errors")
            .is_ok_and(|log| contains(&log, b"the.last.one") || contains(&log, b"NO.SUCH.CHANNEL"))
    })?;
    let errors = read(&folder, "errors")?;
    outcome.case("the error log", judge_log(&errors));
    outcome.case("the record of refusals", judge_records(&read(&folder, "audit").unwrap_or_default()));
    outcome.case("control: a line that a stranger wrote", finds(&errors));
    let before = warnings(&errors);
    let began = Instant::now();
    for _ in 0..FLOOD {
        let mut one = socket(port)?;
        one.write_all(b"flood of strangers\n").map_err(|error| error.to_string())?;
    }
    let seconds = began.elapsed().as_secs() as usize + 2;
    std::thread::sleep(Duration::from_millis(1_200));
    // One more has the rest counted.
    socket(port)?.write_all(b"flood of strangers\n").map_err(|error| error.to_string())?;
    std::thread::sleep(Duration::from_millis(300));
    let errors = read(&folder, "errors")?;
    let told = warnings(&errors) - before;
    let most = REPORTS_MAX * (seconds + 1);
    let bounded = if (1..=most).contains(&told) && told < FLOOD {
        Ok(())
    } else {
        Err(format!("{told} lines for {FLOOD} strangers in {seconds} s"))
    };
    outcome.case("a flood", bounded);
    outcome.note(format!("{said} words, {told} lines about {FLOOD} strangers"));
    secured.end();
    Ok(())
}

/// A login that says a text in this field; the answer to it.
fn say(port: u16, field: &str, text: &[u8]) -> Result<Vec<u8>, Broken> {
    const MARK: &str = "MARKED";
    let hello = |name: &str| if field == name { MARK.to_owned() } else { String::new() };
    let hello = Hello {
        channel: hello("channel"),
        queue_manager: hello("queue manager"),
        application: hello("application"),
        user: hello("user"),
        identifies: field == FIELDS[4],
        ..Hello::default()
    };
    let mut frames = vec![opening(&hello)];
    if field == FIELDS[4] {
        let mut identify = Vec::new();
        credentials(MARK, "wrong")?.encode(&mut identify);
        frames.push(identify);
    }
    let mut one = socket(port)?;
    for (number, frame) in frames.iter().enumerate() {
        let start = if number == 0 { channel::preamble::MAGIC.len() } else { 0 };
        let frame = with_text(frame, start, MARK.as_bytes(), text, number == 1);
        // It may be refused by its length before all of it is there.
        let _ = one.write_all(&frame);
    }
    let _ = one.shutdown(std::net::Shutdown::Write);
    let mut answer = Vec::new();
    // A refusal may come with a reset, as more was sent than was read.
    let _ = one.read_to_end(&mut answer);
    Ok(answer)
}

/// The frame at `start` with a text in the place of a mark, and with its lengths.
fn with_text(frame: &[u8], start: usize, mark: &[u8], text: &[u8], is_wide: bool) -> Vec<u8> {
    let Some(place) = frame.windows(mark.len()).position(|window| window == mark) else {
        return frame.to_vec();
    };
    let mut changed = frame[..place].to_vec();
    // A short text has a byte of length, the user of a password two.
    if is_wide {
        changed.truncate(place - 2);
        changed.extend((text.len() as u16).to_le_bytes());
        changed.extend_from_slice(text);
    } else {
        let text = &text[..text.len().min(255)];
        changed.truncate(place - 1);
        changed.push(text.len() as u8);
        changed.extend_from_slice(text);
    }
    changed.extend_from_slice(&frame[place + mark.len()..]);
    let counted = (changed.len() - start - 4) as u32;
    changed[start..start + 4].copy_from_slice(&counted.to_le_bytes());
    changed
}

/// An answer says nothing that a terminal would obey: a program may print it.
fn judge_answer(answer: &[u8]) -> Result<(), Broken> {
    if contains(answer, b"\x1b[") || contains(answer, FORGED.as_bytes()) && contains(answer, b"\n2026") {
        return Err(format!("it is answered with {:?}", String::from_utf8_lossy(answer)));
    }
    Ok(())
}

/// Each line begins as one of ours, has only what may be printed, and is not too long.
fn judge_log(bytes: &[u8]) -> Result<(), Broken> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("it is no text: {error}"))?;
    for line in text.split('\n').filter(|line| !line.is_empty()) {
        judge_line(line)?;
        let mut words = line.split(' ');
        let (time, number) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let is_time = time.len() > 20 && time.ends_with('Z') && time.starts_with("20");
        let is_number = number.starts_with("FRY") && number.len() == 8;
        if !is_time
            || !is_number
            || line.starts_with(FORGED)
            || line.ends_with("TORTURED forged") && !line.contains("x")
        {
            return Err(format!("no line of the queue manager's: {line:?}"));
        }
    }
    Ok(())
}

fn judge_records(bytes: &[u8]) -> Result<(), Broken> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("it is no text: {error}"))?;
    for line in text.split('\n').filter(|line| !line.is_empty()) {
        judge_line(line)?;
        let record: serde_json::Value =
            serde_json::from_str(line).map_err(|error| format!("no record: {error}: {line:?}"))?;
        if record.get("forged").is_some() {
            return Err(format!("a stranger wrote a field of {line:?}"));
        }
    }
    Ok(())
}

fn judge_line(line: &str) -> Result<(), Broken> {
    let is_harmful = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if let Some(letter) = line.chars().find(|letter| is_harmful(*letter)) {
        return Err(format!("{letter:?} is in {line:?}"));
    }
    if line.len() > LINE_BYTES_MAX {
        return Err(format!("a line has {} bytes: {}…", line.len(), &line[..60]));
    }
    Ok(())
}

/// The judge finds each of these in a log that is right but for them.
fn finds(log: &[u8]) -> Result<(), Broken> {
    for harm in [&b"\nforged\n"[..], b"\x1b[2J\n", b"\r\n", b"\xff\n", &[b'A'; LINE_BYTES_MAX + 1]] {
        if judge_log(&[log, harm].concat()).is_ok() {
            return Err(format!(
                "it does not find {:?}",
                String::from_utf8_lossy(&harm[..harm.len().min(20)])
            ));
        }
    }
    judge_log(&[log, FORGED.as_bytes(), b"\n"].concat())
        .map_or(Ok(()), |()| Err("it does not find a forged line".to_owned()))
}

fn warnings(log: &[u8]) -> usize {
    let text = String::from_utf8_lossy(log);
    text.lines()
        .filter(|line| line.split(' ').nth(1).is_some_and(|number| number.starts_with("FRY900")))
        .count()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// All files of a folder of the queue manager, oldest first.
fn read(folder: &Path, of: &str) -> Result<Vec<u8>, Broken> {
    let folder = folder.join(of);
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| {
        path.extension().is_some_and(|kind| kind == "log" || kind == "jsonl" || kind == "json")
    });
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        all.extend(fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stands_in_the_place_of_the_mark_with_its_length() {
        let hello = Hello { user: "MARKED".to_owned(), ..Hello::default() };
        let start = channel::preamble::MAGIC.len();
        let changed = with_text(&opening(&hello), start, b"MARKED", b"a\nb", false);
        let frame = channel::Frame::decode(&changed[start..], 4_096).unwrap().unwrap();
        assert_eq!(Hello::decode(frame.payload).unwrap().user, "a\nb");
        let mut identify = Vec::new();
        credentials("MARKED", "secret").unwrap().encode(&mut identify);
        let changed = with_text(&identify, 0, b"MARKED", &[b'x'; 300], true);
        let frame = channel::Frame::decode(&changed, 10 << 10).unwrap().unwrap();
        let read = channel::Credentials::decode(frame.payload).unwrap();
        assert!(format!("{read:?}").contains(&"x".repeat(300)));
    }

    #[test]
    fn every_harm_is_found_in_a_log_that_is_right_otherwise() {
        let log = b"2026-11-26T18:10:25.123456Z FRY9001W TORTURED A stranger\n";
        judge_log(log).unwrap();
        finds(log).unwrap();
        judge_records(b"{\"user\":\"x\"}\n").unwrap();
        for harm in
            ["{\"user\":\"x\",\"forged\":\"x\"}\n", "{\"user\":\"x\n\"}\n", "{\"user\":\"\u{202e}\"}\n"]
        {
            assert!(judge_records(harm.as_bytes()).is_err(), "{harm:?}");
        }
    }
}
