//! The clients of every broker that speaks AMQP 1.0 and has the queues, topics and selectors of JMS.
//!
//! Lives here: the workloads in the words of AMQP. Lives elsewhere: installing and setting up (`artemis`,
//! `activemq`).

use std::collections::VecDeque;

use anyhow::{Context as _, Result};
use perf::tally;

use super::server::Server;
use crate::broker::{AmqpQueues, Broker, Getter, Kind, Putter, Requester, Responder, Scene, Take};
use crate::clients::amqp10::{Amqp10Connection, Message, Node, Said};
use crate::socket::Received;

/// A broker with what begins the names of its queues and topics.
pub(super) struct AmqpBroker {
    pub(super) server: Server,
    pub(super) queues: &'static str,
    pub(super) topics: &'static str,
}

/// Messages that come before they are asked for, to a getter and to a subscriber.
const AHEAD: u32 = 256;
const AHEAD_OF_SUBSCRIBER: u32 = 1000;

/// The same for a responder whose messages must be acknowledged, so that the others have some.
const REQUESTS: u32 = 4;

/// Messages put between two waits for the broker's word while a queue is filled.
const FILL_BATCH: u64 = 500;

impl AmqpBroker {
    fn requests(&self, scene: &Scene) -> String {
        Self::requests_of(self.queues, scene)
    }

    /// The name of the queue of requests, or of what goes one way, behind what names of queues begin with.
    pub(super) fn requests_of(queues: &str, scene: &Scene) -> String {
        format!("{queues}{}.request", scene.name)
    }

    /// The queue of one requester's replies; where they are selected, that of all.
    fn replies(&self, scene: &Scene, number: u32) -> String {
        match scene.kind {
            Kind::Preloaded => format!("{}{}.reply", self.queues, scene.name),
            _ => format!("{}{}.reply.{number}", self.queues, scene.name),
        }
    }

    /// Where messages go that nobody answers.
    fn one_way(&self, scene: &Scene) -> (Node, String) {
        match scene.kind {
            Kind::FanOut | Kind::NullPublish => (Node::Topic, format!("{}{}.topic", self.topics, scene.name)),
            _ => (Node::Queue, self.requests(scene)),
        }
    }

    /// Number of requesters with a queue for their replies.
    fn repliers(scene: &Scene) -> u32 {
        match scene.kind {
            Kind::RequestReply | Kind::Jms => scene.clients,
            Kind::Preloaded => 1,
            Kind::OneWay | Kind::FanOut | Kind::NullPublish => 0,
        }
    }

    /// The queues of a scene.
    fn queues(&self, scene: &Scene) -> Vec<String> {
        match scene.kind {
            Kind::FanOut | Kind::NullPublish => Vec::new(),
            _ => std::iter::once(self.requests(scene))
                .chain((0..Self::repliers(scene)).map(|number| self.replies(scene, number)))
                .collect(),
        }
    }

    fn client(&self, scene: &Scene) -> Result<Client> {
        Ok(Client {
            connection: Amqp10Connection::connect(self.server.address)?,
            persistent: scene.durable,
            // What goes one way is confirmed in any case, so that nothing is put faster than it is taken.
            confirms: scene.durable || scene.kind == Kind::OneWay,
            unconfirmed: 0,
            unaccepted: None,
            waiting: VecDeque::new(),
        })
    }

    /// Receives from a queue, which is made by that if it is not there; so many messages ahead.
    fn look_at(&self, queue: &str, ahead: u32) -> Result<Amqp10Connection> {
        let mut connection = Amqp10Connection::connect(self.server.address)?;
        connection.receive_from((Node::Queue, queue), true, ahead)?;
        Ok(connection)
    }
}

impl Broker for AmqpBroker {
    fn processes(&self) -> Vec<u32> {
        self.server.process.processes()
    }

    /// Nothing may come: what is sent to a link that goes is gone, too.
    fn prepare(&self, scene: &Scene) -> Result<()> {
        self.queues(scene).iter().try_for_each(|queue| self.look_at(queue, 0).map(drop))
    }

