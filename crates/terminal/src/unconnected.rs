//! The next step where a queue manager is not reached: it depends on the cause.

use std::io::{self, ErrorKind};

use client::{Address, ConnectError, TlsError};
use mqi::Reason;
use tls::Refused;

use crate::next_step;
use crate::next_step::NextStep;

/// The next step where no queue manager answers on this machine.
pub(crate) const START_ONE: NextStep = NextStep::of(
    "ferry dev starts one, ferry qmgr list shows those there are; --connect host:port reaches another machine",
);

/// The next step after an error for which the queue manager has no reason of its own.
pub(crate) fn next(error: &ConnectError) -> NextStep {
    match error {
        ConnectError::Unreachable { address, error } => unreachable(address, error),
        ConnectError::Unprotected { .. } => NextStep::of(
            "connect by TLS: --with FILE of ferry tls bundle, or --tls CIPHERSPEC with --key-store PATH",
        ),
        ConnectError::Protocol { address, .. } => next_step!(
            "name the port of the queue manager, which `ferry list` shows on its machine: {address} is of another \
             program, or of an AMQP client alone"
        ),
        ConnectError::Ended { .. } => NextStep::of(
            "if its listener wants TLS, add --with FILE, or --tls CIPHERSPEC with --key-store PATH; else name the port \
             that `ferry list` shows on its machine",
        ),
        ConnectError::Tls { error, .. } => of_tls(error),
        // The refusal of a login has a record of its own, FRY5020W; a login that lacks the right to connect
        // has FRY5012W.
        ConnectError::Refused { reason: Reason::NOT_AUTHORIZED, .. } => NextStep::of(
            "give the right user and password; for the administrator, ferry why QM lists the last refusals, each with \
             its cause, and the error log has them under FRY5020W (login) and FRY5012W (right to connect)",
        ),
        ConnectError::Refused { reason, .. } => NextStep::of(reason.action()),
        ConnectError::NoAddress | ConnectError::Conversation(_) => START_ONE,
    }
}

fn unreachable(address: &Address, error: &io::Error) -> NextStep {
    let Address::Tcp { host, port } = address else {
        return match error.kind() {
            ErrorKind::PermissionDenied => NextStep::of(
                "do it as the user of the queue manager, or as a member of the group that local.group names",
            ),
            _ => START_ONE,
        };
    };
    let is_here = matches!(&**host, "localhost" | "127.0.0.1" | "::1");
    match error.kind() {
        ErrorKind::ConnectionRefused if is_here => START_ONE,
        ErrorKind::ConnectionRefused => next_step!(
            "see on {host} that the queue manager runs and listens there, at port {port}: `ferry list` shows its \
             addresses"
        ),
        ErrorKind::TimedOut | ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
            next_step!("see that {host} is up, and that no firewall keeps port {port} from this machine")
        }
        // A name that is not known has no number of the system.
        _ if error.raw_os_error().is_none() => {
            next_step!("correct the name {host}, or have the name service of this machine know it")
        }
        _ => START_ONE,
    }
}

/// The text of the error names the remedy where a certificate is at fault; this is the command for it.
fn of_tls(error: &TlsError) -> NextStep {
    match error {
        TlsError::Refused(Refused::Untrusted(_)) => {
            NextStep::of("bring the file of ferry tls bundle from its machine, and connect by --with FILE")
        }
        TlsError::Refused(Refused::OutOfTime(_)) => {
            NextStep::of("on its machine ferry tls renew QM LABEL makes another certificate")
        }
        TlsError::Refused(Refused::Revoked(_) | Refused::Certificate(_)) => NextStep::of(
            "on its machine ferry tls renew QM LABEL makes another, or ferry tls issue QM LABEL the first one; ferry tls \
             bundle QM LABEL FILE writes it to a file for --with",
        ),
        TlsError::Refused(Refused::Bare) => NextStep::of(
            "connect without TLS, or by the port of a listener with TLS: `ferry list` shows the ports, and listener.tls of \
             ferry.toml has a listener use it, with keys of ferry tls init",
        ),
        TlsError::Store(_) | TlsError::Context(_) => NextStep::of(
            "see that --key-store names the folder or file with the keys; `ferry tls show` lists them",
        ),
        TlsError::CipherSpec(_) => {
            NextStep::of("give --tls ANY_TLS12_OR_HIGHER, or the SSLCIPH of its channel")
        }
        TlsError::Refused(_) | TlsError::Peer(_) | TlsError::Io(_) => {
            NextStep::of("compare SSLCIPH, SSLPEER and the certificates of both ends")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cause_has_a_step_of_its_own() {
        let to = |host: &str| Address::Tcp { host: host.to_owned(), port: 1415 };
        let socket = || Address::Unix("/x/socket".into());
        let no_name = || io::Error::other("failed to lookup address information");
        for (address, error, expected) in [
            (to("mq.nowhere"), no_name(), "correct the name mq.nowhere"),
            (to("mq.example"), ErrorKind::ConnectionRefused.into(), "see on mq.example that"),
            (to("localhost"), ErrorKind::ConnectionRefused.into(), "ferry dev starts one"),
            (to("mq.example"), ErrorKind::TimedOut.into(), "see that mq.example is up"),
            (to("10.0.0.9"), ErrorKind::NetworkUnreachable.into(), "see that 10.0.0.9 is up"),
            (socket(), ErrorKind::PermissionDenied.into(), "do it as the user of the queue manager"),
            (socket(), ErrorKind::NotFound.into(), "ferry dev starts one"),
        ] {
            let step = next(&ConnectError::Unreachable { address, error });
            assert!(step.elsewhere().starts_with(expected), "{step:?}");
        }
        let refused = |refused| ConnectError::Tls { address: to("q"), error: TlsError::Refused(refused) };
        for (error, expected) in [
            (refused(Refused::Untrusted("x".to_owned())), "bring the file of ferry tls bundle"),
            (refused(Refused::OutOfTime("x".to_owned())), "on its machine ferry tls renew"),
            (
                refused(Refused::Certificate("x".to_owned())),
                "on its machine ferry tls renew QM LABEL makes another",
            ),
            (refused(Refused::Bare), "connect without TLS"),
            (ConnectError::Unprotected { address: to("q") }, "connect by TLS: --with FILE"),
            (ConnectError::Ended { address: to("q") }, "if its listener wants TLS"),
            (
                ConnectError::Refused {
                    address: to("q"),
                    reason: Reason::NOT_AUTHORIZED,
                    text: "no".to_owned(),
                },
                "give the right user and password; for the administrator, ferry why QM",
            ),
            (
                ConnectError::Refused {
                    address: to("q"),
                    reason: Reason::SECURITY_ERROR,
                    text: "no".to_owned(),
                },
                Reason::SECURITY_ERROR.action(),
            ),
        ] {
            assert!(next(&error).elsewhere().starts_with(expected), "{error}");
        }
    }
}
