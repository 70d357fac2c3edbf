//! Passwords in definitions: kept apart, shown as a sign, and nowhere else.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::support::Ferry;

const DEFINE: &str = "DEFINE AUTHINFO(L) AUTHTYPE(IDPWLDAP) CONNAME('ldap') SHORTUSR('sn') USRFIELD('uid')";

/// Bytes that are searched at a time.
const PAGE: usize = 4096;
static ZEROS: [u8; PAGE] = [0; PAGE];

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The files that have a text.
fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let has = |path: &PathBuf| {
        let bytes = std::fs::read(path).unwrap_or_default();
        // Most of a log is zeros, which one comparison of the C library passes over.
        let begins_in = |(page, chunk): (usize, &[u8])| {
            let end = bytes.len().min(page * PAGE + chunk.len() + text.len());
            *chunk != ZEROS[..chunk.len()]
                && bytes[page * PAGE..end].windows(text.len()).any(|window| window == text.as_bytes())
        };
        bytes.chunks(PAGE).enumerate().any(begins_in)
    };
    let name = |path: PathBuf| path.strip_prefix(folder).unwrap().display().to_string();
    let mut found: Vec<String> = files(folder).into_iter().filter(has).map(name).collect();
    found.sort();
    found
}

#[test]
fn a_password_of_a_definition_is_kept_in_a_file_of_its_own_and_nowhere_else() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0"]);
    let server = ferry.start(&["qmgr", "start", "QM1"]);
    ferry.ok(&["mqsc", "-e", "ALTER QMGR CMDEV(ENABLED) CONFIGEV(ENABLED)"]);
    let script = ferry.data().join("script.mqsc");
    let text = format!(
        "{DEFINE} LDAPPWD('canary-one')\nALTER QMGR KEYRPWD('canary-two')\n\
         DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME('h') PASSWORD('canary-three')\n"
    );
    std::fs::write(&script, text.replace("canary-three", "canary-3")).unwrap();
    let script = script.to_str().unwrap();
    let shown = ferry.ok(&["config", "diff", script]);
    assert!(shown.contains("LDAPPWD('********')") && !shown.contains("canary"), "{shown}");
    let applied = ferry.ok(&["config", "apply", script]);
    assert!(applied.contains("KEYRPWD('********')") && !applied.contains("canary"), "{applied}");
    std::fs::remove_file(script).unwrap();
    let echoed =
        ferry.with_input(&["mqsc"], b"ALTER AUTHINFO(L) AUTHTYPE(IDPWLDAP) LDAPPWD('canary-four') X(1)\n");
    assert!(!format!("{}{}", echoed.stdout, echoed.stderr).contains("canary"), "{}", echoed.stdout);

    let secrets = ferry.data().join("QM1/security/secrets");
    let kept = ["AUTHINFO-L-LDAPPWD", "CHANNEL-C-PASSWORD", "QMGR--KEYRPWD"];
    let expected: Vec<String> = kept.iter().map(|name| format!("QM1/security/secrets/{name}")).collect();
    assert_eq!(files_with(ferry.data(), "canary"), expected);
    assert_eq!(secrets.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    for (name, text) in kept.iter().zip(["canary-one", "canary-3", "canary-two"]) {
        let path = secrets.join(name);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    for question in ["DISPLAY AUTHINFO(L) LDAPPWD", "DISPLAY QMGR KEYRPWD", "DISPLAY CHANNEL(C) PASSWORD"] {
        let shown = ferry.ok(&["mqsc", "-e", question]);
        assert!(shown.contains("(********)"), "{shown}");
    }
    let dumped = ferry.ok(&["config", "dump"]);
    assert!(dumped.contains("* Left out, since it is a secret: PASSWORD of CHANNEL C"), "{dumped}");
    for told in [&["events"][..], &["log", "show", "QM1", "-a"], &["config", "dump", "-o", "json"]] {
        let said = ferry.run(told);
        assert!(!format!("{}{}", said.stdout, said.stderr).contains("canary"), "{told:?}: {}", said.stdout);
    }
    // A dump applied to the queue manager that it is of leaves the secrets as they are.
    let dump = ferry.data().join("dump.mqsc");
    std::fs::write(&dump, dumped).unwrap();
    ferry.ok(&["config", "apply", dump.to_str().unwrap()]);
    server.kill();
    let _server = ferry.start(&["qmgr", "start", "QM1"]);
    assert!(ferry.ok(&["mqsc", "-e", "DISPLAY AUTHINFO(L) LDAPPWD"]).contains("(********)"));
    assert_eq!(files_with(ferry.data(), "canary"), expected);
}

#[test]
fn a_secret_goes_with_its_definition_and_stays_when_the_command_is_refused() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0"]);
    let _server = ferry.start(&["qmgr", "start", "QM1"]);
    let path = ferry.data().join("QM1/security/secrets/AUTHINFO-L-LDAPPWD");
    let kept = || std::fs::read_to_string(&path).ok();
    let alter =
        |rest: &str| ferry.ok(&["mqsc", "-e", &format!("ALTER AUTHINFO(L) AUTHTYPE(IDPWLDAP) {rest}")]);
    ferry.ok(&["mqsc", "-e", &format!("{DEFINE} LDAPPWD('one')")]);
    assert_eq!(kept().as_deref(), Some("one"));
    let refused = ferry.run(&["mqsc", "-e", &format!("{DEFINE} LDAPPWD('two')")]);
    assert_eq!((refused.code, kept().as_deref()), (1, Some("one")), "{}", refused.stdout);
    let long = "x".repeat(33);
    let refused =
        ferry.run(&["mqsc", "-e", &format!("ALTER AUTHINFO(L) AUTHTYPE(IDPWLDAP) LDAPPWD('{long}')")]);
    assert_ne!(refused.code, 0);
    assert!(!refused.stdout.contains(&long) && kept().as_deref() == Some("one"), "{}", refused.stdout);
    alter("DESCR('d')");
    alter("LDAPPWD('********')");
    assert_eq!(kept().as_deref(), Some("one"), "the sign leaves it as it is");
    ferry.ok(&["mqsc", "-e", "DEFINE AUTHINFO(M) AUTHTYPE(IDPWLDAP) LIKE(L)"]);
    let shown = ferry.ok(&["mqsc", "-e", "DISPLAY AUTHINFO(M) LDAPPWD"]);
    assert!(shown.contains("LDAPPWD( )"), "LIKE takes no secret: {shown}");
    alter("LDAPPWD('three')");
    assert_eq!(kept().as_deref(), Some("three"));
    alter("LDAPPWD(' ')");
    assert_eq!(kept(), None);
    alter("LDAPPWD('four')");
    ferry.ok(&["mqsc", "-e", &format!("{DEFINE} REPLACE")]);
    assert_eq!(kept(), None, "REPLACE without it forgets it");
    alter("LDAPPWD('five')");
    ferry.ok(&["mqsc", "-e", "DELETE AUTHINFO(L)"]);
    assert_eq!(kept(), None);
    // A folder that cannot be written to: the answer says so, and what to do.
    let folder = ferry.data().join("QM1/security/secrets");
    std::fs::remove_dir(&folder).unwrap();
    std::fs::write(&folder, "in the way").unwrap();
    let said = ferry.run(&["mqsc", "-e", &format!("{DEFINE} LDAPPWD('six')")]);
    assert_eq!(said.code, 1);
    assert!(
        said.stdout.contains("AUTHINFO L was changed, but its LDAPPWD was not kept: "),
        "{}",
        said.stdout
    );
}

