//! Checks of health: each compares a figure with its bound.
//!
//! Always: what it takes to look (the disk, the machine) is read before; here nothing waits.

use std::time::Duration;

use figures::metrics::{Check, Verdict};
use figures::{Channel, Manager, Room, Units};
use queue_manager::{ChannelOverview, IN_DOUBT_LONG};

use crate::configuration::Health as Bounds;
use crate::control::Standing;

/// A check of health.
pub(crate) struct CheckRow {
    /// The name: `/healthz/<name>`, `ferry check <name>`.
    pub(crate) name: &'static str,
    judge: fn(&Facts<'_>) -> (Verdict, String),
}

/// The facts of one moment.
pub(crate) struct Facts<'a> {
    pub(crate) reading: &'a Manager,
    pub(crate) bounds: &'a Bounds,
    /// The time that the write of the log has taken that is under way.
    pub(crate) force: Option<Duration>,
    pub(crate) dead_letters: u64,
    pub(crate) channels: Channels,
    /// LISTENER objects that are to run and do not.
    pub(crate) failed_listeners: usize,
    pub(crate) control: Standing,
}

/// The message channels that a person may have to look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Channels {
    /// Stopped by a fault, not by a command.
    halted: u64,
    /// In doubt without a connection for longer than the bound.
    in_doubt: u64,
    /// Between two tries, with messages waiting.
    retrying: u64,
}

impl Channels {
    pub(super) fn of(channels: &[ChannelOverview], bounds: &Bounds) -> Self {
        let most = u64::from(bounds.channel_seconds_max);
        let count = |is_meant: &dyn Fn(&Channel) -> bool| {
            channels.iter().filter(|channel| is_meant(&channel.figures)).count() as u64
        };
        Self {
            halted: count(&|channel| channel.halted > 0),
            in_doubt: count(&|channel| channel.in_doubt_seconds > most),
            retrying: count(&|channel| channel.retrying > 0 && channel.waiting > 0),
        }
    }
}

/// Every check, in the order in which they are shown.
pub(crate) static CHECKS: [CheckRow; 10] = [
    CheckRow { name: "log_room", judge: log_room },
    CheckRow { name: "log_force", judge: log_force },
    CheckRow { name: "disk_free", judge: disk_free },
    CheckRow { name: "memory", judge: memory },
    CheckRow { name: "dead_letters", judge: dead_letters },
    CheckRow { name: "in_doubt", judge: in_doubt },
    CheckRow { name: "oldest_unit", judge: oldest_unit },
    CheckRow { name: "channels", judge: channels },
    CheckRow { name: "listeners", judge: listeners },
    CheckRow { name: "control", judge: control },
];

/// Judges all of them.
pub(super) fn judge(facts: &Facts<'_>) -> Vec<Check> {
    let judged = CHECKS.iter().map(|row| (row.name, (row.judge)(facts)));
    judged.map(|(name, (verdict, words))| Check { name: name.to_owned(), verdict, words }).collect()
}

/// The verdict on a value that should stay small: a warning beyond one bound, critical beyond the other.
fn below(value: u64, warning: u64, critical: u64) -> Verdict {
    match value {
        _ if value > critical => Verdict::Critical,
        _ if value > warning => Verdict::Warning,
        _ => Verdict::Well,
    }
}

/// The verdict on a share that should stay large: critical below the bound, a warning below twice of it.
fn share_above(percent: u64, bound: u32) -> Verdict {
    match percent {
        _ if percent < u64::from(bound) => Verdict::Critical,
        _ if percent < 2 * u64::from(bound) => Verdict::Warning,
        _ => Verdict::Well,
    }
}

fn percent(part: u64, whole: u64) -> u64 {
    (u128::from(part) * 100).checked_div(u128::from(whole)).map_or(100, |share| share as u64)
}

fn log_room(facts: &Facts<'_>) -> (Verdict, String) {
    let log = &facts.reading.log;
    if log.is_disk_full {
        return (
            Verdict::Critical,
            "puts are refused: the disk of the queue manager takes no more".to_owned(),
        );
    }
    let free = percent(log.bytes_free, log.bytes);
    let verdict = share_above(free, facts.bounds.log_room_percent_min);
    (verdict, format!("{free} % of the recovery log is free"))
}

