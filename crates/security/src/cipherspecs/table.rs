//! Every CipherSpec, the preferred ones first.
//!
//! Made by `cargo xtask generate` from the tables in `crates/security/facts`; change those, then
//! run it again.

use super::suite::{Cipher, CipherSpec, Protocol, Provider};

pub(super) static ALL: &[CipherSpec] = &[
    CipherSpec {
        name: "TLS_AES_256_GCM_SHA384",
        suite: "TLS_AES_256_GCM_SHA384",
        number: 0x1302,
        protocol: Protocol::Tls13,
        cipher: Cipher::Aead,
        provider: Provider::Standard,
    },
    CipherSpec {
        name: "TLS_AES_128_GCM_SHA256",
        suite: "TLS_AES_128_GCM_SHA256",
        number: 0x1301,
        protocol: Protocol::Tls13,
        cipher: Cipher::Aead,
        provider: Provider::Standard,
    },
    CipherSpec {
        name: "TLS_CHACHA20_POLY1305_SHA256",
        suite: "TLS_CHACHA20_POLY1305_SHA256",
        number: 0x1303,
        protocol: Protocol::Tls13,
        cipher: Cipher::Aead,
        provider: Provider::Standard,
    },
    CipherSpec {
        name: "TLS_AES_128_CCM_SHA256",
        suite: "TLS_AES_128_CCM_SHA256",
        number: 0x1304,
        protocol: Protocol::Tls13,
        cipher: Cipher::Ccm,
        provider: Provider::Legacy,
    },
    CipherSpec {
        name: "TLS_AES_128_CCM_8_SHA256",
        suite: "TLS_AES_128_CCM_8_SHA256",
        number: 0x1305,
        protocol: Protocol::Tls13,
        cipher: Cipher::CcmShort,
        provider: Provider::Legacy,
    },
    CipherSpec {
        name: "ECDHE_ECDSA_AES_256_GCM_SHA384",
        suite: "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        number: 0xC02C,
        protocol: Protocol::Tls12,
        cipher: Cipher::Aead,
        provider: Provider::Standard,
    },
    CipherSpec {
        name: "ECDHE_RSA_AES_256_GCM_SHA384",
        suite: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        number: 0xC030,
        protocol: Protocol::Tls12,
        cipher: Cipher::Aead,
        provider: Provider::Standard,
    },
    CipherSpec {
        name: "ECDHE_ECDSA_AES_128_GCM_SHA256",
        suite: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        number: 0xC02B,
        protocol: Protocol::Tls12,
        cipher: Cipher::Aead,
        provider: Provider::Standard,
    },
    CipherSpec {
        name: "ECDHE_RSA_AES_128_GCM_SHA256",
        suite: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        number: 0xC02F,
        protocol: Protocol::Tls12,
        cipher: Cipher::Aead,
        provider: Provider::Standard,
    },
    CipherSpec {
        name: "ECDHE_ECDSA_AES_256_CBC_SHA384",
        suite: "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384",
        number: 0xC024,
        protocol: Protocol::Tls12,
        cipher: Cipher::Cbc,
        provider: Provider::Legacy,
    },
    CipherSpec {
        name: "ECDHE_RSA_AES_256_CBC_SHA384",
        suite: "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384",
        number: 0xC028,
        protocol: Protocol::Tls12,
        cipher: Cipher::Cbc,
        provider: Provider::Legacy,
    },
    CipherSpec {
        name: "ECDHE_ECDSA_AES_128_CBC_SHA256",
        suite: "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
        number: 0xC023,
        protocol: Protocol::Tls12,
        cipher: Cipher::Cbc,
        provider: Provider::Legacy,
    },
    CipherSpec {
        name: "ECDHE_RSA_AES_128_CBC_SHA256",
        suite: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
        number: 0xC027,
        protocol: Protocol::Tls12,
        cipher: Cipher::Cbc,
        provider: Provider::Legacy,
    },
];
