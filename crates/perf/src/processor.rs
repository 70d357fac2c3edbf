//! Processor time used by this process and by a server.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Processor time this process has used, all threads together.
#[must_use]
pub fn own() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs().try_into().unwrap_or(0))
}

/// Processor time that a thread of this process has used; none when the system does not tell or it has ended.
#[must_use]
pub fn of_thread(thread: u32) -> Option<Duration> {
    from_schedstat(&fs::read_to_string(format!("/proc/self/task/{thread}/schedstat")).ok()?)
}

/// The scheduler's count of a thread, nanoseconds first.
fn from_schedstat(text: &str) -> Option<Duration> {
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Processor time another process has used up to a moment.
///
/// The scheduler's own count of each thread is exact, where `/proc/PID/stat` counts hundredths of a second;
/// but it goes with the thread. Time of threads that ended is told by the other, which has it.
#[derive(Clone, Debug)]
pub struct Used {
    /// Of each thread that is there.
    threads: BTreeMap<u32, Duration>,
    /// Of all threads that there were.
    in_ticks: Duration,
    /// Of processes that it started, which ended.
    children_in_ticks: Duration,
}

/// Largest error of the difference of two counts in ticks: each is of two, in user and in system mode, cut to
/// whole ones.
const TICKS_OFF: Duration = TICK.saturating_mul(2);

impl Used {
    const fn nothing() -> Self {
        Self { threads: BTreeMap::new(), in_ticks: Duration::ZERO, children_in_ticks: Duration::ZERO }
    }

    /// Returns the time it has used up to now; none when the system does not tell or the process is gone.
    #[must_use]
    pub fn by(pid: u32) -> Option<Self> {
        let mut threads = BTreeMap::new();
        for task in fs::read_dir(format!("/proc/{pid}/task")).ok()? {
            let path = task.ok()?.path();
            // A thread may end between being listed and being read.
            let Ok(text) = fs::read_to_string(path.join("schedstat")) else { continue };
            threads.insert(path.file_name()?.to_str()?.parse().ok()?, from_schedstat(&text)?);
        }
        // After the threads, so that what one has used that ended meanwhile is in it.
        let (in_ticks, children_in_ticks) = from_stat(pid)?;
        Some(Self { threads, in_ticks, children_in_ticks })
    }

    /// Returns the time it has used since an earlier moment: exact if all threads that worked are there
    /// still, to two hundredths of a second otherwise.
    #[must_use]
    pub fn since(&self, before: &Self) -> Duration {
        let earlier = |thread: &u32| before.threads.get(thread).copied().unwrap_or_default();
        let exact = self.threads.iter().map(|(thread, used)| used.saturating_sub(earlier(thread))).sum();
        let in_ticks = self.in_ticks.saturating_sub(before.in_ticks);
        if in_ticks > exact + TICKS_OFF || self.threads.is_empty() { in_ticks } else { exact }
    }
}

/// Processor time that processes of one program have used up to a moment.
#[derive(Clone, Debug, Default)]
pub struct UsedByAll(BTreeMap<u32, Used>);

impl UsedByAll {
    /// Returns the time these have used up to now, as far as they are there.
    #[must_use]
    pub fn of(processes: impl IntoIterator<Item = u32>) -> Self {
        Self(processes.into_iter().filter_map(|process| Some((process, Used::by(process)?))).collect())
    }

    /// Returns the time that they, and those that ended, have used since an earlier moment.
    #[must_use]
    pub fn since(&self, before: &Self) -> Duration {
        let nothing = Used::nothing();
        let (mut used, mut of_ended) = (Duration::ZERO, Duration::ZERO);
        for (process, now) in &self.0 {
            let earlier = before.0.get(process).unwrap_or(&nothing);
            used += now.since(earlier);
            of_ended += now.children_in_ticks.saturating_sub(earlier.children_in_ticks);
        }
        // A parent is told all that a child has used, once it has ended: that is more than it used meanwhile.
        let ended = before.0.iter().filter(|(process, _)| !self.0.contains_key(process));
        used + of_ended.saturating_sub(ended.map(|(_, used)| used.in_ticks).sum())
    }
}

/// Ticks of `/proc/PID/stat`: a hundredth of a second on every Linux in use.
const TICK: Duration = Duration::from_millis(10);

/// Returns the time that a process has used, and that of its children that ended.
fn from_stat(pid: u32) -> Option<(Duration, Duration)> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may itself contain blanks and brackets.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<u32>().ok();
    Some((TICK * (ticks(11)? + ticks(12)?), TICK * (ticks(13)? + ticks(14)?)))
}

