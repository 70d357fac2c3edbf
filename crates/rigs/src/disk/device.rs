//! A logged block device with an ext4 on it, brought up and down with the system's own tools.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::write_log;

/// Why a rig cannot be had on this machine.
#[derive(Debug, thiserror::Error)]
pub enum RigError {
    /// A tool or a right is missing: the run is skipped, which is not a pass.
    #[error("SKIPPED: the power-cut rig needs {0}")]
    Unavailable(String),
    /// A step that should have worked did not.
    #[error("the power-cut rig failed at `{step}`: {reason}")]
    Failed {
        /// The command.
        step: String,
        /// Its output.
        reason: String,
    },
    /// A file could not be handled.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// An ext4 mounted from a device that a daemon serves. Dropping it unmounts and ends the daemon.
#[derive(Debug)]
struct ServedDevice {
    folder: PathBuf,
    disk_bytes: u64,
    daemon: Child,
    loop_device: Option<String>,
    mounted: bool,
}

/// Longest time for the daemon to serve its export.
const EXPORT_WAIT: Duration = Duration::from_secs(10);

impl ServedDevice {
    /// Brings a device of `disk_bytes` up below `folder`, formats and mounts it. The options make a node `b0`
    /// of the node `f0`, which is the disk.
    fn up(folder: &Path, disk_bytes: u64, options: &[String]) -> Result<Self, RigError> {
        check_tools()?;
        let disk = folder.join("disk.img");
        let export = folder.join("export");
        fs::create_dir_all(folder.join("mount"))?;
        fs::File::create(&disk)?.set_len(disk_bytes)?;
        fs::File::create(&export)?;
        let daemon = Command::new("qemu-storage-daemon")
            .arg("--blockdev")
            .arg(format!("driver=file,node-name=f0,filename={}", disk.display()))
            .args(options)
            .arg("--export")
            .arg(format!("type=fuse,id=e0,node-name=b0,mountpoint={},writable=on", export.display()))
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.join("daemon.log"))?)
            .spawn()?;
        let mut device =
            Self { folder: folder.to_owned(), disk_bytes, daemon, loop_device: None, mounted: false };
        device.wait_for_export(&export)?;
        let loop_device = run("losetup", &["-f", "--show", &export.display().to_string()])?.trim().to_owned();
        device.loop_device = Some(loop_device.clone());
        run("mkfs.ext4", &["-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", &loop_device])?;
        run("mount", &[&loop_device, &device.mount_point().display().to_string()])?;
        device.mounted = true;
        Ok(device)
    }

    fn mount_point(&self) -> PathBuf {
        self.folder.join("mount")
    }

    /// The export is a file of size zero until the daemon serves it.
    fn wait_for_export(&mut self, export: &Path) -> Result<(), RigError> {
        let until = Instant::now() + EXPORT_WAIT;
        while fs::metadata(export)?.len() != self.disk_bytes {
            if self.daemon.try_wait()?.is_some() || Instant::now() > until {
                let reason = fs::read_to_string(self.folder.join("daemon.log"))?;
                return Err(RigError::Failed { step: "qemu-storage-daemon".to_owned(), reason });
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    fn signal(&self, signal: rustix::process::Signal) -> Result<(), RigError> {
        let process = rustix::process::Pid::from_child(&self.daemon);
        rustix::process::kill_process(process, signal).map_err(|error| RigError::Io(error.into()))
    }
}

impl Drop for ServedDevice {
    fn drop(&mut self) {
        // Teardown is best effort: each step is tried even when an earlier one failed.
        if self.mounted {
            let _ = run("umount", &[&self.mount_point().display().to_string()]);
        }
        if let Some(loop_device) = &self.loop_device {
            let _ = run("losetup", &["-d", loop_device]);
        }
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
        let _ = run("fusermount3", &["-u", "-q", &self.folder.join("export").display().to_string()]);
    }
}

/// An ext4 mounted from a device whose every write is logged.
#[derive(Debug)]
pub struct LoggedDevice(ServedDevice);

impl LoggedDevice {
    /// Brings a device of `disk_bytes` up below `folder`, formats and mounts it.
    pub fn up(folder: &Path, disk_bytes: u64) -> Result<Self, RigError> {
        fs::create_dir_all(folder)?;
        let log = folder.join("write-log.img");
        // Sparse: as large as any run could fill.
        fs::File::create(&log)?.set_len(64 << 30)?;
        let options = [
            "--blockdev".to_owned(),
            format!("driver=file,node-name=l0,filename={}", log.display()),
            "--blockdev".to_owned(),
            "driver=blklogwrites,node-name=b0,file=f0,log=l0,log-sector-size=512".to_owned(),
        ];
        Ok(Self(ServedDevice::up(folder, disk_bytes, &options)?))
    }

    /// The folder at which the ext4 is mounted.
    #[must_use]
    pub fn mount_point(&self) -> PathBuf {
        self.0.mount_point()
    }

    /// The write log, for marks on acknowledgements and for replay.
    #[must_use]
    pub fn write_log(&self) -> PathBuf {
        self.0.folder.join("write-log.img")
    }

    /// The size of the disk.
    #[must_use]
    pub fn disk_bytes(&self) -> u64 {
        self.0.disk_bytes
    }

    /// Number of operations logged as of the last flush.
    pub fn entries_logged(&self) -> Result<u64, RigError> {
        Ok(write_log::entries_logged(&self.write_log())?)
    }
}

/// The most that a slow device does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As fast as the machine: only stalls make it slow.
    Full,
    /// So many writes a second.
    Writes(u32),
    /// So many bytes read a second.
    ReadBytes(u64),
}

/// An ext4 mounted from a device that is slow, or answers nothing for a while.
#[derive(Debug)]
pub struct SlowDevice(ServedDevice);

/// A device that answers nothing until this is dropped. Every access to its files waits meanwhile.
#[derive(Debug)]
pub struct Stall<'a>(&'a ServedDevice);

