//! DISPLAY ROUTE: the way that a message takes from the name of a queue.

use mqi::QueueManagerName;
use mqi::constants::{MQCA_Q_MGR_NAME, MQCA_Q_NAME};
use mqi::ours::{INQUIRE_ROUTE, ROUTE_ATTRIBUTES};

use super::display::Target;
use super::form::{Question, Work};

pub(super) const ROUTE: Question = Question {
    keyword: "ROUTE",
    synonyms: &[],
    work: Work::Short,
    number: INQUIRE_ROUTE,
    text: |parser| Ok(Target::Route { queue: parser.name("ROUTE")?, queue_manager: QueueManagerName::BLANK }),
    read: |given| {
        let queue = given.object_name(MQCA_Q_NAME)?;
        let queue_manager = given.text(MQCA_Q_MGR_NAME)?.unwrap_or_default();
        let unknown = |_| crate::pcf::parameters::wrong_value(MQCA_Q_MGR_NAME);
        let queue_manager = queue_manager.trim().parse().map_err(unknown)?;
        given.display(Target::Route { queue, queue_manager }, ROUTE_ATTRIBUTES)
    },
};
