//! Instructions for programs on the place to connect to.

/// Administrators' texts about client channels: a definition in one line, a table, the file of client
/// settings.
pub fn client_channels(bytes: &[u8]) {
    use capi::places::{client_file::ClientFile, definition, table::Table};
    let text = String::from_utf8_lossy(bytes);
    match definition::parse(&text) {
        Ok(channel) => assert!(!channel.addresses.is_empty(), "a definition leads somewhere"),
        Err(error) => drop(error.to_string()),
    }
    if let Err(error) = ClientFile::parse(&text) {
        drop(error.to_string());
    }
    match Table::parse(bytes) {
        Ok(table) => {
            for channel in &table.channels {
                let ordered = table.in_order(&channel.queue_manager, |below| below / 2, |below| below / 3);
                assert!(ordered.contains(&channel), "every channel is tried");
            }
        }
        Err(error) => drop(error.to_string()),
    }
}
