//! The transaction manager: what it asks of both queue managers, and the log of its decisions.
//!
//! Always: it commits what it wrote that it commits, and rolls back all else; it asks nobody what it decided.
//! It forgets a decision once neither queue manager knows the branch.

use std::collections::BTreeSet;

use mqi::branch::{BranchId, BranchPrepared, BranchRefusal};

use super::site::{Called, Site};

/// The calls for a transaction, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Call {
    StartFirst,
    Get,
    EndFirst,
    StartSecond,
    Put,
    EndSecond,
    PrepareFirst,
    PrepareSecond,
    /// The decision is written.
    Write,
    TellFirst,
    TellSecond,
}

const ORDER: [Call; 11] = [
    Call::StartFirst,
    Call::Get,
    Call::EndFirst,
    Call::StartSecond,
    Call::Put,
    Call::EndSecond,
    Call::PrepareFirst,
    Call::PrepareSecond,
    Call::Write,
    Call::TellFirst,
    Call::TellSecond,
];

/// Number of the calls.
pub(super) const STEPS: usize = ORDER.len();

/// A transaction, as the coordinator remembers it.
#[derive(Clone, Debug, Default)]
struct Transaction {
    /// Calls that were answered.
    done: usize,
    /// The message that it moves, once it has got one.
    message: Option<usize>,
    /// It is rolled back, whatever was meant.
    fails: bool,
    is_over: bool,
}

/// Facts that outlive a coordinator, for the judge alone.
#[derive(Clone, Debug, Default)]
struct Judged {
    /// Branches whose preparation was answered, by queue manager.
    prepared: [BTreeSet<usize>; 2],
    /// Branches whose preparation was asked for.
    asked: [BTreeSet<usize>; 2],
    /// Branches whose end was answered.
    ended: [BTreeSet<usize>; 2],
    /// Branches whose end was asked for.
    telling: [BTreeSet<usize>; 2],
}

pub(super) struct Coordinator {
    /// For each transaction, if it is meant to be committed.
    commits: Vec<bool>,
    transactions: Vec<Transaction>,
    /// The log of decisions: transactions that commit.
    log: BTreeSet<usize>,
    /// Entries of it that are not durable.
    unforced: BTreeSet<usize>,
    /// Transactions that were ever decided to commit, for the judge alone.
    decided: BTreeSet<usize>,
    judged: Judged,
}

/// The answer of a call that took effect.
pub(super) enum Progress {
    Done(usize, Called<Result<(), BranchRefusal>>),
    Prepared(usize, Called<Result<BranchPrepared, BranchRefusal>>),
    Got(Called<Option<usize>>),
    Put(Called<bool>),
    Written,
}

fn branch_of(transaction: usize, place: usize) -> BranchId {
    BranchId::new(7, &(transaction as u64).to_be_bytes(), &[place as u8]).expect("it is within bounds")
}

fn transaction_of(branch: &BranchId) -> Option<usize> {
    branch.global().try_into().ok().map(|bytes| u64::from_be_bytes(bytes) as usize)
}

impl Coordinator {
    pub(super) fn new(commits: Vec<bool>) -> Self {
        let count = commits.len();
        Self {
            commits,
            transactions: vec![Transaction::default(); count],
            log: BTreeSet::new(),
            unforced: BTreeSet::new(),
            decided: BTreeSet::new(),
            judged: Judged::default(),
        }
    }

    /// The transactions that may go on now: the first of those that are not over.
    pub(super) fn open(&self, at_once: usize) -> Vec<usize> {
        let open = self.transactions.iter().enumerate().filter(|(_, transaction)| !transaction.is_over);
        open.map(|(number, _)| number).take(at_once).collect()
    }

    /// Makes the next call of a transaction.
    pub(super) fn call(&mut self, number: usize, sites: &mut [Site; 2]) -> Progress {
        let transaction = &self.transactions[number];
        let commits = self.log.contains(&number);
        let call = ORDER[transaction.done];
        let (place, branch) = match call {
            Call::StartFirst | Call::Get | Call::EndFirst | Call::PrepareFirst | Call::TellFirst => {
                (0, branch_of(number, 0))
            }
            _ => (1, branch_of(number, 1)),
        };
        match call {
            Call::StartFirst | Call::StartSecond => {
                Progress::Done(place, sites[place].start(number, &branch))
            }
            Call::EndFirst | Call::EndSecond => Progress::Done(place, sites[place].end(number, &branch)),
            Call::Get => Progress::Got(sites[0].get_in_branch(number)),
            Call::Put => {
                let message = transaction.message.expect("one that got none does not go on");
                Progress::Put(sites[1].put_in_branch(number, message))
            }
            Call::PrepareFirst | Call::PrepareSecond => {
                self.judged.asked[place].insert(number);
                Progress::Prepared(place, sites[place].prepare(number, &branch))
            }
            Call::Write => {
                if self.commits[number] && !transaction.fails {
                    self.unforced.insert(number);
                }
                Progress::Written
            }
            Call::TellFirst | Call::TellSecond => {
                if !commits {
                    // Its thread may still be within.
                    let ended = sites[place].end(number, &branch);
                    let _ = sites[place].await_answer(ended);
                }
                self.judged.telling[place].insert(number);
                Progress::Done(place, sites[place].decide(number, &branch, commits))
            }
        }
    }

    /// All entries of the log become durable.
    pub(super) fn force(&mut self) {
        self.decided.extend(&self.unforced);
        self.log.append(&mut self.unforced);
    }

