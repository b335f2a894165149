//! What scenarios do and check on the screens around the table.

use super::World;
use crate::screens::Kind;

impl World {
    /// Opens a screen of this kind, or one of each.
    pub(crate) async fn open_screens(&mut self, kind: Option<Kind>) {
        self.table().open_screens(kind).await;
    }

    /// Plays a move in a screen; one that takes the game over from a player, or one that every screen then shows.
    pub(crate) async fn play_in(&mut self, kind: Kind, takes_over: bool) {
        if takes_over {
            self.table().take_over_in(kind).await;
        } else {
            self.table().play_in(kind).await;
        }
        self.look();
    }

    /// Presses these keys in a screen, or clicks in the window.
    pub(crate) async fn press_in(&mut self, kind: Kind, what: &str) {
        match what {
            "on the board" | "beside the board" => self.table().click(what.starts_with("beside")),
            keys => {
                let keys: Vec<_> = keys.split(" and ").collect();
                self.table().press_in(kind, &keys).await;
            }
        }
    }

    /// Makes the terminal as large as this.
    pub(crate) fn resize(&mut self, columns: u16, lines: u16) {
        self.table().resize(columns, lines);
    }

    /// Kills the server and starts it again so many times, while screens are open.
    pub(crate) async fn kill_and_start_times(&mut self, times: u32) {
        self.table().kill_and_start_times(times).await;
        self.look();
    }

    /// A screen, or every one, shows the game as the server has it.
    pub(crate) async fn check_shown_on(&mut self, kind: Option<Kind>) {
        self.table().check_shown_on(kind).await;
        self.look();
    }

    /// A screen has said these words.
    pub(crate) async fn check_says(&mut self, kind: Kind, words: &str) {
        self.table().check_says(kind, words).await;
    }

    /// Every screen has named who took over from the player.
    pub(crate) async fn check_takeover_named(&mut self, player: &str) {
        self.table().check_takeover_named(player).await;
    }

    /// A screen's program has ended as it should.
    pub(crate) async fn check_closed(&mut self, kind: Kind) {
        self.table().check_closed(kind).await;
    }

    /// Keeps a picture of the window.
    pub(crate) fn keep_picture(&mut self) {
        self.table().keep_picture();
    }
}
