//! Documents that show commands: the blocks marked `sh` and `mqsc` are run, page by page, beside a
//! queue manager of `ferry dev`, and their output is compared with the block marked `text` that
//! follows. Blocks marked `rust` are run by the tests of `examples/rust`.
//!
//! A block marked `sh fails` must fail. One marked `sh background` runs until its page is over, and
//! `text background` is its output. One marked `sh dev` is the command that started the queue manager of the
//! page.
//! The containers of one marked `console podman` are queue managers of this machine. `skip REASON` after any
//! mark leaves a block out. Skipped blocks are counted and printed with their reasons, and so are those
//! marked `console`. `shapes` has the comparison.

mod shapes;

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::support::{Ferry, Server, free_port, signal};
use shapes::difference;

/// One of so many blocks is not run, at most: those build programs, need another product, or draw on a
/// terminal.
const SKIPPED_SHARE: usize = 10;

/// Most blocks of text that are not compared: pictures, addresses, states that take too long to reach.
const NOT_COMPARED_MAX: usize = 6;

/// Pages that are run at a time: most of their time is waiting.
const PAGES_AT_A_TIME: usize = 6;

/// The mark of blocks with commands for another machine: packages, services, containers.
const CONSOLE: &str = "console";

/// An engine of containers for blocks marked `console podman`: the container `orders` is a queue manager of
/// this machine, and its volume a folder of the page.
const PODMAN: &str = r#"
podman() {
    export FERRY_DATA=$PWD/volume
    case "$1 $2" in
        "exec orders") shift 2; "$@" ;;
        "run --detach") [ -e volume ] || ferry qmgr create QM1 --port 0; ferry qmgr start QM1 --detach ;;
        "run --rm") until [ "$1" = ferrymq:0.1.0 ]; do shift; done; shift; (cd keys; ferry "$@") ;;
        "stop "*) ferry qmgr stop QM1 ;;
    esac
}
"#;

/// Fences open and close a block.
const FENCE: &str = "```";

/// The last line that `ferry dev` prints once it is ready.
const DEV_READY: &str = "Ctrl-C stops it in order";

/// Results of pages.
#[derive(Default)]
struct Outcome {
    run: usize,
    compared: usize,
    skipped: Vec<String>,
    not_compared: Vec<String>,
    faults: Vec<String>,
}

impl Outcome {
    fn compare(&mut self, place: &str, shown: &str, said: &str) {
        self.compared += 1;
        self.faults.extend(difference(shown, said).map(|fault| format!("{place}: {fault}")));
    }

    fn add(&mut self, other: Self) {
        self.run += other.run;
        self.compared += other.compared;
        self.skipped.extend(other.skipped);
        self.not_compared.extend(other.not_compared);
        self.faults.extend(other.faults);
    }
}

/// A queue manager of `ferry dev` in the folder `ferry-data`, and the folder above it, where a page is run.
struct Desk {
    ferry: Ferry,
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("ferry-data");
        std::fs::create_dir(&data).unwrap();
        Self { ferry: Ferry::at(&data), folder }
    }

    fn dev(&self) -> Server {
        self.ferry.start(&["dev", "--port", &free_port().to_string(), "--http", "none"])
    }

    /// The commands as a person runs them: no variable names the data directory.
    fn shell(&self, commands: &str) -> Command {
        let mut shell = shell(&self.ferry, &format!("exec 2>&1\n{commands}"));
        shell.current_dir(self.folder.path()).env_remove("FERRY_DATA").stdout(Stdio::piped());
        shell
    }

    /// Runs commands to their end. Returns what they printed, and if they succeeded.
    fn said(&self, commands: &str) -> (String, bool) {
        let output = self.shell(commands).output().unwrap();
        let above = format!("{}/", self.folder.path().display());
        (String::from_utf8_lossy(&output.stdout).replace(&above, ""), output.status.success())
    }
}

#[test]
fn commands_of_the_guides_run_and_print_what_is_shown() {
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let folders = ["start", "concepts", "guides"].iter();
    let mut all: Vec<_> = folders.flat_map(|folder| pages(&documents.join(folder))).collect();
    // The longest begin first.
    all.sort_by_key(|page| std::fs::metadata(page).unwrap().len());
    let (all, total) = (Mutex::new(all), Mutex::new(Outcome::default()));
    std::thread::scope(|scope| {
        for _ in 0..PAGES_AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let Some(page) = all.lock().unwrap().pop() else { break };
                    let outcome = run_page(&page);
                    total.lock().unwrap().add(outcome);
                }
            });
        }
    });
    let Outcome { run, compared, skipped, not_compared, faults } = total.into_inner().unwrap();
    println!("{run} blocks ran; not run:\n{}", skipped.join("\n"));
    println!("{compared} outputs were compared; not compared:\n{}", not_compared.join("\n"));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(run >= 100 && compared >= 35, "{run} blocks ran, {compared} outputs were compared");
    assert!(not_compared.len() <= NOT_COMPARED_MAX, "{not_compared:#?}");
    assert!(skipped.len() * SKIPPED_SHARE <= skipped.len() + run, "{run} blocks ran, not {skipped:#?}");
}

