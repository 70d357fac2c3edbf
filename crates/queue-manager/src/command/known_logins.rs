//! Programs and partners that would be refused, told with what switches the judgement of logins on.
//!
//! Lives here: the verdict on their right to connect, the words, and the occasions. Lives elsewhere: the
//! logins that were let in and the rules that they meet (the host), the rights (`rights::judging`).
//!
//! Always: nothing is refused here; each is judged as its next login would be.

use mqi::constants::{MQCA_CONN_AUTH, MQIA_CHLAUTH_RECORDS};
use objects::mqsc::Alter;
use objects::{Message, ObjectType, Response, messages};
use queues::ground::host::{Event, JudgedLogin, LoginNumber};
use security::wildcard::Wildcard;
use security::{Asked, Object, Principal, Use};

use crate::authority::Judge;
use crate::engine::Engine;

/// Most logins that an answer names; the rest are counted.
const NAMED_MAX: usize = 20;

/// Time of a refusal while nothing is judged.
const ONCE_JUDGED: &str = "from the first user, key or authority record on";

/// Time of a refusal while logins are judged.
const AT_NEXT: &str = "when it connects again";

impl Engine {
    /// Messages about the programs and partners, connected or lately so, that would be refused once logins
    /// and requests are judged; without the connection that asks for them.
    pub(crate) fn known_logins_refused(&self, asker: Option<LoginNumber>) -> Vec<Message> {
        self.refused_among(self.ground().host.judged_logins(true, asker), true)
    }

    /// All of them, each also told in the error log.
    pub(crate) fn tell_known_logins_refused(&self) -> Vec<Message> {
        let refused = self.known_logins_refused(None);
        self.tell_all(&refused);
        refused
    }

    /// The answer to SET CHLAUTH, with those on channels of its profile that would be refused by now.
    pub(super) fn with_logins_refused_on(&self, profile: &str, answer: Response) -> Response {
        match Wildcard::new(profile) {
            Some(profile) => self.with_logins_refused(answer, |login| profile.matches(&login.channel)),
            None => answer,
        }
    }

    /// The answer to an ALTER, with the logins that would be refused where it changes how logins are judged.
    pub(super) fn with_logins_refused_by(&self, alter: &Alter, answer: Response) -> Response {
        let is_of_logins = match alter.object_type {
            ObjectType::SystemAuthentication => true,
            ObjectType::QueueManager => {
                let numbers = [MQCA_CONN_AUTH, MQIA_CHLAUTH_RECORDS];
                alter.settings.iter().any(|setting| numbers.contains(&setting.attribute.identifier_number()))
            }
            _ => false,
        };
        if is_of_logins { self.with_logins_refused(answer, |_| true) } else { answer }
    }

    /// The answer to a command that succeeded, with those of some logins that would be refused by now; each
    /// is also told in the error log.
    fn with_logins_refused(&self, mut answer: Response, is_meant: impl Fn(&JudgedLogin) -> bool) -> Response {
        if !answer.is_ok() {
            return answer;
        }
        let is_judging = self.directory.door.is_judging();
        let mut logins = self.ground().host.judged_logins(is_judging, None);
        logins.retain(is_meant);
        let refused = self.refused_among(logins, is_judging);
        self.tell_all(&refused);
        answer.messages.extend(refused);
        answer
    }

    fn refused_among(&self, logins: Vec<JudgedLogin>, is_judging: bool) -> Vec<Message> {
        let when = if is_judging && !self.directory.door.is_judging() { ONCE_JUDGED } else { AT_NEXT };
        let mut messages = Vec::new();
        let mut others = 0_usize;
        for JudgedLogin { words, verdict, .. } in logins {
            let judged = verdict.and_then(|user| if is_judging { self.may_connect(&user) } else { Ok(()) });
            match judged {
                Ok(()) => {}
                Err(why) if messages.len() < NAMED_MAX => {
                    let inserts = [words, when.to_owned(), why];
                    messages.push(Message::new(&messages::LOGIN_WOULD_BE_REFUSED, inserts));
                }
                Err(_) => others += 1,
            }
        }
        if others > 0 {
            messages.push(Message::new(&messages::MORE_LOGINS_WOULD_BE_REFUSED, [others]));
        }
        messages
    }

    /// Judges the request of a user to connect, by the records as they are now.
    fn may_connect(&self, user: &Principal) -> Result<(), String> {
        if user.is_administrator() || user.part().is_some() {
            return Ok(());
        }
        let asked = Asked::new(Object::MANAGER, Use::Connect);
        let judged = Judge::judge(self, &self.directory.door.book.rules(), user, &asked).1;
        judged.map_err(|why| why.with_remedy())
    }

    fn tell_all(&self, refused: &[Message]) {
        for message in refused {
            let row = message.row();
            let inserts = message.inserts().to_vec();
            self.ground().host.event(&Event::new(
                if row == &messages::LOGIN_WOULD_BE_REFUSED { "FRY5075W" } else { "FRY5076W" },
                inserts,
            ));
        }
    }
}
