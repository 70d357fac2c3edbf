//! The form of a row, and the way a table writes it down.

use mqi::ours::AMQP_NAME;
use std::fmt;

use crate::object_type::{ObjectType, ObjectTypes};
use crate::value::Value;

/// One attribute of one or more kinds of object.
#[derive(Debug)]
pub struct Attribute {
    /// The MQSC keyword, in capitals. For a switch, the word of its positive form.
    pub keyword: &'static str,
    /// Other spellings MQSC takes for it.
    pub synonyms: &'static [&'static str],
    /// Its identifier in MQINQ and PCF.
    pub identifier: Identifier,
    /// The objects that have it; none for rows of a status.
    pub applies_to: ObjectTypes,
    /// The values it takes, and their written form.
    pub kind: Kind,
    /// Its value when nothing else was said.
    pub default: Literal,
    /// The source of its value.
    pub access: Access,
    /// The queue manager acts on it, or does not yet.
    pub effect: Effect,
    /// Its value is a secret: the definition has the sign for one that is kept, never the text.
    pub is_secret: bool,
    /// Its meaning, in one line.
    pub meaning: &'static str,
}

/// The stable number of an attribute in a stored definition: the value of its selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(pub u16);

/// The name of an attribute in programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identifier {
    /// An MQIA_ or MQCA_ value: both the MQINQ selector and the PCF parameter.
    Selector(i32),
    /// An MQIACF_, MQCACF_, MQIACH_ or MQCACH_ value: a PCF parameter only.
    Pcf(i32),
}

/// The values an attribute takes, and their form in MQSC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `MAXDEPTH(5000)`: a number, or one of a few words that stand for numbers, mostly outside the range.
    Integer {
        /// The smallest number.
        minimum: i32,
        /// The largest number.
        maximum: i32,
        /// Words for special numbers, such as `NOLIMIT`.
        words: &'static [Word],
    },
    /// `DESCR('any text')`.
    Text {
        /// Most bytes of it.
        length_max: usize,
    },
    /// `BOQNAME(ORDERS.BACKOUT)`: the name of an object, which need not exist yet, or blank.
    Name {
        /// Most characters of it.
        length_max: usize,
    },
    /// `CORRELID(41424300…)`: bytes, in hexadecimal.
    Bytes {
        /// Bytes of the value.
        length: usize,
    },
    /// `SENDDATA('one','other')`: texts, none of them blank.
    Texts {
        /// Most bytes of each.
        length_max: usize,
        /// Most of them.
        count_max: usize,
    },
    /// `NAMES(ONE,OTHER)`: names of objects, which need not exist yet.
    Names {
        /// Most characters of each.
        length_max: usize,
        /// Most of them.
        count_max: usize,
    },
    /// `COMPMSG(ZLIBFAST,RLE)`: words in order of preference.
    Words {
        /// The words.
        words: &'static [Word],
        /// Most of them.
        count_max: usize,
    },
    /// `GET(ENABLED)`: one word of a few.
    Choice {
        /// The words.
        words: &'static [Word],
    },
    /// `SHARE` or `NOSHARE`: the word alone, without parentheses.
    Switch {
        /// The word with value 1.
        on: &'static str,
        /// The word with value 0.
        off: &'static str,
    },
}

/// A word and the number it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word, in capitals.
    pub text: &'static str,
    /// Its number in MQINQ and PCF.
    pub value: i32,
}

impl Word {
    /// Returns true if it shows that there is no number.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// A value as a table can write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A number, also for words and switches.
    Integer(i32),
    /// A text or name.
    Text(&'static str),
    /// Words of a list.
    Integers(&'static [i32]),
    /// No texts or names.
    NoTexts,
}

/// The source of an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The administrator, with DEFINE and ALTER.
    Alterable,
    /// The administrator, with DEFINE alone.
    Definable,
    /// The queue manager, when the object is made; kept with its definition.
    Stored,
    /// The queue manager; kept with the definition and never shown.
    Hidden,
    /// The queue manager; kept with the definition, and shown only by a question that names it.
    Asked,
    /// The queue manager of a cluster: no object here has a value. Shown only by a question that names it.
    Elsewhere,
    /// It follows from the rest of the definition.
    Derived(Derived),
    /// The running queue manager, at the moment of the question.
    Live,
}

/// The source of a derived attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derived {
    /// The object's name.
    Name,
    /// The object's type.
    Type,
    /// The day the object was defined.
    CreationDate,
    /// The time of day the object was defined.
    CreationTime,
    /// The day of the last change.
    AlterationDate,
    /// The time of day of the last change.
    AlterationTime,
    /// The number of names in the list.
    NameCount,
    /// The presence of a selector.
    SelectorType,
    /// It is the same for every object: the row's default.
    Constant,
}

