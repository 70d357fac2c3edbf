//! The test programs of every crate, some at a time: most of them wait for clocks and other programs, so that
//! one alone leaves half of the processors idle.
//!
//! Always: a program runs in the folder of its package, as cargo runs it; its output is printed once it has
//! ended, and grows in `target/suites` before; one that fails or hangs does not keep the others from running.

use crate::{steps, tools};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::fs::File;
use std::io::Write as _;
use std::num::NonZero;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// Builds the programs and names them.
const BUILD: [&str; 4] = ["test", "--quiet", "--no-run", "--message-format=json-render-diagnostics"];

/// Runs the examples of the documentation, which have no programs of their own.
const EXAMPLES: [&str; 5] = ["cargo", "test", "--quiet", "--workspace", "--doc"];

/// The program with the longest test: every scenario, with the power cut anywhere.
const LONGEST: &str = "scenario it";

/// Programs whose tests wait for clocks and other programs most of the time: these run more of them at once.
const WAITING: [&str; 2] = ["cli it", "server it"];

/// Tests that one of those runs at once, for each processor: with three they would wait for processors, and
/// some judge how long something takes.
const WAITING_TESTS_A_PROCESSOR: usize = 2;

/// The time after which a program hangs: the longest takes five minutes, and a loaded machine twice as much.
const TIME_MAX: Duration = Duration::from_mins(20);

/// Pause before a program is looked at again.
const PAUSE: Duration = Duration::from_millis(20);

/// The folder of the outputs, one file for each program.
const OUTPUTS: &str = "target/suites";

/// A line of cargo about something that it built.
#[derive(Deserialize)]
struct Built {
    executable: Option<PathBuf>,
    manifest_path: Option<PathBuf>,
    profile: Option<Profile>,
    target: Option<Target>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

/// A program of tests.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Suite {
    pub(crate) package: String,
    /// The library of the package (`lib`), its tests from outside (`it`), or a program of it.
    pub(crate) kind: String,
    pub(crate) executable: PathBuf,
    /// The folder of the package.
    folder: PathBuf,
}

impl Suite {
    fn name(&self) -> String {
        format!("{} {}", self.package, self.kind)
    }
}

/// Runs every test of every crate.
pub(crate) fn run(root: &Path) -> Result<ExitCode> {
    let mut suites = build(root, &["--workspace"])?;
    // The largest have most tests, and begin first so that none is left to run alone; before them one with
    // a test that takes minutes by itself.
    suites.sort_by_key(|suite| {
        let bytes = std::fs::metadata(&suite.executable).map_or(0, |metadata| metadata.len());
        (suite.name() == LONGEST, bytes)
    });
    let at_a_time = thread::available_parallelism().map_or(1, NonZero::get);
    let failed = run_side_by_side(root, suites, at_a_time)?;
    let examples = steps::program(root, &EXAMPLES, &[]);
    if !failed.is_empty() {
        bail!("these failed: {}", failed.join(", "));
    }
    examples.map(|_| ExitCode::SUCCESS)
}

/// Builds the programs of tests that these words of cargo choose.
pub(crate) fn build(root: &Path, chosen: &[&str]) -> Result<Vec<Suite>> {
    let output = Command::new("cargo")
        .args(BUILD)
        .args(chosen)
        .current_dir(root)
        .env("PATH", tools::search_path(root))
        .env("CARGO_INCREMENTAL", "0")
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        let words = [&BUILD, chosen].concat();
        bail!("the tests do not build: cargo {} ended with {}", words.join(" "), output.status);
    }
    suites_of(&String::from_utf8_lossy(&output.stdout))
}

/// The programs of tests among what cargo built.
fn suites_of(lines: &str) -> Result<Vec<Suite>> {
    let mut suites = Vec::new();
    for line in lines.lines().filter(|line| line.starts_with('{')) {
        let built: Built = serde_json::from_str(line).context("cargo says what it built in other words")?;
        let Built {
            executable: Some(executable),
            manifest_path: Some(manifest),
            profile: Some(Profile { test: true }),
            target: Some(target),
        } = built
        else {
            continue;
        };
        let folder = manifest.parent().context("a package without a folder")?.to_owned();
        let package = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_library = target.kind.iter().any(|kind| kind == "lib");
        let kind = if is_library { "lib".to_owned() } else { target.name };
        suites.push(Suite { package, kind, executable, folder });
    }
    if suites.is_empty() {
        bail!("cargo named no program of tests");
    }
    Ok(suites)
}

/// Runs programs, the last first; the names of those that failed.
fn run_side_by_side(root: &Path, suites: Vec<Suite>, at_a_time: usize) -> Result<Vec<String>> {
    std::fs::create_dir_all(root.join(OUTPUTS)).context(OUTPUTS)?;
    let (waiting, failed) = (Mutex::new(suites), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..at_a_time {
            scope.spawn(|| {
                loop {
                    let next = waiting.lock().expect("no thread that held it panicked").pop();
                    let Some(suite) = next else { break };
                    if let Err(error) = run_one(root, &suite) {
                        println!("{}: {error:#}", suite.name());
                        failed.lock().expect("no thread that held it panicked").push(suite.name());
                    }
                }
            });
        }
    });
    Ok(failed.into_inner().expect("no thread that held it panicked"))
}

