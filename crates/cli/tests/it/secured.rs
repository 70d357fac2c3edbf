//! `ferry tls` and `ferry user`, and messages by TLS with what they made.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::support::Ferry;

/// Creates a queue manager whose listener is for TLS alone, with keys.
fn secured(ferry: &Ferry) {
    ferry.ok(&[
        "qmgr",
        "create",
        "QM1",
        "--set",
        "listener.addresses=[\"127.0.0.1:0\"]",
        "--set",
        "listener.tls=required",
    ]);
    ferry.ok(&["tls", "init", "QM1", "--host", "localhost"]);
}

#[test]
fn a_user_gives_itself_another_password_by_tls_and_by_the_local_socket_and_nobody_elses() {
    let ferry = Ferry::new();
    secured(&ferry);
    for user in ["ada", "bob"] {
        let said = ferry.with_input(&["user", "add", "QM1", user], b"first\n");
        assert_eq!(said.code, 0, "{}", said.stderr);
    }
    let server = ferry.start(&["qmgr", "start", "QM1"]);
    let own = "DEFINE CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS13) SSLCAUTH(OPTIONAL)";
    let rule = "SET CHLAUTH('APP.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)";
    ferry.ok(&["mqsc", "-e", own, "-e", rule]);
    let address = format!("localhost({})", server.port());
    let trust = ferry.data().join("QM1/security/authority/ca.pem");
    let trust = trust.to_str().unwrap();
    let by_tls =
        ["--connect", &address, "--channel", "APP.SVRCONN", "--tls", "ANY_TLS13", "--key-store", trust];
    let (old, new) = (ferry.data().join("old"), ferry.data().join("new"));
    let passwd = |user: &str, as_user: &str, (from, to): (&str, &str), way: &[&str]| {
        fs::write(&old, from).unwrap();
        fs::write(&new, to).unwrap();
        let words =
            ["user", "passwd", "QM1", user, "--user", as_user, "--password-file", new.to_str().unwrap()];
        let words: Vec<&str> = words.into_iter().chain(way.iter().copied()).collect();
        let output = ferry.command(&words).env("FERRY_PASSWORD_FILE", &old).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let refusals = || {
        let audit = fs::read_to_string(ferry.data().join("QM1/audit/audit.log")).unwrap_or_default();
        audit.matches("\"login\":{").count()
    };
    let mut holds = "first".to_owned();
    for (way, next) in [(&by_tls[..], "second"), (&[], "third")] {
        let before = refusals();
        let (code, said) = passwd("ada", "ada", ("wrong", "x"), way);
        assert!(code == 4 && said.contains("not right"), "{way:?}: {code} {said}");
        // The record is written by a thread of its own.
        let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
        while refusals() == before && std::time::Instant::now() < until {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert_eq!(refusals(), before + 1, "one record");
        let (code, said) = passwd("ada", "ada", (&holds, next), way);
        assert!(code == 0 && said.contains("gave a new password to ada"), "{way:?}: {code} {said}");
        assert_eq!(refusals(), before + 1);
        holds = next.to_owned();
    }
    let (code, said) = passwd("bob", "ada", ("third", "x"), &[]);
    assert!(code == 2 && said.contains("its own password alone"), "{code} {said}");
    for (user, from) in [("ada", "third"), ("bob", "first")] {
        assert_eq!(passwd(user, user, (from, "last"), &[]).0, 0, "{user} has the password that it had");
    }
}

#[test]
fn a_bundle_from_elsewhere_leads_to_no_socket_of_this_machine_and_is_not_read_without_end() {
    let ferry = Ferry::new();
    secured(&ferry);
    ferry.ok(&["tls", "issue", "QM1", "app1"]);
    let _server = ferry.start(&["qmgr", "start", "QM1"]);
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(Q)"]);
    ferry.ok(&["put", "Q", "kept"]);
    ferry.ok(&[
        "tls",
        "bundle",
        "QM1",
        "app1",
        "app1.ferry",
        "--address",
        "far(1)",
        "--channel",
        "APP.SVRCONN",
    ]);
    let file = ferry.data().join("app1.ferry");
    let whole = fs::read_to_string(&file).unwrap();
    for scheme in ["unix:", "UNIX:", "rings:", ""] {
        for socket in ["socket", "rings"] {
            let address = format!("{scheme}{}", ferry.data().join("QM1").join(socket).display());
            fs::write(&file, whole.replace("far(1)", &address)).unwrap();
            let said = ferry.run(&["get", "Q", "--wait", "0", "--with", "app1.ferry"]);
            assert!(said.code != 0 && !said.stdout.contains("kept"), "{address}: {}", said.stderr);
        }
    }
    assert_eq!(ferry.ok(&["get", "Q"]), "kept\n");
    let long = fs::File::options().write(true).open(&file).unwrap();
    long.set_len(17 << 20).unwrap();
    for words in [
        &["get", "Q", "--with", "app1.ferry"][..],
        &["tls", "import", "QM1", "far", "--certificates", "app1.ferry"],
        &["tls", "import", "QM1", "far", "--certificates", "app1.ferry", "--key", "app1.ferry"],
    ] {
        let said = ferry.run(words);
        assert!(said.code != 0 && said.stderr.contains("more than 16 MiB"), "{words:?}: {}", said.stderr);
    }
}

#[test]
fn a_program_puts_and_gets_by_tls_with_the_file_that_was_made_for_it() {
    let ferry = Ferry::new();
    secured(&ferry);
    ferry.ok(&["tls", "issue", "QM1", "app1", "--organization", "Bank"]);
    let server = ferry.start(&["qmgr", "start", "QM1"]);
    let own = "DEFINE CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS13) SSLPEER('CN=app1,O=Bank')";
    let rule = "SET CHLAUTH('APP.SVRCONN') TYPE(SSLPEERMAP) SSLPEER('CN=app1,O=Bank') MCAUSER('app1')";
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(Q)", "-e", own, "-e", rule]);
    ferry.ok(&["auth", "grant", "app1", "connect,dsp", "--type", "qmgr"]);
    ferry.ok(&["auth", "grant", "app1", "put,get", "Q"]);
    let address = format!("localhost({})", server.port());
    let bundle = |label: &str| {
        let file = format!("{label}.ferry");
        let made = ["tls", "bundle", "QM1", label, &file, "--address", &address, "--channel", "APP.SVRCONN"];
        ferry.ok(&made);
        file
    };
    let file = bundle("app1");
    ferry.ok(&["put", "Q", "by tls", "--with", &file]);
    assert_eq!(ferry.ok(&["get", "Q", "--with", &file]), "by tls\n");
    let conn =
        ferry.ok(&["mqsc", "--with", &file, "-e", "DISPLAY CONN(*) WHERE(CHANNEL EQ APP.SVRCONN) CONNAME"]);
    assert!(conn.contains("CONNAME(127.0.0.1)"), "{conn}");
    // By hand: the same keys, in words of the command line.
    ferry.ok(&[
        "put",
        "Q",
        "again",
        "--connect",
        &address,
        "--channel",
        "APP.SVRCONN",
        "--tls",
        "ANY_TLS13",
        "--key-store",
        &file,
    ]);
    // Another program has another name, and one in the clear none.
    ferry.ok(&["tls", "issue", "QM1", "app2"]);
    let refused = ferry.run(&["put", "Q", "x", "--with", &bundle("app2")]);
    assert_eq!(refused.code, 4, "{}", refused.stderr);
    assert!(refused.stderr.contains("does not match the channel's SSLPEER"), "{}", refused.stderr);
    let refused = ferry.run(&["put", "Q", "x", "--connect", &address, "--channel", "APP.SVRCONN"]);
    assert!(refused.stderr.contains("does not let the program in"), "{}", refused.stderr);
    assert!(!refused.stderr.contains("TLS"), "a stranger is told no cause: {}", refused.stderr);
    let weak =
        ["put", "Q", "x", "--connect", &address, "--tls", "TLS_RSA_WITH_NULL_SHA256", "--key-store", &file];
    let refused = ferry.run(&weak);
    assert!(refused.stderr.contains("it does not encrypt"), "{}", refused.stderr);
}

#[test]
fn an_expired_certificate_of_either_end_is_named_with_its_day_and_the_commands_that_mend_it() {
    const DAY: u64 = 24 * 60 * 60;
    let ferry = Ferry::new();
    secured(&ferry);
    ferry.ok(&["tls", "issue", "QM1", "app1"]);
    // Made 60 days ago for 30 days.
    let authority = ca::Authority::open(&ferry.data().join("QM1/security")).unwrap();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let (own, program) = ("ibmwebspheremqqm1", "app1");
    authority.renew(own, 30, now - 60 * DAY).unwrap();
    let server = ferry.start(&["qmgr", "start", "QM1"]);
    let channel = "DEFINE CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS13)";
    let rule = "SET CHLAUTH('APP.SVRCONN') TYPE(SSLPEERMAP) SSLPEER('CN=app1') MCAUSER('app1')";
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(Q)", "-e", channel, "-e", rule]);
    ferry.ok(&["auth", "grant", "app1", "connect", "--type", "qmgr"]);
    ferry.ok(&["auth", "grant", "app1", "put", "Q"]);
    let address = format!("localhost({})", server.port());
    let bundle = |label: &str, file: &str| {
        ferry.ok(&["tls", "bundle", "QM1", label, file, "--address", &address, "--channel", "APP.SVRCONN"]);
    };
    let put = |file: &str| ferry.run(&["put", "Q", "x", "--with", file]);
    let is_told = |file: &str, label: &str, words: &[&str]| {
        let refused = put(file);
        assert_ne!(refused.code, 0);
        let expired = format!("CN={label} expired at ");
        for words in [&expired[..], " 30 days ago"].iter().chain(words) {
            assert!(refused.stderr.contains(words), "{words} in {}", refused.stderr);
        }
    };
    bundle(program, "app1.ferry");
    is_told(
        "app1.ferry",
        own,
        &[
            "the queue manager's certificate is not accepted",
            "next: on its machine ferry tls renew QM LABEL makes another certificate",
        ],
    );
    // The step mends it; that of the other end comes next.
    ferry.ok(&["tls", "renew", "QM1", own]);
    authority.renew(program, 30, now - 60 * DAY).unwrap();
    bundle(program, "late.ferry");
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while put("app1.ferry").code != 0 {
        assert!(std::time::Instant::now() < until, "the renewed key is read");
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
    is_told(
        "late.ferry",
        program,
        &[
            "the queue manager does not accept this program's certificate",
            "next: on its machine ferry tls renew QM LABEL makes another, or",
        ],
    );
    let taken = ferry.run(&["tls", "issue", "QM1", program]);
    assert!(taken.code != 0 && taken.stderr.contains("`ferry tls renew QM app1`"), "{}", taken.stderr);
    ferry.ok(&["tls", "renew", "QM1", program]);
    bundle(program, "new.ferry");
    assert_eq!(put("new.ferry").code, 0);
}

#[test]
fn an_authority_is_rolled_over_with_both_at_once_while_the_queue_manager_runs() {
    let ferry = Ferry::new();
    secured(&ferry);
    for label in ["app1", "gone"] {
        ferry.ok(&["tls", "issue", "QM1", label]);
    }
    ferry.ok(&["tls", "revoke", "QM1", "gone"]);
    let server = ferry.start(&["qmgr", "start", "QM1"]);
    let own = "DEFINE CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS13)";
    let rule = "SET CHLAUTH('APP.SVRCONN') TYPE(SSLPEERMAP) SSLPEER('CN=app1') MCAUSER('app1')";
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(Q)", "-e", own, "-e", rule]);
    ferry.ok(&["auth", "grant", "app1", "connect", "--type", "qmgr"]);
    ferry.ok(&["auth", "grant", "app1", "put", "Q"]);
    let address = format!("localhost({})", server.port());
    let bundle = |file: &str| {
        ferry.ok(&["tls", "bundle", "QM1", "app1", file, "--address", &address, "--channel", "APP.SVRCONN"]);
    };
    let is_in = |file: &str| ferry.run(&["put", "Q", "x", "--with", file]).code == 0;
    let eventually = |what: &str, is: &dyn Fn() -> bool| {
        let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while !is() {
            assert!(std::time::Instant::now() < until, "{what}");
            std::thread::sleep(std::time::Duration::from_millis(500));
        }
    };
    bundle("old.ferry");
    ferry.ok(&["tls", "roll", "QM1"]);
    ferry.ok(&["tls", "renew", "QM1", "app1"]);
    bundle("new.ferry");
    eventually("the new key is let in once the files are read again", &|| is_in("new.ferry"));
    assert!(is_in("old.ferry"), "the former authority is trusted still");
    let kept = ferry.run(&["tls", "retire", "QM1"]);
    assert!(kept.code == 1 && kept.stderr.contains("is of the former authority"), "{}", kept.stderr);
    let renewed = ferry.run(&["tls", "renew", "QM1", "--all"]);
    assert!(renewed.stderr.contains("left gone as it is: it was revoked"), "{}", renewed.stderr);
    ferry.ok(&["tls", "retire", "QM1"]);
    eventually("the former authority is trusted no more", &|| !is_in("old.ferry"));
    assert!(is_in("new.ferry"), "who has the new bundle goes on");
}

#[test]
fn keys_are_made_shown_renewed_revoked_and_taken_in() {
    let ferry = Ferry::new();
    secured(&ferry);
    let shown = ferry.ok(&["tls", "show", "QM1"]);
    assert!(shown.contains("ibmwebspheremqqm1  key      36") && shown.contains(" days left"), "{shown}");
    assert!(shown.contains("trusted") && shown.contains("QM1 certificate authority"), "{shown}");
    assert_eq!(ferry.run(&["tls", "init", "QM1"]).code, 1, "there is an authority already");
    ferry.ok(&["tls", "issue", "QM1", "app1", "--days", "5"]);
    let json = ferry.ok(&["tls", "show", "QM1", "-o", "json"]);
    assert!(json.contains("\"left\":\"4 days left\"") || json.contains("\"left\":\"5 days left\""), "{json}");
    ferry.ok(&["tls", "renew", "QM1", "app1", "--days", "50"]);
    let shown = ferry.ok(&["tls", "show", "QM1"]);
    assert!(shown.contains(" 49 days left") || shown.contains(" 50 days left"), "{shown}");
    ferry.ok(&["tls", "revoke", "QM1", "app1"]);
    assert_eq!(ferry.run(&["tls", "revoke", "QM1", "nobody"]).code, 3);
    assert_eq!(ferry.run(&["tls", "issue", "QM1", "../x"]).code, 2);
    assert_eq!(ferry.run(&["tls", "show", "QM2"]).code, 3);
    let keys = "QM1/security/keys/app1";
    let (certificates, key) = (format!("{keys}.pem"), format!("{keys}.key"));
    ferry.ok(&["tls", "import", "QM1", "theirs", "--certificates", &certificates, "--key", &key]);
    ferry.ok(&["tls", "import", "QM1", "partner", "--certificates", &certificates]);
    let shown = ferry.ok(&["tls", "show", "QM1"]);
    assert!(shown.contains("theirs             key"), "{shown}");
    assert_eq!(ferry.run(&["tls", "import", "QM1", "bad", "--certificates", &key]).code, 1);
}

#[test]
fn a_request_is_checked_as_the_call_is_judged_and_the_command_it_names_allows_it() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let check = |arguments: &[&str]| ferry.run(&[&["auth", "check"], arguments].concat());
    let before = check(&["ada", "PAY.IN", "put"]);
    assert_eq!(before.code, 0, "{}{}", before.stdout, before.stderr);
    assert!(before.stdout.contains("there is no authority record yet"), "{}", before.stdout);
    ferry.ok(&["auth", "grant", "ada", "browse", "PAY.**"]);
    let refused = check(&["ada", "PAY.IN", "put"]);
    assert_eq!((refused.code, refused.stderr.as_str()), (4, ""), "{}", refused.stdout);
    let needed = "User ada would be refused PUT of queue PAY.IN: PUT is missing on QUEUE PAY.IN";
    assert!(refused.stdout.contains(needed), "{}", refused.stdout);
    let remedy = refused.stdout.split("it is allowed by ").nth(1).unwrap().lines().next().unwrap();
    ferry.ok(&["mqsc", "-e", remedy.trim_end_matches('.')]);
    let granted = check(&["ada", "PAY.IN", "put"]);
    assert!(granted.code == 0 && granted.stdout.contains("the records allow it"), "{}", granted.stdout);
    assert_eq!(check(&["ada", "PAY.IN", "browse"]).code, 0, "the right that the record had before");
    assert_eq!(check(&["ada", "QM1", "connect"]).code, 4);
    assert_eq!(check(&["ada", "CLERK", "inq", "--type", "process"]).code, 4);
    assert_eq!(check(&["ada", "NEWS", "sub", "--type", "topic", "-o", "json"]).code, 4);
    let unknown = check(&["ada", "PAY.IN", "fly"]);
    assert!(unknown.code == 1 && unknown.stderr.contains("RUNCHECK does not take FLY"), "{}", unknown.stderr);
    let strange = check(&["x') GROUP('nobody", "PAY.IN", "put"]);
    assert_eq!(strange.code, 4, "{}{}", strange.stdout, strange.stderr);
    let add = ["user", "add", "QM1", "root2", "--group", "ferrymq"];
    assert_eq!(ferry.with_input(&add, b"open sesame\n").code, 0);
    std::thread::sleep(std::time::Duration::from_secs(1));
    let administrator = check(&["root2", "PAY.IN", "put"]);
    assert!(administrator.stdout.contains("the user is an administrator"), "{}", administrator.stdout);
}

/// A line of the record of refusals.
fn refusal(id: &str, user: &str, source: &str) -> String {
    let line = json!({
        "id": format!("{id:0>16}"), "time": "2026-11-28T10:00:00Z", "user": user, "identity": "proved",
        "object": "queue PAY.IN", "request": "MQOPEN 0x10", "source": source,
        "judged": {
            "user": user, "type": "QUEUE", "name": "PAY.IN", "needed": "PUT", "had": "NONE", "record": null,
            "allowed_by": format!("SET AUTHREC PROFILE('PAY.IN') OBJTYPE(QUEUE) PRINCIPAL('{user}') AUTHADD(PUT)"),
        },
    });
    format!("{line}\n")
}

#[test]
fn a_user_that_is_refused_again_and_again_leaves_the_refusals_of_others_in_the_list() {
    const HARMFUL: &str = "x\u{1b}[2J\u{202e}";
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1"]);
    let audit = ferry.data().join("QM1/audit");
    fs::create_dir_all(&audit).unwrap();
    let mut lines = refusal("A1", "ada", "user ada at this machine") + &refusal("B1", HARMFUL, "10.0.0.9");
    (0..60).for_each(|number| lines += &refusal(&format!("E{number}"), "eve", "user eve at this machine"));
    fs::write(audit.join("audit.log"), lines).unwrap();
    let why = |arguments: &[&str]| ferry.run(&[&["why", "QM1"], arguments].concat());
    let ids = |printed: &str| -> Vec<String> {
        let ids =
            printed.lines().map(|line| line.split(' ').next().unwrap().trim_start_matches('0').to_owned());
        ids.collect()
    };
    let all = why(&[]);
    assert_eq!(ids(&all.stdout), ["A1", "B1", "E57", "E58", "E59"], "{}", all.stdout);
    assert!(all.stderr.contains("and 57 more of user eve at this machine"), "{}", all.stderr);
    assert!(all.stdout.contains("user x\\u{1b}[2J\\u{202e} (proved)"), "{}", all.stdout);
    // The number that guides take is the user's own, though others were refused after it.
    let own = why(&["--user", "ada", "--last", "1"]);
    assert_eq!((ids(&own.stdout), own.stderr.as_str()), (vec!["A1".to_owned()], ""));
    let id = own.stdout.split(' ').next().unwrap();
    let command = ferry.ok(&["why", "QM1", id, "--command"]);
    assert_eq!(command, "SET AUTHREC PROFILE('PAY.IN') OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(PUT)\n");
    assert_eq!(ids(&why(&["--last", "4"]).stdout), ["E56", "E57", "E58", "E59"]);
    assert_eq!(ids(&why(&["--user", "eve", "--last", "1000"]).stdout).len(), 60);
    assert_eq!(why(&["-o", "json", "--last", "2"]).stdout.lines().count(), 2);
    // A name is given as the list shows it, and one with letters that no user has is refused.
    assert_eq!(ids(&why(&["--user", "x\\u{1b}[2J\\u{202e}"]).stdout), ["B1"]);
    for (arguments, code, expected) in [
        (&["--user", HARMFUL][..], 2, "as the list shows it"),
        (&["--user", "a\u{202e}b"], 2, "as the list shows it"),
        (&["--user", "x')\"["], 3, "no record of a refusal of user x')\"["),
        (&["--user", "nobody"], 3, "no record of a refusal of user nobody"),
        (&["--last", "0"], 2, "0 is not in 1..=1000"),
        (&["--last", "1001"], 2, "1001 is not in 1..=1000"),
        (&["--last", "-1"], 2, "-1"),
        (&["--user", "ada", id], 2, "--user chooses refusals of a list"),
        (&["--last", "1", id], 2, "cannot be used with"),
    ] {
        let said = why(arguments);
        assert!(
            said.code == code && said.stderr.contains(expected),
            "{arguments:?}: {} {}",
            said.code,
            said.stderr
        );
        let harmful = |letter| letter != '\n' && objects::harmless::is_harmful(letter);
        assert!(!said.stderr.contains(harmful), "{arguments:?}: {}", said.stderr);
    }
}

#[test]
fn users_are_added_locked_expired_listed_and_removed() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1"]);
    let add = |user: &str, password: &[u8]| {
        ferry.with_input(&["user", "add", "QM1", user, "--group", "g"], password)
    };
    assert_eq!(add("alice", b"open sesame\n").code, 0);
    assert_eq!(add("alice", b"again\n").code, 1);
    assert_eq!(add("bob", b"\n").code, 2, "an empty password");
    assert_eq!(add(" bob", b"x\n").code, 2);
    assert_eq!(ferry.with_input(&["user", "passwd", "QM1", "alice"], b"new\n").code, 0);
    ferry.ok(&["user", "lock", "QM1", "alice"]);
    let said = ferry.run(&["user", "expire", "QM1", "alice", "2027-01-31T00:00:00Z"]);
    assert_eq!(said.stderr, "alice expires at 2027-01-31T00:00:00Z\n");
    let listed = ferry.ok(&["user", "list", "QM1"]);
    assert_eq!(listed, "alice  g  locked  expires 2027-01-31T00:00:00Z\n");
    ferry.ok(&["user", "unlock", "QM1", "alice"]);
    assert_eq!(ferry.run(&["user", "expire", "QM1", "alice"]).stderr, "alice does not expire\n");
    let listed = ferry.ok(&["user", "list", "QM1", "-o", "json"]);
    assert_eq!(listed, "{\"expires\":null,\"groups\":[\"g\"],\"locked\":false,\"user\":\"alice\"}\n");
    assert_eq!(ferry.run(&["user", "expire", "QM1", "alice", "tomorrow"]).code, 2);
    ferry.ok(&["user", "remove", "QM1", "alice"]);
    assert_eq!(ferry.run(&["user", "remove", "QM1", "alice"]).code, 3);
    let said = ferry.run(&["user", "list", "QM1"]);
    assert_eq!((said.code, &*said.stdout), (0, ""));
    assert!(said.stderr.starts_with("QM1 has no users; ferry "), "{}", said.stderr);
    assert!(said.stderr.ends_with("user add QM1 NAME makes one\n"), "{}", said.stderr);
    let said = ferry.run(&["user", "list", "QM1", "-o", "json"]);
    assert_eq!((&*said.stdout, &*said.stderr), ("", ""));
}

#[test]
fn a_command_connects_as_a_user_by_the_password_of_a_file_and_asks_for_none_without_a_terminal() {
    let ferry = Ferry::new();
    let server = ferry.dev();
    let add = ["user", "add", "QM1", "ada"];
    assert_eq!(ferry.with_input(&add, b"open sesame\n").code, 0);
    let address = format!("127.0.0.1:{}", server.port());
    let (right, wrong) = (ferry.data().join("right"), ferry.data().join("wrong"));
    fs::write(&right, "open sesame\n").unwrap();
    fs::write(&wrong, "open sesame \n").unwrap();
    let put = ["put", "DEV.QUEUE.1", "x", "--user", "ada", "--connect", &address];
    let run = |file: &Path| {
        let mut command = ferry.command(&put);
        command.env("FERRY_PASSWORD_FILE", file).output().unwrap()
    };
    ferry.ok(&["auth", "grant", "ada", "connect", "--type", "qmgr"]);
    ferry.ok(&["auth", "grant", "ada", "put", "DEV.**"]);
    assert!(run(&right).status.success());
    let refused = run(&wrong);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(4) && said.contains("2035"), "{said}");
    let asked = ferry.run(&put);
    assert!(asked.code == 2 && asked.stderr.contains("FERRY_PASSWORD_FILE"), "{}", asked.stderr);
    let shown = ferry.ok(&["browse", "DEV.QUEUE.1", "-o", "json"]);
    assert!(shown.contains("\"ada\""), "the user of the password is in the message: {shown}");
    drop(server);
}

