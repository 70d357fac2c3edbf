//! Where two or three things meet at one queue: what each does is short, so that most of the orders there are
//! are tried.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mqi::{OpenOptions, Persistence, PutFlags, Reason, Wait};
use parking_lot::Mutex;
use platform::simulated::{DiskImage, Random};
use queue_manager::{Decision, Quiesce};
use shuttle::thread::{self, JoinHandle};
use storage::record::ClientCommit;

use super::actor::{Actor, Ahead, Effects, ScheduledMessage, Wish};
use super::ledger::{Moment, Number};
use super::stage::{Files, Hosting, Setting, Stage};

/// A step of the clock: the unit of expiry.
const STEP: std::time::Duration = std::time::Duration::from_millis(100);

/// One seed of an interplay.
pub(super) struct Scene {
    pub(super) stage: Arc<Stage>,
    hosting: Hosting,
    seed: u64,
    pub(super) random: Random,
    threads: Vec<JoinHandle<()>>,
    /// The decision of the coordinator about units in doubt.
    decision: Decision,
    /// State of the disk and the answers given when the power was lost, if it was.
    lost_power: Arc<Mutex<Option<(DiskImage, Moment)>>>,
}

impl Scene {
    pub(super) fn begin(files: &Files, seed: u64, setting: Setting) -> Self {
        let stage = Stage::open(files, seed, setting);
        let hosting = stage.host();
        let random = Random::stream(seed, "scene");
        let decision = Decision::BackOut;
        Self { stage, hosting, seed, random, threads: Vec::new(), decision, lost_power: Arc::default() }
    }

    pub(super) fn actor(&self) -> Actor {
        Actor::enter(&self.stage)
    }

    pub(super) fn plays(&mut self, part: impl FnOnce() + Send + 'static) {
        self.threads.push(thread::spawn(part));
    }

    /// In every third scene somebody notes at some moment what is on the disk and what has been told.
    fn may_lose_power(&mut self) {
        if self.random.percent(33) {
            let (stage, place) = (Arc::clone(&self.stage), Arc::clone(&self.lost_power));
            let looks = self.random.below(40);
            self.plays(move || {
                (0..looks).for_each(|_| thread::yield_now());
                *place.lock() = Some(stage.moment());
            });
        }
    }

    pub(super) fn all_have_played(&mut self) {
        for thread in self.threads.drain(..) {
            thread.join().expect("a part comes to its end");
        }
    }

    /// Checks that the messages agree with the answers given, now and after the loss of power.
    pub(super) fn end(mut self) {
        self.all_have_played();
        let told = self.stage.ledger.moment();
        let mut last = self.actor();
        let there = last.drain();
        told.agrees(&there);
        drop(last);
        assert_eq!(self.stage.manager.figures().connections(), 0, "everybody has left");
        assert_eq!(self.stage.manager.figures().memory_used(), 0, "an empty queue takes no memory");
        self.hosting.end();
        let lost_power = self.lost_power.lock().take();
        if let Some((image, mut told)) = lost_power {
            let stage = Stage::after_loss_of_power(&image, self.seed);
            let hosting = stage.host();
            let in_doubt = stage.settle(stage.manager.units().prepared());
            for unit in &in_doubt {
                let settled = stage.settle(stage.manager.units().settle(unit.name, self.decision));
                settled.map(drop).expect("a unit in doubt is decided");
            }
            told.is_decided(in_doubt.len(), self.decision == Decision::Commit);
            told.agrees_after_loss_of_power(&Actor::enter(&stage).drain());
            hosting.end();
        }
    }
}

