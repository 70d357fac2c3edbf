//! Accounting messages: what one connection did, and what it did with each queue.

use mqi::constants::*;
use objects::Moment;
use objects::pcf::{Content, Parameter};
use platform::Monotonic;
use queues::counters::account::{Figures, Sizes};
use queues::counters::collecting::Noted;
use queues::counters::{
    BROWSE_BYTES, BROWSES, BROWSES_FAILED, GET_BYTES, GETS, GETS_FAILED, PUT_BYTES, PUT1S, PUT1S_FAILED,
    PUTS, PUTS_FAILED,
};
use queues::ground::place::connection_name;
use queues::ground::time::moment;
use queues::queue::party::Party;

use super::Accounts;
use super::statistics::{Telling, calls, date, number, numbers, numbers_64, time, total};
use crate::directory::{Directory, connection_identifier};

const ACCOUNTING: &str = "SYSTEM.ADMIN.ACCOUNTING.QUEUE";

/// Manner in which a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parted {
    /// By MQDISC.
    Disconnected,
    /// Without.
    Vanished,
    /// By the queue manager.
    Ended,
}

impl Parted {
    const fn code(self) -> i32 {
        match self {
            Self::Disconnected => MQDISCONNECT_NORMAL,
            Self::Vanished => MQDISCONNECT_IMPLICIT,
            Self::Ended => MQDISCONNECT_Q_MGR,
        }
    }

    /// The event that is counted.
    pub(crate) const fn noted(self) -> Noted {
        match self {
            Self::Disconnected => Noted::Disconnected,
            Self::Vanished => Noted::Vanished,
            Self::Ended => Noted::Ended,
        }
    }
}

/// A connection, as its accounting messages tell of it.
pub(crate) struct Accounted<'a> {
    pub(crate) accounts: &'a Accounts,
    pub(crate) party: &'a Party,
    /// The user whose rights count.
    pub(crate) user: &'a str,
    pub(crate) address: &'a str,
    pub(crate) process: u32,
}

impl Directory {
    /// Reports the use of a connection since the last report, as far as it is wanted; nothing once it was
    /// reported to be over.
    pub(crate) fn tell_accounting(&self, of: &Accounted<'_>, now: Monotonic, parted: Option<Parted>) {
        let accounts = of.accounts;
        let ended = moment(self.ground().world.clock.wall());
        let mut state = accounts.state.lock();
        if state.is_over {
            return;
        }
        state.is_over = parted.is_some();
        let totals = of.party.calls.totals();
        let made = totals.since(&state.told);
        let used: Vec<(Vec<Parameter>, Figures)> = state
            .queues
            .iter()
            .filter_map(|account| Some((account.described.clone(), account.take()?)))
            .collect();
        let (began, sequence) = (state.began, state.sequence);
        state.told = totals;
        (state.began, state.since) = (ended, now);
        let is_told = of.party.calls.choice.is_told || !used.is_empty();
        state.sequence = state.sequence.saturating_add(i32::from(is_told));
        drop(state);
        if !is_told {
            return;
        }
        let mut head = self.told_period(began, ended);
        let identifier = connection_identifier(&self.name.into(), of.party.id);
        head.push(Parameter::new(MQBACF_CONNECTION_ID, Content::Bytes(identifier)));
        head.push(Parameter::integer(MQIACF_SEQUENCE_NUMBER, sequence));
        head.push(Parameter::text(MQCACF_APPL_NAME, of.party.origin.application.as_str()));
        head.push(number(MQIACF_PROCESS_ID, u64::from(of.process)));
        head.push(number(MQIACF_THREAD_ID, 0));
        head.push(Parameter::text(MQCACF_USER_IDENTIFIER, of.user));
        if of.party.calls.choice.is_told {
            let mut told = head.clone();
            told.push(date(MQCAMO_CONN_DATE, accounts.connected));
            told.push(time(MQCAMO_CONN_TIME, accounts.connected));
            told.push(Parameter::text(MQCACH_CONNECTION_NAME, connection_name(of.address)));
            if let Some(parted) = parted {
                told.push(date(MQCAMO_DISC_DATE, ended));
                told.push(time(MQCAMO_DISC_TIME, ended));
                told.push(Parameter::integer(MQIAMO_DISC_TYPE, parted.code()));
            }
            told.extend(calls(&made));
            let telling =
                Telling { queue: ACCOUNTING, kind: MQCFT_ACCOUNTING, command: MQCMD_ACCOUNTING_MQI };
            self.tell_one(&telling, (1, true), told);
        }
        let used: Vec<_> =
            used.into_iter().map(|(described, figures)| told_of(described, &figures)).collect();
        let telling = Telling { queue: ACCOUNTING, kind: MQCFT_ACCOUNTING, command: MQCMD_ACCOUNTING_Q };
        self.tell_groups(&telling, &head, MQGACF_Q_ACCOUNTING_DATA, &used);
    }
}

