//! Users, their file, and the verdict on logins.

mod login;
mod users;