/// Getters wait, putters put: each getter is given a message, by whatever way it comes.
pub(super) fn wait_and_put(files: &Files, seed: u64) {
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    scene.may_lose_power();
    let getters = u32::try_from(scene.random.between(1, 2)).expect("few");
    let each_its_own = scene.random.percent(30);
    for number in 0..getters {
        let mut actor = scene.actor();
        let only = each_its_own.then_some(number);
        let wish = Wish { in_unit: scene.random.percent(50), only, ..Wish::WAIT };
        scene.plays(move || {
            actor.get(wish).expect("a message comes");
            if wish.in_unit {
                actor.commit().expect("a commit succeeds");
            }
        });
    }
    let putters = scene.random.between(1, 2);
    let numbers: Vec<Number> = (0..=getters).collect();
    for part in 0..putters {
        let mut actor = scene.actor();
        let mine = numbers.iter().filter(|number| u64::from(**number) % putters == part);
        let messages: Vec<_> = mine.map(|number| ScheduledMessage::any(*number, &mut scene.random)).collect();
        let together = scene.random.percent(50);
        scene.plays(move || {
            for message in messages {
                actor.put(message).expect("a put succeeds");
                if message.in_unit && !together {
                    actor.commit().expect("a commit succeeds");
                }
            }
            actor.commit().expect("a commit succeeds");
        });
    }
    scene.end();
}

/// Has a unit of work hold some messages that it got. Returns those that it is to put.
fn hold_some(scene: &mut Scene, owner: &mut Actor) -> Vec<ScheduledMessage> {
    let before = u32::try_from(scene.random.below(3)).expect("few");
    let after = before + u32::try_from(scene.random.between(1, 2)).expect("few");
    for number in 0..before {
        let message = ScheduledMessage { in_unit: false, ..ScheduledMessage::any(number, &mut scene.random) };
        owner.put(message).expect("a put succeeds");
        owner.get(Wish { in_unit: true, ..Wish::NOW }).expect("it is there");
    }
    (before..after)
        .map(|number| ScheduledMessage { in_unit: true, ..ScheduledMessage::any(number, &mut scene.random) })
        .collect()
}

/// A unit of work ends while those who wait for what it holds give up.
pub(super) fn commit_and_cancel(files: &Files, seed: u64) {
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    scene.may_lose_power();
    let mut owner = scene.actor();
    let messages = hold_some(&mut scene, &mut owner);
    let stands = scene.random.percent(60);
    for _ in 0..scene.random.between(1, 2) {
        let mut actor = scene.actor();
        let wish = Wish { in_unit: scene.random.percent(50), ..Wish::WAIT };
        let then_commits = scene.random.percent(50);
        scene.plays(move || {
            let asked = actor.ask(wish);
            thread::yield_now();
            let answer = actor.cancel(asked);
            assert!(!matches!(answer, Some(Err(_))), "a wait is given up or ends with a message: {answer:?}");
            let ended = if then_commits { actor.commit() } else { actor.back() };
            ended.expect("a unit of work ends");
        });
    }
    scene.plays(move || {
        for message in messages {
            owner.put(message).expect("a put succeeds");
        }
        let ended = if stands { owner.commit() } else { owner.back() };
        ended.expect("a unit of work ends");
    });
    scene.end();
}

/// A unit of work is prepared and decided, by one coordinator or two, while others wait for the messages that
/// it holds and checkpoints move them. Its connection may be gone by then.
pub(super) fn prepare_and_decide(files: &Files, seed: u64) {
    let memory = if seed.is_multiple_of(2) { 64 } else { 1 << 20 };
    let checkpoints = (seed / 2).is_multiple_of(2);
    let mut scene = Scene::begin(files, seed, Setting { memory, checkpoints });
    scene.decision = *scene.random.pick(&[Decision::Commit, Decision::BackOut]);
    scene.may_lose_power();
    let mut owner = scene.actor();
    let messages = hold_some(&mut scene, &mut owner);
    for _ in 0..scene.random.between(1, 2) {
        let mut actor = scene.actor();
        let wish = Wish { in_unit: scene.random.percent(50), ..Wish::WAIT };
        let stands = scene.random.percent(50);
        scene.plays(move || {
            let asked = actor.ask(wish);
            (0..4).for_each(|_| thread::yield_now());
            let answer = actor.cancel(asked);
            assert!(!matches!(answer, Some(Err(_))), "a wait is given up or ends with a message: {answer:?}");
            let ended = if stands { actor.commit() } else { actor.back() };
            ended.expect("a unit of work ends");
        });
    }
    let (stage, decision) = (Arc::clone(&scene.stage), scene.decision);
    let (leaves, has_rival) = (scene.random.percent(50), scene.random.percent(50));
    let noted = Arc::clone(&scene.stage);
    scene.plays(move || {
        for message in messages {
            owner.put(message).expect("a put succeeds");
        }
        let in_doubt = Arc::new(owner.prepare().expect("it has put something"));
        if leaves {
            owner.leave(Vec::new());
        }
        let rival = has_rival.then(|| {
            let in_doubt = Arc::clone(&in_doubt);
            thread::spawn(move || in_doubt.decide(&noted, decision))
        });
        let first = in_doubt.decide(&stage, decision);
        let second = rival.is_some_and(|rival| rival.join().expect("a coordinator comes to its end"));
        assert!(first != second, "one decision ends the unit: {first}, {second}");
    });
    let stage = Arc::clone(&scene.stage);
    scene.plays(move || {
        for _ in 0..2 {
            stage.manager.tick();
            thread::yield_now();
        }
    });
    scene.end();
}

