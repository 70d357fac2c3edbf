//! Trace-route messages: a group that says how the message wants to be traced, and what was done with it.
//!
//! ```text
//! MQFMT_ADMIN          header, TraceRoute group, Activity groups
//! MQFMT_EMBEDDED_PCF   "EPH " | version 4 | length of this and of all groups 4 | encoding 4
//!                      | character set 4 | format 8 | flags 4 | header, TraceRoute group, Activity groups
//!                      | the program's own data
//! ```
//!
//! Always: a message that does not read as one is no trace-route message, and is left as it is.

use mqi::constants::*;

use super::structure::{ByteOrder, Content, Header, Message, Parameter};

/// Most bytes of a message that is read as a trace-route message: what 65 queue managers write is far less.
const TRACED_BYTES_MAX: usize = 1 << 20;

/// The formats, without the blanks behind them.
const ADMINISTRATION: &str = MQFMT_ADMIN.trim_ascii_end();
const EMBEDDED: &str = MQFMT_EMBEDDED_PCF.trim_ascii_end();

/// Bytes of MQEPH in front of the header of the message.
const IN_FRONT: usize = MQEPH_STRUC_LENGTH_FIXED - MQCFH_STRUC_LENGTH;

/// The wishes of a trace-route message, and its counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceRoute {
    /// An MQROUTE_DETAIL_ value.
    pub detail: i32,
    /// Activities that were written down.
    pub recorded: i32,
    /// Activities that were not.
    pub unrecorded: i32,
    /// Queue managers passed that know no trace-route messages.
    pub discontinuities: i32,
    /// Most activities; 0 for no limit.
    pub activities_max: i32,
    /// An MQROUTE_ACCUMULATE_ value.
    pub accumulate: i32,
    /// An MQROUTE_FORWARD_ value.
    pub forward: i32,
    /// An MQROUTE_DELIVER_ value.
    pub deliver: i32,
}

/// Fate of a trace-route message that is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceFate {
    /// It goes on like any message.
    Put,
    /// It is discarded, with this MQFB_ value.
    Discard(i32),
}

impl TraceRoute {
    /// The group.
    pub fn group(&self) -> Parameter {
        let fields = self.fields().map(|(identifier, value)| Parameter::integer(identifier, value));
        Parameter::new(MQGACF_TRACE_ROUTE, Content::Group(fields.into()))
    }

    fn fields(&self) -> [(i32, i32); 8] {
        [
            (MQIACF_ROUTE_DETAIL, self.detail),
            (MQIACF_RECORDED_ACTIVITIES, self.recorded),
            (MQIACF_UNRECORDED_ACTIVITIES, self.unrecorded),
            (MQIACF_DISCONTINUITY_COUNT, self.discontinuities),
            (MQIACF_MAX_ACTIVITIES, self.activities_max),
            (MQIACF_ROUTE_ACCUMULATION, self.accumulate),
            (MQIACF_ROUTE_FORWARDING, self.forward),
            (MQIACF_ROUTE_DELIVERY, self.deliver),
        ]
    }

    /// Reads the parameters of a group; none where one is missing or makes no sense.
    fn read(parameters: &[Parameter]) -> Option<Self> {
        let value = |identifier| {
            parameters.iter().find(|one| one.identifier == identifier).and_then(|one| match one.content {
                Content::Integer(value) => Some(value),
                _ => None,
            })
        };
        let count = |identifier| value(identifier).filter(|count| *count >= 0);
        Some(Self {
            detail: value(MQIACF_ROUTE_DETAIL)?,
            recorded: count(MQIACF_RECORDED_ACTIVITIES)?,
            unrecorded: count(MQIACF_UNRECORDED_ACTIVITIES)?,
            discontinuities: count(MQIACF_DISCONTINUITY_COUNT)?,
            activities_max: count(MQIACF_MAX_ACTIVITIES)?,
            accumulate: value(MQIACF_ROUTE_ACCUMULATION)?,
            forward: value(MQIACF_ROUTE_FORWARDING)?,
            deliver: value(MQIACF_ROUTE_DELIVERY)?,
        })
    }

    /// True when activities of queue managers are wanted.
    pub fn wants_channels(&self) -> bool {
        self.detail >= MQROUTE_DETAIL_MEDIUM
    }

    /// True when activities are written into the message.
    pub fn accumulates(&self) -> bool {
        matches!(self.accumulate, MQROUTE_ACCUMULATE_IN_MSG | MQROUTE_ACCUMULATE_AND_REPLY)
    }

