import { expect, test } from 'vitest'
import { cardOf } from '../engine'
import { commandOf, isFound } from './keys'

const press = (key: string, held: { ctrl?: boolean; caps?: boolean; alt?: boolean } = {}) =>
  commandOf({
    key,
    shiftKey: false,
    ctrlKey: held.ctrl ?? false,
    metaKey: false,
    altKey: held.alt ?? false,
    getModifierState: () => held.caps ?? false,
  })

test('small letters are piles, capital ones are suits and ranks', () => {
  for (const place of 'abcdefghijkl') expect(press(place)).toEqual({ act: 'pile', place })
  for (const place of 'CDHS') expect(press(place)).toEqual({ act: 'foundation', place })
  for (const rank of '023456789AJQK') expect(press(rank)).toEqual({ act: 'find', rank })
  expect(press('1')).toBeUndefined()
  expect(press('m')).toBeUndefined()
})

test('caps lock changes nothing', () => {
  expect(press('C', { caps: true })).toEqual({ act: 'pile', place: 'c' })
  expect(press('h', { caps: true })).toEqual({ act: 'foundation', place: 'H' })
  expect(press('Z', { caps: true })).toEqual({ act: 'undo' })
})

test('undo and redo have two keys each', () => {
  expect(press('z')).toEqual({ act: 'undo' })
  expect(press('x')).toEqual({ act: 'redo' })
  expect(press('z', { ctrl: true })).toEqual({ act: 'undo' })
  expect(press('Z', { ctrl: true })).toEqual({ act: 'redo' })
  expect(press('y', { ctrl: true })).toEqual({ act: 'redo' })
})

test("the browser's own keys stay its own", () => {
  for (const key of 'cdhsprl') expect(press(key, { ctrl: true })).toBeUndefined()
  expect(press('ArrowLeft', { alt: true })).toBeUndefined()
})

test('cards are found by rank, by suit, or by both', () => {
  const tenOfHearts = cardOf(10, 2)
  expect(isFound(tenOfHearts, ['0'])).toBe(true)
  expect(isFound(tenOfHearts, ['H'])).toBe(true)
  expect(isFound(tenOfHearts, ['0', 'S'])).toBe(false)
  expect(isFound(tenOfHearts, ['0', 'S', 'H'])).toBe(true)
  expect(isFound(cardOf(1, 0), ['A'])).toBe(true)
})
