//! Long answers to programs that read slowly.

use server::embedded::{Listeners, QueueManager};
use server::{DataDirectory, instances};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const SUBSCRIPTIONS: usize = 7_500;

/// The times that a script asks for all of them: enough that its answer is longer than what may be held by
/// far.
const LINES: usize = 3;

/// Most bytes that a user's commands and answers may hold.
const HELD_BYTES_MAX: usize = 8 << 20;

/// Most bytes by which the process may grow, with the program that reads, and what the allocator keeps.
const GROWTH_MAX: u64 = 64 << 20;

fn resident(connection: &mut client::Connection) -> u64 {
    let counters = connection.statistics().unwrap().counters;
    counters.iter().find(|counter| counter.name == "resident_bytes").unwrap().value
}

#[test]
fn a_script_that_asks_for_all_subscriptions_again_and_again_takes_no_memory_for_its_answer() {
    let directory = tempfile::tempdir().unwrap();
    let data = DataDirectory::at(directory.path());
    let name = "QM1".parse().unwrap();
    instances::create(&data, &name, Some("[listener]\naddresses = []\n")).unwrap();
    let queue_manager = QueueManager::open_with(directory.path(), &name, Listeners::AsConfigured).unwrap();
    let socket = client::Address::Unix(data.folder(&name).socket());
    let connect = || client::Connection::connect(client::Options::to(socket.clone())).unwrap();
    let (mut connection, mut watcher) = (connect(), connect());
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
    let wrong = connection.command(&["PING QMGR\n".repeat(5_000), "NONSENSE\n".into()].concat()).unwrap();
    let last = wrong.messages.last().unwrap();
    assert!(last.text.contains("5001"), "the line is that of the text: {}", last.text);

    let shown = connection.command("DISPLAY CONN(*) USERID").unwrap();
    let user = shown.rows[0].iter().find(|(keyword, _)| keyword == "USERID").unwrap().1.clone();
    let room = queue_manager.server().queue_manager().command_room(&user);
    let before = resident(&mut watcher);
    let is_over = AtomicBool::new(false);
    let (mut names, mut parts) = (Vec::new(), 0);
    let (held, grown) = thread::scope(|scope| {
        let watching = scope.spawn(|| {
            let (mut held, mut grown) = (0, 0);
            while !is_over.load(Ordering::Acquire) {
                held = held.max(room.bytes());
                grown = grown.max(resident(&mut watcher).saturating_sub(before));
                thread::sleep(Duration::from_millis(5));
            }
            (held, grown)
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
    assert!(held > 0 && held <= HELD_BYTES_MAX, "{held} bytes were held");
    assert!(grown <= GROWTH_MAX, "the process grew by {grown} bytes");
    println!("{parts} parts, {held} bytes held, {grown} bytes grown");
}
