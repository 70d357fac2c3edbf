//! The types of settings: how each is read, shown and bounded.

use std::net::{Ipv4Addr, SocketAddr};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use mqi::ObjectName;
use security::authority::ADMINISTRATORS;
use toml::de::DeValue;

/// A type a setting can have.
pub(super) trait Setting: Sized {
    /// Limits of its values.
    type Bounds;
    /// Reads it, or says what would be right.
    fn read(value: &DeValue<'_>, bounds: &Self::Bounds) -> Result<Self, String>;
    /// As it stands in a file.
    fn show(&self) -> String;
    /// The values allowed, in words.
    fn allowed(bounds: &Self::Bounds) -> String;
}

/// The port queue managers listen on.
pub const PORT: u16 = 1414;

/// The socket of the system's log, or an empty path for none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemLogPath(pub PathBuf);

impl Default for SystemLogPath {
    fn default() -> Self {
        Self("/dev/log".into())
    }
}

impl Setting for SystemLogPath {
    type Bounds = ();

    fn read(value: &DeValue<'_>, (): &()) -> Result<Self, String> {
        let path = value.as_str().filter(|path| path.is_empty() || path.starts_with('/'));
        path.map(|path| Self(path.into())).ok_or_else(|| Self::allowed(&()))
    }

    fn show(&self) -> String {
        format!("{:?}", self.0.to_string_lossy())
    }

    fn allowed((): &()) -> String {
        "a path from the root, or \"\" for none".to_owned()
    }
}

/// A directory of its own for a part of a queue manager's files, or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartDirectory(pub PathBuf);

impl Setting for PartDirectory {
    type Bounds = ();

    fn read(value: &DeValue<'_>, (): &()) -> Result<Self, String> {
        let path = value.as_str().filter(|path| path.is_empty() || path.starts_with('/'));
        let path = path.filter(|path| !path.contains('\0'));
        path.map(|path| Self(path.into())).ok_or_else(|| Self::allowed(&()))
    }

    fn show(&self) -> String {
        format!("{:?}", self.0.to_string_lossy())
    }

    fn allowed((): &()) -> String {
        "a path from the root, or \"\" for the queue manager's folder".to_owned()
    }
}

/// The name of a channel, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelName(pub Option<ObjectName>);

impl Setting for ChannelName {
    type Bounds = ();

    fn read(value: &DeValue<'_>, (): &()) -> Result<Self, String> {
        let name = |text: &str| match text {
            "" => Some(Self(None)),
            text => text.parse().ok().map(|name| Self(Some(name))),
        };
        value.as_str().and_then(name).ok_or_else(|| Self::allowed(&()))
    }

    fn show(&self) -> String {
        format!("\"{}\"", self.0.unwrap_or(ObjectName::BLANK))
    }

    fn allowed((): &()) -> String {
        "the name of a channel, or \"\" for none".to_owned()
    }
}

/// A group of the machine, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalGroup(pub String);

/// The group of those that connect, unless the settings name another.
const LOCAL_GROUP: &str = "ferrymq-users";

impl LocalGroup {
    /// Returns true where the settings name a group, which is then missed.
    #[must_use]
    pub fn is_asked_for(&self) -> bool {
        !self.0.is_empty() && self.0 != LOCAL_GROUP
    }
}

impl Default for LocalGroup {
    fn default() -> Self {
        Self(LOCAL_GROUP.to_owned())
    }
}

impl Setting for LocalGroup {
    type Bounds = ();

    fn read(value: &DeValue<'_>, (): &()) -> Result<Self, String> {
        let is_name =
            |name: &&str| *name != ADMINISTRATORS && !name.contains(|it: char| it.is_control() || it == ':');
        value.as_str().filter(is_name).map(|name| Self(name.to_owned())).ok_or_else(|| Self::allowed(&()))
    }

    fn show(&self) -> String {
        format!("{:?}", self.0)
    }

    fn allowed((): &()) -> String {
        "the name of a group of the machine other than \"ferrymq\", or \"\" for none".to_owned()
    }
}

/// A number of bytes, written with its unit: `"64 MiB"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

const UNITS: [(&str, u32); 5] = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10), ("B", 0)];

impl Bytes {
    /// With the largest unit that leaves a whole number.
    fn words(self) -> String {
        let fits = |&(_, shift): &(&str, u32)| self.0 > 0 && self.0.is_multiple_of(1_u64 << shift);
        let (unit, shift) = UNITS.into_iter().find(fits).unwrap_or(("B", 0));
        format!("{} {unit}", self.0 >> shift)
    }

    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = text.len() - text.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let (number, unit) = text.split_at(digits);
        let unit = unit.trim();
        let shift = match unit {
            "" => 0,
            _ => UNITS.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?.1,
        };
        number.parse::<u64>().ok()?.checked_mul(1 << shift).map(Self)
    }
}

