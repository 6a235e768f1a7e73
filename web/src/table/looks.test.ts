import { expect, test } from 'vitest'
import { apply, deal, legalMoves, variants } from '../engine'
import { pick, randomFrom } from '../engine/testing'
import { frameOf } from './geometry'
import { kept, landed, layoutOf, looksOf } from './looks'

const sizes = { phone: [360, 640], small: [360, 380], sideways: [900, 400], desktop: [1280, 720] } as const
const views = ['stacked', 'fanned'] as const

test.each(variants)('where a move leads, cards lie as in the position after it: $id', (variant) => {
  const random = randomFrom(7)
  let compared = 0
  for (const [width, height] of Object.values(sizes))
    for (const view of views)
      for (const preview of [false, true]) {
        const frame = frameOf({ width, height, mode: 'auto', view, mirrored: false })
        let p = deal('1', variant)
        for (let step = 0; step < 40; step++) {
          const moves = legalMoves(variant, p)
          if (moves.length === 0) break
          const layout = layoutOf(frame, variant, p, preview)
          for (const m of moves.filter(({ kind }) => kind !== 'redeal')) {
            const next = apply(variant, p, m)!
            const after = looksOf(next, layoutOf(frame, variant, next, preview))
            landed(variant, p, m, layout, preview).forEach((look, card) => {
              expect(look).toEqual(after[card])
              compared++
            })
          }
          p = apply(variant, p, pick(moves, random))!
        }
      }
  expect(compared).toBeGreaterThan(0)
})

test('a card that looks as before keeps its object, and only that', () => {
  const [variant] = variants
  const frame = frameOf({ width: 360, height: 640, mode: 'auto', view: 'stacked', mirrored: false })
  const p = deal('2', variant!)
  const looks = (at: typeof p) => looksOf(at, layoutOf(frame, variant!, at, false))
  const before = looks(p)
  expect(kept(looks(p), before)).toEqual(before)
  expect(kept(looks(p), before).every((look, card) => look === before[card])).toBe(true)

  const m = legalMoves(variant!, p).find(({ kind }) => kind !== 'redeal')!
  const next = looks(apply(variant!, p, m)!)
  const now = kept(next, before)
  expect(now).toEqual(next)
  const changed = now.filter((look, card) => look !== before[card])
  expect(changed.length).toBeGreaterThan(0)
  expect(changed.length).toBeLessThan(20)
})
