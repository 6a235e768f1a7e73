// The games that the browser tests play are what they say. No browser is needed.

import { expect, test } from 'vitest'
import { verify } from '../src/engine'
import { all } from './games'
import { cruel } from './help'

test.each(all)('$seed is won', ({ seed, log }) => {
  const said = verify(cruel, seed, log)
  expect(said).toMatchObject({ result: { outcome: 'won', cards: 52, moves: log.split(' ').length } })
})
