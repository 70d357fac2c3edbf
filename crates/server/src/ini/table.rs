//! The stanzas and keys of `qm.ini`, a row each, with their counterpart or the reason why there is none.

use crate::configuration::nearest;

const PAGE_BYTES: u64 = 4 << 10;
const MIB: u64 = 1 << 20;

/// Least size of a block of the log, by `log.block_size_max`.
const BLOCK_KIBIBYTES_MIN: u64 = 64;

/// A stanza.
#[derive(Debug)]
pub(super) struct StanzaRow {
    pub(super) name: &'static str,
    /// It may come several times, each time about another thing.
    pub(super) repeats: bool,
    pub(super) keys: &'static [KeyRow],
}

/// A key of a stanza.
#[derive(Debug)]
pub(super) struct KeyRow {
    pub(super) name: &'static str,
    pub(super) effect: Effect,
}

/// A value as TOML, or the values that are allowed in words.
type Convert<T> = fn(&str) -> Result<T, String>;

/// The effect of a key.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
    /// A setting of `ferry.toml`.
    Sets { section: &'static str, key: &'static str, value: Convert<String> },
    /// A setting for some values, nothing for others.
    SetsOrNone {
        section: &'static str,
        key: &'static str,
        value: Convert<Option<String>>,
        reason: &'static str,
    },
    /// None, for a reason that is said.
    None { values: Values, reason: &'static str },
    /// Some values ask for what cannot be had; the others ask for what is done anyway.
    Refused { values: &'static [&'static str], reason: &'static str },
}

/// The values of a key that has no effect.
#[derive(Clone, Copy, Debug)]
pub(super) enum Values {
    /// Any text.
    Any,
    /// A number in a range.
    Number(u64, u64),
    /// One of a few words, in any case.
    Words(&'static [&'static str]),
}

impl Values {
    pub(super) fn check(self, value: &str) -> Result<(), String> {
        match self {
            Self::Any => Ok(()),
            Self::Number(least, most) => number(value, (least, most)).map(drop),
            Self::Words(words) => words
                .iter()
                .any(|word| word.eq_ignore_ascii_case(value))
                .then_some(())
                .ok_or_else(|| format!("one of {}", words.join(" "))),
        }
    }
}

pub(super) fn number(value: &str, (least, most): (u64, u64)) -> Result<u64, String> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("a number from {least} to {most}"))
}

fn as_number(value: &str) -> Result<String, String> {
    number(value, (0, u32::MAX.into())).map(|number| number.to_string())
}

fn as_channels(value: &str) -> Result<String, String> {
    number(value, (1, 65_535)).map(|number| number.to_string())
}

/// Types of channels that adopt, or NO.
fn as_adoption(value: &str) -> Result<String, String> {
    const TYPES: [&str; 8] = ["NO", "SVR", "SDR", "RCVR", "CLUSRCVR", "CLUSSDR", "ALL", "FASTPATH"];
    let is_known = |word: &str| TYPES.iter().any(|known| known.eq_ignore_ascii_case(word.trim()));
    if value.split(',').all(is_known) {
        Ok((!value.trim().eq_ignore_ascii_case("NO")).to_string())
    } else {
        Err(format!("one of {}", TYPES.join(" ")))
    }
}

/// Pages of 4 KiB as a size in whole MiB, upwards.
fn as_pages(value: &str) -> Result<String, String> {
    let pages = number(value, (32, 65_535))?;
    Ok(format!("\"{} MiB\"", (pages * PAGE_BYTES).div_ceil(MIB)))
}

/// Pages of 4 KiB of one write, at least as many as a block may have; none for 0, which leaves it open.
fn as_block(value: &str) -> Result<Option<String>, String> {
    let pages = number(value, (0, 4096))?;
    let kibibytes = (pages * PAGE_BYTES / 1024).max(BLOCK_KIBIBYTES_MIN);
    Ok((pages > 0).then(|| format!("\"{kibibytes} KiB\"")))
}

