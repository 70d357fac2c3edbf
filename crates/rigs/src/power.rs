//! R4: the power goes while a server works on a real ext4.
//!
//! The device logs every write. A cut is a moment at which the number of logged writes was read; the image of
//! a cut holds those writes, and of the ones after the last flush none, some sectors, or all. The server
//! starts on the image, everything is got, and the history up to that moment is judged: what was acknowledged
//! by then is there, and nothing that was not asked for by then.
//!
//! The rig and the judge are themselves put to the test: images that lag behind what was acknowledged, as a
//! device that lies about its flushes would leave them, must all be found out.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use platform::Clock as _;
use platform::os::OsClock;
use platform::simulated::Random;
use testing::history::{self, Event, Happening};

use super::installation::{Broken, Installation};
use super::load::{self, Load, Work};
use super::{Outcome, Size};
use crate::disk::device::{LoggedDevice, MountedImage, RigError};
use crate::disk::write_log::{self, Replay, Tail};

const DISK_BYTES: u64 = 160 << 20;
/// So small that the load goes around it many times.
const SETTINGS: &str = "[log]\nextent_size = \"1 MiB\"\nprimary_extents = 3\nsecondary_extents = 1\n\
    [checkpoint]\ninterval_seconds = 1\n";
/// All files of the log together.
const LOG_BYTES: u64 = 4 << 20;
/// The load goes around the log at least so often, or the run fails.
const LAPS_MIN: u64 = 10;
/// The load ends when it went around so often.
const LAPS_ENOUGH: u64 = 12;
/// No load takes longer.
const LOAD_MAX: Duration = Duration::from_secs(100);
const SAMPLE_PAUSE: Duration = Duration::from_millis(1);
/// Images of a device that lies about its flushes, for each hundred others.
const LIES_PERCENT: u64 = 5;
/// Number of moments that a lying device lags behind: a good part of a second.
const LAG_MOMENTS: usize = 150;

/// A moment at which the number of logged writes is known.
#[derive(Clone, Copy, Debug)]
struct Cut {
    /// Before the number was read: what was acknowledged by then is among them.
    before: u64,
    /// After it was read: what was asked for later is not.
    after: u64,
    entries: usize,
}

/// Cuts the power at random moments of one load.
#[must_use]
pub fn cuts(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    match run(ferry, folder, size, &mut outcome) {
        Ok(()) => outcome,
        Err(RigError::Unavailable(what)) => Outcome::skipped(what),
        Err(error) => {
            outcome.failures.push(error.to_string());
            outcome
        }
    }
}

fn run(ferry: &Path, folder: &Path, size: Size, outcome: &mut Outcome) -> Result<(), RigError> {
    let device = LoggedDevice::up(folder, DISK_BYTES)?;
    let mut random = Random::stream(size.seed, "R4");
    let (events, cuts) = match work(ferry, &device, &mut random, outcome) {
        Ok(done) => done,
        Err(problem) => {
            outcome.case("the load", Err(problem));
            return Ok(());
        }
    };
    let lies = (size.cases * LIES_PERCENT).div_ceil(100);
    let mut chosen: Vec<(usize, bool)> = (0..size.cases + lies)
        .map(|number| (random.index(cuts.len().saturating_sub(LAG_MOMENTS).max(1)), number >= size.cases))
        .collect();
    chosen.sort_unstable();
    let mut replay = Replay::open(&device.write_log(), &folder.join("base.img"), DISK_BYTES)?;
    outcome.note(format!("{} writes logged, {} moments known", replay.entries(), cuts.len()));
    let (mut lied, mut found_out) = (0, 0);
    for (number, lies) in chosen {
        if size.until.is_some_and(|until| Instant::now() >= until) {
            break;
        }
        let cut = cuts[number];
        let tail = *random.pick(&[Tail::Flushed, Tail::Subset, Tail::Subset, Tail::All]);
        let tail = if lies { Tail::Flushed } else { tail };
        let image = folder.join("image.img");
        replay.image(cut.entries, tail, &mut random, &image)?;
        let judged = if lies { cuts[(number + LAG_MOMENTS).min(cuts.len() - 1)] } else { cut };
        let result = judge(ferry, &image, folder, known_by(&events, judged));
        if lies {
            lied += 1;
            found_out += u64::from(result.is_err());
        } else {
            outcome.case(&format!("{cut:?} {tail:?} of seed {}", size.seed), result);
        }
    }
    outcome.note(format!("{found_out} of {lied} images of a device that lies about its flushes found out"));
    if found_out < lied {
        outcome.failures.push("an image of a device that lies about its flushes passed".to_owned());
    }
    Ok(())
}

