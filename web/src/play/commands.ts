// What is typed in the text mode: moves as in the log, and words in both languages at any time.

import { parseMove, pileLetters, type Move } from '../engine'

export type Word =
  | 'undo'
  | 'redo'
  | 'finish'
  | 'submit'
  | 'restart'
  | 'tops'
  | 'foundations'
  | 'moves'
  | 'next'
  | 'state'
  | 'last'
  | 'table'
  | 'help'

export type Command =
  | { do: 'move'; move: Move; text: string }
  | { do: 'pile'; pile: number; text: string }
  | { do: Word; text: string }
  | { do: 'unknown'; text: string }

const words: Record<Word, string[]> = {
  undo: ['undo', 'u', 'z', 'zurück', 'zurueck', 'back'],
  redo: ['redo', 'x', 'vor', 'wiederholen'],
  finish: ['finish', 'fertig'],
  submit: ['submit', 'einreichen', 'aufgeben'],
  restart: ['restart', 'von vorn', 'neustart'],
  tops: ['tops', 'top', 'spitzen', 'oben'],
  foundations: ['foundations', 'foundation', 'ablagen', 'ablage'],
  moves: ['moves', 'züge', 'zuege'],
  next: ['next', 'preview', 'nächste', 'naechste', 'vorschau'],
  state: ['state', 'stand', 'status'],
  last: ['last', 'letzter', 'letzte'],
  table: ['table', 'board', 'tisch'],
  help: ['help', '?', 'hilfe'],
}
const meaning = new Map(Object.entries(words).flatMap(([word, all]) => all.map((w) => [w, word as Word])))
const pileWords = ['pile', 'stapel']
const redealWords = ['r', 'redeal', 'neu']

/** Reads a line. Case matters in moves only: cH is a play, ch a build. */
export function parseCommands(line: string): Command[] {
  const tokens = line
    .normalize('NFC')
    .split(/[\s,;]+/)
    .filter(Boolean)
  const commands: Command[] = []
  for (let i = 0; i < tokens.length; i++) {
    const text = tokens[i]!
    const small = text.toLowerCase()
    const next = tokens[i + 1]?.toLowerCase() ?? ''
    const two = `${small} ${next}`
    const move = parseMove(redealWords.includes(small) ? 'R' : text)
    if (move) commands.push({ do: 'move', move, text })
    else if (pileWords.includes(small) && isPile(next)) {
      commands.push({ do: 'pile', pile: pileLetters.indexOf(next), text: `${text} ${tokens[++i]}` })
    } else if (isPile(small)) commands.push({ do: 'pile', pile: pileLetters.indexOf(small), text })
    else if (meaning.has(two)) commands.push({ do: meaning.get(two)!, text: `${text} ${tokens[++i]}` })
    else commands.push({ do: meaning.get(small) ?? 'unknown', text })
  }
  return commands
}

const isPile = (text: string) => text.length === 1 && pileLetters.includes(text)
