//! The way to a queue manager, by the client.

use bridge::host::{Door, Row};
use client::{Channel, Connection, Identity, Options};
use mqi::Verbs;

/// A queue manager that is reached by these options.
#[derive(Debug)]
pub struct ClientDoor {
    options: Options,
    /// The connection of displays, while it lasts.
    displays: Option<Connection>,
}

impl ClientDoor {
    /// A door; nothing is connected yet. Each conversation has a connection of its own, so that a long
    /// message of one holds no other up.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options: options.alone(), displays: None }
    }
}

impl Door for ClientDoor {
    fn connect(&mut self) -> Result<Box<dyn Verbs>, String> {
        let connection = Connection::connect(self.options.clone()).map_err(|error| error.to_string())?;
        Ok(Box::new(connection))
    }

    fn begin(&mut self, instance: [u8; 16], generation: u64) -> Result<Box<dyn Verbs>, String> {
        let channel = Channel::connect(self.options.clone()).map_err(|error| error.to_string())?;
        let connection = channel.conversation_as(Identity { instance, generation });
        let connection = connection.map_err(|reason| {
            format!("no conversation of the pipe began ({reason}): a later holder may be there")
        })?;
        Ok(Box::new(connection))
    }

    fn display(&mut self, command: &str) -> Result<Vec<Row>, String> {
        let mut connection = match self.displays.take() {
            Some(connection) => connection,
            None => Connection::connect(self.options.clone()).map_err(|error| error.to_string())?,
        };
        let response = connection.command(command).map_err(|reason| format!("{command}: {reason}"))?;
        self.displays = Some(connection);
        if response.failed {
            return Err(format!("{command}: {}", response.text.trim()));
        }
        Ok(response.rows)
    }
}
