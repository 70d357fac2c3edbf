//! Selectors made at random, judged twice: by the crate from their text, and here from their tree, by the
//! rules of SQL as one would write them down.

use std::collections::BTreeMap;

use mqi::MessageDescriptor;
use mqi::properties::PropertyValue;
use proptest::prelude::*;
use selector::{Message, Selector, Truth};

#[derive(Clone, Debug)]
enum Value {
    Exact(i64),
    Approximate(f64),
    Text(String),
    Name(usize),
    Negative(Box<Self>),
    Computed(Box<Self>, char, Box<Self>),
}

#[derive(Clone, Debug)]
enum Condition {
    Truth(bool),
    Flag(usize),
    Compare(Value, &'static str, Value),
    Between(Value, bool, Value, Value),
    In(usize, bool, Vec<String>),
    Like(usize, bool, String),
    IsNull(usize, bool),
    Not(Box<Self>),
    Both(Box<Self>, Box<Self>),
    Either(Box<Self>, Box<Self>),
}

const NAMES: [&str; 6] = ["n0", "n1", "n2", "t0", "t1", "b0"];

type Values = [Option<PropertyValue>; 6];

/// A value of the model; no value at all is `None`.
#[derive(Clone, Debug, PartialEq)]
enum Known {
    Exact(i64),
    Approximate(f64),
    Text(String),
    Boolean(bool),
}

fn known(value: &Option<PropertyValue>) -> Option<Known> {
    match value.as_ref()? {
        PropertyValue::Int32(number) => Some(Known::Exact(i64::from(*number))),
        PropertyValue::Int64(number) => Some(Known::Exact(*number)),
        PropertyValue::Float64(number) => Some(Known::Approximate(*number)),
        PropertyValue::Text(text) => Some(Known::Text(text.clone())),
        PropertyValue::Boolean(value) => Some(Known::Boolean(*value)),
        _ => None,
    }
}

fn as_float(value: &Known) -> Option<f64> {
    match value {
        Known::Exact(number) => Some(*number as f64),
        Known::Approximate(number) => Some(*number),
        _ => None,
    }
}

impl Value {
    fn text(&self) -> String {
        match self {
            Self::Exact(number) => number.to_string(),
            Self::Approximate(number) => format!("{number:?}"),
            Self::Text(text) => format!("'{}'", text.replace('\'', "''")),
            Self::Name(index) => NAMES[*index].to_owned(),
            Self::Negative(value) => format!("-({})", value.text()),
            Self::Computed(left, operator, right) => format!("({} {operator} {})", left.text(), right.text()),
        }
    }

    fn of(&self, message: &Values) -> Option<Known> {
        match self {
            Self::Exact(number) => Some(Known::Exact(*number)),
            Self::Approximate(number) => Some(Known::Approximate(*number)),
            Self::Text(text) => Some(Known::Text(text.clone())),
            Self::Name(index) => known(&message[*index]),
            Self::Negative(value) => match value.of(message)? {
                Known::Exact(number) => number.checked_neg().map(Known::Exact),
                Known::Approximate(number) => Some(Known::Approximate(-number)),
                _ => None,
            },
            Self::Computed(left, operator, right) => {
                let (left, right) = (left.of(message)?, right.of(message)?);
                if let (Known::Exact(left), Known::Exact(right)) = (&left, &right) {
                    return match operator {
                        '+' => left.checked_add(*right),
                        '-' => left.checked_sub(*right),
                        '*' => left.checked_mul(*right),
                        _ => left.checked_div(*right),
                    }
                    .map(Known::Exact);
                }
                let (left, right) = (as_float(&left)?, as_float(&right)?);
                match operator {
                    '+' => Some(left + right),
                    '-' => Some(left - right),
                    '*' => Some(left * right),
                    _ => (right != 0.0).then(|| left / right),
                }
                .map(Known::Approximate)
            }
        }
    }
}

fn compare(left: Option<Known>, operator: &str, right: Option<Known>) -> Option<bool> {
    let (left, right) = (left?, right?);
    let answer = match (&left, &right) {
        (Known::Text(_), Known::Text(_)) | (Known::Boolean(_), Known::Boolean(_)) => match operator {
            "=" => left == right,
            "<>" => left != right,
            _ => false,
        },
        (Known::Exact(left), Known::Exact(right)) => judged(operator, left, right),
        _ => match (as_float(&left), as_float(&right)) {
            (Some(left), Some(right)) => judged(operator, &left, &right),
            _ => false,
        },
    };
    Some(answer)
}

fn judged<T: PartialOrd>(operator: &str, left: &T, right: &T) -> bool {
    match operator {
        "=" => left == right,
        "<>" => left != right,
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        _ => left >= right,
    }
}

/// LIKE by definition: every way to share the text out.
fn is_like(pattern: &[char], text: &[char]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some(('%', rest)) => (0..=text.len()).any(|end| is_like(rest, &text[end..])),
        Some(('_', rest)) => !text.is_empty() && is_like(rest, &text[1..]),
        Some((character, rest)) => text.first() == Some(character) && is_like(rest, &text[1..]),
    }
}

