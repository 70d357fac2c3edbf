//! The open binding for Python, as a wheel from its registry.

use super::served::Served;
use super::table::{Table, Verdict, emptied, prepare, tail};
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;

/// The wheel, which has its own compiled part and loads the library by name.
const PACKAGE: &str = "ibmmq==2.1.2";

/// Our programs for it.
const PROGRAMS: &str = include_str!("programs.py");

/// Installs it, and runs the programs on this machine and over the network.
pub(super) fn run(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    emptied(folder)?;
    let venv = folder.join("venv");
    let python = venv.join("bin/python");
    let installed = prepare(Command::new("python3").args(["-m", "venv"]).arg(&venv)).and_then(|()| {
        let install = ["-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--no-deps", PACKAGE];
        prepare(Command::new(&python).args(install))
    });
    if let Err(why) = installed {
        table.add("python", Verdict::NotInstalled(why));
        return Ok(());
    }
    let programs = folder.join("programs.py");
    std::fs::write(&programs, PROGRAMS)?;
    let host = served.host();
    for (way, arguments) in [
        ("local", &["QM1", "DEV.QUEUE.1"][..]),
        ("client", &["QM1", "DEV.QUEUE.1", "SYSTEM.DEF.SVRCONN", &host]),
    ] {
        let output = served.command(&python, false).arg(&programs).args(arguments).output();
        let output = output.context("python cannot be started")?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines: Vec<(&str, &str)> = said.lines().filter_map(|line| line.split_once(": ")).collect();
        if lines.is_empty() {
            table.add(format!("python {way}"), Verdict::Failed(tail(&output)));
        }
        for (program, told) in lines {
            table.add(format!("python {way} {program}"), verdict(told));
        }
    }
    Ok(())
}

fn verdict(told: &str) -> Verdict {
    match told {
        "ok" => Verdict::Ran,
        told => Verdict::Failed(told.to_owned()),
    }
}
