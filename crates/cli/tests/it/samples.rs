//! The programs that scripts put, get, look at and ask with, run as such.

use crate::familiar::{Prefix, Told, told};

/// A prefix with a queue manager QM1 that runs and has the queues ORDERS and SERVICE.
fn running() -> Prefix {
    let prefix = Prefix::running();
    let defined = prefix.with_input("runmqsc", &["QM1"], "DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(SERVICE)\n");
    assert_eq!(defined.code, 0, "{}", defined.stderr);
    prefix
}

#[test]
fn lines_are_put_looked_at_and_got() {
    let prefix = running();
    let put = prefix.with_input("amqsput", &["ORDERS", "QM1"], "first order\nsecond order\n\nnever\n");
    assert_eq!(put.code, 0, "{}", put.stderr);
    assert_eq!(put.stdout, "Sample AMQSPUT0 start\ntarget queue is ORDERS\nSample AMQSPUT0 end\n");

    let browsed = prefix.run("amqsbcg", &["ORDERS", "QM1"]);
    assert_eq!(browsed.code, 0, "{}", browsed.stderr);
    for line in [
        "AMQSBCG0 - starts here",
        "**********************",
        " MQOPEN - 'ORDERS'",
        " MQGET of message number 1, CompCode:0 Reason:0",
        " MQGET of message number 2, CompCode:0 Reason:0",
        "****Message descriptor****",
        "  StrucId  : 'MD  '  Version : 2",
        "  Report   : 0  MsgType : 8",
        "  Format : 'MQSTR   '",
        "  Priority : 0  Persistence : 0",
        "  CorrelId : X'000000000000000000000000000000000000000000000000'",
        "  ReplyToQ       : '                                                '",
        "  PutApplName    : 'amqsput                     '",
        "  MsgSeqNumber   : '1'",
        "  OriginalLength : '-1'",
        "****   Message      ****",
        " length - 11 of 11 bytes",
        "00000000:  6669 7273 7420 6F72 6465 72             'first order     '",
        " length - 12 of 12 bytes",
        "00000000:  7365 636F 6E64 206F 7264 6572           'second order    '",
        " No more messages ",
        " MQCLOSE",
        " MQDISC",
    ] {
        assert!(browsed.stdout.lines().any(|told| told == line), "{line} in {}", browsed.stdout);
    }
    assert!(!browsed.stdout.contains("message number 3"), "{}", browsed.stdout);

    let apart = prefix.run("amqsbcg", &["ORDERS", "QM1", "1"]);
    assert_eq!(apart.code, 0, "{}", apart.stderr);
    assert_eq!(apart.stdout.matches("****Message properties****\n\n\n").count(), 2, "{}", apart.stdout);

    // Both wait for a quarter of a minute behind what they find, so they do it together.
    let got = std::thread::scope(|scope| {
        let got = scope.spawn(|| prefix.run("amqsget", &["ORDERS", "QM1"]));
        let asked = scope.spawn(|| prefix.with_input("amqsreq", &["SERVICE", "QM1"], "one\ntwo\n"));
        let replied = prefix.command("ferry", &["reply", "SERVICE", "--text", "done", "-n", "2"]);
        assert_eq!(told(replied, "").code, 0);
        answers(&asked.join().expect("amqsreq runs"));
        got.join().expect("amqsget runs")
    });
    assert_eq!(got.code, 0, "{}", got.stderr);
    assert_eq!(
        got.stdout,
        "Sample AMQSGET0 start\nmessage <first order>\nmessage <second order>\nno more messages\nSample AMQSGET0 end\n"
    );
}

fn answers(asked: &Told) {
    assert_eq!(asked.code, 0, "{}", asked.stderr);
    let lines: Vec<&str> = asked.stdout.lines().collect();
    let [start, server, replies, rest @ ..] = &lines[..] else {
        panic!("{}", asked.stdout);
    };
    assert_eq!((*start, *server), ("Sample AMQSREQ0 start", "server queue is SERVICE"));
    assert!(replies.starts_with("replies to AMQ."), "{replies}");
    assert_eq!(rest, ["response <done>", "response <done>", "no more replies", "Sample AMQSREQ0 end"]);
}

