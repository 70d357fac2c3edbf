//! Rounds of transfers, in each of which a process is killed at a step of one of them.
//!
//! Always: after a round every process runs, two recoveries have been made, the second has found nothing, and
//! both places were judged.

use anyhow::{Context, Result, bail, ensure};
use std::fmt;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::judge::{Answers, PIECE, PIECES, Places, decided, judge};
use super::servers::Server;
use crate::dev::without_settings;

/// Steps of a transfer, as `manager.c` numbers them.
const STEPS: usize = 14;

/// The longest time without a word of the program.
const PATIENCE: Duration = Duration::from_secs(120);

/// Within this, branches that were left idle are rolled back.
const IDLE_PATIENCE: Duration = Duration::from_secs(10);

/// The process that is killed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Victim {
    Manager,
    First,
    Second,
}

/// Time of the kill: before the step is made, or while it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Moment {
    Before,
    During,
}

/// One round.
#[derive(Clone, Copy, Debug)]
struct Round {
    victim: Victim,
    step: usize,
    moment: Moment,
    is_dynamic: bool,
    threads: usize,
}

/// The rounds of a run.
pub(super) struct Plan {
    rounds: Vec<Round>,
    /// Transfers of each.
    transfers: usize,
}

impl Plan {
    /// Each process at each step once.
    pub(super) fn sample() -> Self {
        Self { rounds: rounds(1), transfers: 6 }
    }

    /// Each four times, with 10,080 transfers in all.
    pub(super) fn long() -> Self {
        Self { rounds: rounds(4), transfers: 60 }
    }
}

/// Each process at each step so many times, in turns before and during it, with both kinds of registration.
fn rounds(times: usize) -> Vec<Round> {
    let mut rounds = Vec::new();
    for time in 0..times {
        for step in 1..=STEPS {
            for (number, victim) in [Victim::Manager, Victim::First, Victim::Second].into_iter().enumerate() {
                let kind = time + step + number;
                rounds.push(Round {
                    victim,
                    step,
                    moment: if kind / 2 % 2 == 0 { Moment::Before } else { Moment::During },
                    is_dynamic: kind % 2 == 1,
                    threads: 1 + (step + number) % 3,
                });
            }
        }
    }
    rounds
}

/// The transaction manager as a program, and its surroundings.
pub(super) struct Manager {
    program: PathBuf,
    log: PathBuf,
    variables: Vec<(&'static str, String)>,
}

impl Manager {
    pub(super) fn new(
        program: PathBuf,
        prefix: &Path,
        folder: &Path,
        second: String,
        libraries: Vec<PathBuf>,
    ) -> Self {
        let path = |path: PathBuf| path.display().to_string();
        let libraries: Vec<_> = libraries.into_iter().map(path).collect();
        let variables = vec![
            ("XA_SWITCHES", path(prefix.join("lib64/libmqmxa64_r.so"))),
            ("XA_LIBRARY", path(prefix.join("lib64/libmqm_r.so"))),
            ("XA_FIRST", "QM1".to_owned()),
            ("XA_SECOND", second),
            ("LD_LIBRARY_PATH", libraries.join(":")),
            ("FERRY_CLIENT_LOG", path(folder.join("client.log"))),
            ("FERRY_DATA", path(folder.join("queues"))),
        ];
        Self { program, log: folder.join("decisions.log"), variables }
    }

    fn command(&self, words: &[String], is_dynamic: bool) -> Command {
        let mut command = Command::new(&self.program);
        without_settings(&mut command);
        for (name, value) in &self.variables {
            command.env(name, value);
        }
        command.env("XA_REGISTRATION", if is_dynamic { "dynamic" } else { "static" }).args(words);
        command
    }