impl Setting for Bytes {
    type Bounds = (RangeInclusive<u64>, u64);

    fn read(value: &DeValue<'_>, (range, step): &Self::Bounds) -> Result<Self, String> {
        let read = match value {
            DeValue::String(text) => Self::parse(text),
            DeValue::Integer(_) => integer(value).and_then(|it| u64::try_from(it).ok()).map(Self),
            _ => None,
        };
        read.filter(|it| range.contains(&it.0) && it.0 % step == 0)
            .ok_or_else(|| Self::allowed(&(range.clone(), *step)))
    }

    fn show(&self) -> String {
        if self.0 == 0 { "0".to_owned() } else { format!("\"{}\"", self.words()) }
    }

    fn allowed((range, step): &Self::Bounds) -> String {
        let span = format!("a size from {} to {}", Self(*range.start()).words(), Self(*range.end()).words());
        if *step > 1 { format!("{span} in steps of {}", Self(*step).words()) } else { span }
    }
}

/// Amount of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// A share of what the machine has.
    Auto,
    /// Number of bytes.
    Bytes(u64),
}

impl Setting for Budget {
    type Bounds = RangeInclusive<u64>;

    fn read(value: &DeValue<'_>, range: &Self::Bounds) -> Result<Self, String> {
        if value.as_str() == Some("auto") {
            return Ok(Self::Auto);
        }
        let size = Bytes::read(value, &(range.clone(), 1)).map_err(|_| Self::allowed(range))?;
        Ok(Self::Bytes(size.0))
    }

    fn show(&self) -> String {
        match self {
            Self::Auto => "\"auto\"".to_owned(),
            Self::Bytes(bytes) => Bytes(*bytes).show(),
        }
    }

    fn allowed(range: &Self::Bounds) -> String {
        format!("\"auto\" or {}", Bytes::allowed(&(range.clone(), 1)))
    }
}

impl Setting for u32 {
    type Bounds = RangeInclusive<Self>;

    fn read(value: &DeValue<'_>, bounds: &Self::Bounds) -> Result<Self, String> {
        let read = integer(value).and_then(|it| Self::try_from(it).ok());
        read.filter(|it| bounds.contains(it)).ok_or_else(|| Self::allowed(bounds))
    }

    fn show(&self) -> String {
        self.to_string()
    }

    fn allowed(bounds: &Self::Bounds) -> String {
        format!("a number from {} to {}", bounds.start(), bounds.end())
    }
}

impl Setting for bool {
    type Bounds = ();

    fn read(value: &DeValue<'_>, (): &()) -> Result<Self, String> {
        value.as_bool().ok_or_else(|| Self::allowed(&()))
    }

    fn show(&self) -> String {
        self.to_string()
    }

    fn allowed((): &()) -> String {
        "true or false".to_owned()
    }
}

fn integer(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

macro_rules! choices {
    ($($(#[$meta:meta])* $Name:ident { $($(#[$variant_meta:meta])* $Variant:ident = $word:literal,)* })*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum $Name { $($(#[$variant_meta])* $Variant,)* }

            impl Setting for $Name {
                type Bounds = ();

                fn read(value: &DeValue<'_>, (): &()) -> Result<Self, String> {
                    match value.as_str() {
                        $(Some($word) => Ok(Self::$Variant),)*
                        _ => Err(Self::allowed(&())),
                    }
                }

                fn show(&self) -> String {
                    match self { $(Self::$Variant => concat!('"', $word, '"').to_owned(),)* }
                }

                fn allowed((): &()) -> String {
                    ["one of", $(concat!('"', $word, '"')),*].join(" ")
                }
            }
        )*
    };
}

choices! {
    /// Fate of log files that a restart no longer needs.
    LogKind {
        /// They are used again.
        Circular = "circular",
        /// They are kept.
        Linear = "linear",
    }
    /// Writer of the log.
    LogWriter {
        /// The reactor while that is quick, the log's own thread otherwise.
        Auto = "auto",
        /// Always the reactor.
        Inline = "inline",
        /// Always the log's own thread.
        Thread = "thread",
    }
    /// The encryption that TCP listeners take.
    ListenerTls {
        /// None.
        No = "no",
        /// TLS, and connections in the clear.
        Allowed = "allowed",
        /// TLS alone.
        Required = "required",
    }
    /// Logins over loopback, once there was a user or a key.
    Loopback {
        /// They are judged.
        Guarded = "guarded",
        /// They are not.
        Trusted = "trusted",
    }
    /// Where warnings and errors are said besides the error log.
    Also {
        /// Nowhere.
        Nothing = "nothing",
        /// On standard error.
        StandardError = "stderr",
        /// Every event, on standard output: the log of a container.
        StandardOutput = "stdout",
        /// In the log of the system.
        SystemLog = "system_log",
    }
    /// Form of an event.
    ErrorFormat {
        /// For people.
        Text = "text",
        /// For programs.
        Json = "json",
    }
}

/// The address of something beside the queues: health, or the control process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceAddress {
    /// The usual port of this machine, or another where that is taken.
    Auto,
    /// None.
    Nowhere,
    /// This address and port; port 0 lets the system choose.
    At(SocketAddr),
}

impl ServiceAddress {
    fn parse(text: &str, reach: Reach) -> Result<Self, String> {
        let text = text.trim();
        match text {
            "auto" => return Ok(Self::Auto),
            "none" => return Ok(Self::Nowhere),
            _ => {}
        }
        let numeric = text.strip_prefix("localhost").map(|port| format!("127.0.0.1{port}"));
        let address: Option<SocketAddr> = numeric.as_deref().unwrap_or(text).parse().ok();
        let is_right = |address: &SocketAddr| reach == Reach::Any || address.ip().is_loopback();
        address.filter(is_right).map(Self::At).ok_or_else(|| Self::allowed(&reach))
    }
}

/// Understands the address of a service of this machine given elsewhere than in the file.
///
/// # Errors
/// An address that is not right, with those that would be.
pub fn service_address(text: &str) -> Result<ServiceAddress, String> {
    ServiceAddress::parse(text, Reach::Machine)
}

/// The machines that may reach a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// This machine.
    Machine,
    /// All that can route to it.
    Any,
}

