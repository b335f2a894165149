//! A board as a short text, to be copied, put into an address, or played on from.

use protocol::Grid;

/// What is no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{code:?} is not a position: it takes four rows of four numbers, such as 2.0.0.4-0.0.0.0-0.8.0.0-0.0.0.2"
)]
pub struct NoPosition {
    /// What was given.
    pub code: String,
}

/// "2.4.0.0-8.2.0.0-0.0.0.0-0.0.0.0": rows from the top, 0 for an empty square. The page writes the same.
pub fn code_of(grid: &[[Option<u32>; 4]; 4]) -> String {
    let row = |row: &[Option<u32>; 4]| row.map(|value| value.unwrap_or(0).to_string()).join(".");
    grid.each_ref().map(row).join("-")
}

/// What stands in a code; whether it is a board is for the server to say.
///
/// # Errors
/// - [`NoPosition`] for what is not four rows of four numbers
pub fn read(code: &str) -> Result<Grid, NoPosition> {
    let mut grid = [[None; 4]; 4];
    let no_position = || NoPosition { code: code.to_owned() };
    let rows: Vec<&str> = code.trim().split('-').collect();
    if rows.len() != 4 {
        return Err(no_position());
    }
    for (line, text) in grid.iter_mut().zip(rows) {
        let values: Vec<&str> = text.split('.').collect();
        if values.len() != 4 {
            return Err(no_position());
        }
        for (square, text) in line.iter_mut().zip(values) {
            let value: u64 = text.parse().map_err(|_error| no_position())?;
            *square = Some(value).filter(|value| *value != 0);
        }
    }
    Ok(Grid(grid))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_it_is_written() {
        let mut grid = [[None; 4]; 4];
        (grid[0][0], grid[0][1], grid[3][2]) = (Some(2), Some(131_072), Some(4));
        let code = code_of(&grid);
        assert_eq!(code, "2.131072.0.0-0.0.0.0-0.0.0.0-0.0.4.0");
        let Grid(again) = read(&code).unwrap();
        assert_eq!(again, grid.map(|row| row.map(|value| value.map(u64::from))));
    }

    #[test]
    fn what_is_no_code_is_named() {
        for code in [
            "",
            "2",
            "2.4-8",
            "2.4.0.0-8.2.0.0-0.0.0.0-0.0.0",
            "a.0.0.0-0.0.0.0-0.0.0.0-0.0.0.0",
            "-1.0.0.0-0.0.0.0-0.0.0.0-0.0.0.0",
        ] {
            assert_eq!(read(code).unwrap_err().code, code);
        }
        let said = read("x").unwrap_err().to_string();
        assert!(said.starts_with("\"x\" is not a position"), "{said}");
    }
}
