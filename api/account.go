package api

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"cruel/account"
	"cruel/challenge"
)

// SignUp makes a player and signs them in.
func (s *server) SignUp(ctx context.Context, r SignUpRequestObject) (SignUpResponseObject, error) {
	c := ctx.(*gin.Context)
	ctx, call := enter(ctx)
	wish := account.SignUp{Cookie: byCookie(r.Body.Transport), Body: call.bodyHash[:]}
	if r.Body.Name != nil {
		wish.Name = *r.Body.Name
	}
	if r.Body.Password != nil {
		wish.Password = *r.Body.Password
	}
	if r.Params.IdempotencyKey != nil {
		wish.Key = strings.ToLower(*r.Params.IdempotencyKey)
	}
	in, err := s.Accounts.SignUp(ctx, wish)
	if err != nil {
		return nil, err
	}
	return SignUp201JSONResponse(s.sessionOf(c, in)), nil
}

// LogIn begins a session.
func (s *server) LogIn(ctx context.Context, r LogInRequestObject) (LogInResponseObject, error) {
	c := ctx.(*gin.Context)
	ctx, _ = enter(ctx)
	if err := s.limit(c, logInNamePolicy, nameKey(r.Body.Name)); err != nil {
		return nil, err
	}
	in, err := s.Accounts.LogIn(ctx, r.Body.Name, r.Body.Password, byCookie(r.Body.Transport))
	if err != nil {
		return nil, err
	}
	return LogIn201JSONResponse(s.sessionOf(c, in)), nil
}

// RecoverSession sets a new password with the recovery code.
func (s *server) RecoverSession(ctx context.Context, r RecoverSessionRequestObject) (RecoverSessionResponseObject, error) {
	c := ctx.(*gin.Context)
	ctx, _ = enter(ctx)
	if err := s.limit(c, logInNamePolicy, nameKey(r.Body.Name)); err != nil {
		return nil, err
	}
	in, err := s.Accounts.Recover(ctx, r.Body.Name, r.Body.Code, r.Body.Password, byCookie(r.Body.Transport))
	if err != nil {
		return nil, err
	}
	return RecoverSession201JSONResponse(s.sessionOf(c, in)), nil
}

// RefreshSession changes a refresh token for the next pair of tokens.
func (s *server) RefreshSession(ctx context.Context, r RefreshSessionRequestObject) (RefreshSessionResponseObject, error) {
	c := ctx.(*gin.Context)
	ctx, _ = enter(ctx)
	var token string
	switch {
	case byCookie(r.Body.Transport) && r.Body.RefreshToken != nil:
		return nil, wrongField("refresh_token", "is in the cookie with this transport")
	case byCookie(r.Body.Transport):
		var err error
		if token, err = cookieOf(c); err != nil {
			return nil, err
		}
	case r.Body.RefreshToken == nil:
		return nil, wrongField("refresh_token", "is missing")
	default:
		token = *r.Body.RefreshToken
	}
	in, err := s.Accounts.Refresh(ctx, token)
	if errors.Is(err, account.ErrBadToken) {
		return nil, &problemError{kind: badCredentials, detail: "the refresh token isn't valid, or not any more"}
	}
	if err != nil {
		return nil, err
	}
	return RefreshSession200JSONResponse(s.sessionOf(c, in)), nil
}

// LogOut ends the session of the access token.
func (s *server) LogOut(ctx context.Context, _ LogOutRequestObject) (LogOutResponseObject, error) {
	c := ctx.(*gin.Context)
	ctx, call := enter(ctx)
	if err := s.Accounts.LogOut(ctx, call.identity); err != nil {
		return nil, err
	}
	s.setCookie(c, "", 0)
	return LogOut204Response{}, nil
}

// GetMe is the player who asks.
func (s *server) GetMe(ctx context.Context, _ GetMeRequestObject) (GetMeResponseObject, error) {
	ctx, call := enter(ctx)
	player, err := s.Accounts.Me(ctx, call.identity)
	if err != nil {
		return nil, err
	}
	return GetMe200JSONResponse{ProfileJSONResponse(profileOf(player))}, nil
}

