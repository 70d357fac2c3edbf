//! Words that several kinds of object have.

use mqi::constants::*;

use super::row::{Word, word};

pub(super) const NO_YES: &[Word] = &[word("NO", 0), word("YES", 1)];
pub(super) const DISABLED_ENABLED: &[Word] =
    &[word("DISABLED", MQEVR_DISABLED), word("ENABLED", MQEVR_ENABLED)];
/// Levels of monitoring, or the queue manager's own level.
pub(super) const MONITORING: &[Word] = &[
    word("QMGR", MQMON_Q_MGR),
    word("OFF", MQMON_OFF),
    word("LOW", MQMON_LOW),
    word("MEDIUM", MQMON_MEDIUM),
    word("HIGH", MQMON_HIGH),
];
/// Starting and stopping with the queue manager.
pub(super) const CONTROL: &[Word] = &[
    word("QMGR", MQSVC_CONTROL_Q_MGR),
    word("STARTONLY", MQSVC_CONTROL_Q_MGR_START),
    word("MANUAL", MQSVC_CONTROL_MANUAL),
];

pub(super) const NAME: usize = MQ_OBJECT_NAME_LENGTH;
pub(crate) const COUNT_MAX: i32 = 999_999_999;
pub(super) const MESSAGE_BYTES_MAX: i32 = 104_857_600;
pub(super) const MESSAGE_BYTES_DEFAULT: i32 = 4_194_304;
