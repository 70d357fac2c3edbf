//! Programs that log in with a user and a password, or without.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use client::{Address, ConnectError, Connection, Credentials, Options, Secret};
use identity::{Cost, HashMemory, Users, UsersFile};
use mqi::Reason;
use server::Server;

use crate::running::{NO_PASSWORD_AT_LOOPBACK, Place, RIGHTS_OF_ALL, command, eventually};

const PASSWORD: &str = " correct horse ";

/// A queue manager with users `ada`, `grace` (locked) and `ken` (expired), and its administrator.
struct WithUsers {
    place: Place,
    server: Server,
    administrator: Connection,
}

fn users() -> Users {
    let mut users = Users::default();
    for user in ["ada", "grace", "ken"] {
        users
            .add(user, PASSWORD.as_bytes(), Vec::new(), &[7; 16], Cost::LEAST, &mut HashMemory::default())
            .unwrap();
    }
    users.lock("grace", true).unwrap();
    users.expire("ken", Some(1)).unwrap();
    users
}

impl WithUsers {
    fn new(auth_info: &str) -> Self {
        // More records a second than the error log takes of one kind at first.
        let place = Place::with_settings("[errors]\nflood_max = 1000\n");
        let security = place.folder().join("security");
        std::fs::create_dir_all(&security).unwrap();
        file(&place).write(&users()).unwrap();
        let server = place.start();
        let mut administrator = Connection::connect(local(&place).application("administrator")).unwrap();
        command(&mut administrator, &format!("{ALTER} {auth_info}"));
        for text in RIGHTS_OF_ALL.into_iter().chain([NO_PASSWORD_AT_LOOPBACK]) {
            command(&mut administrator, text);
        }
        Self { place, server, administrator }
    }

    fn by_network(&self) -> Options {
        let port = self.server.address().unwrap().port();
        let options = Options::to(format!("127.0.0.1({port})").parse().unwrap());
        // An administrator is let in by no channel without a proof.
        Options { user: "program".into(), ..options.application("program").alone() }
    }

    fn by_local_socket(&self) -> Options {
        local(&self.place).application("program").alone()
    }

    /// The way of a C program of the machine: by rings, or else by the socket.
    fn by_rings(&self) -> Options {
        let mut options = self.by_local_socket();
        options.addresses.insert(0, Address::Rings(self.place.folder().join("rings")));
        options
    }

    /// The records of refused logins.
    fn refusals(&self) -> Vec<String> {
        let log = self.place.error_log();
        log.lines().filter(|line| line.contains("FRY5020")).map(str::to_owned).collect()
    }

    fn shown_users(&mut self) -> String {
        command(&mut self.administrator, "DISPLAY CONN(*) WHERE(APPLTAG EQ 'program') USERID")
    }
}

const ALTER: &str = "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS)";

fn file(place: &Place) -> UsersFile {
    UsersFile::at(path(place))
}

fn path(place: &Place) -> PathBuf {
    place.folder().join("security/users.toml")
}

fn local(place: &Place) -> Options {
    Options::to(format!("unix:{}", place.folder().join("socket").display()).parse().unwrap())
}

fn credentials(user: &str, password: &str) -> Credentials {
    Credentials::password(user, Secret::new(password.as_bytes().to_vec())).unwrap()
}

