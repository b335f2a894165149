//! Why there is no answer, in one sentence.

use std::time::Duration;

use serde_json::Value;

use super::Secret;
use crate::metrics::{Fallback, Outcome};

/// How much of a text of others is looked at, in characters.
const LOOKED_AT: usize = 16 * 1024;

/// The longest text of others that is shown, in characters.
const TEXT: usize = 160;

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The key is not accepted.
    #[error("key refused ({status}){}", after_colon(text.as_deref()))]
    Refused {
        /// 401 or 403.
        status: u16,
        /// What the service says about it.
        text: Option<String>,
    },
    /// The key cannot be sent.
    #[error("the key has characters that no header can carry")]
    Unsendable,
    /// An answer that is an error.
    #[error("the service answered {status}{}{}", after_colon(text.as_deref()), asks_for(*wait))]
    Status {
        /// Its status.
        status: u16,
        /// What the service says about it.
        text: Option<String>,
        /// When the service wants to be asked again.
        wait: Option<Duration>,
    },
    /// An answer from elsewhere was offered.
    #[error("the service answered {status}, a redirect, and the key is not taken elsewhere")]
    Redirect {
        /// Its status.
        status: u16,
    },
    /// No connection, or one that ended before an answer began.
    #[error("the service cannot be reached: {0}")]
    Unreachable(String),
    /// The connection ended in the middle of the answer.
    #[error("the answer broke off")]
    BrokenOff,
    /// More than any answer to such a question.
    #[error("the answer is larger than 1 MiB")]
    TooLarge,
    /// Nothing, or not all of it, within the deadline.
    #[error("no answer in {} s", .0.as_secs_f64())]
    Late(Duration),
    /// All of an answer came, and it is not one.
    #[error("{0}")]
    Unusable(&'static str),
}

impl Failure {
    /// The failure that an answer with this status is, which is none of success.
    pub fn of_status(status: u16, body: &[u8], wait: Option<Duration>, key: &Secret) -> Self {
        match status {
            401 | 403 => Self::Refused { status, text: text_in(body, key) },
            300..=399 => Self::Redirect { status },
            _ => Self::Status { status, text: text_in(body, key), wait },
        }
    }

    /// What it is counted as.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Refused { .. } => Outcome::KeyRefused,
            Self::Status { .. } => Outcome::Status,
            Self::Redirect { .. } => Outcome::Redirect,
            Self::Unreachable(_) | Self::BrokenOff => Outcome::Unreachable,
            Self::Late(_) => Outcome::Late,
            Self::Unsendable | Self::TooLarge | Self::Unusable(_) => Outcome::Unusable,
        }
    }

    /// What the decision is counted as that the rules made since there is no answer.
    pub fn fallback(&self) -> Fallback {
        match self.outcome() {
            Outcome::KeyRefused => Fallback::KeyRefused,
            Outcome::Late => Fallback::Late,
            _ => Fallback::Failed,
        }
    }

    /// Whether asking once more may help.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Status { status, .. } => matches!(status, 408 | 429 | 500..=599),
            Self::Unreachable(_) | Self::Late(_) => true,
            _ => false,
        }
    }

    /// How long the service wants to be left alone.
    pub fn wait(&self) -> Option<Duration> {
        if let Self::Status { wait, .. } = self { *wait } else { None }
    }
}

/// `text` of somebody else as part of a sentence: without the key, on one line, its first sentence, cut.
pub fn sentence(text: &str, key: &Secret) -> String {
    let text: String = text.chars().take(LOOKED_AT).collect();
    let one_line = text.split(|c: char| c.is_whitespace() || c.is_control());
    let one_line = one_line.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let hidden = key.hide_in(&one_line);
    let end = [". ", "! ", "? "].iter().filter_map(|end| hidden.find(end)).min();
    let first = hidden[..end.unwrap_or(hidden.len())].trim_end_matches(['.', '!']);
    match first.char_indices().nth(TEXT) {
        Some((end, _)) => format!("{}…", &first[..end]),
        None => first.to_owned(),
    }
}

