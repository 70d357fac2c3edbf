//! The recovery log with group commit, store segments, checkpoints and restart.
