//! Channel rules at the login, with real sockets that come from addresses of the loopback network.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::time::Duration;

use client::{ConnectError, Connection, Credentials, Options, Secret};
use identity::{Cost, HashMemory, Users, UsersFile};
use mqi::constants::*;
use mqi::{GetFlags, OpenOptions, Reason, Verbs};
use objects::pcf::{Content, Message};
use rustix::net::{AddressFamily, SocketFlags, SocketType};
use server::Server;

use crate::running::{NO_PASSWORD_AT_LOOPBACK, Place, RIGHTS_OF_ALL, command, eventually, get, open};

pub(crate) const PASSWORD: &str = "tall giraffe";

/// A connection from an address of this machine.
fn from(source: IpAddr, to: SocketAddr) -> TcpStream {
    let flags = SocketFlags::CLOEXEC;
    let socket: OwnedFd =
        rustix::net::socket_with(AddressFamily::INET, SocketType::STREAM, flags, None).unwrap();
    rustix::net::bind(&socket, &SocketAddr::new(source, 0)).unwrap();
    rustix::net::connect(&socket, &to).unwrap();
    TcpStream::from(socket)
}

/// Has connections go on from another address of this machine, as long as the test runs; returns the place
/// where they come in.
pub(crate) fn relay(source: &str, to: SocketAddr) -> SocketAddr {
    let source: IpAddr = source.parse().unwrap();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let at = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for inner in listener.incoming().map_while(Result::ok) {
            let outer = from(source, to);
            for (mut from, mut to) in
                [(inner.try_clone().unwrap(), outer.try_clone().unwrap()), (outer, inner)]
            {
                std::thread::spawn(move || {
                    let _ = std::io::copy(&mut from, &mut to);
                    let _ = to.shutdown(Shutdown::Write);
                });
            }
        }
    });
    at
}

/// A queue manager with user `ada` and the channel APP.
pub(crate) struct Ruled {
    place: Place,
    server: Server,
    pub(crate) administrator: Connection,
}

fn users() -> Users {
    let mut users = Users::default();
    users
        .add("ada", PASSWORD.as_bytes(), Vec::new(), &[7; 16], Cost::LEAST, &mut HashMemory::default())
        .unwrap();
    users
}

impl Ruled {
    fn new(commands: &[&str]) -> Self {
        Self::with_settings("", commands)
    }

    pub(crate) fn with_settings(settings: &str, commands: &[&str]) -> Self {
        let place = Place::with_settings(&format!("[errors]\nflood_max = 1000\n{settings}"));
        std::fs::create_dir_all(place.folder().join("security")).unwrap();
        UsersFile::at(place.folder().join("security/users.toml")).write(&users()).unwrap();
        let server = place.start();
        let mut administrator = administrator(&place);
        command(&mut administrator, "DEFINE CHANNEL(APP) CHLTYPE(SVRCONN)");
        for text in RIGHTS_OF_ALL.iter().chain(commands) {
            command(&mut administrator, text);
        }
        Self { place, server, administrator }
    }

    pub(crate) fn at(&self) -> SocketAddr {
        self.server.address().unwrap()
    }

    fn told(&mut self, text: &str) -> String {
        command(&mut self.administrator, text)
    }

    /// The user that a login acts as, or the reason why it is refused.
    fn login(&mut self, options: Options) -> Result<String, Reason> {
        let connection = Connection::connect(options.application("tried").alone());
        let connection = connection.map_err(|error| error.reason())?;
        let shown = self.told("DISPLAY CONN(*) WHERE(APPLTAG EQ 'tried') USERID");
        let (_, rest) = shown.split_once("USERID(").unwrap_or_else(|| panic!("{shown}"));
        let user = rest.split(')').next().unwrap().trim().to_owned();
        drop(connection);
        eventually("the connection is gone", || {
            !command(&mut self.administrator, "DISPLAY CONN(*) ALL").contains("APPLTAG(tried)")
        });
        Ok(user)
    }

    fn refusals(&self) -> Vec<String> {
        let log = self.place.error_log();
        log.lines().filter(|line| line.contains("FRY5020")).map(str::to_owned).collect()
    }