#[test]
fn a_file_that_is_refused_leaves_passwords_or_names_those_that_it_lost() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0"]);
    let _server = ferry.start(&["qmgr", "start", "QM1"]);
    let channel = "DEFINE CHANNEL(ZZZ) CHLTYPE(CLNTCONN) CONNAME('old') PASSWORD('oldpw')";
    ferry.ok(&["mqsc", "-e", channel, "-e", "DEFINE TOPIC(T1) TOPICSTR('a/b')"]);
    let path = ferry.data().join("QM1/security/secrets/CHANNEL-ZZZ-PASSWORD");
    let kept = || std::fs::read_to_string(&path).unwrap_or_default();
    let before = ferry.ok(&["config", "dump"]);
    for change in [
        "ALTER CHANNEL(ZZZ) CHLTYPE(CLNTCONN) CONNAME('new') PASSWORD('newpw')",
        "ALTER CHANNEL(ZZZ) CHLTYPE(CLNTCONN) PASSWORD(' ')",
        "DELETE CHANNEL(ZZZ) CHLTABLE(CLNTTAB)",
    ] {
        let script = format!("{change}\nDEFINE TOPIC(T2) TOPICSTR('a/b')");
        let said = ferry.with_input(&["config", "apply", "-"], script.as_bytes());
        assert_eq!(said.code, 1, "{script}\n{}{}", said.stdout, said.stderr);
        assert!(said.stdout.contains("* Cannot be undone: PASSWORD of CHANNEL ZZZ"), "{}", said.stdout);
        assert!(said.stderr.contains("nothing is changed"), "{script}\n{}", said.stderr);
        assert_eq!((kept().as_str(), ferry.ok(&["config", "dump"])), ("oldpw", before.clone()), "{script}");
    }
}
