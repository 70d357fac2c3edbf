//! The C interface, judged from outside.
//!
//! Lives here: layouts against the tables (`layouts`), headers against the tables by a compiler (`probe`) and
//! by readers of lines (`shapes`), programs that are compiled with them (`programs`), what the tables say
//! (`facts`), how a C compiler is asked (`compiler`); programs run with the library against a queue manager
//! (`running`, `connect_options`, `secured`, `transactions`), those of `examples/c` too (`examples`); the
//! manual page (`manual`). `described` is made from the tables.

mod compiler;
mod connect_options;
mod described;
mod examples;
mod facts;
mod layouts;
mod manual;
mod probe;
mod programs;
mod running;
mod secured;
mod shapes;
mod transactions;
