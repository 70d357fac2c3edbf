//! In which form a getter is given the properties of a message.
//!
//! A message keeps its properties where its putter's host placed them: in rules and formatting headers before
//! its body. Only this module decides the form in which a getter sees them, from its options, its message
//! handle if it names one, and PROPCTL of the object it opened.
//!
//! | option of the get | with a handle | without |
//! |---|---|---|
//! | none, PROPCTL(COMPAT) | in the handle | as put, when one is in `mcd`, `jms`, `usr` or a folder `mqext…`; otherwise none |
//! | none, PROPCTL(ALL) | in the handle | as headers |
//! | none, PROPCTL(NONE) | in the handle | none |
//! | none, PROPCTL(FORCE) | as headers | as headers |
//! | none, PROPCTL(V6COMPAT) | those set in a handle, in the handle | those that were put as headers |
//! | `PROPERTIES_IN_HANDLE` | in the handle | 2460 |
//! | `PROPERTIES_FORCE_MQRFH2` | as headers | as headers |
//! | `NO_PROPERTIES` | none | none |
//! | `PROPERTIES_COMPATIBILITY` | as PROPCTL(COMPAT) without | as PROPCTL(COMPAT) |
//!
//! Always: a message without such a header costs one comparison of its format; headers that cannot be read
//! stay where they are.

use bytes::Bytes;
use formats::headers::Place;
use formats::properties::{self, Glance, amqp, folder};
use mqi::{GetFlags, GetOptions, MessageDescriptor, MessageHandle, Reason, constants};
use objects::PropertyControl;

/// The form of the properties of one message for one getter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As headers before the body.
    Headers,
    /// Beside the message.
    InHandle,
    /// Not at all.
    Without,
    /// As headers when there is one that programs without handles know, otherwise not at all.
    Compatible,
    /// As headers when they were put so.
    AsPut,
    /// Beside the message those that were set in a handle, the others as they were put.
    AsSet,
    /// As the queue has them: for a link of AMQP.
    Kept,
}

/// Form of properties that a getter asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// None when PROPCTL of the queue decides.
    form: Option<Form>,
    has_handle: bool,
}

/// The options that say in which form.
const CHOICES: GetFlags = GetFlags::PROPERTIES_IN_HANDLE
    .union(GetFlags::PROPERTIES_FORCE_MQRFH2)
    .union(GetFlags::NO_PROPERTIES)
    .union(GetFlags::PROPERTIES_COMPATIBILITY);

/// Folders that programs without handles know, besides those that begin with `mqext`.
const KNOWN_FOLDERS: [&str; 3] = ["mcd", "jms", "usr"];

impl Asked {
    /// Reads the form from the options, and from PROPCTL of the alias that was opened, if it was not the
    /// queue itself.
    ///
    /// # Errors
    /// `MQRC_OPTIONS_ERROR` for several forms, `MQRC_HMSG_ERROR` for properties in a handle without one.
    pub fn of(options: &GetOptions, alias: Option<PropertyControl>) -> Result<Self, Reason> {
        let flags = options.flags & CHOICES;
        let has_handle = options.message_handle != MessageHandle::NONE;
        if !flags.is_empty() && !flags.bits().unsigned_abs().is_power_of_two() {
            return Err(Reason::OPTIONS_ERROR);
        }
        if flags.contains(GetFlags::PROPERTIES_IN_HANDLE) && !has_handle {
            return Err(Reason::HMSG_ERROR);
        }
        let form = match flags {
            GetFlags::PROPERTIES_FORCE_MQRFH2 => Some(Form::Headers),
            GetFlags::NO_PROPERTIES => Some(Form::Without),
            GetFlags::PROPERTIES_COMPATIBILITY => Some(Form::Compatible),
            GetFlags::PROPERTIES_IN_HANDLE => Some(Form::InHandle),
            _ => alias.map(|control| Form::by(control, has_handle)),
        };
        Ok(Self { form, has_handle })
    }

    /// The form for a link of AMQP.
    pub const KEPT: Self = Self { form: Some(Form::Kept), has_handle: false };

    /// The form for a message on a queue with this PROPCTL.
    #[inline]
    pub(crate) fn form(self, of_queue: PropertyControl) -> Form {
        self.form.unwrap_or_else(|| Form::by(of_queue, self.has_handle))
    }

    /// True if the getter names a message handle.
    pub(crate) const fn has_handle(self) -> bool {
        self.has_handle
    }
}

/// The formats of messages that may have properties.
const WITH_PROPERTIES: [&[u8]; 2] = [
    constants::MQFMT_RF_HEADER_2.as_bytes().trim_ascii_end(),
    amqp::kept::FORMAT.as_bytes().trim_ascii_end(),
];

