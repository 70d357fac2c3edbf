//! A reference page of commands, which is their help.

use std::path::Path;

use crate::support::Ferry;

/// The heading of options that every command repeats.
const EVERYWHERE: &str = "Everywhere:\n";

/// Compares a reference page with the help of these commands, or writes it.
pub(crate) fn compare(head: &str, commands: &[&[&str]], package: &str, page_name: &str) {
    let ferry = Ferry::new();
    let mut page = head.to_owned();
    if package == "cli" {
        page.push_str(&format!("\n```text\n{}\n```\n", ferry.ok(&["--help"]).trim_end()));
    }
    for command in commands {
        let help = ferry.ok(&[command, &["--help"][..]].concat());
        let (own, _) =
            help.split_once(EVERYWHERE).expect("every command has the options that are everywhere");
        page.push_str(&format!("\n## ferry {}\n\n```text\n{}\n```\n", command.join(" "), own.trim_end()));
    }
    let page: String = page.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference").join(page_name);
    if std::env::var_os("FERRY_WRITE_REFERENCE").is_some() {
        std::fs::write(&path, page).expect("the page can be written");
        return;
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let path = path.display();
    assert!(written == page, "{path} is old: FERRY_WRITE_REFERENCE=1 cargo test -p {package}");
}
