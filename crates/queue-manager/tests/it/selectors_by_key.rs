//! Gets by selectors that ask for an identifier: as fast at any depth, and the same message as by looking at
//! each.

use mqi::{GetFlags, GetOptions, MessageDescriptor, ObjectHandle, Priority, PutFlags, Reason, Wait};
use platform::simulated::Random;
use queue_manager::{Ask, Get, WaitToken};

use crate::support::*;

/// The next message of a handle, without waiting for anything; none when the get goes on in a job.
fn at_once(session: &mut Session, handle: ObjectHandle) -> Option<Result<String, Reason>> {
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let any = MessageDescriptor::default();
    match session.connection.get(Ask::new(handle, &any, &options, 1 << 20, WaitToken(1 << 40))) {
        Get::Done(outcome) => Some(open(&session.manager, outcome).map(|got| last_word(&text_of(&got)))),
        Get::Waiting => None,
    }
}

fn text_of(got: &queue_manager::GotMessage) -> String {
    String::from_utf8_lossy(&got.body).into_owned()
}

/// The body of a message that may have a folder before it.
fn last_word(text: &str) -> String {
    text.rsplit('|').next().unwrap_or_default().to_owned()
}

#[test]
fn an_identifier_in_a_selector_finds_its_message_at_any_depth() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    let mut ids = Vec::new();
    for number in 0..3000 {
        let folder = format!("<jms><Cid>c{number}</Cid></jms><usr><n dt='i4'>{number}</n></usr>");
        one.put_with(queue, &folder, false, &format!("|{number}"));
        let correlated =
            MessageDescriptor { correlation_id: mqi::CorrelationId([7; 24]), ..message(number % 2 == 0) };
        let done = one.try_put(queue, &correlated, PutFlags::EMPTY, &format!("|plain {number}")).unwrap();
        ids.push(done.descriptor.message_id);
        if number % 50 == 0 {
            bench.keep_house();
        }
    }
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    for (selector, expected) in [
        ("JMSCorrelationID = 'c2999'".to_owned(), Ok("2999")),
        ("n < 5000 AND JMSCorrelationID = 'c1500'".to_owned(), Ok("1500")),
        ("JMSCorrelationID = 'c1501' AND n <> 1501".to_owned(), Err(Reason::NO_MSG_AVAILABLE)),
        ("JMSCorrelationID = 'nobody''s'".to_owned(), Err(Reason::NO_MSG_AVAILABLE)),
        (format!("JMSMessageID = 'ID:{}'", hex(&ids[2998].0)), Ok("plain 2998")),
        (format!("JMSCorrelationID = 'ID:{}'", hex(&[7; 24])), Ok("plain 0")),
        (format!("JMSCorrelationID = 'ID:{}'", hex(&[7; 24])), Ok("plain 1")),
    ] {
        let chosen = one.open_selecting("Q", INPUT, &selector).unwrap();
        let got = at_once(&mut one, chosen);
        assert_eq!(got, Some(expected.map(str::to_owned)), "{selector}");
    }
    // One that may do without the identifier looks at all, which takes a job.
    let either = one.open_selecting("Q", INPUT, "JMSCorrelationID = 'c2998' OR n = -1").unwrap();
    assert_eq!(at_once(&mut one, either), None);
    bench.run_jobs();
    one.outcomes.0.lock().clear();
    // What comes back, arrives and is browsed is found in the same way.
    let keyed = one.open_selecting("Q", INPUT | BROWSE, "JMSCorrelationID = 'c10'").unwrap();
    let options = GetOptions::with(GetFlags::SYNCPOINT, Wait::No);
    let got = one.get_with(keyed, &MessageDescriptor::default(), &options, 1000).unwrap();
    assert_eq!(last_word(&text_of(&got)), "10");
    assert_eq!(at_once(&mut one, keyed), Some(Err(Reason::NO_MSG_AVAILABLE)));
    one.back().unwrap();
    one.put_with(queue, "<jms><Cid>c10</Cid></jms>", true, "|again");
    for (flags, expected) in [
        (GetFlags::BROWSE_FIRST, Ok("10")),
        (GetFlags::BROWSE_NEXT, Ok("again")),
        (GetFlags::BROWSE_NEXT, Err(Reason::NO_MSG_AVAILABLE)),
    ] {
        let options = GetOptions::with(flags, Wait::No);
        let browsed = one.get_with(keyed, &MessageDescriptor::default(), &options, 1000);
        assert_eq!(browsed.map(|got| last_word(&text_of(&got))), expected.map(str::to_owned));
    }
    assert_eq!(at_once(&mut one, keyed), Some(Ok("10".to_owned())));
    assert_eq!(at_once(&mut one, keyed), Some(Ok("again".to_owned())));
}

