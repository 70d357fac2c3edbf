//! The clients of one process: a thread for each, begun together and ended together.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::JoinHandle;

use anyhow::{Error, Result};
use mqi::ObjectName;
use serde::{Deserialize, Serialize};

use super::RequestReplyWorkload;
use super::client::{Account, Plan, Requester, Responder};
use crate::access::{self, Access};
use crate::run::{Shared, spawn};

/// The clients of a process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Share {
    /// Numbers of its requesters, which no other requester has.
    pub(super) requesters: Vec<u32>,
    /// Numbers of its responders, which no other responder has.
    pub(super) responders: Vec<u32>,
}

impl Share {
    /// Deals clients out to the processes of a workload, in turn. Where its requesters are clients of several
    /// threads, responders have the last process for themselves.
    pub(super) fn deal(workload: &RequestReplyWorkload) -> Vec<Self> {
        let RequestReplyWorkload { requesters, responders, processes, clients, .. } = *workload;
        let (asking, answering) = clients.map_or((processes, processes), |clients| (clients, 1));
        let mut shares = vec![Self::default(); processes];
        for number in 0..requesters {
            shares[number % asking].requesters.push(number as u32);
        }
        for number in 0..responders {
            // From the other end, so that few clients of each kind meet in as few processes as possible.
            shares[processes - 1 - number % answering].responders.push(number as u32);
        }
        shares
    }
}

/// Clients at work.
pub(super) struct Crew {
    requesters: Vec<JoinHandle<Result<Account>>>,
    responders: Vec<JoinHandle<Result<u64>>>,
    connected: Arc<Barrier>,
    begin: Arc<Barrier>,
    /// Set when the last reply of all has come.
    responders_end: Arc<AtomicBool>,
}

impl Crew {
    /// Connects these clients; they wait until they are told to begin.
    pub(super) fn start(
        access: &Arc<dyn Access>,
        plan: &Arc<Plan>,
        shared: &Arc<Shared>,
        share: &Share,
        replies: &[ObjectName],
    ) -> Result<Self> {
        let clients = share.requesters.len() + share.responders.len();
        let barrier = || Arc::new(Barrier::new(clients + 1));
        let mut crew = Self {
            requesters: Vec::new(),
            responders: Vec::new(),
            connected: barrier(),
            begin: barrier(),
            responders_end: Arc::new(AtomicBool::new(false)),
        };
        for number in share.responders.iter().copied() {
            let (access, plan, shared) = (access::of_other_half(access), plan.clone(), shared.clone());
            let (connected, begin) = (crew.connected.clone(), crew.begin.clone());
            let end = crew.responders_end.clone();
            crew.responders.push(spawn(format!("responder {number}"), move || {
                let responder = Responder::connect(&*access, &plan, number);
                connected.wait();
                begin.wait();
                shared.watch(responder.and_then(|responder| responder.run(&plan, &shared, &end)))
            })?);
        }
        for number in &share.requesters {
            let (access, plan, shared) = (access.clone(), plan.clone(), shared.clone());
            let (connected, begin) = (crew.connected.clone(), crew.begin.clone());
            let (number, reply) = (*number, replies[*number as usize % replies.len()]);
            crew.requesters.push(spawn(format!("requester {number}"), move || {
                let requester = Requester::connect(&*access, &plan, number, reply);
                connected.wait();
                begin.wait();
                shared.watch(requester.and_then(|requester| requester.run(&plan, &shared)))
            })?);
        }
        Ok(crew)
    }

    /// Waits until all are connected, or know that they cannot be.
    pub(super) fn wait_connected(&self) {
        self.connected.wait();
    }

    /// Lets them begin.
    pub(super) fn begin(&self) {
        self.begin.wait();
    }

    /// Returns the account of the requesters, when they are done.
    pub(super) fn requesters(&mut self, failures: &mut Vec<Error>) -> Account {
        let mut all = Account::default();
        for requester in self.requesters.drain(..) {
            match requester.join().expect("a requester does not panic") {
                Ok(account) => all.join(&account),
                Err(error) => failures.push(error),
            }
        }
        all
    }

    /// Ends the responders, who have nothing left to answer; how many requests they answered.
    pub(super) fn responders(&mut self, failures: &mut Vec<Error>) -> u64 {
        self.responders_end.store(true, Ordering::Relaxed);
        let mut answered = 0;
        for responder in self.responders.drain(..) {
            match responder.join().expect("a responder does not panic") {
                Ok(count) => answered += count,
                Err(error) => failures.push(error),
            }
        }
        answered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workload(
        requesters: usize,
        responders: usize,
        processes: usize,
        clients: Option<usize>,
    ) -> RequestReplyWorkload {
        RequestReplyWorkload {
            requesters,
            responders,
            processes,
            clients,
            ..RequestReplyWorkload::of_one_pair()
        }
    }

    #[test]
    fn clients_of_several_threads_are_a_process_each_and_responders_another() {
        let shares = Share::deal(&workload(6, 2, 4, Some(3)));
        let threads: Vec<Vec<u32>> = shares.iter().map(|share| share.requesters.clone()).collect();
        assert_eq!(threads, [vec![0, 3], vec![1, 4], vec![2, 5], vec![]]);
        assert_eq!(shares[3].responders, [0, 1]);
        assert!(shares[..3].iter().all(|share| share.responders.is_empty()));
    }

    #[test]
    fn every_client_is_in_one_process() {
        let shares = Share::deal(&workload(5, 2, 3, None));
        let mut numbers: Vec<u32> = shares.iter().flat_map(|share| share.requesters.clone()).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 1, 2, 3, 4]);
        let mut answering: Vec<u32> = shares.iter().flat_map(|share| share.responders.clone()).collect();
        answering.sort_unstable();
        assert_eq!(answering, [0, 1]);
        assert_eq!(shares[0].requesters, [0, 3]);
    }
}
