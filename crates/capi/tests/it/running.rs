//! C programs of ours, compiled against the headers and run with the library against a queue manager.

use crate::compiler;
use server::{DataDirectory, Server, instances};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// The library as the test run has built it.
fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let directory = test.parent().unwrap();
    let beside = directory.join("libcapi.so");
    if beside.is_file() { beside } else { directory.parent().unwrap().join("libcapi.so") }
}

/// Where compiled programs and copies of the library lie, as long as the tests run.
static PLACE: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());

/// The name that the library is linked with, before an installation gives each copy its own.
const NAME_AS_BUILT: &str = "libferrymq_mqi.so";

/// A directory with the library.
fn libraries() -> &'static Path {
    static LIBRARIES: LazyLock<PathBuf> = LazyLock::new(|| {
        let directory = PLACE.path().join("lib64");
        std::fs::create_dir(&directory).unwrap();
        std::fs::copy(library(), directory.join(NAME_AS_BUILT)).unwrap();
        directory
    });
    &LIBRARIES
}

/// A C program, compiled.
fn compiled(name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name).with_extension("c");
    let (program, library) = (PLACE.path().join(name), libraries().join(NAME_AS_BUILT));
    let (program_path, library) = (program.to_str().unwrap(), library.to_str().unwrap());
    // What comes behind the source is no source.
    let arguments = ["-x", "none", library, "-D_GNU_SOURCE", "-g", "-pthread", "-o", program_path];
    compiler::must_compile("cc", "c11", &source, &arguments);
    program
}

/// A queue manager QM1 with queues A and B.
struct Place {
    directory: tempfile::TempDir,
    server: Server,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let data = DataDirectory::at(directory.path());
        let settings = "[log]\nextent_size = \"32 MiB\"\nprimary_extents = 3\n";
        let name = "QM1".parse().unwrap();
        instances::create(&data, &name, Some(settings)).unwrap();
        let options = server::Options {
            addresses: Some(vec![([127, 0, 0, 1], 0).into()]),
            ..server::Options::new(data, name)
        };
        let place = Self { directory, server: Server::start(&options).unwrap() };
        let response =
            place.connection().command("DEFINE QLOCAL(A) DESCR('described')\nDEFINE QLOCAL(B)").unwrap();
        assert!(!response.failed, "{}", response.text);
        place
    }

    fn address(&self) -> String {
        self.server.address().unwrap().to_string()
    }

    fn connection(&self) -> client::Connection {
        client::Connection::connect(client::Options::to(self.address().parse().unwrap())).unwrap()
    }

    /// Runs a program in an environment without anything but this queue manager.
    fn run(&self, program: &Path, environment: &[(&str, &str)]) -> Output {
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", "30"]).arg(program).env_clear();
        command.env("FERRY_DATA", self.directory.path()).env("HOME", self.directory.path());
        command.env("LD_LIBRARY_PATH", libraries()).current_dir(self.directory.path());
        command.envs(environment.iter().copied()).output().unwrap()
    }
}

/// Runs a program over the local socket, and over the network as MQSERVER says.
#[track_caller]
fn succeeds_everywhere(name: &str) {
    let place = Place::new();
    let server = format!("DEV.APP/TCP/{}", place.address());
    let environments: [(&str, &[(&str, &str)]); 2] = [
        ("the local socket", &[("MQ_CONNECT_TYPE", "STANDARD")]),
        ("the network", &[("MQ_CONNECT_TYPE", "CLIENT"), ("MQSERVER", &server)]),
    ];
    let program = compiled(name);
    for (way, environment) in environments {
        let output = place.run(&program, environment);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "over {way}: {} {said}", output.status);
    }
}

#[test]
fn messages_go_there_and_back() {
    succeeds_everywhere("messages");
}

#[test]
fn what_is_wrong_is_refused_with_its_reason() {
    succeeds_everywhere("bad_input");
}

#[test]
fn nothing_behind_the_version_of_a_structure_is_touched() {
    succeeds_everywhere("guarded");
}

#[test]
fn properties_go_with_messages() {
    succeeds_everywhere("properties");
}
