// Keys and presses that mean the same wherever a game is played.

import type { Playing } from './playing.svelte'

/** Undo and redo as everywhere; keys without Ctrl are the table's alone. */
export function undoOrRedo(e: KeyboardEvent, playing: Playing): void {
  if (e.defaultPrevented || !(e.ctrlKey || e.metaKey) || e.altKey) return
  if ((e.target as Element).closest('input, textarea, select, dialog')) return
  const key = e.key.toLowerCase()
  if (key !== 'z' && key !== 'y') return
  e.preventDefault()
  if (key === 'y' || e.shiftKey) playing.redo()
  else playing.undo()
}

/** While a finish runs, any press of a key or on the page leads to its end and does nothing else. */
export function skipFinish(e: Event, playing: Playing): void {
  if (!playing.finishing) return
  e.preventDefault()
  e.stopPropagation()
  playing.finishing.skip()
}