/// The effect of an attribute on the queue manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Has its effect.
    Active,
    /// Kept, displayed and answered to MQINQ, but nothing depends on it yet.
    KeptOnly,
}

impl Attribute {
    /// Returns true if a stored definition carries this attribute.
    pub fn is_stored(&self) -> bool {
        self.is_settable() || matches!(self.access, Access::Stored | Access::Hidden | Access::Asked)
    }

    /// Returns true if an administrator gives it its value, at least with DEFINE.
    pub fn is_settable(&self) -> bool {
        matches!(self.access, Access::Alterable | Access::Definable)
    }

    /// Returns true if an object that is made like another has its value.
    pub fn is_given_on(&self) -> bool {
        let is_of_one_object = matches!(self.identifier, Identifier::Pcf(AMQP_NAME));
        self.is_settable() && !self.is_secret && !is_of_one_object
    }

    /// Returns true if its values are texts of any form, which are compared as texts.
    pub fn is_textual(&self) -> bool {
        matches!(self.kind, Kind::Text { .. } | Kind::Name { .. } | Kind::Bytes { .. })
    }

    /// Returns true if its value is a list.
    pub fn is_list(&self) -> bool {
        matches!(self.kind, Kind::Texts { .. } | Kind::Names { .. } | Kind::Words { .. })
    }

    /// The number by which MQINQ and PCF, or PCF alone, name it.
    pub fn identifier_number(&self) -> i32 {
        match self.identifier {
            Identifier::Selector(number) | Identifier::Pcf(number) => number,
        }
    }

    /// The attribute's number in stored definitions, if it has one.
    pub fn number(&self) -> Option<Number> {
        u16::try_from(self.identifier_number()).ok().map(Number)
    }

    /// The default as a value.
    pub fn default_value(&self) -> Value {
        match self.default {
            Literal::Integer(number) => Value::Integer(number),
            Literal::Text(text) => Value::from(text),
            Literal::Integers(numbers) => Value::Integers(numbers.into()),
            Literal::NoTexts => Value::Texts(Box::default()),
        }
    }

    /// Returns true if a word, in capitals, names this attribute.
    pub fn answers_to(&self, word: &str) -> bool {
        self.keyword == word
            || self.synonyms.contains(&word)
            || matches!(self.kind, Kind::Switch { on, off } if on == word || off == word)
    }

    /// The number that a word stands for here.
    pub fn word_value(&self, text: &str) -> Option<i32> {
        match self.kind {
            Kind::Integer { words, .. } | Kind::Choice { words } | Kind::Words { words, .. } => {
                words.iter().find(|word| word.text == text).map(|word| word.value)
            }
            Kind::Switch { on, off } => (text == on).then_some(1).or_else(|| (text == off).then_some(0)),
            _ => None,
        }
    }

    /// The word that stands for a number here.
    pub fn word_text(&self, value: i32) -> Option<&'static str> {
        match self.kind {
            Kind::Integer { words, .. } | Kind::Choice { words } | Kind::Words { words, .. } => {
                words.iter().find(|word| word.value == value).map(|word| word.text)
            }
            Kind::Switch { on, off } => Some(if value == 0 { off } else { on }),
            _ => None,
        }
    }
}

impl PartialEq for Attribute {
    fn eq(&self, other: &Self) -> bool {
        self.keyword == other.keyword
            && self.identifier == other.identifier
            && self.applies_to == other.applies_to
            && self.kind == other.kind
    }
}

impl Eq for Attribute {}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

/// Writes the rows of a table: a constructor for the kind, then departures from the usual. Usual is:
/// alterable, in effect, no synonyms.
impl Attribute {
    const fn new(keyword: &'static str, identifier: i32, kind: Kind, default: Literal) -> Self {
        Self {
            keyword,
            synonyms: &[],
            identifier: Identifier::Selector(identifier),
            applies_to: ObjectTypes::NONE,
            kind,
            default,
            access: Access::Alterable,
            effect: Effect::Active,
            is_secret: false,
            meaning: "",
        }
    }

