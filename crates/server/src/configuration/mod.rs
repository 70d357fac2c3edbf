//! The settings of a queue manager: `ferry.toml` in its folder.
//!
//! Lives here: [`Configuration`], made from the one table of settings (`table`), which also gives the file
//! written at create, the reference page and the messages. A setting that is not in the file has its default.
//!
//! Always: what is not understood is refused with file, line, key, value and what would be right; nothing is
//! guessed and nothing ignored.

mod error;
mod machine_memory;
mod nearest;
pub use nearest::nearest;
mod reading;
mod reference;
mod table;
mod value;

use std::path::Path;
use std::time::Duration;

use mqi::QueueManagerName;
use queue_manager::{BranchBounds, Growth as Kind, GrowthBound, GrowthBounds};

use crate::bounded_input;
pub use error::{Error, Fault};
pub use reading::place_of;
pub use reference::{Explanation, default_file, explain, names, reference};
pub use table::{
    Checkpoint, Configuration, Errors, Growth, Health, Http, Limits, Listener, Local, Log, Memory, Metrics,
    Monitoring, Security, Stop, Threads, Xa,
};
pub use value::{
    Addresses, Also, Budget, Bytes, ChannelName, ErrorFormat, ListenerTls, LocalGroup, LogKind, LogWriter,
    Loopback, NamePatterns, PORT, PartDirectory, Reach, ServiceAddress, SystemLogPath, address,
    service_address,
};

/// The file's name in the queue manager's folder.
pub const FILE_NAME: &str = "ferry.toml";

/// Most bytes of it: a hundred times those that a queue manager is created with, comments included.
pub const FILE_BYTES_MAX: usize = 1 << 20;

