//! Processor time used by this process and by a server.

use std::fs;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Processor time this process has used, all threads together.
#[must_use]
pub fn own() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs().try_into().unwrap_or(0))
}

/// Processor time another process has used; none when the system does not tell or the process is gone.
///
/// The scheduler's own count of each thread is exact where `/proc/PID/stat` counts hundredths of a second. It
/// loses the time of threads that have ended, and the threads of a server live as long as it does.
#[must_use]
pub fn of_process(pid: u32) -> Option<Duration> {
    let mut nanoseconds = 0;
    for task in fs::read_dir(format!("/proc/{pid}/task")).ok()? {
        // A thread may end between being listed and being read.
        let Ok(text) = fs::read_to_string(task.ok()?.path().join("schedstat")) else { continue };
        nanoseconds += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    if nanoseconds > 0 { Some(Duration::from_nanos(nanoseconds)) } else { from_stat(pid) }
}

/// Ticks of `/proc/PID/stat`: a hundredth of a second on every Linux in use.
const TICK: Duration = Duration::from_millis(10);

fn from_stat(pid: u32) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may itself contain blanks and brackets.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<u32>().ok();
    Some(TICK * (ticks(11)? + ticks(12)?))
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
    use std::process::Command;
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
        while of_process(busy.id()).expect("it is there") < Duration::from_millis(60) {
            assert!(Instant::now() < patience, "its work is not seen");
            thread::sleep(Duration::from_millis(10));
        }
        assert!(resident_bytes(busy.id()).is_some_and(|bytes| bytes > 1 << 17));
        busy.kill().and_then(|()| busy.wait()).expect("it ends");
        assert!(of_process(u32::MAX).is_none());
    }
}
