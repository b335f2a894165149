//! The command line.

use clap::Parser;
use client::{Link, view::palette::Palette};

/// Plays and watches 2048 in a window, together with everybody else on the server.
#[derive(Debug, Clone, Parser)]
#[command(name = "client-egui", version, about, max_term_width = 100)]
pub struct Options {
    /// The server's address [default: the one used last, or port 2048 of this machine]
    #[arg(long, env = "SERVE2048_SERVER", value_name = "URL")]
    pub server: Option<String>,

    /// Play here: start a server inside this program if none is there
    #[arg(long)]
    pub local: bool,

    /// The session to play in [default: main]
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,

    /// The session's control token: the right to play. The environment keeps it out of the list of processes
    #[arg(long, env = "SERVE2048_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    pub token: Option<String>,

    /// Only watch: the session of a spectator link, or the link itself
    #[arg(long, value_name = "LINK", conflicts_with_all = ["session", "token"])]
    pub watch: Option<String>,

    /// The colours of the tiles: classic, colour-blind or plain [default: the ones used last, or classic]
    #[arg(long, value_name = "NAME")]
    pub palette: Option<Palette>,

    /// Draw every position at once
    #[arg(long)]
    pub no_anim: bool,
}

/// Where to go: a server's address and a session there. `None` is what the settings say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Goal {
    /// The server's address.
    pub server: Option<String>,
    /// The session; `None` is `main`.
    pub session: Option<String>,
    /// The right to play in it.
    pub token: Option<String>,
    /// Whether not to ask for control even where it is open.
    pub only_watch: bool,
    /// What lets watch a session without its id.
    pub secret: Option<String>,
}

impl Options {
    /// Where they point to.
    pub fn goal(&self) -> Goal {
        let token = self.token.clone().filter(|token| !token.is_empty());
        let Some(link) = &self.watch else {
            let (server, session) = (self.server.clone(), self.session.clone());
            return Goal { server, session, token, ..Goal::default() };
        };
        let Link { server, session, secret } = Link::read(link);
        let server = server.or_else(|| self.server.clone());
        Goal { server, session, token: None, only_watch: true, secret }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn goal(words: &[&str]) -> Goal {
        Options::try_parse_from([&["client-egui"], words].concat()).unwrap().goal()
    }

    #[test]
    fn the_command_line_is_sound() {
        Options::command().debug_assert();
        for wrong in [&["--palette", "pink"][..], &["--watch", "a", "--token", "b"]] {
            Options::try_parse_from([&["client-egui"], wrong].concat()).unwrap_err();
        }
    }

    #[test]
    fn a_spectator_link_is_read() {
        let watched = |link| {
            let Goal { server, session, token, only_watch, secret } = goal(&["--watch", link]);
            assert_eq!((token, only_watch), (None, true));
            (server.unwrap_or_default(), session.or(secret).unwrap_or_default())
        };
        let whole = ("http://host:7".to_owned(), "abc".to_owned());
        assert_eq!(watched("http://host:7/w/abc"), whole);
        assert_eq!(watched("http://host:7/s/abc"), whole);
        assert_eq!(watched("http://host:7/s/abc/#token=x"), whole);
        assert_eq!(watched("http://host:7/s/abc?x"), whole);
        assert_eq!(watched("abc"), (String::new(), "abc".to_owned()));
        assert_eq!(watched("http://host:7"), ("http://host:7".to_owned(), String::new()));
    }

    #[test]
    fn without_a_link_one_plays() {
        let goal = goal(&["--server", "http://host", "--session", "abc", "--token", ""]);
        assert_eq!(
            (goal.session.as_deref(), goal.token, goal.only_watch),
            (Some("abc"), None, false)
        );
    }
}
