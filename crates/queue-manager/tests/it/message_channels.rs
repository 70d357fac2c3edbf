//! Message channels as commands, partners and the host meet them, without an agent.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Barrier};
use std::time::Duration;

use mqi::constants::*;
use mqi::{MessageDescriptor, Reason};
use objects::pcf::{self, ByteOrder, Content, Message, Parameter};
use parking_lot::Mutex;
use platform::simulated::Survival;
use queue_manager::{
    CallRefusal, ChannelAsk, ChannelBusy, ChannelCall, ChannelClient, ChannelEnd, ChannelLimits,
    ChannelOverview, ChannelPurpose, ChannelRun, ChannelTraffic, ChannelWays, ChannelsFull, ClientProgress,
    Dial, PreparedPurpose, RunningState, Substate,
};
use security::cover::{Encryption, Names};
use security::distinguished_name::{AttributeType, Name};
use storage::record::ChannelBatch;
use storage::{Direction, Line, ObjectId, SyncObject};

use crate::support::*;

const SENDER: &str = "DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ) \
                      DEFINE QREMOTE(R) RNAME(THERE) RQMNAME(QM2) \
                      DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME('one(1500),two') XMITQ(QM2)";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.host.runs_channels.store(true, Ordering::Relaxed);
    bench
}

fn restarted(bench: Bench) -> Bench {
    let bench = bench.crash(Survival::Nothing);
    bench.host.runs_channels.store(true, Ordering::Relaxed);
    bench
}

/// The calls that the host is to make now.
fn dials(bench: &Bench) -> Vec<Dial> {
    bench.manager.channels().dials().dials
}

fn dial(bench: &Bench) -> ChannelRun {
    let mut dials = dials(bench);
    assert_eq!(dials.len(), 1, "{dials:?}");
    dials.remove(0).run
}

fn failure(text: &str) -> ChannelEnd {
    ChannelEnd::Failed { reason: Reason::HOST_NOT_AVAILABLE, text: text.to_owned() }
}

fn status(bench: &Bench, channel: &str) -> String {
    bench.told(&format!("DISPLAY CHSTATUS({channel}) ALL"))
}

fn call<'a>(channel: &'a str, sends: bool) -> ChannelCall<'a> {
    let encryption = &Encryption::Clear { is_cover_required: false };
    ChannelCall {
        channel,
        address: "tcp 10.0.0.7:51000",
        partner: "QM2",
        partner_identifier: "QM2_1",
        sends,
        user: None,
        encryption,
    }
}

/// A call of another queue manager by the same channel.
fn call_of<'a>(channel: &'a str, partner: &'a str, partner_identifier: &'a str) -> ChannelCall<'a> {
    ChannelCall { partner, partner_identifier, ..call(channel, true) }
}

fn put(bench: &Bench) {
    let mut one = bench.connect();
    let remote = one.open("R", OUTPUT);
    one.put(remote, true, "x");
}

#[test]
fn a_channel_that_is_started_calls_its_addresses_and_once_at_a_time() {
    let bench = bench();
    bench.mqsc(SENDER);
    assert!(dials(&bench).is_empty());
    assert!(bench.told("START CHANNEL(TO.QM2)").contains("FRY8020I"));
    let mut all = dials(&bench);
    let Dial { run, connection_names, .. } = all.remove(0);
    let names: Vec<String> = connection_names.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["one(1500)", "two(1414)"]);
    assert_eq!(run.purpose(), ChannelPurpose::Transfer);
    assert!(bench.refused("START CHANNEL(TO.QM2)").contains("FRY8471E"));
    assert!(bench.told("START CHANNEL(TO.QM2) IGNSTATE(YES)").contains("FRY8020I"));
    assert!(dials(&bench).is_empty());
    let told = status(&bench, "TO.QM2");
    for shown in ["CHLTYPE(SDR)", "STATUS(STARTING)", "XMITQ(QM2)", "MCASTAT(RUNNING)"] {
        assert!(told.contains(shown), "{shown}: {told}");
    }
    run.update(|progress| {
        progress.state = RunningState::Running;
        progress.partner = "QM2".to_owned();
        progress.messages = 7;
    });
    let told = status(&bench, "TO.QM2");
    assert!(told.contains("STATUS(RUNNING)") && told.contains("MSGS(7)"), "{told}");
    run.end(ChannelEnd::Inactive);
    drop(run);
    assert!(status(&bench, "TO.QM2").contains("FRY8155I"), "nothing is told of one that is inactive");
    bench.told("START CHANNEL(TO.QM2)");
    drop(dial(&bench));
}

#[test]
fn a_channel_that_cannot_call_says_why_at_once() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(N) DEFINE QLOCAL(X) USAGE(XMITQ) \
         DEFINE CHANNEL(NO.QUEUE) CHLTYPE(SDR) CONNAME(h) XMITQ(NONE) \
         DEFINE CHANNEL(NORMAL) CHLTYPE(SDR) CONNAME(h) XMITQ(N) \
         DEFINE CHANNEL(WRONG) CHLTYPE(SDR) CONNAME('h(x)') XMITQ(X) \
         DEFINE CHANNEL(LOCAL) CHLTYPE(SDR) CONNAME(h) XMITQ(X) LOCLADDR('mars(1)') \
         DEFINE CHANNEL(IN) CHLTYPE(RCVR)",
    );
    assert!(bench.refused("START CHANNEL(NO.QUEUE)").contains("runs no message channels"));
    bench.host.runs_channels.store(true, Ordering::Relaxed);
    for (channel, why) in [
        ("NO.QUEUE", "XMITQ NONE does not exist"),
        ("NORMAL", "USAGE(NORMAL)"),
        ("WRONG", "CONNAME"),
        ("LOCAL", "LOCLADDR"),
    ] {
        let told = bench.refused(&format!("START CHANNEL({channel})"));
        assert!(told.contains("FRY8470E") && told.contains(why), "{channel}: {told}");
    }
    assert!(bench.told("START CHANNEL(IN)").contains("FRY8018I"));
    assert!(bench.refused("START CHANNEL(ABSENT)").contains("FRY8147E"));
    // An attribute that is wrong by the time of the call stops the channel, and says so.
    bench.mqsc("DEFINE CHANNEL(TO.X) CHLTYPE(SDR) CONNAME(h) XMITQ(X)");
    bench.told("START CHANNEL(TO.X)");
    bench.told("ALTER CHANNEL(TO.X) CHLTYPE(SDR) CONNAME('h(0)')");
    assert!(dials(&bench).is_empty());
    let told = status(&bench, "TO.X");
    assert!(told.contains("STATUS(STOPPED)") && told.contains("LASTERR(2539: CONNAME"), "{told}");
}

#[test]
fn a_channel_that_fails_is_tried_again_and_one_that_a_person_must_mend_is_stopped() {
    let bench = bench();
    bench.mqsc(SENDER);
    bench.told("START CHANNEL(TO.QM2)");
    let run = dial(&bench);
    run.end(failure("the partner refused"));
    drop(run);
    let told = status(&bench, "TO.QM2");
    let shown = ["STATUS(RETRYING)", "SHORTRTS(10)", "LASTERR(2538: the partner refused)", "NEXTTRY("];
    assert!(shown.iter().all(|shown| told.contains(shown)), "{told}");
    assert!(dials(&bench).is_empty(), "not before its time");
    bench.machine.clock.advance(Duration::from_secs(2));
    let run = dial(&bench);
    // Nothing said: the connection broke.
    drop(run);
    bench.machine.clock.advance(Duration::from_secs(3));
    let run = dial(&bench);
    run.end(ChannelEnd::Halted { reason: Reason::CHANNEL_NOT_AVAILABLE, text: "chains differ".to_owned() });
    drop(run);
    assert!(status(&bench, "TO.QM2").contains("STATUS(STOPPED)"));
    put(&bench);
    bench.machine.clock.advance(Duration::from_secs(5_000));
    assert!(dials(&bench).is_empty(), "only a command starts it");
    bench.told("START CHANNEL(TO.QM2)");
    drop(dial(&bench));
}

#[test]
fn a_message_starts_the_channel_of_its_transmission_queue_without_a_trigger_message() {
    let bench = bench();
    bench.mqsc(SENDER);
    put(&bench);
    let run = dial(&bench);
    assert_eq!(run.attributes().name.as_str(), "TO.QM2");
    assert_eq!(bench.depth("SYSTEM.CHANNEL.INITQ"), 0);
    run.end(ChannelEnd::Inactive);
    drop(run);
    // The message is still there: a sweep finds it.
    assert!(dials(&bench).is_empty());
    bench.machine.clock.advance(Duration::from_secs(11));
    drop(dial(&bench));
    // TRIGDATA names the channel; else the first by name.
    bench.mqsc("DEFINE CHANNEL(A.FIRST) CHLTYPE(SDR) CONNAME(h) XMITQ(QM2)");
    bench.told("STOP CHANNEL(TO.QM2)");
    bench.machine.clock.advance(Duration::from_secs(11));
    let run = dial(&bench);
    assert_eq!(run.attributes().name.as_str(), "A.FIRST");
    run.end(ChannelEnd::Inactive);
    drop(run);
    bench.told("ALTER QLOCAL(QM2) TRIGDATA('TO.QM2')");
    bench.machine.clock.advance(Duration::from_secs(11));
    assert!(dials(&bench).is_empty(), "the channel that is named is stopped");
    bench.told("START CHANNEL(TO.QM2)");
    assert_eq!(dial(&bench).attributes().name.as_str(), "TO.QM2");
}

