//! The channel that a client comes by, and what belongs to it.

use crate::loopback::{Client, Server, drained, hello, refusal};
use agents::{Agent, LocalUser};
use channel::client::Request;
use channel::{Hello, Kind, Output, Refused, Welcome};
use mqi::{GetFlags, OpenOptions, Persistence, Reason};
use security::cover::Encryption;
use std::sync::Arc;

/// The answer to a login by a channel.
fn by_channel(client: &mut Client, name: &str) -> Result<Welcome, Refused> {
    let mut bytes = channel::preamble::MAGIC.to_vec();
    Hello { channel: name.into(), ..hello() }.encode(&mut bytes);
    if let Err(close) = client.receive(&bytes) {
        let mut output = Output::default();
        client.agent.farewell(&close, &mut output);
        return Err(refusal(&drained(&mut output)));
    }
    let (header, payload) = client.raw_frames().remove(0);
    assert_eq!(header.kind, Kind::Welcome);
    Ok(Welcome::decode(&payload).unwrap())
}

/// A program that comes by a network, and has begun under an instance.
fn begun(server: &Server, name: &str, user: &str, instance: [u8; 16], generation: u64) -> Client {
    let mut client = entered(server, name, user);
    client.begin_again(1, instance, generation);
    client
}

fn entered(server: &Server, name: &str, user: &str) -> Client {
    let mut client = server.stranger_as(None);
    client.log_in_as(&Hello { channel: name.into(), user: user.into(), ..hello() });
    client
}

fn defined(server: &Server, commands: &[&str]) {
    for command in commands {
        let response = server.client().command(command);
        assert!(!response.failed, "{}", response.text);
    }
}

#[test]
fn an_unknown_channel_is_refused_with_2540_and_one_of_another_type_with_2539() {
    let server = Server::new();
    defined(
        &server,
        &[
            "DEFINE CHANNEL(APP) CHLTYPE(SVRCONN)",
            "DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME('h') XMITQ(A)",
            "DEFINE CHANNEL(FROM.QM2) CHLTYPE(RCVR)",
            "DEFINE CHANNEL(TABLE) CHLTYPE(CLNTCONN) CONNAME('h')",
        ],
    );
    for user in [None, Some(LocalUser { name: "tester".into(), is_owner: false })] {
        let by = |name: &str| by_channel(&mut server.stranger_as(user.clone()), name);
        assert!(by("APP").is_ok());
        for unknown in ["NO.SUCH.CHANNEL", "app", "BAD NAME", "APP ", "TABLE", "A", "\u{c4}PP"] {
            let Refused { reason, text } = by(unknown).unwrap_err();
            assert_eq!(reason, Reason::UNKNOWN_CHANNEL_NAME, "{unknown}");
            assert!(text.contains(unknown) && text.contains("define it with CHLTYPE(SVRCONN)"), "{text}");
        }
        for (other, kind) in [("TO.QM2", "SDR"), ("FROM.QM2", "RCVR")] {
            let Refused { reason, text } = by(other).unwrap_err();
            assert_eq!(reason, Reason::CHANNEL_CONFIG_ERROR, "{other}");
            assert!(text.contains(other) && text.contains(&format!("CHLTYPE({kind})")), "{text}");
        }
    }
}

#[test]
fn a_login_by_another_channel_than_the_handshake_named_is_refused() {
    let server = Server::new();
    let tls = "SSLCIPH(ANY_TLS13) SSLCAUTH(OPTIONAL)";
    defined(
        &server,
        &[
            &format!("DEFINE CHANNEL(APP) CHLTYPE(SVRCONN) {tls}"),
            &format!("DEFINE CHANNEL(PAY) CHLTYPE(SVRCONN) {tls}"),
        ],
    );
    for (named, asked, is_let_in) in
        [("APP", "APP", true), ("APP", "PAY", false), ("ABSENT", "PAY", false), ("", "PAY", true)]
    {
        let encryption = Encryption::Covered {
            suite: 0x1302,
            certificate: None,
            shown: Arc::default(),
            channel: named.into(),
        };
        let answer = by_channel(&mut server.covered(encryption), asked);
        assert_eq!(answer.is_ok(), is_let_in, "{named:?} {asked:?}: {answer:?}");
        if let Err(Refused { reason, text }) = answer {
            assert_eq!(reason, Reason::SSL_INITIALIZATION_ERROR);
            assert!(text.contains(named) && text.contains(asked), "{text}");
        }
    }
}

