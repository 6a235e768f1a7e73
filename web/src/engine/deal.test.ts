import { expect, test } from 'vitest'
import { deal, isSeed, typedSeed, variants, verify, type Position } from './index'

const cruel = variants[0]!
const top = (p: Position) => p.piles.map((pile) => pile.at(-1))

// case S03: the digits of 64-bit numbers.
test('seeds of digits keep their digits', () => {
  for (const [seed, other] of [
    ['9007199254740993', '9007199254740992'],
    ['18446744073709551615', '18446744073709551616'],
  ] as const) {
    expect(String(Number(seed))).not.toBe(seed)
    expect(typedSeed(` ${seed} `)).toBe(seed)
    expect(top(deal(seed, cruel))).not.toEqual(top(deal(other, cruel)))
    expect(verify(cruel, seed, 'R')).toMatchObject({ result: { moves: 1, redeals: 1 } })
  }
})

test('a typed seed is trimmed and made small, and nothing else', () => {
  expect(typedSeed('  Cruel-2026-11-30 ')).toBe('cruel-2026-11-30')
  expect(typedSeed('a'.repeat(64))).toBe('a'.repeat(64))
  for (const text of [
    '',
    '  ',
    'a b',
    'a--b',
    '-a',
    'a\n',
    '\ta',
    '\u00a0a',
    'É',
    '\u212a' /* Kelvin */,
    'a'.repeat(65),
  ]) {
    expect(typedSeed(text), text).toBeUndefined()
  }
  expect(isSeed('A')).toBe(false)
})

test('verify of no seed throws, whatever the log', () => {
  expect(() => verify(cruel, 'A', '')).toThrow(RangeError)
  expect(() => verify(cruel, '', 'x')).toThrow(RangeError)
})