    /// The events on a queue, which is empty afterwards: reason, qualifier and channel of each.
    fn events(&mut self) -> Vec<(i32, i32, String)> {
        let queue = open(&mut self.administrator, "SYSTEM.ADMIN.CHANNEL.EVENT", OpenOptions::INPUT_SHARED);
        let mut found = Vec::new();
        while let Ok(body) = get(&mut self.administrator, queue, Duration::ZERO, GetFlags::NO_SYNCPOINT) {
            let message = Message::decode(&body, objects::pcf::ByteOrder::NATIVE).unwrap();
            let of = |identifier: i32| {
                let is_it = |parameter: &&objects::pcf::Parameter| parameter.identifier == identifier;
                message.parameters.iter().find(is_it).map(|parameter| parameter.content.clone())
            };
            let Some(Content::Integer(qualifier)) = of(MQIACF_REASON_QUALIFIER) else {
                panic!("{message:?}")
            };
            let channel = match of(MQCACH_CHANNEL_NAME) {
                Some(Content::Text(name)) => name.trim_end().to_owned(),
                _ => String::new(),
            };
            found.push((message.header.reason, qualifier, channel));
        }
        self.administrator.close(queue, mqi::CloseOptions::default()).unwrap();
        found
    }
}

fn administrator(place: &Place) -> Connection {
    let local = format!("unix:{}", place.folder().join("socket").display());
    Connection::connect(Options::to(local.parse().unwrap()).application("administrator")).unwrap()
}

fn by(at: SocketAddr, channel: &str, user: &str) -> Options {
    let options = Options::to(at.to_string().parse().unwrap()).channel(channel);
    Options { user: user.to_owned(), ..options }
}

fn proved(options: Options) -> Options {
    let secret = Secret::new(PASSWORD.as_bytes().to_vec());
    options.credentials(Credentials::password("ada", secret).unwrap())
}

fn refusal(refused: Result<Connection, ConnectError>) -> (Reason, String) {
    let Err(error) = refused else { panic!("the program is let in") };
    (error.reason(), error.to_string())
}

const REFUSED: Result<&str, Reason> = Err(Reason::NOT_AUTHORIZED);

#[test]
fn the_most_specific_record_decides_about_a_login_and_run_check_says_the_same() {
    let mut ruled = Ruled::new(&[
        "DEFINE CHANNEL(OWN) CHLTYPE(SVRCONN) MCAUSER('service')",
        "DEFINE CHANNEL(NOWHERE) CHLTYPE(SVRCONN)",
        "SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)",
        "SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.8-15') MCAUSER('office')",
        "SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.9') USERSRC(NOACCESS)",
        "SET CHLAUTH(APP) TYPE(USERMAP) CLNTUSER('kim') MCAUSER('payroll')",
        "SET CHLAUTH(APP) TYPE(USERMAP) CLNTUSER('kim') ADDRESS('127.0.0.11') USERSRC(NOACCESS)",
        "SET CHLAUTH(APP) TYPE(BLOCKUSER) USERLIST('eve','*MQADMIN')",
        "SET CHLAUTH(OWN) TYPE(ADDRESSMAP) ADDRESS('127.*') USERSRC(CHANNEL)",
        "SET CHLAUTH('O*') TYPE(ADDRESSMAP) ADDRESS('127.0.0.12') USERSRC(NOACCESS)",
    ]);
    let me = platform::os::users::current();
    for (source, channel, user, expected) in [
        ("127.0.0.1", "APP", "batch", Ok("batch")),
        ("127.0.0.1", "APP", "", Ok("nobody")),
        ("127.0.0.1", "APP", "eve", REFUSED),
        ("127.0.0.1", "APP", "EVE", REFUSED),
        ("127.0.0.1", "APP", me.as_str(), REFUSED),
        ("127.0.0.1", "APP", "kim", Ok("payroll")),
        ("127.0.0.8", "APP", "batch", Ok("office")),
        ("127.0.0.8", "APP", "eve", Ok("office")),
        ("127.0.0.9", "APP", "batch", REFUSED),
        ("127.0.0.9", "APP", "kim", Ok("payroll")),
        ("127.0.0.11", "APP", "kim", REFUSED),
        ("127.0.0.16", "APP", "batch", REFUSED),
        ("127.0.0.1", "OWN", "batch", Ok("service")),
        ("127.0.0.12", "OWN", "batch", Ok("service")),
        ("127.0.0.1", "NOWHERE", "batch", REFUSED),
        ("127.0.0.1", "SYSTEM.AUTO.SVRCONN", "batch", REFUSED),
        ("127.0.0.1", "SYSTEM.DEF.SVRCONN", "batch", REFUSED),
        ("127.0.0.8", "SYSTEM.DEF.SVRCONN", "batch", REFUSED),
    ] {
        let at = relay(source, ruled.at());
        let row = format!("{user} by {channel} from {source}");
        let before = ruled.refusals().len();
        let found = ruled.login(by(at, channel, user));
        assert_eq!(found, expected.map(str::to_owned), "{row}");
        if expected.is_err() {
            eventually("the refusal is recorded", || ruled.refusals().len() > before);
            let records = ruled.refusals();
            assert_eq!(records.len(), before + 1, "{row}: {records:#?}");
            assert!(records[before].contains("CHLAUTH(") && records[before].contains(source), "{records:#?}");
        }
        if user.is_empty() {
            continue;
        }
        let question =
            format!("DISPLAY CHLAUTH({channel}) MATCH(RUNCHECK) ADDRESS('{source}') CLNTUSER('{user}')");
        let checked = ruled.told(&question);
        match expected {
            Ok(user) => assert!(checked.contains(&format!("let in as user {user}.")), "{row}: {checked}"),
            Err(_) => assert!(checked.contains("is refused: "), "{row}: {checked}"),
        }
    }
    assert!(!ruled.place.error_log().contains("FRY9002"), "one record, and no other");
}

