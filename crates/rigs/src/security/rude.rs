//! S3: the bytes of a real session, changed at random, come to a queue manager that others use.
//!
//! The session is recorded between a client and the queue manager: it connects, opens, puts, gets, browses,
//! subscribes, publishes, inquires, gives a command and commits. Each case changes bits, bytes, lengths,
//! kinds and the order of its frames. The process lives, its memory grows by at most 32 MiB, a friend's round
//! trips take at most three times as long, and a connection is closed within a second after its last byte.
//!
//! Controls: the session as it was recorded is answered to its end and stays open, so that each refusal is of
//! what was changed; a length and a kind that nothing has are closed without the end of the input.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use client::Connection;
use mqi::{
    CloseOptions, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions,
    PutFlags, PutOptions, Reason, Selector, SubscribeOptions, SubscriptionDescriptor, Verbs as _, Wait,
    constants,
};
use platform::simulated::Random;

use super::super::installation::Broken;
use super::super::looks::memory_bytes;
use super::super::{Outcome, Size};
use super::secured::{QUEUE, Secured, administrator, socket};
use super::timing::percentile;

/// Cases after which the messages that the sessions left are cleared: they are memory that is no growth.
const CLEAR_EACH: u64 = 1_000;
/// The most that the memory of the queue manager may grow.
const GROWTH_BYTES_MAX: u64 = 32 << 20;
/// A connection that is wrong is closed within this.
const CLOSE_MAX: Duration = Duration::from_secs(1);
/// A friend's round trips take at most so many times as long as alone, or this.
const FRIEND_SHARE: u32 = 3;
const FRIEND_FLOOR: Duration = Duration::from_millis(20);
/// The time in which the friend is alone, before the cases and again behind them: what else the machine does
/// changes meanwhile.
const ALONE: Duration = Duration::from_millis(700);
/// Most changes of one case.
const CHANGES_MAX: u64 = 4;
/// The channel of the sessions, and of the friend.
const CHANNEL: &str = "RUDE";
const FRIEND: &str = "FRIEND";
const FRIEND_QUEUE: &str = "FRIEND.Q";
const TOPIC: &str = "rude/frames";
const BODY_BYTES: usize = 600;
/// A closed connection is looked for so often.
const LOOK: Duration = Duration::from_millis(5);

/// Sends changed sessions, one a case.
#[must_use]
pub fn frames(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    if let Err(problem) = run(ferry, folder, size, &mut outcome) {
        outcome.case("rude frames", Err(problem));
    }
    outcome
}