/// Messages and waits run out while somebody gets.
pub(super) fn expire_and_get(files: &Files, seed: u64) {
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    scene.may_lose_power();
    let mut putter = scene.actor();
    let messages: Vec<_> = (0..3)
        .map(|number| {
            let any = ScheduledMessage::any(number, &mut scene.random);
            ScheduledMessage { expiry: scene.random.percent(60).then_some(1), in_unit: false, ..any }
        })
        .collect();
    putter.put(messages[0]).expect("a put succeeds");
    let left = Arc::new(AtomicU64::new(0));
    for _ in 0..scene.random.between(1, 2) {
        let mut actor = scene.actor();
        left.fetch_add(1, Ordering::Relaxed);
        let left = Arc::clone(&left);
        let wait = *scene.random.pick(&[Wait::No, Wait::Milliseconds(100), Wait::Milliseconds(200)]);
        let wish = Wish { in_unit: scene.random.percent(40), wait, only: None };
        let gets = scene.random.between(1, 2);
        let stands = scene.random.percent(50);
        scene.plays(move || {
            for _ in 0..gets {
                if let Err(reason) = actor.get(wish) {
                    assert_eq!(reason, Reason::NO_MSG_AVAILABLE);
                }
            }
            let ended = if stands { actor.commit() } else { actor.back() };
            ended.expect("a unit of work ends");
            left.fetch_sub(1, Ordering::Relaxed);
        });
    }
    scene.plays(move || {
        for message in &messages[1..] {
            putter.put(*message).expect("a put succeeds");
        }
    });
    let stage = Arc::clone(&scene.stage);
    scene.plays(move || {
        for _ in 0..3 {
            stage.machine.clock.advance(STEP);
            stage.manager.tick();
        }
    });
    // A getter that still waits, waits for this.
    while left.load(Ordering::Relaxed) > 0 {
        scene.stage.machine.clock.advance(STEP);
        scene.stage.manager.tick();
        thread::yield_now();
    }
    scene.end();
}

/// A connection ends while it is given a message, or has one in its unit of work: somebody else is given it.
pub(super) fn end_and_deliver(files: &Files, seed: u64) {
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    scene.may_lose_power();
    let mut leaver = scene.actor();
    let wishes = scene.random.between(1, 2);
    let asked: Vec<_> =
        (0..wishes).map(|_| leaver.ask(Wish { in_unit: scene.random.percent(60), ..Wish::WAIT })).collect();
    let mut heir = scene.actor();
    let mut putter = scene.actor();
    let messages: Vec<_> = (0..2).map(|number| ScheduledMessage::any(number, &mut scene.random)).collect();
    let and_commits = scene.random.percent(80);
    let more = ScheduledMessage { in_unit: false, ..ScheduledMessage::any(9, &mut scene.random) };
    scene.plays(move || {
        for message in messages {
            putter.put(message).expect("a put succeeds");
        }
        if and_commits {
            putter.commit().expect("a commit succeeds");
        }
        // The heir is given one in any case.
        putter.put(more).expect("a put succeeds");
        putter.leave(Vec::new());
    });
    scene.plays(move || {
        // It may have been given all of them outside of a unit of work.
        leaver.leave(asked);
    });
    let wish = Wish { in_unit: scene.random.percent(50), ..Wish::WAIT };
    scene.plays(move || {
        let asked = heir.ask(wish);
        for _ in 0..4 {
            thread::yield_now();
        }
        heir.cancel(asked);
        heir.commit().expect("a commit succeeds");
    });
    scene.end();
}

