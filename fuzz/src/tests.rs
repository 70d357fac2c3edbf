use std::fs;
use std::path::{Path, PathBuf};

/// The seeds of a target that were recorded from real runs.
fn recorded(target: &str, is_recorded: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(&is_recorded)).collect()
}

/// A format that changes leaves seeds that its decoder refuses at once, and mutations of them that show
/// nothing.
#[test]
fn recorded_seeds_are_of_the_formats_of_now() {
    type Decodes = fn(&[u8]) -> bool;
    let is_session = |name: &str| name.ends_with("-client") || name.ends_with("-server");
    let is_of_directory = |name: &str| name.starts_with("seed-");
    let targets: [(&str, Vec<PathBuf>, Decodes); 4] = [
        (
            "protected",
            recorded("protected", |name| ["signed", "both", "encrypted"].contains(&name)),
            super::opens,
        ),
        ("engine_state", recorded("engine_state", is_of_directory), queue_manager::decode_any),
        ("definition", recorded("definition", is_of_directory), |bytes| {
            objects::Definition::decode(bytes).is_ok()
        }),
        ("channel_frames", recorded("channel_frames", is_session), channel::decode_any),
    ];
    for (target, seeds, decodes) in targets {
        let is_refused = |path: &&PathBuf| !decodes(&fs::read(path).expect("a seed is read"));
        let refused: Vec<_> = seeds.iter().filter(is_refused).collect();
        println!("{target}: {} of {} recorded seeds decode", seeds.len() - refused.len(), seeds.len());
        assert!(!seeds.is_empty(), "{target} has recorded seeds");
        assert!(
            refused.is_empty(),
            "{target}: `fuzz/record-seeds.sh` records anew what is refused: {refused:?}"
        );
    }
}
