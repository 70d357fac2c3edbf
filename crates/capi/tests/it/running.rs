//! C programs of ours, compiled against the headers and run with the library against a queue manager.

use crate::compiler;
use mqi::Reason;
use server::{DataDirectory, Server, instances};
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, Mutex, PoisonError};

/// The library as the test run has built it.
pub(crate) fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let directory = test.parent().unwrap();
    let beside = directory.join("libcapi.so");
    if beside.is_file() { beside } else { directory.parent().unwrap().join("libcapi.so") }
}

/// Where compiled programs and copies of the library lie, as long as the tests run.
static PLACE: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());

/// The name that the library is linked with, before an installation takes it off.
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

/// A program of the tests, compiled by the compiler that always is here.
pub(crate) fn compiled(name: &str) -> PathBuf {
    compiled_by("cc", name)
}

fn compiled_by(compiler: &str, name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name).with_extension("c");
    built(&format!("{name}-{compiler}"), &source, compiler, "c11")
}

/// A program, compiled; once for all tests that run it.
pub(crate) fn built(name: &str, source: &Path, compiler: &str, standard: &str) -> PathBuf {
    static COMPILED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let (program, library) = (PLACE.path().join(name), libraries().join(NAME_AS_BUILT));
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if compiled.insert(name.to_owned()) {
        let (program_path, library) = (program.to_str().unwrap(), library.to_str().unwrap());
        // What comes behind the source is no source.
        // Functions are passed as the interface has it: as pointers to anything.
        let arguments = [
            "-Wno-pedantic",
            "-x",
            "none",
            library,
            "-D_GNU_SOURCE",
            "-g",
            "-pthread",
            "-rdynamic",
            "-ldl",
            "-o",
            program_path,
        ];
        compiler::must_compile(compiler, standard, source, &arguments);
    }
    program
}

/// A place that programs work with. They give credentials of their own, which are not looked at but where a
/// test has it so.
const OBJECTS: &str = "ALTER QMGR CONNAUTH(' ')\nDEFINE QLOCAL(A) DESCR('described')\nDEFINE QLOCAL(B)\nDEFINE QLOCAL(RATES.QUEUE)\n\
    DEFINE QLOCAL(RATES.REQUEST)\nDEFINE QLOCAL(RATES.REPLY)\n\
    DEFINE TOPIC(PRICES) TOPICSTR('price')\nDEFINE QALIAS(PRICES.QUEUE) TARGTYPE(TOPIC) TARGET(PRICES)\n\
    DEFINE NAMELIST(LIST) NAMES('ONE','TWO')\n\
    DEFINE CHANNEL(DEV.APP) CHLTYPE(SVRCONN)\n\
    SET CHLAUTH('DEV.APP') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)\nDEFINE CHANNEL(B) CHLTYPE(SVRCONN)\n\
    DEFINE CHANNEL(C) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME('h') XMITQ(A)";

/// A queue manager QM1 with queues A and B, those that are measured, and a topic.
pub(crate) struct Place {
    directory: tempfile::TempDir,
    /// None once it was stopped.
    server: Option<Server>,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::prepared("", |_| ())
    }

    /// The same with more settings of the listener; `prepare` is given the folder of the queue manager.
    pub(crate) fn prepared(listener: &str, prepare: impl FnOnce(&Path)) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let data = DataDirectory::at(directory.path());
        let log = "[log]\nextent_size = \"32 MiB\"\nprimary_extents = 3";
        let settings = format!("{log}\n[listener]\naddresses = []\n{listener}");
        let name = "QM1".parse().unwrap();
        instances::create(&data, &name, Some(&settings)).unwrap();
        prepare(data.folder(&name).path());
        let mut place = Self { directory, server: None };
        place.start(0);
        place.command_text(OBJECTS);
        place
    }

    pub(crate) fn address(&self) -> String {
        self.server.as_ref().unwrap().address().unwrap().to_string()
    }

    pub(crate) fn connection(&self) -> client::Connection {
        client::Connection::connect(client::Options::to(self.address().parse().unwrap())).unwrap()
    }

    /// Gives commands by the local socket.
    #[track_caller]
    pub(crate) fn command_text(&self, text: &str) {
        self.shown(text);
    }

    /// The same; returns the answer.
    #[track_caller]
    pub(crate) fn shown(&self, text: &str) -> String {
        let data = DataDirectory::at(self.directory.path());
        let socket = data.folder(&"QM1".parse().unwrap()).socket();
        let options = client::Options::to(client::Address::Unix(socket));
        let response = client::Connection::connect(options).unwrap().command(text).unwrap();
        assert!(!response.failed, "{}", response.text);
        response.text
    }

    /// Adds a user with a password.
    pub(crate) fn add_user(&self, name: &str, password: &str) {
        let file = DataDirectory::at(self.directory.path()).folder(&"QM1".parse().unwrap()).users();
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        let mut users = identity::Users::default();
        let mut memory = identity::HashMemory::default();
        let password = password.as_bytes();
        users.add(name, password, Vec::new(), &[7; 16], identity::Cost::LEAST, &mut memory).unwrap();
        identity::UsersFile::at(file).write(&users).unwrap();
    }

    /// The folder of its data, which is that of the programs, too.
    pub(crate) fn folder(&self) -> &Path {
        self.directory.path()
    }

    /// Starts it at a port, or at any.
    pub(crate) fn start(&mut self, port: u16) {
        let data = DataDirectory::at(self.directory.path());
        let options = server::Options {
            addresses: Some(vec![([127, 0, 0, 1], port).into()]),
            ..server::Options::new(data, "QM1".parse().unwrap())
        };
        self.server = Some(Server::start(&options).unwrap());
    }

    /// Ends it.
    pub(crate) fn stop(&mut self) {
        let server = self.server.take().unwrap();
        server.stop(server::Mode::Immediate);
        server.wait();
    }

    /// A program in an environment without anything but this queue manager and what is given.
    pub(crate) fn command(&self, program: &Path, environment: &[(&str, &str)]) -> Command {
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", "30"]).arg(program).env_clear();
        command.env("FERRY_DATA", self.directory.path()).env("HOME", self.directory.path());
        command.env("LD_LIBRARY_PATH", libraries()).current_dir(self.directory.path());
        command.envs(environment.iter().copied());
        command
    }
}

