//! Partners that break the protocol of message channels, over real sockets: each is refused in words, and
//! nothing of what it sent is stored.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use channel::login::VERSIONS;
use channel::message::frame::{Destination, FRAME_BYTES_MAX};
use channel::message::negotiate::Offer;
use channel::message::{
    BatchNumber, Chain, EndOfBatch, Ending, Generation, How, Introduction, Line, Mark, MessageHead, Position,
    Resume, Role, Sequence,
};
use channel::{Frame, Kind, Output, Refused, Versions};
use client::{Connection, Options};
use mqi::{MessageDescriptor, MessageId, OpenOptions, Persistence, PutFlags};
use server::Server;

use crate::running::{Place, command, connect, eventually, open, put};

const OFFER: Offer = Offer {
    batch_messages_max: 2,
    batch_kilobytes_max: 5_000,
    message_bytes_max: 100,
    heartbeat_seconds: 300,
    wrap: 999_999_999,
    in_flight_max: 4,
    is_fast: true,
};

/// A partner that calls, and does as a test says.
struct Caller {
    stream: TcpStream,
    came: Vec<u8>,
}

/// The first words of queue manager X, by its channel X.B.
pub(crate) fn introduction(role: Role, connection: u64) -> Introduction {
    Introduction {
        versions: VERSIONS,
        role,
        generation: Generation { start: 1, connection },
        offer: OFFER,
        coded_character_set: 1208,
        encoding: 546,
        channel: "X.B".into(),
        queue_manager: "X".parse().unwrap(),
        identifier: "X_2026-11-26_06.00.00".into(),
        product: "test".into(),
        body_compressions: [].into_iter().collect(),
        head_compressions: [].into_iter().collect(),
    }
}

