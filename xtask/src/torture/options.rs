//! The options of `cargo xtask torture`, and the programs that know each.
//!
//! Always: what no program that would run knows is refused before anything is built.

use anyhow::{Result, bail};

/// A program of `sim` or `rigs` that tortures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    /// The engine and its log on a simulated machine.
    Simulation,
    /// A real `ferry` on this machine.
    Processes,
    /// Threads of the system at one queue.
    Histories,
    /// Threads in schedules chosen one by one.
    Schedules,
}

use Program::{Histories, Processes, Schedules, Simulation};

/// An option.
struct Row {
    name: &'static str,
    /// Argument behind it, if it has one.
    value: Option<&'static str>,
    /// Programs that know it.
    known_by: &'static [Program],
    what: &'static str,
}

const ALL: &[Program] = &[Simulation, Processes, Histories, Schedules];

const ROWS: [Row; 14] = [
    Row {
        name: "--id",
        value: Some("FIGURE"),
        known_by: ALL,
        what: "which figure; the simulated ones unless given",
    },
    Row { name: "--seed", value: Some("N"), known_by: ALL, what: "the first seed" },
    Row { name: "--seeds", value: Some("N"), known_by: ALL, what: "stop after so many seeds" },
    Row { name: "--cases", value: Some("N"), known_by: ALL, what: "stop after so many cases" },
    Row { name: "--minutes", value: Some("M"), known_by: ALL, what: "stop after so much time" },
    Row {
        name: "--record",
        value: None,
        known_by: ALL,
        what: "add a line for each figure to perf/results/torture.csv",
    },
    Row {
        name: "--subject",
        value: Some("NAME"),
        known_by: &[Simulation],
        what: "log, engine or toy; log and engine unless given",
    },
    Row {
        name: "--case",
        value: Some("N"),
        known_by: &[Simulation],
        what: "only this case of the seed, with everything about it",
    },
    Row {
        name: "--coverage",
        value: None,
        known_by: &[Simulation],
        what: "print which calls were made at random, and how they were answered",
    },
    Row {
        name: "--gate",
        value: Some("full|quick"),
        known_by: &[Simulation],
        what: "the sizes of the gate, or a tenth of them",
    },
    Row {
        name: "--replay",
        value: Some("FILE"),
        known_by: &[Simulation],
        what: "do a share of the seeds recorded there again, and compare what they did",
    },
    Row { name: "--percent", value: Some("P"), known_by: &[Simulation], what: "which share of them" },
    Row { name: "--quick", value: None, known_by: &[Processes], what: "a tenth of the cases of the gate" },
    Row {
        name: "--folder",
        value: Some("DIR"),
        known_by: &[Processes],
        what: "where the files of the queue managers go; a temporary directory unless given",
    },
];

/// Request on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request<'a> {
    /// A request for help.
    Help,
    /// A run.
    Run(Asked<'a>),
}

/// A run that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked<'a> {
    /// True if its results are kept.
    pub(super) records: bool,
    /// The options of the programs.
    said: Vec<(&'static str, Option<&'a str>)>,
}

impl<'a> Request<'a> {
    /// Reads the words of the command line.
    ///
    /// # Errors
    /// A word that is no option, or an option without its value.
    pub(super) fn read(words: &[&'a str]) -> Result<Self> {
        let mut asked = Asked::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if ["--help", "-h", "help"].contains(word) {
                return Ok(Self::Help);
            }
            let (name, mut value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (*word, None),
            };
            let Some(row) = ROWS.iter().find(|row| row.name == name) else {
                bail!("`cargo xtask torture` does not know \"{word}\"; it takes\n{}", table());
            };
            match (row.value, value) {
                (None, Some(_)) => bail!("{name} takes no value"),
                (Some(what), None) => match words.next() {
                    Some(next) if !next.starts_with("--") => value = Some(next),
                    _ => bail!("{name} needs a value: {name} {what}"),
                },
                _ => {}
            }
            if row.name == "--record" {
                asked.records = true;
            } else {
                asked.said.push((row.name, value));
            }
        }
        Ok(Self::Run(asked))
    }
}

