//! The page comes with the server.

use reqwest::{Method, header};

use crate::table::{Reply, Table};

#[tokio::test]
async fn the_page_and_its_files_are_there() {
    let table = Table::open();
    let index = table.get("/").await;
    assert_eq!(index.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(table.get("/s/0f3c5e9a7b1d2c4e6f8091a2b3c4d5e6").await.text, index.text);
    let named = index.text.split('"').filter(|text| text.starts_with('/'));
    let files: Vec<_> = named.collect();
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        let reply = table.get(file).await;
        assert_eq!(reply.status, 200, "{file}");
        assert_ne!(reply.header("content-type"), "application/octet-stream", "{file}");
    }
}

#[tokio::test]
async fn a_file_that_did_not_change_is_not_sent_again() {
    let table = Table::open();
    let first = table.get("/main.js").await;
    assert_eq!(first.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(first.header("cache-control"), "no-cache");
    let tag = first.header("etag");
    let again = |tag: &str| {
        Reply::of(table.request(Method::GET, "/main.js").header(header::IF_NONE_MATCH, tag))
    };
    let same = again(tag).await;
    assert_eq!((same.status.as_u16(), same.text.as_str()), (304, ""));
    assert_eq!(again("\"older\"").await.status, 200);
}