/// The options of a connect call, as the program that connects takes them.
pub(crate) fn options(numbers: &[i32]) -> String {
    numbers.iter().fold(0, |all, number| all | number).to_string()
}

/// Runs a program over the local socket, and over the network as MQSERVER says; as each compiler here has
/// made it.
///
/// Runs a program in every environment, where it must succeed, and returns its output of each.
#[track_caller]
fn succeeds_everywhere(name: &str) -> Vec<String> {
    let place = Place::new();
    let server = format!("DEV.APP/TCP/{}", place.address());
    let environments: [(&str, &[(&str, &str)]); 2] = [
        ("the local socket", &[("MQ_CONNECT_TYPE", "STANDARD")]),
        ("the network", &[("MQ_CONNECT_TYPE", "CLIENT"), ("MQSERVER", &server)]),
    ];
    let run = |compiler, (way, environment)| {
        let output = place.command(&compiled_by(compiler, name), environment).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "by {compiler} over {way}: {} {said}", output.status);
        String::from_utf8(output.stdout).unwrap()
    };
    let compilers = compiler::of_c();
    compilers.iter().flat_map(|compiler| environments.map(|environment| run(compiler, environment))).collect()
}

/// A program is given each of some reasons, everywhere.
#[track_caller]
fn is_given(program: &str, reasons: &[Reason]) {
    for said in succeeds_everywhere(program) {
        for reason in reasons {
            assert!(said.lines().any(|line| line == reason.name()), "{reason} is not in {said}");
        }
    }
}

#[test]
fn messages_go_there_and_back() {
    is_given("messages", &[Reason::CHAR_ATTRS_TOO_SHORT, Reason::INT_ATTR_COUNT_TOO_SMALL]);
}

#[test]
fn what_is_wrong_is_refused_with_its_reason() {
    is_given(
        "bad_input",
        &[
            Reason::CHAR_ATTR_LENGTH_ERROR,
            Reason::INT_ATTR_COUNT_ERROR,
            Reason::INT_ATTRS_ARRAY_ERROR,
            Reason::SELECTOR_COUNT_ERROR,
            Reason::BO_ERROR,
            Reason::CNO_ERROR,
            Reason::SOURCE_BUFFER_ERROR,
            Reason::SOURCE_LENGTH_ERROR,
            Reason::TARGET_BUFFER_ERROR,
            Reason::TARGET_LENGTH_ERROR,
            Reason::BNO_ERROR,
            Reason::CCDT_URL_ERROR,
            Reason::SCO_ERROR,
            Reason::SSL_CONFIG_ERROR,
            Reason::CD_ERROR,
            Reason::CSP_ERROR,
            Reason::AUTH_INFO_REC_COUNT_ERROR,
            Reason::SSL_KEY_RESET_ERROR,
            Reason::CERT_VAL_POLICY_ERROR,
            Reason::KEY_REPOSITORY_ERROR,
            Reason::SSL_PEER_NAME_ERROR,
            Reason::RECS_PRESENT_ERROR,
            Reason::CHANNEL_CONFIG_ERROR,
            Reason::CLIENT_CONN_ERROR,
            Reason::STS_ERROR,
            Reason::OBJECT_STRING_ERROR,
            Reason::RES_OBJECT_STRING_ERROR,
        ],
    );
}

#[test]
fn structures_and_handles_that_are_none_are_refused_by_each_call() {
    succeeds_everywhere("structures");
}

#[test]
fn lengths_that_are_none_are_refused_wherever_one_is_stated() {
    succeeds_everywhere("lengths");
}

#[test]
fn nothing_behind_the_version_of_a_structure_is_touched() {
    succeeds_everywhere("guarded");
}

#[test]
fn the_first_version_of_the_descriptor_is_extended_before_the_body() {
    succeeds_everywhere("extensions");
}

#[test]
fn properties_go_with_messages() {
    is_given("properties", &[Reason::PROP_NAME_NOT_CONVERTED]);
    succeeds_everywhere("properties");
}

#[test]
fn programs_subscribe() {
    is_given("subscriptions", &[Reason::SRO_ERROR]);
}

#[test]
fn a_connection_is_shared_by_threads_as_its_options_allow() {
    is_given("threads", &[Reason::ALREADY_CONNECTED]);
}

#[test]
fn functions_are_called_with_messages() {
    is_given("consumers", &[Reason::CTLO_ERROR, Reason::MODULE_NOT_FOUND]);
}

#[test]
fn a_consumer_that_suspends_after_it_has_passed_its_message_on_never_stands_still() {
    succeeds_everywhere("passing");
}

#[test]
fn children_signals_and_sudden_ends_do_no_harm() {
    succeeds_everywhere("children");
}

