import { describe, expect, test } from 'vitest'
import { cardText, type Card } from '../engine'
import { drawn, placed, upright, type Face } from './face'

const deck: Card[] = Array.from({ length: 52 }, (_, i) => i + 4)

/** The points of a path, control points too: what it encloses isn't beyond them. */
function pointsOf(path: string): { x: number; y: number }[] {
  const points: { x: number; y: number }[] = []
  let [x, y] = [0, 0]
  for (const [, command, rest] of path.matchAll(/([A-Z])([^A-Z]*)/g)) {
    const numbers = rest!.split(' ').filter(Boolean).map(Number)
    if (command === 'H') points.push({ x: (x = numbers[0]!), y })
    else if (command === 'V') points.push({ x, y: (y = numbers[0]!) })
    else
      for (let i = 0; i < numbers.length; i += 2)
        points.push({ x: (x = numbers[i]!), y: (y = numbers[i + 1]!) })
  }
  return points
}

test('a path is moved and scaled, command by command', () => {
  expect(placed('M0 100H50V20L10 30C1 2 3 4 5 6Z', 7, 11, 50)).toBe('M7 61H32V21L12 26C7.5 12 8.5 13 9.5 14Z')
})

test('a glyph begins at a whole pixel', () => {
  expect(placed('M0 0H100', 3.4, 2.6, 10)).toBe('M3 3H13')
})

describe('a face', () => {
  const faces: Record<string, Face> = {
    'on a phone': upright(56),
    'on a small phone': upright(40),
    'on a desktop': upright(150),
    'in a low strip': { ...upright(56, 'strip'), cap: 10, air: 3 },
    'beside a fan': { ...upright(80), look: 'side' },
    'in a strip at the left': { ...upright(80), look: 'side', visible: 'strip', cap: 12, air: 3 },
    'of a cropped foundation': { ...upright(56), look: 'short', height: 48, cap: 21 },
  }

  test.each(Object.entries(faces))('%s keeps all it draws on the card', (_, face) => {
    for (const card of deck) {
      const { fill, lines, pen } = drawn(card, face)
      const all = [...pointsOf(fill), ...pointsOf(lines)]
      const within = ({ x, y }: { x: number; y: number }) =>
        x >= 1 && x < face.width && y >= 1 && y < face.height
      expect(
        all.filter((p) => !within(p)),
        cardText(card),
      ).toEqual([])
      expect(lines === '' || pen > 0).toBe(true)
    }
  })

  test('shows each card in its own way', () => {
    const all = deck.map((card) => JSON.stringify(drawn(card, upright(56))))
    expect(new Set(all).size).toBe(52)
  })

  test('of a card under others shows what the strip leaves: its index, or nothing where it is an edge', () => {
    const top = drawn(20, { ...upright(80), look: 'side' })
    const strip = drawn(20, { ...upright(80), look: 'side', visible: 'strip' })
    expect(strip.fill.length).toBeLessThan(top.fill.length)
    expect(drawn(20, { ...upright(80), visible: 'edge' })).toEqual({ fill: '', lines: '', pen: 0 })
  })

  test('in a strip has its index in it', () => {
    for (const card of deck) {
      const { fill, lines } = drawn(card, { ...upright(56, 'strip'), cap: 10, air: 3 })
      const index = [...pointsOf(fill), ...pointsOf(lines)].filter(({ y }) => y < 0.58 * 56)
      expect(Math.max(...index.map(({ y }) => y)), cardText(card)).toBeLessThanOrEqual(13)
    }
  })
})
