//! Patterns of LIKE: `%` is any run of characters, `_` any one.

/// One element of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Character(char),
    AnyOne,
    AnyRun,
}

/// A pattern, ready to be matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern(Vec<Element>);

impl Pattern {
    /// Reads a pattern; `None` when the escape character ends it or stands before one that needs no escape.
    pub(crate) fn parse(pattern: &str, escape: Option<char>) -> Option<Self> {
        let mut elements = Vec::with_capacity(pattern.len());
        let mut characters = pattern.chars();
        while let Some(character) = characters.next() {
            let element = if Some(character) == escape {
                match characters.next()? {
                    next if next == '%' || next == '_' || Some(next) == escape => Element::Character(next),
                    _ => return None,
                }
            } else {
                match character {
                    '%' if elements.last() == Some(&Element::AnyRun) => continue,
                    '%' => Element::AnyRun,
                    '_' => Element::AnyOne,
                    other => Element::Character(other),
                }
            };
            elements.push(element);
        }
        Some(Self(elements))
    }

    /// Returns true if a text is like the pattern. Only the latest `%` is ever tried again, so the time is at
    /// most the product of the lengths.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let elements = &self.0;
        let mut rest = text.chars();
        let mut at = 0;
        let mut again: Option<(usize, std::str::Chars<'_>)> = None;
        loop {
            match elements.get(at) {
                Some(Element::AnyRun) => {
                    at += 1;
                    if at == elements.len() {
                        return true;
                    }
                    again = Some((at, rest.clone()));
                    continue;
                }
                Some(element) => {
                    let mut ahead = rest.clone();
                    if let Some(character) = ahead.next()
                        && (*element == Element::AnyOne || *element == Element::Character(character))
                    {
                        at += 1;
                        rest = ahead;
                        continue;
                    }
                }
                None if rest.as_str().is_empty() => return true,
                None => {}
            }
            let Some((from, retry)) = &mut again else { return false };
            if retry.next().is_none() {
                return false;
            }
            at = *from;
            rest = retry.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn wildcards_match_runs_and_single_characters() {
        for (pattern, escape, text, expected) in [
            ("12%3", None, "123", true),
            ("12%3", None, "12993", true),
            ("12%3", None, "1234", false),
            ("l_se", None, "lose", true),
            ("l_se", None, "loose", false),
            ("\\_%", Some('\\'), "_foo", true),
            ("\\_%", Some('\\'), "bar", false),
            ("%", None, "", true),
            ("", None, "", true),
            ("", None, "x", false),
            ("%a%b%", None, "xxaxxbxx", true),
            ("%ab", None, "aab", true),
            ("_", None, "é", true),
            ("100%%", Some('%'), "100%", true),
        ] {
            let pattern = Pattern::parse(pattern, escape).expect(pattern);
            assert_eq!(pattern.matches(text), expected, "{pattern:?} against {text}");
        }
        assert_eq!(Pattern::parse("a\\", Some('\\')), None);
        assert_eq!(Pattern::parse("a\\b", Some('\\')), None);
    }

    #[test]
    fn many_wildcards_take_no_more_than_the_product_of_the_lengths() {
        let pattern = Pattern::parse(&"%a".repeat(500), None).unwrap();
        assert!(!pattern.matches(&format!("{}b", "a".repeat(5000))));
    }
}
