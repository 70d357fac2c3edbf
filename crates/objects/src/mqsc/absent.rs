//! Commands of the language about things that this queue manager does not have. They are understood, and
//! answered by naming the thing that is missing, so that a script that has them can be read to its end.

/// A command that is understood and cannot be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    /// The command in two words: `START CHANNEL`.
    pub command: &'static AbsentCommand,
    /// The name it gave, if any.
    pub name: Option<String>,
    /// The rest of it, as it was written.
    pub rest: String,
}

/// A row: a command about what is not there.
#[derive(Debug, PartialEq, Eq)]
pub struct AbsentCommand {
    /// Its first word.
    pub verb: &'static str,
    /// Its second word.
    pub subject: &'static str,
    /// Other spellings of the second word.
    pub synonyms: &'static [&'static str],
    /// The name that follows.
    pub naming: Naming,
    /// The thing that is missing.
    pub missing: Missing,
}

/// A name in parentheses after the second word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// It must.
    Required,
    /// It may.
    Optional,
    /// It does not.
    None,
}

/// A thing that this queue manager does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Message channels and channels of clients that a command starts.
    Channels,
    /// Listeners that a command starts.
    Listeners,
    /// Services: programs that the queue manager would start.
    Services,
    /// Rules about channels, authorities and passwords.
    Security,
    /// Clusters.
    Clusters,
    /// Protection of messages by policy.
    Policies,
    /// Steps of the recovery log that a command asks for.
    Log,
    /// Applications that a group of queue managers shares out.
    Balancing,
}

impl Missing {
    /// The sentence that says so, without its full stop.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Channels => {
                "channels can be defined but not run yet; clients connect to the addresses in ferry.toml, and \
                 DISPLAY CONN shows them"
            }
            Self::Listeners => {
                "listeners can be defined but not started by command yet; the addresses listened on are in \
                 ferry.toml"
            }
            Self::Services => {
                "services can be defined but are never executed: no program is started for them"
            }
            Self::Security => {
                "there are no channel rules, authorities and password checks yet; they come with secure channels, \
                 and until then only this host can connect"
            }
            Self::Clusters => "there are no clusters yet",
            Self::Policies => "there is no protection of messages by policy",
            Self::Log => {
                "no extent of the recovery log waits to be archived; ferry log prune removes those that no image needs"
            }
            Self::Balancing => "applications are not shared out among queue managers",
        }
    }
}

impl AbsentCommand {
    /// Returns true if it asks for things of which there are none, and so finds nothing. A question about
    /// rights is refused instead: an answer without rules would say that nobody is let in, or everybody.
    pub fn finds_nothing(&self) -> bool {
        self.verb == "DISPLAY" && self.missing != Missing::Security
    }
}

const fn row(
    verb: &'static str,
    subject: &'static str,
    synonyms: &'static [&'static str],
    naming: Naming,
    missing: Missing,
) -> AbsentCommand {
    AbsentCommand { verb, subject, synonyms, naming, missing }
}

/// Every such command.
pub(super) static ABSENT: &[AbsentCommand] = &[
    row("START", "CHANNEL", &["CHL"], Naming::Required, Missing::Channels),
    row("START", "LISTENER", &["LSTR"], Naming::Optional, Missing::Listeners),
    row("START", "SERVICE", &[], Naming::Required, Missing::Services),
    row("START", "CHINIT", &[], Naming::None, Missing::Channels),
    row("STOP", "CHANNEL", &["CHL"], Naming::Required, Missing::Channels),
    row("STOP", "LISTENER", &["LSTR"], Naming::Optional, Missing::Listeners),
    row("STOP", "SERVICE", &[], Naming::Required, Missing::Services),
    row("STOP", "CHINIT", &[], Naming::None, Missing::Channels),
    row("PING", "CHANNEL", &["CHL"], Naming::Required, Missing::Channels),
    row("PURGE", "CHANNEL", &["CHL"], Naming::Required, Missing::Channels),
    row("RESET", "CHANNEL", &["CHL"], Naming::Required, Missing::Channels),
    row("RESET", "CLUSTER", &[], Naming::Required, Missing::Clusters),
    row("RESOLVE", "CHANNEL", &["CHL"], Naming::Required, Missing::Channels),
    row("REFRESH", "SECURITY", &["SEC"], Naming::Optional, Missing::Security),
    row("REFRESH", "CLUSTER", &[], Naming::Required, Missing::Clusters),
    row("RESUME", "QMGR", &[], Naming::None, Missing::Clusters),
    row("SUSPEND", "QMGR", &[], Naming::None, Missing::Clusters),
    row("SET", "CHLAUTH", &[], Naming::Required, Missing::Security),
    row("SET", "AUTHREC", &[], Naming::None, Missing::Security),
    row("SET", "POLICY", &[], Naming::Required, Missing::Policies),
    row("SET", "LOG", &[], Naming::None, Missing::Log),
    row("DELETE", "AUTHREC", &[], Naming::None, Missing::Security),
    row("DELETE", "POLICY", &[], Naming::Required, Missing::Policies),
    row("DISPLAY", "CHSTATUS", &["CHS"], Naming::Required, Missing::Channels),
    row("DISPLAY", "CHLAUTH", &[], Naming::Required, Missing::Security),
    row("DISPLAY", "AUTHREC", &[], Naming::None, Missing::Security),
    row("DISPLAY", "AUTHSERV", &[], Naming::None, Missing::Security),
    row("DISPLAY", "ENTAUTH", &[], Naming::None, Missing::Security),
    row("DISPLAY", "CLUSQMGR", &[], Naming::Required, Missing::Clusters),
    row("DISPLAY", "TCLUSTER", &[], Naming::Required, Missing::Clusters),
    row("DISPLAY", "LSSTATUS", &[], Naming::Required, Missing::Listeners),
    row("DISPLAY", "SVSTATUS", &[], Naming::Required, Missing::Services),
    row("DISPLAY", "POLICY", &[], Naming::Required, Missing::Policies),
    row("DISPLAY", "APSTATUS", &[], Naming::Optional, Missing::Balancing),
];