#[test]
fn a_member_of_the_local_group_connects_as_itself_and_another_user_does_not() {
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        println!("SKIPPED: only root runs programs as other users");
        return;
    }
    let group = platform::os::users::group_number("daemon").expect("a group of every Linux system");
    let ferry = Ferry::new();
    let settings = ["local.group=daemon", "listener.addresses=[]"];
    ferry.ok(&["qmgr", "create", "QM1", "--set", settings[0], "--set", settings[1]]);
    let _server = ferry.start(&["qmgr", "start", "QM1"]);
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(Q)"]);
    let folder = ferry.data().join("QM1");
    for (path, mode) in [("", 0o710), ("socket", 0o660), ("rings", 0o660), ("ferry.toml", 0o600)] {
        let found = fs::metadata(folder.join(path)).unwrap();
        assert_eq!(found.mode() & 0o777, mode, "{path}");
    }
    // Where a user without rights can start it.
    let program = ferry.data().join("program");
    fs::hard_link(env!("CARGO_BIN_EXE_ferry"), &program)
        .or_else(|_| fs::copy(env!("CARGO_BIN_EXE_ferry"), &program).map(drop))
        .unwrap();
    let socket = format!("unix:{}", folder.join("socket").display());
    let run = |(user, group): (u32, u32), arguments: &[&str]| {
        let mut command = Command::new(&program);
        command
            .args(arguments)
            .args(["--connect", &socket])
            .current_dir("/")
            .env_clear()
            .uid(user)
            .gid(group);
        let output = command.output().unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned(),
        )
    };
    let (member, other) = ((4_242, group), (4_243, 4_243));
    let (is_done, said) = run(member, &["put", "Q", "from a member"]);
    assert!(is_done, "{said}");
    let (is_done, said) = run(other, &["put", "Q", "from another"]);
    assert!(!is_done && said.contains("ermission denied"), "{said}");
    assert!(ferry.ok(&["browse", "Q", "-o", "json"]).contains("4242"), "it acts as itself");
    // Once requests are judged it has the rights that records give, and no others.
    ferry.ok(&["auth", "grant", "nobody", "connect", "--group", "--type", "qmgr"]);
    let (is_done, said) = run(member, &["put", "Q", "x"]);
    assert!(!is_done && said.contains("2035"), "it is no administrator: {said}");
    ferry.ok(&["auth", "grant", "4242", "put", "Q"]);
    let (is_done, said) = run(member, &["put", "Q", "x"]);
    assert!(is_done, "{said}");
    let (is_done, said) = run(member, &["mqsc", "-e", "DELETE QLOCAL(Q) PURGE"]);
    assert!(!is_done, "{said}");
}

