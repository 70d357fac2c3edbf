//! The tree as its users see it, against one that is obviously right.

mod model;
mod size;
