//! The image, run by an ordinary user without an engine of containers: bubblewrap gives it a root that is
//! read-only, processes and a network of its own.

use crate::package::facts::output;
use crate::package::making::Packages;
use crate::package::tree;
use crate::steps::{self, Verdict};
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Users that the image knows nothing of.
const USERS: [u32; 2] = [54_321, 61_234];

/// The time in which one that is asked to end has ended, as a pod grants it.
const GRACE: Duration = Duration::from_secs(30);

/// Far longer than a start takes, on a machine that does other things as well.
const PATIENCE: Duration = Duration::from_secs(60);

/// The limit of memory, of which bodies get an eighth (0025).
const MEMORY_BYTES: u64 = 160 << 20;

/// The file with a body, where the container sees it, and its size.
const BODY: &str = "/etc/ferrymq/mqsc/body";
const BODY_BYTES: u64 = 1 << 20;

/// The definitions that are run at each start.
fn definitions(depth_max: u32) -> String {
    format!(
        "DEFINE QLOCAL(ORDERS) REPLACE DEFPSIST(YES) MAXDEPTH({depth_max})\nDEFINE QLOCAL(BODIES) REPLACE\n"
    )
}

pub(super) fn try_it(_root: &Path, out: &Path, packages: &Packages) -> Result<Verdict> {
    let is_root = output(Command::new("id").arg("--user")).ok().as_deref() == Some("0");
    if !is_root || output(Command::new("bwrap").arg("--version")).is_err() {
        steps::say_skipped(
            "the image is run as other users, which needs root and bwrap (apt-get install bubblewrap)",
        );
        return Ok(Verdict::Skipped);
    }
    let image = Image::unpack(&packages.image, &out.join("systems/image"))?;
    println!("the image has {} bytes as it is pulled", image.bytes);
    for user in USERS {
        use_it(&image, user).with_context(|| format!("as user {user}"))?;
    }
    steps::say_skipped("run by an engine of containers, and in a cluster: not shown, there are none here");
    Ok(Verdict::Ok)
}

/// Two starts with a message and a definition between them.
fn use_it(image: &Image, user: u32) -> Result<()> {
    let data = image.folder.join(format!("data-{user}"));
    tree::empty(&data)?;
    // The folder that the image has, and a volume that a pod gets: of root and its group, which may write.
    fs::set_permissions(&data, fs::Permissions::from_mode(0o770))?;
    chown(&data, Some(0), Some(0))?;
    let mqsc = image.folder.join(format!("mqsc-{user}"));
    tree::empty(&mqsc)?;
    fs::write(mqsc.join("queues.mqsc"), definitions(7))?;
    fs::write(mqsc.join("body"), vec![b'x'; BODY_BYTES as usize])?;
    let first = RunningContainer::start(image, user, &data, &mqsc)?;
    first.wait_until_ready()?;
    first.ferry(&["put", "ORDERS", "kept"])?;
    let health = first.inside(image.health_check.iter().map(String::as_str));
    ensure!(health.is_ok(), "the health check of the image fails: {health:?}");
    ensure!(first.inside(["/usr/bin/chkmqready"]).is_ok(), "the probe under its familiar name fails");
    first.end()?;
    fs::write(mqsc.join("queues.mqsc"), definitions(9))?;
    let second = RunningContainer::start(image, user, &data, &mqsc)?;
    second.wait_until_ready()?;
    let until = Instant::now() + PATIENCE;
    while !second.ferry(&["mqsc", "-e", "DISPLAY QLOCAL(ORDERS) MAXDEPTH"])?.contains("MAXDEPTH(9)") {
        ensure!(Instant::now() < until, "the definitions were not run at the second start");
        std::thread::sleep(Duration::from_millis(100));
    }
    let got = second.ferry(&["get", "ORDERS"])?;
    ensure!(got == "kept", "the message of the first start is {got:?} at the second");
    let page = second.ferry(&["mqsc", "-e", "DISPLAY QMGR ALL"])?;
    ensure!(page.contains("QMNAME(QM1)"), "it has another name: {page}");
    if second.group.is_some() {
        // Bodies of twice the limit, which all come back: those that are not in memory lie on the disk.
        let count = 2 * MEMORY_BYTES / BODY_BYTES;
        second.ferry(&["put", "-P", "BODIES", "--file", BODY, "--repeat", &count.to_string()])?;
        let depth = second.ferry(&["mqsc", "-e", "DISPLAY QLOCAL(BODIES) CURDEPTH"])?;
        ensure!(depth.contains(&format!("CURDEPTH({count})")), "some bodies are missing: {depth}");
    } else {
        steps::say_skipped("a limit of memory: not shown, control groups cannot be made here");
    }
    second.end()
}

