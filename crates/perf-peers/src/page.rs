//! The page of what is kept: machine, versions, and for each broker a table of medians, in Markdown.
//!
//! Always: every figure on it is one of the kept turns or the middle of several, so that it can be made again
//! from them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use perf::report::number;

use crate::figures::{Figures, Median};
use crate::kept::{self, All, Kept, Refused, Whose};

/// Writes the page of the turns that a directory keeps beside them.
pub(crate) fn write(directory: &Path) -> Result<PathBuf> {
    let all = kept::read(directory)?;
    ensure!(!all.turns.is_empty() || !all.refused.is_empty(), "no turn is kept in {}", directory.display());
    let path = directory.join(format!("{}.md", kept::NAME));
    fs::write(&path, of(&all)).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

fn of(All { turns, refused }: &All) -> String {
    let mut page = String::from("# Other brokers beside ours, as kept\n\n");
    let mut fact = |name: &str, of: &dyn Fn(&Kept) -> Option<String>| {
        let values: BTreeSet<String> = turns.iter().filter_map(of).collect();
        // Writing to a String does not fail.
        for value in values {
            let _ = writeln!(page, "- {name}: {value}");
        }
    };
    fact("machine", &|kept| Some(kept.machine.to_string()));
    fact("floors", &|kept| kept.machine.floors.as_ref().map(ToString::to_string));
    fact("ours", &|kept| Some(format!("FerryMQ {} (build {})", kept.version, kept.build)));
    fact("each turn", &|kept| {
        let run = &kept.turn.settings.run;
        let (warm_up, measure) = (run.warm_up.as_secs_f64(), run.measure.as_secs_f64());
        Some(format!("{measure} s, after {warm_up} s of warming up, {} B a message", run.bytes))
    });
    let times = || turns.iter().map(|kept| &kept.when);
    if let (Some(first), Some(last)) = (times().min(), times().max()) {
        let _ = writeln!(page, "- {} turns from {first} to {last}", turns.len());
    }
    page.push_str(
        "\nRates are round trips, messages or deliveries a second; processor time and flushes are for each of them. Medians of the turns. \
         What is called apart is ours with a socket for each client, and relay a program that only copies: no broker over TCP makes much more here. \
         One way a put, or the puts of a unit, is confirmed before the next begins, and messages come before they are asked for, to all but the clients of Redis and, one durable message at a time, ours. \
         By JMS every broker, ours too, is reached by AMQP 1.0 with the same Qpid JMS, started and warmed up for each turn.\n",
    );
    let peers = turns.iter().map(|kept| kept.turn.peer.as_str());
    for peer in in_order(peers.chain(refused.iter().map(|refused| refused.peer.as_str()))) {
        let of_peer: Vec<&Kept> = turns.iter().filter(|kept| kept.turn.peer == peer).collect();
        let refused: Vec<&Refused> = refused.iter().filter(|refused| refused.peer == peer).collect();
        table(&mut page, peer, &of_peer, &refused);
    }
    page
}

/// Returns each text once, in the order in which it comes first.
fn in_order<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut known = Vec::new();
    for one in all {
        if !known.contains(&one) {
            known.push(one);
        }
    }
    known
}

const HEADINGS: &str = "| workload | of | turns | rate/s | lowest to highest | p50 µs | p99 µs | broker CPU µs | client CPU µs | flushes | ÷ the other's |\n\
                        |---|---|---|---|---|---|---|---|---|---|---|\n";

