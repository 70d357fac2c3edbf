//! Server connection channels that are limited, stopped and started, with real client connections.

use client::{Connection, Options};
use mqi::{ObjectDescriptor, OpenOptions, Reason, Verbs};

use crate::running::{Place, address, command, connect, eventually};

fn by_channel(address: &str, channel: &str) -> Result<Connection, client::ConnectError> {
    let options = Options::to(address.parse().unwrap()).application("by channel").channel(channel);
    Connection::connect(options)
}

/// The reason and the text with which a client is refused.
fn refusal(address: &str, channel: &str) -> (Reason, String) {
    let error = by_channel(address, channel).expect_err("it is refused");
    (error.reason(), error.to_string())
}

/// Returns true if calls over the connection fail.
fn is_broken(connection: &mut Connection) -> bool {
    let queue = ObjectDescriptor::queue("SYSTEM.DEFAULT.LOCAL.QUEUE".parse().unwrap());
    connection.open(&queue, OpenOptions::INQUIRE).is_err()
}

#[test]
fn a_channel_has_as_many_instances_as_it_may_and_is_2537_beyond() {
    let place = Place::new();
    let server = place.start();
    let at = address(&server);
    let mut one = connect(&at);
    command(&mut one, "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) SHARECNV(1) MAXINST(2)");
    let (first, second) = (by_channel(&at, "C").unwrap(), by_channel(&at, "C").unwrap());
    let (reason, text) = refusal(&at, "C");
    assert_eq!(reason, Reason::CHANNEL_NOT_AVAILABLE);
    assert!(text.contains("MAXINST allows no more"), "{text}");

    drop(first);
    let mut third = None;
    eventually("the place of the first is free", || {
        third = by_channel(&at, "C").ok();
        third.is_some()
    });
    command(&mut one, "ALTER CHANNEL(C) CHLTYPE(SVRCONN) MAXINST(9) MAXINSTC(2)");
    let (reason, text) = refusal(&at, "C");
    assert_eq!(reason, Reason::CHANNEL_NOT_AVAILABLE);
    assert!(text.contains("MAXINSTC allows no more") && text.contains("127.0.0.1"), "{text}");
    command(&mut one, "ALTER CHANNEL(C) CHLTYPE(SVRCONN) MAXINSTC(3)");
    let fourth = by_channel(&at, "C").unwrap();
    drop((second, third, fourth));
}

#[test]
fn one_channel_more_than_the_settings_allow_is_2537_and_the_displays_say_so() {
    for (settings, named) in [
        ("active_channels_max = 2", "MaxActiveChannels"),
        ("channels_max = 2\nactive_channels_max = 9", "MaxChannels"),
    ] {
        let place = Place::with_settings(&format!("[limits]\n{settings}\n"));
        let server = place.start();
        let at = address(&server);
        let local = format!("unix:{}", place.folder().join("socket").display());
        // A program of the machine that names no channel comes by none.
        let mut one = connect(&local);
        command(&mut one, "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) SHARECNV(1)");
        let (first, second) = (by_channel(&at, "C").unwrap(), by_channel(&at, "C").unwrap());
        let (reason, text) = refusal(&at, "C");
        assert_eq!(reason, Reason::CHANNEL_NOT_AVAILABLE, "{named}");
        assert!(text.contains(named), "{named}: {text}");
        let shown = command(&mut one, "DISPLAY QMSTATUS RUNCHL CURCHL");
        assert!(shown.contains("RUNCHL(2)") && shown.contains("CURCHL(2)"), "{shown}");
        drop(first);
        let mut third = None;
        eventually("the seat of the first is free", || {
            third = by_channel(&at, "C").ok();
            third.is_some()
        });
        drop((second, third));
    }
}

