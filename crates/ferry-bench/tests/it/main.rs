//! The program as people use it: by `ferry bench` and `ferry report`.

mod bench;
mod help;
#[path = "../../../cli/tests/it/reference.rs"]
mod reference;
mod report;
mod rows;
mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// `ferry` beside the program that is tested, built if this is the only package that is.
fn ferry() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let path = Path::new(env!("CARGO_BIN_EXE_ferry-bench")).with_file_name("ferry");
        if !path.exists() {
            let built = Command::new(env!("CARGO")).args(["build", "--package", "cli"]).status();
            assert!(
                built.is_ok_and(|status| status.success()) && path.exists(),
                "cannot build {}",
                path.display()
            );
        }
        path
    });
    built.clone()
}
