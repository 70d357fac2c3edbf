//! The kinds of things that users make, each with its bounds, its settings and its commands.

use std::fmt;

/// Number of the kinds.
pub(super) const KINDS: usize = Growth::ALL.len();

/// A kind of things that users make and that outlive their programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Growth {
    /// Queues made from model queues with DEFTYPE(PERMDYN), except those that subscriptions manage.
    DynamicQueues,
    /// Durable subscriptions, each with the queue that is managed for it.
    Subscriptions,
    /// Objects that commands define, records of channels among them.
    Definitions,
    /// Authority records.
    AuthorityRecords,
    /// Publications that are retained, one for each topic.
    RetainedPublications,
    /// Receivers that the calls of partners made.
    AutomaticChannels,
    /// Branches that a person decided and nobody has forgotten.
    ResolvedBranches,
    /// Branches that are prepared and wait for their coordinators.
    PreparedBranches,
}

/// The bounds for a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrowthBound {
    /// Most things of one user; none where the maker is a partner, or not known.
    pub user_max: Option<u64>,
    /// Most things of all users together.
    pub all_max: u64,
}

/// The bounds for every kind. Each has its home in `ferry.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrowthBounds([GrowthBound; KINDS]);

impl Growth {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::DynamicQueues,
        Self::Subscriptions,
        Self::Definitions,
        Self::AuthorityRecords,
        Self::RetainedPublications,
        Self::AutomaticChannels,
        Self::ResolvedBranches,
        Self::PreparedBranches,
    ];

    /// The things, for people.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::DynamicQueues => "permanent dynamic queues",
            Self::Subscriptions => "durable subscriptions",
            Self::Definitions => "defined objects",
            Self::AuthorityRecords => "authority records",
            Self::RetainedPublications => "retained publications",
            Self::AutomaticChannels => "automatically defined channels",
            Self::ResolvedBranches => "branches that were decided by hand",
            Self::PreparedBranches => "prepared branches",
        }
    }

    /// The setting that bounds the things of all users.
    #[must_use]
    pub fn setting(self) -> &'static str {
        match self {
            Self::DynamicQueues => "growth.dynamic_queues_max",
            Self::Subscriptions => "growth.subscriptions_max",
            Self::Definitions => "growth.definitions_max",
            Self::AuthorityRecords => "growth.authority_records_max",
            Self::RetainedPublications => "growth.retained_publications_max",
            Self::AutomaticChannels => "growth.automatic_channels_max",
            Self::ResolvedBranches => "growth.resolved_branches_max",
            Self::PreparedBranches => "growth.prepared_branches_max",
        }
    }

    /// The setting that bounds the things of one user, if one does.
    #[must_use]
    pub fn user_setting(self) -> Option<&'static str> {
        match self {
            Self::DynamicQueues => Some("growth.dynamic_queues_user_max"),
            Self::Subscriptions => Some("growth.subscriptions_user_max"),
            Self::Definitions => Some("growth.definitions_user_max"),
            Self::AuthorityRecords => Some("growth.authority_records_user_max"),
            Self::RetainedPublications => Some("growth.retained_publications_user_max"),
            Self::AutomaticChannels => None,
            Self::ResolvedBranches => Some("growth.resolved_branches_user_max"),
            Self::PreparedBranches => Some("growth.prepared_branches_user_max"),
        }
    }

    /// The command that lists the things, each with its maker where that is known. It names nobody, since the
    /// name of a user is no part of a command that an administrator is told to give.
    #[must_use]
    pub fn listing(self) -> &'static str {
        match self {
            Self::DynamicQueues => "DISPLAY QLOCAL(*) WHERE(DEFTYPE EQ PERMDYN) MAKER",
            Self::Subscriptions => "DISPLAY SUB(*) WHERE(DURABLE EQ YES) MAKER",
            Self::Definitions => "DISPLAY QUEUE(*) MAKER",
            Self::AuthorityRecords => "DISPLAY AUTHREC",
            Self::RetainedPublications => "DISPLAY TPSTATUS('#') WHERE(RETAINED EQ YES)",
            Self::AutomaticChannels => "DISPLAY CHANNEL(*) WHERE(AUTODEF EQ 1)",
            Self::ResolvedBranches | Self::PreparedBranches => "DISPLAY CONN(*) TYPE(CONN) UOWSTATE",
        }
    }

    /// The command that ends one.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::DynamicQueues => "DELETE QLOCAL(name) PURGE",
            Self::Subscriptions => "DELETE SUB(name)",
            Self::Definitions => "DELETE",
            Self::AuthorityRecords => "DELETE AUTHREC",
            Self::RetainedPublications => "CLEAR TOPICSTR(topic) CLRTYPE(RETAINED)",
            Self::AutomaticChannels => "DELETE CHANNEL(name)",
            Self::ResolvedBranches => "RESOLVE INDOUBT(number) ACTION(FORGET)",
            Self::PreparedBranches => "RESOLVE INDOUBT(number) ACTION(BACKOUT)",
        }
    }

    pub(super) fn index(self) -> usize {
        self as usize
    }
}

