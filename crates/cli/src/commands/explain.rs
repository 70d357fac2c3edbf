//! `ferry explain`: the meaning of a number that a user was shown, and the remedy; of an attribute or a
//! setting, its values.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use clap::Args;
use mqi::Reason;
use objects::messages::{self, MessageRow};
use serde_json::{Value, json};

use server::configuration::{self, Explanation, nearest};
use terminal::common::Common;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step::NextStep;
use terminal::output::{self, Format, Paint};

/// Explains a code or message.
#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// Reason code (2033, MQRC_NO_MSG_AVAILABLE, q_full), message (FRY8006I), attribute (MAXDEPTH) or setting
    /// of ferry.toml (log.kind)
    #[arg(required = true, value_name = "CODE")]
    codes: Vec<String>,
}

/// Something that can be explained.
enum Subject {
    Reason(Reason),
    Message(&'static MessageRow),
    Attribute(String),
    Setting(Explanation),
}

/// Prints what each code means.
pub(crate) fn run(common: &Common, arguments: &ExplainArguments) -> Result<()> {
    let paint = Paint::for_stream(io::stdout().is_terminal());
    for (index, code) in arguments.codes.iter().enumerate() {
        let subjects = find(code);
        if subjects.is_empty() {
            return Err(not_found(code));
        }
        for (place, subject) in subjects.iter().enumerate() {
            match common.output {
                Format::Json => output::print_json(&subject.to_json())?,
                Format::Table => {
                    if index + place > 0 {
                        output::print_line("")?;
                    }
                    output::print_painted(subject.text(paint).trim_end())?;
                }
            }
        }
    }
    Ok(())
}

/// Everything a code can mean: most often one thing.
fn find(code: &str) -> Vec<Subject> {
    let code = code.trim();
    let reason = match code.parse::<i32>() {
        Ok(number) => Some(Reason::from_code(number)).filter(|reason| reason.is_defined()),
        Err(_) => Reason::by_name(code),
    };
    let mut subjects: Vec<Subject> = reason.map(Subject::Reason).into_iter().collect();
    subjects.extend(messages::find(code).map(Subject::Message));
    if subjects.is_empty() {
        subjects.extend(objects::reference::explain_attribute(code).map(Subject::Attribute));
        subjects.extend(configuration::explain(code).map(Subject::Setting));
    }
    subjects
}

impl Subject {
    fn text(&self, paint: Paint) -> String {
        let mut text = String::new();
        // Writing to a String does not fail.
        let _ = match self {
            Self::Reason(reason) => writeln!(
                text,
                "{}\n  {}\n  {} {}",
                paint.strong(format!("{} {}", reason.code(), reason.name())),
                reason.text(),
                paint.dim("next:"),
                reason.action()
            ),
            Self::Message(row) => writeln!(
                text,
                "{} {}\n  {}\n  {} {}",
                paint.strong(row.id()),
                row.text.replace("{}", "…"),
                row.explanation,
                paint.dim("next:"),
                row.action
            ),
            Self::Attribute(page) => writeln!(text, "{page}"),
            Self::Setting(setting) => writeln!(
                text,
                "{} (a setting of ferry.toml)\n  {}\n  Values: {}. Default: {}.",
                paint.strong(&setting.name),
                setting.meaning,
                setting.allowed,
                setting.default
            ),
        };
        text
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Reason(reason) => json!({
                "code": reason.code(), "name": reason.name(), "meaning": reason.text(), "next": reason.action(),
            }),
            Self::Message(row) => json!({
                "code": row.id(), "severity": row.severity.word(), "text": row.text,
                "meaning": row.explanation, "next": row.action,
            }),
            Self::Attribute(page) => json!({ "meaning": page }),
            Self::Setting(setting) => json!({
                "setting": setting.name, "meaning": setting.meaning, "allowed": setting.allowed,
                "default": setting.default,
            }),
        }
    }
}

