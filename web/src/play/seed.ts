const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** A seed that nobody has had: twelve letters and digits, all equally likely. */
export function freshSeed(): string {
  let seed = ''
  while (seed.length < 12) {
    for (const byte of crypto.getRandomValues(new Uint8Array(16))) {
      // 252 is a multiple of 36; the few bytes from there on would favour the first letters.
      if (byte < 252 && seed.length < 12) seed += letters.charAt(byte % 36)
    }
  }
  return seed
}