#[test]
fn a_text_that_24_bytes_stand_for_finds_them_on_shallow_and_deep_queues_also_for_who_waits() {
    const TEXT: &str = "ID:AMQP:order-1";
    let bytes = mqi::properties::bytes_from_hex("465259533a84af029cd54840b65b0461cdf999ff09c24a77");
    let bytes: [u8; 24] = bytes.unwrap().try_into().unwrap();
    for others in [0, 3000] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
        let mut one = bench.connect();
        let queue = one.open("Q", OUTPUT);
        for number in 0..others {
            let folder = format!("<jms><Cid>c{number}</Cid></jms>");
            one.put_with(queue, &folder, false, "|other");
            if number % 50 == 0 {
                bench.keep_house();
            }
        }
        let answer = MessageDescriptor { correlation_id: mqi::CorrelationId(bytes), ..message(others == 0) };
        let request = MessageDescriptor { message_id: mqi::MessageId(bytes), ..message(others == 0) };
        for (name, described) in [("JMSCorrelationID", &answer), ("JMSMessageID", &request)] {
            let selector = format!("{name} = '{TEXT}'");
            let named = one.open_selecting("Q", INPUT | BROWSE, &selector).unwrap();
            assert_eq!(at_once(&mut one, named), Some(Err(Reason::NO_MSG_AVAILABLE)), "{selector}");
            one.try_put(queue, described, PutFlags::EMPTY, "|first").unwrap();
            let browse = GetOptions::with(GetFlags::BROWSE_FIRST, Wait::No);
            let browsed = one.get_with(named, &MessageDescriptor::default(), &browse, 1000);
            assert_eq!(browsed.map(|got| last_word(&text_of(&got))), Ok("first".to_owned()), "{selector}");
            assert_eq!(at_once(&mut one, named), Some(Ok("first".to_owned())), "{selector}");
            assert_eq!(at_once(&mut one, named), Some(Err(Reason::NO_MSG_AVAILABLE)), "{selector}");
            // One that comes while the getter waits.
            let any = MessageDescriptor::default();
            let token = one.wait(named, &any, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
            one.put_with(queue, "<jms><Cid>ID:AMQP:order-2</Cid></jms>", false, "|not this");
            one.try_put(queue, described, PutFlags::EMPTY, "|second").unwrap();
            bench.run_jobs();
            let came = one.outcome(token).map(|body| body.map(|body| last_word(&body)));
            assert_eq!(came, Some(Ok("second".to_owned())), "{selector}");
        }
    }
}

/// A message as the plain list has it.
struct Listed {
    priority: u8,
    number: u64,
    correlation: u64,
    n: u64,
}

#[test]
fn an_index_by_text_finds_what_looking_at_each_message_finds() {
    for (seed, settings) in [(1, settings()), (2, settings()), (3, small_memory()), (4, small_memory())] {
        let is_small = settings.memory_budget_bytes == small_memory().memory_budget_bytes;
        let bench = Bench::with(settings, seed);
        bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
        let mut random = Random::new(seed);
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        let mut keyed = Vec::new();
        for correlation in 0..6 {
            let selector = format!("n > 3 AND JMSCorrelationID = 'c{correlation}'");
            keyed.push(one.open_selecting("Q", INPUT, &selector).unwrap());
        }
        let pad = if is_small { "z".repeat(3000) } else { String::new() };
        let mut list: Vec<Listed> = Vec::new();
        let mut number = 0;
        for step in 0..1500 {
            match random.below(10) {
                0..6 => {
                    number += 1;
                    let (correlation, n) = (random.below(7), random.below(10));
                    let priority = random.below(3) as u8;
                    let folder = match correlation {
                        6 => format!("<usr><n dt='i4'>{n}</n></usr>"),
                        of => format!("<jms><Cid>c{of}</Cid></jms><usr><n dt='i4'>{n}</n></usr>"),
                    };
                    let described =
                        MessageDescriptor { priority: Priority::new(priority), ..message(step % 3 > 0) };
                    one.put_described(queue, &folder, described, &format!("{pad}|{number}"));
                    list.push(Listed { priority, number, correlation, n });
                    list.sort_by_key(|listed| (9 - listed.priority, listed.number));
                }
                6 => {
                    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
                    let got = one.get_with(queue, &MessageDescriptor::default(), &options, 1 << 20);
                    let got = got.map(|got| last_word(&text_of(&got)));
                    let expected = (!list.is_empty()).then(|| list.remove(0).number.to_string());
                    assert_eq!(got, expected.ok_or(Reason::NO_MSG_AVAILABLE), "step {step} of {seed}");
                }
                chosen => {
                    let correlation = random.below(6);
                    let within = chosen == 7;
                    let flags = if within { GetFlags::SYNCPOINT } else { GetFlags::NO_SYNCPOINT };
                    let options = GetOptions::with(flags, Wait::No);
                    let handle = keyed[correlation as usize];
                    let got = one.get_with(handle, &MessageDescriptor::default(), &options, 1 << 20);
                    let fits = |listed: &Listed| listed.correlation == correlation && listed.n > 3;
                    let place = list.iter().position(fits);
                    let expected = place.map(|place| list[place].number.to_string());
                    assert_eq!(
                        got.map(|got| last_word(&text_of(&got))),
                        expected.ok_or(Reason::NO_MSG_AVAILABLE),
                        "step {step} of {seed}"
                    );
                    if within {
                        one.back().unwrap();
                    } else if let Some(place) = place {
                        list.remove(place);
                    }
                }
            }
            if step % 20 == 0 {
                bench.keep_house();
            }
            if step == 900 {
                bench.mqsc("ALTER QLOCAL(Q) MSGDLVSQ(FIFO)");
                bench.mqsc("ALTER QLOCAL(Q) MSGDLVSQ(PRIORITY)");
            }
        }
        assert!(list.len() > 100, "{} messages are left", list.len());
    }
}
