//! S12: limits, each met exactly and exceeded by one.
//!
//! At the limit all is done; one more has the reason that its call has for that, and nothing else.

use std::path::Path;

use client::{Connection, Options};
use mqi::{
    MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, PutFlags, PutOptions, Reason, Verbs as _,
};

use super::super::installation::Broken;
use super::super::{Outcome, Size};
use super::of_cases;
use super::secured::{QUEUE, Secured};

const INSTANCES: usize = 3;
const HANDLES: usize = 10;
const UNIT_MESSAGES: usize = 20;
const DEPTH: usize = 5;
const SELECTOR_DEPTH: usize = 64;
const TOPIC_BYTES: usize = 10_240;
const SHORT: &str = "BOUND.Q";
const CHANNEL: &str = "BOUNDS";

/// Meets each limit, once a case.
#[must_use]
pub fn at_the_limit(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    of_cases("limits", folder, size, |place, outcome| run(ferry, place, outcome))
}

fn run(ferry: &Path, place: &Path, outcome: &mut Outcome) -> Result<(), Broken> {
    let mut secured = Secured::start(ferry, place, "", |_| Ok(()))?;
    secured.let_in(CHANNEL, "bound")?;
    secured.tell_all(&[
        &format!("DEFINE QLOCAL({SHORT}) MAXDEPTH({DEPTH})"),
        &format!("SET AUTHREC PROFILE({SHORT}) OBJTYPE(QUEUE) PRINCIPAL('bound') AUTHADD(PUT)"),
        "SET AUTHREC PROFILE('SYSTEM.BASE.TOPIC') OBJTYPE(TOPIC) PRINCIPAL('bound') AUTHADD(PUB)",
        &format!("ALTER QMGR MAXHANDS({HANDLES}) MAXUMSGS({UNIT_MESSAGES})"),
    ])?;
    let options = secured.options(CHANNEL);
    for (attribute, other) in [("MAXINST", "MAXINSTC"), ("MAXINSTC", "MAXINST")] {
        secured.tell(&format!(
            "ALTER CHANNEL({CHANNEL}) CHLTYPE(SVRCONN) {attribute}({INSTANCES}) {other}(999999999)"
        ))?;
        let name = format!("{attribute}({INSTANCES})");
        outcome.case(&name, exceeds(INSTANCES, Reason::CHANNEL_NOT_AVAILABLE, instances(&options)));
    }
    secured
        .tell(&format!("ALTER CHANNEL({CHANNEL}) CHLTYPE(SVRCONN) MAXINST(999999999) MAXINSTC(999999999)"))?;
    let mut one = Connection::connect(options).map_err(|error| error.to_string())?;
    let mut open = Vec::new();
    let opened = |_| {
        open.push(open_for_output(&mut one, QUEUE)?);
        Ok(())
    };
    outcome.case("MAXHANDS", exceeds(HANDLES, Reason::HANDLE_NOT_AVAILABLE, opened));
    for handle in open {
        one.close(handle, mqi::CloseOptions::default()).map_err(|reason| reason.to_string())?;
    }
    let handle = open_for_output(&mut one, QUEUE).map_err(|reason| reason.to_string())?;
    let put = |_| put(&mut one, handle, PutFlags::SYNCPOINT);
    outcome.case("MAXUMSGS", exceeds(UNIT_MESSAGES, Reason::SYNCPOINT_LIMIT_REACHED, put));
    one.back().map_err(|reason| reason.to_string())?;
    let short = open_for_output(&mut one, SHORT).map_err(|reason| reason.to_string())?;
    let put = |_| self::put(&mut one, short, PutFlags::NO_SYNCPOINT);
    outcome.case("MAXDEPTH", exceeds(DEPTH, Reason::Q_FULL, put));
    for (depth, expected) in
        [(SELECTOR_DEPTH, None), (SELECTOR_DEPTH + 1, Some(Reason::SELECTOR_SYNTAX_ERROR))]
    {
        let mut queue = ObjectDescriptor::queue(QUEUE.parse().expect("a name"));
        queue.selection_string = format!("{}a = 1{}", "(".repeat(depth), ")".repeat(depth));
        let told = one.open(&queue, OpenOptions::INPUT_SHARED).map(drop).err();
        outcome.case(&format!("a selector {depth} deep"), is(told, expected));
    }
    for (bytes, expected) in [(TOPIC_BYTES, None), (TOPIC_BYTES + 1, Some(Reason::TOPIC_STRING_ERROR))] {
        let topic = ObjectDescriptor::topic("t".repeat(bytes));
        let told = one.open(&topic, OpenOptions::OUTPUT).map(drop).err();
        outcome.case(&format!("a topic of {bytes} bytes"), is(told, expected));
    }
    let lives = if secured.server.lives() { Ok(()) } else { Err("it ended".to_owned()) };
    outcome.case("the queue manager", lives);
    secured.end();
    Ok(())
}

fn is(told: Option<Reason>, expected: Option<Reason>) -> Result<(), Broken> {
    if told == expected { Ok(()) } else { Err(format!("{told:?} in place of {expected:?}")) }
}

/// Connects once more each time, and keeps the connections.
fn instances(options: &Options) -> impl FnMut(usize) -> Result<(), Reason> {
    let mut connections = Vec::new();
    let options = options.clone();
    move |_| {
        let connected = Connection::connect(options.clone()).map_err(|error| error.reason())?;
        connections.push(connected);
        Ok(())
    }
}

/// The call succeeds as often as the limit says, and fails for this reason then.
fn exceeds(
    limit: usize,
    reason: Reason,
    mut call: impl FnMut(usize) -> Result<(), Reason>,
) -> Result<(), Broken> {
    for number in 1..=limit {
        call(number).map_err(|told| format!("number {number} of {limit} is told {told}"))?;
    }
    is(call(limit + 1).err(), Some(reason))
}

fn open_for_output(one: &mut Connection, queue: &str) -> Result<ObjectHandle, Reason> {
    let queue = ObjectDescriptor::queue(queue.parse().expect("a name"));
    Ok(one.open(&queue, OpenOptions::OUTPUT)?.handle)
}

fn put(one: &mut Connection, handle: ObjectHandle, flags: PutFlags) -> Result<(), Reason> {
    one.put(handle, &mut MessageDescriptor::default(), &mut PutOptions::with(flags), "x".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_comes_too_early_too_late_or_with_another_reason_is_found() {
        let at = |most: usize, reason: Reason| {
            move |number: usize| if number <= most { Ok(()) } else { Err(reason) }
        };
        exceeds(3, Reason::Q_FULL, at(3, Reason::Q_FULL)).unwrap();
        for (most, reason) in [(2, Reason::Q_FULL), (4, Reason::Q_FULL), (3, Reason::NOT_AUTHORIZED)] {
            assert!(exceeds(3, Reason::Q_FULL, at(most, reason)).is_err(), "{most} {reason}");
        }
    }
}