impl Asked<'_> {
    /// The value of an option that was given.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.said.iter().find(|(said, _)| *said == name).and_then(|(_, value)| *value)
    }

    /// The words for the programs, each of which knows all of them.
    ///
    /// # Errors
    /// An option that one of them does not know.
    pub(super) fn words(&self, programs: &[Program]) -> Result<Vec<&str>> {
        let mut words = Vec::new();
        for (name, value) in &self.said {
            let row = ROWS.iter().find(|row| row.name == *name);
            let stranger =
                programs.iter().find(|program| row.is_none_or(|row| !row.known_by.contains(program)));
            if let Some(program) = stranger {
                bail!("{name} is not for {}; `cargo xtask torture --help` tells what is", program.what());
            }
            words.push(*name);
            words.extend(*value);
        }
        Ok(words)
    }
}

impl Program {
    fn what(self) -> &'static str {
        match self {
            Simulation => "figures of the simulation",
            Processes => "figures of real processes",
            Histories => "histories of threads",
            Schedules => "schedules of threads",
        }
    }
}

/// The options, one a line.
fn table() -> String {
    let line = |row: &Row| {
        let said = format!("{} {}", row.name, row.value.unwrap_or_default());
        let only = match row.known_by {
            [program] => format!(" (only {})", program.what()),
            _ => String::new(),
        };
        format!("  {said:20} {}{only}\n", row.what)
    };
    ROWS.iter().map(line).collect()
}

/// Text that `--help` prints.
pub(super) fn help() -> String {
    format!(
        "cargo xtask torture [--id FIGURE] [OPTIONS]

Cuts power, rots files, fails calls, kills processes and chooses schedules of threads, and says how to do again what failed.

Figures:
  R1, R2, R6, IMAGES, BITS, R7, R8, R10, R11-restore, R12, R18, SIM, SIM-AMQP, SIM-BRIDGE, AHEAD, MQI
                                       on a simulated machine; all of these unless one is named
  M2, O2, R3, R4, R8, R11, R13, R14, R15, R16, R17, R18, R19, R20
                                       a real program; a layer alone: R3-random, R3-exact, R4-ext4, R8-ext4, R11-pair, R11-chain,
                                       R11-ring, R11-idle, R11-full, R13-scribbles, R18-faketime
  S3, S4, S5, S6, S7, S8, S9, S10, S12, S13, S16
                                       a real program that is attacked; a layer alone: S4-short, S4-shipped, S6-taken, S8-rotation,
                                       S16-few, S16-many
  R9                                   threads; a layer alone: R9-histories, R9-schedules, R9-schedules-SUBJECT

Options:
{}",
        table()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked<'a>(words: &[&'a str]) -> Asked<'a> {
        match Request::read(words) {
            Ok(Request::Run(asked)) => asked,
            other => panic!("{words:?}: {other:?}"),
        }
    }

    #[test]
    fn help_is_told_apart_wherever_it_stands() {
        for words in [&["--help"][..], &["-h"], &["help"], &["--id", "R3", "--help"]] {
            assert_eq!(Request::read(words).expect("help"), Request::Help, "{words:?}");
        }
        assert!(ROWS.iter().all(|row| help().contains(row.name)));
    }

    #[test]
    fn what_is_no_option_is_refused_by_its_name() {
        for (words, named) in [
            (&["--sedes", "9"][..], "--sedes"),
            (&["R1"], "R1"),
            (&["--id"], "--id FIGURE"),
            (&["--seed", "--cases", "9"], "--seed N"),
            (&["--record=yes"], "--record"),
        ] {
            let refusal = Request::read(words).expect_err("it is refused").to_string();
            assert!(refusal.contains(named), "{words:?}: {refusal}");
        }
    }

    #[test]
    fn results_are_kept_where_that_is_asked_for() {
        let plain = asked(&["--id", "R1"]);
        assert_eq!((plain.records, plain.value("--id")), (false, Some("R1")));
        let kept = asked(&["--id=R1", "--record", "--seeds", "9"]);
        assert!(kept.records);
        assert_eq!(kept.words(&[Simulation]).expect("known"), ["--id", "R1", "--seeds", "9"]);
    }

    #[test]
    fn an_option_is_for_programs_that_know_it() {
        let coverage = asked(&["--coverage"]);
        assert!(coverage.words(&[Simulation]).is_ok());
        assert!(coverage.words(&[Simulation, Processes]).is_err());
        assert!(asked(&["--folder", "there"]).words(&[Processes]).is_ok());
    }
}
