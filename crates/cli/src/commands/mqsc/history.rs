//! The statements that the shell of `ferry mqsc` remembers.
//!
//! Always: a secret of a statement is not remembered; the sign stands in its place.

use std::borrow::Cow;

use objects::mqsc;
use objects::secrets::signed;
use reedline::{
    FileBackedHistory, History, HistoryItem, HistoryItemId, HistorySessionId, Result, SearchQuery,
};

/// Returns typed statements without their secrets. A secret may go on over lines, so that such statements
/// become one line.
fn without_secrets(typed: &str) -> String {
    let statements = mqsc::statements(typed);
    let shown: Vec<Cow<'_, str>> = statements.iter().map(|statement| signed(&statement.text)).collect();
    if shown.iter().any(|statement| matches!(statement, Cow::Owned(_))) {
        shown.join("; ")
    } else {
        // Comments may have secrets too.
        signed(typed).into_owned()
    }
}

/// A file of statements without secrets.
pub(super) struct Discreet(pub(super) FileBackedHistory);

impl History for Discreet {
    fn save(&mut self, mut item: HistoryItem) -> Result<HistoryItem> {
        item.command_line = without_secrets(&item.command_line);
        self.0.save(item)
    }

    fn load(&self, id: HistoryItemId) -> Result<HistoryItem> {
        self.0.load(id)
    }

    fn count(&self, query: SearchQuery) -> Result<i64> {
        self.0.count(query)
    }

    fn search(&self, query: SearchQuery) -> Result<Vec<HistoryItem>> {
        self.0.search(query)
    }

    fn update(&mut self, id: HistoryItemId, updater: &dyn Fn(HistoryItem) -> HistoryItem) -> Result<()> {
        self.0.update(id, updater)
    }

    fn clear(&mut self) -> Result<()> {
        self.0.clear()
    }

    fn delete(&mut self, id: HistoryItemId) -> Result<()> {
        self.0.delete(id)
    }

    fn sync(&mut self) -> std::io::Result<()> {
        self.0.sync()
    }

    fn session(&self) -> Option<HistorySessionId> {
        self.0.session()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_written_to_the_history() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history");
        let mut history = Discreet(FileBackedHistory::with_file(10, path.clone()).unwrap());
        let line = "ALTER AUTHINFO(L) AUTHTYPE(IDPWLDAP) LDAPPWD('hunter2')";
        history.save(HistoryItem::from_command_line(line)).unwrap();
        let continued = "ALTER AUTHINFO(L) AUTHTYPE(IDPWLDAP) +\n  LDAPPWD( +\n  'hun-\nter2')";
        history.save(HistoryItem::from_command_line(continued)).unwrap();
        history.save(HistoryItem::from_command_line("DISPLAY QUEUE(*)")).unwrap();
        history.sync().unwrap();
        let kept = std::fs::read_to_string(path).unwrap();
        assert_eq!(
            kept.trim_end(),
            "ALTER AUTHINFO(L) AUTHTYPE(IDPWLDAP) LDAPPWD('********')\n\
             ALTER AUTHINFO(L) AUTHTYPE(IDPWLDAP) LDAPPWD( '********')\nDISPLAY QUEUE(*)"
        );
    }
}
