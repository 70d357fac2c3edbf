//! Options as the familiar commands take them: one dash, one or more letters, a value beside it or attached.

/// Takes any argument as it is.
pub(super) const ANYTHING: &[&str] = &["*"];

/// Arguments as typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Typed {
    /// Each with its value; the name alone has none.
    options: Vec<(&'static str, String)>,
    /// Arguments that are no options.
    pub(super) rest: Vec<String>,
}

impl Typed {
    /// Reads arguments by the options there are, of which those with a value end in `=`.
    pub(super) fn read(known: &'static [&'static str], arguments: &[String]) -> Result<Self, String> {
        let mut typed = Self { options: Vec::new(), rest: Vec::new() };
        if known == ANYTHING {
            typed.rest = arguments.to_vec();
            return Ok(typed);
        }
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let Some(option) = argument.strip_prefix('-').filter(|option| !option.is_empty()) else {
                typed.rest.push(argument.clone());
                continue;
            };
            if let Some(name) = known.iter().find(|name| **name == option) {
                typed.options.push((name, String::new()));
                continue;
            }
            let with_value = known.iter().filter_map(|name| name.strip_suffix('='));
            let longest = with_value.filter(|name| option.starts_with(name)).max_by_key(|name| name.len());
            let Some(name) = longest else {
                // Several letters after one dash, each an option without a value.
                typed
                    .options
                    .extend(letters(known, option).ok_or_else(|| format!("-{option} is no option here"))?);
                continue;
            };
            let value = match &option[name.len()..] {
                "" => arguments.next().cloned().ok_or_else(|| format!("-{name} needs a value"))?,
                attached => attached.to_owned(),
            };
            typed.options.push((name, value));
        }
        Ok(typed)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(option, _)| *option == name)
    }

    /// True if an option is all that was typed.
    pub(super) fn has_only(&self, name: &str) -> bool {
        self.has(name) && self.options.len() == 1 && self.rest.is_empty()
    }

    /// True if an option was typed, and none beside it but these.
    pub(super) fn has_only_of(&self, name: &str, beside: &[&str]) -> bool {
        self.has(name) && self.options.iter().all(|(option, _)| *option == name || beside.contains(option))
    }

    /// The value of an option; of several the last one counts.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.options.iter().rev().find(|(option, _)| *option == name).map(|(_, value)| value.as_str())
    }

    /// Every value of an option, in the order in which they were typed.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.options.iter().filter(move |(option, _)| *option == name).map(|(_, value)| value.as_str())
    }

    /// The only word that is no option, or nothing.
    pub(super) fn only_word(&self) -> Result<Option<&str>, String> {
        match self.rest.as_slice() {
            [] => Ok(None),
            [word] => Ok(Some(word)),
            [_, second, ..] => Err(format!("one name is enough, what is {second}?")),
        }
    }
}

fn letters(known: &'static [&'static str], option: &str) -> Option<Vec<(&'static str, String)>> {
    option
        .chars()
        .map(|letter| {
            let name = known.iter().find(|name| name.chars().eq([letter]))?;
            Some((*name, String::new()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Typed;

    const KNOWN: &[&str] = &["q", "u=", "lc", "lf=", "b", "f="];

    fn read(text: &str) -> Result<Typed, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        Typed::read(KNOWN, &words)
    }

    #[test]
    fn values_stand_beside_their_option_or_attached() {
        for (text, options, rest) in [
            ("-q -u DEAD QM", &[("q", ""), ("u", "DEAD")][..], &["QM"][..]),
            ("-lf64 -lc QM", &[("lf", "64"), ("lc", "")], &["QM"]),
            ("QM -uDEAD", &[("u", "DEAD")], &["QM"]),
            ("-bq", &[("b", ""), ("q", "")], &[]),
            ("-", &[], &["-"]),
        ] {
            let typed = read(text).unwrap();
            let told: Vec<(&str, &str)> =
                typed.options.iter().map(|(name, value)| (*name, value.as_str())).collect();
            assert_eq!(told, options, "{text}");
            assert_eq!(typed.rest, rest, "{text}");
        }
        assert_eq!(read("-z").unwrap_err(), "-z is no option here");
        assert_eq!(read("-u").unwrap_err(), "-u needs a value");
        assert_eq!(read("-f 1 -f 2").unwrap().value("f"), Some("2"));
        assert!(read("A B").unwrap().only_word().is_err());
    }
}
