//! Text from outside as a terminal may have it: nothing in it moves the cursor, colours what follows, or passes for another line.

use std::borrow::Cow;

/// The text with a space for each control character, those of ASCII (C0 and DEL) and those above (C1).
pub fn printable(text: &str) -> Cow<'_, str> {
    replaced(text, |_| " ".to_owned())
}

/// JSON that means the same, on one line: what a string may hold as it is (DEL and C1) is escaped, and between its parts stand
/// spaces.
pub fn printable_json(text: &str) -> Cow<'_, str> {
    replaced(
        text,
        |char| {
            if char < ' ' { " ".to_owned() } else { format!("\\u{:04x}", u32::from(char)) }
        },
    )
}

fn replaced(text: &str, by: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return text.into();
    }
    let replaced = |char: char| if char.is_control() { by(char) } else { char.to_string() };
    text.chars().map(replaced).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_is_left() {
        assert_eq!(printable("mcts, über 2048 moves"), "mcts, über 2048 moves");
        let hostile = "a\u{1b}]0;title\u{7}b\nmove 9\r\u{9b}31mc\u{7f}\u{85}";
        assert_eq!(printable(hostile), "a ]0;title b move 9  31mc  ");
        let all: String = (0..0xa0).filter_map(char::from_u32).collect();
        assert!(!printable(&all).contains(char::is_control));
    }

    #[test]
    fn json_means_the_same() {
        let value = serde_json::json!({ "text": "a\u{1b}[2J\u{9b}2J\u{7f}\n" });
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let printed = printable_json(&text);
            assert!(!printed.contains(char::is_control), "{printed}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&printed).unwrap(), value);
        }
    }
}
