//! Passwords that were proved lately, so that many users who return at once need no hash each.
//!
//! Always: what is kept is a code of the password under a key of this run, in memory alone; a user that is
//! not kept takes as long to be looked for as one that is; what is kept counts for [`KEPT_SECONDS`], and not
//! beyond the next reading of the users.

use std::collections::BTreeMap;

use zeroize::Zeroizing;

use crate::hash::{HashMemory, PASSWORD_BYTES_MAX, code_of};

/// Bytes of the key.
pub const KEY_BYTES: usize = 32;

/// Time for which a proof is kept: longer than networks and partners need to come back.
const KEPT_SECONDS: u64 = 600;

/// Most users whose proofs are kept: some hundred kilobytes. Of more the one that is kept for longest goes.
const KEPT_MAX: usize = 10_000;

/// The code of a password.
type Code = [u8; 32];

/// Proofs that are kept.
pub struct Proofs {
    key: Zeroizing<[u8; KEY_BYTES]>,
    kept: BTreeMap<Box<str>, (Code, u64)>,
    memory: HashMemory,
}

impl Proofs {
    /// None yet, under a key that cannot be guessed.
    #[must_use]
    pub fn under(key: [u8; KEY_BYTES]) -> Self {
        Self { key: key.into(), kept: BTreeMap::new(), memory: HashMemory::default() }
    }

    /// Tells if this password proved the user lately.
    #[must_use]
    pub fn has(&mut self, name: &str, password: &[u8], now: u64) -> bool {
        let code = self.code(name, password);
        let kept = self.kept.get(name).filter(|(_, until)| now < *until);
        let (own, _) = kept.copied().unwrap_or_default();
        // Every byte is looked at, wherever the first difference is.
        let difference = code.iter().zip(own).fold(0, |all, (one, other)| all | (one ^ other));
        difference == 0 && kept.is_some() && password.len() <= PASSWORD_BYTES_MAX
    }

    /// Keeps a proof.
    pub fn keep(&mut self, name: &str, password: &[u8], now: u64) {
        if self.kept.len() >= KEPT_MAX && !self.kept.contains_key(name) {
            let oldest = self.kept.iter().min_by_key(|(_, (_, until))| *until).map(|(name, _)| name.clone());
            oldest.map(|oldest| self.kept.remove(&oldest));
        }
        let code = self.code(name, password);
        self.kept.insert(name.into(), (code, now + KEPT_SECONDS));
    }

    /// Forgets all: the users were read again.
    pub fn forget(&mut self) {
        self.kept.clear();
    }

    fn code(&mut self, name: &str, password: &[u8]) -> Code {
        let password = &password[..password.len().min(PASSWORD_BYTES_MAX)];
        code_of(&*self.key, name, password, &mut self.memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_counts_for_its_user_and_password_and_for_ten_minutes() {
        let mut proofs = Proofs::under([7; KEY_BYTES]);
        assert!(!proofs.has("ada", b"right", 0), "nothing is kept");
        proofs.keep("ada", b"right", 100);
        for (name, password, now, is_kept) in [
            ("ada", &b"right"[..], 100, true),
            ("ada", b"right", 699, true),
            ("ada", b"right", 700, false),
            ("ada", b"wrong", 100, false),
            ("ada", b"", 100, false),
            ("adb", b"right", 100, false),
        ] {
            assert_eq!(proofs.has(name, password, now), is_kept, "{name} {password:?} {now}");
        }
        proofs.keep("ada", b"another", 200);
        assert!(!proofs.has("ada", b"right", 200) && proofs.has("ada", b"another", 200));
        proofs.forget();
        assert!(!proofs.has("ada", b"another", 200));
    }

    #[test]
    fn proofs_under_another_key_are_others_and_their_number_is_bounded() {
        let (mut one, mut other) = (Proofs::under([1; KEY_BYTES]), Proofs::under([2; KEY_BYTES]));
        assert_ne!(one.code("ada", b"right"), other.code("ada", b"right"));
        assert_ne!(one.code("ada", b"right"), one.code("adar", b"ight"));
        for number in 0..KEPT_MAX as u64 {
            one.kept.insert(format!("user{number}").into(), ([0; 32], 1_000 + number));
        }
        one.keep("ada", b"right", 1_000);
        assert!(one.kept.len() == KEPT_MAX && one.has("ada", b"right", 1_000));
        assert!(!one.kept.contains_key("user0") && one.kept.contains_key("user1"), "the oldest went");
    }
}
