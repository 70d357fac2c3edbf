//! The figures as a reference page.

use std::fmt::Write as _;

use crate::left_out::LEFT_OUT;
use crate::row::Counting;
use crate::rows::CLASSES;

const HEAD: &str = "\
# Figures below $SYS/MQ

Subscribe to `$SYS/MQ/INFO/QMGR/<queue manager>/Monitor/<class>/<type>`, or for a queue to
`…/STATQ/<queue>/<type>`; `…/Monitor/METADATA/CLASSES` tells of the rest. Publications are in binary form and come at
every interval ([monitoring](settings.md) in the settings). Calls are counted while there is a subscription to them.
This page is made from a table; `FERRY_WRITE_REFERENCE=1 cargo test -p figures` writes it.
";

/// The page.
#[must_use]
pub fn reference() -> String {
    let mut text = HEAD.to_owned();
    for class in CLASSES {
        let of = if class.counting == Counting::Queue { ", of each queue" } else { "" };
        let _ = writeln!(text, "\n## {}: {}{of}", class.name, class.description);
        for kind in class.types {
            let _ = writeln!(
                text,
                "\n### {}/{}\n\n| element | unit | kind |\n|---|---|---|",
                class.name, kind.name
            );
            for (description, unit, source) in kind.elements.described() {
                let _ = writeln!(text, "| {description} | {} | {source} |", unit.words());
            }
        }
    }
    text.push_str(
        "\n## Published elements that are not told\n\n| type | element | reason |\n|---|---|---|\n",
    );
    for left in LEFT_OUT {
        for element in left.elements {
            let _ = writeln!(text, "| {}/{} | {element} | {} |", left.class, left.kind, left.reason);
        }
    }
    text.push_str("| NHAREPLICA | all of its elements | There are no replicas. |\n");
    text
}
