//! `ferry doctor`: looks for what is wrong around a queue manager before it costs anything.
//!
//! Lives here: the order of findings and their form. Lives elsewhere: files, keys and users (`files`), rules
//! and rights as the running queue manager tells them (`rules`, `asserted`, `proofs`), passwords
//! (`conn_auth`), labels of keys (`labels`), message channels (`partners`), branches of transactions
//! (`in_doubt`), quotas (`quotas`), the machine (`machine`) and its
//! system (`system`), the checks of a public hardening guide (`hardening`).
//!
//! Always: it changes nothing; each finding has the value that is there, the one that is wanted, the reason,
//! and a command that mends it. It ends with 0 where there is none, and with 1 else.

mod asserted;
mod conn_auth;
mod files;
mod finding;
mod folders;
mod hardening;
mod in_doubt;
mod labels;
mod lost_lists;
mod machine;
mod mending;
mod partners;
mod proofs;
mod quotas;
mod rules;
mod system;

use std::collections::BTreeMap;
use std::path::Path;

use clap::Args;
use server::{Configuration, State, configuration, instances};

use super::queue_manager;
use crate::clock::now;
use finding::{Finding, Patient, word};
use terminal::common::Common;
use terminal::connect;
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format, Paint, harmless};

/// The queue manager to look at.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 no faults were found, 1 some were.")]
pub(crate) struct DoctorArguments {
    /// Queue manager; not needed when there is only one, or only one runs
    #[arg(value_name = "QM")]
    name: Option<String>,
    /// Compare with the public hardening guide for the appliance of the family, check by check
    #[arg(long)]
    hardening: bool,
}

/// Looks, prints what it finds and ends with the code for it.
pub(crate) fn run(common: &Common, arguments: &DoctorArguments) -> Result<()> {
    let data = connect::data_directory(common)?;
    let name = queue_manager::name_or_running(common, arguments.name.as_deref(), &data)?;
    let instance = instances::find(&data, &name)?;
    let configuration = match Configuration::read(&instance.folder.settings()) {
        Err(configuration::Error::Absent { path }) if instance.running.is_some() => {
            return tell(common, name.as_ref(), &[settings_gone(&path)]);
        }
        read => read.map_err(|error| Failure::new(Exit::Failed, error.to_string()))?,
    };
    let common = &Common { qmgr: Some(name.to_string()), ..common.clone() };
    let patient = Patient { common, instance: &instance, name: name.to_string(), configuration, now: now() };
    if arguments.hardening {
        return hardening::run(&patient);
    }
    let mut findings = files::look(&patient);
    findings.extend(folders::look(&patient));
    let running = instance.running.as_ref().filter(|running| running.state == State::Running);
    let process = running.map(|running| running.process);
    findings.extend(machine::look(&patient, process));
    findings.extend(system::look(&patient, process));
    match running {
        Some(running) => {
            findings.extend(listeners(&patient, &running.failed_listeners));
            findings.extend(rules::look(&patient, &running.listens)?);
        }
        None => {
            output::say(format!("{name} does not run: its rules, rights and channels were not looked at"))
        }
    }
    tell(common, &patient.name, &findings)
}

/// Prints the findings at a queue manager. A failure where there are any.
fn tell(common: &Common, name: &str, findings: &[Finding]) -> Result<()> {
    for finding in findings {
        match common.output {
            Format::Json => output::print_json(finding)?,
            Format::Table => output::print_painted(shown(finding))?,
        }
    }
    if findings.is_empty() {
        if common.output == Format::Table {
            output::print_line(format!("no faults were found at {name}"))?;
        }
        return Ok(());
    }
    Err(Failure::silent(Exit::Failed))
}

/// The file of settings that was removed from a queue manager that runs. Most other findings depend on it.
fn settings_gone(path: &Path) -> Finding {
    Finding {
        name: "settings.gone",
        value: format!("{} is not there", path.display()),
        wanted: "the file with which it started".to_owned(),
        why: "the next start without it is refused, and nothing else can be compared with it",
        mend: format!("cp COPY {}", word(&path.display().to_string())),
    }
}

/// The LISTENER objects that are to run with the queue manager and do not.
fn listeners(patient: &Patient<'_>, failed: &BTreeMap<String, String>) -> Vec<Finding> {
    let finding = |(listener, told): (&String, &String)| {
        let value = format!("listener {listener} does not run: {told}");
        let why = "it is to run with the queue manager, and programs that come by it are refused";
        let start = format!("START LISTENER({})", objects::quoted(listener));
        mending::by_command(patient, "listener.failed", value, why, start)
    };
    failed.iter().map(finding).collect()
}

fn shown(Finding { name, value, wanted, why, mend }: &Finding) -> String {
    use std::io::IsTerminal as _;
    let paint = Paint::for_stream(std::io::stdout().is_terminal());
    let (value, wanted, mend) = (harmless(value), harmless(wanted), harmless(mend));
    format!(
        "{}\n  value   {value}\n  wanted  {wanted}\n  why     {why}\n  mend    {mend}",
        paint.strong(name)
    )
}
