//! Rules between the attributes of one object.
//!
//! Always: a default object is exempt from what it must name, since it is no use by itself.

use mqi::constants::*;
use mqi::ours::{
    BRIDGE_NAME, FULL_ACTION, PIPE_DIRECTION, PIPE_FOREIGN, PIPE_QUEUE, QUEUE_QUOTA, SYNCPOINT_REQUIRED,
};
use security::cipherspecs::Choice;

use super::{Definition, custom};
use crate::attributes::{self, Kind, words::COUNT_MAX};
use crate::object_type::{Family, ObjectType};
use crate::value::quoted;

/// Attributes that do not go together, or one that is missing: a sentence without its full stop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Contradiction(String);

/// Beginning of the names of queues that the queue manager looks after for subscriptions.
pub(crate) const MANAGED_QUEUES: &str = "SYSTEM.MANAGED.";

/// Most bytes of a user that another one acts as.
const USER_BYTES_MAX: usize = MQ_USER_ID_LENGTH;

impl Definition {
    /// Checks that the attributes agree with one another.
    pub fn check(&self) -> Result<(), Contradiction> {
        self.check_given()?;
        match self.object_type.family() {
            Family::Queue => self.check_queue(),
            Family::Channel => self.check_channel(),
            Family::Subscription => self.check_subscription(),
            Family::Pipe => self.check_pipe(),
            Family::Topic => {
                self.check_amqp_name()?;
                self.check_custom(&[MQIA_CAP_EXPIRY])
            }
            Family::QueueManager => {
                self.check_custom(&[MQIA_MEDIA_IMAGE_INTERVAL, MQIA_MEDIA_IMAGE_LOG_LENGTH])
            }
            _ => Ok(()),
        }
    }

    /// Checks that attributes that cannot be blank are given.
    fn check_given(&self) -> Result<(), Contradiction> {
        let is_system = self.name.as_str().starts_with("SYSTEM.");
        let is_default = self.object_type.default_object() == Some(self.shown_name());
        if is_default || is_system && self.object_type == ObjectType::Topic {
            return Ok(());
        }
        let needed: &[i32] = match self.object_type {
            ObjectType::SenderChannel => &[MQCACH_CONNECTION_NAME, MQCACH_XMIT_Q_NAME],
            ObjectType::ServerChannel => &[MQCACH_XMIT_Q_NAME],
            ObjectType::RequesterChannel
            | ObjectType::ClientConnectionChannel
            | ObjectType::ClusterSenderChannel => &[MQCACH_CONNECTION_NAME],
            ObjectType::Topic => &[MQCA_TOPIC_STRING],
            ObjectType::CrlLdapAuthentication => &[MQCA_AUTH_INFO_CONN_NAME],
            ObjectType::Bridge => &[MQCACH_CONNECTION_NAME],
            ObjectType::Pipe => &[BRIDGE_NAME, PIPE_FOREIGN, PIPE_QUEUE],
            ObjectType::OcspAuthentication => &[MQCA_AUTH_INFO_OCSP_URL],
            ObjectType::LdapAuthentication => {
                &[MQCA_AUTH_INFO_CONN_NAME, MQCA_LDAP_SHORT_USER_FIELD, MQCA_LDAP_USER_ATTR_FIELD]
            }
            _ => &[],
        };
        match needed.iter().find(|identifier| self.text(**identifier).is_empty()) {
            Some(missing) => {
                let row = self.row(*missing);
                Err(Contradiction(format!("{} needs {}", self.object_type.full_keyword(), row.keyword)))
            }
            None => Ok(()),
        }
    }

    /// Checks that attributes that act within CUSTOM have a value.
    fn check_custom(&self, acting: &[i32]) -> Result<(), Contradiction> {
        let custom = self.text(MQCA_CUSTOM);
        acting.iter().map(|selector| self.row(*selector)).try_for_each(|row| {
            custom::number(&custom, row).map(drop).map_err(|value| {
                let keyword = row.keyword;
                let takes = match row.kind {
                    Kind::Choice { .. } => format!("no word of {keyword}"),
                    _ => format!("neither a word of {keyword} nor 1 to {COUNT_MAX}"),
                };
                Contradiction(format!("CUSTOM has {keyword}({value}), which is {takes}"))
            })
        })
    }

    /// Checks that the name in AMQP, where there is one, leads nothing astray.
    fn check_amqp_name(&self) -> Result<(), Contradiction> {
        match self.amqp_name() {
            "" => Ok(()),
            name => attributes::check_amqp_name(name)
                .map_err(|fault| Contradiction(format!("AMQPNAME({}): {fault}", quoted(name)))),
        }
    }

