//! Programs for a machine of another kind, run by an emulator on this one: a message that is put, a kill, a
//! restart, and the message is there.
//!
//! Always: nothing is timed, for the time would be the emulator's.

use super::debs::expect;
use crate::package::facts::{Facts, output};
use crate::package::tree;
use crate::steps::{self, Verdict};
use anyhow::{Context, Result, bail, ensure};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Far longer than a start or an end takes by an emulator, on a machine that does other things as well.
const PATIENCE: Duration = Duration::from_secs(180);

pub(super) fn try_it(out: &Path, facts: &Facts) -> Result<Verdict> {
    let ferry = out.join("prefix/bin/ferry");
    let header = output(Command::new("readelf").args(["--wide", "--file-header"]).arg(&ferry))?;
    ensure!(header.contains(facts.target.machine), "ferry is for another machine: {header}");
    if let Some(runner) = facts.target.runner
        && Command::new(runner).arg("--version").output().is_err()
    {
        steps::say_skipped(&format!("{runner} is not installed (apt-get install qemu-user-static)"));
        return Ok(Verdict::Skipped);
    }
    let place = out.join("emulated");
    tree::empty(&place)?;
    let machine = Machine { facts, ferry, data: place.join("data"), log: place.join("log") };
    output(&mut machine.command(&["qmgr", "create", "QM1", "--port", "0"]))?;
    let first = machine.start()?;
    machine.ask(&["mqsc", "-e", "DEFINE QLOCAL(ORDERS)"])?;
    machine.ask(&["put", "-P", "ORDERS", "kept"])?;
    first.kill()?;
    let second = machine.start()?;
    expect(&machine.ask(&["get", "ORDERS"])?, "kept")?;
    second.end()?;
    fs::remove_dir_all(&place)?;
    println!("a message was put, its queue manager killed and started again, and the message was there");
    Ok(Verdict::Ok)
}

/// The machine of another kind.
struct Machine<'a> {
    facts: &'a Facts,
    ferry: PathBuf,
    data: PathBuf,
    /// Output of its queue manager.
    log: PathBuf,
}

impl Machine<'_> {
    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.facts.command(&self.ferry);
        command.args(words).env("FERRY_DATA", &self.data);
        command
    }

    /// Asks the queue manager by its socket: the emulator tells it another time of its start than others
    /// find in the tables of this machine, so it is not known by its process.
    fn ask(&self, words: &[&str]) -> Result<String> {
        let socket = format!("unix:{}", self.data.join("QM1/socket").display());
        output(self.command(words).args(["--connect", &socket]))
    }

    fn start(&self) -> Result<EmulatedQueueManager<'_>> {
        let log = File::create(&self.log)?;
        let mut command = self.command(&["qmgr", "start", "QM1"]);
        let child = command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn();
        let running =
            EmulatedQueueManager { machine: self, child: child.context("cannot start the queue manager")? };
        let until = Instant::now() + PATIENCE;
        while self.ask(&["check", "ready"]).is_err() {
            ensure!(Instant::now() < until, "it is not ready within {PATIENCE:?}: {}", running.log());
            thread::sleep(Duration::from_millis(200));
        }
        Ok(running)
    }
}

/// A queue manager that runs there.
struct EmulatedQueueManager<'a> {
    machine: &'a Machine<'a>,
    child: Child,
}

impl EmulatedQueueManager<'_> {
    fn log(&self) -> String {
        fs::read_to_string(&self.machine.log).unwrap_or_default()
    }

    fn kill(mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Asks it to end, and waits until it has.
    fn end(mut self) -> Result<()> {
        output(Command::new("kill").args(["-TERM", &self.child.id().to_string()]))?;
        let until = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait()? {
                Some(status) if status.success() => return Ok(()),
                Some(status) => bail!("it ended with {status}: {}", self.log()),
                None => ensure!(Instant::now() < until, "it did not end within {PATIENCE:?}: {}", self.log()),
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for EmulatedQueueManager<'_> {
    fn drop(&mut self) {
        // It has ended, unless a step failed.
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}
