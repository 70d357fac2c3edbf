//! The grammar, from loosest to tightest.
//!
//! ```text
//! condition  = conjunct { OR conjunct }
//! conjunct   = term { AND term }
//! term       = NOT term | predicate
//! predicate  = sum [ compare sum | [NOT] BETWEEN sum AND sum | [NOT] IN ( text {, text} )
//!                  | [NOT] LIKE text [ESCAPE text] | IS [NOT] NULL ]
//! sum        = product { (+|-) product }
//! product    = factor { (*|/) factor }
//! factor     = (+|-) factor | constant | name | ( condition )
//! ```
//!
//! Steps are written as the words are read, operands before their operator, so there is no tree between.

use mqi::properties::name::{self, Meaning};
use mqi::properties::{DescriptorField, PropertyType};

use crate::error::{Error, Fault};
use crate::lexer::{Keyword, Kind, Lexer, Symbol, Word};
use crate::like::Pattern;
use crate::program::{
    Arithmetic, Comparison, Constant, DEPTH_MAX, LENGTH_MAX, Name, Named, Selector, Step, find_key,
};

pub(crate) fn parse(text: &str) -> Result<Selector, Error> {
    if text.len() > LENGTH_MAX {
        return Err(Error::new(text, 0, 0, Fault::TooLong(text.len())));
    }
    let mut lexer = Lexer::new(text);
    let word = lexer.next()?;
    let program = Selector {
        text: text.to_owned(),
        steps: Vec::new(),
        constants: Vec::new(),
        names: Vec::new(),
        named: Vec::new(),
        sets: Vec::new(),
        patterns: Vec::new(),
        key: None,
    };
    let mut parser = Parser { text, lexer, word, depth: 0, program };
    let whole = parser.condition()?;
    if parser.word.kind != Kind::End {
        return Err(parser.unexpected("AND, OR or the end of the selector"));
    }
    parser.must_be_truth(&whole)?;
    let mut program = parser.program;
    program.key = find_key(&program);
    Ok(program)
}

/// The type of an operand, as far as it is known without a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    /// A property: its type is that of the message at hand.
    Any,
    Number,
    Text,
    Bytes,
    Boolean,
    /// A condition that is not a plain truth value.
    Condition,
}

/// An operand whose steps have been written.
#[derive(Clone, Copy, Debug)]
struct Operand {
    kind: Type,
    /// Where its words begin and end in the text.
    position: usize,
    end: usize,
    /// The step, when it is a single name or constant.
    only: Option<Step>,
}

struct Parser<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    /// The word to be read next.
    word: Word,
    depth: usize,
    program: Selector,
}

