//! The second phase of a start: the engine opens its files, and goes on from the log.

use std::sync::Arc;

use objects::messages::UNEXPECTED_END;
use platform::World;
use queue_manager::{ChannelWays, QueueManager};

use super::bind::Bound;
use super::start::{Start, StartError, refused};
use crate::audit::{Audit, Kept};
use crate::ending::Mode;
use crate::exit::end_by_own_decision;
use crate::host::{OnFailure, ServerHost};
use crate::runtime_state::{UnexpectedEnd, separated};

/// A start whose engine is open. From here on the folder is its own.
pub(super) struct Opened {
    pub(super) queue_manager: QueueManager,
    pub(super) host: Arc<ServerHost>,
    /// The record of refusals, where no login may be without it.
    pub(super) required: Option<Kept>,
    pub(super) bound: Bound,
}

impl Opened {
    pub(super) fn open(start: &Start<'_>, bound: Bound) -> Result<Self, StartError> {
        let &Start { options, folder, configuration, errors, .. } = start;
        let is_required = configuration.audit.required;
        let audit = Audit::open(&folder.audit(), errors.clone(), is_required);
        let audit = audit.map_err(refused("start threads"))?;
        let required = is_required.then(|| audit.kept());
        let (names, on_failure) = (options.names.clone(), on_failure(start));
        let host = ServerHost::new(folder.path(), folder.name(), errors.clone(), audit, names, on_failure);
        let host = Arc::new(host);
        // As an administrator means it now, wherever the directory that this process works in is moved to.
        let path = std::path::absolute(folder.path()).map_err(refused("find the working directory"))?;
        let mut world = World::of_machine(path);
        if let Some(disk) = &options.disk {
            world.disk = Arc::clone(disk);
        }
        let engine: Arc<dyn queue_manager::Host> = host.clone();
        let queue_manager = QueueManager::open(world, configuration.engine(options.name), engine)?;
        if let Some(watched) = configuration.topics_watched() {
            queue_manager.figures().watch_topics(watched);
        }
        queue_manager.channels().set_ways(ChannelWays {
            adopts_partners: configuration.channels.adopt_new,
            starts_for_messages: !options.local_only,
            limits: configuration.channel_limits(),
        });
        if let Some(end) = UnexpectedEnd::of(folder) {
            let found = separated(queue_manager.figures().messages_found());
            let inserts = [options.name.to_string(), end.to_string(), found, end.lost_messages()];
            errors.write(&UNEXPECTED_END, inserts);
        }
        Ok(Self { queue_manager, host, required, bound })
    }
}

/// When the log failed nothing more becomes durable, so no gate opens any more and the end must come at once.
fn on_failure(start: &Start<'_>) -> OnFailure {
    let (errors, ending) = (start.errors.clone(), Arc::clone(&start.ending));
    let (context, ends_process) = (format!("{:#?}", start.configuration), start.options.ends_process);
    Box::new(move |what| {
        if ends_process {
            end_by_own_decision(what, || errors.failure(what, &context));
        }
        errors.failure(what, &context);
        ending.ask(Mode::Preemptive, "the failure of its log");
    })
}
