import { settings } from '../app/settings.svelte'
import type { Variant } from '../engine'

/** The colours of the suits: four where the suit decides what goes where, two where the colour does. */
export function deckFor(v: Variant): 'two' | 'four' | 'safe' {
  if (settings.deck !== 'auto') return settings.deck
  return v.build === 'suit' ? 'four' : 'two'
}