#[test]
fn messages_that_wait_when_the_queue_manager_starts_find_their_channel() {
    let bench = bench();
    bench.mqsc(SENDER);
    put(&bench);
    let bench = restarted(bench);
    assert_eq!(dial(&bench).attributes().name.as_str(), "TO.QM2");
}

#[test]
fn without_an_initiator_trigger_messages_are_put_as_for_any_queue() {
    for stopped in [false, true] {
        let bench = Bench::new();
        bench.mqsc(SENDER);
        if stopped {
            bench.host.runs_channels.store(true, Ordering::Relaxed);
            assert!(bench.told("DISPLAY QMSTATUS CHINIT").contains("CHINIT(RUNNING)"));
            assert!(bench.told("STOP CHINIT").contains("no longer start"));
        }
        assert!(bench.told("DISPLAY QMSTATUS CHINIT").contains("CHINIT(STOPPED)"));
        let mut monitor = bench.connect();
        monitor.open("SYSTEM.CHANNEL.INITQ", INPUT);
        put(&bench);
        assert_eq!(bench.depth("SYSTEM.CHANNEL.INITQ"), 1);
        assert!(dials(&bench).is_empty());
        if stopped {
            assert!(bench.told("START CHINIT INITQ(SYSTEM.CHANNEL.INITQ)").contains("FRY8481I"));
            bench.machine.clock.advance(Duration::from_secs(11));
            drop(dial(&bench));
        }
    }
}

#[test]
fn a_stop_is_told_to_the_agent_and_decides_what_the_channel_is_afterwards() {
    for (command, ask, state) in [
        ("STOP CHANNEL(TO.QM2)", ChannelAsk::Quiesce, "STATUS(STOPPED)"),
        ("STOP CHANNEL(TO.QM2) MODE(FORCE)", ChannelAsk::Force, "STATUS(STOPPED)"),
        ("STOP CHANNEL(TO.QM2) MODE(TERMINATE)", ChannelAsk::Terminate, "STATUS(STOPPED)"),
        ("STOP CHANNEL(TO.QM2) STATUS(INACTIVE)", ChannelAsk::Quiesce, "FRY8155I"),
    ] {
        let bench = bench();
        bench.mqsc(SENDER);
        bench.told("START CHANNEL(TO.QM2)");
        let run = dial(&bench);
        let woken = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let count = Arc::clone(&woken);
        run.wake_by(Arc::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
        }));
        assert!(
            bench.told(command).contains("FRY8019I: Channel TO.QM2 is stopping; instances that end: 1."),
            "{command}"
        );
        assert_eq!((run.asked(), woken.load(Ordering::Relaxed)), (Some(ask), 1), "{command}");
        let told = status(&bench, "TO.QM2");
        assert!(told.contains("STATUS(STOPPING)") && told.contains("STOPREQ(YES)"), "{told}");
        // Also where the stop broke the connection.
        run.end(failure("the connection broke"));
        drop(run);
        assert!(status(&bench, "TO.QM2").contains(state), "{command}");
        put(&bench);
        assert_eq!(dials(&bench).len(), usize::from(state == "FRY8155I"), "{command}");
    }
    let bench = bench();
    bench.mqsc(SENDER);
    assert!(bench.refused("STOP CHANNEL(TO.QM2) STATUS(INACTIVE)").contains("FRY8472E"));
    assert!(bench.told("STOP CHANNEL(TO.QM2) STATUS(INACTIVE) IGNSTATE(YES)").contains("FRY8019I"));
    assert!(bench.told("STOP CHANNEL(TO.QM2)").contains("is stopping; instances that end: 0"));
    assert!(bench.refused("STOP CHANNEL(TO.QM2)").contains("FRY8472E"), "it is stopped already");
}

#[test]
fn a_partner_comes_by_a_channel_of_the_other_side_that_is_not_stopped() {
    let bench = bench();
    bench.mqsc(&format!(
        "{SENDER} DEFINE CHANNEL(IN) CHLTYPE(RCVR) DEFINE CHANNEL(SERVES) CHLTYPE(SVR) XMITQ(QM2) \
         DEFINE CHANNEL(ASKS) CHLTYPE(RQSTR) CONNAME(h) DEFINE CHANNEL(APPS) CHLTYPE(SVRCONN)"
    ));
    let accept = |channel: &str, sends: bool| bench.manager.channels().accept(&call(channel, sends));
    let refusal = |channel: &str, sends: bool| accept(channel, sends).unwrap_err();
    assert!(matches!(refusal("NONE", true), CallRefusal::Unknown(_)));
    assert!(matches!(refusal("APPS", true), CallRefusal::Unknown(_)), "that is for clients");
    assert!(matches!(refusal("IN", false), CallRefusal::OfOtherType { .. }));
    assert!(matches!(refusal("SERVES", true), CallRefusal::OfOtherType { .. }));
    let one = accept("IN", true).unwrap();
    let other = accept("IN", true).unwrap();
    assert!(!one.calls());
    assert!(status(&bench, "IN").contains("CONNAME(10.0.0.7)"));
    assert!(status(&bench, "IN").contains("RQMNAME(QM2)"));
    let serving = accept("SERVES", false).unwrap();
    let asks = ChannelCall { sends: false, ..call_of("SERVES", "QM3", "QM3_1") };
    let refused = bench.manager.channels().accept(&asks).unwrap_err();
    assert!(matches!(refused, CallRefusal::Runs(_)), "one sends at a time");
    drop((serving, other));
    assert!(bench.refused("STOP CHANNEL(IN) CONNAME('10.0.0.8')").contains("FRY8472E"));
    assert_eq!(one.asked(), None);
    assert!(bench.told("STOP CHANNEL(IN) QMNAME(QM2)").contains("instances that end: 1"));
    assert_eq!(one.asked(), Some(ChannelAsk::Quiesce));
    drop(one);
    drop(accept("IN", true).unwrap());
    bench.told("STOP CHANNEL(IN)");
    assert!(matches!(refusal("IN", true), CallRefusal::Stopped(_)));
    bench.told("START CHANNEL(IN)");
    drop(accept("IN", true).unwrap());
    // A requester that calls a sender is called back.
    assert!(matches!(refusal("TO.QM2", false), CallRefusal::CallsBack(_)));
    assert_eq!(dial(&bench).attributes().name.as_str(), "TO.QM2");
}

#[test]
fn a_fault_leaves_the_end_that_answers_inactive_and_stops_no_other_partner() {
    let bench = bench();
    bench.mqsc("DEFINE CHANNEL(IN) CHLTYPE(RCVR)");
    let accept = |partner, identifier| bench.manager.channels().accept(&call_of("IN", partner, identifier));
    let runs = |run: &ChannelRun| run.update(|progress| progress.state = RunningState::Running);
    let halted = |text: &str| ChannelEnd::Halted { reason: Reason::Q_FULL, text: text.to_owned() };
    for end in [halted("it has no place"), failure("the partner ended the channel")] {
        let [one, other] = [("A1", "A1_1"), ("A2", "A2_1")].map(|(name, id)| accept(name, id).unwrap());
        [&one, &other].into_iter().for_each(runs);
        one.end(end.clone());
        drop(one);
        let told = status(&bench, "IN");
        assert!(!told.contains("STATUS(STOPPED)") && told.contains("STATUS(RUNNING)"), "{told}");
        let rows: Vec<&str> = told.split("FRY8417I").skip(1).collect();
        let of = |partner: &str| rows.iter().find(|row| row.contains(&format!("RQMID({partner})"))).unwrap();
        assert!(of("A2_1").contains("LASTERR( )"), "the fault is not its own: {told}");
        let failed = of("A1_1");
        assert!(failed.contains("STATUS(INACTIVE)") && !failed.contains("LASTERR( )"), "{told}");
        // Another that works mends nothing of the first, which is let in without a command.
        drop(other);
        let other = accept("A2", "A2_1").unwrap();
        runs(&other);
        let faults = status(&bench, "IN").matches("LASTERR( )").count();
        assert_eq!(faults, 1, "{}", status(&bench, "IN"));
        let one = accept("A1", "A1_1").unwrap();
        runs(&one);
        assert_eq!(status(&bench, "IN").matches("LASTERR( )").count(), 2, "{}", status(&bench, "IN"));
        one.end(ChannelEnd::Inactive);
        other.end(ChannelEnd::Inactive);
        drop((one, other));
        bench.told("STOP CHANNEL(IN)");
        assert!(matches!(accept("A1", "A1_1").unwrap_err(), CallRefusal::Stopped(_)), "a command did it");
        assert!(matches!(accept("A2", "A2_1").unwrap_err(), CallRefusal::Stopped(_)));
        bench.told("START CHANNEL(IN)");
    }
    // The end that calls stays stopped, also for its partner, and for no other that it serves.
    bench.mqsc("DEFINE CHANNEL(ASKS) CHLTYPE(RQSTR) CONNAME(h)");
    bench.told("START CHANNEL(ASKS)");
    let asking = dial(&bench);
    asking.update(|progress| {
        (progress.partner, progress.partner_identifier) = ("A1".to_owned(), "A1_1".to_owned());
    });
    asking.end(halted("it has no place"));
    drop(asking);
    assert!(status(&bench, "ASKS").contains("STATUS(STOPPED)"), "{}", status(&bench, "ASKS"));
    let ask = |partner, identifier| bench.manager.channels().accept(&call_of("ASKS", partner, identifier));
    assert!(matches!(ask("A1", "A1_1").unwrap_err(), CallRefusal::Stopped(_)));
    drop(ask("A2", "A2_1").unwrap());
    bench.told("START CHANNEL(ASKS)");
    drop(ask("A1", "A1_1").unwrap());
}

