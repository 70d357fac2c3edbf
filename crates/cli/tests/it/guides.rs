//! Documents that show commands: the blocks marked `sh` are run, page by page, beside a queue manager of
//! `ferry dev`.
//!
//! A block marked `sh fails` must fail, one marked `sh background` runs until its page is over, and `sh skip
//! REASON` is not run. Skipped blocks are printed with their reasons.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::{Ferry, signal};

/// Blocks that are not run, at most: they build programs, need another product, or draw on a terminal.
const SKIPPED_MAX: usize = 8;

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
                ("skip", reason) => skipped.push(format!("{place}  ({reason})")),
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
    assert!(skipped.len() <= SKIPPED_MAX, "{skipped:#?}");
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> = entries.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    pages.sort();
    pages
}

/// The blocks marked `sh`: the rest of the mark, and the commands.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let parts = page.split(FENCE).skip(1).step_by(2);
    let marked = parts.filter_map(|block| block.split_once('\n'));
    let shell =
        marked.filter_map(|(mark, commands)| Some((mark.strip_prefix("sh")?.trim(), commands.trim())));
    shell.collect()
}

/// The commands in a shell that ends with the first that fails. The fixed port of an example may be taken
/// here.
pub(crate) fn shell(ferry: &Ferry, commands: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_ferry"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("bash");
    let commands = commands.replace("--port 1415", "--port 0");
    let commands = commands.replace("--expose 1416", &format!("--expose {}", free_port()));
    shell.args(["-e", "-o", "pipefail", "-c", &commands]);
    shell.current_dir(ferry.data()).env("PATH", path).env("FERRY_DATA", ferry.data());
    shell.env_remove("FERRY_CONNECT").env_remove("FERRY_QMGR");
    shell.stdin(Stdio::null());
    shell
}

/// A port that no program has just now.
fn free_port() -> u16 {
    std::net::TcpListener::bind("0.0.0.0:0").unwrap().local_addr().unwrap().port()
}

fn end(program: &mut Child) {
    signal(program.id(), "TERM");
    let _ = program.wait();
}