    fn check_queue(&self) -> Result<(), Contradiction> {
        self.check_amqp_name()?;
        self.check_exclusive(MQCA_CLUSTER_NAME, MQCA_CLUSTER_NAMELIST)?;
        self.check_custom(&[MQIA_CAP_EXPIRY])?;
        let holds = matches!(self.object_type, ObjectType::LocalQueue | ObjectType::ModelQueue);
        if !holds {
            return Ok(());
        }
        self.check_custom(&[SYNCPOINT_REQUIRED, QUEUE_QUOTA, FULL_ACTION])?;
        let (high, low) = (self.integer(MQIA_Q_DEPTH_HIGH_LIMIT), self.integer(MQIA_Q_DEPTH_LOW_LIMIT));
        if low > high {
            return Err(Contradiction(format!("QDEPTHLO({low}) is above QDEPTHHI({high})")));
        }
        let is_transmission = self.integer(MQIA_USAGE) == MQUS_TRANSMISSION;
        let stream = self.text(MQCA_STREAM_QUEUE_NAME);
        if is_transmission && self.requires_unit() {
            // Channels get what is not persistent outside their batches.
            return Err(Contradiction("SYNCREQ(YES) does not go with USAGE(XMITQ)".to_owned()));
        }
        if is_transmission && !stream.is_empty() {
            return Err(Contradiction("STREAMQ does not go with USAGE(XMITQ)".to_owned()));
        }
        if !stream.is_empty() && stream == self.name.as_str() {
            return Err(Contradiction("STREAMQ names the queue itself".to_owned()));
        }
        let is_clustered = self.object_type == ObjectType::LocalQueue
            && (!self.text(MQCA_CLUSTER_NAME).is_empty() || !self.text(MQCA_CLUSTER_NAMELIST).is_empty());
        if is_transmission && is_clustered {
            return Err(Contradiction("a queue with USAGE(XMITQ) is in no cluster".to_owned()));
        }
        Ok(())
    }

    fn check_channel(&self) -> Result<(), Contradiction> {
        if matches!(self.object_type, ObjectType::ClusterSenderChannel | ObjectType::ClusterReceiverChannel) {
            self.check_exclusive(MQCA_CLUSTER_NAME, MQCA_CLUSTER_NAMELIST)?;
        }
        Ok(())
    }

    /// Checks that SSLCIPH is a name that a channel can have, whether this build has its suite or not. A
    /// channel of an earlier release keeps its value, and is refused when it starts.
    pub(super) fn check_cipher(&self) -> Result<(), Contradiction> {
        let cipher = self.text(MQCACH_SSL_CIPHER_SPEC);
        match cipher.trim() {
            "" => Ok(()),
            cipher => Choice::find(cipher).map(drop).map_err(|refusal| Contradiction(refusal.to_string())),
        }
    }

    fn check_pipe(&self) -> Result<(), Contradiction> {
        let is_inward = self.integer(PIPE_DIRECTION) == attributes::PIPE_DIRECTION_IN;
        if is_inward && self.text(PIPE_FOREIGN).contains('*') {
            return Err(Contradiction(
                "FOREIGN has an asterisk, and DIRECT(IN) takes messages from one place: name it".to_owned(),
            ));
        }
        let user = self.text(MQCACH_MCA_USER_ID);
        if !is_inward && !user.is_empty() {
            return Err(Contradiction(
                "MCAUSER goes with DIRECT(IN): OUT, USERID of the bridge puts".to_owned(),
            ));
        }
        if user.len() > USER_BYTES_MAX {
            return Err(Contradiction(format!("MCAUSER({user}) has more than {USER_BYTES_MAX} bytes")));
        }
        Ok(())
    }

    fn check_subscription(&self) -> Result<(), Contradiction> {
        if self.object_type.default_object() == Some(self.shown_name()) {
            return Ok(());
        }
        if self.text(MQCA_TOPIC_STRING).is_empty() && self.text(MQCA_TOPIC_NAME).is_empty() {
            return Err(Contradiction("SUB needs TOPICSTR or TOPICOBJ".to_owned()));
        }
        let destination = self.text(MQCACF_DESTINATION);
        match (self.integer(MQIACF_DESTINATION_CLASS) == MQDC_MANAGED, !destination.is_empty()) {
            (true, true) if !destination.starts_with(MANAGED_QUEUES) => {
                Err(Contradiction("DEST does not go with DESTCLAS(MANAGED)".to_owned()))
            }
            (false, false) => Err(Contradiction("SUB needs DEST, or DESTCLAS(MANAGED)".to_owned())),
            _ => Ok(()),
        }
    }

    /// Two attributes of which one at most is given.
    fn check_exclusive(&self, one: i32, other: i32) -> Result<(), Contradiction> {
        let given = |identifier: i32| {
            let number = u16::try_from(identifier).ok().map(attributes::Number);
            let row = number.and_then(|number| attributes::by_number(self.object_type, number))?;
            self.stored(row).as_text().is_some_and(|text| !text.is_empty()).then_some(row.keyword)
        };
        match (given(one), given(other)) {
            (Some(one), Some(other)) => Err(Contradiction(format!("{one} and {other} cannot both be given"))),
            _ => Ok(()),
        }
    }
}
