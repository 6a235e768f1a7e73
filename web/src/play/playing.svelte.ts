// A game on the page: what the player asks for, and what the page says to it. It moves nothing by itself but
// a finish that was asked for, and keeps the game on the device.

import { announce } from '../app/frame.svelte'
import { settings } from '../app/settings.svelte'
import { mayRedeal, mostMoves, refusalOf, type Move, type Refusal, type Variant } from '../engine'
import { Game, type Saved } from '../game/game.svelte'
import { loadGame, saveGame } from '../game/storage'
import { play } from '../i18n/play'
import { Finishing } from './finishing'
import { redealChangesNothing } from './redeal'
import { refusalText } from './refusal'

/** Something that is asked once before it is done. */
export interface Question {
  text: string
  yes: string // the button's text
  act: () => void
  about: 'redeal' | 'submit'
}

const doubleClick = 400 // ms in which a second press is no answer

export class Playing {
  game: Game = $state.raw()!
  /** What was last said to the player; it goes with the next act. */
  note = $state('')
  question: Question | null = $state.raw(null)
  finishing: Finishing | null = $state.raw(null)
  /** Whether the device takes the game. */
  keeps = $state(true)

  #asked = 0 // when, ms
  #kept: string // what this tab has last read or written

  /** Goes on with the game that the device has under a name, or deals. Throws a RangeError on a text that is no seed. */
  constructor(
    readonly variant: Variant,
    readonly seed: string,
    readonly name: string,
  ) {
    const saved = this.#stored()
    this.game = saved ? Game.restore(variant, saved) : new Game(variant, seed)
    this.#kept = textOf(this.game.saved)
  }

  #stored(): Saved | undefined {
    const saved = loadGame(this.name)
    return saved?.seed === this.seed && saved.variant === this.variant.id ? saved : undefined
  }

  /** Keeps the game on the device, where it has changed. */
  keep(): void {
    const { saved } = this.game
    const text = textOf(saved)
    if (text === this.#kept) return
    this.#kept = text
    this.keeps = saveGame(this.name, saved)
  }

  /** Takes the game as another tab has left it: whoever played last is right. */
  look(): void {
    const saved = this.#stored()
    if (!saved || this.finishing || textOf(saved) === this.#kept) return
    this.calm()
    this.game = Game.restore(this.variant, saved)
    this.#kept = textOf(saved)
  }

  /** Makes a move, or says why not; a redeal that changes nothing is asked about once. */
  move(m: Move): boolean {
    const { game } = this
    if (m.kind === 'redeal' && mayRedeal(this.variant, game.position)) {
      if (this.question?.about === 'redeal') {
        if (Date.now() - this.#asked < doubleClick) return false
      } else if (redealChangesNothing(this.variant, game.position)) {
        this.ask({
          text: play.uselessRedeal,
          yes: play.redealAnyway,
          about: 'redeal',
          act: () => this.move(m),
        })
        return false
      }
    }
    this.calm()
    if (game.moves.length >= mostMoves) {
      this.say(play.tooLong)
      return false
    }
    if (game.move(m)) return true
    this.refuse(refusalOf(this.variant, game.position, m)!)
    return false
  }

  undo(): boolean {
    return this.#step(() => this.game.undo(), play.nothingToUndo)
  }

  redo(): boolean {
    return this.#step(() => this.game.redo(), play.nothingToRedo)
  }

  #step(step: () => boolean, otherwise: string): boolean {
    this.calm()
    if (step()) return true
    this.say(otherwise)
    return false
  }

  restart(): void {
    this.calm()
    if (this.game.moves.length === 0) return
    this.game.restart()
    this.say(play.restarted)
  }

  /** Makes the plays that win alone, with a pause between them. */
  finish(pause: number): void {
    const moves = this.game.finish
    if (!moves || this.finishing) return
    this.calm()
    let over = false
    const finishing = new Finishing(
      moves,
      pause,
      (m) => this.game.move(m),
      () => {
        over = true
        this.finishing = null
        speak(play.finished(moves.length))
      },
    )
    if (!over) this.finishing = finishing
  }

  refuse(r: Refusal): void {
    this.say(refusalText(r), refusalText(r, 'name'))
  }

  ask(question: Question): void {
    this.note = ''
    this.question = question
    this.#asked = Date.now()
    speak(question.text)
  }

  say(text: string, spoken = text): void {
    this.question = null
    this.note = text
    speak(spoken)
  }

  /** Takes back what was said and asked. */
  calm(): void {
    this.note = ''
    this.question = null
  }
}

/** The text mode has its own answers. */
const speak = (text: string) => settings.textMode || announce(text)

const textOf = ({ seed, variant, log, at }: Saved) => JSON.stringify([variant, seed, log, at])
