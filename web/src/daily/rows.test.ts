import { expect, it } from 'vitest'
import type { Standing } from '../api/schema.gen'
import { rowsOf } from './rows'

const standing = (rank: number, id = `p${rank}`) =>
  ({ rank, player: { id, name: id, guest: false } }) as Standing
const seen = (top: Standing[], around: Standing[]) =>
  rowsOf(top, around).map((r) => (r.gap ? '… ' : '') + r.standing.player.id)

it('shows each player once, though both lists have them', () => {
  expect(
    seen(
      [1, 2, 3].map((n) => standing(n)),
      [2, 3, 4].map((n) => standing(n)),
    ),
  ).toEqual(['p1', 'p2', 'p3', 'p4'])
  expect(seen([standing(1), standing(2), standing(1)], [])).toEqual(['p1', 'p2'])
})

it('marks where players are left out', () => {
  expect(
    seen(
      [1, 2].map((n) => standing(n)),
      [8, 9].map((n) => standing(n)),
    ),
  ).toEqual(['p1', 'p2', '… p8', 'p9'])
})

it('marks nothing where none are', () => {
  expect(
    seen(
      [1, 2].map((n) => standing(n)),
      [standing(3), standing(4)],
    ),
  ).toEqual(['p1', 'p2', 'p3', 'p4'])
  expect(seen([], [standing(8)])).toEqual(['p8'])
})
