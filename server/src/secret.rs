//! Ids and tokens: unguessable, from the operating system.

use std::fmt::Write as _;

use rand::{TryRng as _, rngs::SysRng};

/// An id of 128 random bits, in hexadecimal.
///
/// # Panics
/// When the operating system gives no randomness; nothing safe can be done then.
pub(crate) fn id() -> String {
    hexadecimal::<16>()
}

/// A control token of 192 random bits, in hexadecimal.
///
/// # Panics
/// As [`id`].
pub(crate) fn token() -> String {
    hexadecimal::<24>()
}

fn hexadecimal<const BYTES: usize>() -> String {
    let mut bytes = [0; BYTES];
    SysRng.try_fill_bytes(&mut bytes).expect("the operating system gives randomness");
    bytes.iter().fold(String::with_capacity(2 * BYTES), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes all text");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_tokens_differ_and_have_their_lengths() {
        assert_eq!((id().len(), token().len()), (32, 48));
        assert_ne!(id(), id());
        assert_ne!(token(), token());
    }
}
