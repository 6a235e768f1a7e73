// Where everything on the table lies: pure functions, from the room that there is to the frame, and from the
// frame and what a pile holds to its fan; all in whole pixels. They know nothing of the page around the table,
// and of cards only how many there are.
//
// The promise: rows never move. The frame doesn't depend on the piles, so a growing one pushes nothing away
// from under a finger.

export type Mode = 'portrait' | 'landscape' | 'desktop'

/** A place on the table in notation: a pile a to l, a foundation C D H S, or R, where one redeals. */
export type Place = string

export const pilePlaces: readonly Place[] = [...'abcdefghijkl']
export const foundationPlaces: readonly Place[] = [...'CDHS']
export const redealPlace: Place = 'R'

/** The number of a pile; -1 where a place is none. */
export const pileOf = (place: Place): number => pilePlaces.indexOf(place)

export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

export interface Asked {
  width: number
  height: number
  mode: Mode | 'auto'
  view: 'stacked' | 'fanned'
  mirrored: boolean
}

/** What a pile holds: its cards, and how many of them are a run on top, which may be folded. */
export interface Held {
  size: number
  run: number
}

/** How the cards of a pile lie. */
export interface Fan {
  /** How far each card lies from the first, the bottom one. */
  offsets: readonly number[]
  step: number
  /** How many cards of the run below the top card show an edge only. */
  folded: number
  /** The height of the index, so low that the next card doesn't cut it, and the air above it. */
  cap: number
  air: number
}

export interface Frame {
  mode: Mode
  fanned: boolean
  card: { width: number; height: number }
  /** Where a pile's first card lies, a foundation's card, the place to redeal. */
  slots: ReadonlyMap<Place, Rect>
  /** What answers to a touch: of a pile the whole column, with its share of the gutters. */
  cells: ReadonlyMap<Place, Rect>
  /** The size of a foundation's card beside that of a pile's. */
  scale: number
  /** Foundations show the upper part of their card only. */
  cropped: boolean
  /** How far a pile's top card may lie from its first, and how much of that the preview takes. */
  room: number
  previewTakes: number
  /** The step where there is room enough. */
  fullStep: number
  /** What the rail has left for the page, where there is a rail. */
  rail: Rect | undefined
}

export interface Layout extends Frame {
  fans: readonly Fan[]
}

const ratio = 1.4
const leastStep = (card: number) => Math.max(16, 0.18 * card) // below it an index can't be read
export const foldedEdge = 4
const previewLine = 18
const letterLine = 14 // under the piles, where a single row needs letters to be read as a to l

export function layOut(frame: Frame, piles: readonly Held[], preview: boolean): Layout {
  return { ...frame, fans: piles.map((pile) => fanOf(frame, pile, preview)) }
}

export function frameOf(asked: Asked): Frame {
  const mode = asked.mode === 'auto' ? modeOf(asked) : asked.mode
  // Six fans one above the other don't fit a low screen.
  const fanned = asked.view === 'fanned' && mode !== 'landscape'
  const plan = plans[mode](asked, fanned)
  const height = heightOf(plan.card)
  const row = Math.floor((plan.area.height - (plan.rows - 1) * plan.rowGap) / plan.rows)
  const columns = pilePlaces.length / plan.rows
  const left =
    plan.area.x + Math.floor((plan.area.width - columns * (plan.column + plan.gutter) + plan.gutter) / 2)

  const slots = new Map(plan.places)
  const cells = new Map([...plan.places].map(([place, rect]) => [place, grown(rect, 2, 2)]))
  pilePlaces.forEach((place, i) => {
    const x = left + (i % columns) * (plan.column + plan.gutter)
    const y = plan.area.y + Math.floor(i / columns) * (row + plan.rowGap)
    slots.set(place, { x, y, width: plan.card, height })
    cells.set(place, grown({ x, y, width: plan.column, height: row }, plan.gutter / 2, plan.rowGap / 2))
  })

  const letters = mode === 'landscape' ? letterLine : 0
  return {
    mode,
    fanned,
    card: { width: plan.card, height },
    slots,
    cells,
    scale: plan.foundation / plan.card,
    cropped: plan.cropped,
    room: fanned ? plan.column - plan.card : row - height - letters,
    previewTakes: fanned ? 0 : Math.max(0, previewLine - letters),
    fullStep: plan.full,
    rail: plan.rail,
  }
}

/** Low and wide is a phone on its side; a rail pays where the table is wide, whatever the page has beside it. */
function modeOf({ width, height }: Asked): Mode {
  if (width <= height) return 'portrait'
  if (height < 440) return 'landscape'
  return width >= 780 ? 'desktop' : 'portrait'
}

/** The height of a card. */
export const heightOf = (width: number) => Math.round(ratio * width)

