//! The parameters of a program's message, as a command takes them one after the other.

use mqi::branch::BranchId;
use mqi::constants::*;
use mqi::{NamePattern, ObjectName};

use super::families::FamilyRow;
use super::structure::{Content, Parameter};
use crate::attributes::{self, Attribute, Kind, Subject};
use crate::mqsc::filter::Operator;
use crate::mqsc::name::{self, Names};
use crate::mqsc::setting::Setting;
use crate::object_type::{Family, ObjectType};
use crate::value::{Value, ValueError};

/// Why a message asks for nothing that can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// An MQRCCF_ value.
    pub reason: i32,
    /// The parameter that is wrong or missing.
    pub parameter: Option<i32>,
}

pub(crate) type Read<T> = Result<T, Refusal>;

pub(crate) fn refusal(reason: i32) -> Refusal {
    Refusal { reason, parameter: None }
}

pub(crate) fn missing(parameter: i32) -> Refusal {
    Refusal { reason: MQRCCF_PARM_MISSING, parameter: Some(parameter) }
}

pub(crate) fn wrong_value(parameter: i32) -> Refusal {
    Refusal { reason: MQRCCF_PARM_VALUE_ERROR, parameter: Some(parameter) }
}

/// The reason for a parameter that the command does not have, by the structure it came in.
pub(crate) fn unknown_parameter(parameter: &Parameter) -> Refusal {
    let reason = match parameter.content {
        Content::Integer(_) | Content::Integer64(_) => MQRCCF_CFIN_PARM_ID_ERROR,
        Content::Integers(_) | Content::Integers64(_) => MQRCCF_CFIL_PARM_ID_ERROR,
        Content::Text(_) => MQRCCF_CFST_PARM_ID_ERROR,
        Content::Texts(_) => MQRCCF_CFSL_PARM_ID_ERROR,
        Content::Bytes(_) => MQRCCF_CFBS_PARM_ID_ERROR,
        Content::IntegerFilter(..) => MQRCCF_CFIF_PARM_ID_ERROR,
        Content::TextFilter(..) => MQRCCF_CFSF_PARM_ID_ERROR,
        Content::BytesFilter(..) => MQRCCF_CFBF_PARM_ID_ERROR,
        Content::Group(_) => MQRCCF_CFGR_PARM_ID_ERROR,
    };
    Refusal { reason, parameter: Some(parameter.identifier) }
}

/// The parameters that were not looked at yet.
pub(crate) struct Parameters {
    pub(crate) rest: Vec<Parameter>,
}

impl Parameters {
    pub(crate) fn take(&mut self, identifier: i32) -> Option<Content> {
        let index = self.rest.iter().position(|parameter| parameter.identifier == identifier)?;
        Some(self.rest.remove(index).content)
    }

    pub(crate) fn integer(&mut self, identifier: i32) -> Read<Option<i32>> {
        match self.take(identifier) {
            None => Ok(None),
            Some(Content::Integer(value)) => Ok(Some(value)),
            Some(content) => Err(unknown_parameter(&Parameter { identifier, content })),
        }
    }

    pub(crate) fn text(&mut self, identifier: i32) -> Read<Option<String>> {
        match self.take(identifier) {
            None => Ok(None),
            Some(Content::Text(text)) => Ok(Some(text)),
            Some(content) => Err(unknown_parameter(&Parameter { identifier, content })),
        }
    }

    /// A switch such as MQIACF_REPLACE.
    pub(crate) fn is_said(&mut self, identifier: i32) -> Read<bool> {
        match self.integer(identifier)? {
            None | Some(0) => Ok(false),
            Some(1) => Ok(true),
            Some(_) => Err(wrong_value(identifier)),
        }
    }

    pub(crate) fn pattern(&mut self, identifier: i32) -> Read<NamePattern> {
        let text = self.text(identifier)?.ok_or_else(|| missing(identifier))?;
        text.parse().map_err(|_| wrong_value(identifier))
    }

    pub(crate) fn object_name(&mut self, identifier: i32) -> Read<ObjectName> {
        let text = self.text(identifier)?.ok_or_else(|| missing(identifier))?;
        match text.parse::<ObjectName>() {
            Ok(name) if !name.is_blank() => Ok(name),
            _ => Err(Refusal { reason: MQRCCF_OBJECT_NAME_ERROR, parameter: Some(identifier) }),
        }
    }

    /// Takes bytes that stand for any: zeros, however many.
    pub(crate) fn is_any(&mut self, identifier: i32) -> bool {
        let is_any = |parameter: &Parameter| {
            parameter.identifier == identifier
                && matches!(&parameter.content, Content::Bytes(bytes) if are_zeros(bytes))
        };
        let place = self.rest.iter().position(is_any);
        place.map(|place| self.rest.remove(place)).is_some()
    }

