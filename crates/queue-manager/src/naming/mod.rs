//! Names: the queue that a name leads to, the transmission queue on the way, and queues made by a name.

pub(crate) mod dynamic;
pub(crate) mod resolve;
pub(crate) mod topic;
pub(crate) mod trail;
pub(crate) mod transmission;
pub(crate) mod way;