fn refusal(connected: Result<Connection, ConnectError>) -> (Reason, String) {
    match connected {
        Ok(_) => panic!("the program is let in"),
        Err(ConnectError::Refused { reason, text, .. }) => (reason, text),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_wrong_login_is_2035_in_the_same_words_whatever_is_wrong_and_one_record() {
    let one = WithUsers::new("FAILDLAY(0)");
    let mut words = Vec::new();
    for (user, password, cause) in [
        ("nobody-here", PASSWORD, "no such user"),
        ("Ada", PASSWORD, "no such user"),
        ("ada", "wrong", "password is wrong"),
        ("ada", "correct horse", "password is wrong"),
        ("ada", " correct horse", "password is wrong"),
        ("ada", "correct horse ", "password is wrong"),
        ("ada", &"x".repeat(256), "password is wrong"),
        ("ada", "", "password is wrong"),
        ("grace", PASSWORD, "locked"),
        ("ken", PASSWORD, "expired"),
    ] {
        for options in [one.by_network(), one.by_local_socket(), one.by_rings()] {
            // Ten of a source within a second have records of their own.
            std::thread::sleep(Duration::from_millis(120));
            let before = one.refusals().len();
            let (reason, text) =
                refusal(Connection::connect(options.credentials(credentials(user, password))));
            assert_eq!(reason, Reason::NOT_AUTHORIZED, "{user} {password}: {text}");
            words.push(text);
            eventually("the refusal is in the error log", || one.refusals().len() > before);
            let records = one.refusals();
            assert_eq!(records.len(), before + 1, "{records:#?}");
            let last = records.last().unwrap();
            assert!(last.contains(cause) && last.contains(user), "{last}");
            assert!(!one.place.error_log().contains("FRY9002"), "one record, and no other");
        }
    }
    words.dedup();
    assert_eq!(words.len(), 1, "{words:#?}");
    assert!(!one.place.error_log().contains("correct horse"), "no password is written");
}

#[test]
fn the_right_password_makes_the_user_of_the_connection_and_adoptctx_no_does_not() {
    let mut one = WithUsers::new("CHCKCLNT(OPTIONAL) ADOPTCTX(YES)");
    let asserted = |options: Options| Options { user: "batch".into(), ..options };
    for options in [one.by_network(), one.by_local_socket()] {
        let ada = Connection::connect(asserted(options).credentials(credentials("ada", PASSWORD))).unwrap();
        let shown = one.shown_users();
        assert!(shown.contains("USERID(ada)"), "{shown}");
        drop(ada);
        eventually("the connection is gone", || !one.shown_users().contains("USERID(ada)"));
    }
    // The password alone proves the user that the program asserts.
    let named = Options { user: "ada".into(), ..one.by_network() };
    let ada = Connection::connect(named.credentials(credentials("", PASSWORD))).unwrap();
    assert!(one.shown_users().contains("USERID(ada)"));
    drop(ada);
    command(&mut one.administrator, &format!("{ALTER} ADOPTCTX(NO)"));
    let options = asserted(one.by_network()).credentials(credentials("ada", PASSWORD));
    let _batch = Connection::connect(options).unwrap();
    let shown = one.shown_users();
    assert!(shown.contains("USERID(batch)"), "{shown}");
}

fn change(user: &str, old: &str, new: &str) -> Credentials {
    let secret = |text: &str| Secret::new(text.as_bytes().to_vec());
    Credentials::change(user, secret(old), secret(new)).unwrap()
}

#[test]
fn a_user_replaces_its_own_password_by_the_old_one_and_a_wrong_one_is_one_record_and_changes_nothing() {
    // Whether passwords are looked at or not: a change is always proved.
    for checks in ["CHCKCLNT(OPTIONAL) CHCKLOCL(OPTIONAL)", "CHCKCLNT(NONE) CHCKLOCL(NONE)"] {
        let mut one = WithUsers::new(&format!("FAILDLAY(0) {checks}"));
        let mut holds = PASSWORD.to_owned();
        let wrong = [("ada", "wrong"), ("ada", ""), ("nobody-here", PASSWORD), ("grace", PASSWORD)];
        let ways = [(one.by_network(), 4), (one.by_local_socket(), 1), (one.by_rings(), 1)];
        for (number, (options, tries)) in ways.into_iter().enumerate() {
            let before = (one.refusals().len(), file(&one.place).read().unwrap());
            for (user, old) in &wrong[..tries] {
                let asked = options.clone().credentials(change(user, old, "another"));
                let (reason, text) = refusal(Connection::connect(asked));
                assert_eq!(reason, Reason::NOT_AUTHORIZED, "{user} {old}: {text}");
            }
            eventually("each refusal is a record", || one.refusals().len() >= before.0 + tries);
            assert_eq!(one.refusals().len(), before.0 + tries, "one for each");
            assert_eq!(file(&one.place).read().unwrap(), before.1, "nothing is changed");
            // None at all is no password.
            let none = options.clone().credentials(change("ada", &holds, ""));
            let (reason, text) = refusal(Connection::connect(none));
            assert!(reason == Reason::SECURITY_ERROR && text.contains("was not changed"), "{text}");
            let new = format!("password {number}");
            Connection::connect(options.clone().credentials(change("ada", &holds, &new))).unwrap();
            let proved = |password: &str| {
                file(&one.place)
                    .read()
                    .unwrap()
                    .prove("ada", password.as_bytes(), 0, &mut HashMemory::default())
                    .is_ok()
            };
            assert!(proved(&new) && !proved("another"));
            let left = |users: Users| users.all().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
            assert_eq!(left(file(&one.place).read().unwrap()), ["ada", "grace", "ken"]);
            assert!(!one.place.error_log().contains("password 0"), "no password is written");
            holds = new;
        }
        if checks.contains("NONE") {
            continue;
        }
        // A rule that keeps the user out keeps the old password.
        command(&mut one.administrator, "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('ada')");
        let asked = one.by_network().credentials(change("ada", &holds, "another"));
        assert_eq!(refusal(Connection::connect(asked)).0, Reason::NOT_AUTHORIZED);
        assert!(
            file(&one.place)
                .read()
                .unwrap()
                .prove("ada", holds.as_bytes(), 0, &mut HashMemory::default())
                .is_ok()
        );
    }
}

#[test]
fn chckclnt_and_chcklocl_say_which_programs_must_give_a_password() {
    let mut one = WithUsers::new("FAILDLAY(0)");
    let me = platform::os::users::current();
    let (right, wrong) = (credentials("ada", PASSWORD), credentials("ada", "wrong"));
    // The record that keeps administrators out is not what is tried here.
    command(&mut one.administrator, "SET CHLAUTH('*') TYPE(BLOCKUSER) ACTION(REMOVEALL)");
    // Let in: without credentials as another user, without as the owner of the process, right, wrong.
    for (check, expected) in [
        ("NONE", [true, true, true, true]),
        ("OPTIONAL", [true, true, true, false]),
        ("REQDADM", [true, false, true, false]),
        ("REQUIRED", [false, false, true, false]),
    ] {
        command(&mut one.administrator, &format!("{ALTER} CHCKCLNT({check}) CHCKLOCL(OPTIONAL)"));
        let as_user = |user: &str| Options { user: user.to_owned(), ..one.by_network() };
        let logins = [
            as_user("batch"),
            as_user(&me),
            as_user("batch").credentials(right.clone()),
            as_user("batch").credentials(wrong.clone()),
        ];
        let found = logins.map(|options| Connection::connect(options).is_ok());
        assert_eq!(found, expected, "CHCKCLNT({check})");
    }
    for (check, expected) in [
        ("NONE", [true, true, true]),
        ("OPTIONAL", [true, true, false]),
        ("REQDADM", [false, true, false]),
        ("REQUIRED", [false, true, false]),
    ] {
        command(&mut one.administrator, &format!("{ALTER} CHCKCLNT(OPTIONAL) CHCKLOCL({check})"));
        let logins = [
            one.by_local_socket(),
            one.by_local_socket().credentials(right.clone()),
            one.by_local_socket().credentials(wrong.clone()),
        ];
        let found = logins.map(|options| Connection::connect(options).is_ok());
        assert_eq!(found, expected, "CHCKLOCL({check})");
    }
    let (reason, text) = refusal(Connection::connect(one.by_local_socket()));
    assert!(reason == Reason::NOT_AUTHORIZED && text.contains("gave none"), "{text}");
    // Nothing judges credentials where CONNAUTH is blank; one that names nothing lets nobody in.
    command(&mut one.administrator, "ALTER QMGR CONNAUTH(' ')");
    Connection::connect(one.by_network().credentials(wrong)).unwrap();
    command(&mut one.administrator, "ALTER QMGR CONNAUTH(NOTHING)");
    let (reason, text) = refusal(Connection::connect(one.by_network()));
    assert!(reason == Reason::SECURITY_ERROR && text.contains("CONNAUTH(NOTHING)"), "{text}");
    Connection::connect(one.by_local_socket()).unwrap();
}

#[test]
fn a_new_queue_manager_lets_programs_in_without_a_password_and_judges_one_that_is_given() {
    let place = Place::new();
    let server = place.start();
    let mut administrator = Connection::connect(local(&place)).unwrap();
    let shown = command(&mut administrator, "DISPLAY QMGR CONNAUTH");
    assert!(shown.contains("CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)"), "{shown}");
    let port = server.address().unwrap().port();
    let to = || Options::to(format!("127.0.0.1({port})").parse().unwrap()).alone();
    Connection::connect(to()).unwrap();
    // There are no users, so that no password is right. A token has nobody yet who judges it: one without a
    // signature, one signed by a password, one out of its time, one for another audience, no token at all.
    let token = |text: &str| Credentials::token(Secret::new(text.as_bytes().to_vec())).unwrap();
    for (number, given) in [
        credentials("ada", PASSWORD),
        token("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ."),
        token("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmVk"),
        token("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEiLCJleHAiOjF9.c2lnbmVk"),
        token("eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEiLCJhdWQiOiJ4In0.c2lnbmVk"),
        token("a.b.c"),
        token("\u{0}"),
    ]
    .into_iter()
    .enumerate()
    {
        let began = Instant::now();
        // The delay grows with the failures of one name.
        let options = Options { user: format!("program{number}"), ..to() };
        let (reason, _) = refusal(Connection::connect(options.credentials(given)));
        assert_eq!(reason, Reason::NOT_AUTHORIZED);
        assert!(began.elapsed() >= Duration::from_secs(1), "FAILDLAY(1) puts the answer off");
    }
}

#[test]
fn a_program_that_asserts_an_administrator_is_refused_and_one_without_a_name_is_nobody() {
    let mut one = WithUsers::new("CHCKCLNT(OPTIONAL) FAILDLAY(0)");
    let owner = platform::os::users::current();
    let blocked = "SET CHLAUTH('SYSTEM.DEF.SVRCONN') TYPE(BLOCKUSER) USERLIST('*MQADMIN','batch')";
    command(&mut one.administrator, blocked);
    for user in [&*owner, "batch", "BATCH"] {
        let before = one.refusals().len();
        let named = Options { user: user.into(), ..one.by_network() };
        assert_eq!(refusal(Connection::connect(named)).0, Reason::NOT_AUTHORIZED, "{user}");
        eventually("it is recorded", || one.refusals().len() == before + 1);
    }
    let _nameless = Connection::connect(Options { user: String::new(), ..one.by_network() }).unwrap();
    let shown = one.shown_users();
    assert!(shown.contains("USERID(nobody)"), "{shown}");
}

#[test]
fn a_directory_is_asked_by_nobody_so_that_no_login_of_a_network_is_let_in_until_the_socket_mends_it() {
    let mut one = WithUsers::new("");
    let right = || Some(credentials("ada", PASSWORD));
    let by_network = |one: &WithUsers, credentials: Option<Credentials>| {
        let options = one.by_network();
        Connection::connect(match credentials {
            Some(credentials) => options.credentials(credentials),
            None => options,
        })
    };
    let text = "DEFINE AUTHINFO(DIR) AUTHTYPE(IDPWLDAP) CONNAME('ldap.test') SHORTUSR('uid') USRFIELD('uid')";
    command(&mut one.administrator, text);
    for connauth in ["DIR", "ABSENT"] {
        command(&mut one.administrator, &format!("ALTER QMGR CONNAUTH({connauth})"));
        for credentials in [None, right(), Some(credentials("*)(uid=*", "x"))] {
            let (reason, _) = refusal(by_network(&one, credentials));
            assert_eq!(reason, Reason::SECURITY_ERROR, "{connauth}");
        }
        assert!(Connection::connect(one.by_local_socket()).is_ok(), "an administrator mends it");
    }
    command(&mut one.administrator, "ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)");
    assert!(by_network(&one, right()).is_ok());
}

#[test]
fn a_user_that_is_locked_expires_or_is_removed_loses_connections_and_others_keep_theirs() {
    let one = WithUsers::new("FAILDLAY(0)");
    type Change = fn(&mut Users);
    let changes: [Change; 3] = [
        |users| users.lock("ada", true).unwrap(),
        |users| users.expire("ada", Some(1)).unwrap(),
        |users| users.remove("ada").unwrap(),
    ];
    let mut other = Connection::connect(one.by_network()).unwrap();
    for change in changes {
        file(&one.place).write(&users()).unwrap();
        for options in [one.by_network(), one.by_local_socket()] {
            file(&one.place).write(&users()).unwrap();
            let given = credentials("ada", PASSWORD);
            let mut ada = Connection::connect(options.credentials(given)).unwrap();
            let ask = |connection: &mut Connection| connection.command("DISPLAY QMGR QMNAME").map(drop);
            ask(&mut ada).unwrap();
            let mut changed = users();
            change(&mut changed);
            file(&one.place).write(&changed).unwrap();
            let began = Instant::now();
            eventually("the connection is ended", || ask(&mut ada).is_err());
            // Half a second until the file is read, a second until the connection is looked at, and room
            // for a machine that has other things to do.
            assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
            assert_eq!(ask(&mut ada).unwrap_err(), Reason::CONNECTION_BROKEN);
            ask(&mut other).unwrap();
        }
    }
}

#[test]
fn a_file_of_users_that_does_not_read_is_said_once_and_leaves_the_users_that_were_read() {
    let one = WithUsers::new("FAILDLAY(0)");
    std::fs::write(path(&one.place), "[users.ada]\nhash = \"none\"\n").unwrap();
    let said = |one: &WithUsers| one.place.error_log().matches("FRY5021").count();
    eventually("the fault is said", || said(&one) == 1);
    let ada = || Connection::connect(one.by_network().credentials(credentials("ada", PASSWORD)));
    ada().unwrap();
    std::thread::sleep(Duration::from_millis(1_200));
    assert_eq!(said(&one), 1, "{}", one.place.error_log());
    // A user who is added is there for the next login.
    let mut changed = users();
    changed.set_password("ada", b"other", &[8; 16], Cost::LEAST, &mut HashMemory::default()).unwrap();
    file(&one.place).write(&changed).unwrap();
    let (reason, _) = refusal(ada());
    assert_eq!(reason, Reason::NOT_AUTHORIZED);
    Connection::connect(one.by_network().credentials(credentials("ada", "other"))).unwrap();
}

#[test]
fn many_logins_at_once_are_judged_each_by_itself() {
    let one = WithUsers::new("FAILDLAY(1)");
    std::thread::scope(|scope| {
        for number in 0..40 {
            let options = one.by_network();
            scope.spawn(move || {
                let is_right = number % 2 == 0;
                let password = if is_right { PASSWORD } else { "wrong" };
                let connected = Connection::connect(options.credentials(credentials("ada", password)));
                assert_eq!(connected.is_ok(), is_right);
            });
        }
    });
    // What a delayed refusal waits for holds up nobody else.
    let began = Instant::now();
    Connection::connect(one.by_network().credentials(credentials("ada", PASSWORD))).unwrap();
    assert!(began.elapsed() < Duration::from_millis(900), "{:?}", began.elapsed());
}

#[test]
fn each_further_wrong_password_is_answered_later_until_a_right_one_comes() {
    let one = WithUsers::new("FAILDLAY(1)");
    let try_password = |password| {
        let began = Instant::now();
        let connected = Connection::connect(one.by_network().credentials(credentials("ada", password)));
        (connected.is_ok(), began.elapsed().as_secs())
    };
    let (is_let_in, first) = try_password("wrong");
    assert!(!is_let_in && first >= 1, "{first} s");
    let (is_let_in, second) = try_password("wrong");
    assert!(!is_let_in && second >= 2, "{second} s");
    assert!(try_password(PASSWORD).0, "a right one is let in at once");
    let began = Instant::now();
    assert!(!try_password("wrong").0);
    assert!(began.elapsed() < Duration::from_millis(1_950), "it begins anew: {:?}", began.elapsed());
}

/// A queue manager with user `ada` whose record of refusals is on a full disk, and settings more.
fn with_full_audit(settings: &str) -> (Place, Server) {
    let place = Place::with_settings(settings);
    for folder in ["security", "audit"] {
        std::fs::create_dir_all(place.folder().join(folder)).unwrap();
    }
    file(&place).write(&users()).unwrap();
    std::os::unix::fs::symlink("/dev/full", place.folder().join("audit/audit.log")).unwrap();
    let server = place.start();
    (place, server)
}

#[test]
fn a_full_disk_of_the_audit_stops_no_login_unless_the_record_is_required_and_then_all_but_the_owners() {
    let right = credentials("ada", PASSWORD);
    let (place, server) = with_full_audit("[errors]\nflood_max = 1000\n");
    let mut owner = Connection::connect(local(&place)).unwrap();
    RIGHTS_OF_ALL.iter().for_each(|text| drop(command(&mut owner, text)));
    let by_network = |server: &Server| {
        Options::to(server.address().unwrap().to_string().parse().unwrap()).application("program").alone()
    };
    refusal(Connection::connect(by_network(&server).credentials(credentials("ada", "wrong"))));
    eventually("the fault is in the error log", || place.error_log().contains("FRY5026W"));
    Connection::connect(by_network(&server).credentials(right.clone())).expect("the work goes on");
    drop((owner, server));

    let (place, server) = with_full_audit("[errors]\nflood_max = 1000\n[audit]\nrequired = true\n");
    assert!(place.error_log().contains("FRY5026W"), "known at the start");
    let mut owner = Connection::connect(local(&place)).expect("the owner mends it");
    RIGHTS_OF_ALL.iter().for_each(|text| drop(command(&mut owner, text)));
    for options in [
        by_network(&server),
        by_network(&server).credentials(right.clone()),
        by_network(&server).credentials(credentials("ada", "wrong")),
    ] {
        let (reason, text) = refusal(Connection::connect(options));
        assert!(
            reason == Reason::SECURITY_ERROR && text.contains("cannot record refusals"),
            "{reason}: {text}"
        );
    }
    let records = || place.error_log().lines().filter(|line| line.contains("FRY5020W")).count();
    eventually("each is a warning of the error log", || records() == 3);
    // A disk with room again; nothing else is done.
    std::fs::remove_file(place.folder().join("audit/audit.log")).unwrap();
    eventually("programs are let in again", || {
        Connection::connect(by_network(&server).credentials(right.clone())).is_ok()
    });
    drop((owner, server));
    let text = std::fs::read_to_string(place.folder().join("audit/audit.log")).unwrap();
    let lost = text.lines().filter_map(|line| line.strip_prefix("{\"lost\":")?.strip_suffix('}'));
    let lost: usize = lost.map(|count| count.parse::<usize>().unwrap()).sum();
    let told = text.lines().filter(|line| line.contains("\"login\"")).count();
    assert!(text.starts_with("{\"begun\"") && told + lost == records(), "{text}");
}