impl Setting for ServiceAddress {
    type Bounds = Reach;

    fn read(value: &DeValue<'_>, reach: &Reach) -> Result<Self, String> {
        value.as_str().map_or_else(|| Err(Self::allowed(reach)), |text| Self::parse(text, *reach))
    }

    fn show(&self) -> String {
        match self {
            Self::Auto => "\"auto\"".to_owned(),
            Self::Nowhere => "\"none\"".to_owned(),
            Self::At(address) => format!("\"{address}\""),
        }
    }

    fn allowed(reach: &Reach) -> String {
        match reach {
            Reach::Machine => {
                "\"auto\", \"none\" or an address of this machine only, such as \"127.0.0.1:9443\"".to_owned()
            }
            Reach::Any => "\"auto\", \"none\" or an address such as \"127.0.0.1:9414\"".to_owned(),
        }
    }
}

/// Patterns of names that count or, behind `!`, do not; the last that matches decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePatterns(pub Vec<String>);

/// Most patterns of names.
const PATTERNS_MAX: usize = 100;

impl NamePatterns {
    /// Returns true if a name counts.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        mqi::pattern::chooses(&self.0, name)
    }
}

impl Setting for NamePatterns {
    type Bounds = ();

    fn read(value: &DeValue<'_>, (): &()) -> Result<Self, String> {
        let list = value.as_array().filter(|list| list.len() <= PATTERNS_MAX);
        let texts =
            list.and_then(|list| list.iter().map(|item| item.get_ref().as_str()).collect::<Option<Vec<_>>>());
        let texts = texts.ok_or_else(|| Self::allowed(&()))?;
        Ok(Self(texts.into_iter().map(str::to_owned).collect()))
    }

    fn show(&self) -> String {
        format!("{:?}", self.0)
    }

    fn allowed((): &()) -> String {
        format!(
            "a list of at most {PATTERNS_MAX} patterns such as [\"*\", \"!SYSTEM.*\"]; the last that matches decides"
        )
    }
}

/// Where to listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addresses(pub Vec<SocketAddr>);

impl Default for Addresses {
    fn default() -> Self {
        Self(vec![(Ipv4Addr::LOCALHOST, PORT).into()])
    }
}

impl Addresses {
    fn parse(text: &str) -> Result<SocketAddr, String> {
        let text = text.trim();
        let numeric = match text.strip_prefix("localhost") {
            Some(port) => format!("127.0.0.1{port}"),
            None => text.to_owned(),
        };
        numeric.parse().map_err(|_| Self::allowed(&()))
    }
}

impl Setting for Addresses {
    type Bounds = ();

    fn read(value: &DeValue<'_>, (): &()) -> Result<Self, String> {
        let list = value.as_array().ok_or_else(|| Self::allowed(&()))?;
        let each = list.iter().map(|item| match item.get_ref().as_str() {
            Some(text) => Self::parse(text),
            None => Err(Self::allowed(&())),
        });
        each.collect::<Result<_, _>>().map(Self)
    }

    fn show(&self) -> String {
        let each: Vec<_> = self.0.iter().map(|address| format!("\"{address}\"")).collect();
        format!("[{}]", each.join(", "))
    }

    fn allowed((): &()) -> String {
        format!("a list such as [\"127.0.0.1:{PORT}\"], [\"127.0.0.1:{PORT}\", \"[::1]:{PORT}\"] or []")
    }
}

/// Understands one address given elsewhere than in the file, on a command line for example.
///
/// # Errors
/// The form that is expected.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    Addresses::parse(text)
}
