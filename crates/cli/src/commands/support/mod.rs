//! `ferry support`: one archive with the facts that a helper needs to know of a queue manager.
//!
//! Lives here: the files of the archive. `secrets` leaves secrets out, `archive` writes the form.
//!
//! Always: no body of a message, key, password, token or hash is in it; it is bounded, and readable by its
//! maker alone. A part that cannot be had is named in it with the reason, and keeps nothing else out.

mod archive;
mod secrets;

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use figures::metrics::{Block, Form, Names, Printer, print};
use serde_json::json;
use server::instances::{self, Instance};
use server::{Folder, configuration};

use self::archive::Archive;
use super::{config, pages, queue_manager};
use terminal::common::Common;
use terminal::connect::{self, Place, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format};

/// The archive.
#[derive(Debug, Args)]
#[command(
    after_help = "The archive has settings, definitions, status, figures, error log and first-failure \
    records. Bodies of messages, keys, passwords and texts that may hold one are left out."
)]
pub(crate) struct SupportArguments {
    /// Queue manager; not needed when there is only one, or only one runs
    #[arg(value_name = "QM")]
    name: Option<String>,
    /// File to write; ferrymq-support-QM.tar unless named
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// Seconds between the two readings of the figures
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(..=600))]
    seconds: u64,
}

/// Most bytes of the archive: small enough to be sent.
const ARCHIVE_BYTES_MAX: u64 = 64 << 20;

/// Most bytes of one file of it; of a log its end is taken.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// Most files that are listed of a queue manager's folder.
const LISTED_MAX: usize = 10_000;

/// Displays whose answers tell how it is.
const DISPLAYS: [(&str, &str); 6] = [
    ("qmgr", "DISPLAY QMSTATUS ALL"),
    ("queues", "DISPLAY QSTATUS(*) ALL"),
    ("channels", "DISPLAY CHSTATUS(*) ALL"),
    ("listeners", "DISPLAY LSSTATUS(*) ALL"),
    ("connections", "DISPLAY CONN(*) ALL"),
    ("subscriptions", "DISPLAY SBSTATUS(*) ALL"),
];

/// Files of the machine that tell how it is.
const OF_MACHINE: [&str; 6] = [
    "/proc/version",
    "/proc/meminfo",
    "/proc/loadavg",
    "/proc/self/limits",
    "/proc/self/cgroup",
    "/proc/pressure/io",
];

/// Gathers everything and writes it.
pub(crate) fn run(common: &Common, arguments: &SupportArguments) -> Result<()> {
    let data = connect::data_directory(common)?;
    let name = queue_manager::name_or_running(common, arguments.name.as_deref(), &data)?;
    let instance = instances::find(&data, &name)?;
    let path = arguments
        .to
        .clone()
        .unwrap_or_else(|| format!("ferrymq-support-{}.tar", file_name(name.as_str())).into());
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).map_err(|error| {
        let next = match error.kind() {
            ErrorKind::AlreadyExists => "remove it, or name another file: --to FILE",
            _ => "name a file in a folder that can be written to: --to FILE",
        };
        Failure::new(Exit::Failed, format!("cannot write {}: {error}", path.display())).next(next)
    })?;
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let mut gathered =
        Gathered { archive: Archive::new(file, ARCHIVE_BYTES_MAX, time), missing: Vec::new(), files: 0 };
    gathered.of_files(&instance.folder)?;
    match connect::address_of(&instance) {
        Some(address) => {
            let place = Place::named(address, name);
            if let Err(failure) = gathered.of_running(&place, Duration::from_secs(arguments.seconds)) {
                gathered.miss("status", failure.what());
            }
        }
        None => gathered.miss("status", "the queue manager does not run, or listens nowhere"),
    }
    gathered.about(&instance)?;
    let files = gathered.files;
    let bytes = gathered.archive.finish()?.metadata()?.len();
    match common.output {
        Format::Json => output::print_json(&json!({ "file": path, "bytes": bytes, "files": files }))?,
        Format::Table => output::print_line(format!(
            "wrote {}: {files} files, {}; read it before you give it away",
            path.display(),
            terminal::units::bytes(bytes)
        ))?,
    }
    Ok(())
}

/// A name as a name of a file.
fn file_name(name: &str) -> String {
    name.replace(['/', '%'], "_")
}

struct Gathered {
    archive: Archive<File>,
    /// The parts that could not be had, with the reason.
    missing: Vec<String>,
    files: u32,
}

impl Gathered {
    fn miss(&mut self, part: &str, why: &str) {
        self.missing.push(format!("{part}: {why}"));
    }

    fn add(&mut self, name: &str, text: &str) -> Result<()> {
        let end = text.floor_char_boundary(text.len().min(FILE_BYTES_MAX as usize));
        if self.archive.add(name, &text.as_bytes()[..end])? {
            self.files += 1;
        } else {
            self.miss(name, "the archive is as large as it may be");
        }
        Ok(())
    }

