//! The name that was probably meant.

/// The candidate fewest edits away from `word`, if those are few enough to suggest it.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = candidates.map(|candidate| (distance(word, candidate), candidate));
    let (edits, candidate) = near.min_by_key(|(edits, _)| *edits)?;
    (edits <= candidate.len().max(word.len()) / 2).then_some(candidate)
}

/// Insertions, deletions and replacements that turn one word into the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, of_other) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *of_other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        for (word, expected) in [
            ("extent_sise", Some("extent_size")),
            ("extentsize", Some("extent_size")),
            ("x", None),
            ("password_file_location", None),
        ] {
            let candidates = ["extent_size", "primary_extents", "kind"];
            assert_eq!(nearest(word, candidates.into_iter()), expected, "{word}");
        }
    }
}