fn run(ferry: &Path, folder: &Path, size: Size, outcome: &mut Outcome) -> Result<(), Broken> {
    let mut secured = Secured::start(ferry, folder, "[errors]\nflood_max = 100\n", |_| Ok(()))?;
    secured.let_in(CHANNEL, "rude")?;
    secured.let_in(FRIEND, "friend")?;
    secured.tell_all(&[
        &format!("DEFINE QLOCAL({FRIEND_QUEUE}) MAXDEPTH(999999999)"),
        &format!("SET AUTHREC PROFILE({FRIEND_QUEUE}) OBJTYPE(QUEUE) PRINCIPAL('friend') AUTHADD(PUT,GET)"),
        "SET AUTHREC PROFILE('SYSTEM.BASE.TOPIC') OBJTYPE(TOPIC) PRINCIPAL('rude') AUTHADD(PUB,SUB)",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('rude') AUTHADD(DSP)",
        "SET AUTHREC PROFILE(SYSTEM.ADMIN.COMMAND.QUEUE) OBJTYPE(QUEUE) PRINCIPAL('rude') AUTHADD(PUT)",
    ])?;
    let port = secured.server.port();
    let session = Session::record(&secured)?;
    outcome.case("control: the session as it was", session.is_answered(port));
    outcome.case("control: frames that nothing has", session.ends_by_itself(port));
    let friend = Friend::begin(&secured)?;
    thread::sleep(ALONE);
    let alone_before = friend.times();
    // What one session makes for the first time is no growth.
    drop(session.send(port, &session.whole())?);
    let before = memory_bytes(secured.server.process())?;
    let mut random = Random::stream(size.seed, "S3");
    let begun = Instant::now();
    for case in size.numbers() {
        let mut changed = session.frames.clone();
        let changes: Vec<String> =
            (0..random.between(1, CHANGES_MAX)).map(|_| change(&mut changed, &mut random)).collect();
        let sent = session.send(port, &changed.concat()).and_then(closes);
        let name = format!("case {case} of seed {}: {}", size.seed, changes.join(", "));
        outcome.case(&name, sent.map(drop));
        if !secured.server.lives() {
            return Err(format!("the queue manager ended at {name}"));
        }
        if case.is_multiple_of(CLEAR_EACH) {
            // A session that has not ended yet may hold some: they wait for the next time.
            let _held = secured.tell(&format!("CLEAR QLOCAL({QUEUE})"));
        }
    }
    let took = begun.elapsed();
    let beside = friend.times();
    thread::sleep(ALONE);
    let alone = alone_before.max(friend.end()?);
    let growth = memory_bytes(secured.server.process())?.saturating_sub(before);
    if size.cases > 0 {
        outcome.case("memory", judge_growth(growth));
        outcome.case("a friend", judge_friend(alone, beside));
    }
    // What came in by the sessions is nobody's, and an administrator is served as ever.
    secured
        .tell(&format!("CLEAR QLOCAL({QUEUE})"))
        .map(drop)
        .or_else(|_| administrator(&secured.installation).map(drop))?;
    outcome.note(format!(
        "{} frames changed {} times in {took:.1?}; memory grew by {} KiB; a friend's round trip {alone:.1?} alone and \
         {beside:.1?} beside them, in 99 of 100 cases",
        session.frames.len(),
        size.cases,
        growth >> 10
    ));
    secured.end();
    Ok(())
}

fn judge_growth(growth: u64) -> Result<(), Broken> {
    if growth <= GROWTH_BYTES_MAX { Ok(()) } else { Err(format!("memory grew by {} MiB", growth >> 20)) }
}

fn judge_friend(alone: Duration, beside: Duration) -> Result<(), Broken> {
    let most = FRIEND_FLOOR.max(alone * FRIEND_SHARE);
    if beside <= most {
        Ok(())
    } else {
        Err(format!("a friend's round trip takes {beside:.1?} beside them and {alone:.1?} alone"))
    }
}

/// A session as its client sent it.
struct Session {
    /// The bytes that tell the protocol, and each frame behind them.
    frames: Vec<Vec<u8>>,
}

impl Session {
    /// Has a client do some of everything, by a relay that keeps its bytes.
    fn record(secured: &Secured) -> Result<Self, Broken> {
        let failed = |error: std::io::Error| format!("the relay: {error}");
        let relay = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
        let address = relay.local_addr().map_err(failed)?;
        let options = client::Options {
            addresses: vec![address.to_string().parse().map_err(|error| format!("{error}"))?],
            ..secured.options(CHANNEL)
        };
        let program = thread::spawn(move || program(options));
        let (from_client, _) = relay.accept().map_err(failed)?;
        let to_server = socket(secured.server.port())?;
        let back = (to_server.try_clone().map_err(failed)?, from_client.try_clone().map_err(failed)?);
        let answers = thread::spawn(move || copy(back.0, back.1));
        let bytes = copy(from_client, to_server);
        program.join().map_err(|_| "the program of the session panicked".to_owned())??;
        answers.join().map_err(|_| "the relay panicked".to_owned())?;
        Ok(Self { frames: frames_of(&bytes)? })
    }

    fn whole(&self) -> Vec<u8> {
        self.frames.concat()
    }

    /// Sends these bytes. A queue manager that has closed already takes no more of them.
    fn send(&self, port: u16, bytes: &[u8]) -> Result<TcpStream, Broken> {
        let mut to = socket(port)?;
        for part in bytes.chunks(16 << 10) {
            if to.write_all(part).is_err() {
                break;
            }
        }
        Ok(to)
    }

