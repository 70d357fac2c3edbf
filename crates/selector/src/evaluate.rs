//! Running a selector against a message, with three truth values.
//!
//! A comparison with nothing is unknown; a comparison with another type is false. Division by zero and whole
//! numbers that leave 64 bits are unknown: there is no value to compare.

use std::cmp::Ordering;

use mqi::properties::View;
use smallvec::SmallVec;

use crate::Message;
use crate::program::{Arithmetic, Comparison, Constant, Selector, Step};

/// The value of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// The condition holds.
    True,
    /// The condition does not hold.
    False,
    /// The condition cannot be decided.
    Unknown,
}

impl Truth {
    const fn of(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }

    /// Returns its negation.
    #[must_use]
    pub const fn not(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
        }
    }

    /// Returns the conjunction of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::False, _) | (_, Self::False) => Self::False,
            (Self::True, Self::True) => Self::True,
            _ => Self::Unknown,
        }
    }

    /// Returns the disjunction of both.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    fn negated_if(self, negated: bool) -> Self {
        if negated { self.not() } else { self }
    }
}

impl From<Truth> for View<'_> {
    fn from(truth: Truth) -> Self {
        match truth {
            Truth::True => Self::Boolean(true),
            Truth::False => Self::Boolean(false),
            Truth::Unknown => Self::Null,
        }
    }
}

/// The stack: most selectors need few places.
type Stack<'a> = SmallVec<[View<'a>; 8]>;

pub(crate) fn run<'a>(selector: &'a Selector, message: &Message<'a>) -> Truth {
    let mut stack: Stack<'a> = SmallVec::new();
    let mut next = 0;
    while let Some(step) = selector.steps.get(next) {
        next += 1;
        match *step {
            Step::Constant(index) => stack.push(view(&selector.constants[usize::from(index)])),
            Step::Load(index) => stack.push(message.value(&selector.names[usize::from(index)])),
            Step::Negate => {
                let operand = pop(&mut stack);
                stack.push(negative(&operand));
            }
            Step::Arithmetic(operation) => {
                let (right, left) = (pop(&mut stack), pop(&mut stack));
                stack.push(computed(operation, &left, &right));
            }
            Step::Compare(comparison) => {
                let (right, left) = (pop(&mut stack), pop(&mut stack));
                stack.push(compared(comparison, &left, &right).into());
            }
            Step::Between { negated } => {
                let (high, low, value) = (pop(&mut stack), pop(&mut stack), pop(&mut stack));
                let between =
                    if negated { outside(&value, &low, &high) } else { within(&value, &low, &high) };
                stack.push(between.into());
            }
            Step::Names { named, negated } => {
                let named = &selector.named[usize::from(named)];
                let is_named = match pop(&mut stack) {
                    View::Null => Truth::Unknown,
                    View::Text(text) => {
                        Truth::of(*text == named.text || *text == named.bytes).negated_if(negated)
                    }
                    _ => Truth::False,
                };
                stack.push(is_named.into());
            }
            Step::In { set, negated } => {
                let value = pop(&mut stack);
                stack.push(is_in(&value, &selector.sets[usize::from(set)], negated).into());
            }
            Step::Like { pattern, negated } => {
                let like = match pop(&mut stack) {
                    View::Null => Truth::Unknown,
                    View::Text(text) => {
                        let is_like = selector.patterns[usize::from(pattern)].matches(&text);
                        Truth::of(is_like).negated_if(negated)
                    }
                    _ => Truth::False,
                };
                stack.push(like.into());
            }
            Step::IsNull { negated } => {
                let is_null = pop(&mut stack) == View::Null;
                stack.push(View::Boolean(is_null != negated));
            }
            Step::Not => {
                let truth = truth_of(&pop(&mut stack)).not();
                stack.push(truth.into());
            }
            Step::And => {
                let (right, left) = (pop(&mut stack), pop(&mut stack));
                stack.push(truth_of(&left).and(truth_of(&right)).into());
            }
            Step::Or => {
                let (right, left) = (pop(&mut stack), pop(&mut stack));
                stack.push(truth_of(&left).or(truth_of(&right)).into());
            }
            Step::SkipIf { truth, to } => {
                if stack.last().is_some_and(|top| truth_of(top) == Truth::of(truth)) {
                    next = usize::from(to);
                }
            }
        }
    }
    truth_of(&pop(&mut stack))
}

fn pop<'a>(stack: &mut Stack<'a>) -> View<'a> {
    stack.pop().expect("the parser leaves every step its operands")
}

