//! Conditions of refusals, addresses with a host, and names of queues that travel.

use ::amqp::frame::{Frame, Protocol};
use ::amqp::performative::{Attach, Begin, Detach, Open, Performative, Transfer};
use ::amqp::sections::Properties;
use ::amqp::terminus::{Source, Target};
use ::amqp::types::{Raw, Symbol};
use agents::{Agent, LocalUser, PeerInfo};
use mqi::{GetFlags, MessageDescriptor, OpenOptions, Text, Wait};
use security::cover::Encryption;

use super::{Came, Peer, of_bytes};
use crate::loopback::{Server, What, drained};

/// The condition and the words with which a client is refused at its open.
fn refused_at_open(server: &Server) -> (String, String) {
    let encryption = Encryption::Clear { is_cover_required: false };
    let mut peer = Peer::from(server, PeerInfo { encryption, ..Peer::of_here() });
    let mut bytes = Protocol::Amqp.header().to_vec();
    let open = Open { container_id: "refused", ..Open::default() };
    Performative::Open(open).put(&mut bytes, 0);
    let close = peer.receive(&bytes).unwrap_err();
    peer.agent.farewell(&close, &mut peer.output);
    let word = drained(&mut peer.output);
    let open = Frame::decode(&word[8..], 1 << 20).unwrap().unwrap();
    let close = Frame::decode(&word[8 + open.bytes..], 1 << 20).unwrap().unwrap();
    let came = Came { name: "Close".to_owned(), bytes: close.body.to_vec() };
    (came.condition(), came.text())
}

#[test]
fn each_reason_for_which_a_channel_takes_no_client_has_its_condition() {
    for (command, condition, words) in [
        (
            "ALTER CHANNEL(SYSTEM.DEF.AMQP) CHLTYPE(AMQP) MAXINST(1)",
            "amqp:resource-limit-exceeded",
            "MAXINST",
        ),
        ("STOP CHANNEL(SYSTEM.DEF.AMQP)", "amqp:connection:forced", "START CHANNEL"),
        (
            "ALTER CHANNEL(SYSTEM.DEF.AMQP) CHLTYPE(AMQP) SSLCIPH(ANY_TLS12_OR_HIGHER)",
            "amqp:not-allowed",
            "SSLCIPH",
        ),
    ] {
        let server = Server::new();
        let _first = Peer::open(&server);
        let changed = server.client().command(command);
        assert!(!changed.failed, "{command}: {}", changed.text);
        let (told, text) = refused_at_open(&server);
        assert_eq!(told, condition, "{command}: {text}");
        assert!(text.contains(words), "{command}: {text}");
    }
}

/// A client of a user, with a session.
pub(super) fn of_user(server: &Server, name: &str) -> Peer {
    let user = Some(LocalUser { name: name.into(), is_owner: false });
    let mut peer = Peer::from(server, PeerInfo { user, ..Peer::of_here() });
    peer.send(&Protocol::Amqp.header());
    peer.say(Open { container_id: "peer", ..Open::default() });
    peer.say(Begin { incoming_window: 1000, outgoing_window: 1000, ..Begin::default() });
    assert_eq!(peer.names(), ["Open", "Begin"]);
    peer
}

#[test]
fn the_subscription_of_another_user_is_refused_as_that() {
    let server = Server::new();
    let mut source = Vec::new();
    let expiry_policy = Symbol("never");
    Source { address: Some("topic://t"), durable: 2, expiry_policy, ..Source::default() }.write(&mut source);
    let attach = Attach { name: "s", handle: 2, is_receiver: true, ..Attach::default() };
    let mut ada = of_user(&server, "ada");
    ada.say(Attach { source: Some(Raw(&source)), ..attach });
    assert_eq!(ada.names(), ["Attach"]);
    ada.say(Detach { handle: 2, closed: false, error: None });
    ada.frames();
    for source in [Some(Raw(&source[..])), None] {
        let mut bob = of_user(&server, "bob");
        bob.say(Attach { source, ..attach });
        let frames = bob.frames();
        assert_eq!(frames[1].condition(), "amqp:unauthorized-access", "{}", frames[1].text());
    }
}

#[test]
fn a_transfer_without_a_byte_is_refused_and_the_link_goes_on() {
    let server = Server::new();
    let mut peer = Peer::sender(&server, "A");
    peer.put(&[]);
    let frames = peer.frames();
    assert_eq!(frames[0].condition(), "amqp:decode-error");
    assert!(frames[0].text().contains("body"), "{}", frames[0].text());
    // The same in two transfers, and beside a message that is one.
    let (delivery_id, delivery_tag) = (Some(peer.next_delivery()), Some(&b"t"[..]));
    let transfer = Transfer { handle: 1, delivery_id, delivery_tag, ..Transfer::default() };
    for more in [true, false] {
        peer.send(&Peer::transfer_bytes(Transfer { more, ..transfer }, &[]));
    }
    assert_eq!(peer.frames()[0].condition(), "amqp:decode-error");
    peer.put(&of_bytes(b"x"));
    assert_eq!(peer.frames()[0].condition(), "");
    assert_eq!(server.depth("A"), 1);
}

