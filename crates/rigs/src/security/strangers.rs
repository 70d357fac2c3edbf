//! S4: programs that connect and do not log in: half-open, a byte a second, lengths that nothing has, other
//! protocols, TLS where there is none and none where there is TLS.
//!
//! A stranger costs at most 16 KiB, is gone once its time is over, and programs that log in meanwhile do so
//! within 100 ms in 99 of 100 cases. The control is a queue manager that gives strangers far more time: the
//! same judge must find it.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use channel::{Hello, Kind};
use client::Connection;

use super::super::installation::Broken;
use super::super::looks::memory_bytes;
use super::super::outcome::Lack;
use super::super::{Outcome, Size};
use super::secured::{ANY, Secured, TLS_ALONE, make_keys, opening, socket, tls, without_key};
use super::timing::percentile;

/// The most memory of a stranger.
const STRANGER_BYTES_MAX: u64 = 16 << 10;
/// Memory that the queue manager takes meanwhile for reasons of its own, such as a stack that it uses for the
/// first time. Of a thousand strangers it is two KiB each.
const OWN_BYTES: u64 = 2 << 20;
/// Most time of a login of others, in 99 of 100 cases.
const LOGIN_MAX: Duration = Duration::from_millis(100);
/// From the end of a stranger's time to the end of its connection.
const SLACK: Duration = Duration::from_millis(1_500);
/// A connection whose first bytes are wrong is closed within this.
const AT_ONCE: Duration = Duration::from_millis(500);
/// Pause between two logins of others, and between two bytes of a slow stranger.
const LOGIN_PAUSE: Duration = Duration::from_millis(20);
const TRICKLE_PAUSE: Duration = Duration::from_secs(1);
/// Channel of those that log in.
const CHANNEL: &str = "FRIEND";

/// Time that strangers have, and their number.
#[derive(Clone, Copy, Debug)]
struct Terms {
    login_seconds: u64,
    strangers: usize,
}

/// As shipped, with a thousand strangers.
const SHIPPED: Terms = Terms { login_seconds: 10, strangers: 1_000 };
/// For the gate.
const SHORT: Terms = Terms { login_seconds: 2, strangers: 240 };

/// Ways to be a stranger. Each has its first bytes, and says if more of them follow one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Silent,
    /// The beginning of a handshake, or of a Hello.
    Half,
    Trickle,
    LengthZero,
    LengthSigned,
    LengthUnsigned,
    Garbage,
    Http,
    /// TLS where there is none, and none where there is TLS.
    OtherCover,
}

/// In turn; half of them wait.
const WAYS: [Way; 12] = [
    Way::Silent,
    Way::Half,
    Way::Trickle,
    Way::Silent,
    Way::Half,
    Way::Trickle,
    Way::LengthZero,
    Way::LengthSigned,
    Way::LengthUnsigned,
    Way::Garbage,
    Way::Http,
    Way::OtherCover,
];

impl Way {
    /// The bytes sent at once, to a listener with TLS or one without.
    fn bytes(self, of_tls: bool) -> Vec<u8> {
        // What follows the length says what it begins.
        let with_length = |length: u32| {
            [&channel::preamble::MAGIC[..], &length.to_le_bytes(), &[Kind::Hello as u8, 0, 0, 0, 0, 0, 0, 0]]
                .concat()
        };
        match self {
            Self::Silent | Self::Trickle => Vec::new(),
            Self::Half if of_tls => CLIENT_HELLO.to_vec(),
            Self::Half => opening(&Hello::default())[..30].to_vec(),
            Self::LengthZero => with_length(0),
            Self::LengthSigned => with_length(i32::MAX as u32),
            Self::LengthUnsigned => with_length(u32::MAX),
            Self::Garbage => (0..200_u8).map(|number| number.wrapping_mul(91) | 0x80).collect(),
            Self::Http => b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
            Self::OtherCover if of_tls => opening(&Hello::default()),
            Self::OtherCover => CLIENT_HELLO.to_vec(),
        }
    }

    /// True if it is closed for its time, and not for what it says.
    fn waits(self) -> bool {
        matches!(self, Self::Silent | Self::Half | Self::Trickle)
    }
}

/// The beginning of a ClientHello, and nothing behind it.
const CLIENT_HELLO: &[u8] = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";

/// Has strangers come, in two seconds each: for the gate.
#[must_use]
pub fn in_two_seconds(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    cases(ferry, folder, size, SHORT)
}

/// Has a thousand strangers come to a queue manager as shipped.
#[must_use]
pub fn in_ten_seconds(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    cases(ferry, folder, size, SHIPPED)
}

