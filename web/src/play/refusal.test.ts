import { beforeEach, describe, expect, test, vi } from 'vitest'
import { parseCard, refusalOf, parseMove, variantOf, type Position, type Refusal } from '../engine'
import { refusalText } from './refusal'

const settings = vi.hoisted(() => ({ language: 'en' }))
vi.mock('../app/settings.svelte', () => ({ settings }))

const card = (text: string) => parseCard(text)!
const all: Refusal['why'][] = [
  'empty_pile',
  'empty_target',
  'same_pile',
  'wrong_suit_foundation',
  'foundation_needs',
  'needs',
  'run_too_long',
  'one_card',
  'no_returns',
  'ace_stays',
  'no_redeals_left',
  'redeal_only_when_stuck',
  'won',
]

/** Piles as texts, bottom card first; the rest is empty. */
function position(...piles: string[]): Position {
  return {
    foundations: [1, 1, 1, 1],
    piles: Array.from({ length: 12 }, (_, i) => (piles[i] ? piles[i].split(' ').map(card) : [])),
    redealsLeft: Infinity,
  }
}
const why = (variant: string, p: Position, move: string) =>
  refusalText(refusalOf(variantOf(variant)!, p, parseMove(move)!)!)

describe('in English', () => {
  beforeEach(() => void (settings.language = 'en'))
  test('what a card needs, and where that lies', () => {
    const p = position('6H', '9C', '7H 2C 3S', 'KH')
    expect(why('cruel', p, 'ab')).toBe('6♥ needs 7♥ free; it lies in pile c under 2 cards.')
    expect(why('cruel', p, 'da')).toBe('K♥ goes onto no other card; it waits for its foundation.')
  })
  test('one card above, and none', () => {
    expect(why('cruel', position('6H', '9C', '7H 2C'), 'ab')).toContain('in pile c under one card.')
    expect(why('cruel', position('6H', '9C', '7H'), 'ab')).toContain('it lies on top of pile c.')
  })
  test('two cards to choose from', () => {
    expect(why('royal-family', position('6H', '9C', '7C 2C', '7S'), 'ab')).toBe(
      '6♥ needs 7♣ or 7♠ free: 7♣ lies in pile c under one card, 7♠ lies on top of pile d.',
    )
  })
  test('what comes before a card on its foundation', () =>
    expect(why('cruel', position('6H', '2H 9C'), 'aH')).toBe(
      '6♥ has to wait: its foundation takes 2♥ first; it lies in pile b under one card.',
    ))
  test('a foundation of another suit', () => {
    expect(why('cruel', position('6H'), 'aC')).toBe('6♥ belongs on the foundation of hearts.')
  })
  test('as it is said', () => {
    const r: Refusal = { why: 'needs', card: card('6H'), needs: [card('7H')] }
    expect(refusalText(r, 'name')).toMatch(/^Six of hearts needs seven of hearts/)
  })
})

describe('auf Deutsch', () => {
  beforeEach(() => void (settings.language = 'de'))
  test('was eine Karte braucht, und wo das liegt', () => {
    const p = position('6H', '9C', '7H 2C 3S', 'KH')
    expect(why('cruel', p, 'ab')).toBe('6♥ passt nur auf 7♥; sie liegt in Stapel c unter 2 Karten.')
    expect(why('cruel', p, 'da')).toBe('K♥ passt auf keine andere Karte und muss auf die Ablage warten.')
  })
  test('eine Karte darüber, und keine', () => {
    expect(why('cruel', position('6H', '9C', '7H 2C'), 'ab')).toContain('in Stapel c unter einer Karte.')
    expect(why('cruel', position('6H', '9C', '7H'), 'ab')).toContain('sie liegt offen auf Stapel c.')
  })
  test('was vor einer Karte auf die Ablage kommt', () =>
    expect(why('cruel', position('6H', '2H 9C'), 'aH')).toBe(
      '6♥ muss warten: Auf die Ablage kommt zuerst 2♥; sie liegt in Stapel b unter einer Karte.',
    ))
  test('zwei zur Wahl', () => {
    expect(why('royal-family', position('6H', '9C', '7C 2C', '7S'), 'ab')).toBe(
      '6♥ passt nur auf 7♣ oder 7♠: 7♣ liegt in Stapel c unter einer Karte, 7♠ liegt offen auf Stapel d.',
    )
  })
})

test.each(['en', 'de'])('every reason has its own sentence (%s)', (language) => {
  settings.language = language
  const texts = all.map((w) => refusalText({ why: w, card: card('6H'), needs: [card('7H')], where: [] }))
  expect(new Set(texts).size).toBe(all.length)
  for (const text of texts) expect(text).toMatch(/^[A-ZÄÖÜ0-9].*\.$/)
})