    /// Forgets the decisions about transactions that are over, of which neither list has a branch.
    pub(super) fn forget_absent(&mut self, lists: [&[BranchId]; 2]) {
        let listed: BTreeSet<usize> = lists.into_iter().flatten().filter_map(transaction_of).collect();
        let transactions = &self.transactions;
        self.log.retain(|number| listed.contains(number) || !transactions[*number].is_over);
    }

    /// Takes the answer of a call.
    pub(super) fn answered(
        &mut self,
        number: usize,
        progress: Progress,
        sites: &mut [Site; 2],
    ) -> Result<(), String> {
        let call = ORDER[self.transactions[number].done];
        let refused = match progress {
            Progress::Done(place, called) => {
                let answer = sites[place].await_answer(called);
                if matches!(call, Call::TellFirst | Call::TellSecond) {
                    self.told(number, place, answer)?;
                    false
                } else {
                    answer.is_err()
                }
            }
            Progress::Prepared(place, called) => match sites[place].await_answer(called) {
                Ok(BranchPrepared::Prepared) => {
                    self.judged.prepared[place].insert(number);
                    false
                }
                // It did nothing there, so it moves nothing.
                Ok(BranchPrepared::ReadOnly) | Err(_) => true,
            },
            Progress::Got(called) => {
                self.transactions[number].message = sites[0].await_answer(called);
                self.transactions[number].message.is_none()
            }
            Progress::Put(called) => !sites[1].await_answer(called),
            Progress::Written => {
                self.force();
                false
            }
        };
        if refused {
            self.fail(number, sites);
            return Ok(());
        }
        let transaction = &mut self.transactions[number];
        transaction.done += 1;
        transaction.is_over = transaction.done == STEPS;
        Ok(())
    }

    /// A transaction that cannot go on is rolled back at both.
    fn fail(&mut self, number: usize, sites: &mut [Site; 2]) {
        self.transactions[number].fails = true;
        for (place, site) in sites.iter_mut().enumerate() {
            let branch = branch_of(number, place);
            // The thread may be within: what it does there ends first.
            let ended = site.end(number, &branch);
            let _ = site.await_answer(ended);
            self.judged.telling[place].insert(number);
            let rolled_back = site.decide(number, &branch, false);
            let _ = site.await_answer(rolled_back);
            self.judged.ended[place].insert(number);
        }
        self.transactions[number].is_over = true;
    }

    /// The answer to a decision: done, or not known, which is what one is told that asks twice.
    fn told(&mut self, number: usize, place: usize, answer: Result<(), BranchRefusal>) -> Result<(), String> {
        self.judged.ended[place].insert(number);
        let commits = self.log.contains(&number);
        match answer {
            Ok(()) | Err(BranchRefusal::Unknown) => Ok(()),
            Err(BranchRefusal::RolledBack(_)) if !commits => Ok(()),
            Err(refusal) => Err(format!("transaction {number} at {place}, committed {commits}: {refusal}")),
        }
    }

    /// It stops, and starts again with what is durable of its log.
    pub(super) fn stop(&mut self) {
        self.unforced.clear();
        self.give_up();
    }

    /// Its connections to a queue manager are lost, and it goes on.
    pub(super) fn lose_one(&mut self) {
        self.force();
        self.give_up();
    }

    /// Tells decisions again, and rolls the other transactions back.
    fn give_up(&mut self) {
        for (number, transaction) in self.transactions.iter_mut().enumerate() {
            if transaction.is_over || transaction.done == 0 {
                continue;
            }
            transaction.fails |= !self.log.contains(&number);
            let tell = ORDER.iter().position(|call| *call == Call::TellFirst).expect("it is there");
            transaction.done = tell;
        }
    }

    /// Decides a branch that a recovery found.
    pub(super) fn decide_found(
        &mut self,
        place: usize,
        branch: &BranchId,
        site: &mut Site,
    ) -> Result<(), String> {
        let number = transaction_of(branch).ok_or_else(|| format!("{branch} is nobody's"))?;
        // One that is still under way is not for a recovery.
        let is_under_way = !self.transactions[number].is_over && !self.transactions[number].fails;
        if is_under_way && !self.log.contains(&number) {
            return Ok(());
        }
        self.judged.telling[place].insert(number);
        let told = site.decide(number, branch, self.log.contains(&number));
        let answer = site.await_answer(told);
        self.told(number, place, answer)
    }

    /// Judges the list of a queue manager that has just started.
    pub(super) fn judge_list(&self, place: usize, listed: &[BranchId]) -> Vec<String> {
        let listed: BTreeSet<usize> = listed.iter().filter_map(transaction_of).collect();
        let Judged { prepared, asked, ended, telling } = &self.judged;
        let must = prepared[place].difference(&telling[place]);
        let missing: Vec<_> = must.filter(|number| !listed.contains(number)).collect();
        let beyond: Vec<_> = listed
            .iter()
            .filter(|number| !asked[place].contains(number) || ended[place].contains(number))
            .collect();
        let mut problems = Vec::new();
        if !missing.is_empty() {
            problems.push(format!("queue manager {place} lists not {missing:?}, which are prepared"));
        }
        if !beyond.is_empty() {
            problems.push(format!(
                "queue manager {place} lists {beyond:?}, which are not prepared or have ended"
            ));
        }
        problems
    }

    /// For each message, if it was moved: the transaction that got it commits.
    pub(super) fn outcomes(&self) -> Vec<bool> {
        let mut moved = vec![false; self.commits.len()];
        for number in &self.decided {
            if let Some(message) = self.transactions[*number].message {
                moved[message] = true;
            }
        }
        moved
    }
}