    /// True when a reply is wanted at the end of the way.
    pub fn wants_reply(&self) -> bool {
        self.accumulate == MQROUTE_ACCUMULATE_AND_REPLY
    }

    /// Says what becomes of the message where it leaves for another queue manager, or does not.
    pub fn fate(&self, leaves: bool) -> TraceFate {
        let activities = self.recorded.saturating_add(self.unrecorded);
        if self.activities_max != MQROUTE_UNLIMITED_ACTIVITIES && activities > self.activities_max {
            return TraceFate::Discard(MQFB_MAX_ACTIVITIES);
        }
        let is_unknown =
            |value: i32, known: [i32; 2], mask: i32| !known.contains(&value) && value & mask != 0;
        if leaves {
            let known = [MQROUTE_FORWARD_ALL, MQROUTE_FORWARD_IF_SUPPORTED];
            let is_refused = is_unknown(self.forward, known, MQROUTE_FORWARD_REJ_UNSUP_MASK);
            return if is_refused { TraceFate::Discard(MQFB_UNSUPPORTED_FORWARDING) } else { TraceFate::Put };
        }
        let known = [MQROUTE_DELIVER_YES, MQROUTE_DELIVER_NO];
        if is_unknown(self.deliver, known, MQROUTE_DELIVER_REJ_UNSUP_MASK) {
            return TraceFate::Discard(MQFB_UNSUPPORTED_DELIVERY);
        }
        match self.deliver {
            MQROUTE_DELIVER_NO => TraceFate::Discard(MQFB_NOT_DELIVERED),
            _ => TraceFate::Put,
        }
    }
}

/// Everything in front of the header of an embedded message but its length, and the data behind its groups.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Embedding {
    front: [u8; IN_FRONT],
    data: Vec<u8>,
}

/// A trace-route message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// Its wishes and counters.
    pub route: TraceRoute,
    order: ByteOrder,
    embedding: Option<Embedding>,
    message: Message,
}

impl Traced {
    /// Returns true for the formats that a trace-route message has.
    #[inline]
    pub fn may_be(format: &[u8]) -> bool {
        format == ADMINISTRATION.as_bytes() || format == EMBEDDED.as_bytes()
    }

    /// Reads a message of one of these formats; none where it is no trace-route message.
    pub fn read(format: &str, encoding: i32, body: &[u8]) -> Option<Self> {
        if !Self::may_be(format.as_bytes()) || body.len() > TRACED_BYTES_MAX {
            return None;
        }
        let order = ByteOrder::of_encoding(encoding)?;
        let (embedding, groups) = if format == EMBEDDED {
            let (embedding, groups) = Embedding::read(body, order)?;
            (Some(embedding), groups)
        } else {
            (None, body)
        };
        // Of commands, which are many, no more than this is looked at.
        if number(groups, 0, order)? != MQCFT_TRACE_ROUTE {
            return None;
        }
        let message = Message::decode(groups, order).ok()?;
        if message.header.command != MQCMD_TRACE_ROUTE {
            return None;
        }
        let route = message.parameters.iter().find_map(|parameter| match &parameter.content {
            Content::Group(group) if parameter.identifier == MQGACF_TRACE_ROUTE => TraceRoute::read(group),
            _ => None,
        })?;
        Some(Self { route, order, embedding, message })
    }

    /// Notes an activity: written down in the message where that is asked for and `may` be, else counted.
    pub fn note(&mut self, activity: Parameter, may: bool, is_reported: bool) {
        let writes = may && self.route.wants_channels() && self.route.accumulates();
        if writes {
            self.message.parameters.push(activity);
        }
        let counter =
            if writes || is_reported { &mut self.route.recorded } else { &mut self.route.unrecorded };
        *counter = counter.saturating_add(1);
    }

    /// The groups of activities.
    pub fn activities(&self) -> impl Iterator<Item = &[Parameter]> {
        self.message.parameters.iter().filter_map(|parameter| match &parameter.content {
            Content::Group(group) if parameter.identifier == MQGACF_ACTIVITY => Some(group.as_slice()),
            _ => None,
        })
    }

