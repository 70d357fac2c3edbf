//! Stores, issuing, and sessions over real loopback sockets.

mod certificates;
mod issuers;
mod issuing;
mod judges;
mod line;
mod sessions;
mod stores;
