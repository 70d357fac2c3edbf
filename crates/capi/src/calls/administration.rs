//! Bags over queues: mqPutBag, mqGetBag, and mqExecute, which has the command server execute a command.

use crate::bags;
use crate::boundary::Done;
use crate::connections;
use crate::layout::{MQGMO, MQHBAG, MQHCONN, MQHOBJ, MQLONG, MQMD, MQPMO, Versioned};
use crate::memory::{Pointer, Structure};
use crate::translate::{get_options, message_descriptor, put_options};
use mqi::{
    AttributeValue, CloseOptions, CorrelationId, Encoding, Expiry, GetFlags, GetOptions, MessageDescriptor,
    MessageType, ObjectDescriptor, ObjectHandle, ObjectName, OpenOptions, PutFlags, PutOptions, Rare, Reason,
    Selector, Text, Verbs, Wait, constants,
};
use objects::pcf::{ByteOrder, Message};

/// Formats of messages that bags can be made of.
const FORMATS: [&str; 3] = [constants::MQFMT_ADMIN, constants::MQFMT_EVENT, constants::MQFMT_PCF];

/// Most bytes of a message that is got into a bag: the most there are in any.
const MESSAGE_BYTES_MAX: usize = 100 << 20;

/// Descriptor and options of a put or get.
#[derive(Clone, Copy)]
pub(super) struct Descriptions<O: Versioned> {
    pub(super) descriptor: Pointer<MQMD>,
    pub(super) options: Pointer<O>,
}

fn check_format(descriptor: &MessageDescriptor) -> Result<(), Reason> {
    if !FORMATS.iter().any(|format| descriptor.format == Text::truncated(format.trim_end())) {
        return Err(Reason::FORMAT_NOT_SUPPORTED);
    }
    if descriptor.encoding != Encoding(constants::MQENC_NATIVE) {
        return Err(Reason::ENCODING_NOT_SUPPORTED);
    }
    Ok(())
}

/// mqPutBag. Texts in the message are in UTF-8, and it says so.
pub(super) fn put(
    connection: MQHCONN,
    handle: MQHOBJ,
    how: Descriptions<MQPMO>,
    bag: MQHBAG,
) -> Result<Done, Reason> {
    connections::with(connection, |verbs| {
        let program = Structure::read(how.descriptor, MQMD::DEFAULT, Reason::MD_ERROR)?;
        let program_options = Structure::read_or(how.options, MQPMO::DEFAULT, Reason::PMO_ERROR)?;
        let before = message_descriptor::for_put(&program)?;
        check_format(&before)?;
        let body = bags::with(|bags| bags.message(bag))?.encode(ByteOrder::NATIVE);
        let (mut descriptor, mut options) = (before.clone(), put_options::for_put(&program_options)?);
        verbs.put(ObjectHandle(handle), &mut descriptor, &mut options, body.into())?;
        message_descriptor::give_changed(&program, &before, &descriptor);
        put_options::give_put(&program_options, &options);
        Ok(options.warning)
    })
}

/// mqGetBag. A message that no bag can be made of is got all the same; inside a unit of work it can be
/// brought back.
pub(super) fn get(
    connection: MQHCONN,
    handle: MQHOBJ,
    how: Descriptions<MQGMO>,
    bag: MQHBAG,
) -> Result<Done, Reason> {
    connections::with(connection, |verbs| {
        let program = Structure::read(how.descriptor, MQMD::DEFAULT, Reason::MD_ERROR)?;
        let program_options = Structure::read_or(how.options, MQGMO::DEFAULT, Reason::GMO_ERROR)?;
        bags::with(|bags| bags.alter(bag).map(drop))?;
        let mut descriptor = message_descriptor::for_get(&program);
        let mut options = get_options::for_get(&program_options)?;
        let got = verbs.get(ObjectHandle(handle), &mut descriptor, &mut options, MESSAGE_BYTES_MAX)?;
        message_descriptor::give_all(&program, &descriptor);
        get_options::give_got(&program_options, &options);
        check_format(&descriptor)?;
        let message = bags::decode(&got.body)?;
        bags::with(|bags| bags.fill(bag, message))?;
        Ok(got.warning)
    })
}

