import { describe, expect, test } from 'vitest'
import {
  falseClaim,
  isFreeHeader,
  logText,
  parseLog,
  parseRecord,
  recordText,
  variantOf,
  verify,
  type Header,
  type Record,
} from './index'
import { readVectors } from './testing'

/** A won game in its canonical form; the Go tests have the same. */
const wonRecord = `Variant: cruel
Seed: fk5t-fp4p
Player: Ada
Result: won
Moves: 60

kD dk gk gH lH fH dH dC jh jg jD bD R dC cC fS jS eS dS R bf gc R gC bC gC aC eS
R cD dS dS aH eH bf bH gH gS gS gS fS fS dH fH af aD aC eC eC cD hD cD cD fD fD
fD eH bH bC dC
`

function mustParse(text: string): Record {
  const read = parseRecord(text)
  if (!('record' in read)) throw new Error(JSON.stringify(read))
  return read.record
}

test('a record reads back', () => {
  const record = mustParse(wonRecord)
  expect(recordText(record)).toBe(wonRecord)
  expect(record).toMatchObject({
    seed: 'fk5t-fp4p',
    result: 'won',
    moves: 60,
    headers: [{ name: 'Player', value: 'Ada' }],
  })
  const proven = verify(record.variant, record.seed, logText(record.log))
  if ('refused' in proven) throw new Error(proven.refused.code)
  expect(proven.result).toEqual({
    outcome: 'won',
    moves: 60,
    plays: 48,
    builds: 8,
    returns: 0,
    redeals: 4,
    cards: 52,
  })
  expect(falseClaim(record, proven.result)).toBeUndefined()
})

const canonical = 'Variant: cruel\nSeed: a-1\nB: x: y\nEmpty:\nA: \u00e9\nMoves: 1\n\nR\n'

test.each([
  ['as written', canonical],
  ['CRLF', canonical.replaceAll('\n', '\r\n')],
  ['other order', 'B: x: y\nMoves: 1\nEmpty:\nSeed: a-1\nA: \u00e9\nVariant: cruel\n\nR'],
  ['rules named', 'Rules: 1\n' + canonical],
  ['spaces', 'Variant:cruel\t\nSeed:   a-1 \nB:x: y\nEmpty: \t \nA:\u00e9\nMoves: 1\n\n \n\tR\r\n\n'],
  ['a longer line', canonical.replace('\nR\n', '\n' + ' '.repeat(200) + 'R')],
])('a record is made canonical: %s', (_, text) => {
  expect(recordText(mustParse(text))).toBe(canonical)
})

const head = 'Variant: cruel\nSeed: a\n'

test.each([
  ['nothing', '', 1, 'no_empty_line'],
  ['only an empty line', '\n', 1, 'missing Variant'],
  ['no variant', 'Seed: a\n\n', 2, 'missing Variant'],
  ['no seed', 'Variant: cruel\n\nR\n', 2, 'missing Seed'],
  ['no empty line', head, 3, 'no_empty_line'],
  ['cut off', 'Variant: cruel\nSee', 2, 'no_empty_line'],
  ['log in the headers', head + 'R R\n\n', 3, 'no_header'],
  ['no name', 'Variant: cruel\n: a\n\n', 2, 'no_header'],
  ['space before the name', ' Variant: cruel\n\n', 1, 'no_header'],
  ['space after the name', 'Variant : cruel\n\n', 1, 'no_header'],
  ['no-break space before a name', '\u00a0Variant: cruel\n\n', 1, 'no_header'],
  ['line of spaces', head + '  \nR', 3, 'no_header'],
  ['header twice', head + 'Seed: a\n\n', 3, 'twice Seed'],
  ['unknown header twice', 'X: 1\nx: 1\nX: 2\n\n', 3, 'twice X'],
  ['unknown variant', 'Variant: Cruel\n\n', 1, 'bad_value Variant'],
  ['bad seed', 'Seed: A\n\n', 1, 'bad_value Seed'],
  ['unknown rules', 'Rules: 2\n\n', 1, 'bad_value Rules'],
  ['rules in another form', 'Rules: 01\n\n', 1, 'bad_value Rules'],
  ['no rules', 'Rules:\n\n', 1, 'bad_value Rules'],
  ['unknown result', 'Result: lost\n\n', 1, 'bad_value Result'],
  ['moves with a sign', 'Moves: +1\n\n', 1, 'bad_value Moves'],
  ['moves below zero', 'Moves: -1\n\n', 1, 'bad_value Moves'],
  ['moves with a zero', 'Moves: 01\n\n', 1, 'bad_value Moves'],
  ['moves in words', 'Moves: 1e3\n\n', 1, 'bad_value Moves'],
  ['too many moves to count', 'Moves: 99999999999999999999\n\n', 1, 'bad_value Moves'],
  ['byte order mark', '\ufeffVariant: cruel\n\n', 1, 'encoding'],
  ['half a character', 'Variant: cruel\nPlayer: \ud800\n\n', 2, 'encoding'],
  ['UTF-16', 'V\0a\0\n\0\n\0', 1, 'control_character'],
  ['escape', 'Player: \x1b[2J\n\n', 1, 'control_character'],
  ['next line', 'Player: \x85\n\n', 1, 'control_character'],
  ['lone CR', 'Variant: cruel\rSeed: a\n\n', 1, 'control_character'],
])('a record is refused: %s', (_, text, line, want) => {
  const [why, name] = want.split(' ')
  expect(parseRecord(text)).toEqual({ fault: { line, why, ...(name && { name }) } })
})