#[test]
fn a_channel_that_is_stopped_ends_its_clients_and_takes_none_until_it_is_started() {
    let place = Place::new();
    let server = place.start();
    let at = address(&server);
    let mut one = connect(&at);
    command(&mut one, "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)");
    let mut client = by_channel(&at, "C").unwrap();
    let shown = command(&mut one, "DISPLAY CHSTATUS(C) ALL");
    for part in
        ["CHANNEL(C)", "CHLTYPE(SVRCONN)", "CONNAME(127.0.0.1)", "RAPPLTAG(by channel)", "STATUS(RUNNING)"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let other = command(&mut one, "STOP CHANNEL(C) CONNAME('192.0.2.1')");
    assert!(other.contains("FRY8019I: Channel C is stopping; instances that end: 0."), "{other}");
    assert!(!is_broken(&mut client));

    let told = command(&mut one, "STOP CHANNEL(C)");
    assert!(told.contains("FRY8019I: Channel C is stopping; instances that end: 1."), "{told}");
    eventually("the client is cut off", || is_broken(&mut client));
    eventually("the instance is over", || command(&mut one, "DISPLAY CHSTATUS(C)").contains("FRY8155I"));
    let (reason, text) = refusal(&at, "C");
    assert_eq!(reason, Reason::CHANNEL_NOT_AVAILABLE);
    assert!(text.contains("START CHANNEL"), "{text}");
    assert!(!is_broken(&mut one), "clients of another channel stay");

    command(&mut one, "START CHANNEL(C)");
    let mut again = by_channel(&at, "C").unwrap();
    command(&mut one, "STOP CHANNEL(C) MODE(FORCE) STATUS(INACTIVE)");
    eventually("the client is cut off again", || is_broken(&mut again));
    by_channel(&at, "C").unwrap();
}

/// The seconds after which the system probes the other end of this side's connection, as it tells of all
/// connections.
#[cfg(target_os = "linux")]
fn probed_after(ours: u16, theirs: u16) -> Option<u64> {
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let port = |field: &str| u16::from_str_radix(field.rsplit(':').next().unwrap(), 16).unwrap();
    table.lines().skip(1).find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if (port(fields[1]), port(fields[2])) != (ours, theirs) {
            return None;
        }
        // Two is the timer of probes; its time is in hundredths.
        let (timer, left) = fields[5].split_once(':').unwrap();
        (timer == "02").then(|| u64::from_str_radix(left, 16).unwrap() / 100)
    })
}

#[cfg(target_os = "linux")]
#[test]
fn the_system_probes_a_silent_client_as_kaint_says() {
    let place = Place::new();
    let server = place.start();
    let at = address(&server);
    let ours = at.rsplit(':').next().unwrap().parse().unwrap();
    let mut one = connect(&at);
    command(&mut one, "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)");
    for (attributes, expected) in
        [("KAINT(77)", Some(77)), ("KAINT(AUTO) HBINT(30)", Some(90)), ("KAINT(0)", None)]
    {
        command(&mut one, &format!("ALTER CHANNEL(C) CHLTYPE(SVRCONN) {attributes}"));
        let before = ports_to(ours);
        let client = by_channel(&at, "C").unwrap();
        let theirs = ports_to(ours).into_iter().find(|port| !before.contains(port)).unwrap();
        match expected {
            Some(seconds) => eventually("the probes are set", || {
                probed_after(ours, theirs).is_some_and(|left| (seconds - 20..=seconds).contains(&left))
            }),
            None => {
                std::thread::sleep(std::time::Duration::from_millis(1_500));
                assert_eq!(probed_after(ours, theirs), None);
            }
        }
        drop(client);
    }
}

/// The ports from which connections to a port are there.
#[cfg(target_os = "linux")]
fn ports_to(ours: u16) -> Vec<u16> {
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let port = |field: &str| u16::from_str_radix(field.rsplit(':').next().unwrap(), 16).unwrap();
    let ends = table.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        (port(fields[1]), port(fields[2]), fields[3] == "01")
    });
    ends.filter(|(own, _, is_open)| *own == ours && *is_open).map(|(_, other, _)| other).collect()
}