    /// Starts it; it recovers first.
    fn start(
        &self,
        stop: (usize, usize),
        first: usize,
        count: usize,
        round: &Round,
    ) -> Result<RunningManager> {
        let numbers = [stop.0, stop.1, first, count, round.threads].map(|number| number.to_string());
        let words: Vec<String> = [self.log.display().to_string()].into_iter().chain(numbers).collect();
        let mut child = self.command(&words, round.is_dynamic);
        child.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = child.spawn().with_context(|| self.program.display().to_string())?;
        let output = child.stdout.take().context("its output cannot be read")?;
        let input = child.stdin.take().context("nothing can be said to it")?;
        let (to, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if to.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(RunningManager { child, input, lines })
    }

    /// Puts money into the places that are queues.
    fn fill(&self) -> Result<()> {
        let words = ["fill".to_owned(), PIECES.to_string(), PIECE.to_string()];
        let output = self.command(&words, false).output()?;
        ensure!(output.status.success(), "fill: {}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    }

    /// Both places as they are.
    fn tell(&self) -> Result<Places> {
        let output = self.command(&["tell".to_owned()], false).output()?;
        ensure!(output.status.success(), "tell: {}", String::from_utf8_lossy(&output.stderr));
        Places::parse(&String::from_utf8(output.stdout)?)
    }
}

/// The program at work; it is killed when this is dropped.
struct RunningManager {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// A line of the program.
#[derive(Debug, PartialEq)]
enum Word {
    At(usize),
    Recovered(usize),
    Committed(u64),
    Back(u64),
    Done,
}

impl Word {
    fn parse(line: &str) -> Result<Self> {
        Ok(match *line.split(' ').collect::<Vec<_>>() {
            ["at", step] => Self::At(step.parse()?),
            ["recovered", committed, back] => {
                Self::Recovered(committed.parse::<usize>()? + back.parse::<usize>()?)
            }
            ["committed", transfer] => Self::Committed(transfer.parse()?),
            ["back", transfer] => Self::Back(transfer.parse()?),
            ["done"] => Self::Done,
            _ => bail!("the program said {line:?}"),
        })
    }
}

impl RunningManager {
    /// The next word; none at its end.
    fn next(&mut self) -> Result<Option<Word>> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Word::parse(&line).map(Some),
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => bail!("the program says nothing any more"),
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => Ok(None),
        }
    }

    /// Reads up to a step of the stopped transfer, or to the end.
    fn read(&mut self, answers: &mut Answers) -> Result<Word> {
        loop {
            match self.next()? {
                Some(Word::Committed(transfer)) => {
                    answers.committed.insert(transfer);
                }
                Some(Word::Back(transfer)) => {
                    answers.back.insert(transfer);
                }
                Some(Word::Recovered(_)) => {}
                Some(word) => return Ok(word),
                None => bail!("the program ended: {}", self.child.wait()?),
            }
        }
    }

    fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for RunningManager {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ended = self.kill();
    }
}

/// The figures of a run.
#[derive(Debug, Default)]
pub(super) struct Made {
    pub(super) transfers: usize,
    committed: usize,
    kills: usize,
    recovered: usize,
    seconds: f64,
}

impl fmt::Display for Made {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} transfers, {} committed; {} kills, {} branches settled by a recovery; {:.0} s",
            self.transfers, self.committed, self.kills, self.recovered, self.seconds
        )
    }
}

/// The processes of both resource managers.
pub(super) struct Servers {
    pub(super) first: Server,
    pub(super) second: Server,
}

/// Transfers of a round: the number of the first, and how many there are.
#[derive(Clone, Copy)]
struct Transfers {
    from: usize,
    count: usize,
}

/// Runs all rounds of a plan.
pub(super) fn run(manager: &Manager, mut servers: Servers, plan: &Plan) -> Result<Made> {
    let began = Instant::now();
    let mut made = Made::default();
    let mut answers = Answers::default();
    manager.fill()?;
    for (number, round) in plan.rounds.iter().enumerate() {
        let transfers = Transfers { from: made.transfers + 1, count: plan.transfers };
        let recovered = run_round(manager, &mut servers, round, transfers, &mut answers)
            .with_context(|| format!("round {number}, {round:?}"))?;
        made.transfers += plan.transfers;
        made.kills += 1;
        made.recovered += recovered;
        made.committed =
            judge_round(manager, &answers).with_context(|| format!("after round {number}, {round:?}"))?;
    }
    ensure!(made.committed > plan.transfers, "hardly a transfer was made: {made}");
    made.seconds = began.elapsed().as_secs_f64();
    Ok(made)
}

