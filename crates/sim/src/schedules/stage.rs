//! A queue manager with one queue, and the threads every host has.
//!
//! Nobody here looks again after a while: who waits for the log, for a job or for something to write sleeps
//! until it is told. So a wake-up that gets lost leaves a thread asleep, which the tool reports.

use std::sync::Arc;
use std::time::Duration;

use platform::simulated::{DiskImage, Machine, Random};
use platform::sync::{Condvar, Mutex};
use queue_manager::Event;
use queue_manager::{Gated, Host, QueueManager, Settings};
use shuttle::thread::{self, JoinHandle};
use storage::{Direction, Line, ObjectId, SyncObject};

use super::ledger::{Ledger, Moment};

/// The name of the queue.
pub(super) const QUEUE: &str = "Q";

/// Set-up of the queue manager.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// Bytes of bodies that stay in memory.
    pub(super) memory: u64,
    /// True if every tick after a logged record takes a checkpoint.
    pub(super) checkpoints: bool,
}

impl Setting {
    pub(super) const USUAL: Self = Self { memory: 1 << 20, checkpoints: false };

    fn settings(self) -> Settings {
        Settings {
            name: "STAGE".parse().expect("a name"),
            memory_budget_bytes: self.memory,
            handles_max: 16,
            uncommitted_messages_max: 1000,
            connections_max: 100,
            storage: storage::Settings {
                extent_bytes: 512 << 10,
                primary_extents: 3,
                secondary_extents: 2,
                slow_io: None,
                ..storage::Settings::default()
            },
            checkpoint_interval: if self.checkpoints { Duration::ZERO } else { Duration::from_secs(3600) },
            growth: queue_manager::GrowthBounds::default(),
            branches: queue_manager::BranchBounds::default(),
            hold: queue_manager::HOLD,
        }
    }
}

/// Files of the queue manager, made once.
#[derive(Debug)]
pub(super) struct Files(DiskImage);

impl Files {
    /// Makes them.
    pub(super) fn make() -> Self {
        let machine = Machine::new(0);
        let settings = Setting::USUAL.settings();
        QueueManager::create(&machine.world(), &settings).expect("files can be made");
        let manager = QueueManager::open(machine.world(), settings, Arc::new(Bells::default()));
        let manager = manager.expect("files can be opened");
        // A message about each start would lie on another queue and in memory.
        let text = format!("ALTER QMGR STRSTPEV(DISABLED)\nDEFINE QLOCAL({QUEUE}) MAXDEPTH(1000)");
        execute(&manager, &text);
        // What would be left for the first tick of every scene.
        manager.tick();
        while let Some(job) = manager.take_job() {
            job.run();
        }
        manager.close();
        Self(machine.disk.image())
    }
}

fn execute(manager: &QueueManager, text: &str) {
    for command in &objects::mqsc::parse(text).expect("a command") {
        let _ = manager.execute(command).map(|response| assert!(response.is_ok(), "{response:?}"));
    }
}

/// Calls of the engine to its host, and the threads that sleep until one comes.
#[derive(Debug, Default)]
pub(super) struct Bells {
    rung: Mutex<Rung>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Rung {
    log: bool,
    jobs: u64,
    tick: bool,
    over: bool,
    failure: Option<String>,
}

impl Bells {
    fn ring(&self, ring: impl FnOnce(&mut Rung)) {
        ring(&mut self.rung.lock());
        self.changed.notify_all();
    }

    /// Sleeps until `look` sees something, or the end: none then.
    fn wait<T>(&self, mut look: impl FnMut(&mut Rung) -> Option<T>) -> Option<T> {
        let mut rung = self.rung.lock();
        loop {
            if let Some(seen) = look(&mut rung) {
                return Some(seen);
            }
            if rung.over {
                return None;
            }
            self.changed.wait(&mut rung);
        }
    }
}

impl Host for Bells {
    fn log_has_work(&self) {
        self.ring(|rung| rung.log = true);
    }

    fn durable_advanced(&self) {
        self.ring(|_| ());
    }

    fn job_waits(&self) {
        self.ring(|rung| rung.jobs += 1);
    }

    fn tick_wanted(&self) {
        self.ring(|rung| rung.tick = true);
    }

    fn event(&self, _: &Event) {}

