import { describe, expect, test } from 'vitest'
import {
  apply,
  cardOf,
  cardText,
  deal,
  finish,
  isWon,
  legalMoves,
  logText,
  mayRedeal,
  moveText,
  outcomeOf,
  parseCard,
  parseMove,
  rankOf,
  redealt,
  runLength,
  sameMove,
  suitOf,
  variantOf,
  variants,
  type Move,
  type Position,
  type Variant,
  type VariantId,
} from './index'
import { allTokens, layout } from './testing'

const variant = (id: VariantId): Variant => variantOf(id)!
const cruel = variant('cruel')
const perseverance = variant('perseverance')
const royal = variant('royal-family')

function move(token: string): Move {
  const m = parseMove(token)
  if (!m) throw new Error(`${token} is no move`)
  return m
}

/** The piles after a move, without the empty ones at the end; undefined where it is refused. */
function piles(v: Variant, p: Position, token: string): string | undefined {
  const next = apply(v, p, move(token))
  return next && pilesOf(next)
}

function pilesOf(p: Position): string {
  return p.piles
    .map((pile) => pile.map(cardText).join(' '))
    .join(', ')
    .replace(/[, ]+$/, '')
}

describe('card', () => {
  test('52 cards read back', () => {
    for (let suit = 0; suit < 4; suit++) {
      for (let rank = 1; rank <= 13; rank++) {
        const card = cardOf(rank, suit)
        expect([rankOf(card), suitOf(card), parseCard(cardText(card))]).toEqual([rank, suit, card])
      }
    }
    expect([cardText(4), cardText(55)]).toEqual(['AC', 'KS'])
  })
  test.each(['', 'T', 'H', 'th', 'Th', '1H', '10H', 'TH ', 'HT', 'T\u2665', '?C'])(
    '%j is no card',
    (text) => {
      expect(parseCard(text)).toBeUndefined()
    },
  )
})

describe('move', () => {
  test('every token reads back, and differs from every other', () => {
    expect(new Set(allTokens).size).toBe(1 + 2 * 48 + 144 * 12)
    for (const token of allTokens) expect(moveText(move(token))).toBe(token)
  })
  test.each([
    ...[
      '',
      'r',
      'RR',
      'a',
      'C',
      'am',
      'ma',
      'as',
      'AB',
      'Ab',
      'CC',
      'aH2',
      'Sd2',
      'ab0',
      'ab1',
      'ab02',
      'ab13',
      'ab20',
    ],
    ...['ab+2', 'ab2 ', ' ab', 'ab\n', 'R\n', 'ab100', 'aHb', 'ab\u0662', '\u0430b'],
  ])('%j is no move', (token) => {
    expect(parseMove(token)).toBeUndefined()
  })
  test('moves are the same when all of their parts are', () => {
    expect(sameMove(move('ab'), { kind: 'build', count: 1, to: 1, from: 0 })).toBe(true)
    expect(sameMove(move('ab'), move('ab2'))).toBe(false)
    expect(sameMove(move('aC'), move('Ca'))).toBe(false)
  })
})