/// True if a message may have properties at all.
#[inline]
pub fn may_have(descriptor: &MessageDescriptor) -> bool {
    WITH_PROPERTIES.contains(&descriptor.format.as_bytes())
}

/// Summary of the header of properties before a body, kept with the messages that share the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Front {
    /// Length of the header; no message is longer than that can say.
    length: u32,
    /// Description of the bytes behind it.
    pub(crate) following: Place,
    /// True if it has a folder that programs without handles know.
    is_known: bool,
}

impl Front {
    /// The summary of the header before a body; none where the full reader is needed.
    pub fn of(place: &Place, body: &[u8]) -> Option<Self> {
        let glance = Glance::of(place, body)?;
        if amqp::kept::is_kept(&glance.following) {
            return None;
        }
        let is_known = glance.folders().any(is_known);
        let length = u32::try_from(glance.length).ok()?;
        Some(Self { length, following: glance.following, is_known })
    }

    /// Length of the header.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.length as usize
    }

    /// True if a getter is not given the header in this form; never where the form asks for more than to
    /// leave it out.
    #[inline]
    pub(crate) fn is_left_out(&self, form: Form) -> bool {
        form == Form::Without || form == Form::Compatible && !self.is_known
    }
}

/// A body in the form its getter is given.
#[derive(Debug)]
pub(crate) struct Presented {
    pub(crate) place: Place,
    pub(crate) body: Bytes,
    /// The folders for the getter's handle; none when it is not filled.
    pub(crate) folders: Option<Vec<String>>,
}

/// Length of a body without its properties, which are not part of it.
pub fn data_length(place: &Place, body: &[u8]) -> usize {
    body.len() - properties::length(place, body).unwrap_or(0)
}

impl Form {
    /// The form that PROPCTL says for a getter.
    fn by(control: PropertyControl, has_handle: bool) -> Self {
        match (control, has_handle) {
            (PropertyControl::Force, _) | (PropertyControl::All, false) => Self::Headers,
            (PropertyControl::Version6, true) => Self::AsSet,
            (PropertyControl::Version6, false) => Self::AsPut,
            (_, true) => Self::InHandle,
            (PropertyControl::None, false) => Self::Without,
            (PropertyControl::Compatibility, false) => Self::Compatible,
        }
    }

    /// True if the getter's handle is filled.
    pub(crate) const fn fills_handle(self) -> bool {
        matches!(self, Self::InHandle | Self::AsSet)
    }

    /// A body in this form.
    pub(crate) fn present(self, place: &Place, body: &Bytes) -> Presented {
        let as_put = || Presented {
            place: *place,
            body: properties::without_origin(place, body),
            folders: self.fills_handle().then(Vec::new),
        };
        if self != Self::Kept
            && properties::has_kept_form(place, body)
            && let Ok((place, body)) = properties::without_kept_form(place, body)
        {
            return self.present(&place, &body);
        }
        if let (Self::Without | Self::Compatible, Some(front)) = (self, Front::of(place, body)) {
            return if front.is_left_out(self) {
                let body = body.slice(front.length()..);
                Presented { place: front.following, body, folders: None }
            } else {
                as_put()
            };
        }
        let taken_out = match self {
            Self::Headers | Self::Kept => return as_put(),
            Self::AsPut | Self::AsSet if !properties::is_by_handle(place, body) => return as_put(),
            Self::AsPut | Self::AsSet => properties::take_first(place, body),
            Self::InHandle | Self::Without | Self::Compatible => properties::take_out(place, body),
        };
        let Ok(parts) = taken_out else { return as_put() };
        if self == Self::Compatible && parts.folders.iter().any(|text| is_known(text)) {
            return as_put();
        }
        if !self.fills_handle() {
            return Presented { place: parts.place, body: parts.body, folders: None };
        }
        let Ok(parts) = properties::leave_unread(parts) else { return as_put() };
        let folders = Some(parts.folders);
        Presented { place: parts.place, body: parts.body, folders }
    }
}

fn is_known(text: &str) -> bool {
    folder::name(text).is_some_and(|name| KNOWN_FOLDERS.contains(&name) || name.starts_with("mqext"))
}

#[cfg(test)]
mod tests {
    use super::{Asked, Form};
    use bytes::Bytes;
    use formats::headers::Place;
    use formats::properties::{By, is_by_handle, put_before_as};
    use mqi::{GetFlags, GetOptions, MessageHandle, Reason};
    use objects::PropertyControl;

    fn form(flags: GetFlags, has_handle: bool, control: PropertyControl) -> Result<Form, Reason> {
        let message_handle = if has_handle { MessageHandle(1) } else { MessageHandle::NONE };
        let options = GetOptions { flags, message_handle, ..GetOptions::default() };
        let of_alias = Asked::of(&options, Some(control))?.form(PropertyControl::None);
        let of_queue = Asked::of(&options, None)?.form(control);
        assert_eq!(of_alias, of_queue);
        Ok(of_queue)
    }