    /// Told by taking it, from all queues at once, so that the next repetition finds an empty broker.
    fn left(&self, scene: &Scene) -> Result<Option<u64>> {
        let queues = self.queues(scene);
        let counts: Result<Vec<u64>> = std::thread::scope(|scope| {
            let looks: Vec<_> = queues
                .iter()
                .map(|queue| scope.spawn(move || self.look_at(queue, AHEAD)?.take_all()))
                .collect();
            looks.into_iter().map(|look| look.join().expect("who looks does not panic")).collect()
        });
        Ok(Some(counts?.iter().sum()))
    }

    fn requester(&self, scene: &Scene, number: u32) -> Result<Box<dyn Requester>> {
        let mut client = self.client(scene)?;
        let requests = self.requests(scene);
        client.connection.send_to(Some((Node::Queue, &requests)), !client.confirms)?;
        let replies = self.replies(scene, number);
        if scene.kind == Kind::Preloaded {
            return Ok(Box::new(Selecting { client, replies }));
        }
        let ahead = REQUESTS.max(scene.window);
        client.connection.receive_from((Node::Queue, &replies), !client.confirms, ahead)?;
        Ok(Box::new(client))
    }

    fn responder(&self, scene: &Scene) -> Result<Box<dyn Responder>> {
        let mut client = self.client(scene)?;
        let (confirms, requests) = (client.confirms, self.requests(scene));
        client.connection.send_to(None, !confirms)?;
        let ahead = if confirms { REQUESTS.max(scene.window) } else { AHEAD };
        client.connection.receive_from((Node::Queue, &requests), !confirms, ahead)?;
        let replies = (0..scene.clients).map(|number| self.replies(scene, number)).collect();
        Ok(Box::new(AmqpResponder { client, replies, ahead }))
    }

    fn putter(&self, scene: &Scene, _number: u32) -> Result<Box<dyn Putter>> {
        let mut client = self.client(scene)?;
        let (node, name) = self.one_way(scene);
        client.connection.send_to(Some((node, &name)), !client.confirms)?;
        Ok(Box::new(client))
    }

    fn getter(&self, scene: &Scene, _number: u32) -> Result<Box<dyn Getter>> {
        let mut client = self.client(scene)?;
        let (node, name) = self.one_way(scene);
        let ahead = if node == Node::Topic { AHEAD_OF_SUBSCRIBER } else { AHEAD };
        client.connection.receive_from((node, &name), !client.confirms, ahead)?;
        Ok(Box::new(client))
    }

    fn by_amqp(&self, scene: &Scene) -> Result<AmqpQueues> {
        Ok(AmqpQueues {
            address: self.server.address,
            requests: self.requests(scene),
            replies: (0..Self::repliers(scene)).map(|number| self.replies(scene, number)).collect(),
        })
    }

    fn preload(&self, scene: &Scene, count: u64, bytes: usize) -> Result<()> {
        let mut client = self.client(scene)?;
        client.confirms = true;
        client.connection.send_to(Some((Node::Queue, &self.replies(scene, 0))), false)?;
        let body = vec![0x5A; bytes];
        for number in 0..count {
            let correlation = format!("nobody-{number}");
            client.put(Some(&correlation), None, &body)?;
            if number % FILL_BATCH == 0 {
                client.wait_confirmed()?;
            }
        }
        client.wait_confirmed()
    }
}

/// Names the reply to one request.
fn correlation(mark: (u32, u64)) -> String {
    format!("{}-{}", mark.0, mark.1)
}

struct Client {
    connection: Amqp10Connection,
    persistent: bool,
    /// Messages are confirmed when put and accepted when got.
    confirms: bool,
    unconfirmed: u32,
    /// The first and the last message that was handed over and not accepted.
    unaccepted: Option<(u32, u32)>,
    /// Messages that came while something else was waited for.
    waiting: VecDeque<(u32, Vec<u8>)>,
}

impl Client {
    /// Takes a message to be sent, waiting for leave where there is none; what comes meanwhile waits.
    fn put(&mut self, correlation: Option<&str>, to: Option<&str>, body: &[u8]) -> Result<()> {
        while !self.connection.may_send() {
            self.connection.flush()?;
            self.take_note()?;
        }
        self.connection.send(Message { persistent: self.persistent, to, correlation }, body)?;
        self.unconfirmed += u32::from(self.confirms);
        Ok(())
    }

