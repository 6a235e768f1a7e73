import { pileLetters, rankOf, suitOf, type Card, type Refusal } from '../engine'
import { cards } from '../i18n/cards'
import { refused } from '../i18n/play'

/** Why a move is refused, in words: cards as the eye reads them ("6♥"), or as they are said ("six of hearts"). */
export function refusalText(r: Refusal, style: 'short' | 'name' = 'short'): string {
  const name = (c: Card) => cards[style](rankOf(c), suitOf(c))
  const card = r.card ? name(r.card) : ''
  const text = sentence(r, card, name)
  return text.charAt(0).toUpperCase() + text.slice(1) // "six of hearts needs …"
}

function sentence(r: Refusal, card: string, name: (c: Card) => string): string {
  const needs = r.needs ?? []
  switch (r.why) {
    case 'needs': {
      if (needs.length === 0) return refused.king(card)
      if (needs.length === 1) return refused.needs(card, name(needs[0]!), place(r, needs[0]!, refused.it))
      const places = needs.map((c) => place(r, c, name(c)))
      return refused.needsOneOf(card, refused.or(needs.map(name)), places.join(', '))
    }
    case 'foundation_needs':
      if (needs.length === 0) return refused.king(card)
      return refused.before(card, name(needs[0]!), place(r, needs[0]!, refused.it))
    case 'wrong_suit_foundation':
      return refused.otherFoundation(card, suitOf(r.card ?? 0))
    case 'run_too_long':
      return refused.runTooLong(card)
    default:
      return refused[r.why]
  }
}

/** Where a needed card lies: "it lies in pile d under 2 cards". */
function place(r: Refusal, card: Card, subject: string): string {
  const found = r.where?.find((w) => w.card === card)
  if (!found) return refused.home(subject)
  const pile = pileLetters.charAt(found.pile)
  return found.under === 0 ? refused.onTop(subject, pile) : refused.under(subject, pile, found.under)
}
