//! `ferry bridge add` and `ferry bridge run`.

use mqi::OpenOptions;

use crate::installation::{Bridge, Installation, PATIENCE, get, open, put};

#[test]
fn a_bridge_that_ferry_adds_and_runs_moves_messages() {
    let (left, right) = (Installation::new("LEFT"), Installation::new("RIGHT"));
    right.define(&["DEFINE QLOCAL(IN)", "DEFINE QLOCAL(LEAVING)"]);
    left.define(&["DEFINE QLOCAL(ARRIVED)", "DEFINE QREMOTE(THERE) RNAME(IN) RQMNAME(K1)"]);
    let at = format!("127.0.0.1({})", right.port);
    let inward = ["--no-tls", "--from", "LEAVING", "--to", "ARRIVED"];
    left.run(&[&["bridge", "add", "K1", "-m", "LEFT", "--at", &at], &inward[..]].concat());
    let _bridge = Bridge::of(&mut left.command(&["bridge", "run", "-m", "LEFT"]));
    let (mut here, mut there) = (left.connect(), right.connect());
    let to = open(&mut here, "THERE", OpenOptions::OUTPUT);
    put(&mut here, to, b"out").unwrap();
    let from = open(&mut there, "IN", OpenOptions::INPUT_SHARED);
    assert_eq!(get(&mut there, from, PATIENCE).expect("it arrives").1, b"out");
    let to = open(&mut there, "LEAVING", OpenOptions::OUTPUT);
    put(&mut there, to, b"in").unwrap();
    let from = open(&mut here, "ARRIVED", OpenOptions::INPUT_SHARED);
    assert_eq!(get(&mut here, from, PATIENCE).expect("it arrives").1, b"in");
}