/// An administrator ends a connection that waits while messages come: its program is told so, or is given
/// one.
pub(super) fn stop_and_deliver(files: &Files, seed: u64) {
    let memory = if seed.is_multiple_of(2) { 64 } else { 1 << 20 };
    let mut scene = Scene::begin(files, seed, Setting { memory, ..Setting::USUAL });
    let mut stopped = scene.actor();
    let name = format!("{:016X}", stopped.identifier());
    let wish = Wish { in_unit: scene.random.percent(50), ..Wish::WAIT };
    scene.plays(move || {
        if let Err(reason) = stopped.get(wish) {
            assert_eq!(reason, Reason::CONNECTION_BROKEN);
        }
    });
    let mut putter = scene.actor();
    let messages: Vec<_> = (0..2).map(|number| ScheduledMessage::any(number, &mut scene.random)).collect();
    scene.plays(move || {
        for message in messages {
            putter.put(message).expect("a put succeeds");
        }
        putter.commit().expect("a commit succeeds");
    });
    let stage = Arc::clone(&scene.stage);
    scene.plays(move || {
        // It may have been given a message, and be gone.
        let _ = stage.try_command(&format!("STOP CONN({name})"));
    });
    scene.end();
}

/// A message comes to a queue whose program is to be started, while a trigger monitor opens the initiation
/// queue: the monitor is told of it.
pub(super) fn trigger_and_open(files: &Files, seed: u64) {
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    let kind = *scene.random.pick(&["FIRST", "DEPTH"]);
    scene.stage.command("DEFINE QLOCAL(STARTS)\nDEFINE PROCESS(CLERK)");
    let trigger = format!("TRIGGER TRIGTYPE({kind}) TRIGDPTH(1) INITQ(STARTS) PROCESS(CLERK)");
    scene.stage.command(&format!("DEFINE QLOCAL(ORDERS) {trigger}"));
    let mut putter = Actor::enter_at(&scene.stage, "ORDERS", OpenOptions::OUTPUT);
    let message = ScheduledMessage::any(1, &mut scene.random);
    scene.plays(move || {
        putter.put(message).expect("a put succeeds");
        putter.commit().expect("a commit succeeds");
    });
    let stage = Arc::clone(&scene.stage);
    let monitor = Arc::new(Mutex::new(None));
    let place = Arc::clone(&monitor);
    scene.plays(move || {
        *place.lock() = Some(Actor::enter_at(&stage, "STARTS", OpenOptions::INPUT_SHARED));
    });
    scene.all_have_played();
    let monitor = monitor.lock().take();
    let told = monitor.expect("it has opened the queue").drain_any();
    // Who opens the initiation queue asks for those that nobody took, and may come between a message's making
    // and its program.
    assert!((1..=2).contains(&told), "{told} trigger messages of type {kind}");
    assert_eq!(Actor::enter_at(&scene.stage, "ORDERS", OpenOptions::INPUT_SHARED).drain_any(), 1);
    scene.hosting.end();
}