/// The words for more tests at once than there are processors, where tests wait.
fn test_threads(suite: &Suite) -> Option<String> {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let waits = WAITING.contains(&&*suite.name());
    waits.then(|| format!("--test-threads={}", WAITING_TESTS_A_PROCESSOR * processors))
}

fn run_one(root: &Path, suite: &Suite) -> Result<()> {
    let started = Instant::now();
    // A file and no pipe: programs that a test leaves behind may keep it open.
    let path = root.join(OUTPUTS).join(format!("{}-{}.txt", suite.package, suite.kind));
    let output = File::create(&path).with_context(|| path.display().to_string())?;
    let mut command = Command::new(&suite.executable);
    command
        .arg("--quiet")
        .args(test_threads(suite))
        .current_dir(&suite.folder)
        .env("CARGO_MANIFEST_DIR", &suite.folder)
        // With what its tests start, it ends by force when one of them hangs.
        .process_group(0)
        .stdin(Stdio::null())
        .stderr(output.try_clone().context("the output has one writer alone")?)
        .stdout(output);
    let mut child =
        command.spawn().with_context(|| format!("cannot start {}", suite.executable.display()))?;
    let ended = end_within(&mut child, TIME_MAX)?;
    let said = std::fs::read(&path).with_context(|| path.display().to_string())?;
    let mut standard = std::io::stdout().lock();
    standard.write_all(&said)?;
    let elapsed = started.elapsed().as_secs_f64();
    let Some(status) = ended else {
        writeln!(standard, "-- {}: FAILED, ended by force after {elapsed:.1} s", suite.name())?;
        bail!("a test of it hangs: the last that \"has been running for over 60 seconds\"");
    };
    writeln!(standard, "-- {}: {status} after {elapsed:.1} s", suite.name())?;
    if !status.success() {
        bail!("ended with {status}");
    }
    Ok(())
}

/// Waits for the end of a program, and ends its process group after this time; none if it had to.
fn end_within(child: &mut Child, most: Duration) -> Result<Option<ExitStatus>> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if started.elapsed() >= most {
            let group = format!("-{}", child.id());
            Command::new("kill").args(["-9", "--", &group]).status().context("cannot start kill")?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_tests_are_told_from_other_things_that_cargo_built() {
        let built = |test: bool, kind: &str, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/p/crates/cli/Cargo.toml","target":{{"kind":["{kind}"],"name":"it"}},"profile":{{"test":{test},"opt_level":"0"}},"executable":{executable}}}"#
            )
        };
        let lines = [
            built(true, "test", r#""/t/it-1""#),
            "not a message".to_owned(),
            built(true, "lib", r#""/t/cli-2""#),
            built(false, "bin", r#""/t/ferry""#),
            built(true, "test", "null"),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];
        let suite = |kind: &str, executable: &str| Suite {
            package: "cli".to_owned(),
            kind: kind.to_owned(),
            executable: executable.into(),
            folder: "/p/crates/cli".into(),
        };
        assert_eq!(suites_of(&lines.join("\n")).unwrap(), [suite("it", "/t/it-1"), suite("lib", "/t/cli-2")]);
        assert!(suites_of(&lines[5]).is_err());
        assert!(suites_of("{").is_err());
    }

    #[test]
    fn programs_whose_tests_wait_run_more_of_them_at_once_and_no_others() {
        let suite = |package: &str, kind: &str| Suite {
            package: package.to_owned(),
            kind: kind.to_owned(),
            executable: PathBuf::new(),
            folder: PathBuf::new(),
        };
        let threads = 2 * thread::available_parallelism().unwrap().get();
        assert_eq!(test_threads(&suite("cli", "it")), Some(format!("--test-threads={threads}")));
        assert_eq!(test_threads(&suite("server", "it")), test_threads(&suite("cli", "it")));
        assert_eq!(test_threads(&suite("server", "lib")), None);
    }

    #[test]
    fn each_program_runs_in_its_folder_and_those_that_fail_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let suites = ["true", "false", "pwd", "absent"].map(|program| Suite {
            package: "bin".to_owned(),
            kind: program.to_owned(),
            executable: Path::new("/bin").join(program),
            folder: folder.path().to_owned(),
        });
        let mut failed = run_side_by_side(folder.path(), suites.into(), 2).unwrap();
        failed.sort();
        // `pwd` knows no --quiet.
        assert_eq!(failed, ["bin absent", "bin false", "bin pwd"]);
    }

    #[test]
    fn a_program_that_hangs_is_ended_with_what_it_started_and_another_is_not() {
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]).process_group(0).stdout(Stdio::piped()).spawn().unwrap()
        };
        let mut ends = shell("exit 3");
        assert_eq!(end_within(&mut ends, TIME_MAX).unwrap().and_then(|status| status.code()), Some(3));
        let mut hangs = shell("sleep 600 & sleep 600");
        assert!(end_within(&mut hangs, Duration::from_millis(200)).unwrap().is_none());
        // Its end is that of the last process that has it open.
        let mut said = String::new();
        std::io::Read::read_to_string(&mut hangs.stdout.take().unwrap(), &mut said).unwrap();
        assert_eq!(said, "");
    }
}