    /// The session is answered, frame for frame, and stays open until its input ends.
    fn is_answered(&self, port: u16) -> Result<(), Broken> {
        let last = self.frames.len() - 1;
        // The last frame is that of the end.
        let mut one = self.send(port, &self.frames[..last].concat())?;
        one.set_read_timeout(Some(CLOSE_MAX / 2)).map_err(|error| error.to_string())?;
        let mut answers = 0;
        let mut bytes = vec![0; 64 << 10];
        loop {
            match one.read(&mut bytes) {
                Ok(0) => return Err(format!("it is closed after {answers} bytes of answers")),
                Ok(read) => answers += read,
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => break,
                Err(error) => return Err(format!("it is broken after {answers} bytes of answers: {error}")),
            }
        }
        if answers < 2 * BODY_BYTES {
            return Err(format!("{answers} bytes of answers are too few: its messages are not in them"));
        }
        closes(one).map(drop)
    }

    /// A frame with a length or a kind that nothing has, behind a session, closes the connection by itself.
    fn ends_by_itself(&self, port: u16) -> Result<(), Broken> {
        let begun = self.frames[..self.frames.len() - 1].concat();
        let kind = [&8_u32.to_le_bytes()[..], &[0x3F, 0, 1, 0, 9, 0, 0, 0]].concat();
        for frame in [0_u32.to_le_bytes().to_vec(), u32::MAX.to_le_bytes().to_vec(), kind] {
            let one = self.send(port, &[&begun[..], &frame].concat())?;
            is_closed_by_other(one).map_err(|told| format!("{frame:02X?}: {told}"))?;
        }
        Ok(())
    }
}

/// Some of everything.
fn program(options: client::Options) -> Result<(), Broken> {
    let mut one = Connection::connect(options).map_err(|error| error.to_string())?;
    calls(&mut one).map_err(|reason| format!("the session: {reason}"))
}

fn calls(one: &mut Connection) -> Result<(), Reason> {
    let queue = ObjectDescriptor::queue(QUEUE.parse().expect("a name"));
    let open = OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED | OpenOptions::BROWSE | OpenOptions::INQUIRE;
    let handle = one.open(&queue, open)?.handle;
    for flags in [PutFlags::NO_SYNCPOINT, PutFlags::SYNCPOINT, PutFlags::SYNCPOINT | PutFlags::ASYNC_RESPONSE]
    {
        put(one, handle, flags)?;
    }
    one.commit()?;
    let descriptor = &mut MessageDescriptor::default();
    let browse = &mut GetOptions::with(GetFlags::BROWSE_FIRST, Wait::No);
    one.get(handle, descriptor, browse, BODY_BYTES)?;
    for flags in [GetFlags::NO_SYNCPOINT, GetFlags::SYNCPOINT] {
        one.get(
            handle,
            &mut MessageDescriptor::default(),
            &mut GetOptions::with(flags, Wait::No),
            BODY_BYTES,
        )?;
    }
    one.back()?;
    one.inquire(handle, &[Selector(constants::MQIA_CURRENT_Q_DEPTH)])?;
    let subscription =
        SubscriptionDescriptor::to(TOPIC, SubscribeOptions::CREATE | SubscribeOptions::MANAGED);
    let subscribed = one.subscribe(&subscription, None)?;
    let topic = one.open(&ObjectDescriptor::topic(TOPIC), OpenOptions::OUTPUT)?.handle;
    put(one, topic, PutFlags::NO_SYNCPOINT)?;
    if let Some(queue) = subscribed.queue {
        let options = &mut GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Milliseconds(2_000));
        one.get(queue, &mut MessageDescriptor::default(), options, BODY_BYTES)?;
    }
    one.command("DISPLAY QMGR")?;
    one.close(handle, CloseOptions::default())?;
    one.disconnect()
}

