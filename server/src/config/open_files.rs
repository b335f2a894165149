//! How many streams the limit on open files leaves room for.

use std::fs;

/// What is assumed where the limit can't be read: the smallest that a desktop system starts a program with.
const ASSUMED: usize = 256;

/// Three quarters of the limit on open files: the rest is for the store, other requests and connections on their way out.
pub fn streams_that_fit() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    (soft_limit(&limits).unwrap_or(ASSUMED) / 4 * 3).max(1)
}

/// The soft limit in the text of `/proc/self/limits`. `None` where there is no such line or no limit.
fn soft_limit(limits: &str) -> Option<usize> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soft_limit_is_the_first_number_of_its_line() {
        let text = "Limit                     Soft Limit           Hard Limit           Units\n\
                    Max processes             95684                95684                processes\n\
                    Max open files            20000                524288               files\n";
        assert_eq!(soft_limit(text), Some(20_000));
        assert_eq!(soft_limit("Max open files unlimited unlimited files"), None);
        assert_eq!(soft_limit(""), None);
    }
}
