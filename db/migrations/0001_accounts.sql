-- Who someone is: players, their names, sessions and the keys of the house.

-- +goose Up
CREATE TABLE players (
    id         TEXT   PRIMARY KEY,
    name       TEXT,             -- as shown; NULL once deleted
    name_key   TEXT   UNIQUE,    -- case-mapped, to find a player by name
    password   TEXT,             -- argon2id as a PHC string; NULL for a guest
    recovery   BYTEA,            -- SHA-256 of the recovery code; set with the password
    created_at BIGINT NOT NULL,
    deleted_at BIGINT,
    CHECK ((name IS NULL) = (deleted_at IS NOT NULL)),
    CHECK ((name IS NULL) = (name_key IS NULL)),
    CHECK ((password IS NULL) = (recovery IS NULL))
);

-- What each name ever given looks like. A row is never deleted: the name stays
-- its player's, or nobody's (NULL) once the player or the name is gone.
CREATE TABLE names (
    skeleton  TEXT PRIMARY KEY,
    player_id TEXT REFERENCES players (id)
);

CREATE INDEX names_player ON names (player_id);

-- Sign-ups that may be sent again within a day. The player comes second in the
-- transaction, so that two of the same key meet here first.
CREATE TABLE sign_ups (
    key_hash   BYTEA  PRIMARY KEY,
    body_mac   BYTEA  NOT NULL,
    player_id  TEXT   NOT NULL REFERENCES players (id) DEFERRABLE INITIALLY DEFERRED,
    created_at BIGINT NOT NULL
);

CREATE INDEX sign_ups_player ON sign_ups (player_id);
CREATE INDEX sign_ups_created ON sign_ups (created_at);

CREATE TABLE sessions (
    id         TEXT    PRIMARY KEY,
    player_id  TEXT    NOT NULL REFERENCES players (id),
    cookie     BOOLEAN NOT NULL, -- the refresh token lives in a browser's cookie
    created_at BIGINT  NOT NULL,
    expires_at BIGINT  NOT NULL
);

CREATE INDEX sessions_player ON sessions (player_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- Refresh tokens. Using one of a generation makes one of the next.
CREATE TABLE tokens (
    hash       BYTEA  PRIMARY KEY, -- SHA-256 of the token
    session_id TEXT   NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    generation BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    used_at    BIGINT               -- first use
);

CREATE INDEX tokens_session ON tokens (session_id, generation);

-- Keys that sign access tokens, by number; the last one signs.
CREATE TABLE signing_keys (
    number     BIGINT PRIMARY KEY,
    seed       BYTEA  NOT NULL, -- of the Ed25519 private key
    created_at BIGINT NOT NULL
);

-- Random secrets, each made at its first use and kept for ever.
CREATE TABLE secrets (
    name  TEXT  PRIMARY KEY,
    value BYTEA NOT NULL
);