/// The directory of a path that ends with the folder of the queue manager's log, as a log has its folder in
/// `log.directory`.
fn as_log_directory(value: &str) -> Result<String, String> {
    let (directory, folder) = value.trim_end_matches('/').rsplit_once('/').unwrap_or_default();
    if !directory.starts_with('/') || folder.is_empty() {
        return Err(
            "a path from the root, such as /var/mqm/log/QM1: a directory, and the log's folder in it".into(),
        );
    }
    Ok(format!("{directory:?}"))
}

fn as_kind(value: &str) -> Result<String, String> {
    match value.to_ascii_uppercase().as_str() {
        "CIRCULAR" => Ok("\"circular\"".to_owned()),
        "LINEAR" => Ok("\"linear\"".to_owned()),
        _ => Err("CIRCULAR or LINEAR; a replicated log is not yet supported".to_owned()),
    }
}

fn as_port(value: &str) -> Result<String, String> {
    number(value, (0, 65_535)).map(|port| format!("[\"127.0.0.1:{port}\"]"))
}

fn as_required(value: &str) -> Result<Option<String>, String> {
    match value.to_ascii_uppercase().as_str() {
        "YES" => Ok(Some("\"required\"".to_owned())),
        "NO" => Ok(None),
        _ => Err("YES or NO".to_owned()),
    }
}

/// For a key whose value asks for what is so anyway.
pub(super) const NOTHING_TO_SET: &str = "it is so anyway";

/// For a value that leaves the choice to the queue manager.
const CHOSEN: &str = "0 leaves it to the queue manager, as without the key";

const YES_NO: Values = Values::Words(&["YES", "NO", "Y", "N"]);
const NUMBER: Values = Values::Number(0, u32::MAX as u64);

const NOT_REWRITTEN: &str =
    "a block of the log is written once and never again, so there is nothing to choose";
const FOLDER: &str =
    "the log is in the folder of the queue manager; mount a disk there or make the folder a link";
const IN_PROCESS: &str = "programs choose their binding themselves, and agents are part of the queue manager";
const MEMORY: &str =
    "memory.budget is one for the bodies of all queues, an eighth of the machine's memory unless set";
const PUBLISHERS: &str = "a publication is delivered by the thread of its publisher";
const BUFFERS: &str = "the system sizes the buffers of sockets";
const AT_ONCE: &str = "a connection takes the place of an older one at once, and must be of the same QMID";
const BY_ITSELF: &str = "the queue manager does so by itself, within its own bounds";
const SNI: &str = "the host is named, and the channel beside it";
const NUMBERS: &str = "a restored partner is recognized, and DISPLAY CHSTATUS says what to do";
const EXITS: &str = "exits are not run";
const SERVICES: &str = "authority and names are parts of the queue manager, not modules";
const PASSWORDS: &str = "passwords are taken over TLS or within the machine only";
const TLS: &str = "suites and certificates are chosen by SSLCIPH, SSLCAUTH and SSLPEER of the channel";
const REVOCATION: &str =
    "a revoked certificate is found by the lists in security/crl; responders are not asked yet";
const KEY_SIZE: &str = "the sizes of keys are those of the TLS library, which takes RSA from 2048 bits";
const CLUSTERS: &str = "there are no clusters yet";
const TOKENS: &str = "tokens are not taken yet";
const NOTHING_CACHED: &str = "matching subscriptions are found in one tree, without a cache";
const LISTENER: &str =
    "listeners are addresses in listener.addresses or objects with attributes of their own";
const COORDINATOR: &str = "transactions of other resource managers are not coordinated yet";
const REPLICATION: &str = "logs are not replicated yet";
const DIAGNOSTICS: &str = "the section errors of ferry.toml says where errors are written";
const PROCESSES: &str = "the queue manager is one process";
const OTHER_TRANSPORTS: &str = "TCP is the only transport";

const fn none(name: &'static str, values: Values, reason: &'static str) -> KeyRow {
    KeyRow { name, effect: Effect::None { values, reason } }
}

