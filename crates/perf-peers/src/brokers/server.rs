//! The process of a broker that listens on one port.

use std::net::SocketAddr;
use std::path::Path;

use anyhow::Result;

use crate::process::{Process, free_port};

/// A process that listens on one port.
pub(super) struct Server {
    pub(super) process: Process,
    pub(super) address: SocketAddr,
}

impl Server {
    /// Starts a program with the arguments that a free port asks for.
    pub(super) fn start(
        program: &Path,
        directory: &Path,
        arguments: impl Fn(SocketAddr) -> Result<Vec<String>>,
    ) -> Result<Self> {
        let address = free_port()?;
        Self::at(address, program, directory, &arguments(address)?)
    }

    /// Starts a program that listens at this address by these arguments.
    pub(super) fn at(
        address: SocketAddr,
        program: &Path,
        directory: &Path,
        arguments: &[String],
    ) -> Result<Self> {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut process = Process::start(program, &arguments, &[], directory)?;
        process.wait_listening(address)?;
        Ok(Self { process, address })
    }
}
