//! One end of a message channel, and a partner that does as a test says: each step between the log, the
//! gate and the connection by hand.

use std::sync::{Arc, Weak};
use std::time::Duration;

use agents::{
    Admission, Agent, AwaitsVerdict, Close, Judging, Limits, Login, Logins, MessageChannel, PeerInfo,
    PendingConnection,
};
use bytes::{Bytes, BytesMut};
use channel::login::VERSIONS;
use channel::message::frame::{Destination, FRAME_BYTES_MAX, put_plain};
use channel::message::negotiate::Offer;
use channel::message::{
    BatchDone, BatchNumber, BatchRefused, Chain, EndOfBatch, Generation, Introduction, Line, Mark,
    MessageHead, Position, Resume, Role, Sequence,
};
use channel::{Frame, Kind, Output};
use mqi::{MessageDescriptor, MessageId, ObjectDescriptor, Persistence, PutFlags, PutOptions, Reason};
use platform::simulated::Machine;
use platform::sync::Mutex;
use queue_manager::{
    Completions, ConnectRequest, Connection, Event, Gated, GotMessage, Host, Identity, Outcome, Principal,
    QueueManager, Settings, WaitToken,
};

use crate::loopback::Wakes;

struct NoOutcomes;

impl Completions for NoOutcomes {
    fn complete(&self, _: WaitToken, _: Outcome<GotMessage>) {}
}

const OFFER: Offer = Offer {
    batch_messages_max: 50,
    batch_kilobytes_max: 5_000,
    message_bytes_max: 4 << 20,
    heartbeat_seconds: 300,
    wrap: 999_999_999,
    in_flight_max: 4,
    is_fast: true,
};

/// A host that keeps the events that it is told.
#[derive(Default)]
struct Listening(Mutex<Vec<String>>);

impl Host for Listening {
    fn log_has_work(&self) {}
    fn durable_advanced(&self) {}
    fn job_waits(&self) {}
    fn tick_wanted(&self) {}
    fn event(&self, event: &Event) {
        self.0.lock().push(format!("{} {}", event.id, event.inserts.join(" ")));
    }
    fn runs_channels(&self) -> bool {
        true
    }
    fn failed(&self, failure: &storage::Fatal) {
        panic!("the log failed: {failure:?}");
    }
}

/// Queue manager QM1 with the queue IN, and the channels FROM.QM2 and TO.QM2.
struct Bench {
    machine: Machine,
    manager: QueueManager,
    host: Arc<Listening>,
}

impl Bench {
    fn new() -> Self {
        let machine = Machine::new(7);
        let settings = Settings {
            name: "QM1".parse().unwrap(),
            memory_budget_bytes: 64 << 20,
            handles_max: 256,
            uncommitted_messages_max: 10_000,
            connections_max: 100,
            storage: storage::Settings { extent_bytes: 8 << 20, ..storage::Settings::default() },
            checkpoint_interval: Duration::from_secs(3600),
            growth: queue_manager::GrowthBounds::default(),
            branches: queue_manager::BranchBounds::default(),
            hold: queue_manager::HOLD,
        };
        QueueManager::create(&machine.world(), &settings).unwrap();
        let host = Arc::new(Listening::default());
        let manager = QueueManager::open(machine.world(), settings, host.clone()).unwrap();
        let bench = Self { machine, manager, host };
        for command in [
            "DEFINE QLOCAL(IN)",
            "DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)",
            "DEFINE QREMOTE(R) RNAME(THERE) RQMNAME(QM2) XMITQ(QM2)",
            "DEFINE CHANNEL(FROM.QM2) CHLTYPE(RCVR)",
            "DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME(h) XMITQ(QM2)",
        ] {
            bench.told(command);
        }
        bench
    }

    fn open<T>(&self, mut gated: Gated<T>) -> T {
        loop {
            match gated.open(self.manager.durable()) {
                Ok(value) => return value,
                Err(back) => gated = back,
            }
            self.manager.drive();
        }
    }

    fn drive(&self) {
        while self.manager.log().waits() {
            self.manager.drive();
        }
    }

    fn told(&self, command: &str) -> String {
        let commands = objects::mqsc::parse(command).unwrap();
        let response = self.open(self.manager.execute(&commands[0]));
        assert!(response.is_ok(), "{command}: {response}");
        response.to_string()
    }

    /// True where each of these is in the answer to a command.
    fn shows(&self, command: &str, expected: &[&str]) {
        let told = self.told(command);
        expected.iter().for_each(|shown| assert!(told.contains(shown), "{shown}: {told}"));
    }

