import type { Entrant, Race } from '../api/schema.gen'

export function entrant(id: string, more: Partial<Entrant> = {}): Entrant {
  return {
    player: { id, name: id, guest: false },
    state: 'joined',
    cards: 4,
    moves: 0,
    finished_at: null,
    result: null,
    log: null,
    wins: 0,
    rematch: false,
    rating: null,
    ...more,
  }
}

export function race(state: Race['state'], entrants: Entrant[], more: Partial<Race> = {}): Race {
  return {
    code: 'kqtwzv',
    state,
    goal: 'fewest_moves',
    variant: 'cruel',
    rules_version: 1,
    visibility: 'open',
    rated: false,
    seed_named: false,
    time_limit_s: 600,
    created_at: '2026-11-30T12:00:00Z',
    starts_at: null,
    ends_at: null,
    seed: null,
    deal: null,
    entrants,
    outcome: null,
    winner: null,
    best_of: 1,
    game: 1,
    next_code: null,
    event_id: 7,
    server_time: '2026-11-30T12:00:00Z',
    ...more,
  }
}
