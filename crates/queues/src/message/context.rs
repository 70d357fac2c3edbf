//! The context of a message: its putter, and its time.

use std::cell::Cell;

use mqi::{AccountingToken, MessageDescriptor, PutApplicationType, PutFlags, Rare, Text};
use platform::WallTime;

/// Where the context of a put comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The connection.
    Default,
    /// Nowhere: the message has none.
    None,
    /// The message saved by another handle: its identity part.
    PassIdentity,
    /// The message saved by another handle: all of it.
    PassAll,
    /// The descriptor: the identity part.
    SetIdentity,
    /// The descriptor: all of it.
    SetAll,
}

impl Source {
    /// Returns the source that the options choose; none when they contradict each other.
    pub fn of(flags: PutFlags) -> Option<Self> {
        const CHOICES: [(PutFlags, Source); 6] = [
            (PutFlags::DEFAULT_CONTEXT, Source::Default),
            (PutFlags::NO_CONTEXT, Source::None),
            (PutFlags::PASS_IDENTITY_CONTEXT, Source::PassIdentity),
            (PutFlags::PASS_ALL_CONTEXT, Source::PassAll),
            (PutFlags::SET_IDENTITY_CONTEXT, Source::SetIdentity),
            (PutFlags::SET_ALL_CONTEXT, Source::SetAll),
        ];
        const ANY: PutFlags = {
            let [one, two, three, four, five, six] = CHOICES;
            one.0.union(two.0).union(three.0).union(four.0).union(five.0).union(six.0)
        };
        if !flags.intersects(ANY) {
            return Some(Self::Default);
        }
        let mut chosen = CHOICES.iter().filter(|(flag, _)| flags.intersects(*flag));
        match (chosen.next(), chosen.next()) {
            (Some((_, source)), None) => Some(*source),
            _ => None,
        }
    }
}

/// The context a message had, kept by the handle that got it with `SAVE_ALL_CONTEXT`.
#[derive(Clone, Debug)]
pub struct Saved {
    user_identifier: Text<12>,
    accounting_token: AccountingToken,
    application_identity_data: Rare<Text<32>>,
    put_application_type: PutApplicationType,
    put_application_name: Text<28>,
    put_date: Text<8>,
    put_time: Text<8>,
    application_origin_data: Text<4>,
}

impl Saved {
    pub(crate) fn of(descriptor: &MessageDescriptor) -> Self {
        Self {
            user_identifier: descriptor.user_identifier,
            accounting_token: descriptor.accounting_token,
            application_identity_data: descriptor.application_identity_data.clone(),
            put_application_type: descriptor.put_application_type,
            put_application_name: descriptor.put_application_name,
            put_date: descriptor.put_date,
            put_time: descriptor.put_time,
            application_origin_data: descriptor.application_origin_data,
        }
    }

    /// Copies the identity context.
    pub fn pass_identity(&self, descriptor: &mut MessageDescriptor) {
        descriptor.user_identifier = self.user_identifier;
        descriptor.accounting_token = self.accounting_token;
        descriptor.application_identity_data.clone_from(&self.application_identity_data);
    }

    /// Copies the identity and origin context.
    pub fn pass_all(&self, descriptor: &mut MessageDescriptor) {
        self.pass_identity(descriptor);
        descriptor.put_application_type = self.put_application_type;
        descriptor.put_application_name = self.put_application_name;
        descriptor.put_date = self.put_date;
        descriptor.put_time = self.put_time;
        descriptor.application_origin_data = self.application_origin_data;
    }
}

/// Identity of a connection, as messages carry it.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The user.
    pub user: Text<12>,
    /// Name of the program.
    pub application: Text<28>,
    /// Type of the program.
    pub application_type: PutApplicationType,
}

impl Origin {
    /// Fills all of the context.
    #[inline]
    pub fn fill(&self, descriptor: &mut MessageDescriptor, now: WallTime) {
        descriptor.user_identifier = self.user;
        descriptor.accounting_token = AccountingToken::NONE;
        descriptor.application_identity_data = Rare::USUAL;
        self.fill_origin(descriptor, now);
    }

    /// Fills the part of the context that says how a message came to be put.
    pub fn fill_origin(&self, descriptor: &mut MessageDescriptor, now: WallTime) {
        descriptor.put_application_type = self.application_type;
        descriptor.put_application_name = self.application;
        (descriptor.put_date, descriptor.put_time) = stamp(now);
        descriptor.application_origin_data = Text::BLANK;
    }
}

/// Leaves a message without context.
pub fn clear(descriptor: &mut MessageDescriptor) {
    let default = MessageDescriptor::default();
    Saved::of(&default).pass_all(descriptor);
}

/// `YYYYMMDD` and `HHMMSSTH` in UTC, as they stay for a hundredth of a second and so for many messages.
fn stamp(now: WallTime) -> (Text<8>, Text<8>) {
    thread_local! {
        static LATEST: Cell<(i64, Text<8>, Text<8>)> = const { Cell::new((i64::MIN, Text::BLANK, Text::BLANK)) };
    }
    let hundredths = now.0.div_euclid(10_000);
    let (of, date, time) = LATEST.get();
    if of == hundredths {
        return (date, time);
    }
    let (date, time) = date_and_time(hundredths);
    LATEST.set((hundredths, date, time));
    (date, time)
}

fn date_and_time(hundredths: i64) -> (Text<8>, Text<8>) {
    const DAY_HUNDREDTHS: i64 = 24 * 60 * 60 * 100;
    let (year, month, day) = civil(hundredths.div_euclid(DAY_HUNDREDTHS));
    let of_day = hundredths.rem_euclid(DAY_HUNDREDTHS) as u32;
    let (hour, minute, second) = (of_day / 360_000, of_day / 6_000 % 60, of_day / 100 % 60);
    let year = year.clamp(0, 9999) as u32;
    let date = [year / 100, year % 100, month, day];
    let time = [hour, minute, second, of_day % 100];
    (digits(date), digits(time))
}

fn digits(pairs: [u32; 4]) -> Text<8> {
    let mut bytes = [0; 8];
    for (place, pair) in bytes.chunks_exact_mut(2).zip(pairs) {
        place.copy_from_slice(&[b'0' + (pair / 10) as u8, b'0' + (pair % 10) as u8]);
    }
    Text::filled(bytes).expect("digits are visible")
}

/// The calendar day that lies this many days after 1970-01-01. Years are counted from 1 March, in cycles of
/// 400, so that the leap day comes last.
fn civil(days: i64) -> (i64, u32, u32) {
    let shifted = days + 719_468;
    let (cycle, day_of_cycle) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_cycle =
        (day_of_cycle - day_of_cycle / 1_460 + day_of_cycle / 36_524 - day_of_cycle / 146_096) / 365;
    let day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = cycle * 400 + year_of_cycle + i64::from(month <= 2);
    (year, month as u32, day as u32)
}

#[cfg(test)]
mod tests {
    use super::stamp;
    use platform::WallTime;

    #[test]
    fn date_and_time_are_written_in_utc() {
        for (micros, date, time) in [
            (0, "19700101", "00000000"),
            (951_827_696_780_000, "20000229", "12345678"),
            (1_795_257_000_000_000, "20261121", "10300000"),
            (-10_000, "19691231", "23595999"),
        ] {
            for _ in 0..2 {
                let (day, hour) = stamp(WallTime(micros));
                assert_eq!((day.as_str(), hour.as_str()), (date, time), "{micros}");
            }
        }
    }
}