#[test]
fn the_file_of_a_program_names_the_port_that_its_queue_manager_listens_on() {
    let ferry = Ferry::new();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let holds = |file: &str, port: u16| {
        let text = fs::read_to_string(ferry.data().join(file)).unwrap();
        assert!(text.contains(&format!("localhost({port})")), "{file} does not name port {port}");
    };
    ferry.ok(&["qmgr", "create", "QM1", "--port", &port.to_string()]);
    ferry.ok(&["tls", "init", "QM1", "--host", "localhost", "--client", "app1"]);
    holds("app1.ferry", port);
    ferry.ok(&["tls", "issue", "QM1", "app2"]);
    ferry.ok(&["tls", "bundle", "QM1", "app2", "app2.ferry"]);
    holds("app2.ferry", port);
    ferry.ok(&["tls", "bundle", "QM1", "app2", "app3.ferry", "--address", "localhost(9)"]);
    holds("app3.ferry", 9);
    for (address, words) in [
        ("h(", "has \"h(\" where one host should be"),
        ("h(0)", "a port from 1 to 65535"),
        ("a(1),", "names no host"),
        ("unix:/run/s", "names a socket of this machine"),
    ] {
        let refused = ferry.run(&["tls", "bundle", "QM1", "app2", "app5.ferry", "--address", address]);
        assert!(refused.code == 2 && refused.stderr.contains(words), "{address}: {}", refused.stderr);
        assert!(!ferry.data().join("app5.ferry").exists(), "{address}");
    }
    let server = ferry.start(&["qmgr", "start", "QM1", "--port", "0"]);
    let now = server.ready["listens"].as_array().unwrap().iter().filter_map(|address| address.as_str());
    let now = now.filter_map(|address| address.strip_prefix("127.0.0.1:")).next().unwrap().parse().unwrap();
    ferry.ok(&["tls", "bundle", "QM1", "app2", "app4.ferry"]);
    holds("app4.ferry", now);
    // A port that the system chooses at each start can be in no file; nothing is made before that is told.
    ferry.ok(&["qmgr", "create", "QM2", "--port", "0"]);
    let refused = ferry.run(&["tls", "init", "QM2", "--host", "localhost", "--client", "app1"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("has no port of its own"), "{}", refused.stderr);
    ferry.ok(&[
        "tls",
        "init",
        "QM2",
        "--host",
        "localhost",
        "--client",
        "app5",
        "--expose",
        &port.to_string(),
    ]);
    holds("app5.ferry", port);
}

#[test]
fn all_rights_of_a_user_are_one_command_and_mqsc_without_its_option_is_told() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["auth", "grant", "ada", "put,get", "DEV.**"]);
    ferry.ok(&["auth", "grant", "ada", "connect", "--type", "qmgr"]);
    let shown = ferry.ok(&["auth", "show", "ada"]);
    assert!(shown.contains("DEV.**") && shown.contains("OBJTYPE(QMGR)"), "{shown}");
    let refused = ferry.run(&["auth", "grant", "ada", "connect"]);
    assert!(refused.code == 2 && refused.stderr.contains("add --type qmgr"), "{}", refused.stderr);
    for typed in ["DEFINE QLOCAL(A)", "DISPLAY QUEUE(*) ALL", "PING QMGR"] {
        let refused = ferry.run(&["mqsc", typed]);
        let next = format!("ferry mqsc -e '{typed}' runs it as a command");
        assert!(refused.code == 2 && refused.stderr.contains(&next), "{}", refused.stderr);
    }
    assert_eq!(ferry.run(&["mqsc", "QM1", "-e", "PING QMGR"]).code, 0);
    for (typed, next) in [
        (
            &["mqsc", "QM1", "DEFINE QLOCAL(A)"][..],
            "ferry mqsc QM1 -e 'DEFINE QLOCAL(A)' runs it as a command",
        ),
        (&["mqsc", "DEFINE", "QLOCAL(A)"], "ferry mqsc -e 'DEFINE QLOCAL(A)' runs it as a command"),
        (&["mqsc", "DISPLAY", "QMGR", "ALL"], "ferry mqsc -e 'DISPLAY QMGR ALL' runs it as a command"),
    ] {
        let refused = ferry.run(typed);
        assert!(refused.code == 2 && refused.stderr.contains(next), "{}", refused.stderr);
    }
}

