//! Answers of any length: what the queue manager holds of them, and that they come whole.

use crate::loopback::{Client, Server, hello};
use agents::Agent;
use bytes::Bytes;
use channel::client::{self, CommandResponse, Reply};
use channel::frame::FRAGMENT_BYTES;
use channel::{Assembly, Flags, Frame, Hello, Kind, Output, RequestNumber, Versions};
use mqi::{MessageDescriptor, Reason};
use queue_manager::{Identity, Principal};
use std::collections::BTreeMap;
use std::io::IoSlice;

/// Most bytes that a user's commands and answers may hold.
const HELD_BYTES_MAX: usize = 8 << 20;

/// A user that the system vouches for, as it does for the clients of these tests.
fn proved(user: &str) -> Principal {
    Principal::new(user, Identity::Kernel).unwrap()
}

/// A program whose socket takes a few bytes at a time.
struct Reader {
    client: Client,
    received: Vec<u8>,
    arriving: BTreeMap<RequestNumber, (bool, Assembly)>,
    parts: Vec<CommandResponse>,
    failures: Vec<Reason>,
    /// Requests that are answered to their end.
    done: Vec<RequestNumber>,
}

impl Reader {
    fn of(client: Client) -> Self {
        Self {
            client,
            received: Vec::new(),
            arriving: BTreeMap::new(),
            parts: Vec::new(),
            failures: Vec::new(),
            done: Vec::new(),
        }
    }

    /// Sends a text, the answer to which may come in parts where the number of its first line is given.
    fn ask(&mut self, text: &str, first_line: Option<u32>) -> RequestNumber {
        let number = self.client.next_request();
        let mut output = Output::default();
        let text = Bytes::copy_from_slice(text.as_bytes());
        let conversation = self.client.conversation;
        let mut rest = client::command(&mut output, conversation, number, first_line, text, FRAGMENT_BYTES);
        while !rest.is_empty() {
            client::fragment(&mut output, conversation, number, &mut rest, FRAGMENT_BYTES);
        }
        let bytes = taken(&mut output, usize::MAX);
        self.client.receive(&bytes).unwrap();
        number
    }

    /// Has the agent send what it may, and takes at most so many bytes of that.
    fn read(&mut self, most: usize) {
        while self.client.queue_manager.log().waits() {
            self.client.queue_manager.drive();
        }
        self.client.agent.release(self.client.queue_manager.durable(), &mut self.client.output);
        let bytes = taken(&mut self.client.output, most);
        self.client.agent.receive(&mut self.client.input).unwrap();
        self.received.extend(bytes);
        let mut from = 0;
        while let Some(frame) = Frame::decode(&self.received[from..], 1 << 20).unwrap() {
            let (header, bytes) = (frame.header, frame.bytes());
            match Reply::decode(&frame, u32::MAX, &mut MessageDescriptor::default()).unwrap() {
                Reply::Long { length, part } => {
                    let more = header.flags.contains(Flags::IN_PARTS);
                    assert_eq!(header.kind, Kind::CommandDone);
                    if part.len() == length as usize {
                        let whole = Bytes::copy_from_slice(part);
                        self.take(header.request, more, &whole);
                    } else {
                        let assembly = Assembly::begin(header.request, length, part, u32::MAX).unwrap();
                        self.arriving.insert(header.request, (more, assembly));
                    }
                }
                Reply::Fragment(fragment) => {
                    let (more, assembly) = self.arriving.get_mut(&header.request).unwrap();
                    if let Some(whole) = assembly.add(header.request, fragment).unwrap() {
                        let more = *more;
                        self.arriving.remove(&header.request);
                        self.take(header.request, more, &whole);
                    }
                }
                Reply::Failed { reason, .. } => {
                    self.failures.push(reason);
                    self.done.push(header.request);
                }
                other => panic!("{other:?}"),
            }
            from += bytes;
        }
        self.received.drain(..from);
    }

    /// The answer to a text in one piece.
    fn whole(&mut self, text: &str, server: &Server) -> CommandResponse {
        let request = self.ask(text, None);
        while !self.done.contains(&request) {
            server.run_jobs();
            self.read(usize::MAX);
        }
        self.parts.pop().unwrap()
    }

    fn take(&mut self, request: RequestNumber, more: bool, content: &[u8]) {
        self.parts.push(CommandResponse::decode(content).unwrap());
        if !more {
            self.done.push(request);
        }
    }
}

