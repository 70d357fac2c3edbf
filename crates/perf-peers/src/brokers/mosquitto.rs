//! Mosquitto: requests on a topic that responders share, replies on a topic for each requester, at most once.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use perf::tally;

use super::server::Server;
use crate::broker::{Broker, Getter, Kind, Offer, Peer, Program, Putter, Requester, Responder, Scene, Take};
use crate::clients::mqtt::{self, MqttConnection, Packet};
use crate::install;

pub(super) struct Mosquitto;

impl Peer for Mosquitto {
    fn name(&self) -> &'static str {
        "mosquitto"
    }

    fn package(&self) -> &'static str {
        "mosquitto (apt)"
    }

    fn find(&self) -> Result<Option<Program>> {
        install::find("mosquitto").map(|path| install::program(path, "-h")).transpose()
    }

    fn install(&self) -> Result<()> {
        install::apt(&["mosquitto"])
    }

    fn offers(&self, kind: Kind, durable: bool) -> Offer {
        match (kind, durable) {
            (Kind::Jms, _) => Offer::NO_AMQP,
            (_, true) => Offer::Nothing(
                "it writes a snapshot now and then: nothing is on the disk before it is confirmed",
            ),
            (Kind::Preloaded | Kind::OneWay, _) => {
                Offer::Nothing("it has no queues to put on and get from later")
            }
            (Kind::RequestReply | Kind::FanOut | Kind::NullPublish, false) => {
                Offer::Guarantees("QoS 0: at most once, to who is connected")
            }
        }
    }

    fn start(&self, program: &Program, _durable: bool, directory: &Path) -> Result<Box<dyn Broker>> {
        let settings = directory.join("mosquitto.conf");
        let path = settings.to_str().context("the directory's name is no text")?.to_owned();
        let server = Server::start(&program.path, directory, |address| {
            let text = format!(
                "listener {} 127.0.0.1\nallow_anonymous true\npersistence false\nset_tcp_nodelay true\n\
                 max_queued_messages 0\nlog_type error\nuser root\n",
                address.port()
            );
            std::fs::write(&settings, text).context("cannot write the settings")?;
            Ok(vec!["-c".to_owned(), path.clone()])
        })?;
        Ok(Box::new(MosquittoBroker { server }))
    }
}

struct MosquittoBroker {
    server: Server,
}

fn requests(scene: &Scene) -> String {
    format!("{}/request", scene.name)
}

fn replies(scene: &str, number: u32) -> String {
    format!("{scene}/reply/{number}")
}

impl MosquittoBroker {
    fn connect(&self) -> Result<MqttConnection> {
        MqttConnection::connect(self.server.address)
    }
}

impl Broker for MosquittoBroker {
    fn processes(&self) -> Vec<u32> {
        self.server.process.processes()
    }

    fn prepare(&self, _scene: &Scene) -> Result<()> {
        Ok(())
    }

    fn left(&self, _scene: &Scene) -> Result<Option<u64>> {
        Ok(None)
    }

    fn requester(&self, scene: &Scene, number: u32) -> Result<Box<dyn Requester>> {
        let mut connection = self.connect()?;
        connection.subscribe(&replies(&scene.name, number))?;
        Ok(Box::new(Asking { connection, topic: requests(scene).into_bytes() }))
    }

    fn responder(&self, scene: &Scene) -> Result<Box<dyn Responder>> {
        let mut connection = self.connect()?;
        connection.subscribe(&format!("$share/responders/{}", requests(scene)))?;
        Ok(Box::new(MosquittoResponder { connection, scene: scene.name.clone(), topic: Vec::new() }))
    }

    fn putter(&self, scene: &Scene, _number: u32) -> Result<Box<dyn Putter>> {
        let connection = self.connect()?;
        Ok(Box::new(Asking { connection, topic: requests(scene).into_bytes() }))
    }

    fn getter(&self, scene: &Scene, _number: u32) -> Result<Box<dyn Getter>> {
        let mut connection = self.connect()?;
        connection.subscribe(&requests(scene))?;
        Ok(Box::new(Subscribed { connection }))
    }
}

/// Sends to one topic.
struct Asking {
    connection: MqttConnection,
    topic: Vec<u8>,
}

impl Requester for Asking {
    fn ask(&mut self, body: &[u8]) -> Result<()> {
        self.connection.publish(&self.topic, body);
        Ok(())
    }

    fn replies(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        self.connection.flush()?;
        receive(&mut self.connection, count, take)
    }
}

impl Putter for Asking {
    fn put(&mut self, body: &[u8]) -> Result<()> {
        self.connection.publish(&self.topic, body);
        Ok(())
    }

