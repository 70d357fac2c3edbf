//! Redis and Valkey: lists as queues, their publish/subscribe as topics.

use std::path::Path;

use anyhow::{Result, bail, ensure};
use perf::tally;

use super::Server;
use crate::broker::{Broker, Getter, Kind, Offer, Peer, Program, Putter, Requester, Responder, Scene, Take};
use crate::clients::resp::{self, Connection, Reply};
use crate::install;

/// Both speak the same protocol and are set up alike.
pub(super) struct Redis {
    name: &'static str,
    program: &'static str,
    package: &'static str,
}

impl Redis {
    pub(super) const REDIS: Self =
        Self { name: "redis", program: "redis-server", package: "redis-server (apt)" };
    pub(super) const VALKEY: Self =
        Self { name: "valkey", program: "valkey-server", package: "valkey-server (apt)" };
}

impl Peer for Redis {
    fn name(&self) -> &'static str {
        self.name
    }

    fn package(&self) -> &'static str {
        self.package
    }

    fn find(&self) -> Result<Option<Program>> {
        install::find(self.program).map(|path| install::program(path, "--version")).transpose()
    }

    fn install(&self) -> Result<()> {
        install::apt(&[self.program])
    }

    fn offers(&self, kind: Kind, durable: bool) -> Offer {
        match (kind, durable) {
            (Kind::Preloaded, _) => Offer::Nothing("a list has no selection"),
            (Kind::FanOut | Kind::NullPublish, true) => Offer::Nothing("its publish/subscribe keeps nothing"),
            (Kind::FanOut | Kind::NullPublish, false) => {
                Offer::Guarantees("at most once, to who is connected")
            }
            (_, false) => Offer::Guarantees("in memory; lost with the process"),
            (_, true) => Offer::Guarantees(
                "appendfsync always: on the disk before the reply; a pop takes the message for good before it is \
                 worked on, and get and put are no unit",
            ),
        }
    }

    fn takes_for_good(&self) -> bool {
        true
    }

    fn start(&self, program: &Program, durable: bool, directory: &Path) -> Result<Box<dyn Broker>> {
        let server = Server::start(&program.path, directory, |address| {
            let port = address.port().to_string();
            let only = if durable { "yes" } else { "no" };
            let options = [
                ["--port", &port],
                ["--bind", "127.0.0.1"],
                ["--save", ""],
                ["--appendonly", only],
                ["--appendfsync", "always"],
            ];
            Ok(options.into_iter().flatten().map(ToOwned::to_owned).collect())
        })?;
        Ok(Box::new(Running { server }))
    }
}

struct Running {
    server: Server,
}

fn requests(scene: &Scene) -> Vec<u8> {
    format!("{}:request", scene.name).into_bytes()
}

fn replies(scene: &str, number: u32) -> Vec<u8> {
    format!("{scene}:reply:{number}").into_bytes()
}

impl Running {
    fn connect(&self) -> Result<Connection> {
        Connection::connect(self.server.address)
    }
}

impl Broker for Running {
    fn processes(&self) -> Vec<u32> {
        self.server.process.processes()
    }

    fn prepare(&self, _scene: &Scene) -> Result<()> {
        // A list is there from its first element on.
        Ok(())
    }

    fn left(&self, scene: &Scene) -> Result<Option<u64>> {
        let mut connection = self.connect()?;
        let mut left = connection.ask(&[b"LLEN", &requests(scene)])?;
        for number in 0..scene.clients {
            left += connection.ask(&[b"LLEN", &replies(&scene.name, number)])?;
        }
        Ok(Some(u64::try_from(left)?))
    }

    fn requester(&self, scene: &Scene, number: u32) -> Result<Box<dyn Requester>> {
        Ok(Box::new(Asking {
            connection: self.connect()?,
            requests: requests(scene),
            replies: replies(&scene.name, number),
        }))
    }

    fn responder(&self, scene: &Scene) -> Result<Box<dyn Responder>> {
        let (connection, requests) = (self.connect()?, requests(scene));
        Ok(Box::new(Answering { connection, requests, scene: scene.name.clone(), has_asked: false }))
    }

