import { expect, test } from 'vitest'
import { codeIn } from './code'

test.each([
  ['kqtwzv', 'kqtwzv'],
  [' KQT wzv ', 'kqtwzv'],
  ['kqt-wzv', 'kqtwzv'],
  ['https://cruel.example/races/kqtwzv', 'kqtwzv'],
  ['https://cruel.example/races/kqtwzv/?x=1', undefined],
  ['https://cruel.example/races/kqtwzv?x=1#y', 'kqtwzv'],
  ['https://cruel.example/races/kqtwzv/', 'kqtwzv'],
  ['kqtwz', undefined],
  ['kqtwz1', undefined],
  ['', undefined],
])('%s', (text, want) => expect(codeIn(text)).toBe(want))
