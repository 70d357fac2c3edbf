//! The language: what is read, and what is refused with which words.

use bytes::Bytes;
use mqi::{Persistence, Reason, Wait};

use super::{Call, StepKind, parse};

#[test]
fn a_scenario_reads_as_its_steps() {
    let text = "# Title\n\n## A waiting getter\n\nProse.\n\n```mqsc\nDEFINE QLOCAL(ORDERS)\nDELETE QLOCAL(NONE)\n-> FRY8147E\n```\n\n\
        ```mqi\none: get ORDERS wait 5s\ntwo: put ORDERS \"first\" persistent priority 3\none: -> \"first\" priority 3 backout 0\n\
        clock: +2s\nmanager: crash\none: inquire ORDERS depth\none: -> 0\none: get ORDERS\none: -> 2033\n```\n";
    let scenarios = parse(text).expect("a scenario");
    assert_eq!(scenarios.len(), 1);
    assert_eq!(scenarios[0].title, "A waiting getter");
    let steps: Vec<_> = scenarios[0].steps.iter().map(|step| &step.kind).collect();
    assert_eq!(steps.len(), 11);
    assert!(matches!(steps[1], StepKind::Command { answer: Some(answer), .. } if answer == "FRY8147E"));
    match steps[2] {
        StepKind::Call { client, call } => {
            assert_eq!(client, "one");
            assert!(matches!(&**call, Call::Get { options, .. } if options.wait == Wait::Milliseconds(5000)));
        }
        other => panic!("not a call: {other:?}"),
    }
    assert!(matches!(steps[3], StepKind::Call { call, .. }
        if matches!(&**call, Call::Put { descriptor, body, .. }
            if descriptor.persistence == Persistence::Persistent && body == &Bytes::from_static(b"first"))));
    assert!(matches!(steps[4], StepKind::Expect { expected, .. } if expected.priority == Some(3)));
    assert!(
        matches!(steps[8], StepKind::Expect { expected, .. } if expected.value == Some(mqi::AttributeValue::Integer(0)))
    );
    assert!(
        matches!(steps[10], StepKind::Expect { expected, .. } if expected.reason == Some(Reason::NO_MSG_AVAILABLE))
    );
}

#[test]
fn what_is_not_a_step_is_refused_by_line_and_reason() {
    for (step, reason) in [
        ("one get Q", "who and a colon"),
        ("one: fetch Q", "no such verb: fetch"),
        ("one: put Q text", "not a body: text"),
        ("one: put Q \"open", "not closed"),
        ("one: get Q wait long", "not a duration"),
        ("one: -> 99999", "no such reason"),
        ("manager: dies", "restarts or crashes"),
    ] {
        let error = parse(&format!("## T\n```mqi\n{step}\n```\n")).expect_err(step);
        assert_eq!(error.line, 3, "{step}");
        assert!(error.reason.contains(reason), "{step}: {}", error.reason);
    }
}