impl GrowthBounds {
    /// Asks for the bounds of each kind.
    #[must_use]
    pub fn of_each(bound: impl FnMut(Growth) -> GrowthBound) -> Self {
        Self(Growth::ALL.map(bound))
    }

    /// The bounds of a kind.
    #[must_use]
    pub fn of(&self, growth: Growth) -> GrowthBound {
        self.0[growth.index()]
    }

    /// These bounds with others for a kind.
    #[must_use]
    pub fn with(mut self, growth: Growth, bound: GrowthBound) -> Self {
        self.0[growth.index()] = bound;
        self
    }
}

impl Default for GrowthBounds {
    fn default() -> Self {
        Self::of_each(|growth| match growth {
            Growth::AutomaticChannels => GrowthBound { user_max: None, all_max: 100 },
            Growth::ResolvedBranches => GrowthBound { user_max: Some(1_000), all_max: 10_000 },
            Growth::PreparedBranches => GrowthBound { user_max: Some(1_000), all_max: 5_000 },
            _ => GrowthBound { user_max: growth.user_setting().map(|_| 10_000), all_max: 1_000_000 },
        })
    }
}

/// The owners of counted things: one user, or all together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A user.
    User(Box<str>),
    /// All users together.
    All,
}

/// The beginning of a sentence about the number of things: `user eve has`.
impl fmt::Display for Owner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(name) => write!(formatter, "user {} has", name.escape_debug()),
            Self::All => formatter.write_str("there are"),
        }
    }
}

/// One more thing was asked for than a bound allows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{owner} {bound} {}, as many as {setting} allows: end some by {}, or raise the setting in ferry.toml",
    growth.noun(),
    growth.ending()
)]
pub struct GrowthRefusal {
    /// The kind.
    pub growth: Growth,
    /// The owner whose bound it is.
    pub owner: Owner,
    /// The bound that holds.
    pub bound: u64,
    /// The setting that it comes from.
    pub setting: &'static str,
}

/// A count that is near its bound, or has reached it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrowthNear {
    /// The kind.
    pub growth: Growth,
    /// The owner.
    pub owner: Owner,
    /// The things there are.
    pub count: u64,
    /// The bound that holds.
    pub bound: u64,
    /// The setting that it comes from.
    pub setting: &'static str,
}

impl GrowthNear {
    /// The inserts of the message that tells of it.
    pub fn inserts(&self) -> [String; 6] {
        let Self { growth, owner, count, bound, setting } = self;
        let told = [growth.noun(), setting, growth.listing(), growth.ending()];
        let [noun, setting, listing, ending] = told.map(str::to_owned);
        [format!("{owner} {count}"), noun, bound.to_string(), setting, listing, ending]
    }
}

#[cfg(test)]
mod tests {
    use super::Growth;

    /// The page for administrators, which lists all kinds.
    const PAGE: &str = include_str!("../../../../../docs/reference/growth.md");

    #[test]
    fn the_reference_page_lists_each_kind_with_its_settings_and_commands() {
        for growth in Growth::ALL {
            let row = PAGE.lines().find(|line| line.contains(&format!("`{}`", growth.setting())));
            let row = row.unwrap_or_else(|| panic!("{} is not on the page", growth.setting()));
            let said =
                [Some(growth.noun()), growth.user_setting(), Some(growth.listing()), Some(growth.ending())];
            for part in said.into_iter().flatten() {
                assert!(row.contains(part), "{part} is not in {row}");
            }
        }
    }

    #[test]
    fn each_kind_has_an_index_of_its_own() {
        for (index, growth) in Growth::ALL.into_iter().enumerate() {
            assert_eq!(growth.index(), index);
        }
    }
}
