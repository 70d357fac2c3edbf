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
            // A name is shown, and may look like a hash. The form of one is named, with `m=…` for its number.
            let is_hash = |line: &str| line.starts_with("hash =");
            let only_in_hashes = text.lines().all(|line| is_hash(line) || !line.contains("$argon2id"));
            let shown = error.to_string();
            assert!(!only_in_hashes || !shown.contains("$argon2id$v=19$m=1"), "no hash is shown");
        }
    }
    match text.parse::<Hash>() {
        Ok(hash) => assert_eq!(hash.to_string().parse(), Ok(hash), "a hash that is printed is read back"),
        Err(error) => drop(error.to_string()),
    }
}
