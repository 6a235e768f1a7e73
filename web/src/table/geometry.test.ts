import { describe, expect, test } from 'vitest'
import {
  cardRect,
  frameOf,
  indexAt,
  layOut,
  neighbour,
  overlap,
  pilePlaces,
  placeAt,
  type Asked,
  type Held,
  type Layout,
} from './geometry'

const of = (size: number, run = 1) => Array.from({ length: 12 }, () => ({ size, run }))

interface More extends Partial<Asked> {
  piles?: Held[]
  preview?: boolean
}

function ask(width: number, height: number, { piles = of(4), preview = false, ...more }: More = {}): Layout {
  const frame = frameOf({ width, height, mode: 'auto', view: 'stacked', mirrored: false, ...more })
  return layOut(frame, piles, preview)
}

const bottom = (l: Layout, pile: number, index: number) => {
  const r = cardRect(l, pile, index)
  return r.y + r.height
}

// The page keeps 36 for its header and 48 for its bar, on a tablet 52; so the table has 84 or 100 less than the window.
describe('portrait, in the numbers of the study', () => {
  const table = [
    // window, bars, card, foundation, row, full step, step of 15 cards with a folded run
    { window: [360, 640], bars: 84, card: 55.3, home: 77.5, row: 226, step: 26, folded: 26 },
    { window: [360, 560], bars: 84, card: 55.3, home: 48, row: 201, step: 24.7, folded: 20.9 },
    { window: [320, 568], bars: 84, card: 49.8, home: 48, row: 205, step: 23.4, folded: 23.4 },
    { window: [320, 480], bars: 84, card: 49.8, home: 44, row: 165, step: 19, folded: 13.8 },
    { window: [390, 664], bars: 84, card: 60.3, home: 84.5, row: 235, step: 28.4, folded: 27.6 },
    { window: [412, 732], bars: 84, card: 62.5, home: 87.5, row: 267, step: 29.4, folded: 29.4 },
    { window: [768, 954], bars: 100, card: 114, home: 160, row: 334, step: 34.8, folded: 33.5 },
    { window: [360, 640], bars: 128, card: 55.3, home: 48, row: 219, step: 26, folded: 26 }, // a scrubber
    { window: [360, 640], bars: 104, card: 55.3, home: 48, row: 231, step: 26, folded: 26 }, // two lanes
  ] as const
  test.each(table)('$window.0 × $window.1 less $bars', ({ window: [width, height], bars, ...want }) => {
    const six = ask(width, height - bars, { piles: of(6) })
    const fifteen = ask(width, height - bars, { piles: of(15, 12) })
    expect(six.mode).toBe('portrait')
    expect(Math.abs(six.card.width - want.card)).toBeLessThan(1)
    expect(Math.abs(six.slots.get('H')!.height - want.home)).toBeLessThan(1)
    expect(Math.abs(six.cells.get('a')!.height - 8 - want.row)).toBeLessThan(1.5)
    expect(Math.abs(six.fans[0]!.step - want.step)).toBeLessThan(1)
    expect(Math.abs(fifteen.fans[0]!.step - want.folded)).toBeLessThan(1.5)
  })
})

test.each([
  { width: 640, height: 300, card: 42, step: 19.9 },
  { width: 740, height: 320, card: 50, step: 23.5 },
  { width: 844, height: 340, card: 57, step: 26.8 },
])('landscape $width × $height: one row of twelve, and 15 cards fit', ({ width, height, card, step }) => {
  const l = ask(width, height)
  expect(l.mode).toBe('landscape')
  expect(Math.abs(l.card.width - card)).toBeLessThan(1)
  expect(Math.abs(l.fans[0]!.step - step)).toBeLessThan(1)
  expect(new Set(pilePlaces.map((p) => l.slots.get(p)!.y)).size).toBe(1)
  const tall = ask(width, height, { piles: of(15, 12) })
  expect(tall.fans[0]).toMatchObject({ folded: 0 })
  expect(tall.fans[0]!.step).toBeGreaterThanOrEqual(16)
})

