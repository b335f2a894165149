-- Version 1. Times are milliseconds since 1970 UTC; `sum` is a check sum over the other columns of its row.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What never changes in a session, but for its end.
CREATE TABLE session (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT,
    control BLOB,
    created INTEGER NOT NULL,
    closed INTEGER,
    sum INTEGER NOT NULL
) STRICT;

-- What changes with every append: one row for each open session, so that an append writes little else.
-- The numbers are those of its running game, of which `tail` holds the newest moves and `block` the others.
CREATE TABLE live (
    session INTEGER PRIMARY KEY REFERENCES session,
    game INTEGER NOT NULL REFERENCES game,
    seq INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    score INTEGER NOT NULL,
    merges INTEGER NOT NULL,
    max_tile INTEGER NOT NULL,
    ended INTEGER,
    voices INTEGER NOT NULL,
    driven INTEGER NOT NULL,
    commands INTEGER NOT NULL,
    tail BLOB NOT NULL,
    head TEXT NOT NULL,
    sum INTEGER NOT NULL
) STRICT;

-- `status`: 0 running (its numbers are in `live`), 1 over, 2 abandoned, 3 imported.
-- Numbers are not used again, since lists are paged by them.
-- `start`: null with two tiles by the seed, or the 16 exponents of a position. `voices`: 1 people, 2 others, 3 both.
CREATE TABLE game (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES session,
    seed INTEGER NOT NULL,
    seed_shown INTEGER NOT NULL,
    start BLOB,
    status INTEGER NOT NULL,
    started INTEGER NOT NULL,
    ended INTEGER,
    moves INTEGER NOT NULL,
    score INTEGER NOT NULL,
    merges INTEGER NOT NULL,
    max_tile INTEGER NOT NULL,
    is_over INTEGER NOT NULL,
    voices INTEGER NOT NULL,
    sum INTEGER NOT NULL
) STRICT;

CREATE INDEX game_by_start ON game (started);
CREATE INDEX game_by_score ON game (score) WHERE status > 0;
CREATE INDEX game_by_max_tile ON game (max_tile) WHERE status > 0;
CREATE INDEX game_by_moves ON game (moves) WHERE status > 0;
CREATE INDEX game_by_session ON game (session, started);
CREATE INDEX game_by_class ON game (session, voices, score) WHERE status IN (1, 2) AND start IS NULL;

-- 1,024 moves of a game in each, the last one fewer: segments that follow on each other. `place` is 2^22 times the game,
-- plus the block's number in it; one number, since rows of this length would waste most of a page beside a longer key.
CREATE TABLE block (
    place INTEGER PRIMARY KEY,
    moves BLOB NOT NULL,
    sum INTEGER NOT NULL
) STRICT;

-- From which move on who had a game: `since` is the number of moves before. `kind`: 0 human, 1 player, 2 bot.
CREATE TABLE stretch (
    game INTEGER NOT NULL REFERENCES game,
    since INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    why TEXT,
    sum INTEGER NOT NULL,
    PRIMARY KEY (game, since)
) STRICT, WITHOUT ROWID;

CREATE INDEX stretch_by_name ON stretch (name, game);

-- The last 256 commands of each open session: `slot` is 256 times the session, plus the command's number modulo 256.
CREATE TABLE command (
    slot INTEGER PRIMARY KEY,
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    digest BLOB NOT NULL,
    reply TEXT NOT NULL,
    sum INTEGER NOT NULL
) STRICT;
