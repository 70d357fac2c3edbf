//! The program of a parsed selector: a list of steps on a stack, with jumps past values that are not needed;
//! and the identifier that every message it selects must have, by which an index finds messages.

use mqi::properties::{DescriptorField, Synonym, identifier};

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
    /// Pops the value of an identifier, pushes whether a text names it.
    Names { named: u16, negated: bool },
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

/// A text that an identifier is compared with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Named {
    pub(crate) text: String,
    /// The text of the 24 bytes that it stands for: those of an identifier without a text of its own.
    pub(crate) bytes: String,
}

impl Named {
    pub(crate) fn of(text: &str) -> Self {
        Self { text: text.to_owned(), bytes: identifier::text_of(&identifier::named(text)) }
    }
}

/// A selector, ready to be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Selector {
    pub(crate) text: String,
    pub(crate) steps: Vec<Step>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) names: Vec<Name>,
    pub(crate) named: Vec<Named>,
    pub(crate) sets: Vec<Vec<String>>,
    pub(crate) patterns: Vec<Pattern>,
    /// An identifier that every message must have, with its text.
    pub(crate) key: Option<Place>,
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

    /// Returns the texts that it compares identifiers with.
    pub fn identifiers(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|named| named.text.as_str())
    }

    /// Returns true if it names a property that is not in the descriptor: the message's properties must be at
    /// hand.
    #[must_use]
    pub fn needs_properties(&self) -> bool {
        self.names.iter().any(|name| !matches!(name, Name::Field(_)))
    }
}

/// An identifier by its name in JMS, and the texts of which it must be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<'a> {
    /// The identifier: of the message, or of its correlation.
    pub synonym: Synonym,
    /// The text that is asked for.
    pub text: &'a str,
    /// The text of the 24 bytes that it stands for.
    pub bytes: &'a str,
}

/// A name and a text that is compared with it.
pub(crate) type Place = (u16, u16);

/// The knowledge of an operand.
#[derive(Clone, Copy)]
enum Operand {
    /// The value of an identifier.
    Identifier(u16),
    /// Not true unless the identifier is the text.
    Asks(Place),
    Other,
}

/// Finds an identifier that every selected message has, with its text: an equality among what AND joins at
/// the top. The steps are followed once, with the knowledge of each operand in the place of its value.
pub(crate) fn find_key(program: &Selector) -> Option<Place> {
    let mut stack: Vec<Operand> = Vec::new();
    for step in &program.steps {
        let operand = match *step {
            // Its operands are on the stack whether they are skipped or not.
            Step::SkipIf { .. } => continue,
            Step::Constant(_) => Operand::Other,
            Step::Load(index) => match &program.names[usize::from(index)] {
                Name::Synonym(Synonym::CorrelationId | Synonym::MessageId) => Operand::Identifier(index),
                _ => Operand::Other,
            },
            Step::Names { named, negated: false } => match stack.pop()? {
                Operand::Identifier(name) => Operand::Asks((name, named)),
                _ => Operand::Other,
            },
            Step::And => match (stack.pop()?, stack.pop()?) {
                // The one on the left, which was pushed first.
                (_, Operand::Asks(place)) | (Operand::Asks(place), _) => Operand::Asks(place),
                _ => Operand::Other,
            },
            Step::Negate
            | Step::Not
            | Step::Names { negated: true, .. }
            | Step::In { .. }
            | Step::Like { .. }
            | Step::IsNull { .. } => {
                stack.pop()?;
                Operand::Other
            }
            Step::Arithmetic(_) | Step::Compare(_) | Step::Or => {
                stack.pop()?;
                stack.pop()?;
                Operand::Other
            }
            Step::Between { .. } => {
                stack.pop()?;
                stack.pop()?;
                stack.pop()?;
                Operand::Other
            }
        };
        stack.push(operand);
    }
    match stack.pop()? {
        Operand::Asks(place) => Some(place),
        _ => None,
    }
}

impl Selector {
    /// The identifier that a message must have to be selected; none where a selector does not ask for one, or
    /// may do without.
    #[must_use]
    pub fn key(&self) -> Option<Key<'_>> {
        let (name, named) = self.key?;
        let Name::Synonym(synonym) = self.names[usize::from(name)] else { return None };
        let Named { text, bytes } = &self.named[usize::from(named)];
        Some(Key { synonym, text, bytes })
    }
}
