// What a challenge is to this device: whether its deal is the one that its seed gives, and where its time is.

import { sha256 } from '@noble/hashes/sha2.js'
import type { Challenge } from '../api/schema.gen'
import { cardText, deal, isSeed, rulesVersion, variantOf } from '../engine'

/** What is wrong with a challenge that somebody gave as such; undefined: nothing. */
export function faultOf(c: Challenge): 'rules' | 'deal' | undefined {
  const variant = variantOf(c.variant)
  if (!variant || c.rules_version !== rulesVersion) return 'rules'
  if (c.date !== null && c.id !== `${c.variant}-${c.date}`) return 'deal'
  if (!isSeed(c.seed)) return 'deal'
  const own = deal(c.seed, variant).piles.map((pile) => pile.map(cardText))
  return JSON.stringify(own) === JSON.stringify(c.deal) ? undefined : 'deal'
}

/** Whether the commitment that was published for a daily is to this seed; null: there is none. */
export function keepsItsWord(c: Challenge): boolean | null {
  if (!c.commitment || !c.date) return null
  const text = ['cruel commitment 1', c.variant, c.date, c.seed].join('\n')
  const hash = [...sha256(new TextEncoder().encode(text))]
    .map((b) => b.toString(16).padStart(2, '0'))
    .join('')
  return hash === c.commitment.hash
}

/** Whether a submission counts: yes; yes, for what was on its way at the end; no more. */
export type Phase = 'open' | 'grace' | 'over'

export function phaseOf(c: Challenge, now: number): Phase {
  if (now < Date.parse(c.closes_at)) return 'open'
  return now < Date.parse(c.grace_until) ? 'grace' : 'over'
}

/** Whether it is the daily of a variant at that moment. */
export function isToday(c: Challenge, variant: string, now: number): boolean {
  return (
    c.kind === 'daily' && c.variant === variant && Date.parse(c.opens_at) <= now && phaseOf(c, now) === 'open'
  )
}

// Before a race has set it, our clock may be so far ahead of the server's, ms, who would still give the old day.
const ahead = 2000

/** Whether the next daily has surely come. */
export function hasSuccessor(c: Challenge, now: number): boolean {
  return c.next_opens_at !== null && now >= Date.parse(c.next_opens_at) + ahead
}

/** Until then there are no hints, and nobody sees another's log. */
export function sealedUntil(c: Challenge): string {
  return c.kind === 'daily' ? c.grace_until : c.closes_at
}

/** "ripple-fan" as a name: "Ripple Fan". The same in all languages. */
export function variantName(id: string): string {
  return id
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
