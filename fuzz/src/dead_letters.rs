//! Rules of a dead-letter table.

/// Rules for dead letters, and letters that they judge.
pub fn dead_letter_rules(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let table = match moves::dead_letters::RulesTable::parse(&text) {
        Ok(table) => table,
        Err(error) => return drop(error.to_string()),
    };
    let format = mqi::Text::truncated("MQDEAD");
    let descriptor = mqi::MessageDescriptor { format, ..mqi::MessageDescriptor::default() };
    let letter = moves::dead_letters::Letter::new(descriptor, bytes.to_vec().into(), mqi::MessageToken::NONE);
    let _ = letter.original();
    for rule in &table.rules {
        let _ = rule.pattern.matches(&letter);
    }
}