/// Some of what an output holds, as a socket takes it.
fn taken(output: &mut Output, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while !output.is_empty() && bytes.len() < most {
        let mut slices = [IoSlice::new(&[]); 8];
        let filled = output.slices(&mut slices);
        let before = bytes.len();
        for slice in &slices[..filled] {
            let room = most.saturating_sub(bytes.len());
            bytes.extend_from_slice(&slice[..slice.len().min(room)]);
        }
        output.advance(bytes.len() - before);
    }
    bytes
}

/// A queue manager with so many subscriptions.
fn with_subscriptions(count: usize) -> Server {
    let server = Server::new();
    let mut client = server.client();
    for first in (0..count).step_by(50) {
        let names = first..(first + 50).min(count);
        let text: String = names
            .map(|number| format!("DEFINE SUB('S{number:05}') TOPICSTR('price/{number}') DEST(A)\n"))
            .collect();
        assert!(!client.command(&text).failed);
        server.queue_manager.tick();
        server.run_jobs();
    }
    server
}

/// The names of subscriptions in parts.
fn names(parts: &[CommandResponse]) -> Vec<&str> {
    let name = |row: &Vec<(String, String)>| row.iter().position(|(keyword, _)| keyword == "SUB");
    let rows = parts.iter().flat_map(|part| &part.rows);
    rows.filter_map(|row| {
        Some(row[name(row)?].1.as_str()).filter(|name| name.starts_with('S') && name.len() == 6)
    })
    .collect()
}

#[test]
fn an_answer_goes_out_as_it_is_made_and_waits_for_its_reader() {
    const SUBSCRIPTIONS: usize = 1_000;
    const LINES: usize = 30;
    let server = with_subscriptions(SUBSCRIPTIONS);
    let mut reader = Reader::of(server.client());
    let room = server.queue_manager.command_room(&proved("tester"));
    let request = reader.ask(&"DISPLAY SUB(*) ALL\n".repeat(LINES), Some(1));
    let (mut most, mut waiting, mut bytes) = (0, 0, 0);
    for turn in 0.. {
        assert!(turn < 100_000, "no end");
        if reader.done.contains(&request) {
            break;
        }
        server.run_jobs();
        // For the first hundred turns the reader takes next to nothing.
        let some = if turn < 100 { 100 } else { 1 << 20 };
        reader.read(some);
        bytes += some;
        most = most.max(room.bytes());
        waiting = waiting.max(reader.client.output.len());
    }
    assert!(most <= HELD_BYTES_MAX && most > 0, "{most} bytes were held");
    assert!(waiting <= 1 << 20, "{waiting} bytes of output");
    assert!(bytes > HELD_BYTES_MAX, "the answer is longer than what may be held");
    assert_eq!(room.bytes(), 0, "all is given back");
    let names = names(&reader.parts);
    assert_eq!(names.len(), SUBSCRIPTIONS * LINES);
    for (index, name) in names.iter().enumerate() {
        assert_eq!(*name, format!("S{:05}", index % SUBSCRIPTIONS));
    }
    assert!(reader.parts.len() > LINES && reader.parts.iter().all(|part| !part.failed));
}

#[test]
fn connections_of_one_user_share_the_bound_and_none_keeps_the_others_from_their_end() {
    const CONNECTIONS: usize = 60;
    let server = with_subscriptions(300);
    let room = server.queue_manager.command_room(&proved("tester"));
    let mut readers: Vec<Reader> = (0..CONNECTIONS).map(|_| Reader::of(server.client())).collect();
    // Some take parts, some the whole, and the texts of some take several frames.
    let asked: Vec<RequestNumber> = readers
        .iter_mut()
        .enumerate()
        .map(|(index, reader)| {
            let comment =
                format!("* {}\n", "x".repeat(1 << 10)).repeat(if index % 10 == 0 { 300 } else { 20 });
            let text = [comment, "DISPLAY SUB(*) ALL\n".repeat(5)].concat();
            reader.ask(&text, (index % 3 != 0).then_some(1))
        })
        .collect();
    let mut most = 0;
    for turn in 0.. {
        assert!(turn < 20_000, "no end: {room:?}");
        server.run_jobs();
        for (index, reader) in readers.iter_mut().enumerate() {
            // They read in turns, and at different speeds.
            if turn % (1 + index % 7) == 0 {
                reader.read((1 + index) * 10_000);
                most = most.max(room.bytes());
            }
        }
        if readers.iter().zip(&asked).all(|(reader, request)| reader.done.contains(request)) {
            break;
        }
    }
    assert!(most <= HELD_BYTES_MAX && most > HELD_BYTES_MAX / 4, "{most} bytes were held");
    assert_eq!(room.bytes(), 0);
    for (index, reader) in readers.iter().enumerate() {
        let refused = reader.failures == [Reason::RESOURCE_PROBLEM];
        assert!(refused && index % 10 == 0 || reader.failures.is_empty(), "{index}: {:?}", reader.failures);
        if !refused {
            assert_eq!(names(&reader.parts).len(), 5 * 300, "connection {index}");
        }
    }
    // Another user's room is another.
    let mut other = Reader::of(server.client_of("other"));
    other.ask("DISPLAY SUB(*) ALL", Some(1));
    assert!(server.queue_manager.command_room(&proved("other")).bytes() > 0);
    assert_eq!(room.bytes(), 0);
}

