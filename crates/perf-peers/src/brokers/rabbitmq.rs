//! RabbitMQ: direct reply-to where nothing must last, quorum queues with confirmations where everything must.

use std::collections::{BTreeSet, VecDeque};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use perf::tally;
use serde_json::{Value, json};

use crate::broker::{
    Broker, End, Getter, Kind, Linked, Offer, Peer, Program, Putter, Requester, Responder, Scene, Side, Take,
};
use crate::clients::amqp091::{self, Amqp091Connection, Publication, QueueKind, Said};
use crate::install;
use crate::process::{Process, free_port};
use crate::socket::Received;

pub(super) struct RabbitMq;

/// Below the program of Debian that changes to a user of its own.
const SCRIPT: &str = "/usr/lib/rabbitmq/bin/rabbitmq-server";

/// The queue by which a connection is answered without one.
const DIRECT: &str = "amq.rabbitmq.reply-to";

/// Messages that are not acknowledged and may be with one getter.
const AHEAD: u16 = 256;

/// The same for a responder, so that the others have some.
const REQUESTS: u16 = 4;

impl Peer for RabbitMq {
    fn name(&self) -> &'static str {
        "rabbitmq"
    }

    fn package(&self) -> &'static str {
        "rabbitmq-server (apt)"
    }

    fn find(&self) -> Result<Option<Program>> {
        let path = PathBuf::from(SCRIPT);
        if !path.is_file() {
            return Ok(None);
        }
        // Asking it would start it; its folder says the version.
        let names = std::fs::read_dir("/usr/lib/rabbitmq/lib").context("RabbitMQ has no libraries")?;
        let names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let version = names.filter(|name| name.starts_with("rabbitmq_server-")).max();
        Ok(Some(Program { path, version: version.unwrap_or_else(|| "of unknown version".to_owned()) }))
    }

    fn install(&self) -> Result<()> {
        install::apt(&["rabbitmq-server"])
    }

    fn offers(&self, kind: Kind, durable: bool) -> Offer {
        match (kind, durable) {
            (Kind::Preloaded, _) => Offer::Nothing("a queue has no selection"),
            (Kind::Jms, _) => {
                Offer::Nothing("AMQP 1.0 needs RabbitMQ 4; before that it is a plugin over AMQP 0-9-1")
            }
            (Kind::FanOut | Kind::NullPublish, true) => {
                Offer::Nothing("not written: a quorum queue for each subscriber")
            }
            (Kind::RequestReply, false) => {
                Offer::Guarantees("classic queue and direct reply-to, in memory, no acknowledgements")
            }
            (_, false) => Offer::Guarantees(
                "classic queues in memory, confirmed where messages go one way; lost with the process",
            ),
            (_, true) => Offer::Guarantees(
                "quorum queues of one member: in the log, which is forced, before a put is confirmed; get and put are no unit",
            ),
        }
    }

    fn start(&self, program: &Program, _durable: bool, directory: &Path) -> Result<Box<dyn Broker>> {
        Ok(Box::new(run(program, directory, free_port()?, "", "")?))
    }
}