test('a record is refused for its log', () => {
  expect(parseRecord(head + '\nR aX\n')).toEqual({ refused: { index: 2, token: 'aX', code: 'syntax' } })
  expect(parseRecord(head + '\n' + 'R\n'.repeat(5001))).toEqual({
    refused: { index: 5001, token: 'R', code: 'too_long' },
  })
})

test('headers may hold any letters', () => {
  const text = head + 'Ж ü: 🂡\u2028\u00a0!\nA\tb: c\td\n\n'
  expect(mustParse(text).headers).toEqual([
    { name: 'Ж ü', value: '🂡\u2028\u00a0!' },
    { name: 'A\tb', value: 'c\td' },
  ])
  expect(recordText(mustParse(text))).toBe(text)
})

// case V04, for files: a claim counts for nothing against the log.
test.each([
  ['none', '', undefined],
  ['true', 'Result: unfinished\nMoves: 1\n', undefined],
  ['false result', 'Result: won\n', 'Result'],
  ['false moves', 'Moves: 88\n', 'Moves'],
  ['both false', 'Moves: 88\nResult: stuck\n', 'Result'],
])('claims: %s', (_, claims, want) => {
  const record = mustParse('Variant: cruel\nSeed: cruel\n' + claims + '\nR\n')
  const proven = verify(record.variant, record.seed, logText(record.log))
  expect('result' in proven && falseClaim(record, proven.result)).toBe(want)
})

describe('recordText', () => {
  const record: Record = { variant: variantOf('cruel')!, seed: 'a', log: [], headers: [] }
  test('writes what there is, and no more', () => {
    expect(recordText(record)).toBe('Variant: cruel\nSeed: a\n\n')
    expect(recordText({ ...record, moves: 0, result: 'stuck' })).toBe(head + 'Result: stuck\nMoves: 0\n\n')
  })
  test.each<[string, string]>([
    ...(['Variant', 'Seed', 'Rules', 'Result', 'Moves'].map((name) => [name, '1']) as [string, string][]),
    ['', 'x'],
    [' A', 'x'],
    ['A ', 'x'],
    ['A:', 'x'],
    ['A\n', 'x'],
    ['A', 'x\ny'],
    ['A', ' x'],
    ['A', 'x\t'],
    ['A', '\x1b'],
    ['A', '\udfff'],
    ['\ufeffA', 'x'],
  ])('refuses the header %j of %j', (name, value) => {
    const header: Header = { name, value }
    expect(isFreeHeader(header)).toBe(false)
    expect(() => recordText({ ...record, headers: [header] })).toThrow(RangeError)
  })
  test('refuses no seed, and a name twice', () => {
    const player = { name: 'Player', value: '' }
    expect(isFreeHeader(player)).toBe(true)
    expect(() => recordText({ ...record, seed: 'A' })).toThrow(RangeError)
    expect(() => recordText({ ...record, headers: [player, player] })).toThrow(RangeError)
  })
  test('has lines of at most 80 characters, and of no fewer than fit', () => {
    for (const { variant, seed, log } of readVectors<{ variant: string; seed: string; log: string }>(
      'games.json',
      'games',
    )) {
      const read = parseLog(log)
      if ('refused' in read) continue
      const text = recordText({ variant: variantOf(variant)!, seed, log: read.moves, headers: [] })
      const lines = text.slice(text.indexOf('\n\n') + 2).split('\n')
      lines.forEach((line, i) => {
        expect(line.length).toBeLessThanOrEqual(80)
        const next = lines[i + 1]?.split(' ')[0]
        if (next) expect(line.length + 1 + next.length).toBeGreaterThan(80)
      })
      expect(logText(mustParse(text).log)).toBe(logText(read.moves))
    }
  })
})