    fn depth(&self, queue: &str) -> usize {
        let told = self.told(&format!("DISPLAY QLOCAL({queue}) CURDEPTH"));
        let (_, rest) = told.split_once("CURDEPTH(").unwrap();
        rest.split_once(')').unwrap().0.parse().unwrap()
    }

    fn put(&self, persistence: Persistence, body: &str) {
        let request = ConnectRequest {
            accounting: mqi::AccountingChoice::default(),
            application: "putter".to_owned(),
            origin: "embedded".to_owned(),
            channel: mqi::ObjectName::BLANK,
            process: 0,
            instance: [0; 16],
            generation: 0,
            principal: Principal::new("putter", Identity::Process).unwrap(),
            completions: Arc::new(NoOutcomes),
        };
        let mut connection: Connection = self.open(self.manager.connect(request)).unwrap();
        let object = ObjectDescriptor::queue("R".parse().unwrap());
        let descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        let put = connection.put1(&object, &descriptor, &options, Bytes::copy_from_slice(body.as_bytes()));
        self.open(put).unwrap();
    }

    /// Time passes for an end.
    fn pass(&self, end: &mut End, seconds: u64) -> Result<(), Close> {
        self.machine.clock.advance(Duration::from_secs(seconds));
        end.agent.tick(self.manager.now())
    }

    /// The end that a partner calls.
    fn called(&self, origin: &str) -> End {
        self.called_by(origin, None)
    }

    /// The end of a partner that this judge lets in.
    fn called_by(&self, origin: &str, logins: Option<Arc<dyn Logins>>) -> End {
        let peer = PeerInfo { origin: origin.to_owned(), is_by_network: true, ..PeerInfo::default() };
        let (queue_manager, limits) = (self.manager.clone(), Limits::default());
        let waker = Arc::<Wakes>::default();
        End::of(
            self,
            MessageChannel::called(PendingConnection { queue_manager, peer, limits, logins, waker }),
        )
    }

    /// The end that calls, which the schedule asks for.
    fn calling(&self) -> End {
        let dial = self.manager.channels().dials().dials.pop().expect("a call is to be made");
        let peer = PeerInfo { origin: "h".to_owned(), is_by_network: true, ..PeerInfo::default() };
        let (limits, waker) = (Limits::default(), Arc::<Wakes>::default());
        End::of(self, MessageChannel::calling(self.manager.clone(), dial.run, peer, limits, waker))
    }
}

/// An agent, with both ends of its connection in hand.
struct End {
    manager: QueueManager,
    agent: MessageChannel,
    input: BytesMut,
    output: Output,
    came: Vec<u8>,
}

impl End {
    fn of(bench: &Bench, agent: MessageChannel) -> Self {
        let manager = bench.manager.clone();
        Self { manager, agent, input: BytesMut::new(), output: Output::default(), came: Vec::new() }
    }

    /// Hears the frames of its partner in one piece.
    fn hears(&mut self, encode: impl FnOnce(&mut Vec<u8>)) -> Result<(), Close> {
        let mut bytes = Vec::new();
        encode(&mut bytes);
        self.input.extend_from_slice(&bytes);
        self.agent.receive(&mut self.input)
    }

    /// The frames that it sends, as far as the log is durable now.
    fn says(&mut self) -> Vec<(Kind, Vec<u8>)> {
        for _ in 0..10 {
            self.agent.release(self.manager.durable(), &mut self.output);
        }
        self.came.extend(self.output.to_vec());
        self.output.advance(self.output.len());
        if self.came.starts_with(&channel::preamble::MAGIC) {
            self.came.drain(..channel::preamble::MAGIC.len());
        }
        let mut said = Vec::new();
        while let Some(frame) = Frame::decode(&self.came, FRAME_BYTES_MAX).unwrap() {
            said.push((frame.header.kind, frame.payload.to_vec()));
            let bytes = frame.bytes();
            self.came.drain(..bytes);
        }
        said
    }

    /// The kinds of the frames that it sends now.
    fn kinds(&mut self) -> Vec<Kind> {
        self.says().into_iter().map(|(kind, _)| kind).collect()
    }

    /// Is introduced to its partner that sends, whose line is 77, up to where messages come.
    fn is_bound(&mut self, bench: &Bench, connection: u64) {
        self.introduced(bench, &introduction(Role::Sender, connection));
    }

    /// The same, by these first words.
    fn introduced(&mut self, bench: &Bench, hello: &Introduction) {
        self.hears(|out| hello.encode(Kind::ChannelHello, out)).unwrap();
        bench.drive();
        let at = self.position();
        let is_new = at.line == Line::NONE;
        if is_new {
            self.hears(|out| resume(at, true).encode(out)).unwrap();
            bench.drive();
            assert_eq!(self.position(), Position { line: Line(77), ..at });
        }
        self.hears(|out| resume(at, false).encode(out)).unwrap();
    }

