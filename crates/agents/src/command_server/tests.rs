use super::*;
use mqi::Encoding;
use mqi::constants::*;
use objects::messages;
use objects::pcf::{Content, Header, Parameter};
use objects::{ObjectType, Subject};

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

fn answers(
    principal: Principal,
    descriptor: &MessageDescriptor,
    body: &[u8],
    is_whole: bool,
    execute: &mut Execute<'_>,
) -> Vec<Vec<u8>> {
    let mut answers = Vec::new();
    answer(principal, descriptor, body, is_whole, execute, &mut |message| {
        answers.push(message);
        true
    });
    answers
}

/// A queue manager with so many queues, of which it shows one part at a time; the objects of the last have
/// gone where that is said.
fn with_queues(
    count: usize,
    is_last_gone: bool,
    asked: &mut Vec<String>,
) -> impl FnMut(&Issuer, &Command) -> Result<Response, Reason> {
    move |issuer, command| {
        asked.push(format!(
            "{command}, {}",
            if matches!(issuer.came, Came::ForLaterPage) { "later" } else { "first" }
        ));
        let Command::Display(display) = command else { panic!("{command}") };
        let part = display.page.part.clone().expect("a part is asked for");
        assert_eq!(part.shown == 0, part.after.is_none());
        let name = |number: usize| format!("Q{number:05}");
        let first = (0..count).find(|number| !display.page.has_passed(&name(*number))).unwrap_or(count);
        let shown = first..count.min(first + rows_of_part());
        let row = |number: usize| row_of(&name(number));
        let more = shown.end < count;
        if is_last_gone && !more {
            return Ok(Response::default());
        }
        let rest = more.then(|| name(shown.end - 1).into());
        Ok(Response { rows: shown.map(row).collect(), messages: Vec::new(), rest })
    }
}

fn row_of(name: &str) -> objects::Row {
    let attribute = objects::attributes::by_keyword(Subject::Object(ObjectType::LocalQueue), "QUEUE");
    let attribute = attribute.expect("a queue has a name");
    let value = objects::Value::from(name);
    objects::Row { heading: &messages::QUEUE_DETAILS, fields: vec![objects::Field { attribute, value }] }
}

/// Rows in a part of an answer.
fn rows_of_part() -> usize {
    PART_BYTES.div_ceil(row_of("Q00000").weight())
}

#[test]
fn a_question_for_many_objects_is_answered_part_by_part_in_one_sequence() {
    let order = ByteOrder::Little;
    let question = asked(MQCMD_INQUIRE_Q, vec![Parameter::text(MQCA_Q_NAME, "*")]).encode(order);
    let page = rows_of_part();
    for (count, gone, told, pages) in [
        (page, false, page, 1),
        (2 * page + 1, false, 2 * page + 1, 3),
        // The objects of the last part were removed after the one before it.
        (2 * page + 1, true, 2 * page, 3),
    ] {
        let mut commands = Vec::new();
        let mut execute = with_queues(count, gone, &mut commands);
        let answers = answers(Principal::of_process(), &descriptor(order), &question, true, &mut execute);
        drop(execute);
        let answers: Vec<_> = answers.iter().map(|answer| Message::decode(answer, order).unwrap()).collect();
        assert_eq!((answers.len(), commands.len()), (told, pages), "{count} queues, {commands:?}");
        for (index, answer) in answers.iter().enumerate() {
            let control = if index + 1 == told { MQCFC_LAST } else { MQCFC_NOT_LAST };
            assert_eq!((answer.header.sequence, answer.header.control), (index as i32 + 1, control));
            assert_eq!(answer.header.reason, 0);
            assert_eq!(answer.parameters[0].content, Content::Text(format!("Q{index:05}")));
        }
        let later = commands.iter().filter(|command| command.ends_with("later")).count();
        assert_eq!(later, pages - 1, "an event tells of the first alone: {commands:?}");
    }
}

#[test]
fn nothing_more_is_asked_for_an_answer_that_nobody_takes() {
    let order = ByteOrder::Little;
    let question = asked(MQCMD_INQUIRE_Q, vec![Parameter::text(MQCA_Q_NAME, "*")]).encode(order);
    let mut commands = Vec::new();
    let mut execute = with_queues(5 * rows_of_part(), false, &mut commands);
    answer(Principal::of_process(), &descriptor(order), &question, true, &mut execute, &mut |_| false);
    drop(execute);
    assert!(commands.len() <= 2, "{commands:?}");
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

#[test]
fn commands_in_text_are_answered_part_by_part_in_one_sequence() {
    let order = ByteOrder::Little;
    let text = "DISPLAY QLOCAL(*)\nNONSENSE\nDISPLAY QLOCAL(*)";
    let parameters =
        vec![Parameter::integer(MQIACF_ESCAPE_TYPE, MQET_MQSC), Parameter::text(MQCACF_ESCAPE_TEXT, text)];
    let question = asked(MQCMD_ESCAPE, parameters).encode(order);
    let count = 3 * rows_of_part() + 1;
    let mut commands = Vec::new();
    let mut execute = with_queues(count, false, &mut commands);
    let mut sent = Vec::new();
    answer(Principal::of_process(), &descriptor(order), &question, true, &mut execute, &mut |message| {
        sent.push(message);
        true
    });
    drop(execute);
    assert_eq!((sent.len(), commands.len()), (2 * count + 1, 8), "{commands:?}");
    for (index, message) in sent.iter().enumerate() {
        let header = Message::decode(message, order).unwrap().header;
        assert_eq!(header.sequence, index as i32 + 1);
        assert_eq!(header.control == MQCFC_LAST, index == 2 * count);
        assert_eq!(header.reason != 0, index == count, "the mistake stands between the answers");
    }
    // Nobody takes them: each command is done, and of no answer a second part is made.
    let mut commands = Vec::new();
    let mut execute = with_queues(count, false, &mut commands);
    answer(Principal::of_process(), &descriptor(order), &question, true, &mut execute, &mut |_| false);
    drop(execute);
    assert_eq!(commands.len(), 2, "{commands:?}");
}
