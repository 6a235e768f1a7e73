import { describe, expect, test } from 'vitest'
import { apply, deal, logText, moveText, parseMove, variantOf, variants, verify, type Move } from '../engine'
import { pick, randomFrom, randomWalk } from '../engine/testing'
import { Game } from './game.svelte'

const cruel = variantOf('cruel')!
const move = (text: string) => parseMove(text)!
/** A position as text, so that any difference shows. */
const written = (game: Game) => JSON.stringify(game.position)

/** What the page shows of a game, and what the verifier derives from its log for the same places. */
function figures(game: Game) {
  const said = verify(game.variant, game.seed, game.log)
  if ('refused' in said) throw new Error(`${game.seed}: ${JSON.stringify(said.refused)} in ${game.log}`)
  const { result, outcome, atBest, moves } = game
  const { moves: counted, cards } = said.result
  return {
    shown: { result, outcome, atBest, moves: moves.length },
    derived: {
      result: said.result,
      outcome: said.result.outcome,
      atBest: counted + 52 - cards,
      moves: counted,
    },
  }
}

test('in 1,000 random sessions the counters are what the verifier derives, at each step', () => {
  const random = randomFrom(23)
  for (let session = 0; session < 1000; session++) {
    const game = new Game(pick(variants, random), `session-${session}`)
    // What the game should be, told in another way: the moves that stand, and those that were taken back.
    let stand: Move[] = []
    let taken: Move[] = []
    for (let step = 0; step < 15; step++) {
      const dice = random()
      if (dice < 0.25) {
        expect(game.undo()).toBe(stand.length > 0)
        if (stand.length > 0) taken.unshift(stand.pop()!)
      } else if (dice < 0.4) {
        expect(game.redo()).toBe(taken.length > 0)
        if (taken.length > 0) stand.push(taken.shift()!)
      } else if (game.legal.length > 0) {
        const m = pick(game.legal, random)
        expect(game.move(m)).toBe(true)
        stand.push(m)
        taken = []
      }
      const { shown, derived } = figures(game)
      expect({ ...shown, log: game.log, canRedo: game.canRedo }).toEqual({
        ...derived,
        log: logText(stand),
        canRedo: taken.length > 0,
      })
    }
    const after = stand.reduce((p, m) => apply(game.variant, p, m)!, deal(game.seed, game.variant))
    expect(game.position).toEqual(after)
  }
}, 60_000)

describe.each(variants)('$id', (v) => {
  test('undo gives back what was, byte for byte, down to the deal', () => {
    const random = randomFrom(15)
    const { moves } = randomWalk(v, 'there-and-back', 120, random)
    const game = new Game(v, 'there-and-back')
    const before: string[] = []
    for (const m of moves) {
      before.push(written(game))
      game.move(m)
      game.undo()
      expect(written(game), `undone ${moveText(m)}`).toBe(before.at(-1))
      game.redo()
    }
    for (const text of before.reverse()) {
      game.undo()
      expect(written(game)).toBe(text)
    }
    expect(written(game)).toBe(JSON.stringify(deal('there-and-back', v)))
    expect(game.undo()).toBe(false)
  })
})

test('a refused move changes nothing', () => {
  const game = new Game(cruel, '2')
  game.move(move('jS'))
  game.undo()
  const before = [written(game), JSON.stringify(game.saved)]
  expect(game.move(move('ab'))).toBe(false)
  expect([written(game), JSON.stringify(game.saved)]).toEqual(before)
  expect(game.canRedo).toBe(true)
})

test('a restart gives the deal, once, twice and after a reload; undo leads back', () => {
  const dealt = JSON.stringify(deal('2', cruel))
  let game = new Game(cruel, '2')
  for (const m of randomWalk(cruel, '2', 20, randomFrom(17)).moves) game.move(m)
  const played = game.log
  game.restart()
  expect(written(game)).toBe(dealt)
  game = Game.restore(cruel, game.saved)
  expect(written(game)).toBe(dealt)
  game.restart()
  game.restart()
  expect(written(game)).toBe(dealt)
  expect(game.log).toBe('')
  while (game.redo());
  expect(game.log).toBe(played)
  game.restart()
  game.undo()
  expect(game.log).toBe(played)
})

test('a kept game comes back as it was, with what was taken back', () => {
  const random = randomFrom(5)
  for (let i = 0; i < 100; i++) {
    const v = pick(variants, random)
    const { moves } = randomWalk(v, `kept-${i}`, 40, random)
    const game = new Game(v, `kept-${i}`)
    for (const m of moves) game.move(m)
    const back = Math.floor(random() * (moves.length + 1))
    for (let n = 0; n < back; n++) game.undo()
    const again = Game.restore(v, JSON.parse(JSON.stringify(game.saved)))
    expect(again.saved).toEqual(game.saved)
    expect(again.position).toEqual(game.position)
    while (again.redo());
    expect(again.log).toBe(logText(moves))
  }
})

test('of a kept game whose log isn’t legal as much comes back as is', () => {
  const game = Game.restore(cruel, { seed: '2', variant: 'cruel', log: 'jS cH ab R', at: 4 })
  expect(game.log).toBe('jS cH')
  const none = Game.restore(cruel, { seed: '2', variant: 'cruel', log: 'nonsense', at: 1 })
  expect(none.log).toBe('')
})

test('a seed beyond the exact numbers keeps its digits', () => {
  for (const seed of ['9007199254740993', '18446744073709551615']) {
    const game = new Game(cruel, seed)
    expect(game.seed).toBe(seed)
    expect(game.saved.seed).toBe(seed)
    expect(game.position).not.toEqual(new Game(cruel, String(Number(seed))).position)
  }
})

test('a finish is played through moves of the log, which undo takes back one by one', () => {
  const game = new Game(cruel, '2')
  const log =
    'jS cH R cd R eC hD cS cC cC aS hS hj hD dD dD dS R cH hD aD R cD aD cD dD cS cD dS aS dS dC hC hC hD'
  for (const token of log.split(' ')) game.move(move(token))
  const [before, plays] = [game.log, game.finish!]
  expect(plays).toHaveLength(game.atBest - game.moves.length)
  for (const m of plays) game.move(m)
  expect(game.outcome).toBe('won')
  expect(game.log).toBe(`${before} ${logText(plays)}`)
  const { shown, derived } = figures(game)
  expect(shown).toEqual(derived)
  for (const _ of plays) game.undo()
  expect(game.log).toBe(before)
})