fn both(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn either(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    both(left.map(|truth| !truth), right.map(|truth| !truth)).map(|truth| !truth)
}

impl Condition {
    fn text(&self) -> String {
        let not = |negated: &bool| if *negated { "NOT " } else { "" };
        match self {
            Self::Truth(value) => value.to_string().to_uppercase(),
            Self::Flag(index) => NAMES[*index].to_owned(),
            Self::Compare(left, operator, right) => format!("{} {operator} {}", left.text(), right.text()),
            Self::Between(value, negated, low, high) => {
                format!("{} {}BETWEEN {} AND {}", value.text(), not(negated), low.text(), high.text())
            }
            Self::In(name, negated, set) => {
                let set: Vec<_> = set.iter().map(|text| Value::Text(text.clone()).text()).collect();
                format!("{} {}IN ({})", NAMES[*name], not(negated), set.join(", "))
            }
            Self::Like(name, negated, pattern) => {
                format!("{} {}LIKE '{pattern}'", NAMES[*name], not(negated))
            }
            Self::IsNull(name, negated) => format!("{} IS {}NULL", NAMES[*name], not(negated)),
            Self::Not(inner) => format!("NOT ({})", inner.text()),
            Self::Both(left, right) => format!("({}) AND ({})", left.text(), right.text()),
            Self::Either(left, right) => format!("({}) OR ({})", left.text(), right.text()),
        }
    }

    fn of(&self, message: &Values) -> Option<bool> {
        match self {
            Self::Truth(value) => Some(*value),
            Self::Flag(index) => match known(&message[*index]) {
                Some(Known::Boolean(value)) => Some(value),
                _ => None,
            },
            Self::Compare(left, operator, right) => compare(left.of(message), operator, right.of(message)),
            Self::Between(value, negated, low, high) => {
                let value = value.of(message);
                let (low, high) = (low.of(message), high.of(message));
                match negated {
                    false => both(compare(value.clone(), ">=", low), compare(value, "<=", high)),
                    true => either(compare(value.clone(), "<", low), compare(value, ">", high)),
                }
            }
            Self::In(name, negated, set) => match known(&message[*name])? {
                Known::Text(text) => Some(set.contains(&text) != *negated),
                _ => Some(false),
            },
            Self::Like(name, negated, pattern) => match known(&message[*name])? {
                Known::Text(text) => {
                    let pattern: Vec<_> = pattern.chars().collect();
                    let text: Vec<_> = text.chars().collect();
                    Some(is_like(&pattern, &text) != *negated)
                }
                _ => Some(false),
            },
            Self::IsNull(name, negated) => Some(message[*name].is_none() != *negated),
            Self::Not(inner) => inner.of(message).map(|truth| !truth),
            Self::Both(left, right) => both(left.of(message), right.of(message)),
            Self::Either(left, right) => either(left.of(message), right.of(message)),
        }
    }
}

fn number() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => (0..5i64).prop_map(Value::Exact),
        1 => Just(Value::Exact(i64::MAX)),
        2 => prop_oneof![Just(0.0), Just(0.5), Just(2.0), Just(1e300)].prop_map(Value::Approximate),
        4 => (0..3usize).prop_map(Value::Name),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|value| Value::Negative(Box::new(value))),
            (inner.clone(), prop::sample::select(vec!['+', '-', '*', '/']), inner).prop_map(
                |(left, operator, right)| Value::Computed(Box::new(left), operator, Box::new(right))
            ),
        ]
    })
}

