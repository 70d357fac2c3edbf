//! Two queue managers with a channel between them, in two processes, of which one or the other is killed
//! while messages go over.

use std::time::{Duration, Instant};

use platform::simulated::Random;

use crate::support::{Ferry, Server};

/// Messages that go over: so many that some wait at every kill.
const MESSAGES: usize = 6_000;
const KILLS: usize = 6;

/// The messages take seconds; a run that takes longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(240);

/// A queue manager in a directory of its own.
struct Node {
    ferry: Ferry,
    name: &'static str,
    server: Option<Server>,
    port: u16,
}

impl Node {
    fn new(name: &'static str) -> Self {
        let ferry = Ferry::new();
        ferry.ok(&["qmgr", "create", name, "--port", "0"]);
        let server = ferry.start(&["qmgr", "start", name]);
        let port = server.port();
        Self { ferry, name, server: Some(server), port }
    }

    fn command(&self, text: &str) -> String {
        self.ferry.ok(&["mqsc", "-e", text])
    }

    fn depth(&self, queue: &str) -> usize {
        let told = self.command(&format!("DISPLAY QLOCAL({queue}) CURDEPTH"));
        let depth = told.split("CURDEPTH(").nth(1).and_then(|rest| rest.split(')').next());
        depth.and_then(|depth| depth.parse().ok()).unwrap_or_else(|| panic!("{told}"))
    }

    /// Kills it as nothing else does, and starts it again at its address.
    fn kill_and_restart(&mut self) {
        self.server.take().expect("it runs").kill();
        let port = self.port.to_string();
        self.server = Some(self.ferry.start(&["qmgr", "start", self.name, "--port", &port]));
    }
}

#[test]
fn nothing_is_lost_doubled_or_out_of_order_when_either_end_of_a_channel_is_killed() {
    let (mut one, mut two) = (Node::new("ONE"), Node::new("TWO"));
    two.command("DEFINE QLOCAL(IN) MAXDEPTH(999999999)");
    two.command("DEFINE CHANNEL(ONE.TWO) CHLTYPE(RCVR)");
    one.command("DEFINE QLOCAL(TWO) USAGE(XMITQ) MAXDEPTH(999999999)");
    one.command("DEFINE QREMOTE(THERE) RNAME(IN) RQMNAME(TWO)");
    let definition = format!(
        "DEFINE CHANNEL(ONE.TWO) CHLTYPE(SDR) CONNAME('localhost({})') XMITQ(TWO) BATCHSZ(10) SHORTTMR(1)",
        two.port
    );
    one.command(&definition);
    let lines: String = (0..MESSAGES).map(|number| format!("message {number}\n")).collect();
    let put = one.ferry.with_input(&["put", "THERE", "-P"], lines.as_bytes());
    assert_eq!(put.code, 0, "{}{}", put.stdout, put.stderr);
    assert_eq!(one.depth("TWO"), MESSAGES);
    one.command("ALTER QLOCAL(TWO) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)");
    let mut random = Random::new(9);
    let (mut within, begun) = (0, Instant::now());
    for number in 0..KILLS {
        std::thread::sleep(Duration::from_millis(random.between(20, 250)));
        if number % 2 == 0 {
            two.kill_and_restart();
        } else {
            one.kill_and_restart();
        }
        let arrived = two.depth("IN");
        within += usize::from(arrived > 0 && arrived < MESSAGES);
        // What happens next is to be seen in the middle of messages that go over.
        while two.depth("IN") == arrived && arrived < MESSAGES {
            assert!(begun.elapsed() < PATIENCE, "{}", one.command("DISPLAY CHSTATUS(ONE.TWO) ALL"));
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    while two.depth("IN") < MESSAGES || one.depth("TWO") > 0 {
        assert!(begun.elapsed() < PATIENCE, "{}", one.command("DISPLAY CHSTATUS(ONE.TWO) ALL"));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(within >= 2, "{within} of {KILLS} kills fell among messages that went over");
    let got = two.ferry.ok(&["get", "IN", "--all"]);
    assert_eq!(got, lines, "each once, in order");
    assert_eq!(one.depth("TWO"), 0);
}
