//! What a queue manager that was stopped has on its disk.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use platform::World;
use storage::{Durable, Fatal, LoggedRecord, Observer, Record, Storage};

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

/// Opens it as a start does; give it a copy, because a start writes.
pub(crate) fn record(folder: &Path, name: &str) -> Result<()> {
    let configuration = folder.join("ferry.toml");
    let text =
        fs::read(&configuration).with_context(|| format!("{} cannot be read", configuration.display()))?;
    super::keep("configuration", name, &text)?;
    let settings = server::Configuration::read(&configuration)?.engine(name_of(folder)?).storage;
    let (mut definitions, mut descriptors) = (BTreeSet::new(), BTreeSet::new());
    let mut replay = |_: &storage::Recovered, logged: LoggedRecord<'_>| {
        match logged.record {
            Record::Define { definition, .. } => {
                definitions.insert(definition.to_vec());
            }
            Record::Put { descriptor, .. } => {
                descriptors.insert(descriptor.to_vec());
            }
            _ => {}
        }
        Ok(())
    };
    let world = World::of_machine(folder);
    let (_, recovered) = Storage::open(&world, &settings, Arc::new(Nobody), &mut replay)
        .map_err(|error| anyhow!("{}: {error}", folder.display()))?;
    for (index, definition) in definitions.iter().take(SEEDS_MAX).enumerate() {
        super::keep("definition", &format!("{name}-{index}"), definition)?;
    }
    for (index, descriptor) in descriptors.iter().take(SEEDS_MAX).enumerate() {
        super::keep("engine_state", &format!("{name}-descriptor-{index}"), descriptor)?;
    }
    if let Some(snapshot) = &recovered.snapshot {
        super::keep("engine_state", &format!("{name}-checkpoint"), snapshot)?;
    }
    Ok(())
}

fn name_of(folder: &Path) -> Result<mqi::QueueManagerName> {
    let name = folder.file_name().and_then(|name| name.to_str()).context("the folder has no name")?;
    name.parse().map_err(|error| anyhow!("{name} is no queue manager: {error}"))
}
