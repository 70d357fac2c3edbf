//! Times that are compared.

use std::time::Duration;

/// The time that so large a part of them stays below; none is nothing.
pub(super) fn percentile(times: &mut [Duration], part: f64) -> Duration {
    times.sort_unstable();
    let place = (times.len() as f64 * part).ceil() as usize;
    times.get(place.saturating_sub(1)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_the_time_that_so_many_stay_below() {
        let mut times: Vec<Duration> = (1..=100).rev().map(Duration::from_millis).collect();
        assert_eq!(percentile(&mut times, 0.99), Duration::from_millis(99));
        assert_eq!(percentile(&mut times[..1], 0.99), Duration::from_millis(1));
        assert_eq!(percentile(&mut [], 0.5), Duration::ZERO);
    }
}
