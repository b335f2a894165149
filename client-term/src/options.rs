//! The command line.

use clap::{Parser, ValueEnum};
use client::view::{animation::Motion, palette::Palette};

/// Plays and watches 2048 in the terminal, together with everybody else on the server.
#[derive(Debug, Clone, Parser)]
#[command(name = "client-term", version, about, max_term_width = 100)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct Options {
    /// The server's address
    #[arg(
        long,
        env = "SERVE2048_SERVER",
        default_value = "http://127.0.0.1:2048",
        value_name = "URL"
    )]
    pub server: String,

    /// Start a server inside this program if none is there
    #[arg(long)]
    pub local: bool,

    /// The session to play or to watch [default: main]
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,

    /// The session's control token: the right to play. The environment keeps it out of the list of processes
    #[arg(long, env = "SERVE2048_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    pub token: Option<String>,

    /// Only watch: the session of a spectator link, or the link itself
    #[arg(long, value_name = "LINK", conflicts_with_all = ["session", "token", "seed"])]
    pub watch: Option<String>,

    /// Begin a game with this seed: in the session named, or else in a new one of its own
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,

    /// How many colours the terminal has
    #[arg(long, value_enum, default_value_t, value_name = "DEPTH")]
    pub color: Color,

    /// The colours of the tiles: classic, colour-blind or plain
    #[arg(long, default_value = "classic", value_name = "NAME")]
    pub palette: Palette,

    /// Draw with ASCII characters only
    #[arg(long)]
    pub ascii: bool,

    /// No screen: one line for every event, commands from standard input
    #[arg(long)]
    pub plain: bool,

    /// Draw every position at once
    #[arg(long)]
    pub no_anim: bool,

    /// A key that is held down goes on moving (in terminals that tell the two apart)
    #[arg(long)]
    pub repeat: bool,

    /// Print the state and exit
    #[arg(long)]
    pub once: bool,

    /// Print every event as a line of JSON; with --once, the state
    #[arg(long, conflicts_with = "plain")]
    pub json: bool,
}

/// How many colours the terminal has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// What the environment says
    #[default]
    Auto,
    /// 16 million
    Truecolor,
    /// 256
    #[value(name = "256")]
    Ansi256,
    /// 16
    #[value(name = "16")]
    Ansi16,
    /// None: tiles differ by digits and borders
    None,
}

/// What there is outside: streams and the environment's variables.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// Standard input is a terminal.
    pub stdin_is_terminal: bool,
    /// Standard output is a terminal.
    pub stdout_is_terminal: bool,
    /// `TERM`
    pub term: String,
    /// `COLORTERM`
    pub colorterm: String,
    /// `NO_COLOR`, which counts unless it is empty: <https://no-color.org>.
    pub no_color: String,
}

/// How to talk to the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Draw on the whole screen.
    Screen,
    /// Print lines.
    Plain,
    /// Print events as JSON.
    Json,
    /// Print the state, as text or as JSON, and exit.
    Once,
}

/// What keys that are held down do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// They count once.
    PressOnce,
    /// They go on.
    Repeat,
}

/// Colours that are really there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// 16 million.
    Truecolor,
    /// The usual table of 256.
    Ansi256,
    /// The 16 whose looks the terminal decides.
    Ansi16,
    /// None.
    None,
}

impl Options {
    /// How to talk to the player. A screen needs a terminal on both sides that can do more than print.
    pub fn manner(&self, around: &Surroundings) -> Manner {
        let screen = around.stdin_is_terminal && around.stdout_is_terminal && around.term != "dumb";
        if self.once {
            Manner::Once
        } else if self.json {
            Manner::Json
        } else if self.plain || !screen {
            Manner::Plain
        } else {
            Manner::Screen
        }
    }

    /// The colours to use. What is asked for by name is believed.
    pub fn depth(&self, around: &Surroundings) -> Depth {
        match self.color {
            Color::Truecolor => Depth::Truecolor,
            Color::Ansi256 => Depth::Ansi256,
            Color::Ansi16 => Depth::Ansi16,
            Color::None => Depth::None,
            Color::Auto => around.depth(),
        }
    }

    /// What keys that are held down do.
    pub const fn held(&self) -> Held {
        if self.repeat { Held::Repeat } else { Held::PressOnce }
    }

