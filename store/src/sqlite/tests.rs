//! The contract, and what only a file can go through.

use std::sync::Arc;

use super::{Durability, Sqlite};
use crate::{Store, contract};

#[tokio::test]
async fn sqlite_passes_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let numbers = std::cell::Cell::new(0);
    let fresh = || -> Arc<dyn Store> {
        numbers.set(numbers.get() + 1);
        let place = folder.path().join(numbers.get().to_string());
        Arc::new(Sqlite::open(&place, Durability::Process).unwrap())
    };
    contract::run(fresh).await;
}
