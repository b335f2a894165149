//! A network to test with.

use std::sync::{Arc, OnceLock};

use super::{About, Learner, Memory, Method, Network, Weights, write};

/// A network that has learned a little, through its file; the same for all tests of a process.
pub(crate) fn small_network() -> Arc<Network> {
    static NETWORK: OnceLock<Arc<Network>> = OnceLock::new();
    let train = || {
        let memory = Memory::new(Method::Tc, &[], 0.0).unwrap();
        let mut learner = Learner::new(&memory, 1.0);
        for game in 0..600 {
            learner.learn(game);
        }
        let weights = memory.quantised(1.0);
        let about = About { step: 1.0, ..About::default() };
        let file = write(&weights, &about, 1).unwrap();
        Arc::new(Weights::check(&file).unwrap().unpack().unwrap())
    };
    Arc::clone(NETWORK.get_or_init(train))
}