const fn sets(
    name: &'static str,
    (section, key): (&'static str, &'static str),
    value: Convert<String>,
) -> KeyRow {
    KeyRow { name, effect: Effect::Sets { section, key, value } }
}

const fn once(name: &'static str, keys: &'static [KeyRow]) -> StanzaRow {
    StanzaRow { name, repeats: false, keys }
}

const fn each(name: &'static str, keys: &'static [KeyRow]) -> StanzaRow {
    StanzaRow { name, repeats: true, keys }
}

/// Every stanza.
#[rustfmt::skip]
static STANZAS: &[StanzaRow] = &[
    once("Log", &[
        sets("LogType", ("log", "kind"), as_kind),
        sets("LogFilePages", ("log", "extent_size"), as_pages),
        sets("LogPrimaryFiles", ("log", "primary_extents"), as_number),
        sets("LogSecondaryFiles", ("log", "secondary_extents"), as_number),
        sets("LogPath", ("log", "directory"), as_log_directory),
        KeyRow { name: "LogBufferPages", effect: Effect::SetsOrNone {
            section: "log", key: "block_size_max", value: as_block, reason: CHOSEN,
        } },
        none("LogWriteIntegrity", Values::Words(&["SingleWrite", "DoubleWrite", "TripleWrite"]), NOT_REWRITTEN),
        none("LogManagement", Values::Words(&["Manual", "Automatic", "Archive"]), "ferry log prune and backup do this"),
    ]),
    once("Channels", &[
        sets("MaxChannels", ("limits", "channels_max"), as_channels),
        sets("MaxActiveChannels", ("limits", "active_channels_max"), as_channels),
        sets("AdoptNewMCA", ("channels", "adopt_new"), as_adoption),
        none("AdoptNewMCATimeout", Values::Number(1, 3600), AT_ONCE),
        none("AdoptNewMCACheck", Values::Any, AT_ONCE),
        none("MaxInitiators", NUMBER, BY_ITSELF),
        none("PipeLineLength", NUMBER, BY_ITSELF),
        none("ChlauthIssueWarn", YES_NO, "a rule with WARN(YES) says so itself"),
        none("ChlauthIgnoreUserCase", YES_NO, "names of users are exact"),
        none("PasswordProtection", Values::Words(&["compatible", "always", "optional", "warn"]), PASSWORDS),
        none("MQIBindType", Values::Words(&["STANDARD", "FASTPATH", "SHARED", "ISOLATED"]), IN_PROCESS),
        none("BindType", Values::Words(&["STANDARD", "FASTPATH", "SHARED", "ISOLATED"]), IN_PROCESS),
        none("PubSubCacheSize", NUMBER, NOTHING_CACHED),
        none("IgnoreSeqNumberMismatch", YES_NO, NUMBERS),
        none("ReportedSeqNumberMismatch", YES_NO, NUMBERS),
        KeyRow { name: "ChlauthEarlyAdopt", effect: Effect::Refused {
            values: &["N", "NO"],
            reason: "a user is adopted before channel rules judge; write Y",
        } },
    ]),
    once("TCP", &[
        sets("Port", ("listener", "addresses"), as_port),
        KeyRow { name: "SecureCommsOnly", effect: Effect::SetsOrNone {
            section: "listener", key: "tls", value: as_required, reason: NOTHING_TO_SET,
        } },
        none("KeepAlive", YES_NO, "connections are watched by heartbeats of their own"),
        none("ListenerBacklog", NUMBER, LISTENER),
        none("SvrSndBuffSize", NUMBER, BUFFERS),
        none("SvrRcvBuffSize", NUMBER, BUFFERS),
        none("ClntSndBuffSize", NUMBER, BUFFERS),
        none("ClntRcvBuffSize", NUMBER, BUFFERS),
        // As a published report prints both, with a capital I.
        none("CIntSndBuffSize", NUMBER, BUFFERS),
        none("CIntRcvBuffSize", NUMBER, BUFFERS),
        none("SndBuffSize", NUMBER, BUFFERS),
        none("RcvBuffSize", NUMBER, BUFFERS),
        none("RcvSndBuffSize", NUMBER, BUFFERS),
        none("RcvRcvBuffSize", NUMBER, BUFFERS),
        none("Connect_Timeout", NUMBER, BY_ITSELF),
        none("IPAddressVersion", Values::Any, LISTENER),
        none("Library1", Values::Any, OTHER_TRANSPORTS),
        none("Library2", Values::Any, OTHER_TRANSPORTS),
    ]),
    once("TuningParameters", &[
        none("DefaultQBufferSize", NUMBER, MEMORY),
        none("DefaultPQBufferSize", NUMBER, MEMORY),
        none("pscNumPubThreads", NUMBER, PUBLISHERS),
        none("PubSubCacheSize", NUMBER, NOTHING_CACHED),
        none("ImplSyncOpenOutput", NUMBER, "every put outside a unit of work is forced together with others"),
        none("PubSubNPInternal", Values::Any, PUBLISHERS),
        none("UniformClusterName", Values::Any, CLUSTERS),
        none("MaxQTrans", NUMBER, "MAXUMSGS of the queue manager bounds a unit of work"),
        none("QueueBufferSize", NUMBER, MEMORY),
        none("OAMLdapConnectTimeout", NUMBER, "directories are not asked yet"),
        none("OAMLdapQueryTimeLimit", NUMBER, "directories are not asked yet"),
        none("OAMLdapResponseWarningTime", NUMBER, "directories are not asked yet"),
    ]),
    once("SSL", &[
        none("AllowedCipherSpecs", Values::Any, TLS),
        none("AllowTLSV13", YES_NO, TLS),
        none("AllowTLSV1", YES_NO, TLS),
        none("AllowSSLV3", YES_NO, TLS),
        none("AllowWeakCipherSpec", Values::Any, TLS),
        none("CDPCheckExtensions", YES_NO, REVOCATION),
        none("OCSPCheckExtensions", YES_NO, REVOCATION),
        none("OCSPTimeout", NUMBER, REVOCATION),
        none("MinimumRSAKeySize", NUMBER, KEY_SIZE),
        none("OutboundSNI", Values::Words(&["CHANNEL", "HOSTNAME"]), SNI),
        none("SSLHTTPProxyName", Values::Any, REVOCATION),
        none("SSLHTTPConnectTimeout", NUMBER, REVOCATION),
        none("SSLCryptoHardware", Values::Any, TLS),
        none("SSLKeyResetCount", NUMBER, TLS),
        none("EncryptionPolicySuiteB", Values::Any, TLS),
        none("CertificateLabel", Values::Any, TLS),
        none("CertificateValPolicy", Values::Any, TLS),
        none("SSLKeyRepository", Values::Any, "keys are in the folder security; ferry tls import brings others"),
        none("SSLFipsRequired", Values::Words(&["NO"]), TLS),
        KeyRow { name: "OCSPAuthentication", effect: Effect::Refused {
            values: &["REQUIRED"],
            reason: "responders are not asked yet; write OPTIONAL or WARN and put revocation lists into security/crl",
        } },
    ]),
    once("Security", &[
        none("ClusterQueueAccessControl", Values::Words(&["RQMName", "Xmitq"]), CLUSTERS),
        none("GroupModel", Values::Words(&["GlobalGroups"]), SERVICES),
        none("DefaultBindType", Values::Any, IN_PROCESS),
    ]),
    once("AuthToken", &[
        none("KeyStore", Values::Any, TOKENS),
        none("KeyStorePwdFile", Values::Any, TOKENS),
        none("CertLabel", Values::Any, TOKENS),
        none("UserClaim", Values::Any, TOKENS),
        none("HTTPSKeyStore", Values::Any, TOKENS),
        none("HTTPSCertPolicy", Values::Any, TOKENS),
        none("HTTPSCertValidation", Values::Any, TOKENS),
        none("Issuers", Values::Any, TOKENS),
    ]),
    each("JWKS", &[
        none("IssuerName", Values::Any, TOKENS),
        none("Endpoint", Values::Any, TOKENS),
        none("UserClaim", Values::Any, TOKENS),
        none("CACertFile", Values::Any, TOKENS),
        none("CacheTTL", NUMBER, TOKENS),
    ]),
    each("Service", &[
        none("Name", Values::Any, SERVICES),
        none("EntryPoints", NUMBER, SERVICES),
        none("SecurityPolicy", Values::Any, SERVICES),
        none("SharedBindingsUserId", Values::Any, SERVICES),
    ]),
    each("ServiceComponent", &[
        none("Service", Values::Any, SERVICES),
        none("Name", Values::Any, SERVICES),
        none("Module", Values::Any, SERVICES),
        none("ComponentDataSize", NUMBER, SERVICES),
    ]),
    once("ExitPath", &[
        none("ExitsDefaultPath", Values::Any, EXITS),
        none("ExitsDefaultPath64", Values::Any, EXITS),
    ]),
    each("ApiExitLocal", EXIT),
    each("ApiExitCommon", EXIT),
    each("ApiExitTemplate", EXIT),
    once("ExitPropertiesLocal", &[none("CLWLMode", Values::Words(&["SAFE", "FAST"]), EXITS)]),
    each("XAResourceManager", &[
        none("Name", Values::Any, COORDINATOR),
        none("SwitchFile", Values::Any, COORDINATOR),
        none("XAOpenString", Values::Any, COORDINATOR),
        none("XACloseString", Values::Any, COORDINATOR),
        none("ThreadOfControl", Values::Words(&["THREAD", "PROCESS"]), COORDINATOR),
    ]),
    once("QMErrorLog", &[
        none("ErrorLogSize", NUMBER, DIAGNOSTICS),
        none("ExcludeMessage", Values::Any, DIAGNOSTICS),
        none("SuppressMessage", Values::Any, DIAGNOSTICS),
        none("SuppressInterval", NUMBER, DIAGNOSTICS),
    ]),
    each("DiagnosticMessages", &[
        none("Name", Values::Any, DIAGNOSTICS),
        none("Service", Values::Any, DIAGNOSTICS),
        none("Format", Values::Any, DIAGNOSTICS),
        none("FilePath", Values::Any, DIAGNOSTICS),
        none("FilePrefix", Values::Any, DIAGNOSTICS),
        none("FileSize", NUMBER, DIAGNOSTICS),
        none("Severities", Values::Any, DIAGNOSTICS),
        none("ExcludeMessage", Values::Any, DIAGNOSTICS),
        none("SuppressMessage", Values::Any, DIAGNOSTICS),
        none("SuppressInterval", NUMBER, DIAGNOSTICS),
        none("Ident", Values::Any, DIAGNOSTICS),
    ]),
    once("Subpool", &[none("ShortSubpoolName", Values::Any, PROCESSES)]),
    once("RestrictedMode", &[none("ApplicationGroup", Values::Any, PROCESSES)]),
    once("AccessMode", &[none("SecurityGroup", Values::Any, PROCESSES)]),
    once("Filesystem", &[none("ValidateAuth", YES_NO, PROCESSES)]),
    once("InstanceData", &[none("Log", Values::Any, FOLDER), none("Data", Values::Any, FOLDER)]),
    once("AutoConfig", &[
        none("MQSCConfig", Values::Any, "ferry config apply runs a file of MQSC"),
        none("IniConfig", Values::Any, "ferry config from-ini translates a file when it is asked"),
    ]),
    once("AutoCluster", &[
        none("Type", Values::Any, CLUSTERS),
        none("ClusterName", Values::Any, CLUSTERS),
        none("Repository1Name", Values::Any, CLUSTERS),
        none("Repository1Conname", Values::Any, CLUSTERS),
        none("Repository2Name", Values::Any, CLUSTERS),
        none("Repository2Conname", Values::Any, CLUSTERS),
    ]),
    each("Variables", &[none("CONNAME", Values::Any, CLUSTERS)]),
    each("NativeHAInstance", &[
        none("Name", Values::Any, REPLICATION),
        none("ReplicationAddress", Values::Any, REPLICATION),
    ]),
    once("NativeHALocalInstance", &[
        none("LocalName", Values::Any, REPLICATION),
        none("GroupName", Values::Any, REPLICATION),
        none("CipherSpec", Values::Any, REPLICATION),
        none("CertificateLabel", Values::Any, REPLICATION),
        none("KeyRepository", Values::Any, REPLICATION),
        none("KeyRepositoryPassword", Values::Any, REPLICATION),
    ]),
    once("LU62", &[
        none("TPName", Values::Any, OTHER_TRANSPORTS),
        none("Library1", Values::Any, OTHER_TRANSPORTS),
        none("Library2", Values::Any, OTHER_TRANSPORTS),
    ]),
    once("NETBIOS", &[none("LocalName", Values::Any, OTHER_TRANSPORTS)]),
    once("SPX", &[none("Socket", Values::Any, OTHER_TRANSPORTS)]),
];

