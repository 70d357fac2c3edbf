//! `ferry route` over queue managers in processes of their own.

use serde_json::Value;

use crate::support::{Ferry, Server};

/// A, B and C: messages go from A over B to C, and back the same way.
fn chain() -> (Ferry, Vec<Server>) {
    let ferry = Ferry::new();
    let servers: Vec<Server> = ["A", "B", "C"]
        .iter()
        .map(|name| {
            ferry.ok(&["qmgr", "create", name, "--port", "0"]);
            ferry.start(&["qmgr", "start", name])
        })
        .collect();
    let ports: Vec<u16> = servers.iter().map(Server::port).collect();
    let mqsc = |name: &str, commands: &[String]| {
        let mut arguments = vec!["mqsc", name];
        commands.iter().for_each(|command| arguments.extend(["-e", command]));
        ferry.ok(&arguments);
    };
    let link = |from: &str, to: &str, port: u16| {
        let own = [
            format!("DEFINE QLOCAL({to}) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)"),
            format!("DEFINE CHANNEL({from}.{to}) CHLTYPE(SDR) CONNAME('localhost({port})') XMITQ({to})"),
        ];
        mqsc(from, &own);
        mqsc(to, &[format!("DEFINE CHANNEL({from}.{to}) CHLTYPE(RCVR)")]);
    };
    link("A", "B", ports[1]);
    link("B", "C", ports[2]);
    link("B", "A", ports[0]);
    link("C", "B", ports[1]);
    mqsc(
        "A",
        &[
            "DEFINE QREMOTE(FAR) RNAME(IN) RQMNAME(C) XMITQ(B)".into(),
            "DEFINE QREMOTE(C) RQMNAME(C) XMITQ(B)".into(),
        ],
    );
    mqsc(
        "C",
        &[
            "DEFINE QLOCAL(REAL)".into(),
            "DEFINE QALIAS(IN) TARGET(REAL)".into(),
            "DEFINE QREMOTE(A) RQMNAME(A) XMITQ(B)".into(),
        ],
    );
    (ferry, servers)
}

#[test]
fn the_way_over_two_queue_managers_is_told_by_each_of_them() {
    let (ferry, mut servers) = chain();
    let told = ferry.ok(&["route", "FAR", "--qmgr", "A", "--wait", "20s", "-o", "json"]);
    let hops: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let at: Vec<&str> = hops.iter().map(|hop| hop["at"].as_str().unwrap()).collect();
    assert_eq!(at, ["A", "B", "C"], "{told}");
    let names = |hop: &Value| -> Vec<String> {
        let steps = hop["steps"].as_array().unwrap();
        steps.iter().filter_map(|step| step["name"].as_str()).map(str::to_owned).collect()
    };
    assert_eq!(names(&hops[0]), ["FAR", "B", "A.B"]);
    assert_eq!(names(&hops[1]), ["C", "B.C"]);
    assert_eq!(names(&hops[2]), ["IN", "REAL", "REAL"]);
    let last = hops[2]["steps"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["kind"], &last["ends"]), (&"END".into(), &"LOCAL".into()), "{told}");
    let shown = ferry.ok(&["route", "FAR", "--qmgr", "A", "--wait", "20s"]);
    for part in ["at A: queue FAR", "at B: queue IN of C", "at C: queue IN of C", "channel A.B SDR RUNNING"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    // One queue manager alone is asked for its part.
    let local = ferry.ok(&["route", "FAR", "--qmgr", "A", "--local"]);
    assert!(local.contains("at A") && !local.contains("at B"), "{local}");
    // A partner that does not answer is named, and the part that is known is shown.
    ferry.ok(&["channel", "stop", "B.C", "--qmgr", "B"]);
    let shown = ferry.ok(&["route", "FAR", "--qmgr", "A", "--wait", "2s"]);
    assert!(shown.contains("channel B.C SDR STOPPED") && shown.contains("a command stopped it"), "{shown}");
    assert!(shown.contains("not followed: C did not answer within 2000 ms"), "{shown}");
    let dead = ferry.run(&["route", "NOPE", "--qmgr", "A"]);
    assert!(dead.code != 0 && dead.stdout.contains("nothing here has the name NOPE"), "{}", dead.stdout);
    let wrong = ferry.run(&["route", "two words", "--qmgr", "A"]);
    assert!(wrong.code != 0 && wrong.stderr.contains("is no name of a queue"), "{}", wrong.stderr);
    servers.clear();
}