fn put(one: &mut Connection, handle: ObjectHandle, flags: PutFlags) -> Result<(), Reason> {
    let body = vec![b'r'; BODY_BYTES];
    one.put(handle, &mut MessageDescriptor::default(), &mut PutOptions::with(flags), body.into())
}

/// Copies until one side ends; the bytes.
fn copy(mut from: TcpStream, mut to: TcpStream) -> Vec<u8> {
    let (mut all, mut bytes) = (Vec::new(), vec![0; 64 << 10]);
    while let Ok(read) = from.read(&mut bytes) {
        if read == 0 || to.write_all(&bytes[..read]).is_err() {
            break;
        }
        all.extend_from_slice(&bytes[..read]);
    }
    // The other side may be gone.
    let _ = to.shutdown(Shutdown::Write);
    all
}

/// Cuts what a client sent: eight bytes that tell the protocol, then frames.
fn frames_of(bytes: &[u8]) -> Result<Vec<Vec<u8>>, Broken> {
    let (magic, mut rest) =
        bytes.split_at_checked(channel::preamble::MAGIC.len()).ok_or("the session is empty")?;
    let mut frames = vec![magic.to_vec()];
    while let Some(length) = rest.first_chunk() {
        let whole = 4 + u32::from_le_bytes(*length) as usize;
        let (frame, behind) = rest.split_at_checked(whole).ok_or("the session ends within a frame")?;
        frames.push(frame.to_vec());
        rest = behind;
    }
    Ok(frames)
}

/// Changes the frames once; the words for it.
fn change(frames: &mut Vec<Vec<u8>>, random: &mut Random) -> String {
    // The first is what tells the protocol: without it nothing behind is read.
    let place =
        if frames.len() > 1 && random.percent(95) { random.between(1, frames.len() as u64 - 1) } else { 0 };
    let place = place as usize;
    let frame = &mut frames[place];
    if frame.is_empty() {
        return "nothing".to_owned();
    }
    let at = random.index(frame.len());
    match random.below(10) {
        0 => {
            frame[at] ^= 1 << random.below(8);
            format!("a bit of byte {at} of frame {place}")
        }
        1 => {
            frame[at] = random.below(256) as u8;
            format!("byte {at} of frame {place}")
        }
        2 if frame.len() >= 4 => {
            let length = [0, 7, 8, 9, 0x1_0000, 0x7FFF_FFFF, 0xFFFF_FFFF][random.index(7)];
            frame[..4].copy_from_slice(&u32::to_le_bytes(length));
            format!("length {length} of frame {place}")
        }
        3 if frame.len() > 4 => {
            frame[4] = random.below(256) as u8;
            format!("kind {} of frame {place}", frame[4])
        }
        4 if frame.len() > 5 => {
            frame[5] = random.below(256) as u8;
            format!("flags {} of frame {place}", frame[5])
        }
        5 => {
            frame.truncate(at);
            format!("frame {place} cut at {at}")
        }
        6 => {
            let more: Vec<u8> = (0..random.between(1, 64)).map(|_| random.below(256) as u8).collect();
            frame.splice(at..at, more);
            format!("more bytes at {at} of frame {place}")
        }
        7 => {
            let twice = frame.clone();
            frames.insert(place, twice);
            format!("frame {place} twice")
        }
        8 => {
            let other = random.index(frames.len());
            frames.swap(place, other);
            format!("frames {place} and {other} swapped")
        }
        _ => {
            for byte in frame.iter_mut().skip(at).take(4) {
                *byte = 0xFF;
            }
            format!("four bytes at {at} of frame {place}")
        }
    }
}

/// Ends the input; the other end then closes, whatever it has read.
fn closes(one: TcpStream) -> Result<Duration, Broken> {
    // It may be closed already.
    let _ = one.shutdown(Shutdown::Write);
    is_closed_by_other(one)
}

