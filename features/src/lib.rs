//! What the game does, in the player's words: the `*.feature` files of this folder.
//!
//! The runner and the steps are the test binary `behaviour`; this library has nothing of its own.
