//! The reports that a message asks for, and the data that each is to carry.

use formats::headers::{Chain, Place};
use mqi::{Feedback, MessageDescriptor, Reason, ReportOptions, constants};
use objects::pcf::Traced;

use super::Payload;

/// Bytes of the message's data in a report "with data"; headers before the data come on top.
const DATA_BYTES: usize = 100;

/// Subject of a report that the queue manager makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The message arrived on its queue (COA).
    Arrival,
    /// The message was got (COD).
    Delivery,
    /// The message expired.
    Expiration,
    /// The message could not be put where a channel brought it.
    Exception(Feedback),
}

/// One report as it is asked for: alone, with some data, with all data. Each option holds the bits of the one
/// before.
type Degrees = [ReportOptions; 3];

const EXCEPTION: Degrees =
    [ReportOptions::EXCEPTION, ReportOptions::EXCEPTION_WITH_DATA, ReportOptions::EXCEPTION_WITH_FULL_DATA];

impl Kind {
    /// The kinds that a queue makes by itself.
    const ALL: [Self; 3] = [Self::Arrival, Self::Delivery, Self::Expiration];

    const fn degrees(self) -> Degrees {
        match self {
            Self::Arrival => {
                [ReportOptions::COA, ReportOptions::COA_WITH_DATA, ReportOptions::COA_WITH_FULL_DATA]
            }
            Self::Delivery => {
                [ReportOptions::COD, ReportOptions::COD_WITH_DATA, ReportOptions::COD_WITH_FULL_DATA]
            }
            Self::Expiration => [
                ReportOptions::EXPIRATION,
                ReportOptions::EXPIRATION_WITH_DATA,
                ReportOptions::EXPIRATION_WITH_FULL_DATA,
            ],
            Self::Exception(_) => EXCEPTION,
        }
    }

    /// The feedback code of a report of this kind.
    pub const fn feedback(self) -> Feedback {
        match self {
            Self::Arrival => Feedback::COA,
            Self::Delivery => Feedback::COD,
            Self::Expiration => Feedback::EXPIRATION,
            Self::Exception(feedback) => feedback,
        }
    }

    /// True if report options ask for this kind.
    pub const fn is_asked(self, options: ReportOptions) -> bool {
        options.contains(self.degrees()[0])
    }

    /// Number of bytes of the message that this report carries.
    pub fn data_length(self, original: &Payload) -> usize {
        let Payload { descriptor, body, .. } = original;
        let [_, some, all] = self.degrees();
        if descriptor.report.contains(all) {
            return body.len();
        }
        if !descriptor.report.contains(some) {
            return 0;
        }
        let headers =
            Chain::read(&Place::of(descriptor), body).map_or(0, |chain| body.len() - chain.data.len());
        body.len().min(headers + DATA_BYTES)
    }
}

/// The reports that a queue must know of without reading the message: a bit for each, kept in the log beside
/// the message's priority.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked(u8);

impl Asked {
    pub(crate) const DELIVERY: Self = Self(1);
    pub(crate) const EXPIRATION: Self = Self(2);

    pub(crate) fn of(options: ReportOptions) -> Self {
        let bit = |kind: Kind, bit: Self| if kind.is_asked(options) { bit.0 } else { 0 };
        Self(bit(Kind::Delivery, Self::DELIVERY) | bit(Kind::Expiration, Self::EXPIRATION))
    }

    /// Takes what a log says; bits of a later release ask for nothing here.
    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self(bits & (Self::DELIVERY.0 | Self::EXPIRATION.0))
    }

    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    pub(crate) const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// True if any report is asked for, of the queue manager or of the application that gets the message.
#[inline]
pub fn asks_for_any(options: ReportOptions) -> bool {
    // Most messages ask for none.
    options != ReportOptions::EMPTY && asks_for_one(options)
}

/// The same of options that are not empty.
fn asks_for_one(options: ReportOptions) -> bool {
    let of_others =
        ReportOptions::EXCEPTION | ReportOptions::PAN | ReportOptions::NAN | ReportOptions::ACTIVITY;
    options.intersects(of_others) || Kind::ALL.iter().any(|kind| kind.is_asked(options))
}

