//! A stand-in for a token server, for samples that fetch a token before they connect: a program of ours in
//! Python, with a certificate made for it.
//!
//! Always: what it stands for is said wherever a sample that used it is told of; it listens on this machine
//! alone and ends with [`TokenServer`].

use super::table::prepare;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The program.
const PROGRAM: &str = include_str!("token_server.py");

/// User that it expects, and that samples are given: they know other names by themselves.
pub(super) const USER: &str = "interop";
pub(super) const PASSWORD: &str = "not a secret";
pub(super) const CLIENT: &str = "samples";

/// Extent of the proof by a sample that fetches a token.
pub(super) const SHOWN: &str = "with a token of a stand-in for a token server: fetched over TLS, handed to MQCONNX, judged by the library \
     for its place and length, not sent, and checked by nobody";

/// One that listens.
pub(super) struct TokenServer {
    program: Child,
    pub(super) port: u16,
}

impl TokenServer {
    /// Starts it; what is not here to do that.
    pub(super) fn start(folder: &Path) -> Result<Self, String> {
        let (certificate, key) = (folder.join("token_server.pem"), folder.join("token_server.key"));
        let mut make = Command::new("openssl");
        make.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]);
        prepare(make.arg("-keyout").arg(&key).arg("-out").arg(&certificate))?;
        let path = folder.join("token_server.py");
        std::fs::write(&path, PROGRAM).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut program = Command::new("python3");
        program.arg(&path).arg(&certificate).arg(&key).args([USER, PASSWORD, CLIENT]).stdout(Stdio::piped());
        let mut program = program.spawn().map_err(|error| format!("python3: {error}"))?;
        let mut line = String::new();
        let output = program.stdout.take().map(BufReader::new);
        let read = output.map(|mut output| output.read_line(&mut line));
        let mut server = Self { program, port: 0 };
        match (read, line.trim().parse()) {
            (Some(Ok(_)), Ok(port)) => {
                server.port = port;
                Ok(server)
            }
            _ => Err(format!("the stand-in for a token server said {line:?}")),
        }
    }
}

impl Drop for TokenServer {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ended = self.program.kill();
        let _ended = self.program.wait();
    }
}
