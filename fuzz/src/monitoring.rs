//! Requests for health, and figures on their way to the control process.

use figures::metrics::{Block, Form, Names, Printer, print};
use server::health::{Request, read};

/// A request from any program that reaches the port of health: more bytes never make it another one.
pub fn health_requests(bytes: &[u8]) {
    if let Some(Request::Asked(..)) = read(bytes) {
        let longer = [bytes, b"x"].concat();
        let again = read(&longer);
        assert!(again == read(bytes) || matches!(again, Some(Request::Refused(_))), "the head is whole");
    }
}

/// A block of figures: one that reads is written again as it came, and every page can be printed.
pub fn figures_block(bytes: &[u8]) {
    let Ok(block) = Block::decode(bytes) else { return };
    assert_eq!(Block::decode(&block.encode()).as_ref(), Ok(&block), "it is written as it was read");
    for (form, names) in
        [(Form::Text, Names::Own), (Form::OpenMetrics, Names::Own), (Form::Text, Names::Familiar)]
    {
        let mut printer = Printer::new(form, names);
        print(&mut printer, &block, names, block.taken);
        let _ = printer.finish();
    }
}