#[test]
fn an_option_names_the_queue_manager_of_commands_on_users_keys_refusals_and_lists() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let said = ferry.with_input(&["user", "add", "-m", "QM1", "ada"], b"correct horse\n");
    assert_eq!(said.code, 0, "{}", said.stderr);
    for words in
        [&["user", "list", "-m", "QM1"][..], &["-m", "QM1", "user", "list"], &["user", "list", "QM1"]]
    {
        assert_eq!(ferry.ok(words), "ada\n");
    }
    assert!(ferry.ok(&["list", "-m", "QM1"]).contains("running"));
    assert_eq!(ferry.ok(&["why", "-m", "QM1"]), "");
    ferry.ok(&["tls", "init", "-m", "QM1"]);
    assert!(ferry.ok(&["tls", "show", "-m", "QM1"]).contains("ibmwebspheremqqm1"));
    for (words, code, expected) in [
        (&["list", "-m", "NOPE"][..], 3, "there is no queue manager NOPE"),
        (&["user", "list", "-m", "NOPE"], 3, "there is no queue manager NOPE"),
        (&["user", "list", "-m", "QM2", "QM1"], 2, "two queue managers are named: QM1, and QM2 by -m"),
        (&["tls", "show"], 2, "<QM>"),
    ] {
        let refused = ferry.run(words);
        assert!(refused.code == code && refused.stderr.contains(expected), "{words:?}: {}", refused.stderr);
    }
    let mut by_variable = ferry.command(&["user", "list"]);
    let output = by_variable.env("FERRY_QMGR", "QM1").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ada\n");
}

