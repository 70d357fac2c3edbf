//! Messages moved at a queue manager, by a plan and by rules.

mod bench;
mod dead_letters;
mod moving;