fn run_page(page: &Path) -> Outcome {
    let mut outcome = Outcome::default();
    let text = std::fs::read_to_string(page).unwrap();
    let page = page.file_name().unwrap().display();
    let blocks = blocks(&text);
    let desk = Desk::new();
    let has_commands = blocks.iter().any(|(mark, _)| mark.starts_with("sh") || *mark == "mqsc");
    let server = has_commands.then(|| desk.dev());
    let mut background = None;
    let mut shown_of_background = None;
    let mut said = None;
    for (mark, block) in blocks {
        let place = format!("{page}: {block}");
        let (language, mark) = mark.split_once(' ').unwrap_or((mark, ""));
        match (language, mark) {
            ("text", mark) if mark.starts_with("skip ") => {
                outcome.not_compared.push(format!("{place}  ({mark})"));
            }
            (_, mark) if mark.starts_with("skip ") => outcome.skipped.push(format!("{place}  ({mark})")),
            (CONSOLE, "podman") => {
                outcome.run += 1;
                let commands = format!("\n{block}").replace("\n$ ", "\n");
                let (printed, succeeded) = desk.said(&format!("{PODMAN}{commands}"));
                assert!(succeeded, "{place}\n{printed}");
                said = Some(printed);
            }
            (CONSOLE, _) => outcome.skipped.push(format!("{place}  (a machine that a test does not have)")),
            ("sh", "background") => {
                let started = desk.shell(&format!("exec {block}")).spawn().unwrap();
                assert!(background.replace(started).is_none(), "{place}\na second block in the background");
            }
            ("sh", "dev") => {
                outcome.run += 1;
                assert_eq!(block, "ferry dev", "{place}");
                said = Some(said_by_dev());
            }
            ("sh", mark) => {
                outcome.run += 1;
                let (printed, succeeded) = desk.said(block);
                assert_eq!(succeeded, mark != "fails", "{place}\n{printed}");
                said = Some(printed);
            }
            ("mqsc", _) => {
                outcome.run += 1;
                let answered = desk.ferry.with_input(&["mqsc"], block.as_bytes());
                assert_eq!(answered.code, 0, "{place}\n{}{}", answered.stdout, answered.stderr);
                said = Some(answered.stdout);
            }
            ("text", "background") => shown_of_background = Some(block),
            ("text", _) => match said.take() {
                Some(said) => outcome.compare(&page.to_string(), block, &said),
                None => outcome.faults.push(format!("{place}\nno command of the page printed this")),
            },
            ("", _) => outcome.faults.push(format!("{place}\na block without a mark is not compared")),
            _ => {}
        }
    }
    let printed = background.map(end);
    if let Some(shown) = shown_of_background {
        outcome.compare(&page.to_string(), shown, &printed.expect("a block in the background"));
    }
    if let Some(server) = server {
        signal(server.id(), "INT");
        server.wait();
    }
    outcome
}

/// Starts a queue manager as the first page does. Returns what it prints until it is ready.
fn said_by_dev() -> String {
    let desk = Desk::new();
    let mut dev = desk.shell(&format!("exec ferry dev --port {}", free_port())).spawn().unwrap();
    let mut said = String::new();
    for line in BufReader::new(dev.stdout.as_mut().unwrap()).lines().map(Result::unwrap) {
        said += &format!("{line}\n");
        if line.contains(DEV_READY) {
            break;
        }
    }
    signal(dev.id(), "INT");
    dev.wait().unwrap();
    said
}

/// Beginnings of commands of the README that are not run here: they build programs, measure for minutes, or
/// draw on a terminal.
const README_NOT_RUN: &[&str] =
    &["tar ", "export ", "cargo ", "cc ", "ferry dev", "ferry top", "ferry report", "ferry bench"];

/// Beginnings of commands of the README that run until they are ended.
const README_GOES_ON: &[&str] = &["ferry reply ", "ferry events --follow"];

/// The part of the README that kills the queue manager.
const README_KILL: &str = "Now try what it is for.";

