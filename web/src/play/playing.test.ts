import { beforeEach, describe, expect, test, vi } from 'vitest'
import { readFileSync } from 'node:fs'
import { deal, parseMove, variantOf, verify, type Move } from '../engine'
import { Playing } from './playing.svelte'

vi.mock('../app/settings.svelte', () => ({ settings: { language: 'en' } }))

const store = new Map<string, string>()
beforeEach(() => {
  store.clear()
  vi.useRealTimers()
  vi.stubGlobal('localStorage', {
    getItem: (k: string) => store.get(k) ?? null,
    setItem: (k: string, v: string) => void store.set(k, v),
    removeItem: (k: string) => void store.delete(k),
  })
})

const cruel = variantOf('cruel')!
const m = (token: string): Move => parseMove(token)!
const open = () => new Playing(cruel, '2', 'test')
const { games } = JSON.parse(
  readFileSync(new URL('../../../engine/testdata/games.json', import.meta.url), 'utf8'),
)
const won = games.find((g: { variant: string; result: { outcome: string } }) => g.result?.outcome === 'won')

describe('moves', () => {
  test('a refused one says why and leaves the game alone', () => {
    const p = open()
    expect(p.move(m('aa'))).toBe(false)
    expect(p.note).toBe('That is the same pile.')
    expect(p.game.moves).toHaveLength(0)
    p.move(m('jS'))
    expect(p.note).toBe('')
  })

  test('a redeal that changes nothing is asked about once', () => {
    vi.useFakeTimers()
    const p = open()
    expect(p.move(m('R'))).toBe(false)
    expect(p.question?.about).toBe('redeal')
    expect(p.game.moves).toHaveLength(0)
    vi.advanceTimersByTime(1000)
    p.question!.act()
    expect(p.game.log).toBe('R')
    expect(p.question).toBeNull()
    expect(p.move(m('R'))).toBe(false) // it changes nothing again, and is asked again
  })

  test('a double press is no answer to that', () => {
    vi.useFakeTimers()
    const p = open()
    for (let i = 0; i < 5; i++) p.move(m('R'))
    expect(p.game.moves).toHaveLength(0)
    vi.advanceTimersByTime(1000)
    p.move(m('R'))
    expect(p.game.log).toBe('R')
  })

  test('another move takes the question back', () => {
    const p = open()
    p.move(m('R'))
    p.move(m('jS'))
    expect(p.question).toBeNull()
    expect(p.game.log).toBe('jS')
  })

  test('one undo an act, and the counter is what a verifier counts', () => {
    const p = open()
    for (const token of ['jS', 'cH', 'R', 'cd']) expect(p.move(m(token))).toBe(true)
    p.undo()
    p.undo()
    p.redo()
    expect(p.game.log).toBe('jS cH R')
    expect(verify(cruel, '2', p.game.log)).toMatchObject({ result: p.game.result })
    expect(p.game.result).toMatchObject({ moves: 3, redeals: 1 })
  })

  test('undo at the deal says so', () => {
    const p = open()
    expect(p.undo()).toBe(false)
    expect(p.note).toBe('There is nothing to take back.')
  })
})

describe('the end', () => {
  const variant = variantOf(won.variant)!
  const moves: Move[] = (verify(variant, won.seed, won.log) as { moves: Move[] }).moves

  test('a finish writes its moves, and they can be taken back one by one', () => {
    const p = new Playing(variant, won.seed, 'finish')
    while (!p.game.finish) p.move(moves[p.game.moves.length]!)
    const before = p.game.moves.length
    const left = p.game.finish.length
    p.finish(0)
    expect(p.game.outcome).toBe('won')
    expect(p.finishing).toBeNull()
    expect(p.game.moves).toHaveLength(before + left)
    expect(verify(variant, won.seed, p.game.log)).toMatchObject({ result: { outcome: 'won' } })
    p.undo()
    expect(p.game.outcome).toBe('unfinished')
    expect(p.game.moves).toHaveLength(before + left - 1)
  })

  test('a finish goes step by step, and skips to the same end', () => {
    vi.useFakeTimers()
    const p = new Playing(variant, won.seed, 'finish')
    while (!p.game.finish) p.move(moves[p.game.moves.length]!)
    p.finish(80)
    expect(p.finishing).not.toBeNull()
    expect(p.game.outcome).toBe('unfinished')
    p.finishing!.skip()
    expect(p.game.outcome).toBe('won')
    expect(p.finishing).toBeNull()
  })
})

describe('on the device', () => {
  test('restart, quit and reload, restart twice: always the deal', () => {
    const p = open()
    for (const token of ['jS', 'cH', 'R', 'cd']) p.move(m(token))
    p.restart()
    expect(p.game.position).toEqual(deal('2', cruel))
    p.keep()
    const again = open()
    expect(again.game.position).toEqual(deal('2', cruel))
    again.restart()
    again.restart()
    expect(again.game.position).toEqual(deal('2', cruel))
    expect(again.redo()).toBe(true)
    expect(again.game.log).toBe('jS')
  })

  test('a game goes on where it was, with what was taken back', () => {
    const p = open()
    for (const token of ['jS', 'cH', 'R']) p.move(m(token))
    p.undo()
    p.keep()
    const again = open()
    expect(again.game.log).toBe('jS cH')
    expect(again.game.canRedo).toBe(true)
  })

  test('a game of another seed under the same name is left alone', () => {
    const p = open()
    p.move(m('jS'))
    p.keep()
    expect(new Playing(cruel, '3', 'test').game.moves).toHaveLength(0)
  })

  test('what another tab has played is taken, and not written back', () => {
    const [one, two] = [open(), open()]
    one.move(m('jS'))
    one.keep()
    two.look()
    expect(two.game.log).toBe('jS')
    const written = store.get('cruel.game.test')
    two.keep()
    expect(store.get('cruel.game.test')).toBe(written)
    two.move(m('cH'))
    two.keep()
    one.look()
    expect(one.game.log).toBe('jS cH')
  })

  test('a full or forbidden storage is told', () => {
    const p = open()
    vi.stubGlobal('localStorage', {
      getItem: () => null,
      setItem: () => {
        throw new Error('full')
      },
    })
    p.move(m('jS'))
    p.keep()
    expect(p.keeps).toBe(false)
  })
})
