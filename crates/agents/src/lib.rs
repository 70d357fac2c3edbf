//! One conversation each: turning frames into verbs.
