//! The table of states of the X/Open XA specification, written a second time, and the engine against it.
//!
//! Each state of two threads of work and two branches that calls lead to is reached by a shortest row of
//! calls, breadth first, and every call is made there once more.

use std::collections::{BTreeSet, VecDeque};

use mqi::branch::{BranchCommit, BranchEnd, BranchId, BranchPrepared, BranchRefusal, BranchStart};

use crate::support::*;

/// Longest row of calls.
const DEPTH: usize = 8;
const OK: i32 = 0;
const RDONLY: i32 = 3;
const NOTA: i32 = -4;
const PROTO: i32 = -6;
const DUPID: i32 = -8;
const RBROLLBACK: i32 = 100;
const RBCOMMFAIL: i32 = 101;
/// Any of XA_RB*: the one for which the branch is in S4.
const RB: i32 = 99;
/// Any of XA_HEUR*: as the person decided.
const HEUR: i32 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Call {
    Start,
    Join,
    Resume,
    Success,
    Fail,
    Suspend,
    Migrate,
    Prepare,
    CommitOnePhase,
    Commit,
    BackOut,
    Forget,
    /// A message is put in the branch.
    Work,
    /// The connection of the thread ends, and another takes its place.
    Lose,
    /// A person decides.
    CommitByHand,
    BackOutByHand,
}

const CALLS: [Call; 16] = {
    use Call::*;
    [
        Start,
        Join,
        Resume,
        Success,
        Fail,
        Suspend,
        Migrate,
        Prepare,
        CommitOnePhase,
        Commit,
        BackOut,
        Forget,
        Work,
        Lose,
        CommitByHand,
        BackOutByHand,
    ]
};

/// The states of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum S {
    None,
    Active,
    Idle,
    Prepared,
    MustRollBack,
    ByHand,
}

/// The answers of the table, for a thread whose association allows the call: rows as in the specification,
/// columns as the states in their order.
#[rustfmt::skip]
const ANSWERS: [(Call, [i32; 6]); 12] = [
    //                      none   S1     S2     S3     S4     S5
    (Call::Start,          [OK,    DUPID, DUPID, DUPID, DUPID, DUPID]),
    (Call::Join,           [NOTA,  OK,    OK,    PROTO, RB,    PROTO]),
    (Call::Resume,         [NOTA,  OK,    OK,    PROTO, RB,    PROTO]),
    (Call::Success,        [NOTA,  OK,    OK,    PROTO, RB,    PROTO]),
    (Call::Fail,           [NOTA,  RBROLLBACK, RBROLLBACK, PROTO, RB, PROTO]),
    (Call::Suspend,        [NOTA,  OK,    PROTO, PROTO, RB,    PROTO]),
    (Call::Migrate,        [NOTA,  OK,    PROTO, PROTO, RB,    PROTO]),
    (Call::Prepare,        [NOTA,  PROTO, OK,    PROTO, RB,    PROTO]),
    (Call::CommitOnePhase, [NOTA,  PROTO, OK,    PROTO, RB,    HEUR]),
    (Call::Commit,         [NOTA,  PROTO, PROTO, OK,    PROTO, HEUR]),
    (Call::BackOut,        [NOTA,  PROTO, OK,    OK,    RB,    HEUR]),
    (Call::Forget,         [NOTA,  PROTO, PROTO, PROTO, PROTO, OK]),
];

/// A branch as the model has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Branch {
    state: S,
    /// Told apart from an earlier one of this identifier.
    life: u8,
    migrating: u8,
    has_worked: bool,
    /// The answer for S4 and S5.
    told: i32,
}