    fn position(&mut self) -> Position {
        let said = self.says();
        let place = said.iter().find(|(kind, _)| *kind == Kind::Position);
        Position::decode(&place.unwrap_or_else(|| panic!("a Position: {said:?}")).1).unwrap()
    }
}

/// The Resume that follows a place of line 77.
fn resume(at: Position, is_new: bool) -> Resume {
    let Mark { batch, sequence, .. } = at.last;
    Resume { line: Line(77), is_new, batch: batch.next(), sequence: Sequence(sequence.0 + 1) }
}

/// The first words of QM2.
fn introduction(role: Role, connection: u64) -> Introduction {
    let channel = if role == Role::Sender { "FROM.QM2" } else { "TO.QM2" };
    Introduction {
        versions: VERSIONS,
        role,
        generation: Generation { start: 1, connection },
        offer: OFFER,
        coded_character_set: 1208,
        encoding: 546,
        channel: channel.into(),
        queue_manager: "QM2".parse().unwrap(),
        identifier: "QM2_2026-11-26_06.00.00".into(),
        product: "test".into(),
        body_compressions: [].into_iter().collect(),
        head_compressions: [].into_iter().collect(),
    }
}

/// Appends a message of so many, by its sequence number.
fn message(sequence: u32, out: &mut Vec<u8>) {
    assert_eq!(append(sequence, Persistence::Persistent, Bytes::from_static(b"first"), out), 0);
}

/// Appends a message, outside batches for the sequence number 0; returns the frames behind its first.
fn append(sequence: u32, persistence: Persistence, body: Bytes, out: &mut Vec<u8>) -> usize {
    let destination = Destination { queue: "IN".parse().unwrap(), queue_manager: "QM1".parse().unwrap() };
    let head = MessageHead { sequence: Sequence(sequence), destination: Some(destination), hops: 0 };
    let descriptor =
        MessageDescriptor { message_id: MessageId([7; 24]), persistence, ..MessageDescriptor::default() };
    let mut output = Output::default();
    let most = channel::frame::FRAGMENT_BYTES;
    let mut rest = head.encode(&descriptor, body, most, &mut output);
    let mut frames = 0;
    while !rest.is_empty() {
        frames += 1;
        let (connection, number) = (channel::Conversation::CONNECTION, channel::RequestNumber(sequence));
        channel::client::fragment(&mut output, connection, number, &mut rest, most);
    }
    out.extend(output.to_vec());
    frames
}

/// The ends of batches of one message each.
fn ends() -> impl Iterator<Item = EndOfBatch> {
    (1..).scan(Chain::default(), |chain, batch| {
        *chain = chain.with_message(&[7; 24], 5).with_end(BatchNumber(batch));
        let mark = Mark { batch: BatchNumber(batch), sequence: Sequence(batch as u32), chain: *chain };
        Some(EndOfBatch { mark, messages: 1 })
    })
}

/// The number by which commands know the connection of a channel.
fn connection_of(bench: &Bench, application: &str) -> String {
    let told = bench.told(&format!("DISPLAY CONN(*) CONN WHERE(APPLTAG EQ '{application}')"));
    let (_, rest) = told.split_once("CONN(").unwrap();
    rest.split_once(')').unwrap().0.to_owned()
}

/// The numbers of the batch behind it are right, as its sender knows nothing of the fault: committed, it
/// would tell the sender that both arrived.
#[test]
fn behind_a_batch_that_was_not_committed_nothing_is() {
    let bench = Bench::new();
    let mut end = bench.called("tcp 10.0.0.7:1");
    end.is_bound(&bench, 1);
    end.hears(|out| message(1, out)).unwrap();
    let connection = connection_of(&bench, "message channel");
    bench.told(&format!("RESOLVE INDOUBT({connection}) ACTION(BACKOUT)"));
    let [first, second] = [0, 1].map(|index| ends().nth(index).unwrap());
    end.hears(|out| {
        first.encode(out);
        message(2, out);
        second.encode(out);
    })
    .unwrap();
    bench.drive();
    let said = end.says();
    assert!(said.iter().all(|(kind, _)| *kind != Kind::BatchDone), "{said:?}");
    let Some(Close::ChannelFailed { reason: Reason::BACKED_OUT, .. }) = end.agent.stopped() else {
        panic!("it ends: {:?}", end.agent.stopped())
    };
    drop(end);
    assert_eq!(bench.depth("IN"), 0, "the message of the second batch has no place before the first");
    // Both come again, once.
    let mut end = bench.called("tcp 10.0.0.7:2");
    end.is_bound(&bench, 2);
    end.hears(|out| {
        message(1, out);
        first.encode(out);
        message(2, out);
        second.encode(out);
    })
    .unwrap();
    bench.drive();
    assert_eq!(end.kinds(), [Kind::BatchDone, Kind::BatchDone]);
    assert_eq!(bench.depth("IN"), 2);
}

