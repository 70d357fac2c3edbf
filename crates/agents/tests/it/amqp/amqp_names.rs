//! Queues and topics that clients find by AMQPNAME.

use ::amqp::frame::Protocol;
use ::amqp::outcome::put_accepted;
use ::amqp::performative::{Attach, Begin, Detach, Open, Performative};
use ::amqp::sections::Properties;
use ::amqp::terminus::{Source, Target};
use ::amqp::types::{Raw, Symbol, Symbols};
use agents::{LocalUser, PeerInfo};
use mqi::{GetFlags, OpenOptions, Wait};

use super::{Peer, of_bytes};
use crate::loopback::{Server, What};

pub(super) fn mqsc(server: &Server, text: &str) -> String {
    let mut shown = String::new();
    for command in &objects::mqsc::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}")) {
        let response = server.driven(server.queue_manager.execute(command));
        assert!(response.is_ok(), "{command}: {response}");
        shown.push_str(&response.to_string());
    }
    shown
}

/// A message, for an address where a relay sends it, to be answered where it says so.
fn message(to: Option<&str>, reply_to: Option<&str>) -> Vec<u8> {
    let mut out = Vec::new();
    Properties { to, reply_to, ..Properties::default() }.write(&mut out);
    out.extend(of_bytes(b"x"));
    out
}

/// Attaches to an address; the condition and the words of its refusal, both empty where it is granted.
fn attach(peer: &mut Peer, handle: u32, address: &str, is_source: bool) -> (String, String) {
    if is_source {
        peer.attach_source(handle, address)
    } else {
        peer.attach_target(handle, address)
    }
    let frames = peer.frames();
    let detach = frames.iter().find(|came| came.name == "Detach");
    detach.map(|came| (came.condition(), came.text())).unwrap_or_default()
}

#[test]
fn a_name_that_no_queue_can_have_leads_every_kind_of_link_to_its_queue() {
    let server = Server::new();
    let long = "orders/".repeat(20);
    mqsc(&server, "ALTER QLOCAL(A) AMQPNAME('orders-in')");
    mqsc(&server, &format!("DEFINE QALIAS(ALIAS) TARGET(A) AMQPNAME('{long}')"));
    mqsc(&server, "DEFINE QLOCAL(QM2) USAGE(XMITQ)");
    mqsc(&server, "DEFINE QREMOTE(AWAY) RNAME(B) RQMNAME(QM2) AMQPNAME('größe')");
    let mut peer = Peer::open(&server);
    let addresses =
        ["orders-in", "queue:///orders-in", "queue://QM1/orders-in", "amqp://host/orders-in", long.as_str()];
    for (handle, address) in (1..).zip(addresses) {
        assert_eq!(attach(&mut peer, handle, address, false), Default::default(), "{address}");
        peer.put_by(handle, &of_bytes(b"x"), None);
        assert_eq!(peer.frames()[0].condition(), "", "{address}");
    }
    assert_eq!(attach(&mut peer, 9, "größe", false), Default::default());
    peer.put_by(9, &of_bytes(b"x"), None);
    assert_eq!(peer.frames()[0].condition(), "");
    assert_eq!(server.depth("QM2"), 1);
    assert_eq!(server.depth("A"), 5);
    // An anonymous relay.
    let mut relay = Peer::open(&server);
    let mut target = Vec::new();
    Target::default().write(&mut target);
    let target = Some(Raw(&target));
    let attached =
        Attach { name: "r", handle: 1, target, initial_delivery_count: Some(0), ..Attach::default() };
    relay.say(attached);
    assert_eq!(relay.names(), ["Attach", "Flow"]);
    for address in addresses {
        relay.put(&message(Some(address), None));
        assert_eq!(relay.frames()[0].condition(), "", "{address}");
    }
    assert_eq!(server.depth("A"), 10);
    // A browser, which leaves the messages, and a consumer.
    let mut source = Vec::new();
    let copy = Some(Symbol("copy"));
    Source { address: Some("orders-in"), distribution_mode: copy, ..Source::default() }.write(&mut source);
    let mut browser = Peer::open(&server);
    let source = Some(Raw(&source));
    browser.say(Attach { name: "b", handle: 2, is_receiver: true, source, ..Attach::default() });
    assert_eq!(browser.names(), ["Attach"]);
    browser.grant(2, 0, 20, false);
    assert_eq!(browser.messages().len(), 10);
    assert_eq!(server.depth("A"), 10);
    let mut consumer = Peer::receiver(&server, "orders-in", 20);
    assert_eq!(consumer.messages().len(), 10);
    consumer.settle(0, 9, put_accepted);
    consumer.frames();
    assert_eq!(server.depth("A"), 0);
}

