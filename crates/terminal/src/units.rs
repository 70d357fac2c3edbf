//! Numbers as people write and read them: durations, bytes, counts, rates.

use std::time::Duration;

use serde::{Serialize, Serializer};

/// Reads `250ms`, `5s`, `2m`, `1h`, or a plain number of seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("\"{text}\" is no time; write 250ms, 5s, 2m or 1h");
    let digits =
        text.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(text.len());
    let number: f64 = text[..digits].parse().map_err(|_| wrong())?;
    let seconds = match &text[digits..] {
        "ms" => number / 1e3,
        "" | "s" => number,
        "m" => number * 60.0,
        "h" => number * 3600.0,
        "d" => number * 86_400.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

/// Reads `2048`, `2k`, `64KiB`, `1MiB`, `1g`: powers of 1024.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("\"{text}\" is no size; write 2048, 2KiB, 64MiB or 1GiB");
    let digits = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().map_err(|_| wrong())?;
    let shift = match text[digits..].to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        _ => return Err(wrong()),
    };
    number.checked_mul(1 << shift).ok_or_else(wrong)
}

/// `5 B`, `1.5 KiB`, `64 MiB`.
pub fn bytes(number: u64) -> String {
    const NAMES: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = number as f64;
    let mut name = 0;
    while value >= 1024.0 && name + 1 < NAMES.len() {
        value /= 1024.0;
        name += 1;
    }
    if name == 0 || value >= 100.0 || value.fract() < 0.05 {
        format!("{value:.0} {}", NAMES[name])
    } else {
        format!("{value:.1} {}", NAMES[name])
    }
}

/// `1,234,567`.
pub fn count(number: u64) -> String {
    server::separated(number)
}

/// `1 message`, `2 messages`.
pub fn counted(number: u64, one: &str) -> String {
    format!("{} {one}{}", count(number), if number == 1 { "" } else { "s" })
}

/// `0.4 ms`, `12 ms`, `3.25 s`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..0.000_1 => format!("{:.0} µs", seconds * 1e6),
        ..0.01 => format!("{:.1} ms", seconds * 1e3),
        ..1.0 => format!("{:.0} ms", seconds * 1e3),
        ..100.0 => format!("{seconds:.2} s"),
        _ => format!("{seconds:.0} s"),
    }
}

/// `12 s`, `5 min`, `3 h`, `2 d`: how long something is there.
pub fn age(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        7200..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// The number for each second.
pub fn rate(number: u64, time: Duration) -> f64 {
    number as f64 / time.as_secs_f64().max(1e-9)
}

/// Writes a rate for programs: a whole number from 100 on, and one decimal below.
///
/// # Errors
/// When the writer fails.
pub fn serialize_rate<S: Serializer>(rate: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Rate(*rate).serialize(serializer)
}

/// A number for each second, as programs read it: whole from 100 on, and with one decimal below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate(pub f64);

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() && self.0.abs() >= 100.0 {
            // Numbers beyond these bounds are none of a rate of messages; the conversion keeps the bound.
            serializer.serialize_i64(self.0.round() as i64)
        } else {
            serializer.serialize_f64((self.0 * 10.0).round() / 10.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_written() {
        for (text, milliseconds) in
            [("250ms", 250), ("5", 5000), ("5s", 5000), ("1.5s", 1500), ("2m", 120_000)]
        {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "5 s", "-1", "1y", "1e400"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_powers_of_1024() {
        for (text, size) in [("2048", 2048), ("2k", 2048), ("64KiB", 65_536), ("1GiB", 1 << 30)] {
            assert_eq!(parse_bytes(text), Ok(size), "{text}");
        }
        for text in ["", "k", "1.5k", "99999999999999999999", "18446744073709551615k"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn rates_of_programs_have_decimals_below_100_alone() {
        for (rate, expected) in [
            (0.0, "0.0"),
            (2.5678, "2.6"),
            (99.94, "99.9"),
            (100.4, "100"),
            (-8234.9, "-8235"),
            (f64::NAN, "null"),
        ] {
            assert_eq!(serde_json::to_string(&Rate(rate)).expect("JSON"), expected, "{rate}");
        }
    }

    #[test]
    fn numbers_are_printed_for_people() {
        assert_eq!(bytes(5), "5 B");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(64 << 20), "64 MiB");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(12), "12");
        assert_eq!((age(0), age(119), age(120)), ("0 s".into(), "119 s".into(), "2 min".into()));
        assert_eq!(counted(1, "message"), "1 message");
        assert_eq!(duration(Duration::from_micros(400)), "0.4 ms");
        assert_eq!(duration(Duration::from_millis(3250)), "3.25 s");
    }
}