/// A connection that was replaced may have the first words of a line unread, which its partner has said
/// again by the newer one.
#[test]
fn words_that_an_older_connection_had_unread_begin_no_line() {
    let bench = Bench::new();
    let mut older = bench.called("tcp 10.0.0.7:1");
    older.hears(|out| introduction(Role::Sender, 1).encode(Kind::ChannelHello, out)).unwrap();
    bench.drive();
    let at = older.position();
    let mut newer = bench.called("tcp 10.0.0.7:2");
    newer.is_bound(&bench, 2);
    newer
        .hears(|out| {
            message(1, out);
            ends().next().unwrap().encode(out);
        })
        .unwrap();
    bench.drive();
    assert_eq!(newer.kinds(), [Kind::BatchDone]);
    older.hears(|out| resume(at, true).encode(out)).unwrap();
    bench.drive();
    let said = older.says();
    assert!(said.iter().all(|(kind, _)| *kind != Kind::Position), "{said:?}");
    assert!(older.agent.stopped().is_some());
    drop((older, newer));
    let told = bench.told("DISPLAY CHSTATUS(FROM.QM2) SAVED ALL");
    assert_eq!(told.matches("CHANNEL(FROM.QM2)").count(), 1, "{told}");
    let mut next = bench.called("tcp 10.0.0.7:3");
    next.hears(|out| introduction(Role::Sender, 3).encode(Kind::ChannelHello, out)).unwrap();
    bench.drive();
    assert_eq!(next.position().last, ends().next().unwrap().mark);
}

impl End {
    /// Is introduced to its partner that receives, and reads its place.
    fn meets(&mut self, bench: &Bench, offer: Offer, at: Position) {
        assert_eq!(self.kinds(), [Kind::ChannelHello]);
        let welcome = Introduction { offer, ..introduction(Role::Receiver, 0) };
        self.hears(|out| welcome.encode(Kind::ChannelWelcome, out)).unwrap();
        bench.drive();
        assert!(self.kinds().is_empty(), "it reads the books");
        self.hears(|out| at.encode(out)).unwrap();
        bench.drive();
    }

    fn resume(&mut self) -> Resume {
        let said = self.says();
        let resume = said.iter().find(|(kind, _)| *kind == Kind::Resume);
        Resume::decode(&resume.unwrap_or_else(|| panic!("a Resume: {said:?}")).1).unwrap()
    }

    /// Begins a line with its partner; its name.
    fn begins_line(&mut self, bench: &Bench, offer: Offer, at: Position) -> Line {
        self.meets(bench, offer, at);
        let Resume { line, is_new, sequence, .. } = self.resume();
        assert!(is_new);
        let last = Mark::start_behind(sequence.before_first());
        self.hears(|out| Position { line, last, wants_reset: false }.encode(out)).unwrap();
        assert!(!self.resume().is_new);
        line
    }

    /// Sends one message of a batch that ends with it; that end.
    fn sends_a_batch(&mut self, bench: &Bench) -> EndOfBatch {
        bench.put(Persistence::Persistent, "x");
        let said = self.says();
        assert!(said.iter().any(|(kind, _)| *kind == Kind::Message), "{said:?}");
        bench.drive();
        let said = self.says();
        let end = said.iter().find(|(kind, _)| *kind == Kind::EndOfBatch);
        EndOfBatch::decode(&end.unwrap_or_else(|| panic!("an end: {said:?}")).1).unwrap()
    }
}

/// The partner refuses a message while the log does not have yet that its batch was prepared.
#[test]
fn a_batch_that_is_refused_before_its_end_was_sent_is_not_in_doubt() {
    let bench = Bench::new();
    bench.told("START CHANNEL(TO.QM2)");
    let mut end = bench.calling();
    end.begins_line(&bench, OFFER, Position::default());
    bench.put(Persistence::Persistent, "x");
    let kinds = end.kinds();
    assert_eq!(kinds, [Kind::Message], "its end waits for the log");
    let refused = BatchRefused {
        batch: BatchNumber(1),
        sequence: Sequence(1),
        reason: Reason::Q_FULL,
        text: "no room".to_owned(),
    };
    end.hears(|out| refused.encode(out)).unwrap();
    drop(end);
    bench.drive();
    bench.shows("DISPLAY CHSTATUS(TO.QM2) ALL", &["STATUS(STOPPED)", "INDOUBT(NO)", "LASTERR(2053"]);
    assert_eq!(bench.depth("QM2"), 1);
    bench.shows("DISPLAY QSTATUS(QM2) UNCOM", &["UNCOM(NO)"]);
}

