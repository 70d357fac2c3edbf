//! Documents that show commands: the blocks marked `sh` and `mqsc` are run, page by page, beside a queue manager
//! of `ferry dev`. Those marked `rust` are run by the tests of `examples/rust`.
//!
//! A block marked `sh fails` must fail, one marked `sh background` runs until its page is over, one marked `sh
//! dev` is the command that the queue manager of the page was started by, and `sh skip REASON` is not run.
//! Skipped blocks are counted and printed with their reasons, and so are those marked `console`.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::{Ferry, signal};

/// One of so many blocks is not run, at most: those build programs, need another product, or draw on a
/// terminal.
const SKIPPED_SHARE: usize = 10;

/// The mark of blocks with commands for another machine: packages, services, containers.
const CONSOLE: &str = "console";

/// Fences open and close a block.
const FENCE: &str = "```";

#[test]
fn commands_of_the_guides_run_as_they_stand() {
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut run = 0;
    let mut skipped = Vec::new();
    for page in ["start", "concepts", "guides"].iter().flat_map(|folder| pages(&documents.join(folder))) {
        let text = std::fs::read_to_string(&page).unwrap();
        let blocks = blocks(&text);
        if blocks.is_empty() {
            continue;
        }
        let ferry = Ferry::new();
        let server = ferry.dev();
        let mut background = Vec::new();
        for (mark, commands) in blocks {
            let place = format!("{}: {commands}", page.display());
            match mark.split_once(' ').unwrap_or((mark, "")) {
                ("dev", _) => {
                    run += 1;
                    assert_eq!(commands, "ferry dev", "{place}");
                }
                ("mqsc", _) => {
                    run += 1;
                    let said = ferry.with_input(&["mqsc"], commands.as_bytes());
                    assert_eq!(said.code, 0, "{place}\n{}{}", said.stdout, said.stderr);
                }
                ("skip", reason) => skipped.push(format!("{place}  ({reason})")),
                (CONSOLE, _) => skipped.push(format!("{place}  (a machine that a test does not have)")),
                ("background", _) => {
                    background.push(shell(&ferry, &format!("exec {commands}")).spawn().unwrap())
                }
                (mark, _) => {
                    run += 1;
                    let output = shell(&ferry, commands).output().unwrap();
                    let said = String::from_utf8_lossy(&output.stderr);
                    assert_eq!(output.status.success(), mark != "fails", "{place}\n{said}");
                }
            }
        }
        background.iter_mut().for_each(end);
        signal(server.id(), "INT");
        server.wait();
    }
    println!("{run} blocks ran; not run:\n{}", skipped.join("\n"));
    assert!(run >= 25, "{run} blocks ran");
    assert!(skipped.len() * SKIPPED_SHARE <= skipped.len() + run, "{run} blocks ran, not {skipped:#?}");
}

/// Beginnings of commands of the README that are not run here: they build programs, measure for minutes, or
/// draw on a terminal.
const README_NOT_RUN: &[&str] =
    &["tar ", "export ", "cargo ", "cc ", "ferry dev", "ferry top", "ferry report", "ferry bench"];

/// Beginnings of commands of the README that run until they are ended.
const README_GOES_ON: &[&str] = &["ferry reply ", "ferry events --follow"];

/// The part of the README that kills the queue manager; `everyday` does the same.
const README_KILL: &str = "Now try what it is for.";

#[test]
fn commands_of_the_readme_run_as_they_stand() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = std::fs::read_to_string(readme).unwrap();
    let text = text.split(README_KILL).next().unwrap();
    let ferry = Ferry::new();
    let server = ferry.dev();
    let mut background = Vec::new();
    let mut run = 0;
    for line in text.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let command = line.split(" # ").next().unwrap().trim();
        let begins = |words: &[&str]| words.iter().any(|word| command.starts_with(word));
        // Fewer messages show as much, and the folder beside is not this test's.
        let smaller = command.replace("seq 1000000 ", "seq 1000 ").replace("../monday", "monday");
        if begins(README_GOES_ON) {
            background.push(shell(&ferry, &format!("exec {smaller}")).spawn().unwrap());
        } else if !begins(README_NOT_RUN) {
            run += 1;
            let output = shell(&ferry, &smaller).output().unwrap();
            assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
        }
    }
    background.iter_mut().for_each(end);
    signal(server.id(), "INT");
    server.wait();
    assert!(run >= 20, "{run} commands ran");
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> = entries.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    pages.sort();
    pages
}

/// The blocks that are run or skipped: the mark without `sh`, and the commands.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let parts = page.split(FENCE).skip(1).step_by(2);
    let marked = parts.filter_map(|block| block.split_once('\n'));
    let shell = marked.filter_map(|(mark, commands)| match mark {
        "mqsc" | CONSOLE => Some((mark, commands.trim())),
        _ => Some((mark.strip_prefix("sh")?.trim(), commands.trim())),
    });
    shell.collect()
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

/// A port that no program has just now.
fn free_port() -> u16 {
    std::net::TcpListener::bind("0.0.0.0:0").unwrap().local_addr().unwrap().port()
}

fn end(program: &mut Child) {
    signal(program.id(), "TERM");
    let _ = program.wait();
}
