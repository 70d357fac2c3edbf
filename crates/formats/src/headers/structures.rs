//! The headers of fixed shape. Offsets are those of `facts/mqi_structs.csv`, which the tests compare with.
//!
//! ```text
//! MQDLH   172 bytes   why a message was not delivered, and what it was
//! MQMDE    72 bytes   what version 2 of the descriptor has more than version 1
//! MQXQH   428 bytes   where a message on a transmission queue goes, with its descriptor (version 1)
//! MQTM    684 bytes   why a program is started
//! MQTMC2  732 bytes   the same, all in characters
//! ```

use mqi::{
    AccountingToken, CorrelationId, Encoding, Expiry, Feedback, GroupId, MessageDescriptor, MessageFlags,
    MessageId, MessageType, Persistence, Priority, PutApplicationType, Reason, ReportOptions, Text,
    constants,
};

use super::error::HeaderError;
use super::fields::{Reader, Writer};
use super::place::{Place, Position};

/// The dead-letter header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetterHeader {
    /// Why the message is on the dead-letter queue: a reason or a feedback.
    pub reason: i32,
    /// The queue it was for.
    pub destination_queue: Text<48>,
    /// The queue manager that has that queue.
    pub destination_queue_manager: Text<48>,
    /// Description of the bytes behind the header.
    pub following: Place,
    /// The kind of program that put it here.
    pub put_application_type: PutApplicationType,
    /// The program that put it here.
    pub put_application_name: Text<28>,
    /// The day, `YYYYMMDD` in UTC.
    pub put_date: Text<8>,
    /// The time, `HHMMSSTH` in UTC.
    pub put_time: Text<8>,
}

/// The extension of a version 1 descriptor to version 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptorExtension {
    /// Description of the bytes behind the header.
    pub following: Place,
    /// Flags of the header itself.
    pub flags: i32,
    /// The group or logical message.
    pub group_id: GroupId,
    /// Place in the group, from 1.
    pub message_sequence_number: i32,
    /// Place of a segment's first byte.
    pub offset: i32,
    /// Group and segment flags.
    pub message_flags: MessageFlags,
    /// Length of the message a report segment is about.
    pub original_length: i32,
}

/// The header of a message on a transmission queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransmissionHeader {
    /// The queue the message is for.
    pub remote_queue: Text<48>,
    /// The queue manager that has it.
    pub remote_queue_manager: Text<48>,
    /// The message's own descriptor; what only version 2 has is in an extension that may follow.
    pub descriptor: MessageDescriptor,
}

/// The trigger message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TriggerMessage {
    /// The queue that asks for a program.
    pub queue: Text<48>,
    /// The process definition.
    pub process: Text<48>,
    /// The queue's trigger data.
    pub trigger_data: Text<64>,
    /// The kind of program.
    pub application_type: i32,
    /// The program.
    pub application_id: String,
    /// The environment.
    pub environment_data: Text<128>,
    /// Data for it from the process definition.
    pub user_data: Text<128>,
}

/// Bytes of an `ApplId` field.
const APPLICATION_ID_LENGTH: usize = 256;

pub(super) fn place(reader: &mut Reader<'_>) -> Result<Place, HeaderError> {
    Ok(Place {
        encoding: Encoding(reader.number("Encoding")?),
        coded_character_set: reader.number("CodedCharSetId")?,
        format: reader.text("Format")?,
    })
}

fn write_place(writer: &mut Writer, place: &Place) {
    writer.number(place.encoding.code());
    writer.number(place.coded_character_set);
    writer.text(place.format, 8);
}

impl DeadLetterHeader {
    pub(super) fn read(at: &Position<'_>) -> Result<(Self, usize), HeaderError> {
        let mut reader = at.reader("MQDLH")?;
        reader.identifier(constants::MQDLH_STRUC_ID)?;
        reader.version(constants::MQDLH_VERSION_1)?;
        let header = Self {
            reason: reader.number("Reason")?,
            destination_queue: reader.text("DestQName")?,
            destination_queue_manager: reader.text("DestQMgrName")?,
            following: place(&mut reader)?,
            put_application_type: PutApplicationType(reader.number("PutApplType")?),
            put_application_name: reader.text("PutApplName")?,
            put_date: reader.text("PutDate")?,
            put_time: reader.text("PutTime")?,
        };
        Ok((header, reader.position()))
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.text(constants::MQDLH_STRUC_ID, 4);
        writer.number(constants::MQDLH_VERSION_1);
        writer.number(self.reason);
        writer.text(self.destination_queue, 48);
        writer.text(self.destination_queue_manager, 48);
        write_place(writer, &self.following);
        writer.number(self.put_application_type.code());
        writer.text(self.put_application_name, 28);
        writer.text(self.put_date, 8);
        writer.text(self.put_time, 8);
    }
}

