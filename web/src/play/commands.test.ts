import { expect, test } from 'vitest'
import { moveText } from '../engine'
import { parseCommands } from './commands'

const read = (line: string) =>
  parseCommands(line).map((c) =>
    c.do === 'move' ? moveText(c.move) : c.do === 'pile' ? `pile ${c.pile}` : c.do,
  )

test.each([
  ['cH ab R', ['cH', 'ab', 'R']],
  ['  ab4\tSd ', ['ab4', 'Sd']],
  ['cH,ab;R', ['cH', 'ab', 'R']],
  ['ch', ['ch']], // a build: case matters in moves
  ['r', ['R']],
  ['redeal neu', ['R', 'R']],
])('moves: %s', (line, want) => expect(read(line)).toEqual(want))

test.each([
  ['tops', 'Spitzen', 'tops'],
  ['moves', 'Züge', 'moves'],
  ['next', 'nächste', 'next'],
  ['state', 'Stand', 'state'],
  ['undo', 'zurück', 'undo'],
  ['redo', 'vor', 'redo'],
  ['finish', 'fertig', 'finish'],
  ['submit', 'einreichen', 'submit'],
  ['restart', 'von vorn', 'restart'],
  ['foundations', 'Ablagen', 'foundations'],
  ['table', 'Tisch', 'table'],
  ['last', 'letzter', 'last'],
  ['?', 'Hilfe', 'help'],
  ['HELP', 'HILFE', 'help'],
  ['pile c', 'Stapel C', 'pile 2'],
  ['c', 'l', 'pile 2'],
])('words of both languages: %s, %s', (en, de, want) => {
  expect(read(en)).toEqual([want])
  if (de !== 'l') expect(read(de)).toEqual([want])
})

test('an umlaut in two code points', () => expect(read('zuru\u0308ck')).toEqual(['undo']))
test('words and moves on one line', () =>
  expect(read('cH undo pile c next')).toEqual(['cH', 'undo', 'pile 2', 'next']))
test('nothing', () => expect(read('  ')).toEqual([]))
test('what is neither is told apart, with its text', () =>
  expect(parseCommands('cH foo pile')).toMatchObject([
    { do: 'move' },
    { do: 'unknown', text: 'foo' },
    { do: 'unknown', text: 'pile' },
  ]))
