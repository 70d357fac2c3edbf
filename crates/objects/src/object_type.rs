//! The kinds of object an administrator can define, one row each.
//!
//! The type decides which attributes an object has, so each type of channel and of authentication information
//! is one of its own. Types that MQSC names by the same words form a [`Family`]; objects that must not have
//! the same name share a [`NameSpace`].

use mqi::constants::*;
use mqi::ours::{OBJECT_TYPE_BRIDGE, OBJECT_TYPE_PIPE};

/// A kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectType {
    /// A queue that holds messages.
    LocalQueue,
    /// Another name for a queue or a topic.
    AliasQueue,
    /// A pattern from which opening makes a dynamic queue.
    ModelQueue,
    /// The queue manager itself.
    QueueManager,
    /// A local name for a queue of another queue manager, or for a queue manager.
    RemoteQueue,
    /// A program that a trigger monitor starts.
    Process,
    /// A list of names.
    Namelist,
    /// Where the queue manager waits for channels of others.
    Listener,
    /// A program that runs along with the queue manager.
    Service,
    /// A node of the topic tree with attributes of its own.
    Topic,
    /// A standing order for publications.
    Subscription,
    /// Settings for the multicast of publications.
    CommunicationInformation,
    /// A channel that sends a transmission queue's messages.
    SenderChannel,
    /// A channel that sends when its partner asks.
    ServerChannel,
    /// A channel that takes what a sender or server sends.
    ReceiverChannel,
    /// A channel that asks its partner to send.
    RequesterChannel,
    /// The way of a client to a queue manager.
    ClientConnectionChannel,
    /// Where clients arrive.
    ServerConnectionChannel,
    /// The way to a repository of a cluster.
    ClusterSenderChannel,
    /// The way of a cluster to this queue manager.
    ClusterReceiverChannel,
    /// Where AMQP clients arrive.
    AmqpChannel,
    /// Where MQTT clients arrive.
    MqttChannel,
    /// A directory with lists of revoked certificates.
    CrlLdapAuthentication,
    /// A service that knows whether a certificate is revoked.
    OcspAuthentication,
    /// Passwords checked by the operating system.
    SystemAuthentication,
    /// Passwords checked by a directory.
    LdapAuthentication,
    /// A rule about the partners that may use channels.
    ChannelRule,
    /// The way to another messaging system.
    Bridge,
    /// One direction of a bridge, between a queue here and a place there.
    Pipe,
}

/// Types that MQSC has one word for in DISPLAY.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// QUEUE.
    Queue,
    /// QMGR.
    QueueManager,
    /// PROCESS.
    Process,
    /// NAMELIST.
    Namelist,
    /// CHANNEL.
    Channel,
    /// LISTENER.
    Listener,
    /// SERVICE.
    Service,
    /// TOPIC.
    Topic,
    /// SUB.
    Subscription,
    /// AUTHINFO.
    Authentication,
    /// COMMINFO.
    CommunicationInformation,
    /// CHLAUTH.
    ChannelRule,
    /// BRIDGE.
    Bridge,
    /// PIPE.
    Pipe,
}

/// A set of names of which each is given once. Both ends of a client's channel may have one name, so the
/// client's end stands in a space of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameSpace {
    family: Family,
    is_client: bool,
}

/// A set of object types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectTypes(u32);

struct Row {
    object_type: ObjectType,
    family: Family,
    keyword: &'static str,
    synonyms: &'static [&'static str],
    /// The word and number by which a family tells its types apart.
    subtype: Option<(&'static str, i32)>,
    /// Never changes: stored definitions carry it.
    code: u8,
    mqot: i32,
    default_object: Option<&'static str>,
}

struct FamilyRow {
    family: Family,
    keyword: &'static str,
    synonyms: &'static [&'static str],
    noun: &'static str,
    /// The attribute that tells types of the family apart, where DEFINE does not do it by its own word.
    selector: Option<&'static str>,
    /// The attribute that is the name.
    name_keyword: &'static str,
}

