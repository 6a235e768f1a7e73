// Keys and presses that mean the same wherever a game is played.

import { isNowhere } from '../app/focus'
import { commandOf } from '../table/keys'
import type Table from '../table/Table.svelte'
import type { Playing } from './playing.svelte'

/** Undo and redo as everywhere. */
export function undoOrRedo(e: KeyboardEvent, playing: Playing): void {
  if (e.defaultPrevented || !(e.ctrlKey || e.metaKey) || e.altKey) return
  if ((e.target as Element).closest('input, textarea, select, dialog')) return
  const key = e.key.toLowerCase()
  if (key !== 'z' && key !== 'y') return
  e.preventDefault()
  if (key === 'y' || e.shiftKey) playing.redo()
  else playing.undo()
}

const ofBar = new Set<string>(['undo', 'redo', 'preview', 'redeal', 'pile', 'help'])
/**
 * Keys that aren't the table's, but mean it: letters where a button of its bar was pressed, and arrows where the
 * focus is nowhere, as on a page that has just come.
 */
export function toTable(e: KeyboardEvent, table: Table | undefined): void {
  if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || !table) return
  const target = e.target as Element
  if (isNowhere(target) && e.key.startsWith('Arrow')) {
    e.preventDefault()
    table.focus()
  } else if (target.closest('.bar') && ofBar.has(commandOf(e)?.act ?? '')) table.key(e)
}

/** While a finish runs, any press of a key or on the page leads to its end and does nothing else. */
export function skipFinish(e: Event, playing: Playing): void {
  if (!playing.finishing) return
  e.preventDefault()
  e.stopPropagation()
  playing.finishing.skip()
}
