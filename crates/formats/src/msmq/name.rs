//! Names of queues: format names, which programs and messages carry, and path names, which people type.
//!
//! ```text
//! format names  one | one, one, ...
//! one           DIRECT=OS:host\[private$\]queue[;part]      DIRECT=TCP:address\...    DIRECT=SPX:address\...
//!               DIRECT=HTTP://host[:port]/msmq/[private$/]queue, and HTTPS
//!               DIRECT=OS:host\SYSTEM$;machine part
//!               PUBLIC=guid[;part]          PRIVATE=guid\number[;part]    MACHINE=guid;machine part
//!               CONNECTOR=guid[;XACTONLY]   DL=guid[@domain]              MULTICAST=address:port
//! part          JOURNAL | name of a subqueue
//! machine part  JOURNAL | DEADLETTER | DEADXACT
//! path name     host\[private$\]queue[\Journal$ | ;part] | host\Journal$ | host\Deadletter$
//!               | host\XactDeadletter$; the host may be a dot, for this machine
//! ```
//!
//! Always: what is printed is read as the same; keywords are in any case, and are printed in upper case but
//! for `private$`, as the family prints them.

use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;

/// Most bytes of the text of names.
const TEXT_BYTES_MAX: usize = 8_192;
/// Most characters of the name of a queue.
const QUEUE_CHARACTERS_MAX: usize = 124;
/// Most characters of the name of a subqueue.
const SUBQUEUE_CHARACTERS_MAX: usize = 32;

/// The words for a name of a queue that is wanted.
const QUEUE_NAME: &str = "name of a queue, of 1 to 124 characters";

const PRIVATE: &str = "private$";
const SYSTEM: &str = "SYSTEM$";
const JOURNAL: &str = "JOURNAL";
const DEAD_LETTER: &str = "DEADLETTER";
const DEAD_TRANSACTIONAL: &str = "DEADXACT";
const TRANSACTIONAL_ONLY: &str = "XACTONLY";

/// A globally unique identifier, in the order of its digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guid(pub u128);

/// A format name: one queue, or one place with several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatName {
    /// The queue, or the queue manager.
    pub place: Place,
    /// The part of it.
    pub part: Part,
}

/// The place that a format name leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A queue by the address of its queue manager.
    Direct {
        /// The protocol.
        protocol: Protocol,
        /// The name or the address of the machine, with its port where it has one.
        host: String,
        /// True for a queue that only its own machine knows.
        is_private: bool,
        /// The name of the queue.
        queue: String,
    },
    /// A queue of a machine, which the directory does not know.
    Private {
        /// The machine.
        machine: Guid,
        /// The number of the queue there.
        number: u32,
    },
    /// A queue of the directory.
    Public(Guid),
    /// A queue of a queue manager itself, by the address of its machine.
    DirectMachine {
        /// The protocol.
        protocol: Protocol,
        /// The name or the address of the machine.
        host: String,
    },
    /// A queue of a queue manager itself.
    Machine(Guid),
    /// The queue of a connector to another messaging system.
    Connector(Guid),
    /// A distribution list of the directory, and its domain where that is said.
    DistributionList(Guid, Option<String>),
    /// A multicast address.
    Multicast(Ipv4Addr, u16),
}

/// The protocol of a direct name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The one that the system chooses for the name of the machine.
    Os,
    /// TCP, by address.
    Tcp,
    /// IPX, by address. No system of today has it.
    Spx,
    /// HTTP.
    Http,
    /// HTTP by TLS.
    Https,
}

/// The part of a queue, or of a queue manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The queue itself.
    Whole,
    /// The copies of what left it.
    Journal,
    /// A subqueue.
    Subqueue(String),
    /// Messages outside transactions that could not be delivered.
    DeadLetter,
    /// Messages of transactions that could not be delivered.
    DeadTransactional,
    /// Messages of transactions alone.
    TransactionalOnly,
}

