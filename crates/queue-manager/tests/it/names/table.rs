//! Names of queues, with and without a queue manager: the object on which each asks rights, and its end.
//!
//! The table is made of two lists, each queue manager with each queue, and is run against the engine here and
//! over each protocol by the tests of `agents`.
//!
//! A second writing, like `security/facts/needs.csv`: it reads nothing of the product.

/// The objects that the names lead to.
pub(crate) const DEFINITIONS: &str = "DEFINE QLOCAL(PAY.IN)\nDEFINE QALIAS(BY.ALIAS) TARGET(PAY.IN)\n\
     DEFINE QLOCAL(XMIT) USAGE(XMITQ)\nDEFINE QLOCAL(OTHER) USAGE(XMITQ)\n\
     DEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)\nDEFINE TOPIC(TOP) TOPICSTR('top')\n\
     DEFINE QALIAS(BY.TOPIC) TARGET(TOP) TARGTYPE(TOPIC)\nDEFINE QALIAS(CROOKED) TARGET(BY.ALIAS)\n\
     DEFINE QALIAS(ASTRAY) TARGET(ABSENT)\nDEFINE QREMOTE(FAR) RNAME(THERE) RQMNAME(OTHER) XMITQ(XMIT)\n\
     DEFINE QREMOTE(SELFALIAS) RQMNAME(@OWN@)\nDEFINE QREMOTE(FARALIAS) RQMNAME(OTHER) XMITQ(XMIT)\n\
     DEFINE QREMOTE(HOLLOW)\nDEFINE QLOCAL(DEAD)\nALTER QMGR DEADQ(DEAD)";

/// The sign for the name of the queue manager that is tested.
pub(crate) const OWN: &str = "@OWN@";

/// The names of queue managers.
const MANAGERS: [(&str, Manager); 11] = [
    ("", Manager::Own),
    (OWN, Manager::Own),
    ("SELFALIAS", Manager::BehindOwn),
    ("OTHER", Manager::Another("OTHER", Ok("OTHER"))),
    ("FARALIAS", Manager::Another("OTHER", Ok("XMIT"))),
    ("NOWHERE", Manager::Another("NOWHERE", Err(2087))),
    ("FAR", Manager::Another("FAR", Err(2087))),
    ("HOLLOW", Manager::Another("HOLLOW", Err(2087))),
    ("TEMP", Manager::Another("TEMP", Err(2087))),
    ("PAY.IN", Manager::Another("PAY.IN", Err(2092))),
    ("BY.ALIAS", Manager::Another("BY.ALIAS", Err(2091))),
];

#[derive(Clone, Copy)]
enum Manager {
    Own,
    /// An alias for this queue manager.
    BehindOwn,
    /// Another, by the name that rights are asked on; the transmission queue, or why there is none.
    Another(&'static str, Result<&'static str, i32>),
}

/// The names of queues, and the end of a put there: by the name alone, and behind an alias of the queue
/// manager.
const QUEUES: [(&str, Kind, End, End); 9] = [
    ("PAY.IN", Kind::Queue, Ok(Some("PAY.IN")), Ok(Some("PAY.IN"))),
    ("BY.ALIAS", Kind::Queue, Ok(Some("PAY.IN")), Ok(Some("PAY.IN"))),
    ("FAR", Kind::Queue, Ok(Some("XMIT")), Ok(Some("XMIT"))),
    ("XMIT", Kind::Transmission, Ok(Some("XMIT")), Ok(Some("XMIT"))),
    ("TEMP", Kind::Model, Ok(None), Err(2001)),
    ("BY.TOPIC", Kind::Topic, Ok(None), Err(2001)),
    ("ABSENT", Kind::Queue, Err(2085), Err(2085)),
    ("CROOKED", Kind::Queue, Err(2001), Err(2001)),
    ("ASTRAY", Kind::Queue, Err(2082), Err(2082)),
];

/// The kinds of queue that differ in the rights that they need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Queue,
    /// A put needs SETALL on it and on the queue manager, and no PUT.
    Transmission,
    /// A put needs DSP as well.
    Model,
    /// A put needs PUB on the topic as well.
    Topic,
    /// A queue of another queue manager.
    Elsewhere,
}

/// The queue that a message is on, where there is one to look at; else the reason.
pub(crate) type End = Result<Option<&'static str>, i32>;

/// One name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    /// ObjectQMgrName.
    pub(crate) manager: &'static str,
    /// ObjectName.
    pub(crate) queue: &'static str,
    /// The type and the name of the record that counts.
    pub(crate) judged: (&'static str, &'static str),
    /// Its kind.
    pub(crate) kind: Kind,
    /// The end of a put by this name.
    pub(crate) put: End,
}

/// Every queue manager with every queue.
pub(crate) fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for (manager, of) in MANAGERS {
        for (queue, kind, end, behind) in QUEUES {
            let (judged, kind, put) = match of {
                Manager::Own => (("QUEUE", queue), kind, end),
                Manager::BehindOwn => (("QUEUE", queue), kind, behind),
                Manager::Another(name, end) => (("RQMNAME", name), Kind::Elsewhere, end.map(Some)),
            };
            cells.push(Cell { manager, queue, judged, kind, put });
        }
    }
    cells
}

/// Every name of a record that a cell could be judged by, with its type.
pub(crate) fn records() -> Vec<(&'static str, &'static str)> {
    let names = || MANAGERS.iter().map(|(name, _)| *name).chain(QUEUES.iter().map(|(name, ..)| *name));
    let mut records: Vec<_> = names().map(|name| ("QUEUE", name)).collect();
    records.extend(names().chain(["THERE"]).map(|name| ("RQMNAME", name)));
    records.extend([("QUEUE", "DEAD"), ("QUEUE", "THERE"), ("TOPIC", "TOP")]);
    records.retain(|(_, name)| !name.is_empty());
    records.sort_unstable();
    records.dedup();
    records
}

impl Kind {
    /// The rights on the object that a put needs.
    pub(crate) fn to_put(self) -> &'static str {
        match self {
            Self::Queue | Self::Elsewhere | Self::Topic => "PUT",
            Self::Transmission => "SETALL",
            Self::Model => "PUT,DSP",
        }
    }
}