/// A number that RESET gave is beyond a SEQWRAP that was lowered before the line was used.
#[test]
fn a_line_whose_number_is_beyond_seqwrap_begins_with_1_over_a_break_too() {
    let bench = Bench::new();
    bench.told("START CHANNEL(TO.QM2)");
    let mut end = bench.calling();
    let first = end.begins_line(&bench, OFFER, Position::default());
    let done = end.sends_a_batch(&bench).mark;
    end.hears(|out| BatchDone { batch: done.batch, microseconds: 0 }.encode(out)).unwrap();
    end.says();
    bench.told("STOP CHANNEL(TO.QM2) MODE(FORCE)");
    end.says();
    drop(end);
    bench.told("RESET CHANNEL(TO.QM2) SEQNUM(5000)");
    bench.told("ALTER CHANNEL(TO.QM2) CHLTYPE(SDR) SEQWRAP(1000)");
    bench.told("START CHANNEL(TO.QM2)");
    let offer = Offer { wrap: 1000, ..OFFER };
    let mut end = bench.calling();
    let line = end.begins_line(&bench, offer, Position { line: first, last: done, wants_reset: false });
    assert_eq!(end.sends_a_batch(&bench).mark.sequence, Sequence(1));
    // The connection breaks, and the partner has none of the batch.
    drop(end);
    bench.machine.clock.advance(Duration::from_secs(2));
    let mut end = bench.calling();
    end.meets(&bench, offer, Position { line, last: Mark::START, wants_reset: false });
    let Resume { batch, sequence, is_new, .. } = end.resume();
    assert_eq!((batch, sequence, is_new), (BatchNumber(1), Sequence(1), false));
}

/// Another address calls in the name of a partner that is connected.
#[test]
fn a_partner_keeps_its_place_as_long_as_it_gives_a_sign() {
    let bench = Bench::new();
    let mut owner = bench.called("tcp 10.0.0.7:1");
    owner.is_bound(&bench, 1);
    let pass = |end: &mut End, seconds: u64| bench.pass(end, seconds);
    let calls = |port: u64| {
        let mut other = bench.called(&format!("tcp 10.0.0.8:{port}"));
        let hello = introduction(Role::Sender, 100 + port);
        let heard = other.hears(|out| hello.encode(Kind::ChannelHello, out));
        heard.map(|()| other)
    };
    for port in 1..5 {
        let Err(Close::Refused { reason: Reason::CHANNEL_NOT_AVAILABLE, text }) = calls(port) else {
            panic!("it is let in")
        };
        assert!(text.contains("10.0.0.7 has the channel FROM.QM2"), "{text}");
        pass(&mut owner, 1).unwrap();
        assert_eq!(owner.kinds(), [Kind::Ask]);
        owner.hears(|out| put_plain(Kind::Answer, b"", out)).unwrap();
        pass(&mut owner, 20).unwrap();
        assert!(owner.kinds().is_empty());
    }
    // A partner that has moved answers no more at its old address.
    assert!(calls(5).is_err());
    pass(&mut owner, 1).unwrap();
    pass(&mut owner, 9).unwrap();
    assert!(calls(6).is_err());
    let Err(Close::Silent { .. }) = pass(&mut owner, 1) else { panic!("it is given up") };
    drop(owner);
    let mut moved = calls(7).unwrap_or_else(|close| panic!("{close}"));
    bench.drive();
    assert_eq!(moved.position().line, Line(77));
    bench.shows("DISPLAY CHSTATUS(FROM.QM2) CONNAME", &["CONNAME(10.0.0.8)"]);
}

#[test]
fn a_stop_by_force_does_not_wait_for_a_partner_that_reads_no_more() {
    let bench = Bench::new();
    bench.told("START CHANNEL(TO.QM2)");
    let mut end = bench.calling();
    end.begins_line(&bench, OFFER, Position::default());
    for _ in 0..4 {
        bench.put(Persistence::NotPersistent, &"x".repeat(3 << 20));
    }
    // Nothing of its output is taken.
    for _ in 0..20 {
        end.agent.release(bench.manager.durable(), &mut end.output);
        bench.drive();
    }
    assert!(end.agent.stopped().is_none() && !end.output.is_empty());
    bench.told("STOP CHANNEL(TO.QM2) MODE(FORCE)");
    end.agent.release(bench.manager.durable(), &mut end.output);
    assert!(matches!(end.agent.stopped(), Some(Close::ChannelStopped)), "{:?}", end.agent.stopped());
    drop(end);
    bench.shows("DISPLAY CHSTATUS(TO.QM2) STATUS", &["STATUS(STOPPED)"]);
}

