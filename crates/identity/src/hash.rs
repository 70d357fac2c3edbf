//! The hash of a password: argon2id, as a line of the common form.
//!
//! ```text
//! $argon2id$v=19$m=19456,t=2,p=1$SALT$HASH
//! ```
//!
//! Always: a line from a file asks for no more memory and passes than [`Cost::MOST`]; a hash takes no memory
//! of its own, but works in that of its thread.

use std::fmt;
use std::str::FromStr;

use argon2::{Algorithm, Argon2, Block, Params, Version};
use base64ct::{Base64Unpadded, Encoding as _};

/// Most bytes of a password.
pub const PASSWORD_BYTES_MAX: usize = 256;

/// Bytes of the salt of a hash that is made here.
pub const SALT_BYTES: usize = 16;

/// Bytes of a hash.
const HASH_BYTES: usize = 32;

/// Most bytes of a salt that is read.
const SALT_BYTES_MAX: usize = 64;

/// The work of one hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Memory, in KiB.
    pub memory_kib: u32,
    /// Passes over it.
    pub passes: u32,
}

impl Cost {
    /// The cost of new hashes: some 25 ms of a processor, and too much memory for thousands at a time.
    pub const USUAL: Self = Self { memory_kib: 19 * 1024, passes: 2 };
    /// The most that a hash may ask for.
    pub const MOST: Self = Self { memory_kib: 256 * 1024, passes: 16 };
    /// The least that a hash may ask for: for tests, and never for people.
    pub const LEAST: Self = Self { memory_kib: 8, passes: 1 };

    fn params(self) -> Params {
        Params::new(self.memory_kib, self.passes, 1, Some(HASH_BYTES)).expect("a cost is within its bounds")
    }
}

/// The memory that one thread hashes in.
///
/// Kept from hash to hash: where each hash takes its memory and gives it back, what other work allocates
/// meanwhile comes to lie between, and the process keeps a multiple of it.
#[derive(Default)]
pub struct HashMemory {
    blocks: Vec<Block>,
}

impl HashMemory {
    /// The blocks for a hash of this cost.
    fn blocks(&mut self, params: &Params) -> &mut [Block] {
        let count = params.block_count();
        if self.blocks.len() < count {
            // The old ones first, so that never both are there.
            self.blocks = Vec::new();
            self.blocks.reserve_exact(count);
            self.blocks.resize(count, Block::new());
        }
        &mut self.blocks[..count]
    }

    /// Gives memory back that no hash of this cost or a lesser one needs.
    pub fn shrink_to(&mut self, cost: Cost) {
        if self.blocks.len() > cost.params().block_count() {
            self.blocks = Vec::new();
        }
    }

    /// The bytes that are held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.blocks.capacity() * Block::SIZE
    }
}

impl fmt::Debug for HashMemory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("HashMemory").field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}

/// The hash of a password.
#[derive(Clone, PartialEq, Eq)]
pub struct Hash {
    cost: Cost,
    salt: Box<[u8]>,
    hash: [u8; HASH_BYTES],
}

/// Why a text is no hash, or a password has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HashError {
    /// The text is not of the form.
    #[error("it is no line of the form $argon2id$v=19$m=…,t=…,p=1$SALT$HASH")]
    Form,
    /// It asks for too much work.
    #[error("it asks for more than {} KiB or {} passes", Cost::MOST.memory_kib, Cost::MOST.passes)]
    Cost,
    /// The password is empty.
    #[error("the password is empty")]
    Empty,
    /// The password is too long.
    #[error("the password has more than {PASSWORD_BYTES_MAX} bytes")]
    TooLong,
}

impl Hash {
    /// Makes the hash of a password, with a salt that cannot be guessed.
    ///
    /// # Errors
    /// When the password is empty or too long.
    pub fn new(
        password: &[u8],
        salt: &[u8; SALT_BYTES],
        cost: Cost,
        memory: &mut HashMemory,
    ) -> Result<Self, HashError> {
        match password.len() {
            0 => return Err(HashError::Empty),
            length if length > PASSWORD_BYTES_MAX => return Err(HashError::TooLong),
            _ => {}
        }
        Ok(Self { cost, salt: (*salt).into(), hash: hash(password, salt, cost, memory) })
    }

