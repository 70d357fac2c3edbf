//! Answers requests in capitals: `reply QUEUE [COUNT]`
//!
//! A request and its reply are one unit of work: when this program is killed between them, the request is
//! back on its queue.

use examples::{Outcome, connect, queue, words};
use mqi::{
    CorrelationId, GetFlags, GetOptions, MessageDescriptor, MessageType, OpenOptions, PutFlags, PutOptions,
    Reason, Verbs as _, Wait,
};

/// Most bytes of a request.
const BYTES_MAX: usize = 4 << 20;

fn main() -> Outcome {
    let words = words("reply QUEUE [COUNT]", 1)?;
    let mut left: u64 = words.get(1).map_or(Ok(u64::MAX), |count| count.parse())?;
    let mut connection = connect("reply")?;
    let options = OpenOptions::INPUT_AS_Q_DEF | OpenOptions::FAIL_IF_QUIESCING;
    let requests = connection.open(&queue(&words[0])?, options)?;
    while left > 0 {
        let mut request = MessageDescriptor::default();
        let flags = GetFlags::SYNCPOINT | GetFlags::FAIL_IF_QUIESCING;
        let mut options = GetOptions::with(flags, Wait::Milliseconds(1_000));
        let got = match connection.get(requests.handle, &mut request, &mut options, BYTES_MAX) {
            Ok(got) => got,
            Err(Reason::NO_MSG_AVAILABLE) => continue,
            Err(reason) => return Err(reason.into()),
        };
        let mut reply = MessageDescriptor {
            message_type: MessageType::REPLY,
            correlation_id: CorrelationId::from(request.message_id),
            format: request.format,
            ..MessageDescriptor::default()
        };
        let answer = String::from_utf8_lossy(&got.body).to_uppercase();
        let mut options = PutOptions::with(PutFlags::SYNCPOINT | PutFlags::FAIL_IF_QUIESCING);
        connection.put1(&request.reply_to(), &mut reply, &mut options, answer.into())?;
        connection.commit()?;
        left -= 1;
    }
    connection.disconnect()?;
    Ok(())
}