/// An image, unpacked.
struct Image {
    folder: PathBuf,
    root: PathBuf,
    /// The words of its entry point, its environment, its health check.
    entry_point: Vec<String>,
    environment: Vec<(String, String)>,
    health_check: Vec<String>,
    bytes: u64,
}

impl Image {
    fn unpack(layout: &Path, folder: &Path) -> Result<Self> {
        let blob = |descriptor: &Value| -> Result<PathBuf> {
            let digest = descriptor["digest"].as_str().and_then(|digest| digest.strip_prefix("sha256:"));
            let digest = digest.context("a descriptor has no digest")?;
            let path = layout.join("blobs/sha256").join(digest);
            ensure!(tree::sum(&path)? == digest, "{} has other bytes than its name says", path.display());
            ensure!(descriptor["size"].as_u64() == Some(path.metadata()?.len()), "{digest} has another size");
            Ok(path)
        };
        let json = |path: &Path| -> Result<Value> { Ok(serde_json::from_slice(&fs::read(path)?)?) };
        let index = json(&layout.join("index.json"))?;
        let manifest = json(&blob(&index["manifests"][0])?)?;
        let configuration = json(&blob(&manifest["config"])?)?;
        let root = folder.join("root");
        tree::empty(&root)?;
        let layers = manifest["layers"].as_array().context("the image has no layers")?;
        let mut bytes = 0;
        for layer in layers {
            let path = blob(layer)?;
            bytes += path.metadata()?.len();
            output(Command::new("tar").arg("-xzpf").arg(path).arg("--directory").arg(&root))?;
        }
        let words = |value: &Value| -> Vec<String> {
            value
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|word| Some(word.as_str()?.to_owned()))
                .collect()
        };
        let config = &configuration["config"];
        let pair =
            |text: &String| text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        let health_check = words(&config["Healthcheck"]["Test"]).split_off(1);
        Ok(Self {
            folder: folder.to_owned(),
            root,
            entry_point: words(&config["Entrypoint"]),
            environment: words(&config["Env"]).iter().filter_map(pair).collect(),
            health_check,
            bytes,
        })
    }
}

/// A container that runs.
struct RunningContainer<'a> {
    image: &'a Image,
    user: u32,
    data: PathBuf,
    child: Child,
    /// The first process in it, by its number outside.
    process: u32,
    /// The control group that bounds its memory.
    group: Option<PathBuf>,
}