    /// A hash that no password is known for: it takes as long as any other.
    #[must_use]
    pub fn of_nobody(cost: Cost) -> Self {
        Self { cost, salt: [0; SALT_BYTES].into(), hash: [0; HASH_BYTES] }
    }

    /// Tells if a password is the one; takes the time of a hash in any case but that of a password that none
    /// can have.
    #[must_use]
    pub fn is_of(&self, password: &[u8], memory: &mut HashMemory) -> bool {
        if password.is_empty() || password.len() > PASSWORD_BYTES_MAX {
            return false;
        }
        let found = hash(password, &self.salt, self.cost, memory);
        // Every byte is looked at, wherever the first difference is.
        let difference = found.iter().zip(self.hash).fold(0, |all, (one, other)| all | (one ^ other));
        difference == 0
    }

    /// The cost of the hash.
    #[must_use]
    pub const fn cost(&self) -> Cost {
        self.cost
    }
}

fn hash(password: &[u8], salt: &[u8], cost: Cost, memory: &mut HashMemory) -> [u8; HASH_BYTES] {
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, cost.params());
    hash_by(&argon2, password, salt, memory)
}

fn hash_by(argon2: &Argon2<'_>, password: &[u8], salt: &[u8], memory: &mut HashMemory) -> [u8; HASH_BYTES] {
    let mut hash = [0; HASH_BYTES];
    let blocks = memory.blocks(argon2.params());
    argon2
        .hash_password_into_with_memory(password, salt, &mut hash, blocks)
        .expect("lengths are within their bounds");
    hash
}

/// The code of a password of a user under a key: quick to make, and nothing without the key.
pub(crate) fn code_of(key: &[u8], name: &str, password: &[u8], memory: &mut HashMemory) -> [u8; HASH_BYTES] {
    let (algorithm, version) = (Algorithm::Argon2id, Version::V0x13);
    let argon2 = Argon2::new_with_secret(key, algorithm, version, Cost::LEAST.params());
    // A salt has eight bytes at least, and names differ behind it.
    let salt = [&[0; SALT_BYTES], name.as_bytes()].concat();
    hash_by(&argon2.expect("the key is short"), password, &salt, memory)
}

impl fmt::Display for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cost { memory_kib, passes } = self.cost;
        let (salt, hash) =
            (Base64Unpadded::encode_string(&self.salt), Base64Unpadded::encode_string(&self.hash));
        write!(formatter, "$argon2id$v=19$m={memory_kib},t={passes},p=1${salt}${hash}")
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("********")
    }
}

impl FromStr for Hash {
    type Err = HashError;

    fn from_str(text: &str) -> Result<Self, HashError> {
        let fields: Vec<&str> = text.split('$').collect();
        let ["", "argon2id", "v=19", work, salt, hash] = fields[..] else { return Err(HashError::Form) };
        let works: Vec<&str> = work.split(',').collect();
        let [memory, passes, "p=1"] = works[..] else { return Err(HashError::Form) };
        let number = |text: &str, key: &str| -> Result<u32, HashError> {
            text.strip_prefix(key).and_then(|figures| figures.parse().ok()).ok_or(HashError::Form)
        };
        let cost = Cost { memory_kib: number(memory, "m=")?, passes: number(passes, "t=")? };
        if cost.memory_kib > Cost::MOST.memory_kib || cost.passes > Cost::MOST.passes {
            return Err(HashError::Cost);
        }
        if cost.memory_kib < Cost::LEAST.memory_kib || cost.passes < Cost::LEAST.passes {
            return Err(HashError::Form);
        }
        let salt = Base64Unpadded::decode_vec(salt).map_err(|_| HashError::Form)?;
        let hash = Base64Unpadded::decode_vec(hash).map_err(|_| HashError::Form)?;
        if !(argon2::MIN_SALT_LEN..=SALT_BYTES_MAX).contains(&salt.len()) {
            return Err(HashError::Form);
        }
        let hash = hash.try_into().map_err(|_| HashError::Form)?;
        Ok(Self { cost, salt: salt.into(), hash })
    }
}
