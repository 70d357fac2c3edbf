//! The workloads against a broker in this process, one that is right and ones that lose, double and mix up.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use anyhow::Result;
use perf::access::{Access, Embedded};
use perf::request_reply::{Mode, Units};
use perf::tally;

use crate::broker::{Broker, Getter, Kind, Offer, Putter, Requester, Responder, Scene, Take};
use crate::brokers;
use crate::points::{self, Point, Run};

/// A fault of the broker, once, at the tenth message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    Loses,
    Doubles,
    Swaps,
}

type Queues = Mutex<BTreeMap<String, VecDeque<Vec<u8>>>>;

struct Inside {
    queues: Queues,
    changed: Condvar,
    fault: Fault,
    puts: AtomicU64,
    /// The message that is to come late: its queue, who put it, its body.
    late: Mutex<Option<(String, u32, Vec<u8>)>>,
    subscribers: u32,
}

impl Inside {
    fn put(&self, name: &str, body: &[u8]) {
        let number = self.puts.fetch_add(1, Ordering::Relaxed);
        let putter = tally::mark_of(body).expect("it is marked").0;
        let mut late = self.late.lock().expect("nobody panics");
        let mut queues = self.queues.lock().expect("nobody panics");
        let queue = queues.entry(name.to_owned()).or_default();
        match (number, self.fault) {
            (10, Fault::Loses) => {}
            (10, Fault::Doubles) => queue.extend([body.to_vec(), body.to_vec()]),
            (10, Fault::Swaps) => *late = Some((name.to_owned(), putter, body.to_vec())),
            _ => {
                queue.push_back(body.to_vec());
                // Behind the next that the same client puts on the same queue.
                queue.extend(
                    late.take_if(|late| (late.0.as_str(), late.1) == (name, putter)).map(|late| late.2),
                );
            }
        }
        drop(queues);
        self.changed.notify_all();
    }

    fn get(&self, name: &str, count: u64, take: &mut Take<'_>) -> Result<u64> {
        let mut queues = self.queues.lock().expect("nobody panics");
        if queues.get(name).is_none_or(VecDeque::is_empty) {
            queues = self.changed.wait_timeout(queues, Duration::from_millis(20)).expect("nobody panics").0;
        }
        let Some(queue) = queues.get_mut(name) else { return Ok(0) };
        let taken: Vec<_> = (0..count).map_while(|_| queue.pop_front()).collect();
        drop(queues);
        taken.iter().try_for_each(|body| take(body))?;
        Ok(taken.len() as u64)
    }
}

struct InProcess(Arc<Inside>);

struct Client {
    inside: Arc<Inside>,
    puts: Vec<String>,
    gets: String,
}

impl InProcess {
    fn client(&self, puts: &[String], gets: &str) -> Client {
        Client { inside: self.0.clone(), puts: puts.to_vec(), gets: gets.to_owned() }
    }

    /// A subscriber's queue, or that of all getters.
    fn of_getter(&self, scene: &Scene, number: u32) -> String {
        if scene.kind.is_published() { format!("sub{number}") } else { "queue".to_owned() }
    }
}

impl Broker for InProcess {
    fn processes(&self) -> Vec<u32> {
        Vec::new()
    }

    fn prepare(&self, _scene: &Scene) -> Result<()> {
        Ok(())
    }

    fn left(&self, _scene: &Scene) -> Result<Option<u64>> {
        let queues = self.0.queues.lock().expect("nobody panics");
        Ok(Some(queues.values().map(|queue| queue.len() as u64).sum()))
    }

    fn requester(&self, _scene: &Scene, number: u32) -> Result<Box<dyn Requester>> {
        Ok(Box::new(self.client(&["request".to_owned()], &format!("reply{number}"))))
    }

    fn responder(&self, _scene: &Scene) -> Result<Box<dyn Responder>> {
        Ok(Box::new(self.client(&[], "request")))
    }

    fn putter(&self, scene: &Scene, _number: u32) -> Result<Box<dyn Putter>> {
        let names = (0..self.0.subscribers.max(1)).map(|number| self.of_getter(scene, number));
        Ok(Box::new(self.client(&names.collect::<Vec<_>>(), "")))
    }

    fn getter(&self, scene: &Scene, number: u32) -> Result<Box<dyn Getter>> {
        Ok(Box::new(self.client(&[], &self.of_getter(scene, number))))
    }
}

impl Requester for Client {
    fn ask(&mut self, body: &[u8]) -> Result<()> {
        self.put(body)
    }

    fn replies(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        self.get(count, take)
    }
}

impl Responder for Client {
    fn answer(&mut self) -> Result<u64> {
        let inside = self.inside.clone();
        self.get(1, &mut |body| {
            inside.put(&format!("reply{}", tally::mark_of(body)?.0), body);
            Ok(())
        })
    }
}

impl Putter for Client {
    fn put(&mut self, body: &[u8]) -> Result<()> {
        self.puts.iter().for_each(|name| self.inside.put(name, body));
        Ok(())
    }

    fn confirm(&mut self) -> Result<()> {
        Ok(())
    }

    fn settle(&mut self) -> Result<()> {
        anyhow::ensure!(self.inside.fault != Fault::Loses, "a message was lost");
        Ok(())
    }
}

