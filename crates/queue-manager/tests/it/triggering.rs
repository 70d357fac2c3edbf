//! Trigger messages in the log: one of type EVERY is part of the unit of work of the message that it tells
//! of.

use mqi::{MessageDescriptor, PutFlags, PutOptions, ReportOptions};
use storage::Record;
use storage::inspect::Content;

use crate::support::*;

fn bench(orders: &str) -> Bench {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(STARTS) DEFPSIST(YES)");
    bench.mqsc("DEFINE PROCESS(CLERK)");
    bench.mqsc(&format!("DEFINE QLOCAL(ORDERS) {orders}"));
    bench.mqsc("DEFINE QLOCAL(ANSWERS) TRIGGER TRIGTYPE(EVERY) INITQ(STARTS) PROCESS(CLERK)");
    bench
}

fn records(bench: &Bench) -> usize {
    let mut number = 0;
    each_record(bench, |_| number += 1);
    number
}

/// The puts, gets and ends behind so many records, as letters, for each unit of work; what is in no unit
/// stands alone.
fn logged(bench: &Bench, from: usize) -> Vec<String> {
    let mut units: Vec<(Option<u64>, String)> = Vec::new();
    let mut number = 0;
    each_record(bench, |content| {
        number += 1;
        let (unit, letter) = match content {
            Content::Record(Record::Put { unit, .. }) => (*unit, 'p'),
            Content::Record(Record::Get { unit, .. }) => (*unit, 'g'),
            Content::Record(Record::Commit { unit, .. }) => (Some(*unit), 'C'),
            Content::Record(Record::Backout { unit, .. }) => (Some(*unit), 'B'),
            _ => return,
        };
        if number <= from {
            return;
        }
        let unit = unit.map(|unit| unit.counter);
        match units.iter_mut().find(|(named, _)| unit.is_some() && *named == unit) {
            Some((_, letters)) => letters.push(letter),
            None => units.push((unit, letter.to_string())),
        }
    });
    units.into_iter().map(|(_, letters)| letters).collect()
}

#[test]
fn a_message_and_what_every_tells_of_it_are_one_unit_of_work() {
    let bench = bench("TRIGGER TRIGTYPE(EVERY) INITQ(STARTS) PROCESS(CLERK)");
    let mut monitor = bench.connect();
    monitor.open("STARTS", INPUT);
    let mut one = bench.connect();
    let orders = one.open("ORDERS", OUTPUT);

    let before = records(&bench);
    one.put(orders, true, "outside");
    assert_eq!(logged(&bench, before), ["ppC"]);

    let before = records(&bench);
    one.put(orders, false, "the message goes with the queue manager, what tells of it does not");
    assert_eq!(logged(&bench, before), ["pC"]);

    let before = records(&bench);
    one.put_within(orders, true, "one");
    one.put_within(orders, false, "two");
    one.commit().unwrap();
    assert_eq!(logged(&bench, before), ["pppC"]);

    let before = records(&bench);
    one.put_within(orders, true, "undone");
    one.back().unwrap();
    assert_eq!(logged(&bench, before), ["pB"]);
    assert_eq!(bench.depth("STARTS"), 4);
}

#[test]
fn a_report_and_what_every_tells_of_it_are_one_unit_of_work() {
    let bench = bench("");
    let mut monitor = bench.connect();
    monitor.open("STARTS", INPUT);
    let mut one = bench.connect();
    let orders = one.open("ORDERS", INPUT | OUTPUT);
    let asking = MessageDescriptor {
        report: ReportOptions::COA | ReportOptions::COD,
        reply_to_queue: "ANSWERS".parse().unwrap(),
        ..message(true)
    };
    let before = records(&bench);
    let put = one.connection.put(orders, &asking, &PutOptions::with(PutFlags::NO_SYNCPOINT), "x".into());
    bench.open(put).unwrap();
    assert_eq!(logged(&bench, before), ["pppC"], "message, report, trigger message");
    let before = records(&bench);
    assert_eq!(one.get(orders), Ok("x".to_owned()));
    assert_eq!(logged(&bench, before), ["gppC"]);
}
