-- Challenges, submissions and boards.

-- +goose Up

-- Dailies may be here before they open; nothing shows them until then.
CREATE TABLE challenges (
    id              TEXT PRIMARY KEY,
    kind            TEXT NOT NULL CHECK (kind IN ('daily', 'shared')),
    variant         TEXT NOT NULL,
    rules_version   BIGINT NOT NULL,
    day             TEXT,          -- 2026-11-30; NULL if shared
    seed            TEXT NOT NULL,
    opens_at        BIGINT NOT NULL,
    closes_at       BIGINT NOT NULL,
    grace_until     BIGINT NOT NULL,
    created_by      TEXT REFERENCES players (id),
    created_at      BIGINT NOT NULL,
    difficulty      BIGINT CHECK (difficulty BETWEEN 1 AND 5),
    commitment_hash TEXT,
    committed_at    BIGINT,
    UNIQUE (variant, day),
    CHECK (opens_at < closes_at AND closes_at <= grace_until),
    CHECK ((kind = 'daily') = (day IS NOT NULL)),
    CHECK ((kind = 'shared') = (created_by IS NOT NULL)),
    CHECK ((commitment_hash IS NULL) = (committed_at IS NULL))
);

CREATE INDEX challenges_seed ON challenges (seed, grace_until);

-- Append-only. A row is what the server found by replaying the log.
CREATE TABLE submissions (
    id            TEXT PRIMARY KEY,
    challenge_id  TEXT NOT NULL REFERENCES challenges (id),
    player_id     TEXT NOT NULL REFERENCES players (id),
    log           TEXT NOT NULL,
    log_hash      BYTEA NOT NULL, -- SHA-256 of the log
    outcome       TEXT NOT NULL CHECK (outcome IN ('won', 'stuck', 'unfinished')),
    moves         BIGINT NOT NULL CHECK (moves BETWEEN 1 AND 5000),
    plays         BIGINT NOT NULL CHECK (plays >= 0),
    builds        BIGINT NOT NULL CHECK (builds >= 0),
    returns       BIGINT NOT NULL CHECK (returns >= 0),
    redeals       BIGINT NOT NULL CHECK (redeals >= 0),
    cards         BIGINT NOT NULL CHECK (cards BETWEEN 4 AND 52),
    late          BOOLEAN NOT NULL,
    improved      BOOLEAN NOT NULL,
    verified_at   BIGINT NOT NULL,
    verified_by   TEXT NOT NULL,
    rules_version BIGINT NOT NULL,
    UNIQUE (challenge_id, player_id, log_hash),
    CHECK (moves = plays + builds + returns + redeals),
    CHECK (cards = 4 + plays - returns),
    CHECK ((outcome = 'won') = (cards = 52)),
    CHECK (outcome <> 'won' OR moves >= 48),
    CHECK (NOT (late AND improved))
);

CREATE INDEX submissions_player ON submissions (player_id, verified_at, id);

-- How many submissions of a player for a challenge are kept. Its row lock
-- brings those that come at once into an order.
CREATE TABLE submission_counts (
    challenge_id TEXT NOT NULL REFERENCES challenges (id),
    player_id    TEXT NOT NULL REFERENCES players (id),
    submissions  BIGINT NOT NULL,
    PRIMARY KEY (challenge_id, player_id)
);

-- The answers that idempotency keys brought.
CREATE TABLE submission_keys (
    player_id     TEXT NOT NULL REFERENCES players (id),
    key           TEXT NOT NULL,
    fingerprint   BYTEA NOT NULL, -- SHA-256 of what came with the key
    submission_id TEXT NOT NULL REFERENCES submissions (id),
    created       BOOLEAN NOT NULL,
    used_at       BIGINT NOT NULL,
    PRIMARY KEY (player_id, key)
);

CREATE INDEX submission_keys_used ON submission_keys (used_at);

-- The best submission of each player. result_key orders as
-- replay.Result.Better does; wins are below 1,000,000.
CREATE TABLE standings (
    challenge_id  TEXT NOT NULL REFERENCES challenges (id),
    player_id     TEXT NOT NULL REFERENCES players (id),
    submission_id TEXT NOT NULL REFERENCES submissions (id),
    result_key    BIGINT NOT NULL CHECK (result_key >= 48),
    verified_at   BIGINT NOT NULL,
    PRIMARY KEY (challenge_id, player_id)
);

CREATE UNIQUE INDEX standings_order ON standings (challenge_id, result_key, verified_at, submission_id);

-- How many standings of a board have a result, and how many have one of a
-- thousand neighbouring results. A changed standing appends deltas, so that
-- writers don't wait for each other; the roll-up adds them to the counts.
-- Counts and deltas together are exact at every moment; alone a count may be
-- negative for a while.
CREATE TABLE board_counts (
    challenge_id TEXT NOT NULL REFERENCES challenges (id),
    result_key   BIGINT NOT NULL,
    players      BIGINT NOT NULL,
    PRIMARY KEY (challenge_id, result_key)
);

CREATE TABLE board_blocks (
    challenge_id TEXT NOT NULL REFERENCES challenges (id),
    first_key    BIGINT NOT NULL CHECK (first_key % 1000 = 0),
    players      BIGINT NOT NULL,
    PRIMARY KEY (challenge_id, first_key)
);

CREATE TABLE board_deltas (
    submission_id TEXT NOT NULL,
    delta         BIGINT NOT NULL CHECK (delta IN (1, -1)),
    challenge_id  TEXT NOT NULL,
    result_key    BIGINT NOT NULL,
    PRIMARY KEY (submission_id, delta)
);

CREATE INDEX board_deltas_order ON board_deltas (challenge_id, result_key);

-- One row, the lock of the roll-up.
CREATE TABLE board_rollups (
    id        BIGINT PRIMARY KEY CHECK (id = 1),
    rolled_at BIGINT NOT NULL
);
INSERT INTO board_rollups (id, rolled_at) VALUES (1, 0);

-- The fewest moves known for a challenge; submission_id where a player found it.
CREATE TABLE pars (
    challenge_id  TEXT PRIMARY KEY REFERENCES challenges (id),
    kind          TEXT NOT NULL CHECK (kind IN ('proven', 'best_known')),
    moves         BIGINT NOT NULL CHECK (moves BETWEEN 48 AND 5000),
    log           TEXT NOT NULL,
    states        BIGINT,
    submission_id TEXT REFERENCES submissions (id)
);
