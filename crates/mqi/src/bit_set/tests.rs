use crate::{
    CloseOptions, GetFlags, MatchOptions, MessageFlags, OpenOptions, PutFlags, ReportOptions, constants,
};
use proptest::prelude::*;

#[test]
fn sets_join_and_answer_what_they_hold() {
    let options = OpenOptions::INPUT_SHARED | OpenOptions::BROWSE;
    assert_eq!(options.bits(), constants::MQOO_INPUT_SHARED | constants::MQOO_BROWSE);
    assert!(options.contains(OpenOptions::BROWSE) && !options.contains(OpenOptions::OUTPUT));
    assert!(options.intersects(OpenOptions::OUTPUT | OpenOptions::BROWSE));
    assert_eq!(options - OpenOptions::BROWSE, OpenOptions::INPUT_SHARED);
    assert_eq!(format!("{options:?}"), "INPUT_SHARED | BROWSE");
    assert_eq!(format!("{:?}", OpenOptions::EMPTY), "0x0");
}

#[test]
fn a_report_with_data_is_shown_under_its_fullest_name() {
    let options = ReportOptions::EXPIRATION_WITH_FULL_DATA | ReportOptions::COD;
    assert_eq!(format!("{options:?}"), "EXPIRATION_WITH_FULL_DATA | COD");
    assert!(options.contains(ReportOptions::EXPIRATION));
}

#[test]
fn unknown_bits_are_kept_and_found() {
    let flags = PutFlags::from_bits(constants::MQPMO_SYNCPOINT | 1 << 30);
    assert!(flags.contains(PutFlags::SYNCPOINT));
    assert_eq!(flags.unknown().bits(), 1 << 30);
    assert_eq!(format!("{flags:?}"), "SYNCPOINT | 0x40000000");
}

proptest! {
    #[test]
    fn every_number_survives_every_set(bits: i32) {
        prop_assert_eq!(OpenOptions::from_bits(bits).bits(), bits);
        prop_assert_eq!(CloseOptions::from_bits(bits).bits(), bits);
        prop_assert_eq!(PutFlags::from_bits(bits).bits(), bits);
        prop_assert_eq!(GetFlags::from_bits(bits).bits(), bits);
        prop_assert_eq!(MatchOptions::from_bits(bits).bits(), bits);
        prop_assert_eq!(ReportOptions::from_bits(bits).bits(), bits);
        prop_assert_eq!(MessageFlags::from_bits(bits).bits(), bits);
        let flags = GetFlags::from_bits(bits);
        prop_assert_eq!((flags.unknown() | (flags & GetFlags::KNOWN)).bits(), bits);
    }
}
