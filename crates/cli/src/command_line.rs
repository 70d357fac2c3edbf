//! The command line of a PROCESS object: words, read without a shell.
//!
//! Blanks part words; between two `"`, `\\"` and `\\\\` stand for `"` and `\\`, and everything else for
//! itself. A character that a shell would act on is refused outside of quotes: handed over as it is it would
//! do something else than its writer meant.

/// A program and its arguments before and behind the trigger structure.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CommandLine {
    pub(crate) program: String,
    pub(crate) before: Vec<String>,
    pub(crate) after: Vec<String>,
    /// Says whether the program runs beside the monitor.
    pub(crate) is_beside: bool,
}

impl CommandLine {
    /// Reads APPLICID and ENVRDATA.
    ///
    /// # Errors
    /// The reason why nothing can be started by them.
    pub(crate) fn read(application: &str, environment: &str) -> Result<Self, String> {
        let mut words = words("APPLICID", application)?.into_iter();
        let program = words
            .next()
            .filter(|program| !program.is_empty())
            .ok_or("APPLICID names no program: ALTER PROCESS")?;
        let environment = environment.trim_end();
        let (environment, is_beside) = match environment.strip_suffix('&') {
            Some(before) => (before, true),
            None => (environment, false),
        };
        let after = self::words("ENVRDATA", environment)?;
        Ok(Self { program, before: words.collect(), after, is_beside })
    }
}

fn words(keyword: &'static str, text: &str) -> Result<Vec<String>, String> {
    let open = || format!("{keyword} has a \" without its end: {text}");
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' => words.extend(word.take()),
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next() {
                        Some('"') => break,
                        Some('\\') => match characters.next() {
                            Some(escaped @ ('"' | '\\')) => word.push(escaped),
                            Some(other) => word.extend(['\\', other]),
                            None => return Err(open()),
                        },
                        Some(other) => word.push(other),
                        None => return Err(open()),
                    }
                }
            }
            '|' | '&' | ';' | '<' | '>' | '$' | '`' | '(' | ')' | '\'' | '*' | '?' | '~' | '\n' => {
                return Err(format!(
                    "{keyword} has {character} outside of quotes, and no shell reads it: write a script and name that"
                ));
            }
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::CommandLine;

    #[test]
    fn a_line_is_words() {
        for (application, environment, expected) in [
            ("/opt/clerk", "", ("/opt/clerk", &[][..], &[][..], false)),
            ("  /opt/clerk  -q 3 ", "-v &  ", ("/opt/clerk", &["-q", "3"], &["-v"], true)),
            (
                r#""/opt/my clerk" "a;b" """#,
                r#"x"$HOME"-y"#,
                ("/opt/my clerk", &["a;b", ""], &["x$HOME-y"], false),
            ),
            (r#"clerk "say \"hi\" \\ \n""#, "&", ("clerk", &[r#"say "hi" \ \n"#], &[], true)),
        ] {
            let line = CommandLine::read(application, environment).unwrap();
            let (program, before, after, is_beside) = expected;
            assert_eq!((line.program.as_str(), line.is_beside), (program, is_beside), "{application}");
            assert_eq!(line.before, before, "{application}");
            assert_eq!(line.after, after, "{environment}");
        }
    }

    #[test]
    fn a_line_for_a_shell_is_refused_with_the_character_that_it_would_act_on() {
        for (application, environment, expected) in [
            ("", "-v", "APPLICID names no program"),
            (r#""" x"#, "", "APPLICID names no program"),
            ("clerk; rm -r /", "", "APPLICID has ; outside"),
            ("clerk $(id)", "", "APPLICID has $ outside"),
            ("clerk", "> log &", "ENVRDATA has > outside"),
            ("clerk", "a & b", "ENVRDATA has & outside"),
            ("clerk \"x", "", "APPLICID has a \" without"),
            ("clerk", "\"x\\", "ENVRDATA has a \" without"),
        ] {
            let refused = CommandLine::read(application, environment).unwrap_err();
            assert!(refused.starts_with(expected), "{application} {environment}: {refused}");
        }
    }
}
