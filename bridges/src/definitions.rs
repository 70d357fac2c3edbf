//! Bridges and pipes as their queue manager displays them.
//!
//! Always: a definition that this release cannot serve is told with its reason, and is not served.

use std::num::NonZeroU64;
use std::time::Duration;

use bridge::batch::Limits;
use bridge::host::{Door, Row};
use bridge::state::PipeKey;
use client::{Address, AddressError};
use mqi::{ObjectName, Text};

/// Names of the system's own: the objects that others are made like.
const SYSTEM: &str = "SYSTEM.";

/// The use of TLS by a bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// TLS(REQUIRED).
    Required,
    /// TLS(NO).
    None,
}

/// A bridge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeDefinition {
    /// Its name.
    pub name: String,
    /// The addresses of the other system, in the order tried.
    pub addresses: Vec<Address>,
    /// The use of TLS.
    pub cover: Cover,
    /// The channel there; blank for its default.
    pub channel: String,
    /// The label of the key that is shown; blank for the usual one.
    pub key_label: String,
    /// The user there; blank for that of the process.
    pub user: String,
    /// True if a password is kept.
    pub has_password: bool,
    /// The group.
    pub group: String,
    /// True if it starts with the process of its group.
    pub is_automatic: bool,
}

/// The direction of a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From this queue manager to the other system.
    Out,
    /// From the other system to this queue manager.
    In,
}

/// A pipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipeDefinition {
    /// Its name.
    pub name: String,
    /// Its key.
    pub key: PipeKey,
    /// Its bridge.
    pub bridge: BridgeDefinition,
    /// The direction.
    pub direction: Direction,
    /// The queue that messages are taken from: here, or in the other system.
    pub source: ObjectName,
    /// The queue that they are put on; none where each message names its own.
    pub destination: Option<String>,
    /// The user that puts messages in place of the one of the process.
    pub put_as: Option<Text<12>>,
    /// True for SERVICE(HIGH).
    pub is_high: bool,
    /// Limits of a batch.
    pub limits: Limits,
    /// HANDLIDL; none for never.
    pub idle_max: Option<Duration>,
    /// The dead-letter queue; none where a pipe holds instead.
    pub dead_letters: Option<ObjectName>,
}

/// The definitions that a process serves, and those that it cannot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definitions {
    /// The pipes.
    pub pipes: Vec<PipeDefinition>,
    /// Pipes and bridges that cannot be served: their names, and why.
    pub faults: Vec<(String, String)>,
}

/// The bridges that a process serves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The group.
    pub group: String,
    /// These alone, where some are named; also such as start by command.
    pub bridges: Vec<String>,
}

impl Selection {
    fn takes(&self, bridge: &BridgeDefinition) -> bool {
        match self.bridges.as_slice() {
            [] => bridge.group == self.group && bridge.is_automatic,
            named => named.contains(&bridge.name),
        }
    }
}

/// Reads the definitions.
///
/// # Errors
/// Why they cannot be displayed.
pub fn read(door: &mut dyn Door, selection: &Selection) -> Result<Definitions, String> {
    let manager = door.display("DISPLAY QMGR QMID DEADQ")?;
    let bridges = door.display("DISPLAY BRIDGE(*) ALL")?;
    let pipes = door.display("DISPLAY PIPE(*) ALL")?;
    let manager = manager.first().ok_or("the queue manager displays nothing of itself")?;
    Ok(of_rows(manager, &bridges, &pipes, selection))
}

fn of_rows(manager: &Row, bridges: &[Row], pipes: &[Row], selection: &Selection) -> Definitions {
    let mut definitions = Definitions::default();
    let (mut chosen, mut known) = (Vec::new(), Vec::new());
    for row in bridges.iter().filter(|row| !value(row, "BRIDGE").starts_with(SYSTEM)) {
        known.push(value(row, "BRIDGE"));
        match bridge_of(row) {
            Ok(bridge) if selection.takes(&bridge) => chosen.push(bridge),
            Ok(_) => {}
            Err(why) => definitions.faults.push((format!("BRIDGE {}", value(row, "BRIDGE")), why)),
        }
    }
    for row in pipes.iter().filter(|row| !value(row, "PIPE").starts_with(SYSTEM)) {
        let fault = |why: String| (format!("PIPE {}", value(row, "PIPE")), why);
        let name = value(row, "BRIDGE");
        match chosen.iter().find(|bridge| bridge.name == name) {
            Some(bridge) => match pipe_of(row, manager, bridge) {
                Ok(pipe) => definitions.pipes.push(pipe),
                Err(why) => definitions.faults.push(fault(why)),
            },
            None if !known.contains(&name) => {
                definitions.faults.push(fault(format!("there is no BRIDGE {name}: define it")));
            }
            None => {}
        }
    }
    definitions
}

