//! `cargo xtask interop jms`: programs of JMS and Jakarta Messaging by Qpid JMS, unchanged.
//!
//! Lives here: the parts of a run and the libraries of each. Lives elsewhere: getting and running
//! programs in Java (`java`).

mod failover;
pub(super) mod java;

use anyhow::{Context, Result};
use std::path::Path;
use std::process::{Command, Stdio};

use super::parts::{InteropPart, run_parts};
use super::served::Served;
use super::table::{Table, Verdict, prepare};
use java::{Artifact, JAKARTA, Java, NO_LOG, add_output, add_tests};

/// Qpid JMS for `javax.jms`.
const JAVAX: Artifact = ("org.apache.qpid", "qpid-jms-client", "1.16.0");

const PARTS: [(&str, InteropPart); 5] = [
    ("joram", joram),
    ("jakarta", jakarta),
    ("mqi", beside_mqi),
    ("failover", failover::run),
    ("spring", spring),
];

/// Runs all parts, or one.
pub(super) fn run(place: &Path, served: &Served, part: Option<&str>, table: &mut Table) -> Result<()> {
    run_parts(&PARTS, place, served, part, table)
}

/// Tests of JMS 1.1 that several providers share.
fn joram(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    const TESTS: usize = 196;
    let artifacts = [
        JAVAX,
        ("org.fusesource.joram-jms-tests", "joram-jms-tests", "1.0"),
        ("junit", "junit", "4.13.2"),
        NO_LOG,
    ];
    let sources = [
        ("FerryAdmin.java", include_str!("FerryAdmin.java")),
        ("Joram.java", include_str!("Joram.java")),
        ("provider.properties", "jms.provider.admin.class=FerryAdmin\n"),
    ];
    match Java::prepare(folder, &artifacts, &sources)? {
        Ok(java) => {
            let command = java.command(served, "Joram", &served.amqp_uri());
            java.tests(("joram", command), TESTS, table)
        }
        Err(why) => {
            table.add("joram", Verdict::NotInstalled(why));
            Ok(())
        }
    }
}

/// Our tests of Jakarta Messaging 3.1, by sections of the specification.
fn jakarta(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    const TESTS: usize = 217;
    const QUEUES: usize = 500;
    let sources = [
        ("Suite.java", include_str!("Suite.java")),
        ("Messages.java", include_str!("Messages.java")),
        ("Domains.java", include_str!("Domains.java")),
        ("Connecting.java", include_str!("Connecting.java")),
        ("Sending.java", include_str!("Sending.java")),
        ("Receiving.java", include_str!("Receiving.java")),
    ];
    match Java::prepare(folder, &[JAKARTA, NO_LOG], &sources)? {
        Ok(java) => {
            let mut commands: String = (1..=QUEUES)
                .map(|number| format!("DEFINE QLOCAL(JAKARTA.{number}) MAXDEPTH(20000)\n"))
                .collect();
            commands.push_str(
                "DEFINE QLOCAL(JAKARTA.SMALL) MAXMSGL(1000)\nDEFINE QLOCAL(JAKARTA.FULL) MAXDEPTH(1)\n\
                 DEFINE QLOCAL(JAKARTA.NOPUT) PUT(DISABLED)\n",
            );
            served.define(&commands)?;
            java.tests(("jakarta", java.command(served, "Suite", &served.amqp_uri())), TESTS, table)
        }
        Err(why) => {
            table.add("jakarta", Verdict::NotInstalled(why));
            Ok(())
        }
    }
}

/// A program of the message queue interface beside one of JMS, both ways.
fn beside_mqi(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    let sources = [("Checks.java", include_str!("Checks.java")), ("Pair.java", include_str!("Pair.java"))];
    let java = match Java::prepare(folder, &[JAKARTA, NO_LOG], &sources)? {
        Ok(java) => java,
        Err(why) => {
            table.add("mqi", Verdict::NotInstalled(why));
            return Ok(());
        }
    };
    std::fs::write(folder.join("pair.c"), include_str!("pair.c"))?;
    std::fs::write(folder.join("calls.h"), include_str!("../../../../examples/c/calls.h"))?;
    let mut compile = Command::new("cc");
    compile.arg("-I").arg(served.prefix.join("inc")).arg("-L").arg(served.prefix.join("lib64"));
    compile.args(["pair.c", "-lmqm_r", "-o", "pair"]).current_dir(folder);
    prepare(&mut compile).map_err(|why| anyhow::anyhow!("pair.c: {why}"))?;
    served.define("DEFINE QLOCAL(PAIR.TO.JMS)\nDEFINE QLOCAL(PAIR.TO.MQI)\nDEFINE QLOCAL(PAIR.REPLIES)\n")?;
    let program = folder.join("pair");
    let mut put = served.command(&program, false);
    prepare(put.arg("put")).map_err(|why| anyhow::anyhow!("pair put: {why}"))?;
    let mut jms = java.command(served, "Pair", &served.amqp_uri());
    let jms = jms.stdout(Stdio::piped()).spawn().context("java cannot be started")?;
    let mut get = served.command(&program, false);
    get.arg("get");
    add_tests(("", get), 6, table)?;
    add_output("", &jms.wait_with_output()?, 8, table);
    Ok(())
}

/// The example for Spring Boot.
fn spring(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    const STARTER: Artifact = ("org.springframework.boot", "spring-boot-starter-jms", "4.0.7");
    let source = include_str!("../../../../examples/spring/Orders.java");
    match Java::prepare(folder, &[JAKARTA, STARTER], &[("Orders.java", source)])? {
        Ok(java) => {
            let command = java.command(served, "orders.Orders", &served.amqp_uri());
            add_tests(("jms", command), 1, table)
        }
        Err(why) => {
            table.add("spring", Verdict::NotInstalled(why));
            Ok(())
        }
    }
}
