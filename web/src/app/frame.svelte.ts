// What a page gives to the frame around it.

import { untrack, type Snippet } from 'svelte'

export const frame: { header: Snippet | null; title: string } = $state({ header: null, title: '' })

/** Puts a page's own line into the header, and its name into the tab, for as long as the page is there. */
export function useFrame(title: () => string, header?: () => Snippet): void {
  $effect(() => {
    frame.title = title()
    frame.header = header?.() ?? null
    return () => {
      frame.title = ''
      frame.header = null
    }
  })
}

let polite = $state('')
let assertive = $state('')

export const spoken = {
  get polite() {
    return polite
  },
  get assertive() {
    return assertive
  },
}

/** Says a sentence to screen readers. A newer one takes the place of one that wasn't said yet. */
export function announce(text: string, { at = 'polite' }: { at?: 'polite' | 'assertive' } = {}): void {
  // The same sentence twice has to be another text, or it isn't said. Who announces doesn't follow what was.
  untrack(() => {
    if (at === 'assertive') assertive = text === assertive ? text + '\u00a0' : text
    else polite = text === polite ? text + '\u00a0' : text
  })
}
