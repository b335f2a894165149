//! What follows from an answer, or from there being none: a decision, and what the transcript says of it.

use std::{sync::atomic::AtomicBool, time::Duration};

use engine::{Board, Direction};
use players::{Clock, Decision, Limits, Player as _, Position, Rules};

use super::{Secret, answer::Answer, failure::sentence};

/// A decision and its place in the transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// What to play, and why.
    pub decision: Decision,
    /// Which way it was reached.
    why: Why,
}

#[derive(Debug, Clone, PartialEq)]
enum Why {
    Chosen,
    FellBack,
    Doubted(String),
}

impl Verdict {
    /// Judges an answer about `position`: one that is at least as sure as `threshold` and legal is played.
    pub fn on(answer: &Answer, position: &Position, threshold: f64, key: &Secret) -> Self {
        let board = &position.board;
        let named = Direction::ALL.into_iter().find(|way| way.name() == answer.choice);
        let legal = named.filter(|&way| board.legal().contains(way));
        let doubt = match (legal, answer.confidence) {
            (None, _) => {
                let choice = sentence(&answer.choice, key);
                let doubt = format!("{choice} is not legal here");
                Some((format!("{choice} is not legal on this board"), doubt))
            }
            (_, None) => {
                Some(("no confidence in the answer".to_owned(), "no confidence".to_owned()))
            }
            (_, Some(sure)) if sure < threshold => {
                let reason =
                    format!("confidence {} below {threshold}", told_apart(sure, threshold));
                Some((reason, format!("confidence below {threshold}")))
            }
            _ => None,
        };
        let (decision, why) = match doubt {
            Some((reason, doubt)) => (fall_back(position, reason), Why::Doubted(doubt)),
            None => (chosen(legal, answer, board, key), Why::Chosen),
        };
        Self { decision: with_numbers(decision, answer), why }
    }

    /// Falls back to the rules for `reason`.
    pub fn fallen_back(position: &Position, reason: impl Into<String>) -> Self {
        Self { decision: fall_back(position, reason.into()), why: Why::FellBack }
    }

    /// What came of it: `plays` is whether the move is played, and not only advised.
    pub fn outcome(&self, plays: bool) -> String {
        let way = self.decision.direction.map_or("nothing", Direction::name);
        match &self.why {
            Why::Chosen if plays => format!("played {way}"),
            Why::Chosen => format!("advised {way}"),
            Why::FellBack => format!("fell back to {way}"),
            Why::Doubted(doubt) => format!("{doubt}, fell back to {way}"),
        }
    }
}

/// The decision that the answer is.
fn chosen(direction: Option<Direction>, answer: &Answer, board: &Board, key: &Secret) -> Decision {
    let model = answer.model.as_ref().map_or_else(|| "it".to_owned(), |name| sentence(name, key));
    let measured = if answer.risk.is_none() { "; the risk is measured here" } else { "" };
    let options = board.legal().len();
    Decision {
        direction,
        detail: Some(format!("{model} chose among {options} moves{measured}")),
        risk: players::risk(board),
        ..Decision::default()
    }
}

/// The rules player's move, and why it is that.
fn fall_back(position: &Position, reason: String) -> Decision {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let limits = Limits { budget: None, nodes: Some(1), clock: &Timeless, stop: &NEVER, seed: 0 };
    let decision = Rules::default().choose(position, &limits);
    let detail = decision.detail.map(|rule| format!("rules: {rule}"));
    Decision { fallback: Some(reason), detail, ..decision }
}

/// The decision with the answer's numbers, which are shown whether it is played or not.
fn with_numbers(decision: Decision, answer: &Answer) -> Decision {
    let share = |way: Direction| answer.probabilities.as_ref()?.get(way.name()).copied();
    let shares = Direction::ALL.map(share);
    Decision {
        probabilities: shares.iter().any(Option::is_some).then_some(shares),
        confidence: answer.confidence,
        risk: answer.risk.unwrap_or(decision.risk),
        ..decision
    }
}

