//! The network that the player `ntuple` judges by: its file is checked when the server starts, and unpacked when somebody
//! first asks for a move. Then all sessions share it.

use std::{
    borrow::Cow,
    path::Path,
    sync::{Arc, OnceLock},
};

use players::{
    Decision, Limits, Player, Position,
    ntuple::{self, NTuple, Plies, Weights},
};
use rust_embed::RustEmbed;

/// The player's name in calls.
pub const NAME: &str = "ntuple";
/// Its title for people.
pub const TITLE: &str = "N-tuple network (learned)";

/// What comes with the server.
#[derive(RustEmbed)]
#[folder = "../players/weights/"]
#[include = "*.weights"]
struct Shipped;

impl Shipped {
    const FILE: &'static str = "ntuple.weights";
}

/// A file of weights that is in order, and the network when it is unpacked.
pub struct Network {
    file: Cow<'static, [u8]>,
    bytes: usize,
    unpacked: OnceLock<Result<Arc<ntuple::Network>, String>>,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl Network {
    /// The network of the file at `path`, or the one that comes with the server.
    ///
    /// # Errors
    /// - One sentence that names the file and says what is wrong with it, or that there is none.
    pub fn open(path: Option<&Path>) -> Result<Arc<Self>, String> {
        let Some(path) = path else {
            let file = Shipped::get(Shipped::FILE).ok_or("this build has no weights for it")?;
            return Self::checked(file.data, "that come with the server");
        };
        let name = path.display().to_string();
        let file = std::fs::read(path)
            .map_err(|error| format!("the weights {name} cannot be read: {error}"))?;
        Self::checked(file.into(), &name)
    }

    fn checked(file: Cow<'static, [u8]>, name: &str) -> Result<Arc<Self>, String> {
        let weights = Weights::check(&file)
            .map_err(|error| format!("the weights {name} cannot be used: {error}"))?;
        let bytes = weights.bytes();
        Ok(Arc::new(Self { file, bytes, unpacked: OnceLock::new() }))
    }

    /// The memory that it takes once it is unpacked.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Unpacks it, once; takes about half a second.
    fn unpack(&self) -> Result<Arc<ntuple::Network>, String> {
        let unpack = || {
            let weights = Weights::check(&self.file).and_then(|weights| weights.unpack());
            weights.map(Arc::new).map_err(|error| error.to_string())
        };
        self.unpacked.get_or_init(unpack).clone()
    }
}

/// A player that unpacks its network for its first move, since it thinks where it may take its time.
#[derive(Debug)]
pub(crate) struct Learned {
    network: Arc<Network>,
    player: Option<NTuple>,
}

impl Learned {
    pub(crate) fn new(network: Arc<Network>) -> Self {
        Self { network, player: None }
    }
}

impl Player for Learned {
    /// # Panics
    /// When the network cannot be unpacked for lack of memory: the agent stops with that reason, and the game goes on.
    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Decision {
        let unpack = || match self.network.unpack() {
            Ok(network) => NTuple::new(network, Plies::AsTimeAllows),
            Err(error) => panic!("{error}"),
        };
        self.player.get_or_insert_with(unpack).choose(position, limits)
    }
}
