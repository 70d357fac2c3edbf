//! Files of a queue manager with one queue, made once.

use std::time::Duration;

use platform::simulated::{DiskImage, Machine, SimulatedDisk};
use queue_manager::Settings;

use crate::subjects::Listener;

/// The name of the queue.
pub(super) const QUEUE: &str = "Q";

/// The files.
#[derive(Debug)]
pub struct Prepared {
    image: DiskImage,
}

/// Settings under which bodies stay in memory, or leave it at once.
pub(super) fn settings(memory_budget_bytes: u64) -> Settings {
    Settings {
        name: "MANY".parse().expect("a name"),
        memory_budget_bytes,
        handles_max: 16,
        uncommitted_messages_max: 1000,
        connections_max: 100,
        storage: storage::Settings {
            extent_bytes: 1 << 20,
            primary_extents: 2,
            secondary_extents: 8,
            slow_io: None,
            ..storage::Settings::default()
        },
        checkpoint_interval: Duration::ZERO,
        growth: queue_manager::GrowthBounds::default(),
        branches: queue_manager::BranchBounds::default(),
        hold: queue_manager::HOLD,
    }
}

impl Prepared {
    /// Makes them.
    ///
    /// # Panics
    /// When the simulated machine refuses, which it does not unless told to.
    #[must_use]
    pub fn make() -> Self {
        let machine = Machine::new(0);
        let settings = settings(1 << 20);
        queue_manager::QueueManager::create(&machine.world(), &settings).expect("files can be made");
        let listener = std::sync::Arc::new(Listener::default());
        let manager = queue_manager::QueueManager::open(machine.world(), settings, listener);
        let manager = manager.expect("files can be opened");
        let text = format!("DEFINE QLOCAL({QUEUE}) MAXDEPTH(100000)");
        for command in &objects::mqsc::parse(&text).expect("a command") {
            let _ = manager.execute(command).map(|response| assert!(response.is_ok(), "{response:?}"));
        }
        // What would be left for the first tick of every history.
        manager.tick();
        while let Some(job) = manager.take_job() {
            job.run();
        }
        manager.close();
        Self { image: machine.disk.image() }
    }

    /// A disk with them.
    pub(super) fn disk(&self) -> SimulatedDisk {
        self.image.without_crash()
    }
}