#[test]
fn what_a_user_may_do_is_shown_with_the_rights_of_its_groups_and_an_unknown_user_is_told() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let shown = ferry.ok(&["auth", "show", "ada"]);
    assert!(shown.contains("user ada has no authority record, and its groups have none"), "{shown}");
    assert!(shown.contains("there is no authority record yet"), "{shown}");
    let added = ferry.with_input(&["user", "add", "QM1", "ada", "--group", "staff"], b"correct horse\n");
    assert_eq!(added.code, 0, "{}", added.stderr);
    // A user that was added a moment ago is known.
    let granted = ferry.ok(&["auth", "grant", "staff", "put,get", "DEV.**", "--group"]);
    assert!(!granted.contains("is known"), "{granted}");
    let granted = ferry.ok(&["auth", "grant", "ada", "connect", "--type", "qmgr"]);
    assert!(!granted.contains("is known"), "{granted}");
    let shown = ferry.ok(&["auth", "show", "ada"]);
    for expected in ["GROUP", "DEV.**", "would be granted CONNECT"] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    for (words, expected) in [
        (&["auth", "grant", "adda", "put", "DEV.**"][..], "No user adda is known."),
        (&["auth", "grant", "clerks", "put", "DEV.**", "--group"], "No group clerks is known."),
        (&["auth", "grant", "Ada", "connect", "--type", "qmgr"], "No user Ada is known."),
    ] {
        let granted = ferry.ok(words);
        assert!(granted.contains("FRY8868W") && granted.contains(expected), "{granted}");
    }
    let revoked = ferry.ok(&["auth", "revoke", "adda", "put", "DEV.**"]);
    assert!(!revoked.contains("FRY8868W"), "{revoked}");
    ferry.ok(&["mqsc", "-e", "DEFINE CHANNEL(A.SVRCONN) CHLTYPE(SVRCONN) MCAUSER('till')"]);
    let granted = ferry.ok(&["auth", "grant", "till", "put", "DEV.**"]);
    assert!(!granted.contains("FRY8868W"), "{granted}");
}