fn bridge_of(row: &Row) -> Result<BridgeDefinition, String> {
    let system = value(row, "SYSTEM");
    if system != "FERRY" {
        return Err(format!("this release has no driver for SYSTEM({system})"));
    }
    let addresses = Address::list(value(row, "CONNAME"));
    Ok(BridgeDefinition {
        name: value(row, "BRIDGE").to_owned(),
        addresses: addresses.map_err(|error: AddressError| format!("CONNAME: {error}"))?,
        cover: if value(row, "TLS") == "NO" { Cover::None } else { Cover::Required },
        channel: value(row, "CHANNEL").to_owned(),
        key_label: value(row, "CERTLABL").to_owned(),
        user: value(row, "USERID").to_owned(),
        has_password: !value(row, "PASSWORD").is_empty(),
        group: value(row, "GROUP").to_owned(),
        is_automatic: value(row, "CONTROL") == "AUTO",
    })
}

fn pipe_of(row: &Row, manager: &Row, bridge: &BridgeDefinition) -> Result<PipeDefinition, String> {
    let (direction, is_high) = match (value(row, "DIRECT"), value(row, "SERVICE")) {
        ("OUT", service @ ("NORMAL" | "HIGH")) => (Direction::Out, service == "HIGH"),
        ("IN", service @ ("NORMAL" | "HIGH")) => (Direction::In, service == "HIGH"),
        (direction, service) => {
            return Err(format!("this release does not serve DIRECT({direction}) SERVICE({service})"));
        }
    };
    let number = |keyword: &str| {
        value(row, keyword).parse::<u32>().map_err(|_| format!("{keyword}({})", value(row, keyword)))
    };
    let name = |keyword: &str, text: &str| -> Result<Option<ObjectName>, String> {
        let name = (!text.is_empty()).then(|| text.parse::<ObjectName>());
        name.transpose().map_err(|error| format!("{keyword}: {error}"))
    };
    let created: String = ["CRDATE", "CRTIME"].iter().map(|keyword| value(row, keyword)).collect();
    let created = created.chars().filter(char::is_ascii_digit).collect::<String>();
    let created = created.parse().map_err(|_| "it has no time of its definition".to_owned())?;
    let dead_letters = match value(row, "DEADQ") {
        "" => value(manager, "DEADQ"),
        own => own,
    };
    let uses_dead_letters = value(row, "USEDLQ") != "NO";
    let (here, there) = (value(row, "QUEUE"), value(row, "FOREIGN"));
    name("QUEUE", here)?.ok_or("QUEUE is blank")?;
    let (source, destination) = match direction {
        Direction::Out => (here, there),
        Direction::In => (there, here),
    };
    let source = name("the queue that messages are taken from", source)?;
    let idle = number("HANDLIDL")?;
    Ok(PipeDefinition {
        name: value(row, "PIPE").to_owned(),
        key: PipeKey::of(value(manager, "QMID"), value(row, "PIPE"), created, 0),
        bridge: bridge.clone(),
        direction,
        source: source.ok_or("FOREIGN is blank")?,
        put_as: Some(value(row, "MCAUSER")).filter(|user| !user.is_empty()).map(Text::truncated),
        destination: (destination != "*").then(|| destination.to_owned()),
        is_high,
        limits: Limits {
            messages_max: number("BATCHSZ")?,
            bytes_max: NonZeroU64::new(u64::from(number("BATCHLIM")?) * 1024),
            interval: Duration::from_millis(number("BATCHINT")?.into()),
            foreign_timeout: None,
            // Calls of this driver are made one after the other: a second batch would wait for the first.
            in_flight: 1,
        },
        idle_max: (idle > 0).then(|| Duration::from_secs(idle.into())),
        dead_letters: if uses_dead_letters { name("DEADQ", dead_letters)? } else { None },
    })
}

