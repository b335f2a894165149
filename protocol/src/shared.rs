//! Lists that many states share; on the wire they are lists like any other.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) fn serialize<T: Serialize, S: Serializer>(
    list: &Arc<[T]>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    list.as_ref().serialize(serializer)
}

pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Arc<[T]>, D::Error> {
    Vec::deserialize(deserializer).map(Arc::from)
}
