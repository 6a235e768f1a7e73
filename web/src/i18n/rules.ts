import type { Variant } from '../engine'
import { messages, number } from './index.svelte'

const text = messages(
  {
    goal: 'All 52 cards go to the four foundations, each in its suit from the Ace up to the King.',
    onlyTop:
      'Only the top card of a pile moves: to its foundation, or onto the next higher card of the same suit on another pile.',
    onlyTopAlternate:
      'Only the top card of a pile moves: to its foundation, or onto the next higher card of the other colour on another pile.',
    run: 'Top cards that are in sequence by this rule may move together as a run, onto a pile only. A run counts as one move.',
    returns:
      'The top card of a foundation may go back onto a pile where it fits. Aces stay. That, too, is a move.',
    emptyPile: 'Nothing goes onto an empty pile; only a redeal fills it.',
    baseFirst: 'A redeal gathers the piles from a to l, each from its bottom card up,',
    topFirst: 'A redeal gathers the piles from a to l, each from its top card down,',
    fours: 'and deals the cards out again by fours. Nothing is shuffled.',
    foursTopFirst:
      'and deals them out again by fours, the card gathered first ending on top. Nothing is shuffled.',
    singly:
      'and deals them out again one at a time, round as few piles as can hold them by fours. Nothing is shuffled.',
    anyNumber: 'One may redeal as often as one likes,',
    limited: (n: number) => `One may redeal ${n === 1 ? 'once' : n === 2 ? 'twice' : `${number(n)} times`},`,
    anyTime: 'at any time.',
    onlyWhenStuck: 'but only when no card can be moved.',
    counting:
      'Every move counts one, a redeal too. What is taken back doesn’t count: undo and redo are free and without limit.',
    better:
      'The fewest moves win; a win takes at least 48. Without a win the cards on the foundations count, then the moves.',
  },
  {
    goal: 'Alle 52 Karten kommen auf die vier Ablagen, jede in ihrer Farbe vom Ass bis zum König.',
    onlyTop:
      'Nur die oberste Karte eines Stapels ist beweglich: auf ihre Ablage oder auf die nächsthöhere Karte derselben Farbe auf einem anderen Stapel.',
    onlyTopAlternate:
      'Nur die oberste Karte eines Stapels ist beweglich: auf ihre Ablage oder auf eine nächsthöhere Karte, rot auf schwarz und schwarz auf rot.',
    run: 'Oberste Karten, die nach dieser Regel aufeinander folgen, können als Folge zusammen ziehen, aber nur auf einen Stapel. Eine Folge zählt als ein Zug.',
    returns:
      'Die oberste Karte einer Ablage darf auf einen Stapel zurück, wo sie passt. Asse bleiben liegen. Auch das ist ein Zug.',
    emptyPile: 'Auf einen leeren Stapel kommt nichts; erst eine Neuauslage füllt ihn wieder.',
    baseFirst:
      'Beim Neuauslegen werden die Stapel von a bis l aufgenommen, jeder von der untersten Karte an,',
    topFirst: 'Beim Neuauslegen werden die Stapel von a bis l aufgenommen, jeder von der obersten Karte an,',
    fours: 'und zu je vier wieder ausgelegt. Gemischt wird nicht.',
    foursTopFirst:
      'und zu je vier wieder ausgelegt, wobei die zuerst aufgenommene Karte obenauf liegt. Gemischt wird nicht.',
    singly:
      'und reihum einzeln wieder ausgelegt, auf so wenige Stapel, wie für je vier Karten nötig sind. Gemischt wird nicht.',
    anyNumber: 'Neu ausgelegt wird, so oft man will,',
    limited: (n: number) => `Neu ausgelegt wird höchstens ${number(n)}-mal,`,
    anyTime: 'zu jeder Zeit.',
    onlyWhenStuck: 'aber nur, wenn keine Karte mehr ziehen kann.',
    counting:
      'Jeder Zug zählt eins, auch eine Neuauslage. Was zurückgenommen ist, zählt nicht: Zurück und Vor sind frei und unbegrenzt.',
    better:
      'Die wenigsten Züge gewinnen; mindestens 48 braucht es. Ohne Sieg zählen die abgelegten Karten, dann die Züge.',
  },
)

/** The rules of a variant, a sentence or two each, from the columns of the rule table. */
export function variantRules(v: Variant): string[] {
  const topFirst = v.gather === 'top_first'
  const dealOut = v.deal_out === 'singly' ? text.singly : topFirst ? text.foursTopFirst : text.fours
  return [
    text.goal,
    v.build === 'suit' ? text.onlyTop : text.onlyTopAlternate,
    ...(v.unit === 'run' ? [text.run] : []),
    ...(v.returns ? [text.returns] : []),
    text.emptyPile,
    `${topFirst ? text.topFirst : text.baseFirst} ${dealOut}`,
    `${v.redeals === null ? text.anyNumber : text.limited(v.redeals)} ${v.when === 'any_time' ? text.anyTime : text.onlyWhenStuck}`,
    text.counting,
    text.better,
  ]
}
