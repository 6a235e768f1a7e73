package api

import (
	"context"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"cruel/account"
	"cruel/challenge"
	"cruel/engine"
	"cruel/replay"
)

// GetToday is the daily of the current day.
func (s *server) GetToday(ctx context.Context, r GetTodayRequestObject) (GetTodayResponseObject, error) {
	ctx, call := enter(ctx)
	answer, err := s.daily(ctx, call, r.Params.Variant, challenge.DayOf(s.now()))
	return GetToday200JSONResponse{answer}, err
}

// GetDaily is the daily of a day.
func (s *server) GetDaily(ctx context.Context, r GetDailyRequestObject) (GetDailyResponseObject, error) {
	ctx, call := enter(ctx)
	day, err := challenge.ParseDay(r.Date)
	if err != nil {
		return nil, wrongField("date", err.Error())
	}
	answer, err := s.daily(ctx, call, r.Params.Variant, day)
	return GetDaily200JSONResponse{answer}, err
}

func (s *server) daily(ctx context.Context, call *call, id *VariantId, day challenge.Day) (ChallengeJSONResponse, error) {
	variant, err := variantIn(id)
	if err != nil {
		return ChallengeJSONResponse{}, err
	}
	found, err := s.Challenges.Daily(ctx, variant, day)
	if err != nil {
		return ChallengeJSONResponse{}, err
	}
	call.cache = freshFor(s.now(), found.ClosesAt)
	return ChallengeJSONResponse(challengeOf(found)), nil
}

// variantIn reads the variant of a query, the default one where none is named.
func variantIn(id *VariantId) (engine.Variant, error) {
	if id == nil {
		return engine.DefaultVariant(), nil
	}
	v, err := engine.ParseVariant(string(*id))
	if err != nil {
		return v, wrongField("variant", err.Error())
	}
	return v, nil
}

// GetChallenge is a challenge by its id.
func (s *server) GetChallenge(ctx context.Context, r GetChallengeRequestObject) (GetChallengeResponseObject, error) {
	ctx, call := enter(ctx)
	found, err := s.Challenges.Challenge(ctx, r.Id)
	if err != nil {
		return nil, err
	}
	call.cache = freshFor(s.now(), found.ClosesAt)
	return GetChallenge200JSONResponse{ChallengeJSONResponse(challengeOf(found))}, nil
}

// CreateChallenge makes a challenge to share.
func (s *server) CreateChallenge(ctx context.Context, r CreateChallengeRequestObject) (CreateChallengeResponseObject, error) {
	ctx, call := enter(ctx)
	variant, err := engine.ParseVariant(string(r.Body.Variant))
	if err != nil {
		return nil, wrongField("variant", err.Error())
	}
	var seed engine.Seed
	if r.Body.Seed != nil {
		if seed, err = engine.ParseSeed(*r.Body.Seed); err != nil {
			return nil, wrongField("seed", err.Error())
		}
	}
	sharing := challenge.Sharing{PlayerID: call.identity.PlayerID, Variant: variant, Seed: seed}
	if r.Body.ClosesAt != nil {
		sharing.ClosesAt = *r.Body.ClosesAt
	}
	made, err := s.Challenges.Share(ctx, sharing)
	if err != nil {
		return nil, asked(err)
	}
	location := "/v1/challenges/" + made.ID
	return CreateChallenge201JSONResponse{
		Body: challengeOf(made), Headers: CreateChallenge201ResponseHeaders{Location: &location},
	}, nil
}

// Submit verifies a log, keeps it and says where its player stands.
func (s *server) Submit(ctx context.Context, r SubmitRequestObject) (SubmitResponseObject, error) {
	ctx, call := enter(ctx)
	sent := challenge.Sent{
		PlayerID: call.identity.PlayerID, ChallengeID: r.Id, Log: r.Body.Log, ArrivedAt: call.arrived,
	}
	if r.Params.IdempotencyKey != nil {
		sent.Key = strings.ToLower(*r.Params.IdempotencyKey)
	}
	verdict, err := s.Challenges.Submit(ctx, sent)
	if err != nil {
		return nil, asked(err)
	}
	answer := verdictOf(verdict)
	if !verdict.Created {
		return Submit200JSONResponse(answer), nil
	}
	location := "/v1/submissions/" + answer.Id
	return Submit201JSONResponse{Body: answer, Headers: Submit201ResponseHeaders{Location: &location}}, nil
}

// boardPlace is what a board's cursor holds.
type boardPlace struct {
	Key  int64  `json:"k"`
	Time int64  `json:"t"`
	ID   string `json:"i"`
	Back bool   `json:"b,omitempty"`
}

