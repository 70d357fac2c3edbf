//! Files of settings: ours, which a person writes, and those of another queue manager, which a person brings.

use std::collections::BTreeMap;
use std::path::Path;

use server::ini::Translation;

/// `ferry.toml`, which a person writes.
pub fn configuration(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match server::Configuration::parse(&text, Path::new("ferry.toml")) {
        // What is accepted must make settings that the engine takes.
        Ok(configuration) => {
            let settings = configuration.engine(mqi::QueueManagerName::BLANK);
            assert!(settings.storage.extent_bytes > 0 && configuration.reactors(2) > 0, "bounds hold");
        }
        Err(error) => drop(error.to_string()),
    }
}

/// A `qm.ini`: its settings together make a `ferry.toml` that is right, and no error repeats a long line.
pub fn qm_ini(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match Translation::of(&text, Path::new("qm.ini")) {
        Ok(translation) => {
            let mut sections: BTreeMap<&str, String> = BTreeMap::new();
            for change in &translation.changes {
                let section = sections.entry(change.section).or_default();
                section.push_str(&format!("{} = {}\n", change.key, change.value));
            }
            let settings: String =
                sections.iter().map(|(name, keys)| format!("[{name}]\n{keys}\n")).collect();
            let parsed = server::Configuration::parse(&settings, Path::new("ferry.toml"));
            assert!(parsed.is_ok(), "{settings}");
            let keys = text.lines().filter(|line| line.contains('=')).count();
            assert!(
                translation.without_effect.len() + translation.changes.len() <= keys,
                "each key counts once"
            );
        }
        Err(error) => drop(error.to_string()),
    }
}
