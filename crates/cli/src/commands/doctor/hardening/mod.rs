//! `ferry doctor --hardening`: the queue manager beside the public hardening guide for the appliance of the
//! family (IBM MQ Appliance V9.0 AS STIG, V1R2).
//!
//! Lives here: the form of the answer. Lives elsewhere: the 43 checks (`checks`), the comparisons (`judge`).
//!
//! Always: each check is answered, one that the machine or its organization meets, or that is missing, too;
//! only a check that a program can judge is a finding.

mod checks;
mod judge;
#[cfg(test)]
mod tests;

use serde::Serialize;

use super::finding::Patient;
use super::rules::Asked;
use checks::{Answer, CHECKS, Check};
use terminal::connect;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::output::{self, Format, in_shell};

/// The answer to a check, as it is printed.
#[derive(Debug, Serialize)]
struct Line {
    check: String,
    state: &'static str,
    subject: &'static str,
    /// The reason of an answer that is not judged.
    #[serde(skip_serializing_if = "String::is_empty")]
    why: String,
    /// Commands for a shell that meet the check.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mend: Vec<String>,
}

/// Answers every check, and ends with the code for findings where a judged one is not met.
pub(super) fn run(patient: &Patient<'_>) -> Result<()> {
    let mut session = connect::session(patient.common)?;
    let mut asked = Asked { session: &mut session, patient };
    let mut findings: Vec<Line> = Vec::new();
    for check in CHECKS {
        let line = answered(check, &mut asked)?;
        match patient.common.output {
            Format::Json => output::print_json(&line)?,
            Format::Table => output::print_line(shown(&line, &findings))?,
        }
        if !line.mend.is_empty() {
            findings.push(line);
        }
    }
    let findings = findings.len();
    session.disconnect()?;
    if findings == 0 {
        return Ok(());
    }
    if patient.common.output == Format::Table {
        output::say(format!(
            "{findings} of {} checks are not met at {}; each has its commands",
            CHECKS.len(),
            patient.name
        ));
    }
    Err(Failure::silent(Exit::Failed))
}

fn answered(check: &Check, asked: &mut Asked<'_>) -> Result<Line> {
    let mut line = Line {
        check: number(check),
        state: state(&check.answer),
        subject: check.subject,
        why: String::new(),
        mend: Vec::new(),
    };
    match &check.answer {
        Answer::Holds(why) | Answer::Machine(why) | Answer::Missing(why) => {
            line.why = why.at(&asked.patient.common.typed);
        }
        Answer::Judged(judge) => {
            let name = in_shell(&asked.patient.name);
            let common = asked.patient.common;
            let command =
                |mqsc: String| next_step!("ferry mqsc {name} -e {}", in_shell(&mqsc)).at(&common.typed);
            line.mend = judge.missing(asked)?.into_iter().map(command).collect();
            if !line.mend.is_empty() {
                line.state = "finding";
            }
        }
    }
    Ok(line)
}

fn number(check: &Check) -> String {
    format!("V-{}", check.number)
}

fn state(answer: &Answer) -> &'static str {
    match answer {
        Answer::Holds(_) => "default",
        Answer::Judged(_) => "met",
        Answer::Machine(_) => "machine",
        Answer::Missing(_) => "missing",
    }
}

/// A check as lines; commands that stand at a check before it are told by its number.
fn shown(line: &Line, before: &[Line]) -> String {
    let mut text = format!("{}  {:<8} {}", line.check, line.state, line.subject);
    if !line.why.is_empty() {
        text.push_str(&format!("\n  why     {}", line.why));
    }
    if let Some(same) = before.iter().find(|same| !line.mend.is_empty() && same.mend == line.mend) {
        text.push_str(&format!("\n  mend    the commands of {}", same.check));
        return text;
    }
    for command in &line.mend {
        text.push_str(&format!("\n  mend    {command}"));
    }
    text
}
