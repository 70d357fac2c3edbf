//! NATS: core subjects for messages at most once, JetStream where they are kept.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use perf::tally;
use serde_json::{Value, json};

use super::server::Server;
use crate::broker::{
    Broker, End, Getter, Kind, Linked, Offer, Peer, Program, Putter, Requester, Responder, Scene, Side, Take,
};
use crate::clients::nats::{self, NatsConnection, Said};
use crate::install;
use crate::process::free_port;
use crate::socket::Received;

pub(super) struct Nats;

/// The newest by the Go tool; Debian's is older than forced writes of JetStream (2.10).
const MODULE: &str = "github.com/nats-io/nats-server/v2@latest";

impl Peer for Nats {
    fn name(&self) -> &'static str {
        "nats"
    }

    fn package(&self) -> &'static str {
        "github.com/nats-io/nats-server/v2 (go install), or nats-server (apt)"
    }

    fn find(&self) -> Result<Option<Program>> {
        let built = install::cache()?.join("nats-server");
        let path = if built.is_file() { Some(built) } else { install::find("nats-server") };
        path.map(|path| install::program(path, "--version")).transpose()
    }

    fn install(&self) -> Result<()> {
        if install::find("go").is_some() { install::go(MODULE) } else { install::apt(&["nats-server"]) }
    }

    fn offers(&self, kind: Kind, durable: bool) -> Offer {
        match (kind, durable) {
            (Kind::Jms, _) => Offer::NO_AMQP,
            (Kind::Preloaded, _) => {
                Offer::Nothing("it selects by subject, which a consumer says once and not with each get")
            }
            (Kind::RequestReply | Kind::FanOut | Kind::NullPublish, false) => {
                Offer::Guarantees("core: at most once, to who is connected")
            }
            (Kind::FanOut | Kind::NullPublish, true) => {
                Offer::Nothing("not written: JetStream with a consumer for each subscriber")
            }
            (Kind::OneWay, false) => {
                Offer::Guarantees("JetStream in memory: confirmed, lost with the process")
            }
            (_, true) => Offer::Guarantees(
                "JetStream, sync_interval always: on the disk before a put is confirmed; acknowledged gets come again \
                 when the acknowledgement was lost, and get and put are no unit",
            ),
        }
    }

    fn start(&self, program: &Program, _durable: bool, directory: &Path) -> Result<Box<dyn Broker>> {
        Ok(Box::new(run(program, directory, free_port()?, "", "")?))
    }
}

/// Starts it with its store in a directory, and more to say on the store and on the server.
fn run(
    program: &Program,
    directory: &Path,
    address: SocketAddr,
    of_store: &str,
    of_server: &str,
) -> Result<NatsBroker> {
    let settings = directory.join("nats.conf");
    let path = settings.to_str().context("the directory's name is no text")?.to_owned();
    let store = directory.display();
    let text = format!(
        "listen: \"{address}\"\njetstream {{ store_dir: \"{store}\", sync_interval: always, {of_store} }}\n{of_server}"
    );
    std::fs::write(&settings, text).context("cannot write the settings")?;
    let server = Server::at(address, &program.path, directory, &["-c".to_owned(), path])?;
    Ok(NatsBroker { server })
}

/// Two servers that a leaf node joins; the stream of the second has that of the first as its source.
pub(super) fn linked() -> Linked {
    Linked {
        peer: Box::new(Nats),
        settings: "JetStream, sync_interval always at both ends, each a domain of its own; the first calls as a leaf \
                   node, and the stream of the second has that of the first as its source",
        is_called_apart: true,
        start: start_end,
    }
}

fn start_end(program: &Program, end: &End<'_>, scene: &Scene) -> Result<Box<dyn Broker>> {
    let &End { side, directory, address, link } = end;
    let (domain, leaf) = match side {
        Side::First => ("first", format!("remotes: [{{ url: \"nats://{link}\" }}]")),
        Side::Second => ("second", format!("listen: \"{link}\"")),
    };
    let of_server = format!("server_name: {domain}\nleafnodes {{ {leaf} }}\n");
    let running = run(program, directory, address, &format!("domain: {domain}"), &of_server)?;
    let mut stream = json!({"name": scene.name, "storage": "file", "num_replicas": 1});
    match side {
        Side::First => stream["subjects"] = json!([requests(scene)]),
        Side::Second => {
            stream["sources"] = json!([{"name": scene.name, "external": {"api": "$JS.first.API"}}]);
        }
    }
    // The same again changes nothing.
    running.manage(&format!("STREAM.CREATE.{}", scene.name), &stream)?;
    if side == Side::Second {
        running.consumer(&scene.name, "workers", &requests(scene))?;
    }
    Ok(Box::new(running))
}

struct NatsBroker {
    server: Server,
}

