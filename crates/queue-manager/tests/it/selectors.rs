//! Gets that choose by a selector: by descriptor and by properties, at depth, while messages arrive, and from
//! the disk.

use bytes::Bytes;
use formats::headers::Place;
use formats::properties::put_before;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, PutFlags,
    PutOptions, Reason, Wait,
};
use queue_manager::{Ask, Get, WaitToken};

use crate::support::*;

impl Session {
    pub(crate) fn open_selecting(
        &mut self,
        queue: &str,
        options: OpenOptions,
        selector: &str,
    ) -> Result<ObjectHandle, Reason> {
        let object = ObjectDescriptor {
            selection_string: selector.to_owned(),
            ..ObjectDescriptor::queue(queue.parse().unwrap())
        };
        let outcome = self.connection.open(&object, options);
        open(&self.manager, outcome).map(|opened| opened.handle)
    }

    pub(crate) fn put_with(&mut self, queue: ObjectHandle, folder: &str, persistent: bool, body: &str) {
        self.put_described(queue, folder, message(persistent), body);
    }

    pub(crate) fn put_described(
        &mut self,
        queue: ObjectHandle,
        folder: &str,
        mut descriptor: MessageDescriptor,
        body: &str,
    ) {
        let (place, bytes) = put_before(
            folder.split_inclusive("</jms>").map(str::to_owned).collect(),
            &Place::of(&descriptor),
            &Bytes::copy_from_slice(body.as_bytes()),
        )
        .unwrap();
        place.describe(&mut descriptor);
        let outcome = self.connection.put(queue, &descriptor, &PutOptions::with(PutFlags::EMPTY), bytes);
        open(&self.manager, outcome).unwrap();
    }
}

/// Returns the bytes behind the headers.
fn tail(got: &queue_manager::GotMessage) -> String {
    let parts = formats::properties::take_out(&Place::of(&got.descriptor), &got.body).unwrap();
    String::from_utf8_lossy(&parts.body).into_owned()
}

#[test]
fn a_selector_chooses_by_descriptor_and_by_properties() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    one.put_with(queue, "<usr><colour>red</colour><n dt='i4'>1</n></usr>", false, "red one");
    one.put_with(queue, "<usr><colour>blue</colour><n dt='i4'>2</n></usr>", true, "blue two");
    one.put_with(queue, "<usr><colour>red</colour><n dt='i4'>3</n></usr>", false, "red three");
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let red = one.open_selecting("Q", INPUT, "colour = 'red' AND n > 1").unwrap();
    let any = MessageDescriptor::default();
    assert_eq!(tail(&one.get_with(red, &any, &options, 1000).unwrap()), "red three");
    assert_eq!(one.get_with(red, &any, &options, 1000).unwrap_err(), Reason::NO_MSG_AVAILABLE);
    let persistent = one.open_selecting("Q", BROWSE, "JMSDeliveryMode = 'PERSISTENT'").unwrap();
    let first = GetOptions::with(GetFlags::BROWSE_FIRST, Wait::No);
    assert_eq!(tail(&one.get_with(persistent, &any, &first, 1000).unwrap()), "blue two");
    let next = GetOptions::with(GetFlags::BROWSE_NEXT, Wait::No);
    assert_eq!(one.get_with(persistent, &any, &next, 1000).unwrap_err(), Reason::NO_MSG_AVAILABLE);
    let format = one.open_selecting("Q", INPUT, "Root.MQMD.Format = 'MQHRF2  '").unwrap();
    assert_eq!(tail(&one.get_with(format, &any, &options, 1000).unwrap()), "red one");
}

#[test]
fn a_selector_that_is_none_is_refused_with_its_reason() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    for (options, selector, reason) in [
        (INPUT, "colour = ", Reason::SELECTOR_SYNTAX_ERROR),
        (INPUT, "Root.XMLNSC.x = 1", Reason::SELECTION_NOT_AVAILABLE),
        (OUTPUT, "colour = 'red'", Reason::SELECTOR_INVALID_FOR_TYPE),
    ] {
        assert_eq!(one.open_selecting("Q", options, selector).unwrap_err(), reason, "{selector}");
    }
    let too_long = format!("a = 1{}", " ".repeat(selector::LENGTH_MAX));
    assert_eq!(one.open_selecting("Q", INPUT, &too_long).unwrap_err(), Reason::SELECTION_STRING_ERROR);
    assert!(one.open_selecting("Q", INPUT, "   ").is_ok(), "blanks choose everything");
    let object = ObjectDescriptor {
        selection_string: "a = 1".to_owned(),
        ..ObjectDescriptor::queue("Q".parse().unwrap())
    };
    let outcome = one.connection.put1(&object, &message(false), &PutOptions::default(), Bytes::new());
    assert_eq!(open(&one.manager, outcome).unwrap_err(), Reason::SELECTOR_INVALID_FOR_TYPE);
}

