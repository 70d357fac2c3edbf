//! S6: names of queues by each protocol: what a name is judged by is the same by a client channel, by AMQP
//! and by commands in binary form. The table is that of the engine.

#[path = "../../../queue-manager/tests/it/names/table.rs"]
mod table;

use ::amqp::performative::{Begin, Detach, Open};
use agents::{LocalUser, PeerInfo};
use channel::client::Request;
use mqi::{ObjectDescriptor, OpenOptions, Reason};
use objects::pcf::{self, Header, Message, Parameter};
use objects::{Response, mqsc};
use queue_manager::{Identity, Issuer, Principal};
use table::{Cell, Kind, OWN};

use crate::amqp::Peer;
use crate::loopback::{Client, Server, What};

const USERS: [&str; 2] = ["most", "only"];

fn own(name: &str) -> &str {
    if name == OWN { "QM1" } else { name }
}

fn mqsc(server: &Server, text: &str) {
    for command in &mqsc::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}")) {
        let response = server.driven(server.queue_manager.execute(command));
        assert!(response.is_ok(), "{command}: {response}");
    }
}

fn give(server: &Server, user: &str, (object_type, name): (&str, &str), rights: &str) {
    mqsc(
        server,
        &format!(
            "SET AUTHREC PROFILE('{name}') OBJTYPE({object_type}) PRINCIPAL('{user}') AUTHADD({rights})"
        ),
    );
}

fn take(server: &Server, user: &str, (object_type, name): (&str, &str)) {
    mqsc(
        server,
        &format!("SET AUTHREC PROFILE('{name}') OBJTYPE({object_type}) PRINCIPAL('{user}') AUTHRMV(ALL)"),
    );
}

/// A queue manager whose user `most` has every record of the table, and `only` none.
fn judged() -> Server {
    let server = Server::by_records();
    mqsc(&server, &table::DEFINITIONS.replace(OWN, "QM1"));
    mqsc(&server, "SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)");
    for (object_type, name) in table::records() {
        give(&server, "most", (object_type, own(name)), "ALL");
    }
    server
}

/// Tries each name for output with every record but the one it is judged by, and with that one alone.
fn try_all(server: &Server, opened: &mut dyn FnMut(&Cell, usize) -> bool) {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for cell in table::cells() {
        let judged = (cell.judged.0, own(cell.judged.1));
        take(server, "most", judged);
        let without = opened(&cell, 0);
        give(server, "most", judged, "ALL");
        give(server, "only", judged, cell.kind.to_put());
        if cell.kind == Kind::Topic {
            give(server, "only", ("TOPIC", "TOP"), "PUB");
        }
        // The queue manager's own half of the right to a transmission queue.
        if cell.kind == Kind::Transmission {
            mqsc(server, "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('only') AUTHADD(SETALL)");
        }
        let with = opened(&cell, 1);
        take(server, "only", judged);
        take(server, "only", ("TOPIC", "TOP"));
        if (without, with) != (true, false) {
            wrong.push(format!("{:?} at {:?}: without {without}, with {with}", cell.queue, cell.manager));
        }
        count += 2;
    }
    assert!(wrong.is_empty(), "{} of {count}: {wrong:#?}", wrong.len());
    assert!(count >= 190, "{count} cells");
}

#[test]
fn a_name_is_judged_by_a_client_channel_by_the_object_where_it_goes_on() {
    let server = judged();
    let mut clients: Vec<Client> = USERS
        .iter()
        .map(|user| {
            let mut client = server.stranger_as(Some(LocalUser { name: (*user).into(), is_owner: false }));
            client.log_in();
            client.begin(1, [0; 16]);
            client
        })
        .collect();
    try_all(&server, &mut |cell, at| {
        let object = ObjectDescriptor {
            object_queue_manager_name: own(cell.manager).parse().unwrap(),
            ..ObjectDescriptor::queue(cell.queue.parse().unwrap())
        };
        let opened = clients[at].ask(&Request::Open { object, options: OpenOptions::OUTPUT }).what;
        let is_refused = opened == What::Failed(Reason::NOT_AUTHORIZED);
        // With its rights a name ends as the table says.
        assert!(is_refused || cell.put.is_ok() == matches!(opened, What::Opened(_)), "{cell:?}: {opened:?}");
        if let What::Opened(handle) = opened {
            clients[at].ask(&Request::Close { handle, options: mqi::CloseOptions::EMPTY });
        }
        is_refused
    });
}

