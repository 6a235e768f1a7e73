package api

import (
	"context"
	"math"
	"time"

	"cruel/account"

	"cruel/engine"
	"cruel/race"
)

// racePlace is what the cursor of a list of races holds.
type racePlace struct {
	Time int64  `json:"t"`
	Code string `json:"c"`
	Back bool   `json:"b,omitempty"`
}

// ListRaces is the races that all may see.
func (s *server) ListRaces(ctx context.Context, r ListRacesRequestObject) (ListRacesResponseObject, error) {
	ctx, _ = enter(ctx)
	states := []race.State{race.Open}
	if r.Params.State != nil {
		switch *r.Params.State {
		case ListRacesParamsStateRunning:
			states = []race.State{race.Countdown, race.Running}
		case ListRacesParamsStateFinished:
			states = []race.State{race.Finished}
		}
	}
	page, err := s.races(ctx, "races "+string(states[0]), race.ListQuery{States: states, Limit: limitOf(r.Params.Limit)}, r.Params.Cursor)
	return ListRaces200JSONResponse(page), err
}

// ListPlayerRaces is a player's finished races.
func (s *server) ListPlayerRaces(ctx context.Context, r ListPlayerRacesRequestObject) (ListPlayerRacesResponseObject, error) {
	ctx, _ = enter(ctx)
	player, err := s.Accounts.PlayerByName(ctx, r.Name)
	if err != nil {
		return nil, err
	}
	query := race.ListQuery{States: []race.State{race.Finished}, PlayerID: player.ID, Limit: limitOf(r.Params.Limit)}
	page, err := s.races(ctx, "races of "+player.ID, query, r.Params.Cursor)
	return ListPlayerRaces200JSONResponse(page), err
}

func (s *server) races(ctx context.Context, list string, q race.ListQuery, cursor *string) (RacePage, error) {
	if cursor != nil {
		var p racePlace
		if err := s.openCursor(list, *cursor, &p); err != nil {
			return RacePage{}, err
		}
		q.After = &race.ListCursor{CreatedAt: time.UnixMilli(p.Time).UTC(), Code: p.Code}
		if p.Back {
			q.After, q.Before = nil, q.After
		}
	}
	page, err := s.Races.List(ctx, q)
	if err != nil {
		return RacePage{}, err
	}
	answer := RacePage{Items: []Race{}}
	for _, found := range page.Races {
		answer.Items = append(answer.Items, s.listedRaceOf(found))
	}
	if c := page.Next; c != nil {
		answer.NextCursor = s.sealCursor(list, racePlace{c.CreatedAt.UnixMilli(), c.Code, false})
	}
	if c := page.Prev; c != nil {
		answer.PrevCursor = s.sealCursor(list, racePlace{c.CreatedAt.UnixMilli(), c.Code, true})
	}
	return answer, nil
}

// CreateRace makes a race.
func (s *server) CreateRace(ctx context.Context, r CreateRaceRequestObject) (CreateRaceResponseObject, error) {
	ctx, call := enter(ctx)
	terms := race.Terms{Visibility: race.OpenToAll, TimeLimit: time.Duration(r.Body.TimeLimitS) * time.Second}
	var err error
	if terms.Variant, err = variantIn(r.Body.Variant); err != nil {
		return nil, err
	}
	if r.Body.Seed != nil {
		if terms.Seed, err = engine.ParseSeed(*r.Body.Seed); err != nil {
			return nil, wrongField("seed", err.Error())
		}
	}
	if r.Body.Goal != nil {
		terms.Goal = race.Goal(*r.Body.Goal)
	}
	if r.Body.Visibility != nil {
		terms.Visibility = race.Visibility(*r.Body.Visibility)
	}
	if r.Body.BestOf != nil {
		terms.BestOf = int(*r.Body.BestOf)
	}
	made, err := s.Races.Create(ctx, call.identity.PlayerID, terms)
	if err != nil {
		return nil, asked(err)
	}
	location := "/v1/races/" + made.Code
	answer, err := s.raceOf(ctx, made)
	return CreateRace201JSONResponse{Body: answer, Headers: CreateRace201ResponseHeaders{Location: &location}}, err
}

// GetRace is a race as it is now.
func (s *server) GetRace(ctx context.Context, r GetRaceRequestObject) (GetRaceResponseObject, error) {
	ctx, _ = enter(ctx)
	found, err := s.Races.Race(ctx, r.Code)
	if err != nil {
		return nil, err
	}
	answer, err := s.raceOf(ctx, found)
	return GetRace200JSONResponse{RaceJSONResponse(answer)}, err
}

