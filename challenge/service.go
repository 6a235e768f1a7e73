package challenge

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"cruel/account"
	"cruel/engine"
	"cruel/replay"
	"cruel/solver"
)

// Store is what a Service needs kept. Each method is one transaction.
type Store interface {
	// Challenge returns a challenge, whether it is open or not, without the
	// counts of its board, or ErrNotFound.
	Challenge(ctx context.Context, id string) (Challenge, error)

	// OpenDaily adds a daily unless it is there already, on whatever seed, and
	// does what KeepFinding does.
	OpenDaily(ctx context.Context, c Challenge, f Finding) error

	// Share adds a shared challenge, and its deal as one that nobody has looked
	// at, unless it is there. The error is account.ErrNotFound where its maker
	// is deleted.
	Share(ctx context.Context, c Challenge) error

	// Commitments returns a page of the commitments to seeds of dailies.
	Commitments(ctx context.Context, q CommitmentQuery) (CommitmentPage, error)

	// Deal returns what is known of the deal of a seed, or ErrNotFound where no
	// challenge has it.
	Deal(ctx context.Context, v engine.Variant, seed engine.Seed) (Deal, error)

	// KeepFinding adds a finding to what is known of a deal that a challenge
	// has: the greater effort, the higher bound, the shorter win. Of two wins
	// of equal length the one that was there stays.
	KeepFinding(ctx context.Context, v engine.Variant, seed engine.Seed, f Finding) error

	// Deals returns variant, seed and effort of the deals of those of the
	// challenges that are there.
	Deals(ctx context.Context, challengeIDs []string) (map[string]Deal, error)

	// Unsolved returns variant, seed and effort of at most limit deals that have
	// less than the Full effort, those that the least was made for first, then
	// the oldest.
	Unsolved(ctx context.Context, limit int) ([]Deal, error)

	// Claim gives a piece of work to a holder, or leaves it with them, and
	// reports whether it did. It doesn't while another has a claim on it that
	// hasn't lapsed.
	Claim(ctx context.Context, c Claim) (bool, error)

	// Release ends a claim, and forgets all that have lapsed.
	Release(ctx context.Context, c Claim) error

	// Dailies returns the dailies of a variant from a day to another that have
	// opened by now, the earliest first.
	Dailies(ctx context.Context, v engine.Variant, from, to Day, now time.Time) ([]Challenge, error)

	// Sealed returns the seals that a query asks for. There is at most one of a
	// kind for a seed; it lasts from the earliest opening of its kind to the
	// latest end.
	Sealed(ctx context.Context, q SealQuery) ([]Seal, error)

	// Submit keeps a submission, with what Judge says of it, and returns it as
	// it is kept. If the player has sent the same log for the challenge before,
	// that submission is returned and created is false. A key that was used
	// before brings the answer that it brought then. The errors are those of
	// Judge, account.ErrIdempotencyMismatch, and account.ErrNotFound where the
	// player is deleted.
	Submit(ctx context.Context, f Filing) (s Submission, created bool, err error)

	// Submission returns a submission or ErrNotFound.
	Submission(ctx context.Context, id string) (Submission, error)

	// SubmissionLog returns the log of a submission or ErrNotFound.
	SubmissionLog(ctx context.Context, id string) (string, error)

	// Submissions returns a page of a player's submissions.
	Submissions(ctx context.Context, playerID string, q ListQuery) (SubmissionPage, error)

	// PlayedDays returns a page of a player's standings of dailies.
	PlayedDays(ctx context.Context, q PlayedQuery) (PlayedPage, error)

	// ResultCounts counts the results on a board, the better first.
	ResultCounts(ctx context.Context, challengeID string) ([]ResultCount, error)

	// Leaderboard returns a part of a board.
	Leaderboard(ctx context.Context, challengeID string, q BoardQuery) (Board, error)

	// Around returns the part of a board, of at most limit standings, that has
	// a player's in the middle. The error is ErrNotFound where they have none.
	Around(ctx context.Context, challengeID, playerID string, limit int) (Board, error)

	// Tally counts a board, and the results on it that are better than the one
	// with the key.
	Tally(ctx context.Context, challengeID string, resultKey int64) (Tally, error)

	// RollUp tidies what Submit left behind for speed, forgets idempotency keys
	// older than KeyLife, and returns how many rows it tidied. It changes no
	// rank, and may run on many servers at once.
	RollUp(ctx context.Context, now time.Time) (int, error)
}