fn table(page: &mut String, peer: &str, turns: &[&Kept], refused: &[&Refused]) {
    let versions = turns.iter().map(|kept| kept.turn.peer_version.as_str());
    let versions = versions.chain(refused.iter().map(|refused| refused.peer_version.as_str()));
    let versions = in_order(versions).join(", ");
    let _ = writeln!(page, "\n## {peer}: {versions}\n");
    for guarantee in in_order(turns.iter().map(|kept| kept.turn.guarantee.as_str())) {
        let workloads = turns.iter().filter(|kept| kept.turn.guarantee == guarantee);
        let workloads = in_order(workloads.map(|kept| what(&kept.turn.workload)));
        let _ = writeln!(page, "- {}: {guarantee}", workloads.join("; "));
    }
    page.push('\n');
    page.push_str(HEADINGS);
    for workload in in_order(turns.iter().map(|kept| kept.turn.workload.as_str())) {
        let median = |whose: Whose| {
            let of = turns.iter().filter(|kept| (kept.turn.workload == workload) && kept.turn.whose == whose);
            let figures: Vec<Figures> = of.map(|kept| kept.turn.figures).collect();
            Median::of(&figures).map(|median| (median, figures.len()))
        };
        let theirs = median(Whose::Theirs);
        if theirs.is_none() {
            let _ = writeln!(page, "| {workload} | {peer} | none reported | | | | | | | | |");
        }
        let all =
            [(Whose::Theirs, peer), (Whose::Ours, "ours"), (Whose::Apart, "apart"), (Whose::Relay, "relay")];
        for (whose, called) in all {
            let Some((Median { figures, lowest, highest }, count)) = median(whose) else { continue };
            let ratio = theirs.as_ref().filter(|_| whose != Whose::Theirs);
            let ratio = ratio.map(|(theirs, _)| number(figures.rate / theirs.figures.rate, 2));
            let flushes = figures.flushes.map_or_else(|| "not counted".to_owned(), |each| number(each, 2));
            let _ = writeln!(
                page,
                "| {workload} | {called} | {count} | {} | {} to {} | {} | {} | {} | {} | {flushes} | {} |",
                number(figures.rate, 0),
                number(lowest, 0),
                number(highest, 0),
                number(figures.p50_us, 0),
                number(figures.p99_us, 0),
                number(figures.broker_us, 1),
                number(figures.client_us, 1),
                ratio.unwrap_or_default(),
            );
        }
    }
    for Refused { workload, refused, .. } in refused {
        // It may have several lines, and marks of a table.
        let why = refused.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "/");
        let _ = writeln!(page, "| {workload} | {peer} | not reported: {why} | | | | | | | | |");
    }
}

