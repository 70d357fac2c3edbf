//! The thread of the command server.
//!
//! Lives here: keeping a command server connected as long as the queue manager runs.
//! Lives elsewhere: what it does with a message (`agents::command_server`).

use std::time::Duration;

use agents::command_server::CommandServer;
use mqi::{Reason, Wait};
use queue_manager::{Issuer, Part, QueueManager};

use crate::embedded::Connection;
use crate::host::ServerHost;
use crate::sleeping::End;

/// Time to wait before the command queue is opened again when it is not there or cannot be got from.
const TRY_AGAIN: Duration = Duration::from_millis(500);

/// Wait of one get: between two the thread checks for its end, in case it was not told that the queue manager
/// ends.
const WAIT: Wait = Wait::Milliseconds(5_000);

/// Serves commands until the queue manager ends: that is when a waiting get is answered so.
pub(crate) fn serve(queue_manager: &QueueManager, host: &ServerHost, end: &End) {
    while !end.has_come() {
        match serve_connection(queue_manager, host, end) {
            Reason::Q_MGR_QUIESCING
            | Reason::Q_MGR_STOPPING
            | Reason::Q_MGR_NOT_AVAILABLE
            | Reason::CONNECTION_QUIESCING => return,
            _ => std::thread::park_timeout(TRY_AGAIN),
        }
    }
}

/// Serves one connection to its end, and tells why it ended.
fn serve_connection(queue_manager: &QueueManager, host: &ServerHost, end: &End) -> Reason {
    let part = ("command server", Part::CommandServer);
    let connected = Connection::connect_command_server(queue_manager, &host.waiting, part);
    let opened =
        connected.and_then(|verbs| CommandServer::open(verbs, Connection::issuer, Connection::may_answer));
    let mut server = match opened {
        Ok(server) => server,
        Err(reason) => return reason,
    };
    let mut execute = |issuer: &Issuer, command: &objects::Command| {
        host.waiting
            .durability
            .await_outcome(queue_manager, queue_manager.execute_for(issuer, command).map(Ok))
    };
    loop {
        match server.serve(WAIT, &mut execute) {
            Ok(()) | Err(Reason::NO_MSG_AVAILABLE) if !end.has_come() => {}
            ended => {
                server.end();
                return ended.err().unwrap_or(Reason::Q_MGR_STOPPING);
            }
        }
    }
}