#[test]
fn bags_hold_what_is_put_into_them_and_refuse_the_rest() {
    is_given(
        "bags",
        &[
            Reason::HBAG_ERROR,
            Reason::SELECTOR_OUT_OF_RANGE,
            Reason::INCONSISTENT_ITEM_TYPE,
            Reason::FILTER_OPERATOR_ERROR,
            Reason::SELECTOR_NOT_PRESENT,
            Reason::SELECTOR_NOT_UNIQUE,
            Reason::SELECTOR_NOT_SUPPORTED,
            Reason::SELECTOR_WRONG_TYPE,
            Reason::INDEX_ERROR,
            Reason::INDEX_NOT_PRESENT,
            Reason::MULTIPLE_INSTANCE_ERROR,
            Reason::SYSTEM_ITEM_NOT_ALTERABLE,
            Reason::SYSTEM_ITEM_NOT_DELETABLE,
            Reason::ITEM_COUNT_ERROR,
            Reason::ITEM_VALUE_ERROR,
            Reason::ITEM_TYPE_ERROR,
            Reason::OUT_SELECTOR_ERROR,
            Reason::STRING_LENGTH_ERROR,
            Reason::STRING_TRUNCATED,
            Reason::STRING_ERROR,
            Reason::CODED_CHAR_SET_ID_ERROR,
            Reason::BAG_WRONG_TYPE,
            Reason::SYSTEM_BAG_NOT_ALTERABLE,
            Reason::SYSTEM_BAG_NOT_DELETABLE,
            Reason::NESTED_BAG_NOT_SUPPORTED,
            Reason::NESTED_SELECTOR_ERROR,
            Reason::BAG_CONVERSION_ERROR,
            Reason::INQUIRY_COMMAND_ERROR,
            Reason::FORMAT_NOT_SUPPORTED,
            Reason::ENCODING_NOT_SUPPORTED,
        ],
    );
}

#[test]
fn a_program_administers_a_queue_manager() {
    is_given("administration", &[Reason::COMMAND_TYPE_ERROR]);
}

#[test]
fn a_child_waits_for_nobody_of_its_parent() {
    succeeds_everywhere("forks");
}

#[test]
fn a_child_neither_keeps_nor_disturbs_the_connection_of_its_parent() {
    succeeds_everywhere("orphans");
}

#[test]
fn a_connection_is_made_again_where_its_options_ask_for_that() {
    let mut place = Place::new();
    let server = format!("DEV.APP/TCP/{}", place.address());
    goes_on_after_a_restart(&mut place, &[("MQSERVER", &server)]);
}