/** What differs between the modes. */
interface Plan {
  card: number // width
  rows: number
  column: number // width: of a card, or of a fan
  gutter: number
  rowGap: number
  area: Rect // of the piles
  full: number // the step where there is room enough
  places: Map<Place, Rect> // foundations and redeal
  foundation: number // width
  cropped: boolean
  rail: Rect | undefined
}

const plans: Record<Mode, (asked: Asked, fanned: boolean) => Plan> = { portrait, landscape, desktop }

/** Foundations and redeal above, the piles in two rows of six (or six rows of two fans). */
function portrait({ width: W, height: H, mirrored }: Asked, fanned: boolean): Plan {
  const [edge, gutter] = W < 340 ? [3, 3] : W < 400 ? [4, 4] : W < 600 ? [6, 5] : [16, 10]
  const tight = H < 400
  const top = tight ? 4 : 6
  const bottom = tight ? 2 : 4
  const cropped = H < 540 || fanned
  const crop = tight ? 44 : 48

  const column = Math.floor((W - 2 * edge - gutter) / 2)
  const piles = H - top - bottom - 16 // without the foundations
  const card = fanned
    ? Math.floor(Math.min(column / 3, (piles - crop + 8) / 9))
    : Math.floor(
        Math.min((W - 2 * edge - 5 * gutter) / 6, cropped ? (piles - crop) / 5.8 : piles / (5.8 + ratio)),
      )
  const height = cropped ? crop : heightOf(card)
  const wide = fanned ? 2 * column + gutter : 6 * card + 5 * gutter
  const left = Math.floor((W - wide) / 2)
  const beside = 4 * (card + gutter) // the foundations' share of the row
  const places = new Map<Place, Rect>()
  foundationPlaces.forEach((place, i) => {
    const x = left + (mirrored ? wide - beside + gutter : 0) + i * (card + gutter)
    places.set(place, { x, y: top, width: card, height })
  })
  places.set(redealPlace, { x: left + (mirrored ? 0 : beside), y: top, width: wide - beside, height })
  return {
    card,
    rows: fanned ? 6 : 2,
    column: fanned ? column : card,
    gutter,
    rowGap: fanned ? 2 : 8,
    area: { x: 0, y: top + height + 8, width: W, height: H - top - height - 8 - bottom },
    full: Math.round((fanned ? 0.4 : 0.47) * card),
    places,
    foundation: card,
    cropped,
    rail: undefined,
  }
}

/** A phone on its side: one row of twelve, the rest in a rail. Two rows would leave six cards a step of 16. */
function landscape({ width: W, height: H, mirrored }: Asked): Plan {
  const gutter = W < 800 ? 3 : 5
  const rail = 96
  const card = Math.floor((W - rail - 11 * gutter - 4) / 12)
  return {
    card,
    rows: 1,
    column: card,
    gutter,
    rowGap: 0,
    area: { x: mirrored ? 0 : rail, y: 2, width: W - rail, height: H - 2 },
    full: Math.round(0.47 * card),
    cropped: false,
    ...inRail({ x: mirrored ? W - rail : 0, y: 2, width: rail, height: H - 4 }, card, 4, 4, 44),
  }
}

/**
 * Foundations and redeal in a rail, two rows of six. Cards stay so small that eyes take in twelve piles. What
 * is left of a wide table first makes the rail's cards as large as the others and then lies on both sides.
 */
function desktop({ width: W, height: H, mirrored }: Asked, fanned: boolean): Plan {
  const leastRail = 200
  const margin = 25 // beside the piles
  const y = 6
  const height = H - y - 4
  const rowGap = fanned ? 4 : 8
  const inside = W - leastRail - 2 * margin
  const card = Math.floor(
    fanned
      ? Math.min(150, (inside - 40) / 2 / 3, (height - 5 * rowGap) / 9)
      : Math.min(150, inside / 6.7, (height - rowGap) / 2 / 2.9),
  )
  const gutter = fanned ? 40 : Math.round(0.14 * card)
  const column = fanned ? Math.floor(Math.min((inside - gutter) / 2, 4 * card)) : card
  const piles = (fanned ? 2 : 6) * (column + gutter) - gutter + 2 * margin
  const rail = Math.max(leastRail, Math.min(W - piles, 2 * card + 42))
  const left = Math.floor((W - rail - piles) / 2)
  return {
    card,
    rows: fanned ? 6 : 2,
    column,
    gutter,
    rowGap,
    area: { x: left + (mirrored ? 0 : rail), y, width: piles, height },
    full: Math.round((fanned ? 0.4 : 0.32) * card),
    cropped: false,
    ...inRail({ x: left + (mirrored ? piles : 0), y, width: rail, height }, card, 16, 10, 64),
  }
}

