//! Time of processors, which other work on the machine changes less than the time by the clock.

use std::time::Duration;

/// Ticks of a second in the figures that the system keeps of processes.
const TICKS: u64 = 100;

/// Time of processors that this process and its ended children have had; zero where the system does not say.
pub(crate) fn used() -> Duration {
    let said = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    Duration::from_millis(ticks(&said).unwrap_or_default() * 1_000 / TICKS)
}

/// The sum of utime, stime, cutime and cstime of a line of `/proc`, whose second field, a name in
/// parentheses, may have spaces.
fn ticks(stat: &str) -> Option<u64> {
    const BEFORE: usize = 11;
    let (_, fields) = stat.rsplit_once(')')?;
    let times: Vec<u64> =
        fields.split_whitespace().skip(BEFORE).take(4).map_while(|field| field.parse().ok()).collect();
    (times.len() == 4).then(|| times.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_processors_is_that_of_the_process_and_its_children() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194304 9 8 0 0 1 20 300 4000 20 0 1 0 5 6";
        assert_eq!(ticks(stat), Some(4_321));
        assert_eq!(ticks("7 (a) S 1 2"), None);
        assert_eq!(ticks(""), None);
    }
}
