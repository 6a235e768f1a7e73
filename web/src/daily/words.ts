// What the server has said, in words.

import type { Hint, Standing, Verdict } from '../api/schema.gen'
import { cardOf, parseMove, pileLetters, rankOf, suitOf, topOf, type Move, type Position } from '../engine'
import { cards } from '../i18n/cards'
import { daily } from '../i18n/daily'

/** A move that may be made in a position, as a sentence. */
export function moveWords(p: Position, m: Move): string {
  const letter = (pile: number) => pileLetters.charAt(pile)
  const name = (card: number) => cards.name(rankOf(card), suitOf(card))
  switch (m.kind) {
    case 'play':
      return daily.moveHome(letter(m.from), name(topOf(p.piles[m.from])))
    case 'build': {
      const onto = name(topOf(p.piles[m.to]))
      return m.count === 1
        ? daily.movePile(letter(m.from), name(topOf(p.piles[m.from])), letter(m.to), onto)
        : daily.moveRun(letter(m.from), m.count, letter(m.to), onto)
    }
    case 'return':
      return daily.moveReturn(name(cardOf(p.foundations[m.from]!, m.from)), letter(m.to))
    case 'redeal':
      return daily.moveRedeal
  }
}

/** A hint for a position that was reached in so many moves. */
export function hintWords(hint: Hint, p: Position, moves: number): string {
  if (hint.winnable === false) return moves === 0 ? daily.lostDeal : daily.lost
  const move = hint.move === null ? undefined : parseMove(hint.move)
  if (move) {
    const words = moveWords(p, move)
    return hint.moves === null ? words : daily.hintMove(words, hint.moves)
  }
  if (hint.moves === 0) return daily.alreadyWon
  return hint.winnable ? daily.leadsBack : daily.notFound
}

/** Where a submission has led. */
export function verdictWords(v: Verdict): string {
  if (v.late) return daily.late(v.would_rank === null ? '' : daily.wouldRank(v.would_rank))
  const best = v.personal_best
  if (!best || isSame(v, best)) return v.improved ? daily.improved : daily.checked
  return best.outcome === 'won'
    ? daily.bestStays(best.moves, best.rank)
    : daily.bestStaysCards(best.cards, best.rank)
}

type Game = Pick<Standing, 'outcome' | 'moves' | 'cards'>

/** Whether two results are equal. */
export const isSame = (a: Game, b: Game) =>
  a.outcome === b.outcome && a.moves === b.moves && a.cards === b.cards
