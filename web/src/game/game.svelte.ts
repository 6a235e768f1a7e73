// A game that is being played: a deal and the moves so far, with those that were taken back. Nothing here
// moves by itself. A component that reads it follows it.

import {
  apply,
  cardsHome,
  deal,
  finish,
  legalMoves,
  logText,
  outcomeOf,
  parseLog,
  resultOf,
  type Move,
  type Position,
  type Variant,
} from '../engine'

/** How a position came about, for the picture. */
export interface Step {
  move: Move
  undone: boolean
}

/** A game as it is kept on the device. */
export interface Saved {
  seed: string
  variant: string
  log: string // with what was taken back
  at: number // how many moves of the log stand
}

export class Game {
  readonly variant: Variant
  readonly seed: string

  // Arrays that are replaced, not changed: a copy of a few hundred references costs nothing, and a
  // component that holds one sees no change behind its back.
  #moves: readonly Move[] = $state.raw([]) // beyond #at: taken back
  #positions: readonly Position[] // #positions[i] is after i moves
  #at = $state(0)
  #beforeRestart = 0 // where undo goes from the deal; 0: nowhere
  #last: Step | null = $state.raw(null)

  /** Deals anew. Throws a RangeError on a text that is no seed. */
  constructor(variant: Variant, seed: string) {
    this.variant = variant
    this.seed = seed
    this.#positions = $state.raw([deal(seed, variant)])
  }

  /** The game that was kept, as far as its moves are legal. */
  static restore(variant: Variant, saved: Saved): Game {
    const game = new Game(variant, saved.seed)
    const read = parseLog(saved.log)
    if ('moves' in read) for (const m of read.moves) if (!game.move(m)) break
    game.#at = Math.min(Math.max(0, saved.at), game.#moves.length)
    game.#last = null
    return game
  }

  get saved(): Saved {
    return { seed: this.seed, variant: this.variant.id, log: logText(this.#moves), at: this.#at }
  }

  /** The moves that stand. */
  readonly moves: readonly Move[] = $derived.by(() => this.#moves.slice(0, this.#at))
  readonly position: Position = $derived.by(() => this.#positions[this.#at]!)
  readonly legal: Move[] = $derived.by(() => legalMoves(this.variant, this.position))
  readonly result = $derived.by(() => resultOf(this.variant, this.position, this.moves))
  readonly outcome = $derived.by(() => outcomeOf(this.variant, this.position))
  readonly log = $derived.by(() => logText(this.moves))
  /** No win of this game has fewer moves: each card that isn't home needs one. */
  readonly atBest = $derived.by(() => this.#at + 52 - cardsHome(this.position))
  /** Plays that win from here, where plays alone do. */
  readonly finish: Move[] | undefined = $derived.by(() => finish(this.variant, this.position))

  get last(): Step | null {
    return this.#last
  }
  get canUndo(): boolean {
    return this.#at > 0 || this.#beforeRestart > 0
  }
  get canRedo(): boolean {
    return this.#at < this.#moves.length
  }

  /** Makes a move; false and nothing done where it is illegal. What was taken back before is gone then. */
  move(m: Move): boolean {
    const next = apply(this.variant, this.position, m)
    if (!next) return false
    this.#positions = [...this.#positions.slice(0, this.#at + 1), next]
    this.#moves = [...this.#moves.slice(0, this.#at), m]
    this.#at++
    this.#beforeRestart = 0
    this.#last = { move: m, undone: false }
    return true
  }

  /** Takes a move back, or a restart. */
  undo(): boolean {
    if (this.#at === 0) {
      if (!this.#beforeRestart) return false
      this.#at = this.#beforeRestart
      this.#beforeRestart = 0
      this.#last = null
      return true
    }
    this.#at--
    this.#last = { move: this.#moves[this.#at]!, undone: true }
    return true
  }

  redo(): boolean {
    const m = this.#moves[this.#at]
    if (!m) return false
    this.#at++
    this.#beforeRestart = 0
    this.#last = { move: m, undone: false }
    return true
  }

  /** Back to the deal. Undo leads back here, redo goes through the same moves again. */
  restart(): void {
    if (this.#at === 0) return
    this.#beforeRestart = this.#at
    this.#at = 0
    this.#last = null
  }
}