#[test]
fn refusals_of_mqsc_have_next_steps_and_what_is_not_there_is_told_at_once() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(Q)"]);
    ferry.ok(&["put", "Q", "x"]);
    for (command, expected) in [
        ("DELETE QLOCAL(Q)", "next: Get the messages, or CLEAR QLOCAL"),
        ("DEFINE QLOCAL(Q)", "next: Choose another name"),
        ("DISPLAY QLOCAL(NOPE)", "next: Check the spelling"),
    ] {
        let refused = ferry.run(&["mqsc", "-e", command]);
        assert!(refused.code == 1 && refused.stderr.contains(expected), "{command}: {}", refused.stderr);
        assert!(!refused.stdout.contains("next:"), "{}", refused.stdout);
        let as_json = ferry.run(&["mqsc", "-e", command, "-o", "json"]);
        assert!(!as_json.stderr.contains("next:"), "{}", as_json.stderr);
    }
    for (command, expected) in [
        ("ALTER QMGR DEADQ(NOPE)", "FRY8485W: DEADQ(NOPE) names no local queue"),
        ("ALTER QMGR DEADQ(SYSTEM.DEFAULT.MODEL.QUEUE)", "FRY8485W"),
        (
            "DEFINE CHANNEL(C) CHLTYPE(RCVR) PUTAUT(CTX)",
            "FRY8486W: PUTAUT(CTX) of channel C has no effect now",
        ),
        ("ALTER CHANNEL(C) CHLTYPE(RCVR) PUTAUT(CTX)", "FRY8486W"),
    ] {
        let done = ferry.ok(&["mqsc", "-e", command]);
        assert!(done.contains(expected), "{command}: {done}");
    }
    ferry.ok(&["auth", "grant", "nobody", "connect", "--group", "--type", "qmgr"]);
    for command in [
        "ALTER QMGR DEADQ(Q)",
        "ALTER QMGR DEADQ(' ')",
        "ALTER CHANNEL(C) CHLTYPE(RCVR) PUTAUT(DEF)",
        "ALTER CHANNEL(C) CHLTYPE(RCVR) PUTAUT(CTX)",
    ] {
        let done = ferry.ok(&["mqsc", "-e", command]);
        assert!(!done.contains("FRY848"), "{command}: {done}");
    }
}