/// Arguments of mqExecute.
#[derive(Clone, Copy)]
pub(super) struct ToExecute {
    pub(super) command: MQLONG,
    /// A bag with the one option there is, or none.
    pub(super) options: MQHBAG,
    /// The parameters of the command, or none.
    pub(super) parameters: MQHBAG,
    /// Where answers are gathered, if they are wanted.
    pub(super) replies: MQHBAG,
    pub(super) commands_queue: MQHOBJ,
    pub(super) reply_queue: MQHOBJ,
}

/// Where the command server gets commands.
const COMMANDS_QUEUE: &str = "SYSTEM.ADMIN.COMMAND.QUEUE";
/// Model of a queue for the answers.
const REPLY_MODEL: &str = "SYSTEM.DEFAULT.MODEL.QUEUE";
/// Wait for each answer unless the options set it, in milliseconds.
const WAIT_DEFAULT: i32 = 30_000;

/// mqExecute: puts the command, gathers the answers. One of them that tells of a failure makes the call fail
/// with MQRCCF_COMMAND_FAILED; which failure it was, its bag says. When not all of them come in time, that is
/// a warning; when none does, the call has failed.
pub(super) fn execute(connection: MQHCONN, asked: ToExecute) -> Result<Done, Reason> {
    connections::with(connection, |verbs| {
        let (message, wait) = bags::with(|bags| {
            if asked.replies != constants::MQHB_NONE {
                bags.take_out(asked.replies, |bag| Ok(bag.clear()))?;
            }
            Ok((asked.message(bags)?, asked.wait(bags)?))
        })?;
        let mut opened = Opened::default();
        let outcome = exchange(verbs, asked, &message, wait, &mut opened);
        // A failure of the call is told before one of its end.
        let closed = opened.close(verbs);
        let answered = outcome?;
        closed?;
        match answered {
            Answered::Failed => Err(Reason::from_code(constants::MQRCCF_COMMAND_FAILED)),
            Answered::InPart => Ok(Some(Reason::NO_MSG_AVAILABLE)),
            Answered::Wholly => Ok(None),
        }
    })
}

impl ToExecute {
    /// The message of the command.
    fn message(self, bags: &bags::Bags) -> Result<Message, Reason> {
        if self.parameters == constants::MQHB_NONE {
            let header = objects::pcf::Header::command(self.command);
            return Ok(Message { header, parameters: Vec::new() });
        }
        let message = bags.message_of_command(self.parameters, self.command)?;
        if message.header.kind == constants::MQCFT_COMMAND {
            Ok(message)
        } else {
            Err(Reason::COMMAND_TYPE_ERROR)
        }
    }

    /// Wait for each answer.
    fn wait(self, bags: &bags::Bags) -> Result<Wait, Reason> {
        let interval = if self.options == constants::MQHB_NONE {
            WAIT_DEFAULT
        } else {
            match bags.get(self.options)?.items() {
                [] => WAIT_DEFAULT,
                items if items.iter().any(|item| item.selector != constants::MQIACF_WAIT_INTERVAL) => {
                    return Err(Reason::OPTIONS_ERROR);
                }
                [bags::Item { value: bags::Value::Integer(interval), .. }] => *interval,
                _ => return Err(Reason::WAIT_INTERVAL_ERROR),
            }
        };
        Wait::from_code(constants::MQGMO_WAIT, interval)
    }
}

/// Queues that the call opened itself.
#[derive(Default)]
struct Opened {
    commands: Option<ObjectHandle>,
    replies: Option<ObjectHandle>,
}

impl Opened {
    fn close(self, verbs: &mut dyn Verbs) -> Result<(), Reason> {
        let replies = self.replies.map(|handle| verbs.close(handle, CloseOptions::DELETE_PURGE));
        let commands = self.commands.map(|handle| verbs.close(handle, CloseOptions::EMPTY));
        replies.transpose()?;
        commands.transpose().map(drop)
    }
}

/// Completeness of the answer to a command.
enum Answered {
    Wholly,
    /// Not all answers came in time.
    InPart,
    /// One of them tells of a failure.
    Failed,
}

