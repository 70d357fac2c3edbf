//! The coverage of the interface by scenarios: every reason that a verb gives, and every option once taken
//! and once refused.
//!
//! Lives here: counting over the steps of the scenarios, which `scenarios` runs. Lives elsewhere: which
//! reasons and options there are, and which of them nothing gives or takes yet (`crates/mqi/facts`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use mqi::Reason;
use scenario::random::{WARNINGS, passed};
use scenario::{Expected, Scenario, Step, StepKind, read_folder};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn scenarios() -> Vec<(String, Scenario)> {
    read_folder(&root().join("scenarios")).expect("the scenarios")
}

/// The lines of a table of facts, cut at the bars.
fn rows(file: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join("crates/mqi/facts").join(file)).expect("the table");
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split('|').map(|part| part.trim().to_owned()).collect()).collect()
}

/// Returns the result that the scenario expects of a step's call; none for one that must go well.
fn outcome<'a>(steps: &'a [Step], at: usize, caller: &str) -> Option<&'a Expected> {
    for step in &steps[at + 1..] {
        match &step.kind {
            StepKind::Expect { client, expected } if client == caller && !expected.waiting => {
                return Some(expected);
            }
            StepKind::Call { client, .. } if client == caller => return None,
            _ => {}
        }
    }
    None
}

#[test]
fn every_reason_that_a_verb_gives_is_provoked() {
    let provoked: BTreeSet<Reason> = scenarios()
        .iter()
        .flat_map(|(_, scenario)| &scenario.steps)
        .filter_map(|step| match &step.kind {
            StepKind::Expect { expected, .. } => expected.reason,
            _ => None,
        })
        .collect();
    let mut faults = Vec::new();
    let mut given = 0;
    for row in rows("reason_marks.txt") {
        let reason = Reason::by_name(&row[0]).expect("a reason code");
        let is_provoked = provoked.contains(&reason) && reason.name() == format!("MQRC_{}", row[0]);
        match (row[1].as_str(), row.len()) {
            ("given", 2) if !is_provoked => {
                faults.push(format!(
                    "{} is given, and no scenario provokes it; write one or name a test",
                    row[0]
                ));
            }
            ("given", _) => given += 1,
            (mark, _) if is_provoked => {
                faults.push(format!("{} is marked \"{mark}\", and a scenario provokes it", row[0]));
            }
            _ => {}
        }
    }
    println!("{given} reasons are given, {} of them in scenarios", provoked.len());
    assert!(faults.is_empty(), "in crates/mqi/facts/reason_marks.txt:\n{}", faults.join("\n"));
    assert!(given >= 150, "only {given} reasons are given");
}

/// The sets of options whose members scenarios show, and those that only tests can.
const SETS: [&str; 23] = [
    "MQSO", "MQSRO", "MQOO", "MQCO", "MQPMO", "MQRO", "MQMF", "MQGMO", "MQMO", "MQCMHO", "MQSMPO", "MQIMPO",
    "MQDMPO", "MQBMHO", "MQMHBO", "MQCBDO", "MQCTLO", "MQDCC", "MQCNO", "MQOP", "MQPD", "MQCOPY", "MQACTP",
];

/// Reasons that tell of the queue, whatever was asked for.
const OF_THE_QUEUE: [Reason; 3] = [Reason::NO_MSG_AVAILABLE, Reason::Q_FULL, Reason::NO_MSG_UNDER_CURSOR];

/// The options of the sets: names and bits. One of no bits is the absence of the others.
fn options() -> Vec<(String, i32)> {
    let text = fs::read_to_string(root().join("crates/mqi/facts/mqi_constants.csv")).expect("the constants");
    let mut found = Vec::new();
    for line in text.lines() {
        let mut fields = line.split(',');
        let (Some(name), Some(value)) = (fields.next(), fields.next()) else { continue };
        let Some((set, rest)) = name.split_once('_') else { continue };
        let is_about_the_structure = rest == "STRUC_ID"
            || ["VERSION", "LENGTH", "MASK", "FACTOR"]
                .iter()
                .any(|word| rest.split('_').any(|part| part == *word))
                && rest != "QUERY_LENGTH";
        match value.parse() {
            Ok(bits) if bits != 0 && SETS.contains(&set) && !is_about_the_structure => {
                found.push((name.to_owned(), bits));
            }
            _ => {}
        }
    }
    found
}