#[test]
fn a_password_is_asked_for_by_a_rule_and_names_the_user_unless_a_rule_does() {
    let mut ruled = Ruled::new(&[
        "DEFINE CHANNEL(PROVED) CHLTYPE(SVRCONN) MCAUSER('service')",
        "SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)",
        "SET CHLAUTH(PROVED) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)",
        "SET CHLAUTH(PROVED) TYPE(USERMAP) CLNTUSER('ada') ADDRESS('127.0.0.7') MCAUSER('mapped')",
    ]);
    let at = ruled.at();
    assert_eq!(ruled.login(by(at, "APP", "batch")).as_deref(), Err(&Reason::NOT_AUTHORIZED));
    let (_, words) = refusal(Connection::connect(by(at, "APP", "batch").alone()));
    assert!(words.contains("give a user and a password"), "{words}");
    assert_eq!(ruled.login(proved(by(at, "APP", "batch"))).as_deref(), Ok("ada"));
    // A proved user is stronger than the channel's, and a rule's is stronger than that.
    assert_eq!(ruled.login(by(at, "PROVED", "batch")).as_deref(), Ok("service"));
    assert_eq!(ruled.login(proved(by(at, "PROVED", "batch"))).as_deref(), Ok("ada"));
    let other = relay("127.0.0.7", at);
    assert_eq!(ruled.login(proved(by(other, "PROVED", "batch"))).as_deref(), Ok("mapped"));
    // Nobody judges what a rule asks for.
    ruled.told("ALTER QMGR CONNAUTH(' ')");
    let (reason, words) = refusal(Connection::connect(by(at, "APP", "batch").alone()));
    assert!(reason == Reason::SECURITY_ERROR && words.contains("judges none"), "{words}");
}