/// Puts the command and gathers the answers.
fn exchange(
    verbs: &mut dyn Verbs,
    asked: ToExecute,
    message: &Message,
    wait: Wait,
    opened: &mut Opened,
) -> Result<Answered, Reason> {
    let commands = match asked.commands_queue {
        constants::MQHO_NONE => open_commands(verbs, opened)?,
        handle => ObjectHandle(handle),
    };
    let expects_replies = asked.replies != constants::MQHB_NONE;
    let replies = match asked.reply_queue {
        _ if !expects_replies => None,
        constants::MQHO_NONE => Some(open_replies(verbs, opened)?),
        handle => Some((ObjectHandle(handle), name_of(verbs, ObjectHandle(handle))?)),
    };
    let mut descriptor = MessageDescriptor {
        message_type: if expects_replies { MessageType::REQUEST } else { MessageType::DATAGRAM },
        format: Text::truncated(constants::MQFMT_ADMIN.trim_end()),
        // Nobody waits for the answer of a command that is older.
        expiry: wait.limit().map_or(Expiry::UNLIMITED, |limit| {
            u32::try_from(limit.as_millis().div_ceil(100).max(1)).map_or(Expiry::UNLIMITED, Expiry::tenths)
        }),
        reply_to_queue: replies.map_or(Rare::USUAL, |(_, name)| name.into()),
        ..MessageDescriptor::default()
    };
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::FAIL_IF_QUIESCING);
    verbs.put(commands, &mut descriptor, &mut options, message.encode(ByteOrder::NATIVE).into())?;
    let Some((replies, _)) = replies else { return Ok(Answered::Wholly) };
    gather(verbs, replies, CorrelationId::from(descriptor.message_id), wait, asked.replies)
}

fn gather(
    verbs: &mut dyn Verbs,
    replies: ObjectHandle,
    correlation_id: CorrelationId,
    wait: Wait,
    bag: MQHBAG,
) -> Result<Answered, Reason> {
    let (mut has_failed, mut count) = (false, 0);
    loop {
        let flags = GetFlags::NO_SYNCPOINT | GetFlags::CONVERT | GetFlags::FAIL_IF_QUIESCING;
        let mut options = GetOptions::with(flags, wait);
        let mut reply = MessageDescriptor { correlation_id, ..MessageDescriptor::default() };
        let got = match verbs.get(replies, &mut reply, &mut options, MESSAGE_BYTES_MAX) {
            Err(Reason::NO_MSG_AVAILABLE) if count > 0 => return Ok(Answered::InPart),
            got => got?,
        };
        check_format(&reply)?;
        let message = bags::decode(&got.body)?;
        has_failed |= message.header.completion == constants::MQCC_FAILED;
        let is_last = message.header.control == constants::MQCFC_LAST;
        bags::with(|bags| bags.add_reply(bag, message))?;
        count += 1;
        if is_last {
            return Ok(if has_failed { Answered::Failed } else { Answered::Wholly });
        }
    }
}

/// Opens the queue of the command server. That is a part of the queue manager and is there with it; it does
/// not count among the getters of the queue.
fn open_commands(verbs: &mut dyn Verbs, opened: &mut Opened) -> Result<ObjectHandle, Reason> {
    let options = OpenOptions::OUTPUT | OpenOptions::FAIL_IF_QUIESCING;
    let handle = verbs.open(&queue(COMMANDS_QUEUE)?, options)?.handle;
    opened.commands = Some(handle);
    Ok(handle)
}

fn open_replies(verbs: &mut dyn Verbs, opened: &mut Opened) -> Result<(ObjectHandle, ObjectName), Reason> {
    let options = OpenOptions::INPUT_EXCLUSIVE | OpenOptions::FAIL_IF_QUIESCING;
    let queue = verbs.open(&queue(REPLY_MODEL)?, options)?;
    opened.replies = Some(queue.handle);
    Ok((queue.handle, queue.object_name))
}

fn queue(name: &str) -> Result<ObjectDescriptor, Reason> {
    name.parse().map(ObjectDescriptor::queue).map_err(|_| Reason::OBJECT_NAME_ERROR)
}

/// The name of a queue that the program opened, also to inquire.
fn name_of(verbs: &mut dyn Verbs, handle: ObjectHandle) -> Result<ObjectName, Reason> {
    let inquired = verbs.inquire(handle, &[Selector(constants::MQCA_Q_NAME)])?;
    match inquired.values.first() {
        Some(AttributeValue::Text(name)) => name.trim_end().parse().map_err(|_| Reason::OBJECT_NAME_ERROR),
        _ => Err(Reason::SELECTOR_ERROR),
    }
}
