//! The draws of a seed: the number of programs, their actions, and the accidents that befall them.

use platform::simulated::Random;

/// Queues in use.
pub(super) const QUEUES: usize = 2;

/// The course of a simulation.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Turns of the scheduler before everything is healed.
    pub(super) turns: u64,
    /// Programs.
    pub(super) programs: u32,
    /// Of 10,000 turns, how many cut a link.
    pub(super) cuts: u64,
    /// Of 10,000 turns, how many cut the power.
    pub(super) crashes: u64,
    /// True if each write to the disk takes milliseconds.
    pub(super) is_slow: bool,
    /// True if the disk claims flushes that it has not done: the control.
    pub(super) disk_lies: bool,
    /// Frequency of each kind of turn, by [`Turn`].
    pub(super) weights: [u64; TURNS.len()],
    /// Programs that are clients of AMQP: the first so many.
    pub(super) amqp: u32,
    /// Says whether a client of AMQP empties the queues at the end.
    pub(super) is_drained_by_amqp: bool,
    /// Habits of the programs.
    pub(super) habits: Habits,
}

/// Habits of programs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habits {
    /// Calls under way at once, where a program need not know the answer to go on.
    pub(super) pipeline: usize,
    /// Percent of operations that are gets.
    pub(super) gets: u8,
    /// Percent of operations within units of work.
    pub(super) in_units: u8,
    /// Percent of messages that are persistent.
    pub(super) persistent: u8,
    /// Percent of bodies longer than a frame.
    pub(super) large: u8,
    /// Percent of gets that wait.
    pub(super) waits: u8,
}

/// Actor of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// A program makes a call, or connects.
    Call,
    /// Bytes arrive at an agent, which reads them.
    Receive,
    /// An agent sends what may be known.
    Release,
    /// Bytes arrive at a program.
    Hear,
    /// A block of the log is written.
    Drive,
    /// A job is run.
    Job,
    /// Time passes.
    Time,
}

pub(super) const TURNS: [Turn; 7] =
    [Turn::Call, Turn::Receive, Turn::Release, Turn::Hear, Turn::Drive, Turn::Job, Turn::Time];

impl Plan {
    pub(super) fn new(random: &mut Random) -> Self {
        // Enough of large messages for the log to begin anew in used space.
        let is_lapping = random.percent(15);
        let habits = Habits {
            pipeline: *random.pick(&[1, 1, 3, 6]),
            gets: *random.pick(&[30, 45, 55]),
            in_units: *random.pick(&[30, 60, 90]),
            persistent: *random.pick(&[60, 90, 100]),
            large: if is_lapping { 40 } else { *random.pick(&[0, 2, 8]) },
            waits: *random.pick(&[0, 30, 70]),
        };
        let plan = Self {
            turns: if is_lapping { random.between(3_000, 6_000) } else { random.between(400, 3_000) },
            programs: u32::try_from(random.between(2, 5)).expect("few"),
            cuts: *random.pick(&[0, 10, 40, 120]),
            crashes: *random.pick(&[0, 5, 15, 40]),
            is_slow: random.percent(20),
            disk_lies: false,
            weights: [
                20,
                20,
                20,
                20,
                *random.pick(&[2, 10, 25]),
                *random.pick(&[1, 5, 20]),
                *random.pick(&[1, 3]),
            ],
            amqp: 0,
            is_drained_by_amqp: false,
            habits,
        };
        // Programs that wait for each other's persistent messages, outside units of work: no log is needed between them.
        if random.percent(20) {
            let habits = Habits { gets: 55, in_units: 10, persistent: 100, large: 0, waits: 100, ..habits };
            return Self { habits, ..plan };
        }
        plan
    }

    /// The same with some clients of AMQP, or nobody else.
    pub(super) fn with_amqp(self, random: &mut Random) -> Self {
        let amqp = match random.below(3) {
            0 => self.programs,
            _ => u32::try_from(random.between(1, self.programs.into())).expect("few"),
        };
        Self { amqp, is_drained_by_amqp: random.percent(50), ..self }
    }

    /// The same without faults, and with everybody given turns alike.
    pub(super) fn healed(&self) -> Self {
        Self { cuts: 0, crashes: 0, is_slow: false, weights: [20, 20, 20, 20, 20, 20, 2], ..self.clone() }
    }

    pub(super) fn turn(&self, random: &mut Random) -> Turn {
        let mut left = random.below(self.weights.iter().sum());
        for (turn, weight) in TURNS.into_iter().zip(self.weights) {
            match left.checked_sub(weight) {
                Some(rest) => left = rest,
                None => return turn,
            }
        }
        unreachable!("what is drawn is below the sum of the weights")
    }
}