fn view(constant: &Constant) -> View<'_> {
    match constant {
        Constant::Boolean(value) => View::Boolean(*value),
        Constant::Exact(number) => View::Exact(*number),
        Constant::Approximate(number) => View::Approximate(*number),
        Constant::Text(text) => View::Text(text.into()),
        Constant::Bytes(bytes) => View::Bytes(bytes.into()),
    }
}

/// Returns the truth of a boolean; any other value is unknown.
fn truth_of(value: &View<'_>) -> Truth {
    match value {
        View::Boolean(value) => Truth::of(*value),
        _ => Truth::Unknown,
    }
}

fn negative(value: &View<'_>) -> View<'static> {
    match value {
        View::Exact(number) => number.checked_neg().map_or(View::Null, View::Exact),
        View::Approximate(number) => View::Approximate(-number),
        _ => View::Null,
    }
}

/// A computation with anything but numbers has no value.
fn computed(operation: Arithmetic, left: &View<'_>, right: &View<'_>) -> View<'static> {
    match (left, right) {
        (View::Exact(left), View::Exact(right)) => match operation {
            Arithmetic::Add => left.checked_add(*right),
            Arithmetic::Subtract => left.checked_sub(*right),
            Arithmetic::Multiply => left.checked_mul(*right),
            Arithmetic::Divide => left.checked_div(*right),
        }
        .map_or(View::Null, View::Exact),
        _ => match (number(left), number(right)) {
            (Some(left), Some(right)) => View::Approximate(match operation {
                Arithmetic::Add => left + right,
                Arithmetic::Subtract => left - right,
                Arithmetic::Multiply => left * right,
                Arithmetic::Divide if right == 0.0 => return View::Null,
                Arithmetic::Divide => left / right,
            }),
            _ => View::Null,
        },
    }
}

fn number(value: &View<'_>) -> Option<f64> {
    match value {
        View::Exact(number) => Some(*number as f64),
        View::Approximate(number) => Some(*number),
        _ => None,
    }
}

fn compared(comparison: Comparison, left: &View<'_>, right: &View<'_>) -> Truth {
    let equality = match (left, right) {
        (View::Null, _) | (_, View::Null) => return Truth::Unknown,
        (View::Text(left), View::Text(right)) => left == right,
        (View::Bytes(left), View::Bytes(right)) => left == right,
        (View::Boolean(left), View::Boolean(right)) => left == right,
        _ => return Truth::of(numbers_compare(comparison, left, right)),
    };
    match comparison {
        Comparison::Equal => Truth::of(equality),
        Comparison::NotEqual => Truth::of(!equality),
        // Only numbers have an order.
        _ => Truth::False,
    }
}

fn numbers_compare(comparison: Comparison, left: &View<'_>, right: &View<'_>) -> bool {
    let ordering = match (left, right) {
        (View::Exact(left), View::Exact(right)) => Some(left.cmp(right)),
        _ => match (number(left), number(right)) {
            (Some(left), Some(right)) => left.partial_cmp(&right),
            _ => return false,
        },
    };
    match comparison {
        Comparison::Equal => ordering == Some(Ordering::Equal),
        Comparison::NotEqual => ordering != Some(Ordering::Equal),
        Comparison::Less => ordering == Some(Ordering::Less),
        Comparison::LessOrEqual => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
        Comparison::Greater => ordering == Some(Ordering::Greater),
        Comparison::GreaterOrEqual => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
    }
}

fn within(value: &View<'_>, low: &View<'_>, high: &View<'_>) -> Truth {
    compared(Comparison::GreaterOrEqual, value, low).and(compared(Comparison::LessOrEqual, value, high))
}

/// Not the opposite of [`within`] where another type is compared: that is neither below nor above.
fn outside(value: &View<'_>, low: &View<'_>, high: &View<'_>) -> Truth {
    compared(Comparison::Less, value, low).or(compared(Comparison::Greater, value, high))
}

/// Tests membership in a set of texts. A value that is no text is neither in the set nor, as in every
/// comparison of other types, outside it.
fn is_in(value: &View<'_>, set: &[String], negated: bool) -> Truth {
    match value {
        View::Null => Truth::Unknown,
        View::Text(text) => {
            let is_in = set.binary_search_by(|member| member.as_str().cmp(text)).is_ok();
            Truth::of(is_in).negated_if(negated)
        }
        _ => Truth::False,
    }
}
