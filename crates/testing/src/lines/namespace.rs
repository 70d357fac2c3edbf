//! A network of an end's own, in which nothing but a line reaches it.

use std::io;
use std::os::fd::AsFd as _;
use std::process::{Command, Stdio};
use std::sync::Arc;

use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

/// The network that a process, or a thread, is in.
#[derive(Clone, Debug)]
pub enum Namespace {
    /// That of this process.
    Own,
    /// One apart, with a loopback interface and nothing else.
    Apart(Arc<Apart>),
}

/// A namespace that this process made; it goes when this is dropped.
#[derive(Debug)]
pub struct Apart {
    name: String,
}

impl Namespace {
    /// A new one apart; none where this process may not make one.
    #[must_use]
    pub fn apart(number: usize) -> Option<Self> {
        let name = format!("ferry-torture-{}-{number}", std::process::id());
        if !ip(&["netns", "add", &name]) {
            return None;
        }
        let apart = Arc::new(Apart { name });
        let is_up = ip(&["-n", &apart.name, "link", "set", "lo", "up"]);
        let namespace = Self::Apart(apart);
        let can_enter = || std::thread::scope(|scope| scope.spawn(|| namespace.enter().is_ok()).join());
        (is_up && matches!(can_enter(), Ok(true))).then_some(namespace)
    }

    /// Has this thread make its sockets there from now on. A thread that is to make them in the process's own
    /// namespace has not entered another before.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn enter(&self) -> io::Result<()> {
        let Self::Apart(apart) = self else { return Ok(()) };
        let file = std::fs::File::open(format!("/run/netns/{}", apart.name))?;
        move_into_link_name_space(file.as_fd(), Some(LinkNameSpaceType::Network)).map_err(Into::into)
    }

    /// The program that runs a command there, and its arguments. None is needed in this process's own.
    #[must_use]
    pub fn runner(&self) -> Option<(&'static str, Vec<String>)> {
        match self {
            Self::Own => None,
            Self::Apart(apart) => Some(("ip", ["netns", "exec", &apart.name].map(str::to_owned).into())),
        }
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        // One that stays is empty, and its name tells the process that left it.
        let _ = ip(&["netns", "del", &self.name]);
    }
}

fn ip(arguments: &[&str]) -> bool {
    let done = Command::new("ip")
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    done.is_ok_and(|status| status.success())
}
