//! `cargo xtask interop amqp`: stock clients of AMQP 1.0 in several languages, unchanged.
//!
//! Lives here: getting each client and our program for it. Lives elsewhere: the results of tests
//! (`jms::java`).
//!
//! Always: each client puts and gets, selects, drains and passes a message of 100 MiB; those that
//! have transactions end them both ways. The queue manager stays within its bound of memory
//! meanwhile.

use anyhow::Result;
use std::path::Path;
use std::process::Command;

use super::jms::java::{Artifact, Java, NO_LOG, add_tests};
use super::parts::{InteropPart, run_parts};
use super::served::Served;
use super::table::{Table, Verdict, emptied, prepare};

/// Published as sources alone, which are compiled while it is installed.
const PYTHON: &str = "python-qpid-proton==0.40.0";
const NODE: &str = "rhea@3.0.5";
const GO: (&str, &str) = ("github.com/Azure/go-amqp", "v1.7.0");
const JAVA: Artifact = ("org.apache.qpid", "protonj2-client", "1.1.0");

const PARTS: [(&str, InteropPart); 4] = [("python", python), ("node", node), ("go", go), ("java", java)];

/// A log that has room for several of the longest messages.
pub(super) const SETTING: (&str, &str) = ("#primary_extents = 4", "primary_extents = 40");

/// Queues for the longest messages.
const OBJECTS: &str = "ALTER QMGR MAXMSGL(104857600)
ALTER CHANNEL(DEV.AMQP) CHLTYPE(AMQP) MAXMSGL(0)
DEFINE QLOCAL(AMQP.PYTHON) MAXMSGL(104857600)
DEFINE QLOCAL(AMQP.NODE) MAXMSGL(104857600)
DEFINE QLOCAL(AMQP.GO) MAXMSGL(104857600)
DEFINE QLOCAL(AMQP.JAVA) MAXMSGL(104857600)
";

/// Most memory that the queue manager may have taken once all have run: four messages of 100 MiB at once, and
/// its budget.
const MEMORY_MIB_MAX: u64 = 1_024;

/// Runs all parts, or one.
pub(super) fn run(place: &Path, served: &Served, part: Option<&str>, table: &mut Table) -> Result<()> {
    served.define(OBJECTS)?;
    run_parts(&PARTS, place, served, part, table)?;
    let memory = served.memory_mib_max()?;
    println!("the queue manager took {memory} MiB at most");
    let verdict = match memory {
        0..=MEMORY_MIB_MAX => Verdict::Ran,
        _ => Verdict::Failed(format!("{memory} MiB were taken, and {MEMORY_MIB_MAX} may be")),
    };
    table.add("memory of the queue manager", verdict);
    Ok(())
}

fn limited(program: &str) -> Command {
    let mut command = Command::new("timeout");
    command.args(["-s", "KILL", "600", program]);
    command
}

fn not_installed(name: &str, why: String, table: &mut Table) -> Result<()> {
    table.add(name, Verdict::NotInstalled(why));
    Ok(())
}

fn python(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    emptied(folder)?;
    let venv = folder.join("venv");
    let python = venv.join("bin/python");
    let installed = prepare(Command::new("python3").args(["-m", "venv"]).arg(&venv)).and_then(|()| {
        let install = ["-m", "pip", "install", "--quiet", PYTHON];
        prepare(Command::new(&python).args(install))
    });
    if let Err(why) = installed {
        return not_installed("python-qpid-proton", why, table);
    }
    let program = folder.join("client.py");
    std::fs::write(&program, include_str!("client.py"))?;
    let mut command = limited(&python.display().to_string());
    command.arg(program).arg(format!("127.0.0.1:{}", served.port));
    add_tests(("amqp", command), 5, table)
}

fn node(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    emptied(folder)?;
    let install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", NODE];
    if let Err(why) = prepare(Command::new("npm").args(install).current_dir(folder)) {
        return not_installed("rhea", why, table);
    }
    std::fs::write(folder.join("client.js"), include_str!("client.js"))?;
    let mut command = limited("node");
    command.args(["client.js", &served.port.to_string()]).current_dir(folder);
    add_tests(("amqp", command), 4, table)
}

fn go(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    emptied(folder)?;
    let (module, version) = GO;
    std::fs::write(folder.join("go.mod"), format!("module interop\ngo 1.23\nrequire {module} {version}\n"))?;
    std::fs::write(folder.join("client.go"), include_str!("client.go"))?;
    let mut build = Command::new("go");
    build.args(["build", "-buildvcs=false", "-o", "client", "."]).env("GOFLAGS", "-mod=mod");
    if let Err(why) = prepare(build.current_dir(folder)) {
        return not_installed("go-amqp", why, table);
    }
    let mut command = limited(&folder.join("client").display().to_string());
    command.arg(format!("127.0.0.1:{}", served.port));
    add_tests(("amqp", command), 4, table)
}

fn java(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    let sources = [("ProtonJ.java", include_str!("ProtonJ.java"))];
    match Java::prepare(folder, &[JAVA, NO_LOG], &sources)? {
        Ok(java) => {
            let mut command = limited("java");
            command.args(["-Xmx1500m", "-cp", "classes:jars/*"]).arg(format!("-Dferry.port={}", served.port));
            command.arg("ProtonJ").current_dir(java.folder());
            add_tests(("amqp", command), 5, table)
        }
        Err(why) => not_installed("ProtonJ2", why, table),
    }
}
