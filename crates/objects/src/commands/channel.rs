//! Commands about channels besides their definitions: START, STOP, PING, RESET and RESOLVE CHANNEL, START and
//! STOP CHINIT, DISPLAY CHSTATUS.

use std::fmt;

use mqi::constants::*;
use mqi::{ObjectName, QueueManagerName};

use super::connection::{ACTIONS, Resolution};
use super::display::{ChannelInstances, Target};
use super::form::{Form, Head, Question, Work};
use crate::attributes::words::COUNT_MAX;
use crate::mqsc::parser::{Fault, Parsed, Parser};
use crate::pcf::parameters::{Parameters, Read, wrong_value};
use crate::value::quoted;

/// Bytes that PING CHANNEL sends, from and to.
const PING_BYTES: (u32, u32) = (16, 32_768);

/// START CHANNEL(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartChannel {
    /// The channel.
    pub name: ObjectName,
    /// IGNSTATE(YES): it is no fault that the channel runs.
    pub ignores_state: bool,
}

/// STOP CHANNEL(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopChannel {
    /// The channel.
    pub name: ObjectName,
    /// MODE.
    pub mode: StopChannelMode,
    /// STATUS(INACTIVE): it may run again at once.
    pub stays_open: bool,
    /// Ends only the instances that come from, or go to, this address.
    pub address: Option<Box<str>>,
    /// Ends only the instances with this queue manager.
    pub queue_manager: Option<QueueManagerName>,
    /// IGNSTATE(YES): it is no fault that the channel has stopped.
    pub ignores_state: bool,
}

/// The way in which a channel is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopChannelMode {
    /// After the batch under way.
    #[default]
    Quiesce,
    /// Now.
    Force,
    /// Now, without a word to the partner.
    Terminate,
}

/// PING CHANNEL(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PingChannel {
    /// The channel.
    pub name: ObjectName,
    /// Bytes that go there and back.
    pub bytes: u32,
}

/// RESET CHANNEL(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResetChannel {
    /// The channel.
    pub name: ObjectName,
    /// The sequence number of the next message.
    pub sequence: u32,
}

/// RESOLVE CHANNEL(name). To forget is to forget the state of the channel towards its partners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolveChannel {
    /// The channel.
    pub name: ObjectName,
    /// The way in which they end.
    pub resolution: Resolution,
}

/// The words of a command on a channel.
const fn head(verb: &'static str, work: Work, number: i32) -> Head {
    Head { verb, subject: "CHANNEL", synonyms: &["CHL"], work, number }
}

pub(super) const START: Form<StartChannel> = Form {
    head: head("START", Work::Short, MQCMD_START_CHANNEL),
    text: |parser| parser.start_channel(),
    read: |given| given.start_channel(),
};

pub(super) const STOP: Form<StopChannel> = Form {
    head: head("STOP", Work::Short, MQCMD_STOP_CHANNEL),
    text: |parser| parser.stop_channel(),
    read: |given| given.stop_channel(),
};

pub(super) const PING: Form<PingChannel> = Form {
    head: head("PING", Work::Long, MQCMD_PING_CHANNEL),
    text: |parser| parser.ping_channel(),
    read: |given| given.ping_channel(),
};

pub(super) const RESET: Form<ResetChannel> = Form {
    head: head("RESET", Work::Short, MQCMD_RESET_CHANNEL),
    text: |parser| parser.reset_channel(),
    read: |given| given.reset_channel(),
};

pub(super) const RESOLVE: Form<ResolveChannel> = Form {
    head: head("RESOLVE", Work::Short, MQCMD_RESOLVE_CHANNEL),
    text: |parser| parser.resolve_channel(),
    read: |given| given.resolve_channel(),
};

/// The words of a command on the channel initiator.
const fn initiator(verb: &'static str, number: i32) -> Form<()> {
    let head = Head { verb, subject: "CHINIT", synonyms: &["CHI"], work: Work::Short, number };
    Form {
        head,
        text: |parser| parser.initiator(),
        read: |given| given.text(MQCA_INITIATION_Q_NAME).map(drop),
    }
}

pub(super) const START_INITIATOR: Form<()> = initiator("START", MQCMD_START_CHANNEL_INIT);
pub(super) const STOP_INITIATOR: Form<()> = initiator("STOP", MQCMD_STOP_CHANNEL_INIT);