/// Adds the counts of a connection on one queue.
fn told_of(mut told: Vec<Parameter>, figures: &Figures) -> Vec<Parameter> {
    let totals = &figures.totals;
    told.push(number(MQIAMO_OPENS, figures.opens));
    let mut moments = |(day, hour): (i32, i32), moment: Option<Moment>| {
        if let Some(moment) = moment {
            told.push(date(day, moment));
            told.push(time(hour, moment));
        }
    };
    moments((MQCAMO_OPEN_DATE, MQCAMO_OPEN_TIME), figures.opened);
    moments((MQCAMO_CLOSE_DATE, MQCAMO_CLOSE_TIME), figures.closed.filter(|_| figures.handles == 0));
    told.push(numbers(MQIAMO_PUTS, totals.of(PUTS)));
    told.push(total(MQIAMO_PUTS_FAILED, totals.of(PUTS_FAILED)));
    told.push(numbers(MQIAMO_PUT1S, totals.of(PUT1S)));
    told.push(total(MQIAMO_PUT1S_FAILED, totals.of(PUT1S_FAILED)));
    told.push(numbers_64(MQIAMO64_PUT_BYTES, totals.of(PUT_BYTES)));
    sizes(&mut told, (MQIAMO_PUT_MIN_BYTES, MQIAMO_PUT_MAX_BYTES), figures.put);
    told.push(numbers(MQIAMO_GETS, totals.of(GETS)));
    told.push(total(MQIAMO_GETS_FAILED, totals.of(GETS_FAILED)));
    told.push(numbers_64(MQIAMO64_GET_BYTES, totals.of(GET_BYTES)));
    sizes(&mut told, (MQIAMO_GET_MIN_BYTES, MQIAMO_GET_MAX_BYTES), figures.got);
    told.push(numbers(MQIAMO_BROWSES, totals.of(BROWSES)));
    told.push(total(MQIAMO_BROWSES_FAILED, totals.of(BROWSES_FAILED)));
    told.push(numbers_64(MQIAMO64_BROWSE_BYTES, totals.of(BROWSE_BYTES)));
    sizes(&mut told, (MQIAMO_BROWSE_MIN_BYTES, MQIAMO_BROWSE_MAX_BYTES), figures.browsed);
    told.push(numbers_64(MQIAMO64_Q_TIME_MIN, &figures.waited.map(|waited| waited.shortest)));
    told.push(numbers_64(MQIAMO64_Q_TIME_AVG, &figures.waited.map(|waited| waited.mean())));
    told.push(numbers_64(MQIAMO64_Q_TIME_MAX, &figures.waited.map(|waited| waited.longest)));
    told
}

fn sizes(told: &mut Vec<Parameter>, (shortest, longest): (i32, i32), of: [Sizes; 2]) {
    told.push(numbers(shortest, &of.map(|sizes| sizes.shortest.unwrap_or(0))));
    told.push(numbers(longest, &of.map(|sizes| sizes.longest)));
}
