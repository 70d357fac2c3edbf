//! MQINQ and MQSET on a definition, by the attribute tables.

use mqi::constants::*;
use mqi::{AttributeValue, Inquired, Reason, Selector};
use objects::attributes::{self, Access, Attribute, Kind};
use objects::{Definition, ObjectType, Value};

/// Attributes that MQSET may change.
const SETTABLE: &[i32] = &[
    MQIA_INHIBIT_GET,
    MQIA_INHIBIT_PUT,
    MQIA_DIST_LISTS,
    MQIA_TRIGGER_CONTROL,
    MQIA_TRIGGER_DEPTH,
    MQIA_TRIGGER_MSG_PRIORITY,
    MQIA_TRIGGER_TYPE,
    MQCA_TRIGGER_DATA,
];

/// Answers MQINQ. `live` knows the attributes that only the running queue manager has: CURDEPTH, IPPROCS,
/// OPPROCS.
pub fn inquire(
    definition: &Definition,
    selectors: &[Selector],
    live: impl Fn(Selector) -> Option<i32>,
) -> Result<Inquired, Reason> {
    let object_type = definition.object_type();
    let mut inquired = Inquired { values: Vec::with_capacity(selectors.len()), warning: None };
    for selector in selectors {
        let Some(row) = attributes::by_selector(object_type, selector.0) else {
            let row = of_another_queue(*selector, object_type).ok_or(Reason::SELECTOR_ERROR)?;
            inquired.warning = Some(Reason::SELECTOR_NOT_FOR_TYPE);
            inquired.values.push(not_applicable(row));
            continue;
        };
        let value = match definition.value(row) {
            Some(Value::Integer(number)) => AttributeValue::Integer(number),
            Some(Value::Text(text)) => AttributeValue::Text(text.into()),
            // The names of a namelist, one behind the other, each at full length.
            Some(Value::Texts(names)) => AttributeValue::Text(
                names.iter().map(|name| format!("{name:<width$}", width = MQ_OBJECT_NAME_LENGTH)).collect(),
            ),
            Some(Value::Integers(_)) => AttributeValue::Integer(MQIAV_UNDEFINED),
            None => AttributeValue::Integer(live(*selector).unwrap_or(MQIAV_UNDEFINED)),
        };
        inquired.values.push(value);
    }
    Ok(inquired)
}

/// Does MQSET to a definition; all of it or nothing.
pub fn set(definition: &mut Definition, values: &[(Selector, AttributeValue)]) -> Result<(), Reason> {
    let mut changed = definition.clone();
    for (selector, value) in values {
        let row = attributes::by_selector(definition.object_type(), selector.0)
            .filter(|row| row.access == Access::Alterable && SETTABLE.contains(&selector.0))
            .ok_or(Reason::SELECTOR_ERROR)?;
        let value = match value {
            AttributeValue::Integer(number) => Value::Integer(*number),
            AttributeValue::Text(text) => Value::from(text.as_str()),
        };
        changed.set(row, value).map_err(|_| value_error(*selector))?;
    }
    *definition = changed;
    Ok(())
}

/// The reason that says which attribute does not take the value.
fn value_error(selector: Selector) -> Reason {
    match selector.0 {
        MQIA_INHIBIT_GET | MQIA_INHIBIT_PUT => Reason::INHIBIT_VALUE_ERROR,
        MQIA_TRIGGER_CONTROL => Reason::TRIGGER_CONTROL_ERROR,
        MQIA_TRIGGER_DEPTH => Reason::TRIGGER_DEPTH_ERROR,
        MQIA_TRIGGER_MSG_PRIORITY => Reason::TRIGGER_MSG_PRIORITY_ERR,
        MQIA_TRIGGER_TYPE => Reason::TRIGGER_TYPE_ERROR,
        MQCA_TRIGGER_DATA => Reason::CHAR_ATTRS_ERROR,
        _ => Reason::SELECTOR_ERROR,
    }
}

/// The attribute of a selector that another type of queue has: for this one it is only out of place, where it
/// is an error for other objects.
fn of_another_queue(selector: Selector, object_type: ObjectType) -> Option<&'static Attribute> {
    ObjectType::all()
        .filter(|other| other.is_queue() && object_type.is_queue())
        .find_map(|other| attributes::by_selector(other, selector.0))
}

/// Returns the stand-in for a value that does not exist; for a text, asterisks over its full length.
fn not_applicable(row: &Attribute) -> AttributeValue {
    match row.kind {
        Kind::Text { length_max } | Kind::Name { length_max } | Kind::Names { length_max, .. } => {
            AttributeValue::Text("*".repeat(length_max))
        }
        _ => AttributeValue::Integer(MQIAV_NOT_APPLICABLE),
    }
}