/// Runs a program that reconnects, whose queue manager ends and begins again meanwhile.
#[track_caller]
pub(crate) fn goes_on_after_a_restart(place: &mut Place, environment: &[(&str, &str)]) {
    let address = place.address();
    let mut command = place.command(&compiled("reconnecting"), environment);
    let mut program =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    place.stop();
    place.start(address.rsplit_once(':').unwrap().1.parse().unwrap());
    program.stdin.take().unwrap().write_all(b"go\n").unwrap();
    let output = program.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The calls of an event handler, as the program that has one tells it; `meanwhile` comes when it
/// may.
#[track_caller]
fn events(place: &mut Place, last: Reason, how: &[&str], meanwhile: impl FnOnce(&mut Place)) -> Vec<String> {
    let server = format!("DEV.APP/TCP/{}", place.address());
    let mut command = place.command(&compiled("events"), &[("MQSERVER", &server)]);
    command.arg(last.code().to_string()).args(how).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = command.spawn().unwrap();
    let mut output = BufReader::new(program.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    meanwhile(place);
    let told: Vec<String> = output.lines().map(Result::unwrap).collect();
    let ended = program.wait_with_output().unwrap();
    assert!(ended.status.success(), "{told:?}: {}", String::from_utf8_lossy(&ended.stderr));
    told
}

#[test]
fn event_handlers_are_told_that_a_connection_is_made_again() {
    for how in [&[][..], &["puts"][..]] {
        let mut place = Place::new();
        let port = place.address().rsplit_once(':').unwrap().1.parse().unwrap();
        let told = events(&mut place, Reason::RECONNECTED, how, |place| {
            place.stop();
            place.start(port);
        });
        let expected = [Reason::RECONNECTING, Reason::RECONNECTED].map(|reason| reason.code().to_string());
        assert_eq!(told, expected, "{how:?}");
    }
}

#[test]
fn event_handlers_are_told_that_a_connection_cannot_be_made_again() {
    for how in [&[][..], &["puts"][..]] {
        let mut place = Place::new();
        let settings = "CHANNELS:\n  MQReconnectTimeout=1\n";
        std::fs::write(place.directory.path().join("mqclient.ini"), settings).unwrap();
        let told = events(&mut place, Reason::RECONNECT_FAILED, how, Place::stop);
        let expected =
            [Reason::RECONNECTING, Reason::RECONNECT_FAILED].map(|reason| reason.code().to_string());
        assert_eq!(told, expected, "{how:?}");
    }
}

/// Ends the queue manager of a program that stops using it, and begins what is at its port then, if anything.
#[track_caller]
fn stops_within<T>(seconds: &str, then: impl FnOnce(&str) -> T) {
    let mut place = Place::new();
    let address = place.address();
    let server = format!("DEV.APP/TCP/{address}");
    let mut command = place.command(&compiled("stopping"), &[("MQSERVER", &server)]);
    let mut program = command.arg(seconds).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    place.stop();
    let _there = then(&address);
    let ended = program.wait_with_output().unwrap();
    assert!(ended.status.success(), "{}: {}", ended.status, String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn a_program_does_not_wait_for_a_connection_to_stop_using_it() {
    stops_within("2", |_| ());
}

#[test]
fn a_program_does_not_wait_for_a_host_that_never_answers_to_stop_using_it() {
    // The system takes its connections, and nobody says anything there.
    stops_within("2", |address| std::net::TcpListener::bind(address).unwrap());
}

#[test]
fn a_function_that_is_called_may_not_make_each_call() {
    is_given(
        "forbidden",
        &[Reason::CALL_IN_PROGRESS, Reason::ENVIRONMENT_ERROR, Reason::OPERATION_NOT_ALLOWED],
    );
}

#[test]
fn a_data_directory_that_nothing_names_and_others_may_change_is_not_used() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    let here = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(place.folder(), here.path().join("ferry-data")).unwrap();
    let log = here.path().join("client.log");
    let environment = [("MQ_CONNECT_TYPE", "STANDARD"), ("FERRY_CLIENT_LOG", log.to_str().unwrap())];
    let run = |mode: u32| {
        std::fs::set_permissions(here.path(), std::fs::Permissions::from_mode(mode)).unwrap();
        let mut command = place.command(&compiled("messages"), &environment);
        command.env_remove("FERRY_DATA").current_dir(here.path()).output().unwrap()
    };
    let refused = run(0o777);
    let said = String::from_utf8_lossy(&refused.stderr);
    let reason = Reason::Q_MGR_NOT_AVAILABLE.code().to_string();
    assert!(!refused.status.success() && said.contains(&reason), "{said}");
    let noted = std::fs::read_to_string(&log).unwrap();
    assert!(noted.contains("./ferry-data is not used") && noted.contains("FERRY_DATA"), "{noted}");
    let used = run(0o755);
    assert!(used.status.success(), "{}", String::from_utf8_lossy(&used.stderr));
}

/// A program in a folder of its own, with the log of its library.
struct InFolder<'a> {
    place: &'a Place,
    here: tempfile::TempDir,
    home: tempfile::TempDir,
}

impl InFolder<'_> {
    fn write(&self, path: &Path, text: &str) -> PathBuf {
        std::fs::write(path, text).unwrap();
        mode(path, 0o644);
        path.to_owned()
    }

    /// The answer to a connection over the network, and the words in the log.
    fn connects(&self, environment: &[(&str, &str)]) -> (String, String) {
        let log = self.home.path().join("client.log");
        let _ = std::fs::remove_file(&log);
        let mut command = self.place.command(&compiled("connecting"), environment);
        command.args(["QM1", "client"]).current_dir(self.here.path());
        let output = command.env("HOME", self.home.path()).env("FERRY_CLIENT_LOG", &log).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        (said, std::fs::read_to_string(&log).unwrap_or_default())
    }

    #[track_caller]
    fn refused(&self, words: &[&str]) {
        let (said, log) = self.connects(&[]);
        assert!(["2539", "2381"].contains(&said.as_str()), "{said}: {log}");
        for word in words.iter().chain(&["is not used", "another user could have put it there", "name it by"])
        {
            assert!(log.contains(word), "{word}: {log}");
        }
    }
}

fn mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn settings_that_are_found_are_used_only_if_no_other_user_may_change_them() {
    let place = Place::new();
    let address = place.address().replace(':', "(") + ")";
    let one =
        InFolder { place: &place, here: tempfile::tempdir().unwrap(), home: tempfile::tempdir().unwrap() };
    let settings = format!("CHANNELS:\n  ServerConnectionParms=DEV.APP/TCP/{address}\n");
    for folder in [one.here.path(), one.home.path()] {
        let file = one.write(&folder.join("mqclient.ini"), &settings);
        assert_eq!(one.connects(&[]).0, "QM1");
        mode(&file, 0o666);
        one.refused(&["mqclient.ini may be changed by every user", "MQCLNTCF"]);
        let named = file.to_str().unwrap();
        assert_eq!(one.connects(&[("MQCLNTCF", named)]).0, "QM1", "it is named");
        mode(&file, 0o644);
        mode(folder, 0o777);
        one.refused(&["may be changed by every user"]);
        mode(folder, 0o1777);
        assert_eq!(one.connects(&[]).0, "QM1", "nobody else replaces it in a sticky folder");
        // Only root gives files away.
        if std::os::unix::fs::chown(&file, Some(4_000_000), None).is_ok() {
            one.refused(&["mqclient.ini belongs to user 4000000"]);
        }
        mode(folder, 0o755);
        std::fs::remove_file(&file).unwrap();
    }
    // Nothing but the folder of the program says where a table or a key store is that the file names so.
    one.write(&one.home.path().join("mqclient.ini"), "CHANNELS:\nChannelDefinitionFile=ccdt.json\n");
    let (host, port) =
        place.address().split_once(':').map(|(host, port)| (host.to_owned(), port.to_owned())).unwrap();
    let table = |cipher: &str| {
        format!(
            r#"{{"channel":[{{"name":"DEV.APP","type":"clientConnection","clientConnection":{{"connection":
               [{{"host":"{host}","port":{port}}}],"queueManager":"QM1"}}{cipher}}}]}}"#
        )
    };
    let file = one.write(&one.here.path().join("ccdt.json"), &table(""));
    assert_eq!(one.connects(&[]).0, "QM1");
    mode(&file, 0o666);
    one.refused(&["ccdt.json may be changed by every user", "MQCCDTURL"]);
    assert_eq!(one.connects(&[("MQCCDTURL", "ccdt.json")]).0, "QM1", "it is named");
    assert_eq!(one.connects(&[("MQCHLTAB", "ccdt.json")]).0, "QM1", "it is named");
    let covered = table(r#","transmissionSecurity":{"cipherSpecification":"ANY_TLS13"}"#);
    let file = one.write(&one.home.path().join("ccdt.json"), &covered);
    let folder = one.home.path().display();
    let settings = format!(
        "CHANNELS:\nChannelDefinitionDirectory={folder}\nChannelDefinitionFile={}\nSSL:\nSSLKeyRepository=keys\n",
        file.file_name().unwrap().to_str().unwrap()
    );
    one.write(&one.home.path().join("mqclient.ini"), &settings);
    std::fs::create_dir(one.here.path().join("keys")).unwrap();
    mode(&one.here.path().join("keys"), 0o777);
    one.refused(&["keys may be changed by every user", "MQSSLKEYR"]);
}

