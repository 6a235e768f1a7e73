-- What the lists of races and ratings go by.

-- +goose Up

-- Until when a rating is good enough for the list, if its player doesn't race:
-- the deviation grows with the days. NULL where it isn't good enough at all.
ALTER TABLE ratings ADD COLUMN ranked_until BIGINT;

-- As package rating has it: 173.7178 points to a unit of Glicko-2, four days to a
-- period.
UPDATE ratings
SET ranked_until = raced_at + CAST(345600000.0 * (110.0 * 110.0 - deviation * deviation) /
    (173.7178 * 173.7178 * volatility * volatility) AS BIGINT)
WHERE deviation <= 110;

CREATE INDEX ratings_ranked ON ratings (variant, goal, rating, player_id, ranked_until) WHERE ranked_until IS NOT NULL;
DROP INDEX ratings_order;

-- When the race was made, for the order of a player's races. Servers of the
-- release before leave it NULL; a change of the race by a newer one sets it.
ALTER TABLE entrants ADD COLUMN created_at BIGINT;

UPDATE entrants SET created_at = (SELECT created_at FROM races WHERE code = entrants.race_code);

CREATE INDEX entrants_listed ON entrants (player_id, created_at, race_code);

-- One for each list, since that of the races that run is of two states.
CREATE INDEX races_open ON races (created_at, code) WHERE visibility = 'open' AND state IN ('open');
CREATE INDEX races_running ON races (created_at, code) WHERE visibility = 'open' AND state IN ('countdown', 'running');
CREATE INDEX races_finished ON races (created_at, code) WHERE visibility = 'open' AND state IN ('finished');
DROP INDEX races_listed;
