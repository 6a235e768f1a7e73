package api

import (
	"context"
	"fmt"
	"strings"

	"cruel/challenge"
	"cruel/engine"
	"cruel/replay"
)

// ListVariants is the rule table.
func (s *server) ListVariants(context.Context, ListVariantsRequestObject) (ListVariantsResponseObject, error) {
	answer := ListVariants200JSONResponse{RulesVersion: engine.RulesVersion}
	for _, v := range engine.Variants() {
		answer.Items = append(answer.Items, variantOf(v))
	}
	return answer, nil
}

// GetVariant is a row of it.
func (s *server) GetVariant(_ context.Context, r GetVariantRequestObject) (GetVariantResponseObject, error) {
	v, err := engine.ParseVariant(r.Variant)
	if err != nil {
		return nil, &problemError{kind: notFound, detail: err.Error()}
	}
	return GetVariant200JSONResponse(variantOf(v)), nil
}

// VerifyReplay says what a log proves and keeps nothing.
func (s *server) VerifyReplay(_ context.Context, r VerifyReplayRequestObject) (VerifyReplayResponseObject, error) {
	v, seed, err := gameOf(r.Body.Variant, r.Body.Seed)
	if err != nil {
		return nil, err
	}
	result, err := replay.Verify(v, seed, r.Body.Log)
	if err != nil {
		return nil, err
	}
	return VerifyReplay200JSONResponse(resultOf(result)), nil
}

// GetHint says how a game may go on.
func (s *server) GetHint(ctx context.Context, r GetHintRequestObject) (GetHintResponseObject, error) {
	ctx, _ = enter(ctx)
	v, seed, err := gameOf(r.Body.Variant, r.Body.Seed)
	if err != nil {
		return nil, err
	}
	hint, err := s.Challenges.Hint(ctx, v, seed, r.Body.Log)
	if err != nil {
		return nil, err
	}
	var answer Hint
	if hint.Winnable {
		answer.Moves = &hint.Moves
	}
	if hint.Winnable || hint.Lost {
		answer.Winnable = &hint.Winnable
	}
	if hint.Move != "" {
		answer.Move = &hint.Move
	}
	return GetHint200JSONResponse(answer), nil
}

func gameOf(id VariantId, text string) (engine.Variant, engine.Seed, error) {
	v, err := engine.ParseVariant(string(id))
	if err != nil {
		return v, "", wrongField("variant", err.Error())
	}
	seed, err := engine.ParseSeed(text)
	if err != nil {
		return v, "", wrongField("seed", err.Error())
	}
	return v, seed, nil
}

func resultOf(r replay.Result) Result {
	return Result{
		Outcome: Outcome(r.Outcome.String()), Moves: r.Moves, Plays: r.Plays, Builds: r.Builds,
		Returns: r.Returns, Redeals: r.Redeals, Cards: r.Cards,
	}
}

func variantOf(v engine.Variant) Variant {
	answer := Variant{
		Id: VariantId(v.ID), Build: VariantBuild(snake(v.Build)), Unit: VariantUnit(snake(v.Unit)),
		When: VariantWhen(snake(v.When)), Gather: VariantGather(snake(v.Gather)),
		DealOut: VariantDealOut(snake(v.DealOut)), Returns: v.Returns, RulesVersion: engine.RulesVersion,
	}
	if v.Redeals != engine.Unlimited {
		answer.Redeals = &v.Redeals
	}
	return answer
}

// snake is a word of the rule table as the contract writes it.
func snake(word fmt.Stringer) string { return strings.ReplaceAll(word.String(), " ", "_") }

func dealOf(v engine.Variant, seed engine.Seed) Deal {
	deal := make(Deal, 0, 12)
	position := engine.Deal(v, seed)
	for _, pile := range position.Piles {
		cards := []Card{}
		for _, card := range pile.Cards() {
			cards = append(cards, card.String())
		}
		deal = append(deal, cards)
	}
	return deal
}

// recordOf is a game as a .cruel record. Headers without a value are left out.
func recordOf(c challenge.Challenge, text string, result replay.Result, headers ...replay.Header) (string, error) {
	log, err := replay.ParseLog(text)
	if err != nil {
		return "", err
	}
	record := replay.Record{Variant: c.Variant, Seed: c.Seed, Log: log, Result: &result.Outcome, Moves: &result.Moves}
	for _, h := range append(headers, replay.Header{Name: "Challenge", Value: c.ID}) {
		if h.Value == "" {
			continue
		}
		if err := record.SetHeader(h.Name, h.Value); err != nil {
			return "", err
		}
	}
	return record.String(), nil
}
