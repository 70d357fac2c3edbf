//! Attributes of a message channel, each by its effect on what goes over.

use mqi::{MessageDescriptor, ObjectDescriptor, ReportOptions, constants};

use super::site::{QUEUE, Terms};
use super::tests::{Pair, fast, persistent, there};

/// A pair whose channel has these attributes at its ends.
fn pair(sender: &str, receiver: &str) -> Pair {
    let mut pair =
        Pair::with(Terms { batch: 50, in_flight: 4, is_fast: true, tries: 0, disconnect_seconds: 0 });
    for (site, kind, text) in [(0, "SDR", sender), (1, "RCVR", receiver)] {
        pair.sites[site].command(&format!("ALTER CHANNEL(S0.S1) CHLTYPE({kind}) {text}")).unwrap();
    }
    pair
}

/// The value of a field of the status at one end.
fn figure(pair: &Pair, site: usize, keyword: &str) -> String {
    let told = pair.sites[site].told("DISPLAY CHSTATUS(S0.S1) ALL");
    let found = told.split_once(&format!(" {keyword}(")).map(|(_, rest)| rest.to_owned());
    let rest = found.unwrap_or_else(|| panic!("{keyword}: {told}"));
    rest.split(')').next().unwrap_or_default().trim().to_owned()
}

#[test]
fn a_batch_ends_by_batchsz_and_maxumsgs_of_either_end_and_by_batchlim() {
    for (sender, receiver, [here, there_max], batches) in [
        ("BATCHLIM(0)", "", [10_000, 10_000], 1),
        ("BATCHSZ(2)", "", [10_000, 10_000], 3),
        ("", "BATCHSZ(3)", [10_000, 10_000], 2),
        // The message that passes a thousand bytes is the last.
        ("BATCHLIM(1)", "", [10_000, 10_000], 3),
        ("", "", [2, 10_000], 3),
        ("", "", [10_000, 3], 2),
    ] {
        let mut pair = pair(sender, receiver);
        for (site, most) in [here, there_max].into_iter().enumerate() {
            pair.sites[site].command(&format!("ALTER QMGR MAXUMSGS({most})")).unwrap();
        }
        for _ in 0..6 {
            pair.sites[0].put_to(&there(), &persistent(), &"x".repeat(600));
        }
        pair.run(80);
        let case = format!("{sender}, {receiver}, MAXUMSGS {here} and {there_max}");
        assert_eq!(pair.depths(1), (6, 0), "{case}: {}", pair.sites[0].told("DISPLAY CHSTATUS(S0.S1) ALL"));
        assert_eq!(figure(&pair, 0, "BATCHES"), batches.to_string(), "{case}");
    }
}

/// The ends agree on the messages of a batch when they bind.
#[test]
fn maxumsgs_that_is_lowered_under_a_batch_refuses_none_of_its_messages() {
    for site in 0..2 {
        let mut pair = pair("BATCHINT(1000)", "");
        pair.sites[0].command("START CHANNEL(S0.S1)").unwrap();
        pair.run(20);
        pair.sites[site].command("ALTER QMGR MAXUMSGS(2)").unwrap();
        for batches in 1..=2 {
            for _ in 0..6 {
                pair.sites[0].put_to(&there(), &persistent(), "x");
            }
            pair.run(80);
            let told = pair.sites[0].told("DISPLAY CHSTATUS(S0.S1) ALL");
            assert_eq!(pair.depths(1), (6 * batches, 0), "lowered at {site}: {told}");
            assert!(told.contains("STATUS(RUNNING)") && told.contains("LASTERR( )"), "{site}: {told}");
        }
        pair.sites[0].command("STOP CHANNEL(S0.S1)").unwrap();
        pair.run(20);
        pair.sites[0].command("START CHANNEL(S0.S1)").unwrap();
        pair.run(20);
        assert_eq!(figure(&pair, 0, "BATCHSZ"), "2", "the next connection follows");
    }
}

/// They are in the unit of work beside its messages.
#[test]
fn dead_letters_and_reports_of_a_batch_do_not_count_against_maxumsgs() {
    let nowhere = ObjectDescriptor {
        object_queue_manager_name: "S1".parse().unwrap(),
        ..ObjectDescriptor::queue("NOWHERE".parse().unwrap())
    };
    let reports = MessageDescriptor {
        report: ReportOptions::from_bits(constants::MQRO_EXCEPTION),
        reply_to_queue: QUEUE.parse().unwrap(),
        ..persistent()
    };
    for most in 1..=3 {
        let mut pair = pair("", "MAXMSGL(100)");
        for site in &mut pair.sites {
            site.command(&format!("ALTER QMGR MAXUMSGS({most})")).unwrap();
        }
        for (object, bytes) in [(&nowhere, 5), (&there(), 101), (&there(), 5)] {
            pair.sites[0].put_to(object, &reports, &"x".repeat(bytes));
        }
        pair.run(200);
        let told = pair.sites[0].told("DISPLAY CHSTATUS(S0.S1) STATUS LASTERR");
        assert_eq!((pair.depths(1), pair.depths(0)), ((1, 1), (1, 1)), "MAXUMSGS({most}): {told}");
        assert!(told.contains("STATUS(RUNNING)"), "MAXUMSGS({most}): {told}");
    }
}

