//! The program of a parsed selector: a list of steps on a stack, with jumps past values that are not needed.

use mqi::properties::{DescriptorField, Synonym};

use crate::error::Error;
use crate::like::Pattern;
use crate::{Message, Truth, evaluate, parser};

/// Most bytes a selector has (`MQ_SELECTOR_LENGTH`).
pub const LENGTH_MAX: usize = mqi::constants::MQ_SELECTOR_LENGTH;

/// Deepest nesting of parentheses, NOT and signs: more than people write, and it bounds the parser's stack.
pub const DEPTH_MAX: usize = 64;

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Pushes a constant.
    Constant(u16),
    /// Pushes the value of a name.
    Load(u16),
    /// Pops one, pushes its negative.
    Negate,
    /// Pops two numbers, pushes one.
    Arithmetic(Arithmetic),
    /// Pops two, pushes whether they compare so.
    Compare(Comparison),
    /// Pops three, pushes whether the first is between the others.
    Between { negated: bool },
    /// Pops one, pushes whether it is one of the texts.
    In { set: u16, negated: bool },
    /// Pops one, pushes whether it is like the pattern.
    Like { pattern: u16, negated: bool },
    /// Pops one, pushes whether there is no value.
    IsNull { negated: bool },
    /// Pops one truth, pushes its opposite.
    Not,
    /// Pops two truths, pushes whether both hold.
    And,
    /// Pops two truths, pushes whether one holds.
    Or,
    /// Goes on at the step when the truth on top is the one named, which stays there.
    SkipIf { truth: bool, to: u16 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A constant of a selector.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Constant {
    Boolean(bool),
    Exact(i64),
    Approximate(f64),
    Text(String),
    Bytes(Vec<u8>),
}

/// The meaning of a name, found out once.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Name {
    Field(DescriptorField),
    Synonym(Synonym),
    Property(String),
}

/// A selector, ready to be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Selector {
    pub(crate) text: String,
    pub(crate) steps: Vec<Step>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) names: Vec<Name>,
    pub(crate) sets: Vec<Vec<String>>,
    pub(crate) patterns: Vec<Pattern>,
}

impl Selector {
    /// Reads a selector.
    ///
    /// # Errors
    /// The fault and its place.
    pub fn parse(text: &str) -> Result<Self, Error> {
        parser::parse(text)
    }

    /// The text it was made from.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns true if a message is selected: a condition that is unknown selects none.
    #[must_use]
    pub fn matches<'a>(&'a self, message: &Message<'a>) -> bool {
        self.evaluate(message) == Truth::True
    }

    /// Returns the truth of the condition for a message.
    #[must_use]
    pub fn evaluate<'a>(&'a self, message: &Message<'a>) -> Truth {
        evaluate::run(self, message)
    }

    /// Returns true if it names a property that is not in the descriptor: the message's properties must be at
    /// hand.
    #[must_use]
    pub fn needs_properties(&self) -> bool {
        self.names.iter().any(|name| !matches!(name, Name::Field(_)))
    }
}
