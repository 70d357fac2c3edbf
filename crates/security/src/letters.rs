//! Letters that no name may have, and that no terminal, file or program is shown.
//!
//! Lives here: the letters. Lives elsewhere: their escapes (`objects::harmless`), the names of users
//! (`principal`) and of entities (`authority`).

/// Looks at a letter: true for line ends, controls, separators of lines, marks of direction, and letters that
/// are not seen.
#[must_use]
pub fn is_harmful(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{AD}'
                | '\u{61C}'
                | '\u{180E}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFB}'
                | '\u{E0000}'..='\u{E007F}'
        )
}
