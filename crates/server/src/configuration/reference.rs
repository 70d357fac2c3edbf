//! The table of settings as text: the file written at create, and the reference page.

use std::fmt::Write;

use super::table::rows;

/// The file written when a queue manager is created: every setting with its meaning, all commented out, so
/// that defaults of later releases apply unless an administrator decides.
#[must_use]
pub fn default_file(queue_manager: &str) -> String {
    let mut text = format!(
        "# Settings of queue manager {queue_manager}. What is commented out has the value shown.\n\
         # They are read when the queue manager starts.\n"
    );
    for section in rows() {
        text.push('\n');
        comment(&mut text, section.about);
        let _ = writeln!(text, "[{}]", section.name);
        for setting in section.settings {
            text.push('\n');
            comment(&mut text, setting.about);
            let _ = writeln!(text, "# ({})", setting.allowed);
            let _ = writeln!(text, "#{} = {}", setting.key, setting.default);
        }
    }
    text
}

fn comment(text: &mut String, lines: &[&str]) {
    for line in lines {
        let _ = writeln!(text, "#{line}");
    }
}

/// The reference page of all settings.
#[must_use]
pub fn reference() -> String {
    let mut text = String::from(
        "# Settings\n\n\
         The file `ferry.toml` in a queue manager's folder holds its settings. It is read at start-up and must \
         exist. A setting that is not in the file has its default; one that is not on this page is refused.\n\n\
         This page is made from the table of settings; `cargo test -p server` compares it.\n",
    );
    for section in rows() {
        let _ = write!(text, "\n## `[{}]`\n\n{}\n", section.name, section.about.join("").trim());
        for setting in section.settings {
            let _ = write!(
                text,
                "\n### `{}`\n\n{}\n\n- Default: `{}`\n- Allowed: {}\n",
                setting.key,
                setting.about.join("").trim(),
                setting.default,
                setting.allowed,
            );
        }
    }
    text
}

/// The settings that a word names, by key or by section and key, each with its meaning, default and allowed
/// values.
pub fn explain(word: &str) -> impl Iterator<Item = Explanation> {
    let word = word.trim().to_lowercase();
    let word = word.trim_matches(['[', ']']).replace('-', "_");
    rows().into_iter().flat_map(move |section| {
        let word = word.clone();
        section.settings.into_iter().filter_map(move |setting| {
            let name = format!("{}.{}", section.name, setting.key);
            (word == name || word == setting.key).then(|| Explanation {
                name,
                meaning: setting.about.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" "),
                default: setting.default,
                allowed: setting.allowed,
            })
        })
    })
}

/// The names of all settings, with their sections.
pub fn names() -> impl Iterator<Item = String> {
    rows().into_iter().flat_map(|section| {
        section.settings.into_iter().map(move |setting| format!("{}.{}", section.name, setting.key))
    })
}

/// A setting, for a person who asks for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Section and key.
    pub name: String,
    /// Its effect.
    pub meaning: String,
    /// The value without a line in the file, as the file has it.
    pub default: String,
    /// The values that can be given.
    pub allowed: String,
}
