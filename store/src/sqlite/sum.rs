//! A check sum for each row: SQLite notices a damaged tree, but not a changed digit.

/// Adds up the columns of one row; every change of a single byte changes the sum.
#[derive(Debug, Default)]
pub(super) struct Sum(crc32fast::Hasher);

impl Sum {
    pub(super) fn int(mut self, value: i64) -> Self {
        self.0.update(&value.to_le_bytes());
        self
    }

    pub(super) fn bytes(mut self, value: &[u8]) -> Self {
        self.0.update(value);
        self.0.update(&value.len().to_le_bytes());
        self
    }

    pub(super) fn text(self, value: &str) -> Self {
        self.bytes(value.as_bytes())
    }

    /// A column that may be null.
    pub(super) fn maybe<T>(self, value: Option<T>, add: impl FnOnce(Self, T) -> Self) -> Self {
        match value {
            Some(value) => add(self.int(1), value),
            None => self.int(0),
        }
    }

    pub(super) fn done(self) -> i64 {
        i64::from(self.0.finalize())
    }
}
