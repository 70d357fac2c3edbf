//! `ferry tls init … --client … --expose` and `ferry user add … --expose`: a first program from another
//! machine, in one command.
//!
//! Lives here: the channel, the rule, the rights and the listener of it, and the file that it connects with.
//! Lives elsewhere: keys and certificates (`tls`), the file of users (`user`).

use std::path::{Path, PathBuf};

use mqi::QueueManagerName;
use objects::quoted;
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
    ];
    commands.extend(rights_of(label));
    commands.extend(port.map(|port| listener(port, "")));
    commands
}

/// The commands that give a first user rights on `DEV.**`.
fn rights_of(user: &str) -> [String; 3] {
    let user = quoted(user);
    [
        format!("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL({user}) AUTHADD(CONNECT,INQ)"),
        format!("SET AUTHREC PROFILE('DEV.**') OBJTYPE(QUEUE) PRINCIPAL({user}) AUTHADD(PUT,GET,BROWSE,INQ)"),
        format!("SET AUTHREC PROFILE('DEV.**') OBJTYPE(TOPIC) PRINCIPAL({user}) AUTHADD(PUB,SUB)"),
    ]
}

fn listener(port: u16, attributes: &str) -> String {
    format!(
        "DEFINE LISTENER(EXPOSED) TRPTYPE(TCP) PORT({port}) CONTROL(QMGR) REPLACE{attributes} +\n\
         DESCR('For other machines, by TLS alone')"
    )
}

/// The channel of those users that come with a password, and that of AMQP for them.
pub(super) const PASSWORD_CHANNELS: [&str; 2] = ["PASSWORD.SVRCONN", "PASSWORD.AMQP"];

/// The commands that let a user in who proves itself by a password, over either protocol, with rights on
/// `DEV.**`, and have a listener for it. Each of them may be there already, for another user.
fn commands_for_user(user: &str, port: u16) -> Vec<String> {
    let [programs, amqp] = PASSWORD_CHANNELS;
    let cover = format!("SSLCIPH({CIPHERSPEC}) SSLCAUTH(OPTIONAL)");
    let mut commands = vec![
        format!("DEFINE CHANNEL({programs}) CHLTYPE(SVRCONN) {cover} REPLACE DESCR('Users with a password')"),
        format!("DEFINE CHANNEL({amqp}) CHLTYPE(AMQP) {cover} REPLACE DESCR('Users with a password')"),
    ];
    commands.extend(PASSWORD_CHANNELS.map(|channel| {
        format!(
            "SET CHLAUTH({channel}) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) CHCKCLNT(REQUIRED) +\n\
             ACTION(REPLACE) DESCR('Each program gives the password of its user')"
        )
    }));
    commands.extend(rights_of(user));
    commands.push(listener(port, &format!(" AMQPCHL({amqp})")));
    commands
}

/// Lets a user with a password into a queue manager that does not run.
pub(super) fn let_user_in(data: &Path, name: &QueueManagerName, user: &str, port: u16) -> Result<()> {
    run_all(data, name, &commands_for_user(user, port))
}

/// Lets a program into a queue manager that does not run.
pub(super) fn let_in(
    data: &Path,
    name: &QueueManagerName,
    (label, channel): (&str, &str),
    port: Option<u16>,
) -> Result<()> {
    run_all(data, name, &commands(label, channel, port))
}

fn run_all(data: &Path, name: &QueueManagerName, commands: &[String]) -> Result<()> {
    let opened = QueueManager::open(data, name).map_err(|error| {
        Failure::new(Exit::Failed, format!("queue manager {name} cannot be opened: {error}"))
    })?;
    for command in commands {
        let answered = opened.command(command);
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
