//! Programs at work: some ask, and one at each queue manager answers.
//!
//! Every program is a thread with a connection within the machine, and comes back by itself when its queue
//! manager is killed. A question is a message to a queue of another queue manager. The program that answers
//! moves it to the queue that it names, in units of work, so that each question has one answer whatever is
//! killed. Only programs that ask write down the answers to their calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use client::Connection;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence,
    PutFlags, PutOptions, Reason, Text, Verbs as _, Wait,
};
use parking_lot::Mutex;
use platform::simulated::Random;
use testing::ledger::{Course, Fate, Ledger};

use super::place::{BODY_BYTES_MAX, Place, QUESTIONS, REPLIES};
use crate::Broken;
use crate::installation::connect_at;
use crate::load::{is_lack_of_room, is_of_death};

/// Most messages of a unit of work.
const UNIT_MAX: u64 = 10;
/// Pause of a program whose queue manager is away, or lacks room.
const PAUSE: Duration = Duration::from_millis(10);
/// Longest pause between two units of one who asks, so that a kill finds some of everything on its way.
const PACE_MAX_MILLISECONDS: u64 = 30;
/// Time after which one who answers and finds nothing looks whether to end.
const LOOK: Wait = Wait::Milliseconds(20);

/// Programs of one kind; told to end and waited for with [`Programs::end`].
#[derive(Debug, Default)]
pub(super) struct Programs {
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<Result<(), Broken>>>,
}

impl Programs {
    /// Has one at `asks` put questions to `answers`, until the end.
    pub(super) fn ask(
        &mut self,
        (asks, answers): (&Place, &Place),
        ledger: &Arc<Mutex<Ledger>>,
        random: Random,
    ) {
        let asker = Asker {
            at: asks.address.clone(),
            home: asks.name.clone(),
            to: answers.name.clone(),
            way: (answers.number, asks.number),
            ledger: Arc::clone(ledger),
            random,
        };
        let is_over = Arc::clone(&self.is_over);
        self.threads.push(thread::spawn(move || asker.run(&is_over)));
    }

    /// Has one answer at this queue manager, until the end.
    pub(super) fn answer(&mut self, at: &Place, random: Random) {
        let (at, is_over) = (at.address.clone(), Arc::clone(&self.is_over));
        self.threads.push(thread::spawn(move || answer(&at, random, &is_over)));
    }

    /// Tells them to end, and waits for that.
    ///
    /// # Errors
    /// An answer to one of them that no kill and no lack of room explains.
    pub(super) fn end(self) -> Result<(), Broken> {
        self.is_over.store(true, Ordering::Relaxed);
        let ends = self.threads.into_iter();
        let ends = ends.map(|thread| thread.join().map_err(|_| "a program panicked".to_owned()));
        ends.collect::<Result<Result<Vec<()>, _>, _>>()?.map(drop)
    }
}

/// Does a work over one connection after another until the end.
fn keep_at(
    at: &str,
    is_over: &AtomicBool,
    mut work: impl FnMut(&mut Connection) -> Result<(), Reason>,
) -> Result<(), Broken> {
    while !is_over.load(Ordering::Relaxed) {
        // It is away, or about to end.
        let Ok(mut connection) = connect_at(at, "traffic") else {
            thread::sleep(PAUSE);
            continue;
        };
        match work(&mut connection) {
            Ok(()) => drop(connection.disconnect()),
            Err(reason) if is_of_death(reason) => {}
            Err(reason) => return Err(format!("a program at {at} was told {reason}")),
        }
    }
    Ok(())
}

struct Asker {
    at: String,
    home: String,
    to: String,
    way: Course,
    ledger: Arc<Mutex<Ledger>>,
    random: Random,
}

impl Asker {
    fn run(mut self, is_over: &AtomicBool) -> Result<(), Broken> {
        let there = ObjectDescriptor {
            object_queue_manager_name: self.to.parse().expect("a name"),
            ..ObjectDescriptor::queue(QUESTIONS.parse().expect("a name"))
        };
        let at = self.at.clone();
        keep_at(&at, is_over, |connection| {
            let handle = connection.open(&there, OpenOptions::OUTPUT)?.handle;
            while !is_over.load(Ordering::Relaxed) {
                self.ask_some(connection, handle)?;
                thread::sleep(Duration::from_millis(self.random.below(PACE_MAX_MILLISECONDS)));
            }
            Ok(())
        })
    }

