//! The server's binary.

fn main() {}
