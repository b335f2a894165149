//! What the unit tests of the commands share.

use clap::Args;

/// The options of a command that is called with these words.
pub(crate) fn parsed<O: Args>(words: &[&str]) -> O {
    #[derive(clap::Parser)]
    struct Parser<O: Args> {
        #[command(flatten)]
        options: O,
    }
    <Parser<O> as clap::Parser>::parse_from(std::iter::once(&"lab").chain(words)).options
}