#[test]
fn a_call_from_another_address_takes_no_channel_from_a_partner_that_gives_a_sign() {
    let bench = bench();
    bench.mqsc("DEFINE CHANNEL(IN) CHLTYPE(RCVR)");
    let other = bench.manager.channels().accept(&call_of("IN", "QM3", "QM3_1")).unwrap();
    let from =
        |address: &'static str| bench.manager.channels().accept(&ChannelCall { address, ..call("IN", true) });
    // A partner that comes again, from another port or after its end, does so as often as it likes.
    let mut runs: Vec<_> =
        (1000..1010).map(|port| from(format!("tcp 10.0.0.7:{port}").leak()).unwrap()).collect();
    runs.drain(..9);
    assert!(!runs[0].take_wish_for_sign());
    for port in 1..10 {
        let refused = from(format!("tcp 10.0.0.8:{port}").leak()).unwrap_err();
        assert_eq!(refused.reason(), Reason::CHANNEL_NOT_AVAILABLE);
        let text = refused.to_string();
        assert!(text.starts_with("10.0.0.7 has the channel IN") && text.contains("10.0.0.8 takes"), "{text}");
        assert_eq!((runs[0].asked(), runs[0].take_wish_for_sign()), (None, true), "it goes on, and is asked");
        assert_eq!((other.asked(), other.take_wish_for_sign()), (None, false), "another partner is not");
        assert!(status(&bench, "IN").contains("LASTERR(2537: 10.0.0.7 has"), "{}", status(&bench, "IN"));
        drop(from("tcp 10.0.0.7:1011").unwrap());
    }
    // Its agent heard nothing, and has ended: the other one comes in.
    drop(runs);
    drop(from("tcp 10.0.0.8:10").unwrap());
    drop(other);
    let one = from("tcp 10.0.0.7:4").unwrap();
    // AdoptNewMCA(NO): the one that is there keeps its place, against its own host too.
    bench.manager.channels().set_ways(ChannelWays { adopts_partners: false, ..ChannelWays::default() });
    assert!(matches!(from("tcp 10.0.0.7:5").unwrap_err(), CallRefusal::Runs(_)));
    drop(one);
    drop(from("tcp 10.0.0.7:6").unwrap());
}

#[test]
fn a_partner_takes_no_channel_from_one_that_acts_as_another_user() {
    let bench = bench();
    bench.mqsc("DEFINE CHANNEL(IN) CHLTYPE(RCVR)");
    let as_user = |user: Option<&'static str>, address: &'static str| {
        bench.manager.channels().accept(&ChannelCall { user, address, ..call("IN", true) })
    };
    let lyon = as_user(Some("lyon"), "tcp 10.0.0.7:1").unwrap();
    // More often than two addresses may claim one QMID.
    for (user, address) in [
        (Some("paris"), "tcp 10.0.0.8:1"),
        (Some("paris"), "tcp 10.0.0.7:2"),
        (Some("LYON"), "tcp 10.0.0.8:2"),
        (Some(""), "tcp 10.0.0.8:3"),
        (None, "tcp 10.0.0.8:4"),
    ] {
        let refused = as_user(user, address).unwrap_err();
        assert_eq!(refused.reason(), Reason::NOT_AUTHORIZED, "{user:?}");
        let text = refused.to_string();
        assert!(text.contains("QM2_1") && !text.contains("lyon"), "the owner is not named: {text}");
        assert_eq!(lyon.asked(), None, "{user:?}: it goes on");
    }
    let again = as_user(Some("lyon"), "tcp 10.0.0.7:3").unwrap();
    drop((lyon, again));
    // Where nothing was judged before, the first login that is takes the place.
    let unjudged = as_user(None, "tcp 10.0.0.7:4").unwrap();
    drop((as_user(Some("lyon"), "tcp 10.0.0.7:5").unwrap(), unjudged));
    drop(as_user(Some("paris"), "tcp 10.0.0.8:5").unwrap());
}

#[test]
fn a_machine_has_no_more_instances_of_a_channel_than_maxinstc_whichever_of_its_addresses_it_comes_from() {
    let bench = bench();
    bench.mqsc("DEFINE CHANNEL(S) CHLTYPE(SVRCONN) MAXINSTC(2)");
    let begin =
        |origin: &str| bench.manager.channels().begin_instance("S".parse().unwrap(), &client(origin, ""));
    for (machine, another) in [
        (["tcp 127.0.0.1:1", "tcp 127.0.0.2:1", "tcp [::1]:1"], "tcp 192.0.2.1:1"),
        (["tcp [2001:db8::1]:1", "tcp [2001:db8::2]:1", "tcp [2001:db8::3]:1"], "tcp [2001:db8:0:1::1]:1"),
        (["tcp 192.0.2.7:1", "tcp [::ffff:192.0.2.7]:1", "tcp 192.0.2.7:2"], "unix"),
    ] {
        let held = [machine[0], machine[1]].map(|origin| begin(origin).unwrap().unwrap());
        let refused = begin(machine[2]).err();
        assert!(matches!(refused, Some(ChannelBusy::OfClient { most: 2, .. })), "{machine:?}: {refused:?}");
        assert!(begin(another).unwrap().is_some(), "{another}");
        drop(held);
        assert!(begin(machine[2]).unwrap().is_some());
    }
}

#[test]
fn channels_of_all_types_share_the_limits_and_one_more_is_2537() {
    let bench = bench();
    bench.mqsc(&format!(
        "{SENDER} DEFINE CHANNEL(IN) CHLTYPE(RCVR) DEFINE CHANNEL(S) CHLTYPE(SVRCONN) \
         DEFINE CHANNEL(A) CHLTYPE(AMQP)"
    ));
    let limit = |current_max, active_max| {
        let limits = ChannelLimits { current_max, active_max };
        bench.manager.channels().set_ways(ChannelWays { limits, ..ChannelWays::default() });
    };
    let of_clients = |channel: &str| {
        bench.manager.channels().begin_instance(channel.parse().unwrap(), &client("tcp 127.0.0.1:1", ""))
    };
    let seats = |bench: &Bench| bench.told("DISPLAY QMSTATUS MAXCHL ACTCHL CURCHL RUNCHL");
    limit(9, 2);
    let one = of_clients("S").unwrap();
    let two = of_clients("A").unwrap();
    let full = ChannelsFull::Active(2);
    assert_eq!(of_clients("S").err(), Some(ChannelBusy::Full(full)));
    assert_eq!(of_clients("A").err(), Some(ChannelBusy::Full(full)));
    let refused = bench.manager.channels().accept(&call("IN", true)).unwrap_err();
    assert_eq!((&refused, refused.reason()), (&CallRefusal::TooMany(full), Reason::CHANNEL_NOT_AVAILABLE));
    assert!(refused.to_string().contains("limits.active_channels_max (MaxActiveChannels)"), "{refused}");
    let shown = seats(&bench);
    for expected in ["MAXCHL(9)", "ACTCHL(2)", "CURCHL(2)", "RUNCHL(2)"] {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }
    // One that calls waits, says so, and runs once there is a seat.
    bench.told("START CHANNEL(TO.QM2)");
    assert!(dials(&bench).is_empty());
    let shown = status(&bench, "TO.QM2");
    assert!(shown.contains("STATUS(STARTING)") && shown.contains("MaxActiveChannels"), "{shown}");
    assert!(bench.manager.channels().dials().next > bench.manager.now(), "the host does not ask without end");
    drop(one);
    bench.pass(Duration::from_secs(5));
    let run = dial(&bench);
    assert!(bench.manager.channels().accept(&call("IN", true)).is_err());
    // One that fails gives its seat back, and stays current while it retries.
    run.end(failure("the partner is not there"));
    drop(run);
    let three = bench.manager.channels().accept(&call("IN", true)).unwrap();
    limit(3, 9);
    assert!(seats(&bench).contains("CURCHL(3)") && seats(&bench).contains("RUNCHL(2)"), "{}", seats(&bench));
    let full = ChannelsFull::Current(3);
    assert_eq!(of_clients("A").err(), Some(ChannelBusy::Full(full)));
    assert_eq!(bench.manager.channels().accept(&call("IN", true)).err(), Some(CallRefusal::TooMany(full)));
    bench.pass(Duration::from_secs(9));
    let again = dial(&bench);
    assert!(of_clients("S").is_err());
    // Channels that are stopped are current, of clients as well.
    drop((again, two, three));
    bench.told("STOP CHANNEL(TO.QM2) MODE(FORCE)");
    bench.told("STOP CHANNEL(S)");
    let last = of_clients("A").unwrap();
    assert_eq!(of_clients("A").err(), Some(ChannelBusy::Full(full)));
    bench.told("START CHANNEL(S)");
    assert!(of_clients("A").is_ok());
    drop(last);
    // A ping takes a seat while it lasts.
    limit(9, 1);
    let _held = of_clients("S").unwrap();
    let pinged = bench.refused("PING CHANNEL(TO.QM2)");
    assert!(pinged.contains("MaxActiveChannels"), "{pinged}");
}