    fn putter(&self, scene: &Scene, _number: u32) -> Result<Box<dyn Putter>> {
        let verb = if scene.kind.is_published() { b"PUBLISH".as_slice() } else { b"LPUSH" };
        Ok(Box::new(Putting { connection: self.connect()?, verb, key: requests(scene), unconfirmed: 0 }))
    }

    fn getter(&self, scene: &Scene, _number: u32) -> Result<Box<dyn Getter>> {
        let mut connection = self.connect()?;
        if scene.kind.is_published() {
            connection.ask(&[b"SUBSCRIBE", &requests(scene)])?;
            return Ok(Box::new(Subscribed { connection }));
        }
        Ok(Box::new(Getting { connection, key: requests(scene) }))
    }
}

struct Asking {
    connection: Connection,
    requests: Vec<u8>,
    replies: Vec<u8>,
}

impl Requester for Asking {
    /// The request and the wait for its reply go in one write.
    fn ask(&mut self, body: &[u8]) -> Result<()> {
        self.connection.command(&[b"LPUSH", &self.requests, body]);
        self.connection.command(&[b"BRPOP", &self.replies, b"0"]);
        self.connection.flush()
    }

    fn reply(&mut self, take: &mut Take<'_>) -> Result<bool> {
        loop {
            let Some(received) = self.connection.reply()? else { return Ok(false) };
            match received.parsed {
                // The request is confirmed.
                Reply::Integer(_) => {}
                Reply::Array(body, _) => {
                    take(&received.frame[body])?;
                    return Ok(true);
                }
                other => bail!("{other:?} came instead of a reply"),
            }
        }
    }
}

struct Answering {
    connection: Connection,
    requests: Vec<u8>,
    scene: String,
    has_asked: bool,
}

impl Responder for Answering {
    /// An answer and the wait for the next request go in one write; the answer is confirmed before that comes.
    fn answer(&mut self) -> Result<u64> {
        if !self.has_asked {
            self.connection.command(&[b"BRPOP", &self.requests, b"0"]);
            self.connection.flush()?;
            self.has_asked = true;
        }
        loop {
            let Some(received) = self.connection.reply()? else { return Ok(0) };
            match received.parsed {
                Reply::Integer(_) => {}
                Reply::Array(body, _) => {
                    let body = &received.frame[body];
                    let key = replies(&self.scene, tally::mark_of(body)?.0);
                    resp::write_command(received.output, &[b"LPUSH", &key, body]);
                    resp::write_command(received.output, &[b"BRPOP", &self.requests, b"0"]);
                    self.connection.flush()?;
                    return Ok(1);
                }
                other => bail!("{other:?} came instead of a request"),
            }
        }
    }
}

struct Putting {
    connection: Connection,
    verb: &'static [u8],
    key: Vec<u8>,
    unconfirmed: u64,
}

impl Putter for Putting {
    fn put(&mut self, body: &[u8]) -> Result<()> {
        self.connection.command(&[self.verb, &self.key, body]);
        self.unconfirmed += 1;
        Ok(())
    }

    fn confirm(&mut self) -> Result<()> {
        self.connection.flush()?;
        for _ in 0..std::mem::take(&mut self.unconfirmed) {
            self.connection.integer()?;
        }
        Ok(())
    }
}

struct Getting {
    connection: Connection,
    key: Vec<u8>,
}

impl Getter for Getting {
    fn get(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        self.connection.command(&[b"RPOP", &self.key, count.to_string().as_bytes()]);
        self.connection.flush()?;
        loop {
            let Some(received) = self.connection.reply()? else { continue };
            return match received.parsed {
                Reply::Nothing => Ok(0),
                Reply::Array(..) => resp::strings(received.frame, take),
                other => bail!("{other:?} came instead of messages"),
            };
        }
    }
}

struct Subscribed {
    connection: Connection,
}

impl Getter for Subscribed {
    fn get(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        let mut taken = 0;
        while taken < count {
            let received = if taken == 0 { self.connection.reply()? } else { self.connection.here()? };
            let Some(received) = received else { break };
            let Reply::Array(body, elements) = received.parsed else { bail!("no publication came") };
            ensure!(elements == 3, "a publication has {elements} elements");
            take(&received.frame[body])?;
            taken += 1;
        }
        Ok(taken)
    }
}
