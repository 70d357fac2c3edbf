//! The order of the rooms in crates that are large enough to need one.

/// Crates whose rooms have an order: rooms are files and folders right under `src`, the lowest first.
///
/// A room may use those before it. An arrow that runs up is counted, and the count only falls.
pub(super) const ORDERED: &[(&str, &[&str])] = &[
    (
        "crates/queues",
        &[
            // The ground: proof of durability, hosts, time, memory.
            "ground",
            "by_token",
            "gate",
            "clients",
            "state_objects",
            "planted",
            // Messages and queues, and the words that they use.
            "counters",
            "object",
            "message",
            "grouping",
            "room",
            "queues",
            "hand_over",
            "unit_of_work",
            "queue",
        ],
    ),
    (
        "crates/queue-manager",
        &[
            // Channels and rights.
            "channel_seats",
            "message_channels",
            "instances",
            "places",
            "passed",
            "images",
            "authority",
            // Names and definitions.
            "catalogue",
            "initiation_queues",
            "directory",
            "naming",
            // Messages that the queue manager makes.
            "own_message",
            "accounting",
            "instrumentation",
            "reports",
            "initiating",
            "triggers",
            "streaming",
            "broker",
            "begun",
            "publishing",
            "subscriptions",
            // Programs and their verbs.
            "channel_rules",
            "conversation",
            "engine",
            "services",
            "collection",
            "disconnection",
            "connection",
            "verbs",
            "sync_objects",
            // Commands, and the life of the whole.
            "command",
            "rights",
            "channel_figures",
            "call_figures",
            "topic_figures",
            "administration",
            "checkpoint",
            "refused_puts",
            "image_schedule",
            "keeping",
            "restart",
            "decode",
            "housekeeping",
            "manager",
            "course",
            "channels",
            "channel_cover",
            "conn_auth",
            "revocation_lists",
        ],
    ),
];
