//! How one position becomes the next on the screen: where every tile is, at every moment.
//!
//! All of it follows from the server's transition; nothing here knows what slides or merges.

use std::time::Duration;

use protocol::{Position, Slide, State};

const SLIDE: Duration = Duration::from_millis(100);
const POP: Duration = Duration::from_millis(200);
/// "+8" floats up.
const FLOAT: Duration = Duration::from_millis(600);
/// Outlines that stand still, in place of movement.
const OUTLINE: Duration = Duration::from_millis(600);
/// How much a merged tile swells.
const SWELL: f32 = 0.12;

/// How much may move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Motion {
    /// Tiles slide, pop and fade in.
    #[default]
    Full,
    /// Nothing moves; outlines mark what is new.
    Reduced,
    /// Every position is drawn at once.
    Off,
}

/// Where a tile lies over others: later ones above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// On its way or at rest.
    Slide,
    /// Just made of two.
    Merged,
    /// Just appeared.
    Spawned,
}

/// A tile to draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprite {
    /// Its value.
    pub value: u32,
    /// 0 at the top to 3, between rows while it slides.
    pub row: f32,
    /// 0 at the left to 3, likewise.
    pub column: f32,
    /// 1 at rest.
    pub scale: f32,
    /// 0 invisible, 1 at rest.
    pub opacity: f32,
    /// What it lies over.
    pub layer: Layer,
    /// To be marked by a still outline, in place of movement.
    pub outlined: bool,
}

/// One moment of an animation.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// The tiles, lowest first.
    pub tiles: Vec<Sprite>,
    /// Points just gained, and how far their "+N" has floated, 0 to 1.
    pub gain: Option<(u32, f32)>,
}

impl Scene {
    /// A position at rest.
    pub fn still(grid: &[[Option<u32>; 4]; 4]) -> Self {
        let tiles = cells(grid).map(|(at, value)| Sprite::resting(value, at)).collect();
        Self { tiles, gain: None }
    }
}

impl Sprite {
    fn resting(value: u32, [row, column]: Position) -> Self {
        Self {
            value,
            row: row.into(),
            column: column.into(),
            scale: 1.0,
            opacity: 1.0,
            layer: Layer::Slide,
            outlined: false,
        }
    }
}

/// The way from one position to the next.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    slides: Vec<Slide>,
    after: [[Option<u32>; 4]; 4],
    spawn: Position,
    gained: u32,
    reduced: bool,
    slide: Duration,
    pop: Duration,
    float: Duration,
}

impl Plan {
    /// The way from `before`, which is on the screen, to `after`, which came `gap` after it.
    ///
    /// `None` when `after` is to be drawn at once: it is not the very next position, or positions come too fast to
    /// follow, or nothing may move, or the transition does not start from what is on the screen.
    pub fn new(before: &State, after: &State, gap: Duration, motion: Motion) -> Option<Self> {
        let next = before.seq.checked_add(1) == Some(after.seq);
        let same = before.epoch == after.epoch && before.game == after.game;
        let transition = after.transition.as_ref().filter(|_| next && same)?;
        if !starts_from(&transition.slides, &before.grid) {
            return None;
        }
        let (slide, pop, float) = match motion {
            Motion::Full => times(gap)?,
            Motion::Reduced => (Duration::ZERO, OUTLINE, Duration::ZERO),
            Motion::Off => return None,
        };
        let mut slides = transition.slides.clone();
        // Of a pair, the tile that comes from farther lies above the other.
        slides.sort_by_key(distance);
        Some(Self {
            slides,
            after: after.grid,
            spawn: transition.spawn.at,
            gained: transition.gained,
            reduced: motion == Motion::Reduced,
            slide,
            pop,
            float,
        })
    }

    /// When everything is at rest.
    pub fn duration(&self) -> Duration {
        self.slide + self.pop.max(self.float)
    }

    /// What to draw `elapsed` after the start.
    pub fn at(&self, elapsed: Duration) -> Scene {
        let Some(since) = elapsed.checked_sub(self.slide) else {
            return Scene { tiles: self.sliding(share(elapsed, self.slide)), gain: None };
        };
        let mut tiles: Vec<Sprite> =
            cells(&self.after).map(|(at, value)| self.arrived(at, value, since)).collect();
        tiles.sort_by_key(|tile| tile.layer);
        let floats = self.gained > 0 && since < self.float;
        Scene { tiles, gain: floats.then(|| (self.gained, share(since, self.float))) }
    }