    #[test]
    fn the_form_follows_options_handle_and_queue() {
        use PropertyControl::{All, Compatibility, Force, None, Version6};
        let (none, in_handle) = (GetFlags::EMPTY, GetFlags::PROPERTIES_IN_HANDLE);
        for (flags, has_handle, control, expected) in [
            (none, true, Compatibility, Ok(Form::InHandle)),
            (none, false, Compatibility, Ok(Form::Compatible)),
            (none, true, All, Ok(Form::InHandle)),
            (none, false, All, Ok(Form::Headers)),
            (none, true, None, Ok(Form::InHandle)),
            (none, false, None, Ok(Form::Without)),
            (none, true, Force, Ok(Form::Headers)),
            (none, false, Force, Ok(Form::Headers)),
            (none, true, Version6, Ok(Form::AsSet)),
            (none, false, Version6, Ok(Form::AsPut)),
            (in_handle, true, Force, Ok(Form::InHandle)),
            (in_handle, false, Force, Err(Reason::HMSG_ERROR)),
            (GetFlags::PROPERTIES_FORCE_MQRFH2, true, None, Ok(Form::Headers)),
            (GetFlags::NO_PROPERTIES, true, All, Ok(Form::Without)),
            (GetFlags::PROPERTIES_COMPATIBILITY, true, All, Ok(Form::Compatible)),
            (in_handle | GetFlags::NO_PROPERTIES, true, All, Err(Reason::OPTIONS_ERROR)),
        ] {
            assert_eq!(form(flags, has_handle, control), expected, "{flags:?} {has_handle} {control:?}");
        }
    }

    #[test]
    fn a_body_is_given_with_or_without_its_properties() {
        let data = Bytes::from_static(b"data");
        let place = Place { coded_character_set: 1208, ..Place::default() };
        let usr = || vec!["<usr><a>1</a></usr>".to_owned()];
        let own = || vec!["<shop content='properties'><a>1</a></shop>".to_owned()];
        for (folders, by, form, is_kept, in_handle) in [
            (usr(), By::Message, Form::Headers, true, None),
            (usr(), By::Message, Form::InHandle, false, Some(1)),
            (usr(), By::Message, Form::Without, false, None),
            (usr(), By::Message, Form::Compatible, true, None),
            (own(), By::Message, Form::Compatible, false, None),
            (usr(), By::Message, Form::AsPut, true, None),
            (usr(), By::Message, Form::AsSet, true, Some(0)),
            (usr(), By::Handle, Form::Headers, true, None),
            (usr(), By::Handle, Form::AsPut, false, None),
            (usr(), By::Handle, Form::AsSet, false, Some(1)),
        ] {
            let (outer, whole) = put_before_as(folders, by, &place, &data).expect("a header");
            let presented = form.present(&outer, &whole);
            let case = format!("{by:?} {form:?}");
            assert_eq!(presented.place, if is_kept { outer } else { place }, "{case}");
            assert_eq!(presented.body.len(), if is_kept { whole.len() } else { data.len() }, "{case}");
            assert_eq!(presented.folders.map(|folders| folders.len()), in_handle, "{case}");
            assert!(!is_by_handle(&presented.place, &presented.body), "no program sees how it came");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_read_stays_and_the_handle_is_told() {
        let data = Bytes::from_static(b"data");
        let place = Place { coded_character_set: 1208, ..Place::default() };
        for unread in ["<usr><a>1</b></usr>", "<jms><Dlv dt='i4'>x</Dlv></jms>", "<mcd><Msd>x</Msd>"] {
            let folders = vec!["<usr><good>1</good></usr>".to_owned(), unread.to_owned()];
            let (outer, whole) = put_before_as(folders, By::Message, &place, &data).expect("a header");
            let presented = Form::InHandle.present(&outer, &whole);
            let (header, body) =
                put_before_as(vec![unread.to_owned()], By::Message, &place, &data).expect("a header");
            assert_eq!((presented.place, presented.body), (header, body), "{unread}");
            assert_eq!(presented.folders.map(|folders| folders.len()), Some(2), "{unread}");
        }
    }

    #[test]
    fn a_header_that_cannot_be_read_stays() {
        let place = Place { format: mqi::Text::truncated("MQHRF2"), ..Place::default() };
        let body = Bytes::from_static(b"no header at all, but long enough to be one");
        for form in [Form::Headers, Form::InHandle, Form::Without, Form::Compatible, Form::AsPut, Form::AsSet]
        {
            let presented = form.present(&place, &body);
            assert_eq!((presented.place, presented.body), (place, body.clone()), "{form:?}");
        }
    }
}
