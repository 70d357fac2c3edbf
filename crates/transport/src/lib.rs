//! Bytes from here to there: the reactor, TCP and Unix sockets.
