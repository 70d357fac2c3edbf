//! S5: bodies longer than MAXMSGL, pieces that never end, and compressed frames that grow a thousandfold.
//!
//! Each is refused with its reason or by the end of its connection, and the queue manager holds no more than
//! MAXMSGL of it meanwhile. Controls: a body of exactly MAXMSGL, in pieces, and one that is compressed
//! honestly, are on their queue.

use std::path::Path;
use std::time::Duration;

use channel::{Hello, Ways};
use client::{Compression, Connection};
use mqi::{MessageDescriptor, ObjectDescriptor, PutFlags, PutOptions, Reason, Verbs as _};

use super::super::installation::Broken;
use super::super::looks::memory_bytes;
use super::super::{Outcome, Size};
use super::of_cases;
use super::raw::{Answer, Raw};
use super::secured::{QUEUE, Secured};

/// MAXMSGL of the channel.
const CHANNEL_BYTES: u32 = 1 << 20;
/// MAXMSGL of the short queue.
const QUEUE_BYTES: u32 = 10_000;
const SHORT: &str = "SHORT.Q";
const CHANNEL: &str = "SIZED";
/// Longest piece of a body where bodies are compressed.
const PIECE_BYTES: usize = 60_000;
/// Content of a bomb: a thousand times what comes.
const BOMB_BYTES: usize = 16 << 20;
/// Memory that the queue manager takes for reasons of its own, beside the body that it may hold.
const OWN_BYTES: u64 = 4 << 20;
/// A connection that says what cannot be is closed within this.
const CLOSE_MAX: Duration = Duration::from_secs(1);
/// Connections that each hold a part of a body back.
const HOLDERS: usize = 16;

/// Sends what is too long, each kind once a case.
#[must_use]
pub fn too_long(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    of_cases("sizes", folder, size, |place, outcome| run(ferry, place, outcome))
}

fn run(ferry: &Path, place: &Path, outcome: &mut Outcome) -> Result<(), Broken> {
    let mut secured = Secured::start(ferry, place, "", |_| Ok(()))?;
    secured.let_in(CHANNEL, "sized")?;
    secured.tell_all(&[
        &format!("ALTER CHANNEL({CHANNEL}) CHLTYPE(SVRCONN) MAXMSGL({CHANNEL_BYTES}) COMPMSG(ANY)"),
        &format!("DEFINE QLOCAL({SHORT}) MAXMSGL({QUEUE_BYTES})"),
        &format!("SET AUTHREC PROFILE({SHORT}) OBJTYPE(QUEUE) PRINCIPAL('sized') AUTHADD(PUT)"),
    ])?;
    let mut one = Connection::connect(secured.options(CHANNEL)).map_err(|error| error.to_string())?;
    for (queue, bytes, expected) in [
        (SHORT, QUEUE_BYTES, Ok(())),
        (SHORT, QUEUE_BYTES + 1, Err(Reason::MSG_TOO_BIG_FOR_Q)),
        (QUEUE, CHANNEL_BYTES, Ok(())),
        (QUEUE, CHANNEL_BYTES + 1, Err(Reason::MSG_TOO_BIG_FOR_CHANNEL)),
    ] {
        let told = put(&mut one, queue, bytes);
        outcome.case(&format!("{bytes} bytes to {queue}"), is(&told, &expected));
    }
    let before = memory_bytes(secured.server.process())?;
    for whole in [CHANNEL_BYTES + 1, i32::MAX as u32, u32::MAX] {
        let told = begun(&secured, whole)?;
        let refused = match told {
            Answer::Closed(_) => Ok(()),
            Answer::Failed(reason) if reason == Reason::MSG_TOO_BIG_FOR_CHANNEL.code() => Ok(()),
            other => Err(format!("{other:?}")),
        };
        outcome.case(&format!("a first piece of {whole} bytes"), refused);
    }
    outcome.case("pieces beyond the length", pieces(&secured));
    outcome.case("bodies that are not whole", held_back(&secured));
    for way in [Compression::ZlibFast, Compression::Lz4Fast] {
        compressed(&mut secured, way, outcome)?;
    }
    let growth = memory_bytes(secured.server.process())?.saturating_sub(before);
    let most = u64::from(CHANNEL_BYTES) * 2 + OWN_BYTES;
    let held = if growth <= most { Ok(()) } else { Err(format!("{} KiB more memory", growth >> 10)) };
    outcome.case("memory", held);
    outcome.note(format!("memory grew by {} KiB", growth >> 10));
    let lives = if secured.server.lives() { Ok(()) } else { Err("it ended".to_owned()) };
    outcome.case("the queue manager", lives);
    secured.end();
    Ok(())
}

