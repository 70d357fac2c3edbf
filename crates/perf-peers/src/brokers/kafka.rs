//! Kafka: one node that is broker and controller, a partition for each putter and the getter of its messages.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use super::server::Server;
use crate::broker::{Broker, Getter, Kind, Offer, Peer, Program, Putter, Requester, Responder, Scene, Take};
use crate::clients::kafka::{self, Batch, KafkaConnection};
use crate::install::{self, Libraries};
use crate::process::free_port;

pub(super) struct Kafka;

/// The libraries of its distribution, which Maven Central has one by one.
const LIBRARIES: Libraries = Libraries { group: "org.apache.kafka", name: "kafka_2.13", version: "4.1.0" };

/// The program that its own script starts, with the settings of that script.
const SERVER: &str = "kafka.Kafka";
const FORMATS: &str = "kafka.tools.StorageTool";
const JAVA_OPTIONS: &[&str] = &[
    "-Xms1G",
    "-Xmx1G",
    "-server",
    "-XX:+UseG1GC",
    "-XX:MaxGCPauseMillis=20",
    "-XX:InitiatingHeapOccupancyPercent=35",
    "-XX:+ExplicitGCInvokesConcurrent",
    "-Djava.awt.headless=true",
];

/// Names a cluster, in the form that the broker wants.
const CLUSTER: &str = "ferry-peers-aaaaaaaaag";

/// A batch is sent before it is longer: the broker takes a mebibyte.
const BATCH_BYTES_MAX: usize = 900 << 10;

/// A topic that is not there by then never is.
const PATIENCE: Duration = Duration::from_secs(30);
const INTERVAL: Duration = Duration::from_millis(50);

impl Peer for Kafka {
    fn name(&self) -> &'static str {
        "kafka"
    }

    fn package(&self) -> &'static str {
        "org.apache.kafka:kafka_2.13 (Maven Central)"
    }

    fn find(&self) -> Result<Option<Program>> {
        LIBRARIES.find()
    }

    fn install(&self) -> Result<()> {
        LIBRARIES.install()
    }

    fn offers(&self, kind: Kind, durable: bool) -> Offer {
        match (kind, durable) {
            (Kind::Jms, _) => Offer::NO_AMQP,
            (Kind::RequestReply, _) => Offer::Nothing("a topic is a log, which nobody answers from"),
            (Kind::Preloaded, _) => Offer::Nothing("a topic has no selection"),
            (Kind::FanOut | Kind::NullPublish, _) => {
                Offer::Nothing("not written: a group for each subscriber")
            }
            (Kind::OneWay, false) => Offer::Guarantees(
                "confirmed when in memory of the system; what was got is told once for each fetch",
            ),
            (Kind::OneWay, true) => Offer::Guarantees(
                "log.flush.interval.messages=1: on the disk before a put is confirmed; what was got is told once for \
                 each fetch, on the disk, too, and comes again when that was lost",
            ),
        }
    }

    fn warms_up(&self) -> bool {
        true
    }

    fn start(&self, program: &Program, durable: bool, directory: &Path) -> Result<Box<dyn Broker>> {
        let controller = free_port()?;
        let settings = directory.join("server.properties");
        let path = settings.to_str().context("the directory's name is no text")?.to_owned();
        let class_path = format!("{}/*", program.path.display());
        let java = install::find("java").context("there is no java")?;
        let server = Server::start(&java, directory, |address| {
            let flush = if durable { "log.flush.interval.messages=1\n" } else { "" };
            let text = format!(
                "process.roles=broker,controller\nnode.id=1\ncontroller.quorum.voters=1@{controller}\n\
                 listeners=PLAINTEXT://{address},CONTROLLER://{controller}\n\
                 advertised.listeners=PLAINTEXT://{address}\ncontroller.listener.names=CONTROLLER\n\
                 log.dirs={}/log\noffsets.topic.num.partitions=1\noffsets.topic.replication.factor=1\n{flush}",
                directory.display()
            );
            std::fs::write(&settings, text).context("cannot write the settings")?;
            let format = ["-cp", &class_path, FORMATS, "format", "-t", CLUSTER, "-c", &path];
            install::run(Command::new(&java).args(format)).context("cannot make the log")?;
            let server = ["-cp", &class_path, SERVER, &path];
            Ok(JAVA_OPTIONS.iter().chain(&server).map(|&word| word.to_owned()).collect())
        })?;
        Ok(Box::new(KafkaBroker { server }))
    }
}

struct KafkaBroker {
    server: Server,
}

impl KafkaBroker {
    fn connect(&self) -> Result<KafkaConnection> {
        KafkaConnection::connect(self.server.address)
    }

    /// Asks until it is so: what was made is known to everybody a moment later.
    fn until(what: &str, mut is_so: impl FnMut() -> Result<bool>) -> Result<()> {
        let until = Instant::now() + PATIENCE;
        loop {
            match is_so() {
                Ok(true) => return Ok(()),
                Ok(false) if Instant::now() > until => bail!("{what} after {PATIENCE:?}"),
                Err(error) if Instant::now() > until => return Err(error).context(what.to_owned()),
                _ => std::thread::sleep(INTERVAL),
            }
        }
    }
}

