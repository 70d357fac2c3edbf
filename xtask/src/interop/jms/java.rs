//! Programs in Java: libraries by name from their registry, our sources compiled with them, and the
//! results of their tests.
//!
//! Always: libraries are taken as published, at versions that are named; a program that says
//! nothing of a test has not run it.

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::interop::served::Served;
use crate::interop::table::{Table, Verdict, emptied, prepare, tail};

/// A library by group, artifact and version.
pub(crate) type Artifact = (&'static str, &'static str, &'static str);

/// Qpid JMS for `jakarta.jms`.
pub(crate) const JAKARTA: Artifact = ("org.apache.qpid", "qpid-jms-client", "2.10.0");

/// A logger that says nothing.
pub(crate) const NO_LOG: Artifact = ("org.slf4j", "slf4j-nop", "2.0.17");

/// The goal that copies the libraries to where a program finds them.
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:2.8:copy-dependencies";

/// The longest that a program may run, in seconds.
const SECONDS_MAX: &str = "900";

/// Programs that were compiled.
pub(crate) struct Java {
    folder: PathBuf,
}

impl Java {
    /// Takes the libraries and compiles the sources; the reason where that is not to be had.
    pub(crate) fn prepare(
        folder: &Path,
        artifacts: &[Artifact],
        sources: &[(&str, &str)],
    ) -> Result<Result<Self, String>> {
        Self::prepare_with(folder, artifacts, &[], sources)
    }

    /// The same, with libraries that are no one's but ours.
    pub(crate) fn prepare_with(
        folder: &Path,
        artifacts: &[Artifact],
        own: &[PathBuf],
        sources: &[(&str, &str)],
    ) -> Result<Result<Self, String>> {
        emptied(folder)?;
        std::fs::write(folder.join("pom.xml"), pom(artifacts))?;
        for (name, text) in sources {
            std::fs::write(folder.join(name), text)?;
        }
        let mut copy = Command::new("mvn");
        copy.args(["-q", "-B", COPY, "-DoutputDirectory=jars"]).current_dir(folder);
        let mut compile = Command::new("javac");
        compile.args(["-Xlint:-options", "-d", "classes", "-cp", "jars/*"]).current_dir(folder);
        compile.args(sources.iter().map(|(name, _)| name).filter(|name| name.ends_with(".java")));
        let prepared = prepare(&mut copy);
        if prepared.is_ok() {
            for library in own {
                let name = library.file_name().context("a library has a name")?;
                std::fs::copy(library, folder.join("jars").join(name))?;
            }
            prepare(&mut compile).map_err(|why| anyhow::anyhow!("{}: {why}", folder.display()))?;
        }
        Ok(prepared.map(|()| Self { folder: folder.to_owned() }))
    }

    /// A program with its properties, for a limited time.
    pub(crate) fn command(&self, served: &Served, class: &str, uri: &str) -> Command {
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", SECONDS_MAX, "java"]);
        self.say(command, served, &[], class, uri)
    }

    /// The same with more properties, and for as long as its caller lets it: it is the process itself.
    pub(crate) fn command_with(
        &self,
        served: &Served,
        properties: &[String],
        class: &str,
        uri: &str,
    ) -> Command {
        self.say(Command::new("java"), served, properties, class, uri)
    }

    fn say(
        &self,
        mut command: Command,
        served: &Served,
        properties: &[String],
        class: &str,
        uri: &str,
    ) -> Command {
        command.args(["-Xmx512m", "-cp", "classes:jars/*:."]).args(properties);
        command.arg(format!("-Dferry.uri={uri}"));
        command.arg(format!("-Dferry.bin={}", served.prefix.join("bin/ferry").display()));
        command.arg(class).env("FERRY_DATA", &served.data).current_dir(&self.folder);
        command
    }

    /// Runs tests, and adds a row for each subject; so many must be told of.
    pub(crate) fn tests(&self, named: (&str, Command), expected: usize, table: &mut Table) -> Result<()> {
        add_tests(named, expected, table)
    }

    /// The folder with the libraries and classes.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Runs a program that tells of its tests, and adds a row for each subject; so many must be told of.
pub(crate) fn add_tests(
    (name, mut command): (&str, Command),
    expected: usize,
    table: &mut Table,
) -> Result<()> {
    let output = command.output().with_context(|| format!("{name}: the program cannot be started"))?;
    add_output(name, &output, expected, table);
    Ok(())
}

/// Adds what a program told of its tests.
pub(crate) fn add_output(name: &str, output: &Output, expected: usize, table: &mut Table) {
    let subjects = read(output);
    let told: usize = subjects.values().map(|subject| subject.passed + subject.failed.len()).sum();
    for (subject, Subject { passed, failed }) in subjects {
        let verdict = match failed.as_slice() {
            [] => Verdict::Passed(passed),
            failed => Verdict::Failed(failed.join("\n    ")),
        };
        table.add(format!("{name} {subject}"), verdict);
    }
    if told != expected || !output.status.success() {
        let why = format!("{told} of {expected} tests told of: {}", tail(output));
        table.add(format!("{name} as a whole"), Verdict::Failed(why));
    }
}

/// The tests of one subject.
#[derive(Debug, Default, PartialEq)]
struct Subject {
    passed: usize,
    failed: Vec<String>,
}

/// Reads what a program said of its tests: `ok`, or `FAILED`, then the subject, the test and the reason.
fn read(output: &Output) -> BTreeMap<String, Subject> {
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut subjects: BTreeMap<String, Subject> = BTreeMap::new();
    for line in said.lines() {
        match line.split('\t').collect::<Vec<_>>().as_slice() {
            ["ok", subject, _] => subjects.entry((*subject).to_owned()).or_default().passed += 1,
            ["FAILED", subject, test, why] => {
                subjects.entry((*subject).to_owned()).or_default().failed.push(format!("{test}: {why}"));
            }
            _ => {}
        }
    }
    subjects
}

fn pom(artifacts: &[Artifact]) -> String {
    let dependencies: String = artifacts
        .iter()
        .map(|(group, artifact, version)| {
            format!(
                "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version></dependency>\n"
            )
        })
        .collect();
    format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\n\
         <groupId>interop</groupId><artifactId>interop</artifactId><version>1</version>\n\
         <dependencies>\n{dependencies}</dependencies></project>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{pom, read};
    use std::process::{Command, Output};

    fn said(text: &str) -> Output {
        Command::new("printf").arg(text).output().unwrap()
    }

    #[test]
    fn tests_are_counted_by_their_subject_and_a_failure_says_why() {
        let subjects = read(&said("ok\ta\tone\nnoise\nok\ta\ttwo\nFAILED\tb\tthree\tit is not\n"));
        assert_eq!((subjects["a"].passed, subjects["a"].failed.len()), (2, 0));
        assert_eq!(subjects["b"].failed, ["three: it is not"]);
        assert!(read(&said("ok\ta\n")).is_empty());
    }

    #[test]
    fn a_library_is_named_with_its_version() {
        assert!(pom(&[("g", "a", "1.0")]).contains("<artifactId>a</artifactId><version>1.0</version>"));
    }
}