/// Starts it at an address, with more settings and these plugins.
fn run(
    program: &Program,
    directory: &Path,
    address: SocketAddr,
    more: &str,
    plugins: &str,
) -> Result<RabbitMqBroker> {
    let text = directory.to_str().context("the directory's name is no text")?;
    let (names, nodes) = (free_port()?, free_port()?);
    // Nodes find each other by a daemon, which would stay when it was started by the first of them.
    let name_server = install::find("epmd").context("there is no epmd, which Erlang brings")?;
    let names_port = names.port().to_string();
    let listens_for_names = [("ERL_EPMD_ADDRESS", "127.0.0.1")];
    let mut name_server =
        Process::start(&name_server, &["-port", &names_port], &listens_for_names, directory)?;
    name_server.wait_listening(names)?;
    let settings = directory.join("rabbitmq.conf");
    let listener =
        format!("listeners.tcp.local = {address}\nlog.console = true\nlog.console.level = warning\n{more}");
    std::fs::write(&settings, listener).context("cannot write the settings")?;
    let node = format!("ferry-peers-{}@localhost", std::process::id());
    let (port, list) = (nodes.port().to_string(), directory.join("enabled_plugins"));
    std::fs::write(&list, format!("[{plugins}].\n")).context("cannot write the list of plugins")?;
    // Otherwise a helper that asks the system for names is started, and outlives the broker.
    let names_file = "{lookup, [file]}.\n{host, {127,0,0,1}, [\"localhost\"]}.\n";
    std::fs::write(directory.join("inetrc"), names_file).context("cannot write the names of hosts")?;
    let place = |name: &str| directory.join(name).to_string_lossy().into_owned();
    let inetrc = place("inetrc");
    let (config, enabled, data, logs) =
        (place("rabbitmq.conf"), place("enabled_plugins"), place("data"), place("logs"));
    let variables = [
        ("HOME", text),
        ("ERL_EPMD_PORT", names_port.as_str()),
        ("ERL_INETRC", &inetrc),
        ("RABBITMQ_NODENAME", &node),
        ("RABBITMQ_DIST_PORT", &port),
        ("RABBITMQ_CONFIG_FILE", &config),
        ("RABBITMQ_ENABLED_PLUGINS_FILE", &enabled),
        ("RABBITMQ_CONF_ENV_FILE", "/dev/null"),
        ("RABBITMQ_MNESIA_BASE", &data),
        ("RABBITMQ_LOG_BASE", &logs),
        // Has the script become the broker instead of watching over it.
        ("RUNNING_UNDER_SYSTEMD", "true"),
    ];
    let mut process = Process::start(&program.path, &[], &variables, directory)?;
    process.wait_listening(address)?;
    Ok(RabbitMqBroker { process, _name_server: name_server, address })
}

/// Two brokers and a shovel, which the first runs.
pub(super) fn linked() -> Linked {
    Linked {
        peer: Box::new(RabbitMq),
        settings: "quorum queues, persistent messages confirmed; a shovel with ack-mode on-confirm, reconnect-delay 1",
        is_called_apart: false,
        start: start_end,
    }
}

fn start_end(program: &Program, end: &End<'_>, scene: &Scene) -> Result<Box<dyn Broker>> {
    let &End { side, directory, address, link } = end;
    let running = match side {
        Side::Second => run(program, directory, address, "", "")?,
        Side::First => {
            let definitions = directory.join("shovel.json");
            std::fs::write(&definitions, shovel(address, link, &requests(scene)).to_string())?;
            let loads = format!("load_definitions = {}\n", definitions.display());
            run(program, directory, address, &loads, "rabbitmq_shovel")?
        }
    };
    running.prepare(scene)?;
    Ok(Box::new(running))
}

/// Definitions of a shovel, and of the user that a broker with definitions does not make by itself.
fn shovel(from: SocketAddr, to: SocketAddr, queue: &str) -> Value {
    json!({
        "users": [{"name": "guest", "password": "guest", "tags": "administrator"}],
        "vhosts": [{"name": "/"}],
        "permissions": [{"user": "guest", "vhost": "/", "configure": ".*", "write": ".*", "read": ".*"}],
        "parameters": [{"vhost": "/", "component": "shovel", "name": "link", "value": {
            "src-protocol": "amqp091", "src-uri": format!("amqp://guest:guest@{from}"), "src-queue": queue,
            "dest-protocol": "amqp091", "dest-uri": format!("amqp://guest:guest@{to}"), "dest-queue": queue,
            "ack-mode": "on-confirm", "reconnect-delay": 1,
        }}],
    })
}

struct RabbitMqBroker {
    process: Process,
    /// Ends after the broker.
    _name_server: Process,
    address: SocketAddr,
}

fn requests(scene: &Scene) -> String {
    format!("{}.request", scene.name)
}

fn replies(scene: &str, number: u32) -> String {
    format!("{scene}.reply.{number}")
}

impl Broker for RabbitMqBroker {
    fn processes(&self) -> Vec<u32> {
        self.process.processes()
    }

    fn prepare(&self, scene: &Scene) -> Result<()> {
        let mut connection = Amqp091Connection::connect(self.address)?;
        if scene.kind.is_published() {
            return connection.declare_fan_out(&requests(scene));
        }
        let kind = if scene.durable { QueueKind::Quorum } else { QueueKind::Transient };
        connection.declare(&requests(scene), kind)?;
        if scene.kind == Kind::RequestReply && scene.durable {
            for number in 0..scene.clients {
                connection.declare(&replies(&scene.name, number), kind)?;
            }
        }
        Ok(())
    }

