import { expect, test } from 'vitest'
import { isSeed } from '../engine'
import { freshSeed } from './seed'

test('fresh seeds are seeds, all different, and evenly spread', () => {
  const seeds = Array.from({ length: 10_000 }, freshSeed)
  expect(seeds.every(isSeed)).toBe(true)
  expect(new Set(seeds).size).toBe(seeds.length)
  const counts = new Map<string, number>()
  for (const c of seeds.map((s) => s.at(-1)!)) counts.set(c, (counts.get(c) ?? 0) + 1)
  const expected = seeds.length / 36
  const chi = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)
  expect(counts.size).toBe(36)
  expect(chi).toBeLessThan(90) // 35 degrees of freedom: one run in a million is above
})