/// A thread of work as the model has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Thread {
    Free,
    Active {
        branch: usize,
        life: u8,
    },
    Suspended {
        branch: usize,
        life: u8,
    },
    /// Works in a branch that is over, which must have been rolled back.
    Left {
        branch: usize,
        told: i32,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Model {
    branches: [Branch; 2],
    threads: [Thread; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    call: Call,
    thread: usize,
    branch: usize,
}

impl Model {
    fn new() -> Self {
        let none = Branch { state: S::None, life: 0, migrating: 0, has_worked: false, told: 0 };
        Self { branches: [none; 2], threads: [Thread::Free; 2] }
    }

    fn actives(&self, branch: usize) -> usize {
        let life = self.branches[branch].life;
        self.threads.iter().filter(|thread| **thread == Thread::Active { branch, life }).count()
    }

    fn suspended(&self, branch: usize) -> usize {
        let life = self.branches[branch].life;
        let own = self.threads.iter().filter(|thread| **thread == Thread::Suspended { branch, life }).count();
        own + usize::from(self.branches[branch].migrating)
    }

    /// S1 and S2 follow from who works in it.
    fn settle(&mut self, branch: usize) {
        let is_active = self.actives(branch) > 0;
        let state = &mut self.branches[branch].state;
        if matches!(state, S::Active | S::Idle) {
            *state = if is_active { S::Active } else { S::Idle };
        }
    }

    fn must_roll_back(&mut self, branch: usize, told: i32) {
        self.branches[branch].state = S::MustRollBack;
        self.branches[branch].told = told;
    }

    /// The branch is over. Threads that suspended their work in it are free, and those that work in it are
    /// told.
    fn over(&mut self, branch: usize) {
        let Branch { life, told, .. } = self.branches[branch];
        for thread in &mut self.threads {
            if *thread == (Thread::Suspended { branch, life }) {
                *thread = Thread::Free;
            } else if *thread == (Thread::Active { branch, life }) {
                *thread = Thread::Left { branch, told };
            }
        }
        self.branches[branch] =
            Branch { state: S::None, life: life + 1, migrating: 0, has_worked: false, told: 0 };
    }

    /// Makes a step; the answer that the engine must give, or none where it is not to be made.
    fn step(&mut self, Step { call, thread, branch }: Step) -> Option<i32> {
        let Branch { state, life, told, .. } = self.branches[branch];
        let own = self.threads[thread];
        let listed = ANSWERS.iter().find(|(one, _)| *one == call).map(|(_, answers)| answers[state as usize]);
        let listed = listed.map(|answer| if matches!(answer, RB | HEUR) { told } else { answer });
        let answer = match call {
            Call::Work => {
                if own != (Thread::Active { branch, life }) || state != S::Active {
                    return None;
                }
                self.branches[branch].has_worked = true;
                return Some(OK);
            }
            Call::Lose => {
                if branch != 0 {
                    return None;
                }
                self.threads[thread] = Thread::Free;
                if let Thread::Active { branch, .. } = own
                    && self.branches[branch].state == S::Active
                {
                    self.must_roll_back(branch, RBCOMMFAIL);
                }
                (0..2).for_each(|branch| self.settle(branch));
                return Some(OK);
            }
            Call::CommitByHand | Call::BackOutByHand => {
                if state != S::Prepared || thread != 0 {
                    return None;
                }
                self.branches[branch].state = S::ByHand;
                self.branches[branch].told = if call == Call::CommitByHand { 7 } else { 6 };
                return Some(OK);
            }
            Call::Start | Call::Join | Call::Resume => {
                let comes_back = own == (Thread::Suspended { branch, life });
                match own {
                    Thread::Free => {}
                    Thread::Suspended { .. } if comes_back && call == Call::Resume => {}
                    _ => return Some(PROTO),
                }
                let listed = listed?;
                if listed != OK {
                    return Some(listed);
                }
                if call == Call::Resume && !comes_back {
                    if self.branches[branch].migrating == 0 {
                        return Some(PROTO);
                    }
                    self.branches[branch].migrating -= 1;
                }
                self.branches[branch].state = S::Active;
                self.threads[thread] = Thread::Active { branch, life };
                OK
            }
            Call::Success | Call::Fail | Call::Suspend | Call::Migrate => {
                let is_suspended = own == (Thread::Suspended { branch, life });
                match own {
                    Thread::Left { branch: left, told } if left == branch => {
                        self.threads[thread] = Thread::Free;
                        return Some(told);
                    }
                    Thread::Active { branch: within, .. } if within == branch => {}
                    Thread::Suspended { .. } if is_suspended => {}
                    _ => return Some(if state == S::None { NOTA } else { PROTO }),
                }
                // A suspended thread is in S2 also while another works in the branch.
                let suspends = matches!(call, Call::Suspend | Call::Migrate);
                if is_suspended && suspends && state != S::MustRollBack {
                    return Some(PROTO);
                }
                self.threads[thread] = match call {
                    Call::Suspend if state != S::MustRollBack => Thread::Suspended { branch, life },
                    _ => Thread::Free,
                };
                if state == S::MustRollBack {
                    return Some(told);
                }
                if call == Call::Migrate {
                    self.branches[branch].migrating += 1;
                }
                if call == Call::Fail {
                    self.must_roll_back(branch, RBROLLBACK);
                    return Some(RBROLLBACK);
                }
                self.settle(branch);
                OK
            }
            Call::Prepare | Call::CommitOnePhase if state == S::Idle && self.suspended(branch) > 0 => PROTO,
            Call::Prepare if state == S::Idle => {
                if self.branches[branch].has_worked {
                    self.branches[branch].state = S::Prepared;
                    OK
                } else {
                    self.over(branch);
                    RDONLY
                }
            }
            Call::Prepare | Call::CommitOnePhase | Call::Commit | Call::BackOut | Call::Forget => {
                let listed = listed?;
                let ends = listed == OK || state == S::MustRollBack && listed == told;
                if ends {
                    self.over(branch);
                }
                listed
            }
        };
        Some(answer)
    }
}

/// The engine, with branches of identifiers that no earlier row of calls used.
struct Real<'a> {
    bench: &'a Bench,
    threads: Vec<Session>,
    ids: [BranchId; 2],
}

impl<'a> Real<'a> {
    fn new(bench: &'a Bench, row: u32) -> Self {
        let id = |number: u8| BranchId::new(1, &row.to_be_bytes(), &[number]).unwrap();
        Self { bench, threads: vec![bench.connect(), bench.connect()], ids: [id(0), id(1)] }
    }

    fn step(&mut self, Step { call, thread, branch }: Step) -> i32 {
        let id = self.ids[branch];
        let session = &mut self.threads[thread];
        let code = |answer: Result<(), BranchRefusal>| answer.map_or_else(BranchRefusal::code, |()| OK);
        match call {
            Call::Start => code(session.start(&id, BranchStart::New)),
            Call::Join => code(session.start(&id, BranchStart::Join)),
            Call::Resume => code(session.start(&id, BranchStart::Resume)),
            Call::Success => code(session.end(&id, BranchEnd::Success)),
            Call::Fail => code(session.end(&id, BranchEnd::Fail)),
            Call::Suspend => code(session.end(&id, BranchEnd::Suspend)),
            Call::Migrate => code(session.end(&id, BranchEnd::Migrate)),
            Call::Prepare => match session.prepare(&id) {
                Ok(BranchPrepared::Prepared) => OK,
                Ok(BranchPrepared::ReadOnly) => RDONLY,
                Err(refusal) => refusal.code(),
            },
            Call::CommitOnePhase => code(session.commit_branch(&id, BranchCommit::OnePhase)),
            Call::Commit => code(session.commit_branch(&id, BranchCommit::TwoPhase)),
            Call::BackOut => code(session.roll_back(&id)),
            Call::Forget => code(session.forget(&id)),
            Call::Work => {
                let queue = session.open("Q", OUTPUT);
                session.put_within(queue, false, "in it");
                OK
            }
            Call::Lose => {
                *session = self.bench.connect();
                OK
            }
            Call::CommitByHand | Call::BackOutByHand => self.decide(&id, call),
        }
    }

    fn decide(&self, id: &BranchId, call: Call) -> i32 {
        let shown = self.bench.told("DISPLAY CONN(*) TYPE(CONN) ALL WHERE(UOWSTATE EQ PREPARED)");
        let of_branch = shown.split("CONN(").find(|one| one.contains(&id.to_string())).expect("it is shown");
        let number = of_branch.split("QMURID(").nth(1).and_then(|rest| rest.split(')').next()).unwrap();
        let decision = if call == Call::CommitByHand { "COMMIT" } else { "BACKOUT" };
        self.bench.mqsc(&format!("RESOLVE INDOUBT('{number}') ACTION({decision})"));
        OK
    }

    /// Ends what is left, so that the next row finds nothing.
    fn end(mut self) {
        self.threads.clear();
        let mut last = self.bench.connect();
        for id in self.ids {
            let _ = last.roll_back(&id);
            let _ = last.forget(&id);
        }
        let listed = last.recover(&super::list(10));
        assert_eq!(listed, [], "nothing is left");
    }
}

#[test]
fn every_state_of_two_threads_and_two_branches_answers_every_call_as_the_table_says() {
    let bench = super::bench();
    let steps: Vec<Step> = CALLS
        .iter()
        .flat_map(|call| (0..4).map(|place| Step { call: *call, thread: place / 2, branch: place % 2 }))
        .collect();
    let mut seen = BTreeSet::from([Model::new()]);
    let mut ahead = VecDeque::from([(Model::new(), Vec::<Step>::new())]);
    let mut row = 0;
    let mut made = 0;
    while let Some((model, path)) = ahead.pop_front() {
        for step in &steps {
            let mut next = model.clone();
            let Some(expected) = next.step(*step) else { continue };
            row += 1;
            let mut real = Real::new(&bench, row);
            for before in &path {
                real.step(*before);
            }
            assert_eq!(real.step(*step), expected, "{step:?} in {model:?} after {path:?}");
            real.end();
            made += 1;
            // The log is not large: a checkpoint gives it back.
            if made % 64 == 0 {
                bench.keep_house();
            }
            // Lives tell threads apart that were left behind, and nothing else.
            let lives_are_few = next.branches.iter().all(|branch| branch.life < 2);
            if path.len() + 1 < DEPTH && lives_are_few && seen.insert(next.clone()) {
                ahead.push_back((next, [&path[..], &[*step]].concat()));
            }
        }
    }
    assert!(seen.len() > 500, "{} states, {made} calls", seen.len());
    eprintln!("{} states, {made} calls", seen.len());
}