    /// The name of an object of a family, in this parameter.
    pub(crate) fn name(&mut self, family: Family, identifier: i32) -> Read<name::Name> {
        if family != Family::Subscription {
            return self.object_name(identifier).map(name::Name::Object);
        }
        // Zeros say nothing of the identifier where the name is given.
        let is_named = self.rest.iter().any(|parameter| parameter.identifier == identifier);
        if let Some(Content::Bytes(bytes)) = self.take(MQBACF_SUB_ID)
            && !(is_named && are_zeros(&bytes))
        {
            let digits = hexadecimal(&bytes).parse().map_err(|_| wrong_value(MQBACF_SUB_ID))?;
            return Ok(name::Name::SubscriptionIdentifier(digits));
        }
        let text = self.text(identifier)?.ok_or_else(|| missing(identifier))?;
        let is_name = !text.is_empty() && text.len() <= MQ_SUB_NAME_LENGTH;
        is_name
            .then(|| name::Name::Subscription(text.into()))
            .ok_or(Refusal { reason: MQRCCF_SUB_NAME_ERROR, parameter: Some(identifier) })
    }

    /// The name of an object that is to be made, which must be one that a command in text can have too.
    pub(crate) fn new_name(&mut self, object_type: ObjectType, identifier: i32) -> Read<name::Name> {
        let family = object_type.family();
        let name = self.name(family, identifier)?;
        let text = name.as_str();
        if text.len() <= object_type.name_length_max() && !text.chars().any(char::is_control) {
            return Ok(name);
        }
        let reason = match family {
            Family::Channel => MQRCCF_CHANNEL_NAME_ERROR,
            Family::Service => MQRCCF_SERVICE_NAME_ERROR,
            Family::Subscription => MQRCCF_SUB_NAME_ERROR,
            _ => MQRCCF_OBJECT_NAME_ERROR,
        };
        Err(Refusal { reason, parameter: Some(identifier) })
    }

    /// The type that a family's own parameter says; none for all types.
    pub(crate) fn subtype(&mut self, row: &FamilyRow) -> Read<Option<ObjectType>> {
        let Some((identifier, all)) = row.subtype else { return Ok(row.family.types().next()) };
        match self.integer(identifier)? {
            None => Ok(None),
            Some(value) if value == all => Ok(None),
            Some(value) => {
                let found = row.family.types().find(|found| found.subtype_value() == Some(value));
                found.map(Some).ok_or_else(|| wrong_type(row.family, identifier))
            }
        }
    }

    pub(crate) fn one_type(&mut self, row: &FamilyRow) -> Read<ObjectType> {
        let identifier = row.subtype.map_or(0, |(identifier, _)| identifier);
        self.subtype(row)?.ok_or_else(|| missing(identifier))
    }

    pub(crate) fn names(&mut self, family: Family) -> Read<Names> {
        let identifier = name_identifier(family);
        if family != Family::Subscription {
            return self.pattern(identifier).map(Names::Objects);
        }
        let is_named = self.rest.iter().any(|parameter| parameter.identifier == identifier);
        if !is_named && self.is_any(MQBACF_SUB_ID) {
            return Ok(Names::Subscriptions("*".into()));
        }
        match self.name(family, identifier)? {
            name::Name::SubscriptionIdentifier(digits) => Ok(Names::SubscriptionIdentifier(digits)),
            name => Ok(Names::Subscriptions(name.as_str().into())),
        }
    }

    /// All that is left, as attributes of an object.
    pub(crate) fn settings(&mut self, object_type: ObjectType) -> Read<Vec<Setting>> {
        let mut settings: Vec<Setting> = Vec::new();
        for parameter in std::mem::take(&mut self.rest) {
            let rows = || attributes::of(Subject::Object(object_type));
            let attribute = rows()
                .find(|row| row.is_settable() && row.identifier_number() == parameter.identifier)
                .ok_or_else(|| unknown_parameter(&parameter))?;
            if settings.iter().any(|earlier| earlier.attribute == attribute) {
                return Err(duplicate(&parameter));
            }
            let value = value(attribute, &parameter)?;
            value.check(attribute).map_err(|error| {
                let reason = match error {
                    ValueError::TooLong { .. } => MQRCCF_CFST_STRING_LENGTH_ERR,
                    _ => MQRCCF_ATTR_VALUE_ERROR,
                };
                Refusal { reason, parameter: Some(parameter.identifier) }
            })?;
            settings.push(Setting { attribute, value });
        }
        Ok(settings)
    }
}

/// The parameter that names objects of a family.
pub(crate) fn name_identifier(family: Family) -> i32 {
    let object_type = family.types().next().expect("a family has types");
    let row = attributes::of(Subject::Object(object_type)).next().expect("an object has a name");
    row.identifier_number()
}

