//! The engine: queues, units of work, name resolution, commands, the verbs.
