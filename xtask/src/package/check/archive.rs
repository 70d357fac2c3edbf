//! The archive, unpacked on a machine that has no compiler: how long a first message takes.

use super::debs::expect;
use super::system::{self, System};
use crate::package::archive;
use crate::package::facts::{Facts, output};
use crate::package::making::Packages;
use crate::steps::{self, Verdict};
use anyhow::{Result, ensure};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The longest that a first message may take, from the archive on.
const FIRST_MESSAGE_WITHIN: Duration = Duration::from_secs(60);

pub(super) fn try_it(root: &Path, out: &Path, facts: &Facts, packages: &Packages) -> Result<Verdict> {
    if let Some(missing) = system::missing() {
        steps::say_skipped(&missing);
        return Ok(Verdict::Skipped);
    }
    let system = System::new(root, out, "archive")?;
    let begun = Instant::now();
    let opt = system.path().join("opt");
    output(
        Command::new("tar")
            .arg("--extract")
            .arg("--file")
            .arg(&packages.archive)
            .arg("--directory")
            .arg(&opt),
    )?;
    let folder = archive::name(facts);
    let as_nobody =
        "as() { setpriv --reuid nobody --regid nogroup --clear-groups env FERRY_DATA=/tmp/data \"$@\"; }";
    let got = system.run(&format!(
        "PATH=/opt/{folder}/bin:$PATH; {as_nobody}; as ferry dev --port 0 --http none >/tmp/log 2>&1 & \
         until as ferry check ready >/dev/null; do sleep 0.1; done; \
         as ferry put -P DEV.QUEUE.1 hello >/dev/null; as ferry get DEV.QUEUE.1; as ferry stop >/dev/null"
    ))?;
    let took = begun.elapsed();
    expect(&got, "hello")?;
    println!("a first message took {:.1} s from the archive on", took.as_secs_f64());
    ensure!(took <= FIRST_MESSAGE_WITHIN, "that is longer than {FIRST_MESSAGE_WITHIN:?}");
    let told = system.run(&format!("/opt/{folder}/bin/ferry --version --verbose"))?;
    ensure!(told.contains(&facts.commit), "ferry --version --verbose does not name its commit: {told}");
    let listed = system.run(&format!("/opt/{folder}/bin/ferry bench list"))?;
    ensure!(listed.contains("target-request-reply"), "ferry bench does not list its workloads: {listed}");
    Ok(Verdict::Ok)
}