impl Caller {
    fn calls(server: &Server) -> Self {
        let stream = TcpStream::connect(server.address().unwrap()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        Self { stream, came: Vec::new() }
    }

    fn hello(&mut self, role: Role, connection: u64) {
        self.send(|out| introduction(role, connection).encode(Kind::ChannelHello, out));
    }

    fn send(&mut self, encode: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = Vec::new();
        encode(&mut bytes);
        // One that was refused may have been closed.
        let _ = self.stream.write_all(&bytes);
    }

    /// The next frame; none at the end.
    fn next(&mut self) -> Option<(Kind, Vec<u8>)> {
        loop {
            if let Some(frame) = Frame::decode(&self.came, FRAME_BYTES_MAX).unwrap() {
                let (told, bytes) = ((frame.header.kind, frame.payload.to_vec()), frame.bytes());
                self.came.drain(..bytes);
                return Some(told);
            }
            let mut some = [0; 4096];
            match self.stream.read(&mut some) {
                Ok(0) | Err(_) => return None,
                Ok(count) => self.came.extend_from_slice(&some[..count]),
            }
        }
    }

    fn position(&mut self) -> Position {
        let told = self.next();
        let Some((Kind::Position, payload)) = told else { panic!("a Position: {told:?}") };
        Position::decode(&payload).unwrap()
    }

    /// Is introduced, and begins a line.
    fn is_bound(&mut self, connection: u64) {
        self.hello(Role::Sender, connection);
        assert!(matches!(self.next(), Some((Kind::ChannelWelcome, _))));
        let at = self.position();
        let next = at.last.sequence.0 + 1;
        let line = if at.line == Line::NONE { Line(77) } else { at.line };
        self.resume(line, at.line == Line::NONE, at.last.batch.0 + 1, next);
        if at.line == Line::NONE {
            assert_eq!(self.position().line, Line(77), "told once it is durable");
            self.resume(line, false, 1, 1);
        }
    }

    fn resume(&mut self, line: Line, is_new: bool, batch: u64, sequence: u32) {
        let resume = Resume { line, is_new, batch: BatchNumber(batch), sequence: Sequence(sequence) };
        self.send(|out| resume.encode(out));
    }

    fn message(&mut self, sequence: u32, destination: Option<Destination>, body: Vec<u8>) {
        let head = MessageHead { sequence: Sequence(sequence), destination, hops: 0 };
        let descriptor = MessageDescriptor {
            message_id: MessageId([7; 24]),
            persistence: Persistence::Persistent,
            ..MessageDescriptor::default()
        };
        let mut output = Output::default();
        let rest = head.encode(&descriptor, body.into(), channel::frame::FRAGMENT_BYTES, &mut output);
        assert!(rest.is_empty());
        let mut bytes = Vec::new();
        let mut slices = [std::io::IoSlice::new(&[]); 64];
        let count = output.slices(&mut slices);
        slices[..count].iter().for_each(|slice| bytes.extend_from_slice(slice));
        self.send(|out| out.extend_from_slice(&bytes));
    }

    fn end(&mut self, batch: u64, sequence: u32, chain: Chain, messages: u32) {
        let mark = Mark { batch: BatchNumber(batch), sequence: Sequence(sequence), chain };
        self.send(|out| EndOfBatch { mark, messages }.encode(out));
    }

    /// The words of the refusal that ends the connection.
    fn refusal(mut self) -> String {
        while let Some((kind, payload)) = self.next() {
            if kind == Kind::Refused {
                return Refused::decode(&payload).unwrap().text;
            }
        }
        panic!("it was ended without a word");
    }
}

fn destination() -> Option<Destination> {
    Some(Destination { queue: "IN".parse().unwrap(), queue_manager: "B".parse().unwrap() })
}

fn chain_of_one() -> Chain {
    Chain::default().with_message(&[7; 24], 5).with_end(BatchNumber(1))
}

/// A step of a partner that is wrong, and a part of the words that it is told.
type Wrong = (fn(&mut Caller), &'static str);

const WRONG: [Wrong; 14] = [
    (|caller| caller.hello(Role::Receiver, 1), "does not go with the caller's"),
    (
        |caller| {
            caller.hello(Role::Sender, 1);
            caller.message(1, destination(), b"early".to_vec());
        },
        "before",
    ),
    (
        |caller| {
            caller.hello(Role::Sender, 1);
            caller.resume(Line(5), false, 1, 1);
        },
        "line 0000000000000005",
    ),
    (
        |caller| {
            caller.hello(Role::Sender, 1);
            caller.resume(Line(5), true, 3, 1);
        },
        "batch 3",
    ),
    (
        |caller| {
            caller.is_bound(1);
            caller.message(2, destination(), b"first".to_vec());
        },
        "sequence number 2, and 1 comes next",
    ),
    (
        |caller| {
            caller.is_bound(1);
            caller.message(1, None, b"where".to_vec());
        },
        "names no destination",
    ),
    (
        |caller| {
            caller.is_bound(1);
            caller.message(1, destination(), vec![b'x'; 101]);
        },
        "longer than the 100 agreed",
    ),
    (
        |caller| {
            caller.is_bound(1);
            (1..=3).for_each(|number| caller.message(number, destination(), b"three".to_vec()));
        },
        "more than the 2 messages",
    ),
    (
        |caller| {
            caller.is_bound(1);
            caller.message(1, destination(), b"first".to_vec());
            caller.end(2, 1, chain_of_one(), 1);
        },
        "batch 2 was named, and 1 comes next",
    ),
    (
        |caller| {
            caller.is_bound(1);
            caller.message(1, destination(), b"first".to_vec());
            caller.end(1, 1, chain_of_one(), 2);
        },
        "2 messages, and 1 arrived",
    ),
    (
        |caller| {
            caller.is_bound(1);
            caller.message(1, destination(), b"first".to_vec());
            caller.end(1, 1, Chain(1), 1);
        },
        "has chain 0000000000000001",
    ),
    (
        |caller| {
            caller.is_bound(1);
            caller.send(|out| Position::default().encode(out));
        },
        "the other end sends it",
    ),
    (
        |caller| {
            caller.hello(Role::Sender, 1);
            caller.hello(Role::Sender, 2);
        },
        "",
    ),
    (
        |caller| {
            caller.is_bound(1);
            // A body that says to be longer than the channel takes.
            caller.send(|out| out.extend_from_slice(&[0xFF; 12]));
        },
        "",
    ),
];

/// A queue manager with a queue and a receiving channel of batches of two, and a connection that commands it.
fn receiver() -> (Place, Server, Connection) {
    let place = Place::named("B");
    let server = place.start();
    let local = format!("unix:{}", place.folder().join("socket").display());
    let mut administrator = Connection::connect(Options::to(local.parse().unwrap())).unwrap();
    command(&mut administrator, "DEFINE QLOCAL(IN)");
    command(&mut administrator, "DEFINE CHANNEL(X.B) CHLTYPE(RCVR) BATCHSZ(2) MAXMSGL(100)");
    (place, server, administrator)
}

#[test]
fn a_partner_that_breaks_the_protocol_is_refused_in_words_and_stores_nothing() {
    for (number, (does, words)) in WRONG.into_iter().enumerate() {
        let (_place, server, mut administrator) = receiver();
        let mut caller = Caller::calls(&server);
        does(&mut caller);
        if words.is_empty() {
            while caller.next().is_some() {}
        } else {
            let told = caller.refusal();
            assert!(told.contains(words), "{number}: {words:?} is not in {told:?}");
        }
        let depth = command(&mut administrator, "DISPLAY QSTATUS(IN) CURDEPTH UNCOM");
        eventually("the unit of work is backed out", || {
            let shown = command(&mut administrator, "DISPLAY QSTATUS(IN) CURDEPTH UNCOM");
            shown.contains("CURDEPTH(0)") && shown.contains("UNCOM(NO)")
        });
        // One that keeps to it comes in afterwards.
        let mut good = Caller::calls(&server);
        good.is_bound(10);
        good.message(1, destination(), b"first".to_vec());
        good.end(1, 1, chain_of_one(), 1);
        let done = loop {
            match good.next() {
                Some((Kind::BatchDone, _)) => break true,
                Some(_) => {}
                None => break false,
            }
        };
        assert!(done, "{number}: {depth}");
    }
}

/// A partner of a name that has begun its line, for messages of up to 4 MiB.
fn named(server: &Server, name: &str) -> Caller {
    let mut caller = Caller::calls(server);
    caller.send(|out| {
        let theirs = Introduction {
            queue_manager: name.parse().unwrap(),
            identifier: format!("{name}_2026-11-26_06.00.00").as_str().into(),
            offer: Offer { message_bytes_max: 4 << 20, ..OFFER },
            ..introduction(Role::Sender, 1)
        };
        theirs.encode(Kind::ChannelHello, out);
    });
    assert!(matches!(caller.next(), Some((Kind::ChannelWelcome, _))), "{name}");
    let at = caller.position();
    if at.line == Line::NONE {
        caller.resume(Line(77), true, 1, 1);
        assert_eq!(caller.position().line, Line(77), "{name}");
    }
    caller.resume(Line(77), false, at.last.batch.0 + 1, at.last.sequence.0 + 1);
    caller
}

impl Caller {
    /// Sends the first part of a message of so many bytes, and keeps the rest.
    fn begin_message(&mut self, bytes: usize) {
        let head = MessageHead { sequence: Sequence(1), destination: destination(), hops: 0 };
        let mut output = Output::default();
        let body = vec![b'x'; bytes].into();
        let descriptor = MessageDescriptor::default();
        let rest = head.encode(&descriptor, body, channel::frame::FRAGMENT_BYTES, &mut output);
        assert!(!rest.is_empty());
        let mut slices = [std::io::IoSlice::new(&[]); 64];
        let count = output.slices(&mut slices);
        let sent: Vec<u8> = slices[..count].iter().flat_map(|slice| slice.iter().copied()).collect();
        self.send(|out| out.extend_from_slice(&sent));
    }

    /// The reason and the words that end the channel; none while nothing comes for a moment.
    fn ending(&mut self, patience: Duration) -> Option<(mqi::Reason, String)> {
        self.stream.set_read_timeout(Some(patience)).unwrap();
        while let Some((kind, payload)) = self.next() {
            if kind == Kind::EndChannel {
                let ending = Ending::decode(&payload).unwrap();
                assert!(ending.retries, "{}", ending.text);
                return Some((ending.reason, ending.text));
            }
            if kind == Kind::Refused {
                let refused = Refused::decode(&payload).unwrap();
                return Some((refused.reason, refused.text));
            }
        }
        None
    }
}

#[test]
fn half_sent_messages_of_partners_share_the_room_of_all_and_are_given_up_when_they_stand_still() {
    // Half of the budget of 8 MiB is for messages under way.
    let place = Place::named_with("B", "[memory]\nbudget = \"8 MiB\"\n");
    let server = place.start();
    let local = format!("unix:{}", place.folder().join("socket").display());
    let mut administrator = Connection::connect(Options::to(local.parse().unwrap())).unwrap();
    command(&mut administrator, "DEFINE QLOCAL(IN)");
    command(&mut administrator, "DEFINE CHANNEL(X.B) CHLTYPE(RCVR) MAXMSGL(4194304)");
    let mut kept = [named(&server, "X1"), named(&server, "X2")];
    for partner in &mut kept {
        partner.begin_message(1_500_000);
    }
    let moment = Duration::from_millis(200);
    assert!(kept.iter_mut().all(|partner| partner.ending(moment).is_none()), "there is room for both");
    // The newest is refused in words, of whatever protocol it is, and keeps nothing.
    let mut third = named(&server, "X3");
    third.begin_message(1_500_000);
    let (reason, text) = third.ending(Duration::from_secs(10)).expect("a refusal");
    assert_eq!(reason, mqi::Reason::RESOURCE_PROBLEM);
    assert!(text.contains("take all the room") && text.contains("send it again later"), "{text}");
    eventually("the status and the log have it", || {
        let shown = command(&mut administrator, "DISPLAY CHSTATUS(X.B) RQMNAME LASTERR");
        shown.contains("LASTERR(2102: messages that are half sent")
            && place.error_log().contains("messages that are half sent")
    });
    let mut program = connect(&server.address().unwrap().to_string());
    let to = open(&mut program, "IN", OpenOptions::OUTPUT);
    let large = vec![7; 1_500_000];
    let mut put_one = || put(&mut program, to, &large, Persistence::NotPersistent, PutFlags::EMPTY).map(drop);
    assert_eq!(put_one(), Err(mqi::Reason::RESOURCE_PROBLEM));
    let mut small = named(&server, "X4");
    small.begin_message(300_000);
    assert!(small.ending(moment).is_none(), "what fits comes in");
    // A partner that leaves gives its room back at once.
    let [stays, leaves] = kept;
    drop(leaves);
    eventually("its room is free", || put_one().is_ok());
    // While the room is short, one that stands still is given up, until others have enough.
    let mut needs = named(&server, "X5");
    needs.begin_message(1_500_000);
    let begun = std::time::Instant::now();
    let mut partners = [stays, small, needs];
    let given_up = loop {
        let given_up: Vec<String> =
            partners.iter_mut().filter_map(|partner| partner.ending(moment)).map(|(_, text)| text).collect();
        if !given_up.is_empty() {
            break given_up;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "nobody is given up");
    };
    assert!(begun.elapsed() >= Duration::from_secs(15), "too early: {:?}", begun.elapsed());
    assert!(given_up.iter().all(|text| text.contains("a message whose room others need")), "{given_up:?}");
    drop(partners);
    eventually("all room is there again", || {
        let mut largest = named(&server, "X6");
        largest.begin_message(3_900_000);
        largest.ending(moment).is_none()
    });
    let depth = command(&mut administrator, "DISPLAY QSTATUS(IN) CURDEPTH UNCOM");
    assert!(depth.contains("CURDEPTH(1)") && depth.contains("UNCOM(NO)"), "{depth}");
}

/// Words after which a channel would have to be started by a person, if they counted for more than the pair.
const FOR_GOOD: [fn(&mut Caller); 3] = [
    |caller| {
        caller.is_bound(1);
        let (how, reason) = (How::Force, mqi::Reason::CHANNEL_NOT_AVAILABLE);
        let ending = Ending { how, reason, retries: false, text: "for good".to_owned() };
        caller.send(|out| ending.encode(Kind::EndChannel, out));
    },
    |caller| {
        caller.is_bound(1);
        let (reason, text) = (mqi::Reason::CHANNEL_CONFIG_ERROR, "for good".to_owned());
        caller.send(|out| Refused { reason, text }.encode(out));
    },
    |caller| {
        caller.is_bound(1);
        caller.message(
            1,
            Some(Destination { queue: "NOT.THERE".parse().unwrap(), ..destination().unwrap() }),
            vec![1],
        );
        caller.end(1, 1, chain_of_one(), 1);
    },
];

#[test]
fn a_stranger_that_ends_a_channel_for_good_stops_nobody() {
    for (number, does) in FOR_GOOD.into_iter().enumerate() {
        let (_place, server, mut administrator) = receiver();
        command(&mut administrator, "ALTER QMGR DEADQ(' ')");
        let mut stranger = Caller::calls(&server);
        does(&mut stranger);
        while stranger.next().is_some() {}
        eventually("it is told of", || {
            let shown = command(&mut administrator, "DISPLAY CHSTATUS(X.B) STATUS RQMNAME LASTERR");
            assert!(!shown.contains("STATUS(STOPPED)"), "{number}: {shown}");
            shown.contains("STATUS(INACTIVE)") && shown.contains("RQMNAME(X)")
        });
        let mut partner = Caller::calls(&server);
        partner.send(|out| {
            let theirs = Introduction {
                queue_manager: "Y".parse().unwrap(),
                identifier: "Y_2026-11-26_06.00.00".into(),
                ..introduction(Role::Sender, 1)
            };
            theirs.encode(Kind::ChannelHello, out);
        });
        assert!(matches!(partner.next(), Some((Kind::ChannelWelcome, _))), "{number}: another comes in");
        // It itself as well, once it does better.
        Caller::calls(&server).is_bound(2);
    }
}

#[test]
fn a_partner_whose_state_has_no_room_is_told_so_and_so_are_the_status_and_the_log() {
    let (place, server, mut administrator) = receiver();
    let begins = |number: usize| {
        let mut caller = Caller::calls(&server);
        caller.send(|out| {
            let theirs = Introduction {
                queue_manager: format!("X{number}").parse().unwrap(),
                identifier: format!("X{number}_2026-11-26").as_str().into(),
                ..introduction(Role::Sender, 1)
            };
            theirs.encode(Kind::ChannelHello, out);
        });
        assert!(matches!(caller.next(), Some((Kind::ChannelWelcome, _))), "{number}");
        assert_eq!(caller.position().line, Line::NONE);
        caller.resume(Line(77), true, 1, 1);
        caller
    };
    // As many names of partners as a channel keeps.
    for number in 0..1_000 {
        assert_eq!(begins(number).position().line, Line(77), "{number}");
    }
    let mut last = begins(1_000);
    let told = std::iter::from_fn(|| last.next()).find(|(kind, _)| *kind == Kind::EndChannel);
    let Ending { reason, retries, text, .. } = Ending::decode(&told.unwrap().1).unwrap();
    let words = "the state towards this partner cannot be kept";
    assert!(text.contains(words) && retries && reason == mqi::Reason::RESOURCE_PROBLEM, "{reason}: {text}");
    eventually("it is told of here", || {
        let shown = command(&mut administrator, "DISPLAY CHSTATUS(X.B) RQMNAME LASTERR");
        shown.contains("RQMNAME(X1000)") && shown.contains("LASTERR(2102: the state")
    });
    eventually("the log has it", || {
        let log = place.error_log();
        log.lines()
            .any(|line| line.contains("FRY9068W") && line.contains(words) && line.contains("X.B with tcp"))
    });
    // A partner that is known goes on.
    let mut known = Caller::calls(&server);
    known.send(|out| {
        let theirs = Introduction {
            queue_manager: "X7".parse().unwrap(),
            identifier: "X7_2026-11-26".into(),
            ..introduction(Role::Sender, 2)
        };
        theirs.encode(Kind::ChannelHello, out);
    });
    assert!(matches!(known.next(), Some((Kind::ChannelWelcome, _))));
    assert_eq!(known.position().line, Line(77));
}

#[test]
fn of_two_connections_of_one_partner_the_newer_stays_and_an_older_one_is_refused() {
    let (_place, server, mut administrator) = receiver();
    let mut first = Caller::calls(&server);
    first.is_bound(5);
    first.message(1, destination(), b"first".to_vec());
    let mut newer = Caller::calls(&server);
    newer.is_bound(6);
    while first.next().is_some() {}
    let mut older = Caller::calls(&server);
    older.hello(Role::Sender, 4);
    let told = older.refusal();
    assert!(told.contains("a newer connection of the channel is there"), "{told}");
    newer.message(1, destination(), b"first".to_vec());
    newer.end(1, 1, chain_of_one(), 1);
    let is_done = std::iter::from_fn(|| newer.next()).any(|(kind, _)| kind == Kind::BatchDone);
    assert!(is_done);
    let shown = command(&mut administrator, "DISPLAY QLOCAL(IN) CURDEPTH");
    assert!(shown.contains("CURDEPTH(1)"), "what the older connection sent is backed out: {shown}");
}

#[test]
fn a_partner_with_the_identifier_of_another_takes_no_channel_from_it() {
    let (_place, server, mut administrator) = receiver();
    for (name, user) in [("X", "x"), ("Y", "y")] {
        let rule = format!("SET CHLAUTH('X.B') TYPE(QMGRMAP) QMNAME({name}) USERSRC(MAP) MCAUSER('{user}')");
        command(&mut administrator, &rule);
        for object in
            ["OBJTYPE(QMGR) AUTHADD(CONNECT,SETALL)", "PROFILE(IN) OBJTYPE(QUEUE) AUTHADD(PUT,SETALL)"]
        {
            command(&mut administrator, &format!("SET AUTHREC PRINCIPAL('{user}') {object}"));
        }
    }
    let mut owner = Caller::calls(&server);
    owner.is_bound(1);
    owner.message(1, destination(), b"first".to_vec());
    for connection in 2..6 {
        let mut other = Caller::calls(&server);
        let theirs =
            Introduction { queue_manager: "Y".parse().unwrap(), ..introduction(Role::Sender, connection) };
        other.send(|out| theirs.encode(Kind::ChannelHello, out));
        let told = other.refusal();
        assert!(told.contains("a partner that acts as another user"), "{told}");
        assert!(!told.contains("no right to connect"), "{told}");
    }
    owner.end(1, 1, chain_of_one(), 1);
    let is_done = std::iter::from_fn(|| owner.next()).any(|(kind, _)| kind == Kind::BatchDone);
    assert!(is_done, "it goes on");
    let shown = command(&mut administrator, "DISPLAY QLOCAL(IN) CURDEPTH");
    assert!(shown.contains("CURDEPTH(1)"), "{shown}");
    Caller::calls(&server).is_bound(7);
}

/// The bytes of a first frame with fields behind the last that this release knows.
fn with_more(theirs: &Introduction, kind: Kind) -> Vec<u8> {
    let mut bytes = Vec::new();
    theirs.encode(kind, &mut bytes);
    let start = if kind == Kind::ChannelHello { channel::preamble::MAGIC.len() } else { 0 };
    bytes.extend(b"a field of a later release");
    let length = u32::try_from(bytes.len() - start - 4).unwrap();
    bytes[start..start + 4].copy_from_slice(&length.to_le_bytes());
    bytes
}

#[test]
fn a_partner_of_another_release_is_met_in_the_newest_version_of_both_and_its_new_fields_are_skipped() {
    let (place, server, mut administrator) = receiver();
    let ours = VERSIONS.most;
    // A later release that still speaks ours, and an earlier one up to ours: one connection each.
    for (number, (least, most)) in [(ours, ours + 3), (1, ours)].into_iter().enumerate() {
        let connection = 20 + number as u64;
        let mut caller = Caller::calls(&server);
        let theirs = Introduction {
            versions: Versions { least, most },
            product: "FerryMQ 9.1.0".into(),
            ..introduction(Role::Sender, connection)
        };
        caller.send(|out| out.extend(with_more(&theirs, Kind::ChannelHello)));
        let Some((Kind::ChannelWelcome, payload)) = caller.next() else { panic!("a Welcome") };
        let welcome = Introduction::decode(&payload).unwrap();
        assert_eq!(welcome.versions, Versions { least: ours, most: ours });
        let at = caller.position();
        let shown = command(&mut administrator, "DISPLAY CHSTATUS(X.B) ALL");
        assert!(shown.contains("RVERSION(09010000)") && shown.contains("RPRODUCT(FRRY)"), "{shown}");
        drop((caller, at));
    }
    for (least, most) in [(ours + 1, ours + 2), (1, VERSIONS.least - 1)] {
        let mut caller = Caller::calls(&server);
        let theirs = Introduction { versions: Versions { least, most }, ..introduction(Role::Sender, 30) };
        caller.send(|out| theirs.encode(Kind::ChannelHello, out));
        while caller.next().is_some() {}
        let told = Versions { least, most }.to_string();
        eventually("the log names the versions", || place.error_log().contains(&told));
    }
}

#[test]
fn a_called_partner_that_answers_in_a_version_that_was_not_offered_is_refused_in_words() {
    let place = Place::named("B");
    let server = place.start();
    let local = format!("unix:{}", place.folder().join("socket").display());
    let mut administrator = Connection::connect(Options::to(local.parse().unwrap())).unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    command(&mut administrator, "DEFINE QLOCAL(X) USAGE(XMITQ)");
    let sender = format!("DEFINE CHANNEL(X.B) CHLTYPE(SDR) CONNAME('127.0.0.1({port})') XMITQ(X)");
    command(&mut administrator, &sender);
    for (versions, words) in [
        (Versions { least: VERSIONS.most + 1, most: VERSIONS.most + 1 }, "version"),
        // The newest of ours, with fields that are not known.
        (VERSIONS, ""),
    ] {
        command(&mut administrator, "START CHANNEL(X.B)");
        let (stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let mut partner = Caller { stream, came: Vec::new() };
        let mut magic = [0; channel::preamble::MAGIC.len()];
        partner.stream.read_exact(&mut magic).unwrap();
        assert!(matches!(partner.next(), Some((Kind::ChannelHello, _))));
        let theirs = Introduction { versions, ..introduction(Role::Receiver, 0) };
        partner.send(|out| out.extend(with_more(&theirs, Kind::ChannelWelcome)));
        match words.is_empty() {
            true => eventually("the ends agree", || {
                command(&mut administrator, "DISPLAY CHSTATUS(X.B) ALL").contains("RQMNAME(X)")
            }),
            false => eventually("the fault is shown", || {
                let shown = command(&mut administrator, "DISPLAY CHSTATUS(X.B) ALL");
                shown.contains("STATUS(RETRYING)") && shown.contains(words)
            }),
        }
        command(&mut administrator, "STOP CHANNEL(X.B) MODE(FORCE) STATUS(INACTIVE)");
        drop(partner);
        eventually("it is over", || {
            !command(&mut administrator, "DISPLAY CHSTATUS(X.B) ALL").contains("STATUS(R")
        });
    }
    drop(server);
}

#[test]
fn a_program_of_another_product_that_is_called_is_named_in_words() {
    let place = Place::named("B");
    let server = place.start();
    let local = format!("unix:{}", place.folder().join("socket").display());
    let mut administrator = Connection::connect(Options::to(local.parse().unwrap())).unwrap();
    command(&mut administrator, "DEFINE QLOCAL(X) USAGE(XMITQ)");
    for (answer, words) in [
        (&b"TSH \x00\x00\x01\x0c\x01\x01\x31\x00"[..], "a queue manager of another product answered"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "an HTTP server answered"),
        (b"AMQP\x00\x00\x09\x01", "an AMQP broker answered"),
        (b"SSH-2.0-x\r\n", "a Secure Shell server answered"),
    ] {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let sender =
            format!("DEFINE CHANNEL(X.B) CHLTYPE(SDR) CONNAME('127.0.0.1({port})') XMITQ(X) REPLACE");
        command(&mut administrator, &sender);
        command(&mut administrator, "START CHANNEL(X.B)");
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(answer).unwrap();
        eventually("the fault is shown", || {
            let shown = command(&mut administrator, "DISPLAY CHSTATUS(X.B) ALL");
            shown.contains("STATUS(RETRYING)") && shown.contains(words)
        });
        // It is not told anything behind the first words of ours.
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let mut heard = Vec::new();
        stream.read_to_end(&mut heard).unwrap();
        assert!(heard.starts_with(&channel::preamble::MAGIC), "{heard:?}");
        command(&mut administrator, "STOP CHANNEL(X.B) MODE(FORCE) STATUS(INACTIVE)");
    }
    drop(server);
}
