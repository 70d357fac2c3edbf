//! Samples that a binding ships, run as they are: what each is given, and how it is known that it did what it
//! is for.
//!
//! Always: a sample ran when it said what it says where it succeeds, ended well, and no call of it was
//! refused but a get that found nothing. One that is known to want what there is not yet is run all the same.

use super::served::Served;
use super::table::{Table, Verdict, tail};
use super::tokens;
use anyhow::{Context, Result};
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitStatus, Output};
use std::time::{Duration, Instant};

/// A sample.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    pub(super) name: &'static str,
    /// Its arguments, of which some stand for what is known when it runs: [`HOST`], [`TRIGGER`],
    /// [`TOKEN_PORT`].
    arguments: &'static [&'static str],
    /// Text that it prints when it has worked.
    says: &'static str,
    /// Another that is run while this one waits; this one is ended once it has said what it should.
    fed_by: Option<(&'static str, &'static [&'static str])>,
    /// Why it cannot run yet.
    missing: Option<&'static str>,
    /// Limit of the proof, where it is less than it seems.
    shows: Option<&'static str>,
}

/// Where the queue manager listens, as `host(port)`.
pub(super) const HOST: &str = "$HOST";

/// Argument that a trigger monitor hands to the program that it starts for [`ECHOED`].
pub(super) const TRIGGER: &str = "$TRIGGER";

/// The port of what stands in for a token server.
pub(super) const TOKEN_PORT: &str = "$TOKEN_PORT";

/// Arguments of a sample that fetches a token and connects with it.
pub(super) const WITH_TOKEN: &[&str] = &[
    "-m",
    "QM1",
    "-connection",
    HOST,
    "-host",
    "127.0.0.1",
    "-port",
    TOKEN_PORT,
    "-user",
    tokens::USER,
    "-password",
    tokens::PASSWORD,
    "-clientId",
    tokens::CLIENT,
];

/// Missing for samples that connect by TLS.
pub(super) const NO_KEYS: &str = "the queue manager of the run has no keys";

/// The queue that [`TRIGGER`] is about.
pub(super) const ECHOED: &str = "INTEROP.ECHOED";

/// Longest time for a sample that waits to print its text.
const SAYS_WITHIN: Duration = Duration::from_secs(20);

/// Time for a sample that reads input to begin to wait.
const BEGINS_WITHIN: Duration = Duration::from_secs(1);

impl Sample {
    /// A sample that ends by itself.
    pub(super) const fn new(
        name: &'static str,
        arguments: &'static [&'static str],
        says: &'static str,
    ) -> Self {
        Self { name, arguments, says, fed_by: None, missing: None, shows: None }
    }

    /// The same, fed by another.
    pub(super) const fn fed_by(self, name: &'static str, arguments: &'static [&'static str]) -> Self {
        Self { fed_by: Some((name, arguments)), ..self }
    }

    /// The same, which cannot run yet.
    pub(super) const fn without(self, missing: &'static str) -> Self {
        Self { missing: Some(missing), ..self }
    }

    /// The same, which shows less than it seems when it runs.
    pub(super) const fn showing(self, shows: &'static str) -> Self {
        Self { shows: Some(shows), ..self }
    }

    /// Judges a sample by its end, if it ended by itself, and by its output.
    fn verdict(&self, status: Option<ExitStatus>, output: &Output) -> Verdict {
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let ended_well = status.is_none_or(|status| status.success());
        match (ended_well && said.contains(self.says) && !tells_of_refusal(&said), self.missing) {
            (true, _) => self.shows.map_or(Verdict::Ran, Verdict::RanWith),
            (false, Some(why)) => Verdict::NotYet(why),
            (false, None) => Verdict::Failed(tail(output)),
        }
    }
}

/// True if a call was refused, except for a get that found no message: samples report that in words of their
/// binding.
fn tells_of_refusal(said: &str) -> bool {
    said.lines().any(|line| line.contains("MQCC_FAILED") && !line.contains("MQRC_NO_MSG_AVAILABLE"))
}

/// Runs the samples of a binding, in their order, on this machine and over the network; `command` makes the
/// command for one.
pub(super) fn run(
    binding: &str,
    samples: &[Sample],
    served: &Served,
    folder: &Path,
    table: &mut Table,
    command: impl Fn(&str, bool) -> Command,
) -> Result<()> {
    for (way, over_the_network) in [("local", false), ("client", true)] {
        for sample in samples {
            if let (true, Err(why)) = (sample.arguments.contains(&TOKEN_PORT), &served.tokens) {
                table.add(format!("{binding} {way} {}", sample.name), Verdict::NotInstalled(why.clone()));
                continue;
            }
            let started = |name: &str, arguments: &[&str]| {
                let mut command = command(name, over_the_network);
                command.args(arguments.iter().map(|argument| meant(argument, served))).current_dir(folder);
                command
            };
            let mut command = started(sample.name, sample.arguments);
            let verdict = match sample.fed_by {
                None => {
                    let output = command.output().with_context(|| sample.name)?;
                    sample.verdict(Some(output.status), &output)
                }
                Some((name, arguments)) => fed(sample, command, started(name, arguments), folder)?,
            };
            table.add(format!("{binding} {way} {}", sample.name), verdict);
        }
    }
    Ok(())
}

/// Runs a sample that waits, and another that gives it what it waits for.
fn fed(sample: &Sample, mut waits: Command, mut feeds: Command, folder: &Path) -> Result<Verdict> {
    let path = folder.join("said");
    let said = File::create(&path).with_context(|| path.display().to_string())?;
    let mut waiting = waits.stdout(said.try_clone()?).stderr(said).spawn().with_context(|| sample.name)?;
    std::thread::sleep(BEGINS_WITHIN);
    let fed = feeds.output().context("what feeds it")?;
    let until = Instant::now() + SAYS_WITHIN;
    let mut status = None;
    while status.is_none() && Instant::now() < until && !std::fs::read_to_string(&path)?.contains(sample.says)
    {
        std::thread::sleep(Duration::from_millis(100));
        status = waiting.try_wait()?;
    }
    if status.is_none() {
        // `timeout` passes the signal on to the sample.
        let _ended = Command::new("kill").arg(waiting.id().to_string()).status()?;
        waiting.wait()?;
    }
    let output = Output { status: fed.status, stdout: std::fs::read(&path)?, stderr: fed.stderr };
    Ok(sample.verdict(status, &output))
}

/// An argument as a sample is given it.
fn meant(argument: &str, served: &Served) -> String {
    match argument {
        HOST => served.host(),
        TRIGGER => trigger(ECHOED, "QM1"),
        TOKEN_PORT => served.tokens.as_ref().map_or_else(|_| String::new(), |server| server.port.to_string()),
        argument => argument.to_owned(),
    }
}

/// A trigger message as a program is given it (MQTMC2): characters, each field to its full width.
fn trigger(queue: &str, queue_manager: &str) -> String {
    let fields = [
        ("TMC", 4),
        ("   2", 4),
        (queue, 48),
        ("", 48),
        ("", 64),
        ("", 4),
        ("", 256),
        ("", 128),
        ("", 128),
        (queue_manager, 48),
    ];
    fields.iter().map(|(text, width)| format!("{text:width$}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{Sample, tells_of_refusal, trigger};
    use crate::interop::table::Verdict;
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{ExitStatus, Output};

    #[test]
    fn a_trigger_message_is_as_long_as_its_structure() {
        let text = trigger("Q", "QM1");
        assert_eq!(text.len(), 732);
        assert_eq!((&text[..8], text[8..56].trim(), text[684..].trim()), ("TMC    2", "Q", "QM1"));
    }

    #[test]
    fn a_sample_ran_when_it_says_so_ends_well_and_no_call_was_refused() {
        let nothing_more = "MQGET: MQCC = MQCC_FAILED [2] MQRC = MQRC_NO_MSG_AVAILABLE [2033]";
        let refused = "MQSUB: MQCC = MQCC_FAILED [2] MQRC = MQRC_FUNCTION_NOT_SUPPORTED [2298]";
        assert!(!tells_of_refusal(nothing_more) && tells_of_refusal(refused));
        let sample = Sample::new("sample", &[], "done");
        for (said, ended, ran) in [
            (format!("done\n{nothing_more}"), 0, true),
            (format!("done\n{refused}"), 0, false),
            ("done".to_owned(), 256, false),
            ("began".to_owned(), 0, false),
        ] {
            let status = ExitStatus::from_raw(ended);
            let output = Output { status, stdout: said.clone().into_bytes(), stderr: Vec::new() };
            assert_eq!(sample.verdict(Some(status), &output) == Verdict::Ran, ran, "{said}");
            let known = sample.without("there are no such calls").verdict(Some(status), &output);
            assert!(!matches!(known, Verdict::Failed(_)), "{said}");
        }
    }
}
