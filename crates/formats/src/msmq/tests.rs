use mqi::{Feedback, ReportOptions};
use proptest::prelude::*;

use super::*;

#[test]
fn every_class_comes_back_from_its_report() {
    for number in 0..=u16::MAX {
        let class = Class(number);
        let report = class.report();
        assert!(report.feedback.is_valid(), "{class:?} becomes {:?}", report.feedback);
        assert_eq!(report.class(), (class, None), "{report:?}");
        assert_eq!(Report::of(class, None), report);
    }
}

#[test]
fn every_feedback_comes_back_from_its_class() {
    // Those of the system and all reasons; around the classes; the ends.
    let others = [-1, 909_999_999, 910_000_000, 910_016_384, 910_065_535, 910_065_536, i32::MAX, i32::MIN];
    for number in (0..=65_535).chain(others) {
        let feedback = Feedback(number);
        let (class, said) = Report { feedback, class: None }.class();
        assert_eq!(Report::of(class, said).feedback, feedback, "by {class:?} and {said:?}");
        assert_eq!(said.is_some(), class == Class::REPORT, "{feedback:?}");
    }
}

#[test]
fn a_class_counts_only_beside_a_feedback_that_it_has() {
    let report = |feedback, class| Report { feedback, class: Some(class) };
    assert_eq!(report(Feedback::EXPIRATION, Class::REACH_TIMEOUT).class(), (Class::REACH_TIMEOUT, None));
    assert_eq!(report(Feedback::EXPIRATION, Class::RECEIVE_TIMEOUT).class(), (Class::RECEIVE_TIMEOUT, None));
    assert_eq!(report(Feedback::COA, Class::REACH_TIMEOUT).class(), (Class::REACHED, None));
    assert_eq!(Class::REACH_TIMEOUT.report(), report(Feedback::EXPIRATION, Class::REACH_TIMEOUT));
    assert_eq!(Class::RECEIVED.report(), Report { feedback: Feedback::COD, class: None });
    // The queue was deleted: ours has no such report.
    assert_eq!(Class(0xC000).report().feedback, Feedback(910_049_152));
}

#[test]
fn the_property_feedback_counts_beside_the_class_of_reports_alone() {
    let unnamed = Feedback(70_001);
    assert_eq!(Report { feedback: unnamed, class: None }.class(), (Class::REPORT, Some(unnamed)));
    assert_eq!(Report::of(Class::REPORT, Some(unnamed)), Report { feedback: unnamed, class: None });
    assert_eq!(Report::of(Class::RECEIVED, Some(unnamed)), Class::RECEIVED.report());
    assert_eq!(Report::of(Class::REPORT, None).feedback, Feedback(910_000_001));
}

#[test]
fn acknowledgements_come_back_from_report_options() {
    for bits in 0..16 {
        for with_data in [false, true] {
            let options = Acknowledge(bits).report_options(with_data);
            assert_eq!(Acknowledge::of(options), Acknowledge(bits), "{options:?}");
        }
    }
    let nack_receive = Acknowledge(12).report_options(false);
    let all = ReportOptions::EXCEPTION | ReportOptions::EXPIRATION | ReportOptions::NAN;
    assert_eq!(nack_receive, all);
    assert!(Acknowledge(14).report_options(true).contains(ReportOptions::COD_WITH_FULL_DATA));
    let parts =
        ReportOptions::COA_WITH_DATA | ReportOptions::COD_WITH_DATA | ReportOptions::EXCEPTION_WITH_DATA;
    assert_eq!(Acknowledge::of(parts), Acknowledge(7), "reports with part of the data ask for the same");
    assert_eq!(Acknowledge(0xF0).report_options(true), ReportOptions::EMPTY);
    assert_eq!(Acknowledge::of(ReportOptions::EXPIRATION), Acknowledge(0));
}

const GUID: &str = "0f9c5e3a-3d1b-4c57-9b7e-2f1d4f6a8b90";

#[test]
fn format_names_are_printed_as_they_were_read() {
    let names = [
        r"DIRECT=OS:server1\private$\orders",
        r"DIRECT=OS:server1\orders;JOURNAL",
        r"DIRECT=TCP:192.0.2.7\private$\orders;poison",
        r"DIRECT=SPX:00000012:00a0234f7500\orders",
        r"DIRECT=OS:server1\SYSTEM$;DEADXACT",
        "DIRECT=HTTP://server1:8080/msmq/private$/orders",
        "DIRECT=HTTPS://server1/msmq/orders",
        "PUBLIC=0f9c5e3a-3d1b-4c57-9b7e-2f1d4f6a8b90;JOURNAL",
        r"PRIVATE=0f9c5e3a-3d1b-4c57-9b7e-2f1d4f6a8b90\1a",
        "MACHINE=0f9c5e3a-3d1b-4c57-9b7e-2f1d4f6a8b90;DEADLETTER",
        "CONNECTOR=0f9c5e3a-3d1b-4c57-9b7e-2f1d4f6a8b90;XACTONLY",
        "DL=0f9c5e3a-3d1b-4c57-9b7e-2f1d4f6a8b90@example.com",
        "MULTICAST=224.0.1.7:4711",
    ];
    for name in names {
        let read = parse_format_names(name).unwrap();
        assert_eq!(read.iter().map(ToString::to_string).collect::<Vec<_>>(), [name]);
    }
    let several = parse_format_names(&format!("FormatName: {} , {}", names[0], names[7])).unwrap();
    assert_eq!(several.iter().map(ToString::to_string).collect::<Vec<_>>(), [names[0], names[7]]);
}

