//! What the player `ntuple` has learned: one file, unpacked once for all that ask.

use std::{cell::OnceCell, path::PathBuf, sync::Arc};

use anyhow::{Context, Result};
use players::ntuple::{Network, Weights};

/// A file of weights, and its network once somebody has asked for it.
#[derive(Debug)]
pub(crate) struct Learned {
    file: PathBuf,
    network: OnceCell<Arc<Network>>,
}

impl Learned {
    /// The player's name.
    pub(crate) const NAME: &str = "ntuple";
    /// Where the weights that come with the server are in the repository.
    pub(crate) const SHIPPED: &str = "players/weights/ntuple.weights";

    pub(crate) const fn in_file(file: PathBuf) -> Self {
        Self { file, network: OnceCell::new() }
    }

    /// The network.
    pub(crate) fn network(&self) -> Result<Arc<Network>> {
        if let Some(network) = self.network.get() {
            return Ok(Arc::clone(network));
        }
        let context = || format!("the weights {}", self.file.display());
        let file = std::fs::read(&self.file).with_context(context)?;
        let unpacked = Weights::check(&file).and_then(|weights| weights.unpack());
        let network = Arc::new(unpacked.with_context(context)?);
        Ok(Arc::clone(self.network.get_or_init(|| network)))
    }
}

impl Default for Learned {
    fn default() -> Self {
        Self::in_file(Self::SHIPPED.into())
    }
}