fn value<'r>(row: &'r Row, keyword: &str) -> &'r str {
    let value = row.iter().find(|(name, _)| name == keyword).map_or("", |(_, value)| value.trim());
    value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(value).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(values: &[(&str, &str)]) -> Row {
        values.iter().map(|(keyword, value)| ((*keyword).to_owned(), (*value).to_owned())).collect()
    }

    fn pipe(values: &[(&str, &str)]) -> Row {
        let all = [
            ("PIPE", "K1.OUT"),
            ("BRIDGE", "K1"),
            ("DIRECT", "OUT"),
            ("SERVICE", "NORMAL"),
            ("QUEUE", "K1"),
            ("FOREIGN", "*"),
            ("BATCHSZ", "10"),
            ("BATCHLIM", "0"),
            ("BATCHINT", "5"),
            ("HANDLIDL", "0"),
            ("CRDATE", "2026-11-30"),
            ("CRTIME", "12.00.00"),
            ("USEDLQ", "YES"),
        ];
        let given = |keyword: &str| values.iter().find(|(name, _)| *name == keyword).map(|(_, value)| *value);
        row(&all.map(|(keyword, value)| (keyword, given(keyword).unwrap_or(value))))
    }

    fn bridge(values: &[(&str, &str)]) -> Row {
        let all = [("BRIDGE", "K1"), ("SYSTEM", "FERRY"), ("CONNAME", "host(1414)"), ("CONTROL", "AUTO")];
        let mut row = row(&all);
        for (keyword, value) in values {
            row.retain(|(name, _)| name != keyword);
            row.push(((*keyword).to_owned(), (*value).to_owned()));
        }
        row
    }

    fn manager() -> Row {
        row(&[("QMID", "QM1_2026"), ("DEADQ", "DLQ")])
    }

    #[test]
    fn a_pipe_is_served_with_its_limits_and_the_dead_letter_queue_of_its_queue_manager() {
        let read = of_rows(&manager(), &[bridge(&[])], &[pipe(&[])], &Selection::default());
        assert_eq!(read.faults, []);
        let [pipe] = read.pipes.as_slice() else { panic!("{read:?}") };
        assert_eq!((pipe.source.as_str(), &pipe.destination, pipe.limits.messages_max), ("K1", &None, 10));
        assert_eq!((pipe.limits.bytes_max, pipe.idle_max), (None, None));
        assert_eq!(pipe.dead_letters.map(|queue| queue.to_string()), Some("DLQ".to_owned()));
        assert_eq!(pipe.key, PipeKey::of("QM1_2026", "K1.OUT", 20_261_130_120_000, 0));
    }

    #[test]
    fn a_pipe_in_takes_messages_from_the_queue_there_and_puts_them_on_the_one_here() {
        let inward = pipe(&[("DIRECT", "IN"), ("SERVICE", "HIGH"), ("FOREIGN", "THERE"), ("QUEUE", "HERE")]);
        let read = of_rows(&manager(), &[bridge(&[])], &[inward], &Selection::default());
        assert_eq!(read.faults, []);
        let [pipe] = read.pipes.as_slice() else { panic!("{read:?}") };
        assert_eq!((pipe.direction, pipe.is_high), (Direction::In, true));
        assert_eq!((pipe.source.as_str(), pipe.destination.as_deref()), ("THERE", Some("HERE")));
    }

    #[test]
    fn a_process_serves_its_group_or_the_bridges_that_it_is_told() {
        let bridges = [
            bridge(&[]),
            bridge(&[("BRIDGE", "K2"), ("GROUP", "night")]),
            bridge(&[("BRIDGE", "K3"), ("CONTROL", "MANUAL")]),
        ];
        let pipes = ["K1", "K2", "K3"].map(|name| pipe(&[("BRIDGE", name)]));
        for (group, named, expected) in [
            ("", &[][..], &["K1"][..]),
            ("night", &[], &["K2"]),
            ("", &["K3", "K2"], &["K2", "K3"]),
            ("day", &[], &[]),
        ] {
            let bridges_named = named.iter().map(|name| (*name).to_owned()).collect();
            let selection = Selection { group: group.to_owned(), bridges: bridges_named };
            let read = of_rows(&manager(), &bridges, &pipes, &selection);
            let served: Vec<&str> = read.pipes.iter().map(|pipe| pipe.bridge.name.as_str()).collect();
            assert_eq!((served, read.faults), (expected.to_vec(), Vec::new()), "{group} {named:?}");
        }
    }

    #[test]
    fn a_definition_that_cannot_be_served_says_why() {
        for (bridges, pipes, expected) in [
            (bridge(&[("SYSTEM", "KAFKA")]), pipe(&[]), "no driver for SYSTEM(KAFKA)"),
            (bridge(&[("CONNAME", "host(0)")]), pipe(&[]), "CONNAME"),
            (bridge(&[]), pipe(&[("DIRECT", "BOTH")]), "DIRECT(BOTH)"),
            (bridge(&[]), pipe(&[("DIRECT", "IN"), ("FOREIGN", "")]), "FOREIGN is blank"),
            (bridge(&[]), pipe(&[("DIRECT", "IN"), ("FOREIGN", "no queue")]), "taken from"),
            (bridge(&[]), pipe(&[("BRIDGE", "K9")]), "no BRIDGE K9"),
            (bridge(&[]), pipe(&[("QUEUE", "")]), "QUEUE is blank"),
            (
                bridge(&[]),
                pipe(&[("CRDATE", "")]).into_iter().filter(|(name, _)| name != "CRTIME").collect(),
                "time",
            ),
        ] {
            let read = of_rows(&manager(), &[bridges], &[pipes], &Selection::default());
            assert!(read.pipes.is_empty(), "{read:?}");
            assert!(read.faults.iter().any(|(_, why)| why.contains(expected)), "{expected}: {read:?}");
        }
    }
}
