//! `ferry tls give-up`, and the lists of revoked certificates that a queue manager misses.

use mqi::QueueManagerName;
use objects::messages::REVOCATION_LIST_MISSING;
use server::DataDirectory;
use server::instances::{self, Instance};
use terminal::connect::{self, Place, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, harmless};

use super::answer;

/// The question whose answer warns of lists that are missing.
const QUESTION: &str = "DISPLAY QMGR QMNAME";

/// The command by which a queue manager reads its keys and certificates at once.
const REFRESH: &str = "REFRESH SECURITY TYPE(SSL)";

/// Gives up the list of an issuer: the file that says so is for the owner of the queue manager alone.
pub(crate) fn give_up(data: &DataDirectory, name: &str, issuer: &str) -> Result<()> {
    let name: QueueManagerName =
        name.parse().map_err(|error: mqi::NameError| Failure::usage(error.to_string()))?;
    let Instance { folder, running } = instances::find(data, &name)?;
    if issuer.trim().is_empty() || issuer.chars().any(char::is_control) {
        return Err(Failure::usage(format!("\"{}\" is the name of no authority", issuer.escape_debug()))
            .next("give the name as the message FRY5034W has it"));
    }
    let mut session = match running {
        Some(running) => {
            let address = connect::addresses(&folder, &running.listens).into_iter().next();
            address.map(|address| Session::connect(&Place::named(address, name))).transpose()?
        }
        None => None,
    };
    if let Some(session) = &mut session {
        let response = session.command(QUESTION)?;
        let known = missing(&answer::read(QUESTION, &response.json)?);
        if !known.iter().any(|text| text.contains(&format!(" of {issuer} is missing:"))) {
            let what = format!("{name} misses no list of revoked certificates of {}", harmless(issuer));
            return Err(Failure::new(Exit::Failed, what).next(match known.first() {
                Some(first) => first.clone(),
                None => "no list is missing".to_owned(),
            }));
        }
    }
    let path = tls::revocation::given_up(&folder.security());
    tls::revocation::give_up(&folder.security(), issuer)
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot write {}: {error}", path.display())))?;
    let Some(mut session) = session else {
        output::say(format!("{name} gives the list of {} up at its next start", harmless(issuer)));
        return Ok(());
    };
    let response = session.command(REFRESH)?;
    session.disconnect()?;
    // Where the files do not read otherwise, the next look takes it.
    if response.failed || path.exists() {
        output::say(format!("{name} gives the list of {} up once its files read", harmless(issuer)))
    } else {
        output::say(format!("{name} gave up the list of {}", harmless(issuer)))
    }
    Ok(())
}

/// The warnings of an answer about the queue manager of lists that are missing.
pub(crate) fn missing(answer: &serde_json::Value) -> Vec<String> {
    let id = REVOCATION_LIST_MISSING.id();
    let messages = answer["messages"].as_array().into_iter().flatten();
    let meant = messages.filter(|message| message["id"].as_str() == Some(&*id));
    meant.filter_map(|message| Some(message["text"].as_str()?.to_owned())).collect()
}