const FAMILIES: &[FamilyRow] = &[
    FamilyRow {
        family: Family::Queue,
        keyword: "QUEUE",
        synonyms: &["Q"],
        noun: "Queue",
        selector: None,
        name_keyword: "QUEUE",
    },
    FamilyRow {
        family: Family::QueueManager,
        keyword: "QMGR",
        synonyms: &[],
        noun: "Queue manager",
        selector: None,
        name_keyword: "QMNAME",
    },
    FamilyRow {
        family: Family::Process,
        keyword: "PROCESS",
        synonyms: &["PRO"],
        noun: "Process",
        selector: None,
        name_keyword: "PROCESS",
    },
    FamilyRow {
        family: Family::Namelist,
        keyword: "NAMELIST",
        synonyms: &["NL"],
        noun: "Namelist",
        selector: None,
        name_keyword: "NAMELIST",
    },
    FamilyRow {
        family: Family::Channel,
        keyword: "CHANNEL",
        synonyms: &["CHL"],
        noun: "Channel",
        selector: Some("CHLTYPE"),
        name_keyword: "CHANNEL",
    },
    FamilyRow {
        family: Family::Listener,
        keyword: "LISTENER",
        synonyms: &["LSTR"],
        noun: "Listener",
        selector: None,
        name_keyword: "LISTENER",
    },
    FamilyRow {
        family: Family::Service,
        keyword: "SERVICE",
        synonyms: &[],
        noun: "Service",
        selector: None,
        name_keyword: "SERVICE",
    },
    FamilyRow {
        family: Family::Topic,
        keyword: "TOPIC",
        synonyms: &[],
        noun: "Topic",
        selector: None,
        name_keyword: "TOPIC",
    },
    FamilyRow {
        family: Family::Subscription,
        keyword: "SUB",
        synonyms: &[],
        noun: "Subscription",
        selector: None,
        name_keyword: "SUB",
    },
    FamilyRow {
        family: Family::Authentication,
        keyword: "AUTHINFO",
        synonyms: &[],
        noun: "Authentication information",
        selector: Some("AUTHTYPE"),
        name_keyword: "AUTHINFO",
    },
    FamilyRow {
        family: Family::CommunicationInformation,
        keyword: "COMMINFO",
        synonyms: &[],
        noun: "Communication information",
        selector: None,
        name_keyword: "COMMINFO",
    },
    FamilyRow {
        family: Family::ChannelRule,
        keyword: "CHLAUTH",
        synonyms: &[],
        noun: "Channel authentication record",
        selector: None,
        name_keyword: "CHLAUTH",
    },
    FamilyRow {
        family: Family::Bridge,
        keyword: "BRIDGE",
        synonyms: &[],
        noun: "Bridge",
        selector: None,
        name_keyword: "BRIDGE",
    },
    FamilyRow {
        family: Family::Pipe,
        keyword: "PIPE",
        synonyms: &[],
        noun: "Pipe",
        selector: None,
        name_keyword: "PIPE",
    },
];