    fn failed(&self, failure: &storage::Fatal) {
        self.ring(|rung| rung.failure = Some(failure.to_string()));
    }
}

/// Where a scene plays.
pub(super) struct Stage {
    pub(super) manager: QueueManager,
    pub(super) machine: Machine,
    pub(super) ledger: Ledger,
    bells: Arc<Bells>,
}

impl Stage {
    /// Opens the queue manager.
    pub(super) fn open(files: &Files, seed: u64, setting: Setting) -> Arc<Self> {
        Self::open_on(Machine::with_disk(files.0.without_crash(), seed), setting)
    }

    fn open_on(machine: Machine, setting: Setting) -> Arc<Self> {
        let bells = Arc::new(Bells::default());
        let host = Arc::clone(&bells);
        let manager = QueueManager::open(machine.world(), setting.settings(), host).expect("it starts");
        Arc::new(Self { manager, machine, ledger: Ledger::default(), bells })
    }

    /// The threads of a host: one that writes the log, one that runs jobs.
    pub(super) fn host(self: &Arc<Self>) -> Hosting {
        let (log, jobs) = (Arc::clone(self), Arc::clone(self));
        let log = thread::spawn(move || {
            while log.bells.wait(|rung| std::mem::take(&mut rung.log).then_some(())).is_some() {
                while log.manager.log().waits() {
                    log.manager.drive();
                    // Somebody else may be writing.
                    thread::yield_now();
                }
            }
        });
        let jobs = thread::spawn(move || {
            let take = |rung: &mut Rung| (rung.jobs > 0).then(|| rung.jobs -= 1);
            while jobs.bells.wait(take).is_some() {
                if let Some(job) = jobs.manager.take_job() {
                    job.run();
                }
            }
        });
        Hosting { stage: Arc::clone(self), threads: vec![log, jobs] }
    }

    /// Waits until a value may be known.
    pub(super) fn settle<T>(&self, gated: Gated<T>) -> T {
        let need = gated.need();
        self.bells.wait(|rung| {
            assert!(rung.failure.is_none(), "the log failed: {:?}", rung.failure);
            (self.manager.durable().lsn() >= need).then_some(())
        });
        match gated.open(self.manager.durable()) {
            Ok(value) => value,
            Err(_) => panic!("the log is durable to what the answer needs"),
        }
    }

    /// Executes a command and waits for its answer.
    pub(super) fn command(&self, text: &str) {
        assert!(self.try_command(text), "{text} is refused");
    }

    /// The same for one that may be refused; whether it was not.
    pub(super) fn try_command(&self, text: &str) -> bool {
        let commands = objects::mqsc::parse(text).expect("a command");
        commands.iter().all(|command| self.settle(self.manager.execute(command)).is_ok())
    }

    /// Makes the state of a channel towards a partner.
    pub(super) fn channel_state(&self) -> ObjectId {
        let sync = SyncObject {
            channel: "TO.STAGE".to_owned(),
            direction: Direction::Receives,
            partner: "PARTNER".to_owned(),
            partner_identifier: "PARTNER_1".to_owned(),
            certificate: String::new(),
            line: Line(1),
            is_used: false,
            before: None,
            stopped_at: None,
            resolved: None,
            wants_reset: false,
        };
        self.settle(self.manager.channels().define_state(None, sync)).expect("the log takes it")
    }

    /// The number of the last batch that the channel with a state has committed.
    pub(super) fn last_batch(&self) -> u32 {
        let states = self.settle(self.manager.channels().states());
        states[0].confirmed.map_or(0, |last| last.sequence)
    }

    /// Returns the present state of the disk and the answers given by now.
    pub(super) fn moment(&self) -> (DiskImage, Moment) {
        (self.machine.disk.image(), self.ledger.moment())
    }

    /// The queue manager started again on what a loss of power left.
    pub(super) fn after_loss_of_power(image: &DiskImage, seed: u64) -> Arc<Self> {
        let mut random = Random::stream(seed, "loss of power");
        let policy = platform::simulated::CrashPolicy::random(&mut random);
        // Damage beyond what was being written is for the tortures of the simulation.
        let policy = platform::simulated::CrashPolicy { damage: None, ..policy };
        let disk = image.crash(&mut random, policy);
        Self::open_on(Machine::with_disk(disk, seed), Setting::USUAL)
    }
}

/// The threads of a host. They end with [`Hosting::end`].
pub(super) struct Hosting {
    stage: Arc<Stage>,
    threads: Vec<JoinHandle<()>>,
}

impl Hosting {
    /// Ends them when everything they were told of is done.
    pub(super) fn end(self) {
        self.stage.bells.ring(|rung| rung.over = true);
        for thread in self.threads {
            thread.join().expect("the threads of a host end");
        }
    }
}
