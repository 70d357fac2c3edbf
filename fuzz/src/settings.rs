//! Files of settings: ours, which a person writes, and those of another queue manager, which a person brings.

use std::collections::BTreeMap;
use std::path::Path;

use server::ini::Translation;
use server::msmq;

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

/// Queues that MSMQ exported: the definitions are MQSC, one for each queue that is carried, and no error
/// repeats a long text.
pub fn msmq_queues(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let renamed =
        [msmq::Renamed { queue: "orders-in".to_owned(), name: "ORDERS.IN".parse().expect("a name") }];
    // A name for a queue that is not there is a fault of its own.
    for renamed in [&renamed[..], &[]] {
        match msmq::Translation::of(&text, renamed, Path::new("queues.json")) {
            Ok(translation) => {
                let commands = objects::mqsc::parse(&translation.script).expect("definitions are MQSC");
                assert_eq!(commands.len(), translation.queues, "{}", translation.script);
                let comments = translation.script.lines().filter(|line| line.starts_with("*   ")).count();
                assert_eq!(comments, translation.not_carried.len(), "each has a comment");
            }
            Err(error) => {
                let words = error.to_string();
                assert!(words.lines().all(|line| line.len() < 4_096), "{words}");
            }
        }
    }
}