/// Answers are let out by the log while the power may go at any moment: what was answered is there
/// afterwards.
pub(super) fn answer_and_lose_power(files: &Files, seed: u64) {
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    let (stage, place) = (Arc::clone(&scene.stage), Arc::clone(&scene.lost_power));
    let looks = scene.random.below(120);
    scene.plays(move || {
        (0..looks).for_each(|_| thread::yield_now());
        *place.lock() = Some(stage.moment());
    });
    for part in 0..scene.random.between(2, 3) {
        let mut actor = scene.actor();
        let part = u32::try_from(part).expect("few");
        let mut random = Random::stream(seed, &format!("part {part}"));
        scene.plays(move || {
            for step in 0..random.between(2, 4) {
                let number = part * 100 + u32::try_from(step).expect("few");
                match random.below(6) {
                    0..3 => actor.put(ScheduledMessage::any(number, &mut random)).expect("a put succeeds"),
                    3 => drop(actor.get(Wish { in_unit: random.percent(50), ..Wish::NOW })),
                    4 => actor.commit().expect("a commit succeeds"),
                    _ => actor.back().expect("a backout succeeds"),
                }
            }
            actor.commit().expect("a commit succeeds");
        });
    }
    scene.end();
}

/// Checkpoints move bodies while they are got, looked at, put and backed out.
pub(super) fn checkpoint_and_get(files: &Files, seed: u64) {
    let memory = if seed.is_multiple_of(2) { 64 } else { 1 << 20 };
    let mut scene = Scene::begin(files, seed, Setting { memory, checkpoints: true });
    scene.may_lose_power();
    let mut putter = scene.actor();
    for number in 0..3 {
        let message = ScheduledMessage { in_unit: false, ..ScheduledMessage::any(number, &mut scene.random) };
        putter.put(message).expect("a put succeeds");
    }
    let stage = Arc::clone(&scene.stage);
    scene.plays(move || {
        for _ in 0..2 {
            stage.manager.tick();
            thread::yield_now();
        }
    });
    for _ in 0..scene.random.between(1, 2) {
        let mut actor = scene.actor();
        let wish = Wish { in_unit: scene.random.percent(50), ..Wish::NOW };
        let stands = scene.random.percent(50);
        scene.plays(move || {
            for _ in 0..2 {
                if let Err(reason) = actor.get(wish) {
                    assert_eq!(reason, Reason::NO_MSG_AVAILABLE);
                }
            }
            let ended = if stands { actor.commit() } else { actor.back() };
            ended.expect("a unit of work ends");
        });
    }
    let message = ScheduledMessage::any(3, &mut scene.random);
    scene.plays(move || {
        putter.put(message).expect("a put succeeds");
        putter.commit().expect("a commit succeeds");
    });
    scene.end();
}

/// The queue manager begins to end while somebody waits and somebody puts: every wait is answered.
pub(super) fn quiesce_and_wait(files: &Files, seed: u64) {
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    let last = scene.actor();
    for _ in 0..2 {
        let mut actor = scene.actor();
        let wish = Wish { in_unit: scene.random.percent(50), ..Wish::WAIT };
        scene.plays(move || {
            if let Err(reason) = actor.get(wish) {
                assert_eq!(reason, Reason::Q_MGR_STOPPING);
                return;
            }
            if let Err(reason) = actor.commit() {
                assert_eq!(reason, Reason::Q_MGR_STOPPING);
            }
            actor.leave(Vec::new());
        });
    }
    let mut putter = scene.actor();
    let messages: Vec<_> = (0..2)
        .map(|number| ScheduledMessage { in_unit: false, ..ScheduledMessage::any(number, &mut scene.random) })
        .collect();
    scene.plays(move || {
        for message in messages {
            if let Err(reason) = putter.put(message) {
                assert_eq!(reason, Reason::Q_MGR_STOPPING);
            }
        }
    });
    let stage = Arc::clone(&scene.stage);
    scene.plays(move || stage.manager.quiesce(Quiesce::Immediate));
    scene.all_have_played();
    drop(last);
    assert_eq!(scene.stage.manager.figures().connections(), 0, "everybody has left");
    scene.stage.manager.close();
    let (image, told) = scene.stage.moment();
    scene.hosting.end();
    let stage = Stage::after_loss_of_power(&image, seed);
    let hosting = stage.host();
    told.agrees_after_loss_of_power(&Actor::enter(&stage).drain());
    hosting.end();
}

