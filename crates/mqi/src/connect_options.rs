//! Options of a connection to a queue manager.

use crate::constants::{
    MQCNO_ACCOUNTING_MQI_DISABLED, MQCNO_ACCOUNTING_MQI_ENABLED, MQCNO_ACCOUNTING_Q_DISABLED,
    MQCNO_ACCOUNTING_Q_ENABLED,
};
use crate::{Reason, Text};

/// Path of calls to the queue manager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Binding {
    /// Locally when the queue manager runs here, otherwise over the network.
    #[default]
    Default,
    /// Locally, the queue manager being another process.
    Standard,
    /// Locally, the queue manager being in this process.
    Fastpath,
    /// Over the network.
    Client,
}

/// A client's reaction when its connection breaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reconnect {
    /// As configured.
    #[default]
    AsDefault,
    /// Report it.
    Disabled,
    /// Connect again, to any queue manager of the group.
    AnyQueueManager,
    /// Connect again, to the same queue manager.
    SameQueueManager,
}

/// Options that a program connects with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectOptions {
    /// The name shown for the program; blank for the name of its executable.
    pub application_name: Text<28>,
    /// Path of calls to the queue manager.
    pub binding: Binding,
    /// Reaction when the connection breaks.
    pub reconnect: Reconnect,
    /// The user to act as; blank for the user the process runs as.
    pub user_identifier: Text<64>,
    /// Its choice of accounting, where the queue manager lets it choose.
    pub accounting: AccountingChoice,
}

/// A connection's choice of accounting; the queue manager decides where no choice is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AccountingChoice {
    /// Its calls.
    pub calls: Option<bool>,
    /// Its choice for queues that leave it to the queue manager.
    pub queues: Option<bool>,
}

impl AccountingChoice {
    /// The choice that MQCNO_ACCOUNTING_ options make.
    ///
    /// # Errors
    /// `OPTIONS_ERROR` when they say both yes and no.
    pub fn of_options(options: i32) -> Result<Self, Reason> {
        let choice = |yes: i32, no: i32| match (options & yes != 0, options & no != 0) {
            (true, true) => Err(Reason::OPTIONS_ERROR),
            (false, false) => Ok(None),
            (says_yes, _) => Ok(Some(says_yes)),
        };
        Ok(Self {
            calls: choice(MQCNO_ACCOUNTING_MQI_ENABLED, MQCNO_ACCOUNTING_MQI_DISABLED)?,
            queues: choice(MQCNO_ACCOUNTING_Q_ENABLED, MQCNO_ACCOUNTING_Q_DISABLED)?,
        })
    }

    /// The MQCNO_ACCOUNTING_ options that make this choice.
    #[must_use]
    pub fn options(self) -> i32 {
        let option = |choice: Option<bool>, yes: i32, no: i32| match choice {
            None => 0,
            Some(true) => yes,
            Some(false) => no,
        };
        option(self.calls, MQCNO_ACCOUNTING_MQI_ENABLED, MQCNO_ACCOUNTING_MQI_DISABLED)
            | option(self.queues, MQCNO_ACCOUNTING_Q_ENABLED, MQCNO_ACCOUNTING_Q_DISABLED)
    }
}
