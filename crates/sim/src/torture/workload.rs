//! The actions of clients: steps drawn from a seed.

use platform::simulated::Random;

use super::subject::QUEUES;

/// One step of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A client puts a message.
    Put {
        /// The client.
        client: u32,
        /// Where to.
        queue: usize,
        /// 0 to 9.
        priority: u8,
        /// True if it must survive restarts.
        persistent: bool,
        /// Within its unit of work.
        in_unit: bool,
        /// Bytes of the body.
        length: usize,
        /// It is given to nobody before [`Step::Pass`].
        is_later: bool,
    },
    /// Time passes: what is delivered later may be given out.
    Pass,
    /// A client gets a message.
    Get {
        /// The client.
        client: u32,
        /// Where from.
        queue: usize,
        /// Within its unit of work.
        in_unit: bool,
    },
    /// A client waits for a message, outside units of work; where there is one, it gets it.
    Wait {
        /// The client.
        client: u32,
        /// Where from.
        queue: usize,
    },
    /// Something becomes of a message that is on its way to a client without the log.
    Decide(Fate),
    /// A client commits.
    Commit {
        /// The client.
        client: u32,
    },
    /// A client backs out.
    Backout {
        /// The client.
        client: u32,
    },
    /// A client has its unit of work prepared.
    Prepare {
        /// The client.
        client: u32,
    },
    /// The coordinator decides the oldest unit of work that is prepared.
    Settle {
        /// True when it is committed.
        commits: bool,
    },
    /// The log is driven.
    Drive,
    /// A checkpoint is taken.
    Checkpoint,
    /// The host does what it does between calls.
    Housekeep,
}

/// Fate of a message on its way to a getter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The getter has it.
    Delivered,
    /// Its connection has it and ends before the getter looks.
    Unread,
    /// The getter's connection ends before a byte was sent.
    NotBegun,
    /// The getter's connection ends before the last byte was sent.
    CutShort,
}

impl Fate {
    const ALL: [Self; 4] = [Self::Delivered, Self::Unread, Self::NotBegun, Self::CutShort];
}

/// The proportions of a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of steps.
    pub steps: u64,
    /// Number of clients.
    pub clients: u32,
    /// Number of queues used.
    pub queues: usize,
    /// Percent of clients' operations within units of work.
    pub in_units: u8,
    /// Percent of messages that are persistent.
    pub persistent: u8,
    /// Percent of operations that are gets.
    pub gets: u8,
    /// Percent of puts with a body of 2 to 20 KB.
    pub medium: u8,
    /// Percent of puts with a body that goes to the log in fragments.
    pub large: u8,
    /// Percent of steps that drive the log.
    pub drives: u8,
    /// Percent of steps that take a checkpoint.
    pub checkpoints: u8,
    /// Percent of steps in which a client begins to wait for a message, or something becomes of one on its
    /// way.
    pub waits: u8,
    /// Percent of ends of units of work that are prepared first, to be decided later.
    pub prepares: u8,
    /// Percent of puts to the first queue that are delivered later.
    pub later: u8,
}

impl Shape {
    /// The same with clients that wait for messages.
    #[must_use]
    pub fn waiting(self, random: &mut Random) -> Self {
        Self { waits: *random.pick(&[0, 15, 40]), ..self }
    }

    /// The same with units of work that are prepared.
    #[must_use]
    pub fn preparing(self, random: &mut Random) -> Self {
        Self { prepares: *random.pick(&[0, 40, 90]), ..self }
    }

    /// The same with messages that are delivered later.
    #[must_use]
    pub fn delaying(self, random: &mut Random) -> Self {
        Self { later: *random.pick(&[0, 30, 70]), ..self }
    }

    /// Two to six calls: small enough that every crash of them can be tried.
    pub fn small(random: &mut Random) -> Self {
        Self {
            steps: random.between(2, 6),
            clients: 2,
            queues: 1 + random.index(2),
            in_units: *random.pick(&[30, 60, 90]),
            persistent: 90,
            gets: *random.pick(&[20, 40]),
            medium: 15,
            large: 3,
            drives: *random.pick(&[10, 30]),
            checkpoints: 8,
            waits: 0,
            prepares: 0,
            later: 0,
        }
    }

    /// Hundreds of calls of up to four clients.
    pub fn long(random: &mut Random) -> Self {
        Self {
            steps: random.between(60, 260),
            clients: u32::try_from(random.between(1, 4)).expect("few"),
            queues: random.index(QUEUES) + 1,
            in_units: *random.pick(&[0, 50, 80, 95]),
            persistent: *random.pick(&[70, 90, 100]),
            gets: *random.pick(&[20, 40, 48]),
            medium: *random.pick(&[5, 30]),
            large: *random.pick(&[0, 2, 6]),
            drives: *random.pick(&[2, 10, 30]),
            checkpoints: *random.pick(&[0, 2, 5]),
            waits: 0,
            prepares: 0,
            later: 0,
        }
    }

