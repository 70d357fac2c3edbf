//! The C interface, judged from outside.
//!
//! Lives here: layouts against the tables (`layouts`), and what the tables say (`facts`). `described` is made from them.

mod described;
mod facts;
mod layouts;