    /// A quorum queue tells its depth now and then only, so it is not asked; each message was counted on its
    /// way.
    fn left(&self, scene: &Scene) -> Result<Option<u64>> {
        if scene.durable || scene.kind.is_published() {
            return Ok(None);
        }
        let mut connection = Amqp091Connection::connect(self.address)?;
        connection.declare(&requests(scene), QueueKind::Transient).map(Some)
    }

    fn requester(&self, scene: &Scene, number: u32) -> Result<Box<dyn Requester>> {
        let mut client = Client::connect(self, scene)?;
        if scene.durable {
            client.connection.confirm_puts()?;
            client.confirms = true;
            client.connection.consume(&replies(&scene.name, number), Some(u16::try_from(scene.window)?))?;
        } else {
            client.connection.consume(DIRECT, None)?;
            client.reply_to = Some(DIRECT.as_bytes());
        }
        Ok(Box::new(client))
    }

    fn responder(&self, scene: &Scene) -> Result<Box<dyn Responder>> {
        let mut client = Client::connect(self, scene)?;
        if scene.durable {
            client.connection.confirm_puts()?;
        }
        client.ahead = REQUESTS.max(u16::try_from(scene.window)?);
        client.connection.consume(&requests(scene), scene.durable.then_some(client.ahead))?;
        Ok(Box::new(client))
    }

    fn putter(&self, scene: &Scene, _number: u32) -> Result<Box<dyn Putter>> {
        let mut client = Client::connect(self, scene)?;
        if scene.kind.is_published() {
            (client.exchange, client.key) = (client.key, Vec::new());
        } else {
            client.connection.confirm_puts()?;
            client.confirms = true;
        }
        Ok(Box::new(client))
    }

    fn getter(&self, scene: &Scene, number: u32) -> Result<Box<dyn Getter>> {
        let mut client = Client::connect(self, scene)?;
        if scene.kind.is_published() {
            let queue = format!("{}.subscriber.{number}", scene.name);
            client.connection.declare(&queue, QueueKind::Exclusive)?;
            client.connection.bind(&queue, &requests(scene))?;
            client.connection.consume(&queue, None)?;
        } else {
            client.connection.consume(&requests(scene), Some(AHEAD))?;
            client.acknowledges = true;
        }
        Ok(Box::new(client))
    }
}

struct Client {
    connection: Amqp091Connection,
    scene: String,
    durable: bool,
    exchange: Vec<u8>,
    key: Vec<u8>,
    reply_to: Option<&'static [u8]>,
    /// Requests that a responder takes at a time.
    ahead: u16,
    confirms: bool,
    acknowledges: bool,
    /// The number of what was put last, and the numbers of what was not confirmed.
    put: u64,
    unconfirmed: BTreeSet<u64>,
    /// Messages that came while something else was waited for, with their tags.
    waiting: VecDeque<(u64, Vec<u8>)>,
}

impl Client {
    fn connect(broker: &RabbitMqBroker, scene: &Scene) -> Result<Self> {
        Ok(Self {
            connection: Amqp091Connection::connect(broker.address)?,
            scene: scene.name.clone(),
            durable: scene.durable,
            exchange: Vec::new(),
            key: requests(scene).into_bytes(),
            reply_to: None,
            ahead: REQUESTS,
            confirms: false,
            acknowledges: false,
            put: 0,
            unconfirmed: BTreeSet::new(),
            waiting: VecDeque::new(),
        })
    }

    fn put_to_key(&mut self, body: &[u8]) {
        let publication = Publication {
            exchange: &self.exchange,
            key: &self.key,
            reply_to: self.reply_to,
            persistent: self.durable,
        };
        amqp091::write_publish(self.connection.output(), publication, body);
        if self.confirms {
            self.number();
        }
    }

    /// Takes note of a confirmation: of one message, or of all up to it.
    fn note(&mut self, tag: u64, several: bool) {
        if several {
            self.unconfirmed = self.unconfirmed.split_off(&(tag + 1));
        } else {
            self.unconfirmed.remove(&tag);
        }
    }

    /// The message just written is numbered by the broker, too, where it confirms.
    fn number(&mut self) {
        self.put += 1;
        self.unconfirmed.insert(self.put);
    }

    /// Sends, and waits until all that was put is confirmed; messages that come meanwhile wait.
    fn wait_confirmed(&mut self) -> Result<()> {
        self.connection.flush()?;
        while !self.unconfirmed.is_empty() {
            let Some(Received { parsed, frame, .. }) = self.connection.next()? else { continue };
            match parsed {
                Said::Confirmed { tag, several } => self.note(tag, several),
                Said::Delivery { tag, body, .. } => self.waiting.push_back((tag, frame[body].to_vec())),
                _ => {}
            }
        }
        Ok(())
    }

