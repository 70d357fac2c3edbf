//! Changing settings in the text of a `ferry.toml` without touching its comments: one by one, or those that a
//! `qm.ini` of another queue manager has.

use std::path::PathBuf;

use server::configuration;
use server::ini::{self, Translation, WithoutEffect};

use crate::bounded_input;
use terminal::failure::{Failure, Result};
use terminal::output::harmless;

/// The text with `key` of `section` set to `value`, which is TOML; whether it is a right one the reader of
/// the file says.
pub(crate) fn with(text: &str, section: &str, key: &str, value: &str) -> String {
    if let Some(said) = configuration::place_of(text, section, key) {
        return format!("{}{value}{}", &text[..said.start], &text[said.end..]);
    }
    let heading = format!("[{section}]");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let is_heading = |line: &String| line.split('#').next().is_some_and(|line| line.trim() == heading);
    let Some(start) = lines.iter().position(is_heading) else {
        lines.extend([String::new(), heading, format!("{key} = {value}")]);
        return lines.join("\n") + "\n";
    };
    let end = lines[start + 1..]
        .iter()
        .position(|line| line.trim_start().starts_with('['))
        .map_or(lines.len(), |end| start + 1 + end);
    let says = |line: &str| line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='));
    let section = &lines[start + 1..end];
    let in_comment = section.iter().position(|line| line.trim_start().strip_prefix('#').is_some_and(says));
    match in_comment {
        Some(place) => lines[start + 1 + place] = format!("{key} = {value}"),
        None => lines.insert(start + 1, format!("{key} = {value}")),
    }
    lines.join("\n") + "\n"
}

/// The text with this port of this machine as its address.
pub(crate) fn with_port(text: &str, port: u16) -> String {
    with(text, "listener", "addresses", &format!("[\"127.0.0.1:{port}\"]"))
}

/// The text with a change typed as `section.key=value`; a value that is no TOML is taken as a text.
pub(crate) fn apply(text: &str, change: &str) -> Result<String> {
    let wrong = || {
        Failure::usage(format!("\"{change}\" is not of the form section.key=value"))
            .next("for example --set log.extent_size=16MiB; docs/reference/settings.md lists the settings")
    };
    let (name, value) = change.split_once('=').ok_or_else(wrong)?;
    let (section, key) = name.trim().split_once('.').ok_or_else(wrong)?;
    let value = value.trim();
    let is_toml = value.starts_with(['"', '\'', '[', '{'])
        || matches!(value, "true" | "false")
        || (!value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_'));
    let value = if is_toml { value.to_owned() } else { format!("{value:?}") };
    Ok(with(text, section, key, &value))
}

/// The settings of a new queue manager as a `qm.ini` has them.
pub(crate) struct FromIni {
    /// The text of its `ferry.toml`.
    pub(crate) text: String,
    /// The keys that have no effect; the text has them as comments.
    pub(crate) without_effect: Vec<WithoutEffect>,
}

/// Reads files `qm.ini`, of which a later one stands above those before it; - is standard input.
pub(crate) fn from_ini(paths: &[PathBuf], queue_manager: &str) -> Result<FromIni> {
    let mut settings = configuration::default_file(queue_manager);
    let mut without_effect = Vec::new();
    for path in paths {
        let text = bounded_input::read_text(path, "file of settings", ini::FILE_BYTES_MAX)?;
        let translation = Translation::of(&text, path).map_err(|error| {
            Failure::usage(error.to_string())
                .in_lines()
                .next("correct the lines named; docs/reference/qm-ini.md lists the keys")
        })?;
        for change in &translation.changes {
            settings = with(&settings, change.section, change.key, &change.value);
        }
        without_effect.extend(translation.without_effect);
    }
    if !without_effect.is_empty() {
        settings.push_str("\n# Keys of qm.ini that have no effect:\n");
    }
    for WithoutEffect { said, reason, .. } in &without_effect {
        settings.push_str(&format!("#   {}: {reason}\n", harmless(said)));
    }
    Ok(FromIni { text: settings, without_effect })
}

/// A key that has no effect, in one line.
pub(crate) fn shown(WithoutEffect { said, line, reason }: &WithoutEffect) -> String {
    format!("line {line}: {} has no effect: {reason}", harmless(said))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# head\n\n[log]\n# about\n#size = \"64 MiB\"\n\n[listener]\n#size = 3\n";

    #[test]
    fn a_setting_takes_the_place_of_its_comment() {
        let changed = with(TEXT, "log", "size", "\"1 MiB\"");
        assert_eq!(changed, "# head\n\n[log]\n# about\nsize = \"1 MiB\"\n\n[listener]\n#size = 3\n");
        assert_eq!(with(&changed, "log", "size", "2").matches("size = 2").count(), 1);
    }

    #[test]
    fn a_setting_is_found_however_the_file_is_laid_out() {
        let text = "[log] # mine\n  size = 3 # small\n\n  [listener]\n  size = 4\n";
        let changed = "[log] # mine\n  size = 5 # small\n\n  [listener]\n  size = 4\n";
        assert_eq!(with(text, "log", "size", "5"), changed);
        assert_eq!(with(text, "log", "kind", "6").find("kind = 6").unwrap(), "[log] # mine\n".len());
        assert_eq!(with("[log]\n#size = 3\nsize = 4\n", "log", "size", "5"), "[log]\n#size = 3\nsize = 5\n");
        assert_eq!(with("[log]\nsize = [ # all\n  1,\n]\n#", "log", "size", "5"), "[log]\nsize = 5\n#");
        assert_eq!(with("log.size = 4\n", "log", "size", "5"), "log.size = 5\n");
    }

    #[test]
    fn a_setting_that_is_not_there_is_added_to_its_section() {
        assert!(with(TEXT, "log", "kind", "\"linear\"").contains("[log]\nkind = \"linear\"\n"));
        assert!(with(TEXT, "stop", "seconds", "1").ends_with("\n[stop]\nseconds = 1\n"));
    }

    #[test]
    fn what_is_typed_becomes_toml() {
        for (change, expected) in [
            ("log.size=16MiB", "size = \"16MiB\""),
            ("log.size=16", "size = 16"),
            ("log.size = [\"a\"]", "size = [\"a\"]"),
            ("log.size=true", "size = true"),
        ] {
            assert!(apply(TEXT, change).unwrap().contains(expected), "{change}");
        }
        assert!(apply(TEXT, "size=3").is_err() && apply(TEXT, "log.size").is_err());
    }
}
