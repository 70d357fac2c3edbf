//! `cargo xtask interop jms-xa`: the package `ferry-jms-xa` with a transaction manager and a database that
//! others make: Narayana, pooled-jms and PostgreSQL, unchanged.
//!
//! Lives here: the package built and its tests, the program of the guide, transfers between a row and a
//! queue, and the process of a transfer killed between any two calls of its resources. Lives elsewhere: the
//! database (`postgres`), getting and running programs in Java (`jms::java`).
//!
//! Always: what one killed process leaves is recovered by the next; the sum of rows and messages stays.

mod postgres;

use anyhow::{Context, Result, bail};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::jms::java::{Artifact, JAKARTA, Java, NO_LOG, add_output};
use super::parts::{InteropPart, run_parts};
use super::served::Served;
use super::table::{Table, Verdict, emptied, tail};
use postgres::Postgres;

/// The transaction manager.
const NARAYANA: Artifact = ("org.jboss.narayana.jta", "narayana-jta", "7.2.2.Final");

/// The logger that it does not bring along.
const LOGGER: Artifact = ("org.jboss.logging", "jboss-logging", "3.6.1.Final");

/// The pool that enlists sessions.
const POOL: Artifact = ("org.messaginghub", "pooled-jms", "3.2.5");

/// The driver of the database.
const DRIVER: Artifact = ("org.postgresql", "postgresql", "42.7.14");

/// The guide with the command that builds the package.
const GUIDE: &str = include_str!("../../../../docs/guides/xa.md");

/// The jar that the command makes.
const JAR: &str = "target/ferry-jms-xa-0.1.0.jar";

/// Transfers that are not disturbed, and the threads that make them.
const TRANSFERS: u32 = 400;
const THREADS: u32 = 4;

const PARTS: [(&str, InteropPart); 4] =
    [("package", package), ("guide", guide), ("transfers", transfers), ("killed", killed)];

/// Runs all parts, or one.
pub(super) fn run(place: &Path, served: &Served, part: Option<&str>, table: &mut Table) -> Result<()> {
    served.define("DEFINE QLOCAL(MONEY)\n")?;
    run_parts(&PARTS, place, served, part, table)
}

/// Builds the package by the command of the guide, with its tests.
fn package(folder: &Path, _: &Served, table: &mut Table) -> Result<()> {
    match built(folder)? {
        Ok((_, tests)) => table.add("package: its own tests", Verdict::Passed(tests)),
        Err(why) => table.add("package", Verdict::Failed(why)),
    }
    Ok(())
}

/// The jar of the package, built from a copy, and the number of tests that passed.
fn built(folder: &Path) -> Result<Result<(PathBuf, usize), String>> {
    let place = folder.with_extension("package");
    emptied(&place)?;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../java/ferry-jms-xa");
    for part in ["pom.xml", "src"] {
        let mut copy = Command::new("cp");
        let copied = copy.arg("-R").arg(source.join(part)).arg(&place).status().context("cp")?;
        anyhow::ensure!(copied.success(), "{} cannot be copied", source.join(part).display());
    }
    let command = command_of(GUIDE)?;
    let mut build = Command::new("sh");
    let output = build.args(["-c", command]).current_dir(&place).output().context("mvn")?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let jar = place.join(JAR);
    if !output.status.success() || !jar.exists() {
        return Ok(Err(format!("`{command}`: {}", tail(&output))));
    }
    match tests_told(&said) {
        Some(tests) => Ok(Ok((jar, tests))),
        None => Ok(Err("it told of no tests".to_owned())),
    }
}

/// The command that the guide builds the package with.
fn command_of(guide: &str) -> Result<&str> {
    let command = guide.lines().find(|line| line.starts_with("mvn "));
    command.context("the guide has no command of Maven")
}

/// The tests that a run of Maven tells of in the end, if none of them failed.
fn tests_told(said: &str) -> Option<usize> {
    let line = said.lines().rfind(|line| line.contains("Tests run: "))?;
    let (_, rest) = line.split_once("Tests run: ")?;
    let (tests, rest) = rest.split_once(',')?;
    let is_good = rest.trim_start().starts_with("Failures: 0, Errors: 0");
    tests.parse().ok().filter(|tests| is_good && *tests > 0)
}

/// The programs, compiled with the package, and a database; the reason where they cannot be had.
struct Ready {
    java: Java,
    database: Postgres,
    store: PathBuf,
}

