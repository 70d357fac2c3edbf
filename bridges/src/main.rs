//! The program: arguments and signals.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use client::{Address, Credentials, Options, Secret};
use ferry_bridge::definitions::Selection;
use ferry_bridge::supervisor::{self, Settings};
use signal_hook::consts::{SIGINT, SIGTERM};

/// Moves messages between a queue manager and other messaging systems
///
/// It serves the pipes of the bridges that its queue manager defines (DEFINE BRIDGE, DEFINE PIPE), and
/// follows changes of the definitions. SIGTERM and Ctrl-C end it: batches that are out are finished first.
#[derive(Debug, Parser)]
#[command(name = "ferry-bridge", version)]
struct Arguments {
    /// The queue manager
    #[arg(short = 'm', long, value_name = "NAME")]
    qmgr: String,
    /// The folder of the queue manager, whose socket and secrets are used
    #[arg(long, value_name = "FOLDER", required_unless_present = "connect")]
    folder: Option<PathBuf>,
    /// The address of the queue manager: host:port or unix:/path; without it, the socket in its folder
    #[arg(long, value_name = "ADDRESS")]
    connect: Option<String>,
    /// Serve the bridges of this group; without it, those without a group
    #[arg(long, value_name = "GROUP", default_value = "")]
    group: String,
    /// Serve this bridge, whatever its group; may be given several times
    #[arg(long, value_name = "BRIDGE", conflicts_with = "group")]
    bridge: Vec<String>,
    /// The user of the connections to the queue manager
    #[arg(long, value_name = "USER", requires = "password_file")]
    user: Option<String>,
    /// The file with the password of that user
    #[arg(long, value_name = "FILE", requires = "user")]
    password_file: Option<PathBuf>,
    /// The folder of the passwords of bridges; without it, security/secrets in the queue manager's folder
    #[arg(long, value_name = "FOLDER")]
    secrets: Option<PathBuf>,
    /// The folder or file of keys and trusted certificates for TLS(REQUIRED)
    #[arg(long, value_name = "PATH")]
    keys: Option<PathBuf>,
    /// Internal: end when standard input ends, as it does when the queue manager is gone
    #[arg(long, hide = true)]
    ends_with_input: bool,
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be reading.
            let _ = writeln!(io::stderr(), "ferry-bridge: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<()> {
    let ends = Arc::<AtomicBool>::default();
    for signal in [SIGTERM, SIGINT] {
        signal_hook::flag::register(signal, Arc::clone(&ends)).context("cannot take signals")?;
    }
    if arguments.ends_with_input {
        let ends = Arc::clone(&ends);
        std::thread::spawn(move || {
            // An input that cannot be read is over too.
            let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
            ends.store(true, Ordering::Release);
        });
    }
    let settings = settings(arguments)?;
    supervisor::run(&settings, &ends, &|line| {
        let _ = writeln!(io::stdout(), "{line}");
    });
    Ok(())
}

fn settings(arguments: Arguments) -> Result<Settings> {
    let Arguments { qmgr, folder, connect, group, bridge, user, password_file, secrets, keys, .. } =
        arguments;
    let address = match (&connect, &folder) {
        (Some(text), _) => text.parse().context("--connect")?,
        (None, Some(folder)) => Address::Unix(folder.join("socket")),
        (None, None) => bail!("give --folder or --connect"),
    };
    let mut local = Options::to(address).queue_manager(qmgr).application("ferry-bridge");
    if let (Some(user), Some(file)) = (user, password_file) {
        let mut password = std::fs::read(&file)
            .with_context(|| format!("cannot read the password in {}", file.display()))?;
        while password.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            password.pop();
        }
        local = local.credentials(Credentials::password(&user, Secret::new(password))?);
    }
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    Ok(Settings {
        local,
        selection: Selection { group, bridges: bridge },
        host: format!("{host}:{}", std::process::id()),
        secrets: secrets.or_else(|| folder.map(|folder| folder.join("security").join("secrets"))),
        keys,
    })
}
