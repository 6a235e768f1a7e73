import { expect, test } from 'vitest'
import { eitherOf } from './abort'

test.each([0, 1])('it is aborted with its part %s, for the same reason, and once', (which) => {
  const parts = [new AbortController(), new AbortController()]
  const signal = eitherOf(parts[0]!.signal, parts[1]!.signal)
  let heard = 0
  signal.addEventListener('abort', () => heard++)
  expect(signal.aborted).toBe(false)
  parts[which]!.abort('why')
  parts[1 - which]!.abort('too late')
  expect([signal.aborted, signal.reason, heard]).toEqual([true, 'why', 1])
})

test.each([0, 1])('it is aborted from the start where its part %s is', (which) => {
  const parts = [new AbortController(), new AbortController()]
  parts[which]!.abort('before')
  const signal = eitherOf(parts[0]!.signal, parts[1]!.signal)
  expect([signal.aborted, signal.reason]).toEqual([true, 'before'])
})