/// Confirmations of what was put come by the first subscription of a connection, messages by the second.
const CONFIRMATIONS: u32 = 1;
const MESSAGES: u32 = 2;

/// A pull that has brought nothing ends after this, and is made again.
const PULL: &str = "{\"batch\":BATCH,\"expires\":10000000000}";

/// Messages that a pull asks for where there is more than one.
const BATCH: u64 = 256;

fn requests(scene: &Scene) -> String {
    format!("{}.request", scene.name)
}

fn replies(scene: &str, number: u32) -> String {
    format!("{scene}.reply.{number}")
}

/// The stream that keeps the replies of a scene; that of its requests is called as the scene.
fn reply_stream(scene: &Scene) -> String {
    format!("{}-reply", scene.name)
}

/// Returns true if messages of the scene are in a stream.
fn is_kept(scene: &Scene) -> bool {
    scene.durable || scene.kind == Kind::OneWay
}

impl NatsBroker {
    fn connect(&self) -> Result<NatsConnection> {
        NatsConnection::connect(self.server.address)
    }

    /// Has JetStream do something.
    fn manage(&self, subject: &str, what: &Value) -> Result<Value> {
        let mut connection = self.connect()?;
        let inbox = format!("manage.{}", subject.replace('.', "-"));
        connection.subscribe(&inbox, None, 1)?;
        let answer = connection.ask(&format!("$JS.API.{subject}"), &inbox, what.to_string().as_bytes())?;
        let answer: Value = serde_json::from_slice(&answer)?;
        ensure!(answer.get("error").is_none(), "JetStream refuses {subject}: {}", answer["error"]);
        Ok(answer)
    }

    fn stream(&self, scene: &Scene, name: &str, subjects: &str) -> Result<()> {
        let storage = if scene.durable { "file" } else { "memory" };
        let stream = json!({
            "name": name, "subjects": [subjects], "retention": "workqueue", "storage": storage, "num_replicas": 1,
        });
        self.manage(&format!("STREAM.CREATE.{name}"), &stream).map(drop)
    }

    fn consumer(&self, stream: &str, name: &str, subject: &str) -> Result<()> {
        let config = json!({
            "durable_name": name, "ack_policy": "explicit", "max_ack_pending": -1, "filter_subject": subject,
        });
        let consumer = json!({"stream_name": stream, "config": config});
        self.manage(&format!("CONSUMER.DURABLE.CREATE.{stream}.{name}"), &consumer).map(drop)
    }

    fn streams(&self, scene: &Scene) -> Vec<String> {
        match scene.kind {
            Kind::RequestReply if is_kept(scene) => vec![scene.name.clone(), reply_stream(scene)],
            Kind::OneWay => vec![scene.name.clone()],
            _ => Vec::new(),
        }
    }

    fn messages(&self, stream: &str) -> Result<u64> {
        let info = self.manage(&format!("STREAM.INFO.{stream}"), &json!({}))?;
        info["state"]["messages"].as_u64().context("a stream does not say how many messages it has")
    }

    /// A client of streams, which confirmations and messages come to by subjects that nobody else has.
    fn kept(&self, stream: &str, consumer: &str, put_to: &str) -> Result<Kept> {
        static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let (confirmations, messages) = (format!("in.confirmed.{number}"), format!("in.message.{number}"));
        let mut connection = self.connect()?;
        connection.subscribe(&confirmations, None, CONFIRMATIONS)?;
        connection.subscribe(&messages, None, MESSAGES)?;
        Ok(Kept {
            connection,
            confirmations,
            messages,
            pull: format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}"),
            put_to: put_to.to_owned(),
            unconfirmed: 0,
            batch: BATCH,
            pulled: 0,
            waiting: VecDeque::new(),
            acknowledgements: Vec::new(),
        })
    }
}

/// Acknowledgements are not answered: a stream may know of the last a moment after the client sent it.
const SETTLE: Duration = Duration::from_secs(5);

impl Broker for NatsBroker {
    fn processes(&self) -> Vec<u32> {
        self.server.process.processes()
    }

    fn prepare(&self, scene: &Scene) -> Result<()> {
        if !is_kept(scene) {
            return Ok(());
        }
        self.stream(scene, &scene.name, &requests(scene))?;
        self.consumer(&scene.name, "workers", &requests(scene))?;
        if scene.kind == Kind::RequestReply {
            let stream = reply_stream(scene);
            self.stream(scene, &stream, &format!("{}.reply.*", scene.name))?;
            for number in 0..scene.clients {
                self.consumer(&stream, &format!("requester-{number}"), &replies(&scene.name, number))?;
            }
        }
        Ok(())
    }

