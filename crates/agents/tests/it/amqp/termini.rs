//! Sources and targets of every kind.

use ::amqp::performative::{Attach, Detach, Performative};
use ::amqp::sections::Properties;
use ::amqp::terminus::{Source, Target};
use ::amqp::types::write::{put_descriptor, put_map, put_string, put_symbol};
use ::amqp::types::{Fields, Raw, Symbol, Symbols, one};
use ::amqp::{Value, outcome::put_accepted};
use agents::Agent;
use mqi::{OpenOptions, Persistence};

use super::{Came, Peer, message, of_bytes};
use crate::loopback::Server;

fn attach_source_as(peer: &mut Peer, name: &str, handle: u32, source: &Source<'_>) -> Vec<Came> {
    let mut bytes = Vec::new();
    source.write(&mut bytes);
    let source = Some(Raw(&bytes));
    peer.say(Attach { name, handle, is_receiver: true, source, ..Attach::default() });
    peer.frames()
}

fn texts(peer: &mut Peer) -> Vec<String> {
    peer.messages().into_iter().map(|(_, text)| text).collect()
}

fn filled(server: &Server, queue: &str, texts: &[&'static str]) {
    let mut program = server.client();
    let handle = program.open(queue, OpenOptions::OUTPUT);
    texts.iter().for_each(|text| program.put(handle, Persistence::NotPersistent, text));
}

const TOPIC: Option<Symbols<'_>> = Some(Symbols::Ours(&["topic"]));

/// A client that publishes to a topic by handle 1.
fn publisher(server: &Server, topic: &str) -> Peer {
    let mut peer = Peer::open(server);
    let mut target = Vec::new();
    Target { address: Some(topic), capabilities: TOPIC, ..Target::default() }.write(&mut target);
    let target = Some(Raw(&target));
    peer.say(Attach { name: "p", handle: 1, target, initial_delivery_count: Some(0), ..Attach::default() });
    assert_eq!(peer.names(), ["Attach", "Flow"]);
    peer
}

#[test]
fn a_browser_sees_messages_that_stay() {
    let server = Server::new();
    filled(&server, "A", &["1", "2"]);
    let mut peer = Peer::open(&server);
    let source = Source { address: Some("A"), distribution_mode: Some(Symbol("copy")), ..Source::default() };
    attach_source_as(&mut peer, "b", 2, &source);
    peer.grant(2, 0, 10, true);
    let frames = peer.frames();
    let names: Vec<&str> = frames.iter().map(|came| came.name.as_str()).collect();
    assert_eq!(names, ["Transfer", "Transfer", "Flow"]);
    let Performative::Transfer(transfer) = frames[0].performative().0 else { panic!("{frames:?}") };
    assert_eq!(transfer.settled, Some(true));
    assert_eq!(server.depth("A"), 2);
    peer.say(Detach { handle: 2, closed: true, error: None });
    assert_eq!(peer.names(), ["Detach"]);
}

#[test]
fn a_receiver_that_takes_settled_messages_has_them_at_most_once() {
    let server = Server::new();
    filled(&server, "A", &["1", "2", "3"]);
    let mut peer = Peer::open(&server);
    let mut source = Vec::new();
    Source { address: Some("A"), ..Source::default() }.write(&mut source);
    let source = Some(Raw(&source));
    peer.say(Attach {
        name: "s",
        handle: 2,
        is_receiver: true,
        snd_settle_mode: 1,
        source,
        ..Attach::default()
    });
    peer.frames();
    peer.grant(2, 0, 2, false);
    assert_eq!(texts(&mut peer), ["1", "2"]);
    assert_eq!(server.depth("A"), 1);
}

#[test]
fn a_selector_is_carried_out_and_told_and_an_unknown_filter_is_left_out() {
    // Inputs 31 and 32.
    let server = Server::new();
    let with_filter = |peer: &mut Peer, handle: u32, selector: &str| {
        let mut filter = Vec::new();
        put_map(&mut filter, 2, |out| {
            put_symbol(out, "any key");
            put_descriptor(out, 0x0000_468C_0000_0004);
            put_string(out, selector);
            put_symbol(out, "unknown");
            put_descriptor(out, 0x77_7777);
            put_string(out, "x");
        });
        let Ok((Value::Map(entries), _)) = one(&filter) else { panic!("a map") };
        let source = Source { address: Some("A"), filter: Some(Fields(entries)), ..Source::default() };
        attach_source_as(peer, &format!("f{handle}"), handle, &source)
    };
    let mut sender = Peer::sender(&server, "A");
    for (size, text) in [(1, "small"), (9, "large")] {
        let property = [&[0x00, 0x53, 0x74, 0xC1, 0x09, 2, 0xA1, 4][..], b"size", &[0x54, size]].concat();
        sender.put(&[property, message(text, false)[7..].to_vec()].concat());
    }
    sender.frames();
    let mut peer = Peer::open(&server);
    let frames = with_filter(&mut peer, 2, "size > 5");
    let Performative::Attach(attach) = frames[0].performative().0 else { panic!("{frames:?}") };
    let told = Source::decode(attach.source.unwrap().0).unwrap().filter.expect("the filter is told");
    assert_eq!(told.0.len(), 1, "and the unknown one is not");
    peer.grant(2, 0, 10, false);
    assert_eq!(texts(&mut peer), ["large"]);
    let frames = with_filter(&mut peer, 3, "size >");
    assert_eq!(frames[1].condition(), "amqp:invalid-field");
}

#[test]
fn a_publication_goes_to_subscribers_of_both_protocols() {
    let server = Server::new();
    let mut subscriber = Peer::open(&server);
    attach_source_as(
        &mut subscriber,
        "s",
        2,
        &Source { address: Some("price/+"), capabilities: TOPIC, ..Source::default() },
    );
    subscriber.grant(2, 0, 10, false);
    subscriber.frames();
    let mut peer = publisher(&server, "price/tin");
    peer.put(&message("42", true));
    assert_eq!(peer.names(), ["Disposition"]);
    assert_eq!(texts(&mut subscriber), ["42"]);
    // By its scheme a topic needs no word of the terminus.
    let mut other = Peer::open(&server);
    attach_source_as(&mut other, "t", 2, &Source { address: Some("topic://price/tin"), ..Source::default() });
    other.grant(2, 0, 10, false);
    other.frames();
    peer.put(&message("43", false));
    peer.frames();
    assert_eq!((texts(&mut subscriber), texts(&mut other)), (vec!["43".to_owned()], vec!["43".to_owned()]));
}

/// A durable subscription's source.
fn durable<'a>() -> Source<'a> {
    Source {
        address: Some("t"),
        durable: 2,
        expiry_policy: Symbol("never"),
        capabilities: TOPIC,
        ..Source::default()
    }
}

#[test]
fn a_durable_subscription_outlasts_a_detach_and_ends_with_a_close() {
    let server = Server::new();
    let mut peer = Peer::open(&server);
    attach_source_as(&mut peer, "sub", 2, &durable());
    peer.say(Detach { handle: 2, closed: false, error: None });
    assert_eq!(peer.names(), ["Detach"]);
    let mut sender = publisher(&server, "t");
    sender.put(&message("meanwhile", true));
    sender.frames();
    attach_source_as(&mut peer, "sub", 2, &durable());
    peer.grant(2, 0, 10, false);
    assert_eq!(texts(&mut peer), ["meanwhile"]);
    peer.settle(0, 0, put_accepted);
    peer.say(Detach { handle: 2, closed: false, error: None });
    peer.frames();
    // Without a source it is told by the name of the link; closed, it ends.
    peer.say(Attach { name: "sub", handle: 2, is_receiver: true, ..Attach::default() });
    let frames = peer.frames();
    let Performative::Attach(attach) = frames[0].performative().0 else { panic!("{frames:?}") };
    assert_eq!(Source::decode(attach.source.unwrap().0).unwrap().address, Some("t"));
    peer.say(Detach { handle: 2, closed: true, error: None });
    peer.frames();
    peer.say(Attach { name: "sub", handle: 2, is_receiver: true, ..Attach::default() });
    let frames = peer.frames();
    let Performative::Attach(attach) = frames[0].performative().0 else { panic!("{frames:?}") };
    assert!(attach.source.is_none());
    assert_eq!(frames[1].condition(), "amqp:not-found");
}

#[test]
fn a_subscriber_takes_its_messages_also_where_its_source_says_copy() {
    // Clients of JMS say so of every topic.
    let server = Server::new();
    let copies = Source { distribution_mode: Some(Symbol("copy")), ..durable() };
    let mut peer = Peer::open(&server);
    attach_source_as(&mut peer, "sub", 2, &copies);
    peer.grant(2, 0, 10, false);
    let mut sender = publisher(&server, "t");
    sender.put(&message("1", true));
    sender.frames();
    let frames = peer.frames();
    let Performative::Transfer(transfer) = frames[0].performative().0 else { panic!("{frames:?}") };
    assert_ne!(transfer.settled, Some(true));
    peer.settle(0, 0, put_accepted);
    peer.say(Detach { handle: 2, closed: false, error: None });
    peer.frames();
    attach_source_as(&mut peer, "sub", 2, &copies);
    peer.grant(2, 0, 10, false);
    assert!(texts(&mut peer).is_empty(), "it was taken");
}

#[test]
fn a_topic_that_is_made_for_a_link_has_no_durable_subscription() {
    let server = Server::new();
    let mut peer = Peer::open(&server);
    let by_kind = Source { capabilities: Some(Symbols::Ours(&["temporary-topic"])), ..durable() };
    let by_name = Source { address: Some("topic://$TEMP/1/2"), ..durable() };
    for (handle, source) in [(2, by_kind), (3, by_name)] {
        let frames = attach_source_as(&mut peer, "sub", handle, &source);
        assert_eq!(frames[1].condition(), "amqp:not-allowed");
    }
}

#[test]
fn another_topic_or_selector_begins_a_durable_subscription_anew_unless_it_is_in_use() {
    let server = Server::new();
    let mut filter = Vec::new();
    put_map(&mut filter, 1, |out| {
        put_symbol(out, "selector");
        put_descriptor(out, 0x0000_468C_0000_0004);
        put_string(out, "JMSPriority = 4");
    });
    let Ok((Value::Map(entries), _)) = one(&filter) else { panic!("a map") };
    let selecting = Source { filter: Some(Fields(entries)), ..durable() };
    let elsewhere = Source { address: Some("u"), ..durable() };
    let mut sender = publisher(&server, "t");
    let mut peer = Peer::open(&server);
    // From the topic to a selector, back to none, and to another topic: what lay there is gone each time.
    for source in [&durable(), &selecting, &durable(), &elsewhere] {
        let frames = attach_source_as(&mut peer, "sub", 2, source);
        assert_eq!(frames.len(), 1, "{frames:?}");
        peer.grant(2, 0, 10, false);
        assert!(texts(&mut peer).is_empty());
        let mut other = Peer::open(&server);
        let another = if source.address == Some("u") { durable() } else { elsewhere };
        let frames = attach_source_as(&mut other, "sub", 2, &another);
        assert_eq!(frames[1].condition(), "amqp:resource-locked");
        peer.say(Detach { handle: 2, closed: false, error: None });
        peer.frames();
        sender.put(&message("old", true));
        sender.frames();
    }
    let frames = attach_source_as(&mut peer, "sub", 2, &elsewhere);
    assert_eq!(frames.len(), 1);
    publisher(&server, "u").put(&message("new", true));
    peer.grant(2, 0, 10, false);
    assert_eq!(texts(&mut peer), ["new"]);
}

#[test]
fn each_message_of_a_shared_subscription_goes_to_one() {
    let server = Server::new();
    let shared = Source {
        address: Some("t"),
        capabilities: Some(Symbols::Ours(&["topic", "shared"])),
        ..Source::default()
    };
    let mut peer = Peer::open(&server);
    for (handle, name) in [(2, "n"), (3, "n|2")] {
        let frames = attach_source_as(&mut peer, name, handle, &shared);
        assert_eq!(frames.len(), 1, "{frames:?}");
        peer.grant(handle, 0, 100, false);
    }
    let mut sender = publisher(&server, "t");
    for _ in 0..10 {
        sender.put(&message("x", false));
    }
    sender.frames();
    assert_eq!(peer.messages().len(), 10);
}

#[test]
fn a_close_that_comes_with_the_attach_ends_a_durable_subscription() {
    let server = Server::new();
    let mut bytes = Vec::new();
    durable().write(&mut bytes);
    for source in [Some(Raw(&bytes)), None] {
        let mut peer = Peer::open(&server);
        attach_source_as(&mut peer, "sub", 2, &durable());
        peer.say(Detach { handle: 2, closed: false, error: None });
        assert_eq!(peer.names(), ["Detach"]);
        let attach = Attach { name: "sub", handle: 3, is_receiver: true, source, ..Attach::default() };
        let (mut both, closed) = (Vec::new(), true);
        Performative::from(attach).put(&mut both, 0);
        Performative::from(Detach { handle: 3, closed, error: None }).put(&mut both, 0);
        peer.send(&both);
        assert_eq!(peer.names(), ["Attach", "Detach"]);
        peer.say(Attach { name: "sub", handle: 2, is_receiver: true, ..Attach::default() });
        assert_eq!(peer.frames()[1].condition(), "amqp:not-found", "it has ended");
    }
}

#[test]
fn a_detach_that_comes_with_an_attach_that_is_refused_is_answered_once() {
    let server = Server::new();
    let mut peer = Peer::open(&server);
    let mut both = Peer::attach_source_bytes(2, "NONE.SUCH");
    Performative::from(Detach { handle: 2, closed: true, error: None }).put(&mut both, 0);
    peer.send(&both);
    assert_eq!(peer.names(), ["Attach", "Detach"]);
    peer.attach_source(2, "A");
    assert_eq!(peer.names(), ["Attach"], "the handle is free");
}

#[test]
fn durable_subscriptions_of_names_with_a_bar_are_apart_unless_they_are_shared() {
    let server = Server::new();
    let mut peer = Peer::open(&server);
    let elsewhere = Source { address: Some("u"), ..durable() };
    for (handle, name, source) in [(2, "orders|eu", durable()), (3, "orders|us", elsewhere)] {
        assert_eq!(attach_source_as(&mut peer, name, handle, &source).len(), 1, "{name}");
    }
    for (handle, topic) in [(2, "t"), (3, "u")] {
        peer.grant(handle, 0, 10, false);
        let mut sender = publisher(&server, topic);
        sender.put(&message(topic, true));
        sender.frames();
        assert_eq!(texts(&mut peer), [topic]);
    }
    // Each is found by its own name.
    peer.say(Detach { handle: 3, closed: false, error: None });
    peer.frames();
    peer.say(Attach { name: "orders|us", handle: 4, is_receiver: true, ..Attach::default() });
    let frames = peer.frames();
    let Performative::Attach(attach) = frames[0].performative().0 else { panic!("{frames:?}") };
    assert_eq!(Source::decode(attach.source.unwrap().0).unwrap().address, Some("u"));
}

#[test]
fn a_shared_durable_subscription_is_not_removed_while_another_uses_it() {
    let server = Server::new();
    let shared = Source { capabilities: Some(Symbols::Ours(&["topic", "shared"])), ..durable() };
    let mut peer = Peer::open(&server);
    for (handle, name) in [(2, "n"), (3, "n|2")] {
        assert_eq!(attach_source_as(&mut peer, name, handle, &shared).len(), 1);
    }
    peer.say(Detach { handle: 2, closed: true, error: None });
    assert_eq!(peer.frames()[0].condition(), "amqp:resource-locked");
    peer.say(Detach { handle: 3, closed: true, error: None });
    assert_eq!(peer.frames()[0].condition(), "", "nobody uses it any more");
    peer.say(Attach { name: "n", handle: 2, is_receiver: true, ..Attach::default() });
    assert_eq!(peer.frames()[1].condition(), "amqp:not-found");
}

#[test]
fn messages_by_a_relay_go_where_they_say_and_errors_refuse_the_message() {
    let server = Server::new();
    let mut peer = Peer::open(&server);
    let mut target = Vec::new();
    Target::default().write(&mut target);
    let target = Some(Raw(&target));
    peer.say(Attach {
        name: "relay",
        handle: 1,
        target,
        initial_delivery_count: Some(0),
        ..Attach::default()
    });
    assert_eq!(peer.names(), ["Attach", "Flow"]);
    let to = |address: &str| {
        let mut out = Vec::new();
        Properties { to: Some(address), ..Properties::default() }.write(&mut out);
        out.extend(of_bytes(b"x"));
        out
    };
    for (address, condition) in
        [("A", ""), ("NONE.SUCH", "amqp:not-found"), ("queue:///B", ""), ("", "amqp:not-found"), ("A", "")]
    {
        peer.put(&to(address));
        let frames = peer.frames();
        assert_eq!(frames[0].condition(), condition, "{address}");
    }
    assert_eq!((server.depth("A"), server.depth("B")), (2, 1));
    assert!(peer.agent.wants_input());
}

/// Attaches a relay by handle 1.
fn attach_relay(peer: &mut Peer) {
    let mut target = Vec::new();
    Target::default().write(&mut target);
    let (target, initial_delivery_count) = (Some(Raw(&target)), Some(0));
    peer.say(Attach { name: "relay", handle: 1, target, initial_delivery_count, ..Attach::default() });
    assert_eq!(peer.names(), ["Attach", "Flow"]);
}

#[test]
fn a_queue_that_a_message_by_a_relay_names_is_made_where_its_channel_says_so() {
    let server = Server::new();
    let mut administrator = server.client();
    for command in [
        "DEFINE QMODEL(M) DEFTYPE(PERMDYN) SHARE DEFSOPT(SHARED)",
        "ALTER CHANNEL(SYSTEM.DEF.AMQP) CHLTYPE(AMQP) AUTOMDL(M) AUTOPRF('test.*')",
        "DEFINE QLOCAL('test.full') MAXDEPTH(0)",
    ] {
        assert!(!administrator.command(command).failed, "{command}");
    }
    let mut peer = Peer::open(&server);
    attach_relay(&mut peer);
    let to = |address: &str| {
        let mut out = Vec::new();
        Properties { to: Some(address), ..Properties::default() }.write(&mut out);
        out.extend(of_bytes(b"x"));
        out
    };
    for (address, condition) in [
        ("test.one", ""),
        ("test.one", ""),
        ("queue:///test.two", ""),
        // Of another name, of another queue manager, for a queue that is there and takes nothing, to a topic.
        ("best.one", "amqp:not-found"),
        ("queue://OTHER/test.three", "amqp:not-found"),
        ("test.full", "amqp:resource-limit-exceeded"),
        ("topic://test.four", ""),
    ] {
        peer.put(&to(address));
        assert_eq!(peer.frames()[0].condition(), condition, "{address}");
    }
    assert_eq!((server.depth("'test.one'"), server.depth("'test.two'")), (2, 1));
    let shown = administrator.command("DISPLAY QLOCAL('test.*')");
    assert_eq!(shown.rows.len(), 3, "{}", shown.text);
}

#[test]
fn a_node_that_is_made_for_a_link_is_told_and_ends_with_it() {
    let server = Server::new();
    let mut peer = Peer::open(&server);
    let mut target = Vec::new();
    Target { dynamic: true, ..Target::default() }.write(&mut target);
    let target = Some(Raw(&target));
    peer.say(Attach {
        name: "made",
        handle: 1,
        target,
        initial_delivery_count: Some(0),
        ..Attach::default()
    });
    let frames = peer.frames();
    let Performative::Attach(attach) = frames[0].performative().0 else { panic!("{frames:?}") };
    let Ok(::amqp::terminus::TargetEnd::Node(made)) =
        ::amqp::terminus::TargetEnd::decode(attach.target.unwrap().0)
    else {
        panic!("{frames:?}")
    };
    let queue = made.address.expect("it is told").to_owned();
    // Input 40: others send to it, and do not receive from it, also as a browser.
    let mut other = Peer::open(&server);
    for (handle, mode) in [(1, None), (2, Some(Symbol("copy")))] {
        let source = Source { address: Some(&queue), distribution_mode: mode, ..Source::default() };
        let refused = attach_source_as(&mut other, "another", handle, &source);
        assert_eq!(refused[1].condition(), "amqp:not-allowed");
    }
    other.attach_target(3, &queue);
    assert_eq!(other.names(), ["Attach", "Flow"]);
    // JMS sends persistent messages to temporary queues, too; they are not kept longer for that.
    peer.put(&message("to it", true));
    assert_eq!(peer.frames()[0].condition(), "");
    peer.attach_source(2, &queue);
    peer.grant(2, 0, 1, false);
    assert_eq!(texts(&mut peer), ["to it"]);
    peer.settle(0, 0, put_accepted);
    for handle in [2, 1] {
        peer.say(Detach { handle, closed: true, error: None });
    }
    peer.frames();
    peer.attach_source(3, &queue);
    assert_eq!(peer.frames()[1].condition(), "amqp:not-found");
}

#[test]
fn a_temporary_topic_is_a_string_of_its_own() {
    let server = Server::new();
    let mut peer = Peer::open(&server);
    let capabilities = Some(Symbols::Ours(&["temporary-topic"]));
    let mut told = Vec::new();
    for handle in [1, 2] {
        let mut target = Vec::new();
        Target { dynamic: true, capabilities, ..Target::default() }.write(&mut target);
        let (name, target) = (format!("m{handle}"), Some(Raw(&target)));
        let initial_delivery_count = Some(0);
        peer.say(Attach { name: &name, handle, target, initial_delivery_count, ..Attach::default() });
        let frames = peer.frames();
        let Performative::Attach(attach) = frames[0].performative().0 else { panic!("{frames:?}") };
        let Ok(::amqp::terminus::TargetEnd::Node(made)) =
            ::amqp::terminus::TargetEnd::decode(attach.target.unwrap().0)
        else {
            panic!("{frames:?}")
        };
        told.push(made.address.unwrap().to_owned());
    }
    assert!(told[0].starts_with("$TEMP/") && told[0] != told[1], "{told:?}");
    let mut other = Peer::open(&server);
    let source = Source { address: Some(&told[0]), capabilities, ..Source::default() };
    let refused = attach_source_as(&mut other, "another", 1, &source);
    assert_eq!(refused[1].condition(), "amqp:not-allowed", "input 40");
    attach_source_as(
        &mut peer,
        "s",
        5,
        &Source { address: Some(&told[0]), capabilities, ..Source::default() },
    );
    peer.grant(5, 0, 1, false);
    peer.put(&message("answer", false));
    assert_eq!(texts(&mut peer), ["answer"]);
}

#[test]
fn a_queue_that_a_client_names_is_made_where_its_channel_says_so() {
    let server = Server::new();
    let mut administrator = server.client();
    let commands = [
        "DEFINE QMODEL(M) DEFTYPE(PERMDYN)",
        "ALTER CHANNEL(SYSTEM.DEF.AMQP) CHLTYPE(AMQP) AUTOMDL(M) AUTOPRF('test.*')",
    ];
    for command in commands {
        assert!(!administrator.command(command).failed, "{command}");
    }
    let mut sender = Peer::open(&server);
    sender.attach_target(1, "best.one");
    assert_eq!(sender.frames()[1].condition(), "amqp:not-found", "another name is no queue");
    sender.say(Detach { handle: 1, closed: true, error: None });
    sender.attach_target(1, "test.one");
    assert_eq!(sender.names(), ["Attach", "Flow"]);
    sender.put(&message("first", true));
    assert_eq!(sender.names(), ["Disposition"]);
    // A client of its own receives, and one that comes first makes the queue as well.
    assert_eq!(texts(&mut Peer::receiver(&server, "test.one", 1)), ["first"]);
    let mut receiver = Peer::receiver(&server, "test.two", 1);
    assert!(texts(&mut receiver).is_empty());
    Peer::sender(&server, "test.two").put(&message("second", false));
    assert_eq!(texts(&mut receiver), ["second"]);
}