#[test]
fn a_channel_with_a_cipher_is_not_called_in_the_clear_and_calls_where_there_is_such_a_cipher() {
    let bench = bench();
    bench.mqsc(&format!("{SENDER} DEFINE CHANNEL(IN) CHLTYPE(RCVR) SSLCIPH(ANY_TLS13)"));
    bench.told("ALTER CHANNEL(TO.QM2) CHLTYPE(SDR) SSLCIPH(ANY_TLS13)");
    bench.told("START CHANNEL(TO.QM2)");
    let calls = dials(&bench);
    let terms = calls[0].run.attributes().cover().unwrap();
    assert!(terms.suites.is_some() && terms.judge(&Encryption::Clear { is_cover_required: false }).is_err());
    drop(calls);
    let refused = bench.manager.channels().accept(&call("IN", true)).unwrap_err();
    assert!(matches!(refused, CallRefusal::Cover(_)), "{refused}");
    let suite = 0x1301;
    let covered = |certificate| Encryption::Covered {
        suite,
        certificate,
        shown: Arc::default(),
        channel: Box::default(),
    };
    let names = Names { subject: Name::default(), issuer: Name::default() };
    for (encryption, is_taken) in [(covered(None), false), (covered(Some(names)), true)] {
        let accepted =
            bench.manager.channels().accept(&ChannelCall { encryption: &encryption, ..call("IN", true) });
        assert_eq!(accepted.is_ok(), is_taken, "{encryption:?}");
    }
    bench.told("ALTER CHANNEL(IN) CHLTYPE(RCVR) SSLCAUTH(OPTIONAL)");
    let encryption = covered(None);
    let accepted =
        bench.manager.channels().accept(&ChannelCall { encryption: &encryption, ..call("IN", true) });
    assert!(accepted.is_ok());
}

#[test]
fn a_call_of_the_partner_ends_the_wait_of_the_channel_to_it() {
    let bench = bench();
    bench.mqsc(&format!("{SENDER} DEFINE CHANNEL(IN) CHLTYPE(RCVR)"));
    bench.told("START CHANNEL(TO.QM2)");
    let run = dial(&bench);
    run.update(|progress| progress.partner = "QM2".to_owned());
    drop(run);
    assert!(dials(&bench).is_empty());
    drop(bench.manager.channels().accept(&call("IN", true)).unwrap());
    assert_eq!(dial(&bench).attributes().name.as_str(), "TO.QM2");
}

#[test]
fn a_channel_that_runs_is_neither_deleted_nor_reset_nor_resolved() {
    let bench = bench();
    bench.mqsc(SENDER);
    bench.told("START CHANNEL(TO.QM2)");
    let run = dial(&bench);
    for command in [
        "DELETE CHANNEL(TO.QM2)",
        "RESET CHANNEL(TO.QM2)",
        "RESOLVE CHANNEL(TO.QM2) ACTION(COMMIT)",
        "PING CHANNEL(TO.QM2)",
    ] {
        assert!(bench.refused(command).contains("FRY8471E"), "{command}");
    }
    drop(run);
    assert!(bench.told("DELETE CHANNEL(TO.QM2)").contains("FRY8007I"));
    assert!(status(&bench, "TO.QM2").contains("FRY8155I"));
}

/// Prepares two batches of one message each.
fn in_doubt(bench: &Bench) -> ObjectId {
    let object = bench.open(bench.manager.channels().define_state(None, sync(9, Direction::Sends))).unwrap();
    let mut one = bench.connect();
    for number in [1, 2] {
        put(bench);
        let queue = one.open("QM2", INPUT);
        let options = mqi::GetOptions::with(mqi::GetFlags::SYNCPOINT, mqi::Wait::No);
        one.get_with(queue, &MessageDescriptor::default(), &options, 1 << 20).unwrap();
        let batch = ChannelBatch {
            sync_object: object,
            batch: number,
            first_sequence: number as u32,
            last_sequence: number as u32,
            chain: 100 + number,
        };
        bench.open(one.connection.prepare(PreparedPurpose::Channel(batch))).unwrap().unwrap();
    }
    object
}

#[test]
fn batches_in_doubt_are_shown_and_resolved_either_way_with_the_numbers_of_the_channel() {
    for commits in [true, false] {
        for restarts in [false, true] {
            let mut bench = bench();
            bench.mqsc(SENDER);
            let object = in_doubt(&bench);
            if restarts {
                bench = restarted(bench);
            }
            let saved = bench.told("DISPLAY CHSTATUS(TO.QM2) SAVED ALL");
            for shown in ["INDOUBT(YES)", "RQMNAME(QM2)", "CURSEQNO(2)", "CURLUWID(0000000900000002)"] {
                assert!(saved.contains(shown), "{shown}: {saved}");
            }
            assert!(bench.refused("RESET CHANNEL(TO.QM2)").contains("FRY8473E"));
            assert!(bench.refused("RESOLVE CHANNEL(TO.QM2) ACTION(FORGET)").contains("FRY8473E"));
            let action = if commits { "COMMIT" } else { "BACKOUT" };
            let told = bench.told(&format!("RESOLVE CHANNEL(TO.QM2) ACTION({action})"));
            assert!(told.contains("1, 2") && told.contains("messages: 2"), "{told}");
            let bench = restarted(bench);
            assert_eq!(bench.depth("QM2"), if commits { 0 } else { 2 });
            let state = bench.open(bench.manager.channels().states()).remove(0);
            assert_eq!(state.object, object);
            let resolved = state.sync.resolved.unwrap();
            assert_eq!((resolved.first, resolved.last, resolved.is_committed), (1, 2, commits));
            assert_eq!(state.confirmed.map(|last| (last.batch, last.chain)), commits.then_some((2, 102)));
            let again = bench.refused(&format!("RESOLVE CHANNEL(TO.QM2) ACTION({action})"));
            assert!(again.contains("FRY8474E"), "{again}");
            assert!(bench.told("RESOLVE CHANNEL(TO.QM2) ACTION(FORGET)").contains("forgotten: 1"));
            assert!(bench.open(bench.manager.channels().states()).is_empty());
        }
    }
}

/// Fills the log by gets of queue Q that are backed out, until it takes no state of a channel more.
fn fill_log(bench: &Bench) {
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.put(queue, true, "got and put back");
    let fills = (0..2_000).any(|_| {
        let found = one.try_get(queue, mqi::GetFlags::SYNCPOINT);
        bench.manager.drive();
        found.is_err() || one.back().is_err()
    });
    assert!(fills, "the log has room without end");
    let is_full = (0..900).any(|number| {
        let other = SyncObject { partner: format!("P{number}"), ..sync(1, Direction::Receives) };
        bench.manager.channels().define_state(None, other).split().is_err()
    });
    assert!(is_full, "it takes states without end");
}

/// A decision that nothing remembers would not be compared with the word of the partner.
#[test]
fn batches_that_a_full_log_could_not_remember_as_resolved_stay_in_doubt() {
    let small = storage::Settings { primary_extents: 2, secondary_extents: 0, ..settings().storage };
    let bench = Bench::with(queue_manager::Settings { storage: small, ..settings() }, 1);
    bench.mqsc(&format!("{SENDER} DEFINE QLOCAL(Q)"));
    in_doubt(&bench);
    fill_log(&bench);
    for action in ["COMMIT", "BACKOUT"] {
        let told = bench.refused(&format!("RESOLVE CHANNEL(TO.QM2) ACTION({action})"));
        assert!(told.contains("FRY8101E") && told.contains("RESOLVE CHANNEL(TO.QM2)"), "{told}");
        let saved = bench.told("DISPLAY CHSTATUS(TO.QM2) SAVED ALL");
        assert!(saved.contains("INDOUBT(YES)") && saved.contains("CURMSGS(2)"), "{saved}");
    }
}

/// A message that could not be sent is a dead letter in the unit of work of the batch, and none of the batch.
#[test]
fn a_batch_that_is_resolved_has_the_messages_that_it_carries() {
    for action in ["COMMIT", "BACKOUT"] {
        let bench = bench();
        bench.mqsc(&format!("{SENDER} DEFINE QLOCAL(DEAD)"));
        let sync_object = bench.manager.channels().define_state(None, sync(9, Direction::Sends));
        let sync_object = bench.open(sync_object).unwrap();
        put(&bench);
        let mut one = bench.connect();
        let queue = one.open("QM2", INPUT);
        let options = mqi::GetOptions::with(mqi::GetFlags::SYNCPOINT, mqi::Wait::No);
        one.get_with(queue, &MessageDescriptor::default(), &options, 1 << 20).unwrap();
        let dead = one.open("DEAD", OUTPUT);
        one.put_within(dead, true, "a dead letter");
        let batch = ChannelBatch { sync_object, batch: 1, first_sequence: 1, last_sequence: 1, chain: 101 };
        bench.open(one.connection.prepare(PreparedPurpose::Channel(batch))).unwrap().unwrap();
        let told = bench.told(&format!("RESOLVE CHANNEL(TO.QM2) ACTION({action})"));
        assert!(told.contains("messages: 1."), "{told}");
    }
}

/// The common status of a channel with the two batches of [`in_doubt`].
const COMMON: [&str; 8] = [
    "INDOUBT(YES)",
    "CURMSGS(2)",
    "CURSEQNO(2)",
    "CURLUWID(0000000900000002)",
    "LSTLUWID(0000000900000000)",
    "LSTSEQNO(0)",
    "RQMNAME(QM2)",
    "RQMID(QM2_1)",
];

