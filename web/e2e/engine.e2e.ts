// The rules in TypeScript and the server's: one log proves the same to both. No browser is needed.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mostMoves, variants, verify, type Variant } from '../src/engine'
import { allTokens, pick, randomFrom, randomWalk } from '../src/engine/testing'
import { Server } from './harness'
import { won } from './won'

let server: Server
beforeAll(async () => {
  server = await Server.start()
})
afterAll(() => server?.stop())

/** What the server says of a log, in the words of the engine here. */
async function asked(v: Variant, seed: string, log: string) {
  const answer = await fetch(`${server.url}/v1/replays/verify`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ variant: v.id, seed, log }),
  })
  const body = await answer.json()
  if (answer.status === 200) return { result: body }
  if (answer.status !== 422) throw new Error(`${answer.status}: ${JSON.stringify(body)}`)
  const { index, token, code } = body.move
  return { refused: { index, token, code } }
}

/** What the engine here says of it. */
function known(v: Variant, seed: string, log: string) {
  const said = verify(v, seed, log)
  return 'refused' in said ? said : { result: said.result }
}

async function agree(v: Variant, seed: string, log: string) {
  const said = await asked(v, seed, log)
  expect(said, `${v.id} ${seed}: ${log.slice(0, 400)}`).toEqual(known(v, seed, log))
  return said
}

const perVariant = 12

describe.each(variants)('$id', (v) => {
  const random = randomFrom(5)
  const walks = Array.from({ length: perVariant }, (_, i) => {
    const seed = `together-${i}`
    return { seed, ...randomWalk(v, seed, [0, 1, 12, 60, 150, 400][i % 6]!, random) }
  })

  test('a random game has one result', async () => {
    for (const { seed, log, result } of walks) expect(await agree(v, seed, log)).toEqual({ result })
  })

  test('a token in another one’s place is refused at the same place for the same reason, or by neither', async () => {
    let refused = 0
    for (const { seed, log } of walks) {
      const tokens = log.split(' ')
      for (let i = 0; i < 3; i++) {
        const at = Math.floor(random() * tokens.length)
        const said = await agree(v, seed, tokens.with(at, pick(allTokens, random)).join(' '))
        if ('refused' in said) refused++
      }
    }
    expect(refused).toBeGreaterThan(perVariant)
  })

  test('what isn’t notation is refused', async () => {
    const { seed, log } = walks[4]!
    for (const token of [
      'r',
      'aA',
      'ca',
      'ab1',
      'ab13',
      'ab02',
      'm',
      'AB',
      'aé',
      '🂡🂡🂡'.repeat(9),
      'x'.repeat(99),
    ]) {
      await agree(v, seed, `${log} ${token} ${log}`)
    }
  })
})

test('the moves after a win are refused', async () => {
  const v = variants.find(({ id }) => id === 'cruel')!
  const { seed, log } = won
  expect(await agree(v, seed, log)).toMatchObject({ result: { outcome: 'won', moves: 54 } })
  expect(await agree(v, seed, `${log} R`)).toEqual({ refused: { index: 55, token: 'R', code: 'after_win' } })
  expect(await agree(v, seed, `${log} R zz`)).toEqual({ refused: { index: 56, token: 'zz', code: 'syntax' } })
})

test('a log has 5,000 moves at most', async () => {
  const v = variants.find(({ id }) => id === 'cruel')!
  const full = Array(mostMoves).fill('R').join(' ')
  expect(await agree(v, won.seed, full)).toMatchObject({ result: { moves: mostMoves } })
  expect(await agree(v, won.seed, `${full} R`)).toEqual({
    refused: { index: mostMoves + 1, token: 'R', code: 'too_long' },
  })
})