#[test]
fn libraries_of_two_names_live_in_one_process() {
    let place = Place::new();
    let copies = tempfile::tempdir().unwrap();
    for name in ["libmqm_r.so", "libmqic_r.so"] {
        std::fs::copy(library(), copies.path().join(name)).unwrap();
    }
    let server = format!("DEV.APP/TCP/{}", place.address());
    let path = copies.path().to_str().unwrap().to_owned() + ":" + libraries().to_str().unwrap();
    let environment = [("MQSERVER", server.as_str()), ("LD_LIBRARY_PATH", &path)];
    let output = place.command(&compiled("two_names"), &environment).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let shown = place.connection().command("DISPLAY QLOCAL(A) CURDEPTH").unwrap();
    assert!(shown.text.contains("CURDEPTH(3)"), "{}", shown.text);
}

#[test]
fn a_token_is_taken_over_the_network_when_it_is_as_tokens_are() {
    let place = Place::new();
    let address = place.address();
    let (host, port) = address.split_once(':').unwrap();
    let output = place.command(&compiled("tokens"), &[]).arg(format!("{host}({port})")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Runs the program that connects, and compares its output: a name, or a reason.
#[track_caller]
pub(crate) fn connects(place: &Place, arguments: &[&str], environment: &[(&str, &str)], expected: &str) {
    let program = compiled("connecting");
    let output = place.command(&program, environment).args(arguments).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?} {environment:?}: {told}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(said.trim(), expected, "{arguments:?} {environment:?}");
}

#[test]
fn a_user_and_a_password_are_judged_over_the_network() {
    let place = Place::new();
    place.add_user("somebody", "secret");
    let conn_auth = "ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)";
    let connect = "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('somebody') AUTHADD(CONNECT,INQ)";
    place.command_text(conn_auth);
    place.command_text(connect);
    let address = place.address();
    let (host, port) = address.split_once(':').unwrap();
    let host = format!("{host}({port})");
    connects(&place, &["QM1", "mqcno", &host, "DEV.APP", "secret"], &[], "QM1");
    connects(&place, &["QM1", "mqcno", &host, "DEV.APP", "wrong"], &[], "2035");
    connects(&place, &["QM1", "mqcno", &host, "DEV.APP"], &[], "2035");
}

#[test]
fn a_connection_goes_where_options_environment_and_files_say() {
    let place = Place::new();
    let address = place.address();
    let server = format!("DEV.APP/TCP/127.0.0.1(1),{address}");
    let table = place.directory.path().join("ccdt.json");
    let (host, port) = address.split_once(':').unwrap();
    let channel = |name: &str, queue_manager: &str, port: &str| {
        format!(
            r#"{{"name":"{name}","type":"clientConnection","clientConnection":
               {{"connection":[{{"host":"{host}","port":{port}}}],"queueManager":"{queue_manager}"}}}}"#
        )
    };
    let channels = [
        channel("A", "GROUP", "1"),
        channel("B", "GROUP", port),
        channel("C", "QM1", port),
        channel("D", "QM2", port),
    ];
    std::fs::write(&table, format!(r#"{{"channel":[{}]}}"#, channels.join(","))).unwrap();
    let url = format!("file://{}", table.display());
    let directory = place.directory.path().to_str().unwrap().to_owned();

    // This machine: by name, the only one, one that is not there; and nothing says where else it could be.
    connects(&place, &["QM1"], &[], "QM1");
    connects(&place, &[""], &[], "QM1");
    connects(&place, &["QM2"], &[], "2058");
    connects(&place, &["QM1"], &[("MQ_CONNECT_TYPE", "CLIENT")], "2058");
    connects(&place, &["QM1", "client"], &[], "2058");
    // The network: a list of places, of which the first is not there; the name must be right unless it is a
    // group's.
    connects(&place, &["QM1", "client"], &[("MQSERVER", &server)], "QM1");
    connects(&place, &["", "client"], &[("MQSERVER", &server)], "QM1");
    connects(&place, &["*ANY", "client"], &[("MQSERVER", &server)], "QM1");
    connects(&place, &["QM2", "client"], &[("MQSERVER", &server)], "2058");
    connects(&place, &["QM1", "client"], &[("MQSERVER", "C/TCP/127.0.0.1(1)")], "2538");
    connects(&place, &["QM1", "client"], &[("MQSERVER", "nonsense")], "2539");
    connects(&place, &["QM1", "mqcno", &address], &[("MQSERVER", "nonsense")], "QM1");
    // A queue manager that is not on this machine is looked for elsewhere.
    connects(&place, &["*ELSEWHERE"], &[("MQSERVER", &server)], "QM1");
    // Tables.
    connects(&place, &["QM1", "client"], &[("MQCCDTURL", &url)], "QM1");
    connects(&place, &["*GROUP", "client"], &[("MQCCDTURL", &url)], "QM1");
    connects(&place, &["GROUP", "client"], &[("MQCCDTURL", &url)], "2058");
    connects(&place, &["QM2", "client"], &[("MQCCDTURL", &url)], "2058");
    connects(&place, &["*OTHER", "client"], &[("MQCCDTURL", &url)], "2058");
    connects(&place, &["*GROUP", "client"], &[("MQCHLLIB", &directory)], "QM1");
    connects(&place, &["QM1", "ccdt", &url], &[("MQSERVER", "nonsense")], "QM1");
    connects(&place, &["QM1", "ccdt", "http://h/ccdt.json"], &[], "2600");
    // The file of client settings, in the directory of the program.
    let settings = format!("CHANNELS:\n  ServerConnectionParms=DEV.APP/TCP/{address}\n");
    std::fs::write(place.directory.path().join("mqclient.ini"), settings).unwrap();
    connects(&place, &["QM1", "client"], &[], "QM1");
    connects(&place, &["QM1", "client"], &[("MQCLNTCF", "/nonexistent/mqclient.ini")], "2539");
}

#[test]
fn fields_for_clients_refuse_connections_over_the_network_alone() {
    use mqi::constants::{
        MQCNO_CLIENT_BINDING, MQCNO_FASTPATH_BINDING, MQCNO_ISOLATED_BINDING, MQCNO_LOCAL_BINDING,
        MQCNO_SHARED_BINDING, MQCNO_STANDARD_BINDING,
    };
    let place = Place::new();
    let server = format!("DEV.APP/TCP/{}", place.address());
    let connects = |name: &str, binding: i32, field: &str, environment: &[(&str, &str)], expected: &str| {
        let options = options(&[binding]);
        connects(&place, &[name, "for_clients", &options, field], environment, expected);
    };
    for (field, reason) in [
        ("nothing", "2539"),
        ("version", "2277"),
        ("transport", "2277"),
        ("type", "2277"),
        ("address", "2539"),
        ("places", "2278"),
        ("table", "2600"),
        ("security", "2409"),
        ("balance", "2602"),
    ] {
        for binding in [
            MQCNO_STANDARD_BINDING,
            MQCNO_SHARED_BINDING,
            MQCNO_ISOLATED_BINDING,
            MQCNO_LOCAL_BINDING,
            MQCNO_FASTPATH_BINDING,
        ] {
            connects("QM1", binding, field, &[], "QM1");
        }
        connects("QM1", MQCNO_STANDARD_BINDING, field, &[("MQ_CONNECT_TYPE", "LOCAL")], "QM1");
        connects("QM1", MQCNO_STANDARD_BINDING, field, &[("MQ_CONNECT_TYPE", "CLIENT")], reason);
        connects("QM1", MQCNO_CLIENT_BINDING, field, &[("MQSERVER", &server)], reason);
        // A queue manager that is not on this machine is looked for elsewhere only by fields without faults.
        connects("*ELSEWHERE", MQCNO_STANDARD_BINDING, field, &[("MQSERVER", &server)], "2058");
    }
}

#[test]
fn a_channel_that_the_queue_manager_does_not_know_is_2540_wherever_it_is_named() {
    let place = Place::new();
    let address = place.address();
    let (host, port) = address.split_once(':').unwrap();
    let in_directory = |name: &str| place.directory.path().join(name).to_str().unwrap().to_owned();
    for (name, reason, words) in [
        ("NO.SUCH.CHANNEL", "2540", "there is no channel \"NO.SUCH.CHANNEL\" here"),
        ("dev.app", "2540", "there is no channel \"dev.app\" here"),
        ("TO.QM2", "2539", "the channel TO.QM2 has CHLTYPE(SDR)"),
        ("DEV.APP", "QM1", ""),
    ] {
        let log = in_directory("client.log");
        let _ = std::fs::remove_file(&log);
        let server = format!("{name}/TCP/{address}");
        connects(&place, &["QM1", "client"], &[("MQSERVER", &server), ("FERRY_CLIENT_LOG", &log)], reason);
        let noted = std::fs::read_to_string(&log).unwrap_or_default();
        assert!(noted.contains(words), "{name}: {noted}");
        connects(&place, &["QM1", "mqcno", &address, name], &[], reason);
        let file = in_directory("settings.ini");
        std::fs::write(&file, format!("CHANNELS:\n  ServerConnectionParms={server}\n")).unwrap();
        connects(&place, &["QM1", "client"], &[("MQCLNTCF", &file)], reason);
        let table = in_directory("named.json");
        let channel = format!(
            r#"{{"channel":[{{"name":"{name}","type":"clientConnection","clientConnection":
               {{"connection":[{{"host":"{host}","port":{port}}}],"queueManager":"QM1"}}}}]}}"#
        );
        std::fs::write(&table, channel).unwrap();
        connects(&place, &["QM1", "client"], &[("MQCCDTURL", &format!("file://{table}"))], reason);
    }
    // Without a name it is the default.
    connects(&place, &["QM1", "mqcno", &address, ""], &[], "QM1");
}