/// True if the queue manager may make a report about a message with this descriptor, by its options or at the
/// end of a route that is traced.
pub fn may_be_reported(descriptor: &MessageDescriptor) -> bool {
    let made_here = ReportOptions::EXCEPTION | ReportOptions::ACTIVITY;
    let options = descriptor.report;
    options.intersects(made_here)
        || Kind::ALL.iter().any(|kind| kind.is_asked(options))
        || Traced::may_be(descriptor.format.as_bytes())
}

/// Judges the options. An unknown one is refused (2061), or only warned about (2104), by the place of its
/// bit; some are refused unless the message goes to another queue manager, which may know them.
#[inline]
pub fn check(options: ReportOptions, is_leaving: bool) -> Result<Option<Reason>, Reason> {
    if options == ReportOptions::EMPTY { Ok(None) } else { judge(options, is_leaving) }
}

fn judge(options: ReportOptions, is_leaving: bool) -> Result<Option<Reason>, Reason> {
    for [alone, some, all] in Kind::ALL.map(Kind::degrees).into_iter().chain([EXCEPTION]) {
        let given = options.bits() & all.bits();
        if given != 0 && ![alone, some, all].iter().any(|degree| degree.bits() == given) {
            return Err(Reason::REPORT_OPTIONS_ERROR);
        }
    }
    let unknown = options.unknown().bits();
    let of_others = if is_leaving { 0 } else { constants::MQRO_ACCEPT_UNSUP_IF_XMIT_MASK };
    let refused = constants::MQRO_REJECT_UNSUP_MASK | of_others;
    if unknown & refused != 0 {
        return Err(Reason::REPORT_OPTIONS_ERROR);
    }
    Ok((unknown != 0).then_some(Reason::UNKNOWN_REPORT_OPTION))
}

#[cfg(test)]
mod tests {
    use super::Payload;
    use super::{Asked, Kind, asks_for_any, check};
    use mqi::{MessageDescriptor, Reason, ReportOptions};

    #[test]
    fn options_are_refused_or_remarked_on_by_the_place_of_their_bit() {
        let refused = Err(Reason::REPORT_OPTIONS_ERROR);
        for (bits, expected) in [
            (0, Ok(None)),
            (ReportOptions::KNOWN.bits(), Ok(None)),
            (0x0000_0100, Ok(None)),
            (0x0000_0200, refused),
            (0x0000_0500, refused),
            (0x0400_0000, refused),
            (0x1000_0000, refused),
            (0x0004_0000, refused),
            (0x0000_8000, refused),
            (0x2000_0000, Ok(Some(Reason::UNKNOWN_REPORT_OPTION))),
            (0x0000_0008, Ok(Some(Reason::UNKNOWN_REPORT_OPTION))),
        ] {
            assert_eq!(check(ReportOptions::from_bits(bits), false), expected, "{bits:#010x}");
        }
        let elsewhere = check(ReportOptions::from_bits(0x0000_8000), true);
        assert_eq!(elsewhere, Ok(Some(Reason::UNKNOWN_REPORT_OPTION)));
    }

    #[test]
    fn a_report_carries_as_much_of_the_message_as_was_asked_for() {
        for (options, length) in [
            (ReportOptions::COA, 0),
            (ReportOptions::COA_WITH_DATA, 100),
            (ReportOptions::COA_WITH_FULL_DATA, 250),
            (ReportOptions::COD_WITH_FULL_DATA | ReportOptions::COA, 0),
        ] {
            let descriptor = MessageDescriptor { report: options, ..MessageDescriptor::default() };
            let original = Payload::new(descriptor, vec![1; 250].into());
            assert_eq!(Kind::Arrival.data_length(&original), length, "{options:?}");
        }
    }

    #[test]
    fn what_a_queue_must_know_is_two_bits() {
        assert_eq!(Asked::of(ReportOptions::COD_WITH_DATA), Asked::DELIVERY);
        let both = Asked::of(ReportOptions::COD | ReportOptions::EXPIRATION_WITH_FULL_DATA);
        assert_eq!(Asked::from_bits(both.bits() | 0xF0), both);
        assert!(!asks_for_any(ReportOptions::DISCARD_MSG | ReportOptions::PASS_DISCARD_AND_EXPIRY));
    }
}
