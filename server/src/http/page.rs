//! The browser page, which is part of the binary.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header},
    web,
};
use rust_embed::RustEmbed;

use super::{api::read, error::Problem};

/// What lies in `static/`, without what only its tests need.
#[derive(RustEmbed)]
#[folder = "../static"]
#[exclude = "tests/*"]
#[exclude = "node_modules/*"]
#[exclude = "*.json"]
#[exclude = ".*"]
struct Files;

/// `/`, `/s/<id>` and `/w/<link>` are the page, `/<file>` what it consists of.
pub(super) fn routes(config: &mut web::ServiceConfig) {
    config
        .service(web::resource("/").route(read().to(index)))
        .service(web::resource("/s/{id}").route(read().to(index)))
        .service(web::resource("/w/{link}").route(read().to(index)))
        .service(web::resource("/{file}").route(read().to(file)));
}

async fn index(request: HttpRequest) -> Result<HttpResponse, Problem> {
    serve(&request, "index.html")
}

async fn file(request: HttpRequest, name: web::Path<String>) -> Result<HttpResponse, Problem> {
    serve(&request, &name)
}

/// A file, or that it did not change: the reader asks each time, so that a newer server's page is seen at once.
fn serve(request: &HttpRequest, name: &str) -> Result<HttpResponse, Problem> {
    let file = Files::get(name).ok_or_else(|| Problem::of_status(StatusCode::NOT_FOUND, None))?;
    let hash = file.metadata.sha256_hash();
    let (short, _) = hash.split_first_chunk().expect("a SHA-256 has 32 bytes");
    let tag = format!("\"{:016x}\"", u64::from_be_bytes(*short));
    let known = request.headers().get(header::IF_NONE_MATCH);
    let known = known.and_then(|tags| tags.to_str().ok()).is_some_and(|tags| matches(tags, &tag));
    let mut answer = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    answer.insert_header((header::ETAG, tag)).insert_header((header::CACHE_CONTROL, "no-cache"));
    if known {
        return Ok(answer.finish());
    }
    Ok(answer.content_type(content_type(name)).body(file.data.into_owned()))
}

/// Whether one of the `tags` of a request is `tag`.
fn matches(tags: &str, tag: &str) -> bool {
    let same = |given: &str| given == "*" || given.strip_prefix("W/").unwrap_or(given) == tag;
    tags.split(',').any(|given| same(given.trim()))
}

fn content_type(name: &str) -> String {
    let kind = mime_guess::from_path(name).first_or_octet_stream();
    let text = kind.type_() == mime_guess::mime::TEXT;
    if text { format!("{kind}; charset=utf-8") } else { kind.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_styles_and_pictures_are_called_so() {
        assert_eq!(content_type("index.html"), "text/html; charset=utf-8");
        assert_eq!(content_type("main.js"), "text/javascript; charset=utf-8");
        assert_eq!(content_type("theme.css"), "text/css; charset=utf-8");
        assert_eq!(content_type("icon.svg"), "image/svg+xml");
    }

    #[test]
    fn a_tag_is_found_among_others() {
        assert!(matches("\"a\", W/\"b\"", "\"b\""));
        assert!(matches("*", "\"b\""));
        assert!(!matches("\"bb\"", "\"b\""));
    }

    #[test]
    fn the_page_is_there_and_its_tests_are_not() {
        assert!(Files::get("index.html").is_some());
        let leaves = |name: &str| {
            name.contains('/')
                || std::path::Path::new(name).extension().is_some_and(|kind| kind == "json")
                || name.starts_with('.')
        };
        assert_eq!(Files::iter().find(|name| leaves(name)), None);
    }
}