#[test]
fn the_log_of_the_library_names_what_it_cannot_use() {
    let place = Place::new();
    let in_directory = |name: &str| place.directory.path().join(name).to_str().unwrap().to_owned();
    let (file, log) = (in_directory("settings.ini"), in_directory("client.log"));
    let server = format!("DEV.APP/TCP/{}", place.address());
    let settings = "TCP:\n  KeepAlive=YES\n  ClntRcvBuffSize=1\nMessageBuffer:\n  PurgeTime=600\n";
    std::fs::write(&file, settings).unwrap();
    let environment = [("MQCLNTCF", &*file), ("MQSERVER", &*server), ("FERRY_CLIENT_LOG", &*log)];
    connects(&place, &["QM1", "client"], &environment, "QM1");
    let noted = std::fs::read_to_string(&log).unwrap();
    assert_eq!(noted.lines().count(), 2, "{noted}");
    for setting in ["TCP ClntRcvBuffSize", "MESSAGEBUFFER PurgeTime"] {
        let expected = format!(": the client setting {setting} is not known and has no effect; remove it");
        assert!(noted.contains(&expected), "{setting} in {noted}");
    }
    let table = in_directory("AMQCLCHL.TAB");
    std::fs::write(&table, b"AMQR\x01\0\0\0TO.QM1").unwrap();
    let folder = place.directory.path().to_str().unwrap();
    for (name, value) in [("MQCCDTURL", table.as_str()), ("MQCHLTAB", &table), ("MQCHLLIB", folder)] {
        connects(&place, &["QM1", "client"], &[(name, value), ("FERRY_CLIENT_LOG", &log)], "2539");
        let noted = std::fs::read_to_string(&log).unwrap();
        let noted = noted.lines().last().unwrap_or_default();
        let told = format!("{table}: a table of client channels in binary form, which is not read here: ");
        assert!(noted.contains(&told) && noted.contains("runmqsc -n < clntconn.mqsc"), "{name}: {noted}");
    }
    let refused = [("MQSERVER", "nonsense"), ("FERRY_CLIENT_LOG", &log)];
    connects(&place, &["QM1", "client"], &refused, "2539");
    let noted = std::fs::read_to_string(&log).unwrap();
    assert!(
        noted.ends_with(": MQSERVER: \"nonsense\" defines no channel; write CHANNEL/TCP/host(port)\n"),
        "{noted}"
    );
    connects(&place, &["QM1", "client"], &[("MQSERVER", &server), ("MQCCSID", "none")], "2539");
}

