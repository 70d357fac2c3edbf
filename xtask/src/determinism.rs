//! The calls forbidden to the crates below the hosts, as lint settings: one `clippy.toml` for each.
//!
//! Clippy reads one settings file a crate and does not join it with another, so each gets the whole list.

use crate::generated::File;
use std::fmt::Write as _;

/// Crates that reach the outside world only through what they are handed.
const CRATES: &[&str] = &[
    "mqi",
    "selector",
    "formats",
    "objects",
    "figures",
    "security",
    "wire",
    "channel",
    "amqp",
    "storage",
    "topic",
    "queues",
    "queue-manager",
    "agents",
    "bridge",
];

/// Why something is refused, and what to use instead.
struct Rule {
    reason: &'static str,
    methods: &'static [&'static str],
    types: &'static [&'static str],
}

const RULES: &[Rule] = &[
    Rule {
        reason: "time is handed in, so that a simulated run repeats: use the `platform::Clock` you were given",
        methods: &[
            "std::time::Instant::now",
            "std::time::Instant::elapsed",
            "std::time::SystemTime::now",
            "std::time::SystemTime::elapsed",
        ],
        types: &[],
    },
    Rule {
        reason: "hosts own threads: hand work to the caller, or wait with a waiter the host wakes",
        methods: &[
            "std::thread::spawn",
            "std::thread::scope",
            "std::thread::sleep",
            "std::thread::park",
            "std::thread::park_timeout",
            "std::thread::Builder::spawn",
            "std::thread::yield_now",
        ],
        types: &[],
    },
    Rule {
        reason: "bytes that last go through the `platform::Disk` you were given, so that its failures can be tested",
        methods: &[
            "std::fs::copy",
            "std::fs::create_dir",
            "std::fs::create_dir_all",
            "std::fs::hard_link",
            "std::fs::metadata",
            "std::fs::read",
            "std::fs::read_dir",
            "std::fs::read_to_string",
            "std::fs::remove_dir",
            "std::fs::remove_dir_all",
            "std::fs::remove_file",
            "std::fs::rename",
            "std::fs::set_permissions",
            "std::fs::write",
        ],
        types: &["std::fs::File", "std::fs::OpenOptions"],
    },
    Rule {
        reason: "sockets belong to transport, server and client; here bytes come in and frames go out",
        methods: &[],
        types: &[
            "std::net::TcpListener",
            "std::net::TcpStream",
            "std::net::UdpSocket",
            "std::os::unix::net::UnixDatagram",
            "std::os::unix::net::UnixListener",
            "std::os::unix::net::UnixStream",
        ],
    },
    Rule {
        reason: "its order and its hashes differ from run to run: use BTreeMap, BTreeSet, or hashbrown with \
                 `foldhash::fast::FixedState`",
        methods: &[],
        types: &["std::collections::HashMap", "std::collections::HashSet", "std::hash::RandomState"],
    },
    Rule {
        reason: "settings are handed in by the host, which reads files, environment and command line",
        methods: &["std::env::args", "std::env::var", "std::env::var_os", "std::env::vars"],
        types: &[],
    },
    Rule {
        reason: "hosts own processes: return an error, or assert what must hold",
        methods: &["std::process::abort", "std::process::exit", "std::process::Command::new"],
        types: &[],
    },
];

/// The lint settings of every such crate.
pub(crate) fn files() -> Vec<File> {
    let text = settings();
    CRATES
        .iter()
        .map(|name| File { path: format!("crates/{name}/clippy.toml"), text: text.clone() })
        .collect()
}

fn settings() -> String {
    let mut text = String::from(
        "# What this crate must not call: it runs the same in a server, in a program and in a simulation.\n\
         # Made by `cargo xtask generate` from xtask/src/determinism.rs; change that, then run it again.\n\
         # A test that needs one of these says so: #[expect(clippy::disallowed_methods, reason = \"…\")].\n\n\
         allow-unwrap-in-tests = true\n",
    );
    for (list, entries) in [
        ("disallowed-methods", entries(|rule| rule.methods)),
        ("disallowed-types", entries(|rule| rule.types)),
    ] {
        let _ = write!(text, "\n{list} = [\n{entries}]\n");
    }
    text
}

fn entries(of: impl Fn(&Rule) -> &'static [&'static str]) -> String {
    let mut text = String::new();
    for rule in RULES {
        for path in of(rule) {
            let _ = writeln!(text, "    {{ path = \"{path}\", reason = \"{}\" }},", rule.reason);
        }
    }
    text
}
