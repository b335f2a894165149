//! A player asked for a move, on paper: with luck and time that the scenario controls.

use std::{
    fs,
    path::Path,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use engine::{Direction, Game};
use players::{
    Clock, Corner, Decision, Limits, Player, Position, Rules, find,
    ntuple::{NTuple, Network, Plies, Weights},
};

/// What a player answered, and how it was asked.
#[derive(Debug)]
pub(crate) struct Thought {
    player: String,
    position: Position,
    budget: Option<Duration>,
    pub(crate) decision: Decision,
    /// What the clock said in the end.
    pub(crate) elapsed: Duration,
}

/// Work of one decision when its time is not limited: a fraction of what the searches usually do.
const NODES: u64 = 400;

/// The luck that players are asked with unless the scenario varies it.
const LUCK: u64 = 3;

impl Thought {
    /// Asks the player called `name` about the game, with `budget` of time or with little work to do.
    pub(crate) fn of(name: &str, game: &Game, budget: Option<Duration>) -> Self {
        Self::about(name, Position::of(game), budget)
    }

    fn about(name: &str, position: Position, budget: Option<Duration>) -> Self {
        let clock = Ticking::default();
        let decision = ask(&mut *seat(name), &position, budget, LUCK, &clock);
        Self { player: name.to_owned(), position, budget, decision, elapsed: clock.now() }
    }

    /// The same player asked the same once more.
    pub(crate) fn again(&self) -> Self {
        Self::about(&self.player, self.position.clone(), self.budget)
    }

    /// Whether the answer is among the open moves.
    pub(crate) fn is_open(&self) -> bool {
        self.decision.direction.is_some_and(|choice| self.position.board.legal().contains(choice))
    }

    /// What the player says about its answer.
    pub(crate) fn words(&self) -> String {
        [&self.decision.fallback, &self.decision.detail].into_iter().flatten().cloned().collect()
    }

    /// The time it had.
    pub(crate) fn budget(&self) -> Duration {
        self.budget.expect("the player was asked with a time")
    }

    /// The shares it gives, if any: one for each open move and for no other.
    pub(crate) fn shares(&self) -> Option<Vec<f64>> {
        let shares = self.decision.probabilities?;
        for direction in Direction::ALL {
            let open = self.position.board.legal().contains(direction);
            assert_eq!(shares[direction.index()].is_some(), open, "{direction}: {shares:?}");
        }
        Some(shares.into_iter().flatten().collect())
    }
}

/// Plays the game to its end as the player called `name` would.
pub(crate) fn play_out(name: &str, game: &mut Game) {
    let mut player = seat(name);
    while !game.board().is_over() {
        let luck = u64::from(game.moves());
        let position = Position::of(game);
        let choice = ask(&mut *player, &position, None, luck, &Ticking::default()).direction;
        let choice = choice.expect("a player moves while it can");
        game.play(choice).expect("a player plays open moves");
    }
}

/// How often each direction is picked on the game's board in `count` choices, each with other luck.
pub(crate) fn picks(name: &str, game: &Game, count: u64) -> [u64; 4] {
    let (mut player, position) = (seat(name), Position::of(game));
    let mut picked = [0; 4];
    for luck in 0..count {
        let choice = ask(&mut *player, &position, None, luck, &Ticking::default()).direction;
        picked[choice.expect("a player moves while it can").index()] += 1;
    }
    picked
}

fn ask(
    player: &mut dyn Player,
    position: &Position,
    budget: Option<Duration>,
    seed: u64,
    clock: &Ticking,
) -> Decision {
    let nodes = if budget.is_some() { None } else { Some(NODES) };
    let limits = Limits { budget, nodes, clock, stop: &AtomicBool::new(false), seed };
    player.choose(position, &limits)
}

/// The player called `name`; "rules for the bottom left corner" is one, too.
fn seat(name: &str) -> Box<dyn Player> {
    match name {
        "rules for the top left corner" => Box::new(Rules::new(Corner::TopLeft)),
        "rules for the top right corner" => Box::new(Rules::new(Corner::TopRight)),
        "rules for the bottom left corner" => Box::new(Rules::new(Corner::BottomLeft)),
        "rules for the bottom right corner" => Box::new(Rules::new(Corner::BottomRight)),
        "ntuple" => Box::new(NTuple::new(Arc::clone(&NETWORK), Plies::AsTimeAllows)),
        _ => (find(name).expect("the player is known").build)(),
    }
}

/// What the learned player has learned: the file that comes with the server.
static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../players/weights/ntuple.weights");
    let file = fs::read(file).expect("the weights are there");
    let weights = Weights::check(&file).expect("the weights are in order");
    Arc::new(weights.unpack().expect("there is memory for the weights"))
});

/// A clock on which a millisecond passes whenever somebody looks at it: no scenario waits.
#[derive(Default)]
struct Ticking(AtomicU64);

impl Ticking {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::Relaxed))
    }
}

impl Clock for Ticking {
    fn elapsed(&self) -> Duration {
        self.0.fetch_add(1, Ordering::Relaxed);
        self.now()
    }
}