// act does an act of who asks.
func (s *server) act(ctx context.Context, code string, kind race.ActKind, log string) (RaceJSONResponse, error) {
	ctx, call := enter(ctx)
	after, err := s.Races.Act(ctx, code, race.Act{Kind: kind, Player: account.Player{ID: call.identity.PlayerID}, Log: log})
	if err != nil {
		return RaceJSONResponse{}, asked(err)
	}
	answer, err := s.raceOf(ctx, after)
	return RaceJSONResponse(answer), err
}

// ReadyForRace is the act ready.
func (s *server) ReadyForRace(ctx context.Context, r ReadyForRaceRequestObject) (ReadyForRaceResponseObject, error) {
	answer, err := s.act(ctx, r.Code, race.ActReady, "")
	return ReadyForRace200JSONResponse{answer}, err
}

// UnreadyForRace is the act unready.
func (s *server) UnreadyForRace(ctx context.Context, r UnreadyForRaceRequestObject) (UnreadyForRaceResponseObject, error) {
	answer, err := s.act(ctx, r.Code, race.ActUnready, "")
	return UnreadyForRace200JSONResponse{answer}, err
}

// LeaveRace is the act leave.
func (s *server) LeaveRace(ctx context.Context, r LeaveRaceRequestObject) (LeaveRaceResponseObject, error) {
	answer, err := s.act(ctx, r.Code, race.ActLeave, "")
	return LeaveRace200JSONResponse{answer}, err
}

// ForfeitRace is the act forfeit.
func (s *server) ForfeitRace(ctx context.Context, r ForfeitRaceRequestObject) (ForfeitRaceResponseObject, error) {
	answer, err := s.act(ctx, r.Code, race.ActForfeit, "")
	return ForfeitRace200JSONResponse{answer}, err
}

// UnforfeitRace is the act unforfeit.
func (s *server) UnforfeitRace(ctx context.Context, r UnforfeitRaceRequestObject) (UnforfeitRaceResponseObject, error) {
	answer, err := s.act(ctx, r.Code, race.ActUnforfeit, "")
	return UnforfeitRace200JSONResponse{answer}, err
}

// OfferRematch is the act rematch.
func (s *server) OfferRematch(ctx context.Context, r OfferRematchRequestObject) (OfferRematchResponseObject, error) {
	answer, err := s.act(ctx, r.Code, race.ActRematch, "")
	return OfferRematch200JSONResponse{answer}, err
}

// ReportProgress is the act progress.
func (s *server) ReportProgress(ctx context.Context, r ReportProgressRequestObject) (ReportProgressResponseObject, error) {
	answer, err := s.act(ctx, r.Code, race.ActProgress, r.Body.Log)
	return ReportProgress200JSONResponse{answer}, err
}

// FinishRace is the act finish.
func (s *server) FinishRace(ctx context.Context, r FinishRaceRequestObject) (FinishRaceResponseObject, error) {
	answer, err := s.act(ctx, r.Code, race.ActFinish, r.Body.Log)
	return FinishRace200JSONResponse{answer}, err
}

// JoinRace takes the free seat: 201, or 200 if it was the player's already.
func (s *server) JoinRace(ctx context.Context, r JoinRaceRequestObject) (JoinRaceResponseObject, error) {
	inner, call := enter(ctx)
	before, err := s.Races.Race(inner, r.Code)
	if err != nil {
		return nil, err
	}
	answer, err := s.act(ctx, r.Code, race.ActJoin, "")
	if before.Seat(call.identity.PlayerID) < 0 {
		return JoinRace201JSONResponse(answer), err
	}
	return JoinRace200JSONResponse{answer}, err
}

// ListRatings is the strongest players.
func (s *server) ListRatings(ctx context.Context, r ListRatingsRequestObject) (ListRatingsResponseObject, error) {
	ctx, _ = enter(ctx)
	variant, err := variantIn(r.Params.Variant)
	if err != nil {
		return nil, err
	}
	query := race.RatingQuery{Variant: variant, Goal: race.FewestMoves, Limit: limitOf(r.Params.Limit)}
	if r.Params.Goal != nil {
		query.Goal = race.Goal(*r.Params.Goal)
	}
	list := "ratings " + variant.ID + " " + string(query.Goal)
	if r.Params.Cursor != nil {
		var p ratingPlace
		if err := s.openCursor(list, *r.Params.Cursor, &p); err != nil {
			return nil, err
		}
		query.After = &race.RatingCursor{Rating: p.Rating, PlayerID: p.ID}
		if p.Back {
			query.After, query.Before = nil, query.After
		}
	}
	page, err := s.Races.Ratings(ctx, query)
	if err != nil {
		return nil, err
	}
	answer := RatingPage{Items: s.ratingsOf(page.Rows)}
	if c := page.Next; c != nil {
		answer.NextCursor = s.sealCursor(list, ratingPlace{c.Rating, c.PlayerID, false})
	}
	if c := page.Prev; c != nil {
		answer.PrevCursor = s.sealCursor(list, ratingPlace{c.Rating, c.PlayerID, true})
	}
	return ListRatings200JSONResponse(answer), nil
}

