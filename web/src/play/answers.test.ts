import { beforeEach, expect, test, vi } from 'vitest'
import { apply, deal, parseMove, variantOf, verify, type Position } from '../engine'
import { foundations, nextText, pileText, possible, tops } from './answers'
import { redealChangesNothing } from './redeal'

const settings = vi.hoisted(() => ({ language: 'en' }))
vi.mock('../app/settings.svelte', () => ({ settings }))
beforeEach(() => void (settings.language = 'en'))

const cruel = variantOf('cruel')!
const start = deal('2', cruel)
const after = (log: string): Position => {
  let p = start
  for (const token of log.split(' ')) p = apply(cruel, p, parseMove(token)!)!
  return p
}

test('tops name all piles', () => {
  expect(tops(start)).toMatch(/^On top: a .+, b .+, l .+\.$/)
  expect(tops(start).split(', ')).toHaveLength(12)
})

test('a pile is told from its top card down', () => {
  expect(pileText(start, 2)).toMatch(/^Pile c, 4 cards from the top down: (.+, ){3}.+\.$/)
  expect(pileText({ ...start, piles: start.piles.with(2, []) }, 2)).toBe('Pile c is empty.')
  settings.language = 'de'
  expect(pileText(start, 2)).toMatch(/^Stapel c, 4 Karten von oben nach unten: /)
})

test('foundations', () =>
  expect(foundations(start)).toBe(
    'Foundations: Ace of clubs, Ace of diamonds, Ace of hearts, Ace of spades.',
  ))

test('moves are told with their notation', () => {
  expect(possible(cruel, start)).toMatch(/^Cards can move: .*jS pile j, .+ of spades to the foundation/)
  expect(possible(cruel, start)).toMatch(/A redeal is allowed\.$/)
})

test('a redeal of the deal changes nothing, and one after a move does', () => {
  expect(redealChangesNothing(cruel, start)).toBe(true)
  expect(nextText(cruel, start)).toBe('A redeal would change nothing.')
  expect(redealChangesNothing(cruel, after('jS'))).toBe(false)
  expect(nextText(cruel, after('jS'))).toMatch(
    /^After a redeal piles a, b, c, d, e, f, g, h, i stay; on top: j .+, k .+, l .+\. Then \d+ moves? of cards\.$/,
  )
})

test('the log of the tests holds', () => expect(verify(cruel, '2', 'jS R')).toHaveProperty('result'))
