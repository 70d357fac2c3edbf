//! Asks a question and prints the answer: `request QUEUE TEXT`
//!
//! The answer comes to a queue that is made for it, and is known by the identifier of the question.

use examples::{Outcome, connect, queue, words};
use mqi::{
    CorrelationId, GetFlags, GetOptions, MessageDescriptor, MessageType, OpenOptions, PutFlags, PutOptions,
    Text, Verbs as _, Wait,
};

/// Most bytes of an answer.
const BYTES_MAX: usize = 4 << 20;

fn main() -> Outcome {
    let words = words("request QUEUE TEXT", 2)?;
    let mut connection = connect("request")?;
    let model = queue("SYSTEM.DEFAULT.MODEL.QUEUE")?;
    let answers = connection.open(&model, OpenOptions::INPUT_EXCLUSIVE | OpenOptions::FAIL_IF_QUIESCING)?;

    let mut question = MessageDescriptor {
        message_type: MessageType::REQUEST,
        format: Text::truncated("MQSTR"),
        // The name of the queue that the open made.
        reply_to_queue: answers.object_name.into(),
        ..MessageDescriptor::default()
    };
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::FAIL_IF_QUIESCING);
    connection.put1(&queue(&words[0])?, &mut question, &mut options, words[1].clone().into())?;

    let mut answer = MessageDescriptor {
        correlation_id: CorrelationId::from(question.message_id),
        ..MessageDescriptor::default()
    };
    let flags = GetFlags::NO_SYNCPOINT | GetFlags::FAIL_IF_QUIESCING;
    let mut options = GetOptions::with(flags, Wait::Milliseconds(10_000));
    let got = connection.get(answers.handle, &mut answer, &mut options, BYTES_MAX)?;
    println!("{}", String::from_utf8_lossy(&got.body));
    connection.disconnect()?;
    Ok(())
}