impl<'a> RunningContainer<'a> {
    fn start(image: &'a Image, user: u32, data: &Path, mqsc: &Path) -> Result<Self> {
        let info = image.folder.join("info");
        fs::write(&info, "")?;
        let group = group(user);
        // The group is joined before the user changes.
        let join = group
            .as_ref()
            .map_or(String::new(), |group| format!("echo $$ > {}/cgroup.procs; ", group.display()));
        let mut command = Command::new("sh");
        command
            .arg("-euc")
            .arg(format!("{join}info=$1; shift; exec \"$@\" 3>\"$info\""))
            .arg("sh")
            .arg(&info);
        command.args(["setpriv", "--reuid", &user.to_string(), "--regid", "0", "--clear-groups"]);
        command.args([
            "bwrap",
            "--info-fd",
            "3",
            "--clearenv",
            "--unshare-user",
            "--unshare-pid",
            "--as-pid-1",
        ]);
        command.args(["--unshare-net", "--uid", &user.to_string(), "--gid", "0", "--cap-drop", "ALL"]);
        command.arg("--ro-bind").arg(&image.root).arg("/");
        command.arg("--bind").arg(data).arg("/var/lib/ferrymq");
        command.arg("--ro-bind").arg(mqsc).arg("/etc/ferrymq/mqsc");
        command.args(["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]);
        command.args(["--tmpfs", "/sys", "--ro-bind", "/sys/fs/cgroup", "/sys/fs/cgroup"]);
        for (name, value) in &image.environment {
            command.args(["--setenv", name, value]);
        }
        command.args(&image.entry_point);
        let log = fs::File::create(image.folder.join(format!("log-{user}")))?;
        let child = command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()?;
        let until = Instant::now() + PATIENCE;
        let process = loop {
            let text = fs::read_to_string(&info).unwrap_or_default();
            if let Ok(told) = serde_json::from_str::<Value>(&text) {
                break told["child-pid"].as_u64().context("bwrap names no process")? as u32;
            }
            ensure!(Instant::now() < until, "bwrap starts nothing: {}", log_of(image, user));
            std::thread::sleep(Duration::from_millis(20));
        };
        Ok(Self { image, user, data: data.to_owned(), child, process, group })
    }

    fn wait_until_ready(&self) -> Result<()> {
        let until = Instant::now() + PATIENCE;
        while self.ferry(&["check", "ready"]).is_err() {
            if Instant::now() >= until {
                bail!("it is not ready within {PATIENCE:?}: {}", log_of(self.image, self.user));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Runs a command in it, as an engine does for a probe.
    fn inside<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> Result<String> {
        let mut command = Command::new("nsenter");
        command.args(["--target", &self.process.to_string(), "--mount", "--pid", "--net"]);
        command.args(["--setuid", &self.user.to_string(), "--setgid", "0", "--"]).args(words);
        command.env_clear().envs(self.image.environment.iter().cloned());
        output(&mut command)
    }

    fn ferry(&self, words: &[&str]) -> Result<String> {
        self.inside(["/usr/bin/ferry"].into_iter().chain(words.iter().copied()))
    }

    /// Asks it to end, as an engine does.
    fn end(mut self) -> Result<()> {
        output(Command::new("kill").args(["-TERM", &self.process.to_string()]))?;
        let until = Instant::now() + GRACE;
        let status = loop {
            if let Some(status) = self.child.try_wait()? {
                break status;
            }
            if Instant::now() >= until {
                self.child.kill()?;
                bail!("it did not end within {GRACE:?} of SIGTERM");
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        ensure!(status.success(), "it ended with {status}: {}", log_of(self.image, self.user));
        ensure!(self.data.join("QM1/ferry.toml").exists(), "its data is not where it was given");
        Ok(())
    }
}

impl Drop for RunningContainer<'_> {
    fn drop(&mut self) {
        // It has ended, unless a step failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = self.group.as_ref().map(fs::remove_dir);
    }
}

fn log_of(image: &Image, user: u32) -> String {
    fs::read_to_string(image.folder.join(format!("log-{user}"))).unwrap_or_default()
}

/// A control group with the limit, where one can be made; either kind of tree.
fn group(user: u32) -> Option<PathBuf> {
    let name = format!("ferrymq-check-{}-{user}", std::process::id());
    for (tree, file) in [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")]
    {
        let group = Path::new(tree).join(&name);
        if fs::create_dir(&group).is_ok() {
            if fs::write(group.join(file), MEMORY_BYTES.to_string()).is_ok() {
                return Some(group);
            }
            let _ = fs::remove_dir(&group);
        }
    }
    None
}
