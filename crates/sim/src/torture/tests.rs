use platform::simulated::{CrashPolicy, Random};
use testing::history;

use super::*;
use crate::subjects::{Flaw, Toy};

/// Problems of some crashes of one long and one small life.
fn problems(maker: &dyn Maker, seed: u64) -> Vec<String> {
    let mut random = Random::stream(seed, "test");
    let shape = if random.percent(50) { Shape::small(&mut random) } else { Shape::long(&mut random) };
    let workload = Workload::new(shape, Random::stream(seed, "workload"));
    let mut life = Life::new(maker, seed).unwrap();
    if let Err(problem) = guarded(|| life.work(workload)) {
        return vec![problem.to_string()];
    }
    let mut problems = Vec::new();
    let images = life.images();
    for _ in 0..8 {
        let Some((image, past)) = images.get(random.index(images.len().max(1))) else { break };
        let policy = CrashPolicy::random(&mut random);
        match Survivor::start(maker, image.crash(&mut random, policy), seed + 1) {
            Ok(survivor) => problems.extend(survivor.judge(past).problems),
            Err(problem) => problems.push(problem.to_string()),
        }
    }
    problems
}

#[test]
fn a_subject_that_is_right_is_found_right() {
    let found: Vec<String> = (0..60).flat_map(|seed| problems(&Toy::default(), seed)).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn every_flaw_is_found() {
    for flaw in Flaw::ALL {
        let toy = Toy { flaw: Some(flaw) };
        let caught = (0..60).any(|seed| !problems(&toy, seed).is_empty());
        assert!(caught, "{flaw:?} was not found");
    }
}

#[test]
fn a_life_goes_on_after_a_crash() {
    let toy = Toy::default();
    let mut random = Random::stream(1, "test");
    let mut life = Life::new(&toy, 1).unwrap();
    for generation in 0..4 {
        let shape = Shape::long(&mut random);
        life.work(Workload::new(shape, Random::stream(generation, "workload"))).unwrap();
        let (image, past) = life.images().pop().unwrap();
        let policy = CrashPolicy::random(&mut random);
        let survivor = Survivor::start(&toy, image.crash(&mut random, policy), 100 + generation).unwrap();
        let judged = survivor.judge(&past);
        assert!(judged.problems.is_empty(), "{judged:#?}");
        life = survivor.revive(&past);
    }
}

/// A subject that backs out the unit of work of client 1 within a get of another, before or after it is
/// answered, as one does that is short of room.
struct ShortOfRoom {
    inner: Box<dyn Subject>,
    backs_out_first: bool,
    revoked: Vec<u32>,
    waiting: Option<(u32, usize)>,
}

impl ShortOfRoom {
    fn back_out(&mut self) {
        self.inner.backout(1).result.unwrap();
        self.revoked.push(1);
    }
}

impl Subject for ShortOfRoom {
    fn put(&mut self, client: u32, put: &Put) -> Answer<()> {
        self.inner.put(client, put)
    }

    fn get(&mut self, client: u32, queue: usize, in_unit: bool) -> Answer<Option<Vec<u8>>> {
        let is_short = client != 1;
        if is_short && self.backs_out_first {
            self.back_out();
        }
        let answer = self.inner.get(client, queue, in_unit);
        if is_short && !self.backs_out_first {
            self.back_out();
        }
        answer
    }

    fn has_waits(&self) -> bool {
        true
    }

    fn wait(&mut self, client: u32, queue: usize) {
        self.waiting = Some((client, queue));
    }

    fn arrived(&mut self, client: u32, _is_expected: bool) -> Option<Arrived> {
        let (_, queue) = self.waiting.take_if(|(who, _)| *who == client)?;
        let Answer { need, result } = self.get(client, queue, false);
        let result = result.map(|body| body.expect("a message was given back"));
        Some(Arrived { answer: Answer { need, result }, is_handed: false })
    }

    fn commit(&mut self, client: u32) -> Answer<()> {
        self.inner.commit(client)
    }

    fn backout(&mut self, client: u32) -> Answer<()> {
        self.inner.backout(client)
    }

    fn durable(&self) -> u64 {
        self.inner.durable()
    }

    fn drive(&mut self) -> u64 {
        self.inner.drive()
    }

    fn checkpoint(&mut self, in_any_case: bool) -> bool {
        self.inner.checkpoint(in_any_case)
    }

    fn housekeep(&mut self) {
        self.inner.housekeep();
    }

    fn revoked(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.revoked)
    }

    fn failure(&self) -> Option<String> {
        self.inner.failure()
    }

    fn contents(&mut self, queue: usize) -> Vec<Found> {
        self.inner.contents(queue)
    }

    fn counters(&self) -> Counters {
        self.inner.counters()
    }
}

/// Runs steps on two messages, of which client 1 has the first in a unit of work that is backed out for it,
/// and then by it.
fn while_short_of_room(backs_out_first: bool, steps: &[Step]) {
    let machine = platform::simulated::Machine::new(1);
    Toy::default().create(&machine.world()).unwrap();
    let inner = Toy::default().open(&machine.world()).unwrap();
    let subject = ShortOfRoom { inner, backs_out_first, revoked: Vec::new(), waiting: None };
    let mut life = Life::resume(machine, Box::new(subject), Model::default(), Vec::new(), Default::default());
    for step in steps {
        life.step(*step).unwrap();
    }
    life.settle().unwrap();
    let verdict = history::check(&life.present().events);
    assert!(verdict.is_clean(), "{verdict}");
}

#[test]
fn a_unit_that_was_backed_out_for_want_of_room_within_a_get_of_another_is_no_fault() {
    let put = Step::Put {
        client: 0,
        queue: 0,
        priority: 4,
        persistent: true,
        in_unit: false,
        length: 40,
        is_later: false,
    };
    let took = Step::Get { client: 1, queue: 0, in_unit: true };
    let gets = Step::Get { client: 2, queue: 0, in_unit: false };
    let waits = Step::Wait { client: 2, queue: 0 };
    let backs_out = Step::Backout { client: 1 };
    for backs_out_first in [true, false] {
        while_short_of_room(backs_out_first, &[put, put, took, gets, backs_out]);
    }
    while_short_of_room(true, &[put, took, gets, backs_out]);
    while_short_of_room(true, &[put, took, waits, backs_out]);
}
