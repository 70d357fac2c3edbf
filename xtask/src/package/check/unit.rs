//! The unit for systemd, without systemd: its recipe made in a small system and judged by systemd's own
//! tools, and its command run as its user beside a socket that hears it.

use super::debs::expect;
use super::system::{self, System};
use crate::package::facts::output;
use crate::steps::{self, Verdict};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The most that `systemd-analyze security` may find, in tenths.
const EXPOSURE_MAX: &str = "20";

/// Far longer than a start or an end takes, on a machine that does other things as well.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) fn try_it(root: &Path, out: &Path) -> Result<Verdict> {
    if let Some(missing) = system::missing() {
        steps::say_skipped(&missing);
        return Ok(Verdict::Skipped);
    }
    let system = System::new(root, out, "unit")?;
    let inside = |path: &str| system.path().join(path);
    let prefix = out.join("prefix");
    for (from, to) in [
        ("bin/ferry", "usr/bin/ferry"),
        ("share/systemd/sysusers.conf", "usr/lib/sysusers.d/ferrymq.conf"),
        ("share/systemd/tmpfiles.conf", "usr/lib/tmpfiles.d/ferrymq.conf"),
        ("share/systemd/ferrymq@.service", "usr/lib/systemd/system/ferrymq@.service"),
    ] {
        let to = inside(to);
        fs::create_dir_all(to.parent().context("a path has no folder")?)?;
        fs::copy(prefix.join(from), &to).with_context(|| format!("cannot copy {from}"))?;
    }
    let of_system = |program: &str, more: &[&str]| {
        let mut command = Command::new(program);
        command.arg(format!("--root={}", system.path().display())).args(more);
        output(&mut command)
    };
    of_system("systemd-sysusers", &[])?;
    of_system("systemd-tmpfiles", &["--create", "--prefix=/var/lib/ferrymq"])?;
    expect(&system.run("stat -c '%U %G %a' /var/lib/ferrymq")?, "ferrymq ferrymq 750")?;
    // The targets that it names are systemd's own, which is not in the small system.
    for target in [
        "network.target",
        "local-fs.target",
        "multi-user.target",
        "sysinit.target",
        "basic.target",
        "shutdown.target",
    ] {
        let path = inside("usr/lib/systemd/system").join(target);
        fs::write(path, format!("[Unit]\nDescription={target}\nDefaultDependencies=no\n"))?;
    }
    let analyzed = |words: &[&str]| {
        let mut command = Command::new("systemd-analyze");
        command.arg(format!("--root={}", system.path().display())).args(words);
        let done = command.arg("ferrymq@QM1.service").output().context("cannot start systemd-analyze")?;
        let told =
            [done.stdout, done.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        ensure!(done.status.success(), "systemd-analyze {words:?} is not content:\n{told}");
        Ok(told)
    };
    let told = analyzed(&["verify", "--man=no"])?;
    let complaints: Vec<&str> = told.lines().filter(|line| line.contains("ferrymq@")).collect();
    ensure!(complaints.is_empty(), "systemd-analyze verify: {complaints:?}");
    let told = analyzed(&["security", "--offline=true", &format!("--threshold={EXPOSURE_MAX}")])?;
    println!("{}", told.lines().last().unwrap_or_default());
    run_as_its_user(&system, &fs::read_to_string(inside("usr/lib/systemd/system/ferrymq@.service"))?)?;
    steps::say_skipped("started by systemd as the first process: not shown, there is none here");
    Ok(Verdict::Ok)
}

/// Runs the command of the unit as the user of the unit, hears it, and ends it as systemd would.
fn run_as_its_user(system: &System, unit: &str) -> Result<()> {
    let setting = |key: &str| {
        let line = unit.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.with_context(|| format!("the unit has no {key}"))
    };
    let command = setting("ExecStart")?.replace("%i", "QM1");
    let (user, environment) = (setting("User")?, setting("Environment")?);
    let as_user = format!("setpriv --reuid {user} --regid {user} --clear-groups env {environment}");
    system.run(&format!("{as_user} ferry qmgr create QM1 --port 0"))?;
    let path = system.path().join("run/notify");
    let socket = UnixDatagram::bind(&path)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666))?;
    socket.set_read_timeout(Some(Duration::from_millis(100)))?;
    let watchdog = "NOTIFY_SOCKET=/run/notify WATCHDOG_USEC=3000000";
    let script = format!(
        "{as_user} {watchdog} {command} >/dev/null & started=$!; \
         trap \"kill -TERM $started\" USR1; wait $started || true; wait $started"
    );
    let mut running = system.command(&script).stdout(Stdio::null()).spawn()?;
    let hear = |wanted: &str| -> Result<()> {
        let until = Instant::now() + PATIENCE;
        let mut heard = Vec::new();
        while Instant::now() < until {
            let mut told = [0; 256];
            match socket.recv(&mut told) {
                Ok(bytes) => {
                    let told = String::from_utf8_lossy(&told[..bytes]).into_owned();
                    if told == wanted {
                        return Ok(());
                    }
                    heard.push(told);
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(error) => bail!("cannot hear the unit: {error}"),
            }
        }
        bail!("{wanted} was not heard within {PATIENCE:?}, only {heard:?}")
    };
    let heard = hear("READY=1").and_then(|()| hear("WATCHDOG=1")).and_then(|()| hear("WATCHDOG=1"));
    // The shell hands the signal on, as the process that it starts is in a space of its own.
    let shell = output(Command::new("pgrep").args(["--parent", &running.id().to_string()]));
    let ended = shell.and_then(|shell| {
        output(Command::new("kill").args(["-USR1", shell.trim()]))?;
        hear("STOPPING=1")
    });
    if heard.is_err() || ended.is_err() {
        let _ = running.kill();
    }
    let status = running.wait()?;
    heard.and(ended)?;
    ensure!(status.success(), "the command of the unit ended with {status} after SIGTERM");
    Ok(())
}
