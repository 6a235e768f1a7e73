import { expect, test } from 'vitest'
import type { Outcome } from '../api/schema.gen'
import { inOrder, merged } from './rows'

const row = (id: string, outcome: Outcome, moves: number, cards: number, second = 0) => ({
  player: { id, name: id, guest: false },
  outcome,
  moves,
  cards,
  verified_at: new Date(second * 1000).toISOString(),
})
const ids = (rows: { player: { id: string } }[]) => rows.map((r) => r.player.id).join(' ')

test('wins by moves, then the others by cards and moves, equal ones by time', () => {
  const rows = [
    row('e', 'unfinished', 9, 12),
    row('d', 'stuck', 90, 30, 2),
    row('b', 'won', 61, 52, 5),
    row('f', 'unfinished', 10, 12),
    row('a', 'won', 59, 52, 9),
    row('c', 'won', 61, 52, 6),
  ]
  expect(ids(rows.sort(inOrder))).toBe('a b c d e f')
})

test('a player who is on two pages is one row, the one that came later', () => {
  const first = [row('a', 'won', 59, 52), row('b', 'won', 61, 52)]
  const second = [row('b', 'won', 60, 52, 7), row('c', 'won', 70, 52)]
  const rows = merged(first, second)
  expect(ids(rows)).toBe('a b c')
  expect(rows[1]!.moves).toBe(60)
})

test('a page before the shown ones comes before them', () => {
  expect(ids(merged([row('c', 'won', 70, 52)], [row('a', 'won', 59, 52)]))).toBe('a c')
})

test('a player who got better moves up', () => {
  const shown = [row('a', 'won', 59, 52), row('b', 'won', 61, 52), row('c', 'unfinished', 40, 20)]
  expect(ids(merged(shown, [row('c', 'won', 60, 52)]))).toBe('a c b')
})