// KeyLife is how long an idempotency key is remembered.
const KeyLife = 24 * time.Hour

// Claim says that a server does a piece of work, so that others don't do it
// too. What is done twice all the same does no harm.
type Claim struct {
	Work   string
	Holder string
	Now    time.Time
	Until  time.Time // lapses then, unless it is claimed anew
}

// Filing is a submission on its way to the Store.
type Filing struct {
	Submission  Submission // Improved is for the Store to say
	Log         string     // canonical
	LowersPar   bool       // it may be shorter than the shortest win known
	Key         string     // the idempotency key, which is the player's own; empty if none was sent
	Fingerprint [32]byte   // of all that must be the same where the key is
}

// Options are what a Service needs besides a Store.
type Options struct {
	Now         func() time.Time
	Version     string // of the server, kept with what it verifies
	DailySecret []byte // keys the seeds of the days to come
	Log         *slog.Logger

	PrepareDays   int                  // how many days beyond today are prepared
	SolverMemory  int64                // what solving a deal may keep, in bytes; 256 MiB if 0
	Apart         func(do func())      // does a search so that it holds up nothing else; just does it if nil
	ProcessorTime func() time.Duration // used by the calling thread so far; the clock's if nil
	HintTime      time.Duration        // what looking for a hint may take; 50 ms if 0
}

// Service is what may be done with challenges. The viewer of its methods is
// the id of the player who asks, empty for the public.
type Service struct {
	store   Store
	options Options
	holder  string // of this service's claims
	hints   *queue

	drawing  chan struct{}  // holds one while a daily is drawn for who asks
	drawFrom map[string]int // by its id, the n of the seed that comes next; for who holds drawing

	mu       sync.Mutex
	drawings map[string]chan struct{} // by the ids of dailies; closed at the end
	aside    map[string]time.Time     // until when a piece of work that failed waits
}