    pub(super) const fn integer(
        keyword: &'static str,
        identifier: i32,
        (minimum, maximum): (i32, i32),
        default: i32,
    ) -> Self {
        let kind = Kind::Integer { minimum, maximum, words: &[] };
        Self::new(keyword, identifier, kind, Literal::Integer(default))
    }

    pub(super) const fn text(keyword: &'static str, identifier: i32, length_max: usize) -> Self {
        Self::new(keyword, identifier, Kind::Text { length_max }, Literal::Text(""))
    }

    /// A text that is kept apart from the definition (`secrets`).
    pub(super) const fn secret(keyword: &'static str, identifier: i32, length_max: usize) -> Self {
        let row = Self::text(keyword, identifier, length_max);
        Self { is_secret: true, ..row }
    }

    pub(super) const fn name(keyword: &'static str, identifier: i32, length_max: usize) -> Self {
        Self::new(keyword, identifier, Kind::Name { length_max }, Literal::Text(""))
    }

    pub(super) const fn bytes(
        keyword: &'static str,
        identifier: i32,
        length: usize,
        default: &'static str,
    ) -> Self {
        Self::new(keyword, identifier, Kind::Bytes { length }, Literal::Text(default))
    }

    pub(super) const fn texts(
        keyword: &'static str,
        identifier: i32,
        length_max: usize,
        count_max: usize,
    ) -> Self {
        Self::new(keyword, identifier, Kind::Texts { length_max, count_max }, Literal::NoTexts)
    }

    pub(super) const fn names(
        keyword: &'static str,
        identifier: i32,
        length_max: usize,
        count_max: usize,
    ) -> Self {
        Self::new(keyword, identifier, Kind::Names { length_max, count_max }, Literal::NoTexts)
    }

    pub(super) const fn words(
        keyword: &'static str,
        identifier: i32,
        (words, count_max): (&'static [Word], usize),
        default: &'static [i32],
    ) -> Self {
        Self::new(keyword, identifier, Kind::Words { words, count_max }, Literal::Integers(default))
    }

    pub(super) const fn choice(
        keyword: &'static str,
        identifier: i32,
        words: &'static [Word],
        default: i32,
    ) -> Self {
        Self::new(keyword, identifier, Kind::Choice { words }, Literal::Integer(default))
    }

    pub(super) const fn switch(on: &'static str, off: &'static str, identifier: i32, default: i32) -> Self {
        Self::new(on, identifier, Kind::Switch { on, off }, Literal::Integer(default))
    }

    pub(super) const fn on(mut self, object_types: &[ObjectType]) -> Self {
        self.applies_to = ObjectTypes::of(object_types);
        self
    }

    pub(super) const fn also(mut self, synonyms: &'static [&'static str]) -> Self {
        self.synonyms = synonyms;
        self
    }

    /// Words that stand for special numbers of an integer.
    pub(super) const fn or(mut self, special: &'static [Word]) -> Self {
        if let Kind::Integer { minimum, maximum, .. } = self.kind {
            self.kind = Kind::Integer { minimum, maximum, words: special };
        }
        self
    }

    pub(super) const fn default_text(mut self, text: &'static str) -> Self {
        self.default = Literal::Text(text);
        self
    }

    pub(super) const fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// DEFINE gives the value, and ALTER does not change it.
    pub(super) const fn definable(self) -> Self {
        self.access(Access::Definable)
    }

    pub(super) const fn live(self) -> Self {
        self.access(Access::Live)
    }

    pub(super) const fn derived(self, from: Derived) -> Self {
        self.access(Access::Derived(from))
    }

    /// The identifier is a PCF parameter that MQINQ does not know.
    pub(super) const fn pcf_only(mut self) -> Self {
        if let Identifier::Selector(identifier) = self.identifier {
            self.identifier = Identifier::Pcf(identifier);
        }
        self
    }

    pub(super) const fn kept_only(mut self) -> Self {
        self.effect = Effect::KeptOnly;
        self
    }

    pub(super) const fn means(mut self, meaning: &'static str) -> Self {
        self.meaning = meaning;
        self
    }
}

/// A word of a choice, as tables write it.
pub(super) const fn word(text: &'static str, value: i32) -> Word {
    Word { text, value }
}