    /// A question, or a unit of work of some. What is in a unit is unknown from the moment of its commit
    /// until that is answered, and refused when there was none.
    fn ask_some(&mut self, connection: &mut Connection, handle: ObjectHandle) -> Result<(), Reason> {
        let in_unit = self.random.percent(80);
        let count = if in_unit { self.random.between(1, UNIT_MAX) } else { 1 };
        let mut asked = Vec::new();
        for _ in 0..count {
            let filling = match self.random.below(100) {
                0 => self.random.between(70_000, 200_000),
                _ => self.random.between(16, 2_000),
            };
            let (number, body) = self.ledger.lock().begin(self.way, true, filling as usize);
            let flags = if in_unit { PutFlags::SYNCPOINT } else { PutFlags::NO_SYNCPOINT };
            let mut descriptor = MessageDescriptor {
                persistence: Persistence::Persistent,
                reply_to_queue: Text::truncated(REPLIES).into(),
                reply_to_queue_manager: Text::truncated(&self.home).into(),
                ..MessageDescriptor::default()
            };
            let put = connection.put(handle, &mut descriptor, &mut PutOptions::with(flags), body);
            asked.push(number);
            match put {
                Ok(()) => {}
                Err(reason) if in_unit || is_refusal(reason) => {
                    self.tell(&asked, Fate::Refused);
                    return after(reason, connection);
                }
                Err(reason) => return Err(reason),
            }
        }
        if in_unit && self.random.percent(15) {
            self.tell(&asked, Fate::Refused);
            return connection.back();
        }
        match if in_unit { connection.commit() } else { Ok(()) } {
            Ok(()) => self.tell(&asked, Fate::Promised),
            Err(reason) if is_refusal(reason) => {
                self.tell(&asked, Fate::Refused);
                return after(reason, connection);
            }
            Err(reason) => return Err(reason),
        }
        Ok(())
    }

    fn tell(&self, numbers: &[u32], fate: Fate) {
        let mut ledger = self.ledger.lock();
        numbers.iter().for_each(|number| ledger.tell(self.way, *number, fate));
    }
}

/// Returns true for the answer to a call that changed nothing.
fn is_refusal(reason: Reason) -> bool {
    reason == Reason::BACKED_OUT || is_lack_of_room(reason)
}

/// Goes on after a refusal with a new unit of work.
fn after(reason: Reason, connection: &mut Connection) -> Result<(), Reason> {
    if !is_refusal(reason) {
        return Err(reason);
    }
    thread::sleep(PAUSE);
    connection.back()
}

/// Moves each question to the queue that it names.
fn answer(at: &str, mut random: Random, is_over: &AtomicBool) -> Result<(), Broken> {
    let questions = ObjectDescriptor::queue(QUESTIONS.parse().expect("a name"));
    keep_at(at, is_over, |connection| {
        let handle = connection.open(&questions, OpenOptions::INPUT_SHARED)?.handle;
        while !is_over.load(Ordering::Relaxed) {
            let wanted = random.between(1, UNIT_MAX);
            match answer_some(connection, handle, wanted, random.percent(10)) {
                Err(reason) if is_refusal(reason) => after(reason, connection)?,
                other => other?,
            }
        }
        Ok(())
    })
}

fn answer_some(
    connection: &mut Connection,
    handle: ObjectHandle,
    wanted: u64,
    thinks_better_of_it: bool,
) -> Result<(), Reason> {
    for number in 0..wanted {
        let wait = if number == 0 { LOOK } else { Wait::No };
        let mut options = GetOptions::with(GetFlags::SYNCPOINT, wait);
        let mut question = MessageDescriptor::default();
        let got = match connection.get(handle, &mut question, &mut options, BODY_BYTES_MAX) {
            Ok(got) => got,
            Err(Reason::NO_MSG_AVAILABLE) => break,
            Err(reason) => return Err(reason),
        };
        let home = ObjectDescriptor {
            object_queue_manager_name: question.reply_to_queue_manager.to_string().parse().expect("a name"),
            ..ObjectDescriptor::queue(question.reply_to_queue.to_string().parse().expect("a name"))
        };
        let persistence = question.persistence;
        let mut reply = MessageDescriptor { persistence, ..MessageDescriptor::default() };
        let mut options = PutOptions::with(PutFlags::SYNCPOINT);
        connection.put1(&home, &mut reply, &mut options, got.body)?;
    }
    if thinks_better_of_it { connection.back() } else { connection.commit() }
}
