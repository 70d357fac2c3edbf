//! The shipped programs together: two queue managers, and a bridge between them.

mod installation;
mod kills;
mod steps;
mod ways;
