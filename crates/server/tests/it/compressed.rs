//! Channels that compress, of clients and between queue managers, over real sockets.

use std::time::Duration;

use client::{Compression, CompressionOffer, Connection, Options};
use mqi::{
    GetFlags, MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, PutFlags, PutOptions,
    SubscribeOptions, SubscriptionDescriptor, Verbs as _,
};

use crate::message_channels::Pair;
use crate::running::{Place, address, command, connect, eventually, get, open, put};

const WAIT: Duration = Duration::from_secs(10);

/// The ways for messages, with their words.
const WAYS: [Compression; 5] = [
    Compression::Rle,
    Compression::ZlibFast,
    Compression::ZlibHigh,
    Compression::Lz4Fast,
    Compression::Lz4High,
];

/// A body that every way makes smaller.
fn body(bytes: usize) -> Vec<u8> {
    let line = b"{\"article\":\"hinge-0077\",\"quantity\":        ,\"price\":\"0000000.00\"}";
    line.iter().copied().cycle().take(bytes).collect()
}

fn by(address: &str, ways: &[Compression], heads: &[Compression]) -> Connection {
    let offer =
        CompressionOffer { bodies: ways.iter().copied().collect(), heads: heads.iter().copied().collect() };
    let options = Options::to(address.parse().unwrap()).channel("C").compression(offer);
    Connection::connect(options).unwrap()
}

/// The first of the values that CHSTATUS shows of an attribute.
fn shown(status: &str, keyword: &str) -> Vec<String> {
    let (_, rest) =
        status.split_once(&format!(" {keyword}(")).unwrap_or_else(|| panic!("{keyword}: {status}"));
    let values = rest.split(')').next().unwrap();
    values.split(',').map(|value| value.trim().to_owned()).collect()
}