/// A reason why a text is no name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// There is more of it than a name may have.
    #[error("names have at most {TEXT_BYTES_MAX} bytes; this has {0}")]
    TooLong(usize),
    /// One of several names is none.
    #[error("there is no name before or behind a comma")]
    Empty,
    /// A character that stands for nothing, such as a line break.
    #[error("character U+{:04X} cannot be in a name", u32::from(*.0))]
    Character(char),
    /// The beginning is none of those that there are.
    #[error(
        "\"{0}\" begins no format name: DIRECT, PUBLIC, PRIVATE, MACHINE, CONNECTOR, DL and MULTICAST do"
    )]
    Beginning(String),
    /// A protocol that there is not.
    #[error("\"{0}\" is no protocol of a direct name: OS, TCP, SPX, HTTP and HTTPS are")]
    Protocol(String),
    /// A part of the name is missing or is not what belongs there.
    #[error("\"{found}\" is no {wanted}")]
    Wanted {
        /// The part that belongs there.
        wanted: &'static str,
        /// The text that is there.
        found: String,
    },
    /// The text behind the semicolon is no part of this.
    #[error("\"{part}\" is no part of {place}")]
    Part {
        /// The text that stands there.
        part: String,
        /// The kind of place.
        place: &'static str,
    },
}

/// Reads one or several format names. A beginning `FormatName:`, as programs write it, is passed over.
///
/// # Errors
/// The first fault.
pub fn parse_format_names(text: &str) -> Result<Vec<FormatName>, NameFault> {
    check(text)?;
    let text = text.trim();
    let text = without_prefix(text, "FORMATNAME:").unwrap_or(text);
    text.split(',').map(|one| FormatName::parse(one.trim())).collect()
}

/// Reads a path name, as a direct name.
///
/// # Errors
/// The first fault.
pub fn parse_path_name(text: &str) -> Result<FormatName, NameFault> {
    check(text)?;
    let (host, rest) = text.split_once('\\').ok_or_else(|| wanted("path name: host\\queue", text))?;
    let host = machine(host)?;
    let protocol = Protocol::Os;
    let machine_parts = [
        ("Journal$", Part::Journal),
        ("Deadletter$", Part::DeadLetter),
        ("XactDeadletter$", Part::DeadTransactional),
    ];
    for (word, part) in machine_parts {
        if rest.eq_ignore_ascii_case(word) {
            return Ok(FormatName { place: Place::DirectMachine { protocol, host }, part });
        }
    }
    let (rest, part) = match rest.rsplit_once('\\') {
        Some((queue, last)) if last.eq_ignore_ascii_case("Journal$") => (queue, Part::Journal),
        _ => part_of_queue(rest)?,
    };
    let (is_private, queue) = queue_of(rest, '\\')?;
    Ok(FormatName { place: Place::Direct { protocol, host, is_private, queue }, part })
}

fn check(text: &str) -> Result<(), NameFault> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(NameFault::TooLong(text.len()));
    }
    match text.chars().find(|one| one.is_control()) {
        Some(found) => Err(NameFault::Character(found)),
        None => Ok(()),
    }
}

impl FormatName {
    fn parse(text: &str) -> Result<Self, NameFault> {
        if text.is_empty() {
            return Err(NameFault::Empty);
        }
        let (kind, rest) = text.split_once('=').ok_or_else(|| NameFault::Beginning(text.to_owned()))?;
        match kind.to_ascii_uppercase().as_str() {
            "DIRECT" => Self::direct(rest),
            "PUBLIC" => {
                let (guid, part) = part_of_queue(rest)?;
                Ok(Self { place: Place::Public(guid.parse()?), part })
            }
            "PRIVATE" => {
                let (queue, part) = part_of_queue(rest)?;
                let (guid, number) = queue.split_once('\\').ok_or_else(|| wanted("guid\\number", queue))?;
                let number = number_of(number).ok_or_else(|| wanted("number of a queue", number))?;
                Ok(Self { place: Place::Private { machine: guid.parse()?, number }, part })
            }
            "MACHINE" => {
                let (guid, part) = rest.split_once(';').unwrap_or((rest, ""));
                Ok(Self { place: Place::Machine(guid.parse()?), part: part_of_machine(part)? })
            }
            "CONNECTOR" => {
                let (guid, part) = match rest.split_once(';') {
                    None => (rest, Part::Whole),
                    Some((guid, part)) if part.eq_ignore_ascii_case(TRANSACTIONAL_ONLY) => {
                        (guid, Part::TransactionalOnly)
                    }
                    Some((_, part)) => return Err(no_part(part, "a connector: XACTONLY is")),
                };
                Ok(Self { place: Place::Connector(guid.parse()?), part })
            }
            "DL" => {
                let (guid, domain) =
                    rest.split_once('@').map_or((rest, None), |(guid, domain)| (guid, Some(domain)));
                let domain = domain.map(|domain| word("domain", domain)).transpose()?;
                Ok(Self { place: Place::DistributionList(guid.parse()?, domain), part: Part::Whole })
            }
            "MULTICAST" => {
                let fault = || wanted("multicast address, such as 224.0.1.7:4711", rest);
                let (address, port) = rest.split_once(':').ok_or_else(fault)?;
                let address = address.parse::<Ipv4Addr>().map_err(|_| fault())?;
                let port = decimal(port).ok_or_else(fault)?;
                if !address.is_multicast() {
                    return Err(fault());
                }
                Ok(Self { place: Place::Multicast(address, port), part: Part::Whole })
            }
            _ => Err(NameFault::Beginning(kind.to_owned())),
        }
    }

