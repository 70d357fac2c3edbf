//! `ferry tls init … --client … --expose`: a first program from another machine, in one command.
//!
//! Lives here: the channel, the rule, the rights and the listener of it, and the file that it connects with.
//! Lives elsewhere: keys and certificates (`tls`).

use std::path::{Path, PathBuf};

use mqi::QueueManagerName;
use server::Mode;
use server::embedded::QueueManager;
use terminal::failure::{Exit, Failure, Result};

/// CipherSpec of the channel and of its program.
pub(super) const CIPHERSPEC: &str = "ANY_TLS12_OR_HIGHER";

/// Most characters of a label whose channel has a name that fits.
const LABEL_MAX: usize = 12;

/// The channel of a program.
pub(super) fn channel_of(label: &str) -> Result<String> {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"._".contains(&byte);
    if label.len() > LABEL_MAX || label.is_empty() || !label.bytes().all(is_of_name) {
        let text = format!(
            "--client {label} cannot name a channel: give up to {LABEL_MAX} letters, digits, points and underscores"
        );
        return Err(Failure::usage(text));
    }
    Ok(format!("{}.SVRCONN", label.to_uppercase()))
}

/// The commands that let the bearer of a certificate in by its channel, with rights on `DEV.**`, and have a
/// listener for it.
fn commands(label: &str, channel: &str, port: Option<u16>) -> Vec<String> {
    let mut commands = vec![
        format!(
            "DEFINE CHANNEL({channel}) CHLTYPE(SVRCONN) SSLCIPH({CIPHERSPEC}) SSLCAUTH(REQUIRED) REPLACE +\n\
             DESCR('Program {label}')"
        ),
        format!(
            "SET CHLAUTH({channel}) TYPE(SSLPEERMAP) SSLPEER('CN={label}') MCAUSER('{label}') ACTION(REPLACE) +\n\
             DESCR('The bearer of the certificate {label}')"
        ),
        format!("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('{label}') AUTHADD(CONNECT,INQ)"),
        format!(
            "SET AUTHREC PROFILE('DEV.**') OBJTYPE(QUEUE) PRINCIPAL('{label}') AUTHADD(PUT,GET,BROWSE,INQ)"
        ),
        format!("SET AUTHREC PROFILE('DEV.**') OBJTYPE(TOPIC) PRINCIPAL('{label}') AUTHADD(PUB,SUB)"),
    ];
    if let Some(port) = port {
        commands.push(format!(
            "DEFINE LISTENER(EXPOSED) TRPTYPE(TCP) PORT({port}) CONTROL(QMGR) REPLACE +\n\
             DESCR('For other machines, by TLS alone')"
        ));
    }
    commands
}

/// Lets a program into a queue manager that does not run.
pub(super) fn let_in(
    data: &Path,
    name: &QueueManagerName,
    (label, channel): (&str, &str),
    port: Option<u16>,
) -> Result<()> {
    let opened = QueueManager::open(data, name).map_err(|error| {
        Failure::new(Exit::Failed, format!("queue manager {name} cannot be opened: {error}"))
    })?;
    for command in commands(label, channel, port) {
        let answered = opened.command(&command);
        let refused = match &answered {
            Ok(answers) => answers.iter().find(|answer| !answer.is_ok()).map(ToString::to_string),
            Err(error) => Some(error.to_string()),
        };
        if let Some(why) = refused {
            opened.close(Mode::Immediate);
            return Err(Failure::new(Exit::Failed, format!("{command}: {why}")));
        }
    }
    opened.close(Mode::Immediate);
    Ok(())
}

/// The file that a program connects with.
pub(super) fn bundle_of(label: &str) -> PathBuf {
    PathBuf::from(format!("{label}.ferry"))
}