fn is<T: std::fmt::Debug + PartialEq>(told: &T, expected: &T) -> Result<(), Broken> {
    if told == expected { Ok(()) } else { Err(format!("{told:?} in place of {expected:?}")) }
}

fn put(one: &mut Connection, queue: &str, bytes: u32) -> Result<(), Reason> {
    let queue = ObjectDescriptor::queue(queue.parse().expect("a name"));
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    one.put1(&queue, &mut MessageDescriptor::default(), &mut options, vec![b'x'; bytes as usize].into())
}

/// A client that offers this compression.
fn raw(secured: &Secured, way: Option<Compression>) -> Result<Raw, Broken> {
    let hello = Hello {
        channel: CHANNEL.to_owned(),
        application: "sizes".to_owned(),
        user: "program".to_owned(),
        body_compressions: way.into_iter().collect(),
        ..Hello::default()
    };
    Raw::log_in(secured.server.port(), &hello)
}

/// A put that says to be so long, of which a first piece comes.
fn begun(secured: &Secured, whole: u32) -> Result<Answer, Broken> {
    let mut raw = raw(secured, None)?;
    let frame = raw.put(QUEUE, whole, &[b'x'; PIECE_BYTES]);
    raw.send(&frame)?;
    raw.answer()
}

/// A body that goes on behind its length. Its pieces are whole before: that is the control.
fn pieces(secured: &Secured) -> Result<(), Broken> {
    let whole = 3 * PIECE_BYTES as u32;
    for too_many in [false, true] {
        let mut raw = raw(secured, None)?;
        let first = raw.put(QUEUE, whole, &[b'x'; PIECE_BYTES]);
        raw.send(&first)?;
        let last = if too_many { PIECE_BYTES + 1 } else { PIECE_BYTES };
        for bytes in [PIECE_BYTES, last] {
            let piece = raw.fragment(&vec![b'x'; bytes]);
            raw.send(&piece)?;
        }
        match raw.answer()? {
            Answer::Done if !too_many => {}
            Answer::Closed(_) if too_many => {}
            other => return Err(format!("with {last} bytes in the last piece: {other:?}")),
        }
    }
    Ok(())
}

/// Many bodies of MAXMSGL of which only the first piece comes take no more than what came.
fn held_back(secured: &Secured) -> Result<(), Broken> {
    let before = memory_bytes(secured.server.process())?;
    let mut holders = Vec::new();
    for _ in 0..HOLDERS {
        let mut raw = raw(secured, None)?;
        let frame = raw.put(QUEUE, CHANNEL_BYTES, &[b'x'; 1_000]);
        raw.send(&frame)?;
        holders.push(raw);
    }
    // Each is answered, so that what it sent before was read.
    let read = begun(secured, 10)?;
    let grown = memory_bytes(secured.server.process())?.saturating_sub(before);
    let most = u64::from(CHANNEL_BYTES) + OWN_BYTES;
    if grown > most {
        return Err(format!("{HOLDERS} first pieces of 1,000 bytes take {} KiB ({read:?})", grown >> 10));
    }
    Ok(())
}

/// The way to make a frame that the last client sends.
type Making<'a> = dyn Fn(&mut Raw) -> Result<Vec<u8>, Broken> + 'a;