fn short_text() -> impl Strategy<Value = String> {
    "[ab'é]{0,4}"
}

fn condition() -> impl Strategy<Value = Condition> {
    let operator = || prop::sample::select(vec!["=", "<>", "<", "<=", ">", ">="]);
    let equality = prop::sample::select(vec!["=", "<>"]);
    let text = prop_oneof![short_text().prop_map(Value::Text), (0..6usize).prop_map(Value::Name)];
    let leaf = prop_oneof![
        any::<bool>().prop_map(Condition::Truth),
        (0..6usize).prop_map(Condition::Flag),
        (number(), operator(), number())
            .prop_map(|(left, operator, right)| Condition::Compare(left, operator, right)),
        ((0..6usize).prop_map(Value::Name), equality, text)
            .prop_map(|(left, operator, right)| Condition::Compare(left, operator, right)),
        (number(), any::<bool>(), number(), number())
            .prop_map(|(value, negated, low, high)| Condition::Between(value, negated, low, high)),
        (0..6usize, any::<bool>(), prop::collection::vec(short_text(), 1..4))
            .prop_map(|(name, negated, set)| Condition::In(name, negated, set)),
        (0..6usize, any::<bool>(), "[ab%_é]{0,6}")
            .prop_map(|(name, negated, pattern)| Condition::Like(name, negated, pattern)),
        (0..6usize, any::<bool>()).prop_map(|(name, negated)| Condition::IsNull(name, negated)),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| Condition::Not(Box::new(inner))),
            (inner.clone(), inner.clone())
                .prop_map(|(left, right)| Condition::Both(Box::new(left), Box::new(right))),
            (inner.clone(), inner)
                .prop_map(|(left, right)| Condition::Either(Box::new(left), Box::new(right))),
        ]
    })
}

fn message() -> impl Strategy<Value = Values> {
    let number = || {
        prop::option::of(prop_oneof![
            (-3..5i32).prop_map(PropertyValue::Int32),
            (-3..5i64).prop_map(PropertyValue::Int64),
            prop_oneof![Just(0.5), Just(2.0), Just(-1.0)].prop_map(PropertyValue::Float64),
        ])
    };
    let text = || prop::option::of(short_text().prop_map(PropertyValue::Text));
    let flag = prop::option::of(any::<bool>().prop_map(PropertyValue::Boolean));
    (number(), number(), number(), text(), text(), flag)
        .prop_map(|(one, two, three, four, five, six)| [one, two, three, four, five, six])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_selector_says_what_its_tree_means(condition in condition(), message in message()) {
        let text = condition.text();
        let selector = Selector::parse(&text).map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
        let properties: BTreeMap<String, &PropertyValue> = NAMES
            .iter()
            .zip(&message)
            .filter_map(|(name, value)| value.as_ref().map(|value| (format!("usr.{name}"), value)))
            .collect();
        let descriptor = MessageDescriptor::default();
        let lookup = |name: &str| properties.get(name).copied();
        let found = selector.evaluate(&Message { descriptor: &descriptor, properties: &lookup });
        let expected = match condition.of(&message) {
            Some(true) => Truth::True,
            Some(false) => Truth::False,
            None => Truth::Unknown,
        };
        prop_assert_eq!(found, expected, "{}", text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[a-z0-9'\"()=<>+*/., %_-]{0,60}") {
        if let Err(error) = Selector::parse(&text) {
            prop_assert!(text.is_char_boundary(error.position));
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