#[test]
fn a_blocked_address_is_closed_without_a_word_and_told_of_at_a_rate() {
    let mut ruled = Ruled::new(&[
        "ALTER QMGR CHLEV(ENABLED)",
        "SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('127.0.0.20-29')",
    ]);
    let at = ruled.at();
    for _ in 0..50 {
        let mut stranger = from("127.0.0.21".parse().unwrap(), at);
        let _ = stranger.write_all(b"FRY");
        let mut answer = Vec::new();
        // The end, or a connection that was cut off since its bytes were not read.
        let read = stranger.read_to_end(&mut answer);
        assert!(answer.is_empty(), "{read:?} {answer:?}");
    }
    eventually("a refusal is recorded", || ruled.refusals().len() >= 10);
    let records = ruled.refusals();
    assert!(records.len() <= 30, "{}", records.len());
    assert!(records[0].contains("127.0.0.21") && records[0].contains("TYPE(BLOCKADDR)"), "{}", records[0]);
    let events = ruled.events();
    assert_eq!(events.len(), records.len());
    let expected = (MQRC_CHANNEL_BLOCKED, MQRQ_CHANNEL_BLOCKED_ADDRESS, String::new());
    assert!(events.iter().all(|event| *event == expected), "{events:?}");
    // Others come in, and so does that one where the record only warns.
    assert_eq!(ruled.login(proved(by(relay("127.0.0.1", at), "", "batch"))).as_deref(), Ok("ada"));
    ruled.told("SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.20-29') USERSRC(CHANNEL)");
    ruled.told("SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('127.0.0.20-29') WARN(YES) ACTION(REPLACE)");
    assert_eq!(ruled.login(by(relay("127.0.0.21", at), "APP", "batch")).as_deref(), Ok("batch"));
    let warned = (MQRC_CHANNEL_BLOCKED_WARNING, MQRQ_CHANNEL_BLOCKED_ADDRESS, "APP".to_owned());
    assert_eq!(ruled.events(), [warned]);
}

#[test]
fn a_refusal_by_a_rule_is_one_record_with_the_rule_and_one_event_if_channels_tell_events() {
    let mut ruled = Ruled::new(&[
        "DEFINE CHANNEL(OTHER) CHLTYPE(SVRCONN)",
        "SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)",
        "SET CHLAUTH(APP) TYPE(BLOCKUSER) USERLIST('eve')",
        "SET CHLAUTH(APP) TYPE(USERMAP) CLNTUSER('kim') USERSRC(NOACCESS) WARN(YES)",
    ]);
    let at = ruled.at();
    let (reason, words) = refusal(Connection::connect(by(at, "APP", "eve").alone()));
    assert_eq!(reason, Reason::NOT_AUTHORIZED);
    assert!(!words.contains("eve") && !words.contains("CHLAUTH"), "a stranger is told no rule: {words}");
    assert_eq!(ruled.events(), [], "CHLEV is DISABLED");
    ruled.told("ALTER QMGR CHLEV(EXCEPTION)");
    refusal(Connection::connect(by(at, "APP", "eve").alone()));
    refusal(Connection::connect(by(at, "OTHER", "batch").alone()));
    // One that a record only warns of acts as the channel says.
    assert_eq!(ruled.login(by(at, "APP", "kim")).as_deref(), Ok("kim"));
    assert_eq!(
        ruled.events(),
        [
            (MQRC_CHANNEL_BLOCKED, MQRQ_CHANNEL_BLOCKED_USERID, "APP".to_owned()),
            (MQRC_CHANNEL_BLOCKED, MQRQ_CHANNEL_BLOCKED_NOACCESS, "OTHER".to_owned()),
            (MQRC_CHANNEL_BLOCKED_WARNING, MQRQ_CHANNEL_BLOCKED_NOACCESS, "APP".to_owned()),
        ]
    );
    eventually("each refusal is in the log", || ruled.refusals().len() >= 3);
    let records = ruled.refusals();
    assert_eq!(records.len(), 3, "{records:#?}");
    assert!(records[0].contains("CHLAUTH(APP) TYPE(BLOCKUSER) decides"), "{}", records[0]);
    assert!(records[2].contains("CHLAUTH(*) TYPE(ADDRESSMAP) ADDRESS(*) decides"), "{}", records[2]);
}