    /// Hands over what has come, up to so many and waiting for the first; how many, and the last one's tag.
    fn receive_all(&mut self, count: u64, take: &mut Take<'_>) -> Result<(u64, Option<u64>)> {
        let (mut received, mut last) = (0, None);
        while received < count {
            let Some(tag) = self.receive(received == 0, take)? else { break };
            received += 1;
            last = Some(tag);
        }
        Ok((received, last))
    }

    /// The next message and its tag: one that waited, or one that comes, waited for or not.
    fn receive(&mut self, waits: bool, take: &mut Take<'_>) -> Result<Option<u64>> {
        if let Some((tag, body)) = self.waiting.pop_front() {
            take(&body)?;
            return Ok(Some(tag));
        }
        loop {
            let next = if waits { self.connection.next()? } else { self.connection.here()? };
            let Some(Received { parsed, frame, .. }) = next else { return Ok(None) };
            match parsed {
                Said::Delivery { tag, body, .. } => {
                    take(&frame[body])?;
                    return Ok(Some(tag));
                }
                Said::Confirmed { tag, several } => self.note(tag, several),
                Said::Heartbeat => {}
                Said::Method(method, _) => bail!("the broker says {method:?} unasked"),
            }
        }
    }
}

impl Requester for Client {
    fn ask(&mut self, body: &[u8]) -> Result<()> {
        self.put_to_key(body);
        Ok(())
    }

    fn replies(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        self.connection.flush()?;
        let (received, last) = self.receive_all(count, take)?;
        if let Some(last) = last.filter(|_| self.durable) {
            self.wait_confirmed()?;
            amqp091::write_acknowledgement(self.connection.output(), last, true);
            self.connection.flush()?;
        }
        Ok(received)
    }
}

impl Responder for Client {
    /// Requests that came together are answered together; acknowledged when all answers are confirmed.
    fn answer(&mut self) -> Result<u64> {
        if self.durable { self.answer_durably() } else { self.answer_directly() }
    }
}

impl Client {
    fn answer_directly(&mut self) -> Result<u64> {
        let mut answered = 0;
        loop {
            let next = if answered == 0 { self.connection.next()? } else { self.connection.here()? };
            let Some(Received { parsed, frame, output }) = next else { break };
            let Said::Delivery { reply_to, body, .. } = parsed else { continue };
            let key = &frame[reply_to.context("a request that cannot be answered")?];
            amqp091::write_publish(output, Publication { key, ..Publication::default() }, &frame[body]);
            answered += 1;
        }
        self.connection.flush()?;
        Ok(answered)
    }

    fn answer_durably(&mut self) -> Result<u64> {
        let mut bodies = Vec::new();
        let (_, last) = self.receive_all(u64::from(self.ahead), &mut |body| {
            bodies.push(body.to_vec());
            Ok(())
        })?;
        let Some(last) = last else { return Ok(0) };
        for body in &bodies {
            let key = replies(&self.scene, tally::mark_of(body)?.0);
            let publication = Publication { key: key.as_bytes(), persistent: true, ..Publication::default() };
            amqp091::write_publish(self.connection.output(), publication, body);
            self.number();
        }
        self.wait_confirmed()?;
        amqp091::write_acknowledgement(self.connection.output(), last, true);
        self.connection.flush()?;
        Ok(bodies.len() as u64)
    }
}

impl Putter for Client {
    fn put(&mut self, body: &[u8]) -> Result<()> {
        self.put_to_key(body);
        Ok(())
    }

    fn confirm(&mut self) -> Result<()> {
        if self.confirms { self.wait_confirmed() } else { self.connection.flush() }
    }

    fn settle(&mut self) -> Result<()> {
        self.confirm()?;
        if self.exchange.is_empty() {
            return Ok(());
        }
        // What is there already is not made again, but answered after all that came before.
        self.connection.declare_fan_out(std::str::from_utf8(&self.exchange)?)
    }
}

impl Getter for Client {
    fn get(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        let (received, last) = self.receive_all(count, take)?;
        if let Some(last) = last.filter(|_| self.acknowledges) {
            amqp091::write_acknowledgement(self.connection.output(), last, true);
            self.connection.flush()?;
        }
        Ok(received)
    }
}