const ROWS: &[Row] = &[
    Row {
        object_type: ObjectType::LocalQueue,
        family: Family::Queue,
        keyword: "QLOCAL",
        synonyms: &["QL"],
        subtype: Some(("QLOCAL", MQQT_LOCAL)),
        code: 1,
        mqot: MQOT_LOCAL_Q,
        default_object: Some("SYSTEM.DEFAULT.LOCAL.QUEUE"),
    },
    Row {
        object_type: ObjectType::AliasQueue,
        family: Family::Queue,
        keyword: "QALIAS",
        synonyms: &["QA"],
        subtype: Some(("QALIAS", MQQT_ALIAS)),
        code: 2,
        mqot: MQOT_ALIAS_Q,
        default_object: Some("SYSTEM.DEFAULT.ALIAS.QUEUE"),
    },
    Row {
        object_type: ObjectType::ModelQueue,
        family: Family::Queue,
        keyword: "QMODEL",
        synonyms: &["QM"],
        subtype: Some(("QMODEL", MQQT_MODEL)),
        code: 3,
        mqot: MQOT_MODEL_Q,
        default_object: Some("SYSTEM.DEFAULT.MODEL.QUEUE"),
    },
    Row {
        object_type: ObjectType::QueueManager,
        family: Family::QueueManager,
        keyword: "QMGR",
        synonyms: &[],
        subtype: None,
        code: 4,
        mqot: MQOT_Q_MGR,
        default_object: None,
    },
    Row {
        object_type: ObjectType::RemoteQueue,
        family: Family::Queue,
        keyword: "QREMOTE",
        synonyms: &["QR"],
        subtype: Some(("QREMOTE", MQQT_REMOTE)),
        code: 5,
        mqot: MQOT_REMOTE_Q,
        default_object: Some("SYSTEM.DEFAULT.REMOTE.QUEUE"),
    },
    Row {
        object_type: ObjectType::Process,
        family: Family::Process,
        keyword: "PROCESS",
        synonyms: &["PRO"],
        subtype: None,
        code: 6,
        mqot: MQOT_PROCESS,
        default_object: Some("SYSTEM.DEFAULT.PROCESS"),
    },
    Row {
        object_type: ObjectType::Namelist,
        family: Family::Namelist,
        keyword: "NAMELIST",
        synonyms: &["NL"],
        subtype: None,
        code: 7,
        mqot: MQOT_NAMELIST,
        default_object: Some("SYSTEM.DEFAULT.NAMELIST"),
    },
    Row {
        object_type: ObjectType::Listener,
        family: Family::Listener,
        keyword: "LISTENER",
        synonyms: &["LSTR"],
        subtype: None,
        code: 8,
        mqot: MQOT_LISTENER,
        default_object: Some("SYSTEM.DEFAULT.LISTENER.TCP"),
    },
    Row {
        object_type: ObjectType::Service,
        family: Family::Service,
        keyword: "SERVICE",
        synonyms: &[],
        subtype: None,
        code: 9,
        mqot: MQOT_SERVICE,
        default_object: Some("SYSTEM.DEFAULT.SERVICE"),
    },
    Row {
        object_type: ObjectType::Topic,
        family: Family::Topic,
        keyword: "TOPIC",
        synonyms: &[],
        subtype: None,
        code: 10,
        mqot: MQOT_TOPIC,
        default_object: Some("SYSTEM.DEFAULT.TOPIC"),
    },
    Row {
        object_type: ObjectType::Subscription,
        family: Family::Subscription,
        keyword: "SUB",
        synonyms: &[],
        subtype: None,
        code: 11,
        mqot: MQOT_NONE,
        default_object: Some("SYSTEM.DEFAULT.SUB"),
    },
    Row {
        object_type: ObjectType::CommunicationInformation,
        family: Family::CommunicationInformation,
        keyword: "COMMINFO",
        synonyms: &[],
        subtype: None,
        code: 12,
        mqot: MQOT_COMM_INFO,
        default_object: Some("SYSTEM.DEFAULT.COMMINFO.MULTICAST"),
    },
    Row {
        object_type: ObjectType::ChannelRule,
        family: Family::ChannelRule,
        keyword: "CHLAUTH",
        synonyms: &[],
        subtype: None,
        code: 13,
        mqot: MQOT_CHLAUTH,
        default_object: None,
    },
    Row {
        object_type: ObjectType::Bridge,
        family: Family::Bridge,
        keyword: "BRIDGE",
        synonyms: &[],
        subtype: None,
        code: 14,
        mqot: OBJECT_TYPE_BRIDGE,
        default_object: Some("SYSTEM.DEFAULT.BRIDGE"),
    },
    Row {
        object_type: ObjectType::Pipe,
        family: Family::Pipe,
        keyword: "PIPE",
        synonyms: &[],
        subtype: None,
        code: 15,
        mqot: OBJECT_TYPE_PIPE,
        default_object: Some("SYSTEM.DEFAULT.PIPE"),
    },
    Row {
        object_type: ObjectType::SenderChannel,
        family: Family::Channel,
        keyword: "CHANNEL",
        synonyms: &["CHL"],
        subtype: Some(("SDR", MQCHT_SENDER)),
        code: 20,
        mqot: MQOT_SENDER_CHANNEL,
        default_object: Some("SYSTEM.DEF.SENDER"),
    },
    Row {
        object_type: ObjectType::ServerChannel,
        family: Family::Channel,
        keyword: "CHANNEL",
        synonyms: &["CHL"],
        subtype: Some(("SVR", MQCHT_SERVER)),
        code: 21,
        mqot: MQOT_SERVER_CHANNEL,
        default_object: Some("SYSTEM.DEF.SERVER"),
    },
    Row {
        object_type: ObjectType::ReceiverChannel,
        family: Family::Channel,
        keyword: "CHANNEL",
        synonyms: &["CHL"],
        subtype: Some(("RCVR", MQCHT_RECEIVER)),
        code: 22,
        mqot: MQOT_RECEIVER_CHANNEL,
        default_object: Some("SYSTEM.DEF.RECEIVER"),
    },
    Row {
        object_type: ObjectType::RequesterChannel,
        family: Family::Channel,
        keyword: "CHANNEL",
        synonyms: &["CHL"],
        subtype: Some(("RQSTR", MQCHT_REQUESTER)),
        code: 23,
        mqot: MQOT_REQUESTER_CHANNEL,
        default_object: Some("SYSTEM.DEF.REQUESTER"),
    },
    Row {
        object_type: ObjectType::ClientConnectionChannel,
        family: Family::Channel,
        keyword: "CHANNEL",
        synonyms: &["CHL"],
        subtype: Some(("CLNTCONN", MQCHT_CLNTCONN)),
        code: 24,
        mqot: MQOT_CLNTCONN_CHANNEL,
        default_object: Some("SYSTEM.DEF.CLNTCONN"),
    },
    Row {
        object_type: ObjectType::ServerConnectionChannel,
        family: Family::Channel,
        keyword: "CHANNEL",
        synonyms: &["CHL"],
        subtype: Some(("SVRCONN", MQCHT_SVRCONN)),
        code: 25,
        mqot: MQOT_SVRCONN_CHANNEL,
        default_object: Some("SYSTEM.DEF.SVRCONN"),
    },
    Row {
        object_type: ObjectType::ClusterSenderChannel,
        family: Family::Channel,
        keyword: "CHANNEL",
        synonyms: &["CHL"],
        subtype: Some(("CLUSSDR", MQCHT_CLUSSDR)),
        code: 26,
        mqot: MQOT_CHANNEL,
        default_object: Some("SYSTEM.DEF.CLUSSDR"),
    },
    Row {
        object_type: ObjectType::ClusterReceiverChannel,
        family: Family::Channel,
        keyword: "CHANNEL",
        synonyms: &["CHL"],
        subtype: Some(("CLUSRCVR", MQCHT_CLUSRCVR)),
        code: 27,
        mqot: MQOT_CHANNEL,
        default_object: Some("SYSTEM.DEF.CLUSRCVR"),
    },
    Row {
        object_type: ObjectType::AmqpChannel,
        family: Family::Channel,
        keyword: "CHANNEL",
        synonyms: &["CHL"],
        subtype: Some(("AMQP", MQCHT_AMQP)),
        code: 28,
        mqot: MQOT_AMQP_CHANNEL,
        default_object: Some("SYSTEM.DEF.AMQP"),
    },
    Row {
        object_type: ObjectType::MqttChannel,
        family: Family::Channel,
        keyword: "CHANNEL",
        synonyms: &["CHL"],
        subtype: Some(("MQTT", MQCHT_MQTT)),
        code: 29,
        mqot: MQOT_TT_CHANNEL,
        default_object: Some("SYSTEM.DEF.MQTT"),
    },
    Row {
        object_type: ObjectType::CrlLdapAuthentication,
        family: Family::Authentication,
        keyword: "AUTHINFO",
        synonyms: &[],
        subtype: Some(("CRLLDAP", MQAIT_CRL_LDAP)),
        code: 40,
        mqot: MQOT_AUTH_INFO,
        default_object: Some("SYSTEM.DEFAULT.AUTHINFO.CRLLDAP"),
    },
    Row {
        object_type: ObjectType::OcspAuthentication,
        family: Family::Authentication,
        keyword: "AUTHINFO",
        synonyms: &[],
        subtype: Some(("OCSP", MQAIT_OCSP)),
        code: 41,
        mqot: MQOT_AUTH_INFO,
        default_object: Some("SYSTEM.DEFAULT.AUTHINFO.OCSP"),
    },
    Row {
        object_type: ObjectType::SystemAuthentication,
        family: Family::Authentication,
        keyword: "AUTHINFO",
        synonyms: &[],
        subtype: Some(("IDPWOS", MQAIT_IDPW_OS)),
        code: 42,
        mqot: MQOT_AUTH_INFO,
        default_object: Some("SYSTEM.DEFAULT.AUTHINFO.IDPWOS"),
    },
    Row {
        object_type: ObjectType::LdapAuthentication,
        family: Family::Authentication,
        keyword: "AUTHINFO",
        synonyms: &[],
        subtype: Some(("IDPWLDAP", MQAIT_IDPW_LDAP)),
        code: 43,
        mqot: MQOT_AUTH_INFO,
        default_object: Some("SYSTEM.DEFAULT.AUTHINFO.IDPWLDAP"),
    },
];

