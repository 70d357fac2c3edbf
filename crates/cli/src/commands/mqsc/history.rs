//! The statements that the shell of `ferry mqsc` remembers.
//!
//! Always: a secret of a statement is not remembered; asterisks stand in its place.

use objects::secrets::masked;
use reedline::{
    FileBackedHistory, History, HistoryItem, HistoryItemId, HistorySessionId, Result, SearchQuery,
};

/// A file of statements without secrets.
pub(super) struct Discreet(pub(super) FileBackedHistory);

impl History for Discreet {
    fn save(&mut self, mut item: HistoryItem) -> Result<HistoryItem> {
        item.command_line = masked(&item.command_line).into_owned();
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
        history.save(HistoryItem::from_command_line("DISPLAY QUEUE(*)")).unwrap();
        history.sync().unwrap();
        let kept = std::fs::read_to_string(path).unwrap();
        assert_eq!(
            kept.trim_end(),
            "ALTER AUTHINFO(L) AUTHTYPE(IDPWLDAP) LDAPPWD('*******')\nDISPLAY QUEUE(*)"
        );
    }
}
