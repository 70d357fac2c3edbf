//! `cargo xtask compatible ARCHIVE`: the client of a kept release with the server of this tree, and the other
//! way round; and the folder of one opened by the other.
//!
//! Lives here: the two releases and the checks. Lives elsewhere: making the archive of a release
//! (`package::release`), the queue manager that runs (`dev`), folders of every format that was ever written
//! (`crates/server/tests/it/golden`).
//!
//! Always: each check runs the programs as they were given out; data and programs are in `target/compatible`,
//! which each run begins anew.

use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};

use crate::dev::{DevQueueManager, without_settings};
use crate::install;
use crate::steps::{self, Step, Verdict, say_skipped};

/// Seconds after which a program of a check is killed.
const PATIENCE_SECONDS: &str = "60";

/// Messages of one line that are put and got.
const LINES: u32 = 1_000;

/// Bytes of a message that goes in several frames; less than the usual MAXMSGL.
const LARGE_BYTES: usize = 3_000_000;

const QUEUE: &str = "DEV.QUEUE.1";

/// The folder with the archives that the gate tries.
const KEPT: &str = "FERRY_KEPT_RELEASES";

/// Runs every check.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode> {
    let options = CompatibleOptions::parse(arguments)?;
    let archives = match options.kept {
        Some(archive) => vec![archive],
        None => kept(std::env::var_os(KEPT).map(PathBuf::from))?,
    };
    if archives.is_empty() {
        say_skipped(&format!("no earlier release to try: {KEPT} names no folder with ferrymq-*.tar.gz"));
        return Ok(ExitCode::SUCCESS);
    }
    let place = root.join("target/compatible");
    // What an earlier run left is not what this one is about.
    let _absent = fs::remove_dir_all(&place);
    let prefix = match options.prefix {
        Some(prefix) => prefix,
        None => {
            let prefix = place.join("this");
            install::for_ourselves(root, &prefix, "dev")?;
            prefix
        }
    };
    let this = Release { name: "this tree", prefix };
    let examples = root.join("examples/c");
    let mut steps = Vec::new();
    for (number, archive) in archives.iter().enumerate() {
        let place = place.join(number.to_string());
        fs::create_dir_all(&place).with_context(|| place.display().to_string())?;
        let kept = Release { name: "the kept release", prefix: unpacked(archive, &place.join("kept"))? };
        println!("{}: {}", archive.display(), kept.version()?);
        let pair = Pair { kept, this: this.clone(), place, examples: examples.clone() };
        steps.extend(pair.steps());
    }
    println!("this tree: {}", this.version()?);
    Ok(steps::run(steps))
}

/// The archives in a folder, the oldest name first; none without a folder.
fn kept(folder: Option<PathBuf>) -> Result<Vec<PathBuf>> {
    let Some(folder) = folder else { return Ok(Vec::new()) };
    let entries = fs::read_dir(&folder).with_context(|| format!("{KEPT}: {}", folder.display()))?;
    let mut archives = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    archives.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("ferrymq-") && name.ends_with(".tar.gz")
    });
    archives.sort();
    Ok(archives)
}

/// A kept release and this tree.
#[derive(Clone)]
struct Pair {
    kept: Release,
    this: Release,
    /// The folder for data and programs.
    place: PathBuf,
    /// The sources of the programs in C.
    examples: PathBuf,
}

impl Pair {
    fn steps(self) -> [Step<'static>; 3] {
        let (one, other, folder) = (self.clone(), self.clone(), self);
        [
            Step::new("kept client: with the queue manager of this tree", move || {
                talk(&one.kept, &one.this, &one.place, &one.examples)
            }),
            Step::new("client of this tree: with the kept queue manager", move || {
                talk(&other.this, &other.kept, &other.place, &other.examples)
            }),
            Step::new("folder: from the kept release to this tree, and back", move || {
                open_in_turn(&folder.kept, &folder.this, &folder.place.join("folder"))
            }),
        ]
    }
}

#[derive(Debug, PartialEq, Eq)]
struct CompatibleOptions {
    /// The archive of a release, or the folder that was in it; none for those in the folder of [`KEPT`].
    kept: Option<PathBuf>,
    /// An installation of this tree; none builds one.
    prefix: Option<PathBuf>,
}