/// The time until the other end closes the connection.
fn is_closed_by_other(mut one: TcpStream) -> Result<Duration, Broken> {
    let begun = Instant::now();
    one.set_read_timeout(Some(LOOK)).map_err(|error| error.to_string())?;
    let mut bytes = vec![0; 64 << 10];
    loop {
        match one.read(&mut bytes) {
            Ok(0) => return Ok(begun.elapsed()),
            Ok(_) => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return Ok(begun.elapsed()),
        }
        if begun.elapsed() > CLOSE_MAX {
            return Err(format!("it is open {:.1?} after its last byte", begun.elapsed()));
        }
    }
}

/// A program that puts and gets meanwhile, and notes how long that takes.
struct Friend {
    ends: Arc<AtomicBool>,
    times: Arc<parking_lot::Mutex<Vec<Duration>>>,
    thread: thread::JoinHandle<Result<(), Broken>>,
}

impl Friend {
    fn begin(secured: &Secured) -> Result<Self, Broken> {
        let mut one = Connection::connect(secured.options(FRIEND)).map_err(|error| error.to_string())?;
        let queue = ObjectDescriptor::queue(FRIEND_QUEUE.parse().expect("a name"));
        let opened = one.open(&queue, OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
        let handle = opened.map_err(|reason| format!("a friend's open: {reason}"))?.handle;
        let (ends, times) = (Arc::<AtomicBool>::default(), Arc::<parking_lot::Mutex<Vec<_>>>::default());
        let (until, noted) = (Arc::clone(&ends), Arc::clone(&times));
        let thread = thread::spawn(move || {
            while !until.load(Ordering::Relaxed) {
                let begun = Instant::now();
                let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
                put(&mut one, handle, PutFlags::NO_SYNCPOINT)
                    .and_then(|()| {
                        one.get(handle, &mut MessageDescriptor::default(), &mut options, BODY_BYTES)
                    })
                    .map_err(|reason| format!("a friend is told {reason}"))?;
                noted.lock().push(begun.elapsed());
                thread::sleep(Duration::from_millis(1));
            }
            Ok(())
        });
        Ok(Self { ends, times, thread })
    }

    /// The time of a round trip so far, in 99 of 100 cases; the next count anew.
    fn times(&self) -> Duration {
        percentile(&mut std::mem::take(&mut *self.times.lock()), 0.99)
    }

    fn end(self) -> Result<Duration, Broken> {
        self.ends.store(true, Ordering::Relaxed);
        let last = self.times();
        self.thread.join().map_err(|_| "a friend panicked".to_owned())??;
        Ok(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_cut_where_their_lengths_say_and_changes_are_seen() {
        let mut bytes = channel::preamble::MAGIC.to_vec();
        for payload in [&b"ab"[..], b"cde"] {
            bytes.extend((payload.len() as u32).to_le_bytes());
            bytes.extend_from_slice(payload);
        }
        let frames = frames_of(&bytes).unwrap();
        assert_eq!(frames.len(), 3);
        assert_eq!(frames.concat(), bytes);
        assert!(frames_of(&bytes[..bytes.len() - 1]).is_err());
        let mut random = Random::stream(1, "S3");
        let changed = (0..200).filter(|_| {
            let mut changed = frames.clone();
            change(&mut changed, &mut random);
            changed != frames
        });
        assert!(changed.count() > 150);
    }

    #[test]
    fn a_server_that_keeps_a_connection_open_grows_or_slows_its_friends_is_found() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let held = listener.accept().unwrap();
        assert!(closes(one).is_err());
        drop(held);
        let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        drop(listener.accept().unwrap());
        assert!(closes(one).is_ok());
        assert!(judge_growth(GROWTH_BYTES_MAX).is_ok() && judge_growth(GROWTH_BYTES_MAX + 1).is_err());
        let ms = Duration::from_millis;
        assert!(judge_friend(ms(10), ms(30)).is_ok() && judge_friend(ms(10), ms(31)).is_err());
        assert!(judge_friend(ms(1), ms(20)).is_ok() && judge_friend(ms(1), ms(21)).is_err());
    }
}
