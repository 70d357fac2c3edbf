//! Clients of a bench by JMS: Qpid JMS as published, driven by a program of ours in processes of Java.
//!
//! Lives here: the interface that clients use, the libraries and the program in Java, and its command. Lives
//! elsewhere: the words between the bench and a process (`told`), its publishers (`publishing`) and its
//! requesters (`requests`).
//!
//! Always: libraries are taken at the versions of `perf/jms/pom.xml`, unchanged; without Java nothing is run,
//! and that is said.

pub(crate) mod publishing;
mod requests;

use std::fmt;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context as _, Error, Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use crate::access::Access;

pub use requests::Requests;

const POM: &str = include_str!("../../../../perf/jms/pom.xml");
const PROGRAM: &str = include_str!("../../../../perf/jms/JmsLoad.java");

/// The goal of Maven that copies libraries to a folder.
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:2.8:copy-dependencies";

/// Longest time before measuring in which the compilers of Java come to rest.
const WARM_UP_MAX: Duration = Duration::from_secs(10);

/// Times of measuring that this takes, where it is short.
const WARM_UP_TIMES: u32 = 5;

/// Memory for the messages of a process of clients.
const MEMORY: &str = "-Xmx1g";

/// The interface that clients use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Api {
    /// That of the client library.
    #[default]
    Native,
    /// JMS, by AMQP 1.0.
    Jms,
}

impl Api {
    /// Returns the time before measuring, by what was asked for and the time that is measured.
    #[must_use]
    pub fn warm_up(self, asked: Duration, measure: Duration) -> Duration {
        match self {
            Self::Native => asked,
            Self::Jms => asked.max(WARM_UP_MAX.min(measure * WARM_UP_TIMES)),
        }
    }
}

/// In a sentence: nothing for the usual one.
impl fmt::Display for Api {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Native => "",
            Self::Jms => " by JMS",
        })
    }
}

/// Returns the address at which a queue manager speaks AMQP.
///
/// # Errors
/// When it is not reached by TCP.
pub(crate) fn address(access: &dyn Access) -> Result<String> {
    let way = access.way().filter(|way| !way.address().contains('/'));
    let way = way.context("clients of JMS come by TCP: use --transport tcp")?;
    Ok(way.address().to_owned())
}

/// The program in Java, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Java {
    folder: PathBuf,
}

impl Java {
    /// Returns it; libraries and program are got once, and kept for later runs.
    ///
    /// # Errors
    /// When there is no Java, or a library cannot be had.
    pub(crate) fn prepared() -> Result<&'static Self> {
        static PREPARED: OnceLock<Result<Java, String>> = OnceLock::new();
        let prepared = PREPARED.get_or_init(|| Self::prepare().map_err(|error| format!("{error:#}")));
        prepared.as_ref().map_err(|why| anyhow!("clients of JMS cannot be run: {why}"))
    }

    fn prepare() -> Result<Self> {
        for program in ["java", "javac", "mvn"] {
            let found = Command::new(program).arg("-version").output();
            found.map_err(|error| anyhow!("{program} cannot be run: {error}"))?;
        }
        let folder = Self::folder()?;
        if folder.is_dir() {
            return Ok(Self { folder });
        }
        // Whole under its name, or not there: another bench may prepare it at the same time.
        let made = folder.with_extension(std::process::id().to_string());
        let compiled = Self::compile(&made);
        let placed = compiled.and_then(|()| match fs::rename(&made, &folder) {
            Err(error) if !folder.is_dir() => Err(Error::from(error)),
            _ => Ok(()),
        });
        if made.is_dir() {
            fs::remove_dir_all(&made)?;
        }
        placed.map(|()| Self { folder })
    }

    /// The folder of this version of the program.
    fn folder() -> Result<PathBuf> {
        let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
        let cache = cache.context("neither XDG_CACHE_HOME nor HOME says where libraries can be kept")?;
        let mut hasher = DefaultHasher::new();
        (POM, PROGRAM).hash(&mut hasher);
        Ok(cache.join("ferry-bench").join(format!("jms-{:016x}", hasher.finish())))
    }

    fn compile(folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        fs::write(folder.join("pom.xml"), POM)?;
        fs::write(folder.join("JmsLoad.java"), PROGRAM)?;
        let mut copy = Command::new("mvn");
        run(copy.args(["-q", "-B", COPY, "-DoutputDirectory=jars"]).current_dir(folder))?;
        let mut compile = Command::new("javac");
        run(compile.args(["-d", "classes", "-cp", "jars/*", "JmsLoad.java"]).current_dir(folder))
    }

    /// The command of a process of clients with this order.
    pub(crate) fn command(&self, address: &str, order: &[String]) -> Command {
        let mut command = Command::new("java");
        command.args([MEMORY, "-cp", "classes:jars/*", "JmsLoad"]).args(order);
        command.arg(format!("uri=amqp://{address}?amqp.saslMechanisms=ANONYMOUS"));
        command.arg(format!("run={}", std::process::id())).current_dir(&self.folder);
        command
    }
}

/// Runs a program to its end; the error has what it said last.
fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_owned();
    let output = command.stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot run {}", program.display()))?;
    if !output.status.success() {
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        bail!("{} ended with {}: {last}", program.display(), output.status);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_of_jms_warm_up_for_longer_but_not_without_end() {
        let second = Duration::from_secs(1);
        assert_eq!(Api::Native.warm_up(second, second * 5), second);
        assert_eq!(Api::Jms.warm_up(second, second), second * 5);
        assert_eq!(Api::Jms.warm_up(second, second * 60), second * 10);
        assert_eq!(Api::Jms.warm_up(second * 30, second), second * 30);
    }

    #[test]
    fn a_program_that_fails_says_why() {
        let failed = run(Command::new("sh").args(["-c", "echo no library; exit 3"])).expect_err("it failed");
        assert!(failed.to_string().ends_with("no library"), "{failed}");
        assert!(run(&mut Command::new("/nowhere/mvn")).is_err());
        run(&mut Command::new("true")).expect("it succeeds");
    }
}
