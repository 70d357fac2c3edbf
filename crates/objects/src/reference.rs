//! The reference pages made from the tables: attributes and messages.

use std::fmt::Write as _;

use crate::attributes::{self, Access, Attribute, Effect, Identifier, Kind, StatusType, Subject};
use crate::messages;
use crate::object_type::ObjectType;

/// The headings of what commands show beside objects.
const SHOWN: &[(&str, StatusType)] = &[
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
    ("DISPLAY ROUTE", StatusType::Route),
];

/// The marks of a page and their meaning.
const MARKS: &str = "*kept* marks attributes that are stored, displayed and answered to MQINQ while nothing depends on them yet. \
    *shown* marks those that an administrator can see but not set, *once* those that DEFINE sets and ALTER does not.\n";

/// The origin of these pages.
const MADE: &str =
    "Made from the attribute tables by `cargo xtask generate`; change those, then run it again.\n\n";

/// The kinds of objects and of status: heading, name of the page, and its subject.
fn kinds() -> Vec<(String, String, Subject)> {
    let objects = ObjectType::all().map(|object_type| {
        (format!("{} attributes", object_type.full_keyword()), Subject::Object(object_type))
    });
    let shown = SHOWN.iter().map(|(heading, status)| ((*heading).to_owned(), Subject::Status(*status)));
    let named = |(heading, subject): (String, Subject)| {
        let words = heading.trim_end_matches(" attributes").to_ascii_lowercase();
        let letters: String =
            words.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
        let parts: Vec<&str> = letters.split('-').filter(|part| !part.is_empty()).collect();
        (heading, parts.join("-"), subject)
    };
    objects.chain(shown).map(named).collect()
}

/// `docs/reference/attributes.md`: the index of the pages of [`attribute_pages`].
pub fn attributes_page() -> String {
    let mut page = format!("# Attributes\n\n{MADE}{MARKS}");
    let (objects, shown): (Vec<_>, Vec<_>) =
        kinds().into_iter().partition(|(_, _, subject)| matches!(subject, Subject::Object(_)));
    for (heading, kinds) in [("Objects", objects), ("Status and records", shown)] {
        let _ = write!(page, "\n## {heading}\n\n| page | attributes |\n|---|---|\n");
        for (heading, name, subject) in kinds {
            let title = heading.trim_end_matches(" attributes");
            let count = attributes::of(subject).count();
            let _ = writeln!(page, "| [{title}](attributes/{name}.md) | {count} |");
        }
    }
    page
}

/// The pages in `docs/reference/attributes`: one for each kind of object and of status, by its name.
pub fn attribute_pages() -> Vec<(String, String)> {
    let page = |(heading, name, subject): (String, String, Subject)| {
        let mut page = format!("# {heading}\n\n{MADE}{MARKS}");
        section(subject, &mut page);
        (name, page)
    };
    kinds().into_iter().map(page).collect()
}

/// `docs/reference/kept-attributes.md`.
pub fn kept_page() -> String {
    let mut page = String::from(
        "# Attributes without effect yet\n\n\
         Made from the attribute tables by `cargo xtask generate`; change those, then run it again.\n\n\
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
        "# Messages\n\nMade from the message table by `cargo xtask generate`; change that, then run it again.\n",
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

fn section(subject: Subject, page: &mut String) {
    page.push_str("\n| attribute | values | default | number | |\n|---|---|---|---|---|\n");
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_kind_has_a_page_of_its_own_with_all_its_attributes() {
        let pages = attribute_pages();
        let names: BTreeSet<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.len(), pages.len(), "names are told apart");
        let local = pages.iter().find(|(name, _)| name == "qlocal").expect("the page of local queues");
        let rows = attributes::of(Subject::Object(ObjectType::LocalQueue)).count();
        assert_eq!(local.1.matches("\n| **").count(), rows);
        let index = attributes_page();
        assert!(names.iter().all(|name| index.contains(&format!("(attributes/{name}.md)"))));
    }
}