    /// The body.
    pub fn encode(&self) -> Vec<u8> {
        let groups = self.told().encode(self.order);
        let Some(Embedding { front, data }) = &self.embedding else { return groups };
        let mut body = front.to_vec();
        let length = i32::try_from(IN_FRONT + groups.len()).unwrap_or(i32::MAX);
        body[8..12].copy_from_slice(&match self.order {
            ByteOrder::Big => length.to_be_bytes(),
            ByteOrder::Little => length.to_le_bytes(),
        });
        body.extend(groups);
        body.extend(data);
        body
    }

    /// The groups alone, as a reply has them.
    pub fn reply(&self) -> Vec<u8> {
        self.told().encode(ByteOrder::NATIVE)
    }

    /// The message with its counters as they are now.
    fn told(&self) -> Message {
        let mut message = self.message.clone();
        let fields = self.route.fields();
        for parameter in &mut message.parameters {
            if parameter.identifier != MQGACF_TRACE_ROUTE {
                continue;
            }
            // What a program added to the group stays.
            if let Content::Group(group) = &mut parameter.content {
                for one in group {
                    if let Some((_, value)) =
                        fields.iter().find(|(identifier, _)| *identifier == one.identifier)
                    {
                        one.content = Content::Integer(*value);
                    }
                }
            }
        }
        message
    }
}

impl Embedding {
    /// Takes an embedded message apart, from its front to the data behind it.
    fn read(body: &[u8], order: ByteOrder) -> Option<(Self, &[u8])> {
        let front: [u8; IN_FRONT] = body.get(..IN_FRONT)?.try_into().ok()?;
        if !front.starts_with(MQEPH_STRUC_ID.as_bytes()) || number(body, 1, order)? != MQEPH_VERSION_1 {
            return None;
        }
        let length = usize::try_from(number(body, 2, order)?).ok()?;
        let groups = body.get(IN_FRONT..length)?;
        Some((Self { front, data: body.get(length..)?.to_vec() }, groups))
    }
}

/// The n-th number of some bytes.
fn number(bytes: &[u8], place: usize, order: ByteOrder) -> Option<i32> {
    let bytes: [u8; 4] = bytes.get(4 * place..4 * place + 4)?.try_into().ok()?;
    Some(match order {
        ByteOrder::Big => i32::from_be_bytes(bytes),
        ByteOrder::Little => i32::from_le_bytes(bytes),
    })
}

/// An activity report, as the body of a message of format MQFMT_EMBEDDED_PCF.
pub fn activity_report(activity: Parameter, route: Option<&TraceRoute>) -> Vec<u8> {
    let mut header = Header::command(MQCMD_ACTIVITY_MSG);
    (header.kind, header.version) = (MQCFT_REPORT, MQCFH_VERSION_3);
    let parameters = std::iter::once(activity).chain(route.map(TraceRoute::group)).collect();
    let groups = Message { header, parameters }.encode(ByteOrder::NATIVE);
    let mut body = Vec::with_capacity(IN_FRONT + groups.len());
    body.extend(MQEPH_STRUC_ID.as_bytes());
    let length = i32::try_from(IN_FRONT + groups.len()).unwrap_or(i32::MAX);
    for number in [MQEPH_VERSION_1, length, 0, MQCCSI_UNDEFINED] {
        body.extend(number.to_ne_bytes());
    }
    body.extend([b' '; 8]);
    body.extend(MQEPH_NONE.to_ne_bytes());
    body.extend(groups);
    body
}

