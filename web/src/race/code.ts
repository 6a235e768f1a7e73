/** The code in what somebody typed or pasted: "KQT wzv", or a whole link; undefined where there is none. */
export function codeIn(text: string): string | undefined {
  const last = text
    .trim()
    .replace(/[/?#]+$/, '')
    .split('/')
    .at(-1)!
  const code = last
    .replace(/[?#].*/, '')
    .replace(/[\s.-]/g, '')
    .toLowerCase()
  return /^[a-z]{6}$/.test(code) ? code : undefined
}
