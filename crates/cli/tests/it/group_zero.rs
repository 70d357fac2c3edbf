//! A container that is given another user at each start, and group 0 always, as some platforms do.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::{Ferry, signal};

/// Users that the machine does not know.
const USERS: [u32; 3] = [4_711, 4_712, 4_713];

/// A data directory as the image has it, for the members of group 0.
struct Container {
    ferry: Ferry,
    settings: PathBuf,
}

impl Container {
    /// None where the tests run as a user that cannot be another.
    fn new(settings: &str) -> Option<Self> {
        let ferry = Ferry::new();
        chown(ferry.data(), None, Some(0)).ok().filter(|()| fs::metadata("/").unwrap().uid() == own())?;
        let container = Self { settings: ferry.data().join("settings.toml"), ferry };
        let health = "[health]\naddress = \"127.0.0.1:0\"\n[listener]\naddresses = []\n";
        fs::write(&container.settings, format!("{settings}{health}")).unwrap();
        mode(container.ferry.data(), 0o770);
        Some(container)
    }

    fn folder(&self) -> PathBuf {
        self.ferry.data().join("QM1")
    }

    /// A command as this user, under a mask that would take all from the group.
    fn command(&self, user: u32, group: u32, arguments: &[&str]) -> Command {
        let mut command = self.masked(arguments);
        command.uid(user).gid(group);
        command
    }