#[test]
fn a_connection_shows_the_channel_it_came_by() {
    let server = Server::new();
    defined(&server, &["DEFINE CHANNEL(APP) CHLTYPE(SVRCONN)"]);
    let mut local = server.stranger();
    local.log_in_as(&Hello { channel: "APP".into(), application: "local.named".into(), ..hello() });
    local.begin(1, [0; 16]);
    let mut clients = Vec::new();
    for (name, application) in [("", "net.default"), ("APP", "net.named")] {
        let mut client = server.stranger_as(None);
        client.log_in_as(&Hello { channel: name.into(), application: application.into(), ..hello() });
        client.begin(1, [0; 16]);
        clients.push(client);
    }
    let mut administrator = server.client();
    for (application, expected) in [
        ("net.default", "SYSTEM.DEF.SVRCONN"),
        ("net.named", "APP"),
        ("local.named", "APP"),
        ("loopback", ""),
    ] {
        for command in [
            "DISPLAY CONN(*) WHERE(APPLTAG EQ '{}') CHANNEL",
            "DISPLAY CONN(*) TYPE(ALL) WHERE(APPLTAG EQ '{}') ALL",
        ] {
            let response = administrator.command(&command.replace("{}", application));
            let row = &response.rows[0];
            let shown =
                row.iter().find(|(attribute, _)| attribute == "CHANNEL").map(|(_, value)| value.trim());
            assert_eq!(shown, Some(expected), "{application}: {}", response.text);
        }
    }
    let named = administrator.command("DISPLAY CONN(*) WHERE(CHANNEL EQ APP)");
    assert_eq!(named.rows.len(), 2, "{}", named.text);
}

#[test]
fn conversations_are_shared_as_the_named_channel_says() {
    let server = Server::new();
    defined(
        &server,
        &[
            "DEFINE CHANNEL(TWO) CHLTYPE(SVRCONN) SHARECNV(2)",
            "DEFINE CHANNEL(ALONE) CHLTYPE(SVRCONN) SHARECNV(0)",
            "ALTER CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(SVRCONN) SHARECNV(5)",
        ],
    );
    for (name, shared) in
        [("TWO", 2), ("ALONE", 1), ("", 5), ("SYSTEM.DEF.SVRCONN", 5), ("SYSTEM.AUTO.SVRCONN", 10)]
    {
        let welcome = by_channel(&mut server.stranger_as(None), name).unwrap();
        assert_eq!(welcome.limits.conversations_max, shared, "{name:?}");
    }
    assert_eq!(by_channel(&mut server.stranger(), "").unwrap().limits.conversations_max, 5);
}

#[test]
fn without_the_default_channel_programs_of_the_machine_come_in_and_others_name_one() {
    let server = Server::new();
    defined(&server, &["DEFINE CHANNEL(APP) CHLTYPE(SVRCONN)", "DELETE CHANNEL(SYSTEM.DEF.SVRCONN)"]);
    let refused = by_channel(&mut server.stranger_as(None), "").unwrap_err();
    assert_eq!(refused.reason, Reason::UNKNOWN_CHANNEL_NAME);
    assert!(refused.text.contains("SYSTEM.DEF.SVRCONN"), "{}", refused.text);
    assert!(by_channel(&mut server.stranger_as(None), "APP").is_ok());
    assert_eq!(by_channel(&mut server.stranger(), "").unwrap().limits.conversations_max, 1);
}

#[test]
fn an_instance_of_another_user_or_channel_is_refused_in_words_and_ends_nothing() {
    let server = Server::new();
    defined(&server, &["DEFINE CHANNEL(APP) CHLTYPE(SVRCONN)"]);
    let instance = [9; 16];
    let mut owner = begun(&server, "APP", "ada", instance, 1);
    let handle = owner.open("A", OpenOptions::OUTPUT);
    for (name, user) in
        [("APP", "eve"), ("", "ada"), ("SYSTEM.DEF.SVRCONN", "ada"), ("APP", ""), ("APP", "ADA")]
    {
        let mut other = entered(&server, name, user);
        let mut begin = Vec::new();
        let (number, request) = (channel::Conversation(1), channel::RequestNumber(1));
        Request::Begin { instance, generation: 2, options: 0 }.encode(
            &mut begin,
            number,
            request,
            channel::Flags::NONE,
        );
        let close = other.receive(&begin).expect_err("the connection of another ends");
        let mut output = Output::default();
        other.agent.farewell(&close, &mut output);
        let Refused { reason, text } = refusal(&drained(&mut output));
        assert_eq!(reason, Reason::NOT_AUTHORIZED, "{name:?} {user:?}");
        assert!(text.contains("conversation 1") && text.contains("an instance of its own"), "{text}");
        assert!(!text.contains("ada") && !text.contains("APP"), "the owner is not named: {text}");
        owner.put(handle, Persistence::Persistent, "mine");
    }
    // The kernel's word for a user is another than a program's.
    let mut local = server.stranger_as(Some(LocalUser { name: "ada".into(), is_owner: false }));
    local.log_in_as(&Hello { channel: "APP".into(), ..hello() });
    let mut begin = Vec::new();
    Request::Begin { instance, generation: 2, options: 0 }.encode(
        &mut begin,
        channel::Conversation(1),
        channel::RequestNumber(1),
        channel::Flags::NONE,
    );
    local.receive(&begin).expect_err("another identity of the same name is refused");
    owner.put(handle, Persistence::Persistent, "mine");
    // Its owner, by the same channel, is let in and ends what was left.
    let mut returned = begun(&server, "APP", "ada", instance, 2);
    let handle = returned.open("A", OpenOptions::INPUT_SHARED);
    for _ in 0..6 {
        assert_eq!(returned.get(handle, GetFlags::NO_SYNCPOINT).as_deref(), Ok("mine"));
    }
}