// ChangeMe sets a name or a password.
func (s *server) ChangeMe(ctx context.Context, r ChangeMeRequestObject) (ChangeMeResponseObject, error) {
	c := ctx.(*gin.Context)
	ctx, call := enter(ctx)
	change := account.Change{Name: r.Body.Name, Password: r.Body.Password}
	if r.Body.CurrentPassword != nil {
		change.CurrentPassword = *r.Body.CurrentPassword
	}
	if err := s.limitChange(c, change, call.identity.PlayerID); err != nil {
		return nil, err
	}
	changed, err := s.Accounts.Change(ctx, call.identity, change)
	if errors.Is(err, account.ErrBadCredentials) {
		return nil, &problemError{kind: badCredentials, detail: "current_password is missing or wrong"}
	}
	if err != nil {
		return nil, err
	}
	return ChangeMe200JSONResponse{Player: playerOf(changed.Player), RecoveryCode: orAbsent(changed.RecoveryCode)}, nil
}

// limitChange limits guesses of the current password as log-ins are, and how many names a player can take
// out of the world.
func (s *server) limitChange(c *gin.Context, change account.Change, player string) error {
	if change.Password != nil {
		if err := s.limit(c, logInPolicy, s.clientKey(c.Request)); err != nil {
			return err
		}
		if err := s.limit(c, logInNamePolicy, "player "+player); err != nil {
			return err
		}
	}
	if change.Name != nil {
		return s.limit(c, renamePolicy, player)
	}
	return nil
}

// DeleteMe deletes the account of who asks.
func (s *server) DeleteMe(ctx context.Context, _ DeleteMeRequestObject) (DeleteMeResponseObject, error) {
	c := ctx.(*gin.Context)
	ctx, call := enter(ctx)
	if err := s.Accounts.Delete(ctx, call.identity); err != nil {
		return nil, err
	}
	if err := s.Races.Withdraw(ctx, call.identity.PlayerID); err != nil { // their deadlines will end them
		s.log.LogAttrs(ctx, slog.LevelWarn, "a deleted player is still in races", slog.String("id", call.id), slog.Any("error", err))
	}
	s.setCookie(c, "", 0)
	return DeleteMe204Response{}, nil
}

// GetPlayer is a player by name.
func (s *server) GetPlayer(ctx context.Context, r GetPlayerRequestObject) (GetPlayerResponseObject, error) {
	ctx, _ = enter(ctx)
	player, err := s.Accounts.PlayerByName(ctx, r.Name)
	if err != nil {
		return nil, err
	}
	return GetPlayer200JSONResponse{ProfileJSONResponse(profileOf(player))}, nil
}

// listPlace is what the cursor of a player's submissions holds.
type listPlace struct {
	Time int64  `json:"t"`
	ID   string `json:"i"`
	Back bool   `json:"b,omitempty"`
}

// ListPlayerSubmissions is a page of what a player has submitted.
func (s *server) ListPlayerSubmissions(ctx context.Context, r ListPlayerSubmissionsRequestObject) (ListPlayerSubmissionsResponseObject, error) {
	ctx, call := enter(ctx)
	player, err := s.Accounts.PlayerByName(ctx, r.Name)
	if err != nil {
		return nil, err
	}
	list, query := "submissions "+player.ID, challenge.ListQuery{Limit: limitOf(r.Params.Limit)}
	if r.Params.Cursor != nil {
		var p listPlace
		if err := s.openCursor(list, *r.Params.Cursor, &p); err != nil {
			return nil, err
		}
		query.After = &challenge.ListCursor{VerifiedAt: time.UnixMilli(p.Time).UTC(), SubmissionID: p.ID}
		if p.Back {
			query.After, query.Before = nil, query.After
		}
	}
	page, err := s.Challenges.Submissions(ctx, call.identity.PlayerID, player.ID, query)
	if err != nil {
		return nil, err
	}
	answer := SubmissionPage{Items: make([]Submission, 0, len(page.Submissions))}
	for _, sub := range page.Submissions {
		answer.Items = append(answer.Items, submissionOf(sub))
	}
	if c := page.Next; c != nil {
		answer.NextCursor = s.sealCursor(list, listPlace{c.VerifiedAt.UnixMilli(), c.SubmissionID, false})
	}
	if c := page.Prev; c != nil {
		answer.PrevCursor = s.sealCursor(list, listPlace{c.VerifiedAt.UnixMilli(), c.SubmissionID, true})
	}
	return ListPlayerSubmissions200JSONResponse(answer), nil
}