impl ObjectType {
    /// Every object type.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.object_type)
    }

    /// Every type that DEFINE makes.
    pub fn definable() -> impl Iterator<Item = Self> {
        Self::all().filter(|object_type| !object_type.family().is_record())
    }

    /// The types that an MQSC word, in capitals, may mean after DEFINE: one, or all of a family that has a
    /// word for its types elsewhere.
    pub fn from_keyword(word: &str) -> impl Iterator<Item = Self> {
        ROWS.iter()
            .filter(move |row| row.keyword == word || row.synonyms.contains(&word))
            .map(|row| row.object_type)
            .filter(|object_type| !object_type.family().is_record())
    }

    /// The type with this code in a stored definition.
    pub fn from_code(code: u8) -> Option<Self> {
        ROWS.iter().find(|row| row.code == code).map(|row| row.object_type)
    }

    /// The MQSC word: `QLOCAL`, `CHANNEL`.
    pub fn keyword(self) -> &'static str {
        self.row().keyword
    }

    /// The family it belongs to.
    pub fn family(self) -> Family {
        self.row().family
    }

    /// Where its name must be the only one.
    pub fn name_space(self) -> NameSpace {
        NameSpace { family: self.family(), is_client: self == Self::ClientConnectionChannel }
    }

    /// The word by which its family tells its types apart: `QLOCAL`, `SDR`.
    pub fn subtype(self) -> Option<&'static str> {
        self.row().subtype.map(|(word, _)| word)
    }

    /// The number of that word: an MQQT_, MQCHT_ or MQAIT_ value.
    pub fn subtype_value(self) -> Option<i32> {
        self.row().subtype.map(|(_, value)| value)
    }

    /// Returns its name where the whole of it must be said: `QLOCAL`, `CHANNEL CHLTYPE(SDR)`.
    pub fn full_keyword(self) -> String {
        match (self.family().selector(), self.subtype()) {
            (Some(selector), Some(word)) => format!("{} {selector}({word})", self.keyword()),
            _ => self.keyword().to_owned(),
        }
    }

    /// The number of this type in stored definitions.
    pub fn code(self) -> u8 {
        self.row().code
    }

    /// The MQOT_ value.
    pub fn mqot(self) -> i32 {
        self.row().mqot
    }

    /// Returns its name in messages: "Queue".
    pub fn noun(self) -> &'static str {
        self.family().row().noun
    }

    /// The object from which a new one takes what its definition leaves out.
    pub fn default_object(self) -> Option<&'static str> {
        self.row().default_object
    }

    /// Returns true if it shares the one space of queue names.
    pub fn is_queue(self) -> bool {
        self.family() == Family::Queue
    }

    /// Most characters of its name.
    pub fn name_length_max(self) -> usize {
        match self.family() {
            Family::Channel => MQ_CHANNEL_NAME_LENGTH,
            Family::Service => MQ_SERVICE_NAME_LENGTH,
            Family::Subscription => MQ_SUB_NAME_LENGTH,
            _ => MQ_OBJECT_NAME_LENGTH,
        }
    }

    fn row(self) -> &'static Row {
        ROWS.iter().find(|row| row.object_type == self).expect("every object type has a row")
    }
}

