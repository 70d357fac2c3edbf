//! Names of objects completed in a shell.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::support::Ferry;

/// The replies of bash to a key at the end of these words.
fn replies(ferry: &Ferry, words: &[&str]) -> Vec<String> {
    let script = r#"
        eval "$("$1" completions bash)"
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _ferry_or_names "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let mut command = Command::new("bash");
    command.args(["-c", script, "bash", env!("CARGO_BIN_EXE_ferry")]).args(words);
    command.env("FERRY_DATA", ferry.data()).env_remove("FERRY_CONNECT").env_remove("FERRY_QMGR");
    let output = command.output().expect("bash runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_names_of_queues_channels_topics_and_queue_managers() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0"]);
    let _server = ferry.start(&["qmgr", "start", "QM1"]);
    let objects = "DEFINE QLOCAL(ORDERS); DEFINE QLOCAL(ORDERS.OLD); DEFINE QALIAS(OTHER) TARGET(ORDERS); \
        DEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR)";
    ferry.ok(&["mqsc", "-e", &objects.replace('\\', "")]);
    ferry.ok(&["pub", "price/tin", "12", "--retain"]);
    assert_eq!(replies(&ferry, &["put", "ORD"]), ["ORDERS", "ORDERS.OLD"]);
    assert_eq!(replies(&ferry, &["get", "ord"]), ["ORDERS", "ORDERS.OLD"], "small letters find capitals");
    assert_eq!(replies(&ferry, &["get", ""]), ["ORDERS", "ORDERS.OLD", "OTHER"], "none of the system's");
    assert_eq!(replies(&ferry, &["browse", "SYSTEM.DEAD"]), ["SYSTEM.DEAD.LETTER.QUEUE"]);
    assert_eq!(replies(&ferry, &["move", "ORDERS", "OTH"]), ["OTHER"]);
    assert_eq!(replies(&ferry, &["channel", "stop", "TO"]), ["TO.QM2"]);
    assert_eq!(replies(&ferry, &["sub", "price/"]), ["price/tin"]);
    assert_eq!(replies(&ferry, &["get", "-m", "Q"]), ["QM1"]);
    assert_eq!(replies(&ferry, &["qmgr", "delete", "Q"]), ["QM1"]);
    // Commands and options are completed as ever.
    assert!(replies(&ferry, &["brow"]).contains(&"browse".to_owned()));
    assert!(replies(&ferry, &["put", "--per"]).contains(&"--persistent".to_owned()));
}

#[test]
fn a_queue_manager_that_is_not_there_has_no_names_and_keeps_nobody_waiting() {
    let ferry = Ferry::new();
    let silent = |words: &[&str]| {
        let began = Instant::now();
        let said = ferry.run(&[&["names", "--"], words].concat());
        assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, "", ""), "{words:?}");
        assert!(began.elapsed() < Duration::from_secs(10), "{words:?} took {:?}", began.elapsed());
    };
    silent(&["put", "ORD"]);
    silent(&["put", "--connect", "192.0.2.1:1414", "ORD"]);
    silent(&["put", "--connect", "no address", "ORD"]);
    silent(&["--user", "somebody", "put", "ORD"]);
    silent(&["put", "'x\u{1b}[2J"]);
    silent(&[]);
}

#[test]
fn scripts_of_zsh_and_fish_ask_for_names_too() {
    let ferry = Ferry::new();
    let zsh = ferry.ok(&["completions", "zsh"]);
    assert!(zsh.starts_with("#compdef ferry\n") && zsh.contains("ferry names -- "), "{}", &zsh[..300]);
    assert!(zsh.contains(":_ferry_names' \\\n") && !zsh.contains(":_default'"));
    assert!(ferry.ok(&["completions", "fish"]).contains("complete -c ferry -a '(ferry names -- "));
}

/// The screen of `ferry mqsc` on a terminal at which these keys are pressed, up to some text.
fn screen(ferry: &Ferry, keys: &str, up_to: &str) -> String {
    let run = format!("stty cols 120 rows 40; exec {} mqsc", env!("CARGO_BIN_EXE_ferry"));
    let mut command = Command::new("script");
    command.args(["-qec", &run, "/dev/null"]).current_dir(ferry.data()).env("FERRY_DATA", ferry.data());
    command.env_remove("FERRY_CONNECT").env_remove("FERRY_QMGR").env("XDG_STATE_HOME", ferry.data());
    let mut terminal = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("script runs");
    let (mut input, mut output) = (terminal.stdin.take().unwrap(), terminal.stdout.take().unwrap());
    let (sender, pieces) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(1..) =
            output.read(&mut bytes).inspect(|read| sender.send(bytes[..*read].to_vec()).unwrap_or(()))
        {
        }
    });
    let (mut seen, mut answered, mut is_typed) = (String::new(), 0, false);
    while !seen.contains(up_to) {
        let piece = pieces.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| panic!("{seen:?}"));
        seen.push_str(&String::from_utf8_lossy(&piece));
        // A terminal answers where its cursor is; the editor waits for that before it reads keys.
        let asked = seen.matches("\x1b[6n").count();
        (answered..asked).for_each(|_| input.write_all(b"\x1b[1;1R").unwrap());
        answered = asked;
        if !is_typed && answered > 0 {
            input.write_all(keys.as_bytes()).unwrap();
            is_typed = true;
        }
    }
    drop(input);
    terminal.wait().unwrap();
    seen
}

#[test]
fn tab_completes_names_in_the_shell_of_mqsc() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(ORDERS.PAID) DESCR('found by Tab')"]);
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL('small.letters') DESCR('in quotes')"]);
    screen(&ferry, "DISPLAY QLOCAL(ORD\t) DESCR\r\x04", "DESCR(found by Tab)");
    screen(&ferry, "DISPLAY QLOCAL(small\t) DESCR\r\x04", "DESCR(in quotes)");
}