#[test]
fn commands_of_the_readme_run_and_print_what_is_shown() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = std::fs::read_to_string(readme).unwrap();
    let (everyday, kill) = text.split_once(README_KILL).unwrap();
    let desk = Desk::new();
    let server = desk.dev();
    let mut background = Vec::new();
    let mut outcome = Outcome::default();
    for (command, shown) in commands(everyday) {
        let begins = |words: &[&str]| words.iter().any(|word| command.starts_with(word));
        // Fewer messages show as much, and the folder beside is not this test's.
        let smaller = command.replace("seq 1000000 ", "seq 1000 ").replace("../monday", "monday");
        if begins(README_GOES_ON) {
            background.push(desk.shell(&format!("exec {smaller}")).spawn().unwrap());
        } else if !begins(README_NOT_RUN) {
            outcome.run += 1;
            let (said, succeeded) = desk.said(&smaller);
            assert!(succeeded, "{command}\n{said}");
            if !shown.is_empty() {
                outcome.compare(&command, &shown, &said);
            }
        }
    }
    for program in background {
        end(program);
    }
    kill_of_the_readme(&desk, server, kill, &mut outcome);
    assert!(outcome.faults.is_empty(), "{}", outcome.faults.join("\n"));
    assert!(
        outcome.run >= 20 && outcome.compared >= 11,
        "{} ran, {} compared",
        outcome.run,
        outcome.compared
    );
}

/// Kills the queue manager while messages arrive, and gets all that were committed. A unit of work
/// whose answer was cut off may be there besides.
fn kill_of_the_readme(desk: &Desk, server: Server, text: &str, outcome: &mut Outcome) {
    let commands = commands(text);
    let [(put, _), (kill, shown), (dev, _), (get, last), ..] = &commands[..] else {
        panic!("{commands:?}");
    };
    assert_eq!(dev, "ferry dev");
    let put = desk.shell(put.trim_end_matches(" &")).spawn().unwrap();
    let depth = "ferry queues DEV.QUEUE.2 --where 'CURDEPTH GT 0' -o json";
    let until = Instant::now() + Duration::from_secs(30);
    while desk.said(depth).0.is_empty() {
        assert!(Instant::now() < until, "no message arrived");
    }
    let (said, succeeded) = desk.said(kill);
    assert!(succeeded, "{said}");
    let told = String::from_utf8(put.wait_with_output().unwrap().stdout).unwrap();
    outcome.compare(kill, shown, &told);
    drop(server);
    let server = desk.dev();
    let (got, _) = desk.said(get);
    outcome.compare(get, last, &got);
    let told = told.split(' ').nth(2).unwrap().replace(',', "").parse::<u64>().unwrap();
    let got = got.trim().parse::<u64>().unwrap();
    assert!(told <= got && got < 200_000, "{told} messages were told, and {got} got");
    signal(server.id(), "INT");
    server.wait();
}

/// Commands after the prompt `$`, without their comments, and the lines below each.
fn commands(text: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in blocks(text).iter().flat_map(|(_, block)| block.lines()) {
        match line.strip_prefix("$ ") {
            Some(command) => {
                commands.push((command.split(" # ").next().unwrap().trim().to_owned(), String::new()));
            }
            None => {
                if let Some((_, shown)) = commands.last_mut() {
                    *shown += &format!("{line}\n");
                }
            }
        }
    }
    commands
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|end| end == "md")).collect()
}

/// The blocks of a page: the mark and the text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let parts = page.split(FENCE).skip(1).step_by(2);
    parts.filter_map(|block| block.split_once('\n')).map(|(mark, text)| (mark, text.trim_end())).collect()
}

/// The commands in a shell that ends with the first that fails. Fixed ports of examples may be taken here.
pub(crate) fn shell(ferry: &Ferry, commands: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_ferry"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("bash");
    let commands = commands.replace("--port 1415", "--port 0");
    let commands = commands.replace("--expose 1416", &format!("--expose {}", free_port()));
    let commands = commands.replace("127.0.0.1:9414", &health(ferry));
    shell.args(["-e", "-o", "pipefail", "-c", &commands]);
    shell.current_dir(ferry.data()).env("PATH", path).env("FERRY_DATA", ferry.data());
    shell.env("FERRY_CONTEXTS", ferry.data().join("contexts.toml"));
    shell.env_remove("FERRY_CONNECT").env_remove("FERRY_QMGR");
    shell.stdin(Stdio::null());
    shell
}

/// The address at which the queue manager of the page answers health.
fn health(ferry: &Ferry) -> String {
    let text = std::fs::read_to_string(ferry.data().join("QM1/health")).unwrap_or_default();
    let told: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    told["address"].as_str().unwrap_or_default().to_owned()
}

/// Ends a program that runs in the background. Returns what it printed.
fn end(program: Child) -> String {
    signal(program.id(), "TERM");
    String::from_utf8(program.wait_with_output().unwrap().stdout).unwrap()
}
