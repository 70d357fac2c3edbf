//! Several programs read one queue ahead: each is given the messages of a putter in order.

use crate::place::{Place, open, persistent, volatile};
use client::{Address, Connection, Options, ReadAhead};
use mqi::{
    CloseOptions, GetFlags, GetOptions, MessageDescriptor, ObjectHandle, OpenOptions, PutFlags, PutOptions,
    Reason, Verbs, Wait,
};
use std::sync::Barrier;

const READERS: usize = 8;
const MESSAGES: u64 = 800;

/// Puts numbered messages, every `persistent_of`-th of them persistent.
fn fill(place: &Place, persistent_of: u64, body_bytes: impl Fn(u64) -> usize) {
    let mut putter = place.connect();
    let to = open(&mut putter, "A", OpenOptions::OUTPUT);
    for number in 0..MESSAGES {
        let mut body = vec![0; body_bytes(number)];
        body[..8].copy_from_slice(&number.to_le_bytes());
        let descriptor = if number % persistent_of == 0 { persistent() } else { volatile() };
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        putter.put_async(to, &descriptor, &options, body.into()).unwrap();
    }
    assert_eq!(putter.status().unwrap().puts, MESSAGES as u32);
}

/// The ways of a program to its queue manager.
fn ways(place: &Place) -> [Address; 2] {
    [Address::Tcp { host: "127.0.0.1".into(), port: place.port() }, place.rings()]
}

/// One program's way of reading.
#[derive(Clone, Copy, Debug)]
struct Habit {
    flags: GetFlags,
    wait: Wait,
    /// Gets in a unit of work.
    unit: usize,
    /// The length of the buffer with which a message is first asked for.
    buffer: usize,
}

/// Gets until nothing is left; the numbers in the order in which they came.
fn read(connection: &mut Connection, handle: ObjectHandle, habit: Habit) -> Result<Vec<u64>, Reason> {
    let mut numbers: Vec<u64> = Vec::new();
    let mut buffer = habit.buffer;
    loop {
        let mut options = GetOptions::with(habit.flags, habit.wait);
        match connection.get(handle, &mut MessageDescriptor::default(), &mut options, buffer) {
            Ok(got) => numbers.push(u64::from_le_bytes(got.body[..8].try_into().unwrap())),
            Err(Reason::TRUNCATED_MSG_FAILED | Reason::OPTIONS_CHANGED) => {
                // As programs do that know no length beforehand, though a longer one may be here already.
                buffer = 1 << 16;
                continue;
            }
            Err(Reason::NO_MSG_AVAILABLE) => break,
            Err(reason) => return Err(reason),
        }
        buffer = habit.buffer;
        if numbers.len().is_multiple_of(habit.unit) {
            connection.commit()?;
        }
    }
    connection.commit()?;
    Ok(numbers)
}

/// Has several programs read all there is at once; what one of them was given out of order. None of them
/// leaves before all have ended, as it would give back what it had reserved.
fn inversion(address: &Address, habit: Habit, context: &str) -> Option<String> {
    let ready = Barrier::new(READERS);
    let one = || {
        let mut connection = Connection::connect(Options::to(address.clone())).unwrap();
        let handle = open(&mut connection, "A", OpenOptions::INPUT_SHARED);
        connection.read_ahead(handle, ReadAhead { messages: 128, bytes: 1 << 20 }).unwrap();
        ready.wait();
        let numbers = read(&mut connection, handle, habit);
        ready.wait();
        connection.close(handle, CloseOptions::EMPTY).unwrap();
        numbers.unwrap()
    };
    let all: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS).map(|_| scope.spawn(one)).collect();
        readers.into_iter().map(|reader| reader.join().unwrap()).collect()
    });
    let mut together = all.concat();
    together.sort_unstable();
    assert!(together.iter().copied().eq(0..MESSAGES), "{context}, {habit:?}: some came twice or never");
    let pair = all.iter().flat_map(|numbers| numbers.windows(2)).find(|pair| pair[1] <= pair[0]);
    pair.map(|pair| format!("{context}, {habit:?}, by {address:?}: {pair:?}"))
}

#[test]
fn each_of_several_readers_gets_in_order_whatever_messages_make_of_how_it_gets() {
    let place = Place::new();
    let habits = [
        Habit { flags: GetFlags::NO_SYNCPOINT, wait: Wait::No, unit: usize::MAX, buffer: 1 << 16 },
        Habit {
            flags: GetFlags::NO_SYNCPOINT,
            wait: Wait::Milliseconds(50),
            unit: usize::MAX,
            buffer: 1 << 16,
        },
        Habit { flags: GetFlags::SYNCPOINT_IF_PERSISTENT, wait: Wait::No, unit: 5, buffer: 1 << 16 },
        Habit { flags: GetFlags::SYNCPOINT, wait: Wait::No, unit: 5, buffer: 1 << 16 },
        Habit { flags: GetFlags::NO_SYNCPOINT, wait: Wait::No, unit: usize::MAX, buffer: 100 },
        Habit { flags: GetFlags::SYNCPOINT, wait: Wait::No, unit: 3, buffer: 100 },
    ];
    let mut inverted = Vec::new();
    for address in ways(&place) {
        for habit in habits {
            for (persistent_of, context) in [(1, "persistent"), (MESSAGES, "volatile"), (3, "mixed")] {
                fill(&place, persistent_of, |number| if number % 7 == 0 { 300 } else { 16 });
                inverted.extend(inversion(&address, habit, context));
            }
        }
    }
    assert_eq!(inverted, Vec::<String>::new());
}

/// A message read back for a program that gives up waiting stays with it.
#[test]
fn each_of_several_readers_gets_in_order_what_is_on_the_disk_whatever_its_kind() {
    let place = Place::with("[memory]\nbudget = \"8 MiB\"\n");
    for address in ways(&place) {
        for flags in [GetFlags::NO_SYNCPOINT, GetFlags::SYNCPOINT] {
            let habit = Habit { flags, wait: Wait::No, unit: 5, buffer: 1 << 16 };
            for (persistent_of, context) in [(1, "persistent"), (MESSAGES, "volatile"), (3, "mixed")] {
                fill(&place, persistent_of, |_| 24 << 10);
                assert_eq!(inversion(&address, habit, context), None);
            }
        }
    }
}