    fn direct(text: &str) -> Result<Self, NameFault> {
        let (protocol, rest) = text.split_once(':').ok_or_else(|| wanted("protocol and address", text))?;
        let protocol = Protocol::parse(protocol)?;
        if let Protocol::Http | Protocol::Https = protocol {
            let rest = rest.strip_prefix("//").ok_or_else(|| wanted("address //host/msmq/queue", rest))?;
            let (host, path) =
                rest.split_once('/').ok_or_else(|| wanted("address //host/msmq/queue", rest))?;
            let path = without_prefix(path, "msmq/").ok_or_else(|| wanted("path msmq/queue", path))?;
            let (path, part) = part_of_queue(path)?;
            let (is_private, queue) = queue_of(path, '/')?;
            return Ok(Self {
                place: Place::Direct { protocol, host: machine(host)?, is_private, queue },
                part,
            });
        }
        let (host, rest) = rest.split_once('\\').ok_or_else(|| wanted("address host\\queue", rest))?;
        let host = machine(host)?;
        let (queue, part) = rest.split_once(';').unwrap_or((rest, ""));
        if queue.eq_ignore_ascii_case(SYSTEM) {
            return Ok(Self { place: Place::DirectMachine { protocol, host }, part: part_of_machine(part)? });
        }
        let (rest, part) = part_of_queue(rest)?;
        let (is_private, queue) = queue_of(rest, '\\')?;
        Ok(Self { place: Place::Direct { protocol, host, is_private, queue }, part })
    }
}

impl Protocol {
    const WORDS: [(Self, &str); 5] = [
        (Self::Os, "OS"),
        (Self::Tcp, "TCP"),
        (Self::Spx, "SPX"),
        (Self::Http, "HTTP"),
        (Self::Https, "HTTPS"),
    ];

    fn parse(text: &str) -> Result<Self, NameFault> {
        let known = Self::WORDS.iter().find(|(_, word)| text.eq_ignore_ascii_case(word));
        known.map(|(protocol, _)| *protocol).ok_or_else(|| NameFault::Protocol(text.to_owned()))
    }

    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(protocol, _)| *protocol == self).map_or("", |(_, word)| word)
    }
}

fn wanted(wanted: &'static str, found: &str) -> NameFault {
    NameFault::Wanted { wanted, found: found.to_owned() }
}

fn no_part(part: &str, place: &'static str) -> NameFault {
    NameFault::Part { part: part.to_owned(), place }
}

/// The text behind a prefix, whatever the case of that.
fn without_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let begins = text.get(..prefix.len())?.eq_ignore_ascii_case(prefix);
    begins.then(|| &text[prefix.len()..])
}

/// A text without the characters that part names from each other.
fn word(what: &'static str, text: &str) -> Result<String, NameFault> {
    let is_word = !text.is_empty() && !text.contains(['\\', '/', ';', ',', '=', '@']) && text.trim() == text;
    if is_word { Ok(text.to_owned()) } else { Err(wanted(what, text)) }
}

fn machine(text: &str) -> Result<String, NameFault> {
    word("name of a machine", text)
}

/// The name of a queue, and whether only its machine knows it.
fn queue_of(text: &str, separator: char) -> Result<(bool, String), NameFault> {
    let (is_private, queue) = match text.split_once(separator) {
        Some((first, queue)) if first.eq_ignore_ascii_case(PRIVATE) => (true, queue),
        _ => (false, text),
    };
    let is_reserved = [PRIVATE, SYSTEM].iter().any(|word| queue.eq_ignore_ascii_case(word));
    if is_reserved || queue.chars().count() > QUEUE_CHARACTERS_MAX {
        return Err(wanted(QUEUE_NAME, queue));
    }
    Ok((is_private, word(QUEUE_NAME, queue)?))
}

