//! `ferry route` over queue managers in processes of their own.

use serde_json::Value;

use crate::familiar::Prefix;
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

#[test]
fn a_trace_route_message_tells_the_activities_of_each_channel_on_its_way() {
    let (ferry, mut servers) = chain();
    let told = ferry.ok(&["trace", "FAR", "--qmgr", "A", "--wait", "40s", "-o", "json"]);
    let lines: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (counted, activities) = lines.split_last().unwrap();
    assert_eq!((&counted["recorded"], &counted["feedback"]), (&5.into(), &284.into()), "{told}");
    let steps: Vec<(String, String)> = activities
        .iter()
        .flat_map(|activity| activity["operations"].as_array().unwrap().clone())
        .map(|one| {
            let text = |name: &str| one[name].as_str().unwrap_or_default().to_owned();
            (text("operation"), text("queue_manager"))
        })
        .collect();
    let expected = [
        ("Put", "A"),
        ("Get", "A"),
        ("Send", "A"),
        ("Receive", "B"),
        ("Put", "B"),
        ("Get", "B"),
        ("Send", "B"),
        ("Receive", "C"),
        ("Discard", "C"),
    ];
    assert_eq!(steps, expected.map(|(operation, at)| (operation.to_owned(), at.to_owned())));
    let shown = ferry.ok(&["trace", "FAR", "--qmgr", "A", "--wait", "40s", "--deliver", "--reports"]);
    assert!(shown.contains("it was put on its target queue") && shown.contains("channel B.C"), "{shown}");
    assert!(ferry.ok(&["get", "REAL", "--qmgr", "C", "--wait", "5s"]).len() > 100, "it was delivered");
    // The way is shut: what is known is shown, and the command fails.
    ferry.ok(&["channel", "stop", "B.C", "--qmgr", "B"]);
    let stuck = ferry.run(&["trace", "FAR", "--qmgr", "A", "--wait", "2s"]);
    assert!(
        stuck.code != 0 && stuck.stderr.contains("no answer came from the end of the way"),
        "{}",
        stuck.stderr
    );
    for (arguments, words) in [
        (&["trace", "two words", "--qmgr", "A"][..], "is no name of a queue"),
        (&["trace", "NOPE", "--qmgr", "A"], "cannot open queue NOPE"),
        (&["trace", "FAR", "a b", "--qmgr", "A"], "is no name of a queue manager"),
        (&["trace", "FAR", "--detail", "full", "--qmgr", "A"], "full"),
    ] {
        let refused = ferry.run(arguments);
        assert!(refused.code != 0 && refused.stderr.contains(words), "{arguments:?}: {}", refused.stderr);
    }
    servers.clear();
}

#[test]
fn dspmqrte_sends_reads_again_and_refuses_what_it_does_not_know() {
    let prefix = Prefix::running();
    let ferry = |commands: &str| {
        let told = prefix.with_input("runmqsc", &["QM1"], commands);
        assert_eq!(told.code, 0, "{}{}", told.stdout, told.stderr);
    };
    ferry("DEFINE QLOCAL(Q)\nDEFINE QLOCAL(ANSWERS)\n");
    let told = prefix.run("dspmqrte", &["-q", "Q", "-ac", "-ar", "-v", "all", "-w", "10"]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    assert!(
        told.stdout.contains("dspmqrte: ") && told.stdout.contains("Put ") && told.stdout.contains("queue Q"),
        "{}",
        told.stdout
    );
    assert!(told.stdout.contains("Activities: 1 recorded, 0 not. Feedback: 284."), "{}", told.stdout);
    let told = prefix.run("dspmqrte", &["-q", "Q", "-ac", "-ar", "-d", "yes", "-v", "outline"]);
    assert!(
        told.stdout.contains("dspmqrte: Put\n") && told.stdout.contains("Feedback: 0."),
        "{}",
        told.stdout
    );
    let told = prefix.run("dspmqrte", &["-q", "Q", "-ac", "-ar"]);
    assert!(told.stdout.starts_with("The message was at queue manager QM1.\n"), "{}", told.stdout);
    // One that is sent without a look, and looked at later: once by browsing, once for good.
    let sent = prefix.run("dspmqrte", &["-q", "Q", "-ac", "-ar", "-n", "-rq", "ANSWERS"]);
    assert_eq!((sent.code, sent.stdout.trim().len()), (0, 48), "{}{}", sent.stdout, sent.stderr);
    for browses in [true, false] {
        let mut arguments = vec!["-q", "ANSWERS", "-i", sent.stdout.trim(), "-w", "1", "-v", "outline"];
        arguments.extend(browses.then_some("-b"));
        let told = prefix.run("dspmqrte", &arguments);
        assert!(told.code == 0 && told.stdout.contains("dspmqrte: Put\n"), "{}{}", told.stdout, told.stderr);
    }
    let none = prefix.run("dspmqrte", &["-q", "ANSWERS", "-i", sent.stdout.trim(), "-w", "0"]);
    assert!(none.stderr.contains("no activity was told"), "{}", none.stderr);
    for arguments in
        [&["-q", "Q", "-d", "maybe"][..], &["-q"], &["-ts", "a/b"], &["-q", "Q", "-i", ""], &["Q"]]
    {
        assert_eq!(prefix.run("dspmqrte", arguments).code, 10, "{arguments:?}");
    }
    let unknown = prefix.run("dspmqrte", &["-q", "NOPE"]);
    assert!(unknown.code == 20 && unknown.stderr.contains("NOPE"), "{}", unknown.stderr);
    prefix.run("endmqm", &["-i", "QM1"]);
}