fn value(attribute: &Attribute, parameter: &Parameter) -> Read<Value> {
    let texts = |texts: &[String]| {
        let texts = texts.iter().filter(|text| !text.is_empty());
        Value::Texts(texts.map(|text| text.as_str().into()).collect())
    };
    match (&parameter.content, attribute.kind) {
        (Content::Integer(value), Kind::Integer { .. } | Kind::Choice { .. } | Kind::Switch { .. }) => {
            Ok(Value::Integer(*value))
        }
        // Strengths that are combined come as a list.
        (Content::Integers(values), Kind::Choice { .. }) => {
            Ok(Value::Integer(values.iter().fold(0, |all, value| all | value)))
        }
        (Content::Integers(values), Kind::Words { .. }) => Ok(Value::Integers(values.as_slice().into())),
        (Content::Text(text), Kind::Text { .. } | Kind::Name { .. }) => Ok(Value::from(text.as_str())),
        (Content::Text(text), Kind::Texts { .. } | Kind::Names { .. }) => {
            Ok(texts(std::slice::from_ref(text)))
        }
        (Content::Texts(list), Kind::Texts { .. } | Kind::Names { .. }) => Ok(texts(list)),
        (Content::Bytes(bytes), Kind::Bytes { length }) => {
            let digits = hexadecimal(bytes);
            Ok(Value::from(format!("{digits:0<width$}", width = 2 * length).as_str()))
        }
        _ => Err(unknown_parameter(parameter)),
    }
}

fn duplicate(parameter: &Parameter) -> Refusal {
    let reason = match parameter.content {
        Content::Integer(_) | Content::Integer64(_) => MQRCCF_CFIN_DUPLICATE_PARM,
        Content::Texts(_) => MQRCCF_CFSL_DUPLICATE_PARM,
        Content::Bytes(_) => MQRCCF_CFBS_DUPLICATE_PARM,
        _ => MQRCCF_CFST_DUPLICATE_PARM,
    };
    Refusal { reason, parameter: Some(parameter.identifier) }
}

fn wrong_type(family: Family, parameter: i32) -> Refusal {
    let reason = match family {
        Family::Queue => MQRCCF_Q_TYPE_ERROR,
        Family::Channel => MQRCCF_CHANNEL_TYPE_ERROR,
        _ => MQRCCF_PARM_VALUE_ERROR,
    };
    Refusal { reason, parameter: Some(parameter) }
}

/// True for bytes that name nothing; none do not either.
fn are_zeros(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// Bytes of a message as the text that they are compared with. Texts that stand for bytes have a form of
/// their own: the end of a connection's identifier, the number of a unit of work, the identifier of a branch.
pub(crate) fn compared_text(row: &Attribute, bytes: &[u8]) -> String {
    let is_text = matches!(row.kind, Kind::Text { .. });
    let own = match row.identifier_number() {
        MQBACF_CONNECTION_ID if is_text => bytes.last_chunk::<8>().map(|end| hexadecimal(end)),
        MQBACF_Q_MGR_UOW_ID if is_text => unit_number(bytes),
        MQBACF_EXTERNAL_UOW_ID if is_text => branch_of(bytes).map(|branch| branch.to_string()),
        _ => None,
    };
    own.unwrap_or_else(|| hexadecimal(bytes))
}

/// The number of a unit of work: its two parts, four bytes the first, four or eight the second.
pub(crate) fn unit_number(bytes: &[u8]) -> Option<String> {
    let (epoch, counter) = bytes.split_first_chunk::<4>()?;
    let counter = match counter.len() {
        4 => u64::from(u32::from_be_bytes(counter.try_into().ok()?)),
        _ => u64::from_be_bytes(counter.try_into().ok()?),
    };
    Some(format!("{}.{counter}", u32::from_be_bytes(*epoch)))
}

/// The comparison of a condition.
pub(crate) fn operator_of(operator: i32) -> Option<Operator> {
    Some(match operator {
        MQCFOP_EQUAL => Operator::Equal,
        MQCFOP_NOT_EQUAL => Operator::NotEqual,
        MQCFOP_LESS => Operator::Less,
        MQCFOP_GREATER => Operator::Greater,
        MQCFOP_NOT_GREATER => Operator::LessOrEqual,
        MQCFOP_NOT_LESS => Operator::GreaterOrEqual,
        MQCFOP_LIKE => Operator::Like,
        MQCFOP_NOT_LIKE => Operator::NotLike,
        MQCFOP_CONTAINS => Operator::Contains,
        MQCFOP_EXCLUDES => Operator::Excludes,
        MQCFOP_CONTAINS_GEN => Operator::ContainsLike,
        MQCFOP_EXCLUDES_GEN => Operator::ExcludesLike,
        _ => return None,
    })
}

/// The identifier of a branch as answers have it: format and lengths of both parts, four bytes each, then
/// both.
pub(crate) fn branch_of(bytes: &[u8]) -> Option<BranchId> {
    let (format, rest) = bytes.split_first_chunk::<4>()?;
    let (global, rest) = rest.split_first_chunk::<4>()?;
    let (qualifier, parts) = rest.split_first_chunk::<4>()?;
    let length = |bytes: &[u8; 4]| usize::try_from(u32::from_be_bytes(*bytes)).ok();
    let (global, own) = parts.split_at_checked(length(global)?)?;
    let qualifier = Some(own).filter(|own| Some(own.len()) == length(qualifier))?;
    BranchId::new(i32::from_be_bytes(*format), global, qualifier).ok()
}