/// The current status of the channel that is in doubt, which a condition finds.
fn status_in_doubt(bench: &Bench) -> String {
    let told = bench.told("DISPLAY CHSTATUS(*) ALL WHERE(INDOUBT EQ YES)");
    COMMON.iter().for_each(|shown| assert!(told.contains(shown), "{shown}: {told}"));
    let values = inquired_in_doubt(bench);
    for (number, value) in
        [(MQIACH_CURRENT_MSGS, 2), (MQIACH_CURRENT_SEQ_NUMBER, 2), (MQIACH_LAST_SEQ_NUMBER, 0)]
    {
        assert!(values.contains(&Parameter::integer(number, value)), "{number}: {values:?}");
    }
    told
}

/// The answer to a program about the channels in doubt.
fn inquired_in_doubt(bench: &Bench) -> Vec<Parameter> {
    let is_in_doubt = Content::IntegerFilter(MQCFOP_EQUAL, MQCHIDS_INDOUBT);
    inquired(bench, vec![Parameter::new(MQIACH_INDOUBT_STATUS, is_in_doubt)])
}

/// The answer to a program about the status of channels.
fn inquired(bench: &Bench, asked: Vec<Parameter>) -> Vec<Parameter> {
    let mut parameters = vec![Parameter::new(MQCACH_CHANNEL_NAME, Content::Text("*".to_owned()))];
    parameters.extend(asked);
    let header = pcf::Header::command(MQCMD_INQUIRE_CHANNEL_STATUS);
    let request = pcf::request(&Message { header, parameters }).unwrap();
    let pcf::Request::Command(command) = &request else { panic!("{request:?}") };
    let response = bench.open(bench.manager.execute(command));
    let answers = pcf::responses(MQCMD_INQUIRE_CHANNEL_STATUS, &request, &response);
    answers.into_iter().flat_map(|answer| answer.parameters).collect()
}

#[test]
fn the_current_status_has_the_batches_in_doubt_in_every_state() {
    let bench = bench();
    bench.mqsc(SENDER);
    in_doubt(&bench);
    assert!(status_in_doubt(&bench).contains("STATUS(STARTING)"), "the message wants the channel");
    let run = dial(&bench);
    assert!(status_in_doubt(&bench).contains("STATUS(STARTING)"));
    run.update(|progress| {
        progress.state = RunningState::Binding;
        (progress.partner, progress.partner_identifier) = ("QM2".to_owned(), "QM2_1".to_owned());
    });
    assert!(status_in_doubt(&bench).contains("STATUS(BINDING)"));
    run.end(failure("nobody answers"));
    drop(run);
    assert!(status_in_doubt(&bench).contains("STATUS(RETRYING)"));
    bench.told("STOP CHANNEL(TO.QM2)");
    assert!(status_in_doubt(&bench).contains("STATUS(STOPPED)"));
    let bench = restarted(bench);
    assert!(status_in_doubt(&bench).contains("STATUS(STOPPED)"), "after a crash");
    bench.told("STOP CHANNEL(TO.QM2) STATUS(INACTIVE)");
    let told = status_in_doubt(&bench);
    assert!(told.contains("STATUS(INACTIVE)") && told.contains("XQMSGSA("), "{told}");
    // A partner that was never in doubt has an instance, and the other stays shown beside it.
    bench.told("START CHANNEL(TO.QM2)");
    let run = dial(&bench);
    run.update(|progress| {
        progress.state = RunningState::Running;
        (progress.partner, progress.partner_identifier) = ("QM2".to_owned(), "QM2_made_anew".to_owned());
    });
    assert!(status_in_doubt(&bench).contains("STATUS(INACTIVE)"));
    let told = bench.told("DISPLAY CHSTATUS(*) ALL WHERE(INDOUBT EQ NO)");
    assert!(told.contains("RQMID(QM2_made_anew)") && told.contains("STATUS(RUNNING)"), "{told}");
    drop(run);
    bench.told("STOP CHANNEL(TO.QM2) STATUS(INACTIVE)");
    bench.mqsc("DELETE CHANNEL(TO.QM2)");
    let told = status_in_doubt(&bench);
    assert!(told.contains("STATUS(INACTIVE)") && told.contains("CHLTYPE(SDR)"), "{told}");
    let (_, saved) = (told, bench.told("DISPLAY CHSTATUS(*) SAVED ALL WHERE(INDOUBT EQ YES)"));
    COMMON.iter().for_each(|shown| assert!(saved.contains(shown), "{shown}: {saved}"));
}

/// The encryption of a connection whose other end proved its name.
fn mutual() -> Encryption {
    let name = |text| {
        let mut name = Name::default();
        name.add_attribute(AttributeType::by_word("CN").unwrap(), text);
        name
    };
    let certificate = Some(Names { subject: name("ada"), issuer: name("authority") });
    let (shown, channel) = (Arc::default(), Box::default());
    Encryption::Covered { suite: 0x1301, certificate, shown, channel }
}

#[test]
fn a_client_is_shown_with_its_encryption_its_bytes_and_its_messages() {
    let bench = bench();
    bench.mqsc("DEFINE CHANNEL(APPS) CHLTYPE(SVRCONN) DEFINE CHANNEL(AMQP) CHLTYPE(AMQP) PORT(5672)");
    let encryption = mutual();
    for (channel, identifier) in [("APPS", ""), ("AMQP", "one")] {
        let covered = ChannelClient { encryption: &encryption, ..client("tcp 10.0.0.9:1", identifier) };
        let begun = bench.manager.channels().begin_instance(channel.parse().unwrap(), &covered);
        let mut instance = begun.unwrap().unwrap();
        let told = status(&bench, channel);
        for shown in ["CURRENT", "SECPROT(TLSV13)", "SSLPEER(CN=ada)", "SSLCERTI(CN=authority)", "MSGS(0)"] {
            assert!(told.contains(shown), "{shown}: {told}");
        }
        assert!(!told.contains("SSLCIPH( )") && told.contains("LSTMSGTI( )"), "{told}");
        let traffic = ChannelTraffic { bytes_sent: 7_000, bytes_received: 800, writes: 7, reads: 8 };
        instance.tell(&ClientProgress { traffic, messages: 3, substate: Substate::InGet });
        instance.note_time(|| bench.manager.channels().time_of_day());
        let told = status(&bench, channel);
        for shown in
            ["BYTSSENT(7000)", "BYTSRCVD(800)", "BUFSSENT(7)", "BUFSRCVD(8)", "MSGS(3)", "SUBSTATE(MQGET)"]
        {
            assert!(told.contains(shown), "{shown}: {told}");
        }
        assert!(!told.contains("LSTMSGTI( )") && !told.contains("LSTMSGDA( )"), "{told}");
        instance.tell(&ClientProgress { messages: u64::MAX, ..ClientProgress::default() });
        assert!(status(&bench, channel).contains("MSGS(2147483647)"), "no more than fits a number");
    }
    let begun =
        bench.manager.channels().begin_instance("APPS".parse().unwrap(), &client("tcp 10.0.0.9:1", ""));
    let told = status(&bench, "APPS");
    assert!(told.contains("SECPROT(NONE)") && told.contains("SSLCIPH( )"), "in the clear: {told}");
    drop(begun);
}

#[test]
fn each_substate_is_shown_by_its_word_in_text_and_as_its_number_to_programs() {
    let bench = bench();
    bench.mqsc(SENDER);
    bench.told("START CHANNEL(TO.QM2)");
    let run = dial(&bench);
    for (substate, word, number) in [
        (Substate::NameServer, "NAMESERVER", MQCHSSTATE_NAME_SERVER),
        (Substate::NetConnecting, "NETCONNECT", MQCHSSTATE_NET_CONNECTING),
        (Substate::Handshaking, "SSLHANDSHK", MQCHSSTATE_SSL_HANDSHAKING),
        (Substate::Resynching, "RESYNCH", MQCHSSTATE_RESYNCHING),
        (Substate::EndOfBatch, "ENDBATCH", MQCHSSTATE_END_OF_BATCH),
        (Substate::Sending, "SEND", MQCHSSTATE_SENDING),
        (Substate::Receiving, "RECEIVE", MQCHSSTATE_RECEIVING),
        (Substate::Heartbeating, "HEARTBEAT", MQCHSSTATE_HEARTBEATING),
        (Substate::InPut, "MQPUT", MQCHSSTATE_IN_MQPUT),
        (Substate::InGet, "MQGET", MQCHSSTATE_IN_MQGET),
        (Substate::InCall, "MQICALL", MQCHSSTATE_IN_MQI_CALL),
        (Substate::Compressing, "COMPRESS", MQCHSSTATE_COMPRESSING),
        (Substate::None, " ", MQCHSSTATE_OTHER),
    ] {
        run.update(|progress| progress.substate = substate);
        let told = bench.told("DISPLAY CHSTATUS(TO.QM2) CURRENT");
        assert!(told.contains(&format!("SUBSTATE({word})")) && told.contains("CURRENT"), "{word}: {told}");
        let values = inquired(&bench, Vec::new());
        assert!(values.contains(&Parameter::integer(MQIACH_CHANNEL_SUBSTATE, number)), "{word}: {values:?}");
        assert!(values.contains(&Parameter::integer(MQIACH_CHANNEL_INSTANCE_TYPE, MQOT_CURRENT_CHANNEL)));
    }
    in_doubt(&bench);
    let saved = bench.told("DISPLAY CHSTATUS(TO.QM2) SAVED");
    assert!(saved.contains("SAVED") && !saved.contains("CURRENT"), "{saved}");
    let values = inquired(&bench, vec![Parameter::integer(MQIACH_CHANNEL_INSTANCE_TYPE, MQOT_SAVED_CHANNEL)]);
    assert!(
        values.contains(&Parameter::integer(MQIACH_CHANNEL_INSTANCE_TYPE, MQOT_SAVED_CHANNEL)),
        "{values:?}"
    );
}

