//! The tree of the search, in one arena.

use engine::{Board, Cell, Direction, Random, Tile};

use super::{Scaling, Settings};
use crate::rollout::{Reward, Turn, Watch, random_spawn};

/// Where a node is in the arena.
type Id = u32;

/// What leads to a node from its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edge {
    /// Nothing: the root, a position to move on.
    Root,
    /// A direction: the node waits for a tile.
    Slide(Direction),
    /// A tile on a square: the node is a position to move on.
    Spawn(Cell, Tile),
}

/// The children of a node are a list, since a spawn node has up to thirty and gets each one when it first appears.
#[derive(Debug, Clone, Copy)]
struct Node {
    board: Board,
    edge: Edge,
    first_child: Option<Id>,
    next_sibling: Option<Id>,
    /// Rewards of the slides from the root to here.
    banked: f64,
    visits: u32,
    /// Sum of what the visits gave.
    total: f64,
}

impl Node {
    fn new(board: Board, edge: Edge, banked: f64) -> Self {
        Self { board, edge, first_child: None, next_sibling: None, banked, visits: 0, total: 0.0 }
    }

    fn mean(&self) -> f64 {
        self.total / f64::from(self.visits)
    }

    fn turn(&self) -> Turn {
        match self.edge {
            Edge::Slide(_) => Turn::Spawn,
            Edge::Spawn(..) | Edge::Root => Turn::Move,
        }
    }
}

/// What the search found out about one legal direction of the root.
#[derive(Debug, Clone, Copy)]
pub(super) struct Branch {
    pub(super) direction: Direction,
    pub(super) visits: u32,
    /// Sum of the rewards of its visits, counted from the root.
    pub(super) total: f64,
}

impl Branch {
    pub(super) fn mean(&self) -> f64 {
        self.total / f64::from(self.visits)
    }
}

/// The standard deviation of numbers as they come.
#[derive(Debug, Clone, Copy, Default)]
struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Spread {
    /// One more, by Welford's method.
    fn add(&mut self, number: f64) {
        self.count += 1.0;
        let from_mean = number - self.mean;
        self.mean += from_mean / self.count;
        self.squares += from_mean * (number - self.mean);
    }

    /// 0 of less than two numbers.
    fn deviation(&self) -> f64 {
        if self.count < 2.0 { 0.0 } else { (self.squares / (self.count - 1.0)).sqrt() }
    }
}

/// The positions looked at and how they turned out. Node 0 is the root.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The most nodes. A full tree is still searched, it only grows no more.
    capacity: usize,
    reward: Reward,
    /// The nodes of the walk under way, the root first.
    path: Vec<Id>,
    depth: u32,
    /// How far apart the rewards of the visits are.
    spread: Spread,
}

impl Default for Tree {
    /// A tree that stays below 200 MB.
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            capacity: 1 << 21,
            reward: Reward::default(),
            path: Vec::new(),
            depth: 0,
            spread: Spread::default(),
        }
    }
}

impl Tree {
    /// Begins a new tree: `board`, and what its legal directions make of it.
    pub(super) fn plant(&mut self, board: Board, reward: Reward) {
        self.nodes.clear();
        self.nodes.push(Node::new(board, Edge::Root, 0.0));
        self.reward = reward;
        self.depth = 0;
        self.spread = Spread::default();
        self.expand_slides(0);
    }

    /// Goes on with what is known of `board`, which a slide and a spawn made of the root; `false`, and nothing changed,
    /// when that is nothing.
    pub(super) fn regrow(&mut self, board: Board, counts_banked: bool) -> bool {
        if self.nodes.is_empty() {
            return false;
        }
        let known = self
            .children(0)
            .flat_map(|child| self.children(child))
            .find(|&id| self.node(id).board == board && self.node(id).visits > 0);
        let Some(root) = known else { return false };
        let old = std::mem::take(&mut self.nodes);
        let Node { banked, .. } = old[root as usize];
        self.nodes.push(Node { edge: Edge::Root, next_sibling: None, ..old[root as usize] });
        // Breadth first: a node's children are copied, in their order, when its turn comes.
        let mut next = 0;
        while next < self.nodes.len() {
            let mut child = self.nodes[next].first_child;
            let mut last = None;
            while let Some(from) = child {
                let id = self.nodes.len() as Id;
                match last {
                    None => self.nodes[next].first_child = Some(id),
                    Some(last) => self.nodes[last as usize].next_sibling = Some(id),
                }
                last = Some(id);
                child = old[from as usize].next_sibling;
                self.nodes.push(Node { next_sibling: None, ..old[from as usize] });
            }
            let node = &mut self.nodes[next];
            // Rewards are counted from the new root.
            node.banked -= banked;
            if counts_banked {
                node.total -= banked * f64::from(node.visits);
            }
            next += 1;
        }
        self.depth = 0;
        self.spread = Spread::default();
        self.expand_slides(0);
        true
    }

