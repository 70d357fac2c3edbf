//! Exit codes of familiar names that another process, another user or an absent object brings about.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::familiar::{Prefix, told};
use crate::support::signal;

/// A user that the machine does not know.
const ANOTHER: u32 = 4_711;

/// Longest wait for what is on its way, on a machine that does other things as well.
const PATIENCE: Duration = Duration::from_secs(60);

/// A creation that stands still in the middle.
struct Creation(Child);

impl Creation {
    /// Begins crtmqm QM1 and stops it while it makes the folder.
    fn stopped(prefix: &Prefix) -> Self {
        let lock = prefix.data().join(".creating.QM1/making.lock");
        // A creation of a large log takes longest.
        let arguments = ["-p", "0", "-lf", "65535", "-lp", "8", "QM1"];
        for _ in 0..100 {
            let mut command = prefix.command("crtmqm", &arguments);
            let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().expect("it starts");
            let until = Instant::now() + PATIENCE;
            while !lock.exists() && child.try_wait().expect("its state").is_none() {
                assert!(Instant::now() < until, "it makes nothing");
            }
            // A child that was not waited for keeps its number.
            signal(child.id(), "STOP");
            if lock.exists() && !prefix.data().join("QM1").exists() {
                return Self(child);
            }
            signal(child.id(), "CONT");
            assert!(child.wait().expect("it ends").success());
            assert_eq!(prefix.run("dltmqm", &["QM1"]).code, 0);
        }
        panic!("each creation ended before it was stopped");
    }

    fn finish(mut self) -> bool {
        signal(self.0.id(), "CONT");
        self.0.wait().expect("it ends").success()
    }
}

impl Drop for Creation {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn while_another_process_makes_a_queue_manager_the_code_is_3() {
    let prefix = Prefix::new();
    let creation = Creation::stopped(&prefix);
    for tool in ["crtmqm", "strmqm", "endmqm", "dltmqm"] {
        let told = prefix.run(tool, &["QM1"]);
        assert_eq!(told.code, 3, "{tool}: {}{}", told.stdout, told.stderr);
        assert!(told.stderr.contains("creation"), "{tool}: {}", told.stderr);
    }
    assert!(creation.finish());
    for (tool, code) in [("crtmqm", 8), ("endmqm", 40), ("dltmqm", 0), ("strmqm", 16)] {
        assert_eq!(prefix.run(tool, &["QM1"]).code, code, "{tool} after it");
    }
}

#[test]
fn what_the_system_does_not_let_a_user_do_has_the_code_119() {
    // Nobody else can run a command as another user.
    if fs::metadata("/proc/self").expect("a process").uid() != 0 {
        return;
    }
    let prefix = Prefix::running();
    assert_eq!(prefix.run("crtmqm", &["QM2"]).code, 0);
    let mode = |path: &std::path::Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("its mode");
    };
    mode(prefix.ferry.data(), 0o755);
    let as_another = |tool: &str, arguments: &[&str]| {
        // The links are made by their owner.
        let mut command = prefix.command(tool, arguments);
        command.uid(ANOTHER).gid(ANOTHER);
        told(command, "")
    };
    // A directory of data that only its owner enters, and one that all may read.
    for mode_of_data in [0o700, 0o755] {
        mode(&prefix.data(), mode_of_data);
        for (tool, name) in
            [("crtmqm", "QM3"), ("strmqm", "QM2"), ("endmqm", "QM1"), ("dltmqm", "QM2"), ("strmqm", "QM1")]
        {
            let told = as_another(tool, &[name]);
            let said = format!("{tool} {name} at {mode_of_data:o}: {}{}", told.stdout, told.stderr);
            assert_eq!(told.code, 119, "{said}");
        }
    }
    assert_eq!(prefix.run("dltmqm", &["QM2"]).code, 0, "it is whole");
}

#[test]
fn an_object_that_is_not_there_has_the_code_133() {
    let prefix = Prefix::running();
    let right = ["-m", "QM1", "-t", "queue", "-n", "ORDERS", "-g", "ops"];
    let given = |rights: &[&str]| prefix.run("setmqaut", &[&right, rights].concat());
    for told in [given(&["+get"]), given(&["-get"]), prefix.run("dspmqaut", &right)] {
        assert_eq!(told.code, 133, "{}{}", told.stdout, told.stderr);
        assert!(told.stderr.contains("ORDERS"), "{}", told.stderr);
    }
    let topic = ["-m", "QM1", "-t", "topic", "-n", "PRICES", "-p", "ada", "+pub"];
    assert_eq!(prefix.run("setmqaut", &topic).code, 133);
    // A pattern waits for its objects, and the name of another queue manager is that of no object.
    let pattern = ["-m", "QM1", "-t", "queue", "-n", "ORDERS.**", "-g", "ops", "+get"];
    let partner = ["-m", "QM1", "-t", "rqmname", "-n", "QM2", "-g", "ops", "+put"];
    for arguments in [pattern, partner] {
        let told = prefix.run("setmqaut", &arguments);
        assert_eq!(told.code, 0, "{arguments:?}: {}", told.stderr);
    }
    assert_eq!(prefix.with_input("runmqsc", &["QM1"], "DEFINE QLOCAL(ORDERS)\n").code, 0);
    for told in [given(&["+get"]), prefix.run("dspmqaut", &right)] {
        assert_eq!(told.code, 0, "{}{}", told.stdout, told.stderr);
    }
}

#[test]
fn dspmq_says_by_its_code_if_any_of_those_that_run_was_found() {
    let prefix = Prefix::running();
    for (options, code) in [(&["-a"][..], 5), (&["-a", "-m", "QM1"], 5), (&[], 0), (&["-m", "QM1"], 0)] {
        assert_eq!(prefix.run("dspmq", options).code, code, "{options:?}");
    }
    assert_eq!(prefix.run("endmqm", &["-i", "QM1"]).code, 0);
    let told = prefix.run("dspmq", &["-a"]);
    assert_eq!((told.code, told.stdout.as_str()), (0, ""));
}
