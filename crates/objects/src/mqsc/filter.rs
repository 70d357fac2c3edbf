//! WHERE(attribute operator value).

use crate::value::Value;

/// A condition on one attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The attribute's keyword.
    pub keyword: &'static str,
    /// How it is compared.
    pub operator: Operator,
    /// With what.
    pub operand: Value,
}

/// How WHERE compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// EQ.
    Equal,
    /// NE.
    NotEqual,
    /// LT.
    Less,
    /// GT.
    Greater,
    /// LE.
    LessOrEqual,
    /// GE.
    GreaterOrEqual,
    /// LK: like a text that may end in an asterisk.
    Like,
    /// NL: not like it.
    NotLike,
}

impl Operator {
    /// Every operator.
    pub const ALL: [Self; 8] = [
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::Greater,
        Self::LessOrEqual,
        Self::GreaterOrEqual,
        Self::Like,
        Self::NotLike,
    ];

    /// The operator's word.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Equal => "EQ",
            Self::NotEqual => "NE",
            Self::Less => "LT",
            Self::Greater => "GT",
            Self::LessOrEqual => "LE",
            Self::GreaterOrEqual => "GE",
            Self::Like => "LK",
            Self::NotLike => "NL",
        }
    }

    /// Whether it compares with a pattern.
    pub fn is_pattern(self) -> bool {
        matches!(self, Self::Like | Self::NotLike)
    }

    /// Whether it asks for an order, which words do not have.
    pub fn is_order(self) -> bool {
        matches!(self, Self::Less | Self::Greater | Self::LessOrEqual | Self::GreaterOrEqual)
    }
}

impl Filter {
    /// Whether a value satisfies the condition.
    pub fn matches(&self, value: &Value) -> bool {
        let like = || match (value, &self.operand) {
            (Value::Text(text), Value::Text(pattern)) => mqi::pattern::matches(pattern, text),
            _ => false,
        };
        match self.operator {
            Operator::Equal => *value == self.operand,
            Operator::NotEqual => *value != self.operand,
            Operator::Less => *value < self.operand,
            Operator::Greater => *value > self.operand,
            Operator::LessOrEqual => *value <= self.operand,
            Operator::GreaterOrEqual => *value >= self.operand,
            Operator::Like => like(),
            Operator::NotLike => !like(),
        }
    }
}