/// A partner takes the call, or is bound to the first words, and goes no further.
#[test]
fn a_partner_that_never_binds_is_given_up_whatever_hbint_says() {
    for interval in [0, 300, 999_999] {
        let bench = Bench::new();
        let offer = Offer { heartbeat_seconds: interval, ..OFFER };
        bench.told(&format!("ALTER CHANNEL(TO.QM2) CHLTYPE(SDR) HBINT({interval})"));
        bench.told("START CHANNEL(TO.QM2)");
        let mut silent = bench.calling();
        silent.says();
        let given_up = |mut end: End| {
            bench.pass(&mut end, 1).unwrap();
            bench.pass(&mut end, 57).unwrap();
            let Err(Close::Silent { .. }) = bench.pass(&mut end, 3) else {
                panic!("HBINT({interval}): it waits")
            };
        };
        given_up(silent);
        bench.shows("DISPLAY CHSTATUS(TO.QM2) ALL", &["STATUS(RETRYING)", "LASTERR(2009", "did not bind"]);
        bench.machine.clock.advance(Duration::from_secs(60));
        let mut greeted = bench.calling();
        greeted.says();
        let welcome = Introduction { offer, ..introduction(Role::Receiver, 0) };
        greeted.hears(|out| welcome.encode(Kind::ChannelWelcome, out)).unwrap();
        bench.drive();
        greeted.says();
        given_up(greeted);
        bench.machine.clock.advance(Duration::from_secs(600));
        // It gives signs, and never says its place.
        let mut asking = bench.calling();
        asking.says();
        asking.hears(|out| welcome.encode(Kind::ChannelWelcome, out)).unwrap();
        bench.drive();
        for _ in 0..29 {
            asking.hears(|out| put_plain(Kind::Ask, b"", out)).unwrap();
            asking.says();
            bench.pass(&mut asking, 2).unwrap();
        }
        bench.machine.clock.advance(Duration::from_secs(2));
        given_up_now(&bench, asking);
        bench.told(&format!("ALTER CHANNEL(FROM.QM2) CHLTYPE(RCVR) HBINT({interval})"));
        let mut called = bench.called("tcp 10.0.0.7:1");
        let hello = Introduction { offer, ..introduction(Role::Sender, 1) };
        called.hears(|out| hello.encode(Kind::ChannelHello, out)).unwrap();
        bench.drive();
        called.position();
        given_up(called);
    }
}

fn given_up_now(bench: &Bench, mut end: End) {
    let given_up = bench.pass(&mut end, 1);
    assert!(matches!(given_up, Err(Close::Silent { seconds: 60.. })), "{given_up:?}");
}

/// STOP waits for a batch in doubt as long as the partner gives signs, and not for one that gives none.
#[test]
fn a_stop_ends_a_channel_whose_partner_gives_no_sign_whatever_hbint_says() {
    for interval in [0, 300, 999_999] {
        let bench = Bench::new();
        let offer = Offer { heartbeat_seconds: interval, ..OFFER };
        bench.told(&format!("ALTER CHANNEL(TO.QM2) CHLTYPE(SDR) HBINT({interval})"));
        bench.told(&format!("ALTER CHANNEL(FROM.QM2) CHLTYPE(RCVR) HBINT({interval})"));
        bench.told("START CHANNEL(TO.QM2)");
        let mut sender = bench.calling();
        sender.begins_line(&bench, offer, Position::default());
        sender.sends_a_batch(&bench);
        let mut receiver = bench.called("tcp 10.0.0.7:1");
        receiver.introduced(&bench, &Introduction { offer, ..introduction(Role::Sender, 1) });
        for (end, stopped, first) in
            [(&mut sender, "TO.QM2", None), (&mut receiver, "FROM.QM2", Some(Kind::StopChannel))]
        {
            end.hears(|out| put_plain(Kind::Answer, b"", out)).unwrap();
            bench.pass(end, 200).unwrap();
            end.says();
            end.hears(|out| put_plain(Kind::Answer, b"", out)).unwrap();
            bench.pass(end, 100).unwrap();
            end.says();
            end.hears(|out| put_plain(Kind::Answer, b"", out)).unwrap();
            bench.told(&format!("STOP CHANNEL({stopped})"));
            assert_eq!(end.kinds().first().copied(), first, "HBINT({interval}) {stopped}");
            for _ in 0..20 {
                bench.pass(end, 10).unwrap();
                assert_eq!(end.kinds(), [Kind::Ask], "HBINT({interval}) {stopped}");
                end.hears(|out| put_plain(Kind::Answer, b"", out)).unwrap();
            }
            bench.pass(end, 50).unwrap();
            end.says();
            let Err(Close::Silent { .. }) = bench.pass(end, 10) else {
                panic!("HBINT({interval}): {stopped} stays stopping")
            };
        }
        drop((sender, receiver));
        bench.shows("DISPLAY CHSTATUS(TO.QM2) ALL", &["STATUS(STOPPED)", "INDOUBT(YES)"]);
        bench.shows("DISPLAY CHSTATUS(FROM.QM2) ALL", &["STATUS(STOPPED)"]);
    }
}