    /// The files of its folder.
    fn of_files(&mut self, folder: &Folder) -> Result<()> {
        match server::bounded_input::read_text(
            &folder.settings(),
            "file of settings",
            configuration::FILE_BYTES_MAX,
        ) {
            // Comments go: they may say anything.
            Ok(text) => match text.parse::<toml::Table>() {
                Ok(table) => self.add("ferry.toml", &secrets::without(&table.to_string()))?,
                Err(error) => self.miss("ferry.toml", error.message()),
            },
            Err(error) => self.miss("ferry.toml", &error.to_string()),
        }
        self.add("files.txt", &listing(folder.path()))?;
        for path in OF_MACHINE {
            if let Ok(text) = fs::read_to_string(path) {
                self.add(&format!("machine{path}.txt"), &secrets::without(&text))?;
            }
        }
        let Ok(entries) = fs::read_dir(folder.errors()) else {
            self.miss("errors", "the folder cannot be read");
            return Ok(());
        };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.is_file()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match end_of(path) {
                Ok(text) => self.add(&format!("errors/{name}"), &secrets::without(&text))?,
                Err(error) => self.miss(&name, &error.to_string()),
            }
        }
        Ok(())
    }

    /// The answers of one that runs.
    fn of_running(&mut self, place: &Place, between: Duration) -> Result<()> {
        let mut session = Session::connect(place)?;
        match config::present(&mut session).map(|present| present.script()) {
            Ok(script) => self.add("definitions.mqsc", &secrets::without_in_definitions(&script))?,
            Err(failure) => self.miss("definitions.mqsc", failure.what()),
        }
        self.figures(&mut session, "figures-1.txt")?;
        for (name, display) in DISPLAYS {
            let mut text = Vec::new();
            let mut take = |page: &_, place| Ok(pages::write(&mut text, Format::Table, page, place)?);
            match pages::ask(&mut session, display, &mut take) {
                Ok(_) => {
                    let text = secrets::without(&String::from_utf8_lossy(&text));
                    self.add(&format!("status/{name}.txt"), &text)?;
                }
                Err(failure) => self.miss(name, failure.what()),
            }
        }
        std::thread::sleep(between);
        self.figures(&mut session, "figures-2.txt")?;
        session.disconnect()
    }

    fn figures(&mut self, session: &mut Session, name: &str) -> Result<()> {
        let refused = |reason| Failure::of_call("the queue manager does not tell its figures", reason);
        let mut bytes = session.connection().figures().map_err(refused)?;
        for _look in 0..LOOKS_MAX {
            if !bytes.is_empty() {
                break;
            }
            // They are made while somebody asks.
            std::thread::sleep(LOOK);
            bytes = session.connection().figures().map_err(refused)?;
        }
        let block = match Block::decode(&bytes) {
            Ok(block) => block,
            Err(error) => {
                self.miss(name, &error.to_string());
                return Ok(());
            }
        };
        let mut printer = Printer::new(Form::Text, Names::Own);
        print(&mut printer, &block, Names::Own, block.taken);
        let checks = block.checks.iter().fold(String::new(), |mut text, check| {
            // Writing to a String does not fail.
            let _ = writeln!(text, "# {} {:?}: {}", check.name, check.verdict, check.words);
            text
        });
        self.add(name, &secrets::without(&(checks + &printer.finish())))
    }

    /// The page about the archive, last, so that it can say what is missing.
    fn about(&mut self, instance: &Instance) -> Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        let mut text = format!(
            "Queue manager {} in {}\nferry {version}, commit {}\nstate {:?}\n\nNot in it:\n",
            instance.folder.name(),
            instance.folder.path().display(),
            crate::version::COMMIT.unwrap_or("not recorded"),
            instance.running.as_ref().map(|running| &running.state),
        );
        text.push_str("bodies of messages, keys, passwords, tokens, and texts that may hold one\n");
        for missing in std::mem::take(&mut self.missing) {
            text.push_str(&secrets::without(&missing));
        }
        self.add("about.txt", &text)
    }
}

/// Looks for the first figures, and the pause between two of them: some three seconds in all.
const LOOKS_MAX: u32 = 300;
const LOOK: Duration = Duration::from_millis(10);

/// The end of a file, which may be long.
fn end_of(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let bytes = file.metadata()?.len();
    file.seek(SeekFrom::Start(bytes.saturating_sub(FILE_BYTES_MAX)))?;
    let mut end = Vec::new();
    file.take(FILE_BYTES_MAX).read_to_end(&mut end)?;
    Ok(String::from_utf8_lossy(&end).into_owned())
}

/// The files below a folder: size, rights, time of the last change, name.
fn listing(folder: &Path) -> String {
    let mut text = String::new();
    let mut folders = vec![folder.to_owned()];
    let mut left = LISTED_MAX;
    while let Some(next) = folders.pop() {
        let Ok(entries) = fs::read_dir(&next) else { continue };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths {
            let Ok(metadata) = path.symlink_metadata() else { continue };
            if left == 0 {
                text.push_str("and more\n");
                return text;
            }
            left -= 1;
            let name = path.strip_prefix(folder).unwrap_or(&path).display();
            let (bytes, rights, time) = (metadata.len(), metadata.mode() & 0o7777, metadata.mtime());
            // Writing to a String does not fail.
            let _ = writeln!(text, "{bytes:>12} {rights:04o} {time} {name}");
            if metadata.is_dir() {
                folders.push(path);
            }
        }
    }
    text
}
