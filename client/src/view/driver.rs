//! Who has the game, in words.

use protocol::{Agent, Decision, DriverKind, State};

/// A player's title for people; its name when the server does not list it.
pub fn title<'a>(agent: &'a Agent, name: &'a str) -> &'a str {
    let listed = agent.roster.iter().find(|entry| entry.name == name);
    listed.map_or(name, |entry| entry.title.as_str())
}

/// "mcts since move 120", or "a person".
pub fn driver_text(state: &State) -> String {
    let driver = &state.driver;
    match driver.kind {
        DriverKind::Human => "a person".into(),
        DriverKind::Player => format!("{} since move {}", driver.name, driver.since_move),
        DriverKind::Bot => format!("bot {} since move {}", driver.name, driver.since_move),
    }
}

/// "Let Monte Carlo Tree Search play" or "Stop Monte Carlo Tree Search": what the key for it would do.
pub fn agent_button(agent: &Agent) -> String {
    let title = title(agent, &agent.player);
    if agent.running { format!("Stop {title}") } else { format!("Let {title} play") }
}

/// "You took over from mcts at move 215." `by_me`: the move that this client sent brought it. A person who is another
/// took over if a move of theirs brought it; otherwise the player was stopped, or was done.
pub fn hand_over(before: &State, after: &State, by_me: bool) -> Option<String> {
    if before.game != after.game || before.driver == after.driver {
        return None;
    }
    let name = |state: &State| match state.driver.kind {
        DriverKind::Human => String::from("a person"),
        DriverKind::Player => state.driver.name.clone(),
        DriverKind::Bot => format!("bot {}", state.driver.name),
    };
    let at = after.driver.since_move;
    Some(match (before.driver.kind, after.driver.kind) {
        (DriverKind::Human, DriverKind::Human) => return None,
        (DriverKind::Human, _) => format!("{} plays from move {at}.", capital(&name(after))),
        (_, DriverKind::Human) if by_me => {
            format!("You took over from {} at move {at}.", name(before))
        }
        (_, DriverKind::Human)
            if after.transition.as_ref().is_none_or(|last| last.by != "human") =>
        {
            format!("{} stopped at move {at}.", capital(&name(before)))
        }
        _ => format!("{} took over from {} at move {at}.", capital(&name(after)), name(before)),
    })
}

/// "Fell back: confidence 0.02 below 0.15". `None` unless it was a fallback.
pub fn fallback_text(decision: &Decision) -> Option<String> {
    let reason = decision.reason.as_deref().filter(|_| decision.source == "fallback")?;
    // A player that broke down did not fall back on anything: the server's words say it all.
    let stopped = decision.direction.is_none() && reason.starts_with("agent stopped");
    Some(if stopped { reason.into() } else { format!("Fell back: {reason}") })
}

/// "room to work", "getting crowded" or "nearly stuck", for a risk of 0 to 2.
pub fn risk_words(risk: f64) -> &'static str {
    match risk {
        ..0.5 => "room to work",
        0.5..1.5 => "getting crowded",
        _ => "nearly stuck",
    }
}

/// The first letter large. A name is not ours to change: only "a person" and "bot" are.
fn capital(name: &str) -> String {
    match name.strip_prefix("a person") {
        Some(rest) => format!("A person{rest}"),
        None => name.strip_prefix("bot ").map_or_else(|| name.into(), |rest| format!("Bot {rest}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::tests::golden;

    fn driven(kind: DriverKind, name: &str, since_move: u32) -> State {
        let mut state = golden("state-after-a-move");
        state.driver = protocol::Driver { kind, name: name.into(), since_move };
        state
    }

    #[test]
    fn the_driver_is_named() {
        assert_eq!(driver_text(&golden("state-after-a-move")), "mcts since move 120");
        assert_eq!(driver_text(&driven(DriverKind::Human, "human", 3)), "a person");
        assert_eq!(driver_text(&driven(DriverKind::Bot, "mine", 3)), "bot mine since move 3");
    }

    #[test]
    fn every_hand_over_is_said() {
        let stopped = driven(DriverKind::Human, "human", 215);
        let mut person = stopped.clone();
        person.transition.as_mut().unwrap().by = "human".into();
        let mcts = driven(DriverKind::Player, "mcts", 120);
        let rules = driven(DriverKind::Player, "rules", 130);
        let bot = driven(DriverKind::Bot, "mine", 140);
        for (before, after, by_me, said) in [
            (&mcts, &person, true, "You took over from mcts at move 215."),
            (&mcts, &person, false, "A person took over from mcts at move 215."),
            (&mcts, &stopped, true, "You took over from mcts at move 215."),
            (&mcts, &stopped, false, "mcts stopped at move 215."),
            (&bot, &stopped, false, "Bot mine stopped at move 215."),
            (&person, &mcts, true, "mcts plays from move 120."),
            (&mcts, &rules, false, "rules took over from mcts at move 130."),
            (&rules, &bot, false, "Bot mine took over from rules at move 140."),
        ] {
            assert_eq!(hand_over(before, after, by_me).as_deref(), Some(said));
        }
        assert_eq!(hand_over(&mcts, &mcts, false), None);
        let mut next_game = person;
        next_game.game = "next".into();
        assert_eq!(hand_over(&mcts, &next_game, false), None, "a new game is said otherwise");
    }

    #[test]
    fn the_button_has_the_players_title() {
        let mut agent = golden("state-after-a-move").agent;
        assert_eq!(agent_button(&agent), "Stop Monte Carlo Tree Search");
        agent.running = false;
        agent.player = "unheard-of".into();
        assert_eq!(agent_button(&agent), "Let unheard-of play");
    }

    #[test]
    fn a_fallback_says_its_reason() {
        let decision = golden("state-fallback").decision.unwrap();
        let reason = decision.reason.clone().unwrap();
        assert_eq!(fallback_text(&decision).unwrap(), format!("Fell back: {reason}"));
        assert_eq!(fallback_text(&golden("state-after-a-move").decision.unwrap()), None);
        let broken = Decision {
            direction: None,
            reason: Some("agent stopped: TimeoutError: no answer".into()),
            ..decision
        };
        assert_eq!(fallback_text(&broken).unwrap(), "agent stopped: TimeoutError: no answer");
    }

    #[test]
    fn risk_has_three_words() {
        let words = [0.0, 0.57, 1.5, 2.0].map(risk_words);
        assert_eq!(words, ["room to work", "getting crowded", "nearly stuck", "nearly stuck"]);
    }
}
