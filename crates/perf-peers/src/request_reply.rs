//! Requests and replies through any broker: begun together, measured for a while, and accounted for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use perf::request_reply::Account;
use perf::run::{Phase, Shared, spawn};
use perf::tally;

use crate::broker::{Broker, Requester, Responder, Scene};
use crate::figures::Figures;
use crate::measuring::Measuring;

/// A reply that has not come by then never comes.
const PATIENCE: Duration = Duration::from_secs(30);

/// The workload that is measured.
#[derive(Clone, Debug)]
pub(crate) struct Workload {
    pub(crate) scene: Scene,
    pub(crate) responders: u32,
    pub(crate) bytes: usize,
    /// Messages on the reply queue that are nobody's reply.
    pub(crate) preloaded: u64,
    pub(crate) warm_up: Duration,
    pub(crate) measure: Duration,
}

/// Runs one repetition; none when nothing came back while it was measured.
pub(crate) fn repetition(
    broker: &Arc<dyn Broker>,
    workload: &Workload,
    interrupt: &AtomicBool,
) -> Result<Option<Figures>> {
    broker.prepare(&workload.scene).context("cannot make the queues")?;
    if workload.preloaded > 0 {
        broker.preload(&workload.scene, workload.preloaded, workload.bytes)?;
    }
    let shared = Arc::new(Shared::default());
    shared.enter(Phase::WarmUp);
    let crew = Crew::start(&**broker, workload, &shared)?;
    let measuring = Measuring { broker: &**broker, shared: &shared, interrupt };
    let begun = measuring.begin(workload.warm_up);
    let (usage, elapsed) = measuring.end(&begun, workload.measure, "measuring");
    shared.enter(Phase::Done);
    let (account, answered) = crew.end()?;
    check(&**broker, workload, &account, answered)?;
    Ok(usage.figures(account.measured, elapsed, &account.latencies))
}

/// Proves that every request was answered, every answer came, and nothing else is left.
pub(crate) fn check(
    broker: &dyn Broker,
    workload: &Workload,
    account: &Account,
    answered: u64,
) -> Result<()> {
    ensure!(
        account.requested == account.replied && account.requested == answered,
        "{} requests, {answered} answers, {} replies: not all are accounted for, so nothing is reported",
        account.requested,
        account.replied
    );
    if let Some(left) = broker.left(&workload.scene)? {
        ensure!(
            left == workload.preloaded,
            "{left} messages are left instead of {}: not all are accounted for, so nothing is reported",
            workload.preloaded
        );
    }
    Ok(())
}

struct Crew {
    requesters: Vec<JoinHandle<Result<Account>>>,
    responders: Vec<JoinHandle<Result<u64>>>,
    responders_end: Arc<AtomicBool>,
}

impl Crew {
    /// Connects all and lets them begin together.
    fn start(broker: &dyn Broker, workload: &Workload, shared: &Arc<Shared>) -> Result<Self> {
        let clients = workload.scene.clients + workload.responders;
        let begin = Arc::new(Barrier::new(clients as usize));
        let mut crew =
            Self { requesters: Vec::new(), responders: Vec::new(), responders_end: Arc::default() };
        let connected: Result<Vec<_>> =
            (0..workload.responders).map(|_| broker.responder(&workload.scene)).collect();
        let responders = connected.context("cannot connect a responder")?;
        let connected: Result<Vec<_>> =
            (0..workload.scene.clients).map(|number| broker.requester(&workload.scene, number)).collect();
        let requesters = connected.context("cannot connect a requester")?;
        for responder in responders {
            let (shared, begin, end) = (shared.clone(), begin.clone(), crew.responders_end.clone());
            crew.responders.push(spawn("responder".to_owned(), move || {
                begin.wait();
                shared.watch(respond(responder, &shared, &end))
            })?);
        }
        for (number, requester) in (0..).zip(requesters) {
            let (shared, begin, workload) = (shared.clone(), begin.clone(), workload.clone());
            crew.requesters.push(spawn(format!("requester {number}"), move || {
                begin.wait();
                shared.watch(request(requester, number, &workload, &shared))
            })?);
        }
        Ok(crew)
    }

    /// Returns the account of all requesters, and the number of requests answered.
    fn end(self) -> Result<(Account, u64)> {
        let (mut all, mut failure, mut answered) = (Account::default(), None, 0);
        for requester in self.requesters {
            match requester.join().expect("a requester does not panic") {
                Ok(account) => {
                    all.requested += account.requested;
                    all.replied += account.replied;
                    all.measured += account.measured;
                    all.latencies.add(&account.latencies);
                }
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        self.responders_end.store(true, Ordering::Relaxed);
        for responder in self.responders {
            match responder.join().expect("a responder does not panic") {
                Ok(count) => answered += count,
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure.map_or(Ok((all, answered)), Err)
    }
}

/// Asks as long as it is measured, and goes on until every request is answered.
fn request(
    mut requester: Box<dyn Requester>,
    number: u32,
    workload: &Workload,
    shared: &Shared,
) -> Result<Account> {
    let mut account = Account::default();
    let mut body = vec![0x5A; workload.bytes];
    let window = workload.scene.window as usize;
    let mut under_way = UnderWay { number, bytes: workload.bytes, requests: Vec::with_capacity(window) };
    loop {
        while under_way.requests.len() < window && !shared.is(Phase::Done) {
            tally::mark(&mut body, number, account.requested);
            under_way.requests.push((account.requested, Instant::now()));
            requester.ask(&body).context("cannot send a request")?;
            account.requested += 1;
        }
        let Some((_, oldest)) = under_way.requests.first().copied() else { return Ok(account) };
        let replied = account.replied;
        let mut take = |reply: &[u8]| {
            let begun = under_way.end(reply)?;
            account.replied += 1;
            if shared.is(Phase::Measure) {
                account.measured += 1;
                account.latencies.record(begun.elapsed());
            }
            Ok(())
        };
        let count = requester.replies(window as u64, &mut take).context("cannot get a reply")?;
        ensure!(account.replied - replied == count, "{count} replies are said to have come, which is not so");
        if count == 0 {
            ensure!(!shared.has_failed(), "another client failed");
            ensure!(oldest.elapsed() < PATIENCE, "requester {number} has no reply after {PATIENCE:?}");
        }
    }
}

/// The requests of one requester that have no reply yet, with when they were sent.
struct UnderWay {
    number: u32,
    bytes: usize,
    requests: Vec<(u64, Instant)>,
}

impl UnderWay {
    /// Takes out the request that this is the reply to, and says when it was sent.
    fn end(&mut self, reply: &[u8]) -> Result<Instant> {
        let Self { number, bytes, .. } = *self;
        ensure!(reply.len() == bytes, "a reply has {} bytes instead of {bytes}", reply.len());
        let (whose, sequence) = tally::mark_of(reply)?;
        ensure!(whose == number, "requester {number} got a reply to requester {whose}");
        let place = self.requests.iter().position(|(request, _)| *request == sequence);
        let place = place.with_context(|| {
            format!("requester {number} got a reply to its request {sequence}, which is not under way")
        })?;
        Ok(self.requests.remove(place).1)
    }
}

fn respond(mut responder: Box<dyn Responder>, shared: &Shared, end: &AtomicBool) -> Result<u64> {
    let mut answered = 0;
    while !end.load(Ordering::Relaxed) && !shared.has_failed() {
        answered += responder.answer().context("cannot answer")?;
    }
    Ok(answered)
}