    fn sliding(&self, share: f32) -> Vec<Sprite> {
        let eased = share * share * (3.0 - 2.0 * share);
        let between =
            |from: u8, to: u8| f32::from(from) + (f32::from(to) - f32::from(from)) * eased;
        let sprite = |slide: &Slide| Sprite {
            row: between(slide.from[0], slide.to[0]),
            column: between(slide.from[1], slide.to[1]),
            ..Sprite::resting(slide.value, slide.to)
        };
        self.slides.iter().map(sprite).collect()
    }

    fn arrived(&self, at: Position, value: u32, since: Duration) -> Sprite {
        let resting = Sprite::resting(value, at);
        let layer = if at == self.spawn {
            Layer::Spawned
        } else if self.slides.iter().any(|slide| slide.merges && slide.to == at) {
            Layer::Merged
        } else {
            return resting;
        };
        if since >= self.pop {
            return Sprite { layer, ..resting };
        }
        let share = share(since, self.pop);
        match layer {
            _ if self.reduced => Sprite { layer, outlined: true, ..resting },
            Layer::Spawned => Sprite { layer, scale: share, opacity: share, ..resting },
            // Up and down again: 1, 1.12, 1.
            _ => {
                Sprite { layer, scale: 1.0 + SWELL * (1.0 - (2.0 * share - 1.0).abs()), ..resting }
            }
        }
    }
}

/// How long slide, pop and float take when positions come `gap` apart; `None` is too fast to follow.
fn times(gap: Duration) -> Option<(Duration, Duration, Duration)> {
    let slide = SLIDE.min(gap / 5 * 2);
    match gap.as_millis() {
        0..50 => None,
        50..120 => Some((slide, Duration::ZERO, Duration::ZERO)),
        120..300 => Some((slide, POP.min(gap.saturating_sub(slide)), Duration::ZERO)),
        _ => Some((SLIDE, POP, FLOAT)),
    }
}

/// Whether the slides name every tile of `grid` once.
fn starts_from(slides: &[Slide], grid: &[[Option<u32>; 4]; 4]) -> bool {
    let mut left = *grid;
    let named = slides.iter().all(|slide| {
        let [row, column] = slide.from.map(usize::from);
        left.get_mut(row).and_then(|row| row.get_mut(column)).and_then(Option::take)
            == Some(slide.value)
    });
    named && left == [[None; 4]; 4]
}

fn distance(slide: &Slide) -> u8 {
    slide.from[0].abs_diff(slide.to[0]) + slide.from[1].abs_diff(slide.to[1])
}

fn share(part: Duration, whole: Duration) -> f32 {
    part.as_secs_f32() / whole.as_secs_f32()
}