impl DescriptorExtension {
    pub(super) fn read(at: &Position<'_>) -> Result<(Self, usize), HeaderError> {
        let mut reader = at.reader("MQMDE")?;
        reader.identifier(constants::MQMDE_STRUC_ID)?;
        reader.version(constants::MQMDE_VERSION_2)?;
        let length = reader.exact_length(constants::MQMDE_LENGTH_2)?;
        let header = Self {
            following: place(&mut reader)?,
            flags: reader.number("Flags")?,
            group_id: GroupId(reader.array("GroupId")?),
            message_sequence_number: reader.number("MsgSeqNumber")?,
            offset: reader.number("Offset")?,
            message_flags: MessageFlags::from_bits(reader.number("MsgFlags")?),
            original_length: reader.number("OriginalLength")?,
        };
        Ok((header, length))
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.text(constants::MQMDE_STRUC_ID, 4);
        writer.number(constants::MQMDE_VERSION_2);
        writer.number(constants::MQMDE_LENGTH_2 as i32);
        write_place(writer, &self.following);
        writer.number(self.flags);
        writer.raw(self.group_id.as_bytes());
        writer.number(self.message_sequence_number);
        writer.number(self.offset);
        writer.number(self.message_flags.bits());
        writer.number(self.original_length);
    }
}

impl TransmissionHeader {
    pub(super) fn read(at: &Position<'_>) -> Result<(Self, usize), HeaderError> {
        let mut reader = at.reader("MQXQH")?;
        reader.identifier(constants::MQXQH_STRUC_ID)?;
        reader.version(constants::MQXQH_VERSION_1)?;
        let remote_queue = reader.text("RemoteQName")?;
        let remote_queue_manager = reader.text("RemoteQMgrName")?;
        let descriptor = read_descriptor(&mut reader)?;
        Ok((Self { remote_queue, remote_queue_manager, descriptor }, reader.position()))
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.text(constants::MQXQH_STRUC_ID, 4);
        writer.number(constants::MQXQH_VERSION_1);
        writer.text(self.remote_queue, 48);
        writer.text(self.remote_queue_manager, 48);
        write_descriptor(writer, &self.descriptor);
    }
}

/// Version 1 of the descriptor, as it stands in a transmission header.
fn read_descriptor(reader: &mut Reader<'_>) -> Result<MessageDescriptor, HeaderError> {
    reader.identifier(constants::MQMD_STRUC_ID)?;
    reader.version(constants::MQMD_VERSION_1)?;
    let wrong = |reader: &Reader<'_>, field, length| reader.error(super::Fault::Length { field, length });
    let report = ReportOptions::from_bits(reader.number("Report")?);
    let message_type = MessageType(reader.number("MsgType")?);
    let expiry = reader.number("Expiry")?;
    let expiry = Expiry::from_code(expiry).map_err(|_| wrong(reader, "Expiry", expiry))?;
    let feedback = Feedback(reader.number("Feedback")?);
    let encoding = Encoding(reader.number("Encoding")?);
    let coded_character_set = reader.number("CodedCharSetId")?;
    let format = reader.text("Format")?;
    let priority = reader.number("Priority")?;
    let priority = Priority::from_code(priority).map_err(|_| wrong(reader, "Priority", priority))?;
    let persistence = reader.number("Persistence")?;
    let persistence =
        Persistence::from_code(persistence).map_err(|_| wrong(reader, "Persistence", persistence))?;
    Ok(MessageDescriptor {
        report,
        message_type,
        expiry,
        feedback,
        encoding,
        coded_character_set,
        format,
        priority,
        persistence,
        message_id: MessageId(reader.array("MsgId")?),
        correlation_id: CorrelationId(reader.array("CorrelId")?),
        backout_count: reader.number("BackoutCount")?,
        reply_to_queue: reader.text::<48>("ReplyToQ")?.into(),
        reply_to_queue_manager: reader.text::<48>("ReplyToQMgr")?.into(),
        user_identifier: reader.text("UserIdentifier")?,
        accounting_token: AccountingToken(reader.array("AccountingToken")?),
        application_identity_data: reader.text::<32>("ApplIdentityData")?.into(),
        put_application_type: PutApplicationType(reader.number("PutApplType")?),
        put_application_name: reader.text("PutApplName")?,
        put_date: reader.text("PutDate")?,
        put_time: reader.text("PutTime")?,
        application_origin_data: reader.text("ApplOriginData")?,
        ..MessageDescriptor::default()
    })
}

fn write_descriptor(writer: &mut Writer, descriptor: &MessageDescriptor) {
    writer.text(constants::MQMD_STRUC_ID, 4);
    writer.number(constants::MQMD_VERSION_1);
    writer.number(descriptor.report.bits());
    writer.number(descriptor.message_type.code());
    writer.number(descriptor.expiry.code());
    writer.number(descriptor.feedback.code());
    write_place(
        writer,
        &Place {
            encoding: descriptor.encoding,
            coded_character_set: descriptor.coded_character_set,
            format: descriptor.format,
        },
    );
    writer.number(descriptor.priority.code());
    writer.number(descriptor.persistence.code());
    writer.raw(descriptor.message_id.as_bytes());
    writer.raw(descriptor.correlation_id.as_bytes());
    writer.number(descriptor.backout_count);
    writer.text(&descriptor.reply_to_queue, 48);
    writer.text(&descriptor.reply_to_queue_manager, 48);
    writer.text(descriptor.user_identifier, 12);
    writer.raw(descriptor.accounting_token.as_bytes());
    writer.text(&descriptor.application_identity_data, 32);
    writer.number(descriptor.put_application_type.code());
    writer.text(descriptor.put_application_name, 28);
    writer.text(descriptor.put_date, 8);
    writer.text(descriptor.put_time, 8);
    writer.text(descriptor.application_origin_data, 4);
}

