//! The open binding for Node, from its registry with its install scripts off, and the samples it ships.

use super::samples::{self, NO_KEYS, Sample, WITH_TOKEN};
use super::served::Served;
use super::table::{Table, Verdict, emptied, prepare};
use super::tokens;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// The package, which has its own compiled part and loads the library by name.
const PACKAGE: &str = "ibmmq@2.1.9";

/// Compiler of the samples that are written in TypeScript.
const COMPILER: &str = "typescript@5.9.3";

const SAMPLES: &str = "node_modules/ibmmq/samples";

const QUEUE: &[&str] = &["DEV.QUEUE.1", "QM1"];
const TOPIC: &[&str] = &["DEV.BASE.TOPIC", "QM1"];

/// The sample names a port of its own, which another program of this machine may have.
const OWN_PORT: &str = "it goes to port 1414, which another program has here";

/// In this order: some get what others have put.
const OF_JAVASCRIPT: [Sample; 17] = [
    Sample::new("amqsput", QUEUE, "MQPUT successful"),
    Sample::new("amqsbra", QUEUE, "No more messages available"),
    Sample::new("amqsget", QUEUE, "message len="),
    Sample::new("amqsprop", QUEUE, "MQPUT successful"),
    Sample::new("amqsput", QUEUE, "MQPUT successful"),
    Sample::new("amqsgeta", QUEUE, "Hello from Node"),
    Sample::new("amqsput", QUEUE, "MQPUT successful"),
    Sample::new("amqsgetac", QUEUE, "Hello from Node"),
    Sample::new("amqsputp", QUEUE, "MQPUT"),
    Sample::new("amqsinq", &["QM1"], "qmgrName = \"QM1\""),
    Sample::new("amqsset", &["DEV.QUEUE.3", "QM1"], "MQSET of queue successful"),
    Sample::new("amqsdlh", QUEUE, "MQPUT successful"),
    Sample::new("amqspub", TOPIC, "MQCLOSE successful"),
    Sample::new("amqssub", TOPIC, "Hello from Node").fed_by("amqspub", TOPIC),
    Sample::new("amqsconn", &["QM1"], "MQDISC successful").without(OWN_PORT),
    Sample::new("amqsconntls", &["QM1"], "MQDISC successful").without(NO_KEYS),
    Sample::new("amqsjwt", WITH_TOKEN, "MQDISC successful").showing(tokens::SHOWN),
];

const OF_TYPESCRIPT: [Sample; 13] = [
    Sample::new("amqsput", QUEUE, "MQPUT successful"),
    Sample::new("amqsbra", QUEUE, "No more messages available"),
    Sample::new("amqsget", QUEUE, "message len="),
    Sample::new("amqsprop", QUEUE, "MQPUT successful"),
    Sample::new("amqsgeta", QUEUE, "No more messages available"),
    Sample::new("amqsputp", QUEUE, "MQPUT"),
    Sample::new("amqsinq", &["QM1"], "qmgrName = \"QM1\""),
    Sample::new("amqsset", &["DEV.QUEUE.3", "QM1"], "MQSET of queue successful"),
    Sample::new("amqsdlh", QUEUE, "MQPUT successful"),
    Sample::new("amqspub", TOPIC, "MQCLOSE successful"),
    Sample::new("amqssub", TOPIC, "Hello from Node").fed_by("amqspub", TOPIC),
    Sample::new("amqsconn", &["QM1"], "MQDISC successful").without(OWN_PORT),
    Sample::new("amqsconntls", &["QM1"], "MQDISC successful").without(NO_KEYS),
];

/// Installs it, and runs its samples on this machine and over the network.
pub(super) fn run(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    emptied(folder)?;
    let install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", PACKAGE, COMPILER];
    if let Err(why) = prepare(Command::new("npm").args(install).current_dir(folder)) {
        table.add("node", Verdict::NotInstalled(why));
        return Ok(());
    }
    let of_node = |samples_folder: &Path| {
        let samples_folder = samples_folder.to_owned();
        move |name: &str, over_the_network: bool| {
            let mut command = served.command(Path::new("node"), over_the_network);
            command.arg(samples_folder.join(name).with_extension("js"));
            command
        }
    };
    samples::run("node", &OF_JAVASCRIPT, served, folder, table, of_node(&folder.join(SAMPLES)))?;
    let compiled = folder.join("compiled");
    if let Err(why) = compile(folder, &compiled) {
        table.add("typescript", Verdict::NotInstalled(why));
        return Ok(());
    }
    samples::run("typescript", &OF_TYPESCRIPT, served, folder, table, of_node(&compiled))
}

/// Makes programs of the samples in TypeScript; types are not checked, which is a matter of the package.
fn compile(folder: &Path, compiled: &Path) -> Result<(), String> {
    let sources = OF_TYPESCRIPT.iter().map(|sample| format!("{SAMPLES}/typescript/{}.ts", sample.name));
    let options =
        ["--noCheck", "--target", "es2022", "--module", "commonjs", "--esModuleInterop", "--outDir"];
    let mut compiler = Command::new("node_modules/.bin/tsc");
    prepare(compiler.args(options).arg(compiled).args(sources).current_dir(folder))
}