impl Getter for Client {
    fn get(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64> {
        self.inside.get(&self.gets, count, take)
    }
}

/// Runs against a broker with this fault: returns a figure, or why there is none.
fn run(kind: Kind, window: u32, fault: Fault) -> Result<usize> {
    let subscribers = if kind == Kind::FanOut { 3 } else { 0 };
    // Two that get from one queue may take the two of a swap, one each, and neither has them in the wrong
    // order.
    let clients = if (kind, fault) == (Kind::OneWay, Fault::Swaps) { 1 } else { 3 };
    let broker: Arc<dyn Broker> = Arc::new(InProcess(Arc::new(Inside {
        queues: Queues::default(),
        changed: Condvar::new(),
        fault,
        puts: AtomicU64::new(0),
        late: Mutex::default(),
        subscribers,
    })));
    let point = Point { kind, durable: false, clients, window, unit: 5, preloaded: 0 };
    let time = Duration::from_millis(50);
    let found =
        point.measure(&broker, Run { warm_up: time, measure: time, bytes: 100 }, &AtomicBool::new(false))?;
    Ok(found.map_or(0, |figures| {
        assert!(figures.iter().all(|figures| figures.rate > 0.0), "{figures:?}");
        figures.len()
    }))
}

#[test]
fn a_broker_that_keeps_its_word_is_reported() {
    for (kind, window, lines) in [
        (Kind::RequestReply, 1, 1),
        (Kind::RequestReply, 4, 1),
        (Kind::OneWay, 1, 2),
        (Kind::FanOut, 1, 1),
        (Kind::NullPublish, 1, 1),
    ] {
        let found = run(kind, window, Fault::None).expect("all is accounted for");
        assert_eq!(found, lines, "{kind:?}, {window} under way");
    }
}

#[test]
fn one_message_too_many_or_in_the_wrong_place_and_nothing_is_reported() {
    for (kind, window, fault) in [
        (Kind::RequestReply, 1, Fault::Doubles),
        (Kind::RequestReply, 4, Fault::Doubles),
        (Kind::OneWay, 1, Fault::Doubles),
        (Kind::OneWay, 1, Fault::Swaps),
        (Kind::FanOut, 1, Fault::Loses),
        (Kind::FanOut, 1, Fault::Doubles),
        (Kind::FanOut, 1, Fault::Swaps),
        (Kind::NullPublish, 1, Fault::Loses),
    ] {
        assert!(
            run(kind, window, fault).is_err(),
            "{kind:?}, {window} under way, with a broker that {fault:?}"
        );
    }
}

#[test]
fn messages_of_ours_come_before_they_are_asked_for_as_the_others_do() {
    let time = Duration::from_millis(20);
    let run = Run { warm_up: time, measure: time, bytes: 100 };
    let ours: Arc<dyn Access> = Arc::new(Embedded::open(&std::env::temp_dir()).expect("a queue manager"));
    for (workload, persistent) in [("one-way", false), ("one-way-durable", true)] {
        let all = points::of(workload, &[1], 0);
        assert!(all.iter().any(|point| point.unit == 1) && all.iter().any(|point| point.unit > 1));
        for point in &all {
            let put_mode = if point.unit > 1 { Mode::Pipelined } else { Mode::RoundTrips };
            let of_ours = point.one_way_of_ours(run, ours.describe()).unwrap();
            let modes = (of_ours.persistent, of_ours.mode, of_ours.get_mode);
            assert_eq!(modes, (persistent, put_mode, Some(Mode::Pipelined)), "{:?}", point.labels());
        }
        let of_ours = all[0].one_way_of_ours(run, ours.describe()).unwrap();
        let row = of_ours.repetition(&ours, &AtomicBool::new(false)).expect("all is accounted for");
        assert!(row.is_some_and(|row| row.values[0].is_some_and(|rate| rate > 0.0)), "{workload}");
    }
}

#[test]
fn points_of_jms_are_request_reply_with_a_client_of_its_own() {
    for (workload, durable, label, responders) in [
        ("jms", false, "request/reply by JMS, non-persistent, clients: 16", 4),
        ("jms-durable", true, "request/reply by JMS, durable, clients: 16", 8),
    ] {
        let points = points::of(workload, &[1, 16], 0);
        assert!(points::WORKLOADS.contains(&workload) && points.len() == 2, "{points:?}");
        let point = &points[1];
        assert_eq!((point.kind, point.durable, point.clients), (Kind::Jms, durable, 16));
        assert_eq!((point.labels(), point.responders()), (vec![label.to_owned()], responders));
        assert!(!point.is_measured_apart() && !point.has_relay() && point.units(false) == Units::None);
    }
}

#[test]
fn clients_of_jms_need_a_broker_of_amqp() {
    let found = run(Kind::Jms, 1, Fault::None).expect_err("there is no AMQP");
    assert!(found.to_string().contains("AMQP 1.0"), "{found}");
    for peer in brokers::all(Path::new("ferry")) {
        let is_offered = matches!(peer.offers(Kind::Jms, false), Offer::Guarantees(_));
        let speaks_amqp = ["artemis", "activemq", "ferry-amqp"].contains(&peer.name());
        assert_eq!(is_offered, speaks_amqp, "{}", peer.name());
    }
}