    fn confirm(&mut self) -> Result<()> {
        self.connection.flush()
    }

    fn settle(&mut self) -> Result<()> {
        self.connection.settle()
    }
}

struct MosquittoResponder {
    connection: MqttConnection,
    scene: String,
    topic: Vec<u8>,
}

impl Responder for MosquittoResponder {
    /// All requests that one read brought are answered by one write.
    fn answer(&mut self) -> Result<u64> {
        let mut answered = 0;
        loop {
            let received = if answered == 0 { self.connection.next()? } else { self.connection.here()? };
            let Some(received) = received else { break };
            let Packet::Publish(body) = received.parsed else {
                bail!("{:?} came instead of a request", received.parsed)
            };
            let body = &received.frame[body];
            self.topic.clear();
            // Writing into memory does not fail.
            let _ = write!(self.topic, "{}", replies(&self.scene, tally::mark_of(body)?.0));
            mqtt::write_publish(received.output, &self.topic, body);
            answered += 1;
        }
        self.connection.flush()?;
        Ok(answered)
    }
}

struct Subscribed {
    connection: MqttConnection,
}

impl Getter for Subscribed {
    fn get(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        receive(&mut self.connection, count, take)
    }
}

/// Hands over what has come, up to so many and waiting for the first.
fn receive(connection: &mut MqttConnection, count: u64, take: &mut Take<'_>) -> Result<u64> {
    let mut taken = 0;
    while taken < count {
        let received = if taken == 0 { connection.next()? } else { connection.here()? };
        let Some(received) = received else { break };
        let Packet::Publish(body) = received.parsed else {
            bail!("{:?} came instead of a message", received.parsed)
        };
        take(&received.frame[body])?;
        taken += 1;
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io::Read as _;
    use std::net::{TcpListener, TcpStream};
    use std::sync::{Arc, Mutex};
    use std::thread;

    use super::*;
    use crate::process::{Process, directory};

    /// Clients that are connected to a broker of these tests, by name.
    type Sessions = Arc<Mutex<BTreeMap<Vec<u8>, TcpStream>>>;

    /// Serves one connection as far as these clients go: a name that is in use is taken from its client, with
    /// a word, and requests are acknowledged.
    fn serve(mut stream: TcpStream, sessions: &Sessions) {
        let mut head = [0; 2];
        while stream.read_exact(&mut head).is_ok() {
            let mut body = vec![0; usize::from(head[1])];
            stream.read_exact(&mut body).expect("a packet is whole");
            let answer: &[u8] = match head[0] {
                0x10 => {
                    // Behind the protocol's name and version, flags, keep-alive and properties, and its own
                    // length.
                    let name = body[13..].to_vec();
                    let own = stream.try_clone().expect("a handle");
                    let mut sessions = sessions.lock().expect("nobody panics");
                    let number = sessions.len();
                    let name = if name.is_empty() { format!("auto-{number}").into_bytes() } else { name };
                    if let Some(mut before) = sessions.insert(name, own) {
                        before.write_all(&[0xE0, 1, 0x8E]).expect("it is told");
                        before.shutdown(std::net::Shutdown::Both).expect("it is open");
                    }
                    &[0x20, 3, 0, 0, 0]
                }
                0x82 => &[0x90, 4, 0, 1, 0, 0],
                0xC0 => &[0xD0, 0],
                _ => &[],
            };
            stream.write_all(answer).expect("it is read");
        }
    }

    #[test]
    fn no_client_takes_the_session_of_another() {
        let place = directory("mqtt-test").expect("a directory");
        let process =
            Process::start(Path::new("/bin/sleep"), &["600"], &[], place.path()).expect("a process");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let sessions = Sessions::default();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, sessions) = (stream.expect("a connection"), sessions.clone());
                thread::spawn(move || serve(stream, &sessions));
            }
        });
        let broker = MosquittoBroker { server: Server { process, address } };
        let scene = Scene {
            kind: Kind::NullPublish,
            name: "scene".to_owned(),
            durable: false,
            clients: 3,
            window: 1,
            unit: 1,
        };
        let putters: Result<Vec<_>> =
            (0..scene.clients).map(|number| broker.putter(&scene, number)).collect();
        let _getters: Result<Vec<_>> =
            (0..scene.clients).map(|number| broker.getter(&scene, number)).collect();
        for mut putter in putters.expect("they connect") {
            putter.put(&[0x5A; 20]).expect("it is taken");
            putter.settle().expect("it is still connected");
        }
    }
}
