//! The files of a queue manager that was stopped.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use platform::World;
use storage::{
    Durable, Fatal, LoggedRecord, Observer, OpenError, Record, Recovered, Restarted, Storage, StoredHead,
};

/// Most seeds of one kind from one directory.
const SEEDS_MAX: usize = 12;

/// Nobody is told anything: nothing is written.
struct Nobody;

impl Observer for Nobody {
    fn log_has_work(&self) {}
    fn durable(&self, _durable: Durable) {}
    fn slow_io(&self, _operation: &str, _bytes: usize, _micros: u64) {}
    fn failed(&self, _failure: &Fatal) {}
}

/// State that a start was shown.
#[derive(Default)]
struct Found {
    snapshot: Option<Vec<u8>>,
    definitions: BTreeSet<Vec<u8>>,
    descriptors: BTreeSet<Vec<u8>>,
}

impl Restarted for Found {
    fn begin(&mut self, recovered: &Recovered) -> Result<(), OpenError> {
        self.snapshot = recovered.snapshot.as_deref().map(<[u8]>::to_vec);
        Ok(())
    }

    fn stored(&mut self, _stored: &StoredHead) {}

    fn logged(&mut self, logged: LoggedRecord<'_>) -> Result<(), OpenError> {
        match logged.record {
            Record::Define { definition, .. } => {
                self.definitions.insert(definition.to_vec());
            }
            Record::Put { descriptor, .. } => {
                self.descriptors.insert(descriptor.to_vec());
            }
            Record::PutMany { copies, .. } => {
                self.descriptors.extend(copies.iter().map(|copy| copy.descriptor.to_vec()));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Opens it as a start does; give it a copy, because a start writes.
pub(crate) fn record(folder: &Path, name: &str) -> Result<()> {
    let configuration = folder.join("ferry.toml");
    let text =
        fs::read(&configuration).with_context(|| format!("{} cannot be read", configuration.display()))?;
    super::keep("configuration", name, &text)?;
    let settings = server::Configuration::read(&configuration)?.engine(name_of(folder)?).storage;
    let world = World::of_machine(folder);
    let mut found = Found::default();
    Storage::open(&world, &settings, Arc::new(Nobody), &mut found)
        .map_err(|error| anyhow!("{}: {error}", folder.display()))?;
    for (index, definition) in found.definitions.iter().take(SEEDS_MAX).enumerate() {
        super::keep("definition", &format!("{name}-{index}"), definition)?;
    }
    for (index, descriptor) in found.descriptors.iter().take(SEEDS_MAX).enumerate() {
        super::keep("engine_state", &format!("{name}-descriptor-{index}"), descriptor)?;
    }
    if let Some(snapshot) = &found.snapshot {
        super::keep("engine_state", &format!("{name}-checkpoint"), snapshot)?;
    }
    Ok(())
}

fn name_of(folder: &Path) -> Result<mqi::QueueManagerName> {
    let name = folder.file_name().and_then(|name| name.to_str()).context("the folder has no name")?;
    name.parse().map_err(|error| anyhow!("{name} is no queue manager: {error}"))
}
