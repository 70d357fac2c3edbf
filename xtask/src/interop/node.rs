//! The open binding for Node, from its registry with its install scripts off, and the samples it ships.

use super::{Served, Table, Verdict, emptied, prepare, tail};
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;

/// The package, which has its own compiled part and loads the library by name.
const PACKAGE: &str = "ibmmq@2.1.9";

/// A sample, its arguments, and what it says when it did what it is for.
struct Sample {
    name: &'static str,
    arguments: &'static [&'static str],
    says: &'static str,
}

const fn sample(name: &'static str, arguments: &'static [&'static str], says: &'static str) -> Sample {
    Sample { name, arguments, says }
}

/// The queue that most of them use.
const QUEUE: &[&str] = &["DEV.QUEUE.1", "QM1"];

/// In this order: some get what others have put.
const SAMPLES: [Sample; 11] = [
    sample("amqsput", QUEUE, "MQPUT successful"),
    sample("amqsbra", QUEUE, "No more messages available"),
    sample("amqsget", QUEUE, "message len="),
    sample("amqsprop", QUEUE, "MQPUT successful"),
    sample("amqsput", QUEUE, "MQPUT successful"),
    sample("amqsgeta", QUEUE, "Hello from Node"),
    sample("amqsput", QUEUE, "MQPUT successful"),
    sample("amqsgetac", QUEUE, "Hello from Node"),
    sample("amqsputp", QUEUE, "MQPUT"),
    sample("amqsinq", &["QM1"], "qmgrName = \"QM1\""),
    sample("amqsset", &["DEV.QUEUE.3", "QM1"], "MQSET of queue successful"),
];

/// Those that need what there is not yet, or what no test has.
const NOT_YET: [(&str, &str); 6] = [
    ("amqspub", "topics come with publish/subscribe"),
    ("amqssub", "MQSUB comes with publish/subscribe"),
    ("amqsconntls", "channels have no TLS"),
    ("amqsjwt", "tokens are not checked"),
    ("amqsconn", "it names a host and a password of its own"),
    ("amqsdlh", "it wants messages on a queue of dead letters"),
];

/// Installs it, and runs its samples on this machine and over the network.
pub(super) fn run(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    emptied(folder)?;
    let install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", PACKAGE];
    if let Err(why) = prepare(Command::new("npm").args(install).current_dir(folder)) {
        table.add("node", Verdict::NotInstalled(why));
        return Ok(());
    }
    for (way, over_the_network) in [("local", false), ("client", true)] {
        for sample in &SAMPLES {
            let path = folder.join("node_modules/ibmmq/samples").join(sample.name).with_extension("js");
            let mut command = served.command(Path::new("node"), over_the_network);
            let output = command.arg(&path).args(sample.arguments).current_dir(folder).output();
            let output = output.context("node cannot be started")?;
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            let did = output.status.success() && said.contains(sample.says);
            let verdict = if did { Verdict::Ran } else { Verdict::Failed(tail(&output)) };
            table.add(format!("node {way} {}", sample.name), verdict);
        }
    }
    for (name, why) in NOT_YET {
        table.add(format!("node {name}"), Verdict::NotYet(why));
    }
    Ok(())
}
