//! The reference page, which is the help of the commands; and the way from `ferry` to them.

use std::fs;
use std::path::Path;

use crate::reference;
use crate::support::Ferry;

/// Every command, as it is typed.
const COMMANDS: &[&[&str]] = &[
    &["bench", "rr"],
    &["bench", "beside"],
    &["bench", "corrid"],
    &["bench", "restart"],
    &["bench", "subscriptions"],
    &["bench", "slow-subscribers"],
    &["bench", "fastpath"],
    &["bench", "floors"],
    &["bench", "relay"],
    &["bench", "one-way"],
    &["bench", "size"],
    &["bench", "list"],
    &["bench", "run"],
    &["bench", "compare"],
    &["report"],
    &["report", "rows"],
];

const HEAD: &str = "\
# The commands that measure

Made from the help of the commands by `FERRY_WRITE_REFERENCE=1 cargo test -p ferry-bench`, which compares it otherwise.

`ferry bench` and `ferry report` are commands of the program `ferry-bench`, which `ferry` finds beside itself. A machine that
only runs queue managers does not need it. What all commands have in common is in [ferry.md](ferry.md).
";

#[test]
fn the_reference_page_is_what_the_help_says() {
    reference::compare(HEAD, COMMANDS, "ferry-bench", "ferry-bench.md");
}

#[test]
fn the_version_says_the_name_of_the_program_that_measures() {
    let program = Ferry::of(Path::new(env!("CARGO_BIN_EXE_ferry-bench")));
    let expected = concat!("ferry-bench ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(program.ok(&["--version"]), expected);
}

#[test]
fn ferry_without_the_program_that_measures_says_where_it_looked_and_how_to_get_it() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let alone = directory.path().join("ferry");
    fs::copy(crate::ferry(), &alone).expect("a copy");
    let said = Ferry::of(&alone).run(&["bench", "list"]);
    assert_eq!(said.code, 3, "{}", said.stderr);
    assert!(said.stderr.contains("ferry-bench, which is not at"), "{}", said.stderr);
    assert!(said.stderr.contains("cargo build --release -p ferry-bench"), "{}", said.stderr);
}
