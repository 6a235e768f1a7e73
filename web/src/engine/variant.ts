/** The variants' names. */
export type VariantId =
  | 'cruel'
  | 'cruel-returns'
  | 'cruel-stuck'
  | 'limited-cruel-3'
  | 'limited-cruel-5'
  | 'perseverance'
  | 'ripple-fan'
  | 'royal-family'
  | 'cruel-top-first'

/** A row of the rule table, with the fields of the contract. Code looks at the columns, never at the id. */
export interface Variant {
  readonly id: VariantId
  /** A card goes onto the next higher rank of its own suit, or of the other colour. */
  readonly build: 'suit' | 'alternate'
  /** What moves from pile to pile at once: a card, or a run that is built by the rule. */
  readonly unit: 'card' | 'run'
  /** How many redeals a game has; null is no limit. */
  readonly redeals: number | null
  readonly when: 'any_time' | 'only_when_no_card_can_be_moved'
  /** How a redeal reads each pile: from its bottom card up, or from its top card down. */
  readonly gather: 'base_first' | 'top_first'
  /** How a redeal deals: cut into fours, or one card at a time round the piles. */
  readonly deal_out: 'fours' | 'singly'
  /** Whether a foundation's top card above the Ace may go back onto a pile. */
  readonly returns: boolean
}

/** The version of the rules that this package plays. */
export const rulesVersion = 1

const cruel: Variant = {
  id: 'cruel',
  build: 'suit',
  unit: 'card',
  redeals: null,
  when: 'any_time',
  gather: 'base_first',
  deal_out: 'fours',
  returns: false,
}

/** All variants, the default first. */
export const variants: readonly Variant[] = [
  cruel,
  { ...cruel, id: 'cruel-returns', returns: true },
  { ...cruel, id: 'cruel-stuck', when: 'only_when_no_card_can_be_moved' },
  { ...cruel, id: 'limited-cruel-3', redeals: 3 },
  { ...cruel, id: 'limited-cruel-5', redeals: 5 },
  { ...cruel, id: 'perseverance', unit: 'run', redeals: 2 },
  { ...cruel, id: 'ripple-fan', deal_out: 'singly' },
  { ...cruel, id: 'royal-family', build: 'alternate' },
  { ...cruel, id: 'cruel-top-first', gather: 'top_first' },
]

/** The variant with an id; undefined where there is none. */
export function variantOf(id: string): Variant | undefined {
  return variants.find((v) => v.id === id)
}