    /// Waits for what the broker says next.
    fn take_note(&mut self) -> Result<()> {
        let Some(Received { parsed, frame, .. }) = self.connection.next()? else { return Ok(()) };
        match parsed {
            Said::Taken { count } => self.unconfirmed = self.unconfirmed.saturating_sub(count),
            Said::Delivery { number, body } => self.waiting.push_back((number, frame[body].to_vec())),
            _ => {}
        }
        Ok(())
    }

    fn wait_confirmed(&mut self) -> Result<()> {
        self.connection.flush()?;
        while self.unconfirmed > 0 {
            self.take_note()?;
        }
        Ok(())
    }

    /// Hands over the next message, waited for or not; false when there is none.
    fn receive(&mut self, waits: bool, take: &mut Take<'_>) -> Result<bool> {
        let number = if let Some((number, body)) = self.waiting.pop_front() {
            take(&body)?;
            number
        } else {
            loop {
                let next = if waits { self.connection.next()? } else { self.connection.here()? };
                let Some(Received { parsed, frame, .. }) = next else { return Ok(false) };
                match parsed {
                    Said::Delivery { number, body } => {
                        take(&frame[body])?;
                        break number;
                    }
                    Said::Taken { count } => self.unconfirmed = self.unconfirmed.saturating_sub(count),
                    _ => {}
                }
            }
        };
        if self.confirms {
            self.unaccepted = Some((self.unaccepted.map_or(number, |(first, _)| first), number));
        }
        Ok(true)
    }

    /// Hands over what has come, up to so many and waiting for the first.
    fn receive_all(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        let mut received = 0;
        while received < count && self.receive(received == 0, take)? {
            received += 1;
        }
        Ok(received)
    }

    /// Accepts by the next flush what was handed over.
    fn accept(&mut self) {
        if let Some((first, last)) = self.unaccepted.take() {
            self.connection.accept(first, last);
        }
    }
}

impl Requester for Client {
    fn ask(&mut self, body: &[u8]) -> Result<()> {
        self.put(None, None, body)
    }

    fn replies(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        self.connection.flush()?;
        let received = self.receive_all(count, take)?;
        if received > 0 {
            self.wait_confirmed()?;
            self.accept();
            self.connection.flush()?;
        }
        Ok(received)
    }
}

/// A requester that selects each reply from the queue of all.
struct Selecting {
    client: Client,
    replies: String,
}

impl Requester for Selecting {
    /// The request and the link for its reply go in one write.
    fn ask(&mut self, body: &[u8]) -> Result<()> {
        let correlation = correlation(tally::mark_of(body)?);
        let selector = format!("JMSCorrelationID = '{correlation}'");
        let connection = &mut self.client.connection;
        connection.begin_receiving((Node::Queue, &self.replies), Some(&selector), true, 1);
        self.client.put(Some(&correlation), None, body)
    }

    /// One, as there is a link for each.
    fn replies(&mut self, _count: u64, take: &mut Take<'_>) -> Result<u64> {
        self.client.connection.flush()?;
        let received = self.client.receive_all(1, take)?;
        if received > 0 {
            self.client.connection.end_receiving();
        }
        Ok(received)
    }
}

struct AmqpResponder {
    client: Client,
    /// Where each requester is answered.
    replies: Vec<String>,
    /// Requests that are taken at a time.
    ahead: u32,
}

impl Responder for AmqpResponder {
    /// Requests that came together are answered together; accepted when all answers are confirmed, where they
    /// are.
    fn answer(&mut self) -> Result<u64> {
        let client = &mut self.client;
        let mut bodies = Vec::new();
        client.receive_all(u64::from(self.ahead), &mut |body| {
            bodies.push(body.to_vec());
            Ok(())
        })?;
        for body in &bodies {
            let mark = tally::mark_of(body)?;
            let to = self.replies.get(mark.0 as usize).context("a request of nobody")?;
            client.put(Some(&correlation(mark)), Some(to), body)?;
        }
        client.wait_confirmed()?;
        client.accept();
        client.connection.flush()?;
        Ok(bodies.len() as u64)
    }
}

impl Putter for Client {
    fn put(&mut self, body: &[u8]) -> Result<()> {
        Self::put(self, None, None, body)
    }

    fn confirm(&mut self) -> Result<()> {
        self.wait_confirmed()
    }
}

impl Getter for Client {
    fn get(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        let received = self.receive_all(count, take)?;
        self.accept();
        self.connection.flush()?;
        Ok(received)
    }
}
