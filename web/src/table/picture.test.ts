import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Card } from '../engine'
import { pick, randomFrom } from '../engine/testing'
import type { Lying, Picture } from './picture'

// A picture over elements that only write down what is done to them.

class Motion {
  oncancel: (() => void) | undefined
  onfinish: (() => void) | undefined
  pause() {}
  cancel() {
    queueMicrotask(() => this.oncancel?.())
  }
  finish() {
    queueMicrotask(() => this.onfinish?.())
  }
}

class Drawn {
  style = { transform: '', zIndex: '' }
  classes = new Set<string>()
  classList = {
    add: (name: string) => this.classes.add(name),
    remove: (name: string) => this.classes.delete(name),
  }
  motions: Motion[] = []
  animate(): Motion {
    const motion = new Motion()
    this.motions.push(motion)
    return motion
  }
}

const cards: Card[] = Array.from({ length: 12 }, (_, i) => i + 4)
const spots: Lying[] = []
for (const card of cards) spots[card] = { x: 10 * card, y: 0, scale: 1, pile: card, order: card % 3 }

let picture: Picture
let drawn: Drawn[]

beforeEach(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vi.stubGlobal('devicePixelRatio', 2)
  vi.stubGlobal('getComputedStyle', () => ({ transform: '' }))
  vi.stubGlobal(
    'DOMMatrix',
    class {
      e = 0
      f = 0
      a = 1
    },
  )
  picture = new (await import('./picture')).Picture()
  drawn = []
  for (const card of cards) picture.of(card)((drawn[card] = new Drawn()) as unknown as HTMLElement)
  picture.settle(spots, 'layout')
})
afterEach(() => vi.unstubAllGlobals())

/** All that flies arrives. */
async function landed() {
  for (const { motions } of cards.map((card) => drawn[card]!)) for (const m of motions) m.finish()
  await Promise.resolve()
}

/** What doesn't lie as it should: where it belongs, over those below it, and without a shadow. */
const unsettled = (lying = spots) =>
  cards.filter((card) => {
    const { style, classes } = drawn[card]!
    const { x, y, order } = lying[card]!
    return style.transform !== `translate(${x}px, ${y}px)` || style.zIndex !== `${order}` || classes.size > 0
  })

test('a raised card is over all others, with a shadow, where it was', () => {
  picture.raise([5])
  expect(drawn[5]!.style).toEqual({ transform: 'translate(50px, 0px)', zIndex: '300' })
  expect([...drawn[5]!.classes]).toEqual(['lifted'])
  picture.raise([])
  expect(unsettled()).toEqual([])
})

test('a picked card stands out by 6 px, and lies again when another one is picked', () => {
  picture.pick([5])
  expect(drawn[5]!.style.transform).toBe('translate(50px, -6px)')
  picture.pick([6])
  expect(unsettled()).toEqual([6])
  picture.pick([])
  expect(unsettled()).toEqual([])
})

test('a picked card that moves lies where it belongs, and so does one that stays', () => {
  const lying = spots.with(5, { ...spots[5]!, x: 1000 })
  picture.pick([5, 6])
  picture.settle(lying, 'move')
  expect(drawn[5]!.style.transform).toBe('translate(1000px, 0px)')
  expect(drawn[6]!.style.transform).toBe('translate(60px, 0px)')
})

test('a card is dragged by whole pixels of the screen', () => {
  picture.lift([5])
  picture.drag(20.3, -7.8)
  expect(drawn[5]!.style.transform).toBe('translate(70.5px, -8px)')
})

test('a card in the hand stays there, whatever is picked in the meantime', () => {
  picture.pick([5])
  picture.lift([5])
  picture.drag(20, 30)
  picture.pick([])
  expect(drawn[5]!.style).toEqual({ transform: 'translate(70px, 30px)', zIndex: '300' })
  expect(drawn[5]!.classes.size).toBe(1)
})

describe.each([0, 1])('at speed %i', (speed) => {
  beforeEach(() => {
    picture.speed = speed
  })

  test('a card lies again that was dragged while another one was picked', async () => {
    picture.lift([4])
    picture.drag(20, 20)
    picture.pick([7])
    picture.letGo()
    picture.bringBack()
    picture.pick([])
    picture.raise([])
    await landed()
    expect(unsettled()).toEqual([])
  })

  test('after any acts all cards lie where they belong', async () => {
    const random = randomFrom(11)
    for (let round = 0; round < 300; round++) {
      let lying = spots
      const acts: string[] = []
      for (let i = 0; i < 8; i++) {
        const card = pick(cards, random)
        const act = pick(['raise', 'pick', 'lift', 'drag', 'letGo', 'move', 'jump', 'layout', 'land'], random)
        acts.push(`${act} ${card}`)
        if (act === 'raise') picture.raise([card])
        if (act === 'pick') picture.pick(card % 2 ? [card] : [])
        if (act === 'lift' && !picture.holdsCards) picture.lift([card])
        if (act === 'drag') picture.drag(i, card)
        if (act === 'letGo') picture.letGo()
        if (act === 'move' || act === 'jump' || act === 'layout') {
          lying = lying.with(card, { ...lying[card]!, x: 1000 + card + i, order: i })
          picture.settle(lying, act)
        }
        if (act === 'land') await landed()
      }
      picture.letGo()
      picture.bringBack()
      picture.pick([])
      picture.raise([])
      await landed()
      expect(unsettled(lying), acts.join(', ')).toEqual([])
      picture.settle(spots, 'layout')
      await landed()
    }
  })
})
