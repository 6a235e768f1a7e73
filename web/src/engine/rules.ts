import { ace, cardOf, isRed, king, rankOf, suitOf, type Card } from './card'
import type { Move } from './move'
import { isWon, sameCards, topOf, type Position } from './position'
import type { Variant } from './variant'

/**
 * The position after a move; undefined where the rules forbid it. Piles that the move doesn't change are
 * the same arrays as before (===), so a view can tell what changed.
 */
export function apply(v: Variant, p: Position, m: Move): Position | undefined {
  switch (m.kind) {
    case 'play':
      return play(p, m.from, m.to)
    case 'build':
      return build(v, p, m.from, m.to, m.count)
    case 'return':
      return v.returns ? takeBack(v, p, m.from, m.to) : undefined
    case 'redeal':
      return mayRedeal(v, p) ? redealt(v, p) : undefined
  }
}

function play(p: Position, from: number, suit: number): Position | undefined {
  const pile = p.piles[from]
  const card = topOf(pile)
  const rank = p.foundations[suit]
  if (!pile || !rank || card !== cardOf(rank + 1, suit)) return undefined
  return {
    foundations: p.foundations.with(suit, rank + 1),
    piles: p.piles.with(from, pile.slice(0, -1)),
    redealsLeft: p.redealsLeft,
  }
}

function build(v: Variant, p: Position, from: number, to: number, count: number): Position | undefined {
  const pile = p.piles[from]
  const onto = p.piles[to]
  if (!pile || !onto || !(count >= 1 && count <= runLength(v, pile))) return undefined
  const rest = pile.length - count
  if (!takes(v, topOf(onto), pile[rest] ?? 0)) return undefined
  return {
    foundations: p.foundations,
    piles: p.piles.with(from, pile.slice(0, rest)).with(to, onto.concat(pile.slice(rest))),
    redealsLeft: p.redealsLeft,
  }
}

function takeBack(v: Variant, p: Position, suit: number, to: number): Position | undefined {
  const rank = p.foundations[suit] ?? ace
  const card = cardOf(rank, suit)
  const onto = p.piles[to]
  if (rank === ace || !onto || !takes(v, topOf(onto), card)) return undefined
  return {
    foundations: p.foundations.with(suit, rank - 1),
    piles: p.piles.with(to, onto.concat(card)),
    redealsLeft: p.redealsLeft,
  }
}

/** Whether a card may go onto another. Nothing goes onto no card, which is how an empty pile refuses all. */
export function takes(v: Variant, onto: Card, card: Card): boolean {
  if (v.build === 'suit') return onto === card + 4
  return rankOf(onto) === rankOf(card) + 1 && isRed(suitOf(onto)) !== isRed(suitOf(card))
}

/** The cards that a card may go onto, whichever lie on top: none for a King. */
export function takersOf(v: Variant, card: Card): Card[] {
  const rank = rankOf(card) + 1
  if (rank > king) return []
  return [0, 1, 2, 3].map((suit) => cardOf(rank, suit)).filter((onto) => takes(v, onto, card))
}

/** How many top cards of a pile can leave it at once: 0 where it is empty, above 1 only where runs move. */
export function runLength(v: Variant, pile: readonly Card[]): number {
  let lowest = pile.length - 1
  if (v.unit === 'run') {
    while (lowest > 0 && takes(v, pile[lowest - 1] ?? 0, pile[lowest] ?? 0)) lowest--
  }
  return pile.length - Math.max(lowest, 0)
}

/** Whether a redeal is allowed now. */
export function mayRedeal(v: Variant, p: Position): boolean {
  return p.redealsLeft > 0 && !isWon(p) && (v.when === 'any_time' || !canMove(v, p))
}

/** The position that a redeal gives, whether or not one is allowed now. */
export function redealt(v: Variant, p: Position): Position {
  const topFirst = v.gather === 'top_first'
  const line = p.piles.flatMap((pile) => (topFirst ? pile.toReversed() : pile))
  const count = Math.ceil(line.length / 4)
  const piles = p.piles.map((before, i) => {
    const pile =
      v.deal_out === 'fours' ? line.slice(4 * i, 4 * i + 4) : line.filter((_, k) => k % count === i)
    if (topFirst) pile.reverse()
    return sameCards(before, pile) ? before : pile
  })
  return { foundations: p.foundations, piles, redealsLeft: Math.max(p.redealsLeft - 1, 0) }
}