impl CompatibleOptions {
    fn parse(arguments: &[&str]) -> Result<Self> {
        let archive = |kept: &str| (kept != "--kept").then(|| PathBuf::from(kept));
        match arguments {
            [kept] if !kept.starts_with('-') || *kept == "--kept" => {
                Ok(Self { kept: archive(kept), prefix: None })
            }
            [kept, "--prefix", prefix] => Ok(Self { kept: archive(kept), prefix: Some(prefix.into()) }),
            other => bail!(
                "`cargo xtask compatible` does not know \"{}\"; it takes the archive of a release, or its folder, or \
                 --kept for those in the folder of {KEPT}, and --prefix DIR for an installation of this tree",
                other.join(" ")
            ),
        }
    }
}

/// Unpacks the archive of a release; returns the folder with its `bin`.
fn unpacked(archive: &Path, to: &Path) -> Result<PathBuf> {
    if archive.is_dir() {
        return with_program(archive).with_context(|| format!("{} has no bin/ferry", archive.display()));
    }
    ensure!(archive.exists(), "{} is not there: give the archive of a release", archive.display());
    fs::create_dir_all(to)?;
    let mut tar = Command::new("tar");
    let said = tar.arg("-xzf").arg(archive).arg("-C").arg(to).output().context("cannot start tar")?;
    ensure!(said.status.success(), "{}: {}", archive.display(), String::from_utf8_lossy(&said.stderr).trim());
    let mut folders = fs::read_dir(to)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    folders.push(to.to_owned());
    let found = folders.iter().find_map(|folder| with_program(folder));
    found.with_context(|| format!("{} has no bin/ferry", archive.display()))
}

fn with_program(folder: &Path) -> Option<PathBuf> {
    folder.join("bin/ferry").exists().then(|| folder.to_owned())
}

/// One of the two releases.
#[derive(Clone)]
struct Release {
    name: &'static str,
    /// The folder with `bin`, `inc` and `lib64`.
    prefix: PathBuf,
}

impl Release {
    /// A word for file names.
    fn word(&self) -> &'static str {
        self.name.rsplit(' ').next().unwrap_or(self.name)
    }

    fn version(&self) -> Result<String> {
        let said = Command::new(self.prefix.join("bin/ferry")).args(["--version", "--verbose"]).output()?;
        ensure!(said.status.success(), "{} does not run here", self.prefix.join("bin/ferry").display());
        Ok(String::from_utf8_lossy(&said.stdout).trim().replace('\n', ", "))
    }

    /// The program, for a limited time and without settings of the person.
    fn ferry(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", PATIENCE_SECONDS]).arg(self.prefix.join("bin/ferry")).args(arguments);
        without_settings(&mut command);
        command
    }

    /// Starts a queue manager in a folder that may be there.
    fn serve(&self, data: &Path) -> Result<DevQueueManager> {
        DevQueueManager::start(&self.prefix, data, 0).with_context(|| self.name)
    }
}

/// Runs the client of one release with the queue manager of the other, by TCP and by local connections.
fn talk(client: &Release, server: &Release, place: &Path, examples: &Path) -> Result<Verdict> {
    let served = server.serve(&place.join(format!("data-of-{}", server.word())))?;
    let address = format!("127.0.0.1:{}", served.port);
    let data = served.data.display().to_string();
    for way in [["--connect", &address], ["--data", &data]] {
        let name = if way[0] == "--data" { "local" } else { "tcp" };
        let call = Caller { client, way };
        call.carry_lines()?;
        call.carry_a_large_message()?;
        call.publish(&format!("compatible/{name}"))?;
        call.command(&format!("FROM.{}", name.to_ascii_uppercase()))?;
        call.look()?;
        call.be_refused()?;
        println!(
            "{} client, {name}: lines, a large message, topics, commands, figures, a refusal",
            client.name
        );
    }
    if Command::new("cc").arg("--version").stdout(Stdio::null()).status().is_err() {
        say_skipped("programs in C: there is no cc");
        return Ok(Verdict::Skipped);
    }
    for library in [client, server] {
        run_in_c(client, library, place, examples, served.port)?;
        println!("program built with {}, library of {}", client.name, library.name);
    }
    Ok(Verdict::Ok)
}

/// The client of a release, by one way.
struct Caller<'a> {
    client: &'a Release,
    way: [&'a str; 2],
}