/// A number below another, with as many decimals as it takes to see that.
fn told_apart(number: f64, other: f64) -> String {
    let texts =
        (2..=6).map(|decimals| (format!("{number:.decimals$}"), format!("{other:.decimals$}")));
    let told = texts.filter(|(number, other)| number != other).map(|(number, _)| number).next();
    told.unwrap_or_else(|| number.to_string())
}

/// For a player that needs no time.
struct Timeless;

impl Clock for Timeless {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position() -> Position {
        // UP is not legal.
        let board = "2 4 8 16 . . . . . . . . . . . .".parse().unwrap();
        Position { board, score: 0, merges: 0, moves: 0, recent: Vec::new() }
    }

    fn answer(choice: &str, confidence: Option<f64>) -> Answer {
        Answer { choice: choice.to_owned(), confidence, ..Answer::default() }
    }

    fn judge(answer: &Answer) -> Verdict {
        Verdict::on(answer, &position(), 0.15, &Secret::new("k3y").unwrap())
    }

    fn check(answer: &Answer, reason: &str, outcome: &str) {
        let verdict = judge(answer);
        assert_eq!(verdict.decision.direction, Some(Direction::Down), "what rules plays");
        assert_eq!(verdict.decision.fallback.as_deref(), Some(reason));
        assert_eq!(verdict.outcome(true), outcome);
    }

    #[test]
    fn a_sure_and_legal_choice_is_played() {
        let verdict = judge(&answer("DOWN", Some(0.15)));
        assert_eq!(verdict.decision.direction, Some(Direction::Down));
        assert_eq!(verdict.decision.fallback, None);
        assert_eq!(
            (verdict.outcome(true), verdict.outcome(false)),
            ("played DOWN".into(), "advised DOWN".into())
        );
    }

    #[test]
    fn a_doubtful_choice_falls_back_to_the_rules() {
        check(
            &answer("DOWN", Some(0.02)),
            "confidence 0.02 below 0.15",
            "confidence below 0.15, fell back to DOWN",
        );
        check(
            &answer("DOWN", Some(0.1499)),
            "confidence 0.1499 below 0.15",
            "confidence below 0.15, fell back to DOWN",
        );
        check(
            &answer("UP", Some(0.9)),
            "UP is not legal on this board",
            "UP is not legal here, fell back to DOWN",
        );
        check(
            &answer("Left k3y\n?", Some(0.9)),
            "Left [key] ? is not legal on this board",
            "Left [key] ? is not legal here, fell back to DOWN",
        );
        check(
            &answer("DOWN", None),
            "no confidence in the answer",
            "no confidence, fell back to DOWN",
        );
    }

    #[test]
    fn the_numbers_are_shown_whatever_is_played() {
        let told = Answer {
            probabilities: Some([("LEFT".to_owned(), 0.4), ("DOWN".to_owned(), 0.6)].into()),
            risk: Some(1.5),
            model: Some("jev-1".to_owned()),
            ..answer("DOWN", Some(0.02))
        };
        let shares = Some([None, Some(0.6), Some(0.4), None]);
        let doubted = judge(&told).decision;
        assert_eq!(
            (doubted.probabilities, doubted.confidence, doubted.risk),
            (shares, Some(0.02), 1.5)
        );
        assert_eq!(doubted.detail.as_deref(), Some("rules: ↑ → ↓ ←; the first legal one wins"));
        let played = judge(&Answer { confidence: Some(0.2), ..told.clone() }).decision;
        assert_eq!(played.detail.as_deref(), Some("jev-1 chose among 1 moves"));
        let without = judge(&Answer { confidence: Some(0.2), risk: None, ..told }).decision;
        assert!((without.risk - players::risk(&position().board)).abs() < 1e-9);
        assert!(without.detail.unwrap().ends_with("moves; the risk is measured here"));
    }
}
