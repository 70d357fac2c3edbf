//! Faults of a file of settings.

use std::fmt;
use std::path::PathBuf;

use objects::harmless::harmless;

/// Why a file of settings is not used.
#[derive(Debug)]
pub enum Error {
    /// The file is absent.
    Absent {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The system does not let it be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// It says what is not right, in these places.
    Faults {
        /// The file.
        path: PathBuf,
        /// Each place.
        faults: Vec<Fault>,
    },
}

/// One place in the file that is not right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line, counted from one.
    pub line: usize,
    /// The fault, and the values allowed.
    pub what: String,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent { path } => write!(
                formatter,
                "the settings {} are not there: put them back; an empty file means all defaults, a circular log among them",
                path.display()
            ),
            Self::Unreadable { path, source } => {
                write!(formatter, "cannot read {}: {source}", path.display())
            }
            Self::Faults { path, faults } => {
                for (index, fault) in faults.iter().enumerate() {
                    let end = if index == 0 { "" } else { "\n" };
                    let (path, what) = (path.to_string_lossy(), harmless(&fault.what));
                    write!(formatter, "{end}{}, line {}: {what}", harmless(&path), fault.line)?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            Self::Absent { .. } | Self::Faults { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_has_one_line_whatever_the_file_says() {
        let fault = |line, what: &str| Fault { line, what: what.to_owned() };
        let faults = vec![fault(3, "\"a\nline 9: b\" is no size"), fault(4, "\x1b[2J is no key")];
        let error = Error::Faults { path: "ferry.toml".into(), faults };
        let expected =
            "ferry.toml, line 3: \"a\\nline 9: b\" is no size\nferry.toml, line 4: \\u{1b}[2J is no key";
        assert_eq!(error.to_string(), expected);
    }
}