#[test]
fn a_bundle_that_cannot_take_its_place_leaves_no_key_and_the_old_file() {
    let ferry = Ferry::new();
    secured(&ferry);
    ferry.ok(&["tls", "issue", "QM1", "app1"]);
    let place = ferry.data().join("bundles");
    fs::create_dir_all(place.join("app1.ferry/inside")).unwrap();
    fs::write(place.join("app1.new"), "mine").unwrap();
    let bundle = |file: &str| ferry.run(&["tls", "bundle", "QM1", "app1", file, "--address", "localhost(1)"]);
    let target = place.join("app1.ferry");
    let said = bundle(target.to_str().unwrap());
    assert!(said.code == 1 && said.stderr.contains("app1.ferry"), "{}", said.stderr);
    let mut left: Vec<_> = fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["app1.ferry", "app1.new"]);
    assert_eq!(fs::read_to_string(place.join("app1.new")).unwrap(), "mine");
}

/// Another's authority of this name, and a certificate that it issued for this name; by OpenSSL.
fn theirs(place: &Path, authority: &str, subject: &str) -> [String; 2] {
    let at = |name: &str| place.join(name).to_str().unwrap().to_owned();
    let openssl = |words: &[&str]| {
        let output = Command::new("openssl").args(words).output().expect("openssl runs");
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    let [ca, ca_key, own, own_key] = ["ca.pem", "ca.key", "own.pem", "own.key"].map(at);
    let root =
        ["req", "-x509", "-days", "9", "-subj", &format!("/CN={authority}"), "-keyout", &ca_key, "-out", &ca];
    openssl(&[&root[..], &key].concat());
    let leaf =
        ["req", "-x509", "-days", "9", "-subj", &format!("/CN={subject}"), "-keyout", &own_key, "-out", &own];
    let below = ["-CA", &ca, "-CAkey", &ca_key, "-addext", "basicConstraints=critical,CA:FALSE"];
    openssl(&[&leaf[..], &key, &below].concat());
    [ca, own]
}

#[test]
fn an_authority_with_the_name_of_a_trusted_one_is_trusted_only_where_that_was_said() {
    let ferry = Ferry::new();
    secured(&ferry);
    let shown = || ferry.ok(&["tls", "show", "QM1"]);
    // The days that are left may be one less a second later.
    let listed = || shown().matches("SERIALNUMBER=").count();
    let (before, all) = (listed(), shown());
    let name = all.split("CN=QM1 certificate authority ").nth(1).unwrap().split_whitespace().next().unwrap();
    let name = format!("QM1 certificate authority {name}");
    let place = tempfile::tempdir().unwrap();
    let [namesake, single] = theirs(place.path(), &name, "app1");
    let import = |label: &str, file: &str, more: &[&str]| {
        ferry.run(&[&["tls", "import", "QM1", label, "--certificates", file], more].concat())
    };
    // A single certificate brings the name of its issuer along.
    for (file, words) in [
        (&namesake, format!("has the name of the trusted authority CN={name}")),
        (&single, format!("names CN={name} as its issuer")),
    ] {
        let said = import("theirs", file, &[]);
        assert_eq!(said.code, 4, "{}{}", said.stdout, said.stderr);
        assert!(said.stdout.contains("* Opens: ") && said.stdout.contains(&words), "{}", said.stdout);
        let is_told = said.stderr.contains("nothing was changed") && said.stderr.contains("--accept");
        assert!(is_told, "{}", said.stderr);
        assert_eq!(listed(), before);
        assert_eq!(import("theirs", file, &["--accept"]).code, 0);
        assert_eq!(listed(), before + 1);
        fs::remove_file(ferry.data().join("QM1/security/trust/theirs.pem")).unwrap();
    }
    // Others need no word, and neither does what is trusted already, or was issued by a trusted authority.
    ferry.ok(&["tls", "issue", "QM1", "own"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let [third, of_third] = theirs(elsewhere.path(), "Third", "app1");
    let of_own = |file: &str| ferry.data().join("QM1/security").join(file).to_str().unwrap().to_owned();
    for (label, file) in [
        ("third", third),
        ("single", of_third),
        ("again", of_own("authority/ca.pem")),
        ("own", of_own("keys/own.pem")),
    ] {
        let said = import(label, &file, &[]);
        assert_eq!(said.code, 0, "{label}: {}{}", said.stdout, said.stderr);
    }
}

#[test]
fn crt_that_is_granted_for_names_is_told_by_each_command_that_grants_it() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let told = "CRT has no effect in PROFILE(PAY.**) OBJTYPE(QUEUE)";
    let granted = ferry.ok(&["auth", "grant", "ada", "put,crt", "PAY.**"]);
    assert!(granted.contains("FRY8869W") && granted.contains(told), "{granted}");
    let granted = ferry.ok(&["auth", "grant", "ada", "crt", "@CLASS"]);
    assert!(!granted.contains("FRY8869W"), "{granted}");
    let script = ferry.data().join("rights.mqsc");
    let record = "SET AUTHREC PROFILE('PAY.**') OBJTYPE(QUEUE) PRINCIPAL('bob') AUTHADD(PUT,CRT)\n";
    fs::write(&script, record).unwrap();
    let applied = ferry.ok(&["config", "apply", script.to_str().unwrap(), "--accept"]);
    assert!(applied.contains("FRY8869W") && applied.contains(told), "{applied}");
    fs::write(&script, record.replace("bob", "eve")).unwrap();
    let applied = ferry.ok(&["config", "apply", script.to_str().unwrap(), "--accept", "-o", "json"]);
    assert!(applied.contains(&format!("\"warnings\":[\"{told}")), "{applied}");
}

#[test]
fn a_bundle_whose_key_is_in_another_one_names_the_way_to_a_new_key() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0"]);
    ferry.ok(&["tls", "init", "QM1", "--client", "app1", "--expose", "1416"]);
    let bundle = ["tls", "bundle", "QM1", "app1", "again.ferry", "--address", "localhost(1416)"];
    let said = ferry.run(&bundle);
    assert_eq!(said.code, 3, "{}", said.stderr);
    assert!(said.stderr.contains("the bundle that was made for it has the only copy"), "{}", said.stderr);
    for next in ["next: use that bundle", "ferry tls renew QM1 app1", "ferry tls revoke QM1 app1"] {
        assert!(said.stderr.contains(next), "{next}: {}", said.stderr);
    }
    ferry.ok(&["tls", "revoke", "QM1", "app1"]);
    ferry.ok(&["tls", "renew", "QM1", "app1"]);
    ferry.ok(&bundle);
    assert!(ferry.data().join("again.ferry").is_file());
}
