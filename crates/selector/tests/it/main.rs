//! The selector as its users see it, against an evaluator that is obviously right.

mod model;