#[test]
fn logins_over_loopback_are_judged_once_there_was_a_user_and_for_good() {
    let place = Place::new();
    let file = UsersFile::at(place.folder().join("security/users.toml"));
    let me = platform::os::users::current();
    let comes = |server: &Server, user: &str| {
        Connection::connect(by(server.address().unwrap(), "", user).alone()).map(drop)
    };
    {
        let server = place.start();
        command(&mut administrator(&place), "SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('*')");
        comes(&server, &me).expect("nothing is judged as long as there is no user");
        command(&mut administrator(&place), "SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('*') ACTION(REMOVE)");
        std::fs::create_dir_all(place.folder().join("security")).unwrap();
        file.write(&users()).unwrap();
        eventually("logins are judged", || comes(&server, &me).is_err());
        for text in RIGHTS_OF_ALL.into_iter().chain([NO_PASSWORD_AT_LOOPBACK]) {
            command(&mut administrator(&place), text);
        }
        comes(&server, "batch").unwrap();
    }
    // Users that are taken away again open nothing.
    std::fs::remove_file(place.folder().join("security/users.toml")).unwrap();
    let server = place.start();
    assert_eq!(comes(&server, &me).map_err(|error| error.reason()), Err(Reason::NOT_AUTHORIZED));
    comes(&server, "batch").unwrap();
    // By the local socket an administrator comes in whatever the rules say.
    let mut one = administrator(&place);
    command(&mut one, "ALTER QMGR CHLAUTH(DISABLED)");
    comes(&server, &me).expect("no rule is about it");
}

/// Logs in over loopback and by the local socket as another user, and opens a queue. The local socket's
/// user is the owner of the process, unless a password proves another.
fn may_open(options: Options) -> Result<(), Reason> {
    let mut connection = Connection::connect(options.alone()).map_err(|error| error.reason())?;
    let queue = mqi::ObjectDescriptor::queue("SYSTEM.DEFAULT.LOCAL.QUEUE".parse().unwrap());
    connection.open(&queue, OpenOptions::INPUT_SHARED).map(drop)
}

#[test]
fn a_user_alone_has_requests_judged_on_both_doors_and_for_good() {
    let place = Place::new();
    let file = UsersFile::at(place.folder().join("security/users.toml"));
    let local = || {
        let local = format!("unix:{}", place.folder().join("socket").display());
        Options::to(local.parse().unwrap())
    };
    {
        let server = place.start();
        let at = server.address().unwrap();
        assert_eq!(may_open(by(at, "", "batch")), Ok(()), "nothing is judged as long as there is no user");
        std::fs::create_dir_all(place.folder().join("security")).unwrap();
        file.write(&users()).unwrap();
        eventually("requests are judged", || may_open(by(at, "", "batch")) == Err(Reason::NOT_AUTHORIZED));
        assert_eq!(may_open(proved(by(at, "", ""))), Err(Reason::NOT_AUTHORIZED), "a proof is no right");
        assert_eq!(may_open(proved(local())), Err(Reason::NOT_AUTHORIZED), "by the local socket neither");
        assert_eq!(may_open(local()), Ok(()), "the owner of the process is an administrator");
        for text in [
            "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('ada') AUTHADD(CONNECT)",
            "SET AUTHREC PROFILE(SYSTEM.DEFAULT.LOCAL.QUEUE) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(GET)",
        ] {
            command(&mut administrator(&place), text);
        }
        assert_eq!(may_open(proved(by(at, "", ""))), Ok(()));
        assert_eq!(may_open(proved(local())), Ok(()));
        assert_eq!(may_open(by(at, "", "batch")), Err(Reason::NOT_AUTHORIZED));
    }
    std::fs::remove_file(place.folder().join("security/users.toml")).unwrap();
    let server = place.start();
    let at = server.address().unwrap();
    assert_eq!(may_open(by(at, "", "batch")), Err(Reason::NOT_AUTHORIZED), "the mark outlasts the users");
}

#[test]
fn a_key_alone_has_logins_over_loopback_judged_also_once_it_is_gone() {
    let place = Place::new();
    let keys = place.folder().join("security/keys");
    let me = platform::os::users::current();
    {
        let server = place.start();
        let at = server.address().unwrap();
        assert_eq!(may_open(by(at, "", &me)), Ok(()), "nothing is judged as long as there is no key");
        std::fs::create_dir_all(&keys).unwrap();
        std::fs::write(keys.join("qm1.key"), "a key").unwrap();
        eventually("logins are judged", || may_open(by(at, "", &me)) == Err(Reason::NOT_AUTHORIZED));
        assert_eq!(may_open(by(at, "", "batch")), Err(Reason::NOT_AUTHORIZED));
    }
    std::fs::remove_dir_all(place.folder().join("security")).unwrap();
    let server = place.start();
    let at = server.address().unwrap();
    for user in [me.as_str(), "batch", ""] {
        assert_eq!(
            may_open(by(at, "", user)),
            Err(Reason::NOT_AUTHORIZED),
            "{user}: the mark outlasts the key"
        );
    }
    command(&mut administrator(&place), "DISPLAY QMGR");
}

