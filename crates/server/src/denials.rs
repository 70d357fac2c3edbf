//! Words that a program or a partner is given when its login is refused.
//!
//! Always: they tell nothing that would help to guess a name or a password; the record of the refusal has the
//! cause.

/// Words for every fault of credentials.
pub(crate) const WRONG: &str = "the user or the password is not right: correct both, or ask the administrator, \
                     whose error log says more";

/// Words where credentials are missing.
pub(crate) const MISSING: &str =
    "the queue manager asks for a user and a password, and the program gave none: give them";

/// Words where a rule of the channel refuses.
pub(crate) const NOT_LET_IN: &str = "the queue manager does not let the program in by this channel: ask the administrator, \
                          whose error log says why";

/// Words for every cause but wrong credentials, for a program that proved nothing: it is not told which queue
/// manager, channels and rules there are.
pub(crate) const UNPROVED: &str = "the queue manager does not let the program in: give a user and a password, or a certificate, \
                        and correct the names of the queue manager and the channel, or ask the administrator, whose \
                        error log says why";

/// Words for a queue manager where a rule of the channel refuses.
pub(crate) const PARTNER_NOT_LET_IN: &str = "the queue manager lets no partner like this one in by this channel: ask its \
                                  administrator, whose error log says why";

/// Words where a rule of the channel asks for what the queue manager does not judge.
pub(crate) const NO_PROVIDER: &str = "a rule of the channel asks for a password, and the queue manager judges none: tell the \
                           administrator";

/// Words where the record of refusals is required and not kept.
pub(crate) const NOT_RECORDED: &str = "the queue manager lets no program in while it cannot record refusals: tell the \
                            administrator, whose error log says more";

/// Words where a new password is none, or cannot be kept.
pub(crate) const NOT_CHANGED: &str = "the password was not changed, and the old one holds: choose another, or tell the \
                           administrator, whose error log says why";

/// Words where too many wait.
pub(crate) const BUSY: &str = "too many logins wait to be judged: try again in a moment";