    fn left(&self, scene: &Scene) -> Result<Option<u64>> {
        let until = Instant::now() + SETTLE;
        let streams = self.streams(scene);
        loop {
            let left: Result<u64> = streams.iter().map(|stream| self.messages(stream)).sum();
            let left = left?;
            if left > 0 && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(20));
                continue;
            }
            for stream in &streams {
                self.manage(&format!("STREAM.DELETE.{stream}"), &json!({}))?;
            }
            return Ok(Some(left));
        }
    }

    fn requester(&self, scene: &Scene, number: u32) -> Result<Box<dyn Requester>> {
        if is_kept(scene) {
            let consumer = format!("requester-{number}");
            let kept = self.kept(&reply_stream(scene), &consumer, &requests(scene))?;
            return Ok(Box::new(Kept { batch: scene.window.into(), ..kept }));
        }
        let mut connection = self.connect()?;
        connection.subscribe(&replies(&scene.name, number), None, MESSAGES)?;
        Ok(Box::new(Core { connection, subject: requests(scene), scene: scene.name.clone() }))
    }

    fn responder(&self, scene: &Scene) -> Result<Box<dyn Responder>> {
        if is_kept(scene) {
            let kept = self.kept(&scene.name, "workers", "")?;
            let kept = Kept { batch: REQUESTS.max(scene.window.into()), ..kept };
            return Ok(Box::new(NatsResponder { kept, scene: scene.name.clone() }));
        }
        let mut connection = self.connect()?;
        connection.subscribe(&requests(scene), Some("responders"), MESSAGES)?;
        Ok(Box::new(Core { connection, subject: String::new(), scene: scene.name.clone() }))
    }

    fn putter(&self, scene: &Scene, _number: u32) -> Result<Box<dyn Putter>> {
        if is_kept(scene) {
            return Ok(Box::new(self.kept(&scene.name, "workers", &requests(scene))?));
        }
        let connection = self.connect()?;
        Ok(Box::new(Core { connection, subject: requests(scene), scene: scene.name.clone() }))
    }

    fn getter(&self, scene: &Scene, _number: u32) -> Result<Box<dyn Getter>> {
        if is_kept(scene) {
            return Ok(Box::new(self.kept(&scene.name, "workers", "")?));
        }
        let mut connection = self.connect()?;
        connection.subscribe(&requests(scene), None, MESSAGES)?;
        Ok(Box::new(Core { connection, subject: String::new(), scene: scene.name.clone() }))
    }
}

/// A client of core subjects.
struct Core {
    connection: NatsConnection,
    subject: String,
    scene: String,
}

impl Core {
    /// Hands over what has come, waiting for the first; `each` is given a body and the place for an answer.
    fn receive(
        &mut self,
        count: u64,
        mut each: impl FnMut(&[u8], &mut Vec<u8>) -> Result<()>,
    ) -> Result<u64> {
        let mut received = 0;
        while received < count {
            let next = if received == 0 { self.connection.next()? } else { self.connection.here()? };
            let Some(Received { parsed, frame, output }) = next else { break };
            match parsed {
                Said::Message { body, .. } => {
                    each(&frame[body], output)?;
                    received += 1;
                }
                Said::Status => bail!("a status came instead of a message"),
                _ => {}
            }
        }
        Ok(received)
    }
}

impl Requester for Core {
    fn ask(&mut self, body: &[u8]) -> Result<()> {
        self.connection.publish(&self.subject, None, body);
        Ok(())
    }

    fn replies(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        self.connection.flush()?;
        self.receive(count, |body, _| take(body))
    }
}

impl Responder for Core {
    /// All requests that one read brought are answered by one write.
    fn answer(&mut self) -> Result<u64> {
        let scene = self.scene.clone();
        let answered = self.receive(u64::MAX, |body, output| {
            let subject = replies(&scene, tally::mark_of(body)?.0);
            nats::write_publish(output, subject.as_bytes(), None, body);
            Ok(())
        })?;
        self.connection.flush()?;
        Ok(answered)
    }
}

impl Putter for Core {
    fn put(&mut self, body: &[u8]) -> Result<()> {
        self.connection.publish(&self.subject, None, body);
        Ok(())
    }

    fn confirm(&mut self) -> Result<()> {
        self.connection.flush()
    }

    fn settle(&mut self) -> Result<()> {
        self.connection.settle()
    }
}

impl Getter for Core {
    fn get(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        self.receive(count, |body, _| take(body))
    }
}

/// A client of streams.
struct Kept {
    connection: NatsConnection,
    confirmations: String,
    messages: String,
    /// The subject that pulls.
    pull: String,
    put_to: String,
    unconfirmed: u64,
    /// Messages that a pull asks for.
    batch: u64,
    /// Messages that were pulled and have not come.
    pulled: u64,
    /// Messages that came while confirmations were waited for.
    waiting: VecDeque<Vec<u8>>,
    /// Where to acknowledge what has come.
    acknowledgements: Vec<String>,
}

