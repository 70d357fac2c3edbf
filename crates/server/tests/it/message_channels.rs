//! Message channels between two queue managers that run, over real sockets.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use client::{Connection, Options};
use identity::{Cost, HashMemory, Users, UsersFile};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, OpenOptions, Persistence, PutFlags, PutOptions, Verbs as _,
};
use server::{Mode, Names, Server};

use crate::running::{Place, RIGHTS_OF_ALL, address, command, connect, eventually, get, open, put};

const WAIT: Duration = Duration::from_secs(10);

/// Two queue managers: A sends to B.
pub(crate) struct Pair {
    pub(crate) places: [Place; 2],
    pub(crate) servers: [Option<Server>; 2],
    /// The port of each, which stays the same over restarts.
    pub(crate) ports: [u16; 2],
    /// Addresses of this machine at which each listens.
    pub(crate) hosts: [IpAddr; 2],
    /// Names of partners, where they are not those of the system.
    pub(crate) names: Option<Arc<dyn Names>>,
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Pair {
    pub(crate) fn new() -> Self {
        Self::with_users_at_b(&[])
    }

    /// With users at B, from which on every partner is judged there.
    pub(crate) fn with_users_at_b(names: &[&str]) -> Self {
        Self::with(names, None)
    }

    /// With names of partners of its own as well.
    pub(crate) fn with(names: &[&str], of_partners: Option<Arc<dyn Names>>) -> Self {
        Self::of([Place::named("A"), Place::named("B")], names, of_partners)
    }

    /// With these settings at B.
    pub(crate) fn with_settings_at_b(settings: &str) -> Self {
        Self::of([Place::named("A"), Place::named_with("B", settings)], &[], None)
    }

    fn of(places: [Place; 2], names: &[&str], of_partners: Option<Arc<dyn Names>>) -> Self {
        let mut pair = Self {
            places,
            servers: [None, None],
            ports: [free_port(), free_port()],
            hosts: [Ipv4Addr::LOCALHOST.into(); 2],
            names: of_partners,
        };
        if !names.is_empty() {
            let mut users = Users::default();
            for name in names {
                users
                    .add(name, b"tall giraffe", Vec::new(), &[7; 16], Cost::LEAST, &mut HashMemory::default())
                    .unwrap();
            }
            let folder = pair.places[1].folder().join("security");
            std::fs::create_dir_all(&folder).unwrap();
            UsersFile::at(folder.join("users.toml")).write(&users).unwrap();
        }
        pair.start(0);
        pair.start(1);
        let to = pair.ports[1];
        for text in [
            "DEFINE QLOCAL(B) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)",
            "DEFINE QREMOTE(THERE) RNAME(IN) RQMNAME(B)",
            &format!("DEFINE CHANNEL(A.B) CHLTYPE(SDR) CONNAME('localhost({to})') XMITQ(B)"),
        ] {
            command(&mut pair.connect(0), text);
        }
        for text in ["DEFINE QLOCAL(IN) DEFPSIST(YES)", "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)"] {
            command(&mut pair.connect(1), text);
        }
        pair
    }

    pub(crate) fn start(&mut self, which: usize) {
        let place = &self.places[which];
        let address = SocketAddr::new(self.hosts[which], self.ports[which]);
        let names = self.names.clone();
        let options = server::Options { addresses: Some(vec![address]), names, ..place.options() };
        self.servers[which] = Some(Server::start(&options).unwrap());
    }

    pub(crate) fn stop(&mut self, which: usize, mode: Mode) {
        let server = self.servers[which].take().unwrap();
        server.stop(mode);
        server.wait();
    }

    /// By the local socket, where no rule is asked.
    pub(crate) fn connect(&self, which: usize) -> Connection {
        connect(&format!("unix:{}", self.places[which].folder().join("socket").display()))
    }

    pub(crate) fn status(&self, which: usize) -> String {
        command(&mut self.connect(which), "DISPLAY CHSTATUS(A.B) ALL")
    }

    /// Both ends as they show themselves, and the words of their error logs.
    pub(crate) fn told(&self) -> String {
        let end = |which: usize| format!("{}\n{}", self.status(which), self.places[which].error_log());
        [0, 1].map(end).join("\n")
    }

    pub(crate) fn send(&self, bodies: impl IntoIterator<Item = String>, persistence: Persistence) {
        let mut one = self.connect(0);
        let there = open(&mut one, "THERE", OpenOptions::OUTPUT);
        for body in bodies {
            put(&mut one, there, body.as_bytes(), persistence, PutFlags::EMPTY).unwrap();
        }
    }

    /// Gets messages at B, in their order.
    pub(crate) fn receive(&self, count: usize) -> Vec<String> {
        let mut one = self.connect(1);
        let queue = open(&mut one, "IN", OpenOptions::INPUT_SHARED);
        let got = (0..count).map(|_| {
            let got = get(&mut one, queue, WAIT, GetFlags::EMPTY);
            got.unwrap_or_else(|reason| panic!("{reason}: {}", self.told()))
        });
        got.map(|body| String::from_utf8(body).unwrap()).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        let mut one = self.connect(1);
        let queue = open(&mut one, "IN", OpenOptions::INPUT_SHARED);
        get(&mut one, queue, Duration::ZERO, GetFlags::EMPTY).is_err()
    }
}

pub(crate) fn numbered(numbers: std::ops::Range<usize>) -> impl Iterator<Item = String> {
    numbers.map(|number| format!("message {number}"))
}

#[test]
fn messages_start_their_channel_and_arrive_in_order_at_another_queue_manager() {
    let pair = Pair::new();
    for persistence in [Persistence::Persistent, Persistence::NotPersistent] {
        pair.send(numbered(0..300), persistence);
        assert_eq!(pair.receive(300), numbered(0..300).collect::<Vec<_>>());
    }
    let (sends, receives) = (pair.status(0), pair.status(1));
    for shown in ["STATUS(RUNNING)", "RQMNAME(B)", "CHLTYPE(SDR)", "INFLIGHT(4)"] {
        assert!(sends.contains(shown), "{shown}: {sends}");
    }
    for shown in ["STATUS(RUNNING)", "RQMNAME(A)", "CHLTYPE(RCVR)"] {
        assert!(receives.contains(shown), "{shown}: {receives}");
    }
}

#[test]
fn a_channel_goes_on_by_itself_when_either_end_comes_back() {
    for (which, mode) in
        [(0, Mode::Immediate), (1, Mode::Immediate), (1, Mode::Preemptive), (0, Mode::Preemptive)]
    {
        let mut pair = Pair::new();
        pair.send(numbered(0..100), Persistence::Persistent);
        assert_eq!(pair.receive(100).len(), 100);
        pair.stop(which, mode);
        if which == 1 {
            // They wait at A meanwhile.
            pair.send(numbered(100..200), Persistence::Persistent);
        }
        pair.start(which);
        if which == 0 {
            pair.send(numbered(100..200), Persistence::Persistent);
        }
        assert_eq!(pair.receive(100), numbered(100..200).collect::<Vec<_>>(), "{which} {mode:?}");
        assert!(pair.is_empty(), "none came twice");
    }
}

#[test]
fn a_channel_is_stopped_started_and_pinged_by_command() {
    let pair = Pair::new();
    let mut one = pair.connect(0);
    let pinged = command(&mut one, "PING CHANNEL(A.B) DATALEN(1000)");
    assert!(pinged.contains("FRY8476I"), "{pinged}");
    command(&mut one, "START CHANNEL(A.B)");
    eventually("it runs", || pair.status(0).contains("STATUS(RUNNING)"));
    let refused = one.command("PING CHANNEL(A.B)").unwrap();
    assert!(refused.failed && refused.text.contains("FRY8471E"), "{}", refused.text);
    command(&mut one, "STOP CHANNEL(A.B)");
    eventually("it is stopped", || pair.status(0).contains("STATUS(STOPPED)"));
    eventually("the partner's end is over", || pair.status(1).contains("FRY8155I"));
    pair.send(numbered(0..1), Persistence::Persistent);
    std::thread::sleep(Duration::from_millis(100));
    assert!(pair.is_empty());
    command(&mut one, "START CHANNEL(A.B)");
    assert_eq!(pair.receive(1), ["message 0"]);
    // The receiver is stopped: the sender ends, and with a message to send it says why it cannot and tries
    // again by itself.
    let mut other = pair.connect(1);
    command(&mut other, "STOP CHANNEL(A.B)");
    eventually("the sender hears of it", || !pair.status(0).contains("STATUS(RUNNING)"));
    pair.send(numbered(1..2), Persistence::Persistent);
    eventually("the sender is refused", || {
        let told = pair.status(0);
        told.contains("STATUS(RETRYING)") && told.contains("the channel A.B is stopped")
    });
    command(&mut other, "START CHANNEL(A.B)");
    assert_eq!(pair.receive(1), ["message 1"]);
}

#[test]
fn a_partner_that_cannot_be_reached_is_named_with_each_address_that_was_tried() {
    let pair = Pair::new();
    let mut one = pair.connect(0);
    let (nobody, there) = (free_port(), pair.ports[1]);
    command(
        &mut one,
        &format!("ALTER CHANNEL(A.B) CHLTYPE(SDR) CONNAME('127.0.0.1({nobody}),no.such.host.invalid')"),
    );
    let failed = one.command("PING CHANNEL(A.B)").unwrap();
    assert!(failed.failed && failed.text.contains("FRY8475E"), "{}", failed.text);
    command(&mut one, "START CHANNEL(A.B)");
    eventually("it retries", || {
        let told = pair.status(0);
        let named = [format!("127.0.0.1:{nobody}"), "no.such.host.invalid".to_owned()];
        told.contains("STATUS(RETRYING)") && named.iter().all(|name| told.contains(name))
    });
    // The first that answers of several is taken.
    command(
        &mut one,
        &format!("ALTER CHANNEL(A.B) CHLTYPE(SDR) CONNAME('127.0.0.1({nobody}),127.0.0.1({there})')"),
    );
    command(&mut one, "STOP CHANNEL(A.B) STATUS(INACTIVE)");
    command(&mut one, "START CHANNEL(A.B)");
    pair.send(numbered(0..1), Persistence::Persistent);
    assert_eq!(pair.receive(1), ["message 0"]);
}

#[test]
fn a_channel_that_a_command_stopped_stays_so_over_a_restart() {
    let mut pair = Pair::new();
    let mut ends = [pair.connect(0), pair.connect(1)];
    command(&mut ends[0], "STOP CHANNEL(A.B)");
    pair.stop(0, Mode::Immediate);
    pair.start(0);
    assert!(pair.status(0).contains("STATUS(STOPPED)"), "{}", pair.status(0));
    pair.send(numbered(0..1), Persistence::Persistent);
    std::thread::sleep(Duration::from_millis(200));
    assert!(pair.is_empty(), "a message does not start it");
    // The receiver the same: its partner is refused.
    command(&mut ends[1], "STOP CHANNEL(A.B)");
    pair.stop(1, Mode::Preemptive);
    pair.start(1);
    command(&mut pair.connect(0), "START CHANNEL(A.B)");
    eventually("the sender is refused", || pair.status(0).contains("the channel A.B is stopped"));
    command(&mut pair.connect(1), "START CHANNEL(A.B)");
    assert_eq!(pair.receive(1), ["message 0"]);
    pair.stop(0, Mode::Immediate);
    pair.start(0);
    pair.send(numbered(1..2), Persistence::Persistent);
    assert_eq!(pair.receive(1), ["message 1"], "what was started starts again");
    // STATUS(INACTIVE) leaves it to its messages, also afterwards.
    command(&mut pair.connect(0), "STOP CHANNEL(A.B) STATUS(INACTIVE)");
    pair.stop(0, Mode::Immediate);
    pair.start(0);
    pair.send(numbered(2..3), Persistence::Persistent);
    assert_eq!(pair.receive(1), ["message 2"]);
}

/// The value of an attribute as a display shows it.
pub(crate) fn figure(status: &str, keyword: &str) -> String {
    let (_, rest) =
        status.split_once(&format!(" {keyword}(")).unwrap_or_else(|| panic!("{keyword}: {status}"));
    rest.split(')').next().unwrap().trim().to_owned()
}

#[test]
fn the_display_counts_bytes_batches_and_times_of_a_channel_that_runs() {
    let pair = Pair::new();
    pair.send(numbered(0..120), Persistence::Persistent);
    assert_eq!(pair.receive(120).len(), 120);
    eventually("nothing is in doubt", || !pair.status(0).contains("INDOUBT(YES)"));
    let number = |status: &str, keyword: &str| -> u64 { figure(status, keyword).parse().unwrap() };
    let (sends, receives) = (pair.status(0), pair.status(1));
    for (status, own, other) in [(&sends, "BYTSSENT", "BYTSRCVD"), (&receives, "BYTSRCVD", "BYTSSENT")] {
        assert_eq!(number(status, "MSGS"), 120);
        assert!(number(status, own) > 120 * 9, "bodies of nine bytes: {status}");
        assert!(number(status, other) > 0 && number(status, other) < number(status, own), "{status}");
        assert!(number(status, "BUFSSENT") > 0 && number(status, "BUFSRCVD") > 0, "{status}");
        assert!((1..=120).contains(&number(status, "BATCHES")), "{status}");
        assert!(!figure(status, "LSTMSGDA").is_empty() && !figure(status, "LSTMSGTI").is_empty(), "{status}");
        let (short, long) = figure(status, "XBATCHSZ")
            .split_once(',')
            .map(|(one, two)| (one.to_owned(), two.to_owned()))
            .unwrap();
        let sizes = [short, long].map(|size| size.trim().parse::<u32>().unwrap());
        assert!(sizes.iter().all(|size| (1..=50).contains(size)), "{status}");
        assert_eq!(figure(status, "RAPPLTAG"), concat!("FerryMQ ", env!("CARGO_PKG_VERSION")));
    }
    assert_eq!(
        number(&sends, "BYTSSENT"),
        number(&receives, "BYTSRCVD") + 8,
        "the receiver takes the preamble off"
    );
    // Messages that go outside of batches count as well, and move no sequence number.
    pair.send(numbered(0..30), Persistence::NotPersistent);
    assert_eq!(pair.receive(30).len(), 30);
    eventually("both ends count them", || [0, 1].iter().all(|end| number(&pair.status(*end), "MSGS") == 150));
    for (end, own, before) in [(0, "BYTSSENT", &sends), (1, "BYTSRCVD", &receives)] {
        let status = pair.status(end);
        assert!(number(&status, own) >= number(before, own) + 30 * 9, "{status}");
        assert_eq!(number(&status, "LSTSEQNO"), 120, "{status}");
    }
    assert!(figure(&sends, "NETTIME").chars().next().is_some_and(|first| first.is_ascii_digit()), "{sends}");
}

#[test]
fn each_field_of_the_status_tells_of_a_channel_that_runs_at_either_end_and_of_what_is_kept() {
    let pair = Pair::new();
    command(&mut pair.connect(0), "ALTER CHANNEL(A.B) CHLTYPE(SDR) STATCHL(HIGH)");
    pair.send(numbered(0..3), Persistence::Persistent);
    assert_eq!(pair.receive(3).len(), 3);
    eventually("both ends confirmed it", || {
        let ends = [pair.status(0), pair.status(1)];
        ends.iter().all(|end| figure(end, "LSTSEQNO") == "3" && figure(end, "CURMSGS") == "0")
    });
    let [sends, receives] = [pair.status(0), pair.status(1)];
    for (field, at_sender, at_receiver) in [
        ("CHLTYPE", "SDR", "RCVR"),
        ("STATUS", "RUNNING", "RUNNING"),
        ("SUBSTATE", "MQGET", "RECEIVE"),
        ("STOPREQ", "NO", "NO"),
        ("XMITQ", "B", ""),
        ("XQMSGSA", "0", "0"),
        ("RQMNAME", "B", "A"),
        ("CURMSGS", "0", "0"),
        ("INDOUBT", "NO", "NO"),
        ("LSTSEQNO", "3", "3"),
        ("MSGS", "3", "3"),
        ("BATCHSZ", "50", "50"),
        ("HBINT", "300", "300"),
        ("INFLIGHT", "4", "4"),
        ("MAXMSGL", "4194304", "4194304"),
        ("NPMSPEED", "FAST", "FAST"),
        ("KAINT", "360", "360"),
        ("MCASTAT", "RUNNING", "RUNNING"),
        ("CURSHCNV", "0", "0"),
        ("EXITTIME", ",", ","),
        ("COMPHDR", "NONE,NONE", "NONE,NONE"),
        ("COMPMSG", "NONE,NONE", "NONE,NONE"),
        ("COMPRATE", ",", ","),
        ("COMPTIME", ",", ","),
        ("SECPROT", "NONE", "NONE"),
        ("SSLCIPH", "", ""),
        ("SSLPEER", "", ""),
        ("SSLCERTI", "", ""),
        ("SSLRKEYS", "0", "0"),
        ("SSLKEYDA", "", ""),
        ("SSLKEYTI", "", ""),
        ("LONGRTS", "999999999", "0"),
        ("SHORTRTS", "10", "0"),
        ("NEXTTRY", "", ""),
        ("LASTERR", "", ""),
        ("STATCHL", "HIGH", "QMGR"),
        ("MONCHL", "OFF", "OFF"),
    ] {
        assert_eq!(figure(&sends, field), at_sender, "{field}: {sends}");
        assert_eq!(figure(&receives, field), at_receiver, "{field}: {receives}");
    }
    assert_eq!(figure(&sends, "CONNAME"), format!("localhost({}", pair.ports[1]));
    assert_eq!(figure(&receives, "CONNAME"), "127.0.0.1", "{receives}");
    // One batch of one line: four bytes of each in hexadecimal, at both ends alike.
    let last = figure(&sends, "LSTLUWID");
    assert!(last.len() == 16 && !last.starts_with("00000000") && !last.ends_with("00000000"), "{last}");
    for (status, of_other) in [(&sends, &receives), (&receives, &sends)] {
        assert_eq!(figure(status, "LSTLUWID"), figure(of_other, "LSTLUWID"));
        assert_eq!(figure(status, "CURSEQNO"), "3", "{status}");
        let identifier = figure(status, "RQMID");
        assert!(identifier.starts_with(&figure(status, "RQMNAME")), "{identifier}");
        assert_eq!(figure(status, "CHSTADA").len(), "2026-01-01".len(), "{status}");
        assert_eq!(figure(status, "CHSTATI").len(), "00.00.00".len(), "{status}");
        assert!(u32::from_str_radix(&figure(status, "JOBNAME"), 16).unwrap() > 0, "{status}");
    }
    // The state that is kept outlives the instance and a restart.
    command(&mut pair.connect(0), "STOP CHANNEL(A.B)");
    eventually("it is stopped", || pair.status(0).contains("STATUS(STOPPED)"));
    let line = &last[..8];
    for (which, kind, partner, queue) in [(0, "SDR", "B", "B"), (1, "RCVR", "A", "")] {
        let saved = command(&mut pair.connect(which), "DISPLAY CHSTATUS(A.B) SAVED ALL");
        for (field, value) in [
            ("CHLTYPE", kind),
            ("RQMNAME", partner),
            ("XMITQ", queue),
            ("LSTSEQNO", "3"),
            ("LSTLUWID", &*last),
            ("CURSEQNO", "0"),
            ("CURMSGS", "0"),
            ("INDOUBT", "NO"),
            ("STATUS", "INACTIVE"),
        ] {
            assert_eq!(figure(&saved, field), value, "{field}: {saved}");
        }
        assert!(figure(&saved, "CURLUWID").starts_with(line), "{saved}");
    }
}

/// The standing of the channel at A, once it has met B or was refused: the user that acts at B, or the fault.
pub(crate) fn met(pair: &Pair) -> Result<String, String> {
    command(&mut pair.connect(0), "START CHANNEL(A.B)");
    let mut found = None;
    eventually("it is let in or refused", || {
        let (sends, receives) = (pair.status(0), pair.status(1));
        if sends.contains("STATUS(RUNNING)") && receives.contains("STATUS(RUNNING)") {
            let (_, rest) = receives.split_once("MCAUSER(").unwrap();
            found = Some(Ok(rest.split(')').next().unwrap().trim().to_owned()));
        } else if sends.contains("STATUS(RETRYING)") {
            let (_, rest) = sends.split_once("LASTERR(").unwrap();
            found = Some(Err(rest.lines().next().unwrap().to_owned()));
        }
        found.is_some()
    });
    command(&mut pair.connect(0), "STOP CHANNEL(A.B) STATUS(INACTIVE)");
    eventually("both ends are over", || {
        [0, 1].iter().all(|which| !pair.status(*which).contains("STATUS(RUNNING)"))
    });
    found.unwrap()
}

#[test]
fn a_partner_is_let_in_by_the_most_specific_rule_as_its_user_and_refused_without_one() {
    let pair = Pair::with_users_at_b(&["ada"]);
    RIGHTS_OF_ALL.iter().for_each(|text| drop(command(&mut pair.connect(1), text)));
    let not_let_in = "lets no partner like this one in";
    for (rules, attributes, expected) in [
        (&[][..], "", Err(not_let_in)),
        (&["TYPE(QMGRMAP) QMNAME(A) MCAUSER('mover')"], "", Ok("mover")),
        (&["TYPE(QMGRMAP) QMNAME(B) MCAUSER('mover')"], "", Err(not_let_in)),
        (
            &["TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)"],
            "MCAUSER('of.channel')",
            Ok("of.channel"),
        ),
        (&["TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') MCAUSER('mapped')"], "MCAUSER('of.channel')", Ok("mapped")),
        (&["TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)"], "", Ok("nobody")),
        (&["TYPE(ADDRESSMAP) ADDRESS('127.0.0.2') USERSRC(CHANNEL)"], "", Err(not_let_in)),
        // The name of the partner says more than its address.
        (
            &[
                "TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)",
                "TYPE(QMGRMAP) QMNAME('A*') USERSRC(NOACCESS)",
            ],
            "",
            Err(not_let_in),
        ),
        // Users of programs are of no concern here.
        (&["TYPE(QMGRMAP) QMNAME(A) MCAUSER('mover')", "TYPE(BLOCKUSER) USERLIST('mover')"], "", Ok("mover")),
        (&["TYPE(USERMAP) CLNTUSER('mover') MCAUSER('mover')"], "", Err(not_let_in)),
        (&["TYPE(SSLPEERMAP) SSLPEER('CN=A') MCAUSER('mover')"], "", Err(not_let_in)),
    ] {
        let mut other = pair.connect(1);
        let attributes = if attributes.is_empty() { "MCAUSER(' ')" } else { attributes };
        command(&mut other, &format!("ALTER CHANNEL(A.B) CHLTYPE(RCVR) {attributes}"));
        for rule in rules {
            command(&mut other, &format!("SET CHLAUTH(A.B) {rule}"));
        }
        // What an administrator is told is what happens.
        let check = "DISPLAY CHLAUTH(A.B) MATCH(RUNCHECK) ADDRESS('127.0.0.1') QMNAME(A)";
        let checked = command(&mut other, check);
        match (met(&pair), expected) {
            (Ok(user), Ok(expected)) => {
                assert_eq!(user, expected, "{rules:?} {attributes}");
                assert!(checked.contains(&user), "{checked}");
            }
            (Err(fault), Err(expected)) => {
                assert!(fault.contains(expected) && fault.starts_with("2035"), "{rules:?}: {fault}");
                assert!(checked.contains("USERSRC(NOACCESS)"), "{checked}");
            }
            (found, expected) => panic!("{rules:?} {attributes}: {found:?} and not {expected:?}"),
        }
        for kind in ["QMGRMAP", "ADDRESSMAP", "BLOCKUSER", "USERMAP", "SSLPEERMAP"] {
            command(&mut other, &format!("SET CHLAUTH(A.B) TYPE({kind}) ACTION(REMOVEALL)"));
        }
    }
    let log = pair.places[1].error_log();
    let refusals = log.lines().filter(|line| line.contains("FRY5020W") && line.contains("queue manager A: "));
    let refusals: Vec<&str> = refusals.collect();
    assert!(!refusals.is_empty(), "{log}");
    let audit = pair.places[1].folder().join("audit/audit.log");
    for line in refusals {
        let (_, rest) = line.split_once("Login ").unwrap_or_else(|| panic!("{line}"));
        let (number, _) = rest.split_once(" of no user from ").unwrap_or_else(|| panic!("{line}"));
        let record = format!("\"id\":\"{number}\"");
        eventually("the record has its number", || {
            std::fs::read_to_string(&audit).is_ok_and(|audit| audit.contains(&record))
        });
    }
}

#[test]
fn a_partner_of_a_blocked_address_is_closed_out_and_one_of_another_comes_in() {
    let pair = Pair::with_users_at_b(&["ada"]);
    let mut other = pair.connect(1);
    RIGHTS_OF_ALL.iter().for_each(|text| drop(command(&mut other, text)));
    command(&mut other, "SET CHLAUTH(A.B) TYPE(ADDRESSMAP) ADDRESS('127.0.0.*') MCAUSER('near')");
    command(&mut other, "SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('127.0.0.7')");
    for (address, is_let_in) in [("127.0.0.7", false), ("127.0.0.8", true)] {
        command(&mut pair.connect(0), &format!("ALTER CHANNEL(A.B) CHLTYPE(SDR) LOCLADDR('{address}')"));
        let met = met(&pair);
        assert_eq!(met.is_ok(), is_let_in, "{address}: {met:?}");
    }
    assert!(pair.places[1].error_log().contains("BLOCKADDR"), "{}", pair.places[1].error_log());
}

/// Puts a message at A as this user.
fn send_as(pair: &Pair, user: &str, body: &str) {
    let options = Options::to(address(pair.servers[0].as_ref().unwrap()).parse().unwrap());
    let mut one = Connection::connect(Options { user: user.into(), ..options }.alone()).unwrap();
    let there = open(&mut one, "THERE", OpenOptions::OUTPUT);
    put(&mut one, there, body.as_bytes(), Persistence::Persistent, PutFlags::EMPTY).unwrap();
}

#[test]
fn messages_are_put_by_the_rights_of_the_channels_user_or_of_the_user_that_each_names() {
    let pair = Pair::with_users_at_b(&["ada"]);
    let mut other = pair.connect(1);
    for text in [
        "DEFINE QLOCAL(LETTERS)",
        "ALTER QMGR DEADQ(LETTERS)",
        "SET CHLAUTH(A.B) TYPE(QMGRMAP) QMNAME(A) MCAUSER('mover')",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('mover') AUTHADD(CONNECT)",
    ] {
        command(&mut other, text);
    }
    let depth = |queue: &str| -> String {
        let shown = command(&mut pair.connect(1), &format!("DISPLAY QLOCAL({queue}) CURDEPTH"));
        shown.split_once("CURDEPTH(").unwrap().1.split(')').next().unwrap().to_owned()
    };
    let is_letter = |count: &str| eventually("it is a dead letter", || depth("LETTERS") == count);
    let letter = || {
        let mut one = pair.connect(1);
        let queue = open(&mut one, "LETTERS", OpenOptions::INPUT_SHARED);
        get(&mut one, queue, WAIT, GetFlags::EMPTY).unwrap()
    };
    let reason = 2035_i32.to_le_bytes();
    // No right on the queue: the message is kept with the reason, and the channel goes on.
    send_as(&pair, "ada", "one");
    is_letter("1");
    assert_eq!(letter()[8..12], reason, "the reason stands in the header");
    let grant = |rights: &str| command(&mut pair.connect(1), &format!("SET AUTHREC {rights}"));
    grant("PROFILE('IN') OBJTYPE(QUEUE) PRINCIPAL('mover') AUTHADD(PUT,SETALL)");
    send_as(&pair, "ada", "two");
    is_letter("1");
    assert_eq!(letter()[8..12], reason, "context is the queue manager's to give");
    grant("OBJTYPE(QMGR) PRINCIPAL('mover') AUTHADD(SETALL)");
    send_as(&pair, "ada", "three");
    assert_eq!(pair.receive(1), ["three"]);
    // PUTAUT(CTX): the user that the message names must have the right, and the channel's may act for others.
    command(&mut other, "ALTER CHANNEL(A.B) CHLTYPE(RCVR) PUTAUT(CTX)");
    command(&mut pair.connect(0), "STOP CHANNEL(A.B) STATUS(INACTIVE)");
    eventually("it is over", || pair.status(1).contains("FRY8155I"));
    send_as(&pair, "ada", "four");
    is_letter("1");
    assert_eq!(letter()[8..12], reason, "the channel's user may not act for another");
    grant("OBJTYPE(QMGR) PRINCIPAL('mover') AUTHADD(ALTUSR)");
    send_as(&pair, "ada", "five");
    is_letter("1");
    assert_eq!(letter()[8..12], reason, "ada may not put there");
    grant("PROFILE('IN') OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(PUT,SETALL)");
    grant("OBJTYPE(QMGR) PRINCIPAL('ada') AUTHADD(SETALL)");
    send_as(&pair, "ada", "six");
    send_as(&pair, "eve", "seven");
    assert_eq!(pair.receive(1), ["six"]);
    is_letter("1");
    assert!(String::from_utf8_lossy(&letter()).ends_with("seven"));
    assert!(pair.is_empty());
}

#[test]
fn messages_that_no_queue_takes_do_not_wait_for_the_next_event_of_their_connection() {
    const COUNT: usize = 3_000;
    let pair = Pair::new();
    for text in ["DEFINE QLOCAL(LETTERS) MAXDEPTH(10000)", "ALTER QMGR DEADQ(LETTERS)", "DELETE QLOCAL(IN)"] {
        command(&mut pair.connect(1), text);
    }
    let mut one = pair.connect(0);
    let there = open(&mut one, "THERE", OpenOptions::OUTPUT);
    for number in 0..COUNT {
        put(&mut one, there, b"x", Persistence::Persistent, PutFlags::SYNCPOINT).unwrap();
        if number % 100 == 99 {
            one.commit().unwrap();
        }
    }
    // Each that waited for an event of its own took ten milliseconds and more.
    let all = format!("CURDEPTH({COUNT})");
    let shown = || command(&mut pair.connect(1), "DISPLAY QLOCAL(LETTERS) CURDEPTH");
    eventually("all are dead letters", || shown().contains(&all));
}

#[test]
fn aliases_are_followed_on_arrival_and_replies_go_to_the_queue_that_their_alias_names() {
    let pair = Pair::new();
    for text in [
        "DEFINE QREMOTE(BY.ALIAS) RNAME(ALIAS) RQMNAME(B)",
        // A name of the partner that only the partner knows.
        "DEFINE QREMOTE(BY.OTHER.NAME) RNAME(IN) RQMNAME(HOME) XMITQ(B)",
        "DEFINE QREMOTE(REPLIES) RNAME(ANSWERS) RQMNAME(A.OUTSIDE)",
    ] {
        command(&mut pair.connect(0), text);
    }
    command(&mut pair.connect(1), "DEFINE QALIAS(ALIAS) TARGET(IN)");
    command(&mut pair.connect(1), "DEFINE QREMOTE(HOME) RQMNAME(B)");
    let mut one = pair.connect(0);
    for queue in ["BY.ALIAS", "BY.OTHER.NAME"] {
        let there = open(&mut one, queue, OpenOptions::OUTPUT);
        put(&mut one, there, queue.as_bytes(), Persistence::Persistent, PutFlags::EMPTY).unwrap();
    }
    assert_eq!(pair.receive(2), ["BY.ALIAS", "BY.OTHER.NAME"]);
    let there = open(&mut one, "THERE", OpenOptions::OUTPUT);
    let mut descriptor = MessageDescriptor {
        reply_to_queue: "REPLIES".parse().unwrap(),
        persistence: Persistence::Persistent,
        ..MessageDescriptor::default()
    };
    one.put(there, &mut descriptor, &mut PutOptions::default(), "a request".into()).unwrap();
    let mut other = pair.connect(1);
    let queue = open(&mut other, "IN", OpenOptions::INPUT_SHARED);
    let mut options = GetOptions::with(GetFlags::EMPTY, WAIT.into());
    let mut got = MessageDescriptor::default();
    other.get(queue, &mut got, &mut options, 100).unwrap();
    assert_eq!(got.reply_to_queue.to_string().trim(), "ANSWERS");
    assert_eq!(got.reply_to_queue_manager.to_string().trim(), "A.OUTSIDE");
}

#[test]
fn a_channel_that_converts_sends_text_in_the_character_set_of_its_partner() {
    let pair = Pair::new();
    command(&mut pair.connect(1), "ALTER QMGR CCSID(500)");
    command(&mut pair.connect(0), "ALTER CHANNEL(A.B) CHLTYPE(SDR) CONVERT(YES)");
    let mut one = pair.connect(0);
    let there = open(&mut one, "THERE", OpenOptions::OUTPUT);
    let mut descriptor = MessageDescriptor {
        format: mqi::Text::truncated("MQSTR"),
        coded_character_set: 819,
        persistence: Persistence::Persistent,
        ..MessageDescriptor::default()
    };
    one.put(there, &mut descriptor, &mut PutOptions::default(), "AB1".into()).unwrap();
    let mut other = pair.connect(1);
    let queue = open(&mut other, "IN", OpenOptions::INPUT_SHARED);
    let mut options = GetOptions::with(GetFlags::EMPTY, WAIT.into());
    let mut got = MessageDescriptor::default();
    let message = other.get(queue, &mut got, &mut options, 100).unwrap();
    // A, B and 1 of EBCDIC.
    assert_eq!((&message.body[..], got.coded_character_set), (&[0xC1, 0xC2, 0xF1][..], 500));
}

#[test]
fn a_channel_calls_by_ipv6_and_behind_addresses_of_which_some_do_not_answer() {
    let mut pair = Pair::new();
    pair.stop(1, Mode::Immediate);
    let (port, nobody) = (pair.ports[1], free_port());
    let address = format!("[::1]:{port}").parse().unwrap();
    let options = server::Options { addresses: Some(vec![address]), ..pair.places[1].options() };
    pair.servers[1] = Some(Server::start(&options).unwrap());
    let names = format!("127.0.0.1({nobody}),::1({port})");
    command(&mut pair.connect(0), &format!("ALTER CHANNEL(A.B) CHLTYPE(SDR) CONNAME('{names}')"));
    pair.send(numbered(0..3), Persistence::Persistent);
    assert_eq!(pair.receive(3), numbered(0..3).collect::<Vec<_>>());
}