#[test]
fn a_call_that_is_refused_is_told_by_its_reason() {
    let prefix = running();
    let refused = |tool: &str, arguments: &[&str]| {
        let told = prefix.run(tool, arguments);
        (told.code, told.stdout)
    };
    for (tool, arguments, reason, last_line) in [
        ("amqsput", &["ORDERS", "QM2"][..], "MQCONN ended with reason code 2058", ""),
        ("amqsget", &["ORDERS", "QM2"], "MQCONN ended with reason code 2058", ""),
        (
            "amqsput",
            &["NOWHERE", "QM1"],
            "MQOPEN ended with reason code 2085\nunable to open queue for output",
            "Sample AMQSPUT0 end",
        ),
        (
            "amqsget",
            &["NOWHERE", "QM1"],
            "MQOPEN ended with reason code 2085\nunable to open queue for input",
            "Sample AMQSGET0 end",
        ),
        ("amqsbcg", &["NOWHERE", "QM1"], "MQOPEN ended with reason code 2085", " MQDISC"),
        ("amqspub", &["news", "QM2"], "MQCONN ended with reason code 2058", ""),
        ("amqsreq", &["NOWHERE", "QM1"], "MQOPEN ended with reason code 2085", "Sample AMQSREQ0 end"),
    ] {
        let (code, said) = refused(tool, arguments);
        let expected: i32 = if reason.contains("2058") { 2058 } else { 2085 };
        assert_eq!(code, expected & 0xff, "{tool} {arguments:?}: {said}");
        assert!(said.contains(&format!("{reason}\n")), "{tool} {arguments:?}: {said}");
        assert!(said.ends_with(&format!("{last_line}\n")), "{tool} {arguments:?}: {said}");
    }
    for tool in ["amqsput", "amqsget", "amqsbcg", "amqsreq"] {
        let (code, said) = refused(tool, &[]);
        assert!(code == 99 && said.ends_with("Required parameter missing - queue name\n"), "{tool}: {said}");
    }
    assert_eq!(prefix.run("amqsput", &["ORDERS", "QM1", "many"]).code, 98);
    assert_eq!(prefix.run("amqsbcg", &["ORDERS", "QM1", "7"]).code, 98);
    assert_eq!(prefix.run("endmqm", &["-i", "QM1"]).code, 0);
    let (code, said) = refused("amqsput", &["ORDERS", "QM1"]);
    assert!(code == 2059 & 0xff && said.contains("MQCONN ended with reason code 2059\n"), "{said}");
}

#[test]
fn clients_go_where_mqserver_says() {
    let prefix = Prefix::new();
    let server = prefix.with_users();
    let elsewhere = format!("SYSTEM.DEF.SVRCONN/TCP/127.0.0.1(1),127.0.0.1({})", server.port());
    let run = |server: &str, tool: &str, arguments: &[&str], input: &str| {
        let mut command = prefix.command(tool, arguments);
        command.env("MQSERVER", server).env("MQSAMP_USER_ID", "alice");
        told(command, input)
    };
    let put = run(&elsewhere, "amqsputc", &["DEV.QUEUE.1"], "secret\nby a client\n");
    assert_eq!(put.code, 0, "{}{}", put.stdout, put.stderr);
    assert!(put.stderr.is_empty() && !put.stdout.contains("secret"), "{}{}", put.stdout, put.stderr);
    let wrong = run(&elsewhere, "amqsputc", &["DEV.QUEUE.1"], "wrong\nnever\n");
    assert_eq!(wrong.code, 2035 & 0xff);
    assert!(wrong.stdout.contains("MQCONNX ended with reason code 2035\n"), "{}", wrong.stdout);
    let browsed = run(&elsewhere, "amqsbcgc", &["DEV.QUEUE.1"], "secret\n");
    assert!(browsed.stdout.contains("'by a client     '"), "{}", browsed.stdout);
    let nobody = run("CLIENTS/TCP/127.0.0.1(1)", "amqsputc", &["DEV.QUEUE.1"], "secret\n");
    assert_eq!(nobody.code, 2538 & 0xff);
    assert!(nobody.stdout.contains("MQCONNX ended with reason code 2538\n"), "{}", nobody.stdout);
}

#[test]
fn lines_are_published_to_one_who_subscribes() {
    let prefix = running();
    let heard = std::thread::scope(|scope| {
        let heard = scope.spawn(|| prefix.run("amqssub", &["news/+", "QM1"]));
        let is_there = || {
            prefix
                .with_input("runmqsc", &["QM1"], "DISPLAY TPSTATUS('news/+') SUBCOUNT\n")
                .stdout
                .contains("SUBCOUNT(1)")
        };
        while !heard.is_finished() && !is_there() {}
        let said = prefix.with_input("amqspub", &["news/sport", "QM1"], "first\nsecond\n\n");
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert_eq!(said.stdout, "Sample AMQSPUBA start\ntarget topic is news/sport\nSample AMQSPUBA end\n");
        heard.join().expect("amqssub runs")
    });
    assert_eq!(heard.code, 0, "{}", heard.stderr);
    let waits = "Calling MQGET : 30 seconds wait time\n";
    assert_eq!(
        heard.stdout,
        format!(
            "Sample AMQSSUBA start\n{waits}message <first>\n{waits}message <second>\n{waits}no more messages\nSample AMQSSUBA end\n"
        )
    );
}

#[test]
fn a_put_that_is_refused_is_told_although_the_object_leaves_puts_unanswered() {
    let prefix = running();
    let objects = "
        DEFINE QLOCAL(ONE) MAXDEPTH(1) DEFPRESP(ASYNC)
        DEFINE TOPIC(T) TOPICSTR('full') DEFPRESP(ASYNC) NPMSGDLV(ALL) USEDLQ(NO)
        DEFINE SUB(S) TOPICSTR('full') DEST(ONE)\n";
    let defined = prefix.with_input("runmqsc", &["QM1"], objects);
    assert_eq!(defined.code, 0, "{}{}", defined.stdout, defined.stderr);
    assert_eq!(prefix.with_input("amqsput", &["ONE", "QM1"], "fits\n").code, 0);
    for (tool, object, reason) in
        [("amqsput", "ONE", 2053), ("amqsreq", "ONE", 2053), ("amqspub", "full", 2502)]
    {
        let said = prefix.with_input(tool, &[object, "QM1"], "does not fit\n");
        let line = format!("MQPUT ended with reason code {reason}");
        assert!(said.stdout.contains(&line), "{tool}: {}{}", said.stdout, said.stderr);
        assert_eq!(said.code, reason & 0xff, "{tool}");
    }
}