fn log_force(facts: &Facts<'_>) -> (Verdict, String) {
    let seconds = facts.force.unwrap_or_default().as_secs();
    let most = u64::from(facts.bounds.force_seconds_max);
    let words = match facts.force {
        Some(force) if force.as_secs() > 0 => format!("a write of the log takes {seconds} s so far"),
        _ => format!("the slowest write of the log took {} us", facts.reading.log.slowest_micros),
    };
    (below(seconds, most / 2, most.saturating_sub(1)), words)
}

fn disk_free(facts: &Facts<'_>) -> (Verdict, String) {
    let Manager { files, error_files, log, .. } = facts.reading;
    let of = |name: &'static str, room: &Room| (percent(room.free, room.all), name);
    let rooms = [of("data", files), of("recovery log", &log.files), of("error log", error_files)];
    let (free, name) = rooms.into_iter().min().expect("three");
    let verdict = share_above(free, facts.bounds.disk_free_percent_min);
    (verdict, format!("{free} % of the file system of the {name} is free"))
}

/// Shares of the machine's memory that are free, below which a machine begins to swap or to end programs.
const MEMORY_PERCENT: (u64, u64) = (10, 3);

fn memory(facts: &Facts<'_>) -> (Verdict, String) {
    let Room { all, free } = facts.reading.memory;
    let free = percent(free, all);
    let verdict = match free {
        _ if free < MEMORY_PERCENT.1 => Verdict::Critical,
        _ if free < MEMORY_PERCENT.0 => Verdict::Warning,
        _ => Verdict::Well,
    };
    let own = facts.reading.own_memory >> 20;
    (verdict, format!("{free} % of the memory of the machine is free; the queue manager has {own} MiB"))
}

fn dead_letters(facts: &Facts<'_>) -> (Verdict, String) {
    let verdict = below(facts.dead_letters, 0, facts.bounds.dead_letters_max.into());
    (verdict, format!("{} messages are on the dead-letter queue", facts.dead_letters))
}

fn in_doubt(facts: &Facts<'_>) -> (Verdict, String) {
    let Units { in_doubt, in_doubt_seconds, .. } = facts.reading.units;
    if in_doubt == 0 {
        return (Verdict::Well, "no branch of a transaction waits for a decision".to_owned());
    }
    let is_long = in_doubt_seconds >= IN_DOUBT_LONG.as_secs();
    let verdict = if is_long { Verdict::Warning } else { Verdict::Well };
    let words = format!(
        "branches that wait for a decision: {in_doubt}, the oldest for {in_doubt_seconds} s; ferry uow list shows them"
    );
    (verdict, words)
}

fn oldest_unit(facts: &Facts<'_>) -> (Verdict, String) {
    let age = facts.reading.units.oldest_seconds;
    let most = u64::from(facts.bounds.unit_seconds_max);
    (below(age, most / 2, most), format!("the oldest open unit of work is {age} s old"))
}

/// Counts alone: the reader of a check may not be shown every channel.
fn channels(facts: &Facts<'_>) -> (Verdict, String) {
    let Channels { halted, in_doubt, retrying } = facts.channels;
    if halted + in_doubt + retrying == 0 {
        return (Verdict::Well, "no message channel is in trouble".to_owned());
    }
    let verdict = if halted + in_doubt > 0 { Verdict::Critical } else { Verdict::Warning };
    let words = format!(
        "message channels: {halted} stopped by a fault, {in_doubt} in doubt without a connection, {retrying} retrying \
         while messages wait; ferry channel list shows them"
    );
    (verdict, words)
}

fn listeners(facts: &Facts<'_>) -> (Verdict, String) {
    match facts.failed_listeners {
        0 => (Verdict::Well, "every listener that starts with the queue manager runs".to_owned()),
        failed => (
            Verdict::Critical,
            format!(
                "listeners that are to run with the queue manager and do not: {failed}; ferry list names them"
            ),
        ),
    }
}