#[test]
fn keywords_are_read_in_any_case() {
    let read = parse_format_names(r"direct=os:Server1\PRIVATE$\Orders;journal").unwrap();
    assert_eq!(read[0].to_string(), r"DIRECT=OS:Server1\private$\Orders;JOURNAL");
    let read = parse_format_names("public={0F9C5E3A-3D1B-4C57-9B7E-2F1D4F6A8B90}").unwrap();
    assert_eq!(read[0].to_string(), format!("PUBLIC={GUID}"));
}

#[test]
fn path_names_become_direct_names() {
    let pairs = [
        (r".\private$\orders", r"DIRECT=OS:.\private$\orders"),
        (r"server1\orders", r"DIRECT=OS:server1\orders"),
        (r"server1\private$\orders;poison", r"DIRECT=OS:server1\private$\orders;poison"),
        (r"server1\orders\Journal$", r"DIRECT=OS:server1\orders;JOURNAL"),
        (r"server1\Journal$", r"DIRECT=OS:server1\SYSTEM$;JOURNAL"),
        (r".\deadletter$", r"DIRECT=OS:.\SYSTEM$;DEADLETTER"),
        (r"server1\XactDeadletter$", r"DIRECT=OS:server1\SYSTEM$;DEADXACT"),
    ];
    for (path, direct) in pairs {
        assert_eq!(parse_path_name(path).unwrap().to_string(), direct);
    }
}

#[test]
fn what_is_no_name_is_refused_in_words() {
    let long = "q".repeat(125);
    let refused = [
        (String::new(), "no name before or behind a comma"),
        (format!("PUBLIC={GUID},"), "no name before or behind a comma"),
        ("server1\\orders".into(), "begins no format name"),
        ("QUEUE=orders".into(), "\"QUEUE\" begins no format name"),
        ("DIRECT=UDP:server1\\orders".into(), "\"UDP\" is no protocol"),
        ("DIRECT=OS:server1".into(), "no address host\\queue"),
        ("DIRECT=OS:\\orders".into(), "no name of a machine"),
        ("DIRECT=OS:server1\\".into(), "no name of a queue"),
        ("DIRECT=OS:server1\\private$\\".into(), "no name of a queue"),
        ("DIRECT=OS:server1\\a\\b".into(), "no name of a queue"),
        ("DIRECT=OS:server1\\private$\\System$".into(), "no name of a queue"),
        ("DIRECT=HTTP://server1/msmq/PRIVATE$".into(), "no name of a queue"),
        (format!("DIRECT=OS:server1\\{long}"), "no name of a queue"),
        ("DIRECT=OS:server1\\orders;".into(), "\"\" is no part of a queue"),
        ("DIRECT=OS:server1\\orders;DEADXACT".into(), "\"DEADXACT\" is no part of a queue"),
        (format!("DIRECT=OS:server1\\orders;{}", &long[..33]), "is no part of a queue"),
        ("DIRECT=OS:server1\\SYSTEM$".into(), "\"\" is no part of a machine"),
        ("DIRECT=HTTP://server1/orders".into(), "no path msmq/queue"),
        ("PUBLIC=0f9c5e3a".into(), "no identifier such as"),
        ("PUBLIC=+f9c5e3a-3d1b-4c57-9b7e-2f1d4f6a8b90".into(), "no identifier such as"),
        (format!("PRIVATE={GUID}\\123456789"), "no number of a queue"),
        (format!("PRIVATE={GUID}\\+1"), "no number of a queue"),
        (format!("MACHINE={GUID}"), "no part of a machine"),
        (format!("CONNECTOR={GUID};JOURNAL"), "no part of a connector"),
        ("MULTICAST=192.0.2.7:80".into(), "no multicast address"),
        ("MULTICAST=224.0.1.7:65536".into(), "no multicast address"),
        ("DIRECT=OS:server1\\ord\ners".into(), "U+000A cannot be in a name"),
        ("x".repeat(8_193), "at most 8192 bytes"),
    ];
    for (name, words) in refused {
        let fault = parse_format_names(&name).unwrap_err().to_string();
        assert!(fault.contains(words), "{name}: {fault}");
    }
    let paths = [
        ("orders", "no path name"),
        (r"server1\SYSTEM$;poison", "no name of a queue"),
        (r"server1\private$\Journal$", "no name of a queue"),
    ];
    for (path, words) in paths {
        let fault = parse_path_name(path).unwrap_err().to_string();
        assert!(fault.contains(words), "{path}: {fault}");
    }
}

proptest! {
    #[test]
    fn every_report_keeps_its_feedback_and_a_class_that_shares_it(
        feedback in prop_oneof![any::<i32>(), 0..3_000, 910_000_000..910_065_536],
        class in proptest::option::of(any::<u16>()),
    ) {
        let report = Report { feedback: Feedback(feedback), class: class.map(Class) };
        let (class, said) = report.class();
        let back = Report::of(class, said);
        prop_assert_eq!(back.feedback, report.feedback, "by {:?} and {:?}", class, said);
        prop_assert_eq!(back.class(), (class, said), "and it stays so");
    }

    #[test]
    fn what_is_read_is_printed_as_what_reads_the_same(text in r"(?i)(direct=(os|tcp|http):(//)?|public=|private=)?[a-z0-9.\\/$;=,@{} -]{0,60}") {
        if let Ok(names) = parse_format_names(&text) {
            let printed = names.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
            prop_assert_eq!(parse_format_names(&printed), Ok(names));
        }
        if let Ok(name) = parse_path_name(&text) {
            prop_assert_eq!(parse_format_names(&name.to_string()), Ok(vec![name]));
        }
    }
}