impl Broker for KafkaBroker {
    fn processes(&self) -> Vec<u32> {
        self.server.process.processes()
    }

    fn prepare(&self, scene: &Scene) -> Result<()> {
        let mut connection = self.connect()?;
        connection.create(&scene.name, i32::try_from(scene.clients)?)?;
        Self::until("nobody keeps what was got", || connection.has_coordinator(&scene.name))?;
        for number in 0..scene.clients {
            let mut client = Getting::new(self, scene, number)?;
            Self::until("there is no such topic", || {
                client.ask();
                client.connection.flush()?;
                Ok(client.connection.fetched(|_| Ok(()))?.is_some())
            })?;
        }
        Ok(())
    }

    /// A topic keeps what was got; each message was counted on its way.
    fn left(&self, scene: &Scene) -> Result<Option<u64>> {
        self.connect()?.delete(&scene.name)?;
        Ok(None)
    }

    fn requester(&self, _scene: &Scene, _number: u32) -> Result<Box<dyn Requester>> {
        bail!("nobody asks here")
    }

    fn responder(&self, _scene: &Scene) -> Result<Box<dyn Responder>> {
        bail!("nobody answers here")
    }

    fn putter(&self, scene: &Scene, number: u32) -> Result<Box<dyn Putter>> {
        Ok(Box::new(Putting {
            connection: self.connect()?,
            topic: scene.name.clone(),
            partition: i32::try_from(number)?,
            batch: Batch::default(),
            unconfirmed: 0,
        }))
    }

    fn getter(&self, scene: &Scene, number: u32) -> Result<Box<dyn Getter>> {
        Ok(Box::new(Getting::new(self, scene, number)?))
    }
}

struct Putting {
    connection: KafkaConnection,
    topic: String,
    partition: i32,
    batch: Batch,
    /// Batches.
    unconfirmed: u32,
}

impl Putting {
    fn send(&mut self) -> Result<()> {
        if self.batch.len() > 0 {
            self.connection.produce(&self.topic, self.partition, &mut self.batch)?;
            self.unconfirmed += 1;
        }
        Ok(())
    }
}

impl Putter for Putting {
    fn put(&mut self, body: &[u8]) -> Result<()> {
        if self.batch.len() + body.len() > BATCH_BYTES_MAX {
            self.send()?;
        }
        self.batch.add(body);
        Ok(())
    }

    fn confirm(&mut self) -> Result<()> {
        self.send()?;
        for _ in 0..std::mem::take(&mut self.unconfirmed) {
            self.connection.confirmed()?;
        }
        Ok(())
    }
}

struct Getting {
    connection: KafkaConnection,
    topic: String,
    partition: i32,
    /// The place of the next message, and up to where it was told that messages were got.
    next: i64,
    told: i64,
    has_asked: bool,
    /// The bytes of a fetch, and the places in it of messages that were not handed over.
    fetched: Vec<u8>,
    waiting: VecDeque<Range<usize>>,
}

impl Getting {
    fn new(broker: &KafkaBroker, scene: &Scene, number: u32) -> Result<Self> {
        Ok(Self {
            connection: broker.connect()?,
            topic: scene.name.clone(),
            partition: i32::try_from(number)?,
            next: 0,
            told: 0,
            has_asked: false,
            fetched: Vec::new(),
            waiting: VecDeque::new(),
        })
    }

    fn ask(&mut self) {
        self.connection.fetch(&self.topic, self.partition, self.next);
    }

    /// Tells what was got and asks for more, in one write; false when nothing came.
    fn fetch(&mut self) -> Result<bool> {
        if !self.has_asked {
            let is_news = self.told < self.next;
            if is_news {
                // The topic's name is the group's, too: nobody else gets from it.
                self.connection.commit(&self.topic, &self.topic, self.partition, self.next);
                self.told = self.next;
            }
            self.ask();
            self.connection.flush()?;
            if is_news {
                self.connection.committed()?;
            }
            self.has_asked = true;
        }
        let fetched = &mut self.fetched;
        let come = self.connection.fetched(|batches| {
            fetched.clear();
            fetched.extend_from_slice(batches);
            Ok(())
        })?;
        if come.is_none() {
            return Ok(false);
        }
        self.has_asked = false;
        kafka::messages(&self.fetched, self.next, |offset, place| {
            ensure!(offset == self.next, "message {offset} came where {} was next", self.next);
            self.next += 1;
            self.waiting.push_back(place);
            Ok(())
        })?;
        Ok(!self.waiting.is_empty())
    }
}

impl Getter for Getting {
    fn get(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        if self.waiting.is_empty() && !self.fetch()? {
            return Ok(0);
        }
        let mut taken = 0;
        while taken < count {
            let Some(place) = self.waiting.pop_front() else { break };
            take(&self.fetched[place])?;
            taken += 1;
        }
        Ok(taken)
    }
}