fn cells(grid: &[[Option<u32>; 4]; 4]) -> impl Iterator<Item = (Position, u32)> {
    (0..4_u8).flat_map(move |row| {
        (0..4_u8).filter_map(move |column| {
            grid[usize::from(row)][usize::from(column)].map(|value| ([row, column], value))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::tests::{before_and_after, golden};

    const SLOW: Duration = Duration::from_secs(1);

    fn plan(gap: Duration, motion: Motion) -> Option<Plan> {
        let (before, after) = before_and_after();
        Plan::new(&before, &after, gap, motion)
    }

    fn full() -> Plan {
        plan(SLOW, Motion::Full).unwrap()
    }

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn at(scene: &Scene, row: f32, column: f32) -> Vec<u32> {
        let here =
            |tile: &&Sprite| (tile.row - row).abs() < 1e-4 && (tile.column - column).abs() < 1e-4;
        scene.tiles.iter().filter(here).map(|tile| tile.value).collect()
    }

    #[test]
    fn it_starts_on_the_board_before_and_ends_on_the_one_after() {
        let (before, after) = before_and_after();
        let start: Vec<u32> =
            full().at(Duration::ZERO).tiles.iter().map(|tile| tile.value).collect();
        let mut expected: Vec<u32> = before.grid.iter().flatten().flatten().copied().collect();
        let mut start = start;
        start.sort_unstable();
        expected.sort_unstable();
        assert_eq!(start, expected);

        let end = full().at(full().duration());
        let mut still = Scene::still(&after.grid);
        let by_place = |tiles: &mut Vec<Sprite>| {
            for tile in tiles.iter_mut() {
                tile.layer = Layer::Slide;
            }
            tiles.sort_by(|a, b| (a.row, a.column).partial_cmp(&(b.row, b.column)).unwrap());
        };
        let mut tiles = end.tiles;
        by_place(&mut tiles);
        by_place(&mut still.tiles);
        assert_eq!((tiles, end.gain), (still.tiles, None));
    }

    #[test]
    fn both_tiles_of_a_pair_keep_their_value_while_they_slide() {
        let scene = full().at(ms(50));
        assert_eq!(at(&scene, 1.0, 0.0), [2], "the near one rests");
        assert_eq!(at(&scene, 1.0, 0.5), [2], "the far one is half way");
        assert_eq!(at(&scene, 2.0, 1.0), [2]);
        assert_eq!(at(&scene, 3.0, 1.5), [8], "eased, so that half the time is half the way");
    }

    #[test]
    fn of_a_pair_the_far_tile_lies_above() {
        let scene = full().at(ms(99));
        let positions: Vec<f32> = scene
            .tiles
            .iter()
            .filter(|tile| (tile.row - 2.0).abs() < 1e-6 && tile.value == 2)
            .map(|tile| tile.column)
            .collect();
        assert!(positions[0] < positions[1], "{positions:?}");
    }

    #[test]
    fn the_merged_tile_pops_and_the_spawn_fades_in() {
        let scene = full().at(ms(200));
        let merged = scene.tiles.iter().find(|tile| tile.layer == Layer::Merged).unwrap();
        assert!((merged.scale - 1.12).abs() < 1e-4 && merged.value == 4);
        let spawned = scene.tiles.last().unwrap();
        assert_eq!((spawned.layer, spawned.value), (Layer::Spawned, 2));
        assert!((spawned.opacity - 0.5).abs() < 1e-4 && (spawned.scale - 0.5).abs() < 1e-4);
    }

    #[test]
    fn the_spawn_is_not_there_while_tiles_slide() {
        assert_eq!(full().at(ms(99)).tiles.len(), 12);
        assert!(at(&full().at(ms(99)), 2.0, 2.0).is_empty());
        assert_eq!(at(&full().at(ms(100)), 2.0, 2.0), [2]);
    }

    #[test]
    fn the_gain_floats_for_600_ms_after_the_slide() {
        assert_eq!(full().at(ms(99)).gain, None);
        assert_eq!(full().at(ms(400)).gain, Some((12, 0.5)));
        assert_eq!(full().at(ms(700)).gain, None);
        assert_eq!(full().duration(), ms(700));
    }

    #[test]
    fn positions_that_come_faster_are_animated_shorter() {
        let duration = |gap| plan(ms(gap), Motion::Full).map(|plan| plan.duration());
        assert_eq!(duration(300), Some(ms(700)));
        assert_eq!(duration(299), Some(ms(299)));
        assert_eq!(duration(200), Some(ms(200)));
        assert_eq!(duration(100), Some(ms(40)));
        assert_eq!(duration(49), None);
    }

    #[test]
    fn with_reduced_motion_nothing_moves_and_what_is_new_is_outlined() {
        let plan = plan(SLOW, Motion::Reduced).unwrap();
        let scene = plan.at(Duration::ZERO);
        let outlined = scene.tiles.iter().filter(|tile| tile.outlined).count();
        assert_eq!((outlined, plan.duration()), (4, ms(600)), "three merged, one spawned");
        assert!(scene.tiles.iter().all(|tile| (tile.scale - 1.0).abs() < 1e-6));
        assert!(plan.at(ms(600)).tiles.iter().all(|tile| !tile.outlined));
    }

    #[test]
    fn only_the_very_next_position_is_animated() {
        let (before, after) = before_and_after();
        let check = |change: fn(&mut State), why: &str| {
            let mut before = before.clone();
            change(&mut before);
            assert_eq!(Plan::new(&before, &after, SLOW, Motion::Full), None, "{why}");
        };
        check(|before| before.seq -= 1, "one was missed");
        check(|before| before.epoch = "other".into(), "history was lost");
        check(|before| before.game = "other".into(), "another game");
        check(|before| before.grid[3][3] = None, "a tile that is not there slides");
        check(|before| before.grid[3][0] = Some(2), "a tile is not named");
        assert_eq!(plan(SLOW, Motion::Off), None);
        let fresh = golden("state-new-game");
        assert_eq!(Plan::new(&fresh, &fresh, SLOW, Motion::Full), None);
    }

    #[test]
    fn a_transition_off_the_board_is_not_drawn() {
        let (before, mut after) = before_and_after();
        after.transition.as_mut().unwrap().slides[0].from = [9, 9];
        assert_eq!(Plan::new(&before, &after, SLOW, Motion::Full), None);
    }
}
