//! Starts and ends under familiar names: for programs of the machine alone, and options that are not done.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::familiar::Prefix;
use crate::support::free_port;

/// Longest wait for what is on its way, on a machine that does other things as well.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_start_without_services_listens_on_nothing_and_starts_no_channel_until_it_is_told_to() {
    let prefix = Prefix::new();
    let (own, listener, partner) = (free_port(), free_port(), free_port());
    assert_eq!(prefix.run("crtmqm", &["-p", &own.to_string(), "QM1"]).code, 0);
    assert_eq!(prefix.run("strmqm", &["QM1"]).code, 0);
    let run = |script: &str| prefix.with_input("runmqsc", &["-e", "QM1"], script);
    // A partner that is not there: its channel tries again and again.
    let defined = run(&format!(
        "DEFINE LISTENER(NEAR) TRPTYPE(TCP) IPADDR('127.0.0.1') PORT({listener}) CONTROL(QMGR)\n\
         DEFINE QLOCAL(FAR) USAGE(XMITQ) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ) DEFPSIST(YES)\n\
         DEFINE CHANNEL(TO.FAR) CHLTYPE(SDR) CONNAME('127.0.0.1({partner})') XMITQ(FAR)\n\
         DEFINE QREMOTE(OUT) RNAME(IN) RQMNAME(FAR) XMITQ(FAR) DEFPSIST(YES)\n"
    ));
    assert_eq!(defined.code, 0, "{}", defined.stdout);
    assert_eq!(prefix.with_input("amqsput", &["OUT", "QM1"], "on its way\n\n").code, 0);
    assert_eq!(prefix.run("endmqm", &["-i", "QM1"]).code, 0);

    let answers = |port: u16| TcpStream::connect(("127.0.0.1", port)).is_ok();
    let channel = || run("DISPLAY CHSTATUS(TO.FAR)\n").stdout;
    let started = prefix.run("strmqm", &["-ns", "-d", "minimal", "-z", "QM1"]);
    assert_eq!(started.code, 0, "{}{}", started.stdout, started.stderr);
    let status = run("DISPLAY QMSTATUS CHINIT\n").stdout;
    assert!(status.contains("CHINIT(STOPPED)"), "{status}");
    let until = Instant::now() + Duration::from_secs(1);
    while Instant::now() < until {
        assert!(!answers(own) && !answers(listener), "it listens");
        let status = channel();
        assert!(!status.contains("CHANNEL(TO.FAR)"), "its channel was started: {status}");
    }
    assert_eq!(run("START LISTENER(NEAR)\nSTART CHINIT\n").code, 0);
    assert!(answers(listener));
    let until = Instant::now() + PATIENCE;
    while !channel().contains("CHANNEL(TO.FAR)") {
        assert!(Instant::now() < until, "its channel never starts");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(prefix.run("endmqm", &["-i", "QM1"]).code, 0);
    // The next start is as its definitions say.
    assert_eq!(prefix.run("strmqm", &["QM1"]).code, 0);
    assert!(answers(own) && answers(listener));
}

#[test]
fn options_of_starts_and_ends_that_are_not_done_are_refused_with_the_reason() {
    let prefix = Prefix::running();
    for (tool, option, words) in [
        ("strmqm", "-x", "standby"),
        ("strmqm", "-a", "guide to backups"),
        ("strmqm", "-r", "guide to backups"),
        ("strmqm", "-c", "guide to scripts"),
        ("strmqm", "-f", "guide to backups"),
        ("strmqm", "-eCMDLEVEL=945", "command level"),
        ("strmqm", "-dloud", "none, minimal and all"),
        ("endmqm", "-s", "standby"),
        ("endmqm", "-x", "standby"),
        ("endmqm", "-r", "reconnects"),
    ] {
        let told = prefix.run(tool, &[option, "QM1"]);
        assert_eq!(told.code, 39, "{tool} {option}: {}", told.stderr);
        assert!(told.stderr.contains(words), "{tool} {option}: {}", told.stderr);
    }
    assert!(prefix.run("dspmq", &[]).stdout.contains("STATUS(Running)"), "nothing ended it");
    assert_eq!(prefix.run("endmqm", &["-z", "-i", "QM1"]).code, 0);
    assert_eq!(prefix.run("dltmqm", &["-z", "QM1"]).code, 0);
}