impl Kept {
    /// Asks for messages unless some are asked for already, and sends what is to be sent.
    fn pull(&mut self) -> Result<()> {
        if self.pulled == 0 {
            let body = PULL.replace("BATCH", &self.batch.to_string());
            self.connection.publish(&self.pull, Some(&self.messages), body.as_bytes());
            self.pulled = self.batch;
        }
        self.connection.flush()
    }

    fn put_to(&mut self, subject: &str, body: &[u8]) {
        self.connection.publish(subject, Some(&self.confirmations), body);
        self.unconfirmed += 1;
    }

    /// Takes what comes next: true when that was a message.
    fn next(&mut self, waits: bool, take: &mut Take<'_>) -> Result<Option<bool>> {
        let next = if waits { self.connection.next()? } else { self.connection.here()? };
        let Some(Received { parsed, frame, .. }) = next else { return Ok(None) };
        match parsed {
            Said::Message { number: CONFIRMATIONS, body, .. } => {
                // A refusal is rare and long; a confirmation names the stream first.
                ensure!(
                    !frame[body.clone()].starts_with(b"{\"error\""),
                    "JetStream refuses: {}",
                    String::from_utf8_lossy(&frame[body])
                );
                self.unconfirmed -= 1;
                Ok(Some(false))
            }
            Said::Message { reply, body, .. } => {
                take(&frame[body])?;
                let reply = reply.context("a message that cannot be acknowledged")?;
                self.acknowledgements.push(std::str::from_utf8(&frame[reply])?.to_owned());
                self.pulled = self.pulled.saturating_sub(1);
                Ok(Some(true))
            }
            Said::Status => {
                self.pulled = 0;
                Ok(Some(false))
            }
            _ => Ok(Some(false)),
        }
    }

    /// Acknowledges the first of what has come.
    fn acknowledge(&mut self, count: u64) -> Result<()> {
        for subject in self.acknowledgements.drain(..usize::try_from(count)?) {
            self.connection.publish(&subject, None, b"+ACK");
        }
        self.connection.flush()
    }

    fn wait_confirmed(&mut self) -> Result<()> {
        self.connection.flush()?;
        let mut waiting = std::mem::take(&mut self.waiting);
        let mut keep = |body: &[u8]| {
            waiting.push_back(body.to_vec());
            Ok(())
        };
        while self.unconfirmed > 0 {
            self.next(true, &mut keep)?;
        }
        self.waiting = waiting;
        Ok(())
    }

    /// Hands over up to so many, waiting for the first; they are not acknowledged yet.
    fn receive(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        self.pull()?;
        let mut received = 0;
        while received < count {
            if let Some(body) = self.waiting.pop_front() {
                take(&body)?;
                received += 1;
                continue;
            }
            match self.next(received == 0, take)? {
                Some(true) => received += 1,
                Some(false) => self.pull()?,
                None => break,
            }
        }
        Ok(received)
    }
}

impl Requester for Kept {
    fn ask(&mut self, body: &[u8]) -> Result<()> {
        let subject = std::mem::take(&mut self.put_to);
        self.put_to(&subject, body);
        self.put_to = subject;
        Ok(())
    }

    fn replies(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        let received = self.receive(count, take)?;
        if received > 0 {
            self.wait_confirmed()?;
            self.acknowledge(received)?;
        }
        Ok(received)
    }
}

impl Putter for Kept {
    fn put(&mut self, body: &[u8]) -> Result<()> {
        let subject = std::mem::take(&mut self.put_to);
        self.put_to(&subject, body);
        self.put_to = subject;
        Ok(())
    }

    fn confirm(&mut self) -> Result<()> {
        self.wait_confirmed()
    }
}

impl Getter for Kept {
    fn get(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        let received = self.receive(count, take)?;
        self.acknowledge(received)?;
        Ok(received)
    }
}

struct NatsResponder {
    kept: Kept,
    scene: String,
}

/// Requests that one responder takes at a time, so that the others have some.
const REQUESTS: u64 = 4;

impl Responder for NatsResponder {
    /// Requests that came together are answered together: acknowledged when all answers are confirmed.
    fn answer(&mut self) -> Result<u64> {
        let mut bodies = Vec::new();
        let received = self.kept.receive(self.kept.batch, &mut |body| {
            bodies.push(body.to_vec());
            Ok(())
        })?;
        for body in &bodies {
            let subject = replies(&self.scene, tally::mark_of(body)?.0);
            self.kept.put_to(&subject, body);
        }
        self.kept.wait_confirmed()?;
        self.kept.acknowledge(received)?;
        Ok(received)
    }
}
