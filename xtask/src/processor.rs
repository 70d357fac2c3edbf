//! Time of processors, which other work on the machine changes less than the time by the clock.

use std::thread;
use std::time::Duration;

/// Ticks of a second in the figures that the system keeps of processes.
const TICKS: u64 = 100;

/// Pause before a process that closed its outputs is looked at again.
const PAUSE: Duration = Duration::from_millis(20);

/// Time that the calling thread has had; zero where the system does not say.
pub(crate) fn of_thread() -> Duration {
    let said = std::fs::read_to_string("/proc/thread-self/stat").unwrap_or_default();
    duration(times(&said).map(|[user, system, ..]| user + system))
}

/// Waits for the end of a child that nobody has waited for, and returns the time that it and its ended
/// children had; zero where the system does not say.
pub(crate) fn of_ended(child: u32) -> Duration {
    loop {
        let said = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        let Some(times) = times(&said) else { return Duration::ZERO };
        if has_ended(&said) {
            return duration(Some(times.iter().sum()));
        }
        thread::sleep(PAUSE);
    }
}

fn duration(ticks: Option<u64>) -> Duration {
    Duration::from_millis(ticks.unwrap_or_default() * 1_000 / TICKS)
}

/// Tells a process that has ended and was not waited for, by a line of `/proc`.
fn has_ended(stat: &str) -> bool {
    stat.rsplit_once(')').is_some_and(|(_, fields)| fields.trim_start().starts_with('Z'))
}

/// The fields utime, stime, cutime and cstime of a line of `/proc`, whose second field, a name in
/// parentheses, may have spaces.
fn times(stat: &str) -> Option<[u64; 4]> {
    const BEFORE: usize = 11;
    let (_, fields) = stat.rsplit_once(')')?;
    let times: Vec<u64> =
        fields.split_whitespace().skip(BEFORE).take(4).map_while(|field| field.parse().ok()).collect();
    times.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn the_times_of_a_process_are_read_behind_any_name() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194304 9 8 0 0 1 20 300 4000 20 0 1 0 5 6";
        assert_eq!(times(stat), Some([1, 20, 300, 4_000]));
        assert!(!has_ended(stat) && has_ended(&stat.replace(" S ", " Z ")));
        assert_eq!(times("7 (a) S 1 2"), None);
        assert_eq!(times(""), None);
    }

    #[test]
    fn a_child_has_its_time_and_that_of_its_children_once_it_ended() {
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let mut child = Command::new("sh").args(["-c", &format!("sh -c '{busy}'; exit 3")]).spawn().unwrap();
        assert!(of_ended(child.id()) > Duration::ZERO);
        assert_eq!(child.wait().unwrap().code(), Some(3));
        assert_eq!(of_ended(child.id()), Duration::ZERO, "no process has this number now");
    }
}
