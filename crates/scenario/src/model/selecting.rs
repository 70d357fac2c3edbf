//! Selectors, as far as the model reads them: comparisons of one name with one literal, joined by NOT, AND
//! and OR.
//!
//! A field that is unknown makes a comparison unknown, and a selector takes a message only when it is true.

use super::properties::Value;
use super::queue::Message;

/// A condition.
#[derive(Clone, Debug)]
pub(super) enum Selector {
    Compare { name: String, operator: Operator, literal: Value },
    IsNull { name: String, negated: bool },
    Not(Box<Self>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    Unequal,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
}

const OPERATORS: [(&str, Operator); 6] = [
    ("=", Operator::Equal),
    ("<>", Operator::Unequal),
    ("<", Operator::Less),
    (">", Operator::Greater),
    ("<=", Operator::LessOrEqual),
    (">=", Operator::GreaterOrEqual),
];

impl Selector {
    /// Reads a selector whose parts have blanks between them; none when it is more than the model knows.
    pub(super) fn read(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (selector, rest) = either(&words)?;
        rest.is_empty().then_some(selector)
    }

    /// True if it takes a message.
    pub(super) fn takes(&self, message: &Message) -> bool {
        self.judge(message) == Some(true)
    }

    fn judge(&self, message: &Message) -> Option<bool> {
        match self {
            Self::Compare { name, operator, literal } => {
                compare(&value_of(message, name)?, *operator, literal)
            }
            Self::IsNull { name, negated } => Some(value_of(message, name).is_none() != *negated),
            Self::Not(inner) => inner.judge(message).map(|truth| !truth),
            Self::And(one, other) => match (one.judge(message), other.judge(message)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Self::Or(one, other) => match (one.judge(message), other.judge(message)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
        }
    }
}

type Read<'a> = Option<(Selector, &'a [&'a str])>;

fn either<'a>(words: &'a [&'a str]) -> Read<'a> {
    let (one, rest) = both(words)?;
    match rest.split_first() {
        Some((&"OR", rest)) => {
            let (other, rest) = either(rest)?;
            Some((Selector::Or(Box::new(one), Box::new(other)), rest))
        }
        _ => Some((one, rest)),
    }
}

fn both<'a>(words: &'a [&'a str]) -> Read<'a> {
    let (one, rest) = single(words)?;
    match rest.split_first() {
        Some((&"AND", rest)) => {
            let (other, rest) = both(rest)?;
            Some((Selector::And(Box::new(one), Box::new(other)), rest))
        }
        _ => Some((one, rest)),
    }
}

fn single<'a>(words: &'a [&'a str]) -> Read<'a> {
    match words {
        ["NOT", rest @ ..] => single(rest).map(|(inner, rest)| (Selector::Not(Box::new(inner)), rest)),
        [name, "IS", "NULL", rest @ ..] => {
            Some((Selector::IsNull { name: known(name)?, negated: false }, rest))
        }
        [name, "IS", "NOT", "NULL", rest @ ..] => {
            Some((Selector::IsNull { name: known(name)?, negated: true }, rest))
        }
        [name, operator, literal, rest @ ..] => {
            let (_, operator) = OPERATORS.iter().find(|(written, _)| written == operator)?;
            let literal = match literal.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
                Some(text) => Value::Text(text.to_owned()),
                None if *literal == "TRUE" || *literal == "FALSE" => Value::Truth(*literal == "TRUE"),
                None => Value::Integer(literal.parse().ok()?),
            };
            let is_ordered = matches!(literal, Value::Integer(_));
            let is_order = !matches!(operator, Operator::Equal | Operator::Unequal);
            let comparison = Selector::Compare { name: known(name)?, operator: *operator, literal };
            (is_ordered || !is_order).then_some((comparison, rest))
        }
        _ => None,
    }
}

/// A name that the model has a value for.
fn known(name: &str) -> Option<String> {
    let is_property = name.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_field = ["Root.MQMD.Priority", "Root.MQMD.MsgType", "JMSPriority"].contains(&name);
    (is_property || is_field).then(|| name.to_owned())
}

fn value_of(message: &Message, name: &str) -> Option<Value> {
    match name {
        "Root.MQMD.Priority" | "JMSPriority" => Some(Value::Integer(message.priority)),
        "Root.MQMD.MsgType" => Some(Value::Integer(message.shown.message_type.code())),
        name => {
            message.properties.iter().find(|property| property.name == name).map(|found| found.value.clone())
        }
    }
}

fn compare(found: &Value, operator: Operator, literal: &Value) -> Option<bool> {
    let order = match (found, literal) {
        (Value::Text(one), Value::Text(other)) => one.cmp(other),
        (Value::Integer(one), Value::Integer(other)) => one.cmp(other),
        (Value::Truth(one), Value::Truth(other)) => one.cmp(other),
        // Values of kinds that are not alike compare as false.
        _ => return Some(false),
    };
    Some(match operator {
        Operator::Equal => order.is_eq(),
        Operator::Unequal => order.is_ne(),
        Operator::Less => order.is_lt(),
        Operator::Greater => order.is_gt(),
        Operator::LessOrEqual => order.is_le(),
        Operator::GreaterOrEqual => order.is_ge(),
    })
}
