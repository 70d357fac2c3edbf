//! The shipped programs together: two queue managers, and a bridge between them.

mod bad_input;
mod commands;
mod installation;
mod kills;
mod secrets;
mod steps;
mod ways;
