//! MQXCNVC.

use bytes::Bytes;
use formats::convert;
use mqi::{Characters, Reason, constants};

use crate::connection::Connection;

impl Connection {
    /// MQXCNVC.
    ///
    /// # Errors
    /// The reason the characters are not converted.
    pub fn convert_characters(
        &self,
        options: i32,
        from: Characters<'_>,
        to_ccsid: i32,
        bytes_max: usize,
    ) -> Result<Bytes, Reason> {
        self.usable(false)?;
        let own = self.engine.directory.catalogue.manager().attributes.coded_character_set;
        let named = |ccsid| if ccsid == constants::MQCCSI_Q_MGR { own } else { ccsid };
        let (source, target) = (named(from.ccsid), named(to_ccsid));
        convert::characters(options, source, from.bytes, target, bytes_max).map(Bytes::from)
    }
}