#[test]
fn a_clients_own_definition_at_fault_is_named_with_the_step_for_it() {
    let place = Place::new();
    let in_directory = |name: &str| place.directory.path().join(name).to_str().unwrap().to_owned();
    let log = in_directory("client.log");
    let noted = |arguments: &[&str], environment: &[(&str, &str)]| {
        let _ = std::fs::remove_file(&log);
        let environment = [environment, &[("FERRY_CLIENT_LOG", log.as_str())]].concat();
        connects(&place, arguments, &environment, "2539");
        std::fs::read_to_string(&log).unwrap_or_default()
    };
    let file = in_directory("t.json");
    let channel = |more: &str| {
        format!(
            r#"{{"channel":[{{"name":"TO.QM1","type":"clientConnection","clientConnection":{{{more}}}}}]}}"#
        )
    };
    let nowhere =
        "the channel TO.QM1 has connection \"\"; write [{\"host\": \"mq.example\", \"port\": 1414}]";
    for (content, words, step) in [
        (channel(r#""queueManager":"QM1""#), nowhere, "write [{"),
        (channel(r#""queueManager":"QM1","connection":[]"#), nowhere, "write [{"),
        (
            channel(r#""queueManager":"QM1","connection":[{"host":" "}]"#),
            "the channel TO.QM1 has host \"\"",
            "; write the name of a host",
        ),
        (
            "{".to_owned(),
            "not a table of client channels in JSON: EOF",
            "; correct it there, or write the table",
        ),
        (
            "[1]".to_owned(),
            "not a table of client channels in JSON: ",
            "; correct it there, or write the table",
        ),
    ] {
        std::fs::write(&file, &content).unwrap();
        let noted = noted(&["QM1", "client"], &[("MQCCDTURL", &file)]);
        for expected in [file.as_str(), words, step] {
            assert!(noted.contains(expected), "{content}: {expected:?} in {noted}");
        }
    }
    let absent = in_directory("absent.json");
    for (name, step) in [("MQCCDTURL", "; check MQCCDTURL, or MQCHLLIB"), ("MQCLNTCF", "; check MQCLNTCF")] {
        let noted = noted(&["QM1", "client"], &[(name, &absent)]);
        assert!(noted.contains(&absent) && noted.contains(step), "{noted}");
    }
    for (address, words) in [
        ("host(0)", "the address \"host(0)\" has \"0\" where a port from 1 to 65535 should be"),
        ("", "the address \"\" names no host; write host:port"),
        ("a(1),b(x)", "the address \"b(x)\" has \"x\" where a port"),
    ] {
        let noted = noted(&["QM1", "mqcno", address, "TO.QM1"], &[]);
        assert!(
            noted.contains("MQCD: the channel TO.QM1 leads nowhere: ") && noted.contains(words),
            "{noted}"
        );
    }
    // One that leads somewhere is used beside one that does not.
    let address = place.address();
    let (host, port) = address.split_once(':').unwrap();
    let both = format!(
        r#"{{"channel":[{{"name":"A","type":"clientConnection","clientConnection":{{"queueManager":"QM1"}}}},
           {{"name":"DEV.APP","type":"clientConnection","clientConnection":
             {{"queueManager":"QM1","connection":[{{"host":"{host}","port":{port}}}]}}}}]}}"#
    );
    std::fs::write(&file, both).unwrap();
    connects(&place, &["QM1", "client"], &[("MQCCDTURL", &file)], "QM1");
    let explained = Reason::CHANNEL_CONFIG_ERROR.text();
    assert!(explained.contains("channel table"), "{explained}");
}

#[test]
fn a_fastpath_opens_the_queue_manager_when_nobody_runs_it() {
    let mut place = Place::new();
    connects(&place, &["QM1", "fastpath"], &[], "QM1");
    place.stop();
    connects(&place, &["QM1"], &[], "2059");
    connects(&place, &["QM1", "fastpath"], &[("MQ_CONNECT_TYPE", "STANDARD")], "2059");
    connects(&place, &["QM1", "fastpath"], &[], "QM1");
    // It ended with its program, and what it kept is there.
    connects(&place, &["QM1", "fastpath"], &[], "QM1");
}

#[test]
fn a_fastpath_beside_a_running_queue_manager_goes_by_its_rings() {
    let place = Place::new();
    let data = DataDirectory::at(place.directory.path());
    let folder = instances::find(&data, &"QM1".parse().unwrap()).unwrap().folder;
    let aside = |name: &str| place.directory.path().join(name);
    std::fs::rename(folder.socket(), aside("socket")).unwrap();
    let calls = std::os::unix::net::UnixListener::bind(folder.socket()).unwrap();
    calls.set_nonblocking(true).unwrap();
    for binding in [&["QM1", "fastpath"][..], &["QM1"]] {
        connects(&place, binding, &[], "QM1");
        let called = calls.accept().map_err(|error| error.kind());
        assert_eq!(called.err(), Some(std::io::ErrorKind::WouldBlock), "{binding:?} went by the socket");
    }
    // Where no rings are offered, the socket is the way.
    std::fs::rename(folder.rings(), aside("rings")).unwrap();
    drop(calls);
    connects(&place, &["QM1", "fastpath"], &[], "2059");
    std::fs::rename(aside("socket"), folder.socket()).unwrap();
    connects(&place, &["QM1", "fastpath"], &[], "QM1");
    std::fs::rename(aside("rings"), folder.rings()).unwrap();
}

#[test]
fn a_queue_manager_that_a_program_holds_ends_in_order_with_it() {
    let mut place = Place::new();
    let altered = place.connection().command("ALTER QLOCAL(A) NPMCLASS(HIGH)").unwrap();
    assert!(!altered.failed, "{}", altered.text);
    place.stop();
    for end in ["returns", "exits", "connected"] {
        for does in ["put", "get"] {
            let output = place.command(&compiled("fastpath"), &[]).args([does, end]).output().unwrap();
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{does}, {end}: {told}");
        }
    }
}

#[test]
fn the_name_of_the_library_says_where_a_connection_goes_by_itself() {
    let place = Place::new();
    let copies = tempfile::tempdir().unwrap();
    for (name, expected) in [
        ("libmqm_r.so", "QM1"),
        ("libmqic_r.so", "2058"),
        ("libmqdc_r.so", "2058"),
        ("libmqmxa64_r.so", "QM1"),
        ("libmqcxa64_r.so", "2058"),
    ] {
        let copy = copies.path().join(name);
        // As an installation has them: one file, and links.
        match name {
            "libmqm_r.so" => drop(std::fs::copy(library(), &copy).unwrap()),
            _ => std::os::unix::fs::symlink("libmqm_r.so", &copy).unwrap(),
        }
        // Loaded before any other, it is the one whose name the program was linked with.
        connects(&place, &["QM1"], &[("LD_PRELOAD", copy.to_str().unwrap())], expected);
    }
}

#[test]
fn a_connection_chooses_what_is_accounted_for() {
    use mqi::constants::{
        MQCNO_ACCOUNTING_MQI_DISABLED, MQCNO_ACCOUNTING_MQI_ENABLED, MQCNO_ALL_CONVS_SHARE,
        MQCNO_CLIENT_BINDING, MQCNO_NO_CONV_SHARING,
    };
    let place = Place::new();
    let server = format!("DEV.APP/TCP/{}", place.address());
    let environment = [("MQSERVER", server.as_str())];
    let mut connection = place.connection();
    assert!(!connection.command("ALTER QMGR ACCTCONO(ENABLED)").unwrap().failed);
    let mut is_told = |numbers: &[i32]| {
        connection.command("CLEAR QLOCAL(SYSTEM.ADMIN.ACCOUNTING.QUEUE)").unwrap();
        connects(&place, &["QM1", "options", &options(numbers)], &environment, "QM1");
        let shown = connection.command("DISPLAY QLOCAL(SYSTEM.ADMIN.ACCOUNTING.QUEUE) CURDEPTH").unwrap();
        !shown.text.contains("CURDEPTH(0)")
    };
    for binding in [0, MQCNO_CLIENT_BINDING, MQCNO_CLIENT_BINDING | MQCNO_NO_CONV_SHARING] {
        assert!(is_told(&[binding, MQCNO_ACCOUNTING_MQI_ENABLED]), "{binding}");
        assert!(!is_told(&[binding, MQCNO_ACCOUNTING_MQI_DISABLED]), "{binding}");
        assert!(!is_told(&[binding]), "{binding}");
    }
    for both in [
        options(&[MQCNO_ACCOUNTING_MQI_ENABLED, MQCNO_ACCOUNTING_MQI_DISABLED]),
        options(&[MQCNO_NO_CONV_SHARING, MQCNO_ALL_CONVS_SHARE]),
    ] {
        connects(&place, &["QM1", "options", &both], &environment, "2046");
    }
}