fn control(facts: &Facts<'_>) -> (Verdict, String) {
    match facts.control {
        Standing::Unwanted => (Verdict::Well, "no control process is wanted".to_owned()),
        Standing::Runs => (Verdict::Well, "the control process runs".to_owned()),
        Standing::Restarts => (Verdict::Warning, "the control process ended and is started again".to_owned()),
        Standing::GivenUp => (Verdict::Critical, "the control process ended too often".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::Configuration;

    fn verdict(name: &str, change: impl FnOnce(&mut Manager, &mut Facts<'_>)) -> Verdict {
        let bounds = Configuration::default().health;
        let room = Room { all: 1000, free: 900 };
        let mut reading = Manager { memory: room, files: room, error_files: room, ..Manager::default() };
        reading.log.files = room;
        (reading.log.bytes, reading.log.bytes_free) = (1000, 900);
        let blank = Manager::default();
        let mut facts = Facts {
            reading: &blank,
            bounds: &bounds,
            force: None,
            dead_letters: 0,
            channels: Channels::default(),
            failed_listeners: 0,
            control: Standing::Unwanted,
        };
        change(&mut reading, &mut facts);
        let facts = Facts { reading: &reading, ..facts };
        judge(&facts).into_iter().find(|check| check.name == name).expect("a check").verdict
    }

    #[test]
    fn each_check_warns_before_it_fails() {
        for row in &CHECKS {
            assert_eq!(verdict(row.name, |_, _| ()), Verdict::Well, "{}", row.name);
        }
        for (name, warned, failed) in [
            ("log_room", 150, 90),
            ("disk_free", 90, 40),
            ("memory", 90, 20),
            ("dead_letters", 1, 1_001),
            ("oldest_unit", 1_801, 3_601),
            ("log_force", 3, 5),
        ] {
            let set = |value: u64| {
                move |reading: &mut Manager, facts: &mut Facts<'_>| match name {
                    "log_room" => reading.log.bytes_free = value,
                    "disk_free" => reading.error_files.free = value,
                    "memory" => reading.memory.free = value,
                    "dead_letters" => facts.dead_letters = value,
                    "oldest_unit" => reading.units.oldest_seconds = value,
                    _ => facts.force = Some(Duration::from_secs(value)),
                }
            };
            assert_eq!(verdict(name, set(warned)), Verdict::Warning, "{name} {warned}");
            assert_eq!(verdict(name, set(failed)), Verdict::Critical, "{name} {failed}");
        }
        assert_eq!(verdict("log_room", |reading, _| reading.log.is_disk_full = true), Verdict::Critical);
        for (in_doubt, in_doubt_seconds, expected) in
            [(1, 0, Verdict::Well), (9, 299, Verdict::Well), (1, 300, Verdict::Warning)]
        {
            let units = Units { in_doubt, in_doubt_seconds, batches_in_doubt: 9, ..Units::default() };
            assert_eq!(verdict("in_doubt", |reading, _| reading.units = units), expected, "{units:?}");
        }
        for (channel, expected) in [
            (Channel { retrying: 1, waiting: 1, ..Channel::default() }, Verdict::Warning),
            (Channel { retrying: 1, ..Channel::default() }, Verdict::Well),
            (Channel { stopped: 1, waiting: 9, ..Channel::default() }, Verdict::Well),
            (Channel { stopped: 1, halted: 1, ..Channel::default() }, Verdict::Critical),
            (Channel { in_doubt: 3, in_doubt_seconds: 300, ..Channel::default() }, Verdict::Well),
            (Channel { in_doubt: 3, in_doubt_seconds: 301, ..Channel::default() }, Verdict::Critical),
        ] {
            let overview = [ChannelOverview { figures: channel, ..ChannelOverview::default() }];
            let set = |_: &mut Manager, facts: &mut Facts<'_>| {
                facts.channels = Channels::of(&overview, &Configuration::default().health);
            };
            assert_eq!(verdict("channels", set), expected, "{channel:?}");
        }
        let failed = |_: &mut Manager, facts: &mut Facts<'_>| facts.failed_listeners = 1;
        assert_eq!(verdict("listeners", failed), Verdict::Critical);
        for (standing, expected) in
            [(Standing::Restarts, Verdict::Warning), (Standing::GivenUp, Verdict::Critical)]
        {
            assert_eq!(verdict("control", |_, facts| facts.control = standing), expected);
        }
    }
}