impl Ready {
    fn make(folder: &Path, sources: &[(&str, &str)]) -> Result<Result<Self, String>> {
        let jar = match built(folder)? {
            Ok((jar, _)) => jar,
            Err(why) => return Ok(Err(why)),
        };
        let libraries = [JAKARTA, NARAYANA, LOGGER, POOL, DRIVER, NO_LOG];
        let java = match Java::prepare_with(folder, &libraries, &[jar], sources)? {
            Ok(java) => java,
            Err(why) => return Ok(Err(why)),
        };
        let database = match Postgres::start()? {
            Ok(database) => database,
            Err(why) => return Ok(Err(why)),
        };
        let store = folder.join("store");
        emptied(&store)?;
        Ok(Ok(Self { java, database, store }))
    }

    /// The program of transfers with these arguments.
    fn transfers(&self, served: &Served, arguments: &[&str]) -> Command {
        let settings = [
            format!("-Dferry.database={}", self.database.url()),
            format!("-Dferry.store={}", self.store.display()),
        ];
        let mut command = self.java.command_with(served, &settings, "Transfers", &served.amqp_uri());
        command.args(arguments).stderr(Stdio::null());
        command
    }

    /// Runs the program of transfers to its end; the lines that it said.
    fn run(&self, served: &Served, arguments: &[&str]) -> Result<Vec<String>> {
        let mut command = self.transfers(served, arguments);
        let output = command.stderr(Stdio::piped()).output().context("java cannot be started")?;
        if !output.status.success() {
            bail!("Transfers {}: {}", arguments.join(" "), tail(&output));
        }
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
    }
}

const SOURCES: [(&str, &str); 1] = [("Transfers.java", include_str!("Transfers.java"))];

/// The program of the guide.
fn guide(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    let transfer = ("Transfer.java", include_str!("../../../../examples/jms-xa/Transfer.java"));
    let ready = match Ready::make(folder, &[transfer, SOURCES[0]])? {
        Ok(ready) => ready,
        Err(why) => {
            table.add("guide", Verdict::NotInstalled(why));
            return Ok(());
        }
    };
    let before = sum(&ready.run(served, &["begin"])?)?;
    let mut program = ready.java.command(served, "Transfer", &served.amqp_uri());
    program.args([served.amqp_uri(), ready.database.url()]);
    add_output("", &program.output().context("java cannot be started")?, 1, table);
    let after = sum(&ready.run(served, &["check"])?)?;
    let is_moved = after.all == before.all && after.messages == before.messages + 1;
    table.add(
        "guide: one amount is on its way",
        judged(is_moved, 1, || format!("{before:?}, then {after:?}")),
    );
    served.define("CLEAR QLOCAL(MONEY)\n")
}

/// Transfers that are not disturbed, by several threads.
fn transfers(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    let ready = match Ready::make(folder, &SOURCES)? {
        Ok(ready) => ready,
        Err(why) => {
            table.add("transfers", Verdict::NotInstalled(why));
            return Ok(());
        }
    };
    let before = sum(&ready.run(served, &["begin"])?)?;
    let said = ready.run(served, &["run", &TRANSFERS.to_string(), &THREADS.to_string()])?;
    let after = sum(&said)?;
    let [rate, microseconds, failed] = numbers(&said, "RATE")?;
    println!(
        "{TRANSFERS} transfers by {THREADS} threads: {rate} a second, {microseconds} µs each, {failed} failed; \
         {before:?}, then {after:?}"
    );
    let is_good = failed == 0 && after.all == before.all;
    table.add("transfers", judged(is_good, TRANSFERS as usize, || format!("{failed} failed, {after:?}")));
    served.define("CLEAR QLOCAL(MONEY)\n")
}

/// A transfer whose process is killed before and after each call of its resources, each time another
/// process, in both directions and both orders of the resources.
fn killed(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    let ready = match Ready::make(folder, &SOURCES)? {
        Ok(ready) => ready,
        Err(why) => {
            table.add("killed", Verdict::NotInstalled(why));
            return Ok(());
        }
    };
    let expected = sum(&ready.run(served, &["begin"])?)?.all;
    let (mut kills, mut found, mut wrong) = (0, [0_u64; 2], Vec::new());
    for order in ["row-first", "queue-first"] {
        for direction in ["to-queue", "to-row"] {
            for step in 1.. {
                let name = format!("{order} {direction} {step}");
                let (said, is_done) = step_of(&ready, served, &[&step.to_string(), order, direction])?;
                let [rows, branches, left @ ..]: [String; 5] = words(&said, "FOUND")?;
                note_found(&mut found, [&rows, &branches])?;
                let all = sum(&said)?.all;
                if all != expected || left != ["LEFT", "0", "0"] {
                    wrong.push(format!("before {name}: sum {all} of {expected}, {left:?}"));
                }
                if is_done {
                    break;
                }
                kills += 1;
            }
        }
    }
    let said = ready.run(served, &["check"])?;
    let after = sum(&said)?;
    if after.all != expected {
        wrong.push(format!("in the end: {after:?} of {expected}"));
    }
    println!(
        "{kills} processes killed; found in doubt by the next: {} in the database, {} in the queue manager; {after:?} \
         of {expected}",
        found[0], found[1]
    );
    // A run that never finds anything in doubt has killed nothing where it matters.
    let is_good = wrong.is_empty() && found.iter().all(|found| *found > 0);
    table.add("killed", judged(is_good, kills, || format!("found {found:?}; {}", wrong.join("\n    "))));
    served.define("CLEAR QLOCAL(MONEY)\n")
}

