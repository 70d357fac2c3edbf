//! The types of attributes that a pattern can name.

/// A type of attribute, in the order in which types decide between patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AttributeType {
    /// The certificate's serial number, which is no attribute of its name.
    SerialNumber,
    /// The mail box.
    Mail,
    /// The mail address, as PKCS #9 has it.
    Email,
    /// The user identifier.
    UserId,
    /// The common name.
    CommonName,
    /// The title.
    Title,
    /// The unit of an organization; several, the highest first.
    OrganizationalUnit,
    /// A part of a domain's name; several, the highest first.
    DomainComponent,
    /// The organization.
    Organization,
    /// The street.
    Street,
    /// The locality.
    Locality,
    /// The state or province.
    State,
    /// The postal code.
    PostalCode,
    /// The country.
    Country,
    /// The name of a host.
    UnstructuredName,
    /// The address of a host.
    UnstructuredAddress,
    /// The qualifier of the name.
    Qualifier,
}

/// One type: the words for it, the first as it is printed, and its object identifier.
struct Row {
    attribute: AttributeType,
    words: &'static [&'static str],
    identifier: &'static str,
}

const fn row(attribute: AttributeType, words: &'static [&'static str], identifier: &'static str) -> Row {
    Row { attribute, words, identifier }
}

/// A row for each type, in their order. The serial number is the certificate's, so the attribute of a name
/// that is called `serialNumber` (2.5.4.5) is none of these.
static ROWS: [Row; 17] = [
    row(AttributeType::SerialNumber, &["SERIALNUMBER"], ""),
    row(AttributeType::Mail, &["MAIL"], "0.9.2342.19200300.100.1.3"),
    row(AttributeType::Email, &["E"], "1.2.840.113549.1.9.1"),
    row(AttributeType::UserId, &["UID", "USERID"], "0.9.2342.19200300.100.1.1"),
    row(AttributeType::CommonName, &["CN"], "2.5.4.3"),
    row(AttributeType::Title, &["T"], "2.5.4.12"),
    row(AttributeType::OrganizationalUnit, &["OU"], "2.5.4.11"),
    row(AttributeType::DomainComponent, &["DC"], "0.9.2342.19200300.100.1.25"),
    row(AttributeType::Organization, &["O"], "2.5.4.10"),
    row(AttributeType::Street, &["STREET"], "2.5.4.9"),
    row(AttributeType::Locality, &["L"], "2.5.4.7"),
    row(AttributeType::State, &["ST", "SP", "S"], "2.5.4.8"),
    row(AttributeType::PostalCode, &["PC"], "2.5.4.17"),
    row(AttributeType::Country, &["C"], "2.5.4.6"),
    row(AttributeType::UnstructuredName, &["UNSTRUCTUREDNAME"], "1.2.840.113549.1.9.2"),
    row(AttributeType::UnstructuredAddress, &["UNSTRUCTUREDADDRESS"], "1.2.840.113549.1.9.8"),
    row(AttributeType::Qualifier, &["DNQ"], "2.5.4.46"),
];

impl AttributeType {
    /// Every type, in the order in which types decide between patterns.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.attribute)
    }

    /// The type that a word stands for, in letters of any case.
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        let row = ROWS.iter().find(|row| row.words.iter().any(|own| own.eq_ignore_ascii_case(word)));
        row.map(|row| row.attribute)
    }

    /// The type of an attribute in a certificate, by its object identifier in figures and dots.
    #[must_use]
    pub fn by_identifier(identifier: &str) -> Option<Self> {
        let row = ROWS.iter().find(|row| !row.identifier.is_empty() && row.identifier == identifier);
        row.map(|row| row.attribute)
    }

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        ROWS[self as usize].words[0]
    }

    /// Tells if a name has several of it, in an order that matters.
    #[must_use]
    pub const fn repeats(self) -> bool {
        matches!(self, Self::OrganizationalUnit | Self::DomainComponent)
    }
}
