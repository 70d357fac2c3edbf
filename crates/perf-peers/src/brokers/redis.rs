//! Redis and Valkey: lists as queues, their publish/subscribe as topics.

use std::path::Path;

use anyhow::{Result, bail, ensure};
use perf::tally;

use super::server::Server;
use crate::broker::{Broker, Getter, Kind, Offer, Peer, Program, Putter, Requester, Responder, Scene, Take};
use crate::clients::resp::{self, Reply, RespConnection};
use crate::install;
use crate::socket::Received;

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
            (Kind::Jms, _) => Offer::NO_AMQP,
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
        Ok(Box::new(RedisBroker { server }))
    }
}

struct RedisBroker {
    server: Server,
}

fn requests(scene: &Scene) -> Vec<u8> {
    format!("{}:request", scene.name).into_bytes()
}

fn replies(scene: &str, number: u32) -> Vec<u8> {
    format!("{scene}:reply:{number}").into_bytes()
}

impl RedisBroker {
    fn connect(&self) -> Result<RespConnection> {
        RespConnection::connect(self.server.address)
    }
}

impl Broker for RedisBroker {
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
            requests: requests(scene),
            replies: Popping::new(self.connect()?, replies(&scene.name, number), scene.window),
        }))
    }

    fn responder(&self, scene: &Scene) -> Result<Box<dyn Responder>> {
        let requests = Popping::new(self.connect()?, requests(scene), scene.window);
        Ok(Box::new(RedisResponder { requests, scene: scene.name.clone() }))
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

/// Takes messages from the end of a list: waits for the first, and has by the same write what lies behind it.
struct Popping {
    connection: RespConnection,
    key: Vec<u8>,
    /// Messages behind the first.
    behind: u32,
    /// Answers that were asked for and have not come: with the first message, and with those behind it.
    to_come: u32,
}

impl Popping {
    fn new(connection: RespConnection, key: Vec<u8>, window: u32) -> Self {
        Self { connection, key, behind: window.saturating_sub(1), to_come: 0 }
    }

    /// Sends the output and hands over what has come, with the place for answers, waiting for the first; none
    /// when none came for a moment. Answers to earlier pushes come first: these are confirmed then.
    fn pop(&mut self, mut each: impl FnMut(&[u8], &mut Vec<u8>) -> Result<()>) -> Result<u64> {
        if self.to_come == 0 {
            self.connection.command(&[b"BRPOP", &self.key, b"0"]);
            self.to_come = 1;
            if self.behind > 0 {
                self.connection.command(&[b"RPOP", &self.key, self.behind.to_string().as_bytes()]);
                self.to_come = 2;
            }
            self.connection.flush()?;
        }
        let mut popped = 0;
        while self.to_come > 0 {
            let Some(Received { parsed, frame, output }) = self.connection.reply()? else {
                if popped == 0 {
                    break;
                }
                continue;
            };
            match parsed {
                Reply::Integer(_) => continue,
                Reply::Array(body, _) if popped == 0 => {
                    each(&frame[body], output)?;
                    popped = 1;
                }
                Reply::Array(..) => popped += resp::strings(frame, |body| each(body, output))?,
                Reply::Nothing if popped > 0 => {}
                other => bail!("{other:?} came instead of a message"),
            }
            self.to_come -= 1;
        }
        Ok(popped)
    }
}

struct Asking {
    requests: Vec<u8>,
    replies: Popping,
}

impl Requester for Asking {
    fn ask(&mut self, body: &[u8]) -> Result<()> {
        self.replies.connection.command(&[b"LPUSH", &self.requests, body]);
        Ok(())
    }

    /// Requests and the wait for replies go in one write.
    fn replies(&mut self, _count: u64, take: &mut Take<'_>) -> Result<u64> {
        self.replies.pop(|body, _| take(body))
    }
}

struct RedisResponder {
    requests: Popping,
    scene: String,
}

impl Responder for RedisResponder {
    /// Answers and the wait for the next requests go in one write; the answers are confirmed before those
    /// come.
    fn answer(&mut self) -> Result<u64> {
        let scene = &self.scene;
        self.requests.pop(|body, output| {
            let key = replies(scene, tally::mark_of(body)?.0);
            resp::write_command(output, &[b"LPUSH", &key, body]);
            Ok(())
        })
    }
}

struct Putting {
    connection: RespConnection,
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
    connection: RespConnection,
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
    connection: RespConnection,
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
