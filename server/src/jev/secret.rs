//! A text that must not be seen.

use std::fmt;

/// What replaces it in texts of others.
const HIDDEN: &str = "[key]";

/// So many of its characters in a row are as secret as the whole.
const TELLING: usize = 12;

/// A secret: never blank, and printed by nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The secret in `text`, without the blanks round it; `None` when nothing is left.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The secret itself, for the one place that sends it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// `text` without the secret, and without any telling part of it: who refuses a key may quote it, whole or cut.
    pub fn hide_in(&self, text: &str) -> String {
        let telling = TELLING.min(self.0.len());
        let mut shown = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if rest.get(..telling).is_some_and(|start| self.0.contains(start)) {
                shown.push_str(HIDDEN);
                rest = &rest[self.longest_start(rest)..];
            } else {
                shown.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        shown
    }

    /// The bytes of the longest start of `text` that is part of the secret.
    fn longest_start(&self, text: &str) -> usize {
        let ends = text.char_indices().map(|(at, character)| at + character.len_utf8());
        ends.take_while(|&end| self.0.contains(&text[..end])).last().unwrap_or(0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "apikey_0123456789abcdef";

    fn secret() -> Secret {
        Secret::new(KEY).unwrap()
    }

    #[test]
    fn blank_is_none() {
        assert_eq!(Secret::new(" \t\n"), None);
        assert_eq!(Secret::new(" a \n").unwrap().reveal(), "a");
    }

    #[test]
    fn nothing_prints_it() {
        assert_eq!(format!("{:?} {:#?}", secret(), Some(secret())), "Secret Some(\n    Secret,\n)");
        let panic = std::panic::catch_unwind(|| panic!("no use for {:?}", secret())).unwrap_err();
        assert_eq!(panic.downcast_ref::<String>().unwrap(), "no use for Secret");
    }

    #[test]
    fn a_quoted_secret_is_hidden_whole_or_cut() {
        let hide = |text: &str| secret().hide_in(text);
        assert_eq!(hide(&format!("not known: Bearer {KEY}.")), "not known: Bearer [key].");
        assert_eq!(hide(&format!("{}… is not known", &KEY[..15])), "[key]… is not known");
        assert_eq!(hide(&format!("… {} ends it", &KEY[5..])), "… [key] ends it");
        assert_eq!(hide("apikey_ is how a key begins: ü"), "apikey_ is how a key begins: ü");
        assert_eq!(hide(&format!("{KEY}{KEY}")), "[key][key]");
    }

    #[test]
    fn a_short_secret_is_hidden_whole() {
        assert_eq!(Secret::new("abc").unwrap().hide_in("ab abc abcabc"), "ab [key] [key][key]");
    }
}
