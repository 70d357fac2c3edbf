//! Patterns of a rule for one field.

/// A number, or any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Number {
    /// `*`.
    #[default]
    Any,
    /// This one.
    Is(i32),
}

impl Number {
    /// Returns true if a number matches.
    #[must_use]
    pub fn matches(self, number: i32) -> bool {
        self == Self::Any || self == Self::Is(number)
    }
}

/// A text with wildcards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(String);

impl Default for Words {
    /// Any.
    fn default() -> Self {
        Self("*".to_owned())
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl Words {
    /// Returns true if a text matches; blanks at the end of either do not count.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let (pattern, text) = (self.0.trim_end_matches(' '), text.trim_end_matches(' '));
        let pattern: Vec<char> = pattern.chars().collect();
        let text: Vec<char> = text.chars().collect();
        wildcards(&pattern, &text)
    }
}

/// Goes back only to the last asterisk, so that no pattern takes more than the product of both lengths.
fn wildcards(pattern: &[char], text: &[char]) -> bool {
    let (mut at, mut from) = (0, 0);
    let mut last: Option<(usize, usize)> = None;
    while from < text.len() {
        match pattern.get(at) {
            Some('*') => {
                last = Some((at, from));
                at += 1;
            }
            Some(one) if *one == '?' || *one == text[from] => {
                at += 1;
                from += 1;
            }
            _ => match &mut last {
                Some((asterisk, taken)) => {
                    *taken += 1;
                    (at, from) = (*asterisk + 1, *taken);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|one| *one == '*')
}

#[cfg(test)]
mod tests {
    use super::{Number, Words};

    #[test]
    fn an_asterisk_is_any_text_and_a_question_mark_one_character() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("ABC", "ABC  ", true),
            ("ABC  ", "ABC", true),
            ("ABC", "ABCD", false),
            ("A*C", "AC", true),
            ("A*C", "ABBBC", true),
            ("A*C", "ABBBCD", false),
            ("A?C", "ABC", true),
            ("A?", "A ", false),
            ("*.DLQ.*", "X.DLQ.DLQ.Y", true),
            ("*A*A*A*A*B", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", false),
            ("?", "\u{e9}", true),
        ] {
            assert_eq!(Words::from(pattern).matches(text), expected, "{pattern} against {text:?}");
        }
        assert!(Number::Any.matches(7) && Number::Is(7).matches(7) && !Number::Is(7).matches(8));
    }
}