/// A client returns while its old connection works: it is told which of its units of work stood, and exactly
/// what those did is there.
pub(super) fn work_and_return(files: &Files, seed: u64) {
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    let instance = [7; 16];
    let mut old = Actor::enter_as(&scene.stage, instance, 1).expect("a connection");
    let mut first = scene.actor();
    let waiting = u32::try_from(scene.random.between(0, 2)).expect("few");
    for number in 0..waiting {
        let message = ScheduledMessage { in_unit: false, ..ScheduledMessage::any(number, &mut scene.random) };
        first.put(message).expect("a put succeeds");
    }
    drop(first);
    let units = scene.random.between(1, 2);
    let mut random = Random::stream(seed, "units");
    let answered = Arc::new(AtomicU64::new(0));
    let effects: Effects = Arc::default();
    let (place, notes) = (Arc::clone(&answered), Arc::clone(&effects));
    scene.plays(move || {
        for unit in 1..=units {
            if old.unit_of_work(unit, &mut random, &notes).is_err() {
                break;
            }
            let client = ClientCommit { instance, number: unit };
            if old.commit_unnoted(client).is_err() {
                break;
            }
            place.store(unit, Ordering::Relaxed);
        }
    });
    let stage = Arc::clone(&scene.stage);
    let stood = Arc::new(AtomicU64::new(0));
    let place = Arc::clone(&stood);
    scene.plays(move || {
        let new = Actor::enter_as(&stage, instance, 2).expect("it is newer");
        place.store(new.last_commit().unwrap_or(0), Ordering::Relaxed);
    });
    scene.all_have_played();
    let there = scene.actor().drain();
    let (stood, answered) = (stood.load(Ordering::Relaxed), answered.load(Ordering::Relaxed));
    assert_eq!(stood, answered, "the new connection is told {stood}, the old one was {answered}");
    let mut expected: Vec<Number> = (0..waiting).collect();
    for (unit, puts, gets) in effects.lock().iter().filter(|(unit, ..)| *unit <= stood) {
        assert!(*unit > 0, "units are counted from one");
        expected.retain(|number| !gets.contains(number));
        expected.extend(puts);
    }
    let (mut sorted, mut wanted) = (there, expected);
    sorted.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(sorted, wanted, "{stood} units of work stood");
    scene.hosting.end();
}

/// A partner comes again while the older connection of its channel commits batches: it is told of the last
/// that was committed, and the messages of these are there and no others.
pub(super) fn batch_and_return(files: &Files, seed: u64) {
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    let object = scene.stage.channel_state();
    let instance = [7; 16];
    let mut old = Actor::enter_as(&scene.stage, instance, 1).expect("a connection");
    let batches = u32::try_from(scene.random.between(1, 2)).expect("few");
    let mut random = Random::stream(seed, "batches");
    scene.plays(move || {
        for batch in 1..=batches {
            let message = ScheduledMessage { in_unit: true, ..ScheduledMessage::any(batch, &mut random) };
            if old.put(message).is_err() || old.commit_batch(object, batch).is_err() {
                break;
            }
        }
    });
    let stage = Arc::clone(&scene.stage);
    let told = Arc::new(AtomicU64::new(0));
    let place = Arc::clone(&told);
    scene.plays(move || {
        let _new = Actor::enter_as(&stage, instance, 2).expect("it is newer");
        place.store(stage.last_batch().into(), Ordering::Relaxed);
    });
    scene.all_have_played();
    let (there, told) = (scene.actor().drain(), told.load(Ordering::Relaxed));
    let expected: Vec<Number> = (1..).take(usize::try_from(told).expect("few")).collect();
    assert_eq!(there, expected, "the partner sends what is behind batch {told} again");
    scene.hosting.end();
}

