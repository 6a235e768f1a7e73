-- What the server knows of deals: whether they can be won, and their par.

-- +goose Up

-- The deals of all challenges. The shortest win is the par; it is proven if it
-- has as many moves as the bound.
CREATE TABLE deals (
    variant       TEXT    NOT NULL,
    seed          TEXT    NOT NULL,
    effort        BIGINT  NOT NULL CHECK (effort BETWEEN 0 AND 2), -- made so far to solve it
    lost          BOOLEAN NOT NULL, -- nothing wins; proven
    bound         BIGINT  NOT NULL, -- no win has fewer moves
    states        BIGINT  NOT NULL, -- positions that the last search kept
    difficulty    BIGINT  CHECK (difficulty BETWEEN 1 AND 5),
    moves         BIGINT  CHECK (moves BETWEEN 48 AND 5000), -- of the shortest win known
    log           TEXT,
    submission_id TEXT    REFERENCES submissions (id), -- whose win it is; NULL if the server found it
    found_at      BIGINT,
    created_at    BIGINT  NOT NULL,
    PRIMARY KEY (variant, seed),
    CHECK ((moves IS NULL) = (log IS NULL)),
    CHECK ((moves IS NULL) = (found_at IS NULL))
);

CREATE INDEX deals_unsolved ON deals (effort, created_at) WHERE effort < 2;

INSERT INTO deals (variant, seed, effort, lost, bound, states, created_at)
SELECT variant, seed, 0, FALSE, 0, 0, MIN(created_at)
FROM challenges
GROUP BY variant, seed;

UPDATE deals SET submission_id = (
    SELECT s.id
    FROM submissions s
    JOIN challenges c ON c.id = s.challenge_id
    WHERE c.variant = deals.variant AND c.seed = deals.seed AND s.outcome = 'won'
    ORDER BY s.moves, s.verified_at, s.id
    LIMIT 1
);

UPDATE deals SET moves = s.moves, log = s.log, found_at = s.verified_at
FROM submissions s
WHERE s.id = deals.submission_id;

-- Who does a piece of work until when, so that others don't do it too.
CREATE TABLE claims (
    work          TEXT   PRIMARY KEY,
    holder        TEXT   NOT NULL,
    claimed_until BIGINT NOT NULL
);

-- pars and challenges.difficulty stay, unused and empty: servers of the release
-- before read them until the last of them is replaced.