/// The figures of a channel as boards have them.
fn figures_of(bench: &Bench, channel: &str) -> ChannelOverview {
    let overview = bench.open(bench.manager.figures().overview());
    overview.channels.into_iter().find(|found| found.name.as_str() == channel).expect("the channel")
}

#[test]
fn the_figures_of_a_channel_outlive_its_instances_and_tell_what_is_in_doubt_after_a_crash() {
    let bench = bench();
    bench.mqsc(&format!("{SENDER} DEFINE CHANNEL(APPS) CHLTYPE(SVRCONN) DESCR('for all')"));
    assert_eq!(figures_of(&bench, "APPS").description, "for all");
    let ChannelOverview { kind, figures, connection_name, .. } = figures_of(&bench, "TO.QM2");
    assert_eq!((kind, figures.inactive, figures.messages), ("SDR", 1, 0));
    assert_eq!(connection_name, "one(1500),two");
    bench.told("START CHANNEL(TO.QM2)");
    for round in 1..=2 {
        let run = dial(&bench);
        assert_eq!(figures_of(&bench, "TO.QM2").figures.changing, 1);
        run.update(|progress| {
            (progress.state, progress.partner) = (RunningState::Running, "QM2".to_owned());
            (progress.messages, progress.batches, progress.traffic.bytes_sent) = (5, 2, 700);
            progress.net_time.take(40);
        });
        let shown = figures_of(&bench, "TO.QM2");
        assert_eq!((shown.figures.running, shown.partner.as_str()), (1, "QM2"));
        assert_eq!((shown.figures.messages, shown.figures.net_micros.short), (5 * round, 40));
        run.end(failure("gone"));
        drop(run);
        let figures = figures_of(&bench, "TO.QM2").figures;
        assert_eq!((figures.retrying, figures.retries, figures.halted), (1, round, 0));
        assert_eq!(
            (figures.messages, figures.batches, figures.bytes_sent),
            (5 * round, 2 * round, 700 * round)
        );
        bench.told("START CHANNEL(TO.QM2)");
    }
    drop(dials(&bench));
    bench.told("STOP CHANNEL(TO.QM2)");
    let told = status(&bench, "TO.QM2");
    assert!(told.contains("STOPREQ(YES)") && !told.contains("LASTERR( )"), "a command stopped it: {told}");
    assert_eq!(figures_of(&bench, "TO.QM2").figures.halted, 0);
    in_doubt(&bench);
    let bench = restarted(bench);
    bench.pass(Duration::from_secs(400));
    let figures = figures_of(&bench, "TO.QM2").figures;
    assert_eq!((figures.stopped, figures.halted, figures.in_doubt), (1, 0, 2));
    assert!(figures.in_doubt_seconds >= 400, "{figures:?}");
    bench.told("RESOLVE CHANNEL(TO.QM2) ACTION(BACKOUT)");
    let figures = figures_of(&bench, "TO.QM2").figures;
    assert_eq!((figures.in_doubt, figures.in_doubt_seconds), (0, 0));
    bench.told("ALTER CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME('h')");
    bench.told("START CHANNEL(TO.QM2)");
    let run = dial(&bench);
    run.end(ChannelEnd::Halted { reason: Reason::CHANNEL_CONFIG_ERROR, text: "look".to_owned() });
    drop(run);
    let figures = figures_of(&bench, "TO.QM2").figures;
    assert_eq!((figures.stopped, figures.halted), (1, 1), "a fault stopped it");
    assert!(status(&bench, "TO.QM2").contains("STOPREQ(NO)"));

    let apps = "APPS".parse().unwrap();
    let instance =
        bench.manager.channels().begin_instance(apps, &client("tcp 10.0.0.9:1", "")).unwrap().unwrap();
    instance.tell(&ClientProgress { messages: 9, ..ClientProgress::default() });
    assert_eq!(figures_of(&bench, "APPS").figures.running, 1);
    drop(instance);
    let figures = figures_of(&bench, "APPS").figures;
    assert_eq!((figures.running, figures.inactive, figures.messages), (0, 1, 9));
    bench.mqsc("DELETE CHANNEL(APPS) DEFINE CHANNEL(APPS) CHLTYPE(SVRCONN)");
    assert_eq!(figures_of(&bench, "APPS").figures.messages, 0, "one that is made anew begins anew");
    bench.told("STOP CHANNEL(APPS)");
    assert_eq!(figures_of(&bench, "APPS").figures.stopped, 1);
}

#[test]
fn a_batch_that_is_filled_behind_one_in_doubt_counts_with_it() {
    let bench = bench();
    bench.mqsc(SENDER);
    in_doubt(&bench);
    let run = dial(&bench);
    let luwid = |batch| queue_manager::Luwid { line: 9, batch };
    run.update(|progress| {
        progress.state = RunningState::Running;
        (progress.partner, progress.partner_identifier) = ("QM2".to_owned(), "QM2_1".to_owned());
        (progress.last, progress.current) = (luwid(0), luwid(1));
        (progress.current_messages, progress.current_sequence) = (5, 7);
    });
    let told = status(&bench, "TO.QM2");
    for shown in ["INDOUBT(YES)", "CURMSGS(7)", "CURSEQNO(7)", "CURLUWID(0000000900000003)"] {
        assert!(told.contains(shown), "{shown}: {told}");
    }
}

#[test]
fn a_reset_begins_a_line_at_a_sender_and_asks_for_one_at_a_receiver() {
    let bench = bench();
    bench.mqsc(&format!("{SENDER} DEFINE CHANNEL(IN) CHLTYPE(RCVR)"));
    assert!(bench.told("RESET CHANNEL(TO.QM2)").contains("the number of its next message is 1"));
    assert!(bench.refused("RESET CHANNEL(TO.QM2) SEQNUM(7)").contains("FRY8478E"), "it has no state yet");
    let object = in_doubt(&bench);
    bench.told("RESOLVE CHANNEL(TO.QM2) ACTION(COMMIT)");
    assert!(bench.told("RESET CHANNEL(TO.QM2) SEQNUM(7)").contains("the number of its next message is 7"));
    let bench = restarted(bench);
    let state = bench.open(bench.manager.channels().states()).remove(0);
    assert_eq!(state.object, object);
    assert!(!state.sync.is_used && state.sync.line != Line(9));
    let before = state.sync.before.unwrap();
    assert_eq!((before.line, before.batch, before.chain, before.sequence), (Line(9), 2, 102, 2));
    assert_eq!(state.confirmed.map(|last| (last.batch, last.sequence)), Some((0, 6)));
    // Of a line that was not used only the number changes: what went before is still what was.
    let line = state.sync.line;
    assert!(bench.told("RESET CHANNEL(TO.QM2)").contains("the number of its next message is 1"));
    let state = bench.open(bench.manager.channels().states()).remove(0);
    assert_eq!((state.sync.before, state.sync.line), (Some(before), line));
    assert_eq!(state.confirmed.map(|last| (last.batch, last.sequence)), Some((0, 0)));
    // One that a stop named is given up, and the partner hears of that.
    let stopped = SyncObject { stopped_at: Some(line), ..state.sync.clone() };
    bench.open(bench.manager.channels().define_state(Some((object, &state.sync)), stopped)).unwrap();
    bench.told("RESET CHANNEL(TO.QM2)");
    let state = bench.open(bench.manager.channels().states()).remove(0);
    assert!(state.sync.wants_reset && state.sync.line != line && state.sync.stopped_at == Some(line));
    assert_eq!(state.sync.before, Some(before));

    bench.open(bench.manager.channels().define_state(None, sync(4, Direction::Receives))).unwrap();
    assert!(bench.refused("RESET CHANNEL(IN) SEQNUM(7)").contains("give SEQNUM there"));
    assert!(bench.told("RESET CHANNEL(IN)").contains("the number of its next message is 1"));
    let bench = restarted(bench);
    let states = bench.open(bench.manager.channels().states());
    let received = states.iter().find(|state| state.sync.direction == Direction::Receives).unwrap();
    assert!(received.sync.wants_reset && received.sync.line == Line(4));
}

/// The reasons and qualifiers of the channel events that were told.
fn events(bench: &Bench) -> Vec<(i32, Option<i32>)> {
    let _ = dials(bench);
    let mut one = bench.connect();
    let queue = one.open("SYSTEM.ADMIN.CHANNEL.EVENT", INPUT);
    let mut told = Vec::new();
    let options = mqi::GetOptions::with(mqi::GetFlags::NO_SYNCPOINT, mqi::Wait::No);
    while let Ok(got) = one.get_with(queue, &MessageDescriptor::default(), &options, 1 << 20) {
        let message = Message::decode(&got.body, ByteOrder::NATIVE).unwrap();
        let names = |content: &Content| matches!(content, Content::Text(text) if text.trim() == "TO.QM2");
        assert!(message.parameters.iter().any(|parameter| names(&parameter.content)), "{message:?}");
        let qualifier = message.parameters.iter().find_map(|parameter| match parameter.content {
            Content::Integer(value) if parameter.identifier == MQIACF_REASON_QUALIFIER => Some(value),
            _ => None,
        });
        told.push((message.header.reason, qualifier));
    }
    told
}