impl Caller<'_> {
    fn run(&self, arguments: &[&str], input: &[u8]) -> Result<Output> {
        with_input(&mut self.client.ferry(&[arguments, &self.way].concat()), input)
    }

    fn ok(&self, arguments: &[&str], input: &[u8]) -> Result<String> {
        succeeded(&arguments.join(" "), &self.run(arguments, input)?)
    }

    fn carry_lines(&self) -> Result<()> {
        let lines = numbered(LINES);
        self.ok(&["put", QUEUE], lines.as_bytes())?;
        let browsed = self.ok(&["browse", QUEUE, "-o", "json"], b"")?;
        ensure!(browsed.lines().count() == LINES as usize, "{} of {LINES} browsed", browsed.lines().count());
        let got = self.ok(&["get", QUEUE, "--all"], b"")?;
        ensure!(got == lines, "the lines that were got are not those that were put");
        Ok(())
    }

    fn carry_a_large_message(&self) -> Result<()> {
        let body = "0123456789".repeat(LARGE_BYTES / 10);
        self.ok(&["put", QUEUE, "--whole", "--persistent"], body.as_bytes())?;
        let got = self.ok(&["get", QUEUE, "--wait", "0"], b"")?;
        ensure!(got.trim_end() == body, "a message of {LARGE_BYTES} bytes came as {} bytes", got.len());
        Ok(())
    }

    fn publish(&self, topic: &str) -> Result<()> {
        self.ok(&["pub", topic, "retained", "--retain"], b"")?;
        let heard = self.ok(&["sub", topic, "--count", "1", "--wait", "20s"], b"")?;
        ensure!(heard.trim() == "retained", "{topic}: {heard:?}");
        Ok(())
    }

    fn command(&self, queue: &str) -> Result<()> {
        let define = format!("DEFINE QLOCAL({queue}) DESCR('from another release') REPLACE");
        self.ok(&["mqsc", "-e", &define], b"")?;
        let shown = self.ok(&["mqsc", "-e", &format!("DISPLAY QLOCAL({queue}) DESCR")], b"")?;
        ensure!(shown.contains("from another release"), "{shown}");
        Ok(())
    }

    /// Reads figures, which come in a form of their own.
    fn look(&self) -> Result<()> {
        let shown = self.ok(&["top", "--once", "-o", "json"], b"")?;
        ensure!(shown.contains(QUEUE), "top: {shown}");
        Ok(())
    }

    fn be_refused(&self) -> Result<()> {
        let said = self.run(&["put", "NO.SUCH.QUEUE", "x"], b"")?;
        let error = String::from_utf8_lossy(&said.stderr);
        ensure!(!said.status.success() && error.contains("2085"), "a put on no queue: {error}");
        Ok(())
    }
}

/// Builds two programs with the headers and the library of a release, and runs them with that of another.
fn run_in_c(built: &Release, library: &Release, place: &Path, examples: &Path, port: u16) -> Result<()> {
    for (name, input, expected) in
        [("put", numbered(10), "10 put\n".to_owned()), ("get", String::new(), numbered(10))]
    {
        let program = place.join(format!("{name}-of-{}", built.word()));
        let mut cc = Command::new("cc");
        cc.arg(examples.join(format!("{name}.c"))).arg("-I").arg(built.prefix.join("inc"));
        cc.arg("-L").arg(built.prefix.join("lib64")).args(["-lmqic_r", "-o"]).arg(&program);
        succeeded("cc", &cc.output()?)?;
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", PATIENCE_SECONDS]).arg(&program).arg(QUEUE);
        command.env("LD_LIBRARY_PATH", library.prefix.join("lib64"));
        command.env("MQSERVER", format!("SYSTEM.DEF.SVRCONN/TCP/127.0.0.1({port})"));
        let said = succeeded(name, &with_input(&mut command, input.as_bytes())?)?;
        ensure!(said.starts_with(&expected), "{name} said {said:?}");
    }
    Ok(())
}

