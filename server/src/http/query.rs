//! What stands behind the `?` of an address, with a sentence for what does not fit.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::Problem;

/// The parameters of a call. One that the call knows and that is given twice is refused by its name.
#[derive(Debug)]
pub(super) struct Query<T>(pub(super) T);

/// The parameters of a stream, which never fails for them: a browser that is refused a stream does not come back.
/// Of those given twice the last counts.
#[derive(Debug)]
pub(super) struct Wish<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(strict(request.query_string()).map(Self))
    }
}

impl<T: DeserializeOwned + Default> FromRequest for Wish<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(lenient(request.query_string()))))
    }
}

fn strict<T: DeserializeOwned>(query: &str) -> Result<T, Problem> {
    let mut map = Map::new();
    for (name, value) in pairs(query) {
        // What is given twice becomes a list, which no parameter is; those that nobody knows stay unread.
        let value = match map.remove(&name) {
            Some(_) => Value::Array(Vec::new()),
            None => Value::String(value),
        };
        map.insert(name, value);
    }
    serde_path_to_error::deserialize(Value::Object(map))
        .map_err(|error| Problem::invalid(format!("{}: give it once", error.path())))
}

fn lenient<T: DeserializeOwned + Default>(query: &str) -> T {
    let map = pairs(query).into_iter().map(|(name, value)| (name, Value::String(value)));
    serde_json::from_value(Value::Object(map.collect())).unwrap_or_default()
}

fn pairs(query: &str) -> Vec<(String, String)> {
    web::Query::<Vec<(String, String)>>::from_query(query)
        .map(web::Query::into_inner)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Known {
        a_b: Option<String>,
        c: Option<String>,
    }

    fn known(a_b: Option<&str>, c: Option<&str>) -> Known {
        Known { a_b: a_b.map(str::to_owned), c: c.map(str::to_owned) }
    }

    #[test]
    fn what_is_given_twice_is_named() {
        let read = |query| strict::<Known>(query).map_err(|problem| problem.to_string());
        assert_eq!(read(""), Ok(known(None, None)));
        assert_eq!(read("aB=1%202&other=3&other=4"), Ok(known(Some("1 2"), None)));
        assert_eq!(read("aB=1&c=2&aB=1"), Err("422 aB: give it once".to_owned()));
        assert_eq!(read("c=1&c=2&c=3"), Err("422 c: give it once".to_owned()));
    }

    #[test]
    fn a_stream_takes_the_last() {
        assert_eq!(lenient::<Known>("c=1&c=2&%ff=%fe"), known(None, Some("2")));
        assert_eq!(lenient::<Known>("&&=&c"), known(None, Some("")));
    }
}