#[test]
fn a_name_leads_where_the_definitions_of_now_say_and_over_a_restart() {
    let server = Server::new();
    mqsc(&server, "ALTER QLOCAL(A) AMQPNAME('orders-in')");
    let leads_to = |server: &Server, queue: &str| {
        let before = server.depth(queue);
        let mut peer = Peer::sender(server, "orders-in");
        peer.put(&of_bytes(b"x"));
        peer.frames();
        assert_eq!(server.depth(queue), before + 1, "{queue}");
    };
    leads_to(&server, "A");
    mqsc(&server, "ALTER QLOCAL(A) AMQPNAME(' ')");
    assert_eq!(attach(&mut Peer::open(&server), 1, "orders-in", false).0, "amqp:not-found");
    mqsc(&server, "ALTER QLOCAL(B) AMQPNAME('orders-in')");
    leads_to(&server, "B");
    let server = server.restarted();
    leads_to(&server, "B");
    let shown = mqsc(&server, "DISPLAY QLOCAL(*) WHERE(AMQPNAME EQ 'orders-in') AMQPNAME");
    assert!(shown.contains("QUEUE(B)") && shown.contains("AMQPNAME(orders-in)"), "{shown}");
    assert!(!shown.contains("QUEUE(A)"), "{shown}");
    mqsc(&server, "DELETE QLOCAL(B) PURGE");
    assert_eq!(attach(&mut Peer::open(&server), 1, "orders-in", true).0, "amqp:not-found");
}

#[test]
fn a_name_of_a_topic_leads_those_that_do_not_say_a_kind_to_its_topic_string() {
    let server = Server::new();
    mqsc(&server, "DEFINE TOPIC(PRICES) TOPICSTR('price/eu') AMQPNAME('prices-eu')");
    let mut subscriber = Peer::receiver(&server, "prices-eu", 5);
    let mut by_string = Peer::receiver(&server, "topic://price/eu", 5);
    let mut peer = Peer::sender(&server, "prices-eu");
    peer.put(&of_bytes(b"x"));
    assert_eq!(peer.frames()[0].condition(), "");
    assert_eq!((subscriber.messages().len(), by_string.messages().len()), (1, 1));
    // A kind that is said counts: no queue has the name, and as a topic it is a topic string.
    for is_source in [true, false] {
        let (condition, text) = attach(&mut peer, 8, "queue:///prices-eu", is_source);
        assert_eq!(condition, "amqp:not-found", "{text}");
        peer.say(Detach { handle: 8, closed: true, error: None });
        peer.frames();
    }
    let mut target = Vec::new();
    let capabilities = Some(Symbols::Ours(&["topic"]));
    Target { address: Some("prices-eu"), capabilities, ..Target::default() }.write(&mut target);
    let target = Some(Raw(&target));
    peer.say(Attach { name: "t", handle: 9, target, initial_delivery_count: Some(0), ..Attach::default() });
    assert_eq!(peer.names(), ["Attach", "Flow"]);
    peer.put_by(9, &of_bytes(b"y"), None);
    peer.frames();
    assert_eq!(by_string.messages().len(), 0);
}

#[test]
fn an_answer_finds_the_queue_of_a_reply_to_by_such_a_name() {
    let server = Server::new();
    mqsc(&server, "ALTER QLOCAL(B) AMQPNAME('replies-in')");
    let mut peer = Peer::sender(&server, "A");
    for (reply_to, kept, queue) in [
        ("replies-in", "B", "B"),
        ("queue://QM1/replies-in", "queue://QM1/B", "B"),
        ("replies-out", "replies-out", ""),
        ("queue://QM2/replies-in", "queue://QM2/replies-in", ""),
    ] {
        let sent = message(None, Some(reply_to));
        peer.put(&sent);
        peer.frames();
        peer.put(&sent);
        peer.frames();
        // A program finds the queue in the descriptor, and a client the address that any receiver can use.
        let mut program = server.client();
        let handle = program.open("A", OpenOptions::INPUT_SHARED);
        let number = program.cork_get(handle, GetFlags::NO_SYNCPOINT, Wait::No);
        program.send();
        let got = program.answer(number);
        assert!(matches!(got.what, What::Got { .. }), "{reply_to}");
        assert_eq!(got.descriptor.reply_to_queue.as_str(), queue, "{reply_to}");
        let mut receiver = Peer::receiver(&server, "A", 1);
        let frames = receiver.frames();
        let (_, payload) = frames[0].performative();
        let sections = ::amqp::Sections::of(payload).unwrap();
        assert_eq!(sections.properties().reply_to, Some(kept), "{reply_to}");
        receiver.settle(0, 0, put_accepted);
        receiver.frames();
    }
}