// Header, status line and margins take 82 of the window, of which 18 are inside the table; a panel takes 320.
test.each([
  { window: [1280, 640], card: 96, step: 29 },
  { window: [1280, 720], card: 106, step: 34 },
  { window: [1440, 800], card: 124, step: 37 },
  { window: [1920, 970], card: 149, step: 47 },
] as const)('desktop $window.0 × $window.1', ({ window: [width, height], card, step }) => {
  const l = ask(width - 320, height - 64, { piles: of(6) })
  expect(l.mode).toBe('desktop')
  expect(Math.abs(l.card.width - card)).toBeLessThanOrEqual(1.1)
  expect(Math.abs(l.fans[0]!.step - step)).toBeLessThanOrEqual(1.1)
  expect(l.slots.get('C')!.width).toBe(Math.round(l.scale * l.card.width)) // the rail's cards may be smaller
  expect(l.rail!.height).toBeGreaterThan(100)
})

const screens: [number, number][] = [
  [360, 556],
  [360, 476],
  [320, 484],
  [320, 396],
  [390, 580],
  [768, 854],
  [640, 300],
  [844, 340],
  [960, 656],
  [1600, 906],
  [1024, 600],
]

describe.each(screens)('on %i × %i', (width, height) => {
  const inside = (l: Layout) => {
    l.fans.forEach((fan, i) => {
      const r = cardRect(l, i, fan.offsets.length - 1)
      const cell = l.cells.get(pilePlaces[i]!)!
      expect(overlap(r, cell)).toBeCloseTo(r.width * r.height)
      expect(r.x + r.width).toBeLessThanOrEqual(width)
      expect(r.y + r.height).toBeLessThanOrEqual(height)
    })
  }

  test.each(['stacked', 'fanned'] as const)('%s piles of any height stay in their cells', (view) => {
    for (let size = 0; size <= 15; size++) {
      for (const preview of [false, true])
        inside(ask(width, height, { view, preview, piles: of(size, Math.max(1, size - 3)) }))
    }
  })

  test('an index is never cut by the next card', () => {
    for (let size = 2; size <= 15; size++) {
      const { step, cap } = ask(width, height, { piles: of(size, Math.max(1, size - 3)) }).fans[0]!
      if (cap > 8) expect(cap).toBeLessThanOrEqual(step - 6)
    }
  })

  test('each point of a card belongs to its pile, and cells are large enough for a finger', () => {
    const l = ask(width, height)
    pilePlaces.forEach((place, i) => {
      const r = cardRect(l, i, 3)
      expect(placeAt(l, r.x, r.y)).toBe(place)
      expect(placeAt(l, r.x + r.width - 1, r.y + r.height - 1)).toBe(place)
      expect(indexAt(l, i, r.x + 1, r.y + r.height - 1)).toBe(3)
      expect(l.cells.get(place)!.width).toBeGreaterThanOrEqual(44)
    })
    for (const place of [...'CDHSR']) {
      const r = l.cells.get(place)!
      expect(Math.min(r.width, r.height)).toBeGreaterThanOrEqual(44)
    }
  })

  test('mirrored, foundations and redeal change sides', () => {
    const usual = ask(width, height)
    const other = ask(width, height, { mirrored: true })
    expect(other.slots.get('R')!.x < other.slots.get('a')!.x + width / 3).toBe(usual.mode === 'portrait')
    expect(other.card).toEqual(usual.card)
  })

  test('arrows lead from every place to every other', () => {
    const l = ask(width, height)
    const seen = new Set(['a'])
    for (const place of seen) {
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const)
        seen.add(neighbour(l, place, dx, dy))
    }
    expect(seen.size).toBe(17)
  })
})

test('six cards, ten cards, fifteen: full step, even shrinking, a fold', () => {
  const step = (size: number) => ask(360, 556, { piles: of(size, size - 3) }).fans[0]!
  expect(step(6)).toMatchObject({ step: 26, folded: 0 })
  expect(step(8)).toMatchObject({ folded: 0 })
  expect(step(10)).toMatchObject({ step: 16, folded: 0 })
  expect(step(11).folded).toBe(6)
  const { offsets, folded, step: s } = step(15)
  expect(offsets.slice(3, 5)).toEqual([3 * s, 4 * s]) // the run's first card can be read
  expect(offsets[14]! - offsets[4]!).toBe(4 * folded)
})

test('the preview line takes its room from tall fans only', () => {
  const plain = ask(360, 476, { piles: of(6) })
  const shown = ask(360, 476, { piles: of(6), preview: true })
  expect(shown.fans[0]!.step).toBe(21)
  expect(bottom(plain, 0, 5) - bottom(shown, 0, 5)).toBeGreaterThan(14)
  expect(ask(360, 556, { piles: of(6), preview: true }).fans[0]!.step).toBe(26)
})
