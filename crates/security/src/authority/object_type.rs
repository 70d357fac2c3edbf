//! The types of objects, by keyword and number, and the authorities that fit them.

use super::set::{Authority, Set};
use super::table::{ObjectType, ROWS, Row};
use mqi::constants;

impl ObjectType {
    /// Every type.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.object_type)
    }

    /// The type of a keyword, in letters of any case.
    #[must_use]
    pub fn by_keyword(keyword: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.keyword.eq_ignore_ascii_case(keyword)).map(|row| row.object_type)
    }

    /// The type of a number in commands in binary form.
    #[must_use]
    pub fn by_number(number: i32) -> Option<Self> {
        ROWS.iter().find(|row| row.number == number).map(|row| row.object_type)
    }

    /// The keyword of MQSC.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        self.row().keyword
    }

    /// The number in commands in binary form.
    #[must_use]
    pub fn number(self) -> i32 {
        self.row().number
    }

    /// Every authority that a record for the type can have.
    #[must_use]
    pub fn fitting(self) -> Set {
        self.row().mqi.with(self.row().administration)
    }

    /// The set that a keyword of AUTHADD stands for: one authority, `ALL`, `ALLADM`, `ALLMQI` or `NONE`; none
    /// for another word. The words for several leave CRT and SYSTEM out, which are given by name alone.
    #[must_use]
    pub fn named(self, keyword: &str) -> Option<Set> {
        let (mqi, administration) =
            (self.row().mqi.without(Set::SYSTEM), self.row().administration.without(Set::CRT));
        match keyword.to_ascii_uppercase().as_str() {
            "ALL" => Some(mqi.with(administration)),
            "ALLADM" => Some(administration),
            "ALLMQI" => Some(mqi),
            "NONE" => Some(Set::EMPTY),
            one => Authority::by_keyword(one).map(Authority::set),
        }
    }

    /// The set that a number in a command in binary form stands for: one authority, MQAUTH_ALL,
    /// MQAUTH_ALL_ADMIN, MQAUTH_ALL_MQI or MQAUTH_NONE; none for another number.
    #[must_use]
    pub fn numbered(self, number: i32) -> Option<Set> {
        match number {
            constants::MQAUTH_ALL => self.named("ALL"),
            constants::MQAUTH_ALL_ADMIN => self.named("ALLADM"),
            constants::MQAUTH_ALL_MQI => self.named("ALLMQI"),
            constants::MQAUTH_NONE => Some(Set::EMPTY),
            one => Authority::by_number(one).map(Authority::set),
        }
    }

    fn row(self) -> &'static Row {
        let row = &ROWS[self as usize];
        debug_assert_eq!(row.object_type, self, "rows stand in the order of their types");
        row
    }
}