#[test]
fn events_tell_of_the_life_of_a_channel_as_far_as_they_are_asked_for() {
    use mqi::constants::*;
    for (wanted, of_all) in [("ENABLED", true), ("EXCEPTION", false), ("DISABLED", false)] {
        let bench = bench();
        bench.mqsc(SENDER);
        bench.told(&format!("ALTER QMGR CHLEV({wanted})"));
        bench.told("START CHANNEL(TO.QM2)");
        let run = dial(&bench);
        run.update(|progress| progress.state = RunningState::Running);
        run.end(failure("x"));
        drop(run);
        let mut expected = vec![
            (MQRC_CHANNEL_ACTIVATED, None),
            (MQRC_CHANNEL_STARTED, None),
            (MQRC_CHANNEL_STOPPED, Some(MQRQ_CHANNEL_STOPPED_RETRY)),
        ];
        if !of_all {
            expected.retain(|(reason, _)| wanted == "EXCEPTION" && *reason == MQRC_CHANNEL_STOPPED);
        }
        assert_eq!(events(&bench), expected, "{wanted}");
        bench.told("STOP CHANNEL(TO.QM2)");
        let stopped = (MQRC_CHANNEL_STOPPED_BY_USER, Some(MQRQ_CHANNEL_STOPPED_DISABLED));
        assert_eq!(events(&bench), if of_all { vec![stopped] } else { Vec::new() }, "{wanted}");
        bench.told("START CHANNEL(TO.QM2)");
        bench.told("ALTER CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME('h(0)')");
        let not_activated = vec![(MQRC_CHANNEL_NOT_ACTIVATED, None)];
        let expected = if wanted == "DISABLED" { Vec::new() } else { not_activated };
        assert_eq!(events(&bench), expected, "{wanted}");
    }
}

#[test]
fn a_connection_of_a_channel_is_not_one_of_the_programs_and_acts_as_its_user() {
    let bench = bench();
    bench.mqsc(&format!(
        "{SENDER} DEFINE CHANNEL(IN) CHLTYPE(RCVR) MCAUSER('clerk') DEFINE CHANNEL(ANY) CHLTYPE(RCVR)"
    ));
    let outcomes = Arc::new(Outcomes::default());
    let connect = |run: &ChannelRun, generation| {
        let connected = bench.manager.channels().connect(run, ([7; 16], generation), None, outcomes.clone());
        bench.open(connected)
    };
    let run = bench.manager.channels().accept(&call("IN", true)).unwrap();
    let one = connect(&run, 5).unwrap();
    let told = bench.told("DISPLAY CONN(*) ALL");
    assert!(told.contains("CHANNEL(IN)") && told.contains("USERID(clerk)"), "{told}");
    // A newer connection of the same partner ends the older one first; an older one is refused.
    let newer = bench.manager.channels().accept(&call("IN", true)).unwrap();
    let two = connect(&newer, 6).unwrap();
    assert!(one.has_ended() && !two.has_ended());
    assert_eq!(connect(&run, 5).unwrap_err(), Reason::CONNECTION_BROKEN);
    drop((two, one, run, newer));
    let before = bench.manager.channels().next_generation();
    assert!(bench.manager.channels().next_generation() > before);
    let identifier = bench.manager.identifier();
    assert!(identifier.starts_with("TEST"));
    drop(outcomes);
    let bench = restarted(bench);
    assert!(bench.manager.channels().next_generation() > before + 1_000, "a later start has higher ones");
    assert_eq!(bench.manager.identifier(), identifier);
}

/// Pings that are given up at any moment: not dialled for, dialled and not answered, ended too late.
#[test]
fn pings_that_are_given_up_leave_their_places_to_others() {
    let bench = bench();
    for number in 0..40 {
        bench.mqsc(&format!(
            "DEFINE QLOCAL(X{number}) USAGE(XMITQ) \
             DEFINE CHANNEL(TO.{number}) CHLTYPE(SDR) CONNAME('one') XMITQ(X{number})"
        ));
    }
    let given_up = |number: usize| {
        let told = bench.refused(&format!("PING CHANNEL(TO.{number})"));
        assert!(told.contains("the host of these tests does not do it"), "{number}: {told}");
    };
    for number in 0..40 {
        given_up(number);
    }
    assert!(dials(&bench).is_empty(), "nobody waits for them");
    let dialled = Arc::new(Mutex::new(Vec::new()));
    for number in 0..40 {
        let (manager, dialled) = (bench.manager.clone(), Arc::clone(&dialled));
        bench.host.while_judged(A_PING, 0, move || {
            for dial in manager.channels().dials().dials {
                match number % 2 {
                    0 => dial.run.end(failure("no answer")),
                    _ => dialled.lock().push(dial.run),
                }
            }
        });
        given_up(number);
    }
    assert_eq!(dialled.lock().len(), 20);
    dialled.lock().clear();
    // Each of them has its place again.
    for number in 0..40 {
        given_up(number);
    }
}

/// A ping has the place of a channel for a moment.
#[test]
fn a_ping_leaves_the_tries_and_the_fault_of_its_channel() {
    let bench = bench();
    bench.mqsc(&format!("{SENDER} DEFINE CHANNEL(ASK) CHLTYPE(RQSTR) CONNAME('one')"));
    let fails = |channel: &str, end: ChannelEnd| {
        bench.told(&format!("START CHANNEL({channel})"));
        let run = dial(&bench);
        run.update(|progress| {
            (progress.partner, progress.partner_identifier) = ("QM2".to_owned(), "QM2_1".to_owned());
        });
        run.end(end);
        drop(run);
    };
    let pings = |channel: &str| bench.refused(&format!("PING CHANNEL({channel})"));
    for _ in 0..7 {
        fails("TO.QM2", failure("nobody answers"));
        bench.machine.clock.advance(Duration::from_secs(70));
        let due = dial(&bench);
        due.end(failure("nobody answers"));
        drop(due);
        let before = status(&bench, "TO.QM2");
        pings("TO.QM2");
        assert_eq!(status(&bench, "TO.QM2"), before);
    }
    let halted = ChannelEnd::Halted { reason: Reason::CHANNEL_NOT_AVAILABLE, text: "lines differ".into() };
    fails("TO.QM2", halted.clone());
    fails("ASK", halted);
    for channel in ["TO.QM2", "ASK"] {
        let before = status(&bench, channel);
        assert!(before.contains("STATUS(STOPPED)") && before.contains("STOPREQ(NO)"), "{before}");
        pings(channel);
        assert_eq!(status(&bench, channel), before);
    }
    // Only the partner of the fault is refused still.
    drop(bench.manager.channels().accept(&call_of("ASK", "QM3", "QM3_1")).unwrap());
    let refused = bench.manager.channels().accept(&call_of("ASK", "QM2", "QM2_1")).unwrap_err();
    assert!(matches!(refused, CallRefusal::Stopped(_)), "{refused}");
}

#[test]
fn a_trigger_that_names_a_channel_which_is_called_stops_it_for_nobody() {
    let bench = bench();
    bench.mqsc(
        "DEFINE CHANNEL(IN) CHLTYPE(RCVR) DEFINE CHANNEL(GIVE) CHLTYPE(SVR) XMITQ(QM3) \
         DEFINE QLOCAL(QM3) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ) TRIGDATA(GIVE) \
         DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ) TRIGDATA(IN) \
         DEFINE QREMOTE(R) RNAME(THERE) RQMNAME(QM2) DEFINE QREMOTE(S) RNAME(THERE) RQMNAME(QM3)",
    );
    let mut one = bench.connect();
    for remote in ["R", "S"] {
        let remote = one.open(remote, OUTPUT);
        one.put(remote, true, "x");
    }
    for _ in 0..3 {
        assert!(dials(&bench).is_empty());
        bench.machine.clock.advance(Duration::from_secs(11));
    }
    for (channel, sends) in [("IN", true), ("GIVE", false)] {
        assert!(status(&bench, channel).contains("FRY8155I"), "{}", status(&bench, channel));
        drop(bench.manager.channels().accept(&call(channel, sends)).unwrap());
    }
    // One that was to call again, and has no address any more, waits for its partner.
    bench.mqsc("ALTER CHANNEL(GIVE) CHLTYPE(SVR) CONNAME('one')");
    bench.told("START CHANNEL(GIVE)");
    bench.mqsc("ALTER CHANNEL(GIVE) CHLTYPE(SVR) CONNAME(' ')");
    assert!(dials(&bench).is_empty());
    drop(bench.manager.channels().accept(&call("GIVE", false)).unwrap());
}

#[test]
fn a_channel_that_ends_by_a_stop_is_started_once_it_has_ended() {
    let bench = bench();
    bench.mqsc(SENDER);
    bench.told("START CHANNEL(TO.QM2)");
    let run = dial(&bench);
    bench.told("STOP CHANNEL(TO.QM2)");
    assert!(bench.refused("START CHANNEL(TO.QM2)").contains("FRY8471E"), "it has not ended");
    run.end(ChannelEnd::Stopped);
    drop(run);
    let bench = restarted(bench);
    let told = status(&bench, "TO.QM2");
    assert!(told.contains("STATUS(STOPPED)"), "the start that was refused is forgotten: {told}");
    bench.told("START CHANNEL(TO.QM2)");
    drop(dial(&bench));
}

