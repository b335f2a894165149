//! Appends: whole or not at all, in order, one winner.

use std::sync::Arc;

use engine::Game;
use tokio::{runtime::Handle, task};

use super::Table;
use crate::{Change, ErrorKind, GameId, Store};

pub(super) async fn moves_come_back(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    // One by one over the end of a segment, then many at once over the end of a block.
    for _ in 0..130 {
        table.play("human");
        table.save(&store).await;
        table.check(&store).await;
    }
    let mut other = Table::new("b", 1);
    other.create(&store).await;
    for count in [1, 63, 64, 65, 400, 1, 700, 1_100] {
        other.invent(count, "mcts");
        other.save(&store).await;
        other.check(&store).await;
    }
    table.check(&store).await;
}

pub(super) async fn old_position_is_a_conflict_that_says_the_new_one(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    let mut late = table.clone();
    table.play_on(3, "human");
    table.save(&store).await;
    late.play("human");
    let error = late.try_save(&store).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Conflict { actual: table.head.seq });
    let mut early = table.clone();
    early.play("human");
    let mut append = early.take();
    append.expected += 1;
    append.head.seq += 1;
    let error = store.append(append).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Conflict { actual: table.head.seq });
    table.check(&store).await;
}

pub(super) async fn append_without_changes_moves_the_head(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    table.head.seq += 1;
    table.head.agent.player = "flat".into();
    table.save(&store).await;
    table.check(&store).await;
    table.command("c", "nothing moved");
    table.save(&store).await;
    table.check(&store).await;
    assert_eq!(store.reply(&table.id, "c").await.unwrap().unwrap(), "nothing moved");
}

pub(super) async fn refused_append_changes_nothing(store: Arc<dyn Store>) {
    let mut other = Table::new("b", 9);
    other.create(&store).await;
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    table.play_on(70, "human");
    table.save(&store).await;
    let before = table.clone();

    // The last change cannot be carried out: there is a game of that id in another session.
    table.play_on(70, "mcts");
    table.begin("a-2", Game::new(1));
    table.play_on(5, "mcts");
    table.begin("b-1", Game::new(2));
    table.command("c", "done");
    let error = table.try_save(&store).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Exists);

    before.check(&store).await;
    assert_eq!(store.reply(&table.id, "c").await.unwrap(), None);
    assert_eq!(store.game(&GameId::new("a-2")).await.unwrap(), None);
    assert_eq!(store.moves(&before.head.game, 1, 999).await.unwrap().unwrap().len(), 70);
    other.check(&store).await;
    other.play("human");
    other.save(&store).await;
    other.check(&store).await;
}

pub(super) async fn contradictions_are_refused(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    table.play_on(3, "human");
    table.save(&store).await;
    let before = table.clone();
    table.play_on(2, "human");
    table.begin("a-2", Game::new(1));
    table.play("human");
    let good = table.take();

    let mut wrong_game = good.clone();
    wrong_game.head.game = GameId::new("a-1");
    let mut wrong_moves = good.clone();
    wrong_moves.numbers.moves += 1;
    let mut wrong_left = good.clone();
    for change in &mut wrong_left.changes {
        if let Change::Started { left, .. } = change {
            left.moves -= 1;
        }
    }
    let mut back = good.clone();
    back.head.seq = back.expected - 1;
    for append in [wrong_game, wrong_moves, wrong_left, back] {
        let error = store.append(append).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Invalid);
        before.check(&store).await;
    }
    store.append(good).await.unwrap();
    table.check(&store).await;
}

pub(super) async fn requests_of_a_session_are_carried_out_in_order(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    let mut answers = vec![store.create(table.creation())];
    for number in 0..100 {
        table.play("human");
        table.command(&format!("c{number}"), "done");
        answers.push(store.append(table.take()));
    }
    // None of the answers has been polled yet.
    let (loaded, reply) = (store.load(&table.id), store.reply(&table.id, "c99"));
    assert_eq!(loaded.await.unwrap().unwrap().head, table.head);
    assert_eq!(reply.await.unwrap().unwrap(), "done");
    for answer in answers {
        answer.await.unwrap();
    }
    table.check(&store).await;
}

pub(super) async fn answers_need_not_be_waited_for(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    drop(store.create(table.creation()));
    table.play("human");
    drop(store.append(table.take()));
    table.check(&store).await;
}

pub(super) async fn two_writers_never_both_win(store: Arc<dyn Store>) {
    const WRITERS: usize = 8;
    const ROUNDS: usize = 20;
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    for _ in 0..ROUNDS {
        let attempts = (0..WRITERS).map(|writer| {
            let (store, mut mine) = (Arc::clone(&store), table.clone());
            let runtime = Handle::current();
            task::spawn_blocking(move || {
                mine.play("human");
                mine.command(&format!("by {writer}"), "won");
                let append = mine.take();
                (runtime.block_on(store.append(append)), mine)
            })
        });
        let attempts: Vec<_> = attempts.collect();
        let mut winners = Vec::new();
        for attempt in attempts {
            match attempt.await.unwrap() {
                (Ok(()), winner) => winners.push(winner),
                (Err(error), _) => {
                    let actual = table.head.seq + 1;
                    assert_eq!(error.kind, ErrorKind::Conflict { actual });
                }
            }
        }
        assert_eq!(winners.len(), 1, "one writer wins");
        table = winners.remove(0);
        table.check(&store).await;
    }
    let commands = store.load(&table.id).await.unwrap().unwrap().commands;
    assert_eq!(commands.len(), ROUNDS, "the losers left no trace");
}

pub(super) async fn head_comes_back_to_the_last_digit(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    for n in 1..200_u32 {
        table.play("mcts");
        let odd = f64::from(n).sqrt() / 1e3_f64.powi(n.cast_signed() % 7 - 3);
        if let Some(decision) = &mut table.head.decision {
            decision.confidence = Some(odd.sin().abs());
            decision.risk = Some(odd);
            decision.probabilities = Some([Some(odd), None, Some(f64::MIN_POSITIVE), Some(0.3)]);
        }
        table.save(&store).await;
        table.check(&store).await;
    }
}
