//! `ferry --version --verbose`: commit, build and formats of this program.

use std::ffi::OsStr;

use terminal::output;

/// The commit that this program is built from, where the build says so: `cargo xtask package` does.
pub(crate) const COMMIT: Option<&str> = option_env!("FERRY_COMMIT");

/// Returns true if these words ask for everything that there is to say of the version.
pub(crate) fn is_asked_for(words: &[impl AsRef<OsStr>]) -> bool {
    let is_version = |word: &OsStr| word == "--version" || word == "-V";
    match words {
        [one, other] => {
            let (one, other) = (one.as_ref(), other.as_ref());
            is_version(one) && other == "--verbose" || one == "--verbose" && is_version(other)
        }
        _ => false,
    }
}

/// Prints it.
pub(crate) fn print() -> std::io::Result<()> {
    let build = if cfg!(debug_assertions) { "with assertions, not optimised" } else { "optimised" };
    let linked = if cfg!(target_feature = "crt-static") { "static" } else { "dynamic" };
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    output::print_line(format!("ferry {}", env!("CARGO_PKG_VERSION")))?;
    output::print_line(format!(
        "commit    {}",
        COMMIT.unwrap_or("not recorded: built without cargo xtask package")
    ))?;
    output::print_line(format!("build     {build}, {linked}, for {machine} {system}"))?;
    let formats = storage::FORMATS.map(|(name, version)| format!("{name} {version}"));
    output::print_line(format!("formats   {}", formats.join(", ")))?;
    let client::Versions { least, most } = client::Versions::default();
    output::print_line(format!("channels  protocol {least} to {most}"))
}
