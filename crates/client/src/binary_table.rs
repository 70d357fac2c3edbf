//! Tables of client channels in the binary form of the family, which is not public: they are told apart by
//! their bytes, and refused with the way to the form that is read here (0139).

/// Usual name of such a table.
pub const BINARY_TABLE_NAME: &str = "AMQCLCHL.TAB";

/// The way from such a table to one in JSON.
pub const BINARY_TABLE_STEP: &str = "where the queue manager that made it runs, `dmpmqcfg -m QM -t clntconn -x object \
     -o 1line > clntconn.mqsc` prints its channels; here `runmqsc -n < clntconn.mqsc` writes them to the JSON table that \
     MQCCDTURL, or MQCHLLIB and MQCHLTAB, name (ccdt.json)";

/// Returns true for the bytes of such a table.
#[must_use]
pub fn is_binary_table(bytes: &[u8]) -> bool {
    let is_utf_16 = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    bytes.starts_with(b"AMQR") || bytes.contains(&0) && !is_utf_16
}

#[cfg(test)]
mod tests {
    use super::is_binary_table;

    #[test]
    fn bytes_that_are_no_text_are_a_table_in_binary_form() {
        for (bytes, is_binary) in [
            (&b"AMQR\x01\x02"[..], true),
            (b"\x01\0\0\0AMQCLCHL", true),
            (b"{\"channel\":[]}", false),
            (b"\xFF\xFE{\0}\0", false),
            (b"\xFE\xFF\0{\0}", false),
            (b"", false),
        ] {
            assert_eq!(is_binary_table(bytes), is_binary, "{bytes:?}");
        }
    }
}