    /// Some tens of calls in which everything occurs: for trying each call on the disk.
    pub fn varied(random: &mut Random) -> Self {
        Self {
            steps: random.between(8, 40),
            clients: 2,
            queues: 2,
            in_units: 60,
            persistent: 85,
            gets: 40,
            medium: 20,
            large: 6,
            drives: 15,
            checkpoints: 12,
            waits: 0,
            prepares: 0,
            later: 0,
        }
    }

    /// Messages that outlive the log and go to the store, got from there while checkpoints are taken and the
    /// log is seldom driven: what a checkpoint says must not be ahead of the log.
    pub fn storing(random: &mut Random) -> Self {
        Self {
            steps: random.between(150, 300),
            clients: 4,
            queues: 1 + random.index(2),
            in_units: *random.pick(&[0, 40]),
            persistent: 100,
            gets: *random.pick(&[40, 46]),
            medium: 30,
            large: 40,
            drives: 2,
            checkpoints: 20,
            waits: 0,
            prepares: 0,
            later: 0,
        }
    }

    /// Large messages that are soon got, so that the log begins anew in used space several times.
    pub fn lapping(random: &mut Random) -> Self {
        Self {
            steps: random.between(120, 260),
            gets: 48,
            medium: 20,
            large: 30,
            drives: 15,
            checkpoints: 6,
            persistent: 95,
            ..Self::long(random)
        }
    }
}

/// Draws the steps of a workload.
#[derive(Clone, Debug)]
pub struct Workload {
    shape: Shape,
    random: Random,
    left: u64,
    /// Message that a waiting client is to be given.
    awaited: Option<Step>,
}

impl Workload {
    /// The workload of this shape and stream.
    #[must_use]
    pub fn new(shape: Shape, random: Random) -> Self {
        Self { left: shape.steps, shape, random, awaited: None }
    }

    /// Its proportions.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    fn step(&mut self) -> Step {
        if let Some(step) = self.awaited.take() {
            return step;
        }
        let Self { shape, random, .. } = self;
        if shape.waits > 0 && random.percent(shape.waits) {
            return self.wait();
        }
        if random.percent(shape.drives) {
            return Step::Drive;
        }
        if random.percent(shape.checkpoints) {
            return Step::Checkpoint;
        }
        if random.percent(5) {
            return Step::Housekeep;
        }
        if shape.later > 0 && random.percent(6) {
            return Step::Pass;
        }
        if shape.prepares > 0 && random.percent(10) {
            return Step::Settle { commits: random.percent(75) };
        }
        let client = 1 + u32::try_from(random.below(u64::from(shape.clients))).expect("few");
        let in_unit = random.percent(shape.in_units);
        if in_unit && random.percent(30) {
            if shape.prepares > 0 && random.percent(shape.prepares) {
                return Step::Prepare { client };
            }
            return if random.percent(75) { Step::Commit { client } } else { Step::Backout { client } };
        }
        let queue = random.index(shape.queues);
        if random.percent(shape.gets) {
            return Step::Get { client, queue, in_unit };
        }
        let priority = *random.pick(&[0, 4, 4, 4, 9]);
        let persistent = random.percent(shape.persistent);
        let length = if random.percent(shape.large) {
            random.between(66 << 10, 200 << 10)
        } else if random.percent(shape.medium) {
            random.between(2 << 10, 20 << 10)
        } else {
            random.between(16, 300)
        };
        Step::Put {
            client,
            queue,
            priority,
            persistent,
            in_unit,
            length: usize::try_from(length).expect("fits"),
            // Those who wait do so elsewhere: to them a message is handed at once, or none is expected.
            is_later: queue == 0 && shape.later > 0 && random.percent(shape.later),
        }
    }
}

impl Workload {
    /// A client waits where others seldom put anything, and most often somebody puts something there next; or
    /// something becomes of what was put so.
    fn wait(&mut self) -> Step {
        let Self { shape, random, .. } = self;
        if random.percent(40) {
            return Step::Decide(*random.pick(&Fate::ALL));
        }
        let client = 1 + u32::try_from(random.below(u64::from(shape.clients))).expect("few");
        let queue = shape.queues.min(QUEUES - 1);
        self.awaited = random.percent(80).then(|| Step::Put {
            client: client % shape.clients.max(2) + 1,
            queue,
            priority: *random.pick(&[0, 4, 9]),
            persistent: random.percent(90),
            in_unit: random.percent(10),
            length: usize::try_from(random.between(16, 3_000)).expect("fits"),
            is_later: false,
        });
        Step::Wait { client, queue }
    }
}

impl Iterator for Workload {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        self.left = self.left.checked_sub(1)?;
        Some(self.step())
    }
}