    /// Whether a legal direction of the root has not been visited at all.
    pub(super) fn has_untried_direction(&self) -> bool {
        self.children(0).any(|id| self.node(id).visits == 0)
    }

    /// One visit: walks down to a node that is new, judges it by rollouts, and tells all nodes on the way.
    pub(super) fn grow(&mut self, settings: &Settings, watch: &mut Watch<'_>, random: &mut Random) {
        self.descend(settings, random);
        let leaf = self.node(*self.path.last().expect("a walk begins at the root"));
        // A branch without a future is judged where it stands, and left to be out-competed.
        let from = (leaf.board, leaf.turn());
        let reward = settings.judge.worth(from, leaf.banked, &settings.rollouts, watch, random);
        for &id in &self.path {
            let node = &mut self.nodes[id as usize];
            node.visits += 1;
            node.total += reward;
        }
        self.depth = self.depth.max(self.path.len() as u32 - 1);
        self.spread.add(reward);
    }

    /// The legal directions of the root, in order.
    pub(super) fn branches(&self) -> Vec<Branch> {
        self.children(0)
            .filter_map(|id| match (self.node(id).edge, self.node(id)) {
                (Edge::Slide(direction), node) => {
                    Some(Branch { direction, visits: node.visits, total: node.total })
                }
                (Edge::Spawn(..) | Edge::Root, _) => None,
            })
            .collect()
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The deepest level visited, in plies from the root: a slide and a spawn are two.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// Walks from the root to the node to judge: the first one that is new, dead, or without room to grow.
    fn descend(&mut self, settings: &Settings, random: &mut Random) {
        let mut id = 0;
        self.path.clear();
        self.path.push(id);
        while let Some(child) = self.step_down(id, settings, random) {
            id = child;
            self.path.push(id);
            if self.node(id).visits == 0 {
                return;
            }
        }
    }

    /// The child of `id` to go on with.
    fn step_down(&mut self, id: Id, settings: &Settings, random: &mut Random) -> Option<Id> {
        match self.node(id).turn() {
            Turn::Spawn if settings.sample_spawn => self.sampled_spawn(id, random),
            Turn::Spawn => {
                self.expand_spawns(id);
                self.most_promising(id, self.exploration(settings))
            }
            Turn::Move => {
                self.expand_slides(id);
                self.most_promising(id, self.exploration(settings))
            }
        }
    }

    /// The C of UCB1.
    fn exploration(&self, settings: &Settings) -> f64 {
        match settings.scaling {
            Scaling::Fixed => settings.exploration,
            Scaling::Spread => settings.exploration * self.spread.deviation(),
        }
    }

    /// The child with the highest UCB1, the first one that is new before all others.
    fn most_promising(&self, id: Id, exploration: f64) -> Option<Id> {
        let log_visits = f64::from(self.node(id).visits.max(1)).ln();
        let mut best = None;
        for child in self.children(id) {
            let node = self.node(child);
            if node.visits == 0 {
                return Some(child);
            }
            let bound = node.mean() + exploration * (log_visits / f64::from(node.visits)).sqrt();
            if best.is_none_or(|(_, highest)| bound > highest) {
                best = Some((child, bound));
            }
        }
        best.map(|(child, _)| child)
    }

    /// The child that the game would drop now, made if it is new.
    fn sampled_spawn(&mut self, id: Id, random: &mut Random) -> Option<Id> {
        let (board, banked) = (self.node(id).board, self.node(id).banked);
        let (cell, tile) = random_spawn(&board, random)?;
        let edge = Edge::Spawn(cell, tile);
        let known = self.children(id).find(|&child| self.node(child).edge == edge);
        if known.is_none() && self.nodes.len() < self.capacity {
            self.adopt(id, Node::new(board.with(cell, tile), edge, banked));
            return self.node(id).first_child;
        }
        known
    }

    /// Makes the child of every legal direction, unless that has been done.
    fn expand_slides(&mut self, id: Id) {
        let Node { board, banked, first_child, .. } = *self.node(id);
        if first_child.is_some() || self.nodes.len() + 4 > self.capacity {
            return;
        }
        // Each new child becomes the first, so the last direction is adopted first.
        for direction in Direction::ALL.into_iter().rev() {
            if let Some(slide) = board.slide(direction) {
                let banked = banked + self.reward.of(&slide);
                self.adopt(id, Node::new(slide.board, Edge::Slide(direction), banked));
            }
        }
    }

    /// Makes the child of every tile on every empty square, unless that has been done.
    fn expand_spawns(&mut self, id: Id) {
        let Node { board, banked, first_child, .. } = *self.node(id);
        if first_child.is_some() || self.nodes.len() + 32 > self.capacity {
            return;
        }
        for cell in board.empty_cells() {
            for tile in [Tile::FOUR, Tile::TWO] {
                self.adopt(id, Node::new(board.with(cell, tile), Edge::Spawn(cell, tile), banked));
            }
        }
    }

    /// Puts `child` at the head of the children of `parent`.
    fn adopt(&mut self, parent: Id, child: Node) {
        let id = self.nodes.len() as Id;
        let next_sibling = self.nodes[parent as usize].first_child.replace(id);
        self.nodes.push(Node { next_sibling, ..child });
    }

    fn children(&self, id: Id) -> impl Iterator<Item = Id> {
        std::iter::successors(self.node(id).first_child, |&child| self.node(child).next_sibling)
    }

    fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rollouts, testing};