#[test]
fn an_authority_record_alone_has_logins_over_loopback_judged() {
    let place = Place::new();
    let server = place.start();
    let at = server.address().unwrap();
    let me = platform::os::users::current();
    assert_eq!(may_open(by(at, "", &me)), Ok(()));
    for text in RIGHTS_OF_ALL {
        command(&mut administrator(&place), text);
    }
    // The record of the family that keeps administrators out, and the one that closes other channels.
    assert_eq!(may_open(by(at, "", &me)), Err(Reason::NOT_AUTHORIZED));
    command(&mut administrator(&place), "DEFINE CHANNEL(APP) CHLTYPE(SVRCONN)");
    assert_eq!(may_open(by(at, "APP", "batch")), Err(Reason::NOT_AUTHORIZED));
    assert_eq!(may_open(by(at, "", "batch")), Err(Reason::NOT_AUTHORIZED), "its rules ask for a password");
    command(&mut administrator(&place), NO_PASSWORD_AT_LOOPBACK);
    assert_eq!(may_open(by(at, "", "batch")), Ok(()));
}

#[test]
fn no_program_of_the_machine_acts_as_another_user_without_a_password_once_there_is_a_user() {
    let mut ruled = Ruled::new(&["DEFINE CHANNEL(SYSTEM.ADMIN.SVRCONN) CHLTYPE(SVRCONN)"]);
    let free = TcpListener::bind("[::1]:0").unwrap().local_addr().unwrap();
    ruled.told(&format!("DEFINE LISTENER(SIX) TRPTYPE(TCP) IPADDR('::1') PORT({})", free.port()));
    ruled.told("START LISTENER(SIX)");
    let addresses = [ruled.at(), free];
    eventually("the listener is there", || TcpStream::connect(free).is_ok());
    let me = platform::os::users::current();
    for (at, channel) in
        addresses.iter().flat_map(|at| ["", "SYSTEM.DEF.SVRCONN", "SYSTEM.ADMIN.SVRCONN"].map(|it| (*at, it)))
    {
        for user in ["ada", "nobody", "", "batch", me.as_str()] {
            let found = ruled.login(by(at, channel, user));
            assert_eq!(found.as_deref(), Err(&Reason::NOT_AUTHORIZED), "{user} by {channel:?} at {at}");
        }
        assert_eq!(
            ruled.login(proved(by(at, channel, "batch"))).as_deref(),
            Ok("ada"),
            "{channel:?} at {at}"
        );
    }
    // A channel with a user of its own asks all the same; the local socket does not.
    ruled.told("ALTER CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(SVRCONN) MCAUSER('service')");
    assert_eq!(ruled.login(by(addresses[0], "", "ada")).as_deref(), Err(&Reason::NOT_AUTHORIZED));
    let local = format!("unix:{}", ruled.place.folder().join("socket").display());
    assert_eq!(ruled.login(Options::to(local.parse().unwrap())).as_deref(), Ok(me.as_str()));
    // Rules of an administrator are as they say.
    ruled.told("SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)");
    assert_eq!(ruled.login(by(addresses[0], "APP", "ada")).as_deref(), Ok("ada"));
    // Where no password is judged a rule that asks for one lets nobody in, and says what to change.
    ruled.told("ALTER QMGR CONNAUTH(' ')");
    // One source is reported ten times a second.
    eventually("the cause is recorded", || {
        let found = ruled.login(proved(by(addresses[0], "", "")));
        assert_eq!(found.as_deref(), Err(&Reason::SECURITY_ERROR));
        ruled.refusals().iter().any(|record| record.contains("ALTER QMGR CONNAUTH("))
    });
}

