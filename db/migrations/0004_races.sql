-- Races: two players, one deal, the server's clock. Ratings.

-- +goose Up

CREATE TABLE races (
    code          TEXT    PRIMARY KEY,
    version       BIGINT  NOT NULL,  -- the number of its last event
    state         TEXT    NOT NULL CHECK (state IN ('open', 'countdown', 'running', 'finished', 'cancelled')),
    goal          TEXT    NOT NULL CHECK (goal IN ('fewest_moves', 'first_win')),
    variant       TEXT    NOT NULL,
    rules_version BIGINT  NOT NULL,
    visibility    TEXT    NOT NULL CHECK (visibility IN ('open', 'invite')),
    time_limit    BIGINT  NOT NULL,  -- milliseconds
    seed          TEXT    NOT NULL,  -- nothing shows it before the start
    seed_named    BOOLEAN NOT NULL,
    created_at    BIGINT  NOT NULL,
    starts_at     BIGINT,
    ends_at       BIGINT,
    rated         BOOLEAN NOT NULL,
    outcome       TEXT    CHECK (outcome IN ('win', 'draw', 'no_contest')),
    winner        BIGINT  CHECK (winner IN (0, 1)), -- the seat
    best_of       BIGINT  NOT NULL,
    game          BIGINT  NOT NULL,
    next_code     TEXT    REFERENCES races (code),
    due_at        BIGINT,            -- the next deadline
    changed_at    BIGINT  NOT NULL,
    CHECK ((state = 'finished') = (outcome IS NOT NULL)),
    CHECK ((winner IS NOT NULL) = (outcome IS NOT NULL AND outcome = 'win'))
);

CREATE INDEX races_due ON races (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX races_changed ON races (changed_at);
CREATE INDEX races_listed ON races (state, created_at, code) WHERE visibility = 'open';
CREATE INDEX races_seed ON races (seed) WHERE state IN ('open', 'countdown', 'running');

-- The seats of a race that are taken; 0 is that of who made it.
CREATE TABLE entrants (
    race_code     TEXT   NOT NULL REFERENCES races (code),
    seat          BIGINT NOT NULL CHECK (seat IN (0, 1)),
    player_id     TEXT   NOT NULL REFERENCES players (id),
    state         TEXT   NOT NULL CHECK (state IN ('joined', 'ready', 'racing', 'finished', 'forfeited', 'beaten', 'out_of_time')),
    log           TEXT   NOT NULL,
    outcome       TEXT   NOT NULL CHECK (outcome IN ('won', 'stuck', 'unfinished')),
    moves         BIGINT NOT NULL,
    plays         BIGINT NOT NULL,
    builds        BIGINT NOT NULL,
    returns       BIGINT NOT NULL,
    redeals       BIGINT NOT NULL,
    cards         BIGINT NOT NULL,
    finished_at   BIGINT,
    rematch_at    BIGINT,
    wins          BIGINT NOT NULL,
    rating_before DOUBLE PRECISION,
    rating_after  DOUBLE PRECISION,
    PRIMARY KEY (race_code, seat),
    UNIQUE (race_code, player_id)
);

CREATE INDEX entrants_player ON entrants (player_id, race_code);

-- What happened in a race, in order. A stream that broke off goes on from here.
CREATE TABLE race_events (
    race_code TEXT   NOT NULL REFERENCES races (code),
    version   BIGINT NOT NULL,
    kind      TEXT   NOT NULL,
    seat      BIGINT NOT NULL, -- -1: nobody's
    at        BIGINT NOT NULL,
    cards     BIGINT NOT NULL,
    moves     BIGINT NOT NULL,
    PRIMARY KEY (race_code, version)
);

CREATE TABLE ratings (
    player_id  TEXT   NOT NULL REFERENCES players (id),
    variant    TEXT   NOT NULL,
    goal       TEXT   NOT NULL,
    rating     DOUBLE PRECISION NOT NULL,
    deviation  DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    races      BIGINT NOT NULL,
    raced_at   BIGINT NOT NULL, -- the last time
    PRIMARY KEY (player_id, variant, goal)
);

CREATE INDEX ratings_order ON ratings (variant, goal, rating, player_id) WHERE deviation <= 110;