#[test]
fn a_waiting_selector_is_given_only_what_it_chooses() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let mut two = bench.connect();
    let queue = two.open("Q", OUTPUT | INPUT);
    let urgent = one.open_selecting("Q", INPUT, "urgent").unwrap();
    let wait = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    let get = one.connection.get(Ask::new(urgent, &MessageDescriptor::default(), &wait, 1000, WaitToken(7)));
    assert!(matches!(get, Get::Waiting));
    two.put_with(queue, "<usr><urgent dt='boolean'>0</urgent></usr>", false, "later");
    assert!(one.outcomes.0.lock().is_empty());
    two.put_with(queue, "<usr><urgent dt='boolean'>1</urgent></usr>", false, "now");
    let (token, outcome) = one.outcomes.0.lock().pop().expect("the second is chosen");
    assert_eq!(token, 7);
    assert_eq!(tail(&open(&one.manager, outcome).unwrap()), "now");
}

/// Gets through a selector where the outcome may come from a job.
fn get_by_job(bench: &Bench, session: &mut Session, handle: ObjectHandle) -> Result<String, Reason> {
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let any = MessageDescriptor::default();
    match session.connection.get(Ask::new(handle, &any, &options, 1000, WaitToken(1))) {
        Get::Done(outcome) => open(&session.manager, outcome).map(|got| tail(&got)),
        Get::Waiting => {
            bench.run_jobs();
            let (_, outcome) = session.outcomes.0.lock().pop().expect("the jobs decide it");
            open(&session.manager, outcome).map(|got| tail(&got))
        }
    }
}

#[test]
fn a_selector_finds_the_first_of_a_deep_queue() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    for number in 0..5_000 {
        one.put_with(queue, &format!("<usr><n dt='i4'>{number}</n></usr>"), false, &number.to_string());
    }
    let chosen = one.open_selecting("Q", INPUT, "n BETWEEN 4000 AND 4002").unwrap();
    assert_eq!(get_by_job(&bench, &mut one, chosen).as_deref(), Ok("4000"));
    assert_eq!(get_by_job(&bench, &mut one, chosen).as_deref(), Ok("4001"));
    assert_eq!(get_by_job(&bench, &mut one, chosen).as_deref(), Ok("4002"));
    assert_eq!(get_by_job(&bench, &mut one, chosen), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn what_arrives_behind_the_place_looked_at_is_not_missed() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let mut two = bench.connect();
    let queue = two.open("Q", OUTPUT);
    for number in 0..2_000 {
        two.put_with(queue, "<usr><chosen dt='boolean'>0</chosen></usr>", false, &number.to_string());
    }
    let chosen = one.open_selecting("Q", INPUT, "chosen").unwrap();
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let get =
        one.connection.get(Ask::new(chosen, &MessageDescriptor::default(), &options, 1000, WaitToken(3)));
    assert!(matches!(get, Get::Waiting), "there is more to look at than is looked at in one go");
    // Of the highest priority: it stands before all that was looked at. And one at the end.
    let folder = || vec!["<usr><chosen dt='boolean'>1</chosen></usr>".to_owned()];
    for (priority, body) in [(0, "last"), (9, "first")] {
        let mut descriptor = MessageDescriptor { priority: mqi::Priority::new(priority), ..message(false) };
        let body = Bytes::from_static(if body == "last" { b"last" } else { b"first" });
        let (place, bytes) = put_before(folder(), &Place::of(&descriptor), &body).unwrap();
        place.describe(&mut descriptor);
        let outcome = two.connection.put(queue, &descriptor, &PutOptions::default(), bytes);
        open(&two.manager, outcome).unwrap();
    }
    bench.run_jobs();
    let (_, outcome) = one.outcomes.0.lock().pop().expect("found");
    assert_eq!(tail(&open(&one.manager, outcome).unwrap()), "first");
    assert_eq!(get_by_job(&bench, &mut one, chosen).as_deref(), Ok("last"));
}

#[test]
fn messages_on_the_disk_are_read_back_to_be_judged() {
    let mut small = settings();
    small.memory_budget_bytes = 1 << 20;
    let bench = Bench::with(small, 5);
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    let padding = "x".repeat(2000);
    for number in 0..1_500 {
        let folder = format!("<usr><n dt='i4'>{number}</n><pad>{padding}</pad></usr>");
        one.put_with(queue, &folder, true, &number.to_string());
        if number % 50 == 0 {
            bench.keep_house();
        }
    }
    let used = bench.manager.figures().memory_used();
    assert!(used < 2 << 20, "{used} bytes are in memory, too many for this to test anything");
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let chosen = one.open_selecting("Q", INPUT, "n >= 700 AND n < 702").unwrap();
    let mut found = Vec::new();
    for _ in 0..3 {
        let any = MessageDescriptor::default();
        let outcome = match one.connection.get(Ask::new(chosen, &any, &options, 4000, WaitToken(9))) {
            Get::Done(outcome) => outcome,
            Get::Waiting => {
                bench.run_jobs();
                one.outcomes.0.lock().pop().expect("the jobs decide it").1
            }
        };
        found.push(open(&one.manager, outcome).map(|got| tail(&got)));
    }
    assert_eq!(found, [Ok("700".to_owned()), Ok("701".to_owned()), Err(Reason::NO_MSG_AVAILABLE)]);
}