pub(super) const STATUS: Question = Question {
    keyword: "CHSTATUS",
    synonyms: &["CHS"],
    work: Work::Short,
    number: MQCMD_INQUIRE_CHANNEL_STATUS,
    text: |parser| {
        let names = parser.name_pattern("CHSTATUS")?;
        Ok(Target::ChannelStatus { names, instances: ChannelInstances::Current })
    },
    read: |given| {
        let names = given.pattern(MQCACH_CHANNEL_NAME)?;
        let instances = match given.integer(MQIACH_CHANNEL_INSTANCE_TYPE)? {
            None | Some(MQOT_CURRENT_CHANNEL) => ChannelInstances::Current,
            Some(MQOT_SAVED_CHANNEL) => ChannelInstances::Saved,
            Some(_) => return Err(wrong_value(MQIACH_CHANNEL_INSTANCE_TYPE)),
        };
        given.display(Target::ChannelStatus { names, instances }, MQIACH_CHANNEL_INSTANCE_ATTRS)
    },
};

const MODES: [(&str, StopChannelMode); 3] = [
    ("QUIESCE", StopChannelMode::Quiesce),
    ("FORCE", StopChannelMode::Force),
    ("TERMINATE", StopChannelMode::Terminate),
];
const NO_YES: [(&str, bool); 2] = [("NO", false), ("YES", true)];

impl StartChannel {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({})", quoted(self.name.as_str()))?;
        if self.ignores_state { formatter.write_str(" IGNSTATE(YES)") } else { Ok(()) }
    }
}

impl StopChannel {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({})", quoted(self.name.as_str()))?;
        match self.mode {
            StopChannelMode::Quiesce => {}
            StopChannelMode::Force => formatter.write_str(" MODE(FORCE)")?,
            StopChannelMode::Terminate => formatter.write_str(" MODE(TERMINATE)")?,
        }
        if self.stays_open {
            formatter.write_str(" STATUS(INACTIVE)")?;
        }
        if let Some(address) = &self.address {
            write!(formatter, " CONNAME({})", quoted(address))?;
        }
        if let Some(queue_manager) = &self.queue_manager {
            write!(formatter, " QMNAME({})", quoted(queue_manager.as_str()))?;
        }
        if self.ignores_state { formatter.write_str(" IGNSTATE(YES)") } else { Ok(()) }
    }

    /// True when it ends some instances alone, and the channel goes on.
    pub fn is_partial(&self) -> bool {
        self.address.is_some() || self.queue_manager.is_some()
    }
}

impl PingChannel {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({}) DATALEN({})", quoted(self.name.as_str()), self.bytes)
    }
}

impl ResetChannel {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({}) SEQNUM({})", quoted(self.name.as_str()), self.sequence)
    }
}

impl ResolveChannel {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({}) ACTION({})", quoted(self.name.as_str()), self.resolution.word())
    }
}

impl Parser<'_> {
    fn start_channel(&mut self) -> Parsed<StartChannel> {
        let name = self.name("CHANNEL")?;
        let mut start = StartChannel { name, ignores_state: false };
        let mut said = Vec::new();
        while self.peek().is_some() {
            let word = self.option("an option of START CHANNEL", &["IGNSTATE"], &mut said)?;
            start.ignores_state = self.one_of(word, &NO_YES)?;
        }
        Ok(start)
    }

    /// Takes the name and the options.
    fn stop_channel(&mut self) -> Parsed<StopChannel> {
        const WORDS: [&str; 5] = ["MODE", "STATUS", "CONNAME", "QMNAME", "IGNSTATE"];
        let name = self.name("CHANNEL")?;
        let mut stop = StopChannel {
            name,
            mode: StopChannelMode::default(),
            stays_open: false,
            address: None,
            queue_manager: None,
            ignores_state: false,
        };
        let mut said: Vec<&str> = Vec::new();
        while self.peek().is_some() {
            let word = self.option("an option of STOP CHANNEL", &WORDS, &mut said)?;
            match word {
                "MODE" => stop.mode = self.one_of(word, &MODES)?,
                "STATUS" => stop.stays_open = self.one_of(word, &[("STOPPED", false), ("INACTIVE", true)])?,
                "CONNAME" => stop.address = Some(self.content(word)?.text.trim().into()),
                "QMNAME" => stop.queue_manager = Some(self.name(word)?.into()),
                _ => stop.ignores_state = self.one_of(word, &NO_YES)?,
            }
        }
        Ok(stop)
    }

    fn ping_channel(&mut self) -> Parsed<PingChannel> {
        let name = self.name("CHANNEL")?;
        let mut ping = PingChannel { name, bytes: PING_BYTES.0 };
        let mut said = Vec::new();
        while self.peek().is_some() {
            let word = self.option("an option of PING CHANNEL", &["DATALEN"], &mut said)?;
            ping.bytes = self.number_between(word, PING_BYTES)?;
        }
        Ok(ping)
    }

    fn reset_channel(&mut self) -> Parsed<ResetChannel> {
        let name = self.name("CHANNEL")?;
        let mut reset = ResetChannel { name, sequence: 1 };
        let mut said = Vec::new();
        while self.peek().is_some() {
            let word = self.option("an option of RESET CHANNEL", &["SEQNUM"], &mut said)?;
            reset.sequence = self.number_between(word, (1, COUNT_MAX.unsigned_abs()))?;
        }
        Ok(reset)
    }

    fn resolve_channel(&mut self) -> Parsed<ResolveChannel> {
        let name = self.name("CHANNEL")?;
        self.word_of("ACTION", &["ACTION"], |word| (word == "ACTION").then_some(()))?;
        Ok(ResolveChannel { name, resolution: self.one_of("ACTION", &ACTIONS)? })
    }

    /// Takes INITQ, whose trigger messages are for any program: the queue manager starts its channels itself.
    fn initiator(&mut self) -> Parsed<()> {
        if self.peek().is_some() {
            self.word_of("INITQ", &["INITQ"], |word| (word == "INITQ").then_some(()))?;
            self.name("INITQ")?;
        }
        Ok(())
    }

    /// Takes `(NUMBER)`, from and to.
    fn number_between(&mut self, of: &str, (from, to): (u32, u32)) -> Parsed<u32> {
        let content = self.content(of)?;
        let number = content.text.trim().parse().ok().filter(|number| (from..=to).contains(number));
        number.ok_or_else(|| Fault::new(content.span, format!("{of} takes a number from {from} to {to}")))
    }
}

