import { cardText, suitLetters, type Move, type Position } from '../engine'
import { replay } from '../i18n/replay'
import { meaningOf } from './model'

/** A move in words: "pile c, three of hearts to the foundation". */
export function inWords(p: Position, m: Move): string {
  const what = meaningOf(p, m)
  switch (what.kind) {
    case 'redeal':
      return replay.redeal
    case 'play':
      return replay.toFoundation(what.from, what.rank, what.suit)
    case 'return':
      return replay.backToPile(what.rank, what.suit, what.to)
    case 'build':
      return what.count > 1
        ? replay.runToPile(what.from, what.count, what.to)
        : replay.toPile(what.from, what.rank, what.suit, what.to)
  }
}

/** A position as lines of text: the foundations, then a line a pile. */
export function textBoard(p: Position): string {
  const ranks = 'A23456789TJQK'
  const foundations = p.foundations.map((rank, suit) => ranks[rank - 1]! + suitLetters[suit]!).join(' ')
  const piles = p.piles.map((pile, i) => `${'abcdefghijkl'[i]}  ${pile.map(cardText).join(' ') || '–'}`)
  return [foundations, ...piles].join('\n')
}