const EXIT: &[KeyRow] = &[
    none("Name", Values::Any, EXITS),
    none("Function", Values::Any, EXITS),
    none("Module", Values::Any, EXITS),
    none("Data", Values::Any, EXITS),
    none("Sequence", NUMBER, EXITS),
];

/// The stanza of a name, or the words for a name that is none.
pub(super) fn stanza(name: &str) -> Result<&'static StanzaRow, String> {
    let found = STANZAS.iter().find(|stanza| stanza.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| match nearest(name, STANZAS.iter().map(|stanza| stanza.name)) {
        Some(meant) => format!("there is no stanza {name}: did you mean {meant}?"),
        None => {
            let names: Vec<&str> = STANZAS.iter().map(|stanza| stanza.name).collect();
            format!("there is no stanza {name}; the stanzas are {}", names.join(", "))
        }
    })
}

impl StanzaRow {
    /// The effect of a key; none when the stanza has no such key.
    pub(super) fn effect_of(&self, key: &str) -> Option<Effect> {
        let exact = self.keys.iter().find(|row| row.name == key);
        let found = exact.or_else(|| self.keys.iter().find(|row| row.name.eq_ignore_ascii_case(key)));
        found.map(|row| row.effect)
    }

    /// The words for a key that the stanza does not have.
    pub(super) fn unknown(&self, key: &str) -> String {
        let name = self.name;
        let elsewhere = STANZAS.iter().find(|stanza| stanza.effect_of(key).is_some());
        match (nearest(key, self.keys.iter().map(|row| row.name)), elsewhere) {
            (_, Some(stanza)) => format!("there is no key {key} in {name}: it belongs into {}", stanza.name),
            (Some(meant), None) => format!("there is no key {key} in {name}: did you mean {meant}?"),
            (None, None) => {
                let names: Vec<&str> = self.keys.iter().map(|row| row.name).collect();
                format!("there is no key {key} in {name}; its keys are {}", names.join(", "))
            }
        }
    }
}

/// Every row as the reference page shows it: stanza, key, counterpart or reason.
pub(super) fn rows() -> impl Iterator<Item = (&'static str, &'static str, String)> {
    STANZAS.iter().flat_map(|stanza| {
        stanza.keys.iter().map(move |row| {
            let shown = match row.effect {
                Effect::Sets { section, key, .. } | Effect::SetsOrNone { section, key, .. } => {
                    format!("`{section}.{key}`")
                }
                Effect::None { reason, .. } => format!("no effect: {reason}"),
                Effect::Refused { values, reason } => format!("{} is refused: {reason}", values.join(", ")),
            };
            (stanza.name, row.name, shown)
        })
    })
}