impl Parser<'_> {
    fn condition(&mut self) -> Result<Operand, Error> {
        let left = self.conjunct()?;
        self.chain(left, Keyword::Or, Step::Or, true, Self::conjunct)
    }

    fn conjunct(&mut self) -> Result<Operand, Error> {
        let left = self.term()?;
        self.chain(left, Keyword::And, Step::And, false, Self::term)
    }

    /// `left` joined with all that follows by one word; a left side that settles the matter skips the right
    /// one.
    fn chain(
        &mut self,
        mut left: Operand,
        joint: Keyword,
        step: Step,
        settles: bool,
        next: fn(&mut Self) -> Result<Operand, Error>,
    ) -> Result<Operand, Error> {
        while self.take_keyword(joint)? {
            self.must_be_truth(&left)?;
            let skip = self.program.steps.len();
            self.emit(Step::SkipIf { truth: settles, to: 0 });
            let right = next(self)?;
            self.must_be_truth(&right)?;
            self.emit(step);
            let to = self.program.steps.len() as u16;
            self.program.steps[skip] = Step::SkipIf { truth: settles, to };
            left = Operand { kind: Type::Condition, end: right.end, only: None, ..left };
        }
        Ok(left)
    }

    fn term(&mut self) -> Result<Operand, Error> {
        let position = self.word.position;
        if !self.take_keyword(Keyword::Not)? {
            return self.predicate();
        }
        self.deeper()?;
        let operand = self.term()?;
        self.depth -= 1;
        self.must_be_truth(&operand)?;
        self.emit(Step::Not);
        Ok(Operand { kind: Type::Condition, position, only: None, ..operand })
    }

    fn predicate(&mut self) -> Result<Operand, Error> {
        let left = self.sum()?;
        if let Some(comparison) = self.comparison() {
            self.advance()?;
            return self.compare(left, comparison);
        }
        if self.take_keyword(Keyword::Is)? {
            let negated = self.take_keyword(Keyword::Not)?;
            if !self.take_keyword(Keyword::Null)? {
                return Err(self.unexpected("NULL after IS"));
            }
            self.must_be_name(&left, "IS NULL asks about a property: a name stands before it")?;
            return Ok(self.decided(left, Step::IsNull { negated }));
        }
        let negated = self.take_keyword(Keyword::Not)?;
        match self.word.kind {
            Kind::Keyword(Keyword::Between) => self.between(left, negated),
            Kind::Keyword(Keyword::In) => self.set(left, negated),
            Kind::Keyword(Keyword::Like) => self.like(left, negated),
            _ if negated => Err(self.unexpected("BETWEEN, IN or LIKE after NOT")),
            _ => Ok(left),
        }
    }

    fn compare(&mut self, left: Operand, comparison: Comparison) -> Result<Operand, Error> {
        let right = self.sum()?;
        let is_ordering = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        for operand in [&left, &right] {
            match operand.kind {
                Type::Condition => {
                    let why = "a condition is joined with AND and OR, not compared";
                    return Err(self.wrong_type(operand, why));
                }
                Type::Text | Type::Bytes | Type::Boolean if is_ordering => {
                    return Err(
                        self.wrong_type(operand, "only numbers have an order; others compare with = and <>")
                    );
                }
                _ => {}
            }
        }
        let whole = Operand { end: right.end, ..left };
        if let Some(text) = self.named(&left, &right).or_else(|| self.named(&right, &left))
            && !is_ordering
        {
            return Ok(self.names(whole, &text, comparison == Comparison::NotEqual));
        }
        self.adapt(&left, &right);
        self.adapt(&right, &left);
        Ok(self.decided(whole, Step::Compare(comparison)))
    }

    /// The text that an identifier beside it is compared with.
    fn named(&self, constant: &Operand, beside: &Operand) -> Option<String> {
        let Some(Step::Constant(index)) = constant.only.filter(|_| self.is_identifier(beside)) else {
            return None;
        };
        match &self.program.constants[usize::from(index)] {
            Constant::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// Compares an identifier with a text, both of which are the last steps.
    fn names(&mut self, whole: Operand, text: &str, negated: bool) -> Operand {
        let is_constant = |step: &Step| matches!(step, Step::Constant(_));
        let constant = self.program.steps.iter().rposition(is_constant);
        self.program.steps.remove(constant.expect("the text is a step"));
        let named = self.program.named.len() as u16;
        self.program.named.push(Named::of(text));
        self.decided(whole, Step::Names { named, negated })
    }

    /// Gives a constant the form that the field beside it needs: bytes of a hexadecimal number, a text
    /// without padding.
    fn adapt(&mut self, constant: &Operand, beside: &Operand) {
        let (Some(Step::Constant(index)), Some(Step::Load(name))) = (constant.only, beside.only) else {
            return;
        };
        let Name::Field(field) = &self.program.names[usize::from(name)] else { return };
        let kind = field.kind();
        let constant_value = &mut self.program.constants[usize::from(index)];
        match (kind, constant_value) {
            (PropertyType::Text, Constant::Text(text)) => text.truncate(text.trim_end_matches(' ').len()),
            (PropertyType::Bytes, value @ Constant::Exact(_)) => {
                let word = &self.text[constant.position..constant.end];
                let mut lexer = Lexer::new(word);
                if let Ok(Word { kind: Kind::Hexadecimal { bytes: Some(bytes), .. }, .. }) = lexer.next() {
                    *value = Constant::Bytes(bytes);
                }
            }
            _ => {}
        }
    }

    fn between(&mut self, value: Operand, negated: bool) -> Result<Operand, Error> {
        self.advance()?;
        let low = self.sum()?;
        if !self.take_keyword(Keyword::And)? {
            return Err(self.unexpected("AND between the bounds of BETWEEN"));
        }
        let high = self.sum()?;
        for operand in [&value, &low, &high] {
            self.must_be_number(operand, "BETWEEN compares numbers")?;
        }
        Ok(self.decided(Operand { end: high.end, ..value }, Step::Between { negated }))
    }

    fn set(&mut self, value: Operand, negated: bool) -> Result<Operand, Error> {
        self.must_be_name(&value, "IN asks about a property: a name stands before it")?;
        self.advance()?;
        self.take_symbol(Symbol::Open, "'(' after IN")?;
        let mut texts = Vec::new();
        loop {
            let text = self.take_text("a text in single quotes")?;
            texts.push(if self.is_padded(&value) { text.trim_end_matches(' ').to_owned() } else { text });
            if self.word.kind != Kind::Symbol(Symbol::Comma) {
                break;
            }
            self.advance()?;
        }
        let end = self.word.position + self.word.length;
        self.take_symbol(Symbol::Close, "',' or ')' in the list of IN")?;
        if self.is_identifier(&value) {
            let named: Vec<Named> = texts.iter().map(|text| Named::of(text)).collect();
            texts.extend(named.iter().map(|named| named.bytes.clone()));
            self.program.named.extend(named);
        }
        texts.sort_unstable();
        texts.dedup();
        let set = self.program.sets.len() as u16;
        self.program.sets.push(texts);
        Ok(self.decided(Operand { end, ..value }, Step::In { set, negated }))
    }

    fn is_identifier(&self, operand: &Operand) -> bool {
        let Some(Step::Load(name)) = operand.only else { return false };
        matches!(&self.program.names[usize::from(name)], Name::Synonym(synonym) if synonym.is_identifier())
    }

    fn is_padded(&self, operand: &Operand) -> bool {
        let Some(Step::Load(name)) = operand.only else { return false };
        matches!(&self.program.names[usize::from(name)], Name::Field(field) if is_text(*field))
    }

    fn like(&mut self, value: Operand, negated: bool) -> Result<Operand, Error> {
        self.must_be_name(&value, "LIKE asks about a property: a name stands before it")?;
        self.advance()?;
        let pattern_word = self.word.clone();
        let pattern = self.take_text("a pattern in single quotes after LIKE")?;
        let mut escape = None;
        let mut end = pattern_word.position + pattern_word.length;
        if self.take_keyword(Keyword::Escape)? {
            let word = self.word.clone();
            let text = self.take_text("one character in single quotes after ESCAPE")?;
            let mut characters = text.chars();
            escape = characters.next();
            if escape.is_none() || characters.next().is_some() {
                return Err(self.error_at(&word, Fault::Escape));
            }
            end = word.position + word.length;
        }
        let Some(pattern) = Pattern::parse(&pattern, escape) else {
            let fault = Fault::Type("in a pattern the escape character stands before %, _ or itself");
            return Err(self.error_at(&pattern_word, fault));
        };
        let index = self.program.patterns.len() as u16;
        self.program.patterns.push(pattern);
        Ok(self.decided(Operand { end, ..value }, Step::Like { pattern: index, negated }))
    }

    fn sum(&mut self) -> Result<Operand, Error> {
        let left = self.product()?;
        self.arithmetic(
            left,
            &[(Symbol::Plus, Arithmetic::Add), (Symbol::Minus, Arithmetic::Subtract)],
            Self::product,
        )
    }

    fn product(&mut self) -> Result<Operand, Error> {
        let left = self.factor()?;
        self.arithmetic(
            left,
            &[(Symbol::Times, Arithmetic::Multiply), (Symbol::Divide, Arithmetic::Divide)],
            Self::factor,
        )
    }

    fn arithmetic(
        &mut self,
        mut left: Operand,
        operators: &[(Symbol, Arithmetic)],
        next: fn(&mut Self) -> Result<Operand, Error>,
    ) -> Result<Operand, Error> {
        while let Some((_, operation)) =
            operators.iter().find(|(symbol, _)| self.word.kind == Kind::Symbol(*symbol))
        {
            self.advance()?;
            let right = next(self)?;
            for operand in [&left, &right] {
                self.must_be_number(operand, "+, -, * and / compute with numbers")?;
            }
            self.emit(Step::Arithmetic(*operation));
            left = Operand { kind: Type::Number, end: right.end, only: None, ..left };
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Operand, Error> {
        let word = self.word.clone();
        let (kind, constant) = match word.kind {
            Kind::Symbol(sign @ (Symbol::Plus | Symbol::Minus)) => return self.signed(&word, sign),
            Kind::Symbol(Symbol::Open) => return self.parenthesis(),
            Kind::Name => return self.name(),
            Kind::Keyword(Keyword::True) => (Type::Boolean, Constant::Boolean(true)),
            Kind::Keyword(Keyword::False) => (Type::Boolean, Constant::Boolean(false)),
            Kind::Text(text) => (Type::Text, Constant::Text(text)),
            Kind::Bytes(bytes) => (Type::Bytes, Constant::Bytes(bytes)),
            Kind::Exact(number) => (Type::Number, Constant::Exact(number)),
            Kind::Approximate(number) => (Type::Number, Constant::Approximate(number)),
            Kind::Hexadecimal { number: Some(number), .. } => (Type::Number, Constant::Exact(number)),
            // More digits than a number has: bytes, as those of an identifier.
            Kind::Hexadecimal { bytes: Some(bytes), .. } => (Type::Bytes, Constant::Bytes(bytes)),
            Kind::Hexadecimal { .. } => return Err(self.unexpected("bytes as pairs of hexadecimal digits")),
            Kind::Lowest => {
                let fault = Fault::Number("an exact number fits in 64 bits; with a point it is approximate");
                return Err(self.error_at(&self.word, fault));
            }
            Kind::Keyword(Keyword::Null) => return Err(self.unexpected("a value: NULL stands after IS")),
            _ => return Err(self.unexpected("a name, a value, NOT or '('")),
        };
        self.advance()?;
        Ok(self.constant(kind, constant, word.position, word.position + word.length))
    }

    fn signed(&mut self, word: &Word, sign: Symbol) -> Result<Operand, Error> {
        self.advance()?;
        if sign == Symbol::Minus && self.word.kind == Kind::Lowest {
            let end = self.word.position + self.word.length;
            self.advance()?;
            return Ok(self.constant(Type::Number, Constant::Exact(i64::MIN), word.position, end));
        }
        self.deeper()?;
        let operand = self.factor()?;
        self.depth -= 1;
        self.must_be_number(&operand, "a sign stands before a number")?;
        if sign == Symbol::Minus {
            self.emit(Step::Negate);
        }
        Ok(Operand { kind: Type::Number, position: word.position, only: None, ..operand })
    }

    fn parenthesis(&mut self) -> Result<Operand, Error> {
        let position = self.word.position;
        self.deeper()?;
        self.advance()?;
        let inner = self.condition()?;
        let end = self.word.position + self.word.length;
        self.take_symbol(Symbol::Close, "')'")?;
        self.depth -= 1;
        Ok(Operand { position, end, ..inner })
    }

    fn name(&mut self) -> Result<Operand, Error> {
        let word = self.word.clone();
        let text = &self.text[word.position..word.position + word.length];
        let is_content = |prefix: &str| text.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'));
        let name = match name::meaning(text) {
            Ok(Meaning::Field(field)) => Name::Field(field),
            Ok(Meaning::Synonym(synonym)) => Name::Synonym(synonym),
            Ok(Meaning::Property(name)) => Name::Property(name),
            Err(_) if is_content("Body") || (is_content("Root") && !text.starts_with("Root.MQMD.")) => {
                return Err(self.error_at(&word, Fault::Content));
            }
            Err(_) => return Err(self.error_at(&word, Fault::Name)),
        };
        let kind = match &name {
            Name::Property(_) => Type::Any,
            Name::Synonym(synonym) => match synonym.kind() {
                // It compares as the texts of JMS.
                PropertyType::Int32 if synonym.name() == "JMSDeliveryMode" => Type::Text,
                kind => type_of(kind),
            },
            Name::Field(field) => type_of(field.kind()),
        };
        let step = Step::Load(self.program.names.len() as u16);
        self.program.names.push(name);
        self.emit(step);
        self.advance()?;
        Ok(Operand { kind, position: word.position, end: word.position + word.length, only: Some(step) })
    }

    fn constant(&mut self, kind: Type, constant: Constant, position: usize, end: usize) -> Operand {
        let step = Step::Constant(self.program.constants.len() as u16);
        self.program.constants.push(constant);
        self.emit(step);
        Operand { kind, position, end, only: Some(step) }
    }

    fn decided(&mut self, operand: Operand, step: Step) -> Operand {
        self.emit(step);
        Operand { kind: Type::Condition, only: None, ..operand }
    }

    fn emit(&mut self, step: Step) {
        assert!(self.program.steps.len() < usize::from(u16::MAX), "a selector's length bounds its steps");
        self.program.steps.push(step);
    }

    fn comparison(&self) -> Option<Comparison> {
        match self.word.kind {
            Kind::Symbol(Symbol::Equal) => Some(Comparison::Equal),
            Kind::Symbol(Symbol::NotEqual) => Some(Comparison::NotEqual),
            Kind::Symbol(Symbol::Less) => Some(Comparison::Less),
            Kind::Symbol(Symbol::LessOrEqual) => Some(Comparison::LessOrEqual),
            Kind::Symbol(Symbol::Greater) => Some(Comparison::Greater),
            Kind::Symbol(Symbol::GreaterOrEqual) => Some(Comparison::GreaterOrEqual),
            _ => None,
        }
    }

    fn deeper(&mut self) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > DEPTH_MAX { Err(self.error_at(&self.word, Fault::TooDeep)) } else { Ok(()) }
    }

    fn advance(&mut self) -> Result<(), Error> {
        self.word = self.lexer.next()?;
        Ok(())
    }

    fn take_keyword(&mut self, keyword: Keyword) -> Result<bool, Error> {
        let is_there = self.word.kind == Kind::Keyword(keyword);
        if is_there {
            self.advance()?;
        }
        Ok(is_there)
    }

    fn take_symbol(&mut self, symbol: Symbol, expected: &'static str) -> Result<(), Error> {
        if self.word.kind == Kind::Symbol(symbol) { self.advance() } else { Err(self.unexpected(expected)) }
    }

    fn take_text(&mut self, expected: &'static str) -> Result<String, Error> {
        let Kind::Text(text) = &self.word.kind else { return Err(self.unexpected(expected)) };
        let text = text.clone();
        self.advance()?;
        Ok(text)
    }

    fn must_be_truth(&self, operand: &Operand) -> Result<(), Error> {
        match operand.kind {
            Type::Condition | Type::Boolean | Type::Any => Ok(()),
            _ => Err(self.wrong_type(operand, "this is a value where a condition is needed")),
        }
    }

    fn must_be_number(&self, operand: &Operand, why: &'static str) -> Result<(), Error> {
        match operand.kind {
            Type::Number | Type::Any => Ok(()),
            _ => Err(self.wrong_type(operand, why)),
        }
    }

    fn must_be_name(&self, operand: &Operand, why: &'static str) -> Result<(), Error> {
        match operand.only {
            Some(Step::Load(_)) => Ok(()),
            _ => Err(self.wrong_type(operand, why)),
        }
    }

    fn wrong_type(&self, operand: &Operand, why: &'static str) -> Error {
        Error::new(self.text, operand.position, operand.end - operand.position, Fault::Type(why))
    }

    fn unexpected(&self, expected: &'static str) -> Error {
        self.error_at(&self.word, Fault::Expected(expected))
    }

    fn error_at(&self, word: &Word, fault: Fault) -> Error {
        Error::new(self.text, word.position, word.length, fault)
    }
}

fn is_text(field: DescriptorField) -> bool {
    field.kind() == PropertyType::Text
}

fn type_of(kind: PropertyType) -> Type {
    match kind {
        PropertyType::Null => Type::Any,
        PropertyType::Boolean => Type::Boolean,
        PropertyType::Bytes => Type::Bytes,
        PropertyType::Text => Type::Text,
        _ => Type::Number,
    }
}
