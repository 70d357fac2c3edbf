//! C programs that drive the switches of transaction managers.
//!
//! Lives here: their queue manager, and what is done to it beside them. Lives elsewhere: the answers that
//! they expect (`tests/programs/xa_codes.c`, `xa_threads.c`, `transactions.c`), the states of branches
//! against their table (`queue-manager/tests/it/branches`).

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use mqi::{GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, Reason, Verbs as _};

use crate::running::{Place, compiled, library};

/// A text for xa_open over the network.
fn by_network(place: &Place) -> String {
    let address = place.address();
    let (host, port) = address.rsplit_once(':').unwrap();
    format!("QMNAME=QM1,CHANNEL=DEV.APP,CONNAME={host}({port}),TRPTYPE=TCP")
}

/// The texts over the local socket and over the network.
fn texts(place: &Place) -> [String; 2] {
    ["QM1".to_owned(), by_network(place)]
}

fn program(place: &Place, name: &str, case: &str, text: &str) -> Command {
    let mut command = place.command(&compiled(name), &[]);
    command.args([case, text]);
    command
}

/// Runs a case to its end; its output.
#[track_caller]
fn run(place: &Place, name: &str, case: &str, text: &str) -> String {
    let output = program(place, name, case, text).output().unwrap();
    assert!(output.status.success(), "{case} by {text}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Gets all messages of a queue by a connection of its own; their number.
fn emptied(place: &Place, queue: &str) -> usize {
    let mut connection = place.connection();
    let queue = connection.open(&ObjectDescriptor::queue(queue.parse().unwrap()), OpenOptions::INPUT_SHARED);
    let queue = queue.unwrap().handle;
    let next =
        move || connection.get(queue, &mut MessageDescriptor::default(), &mut GetOptions::default(), 100);
    std::iter::repeat_with(next).take_while(Result::is_ok).count()
}

/// A case that waits while others act.
struct Waiting(Child, BufReader<std::process::ChildStdout>);

impl Waiting {
    #[track_caller]
    fn start(place: &Place, case: &str, text: &str) -> Self {
        let mut command = program(place, "xa_codes", case, text);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut waiting = Self(child, output);
        waiting.is_ready(case);
        waiting
    }

    /// Waits until it waits.
    #[track_caller]
    fn is_ready(&mut self, case: &str) {
        let mut line = String::new();
        self.1.read_line(&mut line).unwrap();
        if line.trim() != "READY" {
            let mut said = String::new();
            self.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            panic!("{case}: {said}");
        }
    }

    fn go_on(&mut self) {
        self.0.stdin.as_mut().unwrap().write_all(b"go on\n").unwrap();
    }

    #[track_caller]
    fn ends(mut self, case: &str) {
        self.go_on();
        let output = self.0.wait_with_output().unwrap();
        assert!(output.status.success(), "{case}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn the_switches_of_transaction_managers_refuse_what_is_not_open_and_what_opens_nothing() {
    let place = Place::new();
    let output = place.command(&compiled("switches"), &[]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_library_of_a_transaction_manager_is_that_of_its_program() {
    let place = Place::new();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::copy(library(), path("libmqm_r.so")).unwrap();
    for of_manager in ["libmqmxa.so", "libmqmxa_r.so", "libmqmxa64.so", "libmqmxa64_r.so", "libmqcxa64_r.so"]
    {
        std::os::unix::fs::symlink("libmqm_r.so", path(of_manager)).unwrap();
        for order in ["manager first", "program first"] {
            let mut command = place.command(&compiled("xa_names"), &[("MQ_CONNECT_TYPE", "STANDARD")]);
            let output = command.arg(path(of_manager)).arg(path("libmqm_r.so")).arg(order).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{of_manager}, {order}: {said}");
        }
    }
}

#[test]
fn a_transaction_manager_is_told_of_work_when_it_begins() {
    let place = Place::new();
    let output = place.command(&compiled("registered"), &[]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.trim(), Reason::UOW_ENLISTMENT_ERROR.name());
}

/// By the local socket, and over the network.
#[test]
fn a_branch_that_a_program_prepared_is_found_and_committed_by_another_after_a_restart() {
    for by_socket in [true, false] {
        let mut place = Place::new();
        let text = |place: &Place| if by_socket { "QM1".to_owned() } else { by_network(place) };
        run(&place, "transactions", "rules", &text(&place));
        run(&place, "transactions", "begin", &text(&place));
        place.stop();
        place.start(0);
        run(&place, "transactions", "recover", &text(&place));
    }
}

#[test]
fn identifiers_and_flags_that_are_none_are_refused_by_each_call() {
    let place = Place::new();
    texts(&place).iter().for_each(|text| _ = run(&place, "xa_codes", "arguments", text));
}

#[test]
fn each_state_of_a_branch_has_its_answers() {
    let place = Place::new();
    texts(&place).iter().for_each(|text| _ = run(&place, "xa_codes", "states", text));
}

#[test]
fn a_recovery_scan_is_open_until_it_is_ended_and_says_that_these_were_all() {
    let place = Place::new();
    texts(&place).iter().for_each(|text| _ = run(&place, "xa_codes", "scans", text));
}

#[test]
fn branches_that_a_person_decided_answer_with_the_decision_until_they_are_forgotten() {
    let place = Place::new();
    for text in texts(&place) {
        let waiting = Waiting::start(&place, "by hand", &text);
        let units = place.shown("DISPLAY CONN(*) TYPE(CONN) ALL WHERE(UOWSTATE EQ PREPARED)");
        let number = |qualifier: &str| {
            let of_branch = units.split("CONN(").find(|unit| unit.contains(qualifier)).expect(&units);
            let (_, behind) = of_branch.split_once("QMURID(").expect(&units);
            behind.split_once(')').unwrap().0.to_owned()
        };
        let (first, second) = (number("XA_GTRID[0100000000000000]"), number("XA_GTRID[0200000000000000]"));
        place.command_text(&format!("RESOLVE INDOUBT({first}) ACTION(COMMIT)"));
        place.command_text(&format!("RESOLVE INDOUBT({second}) ACTION(BACKOUT)"));
        waiting.ends("by hand");
    }
}

#[test]
fn branches_beyond_the_bounds_of_a_user_are_refused_or_rolled_back() {
    let bounds = "[xa]\nbranches_max = 4\n[growth]\nprepared_branches_user_max = 2\n";
    // What makes are counted for is a user whose name a channel has proved or given.
    let place = Place::prepared(bounds, |_| ());
    place.command_text("ALTER CHANNEL(DEV.APP) CHLTYPE(SVRCONN) MCAUSER('app')");
    place.command_text("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT)");
    place.command_text("SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT,GET)");
    run(&place, "xa_codes", "bounds", &by_network(&place));
}

#[test]
fn a_branch_whose_connection_ends_in_it_is_rolled_back_and_one_left_idle_has_its_time() {
    let place = Place::prepared("[xa]\nidle_seconds = 3\n", |_| ());
    for text in texts(&place) {
        let mut waiting = Waiting::start(&place, "left alone", &text);
        run(&place, "xa_codes", "ends within", &text);
        waiting.go_on();
        let output = waiting.0.wait_with_output().unwrap();
        assert!(output.status.success(), "{text}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_lost_connection_fails_every_call_until_it_is_opened_anew() {
    for by_socket in [true, false] {
        let mut place = Place::new();
        let port = place.address().rsplit_once(':').unwrap().1.parse().unwrap();
        let text = if by_socket { "QM1".to_owned() } else { by_network(&place) };
        let mut waiting = Waiting::start(&place, "lost", &text);
        place.stop();
        waiting.go_on();
        waiting.is_ready("lost");
        place.start(port);
        waiting.ends("lost");
    }
}

#[test]
fn a_put_without_a_reply_that_fails_rolls_its_branch_back_and_what_came_ahead_is_given_back() {
    let place = Place::new();
    place.command_text("DEFINE QLOCAL(FULL) MAXDEPTH(1)");
    let waiting = Waiting::start(&place, "ahead", &by_network(&place));
    assert_eq!(emptied(&place, "A"), 18, "two were got in the branch");
    waiting.ends("ahead");
}

#[test]
fn threads_and_children_have_what_they_opened_themselves() {
    let place = Place::new();
    for text in texts(&place) {
        run(&place, "xa_threads", "threads", &text);
        run(&place, "xa_threads", "children", &text);
    }
}

#[test]
fn consumers_are_called_in_a_branch_by_the_thread_that_is_in_it_alone() {
    let place = Place::new();
    for text in texts(&place) {
        let said = run(&place, "xa_threads", "consumers", &text);
        assert_eq!(said.trim(), Reason::ASYNC_XA_CONFLICT.name());
    }
}

#[test]
fn the_end_of_a_handle_closes_its_objects_and_leaves_its_branch() {
    let place = Place::new();
    texts(&place).iter().for_each(|text| _ = run(&place, "xa_threads", "leaves", text));
}

/// Stands between a program and its queue manager, and takes what a Welcome says of offers off it: so a queue
/// manager of an earlier release welcomes. The port at which it listens.
fn earlier_release(address: &str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (port, address) = (listener.local_addr().unwrap().port(), address.to_owned());
    std::thread::spawn(move || {
        let (mut program, _) = listener.accept().unwrap();
        let mut server = TcpStream::connect(address).unwrap();
        let (mut from, mut to) = (program.try_clone().unwrap(), server.try_clone().unwrap());
        std::thread::spawn(move || std::io::copy(&mut from, &mut to));
        let mut length = [0; 4];
        server.read_exact(&mut length).unwrap();
        let mut welcome = vec![0; u32::from_le_bytes(length) as usize];
        server.read_exact(&mut welcome).unwrap();
        welcome.truncate(welcome.len() - 4);
        program.write_all(&(welcome.len() as u32).to_le_bytes()).unwrap();
        program.write_all(&welcome).unwrap();
        let _ended = std::io::copy(&mut server, &mut program);
    });
    port
}

#[test]
fn a_queue_manager_of_an_earlier_release_is_not_opened() {
    let place = Place::new();
    let port = earlier_release(&place.address());
    let text = format!("QMNAME=QM1,CHANNEL=DEV.APP,CONNAME=127.0.0.1({port})");
    is_refused(&place, "opens -3", &text, "xa_open of queue manager QM1: 2298 MQRC_FUNCTION_NOT_SUPPORTED");
}

/// A text that opens nothing is told in words, in the file of `FERRY_CLIENT_LOG`.
#[track_caller]
fn is_refused(place: &Place, case: &str, text: &str, words: &str) {
    let log = place.folder().join("xa.log");
    let _absent = std::fs::remove_file(&log);
    let mut command = program(place, "xa_codes", case, text);
    let output = command.env("FERRY_CLIENT_LOG", &log).output().unwrap();
    assert!(output.status.success(), "{text}: {}", String::from_utf8_lossy(&output.stderr));
    let noted = std::fs::read_to_string(&log).unwrap_or_default();
    assert!(noted.contains(words), "{words:?} is not in {noted:?}");
}

#[test]
fn a_text_that_opens_nothing_is_refused_in_words() {
    const INVALID: &str = "opens -5";
    const FAILED: &str = "opens -3";
    let place = Place::new();
    let network = by_network(&place);
    let long = format!("QMNAME={}", "Q".repeat(10_000));
    is_refused(&place, INVALID, &long, "has more than 255 bytes");
    is_refused(&place, INVALID, "QMNAME=QM1,CHANNEL=DEV.APP", "has CHANNEL without CONNAME");
    is_refused(&place, INVALID, "QMNAME=QM1,COLOUR=red", "\"COLOUR\"");
    is_refused(&place, FAILED, "NOSUCH", "xa_open of queue manager NOSUCH: 2058");
    // Another queue manager is there.
    is_refused(
        &place,
        FAILED,
        &network.replace("QMNAME=QM1", "QMNAME=QM2"),
        "xa_open of queue manager QM2: 2058",
    );
    is_refused(&place, FAILED, &format!("{network},SSLCIPH=ANY_TLS13"), "nothing names a key store");
    is_refused(&place, "opens dynamically", "QMNAME=QM1,AXLIB=libnosuch.so", "AXLIB libnosuch.so");
    is_refused(&place, "opens dynamically", "QM1", "has no function ax_reg");
    run(&place, "xa_codes", "opens 0", &network);
}

#[test]
fn a_password_comes_from_a_file_of_its_owner_alone() {
    let place = Place::new();
    place.add_user("app", "a secret");
    place.command_text("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT,INQ)");
    place.command_text("SET AUTHREC PROFILE('A') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT)");
    place
        .command_text("ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)\nREFRESH SECURITY TYPE(CONNAUTH)");
    place.command_text("SET CHLAUTH('DEV.APP') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) CHCKCLNT(REQUIRED) ACTION(REPLACE)");
    let password = place.folder().join("app.pw");
    let text = format!("{},USER=app,PASSWORDFILE={}", by_network(&place), password.display());
    let write = |path: &Path, words: &str, mode: u32| {
        std::fs::write(path, words).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    is_refused(&place, "opens -3", &text, "cannot be read");
    write(&password, "a secret\n", 0o644);
    is_refused(&place, "opens -3", &text, "others may read it: chmod 600");
    write(&password, "another\n", 0o600);
    is_refused(&place, "opens -3", &text, "xa_open of queue manager QM1: 2035");
    write(&password, "a secret\nand a line behind it", 0o600);
    run(&place, "xa_codes", "opens 0", &text);
    is_refused(&place, "opens -3", &by_network(&place), "xa_open of queue manager QM1: 2035");
    // A pipe that nobody writes to keeps no program waiting.
    std::fs::remove_file(&password).unwrap();
    let made = Command::new("mkfifo").arg("--mode=600").arg(&password).status().unwrap();
    assert!(made.success(), "{made}");
    is_refused(&place, "opens -3", &text, "it is no file");
}

/// Runs a part of the program about the edges of branches.
#[track_caller]
fn goes_to_the_edge_of_branches(what: &str) {
    let place = Place::new();
    let output = place.command(&compiled("xa_edges"), &[]).arg(what).output().unwrap();
    assert!(output.status.success(), "{what}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_recovery_is_asked_until_it_is_given_less_than_it_has_room_for() {
    goes_to_the_edge_of_branches("scans");
}

#[test]
fn a_program_that_leaves_a_transaction_manager_leaves_nothing_of_its_own_behind() {
    goes_to_the_edge_of_branches("leaves");
}

#[test]
fn consumers_are_not_started_on_a_connection_of_a_transaction_manager() {
    goes_to_the_edge_of_branches("starts");
}

#[test]
fn a_thread_that_has_ended_cleans_up_what_it_opened() {
    goes_to_the_edge_of_branches("ends");
}

#[test]
fn a_transaction_manager_opens_anew_what_was_lost_also_within_a_branch() {
    let mut place = Place::new();
    let mut command = place.command(&compiled("xa_edges"), &[]);
    let pipes = command.arg("fails").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = pipes.spawn().unwrap();
    let mut told = BufReader::new(program.stdout.take().unwrap());
    let mut input = program.stdin.take().unwrap();
    for _ in 0..2 {
        let mut line = String::new();
        told.read_line(&mut line).unwrap();
        if line != "ready\n" {
            break;
        }
        place.stop();
        place.start(0);
        input.write_all(b"go\n").unwrap();
    }
    let output = program.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