#[test]
fn what_first_has_logins_judged_tells_of_rules_of_an_earlier_release_in_the_error_log_and_a_start_does() {
    let place = Place::new();
    let told = || place.error_log().matches("FRY5033W").count();
    {
        let server = place.start();
        command(&mut administrator(&place), NO_PASSWORD_AT_LOOPBACK);
        assert_eq!(told(), 0);
        std::fs::create_dir_all(place.folder().join("security")).unwrap();
        UsersFile::at(place.folder().join("security/users.toml")).write(&users()).unwrap();
        eventually("the first user is found", || told() == 1);
        drop(server);
    }
    let _server = place.start();
    eventually("the start tells of it", || told() == 2);
    let log = place.error_log();
    let command = "CHCKCLNT(REQUIRED) USERSRC(CHANNEL) ADDRESS('127.0.0.1') ACTION(REPLACE)";
    assert!(log.contains(command), "{log}");
}

#[test]
fn loopback_that_is_trusted_asks_no_rule() {
    let mut ruled = Ruled::with_settings(
        "[security]\nloopback = \"trusted\"\n",
        &["SET CHLAUTH(APP) TYPE(BLOCKUSER) USERLIST('eve')"],
    );
    let at = ruled.at();
    assert_eq!(ruled.login(by(at, "APP", "eve")).as_deref(), Ok("eve"));
    assert_eq!(ruled.login(by(relay("127.0.0.99", at), "APP", "kim")).as_deref(), Ok("kim"));
}

#[test]
fn a_login_is_judged_by_records_that_no_crash_takes_back() {
    let mut ruled = Ruled::new(&["SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)"]);
    let at = ruled.at();
    for round in 0..20 {
        let user = format!("user{round}");
        ruled.told(&format!("SET CHLAUTH(APP) TYPE(USERMAP) CLNTUSER('{user}') MCAUSER('as{round}')"));
        assert_eq!(ruled.login(by(at, "APP", &user)), Ok(format!("as{round}")));
        ruled.told(&format!("SET CHLAUTH(APP) TYPE(USERMAP) CLNTUSER('{user}') ACTION(REMOVE)"));
        assert_eq!(ruled.login(by(at, "APP", &user)), Ok(user));
    }
}

