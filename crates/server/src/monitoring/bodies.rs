//! The binary bodies of publications: the catalogue of the subscriptions to make, and the figures.

use mqi::ObjectName;
use mqi::constants::*;
use objects::pcf::{ByteOrder, Content, Header, Lengths, Message, Parameter};

use figures::{CLASSES, Class, Counting, Type};

use super::topics::{elements_topic, figures_topic, types_topic};

/// Placeholder of a queue's name in the topic string of its figures.
const QUEUE: &str = "%s";

/// The classes there are, and where the types of each are told.
pub(super) fn classes(root: &str) -> Vec<u8> {
    let groups = CLASSES.iter().enumerate().map(|(number, class)| {
        group(
            MQGACF_MONITOR_CLASS,
            vec![
                integer(MQIAMO_MONITOR_CLASS, number),
                Parameter::integer(MQIAMO_MONITOR_FLAGS, flags(class)),
                Parameter::text(MQCAMO_MONITOR_CLASS, class.name),
                Parameter::text(MQCAMO_MONITOR_DESC, class.description),
                Parameter::text(MQCA_TOPIC_STRING, types_topic(root, class)),
            ],
        )
    });
    body(groups.collect())
}

/// The types of a class, and where the elements of each are told.
pub(super) fn types(root: &str, number: usize, class: &Class) -> Vec<u8> {
    let groups = class.types.iter().enumerate().map(|(kind, of)| {
        group(
            MQGACF_MONITOR_TYPE,
            vec![
                integer(MQIAMO_MONITOR_TYPE, kind),
                Parameter::text(MQCAMO_MONITOR_TYPE, of.name),
                Parameter::text(MQCAMO_MONITOR_DESC, of.description),
                Parameter::text(MQCA_TOPIC_STRING, elements_topic(root, class, of)),
            ],
        )
    });
    let head =
        [integer(MQIAMO_MONITOR_CLASS, number), Parameter::integer(MQIAMO_MONITOR_FLAGS, flags(class))];
    body(head.into_iter().chain(groups).collect())
}

/// The elements of a type, and behind them where their figures are published: so the family writes it.
pub(super) fn elements(root: &str, (number, class): (usize, &Class), (kind, of): (usize, &Type)) -> Vec<u8> {
    let queue = (class.counting == Counting::Queue).then_some(QUEUE);
    let head = [integer(MQIAMO_MONITOR_CLASS, number), integer(MQIAMO_MONITOR_TYPE, kind)];
    let topic = Parameter::text(MQCA_TOPIC_STRING, figures_topic(root, class, queue, of));
    let described = of.elements.described().into_iter().enumerate();
    let groups = described.map(|(element, (description, unit, _))| {
        group(
            MQGACF_MONITOR_ELEMENT,
            vec![
                integer(MQIAMO_MONITOR_ELEMENT, element),
                Parameter::integer(MQIAMO_MONITOR_DATATYPE, unit.code()),
                Parameter::text(MQCAMO_MONITOR_DESC, description),
            ],
        )
    });
    body(head.into_iter().chain(groups).chain([topic]).collect())
}

/// The figures of a type, by its class's number and its own, in the order of its elements, for so many
/// microseconds.
pub(super) fn figures(
    manager: &str,
    queue: Option<ObjectName>,
    (number, kind): (usize, usize),
    micros: i64,
    figures: &[i64],
) -> Vec<u8> {
    let mut told = vec![Parameter::text(MQCA_Q_MGR_NAME, manager)];
    told.extend(queue.map(|name| Parameter::text(MQCA_Q_NAME, name.as_str())));
    told.push(integer(MQIAMO_MONITOR_CLASS, number));
    told.push(integer(MQIAMO_MONITOR_TYPE, kind));
    told.push(Parameter::new(MQIAMO64_MONITOR_INTERVAL, Content::Integer64(micros)));
    let elements = figures.iter().zip(0..);
    told.extend(elements.map(|(figure, element)| Parameter::new(element, Content::Integer64(*figure))));
    body(told)
}

fn flags(class: &Class) -> i32 {
    if class.counting == Counting::Queue { MQIAMO_MONITOR_FLAGS_OBJNAME } else { MQIAMO_MONITOR_FLAGS_NONE }
}

fn integer(identifier: i32, number: usize) -> Parameter {
    Parameter::integer(identifier, i32::try_from(number).unwrap_or(i32::MAX))
}

fn group(identifier: i32, parameters: Vec<Parameter>) -> Parameter {
    Parameter::new(identifier, Content::Group(parameters))
}

fn body(parameters: Vec<Parameter>) -> Vec<u8> {
    let header = Header { kind: MQCFT_STATISTICS, version: MQCFH_VERSION_3, ..Header::command(MQCMD_NONE) };
    Message { header, parameters }.encode_with(ByteOrder::NATIVE, Lengths::OfRecords)
}