// GetLeaderboard is a page of a board.
func (s *server) GetLeaderboard(ctx context.Context, r GetLeaderboardRequestObject) (GetLeaderboardResponseObject, error) {
	ctx, call := enter(ctx)
	board, err := s.board(ctx, call.identity.PlayerID, r)
	if err != nil {
		return nil, err
	}
	answer := Leaderboard{
		ChallengeId: r.Id, Par: parOf(board.Par), Players: board.Players, Winners: board.Winners,
		Items: standingsOf(board.Standings, board.Par),
	}
	if c := board.Next; c != nil {
		answer.NextCursor = s.sealCursor(boardList(r.Id), boardPlace{c.ResultKey, c.VerifiedAt.UnixMilli(), c.SubmissionID, false})
	}
	if c := board.Prev; c != nil {
		answer.PrevCursor = s.sealCursor(boardList(r.Id), boardPlace{c.ResultKey, c.VerifiedAt.UnixMilli(), c.SubmissionID, true})
	}
	return GetLeaderboard200JSONResponse(answer), nil
}

// GetHistogram is how the results of a board lie.
func (s *server) GetHistogram(ctx context.Context, r GetHistogramRequestObject) (GetHistogramResponseObject, error) {
	ctx, _ = enter(ctx)
	found, err := s.Challenges.Spread(ctx, r.Id)
	if err != nil {
		return nil, err
	}
	return GetHistogram200JSONResponse{
		ChallengeId: r.Id, Par: parOf(found.Par), Players: found.Players, Winners: found.Winners,
		NotWon: found.Players - found.Winners, OverPar: histogramOf(found.OverPar),
	}, nil
}

// ListDailies is the days of a month that have begun.
func (s *server) ListDailies(ctx context.Context, r ListDailiesRequestObject) (ListDailiesResponseObject, error) {
	ctx, _ = enter(ctx)
	variant, err := variantIn(r.Params.Variant)
	if err != nil {
		return nil, err
	}
	month := challenge.MonthOf(challenge.DayOf(s.now()))
	if r.Params.Month != nil {
		if month, err = challenge.ParseMonth(*r.Params.Month); err != nil {
			return nil, wrongField("month", err.Error())
		}
	}
	found, err := s.Challenges.Dailies(ctx, variant, month.First(), month.Last())
	answer := ListDailies200JSONResponse{Variant: VariantId(variant.ID), Month: month.String(), Items: []DailyRow{}}
	for _, c := range found {
		answer.Items = append(answer.Items, DailyRow{
			Date: c.Day.String(), ChallengeId: c.ID, Players: c.Players, Winners: c.Winners,
			Par: parOf(c.Par), Difficulty: orNull(c.Difficulty),
		})
	}
	return answer, err
}

// boardList names a board for its cursors.
func boardList(challengeID string) string { return "board " + challengeID }

// board is the part of a board that is asked for: about a player, or from a cursor on.
func (s *server) board(ctx context.Context, viewer string, r GetLeaderboardRequestObject) (challenge.Board, error) {
	around, cursor := r.Params.Around, r.Params.Cursor
	switch {
	case around != nil && cursor != nil:
		return challenge.Board{}, wrongField("around", "doesn't go with cursor")
	case around != nil && *around != "me":
		return s.Challenges.Around(ctx, viewer, r.Id, *around, limitOf(r.Params.Limit))
	case around != nil && viewer == "":
		return challenge.Board{}, &problemError{kind: unauthorized, detail: "around=me needs an access token"}
	case around != nil:
		return s.Challenges.Around(ctx, viewer, r.Id, viewer, limitOf(r.Params.Limit))
	}
	query := challenge.BoardQuery{Limit: limitOf(r.Params.Limit)}
	if cursor != nil {
		var p boardPlace
		if err := s.openCursor(boardList(r.Id), *cursor, &p); err != nil {
			return challenge.Board{}, err
		}
		query.After = &challenge.BoardCursor{ResultKey: p.Key, VerifiedAt: time.UnixMilli(p.Time).UTC(), SubmissionID: p.ID}
		if p.Back {
			query.After, query.Before = nil, query.After
		}
	}
	return s.Challenges.Leaderboard(ctx, viewer, r.Id, query)
}

// GetSubmission is a submission without its log.
func (s *server) GetSubmission(ctx context.Context, r GetSubmissionRequestObject) (GetSubmissionResponseObject, error) {
	ctx, call := enter(ctx)
	found, err := s.Challenges.Submission(ctx, call.identity.PlayerID, r.Id)
	if err != nil {
		return nil, err
	}
	return GetSubmission200JSONResponse(submissionOf(found)), nil
}

