import type { Rect } from './geometry'

/** Puts an element where a rectangle is. */
export const at = (r: Rect) => (element: HTMLElement) => {
  element.style.left = `${r.x}px`
  element.style.top = `${r.y}px`
  element.style.width = `${r.width}px`
  element.style.height = `${r.height}px`
}
