//! The identity for which requests are judged.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use mqi::Text;

use crate::letters::is_harmful;

/// Most bytes of a name: names of directories and tokens are longer than the twelve of a message's
/// UserIdentifier.
pub const NAME_BYTES_MAX: usize = 64;

/// The source of an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The program said it, and nothing proved it.
    Asserted,
    /// A password or token proves it.
    Proved,
    /// The operating system vouches for the process at the other end of a local connection.
    Kernel,
    /// The program runs in the queue manager's own process.
    Process,
    /// A message names it in its UserIdentifier.
    Message,
    /// A part of the queue manager.
    Part(Part),
}

/// A part of the queue manager that passes its doors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Gets commands from their queue and puts the answers.
    CommandServer,
    /// Publishes figures below `$SYS`.
    ResourceMonitor,
    /// Makes the managed queue of a subscription that a granted command defines.
    CommandExecution,
    /// Puts the messages that the queue manager makes itself: reports, trigger messages, events, and copies
    /// for stream queues.
    MessageMaking,
    /// Moves messages between queue managers: gets from transmission queues, and puts where headers say, for
    /// channels that name no user.
    MessageChannel,
}

/// A name that no principal can have: no rule and no record can mean it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The name is too long.
    #[error("the user name has {bytes} bytes, and {NAME_BYTES_MAX} at most are allowed: use a shorter name")]
    Long {
        /// The length of the name.
        bytes: usize,
    },
    /// The name has a letter that no name may have.
    #[error(
        "letter {position} of the user name is {}, and no user has such a name: use one without control \
         characters, marks of direction and letters that are not seen",
        .letter.escape_unicode()
    )]
    Letter {
        /// The first such letter.
        letter: char,
        /// Its place, counted from 1.
        position: usize,
    },
    /// The name is one that a new rule or a new user may not have.
    #[error(
        "no user is named '{}': a name has at least one letter, neither * nor /, and * stands for several in \
         *MQADMIN alone",
        .name
    )]
    NoUser {
        /// The name.
        name: String,
    },
}

/// Checks the name of a user that comes from outside, at first sight. A blank one is no particular user.
///
/// # Errors
/// When no rule and no record could mean it.
pub fn check_name(name: &str) -> Result<(), NameError> {
    if name.len() > NAME_BYTES_MAX {
        return Err(NameError::Long { bytes: name.len() });
    }
    match name.chars().enumerate().find(|(_, letter)| is_harmful(*letter)) {
        Some((index, letter)) => Err(NameError::Letter { letter, position: index + 1 }),
        None => Ok(()),
    }
}

/// Checks a name that is given to a user, or that a rule or record is to mean. Names of older users and rules
/// may be others.
///
/// # Errors
/// When no rule and no record could mean it.
pub fn check_given_name(name: &str) -> Result<(), NameError> {
    check_name(name)?;
    if name.is_empty() || name.contains(['*', '/']) {
        Err(NameError::NoUser { name: name.to_owned() })
    } else {
        Ok(())
    }
}

/// An identity, as one login or one message gives it. Cheap to clone.
///
/// Two principals are equal where name, source and rank are: groups and address change from login to login.
#[derive(Clone)]
pub struct Principal(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    name: Box<str>,
    short: Text<12>,
    identity: Identity,
    is_administrator: bool,
    groups: Box<[Box<str>]>,
    /// The address that its login came from; none within the machine.
    address: Option<IpAddr>,
}

impl PartialEq for Principal {
    fn eq(&self, other: &Self) -> bool {
        let told = |Self(inner): &Self| (inner.identity, inner.is_administrator);
        Arc::ptr_eq(&self.0, &other.0) || self.0.name == other.0.name && told(self) == told(other)
    }
}

impl Eq for Principal {}

impl Principal {
    /// A principal without the rights of an administrator.
    ///
    /// # Errors
    /// When no user can have the name. It is never cut: the beginning of a name may be another user.
    pub fn new(name: &str, identity: Identity) -> Result<Self, NameError> {
        Self::checked(name, identity, false)
    }

    /// A principal whose login made it an administrator.
    ///
    /// # Errors
    /// When no user can have the name.
    ///
    /// # Panics
    /// When there was no login: a message only names a user.
    pub fn administrator(name: &str, identity: Identity) -> Result<Self, NameError> {
        assert!(identity != Identity::Message, "a login makes an administrator, a name never does");
        Self::checked(name, identity, true)
    }

    /// The user that a message names.
    #[must_use]
    pub fn of_message(user: Text<12>) -> Self {
        Self::made(user.as_str().trim_end(), Identity::Message, false)
    }

    /// The administrator that a message names, where the queue manager made its context for the login of one.
    #[must_use]
    pub fn of_administrators_message(user: Text<12>) -> Self {
        Self::made(user.as_str().trim_end(), Identity::Proved, true)
    }

    /// The program that has the queue manager in its own process, and need not say its name.
    #[must_use]
    pub fn of_process() -> Self {
        Self::made("", Identity::Process, true)
    }

    /// The principal of a connection that has not logged in.
    #[must_use]
    pub fn nobody() -> Self {
        Self::made("", Identity::Asserted, false)
    }

    /// A part of the queue manager that acts without the name of a user.
    #[must_use]
    pub fn of_part(part: Part) -> Self {
        Self::made("", Identity::Part(part), false)
    }

    fn checked(name: &str, identity: Identity, is_administrator: bool) -> Result<Self, NameError> {
        check_name(name).map(|()| Self::made(name, identity, is_administrator))
    }

