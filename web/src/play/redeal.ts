import { redealt, type Position, type Variant } from '../engine'

/** Whether a redeal leaves every pile as it is. */
export function redealChangesNothing(v: Variant, p: Position): boolean {
  const after = redealt(v, p)
  return after.piles.every((pile, i) => pile === p.piles[i])
}
