//! The content of a queue manager, as text: its queues as they are defined, and each message with its
//! descriptor.

use std::fmt::Write as _;
use std::path::Path;

use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, Reason, Verbs, Wait,
};
use server::Mode;
use server::embedded::{Connection, QueueManager};

use super::units;

/// Attributes that are compared: they are of this version, so that later ones may have more.
const ATTRIBUTES: &str =
    "QUEUE TYPE DESCR MAXDEPTH MAXMSGL DEFPSIST DEFPRTY MSGDLVSQ PUT GET CURDEPTH CRDATE CRTIME";

/// Longest message it looks at.
const BYTES_MAX: usize = 1 << 20;

/// Opens it and writes down what it holds.
pub(super) fn audit(data: &Path, name: &str) -> String {
    let queue_manager = QueueManager::open(data, &name.parse().unwrap()).unwrap();
    let mut text = String::new();
    let mut queues = Vec::new();
    for command in [
        format!("DISPLAY QLOCAL(GOLDEN.*) {}", ATTRIBUTES.replace("QUEUE ", "")),
        "DISPLAY QALIAS(GOLDEN.*) DESCR TARGET PUT GET".to_owned(),
        "DISPLAY QMODEL(GOLDEN.*) DESCR DEFTYPE MAXDEPTH".to_owned(),
        "DISPLAY QMGR DESCR MAXMSGL".to_owned(),
    ] {
        for response in queue_manager.command(&command).unwrap() {
            for row in response.rows {
                let is_local = command.contains("QLOCAL");
                for field in &row.fields {
                    field.value.write_mqsc(field.attribute, &mut text);
                    text.push(' ');
                    if is_local && field.attribute.keyword == "QUEUE" {
                        queues.push(field.value.as_text().unwrap().to_owned());
                    }
                }
                text.truncate(text.trim_end().len());
                text.push('\n');
            }
        }
    }
    let mut connection = queue_manager.connect("audit").unwrap();
    for queue in queues {
        let _ = writeln!(text, "{queue}:");
        messages(&mut connection, &queue, &mut text);
    }
    drop(connection);
    queue_manager.close(Mode::Preemptive);
    units::audit(data, name, &mut text);
    text
}

fn messages(connection: &mut Connection, queue: &str, text: &mut String) {
    let object = ObjectDescriptor::queue(queue.parse().unwrap());
    let handle = connection.open(&object, OpenOptions::BROWSE).unwrap().handle;
    loop {
        let mut descriptor = MessageDescriptor::default();
        let mut options = GetOptions::with(GetFlags::BROWSE_NEXT, Wait::No);
        match connection.get(handle, &mut descriptor, &mut options, BYTES_MAX) {
            Ok(got) => message(&descriptor, &got.body, text),
            Err(Reason::NO_MSG_AVAILABLE) => return,
            Err(reason) => panic!("{queue}: {reason}"),
        }
    }
}

fn message(descriptor: &MessageDescriptor, body: &[u8], text: &mut String) {
    let persistence =
        if descriptor.persistence == Persistence::Persistent { "persistent" } else { "express" };
    let hexadecimal = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let head: String = body.iter().take(24).map(|byte| byte.escape_ascii().to_string()).collect();
    let sum = body.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let _ = writeln!(
        text,
        "  {persistence} priority {} id {} correlation {} group {} backouts {} format {:?} reply to {:?} user {:?} \
         by {:?} at {:?} {:?} length {} sum {sum:016x} \"{head}\"",
        descriptor.priority.level().unwrap_or(0),
        hexadecimal(&descriptor.message_id.0),
        hexadecimal(&descriptor.correlation_id.0),
        hexadecimal(&descriptor.group_id.0),
        descriptor.backout_count,
        descriptor.format.as_str(),
        descriptor.reply_to_queue.as_str(),
        descriptor.user_identifier.as_str(),
        descriptor.put_application_name.as_str(),
        descriptor.put_date.as_str(),
        descriptor.put_time.as_str(),
        body.len(),
    );
}
