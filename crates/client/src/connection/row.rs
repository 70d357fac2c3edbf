//! The guess if a program puts one message after the other and waits for nothing between them.

use ::channel::RequestNumber;

/// Puts in a row that are a stream. More than a program makes that answers a few requests, or fills a unit of
/// work, before it waits; a program that reaches it once streams from the first put after a request on.
const STREAM_PUTS: u32 = 128;

/// The puts without a reply since the last other request, and before it.
#[derive(Debug, Default)]
pub(super) struct Row {
    last: RequestNumber,
    puts: u32,
    before: u32,
}

impl Row {
    /// One more put, by this number; whether it is one of a stream.
    pub(super) fn put(&mut self, request: RequestNumber) -> bool {
        if request.0 != self.last.0.wrapping_add(1) {
            self.before = std::mem::take(&mut self.puts);
        }
        self.last = request;
        self.puts = self.puts.saturating_add(1);
        self.puts.max(self.before) >= STREAM_PUTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the puts of a stream among so many puts in a row, from a number on.
    fn streamed(row: &mut Row, from: u32, puts: u32) -> usize {
        (from..from + puts).filter(|number| row.put(RequestNumber(*number))).count()
    }

    #[test]
    fn who_puts_many_in_a_row_streams_until_a_row_is_short() {
        let mut row = Row::default();
        assert_eq!(streamed(&mut row, 1, STREAM_PUTS - 1), 0);
        assert_eq!(streamed(&mut row, STREAM_PUTS + 1, STREAM_PUTS + 9), 10, "another request was between");
        assert_eq!(streamed(&mut row, 1000, 5), 5, "as before the request");
        assert_eq!(streamed(&mut row, 2000, 5), 0, "the last row was short");
    }

    #[test]
    fn numbers_begin_again_within_a_row() {
        let mut row = Row { last: RequestNumber(u32::MAX), puts: STREAM_PUTS, before: 0 };
        assert!(row.put(RequestNumber(0)));
        assert_eq!(row.before, 0);
    }
}
