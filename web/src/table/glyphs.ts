// Our own drawings of ranks and suits. Everything is 100 high. Ranks are drawn with a broad pen and, where a
// pen makes clumsy corners, as outlines; they have to stay apart from each other at ten pixels.

interface Glyph {
  width: number
  pen?: string // a stroke's middle line
  fill?: string // an outline
}

const pen = 21

export const ranks: readonly Glyph[] = [
  {
    width: 80,
    fill: 'M29 0H51L80 100H57L52 80H28L23 100H0ZM32.5 62H47.5L40 30Z',
  },
  {
    width: 66,
    pen: 'M11 35C11 19 20 10.5 33 10.5C46 10.5 54.5 18 54.5 30C54.5 41 48 48 38 57.5L9.5 86',
    fill: 'M2 79.5H64V100H2Z',
  },
  {
    width: 66,
    pen: 'M9 27C12 16 20 10.5 31.5 10.5C44 10.5 52.5 17.5 52.5 28.5C52.5 40 44 46.5 31 46.5H23M31 46.5C46 46.5 55.5 55 55.5 68C55.5 81 46 89.5 31.5 89.5C19 89.5 11 83 8.5 72',
  },
  { width: 72, fill: 'M38 0H60V61H72V80H60V100H38V80H0V62ZM38 61V29L20 61Z' },
  {
    width: 66,
    pen: 'M12.5 53C17 46 24 42.5 32 42.5C46.5 42.5 55.5 52 55.5 66C55.5 80 46 89.5 31.5 89.5C19 89.5 11 83.5 8.5 73',
    fill: 'M8 0H60V20H26L23 55L3 57Z',
  },
  {
    width: 66,
    pen: 'M33.5 43.5C46.5 43.5 55.5 53 55.5 66.5C55.5 80 46.5 89.5 33.5 89.5C20.5 89.5 11 80 11 66.5C11 53 20.5 43.5 33.5 43.5ZM11 66.5V46C11 24 19 10.5 35 10.5C45 10.5 52 15.5 55 25',
  },
  { width: 64, fill: 'M0 0H64V18C50 38 39 66 36 100H12C16 68 26 41 40 21H0Z' },
  {
    width: 68,
    pen: 'M34 10.5C45.5 10.5 53.5 17.5 53.5 28.5C53.5 39 45.5 46.5 34 46.5C22.5 46.5 14.5 39 14.5 28.5C14.5 17.5 22.5 10.5 34 10.5ZM34 46.5C48 46.5 57.5 55 57.5 68C57.5 81 48 89.5 34 89.5C20 89.5 10.5 81 10.5 68C10.5 55 20 46.5 34 46.5Z',
  },
  {
    width: 66,
    pen: 'M32.5 56.5C19.5 56.5 10.5 47 10.5 33.5C10.5 20 19.5 10.5 32.5 10.5C45.5 10.5 55 20 55 33.5C55 47 45.5 56.5 32.5 56.5ZM55 33.5V54C55 76 47 89.5 31 89.5C21 89.5 14 84.5 11 75',
  },
  {
    width: 95,
    pen: 'M68.5 10.5C79 10.5 84.5 19 84.5 34V66C84.5 81 79 89.5 68.5 89.5C58 89.5 52.5 81 52.5 66V34C52.5 19 58 10.5 68.5 10.5Z',
    fill: 'M14 0H31V100H10V27L0 31V12Z',
  },
  { width: 56, pen: 'M45.5 0V63C45.5 81 39 89.5 27 89.5C16.5 89.5 10.5 82 9.5 67' },
  {
    width: 85,
    pen: 'M40 10.5C58 10.5 69.5 26 69.5 50C69.5 74 58 89.5 40 89.5C22 89.5 10.5 74 10.5 50C10.5 26 22 10.5 40 10.5Z',
    fill: 'M43 69L57 55L85 86L70 100Z',
  },
  { width: 78, fill: 'M0 0H22V40L50 0H76L43 44L78 100H51L28 62L22 70V100H0Z' },
]

export const suits: readonly Glyph[] = [
  {
    width: 100,
    fill: 'M50 1C63 1 72.5 10.5 72.5 22.5C72.5 29 70 34.5 66 38.5C68.5 37.5 71.5 37 74.5 37C88 37 98 46.5 98 59.5C98 72.5 88 82 75.5 82C66.5 82 58.5 77 54.5 69C55 83 59 93 69 99H31C41 93 45 83 45.5 69C41.5 77 33.5 82 24.5 82C12 82 2 72.5 2 59.5C2 46.5 12 37 25.5 37C28.5 37 31.5 37.5 34 38.5C30 34.5 27.5 29 27.5 22.5C27.5 10.5 37 1 50 1Z',
  },
  { width: 100, fill: 'M50 0C59 18 71 35 86 50C71 65 59 82 50 100C41 82 29 65 14 50C29 35 41 18 50 0Z' },
  {
    width: 100,
    fill: 'M50 98C45 87 33 76 20 63C8 51 1 41 1 28C1 13 11.5 3 25.5 3C36.5 3 45.5 9.5 50 20C54.5 9.5 63.5 3 74.5 3C88.5 3 99 13 99 28C99 41 92 51 80 63C67 76 55 87 50 98Z',
  },
  {
    width: 100,
    fill: 'M50 0C54 11 65 22 77 33C90 45 97 53 97 65C97 77 88 86 76.5 86C67 86 58.5 80 54.5 71C55 84 59 93 69 99H31C41 93 45 84 45.5 71C41.5 80 33 86 23.5 86C12 86 3 77 3 65C3 53 10 45 23 33C35 22 46 11 50 0Z',
  },
]

/** Puts the symbols #rank-1 to #rank-13 and #suit-0 to #suit-3 into the page, once. */
export function addSprite(): void {
  if (document.getElementById('rank-1')) return
  const sprite = svg('svg', { width: 0, height: 0, 'aria-hidden': 'true', focusable: 'false' })
  sprite.style.position = 'absolute'
  ranks.forEach((glyph, i) => sprite.append(symbol(`rank-${i + 1}`, glyph)))
  suits.forEach((glyph, i) => sprite.append(symbol(`suit-${i}`, glyph)))
  document.body.append(sprite)
}

function symbol(id: string, { width, pen: line, fill }: Glyph): Element {
  const node = svg('symbol', { id, viewBox: `0 0 ${width} 100` })
  if (fill) node.append(svg('path', { d: fill, fill: 'currentColor', 'fill-rule': 'evenodd' }))
  if (line) node.append(svg('path', { d: line, fill: 'none', stroke: 'currentColor', 'stroke-width': pen }))
  return node
}

function svg(name: string, attributes: Record<string, string | number>): SVGElement {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value))
  return node
}