/// Runs the load on the device; its history and the moments at which the power could have been cut.
fn work(
    ferry: &Path,
    device: &LoggedDevice,
    random: &mut Random,
    outcome: &mut Outcome,
) -> Result<(Vec<Event>, Vec<Cut>), Broken> {
    let installation = Installation::create(ferry, &device.mount_point().join("data"), SETTINGS)?;
    let mut server = installation.start()?;
    load::define(&mut server.connect("define")?)?;
    let ended = Arc::new(AtomicBool::new(false));
    let sampler = {
        let (log, ended) = (device.write_log(), Arc::clone(&ended));
        thread::spawn(move || sample(&log, &ended))
    };
    let recorder = load::recorder();
    let work = Work {
        putters: 4,
        getters: 5,
        calls_max: u64::MAX,
        sequence: 0,
        large: 4,
        room_may_lack: true,
        first_client: 0,
    };
    let begun = Instant::now();
    let load = Load::start(server.port(), work, &recorder, random);
    while end_of_log(&installation) < LAPS_ENOUGH * LOG_BYTES && begun.elapsed() < LOAD_MAX && server.lives()
    {
        thread::sleep(Duration::from_millis(20));
    }
    let laps = end_of_log(&installation) / LOG_BYTES;
    let calls = load.calls();
    // The clients' last words come before the last moment, so that every moment has a history.
    load.stop();
    let ends = load.end();
    ended.store(true, Ordering::Relaxed);
    let cuts = sampler.join().map_err(|_| "the sampler panicked".to_owned())?;
    ends?;
    server.kill();
    outcome.note(format!(
        "{calls} calls in {:.0} s, the log gone around {laps} times",
        begun.elapsed().as_secs_f64()
    ));
    if laps < LAPS_MIN {
        return Err(format!("the load went around the log only {laps} times"));
    }
    Ok((recorder.take(), cuts))
}

/// The position up to which the log has files.
fn end_of_log(installation: &Installation) -> u64 {
    let Ok(names) = std::fs::read_dir(installation.folder().join("log")) else { return 0 };
    let positions = names.flatten().filter_map(|name| {
        let name = name.file_name().into_string().ok()?;
        u64::from_str_radix(name.strip_suffix(".seg")?, 16).ok()
    });
    positions.max().unwrap_or(0)
}

/// Of moments with the same number of writes the last one counts: by then the most was acknowledged.
fn sample(log: &Path, ended: &AtomicBool) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::new();
    while !ended.load(Ordering::Relaxed) {
        let before = OsClock.now().0;
        let entries = write_log::entries_logged(log).expect("the write log");
        let after = OsClock.now().0;
        let cut = Cut { before, after, entries: usize::try_from(entries).expect("a count") };
        match cuts.last_mut() {
            Some(last) if last.entries == cut.entries => *last = cut,
            _ => cuts.push(cut),
        }
        thread::sleep(SAMPLE_PAUSE);
    }
    cuts
}

/// The part of a history that had happened when the power went. A call under way then has no outcome.
fn known_by(events: &[Event], cut: Cut) -> Vec<Event> {
    let known = |event: &&Event| match event.what {
        Happening::Invoke(_) => event.at <= cut.after,
        _ => event.at <= cut.before,
    };
    events.iter().filter(known).cloned().collect()
}

/// Starts a server on the image, gets everything, and judges it with the history before.
fn judge(ferry: &Path, image: &Path, folder: &Path, mut history: Vec<Event>) -> Result<(), Broken> {
    let mount_point = folder.join("after");
    let _mounted = MountedImage::mount(image, &mount_point).map_err(|error| error.to_string())?;
    let installation = Installation::at(ferry, &mount_point.join("data"));
    let recorder = load::recorder();
    recorder.restart();
    let is_there = |name: &str| installation.folder().join(name).exists();
    // Otherwise the power went before there was a queue manager.
    if is_there("manifest.0") || is_there("manifest.1") {
        let server = installation.start()?;
        load::empty(&server, &recorder)?;
        server.kill();
    }
    // Queues that are not there hold nothing.
    load::QUEUES.iter().for_each(|queue| recorder.drained(*queue));
    history.extend(recorder.take());
    let verdict = history::check(&history);
    if verdict.is_clean() { Ok(()) } else { Err(verdict.to_string()) }
}
