//! Copies of the messages that a prepared branch has got.

use mqi::branch::{BranchCommit, BranchEnd, BranchStart};
use queue_manager::{Get, PreparedAsk, WaitToken};

use super::*;

/// The token of the waits for copies, which no get of the test has.
const TOKEN: u64 = u64::MAX;

impl Session {
    fn copy_within(&mut self, branch: &BranchId, place: u32, bytes_max: usize) -> Result<String, Reason> {
        let ask = PreparedAsk { branch, place, bytes_max, token: WaitToken(TOKEN) };
        match self.connection.branches().prepared_message(ask) {
            Get::Done(outcome) => open(&self.manager, outcome).map(|got| {
                let body = text(&got);
                if got.warning.is_some() { format!("{body} and more") } else { body }
            }),
            Get::Waiting => loop {
                while let Some(job) = self.manager.take_job() {
                    job.run();
                }
                if let Some(outcome) = self.outcome(TOKEN) {
                    return outcome;
                }
            },
        }
    }

    fn copy(&mut self, branch: &BranchId, place: u32) -> Result<String, Reason> {
        self.copy_within(branch, place, 1 << 20)
    }

    fn copies(&mut self, branch: &BranchId) -> Vec<String> {
        (0..).map_while(|place| self.copy(branch, place).ok()).collect()
    }
}

#[test]
fn a_prepared_branch_gives_copies_of_what_it_got_in_order_over_restarts() {
    let bench = bench();
    bench.mqsc("DEFINE QLOCAL(P)");
    let mut one = bench.connect();
    let (first, second) = (one.open("Q", INPUT | OUTPUT), one.open("P", INPUT | OUTPUT));
    for (queue, bodies) in [(first, ["q1", "q2", "q3"]), (second, ["p1", "p2", "p3"])] {
        bodies.iter().for_each(|body| drop(one.put(queue, true, body)));
    }
    one.start(&branch(1), BranchStart::New).unwrap();
    for queue in [second, first, second, first] {
        one.put_within(queue, true, "put in it");
        one.get_within(queue).unwrap();
    }
    assert_eq!(one.copy(&branch(1), 0), Err(Reason::UOW_IN_PROGRESS), "it is not prepared yet");
    one.end(&branch(1), BranchEnd::Success).unwrap();
    one.prepare(&branch(1)).unwrap();
    let got = ["q1", "q2", "p1", "p2"];
    assert_eq!(one.copies(&branch(1)), got);
    assert_eq!(one.copies(&branch(1)), got, "they stay");
    assert_eq!(one.copy(&branch(1), 4), Err(Reason::NO_MSG_AVAILABLE));
    assert_eq!(one.copy_within(&branch(1), 2, 1), Ok("p and more".to_owned()));
    assert_eq!(one.copy(&branch(2), 0), Err(Reason::UOW_NOT_AVAILABLE));
    let depth = |bench: &Bench| bench.depth("Q") + bench.depth("P");
    let depth_before = depth(&bench);
    let mut bench = bench;
    for checkpoints in [false, true] {
        if checkpoints {
            bench.mqsc("DEFINE QLOCAL(Z)");
            bench.pass(Duration::from_secs(61));
            bench.keep_house();
        }
        bench = bench.crash(Survival::Nothing);
        let mut two = bench.connect();
        assert_eq!(two.copies(&branch(1)), got, "after a checkpoint: {checkpoints}");
        assert_eq!(depth(&bench), depth_before, "nothing is taken or given back");
    }
    let mut two = bench.connect();
    two.roll_back(&branch(1)).unwrap();
    assert_eq!(two.copy(&branch(1), 0), Err(Reason::UOW_NOT_AVAILABLE));
    let queue = two.open("Q", INPUT);
    assert_eq!(two.get(queue).as_deref(), Ok("q1"));
}

#[test]
fn messages_of_a_branch_are_copied_for_its_user_and_administrators_alone() {
    let bench = bench();
    for user in ["eve", "ada"] {
        bench.mqsc(&format!("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('{user}') AUTHADD(CONNECT)"));
        bench.mqsc(&format!("SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('{user}') AUTHADD(PUT, GET)"));
    }
    let (mut eve, mut ada) = (bench.connect_user("eve"), bench.connect_user("ada"));
    let queue = ada.open("Q", INPUT | OUTPUT);
    ada.put(queue, true, "of ada");
    ada.start(&branch(1), BranchStart::New).unwrap();
    ada.get_within(queue).unwrap();
    ada.end(&branch(1), BranchEnd::Success).unwrap();
    assert_eq!(eve.copy(&branch(1), 0), Err(Reason::UOW_NOT_AVAILABLE));
    ada.prepare(&branch(1)).unwrap();
    assert_eq!(eve.copy(&branch(1), 0), Err(Reason::UOW_NOT_AVAILABLE));
    assert_eq!(ada.copy(&branch(1), 0).as_deref(), Ok("of ada"));
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHADD(CHG, DSP)");
    assert_eq!(eve.copy(&branch(1), 0).as_deref(), Ok("of ada"));
    ada.commit_branch(&branch(1), BranchCommit::TwoPhase).unwrap();
    assert_eq!(ada.copy(&branch(1), 0), Err(Reason::UOW_NOT_AVAILABLE));
}
