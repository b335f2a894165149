//! The transcript of one exchange: what was sent, what came back, what was done with it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::question::Sent;

/// One exchange, or why there was none. Its fields are py2048's, and some more.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Record {
    /// When it was over.
    pub at: String,
    /// The session.
    pub session: String,
    /// The game.
    pub game: String,
    /// The move that was asked about, counted from 1.
    pub move_number: u32,
    /// What went out, without the key and the model's name; `None` when nothing did.
    pub sent: Option<Sent>,
    /// What came back, if it could be read.
    pub received: Option<Received>,
    /// The service's own name of the exchange, to ask its operators by.
    pub request_id: Option<String>,
    /// Requests that were made.
    pub attempts: u32,
    /// Time from the first connection to the end.
    pub latency_ms: u64,
    /// What came of it.
    pub outcome: String,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Received {
    /// The model that gave it, which is not the alias that was asked.
    pub model: Option<String>,
    /// The option it chose.
    pub choice: String,
    /// How sure it was.
    pub confidence: Option<f64>,
    /// How its belief was spread.
    pub probabilities: Option<BTreeMap<String, f64>>,
    /// How near the end it took the board to be.
    pub risk: Option<f64>,
    /// Tokens read.
    pub input_tokens: Option<u64>,
    /// Tokens written.
    pub output_tokens: Option<u64>,
    /// What the tokens cost at the price of [`DOLLARS_PER_MILLION`], in US dollars.
    pub estimated_cost_usd: Option<f64>,
}

/// The published price of a million tokens read, in US dollars; written ones are free.
pub const DOLLARS_PER_MILLION: f64 = 0.042;

/// What reading so many tokens costs, in US dollars.
pub fn cost(input_tokens: u64) -> f64 {
    (input_tokens as f64 * DOLLARS_PER_MILLION).round_ties_even() / 1e6
}

/// One JSON value, spread over lines for people: lists of plain values stay on one line, so that a board reads as its
/// rows. `json` must be one JSON value without blanks between its parts.
pub fn pretty(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let mut depth = 0;
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        let whole = match first {
            '"' => string_length(rest),
            '[' | '{' => plain_length(rest),
            _ => 0,
        };
        if whole > 0 {
            out.push_str(&spaced(&rest[..whole]));
            rest = &rest[whole..];
            continue;
        }
        match first {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            _ => {}
        }
        let breaks = matches!(first, '[' | '{' | ',' | ']' | '}');
        let newline = || format!("\n{}", "  ".repeat(depth));
        match first {
            ']' | '}' => out.push_str(&(newline() + &first.to_string())),
            ':' => out.push_str(": "),
            _ if breaks => out.push_str(&(first.to_string() + &newline())),
            _ => out.push(first),
        }
        rest = &rest[first.len_utf8()..];
    }
    out
}

/// The bytes of the string that `json` begins with.
fn string_length(json: &str) -> usize {
    let mut escaped = false;
    for (at, character) in json.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    json.len()
}

/// The bytes of the list or object that `json` begins with, if it is empty or a list of plain values; else 0.
fn plain_length(json: &str) -> usize {
    if json.starts_with("{}") {
        return 2;
    }
    let mut at = 1;
    while let Some(next) = json[at..].chars().next() {
        match next {
            ']' if json.starts_with('[') => return at + 1,
            '[' | '{' | '}' | ']' | ':' => return 0,
            '"' => at += string_length(&json[at..]),
            _ => at += next.len_utf8(),
        }
    }
    0
}

/// A string as it is; a list of plain values with a blank after each comma.
fn spaced(json: &str) -> String {
    if json.starts_with('"') {
        return json.to_owned();
    }
    let mut out = String::with_capacity(json.len() + 16);
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        let length = if first == '"' { string_length(rest) } else { first.len_utf8() };
        out.push_str(&rest[..length]);
        if first == ',' {
            out.push(' ');
        }
        rest = &rest[length..];
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_board_reads_as_its_rows() {
        let value = json!({ "board": { "grid": [[2, null, 128, 4], [2, 2, 2, 2]] }, "no": [], "none": {}, "say": "a,b:[]{}\"" });
        let expected = r#"{
  "board": {
    "grid": [
      [2, null, 128, 4],
      [2, 2, 2, 2]
    ]
  },
  "no": [],
  "none": {},
  "say": "a,b:[]{}\""
}"#;
        assert_eq!(pretty(&value.to_string()), expected);
        assert_eq!(pretty(r#"["a,\"b]","c"]"#), r#"["a,\"b]", "c"]"#);
    }

    #[test]
    fn a_move_costs_a_fraction_of_a_cent() {
        assert!((cost(1_500) - 0.000_063).abs() < 1e-9);
        assert!(cost(0).abs() < 1e-9);
    }

    fn values() -> impl Strategy<Value = Value> {
        let plain = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            ".{0,8}".prop_map(Value::from),
            "[\"\\\\\\[\\]{},: ]{0,6}".prop_map(Value::from),
        ];
        plain.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map(".{0,4}", inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_spread_over_lines_is_the_same_value(value in values()) {
            let text = pretty(&value.to_string());
            prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        }
    }
}
