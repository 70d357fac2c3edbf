//! Every scenario, by programs over a channel, against a queue manager in a process of its own that is really killed.

use std::path::Path;

use client::{Address, Connection, Options};
use mqi::verbs::Verbs;
use sim::scenario::{Installation, Programs, read_folder, run};

use crate::support::{Ferry, Server};

/// A queue manager in a process, reached over TCP.
struct Process {
    ferry: Ferry,
    server: Option<Server>,
}

impl Process {
    fn new() -> Self {
        let ferry = Ferry::new();
        let server = Some(ferry.dev());
        Self { ferry, server }
    }

    fn connection(&self, application: &str) -> Connection {
        let port = self.server.as_ref().expect("the queue manager runs between steps").port();
        let address: Address = format!("127.0.0.1:{port}").parse().expect("an address");
        Connection::connect(Options::to(address).application(application)).expect("a connection")
    }
}

impl Installation for Process {
    fn connect(&mut self, client: &str) -> Box<dyn Verbs + Send> {
        Box::new(self.connection(client))
    }

    fn command(&mut self, text: &str) -> (String, bool) {
        let response = self.connection("commands").command(text).expect("an answer");
        (response.text, !response.failed)
    }

    fn restart(&mut self, in_order: bool) {
        let server = self.server.take().expect("the queue manager runs between steps");
        if in_order {
            self.ferry.ok(&["stop", "--immediate"]);
            assert_eq!(server.wait(), 0, "an end in order");
        } else {
            server.kill();
        }
        self.server = Some(self.ferry.dev());
    }
}

#[test]
fn every_scenario_holds_over_a_channel() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let scenarios = read_folder(&folder).expect("the scenarios");
    let failures: Vec<_> = scenarios
        .iter()
        .filter_map(|(file, scenario)| {
            let failure = run(scenario, &mut Programs::on(Process::new())).err()?;
            Some(format!("{file}, {failure}"))
        })
        .collect();
    let count = scenarios.len();
    assert!(failures.is_empty(), "{} of {count} do not hold:\n{}", failures.len(), failures.join("\n"));
    assert!(count >= 54, "only {count} scenarios were found");
}
