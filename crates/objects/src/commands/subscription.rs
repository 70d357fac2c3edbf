//! Commands about subscriptions besides their definitions: DISPLAY SBSTATUS.

use mqi::constants::{MQCMD_INQUIRE_SUB_STATUS, MQIACF_SUB_STATUS_ATTRS};

use super::display::Target;
use super::form::{Question, Work};
use crate::object_type::Family;

pub(super) const STATUS: Question = Question {
    keyword: "SBSTATUS",
    synonyms: &["SBS"],
    work: Work::Short,
    text: |parser| Ok(Target::SubscriptionStatus { names: parser.subscription_names()? }),
    number: MQCMD_INQUIRE_SUB_STATUS,
    read: |given| {
        let names = given.names(Family::Subscription)?;
        given.display(Target::SubscriptionStatus { names }, MQIACF_SUB_STATUS_ATTRS)
    },
};
