//! The reference page of the properties.

use std::fmt::Write as _;

use super::property::PROPERTIES;

/// The reference page of the properties.
#[must_use]
pub fn reference() -> String {
    let mut text = String::from(
        "# Properties of queues of MSMQ\n\n\
         `ferry config from-msmq` reads queues that `Get-MsmqQueue` prints, in one of two forms, and prints MQSC:\n\n\
         - JSON of `ConvertTo-Json`: one object, or a list of them;\n\
         - comma-separated values of `Export-Csv`: a line of names, then a line for each queue.\n\n\
         A property has the name that the public documentation of the class `System.Messaging.MessageQueue` has for it, or the name of the\n\
         parameter of `Set-MsmqQueue`, in any case. Files are UTF-8, or UTF-16 with a byte-order mark, of at most 16 MiB and 50,000 queues.\n\
         [Coming from MSMQ](../guides/from-msmq.md) has the commands.\n\n\
         A property in **bold** must be there: it decides what the definition is. A property that is not on this page is an error that names the\n\
         nearest one; so are a value that is wrong and a name of a queue that cannot be ours. Each error names its line, and a file with one gives\n\
         nothing. What has no counterpart is a comment beside the definition.\n\n\
         Every queue gets `MAXDEPTH(999999999)`: that family bounds queues by bytes alone. Private and public queues become local queues. Journals,\n\
         dead-letter queues, subqueues and the family's own queues are comments.\n\n\
         This page is made from the table of properties; `cargo test -p server` compares it.\n\n\
         | property | or | becomes |\n|---|---|---|\n",
    );
    for row in PROPERTIES {
        let mark = if row.is_needed { "**" } else { "" };
        let aliases: Vec<String> = row.aliases.iter().map(|alias| format!("`{alias}`")).collect();
        let _ = writeln!(text, "| {mark}`{}`{mark} | {} | {} |", row.name, aliases.join(", "), row.becomes);
    }
    text
}