#[test]
fn a_record_makes_an_administrator_where_its_user_was_proved_and_nowhere_else() {
    let mut one = Ruled::new(&[
        "SET CHLAUTH('APP') TYPE(BLOCKUSER) USERLIST('nobody')",
        "SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHRMV(ALL)",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHADD(CONNECT,CHG,DSP,ALTUSR)",
        "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) FAILDLAY(0) CHCKCLNT(OPTIONAL)",
    ]);
    let mut users = users();
    for (user, groups) in [("mqm", vec!["ferrymq".to_owned()]), ("eve", Vec::new())] {
        let memory = &mut HashMemory::default();
        users.add(user, PASSWORD.as_bytes(), groups, &[7; 16], Cost::LEAST, memory).unwrap();
    }
    UsersFile::at(one.place.folder().join("security/users.toml")).write(&users).unwrap();
    one.told("REFRESH SECURITY TYPE(CONNAUTH)");
    let at = one.at();
    let way = |asserted: &str, proves: bool| {
        let options = Options::to(at.to_string().parse().unwrap()).channel("APP").alone();
        let secret = Secret::new(PASSWORD.as_bytes().to_vec());
        match proves {
            true => options.credentials(Credentials::password(asserted, secret).unwrap()),
            false => Options { user: asserted.to_owned(), ..options },
        }
    };
    let may_everything = |options: Options| {
        let mut connection = Connection::connect(options).map_err(|error| error.reason())?;
        let answer = connection.command("ALTER QMGR DESCR('by an administrator')")?;
        Ok::<bool, Reason>(!answer.failed)
    };
    let user_map = "SET CHLAUTH('APP') TYPE(USERMAP) CLNTUSER('ada') USERSRC(MAP) MCAUSER('mqm')";
    let address_map = "SET CHLAUTH('APP') TYPE(ADDRESSMAP) ADDRESS('127.0.0.*') USERSRC(MAP) MCAUSER('mqm')";
    assert!(!one.told(user_map).contains("FRY8882W"));
    assert_eq!(may_everything(way("ada", true)), Ok(true));
    assert_eq!(may_everything(way("ada", false)), Err(Reason::NOT_AUTHORIZED), "a name proves nothing");
    // No record of the name would help: none is proposed.
    let audit = || std::fs::read_to_string(one.place.folder().join("audit/audit.log")).unwrap_or_default();
    eventually("the refusal is recorded", || audit().contains("\"user\":\"mqm\""));
    let refused = audit();
    let refused = refused.lines().rfind(|line| line.contains("\"user\":\"mqm\"")).unwrap();
    assert!(!refused.contains("SET AUTHREC"), "{refused}");
    // Neither does an address.
    assert!(one.told(&format!("{user_map} ACTION(REMOVE)")).contains("FRY8877I"));
    assert!(one.told(address_map).contains("FRY8882W"), "it is said");
    for proves in [true, false] {
        assert_eq!(may_everything(way("ada", proves)), Err(Reason::NOT_AUTHORIZED), "{proves}");
    }
    one.told(&format!("{address_map} ACTION(REMOVE)"));
    // A password by which the user is not to act names it, and proves nothing.
    one.told("ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) ADOPTCTX(NO)");
    assert!(one.told(user_map).contains("FRY8882W"));
    let named = Options { user: "ada".to_owned(), ..way("ada", true) };
    assert_eq!(may_everything(named), Err(Reason::NOT_AUTHORIZED));
    one.told("ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) ADOPTCTX(YES)");
    assert_eq!(may_everything(way("ada", true)), Ok(true));
    // A blocked user stays blocked.
    one.told("SET CHLAUTH('APP') TYPE(BLOCKUSER) USERLIST('*MQADMIN')");
    assert_eq!(may_everything(way("ada", true)), Err(Reason::NOT_AUTHORIZED));
    one.told("SET CHLAUTH('APP') TYPE(BLOCKUSER) USERLIST('*MQADMIN') ACTION(REMOVE)");

    // A user that may change the queue manager makes no administrator, and lifts no block.
    one.told("SET CHLAUTH('APP') TYPE(USERMAP) CLNTUSER('eve') MCAUSER('eve')");
    one.told("SET CHLAUTH('OTHER') TYPE(BLOCKUSER) USERLIST('*MQADMIN')");
    let mut eve = Connection::connect(way("eve", true)).unwrap();
    for (text, is_done) in [
        ("SET CHLAUTH('APP') TYPE(USERMAP) CLNTUSER('kim') MCAUSER('kim')", true),
        ("SET CHLAUTH('APP') TYPE(USERMAP) CLNTUSER('eve') MCAUSER('mqm') ACTION(REPLACE)", false),
        ("SET CHLAUTH('APP') TYPE(USERMAP) CLNTUSER('kim') MCAUSER('mqm') ACTION(REPLACE)", false),
        ("SET CHLAUTH('APP') TYPE(USERMAP) CLNTUSER('ada') ACTION(REMOVE)", false),
        ("SET CHLAUTH('APP') TYPE(USERMAP) ACTION(REMOVEALL)", false),
        ("SET CHLAUTH('APP') TYPE(SSLPEERMAP) SSLPEER('CN=eve') MCAUSER('mqm')", false),
        ("SET CHLAUTH('APP') TYPE(ADDRESSMAP) ADDRESS('*') MCAUSER('mqm')", false),
        ("SET CHLAUTH('OTHER') TYPE(BLOCKUSER) USERLIST('*MQADMIN') ACTION(REMOVE)", false),
        ("SET CHLAUTH('OTHER') TYPE(BLOCKUSER) USERLIST('kim') ACTION(REPLACE)", false),
        ("SET CHLAUTH('OTHER') TYPE(BLOCKUSER) ACTION(REMOVEALL)", false),
        ("SET CHLAUTH('APP') TYPE(USERMAP) CLNTUSER('kim') ACTION(REMOVE)", true),
    ] {
        let before = one.told("DISPLAY CHLAUTH(*) ALL");
        let answer = eve.command(text).unwrap();
        assert_eq!(answer.failed, !is_done, "{text}: {}", answer.text);
        if !is_done {
            assert!(answer.text.contains("login of an administrator"), "{}", answer.text);
            assert_eq!(one.told("DISPLAY CHLAUTH(*) ALL"), before, "{text}");
        }
    }
}
