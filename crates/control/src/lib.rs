//! The control process: figures of a queue manager over HTTP.
//!
//! Lives here: the HTTP server (`http`), the requests it counts (`counted`), the thread that asks the queue
//! manager (`source`). Lives elsewhere: rows and pages (`figures`), the board that makes figures (`server`).
//!
//! Always: it is a program like others. It reaches the queue manager over a connection, decides nothing about
//! authority, and a fault of it ends this process alone.

mod counted;
mod http;
mod source;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

pub use source::Source;

/// The usual port.
pub const PORT: u16 = 9443;

/// Where to listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listen {
    /// On the usual port of this machine, or another where that is taken.
    Auto,
    /// On this address and port; port 0 lets the system choose.
    At(SocketAddr),
}

/// Why it does not serve.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It would be reached from other machines.
    #[error(
        "it cannot listen on {0}: there is no login yet, so it must be an address of this machine only, such as \
         127.0.0.1:{PORT}; a tunnel such as ssh -L reaches it from others"
    )]
    Wide(SocketAddr),
    /// The system refuses the address.
    #[error(
        "it cannot listen on {address}: {source}: choose another address, or end the program that has it"
    )]
    Bind {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        source: io::Error,
    },
    /// The system refuses something else.
    #[error("cannot {what}: {source}")]
    System {
        /// The thing that was tried.
        what: &'static str,
        /// The error of the system.
        source: io::Error,
    },
}

/// Serves until the process ends. `ready` is called with the address once programs can connect.
///
/// # Errors
/// When it cannot listen, or `ready` fails.
pub fn run(
    listen: Listen,
    source: Source,
    ready: impl FnOnce(SocketAddr) -> io::Result<()>,
) -> Result<(), Error> {
    let system = |what| move |source| Error::System { what, source };
    give_way();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
        .map_err(system("make an event queue"))?;
    runtime.block_on(async {
        let listener = bind(listen).await?;
        let address = listener.local_addr().map_err(system("read the address"))?;
        ready(address).map_err(system("say where it listens"))?;
        http::serve(listener, Arc::new(source)).await;
        Ok(())
    })
}

/// Messages come first: the system serves the queue manager before this process.
fn give_way() {
    // Where it may not, both are served alike.
    let _ = rustix::process::setpriority_process(None, 10);
}

async fn bind(listen: Listen) -> Result<tokio::net::TcpListener, Error> {
    let at = |address: SocketAddr| async move {
        let bound = tokio::net::TcpListener::bind(address).await;
        bound.map_err(|source| Error::Bind { address, source })
    };
    let usual = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    match listen {
        Listen::At(address) if !address.ip().is_loopback() => Err(Error::Wide(address)),
        Listen::At(address) => at(address).await,
        Listen::Auto => match at(usual(PORT)).await {
            Ok(listener) => Ok(listener),
            Err(_) => at(usual(0)).await,
        },
    }
}