// GetReplay is the log of a submission, as JSON or as a record.
func (s *server) GetReplay(ctx context.Context, r GetReplayRequestObject) (GetReplayResponseObject, error) {
	c := ctx.(*gin.Context)
	ctx, call := enter(ctx)
	found, err := s.Challenges.Replay(ctx, call.identity.PlayerID, r.Id)
	if err != nil {
		return nil, err
	}
	sub := found.Submission
	if wantsRecord(c, sub.ID) {
		record, err := recordOf(found.Challenge, found.Log, sub.Result,
			replay.Header{Name: "Player", Value: sub.Player.Name}, replay.Header{Name: "Submission", Value: sub.ID})
		return GetReplay200TextResponse(record), err
	}
	return GetReplay200JSONResponse{
		SubmissionId: sub.ID, ChallengeId: sub.ChallengeID, Player: playerOf(sub.Player),
		Variant: VariantId(found.Challenge.Variant.ID), RulesVersion: sub.RulesVersion, Seed: string(sub.Seed),
		Result: resultOf(sub.Result), Log: found.Log,
	}, nil
}

// wantsRecord says whether a game is asked for as a record, and then names the file.
func wantsRecord(c *gin.Context, name string) bool {
	c.Writer.Header().Add("Vary", "Accept")
	if c.NegotiateFormat("application/json", "text/plain") != "text/plain" {
		return false
	}
	c.Header("Content-Disposition", `attachment; filename="`+name+`.cruel"`)
	return true
}

// GetPar is the log of the par, as JSON or as a record.
func (s *server) GetPar(ctx context.Context, r GetParRequestObject) (GetParResponseObject, error) {
	c := ctx.(*gin.Context)
	ctx, _ = enter(ctx)
	found, err := s.Challenges.Par(ctx, r.Id)
	if err != nil {
		return nil, err
	}
	deal := found.Deal
	if wantsRecord(c, r.Id+"-par") {
		record, err := recordOf(found.Challenge, deal.Log, found.Result, replay.Header{Name: "Submission", Value: deal.SubmissionID})
		return GetPar200TextResponse(record), err
	}
	answer := ParReplay{
		ChallengeId: r.Id, Variant: VariantId(deal.Variant.ID), RulesVersion: found.Challenge.RulesVersion,
		Seed: string(deal.Seed), Par: *parOf(found.Challenge.Par), LowerBound: deal.Bound, States: deal.States,
		Result: resultOf(found.Result), Log: deal.Log,
	}
	if deal.SubmissionID != "" {
		answer.SubmissionId = &deal.SubmissionID
	}
	return GetPar200JSONResponse(answer), nil
}

// dayPlace is what the cursor of a list of days holds.
type dayPlace struct {
	From string `json:"f,omitempty"`
	Day  string `json:"d"`
	Back bool   `json:"b,omitempty"`
}

// ListCommitments is the hashes of the dailies' seeds.
func (s *server) ListCommitments(ctx context.Context, r ListCommitmentsRequestObject) (ListCommitmentsResponseObject, error) {
	ctx, _ = enter(ctx)
	variant, err := variantIn(r.Params.Variant)
	if err != nil {
		return nil, err
	}
	query := challenge.CommitmentQuery{Variant: variant, From: challenge.DayOf(s.now()), Limit: limitOf(r.Params.Limit)}
	if r.Params.From != nil {
		if query.From, err = challenge.ParseDay(*r.Params.From); err != nil {
			return nil, wrongField("from", err.Error())
		}
	}
	list := "commitments " + variant.ID
	if r.Params.Cursor != nil {
		var p dayPlace
		if err := s.openCursor(list, *r.Params.Cursor, &p); err != nil {
			return nil, err
		}
		day, err := challenge.ParseDay(p.Day)
		if err != nil {
			return nil, err
		}
		if query.From, err = challenge.ParseDay(p.From); err != nil { // also where the question doesn't repeat it
			return nil, err
		}
		query.After = &day
		if p.Back {
			query.After, query.Before = nil, query.After
		}
	}
	page, err := s.Challenges.Commitments(ctx, query)
	if err != nil {
		return nil, err
	}
	answer := CommitmentPage{Items: []Commitment{}}
	for _, c := range page.Commitments {
		answer.Items = append(answer.Items, *commitmentOf(&c))
	}
	if day := page.Next; day != nil {
		answer.NextCursor = s.sealCursor(list, dayPlace{query.From.String(), day.String(), false})
	}
	if day := page.Prev; day != nil {
		answer.PrevCursor = s.sealCursor(list, dayPlace{query.From.String(), day.String(), true})
	}
	return ListCommitments200JSONResponse(answer), nil
}

func limitOf(limit *int) int {
	if limit == nil {
		return 50
	}
	return *limit
}