#[test]
fn messages_of_every_length_pass_a_channel_by_every_way_and_the_status_tells_it() {
    let place = Place::new();
    let server = place.start();
    let at = address(&server);
    let mut one = connect(&at);
    command(&mut one, "DEFINE QLOCAL(Q)");
    command(&mut one, "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) COMPMSG(ANY)");
    for way in WAYS {
        let mut client = by(&at, &[way], &[]);
        let queue = open(&mut client, "Q", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
        for bytes in [0, 1, 100, 200, 2_048, 20_480, 65_536, 204_800, 1_000_000] {
            for persistence in [Persistence::NotPersistent, Persistence::Persistent] {
                put(&mut client, queue, &body(bytes), persistence, PutFlags::EMPTY).unwrap();
                let got = get(&mut client, queue, WAIT, GetFlags::EMPTY).unwrap();
                assert!(got == body(bytes), "{way:?}: {bytes} bytes, {persistence:?}");
            }
        }
        let status = command(&mut one, "DISPLAY CHSTATUS(C) ALL");
        assert_eq!(shown(&status, "COMPMSG"), [way.word(), way.word()], "{status}");
        assert_eq!(shown(&status, "COMPHDR"), ["NONE", "NONE"], "{status}");
        for keyword in ["COMPRATE", "COMPTIME"] {
            let figures: Vec<u32> = shown(&status, keyword).iter().map(|one| one.parse().unwrap()).collect();
            assert!(figures.len() == 2 && figures.iter().all(|one| *one > 0), "{keyword}: {status}");
        }
        drop(client);
        eventually("its instance is over", || command(&mut one, "DISPLAY CHSTATUS(C)").contains("FRY8155I"));
    }
}

#[test]
fn the_client_and_its_channel_agree_on_compression_or_do_without() {
    let place = Place::new();
    let server = place.start();
    let at = address(&server);
    let mut one = connect(&at);
    command(&mut one, "DEFINE QLOCAL(Q)");
    command(&mut one, "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)");
    let (rle, fast, lz4) = (Compression::Rle, Compression::ZlibFast, Compression::Lz4Fast);
    for (of_channel, offered, agreed) in [
        ("NONE", vec![fast, rle], "NONE"),
        ("ZLIBFAST,RLE", vec![], "NONE"),
        ("ZLIBFAST,RLE", vec![rle, fast], "RLE"),
        ("NONE,LZ4FAST", vec![rle, lz4], "LZ4FAST"),
        ("ZLIBHIGH", vec![rle, fast], "NONE"),
        ("ANY", vec![fast, rle], "ZLIBFAST"),
    ] {
        command(&mut one, &format!("ALTER CHANNEL(C) CHLTYPE(SVRCONN) COMPMSG({of_channel})"));
        let mut client = by(&at, &offered, &[]);
        let queue = open(&mut client, "Q", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
        put(&mut client, queue, &body(5_000), Persistence::NotPersistent, PutFlags::EMPTY).unwrap();
        assert_eq!(get(&mut client, queue, WAIT, GetFlags::EMPTY).unwrap(), body(5_000));
        let status = command(&mut one, "DISPLAY CHSTATUS(C) ALL");
        assert_eq!(shown(&status, "COMPMSG"), [agreed, agreed], "{of_channel} {offered:?}");
        drop(client);
        eventually("its instance is over", || command(&mut one, "DISPLAY CHSTATUS(C)").contains("FRY8155I"));
    }
}

#[test]
fn answers_without_messages_are_compressed_by_comphdr_alone() {
    let place = Place::new();
    let server = place.start();
    let at = address(&server);
    let mut one = connect(&at);
    command(&mut one, "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) COMPHDR(SYSTEM)");
    let mut client = by(&at, &[Compression::ZlibFast], &[Compression::System]);
    // The queue manager publishes of itself meanwhile, so that depths differ.
    let listed = |by: &mut Connection| {
        let told = command(by, "DISPLAY QUEUE(SYSTEM.*) ALL");
        told.lines().filter(|line| !line.contains("CURDEPTH")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(listed(&mut client), listed(&mut one));
    let status = command(&mut one, "DISPLAY CHSTATUS(C) ALL");
    assert_eq!(shown(&status, "COMPHDR")[0], "SYSTEM", "{status}");
    assert_eq!(shown(&status, "COMPMSG"), ["NONE", "NONE"], "{status}");
    assert!(shown(&status, "COMPRATE")[0].parse::<u32>().unwrap() > 50, "{status}");
}

#[test]
fn publications_reach_all_subscribers_of_a_compressed_connection() {
    let place = Place::new();
    let server = place.start();
    let at = address(&server);
    let mut one = connect(&at);
    command(&mut one, "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) COMPMSG(ANY)");
    let mut clients: Vec<Connection> = (0..3).map(|_| by(&at, &[Compression::Lz4Fast], &[])).collect();
    let mut queues = Vec::new();
    for client in &mut clients {
        let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
        let subscription = SubscriptionDescriptor::to("prices/tin", options);
        queues.push(client.subscribe(&subscription, None).unwrap().queue.unwrap());
    }
    let topic = ObjectDescriptor::topic("prices/tin");
    let handle = one.open(&topic, OpenOptions::OUTPUT).unwrap().handle;
    for number in 0..200_usize {
        let mut options = PutOptions::default();
        let body = body(600 + number);
        one.put(handle, &mut MessageDescriptor::default(), &mut options, body.into()).unwrap();
    }
    for (client, queue) in clients.iter_mut().zip(&queues) {
        for number in 0..200_usize {
            assert_eq!(get(client, *queue, WAIT, GetFlags::EMPTY).unwrap(), body(600 + number));
        }
    }
}

#[test]
fn a_message_channel_compresses_by_the_first_way_of_its_caller_that_the_other_end_has() {
    for (sender, receiver, agreed) in [
        ("ZLIBHIGH,LZ4FAST", "ANY", "ZLIBHIGH"),
        ("ZLIBHIGH,LZ4FAST", "RLE,LZ4FAST", "LZ4FAST"),
        ("LZ4HIGH", "ANY", "LZ4HIGH"),
        ("RLE", "NONE", "NONE"),
    ] {
        let pair = Pair::new();
        command(&mut pair.connect(0), &format!("ALTER CHANNEL(A.B) CHLTYPE(SDR) COMPMSG({sender})"));
        command(&mut pair.connect(1), &format!("ALTER CHANNEL(A.B) CHLTYPE(RCVR) COMPMSG({receiver})"));
        let bodies: Vec<String> = [10, 300, 40_000, 500_000, 900_000]
            .into_iter()
            .cycle()
            .take(30)
            .map(|bytes| String::from_utf8(body(bytes)).unwrap())
            .collect();
        for persistence in [Persistence::Persistent, Persistence::NotPersistent] {
            pair.send(bodies.clone(), persistence);
            assert!(pair.receive(bodies.len()) == bodies, "{sender} to {receiver}");
        }
        let (sends, receives) = (pair.status(0), pair.status(1));
        for status in [&sends, &receives] {
            assert_eq!(shown(status, "COMPMSG")[0], agreed, "{status}");
            let is_measured = !shown(status, "COMPRATE")[0].is_empty();
            assert_eq!(is_measured, agreed != "NONE", "{status}");
        }
        let bytes: usize = shown(&sends, "BYTSSENT")[0].parse().unwrap();
        let whole = 2 * bodies.iter().map(String::len).sum::<usize>();
        assert_eq!(bytes < whole / 4, agreed != "NONE", "{bytes} of {whole}");
    }
}

/// The time that a thread spends on a piece of work: of its own, whatever else the machine does.
fn busy(work: impl FnOnce()) -> Duration {
    let spent = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.try_into().unwrap(), time.tv_nsec.try_into().unwrap())
    };
    let before = spent();
    work();
    spent() - before
}

/// Bodies that ways find easy, common and hard: the last has few letters in no order, so that every place
/// looks like many others.
fn bodies(bytes: usize) -> [Vec<u8>; 4] {
    let mut state = 1_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u8
    };
    let noise = (0..bytes).map(|_| random()).collect();
    let letters = (0..bytes).map(|_| b'a' + random() % 2).collect();
    [vec![0; bytes], body(bytes), noise, letters]
}

#[test]
fn a_piece_takes_the_thread_of_a_reactor_less_than_ten_milliseconds_by_every_way_that_is_not_given_away() {
    const MOST: Duration = Duration::from_millis(10);
    let frame = |body: &[u8]| {
        let mut frame = Vec::new();
        let header = channel::frame::Header::new(
            channel::Kind::Fragment,
            channel::Conversation(1),
            channel::RequestNumber(1),
        );
        let begun = channel::frame::begin(&mut frame, header);
        frame.extend_from_slice(body);
        channel::frame::finish(&mut frame, begun, 0);
        frame
    };
    let longest = channel::compression::PIECE_BYTES;
    for way in WAYS {
        let ways = channel::Ways { bodies: Some(way), heads: None };
        let is_here = |bytes: &usize| {
            let mut output = channel::Output::default();
            output.cork().extend_from_slice(&frame(&vec![0; *bytes]));
            !ways.is_dear(&output)
        };
        let here = [longest, longest / 4, longest / 16, longest / 32].into_iter().find(is_here).unwrap();
        for (number, body) in bodies(here).iter().enumerate() {
            let whole = frame(body);
            // The first time makes the tools of the thread.
            ways.compress(&whole, &mut Vec::new());
            let mut out = Vec::new();
            let spent = busy(|| _ = ways.compress(&whole, &mut out));
            assert!(spent < MOST, "{way:?} makes {here} bytes of body {number} smaller in {spent:?}");
        }
        for (number, body) in bodies(longest).iter().enumerate() {
            let mut out = Vec::new();
            let measure = ways.compress(&frame(body), &mut out);
            if measure.way.is_none() {
                continue;
            }
            let compressed = channel::Frame::decode(&out, 1 << 20).unwrap().unwrap();
            let (mut back, mut expanded) = (Vec::new(), None);
            let spent = busy(|| expanded = Some(ways.expand(compressed.payload, 1 << 20, &mut back)));
            assert!(expanded.is_some_and(|expanded| expanded.is_ok()), "{way:?}, body {number}");
            assert!(back == frame(body));
            assert!(spent < MOST / 2, "{way:?} expands body {number} in {spent:?}, and two are a turn");
        }
    }
}