#[test]
fn a_program_that_does_not_read_is_ended_while_others_of_its_user_wait_for_room() {
    let server = with_subscriptions(300);
    let room = server.queue_manager.command_room(&proved("tester"));
    let mut idle: Vec<Reader> = (0..40).map(|_| Reader::of(server.client())).collect();
    for reader in &mut idle {
        reader.ask(&"DISPLAY SUB(*) ALL\n".repeat(30), Some(1));
        server.run_jobs();
        reader.read(0);
    }
    let mut other = Reader::of(server.client());
    let request = other.ask("DISPLAY SUB(S00000)", Some(1));
    server.run_jobs();
    other.read(1 << 20);
    assert!(other.done.is_empty() && room.is_waited_for(), "{room:?}");
    let mut ended = 0;
    for second in 0..120 {
        let now = platform::Monotonic(second * 1_000_000_000);
        idle.retain_mut(|reader| match reader.client.agent.tick(now) {
            Ok(()) => true,
            Err(close) => {
                assert!(close.to_string().contains("has read nothing"), "{close}");
                ended += 1;
                false
            }
        });
        server.run_jobs();
        other.client.agent.tick(now).unwrap();
        other.read(1 << 20);
        idle.iter_mut().for_each(|reader| reader.read(0));
    }
    assert!(ended > 0 && other.done.contains(&request), "{ended} were ended");
}

#[test]
fn a_script_of_a_hundred_thousand_lines_is_run_in_order_and_answered_line_by_line() {
    const LINES: u32 = 100_000;
    const PORTION: u32 = 500;
    let server = Server::new();
    let mut reader = Reader::of(server.client());
    let room = server.queue_manager.command_room(&proved("tester"));
    let mut most = 0;
    for first in (1..=LINES).step_by(PORTION as usize) {
        let text: String = (first..first + PORTION)
            .map(|line| {
                if line % 1_000 == 7 {
                    "NONSENSE\n".into()
                } else if line % 100 == 0 {
                    format!("ALTER QLOCAL(A) MAXDEPTH({line})\n")
                } else {
                    "PING QMGR\n".into()
                }
            })
            .collect();
        let request = reader.ask(&text, Some(first));
        while !reader.done.contains(&request) {
            server.run_jobs();
            most = most.max(room.bytes());
            reader.read(1 << 20);
        }
        server.queue_manager.tick();
    }
    assert!(most <= HELD_BYTES_MAX, "{most}");
    let messages: Vec<_> = reader.parts.iter().flat_map(|part| &part.messages).collect();
    assert_eq!(messages.len(), LINES as usize);
    let wrong: Vec<_> = messages.iter().filter(|message| message.text.contains("NONSENSE")).collect();
    assert_eq!(wrong.len(), 100, "{:?}", messages[6]);
    assert!(
        wrong[99].text.contains("99007"),
        "the number of the line is that of the text: {}",
        wrong[99].text
    );
    let shown = reader.client.command("DISPLAY QLOCAL(A) MAXDEPTH");
    assert!(shown.text.contains(&format!("MAXDEPTH({LINES})")), "{}", shown.text);
}