/// A requester whose machine lost its power calls again before the channel has noticed.
#[test]
fn a_requester_that_comes_again_takes_the_place_of_its_older_connection() {
    let bench = bench();
    bench.mqsc("DEFINE QLOCAL(QM2) USAGE(XMITQ) DEFINE CHANNEL(GIVE) CHLTYPE(SVR) XMITQ(QM2)");
    let asks = |partner: &'static str, identifier: &'static str| {
        let call = ChannelCall { sends: false, ..call_of("GIVE", partner, identifier) };
        bench.manager.channels().accept(&call)
    };
    let older = asks("QM2", "QM2_1").unwrap();
    let newer = asks("QM2", "QM2_1").unwrap();
    for refused in [asks("QM3", "QM3_1"), asks("QM2", "QM2_2")] {
        assert!(matches!(refused.unwrap_err(), CallRefusal::Runs(_)), "it has one partner at a time");
    }
    bench.manager.channels().set_ways(ChannelWays { adopts_partners: false, ..ChannelWays::default() });
    assert!(matches!(asks("QM2", "QM2_1").unwrap_err(), CallRefusal::Runs(_)));
    drop((older, newer));
    // It calls itself: nobody takes that place.
    bench.mqsc("ALTER CHANNEL(GIVE) CHLTYPE(SVR) CONNAME('one')");
    bench.manager.channels().set_ways(ChannelWays::default());
    bench.told("START CHANNEL(GIVE)");
    let run = dial(&bench);
    run.update(|progress| progress.partner_identifier = "QM2_1".to_owned());
    assert!(matches!(asks("QM2", "QM2_1").unwrap_err(), CallRefusal::Runs(_)));
}

/// A channel that sends has one connection: the one that its requester opened, or its own.
#[test]
fn a_server_channel_calls_nobody_while_its_requester_is_connected() {
    let bench = bench();
    bench.mqsc(
        "DEFINE QLOCAL(QM2) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ) \
         DEFINE QREMOTE(R) RNAME(THERE) RQMNAME(QM2) \
         DEFINE CHANNEL(GIVE) CHLTYPE(SVR) XMITQ(QM2) CONNAME('one')",
    );
    let asks = || {
        let call = ChannelCall { sends: false, ..call_of("GIVE", "QM2", "QM2_1") };
        bench.manager.channels().accept(&call).unwrap()
    };
    let run = asks();
    assert!(bench.refused("START CHANNEL(GIVE)").contains("FRY8471E"));
    put(&bench);
    assert!(dials(&bench).is_empty(), "a message is no reason to call");
    drop(run);
    bench.machine.clock.advance(Duration::from_secs(11));
    drop(dial(&bench));
    bench.told("STOP CHANNEL(GIVE)");
    // Its requester comes between the start and the call.
    bench.told("START CHANNEL(GIVE)");
    let run = asks();
    assert!(dials(&bench).is_empty());
    // A start behind a stop waits for the end of the connection.
    bench.told("STOP CHANNEL(GIVE)");
    assert_eq!(run.asked(), Some(ChannelAsk::Quiesce));
    bench.told("START CHANNEL(GIVE)");
    bench.machine.clock.advance(Duration::from_secs(2));
    assert!(dials(&bench).is_empty(), "it has not ended");
    run.end(ChannelEnd::Stopped);
    drop(run);
    bench.machine.clock.advance(Duration::from_secs(2));
    drop(dial(&bench));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "partners call on threads of their own")]
fn partners_that_call_at_once_share_the_channel_that_is_made_for_them() {
    let bench = bench();
    bench.mqsc("ALTER QMGR CHAD(ENABLED) CHADEV(ENABLED)");
    // As many as may be made so.
    const ROUNDS: usize = 100;
    for round in 0..ROUNDS {
        let channel = format!("FROM.{round}");
        let both = Barrier::new(2);
        let calls = |partner: &'static str, identifier: &'static str| {
            both.wait();
            bench.manager.channels().accept(&call_of(&channel, partner, identifier))
        };
        std::thread::scope(|threads| {
            let one = threads.spawn(|| calls("QM2", "QM2_1").map(drop));
            let other = calls("QM3", "QM3_1").map(drop);
            assert_eq!((one.join().unwrap(), other), (Ok(()), Ok(())), "{channel}");
        });
        let told = bench.told(&format!("DISPLAY CHANNEL({channel}) CHLTYPE"));
        assert_eq!(told.matches("CHLTYPE(RCVR)").count(), 1, "{told}");
    }
    drop(dials(&bench));
    let told = bench.told("DISPLAY QLOCAL(SYSTEM.ADMIN.CHANNEL.EVENT) CURDEPTH");
    assert!(told.contains(&format!("CURDEPTH({ROUNDS})")), "one event of each channel: {told}");
}

/// It holds for this start, and its answer says that it ends with it.
#[test]
fn a_stop_that_a_full_log_does_not_keep_says_so_and_holds_until_the_restart() {
    let small = storage::Settings { primary_extents: 2, secondary_extents: 0, ..settings().storage };
    let bench = Bench::with(queue_manager::Settings { storage: small, ..settings() }, 1);
    bench.host.runs_channels.store(true, Ordering::Relaxed);
    bench.mqsc(&format!("{SENDER} DEFINE QLOCAL(Q) DEFINE CHANNEL(IN) CHLTYPE(RCVR)"));
    fill_log(&bench);
    for channel in ["TO.QM2", "IN"] {
        let told = bench.told(&format!("STOP CHANNEL({channel})"));
        assert!(told.contains("FRY8019I") && told.contains("FRY8093W"), "{told}");
        assert!(status(&bench, channel).contains("STATUS(STOPPED)"));
    }
    assert!(matches!(bench.manager.channels().accept(&call("IN", true)), Err(CallRefusal::Stopped(_))));
    // With room the same command keeps it.
    for _ in 0..10 {
        bench.machine.clock.advance(Duration::from_secs(86_400));
        bench.manager.tick();
        bench.run_jobs();
        bench.manager.drive();
    }
    let told = bench.told("STOP CHANNEL(IN)");
    assert!(told.contains("FRY8019I") && !told.contains("FRY8093W"), "{told}");
    let bench = restarted(bench);
    assert!(status(&bench, "IN").contains("STATUS(STOPPED)"));
    assert!(status(&bench, "TO.QM2").contains("FRY8155I"), "what the log has not is not kept");
}

/// A partner that proved the certificate of a bearer, of which each has a serial number of its own.
fn proved(bearer: &str, serial: &[u8]) -> Encryption {
    let mut subject = Name::new();
    subject.add_attribute(AttributeType::CommonName, bearer);
    subject.add_serial_number(serial);
    let certificate = Some(Names { subject, issuer: Name::new() });
    Encryption::Covered { suite: 0x1302, certificate, shown: Arc::default(), channel: "".into() }
}

/// The QMID of a partner is what it says; its certificate is proved.
#[test]
fn a_line_that_began_with_a_certificate_is_for_its_bearer_alone() {
    let mut bench = bench();
    bench.mqsc("DEFINE CHANNEL(IN) CHLTYPE(RCVR) SSLCIPH(ANY_TLS13) SSLCAUTH(OPTIONAL)");
    let clear = Encryption::Clear { is_cover_required: false };
    let nobody =
        Encryption::Covered { suite: 0x1302, certificate: None, shown: Arc::default(), channel: "".into() };
    let accept = |bench: &Bench, partner: &str, address: &str, encryption: &Encryption| {
        let call = call_of("IN", partner, "QM2_1");
        bench.manager.channels().accept(&ChannelCall { address, encryption, ..call })
    };
    let (own, other) = (proved("bearer of QM2", &[1]), proved("another", &[1]));
    // A line without one goes on with any.
    let object = bench.manager.channels().define_state(None, sync(1, Direction::Receives));
    let object = bench.open(object).unwrap();
    for encryption in [&own, &other, &nobody] {
        drop(accept(&bench, "QM2", "tcp 10.0.0.7:1", encryption).unwrap());
    }
    let certificate = queue_manager::certificate_name(&own);
    assert_eq!(certificate, "CN=bearer of QM2");
    let with = SyncObject { certificate, ..sync(1, Direction::Receives) };
    bench
        .open(bench.manager.channels().define_state(Some((object, &sync(1, Direction::Receives))), with))
        .unwrap();
    bench = restarted(bench);
    let run = accept(&bench, "QM2", "tcp 10.0.0.7:1", &own).unwrap();
    for (partner, encryption) in
        [("QM2", &other), ("QM2", &nobody), ("OTHER", &other), ("QM2", &proved("bearer of QM2 ", &[1]))]
    {
        for port in 1..5 {
            let refused = accept(&bench, partner, &format!("tcp 10.0.0.8:{port}"), encryption).unwrap_err();
            assert_eq!(refused.reason(), Reason::SSL_PEER_NAME_MISMATCH, "{partner}");
            let (text, told) = (refused.to_string(), refused.told());
            assert!(text.contains("CN=bearer of QM2") && text.contains("RESET CHANNEL(IN)"), "{text}");
            assert!(!told.contains("CN=bearer of QM2,") && !told.contains("of CN=bearer of QM2 "), "{told}");
        }
    }
    assert!(matches!(accept(&bench, "QM2", "tcp 10.0.0.8:1", &clear).unwrap_err(), CallRefusal::Cover(_)));
    assert_eq!(run.asked(), None, "its connection goes on, and the channel is closed to nobody");
    // The next certificate of the bearer; another QMID is another line.
    let again = accept(&bench, "QM2", "tcp 10.0.0.7:2", &proved("bearer of QM2", &[2])).unwrap();
    drop((run, again));
    let call = ChannelCall { encryption: &other, ..call_of("IN", "QM2", "QM2_2") };
    drop(bench.manager.channels().accept(&call).unwrap());
    // A person begins a new line, with the certificate that comes next.
    assert!(bench.told("RESET CHANNEL(IN)").contains("FRY"), "it is done");
    drop(accept(&bench, "QM2", "tcp 10.0.0.8:1", &other).unwrap());
}
