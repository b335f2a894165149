//! Names of histories.

use rand::RngExt;

const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
const LENGTH: usize = 12;

/// A new one: 60 random bits, and one more letter that tells a damaged epoch from a whole one.
pub(crate) fn random() -> String {
    let mut rng = rand::rng();
    let numbers: Vec<_> = (0..LENGTH).map(|_| rng.random_range(0..LETTERS.len())).collect();
    numbers
        .iter()
        .copied()
        .chain([check(&numbers)])
        .map(|number| char::from(LETTERS[number]))
        .collect()
}

/// Whether it is one that was made here.
pub(crate) fn is_one(text: &str) -> bool {
    let number = |letter| LETTERS.iter().position(|&known| known == letter);
    let numbers: Option<Vec<_>> = text.bytes().map(number).collect();
    numbers.is_some_and(|numbers| {
        numbers.len() == LENGTH + 1 && check(&numbers[..LENGTH]) == numbers[LENGTH]
    })
}

fn check(numbers: &[usize]) -> usize {
    // Odd factors: no single letter can change without the sum.
    numbers.iter().zip((1..).step_by(2)).map(|(number, factor)| number * factor).sum::<usize>() % 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_epoch_is_known_again_and_a_changed_letter_is_noticed() {
        let epoch = random();
        assert!(is_one(&epoch), "{epoch}");
        for place in 0..epoch.len() {
            let mut other = epoch.clone().into_bytes();
            other[place] = if other[place] == b'a' { b'b' } else { b'a' };
            assert!(!is_one(&String::from_utf8(other).unwrap()), "{epoch} at {place}");
        }
    }
}