/// A workload without its numbers, which begin behind the name of the first.
fn what(workload: &str) -> &str {
    let numbers =
        workload.find(": ").map_or(workload.len(), |colon| workload[..colon].rfind(',').unwrap_or(colon));
    &workload[..numbers]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use perf::machine::Machine;
    use perf::program::Build;
    use perf::request_reply::Units;
    use perf::rows::Rows;

    use super::*;
    use crate::broker::Kind;
    use crate::kept::{Settings, Turn};
    use crate::points::{Point, Run};

    fn turn(whose: Whose, turn: usize, rate: f64) -> Turn {
        let point =
            Point { kind: Kind::RequestReply, durable: true, clients: 16, window: 1, unit: 1, preloaded: 0 };
        Turn {
            peer: "redis".to_owned(),
            peer_version: "Redis server v=7".to_owned(),
            guarantee: "on the disk before the reply".to_owned(),
            workload: point.labels().remove(0),
            whose,
            turn,
            settings: Settings {
                responders: Some(point.responders()),
                units: Units::All,
                run: Run {
                    warm_up: Duration::from_millis(300),
                    measure: Duration::from_secs(1),
                    bytes: 2048,
                },
                point,
            },
            figures: Figures {
                rate,
                p50_us: 100.0,
                p99_us: 200.0,
                broker_us: 10.0,
                client_us: 20.0,
                flushes: Some(0.5),
            },
        }
    }

    #[test]
    fn the_page_is_made_again_from_the_turns_that_are_kept() {
        let directory = std::env::temp_dir().join(format!("ferry-peers-kept-{}", std::process::id()));
        let machine = Machine::of(&std::env::temp_dir());
        let turns = [
            turn(Whose::Ours, 1, 2_900.0),
            turn(Whose::Theirs, 1, 1_000.0),
            turn(Whose::Ours, 2, 3_100.0),
            turn(Whose::Apart, 1, 2_000.0),
            turn(Whose::Relay, 1, 5_000.0),
            // What the other was not reported for is seen to be missing.
            Turn {
                workload: "request/reply, durable, clients: 4".to_owned(),
                ..turn(Whose::Ours, 1, 1_500.0)
            },
        ];
        let mut rows = Rows::behind(&directory, kept::NAME).expect("it can be made");
        for turn in &turns {
            kept::keep(&mut rows, turn, &machine, &Build::of(b"a program")).expect("it is kept");
        }
        let file = directory.join(format!("{}.jsonl", kept::NAME));
        let text = fs::read_to_string(&file).expect("it is there");
        // As by two copies of one file: each turn counts once all the same.
        fs::write(&file, text.repeat(2)).expect("it is ours");
        let read: Vec<Turn> =
            kept::read(&directory).expect("they are turns").turns.into_iter().map(|kept| kept.turn).collect();
        assert_eq!(read, turns);
        let path = write(&directory).expect("it can be written");
        let page = fs::read_to_string(path).expect("it is there");
        for said in [
            "## redis: Redis server v=7",
            "- request/reply, durable: on the disk before the reply",
            "- each turn: 1 s, after 0.3 s of warming up, 2048 B a message",
            "| request/reply, durable, clients: 16 | redis | 1 | 1,000 | 1,000 to 1,000 | 100 | 200 | 10.0 | 20.0 | 0.50 |  |",
            "| request/reply, durable, clients: 16 | ours | 2 | 3,000 | 2,900 to 3,100 | 100 | 200 | 10.0 | 20.0 | 0.50 | 3.00 |",
            "| request/reply, durable, clients: 4 | redis | none reported |",
            "| relay | 1 | 5,000 | 5,000 to 5,000 | 100 | 200 | 10.0 | 20.0 | 0.50 | 5.00 |",
            "| apart | 1 | 2,000 | 2,000 to 2,000 | 100 | 200 | 10.0 | 20.0 | 0.50 | 2.00 |",
        ] {
            assert!(page.contains(said), "{said} in {page}");
        }
        fs::remove_dir_all(&directory).expect("it is ours");
    }

    #[test]
    fn of_a_point_that_was_measured_in_several_ways_the_latest_holds() {
        let directory = std::env::temp_dir().join(format!("ferry-peers-again-{}", std::process::id()));
        let machine = Machine::of(&std::env::temp_dir());
        let (before, now) = (Build::of(b"a program"), Build::of(b"another"));
        let keep = |turn: &Turn, build: &Build| {
            let mut rows = Rows::behind(&directory, kept::NAME).expect("it can be made");
            kept::keep(&mut rows, turn, &machine, build).expect("it is kept");
        };
        keep(&turn(Whose::Ours, 1, 2_900.0), &before);
        let elsewhere = Turn { workload: "elsewhere".to_owned(), ..turn(Whose::Ours, 1, 1_500.0) };
        keep(&elsewhere, &before);
        let turn = turn(Whose::Ours, 1, 3_100.0);
        let refused = Refused {
            peer: turn.peer.clone(),
            peer_version: turn.peer_version.clone(),
            workload: turn.workload.clone(),
            refused: "a reply is missing".to_owned(),
        };
        let mut rows = Rows::behind(&directory, kept::NAME).expect("it can be made");
        kept::keep_refused(&mut rows, &refused, &machine, &now).expect("it is kept");
        assert_eq!(kept::read(&directory).expect("they are turns").turns.len(), 1, "elsewhere alone");
        keep(&turn, &now);
        keep(&turn, &now);
        let all = kept::read(&directory).expect("they are turns");
        let rates: Vec<f64> = all.turns.iter().map(|kept| kept.turn.figures.rate).collect();
        assert_eq!((rates, all.refused.len()), (vec![1_500.0, 3_100.0, 3_100.0], 0));
        fs::remove_dir_all(&directory).expect("it is ours");
    }

    #[test]
    fn turns_of_a_point_that_was_not_reported_are_on_no_page() {
        let directory = std::env::temp_dir().join(format!("ferry-peers-refused-{}", std::process::id()));
        let machine = Machine::of(&std::env::temp_dir());
        let build = Build::of(b"a program");
        let mut rows = Rows::behind(&directory, kept::NAME).expect("it can be made");
        // One turn went well, in the next a message was missing.
        for turn in [turn(Whose::Ours, 1, 2_900.0), turn(Whose::Theirs, 1, 1_000.0)] {
            kept::keep(&mut rows, &turn, &machine, &build).expect("it is kept");
        }
        let turn = turn(Whose::Theirs, 2, 1_000.0);
        let refused = Refused {
            peer: turn.peer,
            peer_version: turn.peer_version,
            workload: turn.workload,
            refused: "redis: 3 requests,\n2 replies".to_owned(),
        };
        kept::keep_refused(&mut rows, &refused, &machine, &build).expect("it is kept");
        let path = write(&directory).expect("it can be written");
        let page = fs::read_to_string(path).expect("it is there");
        let said =
            "| request/reply, durable, clients: 16 | redis | not reported: redis: 3 requests, 2 replies |";
        assert!(page.contains("## redis: Redis server v=7") && page.contains(said), "{page}");
        assert!(!page.contains("1,000") && !page.contains("2,900"), "{page}");
        fs::remove_dir_all(&directory).expect("it is ours");
    }
}
