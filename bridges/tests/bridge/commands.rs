//! `ferry bridge add` and `ferry bridge run`.

use crate::installation::{Bridge, Installation, passes};

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
    passes(&mut here, "THERE", &mut there, "IN", b"out");
    passes(&mut there, "LEAVING", &mut here, "ARRIVED", b"in");
}
