// Games on this device, by the name of what is played: the id of a challenge, "practice.VARIANT.SEED",
// "race.CODE". They survive a reload; the oldest go when there are many.

import type { Saved } from './game.svelte'

const prefix = 'cruel.game.'
const most = 100

type Kept = Saved & { kept: number } // when, ms

function read(key: string): Kept | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null')
    return typeof kept?.log === 'string' && typeof kept.seed === 'string' ? kept : undefined
  } catch {
    return undefined
  }
}

export const loadGame = (name: string): Saved | undefined => read(prefix + name)

/** False where the device keeps nothing. */
export function saveGame(name: string, saved: Saved): boolean {
  try {
    const isNew = localStorage.getItem(prefix + name) === null
    localStorage.setItem(prefix + name, JSON.stringify({ ...saved, kept: Date.now() } satisfies Kept))
    if (isNew) dropOldest()
    return true
  } catch {
    return false
  }
}

function dropOldest(): void {
  const keys = Object.keys(localStorage).filter((k) => k.startsWith(prefix))
  if (keys.length <= most) return
  const byAge = keys.map((key) => ({ key, kept: read(key)?.kept ?? 0 })).sort((a, b) => a.kept - b.kept)
  for (const { key } of byAge.slice(0, keys.length - most)) localStorage.removeItem(key)
}
