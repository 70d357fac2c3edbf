//! amqsbcg: the messages of a queue, descriptor and body, left where they are.

use std::fmt::Write as _;
use std::io::Write as _;

use mqi::properties::{
    CreateHandleOptions, InquirePropertyFlags, InquirePropertyOptions, MessageHandles, PropertyValue,
};
use mqi::{
    CloseOptions, GetFlags, GetOptions, Got, MessageDescriptor, MessageHandle, OpenOptions, Reason, Wait,
    constants,
};

use super::{Program, Sample, Stopped, misused, queue, refused};
use crate::message::MESSAGE_BYTES_MAX;
use terminal::output::harmless;

pub(super) const PROGRAM: Program = Program {
    application: "amqsbcg",
    usage: "QUEUE [QMGR [PROPERTIES]]",
    object: "queue",
    first_line: "\nAMQSBCG0 - starts here\n**********************\n ",
    last_line: " MQDISC",
    run,
};

/// In which form properties are wanted, by the number that is typed for it.
const PROPERTIES: [(&str, GetFlags); 5] = [
    ("0", GetFlags::EMPTY),
    ("1", GetFlags::PROPERTIES_IN_HANDLE),
    ("2", GetFlags::NO_PROPERTIES),
    ("3", GetFlags::PROPERTIES_FORCE_MQRFH2),
    ("4", GetFlags::PROPERTIES_COMPATIBILITY),
];

fn run(sample: &mut Sample, typed: &[String]) -> Result<(), Stopped> {
    let form = typed.get(2).map_or(PROPERTIES[0].0, String::as_str);
    let Some((_, form)) = PROPERTIES.iter().find(|(number, _)| *number == form) else {
        let words = format!(
            "{form} is no form of properties here: 0 as the queue says, 1 apart, 2 none, 3 MQRFH2, 4 compatible"
        );
        return Err(misused(words));
    };
    writeln!(sample.output, " MQOPEN - '{}'", typed[0])?;
    let opening = OpenOptions::BROWSE | OpenOptions::FAIL_IF_QUIESCING;
    let opened = sample.open(&queue(&typed[0])?, opening, "unable to open queue for browse")?;
    let flags = *form | GetFlags::BROWSE_NEXT | GetFlags::FAIL_IF_QUIESCING;
    let mut handles = Handles::of(sample, *form == GetFlags::PROPERTIES_IN_HANDLE)?;
    for number in 1_u64.. {
        let mut options =
            GetOptions { message_handle: handles.handle(), ..GetOptions::with(flags, Wait::No) };
        let mut descriptor = MessageDescriptor::default();
        match sample.verbs().get(opened.handle, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
            Ok(got) => {
                let reason = got.warning.map_or(constants::MQRC_NONE, Reason::code);
                let completion =
                    if got.warning.is_some() { constants::MQCC_WARNING } else { constants::MQCC_OK };
                let call = format!("MQGET of message number {number}, CompCode:{completion} Reason:{reason}");
                let properties = handles.listed().map_err(refused("MQINQMP"))?;
                write!(
                    sample.output,
                    " \n \n {call}\n{}{properties}{}",
                    described(&descriptor),
                    shown(&got)
                )?;
            }
            Err(Reason::NO_MSG_AVAILABLE) => break,
            Err(reason) => return Err(refused("MQGET")(reason)),
        }
    }
    write!(sample.output, " \n \n No more messages \n MQCLOSE\n")?;
    sample.close(&opened, CloseOptions::EMPTY)
}

/// The descriptor, a field or two a line.
fn described(descriptor: &MessageDescriptor) -> String {
    let hex = |bytes: &[u8]| -> String {
        bytes.iter().fold(String::new(), |mut text, byte| {
            // Writing to a String does not fail.
            let _ = write!(text, "{byte:02X}");
            text
        })
    };
    let of = descriptor;
    let lines = [
        "****Message descriptor****".to_owned(),
        String::new(),
        "  StrucId  : 'MD  '  Version : 2".to_owned(),
        format!("  Report   : {}  MsgType : {}", of.report.bits(), of.message_type.code()),
        format!("  Expiry   : {}  Feedback : {}", of.expiry.code(), of.feedback.code()),
        format!("  Encoding : {}  CodedCharSetId : {}", of.encoding.code(), of.coded_character_set),
        format!("  Format : '{:8}'", of.format.as_str()),
        format!("  Priority : {}  Persistence : {}", of.priority.code(), of.persistence.code()),
        format!("  MsgId : X'{}'", hex(&of.message_id.0)),
        format!("  CorrelId : X'{}'", hex(&of.correlation_id.0)),
        format!("  BackoutCount : {}", of.backout_count),
        format!("  ReplyToQ       : '{:48}'", of.reply_to_queue.as_str()),
        format!("  ReplyToQMgr    : '{:48}'", of.reply_to_queue_manager.as_str()),
        "  ** Identity Context".to_owned(),
        format!("  UserIdentifier : '{:12}'", of.user_identifier.as_str()),
        "  AccountingToken :".to_owned(),
        format!("   X'{}'", hex(&of.accounting_token.0)),
        format!("  ApplIdentityData : '{:32}'", of.application_identity_data.as_str()),
        "  ** Origin Context".to_owned(),
        format!("  PutApplType    : '{}'", of.put_application_type.code()),
        format!("  PutApplName    : '{:28}'", of.put_application_name.as_str()),
        format!("  PutDate  : '{:8}'    PutTime  : '{:8}'", of.put_date.as_str(), of.put_time.as_str()),
        format!("  ApplOriginData : '{:4}'", of.application_origin_data.as_str()),
        String::new(),
        format!("  GroupId : X'{}'", hex(&of.group_id.0)),
        format!("  MsgSeqNumber   : '{}'", of.message_sequence_number),
        format!("  Offset         : '{}'", of.offset),
        format!("  MsgFlags       : '{}'", of.message_flags.bits()),
        format!("  OriginalLength : '{}'", of.original_length),
        String::new(),
        String::new(),
    ];
    lines.map(|line| harmless(&line).into_owned()).join("\n")
}

