//! Calls of a coordinator on branches as messages of AMQP to `$xa`, and the answers to them.
//!
//! ```text
//! a call, properties of the application:
//!     ferry.xa         string    prepare, commit, rollback, forget or recover
//!     ferry.format     integer   format of the branch, from 0 on
//!     ferry.global     binary    its global part, 1 to 64 bytes
//!     ferry.qualifier  binary    its qualifier, up to 64 bytes
//! an answer, properties of the application:
//!     ferry.result     int       the number of the X/Open XA specification
//! the body of an answer to recover, data: so many branches, each
//!     format i32 | length of the global part u8 | length of the qualifier u8 | global part | qualifier
//! ```
//!
//! A call of recover without a branch is answered with the first branches, one with a branch with those
//! behind it. An answer has the correlation-id of its call, else its message-id.

use amqp::sections::{DATA, Properties};
use amqp::types::Raw;
use amqp::types::write::{put_binary, put_descriptor, put_map, put_scalar, put_string};
use amqp::{DecodeError, Sections, Value};
use mqi::branch::{BranchId, PART_BYTES_MAX};

/// The address that takes calls on branches. No queue can have this name.
pub const BRANCHES_ADDRESS: &str = "$xa";

const CALL: &str = "ferry.xa";
const FORMAT: &str = "ferry.format";
const GLOBAL: &str = "ferry.global";
const QUALIFIER: &str = "ferry.qualifier";
const RESULT: &str = "ferry.result";

/// The descriptor of the properties of an application.
const APPLICATION_PROPERTIES: u64 = 0x74;

/// Most characters of an unknown call or property that its refusal repeats.
const REPEATED_MAX: usize = 40;

/// A call on a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchCall {
    /// Prepare the transaction in which the call is sent as this branch.
    Prepare(BranchId),
    /// Commit a branch that is prepared.
    Commit(BranchId),
    /// Roll a branch back.
    BackOut(BranchId),
    /// Forget a branch that a person decided.
    Forget(BranchId),
    /// List the branches behind one, or the first.
    Recover(Option<BranchId>),
}

/// A call as it came.
#[derive(Debug)]
pub struct BranchCallMessage<'a> {
    /// The call.
    pub call: BranchCall,
    /// The address for the answer.
    pub reply_to: Option<&'a str>,
    /// The identifier by which its sender knows the answer.
    correlation: Option<Raw<'a>>,
}

/// The fault of a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BranchCallError {
    /// It is no message.
    #[error("a message to $xa cannot be decoded: {0}")]
    Message(#[from] DecodeError),
    /// A property is not there.
    #[error("a message to $xa needs the property {0}")]
    Missing(&'static str),
    /// A property has a value of another type, or one out of its range.
    #[error("the property {0} is {1}")]
    Value(&'static str, &'static str),
    /// A property of ours that is not known.
    #[error(
        "\"{0}\" is no property of $xa: these are ferry.xa, ferry.format, ferry.global and ferry.qualifier"
    )]
    Property(String),
    /// A call that is not known.
    #[error("\"{0}\" is no call on a branch: ferry.xa is prepare, commit, rollback, forget or recover")]
    Call(String),
}

/// Properties of a call, as far as they are there.
#[derive(Default)]
struct Given<'a> {
    call: Option<&'a str>,
    format: Option<i32>,
    global: Option<&'a [u8]>,
    qualifier: Option<&'a [u8]>,
}

impl<'a> Given<'a> {
    fn of(sections: &Sections<'a>) -> Result<Self, BranchCallError> {
        let mut given = Self::default();
        for (key, value) in sections.application_properties() {
            // What an application says to others besides is its own.
            let Some(name) = key.text().filter(|name| name.starts_with("ferry.")) else { continue };
            match name {
                CALL => given.call = Some(value.text().ok_or(BranchCallError::Value(CALL, "no string"))?),
                FORMAT => {
                    let format = value.integer().ok_or(BranchCallError::Value(FORMAT, "no integer"))?;
                    let range = "no format of a branch, which is 0 to 2,147,483,647";
                    let format = i32::try_from(format).ok().filter(|format| *format >= 0);
                    given.format = Some(format.ok_or(BranchCallError::Value(FORMAT, range))?);
                }
                GLOBAL => given.global = Some(part(GLOBAL, &value)?),
                QUALIFIER => given.qualifier = Some(part(QUALIFIER, &value)?),
                other => return Err(BranchCallError::Property(repeated(other))),
            }
        }
        Ok(given)
    }