/// Appends a non-persistent message of so many bytes.
fn long_message(sequence: u32, bytes: usize, out: &mut Vec<u8>) {
    append(sequence, Persistence::NotPersistent, Bytes::from(vec![7; bytes]), out);
}

/// The sender has as many bytes under way as its queues and its sockets take, and hears of it only then.
#[test]
fn a_receiver_that_waits_reads_on_and_gives_a_sender_up_that_does_not_stop() {
    const BODY: usize = 4 << 20;
    let bench = Bench::new();
    let mut end = bench.called("tcp 10.0.0.7:1");
    end.is_bound(&bench, 1);
    bench.told("ALTER QLOCAL(IN) PUT(DISABLED)");
    let sends = |end: &mut End, sequence: u32| {
        assert!(end.agent.wants_input(), "the window shuts at message {sequence}");
        let heard = end.hears(|out| long_message(sequence, BODY, out));
        bench.drive();
        heard
    };
    for sequence in 1..=5 {
        sends(&mut end, sequence).unwrap();
        end.says();
    }
    bench.shows("DISPLAY CHSTATUS(FROM.QM2) STATUS", &["STATUS(PAUSED)"]);
    bench.told("ALTER QLOCAL(IN) PUT(ENABLED)");
    bench.machine.clock.advance(Duration::from_secs(2));
    // As its host does while input is put aside.
    let goes_on = |end: &mut End| {
        end.says();
        while end.agent.has_put_aside() {
            end.hears(|_| ()).unwrap();
            bench.drive();
        }
    };
    goes_on(&mut end);
    let mut chain = Chain::default();
    for _ in 1..=5 {
        chain = chain.with_message(&[7; 24], BODY as u32);
    }
    let batch = BatchNumber(1);
    let mark = Mark { batch, sequence: Sequence(5), chain: chain.with_end(batch) };
    end.hears(|out| EndOfBatch { mark, messages: 5 }.encode(out)).unwrap();
    bench.drive();
    assert_eq!(end.kinds(), [Kind::BatchDone]);
    assert_eq!(bench.depth("IN"), 5);
    bench.told("ALTER QLOCAL(IN) PUT(DISABLED)");
    let refused = (6..26).find_map(|sequence| sends(&mut end, sequence).err());
    let Some(Close::Refused { reason: Reason::RESOURCE_PROBLEM, text }) = refused else {
        panic!("it keeps on without end: {refused:?}")
    };
    assert!(text.contains("while a message waits"), "{text}");
    drop(end);
    bench.shows("DISPLAY CHSTATUS(FROM.QM2) ALL", &["LASTERR(2102: "]);
}

