//! Long answers to programs that read slowly.

use security::{Identity, Principal};
use server::embedded::{Listeners, QueueManager};
use server::{DataDirectory, instances};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::processes::Process;
use crate::running::{Place, connect};

const SUBSCRIPTIONS: usize = 7_500;

/// The times that a script asks for all of them: enough that its answer is longer than what may be held by
/// far.
const LINES: usize = 3;

/// Most bytes that a user's commands and answers may hold.
const HELD_BYTES_MAX: usize = 8 << 20;

/// Most bytes by which the process may grow, with what the allocator keeps.
const GROWTH_MAX: u64 = 64 << 20;

/// Defines the subscriptions by one script.
fn define_subscriptions(connection: &mut client::Connection) {
    // Portions of a script are answered as one.
    let script: String = (0..SUBSCRIPTIONS)
        .map(|number| {
            format!(
                "DEFINE SUB('S{number:05}') TOPICSTR('price/{number}') DEST(SYSTEM.DEFAULT.LOCAL.QUEUE)\n"
            )
        })
        .collect();
    let defined = connection.command(&script).unwrap();
    assert_eq!((defined.failed, defined.messages.len()), (false, SUBSCRIPTIONS));
}

/// Asks for all subscriptions again and again and reads the answer slowly; meanwhile looks again and again,
/// and returns the highest that it saw. The answer must be whole.
fn read_slowly(connection: &mut client::Connection, mut look: impl FnMut() -> u64 + Send) -> u64 {
    let is_over = AtomicBool::new(false);
    let (mut names, mut parts) = (Vec::new(), 0);
    let highest = thread::scope(|scope| {
        let watching = scope.spawn(|| {
            let mut highest = 0;
            while !is_over.load(Ordering::Acquire) {
                highest = highest.max(look());
                thread::sleep(Duration::from_millis(5));
            }
            highest
        });
        let text = "DISPLAY SUB(S*) TOPICSTR DEST ALL\n".repeat(LINES);
        let mut take = |part: client::CommandResponse| {
            parts += 1;
            if parts < 100 {
                thread::sleep(Duration::from_millis(10));
            }
            let name = |row: &Vec<(String, String)>| row[0].1.clone();
            names.extend(part.rows.iter().map(name).filter(|name| !name.starts_with("SYSTEM.")));
        };
        let done = connection.command_in_parts(&text, &mut take);
        is_over.store(true, Ordering::Release);
        done.unwrap();
        watching.join().unwrap()
    });
    let wanted = (0..LINES * SUBSCRIPTIONS).map(|index| format!("S{:05}", index % SUBSCRIPTIONS));
    assert!(names.iter().eq(&wanted.collect::<Vec<_>>()), "{} names in {parts} parts", names.len());
    assert!(parts > 100, "{parts} parts");
    highest
}

#[test]
fn what_an_answer_holds_until_it_is_read_is_bounded_for_its_user() {
    let directory = tempfile::tempdir().unwrap();
    let data = DataDirectory::at(directory.path());
    let name = "QM1".parse().unwrap();
    instances::create(&data, &name, Some("[listener]\naddresses = []\n")).unwrap();
    let queue_manager = QueueManager::open_with(directory.path(), &name, Listeners::AsConfigured).unwrap();
    let socket = client::Address::Unix(data.folder(&name).socket());
    let mut connection = client::Connection::connect(client::Options::to(socket)).unwrap();
    define_subscriptions(&mut connection);
    let wrong = connection.command(&["PING QMGR\n".repeat(5_000), "NONSENSE\n".into()].concat()).unwrap();
    let last = wrong.messages.last().unwrap();
    assert!(last.text.contains("5001"), "the line is that of the text: {}", last.text);

    let shown = connection.command("DISPLAY CONN(*) USERID").unwrap();
    let user = shown.rows[0].iter().find(|(keyword, _)| keyword == "USERID").unwrap().1.clone();
    let user = Principal::new(&user, Identity::Kernel).unwrap();
    let room = queue_manager.server().queue_manager().command_room(&user);
    let held = read_slowly(&mut connection, || room.bytes() as u64);
    assert!(held > 0 && held <= HELD_BYTES_MAX as u64, "{held} bytes were held");
}

/// In a process of its own: what other tests take meanwhile is not counted.
#[test]
fn a_script_that_asks_for_all_subscriptions_again_and_again_takes_no_memory_for_its_answer() {
    let place = Place::new();
    let process = Process::start(&place);
    let mut connection = connect(process.address());
    define_subscriptions(&mut connection);
    let before = process.resident_bytes();
    let highest = read_slowly(&mut connection, || process.resident_bytes());
    let grown = highest.saturating_sub(before);
    assert!(grown <= GROWTH_MAX, "the process grew by {grown} bytes");
}
