//! The queue manager in the program's own process.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use mqi::{
    GetFlags, ObjectDescriptor, OpenOptions, Persistence, PutFlags, Reason, StatusType, SubscribeOptions,
    SubscriptionDescriptor, Verbs,
};
use server::embedded::{Listeners, QueueManager};
use server::{Mode, instances};

use crate::running::{Place, command, connect, get, open, put};

const NOW: Duration = Duration::ZERO;
const SOON: Duration = Duration::from_secs(10);

fn with_queue(place: &Place) -> QueueManager {
    let text = "DEFINE QLOCAL(Q) MAXDEPTH(100000)";
    let server = place.start();
    command(&mut connect(&crate::running::address(&server)), text);
    drop(server);
    QueueManager::open(place.directory.path(), &place.name).unwrap()
}

#[test]
fn put_and_get_without_a_socket() {
    let place = Place::new();
    let queue_manager = with_queue(&place);
    assert_eq!(queue_manager.server().listens(), []);
    let mut connection = queue_manager.connect("program").unwrap();
    let handle = open(&mut connection, "Q", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    for persistence in [Persistence::NotPersistent, Persistence::Persistent] {
        let descriptor = put(&mut connection, handle, b"hello", persistence, PutFlags::EMPTY).unwrap();
        assert_eq!(descriptor.persistence, persistence);
        assert_eq!(get(&mut connection, handle, NOW, GetFlags::EMPTY).unwrap(), b"hello");
    }
    assert_eq!(get(&mut connection, handle, NOW, GetFlags::EMPTY), Err(Reason::NO_MSG_AVAILABLE));
    connection.disconnect().unwrap();
    assert_eq!(connection.commit(), Err(Reason::HCONN_ERROR));
}

#[test]
fn what_was_committed_is_there_after_the_next_open() {
    let place = Place::new();
    let queue_manager = with_queue(&place);
    let mut connection = queue_manager.connect("program").unwrap();
    let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
    for number in 0..10_u8 {
        put(&mut connection, to, &[number], Persistence::Persistent, PutFlags::SYNCPOINT).unwrap();
        if number == 4 {
            connection.commit().unwrap();
        }
    }
    drop(connection);
    queue_manager.close(Mode::Preemptive);
    let queue_manager = QueueManager::open(place.directory.path(), &place.name).unwrap();
    let mut connection = queue_manager.connect("program").unwrap();
    let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
    for number in 0..5_u8 {
        assert_eq!(get(&mut connection, from, NOW, GetFlags::EMPTY), Ok(vec![number]));
    }
    assert_eq!(get(&mut connection, from, NOW, GetFlags::EMPTY), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn an_asynchronous_put_that_fails_fails_its_unit_of_work_if_its_message_is_persistent() {
    let place = Place::new();
    let queue_manager = with_queue(&place);
    let mut connection = queue_manager.connect("program").unwrap();
    let to = open(&mut connection, "Q", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    let in_unit = PutFlags::SYNCPOINT;
    // Longer than any queue manager takes.
    let too_long = vec![0; (100 << 20) + 1];
    for (persistence, commits) in [
        (Persistence::Persistent, false),
        (Persistence::NotPersistent, true),
        // DEFPSIST(NO).
        (Persistence::AsQueueDefault, true),
    ] {
        put(&mut connection, to, b"stands", Persistence::NotPersistent, in_unit).unwrap();
        put(&mut connection, to, &too_long, persistence, in_unit | PutFlags::ASYNC_RESPONSE).unwrap();
        let committed = connection.commit();
        assert_eq!(committed, if commits { Ok(()) } else { Err(Reason::BACKED_OUT) }, "{persistence:?}");
        let got = get(&mut connection, to, NOW, GetFlags::EMPTY);
        let expected = if commits { Ok(b"stands".to_vec()) } else { Err(Reason::NO_MSG_AVAILABLE) };
        assert_eq!(got, expected, "{persistence:?}");
        let status = connection.stat(StatusType::AsyncError).unwrap();
        assert_eq!(status.put_failure_count, 1, "{persistence:?}");
    }
}

#[test]
fn a_waiting_thread_is_woken_by_another_threads_put() {
    let place = Place::new();
    let queue_manager = Arc::new(with_queue(&place));
    for persistence in [Persistence::NotPersistent, Persistence::Persistent] {
        let of_getter = Arc::clone(&queue_manager);
        let getter = std::thread::spawn(move || {
            let mut connection = of_getter.connect("getter").unwrap();
            let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
            let got = get(&mut connection, from, SOON, GetFlags::EMPTY);
            (got, get(&mut connection, from, Duration::from_millis(50), GetFlags::EMPTY))
        });
        std::thread::sleep(Duration::from_millis(50));
        let mut connection = queue_manager.connect("putter").unwrap();
        let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
        put(&mut connection, to, b"for you", persistence, PutFlags::EMPTY).unwrap();
        let (first, second) = getter.join().unwrap();
        assert_eq!((first.as_deref(), second), (Ok(&b"for you"[..]), Err(Reason::NO_MSG_AVAILABLE)));
    }
}

#[test]
fn many_threads_that_wait_are_each_given_every_publication() {
    const SUBSCRIBERS: usize = 12;
    const PUBLICATIONS: u8 = 100;
    let place = Place::new();
    let queue_manager = with_queue(&place);
    let (ready, subscribed) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..SUBSCRIBERS {
            let (queue_manager, ready) = (&queue_manager, ready.clone());
            scope.spawn(move || {
                let mut connection = queue_manager.connect("subscriber").unwrap();
                let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
                let wanted = SubscriptionDescriptor::to("price".to_owned(), options);
                let from = connection.subscribe(&wanted, None).unwrap().queue.unwrap();
                ready.send(()).unwrap();
                for number in 0..PUBLICATIONS {
                    assert_eq!(get(&mut connection, from, SOON, GetFlags::EMPTY), Ok(vec![number]));
                }
            });
        }
        for _ in 0..SUBSCRIBERS {
            subscribed.recv_timeout(SOON).unwrap();
        }
        let mut connection = queue_manager.connect("publisher").unwrap();
        let topic = ObjectDescriptor::topic("price".to_owned());
        let to = connection.open(&topic, OpenOptions::OUTPUT).unwrap().handle;
        for number in 0..PUBLICATIONS {
            // Long enough that they sleep again.
            std::thread::sleep(Duration::from_millis(1));
            put(&mut connection, to, &[number], Persistence::NotPersistent, PutFlags::EMPTY).unwrap();
        }
    });
}

#[test]
fn threads_that_commit_together_all_come_back() {
    let place = Place::new();
    let queue_manager = with_queue(&place);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut connection = queue_manager.connect("program").unwrap();
                let handle = open(&mut connection, "Q", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
                for number in 0..100_u8 {
                    put(&mut connection, handle, &[number], Persistence::Persistent, PutFlags::EMPTY)
                        .unwrap();
                    get(&mut connection, handle, SOON, GetFlags::SYNCPOINT).unwrap();
                    connection.commit().unwrap();
                }
            });
        }
    });
    let mut connection = queue_manager.connect("program").unwrap();
    let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
    assert_eq!(get(&mut connection, from, NOW, GetFlags::EMPTY), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn with_listeners_other_programs_connect_at_the_same_time() {
    let place = Place::with_settings("[listener]\naddresses = [\"127.0.0.1:0\"]\n");
    drop(with_queue(&place));
    let queue_manager =
        QueueManager::open_with(place.directory.path(), &place.name, Listeners::AsConfigured).unwrap();
    let mut inside = queue_manager.connect("inside").unwrap();
    let mut outside = connect(&queue_manager.server().address().unwrap().to_string());
    let to = open(&mut inside, "Q", OpenOptions::OUTPUT);
    let from = open(&mut outside, "Q", OpenOptions::INPUT_SHARED);
    for persistence in [Persistence::NotPersistent, Persistence::Persistent] {
        put(&mut inside, to, b"out", persistence, PutFlags::EMPTY).unwrap();
        assert_eq!(get(&mut outside, from, SOON, GetFlags::EMPTY).unwrap(), b"out");
    }
    let running = instances::find(&place.data, &place.name).unwrap().running.unwrap();
    assert_eq!(running.process, std::process::id());
}

#[test]
fn a_program_is_not_signalled_to_end_the_queue_manager_inside() {
    let place = Place::new();
    let queue_manager = with_queue(&place);
    let instance = instances::find(&place.data, &place.name).unwrap();
    for mode in [Mode::Quiesce, Mode::Immediate, Mode::Preemptive] {
        let refused = instances::signal(&instance, mode).unwrap_err().to_string();
        assert!(refused.contains(&format!("inside a program, process {}", std::process::id())), "{refused}");
    }
    queue_manager.close(Mode::Quiesce);
}

#[test]
fn an_absent_queue_manager_is_created() {
    let directory = tempfile::tempdir().unwrap();
    let name = "NEW".parse().unwrap();
    let queue_manager = QueueManager::open(directory.path(), &name).unwrap();
    queue_manager.connect("program").unwrap().disconnect().unwrap();
}

#[test]
fn a_log_smaller_than_what_is_put_holds_puts_back_and_refuses_none() {
    let place = Place::new();
    let queue_manager = with_queue(&place);
    let mut connection = queue_manager.connect("program").unwrap();
    let handle = open(&mut connection, "Q", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    let body = [7; 50_000];
    for number in 0..700 {
        let done = put(&mut connection, handle, &body, Persistence::Persistent, PutFlags::SYNCPOINT);
        assert!(done.is_ok(), "put {number}: {done:?}");
        if number % 5 == 4 {
            assert_eq!(connection.commit(), Ok(()), "after put {number}");
        }
    }
    for number in 0..700 {
        assert_eq!(
            get(&mut connection, handle, SOON, GetFlags::EMPTY).map(|body| body.len()),
            Ok(50_000),
            "{number}"
        );
    }
}

#[test]
fn a_put_of_this_process_waits_for_room() {
    let place = Place::new();
    let queue_manager = with_queue(&place);
    let altered = queue_manager.command("ALTER QLOCAL(Q) MAXDEPTH(1) FULLACT(HOLD)").unwrap();
    assert!(altered.iter().all(objects::Response::is_ok), "{altered:?}");
    let mut putter = queue_manager.connect("putter").unwrap();
    let to = open(&mut putter, "Q", OpenOptions::OUTPUT);
    let persistent = Persistence::Persistent;
    put(&mut putter, to, b"first", persistent, PutFlags::EMPTY).unwrap();
    let waiting = std::thread::spawn(move || {
        let flags = [PutFlags::EMPTY, PutFlags::ASYNC_RESPONSE, PutFlags::EMPTY];
        for (flags, body) in flags.into_iter().zip([b"1", b"2", b"3"]) {
            put(&mut putter, to, body, persistent, flags).unwrap();
        }
    });
    let mut getter = queue_manager.connect("getter").unwrap();
    let from = open(&mut getter, "Q", OpenOptions::INPUT_SHARED);
    std::thread::sleep(Duration::from_millis(100));
    assert!(!waiting.is_finished(), "it waits");
    for expected in [&b"first"[..], b"1", b"2", b"3"] {
        assert_eq!(get(&mut getter, from, SOON, GetFlags::EMPTY).unwrap(), expected);
    }
    waiting.join().unwrap();
}