/// Scenarios with an option, by its set and its bits: one in which a call with it is done, and one in which
/// it is refused.
#[derive(Default)]
struct Shown {
    done: Option<String>,
    refused: Option<String>,
}

fn shown(options: &[(String, i32)]) -> BTreeMap<String, Shown> {
    let mut shown: BTreeMap<String, Shown> = BTreeMap::new();
    for (file, scenario) in &scenarios() {
        for (at, step) in scenario.steps.iter().enumerate() {
            let StepKind::Call { client, call } = &step.kind else { continue };
            let outcome = outcome(&scenario.steps, at, client);
            let reason =
                outcome.filter(|expected| expected.body.is_none()).and_then(|expected| expected.reason);
            for (set, used) in passed(call).1 {
                // Of actions one is given.
                let is_given = |bits: i32| if set == "MQACTP_" { used == bits } else { used & bits == bits };
                for (name, _) in
                    options.iter().filter(|(name, bits)| name.starts_with(set) && is_given(*bits))
                {
                    let shown = shown.entry(name.clone()).or_default();
                    let place = match reason {
                        None => &mut shown.done,
                        Some(reason) if WARNINGS.contains(&reason) || OF_THE_QUEUE.contains(&reason) => {
                            continue;
                        }
                        Some(_) => &mut shown.refused,
                    };
                    place.get_or_insert_with(|| format!("{file}, \"{}\"", scenario.title));
                }
            }
        }
    }
    shown
}

#[test]
fn every_option_is_taken_in_one_scenario_and_refused_in_another() {
    let options = options();
    let shown = shown(&options);
    let marks: BTreeMap<String, Vec<String>> =
        rows("option_marks.txt").into_iter().map(|row| (row[0].clone(), row[1..].to_vec())).collect();
    let mut faults = Vec::new();
    for name in marks.keys().filter(|name| options.iter().all(|(option, _)| option != *name)) {
        faults.push(format!("{name} is no option"));
    }
    for (name, bits) in &options {
        let Shown { done, refused } =
            shown.get(name).map_or(&Shown { done: None, refused: None }, |shown| shown);
        let mark = marks.get(name).map(|mark| mark.iter().map(String::as_str).collect::<Vec<_>>());
        println!(
            "{name} {bits:#x}: {done:?}, refused in {refused:?} {}",
            mark.iter().flatten().copied().collect::<String>()
        );
        match mark.as_deref() {
            None => {
                if done.is_none() {
                    faults.push(format!("{name}: no scenario in which a call with it is done"));
                }
                if refused.is_none() {
                    faults.push(format!("{name}: no scenario in which a call with it is refused"));
                }
            }
            Some(["refused", why]) => {
                if refused.is_none() {
                    faults.push(format!("{name}: no scenario in which it is refused ({why})"));
                }
                if let Some(done) = done {
                    faults.push(format!("{name} is marked as refused, and a call with it is done in {done}"));
                }
            }
            Some(["refused", _, test]) => {
                if !is_test(test) {
                    faults.push(format!("{name}: no test {test}"));
                }
            }
            Some(["tests", tests @ ..]) if tests.len() == 2 => {
                faults.extend(
                    tests.iter().filter(|test| !is_test(test)).map(|test| format!("{name}: no test {test}")),
                );
            }
            Some(other) => faults.push(format!("{name}: not a mark: {other:?}")),
        }
    }
    assert!(
        faults.is_empty(),
        "see crates/mqi/facts/option_marks.txt and scenarios/:\n{}",
        faults.join("\n")
    );
    assert!(options.len() >= 120, "only {} options were found", options.len());
}

/// True if there is a test of this file and name, made by hand or by a macro.
fn is_test(place: &str) -> bool {
    let Some((path, name)) = place.split_once("::") else { return false };
    let text = fs::read_to_string(root().join(path)).unwrap_or_default();
    text.contains(&format!("#[test]\nfn {name}("))
        || text.contains(&format!("    #[test]\n    fn {name}("))
        || text.contains(&format!("!(\n    {name},\n"))
}
