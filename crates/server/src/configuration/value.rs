//! The types of settings: how each is read, shown and bounded.

use std::net::{Ipv4Addr, SocketAddr};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use toml::de::DeValue;

/// A type a setting can have.
pub(super) trait Setting: Sized {
    /// What limits its values.
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

/// How much memory something may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// A share of what the machine has.
    Auto,
    /// So much.
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
    /// What becomes of log files that a restart no longer needs.
    LogKind {
        /// They are used again.
        Circular = "circular",
        /// They are kept.
        Linear = "linear",
    }
    /// Who writes the log.
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
    /// Where warnings and errors are said besides the error log.
    Also {
        /// Nowhere.
        Nothing = "nothing",
        /// On standard error.
        StandardError = "stderr",
        /// In the log of the system.
        SystemLog = "system_log",
    }
    /// How an event is written.
    ErrorFormat {
        /// For people.
        Text = "text",
        /// For programs.
        Json = "json",
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
        let address: SocketAddr = numeric.parse().map_err(|_| Self::allowed(&()))?;
        if address.ip().is_loopback() {
            return Ok(address);
        }
        Err(format!(
            "an address of this machine only ({text} could be reached from others): this release has no users, \
             so anybody who reaches the port could read and write every queue. Use \
             \"127.0.0.1:{port}\" or \"[::1]:{port}\", and a tunnel such as ssh -L for other machines",
            port = address.port()
        ))
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
/// What would be right.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    Addresses::parse(text)
}
