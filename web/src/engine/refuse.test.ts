import { expect, test } from 'vitest'
import {
  cardText,
  parseMove,
  pileLetters,
  refusalOf,
  stranded,
  variantOf,
  type Position,
  type Refusal,
} from './index'
import type { VariantId } from './index'
import { layout } from './testing'

/** A refusal in one line: why; the card; the cards that are needed; where they lie. */
function line(r: Refusal | undefined): string {
  if (!r) return 'none'
  return [
    r.why,
    r.card && cardText(r.card),
    r.needs && `needs ${r.needs.map(cardText).join(' ')}`.trim(),
    r.where
      ?.map(({ card, pile, under }) => `${cardText(card)} in ${pileLetters[pile]} under ${under}`)
      .join(', '),
  ]
    .filter(Boolean)
    .join('; ')
}

test.each<[VariantId, string, string, string[], string]>([
  ['cruel', 'aH', '', [''], 'empty_pile'],
  ['cruel', 'aH', '2C', ['9D', '4H 2H 8C'], 'wrong_suit_foundation; 9D; needs 2H; 2H in b under 1'],
  ['cruel', 'aH', 'KH', ['9D'], 'wrong_suit_foundation; 9D; needs'],
  ['cruel', 'aD', '2D', ['9D', '3D'], 'foundation_needs; 9D; needs 3D; 3D in b under 0'],
  ['cruel', 'aD', '2D', ['3D'], 'none'],
  ['cruel', 'ab', '', ['', '9C'], 'empty_pile'],
  ['cruel', 'aa', '', [''], 'empty_pile'],
  ['cruel', 'aa', '', ['9C'], 'same_pile; 9C'],
  ['cruel', 'ab', '', ['6H'], 'empty_target; 6H'],
  ['cruel', 'ab', '', ['6H', '7C', '', '7H 2C 3C'], 'needs; 6H; needs 7H; 7H in d under 2'],
  ['cruel', 'ab', '7H', ['6C', '7D'], 'needs; 6C; needs 7C'], // 7C is nowhere: it would lie on a foundation
  ['cruel', 'ab', '', ['KH', 'QH'], 'needs; KH; needs'],
  ['cruel', 'ab', '', ['6H', '7H'], 'none'],
  ['cruel', 'ab2', '', ['', ''], 'one_card'],
  [
    'royal-family',
    'ab',
    '',
    ['6H', '7D', '7S 2C', '7C'],
    'needs; 6H; needs 7C 7S; 7C in d under 0, 7S in c under 1',
  ],
  ['royal-family', 'ad', '', ['6H', '7D', '7S 2C', '7C'], 'none'],
  ['perseverance', 'ab3', '', ['KD 7H 6H', '8H'], 'run_too_long; 7H'],
  ['perseverance', 'ab4', '', ['KD 7H 6H', '8H'], 'run_too_long; 7H'],
  ['perseverance', 'ab2', '', ['KD 7H 6H', '9H', '8H 2C'], 'needs; 7H; needs 8H; 8H in c under 1'],
  ['perseverance', 'ab', '', ['KD 7H 6H', '8H'], 'needs; 6H; needs 7H; 7H in a under 1'],
  ['perseverance', 'ab2', '', ['KD 7H 6H'], 'empty_target; 7H'],
  ['perseverance', 'ab2', '', [''], 'empty_pile'],
  ['perseverance', 'aa2', '', ['7H 6H'], 'same_pile; 7H'],
  ['cruel', 'Ha', '6H', ['7H'], 'no_returns'],
  ['cruel-returns', 'Ha', '', ['2H'], 'ace_stays; AH'],
  ['cruel-returns', 'Ha', '6H', [''], 'empty_target; 6H'],
  ['cruel-returns', 'Ha', '6H', ['7D', '7H 9H'], 'needs; 6H; needs 7H; 7H in b under 1'],
  ['cruel-returns', 'Ha', '6H', ['7H'], 'none'],
  ['cruel-stuck', 'R', '', ['2H'], 'redeal_only_when_stuck'],
  ['cruel-stuck', 'R', '', ['3H'], 'none'],
  ['cruel', 'R', '', ['2H'], 'none'],
  ['cruel', 'R', 'KC KD KH KS', [], 'won'],
  ['cruel', 'ab4', 'KC KD KH KS', [], 'won'],
])('%s: %s on %s and %j is %s', (id, token, foundations, piles, want) => {
  const v = variantOf(id)!
  expect(line(refusalOf(v, layout(v, foundations, ...piles), parseMove(token)!))).toBe(want)
})

test('no redeal is left', () => {
  const v = variantOf('limited-cruel-3')!
  const p: Position = { ...layout(v, '', '3H'), redealsLeft: 0 }
  expect(line(refusalOf(v, p, { kind: 'redeal' }))).toBe('no_redeals_left')
})

test('moves that no notation writes have a refusal too', () => {
  const v = variantOf('cruel-returns')!
  const p = layout(v, '', '3C 2D', '3D')
  expect(line(refusalOf(v, p, { kind: 'play', from: 12, to: 0 }))).toBe('empty_pile')
  expect(line(refusalOf(v, p, { kind: 'build', from: 0, to: 12, count: 1 }))).toBe('empty_target; 2D')
  expect(line(refusalOf(v, p, { kind: 'build', from: 0, to: 1, count: 0 }))).toBe('run_too_long; 2D')
  expect(line(refusalOf(v, p, { kind: 'return', from: 4, to: 0 }))).toMatch(/^ace_stays/)
})

// What the top card of pile a waits for.
test.each<[VariantId, string, string[], string]>([
  ['cruel', '', [''], 'empty_pile'],
  ['cruel', '', ['2H'], 'none'],
  ['cruel', '', ['6H', '7H'], 'none'],
  ['cruel', '', ['6H', '7H 2C 3C'], 'needs; 6H; needs 7H; 7H in b under 2'],
  ['cruel', '', ['7H 3C 6H', '2C'], 'needs; 6H; needs 7H; 7H in a under 2'],
  ['cruel', '3H', ['KH', '4H 9C'], 'foundation_needs; KH; needs 4H; 4H in b under 1'],
  ['cruel', '3H', ['7H 6H', '4H 9C'], 'foundation_needs; 6H; needs 4H; 4H in b under 1'],
  ['royal-family', '', ['7C 6H', '7S 9C'], 'needs; 6H; needs 7S; 7S in b under 1'],
  ['perseverance', '', ['KD 7H 6H', '8H'], 'none'],
  ['perseverance', '', ['KD 7H 6H', '8H 2C'], 'needs; 7H; needs 8H; 8H in b under 1'],
  ['perseverance', '2D', ['KD QD', '3D 2C'], 'foundation_needs; QD; needs 3D; 3D in b under 1'],
])('%s: on %s the top card of %j waits: %s', (id, foundations, piles, want) => {
  const v = variantOf(id)!
  expect(line(stranded(v, layout(v, foundations, ...piles), 0))).toBe(want)
})
