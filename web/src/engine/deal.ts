import { sha256 } from '@noble/hashes/sha2.js'
import { ace, cardOf, rankOf } from './card'
import { pileCount, type Position } from './position'
import type { Variant } from './variant'

/** Whether a text is a seed: 1 to 64 of a-z and 0-9, with single hyphens between them. */
export function isSeed(text: string): boolean {
  return text.length <= 64 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text)
}

/** The seed that a person means: without the spaces around it, A to Z in lower case. undefined: it is none. */
export function typedSeed(text: string): string | undefined {
  const [, typed = ''] = /^ *([a-zA-Z0-9-]+) *$/.exec(text) ?? []
  const seed = typed.toLowerCase() // only ASCII comes here, so no other letter is folded
  return isSeed(seed) ? seed : undefined
}

/**
 * The opening position of a seed, by deal version 1. All variants deal alike; the variant says how many
 * redeals there are. It throws a RangeError on a text that is no seed.
 */
export function deal(seed: string, v: Variant): Position {
  if (!isSeed(seed)) throw new RangeError(`${seed.slice(0, 80)} is no seed`)
  const deck = Array.from({ length: 52 }, (_, i) => cardOf((i % 13) + 1, Math.floor(i / 13)))
  const words = wordsOf(seed)
  for (let i = 51; i > 0; i--) {
    const j = below(i + 1, words)
    ;[deck[i], deck[j]] = [deck[j]!, deck[i]!]
  }
  const line = deck.filter((card) => rankOf(card) !== ace)
  return {
    foundations: [ace, ace, ace, ace],
    piles: Array.from({ length: pileCount }, (_, i) => line.slice(4 * i, 4 * i + 4)),
    redealsLeft: v.redeals ?? Infinity,
  }
}

/** The endless row of 32-bit words that a seed gives, eight from each SHA-256 block. */
function* wordsOf(seed: string): Generator<number, never> {
  const text = new TextEncoder().encode(`cruel deal 1\n${seed}\n\0\0\0\0`) // the block's number is last
  for (let k = 0; ; k++) {
    new DataView(text.buffer).setUint32(text.length - 4, k)
    const block = new DataView(sha256(text).buffer)
    for (let i = 0; i < 32; i += 4) yield block.getUint32(i)
  }
}

/** A number from 0 to n - 1, all equally likely: words of the last, incomplete stretch of n are thrown away. */
function below(n: number, words: Generator<number, never>): number {
  const limit = 2 ** 32 - (2 ** 32 % n)
  let word = words.next().value
  while (word >= limit) word = words.next().value
  return word % n
}