describe('apply', () => {
  test('a play takes the next rank of the suit', () => {
    const p = layout(cruel, '2H', '9C 3H', '3S', '4H')
    expect(apply(cruel, p, move('aH'))?.foundations).toEqual([1, 1, 3, 1])
    expect(piles(cruel, p, 'aH')).toBe('9C, 3S, 4H')
    for (const token of ['aS', 'bH', 'bS', 'cH', 'dH']) expect(piles(cruel, p, token), token).toBeUndefined()
  })
  test('a build takes one rank lower: in suit, or of the other colour', () => {
    const p = layout(cruel, '', '5H 8C', '9C', '9S', '9D', '')
    const legal = (v: Variant) =>
      ['ab', 'ac', 'ad', 'ae', 'aa', 'ba', 'ea'].filter((token) => piles(v, p, token))
    expect(legal(cruel)).toEqual(['ab'])
    expect(legal(royal)).toEqual(['ad'])
    expect(piles(cruel, p, 'ab')).toBe('5H, 9C 8C, 9S, 9D')
  })
  test('a run moves as a whole, or its upper part, where runs move', () => {
    const p = layout(perseverance, '', 'KD 9H 8H 7H', 'TH', '8C', '9S')
    expect(piles(perseverance, p, 'ab3')).toBe('KD, TH 9H 8H 7H, 8C, 9S')
    for (const token of ['ab', 'ab2', 'ab4', 'ac', 'ad3', 'ae3', 'aa3']) {
      expect(piles(perseverance, p, token), token).toBeUndefined()
    }
    expect(piles(cruel, p, 'ab3')).toBeUndefined()
    const upper = layout(perseverance, '', '9H 8H 7H', '8H') // no such game, but a clear rule
    expect(piles(perseverance, upper, 'ab')).toBe('9H 8H, 8H 7H')
  })
  test('a return puts the top of a foundation above the Ace back', () => {
    const p = layout(cruel, '7H', '8H', '8C', '')
    const returns = variant('cruel-returns')
    expect(piles(returns, p, 'Ha')).toBe('8H 7H, 8C')
    expect(apply(returns, p, move('Ha'))?.foundations).toEqual([1, 1, 6, 1])
    for (const token of ['Hb', 'Hc', 'Ca']) expect(piles(returns, p, token), token).toBeUndefined()
    expect(piles(cruel, p, 'Ha')).toBeUndefined()
  })
  test('moves that no notation writes are refused too', () => {
    const p = layout(variant('cruel-returns'), '', '3C 2C', '3C')
    for (const m of [
      { kind: 'play', from: 12, to: 0 },
      { kind: 'play', from: 0, to: 4 },
      { kind: 'play', from: -1, to: 0.5 },
      { kind: 'build', from: 0, to: 12, count: 1 },
      { kind: 'build', from: 12, to: 1, count: 1 },
      { kind: 'build', from: 0, to: 1, count: 0 },
      { kind: 'build', from: 0, to: 1, count: -1 },
      { kind: 'build', from: 0, to: 1, count: 0.5 },
      { kind: 'build', from: 0, to: 1, count: NaN },
      { kind: 'return', from: 4, to: 0 },
      { kind: 'return', from: 0, to: 12 },
    ] satisfies Move[]) {
      expect(apply(variant('cruel-returns'), p, m), JSON.stringify(m)).toBeUndefined()
      expect(apply(perseverance, p, m), JSON.stringify(m)).toBeUndefined()
    }
  })
})

describe('redeal', () => {
  test('the example of rule 7', () => {
    const p = layout(cruel, '', '5C 9H', 'KD 3S 8C', 'JH 4D 6S 2C')
    expect(piles(cruel, p, 'R')).toBe('5C 9H KD 3S, 8C JH 4D 6S, 2C')
  })
  test('the example of top first', () => {
    const v = variant('cruel-top-first')
    const p = layout(v, '', '2C 3S 4D', '5C 6S 7D 8H', '9C TS JD QH')
    expect(piles(v, p, 'R')).toBe('8H 2C 3S 4D, QH 5C 6S 7D, 9C TS JD')
  })
  test('singly, round as few piles as hold fours', () => {
    const v = variant('ripple-fan')
    const p = layout(v, '', '2C 3C', '', '4C 5C 6C', '7C 8C 9C TC')
    expect(piles(v, p, 'R')).toBe('2C 5C 8C, 3C 6C 9C, 4C 7C TC')
  })
  test('a preview is no redeal: it ignores whether one is allowed, and takes none below nought', () => {
    const v = variant('limited-cruel-3')
    const p = { ...layout(v, '', '5C 9H', 'KD 3S'), redealsLeft: 0 }
    expect(mayRedeal(v, p)).toBe(false)
    expect(apply(v, p, { kind: 'redeal' })).toBeUndefined()
    expect(pilesOf(redealt(v, p))).toBe('5C 9H KD 3S')
    expect(redealt(v, p).redealsLeft).toBe(0)
  })
  test('the redeals that a game has', () => {
    for (const v of variants) {
      let p: Position | undefined = deal('cruel', v)
      let redeals = 0
      for (; redeals < 10; redeals++) {
        const next: Position | undefined = apply(v, p, { kind: 'redeal' })
        if (!next) break
        p = next
      }
      const most = v.when === 'any_time' ? (v.redeals ?? 10) : 0 // cards can be moved in this deal
      expect(redeals, v.id).toBe(most)
    }
  })
  test('only when no card can be moved', () => {
    const v = variant('cruel-stuck')
    expect(mayRedeal(v, layout(v, '', '2C', '9H'))).toBe(false)
    expect(mayRedeal(v, layout(v, '', '3C', '9H'))).toBe(true)
    expect(mayRedeal(v, layout(v, '', '3C', '4C'))).toBe(false)
  })
})