    /// The tree after so many visits from `board`.
    fn grown(board: &str, settings: &Settings, visits: u32) -> Tree {
        grown_in(Tree::default(), board, settings, visits)
    }

    fn grown_in(mut tree: Tree, board: &str, settings: &Settings, visits: u32) -> Tree {
        let limits = testing::nodes(u64::MAX, 0);
        let mut watch = Watch::new(&limits);
        let mut random = Random::new(5);
        tree.plant(board.parse().unwrap(), settings.rollouts.reward);
        for _ in 0..visits {
            tree.grow(settings, &mut watch, &mut random);
        }
        tree
    }

    fn quick() -> Settings {
        Settings {
            rollouts: Rollouts { per_node: 1, ..Rollouts::default() },
            ..Settings::default()
        }
    }

    /// After either of its two directions, nearly every tile ends the game.
    const CROWDED: &str = "2 4 8 16 4 8 16 32 8 16 32 64 32 64 2 2";

    #[test]
    fn layers_alternate_and_visits_add_up() {
        let tree = grown("64 32 16 8 4 2 . . 2 . . . . . . .", &quick(), 3_000);
        assert_eq!(tree.node(0).visits, 3_000);
        for (id, node) in tree.nodes.iter().enumerate() {
            let children: Vec<&Node> = tree.children(id as Id).map(|id| tree.node(id)).collect();
            assert!(children.iter().all(|child| child.turn() != node.turn()));
            let below: u32 = children.iter().map(|child| child.visits).sum();
            // A node other than the root was judged once itself, before it had children.
            let itself = u32::from(id > 0 && node.visits > 0);
            assert!(children.is_empty() || below == node.visits - itself);
            match node.turn() {
                Turn::Move => assert!(children.len() <= 4),
                Turn::Spawn => assert!(children.len() <= 2 * node.board.empty_count()),
            }
        }
    }

    #[test]
    fn a_full_tree_is_still_searched() {
        for sample_spawn in [true, false] {
            let small = Tree { capacity: 60, ..Tree::default() };
            let settings = Settings { sample_spawn, ..quick() };
            let tree = grown_in(small, "64 32 16 8 4 2 . . 2 . . . . . . .", &settings, 1_000);
            assert!((30..=60).contains(&tree.len()), "{}", tree.len());
            assert_eq!(tree.node(0).visits, 1_000);
        }
    }