    fn made(name: &str, identity: Identity, is_administrator: bool) -> Self {
        let short = Text::truncated(name);
        let groups = Box::default();
        Self(Arc::new(Inner { name: name.into(), short, identity, is_administrator, groups, address: None }))
    }

    /// Sets the groups that its user is in.
    #[must_use]
    pub fn with_groups(mut self, groups: impl IntoIterator<Item = Box<str>>) -> Self {
        Arc::make_mut(&mut self.0).groups = groups.into_iter().collect();
        self
    }

    /// Sets the address that its login came from.
    #[must_use]
    pub fn with_address(mut self, address: Option<IpAddr>) -> Self {
        Arc::make_mut(&mut self.0).address = address;
        self
    }

    /// The address that its login came from; none within the machine, and of what no login named.
    #[must_use]
    pub fn address(&self) -> Option<IpAddr> {
        self.0.address
    }

    /// The groups of the user, as the login found them.
    #[must_use]
    pub fn groups(&self) -> &[Box<str>] {
        &self.0.groups
    }

    /// The name, exactly as the login gave it; blank for no particular user.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The name that messages carry as their UserIdentifier.
    #[must_use]
    pub fn short_name(&self) -> Text<12> {
        self.0.short
    }

    /// The source of the identity.
    #[must_use]
    pub fn identity(&self) -> Identity {
        self.0.identity
    }

    /// Returns true where the login made it an administrator.
    #[must_use]
    pub fn is_administrator(&self) -> bool {
        self.0.is_administrator
    }

    /// The part of the queue manager that it is, if it is one.
    #[must_use]
    pub fn part(&self) -> Option<Part> {
        match self.0.identity {
            Identity::Part(part) => Some(part),
            Identity::Asserted
            | Identity::Proved
            | Identity::Kernel
            | Identity::Process
            | Identity::Message => None,
        }
    }
}

impl fmt::Debug for Principal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { name, identity, is_administrator, .. } = &*self.0;
        write!(formatter, "Principal({name:?} {identity:?} administrator: {is_administrator})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_sixty_four_bytes_is_kept_whole_and_a_longer_one_is_refused() {
        let longest = "a".repeat(NAME_BYTES_MAX);
        let principal = Principal::new(&longest, Identity::Asserted).unwrap();
        assert_eq!((principal.name(), principal.short_name().as_str()), (&*longest, "aaaaaaaaaaaa"));
        let longer = format!("{longest}b");
        assert_eq!(Principal::new(&longer, Identity::Kernel), Err(NameError::Long { bytes: 65 }));
        assert_eq!(Principal::administrator(&longer, Identity::Kernel), Err(NameError::Long { bytes: 65 }));
    }

    #[test]
    fn a_name_with_a_letter_that_is_not_seen_or_turns_text_is_that_of_no_user() {
        for (name, letter, position) in [
            ("a\nallowed by  SET AUTHREC", '\n', 2),
            ("\u{1b}[2J", '\u{1b}', 1),
            ("ada\0", '\0', 4),
            ("é\u{9b}2J", '\u{9b}', 2),
            ("\u{202e}nimda", '\u{202e}', 1),
            ("ad\u{200b}a", '\u{200b}', 3),
            ("ad\u{61c}a", '\u{61c}', 3),
            ("a\u{2028}b", '\u{2028}', 2),
        ] {
            let refused = Principal::new(name, Identity::Asserted).unwrap_err();
            assert_eq!(refused, NameError::Letter { letter, position });
            assert!(!refused.to_string().contains(is_harmful), "{refused}");
        }
        for name in ["", "a", "größe 東京", "it's (mine); \"x\"", "*MQADMIN"] {
            assert_eq!(Principal::new(name, Identity::Asserted).unwrap().name(), name);
        }
    }

    #[test]
    fn a_name_that_no_rule_can_mean_is_given_to_no_user() {
        for name in ["", "*", "*MQADMIN", "ad*", "../x", "/etc/passwd"] {
            assert_eq!(check_given_name(name), Err(NameError::NoUser { name: name.to_owned() }));
            assert_eq!(check_name(name), Ok(()), "users and rules of earlier releases may have it");
        }
        assert!(matches!(check_given_name("a\nb"), Err(NameError::Letter { .. })));
        assert!(matches!(check_given_name(&"a".repeat(65)), Err(NameError::Long { .. })));
        assert_eq!(check_given_name("o'hara@example.com"), Ok(()));
    }

    #[test]
    fn users_alike_in_twelve_letters_are_different_principals() {
        let one = Principal::new("payments-east", Identity::Kernel).unwrap();
        let other = Principal::new("payments-easter", Identity::Kernel).unwrap();
        assert_eq!(one.short_name(), other.short_name());
        assert_ne!(one, other);
    }

    #[test]
    fn a_login_makes_an_administrator_and_a_name_never_does() {
        let by_login = Principal::administrator("mqm", Identity::Kernel).unwrap();
        let by_name = Principal::of_message(Text::truncated("mqm"));
        assert!(by_login.is_administrator() && !by_name.is_administrator());
        assert_eq!(by_name.name(), "mqm");
        let refused = std::panic::catch_unwind(|| Principal::administrator("mqm", Identity::Message));
        assert!(refused.is_err());
    }

    #[test]
    fn only_a_part_of_the_queue_manager_is_one() {
        let part = Principal::of_part(Part::ResourceMonitor);
        assert_eq!((part.part(), part.is_administrator()), (Some(Part::ResourceMonitor), false));
        assert_eq!(Principal::of_process().part(), None);
        assert_eq!(Principal::new("ResourceMonitor", Identity::Asserted).unwrap().part(), None);
    }
}