/// Memory a process holds, in bytes.
#[must_use]
pub fn resident_bytes(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::process::{self, Command};
    use std::sync::{Arc, Barrier};
    use std::thread;
    use std::time::Instant;

    use super::*;

    #[test]
    fn work_is_seen_in_both_counts() {
        let own_before = own();
        let mut sum = 0_u64;
        while own() - own_before < Duration::from_millis(60) {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        // Another process: in this one threads of other tests end, and take what they used along.
        let mut busy = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("a shell");
        let patience = Instant::now() + Duration::from_secs(60);
        let before = Used::by(busy.id()).expect("it is there");
        while Used::by(busy.id()).expect("it is there").since(&before) < Duration::from_millis(60) {
            assert!(Instant::now() < patience, "its work is not seen");
            thread::sleep(Duration::from_millis(10));
        }
        assert!(resident_bytes(busy.id()).is_some_and(|bytes| bytes > 1 << 17));
        busy.kill().and_then(|()| busy.wait()).expect("it ends");
        assert!(Used::by(u32::MAX).is_none());
    }

    /// Has this thread use so much.
    fn work(time: Duration) {
        let used = || clock_gettime(ClockId::ThreadCPUTime);
        let until = Duration::try_from(used()).expect("it is positive") + time;
        while Duration::try_from(used()).expect("it is positive") < until {
            std::hint::black_box(0_u64);
        }
    }

    #[test]
    fn what_a_thread_used_that_ended_is_not_lost() {
        let (time, meet) = (Duration::from_millis(100), Arc::new(Barrier::new(2)));
        let worker = {
            let meet = meet.clone();
            thread::spawn(move || {
                work(time);
                meet.wait();
                meet.wait();
                work(time);
            })
        };
        meet.wait();
        let before = Used::by(process::id()).expect("this process");
        meet.wait();
        worker.join().expect("it ends");
        let used = Used::by(process::id()).expect("this process").since(&before);
        // Threads of other tests may add to it.
        assert!(used + TICKS_OFF >= time, "{used:?}");
    }

    #[test]
    fn what_a_process_used_that_ended_is_not_lost() {
        // It works when it is told to, and ends when it is told to.
        let script = "read go; i=0; while [ $i -lt 600000 ]; do i=$((i+1)); done; read end";
        let mut child =
            Command::new("sh").args(["-c", script]).stdin(process::Stdio::piped()).spawn().expect("a shell");
        let mut tell = child.stdin.take().expect("a pipe");
        let before = UsedByAll::of([process::id(), child.id()]);
        let at_first = Used::by(child.id()).expect("it is there");
        let mut used = Duration::ZERO;
        tell.write_all(b"go\n").expect("it reads");
        let patience = Instant::now() + Duration::from_secs(60);
        while used <= TICKS_OFF * 2 {
            assert!(Instant::now() < patience, "its work is not seen");
            thread::sleep(Duration::from_millis(2));
            used = Used::by(child.id()).expect("it waits to be told").since(&at_first);
        }
        drop(tell);
        assert!(child.wait().expect("it is ours").code().is_some(), "it ends by itself");
        let after = UsedByAll::of([process::id(), child.id()]);
        assert!(!after.0.contains_key(&child.id()));
        assert!(after.since(&before) + TICKS_OFF * 2 >= used, "{used:?}");
    }
}
