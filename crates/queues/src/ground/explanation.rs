//! The explanation of a refusal: the rights needed, the rights held, and the command that would allow it.

use objects::{Proposal, quoted};
use security::Principal;
use security::authority::{Authorities, Entity, NOBODY, ObjectType, Record, Scope, Set, Verdict, What, Who};

/// The reason why no record allowed a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The user whose records count: the caller's, or the alternate user.
    pub user: String,
    /// The groups of the user.
    pub groups: Vec<Box<str>>,
    /// The type of the object that the right is missing on.
    pub object_type: ObjectType,
    /// The name of that object; blank for the queue manager.
    pub name: String,
    /// The authorities that are needed on it.
    pub needed: Set,
    /// The authorities that the user has on it.
    pub had: Set,
    /// The record that came nearest, as DISPLAY AUTHREC shows it.
    pub deciding: Option<String>,
    /// The command that would allow the request and nothing else; none for system objects, for a program that
    /// acts as no user, for names that no record can mean, and where no command can. It can be run as it is.
    pub remedy: Option<String>,
}

impl Explanation {
    /// The explanation of a verdict on a request.
    pub fn of(authorities: &Authorities, (who, what): (Who<'_>, What<'_>), verdict: &Verdict<'_>) -> Self {
        Self {
            user: counted_name(who.user).to_owned(),
            groups: who.groups.to_vec(),
            object_type: what.object_type,
            name: what.name.to_owned(),
            needed: verdict.needed,
            had: verdict.had,
            deciding: verdict.deciding.map(|record| shown(&record)),
            remedy: remedy(authorities, (who, what)),
        }
    }

    /// The explanation for a user that may make objects of a type, and none with a name of the system's.
    pub fn of_new_system_object(user: &Principal, object_type: ObjectType, name: &str) -> Self {
        Self {
            user: counted_name(user.name()).to_owned(),
            groups: user.groups().to_vec(),
            object_type,
            name: name.to_owned(),
            needed: Set::CRT,
            had: Set::EMPTY,
            deciding: None,
            remedy: None,
        }
    }

    /// The explanation in one sentence.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { object_type, name, needed, had, .. } = self;
        let missing = needed.without(*had);
        let name = if name.is_empty() { String::new() } else { format!(" {}", name.escape_debug()) };
        let deciding = match &self.deciding {
            Some(record) => format!("the nearest record is {record}"),
            None => "no record is for it".to_owned(),
        };
        format!("{missing} is missing on {}{name}; {deciding}", object_type.keyword())
    }

    /// Returns its text, with the command that would allow the request.
    pub fn with_remedy(&self) -> String {
        match &self.remedy {
            Some(command) => format!("{}; it is allowed by {command}", self.text()),
            None => format!("{}; no command allows it: {}", self.text(), self.cause_of_no_remedy()),
        }
    }

    fn cause_of_no_remedy(&self) -> &'static str {
        if self.user == NOBODY {
            "the program acts as no user, and a right of GROUP('nobody') would be one of every user and program; have it \
             prove its user"
        } else if is_of_system(&self.name) {
            "system objects are for administrators"
        } else if !self.needed.without(self.object_type.fitting()).is_empty() {
            "it takes the login of an administrator"
        } else {
            "no record can mean it"
        }
    }
}

/// True for a name that only administrators give objects.
pub fn is_of_system(name: &str) -> bool {
    name.starts_with("SYSTEM.")
}

fn shown(record: &Record<'_>) -> String {
    let (kind, name) = match record.entity {
        Entity::User(name) => ("PRINCIPAL", name),
        Entity::Group(name) => ("GROUP", name),
    };
    format!(
        "PROFILE({}) OBJTYPE({}) {kind}({}) AUTHLIST({})",
        quoted(&record.scope.to_string()),
        record.object_type.keyword(),
        quoted(name),
        record.set
    )
}

/// The narrowest command that allows a request. Of the user's records the most specific one alone counts, so
/// that the new one has what that gives as well. A program that acts as no user is proposed nothing: the
/// records of such are those of everybody, so that the command would let everybody in.
fn remedy(authorities: &Authorities, (who, what): (Who<'_>, What<'_>)) -> Option<String> {
    let What { object_type, name, needed } = what;
    let unfit = needed.without(object_type.fitting());
    let user = counted_name(who.user);
    if user == NOBODY || is_of_system(name) || !unfit.is_empty() {
        return None;
    }
    let creates = needed.contains(Set::CRT) && object_type != ObjectType::QueueManager;
    let (profile, set) = if creates {
        ("@CLASS".to_owned(), Set::CRT)
    } else {
        let own = authorities.most_specific(Entity::User(user), object_type, name);
        (name.to_owned(), needed.with(own.map_or(Set::EMPTY, |record| record.set)))
    };
    // What is no name cannot be a profile either.
    let scope = Scope::parse(object_type, &profile).ok()?;
    Proposal::new("SET AUTHREC")
        .text("PROFILE", &scope.to_string())
        .words("OBJTYPE", object_type.keyword())
        .user("PRINCIPAL", user)
        .words("AUTHADD", &set.to_string())
        .command()
}

/// The name of the user whose records count.
fn counted_name(user: &str) -> &str {
    if user.is_empty() { NOBODY } else { user }
}
