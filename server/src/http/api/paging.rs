//! Lists in pages.

use crate::http::error::Problem;

/// Items of a page when nobody says how many.
const LIMIT: usize = 50;

/// The most items of a page.
const LONGEST: usize = 200;

/// How many items a page is to have.
///
/// # Errors
/// - 422 unless it is a number from 1 to 200.
pub(super) fn limit(text: Option<&str>) -> Result<usize, Problem> {
    let Some(text) = text else { return Ok(LIMIT) };
    let number = text.parse().ok().filter(|limit| (1..=LONGEST).contains(limit));
    number.ok_or_else(|| Problem::invalid(format!("limit: a number from 1 to {LONGEST} is needed")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_1_to_200_items() {
        assert_eq!(limit(None).unwrap(), 50);
        assert_eq!(limit(Some("200")).unwrap(), 200);
        for wrong in ["0", "201", "-1", "many", ""] {
            assert!(limit(Some(wrong)).is_err(), "{wrong}");
        }
    }
}
