//! A finding, and the queue manager that is looked at.

use serde::Serialize;
use server::Configuration;
use server::instances::Instance;
use terminal::common::Common;

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    /// Its name: the area and the thing.
    pub(super) name: &'static str,
    /// The value that is there, with the thing that has it.
    pub(super) value: String,
    /// The value that is wanted.
    pub(super) wanted: String,
    /// The reason.
    pub(super) why: &'static str,
    /// The command for a shell that mends it.
    pub(super) mend: String,
}

/// A queue manager that is looked at.
pub(super) struct Patient<'a> {
    pub(super) common: &'a Common,
    pub(super) instance: &'a Instance,
    pub(super) name: String,
    pub(super) configuration: Configuration,
    /// The second of the look.
    pub(super) now: u64,
}

/// A text as one word of a shell.
pub(super) fn word(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/:@+=,".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_word_for_a_shell_is_one_whatever_is_in_it() {
        for (text, expected) in
            [("QM1", "QM1"), ("", "''"), ("a b", "'a b'"), ("it's; $(id)", "'it'\\''s; $(id)'")]
        {
            assert_eq!(super::word(text), expected);
        }
    }
}