/// Longest name and value of a property that are shown.
const PROPERTY_BYTES_MAX: usize = 64 * 1024;

/// The handle that properties are shown from, when they are to be apart from the body.
struct Handles(Option<(Box<dyn MessageHandles>, MessageHandle)>);

impl Handles {
    fn of(sample: &mut Sample, is_wanted: bool) -> Result<Self, Stopped> {
        if !is_wanted {
            return Ok(Self(None));
        }
        let mut handles = sample.verbs().message_handles().map_err(refused("MQCRTMH"))?;
        let handle =
            handles.create_message_handle(CreateHandleOptions::default()).map_err(refused("MQCRTMH"))?;
        Ok(Self(Some((handles, handle))))
    }

    fn handle(&self) -> MessageHandle {
        self.0.as_ref().map_or(MessageHandle::NONE, |(_, handle)| *handle)
    }

    /// The properties of the message that was got last, one a line.
    fn listed(&mut self) -> Result<String, Reason> {
        let Some((handles, handle)) = &mut self.0 else { return Ok(String::new()) };
        let mut text = "****Message properties****\n\n".to_owned();
        let mut next = InquirePropertyFlags::EMPTY;
        loop {
            let mut options = InquirePropertyOptions {
                name_bytes_max: Some(PROPERTY_BYTES_MAX),
                ..InquirePropertyOptions::with(next)
            };
            match handles.inquire_property(*handle, &mut options, "%", PROPERTY_BYTES_MAX) {
                Ok(found) => {
                    let line = format!("{} : {}", options.returned_name, valued(&found.value));
                    text += &format!("  {}\n", harmless(&line));
                }
                Err(Reason::PROPERTY_NOT_AVAILABLE) => return Ok(text + "\n"),
                Err(reason) => return Err(reason),
            }
            next = InquirePropertyFlags::INQ_NEXT;
        }
    }
}

/// A value: texts and bytes in quotes, numbers as they are.
fn valued(value: &PropertyValue) -> String {
    match value {
        PropertyValue::Null => "NULL".to_owned(),
        PropertyValue::Boolean(value) => if *value { "TRUE" } else { "FALSE" }.to_owned(),
        PropertyValue::Bytes(bytes) => {
            format!("X'{}'", bytes.iter().map(|byte| format!("{byte:02X}")).collect::<String>())
        }
        PropertyValue::Int8(value) => value.to_string(),
        PropertyValue::Int16(value) => value.to_string(),
        PropertyValue::Int32(value) => value.to_string(),
        PropertyValue::Int64(value) => value.to_string(),
        PropertyValue::Float32(value) => value.to_string(),
        PropertyValue::Float64(value) => value.to_string(),
        PropertyValue::Text(text) => format!("'{text}'"),
    }
}

/// Bytes of a body in one line.
const LINE_BYTES: usize = 16;

/// The body in hexadecimal digits, and beside them what can be read.
fn shown(got: &Got) -> String {
    let mut text =
        format!("****   Message      ****\n\n length - {} of {} bytes\n\n", got.body.len(), got.data_length);
    for (number, line) in got.body.chunks(LINE_BYTES).enumerate() {
        let mut digits = String::new();
        let mut read = String::new();
        for (place, byte) in line.iter().enumerate() {
            let gap = if place % 2 == 1 { " " } else { "" };
            // Writing to a String does not fail.
            let _ = write!(digits, "{byte:02X}{gap}");
            read.push(if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '.' });
        }
        let _ = writeln!(text, "{:08X}:  {digits:40}'{read:LINE_BYTES$}'", number * LINE_BYTES);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Handles, shown, valued};
    use formats::properties::handle::Handles as OfConnection;
    use mqi::Got;
    use mqi::properties::{
        CreateHandleOptions, MessageHandles as _, PropertyDescriptor, PropertyValue, SetPropertyOptions,
    };

    #[test]
    fn properties_are_listed_one_a_line() {
        let mut handles = OfConnection::default();
        let handle = handles.create_message_handle(CreateHandleOptions::default()).unwrap();
        for (name, value) in
            [("colour", PropertyValue::Text("green".into())), ("number", PropertyValue::Int32(42))]
        {
            let (options, descriptor) = (SetPropertyOptions::default(), PropertyDescriptor::default());
            handles.set_property(handle, options, name, descriptor, &value).unwrap();
        }
        let listed = Handles(Some((Box::new(handles), handle))).listed().unwrap();
        assert_eq!(listed, "****Message properties****\n\n  colour : 'green'\n  number : 42\n\n");
        assert_eq!(valued(&PropertyValue::Bytes(b"\x0a\xff"[..].into())), "X'0AFF'");
        assert_eq!(Handles(None).listed().unwrap(), "");
    }

    #[test]
    fn a_body_is_shown_sixteen_bytes_a_line() {
        let got = Got { body: b"0123456789abcdef\x00\xffz"[..].into(), data_length: 19, ..Got::default() };
        insta::assert_snapshot!(shown(&got), @r"
        ****   Message      ****

         length - 19 of 19 bytes

        00000000:  3031 3233 3435 3637 3839 6162 6364 6566 '0123456789abcdef'
        00000010:  00FF 7A                                 '..z             '
        ");
    }
}
