//! A request's body: read up to its limit, then as JSON, with a sentence for each way in which it can be wrong.

use actix_web::{
    FromRequest, HttpRequest, dev::Payload, http::StatusCode, http::header, web::Data,
};
use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt as _, future::LocalBoxFuture};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{Api, error::Problem};
use crate::{actors::session::CommandKey, config::IMPORT_BYTES, metrics::Limit};

/// The longest `commandId`, in characters.
const COMMAND_ID_LENGTH: usize = 64;

/// The body of a request, not yet looked into.
#[derive(Debug)]
pub(super) struct Body(Bytes);

/// The body of a request that is a game as text.
#[derive(Debug)]
pub(super) struct Text(Bytes);

impl FromRequest for Body {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let most = request.app_data::<Data<Api>>().map(|api| api.caps.body_bytes);
        let body = collect(request, payload, most.unwrap_or_default());
        Box::pin(async { Ok(Self(body.await?)) })
    }
}

impl FromRequest for Text {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = collect(request, payload, IMPORT_BYTES);
        Box::pin(async { Ok(Self(body.await?)) })
    }
}

/// Reads a body of at most `most` bytes, within the time that the configuration allows.
fn collect(
    request: &HttpRequest,
    payload: &mut Payload,
    most: usize,
) -> impl Future<Output = Result<Bytes, Problem>> + use<> {
    let announced = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    // HTTP/2 need not say beforehand that there is a body.
    let untyped = !request.headers().contains_key(header::CONTENT_TYPE);
    let limit = request.app_data::<Data<Api>>().map(|api| api.timing.body).unwrap_or_default();
    let payload = payload.take();
    async move {
        if announced.is_some_and(|length| length > most) {
            return Err(too_large(most));
        }
        let Ok(body) = tokio::time::timeout(limit, read_all(payload, most)).await else {
            let detail = format!("the body did not arrive within {} s", limit.as_secs_f64());
            return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, detail).at(Limit::BodyDeadline));
        };
        match body {
            Ok(body) if untyped && !body.is_empty() => Err(Problem::untyped()),
            body => body,
        }
    }
}

async fn read_all(mut payload: Payload, most: usize) -> Result<Bytes, Problem> {
    let mut body = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk =
            chunk.map_err(|error| Problem::malformed(format!("the body broke off: {error}")))?;
        if body.len() + chunk.len() > most {
            return Err(too_large(most));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

fn too_large(most: usize) -> Problem {
    let detail = format!("the body is larger than {most} bytes");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail).at(Limit::Body)
}

impl Text {
    /// The text.
    ///
    /// # Errors
    /// - 400 for what is not UTF-8.
    pub(super) fn read(&self) -> Result<&str, Problem> {
        std::str::from_utf8(&self.0)
            .map_err(|error| Problem::malformed(format!("the body is not UTF-8: {error}")))
    }
}

impl Body {
    /// The body as `T`. Nothing at all, and `null`, are the same as an empty object.
    ///
    /// # Errors
    /// - 400 for what is not JSON, 422 for what is and does not fit; the sentence names the field.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        // Nearly all fit at once; what does not is read again, slowly, to say what is wrong with it.
        if self.0.first() == Some(&b'{')
            && let Ok(request) = serde_json::from_slice(&self.0)
        {
            return Ok(request);
        }
        let value = match serde_json::from_slice(if self.0.is_empty() { b"{}" } else { &self.0 }) {
            Ok(Value::Null) => Value::Object(serde_json::Map::new()),
            Ok(value @ Value::Object(_)) => value,
            Ok(_) => return Err(Problem::invalid("the body must be a JSON object")),
            Err(error) => return Err(Problem::malformed(format!("the body is not JSON: {error}"))),
        };
        serde_path_to_error::deserialize(value).map_err(|error| {
            let path = error.path().to_string();
            let text = error.into_inner();
            Problem::invalid(if path == "." { text.to_string() } else { format!("{path}: {text}") })
        })
    }
}