#[test]
fn an_old_program_has_one_answer_to_a_whole_script_which_says_where_it_stops() {
    let server = with_subscriptions(2_000);
    let mut reader =
        Reader::of(server.client_with(&Hello { versions: Versions { least: 2, most: 2 }, ..hello() }));
    let room = server.queue_manager.command_room(&proved("tester"));
    let text = ["DISPLAY SUB(*) ALL\n".repeat(30), "ALTER QLOCAL(A) DESCR('done')\n".into()].concat();
    let request = reader.ask(&text, None);
    let mut most = 0;
    while !reader.done.contains(&request) {
        server.run_jobs();
        most = most.max(room.bytes());
        reader.read(100_000);
    }
    assert!(most <= HELD_BYTES_MAX, "{most}");
    let [answer] = &reader.parts[..] else { panic!("{} parts", reader.parts.len()) };
    assert!(!answer.rows.is_empty() && !answer.failed);
    let ids: Vec<_> = answer.messages.iter().map(|message| message.id.as_str()).collect();
    assert_eq!(ids, ["FRY8420W", "FRY8422W"], "{:?}", answer.messages);
    let shown = reader.whole("DISPLAY QLOCAL(A) DESCR", &server);
    assert!(shown.text.contains("DESCR(done)"), "a command behind the bound is done: {}", shown.text);
    // A page that is asked for ends earlier, and goes on by its last name.
    let (mut found, mut after, mut pages) = (Vec::new(), String::new(), 0);
    loop {
        let page = reader.whole(&format!("DISPLAY SUB(S*) ALL LIMIT(2000){after}"), &server);
        pages += 1;
        found.extend(page.rows.iter().map(|row| row[0].1.clone()));
        assert!(!page.messages.iter().any(|message| message.id == "FRY8420W"), "{:?}", page.messages);
        if page.messages.iter().all(|message| message.id != "FRY8421I") {
            break;
        }
        after = format!(" AFTER('{}')", found[found.len() - 1]);
    }
    let wanted = (0..2_000).map(|number| format!("S{number:05}")).chain(["SYSTEM.DEFAULT.SUB".into()]);
    assert!(found.iter().eq(&wanted.collect::<Vec<_>>()) && pages > 1, "{} in {pages} pages", found.len());
}

#[test]
fn a_text_in_frames_that_never_end_keeps_no_other_program_waiting() {
    let server = Server::new();
    let room = server.queue_manager.command_room(&proved("tester"));
    let mut halves: Vec<Reader> = (0..5).map(|_| Reader::of(server.client())).collect();
    for half in &mut halves {
        let number = half.client.next_request();
        let mut output = Output::default();
        let text = Bytes::from(vec![b' '; 1 << 20]);
        let _ = client::command(&mut output, half.client.conversation, number, Some(1), text, FRAGMENT_BYTES);
        let bytes = taken(&mut output, usize::MAX);
        half.client.receive(&bytes).unwrap();
        half.read(usize::MAX);
    }
    let refused = halves.iter().filter(|half| half.failures == [Reason::RESOURCE_PROBLEM]).count();
    assert_eq!(refused, 3, "two of them are in the room");
    assert!(room.bytes() <= 2 << 20);
    assert!(!server.client().command("DISPLAY QLOCAL(A)").failed, "another program is served");
    drop(halves);
    assert_eq!(room.bytes(), 0, "the texts go with their connections");
}

#[test]
fn requests_for_counters_wait_until_the_answer_before_was_written() {
    use agents::{Answer, Control};
    use channel::client::ObjectStatistics;
    use channel::{Request, Statistics};
    let server = Server::new();
    let mut client = server.client();
    for _ in 0..1_000 {
        client.cork(&Request::Statistics, Flags::NONE);
    }
    client.send();
    let queues = vec![ObjectStatistics { name: "Q".repeat(200), counters: Vec::new() }; 5_000];
    let long = Answer::Statistics(Statistics { counters: Vec::new(), queues });
    let (mut answered, mut read) = (0, 0);
    for _ in 0..100_000 {
        let asked: Vec<Control> = std::iter::from_fn(|| client.agent.take_control()).collect();
        assert!(asked.len() <= 1, "{} are asked of the host at once", asked.len());
        for control in &asked {
            client.agent.answer(control, &long);
            answered += 1;
        }
        client.agent.release(server.queue_manager.durable(), &mut client.output);
        assert!(client.output.len() < 3 << 20, "{} bytes wait", client.output.len());
        read += taken(&mut client.output, 100_000).len();
        client.agent.receive(&mut client.input).unwrap();
        if answered == 50 {
            break;
        }
    }
    assert_eq!(answered, 50);
    assert!(read > 45 << 20, "{read} bytes were read: an answer is made when the one before is gone");
}
