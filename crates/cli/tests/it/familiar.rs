//! Commands under the names that scripts know: the life of a queue manager, its definitions, reason codes,
//! versions.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::support::{Ferry, Server, free_port};

/// A prefix with familiar names, and a data directory.
pub(crate) struct Prefix {
    pub(crate) ferry: Ferry,
    bin: PathBuf,
}

pub(crate) struct Told {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Prefix {
    pub(crate) fn new() -> Self {
        let ferry = Ferry::new();
        let bin = ferry.data().join("prefix/bin");
        std::fs::create_dir_all(&bin).expect("a folder");
        Self { ferry, bin }
    }

    /// One with a queue manager QM1 that runs.
    pub(crate) fn running() -> Self {
        let prefix = Self::new();
        assert_eq!(prefix.run("crtmqm", &["-p0", "QM1"]).code, 0);
        assert_eq!(prefix.run("strmqm", &[]).code, 0);
        prefix
    }

    /// A queue manager QM1 that asks its clients for passwords. The user alice has the password `secret`.
    pub(crate) fn with_users(&self) -> Server {
        std::fs::create_dir_all(self.data()).expect("a folder");
        let ferry = Ferry::at(&self.data());
        ferry.ok(&["qmgr", "create", "QM1", "--set", "listener.addresses=[\"127.0.0.1:0\"]"]);
        assert_eq!(ferry.with_input(&["user", "add", "QM1", "alice"], b"secret\n").code, 0);
        let server = ferry.start(&["qmgr", "start", "QM1"]);
        let checks = "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKCLNT(REQUIRED) \
                      FAILDLAY(0)";
        ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(DEV.QUEUE.1)", "-e", checks]);
        ferry.ok(&["auth", "grant", "alice", "connect,dsp", "--type", "qmgr"]);
        ferry.ok(&["auth", "grant", "alice", "put,get,browse,dsp,inq", "**"]);
        server
    }

    pub(crate) fn command(&self, tool: &str, arguments: &[&str]) -> Command {
        let program = self.bin.join(tool);
        if !program.exists() {
            std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_ferry"), &program).expect("a link");
        }
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.ferry.data()).env("FERRY_DATA", self.data());
        for variable in ["FERRY_CONNECT", "FERRY_QMGR", "MQSERVER"] {
            command.env_remove(variable);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.ferry.data().join("data")
    }

    pub(crate) fn run(&self, tool: &str, arguments: &[&str]) -> Told {
        self.with_input(tool, arguments, "")
    }

    pub(crate) fn with_input(&self, tool: &str, arguments: &[&str], input: &str) -> Told {
        told(self.command(tool, arguments), input)
    }

