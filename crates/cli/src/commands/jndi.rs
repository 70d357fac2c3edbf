//! `ferry jndi`: the names of a queue manager as a file for programs of JMS.
//!
//! Always: the file is one of Qpid JMS, unchanged; it holds no password.

use std::fmt::Write as _;
use std::io::Write as _;

use clap::Args;
use serde_json::Value;
use server::instances;

use super::answer::shown;
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step::NextStep;
use terminal::output;

/// The place and the names.
#[derive(Debug, Args)]
pub(crate) struct JndiArguments {
    /// Address that programs connect to; several are tried in turn [default: those of a queue manager of
    /// this machine]
    #[arg(long = "address", value_name = "HOST:PORT")]
    addresses: Vec<String>,
    /// Connect by TLS
    #[arg(id = "amqps", long = "amqps")]
    tls: bool,
    /// User that programs log in as; they bring the password
    #[arg(id = "username", long = "username", value_name = "USER")]
    user: Option<String>,
    /// Name of the connection factory
    #[arg(long, value_name = "NAME", default_value = "ConnectionFactory")]
    factory: String,
}

/// Class of Qpid JMS that reads the file.
const CONTEXT: &str = "org.apache.qpid.jms.jndi.JmsInitialContextFactory";

/// Prints the file.
pub(crate) fn run(common: &Common, arguments: &JndiArguments) -> Result<()> {
    let mut session = connect::session(common)?;
    let addresses = match arguments.addresses.as_slice() {
        [] => listening(common, session.queue_manager())?,
        said => said.to_vec(),
    };
    let text = file(&Names::of(&mut session)?, &uri(&addresses, arguments), &arguments.factory);
    session.disconnect()?;
    let mut output = output::standard();
    output.write_all(text.as_bytes())?;
    Ok(output.flush()?)
}

/// The addresses of a queue manager of this machine that programs of others may use.
fn listening(common: &Common, name: &str) -> Result<Vec<String>> {
    let missing = |what: &str| {
        let next = NextStep::of("ferry jndi --address HOST:PORT says where programs connect");
        Failure::new(Exit::Failed, format!("no address for programs is known: {what}")).next(next)
    };
    let parsed = connect::parse_queue_manager_name(name)?;
    let instance = instances::find(&connect::data_directory(common)?, &parsed)?;
    let running = instance.running.ok_or_else(|| missing(&format!("{name} does not run")))?;
    let ports: Vec<String> =
        running.listens.iter().filter(|text| !text.contains('/')).map(|text| reachable(text)).collect();
    if ports.is_empty() { Err(missing(&format!("{name} listens on no port"))) } else { Ok(ports) }
}

/// An address to connect to: one of all interfaces is none.
fn reachable(listens: &str) -> String {
    match listens.rsplit_once(':') {
        Some(("0.0.0.0" | "[::]", port)) => format!("localhost:{port}"),
        _ => listens.to_owned(),
    }
}

/// The address as Qpid JMS takes it; several fail over.
fn uri(addresses: &[String], arguments: &JndiArguments) -> String {
    let scheme = if arguments.tls { "amqps" } else { "amqp" };
    let each: Vec<String> = addresses.iter().map(|address| format!("{scheme}://{address}")).collect();
    let user = arguments.user.as_ref().map(|user| format!("?jms.username={user}")).unwrap_or_default();
    match each.as_slice() {
        [one] => format!("{one}{user}"),
        several => format!("failover:({}){user}", several.join(",")),
    }
}

/// Names of destinations, with the texts by which they are known.
#[derive(Debug, Default)]
struct Names {
    queues: Vec<String>,
    topics: Vec<(String, String)>,
}

impl Names {
    /// The names of a queue manager, without its own objects.
    fn of(session: &mut Session) -> Result<Self> {
        let text = |object: &Value, key: &str| object[key].as_str().unwrap_or_default().to_owned();
        let is_for_programs = |name: &String| !name.starts_with("SYSTEM.");
        let mut queues: Vec<String> = Vec::new();
        for kind in ["QLOCAL", "QALIAS", "QREMOTE"] {
            let found = shown(session, &format!("DISPLAY {kind}(*)"))?;
            queues.extend(found.iter().map(|queue| text(queue, "queue")).filter(is_for_programs));
        }
        queues.sort_unstable();
        queues.dedup();
        let topics = shown(session, "DISPLAY TOPIC(*) TOPICSTR")?;
        let topics = topics.iter().map(|topic| (text(topic, "topic"), text(topic, "topicstr")));
        let topics = topics.filter(|(name, topic)| is_for_programs(name) && !topic.is_empty()).collect();
        Ok(Self { queues, topics })
    }
}

fn file(names: &Names, uri: &str, factory: &str) -> String {
    let mut text = format!("java.naming.factory.initial = {CONTEXT}\n");
    let _ = writeln!(text, "connectionfactory.{} = {}", escaped(factory), escaped(uri));
    for queue in &names.queues {
        let _ = writeln!(text, "queue.{0} = {0}", escaped(queue));
    }
    for (name, topic) in &names.topics {
        let _ = writeln!(text, "topic.{} = {}", escaped(name), escaped(topic));
    }
    text
}

/// A key or a value of a file of properties: characters that mean something there, and those beyond ASCII.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | ':' | '=' | '#' | '!' | ' ' => out.extend(['\\', character]),
            '!'..='~' => out.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04X}");
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(tls: bool, user: Option<&str>) -> JndiArguments {
        JndiArguments { addresses: Vec::new(), tls, user: user.map(str::to_owned), factory: String::new() }
    }

    #[test]
    fn one_address_is_itself_and_several_fail_over() {
        let two = ["a:1".to_owned(), "b:2".to_owned()];
        assert_eq!(uri(&two[..1], &arguments(false, None)), "amqp://a:1");
        assert_eq!(uri(&two[..1], &arguments(true, Some("app"))), "amqps://a:1?jms.username=app");
        assert_eq!(uri(&two, &arguments(true, None)), "failover:(amqps://a:1,amqps://b:2)");
        assert_eq!(
            (reachable("0.0.0.0:5"), reachable("[::]:5")),
            ("localhost:5".into(), "localhost:5".into())
        );
        assert_eq!(reachable("127.0.0.1:5"), "127.0.0.1:5");
    }

    #[test]
    fn a_file_of_properties_reads_back_whatever_a_topic_is_called() {
        let names = Names {
            queues: vec!["A.B/C%_1".to_owned()],
            topics: vec![("T".to_owned(), " price:tin=1 #\\ä\u{1F600}".to_owned())],
        };
        assert_eq!(
            file(&names, "amqp://a:1", "F"),
            "java.naming.factory.initial = org.apache.qpid.jms.jndi.JmsInitialContextFactory\n\
             connectionfactory.F = amqp\\://a\\:1\n\
             queue.A.B/C%_1 = A.B/C%_1\n\
             topic.T = \\ price\\:tin\\=1\\ \\#\\\\\\u00E4\\uD83D\\uDE00\n"
        );
    }
}
