//! Belongings of this program that would outlive it: files below temporary directories, and groups of
//! processes. A second Ctrl-C ends the program at once, and takes all of them along.
//!
//! Always: a belonging is known here from the moment it is there until it is gone, and once the end has begun
//! nothing is made any more.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::progress::say;

static ALL: Mutex<All> = Mutex::new(All { places: BTreeSet::new(), groups: BTreeSet::new() });

/// All of it.
struct All {
    places: BTreeSet<PathBuf>,
    /// By the process that leads each.
    groups: BTreeSet<u32>,
}

fn all() -> MutexGuard<'static, All> {
    // The list is whole even if a thread panicked meanwhile.
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file or a directory with all that is below it; it goes when this is dropped.
#[derive(Debug)]
pub struct Place(PathBuf);

impl Place {
    /// Makes a directory.
    ///
    /// # Errors
    /// When it cannot be made or is there.
    pub fn directory(path: PathBuf) -> io::Result<Self> {
        let mut all = all();
        fs::create_dir(&path)?;
        all.places.insert(path.clone());
        Ok(Self(path))
    }

    /// Writes a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn file(path: PathBuf, text: &str) -> io::Result<Self> {
        let mut all = all();
        fs::write(&path, text)?;
        all.places.insert(path.clone());
        Ok(Self(path))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Removes it, and says when it cannot be.
    ///
    /// # Errors
    /// When something of it is still there.
    pub fn remove(self) -> io::Result<()> {
        remove(&self.0)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // It may be gone already; what cannot be removed is in the directory for temporary files.
        let _ = remove(&self.0);
        all().places.remove(&self.0);
    }
}

fn remove(path: &Path) -> io::Result<()> {
    if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

/// A process and what it starts; all of it is killed when this is dropped.
#[derive(Debug)]
pub struct Group {
    /// The leader of the group.
    pub leader: Child,
}

impl Group {
    /// Starts one. Ctrl-C does not reach it: that is for this program, which may still need it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let mut all = all();
        let leader = command.process_group(0).spawn()?;
        all.groups.insert(leader.id());
        Ok(Self { leader })
    }

    /// Runs one to its end; how it ended, and what it said on standard error.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn run(command: &mut Command) -> io::Result<(ExitStatus, String)> {
        let mut group = Self::start(command.stderr(Stdio::piped()))?;
        let mut said = Vec::new();
        if let Some(mut stderr) = group.leader.stderr.take() {
            stderr.read_to_end(&mut said)?;
        }
        let status = group.leader.wait()?;
        // Nothing of it is left to be killed: its number may be another's soon.
        all().groups.remove(&group.leader.id());
        Ok((status, String::from_utf8_lossy(&said).into_owned()))
    }

    /// Waits at most so long for the end of its leader; how that ended, if it did.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn wait_within(&mut self, time: Duration) -> io::Result<Option<ExitStatus>> {
        let until = Instant::now() + time;
        loop {
            // Nobody may kill by its number once that is free for another.
            let mut all = all();
            if let Some(status) = self.leader.try_wait()? {
                all.groups.remove(&self.leader.id());
                return Ok(Some(status));
            }
            drop(all);
            if Instant::now() >= until {
                return Ok(None);
            }
            thread::sleep(INTERVAL);
        }
    }

    /// Kills it, as a power cut would end it, and waits until it is dead.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn kill(&mut self) -> io::Result<()> {
        if all().groups.remove(&self.leader.id()) {
            // They may have ended by themselves.
            kill(self.leader.id());
        }
        self.leader.wait().map(drop)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Nothing of it is kept, so it need not end in order.
        let _ = self.kill();
    }
}

fn kill(leader: u32) {
    if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Longest time to remove files that a process still writes while it is being killed.
const PATIENCE: Duration = Duration::from_secs(5);

/// Interval between attempts.
const INTERVAL: Duration = Duration::from_millis(20);

/// Ends this program at once, with all that it has made, and this exit code.
pub fn end(code: i32) -> ! {
    // Held to the end: what threads that are still at work would make, or drop, they do not.
    let all = all();
    all.groups.iter().for_each(|leader| kill(*leader));
    let until = Instant::now() + PATIENCE;
    for place in &all.places {
        while remove(place).is_err_and(|error| error.kind() != io::ErrorKind::NotFound) {
            if Instant::now() > until {
                say(&format!("{} is still there and must be removed by hand", place.display()));
                break;
            }
            thread::sleep(INTERVAL);
        }
    }
    std::process::exit(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_is_known_until_it_is_gone() {
        let path = std::env::temp_dir().join(format!("ferry-belongings-test-{}", std::process::id()));
        let place = Place::directory(path.clone()).expect("a directory");
        Place::directory(path.clone()).expect_err("it is there");
        fs::write(path.join("a file"), "of it").expect("it can be written");
        let group = Group::start(Command::new("sleep").arg("600")).expect("a process");
        let leader = group.leader.id();
        let known = || {
            let all = all();
            (all.places.contains(&path), all.groups.contains(&leader))
        };
        assert_eq!(known(), (true, true));
        drop(group);
        drop(place);
        assert_eq!(known(), (false, false));
        assert!(!path.exists());
    }
}