    /// A command as a user whose group is 0, and who is in the group of the volume besides.
    fn command_in(&self, user: u32, volume: u32, arguments: &[&str]) -> Command {
        let masked = self.masked(arguments);
        let mut command = Command::new("setpriv");
        let identity = format!("--reuid={user} --regid=0 --groups={volume}");
        command.args(identity.split(' ')).arg(masked.get_program()).args(masked.get_args());
        command.envs(masked.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.current_dir("/").stdin(Stdio::null());
        command
    }

    fn masked(&self, arguments: &[&str]) -> Command {
        let own = self.ferry.command(arguments);
        let mut command = Command::new("sh");
        command.args(["-c", "umask 077; exec \"$0\" \"$@\""]).arg(own.get_program()).args(own.get_args());
        command.envs(own.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.env("HOME", "/").current_dir("/").stdin(Stdio::null());
        command
    }

    /// Output of a command that must succeed.
    #[track_caller]
    fn ok(&self, user: u32, arguments: &[&str]) -> String {
        let output = self.command(user, 0, arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{arguments:?}: {said}{}", String::from_utf8_lossy(&output.stderr));
        said
    }

    /// Starts as this user, and waits until it is ready.
    #[track_caller]
    fn start(&self, user: u32) -> Running {
        self.start_by(|arguments| self.command(user, 0, arguments))
    }

    /// Starts by such commands, and waits until it is ready.
    #[track_caller]
    fn start_by(&self, command: impl Fn(&[&str]) -> Command) -> Running {
        let settings = self.settings.to_str().unwrap();
        let mut start = command(&["container", "--mqsc", "/none", "--settings", settings]);
        let mut running = Running(start.stdout(Stdio::null()).spawn().unwrap());
        for _ in 0..1_200 {
            if command(&["check", "ready"]).output().unwrap().status.success() {
                return running;
            }
            assert_eq!(running.0.try_wait().unwrap(), None, "{start:?} ended");
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("{start:?} does not become ready");
    }
}

/// Ends with the test.
struct Running(Child);

impl Running {
    fn end(mut self, name: &str) {
        signal(self.0.id(), name);
        self.0.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn own() -> u32 {
    fs::metadata("/proc/self").unwrap().uid()
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Everything below a directory, and itself.
fn all_of(path: &Path) -> Vec<PathBuf> {
    let mut found = vec![path.to_owned()];
    if fs::symlink_metadata(path).unwrap().is_dir() {
        found.extend(fs::read_dir(path).unwrap().flat_map(|entry| all_of(&entry.unwrap().path())));
    }
    found
}

/// All of it is for its owner and group 0, and for nobody else.
#[track_caller]
fn is_shared(path: &Path) {
    for path in all_of(path) {
        let found = fs::symlink_metadata(&path).unwrap();
        if found.is_symlink() {
            continue;
        }
        let expected = if found.is_dir() { 0o2770 } else { 0o660 };
        let (group, mode) = (found.gid(), found.mode() & 0o7777);
        assert_eq!((group, format!("{mode:o}")), (0, format!("{expected:o}")), "{}", path.display());
    }
}

#[test]
fn any_user_of_group_zero_starts_again_what_another_made() {
    let Some(container) = Container::new("") else { return };
    let [first, second, _] = USERS;
    let running = container.start(first);
    container.ok(first, &["mqsc", "-e", "DEFINE QLOCAL(ORDERS) DEFPSIST(YES)"]);
    container.ok(first, &["put", "ORDERS", "kept"]);
    // Commands beside it make files of their own, keys too.
    container.ok(first, &["tls", "init", "QM1"]);
    container.ok(first, &["mqsc", "-e", "ALTER QMGR DESCR('x') SSLEV(ENABLED)"]);
    is_shared(&container.folder());
    running.end("KILL");
    assert!(container.folder().join("security/keys").is_dir());

    let running = container.start(second);
    assert_eq!(container.ok(second, &["get", "ORDERS"]), "kept\n");
    container.ok(second, &["put", "ORDERS", "more"]);
    let findings = container.command(second, 0, &["doctor", "QM1", "-o", "json"]).output().unwrap();
    let findings = String::from_utf8_lossy(&findings.stdout).into_owned();
    assert!(!findings.contains("files.mode") && !findings.contains("files.owner"), "{findings}");
    let owners: Vec<u32> =
        all_of(&container.folder()).iter().map(|path| fs::symlink_metadata(path).unwrap().uid()).collect();
    assert!(owners.contains(&first) && owners.contains(&second), "{owners:?}");
    is_shared(&container.folder());
    running.end("TERM");

    container.start(first).end("TERM");
    is_shared(&container.folder());
    for (user, group) in [(second, 4_711), (USERS[2], 4_713), (first, 4_711)] {
        let refused = container.command(user, group, &["qmgr", "start", "QM1"]).output().unwrap();
        assert!(!refused.status.success(), "user {user} of group {group}");
    }
}

#[test]
fn parts_that_are_elsewhere_are_shared_as_well() {
    let place = tempfile::tempdir().unwrap();
    let settings = format!("[log]\ndirectory = \"{}\"\n", place.path().join("logs").display());
    let Some(container) = Container::new(&settings) else { return };
    fs::create_dir(place.path().join("logs")).unwrap();
    chown(place.path().join("logs"), None, Some(0)).unwrap();
    mode(&place.path().join("logs"), 0o770);
    mode(place.path(), 0o755);
    container.start(USERS[0]).end("KILL");
    is_shared(&place.path().join("logs/QM1"));
    container.start(USERS[1]).end("TERM");
    is_shared(&container.folder());
    is_shared(&place.path().join("logs/QM1"));
}

#[test]
fn a_folder_of_an_earlier_release_is_shared_by_its_owner_and_by_no_other_command() {
    let Some(container) = Container::new("") else { return };
    let [first, second, _] = USERS;
    container.ok(first, &["qmgr", "create", "QM1"]);
    for path in all_of(&container.folder()) {
        let found = fs::metadata(&path).unwrap();
        assert_eq!(found.mode() & 0o077, 0, "{}: it is for its owner alone", path.display());
    }
    let settings = container.settings.to_str().unwrap();
    let refused = container.command(second, 0, &["container", "--settings", settings]).output().unwrap();
    assert!(!refused.status.success(), "its owner has not shared it");
    container.start(first).end("KILL");
    is_shared(&container.folder());
    container.start(second).end("TERM");

    // Without group 0 everything stays for its owner alone.
    let Some(other) = Container::new("") else { return };
    chown(other.ferry.data(), Some(first), Some(4_711)).unwrap();
    chown(&other.settings, Some(first), None).unwrap();
    mode(other.ferry.data(), 0o700);
    let settings = other.settings.to_str().unwrap();
    let mut command = other.command(first, 4_711, &["container", "--settings", settings]);
    let running = Running(command.stdout(Stdio::null()).spawn().unwrap());
    for _ in 0..1_200 {
        let ready = other.command(first, 4_711, &["check", "ready"]).output().unwrap();
        if ready.status.success() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let paths = all_of(&other.folder());
    assert!(paths.len() > 10, "{paths:?}");
    for path in paths {
        let found = fs::symlink_metadata(&path).unwrap();
        assert_eq!(found.mode() & 0o077, 0, "{}: it is for its owner alone", path.display());
    }
    running.end("TERM");
}

/// Gives a volume a group as Kubernetes does at each mount by `fsGroup` with the policy `Always`.
fn mount(volume: &Path, group: u32) {
    for path in all_of(volume) {
        let found = fs::symlink_metadata(&path).unwrap();
        if found.is_symlink() {
            continue;
        }
        chown(&path, None, Some(group)).unwrap();
        mode(&path, found.mode() & 0o7777 | if found.is_dir() { 0o2770 } else { 0o660 });
    }
}

#[test]
fn a_volume_that_has_another_group_at_each_mount_is_started_by_any_user_in_that_group() {
    let volume = 5_000;
    let Some(container) = Container::new("") else { return };
    let [first, second, third] = USERS;
    let ok = |user: u32, arguments: &[&str]| {
        let output = container.command_in(user, volume, arguments).output().unwrap();
        let said = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        assert!(output.status.success(), "{arguments:?}: {said:?}");
        said[0].clone()
    };
    mount(container.ferry.data(), volume);
    for (round, user) in [first, second, third, first].into_iter().enumerate() {
        let running = container.start_by(|arguments| container.command_in(user, volume, arguments));
        if round == 0 {
            ok(user, &["mqsc", "-e", "DEFINE QLOCAL(ORDERS) DEFPSIST(YES)"]);
            ok(user, &["tls", "init", "QM1"]);
        } else {
            assert_eq!(ok(user, &["get", "ORDERS"]), format!("{}\n", round - 1));
        }
        ok(user, &["put", "ORDERS", &round.to_string()]);
        let findings = container.command_in(user, volume, &["doctor", "QM1", "-o", "json"]).output().unwrap();
        let findings = String::from_utf8_lossy(&findings.stdout).into_owned();
        assert!(!findings.contains("files.mode") && !findings.contains("files.owner"), "{findings}");
        for path in all_of(&container.folder()) {
            let found = fs::symlink_metadata(&path).unwrap();
            let expected = if found.is_dir() { 0o2770 } else { 0o660 };
            assert!(
                [0, volume].contains(&found.gid()) && found.mode() & 0o7777 == expected,
                "{}: group {}, mode {:o}",
                path.display(),
                found.gid(),
                found.mode()
            );
        }
        running.end(if round == 1 { "KILL" } else { "TERM" });
        mount(container.ferry.data(), volume);
    }
    // The group of the volume alone makes nobody one of the container.
    let settings = container.settings.to_str().unwrap();
    for (user, group) in [(second, volume), (second, 0)] {
        let start = ["container", "--mqsc", "/none", "--settings", settings];
        let refused = container.command(user, group, &start).output().unwrap();
        assert!(!refused.status.success(), "user {user} of group {group}");
    }
}

#[test]
fn what_is_restored_in_the_data_of_a_container_is_for_every_user_of_group_zero() {
    let Some(container) = Container::new("") else { return };
    let [first, second, third] = USERS;
    let place = tempfile::tempdir().unwrap();
    mode(place.path(), 0o1777);
    let backup = place.path().join("backup");
    let backup = backup.to_str().unwrap();
    let running = container.start(first);
    container.ok(first, &["mqsc", "-e", "DEFINE QLOCAL(ORDERS) DEFPSIST(YES)"]);
    container.ok(first, &["put", "ORDERS", "kept"]);
    container.ok(first, &["backup", backup]);
    running.end("TERM");
    // Into a new folder, and into one that was made for it.
    for (is_there, user) in [(false, second), (true, third)] {
        container.ok(first, &["qmgr", "delete", "QM1", "--yes"]);
        if is_there {
            fs::create_dir(container.folder()).unwrap();
            chown(container.folder(), Some(first), Some(0)).unwrap();
            mode(&container.folder(), 0o700);
        }
        container.ok(first, &["restore", backup]);
        is_shared(&container.folder());
        let running = container.start(user);
        assert_eq!(container.ok(user, &["get", "ORDERS"]), "kept\n");
        is_shared(&container.folder());
        running.end("TERM");
    }
    // Where the data are for their owner alone, what is restored is as well.
    container.ok(first, &["qmgr", "delete", "QM1", "--yes"]);
    chown(container.ferry.data(), Some(first), Some(0)).unwrap();
    mode(container.ferry.data(), 0o700);
    container.ok(first, &["restore", backup]);
    for path in all_of(&container.folder()) {
        let found = fs::symlink_metadata(&path).unwrap();
        assert!(found.is_symlink() || found.mode() & 0o077 == 0, "{}", path.display());
    }
}
