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

/// The text with which a transaction manager opens a queue manager.
pub fn xa_openings(bytes: &[u8]) {
    use capi::xa::string::Opening;
    let text = String::from_utf8_lossy(bytes);
    match Opening::parse(&text) {
        Ok(opening) => {
            assert!(!opening.queue_manager.is_empty(), "it names one queue manager");
            assert!(!opening.queue_manager.starts_with('*'), "and no group of them");
            let channel = opening.client_channel().expect("addresses were read");
            assert_eq!(channel.is_some(), opening.channel.is_some());
            let upper = text.split(',').map(|part| match part.split_once('=') {
                Some((name, value)) => format!("{}={value}", name.to_ascii_uppercase()),
                None => part.to_owned(),
            });
            let again = Opening::parse(&upper.collect::<Vec<_>>().join(","));
            assert_eq!(again.as_ref(), Ok(&opening), "names are of any case");
        }
        Err(error) => drop(error.to_string()),
    }
}