// ListPlayerDays is a page of a player's standings of dailies.
func (s *server) ListPlayerDays(ctx context.Context, r ListPlayerDaysRequestObject) (ListPlayerDaysResponseObject, error) {
	ctx, _ = enter(ctx)
	variant, err := variantIn(r.Params.Variant)
	if err != nil {
		return nil, err
	}
	player, err := s.Accounts.PlayerByName(ctx, r.Name)
	if err != nil {
		return nil, err
	}
	list := "days " + player.ID + " " + variant.ID
	query := challenge.PlayedQuery{PlayerID: player.ID, Variant: variant, Limit: limitOf(r.Params.Limit)}
	if r.Params.Cursor != nil {
		var p dayPlace
		if err := s.openCursor(list, *r.Params.Cursor, &p); err != nil {
			return nil, err
		}
		day, err := challenge.ParseDay(p.Day)
		if err != nil {
			return nil, err
		}
		query.After = &day
		if p.Back {
			query.After, query.Before = nil, query.After
		}
	}
	page, err := s.Challenges.PlayedDays(ctx, query)
	answer := PlayedDayPage{Items: []PlayedDay{}}
	for _, d := range page.Days {
		answer.Items = append(answer.Items, PlayedDay{
			Date: d.Day.String(), ChallengeId: d.ChallengeID, SubmissionId: d.SubmissionID, Outcome: Outcome(d.Result.Outcome.String()),
			Moves: d.Result.Moves, Cards: d.Result.Cards, OverPar: overPar(d.Par, d.Result),
		})
	}
	if day := page.Next; day != nil {
		answer.NextCursor = s.sealCursor(list, dayPlace{Day: day.String()})
	}
	if day := page.Prev; day != nil {
		answer.PrevCursor = s.sealCursor(list, dayPlace{Day: day.String(), Back: true})
	}
	return ListPlayerDays200JSONResponse(answer), err
}

// GetPlayerStatistics is what a player's days come to.
func (s *server) GetPlayerStatistics(ctx context.Context, r GetPlayerStatisticsRequestObject) (GetPlayerStatisticsResponseObject, error) {
	ctx, _ = enter(ctx)
	variant, err := variantIn(r.Params.Variant)
	if err != nil {
		return nil, err
	}
	player, err := s.Accounts.PlayerByName(ctx, r.Name)
	if err != nil {
		return nil, err
	}
	found, err := s.Challenges.Statistics(ctx, player.ID, variant)
	answer := GetPlayerStatistics200JSONResponse{
		Variant: VariantId(variant.ID), Played: found.Played, Won: found.Won, NotWon: found.Played - found.Won,
		Streak:  Streak{Current: found.Streak.Current, Best: found.Streak.Best},
		OverPar: histogramOf(found.OverPar), BestOverPar: found.BestOverPar,
	}
	if d := found.Streak.Missed; d != nil {
		answer.Streak.LastMissed = orAbsent(d.String())
	}
	return answer, err
}

// GetKeys is the public keys of the access tokens.
func (s *server) GetKeys(context.Context, GetKeysRequestObject) (GetKeysResponseObject, error) {
	var answer GetKeys200JSONResponse
	for _, key := range s.Accounts.JWKS().Keys {
		answer.Keys = append(answer.Keys, Key{
			Kty: KeyKty(key.Type), Crv: KeyCrv(key.Curve), Alg: KeyAlg(key.Algorithm), Use: KeyUse(key.Use), Kid: key.ID, X: key.X,
		})
	}
	return answer, nil
}

func byCookie(t *Transport) bool { return t != nil && *t == Cookie }

// nameKey is what log-ins of a name are counted by: the same for all spellings of it. What can't be a name
// counts together, since no log-in with it can succeed.
func nameKey(text string) string { return "name " + account.NameKey(text) }

// sessionOf is a player with tokens; a refresh token for the cookie goes there.
func (s *server) sessionOf(c *gin.Context, in account.SignedIn) Session {
	answer := Session{
		Player: playerOf(in.Player), AccessToken: in.Tokens.Access,
		ExpiresIn: int(in.Tokens.AccessLifetime / time.Second), RecoveryCode: orAbsent(in.RecoveryCode),
	}
	if in.Tokens.Cookie {
		s.setCookie(c, in.Tokens.Refresh, in.Tokens.RefreshExpiresAt.Sub(s.now()))
	} else {
		answer.RefreshToken = &in.Tokens.Refresh
	}
	return answer
}

func profileOf(p account.Player) Profile {
	return Profile{Id: p.ID, Name: p.Name, Guest: p.Guest, CreatedAt: p.CreatedAt}
}

// orAbsent is a text, or nothing for "".
func orAbsent(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
