//! Steps of a curve: stretches on which it stays, and the jumps between them.
//!
//! A time that moves in steps is that of something that counts in units, such as a network that hands over so
//! many times a second, and not that of the queue manager.

use crate::report::number;

/// Fewest points of a stretch: two alike are a chance.
const POINTS_MIN: usize = 3;

/// Points this near to the middle of a stretch are on it.
const WITHIN: f64 = 0.05;

/// The next stretch is at least so much higher or lower.
const JUMP: f64 = 1.2;

/// A stretch on which a curve stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stretch {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) level: f64,
}

/// The stretches of a curve, where there are at least two with a jump between; none where it has no steps.
pub(super) fn steps(series: &[(f64, f64)]) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut begin = 0;
    while begin < series.len() {
        let mut end = begin + 1;
        while end < series.len() && is_level(&series[begin..=end]) {
            end += 1;
        }
        if end - begin >= POINTS_MIN {
            let level = mean(&series[begin..end]);
            let jumps =
                stretches.last().is_none_or(|last| level / last.level >= JUMP || last.level / level >= JUMP);
            if jumps {
                stretches.push(Stretch { from: series[begin].0, to: series[end - 1].0, level });
            }
            begin = end;
        } else {
            begin += 1;
        }
    }
    if stretches.len() > 1 { stretches } else { Vec::new() }
}

fn mean(points: &[(f64, f64)]) -> f64 {
    points.iter().map(|point| point.1).sum::<f64>() / points.len() as f64
}

fn is_level(points: &[(f64, f64)]) -> bool {
    let mean = mean(points);
    points.iter().all(|point| (point.1 / mean - 1.0).abs() <= WITHIN)
}

/// Says which steps a curve has.
pub(super) fn said(series: &[(f64, f64)], unit: &str) -> String {
    let steps = steps(series);
    if steps.is_empty() {
        return "it has no steps".to_owned();
    }
    let each = steps
        .iter()
        .map(|step| format!("{} {unit} from {} to {}", number(step.level, 0), step.from, step.to));
    format!(
        "it has steps, {}, which are those of what counts in units",
        each.collect::<Vec<_>>().join(", then ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_that_stays_jumps_and_stays_has_steps_and_a_slope_has_none() {
        // 250 µs up to 19 subscribers, 375 µs from 34 to 43, a slope between.
        let printed: Vec<(f64, f64)> = [1, 6, 12, 19, 24, 29, 34, 37, 40, 43]
            .map(|place| {
                (
                    f64::from(place),
                    match place {
                        ..=19 => 250.0,
                        34.. => 375.0,
                        place => 250.0 + f64::from(place - 19) * 125.0 / 15.0,
                    },
                )
            })
            .to_vec();
        let found = steps(&printed);
        assert_eq!(
            found,
            [Stretch { from: 1.0, to: 19.0, level: 250.0 }, Stretch { from: 34.0, to: 43.0, level: 375.0 }]
        );
        assert!(said(&printed, "µs").contains("250 µs from 1 to 19, then 375 µs from 34 to 43"));
        let slope: Vec<(f64, f64)> =
            (1..20).map(|place| (f64::from(place), f64::from(place) * 10.0)).collect();
        let flat: Vec<(f64, f64)> = (1..20).map(|place| (f64::from(place), 7.0)).collect();
        let noisy: Vec<(f64, f64)> =
            (1..20).map(|place| (f64::from(place), 100.0 + f64::from(place % 3))).collect();
        for series in [slope, flat, noisy, Vec::new()] {
            assert_eq!(said(&series, "µs"), "it has no steps", "{series:?}");
        }
    }
}