/// A queue, and the part that is named behind it.
fn part_of_queue(text: &str) -> Result<(&str, Part), NameFault> {
    let Some((queue, part)) = text.split_once(';') else { return Ok((text, Part::Whole)) };
    if part.eq_ignore_ascii_case(JOURNAL) {
        return Ok((queue, Part::Journal));
    }
    let is_of_machine = [DEAD_LETTER, DEAD_TRANSACTIONAL, TRANSACTIONAL_ONLY];
    let is_subqueue = part.chars().count() <= SUBQUEUE_CHARACTERS_MAX
        && !is_of_machine.iter().any(|word| part.eq_ignore_ascii_case(word));
    match word("subqueue", part) {
        Ok(part) if is_subqueue => Ok((queue, Part::Subqueue(part))),
        _ => Err(no_part(part, "a queue: JOURNAL and subqueues of 1 to 32 characters are")),
    }
}

fn part_of_machine(text: &str) -> Result<Part, NameFault> {
    let known = [
        (JOURNAL, Part::Journal),
        (DEAD_LETTER, Part::DeadLetter),
        (DEAD_TRANSACTIONAL, Part::DeadTransactional),
    ];
    let found = known.into_iter().find(|(word, _)| text.eq_ignore_ascii_case(word));
    let place = "a machine: JOURNAL, DEADLETTER and DEADXACT are";
    found.map(|(_, part)| part).ok_or_else(|| no_part(text, place))
}

/// One to eight hexadecimal digits.
fn number_of(text: &str) -> Option<u32> {
    let is_plain = (1..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_plain.then(|| u32::from_str_radix(text, 16).ok()).flatten()
}

/// A port in plain digits.
fn decimal(text: &str) -> Option<u16> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

impl FromStr for Guid {
    type Err = NameFault;

    fn from_str(text: &str) -> Result<Self, NameFault> {
        let fault = || wanted("identifier such as 0f9c5e3a-3d1b-4c57-9b7e-2f1d4f6a8b90", text);
        let bare = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
        let lengths = bare.split('-').map(str::len);
        if !lengths.eq([8, 4, 4, 4, 12]) || !bare.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        {
            return Err(fault());
        }
        u128::from_str_radix(&bare.replace('-', ""), 16).map(Self).map_err(|_| fault())
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:032x}", self.0);
        let [first, second, third, fourth, last] =
            [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
        write!(formatter, "{first}-{second}-{third}-{fourth}-{last}")
    }
}

impl fmt::Display for FormatName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Direct { protocol, host, is_private, queue } => {
                let (before, after, separator) = match protocol {
                    Protocol::Http | Protocol::Https => ("//", "/msmq", '/'),
                    Protocol::Os | Protocol::Tcp | Protocol::Spx => ("", "", '\\'),
                };
                write!(formatter, "DIRECT={}:{before}{host}{after}{separator}", protocol.word())?;
                if *is_private {
                    write!(formatter, "{PRIVATE}{separator}")?;
                }
                formatter.write_str(queue)?;
            }
            Place::DirectMachine { protocol, host } => {
                write!(formatter, "DIRECT={}:{host}\\{SYSTEM}", protocol.word())?;
            }
            Place::Private { machine, number } => write!(formatter, "PRIVATE={machine}\\{number:x}")?,
            Place::Public(guid) => write!(formatter, "PUBLIC={guid}")?,
            Place::Machine(guid) => write!(formatter, "MACHINE={guid}")?,
            Place::Connector(guid) => write!(formatter, "CONNECTOR={guid}")?,
            Place::DistributionList(guid, None) => write!(formatter, "DL={guid}")?,
            Place::DistributionList(guid, Some(domain)) => write!(formatter, "DL={guid}@{domain}")?,
            Place::Multicast(address, port) => write!(formatter, "MULTICAST={address}:{port}")?,
        }
        match &self.part {
            Part::Whole => Ok(()),
            Part::Journal => write!(formatter, ";{JOURNAL}"),
            Part::Subqueue(name) => write!(formatter, ";{name}"),
            Part::DeadLetter => write!(formatter, ";{DEAD_LETTER}"),
            Part::DeadTransactional => write!(formatter, ";{DEAD_TRANSACTIONAL}"),
            Part::TransactionalOnly => write!(formatter, ";{TRANSACTIONAL_ONLY}"),
        }
    }
}