    fn branch(&self) -> Result<BranchId, BranchCallError> {
        let format = self.format.ok_or(BranchCallError::Missing(FORMAT))?;
        let global = self.global.ok_or(BranchCallError::Missing(GLOBAL))?;
        let qualifier = self.qualifier.ok_or(BranchCallError::Missing(QUALIFIER))?;
        BranchId::new(format, global, qualifier)
            .map_err(|_| BranchCallError::Value(GLOBAL, "empty, and has at least one byte"))
    }

    fn has_branch(&self) -> bool {
        self.format.is_some() || self.global.is_some() || self.qualifier.is_some()
    }
}

fn part<'a>(name: &'static str, value: &Value<'a>) -> Result<&'a [u8], BranchCallError> {
    match *value {
        Value::Binary(bytes) if bytes.len() <= PART_BYTES_MAX => Ok(bytes),
        Value::Binary(_) => Err(BranchCallError::Value(name, "longer than 64 bytes")),
        _ => Err(BranchCallError::Value(name, "no binary")),
    }
}

fn repeated(text: &str) -> String {
    text.chars().take(REPEATED_MAX).collect()
}

impl<'a> BranchCallMessage<'a> {
    /// Reads a message to `$xa`.
    ///
    /// # Errors
    /// The fault of its bytes or of its properties.
    pub fn decode(message: &'a [u8]) -> Result<Self, BranchCallError> {
        let sections = Sections::of(message)?;
        let given = Given::of(&sections)?;
        let call = match given.call.ok_or(BranchCallError::Missing(CALL))? {
            "prepare" => BranchCall::Prepare(given.branch()?),
            "commit" => BranchCall::Commit(given.branch()?),
            "rollback" => BranchCall::BackOut(given.branch()?),
            "forget" => BranchCall::Forget(given.branch()?),
            "recover" => BranchCall::Recover(given.has_branch().then(|| given.branch()).transpose()?),
            other => return Err(BranchCallError::Call(repeated(other))),
        };
        let properties = sections.properties();
        let correlation = properties.correlation_id.or(properties.message_id);
        let reply_to = properties.reply_to.filter(|address| !address.is_empty());
        Ok(Self { call, reply_to, correlation })
    }

