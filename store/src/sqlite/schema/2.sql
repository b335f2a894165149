-- Version 2: links that let somebody watch an open session, until they are revoked. `key` is the SHA-256 of what stands
-- in the link, so that nobody who reads this file can watch by it.

CREATE TABLE link (
    key BLOB PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX link_by_session ON link (session);
