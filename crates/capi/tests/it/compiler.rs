//! The C compilers of this machine, and how the tests ask them.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where the headers are.
pub(crate) fn headers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("include")
}

/// Every compiler that is here, once whatever its names; the first is the one that always must be.
pub(crate) fn of_c() -> Vec<&'static str> {
    different(&["cc", "gcc", "clang"])
}

/// Every compiler of C++ that is here.
pub(crate) fn of_c_plus_plus() -> Vec<&'static str> {
    let found = different(&["c++", "g++", "clang++"]);
    if found.is_empty() {
        // Past the harness, which shows nothing that a passing test prints.
        writeln!(std::io::stderr(), "SKIPPED: no compiler of C++ is here").expect("standard error is there");
    }
    found
}

/// Finds the installed ones among some programs, each file once.
fn different(names: &[&'static str]) -> Vec<&'static str> {
    let mut places = Vec::new();
    let mut found = Vec::new();
    for name in names {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let place = std::env::split_paths(&path).find_map(|folder| folder.join(name).canonicalize().ok());
        if place.as_ref().is_some_and(|place| !places.contains(place)) {
            places.extend(place);
            found.push(*name);
        }
    }
    found
}

/// Compiles a source of a standard such as `c99` or `c++17`, every warning an error.
pub(crate) fn compile(compiler: &str, standard: &str, source: &Path, arguments: &[&str]) -> Output {
    let language = if standard.starts_with("c++") { "c++" } else { "c" };
    Command::new(compiler)
        .args(["-Wall", "-Wextra", "-pedantic", "-Werror", &format!("-std={standard}"), "-I"])
        .arg(headers())
        .args(["-x", language])
        .arg(source)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("cannot start {compiler}: {error}"))
}

/// As [`compile`], and panics with what the compiler says where it refuses.
#[track_caller]
pub(crate) fn must_compile(compiler: &str, standard: &str, source: &Path, arguments: &[&str]) {
    let output = compile(compiler, standard, source, arguments);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{compiler} -std={standard} {}:\n{}",
        source.display(),
        told.lines().take(40).collect::<Vec<_>>().join("\n")
    );
}