    #[test]
    fn banked_points_are_those_of_the_slides_above() {
        let tree = grown("2 2 4 8 2 . . . . . . . . . . .", &quick(), 2_000);
        for (id, node) in tree.nodes.iter().enumerate() {
            for child in tree.children(id as Id).map(|id| tree.node(id)) {
                let gained = match child.edge {
                    Edge::Slide(direction) => node.board.slide(direction).unwrap().gained,
                    Edge::Spawn(..) | Edge::Root => 0,
                };
                assert!((child.banked - node.banked - f64::from(gained)).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn tiles_appear_in_the_tree_as_often_as_the_game_drops_them() {
        let tree = grown("64 32 16 8 4 2 . . 2 . . . . . . .", &quick(), 20_000);
        let (mut fours, mut all) = (0, 0);
        for (node, visits) in tree.nodes.iter().map(|node| (node, node.visits)) {
            if let Edge::Spawn(_, tile) = node.edge {
                all += visits;
                fours += visits * u32::from(tile == Tile::FOUR);
            }
        }
        let share = f64::from(fours) / f64::from(all);
        assert!((0.09..0.11).contains(&share), "{share}");
    }

    #[test]
    fn a_spawn_that_is_chosen_and_not_sampled_has_all_its_tiles() {
        let settings = Settings { sample_spawn: false, ..quick() };
        let tree = grown(CROWDED, &settings, 500);
        for (id, node) in tree.nodes.iter().enumerate() {
            let children = tree.children(id as Id).count();
            if node.turn() == Turn::Spawn && node.visits > 1 {
                assert_eq!(children, 2 * node.board.empty_count());
            }
        }
    }

    #[test]
    fn a_dead_branch_does_not_end_the_search() {
        let tree = grown(CROWDED, &quick(), 5_000);
        let is_dead = |node: &&Node| node.turn() == Turn::Move && node.board.is_over();
        let dead = tree.nodes.iter().filter(is_dead).count();
        assert!(dead > 0, "the position was meant to have dead ends");
        assert_eq!(tree.node(0).visits, 5_000);
        assert!(tree.branches().iter().all(|branch| branch.visits > 0));
    }

    #[test]
    fn a_subtree_goes_on_as_a_tree_of_its_own() {
        let mut tree = grown("2 2 4 8 2 . . . . . . . . . . .", &quick(), 3_000);
        let known = |tree: &Tree| {
            let grandchildren: Vec<Id> =
                tree.children(0).flat_map(|child| tree.children(child)).collect();
            *tree.node(*grandchildren.iter().max_by_key(|&&id| tree.node(id).visits).unwrap())
        };
        let kept = known(&tree);
        assert!(kept.visits > 10 && kept.banked > 0.0, "{kept:?}");
        assert!(!tree.regrow(Board::EMPTY, true));
        assert_eq!(tree.node(0).visits, 3_000);
        assert!(tree.regrow(kept.board, true));
        let root = *tree.node(0);
        assert_eq!((root.board, root.visits), (kept.board, kept.visits));
        assert!((root.mean() - (kept.mean() - kept.banked)).abs() < 1e-6);
        for (id, node) in tree.nodes.iter().enumerate() {
            let below: u32 = tree.children(id as Id).map(|id| tree.node(id).visits).sum();
            assert!(below == 0 || below == node.visits - 1, "{node:?}");
            for child in tree.children(id as Id).map(|id| tree.node(id)) {
                let gained = match child.edge {
                    Edge::Slide(direction) => node.board.slide(direction).unwrap().gained,
                    Edge::Spawn(..) | Edge::Root => 0,
                };
                assert!((child.banked - node.banked - f64::from(gained)).abs() < 1e-9);
            }
        }
        let limits = testing::nodes(u64::MAX, 0);
        tree.grow(&quick(), &mut Watch::new(&limits), &mut Random::new(1));
        assert_eq!(tree.node(0).visits, kept.visits + 1);
    }

    #[test]
    fn a_spread_is_the_standard_deviation() {
        let mut spread = Spread::default();
        for number in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
            spread.add(number);
        }
        assert!((spread.deviation() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_dead_board_is_worth_what_is_banked() {
        let tree = grown(CROWDED, &quick(), 5_000);
        for node in tree.nodes.iter().filter(|node| node.turn() == Turn::Move && node.visits > 0) {
            if node.board.is_over() {
                assert!((node.mean() - node.banked).abs() < 1e-6);
            }
        }
    }
}