describe('the end', () => {
  const won = layout(cruel, 'KC KD KH KS')
  test('nothing follows a win', () => {
    for (const v of variants) {
      expect(isWon(won)).toBe(true)
      expect(outcomeOf(v, won)).toBe('won')
      expect(legalMoves(v, won)).toEqual([])
      expect(finish(v, won)).toBeUndefined()
      for (const token of allTokens) expect(piles(v, won, token), token).toBeUndefined()
    }
  })
  test('stuck follows the redeals that are left', () => {
    const ripple = variant('ripple-fan')
    const up = layout(cruel, 'KC KD KH TS', 'KS JS', 'QS')
    expect(outcomeOf(cruel, up)).toBe('unfinished') // JS goes up
    const buried = layout(cruel, 'KC KD KH TS', 'JS QS KS')
    expect(outcomeOf(cruel, buried)).toBe('stuck')
    expect(outcomeOf(ripple, buried)).toBe('stuck')
    const p = layout(cruel, 'KC KD 8H KS', 'QH 9H TH', 'JH KH')
    expect(outcomeOf(cruel, p)).toBe('stuck') // QH 9H TH JH, KH
    expect(outcomeOf(ripple, p)).toBe('unfinished') // QH TH KH, 9H JH; then QH KH JH, TH 9H
    expect(outcomeOf(ripple, { ...p, redealsLeft: 2 })).toBe('unfinished')
    expect(outcomeOf(ripple, { ...p, redealsLeft: 1 })).toBe('stuck')
  })
  test('finish is the plays that alone win', () => {
    const p = layout(cruel, 'KC KD TH QS', 'KS KH', 'QH JH')
    expect(logText(finish(cruel, p) ?? [])).toBe('bH bH aH aS')
    expect(finish(cruel, layout(cruel, 'KC KD TH QS', 'KS', 'JH KH', 'QH'))).toBeUndefined()
  })
})

test('the length of a run', () => {
  const lengths = (v: Variant, text: string) => runLength(v, layout(v, '', text).piles[0]!)
  expect(['', '9H', '9H 8H', 'KC 9H 8H 7H', 'TH 9H 8C'].map((text) => lengths(perseverance, text))).toEqual([
    0, 1, 2, 3, 1,
  ])
  expect(['', '9H', '9H 8H'].map((text) => lengths(cruel, text))).toEqual([0, 1, 1])
})

test('the rule table', () => {
  expect(variants.map((v) => Object.values(v).join(' '))).toEqual([
    'cruel suit card  any_time base_first fours false',
    'cruel-returns suit card  any_time base_first fours true',
    'cruel-stuck suit card  only_when_no_card_can_be_moved base_first fours false',
    'limited-cruel-3 suit card 3 any_time base_first fours false',
    'limited-cruel-5 suit card 5 any_time base_first fours false',
    'perseverance suit run 2 any_time base_first fours false',
    'ripple-fan suit card  any_time base_first singly false',
    'royal-family alternate card  any_time base_first fours false',
    'cruel-top-first suit card  any_time top_first fours false',
  ])
  expect(variantOf('Cruel')).toBeUndefined()
})