impl TriggerMessage {
    /// Reads the body of a message of format `MQTRIG`.
    ///
    /// # Errors
    /// The fault of the structure.
    pub fn read(place: &Place, body: &[u8]) -> Result<Self, HeaderError> {
        let mut reader = Position { place: *place, bytes: body, offset: 0 }.reader("MQTM")?;
        reader.identifier(constants::MQTM_STRUC_ID)?;
        reader.version(constants::MQTM_VERSION_1)?;
        let queue = reader.text("QName")?;
        let process = reader.text("ProcessName")?;
        let trigger_data = reader.text("TriggerData")?;
        let application_type = reader.number("ApplType")?;
        Self::read_rest(&mut reader, queue, process, trigger_data, application_type)
    }

    fn read_rest(
        reader: &mut Reader<'_>,
        queue: Text<48>,
        process: Text<48>,
        trigger_data: Text<64>,
        application_type: i32,
    ) -> Result<Self, HeaderError> {
        let first: Text<128> = reader.text("ApplId")?;
        let second: Text<128> = reader.text("ApplId")?;
        // A blank at the seam belongs to the text when something follows it.
        let application_id = if second.is_blank() {
            first.as_str().to_owned()
        } else {
            format!("{:128}{second}", first.as_str())
        };
        Ok(Self {
            queue,
            process,
            trigger_data,
            application_type,
            application_id,
            environment_data: reader.text("EnvData")?,
            user_data: reader.text("UserData")?,
        })
    }

    /// The body of a message of format `MQTRIG`.
    ///
    /// # Errors
    /// `MQRC_TARGET_CCSID_ERROR` or `MQRC_TARGET_INTEGER_ENC_ERROR` for a place it cannot be written for.
    pub fn write(&self, place: &Place) -> Result<Vec<u8>, Reason> {
        let mut writer = Writer::new(place.encoding, place.coded_character_set)?;
        writer.text(constants::MQTM_STRUC_ID, 4);
        writer.number(constants::MQTM_VERSION_1);
        writer.text(self.queue, 48);
        writer.text(self.process, 48);
        writer.text(self.trigger_data, 64);
        writer.number(self.application_type);
        self.write_rest(&mut writer);
        Ok(writer.bytes)
    }

    /// The structure a trigger monitor hands to the program it starts: all characters, with the queue
    /// manager's name.
    ///
    /// # Errors
    /// `MQRC_TARGET_CCSID_ERROR` for a character set it cannot be written in.
    pub fn to_characters(&self, queue_manager: &str, ccsid: i32) -> Result<Vec<u8>, Reason> {
        let mut writer = Writer::new(Encoding::NATIVE, ccsid)?;
        writer.text(constants::MQTMC_STRUC_ID, 4);
        writer.text(constants::MQTMC_VERSION_2, 4);
        writer.text(self.queue, 48);
        writer.text(self.process, 48);
        writer.text(self.trigger_data, 64);
        // The type says nothing in characters: programs find four blanks.
        writer.text("", 4);
        self.write_rest(&mut writer);
        writer.text(queue_manager, 48);
        Ok(writer.bytes)
    }

    /// Reads what `to_characters` wrote: the message and the queue manager's name.
    ///
    /// # Errors
    /// The fault of the structure.
    pub fn from_characters(bytes: &[u8], ccsid: i32) -> Result<(Self, Text<48>), HeaderError> {
        let mut reader = Reader::new("MQTMC2", bytes, 0, Encoding::NATIVE, ccsid)?;
        reader.identifier(constants::MQTMC_STRUC_ID)?;
        let version: Text<4> = reader.text("Version")?;
        if version.as_str() != constants::MQTMC_VERSION_2 {
            return Err(reader.error(super::Fault::Version(version.as_str().trim().parse().unwrap_or(0))));
        }
        let queue = reader.text("QName")?;
        let process = reader.text("ProcessName")?;
        let trigger_data = reader.text("TriggerData")?;
        let _: Text<4> = reader.text("ApplType")?;
        let message = Self::read_rest(&mut reader, queue, process, trigger_data, 0)?;
        Ok((message, reader.text("QMgrName")?))
    }

    fn write_rest(&self, writer: &mut Writer) {
        writer.text(&self.application_id, APPLICATION_ID_LENGTH);
        writer.text(self.environment_data, 128);
        writer.text(self.user_data, 128);
    }
}
