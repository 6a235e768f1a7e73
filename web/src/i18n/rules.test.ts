import { expect, test, vi } from 'vitest'
import { variantOf, variants } from '../engine'
import { variantRules } from './rules'

const settings = vi.hoisted(() => ({ language: 'en' }))
vi.mock('../app/settings.svelte', () => ({ settings }))

const rules = (id: string) => variantRules(variantOf(id)!).join('\n')

test.each(['en', 'de'])('every variant has its own rules (%s)', (language) => {
  settings.language = language
  expect(new Set(variants.map((v) => rules(v.id))).size).toBe(variants.length)
})

test('the columns are in the rules', () => {
  settings.language = 'en'
  expect(rules('cruel')).toContain('as often as one likes, at any time')
  expect(rules('cruel')).not.toContain('run')
  expect(rules('perseverance')).toContain('run')
  expect(rules('perseverance')).toContain('twice')
  expect(rules('limited-cruel-5')).toContain('5 times')
  expect(rules('cruel-stuck')).toContain('only when no card can be moved')
  expect(rules('cruel-returns')).toContain('may go back onto a pile')
  expect(rules('royal-family')).toContain('the other colour')
  expect(rules('ripple-fan')).toContain('one at a time')
  expect(rules('cruel-top-first')).toContain('from its top card down')
})

test.each([
  ['en', 'undo and redo are free'],
  ['de', 'Was zurückgenommen ist, zählt nicht'],
])('what undo counts is among the rules of every variant (%s)', (language, sentence) => {
  settings.language = language
  for (const v of variants) expect(rules(v.id)).toContain(sentence)
})