/// Judges both places, once what was left before it was prepared has been rolled back: its time is a second,
/// and it hides money until then. The transfers that were committed so far.
fn judge_round(manager: &Manager, answers: &Answers) -> Result<usize> {
    let log = decided(&fs::read_to_string(&manager.log)?)?;
    let sum = (2 * PIECES * PIECE) as i64;
    let until = Instant::now() + IDLE_PATIENCE;
    loop {
        let judged = judge(&manager.tell()?, sum, &log, answers);
        if judged.is_ok() || Instant::now() > until {
            return judged.map(|()| log.len());
        }
        thread::sleep(Duration::from_millis(200));
    }
}

/// Makes so many transfers, with one kill; the branches that recoveries settled.
fn run_round(
    manager: &Manager,
    servers: &mut Servers,
    round: &Round,
    Transfers { from, count }: Transfers,
    answers: &mut Answers,
) -> Result<usize> {
    let before = count / 2;
    let mut running = manager.start((from + before, round.step), from, count, round)?;
    let word = running.read(answers)?;
    ensure!(word == Word::At(round.step), "the transfer did not come to its step: {word:?}");
    let server = match round.victim {
        Victim::Manager => None,
        Victim::First => Some(&mut servers.first),
        Victim::Second => Some(&mut servers.second),
    };
    if round.moment == Moment::During {
        running.input.write_all(b"go on\n")?;
        // Between nothing and the time that a step takes.
        thread::sleep(Duration::from_micros((from as u64 * 7_919) % 3_000));
    }
    match server {
        None => running.kill()?,
        Some(server) => {
            server.kill()?;
            if round.moment == Moment::Before {
                running.input.write_all(b"go on\n")?;
            }
            server.start_again()?;
        }
    }
    // One that was killed told of transfers before that; all it had not told of may be either.
    while let Some(word) = running.next()? {
        match word {
            Word::Committed(transfer) => _ = answers.committed.insert(transfer),
            Word::Back(transfer) => _ = answers.back.insert(transfer),
            Word::At(_) | Word::Recovered(_) | Word::Done => {}
        }
    }
    ensure!(
        round.victim == Victim::Manager || running.child.wait()?.success(),
        "the transaction manager ended by itself"
    );
    let recovered = recover(manager, round)?;
    let again = recover(manager, round)?;
    ensure!(again == 0, "{again} branches were in doubt behind a recovery");
    Ok(recovered)
}

/// Starts the program for its recovery alone; the branches that it settled.
fn recover(manager: &Manager, round: &Round) -> Result<usize> {
    let mut running = manager.start((0, 0), 1, 0, round)?;
    let mut recovered = None;
    while let Some(word) = running.next()? {
        match word {
            Word::Recovered(branches) => recovered = Some(branches),
            Word::Done => return recovered.context("it did not recover"),
            _ => bail!("it made a transfer"),
        }
    }
    bail!("the recovery failed: {}", running.child.wait()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_has_each_process_at_each_step() {
        let (sample, long) = (Plan::sample(), Plan::long());
        for victim in [Victim::Manager, Victim::First, Victim::Second] {
            for step in 1..=STEPS {
                let of = |plan: &Plan| {
                    plan.rounds.iter().filter(|round| round.victim == victim && round.step == step).count()
                };
                assert_eq!((of(&sample), of(&long)), (1, 4));
            }
        }
        for is_dynamic in [false, true] {
            for moment in [Moment::Before, Moment::During] {
                let is_it = |round: &&Round| round.is_dynamic == is_dynamic && round.moment == moment;
                assert!(long.rounds.iter().filter(is_it).count() >= 40);
            }
        }
        assert!(long.rounds.len() * long.transfers >= 10_000);
    }

    #[test]
    fn the_words_of_the_program_are_read_and_others_refused() {
        assert_eq!(Word::parse("at 9").unwrap(), Word::At(9));
        assert_eq!(Word::parse("recovered 2 3").unwrap(), Word::Recovered(5));
        assert!(
            Word::parse("at nine").is_err() && Word::parse("").is_err() && Word::parse("done 1").is_err()
        );
    }
}
