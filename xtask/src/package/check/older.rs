//! A kept archive of an earlier release beside this one: clients of each with a queue manager of the other,
//! and the data directory of the earlier one opened by this one.

use super::debs::expect;
use super::system::{self, System};
use crate::package::facts::output;
use crate::package::making::Packages;
use crate::package::tree;
use crate::steps::{self, Verdict};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that names the kept archive.
const ARCHIVE: &str = "FERRY_OLDER";

pub(super) fn try_it(root: &Path, out: &Path, packages: &Packages) -> Result<Verdict> {
    let Some(older) = std::env::var_os(ARCHIVE).map(PathBuf::from) else {
        steps::say_skipped(&format!("no archive of an earlier release is named by {ARCHIVE}"));
        return Ok(Verdict::Skipped);
    };
    if let Some(missing) = system::missing() {
        steps::say_skipped(&missing);
        return Ok(Verdict::Skipped);
    }
    let system = System::new(root, out, "older")?;
    let unpack = |archive: &Path, name: &str| -> Result<String> {
        let folder = system.path().join("opt").join(name);
        tree::empty(&folder)?;
        let mut tar = Command::new("tar");
        tar.args(["--extract", "--strip-components=1", "--file"]).arg(archive);
        output(tar.arg("--directory").arg(&folder)).with_context(|| format!("{}", archive.display()))?;
        Ok(format!("/opt/{name}/bin/ferry"))
    };
    let (new, old) = (unpack(&packages.archive, "new")?, unpack(&older, "old")?);
    for (server, client, data) in
        [(&old, &new, "/tmp/one"), (&new, &old, "/tmp/other"), (&new, &old, "/tmp/one")]
    {
        let got = system.run(&format!(
            "export FERRY_DATA={data}; {server} dev --port 0 --http none >/tmp/log 2>&1 & \
             export FERRY_DATA={data}; until {server} check ready >/dev/null; do sleep 0.1; done; \
             address=unix:{data}/QM1/socket; \
             {client} put --connect $address -P DEV.QUEUE.1 hello >/dev/null; \
             {client} get --connect $address DEV.QUEUE.1; {server} put -P DEV.QUEUE.2 kept >/dev/null; {server} stop >/dev/null"
        ))?;
        expect(&got, "hello").with_context(|| format!("{client} with a queue manager of {server}"))?;
    }
    // Two messages of the earlier program's queue manager, the second put by this one.
    let depth = format!(
        "export FERRY_DATA=/tmp/one; {new} qmgr start QM1 --detach >/dev/null; {new} get DEV.QUEUE.2 --all; \
         {new} stop >/dev/null"
    );
    expect(&system.run(&depth)?, "kept\nkept")?;
    Ok(Verdict::Ok)
}