/// The key of a command with `id`: what was asked is part of it, so that the id can't be used for two things.
///
/// # Errors
/// - 422 for an id that is too long or empty.
pub(super) fn command_key<T: Serialize>(
    call: &str,
    id: Option<&String>,
    request: &T,
) -> Result<Option<CommandKey>, Problem> {
    let Some(id) = id else { return Ok(None) };
    if !(1..=COMMAND_ID_LENGTH).contains(&id.chars().count()) {
        let text = format!("commandId: 1 to {COMMAND_ID_LENGTH} characters are needed");
        return Err(Problem::invalid(text));
    }
    let request = serde_json::to_vec(request).expect("a request has string keys only");
    let digest = Sha256::new_with_prefix(call).chain_update([0]).chain_update(request).finalize();
    Ok(Some(CommandKey { id: id.clone(), digest: digest.into() }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
    use protocol::{AgentStart, MoveRequest, NewGame};

    use super::*;

    fn read<T: DeserializeOwned + std::fmt::Debug>(body: &'static str) -> Result<T, String> {
        Body(Bytes::from_static(body.as_bytes())).read().map_err(|problem| problem.to_string())
    }

    #[test]
    fn nothing_and_null_are_an_empty_request() {
        for body in ["", "null", "{}", " {} ", r#"{"other":1,"player":null}"#] {
            assert_eq!(read::<AgentStart>(body), Ok(AgentStart::default()), "{body}");
        }
    }

    #[test]
    fn what_is_not_json_is_malformed() {
        for body in ["{", "nope", r#"{"intervalSeconds":NaN}"#, "{} {}"] {
            let text = read::<AgentStart>(body).unwrap_err();
            assert!(text.starts_with("400 the body is not JSON: "), "{body}: {text}");
        }
        let text = read::<NewGame>(r#"{"seed":1e999}"#).unwrap_err();
        assert!(text.starts_with("400 the body is not JSON: number out of range"), "{text}");
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let check = |body, expected: &str| {
            let text = read::<MoveRequest>(body).unwrap_err();
            assert!(text.starts_with(expected), "{body}: {text}");
        };
        check("[]", "422 the body must be a JSON object");
        check("7", "422 the body must be a JSON object");
        check("{}", "422 missing field `direction`");
        check(r#"{"direction":5}"#, "422 direction: invalid type: integer `5`, expected a string");
        check(r#"{"direction":"UP","ifMoves":"3"}"#, "422 ifMoves: invalid type: string");
        check(r#"{"direction":"UP","ifMoves":-1}"#, "422 ifMoves: invalid value: integer `-1`");
        let text = read::<AgentStart>(r#"{"intervalSeconds":"1"}"#).unwrap_err();
        assert!(text.starts_with("422 intervalSeconds: invalid type: string"), "{text}");
        let text = read::<NewGame>(r#"{"grid":[[2,"4",0,0]]}"#).unwrap_err();
        assert!(text.starts_with("422 grid[0][1]: "), "{text}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused_in_one_sentence(bytes: Vec<u8>) {
            let refused = Body(Bytes::from(bytes)).read::<NewGame>().map_err(|problem| problem.to_string());
            if let Err(text) = refused {
                prop_assert!(text.starts_with("400 ") || text.starts_with("422 "), "{}", text);
                prop_assert_eq!(text.lines().count(), 1);
            }
        }

        #[test]
        fn any_value_in_any_field_is_read_or_refused_by_name(
            field in "seed|grid|commandId",
            value in r#"-?[0-9]{1,30}|"[a-z0-9]{0,30}"|true|\[(null,?)?\]|\{\}|1e[0-9]{1,3}"#,
        ) {
            let body = format!("{{\"{field}\":{value}}}");
            if let Err(problem) = Body(Bytes::from(body.clone())).read::<NewGame>() {
                let text = problem.to_string();
                let named = text.starts_with(&format!("422 {field}"));
                prop_assert!(named || text.starts_with("400 "), "{} {}", body, text);
            }
        }
    }

    #[test]
    fn a_command_is_known_by_its_call_and_its_body() {
        let key = |call, direction: &str| {
            let request = MoveRequest { direction: direction.to_owned(), ..MoveRequest::default() };
            command_key(call, Some(&"a".to_owned()), &request).unwrap().unwrap()
        };
        assert_eq!(key("move", "UP"), key("move", "UP"));
        assert_ne!(key("move", "UP"), key("move", "DOWN"));
        assert_ne!(key("move", "UP"), key("step", "UP"));
    }

    #[test]
    fn a_command_id_has_1_to_64_characters() {
        let key = |id: String| command_key("move", Some(&id), &());
        assert!(key("é".repeat(64)).unwrap().is_some());
        assert!(key(String::new()).is_err());
        assert!(key("a".repeat(65)).is_err());
        assert!(command_key("move", None, &()).unwrap().is_none());
    }
}