/// Messages outside batches are in no log, and the end of their channel takes them with it.
#[test]
fn messages_outside_batches_that_an_end_drops_are_counted_in_the_error_log() {
    let dropped = |bench: &Bench| {
        let told = bench.host.0.lock().clone();
        told.into_iter().filter(|event| event.starts_with("FRY7491W")).collect::<Vec<_>>()
    };
    for stop in ["MODE(FORCE)", "MODE(TERMINATE)", ""] {
        let bench = Bench::new();
        let mut receiver = bench.called("tcp 10.0.0.7:1");
        receiver.is_bound(&bench, 1);
        bench.told("ALTER QLOCAL(IN) PUT(DISABLED)");
        for _ in 0..3 {
            receiver.hears(|out| long_message(0, 300_000, out)).unwrap();
            receiver.says();
            bench.drive();
        }
        receiver.hears(|out| message(1, out)).unwrap();
        bench.told("ALTER QMGR DEADQ(' ')");
        bench.told("START CHANNEL(TO.QM2)");
        let mut sender = bench.calling();
        sender.begins_line(&bench, Offer { message_bytes_max: 10, ..OFFER }, Position::default());
        bench.put(Persistence::NotPersistent, "longer than ten bytes");
        sender.says();
        if !stop.is_empty() {
            bench.told(&format!("STOP CHANNEL(FROM.QM2) {stop}"));
            bench.told(&format!("STOP CHANNEL(TO.QM2) {stop}"));
            receiver.says();
            sender.says();
        }
        assert!(dropped(&bench).is_empty());
        // The same where the connection breaks.
        drop(receiver);
        let told = dropped(&bench);
        assert!(matches!(&told[..], [one] if one.contains("FROM.QM2 3")), "{stop}: {told:?}");
        drop(sender);
        let told = dropped(&bench);
        assert!(matches!(&told[..], [_, one] if one.contains("TO.QM2 1")), "{stop}: {told:?}");
    }
}

/// Lets each partner in as one user.
#[derive(Debug)]
struct AsUser;

impl Logins for AsUser {
    fn judge(&self, _: Login, _: Weak<dyn AwaitsVerdict>) -> Judging {
        let principal = Principal::new("lyon", Identity::Proved).unwrap();
        Judging::Done(Ok(Admission { principal, standing: None }))
    }
}

/// Its older connection is from before there was a user.
#[test]
fn the_first_login_that_is_judged_takes_the_place_of_a_connection_from_before() {
    let bench = Bench::new();
    let mut older = bench.called("tcp 10.0.0.7:1");
    older.is_bound(&bench, 1);
    older.hears(|out| message(1, out)).unwrap();
    let mut newer = bench.called_by("tcp 10.0.0.7:2", Some(Arc::new(AsUser)));
    newer.is_bound(&bench, 2);
    older.hears(|out| ends().next().unwrap().encode(out)).unwrap();
    bench.drive();
    assert!(!older.kinds().contains(&Kind::BatchDone), "its place is taken");
    newer
        .hears(|out| {
            message(1, out);
            ends().next().unwrap().encode(out);
        })
        .unwrap();
    bench.drive();
    assert_eq!(newer.kinds(), [Kind::BatchDone]);
    assert_eq!(bench.depth("IN"), 1);
}

/// The host of CONNAME was given to another queue manager while a batch is in doubt.
#[test]
fn a_batch_in_doubt_keeps_its_channel_from_any_other_partner() {
    for (name, action, waits) in [("QM2", "BACKOUT", 1), ("QM3", "BACKOUT", 1), ("QM3", "COMMIT", 0)] {
        let bench = Bench::new();
        bench.told("START CHANNEL(TO.QM2)");
        let mut end = bench.calling();
        end.begins_line(&bench, OFFER, Position::default());
        end.sends_a_batch(&bench);
        drop(end);
        bench.machine.clock.advance(Duration::from_secs(2));
        let mut end = bench.calling();
        let other = Introduction {
            queue_manager: name.parse().unwrap(),
            identifier: format!("{name}_2026-11-27_06.00.00"),
            ..introduction(Role::Receiver, 0)
        };
        end.says();
        end.hears(|out| other.encode(Kind::ChannelWelcome, out)).unwrap();
        bench.drive();
        end.says();
        end.hears(|out| Position::default().encode(out)).unwrap();
        bench.drive();
        let kinds = end.kinds();
        assert_eq!(kinds, [Kind::EndChannel], "{name}");
        drop(end);
        bench.shows(
            "DISPLAY CHSTATUS(TO.QM2) ALL",
            &["STATUS(STOPPED)", "INDOUBT(YES)", "QM2_2026-11-26_06.00.00", &other.identifier],
        );
        let told = bench.told("DISPLAY CHSTATUS(TO.QM2) LASTERR");
        let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
        for command in ["correct CONNAME", "RESOLVE CHANNEL(TO.QM2)", "START CHANNEL(TO.QM2)"] {
            assert!(words.contains(command), "{command}: {words}");
        }
        bench.told(&format!("RESOLVE CHANNEL(TO.QM2) ACTION({action})"));
        bench.told("START CHANNEL(TO.QM2)");
        assert_eq!(bench.depth("QM2"), waits, "{name} {action}");
        let mut end = bench.calling();
        end.says();
        end.hears(|out| other.encode(Kind::ChannelWelcome, out)).unwrap();
        bench.drive();
        end.says();
        end.hears(|out| Position::default().encode(out)).unwrap();
        bench.drive();
        assert!(end.resume().is_new, "{name}: a line with the other");
    }
}