/** Every move that apply takes, in the order of the bytes of their notation; none after a win. */
export function legalMoves(v: Variant, p: Position): Move[] {
  const moves: Move[] = []
  for (let suit = 0; suit < 4; suit++) {
    if (suit === 3 && mayRedeal(v, p)) moves.push({ kind: 'redeal' }) // "R" sorts before "S"
    if (v.returns) moves.push(...returnsOf(v, p, suit))
  }
  for (let from = 0; from < p.piles.length; from++) moves.push(...pileMoves(v, p, from))
  return moves
}

function returnsOf(v: Variant, p: Position, suit: number): Move[] {
  const moves: Move[] = []
  const rank = p.foundations[suit] ?? ace
  if (rank === ace) return moves
  p.piles.forEach((onto, to) => {
    if (takes(v, topOf(onto), cardOf(rank, suit))) moves.push({ kind: 'return', from: suit, to })
  })
  return moves
}

/** The legal moves from a pile, in the order of the bytes of their notation. */
export function pileMoves(v: Variant, p: Position, from: number): Move[] {
  const moves: Move[] = []
  const pile = p.piles[from] ?? []
  const top = topOf(pile)
  if (goesHome(p, top)) moves.push({ kind: 'play', from, to: suitOf(top) })
  const most = runLength(v, pile)
  p.piles.forEach((onto, to) => {
    // The ranks leave one count at most that can fit.
    const count = rankOf(topOf(onto)) - rankOf(top)
    if (count < 1 || count > most) return
    if (takes(v, topOf(onto), pile[pile.length - count] ?? 0)) moves.push({ kind: 'build', from, to, count })
  })
  return moves
}

function goesHome(p: Position, card: Card): boolean {
  return card > 0 && p.foundations[suitOf(card)] === rankOf(card) - 1
}

/** Whether any move but a redeal is legal. */
export function canMove(v: Variant, p: Position): boolean {
  const tops = p.piles.map(topOf)
  const moves = (card: Card) => tops.some((onto) => takes(v, onto, card))
  return (
    tops.some((top) => goesHome(p, top)) ||
    p.piles.some((pile) => pile.slice(pile.length - runLength(v, pile)).some(moves)) ||
    (v.returns && p.foundations.some((rank, suit) => rank > ace && moves(cardOf(rank, suit))))
  )
}

/** What a game has come to. */
export type Outcome = 'won' | 'stuck' | 'unfinished'

/**
 * The outcome of a game that is in a position. It is stuck when no card can be moved and no redeal that is
 * still allowed leads to a layout in which one can be.
 */
export function outcomeOf(v: Variant, p: Position): Outcome {
  if (isWon(p)) return 'won'
  // After one redeal the sizes of the piles follow from the number of cards, so all further redeals permute
  // the cards in one way, and following them must lead back to the layout after the first.
  let first: Position | undefined
  for (let redeals = 0; !canMove(v, p); redeals++) {
    if (p.redealsLeft === 0 || (first && redeals > 1 && sameLayout(p, first))) return 'stuck'
    if (redeals === 1) first = p
    p = redealt(v, p)
  }
  return 'unfinished'
}

function sameLayout(a: Position, b: Position): boolean {
  return a.piles.every((pile, i) => sameCards(pile, b.piles[i] ?? []))
}

/**
 * The plays to foundations that alone win from a position; undefined where they don't, and where the game
 * is won already. No play is in the way of another, so each one that is possible is made.
 */
export function finish(v: Variant, p: Position): Move[] | undefined {
  const moves: Move[] = []
  while (!isWon(p)) {
    const from = p.piles.findIndex((pile) => goesHome(p, topOf(pile)))
    const m: Move = { kind: 'play', from, to: suitOf(topOf(p.piles[from])) }
    const next = apply(v, p, m)
    if (!next) return undefined
    moves.push(m)
    p = next
  }
  return moves.length > 0 ? moves : undefined
}