#[test]
fn batchint_keeps_a_batch_open_for_messages_that_come_one_by_one() {
    for (interval, batches) in [(0, "3"), (3_000, "1")] {
        let mut pair = pair(&format!("BATCHINT({interval})"), "");
        pair.sites[0].command("START CHANNEL(S0.S1)").unwrap();
        pair.run(20);
        for _ in 0..3 {
            pair.sites[0].put_to(&there(), &persistent(), "x");
            pair.run(8);
        }
        pair.run(80);
        assert_eq!(pair.depths(1), (3, 0));
        assert_eq!(figure(&pair, 0, "BATCHES"), batches, "BATCHINT({interval})");
    }
}

#[test]
fn batchhb_backs_a_batch_out_that_would_be_in_doubt_with_a_partner_that_is_gone() {
    for (heartbeat, in_doubt) in [(0, 1), (1_000, 0)] {
        // The silence of a channel is told much later.
        let mut pair = pair(&format!("BATCHHB({heartbeat}) HBINT(300)"), "HBINT(300)");
        pair.sites[0].command("START CHANNEL(S0.S1)").unwrap();
        pair.run(60);
        assert_eq!(figure(&pair, 0, "STATUS"), "RUNNING");
        pair.run_sites(&[0], 40);
        pair.sites[0].put_to(&there(), &persistent(), "x");
        pair.run_sites(&[0], 260);
        assert_eq!(pair.sites[0].in_doubt(), in_doubt, "BATCHHB({heartbeat})");
        if heartbeat > 0 {
            assert_ne!(figure(&pair, 0, "STATUS"), "RUNNING", "it calls again");
            assert!(figure(&pair, 0, "LASTERR").contains("before the end of a batch"));
        }
        // Either way the message goes over once, when the partner is there again.
        pair.run(600);
        assert_eq!((pair.depths(1), pair.sites[0].in_doubt()), ((1, 0), 0), "BATCHHB({heartbeat})");
    }
}

#[test]
fn a_partner_that_is_silent_is_given_up_by_hbint_and_never_with_zero_at_either_end() {
    for (sender, receiver, shown, goes_on) in [
        ("HBINT(5)", "HBINT(5)", "5", false),
        ("HBINT(5)", "HBINT(20)", "20", true),
        ("HBINT(5)", "HBINT(0)", "0", true),
        ("HBINT(0)", "HBINT(5)", "0", true),
    ] {
        let mut pair = pair(sender, receiver);
        pair.sites[0].command("START CHANNEL(S0.S1)").unwrap();
        pair.run(60);
        assert_eq!(figure(&pair, 0, "HBINT"), shown, "{sender} {receiver}");
        // Eleven seconds: more than twice five, and less than twice twenty.
        pair.run_sites(&[0], 220);
        assert_eq!(figure(&pair, 0, "STATUS") == "RUNNING", goes_on, "{sender} {receiver}");
        let told = figure(&pair, 0, "LASTERR");
        assert_eq!(told.contains("silent for 10 seconds"), !goes_on, "{sender} {receiver}: {told}");
    }
}

#[test]
fn npmspeed_normal_at_either_end_has_all_messages_in_batches() {
    for (sender, receiver, agreed, last) in [
        ("NPMSPEED(FAST)", "NPMSPEED(FAST)", "FAST", "0"),
        ("NPMSPEED(NORMAL)", "NPMSPEED(FAST)", "NORMAL", "2"),
        ("NPMSPEED(FAST)", "NPMSPEED(NORMAL)", "NORMAL", "2"),
    ] {
        let mut pair = pair(sender, receiver);
        for _ in 0..2 {
            pair.sites[0].put_to(&there(), &fast(), "x");
        }
        pair.run(80);
        assert_eq!(pair.depths(1), (2, 0));
        for site in 0..2 {
            assert_eq!(figure(&pair, site, "NPMSPEED"), agreed);
            assert_eq!(figure(&pair, site, "LSTSEQNO"), last, "{sender} {receiver}: numbers are of batches");
        }
    }
}

#[test]
fn with_usedlq_no_a_message_that_has_no_place_stops_the_channel_and_stays_at_the_sender() {
    let nowhere = ObjectDescriptor {
        object_queue_manager_name: "S1".parse().unwrap(),
        ..ObjectDescriptor::queue("NOWHERE".parse().unwrap())
    };
    for (sender, receiver, object, bytes, state, dead) in [
        // No such queue there.
        ("", "USEDLQ(YES)", &nowhere, 10, "RUNNING", (0, 1)),
        ("", "USEDLQ(NO)", &nowhere, 10, "STOPPED", (0, 0)),
        // Longer than the partner takes.
        ("USEDLQ(YES)", "MAXMSGL(100)", &there(), 101, "RUNNING", (1, 0)),
        ("USEDLQ(NO)", "MAXMSGL(100)", &there(), 101, "STOPPED", (0, 0)),
    ] {
        let mut pair = pair(sender, receiver);
        pair.expect_refusals();
        pair.sites[0].put_to(object, &persistent(), &"x".repeat(bytes));
        pair.run(100);
        let case = format!("{sender} {receiver}");
        assert_eq!(figure(&pair, 0, "STATUS"), state, "{case}");
        assert_eq!((pair.depths(0).1, pair.depths(1).1), dead, "{case}");
        assert_eq!(
            pair.sites[0].depth("S1"),
            u64::from(state == "STOPPED"),
            "{case}: on the transmission queue"
        );
    }
}