impl SlowDevice {
    /// Brings a device of `disk_bytes` up below `folder`, formats and mounts it.
    pub fn up(folder: &Path, disk_bytes: u64, pace: Pace) -> Result<Self, RigError> {
        let limit = match pace {
            Pace::Full => String::new(),
            Pace::Writes(most) => format!(",x-iops-write={most}"),
            Pace::ReadBytes(most) => format!(",x-bps-read={most}"),
        };
        let options = [
            "--object".to_owned(),
            format!("throttle-group,id=pace{limit}"),
            "--blockdev".to_owned(),
            "driver=throttle,node-name=b0,throttle-group=pace,file=f0".to_owned(),
        ];
        Ok(Self(ServedDevice::up(folder, disk_bytes, &options)?))
    }

    /// The folder at which the ext4 is mounted.
    #[must_use]
    pub fn mount_point(&self) -> PathBuf {
        self.0.mount_point()
    }

    /// Has the device answer nothing for a while.
    pub fn stall(&self) -> Result<Stall<'_>, RigError> {
        self.0.signal(rustix::process::Signal::STOP)?;
        Ok(Stall(&self.0))
    }
}

impl Drop for Stall<'_> {
    fn drop(&mut self) {
        // A daemon that has ended answers with errors, which end the wait as well.
        let _ = self.0.signal(rustix::process::Signal::CONT);
    }
}

/// A disk image mounted for inspection. Dropping it unmounts.
#[derive(Debug)]
pub struct MountedImage {
    loop_device: String,
    mount_point: PathBuf,
}

impl MountedImage {
    /// Mounts `image` at `mount_point`; ext4 replays its journal, as after a power cut.
    pub fn mount(image: &Path, mount_point: &Path) -> Result<Self, RigError> {
        fs::create_dir_all(mount_point)?;
        let loop_device = run("losetup", &["-f", "--show", &image.display().to_string()])?.trim().to_owned();
        let mounted = Self { loop_device: loop_device.clone(), mount_point: mount_point.to_owned() };
        run("mount", &[&loop_device, &mount_point.display().to_string()])?;
        Ok(mounted)
    }
}

impl Drop for MountedImage {
    fn drop(&mut self) {
        let _ = run("umount", &[&self.mount_point.display().to_string()]);
        let _ = run("losetup", &["-d", &self.loop_device]);
    }
}

/// A small ext4 in a file, mounted; what it can hold, in bytes and in files, is all there is.
pub fn mount_small(
    image: &Path,
    mount_point: &Path,
    disk_bytes: u64,
    files: Option<u32>,
) -> Result<MountedImage, RigError> {
    check_loops()?;
    fs::File::create(image)?.set_len(disk_bytes)?;
    let image_text = image.display().to_string();
    let files = files.map(|files| files.to_string());
    let mut arguments = vec!["-q", "-F", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0"];
    arguments.extend(files.iter().flat_map(|files| ["-N", files.as_str()]));
    arguments.push(&image_text);
    run("mkfs.ext4", &arguments)?;
    MountedImage::mount(image, mount_point)
}

/// Checks for the loop devices that a file system in a file needs.
fn check_loops() -> Result<(), RigError> {
    if !Path::new("/dev/loop-control").exists() {
        return Err(RigError::Unavailable("loop devices (run as root)".to_owned()));
    }
    check_programs(&[("losetup", "mount"), ("mkfs.ext4", "e2fsprogs")])
}

fn check_tools() -> Result<(), RigError> {
    check_loops()?;
    if !Path::new("/dev/fuse").exists() {
        return Err(RigError::Unavailable("/dev/fuse".to_owned()));
    }
    check_programs(&[("qemu-storage-daemon", "qemu-utils and qemu-system-common"), ("fusermount3", "fuse3")])
}

/// Each with the package that has it.
fn check_programs(programs: &[(&str, &str)]) -> Result<(), RigError> {
    for (program, package) in programs {
        let found =
            Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if found.is_err() {
            return Err(RigError::Unavailable(format!("{program} (package {package})")));
        }
    }
    Ok(())
}

fn run(program: &str, arguments: &[&str]) -> Result<String, RigError> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    if reason.contains("ermission denied") || reason.contains("must be superuser") {
        return Err(RigError::Unavailable(format!("the right to run {program} ({reason})")));
    }
    Err(RigError::Failed { step: format!("{program} {}", arguments.join(" ")), reason })
}
