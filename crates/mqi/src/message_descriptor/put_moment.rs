//! The time of a put in a message descriptor: `YYYYMMDD` and `HHMMSSTH`, in UTC.
//!
//! Lives here: reading both. Lives elsewhere: writing them (`queue-manager`).
//!
//! A program that sets the context of its message writes any text into these fields.

/// Milliseconds from 1970 to the time of a put; none where the texts are not a date and a time.
#[must_use]
pub fn put_milliseconds(date: &[u8], time: &[u8]) -> Option<i64> {
    let [date, time] = [date, time].map(|text| <&[u8; 8]>::try_from(text).ok());
    let ([year_high, year_low, month, day], [hour, minute, second, hundredths]) =
        (pairs(date?)?, pairs(time?)?);
    let year = year_high * 100 + year_low;
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day);
    if !is_date || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    // Days from the civil calendar, counted in years that begin in March.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days =
        era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468;
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + hundredths * 10)
}

/// The four numbers of two digits each; none where a character is no digit.
fn pairs(text: &[u8; 8]) -> Option<[i64; 4]> {
    if !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let [a, b, c, d, e, f, g, h] = text.map(|digit| i64::from(digit - b'0'));
    Some([a * 10 + b, c * 10 + d, e * 10 + f, g * 10 + h])
}

#[cfg(test)]
mod tests {
    use super::put_milliseconds;

    #[test]
    fn the_time_of_a_put_is_counted_from_1970() {
        for (date, time, expected) in [
            ("19700101", "00000000", Some(0)),
            ("19691231", "23595999", Some(-10)),
            ("20240229", "12345678", Some(1_709_210_096_780)),
            ("20991231", "23590000", Some(4_102_444_740_000)),
            ("", "", None),
            ("20240229", "", None),
            ("20241301", "00000000", None),
            ("20240001", "00000000", None),
            ("20240132", "00000000", None),
            ("20240101", "24000000", None),
            ("20240101", "00600000", None),
            ("+2024101", "00000000", None),
            ("20240101", "-1000000", None),
            ("2024 101", "00000000", None),
            ("202401011", "00000000", None),
        ] {
            assert_eq!(put_milliseconds(date.as_bytes(), time.as_bytes()), expected, "{date} {time}");
        }
    }
}
