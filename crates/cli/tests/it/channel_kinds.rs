//! The four kinds of channels between queue managers, in each pair that goes together, by processes of
//! their own.

use crate::support::{Ferry, Server};

/// A pair of kinds, and the end at which a command starts it.
struct Pairing {
    sends: &'static str,
    receives: &'static str,
    starts_at: &'static str,
}

const PAIRINGS: [Pairing; 5] = [
    Pairing { sends: "SDR", receives: "RCVR", starts_at: "WEST" },
    Pairing { sends: "SVR", receives: "RCVR", starts_at: "WEST" },
    // A server with CONNAME calls the requester; a requester calls a server, or has a sender call it back.
    Pairing { sends: "SVR", receives: "RQSTR", starts_at: "WEST" },
    Pairing { sends: "SVR", receives: "RQSTR", starts_at: "EAST" },
    Pairing { sends: "SDR", receives: "RQSTR", starts_at: "EAST" },
];

#[test]
fn messages_go_in_order_by_each_pair_of_kinds_whichever_end_calls() {
    let ferry = Ferry::new();
    let mut servers: Vec<Server> = Vec::new();
    for name in ["WEST", "EAST"] {
        ferry.ok(&["qmgr", "create", name, "--port", "0"]);
        servers.push(ferry.start(&["qmgr", "start", name]));
    }
    let [west, east] = [servers[0].port(), servers[1].port()];
    ferry.ok(&["mqsc", "EAST", "-e", "DEFINE QLOCAL(IN)"]);
    for (number, Pairing { sends, receives, starts_at }) in PAIRINGS.iter().enumerate() {
        let channel = format!("{sends}.{receives}.{number}");
        let queue = format!("X{number}");
        let mqsc = |at: &str, command: &str| ferry.ok(&["mqsc", at, "-e", command]);
        mqsc("WEST", &format!("DEFINE QLOCAL({queue}) USAGE(XMITQ)"));
        mqsc("WEST", &format!("DEFINE QREMOTE(R{number}) RNAME(IN) RQMNAME(EAST) XMITQ({queue})"));
        mqsc(
            "WEST",
            &format!(
                "DEFINE CHANNEL({channel}) CHLTYPE({sends}) CONNAME('localhost({east})') XMITQ({queue})"
            ),
        );
        let calls =
            if *receives == "RQSTR" { format!(" CONNAME('localhost({west})')") } else { String::new() };
        mqsc("EAST", &format!("DEFINE CHANNEL({channel}) CHLTYPE({receives}){calls}"));
        let remote = format!("R{number}");
        let put = |numbers: std::ops::Range<u32>| {
            for body in numbers {
                ferry.ok(&["put", "-P", &remote, &body.to_string(), "--qmgr", "WEST"]);
            }
        };
        let arrive = |numbers: std::ops::Range<u32>| {
            for body in numbers {
                let got = ferry.ok(&["get", "IN", "--qmgr", "EAST", "--wait", "40s"]);
                assert_eq!(got, format!("{body}\n"), "{channel}");
            }
        };
        put(0..3);
        ferry.ok(&["channel", "start", &channel, "--qmgr", starts_at]);
        arrive(0..3);
        for at in ["WEST", "EAST"] {
            ferry.ok(&["channel", "wait", &channel, "--qmgr", at, "--for", "40s"]);
            let shown = ferry.ok(&["channel", "show", &channel, "--qmgr", at]);
            let kind = if at == "WEST" { sends } else { receives };
            assert!(shown.contains(&format!("CHLTYPE({kind})")), "{shown}");
        }
        put(3..5);
        arrive(3..5);
        ferry.ok(&["channel", "stop", &channel, "--qmgr", "WEST"]);
        ferry.ok(&["channel", "wait", &channel, "--state", "stopped", "--qmgr", "WEST", "--for", "40s"]);
    }
    // A receiver and a sender alone take no call of their own kind.
    for (sends, receives) in [("SDR", "SDR"), ("SVR", "SDR")] {
        let channel = format!("NO.{sends}.{receives}");
        let remote = format!("CONNAME('localhost({east})') XMITQ(X0)");
        ferry.ok(&["mqsc", "WEST", "-e", &format!("DEFINE CHANNEL({channel}) CHLTYPE({sends}) {remote}")]);
        let own =
            format!("DEFINE CHANNEL({channel}) CHLTYPE({receives}) CONNAME('localhost({west})') XMITQ(X)");
        ferry.ok(&["mqsc", "EAST", "-e", &own]);
        ferry.ok(&["channel", "start", &channel, "--qmgr", "WEST"]);
        ferry.ok(&["channel", "wait", &channel, "--state", "retrying", "--qmgr", "WEST", "--for", "40s"]);
        let shown = ferry.ok(&["channel", "show", &channel, "--qmgr", "WEST"]);
        assert!(shown.contains("does not go with the caller"), "{shown}");
        ferry.ok(&["channel", "stop", &channel, "--qmgr", "WEST"]);
    }
    servers.clear();
}