/// The first text found in the body of an error, in any of the shapes that services and gateways give it. What was
/// sent is never quoted: a list of faults carries it as `input`.
fn text_in(body: &[u8], key: &Secret) -> Option<String> {
    let body = serde_json::from_slice::<Value>(body).ok()?;
    let detail = ["detail", "error", "message"].iter().find_map(|name| body.get(name));
    let detail = detail.unwrap_or(&body);
    let detail = detail.get(0).unwrap_or(detail);
    let named = ["message", "msg", "error_type"].iter().find_map(|name| detail.get(name)?.as_str());
    let text = sentence(named.or(detail.as_str())?, key);
    (!text.is_empty()).then_some(text)
}

fn after_colon(text: Option<&str>) -> String {
    text.map_or_else(String::new, |text| format!(": {text}"))
}

fn asks_for(wait: Option<Duration>) -> String {
    wait.map_or_else(String::new, |wait| format!(", to be asked again in {} s", wait.as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(status: u16, body: &str, expected: &str) {
        let key = Secret::new("apikey_0123456789").unwrap();
        let failure = Failure::of_status(status, body.as_bytes(), None, &key);
        assert_eq!(failure.to_string(), expected, "{body}");
    }

    #[test]
    fn the_text_is_found_in_every_shape() {
        check(
            401,
            r#"{"detail":{"error_type":"authentication_error","message":"Cannot authenticate with the server. Please check."}}"#,
            "key refused (401): Cannot authenticate with the server",
        );
        check(
            400,
            r#"{"detail":{"error_type":"max_tokens_exceeded"}}"#,
            "the service answered 400: max_tokens_exceeded",
        );
        check(
            400,
            r#"{"detail":"Too many choices."}"#,
            "the service answered 400: Too many choices",
        );
        check(
            422,
            r#"{"detail":[{"type":"missing","loc":["body",3],"msg":"Field required","input":{"secret":1}}]}"#,
            "the service answered 422: Field required",
        );
        check(503, r#"{"error":"busy"}"#, "the service answered 503: busy");
        check(503, r#"{"error":{"message":"busy"}}"#, "the service answered 503: busy");
        check(503, r#""busy""#, "the service answered 503: busy");
        check(429, r#"{"message":"slow\n  down"}"#, "the service answered 429: slow down");
    }

    #[test]
    fn what_has_no_text_is_named_by_its_status() {
        for body in
            ["", "<html><body>Bad Gateway</body></html>", "{}", "[]", "17", r#"{"detail":{}}"#]
        {
            check(502, body, "the service answered 502");
        }
        check(302, "", "the service answered 302, a redirect, and the key is not taken elsewhere");
    }

    #[test]
    fn a_key_that_is_quoted_is_not_shown() {
        check(
            401,
            r#"{"detail":"no such key: Bearer apikey_0123456789"}"#,
            "key refused (401): no such key: Bearer [key]",
        );
    }

    #[test]
    fn a_long_text_is_cut() {
        let body = format!("\"{}\"", "ä".repeat(500));
        check(400, &body, &format!("the service answered 400: {}…", "ä".repeat(TEXT)));
    }

    #[test]
    fn of_a_text_without_end_a_part_is_looked_at() {
        let key = Secret::new("apikey_0123456789").unwrap();
        let blanks = " ".repeat(LOOKED_AT);
        assert_eq!(sentence(&format!("a{blanks}b"), &key), "a");
    }

    #[test]
    fn only_what_may_pass_is_asked_again() {
        let key = Secret::new("k").unwrap();
        let may_pass = |status| Failure::of_status(status, b"", None, &key).may_pass();
        assert!([408, 429, 500, 502, 503, 529, 599].into_iter().all(may_pass));
        assert!(![302, 400, 401, 403, 404, 405, 413, 415, 422].into_iter().any(may_pass));
    }
}
