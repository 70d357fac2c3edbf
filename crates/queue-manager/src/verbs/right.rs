//! The proof that a put was granted.

use mqi::OpenOptions;

use crate::authority::Granted;
use crate::connection::Handle;

/// Open options of MQPUT1: a program that may put may also give the context, since authority is judged at
/// open.
const OF_PUT1: OpenOptions = OpenOptions::OUTPUT
    .union(OpenOptions::SET_ALL_CONTEXT)
    .union(OpenOptions::SET_IDENTITY_CONTEXT)
    .union(OpenOptions::PASS_ALL_CONTEXT)
    .union(OpenOptions::PASS_IDENTITY_CONTEXT);

/// The proof that a put was granted: by the open, or by itself.
#[derive(Clone, Copy)]
pub(super) enum Right<'a> {
    Handle(&'a Handle),
    Name(&'a Granted<'a>),
}

impl Right<'_> {
    /// The options of the open. A put by name was judged by the options that it said itself.
    #[inline]
    pub(super) fn options(self) -> OpenOptions {
        match self {
            Self::Handle(handle) => handle.options,
            Self::Name(_) => OF_PUT1,
        }
    }

    /// True where the user that the program acts for was judged, and not its own.
    #[inline]
    pub(super) fn is_for_another(self) -> bool {
        match self {
            Self::Handle(handle) => handle.options.contains(OpenOptions::ALTERNATE_USER_AUTHORITY),
            Self::Name(granted) => granted.is_for_another(),
        }
    }

    /// True where puts are asynchronous without saying so.
    #[inline]
    pub(super) fn puts_asynchronously(self) -> bool {
        match self {
            Self::Handle(handle) => handle.puts_asynchronously,
            Self::Name(_) => false,
        }
    }
}