/// Frames that are compressed, honestly and otherwise.
fn compressed(secured: &mut Secured, way: Compression, outcome: &mut Outcome) -> Result<(), Broken> {
    let ways = Ways { bodies: Some(way), heads: None };
    let other = if way == Compression::Lz4Fast { Compression::ZlibFast } else { Compression::Lz4Fast };
    let pack = |ways: Ways, whole: &[u8]| {
        let mut bytes = Vec::new();
        let is_smaller = ways.compress(whole, &mut bytes).way.is_some();
        if is_smaller { Ok(bytes) } else { Err("a frame is not compressed".to_owned()) }
    };
    // Behind header and way.
    let says = |mut frame: Vec<u8>, length: u32| {
        frame[13..17].copy_from_slice(&length.to_le_bytes());
        frame
    };
    let words = way.word();
    let honest = |raw: &mut Raw| {
        let frame = raw.put(QUEUE, PIECE_BYTES as u32, &[0; PIECE_BYTES]);
        let length = frame.len() as u32;
        pack(ways, &frame).map(|packed| (packed, length))
    };
    secured.tell(&format!("CLEAR QLOCAL({QUEUE})"))?;
    let mut client = raw(secured, Some(way))?;
    let (packed, _) = honest(&mut client)?;
    client.send(&packed)?;
    let answered = client.answer()?;
    outcome.case(
        &format!("control: {words}, {} bytes for {PIECE_BYTES}", packed.len()),
        is(&answered, &Answer::Done),
    );
    let depth = secured.tell(&format!("DISPLAY QLOCAL({QUEUE}) CURDEPTH"))?;
    let there = if depth.contains("CURDEPTH(1)") { Ok(()) } else { Err(depth) };
    outcome.case(&format!("control: {words}, the message is there"), there);
    let cases: [(&str, &Making<'_>); 8] = [
        ("a length that no frame has", &|raw| Ok(says(honest(raw)?.0, u32::MAX))),
        ("a length beyond the longest frame", &|raw| Ok(says(honest(raw)?.0, i32::MAX as u32))),
        ("a content that is longer than it says", &|raw| {
            let (packed, length) = honest(raw)?;
            Ok(says(packed, length - 1))
        }),
        ("a content that is shorter than it says", &|raw| {
            let (packed, length) = honest(raw)?;
            Ok(says(packed, length + 1))
        }),
        ("a bomb", &|raw| {
            let frame = raw.put(QUEUE, BOMB_BYTES as u32, &vec![0; BOMB_BYTES]);
            let bomb = pack(ways, &frame)?;
            Ok(says(bomb, PIECE_BYTES as u32))
        }),
        ("a compressed frame in a compressed frame", &|raw| Ok(wrapped(way, &honest(raw)?.0))),
        ("an Identify in a compressed frame", &|_| Ok(wrapped(way, &identify()))),
        ("a way that was not agreed", &|raw| {
            let frame = raw.put(QUEUE, PIECE_BYTES as u32, &[0; PIECE_BYTES]);
            pack(Ways { bodies: Some(other), heads: None }, &frame)
        }),
    ];
    for (what, make) in cases {
        let mut client = raw(secured, Some(way))?;
        let frame = make(&mut client)?;
        client.send(&frame)?;
        let closed =
            if client.is_closed_within(CLOSE_MAX) { Ok(()) } else { Err("it stays open".to_owned()) };
        outcome.case(&format!("{words}, {what}, {} bytes", frame.len()), closed);
    }
    Ok(())
}

/// A frame in a compressed one, with its bytes as they are, which every way has a form for.
fn wrapped(way: Compression, whole: &[u8]) -> Vec<u8> {
    let content = match way {
        Compression::Lz4Fast => [literals(whole.len()), whole.to_vec()].concat(),
        _ => {
            let length = whole.len() as u16;
            let head = [&[0x78, 0x01, 0x01][..], &length.to_le_bytes(), &(!length).to_le_bytes()].concat();
            [&head, whole, &adler32(whole).to_be_bytes()].concat()
        }
    };
    let counted = (8 + 5 + content.len()) as u32;
    let mut frame = counted.to_le_bytes().to_vec();
    frame.extend([channel::Kind::Compressed as u8, 0, 0, 0, 0, 0, 0, 0, way.number()]);
    frame.extend((whole.len() as u32).to_le_bytes());
    frame.extend(content);
    frame
}

/// The head of a block of LZ4 that has nothing but so many bytes as they are.
fn literals(mut length: usize) -> Vec<u8> {
    if length < 15 {
        return vec![(length as u8) << 4];
    }
    let mut head = vec![0xF0];
    length -= 15;
    while length >= 255 {
        head.push(255);
        length -= 255;
    }
    head.push(length as u8);
    head
}

fn adler32(bytes: &[u8]) -> u32 {
    let (mut one, mut two) = (1_u32, 0_u32);
    for byte in bytes {
        one = (one + u32::from(*byte)) % 65_521;
        two = (two + one) % 65_521;
    }
    two << 16 | one
}

/// A frame that may never be compressed.
fn identify() -> Vec<u8> {
    let mut frame = Vec::new();
    let secret = client::Secret::new(vec![b'x'; 200]);
    client::Credentials::Password { user: "ada".to_owned(), password: secret }.encode(&mut frame);
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_is_wrapped_opens_to_itself() {
        let frame = super::super::raw::fragment(1, &[7; 1_000]);
        for way in [Compression::ZlibFast, Compression::Lz4Fast] {
            let wrapped = wrapped(way, &frame);
            let mut opened = Vec::new();
            let ways = Ways { bodies: Some(way), heads: None };
            ways.expand(&wrapped[12..], 1 << 20, &mut opened).unwrap();
            assert_eq!(opened, frame, "{way:?}");
        }
    }
}
