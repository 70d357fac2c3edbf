//! `ferry control`: the control process of a queue manager, which tells its figures over HTTP.

use std::ffi::OsString;
use std::io;
use std::net::SocketAddr;

use clap::Args;
use control::{Listen, Source};
use mqi::QueueManagerName;
use serde_json::json;
use server::{ControlCommand, DataDirectory};

use terminal::common::Common;
use terminal::connect;
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format};

/// Where to listen.
#[derive(Debug, Args)]
pub(crate) struct ControlArguments {
    /// Listen on this address of this machine, such as 127.0.0.1:9443; auto is port 9443, or another where it
    /// is taken
    #[arg(short, long, value_name = "ADDRESS", default_value = "auto")]
    listen: String,
    /// Internal: say only the address, and end when standard input ends, as it does when the queue manager is
    /// gone
    #[arg(long, hide = true)]
    ends_with_input: bool,
}

/// Serves until it is ended.
pub(crate) fn run(common: &Common, arguments: &ControlArguments) -> Result<()> {
    let listen = listen(&arguments.listen)?;
    let place = connect::place(common)?;
    let name = place.name.map_or_else(|| place.address.to_string(), |name| name.to_string());
    let source = Source::new(name.clone(), place.options("ferry control"));
    if arguments.ends_with_input {
        end_with_input();
    }
    let ready = |address: SocketAddr| match (arguments.ends_with_input, common.output) {
        (true, _) => output::print_line(address.to_string()),
        (false, Format::Json) => output::print_json(&json!({
            "queue_manager": name, "process": std::process::id(), "listens": address.to_string(),
        })),
        (false, Format::Table) => {
            output::print_line(format!("figures of {name} are at http://{address}/metrics; Ctrl-C ends it"))
        }
    };
    control::run(listen, source, ready).map_err(|error| Failure::new(Exit::Failed, error.to_string()))
}

fn listen(text: &str) -> Result<Listen> {
    if text == "auto" {
        return Ok(Listen::Auto);
    }
    let address = text.parse().map_err(|_| {
        Failure::usage(format!("{text} is no address")).next("write it as 127.0.0.1:9443, or auto")
    })?;
    Ok(Listen::At(address))
}

/// Ends this process when standard input does.
fn end_with_input() {
    std::thread::spawn(|| {
        // An input that cannot be read is over too.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        std::process::exit(0);
    });
}

/// The command by which a queue manager starts its control process.
pub(crate) fn command(data: &DataDirectory, name: &QueueManagerName) -> io::Result<ControlCommand> {
    let arguments = ["control", "--ends-with-input", "--qmgr", name.as_str(), "--data"].map(OsString::from);
    let arguments = arguments.into_iter().chain([data.path().into()]).collect();
    Ok(ControlCommand { program: std::env::current_exe()?.into(), arguments })
}