impl Configuration {
    /// Reads a file. An absent one is refused: with the defaults a queue manager with a linear log would
    /// begin to write over what its images need.
    ///
    /// # Errors
    /// When it is not there, cannot be read, is not TOML, or says something that is not a setting: every such
    /// place at once.
    pub fn read(path: &Path) -> Result<Self, Error> {
        match bounded_input::read_text(path, "file of settings", FILE_BYTES_MAX) {
            Ok(text) => Self::parse(&text, path),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(Error::Absent { path: path.to_owned() })
            }
            Err(source) => Err(Error::Unreadable { path: path.to_owned(), source }),
        }
    }

    /// Understands the text of a file; `path` is for the messages.
    ///
    /// # Errors
    /// As [`Configuration::read`].
    pub fn parse(text: &str, path: &Path) -> Result<Self, Error> {
        reading::read(text).map_err(|faults| Error::Faults { path: path.to_owned(), faults })
    }

    /// Settings of the engine and of the storage below it.
    #[must_use]
    pub fn engine(&self, name: QueueManagerName) -> queue_manager::Settings {
        queue_manager::Settings {
            name,
            memory_budget_bytes: match self.memory.budget {
                Budget::Auto => machine_memory::budget_bytes(),
                Budget::Bytes(bytes) => bytes,
            },
            handles_max: self.limits.handles_max,
            uncommitted_messages_max: self.limits.uncommitted_messages_max,
            connections_max: self.limits.connections_max,
            storage: self.storage(),
            checkpoint_interval: Duration::from_secs(self.checkpoint.interval_seconds.into()),
            growth: self.growth_bounds(),
            branches: self.branch_bounds(),
            hold: Duration::from_secs(self.quota.hold_seconds.into()),
        }
    }

    /// Bounds for branches of transactions.
    fn branch_bounds(&self) -> BranchBounds {
        let Xa { branches_max, idle_seconds, active_seconds, prepared_messages_max } = self.xa;
        BranchBounds {
            open_max: branches_max,
            idle: Duration::from_secs(idle_seconds.into()),
            active: (active_seconds > 0).then(|| Duration::from_secs(active_seconds.into())),
            prepared_messages_max: prepared_messages_max.into(),
        }
    }

    /// Bounds for what users make.
    #[must_use]
    pub fn growth_bounds(&self) -> GrowthBounds {
        let Growth {
            dynamic_queues_user_max,
            dynamic_queues_max,
            subscriptions_user_max,
            subscriptions_max,
            definitions_user_max,
            definitions_max,
            authority_records_user_max,
            authority_records_max,
            retained_publications_user_max,
            retained_publications_max,
            automatic_channels_max,
            resolved_branches_user_max,
            resolved_branches_max,
            prepared_branches_user_max,
            prepared_branches_max,
        } = self.growth;
        let both = |user_max: u32, all_max: u32| GrowthBound {
            user_max: Some(user_max.into()),
            all_max: all_max.into(),
        };
        let all = |all_max: u32| GrowthBound { user_max: None, all_max: all_max.into() };
        GrowthBounds::of_each(|kind| match kind {
            Kind::DynamicQueues => both(dynamic_queues_user_max, dynamic_queues_max),
            Kind::Subscriptions => both(subscriptions_user_max, subscriptions_max),
            Kind::Definitions => both(definitions_user_max, definitions_max),
            Kind::AuthorityRecords => both(authority_records_user_max, authority_records_max),
            Kind::RetainedPublications => both(retained_publications_user_max, retained_publications_max),
            Kind::AutomaticChannels => all(automatic_channels_max),
            Kind::ResolvedBranches => both(resolved_branches_user_max, resolved_branches_max),
            Kind::PreparedBranches => both(prepared_branches_user_max, prepared_branches_max),
        })
    }

    /// Limits of channels.
    #[must_use]
    pub fn channel_limits(&self) -> queue_manager::ChannelLimits {
        let Limits { channels_max: current_max, active_channels_max: active_max, .. } = self.limits;
        queue_manager::ChannelLimits { current_max, active_max }
    }

    /// The topics and subscriptions that figures are made of; none where no pattern names any.
    #[must_use]
    pub fn topics_watched(&self) -> Option<queue_manager::TopicsWatched> {
        let Metrics { topics, topics_max, subscriptions, subscriptions_max, .. } = &self.metrics;
        let is_any_named = !topics.0.is_empty() || !subscriptions.0.is_empty();
        is_any_named.then(|| queue_manager::TopicsWatched {
            topics: topics.0.clone(),
            topics_max: *topics_max as usize,
            subscriptions: subscriptions.0.clone(),
            subscriptions_max: *subscriptions_max as usize,
        })
    }

    fn storage(&self) -> storage::Settings {
        let slow_io = self.log.slow_io_microseconds;
        storage::Settings {
            extent_bytes: self.log.extent_size.0,
            primary_extents: self.log.primary_extents,
            secondary_extents: self.log.secondary_extents,
            kind: match self.log.kind {
                LogKind::Circular => storage::LogKind::Circular,
                LogKind::Linear => storage::LogKind::Linear,
            },
            block_bytes_max: usize::try_from(self.log.block_size_max.0).unwrap_or(1 << 20),
            slow_io: (slow_io > 0).then(|| Duration::from_micros(slow_io.into())),
            spill_bytes_max: self.memory.spill_size_max.0,
        }
    }

    /// Reactors to run: what is set, or one on two processors and about half of them on larger machines.
    #[must_use]
    pub fn reactors(&self, processors: usize) -> usize {
        match self.threads.reactors {
            0 => (processors / 2).clamp(1, 32),
            set => set as usize,
        }
    }

    /// Limits of the reactors.
    #[must_use]
    pub fn transport(&self) -> transport::Limits {
        transport::Limits {
            connections_max: self.limits.connections_max as usize,
            favoured_max: queue_manager::ADMINISTRATORS_KEPT,
            turn_bytes_max: usize::try_from(self.limits.turn_size_max.0).unwrap_or(usize::MAX),
            backlog_bytes_max: usize::try_from(self.limits.backlog_size_max.0).unwrap_or(usize::MAX),
            handshake_within: Duration::from_secs(self.limits.login_seconds.into()),
            spin: self.threads.spin,
        }
    }
}

#[cfg(test)]
mod tests;
