//! A second in time, and how definitions and displays write it.

use std::fmt;

/// Seconds since the beginning of 1970, UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(pub i64);

const DAY_SECONDS: i64 = 86_400;

/// The seconds whose year has four digits: 0000-01-01 to 9999-12-31. Others are shown as the nearest of
/// these.
const SHOWN: std::ops::RangeInclusive<i64> = -62_167_219_200..=253_402_300_799;

impl Moment {
    /// The day: `2026-11-21`.
    pub fn date(self) -> String {
        let (year, month, day) = civil(self.shown().div_euclid(DAY_SECONDS));
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// The time of day: `09.20.11`.
    pub fn time(self) -> String {
        let second = self.shown().rem_euclid(DAY_SECONDS);
        format!("{:02}.{:02}.{:02}", second / 3_600, second / 60 % 60, second % 60)
    }

    fn shown(self) -> i64 {
        self.0.clamp(*SHOWN.start(), *SHOWN.end())
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.date(), self.time())
    }
}

/// The calendar day that lies this many days after 1970-01-01. Counts in years that begin on 1 March, so that
/// the leap day is the last of its year, and in cycles of 400 years, after which the calendar repeats.
fn civil(days: i64) -> (i64, i64, i64) {
    const CYCLE_DAYS: i64 = 146_097;
    /// From 0000-03-01 to 1970-01-01.
    const EPOCH_OFFSET: i64 = 719_468;
    let since = days + EPOCH_OFFSET;
    let (cycle, day_of_cycle) = (since.div_euclid(CYCLE_DAYS), since.rem_euclid(CYCLE_DAYS));
    let year_of_cycle =
        (day_of_cycle - day_of_cycle / 1_460 + day_of_cycle / 36_524 - day_of_cycle / 146_096) / 365;
    let day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = cycle * 400 + year_of_cycle + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::Moment;

    #[test]
    fn a_moment_is_written_as_day_and_time() {
        for (seconds, expected) in [
            (0, "1970-01-01 00.00.00"),
            (951_782_400, "2000-02-29 00.00.00"),
            (1_709_251_199, "2024-02-29 23.59.59"),
            (1_795_252_811, "2026-11-21 09.20.11"),
            (-1, "1969-12-31 23.59.59"),
            (i64::MAX, "9999-12-31 23.59.59"),
            (i64::MIN, "0000-01-01 00.00.00"),
        ] {
            assert_eq!(Moment(seconds).to_string(), expected, "{seconds}");
        }
    }
}
