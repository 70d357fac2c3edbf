//! Every scenario, on the engine.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use queue_manager::Settings;
use scenario::{Crashes, EngineWorld, Failure, Scenario, read_folder, run, run_with_crashes};

fn settings() -> Settings {
    Settings {
        name: "QM1".parse().expect("a name"),
        memory_budget_bytes: 16 << 20,
        handles_max: 256,
        uncommitted_messages_max: 10_000,
        connections_max: 100,
        storage: storage::Settings { extent_bytes: 1 << 20, ..storage::Settings::default() },
        checkpoint_interval: Duration::from_secs(60),
        growth: queue_manager::GrowthBounds::default(),
        branches: queue_manager::BranchBounds::default(),
        hold: queue_manager::HOLD,
    }
}

/// The scenarios with the word of FERRY_SCENARIO in their file or title, else all. True if there is such a
/// word.
fn wanted_scenarios() -> (Vec<(String, Scenario)>, bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut scenarios = read_folder(&folder).expect("the scenarios");
    let wanted = std::env::var("FERRY_SCENARIO").ok().map(|wanted| wanted.to_lowercase());
    if let Some(wanted) = &wanted {
        scenarios.retain(|(file, scenario)| {
            file.contains(wanted.as_str()) || scenario.title.to_lowercase().contains(wanted.as_str())
        });
        scenarios.iter().for_each(|(file, scenario)| println!("{file}: {}", scenario.title));
    }
    (scenarios, wanted.is_some())
}

#[test]
fn every_scenario_holds_on_the_engine() {
    let (scenarios, is_part) = wanted_scenarios();
    let failures: Vec<_> = scenarios
        .iter()
        .filter_map(|(file, scenario)| {
            let failure = run(scenario, &mut EngineWorld::new(settings(), 1)).err()?;
            Some(format!("{file}, {failure}"))
        })
        .collect();
    let count = scenarios.len();
    assert!(failures.is_empty(), "{} of {count} do not hold:\n{}", failures.len(), failures.join("\n"));
    let least = if is_part { 1 } else { 300 };
    assert!(count >= least, "only {count} scenarios were found");
}

/// Most steps that power cuts may find without a model beside the engine. The next that is taught makes it
/// less.
const UNCOMPARED_MAX: u64 = 906;

/// Runs each scenario with crashes for each seed, as many at a time as the machine has processors.
fn crash_all(scenarios: &[(String, Scenario)], seeds: u64) -> Vec<(&str, Result<Crashes, Failure>)> {
    let runs: Vec<_> = (1..=seeds)
        .flat_map(|seed| scenarios.iter().map(move |(file, scenario)| (seed, file, scenario)))
        .collect();
    let next = AtomicUsize::new(0);
    let run_some = || -> Vec<_> {
        let claimed = std::iter::from_fn(|| runs.get(next.fetch_add(1, Ordering::Relaxed)));
        claimed
            .map(|&(seed, file, scenario)| (&**file, run_with_crashes(scenario, &settings(), seed)))
            .collect()
    };
    testing::threads::on_every_processor(run_some).into_iter().flatten().collect()
}

#[test]
fn every_scenario_holds_with_the_power_cut_anywhere() {
    let (scenarios, is_part) = wanted_scenarios();
    // With each seed something else survives.
    let seeds = std::env::var("FERRY_SEEDS").map_or(1, |seeds| seeds.parse().expect("a number of seeds"));
    let mut total = Crashes::default();
    let mut failures = Vec::new();
    for (file, outcome) in crash_all(&scenarios, seeds) {
        match outcome {
            Ok(crashes) => total.add(crashes),
            Err(failure) => failures.push(format!("{file}, {failure}")),
        }
    }
    println!("{} scenarios: {total}", scenarios.len());
    assert!(failures.is_empty(), "{} do not hold:\n{}", failures.len(), failures.join("\n"));
    assert!(total.pairs >= if is_part { 1 } else { 600 }, "only {total}");
    let alone = total.steps_uncompared();
    assert!(
        alone <= UNCOMPARED_MAX * seeds,
        "{alone} steps of {seeds} seeds are done without the model, {UNCOMPARED_MAX} of each may be: {total}"
    );
}
