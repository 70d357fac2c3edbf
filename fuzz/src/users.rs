//! The file of users, which an administrator may write, and the hashes in it.

use identity::{Hash, Users};

/// A file of users, or one hash.
pub fn users(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match Users::read(&text) {
        Ok(users) => {
            assert_eq!(Users::read(&users.text()), Ok(users), "what is written is read back");
        }
        Err(error) => {
            let shown = error.to_string();
            assert!(!shown.contains("$argon2id"), "no hash is shown");
        }
    }
    match text.parse::<Hash>() {
        Ok(hash) => assert_eq!(hash.to_string().parse(), Ok(hash), "a hash that is printed is read back"),
        Err(error) => drop(error.to_string()),
    }
}
