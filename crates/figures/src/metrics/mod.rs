//! Figures as monitoring systems read them: families of series, the block that carries them, the page.
//!
//! Lives here: the rows (`rows`), their familiar names (`familiar`), the block of values as bytes (`block`),
//! the text of a page (`page`). Lives elsewhere: taking a reading and making a block (`server`), HTTP
//! (`control`).
//!
//! Always: the values of a block stand in the order of the rows, and a block of other rows is refused.

mod block;
mod familiar;
mod family;
mod page;
mod rows;
#[cfg(test)]
mod tests;

pub use block::{
    Block, BlockError, CHANNEL_INTERVAL, ChannelBlock, Check, QueueBlock, SubscriptionBlock, TOPIC_INTERVAL,
    TopicBlock, Verdict,
};
pub use familiar::familiar_values;
pub use family::{Family, Kind, Scale, Series};
pub use page::{Form, Label, Names, Printer, print};
pub use rows::{
    CHANNEL, MANAGER, QUEUE, QUEUES, SUBSCRIPTION, TOPIC, channel_values, manager_values, queue_values,
    subscription_values, sum_values, topic_values,
};