fn cases(ferry: &Path, folder: &Path, size: Size, terms: Terms) -> Outcome {
    let mut outcome = Outcome::default();
    for case in size.numbers() {
        let place = folder.join(format!("case-{case}"));
        for of_tls in [false, true] {
            let kind = if of_tls { "strangers to TLS" } else { "strangers" };
            let place = place.join(if of_tls { "tls" } else { "plain" });
            outcome.tried(kind, run(ferry, &place, terms, terms.login_seconds, of_tls).map_err(Lack::Broken));
        }
        // The control: strangers have fifteen times as long as the judge allows.
        let patient = run(ferry, &place.join("control"), SHORT, 15 * SHORT.login_seconds, false);
        let found = patient.err().is_some_and(|told| told.contains("strangers are still there"));
        let control = if found { Ok(()) } else { Err("strangers that stay are not found".to_owned()) };
        outcome.case("control: strangers that stay", control);
    }
    outcome
}

/// Has half of the strangers come to one queue manager; `given_seconds` is the time that it gives them.
fn run(ferry: &Path, place: &Path, terms: Terms, given_seconds: u64, of_tls: bool) -> Result<String, Broken> {
    let listener = if of_tls { TLS_ALONE } else { "" };
    let settings = format!("[limits]\nlogin_seconds = {given_seconds}\n{listener}");
    let mut secured = Secured::start(ferry, place, &settings, make_keys)?;
    secured.let_in(CHANNEL, "friend")?;
    if of_tls {
        secured
            .tell(&format!("ALTER CHANNEL({CHANNEL}) CHLTYPE(SVRCONN) SSLCIPH({ANY}) SSLCAUTH(OPTIONAL)"))?;
    }
    let plain = secured.options(CHANNEL);
    let options = if of_tls { plain.tls(tls(&without_key(&secured.installation), ANY)) } else { plain };
    // The first login makes what all share.
    for _ in 0..5 {
        drop(Connection::connect(options.clone()).map_err(|error| error.to_string())?);
    }
    let before = memory_bytes(secured.server.process())?;
    let begun = Instant::now();
    let mut strangers: Vec<(Way, TcpStream)> = Vec::new();
    for number in 0..terms.strangers / 2 {
        let way = WAYS[number % WAYS.len()];
        let mut one = socket(secured.server.port())?;
        one.write_all(&way.bytes(of_tls)).map_err(|error| format!("{way:?}: {error}"))?;
        strangers.push((way, one));
    }
    let all_there = begun.elapsed();
    thread::sleep(AT_ONCE);
    for (way, one) in &mut strangers {
        if !way.waits() && !is_closed(one) {
            return Err(format!("{way:?} is still there after {:.1?}", begun.elapsed()));
        }
    }
    let time = Duration::from_secs(terms.login_seconds);
    let count = strangers.len();
    let waiting = strangers.iter().filter(|(way, _)| way.waits()).count() as u64;
    let memory = memory_bytes(secured.server.process())?.saturating_sub(before);
    let mut times = Vec::new();
    let mut trickled = Instant::now();
    let mut letters = opening(&Hello::default()).into_iter();
    while begun.elapsed() < time {
        let at = Instant::now();
        drop(Connection::connect(options.clone()).map_err(|error| format!("a login beside: {error}"))?);
        times.push(at.elapsed());
        thread::sleep(LOGIN_PAUSE);
        if trickled.elapsed() >= TRICKLE_PAUSE {
            trickled = Instant::now();
            let letter = letters.next().unwrap_or(0);
            for (_, one) in strangers.iter_mut().filter(|(way, _)| *way == Way::Trickle) {
                // It may be closed by now.
                let _ = one.write_all(&[letter]);
            }
        }
    }
    thread::sleep((time + all_there + SLACK).saturating_sub(begun.elapsed()));
    strangers.retain_mut(|(_, one)| !is_closed(one));
    let ways: Vec<Way> = strangers.iter().map(|(way, _)| *way).collect();
    let slowest = percentile(&mut times, 0.99);
    secured.end();
    let each = memory / waiting.max(1);
    let told = format!(
        "{count} strangers, {waiting} of which wait, {each} bytes each; {} strangers are still there after {:.1?} {ways:?}; \
         logins beside them take {slowest:.1?} at most in 99 of 100 cases",
        ways.len(),
        begun.elapsed()
    );
    let is_small = memory <= waiting * STRANGER_BYTES_MAX + OWN_BYTES;
    if !ways.is_empty() || !is_small || slowest > LOGIN_MAX { Err(told) } else { Ok(told) }
}

/// True if the other end has closed it; what came before that is read.
fn is_closed(one: &mut TcpStream) -> bool {
    let mut bytes = [0; 4096];
    if one.set_read_timeout(Some(Duration::from_millis(1))).is_err() {
        return true;
    }
    loop {
        match one.read(&mut bytes) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
        }
    }
}