// ratingPlace is what the cursor of a list of ratings holds.
type ratingPlace struct {
	Rating float64 `json:"r"`
	ID     string  `json:"i"`
	Back   bool    `json:"b,omitempty"`
}

// ListPlayerRatings is a player's ratings.
func (s *server) ListPlayerRatings(ctx context.Context, r ListPlayerRatingsRequestObject) (ListPlayerRatingsResponseObject, error) {
	ctx, _ = enter(ctx)
	player, err := s.Accounts.PlayerByName(ctx, r.Name)
	if err != nil {
		return nil, err
	}
	rows, err := s.Races.PlayerRatings(ctx, player.ID)
	return ListPlayerRatings200JSONResponse{Items: s.ratingsOf(rows)}, err
}

func (s *server) ratingsOf(rows []race.RatingRow) []RatingRow {
	items := make([]RatingRow, 0, len(rows))
	for _, row := range rows {
		now := row.At(s.now())
		items = append(items, RatingRow{
			Player: playerOf(row.Player), Variant: VariantId(row.Variant.ID), Goal: Goal(row.Goal),
			Rating: rounded(now.Rating), Deviation: rounded(now.Deviation), Races: row.Races, Provisional: now.Provisional(),
		})
	}
	return items
}

func rounded(x float64) int { return int(math.Round(x)) }

// raceOf is a race as everybody may see it: without the seed before the start, and without the logs before
// the end.
func (s *server) raceOf(ctx context.Context, r race.Race) (Race, error) {
	answer := s.listedRaceOf(r)
	if r.SeedPublic() {
		deal := dealOf(r.Variant, r.Seed)
		answer.Deal = &deal
	}
	logs, err := s.Races.LogsPublic(ctx, r)
	if logs {
		for seat := range answer.Entrants {
			answer.Entrants[seat].Log = &r.Entrants[seat].Log
		}
	}
	return answer, err
}

// listedRaceOf is a race as lists have it: with neither deal nor logs.
func (s *server) listedRaceOf(r race.Race) Race {
	answer := Race{
		Code: r.Code, State: RaceState(r.State), Goal: Goal(r.Goal), Variant: VariantId(r.Variant.ID),
		RulesVersion: engine.RulesVersion, Visibility: RaceVisibility(r.Visibility), Rated: r.Rated,
		SeedNamed: r.SeedNamed, TimeLimitS: int(r.TimeLimit / time.Second), CreatedAt: r.CreatedAt, StartsAt: orNullTime(r.StartsAt), EndsAt: orNullTime(r.EndsAt),
		BestOf: r.BestOf, Game: r.Game, EventId: r.Version, ServerTime: s.Races.Now(),
	}
	if r.SeedPublic() {
		seed := string(r.Seed)
		answer.Seed = &seed
	}
	for seat, e := range r.Entrants {
		if e.Player.ID != "" {
			answer.Entrants = append(answer.Entrants, entrantOf(e, r.Wins[seat], answer.ServerTime))
		}
	}
	if r.Outcome != "" {
		outcome := RaceOutcome(r.Outcome)
		answer.Outcome = &outcome
	}
	if r.Winner >= 0 {
		winner := playerOf(r.Entrants[r.Winner].Player)
		answer.Winner = &winner
	}
	if r.NextCode != "" {
		answer.NextCode = &r.NextCode
	}
	return answer
}

func entrantOf(e race.Entrant, wins int, now time.Time) Entrant {
	answer := Entrant{
		Player: playerOf(e.Player), State: EntrantState(e.State), Cards: e.Result.Cards, Moves: e.Result.Moves,
		FinishedAt: orNullTime(e.FinishedAt), Wins: wins, Rematch: e.OffersRematch(now),
	}
	if !e.FinishedAt.IsZero() {
		result := resultOf(e.Result)
		answer.Result = &result
	}
	if e.RatingAfter != 0 {
		answer.Rating = &RatingChange{Before: rounded(e.RatingBefore), After: rounded(e.RatingAfter)}
	}
	return answer
}

func orNullTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