/// Opens a folder of the older release by the newer, then by the older again. The older release opens what it
/// knows, and refuses another format by name; the newer one has every message after that.
fn open_in_turn(older: &Release, newer: &Release, data: &Path) -> Result<Verdict> {
    let folder = data.display().to_string();
    let run = |release: &Release, arguments: &[&str], input: &str| {
        let all = [arguments, &["--data", &folder]].concat();
        succeeded(&arguments.join(" "), &with_input(&mut release.ferry(&all), input.as_bytes())?)
    };
    let lines = numbered(LINES);
    let served = older.serve(data)?;
    run(older, &["put", QUEUE, "--persistent"], &lines)?;
    served.stop()?;
    let served = newer.serve(data)?;
    ensure!(
        run(newer, &["get", QUEUE, "--all"], "")? == lines,
        "messages of the older release are not there"
    );
    run(newer, &["put", QUEUE, "--persistent"], &lines)?;
    served.stop()?;
    match older.serve(data) {
        Ok(served) => {
            ensure!(
                run(older, &["get", QUEUE, "--all"], "")? == lines,
                "messages are not there after the way back"
            );
            served.stop()?;
            println!("the older release opens the folder again");
        }
        Err(error) => {
            let words = format!("{error:#}");
            ensure!(words.contains("format") || words.contains("version"), "the older release says: {words}");
            println!("the older release refuses the folder: {words}");
            let served = newer.serve(data)?;
            let got = run(newer, &["get", QUEUE, "--all"], "")?;
            ensure!(got == lines, "messages are not there after the refusal");
            served.stop()?;
        }
    }
    Ok(Verdict::Ok)
}

fn numbered(lines: u32) -> String {
    (1..=lines).map(|number| format!("{number}\n")).collect()
}

/// Runs a program with an input.
fn with_input(command: &mut Command, input: &[u8]) -> Result<Output> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| command.get_program().display().to_string())?;
    let mut pipe = child.stdin.take().context("its input cannot be written")?;
    let input = input.to_owned();
    let writer = std::thread::spawn(move || pipe.write_all(&input));
    let output = child.wait_with_output()?;
    // A program that ends early does not read its input.
    let _unread = writer.join();
    Ok(output)
}

/// The output of a program that must succeed.
fn succeeded(name: &str, said: &Output) -> Result<String> {
    ensure!(said.status.success(), "`{name}` failed: {}", String::from_utf8_lossy(&said.stderr).trim());
    Ok(String::from_utf8_lossy(&said.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_an_archive_and_an_installation() {
        let parsed = CompatibleOptions::parse(&["a.tar.gz", "--prefix", "/p"]).unwrap();
        assert_eq!(parsed, CompatibleOptions { kept: Some("a.tar.gz".into()), prefix: Some("/p".into()) });
        assert_eq!(
            CompatibleOptions::parse(&["--kept"]).unwrap(),
            CompatibleOptions { kept: None, prefix: None }
        );
        for wrong in [&[][..], &["--prefix", "/p"], &["a", "b"]] {
            assert!(
                CompatibleOptions::parse(wrong).unwrap_err().to_string().contains("archive"),
                "{wrong:?}"
            );
        }
    }

    #[test]
    fn the_archives_of_a_folder_are_those_of_releases() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["ferrymq-0.2.0-linux-amd64.tar.gz", "ferrymq-0.1.0-linux-amd64.tar.gz", "SHA256SUMS"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let found = kept(Some(folder.path().to_owned())).unwrap();
        let names: Vec<_> = found.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["ferrymq-0.1.0-linux-amd64.tar.gz", "ferrymq-0.2.0-linux-amd64.tar.gz"]);
        assert!(kept(None).unwrap().is_empty());
        let absent = kept(Some(folder.path().join("absent"))).unwrap_err().to_string();
        assert!(absent.contains(KEPT), "{absent}");
    }

    #[test]
    fn an_archive_has_the_program_in_its_folder_or_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let release = place.path().join("ferrymq-0.1.0-linux-amd64/bin");
        fs::create_dir_all(&release).unwrap();
        fs::write(release.join("ferry"), "").unwrap();
        let pack = |what: &str, archive: &str| {
            let mut tar = Command::new("tar");
            tar.current_dir(place.path()).args(["-czf", archive, what]);
            assert!(tar.status().unwrap().success());
            place.path().join(archive)
        };
        let good = pack("ferrymq-0.1.0-linux-amd64", "good.tar.gz");
        let found = unpacked(&good, &place.path().join("good")).unwrap();
        assert_eq!(found, place.path().join("good/ferrymq-0.1.0-linux-amd64"));
        assert_eq!(unpacked(&found, place.path()).unwrap(), found, "the folder itself");
        fs::remove_file(release.join("ferry")).unwrap();
        let without = pack("ferrymq-0.1.0-linux-amd64", "without.tar.gz");
        for archive in
            [without, place.path().join("absent.tar.gz"), place.path().join("ferrymq-0.1.0-linux-amd64")]
        {
            let refused = unpacked(&archive, &place.path().join("refused")).unwrap_err().to_string();
            assert!(refused.contains(&archive.display().to_string()), "{refused}");
        }
    }
}