#[test]
fn an_address_with_a_host_names_the_queue_behind_it() {
    let server = Server::new();
    let mut peer = Peer::open(&server);
    for (handle, address) in [(1, "amqp://host/A"), (2, "amqps://host:5671/queue:///A")] {
        peer.attach_target(handle, address);
        assert_eq!(peer.names(), ["Attach", "Flow"], "{address}");
        peer.put_by(handle, &of_bytes(b"x"), None);
        peer.frames();
    }
    assert_eq!(server.depth("A"), 2);
    for (handle, address) in [(3, "amqp://host"), (4, "amqp://"), (5, "amqp://host/orders-in")] {
        peer.attach_target(handle, address);
        assert_eq!(peer.frames()[1].condition(), "amqp:not-found", "{address}");
    }
}

/// A message of AMQP for an address, to be answered at a queue.
fn request(to: &str, reply_to: &str) -> Vec<u8> {
    let mut out = Vec::new();
    Properties { to: Some(to), reply_to: Some(reply_to), ..Properties::default() }.write(&mut out);
    out.extend(of_bytes(b"ask"));
    out
}

/// The kept form of the message that waits on a transmission queue.
fn leaving(server: &Server, queue: &str) -> Vec<u8> {
    let mut program = server.client();
    let handle = program.open(queue, OpenOptions::INPUT_SHARED);
    let number = program.cork_get(handle, GetFlags::NO_SYNCPOINT, Wait::No);
    program.send();
    let What::Got { body, .. } = program.answer(number).what else { panic!("a message") };
    let at = body.windows(8).position(|bytes| bytes == b"FRYA\0\0\0\x01").expect("the kept form");
    body[at..].to_vec()
}

#[test]
fn queues_that_a_message_names_carry_their_queue_manager_when_it_leaves_it() {
    let server = Server::new();
    for command in [
        "DEFINE QLOCAL(QM2) USAGE(XMITQ)",
        "DEFINE QREMOTE(OUT) RNAME(A) RQMNAME(QM2)",
        "DEFINE QREMOTE(ON) RNAME(B) RQMNAME(QM3) XMITQ(QM2)",
    ] {
        let made = server.client().command(command);
        assert!(!made.failed, "{}", made.text);
    }
    let mut peer = Peer::open(&server);
    let mut target = Vec::new();
    Target { dynamic: true, ..Target::default() }.write(&mut target);
    let target = Some(Raw(&target));
    let made =
        Attach { name: "made", handle: 5, target, initial_delivery_count: Some(0), ..Attach::default() };
    peer.say(made);
    let frames = peer.frames();
    let Performative::Attach(attach) = frames[0].performative().0 else { panic!("{frames:?}") };
    let ::amqp::terminus::TargetEnd::Node(node) =
        ::amqp::terminus::TargetEnd::decode(attach.target.unwrap().0).unwrap()
    else {
        panic!("{frames:?}")
    };
    let temporary = node.address.unwrap().to_owned();
    peer.attach_target(1, "OUT");
    assert_eq!(peer.names(), ["Attach", "Flow"]);
    for (to, reply_to, expected) in [
        ("OUT", "B", ("queue://QM1/OUT".to_owned(), "queue://QM1/B".to_owned())),
        ("queue:///OUT", "queue:///B", ("queue://QM1/OUT".to_owned(), "queue://QM1/B".to_owned())),
        ("queue://QM2/A", &temporary, ("queue://QM2/A".to_owned(), format!("queue://QM1/{temporary}"))),
        ("topic://t", "queue://QM9/B", ("topic://t".to_owned(), "queue://QM9/B".to_owned())),
    ] {
        peer.put(&request(to, reply_to));
        assert_eq!(peer.frames()[0].condition(), "");
        let kept = leaving(&server, "QM2");
        // On the queue manager where it arrives, for a receiver of AMQP and one hop on.
        let mut program = server.client();
        let kept_form = Text::truncated("FRYAMQP");
        let arrived = MessageDescriptor { format: kept_form, ..MessageDescriptor::default() };
        for queue in ["B", "ON"] {
            let handle = program.open(queue, OpenOptions::OUTPUT);
            assert_eq!(program.put_message(handle, &arrived, &kept), What::PutDone);
        }
        assert_eq!(leaving(&server, "QM2"), kept, "the second hop changes nothing");
        let mut receiver = Peer::receiver(&server, "B", 1);
        let frames = receiver.frames();
        let (_, payload) = frames[0].performative();
        let sections = ::amqp::Sections::of(payload).unwrap();
        let told = sections.properties();
        assert_eq!((told.to, told.reply_to), (Some(&*expected.0), Some(&*expected.1)));
        receiver.settle(0, 0, ::amqp::outcome::put_accepted);
        receiver.frames();
    }
    // What stays keeps its bytes.
    let stays = request("B", "A");
    peer.attach_target(2, "B");
    peer.frames();
    peer.put_by(2, &stays, None);
    peer.frames();
    let mut receiver = Peer::receiver(&server, "B", 1);
    let frames = receiver.frames();
    let (_, payload) = frames[0].performative();
    assert!(payload.ends_with(&stays));
}
