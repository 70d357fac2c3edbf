//! The open binding for Go, as a module, and the samples it ships.
//!
//! Always: the module's compiled part is built with our headers: their folder comes before those that the
//! module names.

use super::samples::{self, ECHOED, HOST, NO_KEYS, Sample, TRIGGER, WITH_TOKEN};
use super::served::Served;
use super::table::{Table, Verdict, emptied, prepare};
use super::tokens;
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

const MODULE: &str = "github.com/ibm-messaging/mq-golang/v5";
const VERSION: &str = "v5.7.2";

const QUEUE: &[&str] = &["DEV.QUEUE.1", "QM1"];
const TOPIC: &[&str] = &["DEV.BASE.TOPIC", "QM1"];
const BACKED_OUT: &[&str] = &["INTEROP.BACKED.OUT", "QM1"];

/// Objects that the samples need besides the queues for development; `{echo}` is the program that is to be
/// started.
const OBJECTS: &str = "DEFINE QLOCAL(INTEROP.RETRIED)
DEFINE QLOCAL(INTEROP.BACKED.OUT) BOQNAME(INTEROP.RETRIED) BOTHRESH(1)
DEFINE QLOCAL(INTEROP.ECHOED)
DEFINE QLOCAL(INTEROP.INIT)
DEFINE PROCESS(INTEROP.ECHO) APPLICID('{echo}')
DEFINE QLOCAL(INTEROP.TRIGGERED) TRIGGER TRIGTYPE(EVERY) INITQ(INTEROP.INIT) PROCESS(INTEROP.ECHO)
";

/// In this order: some get what others have put.
const SAMPLES: [Sample; 21] = [
    Sample::new("amqsput", QUEUE, "Put message"),
    Sample::new("amqsgbr", QUEUE, "Got message of length"),
    Sample::new("amqsget", QUEUE, "Got message of length"),
    Sample::new("amqsprop", QUEUE, "All properties read"),
    Sample::new("amqsinq", QUEUE, "MQCA_NAMELIST_NAME"),
    Sample::new("amqsset", &["DEV.QUEUE.3", "QM1"], "successfully changed"),
    Sample::new("amqspcf", QUEUE, "MQCA_Q_NAME"),
    Sample::new("amqsput", BACKED_OUT, "Put message"),
    Sample::new("amqsbo", BACKED_OUT, "About to move poison message"),
    Sample::new("amqsput", QUEUE, "Put message"),
    Sample::new("amqscb", QUEUE, "In callback - Got message"),
    Sample::new("amqsdlh", &["DEV.DEAD.LETTER.QUEUE", "QM1"], "Got message of total length"),
    Sample::new("amqsput", &[ECHOED, "QM1"], "Put message"),
    Sample::new("amqsech", &[TRIGGER], "ECH: Got message"),
    Sample::new("amqstrg", &["INTEROP.INIT", "QM1"], "ECH: Got message")
        .fed_by("amqsput", &["INTEROP.TRIGGERED", "QM1"]),
    Sample::new("amqsconn", &["QM1", "SYSTEM.DEF.SVRCONN", HOST], "succeeded"),
    Sample::new("amqspub", TOPIC, "Published message"),
    Sample::new("amqssub", TOPIC, "Got message").fed_by("amqspub", TOPIC),
    Sample::new("mqitest", QUEUE, "Got message of length"),
    Sample::new("amqsconntls", &["QM1", "SYSTEM.DEF.SVRCONN", HOST], "succeeded").without(NO_KEYS),
    Sample::new("amqsjwt", WITH_TOKEN, "MQCONN to QM QM1 succeeded").showing(tokens::SHOWN),
];

/// Builds the samples, and runs them on this machine and over the network.
pub(super) fn run(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    emptied(folder)?;
    std::fs::write(folder.join("go.mod"), format!("module interop\ngo 1.20\nrequire {MODULE} {VERSION}\n"))?;
    let programs = match build(folder, &served.prefix) {
        Ok(programs) => programs,
        Err(why) => {
            table.add("go", Verdict::NotInstalled(why));
            return Ok(());
        }
    };
    served.define(&OBJECTS.replace("{echo}", &programs.join("amqsech").display().to_string()))?;
    samples::run("go", &SAMPLES, served, folder, table, |name, over_the_network| {
        served.command(&programs.join(name), over_the_network)
    })
}

/// Takes the module from its registry and builds its samples; where they are.
fn build(folder: &Path, prefix: &Path) -> Result<PathBuf, String> {
    let go = || {
        let mut command = Command::new("go");
        command.current_dir(folder).env("GOFLAGS", "-mod=mod").env("CGO_ENABLED", "1");
        command.env("CGO_CFLAGS", format!("-I{}", prefix.join("inc").display()));
        command.env("CGO_LDFLAGS", format!("-L{}", prefix.join("lib64").display()));
        command
    };
    prepare(go().args(["mod", "download", MODULE]))?;
    let listed =
        go().args(["list", "-m", "-f", "{{.Dir}}", MODULE]).output().map_err(|error| error.to_string())?;
    let module = PathBuf::from(String::from_utf8_lossy(&listed.stdout).trim());
    let programs = folder.join("bin");
    for sample in SAMPLES {
        let source = module.join("samples").join(sample.name).with_extension("go");
        let source = match source.is_file() {
            true => source,
            // One has a folder of its own.
            false => module.join("samples").join(sample.name).join(sample.name).with_extension("go"),
        };
        let program = programs.join(sample.name);
        if !program.is_file() {
            prepare(go().args(["build", "-buildvcs=false", "-o"]).arg(&program).arg(&source))?;
        }
    }
    Ok(programs)
}
