//! Debian packages in a small system: installed, used, upgraded, removed.

use super::system::{self, System};
use crate::package::making::Packages;
use crate::package::{deb, tree};
use crate::steps::{self, Verdict};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};

/// The version to upgrade to.
const NEXT: &str = "99.0.0";

/// A script that acts as the user of the package.
const AS_USER: &str = "as() { setpriv --reuid ferrymq --regid ferrymq --clear-groups \
                       env FERRY_DATA=/var/lib/ferrymq \"$@\"; }; ";

pub(super) fn try_them(root: &Path, out: &Path, packages: &Packages) -> Result<Verdict> {
    if let Some(missing) = system::missing() {
        steps::say_skipped(&missing);
        return Ok(Verdict::Skipped);
    }
    let system = System::new(root, out, "debs")?;
    let next: Vec<PathBuf> = packages
        .debs
        .iter()
        .map(|package| deb::with_version(package, &out.join("next"), NEXT))
        .collect::<Result<_>>()?;
    bring(&system, "debs", &packages.debs)?;
    bring(&system, "next", &next)?;
    let run = |script: &str| system.run(&format!("{AS_USER}{script}"));

    run("dpkg --install /debs/*.deb")?;
    expect(&run("stat -c '%U %G %a' /var/lib/ferrymq")?, "ferrymq ferrymq 750")?;
    expect(&run("getent passwd ferrymq | cut -d: -f6")?, "/var/lib/ferrymq")?;
    expect(&run("dspmqver -b -f 1")?, "FerryMQ")?;
    run(
        "test -s /lib/systemd/system/ferrymq@.service; test -s /usr/share/man/man1/ferry-qmgr-create.1.gz; \
         test -s /usr/lib/ferrymq/libmqm_r.so; test -s /usr/include/ferrymq/cmqc.h; \
         test -s /usr/share/bash-completion/completions/ferry; test -s /usr/share/doc/ferrymq/sbom.cdx.json",
    )?;
    run("as ferry qmgr create QM1 --port 0; as ferry qmgr start QM1 --detach; \
         as ferry mqsc -e 'DEFINE QLOCAL(ORDERS)'; as ferry put -P ORDERS kept; as ferry stop")?;

    // Installed again, nothing changes.
    run("dpkg --install /debs/*.deb")?;
    let told = run("dpkg --install /next/*.deb")?;
    ensure!(told.contains("restart each when it suits"), "the upgrade does not say what to do: {told}");
    expect(&run("dpkg-query --show --showformat '${Version}' ferrymq")?, NEXT)?;
    expect(
        &run(
            "as ferry qmgr start QM1 --detach >/dev/null; as ferry get ORDERS; as ferry put -P ORDERS again >/dev/null; as ferry stop >/dev/null",
        )?,
        "kept",
    )?;

    run("dpkg --remove ferrymq-names ferrymq-dev ferrymq")?;
    run("test ! -e /usr/bin/ferry; test ! -e /usr/bin/runmqsc; test ! -e /usr/lib/ferrymq")?;
    run("dpkg --purge ferrymq ferrymq-names ferrymq-dev")?;
    // Messages are not the package's to delete.
    run("test -d /var/lib/ferrymq/QM1/log")?;
    run("dpkg --install /next/*.deb")?;
    expect(
        &run("as ferry qmgr start QM1 --detach >/dev/null; as ferry get ORDERS; as ferry stop >/dev/null")?,
        "again",
    )?;
    Ok(Verdict::Ok)
}

/// Copies files into a folder of a system.
fn bring(system: &System, folder: &str, files: &[PathBuf]) -> Result<()> {
    let folder = system.path().join(folder);
    tree::empty(&folder)?;
    for file in files {
        fs::copy(file, folder.join(file.file_name().context("a file has no name")?))?;
    }
    Ok(())
}

pub(super) fn expect(found: &str, expected: &str) -> Result<()> {
    ensure!(found.trim() == expected, "{found:?} is there instead of {expected:?}");
    Ok(())
}
