//! The command as people and scripts use it: real processes, real directories.

mod channels;
mod commands;
mod contexts;
mod control;
mod copies;
mod creation;
mod dead_letters;
mod deletion;
mod familiar;
mod guides;
mod help;
mod kill_nine;
mod life;
mod migration;
mod output;
mod power_cut;
mod prometheus;
mod reference;
mod samples;
mod scenarios;
mod secured;
mod support;
mod supporting;
mod transfer;
mod triggers;
mod units;