    /// How much may move. Without the room for it a terminal does not animate anyway.
    pub const fn motion(&self) -> Motion {
        if self.no_anim { Motion::Off } else { Motion::Full }
    }
}

impl Surroundings {
    fn depth(&self) -> Depth {
        if !self.no_color.is_empty() || !self.stdout_is_terminal || self.term == "dumb" {
            Depth::None
        } else if matches!(self.colorterm.as_str(), "truecolor" | "24bit") {
            Depth::Truecolor
        } else if self.term.contains("256color") {
            Depth::Ansi256
        } else {
            Depth::Ansi16
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn options(words: &[&str]) -> Options {
        Options::try_parse_from([&["client-term"], words].concat()).unwrap()
    }

    fn terminal() -> Surroundings {
        Surroundings {
            stdin_is_terminal: true,
            stdout_is_terminal: true,
            term: "xterm-256color".into(),
            ..Surroundings::default()
        }
    }

    #[test]
    fn the_command_line_is_sound() {
        Options::command().debug_assert();
        let given = options(&["--palette", "colour-blind", "--seed", "18446744073709551615"]);
        assert_eq!((given.palette, given.seed), (Palette::ColourBlind, Some(u64::MAX)));
        for wrong in [
            &["--palette", "pink"][..],
            &["--seed", "-1"],
            &["--color", "4"],
            &["--watch", "a", "--session", "b"],
            &["--watch", "a", "--seed", "1"],
        ] {
            Options::try_parse_from([&["client-term"], wrong].concat()).unwrap_err();
        }
    }

    #[test]
    fn whoever_watches_does_not_play() {
        let seen = |words: &[&str]| {
            let client = crate::named(&options(words)).unwrap();
            (client.address().to_owned(), client.session().map(str::to_owned), client.may_play())
        };
        let elsewhere = ("http://host:7".to_owned(), Some("abc".to_owned()), false);
        assert_eq!(seen(&["--watch", "http://host:7/s/abc"]), elsewhere);
        let here = ("http://host:8".to_owned(), Some("abc".to_owned()), false);
        assert_eq!(seen(&["--server", "http://host:8", "--watch", "abc"]), here);
        let main = ("http://host:7".to_owned(), None, false);
        assert_eq!(seen(&["--watch", "http://host:7/w/secret"]), main, "no session by its id");
        assert_eq!(seen(&["--watch", "http://host:7"]), main);
        assert_eq!(seen(&["--server", "http://host:7"]), (main.0, None, true));
    }

    #[test]
    fn the_token_is_not_in_the_help() {
        let help = Options::command().render_long_help().to_string();
        assert!(help.contains("SERVE2048_TOKEN") && !help.contains("SERVE2048_TOKEN="), "{help}");
    }

    #[test]
    fn a_screen_needs_a_terminal_on_both_sides() {
        let check = |words: &[&str], change: fn(&mut Surroundings), expected| {
            let mut around = terminal();
            change(&mut around);
            assert_eq!(options(words).manner(&around), expected, "{words:?} {around:?}");
        };
        check(&[], |_| {}, Manner::Screen);
        check(&[], |around| around.stdin_is_terminal = false, Manner::Plain);
        check(&[], |around| around.stdout_is_terminal = false, Manner::Plain);
        check(&[], |around| around.term = "dumb".into(), Manner::Plain);
        check(&["--plain"], |_| {}, Manner::Plain);
        check(&["--json"], |_| {}, Manner::Json);
        check(&["--json", "--once"], |_| {}, Manner::Once);
    }

    #[test]
    fn colours_are_what_the_environment_says_or_what_is_asked_for() {
        let check = |words: &[&str], change: fn(&mut Surroundings), expected| {
            let mut around = terminal();
            change(&mut around);
            assert_eq!(options(words).depth(&around), expected, "{words:?} {around:?}");
        };
        check(&[], |_| {}, Depth::Ansi256);
        check(&[], |around| around.term = "xterm".into(), Depth::Ansi16);
        check(&[], |around| around.colorterm = "truecolor".into(), Depth::Truecolor);
        check(&[], |around| around.no_color = "1".into(), Depth::None);
        check(&[], |around| around.no_color = String::new(), Depth::Ansi256);
        check(&[], |around| around.stdout_is_terminal = false, Depth::None);
        check(&["--color", "16"], |around| around.no_color = "1".into(), Depth::Ansi16);
        check(&["--color", "none"], |_| {}, Depth::None);
    }
}
