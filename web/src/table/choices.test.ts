import { expect, test } from 'vitest'
import { moveText, parseMove, type Move } from '../engine'
import { movesOf, movesWith, wish } from './choices'

const legal = 'ab aH cd3 cS Hd R'.split(' ').map((token) => parseMove(token)!)
const text = (moves: (Move | undefined)[]) => moves.map((m) => m && moveText(m)).join(' ')

test('a card that is picked may go where it or a run with it may go', () => {
  expect(text(movesWith(legal, { from: 'a', count: 1 }))).toBe('ab aH')
  expect(text(movesWith(legal, { from: 'c', count: 1 }))).toBe('cd3 cS')
  expect(text(movesWith(legal, { from: 'c', count: 2 }))).toBe('cd3')
  expect(text(movesWith(legal, { from: 'c', count: 4 }))).toBe('')
  expect(text(movesWith(legal, { from: 'H', count: 1 }))).toBe('Hd')
  expect(text(movesWith(legal, { from: 'R', count: 1 }))).toBe('')
})

test('a hand moves just the cards that it holds', () => {
  expect(text(movesOf(legal, { from: 'c', count: 1 }))).toBe('cS')
  expect(text(movesOf(legal, { from: 'c', count: 3 }))).toBe('cd3')
})

test('what was wanted is written as in the log', () => {
  const wanted = (from: string, count: number, to: string) => text([wish({ from, count }, to)])
  expect(wanted('a', 1, 'b')).toBe('ab')
  expect(wanted('a', 3, 'b')).toBe('ab3')
  expect(wanted('a', 3, 'S')).toBe('aS')
  expect(wanted('S', 1, 'a')).toBe('Sa')
  expect(wish({ from: 'S', count: 1 }, 'H')).toBeUndefined()
  expect(wish({ from: 'a', count: 1 }, 'R')).toBeUndefined()
})
