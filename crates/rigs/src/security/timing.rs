//! Times that are compared: percentiles, and Welch's test of two samples.

use std::time::Duration;

/// The time that so large a part of them stays below; none is nothing.
pub(super) fn percentile(times: &mut [Duration], part: f64) -> Duration {
    times.sort_unstable();
    let place = (times.len() as f64 * part).ceil() as usize;
    times.get(place.saturating_sub(1)).copied().unwrap_or_default()
}

/// Welch's t of two samples: how many standard errors their means are apart. Beyond 4.5 they differ, however
/// often one looks.
pub(super) fn welch(one: &[Duration], other: &[Duration]) -> f64 {
    let ((mean, spread), (other_mean, other_spread)) = (moments(one), moments(other));
    (mean - other_mean) / (spread + other_spread).sqrt().max(f64::MIN_POSITIVE)
}

/// The mean in seconds, and the variance of that mean.
fn moments(times: &[Duration]) -> (f64, f64) {
    let count = times.len().max(2) as f64;
    let mean = times.iter().map(Duration::as_secs_f64).sum::<f64>() / count;
    let squares: f64 = times.iter().map(|time| (time.as_secs_f64() - mean).powi(2)).sum();
    (mean, squares / (count - 1.0) / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(from: u64, step: u64) -> Vec<Duration> {
        (0..30).map(|number| Duration::from_micros(from + number * 7 % 30 * step)).collect()
    }

    #[test]
    fn samples_that_differ_are_told_from_samples_that_do_not() {
        assert!(welch(&sample(1_000, 10), &sample(1_000, 10)).abs() < 0.001);
        assert!(welch(&sample(1_000, 10), &sample(1_020, 10)).abs() < 4.5, "a fifth of the spread");
        assert!(welch(&sample(1_150, 10), &sample(1_000, 10)) > 4.5);
        assert!(welch(&sample(1_000, 10), &sample(1_150, 10)) < -4.5);
    }

    #[test]
    fn a_percentile_is_the_time_that_so_many_stay_below() {
        let mut times: Vec<Duration> = (1..=100).rev().map(Duration::from_millis).collect();
        assert_eq!(percentile(&mut times, 0.99), Duration::from_millis(99));
        assert_eq!(percentile(&mut times[..1], 0.99), Duration::from_millis(1));
        assert_eq!(percentile(&mut [], 0.5), Duration::ZERO);
    }
}