    /// The bytes of the message that answers it: a number of the X/Open XA specification, and branches.
    #[must_use]
    pub fn answer(&self, result: i32, branches: &[BranchId]) -> Vec<u8> {
        let mut out = Vec::new();
        Properties { correlation_id: self.correlation, ..Properties::default() }.write(&mut out);
        put_descriptor(&mut out, APPLICATION_PROPERTIES);
        put_map(&mut out, 1, |out| {
            put_string(out, RESULT);
            put_scalar(out, &Value::Int(result));
        });
        let mut body = Vec::new();
        for branch in branches {
            body.extend(branch.format().to_be_bytes());
            body.extend([branch.global().len() as u8, branch.qualifier().len() as u8]);
            body.extend(branch.global());
            body.extend(branch.qualifier());
        }
        put_descriptor(&mut out, DATA);
        put_binary(&mut out, &body);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Property<'a> = (&'a str, Value<'a>);

    /// A message with these properties of the application.
    fn message(properties: &[Property<'_>]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut identifier = Vec::new();
        put_string(&mut identifier, "ID:7");
        let properties_of_message = Properties {
            message_id: Some(Raw(&identifier)),
            reply_to: Some("ANSWERS"),
            ..Properties::default()
        };
        properties_of_message.write(&mut out);
        put_descriptor(&mut out, APPLICATION_PROPERTIES);
        put_map(&mut out, properties.len() as u32, |out| {
            for (name, value) in properties {
                put_string(out, name);
                assert!(put_scalar(out, value), "{name} is a scalar");
            }
        });
        out
    }

    fn call(name: &str) -> [Property<'_>; 4] {
        [
            (CALL, Value::String(name)),
            (FORMAT, Value::Int(131_077)),
            (GLOBAL, Value::Binary(b"global")),
            (QUALIFIER, Value::Binary(b"")),
        ]
    }

    #[test]
    fn each_call_is_read_with_its_branch() {
        let branch = BranchId::new(131_077, b"global", b"").unwrap();
        for (name, expected) in [
            ("prepare", BranchCall::Prepare(branch)),
            ("commit", BranchCall::Commit(branch)),
            ("rollback", BranchCall::BackOut(branch)),
            ("forget", BranchCall::Forget(branch)),
            ("recover", BranchCall::Recover(Some(branch))),
        ] {
            let bytes = message(&call(name));
            let read = BranchCallMessage::decode(&bytes).unwrap();
            assert_eq!((read.call, read.reply_to), (expected, Some("ANSWERS")), "{name}");
        }
        let bytes = message(&[(CALL, Value::String("recover")), ("colour", Value::Int(1))]);
        assert_eq!(BranchCallMessage::decode(&bytes).unwrap().call, BranchCall::Recover(None));
    }

    #[test]
    fn bad_calls_are_refused_in_words() {
        let long = [7; 65];
        let with = |place: usize, value: Value<'static>| {
            let mut properties = call("commit");
            properties[place].1 = value;
            message(&properties)
        };
        for (bytes, expected) in [
            (message(&[]), "a message to $xa needs the property ferry.xa"),
            (message(&call("commit")[..3]), "a message to $xa needs the property ferry.qualifier"),
            (message(&call("recover")[..2]), "a message to $xa needs the property ferry.global"),
            (with(0, Value::Int(1)), "the property ferry.xa is no string"),
            (with(1, Value::String("1")), "the property ferry.format is no integer"),
            (with(1, Value::Int(-1)), "the property ferry.format is no format of a branch"),
            (with(1, Value::Long(1 << 40)), "the property ferry.format is no format of a branch"),
            (with(2, Value::String("global")), "the property ferry.global is no binary"),
            (with(2, Value::Binary(b"")), "the property ferry.global is empty"),
            (with(0, Value::String("end")), "\"end\" is no call on a branch"),
            (message(&[("ferry.qualified", Value::Int(1))]), "\"ferry.qualified\" is no property of $xa"),
            (vec![0xFF], "a message to $xa cannot be decoded"),
        ] {
            let refused = BranchCallMessage::decode(&bytes).unwrap_err().to_string();
            assert!(refused.starts_with(expected), "{refused}");
        }
        let mut properties = call("commit");
        properties[3].1 = Value::Binary(&long);
        let refused = BranchCallMessage::decode(&message(&properties)).unwrap_err().to_string();
        assert_eq!(refused, "the property ferry.qualifier is longer than 64 bytes");
    }

    #[test]
    fn an_answer_has_the_identifier_of_its_call_the_number_and_the_branches() {
        let bytes = message(&call("recover"));
        let branches = [BranchId::new(1, b"a", b"").unwrap(), BranchId::new(2, &[9; 64], &[8; 64]).unwrap()];
        let answer = BranchCallMessage::decode(&bytes).unwrap().answer(-4, &branches);
        let sections = Sections::of(&answer).unwrap();
        let correlation = sections.properties().correlation_id.unwrap();
        assert_eq!(correlation.value(), Value::String("ID:7"));
        let result: Vec<_> = sections.application_properties().collect();
        assert_eq!(result, [(Value::String(RESULT), Value::Int(-4))]);
        let body = sections.parts().next().unwrap().content;
        assert_eq!(&body[..7], [0, 0, 0, 1, 1, 0, b'a']);
        assert_eq!(&body[7..13], [0, 0, 0, 2, 64, 64]);
        assert_eq!(body.len(), 13 + 128);
    }
}
