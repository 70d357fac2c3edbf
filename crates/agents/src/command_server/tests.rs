use super::*;
use mqi::Encoding;
use mqi::constants::*;
use objects::messages;
use objects::pcf::{Content, Header, Parameter};

fn descriptor(order: ByteOrder) -> MessageDescriptor {
    let encoding = if order == ByteOrder::Big { MQENC_NORMAL } else { MQENC_REVERSED };
    MessageDescriptor {
        encoding: Encoding(encoding),
        format: Text::from_padded(MQFMT_ADMIN.as_bytes()),
        ..MessageDescriptor::default()
    }
}

fn asked(command: i32, parameters: Vec<Parameter>) -> Message {
    Message { header: Header::command(command), parameters }
}

/// Asks a queue manager that answers with the command it was asked.
fn ask(descriptor: &MessageDescriptor, body: &[u8], order: ByteOrder) -> Vec<Message> {
    let mut execute = |_: &Issuer, command: &Command| {
        let said = objects::Message::new(&messages::QUEUE_MANAGER_ANSWERS, [command.to_string()]);
        Ok(Response::message(said))
    };
    let answers = answers(Principal::of_process(), descriptor, body, true, &mut execute);
    answers.iter().map(|answer| Message::decode(answer, order).unwrap()).collect()
}

#[test]
fn an_answer_is_in_the_byte_order_of_the_question() {
    for order in [ByteOrder::Big, ByteOrder::Little] {
        let body = asked(MQCMD_PING_Q_MGR, Vec::new()).encode(order);
        let answers = ask(&descriptor(order), &body, order);
        let header = answers[0].header;
        assert_eq!((header.kind, header.command, header.reason), (MQCFT_RESPONSE, MQCMD_PING_Q_MGR, 0));
        assert_eq!((header.control, answers.len()), (MQCFC_LAST, 1));
    }
}

#[test]
fn text_is_run_and_answered_as_text() {
    let order = ByteOrder::Little;
    let escape = |text: &str| {
        let parameters = vec![
            Parameter::integer(MQIACF_ESCAPE_TYPE, MQET_MQSC),
            Parameter::text(MQCACF_ESCAPE_TEXT, text),
        ];
        ask(&descriptor(order), &asked(MQCMD_ESCAPE, parameters).encode(order), order)
    };
    let answers = escape("dis ql(a)");
    let Content::Text(text) = &answers[0].parameters[1].content else { panic!() };
    assert!(text.contains("DISPLAY QLOCAL('A') answers"), "{text}");
    let answers = escape("DISPLAI QLOCAL(A)");
    assert_eq!(answers[0].header.reason, MQRCCF_COMMAND_FAILED);
    let Content::Text(text) = &answers[0].parameters[1].content else { panic!() };
    assert!(text.contains("Did you mean DISPLAY?"), "{text}");
}

#[test]
fn what_is_no_command_is_answered_with_its_reason() {
    let order = ByteOrder::Little;
    let reason = |descriptor: &MessageDescriptor, body: &[u8]| ask(descriptor, body, order)[0].header.reason;
    let good = asked(MQCMD_PING_Q_MGR, Vec::new()).encode(order);
    let text = MessageDescriptor { format: MessageDescriptor::string_format(), ..descriptor(order) };
    assert_eq!(reason(&text, &good), MQRCCF_MD_FORMAT_ERROR);
    let strange = MessageDescriptor { encoding: Encoding(0), ..descriptor(order) };
    assert_eq!(reason(&strange, &good), MQRCCF_ENCODING_ERROR);
    assert_eq!(reason(&descriptor(order), &good[..20]), MQRCCF_MSG_LENGTH_ERROR);
    let unknown = asked(9_999, Vec::new()).encode(order);
    assert_eq!(reason(&descriptor(order), &unknown), MQRCCF_CFH_COMMAND_ERROR);
    let refused = answers(Principal::of_process(), &descriptor(order), &good, false, &mut |_, _| {
        Err(Reason::UNEXPECTED_ERROR)
    });
    assert_eq!(Message::decode(&refused[0], order).unwrap().header.reason, MQRCCF_MSG_TRUNCATED);
}