/// Reads the activities of an activity report.
///
/// # Errors
/// When it is none; the words say why.
pub fn read_activity_report(encoding: i32, body: &[u8]) -> Result<Message, String> {
    let order = ByteOrder::of_encoding(encoding).ok_or("its encoding is none")?;
    let (_, groups) = Embedding::read(body, order).ok_or("it has no header of embedded groups")?;
    let message = Message::decode(groups, order).map_err(|error| error.to_string())?;
    if message.header.command != MQCMD_ACTIVITY_MSG {
        return Err(format!("it is of command {} and no activity report", message.header.command));
    }
    Ok(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ROUTE: TraceRoute = TraceRoute {
        detail: MQROUTE_DETAIL_MEDIUM,
        recorded: 1,
        unrecorded: 0,
        discontinuities: 0,
        activities_max: 5,
        accumulate: MQROUTE_ACCUMULATE_AND_REPLY,
        forward: MQROUTE_FORWARD_ALL,
        deliver: MQROUTE_DELIVER_NO,
    };

    fn message(parameters: Vec<Parameter>) -> Message {
        let mut header = Header::command(MQCMD_TRACE_ROUTE);
        (header.kind, header.version) = (MQCFT_TRACE_ROUTE, MQCFH_VERSION_3);
        Message { header, parameters }
    }

    fn encoding(order: ByteOrder) -> i32 {
        match order {
            ByteOrder::Big => MQENC_INTEGER_NORMAL,
            ByteOrder::Little => MQENC_INTEGER_REVERSED,
        }
    }

    fn embedded(groups: &[u8], data: &[u8], order: ByteOrder) -> Vec<u8> {
        let numbers = [MQEPH_VERSION_1, (IN_FRONT + groups.len()) as i32, 546, 1208];
        let mut body = b"EPH ".to_vec();
        for number in numbers {
            body.extend(match order {
                ByteOrder::Big => number.to_be_bytes(),
                ByteOrder::Little => number.to_le_bytes(),
            });
        }
        body.extend(b"MQSTR   \0\0\0\0");
        body.extend(groups);
        body.extend(data);
        body
    }

    fn activity(name: &str) -> Parameter {
        let group = vec![Parameter::text(MQCACF_APPL_NAME, name)];
        Parameter::new(MQGACF_ACTIVITY, Content::Group(group))
    }

    #[test]
    fn activities_are_added_in_either_form_and_byte_order_and_the_data_behind_them_stays() {
        for order in [ByteOrder::Big, ByteOrder::Little] {
            let groups = message(vec![ROUTE.group(), activity("one")]).encode(order);
            let own = embedded(&groups, b"the program\'s own data", order);
            for (format, body, end) in
                [("MQADMIN", groups.clone(), &b""[..]), ("MQHEPCF", own, b"the program\'s own data")]
            {
                let mut traced = Traced::read(format, encoding(order), &body).unwrap();
                assert_eq!(traced.route, ROUTE);
                assert_eq!(traced.encode(), body, "what is not changed is the same");
                traced.note(activity("two"), true, false);
                traced.note(activity("three"), false, false);
                let again = Traced::read(format, encoding(order), &traced.encode()).unwrap();
                assert_eq!(
                    again,
                    Traced { route: TraceRoute { recorded: 2, unrecorded: 1, ..ROUTE }, ..again.clone() }
                );
                let names: Vec<_> = again.activities().map(|group| group[0].content.clone()).collect();
                assert_eq!(names, ["one", "two"].map(|name| Content::Text(name.to_owned())));
                assert!(traced.encode().ends_with(end));
            }
        }
    }

    #[test]
    fn what_is_no_trace_route_message_is_left_alone() {
        let order = ByteOrder::NATIVE;
        let good = message(vec![ROUTE.group()]).encode(order);
        let read = |format: &str, body: &[u8]| Traced::read(format, encoding(order), body);
        assert!(read("MQADMIN", &good).is_some());
        assert!(read("MQSTR", &good).is_none() && read("MQHEPCF", &good).is_none());
        assert!(Traced::read("MQADMIN", 0, &good).is_none(), "integers of no order");
        for length in 0..good.len() {
            assert!(read("MQADMIN", &good[..length]).is_none(), "cut at {length}");
        }
        let mut command = message(vec![ROUTE.group()]);
        command.header.kind = MQCFT_COMMAND;
        assert!(read("MQADMIN", &command.encode(order)).is_none());
        let mut other = message(vec![ROUTE.group()]);
        other.header.command = MQCMD_ACTIVITY_MSG;
        assert!(read("MQADMIN", &other.encode(order)).is_none());
        assert!(read("MQADMIN", &message(vec![activity("one")]).encode(order)).is_none(), "no group");
        let Content::Group(fields) = ROUTE.group().content else { unreachable!() };
        for missing in 0..fields.len() {
            let mut group = fields.clone();
            group.remove(missing);
            let group = Parameter::new(MQGACF_TRACE_ROUTE, Content::Group(group));
            assert!(read("MQADMIN", &message(vec![group]).encode(order)).is_none(), "without {missing}");
            let mut group = fields.clone();
            group[missing].content = Content::Text("8".into());
            let group = Parameter::new(MQGACF_TRACE_ROUTE, Content::Group(group));
            assert!(read("MQADMIN", &message(vec![group]).encode(order)).is_none(), "text for {missing}");
        }
        let negative = TraceRoute { recorded: -1, ..ROUTE };
        assert!(read("MQADMIN", &message(vec![negative.group()]).encode(order)).is_none());
        let own = embedded(&good, b"data", order);
        assert!(read("MQHEPCF", &own).is_some());
        for (at, byte) in [(0, b'X'), (4, 9), (8, 255), (8, 3)] {
            let mut wrong = own.clone();
            wrong[at] = byte;
            assert!(read("MQHEPCF", &wrong).is_none(), "{at}");
        }
        let long = embedded(&good, &vec![0; TRACED_BYTES_MAX], order);
        assert!(read("MQHEPCF", &long).is_none(), "it is longer than any that is traced");
    }

    #[test]
    fn each_wish_has_the_fate_that_the_interface_says() {
        let unknown_that_matters = 0x0010_0000;
        let unknown_that_does_not = 0x0000_0001;
        let put = TraceFate::Put;
        for (route, leaves, expected) in [
            (ROUTE, true, put),
            (ROUTE, false, TraceFate::Discard(MQFB_NOT_DELIVERED)),
            (TraceRoute { deliver: MQROUTE_DELIVER_YES, ..ROUTE }, false, put),
            (TraceRoute { deliver: unknown_that_does_not, ..ROUTE }, false, put),
            (
                TraceRoute { deliver: unknown_that_matters, ..ROUTE },
                false,
                TraceFate::Discard(MQFB_UNSUPPORTED_DELIVERY),
            ),
            (TraceRoute { deliver: unknown_that_matters, ..ROUTE }, true, put),
            (TraceRoute { forward: MQROUTE_FORWARD_IF_SUPPORTED, ..ROUTE }, true, put),
            (TraceRoute { forward: unknown_that_does_not, ..ROUTE }, true, put),
            (
                TraceRoute { forward: unknown_that_matters, ..ROUTE },
                true,
                TraceFate::Discard(MQFB_UNSUPPORTED_FORWARDING),
            ),
            (
                TraceRoute { recorded: 4, unrecorded: 2, ..ROUTE },
                true,
                TraceFate::Discard(MQFB_MAX_ACTIVITIES),
            ),
            (TraceRoute { recorded: 4, unrecorded: 1, ..ROUTE }, true, put),
            (TraceRoute { recorded: i32::MAX, unrecorded: 2, activities_max: 0, ..ROUTE }, true, put),
        ] {
            assert_eq!(route.fate(leaves), expected, "{route:?} {leaves}");
        }
    }

    #[test]
    fn activities_are_written_only_where_that_is_asked_for() {
        let order = ByteOrder::NATIVE;
        for (route, may, reported, expected) in [
            (ROUTE, true, false, (1, 2, 0)),
            (TraceRoute { accumulate: MQROUTE_ACCUMULATE_IN_MSG, ..ROUTE }, true, false, (1, 2, 0)),
            (TraceRoute { accumulate: MQROUTE_ACCUMULATE_NONE, ..ROUTE }, true, false, (0, 1, 1)),
            (TraceRoute { accumulate: MQROUTE_ACCUMULATE_NONE, ..ROUTE }, true, true, (0, 2, 0)),
            (TraceRoute { detail: MQROUTE_DETAIL_LOW, ..ROUTE }, true, false, (0, 1, 1)),
            (ROUTE, false, false, (0, 1, 1)),
        ] {
            let body = message(vec![route.group()]).encode(order);
            let mut traced = Traced::read("MQADMIN", encoding(order), &body).unwrap();
            traced.note(activity("one"), may, reported);
            let TraceRoute { recorded, unrecorded, .. } = traced.route;
            assert_eq!((traced.activities().count(), recorded, unrecorded), expected, "{route:?} {may}");
        }
    }

    #[test]
    fn an_activity_report_reads_back_and_other_bytes_are_refused() {
        let report = activity_report(activity("one"), Some(&ROUTE));
        let read = read_activity_report(encoding(ByteOrder::NATIVE), &report).unwrap();
        assert_eq!(read.parameters, [activity("one"), ROUTE.group()]);
        for length in 0..report.len() {
            assert!(
                read_activity_report(encoding(ByteOrder::NATIVE), &report[..length]).is_err(),
                "{length}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_left_alone(bytes in proptest::collection::vec(any::<u8>(), 0..200), order in 0..3) {
            for format in ["MQADMIN", "MQHEPCF"] {
                let _ = Traced::read(format, order * 17, &bytes);
                let mut framed = b"EPH \x01\0\0\0".to_vec();
                framed.extend(&bytes);
                let _ = Traced::read(format, 546, &framed);
            }
            let _ = read_activity_report(546, &bytes);
        }
    }
}
