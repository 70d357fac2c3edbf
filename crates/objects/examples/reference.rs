//! Prints a reference page made from the tables: `reference attributes`, `reference attributes-each` (one
//! page for each kind), `reference kept-attributes` or `reference messages`.
//!
//! `cargo xtask generate` keeps the pages in `docs/reference` with it.

use std::process::ExitCode;

fn main() -> ExitCode {
    let page = match arguments().as_slice() {
        [page] if page == "attributes" => objects::reference::attributes_page(),
        [page] if page == "attributes-each" => {
            let pages = objects::reference::attribute_pages();
            pages.iter().map(|(name, text)| format!("\u{c}page {name}\n{text}")).collect()
        }
        [page] if page == "kept-attributes" => objects::reference::kept_page(),
        [page] if page == "messages" => objects::reference::messages_page(),
        _ => {
            eprintln!("usage: reference attributes|attributes-each|kept-attributes|messages");
            return ExitCode::FAILURE;
        }
    };
    print!("{page}");
    ExitCode::SUCCESS
}

#[expect(clippy::disallowed_methods, reason = "a program of its own, not a part of the crate")]
fn arguments() -> Vec<String> {
    std::env::args().skip(1).collect()
}