// New returns a Service over a Store.
func New(store Store, o Options) *Service {
	if o.SolverMemory == 0 {
		o.SolverMemory = solver.DefaultMemory
	}
	if o.Apart == nil {
		o.Apart = func(do func()) { do() }
	}
	if o.ProcessorTime == nil {
		begun := time.Now()
		o.ProcessorTime = func() time.Duration { return time.Since(begun) }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.HintTime == 0 {
		o.HintTime = hintTime
	}
	return &Service{
		store: store, options: o, holder: randomText(20),
		hints: newQueue(), drawing: make(chan struct{}, 1), drawFrom: map[string]int{},
		drawings: map[string]chan struct{}{}, aside: map[string]time.Time{},
	}
}

func (s *Service) now() time.Time { return wholeMillisecond(s.options.Now()) }

// Today returns the daily of a variant.
func (s *Service) Today(ctx context.Context, v engine.Variant) (Challenge, error) {
	return s.Daily(ctx, v, DayOf(s.now()))
}

// Daily returns the daily of a variant and day. The error is ErrNotFound.
func (s *Service) Daily(ctx context.Context, v engine.Variant, d Day) (Challenge, error) {
	return s.Challenge(ctx, DailyID(v, d))
}

// Challenge returns a challenge. The daily of today is there as soon as it is
// asked for. The error is ErrNotFound or ErrDrawing.
func (s *Service) Challenge(ctx context.Context, id string) (Challenge, error) {
	c, err := s.find(ctx, id)
	if err != nil {
		return Challenge{}, err
	}
	tally, err := s.store.Tally(ctx, id, WonBelow)
	c.Players, c.Winners = tally.Players, tally.Winners
	return c, err
}

// find is Challenge without the counts of the board.
func (s *Service) find(ctx context.Context, id string) (Challenge, error) {
	now := s.now()
	c, err := s.store.Challenge(ctx, id)
	v, d, daily := parseDailyID(id)
	if errors.Is(err, ErrNotFound) && daily && d == DayOf(now) {
		if err := s.drawAtOnce(ctx, v, d); err != nil {
			return Challenge{}, err
		}
		c, err = s.store.Challenge(ctx, id)
	}
	if err != nil {
		return Challenge{}, err
	}
	if c.OpensAt.After(now) {
		return Challenge{}, ErrNotFound
	}
	return c, nil
}

// Sharing is the challenge that a player wants to share.
type Sharing struct {
	PlayerID string
	Variant  engine.Variant
	Seed     engine.Seed // empty for a fresh one
	ClosesAt time.Time   // zero for a week from now
}

// Share makes a challenge. The error is ErrClosesAt, a *SealedSeedError, or
// account.ErrNotFound where the player is deleted.
func (s *Service) Share(ctx context.Context, w Sharing) (Challenge, error) {
	now := s.now()
	if w.Seed == "" {
		w.Seed = freshSeed()
	}
	c, err := newShared(w.PlayerID, w.Variant, w.Seed, w.ClosesAt, now)
	if err != nil {
		return Challenge{}, err
	}
	seals, err := s.store.Sealed(ctx, SealQuery{Now: now, Coming: true, Seeds: []engine.Seed{w.Seed}})
	if err != nil {
		return Challenge{}, err
	}
	if until, sealed := SealsChallenges(seals); sealed {
		return Challenge{}, &SealedSeedError{until}
	}
	if err := s.store.Share(ctx, c); err != nil {
		return Challenge{}, err
	}
	return s.store.Challenge(ctx, c.ID) // with what is known of its deal
}

// Sent is a log as it was sent.
type Sent struct {
	PlayerID    string
	ChallengeID string
	Log         string
	Key         string    // the idempotency key; empty if none was sent
	ArrivedAt   time.Time // when the last byte came
}

// Verdict is the answer to a log: the submission, and where its player stands.
type Verdict struct {
	Submission   Submission
	Created      bool       // false if the player had sent this log before
	Rank         int        // of the player's standing; 0 if all they sent was late
	PersonalBest *Standing  // the player's standing; nil if all they sent was late
	Neighbours   []Standing // two before and two after it, and itself
	Players      int        // on the board
	WouldRank    int        // the rank a late submission would have had; else 0
}

// Submit verifies a log, keeps it, and answers where its player stands now.
// The error is ErrNotFound, ErrEmptyLog, a refusal of replay.Verify, or one of
// Store.Submit; nothing is kept then.
func (s *Service) Submit(ctx context.Context, sent Sent) (Verdict, error) {
	c, err := s.find(ctx, sent.ChallengeID)
	if err != nil {
		return Verdict{}, err
	}
	f, err := s.verify(c, sent)
	if err != nil {
		return Verdict{}, err
	}
	kept, created, err := s.store.Submit(ctx, f)
	if err != nil {
		return Verdict{}, err
	}
	if f.LowersPar {
		if c, err = s.store.Challenge(ctx, c.ID); err != nil {
			return Verdict{}, err
		}
	}
	return s.verdict(ctx, c, kept, created)
}

// verify returns what a log for c proves, ready to be kept.
func (s *Service) verify(c Challenge, sent Sent) (Filing, error) {
	result, err := replay.Verify(c.Variant, c.Seed, sent.Log)
	if err != nil {
		return Filing{}, err
	}
	if result.Moves == 0 {
		return Filing{}, ErrEmptyLog
	}
	log, err := replay.ParseLog(sent.Log)
	if err != nil {
		return Filing{}, err
	}
	now := s.now()
	won := result.Outcome == engine.Won
	if won && (c.Lost || result.Moves < c.Bound) {
		s.options.Log.Error("a verified log wins in fewer moves than proven possible",
			"variant", c.Variant.ID, "seed", c.Seed, "log", log.String(), "bound", c.Bound, "lost", c.Lost)
	}
	return Filing{
		LowersPar: c.mayLower(result),
		Submission: Submission{
			ID:           newSubmissionID(now),
			ChallengeID:  c.ID,
			Seed:         c.Seed,
			Player:       account.Player{ID: sent.PlayerID},
			Result:       result,
			Late:         c.Late(sent.ArrivedAt),
			VerifiedAt:   now,
			PublicFrom:   c.publicFrom(now),
			VerifiedBy:   s.options.Version,
			RulesVersion: engine.RulesVersion,
		},
		Log:         log.String(),
		Key:         sent.Key,
		Fingerprint: sha256.Sum256([]byte(c.ID + "\n" + sent.Log)),
	}, nil
}

// verdict looks up where the player of a kept submission stands.
func (s *Service) verdict(ctx context.Context, c Challenge, kept Submission, created bool) (Verdict, error) {
	v := Verdict{Submission: kept, Created: created}
	player := kept.Player.ID
	board, err := s.store.Around(ctx, c.ID, player, 5)
	if err == nil {
		board, err = s.veil(ctx, player, c, board)
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		return Verdict{}, err
	}
	if v.Submission.Par = c.Par; err == nil {
		v.Submission.Par = board.Par
	}
	v.Players, v.Neighbours = board.Players, board.Standings
	for _, standing := range board.Standings {
		if standing.Player.ID == player {
			v.Rank, v.PersonalBest = standing.Rank, &standing
		}
	}
	if !kept.Late {
		return v, nil
	}
	tally, err := s.store.Tally(ctx, c.ID, ResultKey(kept.Result))
	if err != nil {
		return Verdict{}, err
	}
	v.Players, v.WouldRank = tally.Players, 1+tally.Better
	if v.PersonalBest != nil {
		v.WouldRank = min(v.WouldRank, v.Rank) // nobody is behind themselves
	}
	return v, nil
}

// Leaderboard returns a part of a challenge's board. The error is ErrNotFound.
func (s *Service) Leaderboard(ctx context.Context, viewer, challengeID string, q BoardQuery) (Board, error) {
	c, err := s.find(ctx, challengeID)
	if err != nil {
		return Board{}, err
	}
	b, err := s.store.Leaderboard(ctx, challengeID, q)
	if err != nil {
		return Board{}, err
	}
	return s.veil(ctx, viewer, c, b)
}

// Around returns the part of a challenge's board, of at most limit standings,
// that has a player's in the middle. The error is ErrNotFound where there is no
// such challenge, or the player has no standing.
func (s *Service) Around(ctx context.Context, viewer, challengeID, playerID string, limit int) (Board, error) {
	c, err := s.find(ctx, challengeID)
	if err != nil {
		return Board{}, err
	}
	b, err := s.store.Around(ctx, challengeID, playerID, limit)
	if err != nil {
		return Board{}, err
	}
	return s.veil(ctx, viewer, c, b)
}

// veil says for each standing whether its log is sealed to the viewer, and
// what par is. If that has fallen since c was read, it is read again, so that no
// win is below par.
func (s *Service) veil(ctx context.Context, viewer string, c Challenge, b Board) (Board, error) {
	now := s.now()
	if slices.ContainsFunc(b.Standings, func(row Standing) bool { return c.mayLower(row.Result) }) {
		var err error
		if c, err = s.store.Challenge(ctx, c.ID); err != nil {
			return Board{}, err
		}
	}
	b.Par = c.Par
	seals := []Seal{{c.Seed, c.Kind, c.OpensAt, c.GraceUntil}}
	if c.Late(now) { // else its own seal covers all its logs
		var err error
		if seals, err = s.store.Sealed(ctx, SealQuery{Now: now, Seeds: []engine.Seed{c.Seed}}); err != nil {
			return Board{}, err
		}
	}
	for i := range b.Standings {
		row := &b.Standings[i]
		row.Sealed = row.Player.ID != viewer && SealsLog(seals, c.Seed, c.publicFrom(row.VerifiedAt))
	}
	return b, nil
}

// Submission returns a submission. The error is ErrNotFound.
func (s *Service) Submission(ctx context.Context, viewer, id string) (Submission, error) {
	sub, err := s.store.Submission(ctx, id)
	if err != nil {
		return Submission{}, err
	}
	seals, err := s.store.Sealed(ctx, SealQuery{Now: s.now(), Seeds: []engine.Seed{sub.Seed}})
	if err != nil {
		return Submission{}, err
	}
	sub.Sealed = sub.Player.ID != viewer && SealsLog(seals, sub.Seed, sub.PublicFrom)
	return sub, nil
}

// Submissions returns a page of a player's submissions, the newest first.
func (s *Service) Submissions(ctx context.Context, viewer, playerID string, q ListQuery) (SubmissionPage, error) {
	page, err := s.store.Submissions(ctx, playerID, q)
	if err != nil || viewer == playerID || len(page.Submissions) == 0 {
		return page, err
	}
	var seeds []engine.Seed
	for _, sub := range page.Submissions {
		seeds = append(seeds, sub.Seed)
	}
	seals, err := s.store.Sealed(ctx, SealQuery{Now: s.now(), Seeds: seeds})
	if err != nil {
		return SubmissionPage{}, err
	}
	for i := range page.Submissions {
		sub := &page.Submissions[i]
		sub.Sealed = SealsLog(seals, sub.Seed, sub.PublicFrom)
	}
	return page, nil
}

// PlayedDays returns a page of a player's standings of dailies, the newest
// first.
func (s *Service) PlayedDays(ctx context.Context, q PlayedQuery) (PlayedPage, error) {
	return s.store.PlayedDays(ctx, q)
}

// Statistics returns what all of a player's days of a variant come to. There
// are at most as many as the server is old.
func (s *Service) Statistics(ctx context.Context, playerID string, v engine.Variant) (Statistics, error) {
	page, err := s.store.PlayedDays(ctx, PlayedQuery{PlayerID: playerID, Variant: v})
	return StatisticsOf(page.Days, s.now()), err
}

// Spread returns how the results of a challenge's board lie. The error is
// ErrNotFound.
func (s *Service) Spread(ctx context.Context, challengeID string) (Spread, error) {
	counts, err := s.store.ResultCounts(ctx, challengeID)
	if err != nil {
		return Spread{}, err
	}
	c, err := s.find(ctx, challengeID) // after the results, so that none of them is below par
	return SpreadOf(c.Par, counts), err
}

// Dailies returns the dailies of a variant from a day to another that have
// begun, the earliest first.
func (s *Service) Dailies(ctx context.Context, v engine.Variant, from, to Day) ([]Challenge, error) {
	return s.store.Dailies(ctx, v, from, to, s.now())
}

// Replay is a submission with all that it takes to play it again.
type Replay struct {
	Submission Submission
	Challenge  Challenge
	Log        string // canonical
}

// Replay returns a submission with its log. The error is ErrNotFound or a
// *SealedLogError.
func (s *Service) Replay(ctx context.Context, viewer, id string) (Replay, error) {
	sub, err := s.store.Submission(ctx, id)
	if err != nil {
		return Replay{}, err
	}
	seals, err := s.store.Sealed(ctx, SealQuery{Now: s.now(), OpenedBefore: sub.PublicFrom, Seeds: []engine.Seed{sub.Seed}})
	if err != nil {
		return Replay{}, err
	}
	if sub.Player.ID != viewer && SealsLog(seals, sub.Seed, sub.PublicFrom) {
		return Replay{}, &SealedLogError{lastUntil(seals)} // all of them hide it
	}
	c, err := s.store.Challenge(ctx, sub.ChallengeID)
	if err != nil {
		return Replay{}, err
	}
	log, err := s.store.SubmissionLog(ctx, id)
	if err != nil {
		return Replay{}, err
	}
	return Replay{sub, c, log}, nil
}

// Par returns the shortest win known for a challenge's deal. The error is
// ErrNotFound or a *SealedLogError.
func (s *Service) Par(ctx context.Context, challengeID string) (ParReplay, error) {
	c, err := s.find(ctx, challengeID)
	if err != nil {
		return ParReplay{}, err
	}
	if c.Par == nil {
		return ParReplay{}, ErrNotFound
	}
	deal, err := s.store.Deal(ctx, c.Variant, c.Seed)
	if err != nil {
		return ParReplay{}, err
	}
	if deal.Moves < c.Par.Moves { // it has just fallen
		return s.Par(ctx, challengeID)
	}
	if deal.proven() { // by now
		c.Par.Kind = Proven
	}
	seals, err := s.store.Sealed(ctx, SealQuery{Now: s.now(), OpenedBefore: deal.PublicFrom, Seeds: []engine.Seed{c.Seed}})
	if err != nil {
		return ParReplay{}, err
	}
	if SealsLog(seals, c.Seed, deal.PublicFrom) {
		return ParReplay{}, &SealedLogError{lastUntil(seals)}
	}
	result, err := replay.Verify(c.Variant, c.Seed, deal.Log)
	return ParReplay{c, deal, result}, err
}

// Commitments returns a page of the commitments to the seeds of dailies.
func (s *Service) Commitments(ctx context.Context, q CommitmentQuery) (CommitmentPage, error) {
	return s.store.Commitments(ctx, q)
}

// RollUp tidies what submissions left behind for speed, and returns how many
// rows that were. It is to be called every few seconds on every server; ranks
// are right without it, but take longer.
func (s *Service) RollUp(ctx context.Context) (int, error) {
	return s.store.RollUp(ctx, s.now())
}
