import { isSeed } from './deal'
import { parseLog, type RefusedMove, type Result } from './log'
import { moveText, type Move } from './move'
import type { Outcome } from './rules'
import { rulesVersion, variantOf, type Variant } from './variant'

/** A game as a file, whose name ends in ".cruel". */
export interface Record {
  readonly variant: Variant
  readonly seed: string
  readonly log: readonly Move[]
  /** Claims; without them there is none. falseClaim compares them with what the log proves. */
  readonly result?: Outcome
  readonly moves?: number
  /** The headers that have no meaning here, such as Player, each name once. */
  readonly headers: readonly Header[]
}

export interface Header {
  readonly name: string
  readonly value: string
}

/** A fault in the headers of a record. */
export interface RecordFault {
  /** From 1. */
  line: number
  why:
    | 'no_empty_line' // none comes between headers and log
    | 'encoding' // a byte order mark, or half a surrogate pair
    | 'control_character'
    | 'no_header' // it doesn't look like Name: value
    | 'twice'
    | 'missing'
    | 'bad_value' // of a header that has a meaning
  /** Of the header, in the last three. */
  name?: string
}

const meant = ['Variant', 'Seed', 'Rules', 'Result', 'Moves']
const outcomes: readonly string[] = ['unfinished', 'stuck', 'won'] satisfies Outcome[]

/** The most characters that a line of a written log has. */
const maxLine = 80

/**
 * Reads a record, or says which line is at fault or which token of the log is refused. Whether the game is
 * legal is for verify to say. Moves above 2^53 are no count here; the Go reader takes them up to 2^63.
 */
export function parseRecord(
  text: string,
): { record: Record } | { fault: RecordFault } | { refused: RefusedMove } {
  const values = new Map<string, string>()
  let rest = text
  for (let line = 1; ; line++) {
    const end = rest.indexOf('\n')
    if (end < 0) return { fault: { line, why: 'no_empty_line' } }
    const header = rest.slice(0, end).replace(/\r$/, '')
    rest = rest.slice(end + 1)
    if (header === '') return assemble(values, line, rest)
    const read = parseHeader(header)
    if (typeof read === 'string') return { fault: { line, why: read } }
    if (values.has(read.name)) return { fault: { line, why: 'twice', name: read.name } }
    if (!isMeaningful(read)) return { fault: { line, why: 'bad_value', name: read.name } }
    values.set(read.name, read.value)
  }
}

function parseHeader(line: string): Header | RecordFault['why'] {
  if (/^\ufeff|\p{Surrogate}/u.test(line)) return 'encoding'
  if (/[\0-\x08\x0a-\x1f\x7f-\x9f]/.test(line)) return 'control_character' // records are shown on terminals
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(colon, 0))
  if (name === '' || /^\p{White_Space}|\p{White_Space}$/u.test(name)) return 'no_header'
  return { name, value: trimmed(line.slice(colon + 1)) }
}

/** A text without the spaces and tabs around it; a regular expression would take quadratic time. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && ' \t'.includes(text.charAt(start))) start++
  while (start < end && ' \t'.includes(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

function isMeaningful({ name, value }: Header): boolean {
  switch (name) {
    case 'Variant':
      return variantOf(value) !== undefined
    case 'Seed':
      return isSeed(value)
    case 'Rules':
      return value === String(rulesVersion)
    case 'Result':
      return outcomes.includes(value)
    case 'Moves':
      return /^(0|[1-9][0-9]*)$/.test(value) && Number.isSafeInteger(Number(value))
  }
  return true
}

function assemble(values: Map<string, string>, line: number, rest: string): ReturnType<typeof parseRecord> {
  const variant = variantOf(values.get('Variant') ?? '')
  const seed = values.get('Seed')
  if (!variant) return { fault: { line, why: 'missing', name: 'Variant' } }
  if (seed === undefined) return { fault: { line, why: 'missing', name: 'Seed' } }
  const read = parseLog(rest)
  if ('refused' in read) return read
  const result = values.get('Result') as Outcome | undefined
  const moves = values.get('Moves')
  const headers = [...values]
    .map(([name, value]) => ({ name, value }))
    .filter(({ name }) => !meant.includes(name))
  return {
    record: {
      variant,
      seed,
      log: read.moves,
      ...(result !== undefined && { result }),
      ...(moves !== undefined && { moves: Number(moves) }),
      headers,
    },
  }
}

/**
 * The record in its canonical form: the variant and the seed, the headers that have no meaning, the claims,
 * and the log in lines of at most 80 characters. It throws a RangeError on a seed or a header that could not
 * be read back, and on a name twice.
 */
export function recordText(record: Record): string {
  const names = new Set(record.headers.map(({ name }) => name))
  if (!isSeed(record.seed) || !record.headers.every(isFreeHeader) || names.size < record.headers.length) {
    throw new RangeError('the record could not be read back')
  }
  const headers = [
    { name: 'Variant', value: record.variant.id },
    { name: 'Seed', value: record.seed },
    ...record.headers,
  ]
  if (record.result !== undefined) headers.push({ name: 'Result', value: record.result })
  if (record.moves !== undefined) headers.push({ name: 'Moves', value: String(record.moves) })
  return headers.map(headerText).join('') + '\n' + wrapped(record.log)
}

/** Whether a header has no meaning here and, once written, reads back as it is. */
export function isFreeHeader(header: Header): boolean {
  const read = parseHeader(`${header.name}: ${header.value}`)
  return (
    typeof read === 'object' &&
    read.name === header.name &&
    read.value === header.value &&
    !meant.includes(read.name)
  )
}

function headerText({ name, value }: Header): string {
  return value === '' ? `${name}:\n` : `${name}: ${value}\n`
}

function wrapped(log: readonly Move[]): string {
  let text = ''
  let line = ''
  for (const token of log.map(moveText)) {
    if (line === '') {
      line = token
    } else if (line.length + 1 + token.length > maxLine) {
      text += line + '\n'
      line = token
    } else {
      line += ' ' + token
    }
  }
  return line === '' ? text : text + line + '\n'
}

/** The first claim of a record that its result, which is what verify gives for its log, doesn't bear out. */
export function falseClaim(
  record: Pick<Record, 'result' | 'moves'>,
  result: Result,
): 'Result' | 'Moves' | undefined {
  if (record.result !== undefined && record.result !== result.outcome) return 'Result'
  if (record.moves !== undefined && record.moves !== result.moves) return 'Moves'
  return undefined
}