#[test]
fn an_address_of_amqp_is_judged_by_the_object_where_it_goes_on() {
    let server = judged();
    let mut peers: Vec<Peer> = USERS
        .iter()
        .map(|user| {
            let user = Some(LocalUser { name: (*user).into(), is_owner: false });
            let mut peer = Peer::from(&server, PeerInfo { user, ..Peer::of_here() });
            peer.send(&::amqp::frame::Protocol::Amqp.header());
            peer.say(Open { container_id: "peer", ..Open::default() });
            peer.say(Begin { incoming_window: 1000, outgoing_window: 1000, ..Begin::default() });
            assert_eq!(peer.names(), ["Open", "Begin"]);
            peer
        })
        .collect();
    try_all(&server, &mut |cell, at| {
        let address = format!("queue://{}/{}", own(cell.manager), cell.queue);
        peers[at].attach_target(1, &address);
        let frames = peers[at].frames();
        let refusal = frames.iter().find(|came| came.name == "Detach").map(|came| came.condition());
        peers[at].say(Detach { handle: 1, closed: true, error: None });
        peers[at].frames();
        refusal.as_deref() == Some("amqp:unauthorized-access")
    });
}

/// The answer to a command in binary form of a user.
fn told(server: &Server, command: i32, parameters: Vec<Parameter>) -> Response {
    let message = Message { header: Header::command(command), parameters };
    let pcf::Request::Command(command) = pcf::request(&message).unwrap() else { panic!("{message:?}") };
    let issuer =
        Issuer { principal: Principal::new("part", Identity::Asserted).unwrap(), ..Issuer::default() };
    server.driven(server.queue_manager.execute_for(&issuer, &command))
}

#[test]
fn a_command_in_binary_form_lends_nothing_that_its_author_does_not_have() {
    use mqi::constants::*;
    let server = Server::by_records();
    mqsc(
        &server,
        "DEFINE QLOCAL(SENT) USAGE(XMITQ)\nDEFINE QLOCAL(PAYROLL)\nDEFINE QALIAS(THEIRS) TARGET(PAYROLL)\n\
         SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('part') AUTHADD(CONNECT,DSP)\n\
         SET AUTHREC PROFILE(@CLASS) OBJTYPE(QUEUE) PRINCIPAL('part') AUTHADD(CRT)\n\
         SET AUTHREC PROFILE(@CLASS) OBJTYPE(CHANNEL) PRINCIPAL('part') AUTHADD(CRT)\n\
         SET AUTHREC PROFILE(THEIRS) OBJTYPE(QUEUE) PRINCIPAL('part') AUTHADD(DSP)\n\
         SET AUTHREC PROFILE('SYSTEM.**') OBJTYPE(QUEUE) PRINCIPAL('part') AUTHADD(DSP)\n\
         SET AUTHREC PROFILE('SYSTEM.**') OBJTYPE(CHANNEL) PRINCIPAL('part') AUTHADD(DSP)",
    );
    let queue = |kind: i32, name: &str| {
        vec![Parameter::text(MQCA_Q_NAME, name), Parameter::integer(MQIA_Q_TYPE, kind)]
    };
    let text = Parameter::text;
    let channel = |more: Vec<Parameter>| {
        let named = [
            text(MQCACH_CHANNEL_NAME, "C"),
            Parameter::integer(MQIACH_CHANNEL_TYPE, MQCHT_SENDER),
            text(MQCACH_CONNECTION_NAME, "partner(1414)"),
        ];
        named.into_iter().chain(more).collect::<Vec<_>>()
    };
    let copied = vec![
        text(MQCACF_FROM_Q_NAME, "THEIRS"),
        text(MQCACF_TO_Q_NAME, "MINE"),
        Parameter::integer(MQIA_Q_TYPE, MQQT_ALIAS),
    ];
    let with = |base: Vec<Parameter>, more: Parameter| [base, vec![more]].concat();
    for (command, parameters, right) in [
        (MQCMD_COPY_Q, copied, ("QUEUE", "PAYROLL", "ALLMQI")),
        (
            MQCMD_CREATE_Q,
            with(queue(MQQT_ALIAS, "ALIAS"), text(MQCA_BASE_OBJECT_NAME, "PAYROLL")),
            ("QUEUE", "PAYROLL", "ALLMQI"),
        ),
        (
            MQCMD_CREATE_Q,
            with(queue(MQQT_LOCAL, "STREAMED"), text(MQCA_STREAM_QUEUE_NAME, "PAYROLL")),
            ("QUEUE", "PAYROLL", "PUT"),
        ),
        (
            MQCMD_CREATE_Q,
            with(queue(MQQT_REMOTE, "FAR"), text(MQCA_REMOTE_Q_MGR_NAME, "PARTNER")),
            ("RQMNAME", "PARTNER", "PUT"),
        ),
        (MQCMD_CREATE_CHANNEL, channel(vec![text(MQCACH_XMIT_Q_NAME, "SENT")]), ("QUEUE", "SENT", "GET")),
    ] {
        let refused = told(&server, command, parameters.clone());
        assert!(refused.to_string().contains("FRY8135E"), "{right:?}: {refused}");
        give(&server, "part", (right.0, right.1), right.2);
        let done = told(&server, command, parameters);
        assert!(done.is_ok(), "{right:?}: {done}");
        take(&server, "part", (right.0, right.1));
    }
}