impl Family {
    /// Every family.
    pub fn all() -> impl Iterator<Item = Self> {
        FAMILIES.iter().map(|row| row.family)
    }

    /// Every family with objects that DEFINE makes.
    pub fn definable() -> impl Iterator<Item = Self> {
        Self::all().filter(|family| !family.is_record())
    }

    /// Returns true for records, which SET makes. A record has no name; its identity is the values that say
    /// what it is about.
    pub fn is_record(self) -> bool {
        matches!(self, Self::ChannelRule)
    }

    /// The family an MQSC word, in capitals, names after DISPLAY.
    pub fn from_keyword(word: &str) -> Option<Self> {
        let mut rows = FAMILIES.iter().filter(|row| !row.family.is_record());
        rows.find(|row| row.keyword == word || row.synonyms.contains(&word)).map(|row| row.family)
    }

    /// The MQSC word: `QUEUE`.
    pub fn keyword(self) -> &'static str {
        self.row().keyword
    }

    /// Returns the name of its objects in messages: "Queue".
    pub fn noun(self) -> &'static str {
        self.row().noun
    }

    /// The attribute that DEFINE must be told to know the type: `CHLTYPE`.
    pub fn selector(self) -> Option<&'static str> {
        self.row().selector
    }

    /// The attribute that is the name: `QUEUE`.
    pub fn name_keyword(self) -> &'static str {
        self.row().name_keyword
    }

    /// Its types.
    pub fn types(self) -> impl Iterator<Item = ObjectType> {
        ObjectType::all().filter(move |object_type| object_type.family() == self)
    }

    /// Where its objects are found; a name may stand in more than one.
    pub fn name_spaces(self) -> Vec<NameSpace> {
        let mut spaces: Vec<NameSpace> = self.types().map(ObjectType::name_space).collect();
        spaces.sort_unstable();
        spaces.dedup();
        spaces
    }

    fn row(self) -> &'static FamilyRow {
        FAMILIES.iter().find(|row| row.family == self).expect("every family has a row")
    }
}

impl NameSpace {
    /// The names of queues of any type.
    pub const QUEUES: Self = Self { family: Family::Queue, is_client: false };

    /// The family whose objects have these names.
    pub fn family(self) -> Family {
        self.family
    }
}

impl ObjectTypes {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// The set of these types.
    pub const fn of(object_types: &[ObjectType]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < object_types.len() {
            bits |= 1 << object_types[index] as u32;
            index += 1;
        }
        Self(bits)
    }

    /// Returns true if the type is in the set.
    pub const fn contains(self, object_type: ObjectType) -> bool {
        self.0 & (1 << object_type as u32) != 0
    }
}