    fn status(&self) -> String {
        self.run("dspmq", &[]).stdout
    }
}

/// A queue manager that a test started must not outlive its failure.
impl Drop for Prefix {
    fn drop(&mut self) {
        for line in self.status().lines().filter(|line| line.contains("STATUS(Running)")) {
            let name = line.split(['(', ')']).nth(1).unwrap_or_default();
            self.run("endmqm", &["-p", name]);
        }
    }
}

pub(crate) fn told(mut command: Command, input: &str) -> Told {
    let mut child = command.spawn().expect("a tool runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A tool that fails early does not read everything.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("a tool ends");
    Told {
        code: output.status.code().expect("it ends by itself"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn a_queue_manager_lives_from_crtmqm_to_dltmqm() {
    let prefix = Prefix::new();
    let created = prefix.run("crtmqm", &["-p", "0", "-u", "DEAD.LETTERS", "-lp", "3", "-lf", "256", "QM1"]);
    assert_eq!(created.code, 0, "{}{}", created.stdout, created.stderr);
    assert!(created.stdout.contains("Queue manager 'QM1' created."), "{}", created.stdout);
    let settings = std::fs::read_to_string(prefix.data().join("QM1/ferry.toml")).expect("settings");
    for setting in ["extent_size = \"1 MiB\"", "primary_extents = 3", "addresses = [\"127.0.0.1:0\"]"] {
        assert!(settings.contains(setting), "{setting} in {settings}");
    }
    assert_eq!(prefix.run("crtmqm", &["QM1"]).code, 8);
    let padding = " ".repeat(48 - "QM1".len());
    assert_eq!(prefix.status(), format!("QMNAME(QM1){padding}  STATUS(Ended normally)\n"));

    assert_eq!(prefix.run("strmqm", &["QM1"]).code, 0);
    assert_eq!(prefix.run("strmqm", &["QM1"]).code, 5);
    assert!(prefix.status().contains("STATUS(Running)"));
    assert_eq!(prefix.run("dltmqm", &["QM1"]).code, 5);
    let shown = prefix.with_input("runmqsc", &["-e", "QM1"], "DISPLAY QMGR DEADQ\n");
    assert!(shown.stdout.contains("DEADQ(DEAD.LETTERS)"), "{}{}", shown.stdout, shown.stderr);

    assert_eq!(prefix.run("endmqm", &["-w", "QM1"]).code, 0);
    assert_eq!(prefix.run("endmqm", &["QM1"]).code, 40);
    assert!(prefix.status().contains("STATUS(Ended normally)"));
    assert_eq!(prefix.run("dltmqm", &["QM1"]).code, 0);
    assert_eq!(prefix.status(), "");
}

#[test]
fn queue_managers_that_were_made_without_a_port_run_together() {
    let prefix = Prefix::new();
    let ini = prefix.ferry.data().join("qm.ini");
    std::fs::write(&ini, "Channels:\n   MaxChannels=50\n").expect("a file");
    let ini = ini.to_str().expect("a path");
    for (name, options) in [("QM1", &[][..]), ("QM2", &["-u", "DEAD"]), ("QM3", &["-ii", ini])] {
        assert_eq!(prefix.run("crtmqm", &[options, &[name]].concat()).code, 0, "{name}");
        let started = prefix.run("strmqm", &[name]);
        assert_eq!(started.code, 0, "{name}: {}{}", started.stdout, started.stderr);
        let shown = prefix.with_input("runmqsc", &["-e", name], "DISPLAY QMGR QMNAME\n");
        assert!(shown.stdout.contains(&format!("QMNAME({name})")), "{}{}", shown.stdout, shown.stderr);
    }
    // Listeners are asked for, by a definition or by the port of a file of settings.
    let port = free_port();
    let listener =
        format!("DEFINE LISTENER(L) TRPTYPE(TCP) PORT({port}) IPADDR('127.0.0.1')\nSTART LISTENER(L)\n");
    let ran = prefix.with_input("runmqsc", &["-e", "QM1"], &listener);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    std::fs::write(ini, "TCP:\n   Port=0\n").expect("a file");
    assert_eq!(prefix.run("crtmqm", &["-ii", ini, "QM4"]).code, 0);
    for (name, addresses) in [("QM3", "addresses = []"), ("QM4", "addresses = [\"127.0.0.1:0\"]")] {
        let settings =
            std::fs::read_to_string(prefix.data().join(name).join("ferry.toml")).expect("settings");
        assert!(settings.contains(addresses), "{name}: {settings}");
    }
}

#[test]
fn dspmq_shows_what_its_options_choose() {
    let prefix = Prefix::running();
    assert_eq!(prefix.run("crtmqm", &["QM2"]).code, 0);
    let name = |name: &str| format!("QMNAME({name}){}  ", " ".repeat(48 - name.len()));
    let (first, second) = (name("QM1"), name("QM2"));
    for (options, expected) in [
        (&["-n"][..], format!("{first}STATUS(Running)\n{second}STATUS(Ended normally)\n")),
        (&["-a"], format!("{first}STATUS(Running)\n")),
        (&["-s", "-o", "status"], format!("{first}STATUS(Running)\n{second}STATUS(Ended normally)\n")),
        (&["-o", "default"], format!("{first}DEFAULT(no)\n{second}DEFAULT(no)\n")),
        (&["-o", "standby", "-o", "status", "-m", "QM2"], {
            format!("{second}STANDBY(Not permitted) STATUS(Ended normally)\n")
        }),
    ] {
        let told = prefix.run("dspmq", options);
        let code = if options == ["-a"] { 5 } else { 0 };
        assert_eq!((told.code, told.stdout), (code, expected), "{options:?}: {}", told.stderr);
    }
    let told = prefix.run("dspmq", &["-nxac"]).stdout;
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!((lines.len(), lines[0]), (3, format!("{first}STATUS(Running)").as_str()), "{told}");
    assert!(lines[1].starts_with("    INSTANCE(") && lines[1].ends_with(") MODE(Active)"), "{told}");
    let process = lines[2].strip_prefix("    QMGR PID(").and_then(|text| text.strip_suffix(')'));
    assert!(process.is_some_and(|text| std::path::Path::new("/proc").join(text).exists()), "{told}");
    let all = prefix.run("dspmq", &["-o", "all", "-m", "QM1"]).stdout;
    let version = concat!("INSTVER(", env!("CARGO_PKG_VERSION"), ".0)");
    for detail in
        ["DEFAULT(no)", "STANDBY(Not permitted)", "INSTNAME(FerryMQ)", "INSTPATH(/", version, "PID("]
    {
        assert!(all.contains(detail), "{detail} in {all}");
    }
}

#[test]
fn files_may_begin_with_a_byte_order_mark() {
    let prefix = Prefix::running();
    let file = |name: &str, text: &str| {
        let path = prefix.ferry.data().join(name);
        std::fs::write(&path, format!("\u{feff}{text}")).expect("a file");
        path.to_str().expect("a path").to_owned()
    };
    let script = "DEFINE QLOCAL(A) REPLACE\n";
    for (arguments, input) in [
        (vec!["-e", "QM1"], format!("\u{feff}{script}")),
        (vec!["-f", &file("a.mqsc", script), "QM1"], String::new()),
    ] {
        let told = prefix.with_input("runmqsc", &arguments, &input);
        assert_eq!(told.code, 0, "{arguments:?}: {}{}", told.stdout, told.stderr);
    }
    let ini = file("qm.ini", "Channels:\n   MaxChannels=50\n");
    let created = prefix.run("crtmqm", &["-ii", &ini, "-ic", &file("b.mqsc", "DEFINE QLOCAL(B)\n"), "QM2"]);
    assert_eq!(created.code, 0, "{}{}", created.stdout, created.stderr);
    let settings = prefix.data().join("QM2/ferry.toml");
    let text = std::fs::read_to_string(&settings).expect("settings");
    std::fs::write(&settings, format!("\u{feff}{text}")).expect("settings");
    assert_eq!(prefix.run("strmqm", &["QM2"]).code, 0);

    let ferry = Ferry::at(&prefix.data());
    ferry.ok(&["dlq", "rules", "--check", &file("rules", "ACTION(IGNORE)\n")]);
    ferry.ok(&["config", "apply", "-m", "QM1", &file("c.mqsc", "DEFINE QLOCAL(C)\n")]);
    ferry.ok(&["put", "A", "body", "-m", "QM1"]);
    let exported = ferry.ok(&["export", "A", "-m", "QM1"]);
    ferry.ok(&["import", "C", &file("messages", &exported), "-m", "QM1"]);
    assert_eq!(ferry.ok(&["get", "C", "-m", "QM1"]), "body\n");
    let table = r#"{"channel":[{"name":"T","clientConnection":{"connection":[{"host":"h"}],"queueManager":"QM1"},"type":"clientConnection"}]}"#;
    let mut shown = prefix.command("runmqsc", &["-n"]);
    shown.env("MQCCDTURL", format!("file://{}", file("ccdt.json", table)));
    let shown = told(shown, "DISPLAY CHANNEL(*)\n");
    assert!(shown.code == 0 && shown.stdout.contains("CHANNEL(T)"), "{}{}", shown.stdout, shown.stderr);
}

#[test]
fn a_script_with_a_byte_that_is_no_text_is_run_as_far_as_told_or_not_at_all() {
    let prefix = Prefix::running();
    let script = b"DEFINE QLOCAL(ONE)\nDEFINE QLOCAL(TWO)\n* 123\xE9\nDEFINE QLOCAL(THREE)\n";
    let path = prefix.ferry.data().join("script");
    std::fs::write(&path, script).expect("a file");
    let is_there = |name: &str| {
        prefix.with_input("runmqsc", &["-e", "QM1"], &format!("DISPLAY QLOCAL({name})\n")).code == 0
    };
    let refused = prefix.run("runmqsc", &["-f", path.to_str().expect("a path"), "QM1"]);
    let at = "line 3: byte 6 of it (0xE9) is not UTF-8";
    assert_eq!(refused.code, 20, "{}{}", refused.stdout, refused.stderr);
    assert!(refused.stderr.contains(at) && refused.stderr.contains("nothing was run"), "{}", refused.stderr);
    assert!(!is_there("ONE"));
    let mut piped = prefix.command("runmqsc", &["QM1"]);
    piped.stdin(std::fs::File::open(&path).expect("a file"));
    let output = piped.output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let so_far = if is_there("ONE") { "2 commands before it went" } else { "nothing was run" };
    assert_eq!(output.status.code(), Some(20), "{stderr}");
    assert!(stderr.contains(at) && stderr.contains(so_far), "{stderr}");
    assert!(is_there("ONE") == is_there("TWO") && !is_there("THREE"), "{stderr}");
}

#[test]
fn what_is_typed_wrong_and_what_is_not_there_have_their_codes() {
    let prefix = Prefix::new();
    for (tool, arguments, code, words) in [
        ("strmqm", &["QM1"][..], 16, "there is no queue manager QM1"),
        ("endmqm", &["-i", "QM1"], 16, "there is no queue manager QM1"),
        ("endmqm", &["-i", "-w", "QM1"], 39, "exclude each other"),
        ("endmqm", &[], 39, "is missing"),
        ("dltmqm", &["QM1"], 16, "there is no queue manager QM1"),
        ("crtmqm", &["-y", "QM1"], 39, "-y is no option here"),
        ("crtmqm", &["-lp", "many", "QM1"], 39, "is no number"),
        ("crtmqm", &["-p", "99999", "QM1"], 39, "-p 99999 is no port from 0 to 65535\n"),
        ("crtmqm", &["-lp", "0", "QM1"], 39, "crtmqm: log.primary_extents = 0 is not right: "),
        ("crtmqm", &["-p", "0", "-t", "x", "QM1"], 39, "-t x is no number"),
        ("crtmqm", &["-p", "0", "-h", "-1", "QM1"], 39, "-h -1 is no number"),
        ("crtmqm", &["-p", "0", "-x", "1e3", "QM1"], 39, "-x 1e3 is no number"),
        ("crtmqm", &["Q M"], 72, ""),
        ("dspmq", &["-o", "fish"], 36, "is not shown"),
        ("dspmq", &["-z"], 36, "-z is no option here"),
        ("dspmq", &["QM1"], 36, "A queue manager is named by -m"),
        ("dspmq", &["-m", "QM1"], 72, "there is no queue manager QM1"),
        ("dspmq", &["-m", "Q M"], 72, ""),
        ("runmqsc", &["QM1"], 20, "there is no queue manager QM1"),
        ("runmqsc", &["-n", "QM1"], 20, "nothing else goes with it"),
        ("runmqsc", &["-n", "-e"], 20, "nothing else goes with it"),
        ("runmqsc", &["-w", "0", "QM1"], 20, "-w 0 is no number of seconds from 1 to 999999"),
        ("runmqsc", &["-w", "1000000", "QM1"], 20, "is no number of seconds"),
        ("runmqsc", &["-x", "QM1"], 20, "-x goes with -w SECONDS"),
        ("runmqsc", &["-m", "QM1", "QM2"], 20, "-m goes with -w SECONDS"),
        ("dmpmqcfg", &["-o", "setmqaut", "-m", "QM1"], 20, "-o setmqaut is not there"),
        ("setmqaut", &["-m", "QM1", "-t", "qmgr", "+all"], 149, "-p names a user"),
        ("setmqaut", &["-m", "QM1", "-t", "q", "-p", "ada", "+put"], 146, "-n names the object"),
        ("setmqaut", &["-m", "QM1", "-t", "q", "-n", "A", "-p", "ada"], 150, "+RIGHT gives a right"),
        (
            "setmqaut",
            &["-m", "QM1", "-t", "q", "-n", "A", "-p", "ada", "+pub"],
            151,
            "+pub is no right on a QUEUE",
        ),
        (
            "setmqaut",
            &["-m", "QM1", "-t", "q", "-n", "A", "-p", "ada", "+put"],
            72,
            "there is no queue manager QM1",
        ),
        ("dspmqaut", &["-m", "QM1"], 147, "-t names the type"),
        ("dspmqaut", &["-m", "QM1", "-t", "fish"], 148, "-t fish is no type of object"),
        ("dmpmqaut", &["-e", "-x"], 36, "-e or -x, not both"),
        ("mqrc", &["nothing"], 1, "neither a number nor the name"),
        ("dspmqver", &["-f", "x"], 20, "is no number"),
    ] {
        let told = prefix.run(tool, arguments);
        assert_eq!(told.code, code, "{tool} {arguments:?}: {}", told.stderr);
        assert!(told.stderr.contains(words), "{tool} {arguments:?}: {}", told.stderr);
        assert_eq!(told.stdout, "", "{tool} {arguments:?}");
    }
}

#[test]
fn rights_are_given_shown_dumped_and_taken_under_familiar_names() {
    let prefix = Prefix::running();
    let ok = |tool: &str, arguments: &[&str]| {
        let told = prefix.run(tool, arguments);
        assert_eq!(told.code, 0, "{tool} {arguments:?}: {}", told.stderr);
        told.stdout
    };
    assert_eq!(prefix.with_input("runmqsc", &["QM1"], "DEFINE QLOCAL(PAY.IN)\n").code, 0);
    let done = "The setmqaut command completed successfully.\n";
    let profile = ["-m", "QM1", "-n", "PAY.**", "-t", "q", "-p", "ada", "-g", "staff"];
    assert_eq!(ok("setmqaut", &[&profile[..], &["+put", "+get", "+browse"]].concat()), done);
    assert_eq!(ok("setmqaut", &[&profile[..], &["-get"]].concat()), done);
    assert_eq!(ok("setmqaut", &["-m", "QM1", "-t", "qmgr", "-pada", "+connect"]), done);
    let creating = prefix.run("setmqaut", &[&profile[..4], &["-t", "q", "-p", "bob", "+crt"]].concat());
    assert_eq!((creating.code, creating.stdout.as_str()), (0, done));
    assert!(creating.stderr.contains("CRT has no effect in PROFILE(PAY.**)"), "{}", creating.stderr);
    assert_eq!(ok("setmqaut", &[&profile[..4], &["-t", "q", "-p", "bob", "-remove"]].concat()), done);
    let shown = ok("dspmqaut", &["-m", "QM1", "-n", "PAY.IN", "-t", "queue", "-p", "ada"]);
    assert_eq!(shown, "Entity ada has the following authorizations for object PAY.IN:\n\tbrowse\n\tput\n");
    let shown = ok("dspmqaut", &["-m", "QM1", "-t", "qmgr", "-p", "ada"]);
    assert_eq!(shown, "Entity ada has the following authorizations for object QM1:\n\tconnect\n");
    let dumped = ok("dmpmqaut", &["-m", "QM1", "-t", "q", "-g", "staff"]);
    assert_eq!(
        dumped,
        "profile:     PAY.**\nobject type: queue\nentity:      staff\nentity type: group\nauthority:   browse put\n"
    );
    assert_eq!(ok("dmpmqaut", &["-m", "QM1"]).matches("- - - -").count(), 2 * 2, "three records");
    let commands = ok("dmpmqaut", &["-m", "QM1", "-a", "-n", "PAY.**", "-x", "-p", "ada", "-t", "q"]);
    assert_eq!(commands, "setmqaut -m 'QM1' -n 'PAY.**' -t queue -p 'ada' +browse +put\n");
    assert_eq!(ok("setmqaut", &[&profile[..], &["-remove"]].concat()), done);
    assert_eq!(ok("dmpmqaut", &["-m", "QM1", "-n", "PAY.**", "-t", "q"]), "");
    let gone = prefix.run("setmqaut", &[&profile[..], &["-remove"]].concat());
    assert_eq!(gone.code, 71, "{}", gone.stderr);
    assert!(gone.stderr.contains("PAY.**"), "{}", gone.stderr);
    let rules = ok("dmpmqcfg", &["-m", "QM1", "-x", "chlauth"]);
    assert!(rules.contains("SET CHLAUTH") && !rules.contains("DEFINE"), "{rules}");
}

#[test]
fn each_cause_has_its_exit_code() {
    let prefix = Prefix::running();
    let right = ["-t", "queue", "-n", "ORDERS", "-g", "ops"];
    let of_right = |queue_manager: &'static str, more: &[&'static str]| {
        [&["-m", queue_manager][..], &right, more].concat()
    };
    assert_eq!(prefix.run("crtmqm", &["QM2"]).code, 0);
    for (tool, arguments, code) in [
        ("dspmq", vec!["-m", "NOPE"], 72),
        ("dspmq", vec!["-m", "NO PE"], 72),
        ("dspmq", vec!["-y"], 36),
        ("dspmqver", vec!["-y"], 20),
        ("dspmqver", vec!["-f", "x"], 20),
        ("dspmqver", vec!["-p", "64"], 20),
        ("runmqsc", vec!["NOPE"], 20),
        ("runmqsc", vec!["QM2"], 20),
        ("runmqsc", vec!["-f", "/no/such/file", "QM1"], 20),
        ("dmpmqcfg", vec!["-m", "NOPE"], 20),
        ("dmpmqcfg", vec!["-m", "QM2"], 20),
        ("dmpmqcfg", vec!["-t", "nonsense"], 20),
        ("strmqm", vec!["NOPE"], 16),
        ("strmqm", vec!["NO PE"], 72),
        ("strmqm", vec!["-y", "QM1"], 39),
        ("strmqm", vec!["QM1"], 5),
        ("endmqm", vec!["NOPE"], 16),
        ("endmqm", vec!["QM2"], 40),
        ("endmqm", vec![], 39),
        ("endmqm", vec!["NO PE"], 72),
        ("dltmqm", vec!["NOPE"], 16),
        ("dltmqm", vec!["QM1"], 5),
        ("dltmqm", vec!["NO PE"], 72),
        ("crtmqm", vec!["QM1"], 8),
        ("crtmqm", vec!["NO PE"], 72),
        ("crtmqm", vec!["-y", "QM3"], 39),
        ("setmqaut", of_right("NOPE", &["+get"]), 72),
        ("setmqaut", of_right("NO PE", &["+get"]), 72),
        ("setmqaut", of_right("QM2", &["+get"]), 40),
        ("setmqaut", of_right("QM1", &[]), 150),
        ("setmqaut", of_right("QM1", &["+fly"]), 151),
        ("dspmqaut", of_right("NOPE", &[]), 72),
        ("dspmqaut", of_right("QM2", &[]), 40),
        ("dmpmqaut", vec!["-m", "NOPE"], 72),
        ("dmpmqaut", vec!["-m", "QM2"], 40),
    ] {
        let told = prefix.run(tool, &arguments);
        assert_eq!(told.code, code, "{tool} {arguments:?}: {}{}", told.stdout, told.stderr);
    }
    let script = prefix.with_input("runmqsc", &["QM1"], "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(BAD NAME)\n");
    assert_eq!(script.code, 10, "{}{}", script.stdout, script.stderr);
}

#[test]
fn runmqsc_tells_what_became_of_a_script() {
    let prefix = Prefix::running();
    let script = "* a queue\nDEFINE QLOCAL(ORDERS) MAXDEPTH(7)\nEND\nDEFINE QLOCAL(NEVER)\n";
    let defined = prefix.with_input("runmqsc", &["QM1"], script);
    assert_eq!(defined.code, 0, "{}", defined.stderr);
    for line in [
        "Starting MQSC for queue manager QM1.",
        "     1 : DEFINE QLOCAL(ORDERS) MAXDEPTH(7)",
        "One MQSC command read.",
        "No commands have a syntax error.",
        "All valid MQSC commands were processed.",
    ] {
        assert!(defined.stdout.lines().any(|told| told == line), "{line} in {}", defined.stdout);
    }
    let quiet = prefix.with_input("runmqsc", &["-e", "QM1"], "DISPLAY QLOCAL(ORDERS) MAXDEPTH\n");
    assert!(quiet.stdout.contains("MAXDEPTH(7)") && !quiet.stdout.contains(" : "), "{}", quiet.stdout);
    let refused = prefix.with_input("runmqsc", &["QM1"], "DELETE QLOCAL(NEVER)\nNONSENSE\n");
    assert_eq!(refused.code, 10);
    assert!(
        refused.stdout.contains("2 MQSC commands read.\nOne command has a syntax error.\n"),
        "{}",
        refused.stdout
    );
    assert!(
        refused.stdout.ends_with("One valid MQSC command could not be processed.\n"),
        "{}",
        refused.stdout
    );
    let refused = prefix.with_input("runmqsc", &["QM1"], "DELETE QLOCAL(A)\nDELETE QLOCAL(B)\n");
    assert!(
        refused.stdout.ends_with("2 valid MQSC commands could not be processed.\n"),
        "{}",
        refused.stdout
    );
    for (arguments, nothing) in [
        (&["QM1"][..], "DISPLAY CHSTATUS(*)\n"),
        (&["QM1"], "DISPLAY QLOCAL(NEVER*)\n"),
        (&["QM1"], "DISPLAY QLOCAL(NEVER)\n"),
        (&["-w", "30", "QM1"], "DISPLAY QLOCAL(NEVER*)\n"),
    ] {
        let found = prefix.with_input("runmqsc", arguments, &format!("{nothing}PING QMGR\n"));
        assert_eq!(found.code, 10, "{nothing}: {}", found.stdout);
        assert!(
            found.stdout.ends_with("One valid MQSC command could not be processed.\n"),
            "{}",
            found.stdout
        );
    }
    let checked = prefix.with_input("runmqsc", &["-v"], "DELETE QLOCAL(NEVER)\n");
    assert_eq!(checked.code, 0, "{}", checked.stdout);

    let dumped = prefix.run("dmpmqcfg", &["-m", "QM1", "-a"]);
    assert_eq!(dumped.code, 0, "{}", dumped.stderr);
    assert!(dumped.stdout.contains("DEFINE QLOCAL('ORDERS')"), "{}", dumped.stdout);
    assert!(!dumped.stdout.contains("QLOCAL('NEVER')"));
}

#[test]
fn runmqsc_changes_a_table_of_client_channels() {
    let prefix = Prefix::new();
    let path = prefix.ferry.data().join("clients.json");
    let run = |script: &str| {
        let mut command = prefix.command("runmqsc", &["-n"]);
        command.env("MQCHLLIB", prefix.ferry.data()).env("MQCHLTAB", "clients.json");
        told(command, script)
    };
    let defined = run("DEFINE CHANNEL(TO.QM1) CHLTYPE(CLNTCONN) CONNAME('one(1414),two') QMNAME(QM1) +\n\
         SSLCIPH(ANY_TLS13) DEFRECON(QMGR) CLNTWGHT(7) AFFINITY(NONE) DESCR('of the tests')\n");
    assert_eq!(defined.code, 0, "{}{}", defined.stdout, defined.stderr);
    let read = || -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(&path).expect("a table")).expect("JSON")
    };
    assert_eq!(
        read()["channel"][0],
        serde_json::json!({
            "name": "TO.QM1", "type": "clientConnection", "general": {"description": "of the tests"},
            "clientConnection": {
                "connection": [{"host": "one", "port": 1414}, {"host": "two", "port": 1414}], "queueManager": "QM1"
            },
            "connectionManagement": {"affinity": "none", "clientWeight": 7, "defaultReconnect": "queueManager"},
            "transmissionSecurity": {"cipherSpecification": "ANY_TLS13"},
        })
    );
    // What others wrote into it stays.
    let mut table = read();
    table["channel"][0]["exits"] = serde_json::json!({"send": []});
    table["of others"] = serde_json::json!(1);
    std::fs::write(&path, table.to_string()).expect("written");
    let altered = run("ALTER CHANNEL(TO.QM1) CHLTYPE(CLNTCONN) HBINT(5) SSLCIPH(' ')\n");
    assert_eq!(altered.code, 0, "{}", altered.stdout);
    let after = read();
    assert!(after["channel"][0]["exits"].is_object() && after["of others"] == 1, "{after}");
    assert_eq!(after["channel"][0]["connectionManagement"]["heartbeatInterval"], 5);
    let shown = run("DISPLAY CHANNEL(TO.*) WHERE(CLNTWGHT GT 6) CONNAME DEFRECON SSLCIPH\n");
    for field in ["CHANNEL(TO.QM1)", "CONNAME(one(1414),two(1414))", "DEFRECON(QMGR)", "SSLCIPH( )"] {
        assert!(shown.stdout.contains(field), "{field} in {}", shown.stdout);
    }
    // What is wrong changes nothing.
    let before = std::fs::read(&path).expect("a table");
    let wrong = run("DEFINE CHANNEL(TO.QM1) CHLTYPE(CLNTCONN)\nDELETE CHANNEL(NEVER)\nDISPLAY QMGR\n\
         ALTER CHANNEL(TO.QM1) CHLTYPE(CLNTCONN) NETPRTY(1)\nALTER CHANNEL(TO.QM1) CHLTYPE(CLNTCONN) LOCLADDR('h(1)')\n\
         DEFINE CHANNEL(OTHER) CHLTYPE(SVRCONN)\n");
    assert_eq!(wrong.code, 10, "{}", wrong.stdout);
    for words in
        ["already exists", "not found", "CHLTYPE(CLNTCONN) alone", "LOCLADDR has no key in a table in JSON"]
    {
        assert!(wrong.stdout.contains(words), "{words} in {}", wrong.stdout);
    }
    assert_eq!(std::fs::read(&path).expect("a table"), before);
    let deleted = run(
        "DEFINE CHANNEL(SECOND) CHLTYPE(CLNTCONN) LIKE(TO.QM1)\nDELETE CHANNEL(TO.QM1)\nDISPLAY CHANNEL(*)\n",
    );
    assert_eq!(deleted.code, 0, "{}", deleted.stdout);
    assert!(deleted.stdout.contains("CHANNEL(SECOND)") && read()["channel"][0]["name"] == "SECOND");
    for (content, reason, step) in [
        (
            "AMQR\0",
            "it is in binary form, and tables here are in JSON",
            "`runmqsc -n < clntconn.mqsc` writes them",
        ),
        ("{\"channel\":[", "EOF while parsing", "a table is JSON in UTF-8"),
        ("DEFINE CHANNEL(C)", "expected value", "a table is JSON in UTF-8"),
    ] {
        std::fs::write(&path, content).expect("written");
        let refused = run("DISPLAY CHANNEL(*)\n");
        assert_eq!(refused.code, 20, "{}", refused.stderr);
        for words in [path.to_str().expect("a text"), reason, step] {
            assert!(refused.stderr.contains(words), "{words} in {}", refused.stderr);
        }
        assert_eq!(std::fs::read(&path).expect("a table"), content.as_bytes(), "it stays");
    }
    // The way that is named for a table in binary form, from a queue manager to programs.
    std::fs::remove_file(&path).expect("removed");
    let queue_manager = Prefix::running();
    let define = "DEFINE CHANNEL(TO.QM7) CHLTYPE(CLNTCONN) CONNAME('h(1414),i') QMNAME(QM7) CLNTWGHT(2)\n";
    assert_eq!(queue_manager.with_input("runmqsc", &["QM1"], define).code, 0);
    let all = ["-m", "QM1", "-t", "clntconn", "-x", "object", "-o", "1line"];
    let kept = queue_manager.with_input("dmpmqcfg", &all, "");
    let written = run(&kept.stdout);
    assert_eq!(written.code, 0, "{}{}", kept.stdout, written.stdout);
    let table = read();
    let channels = table["channel"].as_array().expect("a list");
    let made = channels.iter().find(|channel| channel["name"] == "TO.QM7").expect("it is there");
    assert_eq!(made["clientConnection"]["queueManager"], "QM7");
    assert_eq!(made["clientConnection"]["connection"][1]["host"], "i");
    assert_eq!(made["connectionManagement"]["clientWeight"], 2);
}

#[test]
fn runmqsc_has_commands_run_by_way_of_the_command_queue() {
    let prefix = Prefix::running();
    let script = "DEFINE QLOCAL(ORDERS) MAXDEPTH(7)\nDISPLAY QLOCAL(ORDERS) MAXDEPTH\n";
    for arguments in [&["-w", "30", "QM1"][..], &["-w", "30", "-m", "QM1"]] {
        let told = prefix.with_input("runmqsc", arguments, &format!("{script}DELETE QLOCAL(ORDERS)\n"));
        assert_eq!(told.code, 0, "{}{}", told.stdout, told.stderr);
        assert!(told.stdout.contains("Starting MQSC for queue manager QM1."), "{}", told.stdout);
        assert!(told.stdout.contains("MAXDEPTH(7)"), "{}", told.stdout);
    }
    let refused = prefix.with_input("runmqsc", &["-w", "30", "QM1"], "DELETE QLOCAL(NEVER)\nNONSENSE\n");
    assert_eq!(refused.code, 10);
    assert!(refused.stdout.contains("One command has a syntax error."), "{}", refused.stdout);
    assert!(
        refused.stdout.ends_with("One valid MQSC command could not be processed.\n"),
        "{}",
        refused.stdout
    );
    // Nothing that was made for the answers is left.
    let left = prefix.with_input("runmqsc", &["-e", "QM1"], "DISPLAY QLOCAL(*) WHERE(DEFTYPE EQ TEMPDYN)\n");
    assert!(!left.stdout.contains("QUEUE("), "{}", left.stdout);
}

#[test]
fn runmqsc_passes_commands_on_to_another_queue_manager() {
    let prefix = Prefix::running();
    let unknown = prefix.with_input("runmqsc", &["-w", "1", "-m", "QM1", "QM2"], "PING QMGR\n");
    assert!(unknown.code == 20 && unknown.stderr.contains("MQRC_UNKNOWN_REMOTE_Q_MGR"), "{}", unknown.stderr);
    assert_eq!(prefix.with_input("runmqsc", &["QM1"], "DEFINE QLOCAL(QM2) USAGE(XMITQ)\n").code, 0);
    // Nobody takes them from the transmission queue, so nobody answers.
    let unanswered = prefix.with_input("runmqsc", &["-w", "1", "-m", "QM1", "QM2"], "PING QMGR\n");
    assert_eq!(unanswered.code, 10, "{}", unanswered.stderr);
    let timed_out = "MQSC timed out waiting for a response from the command server.";
    assert!(unanswered.stdout.contains(timed_out), "{}", unanswered.stdout);
    let depth = prefix.with_input("runmqsc", &["-e", "QM1"], "DISPLAY QLOCAL(QM2) CURDEPTH\n");
    assert!(depth.stdout.contains("CURDEPTH(1)"), "{}", depth.stdout);
}

/// A command server of another kind is asked in text: the programs of the tests play it, as there is none
/// here.
#[test]
fn runmqsc_asks_another_kind_of_queue_manager_in_text() {
    let prefix = Prefix::running();
    assert_eq!(prefix.with_input("runmqsc", &["QM1"], "DEFINE QLOCAL(SYSTEM.COMMAND.INPUT)\n").code, 0);
    // A command that ours have not is not judged here.
    let asked = prefix.with_input("runmqsc", &["-w", "1", "-x", "QM1"], "DISPLAY THREAD(*)\n");
    assert_eq!(asked.code, 10, "{}", asked.stderr);
    let put = prefix.run("amqsbcg", &["SYSTEM.COMMAND.INPUT", "QM1"]);
    assert!(
        put.stdout.contains("Format : 'MQSTR   '") && put.stdout.contains("DISPLAY THREAD(*"),
        "{}",
        put.stdout
    );
}

#[test]
fn runmqsc_finds_its_queue_manager_as_a_client() {
    let prefix = Prefix::new();
    let server = prefix.ferry.dev();
    let elsewhere = format!("SYSTEM.DEF.SVRCONN/TCP/127.0.0.1(1),127.0.0.1({})", server.port());
    let run = |server: &str, arguments: &[&str], input: &str| {
        let mut command = prefix.command("runmqsc", arguments);
        command.env("MQSERVER", server);
        told(command, input)
    };
    let shown = run(&elsewhere, &["-c", "-w", "60", "-e"], "DISPLAY QLOCAL(DEV.QUEUE.1)\n");
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert!(shown.stdout.contains("QUEUE(DEV.QUEUE.1)"), "{}", shown.stdout);
    let endless = run(&elsewhere, &["-c", "-u", "me", "-e"], &"x".repeat(2000));
    assert!(
        endless.stderr.contains("the line has more than 1 KiB, which no password has"),
        "{}",
        endless.stderr
    );
    let wrong = run("nowhere", &["-c"], "");
    assert!(wrong.code == 20 && wrong.stderr.contains("CHANNEL/TCP/host(port)"), "{}", wrong.stderr);
}

#[test]
fn a_user_connects_with_the_password_of_the_first_line() {
    let prefix = Prefix::new();
    let server = prefix.with_users();
    let run = |tool: &str, arguments: &[&str], input: &str| {
        let mut command = prefix.command(tool, arguments);
        command.env("MQSERVER", format!("SYSTEM.DEF.SVRCONN/TCP/127.0.0.1({})", server.port()));
        told(command, input)
    };
    // Nothing connects, and the password is no statement.
    let checked = run("runmqsc", &["-v", "-u", "alice"], "secret\nDISPLAY QMGR QMNAME\n");
    assert!(checked.code == 0 && !checked.stdout.contains("secret"), "{}", checked.stdout);
    for (tool, arguments, input, expected) in [
        ("runmqsc", &["-u", "alice", "QM1"][..], "DISPLAY QMGR QMNAME\n", "One MQSC command read.\n"),
        ("runmqsc", &["-w", "30", "-u", "alice", "QM1"], "PING QMGR\n", "One MQSC command read.\n"),
        ("dmpmqcfg", &["-u", "alice", "-m", "QM1", "-t", "qlocal"], "", "QLOCAL('DEV.QUEUE.1')"),
        ("runmqsc", &["-c", "-u", "alice", "QM1"], "DISPLAY QMGR QMNAME\n", "One MQSC command read.\n"),
        ("dmpmqcfg", &["-c", "default", "-u", "alice", "-t", "qlocal"], "", "QLOCAL('DEV.QUEUE.1')"),
        ("amqsevt", &["-c", "-u", "alice", "-q", "DEV.QUEUE.1", "-b", "-w", "0"], "", ""),
    ] {
        let right = run(tool, arguments, &format!("secret\r\n{input}"));
        assert_eq!(right.code, 0, "{tool}: {}{}", right.stdout, right.stderr);
        assert!(right.stdout.contains(expected) && right.stderr.is_empty(), "{tool}: {}", right.stdout);
        let wrong = run(tool, arguments, &format!("hunter2\n{input}"));
        assert!(wrong.code != 0 && wrong.stderr.contains("2035"), "{tool}: {} {}", wrong.code, wrong.stderr);
        for told in [right.stdout, right.stderr, wrong.stdout, wrong.stderr] {
            assert!(!told.contains("secret") && !told.contains("hunter2"), "{tool}: {told}");
        }
    }
}

#[test]
fn reason_codes_and_versions_are_told_as_scripts_read_them() {
    let prefix = Prefix::new();
    assert_eq!(prefix.run("mqrc", &["2033"]).stdout, "\n      2033  0x000007f1  MQRC_NO_MSG_AVAILABLE\n\n");
    let both = prefix.run("mqrc", &["0x825", "MQRCCF_CFH_TYPE_ERROR"]).stdout;
    assert!(both.contains("      2085  0x00000825  MQRC_UNKNOWN_OBJECT_NAME\n"), "{both}");
    assert!(both.contains("      3001  0x00000bb9  MQRCCF_CFH_TYPE_ERROR\n"), "{both}");
    assert_eq!(prefix.run("mqrc", &["1"]).code, 1);
    let version = format!("{}.0\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(prefix.run("dspmqver", &["-b", "-f", "2"]).stdout, version);
    assert_eq!(prefix.run("dspmqver", &["-bf4096"]).code, 20, "letters with a value stand apart");
    assert_eq!(
        prefix.run("dspmqver", &["-f", "3"]).stdout,
        format!("Name:        FerryMQ\nVersion:     {version}")
    );
    assert!(prefix.run("dspmqver", &[]).stdout.contains("\nInstPath:    "));
}

#[test]
fn media_images_are_recorded_and_give_queues_back() {
    let prefix = Prefix::new();
    assert_eq!(prefix.run("crtmqm", &["-p0", "-ll", "-lf", "256", "QM1"]).code, 0);
    assert_eq!(prefix.run("rcdmqimg", &["-t", "qlocal", "DEV.QUEUE.1"]).code, 40, "it does not run");
    assert_eq!(prefix.run("strmqm", &[]).code, 0);
    let defined = "DEFINE QLOCAL(DEV.QUEUE.1)\nDEFINE QLOCAL(DEV.QUEUE.2) IMGRCOVQ(NO)\nDEFINE PROCESS(P)\n";
    assert_eq!(prefix.with_input("runmqsc", &["-e"], defined).code, 0);
    for (arguments, code, said) in [
        (&["-m", "QM1", "-t", "qlocal", "DEV.QUEUE.1"][..], 0, "1 local queue(s), 0 other"),
        (&["-z", "-l", "-t", "ql", "DEV.QUEUE.*"], 0, "need the log from 0/"),
        (&["-t", "process", "P"], 0, "0 local queue(s), 1 other"),
        (&["-t", "qmgr"], 0, "0 local queue(s), 1 other"),
        (&["-t", "qlocal", "DEV.QUEUE.2"], 128, "IMGRCOVQ"),
        (&["-t", "process", "NO.SUCH"], 128, "no process NO.SUCH"),
        (&["-t", "qlocal"], 36, "which object"),
        (&["-t", "file", "F"], 36, "-t file is no type"),
        (&["DEV.QUEUE.1"], 36, "-t says"),
        (&["-m", "NO.SUCH", "-t", "all", "*"], 16, "NO.SUCH"),
    ] {
        let told = prefix.run("rcdmqimg", arguments);
        let words = format!("{}{}", told.stdout, told.stderr);
        assert!(told.code == code && words.contains(said), "{arguments:?}: {} {words}", told.code);
    }
    let told = prefix.run("rcrmqobj", &["-m", "QM1", "-t", "queue", "DEV.*"]);
    assert!(told.code == 0 && told.stdout.contains("1 local queue(s)"), "{}{}", told.stdout, told.stderr);
    assert_eq!(prefix.with_input("runmqsc", &["-e"], "ALTER QMGR IMGRCOVO(NO)\n").code, 0);
    assert_eq!(prefix.run("rcdmqimg", &["-t", "process", "P"]).code, 128);
    assert_eq!(prefix.run("rcrmqobj", &["-t", "process", "P"]).code, 128);

    let circular = Prefix::running();
    for tool in ["rcdmqimg", "rcrmqobj"] {
        let told = circular.run(tool, &["-t", "all", "*"]);
        assert!(told.code == 68 && told.stderr.contains("circular"), "{}: {}", told.code, told.stderr);
    }
}