/// Getting is forbidden and allowed again while somebody waits and somebody puts.
pub(super) fn alter_and_wait(files: &Files, seed: u64) {
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    for _ in 0..scene.random.between(1, 2) {
        let mut actor = scene.actor();
        let wish = Wish { in_unit: scene.random.percent(50), ..Wish::WAIT };
        scene.plays(move || {
            loop {
                match actor.get(wish) {
                    Ok(_) => break,
                    Err(reason) => assert_eq!(reason, Reason::GET_INHIBITED),
                }
                thread::yield_now();
            }
            actor.commit().expect("a commit succeeds");
        });
    }
    let mut putter = scene.actor();
    let messages: Vec<_> = (0..2).map(|number| ScheduledMessage::any(number, &mut scene.random)).collect();
    scene.plays(move || {
        for message in messages {
            putter.put(message).expect("a put succeeds");
        }
        putter.commit().expect("a commit succeeds");
    });
    let stage = Arc::clone(&scene.stage);
    scene.plays(move || {
        stage.command("ALTER QLOCAL(Q) GET(DISABLED)");
        stage.command("ALTER QLOCAL(Q) GET(ENABLED)");
    });
    scene.end();
}

/// One takes a burst, and comes first for a moment each time it goes on, while others wait: whatever it does
/// not take, or gives back, comes to them.
pub(super) fn burst_and_wait(files: &Files, seed: u64) {
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    scene.may_lose_power();
    let mut taker = scene.actor();
    let burst = scene.random.between(1, 3);
    let in_unit = scene.random.percent(50);
    let waiters = scene.random.between(1, 2);
    for _ in 0..waiters {
        let mut actor = scene.actor();
        let wish = Wish { in_unit: scene.random.percent(50), ..Wish::WAIT };
        scene.plays(move || {
            actor.get(wish).expect("a message comes");
            actor.commit().expect("a commit succeeds");
        });
    }
    let mut putter = scene.actor();
    let all = u32::try_from(burst + waiters).expect("few");
    let messages: Vec<_> = (0..all).map(|number| ScheduledMessage::any(number, &mut scene.random)).collect();
    scene.plays(move || {
        for message in messages {
            putter.put(message).expect("a put succeeds");
        }
        putter.commit().expect("a commit succeeds");
    });
    scene.plays(move || {
        for turn in 0..burst {
            let asked = taker.ask_aside(in_unit, turn > 0);
            taker.take_asked(asked).expect("a message comes");
        }
        // It would take more, and wants nothing any more before it comes, or just then.
        let asked = taker.ask_aside(in_unit, true);
        thread::yield_now();
        taker.let_go(&asked);
        taker.commit().expect("a commit succeeds");
    });
    let stage = Arc::clone(&scene.stage);
    let step = std::time::Duration::from_micros(scene.random.between(100, 600));
    scene.plays(move || {
        for _ in 0..3 {
            stage.machine.clock.advance(step);
            stage.manager.tick();
            thread::yield_now();
        }
    });
    scene.end();
}

/// One waits for several messages, one after the other, and wants no more before some of them come, or just
/// then, while others open the queue and begin to wait: whatever it does not take comes to them.
pub(super) fn series_and_wait(files: &Files, seed: u64) {
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    scene.may_lose_power();
    let mut taker = scene.actor();
    let (taken, waiters) = (scene.random.between(0, 2), scene.random.between(1, 2));
    let mut ahead = Ahead::new(scene.random.percent(50));
    for _ in 0..waiters {
        let stage = Arc::clone(&scene.stage);
        let wish = Wish { in_unit: scene.random.percent(50), ..Wish::WAIT };
        scene.plays(move || {
            let mut actor = Actor::enter(&stage);
            actor.get(wish).expect("a message comes");
            actor.commit().expect("a commit succeeds");
        });
    }
    let mut putter = Actor::enter_to_put(&scene.stage);
    let all = u32::try_from(taken + waiters).expect("few");
    let messages: Vec<_> = (0..all).map(|number| ScheduledMessage::any(number, &mut scene.random)).collect();
    scene.plays(move || {
        for message in messages {
            putter.put(message).expect("a put succeeds");
        }
        putter.commit().expect("a commit succeeds");
    });
    scene.plays(move || {
        for _ in 0..taken {
            taker.take_ahead(&mut ahead).expect("a message comes");
        }
        if let Some((token, _)) = taker.ask_ahead(&mut ahead) {
            taker.give_back(token);
        }
        thread::yield_now();
        taker.let_go_ahead(&mut ahead);
        taker.commit().expect("a commit succeeds");
    });
    scene.end();
}

