//! Every scenario, on the engine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use queue_manager::Settings;
use sim::scenario::{EngineWorld, parse, run};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of scenarios")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    files.sort();
    files
}

fn settings() -> Settings {
    Settings {
        name: "QM1".parse().expect("a name"),
        memory_budget_bytes: 16 << 20,
        handles_max: 256,
        uncommitted_messages_max: 10_000,
        connections_max: 100,
        storage: storage::Settings { extent_bytes: 1 << 20, ..storage::Settings::default() },
        checkpoint_interval: Duration::from_secs(60),
    }
}

#[test]
fn every_scenario_holds_on_the_engine() {
    let mut held = 0;
    let mut failures = Vec::new();
    for file in files() {
        let text = std::fs::read_to_string(&file).expect("a scenario file");
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        for scenario in parse(&text).unwrap_or_else(|error| panic!("{name}: {error}")) {
            let mut world = EngineWorld::new(settings(), 1);
            match run(&scenario, &mut world) {
                Ok(()) => held += 1,
                Err(failure) => failures.push(format!("{name}, {failure}")),
            }
        }
    }
    assert!(failures.is_empty(), "{held} held, {} did not:\n{}", failures.len(), failures.join("\n"));
    assert!(held >= 47, "only {held} scenarios were found");
}
