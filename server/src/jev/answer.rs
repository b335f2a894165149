//! What a reply says, before it is judged.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::failure::Failure;

/// An answer to both questions; what is not there is left out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// The option that was chosen, in the model's words.
    pub choice: String,
    /// How the model's belief is spread over the options; need not add up to 1.
    pub probabilities: Option<BTreeMap<String, f64>>,
    /// How sure it is, 0 to 1.
    pub confidence: Option<f64>,
    /// How near the end it takes the board to be, 0 to 2.
    pub risk: Option<f64>,
    /// The model that answered.
    pub model: Option<String>,
    /// Tokens that were read.
    pub input_tokens: Option<u64>,
    /// Tokens that were written.
    pub output_tokens: Option<u64>,
}

impl Answer {
    /// Reads the body of a reply. Unknown fields are of no interest, and the order of fields is none.
    ///
    /// # Errors
    /// - [`Failure::Unusable`] when it holds no usable choice.
    pub fn read(body: &[u8]) -> Result<Self, Failure> {
        let body: Value = serde_json::from_slice(body)
            .map_err(|_no_json| Failure::Unusable("the answer is not JSON"))?;
        let asked = body.get("answers").and_then(Value::as_object);
        let chosen = asked.and_then(|answers| answers.get("move")?.as_object());
        let chosen = chosen.ok_or(Failure::Unusable("the answer has no move in it"))?;
        if kind(chosen).is_some_and(|kind| kind != "choice") {
            return Err(Failure::Unusable("the answer to the move is not a choice"));
        }
        let choice = chosen.get("choice").and_then(Value::as_str);
        Ok(Self {
            choice: choice.ok_or(Failure::Unusable("the answer names no choice"))?.to_owned(),
            probabilities: probabilities(chosen)?,
            confidence: share(chosen.get("confidence"))?,
            risk: asked.and_then(|answers| risk(answers.get("risk")?)),
            model: body.get("model").and_then(Value::as_str).map(str::to_owned),
            input_tokens: body.pointer("/usage/input_tokens").and_then(Value::as_u64),
            output_tokens: body.pointer("/usage/output_tokens").and_then(Value::as_u64),
        })
    }
}

fn kind(answer: &Map<String, Value>) -> Option<&Value> {
    answer.get("type")
}

fn probabilities(answer: &Map<String, Value>) -> Result<Option<BTreeMap<String, f64>>, Failure> {
    const WRONG: Failure =
        Failure::Unusable("the answer's probabilities are not numbers from 0 to 1");
    match answer.get("probabilities") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(options)) => options
            .iter()
            .map(|(name, value)| Some((name.clone(), share(Some(value)).ok()??)))
            .collect::<Option<_>>()
            .ok_or(WRONG)
            .map(Some),
        Some(_) => Err(WRONG),
    }
}

/// A number from 0 to 1, if there is one.
fn share(value: Option<&Value>) -> Result<Option<f64>, Failure> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_f64() {
            Some(share) if (0.0..=1.0).contains(&share) => Ok(Some(share)),
            _ => Err(Failure::Unusable("the answer's confidence is not a number from 0 to 1")),
        },
    }
}

/// The expected level, if it is a good one: a move is not thrown away for it.
fn risk(answer: &Value) -> Option<f64> {
    let answer = answer.as_object()?;
    if kind(answer).is_some_and(|kind| kind != "score") {
        return None;
    }
    answer.get("score")?.as_f64().filter(|score| (0.0..=2.0).contains(score))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(body: &str) -> String {
        Answer::read(body.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_choice_alone_is_an_answer() {
        let answer = Answer::read(br#"{"answers":{"move":{"choice":"UP"}}}"#).unwrap();
        assert_eq!(answer, Answer { choice: "UP".to_owned(), ..Answer::default() });
    }

    #[test]
    fn what_is_no_choice_is_refused_in_a_sentence() {
        for body in
            ["", "<html>", "{\"answers\":{\"move\":{\"choice\":\"UP\",\"confidence\":NaN}}}", "{"]
        {
            assert_eq!(refused(body), "the answer is not JSON", "{body}");
        }
        for body in ["null", "[]", "{}", r#"{"answers":[]}"#, r#"{"answers":{"move":"UP"}}"#] {
            assert_eq!(refused(body), "the answer has no move in it", "{body}");
        }
        let chosen = |rest: &str| format!(r#"{{"answers":{{"move":{{{rest}}}}}}}"#);
        assert_eq!(refused(&chosen(r#""choice":3"#)), "the answer names no choice");
        assert_eq!(
            refused(&chosen(r#""type":"score","choice":"UP""#)),
            "the answer to the move is not a choice"
        );
        for confidence in ["\"0.9\"", "1.5", "-0.1", "true", "1e999"] {
            let body = chosen(&format!(r#""choice":"UP","confidence":{confidence}"#));
            let said = refused(&body);
            assert!(said.contains("confidence is not") || said.contains("not JSON"), "{said}");
        }
        for probabilities in [r#"{"UP":"0.9"}"#, r#"{"UP":null}"#, r#"{"UP":2}"#, "[0.5]", "1"] {
            let body = chosen(&format!(r#""choice":"UP","probabilities":{probabilities}"#));
            assert!(refused(&body).contains("probabilities are not numbers"), "{body}");
        }
    }

    #[test]
    fn a_bad_risk_is_left_out() {
        for risk in
            ["null", "1", r#"{"score":"1"}"#, r#"{"score":3}"#, r#"{"type":"noul","score":1}"#]
        {
            let body = format!(r#"{{"answers":{{"move":{{"choice":"UP"}},"risk":{risk}}}}}"#);
            assert_eq!(Answer::read(body.as_bytes()).unwrap().risk, None, "{risk}");
        }
    }
}
