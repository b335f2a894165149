//! Games that prove themselves, and one that does not.

use std::sync::Arc;

use engine::Game;

use super::Table;
use crate::{Store, UnixMillis, Verified, verify};

pub(super) async fn games_that_were_played_are_right(store: Arc<dyn Store>) {
    assert_eq!(verify(store.as_ref()).await.unwrap(), Verified::default());
    let (mut games, mut moves) = (0, 0);
    for number in 0..30 {
        let mut table = Table::new(&format!("t{number}"), number);
        table.create(&store).await;
        for again in 0..4 {
            table.play_on(40, "mcts");
            games += 1;
            moves += u64::from(table.numbers().moves);
            if again < 3 {
                table.begin(&format!("t{number}-again-{again}"), Game::new(number + again));
            }
        }
        table.save(&store).await;
        if number % 3 == 0 {
            store.close(&table.id, UnixMillis(1)).await.unwrap();
        }
    }
    let verified = verify(store.as_ref()).await.unwrap();
    assert_eq!(verified, Verified { games, moves, wrong: Vec::new() });
}

pub(super) async fn first_wrong_move_is_named(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    table.play_on(30, "human");
    table.save(&store).await;
    let mut other = Table::new("b", 4);
    other.create(&store).await;
    other.play_on(9, "human");
    // Nobody can play on like that for long: invented moves go in one direction three times, then in the next.
    other.invent(200, "human");
    other.save(&store).await;
    let verified = verify(store.as_ref()).await.unwrap();
    assert_eq!((verified.games, verified.moves, verified.wrong.len()), (1, 30, 1));
    assert_eq!(verified.wrong[0].game, other.head.game);
    let what = &verified.wrong[0].what;
    let named = Game::replay(4, engine::Start::Seeded, &other.directions()).unwrap_err();
    assert!(named.number > 9 && *what == named.to_string(), "{what}");

    // The numbers count too.
    let mut third = Table::new("c", 5);
    third.create(&store).await;
    third.play_on(9, "human");
    let mut append = third.take();
    append.numbers.score += 4;
    store.append(append).await.unwrap();
    let verified = verify(store.as_ref()).await.unwrap();
    assert_eq!(verified.wrong.len(), 2);
    assert!(verified.wrong.iter().any(|wrong| wrong.game == third.head.game));
}
