//! The first right, user or key: each way that has logins judged names the programs that it would refuse.

use serde_json::Value;

use crate::familiar::Prefix;
use crate::support::{Ferry, Server};

/// A queue manager for development, which a program of this machine used without a proof.
fn used(ferry: &Ferry) -> Server {
    let server = ferry.dev();
    by_port(ferry, &server);
    server
}

fn by_port(ferry: &Ferry, server: &Server) {
    let address = format!("127.0.0.1({})", server.port());
    ferry.ok(&["put", "DEV.QUEUE.1", "works", "--connect", &address]);
}

fn log(ferry: &Ferry) -> String {
    std::fs::read_to_string(ferry.data().join("QM1/errors/errors.log")).unwrap_or_default()
}

/// The log once it has this.
fn log_with(ferry: &Ferry, expected: &str) -> String {
    let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
    loop {
        let log = log(ferry);
        if log.contains(expected) || std::time::Instant::now() > until {
            return log;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn each_way_that_has_logins_judged_names_the_programs_that_it_refuses() {
    let rule = "SET CHLAUTH('SYSTEM.DEF.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('192.0.2.7') USERSRC(NOACCESS)";
    let definitions = "SET AUTHREC PROFILE(DEV.QUEUE.1) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(PUT)\n";
    let file = |ferry: &Ferry| {
        let path = ferry.data().join("rights.mqsc");
        std::fs::write(&path, definitions).unwrap();
        path.to_str().unwrap().to_owned()
    };
    type Way = fn(&Ferry, &str) -> String;
    let ways: [(&str, Way); 6] = [
        ("ferry auth grant", |ferry, _| ferry.ok(&["auth", "grant", "ada", "put", "DEV.QUEUE.1"])),
        ("ferry mqsc", |ferry, _| {
            let set = "SET AUTHREC PROFILE(DEV.QUEUE.1) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(PUT)";
            ferry.ok(&["mqsc", "-e", set])
        }),
        ("ferry config apply", |ferry, file| {
            let said = ferry.run(&["config", "apply", file, "--accept"]);
            assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
            said.stdout + &said.stderr
        }),
        ("ferry config apply -o json", |ferry, file| {
            ferry.ok(&["config", "apply", file, "--accept", "-o", "json"])
        }),
        ("ferry user add", |ferry, _| {
            let said = ferry.with_input(&["user", "add", "QM1", "ada"], b"open sesame\n");
            assert_eq!(said.code, 0, "{}", said.stderr);
            said.stderr
        }),
        ("ferry tls init", |ferry, _| {
            let said = ferry.run(&["tls", "init", "QM1"]);
            assert_eq!(said.code, 0, "{}", said.stderr);
            said.stderr
        }),
    ];
    for (name, way) in ways {
        let ferry = Ferry::new();
        let server = used(&ferry);
        assert!(!log(&ferry).contains("FRY5075W"), "{name}: nothing is refused before");
        let quiet = ferry.ok(&["mqsc", "-e", rule]);
        assert!(!quiet.contains("FRY5075W"), "{name}: a rule that loopback does not meet: {quiet}");
        let said = way(&ferry, &file(&ferry));
        let told = said.lines().find(|line| line.contains("would be refused")).unwrap_or_default();
        assert!(
            told.contains("program ferry of user ") && told.contains(" from 127.0.0.1"),
            "{name}: {said}"
        );
        let log = log_with(&ferry, "FRY5075W");
        assert!(log.contains("FRY5075W") && log.contains("program ferry of user "), "{name}: {log}");
        let address = format!("127.0.0.1({})", server.port());
        let refused = ferry.run(&["put", "DEV.QUEUE.1", "refused", "--connect", &address]);
        assert!(refused.code != 0, "{name}: it tells the truth");
    }
}

#[test]
fn setmqaut_names_them_too() {
    let prefix = Prefix::new();
    std::fs::create_dir_all(prefix.data()).unwrap();
    let ferry = Ferry::at(&prefix.data());
    let _server = used(&ferry);
    let told =
        prefix.run("setmqaut", &["-m", "QM1", "-n", "DEV.QUEUE.1", "-t", "queue", "-p", "ada", "+put"]);
    let said = told.stdout + &told.stderr;
    assert!(told.code == 0 && said.contains("would be refused when it connects again"), "{said}");
}

/// The programs that would be refused, as a doctor with these options finds them.
fn found_refused(ferry: &Ferry, options: &[&str]) -> Vec<String> {
    let said = ferry.run(&[&["doctor", "-o", "json"], options].concat());
    let lines = said.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found = lines.filter(|finding| finding["name"] == "login.refused");
    found.map(|finding| finding["value"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_doctor_leaves_out_its_own_connections_and_no_program_that_bears_their_names() {
    let ferry = Ferry::new();
    let server = ferry.dev();
    let address = format!("127.0.0.1({})", server.port());
    let by_port = ["--connect", &address];
    for options in [&by_port[..], &[], &by_port, &[]] {
        assert_eq!(found_refused(&ferry, options), [""; 0], "{options:?}");
    }
    // These bear the names of the doctor's own connections.
    ferry.ok(&["put", "DEV.QUEUE.1", "works", "--connect", &address]);
    let options = client::Options::to(format!("127.0.0.1:{}", server.port()).parse().unwrap());
    let namesake = client::Connection::connect(options.application("ferry doctor")).unwrap();
    for options in [&by_port[..], &[], &by_port, &[]] {
        let found = found_refused(&ferry, options);
        assert_eq!(found.len(), 2, "{options:?}: {found:?}");
        for name in ["program ferry of user ", "program ferry doctor of user "] {
            assert!(found.iter().any(|told| told.contains(name)), "{name}: {found:?}");
        }
    }
    drop(namesake);
}

#[test]
fn a_doctor_names_them_before_and_a_rule_or_another_connauth_names_those_that_it_shuts_out() {
    let ferry = Ferry::new();
    let server = used(&ferry);
    let found = found_refused(&ferry, &[]);
    assert_eq!(found.len(), 1, "one program, and not the doctor: {found:?}");
    assert!(found[0].contains("from the first user, key or authority record on"), "{found:?}");
    ferry.ok(&["auth", "grant", "nobody", "none", "--group", "--type", "qmgr"]);
    let open = "SET CHLAUTH('SYSTEM.DEF.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(MAP) MCAUSER('app') CHCKCLNT(ASQMGR) ACTION(REPLACE)";
    let said = ferry.ok(&["mqsc", "-e", open, "-e", "DISPLAY AUTHSERV"]);
    assert!(
        said.contains("it is allowed by SET AUTHREC"),
        "the rule lets it in, the right is missing: {said}"
    );
    ferry.ok(&["auth", "grant", "app", "connect", "--type", "qmgr"]);
    ferry.ok(&["auth", "grant", "app", "put", "DEV.QUEUE.1"]);
    assert!(!ferry.ok(&["mqsc", "-e", "DISPLAY AUTHSERV"]).contains("FRY5075W"));
    by_port(&ferry, &server);
    let shut = "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(NOACCESS)";
    let said = ferry.ok(&["mqsc", "-e", &shut.replace("'*'", "'OTHER.*'")]);
    assert!(!said.contains("FRY5075W"), "a rule for other channels: {said}");
    let block = "SET CHLAUTH('SYSTEM.DEF.SVRCONN') TYPE(BLOCKUSER) USERLIST('app')";
    let said = ferry.ok(&["mqsc", "-e", block]);
    assert!(said.contains("FRY5075W") && said.contains("when it connects again"), "{said}");
    ferry.ok(&["mqsc", "-e", "ALTER QMGR CHLAUTH(DISABLED)"]);
    let said = ferry.ok(&["mqsc", "-e", "ALTER QMGR CHLAUTH(ENABLED)"]);
    assert!(said.contains("FRY5075W"), "{said}");
}
