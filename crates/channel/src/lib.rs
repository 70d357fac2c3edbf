//! Frames of client channels: encoding, fragments, negotiation. Pure: bytes in, frames out.
