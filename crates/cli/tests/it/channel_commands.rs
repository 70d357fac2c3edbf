//! `ferry channel`, between two queue managers in processes of their own.

use serde_json::Value;

use crate::support::{Ferry, Server};

/// Two queue managers with a channel from the first to the second, which nothing starts by itself.
fn pair() -> (Ferry, [Server; 2]) {
    let ferry = Ferry::new();
    let servers = ["WEST", "EAST"].map(|name| {
        ferry.ok(&["qmgr", "create", name, "--port", "0"]);
        ferry.start(&["qmgr", "start", name])
    });
    let to = servers[1].port();
    ferry.ok(&["mqsc", "EAST", "-e", "DEFINE QLOCAL(IN)", "-e", "DEFINE CHANNEL(W.E) CHLTYPE(RCVR)"]);
    let own = format!("DEFINE CHANNEL(W.E) CHLTYPE(SDR) CONNAME('localhost({to})') XMITQ(EAST)");
    let there = "DEFINE QREMOTE(THERE) RNAME(IN) RQMNAME(EAST)";
    ferry.ok(&["mqsc", "WEST", "-e", "DEFINE QLOCAL(EAST) USAGE(XMITQ)", "-e", there, "-e", &own]);
    (ferry, servers)
}

#[test]
fn a_channel_is_seen_and_worked_on_from_the_command_line() {
    let (ferry, servers) = pair();
    let west = |arguments: &[&str]| ferry.run(&[&["channel"], arguments, &["--qmgr", "WEST"]].concat());
    let ok = |arguments: &[&str]| {
        let said = west(arguments);
        assert_eq!(said.code, 0, "{arguments:?}: {}{}", said.stdout, said.stderr);
        said.stdout
    };
    assert!(ok(&["list"]).contains("W.E                   SDR    INACTIVE"), "{}", ok(&["list"]));
    assert!(ok(&["ping", "W.E", "--size", "100"]).contains("FRY8476I"));
    ferry.ok(&["put", "-P", "THERE", "one", "--qmgr", "WEST"]);
    ok(&["start", "W.E"]);
    assert_eq!(ok(&["wait", "W.E"]), "W.E is RUNNING\n");
    assert_eq!(ferry.ok(&["get", "IN", "--qmgr", "EAST", "--wait", "20s"]), "one\n");
    let shown = ok(&["show", "W.E"]);
    for part in ["channel     W.E CHLTYPE(SDR)", "takes from  EAST", "state       RUNNING", "RQMNAME   EAST"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let told: Value = serde_json::from_str(&ok(&["show", "W.E", "-o", "json"])).unwrap();
    assert_eq!((&told["channel"], &told["now"][0]["msgs"]), (&"W.E".into(), &1.into()), "{told}");
    // The other end, which receives.
    let east = ferry.ok(&["channel", "list", "W*", "--qmgr", "EAST"]);
    assert!(east.contains("RCVR") && east.contains("RUNNING") && east.contains("WEST"), "{east}");
    // A command that does not go with the state names the way on.
    let refused = west(&["reset", "W.E"]);
    let stops = "next: ferry -m WEST channel stop W.E ends it first";
    assert!(refused.code == 4 && refused.stderr.contains(stops), "{}", refused.stderr);
    let kept = ok(&["show", "W.E"]);
    assert!(kept.contains("kept in the log for EAST\n  RQMNAME   EAST\n"), "{kept}");
    ok(&["stop", "W.E"]);
    assert_eq!(ok(&["wait", "W.E", "--state", "stopped"]), "W.E is STOPPED\n");
    let next = "next        a command stopped it:\n            ferry -m WEST channel start W.E\n";
    assert!(ok(&["show", "W.E"]).contains(next), "{}", ok(&["show", "W.E"]));
    assert!(ok(&["reset", "W.E"]).contains("FRY8477I"));
    let refused = west(&["resolve", "W.E", "commit"]);
    let said = format!("{}{}", refused.stdout, refused.stderr);
    assert!(said.contains("FRY8474") || said.contains("in doubt"), "{said}");
    ferry.ok(&["put", "-P", "THERE", "two", "--qmgr", "WEST"]);
    ok(&["start", "W.E"]);
    assert_eq!(ferry.ok(&["get", "IN", "--qmgr", "EAST", "--wait", "20s"]), "two\n");
    let told: Value = serde_json::from_str(&ok(&["show", "W.E", "-o", "json"])).unwrap();
    assert_eq!(told["now"][0]["curseqno"], 1, "the second message, and it counts anew: {told}");
    ok(&["stop", "W.E", "--force", "--inactive"]);
    ok(&["wait", "W.E", "--state", "inactive"]);
    // Away, and in words; then back.
    let [_west, east] = servers;
    east.kill();
    ok(&["start", "W.E"]);
    ok(&["wait", "W.E", "--state", "retrying"]);
    let listed = ok(&["list"]);
    assert!(listed.contains("RETRYING") && listed.contains("127.0.0.1"), "{listed}");
    let late = west(&["wait", "W.E", "--for", "300ms"]);
    assert!(late.code == 5 && late.stderr.contains("it is RETRYING"), "{}", late.stderr);
    ok(&["stop", "W.E"]);
    ok(&["forget", "W.E"]);
    let told: Value = serde_json::from_str(&ok(&["show", "W.E", "-o", "json"])).unwrap();
    assert_eq!(told["kept"].as_array().map(Vec::len), Some(0), "{told}");
    for work in ["start", "stop", "reset"] {
        let missing = west(&[work, "NO.SUCH"]);
        assert_eq!(missing.code, 3, "{work}: {}", missing.stderr);
        assert!(missing.stderr.contains("next: ferry -m WEST channel list"), "{work}: {}", missing.stderr);
    }
    let missing = west(&["show", "NO.SUCH"]);
    assert!(missing.code == 3 && missing.stderr.contains("ferry -m WEST channel list"), "{}", missing.stderr);
}
