//! The vocabulary of the message queue interface: names, descriptors, options, properties, reason codes.