impl Parameters {
    fn start_channel(&mut self) -> Read<StartChannel> {
        let name = self.object_name(MQCACH_CHANNEL_NAME)?;
        Ok(StartChannel { name, ignores_state: self.ignores_state()? })
    }

    fn ignores_state(&mut self) -> Read<bool> {
        match self.integer(MQIACF_IGNORE_STATE)? {
            None | Some(MQIS_NO) => Ok(false),
            Some(MQIS_YES) => Ok(true),
            Some(_) => Err(wrong_value(MQIACF_IGNORE_STATE)),
        }
    }

    fn stop_channel(&mut self) -> Read<StopChannel> {
        let name = self.object_name(MQCACH_CHANNEL_NAME)?;
        let mode = match self.integer(MQIACF_MODE)? {
            None | Some(MQMODE_QUIESCE) => StopChannelMode::Quiesce,
            Some(MQMODE_FORCE) => StopChannelMode::Force,
            Some(MQMODE_TERMINATE) => StopChannelMode::Terminate,
            Some(_) => return Err(wrong_value(MQIACF_MODE)),
        };
        let stays_open = match self.integer(MQIACH_CHANNEL_STATUS)? {
            None | Some(MQCHS_STOPPED) => false,
            Some(MQCHS_INACTIVE) => true,
            Some(_) => return Err(wrong_value(MQIACH_CHANNEL_STATUS)),
        };
        let address = self.text(MQCACH_CONNECTION_NAME)?.map(|address| address.trim().into());
        let queue_manager = match self.text(MQCA_Q_MGR_NAME)? {
            None => None,
            Some(text) => Some(text.trim().parse().map_err(|_| wrong_value(MQCA_Q_MGR_NAME))?),
        };
        let ignores_state = self.ignores_state()?;
        Ok(StopChannel { name, mode, stays_open, address, queue_manager, ignores_state })
    }

    fn ping_channel(&mut self) -> Read<PingChannel> {
        /// The family's number where none is given.
        const USUAL: u32 = 64;
        let name = self.object_name(MQCACH_CHANNEL_NAME)?;
        let bytes = self.count_between(MQIACH_DATA_COUNT, PING_BYTES)?.unwrap_or(USUAL);
        Ok(PingChannel { name, bytes })
    }

    fn reset_channel(&mut self) -> Read<ResetChannel> {
        let name = self.object_name(MQCACH_CHANNEL_NAME)?;
        let range = (1, COUNT_MAX.unsigned_abs());
        let sequence = self.count_between(MQIACH_MSG_SEQUENCE_NUMBER, range)?.unwrap_or(1);
        Ok(ResetChannel { name, sequence })
    }

    fn resolve_channel(&mut self) -> Read<ResolveChannel> {
        let name = self.object_name(MQCACH_CHANNEL_NAME)?;
        Ok(ResolveChannel { name, resolution: self.resolution()? })
    }

    fn count_between(&mut self, identifier: i32, (from, to): (u32, u32)) -> Read<Option<u32>> {
        let Some(number) = self.integer(identifier)? else { return Ok(None) };
        let count = u32::try_from(number).ok().filter(|count| (from..=to).contains(count));
        count.map(Some).ok_or_else(|| wrong_value(identifier))
    }
}