/// A queue is deleted while others look for it: who was told that there is none finds none after the loss of
/// power.
pub(super) fn delete_and_open(files: &Files, seed: u64) {
    const OTHER: &str = "OTHER";
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    scene.stage.command("DEFINE QLOCAL(OTHER)");
    let told = Arc::new(Mutex::new(None));
    for _ in 0..2 {
        let (mut actor, stage, told) = (scene.actor(), Arc::clone(&scene.stage), Arc::clone(&told));
        scene.plays(move || {
            for _ in 0..4 {
                if !actor.knows(OTHER) {
                    told.lock().get_or_insert_with(|| stage.machine.disk.image());
                    return;
                }
                thread::yield_now();
            }
        });
    }
    let stage = Arc::clone(&scene.stage);
    scene.plays(move || {
        // As long as somebody has it open it stays.
        while !stage.try_command("DELETE QLOCAL(OTHER)") {
            thread::yield_now();
        }
    });
    scene.end();
    let told = told.lock().take();
    if let Some(image) = told {
        let stage = Stage::after_loss_of_power(&image, seed);
        let hosting = stage.host();
        assert!(!Actor::enter(&stage).knows(OTHER), "a queue that was gone is there again");
        hosting.end();
    }
}

/// Somebody subscribes while somebody publishes what is retained, in units of work or outside: from where the
/// subscription begins it is given each, once and in order, and the last in any case.
pub(super) fn retain_and_subscribe(files: &Files, seed: u64) {
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    let (mut publisher, mut subscriber) = (scene.actor(), scene.actor());
    let persistence = *scene.random.pick(&[Persistence::Persistent, Persistence::NotPersistent]);
    let last = u32::try_from(scene.random.between(1, 3)).expect("few");
    let in_unit = scene.random.percent(50);
    scene.plays(move || {
        (1..=last).for_each(|number| publisher.publish_retained("a/b", number, persistence, in_unit));
    });
    let by_command = scene.random.percent(30);
    let topics = *scene.random.pick(&["a/b", "a/+", "#"]);
    let stage = Arc::clone(&scene.stage);
    let given = Arc::new(Mutex::new(Vec::new()));
    let place = Arc::clone(&given);
    let over = Arc::new(AtomicU64::new(0));
    let is_over = Arc::clone(&over);
    let listens = thread::spawn(move || {
        if by_command {
            stage.command(&format!("DEFINE SUB(S) TOPICSTR('{topics}') DEST(Q)"));
        } else {
            subscriber.subscribe(topics);
        }
        // The subscription of a program ends with it.
        while is_over.load(Ordering::Relaxed) == 0 {
            thread::yield_now();
        }
        *place.lock() = subscriber.drain_publications();
    });
    scene.all_have_played();
    over.store(1, Ordering::Relaxed);
    listens.join().expect("the subscriber comes to its end");
    let given = given.lock();
    let begun = given.first().copied().unwrap_or(last);
    assert_eq!(*given, (begun..=last).collect::<Vec<_>>(), "of {last} publications to {topics}");
    scene.hosting.end();
}

/// A durable subscription ends while somebody publishes what it must be given: the publication succeeds, and
/// nothing of it stays behind.
pub(super) fn unsubscribe_and_publish(files: &Files, seed: u64) {
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    let (mut publisher, mut subscriber) = (scene.actor(), scene.actor());
    let subscribed = subscriber.subscribe_durably("a/b");
    let last = u32::try_from(scene.random.between(1, 2)).expect("few");
    let in_unit = scene.random.percent(50);
    scene.plays(move || {
        for number in 1..=last {
            publisher.publish("a/b", number, Persistence::Persistent, (in_unit, PutFlags::EMPTY));
        }
    });
    scene.plays(move || subscriber.unsubscribe(&subscribed));
    scene.end();
}