func challengeOf(c challenge.Challenge) Challenge {
	answer := Challenge{
		Id: c.ID, Kind: ChallengeKind(c.Kind), Variant: VariantId(c.Variant.ID), RulesVersion: c.RulesVersion,
		Seed: string(c.Seed), Deal: dealOf(c.Variant, c.Seed), OpensAt: c.OpensAt, ClosesAt: c.ClosesAt,
		GraceUntil: c.GraceUntil, Par: parOf(c.Par), Difficulty: orNull(c.Difficulty),
		Players: c.Players, Winners: c.Winners, Commitment: commitmentOf(c.Commitment),
	}
	if winnable := c.Par != nil; winnable || c.Lost {
		answer.Winnable = &winnable
	}
	if c.Kind == challenge.Daily {
		day := c.Day.String()
		answer.Date, answer.NextOpensAt = &day, &c.ClosesAt
	}
	return answer
}

func parOf(p *challenge.Par) *Par {
	if p == nil {
		return nil
	}
	answer := Par{Moves: p.Moves, Kind: ParKind(p.Kind)}
	if p.Holder != nil {
		holder := playerOf(*p.Holder)
		answer.Holder = &holder
	}
	return &answer
}

func overPar(p *challenge.Par, r replay.Result) *int {
	moves, ok := p.Over(r)
	if !ok {
		return nil
	}
	return &moves
}

func histogramOf(h challenge.Histogram) Histogram {
	answer := Histogram{}
	for _, bar := range h {
		to := &bar.To
		if bar.To == challenge.NoEnd {
			to = nil
		}
		answer = append(answer, Bar{From: bar.From, To: to, Count: bar.Count})
	}
	return answer
}

func commitmentOf(c *challenge.Commitment) *Commitment {
	if c == nil {
		return nil
	}
	return &Commitment{Date: c.Day.String(), Hash: c.Hash, CommittedAt: c.CommittedAt, Beforehand: c.Beforehand()}
}

func playerOf(p account.Player) Player {
	answer := Player{Id: p.ID, Guest: p.Guest}
	if !p.Deleted {
		answer.Name = &p.Name
	}
	return answer
}

func standingsOf(rows []challenge.Standing, par *challenge.Par) []Standing {
	items := make([]Standing, 0, len(rows))
	for _, row := range rows {
		items = append(items, standingOf(row, par))
	}
	return items
}

func standingOf(row challenge.Standing, par *challenge.Par) Standing {
	return Standing{
		Rank: row.Rank, Player: playerOf(row.Player), Outcome: Outcome(row.Result.Outcome.String()),
		Moves: row.Result.Moves, OverPar: overPar(par, row.Result), Redeals: row.Result.Redeals, Cards: row.Result.Cards,
		VerifiedAt: row.VerifiedAt, SubmissionId: row.SubmissionID, ReplayUrl: replayURL(row.SubmissionID, row.Sealed),
	}
}

func submissionOf(sub challenge.Submission) Submission {
	return Submission{
		Id: sub.ID, ChallengeId: sub.ChallengeID, Player: playerOf(sub.Player), Late: sub.Late,
		RulesVersion: sub.RulesVersion, VerifiedAt: sub.VerifiedAt, VerifiedBy: sub.VerifiedBy,
		Outcome: Outcome(sub.Result.Outcome.String()), Moves: sub.Result.Moves, Plays: sub.Result.Plays,
		Builds: sub.Result.Builds, Returns: sub.Result.Returns, Redeals: sub.Result.Redeals,
		Cards: sub.Result.Cards, Par: parOf(sub.Par), OverPar: overPar(sub.Par, sub.Result),
		ReplayUrl: replayURL(sub.ID, sub.Sealed),
	}
}

func verdictOf(v challenge.Verdict) Verdict {
	sub := submissionOf(v.Submission)
	answer := Verdict{
		Id: sub.Id, ChallengeId: sub.ChallengeId, Player: sub.Player, Late: sub.Late, RulesVersion: sub.RulesVersion,
		VerifiedAt: sub.VerifiedAt, VerifiedBy: sub.VerifiedBy, Outcome: sub.Outcome, Moves: sub.Moves,
		Plays: sub.Plays, Builds: sub.Builds, Returns: sub.Returns, Redeals: sub.Redeals, Cards: sub.Cards,
		Par: sub.Par, OverPar: sub.OverPar, ReplayUrl: sub.ReplayUrl,
		Players: v.Players, Improved: v.Submission.Improved, Rank: orNull(v.Rank), WouldRank: orNull(v.WouldRank),
		Neighbours: standingsOf(v.Neighbours, v.Submission.Par),
	}
	if v.PersonalBest != nil {
		best := standingOf(*v.PersonalBest, v.Submission.Par)
		answer.PersonalBest = &best
	}
	return answer
}

// orNull is a number from 1 on, or null for 0.
func orNull(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

func replayURL(submission string, sealed bool) *string {
	if sealed {
		return nil
	}
	url := "/v1/submissions/" + submission + "/replay"
	return &url
}
