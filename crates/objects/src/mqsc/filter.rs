//! WHERE(attribute operator value).

use crate::value::Value;

/// A condition on one attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The attribute's keyword.
    pub keyword: &'static str,
    /// The comparison.
    pub operator: Operator,
    /// The other side of it.
    pub operand: Value,
}

/// The comparison of WHERE.
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
    /// CT: a list that has this entry.
    Contains,
    /// EX: a list that does not.
    Excludes,
    /// CTG: a list with an entry like a text that may end in an asterisk.
    ContainsLike,
    /// EXG: a list without such an entry.
    ExcludesLike,
}

impl Operator {
    /// Every operator.
    pub const ALL: [Self; 12] = [
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::Greater,
        Self::LessOrEqual,
        Self::GreaterOrEqual,
        Self::Like,
        Self::NotLike,
        Self::Contains,
        Self::Excludes,
        Self::ContainsLike,
        Self::ExcludesLike,
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
            Self::Contains => "CT",
            Self::Excludes => "EX",
            Self::ContainsLike => "CTG",
            Self::ExcludesLike => "EXG",
        }
    }

    /// Returns true if it compares with a pattern.
    pub fn is_pattern(self) -> bool {
        matches!(self, Self::Like | Self::NotLike | Self::ContainsLike | Self::ExcludesLike)
    }

    /// Returns true if it asks for an entry of a list.
    pub fn is_membership(self) -> bool {
        matches!(self, Self::Contains | Self::Excludes | Self::ContainsLike | Self::ExcludesLike)
    }

    /// Returns true if it asks for an order, which words do not have.
    pub fn is_order(self) -> bool {
        matches!(self, Self::Less | Self::Greater | Self::LessOrEqual | Self::GreaterOrEqual)
    }
}

impl Filter {
    /// Returns true if a value satisfies the condition.
    pub fn matches(&self, value: &Value) -> bool {
        let like = || match (value, &self.operand) {
            (Value::Text(text), Value::Text(pattern)) => mqi::pattern::matches(pattern, text),
            _ => false,
        };
        let contains = |is_entry: &dyn Fn(&str, &str) -> bool| match (value, &self.operand) {
            (Value::Texts(texts), Value::Text(wanted)) => texts.iter().any(|text| is_entry(wanted, text)),
            (Value::Integers(numbers), Value::Integer(wanted)) => numbers.contains(wanted),
            _ => false,
        };
        let is_same = |wanted: &str, text: &str| wanted == text;
        match self.operator {
            Operator::Contains => contains(&is_same),
            Operator::Excludes => !contains(&is_same),
            Operator::ContainsLike => contains(&mqi::pattern::matches),
            Operator::ExcludesLike => !contains(&mqi::pattern::matches),
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