#[test]
fn addresses_that_lead_nowhere_are_refused_in_words_and_cost_no_link() {
    let server = Server::new();
    mqsc(&server, "ALTER QLOCAL(A) AMQPNAME('orders-in')");
    let (long, longer) = ("x-".repeat(150), "A".repeat(49));
    let mut peer = Peer::open(&server);
    for (address, condition) in [
        ("orders-out", "amqp:not-found"),
        ("orders-in ", "amqp:not-found"),
        ("ORDERS-IN", "amqp:not-found"),
        ("orders\u{1}in", "amqp:not-found"),
        ("orders\0in", "amqp:not-found"),
        ("queue://QM2/orders-in", "amqp:not-found"),
        ("queue://no such/orders-in", "amqp:not-found"),
        (long.as_str(), "amqp:not-found"),
        (longer.as_str(), "amqp:not-found"),
    ] {
        for is_source in [true, false] {
            let (found, text) = attach(&mut peer, 3, address, is_source);
            assert_eq!(found, condition, "{address:?}");
            assert!(text.contains("1 to 48 letters") && text.contains("AMQPNAME"), "{address:?}: {text}");
            peer.say(Detach { handle: 3, closed: true, error: None });
            peer.frames();
        }
    }
    assert_eq!(attach(&mut peer, 3, "orders-in", true), Default::default());
    // Bytes that are no UTF-8 end the session or the connection as malformed, and nothing else.
    let mut other = Peer::open(&server);
    let mut bytes = Peer::attach_source_bytes(4, "orders-zz");
    let at = bytes.windows(2).position(|pair| pair == b"zz").unwrap();
    bytes[at] = 0xFF;
    let ended = other.receive(&bytes);
    assert!(ended.is_err() || other.names().iter().any(|name| name != "Attach"));
    assert_eq!(attach(&mut peer, 5, "orders-in", false), Default::default());
}

#[test]
fn rights_are_judged_by_the_own_name_of_the_queue() {
    let server = Server::by_records();
    mqsc(&server, "DEFINE QLOCAL(A) AMQPNAME('orders-in')");
    mqsc(&server, "DEFINE QLOCAL(B) AMQPNAME('orders-out')");
    mqsc(&server, "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('ada') AUTHADD(CONNECT)");
    mqsc(&server, "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(PUT)");
    let user = Some(LocalUser { name: "ada".into(), is_owner: false });
    let mut peer = Peer::from(&server, PeerInfo { user, ..Peer::of_here() });
    peer.send(&Protocol::Amqp.header());
    peer.say(Open { container_id: "peer", ..Open::default() });
    peer.say(Begin { incoming_window: 1000, outgoing_window: 1000, ..Begin::default() });
    assert_eq!(peer.names(), ["Open", "Begin"]);
    assert_eq!(attach(&mut peer, 1, "orders-in", false), Default::default());
    for (address, is_source) in [("orders-in", true), ("orders-out", true), ("orders-out", false)] {
        let (condition, text) = attach(&mut peer, 2, address, is_source);
        assert_eq!(condition, "amqp:unauthorized-access", "{address}: {text}");
        peer.say(Detach { handle: 2, closed: true, error: None });
        peer.frames();
    }
}

#[test]
fn an_attach_by_such_a_name_answers_the_address_that_was_asked_for() {
    let server = Server::new();
    mqsc(&server, "ALTER QLOCAL(A) AMQPNAME('orders-in')");
    let mut peer = Peer::open(&server);
    peer.attach_source(2, "orders-in");
    let frames = peer.frames();
    let Performative::Attach(attach) = frames[0].performative().0 else { panic!("{frames:?}") };
    let source = Source::decode(attach.source.unwrap().0).unwrap();
    assert_eq!(source.address, Some("orders-in"));
}