/** Foundations two by two, below them the place to redeal. */
function inRail(rail: Rect, card: number, margin: number, gap: number, redealHeight: number) {
  const foundation = Math.min(card, Math.floor((rail.width - 2 * margin - gap) / 2))
  const height = heightOf(foundation)
  const wide = 2 * foundation + gap
  const left = rail.x + Math.floor((rail.width - wide) / 2)
  const places = new Map<Place, Rect>()
  foundationPlaces.forEach((place, i) => {
    const x = left + (i % 2) * (foundation + gap)
    places.set(place, { x, y: rail.y + Math.floor(i / 2) * (height + gap), width: foundation, height })
  })
  const y = rail.y + 2 * (height + gap)
  places.set(redealPlace, { x: left, y, width: wide, height: redealHeight })
  const under = y + redealHeight + gap
  const rest = { x: left, y: under, width: wide, height: Math.max(0, rail.y + rail.height - under) }
  return { places, foundation, rail: rest }
}

/**
 * Answers to a tall pile, in this order: six cards lie at the full step; more shrink it evenly, down to where
 * an index can just be read; then the run on top is folded, and only its first and last card can be read.
 * The preview takes room from those piles only that need it all: the others stay as they are.
 */
export function fanOf(
  { room, fullStep, previewTakes, card, fanned }: Frame,
  { size, run }: Held,
  preview: boolean,
): Fan {
  const most = (cards: number, room: number) => Math.floor(room / Math.max(cards - 1, 1))
  const least = Math.floor(leastStep(card.width))
  const usual = Math.min(fullStep, Math.max(most(6, room), least))
  const left = preview ? room - previewTakes : room
  let step = Math.min(usual, most(size, left))
  let folded = 0
  if (step < least && run > 2) {
    folded = run - 2
    step = Math.min(usual, most(size - folded, left - folded * foldedEdge))
  }
  step = Math.max(step, foldedEdge)
  const offsets = Array.from({ length: size }, (_, i) => {
    const edges = Math.min(Math.max(i - (size - 1 - folded), 0), folded)
    return (i - edges) * step + edges * foldedEdge
  })
  // Beside the next card an index needs its width, of which "10" has nearly its height.
  const free = fanned ? Math.floor((step - 5) / 0.95) : Math.min(step - 6, Math.floor(0.75 * step))
  const cap = Math.max(8, Math.min(Math.round(0.3 * card.width), free))
  const air = Math.max(3, Math.floor(Math.min((step - cap) / 2, 0.07 * card.width)))
  return { offsets, step, folded, cap, air }
}

const grown = (r: Rect, dx: number, dy: number): Rect => ({
  x: r.x - dx,
  y: r.y - dy,
  width: r.width + 2 * dx,
  height: r.height + 2 * dy,
})

/** Where a card of a pile lies, counted from the bottom; of an empty pile the place itself. */
export function cardRect(layout: Layout, pile: number, index: number): Rect {
  const slot = layout.slots.get(pilePlaces[pile]!)!
  const offset = layout.fans[pile]?.offsets[index] ?? 0
  return layout.fanned ? { ...slot, x: slot.x + offset } : { ...slot, y: slot.y + offset }
}

/** The place at a point, if any. */
export function placeAt(layout: Layout, x: number, y: number): Place | undefined {
  for (const [place, r] of layout.cells) {
    if (x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height) return place
  }
  return undefined
}

/** Which card of a pile a point means, counted from the bottom: beyond the fan it is the top card. */
export function indexAt(layout: Layout, pile: number, x: number, y: number): number {
  const slot = layout.slots.get(pilePlaces[pile]!)!
  const along = layout.fanned ? x - slot.x : y - slot.y
  return Math.max(0, layout.fans[pile]?.offsets.findLastIndex((offset) => offset <= along) ?? 0)
}

/** The area that two rectangles share. */
export function overlap(a: Rect, b: Rect): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return Math.max(0, width) * Math.max(0, height)
}

/** How far two rectangles are apart. */
export function distance(a: Rect, b: Rect): number {
  const dx = Math.max(a.x, b.x) - Math.min(a.x + a.width, b.x + b.width)
  const dy = Math.max(a.y, b.y) - Math.min(a.y + a.height, b.y + b.height)
  return Math.hypot(Math.max(0, dx), Math.max(0, dy))
}

/** The next place in a direction, as the eye sees it; the same one where there is none. */
export function neighbour(layout: Layout, place: Place, dx: number, dy: number): Place {
  const centre = (p: Place) => {
    const r = layout.slots.get(p)!
    return { x: r.x + r.width / 2, y: r.y + r.height / 2 }
  }
  const here = centre(place)
  let best = place
  let least = Infinity
  for (const other of layout.slots.keys()) {
    const there = centre(other)
    const along = (there.x - here.x) * dx + (there.y - here.y) * dy
    const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx)
    const far = along + 3 * aside
    if (along > 4 && far < least) {
      best = other
      least = far
    }
  }
  return best
}