/// A link that waits with credit, and one that has taken messages before.
#[test]
fn a_link_of_amqp_whose_right_is_taken_away_is_detached_and_leaves_the_messages() {
    for (came_before, lost) in [
        (0, "DELETE AUTHREC PROFILE(WORK) OBJTYPE(QUEUE) PRINCIPAL('ada')"),
        (2, "DELETE AUTHREC PROFILE(WORK) OBJTYPE(QUEUE) PRINCIPAL('ada')"),
        (1, "SET AUTHREC PROFILE(WORK) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHRMV(GET)"),
    ] {
        let server = Server::by_records();
        mqsc(&server, "DEFINE QLOCAL(WORK)\nSET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)");
        give(&server, "ada", ("QUEUE", "WORK"), "GET,BROWSE,INQ");
        give(&server, "putter", ("QUEUE", "WORK"), "PUT");
        let mut putter = server.client_of("putter");
        let to = putter.open("WORK", OpenOptions::OUTPUT);
        let user = Some(LocalUser { name: "ada".into(), is_owner: false });
        let mut peer = Peer::from(&server, PeerInfo { user, ..Peer::of_here() });
        peer.send(&::amqp::frame::Protocol::Amqp.header());
        peer.say(Open { container_id: "peer", ..Open::default() });
        peer.say(Begin { incoming_window: 1000, outgoing_window: 1000, ..Begin::default() });
        peer.attach_source(2, "WORK");
        peer.grant(2, 0, 10, false);
        assert_eq!(peer.names(), ["Open", "Begin", "Attach"], "{lost}");
        for _ in 0..came_before {
            putter.put(to, mqi::Persistence::NotPersistent, "x");
        }
        assert_eq!(peer.names().len(), came_before, "{lost}");
        mqsc(&server, lost);
        let detached: Vec<_> = peer.frames();
        assert_eq!(detached.len(), 1, "{lost}: {detached:?}");
        assert_eq!(detached[0].condition(), "amqp:unauthorized-access", "{lost}");
        putter.put(to, mqi::Persistence::NotPersistent, "kept");
        assert!(peer.frames().is_empty(), "{lost}");
        drop(peer);
        let shown = server
            .driven(server.queue_manager.execute(&mqsc::parse("DISPLAY QLOCAL(WORK) CURDEPTH").unwrap()[0]));
        let kept = format!("CURDEPTH({})", 1 + came_before);
        assert!(shown.to_string().contains(&kept), "{lost}: {shown}");
    }
}
