//! `ferry bridge add` and `list`. `ferry bridge run` is tested beside the program that it runs (`bridges/`).

use crate::support::Ferry;

fn names(ferry: &Ferry, display: &str) -> Vec<String> {
    let said = ferry.run(&["mqsc", "QM1", "-e", display]);
    said.stdout
        .lines()
        .filter(|line| line.contains('(') && !line.contains("SYSTEM."))
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_bridge_is_added_with_its_queue_and_pipes_or_not_at_all_and_is_listed() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1"]);
    let _running = ferry.start(&["qmgr", "start", "QM1", "--port", "0"]);
    let said = ferry.run(&["bridge", "list", "-m", "QM1"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, ""));
    let password = ferry.data().join("mover.txt");
    std::fs::write(&password, "a secret that is long\n").unwrap();
    std::fs::set_permissions(&password, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let password = password.to_str().unwrap();
    let at = ["bridge", "add", "FAR", "-m", "QM1", "--at", "far.example.com(1416)"];
    let as_mover = ["--by", "PASSWORD.SVRCONN", "--as", "mover", "--password-file", password];
    // A queue whose name is none is refused last: nothing of it stays.
    let refused = ferry.run(&[&at[..], &["--from", "THEIRS", "--to", "no queue"]].concat());
    assert_ne!(refused.code, 0);
    for display in ["DISPLAY QLOCAL(FAR)", "DISPLAY BRIDGE(*)", "DISPLAY PIPE(*)"] {
        assert_eq!(names(&ferry, display).iter().filter(|line| line.contains("FAR")).count(), 0, "{display}");
    }
    let added = ferry.run(&[&at[..], &as_mover, &["--from", "THEIRS", "--to", "OURS"]].concat());
    assert_eq!(added.code, 0, "{}", added.stderr);
    assert!(added.stdout.contains("RQMNAME(FAR)"), "{}", added.stdout);
    let said = ferry.run(&["bridge", "list", "-m", "QM1"]);
    assert_eq!(
        said.stdout,
        "FAR  FERRY at far.example.com(1416), TLS(REQUIRED)\n  FAR.IN  IN NORMAL, from THEIRS to OURS\n  \
         FAR.OUT  OUT NORMAL, from FAR to *\n"
    );
    let json = ferry.run(&["bridge", "list", "-m", "QM1", "-o", "json"]).stdout;
    assert!(json.contains("\"pipe\":\"FAR.OUT\"") && !json.contains("secret"), "{json}");
    // It is there already.
    let again = ferry.run(&at);
    assert_ne!(again.code, 0);
    let said = ferry.run(&["bridge", "list", "-m", "QM1"]);
    assert_eq!(said.stdout.lines().count(), 3, "{}", said.stdout);
}