fn note_found(found: &mut [u64; 2], told: [&str; 2]) -> Result<()> {
    for (found, told) in found.iter_mut().zip(told) {
        *found += told.parse::<u64>().with_context(|| told.to_owned())?;
    }
    Ok(())
}

/// Runs one transfer up to a call, and kills its process there; what it said, and whether it came to its
/// end.
fn step_of(ready: &Ready, served: &Served, arguments: &[&str; 3]) -> Result<(Vec<String>, bool)> {
    let mut command = ready.transfers(served, &[&["step"], &arguments[..]].concat());
    let mut program = command.stdout(Stdio::piped()).spawn().context("java cannot be started")?;
    let mut said = BufReader::new(program.stdout.take().context("its output cannot be read")?);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if said.read_line(&mut line)? == 0 {
            let status = program.wait()?;
            bail!("{} ended by itself, {status}: {lines:?}", arguments.join(" "));
        }
        let line = line.trim().to_owned();
        let is_done = line.starts_with("DONE ");
        if is_done || line.starts_with("AT ") {
            program.kill()?;
            program.wait()?;
            said.read_to_string(&mut String::new())?;
            lines.push(line);
            return Ok((lines, is_done));
        }
        lines.push(line);
    }
}

fn judged(is_good: bool, cases: usize, why: impl FnOnce() -> String) -> Verdict {
    if is_good { Verdict::Passed(cases) } else { Verdict::Failed(why()) }
}

/// The money that is there.
#[derive(Debug, PartialEq)]
struct Sum {
    all: u64,
    rows: u64,
    messages: u64,
}

/// The last sum that a program told.
fn sum(said: &[String]) -> Result<Sum> {
    let [all, rows, messages] = numbers(said, "SUM")?;
    Ok(Sum { all, rows, messages })
}

fn numbers<const N: usize>(said: &[String], first: &str) -> Result<[u64; N]> {
    let words: [String; N] = words(said, first)?;
    let mut numbers = [0; N];
    for (number, word) in numbers.iter_mut().zip(&words) {
        *number = word.parse().with_context(|| format!("{first}: {word}"))?;
    }
    Ok(numbers)
}

/// The words behind the first in the last line that begins with it.
fn words<const N: usize>(said: &[String], first: &str) -> Result<[String; N]> {
    let line = said.iter().rfind(|line| line.split(' ').next() == Some(first));
    let line = line.with_context(|| format!("the program told no {first}: {said:?}"))?;
    let words: Vec<String> = line.split(' ').skip(1).map(str::to_owned).collect();
    words.try_into().map_err(|_| anyhow::anyhow!("{line:?} has other words than expected"))
}

#[cfg(test)]
mod tests {
    use super::{GUIDE, Sum, command_of, sum, tests_told, words};

    #[test]
    fn the_guide_builds_the_package_by_maven() {
        assert!(command_of(GUIDE).unwrap().contains("package"));
        assert!(command_of("no command").is_err());
    }

    #[test]
    fn tests_of_maven_count_when_none_failed() {
        let said = "Tests run: 3, Failures: 0, Errors: 0\n[INFO] Tests run: 17, Failures: 0, Errors: 0, Skipped: 0\n";
        assert_eq!(tests_told(said), Some(17));
        assert_eq!(tests_told("Tests run: 17, Failures: 1, Errors: 0"), None);
        assert_eq!(tests_told("Tests run: 0, Failures: 0, Errors: 0"), None);
        assert_eq!(tests_told("BUILD SUCCESS"), None);
    }

    #[test]
    fn the_last_sum_counts_and_a_line_of_other_words_is_refused() {
        let said = ["SUM 5 4 1", "noise", "SUM 6 4 2"].map(str::to_owned);
        assert_eq!(sum(&said).unwrap(), Sum { all: 6, rows: 4, messages: 2 });
        assert!(sum(&said[1..2]).is_err());
        assert!(words::<2>(&said, "SUM").is_err());
    }
}
