//! The reference pages made from the tables: attributes and messages.

use std::fmt::Write as _;

use crate::attributes::{self, Access, Attribute, Effect, Identifier, Kind, StatusType, Subject};
use crate::messages;
use crate::object_type::ObjectType;

/// `docs/reference/attributes.md`.
pub fn attributes_page() -> String {
    let mut page = String::from(
        "# Attributes\n\n\
         Made from the attribute tables by `cargo xtask docs`; change those, then run it again.\n\n\
         *kept* marks attributes that are stored, displayed and answered to MQINQ while nothing depends on them yet.\n\
         *shown* marks those that an administrator can see but not set, *once* those that DEFINE sets and ALTER does not.\n",
    );
    for object_type in ObjectType::all() {
        section(
            &format!("{} attributes", object_type.full_keyword()),
            Subject::Object(object_type),
            &mut page,
        );
    }
    for (heading, status) in [
        ("DISPLAY QMSTATUS", StatusType::QueueManager),
        ("DISPLAY QSTATUS TYPE(QUEUE)", StatusType::Queue),
        ("DISPLAY QSTATUS TYPE(HANDLE)", StatusType::QueueHandle),
        ("RESET QSTATS", StatusType::QueueStatistics),
        ("DISPLAY CONN TYPE(CONN)", StatusType::Connection),
        ("DISPLAY CONN TYPE(HANDLE)", StatusType::ConnectionHandle),
        ("DISPLAY CONN TYPE(HANDLE), of a unit of work that is prepared", StatusType::PreparedMessage),
        ("DISPLAY TPSTATUS TYPE(TOPIC)", StatusType::Topic),
        ("DISPLAY TPSTATUS TYPE(SUB)", StatusType::TopicSubscription),
        ("DISPLAY TPSTATUS TYPE(PUB)", StatusType::TopicPublisher),
        ("DISPLAY SBSTATUS", StatusType::Subscription),
        ("DISPLAY PUBSUB", StatusType::PublishSubscribe),
        ("DISPLAY CHSTATUS", StatusType::Channel),
        ("DISPLAY LSSTATUS", StatusType::Listener),
        ("DISPLAY AUTHREC", StatusType::AuthorityRecord),
        ("DISPLAY ENTAUTH", StatusType::EntityAuthority),
        ("DISPLAY AUTHSERV", StatusType::AuthorityService),
    ] {
        section(heading, Subject::Status(status), &mut page);
    }
    page
}

/// `docs/reference/kept-attributes.md`.
pub fn kept_page() -> String {
    let mut page = String::from(
        "# Attributes without effect yet\n\n\
         Made from the attribute tables by `cargo xtask docs`; change those, then run it again.\n\n\
         These are kept with the object, displayed and answered to MQINQ, while nothing depends on them yet.\n\n| object | attributes |\n|---|---|\n",
    );
    for object_type in ObjectType::all() {
        let rows = attributes::of(Subject::Object(object_type));
        let kept = rows.filter(|row| row.is_settable() && row.effect == Effect::KeptOnly);
        let keywords: Vec<String> = kept.map(|row| format!("`{}`", row.keyword)).collect();
        if !keywords.is_empty() {
            let _ = writeln!(page, "| {} | {} |", object_type.full_keyword(), keywords.join(" "));
        }
    }
    page
}

/// `docs/reference/messages.md`.
pub fn messages_page() -> String {
    let mut page = String::from(
        "# Messages\n\nMade from the message table by `cargo xtask docs`; change that, then run it again.\n",
    );
    for row in messages::all() {
        let _ = write!(
            page,
            "\n## {}\n\n`{}`\n\n{}\n\n**What to do:** {}\n",
            row.id(),
            row.text,
            row.explanation,
            row.action
        );
    }
    page
}

/// Describes one attribute, as `ferry explain MAXDEPTH` prints it.
pub fn explain_attribute(keyword: &str) -> Option<String> {
    let keyword = keyword.trim().to_ascii_uppercase();
    let mut text = String::new();
    for object_type in ObjectType::all() {
        let Some(row) = attributes::by_keyword(Subject::Object(object_type), &keyword) else { continue };
        let _ = writeln!(text, "{} of {}: {}", row.keyword, object_type.full_keyword(), row.meaning);
        let _ = writeln!(text, "  Values: {}. {}", row.kind.expectation(), note(row));
    }
    (!text.is_empty()).then_some(text)
}

fn section(heading: &str, subject: Subject, page: &mut String) {
    let _ = write!(
        page,
        "\n## {heading}\n\n| attribute | values | default | number | |\n|---|---|---|---|---|\n"
    );
    for row in attributes::of(subject) {
        let (Identifier::Selector(number) | Identifier::Pcf(number)) = row.identifier;
        let default = match row.access {
            Access::Alterable | Access::Definable => format!("`{}`", shown_default(row)),
            _ => String::new(),
        };
        let mark = match (row.access, row.effect) {
            (Access::Alterable, Effect::Active) => "",
            (Access::Alterable, Effect::KeptOnly) => " *kept*",
            (Access::Definable, Effect::Active) => " *once*",
            (Access::Definable, Effect::KeptOnly) => " *kept, once*",
            _ => " *shown*",
        };
        let mut names = row.keyword.to_owned();
        if let Kind::Switch { off, .. } = row.kind {
            let _ = write!(names, ", {off}");
        }
        for synonym in row.synonyms {
            let _ = write!(names, ", {synonym}");
        }
        let values = row.kind.expectation();
        let _ = writeln!(page, "| **{names}** | {values} | {default} | {number} | {}{mark} |", row.meaning);
    }
}

fn note(row: &Attribute) -> String {
    match (row.is_settable(), row.effect) {
        (true, Effect::Active) => format!("Default: {}.", shown_default(row)),
        (true, Effect::KeptOnly) => {
            format!("Default: {}. Kept and displayed; nothing depends on it yet.", shown_default(row))
        }
        _ => "Set by the queue manager.".to_owned(),
    }
}

fn shown_default(row: &Attribute) -> String {
    let shown = row.default_value().shown(row);
    if shown.is_empty() { "' '".to_owned() } else { shown }
}