fn not_found(code: &str) -> Failure {
    let failure = Failure::new(
        Exit::NotFound,
        format!("\"{code}\" is not a reason code, a message, an attribute or a setting"),
    );
    let near = near(code);
    if near.is_empty() {
        failure.next(NextStep::of(
            "ferry explain 2033, ferry explain MQRC_Q_FULL, ferry explain FRY8006I, ferry explain log.kind",
        ))
    } else {
        failure.next(format!("did you mean {}?", near.join(", ")))
    }
}

/// Most names offered for one that does not exist.
const NEAR_MAX: usize = 5;

/// Reasons whose name contains every word of what was typed, and the nearest setting.
fn near(code: &str) -> Vec<String> {
    let wanted = code.to_ascii_uppercase();
    let wanted = wanted.strip_prefix("MQRC_").unwrap_or(&wanted);
    let words: Vec<&str> = wanted.split(['_', ' ', '-']).filter(|word| word.len() > 1).collect();
    if words.is_empty() || wanted.bytes().all(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let contains = |reason: &&Reason| {
        words.iter().all(|word| reason.name().split('_').any(|part| part.starts_with(word)))
    };
    let reasons = Reason::ALL.iter().filter(contains).take(NEAR_MAX).map(|reason| reason.name().to_owned());
    reasons.chain(near_setting(code)).collect()
}

/// The setting whose name, or whose key alone, is nearest to what was typed.
fn near_setting(code: &str) -> Option<String> {
    let code = code.to_lowercase();
    let names: Vec<String> = configuration::names().collect();
    if let Some(name) = nearest(&code, names.iter().map(String::as_str)) {
        return Some(name.to_owned());
    }
    let key = nearest(&code, names.iter().filter_map(|name| Some(name.split_once('.')?.1)))?;
    names.iter().find(|name| name.ends_with(&format!(".{key}"))).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_found_by_number_name_and_message() {
        for code in ["2033", "MQRC_NO_MSG_AVAILABLE", "no_msg_available"] {
            assert!(matches!(find(code)[..], [Subject::Reason(Reason::NO_MSG_AVAILABLE)]), "{code}");
        }
        let first = messages::all().next().expect("there are messages");
        assert!(matches!(find(&first.id())[..], [Subject::Message(row)] if row == first));
        assert!(find("99999").is_empty() && find("nonsense!").is_empty());
    }

    #[test]
    fn what_nearly_names_a_reason_is_offered() {
        assert!(near("full").contains(&"MQRC_Q_FULL".to_owned()), "{:?}", near("full"));
        assert!(near("99999").is_empty());
    }

    #[test]
    fn a_setting_is_found_by_its_key_with_and_without_its_section() {
        for word in ["log.kind", "LOG.KIND", "primary_extents", "log.primary-extents"] {
            let found = find(word);
            assert!(
                matches!(&found[..], [Subject::Setting(setting)] if setting.name.starts_with("log.")),
                "{word}"
            );
        }
        for word in ["log.kindd", "primary_extent"] {
            assert!(find(word).is_empty(), "{word}");
            let said = not_found(word).to_string();
            assert!(said.contains("did you mean log."), "{said}");
        }
        assert!(find("nothing.kind").is_empty());
        insta::assert_snapshot!(find("log.extent_size")[0].text(Paint::PLAIN), @r#"
        log.extent_size (a setting of ferry.toml)
          Size of one log file. A larger log holds longer units of work and more changes between checkpoints.
          Values: a size from 1 MiB to 1 GiB in steps of 1 MiB. Default: "64 MiB".
        "#);
    }

    #[test]
    fn an_explanation_reads_as_meaning_and_next_step() {
        insta::assert_snapshot!(Subject::Reason(Reason::Q_FULL).text(Paint::PLAIN), @r"
        2053 MQRC_Q_FULL
          The queue has as many messages as it may.
          next: Get messages from it, or raise MAXDEPTH; see which program should get them (`DISPLAY QSTATUS(...)`).
        ");
    }
}
